"""`curator failures`: production logs in, sorted, promoted to cases."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from curator.cli.console import out, out_json, progress, say, table
from curator.cli.importing import pairs_of, said_of_file, tell_preview, tell_rejected, with_encoding
from curator.cli.opening import opened
from curator.cli.options import Delimiter, Encoding, Header, Json, Preview, ProfileName, SaveProfile
from curator.errors import CheckFailed, UsageError
from curator.states import FAILURE_STATES
from curator.text import counted, one_line, visible

if TYPE_CHECKING:
    from curator.parsing.logs import Profile
    from curator.services.context import Context
    from curator.services.failure_import import LogReport

FailureId = Annotated[str, typer.Argument(metavar="FAILURE", help="Id of the failure, such as f12.")]
FailureIds = Annotated[list[str], typer.Argument(metavar="FAILURE...", help="Ids of failures.")]
failures = typer.Typer(help="Production failures: import logs, fold, sort, promote to cases.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Add the group."""
    app.add_typer(failures, name="failures")


@failures.command("import")
def import_(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A log: CSV, JSON, spans, tickets, Parquet, XLSX.")],
    profile: ProfileName = "",
    mapping: Annotated[
        list[str], typer.Option("--map", metavar="FIELD=COLUMN", help="A column by name, number or JSON path.")
    ] = [],  # noqa: B006  Typer reads the default and never changes it
    join: Annotated[
        Path | None, typer.Option("--join", metavar="FILE", help="A second file with feedback, joined by request id.")
    ] = None,
    log_format: Annotated[str, typer.Option("--format", help="Importer; else by the content.")] = "",
    encoding: Encoding = "",
    delimiter: Delimiter = "",
    header: Header = None,
    save_profile: SaveProfile = "",
    accept: Annotated[
        bool, typer.Option("--accept-residual-names", help="Import although nobody looks for names; quarantined.")
    ] = False,
    no_names: Annotated[
        bool, typer.Option("--no-names", help="Do not look for names by the model: ten times as fast.")
    ] = False,
    dry_run: Preview = False,
    as_json: Json = False,
) -> None:
    """Take a log as failures; personal data is replaced before the first write. The same file again: nothing new."""
    from curator.services import profiles
    from curator.services.failure_import import import_log

    options: dict[str, Any] = {
        "join": join,
        "dry_run": dry_run,
        "accept_residual_names": accept,
        "names": False if no_names else None,
    }
    with opened(ctx) as context:
        how = _profile(context, profile, said_of_file(log_format, encoding, delimiter, header), mapping)
        with progress() as shown:
            report, how = with_encoding(how, lambda h: import_log(context, file, profile=h, **options, progress=shown))
        if save_profile:
            profiles.save(context, save_profile, _to_keep(report, how))
    _tell(report, file, dry_run=dry_run, as_json=as_json)


def _profile(context: Context, name: str, given: dict[str, Any], mapping: list[str]) -> Profile:
    from curator.parsing.logs import Profile
    from curator.services import profiles

    base = profiles.named(context, name) if name else Profile()
    columns = base.columns | dict(pairs_of(mapping, "question=3", may_lack=True))
    try:
        return Profile.model_validate({**base.model_dump(), **given, "columns": columns})
    except ValueError:
        raise UsageError("no such format, or a delimiter of more than one character", "see --help") from None


def _to_keep(report: LogReport, how: Profile) -> Profile:
    """The profile of an import: what was chosen, and the columns as they were mapped."""
    columns = report.mapping if report.format in ("table", "json", "parquet", "xlsx") else {}
    return how.model_copy(update={"format": report.format, "columns": columns})


def _tell(report: LogReport, file: Path, *, dry_run: bool, as_json: bool) -> None:
    if as_json:
        out_json(report)
    else:
        _tell_in_words(report, file, dry_run=dry_run)
    tell_rejected(report, file, report.reject_file)


def _tell_in_words(report: LogReport, file: Path, *, dry_run: bool) -> None:
    how = ", ".join(p for p in (report.format, report.encoding) if p)
    out(f"{file.name}: {report.new} new, {report.same} same, {report.changed} changed, "
        f"{len(report.rejected)} rejected  ({how})")  # fmt: skip
    out("  columns: " + "; ".join(f"{field} = {column}" for field, column in report.mapping.items()))
    if report.masked:
        out("  replaced: " + ", ".join(f"{n} {kind.replace('_', ' ')}" for kind, n in report.masked.items()))
    for reason, number in report.skipped.items():
        out(f"  left out: {number}, {reason}")
    if dry_run:
        tell_preview(report.preview)
        out(f"  index of foldings: up to {report.index_bytes / 1e6:.1f} MB of memory")
        out("  dry run: nothing was stored")
    else:
        out(f"  folded: {report.folded}; asked about: {report.asked}")
        if report.reject_file:
            out(f"  rejected rows: {report.reject_file}")


@failures.command("list")
def list_(
    ctx: typer.Context,
    route: Annotated[str, typer.Option("--route", help="Only of this route.")] = "",
    state: Annotated[str, typer.Option("--state", help="new, promoted, dismissed or duplicate.")] = "",
    stage: Annotated[str, typer.Option("--stage", help="Only of this stage.")] = "",
    contains: Annotated[str, typer.Option("--contains", help="Only with this text.")] = "",
    queue: Annotated[bool, typer.Option("--queue", help="Open folds, those most worth a look first.")] = False,
    quarantined: Annotated[bool, typer.Option("--quarantined", help="What waits for a person to confirm it.")] = False,
    limit: Annotated[int, typer.Option("-n", min=1, help="Most lines.")] = 200,
    as_json: Json = False,
) -> None:
    """List failures, or the queue with the reason for each place."""
    from curator.domain.listing import ListQuery
    from curator.services import failures as service

    with opened(ctx) as context:
        if queue:
            from curator.services.coverage import Board
            from curator.services.wanted import wanted

            items = service.queue(context, route=route, wanted=wanted(Board(context)), limit=limit)
            if as_json:
                out_json(items)
            else:
                places = [(i.failure_id, i.route, ", ".join(i.reasons), one_line(i.question, 70)) for i in items]
                table(("failure", "route", "why here", "question"), places)
            return
        where = {k: v for k, v in (("route", route), ("state", state), ("stage", stage)) if v}
        query = ListQuery(contains=contains, where=tuple(where.items()))
        found = service.page_of(context, query, limit=limit, quarantined=quarantined)
        total = service.count(context, query, quarantined=quarantined)
    if as_json:
        out_json([line._asdict() for line in found])
        return
    rows = [(f.id, FAILURE_STATES[f.state], f.route, f.stage, f.fold_size, one_line(f.question, 70)) for f in found]
    table(("failure", "state", "route", "stage", "fold", "question"), rows)
    if total > len(found):
        say(f"{len(found)} of {total}; -n shows more")


@failures.command("show")
def show(ctx: typer.Context, failure: FailureId, as_json: Json = False) -> None:
    """Show a failure: question, answer, what was retrieved, and what search finds in the documents now."""
    from curator.services import failures as service

    with opened(ctx) as context:
        found = service.get(context, failure)
        if found.quarantined:
            raise CheckFailed(f"{failure} waits in quarantine", f"look at it with `curator privacy show {failure}`")
        before = service.conversation(context, failure)
        hits = () if as_json else service.begin(context, failure, semantic=False).suggestions
    if as_json:
        out_json(found)
        return
    facts = (found.route, found.stage, found.time, found.feedback, f"score {found.score}" if found.score else "")
    out(f"{found.id}  {FAILURE_STATES[found.state]}  {'  '.join(f for f in facts if f)}")
    for turn in before:
        out(f"  {turn.role}: {one_line(turn.text)}")
    out(f"  question: {visible(found.question)}")
    for name in ("answer", "reference", "error", "reason", "duplicate_of", "case_id"):
        if value := getattr(found, name):
            out(f"  {name.replace('_', ' ')}: {visible(value)}")
    for turn in found.turns_after:
        out(f"  then {turn.role}: {one_line(turn.text)}")
    for n, context_ in enumerate(found.contexts, 1):
        out(f"  context {n}: {context_.source} {one_line(context_.text, 90)}")
    for hit in hits:
        out(f"  found now: {hit.source_id}, p. {hit.page}: {one_line(hit.text, 70)}")
    if found.fold_size > 1:
        out(f"  asked {counted(found.fold_size, 'time')} (fold {found.fold})")


@failures.command("promote")
def promote(
    ctx: typer.Context,
    failure: FailureId,
    not_claim: Annotated[
        bool, typer.Option("--not-claim", help="The production answer was wrong: it must not be claimed.")
    ] = False,
    keep_open: Annotated[bool, typer.Option("--keep-fold-open", help="Leave the others of its fold open.")] = False,
    as_json: Json = False,
) -> None:
    """Make a failure a case, a draft, and print its id. Its text must be confirmed first (curator privacy confirm)."""
    from curator.services import failures as service

    with opened(ctx) as context:
        case_id = service.promote(context, failure, must_not_claim=not_claim, keep_fold_open=keep_open)
    if as_json:
        out_json({"failure": failure, "caseId": case_id})
    else:
        out(case_id)


@failures.command("dismiss")
def dismiss(
    ctx: typer.Context,
    names: FailureIds,
    reason: Annotated[str, typer.Option("--reason", help="Why they need no case.")],
) -> None:
    """Say that failures need no case, and why."""
    from curator.services import failures as service

    with opened(ctx) as context:
        service.dismiss(context, names, reason)
    say(f"dismissed: {len(names)}")


@failures.command("duplicate")
def duplicate(
    ctx: typer.Context, names: FailureIds, of: Annotated[str, typer.Option("--of", metavar="FAILURE")]
) -> None:
    """Say that failures are the same as another one."""
    from curator.services import failures as service

    with opened(ctx) as context:
        service.mark_duplicate(context, names, of)
    say(f"duplicates of {of}: {len(names)}")


@failures.command("reopen")
def reopen(ctx: typer.Context, names: FailureIds) -> None:
    """Take back that failures were dismissed or duplicates."""
    from curator.services import failures as service

    with opened(ctx) as context:
        service.reopen(context, names)
    say(f"open again: {len(names)}")


@failures.command("stage")
def stage(
    ctx: typer.Context,
    stage_name: Annotated[str, typer.Argument(metavar="STAGE", help="parsing, chunking, retrieval, ranking ...")],
    names: FailureIds,
) -> None:
    """Name the stage at which failures failed."""
    from curator.services import failures as service

    with opened(ctx) as context:
        service.set_stage(context, names, stage_name)
    say(f"{stage_name}: {len(names)}")


@failures.command("fold")
def fold(
    ctx: typer.Context,
    number: Annotated[int, typer.Argument(metavar="FOLD", help="Number of the fold; see `failures show`.")],
    undo: Annotated[
        list[int], typer.Option("--undo", metavar="WORDING", help="Take this wording out of the fold.")
    ] = [],  # noqa: B006
    as_json: Json = False,
) -> None:
    """Open a fold: its wordings and failures; or take wordings out of it."""
    from curator.services import folds

    with opened(ctx) as context:
        if undo:
            folds.unfold(context, undo)
        found = folds.opened(context, number)
    if as_json:
        out_json(found)
        return
    rows = [(m.wording, m.uses, f"{m.ratio:.0f}", one_line(m.question, 90)) for m in found.members]
    table(("wording", "uses", "like", "question"), rows)
    out("failures: " + " ".join(found.failures))


@failures.command("asked")
def asked(
    ctx: typer.Context,
    same: Annotated[list[str], typer.Option("--same", metavar="ONE,OTHER", help="These two folds are the same.")] = [],  # noqa: B006
    different: Annotated[list[str], typer.Option("--different", metavar="ONE,OTHER", help="These two are not.")] = [],  # noqa: B006
    suggest: Annotated[bool, typer.Option("--suggest", help="Also what may be the same in other words.")] = False,
    limit: Annotated[int, typer.Option("-n", min=1, help="Most pairs.")] = 50,
    as_json: Json = False,
) -> None:
    """Pairs of folds that are nearly the same: say of each whether it is."""
    from typing import Literal

    from curator.services import folds

    verdicts: list[tuple[Literal["same", "different"], str]] = [("same", p) for p in same]
    verdicts += [("different", p) for p in different]
    with opened(ctx) as context, progress() as shown:
        for verdict, pair in verdicts:
            one, _, other = pair.partition(",")
            if not (one.strip().isdigit() and other.strip().isdigit()):
                raise UsageError(f"{pair!a} is no pair of folds", "such as 12,40")
            folds.judge(context, int(one), int(other), verdict)
        found = folds.asked(context, limit=limit)
        if suggest:
            found += folds.suggested(context, limit=limit, progress=shown)
    if as_json:
        out_json(found)
        return
    rows = [
        (f"{a.one},{a.other}", f"{a.likeness:.2f}", a.by, one_line(a.question, 60), one_line(a.other_question, 60))
        for a in found
    ]
    table(("folds", "like", "by", "question", "other question"), rows)


@failures.command("clusters")
def clusters(
    ctx: typer.Context,
    lexical: Annotated[bool, typer.Option("--lexical", help="By words alone.")] = False,
    limit: Annotated[int, typer.Option("-n", min=1, help="Most clusters.")] = 50,
    as_json: Json = False,
) -> None:
    """Open failures in clusters: by route, stage and document, then by what is asked."""
    from curator.services.clusters import clusters as service

    with opened(ctx) as context, progress() as shown:
        found = service(context, semantic=False if lexical else None, progress=shown)
    if as_json:
        out_json(found)
        return
    say(f"by {found.by}")
    rows = [
        (c.size, len(c.folds), c.route, c.stage, one_line(c.document, 30), one_line(c.medoid, 60))
        for c in found.clusters[:limit]
    ]
    table(("failures", "folds", "route", "stage", "document", "in the middle"), rows)


@failures.command("sample")
def sample(
    ctx: typer.Context,
    by: Annotated[str, typer.Option("--by", help="route, stage, week, language, feedback or document.")] = "route",
    per: Annotated[int, typer.Option("--per", help="Failures a stratum.")] = 50,
    least: Annotated[int, typer.Option("--min", help="Fewer are said to be insufficient data.")] = 5,
    seed: Annotated[int, typer.Option("--seed", help="Of the draw.")] = 1,
    lowest: Annotated[
        str,
        typer.Option(
            "--lowest", metavar="SCORE", help="Instead: the lowest scores; `score`, or a number to stay below."
        ),
    ] = "",
    limit: Annotated[int, typer.Option("-n", min=1, help="With --lowest: how many.")] = 50,
    as_json: Json = False,
) -> None:
    """Draw failures from every route (or stage, week ...); the same seed draws the same."""
    from curator.services import sampling

    with opened(ctx) as context:
        if lowest:
            found = sampling.lowest(context, limit=limit, below=_below(lowest))
            if as_json:
                out_json([{"id": name, "score": score} for name, score in found])
            else:
                table(("failure", "score"), found, empty="no failure has a score")
            return
        drawn = sampling.sample(context, by=by, per=per, least=least, seed=seed)
    if as_json:
        out_json(drawn)
        return
    for s in drawn.strata:
        out(f"{s.value or '(none)'}  {s.total}  {s.share:.1%}  {s.note}".rstrip())
        out("  " + " ".join(s.taken))


def _below(lowest: str) -> float | None:
    if lowest == "score":
        return None
    try:
        return float(lowest)
    except ValueError:
        raise UsageError(
            f"--lowest {lowest!a}: failures have one score", "use `score`, or a number to stay below"
        ) from None


@failures.command("stats")
def stats(ctx: typer.Context, as_json: Json = False) -> None:
    """Failures by route, stage and week, and what the golden set lacks."""
    from curator.services import sampling

    with opened(ctx) as context:
        found = sampling.stats(context)
    if as_json:
        out_json(found)
        return
    out(f"{counted(found.total, 'failure')}, {found.quarantined} more in quarantine")
    for title, counts in (("route", found.by_route), ("stage", found.by_stage), ("week", found.by_week)):
        rows = [
            (c.value or "(none)", c.total, f"{c.share:.1%}", c.new, c.promoted, c.dismissed, c.duplicate)
            for c in counts
        ]
        table((title, "failures", "share", "new", "promoted", "dismissed", "duplicate"), rows)
    for name, values in found.unknown_to_cases.items():
        out(f"no case has this {name}: " + ", ".join(f"{one_line(v, 40)} ({n})" for v, n in list(values.items())[:10]))
