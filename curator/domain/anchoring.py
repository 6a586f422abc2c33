"""From a parse to anchors: how each source is found in this revision."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from curator.domain.canonical import row_quote
from curator.domain.document import Anchor, Chunk, ParsedDocument, Row, Table
from curator.domain.identity import SOURCE_ID_LENGTH, mint, sha256
from curator.text import folded

CONTEXT = 60
QUOTE = 300


def text_hash(text: str) -> str:
    """SHA-256 of the folded text: the same for every line break, hyphenation and case."""
    return sha256(folded(text).encode())


def renamed(parsed: ParsedDocument, old: str, new: str) -> ParsedDocument:
    """The parse with its document container `old` replaced by `new` in every id; one that grows too long is cut."""
    taken: set[str] = set()

    def container(text: str) -> str:
        return new + text.removeprefix(old) if text.startswith((f"{old}:", f"{old}.")) or text == old else text

    def name(text: str) -> str:
        found = container(text)
        if len(found) > SOURCE_ID_LENGTH or found in taken:
            head, _, key = found.partition(":")
            found = mint(head, key, taken)
        taken.add(found)
        return found

    def table(old_table: Table) -> Table:
        rows = tuple(r.model_copy(update={"id": name(r.id)}) for r in old_table.rows)
        return old_table.model_copy(update={"id": container(old_table.id), "rows": rows})

    chunks = tuple(c.model_copy(update={"id": name(c.id)}) for c in parsed.chunks)
    return parsed.model_copy(update={"chunks": chunks, "tables": tuple(map(table, parsed.tables))})


def reading_order(parsed: ParsedDocument) -> Iterator[tuple[Chunk, None] | tuple[Row, Table]]:
    """Chunks in their order, and each table's rows before the first chunk that begins below the table."""

    def top(item: Chunk | Row) -> tuple[int, float]:
        return item.page, item.box[1] if item.box else 0.0

    waiting = sorted((t for t in parsed.tables if t.rows), key=lambda t: top(t.rows[0]))
    for chunk in parsed.chunks:
        while waiting and top(waiting[0].rows[0]) < top(chunk):
            table = waiting.pop(0)
            yield from ((row, table) for row in table.rows)
        yield chunk, None
    for table in waiting:
        yield from ((row, table) for row in table.rows)


def anchors(parsed: ParsedDocument) -> tuple[Anchor, ...]:
    """An anchor for each source of a parse, in reading order, numbered from 1."""
    items = list(reading_order(parsed))
    labels = {p.index: p.label for p in parsed.pages}
    hashes = [text_hash(item.text) for item, _ in items]
    copies, seen = Counter(hashes), Counter[str]()
    found = []
    for n, (item, table) in enumerate(items):
        seen[hashes[n]] += 1
        common = {
            "source_id": item.id,
            "ordinal": n + 1,
            "page": item.page,
            "page_label": labels.get(item.page, ""),
            "text": item.text,
            "text_hash": hashes[n],
            "prefix": items[n - 1][0].text[-CONTEXT:] if n else "",
            "suffix": items[n + 1][0].text[:CONTEXT] if n + 1 < len(items) else "",
            "copies": copies[hashes[n]],
            "copy_index": seen[hashes[n]],
            "box": item.box,
        }
        found.append(_row_anchor(common, item, table) if table is not None else _chunk_anchor(common, item))  # type: ignore[arg-type]
    return tuple(found)


def _chunk_anchor(common: dict[str, object], chunk: Chunk) -> Anchor:
    return Anchor.model_validate(
        common
        | {
            "kind": "chunk",
            "page_end": chunk.page_end,
            "section_path": chunk.section_path,
            "quote": chunk.text[:QUOTE],
        }
    )


def _row_anchor(common: dict[str, object], row: Row, table: Table) -> Anchor:
    return Anchor.model_validate(
        common
        | {
            "kind": "row",
            "page_end": row.page,
            "section_path": (*table.section_path, row.section) if row.section else table.section_path,
            "quote": row_quote(row.cells),
            "table_id": table.id,
            "table_title": table.title,
            "table_header": table.header,
            "section_row": row.section,
            "key_cell": next((c for c in row.cells if c), ""),
            "cells": row.cells,
            "footnotes": table.footnotes,
            "question": row.question,
        }
    )
