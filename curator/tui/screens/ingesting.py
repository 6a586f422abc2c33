"""Ingestion: a bar for the pages of the file at work and one for the files; it goes on while one works elsewhere."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.widgets import Static

from curator.errors import Cancelled
from curator.tui.messages import ProgressChanged
from curator.tui.progress import AppProgress, Snapshot
from curator.tui.screens.ask import Ask, Question
from curator.tui.screens.offering import Offering, revised
from curator.tui.screens.renaming import ask_new_name
from curator.tui.widgets.filtered_list import FilteredList
from curator.tui.widgets.safe import flat, plain, titled

if TYPE_CHECKING:
    from curator.services.context import Context
    from curator.services.ingest import Ingested

BAR = 24
SHOWN_JOBS = 6


@dataclass
class Job:
    """One ingestion: its files, how far it is, and what became of the files."""

    number: int
    files: int = 0
    begun: int = 0
    snapshot: Snapshot = field(default_factory=Snapshot)
    stop: threading.Event = field(default_factory=threading.Event)
    over: str = ""

    def line(self) -> str:
        """A bar over the pages of the file at work, and which file of how many it is."""
        now = self.snapshot
        name = flat(now.stage) or "…"
        if self.over:
            return self.over
        share = now.done / now.total if now.total else 0.0
        filled = round(share * BAR)
        count = f"page {now.done}/{now.total}" if now.total else ""
        pages = f"{name}\n{'█' * filled}{'░' * (BAR - filled)} {share:4.0%}  {count}"
        if self.files < 2:
            return pages
        whole = round((self.begun - 1 + share) / self.files * BAR)
        return f"{pages}\n{'█' * whole}{'░' * (BAR - whole)}       file {self.begun} of {self.files}"


class Ingesting(Offering):
    """The part of Sources that ingests, and names what was ingested."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("i", "ingest", "ingest a PDF"),
        Binding("x", "stop", "stop ingesting"),
        Binding("R", "rename", "rename the document", show=False, key_display="R"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._jobs: list[Job] = []
        self._said: list[str] = []

    def compose_jobs(self) -> Iterator[Static]:
        """Where the bars stand, while there are any."""
        jobs = Static("", id="jobs")
        titled(jobs, "ingesting")
        yield jobs

    def ingested(self, document_id: str) -> None:
        """A file is done; "" when it was not taken."""
        raise NotImplementedError

    def action_rename(self) -> None:
        """Give the document under the cursor another id."""
        row = self.query_one("#documents", FilteredList).list.row
        if row is not None:
            ask_new_name(self, row.id, lambda done: self.ingested(done.after))

    def action_ingest(self) -> None:
        """Ask for a file or a folder."""
        questions = [
            Question("PDF file, or a folder of them", check=_is_there, complete=_completions, hint="tab completes"),
            Question("domain (may be empty)", hint="school-health"),
            Question("document type (may be empty)", hint="guideline, regulation, filing …"),
        ]
        self.app.push_screen(Ask("ingest", questions), self._asked)

    def _asked(self, answer: tuple[str, ...] | None) -> None:
        ctx = self.curator.ctx
        if answer is None or ctx is None:
            return
        path, domain, kind = answer
        job = Job(len(self._jobs) + 1)
        self._jobs.append(job)
        progress = AppProgress(lambda s: self.post_message(ProgressChanged(job.number, s)), job.stop)
        self.ask(
            partial(self._ingest, job, Path(path.strip()).expanduser(), domain.strip(), kind.strip(), progress),
            partial(self._over, job),
            doing=f"ingest {path}",
            failed=partial(self._failed, job),
        )
        self._paint_jobs()

    def _ingest(
        self, job: Job, path: Path, domain: str, kind: str, progress: AppProgress, ctx: Context
    ) -> list[Ingested]:
        """In the worker: one call a file, so that every file is told when it is done."""
        from curator.parsing import iter_pdf_files
        from curator.services.ingest import Confirm, Facts, ingest

        facts = Facts(domain=domain, document_type=kind)
        files = list(iter_pdf_files([path]))
        job.files = len(files)
        found: list[Ingested] = []
        for n, file in enumerate(files, 1):
            job.begun = n
            progress.checkpoint()

            def one(told: Facts, confirm: Confirm | None, path: Path = file) -> Ingested:
                return ingest(ctx, [path], told, confirm=confirm, progress=progress)[0]

            found.append(self.take_in(ctx, facts, progress, one))
            self.app.call_later(self._file_done, found[-1])
        return found

    def _file_done(self, result: Ingested) -> None:
        if _was_left(result):
            self._said.append(f"· {flat(result.file)}: left, nothing was stored")
        elif result.outcome == "rejected":
            reason = flat(result.reason)
            self._said.append(f"! {reason}" if result.file in reason else f"! {flat(result.file)}: {reason}")
            self.curator.list_error(f"ingest {result.file}", result.reason)
        else:
            warned = f", {len(result.warnings)} warnings" if result.warnings else ""
            what = revised(result) if result.outcome == "changed" else result.outcome
            self._said.append(f"✓ {flat(result.file)}: {what}, {result.pages} pages, {result.rows} rows{warned}")
            for warning in result.warnings:
                self.curator.list_error(f"read {result.file}", warning)
        self.ingested(result.document_id)
        self._paint_jobs()

    def _over(self, job: Job, found: list[Ingested]) -> None:
        job.over = "done"
        if not found:
            self._said.append("! no PDF file is there")
        self._paint_jobs()
        refused = sum(r.outcome == "rejected" and not _was_left(r) for r in found)
        if refused and not self.is_current:
            said = f"{refused} of {len(found)} files not taken: F12 says why"
            self.notify(said, severity="warning", markup=False)

    def _failed(self, job: Job, error: Exception) -> bool:
        job.over = "stopped" if isinstance(error, Cancelled) else "failed"
        if isinstance(error, Cancelled):
            self._said.append("· stopped: the documents before are kept whole")
        self._paint_jobs()
        return isinstance(error, Cancelled)

    def on_progress_changed(self, message: ProgressChanged) -> None:
        """Paint the bar."""
        message.stop()
        job = self._jobs[message.job - 1]
        job.snapshot = message.snapshot
        if not job.over:
            self._paint_jobs()

    def _paint_jobs(self) -> None:
        running = [j for j in self._jobs if not j.over]
        lines = [j.line() for j in running]
        box = self.query_one("#jobs", Static)
        box.update(plain("\n".join([*self.offers_said(), *self._said[-SHOWN_JOBS:], *lines])))
        box.display = bool(lines or self._said)
        titled(box, "ingesting · x: stop" if running else "ingested")
        self.refresh_bindings()
        state = ""
        if running:
            now = running[-1].snapshot
            state = f"⟳ {now.done}/{now.total}" if now.total else "⟳ reading"
        if self._offers:
            state, lines = "? F2 asks", [*lines, "? a file waits for an answer: F2"]
        self.curator.work_changed(state, "\n".join(lines))

    def action_stop(self) -> None:
        """Stop after the step that is being done; whole documents are kept."""
        self.stop_all()

    def stop_all(self) -> None:
        """Ask every job to stop."""
        for job in self._jobs:
            job.stop.set()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """There must be something to stop."""
        if action == "stop":
            return any(not j.over for j in self._jobs)
        return super().check_action(action, parameters)


def _was_left(result: Ingested) -> bool:
    return result.outcome == "rejected" and result.offer is not None


def _is_there(text: str) -> str:
    if not text.strip():
        return "a path is needed"
    return "" if Path(text.strip()).expanduser().exists() else "no such file or folder"


def _completions(text: str) -> list[str]:
    """Files and folders that a path may go on to; folders end in a slash."""
    head, slash, begun = text.rpartition("/")
    folder = Path((head or "/") if slash else ".").expanduser()
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        return []
    fitting = [e for e in entries if e.name.startswith(begun) and (begun.startswith(".") or not e.name.startswith("."))]
    wanted = [e for e in fitting if e.is_dir() or e.suffix.lower() == ".pdf"]
    return [f"{head}{slash}{e.name}{'/' if e.is_dir() else ''}" for e in wanted]
