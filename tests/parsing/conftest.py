"""PDFs made in code: by hand where a fault is wanted, with fpdf2 where a page is to look like a document."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from fpdf import FPDF

from curator.domain.document import ParsedDocument
from curator.parsing import parse_pdf

SHARED = Path(__file__).resolve().parents[2].parent / "shared"


def raw_pdf(objects: dict[int, bytes], root: int = 1, trailer: bytes = b"") -> bytes:
    """A file of these objects with a right cross-reference table."""
    out = bytearray(b"%PDF-1.7\n")
    places = {}
    for number, body in sorted(objects.items()):
        places[number] = len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start, size = len(out), max(objects) + 1
    out += b"xref\n0 %d\n0000000000 65535 f \n" % size
    for number in range(1, size):
        out += b"%010d 00000 n \n" % places[number] if number in places else b"0000000000 00000 f \n"
    return bytes(
        out + b"trailer << /Size %d /Root %d 0 R %s >>\nstartxref\n%d\n%%%%EOF\n" % (size, root, trailer, start)
    )


def stream(content: bytes, extra: bytes = b"") -> bytes:
    """A stream object."""
    return b"<< /Length %d %s >>\nstream\n%s\nendstream" % (len(content), extra, content)


def simple_pdf(
    contents: Iterable[bytes], page: bytes = b"", catalog: bytes = b"", more: dict[int, bytes] | None = None
) -> bytes:
    """Pages with these content streams; object 3 is Helvetica as /F1, pages are 10, 12, ..., contents 11, 13, ..."""
    objects = {3: b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"}
    kids = []
    for n, content in enumerate(contents):
        number = 10 + 2 * n
        kids.append(b"%d 0 R" % number)
        objects[number] = (
            b"<< /Type /Page /Parent 2 0 R /Contents %d 0 R /Resources << /Font << /F1 3 0 R >> >> %s >>"
            % (number + 1, page)
        )
        objects[number + 1] = content if content.startswith(b"<<") else stream(content)
    objects[2] = b"<< /Type /Pages /Kids [%s] /Count %d /MediaBox [0 0 612 792] >>" % (b" ".join(kids), len(kids))
    objects[1] = b"<< /Type /Catalog /Pages 2 0 R %s >>" % catalog
    return raw_pdf(objects | (more or {}))


def text(*lines: str, x: int = 72, y: int = 700, size: int = 12, step: int = 14) -> bytes:
    """Content that shows lines from (x, y) downward."""
    return (
        b"BT /F1 %d Tf %d TL %d %d Td " % (size, step, x, y)
        + b" T* ".join(
            b"(%s) Tj" % line.encode("latin-1").replace(b"(", b"\\(").replace(b")", b"\\)") for line in lines
        )
        + b" ET\n"
    )


def bomb(size: int) -> bytes:
    """A Flate stream that decodes to so many spaces."""
    packer = zlib.compressobj(9)
    packed = b"".join(packer.compress(b" " * 1_000_000) for _ in range(size // 1_000_000)) + packer.flush()
    return stream(packed, b"/Filter /FlateDecode")


class Sheet(FPDF):
    """A document with a running header and a page number at the foot."""

    def __init__(self, header: str = "", footer: bool = False) -> None:
        super().__init__(format="A4")
        self.set_margin(25)
        self.set_auto_page_break(True, 25)
        self.running, self.numbered = header, footer
        self.set_font("Helvetica", size=10)

    def header(self) -> None:
        if self.running:
            self.set_y(10)
            self.set_font("Helvetica", size=8)
            self.cell(0, 5, self.running, new_x="LMARGIN", new_y="NEXT")
            self.set_y(25)
            self.set_font("Helvetica", size=10)

    def footer(self) -> None:
        if self.numbered:
            self.set_y(-15)
            self.set_font("Helvetica", size=8)
            self.cell(0, 5, f"Page {self.page_no()}", align="C")

    def head(self, words: str, size: float = 13) -> None:
        self.ln(3)
        self.set_font("Helvetica", "B", size)
        self.multi_cell(0, size * 0.5, words, new_x="LMARGIN", new_y="NEXT")
        self.ln(1)
        self.set_font("Helvetica", size=10)

    def para(self, words: str) -> None:
        self.set_font("Helvetica", size=10)
        self.multi_cell(0, 5, words, new_x="LMARGIN", new_y="NEXT", align="L")
        self.ln(2.5)

    def grid(self, rows: list[list[str]], header: int = 1, repeat: bool = True) -> None:
        """A ruled table; "<" spans from the left."""
        self.set_font("Helvetica", size=9)
        with self.table(
            num_heading_rows=header, repeat_headings=1 if repeat and header else 0, line_height=6, padding=1
        ) as table:
            for cells in rows:
                row = table.row()
                n = 0
                while n < len(cells):
                    span = 1
                    while n + span < len(cells) and cells[n + span] == "<":
                        span += 1
                    row.cell(cells[n], colspan=span)
                    n += span
        self.ln(3)
        self.set_font("Helvetica", size=10)


@pytest.fixture
def sheet() -> Callable[..., Sheet]:
    """Makes an empty document with one page."""

    def make(header: str = "", footer: bool = False) -> Sheet:
        made = Sheet(header, footer)
        made.add_page()
        return made

    return make


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., ParsedDocument]:
    """Writes bytes or a Sheet to a file and parses it."""

    def parse(data: bytes | FPDF, name: str = "doc.pdf", **options: object) -> ParsedDocument:
        path = tmp_path / name
        path.write_bytes(data if isinstance(data, bytes) else bytes(data.output()))
        return parse_pdf(path, **options)  # type: ignore[arg-type]

    return parse


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with foreign files, where there is one."""
    if not SHARED.is_dir():
        pytest.skip("no ../shared beside the repository: foreign files are not tested")
    return SHARED


class Pdf:
    """The makers above for tests, which cannot import this file."""

    raw = staticmethod(raw_pdf)
    stream = staticmethod(stream)
    simple = staticmethod(simple_pdf)
    text = staticmethod(text)
    bomb = staticmethod(bomb)


@pytest.fixture
def pdf() -> type[Pdf]:
    """Makers of PDF bytes."""
    return Pdf
