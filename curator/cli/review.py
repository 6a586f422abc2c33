"""`curator review`: judging cases from the command line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from curator.cli.console import out, out_json, say, status_word, table
from curator.cli.importing import take
from curator.cli.opening import opened
from curator.cli.options import CaseId, Json
from curator.text import counted, one_line

if TYPE_CHECKING:
    from curator.domain.agreement import Measured
    from curator.domain.case import CaseRecord
    from curator.services.context import Context

Risk = Annotated[str, typer.Option(help="The risk that you see: low, medium, high or critical.")]
Behavior = Annotated[str, typer.Option(help="Your own label, where two are needed: answer, refuse or escalate.")]
Source = Annotated[
    list[str], typer.Option("--source", metavar="SOURCE", help="Your own required source; none: `none`.")
]
Refusal = Annotated[
    str, typer.Option(help="Why your label refuses: not_in_sources, out_of_scope, unsafe, ambiguous, personal_data.")
]
Reason = Annotated[str, typer.Option(help="Why.")]
review = typer.Typer(help="Reviews: approve, ask for changes, decide between two labels.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Add the group."""
    app.add_typer(review, name="review")


@review.command("approve")
def approve(
    ctx: typer.Context,
    case_id: CaseId,
    risk: Risk = "",
    behavior: Behavior = "",
    source: Source = [],  # noqa: B006  Typer reads the default and never changes it
    refusal_reason: Refusal = "",
    reason: Reason = "",
    as_json: Json = False,
) -> None:
    """Approve a case that another person wrote. Where two labels are needed, state your own."""
    from curator.services import review as service

    said = service.Statement(
        risk=risk, behavior=behavior, source_ids=tuple(source), refusal_reason=refusal_reason, reason=reason
    )
    with opened(ctx) as context:
        record = service.approve(context, case_id, said)
        _tell(context, record, as_json)


@review.command("request-changes")
def request_changes(ctx: typer.Context, case_id: CaseId, reason: Reason = "", as_json: Json = False) -> None:
    """Send a case back to its author, with a reason."""
    from curator.services import review as service

    with opened(ctx) as context:
        _tell(context, service.request_changes(context, case_id, reason), as_json)


@review.command("adjudicate")
def adjudicate(
    ctx: typer.Context,
    case_id: CaseId,
    take: Annotated[int, typer.Option(min=0, max=2, help="What label 1 or 2 says, where no other is given.")] = 0,
    risk: Risk = "",
    behavior: Behavior = "",
    source: Source = [],  # noqa: B006
    refusal_reason: Refusal = "",
    reason: Reason = "",
    as_json: Json = False,
) -> None:
    """Decide a case on which two labels differ, with a reason; `review compare` shows both."""
    from curator.services import labelings
    from curator.services import review as service

    said = service.Statement(
        risk=risk, behavior=behavior, source_ids=tuple(source), refusal_reason=refusal_reason, reason=reason
    )
    with opened(ctx) as context:
        if take:
            said = labelings.taken(labelings.labelings(context, case_id), take, said)
        _tell(context, service.adjudicate(context, case_id, said), as_json)


@review.command("compare")
def compare(ctx: typer.Context, case_id: CaseId, as_json: Json = False) -> None:
    """Show both labels of a case side by side, with the text of their sources; to nobody before both are in."""
    from curator.services.labelings import author_says, labelings

    with opened(ctx) as context:
        found = labelings(context, case_id)
    if as_json:
        out_json(found)
        return
    body = found.record.case
    for number, turn in enumerate(body.turns, 1):
        out(f"{f'turn {number}' if len(body.turns) > 1 else 'question'}: {one_line(turn)}")
    out(f"documents: {', '.join(d.document_id for d in body.documents) or '-'}")
    rows = []
    for field in found.fields:
        ones, others = (text.split("\n") for text in (field.first, field.second))
        for n in range(max(len(ones), len(others))):
            mark = ("!" if field.differs else "=") if n == 0 else ""
            name = field.field if n == 0 else ""
            rows.append((mark, name, *(one_line(x[n]) if n < len(x) else "" for x in (ones, others))))
    table(("", "FIELD", f"1: {found.first.actor}", f"2: {found.second.actor}"), rows)
    for cited in found.sources:
        out(f"{cited.source_id} ({cited.where or 'in no document here'}): {one_line(cited.text, 300)}")
    for name, text in author_says(body):
        out(f"the case says, {name}: {one_line(text)}")
    differ = ", ".join(found.differing)
    say(f"they differ in {differ}; `curator review adjudicate {case_id}`" if differ else "they say the same")


@review.command("withdraw")
def withdraw(
    ctx: typer.Context,
    case_id: CaseId,
    number: Annotated[int, typer.Option("--review", metavar="SEQ", min=0, help="Which; else your last one.")] = 0,
    reason: Reason = "",
    as_json: Json = False,
) -> None:
    """Take a review back, with a reason: it stays in the history and counts no more. A lead may take back any."""
    from curator.services import review as service

    with opened(ctx) as context:
        _tell(context, service.withdraw(context, case_id, reason, number=number), as_json)


@review.command("next")
def next_(
    ctx: typer.Context,
    skip: Annotated[list[str], typer.Option(metavar="CASE", help="Not this one now: it goes back.")] = [],  # noqa: B006
    as_json: Json = False,
) -> None:
    """Take the next case that needs you in hand; nobody else is handed it until you are done or the lease runs out."""
    from curator.services import queueing

    with opened(ctx) as context:
        assigned = queueing.take_next(context, skip=skip)
    if as_json:
        out_json([assigned] if assigned else [])
    elif assigned is None:
        say("nothing waits for you")
    else:
        out(f"{assigned.case_id}  {assigned.slot}")
        say(f"in your hands until {assigned.until}; `curator case show {assigned.case_id}`, then `curator review "
            + ("adjudicate`" if assigned.slot == "adjudication" else "approve`"))  # fmt: skip


@review.command("queue")
def queue_(
    ctx: typer.Context,
    every: Annotated[bool, typer.Option("--all", help="Every case that waits, for whom and why.")] = False,
    let_go: Annotated[bool, typer.Option("--let-go", help="First give back all that you have in hand.")] = False,
    as_json: Json = False,
) -> None:
    """Say what waits for you, and what you have in hand; `--all`: what waits for whom, and why."""
    from curator.services import queueing
    from curator.services.waiting import waiting as all_of

    if every:
        with opened(ctx) as context:
            found = all_of(context)
        if as_json:
            out_json(found)
            return
        table(
            ("CASE", "FOR YOU", "WHO CAN", "WHY", "IN HAND", "QUESTION"),
            [(w.case_id, w.mine or ("yours" if w.for_me else "-"), w.people, one_line(w.why), w.in_hand or "-",
              one_line(w.question, 50)) for w in found],
            empty="nothing is in review",
        )  # fmt: skip
        return
    with opened(ctx) as context:
        if let_go:
            say(f"given back: {queueing.let_go(context)}")
        waiting, mine = queueing.queue(context), queueing.in_hand(context)
    if as_json:
        out_json({"waiting": waiting.model_dump(by_alias=True), "inHand": [x.model_dump(by_alias=True) for x in mine]})
        return
    table(("CASE", "ASKED FOR", "UNTIL"), [(x.case_id, x.slot, x.until) for x in mine], empty="nothing in hand")
    say(f"to approve {waiting.approvals}, to label {waiting.labels}, to decide {waiting.adjudications}; "
        f"in the hands of others {waiting.in_hand}")  # fmt: skip


@review.command("due")
def due_(
    ctx: typer.Context,
    check: Annotated[bool, typer.Option("--check", help="Exit code 1 when something is due.")] = False,
    as_json: Json = False,
) -> None:
    """Say what should be looked at again: stale cases, cases confirmed long ago, old waivers, targets and lengths."""
    from curator.services.due import due

    with opened(ctx) as context:
        found = due(context)
    if as_json:
        out_json(found)
    else:
        table(("WHY", "SINCE", "WHAT", "NEXT STEP"), [(d.kind, d.since or "-", d.name, d.said) for d in found],
              empty="nothing is due")  # fmt: skip
    if check and found:
        raise typer.Exit(1)


@review.command("import")
def import_(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE.jsonl", help="Reviews, one JSON object a line.")],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Check and count; store nothing.")] = False,
    as_json: Json = False,
) -> None:
    """Take reviews that were given elsewhere, with their own actors and times."""
    from curator.services.review import import_reviews

    take(ctx, file, import_reviews, dry_run=dry_run, as_json=as_json)


@review.command("agreement")
def agreement(
    ctx: typer.Context,
    by: Annotated[
        str, typer.Option(metavar="A,B", help="By stratum: domain, behavior, task, risk, language, route ...")
    ] = "",
    as_json: Json = False,
) -> None:
    """Say how far people agree who labeled the same cases blind: raw, Cohen's kappa, Krippendorff's alpha."""
    from curator.domain.agreement import FEW
    from curator.services.agreement import agreement as measure

    with opened(ctx) as context:
        found = measure(context, [d.strip() for d in by.split(",") if d.strip()])
    if as_json:
        out_json(found)
        return
    header = ("STRATUM", "FIELD", "CASES", "EQUAL", "RAW", "KAPPA", "ALPHA", "MASI")
    measures = [*found.overall, *found.strata]
    table(header, [_measured(m) for m in measures])
    for why in dict.fromkeys(s.why for m in measures for s in (m.raw, m.kappa, m.alpha, m.masi) if s and s.why):
        say(f"undefined because {why}")
    cases = found.overall[0].cases
    waits = counted(found.waiting, "waits", "wait")
    say(f"{counted(cases, 'case')} with two labels, {found.drawn} of them drawn from low and medium risk; {waits}")
    if 0 < cases < FEW:
        little = counted(cases, "case says", "cases say")
        say(f"{little} little: below {FEW}, one case more or less moves a coefficient a good deal")


def _measured(m: Measured) -> tuple[str, ...]:
    stratum = ", ".join(f"{k} {v or 'none'}" for k, v in m.stratum.items()) or "all"
    figures = ("" if s is None else "undefined" if s.value is None else f"{s.value:.3f}" for s in
               (m.raw, m.kappa, m.alpha, m.masi))  # fmt: skip
    return (stratum, m.field, str(m.cases), str(m.equal), *figures)


def _tell(context: Context, record: CaseRecord, as_json: bool) -> None:
    from curator.services.cases import standing

    if as_json:
        out_json(record)
        return
    missing, _ = standing(context, record.case.id)
    out(f"{record.case.id}  {status_word(record.status)}" + (f"; needs {missing}" if missing else ""))
