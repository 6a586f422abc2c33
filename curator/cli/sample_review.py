"""`curator sample-review`: people rate a sample of outputs, and what that comes to."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from curator.cli.console import out, out_json, progress, say, table
from curator.cli.opening import opened
from curator.cli.options import Json
from curator.text import counted, one_line

if TYPE_CHECKING:
    from curator.domain.ratings import Sampled
    from curator.services.rating_results import Results
    from curator.services.ratings import Sheet


class DrawsByDefault(TyperGroup):
    """`sample-review NAME --run RUN.jsonl` is `sample-review draw NAME --run RUN.jsonl`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the command in front where none is named."""
        if args and args[0] not in self.commands and not {"-h", "--help"} & set(args[:1]):
            args = ["draw", *args]
        return super().parse_args(ctx, args)


Number = Annotated[int, typer.Argument(metavar="SAMPLE", min=1, help="Number of the sample; `list` shows them.")]
Name = Annotated[str, typer.Argument(metavar="NAME[@VERSION]", help="A released suite; else its latest version.")]
sample_review = typer.Typer(
    cls=DrawsByDefault, no_args_is_help=True,
    help="Human ratings: draw outputs of a run by length, rate them 1 to 5, export what it comes to.",
)  # fmt: skip


def register(app: typer.Typer) -> None:
    """Add the group."""
    app.add_typer(sample_review, name="sample-review")


@sample_review.command("draw")
def draw(
    ctx: typer.Context,
    name: Name,
    run: Annotated[Path, typer.Option("--run", metavar="RUN.jsonl", help="The outputs: a run over this version.")],
    n: Annotated[int, typer.Option("--n", "-n", help="How many outputs, 20 to 30.")] = 20,
    seed: Annotated[int, typer.Option(help="Of the draw; another one draws others.")] = 1,
    holdout: Annotated[str, typer.Option("--holdout", metavar="REASON", help="Also from the holdout: a lead's.")] = "",
    as_json: Json = False,
) -> None:
    """Draw outputs of a run for people to rate: as many of each length as there are. `draw` may be left out."""
    from curator.services.rating_samples import draw as drawn

    suite, _, version = name.partition("@")
    with opened(ctx) as context, progress() as shown:
        made = drawn(context, suite, version, run=run, n=n, seed=seed, holdout_reason=holdout, progress=shown)
    if as_json:
        out_json(made)
        return
    said = made.sampled
    lengths = ", ".join(f"{s.drawn} {s.length_stratum}{' (thin)' if s.thin else ''}" for s in said.strata)
    verb = "drawn" if made.outcome == "new" else "was drawn before"
    hidden = f", {made.holdout} of them in the holdout" if made.holdout else ""
    out(f"sample {said.sample} {verb}: {counted(said.cases, 'output')} of {said.system} on {said.suite} "
        f"{said.version}{hidden}: {lengths}")  # fmt: skip
    for note in made.notes:
        say(f"! {note}")
    say(f"rate it in the app (F8, o), or: curator sample-review show {said.sample}")


@sample_review.command("list")
def list_(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME[@VERSION]", help="Only of this suite, or version.")] = "",
    as_json: Json = False,
) -> None:
    """List the samples, how many have finished them, and what you have rated."""
    from curator.services import ratings
    from curator.services.rating_samples import samples

    suite, _, version = name.partition("@")
    with opened(ctx) as context:
        found = samples(context, suite, version)
        mine = {s.sample: ratings.task(context, s.sample) for s in found} if context.actor_id else {}
    if as_json:
        out_json(list(found))
        return
    rows = []
    for s in found:
        task = mine.get(s.sample)
        yours = f"{task.rated} of {len(task.case_ids)}{', finished' if task.finished else ''}" if task else "-"
        rows.append((s.sample, f"{s.suite} {s.version}", s.system, s.cases, len(s.raters), s.unfinished, yours))
    table(("SAMPLE", "RELEASE", "SYSTEM", "OUTPUTS", "FINISHED", "BEGUN", "YOURS"), rows, empty="no sample yet")


@sample_review.command("show")
def show(
    ctx: typer.Context,
    number: Number,
    case: Annotated[str, typer.Argument(metavar="CASE", help="Show this output with what it is rated by.")] = "",
    as_json: Json = False,
) -> None:
    """List the outputs of a sample that you may rate, or show one. Never what others said."""
    from curator.services import ratings

    with opened(ctx) as context:
        if case:
            sheet = ratings.sheet(context, number, case)
            out_json(sheet) if as_json else _print_sheet(sheet)
            return
        task = ratings.task(context, number)
    if as_json:
        out_json(task)
        return
    rows = []
    for name in task.case_ids:
        said = task.said.get(name)
        rows.append((name, *((v or "-") for v in ((said.completeness, said.accuracy) if said else (0, 0))),
                     one_line(said.note, 60) if said else ""))  # fmt: skip
    table(("CASE", "COMPLETE", "ACCURATE", "NOTE"), rows, empty="nothing of it is yours to rate")
    if task.kept_back:
        say(f"{counted(task.kept_back, 'output')} in the holdout, which a lead rates")
    if task.closed or task.finished:
        say(task.closed or "you have finished it")


def _print_sheet(sheet: Sheet) -> None:
    from curator.domain.canonical import row_text

    for n, turn in enumerate(sheet.turns[:-1]):
        _print_text("asked before", turn)
        _print_text("  answered", sheet.earlier[n] if n < len(sheet.earlier) else "(not in the run)")
    _print_text("question", sheet.turns[-1])
    out(f"expected: {sheet.expected_behavior}")
    for what, text in sheet.expected:
        _print_text(f"  {what}", text)
    for e in sheet.evidence:
        text = row_text(e.table_title, e.section_path, e.table_header, e.table_cells) if e.table_cells else e.quote
        _print_text(f"  {e.role}: {e.source_id}, p. {e.page_label or e.page}", text)
    _print_text(f"output{f' ({sheet.behavior})' if sheet.behavior else ''}", sheet.output or "(empty)")
    said = sheet.said
    if said.completeness or said.accuracy:
        out(f"you said: completeness {said.completeness or '-'}, accuracy {said.accuracy or '-'}  {said.note}".rstrip())


def _print_text(what: str, text: str) -> None:
    """A text under its name: on the same line, or line by line below."""
    lines = text.split("\n")
    if len(lines) == 1:
        out(f"{what}: {text}")
        return
    out(f"{what}:")
    for line in lines:
        out(f"    {line}")


@sample_review.command("rate")
def rate(
    ctx: typer.Context,
    number: Number,
    case: Annotated[str, typer.Argument(metavar="CASE", help="A case of the sample.")],
    completeness: Annotated[int, typer.Option("--completeness", "-c", help="1 to 5: has it all that is needed?")] = 0,
    accuracy: Annotated[int, typer.Option("--accuracy", "-a", help="1 to 5: is what it says right?")] = 0,
    note: Annotated[str | None, typer.Option("--note", metavar="TEXT", help="Why.")] = None,
    as_json: Json = False,
) -> None:
    """Say how complete and how accurate an output is; again as often as you like, until you have finished."""
    from curator.services import ratings

    with opened(ctx) as context:
        said = ratings.rate(context, number, case, completeness=completeness, accuracy=accuracy, note=note)
        task = ratings.task(context, number)
    if as_json:
        out_json(said)
        return
    out(f"{case}: completeness {said.completeness or '-'}, accuracy {said.accuracy or '-'}")
    left = len(task.case_ids) - task.rated
    say(f"{left} to go" if left else f"all are rated: curator sample-review finish {number}")


@sample_review.command("import")
def import_(
    ctx: typer.Context,
    number: Number,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="CSV or JSONL: caseId, completeness, accuracy.")],
    finish: Annotated[bool, typer.Option("--finish", help="Its raters have finished.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be entered; store nothing.")] = False,
    as_json: Json = False,
) -> None:
    """Enter ratings given elsewhere: columns caseId, completeness, accuracy, and if need be rater and note."""
    from curator.services.rating_import import import_ratings

    with opened(ctx) as context, progress() as shown:
        report = import_ratings(context, number, file, finish=finish, dry_run=dry_run, progress=shown)
    if as_json:
        out_json(report)
    else:
        new = f"{report.new} would be new" if dry_run else f"{report.new} new"
        out(f"{new}, {report.changed} changed, {report.same} the same, {len(report.rejected)} rejected")
        for row in report.rejected:
            say(f"! line {row.row}, {row.column}: {row.reason}")
        for warning in report.warnings:
            say(f"! {warning}")
    if report.rejected:
        raise typer.Exit(3)


@sample_review.command("finish")
def finish(ctx: typer.Context, number: Number, as_json: Json = False) -> None:
    """Say that you have finished: your ratings count from now on, and stay as they are."""
    from curator.services import ratings

    with opened(ctx) as context:
        done = ratings.finish(context, number)
    if as_json:
        out_json(done)
        return
    out(f"sample {number} finished: {done.rated} rated" + (f", {done.unrated} left out" if done.unrated else ""))


@sample_review.command("results")
def results(ctx: typer.Context, number: Number, as_json: Json = False) -> None:
    """Means and intervals by length, and how far raters agree. Who has seen them rates no more of the sample."""
    from curator.services.rating_results import results as told

    with opened(ctx) as context:
        found = told(context, number)
    if as_json:
        out_json(found)
    else:
        _print_results(found)


def _print_results(found: Results) -> None:
    said: Sampled = found.sampled
    people = f"{counted(len(said.raters), 'rater')} finished" + (
        f", {said.unfinished} not yet" if said.unfinished else ""
    )
    out(f"sample {said.sample}: {said.system} on {said.suite} {said.version}; {people}")
    if not found.ratings:
        say("nobody has finished: nothing to tell yet")
        return
    rows = [
        (s.measure, s.length_stratum, s.cases, s.ratings, f"{s.mean:.2f}", f"{s.low:.2f}-{s.high:.2f}", s.method,
         "! thin" if s.thin else "")
        if s.cases else (s.measure, s.length_stratum, 0, 0, "-", "-", s.method, "! not rated")
        for s in found.summaries
    ]  # fmt: skip
    table(("MEASURE", "LENGTH", "CASES", "RATINGS", "MEAN", "95%", "BY", ""), rows)
    for a in found.agreement:
        told = [
            f"{name} {f'{s.value:.2f}' if s.value is not None else f'- ({s.why})'}"
            for name, s in (("alpha", a.alpha), ("kappa", a.kappa), ("within one", a.within_one))
        ]
        out(f"agreement on {a.measure}, {counted(a.cases, 'case')} by {a.raters} raters: {', '.join(told)}")
    if not found.agreement:
        say("no output was rated by two: nothing is known of how far people agree")
    say("t: Student's t over cases, cut off at 1 and 5; bounded: Wilson's interval, where there is no spread; "
        "all: weighted by the lengths of the release")  # fmt: skip


@sample_review.command("export")
def export(
    ctx: typer.Context,
    name: Name,
    sample: Annotated[int, typer.Option("--sample", metavar="N", min=0, help="Only this sample; 0 = all.")] = 0,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="Else beside the release, in VERSION.ratings/."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Write human_ratings.jsonl of a release, with its JSON Schema: every sample that somebody has finished."""
    from curator.services.rating_results import export as written

    suite, _, version = name.partition("@")
    with opened(ctx) as context:
        made = written(context, suite, version, number=sample, target=output)
    if as_json:
        out_json(made)
        return
    out(made.path)
    say(f"{counted(made.samples, 'sample')}, {counted(made.ratings, 'rating')}")
    for number in made.without:
        say(f"sample {number} left out: nobody has finished it")
