"""Two revisions of a document, two readings of one, or two documents, compared source by source.

A side is named DOCUMENT, DOCUMENT@REVISION or DOCUMENT@REVISION#READING: `rules@2#1` is the first reading of revision
2. Without a reading the last one counts, without a revision the current one.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Literal

from curator.domain.document import Anchor, Document, Source
from curator.domain.model import Model
from curator.domain.revision import Difference, Piece, form_of
from curator.errors import InputError, UsageError
from curator.matching.reanchoring import judge, reanchored, same_section
from curator.matching.word_difference import difference
from curator.progress import Progress, Silent
from curator.services.context import Context
from curator.services.reconfirm import shown_text
from curator.store import documents, revisions, sources
from curator.store.database import Transaction

Outcome = Literal["same", "form", "moved", "changed", "gone", "new"]
OUTCOMES: tuple[Outcome, ...] = ("same", "form", "moved", "changed", "gone", "new")


class Side(Model):
    """One side of a comparison: a revision of a document, as it was read once.

    Attributes:
        name: What it is called: DOCUMENT@REVISION, with #READING where the revision was read more than once.
        reading: The how-manieth reading of the revision, of `readings`.
        parser: The rules that read it.
        at: When.
        current: Whether it is what is cited today.
    """

    name: str
    document_id: str
    revision: str
    reading: int = 1
    readings: int = 1
    sha256: str
    pages: int
    parser: str = ""
    at: str = ""
    current: bool = False


class Entry(Model):
    """One source on both sides, or on one.

    Attributes:
        outcome: same; form: white space, hyphenation or numbering alone; moved: the same text under another heading or
            in another order; changed; gone: only on the first side; new: only on the second.
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
    """Compare two sides.

    Args:
        ctx: Open workspace.
        one: DOCUMENT, DOCUMENT@REVISION or DOCUMENT@REVISION#READING.
        two: As `one`; "" = `one` is compared with what stood before it: the revision before, or the reading before
            where a reading is named or there is no other revision.
        progress: Asked whether to stop.

    Raises:
        InputError: There is no such document, revision or reading.
        UsageError: Nothing stood before.
    """
    progress = progress or Silent()
    with ctx.db.read() as tx:
        side_two, number_two = _side(tx, two or one)
        side_one, number_one = _side(tx, one) if two else _before(tx, side_two, named="#" in one)
        old, new = sources.of_revision(tx, number_one), sources.of_revision(tx, number_two)
    matched = _matched(old, new, progress)
    entries = _entries([s for *_, s in old], [s for *_, s in new], matched)
    counts = {name: n for name in OUTCOMES if (n := sum(e.outcome == name for e in entries))}
    return Compared(one=side_one, two=side_two, counts=counts, entries=tuple(e for e in entries if e.outcome != "same"))


def versions(ctx: Context, document_id: str) -> tuple[Side, ...]:
    """Every reading of every revision of a document, the newest first: what can be compared.

    Raises:
        InputError: There is no such document.
    """
    with ctx.db.read() as tx:
        return tuple(side for side, _ in reversed(_sides(tx, documents.get(tx, document_id))))


def _sides(tx: Transaction, document: Document) -> list[tuple[Side, int]]:
    """Every side that a document has, with our number of it, the oldest first."""
    read = revisions.readings(tx, document.id)
    often = {r.label: r.reading for r in read}
    current = documents.revision_id_of(tx, document.id)
    return [(_told(document, r, often[r.label], current), r.number) for r in read]


def _told(document: Document, found: revisions.Labeled, readings: int, current: int) -> Side:
    also = f"#{found.reading}" if readings > 1 else ""
    return Side(
        name=f"{document.id}@{found.label}{also}", document_id=document.id, revision=found.label,
        reading=found.reading, readings=readings, sha256=found.sha256, pages=found.pages, parser=found.parser,
        at=found.ingested_at, current=found.number == current,
    )  # fmt: skip


def _side(tx: Transaction, name: str) -> tuple[Side, int]:
    head, at, label = name.partition("@")
    document = documents.get(tx, head)
    sides = _sides(tx, document)
    wanted = label if at else document.revision.label
    found = [side for side in sides if side[0].revision == wanted]
    if found:
        return found[-1]
    revision, mark, reading = wanted.rpartition("#")
    found = [side for side in sides if side[0].revision == revision] if mark else []
    if not found:
        known = ", ".join(dict.fromkeys(side.revision for side, _ in sides))
        raise InputError(f"{document.id} has no revision {(revision if mark else wanted)!a}", f"it has {known}")
    chosen = next((side for side in found if str(side[0].reading) == reading), None)
    if chosen is None:
        known = ", ".join(side.name for side, _ in found)
        raise InputError(f"{document.id}@{revision} has no reading {reading!a}", f"it has {known}")
    return chosen


def _before(tx: Transaction, side: Side, *, named: bool) -> tuple[Side, int]:
    """What stood before a side; `named`: its reading was named, so that the reading before comes first."""
    sides = _sides(tx, documents.get(tx, side.document_id))
    earlier = [s for s in sides if s[0].name != side.name]
    read = [s for s in earlier if s[0].revision == side.revision and s[0].reading < side.reading]
    labels = [s.revision for s, _ in sides]
    other = [s for s in earlier if labels.index(s[0].revision) < labels.index(side.revision)]
    found = (read or other) if named else (other or read)
    if not found:
        raise UsageError(f"{side.document_id} has nothing before {side.name}", "name two documents")
    return found[-1]


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
    steady = _in_order(matched)
    after: dict[int, list[int]] = {}
    last = -1
    for n in range(len(old)):  # what is gone is told behind what stood before it
        last = matched.get(n, last)
        if n not in matched:
            after.setdefault(last, []).append(n)
    entries = [_gone(old[n]) for n in after.get(-1, ())]
    for m, source in enumerate(new):
        entries.append(_both(old[back[m]], source, m in steady) if m in back else _new(source))
        entries += [_gone(old[n]) for n in after.get(m, ())]
    return entries


def _in_order(matched: dict[int, int]) -> set[int]:
    """Places on the second side of the most sources that stand in the same order on both."""
    ends: list[int] = []
    chain: list[tuple[int, int]] = []  # place, and the link before it
    tops: list[int] = []
    for n in sorted(matched):
        length = bisect_left(ends, matched[n])
        ends[length:] = [matched[n], *ends[length + 1 :]]
        chain.append((matched[n], tops[length - 1] if length else -1))
        tops[length:] = [len(chain) - 1, *tops[length + 1 :]]
    found, link = set(), tops[-1] if tops else -1
    while link >= 0:
        place, link = chain[link]
        found.add(place)
    return found


def _gone(source: Source) -> Entry:
    text = Piece(kind="gone", text=shown_text(source.anchor))
    return Entry(outcome="gone", kind=source.kind, source_id=source.id, page=source.anchor.page, pieces=(text,))


def _new(source: Source) -> Entry:
    text = Piece(kind="new", text=shown_text(source.anchor))
    return Entry(outcome="new", kind=source.kind, other_id=source.id, other_page=source.anchor.page, pieces=(text,))


def _both(old: Source, new: Source, steady: bool) -> Entry:
    outcome, how = _outcome(old.anchor, new.anchor, steady)
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


def _outcome(old: Anchor, new: Anchor, steady: bool) -> tuple[Outcome, Difference]:
    """How two anchors of one source differ; `steady`: it stands in the same order on both sides."""
    if form_of(shown_text(old), shown_text(new)) == "none":
        return ("same", "none") if steady and same_section(old, new) else ("moved", "place")
    how = judge(old, new).difference
    if how in ("spacing", "hyphenation", "numbering"):
        return "form", how
    return ("moved", how) if how == "place" else ("changed", how)
