"""Undo and redo, per actor, and drafts that outlive a crash."""

from __future__ import annotations

from pathlib import Path

import pytest

from curator.domain.case import Case
from curator.errors import Conflict
from curator.services import cases, drafts, review, undo
from curator.services.context import Context
from curator.workspace import Workspace, create


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = create(tmp_path / "w")
    with (root / "curator.toml").open("a") as stream:
        stream.write(
            "\n[people.ada]\nrole = 'expert'\n[people.ben]\nrole = 'reviewer'\n[people.carla]\nrole = 'lead'\n"
        )
    return root


def as_(folder: Path, actor: str) -> Workspace:
    return Workspace(folder, actor)


REFUSAL = Case(
    id="x-000003",
    turns=("Who will win?",),
    expected_behavior="refuse",
    refusal_reason="out_of_scope",
    domain="x",
    risk="low",
)


def asked(record: Context, name: str = "x-000003") -> str:
    return cases.get(record, name).case.question


def test_edits_are_undone_and_redone_in_order_and_after_a_restart(folder: Path) -> None:
    with as_(folder, "ada") as w:
        record = cases.new(w.context, REFUSAL)
        for text in ("one", "two", "three"):
            record = cases.save(w.context, record.case.model_copy(update={"turns": (text,)}), record.version)
        assert undo.undo(w.context).verb == "edited"
        assert asked(w.context) == "two"
    with as_(folder, "ada") as w:
        undo.undo(w.context)
        assert asked(w.context) == "one"
        undo.redo(w.context)
        assert asked(w.context) == "two"
        undo.redo(w.context)
        assert asked(w.context) == "three"
        assert undo.redo(w.context) is None
        for wanted in ("two", "one", "Who will win?"):
            undo.undo(w.context)
            assert asked(w.context) == wanted


def test_a_new_decision_ends_what_could_be_redone(folder: Path) -> None:
    with as_(folder, "ada") as w:
        record = cases.new(w.context, REFUSAL)
        record = cases.save(w.context, record.case.model_copy(update={"turns": ("one",)}), record.version)
        record = undo.undo(w.context).record
        cases.save(w.context, record.case.model_copy(update={"turns": ("other",)}), record.version)
        assert undo.redo(w.context) is None
        assert asked(w.context) == "other"


def test_a_case_that_was_written_is_taken_back_and_comes_again_but_is_never_deleted(folder: Path) -> None:
    with as_(folder, "ada") as w:
        cases.new(w.context, REFUSAL)
        gone = undo.undo(w.context).record
        assert (gone.status, bool(gone.retired_reason)) == ("retired", True)
        back = undo.redo(w.context).record
        assert (back.status, back.retired_reason, back.case) == ("draft", "", cases.get(w.context, "x-000003").case)


def test_a_submission_is_undone_until_somebody_has_judged(folder: Path) -> None:
    with as_(folder, "ada") as w:
        cases.new(w.context, REFUSAL)
        cases.submit(w.context, ["x-000003"])
        assert undo.undo(w.context).record.status == "draft"
        assert undo.redo(w.context).record.status == "in_review"
    with as_(folder, "ben") as w:
        said = review.Statement(risk="low", behavior="refuse")
        assert review.approve(w.context, "x-000003", said).status == "approved"
        assert undo.undo(w.context) is None  # a review is withdrawn with a reason, never undone
    with as_(folder, "ada") as w, pytest.raises(Conflict, match="ben"):
        undo.undo(w.context)


def test_undo_is_per_actor(folder: Path) -> None:
    with as_(folder, "ada") as w:
        cases.new(w.context, REFUSAL)
    with as_(folder, "carla") as w:
        assert undo.undo(w.context) is None
        record = cases.get(w.context, "x-000003")
        cases.save(w.context, record.case.model_copy(update={"notes": "hers"}), record.version)
    with as_(folder, "ada") as w, pytest.raises(Conflict, match=r"carla edited x-000003 since then \(event \d+\)"):
        undo.undo(w.context)


def test_an_edit_of_an_approved_case_that_is_undone_is_approved_again(folder: Path) -> None:
    with as_(folder, "ada") as w:
        cases.new(w.context, REFUSAL)
        cases.submit(w.context, ["x-000003"])
    with as_(folder, "ben") as w:
        review.approve(w.context, "x-000003", review.Statement(risk="low", behavior="refuse"))
    with as_(folder, "ada") as w:
        record = cases.get(w.context, "x-000003")
        changed = cases.save(w.context, record.case.model_copy(update={"turns": ("else?",)}), record.version)
        assert changed.status == "draft"
        assert undo.undo(w.context).record.status == "approved"


def test_a_draft_outlives_the_process_and_is_gone_once_it_is_saved(folder: Path) -> None:
    with as_(folder, "ada") as w:
        record = cases.new(w.context, REFUSAL)
        typed = record.case.model_copy(update={"notes": "half a sent"})
        drafts.keep(w.context, typed, record.version)
        drafts.keep(w.context, Case(turns=("a new one",)), 0, key="new")
    with as_(folder, "ben") as w:
        assert drafts.waiting(w.context) == []
    with as_(folder, "ada") as w:
        assert {d.case_id: d.case.notes for d in drafts.waiting(w.context)} == {"x-000003": "half a sent", "new": ""}
        assert [e["verb"] for e in cases.history(w.context, "x-000003")] == ["created"]
        cases.save(w.context, typed, record.version)
        assert [d.case_id for d in drafts.waiting(w.context)] == ["new"]
        drafts.drop(w.context, "new")
        assert drafts.waiting(w.context) == []


def test_until_another_has_labeled_the_last_submission_is_what_the_author_says(folder: Path) -> None:
    with as_(folder, "ada") as w:
        record = cases.new(w.context, REFUSAL.model_copy(update={"risk": "low"}))
        cases.submit(w.context, ["x-000003"])
        undo.undo(w.context)
        record = cases.get(w.context, "x-000003")
        risky = record.case.model_copy(update={"risk": "critical", "consequence": "an election"})
        cases.save(w.context, risky, record.version)
        cases.submit(w.context, ["x-000003"])
    with as_(folder, "ben") as w:
        said = review.Statement(risk="critical", behavior="refuse")
        assert review.approve(w.context, "x-000003", said).status == "approved"
