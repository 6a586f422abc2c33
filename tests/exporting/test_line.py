from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curator.domain.canonical import canary, case_hash, content_hash, file_bytes
from curator.domain.case import Case, CaseRecord, Evidence, KeyProvision
from curator.domain.document import Anchor, Source
from curator.exporting.line import case_line, draft_line, filled, line_problems, source_line, source_problems
from curator.exporting.read import case_from_line, read_lines
from curator.exporting.schema import CASE_KEYS, SOURCE_KEYS
from curator.text import clean


def test_a_line_fills_in_what_follows_from_the_case(records: tuple[CaseRecord, ...]) -> None:
    line = case_line(records[0], suite="regulated", reference_median=8)
    assert tuple(line) == CASE_KEYS
    assert line["expectedSourceIds"] == ["guideline.exclusion:measles"]
    assert [e["group"] for e in line["evidence"]] == ["guideline.exclusion:measles", "guideline.exclusion:mumps"]
    assert line["keyProvisions"][0]["id"] == "p1"
    assert [a["name"] for a in line["attributes"]] == ["jurisdiction", "ticket"]
    assert (line["lengthStratum"], line["sectionPosition"], line["partition"]) == ("5x", "middle", "dev")
    assert (line["confirmedAt"], line["approvals"], line["caseVersion"]) == ("2025-11-03", 2, 1)
    assert line["canary"] == canary("regulated")
    assert line["contentHash"] == content_hash(line)
    assert line_problems(line) == []


def test_partition_follows_the_turns_and_must_be_assigned(records: tuple[CaseRecord, ...]) -> None:
    partitions = [case_line(r, suite="s", reference_median=8)["partition"] for r in records[6:]]
    assert partitions == ["followup_dev", "holdout", "followup_holdout"]
    with pytest.raises(ValueError, match="case-b8z4rj"):
        case_line(records[2].model_copy(update={"side": ""}), suite="s", reference_median=8)


def test_a_draft_has_a_line_too(records: tuple[CaseRecord, ...]) -> None:
    line = draft_line(records[6].case)
    assert (line["partition"], line["approvals"], line["confirmedAt"]) == ("followup_dev", 0, "")
    assert line_problems(line) == []
    assert draft_line(Case())["partition"] == "dev"
    assert "turns: Tuple should have at least 1 item" in "\n".join(line_problems(draft_line(Case())))


def test_text_is_composed_and_quotes_and_cells_keep_their_form() -> None:
    loose = "cafe\u0301"
    case = Case(
        turns=(loose,), evidence=(Evidence(source_id="a:b", quote=loose, table_cells=(loose,), table_title=loose),)
    )
    line = draft_line(case)
    assert line["turns"] == ["café"]
    entry = line["evidence"][0]
    assert (entry["quote"], entry["tableCells"], entry["tableTitle"]) == (loose, [loose], "café")


def test_provision_ids_never_collide() -> None:
    case = Case(key_provisions=(KeyProvision(id="p2"), KeyProvision(), KeyProvision(id="p3"), KeyProvision()))
    assert [p["id"] for p in draft_line(case)["keyProvisions"]] == ["p2", "p4", "p3", "p5"]


def test_a_filled_case_has_the_hash_of_its_line(records: tuple[CaseRecord, ...]) -> None:
    for record in records:
        case = filled(record.case)
        assert case_hash(case) == case_line(record, suite="s", reference_median=8)["contentHash"]
        assert filled(case) == case


def put(*path: Any) -> Callable[[dict[str, Any]], None]:
    """Sets a value and makes the hash right again, so that only the rule is broken."""
    *way, last, value = path

    def change(line: dict[str, Any]) -> None:
        at: Any = line
        for key in way:
            at = at[key]
        at[last] = value

    return change


UNSORTED = [{"name": "b", "value": ""}, {"name": "a", "value": ""}]
NO_EARLIER_TURN = [{"turn": 1, "expectedBehavior": "answer", "referenceAnswer": "", "expectedSourceIds": []}]
BROKEN = {
    "null": (put("notes", None), "notes: Input should be a valid string"),
    "unknown key": (put("extra", ""), "extra: unknown key"),
    "a number with a point": (put("evidence", 0, "page", 21.0), "evidence/0/page"),
    "NUL": (put("notes", "\x00"), "notes: NUL or a lone surrogate"),
    "lone surrogate": (put("tags", ["\ud800"]), "tags/0"),
    "not NFC": (put("notes", "e\u0301"), "not NFC"),
    "source id": (put("evidence", 1, "sourceId", "Upper:case"), "Upper:case: a source id is NFC and lower case"),
    "expected ids": (put("expectedSourceIds", ["a:b"]), "expectedSourceIds: expected guideline.exclusion:measles"),
    "uncited": (put("keyProvisions", 0, "sourceId", "a:b"), "a:b is cited and not in evidence"),
    "day": (put("asOf", "2025-02-30"), "asOf: 2025-02-30 is no date"),
    "in force": (put("evidence", 0, "effectiveTo", "2020-01-01"), "evidence/0: in force until before it began"),
    "attributes": (put("attributes", UNSORTED), "attributes: not sorted"),
    "key order": (lambda line: line.update(notes=line.pop("notes")), "keys are not in their order"),
    "turn": (put("turnExpectations", NO_EARLIER_TURN), "turnExpectations without an earlier turn"),
    "two things": (put("expectedBehavior", "escalate"), "needs escalateTo; an escalation needs escalateWhen"),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_each_rule_of_a_line_is_kept(lines: list[dict[str, Any]], name: str) -> None:
    change, said = BROKEN[name]
    line = lines[0]
    change(line)
    if name != "lone surrogate":
        line["contentHash"] = content_hash(line)
    found = line_problems(line)
    assert any(said in problem for problem in found), found
    assert not any("\n" in problem for problem in found)


def test_a_changed_expectation_shows_in_the_hash(lines: list[dict[str, Any]]) -> None:
    lines[0]["mustNotClaim"] = []
    assert [p.split(":")[0] for p in line_problems(lines[0])] == ["contentHash"]


def test_a_repeated_provision_or_turn_is_named(lines: list[dict[str, Any]]) -> None:
    summary, follow_up = lines[4], lines[6]
    summary["keyProvisions"][1]["id"] = "p1"
    follow_up["turnExpectations"][0]["turn"] = 2
    assert any("keyProvisions: an id repeats" in p for p in line_problems(summary))
    assert any("earlier turns, each once" in p for p in line_problems(follow_up))


def test_outside_text_in_a_problem_is_visible(lines: list[dict[str, Any]]) -> None:
    lines[0]["\x1b[31m\nkey"] = ""
    assert line_problems(lines[0]) == ["␛[31m key: unknown key"]


def anchor(**values: Any) -> Anchor:
    base = {
        "source_id": "t:r", "kind": "row", "ordinal": 1, "page": 3, "page_end": 3, "text": "parsed", "quote": "a | b",
        "text_hash": "0" * 64, "section_path": ("Annex",), "section_row": "Rash", "table_title": "Table cafe\u0301",
        "table_header": ("Disease", "Days"), "cells": ("e\u0301", "4"),
    }  # fmt: skip
    return Anchor(**(base | values))


def test_a_row_reads_title_section_and_header_with_cell() -> None:
    source = Source(id="t:r", aliases=("t:z", "t:a"), kind="row", document_id="t", revision="v1", anchor=anchor())
    line = source_line(source)
    assert tuple(line) == SOURCE_KEYS
    assert line["text"] == "Table cafe\u0301\nAnnex > Rash\nDisease: e\u0301; Days: 4"
    assert line["sectionPath"] == ["Annex", "Rash"]
    assert line["aliases"] == ["t:a", "t:z"]
    assert line["tableTitle"] == "Table café"
    assert source_problems(line) == []
    already = source.model_copy(update={"anchor": anchor(section_path=("Annex", "Rash"))})
    assert source_line(already) == line


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"text": "e\u0301 | 4"}, "text: Table"),
        ({"text": " "}, "text: empty"),
        ({"tableCells": []}, "a row without cells"),
        ({"kind": "table"}, "kind"),
        ({"aliases": ["t:r"]}, "its own alias"),
        ({"aliases": ["T:r"]}, "lower case"),
        ({"page": -1}, "page"),
        ({"tableTitle": "cafe\u0301"}, "not NFC"),
    ],
)
def test_each_rule_of_a_source_is_kept(values: dict[str, Any], said: str) -> None:
    source = Source(id="t:r", kind="row", document_id="t", revision="v1", anchor=anchor())
    assert any(said in problem for problem in source_problems(source_line(source) | values))


TEXTS = st.text(max_size=20).map(lambda text: clean(text)[0])
SOME = st.lists(TEXTS, max_size=3)
EVIDENCE = st.fixed_dictionaries(
    {
        "sourceId": st.sampled_from(["a:b", "ü:b", "수두:1"]),
        "role": st.sampled_from(["required", "supporting", "distractor"]),
        "group": st.sampled_from(["", "g"]),
        "quote": TEXTS,
        "page": st.integers(0, 200),
        "tableCells": SOME,
        "tableHeader": SOME,
    }
)
PROVISION = st.fixed_dictionaries({"id": st.sampled_from(["", "p2"]), "text": TEXTS})
ATTRIBUTE = st.fixed_dictionaries({"name": TEXTS, "value": TEXTS})
ANY_CASE = st.fixed_dictionaries(
    {
        "turns": st.lists(TEXTS, min_size=1, max_size=3),
        "referenceAnswer": TEXTS,
        "notes": TEXTS,
        "risk": st.sampled_from(["low", "critical"]),
        "evidence": st.lists(EVIDENCE, max_size=3),
        "keyProvisions": st.lists(PROVISION, max_size=3),
        "attributes": st.lists(ATTRIBUTE, max_size=3),
    }
).map(Case.model_validate)


@given(case=ANY_CASE)
@settings(max_examples=150, deadline=None)
def test_a_line_read_back_gives_the_same_bytes(case: Case) -> None:
    line = draft_line(case, suite="s", reference_median=8)
    data = file_bytes([line])
    ((number, row),) = read_lines(data, "f.jsonl")
    assert number == 1
    assert isinstance(row, dict)
    again = draft_line(case_from_line(row), suite="s", reference_median=8)
    assert file_bytes([again]) == data
