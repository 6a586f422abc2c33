"""Outside text: literal, visible, and as wide as it is said to be."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from curator.tui.widgets.safe import fit, fit_middle, plain, wrap
from curator.tui.widgets.source_layout import column_widths, row_lines

HOSTILE = "[/x] [@click=app.quit]q[/] \x1b]52;c;aGk=\x07 \x9b31m \u202eevil \x00"


def test_a_cell_is_exactly_as_wide_as_asked() -> None:
    assert fit("수두(물집)", 6) == "수두(…"
    assert fit("varicella", 6) == "varic…"
    assert fit("a\nb", 5) == "a b  "
    assert fit(HOSTILE, 30).startswith("[/x] [@click=app.quit]q[/] ␛")


@given(st.text(max_size=60), st.integers(2, 40))
def test_cells_and_lines_keep_to_their_width(text: str, width: int) -> None:
    assert cell_len(fit(text, width)) == width
    lines = wrap(text, width)
    assert all(cell_len(line) <= width for line in lines)
    assert "".join(lines).replace(" ", "") == plain(text).plain.replace("\n", "").replace(" ", "")


def test_content_is_literal_and_shows_what_a_terminal_would_obey() -> None:
    shown = plain(HOSTILE)
    assert shown.plain.startswith("[/x] [@click=app.quit]q[/] ␛]52")
    assert not shown.spans
    assert not {"\x1b", "\x9b", "\u202e", "\x00"} & set(shown.plain)


def test_columns_fit_and_lines_of_a_row_are_aligned() -> None:
    header = ("병명", "Exclusion period", "n")
    rows = [("수두 (varicella)", "Until all lesions have crusted, at least five days after onset", "5")]
    widths = column_widths(header, rows, 40)
    assert sum(widths) + 6 <= 40
    lines = [line.text for line in row_lines(rows[0], widths, "row")]
    assert len(lines) > 1
    assert {cell_len(line) for line in lines} == {sum(widths) + 6}
    wide = column_widths(["h"] * 40, [["a long cell " * 9] * 40], 40)  # more than fits: the view scrolls by column
    assert len(wide) == 40
    assert max(wide) <= 28


@pytest.mark.parametrize("width", [0, 3, 6, 9, 14, 40])
def test_names_that_begin_alike_are_told_apart_by_their_ends(width: int) -> None:
    for name in ("emission-regulation-consolidated", "학교-감염병-예방-및-관리-지침", "leaflet", "\x1b[31m[/x]" * 9):
        shown = fit_middle(name, width)
        assert cell_len(shown) == width
        assert shown.isprintable()
    assert fit_middle("emission-regulation", 14) != fit_middle("emission-regulation-consolidated", 14)
    assert fit_middle("leaflet", 9) == "leaflet  "
