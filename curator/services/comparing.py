"""Two revisions of a document, or two documents, compared source by source."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from curator.domain.document import Anchor, Document, Source
from curator.domain.model import Model
from curator.domain.revision import Difference, Piece, form_of
from curator.errors import InputError, UsageError
from curator.matching.reanchoring import judge, reanchored
from curator.matching.word_difference import difference
from curator.progress import Progress, Silent
from curator.services.context import Context
from curator.services.reconfirm import shown_text
from curator.store import documents, revisions, sources
from curator.store.database import Transaction

Outcome = Literal["same", "form", "moved", "changed", "gone", "new"]


class Side(Model):
    """One side of a comparison: a revision of a document."""

    document_id: str
    revision: str
    sha256: str
    pages: int


class Entry(Model):
    """One source on both sides, or on one.

    Attributes:
        outcome: same; form: white space, hyphenation or numbering alone; moved: the same text elsewhere; changed;
            gone: only on the first side; new: only on the second.
        source_id: Its id on the first side ("" = new), `other_id` on the second ("" = gone); one source has one id.
        page: On the first side, 0 = new; `other_page` on the second.
        pieces: The words that differ, for what changed; all of the text for what is gone or new.
    """

    outcome: Outcome
    difference: Difference = "none"
    kind: Literal["chunk", "row"]
    source_id: str = ""
    other_id: str = ""
    page: int = 0
    other_page: int = 0
    pieces: tuple[Piece, ...] = ()


class Compared(Model):
    """Both sides, how many sources have which outcome, and what is not the same, in the order of the second side."""

    one: Side
    two: Side
    counts: dict[str, int]
    entries: tuple[Entry, ...]


def compare(ctx: Context, one: str, two: str = "", *, progress: Progress | None = None) -> Compared:
    """Compare two revisions.

    Args:
        ctx: Open workspace.
        one: DOCUMENT or DOCUMENT@REVISION; without a revision the current one.
        two: As `one`; "" = `one` is compared with the revision before it.
        progress: Asked whether to stop.

    Raises:
        InputError: There is no such document or revision.
        UsageError: There is no revision before.
    """
    progress = progress or Silent()
    with ctx.db.read() as tx:
        side_two, number_two = _side(tx, two or one)
        if two:
            side_one, number_one = _side(tx, one)
        else:
            side_one, number_one = _before(tx, side_two, number_two)
        old, new = sources.of_revision(tx, number_one), sources.of_revision(tx, number_two)
    matched = _matched(old, new, progress)
    entries = _entries([s for *_, s in old], [s for *_, s in new], matched)
    counts = {name: n for name in Outcome.__args__ if (n := sum(e.outcome == name for e in entries))}  # type: ignore[attr-defined]
    return Compared(one=side_one, two=side_two, counts=counts, entries=tuple(e for e in entries if e.outcome != "same"))


def _side(tx: Transaction, name: str) -> tuple[Side, int]:
    head, at, label = name.rpartition("@")
    document = documents.get(tx, head if at else name)
    label = label if at else document.revision.label
    found = next((r for r in revisions.of_document(tx, document.id) if r.label == label), None)
    if found is None:
        known = ", ".join(r.label for r in revisions.of_document(tx, document.id))
        raise InputError(f"{document.id} has no revision {label!a}", f"it has {known}")
    return _told(document, found), found.number


def _before(tx: Transaction, side: Side, number: int) -> tuple[Side, int]:
    earlier = [r for r in revisions.of_document(tx, side.document_id) if r.number < number]
    if not earlier:
        raise UsageError(f"{side.document_id} has no revision before {side.revision}", "name two documents")
    return _told(documents.get(tx, side.document_id), earlier[-1]), earlier[-1].number


def _told(document: Document, found: revisions.Labeled) -> Side:
    return Side(document_id=document.id, revision=found.label, sha256=found.sha256, pages=found.pages)


Placed = tuple[int, int, Source]


def _matched(old: Sequence[Placed], new: Sequence[Placed], progress: Progress) -> dict[int, int]:
    """Place on the second side of each source of the first that is there: by its id, else by its text."""
    at = {key: n for n, (key, *_) in enumerate(new)}
    found = {n: at[key] for n, (key, *_) in enumerate(old) if key in at}
    taken = set(found.values())
    left = [n for n in range(len(old)) if n not in found]
    free = [n for n in range(len(new)) if n not in taken]
    one, two = [old[n][2].anchor for n in left], [new[n][2].anchor for n in free]
    place = {a.source_id: n for a, n in zip(two, free, strict=True)}
    findings = reanchored(one, two, checkpoint=progress.checkpoint)
    for n, anchor in zip(left, one, strict=True):
        target = findings[anchor.source_id].target
        if target and place[target] not in taken:
            found[n] = place[target]
            taken.add(place[target])
    return found


def _entries(old: Sequence[Source], new: Sequence[Source], matched: dict[int, int]) -> list[Entry]:
    back = {m: n for n, m in matched.items()}
    after: dict[int, list[int]] = {}
    last = -1
    for n in range(len(old)):  # what is gone is told behind what stood before it
        last = matched.get(n, last)
        if n not in matched:
            after.setdefault(last, []).append(n)
    entries = [_gone(old[n]) for n in after.get(-1, ())]
    for m, source in enumerate(new):
        entries.append(_both(old[back[m]], source) if m in back else _new(source))
        entries += [_gone(old[n]) for n in after.get(m, ())]
    return entries


def _gone(source: Source) -> Entry:
    text = Piece(kind="gone", text=shown_text(source.anchor))
    return Entry(outcome="gone", kind=source.kind, source_id=source.id, page=source.anchor.page, pieces=(text,))


def _new(source: Source) -> Entry:
    text = Piece(kind="new", text=shown_text(source.anchor))
    return Entry(outcome="new", kind=source.kind, other_id=source.id, other_page=source.anchor.page, pieces=(text,))


def _both(old: Source, new: Source) -> Entry:
    outcome, how = _outcome(old.anchor, new.anchor)
    return Entry(
        outcome=outcome,
        difference=how,
        kind=new.kind,
        source_id=old.id,
        other_id=new.id,
        page=old.anchor.page,
        other_page=new.anchor.page,
        pieces=difference(shown_text(old.anchor), shown_text(new.anchor)) if outcome != "same" else (),
    )


def _outcome(old: Anchor, new: Anchor) -> tuple[Outcome, Difference]:
    if form_of(shown_text(old), shown_text(new)) == "none":
        return "same", "none"
    how = judge(old, new).difference
    if how in ("spacing", "hyphenation", "numbering"):
        return "form", how
    return ("moved", how) if how == "place" else ("changed", how)
