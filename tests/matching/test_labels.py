"""Labels that look like others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from curator.matching.labels import alike, looks

SHARED = Path(__file__).parents[3] / "shared" / "bad_inputs" / "logs" / "labels_bidi_confusable.jsonl"


@pytest.mark.parametrize(
    "label",
    [
        "Covered",
        "covered ",
        "c\u043evered",
        "cover\u200bed",
        "\u202ederevoc",
        "co\u00advered",
        "ｃｏｖｅｒｅｄ",
        "c\u0335overed",
    ],
)
def test_a_label_that_a_reader_would_take_for_one_in_use(label: str) -> None:
    assert alike({"covered": 4, label: 1, "not covered": 9}) == {label: "covered"}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("hr", "hr-eu"),
        ("학교 보건", "학교 급식"),
        ("école", "ecole"),
        ("कुल", "कल"),
        ("school-1", "school-2"),
        ("ил", "ип"),
    ],
)
def test_other_words_are_other_labels(one: str, other: str) -> None:
    assert looks(one) != looks(other)
    assert alike({one: 3, other: 1}) == {}


def test_spellings_with_a_dash_a_line_or_a_space_are_one() -> None:
    assert alike({"school health": 2, "school-health": 9, "school_health": 1}) == {
        "school health": "school-health",
        "school_health": "school-health",
    }


@pytest.mark.skipif(not SHARED.exists(), reason="../shared is not here")
def test_foreign_labels() -> None:
    labels = [json.loads(line)["label"] for line in SHARED.read_text("utf-8").splitlines()]
    assert len(alike(dict.fromkeys(labels, 1))) == len(labels) - 2  # one stands, and "covered (not)" is another
