"""Samples of outputs that people rate, and what each of them said: overwritten until the rater has finished."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import func
from sqlmodel import col, select

from curator.domain.ratings import Drawn, Item, Person, Said, Sampled
from curator.errors import InputError
from curator.store.bulk import insert_rows
from curator.store.database import Transaction
from curator.store.rating_tables import RaterRow, RatingItemRow, RatingRow, RatingSampleRow
from curator.store.tables import ReleaseCaseRow


def add(
    tx: Transaction, *, suite: str, version: str, run: str, system: str, run_sha256: str, seed: int,
    strata: Sequence[Drawn], items: Sequence[Item],
) -> int:  # fmt: skip
    """Keep a sample with its outputs, drawn by the acting person; gives its number."""
    number = int(tx.session.execute(select(func.coalesce(func.max(RatingSampleRow.id), 0))).scalar_one()) + 1
    facts = {"suite": suite, "version": version, "run": run, "seed": seed, "cases": len(items)}
    seq = tx.log.append("rating", str(number), "drawn", data=facts)
    tx.session.add(
        RatingSampleRow(
            id=number, seq=seq, suite=suite, version=version, run=run, system=system, run_sha256=run_sha256, seed=seed,
            actor=tx.log.actor, at=tx.log.at, strata=json.dumps([s.model_dump(mode="json") for s in strata]),
        )
    )  # fmt: skip
    tx.session.flush()
    rows = [{**i.model_dump(exclude={"earlier"}), "sample": number, "earlier": _text(i.earlier)} for i in items]
    insert_rows(tx.session, RatingItemRow, rows)
    return number


def _text(value: Sequence[str]) -> str:
    return json.dumps(list(value), ensure_ascii=False)


def samples(tx: Transaction, suite: str = "", version: str = "") -> list[Sampled]:
    """The samples of a release, of a suite or all, in order."""
    query = select(RatingSampleRow).order_by(col(RatingSampleRow.id))
    if suite:
        query = query.where(RatingSampleRow.suite == suite)
    if version:
        query = query.where(RatingSampleRow.version == version)
    rows = list(tx.session.exec(query))
    people = _people(tx, [r.id for r in rows])
    return [_sampled(row, people.get(row.id, [])) for row in rows]


def sample(tx: Transaction, number: int) -> Sampled:
    """A sample by its number.

    Raises:
        InputError: There is none.
    """
    row = tx.session.get(RatingSampleRow, number)
    if row is None:
        raise InputError(f"there is no sample {number}", "`curator sample-review list` shows them")
    return _sampled(row, _people(tx, [number]).get(number, []))


def _sampled(row: RatingSampleRow, people: Sequence[Person]) -> Sampled:
    strata = tuple(Drawn.model_validate(s) for s in json.loads(row.strata))
    return Sampled(
        sample=row.id, suite=row.suite, version=row.version, run=row.run, system=row.system,
        run_sha256=row.run_sha256, seed=row.seed, drawn_at=row.at, drawn_by=row.actor,
        cases=sum(s.drawn for s in strata), strata=strata,
        raters=tuple(sorted(p.actor for p in people if p.finished_at)),
        unfinished=sum(not p.finished_at and bool(p.begun_at) for p in people),
    )  # fmt: skip


def _people(tx: Transaction, numbers: Sequence[int]) -> dict[int, list[Person]]:
    found: dict[int, list[Person]] = {}
    for row in tx.session.exec(select(RaterRow).where(col(RaterRow.sample).in_(numbers))):
        found.setdefault(row.sample, []).append(_person(row))
    return found


def _person(row: RaterRow) -> Person:
    return Person(actor=row.actor, begun_at=row.begun_at, finished_at=row.finished_at, saw_at=row.saw_at)


def items(tx: Transaction, number: int) -> list[Item]:
    """The outputs of a sample, in the order in which they are rated."""
    query = select(RatingItemRow).where(RatingItemRow.sample == number).order_by(col(RatingItemRow.place))
    return [
        Item(
            place=r.place, case_id=r.case_id, side=r.side, length_stratum=r.length_stratum, behavior=r.behavior,
            output=r.output, earlier=tuple(json.loads(r.earlier)),
        )
        for r in tx.session.exec(query)
    ]  # fmt: skip


def sides(tx: Transaction, number: int) -> list[tuple[str, str]]:
    """Case and partition of each output of a sample, in order; the texts are not read."""
    query = select(RatingItemRow.case_id, RatingItemRow.side).where(RatingItemRow.sample == number)
    return [(name, side) for name, side in tx.session.exec(query.order_by(col(RatingItemRow.place)))]


def released_line(tx: Transaction, sampled: Sampled, case_id: str) -> dict[str, Any]:
    """The canonical line of a case, as the version that was sampled has it.

    Raises:
        InputError: It has no such case.
    """
    row = tx.session.get(ReleaseCaseRow, (sampled.suite, sampled.version, case_id))
    if row is None:
        raise InputError(f"{sampled.suite} {sampled.version} has no case {case_id}", "draw another sample")
    line: dict[str, Any] = json.loads(row.line)
    return line


def said(tx: Transaction, number: int, actor: str = "") -> list[Said]:
    """What was said of the outputs of a sample, by one person or by all; half-said ones too; by case and person."""
    query = select(RatingRow).where(RatingRow.sample == number)
    if actor:
        query = query.where(RatingRow.actor == actor)
    rows = tx.session.exec(query.order_by(col(RatingRow.case_id), col(RatingRow.actor)))
    return [Said.model_validate(r.model_dump(exclude={"sample"})) for r in rows]


def say(tx: Transaction, number: int, case_id: str, actor: str, **values: Any) -> None:
    """Put what a person says of an output over what they said before: completeness, accuracy, note."""
    row = tx.session.get(RatingRow, (number, case_id, actor))
    row = row or RatingRow(sample=number, case_id=case_id, actor=actor, at=tx.log.at)
    for name, value in values.items():
        setattr(row, name, value)
    row.at = tx.log.at
    data = {"case": case_id, "rater": actor, **{k: v for k, v in values.items() if k != "note"}}
    tx.log.append("rating", str(number), "rated", data=data)
    tx.session.add(row)
    tx.session.flush()


def person(tx: Transaction, number: int, actor: str) -> Person:
    """How far a person is with a sample."""
    row = tx.session.get(RaterRow, (number, actor))
    return _person(row) if row is not None else Person(actor=actor)


def stand(tx: Transaction, number: int, actor: str, verb: str, **columns: str) -> None:
    """Write how far a person is: begun_at, finished_at, saw_at; `verb` is what the event says."""
    row = tx.session.get(RaterRow, (number, actor)) or RaterRow(sample=number, actor=actor, begun_at="")
    for name, value in columns.items():
        setattr(row, name, value)
    tx.log.append("rating", str(number), verb, data={"rater": actor})
    tx.session.add(row)
    tx.session.flush()
