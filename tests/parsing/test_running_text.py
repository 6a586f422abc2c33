"""Running text: small marks on the baseline, short lines, bullets, notes and wrapped headings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from curator.domain.document import ParsedDocument
from curator.parsing.flow import Para, make_flow
from curator.parsing.raw import RawLine, RawPage

Reader = Callable[..., ParsedDocument]


def _page(*lines: tuple[str, float, float]) -> bytes:
    """A page of lines as (text, size, distance from the line above)."""
    y, drawn = 760.0, []
    for text, size, step in lines:
        y -= step
        shown = text.replace("(", r"\(").replace(")", r"\)")
        drawn.append(f"BT /F1 {size} Tf 72 {y} Td ({shown}) Tj ET")
    return "\n".join(drawn).encode("latin-1")


FULL = "The controller keeps a record of every processing activity under its own responsibility"


@pytest.mark.parametrize(
    ("base", "small", "text"),
    [
        ("Recital 43", "15", "Recital 43[^15]"),
        ("of 6 July 2018", "1", "of 6 July 2018[^1]"),
        ("their access.", "77", "their access.[^77]"),
        ("under the GDPR", "3", "under the GDPR[^3]"),
        ("the CO", "2", "the CO2"),
        ("the NaHCO", "3", "the NaHCO3"),
        ("the Ca(OH)", "2", "the Ca(OH)2"),
        ("costs $12", "50", "costs $1250"),
    ],
)
def test_a_small_number_on_the_baseline(read: Reader, pdf: Any, base: str, small: str, text: str) -> None:
    shown = base.replace("(", r"\(").replace(")", r"\)")
    stream = f"BT /F1 11 Tf 72 700 Td ({shown}) Tj /F1 6.5 Tf ({small}) Tj ET"
    assert read(pdf.simple([stream.encode()])).pages[0].text == text


def test_a_sentence_goes_on_after_a_short_line(read: Reader, pdf: Any) -> None:
    lines = [
        (FULL, 11, 14),
        ("of this office. The", 11, 14),
        (FULL.replace("The c", "EDPB C"), 11, 14),
        ("in time.", 11, 14),
    ]
    (chunk,) = read(pdf.simple([_page(*lines)])).chunks
    assert "\n" not in chunk.text
    assert "of this office. The EDPB Controller" in chunk.text


def test_each_bullet_begins_a_paragraph(read: Reader, pdf: Any) -> None:
    lines = [(FULL, 11, 14), ("! Title IV contains six provisions,", 11, 14), ("! Title V creates a form.", 11, 14)]
    (chunk,) = read(pdf.simple([_page(*lines)])).chunks
    assert chunk.text.split("\n")[1:] == ["! Title IV contains six provisions,", "! Title V creates a form."]


def test_a_note_is_one_paragraph_and_cuts_no_sentence(read: Reader, pdf: Any) -> None:
    first = [(FULL, 11, 14)] * 12 + [("and", 11, 14), ("12", 6, 20), ("See the opinion on consent.", 9, 11)]
    second = [("keeps it for five years.", 11, 14), *[(FULL + ".", 11, 14)] * 12]
    text = "\n".join(chunk.text for chunk in read(pdf.simple([_page(*first), _page(*second)])).chunks)
    assert "[^12] See the opinion on consent." in text.split("\n")
    assert "and keeps it for five years." in text


def test_a_heading_on_two_lines_is_one(read: Reader, pdf: Any) -> None:
    body = [(FULL + ".", 10, 14)] * 6
    lines = [
        *body,
        ("6. CONSENT AND OTHER GROUNDS", 15, 30),
        ("IN ARTICLE 6", 15, 18),
        *[(t, s, 16) for t, s, _ in body],
    ]
    titles = [section.title for section in read(pdf.simple([_page(*lines)])).sections]
    assert titles == ["6. CONSENT AND OTHER GROUNDS IN ARTICLE 6"]


def test_a_title_set_wide_goes_on_below_a_full_line_alone() -> None:
    def title(first: str, right: float) -> list[str]:
        texts = [(first, right, 14.0), ("Upon Existing Sources", 220.0, 14.0)]
        texts += [(f"line {n} of a paragraph that is set as usual", 520.0, 10.0) for n in range(4)]
        page, bottom = RawPage(1, 595.0, 842.0), 80.0
        for text, x1, size in texts:
            bottom += 1.75 * size if size > 10 else 12.0
            page.lines.append(RawLine(text, 72.0, bottom - size, x1, bottom, size))
        return [item.lines[0][1].text for item in make_flow([page], [set()], []).items if isinstance(item, Para)]

    assert "Upon Existing Sources" not in title("An Overview of the Structure of Markets that is Based", 505.0)
    assert "Upon Existing Sources" in title("Title IV: Other Provisions", 250.0)
