"""Folds: made after each import, opened, asked about, undone; suggestions of what may be the same."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeVar

from curator.domain.model import Model
from curator.errors import Conflict, InputError
from curator.matching import embedding, suggesting
from curator.matching.folding import FoldIndex, Wording
from curator.progress import Progress, Silent
from curator.services.context import Context
from curator.store import failures, folding
from curator.store.database import Transaction

_PART = 2000
Row = TypeVar("Row")


class FoldMember(Model):
    """One wording of a fold: how many failures have it, and how like the middle it is, 0 to 100."""

    wording: int
    question: str
    uses: int
    ratio: float
    is_middle: bool


class Fold(Model):
    """A fold, opened: its wordings, the commonest first, and the failures in it."""

    id: int
    size: int
    members: tuple[FoldMember, ...]
    failures: tuple[str, ...]


class Ask(Model):
    """Two folds that are nearly the same in wording: a person says whether they are."""

    one: int
    other: int
    question: str
    other_question: str
    likeness: float
    by: Literal["wording", "words", "meaning"]


def fold_new(ctx: Context, progress: Progress | None = None) -> tuple[int, int]:
    """Fold the wordings that no import has folded yet; gives how many failures were folded and how many pairs asked.

    Work grows with the distinct wordings; the middles of earlier folds are read back with their buckets.
    """
    progress = progress or Silent()
    with ctx.db.read() as tx:
        new = [Wording(*row) for row in folding.unplaced(tx)]
        if not new:
            return 0, 0
        progress.stage("folding", len(new))
        index = FoldIndex()
        index.learn(_looked_through(folding.texts(tx), progress))
        for number, text, bands in _looked_through(folding.middles(tx), progress):
            index.restore(number, text, bands)
    uses = {w.number: w.uses for w in new}
    folded = asked = 0
    rows: list[dict[str, Any]] = []
    for n, verdict in enumerate(index.add(new), 1):
        if n % 200 == 0:
            progress.checkpoint()
            progress.advance(200)
        folded += uses[verdict.number] if verdict.into != verdict.number else uses[verdict.number] - 1
        asked += verdict.ask > 0
        rows.append(
            {
                "number": verdict.number, "into": verdict.into, "like": verdict.ratio, "asked": verdict.ask,
                "asked_like": verdict.ask_ratio, "keys": verdict.bands,
            }
        )  # fmt: skip
    rows.sort(key=lambda row: row["number"])  # in the order of the table: neighbors are written together
    for start in range(0, len(rows), _PART):
        progress.checkpoint()
        with ctx.write() as tx:
            folding.place(tx, rows[start : start + _PART])
    return folded, asked


def _looked_through(rows: Iterable[Row], progress: Progress) -> Iterator[Row]:
    for n, row in enumerate(rows):
        if n % 1000 == 0:
            progress.checkpoint()
        yield row


def opened(ctx: Context, fold: int) -> Fold:
    """A fold with its wordings and failures.

    Raises:
        InputError: There is none.
    """
    with ctx.db.read() as tx:
        found = folding.of_fold(tx, fold)
        if not found:
            raise InputError(f"there is no fold {fold}", "see `curator failures list`")
        names = folding.failures_of(tx, fold)
    members = tuple(
        FoldMember(wording=w.number, question=w.question, uses=w.uses, ratio=w.ratio, is_middle=w.number == fold)
        for w in found
    )
    return Fold(id=fold, size=sum(w.uses for w in found), members=members, failures=tuple(names))


def unfold(ctx: Context, wordings: Sequence[int]) -> None:
    """Take wordings out of the fold that they are in: each stands alone, and no later import folds it again.

    Raises:
        InputError: There is no such wording.
        Conflict: One is the middle of its fold; take the others out instead.
    """
    with ctx.write() as tx:
        known = folding.by_number(tx, wordings)
        for number in wordings:
            if number not in known:
                raise InputError(f"there is no wording {number}", "open the fold to see its wordings")
            if known[number].fold == number:
                raise Conflict(f"wording {number} is the middle of its fold", "take the others out of it")
            folding.judge(tx, number, known[number].fold, "different", {number: (number, 1)}, verb="unfolded")


def judge(ctx: Context, one: int, other: int, verdict: Literal["same", "different"]) -> None:
    """What a person says of two folds: the same folds the smaller into the larger, and can be undone with `unfold`.

    Raises:
        InputError: There is no such fold.
    """
    with ctx.write() as tx:
        known = folding.by_number(tx, [one, other])
        if one not in known or other not in known:
            raise InputError(f"there are no folds {one} and {other}", "see `curator failures asked`")
        places: dict[int, tuple[int, int]] = {}
        a, b = known[one].fold, known[other].fold
        if verdict == "same" and a != b:
            sizes = failures.fold_sizes(tx, [a, b])
            into, gone = (a, b) if sizes.get(a, 0) >= sizes.get(b, 0) else (b, a)
            places = {w.number: (into, 0) for w in folding.of_fold(tx, gone)}
        folding.judge(tx, one, other, verdict, places)


def turn(tx: Transaction, event: Mapping[str, Any], verb: Literal["undone", "redone"]) -> None:
    """Take back what was said of two folds, or say it again.

    Raises:
        Conflict: Their wordings have been moved since.
    """
    if "after" not in event["data"] or not folding.turn(tx, event, verb):
        raise Conflict(f"the folds {event['entityId']} were changed since then", "open the fold and change it there")


def asked(ctx: Context, *, limit: int = 200) -> list[Ask]:
    """Pairs whose wording is nearly the same and of which nobody has said anything, the likest first."""
    with ctx.db.read() as tx:
        pairs = folding.asked(tx, limit=limit)
    return [
        Ask(
            one=a.number,
            other=b.number,
            question=a.question,
            other_question=b.question,
            likeness=a.ask_ratio / 100,
            by="wording",
        )
        for a, b in pairs
    ]


def suggested(
    ctx: Context, *, semantic: bool | None = None, limit: int = 200, progress: Progress | None = None
) -> list[Ask]:
    """Pairs of folds that may ask the same in other words, the likest first. Only suggested: nothing is folded by it.

    Args:
        ctx: Open workspace.
        semantic: Compare by meaning as well; None = where the extra is installed. Call it from a worker.
        limit: Most pairs.
        progress: Its checkpoint may stop it.
    """
    progress = progress or Silent()
    with ctx.db.read() as tx:
        questions = folding.representatives(tx, limit=20_000)
        said = folding.verdicts(tx)
    found = {(s.one, s.other): s for s in suggesting.by_words(questions)}
    if embedding.available() if semantic is None else semantic:
        model = embedding.packaged()
        known = {n: q for n, q in questions.items() if model.knows(q)}

        def vectors(texts: Sequence[str]) -> list[tuple[float, ...]]:
            encoded = model.encode(texts, progress.checkpoint)
            return [struct.unpack(f"<{len(v) // 4}f", v) for v in encoded]

        for s in suggesting.by_meaning(known, vectors):
            found.setdefault((s.one, s.other), s)
    open_pairs = [s for pair, s in found.items() if pair not in said and pair[::-1] not in said]
    ranked = sorted(open_pairs, key=lambda s: (-s.likeness, s.one, s.other))[:limit]
    return [
        Ask(
            one=s.one, other=s.other, question=questions[s.one], other_question=questions[s.other], likeness=s.likeness,
            by="meaning" if s.by == "meaning" else "words",
        )
        for s in ranked
    ]  # fmt: skip
