"""Ingestion: a bar for the pages of the file at work and one for the files; it goes on while one works elsewhere."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Static

from curator.errors import Cancelled, InputError
from curator.text import counted
from curator.tui.messages import OpenDocument, ProgressChanged
from curator.tui.paths import pdf_completions
from curator.tui.progress import AppProgress, Snapshot
from curator.tui.screens.ask import Ask, Question
from curator.tui.screens.confirm import Confirm
from curator.tui.screens.offering import Offering, revised
from curator.tui.screens.renaming import ask_new_name
from curator.tui.widgets.filtered_list import FilteredList
from curator.tui.widgets.safe import flat, plain, titled

if TYPE_CHECKING:
    from curator.services.context import Context
    from curator.services.ingest import Confirm as Confirming
    from curator.services.ingest import Ingested

BAR = 24
SHOWN_JOBS = 6


@dataclass
class Reading:
    """A file while it is read: its name, the pages that are there so far, how many it has, and what it became.

    `document_id`: the document, once it is stored; `over`: why nothing more comes.
    """

    file: str
    pages: dict[int, str] = field(default_factory=dict)
    total: int = 0
    document_id: str = ""
    over: str = ""


@dataclass
class Job:
    """One ingestion: its files, how far it is, and what became of the files."""

    number: int
    files: int = 0
    begun: int = 0
    snapshot: Snapshot = field(default_factory=Snapshot)
    stop: threading.Event = field(default_factory=threading.Event)
    over: str = ""
    reading: Reading | None = None

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
        Binding("p", "pages_so_far", "pages so far"),
        Binding("A", "read_again", "read again", show=False, key_display="A"),
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

    def action_read_again(self) -> None:
        """Read the file of the document under the cursor again, by the rules of today."""
        from curator.parsing import PARSER

        row = self.query_one("#documents", FilteredList).list.row
        if row is None:
            return
        said = (
            f"The file of {flat(row.id)} is read again by {PARSER}. What reads the same keeps its id and its cases; "
            "what does not waits to be re-confirmed (F6), and the cases on it are stale until then. Repairs are made "
            "again."
        )

        def answered(yes: bool | None) -> None:
            if yes:
                self._read_again(row.id, None)

        self.app.push_screen(Confirm("read the document again", said, "read it"), answered)

    def _read_again(self, document_id: str, path: Path | None) -> None:
        job = Job(len(self._jobs) + 1, files=1, begun=1)
        self._jobs.append(job)
        progress = AppProgress(lambda s: self.post_message(ProgressChanged(job.number, s)), job.stop)

        def work(ctx: Context) -> Ingested:
            from curator.services.readings import read_again

            return read_again(ctx, document_id, path, progress=progress)

        def done(result: Ingested) -> None:
            job.over = "done"
            self._file_done(result, again=True)
            self._settle()

        def failed(error: Exception) -> bool:
            if path is None and isinstance(error, InputError) and "--file" in error.hint:
                job.over = "failed"
                self._paint_jobs()
                self._ask_file(document_id, error.message)
                return True
            return self._failed(job, error)

        self.ask(work, done, doing=f"read {document_id} again", failed=failed)
        self._paint_jobs()

    def _ask_file(self, document_id: str, said: str) -> None:
        def answered(answer: tuple[str, ...] | None) -> None:
            if answer is not None:
                self._read_again(document_id, Path(answer[0].strip()).expanduser())

        question = Question("path of the PDF", check=_is_there, complete=pdf_completions, hint="tab completes")
        self.app.push_screen(Ask("where is the file", [question], flat(said)), answered)

    def action_pages_so_far(self) -> None:
        """The pages of the file at work that were read so far."""
        from curator.tui.screens.pages_so_far import PagesSoFar

        reading = self._at_work()
        if reading is None:
            return

        def chosen(page: int | None) -> None:
            if page and reading.document_id:
                self.post_message(OpenDocument(reading.document_id, page))

        self.app.push_screen(PagesSoFar(reading), chosen)

    def _at_work(self) -> Reading | None:
        found = [j.reading for j in self._jobs if not j.over and j.reading is not None and j.reading.pages]
        return found[-1] if found else None

    def action_ingest(self) -> None:
        """Ask for a file or a folder."""
        questions = [
            Question("PDF file, or a folder of them", check=_is_there, complete=pdf_completions, hint="tab completes"),
            Question("domain (may be empty)", hint="school-health"),
            Question("document type (may be empty)", hint="guideline, regulation, filing …"),
        ]
        self.app.push_screen(Ask("ingest", questions, kept="ingest"), self._asked)

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
        from curator.services.ingest import Facts, ingest

        facts = Facts(domain=domain, document_type=kind)
        files = list(iter_pdf_files([path]))
        job.files = len(files)
        found: list[Ingested] = []
        for n, file in enumerate(files, 1):
            job.begun = n
            progress.checkpoint()
            reading = job.reading = Reading(file.name)

            def one(told: Facts, confirm: Confirming | None, path: Path = file, read: Reading = reading) -> Ingested:
                pages = read.pages.__setitem__
                return ingest(ctx, [path], told, confirm=confirm, progress=progress, seen=pages)[0]

            found.append(self.take_in(ctx, facts, progress, one))
            reading.document_id = found[-1].document_id
            reading.over = "stored" if reading.document_id else "not stored"
            self.app.call_later(self._file_done, found[-1])
        return found

    def _file_done(self, result: Ingested, *, again: bool = False) -> None:
        if _was_left(result):
            self._said.append(f"· {flat(result.file)}: left, nothing was stored")
        elif result.outcome == "rejected":
            reason = flat(result.reason)
            self._said.append(f"! {reason}" if result.file in reason else f"! {flat(result.file)}: {reason}")
            self.curator.list_error(f"ingest {result.file}", result.reason)
        else:
            warned = f", {counted(len(result.warnings), 'warning')}" if result.warnings else ""
            what = revised(result) if result.outcome == "changed" else result.outcome
            what = f"read again: {'it reads as it is stored' if result.outcome == 'same' else what}" if again else what
            pages, rows = counted(result.pages, "page"), counted(result.rows, "row")
            self._said.append(f"✓ {flat(result.file)}: {what}, {pages}, {rows}{warned}")
            for warning in result.warnings:
                self.curator.list_error(f"read {result.file}", warning)
        self.ingested(result.document_id)
        self._paint_jobs()

    def _over(self, job: Job, found: list[Ingested]) -> None:
        job.over = "done"
        if not found:
            self._said.append("! no PDF file is there")
        self._settle()
        refused = sum(r.outcome == "rejected" and not _was_left(r) for r in found)
        if refused and not self.is_current:
            said = f"{refused} of {counted(len(found), 'file')} not taken: F12 says why"
            self.notify(said, severity="warning", markup=False)

    def _failed(self, job: Job, error: Exception) -> bool:
        job.over = "stopped" if isinstance(error, Cancelled) else "failed"
        if job.reading is not None:
            job.reading.over = job.reading.over or job.over
        if isinstance(error, Cancelled):
            self._said.append("· stopped: the documents before are kept whole")
        self._settle()
        return isinstance(error, Cancelled)

    def _settle(self) -> None:
        if all(j.over for j in self._jobs):
            self.ask_anew()
        self._paint_jobs()

    def on_progress_changed(self, message: ProgressChanged) -> None:
        """Paint the bar."""
        message.stop()
        job = self._jobs[message.job - 1]
        job.snapshot = message.snapshot
        if job.reading is not None and message.snapshot.total:
            job.reading.total = message.snapshot.total
        if not job.over:
            self._paint_jobs()

    def _paint_jobs(self) -> None:
        running = [j for j in self._jobs if not j.over]
        lines = [j.line() for j in running]
        box = self.query_one("#jobs", Static)
        said = "\n".join([*self.offers_said(), *self._said[-SHOWN_JOBS:], *lines]).split("\n")
        box.update(Content("\n").join(plain(t, "$text-primary" if t[:1] in ("█", "░") else "") for t in said))
        box.display = bool(lines or self._said)
        more = " · p: pages so far" if self._at_work() is not None else ""
        titled(box, f"ingesting · x: stop{more}" if running else "ingested")
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
        if action == "pages_so_far":
            return self._at_work() is not None
        return super().check_action(action, parameters)


def _was_left(result: Ingested) -> bool:
    return result.outcome == "rejected" and result.offer is not None


def _is_there(text: str) -> str:
    if not text.strip():
        return "a path is needed"
    return "" if Path(text.strip()).expanduser().exists() else "no such file or folder"
