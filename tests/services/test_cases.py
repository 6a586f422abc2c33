"""Cases: written, saved, submitted; nobody's words are overwritten."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from curator.domain.case import Case, Evidence
from curator.domain.identity import CASE_ID
from curator.errors import CheckFailed, Conflict, InputError, UsageError
from curator.exporting.line import filled
from curator.services import cases, checking, review
from tests.domain.strategies import valid_cases
from tests.services.desk import ARTICLE, MEASLES, SIBLING, Desk


def codes(found: Any) -> set[str]:
    return {p.code for p in found}


def test_a_new_case_gets_an_id_and_may_be_incomplete(desk: Desk) -> None:
    record = cases.new(desk.ada, Case(turns=("How long?",), domain="School health"))
    assert CASE_ID.fullmatch(record.case.id)
    assert record.case.id.startswith("school-health-")
    assert (record.status, record.author, record.version) == ("draft", "ada", 1)
    assert cases.get(desk.ada, record.case.id) == record


def test_an_id_is_given_once_and_becomes_no_path(desk: Desk) -> None:
    cases.new(desk.ada, Case(id="rules-000000"))
    with pytest.raises(Conflict, match="exists"):
        cases.new(desk.ada, Case(id="rules-000000"))
    for bad in ("../../evil", "x", "Rules-000000", "rules-00000l", "rules-000000\n"):
        with pytest.raises(InputError, match="no case id"):
            cases.new(desk.ada, Case(id=bad))


def test_text_from_outside_is_clean_before_it_is_stored(desk: Desk) -> None:
    record = cases.new(
        desk.ada, Case(turns=("a\x00b",), notes="cafe\u0301", evidence=(Evidence(source_id="a:b", quote="cafe\u0301"),))
    )
    assert record.case.turns == ("a\ufffdb",)
    assert record.case.notes == "caf\u00e9"
    assert record.case.evidence[0].quote == "cafe\u0301"  # a quote keeps the form of its document


@given(valid_cases())
def test_what_is_stored_is_what_its_line_says(case: Case) -> None:
    assert cases.at_the_door(case) == filled(case)
    assert cases.at_the_door(cases.at_the_door(case)) == cases.at_the_door(case)


def test_citing_fills_in_place_document_and_defaults(desk: Desk) -> None:
    case = cases.with_evidence(desk.ada, Case(expected_behavior="refuse"), MEASLES, "distractor")
    (entry,) = case.evidence
    assert (entry.quote, entry.role, entry.page, entry.document_version) == ("Measles | 4", "distractor", 2, "1")
    assert entry.table_header == ("Disease", "Days away")
    assert [(d.document_id, d.pages) for d in case.documents] == [("regulation", 2)]
    assert (case.domain, case.language) == ("rules", "en")
    again = cases.with_evidence(desk.ada, case, MEASLES, "supporting")
    assert [e.role for e in again.evidence] == ["supporting"]
    both = cases.with_evidence(desk.ada, again, ARTICLE, quote="up to 10 million")
    assert [e.source_id for e in both.evidence] == [MEASLES, ARTICLE]
    with pytest.raises(InputError, match="no source"):
        cases.with_evidence(desk.ada, case, "regulation:nowhere")


def test_provisions_are_numbered_cited_and_taken_back(desk: Desk) -> None:
    case = cases.with_provision(desk.ada, Case(), ARTICLE, text="up to 10 million", accept=["10 million"])
    case = cases.with_provision(desk.ada, case, MEASLES)
    assert [(p.id, p.mandatory, p.source_id) for p in case.key_provisions] == [
        ("p1", True, ARTICLE),
        ("p2", False, MEASLES),
    ]
    assert case.key_provisions[0].citation == "Article 7. Penalties, p. 1"
    assert {e.source_id for e in case.evidence} == {ARTICLE, MEASLES}
    less = cases.without_evidence(case, case.evidence[0])
    assert [p.source_id for p in less.key_provisions] == ["", MEASLES]
    assert [p.id for p in cases.without_provision(case, case.key_provisions[0]).key_provisions] == ["p2"]


def test_a_stale_save_is_refused_and_the_first_stays(desk: Desk) -> None:
    record = desk.case()
    first = cases.save(desk.ada, record.case.model_copy(update={"notes": "first"}), record.version)
    with pytest.raises(Conflict, match="saved as version 2 since version 1"):
        cases.save(desk.ben, record.case.model_copy(update={"notes": "second"}), record.version)
    assert cases.get(desk.ada, record.case.id) == first
    assert [e["verb"] for e in cases.history(desk.ada, record.case.id)] == ["created", "edited"]


def test_a_save_without_a_change_writes_nothing(desk: Desk) -> None:
    record = desk.case()
    assert cases.save(desk.ben, record.case, record.version) == record
    assert len(cases.history(desk.ada, record.case.id)) == 1


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"notes": "x"}, "approved"),
        ({"tags": ("t",)}, "approved"),
        ({"difficulty": "hard"}, "approved"),
        ({"reference_answer": "Up to 25 million euro."}, "draft"),
        ({"turns": ("And a false one?",)}, "draft"),
        ({"must_not_claim": ("nothing",)}, "draft"),
    ],
)
def test_what_is_expected_must_be_approved_again_and_nothing_else(
    desk: Desk, change: dict[str, Any], status: str
) -> None:
    record = desk.approved()
    assert (record.status, record.approvals, record.case_version) == ("approved", 1, 1)
    saved = cases.save(desk.ada, record.case.model_copy(update=change), record.version)
    assert (saved.status, saved.side) == (status, record.side)
    if status == "draft":
        assert (saved.approvals, saved.confirmed_at) == (0, "")
        cases.submit(desk.ada, [record.case.id])
        again = review.approve(desk.ben, record.case.id)
        assert (again.status, again.case_version, again.approvals) == ("approved", 2, 1)
        back = cases.save(desk.ada, record.case, again.version)
        cases.submit(desk.ada, [back.case.id])
        assert cases.get(desk.ada, back.case.id).status == "approved"  # ben's first approval was of this very content


def test_submitting_says_all_that_is_wrong_and_leaves_the_draft(desk: Desk) -> None:
    bare = cases.new(desk.ada, Case(turns=("How long?",)))
    good = desk.case()
    results = cases.submit(desk.ada, [bare.case.id, good.case.id, good.case.id])
    assert [(r.case_id, r.status) for r in results] == [(bare.case.id, "draft"), (good.case.id, "in_review")]
    assert codes(results[0].problems) == {"reference-missing", "evidence-missing", "risk-missing"}
    with pytest.raises(CheckFailed, match=bare.case.id):
        cases.require_submitted(results)
    assert cases.submit(desk.ada, [good.case.id])[0].status == "in_review"
    with pytest.raises(InputError, match="no case"):
        cases.submit(desk.ada, ["rules-zzzzzz"])


def test_evidence_must_be_here_and_read_as_it_was_cited(desk: Desk) -> None:
    case = desk.case().case
    entry = case.evidence[0]

    def with_entry(**change: Any) -> Case:
        return case.model_copy(update={"evidence": (entry.model_copy(update=change),)})

    assert checking.check(desk.ada, case) == ()
    assert codes(checking.check(desk.ada, with_entry(source_id="regulation:article-99"))) == {"source-unknown"}
    changed = checking.check(desk.ada, with_entry(quote="A late report costs up to 99 million euro."))
    assert codes(changed) == {"quote-changed", "value-unsupported"}
    assert checking.check(desk.ada, with_entry(quote="a LATE report\ncosts up to 10 mil-\nlion euro")) == ()


def test_documents_must_be_here_with_the_bytes_that_were_judged(desk: Desk) -> None:
    case = desk.case().case
    (judged,) = case.documents

    def with_document(**change: Any) -> Case:
        return case.model_copy(update={"documents": (judged.model_copy(update=change),)})

    assert codes(checking.check(desk.ada, with_document(document_id="nowhere"))) == {"document-unknown"}
    assert codes(checking.check(desk.ada, with_document(document_sha256="0" * 64))) == {"document-changed"}
    assert checking.check(desk.ada, with_document(document_sha256="")) == ()


def test_who_may_write(desk: Desk) -> None:
    for who in ("", "dan", "stranger", "not an id"):
        with pytest.raises(UsageError):
            cases.new(desk.by(who), Case())
    desk.write_settings("")
    assert cases.new(desk.by("anyone"), Case()).author == "anyone"


def test_lists_are_filtered_and_counted(desk: Desk) -> None:
    desk.approved()
    desk.case("What is 100% of it?", SIBLING, risk="high")
    assert cases.counts_by_status(desk.ada) == {"approved": 1, "draft": 1}
    assert [c.question for c in cases.page_of(desk.ada, where={"status": "draft", "risk": "high"})] == [
        "What is 100% of it?"
    ]
    assert cases.count(desk.ada, contains="100%") == 1
    assert cases.count(desk.ada, contains="0_%") == 0
    with pytest.raises(InputError, match="filtered by"):
        cases.page_of(desk.ada, where={"content": "x"})
