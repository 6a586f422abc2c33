"""Lists of questions become cases: once, with what they say, and nothing that nobody said."""

from __future__ import annotations

import csv
import json
import random
from pathlib import Path
from typing import Any

import pytest

from curator.domain.hints import suggested_behavior
from curator.errors import CheckFailed, Conflict, UsageError
from curator.parsing.lists import ListProfile
from curator.services import blind, cases, coverage_board, list_guesses, profiles, review, suggestions, undo
from curator.services.due import due
from curator.services.list_import import ListReport, import_list
from curator.services.release import release
from curator.services.review import Statement
from curator.settings import load
from tests.services.desk import ARTICLE, SETTINGS, Desk

ROWS: list[dict[str, Any]] = [
    {"id": "1", "question": "What does a late report cost?", "answer": "Up to 10 million euro.", "domain": "rules",
     "severity": "low", "document": "regulation.pdf", "expected_sources": [ARTICLE], "owner": "desk"},
    {"id": "2", "question": "When is a report due?", "answer": "Within 30 days.", "domain": "rules", "severity": "high",
     "document": "regulation.pdf", "contexts": ["A report is due within 30 days after the end of the quarter."]},
    {"id": "3", "question": "Where is an appeal lodged?", "answer": "At the regional office.", "domain": "rules",
     "severity": "low", "document": "Regulation", "article": "Article 8"},
    {"id": "4", "question": "Who won the cup?", "answer": "", "domain": "rules", "severity": "low",
     "category": "out_of_scope"},
    {"id": "5", "question": "How long with mumps?", "answer": "I don't know.", "domain": "rules", "severity": "low",
     "document": "regulation.pdf", "page": 2},
]  # fmt: skip


def write(folder: Path, rows: list[dict[str, Any]], name: str = "list.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(rows), "utf-8")
    return path


def take(desk: Desk, path: Path, by: str = "ada", **options: Any) -> ListReport:
    return import_list(desk.by(by), path, **options)


def by_question(desk: Desk) -> dict[str, str]:
    return {line.question: line.id for line in cases.page_of(desk.ada, limit=0)}


def counts(report: ListReport) -> tuple[int, int, int, int]:
    return report.new, report.same, report.changed, len(report.rejected)


def test_a_list_becomes_drafts_and_only_once(desk: Desk, tmp_path: Path) -> None:
    path = write(tmp_path, ROWS)
    dry = take(desk, path, dry_run=True)
    assert counts(dry) == (5, 0, 0, 0)
    assert (len(dry.preview), dry.hints, dry.located) == (5, 3, 3)
    assert cases.count(desk.ada) == 0
    assert counts(take(desk, path)) == (5, 0, 0, 0)
    records = {q: cases.get(desk.ada, name) for q, name in by_question(desk).items()}
    first = records["What does a late report cost?"]
    assert (first.status, first.author, first.case.origin, first.case.risk) == ("draft", "ada", "import", "low")
    assert first.case.expected_source_ids == (ARTICLE,)
    assert [d.document_id for d in first.case.documents] == ["regulation"]
    assert {a.name: a.value for a in first.case.attributes} == {"list id": "1", "owner": "desk"}
    refusal = records["Who won the cup?"].case
    assert (refusal.expected_behavior, refusal.refusal_reason, refusal.tags) == (
        "refuse",
        "out_of_scope",
        ("out_of_scope",),
    )


def test_the_same_list_in_another_form_gives_nothing_new(desk: Desk, tmp_path: Path) -> None:
    """Other row order, CSV for JSON, a byte order mark, CRLF, another encoding."""
    take(desk, write(tmp_path, ROWS))
    rows = list(ROWS)
    random.Random(3).shuffle(rows)
    assert counts(take(desk, write(tmp_path, rows, "other.json"))) == (0, 5, 0, 0)
    names = list(dict.fromkeys(k for r in ROWS for k in r))
    for name, encoding in (("bom.csv", "utf-8-sig"), ("wide.csv", "utf-16")):
        with (tmp_path / name).open("w", encoding=encoding, newline="") as stream:
            writer = csv.DictWriter(stream, names)
            writer.writeheader()
            writer.writerows({k: json.dumps(v) if isinstance(v, list) else v for k, v in r.items()} for r in rows)
        assert counts(take(desk, tmp_path / name)) == (0, 5, 0, 0)
    assert cases.count(desk.ada) == 5


def test_a_row_that_changed_overwrites_nothing(desk: Desk, tmp_path: Path) -> None:
    take(desk, write(tmp_path, ROWS))
    rows = [dict(r) for r in ROWS]
    rows[0]["answer"] = "Up to 12 million euro."
    rows[1]["owner"] = "another desk"
    report = take(desk, write(tmp_path, rows))
    assert counts(report) == (0, 3, 2, 0)
    name = by_question(desk)["What does a late report cost?"]
    assert f"row 1: imported before as {name}, with another answer" in report.warnings
    assert cases.get(desk.ada, name).case.reference_answer == "Up to 10 million euro."


def test_more_rows_than_a_part_and_a_stop(desk: Desk, tmp_path: Path) -> None:
    """What asks the same under one id stays apart; an import that was stopped goes on where it ended."""
    rows: list[dict[str, Any]] = [
        {"id": str(n % 140), "question": f"Number {n % 140}?", "answer": f"{n}."} for n in range(280)
    ]
    path = write(tmp_path, rows)

    class Stopped:
        steps = 0

        def stage(self, name: str, total: int | None = None) -> None: ...
        def note(self, message: str) -> None: ...

        def advance(self, steps: int = 1) -> None:
            self.steps += steps

        def checkpoint(self) -> None:
            if self.steps:
                raise Conflict("stopped")

    with pytest.raises(Conflict):
        take(desk, path, progress=Stopped())
    stored = cases.count(desk.ada)
    assert 0 < stored < 280
    assert counts(take(desk, path)) == (280 - stored, stored, 0, 0)


def test_what_a_list_says_of_evidence_is_suggested_and_never_cited(desk: Desk, tmp_path: Path) -> None:
    take(desk, write(tmp_path, ROWS))
    names = by_question(desk)
    expected = {
        "When is a report due?": ("regulation:article-6", "quote"),
        "Where is an appeal lodged?": ("regulation:article-8", "place"),
        "How long with mumps?": ("regulation.table-2:mumps", "page"),
    }
    for question, (source, method) in expected.items():
        assert cases.get(desk.ada, names[question]).case.evidence == ()
        best = suggestions.suggest_for(desk.ada, names[question], semantic=False).suggestions[0]
        assert (best.source_id, best.proposal.method) == (source, method), question
    record = suggestions.decide(
        desk.ada, names["When is a report due?"], accepted={"regulation:article-6": "required"}, semantic=False
    )
    assert record.case.expected_source_ids == ("regulation:article-6",)
    history = cases.history(desk.ada, record.case.id)
    assert history[-1]["data"]["suggestion"]["method"] == "quote"


def test_a_guessed_behavior_waits_for_a_person(desk: Desk, tmp_path: Path) -> None:
    report = take(desk, write(tmp_path, ROWS))
    assert [(g.row, g.behavior) for g in report.suggested] == [(5, "refuse")]
    record = cases.get(desk.ada, by_question(desk)["How long with mumps?"])
    assert record.case.expected_behavior == "answer"
    assert suggested_behavior(record.case) == "refuse: the answer reads like a refusal"
    (taken,) = list_guesses.accept(desk.ada, [record.case.id])
    accepted = cases.get(desk.ada, record.case.id).case
    assert (taken.outcome, accepted.expected_behavior, suggested_behavior(accepted)) == ("done", "refuse", "")
    assert list_guesses.accept(desk.ada, [record.case.id])[0].outcome == "same"
    assert undo.undo(desk.ada).case_ids == (record.case.id,)
    record = cases.get(desk.ada, record.case.id)
    assert suggested_behavior(record.case) == "refuse: the answer reads like a refusal"
    decided = record.case.model_copy(update={"expected_behavior": "refuse", "refusal_reason": "not_in_sources"})
    assert suggested_behavior(cases.save(desk.ada, decided, record.version).case) == ""


def test_approved_elsewhere_counts_nowhere_until_confirmed(desk: Desk, tmp_path: Path) -> None:
    path = write(tmp_path, [r for r in ROWS if r["id"] in ("1", "2", "4", "5")])
    for wrong in ({"approved_by": "ben"}, {"reason": "x"}, {"approved_by": "zoe", "reason": "x"}):
        with pytest.raises(UsageError):
            take(desk, path, status="approved", **wrong)
    report = take(desk, path, status="approved", approved_by="carla", reason="signed in March")
    assert (report.approved, report.kept_drafts) == (3, 1)
    assert "1 case not taken as approved, a draft: its behavior is only suggested" in report.warnings
    names = by_question(desk)
    name, high = names["What does a late report cost?"], names["When is a report due?"]
    record = cases.get(desk.ada, name)
    assert (record.status, record.flags, record.side, record.approvals) == ("approved", ("unverified",), "", 0)
    said = [e["data"] for e in cases.history(desk.ada, name) if e["verb"] == "approved elsewhere"]
    assert said == [{"by": "carla", "reason": "signed in March"}]
    assert {d.name for d in due(desk.ada) if d.kind == "unverified"} == {name, high, names["Who won the cup?"]}
    board = coverage_board.Board(desk.ada)
    board.refresh()
    assert [(m.count, m.coming) for m in board.grid("", "domain").rows] == [(0, 4)]
    with pytest.raises(CheckFailed, match="3 cases are imported as approved and confirmed by nobody"):
        release(desk.carla, "rules", dry_run=True)
    tagged = cases.save(desk.ada, record.case.model_copy(update={"tags": ("kept",)}), record.version)
    assert (tagged.status, tagged.flags) == ("approved", ("unverified",))
    with pytest.raises(UsageError, match="may not approve it"):
        review.approve(desk.ada, name)
    confirmed = review.approve(desk.ben, name, Statement(risk="low"))
    assert (confirmed.status, confirmed.flags, confirmed.approvals) == ("approved", (), 1)
    assert confirmed.side
    with pytest.raises(CheckFailed, match="cannot be confirmed as it is"):
        review.approve(desk.ben, high, Statement(risk="high", behavior="answer", source_ids=(ARTICLE,)))
    assert cases.get(desk.ada, high).status == "approved"
    assert "reference_answer" in blind.look(desk.ben, high).hidden


def test_an_unverified_case_of_high_risk_takes_two_labels(desk: Desk, tmp_path: Path) -> None:
    row = {**ROWS[0], "severity": "critical"}
    take(desk, write(tmp_path, [row]), status="approved", approved_by="carla", reason="r")
    (name,) = by_question(desk).values()
    label = Statement(risk="critical", behavior="answer", source_ids=(ARTICLE,))
    first = review.approve(desk.ben, name, label)
    assert (first.status, first.flags) == ("in_review", ())
    assert review.approve(desk.carla, name, label).status == "approved"


def test_personal_data_keeps_a_case_out_of_a_release(desk: Desk, tmp_path: Path) -> None:
    rows = [
        {"question": "Who helps?", "answer": "Write to jo.doe@example.org", "card_number_test": "4111 1111 1111 1111"}
    ]
    report = take(desk, write(tmp_path, rows))
    assert report.personal == 1
    (name,) = by_question(desk).values()
    record = cases.get(desk.ada, name)
    assert record.flags == ("privacy_open",)
    assert record.case.attributes == ()
    assert any("card_number_test looks like personal data" in w for w in report.warnings)


def test_a_summary_without_a_question(desk: Desk, tmp_path: Path) -> None:
    rows = [{"doc_id": "R", "source_file": "regulation.pdf", "reference_summary": "Reports, penalties, appeals.",
             "key_provisions": [{"clause": "Article 7", "text": "Penalties up to 10 million"}]}]  # fmt: skip
    report = take(desk, write(tmp_path, rows), status="approved", approved_by="carla", reason="r")
    assert (report.needs_question, report.approved, report.kept_drafts) == ((1,), 0, 1)
    (name,) = by_question(desk).values()
    case = cases.get(desk.ada, name).case
    assert (case.task, case.turns, case.tags) == ("summary", ("Summarize regulation.pdf.",), ("question-proposed",))
    assert [p.citation for p in case.key_provisions] == ["Article 7"]


def test_a_mapping_is_kept_and_used_again(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("X1,X2\nhow long,five days\n")
    how = ListProfile(header=True, columns={"X1": "turns", "X2": "referenceAnswer"})
    profiles.save(desk.ada, "team", how)
    desk.write_settings((desk.root / "curator.toml").read_text())
    assert load(desk.root / "curator.toml").lists.profiles["team"].columns == how.columns
    assert SETTINGS.strip() in (desk.root / "curator.toml").read_text()
    report = take(desk, path, how=profiles.named_list(desk.ada, "team"))
    assert (report.new, report.mapping) == (1, {"X1": "turns", "X2": "referenceAnswer"})


def test_rejected_rows_are_listed_in_a_file(desk: Desk, tmp_path: Path) -> None:
    report = take(desk, write(tmp_path, [{"question": "A?", "answer": "a"}, {"question": " ", "answer": "b"}]))
    with (desk.root / report.reject_file).open(newline="") as stream:
        assert list(csv.reader(stream)) == [
            ["row", "column", "reason"], ["2", "question", "no question: question is blank"]
        ]  # fmt: skip
