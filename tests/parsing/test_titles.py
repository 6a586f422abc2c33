"""The title of a document: the metadata's where that is one, else a heading, else the file's name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest


def titled(sheet: Callable[..., Any], title: str, heading: str = "Rules for pupils who are ill") -> Any:
    made = sheet()
    made.set_title(title)
    if heading:
        made.head(heading, 18)
    made.para("A pupil who is ill stays at home until the period of the table is over, and returns without a paper.")
    return made


@pytest.mark.parametrize(
    ("title", "file"),
    [
        ("Exclusion rules", "exclusion-rules.pdf"),
        ("Exclusion Rules", "Exclusion Rules.pdf"),
        ("School health guideline 2026", "x.pdf"),
        ("학교 감염병 관리 지침", "x.pdf"),
        ("Constitution", "x.pdf"),
    ],
)
def test_a_plausible_title_of_the_metadata_is_taken(
    title: str, file: str, sheet: Callable[..., Any], read: Callable[..., Any]
) -> None:
    assert read(titled(sheet, title), file).title == title


@pytest.mark.parametrize(
    "title",
    [
        "", "Microsoft Word - Rules v3.doc", "Microsoft Word - Rules", "PowerPoint Presentation", "untitled", "Book1",
        "rules_final_v2.docx", "rules-2026.pdf", "10811.exe", "scan.jpg", "S25C-0i25080113320",
        "rules_final", "exclusion-rules",
        "C:\\temp\\rules", "12345", "Document1",
    ],
)  # fmt: skip
def test_what_is_no_title_gives_way_to_the_heading(
    title: str, sheet: Callable[..., Any], read: Callable[..., Any]
) -> None:
    assert read(titled(sheet, title), "exclusion-rules.pdf").title == "Rules for pupils who are ill"


def test_without_either_the_file_gives_its_name(sheet: Callable[..., Any], read: Callable[..., Any]) -> None:
    assert read(titled(sheet, "Microsoft Word - x.doc", ""), "exclusion-rules.pdf").title == "exclusion-rules"
