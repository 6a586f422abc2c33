"""The same change on many cases: one decision, one transaction, taken back as one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from curator.domain.case import Case, CaseRecord, Difficulty
from curator.domain.model import Model
from curator.errors import UsageError
from curator.progress import Progress, Silent
from curator.services.cases import rewrite
from curator.services.context import Context
from curator.services.stored_form import at_the_door
from curator.store import cases
from curator.store.bulk import parts

STEP = 100
"""Cases between two looks at whether to stop: some 50 ms."""


class Changed(Model):
    """What became of one case: done, same (it was so already), or conflict, with the reason."""

    case_id: str
    outcome: Literal["done", "same", "conflict"]
    status: str
    reason: str = ""


def change_many(
    ctx: Context,
    names: Sequence[str],
    *,
    add_tags: Sequence[str] = (),
    remove_tags: Sequence[str] = (),
    domain: str = "",
    document_type: str = "",
    route: str = "",
    difficulty: Difficulty | Literal[""] = "",
    versions: Mapping[str, int] | None = None,
    progress: Progress | None = None,
) -> tuple[Changed, ...]:
    """Change tags and the fields that say where a case belongs, on many cases; "" and () leave a field as it is.

    None of it touches what is expected of a system, so that a case keeps its status. New tags come after the others. A
    case that is retired, or was saved since it was opened, is a conflict; the others are changed all the same.

    Args:
        ctx: Open workspace.
        names: Ids of the cases; each counts once.
        add_tags: Tags that they shall have.
        remove_tags: Tags that they shall not have.
        domain: Of all of them from now on.
        document_type: See domain.
        route: See domain.
        difficulty: See domain.
        versions: The version at which a person opened a case, by id, where that is known.
        progress: How many are done; its checkpoint may stop it, and then nothing was changed.

    Raises:
        UsageError: Nothing is asked for, a tag is empty, or one shall be both added and removed.
        InputError: There is no case of an id; nothing was changed.
        Conflict: What follows from a change in its reviews would tie dev to holdout; nothing was changed.
    """
    fields: dict[str, Any] = {
        "domain": domain,
        "document_type": document_type,
        "route": route,
        "difficulty": difficulty,
    }
    fields = {name: value for name, value in fields.items() if value}
    _require_sense(add_tags, remove_tags, fields)
    done: dict[str, Changed] = {}
    progress = progress or Silent()
    wanted = list(dict.fromkeys(names))
    progress.stage("change cases", len(wanted))
    with ctx.write() as tx:
        for part in parts(wanted, STEP):
            progress.checkpoint()
            edits: list[tuple[CaseRecord, Case]] = []
            for name, record in cases.get_many(tx, part).items():
                kept = [t for t in record.case.tags if t not in remove_tags]
                tags = tuple(dict.fromkeys((*kept, *add_tags)))
                case = at_the_door(record.case.model_copy(update={**fields, "tags": tags}))
                opened = (versions or {}).get(name, record.version)
                done[name] = _judged(record, case, opened)
                if done[name].outcome == "done":
                    edits.append((record, case))
            for record in rewrite(ctx, tx, edits):
                done[record.case.id] = done[record.case.id].model_copy(update={"status": record.status})
            progress.advance(len(part))
        progress.checkpoint()
    return tuple(done.values())


def _require_sense(add: Sequence[str], remove: Sequence[str], fields: dict[str, Any]) -> None:
    if not (add or remove or fields):
        raise UsageError("nothing is to be changed", "name a tag to add or remove, or a domain")
    if not all(t.strip() for t in (*add, *remove)):
        raise UsageError("a tag is empty", "name it, or leave it out")
    if both := [t for t in add if t in remove]:
        raise UsageError(f"the tag {both[0]!a} shall be added and removed", "choose one of the two")


def _judged(record: CaseRecord, case: Case, opened: int) -> Changed:
    def told(outcome: Literal["done", "same", "conflict"], reason: str = "") -> Changed:
        return Changed(case_id=case.id, outcome=outcome, status=record.status, reason=reason)

    if case == record.case:
        return told("same")
    if record.status == "retired":
        return told("conflict", "it is retired")
    if record.version != opened:
        return told("conflict", f"it was saved as version {record.version} since version {opened} was opened")
    return told("done")
