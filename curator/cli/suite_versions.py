"""`curator suite diff | editorial | yank | fetch-holdout`: what comes after a release."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from curator.cli.console import out, out_json, out_text, progress, say
from curator.cli.opening import opened
from curator.cli.options import Json
from curator.errors import CuratorError, UsageError
from curator.text import counted

if TYPE_CHECKING:
    from curator.cli.opening import Here
    from curator.domain.changes import CaseChange, FieldChange
    from curator.domain.suite_diff import SuiteDiff

LEVELS = ("major", "minor", "patch")
_QUESTION = 100


def register(suite: typer.Typer) -> None:
    """Add the commands to the group."""
    for name, command in (("diff", diff), ("editorial", editorial), ("yank", yank), ("fetch-holdout", fetch)):
        suite.command(name)(command)


def diff(
    ctx: typer.Context,
    one: Annotated[str, typer.Argument(metavar="A", help="VERSION, NAME@VERSION, NAME (its latest), or a folder.")],
    two: Annotated[str, typer.Argument(metavar="B", help="As A.")],
    as_json: Json = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown, for a pull request.")] = False,
    fail_on: Annotated[
        str, typer.Option(metavar="major|minor|patch", help="Exit 1 when the difference is of this level or above.")
    ] = "",
) -> None:
    """Compare two released versions case by case; two folders need no workspace."""
    from curator.services import suite_diff

    if as_json and markdown:
        raise UsageError("--json or --markdown, not both", "leave one out")
    if fail_on and fail_on not in LEVELS:
        raise UsageError(f"--fail-on {fail_on!a}", f"use one of {', '.join(LEVELS)}")
    folders = suite_diff.resolved(_exports(ctx.obj, one, two), one, two)
    with progress() as shown:
        found = suite_diff.diff(*folders, progress=shown)
    if as_json:
        out_json(found)
    elif markdown:
        from curator.exporting.diff_markdown import diff_markdown

        out_text(diff_markdown(found, suite_diff.words))
    else:
        _tell(found)
    if fail_on and found.level in LEVELS[: LEVELS.index(fail_on) + 1]:
        raise typer.Exit(1)


def _exports(here: Here, one: str, two: str) -> Path | None:
    """The exports/ of the workspace, where a version is named; None = there is no workspace."""
    if all("/" in text or Path(text).is_dir() for text in (one, two)):
        return None
    try:
        return here.workspace.root / "exports"
    except CuratorError:
        if here.folder:
            raise
        return None


def _tell(found: SuiteDiff) -> None:
    one, two = found.one, found.two
    names = f"{two.suite} {one.version} → {two.version}"
    if one.suite != two.suite:
        names = f"{one.suite} {one.version} → {two.suite} {two.version}"
    level = "nothing differs" if found.level == "none" and not found.notes else found.level
    out(f"{names}: {level}; {found.summary}; {one.cases} → {two.cases} cases; holdout: {found.holdout}")
    for side in (one, two):
        if side.yanked:
            out(f"! {side.suite} {side.version} is {side.yanked}")
    for note in found.notes:
        out(f"  {note}")
    for change in sorted(found.changes, key=lambda c: (LEVELS.index(c.level) if c.level in LEVELS else 9, c.id)):
        tell_change(change, question=change.question, is_hidden=change.is_hidden)


def tell_change(change: CaseChange, *, question: str = "", is_hidden: bool = False, is_short: bool = False) -> None:
    """One case: what happened, why it counts as what it does, and word by word what differs."""
    if is_short:
        out(f"  {change.id}: {change.what} ({change.level})")
        return
    fields = f": {', '.join(change.fields)}" if change.fields else ""
    out(f"{change.level:<5}  {change.id} {change.what}{' (holdout)' if is_hidden else ''}{fields}")
    if question:
        out(f"       {question[:_QUESTION]}{'…' if len(question) > _QUESTION else ''}")
    if change.reason:
        out(f"       reason: {change.reason}" + (f" ({change.editorial}: wording alone)" if change.editorial else ""))
    for field in change.details:
        out(f"       {field.level:<5} {field.path}: {marked(field)} ({field.why})")


def marked(change: FieldChange) -> str:
    """Both texts of a change as one: [-what is gone-]{+what is new+}."""
    from curator.domain.revision import SIGNS
    from curator.services.suite_diff import words

    told = []
    for piece in words(change):
        start, end = SIGNS[piece.kind] if piece.kind != "both" else ("", "")
        text = piece.text.rstrip()
        told.append(f"{start}{text}{end}{piece.text[len(text) :]}")
    return "".join(told)


def editorial(
    ctx: typer.Context,
    cases: Annotated[list[str], typer.Argument(metavar="CASE...", help="Cases that were released before.")],
    reason: Annotated[str, typer.Option(metavar="TEXT", help="What was changed; stands in CHANGES.md.")] = "",
    withdraw: Annotated[bool, typer.Option("--withdraw", help="Withdraw the marks of these cases.")] = False,
    as_json: Json = False,
) -> None:
    """Say, as a second person, that only the wording of cases changed since their release: a PATCH, not a MAJOR."""
    from curator.services import editorial as marks

    with opened(ctx) as context:
        if withdraw:
            counts = {name: marks.withdraw(context, name, reason) for name in cases}
            if as_json:
                out_json(counts)
            else:
                for name, count in counts.items():
                    out(f"{name}: {counted(count, 'mark')} withdrawn")
            return
        made = marks.mark(context, cases, reason)
    if as_json:
        out_json(made)
        return
    for name in dict.fromkeys(m.case_id for m in made):
        out(f"{name}: marked editorial")


def _name_and_version(text: str) -> tuple[str, str]:
    name, at, version = text.partition("@")
    if not (name and at and version):
        raise UsageError(f"{text!a} is no NAME@VERSION", "for example school-health@1.0.0")
    return name, version


def yank(
    ctx: typer.Context,
    release: Annotated[str, typer.Argument(metavar="NAME@VERSION", help="A released version.")],
    reason: Annotated[str, typer.Option(metavar="TEXT", help="Why nobody should use it any more.")] = "",
    as_json: Json = False,
) -> None:
    """Say of a released version that it is to be used no more; export, gate and load_suite refuse it from then on."""
    from curator.services import yanking

    name, version = _name_and_version(release)
    with opened(ctx) as context:
        made = yanking.yank(context, name, version, reason)
    if as_json:
        out_json(made)
        return
    out(f"{made.suite} {made.version} is yanked: {made.reason}")
    say(f"commit {made.file}: it is how others learn of it")


def fetch(
    ctx: typer.Context,
    release: Annotated[str, typer.Argument(metavar="NAME@VERSION", help="A released version.")],
    to: Annotated[Path, typer.Option(metavar="DIR", help="A folder that is empty or not there.")],
    reason: Annotated[str, typer.Option(metavar="TEXT", help="What it is wanted for; stands in the ledger.")] = "",
    as_json: Json = False,
) -> None:
    """Copy the holdout of a version out of the workspace; who did it, when and why stands in the ledger."""
    from curator.services.fetching import fetch_holdout

    name, version = _name_and_version(release)
    with opened(ctx) as context, progress() as shown:
        made = fetch_holdout(context, name, version, to, reason, progress=shown)
    if as_json:
        out_json(made)
        return
    out(f"{made.suite} {made.version}: {counted(made.cases, 'case')} of the holdout in {made.folder}")
    say(f"entry {made.entry} of the ledger (`curator partition ledger`); delete the folder when it has served")
