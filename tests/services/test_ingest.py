"""Ingest: each file whole or not at all, none of them at the cost of another."""

from __future__ import annotations

from pathlib import Path

import pytest

from curator.domain.identity import source_id_error
from curator.errors import Cancelled, InputError, UsageError
from curator.progress import Silent
from curator.services import documents
from curator.services.doctor import examine
from curator.services.ingest import Facts, exit_code, ingest, report
from curator.services.reference import reference
from tests.services.desk import ARTICLES, SETTINGS, Desk, write_pdf


def other_pdf(path: Path, title: str = "Article 1. Other") -> Path:
    return write_pdf(path, articles=((title, "Another rule that says something else entirely."),), rows=())


def test_a_document_is_found_again_with_its_articles_and_rows(desk: Desk) -> None:
    found = documents.get(desk.ada, "regulation")
    assert (found.chunks, found.rows, found.revision.pages, found.domain) == (3, 3, 2, "rules")
    (row,) = documents.rows(desk.ada, "regulation", contains="MEASLES")
    assert row.anchor.cells == ("Measles", "4")
    assert row.anchor.table_header == ("Disease", "Days away")
    assert "Exclusion from school" in row.anchor.table_title
    assert "10 million" in documents.source(desk.ada, "regulation:article-7").anchor.text
    assert len(documents.sources_on(desk.ada, "regulation", 2, 2)) >= 3
    with pytest.raises(InputError, match="no document nowhere"):
        documents.get(desk.ada, "nowhere")


def test_the_same_bytes_again_change_nothing_even_under_another_name(desk: Desk, tmp_path: Path) -> None:
    copy = tmp_path / "Renamed.pdf"
    copy.write_bytes((desk.root / "datasets" / "regulation.pdf").read_bytes())
    before = documents.get(desk.ada, "regulation")
    (result,) = ingest(desk.ada, [copy])
    assert (result.outcome, result.document_id) == ("same", "regulation")
    assert documents.get(desk.ada, "regulation") == before
    assert documents.count(desk.ada) == 1


def test_a_good_file_beside_bad_ones_is_taken(desk: Desk, tmp_path: Path) -> None:
    inputs = tmp_path / "inputs"
    inputs.mkdir()
    other_pdf(inputs / "b-good.pdf")
    (inputs / "a-html.pdf").write_text("<!doctype html><p>no")
    (inputs / "c-empty.pdf").write_bytes(b"")
    (inputs / "d-cut.pdf").write_bytes(b"%PDF-1.7\n" + b"\x00" * 300)
    (inputs / "e-notes.txt").write_text("not a PDF by name either")
    missing = tmp_path / "gone.pdf"
    results = ingest(desk.ada, [inputs, missing])
    assert {r.file: r.outcome for r in results} == {
        "a-html.pdf": "rejected",
        "b-good.pdf": "new",
        "c-empty.pdf": "rejected",
        "d-cut.pdf": "rejected",
        "gone.pdf": "rejected",
    }
    assert all(r.reason and "\n" not in r.reason for r in results if r.outcome == "rejected")
    told = report(results)
    assert (told.new, told.same, [r.column for r in told.rejected]) == (
        1,
        0,
        ["a-html.pdf", "c-empty.pdf", "d-cut.pdf", "gone.pdf"],
    )
    assert exit_code(results, strict=False) == 3
    assert exit_code([r for r in results if r.outcome == "new"], strict=False) == 0
    assert exit_code([], strict=False) == 3


def test_other_bytes_under_the_same_name_are_refused_and_an_id_of_their_own_helps(desk: Desk, tmp_path: Path) -> None:
    changed = other_pdf(tmp_path / "regulation.pdf")
    for dry_run in (True, False):
        (result,) = ingest(desk.ada, [changed], dry_run=dry_run)
        assert result.outcome == "rejected"
        assert "other bytes than the document regulation" in result.reason
    (named,) = ingest(desk.ada, [changed], Facts(document_id="regulation-2026", effective_from="2026-01-01"))
    assert (named.outcome, named.document_id) == ("new", "regulation-2026")
    assert documents.get(desk.ada, "regulation-2026").effective_from == "2026-01-01"
    assert documents.source(desk.ada, "regulation-2026:article-1").effective_from == "2026-01-01"


def test_a_dry_run_leaves_no_trace_and_needs_nobody(desk: Desk, tmp_path: Path) -> None:
    (result,) = ingest(desk.by(""), [other_pdf(tmp_path / "new.pdf")], dry_run=True)
    assert (result.outcome, result.document_id, result.pages) == ("new", "new", 2)
    assert documents.count(desk.ada) == 1


def test_nobody_and_an_engineer_may_not_ingest(desk: Desk, tmp_path: Path) -> None:
    for who in ("", "dan", "stranger"):
        with pytest.raises(UsageError):
            ingest(desk.by(who), [other_pdf(tmp_path / "new.pdf")])
    assert documents.count(desk.ada) == 1


@pytest.mark.parametrize(
    "facts",
    [
        {"document_id": "Not An Id"},
        {"document_id": "../up"},
        {"document_id": "n" * 60},
        {"effective_from": "soon"},
        {"effective_to": "2026-02-30"},
        {"language": "klingon of the house"},
    ],
)
def test_facts_that_are_none_are_told_before_anything_is_read(desk: Desk, facts: dict[str, str]) -> None:
    with pytest.raises(UsageError):
        ingest(desk.ada, [desk.root / "not-there.pdf"], Facts(**facts))


def test_an_id_is_for_one_file(desk: Desk, tmp_path: Path) -> None:
    other_pdf(tmp_path / "a.pdf")
    other_pdf(tmp_path / "b.pdf", "Article 2. B")
    with pytest.raises(UsageError, match="one file only"):
        ingest(desk.ada, [tmp_path], Facts(document_id="x"))


def test_a_long_id_gives_source_ids_by_the_rules(desk: Desk, tmp_path: Path) -> None:
    path = write_pdf(
        tmp_path / "x.pdf", articles=(("Article 1. " + "Very long heading " * 4, "Text of it."), *ARTICLES)
    )
    (result,) = ingest(desk.ada, [path], Facts(document_id="n" * 48))
    assert result.outcome == "new"
    found = documents.sources_on(desk.ada, "n" * 48)
    assert found
    assert [source_id_error(s.id) for s in found] == [""] * len(found)


class StopsAt(Silent):
    """Asks to stop when the given stage begins."""

    def __init__(self, number: int) -> None:
        self.left = number
        self.asked = False

    def stage(self, name: str, total: int | None = None) -> None:
        self.left -= 1
        self.asked = self.asked or self.left == 0

    def checkpoint(self) -> None:
        if self.asked:
            raise Cancelled


def test_stopping_in_the_middle_leaves_whole_documents(desk: Desk, tmp_path: Path) -> None:
    paths = [other_pdf(tmp_path / f"{c}.pdf", f"Article {n}. About {c}") for n, c in enumerate("abcd", 1)]
    stages = 0

    class Counts(Silent):
        def stage(self, name: str, total: int | None = None) -> None:
            nonlocal stages
            stages += 1

    ingest(desk.ada, paths[:1], progress=Counts())
    with pytest.raises(Cancelled):
        ingest(desk.ada, paths[1:], progress=StopsAt(stages + 1))
    assert [d.id for d in documents.page_of(desk.ada)] == ["a", "b", "regulation"]
    assert examine(desk.ada).problems == ()
    assert [r.outcome for r in ingest(desk.ada, paths)] == ["same", "same", "new", "new"]


def test_a_title_of_a_person_is_cleaned_and_kept(desk: Desk, tmp_path: Path) -> None:
    ingest(desk.ada, [other_pdf(tmp_path / "new.pdf")], Facts(title="cafe\u0301\x00 [/x]", language="ko"))
    found = documents.get(desk.ada, "new")
    assert (found.title, found.language) == ("caf\u00e9\ufffd [/x]", "ko")


def test_the_reference_median_comes_from_a_profile_inside_the_workspace(desk: Desk) -> None:
    profile = desk.root / "datasets" / "lengths.csv"
    said = SETTINGS.replace("median = 1", 'profile = "datasets/lengths.csv"\nas_of = "2026-01-01"')
    desk.write_settings(said)
    profile.write_bytes("document,pages\r\na,4\r\nb,8\r\nc,100\r\n".encode("utf-8-sig"))
    found = reference(desk.ada)
    assert (found.median, found.origin, found.as_of) == (8, "datasets/lengths.csv", "2026-01-01")
    for bad in ("document,pages\na,many\n", "document,pages\na,0\n", "document,pages\na,nan\n", "document\na\n"):
        profile.write_text(bad)
        with pytest.raises(InputError, match="line 2"):
            reference(desk.ada)
    profile.write_bytes(b"\xff\xfe")
    with pytest.raises(InputError):
        reference(desk.ada)
    desk.write_settings(said.replace("datasets/lengths.csv", "../outside.csv"))
    with pytest.raises(InputError, match="outside the workspace"):
        reference(desk.ada)
