"""Is what is stored still what was stored? Everything here only reads; `mending` writes a mended copy.

The quick examination takes a second for 100 MB: SQLite's own check, references, the content hash of every case. The
full one reads every row and every file: history against rows, readings and events against their seals, releases
against their sums, kept files and copies, the search index. Codes and next steps stand in `docs/doctor.md`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from curator.domain.model import Model
from curator.environment import FILE_NAME
from curator.errors import CuratorError, StorageError
from curator.progress import Progress, Silent
from curator.services import surroundings
from curator.services.backup import DATABASE, newest_sound
from curator.services.context import Context
from curator.services.examined_files import copies, files, index, releases
from curator.store import cases, documents, soundness
from curator.store.database import examined
from curator.store.soundness import Found
from curator.text import counted

HINTS = {
    "structure": "`curator restore --here` puts the newest sound copy in its place; --repair saves what can be read",
    "reference": "--repair leaves out what points nowhere",
    "unreadable": "--repair saves what can be read",
    "case-hash": "--repair takes the case from its history",
    "case-columns": "save the case once more",
    "release-file": "take the folder from where it was published, or `curator suite release --reproduce`",
    "release-line": "take the database from a copy: `curator restore --here`",
    "source-file": "ingest the file once more, or take it from an archive",
    "copy": "delete it: the next one is made within a day",
    "copy-differs": "look at both; `curator restore --here` takes the copy",
    "index": "delete it: it is made again",
}
_OTHERWISE = "compare with a copy or an archive; --repair writes a mended copy"


class Problem(Model):
    """Something that is wrong: a code of `docs/doctor.md`, where, what, and the next step."""

    code: str
    where: str
    message: str
    hint: str = ""

    @property
    def told(self) -> str:
        """In one line."""
        return f"{self.code}: {self.where}: {self.message}"


class Examination(Model):
    """What was looked at, and what is wrong; no problem = sound."""

    full: bool = False
    schema_number: int
    sqlite: str
    documents: int = 0
    cases: int = 0
    files: int = 0
    problems: tuple[Problem, ...] = ()
    advice: tuple[str, ...] = ()


def examine(ctx: Context, *, full: bool = False, progress: Progress | None = None) -> Examination:
    """Look at an open workspace.

    Args:
        ctx: Open workspace.
        full: Every row and every file, not the database's structure and the cases alone.
        progress: One step a check.

    Raises:
        Cancelled: Stopped.
    """
    progress = progress or Silent()
    found: list[Found] = []
    advice: list[str] = []
    progress.stage("looking at the database", 2 + (len(soundness.FULL) if full else 0))
    found += _structure(ctx)
    progress.advance()
    for check in (soundness.case_hashes, *(soundness.FULL if full else ())):
        found += _checked(ctx, check, progress)
    looked = 0
    if full:
        advice += _unsealed(ctx)
        for look in (releases, files, copies, index):
            progress.stage(f"looking at the {look.__name__}")
            report = look(ctx, progress)
            found += report.found
            advice += report.advice
            looked += report.looked
    with contextlib.suppress(StorageError):
        advice += surroundings.warnings(ctx)
    documents_here, cases_here = _counts(ctx)
    return Examination(
        full=full,
        schema_number=_schema(ctx),
        sqlite=".".join(map(str, ctx.db.sqlite_version)),
        documents=documents_here,
        cases=cases_here,
        files=looked,
        problems=tuple(_problem(f) for f in found),
        advice=tuple(advice),
    )


def examine_closed(root: Path) -> Examination:
    """Look at the database of a workspace that cannot be opened; it is only read."""
    path = root / DATABASE
    found = examined(path) if path.is_file() else ["it is no file" if path.exists() else "it is not there"]
    copy = newest_sound(path.parent)
    step = f"`curator restore --here` puts back {copy.name}" if copy else "restore an archive: `curator restore`"
    problems = tuple(Problem(code="structure", where=path.name, message=f, hint=step) for f in found)
    return Examination(schema_number=0, sqlite="", problems=problems)


def not_opened(found: Examination, error: StorageError) -> Examination:
    """An examination of a sound database, with what keeps it from being opened."""
    where = Path(DATABASE).name
    problem = Problem(code="not-opened", where=where, message=error.message.removeprefix(f"{where}: "), hint=error.hint)
    return found.model_copy(update={"problems": (*found.problems, problem)})


def with_settings(found: Examination, wrong: CuratorError | None) -> Examination:
    """An examination, with what is wrong with `curator.toml`."""
    if wrong is None:
        return found
    problem = Problem(code="settings", where=FILE_NAME, message=wrong.message.removeprefix(f"{FILE_NAME}: "),
                      hint=f"{FILE_NAME}: {wrong.hint}")  # fmt: skip
    return found.model_copy(update={"problems": (problem, *found.problems)})


def _problem(found: Found) -> Problem:
    return Problem(**found._asdict(), hint=HINTS.get(found.code, _OTHERWISE))


def _structure(ctx: Context) -> list[Found]:
    try:
        return [
            Found("reference" if said.endswith("points nowhere") else "structure", ctx.db.path.name, said)
            for said in ctx.db.check()
        ]
    except CuratorError as error:
        return [Found("structure", ctx.db.path.name, error.message.removeprefix(f"{ctx.db.path.name}: "))]


def _checked(ctx: Context, check: soundness.Check, progress: Progress) -> Iterator[Found]:
    """What a check finds, up to where the file cannot be read any more."""
    try:
        with ctx.db.read() as tx:
            for found in check(tx):
                progress.checkpoint()
                yield found
    except StorageError as error:
        yield Found("unreadable", ctx.db.path.name, error.message.removeprefix(f"{ctx.db.path.name}: "))
    except (ValueError, TypeError) as error:  # a value of another kind than its column
        yield Found("unreadable", ctx.db.path.name, f"a row cannot be read: {type(error).__name__}")
    progress.advance()


def _unsealed(ctx: Context) -> list[str]:
    try:
        with ctx.db.read() as tx:
            old, readings = soundness.unsealed(tx)
    except StorageError:
        return []
    if not old + readings:
        return []
    what = f"{counted(old, 'event')} and {counted(readings, 'reading')}"
    return [f"{what} were stored before they had a hash of their own: of these only a copy tells whether they changed"]


def _counts(ctx: Context) -> tuple[int, int]:
    try:
        with ctx.db.read() as tx:
            return documents.count(tx), cases.count(tx)
    except StorageError:
        return 0, 0


def _schema(ctx: Context) -> int:
    try:
        return ctx.db.schema
    except StorageError:
        return 0
