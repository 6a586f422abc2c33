"""Wordings and their folds: what was folded into what, what is asked, and what people said of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import and_, bindparam, case, delete, func, or_, update
from sqlalchemy import select as select_columns
from sqlmodel import col, select

from curator.store.bulk import numbered, parts, table_of
from curator.store.database import Transaction
from curator.store.events import append_undoing
from curator.store.tables import FailureRow, FoldVerdictRow, WordingRow

_columns: Any = select_columns
FOLD: Any = case((col(WordingRow.fold) == 0, col(WordingRow.id)), else_=col(WordingRow.fold))
"""The fold of a wording; one that no import has folded yet, since it was stopped before, stands alone."""


def in_folds(folds: Sequence[int]) -> Any:
    """Condition of the wordings of some folds, in a form for which there are indexes."""
    return or_(col(WordingRow.fold).in_(folds), and_(col(WordingRow.fold) == 0, col(WordingRow.id).in_(folds)))


class StoredWording(NamedTuple):
    """A distinct wording: `fold` is the one that it folds into, itself when it stands alone."""

    number: int
    text: str
    question: str
    uses: int
    fold: int
    ratio: float
    ask: int
    ask_ratio: float
    apart: int


def numbers(tx: Transaction, new: Mapping[bytes, tuple[str, str]]) -> dict[bytes, int]:
    """The numbers of wordings: digest -> (normalised text, a question that has it); new ones are stored, unplaced."""
    return numbered(tx.session, WordingRow, {d: {"text": text, "question": said} for d, (text, said) in new.items()})


def use(tx: Transaction, uses: Mapping[int, int]) -> None:
    """Count further failures of wordings."""
    table = table_of(WordingRow)
    statement = update(table).where(table.c.id == bindparam("number")).values(uses=table.c.uses + bindparam("more"))
    if uses:
        tx.session.connection().execute(statement, [{"number": n, "more": m} for n, m in uses.items()])


def texts(tx: Transaction) -> Iterator[str]:
    """The normalised text of every wording."""
    for (text,) in tx.session.execute(_columns(WordingRow.text).where(WordingRow.uses > 0)):
        yield text


def middles(tx: Transaction) -> Iterator[tuple[int, str, bytes]]:
    """Number, text and buckets of the wordings that others fold into."""
    query = _columns(WordingRow.id, WordingRow.text, WordingRow.bands).where(
        WordingRow.fold == WordingRow.id, WordingRow.bands != b""
    )
    for row in tx.session.execute(query.order_by(col(WordingRow.id))):
        yield tuple(row)


def unplaced(tx: Transaction) -> list[tuple[int, str, int]]:
    """Number, text and uses of wordings that nobody has folded yet."""
    query = _columns(WordingRow.id, WordingRow.text, WordingRow.uses).where(WordingRow.fold == 0, WordingRow.uses > 0)
    return [tuple(r) for r in tx.session.execute(query)]


def place(tx: Transaction, rows: Sequence[dict[str, Any]]) -> None:
    """Store what became of wordings: number, into, ratio, ask, ask_ratio, bands."""
    table = table_of(WordingRow)
    statement = (
        update(table)
        .where(table.c.id == bindparam("number"))
        .values(
            fold=bindparam("into"),
            ratio=bindparam("like"),
            ask=bindparam("asked"),
            ask_ratio=bindparam("asked_like"),
            bands=bindparam("keys"),
        )
    )
    if rows:
        tx.session.connection().execute(statement, list(rows))


def of_fold(tx: Transaction, fold: int) -> list[StoredWording]:
    """The wordings of a fold, the commonest first."""
    query = select(WordingRow).where(in_folds([fold])).order_by(col(WordingRow.uses).desc(), col(WordingRow.id))
    return [_stored(r) for r in tx.session.exec(query)]


def by_number(tx: Transaction, wanted: Iterable[int]) -> dict[int, StoredWording]:
    """Wordings by number."""
    found: dict[int, StoredWording] = {}
    for part in parts(wanted):
        found |= {
            int(r.id or 0): _stored(r) for r in tx.session.exec(select(WordingRow).where(col(WordingRow.id).in_(part)))
        }
    return found


def asked(tx: Transaction, *, limit: int = 200) -> list[tuple[StoredWording, StoredWording]]:
    """Pairs of folds about which a person is asked and nobody has said anything, the likest first."""
    said = select(FoldVerdictRow.one).where(FoldVerdictRow.one == WordingRow.id, FoldVerdictRow.other == WordingRow.ask)
    query = select(WordingRow).where(WordingRow.ask > 0, WordingRow.uses > 0, ~said.exists())
    rows = [
        _stored(r)
        for r in tx.session.exec(query.order_by(col(WordingRow.ask_ratio).desc(), col(WordingRow.id)).limit(limit))
    ]
    others = by_number(tx, {r.ask for r in rows})
    return [(r, others[r.ask]) for r in rows if r.ask in others and others[r.ask].fold != r.fold]


def verdicts(tx: Transaction) -> dict[tuple[int, int], str]:
    """What people said: (wording, wording) -> same or different."""
    return {(r.one, r.other): r.verdict for r in tx.session.exec(select(FoldVerdictRow))}


def judge(
    tx: Transaction, one: int, other: int, verdict: str, places: Mapping[int, tuple[int, int]], *, verb: str = ""
) -> None:
    """Keep what the acting person said of two wordings, over what was said before, and move wordings by it.

    Args:
        tx: Open transaction.
        one: A wording.
        other: The one that it was compared with.
        verdict: same or different.
        places: Wording -> (its fold from now on, whether a person took it out of another).
        verb: Of the event; "" = the verdict.
    """
    before = _standing(tx, one, other, list(places))
    after = {"verdict": verdict, "places": {str(n): list(p) for n, p in places.items()}}
    seq = tx.log.append("fold", f"{one} {other}", verb or verdict, data={"before": before, "after": after})
    _put(tx, one, other, after, seq)


def turn(tx: Transaction, event: Mapping[str, Any], verb: str) -> bool:
    """Take what was said of two wordings back, or say it again; False when they have been moved since."""
    one, other = map(int, event["entityId"].split())
    before, after = event["data"]["before"], event["data"]["after"]
    if _standing(tx, one, other, [int(n) for n in after["places"]]) != after:
        return False
    seq = append_undoing(tx, event, verb, {"before": after, "after": before})
    _put(tx, one, other, before, seq)
    return True


def _standing(tx: Transaction, one: int, other: int, wordings: Sequence[int]) -> dict[str, Any]:
    said = tx.session.get(FoldVerdictRow, (one, other))
    known = by_number(tx, wordings)
    places = {str(n): [known[n].fold, known[n].apart] for n in wordings if n in known}
    return {"verdict": said.verdict if said is not None else "", "places": places}


def _put(tx: Transaction, one: int, other: int, standing: Mapping[str, Any], seq: int) -> None:
    if standing["verdict"]:
        tx.session.merge(FoldVerdictRow(one=one, other=other, verdict=standing["verdict"], seq=seq))
    else:
        tx.session.execute(
            delete(FoldVerdictRow).where(col(FoldVerdictRow.one) == one, col(FoldVerdictRow.other) == other)
        )
    for number, (fold, apart) in standing["places"].items():
        move(tx, [int(number)], fold, apart=bool(apart))
    tx.session.flush()
    tx.session.expire_all()


def move(tx: Transaction, wordings: Sequence[int], fold: int, *, apart: bool = False) -> None:
    """Put wordings into a fold; `apart`: a person took them out of another, so that no import folds them again."""
    for part in parts(wordings):
        tx.session.execute(update(WordingRow).where(col(WordingRow.id).in_(part)).values(fold=fold, apart=int(apart)))


def failures_of(tx: Transaction, fold: int, *, limit: int = 200) -> list[str]:
    """Ids of the failures of a fold, in order; `limit` 0 = all."""
    query = (
        _columns(FailureRow.id)
        .join(WordingRow, col(WordingRow.id) == FailureRow.wording)
        .where(in_folds([fold]))
        .order_by(col(FailureRow.seq))
        .limit(limit or None)
    )
    return [name for (name,) in tx.session.execute(query)]


def representatives(tx: Transaction, *, limit: int = 0) -> dict[int, str]:
    """Fold -> a question as it was asked, for folds with failures that are open and not quarantined."""
    query = (
        _columns(FOLD, func.min(FailureRow.question))
        .join(FailureRow, col(FailureRow.wording) == WordingRow.id)
        .where(FailureRow.quarantined == 0, FailureRow.state == "new")
        .group_by(FOLD)
        .order_by(func.count().desc())
    )
    return dict(tx.session.execute(query.limit(limit) if limit else query).all())


def _stored(row: WordingRow) -> StoredWording:
    number = int(row.id or 0)
    return StoredWording(
        number, row.text, row.question, row.uses, row.fold or number, row.ratio, row.ask, row.ask_ratio, row.apart
    )
