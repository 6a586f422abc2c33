"""Every screen and dialog, to be looked at: SVG, text, and the weak contrasts, in each size and both themes.

    python docs/look.py FOLDER [WIDTHxHEIGHT ...] [--only WORD]

Makes the sample workspace with a revised document in a temporary folder, walks through the app by keys at each size,
and writes FOLDER/SIZE/NAME.THEME.svg and .txt. Texts with a contrast below 4.5 are printed.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from fpdf import FPDF
from fpdf.enums import TableCellFillMode
from rich.style import Style
from textual.color import Color
from textual.pilot import Pilot
from textual.screen import ModalScreen
from textual.widget import Widget

from curator import workspace
from curator.cli import demonstration
from curator.domain.case import Case
from curator.errors import InputError
from curator.progress import Silent
from curator.services import baselines, cases, documents, ingest, rating_samples, review
from curator.services.changing import change_many
from curator.services.context import Context
from curator.services.review import Statement
from curator.tui.app import CuratorApp
from curator.tui.theme import THEMES
from curator.tui.widgets.source_view import SourceView

SIZES = ((80, 24), (100, 30), (120, 40), (200, 60))
PATIENCE = 60.0
LEAST = 4.5
COLUMNS = ("Illness", "Stays away", "Told to", "Letter", "Drops", "Return", "Note", "Form", "Ward", "Since")
ROWS = (
    ("Varicella", "5 days", "Office", "yes", "no", "by day 6", "crusts", "F-1", "A", "2019"),
    ("Measles", "4 days", "Health office", "yes", "no", "by day 5", "rash", "F-2", "A", "2019"),
    ("Mumps", "5 days", "Parents", "no", "no", "by day 6", "swelling", "F-3", "B", "2021"),
)
LIST = (
    "Nr;Frage;Erwartete Antwort;Quelle;Seite;Risiko;Soll verweigern?;Stelle\n"
    "1;Wann ist ein Bericht fällig?;Innerhalb von 30 Tagen.;handbuch.pdf;S. 12–13;hoch;nein;Rechnung\n"
    "2;Wer gewinnt die Wahl?;;;;gering;ja;\n"
    "3;Was kostet ein zweiter Ausweis?;Das weiß ich nicht.;;;mittel;;\n"
    "4;;leer;;;;;\n"
)
TEXT = "A pupil who is ill stays at home until the period of the table is over. The class teacher tells the office."


def leaflet(path: Path, days: str = "5 days", *, more: str = "") -> Path:
    """A PDF of two pages with a table of ten columns."""
    pdf = FPDF(orientation="L")
    pdf.set_title("Leaflet on exclusion")
    for number, head in enumerate(("Purpose", "Periods"), 1):
        pdf.add_page()
        pdf.set_font("helvetica", style="B", size=14)
        pdf.cell(0, 10, f"{number} {head}", new_x="LMARGIN", new_y="NEXT")
        pdf.set_font("helvetica", size=10)
        pdf.multi_cell(0, 6, TEXT + (more if number == 1 else ""))
        pdf.ln(4)
    pdf.cell(0, 8, "Table 1. Exclusion periods", new_x="LMARGIN", new_y="NEXT")
    with pdf.table(cell_fill_mode=TableCellFillMode.NONE, markdown=False) as table:
        for cells in (COLUMNS, *(tuple(c.replace("5 days", days) for c in row) for row in ROWS)):
            row = table.row()
            for cell in cells:
                row.cell(cell)
    pdf.output(str(path))
    return path


def prepare(root: Path) -> None:
    """The sample workspace; a leaflet that was revised, so that sources wait; one file more that is much alike."""
    demonstration.make(root, Silent(), lambda _: None)
    papers = root / "datasets"
    with workspace.Workspace(root, "nurse-ada") as space:
        ctx = space.context
        facts = ingest.Facts(domain="school-health", document_type="leaflet", title="Leaflet on exclusion")
        ingest.ingest(ctx, [leaflet(papers / "leaflet.pdf")], facts)
        (row,) = documents.rows(ctx, "leaflet", contains="varicella")
        case = Case(turns=("How long is varicella excluded?",), reference_answer="5 days.", risk="medium")
        case = cases.with_evidence(ctx, case.model_copy(update={"id": "leaflet-0a1b2c"}), row.id)
        cases.new(ctx, cases.with_evidence(ctx, case, documents.sources_on(ctx, "leaflet", 1, 1)[0].id))
        asked = Case(turns=("Who is told of measles?",), reference_answer="The health office.", risk="high")
        (measles,) = documents.rows(ctx, "leaflet", contains="measles")
        cases.new(ctx, cases.with_evidence(ctx, asked.model_copy(update={"id": "leaflet-1b2c3d"}), measles.id))
        second = asked.model_copy(update={"id": "leaflet-2c3d4e", "turns": ("Where is measles reported?",)})
        cases.new(ctx, cases.with_evidence(ctx, second, measles.id))
        cases.submit(ctx, ["leaflet-1b2c3d", "leaflet-2c3d4e"])
        label_otherwise(root, "leaflet-2c3d4e", row.id)
        ingest.ingest(ctx, [leaflet(papers / "leaflet-2.pdf", "6 days")], ingest.Facts(revision_of="leaflet"))
        leaflet(papers / "leaflet-3.pdf", "7 days", more=" It is told at once.")
        reword(ctx)
        long = (papers / "documents" / "emission-regulation-consolidated.pdf").read_bytes()
        (papers / "long.pdf").write_bytes(long + b"\n% printed again\n")


def label_otherwise(root: Path, name: str, source: str) -> None:
    """A second label that differs from the author's, so that there is something to decide."""
    said = review.Statement(risk="critical", behavior="answer", source_ids=(source,), reason="the other row")
    with workspace.Workspace(root, "counsel-ben") as space:
        review.approve(space.context, name, said)


def reword(ctx: Context) -> None:
    """Two cases of the released suite say something else, so that there is a next version to look at."""
    answer, tagged = [
        c.id for c in cases.page_of(ctx, limit=0) if c.id in ("school-health-557rvt", "school-health-7nrj2d")
    ]
    record = cases.get(ctx, answer)
    said = "24 hours after the temperature fell below 38.0 °C without medicine."
    cases.save(ctx, record.case.model_copy(update={"reference_answer": said}), record.version)
    cases.submit(ctx, [answer])
    review.approve(replace(ctx, actor_id="counsel-ben"), answer, Statement(risk="low"))
    change_many(ctx, [tagged], add_tags=["winter"])


def painted(pilot: Pilot[Any]) -> Iterator[tuple[str, Style | None]]:
    """Text and style of all that is painted; of a dialog its box and what is docked, since the rest is dimmed."""
    top = pilot.app.screen
    strips = top._compositor.render_strips()
    regions = [c.region for c in top.children] if isinstance(top, ModalScreen) else [top.region]
    for box in regions:
        for strip in strips[box.y : box.bottom]:
            for text, style, _ in strip.crop(box.x, box.right):
                yield text, style


def contrast(one: Color, other: Color) -> float:
    """Of WCAG 2."""

    def luminance(color: Color) -> float:
        parts = [c / 255 for c in color.rgb]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


class Lost(Exception):
    """The app did not come to the screen that was asked for, but to this one."""


@dataclass
class Walk:
    """A walk through the app at one size."""

    root: Path
    folder: Path
    size: tuple[int, int]
    only: str = ""
    weak: dict[str, float] = field(default_factory=dict)
    lost: list[str] = field(default_factory=list)

    async def run(self, actor: str, steps: Callable[[Walk, Pilot[Any]], Awaitable[None]]) -> None:
        """Open the app and take the steps."""
        space = workspace.Workspace(self.root, actor)
        app = CuratorApp(space)
        try:
            async with app.run_test(size=self.size, notifications=True) as pilot:
                await until(pilot, lambda: app.ctx is not None)
                await steps(self, pilot)
        except Lost as lost:  # the other walks are shown all the same
            self.lost.append(f"{steps.__name__} at {self.size[0]}x{self.size[1]} came to\n{lost}")
        finally:
            space.close()

    async def shot(self, pilot: Pilot[Any], name: str) -> None:
        """Write what is shown now, in both themes."""
        await pilot.pause(0.25)
        if self.only and self.only not in name:
            return
        app = pilot.app
        for theme in THEMES:
            app.theme = theme.name
            await pilot.pause(0.1)
            place = self.folder / f"{name}.{theme.name.removeprefix('curator-')}"
            place.with_name(place.name + ".svg").write_text(app.export_screenshot(title=name), "utf-8")
            place.with_name(place.name + ".txt").write_text(text_of(pilot), "utf-8")
            for text, style in painted(pilot):
                if not any(ch.isalnum() for ch in text) or not (style and style.color and style.bgcolor):
                    continue
                pair = [Color.from_rich_color(c) for c in (style.color, style.bgcolor)]
                if (found := contrast(*pair)) < LEAST:
                    self.weak[f"{name} {theme.name}: {text.strip()[:30]!r} {pair[0].hex} on {pair[1].hex}"] = found
        app.theme = THEMES[0].name
        await pilot.pause()


def text_of(pilot: Pilot[Any]) -> str:
    """What the screen shows, as text."""
    return "\n".join(strip.text.rstrip() for strip in pilot.app.screen._compositor.render_strips())


async def until(pilot: Pilot[Any], ready: Callable[[], bool]) -> None:
    """Wait until the screen shows what it must."""
    for _ in range(int(PATIENCE / 0.05)):
        await pilot.pause(0.05)
        if ready():
            return
    raise Lost(text_of(pilot))


async def see(pilot: Pilot[Any], *words: str) -> None:
    """Wait until words stand on the screen."""
    await until(pilot, lambda: all(w in text_of(pilot) for w in words))


async def press(pilot: Pilot[Any], *keys: str) -> None:
    """Press keys; a text in quotes is typed."""
    for key in keys:
        await pilot.press(*(key[1:-1] if key.startswith("'") else [key]))
        await pilot.pause(0.05)


async def opens(pilot: Pilot[Any], document_id: str) -> None:
    """Wait until the reader shows a document."""

    def shown() -> bool:
        views = list(pilot.app.screen.query(SourceView))
        return bool(views and views[0].source and views[0].source.document_id == document_id)

    await until(pilot, shown)


def box(pilot: Pilot[Any], kind: str) -> Widget:
    """A widget of the screen."""
    return pilot.app.screen.query_one(kind)


async def empty(walk: Walk, pilot: Pilot[Any]) -> None:
    """A workspace with nothing in it."""
    await see(pilot, "1 of 6")
    await walk.shot(pilot, "01-tour-1")
    for number in range(2, 7):
        await press(pilot, "enter")
        await see(pilot, f"{number} of 6")
        await walk.shot(pilot, f"01-tour-{number}")
    await press(pilot, "escape", "f1")
    await walk.shot(pilot, "02-home-empty")
    await press(pilot, "f5")
    await walk.shot(pilot, "02-cases-empty")


async def importing(walk: Walk, pilot: Pilot[Any]) -> None:
    """A list of questions that somebody had approved elsewhere."""
    path = walk.root / "desk.csv"
    path.write_text(LIST, "utf-8")
    await press(pilot, "f5", "i")
    await walk.shot(pilot, "110-list-file")
    await press(pilot, f"'{path}'", "enter", "'attribute=Nr'", "enter", "'ana'", "enter", "'signed off'", "enter")
    await see(pilot, "dry run")
    await walk.shot(pilot, "111-list-mapping")
    await press(pilot, "pagedown")
    await walk.shot(pilot, "112-list-rows")
    await press(pilot, "enter")
    await see(pilot, "! unverified")
    await walk.shot(pilot, "113-list-imported")
    await press(pilot, "l", "home", "enter", "s")
    await walk.shot(pilot, "114-list-case")


async def reading(walk: Walk, pilot: Pilot[Any]) -> None:
    """The expert: home, sources, the reader and its dialogs."""
    await see(pilot, "School Health")
    await pilot.pause(0.5)
    await walk.shot(pilot, "03-home")
    await press(pilot, "f2")
    await see(pilot, "annual-filing")
    await walk.shot(pilot, "04-documents")
    await press(pilot, "slash", "'domain:school'")
    await pilot.pause(0.4)
    await walk.shot(pilot, "05-documents-filter")
    await press(pilot, "escape", "i")
    await walk.shot(pilot, "06-ingest-ask")
    await press(pilot, f"'{walk.root / 'datasets' / 'long.pdf'}'", "enter",
                "'emission'", "enter", "enter")  # fmt: skip
    await see(pilot, "█")
    await walk.shot(pilot, "07-ingest-runs")
    await press(pilot, "x")
    await press(pilot, "i", f"'{walk.root / 'datasets' / 'leaflet-3.pdf'}'", "enter", "enter", "enter")
    await see(pilot, "l: leave it")
    await walk.shot(pilot, "08-offering")
    await press(pilot, "l")
    await see(pilot, "nothing was stored")
    await walk.shot(pilot, "09-ingested")
    await press(pilot, "home", "R")
    await walk.shot(pilot, "10-rename-document")
    await press(pilot, "escape", "end", "enter")
    await opens(pilot, "school-health-guideline")
    await pilot.pause(0.5)
    await walk.shot(pilot, "11-reader-text")
    await press(pilot, "right_square_bracket", "right_square_bracket", "s")
    await walk.shot(pilot, "12-reader-sections")
    await press(pilot, "s", "colon")
    await walk.shot(pilot, "13-reader-jump")
    await press(pilot, "escape", "slash", "'crusted'", "enter")
    await pilot.pause(0.4)
    await walk.shot(pilot, "14-reader-found")
    await press(pilot, "escape", "c", "'How long is a pupil with chickenpox excluded?'")
    await walk.shot(pilot, "15-new-case")
    await press(pilot, "enter", "e", "down", "e", "e")
    await walk.shot(pilot, "16-reader-marks")
    await press(pilot, "p")
    await walk.shot(pilot, "17-provision")
    await press(pilot, "enter", "enter")
    await press(pilot, "w")
    await walk.shot(pilot, "18-reader-toast")
    await press(pilot, "i")
    await walk.shot(pilot, "19-reader-marks-pane")
    await press(pilot, "i", "enter")
    await walk.shot(pilot, "20-row-sheet")
    await press(pilot, "escape", "r")
    await walk.shot(pilot, "21-repair")
    await press(pilot, "'c'")
    await walk.shot(pilot, "22-repair-cell")
    await press(pilot, "escape", "R")
    await walk.shot(pilot, "23-rename-source")
    await press(pilot, "escape", "x")
    await walk.shot(pilot, "24-take-back-which")
    await press(pilot, "escape", "slash", "'Purpose'", "enter", "escape", "v", "right", "right", "v")
    await walk.shot(pilot, "25-reader-selection")
    await press(pilot, "f10")
    await walk.shot(pilot, "26-keys")
    await press(pilot, "escape", "escape", "f2")
    await see(pilot, "leaflet")
    await press(pilot, "home")
    await press(pilot, *["down"] * 4, "enter")
    await opens(pilot, "leaflet")
    await press(pilot, "t")
    await pilot.pause(0.4)
    await walk.shot(pilot, "27-reader-wide")
    await press(pilot, "right", "right", "right")
    await walk.shot(pilot, "28-reader-wide-shifted")
    await press(pilot, "enter")
    await walk.shot(pilot, "29-row-sheet-wide")
    await press(pilot, "escape", "D")
    await until(pilot, lambda: isinstance(pilot.app.screen, ModalScreen))
    await pilot.pause(1.0)
    await walk.shot(pilot, "30-revision-diff")
    await press(pilot, "escape", "question_mark", "'chickenpox crusted'")
    await see(pilot, "found")
    await pilot.pause(1.0)
    await walk.shot(pilot, "31-search")
    await press(pilot, "g")
    await press(pilot, "escape")


async def writing(walk: Walk, pilot: Pilot[Any]) -> None:
    """The expert: list of cases, the form, conflict, history."""
    app = pilot.app
    assert isinstance(app, CuratorApp)
    await pilot.pause(1.0)
    if isinstance(app.screen, ModalScreen):  # what was typed in the reader waits
        await press(pilot, "escape")
    await press(pilot, "f5")
    await see(pilot, "✓")
    await pilot.pause(0.4)
    await walk.shot(pilot, "40-cases")
    await press(pilot, "S")
    await walk.shot(pilot, "41-sort")
    await press(pilot, "escape", "slash", "'risk:high'", "enter")
    await press(pilot, "space", "down", "space", "down", "space")
    await walk.shot(pilot, "42-cases-marked")
    await press(pilot, "b")
    await walk.shot(pilot, "43-bulk")
    await press(pilot, "'a'")
    await walk.shot(pilot, "44-bulk-tags")
    await press(pilot, "escape", "escape", "slash", "'zzz'", "enter")
    await walk.shot(pilot, "45-cases-none")
    await press(pilot, "escape", "slash", "'behavior:answer'", "enter", "enter")
    await pilot.pause(0.5)
    await walk.shot(pilot, "46-form-answer")
    await press(pilot, "h")
    await pilot.pause(0.4)
    await walk.shot(pilot, "47-history")
    await press(pilot, "escape", "ctrl+o")
    await walk.shot(pilot, "48-form-evidence")
    await press(pilot, "ctrl+o", "escape", "escape", "slash", "'behavior:refuse'", "enter", "enter")
    await pilot.pause(0.5)
    await walk.shot(pilot, "49-form-refuse")
    await press(pilot, "escape", "escape", "slash", "'behavior:escalate'", "enter", "enter")
    await pilot.pause(0.5)
    await walk.shot(pilot, "50-form-escalate")
    await press(pilot, "n", "'How long does measles exclude?'")
    await pilot.pause(0.6)
    await walk.shot(pilot, "51-form-new")
    await press(pilot, "ctrl+n", "'And mumps?'")
    await pilot.pause(0.6)
    await walk.shot(pilot, "52-form-turns")
    await press(pilot, "escape", "d", "'sch'")
    await pilot.pause(0.6)
    await walk.shot(pilot, "53-form-offers")
    await press(pilot, "tab", "tab")
    await walk.shot(pilot, "54-form-lower")
    await press(pilot, "escape", "f1", "f5", "l", "escape", "slash", "'leaflet-0a1b2c'", "enter", "enter")
    await see(pilot, "leaflet-0a1b2c")
    await pilot.pause(0.5)
    await walk.shot(pilot, "55-form-stale")
    await press(pilot, "enter")
    await walk.shot(pilot, "56-form-typing")
    app.screen.set_focus(box(pilot, "#f-evidence"))
    await walk.shot(pilot, "57-form-evidence-list")
    await press(pilot, "down", "u")
    await until(pilot, lambda: isinstance(app.screen, ModalScreen))
    await walk.shot(pilot, "58-quote")
    await press(pilot, "escape")
    app.screen.set_focus(box(pilot, "#form"))
    await press(pilot, "k", "k")
    with workspace.Workspace(walk.root, "lead-carla") as space:
        ctx = space.context
        record = cases.get(ctx, "leaflet-0a1b2c")
        changed = {"risk": "low", "notes": "Carla was here.", "reference_answer": "Five days after the rash began."}
        cases.save(ctx, record.case.model_copy(update=changed), record.version)
    await pilot.pause(0.4)
    await walk.shot(pilot, "59-form-unsaved")
    await press(pilot, "ctrl+s")
    await see(pilot, "theirs")
    await walk.shot(pilot, "60-conflict")
    await press(pilot, "escape", "ctrl+q")
    await walk.shot(pilot, "61-confirm-quit")
    await press(pilot, "escape", "ctrl+p")
    await pilot.pause(0.4)
    await walk.shot(pilot, "62-palette")
    await press(pilot, "'chickenpox'")
    await pilot.pause(0.6)
    await walk.shot(pilot, "63-palette-typed")
    await press(pilot, "escape", "escape")
    app.note_error("save the case", InputError("the disk is full: .curator/curator.db", hint="make room, then Ctrl+S"))
    await walk.shot(pilot, "64-error-toast")
    await press(pilot, "f12")
    await walk.shot(pilot, "65-errors")
    await press(pilot, "escape", "g")
    await walk.shot(pilot, "66-go-to")
    await press(pilot, "escape")
    await pilot.pause(2.5)  # the draft is kept


async def waiting(walk: Walk, pilot: Pilot[Any]) -> None:
    """What was typed waits; sources wait for a look."""
    await see(pilot, "typed, but never saved")
    await walk.shot(pilot, "67-drafts")
    await press(pilot, "escape", "f6")
    await see(pilot, "for you:")
    await walk.shot(pilot, "69-review")
    await press(pilot, "m")
    await see(pilot, "with two labels")
    await walk.shot(pilot, "69-review-agreement")
    await press(pilot, "escape", "r")
    await see(pilot, "since a new revision")
    await walk.shot(pilot, "70-reconfirm")
    await press(pilot, "enter")
    await see(pilot, "1 of ")
    await walk.shot(pilot, "71-reconfirm-one")
    await press(pilot, "o")
    await pilot.pause(0.4)
    await walk.shot(pilot, "72-place-chooser")
    await press(pilot, "escape", "x")
    await walk.shot(pilot, "73-drop")
    await press(pilot, "escape")


async def reviewing(walk: Walk, pilot: Pilot[Any]) -> None:
    """The lead: review, blind labels."""
    await see(pilot, "School Health")
    await pilot.pause(0.5)
    await walk.shot(pilot, "80-home-lead")
    await press(pilot, "f5")
    await see(pilot, "✓")
    await press(pilot, "f", "f")
    await pilot.pause(0.5)
    await walk.shot(pilot, "81-cases-in-review")
    await press(pilot, "enter")
    await pilot.pause(0.6)
    await walk.shot(pilot, "82-form-review")
    await press(pilot, "a")
    await pilot.pause(0.4)
    await walk.shot(pilot, "83-approve-risk")
    await press(pilot, "'h'")
    await pilot.pause(0.4)
    await walk.shot(pilot, "84-approve-behavior")
    await press(pilot, "'a'")
    await pilot.pause(0.8)
    await walk.shot(pilot, "85-approve-sources")
    await press(pilot, "escape", "x")
    await walk.shot(pilot, "86-ask-for-changes")
    await press(pilot, "escape", "X")
    await walk.shot(pilot, "86-retire")
    await press(pilot, "escape", "f6")
    await see(pilot, "to decide")
    await walk.shot(pilot, "86-review-lead")
    await press(pilot, "enter")
    await see(pilot, "they differ")
    await walk.shot(pilot, "86-review-decide")
    await press(pilot, "escape")


async def releasing(walk: Walk, pilot: Pilot[Any]) -> None:
    """The lead: suites, what a next release would be, comparing, exporting, yanking, fetching."""
    await press(pilot, "f8")
    await see(pilot, "regulated")
    await pilot.pause(0.4)
    await walk.shot(pilot, "87-suites")
    await press(pilot, "r")
    await pilot.pause(0.8)
    await walk.shot(pilot, "88-release")
    await press(pilot, "escape", "down", "v")
    await see(pilot, "✓ 1.0.0")
    await walk.shot(pilot, "89-verified")
    await press(pilot, "r")
    await see(pilot, "would be 2.0.0")
    await pilot.pause(0.4)
    await walk.shot(pilot, "90-next-release")
    await press(pilot, "e")
    await walk.shot(pilot, "90a-editorial")
    await press(pilot, "escape")
    await see(pilot, "would be 2.0.0")
    await press(pilot, "y")
    await see(pilot, "✓ released 2.0.0")
    await see(pilot, "versions: 1.0.0, 2.0.0")
    await walk.shot(pilot, "90b-released")
    await press(pilot, "d")
    await see(pilot, "1.0.0 → 2.0.0")
    await pilot.pause(0.4)
    await walk.shot(pilot, "90c-compared")
    await press(pilot, "escape", "e", "enter")
    await walk.shot(pilot, "90d-export")
    await press(pilot, "space", "enter")
    await see(pilot, "2.0.0: exported")
    await walk.shot(pilot, "90e-exported")
    await press(pilot, "escape", "Y", "enter")
    await walk.shot(pilot, "90f-yank")
    await press(pilot, "escape", "H", "enter")
    await walk.shot(pilot, "90g-fetch-holdout")
    await press(pilot, "escape")


async def covering(walk: Walk, pilot: Pilot[Any]) -> None:
    """The lead: what the suites cover, gaps, lengths, what can be shown, quotas, dev and holdout."""
    await press(pilot, "f7")
    await see(pilot, "regulated: 1")
    await press(pilot, "right", "right", "right")
    await walk.shot(pilot, "91-coverage-map")
    await press(pilot, "2", "down")
    await walk.shot(pilot, "92-coverage-gaps")
    await press(pilot, "3")
    await walk.shot(pilot, "93-coverage-lengths")
    await press(pilot, "4", "down")
    await walk.shot(pilot, "94-coverage-sizes")
    await press(pilot, "1", "s", "'all'", "enter")
    await see(pilot, "all cases: ")
    await press(pilot, "c", "'route'", "enter")
    await see(pilot, "domain × route")
    await walk.shot(pilot, "95-coverage-domain-route")
    await press(pilot, "w")
    await walk.shot(pilot, "96-coverage-derived")
    await press(pilot, "escape", "s", "'reg'", "enter")
    await see(pilot, "regulated: 1")
    await press(pilot, "q", "p", "'reg'", "enter", "'beside'", "enter", "end")
    await see(pilot, "more meet them all")
    await walk.shot(pilot, "97-quotas")
    await press(pilot, "w")
    await walk.shot(pilot, "98-quotas-write")
    await press(pilot, "escape", "escape", "y", "d")
    await see(pilot, "knows it")
    await walk.shot(pilot, "99-dev-and-holdout")
    await press(pilot, "escape", "enter")
    await pilot.pause(0.8)
    await walk.shot(pilot, "99-coverage-cell")


async def rating(walk: Walk, pilot: Pilot[Any]) -> None:
    """The expert: outputs of a run that were drawn to be rated."""
    with workspace.Workspace(walk.root, "lead-carla") as space:
        run = Path(baselines.baseline(space.context, "fts", "school-health").folder) / "run.jsonl"
        rating_samples.draw(space.context, "school-health", run=run, n=20)
    await see(pilot, "typed, but never saved")
    await press(pilot, "escape", "f8")
    await see(pilot, "regulated")
    await press(pilot, "down", "o")
    await see(pilot, "1 of 20", "expected:")
    await press(pilot, "4")
    await walk.shot(pilot, "100-rating")
    await press(pilot, "2", "n", "m")
    await walk.shot(pilot, "101-rating-note")
    await press(pilot, "escape", "f")
    await walk.shot(pilot, "102-rating-finish")
    await press(pilot, "y")
    await see(pilot, "1 rater finished")
    await walk.shot(pilot, "103-rating-results")
    await press(pilot, "escape")


async def look(template: Path, place: Path, folder: Path, size: tuple[int, int], only: str) -> bool:
    """All walks at one size; whether each came to its end."""
    root = shutil.copytree(template, place / f"w{size[0]}")
    bare = workspace.create(place / f"bare{size[0]}", "ana")
    folder.mkdir(parents=True, exist_ok=True)
    walk = Walk(root, folder, size, only)
    await Walk(bare, folder, size, only, walk.weak, walk.lost).run("ana", empty)
    await Walk(bare, folder, size, only, walk.weak, walk.lost).run("ana", importing)
    await walk.run("nurse-ada", reading)
    await walk.run("nurse-ada", writing)
    await walk.run("nurse-ada", waiting)
    await walk.run("lead-carla", reviewing)
    await walk.run("lead-carla", releasing)
    await walk.run("lead-carla", covering)
    await walk.run("nurse-ada", rating)
    for pair, value in walk.weak.items():
        print(f"{size[0]}x{size[1]} {pair}: {value:.2f}")  # noqa: T201
    for where in walk.lost:
        print(f"! not all was drawn: {where}")  # noqa: T201
    return not walk.lost


def main() -> int:
    """Make the workspace, walk at each size."""
    asked = sys.argv[1:]
    only = asked[asked.index("--only") + 1] if "--only" in asked else ""
    sizes = [tuple(map(int, a.split("x"))) for a in asked[1:] if a[:1].isdigit()]
    os.environ.pop("NO_COLOR", None)
    with tempfile.TemporaryDirectory() as place:
        prepare(Path(place) / "demo")
        whole = True
        for width, height in sizes or SIZES:
            folder = Path(asked[0]) / f"{width}x{height}"
            whole &= asyncio.run(look(Path(place) / "demo", Path(place), folder, (width, height), only))
    return 0 if whole else 1


if __name__ == "__main__":
    sys.exit(main())
