"""A list of questions becomes cases: a dry run shows its mapping, then it is imported, and can be stopped."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from textual.binding import Binding, BindingType
from textual.widgets import Static

from curator.errors import Cancelled, CuratorError, UsageError
from curator.text import counted, one_line
from curator.tui.import_report import counts, list_errors, preview_lines, rejected_lines
from curator.tui.messages import ProgressChanged
from curator.tui.paths import completions
from curator.tui.progress import AppProgress
from curator.tui.screens.ask import Ask, Question
from curator.tui.screens.choose import Choose
from curator.tui.screens.failures_import import FORMS, LogJob, Preview, is_file
from curator.tui.screens.room import Room
from curator.tui.widgets.safe import flat, plain

if TYPE_CHECKING:
    from curator.parsing.lists import ListProfile
    from curator.services.context import Context
    from curator.services.list_import import ListReport

IMPORT = "import a list"
_ENTRIES = re.compile(r"\s*[,;]\s*|\s+(?=[\w.]+=)")
Approval = tuple[str, str]
"""Who had approved the list, and why that is taken; ("", "") = drafts."""


class ImportingLists(Room):
    """Mix-in of the case screen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("i", "import_list", "import a list", show=False),
        Binding("I", "stop_import", "stop the import", key_display="I"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._import: LogJob | None = None
        self._imports = 0

    def action_import_list(self) -> None:
        """Ask for a file."""
        self._ask_for_list("", "", ("", ""))

    def _ask_for_list(self, path: str, how: str, approval: Approval, said: str = "") -> None:
        questions = [
            Question("list of questions (JSON, JSONL, CSV, YAML, XLSX)", path, is_file, completions, "tab completes"),
            Question("a profile, or columns (may be empty)", how, hint="turns=Frage, risk=Stufe, attribute=Owner"),
            Question("approved elsewhere by (empty: drafts)", approval[0], hint="an id of [people]"),
            Question("why that is taken", approval[1]),
        ]
        self.app.push_screen(Ask(IMPORT, questions, said, kept=IMPORT), self._asked_for_list)

    def _asked_for_list(self, answer: tuple[str, ...] | None) -> None:
        if answer is not None:
            path, how, by, why = (a.strip() for a in answer)
            self._begin_import(Path(path).expanduser(), how, (by, why), dry_run=True)

    def _begin_import(
        self, path: Path, how: str, approval: Approval, *, dry_run: bool, encoding: str = ""
    ) -> None:  # fmt: skip
        if self._import is not None:
            self.notify("one list after another: I stops the one that is being read", markup=False, timeout=4)
            return
        self._imports += 1
        job = self._import = LogJob(self._imports, path, how, dry_run, encoding)
        progress = AppProgress(lambda s: self.post_message(ProgressChanged(-job.number, s)), job.stop)
        self.ask(
            partial(_take, job, approval, progress), partial(self._list_over, job, approval), doing=IMPORT,
            failed=partial(self._list_failed, job, approval), reads=dry_run,
        )  # fmt: skip
        self._paint_import()

    def _list_over(self, job: LogJob, approval: Approval, report: ListReport) -> None:
        self._import = None
        self._paint_import()
        if job.dry_run:
            preview = Preview(job.path, told(report))
            self.app.push_screen(preview, partial(self._list_previewed, job, approval))
            return
        list_errors(self.curator, IMPORT, report)
        said = f"✓ {flat(job.path.name)}: {counts(report)}"
        said += " (F12 lists what to look at)" if report.rejected or report.warnings else ""
        self.notify(said, severity="warning" if report.rejected else "information", markup=False, timeout=8)
        self.refresh_room()

    def _list_previewed(self, job: LogJob, approval: Approval, answer: str | None) -> None:
        if answer == "map":
            self._ask_for_list(str(job.path), job.how, approval)
        elif answer:
            self._begin_import(job.path, job.how, approval, dry_run=False, encoding=job.encoding)

    def _list_failed(self, job: LogJob, approval: Approval, error: Exception) -> bool:
        from curator.parsing.logs import Unsure

        self._import = None
        self._paint_import()
        if isinstance(error, Cancelled):
            kept = "" if job.dry_run else "; what was stored before is kept whole, the same file goes on from there"
            self.notify(f"stopped{kept}", markup=False)
            if not job.dry_run:
                self.refresh_room()
            return True
        if isinstance(error, Unsure) and error.choices:
            options = [(c, c) for c in error.choices]
            dialog = Choose("how is it encoded?", options, said=error.message)
            self.app.push_screen(dialog, partial(self._list_encoded, job, approval))
            return True
        if isinstance(error, UsageError) and job.dry_run:
            self._ask_for_list(str(job.path), job.how, approval, f"! {error.message}: {error.hint}")
            return True
        if isinstance(error, CuratorError):
            self.notify(f"! {one_line(error.message)}", severity="error", markup=False)
        return False

    def _list_encoded(self, job: LogJob, approval: Approval, answer: tuple[str, ...] | None) -> None:
        if answer:
            self._begin_import(job.path, job.how, approval, dry_run=True, encoding=answer[0])

    def on_progress_changed(self, message: ProgressChanged) -> None:
        """Paint how far it is."""
        if self._import is not None and message.job == -self._import.number:
            message.stop()
            self._import.snapshot = message.snapshot
            self._paint_import()

    def _paint_import(self) -> None:
        said = self._import.line().replace("x: stop", "I: stop") if self._import is not None else ""
        line = self.query_one("#importing", Static)
        line.update(plain(said))
        line.display = bool(said)
        self.refresh_bindings()
        state = f"⟳ {self._import.snapshot.done:,}" if self._import is not None else ""
        self.curator.work_changed(state, said)

    def action_stop_import(self) -> None:
        """Stop after the part that is being stored."""
        if self._import is not None:
            self._import.stop.set()
            self._paint_import()

    def on_unmount(self) -> None:
        """An app that ends waits for its threads."""
        if self._import is not None:
            self._import.stop.set()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """There must be something to stop."""
        if action == "stop_import":
            return self._import is not None
        return super().check_action(action, parameters)


def told(report: ListReport) -> list[str]:
    """What a dry run came to: the mapping to confirm, what is only suggested, what is refused, the first five rows."""
    lines = [counts(report), "fields:"]
    fields: dict[str, list[str]] = {}
    for column, field in report.mapping.items():
        fields.setdefault(field, []).append(one_line(column, 60))
    lines += [f"  {field} = {', '.join(columns)}" for field, columns in fields.items()]
    if report.unknown_columns:
        lines.append(f"  kept as attributes: {', '.join(one_line(c, 60) for c in report.unknown_columns[:30])}")
    lines.append(" · ".join(p for p in (report.format, report.encoding) if p))
    for word, rows in (("must refuse", report.refusals), ("must escalate", report.escalations)):
        lines += [f"{word}: {counted(len(rows), 'row')}"] if rows else []
    if report.suggested:
        lines.append(f"! only suggested, for a person to confirm: {counted(len(report.suggested), 'behavior')}")
    if report.hints:
        lines.append(f"evidence: {report.located} of {counted(report.hints, 'case')} found in the documents here")
    if report.approved or report.kept_drafts:
        lines.append(f"approved, unverified: {report.approved} · drafts all the same: {report.kept_drafts}")
    lines += [f"! {one_line(w, 300)}" for w in report.warnings]
    lines += rejected_lines(report)
    return [*lines, *preview_lines(report.preview)]


def _take(job: LogJob, approval: Approval, progress: AppProgress, ctx: Context) -> ListReport:
    """In the worker."""
    from curator.services.list_import import import_list

    by, why = approval
    return import_list(
        ctx, job.path, profile_of(ctx, job.how, job.encoding), status="approved" if by else "draft", approved_by=by,
        reason=why if by else "", dry_run=job.dry_run, progress=progress,
    )  # fmt: skip


def profile_of(ctx: Context, said: str, encoding: str = "") -> ListProfile:
    """How a list is read, from what was typed: the name of a saved profile, FIELD=COLUMN, how its text is written.

    Raises:
        UsageError: There is no such profile, or no such format.
    """
    from curator.parsing.lists import ListProfile
    from curator.services import profiles

    base = ListProfile()
    given: dict[str, Any] = {"encoding": encoding} if encoding else {}
    columns: dict[str, str] = {}
    for entry in filter(None, _ENTRIES.split(said.strip())):
        name, equals, value = entry.partition("=")
        if not equals:
            base = profiles.named_list(ctx, name)
        elif name in FORMS:
            given[name] = value.casefold() in ("yes", "true", "1") if name == "header" else value
        else:
            columns[value.strip()] = name.strip()
    try:
        return ListProfile.model_validate({**base.model_dump(), **given, "columns": {**base.columns, **columns}})
    except ValueError:
        raise UsageError("no such format, or a delimiter of more than one character", "such as format=table") from None
