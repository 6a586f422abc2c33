"""Rating outputs: what a rater is shown, what they say, and when they have finished. Nobody sees what others said."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from curator.domain.actors import ACTOR_ID, ALLOWED
from curator.domain.case import HIDDEN_PARTITIONS, Evidence
from curator.domain.model import Model
from curator.domain.ratings import HIGHEST, LOWEST, Item, Said, Sampled
from curator.errors import CheckFailed, Conflict, InputError, UsageError
from curator.privacy.finding import is_hard
from curator.services.context import Context
from curator.services.privacy import detector_for
from curator.store import ledger, ratings
from curator.store.database import Transaction
from curator.text import clean


class Sheet(Model):
    """One output to be rated, with everything that it is rated by.

    Attributes:
        turns: What was asked; the last is the question. earlier: what the system said to the turns before.
        expected_behavior: answer, refuse or escalate; behavior: what the system said that it did, "" = not said.
        expected: What a right answer is, in pairs of what and text: the reference answer, why it is refused and so on.
        evidence: What proves it; a row has its table's title and header.
        said: What the acting person has said of it so far.
    """

    sample: int
    case_id: str
    length_stratum: str
    holdout: bool
    turns: tuple[str, ...]
    earlier: tuple[str, ...]
    expected_behavior: str
    expected: tuple[tuple[str, str], ...]
    evidence: tuple[Evidence, ...]
    behavior: str
    output: str
    said: Said


class Task(Model):
    """A sample as one person has it before them.

    Attributes:
        case_ids: The outputs that they may see, in order; kept_back: how many lie in the holdout, which they may not.
        said: What they have said so far, by case.
        finished: Whether they have finished; then nothing is changed any more.
        closed: Why they may not rate it; "" = they may.
    """

    sampled: Sampled
    case_ids: tuple[str, ...]
    kept_back: int
    said: Mapping[str, Said]
    finished: bool
    closed: str = ""

    @property
    def rated(self) -> int:
        """How many are rated in both measures."""
        return sum(s.whole for s in self.said.values())


class Finished(Model):
    """What a person has finished with: outputs rated, and left out by them."""

    sample: int
    rated: int
    unrated: int


def task(ctx: Context, number: int) -> Task:
    """A sample as the acting person has it before them; no text of it is shown yet.

    Raises:
        InputError: There is no such sample.
        UsageError: It is not known who acts.
    """
    ctx.actor()
    with ctx.db.read() as tx:
        return _task(ctx, tx, ratings.sample(tx, number))


def waiting(ctx: Context, tx: Transaction) -> tuple[Task, ...]:
    """The samples that the acting person, who may rate, could rate and has not finished, oldest first."""
    found = [_task(ctx, tx, sampled) for sampled in ratings.samples(tx)]
    return tuple(t for t in found if not t.closed and not t.finished and t.case_ids)


def _task(ctx: Context, tx: Transaction, sampled: Sampled) -> Task:
    items = ratings.sides(tx, sampled.sample)
    mine = {s.case_id: s for s in ratings.said(tx, sampled.sample, ctx.actor_id)}
    person = ratings.person(tx, sampled.sample, ctx.actor_id)
    shown = tuple(name for name, side in items if _sees(ctx, side))
    why = "" if ctx.actor().may("review") else "your role does not rate"
    if person.saw_at and not person.finished_at:
        why = "you have seen its results"
    return Task(
        sampled=sampled, case_ids=shown, kept_back=len(items) - len(shown), said=mine,
        finished=bool(person.finished_at), closed=why,
    )  # fmt: skip


def _sees(ctx: Context, side: str) -> bool:
    return side not in HIDDEN_PARTITIONS or ctx.actor().may("holdout")


def sheet(ctx: Context, number: int, case_id: str, *, again: bool = False) -> Sheet:
    """What is shown to rate one output. Of a holdout case this is a look, which the ledger keeps.

    Args:
        ctx: Open workspace.
        number: Of the sample.
        case_id: One of its cases.
        again: It was shown a moment ago to the same person, who turns back to it: no second look.

    Raises:
        InputError: There is no such sample, or no such case in it.
        UsageError: It lies in the holdout, which is a lead's; or who acts does not rate.
    """
    ctx.actor("review")
    with ctx.db.read() as tx:
        sampled = ratings.sample(tx, number)
        item = _item(ctx, tx, number, case_id)
        line = ratings.released_line(tx, sampled, case_id)
        said = next((s for s in ratings.said(tx, number, ctx.actor_id) if s.case_id == case_id), None)
    holdout = item.side in HIDDEN_PARTITIONS
    if holdout and not again:
        with ctx.write("review") as tx:
            ledger.add(tx, "ratings", suite=sampled.suite, version=sampled.version, case_id=case_id,
                       reason=f"sample {number}")  # fmt: skip
    return Sheet(
        sample=number, case_id=case_id, length_stratum=item.length_stratum, holdout=holdout, turns=line["turns"],
        earlier=item.earlier, expected_behavior=line["expectedBehavior"], expected=_expected(line),
        evidence=tuple(Evidence.model_validate(e) for e in line["evidence"]), behavior=item.behavior,
        output=item.output, said=said or Said(case_id=case_id, actor=ctx.actor_id),
    )  # fmt: skip


def _expected(line: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """What a right answer is, in words; the mandatory provisions first, as an expert counts what is missing."""
    provisions = sorted(line["keyProvisions"], key=lambda p: not p["mandatory"])
    told = [
        ("reference answer", line["referenceAnswer"]),
        *(("also right", text) for text in line["acceptableAnswers"]),
        ("refuses because", line["refusalReason"].replace("_", " ")),
        ("escalates to", line["escalateTo"]),
        ("escalates when", line["escalateWhen"]),
        *((("must say" if p["mandatory"] else "may say"), f"{p['text']}  [{p['citation']}]") for p in provisions),
        *(("must not claim", text) for text in line["mustNotClaim"]),
    ]
    return tuple((what, text) for what, text in told if text)


def _item(ctx: Context, tx: Transaction, number: int, case_id: str) -> Item:
    item = next((i for i in ratings.items(tx, number) if i.case_id == case_id), None)
    if item is None:
        raise InputError(f"sample {number} has no case {case_id}", f"`curator sample-review show {number}` lists them")
    if not _sees(ctx, item.side):
        raise UsageError(f"{case_id} lies in the holdout, which a lead rates", "rate the others")
    return item


def rate(
    ctx: Context, number: int, case_id: str, *, completeness: int = 0, accuracy: int = 0, note: str | None = None
) -> Said:
    """Say of an output how complete and accurate it is; what was said before is replaced, until one has finished.

    Args:
        ctx: Open workspace; the acting person may review.
        number: Of the sample.
        case_id: One of its cases.
        completeness: 1 to 5; 0 = as it was.
        accuracy: 1 to 5; 0 = as it was.
        note: Why; None = as it was.

    Raises:
        InputError: There is no such sample, or no such case in it.
        UsageError: No number from 1 to 5; or a holdout case, which is a lead's.
        CheckFailed: The note holds personal data.
        Conflict: The person has finished, or has seen the results.
    """
    for value in (completeness, accuracy):
        if value and not LOWEST <= value <= HIGHEST:
            raise UsageError(f"a rating is {LOWEST} to {HIGHEST}, not {value}", "5 is the best")
    values: dict[str, Any] = {k: v for k, v in (("completeness", completeness), ("accuracy", accuracy)) if v}
    if note is not None:
        values["note"] = checked_note(ctx, note)
    if not values:
        raise UsageError("nothing is said", "add --completeness and --accuracy")
    with ctx.write("review") as tx:
        ratings.sample(tx, number)
        _item(ctx, tx, number, case_id)
        begin(tx, number, tx.log.actor)
        ratings.say(tx, number, case_id, tx.log.actor, **values)
        return next(s for s in ratings.said(tx, number, tx.log.actor) if s.case_id == case_id)


def begin(tx: Transaction, number: int, actor: str) -> None:
    """Note that a person rates a sample.

    Raises:
        Conflict: They have finished, or have seen the results.
    """
    person = ratings.person(tx, number, actor)
    if person.finished_at:
        raise Conflict(f"{actor} has finished sample {number}", "draw another with another --seed")
    if person.saw_at:
        raise Conflict(f"{actor} has seen the results of sample {number}", "who has seen them rates no more of it")
    if not person.begun_at:
        ratings.stand(tx, number, actor, "begun", begun_at=tx.log.at)


def checked_note(ctx: Context, note: str) -> str:
    """A note as it is stored.

    Raises:
        CheckFailed: It holds personal data.
    """
    text = clean(note.strip())[0]
    found = [f for f in detector_for(ctx, names=False).find(text) if is_hard(f.kind)] if text else []
    if found:
        raise CheckFailed(f"the note holds {found[0].kind.replace('_', ' ')}", "say it without")
    return text


def finish(ctx: Context, number: int) -> Finished:
    """Say that one has finished: the ratings count from now on, and stay as they are.

    Raises:
        InputError: There is no such sample.
        Conflict: The person has finished before, or has rated nothing in both measures.
    """
    with ctx.write("review") as tx:
        sampled = ratings.sample(tx, number)
        return close(ctx, tx, sampled, tx.log.actor)


def close(ctx: Context, tx: Transaction, sampled: Sampled, actor: str) -> Finished:
    """As `finish`, for a person, in an open transaction."""
    number = sampled.sample
    if ratings.person(tx, number, actor).finished_at:
        raise Conflict(f"{actor} has finished sample {number}", "its ratings stay as they are")
    whole = [s for s in ratings.said(tx, number, actor) if s.whole]
    if not whole:
        raise Conflict(f"{actor} has rated nothing of sample {number} in both measures", "rate some outputs first")
    ratings.stand(tx, number, actor, "finished", finished_at=tx.log.at)
    sides = [side for _, side in ratings.sides(tx, number)]
    shown = [side for side in sides if side not in HIDDEN_PARTITIONS or sees_holdout(ctx, actor)]
    return Finished(sample=number, rated=len(whole), unrated=len(shown) - len(whole))


def sees_holdout(ctx: Context, actor: str) -> bool:
    """Whether the holdout is open to a person, by their role; where nobody is listed, to anyone."""
    person = ctx.settings.people.get(actor)
    return "holdout" in ALLOWED[person.role] if person else not ctx.settings.people


def may_rate(ctx: Context, actor: str) -> bool:
    """Whether this is somebody who may rate, by their role; where nobody is listed, anyone may."""
    if not ACTOR_ID.fullmatch(actor):
        return False
    person = ctx.settings.people.get(actor)
    return "review" in ALLOWED[person.role] if person else not ctx.settings.people
