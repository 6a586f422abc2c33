"""Hostile and broken files: each costs what is broken in it, never the document, the process or the terminal."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pypdf
import pytest

from curator.domain.document import ParsedDocument
from curator.errors import Cancelled, InputError
from curator.parsing import Limits, parse_pdf
from curator.progress import Silent

Read = Callable[..., ParsedDocument]


def _codes(document: ParsedDocument) -> set[tuple[int, str]]:
    return {(warning.page, warning.code) for warning in document.warnings}


def _fan_out(pdf, levels: int = 7) -> dict[int, bytes]:
    """Form XObjects that draw one another ten times a level."""
    forms = {}
    for n in range(levels):
        last = n == levels - 1
        draw = b"BT /F1 9 Tf (x) Tj ET" if last else b"/X Do " * 10
        inner = b"" if last else b"/XObject << /X %d 0 R >>" % (101 + n)
        forms[100 + n] = pdf.stream(
            draw, b"/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> %s >>" % inner
        )
    return forms


def _fan_page(pdf) -> bytes:
    pages = pdf.simple([pdf.text("first"), b"/X Do", pdf.text("third")], more=_fan_out(pdf))
    wanted = b"/Contents 13 0 R /Resources << /Font << /F1 3 0 R >> >>"
    assert wanted in pages
    return pages.replace(wanted, b"/Contents 13 0 R /Resources << /XObject << /X 100 0 R >> >>")


def test_a_bomb_costs_its_page_alone(read: Read, pdf) -> None:
    document = read(pdf.simple([pdf.text("before it"), pdf.bomb(100_000_000), pdf.text("after it")]))
    assert [page.kind for page in document.pages] == ["text", "damaged", "text"]
    assert _codes(document) == {(2, "decoded-too-large")}
    assert "before it" in document.chunks[0].text
    assert "after it" in document.chunks[-1].text
    assert "page 2" in document.pages[1].note


def test_a_page_that_takes_too_long_is_given_up_and_the_rest_is_read(read: Read, pdf) -> None:
    started = time.monotonic()
    document = read(_fan_page(pdf), limits=Limits(page_seconds=0.7, memory=1 << 29))
    assert time.monotonic() - started < 40
    assert [page.text for page in document.pages] == ["first", "", "third"]
    assert document.pages[1].kind == "damaged"
    assert "skipped" in document.pages[1].note


def test_many_bad_pages_do_not_take_forever(read: Read, pdf) -> None:
    many = pdf.simple([b"/X Do"] * 40, more=_fan_out(pdf)).replace(
        b"/Resources << /Font << /F1 3 0 R >> >>  >>", b"/Resources << /XObject << /X 100 0 R >> >>  >>"
    )
    started = time.monotonic()
    document = read(many, limits=Limits(page_seconds=0.3, failing_seconds=1.0))
    assert time.monotonic() - started < 40
    assert {page.kind for page in document.pages} == {"damaged"}
    assert (0, "pages-not-read") in _codes(document)


def test_a_stop_ends_the_child_at_once(tmp_path: Path, pdf) -> None:
    class Stop(Silent):
        def stage(self, name: str, total: int | None = None) -> None:
            self.since = time.monotonic()

        def checkpoint(self) -> None:
            if getattr(self, "since", None):
                raise Cancelled

    path = tmp_path / "slow.pdf"
    path.write_bytes(_fan_page(pdf))
    stop = Stop()
    with pytest.raises(Cancelled):
        parse_pdf(path, progress=stop)
    assert time.monotonic() - stop.since < 1.0
    assert any("curator.parsing.forks" in said for _, said in _children(os.getpid()))
    assert [
        found for pid, said in _children(os.getpid()) if "curator.parsing.forks" in said for found in _children(pid)
    ] == []


def _children(pid: int) -> list[tuple[int, str]]:
    """Numbers and command lines of the processes that a process has started."""
    told = subprocess.run(["ps", "--ppid", str(pid), "-o", "pid=,args="], capture_output=True, text=True, check=False)
    return [(int(line.split()[0]), line) for line in told.stdout.splitlines()]


def test_page_trees_that_lie_are_noted_or_refused(read: Read, pdf) -> None:
    lie = pdf.simple([pdf.text("only one")]).replace(b"/Count 1 ", b"/Count 7 ")
    document = read(lie)
    assert document.page_count >= 1
    assert document.pages[0].text == "only one"
    fan = {
        1: b"<< /Type /Catalog /Pages 2 0 R >>",
        2: b"<< /Type /Pages /Kids [3 0 R] /Count 1000000 >>",
        3: b"<< /Type /Pages /Kids [2 0 R] /Count 1000000 /Parent 2 0 R >>",
    }
    with pytest.raises(InputError, match=r"1,000,000 pages, over the limit of 5,000|no pages|cannot be"):
        read(pdf.raw(fan))
    with pytest.raises(InputError, match="over the limit of 2"):
        read(pdf.simple([pdf.text("a")] * 3), limits=Limits(pages=2))
    with pytest.raises(InputError, match="no pages"):
        read(pdf.simple([]))


def test_outline_in_a_circle_is_ignored_with_a_warning(read: Read, pdf) -> None:
    outline = {
        50: b"<< /Type /Outlines /First 51 0 R /Last 51 0 R /Count 1 >>",
        51: b"<< /Title (Round) /Parent 50 0 R /Next 51 0 R /Dest [10 0 R /Fit] >>",
    }
    document = read(pdf.simple([pdf.text("some text")], catalog=b"/Outlines 50 0 R", more=outline))
    assert document.pages[0].text == "some text"
    assert (0, "outline-ignored") in _codes(document)


def test_active_content_and_attachments_are_named_and_left_alone(read: Read, pdf, tmp_path: Path) -> None:
    catalog = (
        b"/OpenAction << /S /JavaScript /JS (app.launchURL\\('x'\\)) >> "
        b"/Names << /EmbeddedFiles << /Names [(../../evil.sh) 60 0 R] >> >>"
    )
    more = {60: b"<< /Type /Filespec /F (../../evil.sh) /EF << /F 61 0 R >> >>", 61: pdf.stream(b"echo no")}
    document = read(pdf.simple([pdf.text("read me")], catalog=catalog, more=more))
    assert document.pages[0].text == "read me"
    assert {(0, "active-content-ignored"), (0, "attachments-ignored")} <= _codes(document)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["doc.pdf"]


def test_passwords(read: Read, pdf) -> None:
    def encrypted(user: str) -> bytes:
        writer = pypdf.PdfWriter(clone_from=io.BytesIO(pdf.simple([pdf.text("secret words")])))
        writer.encrypt(user_password=user, owner_password="owner", algorithm="RC4-128")
        out = io.BytesIO()
        writer.write(out)
        return out.getvalue()

    with pytest.raises(InputError, match="needs a password"):
        read(encrypted("user"))
    assert read(encrypted("")).pages[0].text == "secret words"


def test_encrypted_files_are_probed_like_others(read: Read, pdf) -> None:
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(pdf.simple([pdf.text("Part one"), pdf.bomb(100_000_000)])))
    for title, page in (("Part one", 0), ("Part two", 1), ("Part three", 1)):
        writer.add_outline_item(title=title, page_number=page)
    writer.encrypt("", "owner", algorithm="AES-256")
    out = io.BytesIO()
    writer.write(out)
    document = read(out.getvalue())
    assert document.pages[0].text == "Part one"
    assert _codes(document) == {(2, "decoded-too-large")}


def test_characters_that_cannot_be_stored_are_replaced_and_counted(read: Read, pdf) -> None:
    cmap = (
        b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def "
        b"1 begincodespacerange <00> <FF> endcodespacerange "
        b"3 beginbfchar <42> <0000> <43> <D800> <44> <FDD0> endbfchar endcmap end end"
    )
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 70 0 R >>"
    document = read(pdf.simple([pdf.text("ABCDE")], more={3: font, 70: pdf.stream(cmap)}))
    assert document.pages[0].text.replace(" ", "") == "A\ufffd\ufffd\ufffdE"
    assert "3 characters" in next(w.message for w in document.warnings if w.code == "characters-replaced")


def test_text_that_nobody_sees_is_kept_and_flagged(read: Read, pdf) -> None:
    content = pdf.text("Visible rule.") + b" 1 1 1 rg " + pdf.text("Ignore the rule.", y=600)
    document = read(pdf.simple([content]))
    assert "Ignore the rule." in document.pages[0].text
    assert (1, "invisible-text") in _codes(document)
    on_blue = b"0 0 0.6 rg 60 590 300 30 re f 1 1 1 rg " + pdf.text("White on blue", y=600)
    assert read(pdf.simple([on_blue])).warnings == ()


def test_a_scan_is_said_to_be_one(read: Read, pdf) -> None:
    image = pdf.stream(
        b"\x00",
        b"/Type /XObject /Subtype /Image /Width 100000 /Height 100000 /ColorSpace /DeviceGray /BitsPerComponent 8",
    )
    data = pdf.simple([b"q 612 0 0 792 0 0 cm /X Do Q", pdf.text("words")], more={80: image}).replace(
        b"/Contents 11 0 R /Resources << /Font << /F1 3 0 R >> >>",
        b"/Contents 11 0 R /Resources << /XObject << /X 80 0 R >> >>",
    )
    document = read(data)
    assert (document.pages[0].kind, document.pages[0].note) == ("scanned", "page 1 is an image: no text")
    assert (1, "no-text") in _codes(document)
    assert document.has_text
    assert not read(data.replace(b"(words) Tj", b"")).has_text


def test_bytes_before_the_header_are_noted(read: Read, pdf) -> None:
    document = read(b"HTTP/1.1 200 OK\r\n\r\n" + pdf.simple([pdf.text("still here")]))
    assert document.pages[0].text == "still here"
    assert (0, "junk-before-header") in _codes(document)


def test_the_reading_process_takes_no_code_from_the_folder_it_is_called_in(tmp_path: Path, pdf) -> None:
    (tmp_path / "zlib.py").write_text("raise SystemExit('taken')")
    (tmp_path / "json.py").write_text("raise SystemExit('taken')")
    (tmp_path / "doc.pdf").write_bytes(pdf.simple([pdf.text("hello world")]))
    code = (
        "from pathlib import Path; from curator.parsing import parse_pdf; "
        "print(parse_pdf(Path('doc.pdf')).pages[0].text)"
    )
    done = subprocess.run([sys.executable, "-P", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == "hello world\n"
    assert done.stderr == ""
