"""`curator case`: cases from the command line."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from curator.cli import case_export, case_import, retiring
from curator.cli.console import out, out_json, out_text, say, status_word, table
from curator.cli.opening import opened
from curator.cli.options import CaseId, Json
from curator.errors import Conflict, StorageError, UsageError
from curator.text import counted, one_line

if TYPE_CHECKING:
    from curator.domain.case import Case, CaseRecord
    from curator.services.context import Context
    from curator.services.undo import Undone

Sets = Annotated[list[str], typer.Option("--set", metavar="FIELD=VALUE", help="Set a field; lists as JSON.")]
Sources = Annotated[list[str], typer.Option(metavar="SOURCE", help="Cite a source in this role.")]
Documents = Annotated[list[str], typer.Option("--document", metavar="DOCUMENT", help="Judged against this document.")]
case = typer.Typer(help="Cases: write, edit, submit, import, export.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Add the group."""
    case_export.register(case)
    case_import.register(case)
    retiring.register(case)
    app.add_typer(case, name="case")


@case.command("new")
def new(
    ctx: typer.Context,
    settings: Sets = [],  # noqa: B006  Typer reads the default and never changes it
    evidence: Sources = [],  # noqa: B006
    supporting: Sources = [],  # noqa: B006
    distractor: Sources = [],  # noqa: B006
    document: Documents = [],  # noqa: B006
    as_json: Json = False,
) -> None:
    """Write a new case as a draft and print its id. Without options, $EDITOR opens on an empty form."""
    from curator.cli.form import apply
    from curator.domain.case import Case, CaseRecord
    from curator.services import cases

    with opened(ctx) as context:
        context.actor("edit")
        blank = Case()
        if settings or evidence or supporting or distractor or document:
            drafted = _cited(context, apply(blank, settings), evidence, supporting, distractor, document)
            record = cases.new(context, drafted)
        else:
            made = _through_form(context, CaseRecord(case=blank), lambda case: cases.new(context, case))
            if made is None:
                raise UsageError("the form was left as it was", "nothing was stored")
            record = made
    _print(record, as_json)


def _cited(
    context: Context, drafted: Case, evidence: list[str], supporting: list[str], distractor: list[str],
    documents: list[str],
) -> Case:  # fmt: skip
    from curator.domain.case import Role
    from curator.services import cases

    given: tuple[tuple[Role, list[str]], ...] = (
        ("required", evidence),
        ("supporting", supporting),
        ("distractor", distractor),
    )
    for role, names in given:
        for name in names:
            drafted = cases.with_evidence(context, drafted, name, role)
    for name in documents:
        drafted = cases.with_document(context, drafted, name)
    return drafted


@case.command("show")
def show(ctx: typer.Context, case_id: CaseId, as_json: Json = False) -> None:
    """Show a case, where it stands, and what is still missing. With --json: its line, which `case import` takes."""
    from curator.domain.canonical import dumps
    from curator.exporting.line import stored_line
    from curator.services import blind, cases, checking
    from curator.services.ledger import look_at_case
    from curator.services.reference import reference

    with opened(ctx) as context:
        look_at_case(context, case_id, "case show")
        record, hidden = blind.look(context, case_id)
        if as_json:
            median = reference(context).median
            out_text(dumps(blind.shown_line(stored_line(record, reference_median=median), hidden)) + "\n")
            return
        missing, reviews = cases.standing(context, case_id)
        problems = checking.check(context, record.case, hidden, stale="stale" in record.flags)
    body = record.case
    out(f"{body.id}  {status_word(record.status)}{''.join(f'  ! {f}' for f in record.flags)}  version {record.version}")
    for number, turn in enumerate(body.turns, 1):
        out(f"  {f'turn {number}' if len(body.turns) > 1 else 'question'}: {one_line(turn)}")
    if hidden:
        names = "labels are" if "expected_behavior" in hidden else "its risk is"
        say(f"{case_id}: {names} hidden from you until you have stated your own (curator review approve)")
    facts = (
        ("behavior", "" if "expected_behavior" in hidden else body.expected_behavior),
        ("answer", body.reference_answer),
        ("refusal reason", body.refusal_reason),
        ("escalate to", body.escalate_to),
        ("escalate when", body.escalate_when),
        ("must not claim", "; ".join(body.must_not_claim)),
        ("risk", "" if hidden else body.risk + (f": {body.consequence}" if body.consequence else "")),
        ("domain", body.domain),
        ("partition", record.partition),
        ("author", record.author),
        ("retired", f"{record.retired_at[:10]}: {record.retired_reason}" if record.retired_at else ""),
        ("successor", record.successor),
    )
    for name, value in facts:
        if value:
            out(f"  {name}: {one_line(value)}")
    for entry in body.evidence:
        out(f"  {entry.role}: {entry.source_id}, p. {entry.page}: {one_line(entry.quote, 90)}")
    for p in body.key_provisions:
        out(f"  provision {p.id}{' (mandatory)' if p.mandatory else ''}: {one_line(p.text, 90)}  [{p.citation}]")
    for review in reviews:
        decision = review.decision.replace("_", " ")
        reason = "" if hidden and review.decision == "approve" else review.reason
        gone = " (withdrawn)" if review.withdrawn else ""
        out(f"  {review.slot} by {review.actor}, {review.at}{gone}: {decision} {reason}".rstrip())
    for problem in problems:
        out(f"  ! {problem.severity}: {problem.message}; {problem.hint}")
    if missing:
        out(f"  needs: {missing}")


@case.command("list")
def list_(
    ctx: typer.Context,
    status: Annotated[str, typer.Option(help="draft, in_review, changes_requested, approved or retired.")] = "",
    domain: Annotated[str, typer.Option(help="Only this domain.")] = "",
    behavior: Annotated[str, typer.Option(help="answer, refuse or escalate.")] = "",
    risk: Annotated[str, typer.Option(help="low, medium, high or critical.")] = "",
    contains: Annotated[str, typer.Option(help="Only ids and questions with this text.")] = "",
    as_json: Json = False,
) -> None:
    """List the cases; behavior and risk of those that you may have to label stay out of it, and of its filters."""
    from curator.services import cases, rereading

    given = (("status", status), ("domain", domain), ("behavior", behavior), ("risk", risk))
    where = {k: v for k, v in given if v}
    with opened(ctx) as context:
        found = cases.page_of(context, limit=0, contains=contains, where=where)
        out_of_it = cases.left_out(context, contains=contains, where=where)
        flags = rereading.flags_of(context, [line.id for line in found])
    marked = {name: [f for f in ("stale", "unverified") if f in given_flags] for name, given_flags in flags.items()}
    if out_of_it:
        say(f"{out_of_it} in review not asked: behavior and risk are hidden from who may have to state them")
    if as_json:
        out_json([{**line._asdict(), **_marks(marked.get(line.id, []))} for line in found])
        return
    table(
        ("CASE", "STATUS", "BEHAVIOR", "RISK", "DOMAIN", "QUESTION"),
        [
            (
                c.id,
                status_word(c.status) + "".join(f"  ! {flag}" for flag in marked.get(c.id, [])),
                c.behavior or "…",
                c.risk or "…",
                c.domain or "-",
                one_line(c.question, 60),
            )
            for c in found
        ],
        empty="no cases",
    )


def _marks(flags: Sequence[str]) -> dict[str, bool]:
    return {flag: flag in flags for flag in ("stale", "unverified")}


@case.command("edit")
def edit(
    ctx: typer.Context,
    case_id: CaseId,
    settings: Sets = [],  # noqa: B006
    evidence: Sources = [],  # noqa: B006
    supporting: Sources = [],  # noqa: B006
    distractor: Sources = [],  # noqa: B006
    document: Documents = [],  # noqa: B006
    version: Annotated[int, typer.Option(min=0, help="The version that you looked at; else the one now.")] = 0,
    as_json: Json = False,
) -> None:
    """Change a case: --set and the roles, or $EDITOR on a form. A save over another person's save is refused."""
    from curator.cli.form import apply
    from curator.services import cases, ledger

    with opened(ctx) as context:
        context.actor("edit")
        record = cases.get(context, case_id)
        if settings or evidence or supporting or distractor or document:
            changed = _cited(context, apply(record.case, settings), evidence, supporting, distractor, document)
            record = cases.save(context, changed, version or record.version)
        else:
            if "expected_behavior" in ledger.seen(context, case_id, "case edit").hidden:
                raise Conflict(f"{case_id} takes your label first: the form would show its author's", "review it")
            given = version or record.version
            saved = _through_form(context, record, lambda case: cases.save(context, case, given))
            if saved is None:
                say("nothing was changed")
            record = saved or record
    _print(record, as_json)


def _through_form(context: Context, record: CaseRecord, store: Callable[[Case], CaseRecord]) -> CaseRecord | None:
    """What became of a case in the person's editor, stored; None when the form was emptied or left as it was.

    The form is a file of the workspace; until its text is stored, nothing removes it.
    """
    from curator.cli.form import from_form, to_form

    before = to_form(record)
    path = _new_form(context, record, before)
    done = False
    try:
        text = _edited(path)
        changed = from_form(text, record.case.id) if text != before else None
        stored = store(changed) if changed else None
        done = True
    finally:  # an interrupt too
        if done or not path.exists() or path.read_bytes() == before.encode():
            path.unlink(missing_ok=True)
        else:
            say(f"what you wrote is kept in {path}")
    return stored


def _new_form(context: Context, record: CaseRecord, text: str) -> Path:
    """A file of its own for each opening, so that what an earlier one kept is never overwritten."""
    folder = context.hidden / "forms"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f"{record.case.id or 'new'}-", suffix=".toml", dir=folder)
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(text)
    except OSError as error:
        raise StorageError(f"{folder}: {error.strerror}", "use --set FIELD=VALUE") from None
    return Path(name)


def _edited(path: Path) -> str:
    """The text of a file after the person's editor.

    Raises:
        UsageError: The editor cannot be started or failed.
        StorageError: The file is gone.
    """
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    try:
        process = subprocess.Popen([*shlex.split(editor), str(path)])  # noqa: S603  the person's own editor
    except (OSError, ValueError) as error:
        raise UsageError(f"{editor}: {error}", "set EDITOR to your editor, or use --set FIELD=VALUE") from None
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # ctrl+c is for the editor while it is open
    try:
        code = process.wait()
    finally:
        signal.signal(signal.SIGINT, before)
    if code == -signal.SIGINT:
        raise KeyboardInterrupt
    if code:
        raise UsageError(f"{editor} ended with code {code}", "nothing was stored")
    try:
        return path.read_text("utf-8", errors="replace")
    except OSError as error:
        raise StorageError(f"{path}: {error.strerror}", "the editor took the form away; nothing was stored") from None


@case.command("submit")
def submit(
    ctx: typer.Context,
    case_ids: Annotated[list[str], typer.Argument(metavar="CASE", help="Ids of drafts.")] = [],  # noqa: B006
    every: Annotated[bool, typer.Option("--all", help="Every draft and every returned case.")] = False,
    as_json: Json = False,
) -> None:
    """Send drafts to review. One that is incomplete stays a draft, and it is said what it lacks."""
    from curator.services import cases

    with opened(ctx) as context:
        names = list(case_ids)
        if every:
            names += [
                c.id
                for s in ("draft", "changes_requested")
                for c in cases.page_of(context, limit=0, where={"status": s})
            ]
        if not names:
            raise UsageError("no case is named", "name ids, or say --all")
        results = cases.submit(context, names)
    if as_json:
        out_json(results)
    for result in results:
        if not as_json:
            out(f"{result.case_id}  {status_word(result.status)}")
        for problem in result.problems:
            say(f"{result.case_id}: {problem.message}; {problem.hint}")
    if any(r.problems for r in results):
        raise typer.Exit(1)


@case.command("tag")
def tag(
    ctx: typer.Context,
    case_ids: Annotated[list[str], typer.Argument(metavar="CASE", help="Ids of the cases.")],
    add: Annotated[list[str], typer.Option("--add", metavar="TAG", help="Tag to add.")] = [],  # noqa: B006
    remove: Annotated[list[str], typer.Option("--remove", metavar="TAG", help="Tag to take off.")] = [],  # noqa: B006
    as_json: Json = False,
) -> None:
    """Add tags to cases and take tags off, all at once; `case undo` takes it back from all of them."""
    from curator.services.changing import change_many

    with opened(ctx) as context:
        results = change_many(context, case_ids, add_tags=add, remove_tags=remove)
    retiring.tell_changed(results, as_json, lambda result: result.outcome)


@case.command("undo")
def undo(ctx: typer.Context, as_json: Json = False) -> None:
    """Take back your last decision: cases written, changed or submitted, all that it was about."""
    from curator.services import undo as service

    with opened(ctx) as context:
        _tell_turn(service.undo(context), "undone", "nothing of yours can be undone", as_json)


@case.command("redo")
def redo(ctx: typer.Context, as_json: Json = False) -> None:
    """Do again what you undid last."""
    from curator.services import undo as service

    with opened(ctx) as context:
        _tell_turn(service.redo(context), "redone", "nothing of yours was undone last", as_json)


def _tell_turn(turned: Undone | None, word: str, nothing: str, as_json: bool) -> None:
    if as_json:
        out_json({"verb": turned.verb if turned else "", "cases": list(turned.case_ids) if turned else []})
    elif turned is None:
        say(nothing)
    else:
        names, others = turned.case_ids, turned.names
        if others:
            out(f"{word}: {turned.verb} {', '.join(others)}")
        if names:
            out(f"{word}: {turned.verb} {counted(len(names), 'case')}: {', '.join(names)}")


@case.command("history")
def history(ctx: typer.Context, case_id: CaseId, as_json: Json = False) -> None:
    """Everything that happened to a case, and who did it."""
    from curator.services import blind
    from curator.services.ledger import look_at_case

    with opened(ctx) as context:
        look_at_case(context, case_id, "case history")
        events = blind.history(context, case_id)
    if as_json:
        out_json(events)
        return
    table(
        ("SEQ", "AT", "ACTOR", "WHAT", "VERSION"),
        [(e["seq"], e["at"], e["actor"], e["verb"], e["version"] or "") for e in events],
    )


def _print(record: CaseRecord, as_json: bool) -> None:
    if as_json:
        out_json(record)
    else:
        out(f"{record.case.id}  {status_word(record.status)}  version {record.version}")
