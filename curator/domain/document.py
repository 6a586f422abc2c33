"""A source file as it was read: pages, sections, chunks, tables and rows.

`ParsedDocument` is what a parser gives and what `curator parse --json` prints. Its ids are local to the document
(`<document>:<key>`); ingestion mints them once into the store, and from then on they are never recomputed.
Pages count from 1. Boxes are display coordinates in points: left, top, right, bottom, the origin at the top left.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from curator.domain.model import Model

PageKind = Literal["text", "scanned", "empty", "damaged"]
SourceKind = Literal["chunk", "row"]
Box = tuple[float, float, float, float]


class ParseWarning(Model):
    """One thing that a person should know about a file: page 0 speaks of the whole file."""

    page: int = 0
    code: str
    message: str

    @property
    def told(self) -> str:
        """The message with its page, once."""
        return (
            self.message
            if not self.page or f"page {self.page}" in self.message
            else f"page {self.page}: {self.message}"
        )


class Page(Model):
    """One page: its index from 1, the label printed on it ("" = none), and what kind of content it has.

    `text` is the page in reading order, running headers and footers taken out; they stand in `running`. `recognized`
    is the mean confidence of the characters, 0 to 1, where a machine recognized them in an image; 0 = it did not.
    """

    index: int
    label: str = ""
    chars: int = 0
    kind: PageKind = "text"
    note: str = ""
    recognized: float = 0.0
    text: str = ""
    running: tuple[str, ...] = ()


class Section(Model):
    """A heading: `path` ends in its own title; `label` is its number alone ("Article 7", "5.3.1", "" = none)."""

    path: tuple[str, ...]
    title: str
    label: str = ""
    page: int
    level: int = 1


class Chunk(Model):
    """A citable piece of running text: a lowest section, or one paragraph of a long one.

    `recognized` is the confidence of its least sure line, where it was recognized in an image; 0 = it was not.
    """

    id: str
    page: int
    page_end: int
    section_path: tuple[str, ...] = ()
    text: str
    box: Box | None = None
    recognized: float = 0.0


class Row(Model):
    """A table row. `cells` are as wide as the table's header; merged cells are filled from the cell that spans them.

    `section` is the section row above it ("" = none); `text` is title, section and "header: cell; ...". `question` is
    what a person is asked about it ("" = nothing): the first row of a page may be the rest of the one before.
    """

    id: str
    page: int
    cells: tuple[str, ...]
    section: str = ""
    text: str
    box: Box | None = None
    question: str = ""


class Table(Model):
    """A table, over one or more pages. `header` has one entry a column, levels joined by " > ", units in the cell.

    `origin` says where it comes from: "ruled" (a grid of drawn lines), "rules" (lines or stripes across alone), "gaps"
    (columns of words), "ocr" (an image), "camelot" (read again by that engine); `confidence` how sure that is, 0 to 1.
    """

    id: str
    title: str = ""
    pages: tuple[int, ...]
    header: tuple[str, ...]
    rows: tuple[Row, ...]
    section_path: tuple[str, ...] = ()
    footnotes: tuple[str, ...] = ()
    origin: str = "ruled"
    confidence: float = 1.0


class ParsedDocument(Model):
    """Everything that one file gave. `file` is its name alone; `parser` names our rules and their version."""

    file: str
    sha256: str
    page_count: int
    title: str = ""
    language: str = ""
    parser: str = ""
    pages: tuple[Page, ...] = ()
    sections: tuple[Section, ...] = ()
    chunks: tuple[Chunk, ...] = ()
    tables: tuple[Table, ...] = ()
    warnings: tuple[ParseWarning, ...] = ()

    @property
    def has_text(self) -> bool:
        """Whether at least one page gave text: else `ingest` and `parse` end with exit code 3."""
        return any(page.chars for page in self.pages)


class Anchor(Model):
    """How a source is found in one revision of its document. A case cites the source, never the anchor.

    Attributes:
        ordinal: Position of the source in the revision, from 1; chunks and rows share one count, in page order.
        text_hash: SHA-256 of the folded text (text.folded), so that a re-wrapped line is the same text.
        prefix: Up to 60 characters before the text in the revision, as `suffix` after it.
        copies: How many sources of the revision have this text_hash; `copy_index` says which one this is, from 1.
        section_row: The section row above a table row; it is also the last part of `section_path`.
        key_cell: The first cell of a row that is not empty: rows are looked for by it.
        question: What a person is asked about a row, "" = nothing; see Row.
    """

    source_id: str
    kind: SourceKind
    ordinal: int
    page: int
    page_end: int
    page_label: str = ""
    section_path: tuple[str, ...] = ()
    text: str
    quote: str
    text_hash: str
    prefix: str = ""
    suffix: str = ""
    copies: int = 1
    copy_index: int = 1
    box: Box | None = None
    table_id: str = ""
    table_title: str = ""
    table_header: tuple[str, ...] = ()
    section_row: str = ""
    key_cell: str = ""
    cells: tuple[str, ...] = ()
    footnotes: tuple[str, ...] = ()
    question: str = ""


class Source(Model):
    """What can be cited: its id for life, the names it had before, and where it lies in the current revision."""

    id: str
    aliases: tuple[str, ...] = ()
    kind: SourceKind
    document_id: str
    revision: str = ""
    document_sha256: str = ""
    anchor: Anchor
    effective_from: str = ""
    effective_to: str = ""


class Revision(Model):
    """One imported version of a document: the SHA-256 of its bytes and the name that people gave it."""

    label: str
    sha256: str
    file: str
    pages: int
    parser: str
    warnings: tuple[ParseWarning, ...] = ()
    ingested_at: str = ""


class Document(Model):
    """A source file under its name for life, with its current revision.

    Attributes:
        effective_from: First day that it is in force, ISO date; "" = unknown. `effective_to` as well.
        version: Rises by one with every change that a person makes to it.
    """

    id: str
    title: str
    domain: str = ""
    document_type: str = ""
    language: str = ""
    effective_from: str = ""
    effective_to: str = ""
    revision: Revision
    chunks: int = 0
    rows: int = 0
    version: int = Field(default=1, ge=1)
