"""What a new revision changed is re-confirmed by keys: old beside new, one decision a source, all of it undone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from curator import workspace
from curator.domain.case import Case
from curator.services import cases, documents, ingest, reconfirm
from tests.tui.conftest import (
    ROWS,
    TEXT,
    app_of,
    opened,
    press,
    record_of,
    said,
    screen,
    stored,
    table_pdf,
    until,
)

SIX = tuple(tuple(c.replace("5 days", "6 days") if r[0] == "Varicella" else c for c in r) for r in ROWS)
Revise = Callable[..., ingest.Ingested]


@pytest.fixture
def revise(root: Path, tmp_path: Path) -> Revise:
    """Ingest an amended file as the next revision of the document."""

    def made(**content: object) -> ingest.Ingested:
        path = table_pdf(tmp_path / "amended.pdf", **content)  # type: ignore[arg-type]
        with workspace.Workspace(root, "ana") as space:
            (result,) = ingest.ingest(space.context, [path], ingest.Facts(revision_of="exclusion"))
        assert result.outcome == "changed"
        return result

    return made


def waiting(root: Path) -> list[str]:
    with workspace.Workspace(root, "ana") as space:
        return [w.source_id for w in reconfirm.waiting(space.context)]


async def test_a_changed_row_is_confirmed_by_keys_and_the_case_is_current_again_and_back(
    root: Path, revise: Revise
) -> None:
    name = stored(root)
    revise(rows=SIX)
    assert record_of(root, name).flags == ("stale",)
    assert len(waiting(root)) == 2  # the table stands twice in the file; no case cites the other one
    async with opened(root) as pilot:
        await until(pilot, lambda: "sources wait to be re-confirmed" in screen(pilot))
        line = next(x for x in screen(pilot).splitlines() if "re-confirmed" in x)
        await press(pilot, line.strip("│ ").split()[0])
        await until(pilot, lambda: "2 wait since a new revision" in screen(pilot))
        assert "≠ changed" in screen(pilot)
        await press(pilot, "enter")
        await until(pilot, lambda: said(pilot, "{+6+}", "[-5-]"))
        await until(pilot, lambda: said(pilot, "1 of 2", "≠ changed (number) · 1 case · exclusion.table-2:varicella"))
        await press(pilot, "a")
        await until(pilot, lambda: said(pilot, "1 of 1", "no case cites it"))  # the next one
        now = record_of(root, name)
        assert now.flags == ()
        assert "6 days" in now.case.evidence[0].quote
        await press(pilot, "ctrl+z")
        await until(pilot, lambda: said(pilot, "1 of 2", "1 case · exclusion.table-2:varicella"))
        assert record_of(root, name).flags == ("stale",)
        assert "5 days" in record_of(root, name).case.evidence[0].quote
        await press(pilot, "ctrl+y")
        await until(pilot, lambda: "1 of 1" in screen(pilot))
        assert record_of(root, name).flags == ()
        await press(pilot, "a")
        await until(pilot, lambda: "nothing waits" in screen(pilot))
        assert waiting(root) == []


async def ingested_as(root: Path, path: Path, outcome: str, *keys: str) -> None:
    """Ingest a file in the app, answer what is asked with a key, and see what is said then."""
    async with opened(root) as pilot:
        await press(pilot, "f2", "i", f"'{path}'", "enter", "enter", "enter")
        await until(pilot, lambda: said(pilot, "r: the new revision · o: another document · l: leave it"))
        await press(pilot, *keys)
        await until(pilot, lambda: said(pilot, outcome))
        assert not said(pilot, "r: the new revision")


def names(root: Path) -> dict[str, str]:
    with workspace.Workspace(root, "ana") as space:
        return {d.id: d.revision.label for d in documents.page_of(space.context)}


async def test_a_changed_file_of_a_known_name_is_taken_as_its_next_revision_by_one_key(
    root: Path, tmp_path: Path
) -> None:
    stored(root)
    path = table_pdf(tmp_path / "exclusion.pdf", rows=SIX)
    await ingested_as(root, path, "revision 2 of exclusion: 10 same, 2 changed; 1 case is stale: F6", "r")
    assert names(root) == {"exclusion": "2"}


async def test_it_may_be_another_document_with_an_id_of_its_own_or_left(root: Path, tmp_path: Path) -> None:
    path = table_pdf(tmp_path / "exclusion.pdf", rows=SIX)
    await ingested_as(root, path, "left, nothing was stored", "l")
    assert names(root) == {"exclusion": "1"}
    await ingested_as(root, path, "exclusion.pdf: new, 4 pages", "o", "enter")
    assert names(root) == {"exclusion": "1", "exclusion-2": "1"}


async def test_a_file_of_another_name_that_is_much_alike_is_asked_about_too(root: Path, tmp_path: Path) -> None:
    await ingested_as(root, table_pdf(tmp_path / "amended-2026.pdf", rows=SIX), "revision 2 of exclusion", "r")
    assert names(root) == {"exclusion": "2"}


async def test_a_question_about_a_file_never_takes_a_key_that_is_typed_elsewhere(root: Path, tmp_path: Path) -> None:
    path = table_pdf(tmp_path / "exclusion.pdf", rows=SIX)
    async with opened(root) as pilot:
        await press(pilot, "f2", "i", f"'{path}'", "enter", "enter", "enter", "slash")
        await until(pilot, lambda: said(pilot, "l: leave it"))
        await press(pilot, *"rol")
        assert said(pilot, "l: leave it")
        await press(pilot, "f1")
        await until(pilot, lambda: said(pilot, "a file waits for an answer: F2"))
        await press(pilot, "ctrl+q")  # nor does it keep the app from closing
    assert names(root) == {"exclusion": "1"}


async def test_the_reader_says_its_revision_shows_what_it_changed_and_what_waits(root: Path, revise: Revise) -> None:
    name = stored(root)
    revise(rows=SIX)
    async with opened(root, size=(120, 40)) as pilot:
        await press(pilot, "f5")
        await until(pilot, lambda: said(pilot, "! stale"))  # in the list, before it is opened
        await press(pilot, "enter")
        await until(pilot, lambda: app_of(pilot).desk.case is not None)
        await until(pilot, lambda: said(pilot, name, "! stale"))  # in the form
        await press(pilot, "f2")
        await until(pilot, lambda: said(pilot, "Exclusion of pupils"))
        await press(pilot, "enter")
        await until(pilot, lambda: said(pilot, "revision 2"))
        await until(pilot, lambda: said(pilot, "●req p. 2 ! stale", "! stale: F6"))
        await press(pilot, "D")
        await until(pilot, lambda: said(pilot, "revision 1 → 2:", "2 changed", "[-5-]", "{+6+}"))
        await press(pilot, "c")
        await until(pilot, lambda: said(pilot, "first the older side", "revision 2 · ", "current"))
        await press(pilot, *"revision 1", "enter")
        await until(pilot, lambda: said(pilot, "is exclusion@1 compared with?"))
        await press(pilot, "enter")
        await until(pilot, lambda: said(pilot, "revision 1 → 2:", "[-5-]"))
        await press(pilot, "s")
        await until(pilot, lambda: said(pilot, "shown: changed"))
        await press(pilot, "enter")
        await until(pilot, lambda: not said(pilot, "[-5-]") and said(pilot, "exclusion.table-2:varicella-2"))


async def test_a_source_and_its_document_are_renamed_and_marks_stay_where_they_are(root: Path) -> None:
    name = stored(root)
    async with opened(root, size=(120, 40)) as pilot:
        await press(pilot, "f5")
        await until(pilot, lambda: said(pilot, "varicella stay"))
        await press(pilot, "enter")
        await until(pilot, lambda: app_of(pilot).desk.case is not None)
        await press(pilot, "f2")
        await until(pilot, lambda: said(pilot, "Exclusion of pupils"))
        await press(pilot, "enter")
        await until(pilot, lambda: said(pilot, "page 1 of 4"))
        await press(pilot, "m")
        await until(pilot, lambda: said(pilot, "● required · x takes back", "exclusion.table-2:varicella"))
        await press(pilot, "R")
        await until(pilot, lambda: said(pilot, "rename the source"))
        await press(pilot, "ctrl+u", "'exclusion.table-2:chickenpox'", "enter")
        await until(pilot, lambda: said(pilot, "● required · x takes back", "exclusion.table-2:chickenpox"))
        await press(pilot, "f2", "R")
        await until(pilot, lambda: said(pilot, "rename the document"))
        await press(pilot, "ctrl+u", "'school-exclusion'", "enter")
        await until(pilot, lambda: said(pilot, "school-exclusion Exclusion of pupils"))
        assert names(root) == {"school-exclusion": "1"}
        await press(pilot, "f3")
        await until(pilot, lambda: said(pilot, "● required · x takes back", "exclusion.table-2:chickenpox"))
        await press(pilot, "e")  # the mark is found under the name that the case knows
        await until(pilot, lambda: said(pilot, "◐ supporting · x takes back"))
        case = app_of(pilot).desk.case
        assert case is not None
        assert [e.role for e in case.evidence] == ["supporting"]
        await press(pilot, "ctrl+z", "f2", "ctrl+z")
        await until(pilot, lambda: names(root) == {"exclusion": "1"})
        await press(pilot, "ctrl+z")
        await until(pilot, lambda: said(pilot, "taken back: exclusion.table-2"))
    assert record_of(root, name).flags == ()


async def test_all_that_differ_in_form_only_are_accepted_as_one_decision(root: Path, revise: Revise) -> None:
    revise(text=tuple(t.replace("pupil ", "pu-pil ").replace("every year", "every  year") for t in TEXT))
    before = waiting(root)
    assert before
    async with opened(root) as pilot:
        await press(pilot, "f6", "r")
        await until(pilot, lambda: said(pilot, "A accepts them all"))
        await press(pilot, "A")
        await until(pilot, lambda: said(pilot, "differ in form only?"))
        await press(pilot, "y")
        await until(pilot, lambda: waiting(root) == [])
        await until(pilot, lambda: said(pilot, "nothing waits"))
        await press(pilot, "ctrl+z")
        await until(pilot, lambda: said(pilot, "A accepts them all"))
    assert waiting(root) == before


async def test_a_lost_row_is_found_elsewhere_by_its_words_or_dropped(root: Path, revise: Revise) -> None:
    name = stored(root)
    revise(rows=tuple(("Chickenpox", *r[1:]) if r[0] == "Varicella" else r for r in ROWS if r[0] != "Mumps"))
    async with opened(root, size=(120, 40)) as pilot:
        await press(pilot, "f6", "r")
        await until(pilot, lambda: said(pilot, "since a new revision"))
        await press(pilot, "enter")
        await until(pilot, lambda: said(pilot, "1 of ", "exclusion.table-2:varicella"))
        await press(pilot, "o")
        await until(pilot, lambda: said(pilot, "where is exclusion.table-2:varicella now?"))
        await press(pilot, *"chickenpox blisters")
        await until(pilot, lambda: said(pilot, "exclusion.table-2:chickenpox"))
        await press(pilot, "enter")
        await until(pilot, lambda: said(pilot, "a: yes, it lies at exclusion.table-2:chickenpox now"))
        await press(pilot, "a")
        await until(pilot, lambda: "exclusion.table-2:varicella" not in waiting(root))
        assert record_of(root, name).flags == ()
        count = len(waiting(root))
        await until(pilot, lambda: said(pilot, f"1 of {count}"))
        await press(pilot, "x")
        await until(pilot, lambda: said(pilot, "why it is gone"))
        await press(pilot, "enter")
        await until(pilot, lambda: len(waiting(root)) == count - 1)


async def test_the_case_on_a_changed_source_is_one_key_away_and_f6_comes_back(root: Path, revise: Revise) -> None:
    name = stored(root)
    revise(rows=SIX)
    async with opened(root) as pilot:
        await press(pilot, "f6", "r")
        await until(pilot, lambda: said(pilot, "since a new revision"))
        await press(pilot, "enter")
        await until(pilot, lambda: said(pilot, "{+6+}"))
        await press(pilot, "enter")
        await until(pilot, lambda: app_of(pilot).current_mode == "case" and said(pilot, name, "! stale"))
        await press(pilot, "f6")
        await until(pilot, lambda: said(pilot, "{+6+}", "1 of 2"))
        await press(pilot, "a")
        await until(pilot, lambda: record_of(root, name).flags == ())
        await press(pilot, "f5")
        await until(pilot, lambda: said(pilot, name) and not said(pilot, "! stale"))  # the form follows


async def test_a_refusal_for_silence_that_new_text_may_answer_is_looked_at(root: Path, revise: Revise) -> None:
    question = "Which certificate from the family doctor must a pupil with scabies bring along?"
    with workspace.Workspace(root, "ana") as space:
        case = Case(turns=(question,), expected_behavior="refuse", refusal_reason="not_in_sources", risk="low")
        case = cases.with_document(space.context, case, "exclusion")
        name = cases.new(space.context, case).case.id
    revise(text=(*TEXT[:3], "A pupil with scabies must bring along a certificate from the family doctor."))
    assert record_of(root, name).flags == ("stale",)
    async with opened(root) as pilot:
        await press(pilot, "f6", "r")
        await until(pilot, lambda: said(pilot, "answered now?"))
        row = next(n for n, x in enumerate(screen(pilot).splitlines()) if "answered now?" in x and "¿" in x)
        await press(pilot, *["down"] * (row - 3), "enter")
        await until(pilot, lambda: said(pilot, "a: the sources are still silent"))
        await press(pilot, "a")
        await until(pilot, lambda: record_of(root, name).flags == ())
