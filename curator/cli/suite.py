"""`curator suite`: releases of suites."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from curator.cli import suite_versions
from curator.cli.console import out, out_json, progress, say, table
from curator.cli.opening import opened
from curator.cli.options import Json
from curator.errors import CuratorError, UsageError
from curator.text import counted

if TYPE_CHECKING:
    from curator.cli.opening import Here
    from curator.services.context import Context
    from curator.services.earlier import Rule
    from curator.services.release import Released
    from curator.services.verifying import Verified

suite = typer.Typer(help="Suites: release, compare, verify, yank.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Add the group."""
    suite_versions.register(suite)
    app.add_typer(suite, name="suite")


@suite.command("list")
def list_(ctx: typer.Context, as_json: Json = False) -> None:
    """List the suites of curator.toml with their cases, gaps and versions, and those that were released before."""
    from curator.services.release import suites

    with opened(ctx) as context:
        found = suites(context, former=True)
    if as_json:
        out_json(found)
        return
    rows = []
    for s in found:
        gaps = "; ".join(g.words for g in s.gaps) or "none"
        gone = f" (yanked: {', '.join(s.yanked)})" if s.yanked else ""
        cases = str(s.cases) if s.is_configured else "-"
        rows.append((s.name, cases, (s.latest or "-") + gone, gaps if s.is_configured else "not in curator.toml"))
    table(("SUITE", "CASES", "LATEST", "GAPS"), rows, empty="no suites: add [suites.NAME] to curator.toml")


@suite.command("release")
def release(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Suite of curator.toml.")] = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be released; write nothing.")] = False,
    waive: Annotated[
        str, typer.Option(metavar="REASON", help="Let every gap and leak pass; the manifest says why.")
    ] = "",
    hold_stale: Annotated[
        bool, typer.Option("--hold-stale", help="Keep stale cases in their last released form; else they are left out.")
    ] = False,
    revision: Annotated[
        list[str] | None,
        typer.Option(metavar="DOCUMENT=REVISION", help="Judge against this revision, not the current one. Repeatable."),
    ] = None,
    sources: Annotated[
        str, typer.Option(metavar="cited|all", help="Release the cited sources, or all of the cited documents.")
    ] = "cited",
    reproduce: Annotated[
        Path | None, typer.Option(metavar="MANIFEST", help="Make the bytes of this manifest again and compare.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Freeze the approved cases of a suite as its next version, whole or not at all."""
    if bool(name) == bool(reproduce):
        raise UsageError("name a suite, or a manifest to reproduce", "`curator suite list` shows the suites")
    rule = _rule(revision or [], hold_stale, sources)
    with opened(ctx) as context:
        if reproduce:
            _reproduce(context, reproduce, as_json)
        else:
            _release(context, name, dry_run, waive, rule, as_json)


def _rule(revisions: list[str], hold_stale: bool, sources: str) -> Rule:
    from curator.domain.suite import SOURCE_CHOICES
    from curator.services.earlier import Rule

    pairs = [r.partition("=") for r in revisions]
    if bad := next((r for r, (d, _, v) in zip(revisions, pairs, strict=True) if not (d and v)), None):
        raise UsageError(f"--revision {bad!a} is no DOCUMENT=REVISION", "`curator docs list` shows the revisions")
    choice = next((c for c in SOURCE_CHOICES if c == sources), None)
    if choice is None:
        raise UsageError(f"--sources {sources!a}", f"use {' or '.join(SOURCE_CHOICES)}")
    chosen = {document: label for document, _, label in pairs}
    return Rule(revisions=chosen, hold_stale=hold_stale, sources=choice)


def _release(context: Context, name: str, dry_run: bool, waive: str, rule: Rule, as_json: bool) -> None:
    from curator.services.obstacles import Refused
    from curator.services.release import release

    try:
        with progress() as shown:
            made = release(context, name, dry_run=dry_run, waive=waive, rule=rule, progress=shown)
    except Refused as refused:
        for obstacle in refused.obstacles:
            say(f"! {obstacle.line}")
        raise
    if as_json:
        out_json(made)
        return
    _tell(made)


def _tell(made: Released) -> None:
    counts = ", ".join(f"{n} {p}" for p, n in made.counts.items() if n)
    words = {"new": "released", "same": "has nothing new since", "dry run": "would be"}
    level = f", {made.level}" if made.parent and made.level != "none" else ""
    nothing = made.outcome == "dry run" and made.parent and made.level == "none"
    after = f" after {made.parent}" if made.parent and made.outcome != "same" else ""
    if nothing:
        out(f"{made.suite} has nothing new since {made.parent}: {counted(made.cases, 'case')} ({counts})")
    else:
        out(
            f"{made.suite} {words[made.outcome]} {made.version}{after}{level}: {counted(made.cases, 'case')} ({counts})"
        )
    standing = {o.name for o in made.obstacles}
    for gap in made.gaps:
        if gap.name not in standing:
            say(f"gap, let pass: {gap.words}")
    for obstacle in made.obstacles:
        say(f"{obstacle.kind}: {obstacle.line}")
    if made.outcome == "new":
        out(f"  {made.folder}")
        if made.holdout:
            out(f"  {made.holdout} (holdout; git-ignored)")
    if made.unverified:
        them = "it" if made.unverified == 1 else "them"
        out(f"  {counted(made.unverified, 'case')} left out: imported as approved, nobody has confirmed {them} here")
    if made.outcome != "same":
        _tell_changes(made)


def _tell_changes(made: Released) -> None:
    """Why the version is called so, case by case."""
    from curator.domain.suite_diff import sources_note

    if made.follows_yanked:
        out(f"  {made.parent} is yanked: this one follows it, with the same cases")
    if made.schema_before:
        out(f"  the schema of the lines is another than {made.schema_before}")
    if made.sources_before:
        out(f"  sources.jsonl: {sources_note(made.sources_before, made.source_choice)} (patch)")
    elif made.source_choice == "all":
        out(f"  sources.jsonl: all {counted(made.sources, 'source')} of the cited documents")
    for stale in made.stale:
        what = "held in its last released form" if stale.held else "left out"
        out(f"  {stale.id}: stale{f' by {stale.document_id}' if stale.document_id else ''}, {what}")
    if made.parent or made.outcome == "dry run":
        for change in made.changes:
            suite_versions.tell_change(change, is_short=not made.parent)


def _reproduce(context: Context, manifest: Path, as_json: bool) -> None:
    from curator.services.reproduce import reproduce

    with progress() as shown:
        made = reproduce(context, manifest, progress=shown)
    if as_json:
        out_json(made)
    else:
        for name in made.same:
            out(f"same       {name}")
        for name in made.different:
            out(f"different  {name}")
        out(f"{made.suite} {made.version}: " + ("other bytes" if made.different else "the same bytes"))
    if made.different:
        raise typer.Exit(1)


@suite.command("verify")
def verify(
    ctx: typer.Context,
    folder: Annotated[
        str, typer.Argument(metavar="PATH", help="exports/SUITE/VERSION, exports/SUITE, or NAME[@VERSION].")
    ],
    holdout: Annotated[
        Path | None, typer.Option(help="Folder of its holdout pair, to be checked too; else that of the workspace.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Check a released folder: every byte, every rule, and line by line what differs from what was released here."""
    found = _verified(ctx.obj, folder, holdout)
    problems = [p for v in found for p in v.problems]
    if as_json:
        versions = [v.model_dump(mode="json", by_alias=True) for v in found]
        out_json({"path": folder, "problems": problems, "versions": versions})
    else:
        for version in found:
            for problem in version.problems:
                out(f"{version.version}: {problem}" if len(found) > 1 else problem)
            if version.yanked:
                say(f"{version.version} is {version.yanked}; take a later version")
            if not version.holdout:
                say(f"{version.version}: without its holdout: that is not here")
        out(f"{folder}: " + (counted(len(problems), "problem") if problems else "sound"))
    if problems:
        raise typer.Exit(1)


def _verified(here: Here, text: str, holdout: Path | None) -> tuple[Verified, ...]:
    """The folder verified, with the workspace that it lies in, when there is one that can be opened."""
    from curator.services.targets import released
    from curator.services.verifying import verified

    try:
        workspace = here.workspace
    except CuratorError:
        workspace = None
    path = Path(text)
    if workspace is not None and not path.exists() and "/" not in text:
        exports = workspace.root / "exports"
        path = released(exports, text) if "@" in text or (exports / text).is_dir() else path
    with progress() as shown:
        if workspace is None or workspace.root.resolve() not in path.resolve().parents:
            return verified(path, holdout, progress=shown)
        try:
            with workspace:
                from curator.services.released_version import recorded

                return verified(path, holdout, recorded=recorded(workspace.context), progress=shown)
        except ModuleNotFoundError as error:  # the light install of a CI machine, in a checkout of the workspace
            why = f"{error.name} is not installed"
        except CuratorError as error:
            why = error.message
        if path.is_dir() and (holdout is None or holdout.is_dir()):
            say(f"not compared with what this workspace recorded: {why}")
        return verified(path, holdout, progress=shown)
