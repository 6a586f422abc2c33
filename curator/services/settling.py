"""What follows when reviews change: status, approvals, and the partition at the first approval."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from curator.domain.canonical import case_hash, question_hash
from curator.domain.case import UNVERIFIED, Case, CaseRecord, Status
from curator.domain.identity import sha256
from curator.domain.partition import Assignment, PartitionCase, Tie, assign, leaks
from curator.domain.review import Outcome, Review, Slot, outcome
from curator.errors import Conflict
from curator.matching.near_duplicates import clusters
from curator.matching.wording import wording
from curator.progress import Progress, Silent
from curator.services.context import Context
from curator.services.todays_names import todays_names
from curator.store import cases, reviews
from curator.store.bulk import parts
from curator.store.cases import Change
from curator.store.database import Transaction
from curator.text import folded


def label_of(case: Case, slot: Slot, actor: str, at: str) -> Review:
    """A review that labels the case just as it says."""
    return Review(
        case_id=case.id,
        slot=slot,
        actor=actor,
        at=at,
        expected_behavior=case.expected_behavior,
        expected_source_ids=case.expected_source_ids,
        risk=case.risk,
        refusal_reason=case.refusal_reason,
        content_hash=case_hash(case),
        question_hash=question_hash(case),
    )


def settle(
    ctx: Context, tx: Transaction, names: Sequence[str], progress: Progress | None = None
) -> dict[str, Status]:  # fmt: skip
    """Bring the standing of submitted cases in line with their reviews; give back the status that each has now.

    Cases approved for the first time get their partition together, so that a group is never split by its order.

    Raises:
        Conflict: A case would tie a dev group to a holdout group, or does by what was changed in it.
    """
    progress = progress or Silent()
    outcomes: dict[str, Outcome] = {}
    names_now = todays_names(tx)
    first: list[Described] = []
    again: set[str] = set()
    for part in parts(names):  # cases are read twice, in parts, rather than held all at once
        progress.checkpoint()
        found, submitted = reviews.of_cases(tx, part), cases.submissions(tx, part)
        for name, record in cases.get_many(tx, part).items():
            out = standing_of(ctx, record, found.get(name, []), submitted.get(name, 0))
            outcomes[name] = out
            if out.status == "approved" and not record.side:
                first.append(described(names_now.record(record)))
            elif out.status == "approved" and record.status != "approved":
                again.add(name)
    sides = partition(ctx, tx, first).sides if first else {}
    _require_no_leak(tx, again)
    for part in parts(outcomes):
        progress.checkpoint()
        hashes = cases.approved_hashes(tx, part)
        changes = (
            _settled(record, outcomes[name], hashes[name], sides.get(name, record.side))
            for name, record in cases.get_many(tx, part).items()
        )
        cases.change_many(tx, [c for c in changes if c is not None])
    return {name: out.status for name, out in outcomes.items()}


def _require_no_leak(tx: Transaction, again: set[str]) -> None:
    """Raise when a case that keeps its side, approved again, shares with the other side what must never be split."""
    if not again:
        return
    names = todays_names(tx)
    known = partition_cases(described(names.record(r)) for r in cases.assigned(tx))
    keys = {k for c in known if c.id in again for k in c.ties}
    if found := [tie for tie in leaks(known) if tie.key in keys]:
        both = {tie.key: tie for tie in found}
        raise Tied({c.id: both[k] for c in known if c.id in again for k in c.ties if k in both})


def standing_of(ctx: Context, record: CaseRecord, given: Sequence[Review], submitted: int) -> Outcome:
    """Where a case stands by the reviews given on it; submitted: sequence of its last submission."""
    return outcome(
        record.case, record.author, given, ctx.review_policy, submitted=submitted, content=record.content_hash
    )


def _settled(record: CaseRecord, out: Outcome, approved_hash: str, side: str) -> Change | None:
    """The change that an outcome asks for; None when the case stands so already."""
    flags = tuple(sorted({*record.flags} - {"disputed", UNVERIFIED} | ({"disputed"} if out.disputed else set())))
    columns = {"status": out.status, "flags": flags, "approvals": out.approvals, "confirmed_at": out.confirmed_at}
    verb = {"approved": "approved", "changes_requested": "returned"}.get(out.status, "put in review")
    if out.status == "approved":
        again = bool(approved_hash) and approved_hash != record.content_hash
        columns |= {
            "side": side,
            "approved_hash": record.content_hash,
            "case_version": record.case_version + (1 if again else 0),
        }
    if all(getattr(record, k) == v for k, v in columns.items() if k not in ("approved_hash", "case_version")):
        return None
    return Change(record, verb, columns)


def partition(ctx: Context, tx: Transaction, new: Sequence[Described]) -> Assignment:
    """Sides for cases that have none, by the rule of the workspace.

    Raises:
        Conflict: A case would tie a dev group to a holdout group.
    """
    table, fresh = ctx.settings.partitions, {d.case.id for d in new}
    names = todays_names(tx)
    known = (described(names.record(r)) for r in cases.assigned(tx) if r.case.id not in fresh)
    result = assign(partition_cases(itertools.chain(known, new)), share=table.holdout, seed=table.seed)
    if result.blocked:
        raise Tied({tie.case_id: tie for tie in reversed(result.blocked)})
    return result


def told(tie: Tie) -> tuple[str, str]:
    """Message and next step for a tie between the two sides; it shows no text of a holdout case."""
    kind = tie.key.partition(":")[0]
    return (
        f"{tie.case_id} would tie cases of dev and holdout, such as {tie.other_id} (by {kind})",
        "reword it, or cite another source",
    )


class Tied(Conflict):
    """Cases would tie dev to the holdout; `ties` has them with the first of their ties."""

    def __init__(self, ties: Mapping[str, Tie]) -> None:
        super().__init__(*told(next(iter(ties.values()))))
        self.ties = dict(ties)


class Described(NamedTuple):
    """What partitioning knows of a case by itself, and the texts that near-duplicates are found by.

    Of a follow-up that is its first turn too (`first`, else ""): the same conversation may begin in other words.
    """

    case: PartitionCase
    text: str
    first: str = ""


def partition_cases(found: Iterable[Described]) -> list[PartitionCase]:
    """What partitioning knows of cases, near-duplicates among them too, in order of their ids."""
    ordered = sorted(found, key=lambda d: d.case.id)
    texts = {d.case.id: d.text for d in ordered}
    texts |= {f"{d.case.id}/first": d.first for d in ordered if d.first}
    cluster = clusters(texts)
    made = []
    for case, _, _ in ordered:
        keys = dict.fromkeys(k for n in (case.id, f"{case.id}/first") if (k := cluster.get(n)))
        ties = (*case.ties, *(f"near-duplicate:{key}" for key in keys))
        made.append(case.model_copy(update={"ties": ties}) if keys else case)
    return made


def described(record: CaseRecord) -> Described:
    """What partitioning knows of a case by itself."""
    case = record.case
    required = [e for e in case.evidence if e.role == "required"]
    ties = [f"source:{s}" for s in case.expected_source_ids]
    ties += [f"conversation:{sha256(folded(case.turns[0]).encode())[:16]}"] if case.turns else []
    known = PartitionCase(
        id=case.id,
        ties=tuple(ties),
        documents=tuple(dict.fromkeys(e.document_id for e in required)),
        sections=tuple(dict.fromkeys(f"{e.document_id} / {(e.section_path or ('',))[0]}" for e in required)),
        stratum=f"{case.domain} / {case.expected_behavior}",
        side=record.side,
    )
    turns = [_asked(turn) for turn in case.turns]
    return Described(known, "\n".join(turns), turns[0] if len(turns) > 1 else "")


@lru_cache(maxsize=65_536)
def _asked(turn: str) -> str:
    """A turn as near-duplicates are found by it: greetings, thanks and sentences about a person put aside."""
    return wording(turn) or turn
