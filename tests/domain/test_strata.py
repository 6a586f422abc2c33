"""Length bands and positions, at their exact borders."""

from __future__ import annotations

from typing import Any

import pytest

from curator.domain.case import Case
from curator.domain.strata import length_band, length_stratum, median, section_position


@pytest.mark.parametrize(
    ("pages", "band"),
    [
        (1, "base"),
        (8, "base"),
        (15, "base"),
        (16, "2x"),
        (39, "2x"),
        (40, "5x"),
        (79, "5x"),
        (80, "10x"),
        (4000, "10x"),
        (0, "none"),
    ],
)
def test_bands_of_a_median_of_eight(pages: int, band: str) -> None:
    assert length_band(pages, 8) == band


@pytest.mark.parametrize(("pages", "band"), [(16, "base"), (17, "2x"), (42, "2x"), (43, "5x"), (84, "5x"), (85, "10x")])
def test_bands_of_a_median_between_two_pages(pages: int, band: str) -> None:
    assert length_band(pages, 8.5) == band


def test_without_a_reference_there_is_no_band() -> None:
    assert length_band(100, 0) == "none"


def case(**body: Any) -> Case:
    return Case.model_validate(body)


def test_the_longest_document_counts() -> None:
    both = case(documents=[{"documentId": "a", "pages": 6}, {"documentId": "b", "pages": 160}])
    assert length_stratum(both, 8) == "10x"
    assert length_stratum(case(), 8) == "none"


DOCUMENTS = [{"documentId": "reg", "pages": 12}, {"documentId": "other", "pages": 100}]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"evidence": [{"sourceId": "reg:a", "documentId": "reg", "page": 9}]}, "late"),
        ({"evidence": [{"sourceId": "reg:a", "documentId": "reg", "page": 9, "role": "distractor"}]}, "none"),
        (
            {
                "evidence": [
                    {"sourceId": "o:a", "documentId": "other", "page": 9},
                    {"sourceId": "reg:a", "documentId": "reg", "page": 9},
                ]
            },
            "early",
        ),
        (
            {
                "evidence": [
                    {"sourceId": "x:a", "documentId": "unknown", "page": 9},
                    {"sourceId": "reg:a", "documentId": "reg", "page": 6},
                ]
            },
            "middle",
        ),
        (
            {
                "evidence": [{"sourceId": "reg:a", "documentId": "reg", "role": "supporting"}],
                "keyProvisions": [{"sourceId": "reg:a", "page": 6}],
            },
            "middle",
        ),
        ({"evidence": [{"sourceId": "reg:a", "documentId": "reg", "page": 9}], "task": "summary"}, "none"),
        ({}, "none"),
    ],
)
def test_the_position_is_that_of_the_first_required_evidence(body: dict[str, Any], expected: str) -> None:
    assert section_position(case(documents=DOCUMENTS, **body)) == expected


def test_median() -> None:
    assert (median([]), median([3]), median([9, 1, 5]), median([8, 1, 4, 7])) == (0, 3, 5, 5.5)
