"""Search on a workspace: always fresh, by words without the extra, in a better order with it."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import pytest

from curator.errors import Cancelled, MissingExtra
from curator.matching import embedding
from curator.progress import Silent
from curator.services import search as service
from curator.services.ingest import Facts, ingest
from curator.services.search import Found, search
from curator.store.index import Index
from tests.services.desk import ARTICLE, MEASLES, Desk, write_pdf

needs_model = pytest.mark.skipif(not embedding.available(), reason="the semantic extra is not installed")


def words(desk: Desk, text: str, **how: object) -> Found:
    return search(desk.ada, text, semantic=False, **how)  # type: ignore[arg-type]


def ids(found: Found) -> list[str]:
    return [h.source_id for h in found.hits]


def test_the_answer_names_what_can_be_cited(desk: Desk) -> None:
    found = words(desk, "What does a false report cost?")
    hit = found.hits[0]
    assert (hit.source_id, hit.kind, hit.document_id) == (ARTICLE, "chunk", "regulation")
    assert hit.page >= 1
    assert "25 million" in hit.text
    assert hit.lexical_rank == 1
    assert hit.score > 0
    assert {hit.text[a:b].lower() for a, b in hit.marks} >= {"false", "report"}
    assert found.note == ""
    assert ids(words(desk, "measles", kind="row")) == [MEASLES]
    assert words(desk, "measles", document="nosuch").note == "nothing found"


@pytest.mark.parametrize("text", ["", "   ", "*", "\x00", '"'])
def test_nothing_to_search_for_is_said(desk: Desk, text: str) -> None:
    found = words(desk, text)
    assert found.hits == ()
    assert "type a word" in found.note


def test_a_document_that_came_later_is_found_at_once(desk: Desk, tmp_path: Path) -> None:
    assert words(desk, "lighthouse").hits == ()
    write_pdf(tmp_path / "harbor.pdf", articles=(("Article 1. Lights", "Every lighthouse burns from dusk to dawn."),))
    ingest(desk.ada, [tmp_path / "harbor.pdf"], Facts(title="Harbor"))
    assert words(desk, "lighthouses").hits[0].document_id == "harbor"


def test_the_index_is_not_touched_while_nothing_changes(desk: Desk) -> None:
    words(desk, "report")
    file = desk.ada.hidden / "index.db"
    before = file.stat().st_mtime_ns
    assert words(desk, "report").hits
    assert file.stat().st_mtime_ns == before


@pytest.mark.parametrize("damage", ["deleted", "noise", "empty", "cut", "folder gone bad"])
def test_a_damaged_or_deleted_index_is_made_again(desk: Desk, damage: str) -> None:
    before = words(desk, "report")
    file = desk.ada.hidden / "index.db"
    whole = file.read_bytes()
    if damage == "deleted":
        file.unlink()
    else:
        file.write_bytes(
            {"noise": b"noise" * 5000, "empty": b"", "cut": whole[: len(whole) // 2]}.get(damage, whole[::-1])
        )
    assert words(desk, "report") == before


def test_deleted_while_it_is_being_filled(desk: Desk) -> None:
    file = desk.ada.hidden / "index.db"

    class Deletes(Silent):
        def stage(self, name: str, total: int | None = None) -> None:
            if name == "indexing" and file.exists():
                file.unlink()
                self.stage = super().stage  # type: ignore[method-assign]  # once

    assert search(desk.ada, "report", semantic=False, progress=Deletes()).hits
    assert words(desk, "report").hits


def test_stopped_while_indexing_it_goes_on_next_time(desk: Desk) -> None:
    class Stops(Silent):
        def checkpoint(self) -> None:
            raise Cancelled

    with pytest.raises(Cancelled):
        search(desk.ada, "report", semantic=False, progress=Stops())
    assert words(desk, "report").hits


def test_a_store_that_went_back_in_time_is_noticed(desk: Desk, tmp_path: Path) -> None:
    """A restored backup has fewer events, and then others with the same numbers."""
    words(desk, "report")
    with Index(desk.ada.hidden / "index.db") as index:
        index.put("ghost", "99 abc v1 e1", [])
        index.put("regulation", "99 abc v1 e1", [])
        index.settle("99 2030 case x edited", {"ghost": "99 abc v1 e1", "regulation": "99 abc v1 e1"})
    assert ids(words(desk, "false report"))[0] == ARTICLE


def test_many_threads_at_once(desk: Desk) -> None:
    answers: list[list[str]] = []
    failures: list[BaseException] = []

    def ask() -> None:
        try:
            answers.append(ids(words(desk, "report")))
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    assert len(answers) == 8
    assert all(a == answers[0] and a for a in answers)


@needs_model
def test_meaning_puts_a_paraphrase_first(desk: Desk, tmp_path: Path) -> None:
    write_pdf(
        tmp_path / "school.pdf",
        articles=(
            ("Article 1. Fees", "The school and the child and the parents and the fees that a child brings to school."),
            ("Article 2. Illness", "A sick pupil is kept at home, away from school, until two days without fever."),
            ("Article 3. Colors", "The school has a blue door."),
        ),
    )
    ingest(desk.ada, [tmp_path / "school.pdf"], Facts())
    question = "When may an ill child return to school?"
    plain, better = words(desk, question, document="school"), search(desk.ada, question, document="school")
    assert better.semantic == "on"
    assert ids(plain)[0] == "school:article-1"
    assert ids(better)[0] == "school:article-2"
    assert set(ids(plain)) == set(ids(better))
    assert better.hits[0].lexical_rank > 1  # both orders can be seen
    assert better.hits[0].semantic > better.hits[1].semantic


@needs_model
def test_vectors_are_worked_out_once(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    first = search(desk.ada, "What does a false report cost?")
    read: list[str] = []
    real = embedding.MiniLM.encode

    def counted(self: embedding.MiniLM, texts: list[str], *rest: object) -> list[bytes]:
        read.extend(texts)
        return real(self, texts, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(embedding.MiniLM, "encode", counted)
    assert search(desk.ada, "What does a false report cost?") == first
    assert read == []
    search(desk.ada, "What does a late report cost?")
    assert read == ["What does a late report cost?"]


@needs_model
def test_prepared_sources_need_no_model_at_search(desk: Desk) -> None:
    made = service.prepare(desk.ada)
    assert made >= 6
    assert service.prepare(desk.ada) == 0


@needs_model
def test_what_the_model_cannot_read_is_left_to_the_words(desk: Desk) -> None:
    found = search(desk.ada, "보험금 10")
    assert found.semantic.startswith("off (")
    assert "Latin" in found.semantic


def test_without_the_extra_it_works_and_says_the_pip_line(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding, "LIBRARY", "no_such_library")
    found = search(desk.ada, "What does a false report cost?")
    assert ids(found)[0] == ARTICLE
    assert found.semantic == "off (the semantic extra is not installed; pip install 'golden-curator[semantic]')"
    assert service.semantic_state() == found.semantic
    with pytest.raises(MissingExtra, match=r"golden-curator\[semantic\]"):
        search(desk.ada, "report", semantic=True)


def test_a_person_who_is_nobody_may_search(desk: Desk) -> None:
    assert search(replace(desk.ada, actor_id=""), "report", semantic=False).hits
