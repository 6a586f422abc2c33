"""From a source to what a case says of it."""

from __future__ import annotations

from curator.domain.canonical import row_quote
from curator.domain.case import CaseDocument, Evidence, KeyProvision, Role
from curator.domain.document import Document, Source

_OPEN_END = " :：;,"


def cite(source: Source, role: Role = "required", *, quote: str = "", group: str = "") -> Evidence:
    """Evidence on a source as it reads now.

    Args:
        source: Chunk or row.
        role: required, supporting or distractor.
        quote: Part of a chunk's text; "" = all of it. The quote of a row is always its cells.
        group: Alternatives share one; "" = the source alone.
    """
    at = source.anchor
    return Evidence(
        source_id=source.id,
        role=role,
        group=group or source.id,
        quote=row_quote(at.cells) if source.kind == "row" else quote or at.text,
        document_id=source.document_id,
        document_version=source.revision,
        document_sha256=source.document_sha256,
        page=at.page,
        page_label=at.page_label,
        section_path=at.section_path,
        table_title=at.table_title,
        table_header=at.table_header,
        table_cells=at.cells,
        footnotes=at.footnotes,
        effective_from=source.effective_from,
        effective_to=source.effective_to,
    )


def judged_against(document: Document) -> CaseDocument:
    """The entry of a case for a document that it was judged against."""
    return CaseDocument(
        document_id=document.id,
        document_version=document.revision.label,
        document_sha256=document.revision.sha256,
        title=document.title,
        pages=document.revision.pages,
    )


def citation(source: Source) -> str:
    """How a person would cite a source: its lowest section, the table's title for a row, and the printed page."""
    at = source.anchor
    parts = [at.section_path[-1]] if at.section_path and source.kind == "chunk" else []
    parts += [at.table_title] if at.table_title else []
    said = [p for part in parts if (p := part.strip().rstrip(_OPEN_END))]
    return ", ".join([*said, f"p. {at.page_label or at.page}"])


def provision(source: Source, number: int) -> KeyProvision:
    """A key provision on a source, to be worded by a person: citation and page filled in."""
    text = row_quote(source.anchor.cells) if source.kind == "row" else source.anchor.text
    return KeyProvision(
        id=f"p{number}", text=text, citation=citation(source), source_id=source.id, page=source.anchor.page
    )
