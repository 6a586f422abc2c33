"""A page is read again by another engine, or a text of it as a table: proposals first, then repairs like any other."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from curator.domain.document import Box, ParsedDocument, Table
from curator.domain.repair import Put
from curator.domain.tables import around
from curator.errors import InputError, UsageError
from curator.progress import Progress
from curator.services.context import Context
from curator.services.source_files import file_of
from curator.store import repairs, sources

if TYPE_CHECKING:
    from curator.parsing.rereading import PageReading


def read_again(
    ctx: Context, document_id: str, page: int, engine: str, path: Path | None = None, *,
    progress: Progress | None = None,
) -> Put:  # fmt: skip
    """A page as another engine reads its tables; what `repair` then puts in the place of those that are there.

    Args:
        ctx: Open workspace.
        document_id: The document.
        page: Number of the page, from 1.
        engine: See parsing.rereading.reread.
        path: The file; None = the kept copy, or the file in the folder of the workspace.
        progress: May stop it.

    Raises:
        InputError: The file is not there or cannot be read, or no table was found where none is.
        UsageError: No such engine or page.
        MissingExtra: The engine is not installed.
    """
    from curator.parsing.rereading import reread

    file = file_of(ctx, document_id, path, progress=progress)
    found = reread(file.path, page, engine, name=file.name, progress=progress)
    with ctx.db.read() as tx:
        now = repairs.read(tx, document_id)
    gone = tuple(t.id for t in now.tables if any(r.page == page for r in t.rows))
    if not found.tables:
        raise InputError(f"{engine} finds no table on page {page}", "drop a false one by itself, or try another engine")
    return _put("reread", found, now, gone, [c.id for c in now.chunks if c.page <= page <= c.page_end])


def part_of(ctx: Context, document_id: str, wanted: Put, places: Sequence[int]) -> Put:
    """Some tables of a proposal, by their places from 0.

    Of the tables and texts that are there, only those that lie where these do make room for them.

    Raises:
        UsageError: There is no table at a place.
    """
    if bad := [n for n in places if not 0 <= n < len(wanted.tables)] or ([] if places else [0]):
        raise UsageError(f"there is no table {bad[0] + 1} on page {wanted.page}", f"1 to {len(wanted.tables)}")
    tables = tuple(wanted.tables[n] for n in dict.fromkeys(places))
    boxes = [box for t in tables if (box := _box(t, wanted.page)) is not None]
    with ctx.db.read() as tx:
        now = repairs.read(tx, document_id)
    there = {t.id: _box(t, wanted.page) for t in now.tables} | {c.id: c.box for c in now.chunks}

    def kept(names: Sequence[str]) -> tuple[str, ...]:
        return tuple(n for n in names if (own := there.get(n)) is None or any(_meet(own, box) for box in boxes))

    return wanted.model_copy(update={"tables": tables, "gone": kept(wanted.gone), "texts": kept(wanted.texts)})


def read_region(
    ctx: Context, names: Sequence[str], path: Path | None = None, *, progress: Progress | None = None
) -> Put:
    """The text of chunks that lie on one page as a table; what `repair` then puts there.

    Args:
        ctx: Open workspace.
        names: Ids of the chunks, one below the other.
        path: See read_again.
        progress: See read_again.

    Raises:
        InputError: There is no such source, the file is not there, or no columns are seen in the text.
        UsageError: They are no chunks, or lie in several documents or pages.
    """
    from curator.parsing.rereading import reread

    with ctx.db.read() as tx:
        found = [sources.source(tx, name) for name in names]
    if not found:
        raise UsageError("no text is named", "name the chunks that are a table")
    first = found[0]
    if row := next((s for s in found if s.kind != "chunk"), None):
        raise UsageError(f"{row.id} is a row of a table already", "name the chunks that are a table")
    if any((s.document_id, s.anchor.page) != (first.document_id, first.anchor.page) for s in found):
        raise UsageError("the texts begin on several pages", "mark the table of each page by itself")
    box: Box | None = None
    for source in found:
        box = around(box, source.anchor.box)
    if box is None:
        raise InputError(f"it is not known where {first.id} lies on its page", "read the page again instead")
    file = file_of(ctx, first.document_id, path, progress=progress)
    reading = reread(file.path, first.anchor.page, "region", name=file.name, box=box, progress=progress)
    if not reading.tables:
        raise InputError(f"no columns are seen in {first.id}", "read the page again by another engine")
    with ctx.db.read() as tx:
        now = repairs.read(tx, first.document_id)
    return _put("region", reading, now, (), [s.id for s in found])


def _put(
    kind: str, reading: PageReading, now: ParsedDocument, gone: tuple[str, ...], chunks: Sequence[str]
) -> Put:  # fmt: skip
    """The proposal; of the chunks those that lie where a new table does give up their text."""
    boxes = [box for t in reading.tables if (box := _box(t, reading.page)) is not None]
    texts = tuple(
        c.id for c in now.chunks
        if c.id in chunks and (c.box is None or any(_meet(c.box, box) for box in boxes))
    )  # fmt: skip
    engine = reading.engine if kind == "reread" else "curator"
    return Put.model_validate(
        {"kind": kind, "page": reading.page, "engine": engine, "gone": gone, "texts": texts, "tables": reading.tables}
    )


def _box(table: Table, page: int) -> Box | None:
    """Where the rows of a table lie on a page."""
    box: Box | None = None
    for row in table.rows:
        box = around(box, row.box) if row.page == page else box
    return box


def _meet(one: Box, two: Box) -> bool:
    return one[0] < two[2] and two[0] < one[2] and one[1] < two[3] and two[1] < one[3]
