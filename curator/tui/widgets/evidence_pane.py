"""What the answer must be true to, in sight while it is written."""

from __future__ import annotations

from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from curator.domain.case import Case, Evidence
from curator.tui.theme import ROLES
from curator.tui.widgets.safe import flat, plain, titled

ORDER = {"required": 0, "supporting": 1, "distractor": 2}


class EvidencePane(VerticalScroll, can_focus=False):
    """The quotes of the required evidence, then of the rest; rows with their headers."""

    def __init__(self, *, dom_id: str | None = None) -> None:
        super().__init__(id=dom_id)
        self._shown: tuple[Evidence, ...] | None = None
        self._text = Static("")

    def on_mount(self) -> None:
        """One text that scrolls."""
        titled(self, "evidence", "ctrl+↑ ctrl+↓ scroll")
        self.mount(self._text)

    def show_case(self, case: Case) -> None:
        """Show the evidence of a case, when it is another than is shown."""
        if case.evidence is self._shown:
            return
        self._shown = case.evidence
        entries = sorted(case.evidence, key=lambda e: ORDER[e.role])
        parts = [part for entry in entries for part in told(entry)]
        self._text.update(Content("\n").join(parts) if parts else plain("no evidence is marked yet: F3, then e"))


def told(entry: Evidence) -> list[Content]:
    """A citation in lines: where it stands, a row cell by cell under its header, its notes; an empty line."""
    head = f"{ROLES[entry.role][0]} {entry.role} · {entry.source_id} · p. {entry.page_label or entry.page}"
    parts = [plain(flat(head), "$text-accent")]
    if entry.table_cells:
        if entry.table_title:
            parts.append(plain(flat(entry.table_title), "$text-muted"))
        for n, cell in enumerate(entry.table_cells):
            title = entry.table_header[n] if n < len(entry.table_header) else ""
            parts.append(plain(f"{flat(title)}: " if title else "", "$text-muted") + plain(flat(cell)))
        parts += [plain(flat(note), "$text-muted") for note in entry.footnotes]
    else:
        parts.append(plain(entry.quote))
    return [*parts, Content("")]
