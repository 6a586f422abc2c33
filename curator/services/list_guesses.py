"""A behavior that only the wording of an imported list suggests becomes the label when a person accepts it.

The suggestion stands in the case as an attribute and is never counted as a label; what is accepted here is a decision
of the acting person, in their name, and taken back as one.
"""

from __future__ import annotations

from collections.abc import Sequence

from curator.domain.case import BEHAVIORS, Case, CaseRecord
from curator.domain.hints import suggested_behavior, without_behavior
from curator.services.blind import hidden_of
from curator.services.cases import rewrite
from curator.services.changing import Changed
from curator.services.context import Context
from curator.services.stored_form import at_the_door
from curator.store import cases
from curator.store.bulk import parts


def accept(ctx: Context, names: Sequence[str]) -> tuple[Changed, ...]:
    """Make the suggested behavior of cases their expected one: one decision, one transaction, taken back as one.

    What a refusal cited as required becomes a distractor, as in a list that says itself that it refuses; a reason to
    refuse, or whom to hand over to, is left for the person. A case for which nothing is suggested is `same`; one that
    is retired, or whose labels are hidden from who acts, is a conflict.

    Raises:
        InputError: There is no case of an id; nothing was changed.
        UsageError: Who acts may not edit.
    """
    done: dict[str, Changed] = {}
    with ctx.write() as tx:
        for part in parts(list(dict.fromkeys(names)), 100):
            records = cases.get_many(tx, part)
            hidden = hidden_of(ctx, tx, records.values())
            edits: list[tuple[CaseRecord, Case]] = []
            for name, record in records.items():
                case, why = accepted(record.case), ""
                if record.status == "retired":
                    why = "it is retired"
                elif name in hidden:
                    why = "its labels are hidden from you until both are in"
                outcome = "conflict" if why else "same" if case == record.case else "done"
                done[name] = Changed(case_id=name, outcome=outcome, status=record.status, reason=why)
                edits += [(record, case)] if outcome == "done" else []
            for record in rewrite(ctx, tx, edits):
                done[record.case.id] = done[record.case.id].model_copy(update={"status": record.status})
    return tuple(done.values())


def accepted(case: Case) -> Case:
    """The case with the suggested behavior as its own; as it is when none is suggested."""
    kind = suggested_behavior(case).partition(":")[0].strip()
    behavior = next((b for b in BEHAVIORS if b == kind), None)
    if behavior is None:
        return case
    evidence = case.evidence
    if behavior == "refuse":
        evidence = tuple(e.model_copy(update={"role": "distractor"}) if e.role == "required" else e for e in evidence)
    changed = case.model_copy(update={"expected_behavior": behavior, "evidence": evidence})
    return at_the_door(without_behavior(changed))
