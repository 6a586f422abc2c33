"""Severities of `[checks]` hold by one door: in the form, in `case show`, in a submission and in lint."""

from __future__ import annotations

import pytest

from curator.domain.case import CaseRecord
from curator.errors import InputError
from curator.services import blind, cases, checking
from curator.services.lint import lint
from tests.services.desk import SETTINGS, Desk

WRONG = "Up to 77 million euro."  # the evidence says 10


def configured(desk: Desk, **levels: str) -> None:
    table = "".join(f'{code.replace("_", "-")} = "{level}"\n' for code, level in levels.items())
    desk.write_settings(f"{SETTINGS}\n[checks]\n{table}")


def told(desk: Desk, record: CaseRecord) -> dict[str, str]:
    """What the form says, code and severity; lint says the same."""
    found = {p.code: p.severity for p in checking.check(desk.ada, record.case)}
    assert {f.code: f.severity for f in lint(desk.ada, [record.case.id], around=False).findings} == found
    return found


def submitted(desk: Desk, record: CaseRecord) -> tuple[str, list[str]]:
    (done,) = cases.submit(desk.ada, [record.case.id])
    return done.status, [p.code for p in done.problems]


def test_a_warning_stops_nothing_an_error_does_and_what_is_off_is_not_shown(desk: Desk) -> None:
    record = desk.case(referenceAnswer=WRONG)
    assert told(desk, record) == {"value-unsupported": "warning"}
    configured(desk, value_unsupported="off")
    assert told(desk, record) == {}
    configured(desk, value_unsupported="error")
    assert told(desk, record) == {"value-unsupported": "error"}
    assert submitted(desk, record) == ("draft", ["value-unsupported"])
    configured(desk, value_unsupported="warning")
    assert submitted(desk, record) == ("in_review", [])


def test_a_check_of_the_form_can_be_made_an_error_by_itself(desk: Desk) -> None:
    record = desk.case(domain="", risk="high")
    record = cases.save(desk.ada, record.case.model_copy(update={"domain": ""}), record.version)
    assert told(desk, record) == {"domain-missing": "warning", "consequence-missing": "warning"}
    configured(desk, domain_missing="error", consequence_missing="off")
    assert told(desk, record) == {"domain-missing": "error"}
    assert submitted(desk, record) == ("draft", ["domain-missing"])


def test_the_evidence_must_be_in_force_today_for_the_form_as_for_lint(desk: Desk) -> None:
    record = desk.case()
    (entry,) = record.case.evidence
    over = record.case.model_copy(update={"evidence": (entry.model_copy(update={"effective_to": "2020-01-01"}),)})
    record = cases.save(desk.ada, over, record.version)
    assert told(desk, record) == {"evidence-not-in-force": "warning"}


def test_a_stale_case_waits_when_that_is_an_error(desk: Desk) -> None:
    from curator.store import cases as store
    from curator.store.cases import Change

    record = desk.case()
    with desk.ada.write() as tx:
        store.change_many(tx, [Change(record, "flagged", {"flags": ("stale",)})])
    assert [p.code for p in checking.check(desk.ada, record.case, stale=True)] == ["case-stale"]
    configured(desk, case_stale="error")
    assert submitted(desk, record) == ("draft", ["case-stale"])


def test_no_severity_tells_a_risk_that_is_hidden(desk: Desk) -> None:
    high, low = desk.submitted(risk="high").case.id, desk.submitted("Who may appeal?").case.id
    configured(desk, consequence_missing="error")
    for name in (high, low):
        record, hidden = blind.look(desk.ben, name)
        assert hidden
        assert checking.check(desk.ben, record.case, hidden) == ()
    assert [p.code for p in checking.check(desk.ada, cases.get(desk.ada, high).case)] == ["consequence-missing"]


def test_a_check_that_there_is_not_stops_a_submission_with_its_name(desk: Desk) -> None:
    record = desk.case()
    configured(desk, value_unsuported="off")
    with pytest.raises(InputError, match="value-unsuported: no such check"):
        cases.submit(desk.ada, [record.case.id])
    assert cases.get(desk.ada, record.case.id).status == "draft"
