"""The same file read again: ids stay where it reads the same, cases wait where it does not, copies are kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from curator.domain.anchoring import anchors
from curator.domain.document import Document, ParsedDocument, Revision
from curator.domain.repair import CellFix
from curator.errors import InputError, StorageError, UsageError
from curator.parsing import parse_pdf
from curator.services import cases, documents, reconfirm
from curator.services.comparing import compare, versions
from curator.services.doctor import examine
from curator.services.ingest import Facts, ingest
from curator.services.outdated import is_older, outdated, outdated_ids
from curator.services.readings import read_again, read_again_all, revisions_of
from curator.services.repair import listed, repair
from curator.services.source_files import file_of, kept_path
from curator.store import documents as stored
from curator.store import revisions as revision_rows
from tests.services.desk import ARTICLE, MEASLES, ROWS, Desk, write_pdf

OLD = "curator-pdf 1"


def old_reading(parsed: ParsedDocument, *, number: str = "10", joined: bool = True) -> ParsedDocument:
    """The document as older rules might have read it: words of an article run together, one number misread."""
    chunks = tuple(
        c.model_copy(update={"text": c.text.replace("up to 10 million", f"up to {number} million")})
        if c.id.endswith("article-7")
        else c.model_copy(update={"text": c.text.replace("regional office", "regional- office")})
        if joined
        else c
        for c in parsed.chunks
    )
    return parsed.model_copy(update={"chunks": chunks, "parser": OLD})


def store_old(desk: Desk, parsed: ParsedDocument) -> None:
    """Store it as it was ingested then; copies of files were not kept."""
    revision = Revision(label="1", sha256=parsed.sha256, file=parsed.file, pages=parsed.page_count, parser=OLD,
                        warnings=parsed.warnings)  # fmt: skip
    document = Document(id="rules", title="Rules", domain="rules", language="en", revision=revision)
    with desk.ada.write() as tx:
        stored.add(tx, document, parsed, anchors(parsed), 1)


@pytest.fixture
def rules(desk: Desk) -> Path:
    """The file of a document that is stored as an older reading."""
    return write_pdf(desk.root / "datasets" / "rules.pdf", rows=(*ROWS, ("Scabies", "1")))


def test_what_the_reader_alone_did_otherwise_keeps_its_id_and_no_case_waits(desk: Desk, rules: Path) -> None:
    today = parse_pdf(rules)
    store_old(desk, old_reading(today))
    record = desk.approved("How long to appeal?", "rules:article-8")
    assert outdated(desk.ada).documents == 1
    dry = read_again(desk.ada, "rules", dry_run=True)
    assert (dry.outcome, outdated_ids(desk.ada)) == ("changed", ["rules"])
    before = [s.id for s in documents.sources_on(desk.ada, "rules")]
    (result,) = read_again_all(desk.ada, [])
    assert (result.outcome, result.verdicts, result.parser, result.stale) == (
        "changed",
        {"SAME": len(before)},
        today.parser,
        0,
    )
    found = documents.get(desk.ada, "rules")
    assert (found.revision.label, found.revision.parser, found.title, found.version) == ("1", today.parser, "Rules", 2)
    assert [s.id for s in documents.sources_on(desk.ada, "rules")] == before
    assert "regional office" in documents.source(desk.ada, "rules:article-8").anchor.text
    now = cases.get(desk.ada, record.case.id)
    assert (now.status, now.flags, now.content_hash) == ("approved", (), record.content_hash)
    assert [(r.label, r.reading, r.parser, r.current, r.kept) for r in revisions_of(desk.ada, "rules")] == [
        ("1", 2, today.parser, True, True)
    ]
    assert (outdated(desk.ada).documents, read_again_all(desk.ada, [])) == (0, ())
    assert examine(desk.ada).problems == ()


def test_a_number_that_was_misread_makes_its_cases_wait_as_in_a_changed_file(desk: Desk, rules: Path) -> None:
    store_old(desk, old_reading(parse_pdf(rules), number="70"))
    record = desk.approved("What does it cost?", "rules:article-7")
    result = read_again(desk.ada, "rules", rules)
    assert (result.outcome, result.verdicts["CHANGED"], result.stale) == ("changed", 1, 1)
    assert cases.get(desk.ada, record.case.id).flags == ("stale",)
    (wait,) = reconfirm.waiting(desk.ada)
    assert (wait.source_id, wait.verdict) == ("rules:article-7", "CHANGED")
    assert read_again(desk.ada, "rules").outcome == "same"  # a third time: nothing new, and it goes on waiting
    assert [w.source_id for w in reconfirm.waiting(desk.ada)] == ["rules:article-7"]
    reconfirm.accept(desk.ben, ["rules:article-7"])
    now = cases.get(desk.ada, record.case.id)
    assert (now.flags, "10 million" in now.case.evidence[0].quote) == ((), True)
    assert examine(desk.ada).problems == ()


def test_a_document_that_reads_the_same_is_written_nothing_of(desk: Desk) -> None:
    before = (desk.root / ".curator" / "curator.db").read_bytes(), documents.get(desk.ada, "regulation")
    assert read_again(desk.ada, "regulation").outcome == "same"
    assert documents.get(desk.ada, "regulation") == before[1]
    assert [r.reading for r in revisions_of(desk.ada, "regulation")] == [1]
    with desk.ada.write() as tx:
        stored.note_parser(tx, "regulation", OLD)
    assert outdated_ids(desk.ada) == ["regulation"]
    assert read_again(desk.ada, "regulation").outcome == "same"  # newer rules that change nothing: only their name
    assert (outdated_ids(desk.ada), documents.get(desk.ada, "regulation").version) == ([], before[1].version)


def test_repairs_are_made_again_and_a_repaired_document_reads_the_same(desk: Desk) -> None:
    repair(desk.ada, "regulation", CellFix(row=MEASLES, column=1, text="14"))
    assert read_again(desk.ada, "regulation").outcome == "same"
    assert documents.source(desk.ada, MEASLES).anchor.cells == ("Measles", "14")
    path = write_pdf(desk.root / "datasets" / "rules.pdf", rows=(*ROWS, ("Scabies", "1")))
    store_old(desk, old_reading(parse_pdf(path)))
    repair(desk.ada, "rules", CellFix(row="rules.table-2:mumps", column=1, text="15"))
    result = read_again(desk.ada, "rules")
    assert (result.repairs, result.repairs_waiting, result.stale) == (1, 0, 0)
    assert documents.source(desk.ada, "rules.table-2:mumps").anchor.cells == ("Mumps", "15")
    assert [line.state for line in listed(desk.ada, "rules")] == ["done"]


def test_a_next_revision_after_a_reading_and_the_revisions_compared(desk: Desk, rules: Path, tmp_path: Path) -> None:
    store_old(desk, old_reading(parse_pdf(rules), number="70"))
    read_again(desk.ada, "rules")
    amended = write_pdf(tmp_path / "rules.pdf", rows=(*ROWS, ("Scabies", "2")))
    (result,) = ingest(desk.ada, [amended], Facts(revision_of="rules"))
    assert (result.outcome, result.revision) == ("changed", "2")
    assert [(r.label, r.reading) for r in revisions_of(desk.ada, "rules")] == [("1", 2), ("2", 1)]
    found = compare(desk.ada, "rules@1", "rules@2")
    assert found.counts["changed"] == 1  # against the last reading of the revision before
    assert [s.name for s in versions(desk.ada, "rules")] == ["rules@2", "rules@1#2", "rules@1#1"]
    readings = compare(desk.ada, "rules@1#2")
    assert (readings.one.name, readings.two.name) == ("rules@1#1", "rules@1#2")
    told = [(e.outcome, e.source_id, [p.text.strip() for p in e.pieces if p.kind != "both"]) for e in readings.entries]
    assert ("changed", "rules:article-7", ["70", "10"]) in told
    assert {t[0] for t in told} == {"changed", "form"}
    with pytest.raises(InputError, match="no reading"):
        compare(desk.ada, "rules@1#3")
    (refused,) = read_again_all(desk.ada, [str(rules)])
    assert (refused.outcome, "is revision 1 of rules, not the current one, 2" in refused.reason) == ("rejected", True)


def test_one_that_cannot_be_read_again_never_costs_the_others(desk: Desk, tmp_path: Path) -> None:
    strange = write_pdf(tmp_path / "strange.pdf", rows=ROWS[:2])
    found = read_again_all(desk.ada, [str(strange), "nowhere", "regulation"])
    assert [r.outcome for r in found] == ["rejected", "rejected", "same"]
    assert "is the file of no document" in found[0].reason
    assert "no document nowhere" in found[1].reason
    with pytest.raises(UsageError):
        read_again(desk.by(""), "regulation")


@pytest.mark.parametrize(
    ("parser", "older"),
    [("curator-pdf 1", True), ("curator-pdf 2", False), ("curator-pdf 3", False), ("curator-pdf 10", False),
     ("curator-pdf 1 + rapidocr 3.10.0", True), ("curator-pdf 2 + rapidocr 3.10.0", False), ("sketch 7", True),
     ("curator-pdf 1-2", False), ("curator-pdf 0-1 + rapidocr 3.10.0", True)],
)  # fmt: skip
def test_which_rules_are_older(parser: str, older: bool) -> None:
    assert is_older(parser, "curator-pdf 2") is older


# -- the files --------------------------------------------------------------------------------------------------------


def test_a_copy_is_kept_closed_to_others_and_found_when_the_file_is_gone(desk: Desk) -> None:
    original = desk.root / "datasets" / "regulation.pdf"
    data = original.read_bytes()
    kept = file_of(desk.ada, "regulation")
    assert (kept.name, kept.path.read_bytes()) == ("regulation.pdf", data)
    assert kept.path.stat().st_mode & 0o077 == 0
    original.unlink()
    assert file_of(desk.ada, "regulation").path == kept.path
    kept.path.write_bytes(data[:-1])  # a damaged copy is no copy
    with pytest.raises(InputError, match="damaged"):
        file_of(desk.ada, "regulation")
    original.write_bytes(data)
    assert file_of(desk.ada, "regulation").path == original
    assert ingest(desk.ada, [original])[0].outcome == "same"  # and the copy is made anew
    assert kept.path.read_bytes() == data


def test_no_copy_is_kept_when_the_settings_say_so(desk: Desk, tmp_path: Path) -> None:
    settings = (desk.root / "curator.toml").read_text()
    desk.write_settings(settings + "\n[documents]\nkeep_files = false\n")
    path = write_pdf(tmp_path / "rules.pdf", rows=(*ROWS, ("Scabies", "1")))
    (result,) = ingest(desk.ada, [path])
    sha256 = documents.get(desk.ada, "rules").revision.sha256
    assert (result.outcome, kept_path(desk.ada, sha256).exists()) == ("new", False)
    with pytest.raises(InputError, match="not in the folder"):
        file_of(desk.ada, "rules")
    assert file_of(desk.ada, "rules", path).path == path


def test_nothing_is_kept_of_what_is_not_stored(desk: Desk, tmp_path: Path) -> None:
    def kept() -> list[str]:
        return sorted(p.name for p in (desk.root / ".curator" / "files").iterdir())

    before = kept()
    changed = write_pdf(tmp_path / "regulation.pdf", rows=(*ROWS, ("Scabies", "1")))
    ingest(desk.ada, [changed], Facts(document_id="other"), dry_run=True)
    (refused,) = ingest(desk.ada, [changed], Facts(revision_of="regulation", revision="1"))
    assert (refused.outcome, kept()) == ("rejected", before)


def test_a_folder_that_refuses_the_copy_stores_nothing(desk: Desk, tmp_path: Path) -> None:
    folder = desk.root / ".curator" / "files"
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    folder.write_text("not a folder")
    path = write_pdf(tmp_path / "rules.pdf", rows=(*ROWS, ("Scabies", "1")))
    with pytest.raises(StorageError, match="cannot be kept"):
        ingest(desk.ada, [path])
    assert documents.count(desk.ada) == 1
    with desk.ada.db.read() as tx:
        assert [r.label for r in revision_rows.of_document(tx, "regulation")] == ["1"]
    assert ARTICLE in [s.id for s in documents.sources_on(desk.ada, "regulation")]
