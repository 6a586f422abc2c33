"""Which files are read, what is said of the others, and what a document is called."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from curator.errors import InputError
from curator.parsing import document_slug, iter_pdf_files, parse_pdf


def _refused(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        parse_pdf(path)
    assert "\n" not in caught.value.message
    assert caught.value.hint
    return caught.value.message


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "empty file"),
        (b"<!DOCTYPE html><html><body>404</body></html>", "not a PDF (looks like HTML)"),
        (b"PK\x03\x04 and so on", "not a PDF (looks like a ZIP or Office file)"),
        (b"just some words", "not a PDF"),
        (b"%PDF-1.7\nnothing follows\n%%EOF", "damaged PDF"),
    ],
)
def test_a_file_that_is_no_pdf_is_refused_in_one_line(tmp_path: Path, data: bytes, said: str) -> None:
    path = tmp_path / "a\x1b[31m.pdf"
    path.write_bytes(data)
    message = _refused(path)
    assert said in message
    assert message.startswith("a␛[31m.pdf: ")


def test_special_files_are_refused_and_never_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo.pdf")
    (tmp_path / "loop.pdf").symlink_to("loop.pdf")
    (tmp_path / "folder.pdf").mkdir()
    assert "not a regular file" in _refused(tmp_path / "fifo.pdf")
    assert "cannot be opened" in _refused(tmp_path / "loop.pdf")
    assert "is a folder" in _refused(tmp_path / "folder.pdf")
    assert "no such file" in _refused(tmp_path / "absent.pdf")


def test_folders_are_walked_without_leaving_them(tmp_path: Path) -> None:
    inside, outside = tmp_path / "in", tmp_path / "out"
    for folder in (inside / "folder.pdf", outside):
        folder.mkdir(parents=True)
    for path in (
        inside / "b.PDF",
        inside / "a.pdf",
        inside / "folder.pdf" / "c.pdf",
        inside / "notes.txt",
        outside / "x.pdf",
    ):
        path.write_bytes(b"%PDF-1.7")
    (inside / "link.pdf").symlink_to(outside / "x.pdf")
    (inside / "up").symlink_to(tmp_path)
    os.mkfifo(inside / "fifo.pdf")
    (inside / os.fsdecode(b"latin1-\xe9.pdf")).write_bytes(b"%PDF-1.7")
    found = [os.fsencode(path.relative_to(inside)) for path in iter_pdf_files([inside])]
    assert found == [b"a.pdf", b"b.PDF", b"folder.pdf/c.pdf", b"latin1-\xe9.pdf"]


def test_a_path_that_is_no_folder_is_given_as_it_is(tmp_path: Path) -> None:
    assert list(iter_pdf_files([tmp_path / "report"])) == [tmp_path / "report"]


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("UN R107 - 10 series.pdf", "un-r107-10-series"),
        ("한글 약관.PDF", "한글-약관"),
        ("--help.pdf", "help"),
        ("../../etc/passwd.pdf", "etc-passwd"),
        (".pdf", "document"),
        (os.fsdecode(b"latin1-\xe9.pdf"), "latin1"),
    ],
)
def test_document_ids_come_from_file_names(name: str, slug: str) -> None:
    assert document_slug(name) == slug
