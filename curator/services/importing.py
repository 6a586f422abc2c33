"""Import of cases in canonical form. What a release derives (strata, approvals, hashes) is derived here again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pydantic.alias_generators import to_camel

from curator.domain.canonical import Written, written
from curator.domain.case import PARTITIONS, Case
from curator.domain.identity import sha256
from curator.errors import InputError
from curator.exporting.line import is_filled
from curator.exporting.read import case_from_line
from curator.progress import Progress, Silent
from curator.services.blind import hidden_of
from curator.services.cases import require_id
from curator.services.context import Context
from curator.services.report import ImportReport, Rejected
from curator.services.same_files import take_names
from curator.services.stored_form import at_the_door
from curator.store import cases, drafts
from curator.store.bulk import PART
from curator.store.cases import NewCase
from curator.store.database import Transaction
from curator.text import counted


def import_cases(
    ctx: Context, rows: Iterable[tuple[int, dict[str, Any] | InputError]], *, dry_run: bool = False,
    progress: Progress | None = None,
) -> ImportReport:  # fmt: skip
    """Take canonical lines as drafts of the acting person, under their own ids; one decision, one transaction.

    A line whose case is here with the same content is `same`; here with other content, it is rejected as a conflict,
    nothing is overwritten, and what the line says becomes a draft of the acting person over that case, or, where it is
    another question under the same id, a draft of a case of its own: both texts are kept. A line that was released
    (approvals > 0) keeps its side, so that a holdout case never becomes a dev case; any other gets its partition at its
    first approval here. A case whose labels are hidden from who acts counts as `same` without being compared, and a
    warning says so.

    Args:
        ctx: Open workspace.
        rows: Row number from 1 and the object, or the error that reading it gave.
        dry_run: Check and count, store nothing.
        progress: One step a row.
    """
    progress = progress or Silent()
    taken = _Taken()
    with ctx.write(keep=not dry_run) as tx:
        waiting: list[_Row] = []
        for number, row in rows:
            progress.checkpoint()
            try:
                waiting.append(_read(number, row, taken.seen))
            except InputError as error:
                taken.rejected.append(Rejected(row=number, reason=str(error)))
            if len(waiting) == PART:
                _take(ctx, tx, waiting, taken)
                waiting.clear()
            progress.advance()
        _take(ctx, tx, waiting, taken)
    rejected = tuple(sorted(taken.rejected, key=lambda r: r.row))
    said = (
        counted(taken.hidden, "of them is", "of them are") + " in review, and not compared: labels are hidden from you"
    )
    warnings: tuple[str, ...] = (said,) if taken.hidden else ()
    if taken.kept:
        warnings += (f"{counted(taken.kept, 'of these versions waits', 'of these versions wait')} as a draft of yours",)
    warnings += tuple(
        f"{own} is the same file as {name}: it is cited under that name too" for name, own in taken.names.items()
    )
    return ImportReport(new=taken.new, same=taken.same, rejected=rejected, warnings=warnings)


@dataclass
class _Taken:
    """What an import has come to so far; `hidden` are those counted as the same without a look.

    `kept`: versions that are drafts now; `drafts`: keys of the drafts that the acting person has, None = not asked yet.
    """

    new: int = 0
    same: int = 0
    hidden: int = 0
    kept: int = 0
    drafts: dict[str, Case] | None = None
    names: dict[str, str] = field(default_factory=dict)
    rejected: list[Rejected] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)


class _Row(NamedTuple):
    number: int
    new: NewCase


def _read(number: int, row: dict[str, Any] | InputError, seen: set[str]) -> _Row:
    """The case of a row, checked by itself and against the rows before it."""
    if isinstance(row, InputError):
        raise row
    case = case_from_line(row)
    case = case if is_filled(case) else at_the_door(case)
    if not case.id:
        raise InputError("the line has no id", "canonical lines carry their ids")
    require_id(case.id)
    if case.id in seen:
        raise InputError(f"duplicate: {case.id} stands twice in this file")
    seen.add(case.id)
    made, given = written(case), row.get("contentHash", "")
    if given and given != made.digest:
        raise InputError(f"{case.id}: contentHash does not fit the content", 'edited by hand? set it to ""')
    version, side = _standing(case.id, row)
    return _Row(number, NewCase(made, imported=True, case_version=version, side=side))


def _take(ctx: Context, tx: Transaction, rows: Sequence[_Row], taken: _Taken) -> None:
    """Store the rows whose cases are not here, and compare the others with what is.

    A case whose labels are hidden from who acts is not compared: a guess would be told to be right or wrong.
    """
    here = cases.contents(tx, [r.new.written.case.id for r in rows])
    fresh = [r.new for r in rows if r.new.written.case.id not in here]
    taken.names |= take_names(tx, [r.new.written.case for r in rows])
    cases.add_many(tx, fresh, verb="imported")
    taken.new += len(fresh)
    others = cases.get_many(tx, cases.open_of_others(tx, here, tx.log.actor))
    hidden = hidden_of(ctx, tx, others.values())
    for number, new in rows:
        if (name := new.written.case.id) in here:
            if name in hidden:
                taken.same += 1
                taken.hidden += 1
            elif why := _difference(new.written, here[name]):
                taken.rejected.append(Rejected(row=number, reason=why))
                _keep_beside(tx, new.written, taken)
            else:
                taken.same += 1


def _keep_beside(tx: Transaction, theirs: Written, taken: _Taken) -> None:
    """Keep a version that is another one here as a draft, once; a draft that is there already stays."""
    if taken.drafts is None:
        taken.drafts = {d.case_id: d.case for d in drafts.of(tx, tx.log.actor)}
    case = theirs.case
    record = cases.get(tx, case.id)
    over = record.case.turns == case.turns and taken.drafts.get(case.id, case) == case
    alone = case.model_copy(update={"id": ""})
    key = case.id if over else f"new {sha256(theirs.text.encode())[:12]}"
    if key not in taken.drafts:
        drafts.keep(tx, case if over else alone, key, record.version if over else 0)
        taken.drafts[key] = case if over else alone
    taken.kept += 1


def _standing(name: str, row: dict[str, Any]) -> tuple[int, str]:
    """Case version, and the side of a line that was released ("" when it was not)."""
    version, approvals, partition = (
        row.get(k, d) for k, d in (("caseVersion", 1), ("approvals", 0), ("partition", ""))
    )
    if type(version) is not int or version < 1:
        raise InputError(f"{name}: caseVersion is no number from 1", "correct the line and import it again")
    if type(approvals) is not int or approvals < 0:
        raise InputError(f"{name}: approvals is no number", "correct the line and import it again")
    if partition not in ("", *PARTITIONS):
        raise InputError(
            f"{name}: partition is none of {', '.join(PARTITIONS)}", "correct the line and import it again"
        )
    return version, partition.removeprefix("followup_") if approvals else ""


def _difference(new: Written, content: str) -> str:
    """Why a case is not the one whose content is here; "" = it is."""
    case = new.case
    if new.text == content or (here := Case.model_validate_json(content)) == case:
        return ""
    changed = [to_camel(k) for k, v in case if v != getattr(here, k)]
    error = InputError(
        f"{case.id} is here with another {changed[0]}", "nothing was overwritten; compare the two and edit the case"
    )
    return str(error)
