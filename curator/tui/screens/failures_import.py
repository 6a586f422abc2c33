"""A log becomes failures: a dry run is shown first, then it is imported behind a line that can be stopped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Static

from curator.errors import Cancelled, CuratorError, UsageError
from curator.text import one_line
from curator.tui.import_report import counts, list_errors, preview_lines, rejected_lines
from curator.tui.paths import completions
from curator.tui.progress import AppProgress
from curator.tui.screens.ask import Ask, Question
from curator.tui.screens.choose import Choose
from curator.tui.screens.dialog import Dialog
from curator.tui.screens.working import Job, Working
from curator.tui.widgets.footline import Footline
from curator.tui.widgets.safe import flat, plain, titled

if TYPE_CHECKING:
    from curator.parsing.logs import Profile
    from curator.services.context import Context
    from curator.services.failure_import import LogReport

IMPORT = "import a log"
"""What errors are listed under: the name of the file may hold a person's."""
FORMS = ("format", "encoding", "delimiter", "header")


@dataclass
class LogJob(Job):
    """One import: the file, how it is read."""

    path: Path
    how: str
    dry_run: bool
    encoding: str = ""

    def line(self) -> str:
        """What is done, and how many records it has come to."""
        now = self.snapshot
        what = "looking through" if self.dry_run else "importing"
        share = f"{now.done:,} of {now.total:,}" if now.total else f"{now.done:,} records"
        doing = f" · {now.stage}" if now.stage and not now.stage.startswith("reading") else ""
        return f"⟳ {what} {flat(self.path.name)}{doing} · {share} · {self.stopping()}"

    def state(self) -> str:
        """How many records it has come to."""
        return f"⟳ {self.snapshot.done:,}"


class Preview(Dialog[str]):
    """What a dry run of a log or a list came to: "import" or "map"; None = nothing is to be done."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y,enter", "answer('import')", "import"),
        Binding("m", "answer('map')", "other columns"),
        Binding("n", "close", "no"),
    ]

    def __init__(self, path: Path, lines: Sequence[str]) -> None:
        super().__init__()
        self._path, self._lines = path, lines

    def compose(self) -> ComposeResult:
        """Counts, columns, the first five rows."""
        with VerticalScroll(classes="box") as box:
            titled(box, f"dry run: {self._path.name}", "y or enter: import · m: other columns · esc: no")
            yield Static(plain("\n".join(self._lines)))
        yield Footline()

    def on_mount(self) -> None:
        """It can be scrolled at once."""
        self.set_focus(self.query_one(VerticalScroll))

    def action_answer(self, answer: str) -> None:
        """Go on."""
        self.dismiss(answer)


def told(report: LogReport) -> list[str]:
    """What an import, or a dry run of it, came to; every text on one line."""
    lines = [counts(report)]
    lines.append("columns: " + "; ".join(f"{f} = {one_line(c, 60)}" for f, c in report.mapping.items()))
    lines.append(" · ".join(p for p in (report.format, report.encoding) if p))
    if report.masked:
        said = ", ".join(f"{n} {kind.replace('_', ' ')}" for kind, n in report.masked.items())
        lines.append(f"replaced before anything is written: {said}")
    if report.quarantined:
        lines.append("! nobody looks for names: its rows wait in quarantine until each was read and confirmed")
    lines += [f"left out: {n}, {reason}" for reason, n in report.skipped.items()]
    lines += [f"! {one_line(w)}" for w in report.warnings if "quarantine" not in w]
    lines += rejected_lines(report)
    lines.append(f"index of foldings: up to {report.index_bytes / 1e6:.1f} MB of memory")
    return [*lines, *preview_lines(report.preview)]


class ImportingLogs(Working):
    """The part of the room that imports logs, one after another."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("i", "import_log", "import a log"),
        Binding("x", "stop", "stop the import"),
    ]
    BUSY = "one log after another: x stops the one that is being read"

    def imported(self, report: LogReport) -> None:
        """A log is in: show what came of it."""
        raise NotImplementedError

    def action_import_log(self) -> None:
        """Ask for a file."""
        self._ask_for("", "")

    def _ask_for(self, path: str, how: str, said: str = "") -> None:
        questions = [
            Question("log file (CSV, JSON, JSONL, spans, tickets, Parquet, XLSX)", path, is_file, completions,
                     "tab completes"),
            Question("a profile, or columns (may be empty)", how, hint="question=3 answer=4 join=feedback.csv"),
        ]  # fmt: skip
        self.app.push_screen(Ask("import a log", questions, said, kept="import a log"), self._asked_for_log)

    def _asked_for_log(self, answer: tuple[str, ...] | None) -> None:
        if answer is not None:
            self._begin(Path(answer[0].strip()).expanduser(), answer[1].strip(), dry_run=True)

    def _begin(self, path: Path, how: str, *, dry_run: bool, encoding: str = "") -> None:
        if not (number := self.next_number()):
            return
        job = LogJob(number, path, how, dry_run, encoding)
        progress = self.take_up(job)
        self.ask(
            partial(_import, job, progress), partial(self._over, job), doing=IMPORT,
            failed=partial(self._not_imported, job), reads=dry_run,
        )  # fmt: skip
        self._paint_job()

    def _over(self, job: LogJob, report: LogReport) -> None:
        self._job = None
        if job.dry_run:
            self._paint_job()
            self.app.push_screen(Preview(job.path, told(report)), partial(self._previewed, job))
            return
        folded = f"{report.folded:,} folded, {report.asked:,} asked about"
        self._job_said = f"✓ {flat(job.path.name)}: {counts(report)}; {folded}"
        list_errors(self.curator, IMPORT, report)
        if report.rejected:
            self._job_said += " (F12 lists what was rejected)"
        self._paint_job()
        self.imported(report)

    def _previewed(self, job: LogJob, answer: str | None) -> None:
        if answer == "map":
            self._ask_for(str(job.path), job.how)
        elif answer:
            self._begin(job.path, job.how, dry_run=False, encoding=job.encoding)

    def _not_imported(self, job: LogJob, error: Exception) -> bool:
        from curator.parsing.logs import Unsure

        self._job = None
        if isinstance(error, Cancelled):
            kept = "" if job.dry_run else ": what was stored before is kept whole, the same file goes on from there"
            self._job_said = f"· stopped{kept}"
            self._paint_job()
            if not job.dry_run:
                self.refresh_room()
            return True
        self._paint_job()
        if isinstance(error, Unsure) and error.choices:
            options = [(c, c) for c in error.choices]
            self.app.push_screen(Choose("how is it encoded?", options, said=error.message), partial(self._encoded, job))
            return True
        if isinstance(error, UsageError) and job.dry_run:
            self._ask_for(str(job.path), job.how, f"! {error.message}: {error.hint}")
            return True
        if isinstance(error, CuratorError):
            self._job_said = f"! {one_line(error.message)}"
            self._paint_job()
        return False

    def _encoded(self, job: LogJob, answer: tuple[str, ...] | None) -> None:
        if answer:
            self._begin(job.path, job.how, dry_run=True, encoding=answer[0])

    def forget_job(self) -> None:
        """What an import came to was read: its line goes."""
        self._job_said = ""
        self._paint_job()


def _import(job: LogJob, progress: AppProgress, ctx: Context) -> LogReport:
    """In the worker. Who confirms the dry run of a log in which nobody looks for names accepts the quarantine."""
    from curator.services.failure_import import import_log

    how, join = profile_of(ctx, job.how, job.encoding)
    return import_log(
        ctx, job.path, profile=how, join=join, dry_run=job.dry_run, accept_residual_names=True, progress=progress
    )


def profile_of(ctx: Context, said: str, encoding: str = "") -> tuple[Profile, Path | None]:
    """How a log is read, and the file with feedback that is joined to it, from what was typed.

    That is the name of a saved profile, columns, how its text is written, `join=FILE`.

    Raises:
        UsageError: There is no such profile, or an entry is neither.
    """
    from curator.parsing.logs import FIELDS, Profile
    from curator.services import profiles

    base = Profile()
    given: dict[str, object] = {"encoding": encoding} if encoding else {}
    columns: dict[str, str] = {}
    join: Path | None = None
    for entry in said.replace(",", " ").split():
        name, equals, value = entry.partition("=")
        if not equals:
            base = profiles.named(ctx, name)
        elif name == "join":
            join = Path(value).expanduser()
        elif name in FORMS:
            given[name] = value.casefold() in ("yes", "true", "1") if name == "header" else value
        elif name in FIELDS:
            columns[name] = value
        else:
            raise UsageError(f"there is no field {name!a}", f"use one of {', '.join((*FIELDS, *FORMS, 'join'))}")
    try:
        how = Profile.model_validate({**base.model_dump(), **given, "columns": {**base.columns, **columns}})
    except ValueError:
        raise UsageError("no such format, or a delimiter of more than one character", "such as format=table") from None
    return how, join


def is_file(text: str) -> str:
    """What is wrong with a path, "" = there is a file."""
    if not text.strip():
        return "a path is needed"
    return "" if Path(text.strip()).expanduser().is_file() else "no such file"
