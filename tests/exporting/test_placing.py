"""What a suite selects and counts by is the same on the short line as on the whole one."""

from __future__ import annotations

from hypothesis import given

from curator.domain.case import Case
from curator.domain.suite import DIMENSIONS, Selector, dimension
from curator.exporting.line import draft_line, placing_line
from curator.text import nfc
from tests.domain.strategies import valid_cases


@given(valid_cases())
def test_the_short_line_places_a_case_as_its_line_does(case: Case) -> None:
    case = Case.model_validate_json(nfc(case.model_dump_json()))  # as it is stored
    whole, short = draft_line(case, reference_median=3), placing_line(case, 3)
    assert [dimension(short, d) for d in DIMENSIONS] == [dimension(whole, d) for d in DIMENSIONS]
    asked = [
        Selector(domain=(case.domain,), risk=(case.risk,), task=(case.task,), language=(case.language,)),
        Selector(document=tuple(d.document_id for d in case.documents), tag=case.tags),
        Selector(tag=("no such tag",)),
    ]
    assert [s.matches(short) for s in asked] == [s.matches(whole) for s in asked]
