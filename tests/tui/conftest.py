"""A small real workspace, made once by the services and copied for each test."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest
import tomlkit
from fpdf import FPDF
from fpdf.enums import TableCellFillMode
from textual import events
from textual.pilot import Pilot
from tomlkit.items import Table

from curator import workspace
from curator.domain.case import Case, CaseRecord
from curator.services import cases, ingest
from curator.services.context import Context
from curator.tui.app import CuratorApp
from curator.tui.casework import CHECK_WAIT
from curator.tui.screens.suggesting import Suggesting

ROWS = (
    ("Disease", "Exclusion", "Notify"),
    ("Varicella", "Until all blisters have crusted, 5 days", "Health office within 24 hours"),
    ("Measles", "4 days after the rash began", "Health office at once"),
    ("Mumps", "5 days after the swelling began", "Parents"),
    ("[/x] [@click=app.quit]", "7 days", "Nobody [bold"),
)
TEXT = (
    "This guideline says who stays away from school, and for how long. It binds every public school.",
    "A pupil who is ill with one of the diseases of the table stays at home until the period is over. The class "
    "teacher writes it down, and tells the office.",
    "After the period the pupil returns without a certificate, unless the health office has asked for one in writing.",
    "Forms and addresses stand here. They are renewed every year in the autumn, and sent to all head teachers.",
)
PEOPLE = """
[people.ben]
role = "reviewer"

[people.eve]
role = "engineer"

[suites.health]
description = "school health"

[[suites.health.quotas]]
minimum = 1
"""


def table_pdf(
    path: Path, title: str = "Exclusion of pupils", pages: int = 4, rows: tuple[tuple[str, ...], ...] = ROWS,
    text: tuple[str, ...] = TEXT,
) -> Path:  # fmt: skip
    """A PDF with running text, a ruled table on page 2, and one more on the last page."""
    pdf = FPDF()
    pdf.set_title(title)
    pdf.set_font("helvetica", size=11)
    for number in range(1, pages + 1):
        pdf.add_page()
        pdf.set_font("helvetica", style="B", size=14)
        name = ("Purpose", "Exclusion", "Return", "Annex")[number % 4 - 1]
        pdf.cell(0, 10, f"{number} {name}", new_x="LMARGIN", new_y="NEXT")
        pdf.set_font("helvetica", size=11)
        pdf.multi_cell(0, 6, text[number % 4 - 1])
        pdf.ln(4)
        if number in (2, pages):
            pdf.cell(0, 8, f"Table {number}. Exclusion periods", new_x="LMARGIN", new_y="NEXT")
            with pdf.table(cell_fill_mode=TableCellFillMode.NONE, markdown=False) as table:
                for cells in rows:
                    row = table.row()
                    for cell in cells:
                        row.cell(cell)
    pdf.output(str(path))
    return path


def draw(root: Path, **shares: float) -> None:
    """Set what is drawn by lot: holdout, double_share. The ids of cases are random, so tests draw none or all."""
    path = root / "curator.toml"
    document = tomlkit.parse(path.read_text("utf-8"))
    for key, share in shares.items():
        table = document["partitions" if key == "holdout" else "review"]
        assert isinstance(table, Table)
        table[key] = share
    path.write_text(tomlkit.dumps(document), "utf-8")


@pytest.fixture(autouse=True)
def suggested_by_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """The language model takes seconds to load, and half a gigabyte: one test of the form waits for it."""
    monkeypatch.setattr(Suggesting, "IDLE", 10_000.0)


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The workspace that the others are copies of: one document, no case."""
    root = workspace.create(tmp_path_factory.mktemp("template") / "space", "ana")
    draw(root, holdout=0.0, double_share=0.0)
    with (root / "curator.toml").open("a", encoding="utf-8") as stream:
        stream.write(PEOPLE)
    pdf = table_pdf(root / "datasets" / "exclusion.pdf")
    with workspace.Workspace(root, "ana") as space:
        facts = ingest.Facts(domain="school-health", title="Exclusion of pupils")
        assert ingest.ingest(space.context, [pdf], facts)[0].outcome == "new"
    return root


@pytest.fixture
def root(template: Path, tmp_path: Path) -> Path:
    """A workspace of this test's own."""
    return shutil.copytree(template, tmp_path / "space")


def row_id(ctx: Context, words: str) -> str:
    """Id of the table row that contains some words."""
    from curator.services import documents

    return documents.rows(ctx, "exclusion", contains=words)[0].id


def complete_case(ctx: Context, **changes: object) -> Case:
    """A case that lacks nothing, not stored yet."""
    case = Case(
        turns=("How long does a pupil with varicella stay away?",),
        reference_answer="Until all blisters have crusted.",
        risk="medium",
    )
    case = cases.with_evidence(ctx, case, row_id(ctx, "varicella"))
    return case.model_copy(update=changes)


def stored(root: Path, *, submitted: bool = False, **changes: object) -> str:
    """A complete case of ana's in the workspace; its id."""
    with workspace.Workspace(root, "ana") as space:
        name = cases.new(space.context, complete_case(space.context, **changes)).case.id
        if submitted:
            assert not cases.submit(space.context, [name])[0].problems
    return name


def record_of(root: Path, name: str) -> CaseRecord:
    with workspace.Workspace(root, "ana") as space:
        return cases.get(space.context, name)


def saved_by_another(root: Path, name: str, **changes: object) -> None:
    with workspace.Workspace(root, "ben") as space:
        record = cases.get(space.context, name)
        cases.save(space.context, record.case.model_copy(update=changes), record.version)


@asynccontextmanager
async def opened(
    root: Path, actor: str = "ana", size: tuple[int, int] = (80, 24), *, errors: bool = False
) -> AsyncIterator[Pilot[int]]:
    """The app on a workspace, opened; at the end no error may have been listed, unless the test says so."""
    app = CuratorApp(workspace.Workspace(root, actor))
    try:
        async with app.run_test(size=size, notifications=True) as pilot:
            await until(pilot, lambda: app.ctx is not None)
            await pilot.pause()
            yield pilot
            if not errors:
                assert app.errors == []
    finally:
        app.workspace.close()


Opened = Callable[..., AbstractAsyncContextManager[Pilot[int]]]


async def until(pilot: Pilot[int], true: Callable[[], bool], seconds: float = 30.0) -> None:
    """Wait for something that a worker brings about."""
    for _ in range(int(seconds / 0.02)):
        if true():
            await pilot.pause()
            return
        await pilot.pause(0.02)
    raise AssertionError("it did not come about; the screen:\n" + screen(pilot))


async def press(pilot: Pilot[int], *keys: str) -> None:
    """Press keys; a text in quotes is pasted, its last character typed."""
    for key in keys:
        if key.startswith("'"):
            pilot.app.post_message(events.Paste(key[1:-2]))
            await pilot.pause()
            await pilot.press(key[-2])
        else:
            await pilot.press(key)


async def settled(pilot: Pilot[int]) -> None:
    """Wait until the live check has run."""
    await pilot.pause(CHECK_WAIT + 0.05)
    app = pilot.app
    assert isinstance(app, CuratorApp)
    await until(pilot, lambda: app.problems is not None)


def screen(pilot: Pilot[int]) -> str:
    """What is on the screen, as text."""
    strips = pilot.app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip) for strip in strips)


def said(pilot: Pilot[int], *words: str) -> bool:
    """Whether all of this stands on the screen, however the lines are broken."""
    shown = " ".join(screen(pilot).replace("│", " ").split())
    return all(w in shown for w in words)


def app_of(pilot: Pilot[int]) -> CuratorApp:
    """The app."""
    assert isinstance(pilot.app, CuratorApp)
    return pilot.app


async def list_cases(pilot: Pilot[int]) -> None:
    """To the list of cases, with the cursor on the one of `complete_case`."""
    await press(pilot, "f5")
    await until(pilot, lambda: "varicella stay a" in screen(pilot))


async def open_case(pilot: Pilot[int]) -> None:
    """From the list of cases into the form of the first one."""
    await list_cases(pilot)
    await press(pilot, "enter")
    await until(pilot, lambda: app_of(pilot).desk.case is not None)
