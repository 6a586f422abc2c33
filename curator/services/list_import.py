"""Import of a list of questions that a team keeps: read, mapped, stored in whole parts; the same list again is known.

A part is one transaction, so that other people's saves go on meanwhile. What was stored before a stop stays, and the
same file goes on from there.
"""

from __future__ import annotations

import os
import secrets
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import Field

from curator.domain import hints
from curator.domain.actors import ACTOR_ID, Actor
from curator.domain.canonical import written
from curator.domain.case import UNVERIFIED, Case
from curator.domain.identity import case_id
from curator.domain.list_row import ListCase
from curator.domain.model import Model
from curator.errors import UsageError
from curator.parsing.lists import ListProfile, read
from curator.privacy import Detector, is_hard
from curator.progress import Progress, Silent
from curator.services.context import Context
from curator.services.list_cases import Here, case_of, digests, here
from curator.services.list_reading import Understood, understand
from curator.services.locating import Shelves, locate
from curator.services.privacy import case_texts, detector_for
from curator.services.rejects import write_rejects
from curator.services.report import ImportReport
from curator.services.stored_form import at_the_door
from curator.store import cases, list_rows
from curator.store.bulk import parts
from curator.store.cases import Change, NewCase
from curator.store.database import Transaction
from curator.store.events import Event, as_data
from curator.store.list_rows import Known
from curator.text import counted, one_line

PART = 250
PREVIEW = 5
_MOST_TOLD = 20


class Guess(Model):
    """A behavior that only the wording of a row suggests."""

    row: int
    behavior: str
    because: str


class ListReport(ImportReport):
    """The outcome of an import of a list, or of a dry run of it; rows are numbered as `row_meaning` says.

    Attributes:
        mapping: Column -> field of a case.
        rows_total: Entries of the list.
        cases: Rows that make a case: new, same and changed together.
        unknown_columns: Columns and keys that have no field; the columns are kept as attributes.
        refusals: Rows that must be refused; `escalations`: handed over; both by what the list says, not by a guess.
        suggested: What only the wording of a row suggests, for a person to confirm.
        multi_turn: Rows with turns before the question.
        needs_question: Rows whose question was made from the name of their document.
        unfinished: New cases without a reference answer where one is needed.
        located: New cases whose quotes, pages or places were found in the documents here, and are offered.
        hints: New cases that say something of their evidence.
        personal: New cases with personal data; they are flagged `privacy_open`, which keeps them out of a release.
        approved: New cases that came in as approved; `kept_drafts`: those that could not, and are drafts.
        preview: The first five cases as they are mapped.
        reject_file: Where the rejected rows are listed, "" = none.
    """

    format: str = ""
    encoding: str = ""
    rows_total: int = 0
    cases: int = 0
    unknown_columns: tuple[str, ...] = ()
    refusals: tuple[int, ...] = ()
    escalations: tuple[int, ...] = ()
    suggested: tuple[Guess, ...] = ()
    multi_turn: tuple[int, ...] = ()
    needs_question: tuple[int, ...] = ()
    unfinished: int = 0
    hints: int = 0
    located: int = 0
    personal: int = 0
    approved: int = 0
    kept_drafts: int = 0
    preview: tuple[dict[str, str], ...] = Field(default=())
    reject_file: str = ""


class Approval(NamedTuple):
    """Who had approved a list elsewhere, and why that is taken."""

    by: str
    reason: str


@dataclass
class _State:
    """What an import has come to so far."""

    dry_run: bool
    approval: Approval | None
    new: int = 0
    same: int = 0
    changed: int = 0
    retired: int = 0
    listed: set[bytes] = field(default_factory=set)
    differing: list[str] = field(default_factory=list)
    drafts: Counter[str] = field(default_factory=Counter)
    approved: int = 0
    personal: int = 0
    unfinished: int = 0
    hints: int = 0
    located: int = 0


class _Made(NamedTuple):
    row: ListCase
    case: Case
    known: Known
    private: bool


def import_list(
    ctx: Context,
    path: Path,
    how: ListProfile | None = None,
    *,
    status: Literal["draft", "approved"] = "draft",
    approved_by: str = "",
    reason: str = "",
    dry_run: bool = False,
    look: bool = True,
    progress: Progress | None = None,
) -> ListReport:
    """Take a list as cases of the acting person.

    A row that is here already, by what it asks and answers, is `same`; one that the list calls the same and that says
    something else now is `changed`: nothing is overwritten, a warning names its case.

    Args:
        ctx: Open workspace.
        path: The list.
        how: How it is read; what that leaves open is found in the content.
        status: Of the new cases. Approved ones carry the flag `unverified` and count nowhere until somebody else has
            confirmed them; a row about which something is only guessed stays a draft.
        approved_by: Who had approved the list.
        reason: Why that is taken.
        dry_run: Read, map and count; write nothing.
        look: Look for quotes and places in the documents here, to say how many are found.
        progress: One step a row.

    Raises:
        InputError: It cannot be read.
        UsageError: No column holds the question; an approval without a name, a reason or the role for it; ...
        MissingExtra: A workbook needs one.
    """
    progress = progress or Silent()
    approval = _approval(ctx, status, approved_by, reason)
    if not dry_run:
        ctx.actor("edit")
    progress.stage(f"reading {one_line(os.fsencode(path.name).decode('utf-8', 'replace'), 60)}")
    found = read(path, how, progress)
    understood = understand(found, how or ListProfile(), progress)
    state = _State(dry_run, approval)
    with ctx.db.read() as tx:
        place = here(tx, understood.cases)
    shelves = Shelves.of(ctx) if look and place.documents else None
    progress.stage("importing", len(understood.cases))
    preview: list[dict[str, str]] = []
    detector = detector_for(ctx, names=False, progress=progress)
    keyed = [(row, Known(*digests(row), "")) for row in understood.cases]
    state.listed = {key.asked for _, key in keyed}
    for part in parts(keyed, PART):
        progress.checkpoint()
        fresh = _made(_fresh(ctx, part, state), place, detector)
        shown = [row for row, _ in part[: max(0, PREVIEW - len(preview))]]
        preview += [_shown(row, case_of(row, place)) for row in shown]
        if not dry_run and fresh:
            fresh = _store(ctx, fresh, state)
        _count(fresh, state, shelves, progress)
        progress.advance(len(part))
    return _finished(ctx, found.format, found.encoding, understood, state, preview)


def _approval(ctx: Context, status: str, by: str, reason: str) -> Approval | None:
    if status != "approved":
        if by or reason:
            raise UsageError("an approval is named and the cases are drafts", "add --status approved")
        return None
    if not by or not reason.strip():
        raise UsageError("approved cases need who approved them, and a reason", "add --approved-by ACTOR --reason TEXT")
    if not ACTOR_ID.fullmatch(by):
        raise UsageError(f"{by!a} is no actor id", "use letters, digits and . _ - @")
    people = ctx.settings.people
    if people and (by not in people or not Actor(id=by, role=people[by].role).may("review")):
        known = ", ".join(n for n, p in people.items() if Actor(id=n, role=p.role).may("review"))
        raise UsageError(f"{by} may not approve here", f"those who may, by [people]: {known or 'nobody'}")
    return Approval(by, reason.strip())


def _fresh(ctx: Context, keyed: Sequence[tuple[ListCase, Known]], state: _State) -> list[tuple[ListCase, Known]]:
    """The rows of a part that are not here; the others are counted.

    A row under an id that is here with another answer is a changed one, unless the list still has that answer too.
    """
    with ctx.db.read() as tx:
        here_now = list_rows.known(tx, [k.asked for _, k in keyed], [k.named for _, k in keyed])
        standing = cases.get_many(tx, [k.case_id for k in here_now])
    by_asked = {k.asked: k for k in here_now}
    by_named = {k.named: k for k in here_now if k.asked not in state.listed}
    fresh = []
    for row, key in keyed:
        known = by_asked.get(key.asked) or by_named.get(key.named)
        if known is None:
            fresh.append((row, key))
        elif known.said == key.said:
            state.same += 1
            state.retired += standing[known.case_id].status == "retired"
        else:
            state.changed += 1
            what = "answer" if known.asked != key.asked else "other fields"
            state.differing.append(f"row {row.number}: imported before as {known.case_id}, with another {what}")
    return fresh


def _made(rows: Sequence[tuple[ListCase, Known]], place: Here, detector: Detector) -> list[_Made]:
    """Cases of new rows, in the form in which they are stored, looked through for personal data by the rules."""
    made = [_Made(row, at_the_door(case_of(row, place)), key, private=False) for row, key in rows]
    texts = ["\n\n".join(t for _, t in case_texts(m.case)) for m in made]
    found = detector.find_many(texts)
    return [m._replace(private=any(is_hard(f.kind) for f in some)) for m, some in zip(made, found, strict=True)]


def _count(fresh: Sequence[_Made], state: _State, shelves: Shelves | None, progress: Progress) -> None:
    """What new cases come to; where what they cite lies is only looked for, to say how much is found."""
    state.new += len(fresh)
    for m in fresh:
        state.personal += m.private
        state.unfinished += not m.row.answer and m.row.judged.kind not in ("refuse", "escalate")
        if state.approval is not None:
            why = _why_draft(m)
            state.drafts[why] += bool(why)
            state.approved += not why
        wanted = hints.hints_of(m.case)
        if wanted.any:
            state.hints += 1
            if shelves is not None:
                progress.checkpoint()
                state.located += bool(locate(shelves, m.case, wanted))


def _store(ctx: Context, fresh: Sequence[_Made], state: _State) -> list[_Made]:
    """One part, one transaction. What somebody else imported since it was looked for is theirs."""
    with ctx.write() as tx:
        taken = {k.asked for k in list_rows.known(tx, [m.known.asked for m in fresh], ())}
        state.same += sum(m.known.asked in taken for m in fresh)
        fresh = [m for m in fresh if m.known.asked not in taken]
        named: list[_Made] = []
        for m, name in zip(fresh, _names(tx, fresh), strict=True):
            case = m.case.model_copy(update={"id": name})
            named.append(m._replace(case=case, known=m.known._replace(case_id=name)))
        cases.add_many(tx, [NewCase(written(m.case), imported=True) for m in named], verb="imported")
        list_rows.add(tx, [m.known for m in named])
        _flag(tx, named, state.approval)
    return named


def _names(tx: Transaction, fresh: Sequence[_Made]) -> list[str]:
    """An id for each new case; none of them is here."""
    taken: set[str] = set()
    while True:
        names: list[str] = []
        for m in fresh:
            names.append(case_id(m.case.domain, secrets.randbelow, {*taken, *names} if taken else taken))
        clash = cases.ids(tx, names)
        if not clash and len(set(names)) == len(names):
            return names
        taken |= clash


def _flag(tx: Transaction, made: Sequence[_Made], approval: Approval | None) -> None:
    """Flags of new cases, and the status of those that somebody had approved; who, and why, stands in the history."""
    changes, approvals = [], []
    records = cases.get_many(tx, [m.case.id for m in made if m.private or approval is not None])
    for m in made:
        flags = ["privacy_open"] if m.private else []
        approved = approval is not None and not _why_draft(m)
        if approved:
            flags.append(UNVERIFIED)
        if flags:
            columns = {"flags": tuple(sorted(flags)), **({"status": "approved"} if approved else {})}
            changes.append(Change(records[m.case.id], "imported as approved" if approved else "flagged", columns))
        if approved and approval is not None:
            data = as_data({"by": approval.by, "reason": approval.reason})
            approvals.append(Event("case", m.case.id, "approved elsewhere", data=data))
    cases.change_many(tx, changes)
    tx.log.append_many(approvals)


def _why_draft(m: _Made) -> str:
    """Why a case is not taken as approved, "" = it is."""
    if m.row.judged.suggested:
        return "its behavior is only suggested"
    if not m.row.turns:
        return "its question was proposed"
    if m.private:
        return "it holds personal data"
    if not m.row.answer and not m.row.provisions and m.row.judged.kind not in ("refuse", "escalate"):
        return "it has no reference answer"
    return ""


def _shown(row: ListCase, case: Case) -> dict[str, str]:
    said: dict[str, str] = {
        "row": str(row.number),
        "id": row.own_id,
        "turns": " ⏎ ".join(case.turns),
        "behavior": case.expected_behavior + (f" ({case.refusal_reason})" if case.refusal_reason else ""),
        "suggested": hints.suggested_behavior(case),
        "answer": case.reference_answer,
        "provisions": " · ".join(p.text for p in case.key_provisions),
        "must not claim": " · ".join(case.must_not_claim),
        "risk": case.risk,
        "domain": case.domain,
        "tags": ", ".join(case.tags),
        "documents": ", ".join(row.documents),
        "pages": hints.ranges(row.pages),
        "sources": ", ".join(row.sources),
        "quotes": " ⏐ ".join(row.quotes),
        "notes": case.notes,
        "attributes": ", ".join(name for name, _ in row.attributes),
    }
    return {name: one_line(text, 400) for name, text in said.items() if text}


def _finished(
    ctx: Context, kind: str, encoding: str, understood: Understood, state: _State,
    preview: Sequence[dict[str, str]],
) -> ListReport:  # fmt: skip
    rejects = ""
    if understood.rejected and not state.dry_run:
        rejects = write_rejects(ctx, f"list-{secrets.token_hex(4)}", understood.rejected)
    judged = [(c.number, c.judged) for c in understood.cases]
    return ListReport(
        new=state.new,
        same=state.same,
        changed=state.changed,
        rejected=tuple(understood.rejected),
        mapping=understood.mapping,
        warnings=_warnings(understood, state),
        format=kind,
        encoding=encoding,
        rows_total=understood.total,
        cases=len(understood.cases),
        unknown_columns=tuple(understood.unknown),
        refusals=tuple(n for n, j in judged if j.kind == "refuse"),
        escalations=tuple(n for n, j in judged if j.kind == "escalate"),
        suggested=tuple(Guess(row=n, behavior=j.suggested, because=j.because) for n, j in judged if j.suggested),
        multi_turn=tuple(c.number for c in understood.cases if len(c.turns) > 1 or c.earlier),
        needs_question=tuple(understood.no_question),
        unfinished=state.unfinished,
        hints=state.hints,
        located=state.located,
        personal=state.personal,
        approved=state.approved,
        kept_drafts=state.drafts.total(),
        preview=tuple(preview),
        reject_file=rejects,
    )


def _warnings(understood: Understood, state: _State) -> tuple[str, ...]:
    lines = list(understood.told())
    lines += state.differing[:_MOST_TOLD]
    if len(state.differing) > _MOST_TOLD:
        lines.append(f"and {len(state.differing) - _MOST_TOLD} more rows say something else than before")
    if state.differing:
        lines.append("nothing was overwritten: edit these cases, or retire them and import the list again")
    if state.retired:
        lines.append(
            f"{counted(state.retired, 'case')} of this list {'is' if state.retired == 1 else 'are'} retired here"
        )
    if understood.replaced:
        lines.append(f"characters that no file can hold, replaced by U+FFFD: {understood.replaced}")
    if state.personal:
        lines.append(
            f"personal data in {counted(state.personal, 'new case')}: flagged, and in no release until a person has "
            "decided (curator privacy show CASE)"
        )
    for why, number in state.drafts.items():
        if why:
            lines.append(
                f"{counted(number, 'case')} not taken as approved, {'a draft' if number == 1 else 'drafts'}: {why}"
            )
    return tuple(lines)
