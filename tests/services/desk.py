"""A real workspace on a small real PDF, for the tests of services and of the command line."""

from __future__ import annotations

import datetime
import itertools
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from fpdf import FPDF

from curator.domain.case import Case, CaseRecord
from curator.services import cases, review
from curator.services.context import Context
from curator.services.ingest import Facts, ingest
from curator.services.review import Statement
from curator.workspace import Workspace

SETTINGS = """\
[people.ada]
role = "expert"
[people.ben]
role = "reviewer"
[people.carla]
role = "lead"
[people.dan]
role = "engineer"

[review]
double_share = 0

[partitions]
holdout = 0.25
seed = 3

[lengths]
median = 1

[suites.rules]
description = "What the regulation asks for."

[suites.full]
[[suites.full.quotas]]
minimum = 30
"""
ARTICLES = (
    ("Article 6. Reports", "A report is due within 30 days after the end of the quarter. It is kept for five years."),
    ("Article 7. Penalties", "A late report costs up to 10 million euro. A false report costs up to 25 million euro."),
    ("Article 8. Appeals", "An appeal is lodged within 14 days at the regional office, in writing and with reasons."),
)
ROWS = (("Disease", "Days away"), ("Measles", "4"), ("Mumps", "5"), ("Varicella", "6"))
ARTICLE, SIBLING = "regulation:article-7", "regulation:article-8"
MEASLES, MUMPS = "regulation.table-2:measles", "regulation.table-2:mumps"


def write_pdf(
    path: Path, *, articles: tuple[tuple[str, str], ...] = ARTICLES, rows: tuple[tuple[str, ...], ...] = ROWS
) -> Path:
    """A page of articles and a page with a ruled table; the same bytes every time."""
    pdf = FPDF()
    pdf.set_creation_date(datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC))
    pdf.set_font("Helvetica", size=11)
    pdf.add_page()
    for title, text in articles:
        pdf.set_font("Helvetica", "B", 13)
        pdf.multi_cell(0, 8, title, new_x="LMARGIN", new_y="NEXT")
        pdf.set_font("Helvetica", size=11)
        pdf.multi_cell(0, 6, text, new_x="LMARGIN", new_y="NEXT")
        pdf.ln(4)
    pdf.add_page()
    if rows:
        pdf.multi_cell(0, 8, "Table 2. Exclusion from school", new_x="LMARGIN", new_y="NEXT")
        with pdf.table(width=120, align="LEFT") as table:
            for cells in rows:
                table.row(cells)
    path.write_bytes(bytes(pdf.output()))
    return path


class Desk:
    """An open workspace, and people who take turns at it; the clock gives another second each time."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.workspace = Workspace(root, "ada")
        self._seconds = itertools.count()

    def _now(self) -> str:
        return f"2026-03-01T09:{next(self._seconds) // 60 % 60:02}:{next(self._seconds) % 60:02}Z"

    def by(self, actor: str) -> Context:
        """The workspace as this person has it open."""
        return replace(self.workspace.context, actor_id=actor, now=self._now)

    @property
    def ada(self) -> Context:
        return self.by("ada")

    @property
    def ben(self) -> Context:
        return self.by("ben")

    @property
    def carla(self) -> Context:
        return self.by("carla")

    def write_settings(self, text: str) -> None:
        """Another curator.toml; the workspace is opened anew."""
        self.workspace.close()
        (self.root / "curator.toml").write_text(text)
        self.workspace = Workspace(self.root, "ada")

    def case(self, question: str = "What does a late report cost?", source: str = ARTICLE, **body: Any) -> CaseRecord:
        """A new complete case by ada, cited on a real source."""
        values = {
            "turns": [question],
            "referenceAnswer": "Up to 10 million euro.",
            "domain": "rules",
            "language": "en",
            "risk": "low",
        } | body
        drafted = Case.model_validate(values)
        if source:
            drafted = cases.with_evidence(self.ada, drafted, source)
        return cases.new(self.ada, cases.with_document(self.ada, drafted, "regulation"))

    def submitted(self, *args: Any, **body: Any) -> CaseRecord:
        record = self.case(*args, **body)
        cases.require_submitted(cases.submit(self.ada, [record.case.id]))
        return cases.get(self.ada, record.case.id)

    def approved(self, *args: Any, **body: Any) -> CaseRecord:
        return review.approve(self.ben, self.submitted(*args, **body).case.id)

    def label(self, **changed: Any) -> Statement:
        """What ben says of a case on the article."""
        return Statement(**({"risk": "high", "behavior": "answer", "source_ids": (ARTICLE,)} | changed))


def build_desk(root: Path) -> Path:
    """A closed workspace with the regulation ingested."""
    root.mkdir(parents=True)
    for name in ("datasets", "exports"):
        (root / name).mkdir()
    (root / "curator.toml").write_text(SETTINGS)
    write_pdf(root / "datasets" / "regulation.pdf")
    desk = Desk(root)
    try:
        (result,) = ingest(desk.ada, [root / "datasets" / "regulation.pdf"], Facts(domain="rules"))
        assert result.outcome == "new", result
    finally:
        desk.workspace.close()
    return root


def desks(original: Path, folder: Path) -> Iterator[Callable[[str], Desk]]:
    """Opens copies of a workspace by name, and closes them at the end."""
    opened: list[Desk] = []

    def opens(name: str = "desk") -> Desk:
        if not (folder / name).exists():
            shutil.copytree(original, folder / name)
        opened.append(Desk(folder / name))
        return opened[-1]

    yield opens
    for desk in opened:
        desk.workspace.close()
