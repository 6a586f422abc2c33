"""`curator gate`: whether a run may pass, and why not."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from curator.cli.console import out, out_json, out_text, progress, say
from curator.cli.options import Json
from curator.errors import CheckFailed, InputError, UsageError

if TYPE_CHECKING:
    from curator.cli.opening import Here
    from curator.domain.gate_report import GateReport
    from curator.progress import Progress
    from curator.services.gated_suite import GatedSuite
    from curator.settings import GateTable


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("gate")(gate)


def gate(
    ctx: typer.Context,
    run: Annotated[
        Path, typer.Argument(metavar="RUN.jsonl|RESULTS", help="Answers of a system; docs/gate.md lists the forms.")
    ],
    release: Annotated[
        str, typer.Argument(metavar="NAME[@VERSION]", help="A released suite; else what run.json says.")
    ] = "",
    suite: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="exports/NAME/VERSION, or a fetched holdout: needs no workspace."),
    ] = None,
    baseline: Annotated[
        Path | None, typer.Option(metavar="RUN.jsonl", help="An earlier run to compare with, case by case.")
    ] = None,
    align: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="The map of `curator align`, for ids of your own chunks.")
    ] = None,
    baseline_align: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="The map of the baseline, when its chunks are others.")
    ] = None,
    judge: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Scores of a judge: how far it agrees with the human ratings.")
    ] = None,
    ratings: Annotated[
        Path | None, typer.Option(metavar="FILE", help="human_ratings.jsonl; else the one beside the release.")
    ] = None,
    config: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Rules: the table `gate` of this TOML; else of the workspace.")
    ] = None,
    holdout: Annotated[
        str, typer.Option(metavar="REASON", help="Gate the holdout, and why: a look in the ledger.")
    ] = "",
    markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown.")] = False,
    junit: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write JUnit XML, a test for each case.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Hold a run against a released suite: exit 1 when it blocks, 3 when the run says nothing."""
    if markdown and as_json:
        raise UsageError("one form at a time", "--json or --markdown")
    from curator.services.gate import Beside
    from curator.services.gate import gate as hold

    here: Here = ctx.obj
    with progress() as shown:
        root = _root(here)
        table = _rules(config, root)
        against, trivial = _against(here, root, run, release, suite, holdout, shown)
        beside = Beside(baseline, align, baseline_align, judge, ratings, trivial)
        report = hold(run, against, table, beside, shown)
    if junit:
        _write(junit, report)
    if as_json:
        out_json(report)
    elif markdown:
        from curator.exporting.gate_markdown import gate_markdown

        out_text(gate_markdown(report))
    else:
        from curator.cli.gate_text import lines

        for line in lines(report):
            out(line)
    _end(report)


def _end(report: GateReport) -> None:
    """Raise for a verdict that is no pass."""
    first = report.blocks[0] if report.blocks else None
    if first and report.verdict == "none":
        raise InputError(f"no verdict: {first.text}", first.step)
    if first:
        more = f" (and {len(report.blocks) - 1} more)" if len(report.blocks) > 1 else ""
        raise CheckFailed(f"blocked: {first.text}{more}", first.step)


def _root(here: Here) -> Path | None:
    """The workspace that is named or here; None = there is none, and none is needed for a folder."""
    from curator import workspace as spaces

    if here.folder:
        return spaces.named(here.folder)
    try:
        return spaces.find(Path.cwd())
    except InputError:
        return None


def _rules(config: Path | None, root: Path | None) -> GateTable:
    from curator.environment import FILE_NAME
    from curator.settings import GateTable, load

    if config:
        return load(config).gate
    return load(root / FILE_NAME).gate if root else GateTable()


def _against(
    here: Here, root: Path | None, run: Path, release: str, folder: Path | None, holdout: str, shown: Progress
) -> tuple[GatedSuite, tuple[Path, ...]]:  # fmt: skip
    """The suite that the run is held against, and the runs of the trivial baselines."""
    from curator.services.gate import trivial_runs
    from curator.services.gated_suite import holdout_files, is_holdout, open_suite
    from curator.services.targets import released

    fetched = folder if folder and is_holdout(folder) else None
    if folder and release and not fetched:
        raise UsageError("a suite by its name or by its folder", "leave out NAME or --suite")
    if folder and not fetched:
        place = folder
    else:
        exports = (root or Path.cwd()) / "exports"
        place = Path(release) if "/" in release else released(exports, release or _named(run, shown))
    if not (holdout or fetched):
        suite = open_suite(place, shown)
        base = root or place.resolve().parents[2]
        return suite, trivial_runs(base, suite.suite, suite.version)
    files = holdout_files(place, shown)
    return _hidden(here, root, run, fetched, files, holdout, shown), ()


def _hidden(
    here: Here, root: Path | None, run: Path, fetched: Path | None, files: tuple[str, str, dict[str, str]],
    reason: str, shown: Progress,
) -> GatedSuite:  # fmt: skip
    """The holdout, after the look was entered."""
    from curator.services.gated_suite import holdout_suite

    name, version, hashes = files
    if root is None:
        raise UsageError(
            "a gate on the holdout is entered in the ledger, and there is no workspace here",
            "name the workspace with -w",
        )
    from curator.services.ledger import look_at_suite

    place = fetched or root / ".curator" / "holdout" / name / version
    with here.workspace as workspace:
        entry = look_at_suite(workspace.context, name, version, "gate", reason or f"run {run.name}")
    say(f"entered in the ledger as {entry}")
    return holdout_suite(place, hashes, name, version, shown)


def _named(run: Path, shown: Progress) -> str:
    """NAME@VERSION as run.json beside the run says it."""
    from curator.exporting.runs.reading import RunFile, files_of

    said = RunFile(files_of(run)[0], shown).settings()
    name, version = said.get("suite"), said.get("version")
    if not isinstance(name, str) or not isinstance(version, str):
        raise UsageError("it is not known which suite the run is of", "add NAME@VERSION, or --suite FOLDER")
    return f"{name}@{version}"


def _write(target: Path, report: GateReport) -> None:
    from curator.exporting.gate_junit import gate_junit
    from curator.services.publishing import write_report

    write_report(target, gate_junit(report))
    say(f"written to {target}")
