"""What a change made of a document's tables and chunks, as little as can be stored: applied again, or taken back."""

from __future__ import annotations

from collections.abc import Sequence

from curator.domain.document import Chunk, ParsedDocument, Table
from curator.domain.model import Model
from curator.errors import Conflict


class TablePart(Model):
    """A table that differs; its `rows` are only those that do, the first of them the `start`th, from 0.

    Attributes:
        place: Place of the table among the tables, from 0: on the side where it is.
        before: None = it was not there; `after`: None = it is gone.
    """

    place: int
    start: int = 0
    before: Table | None = None
    after: Table | None = None


class ChunkPart(Model):
    """A chunk that differs; see TablePart."""

    place: int
    before: Chunk | None = None
    after: Chunk | None = None


class Patch(Model):
    """All that differs; `aliases`: ids that speak of another row after it, with that row's id."""

    tables: tuple[TablePart, ...] = ()
    chunks: tuple[ChunkPart, ...] = ()
    aliases: tuple[tuple[str, str], ...] = ()

    @property
    def backwards(self) -> Patch:
        """What takes it back; of the aliases nothing is said."""
        tables = (t.model_copy(update={"before": t.after, "after": t.before}) for t in self.tables)
        chunks = (c.model_copy(update={"before": c.after, "after": c.before}) for c in self.chunks)
        return Patch(tables=tuple(tables), chunks=tuple(chunks))


def patch(before: ParsedDocument, after: ParsedDocument, aliases: Sequence[tuple[str, str]] = ()) -> Patch:
    """What differs between two states of a document."""
    tables = []
    old, new = {t.id: t for t in before.tables}, {t.id: t for t in after.tables}
    for n, table in enumerate(before.tables):
        if table.id not in new:
            tables.append(TablePart(place=n, before=table))
    for n, table in enumerate(after.tables):
        was = old.get(table.id)
        if was is None:
            tables.append(TablePart(place=n, after=table))
        elif was != table:
            start, end = _frame(was.rows, table.rows)
            cut_old = was.model_copy(update={"rows": was.rows[start : len(was.rows) - end]})
            cut_new = table.model_copy(update={"rows": table.rows[start : len(table.rows) - end]})
            tables.append(TablePart(place=n, start=start, before=cut_old, after=cut_new))
    chunks = []
    texts, now = {c.id: c for c in before.chunks}, {c.id: c for c in after.chunks}
    chunks += [ChunkPart(place=n, before=c) for n, c in enumerate(before.chunks) if c.id not in now]
    for n, chunk in enumerate(after.chunks):
        if texts.get(chunk.id) != chunk:
            chunks.append(ChunkPart(place=n, before=texts.get(chunk.id), after=chunk))
    return Patch(tables=tuple(tables), chunks=tuple(chunks), aliases=tuple(aliases))


def _frame(one: Sequence[object], two: Sequence[object]) -> tuple[int, int]:
    """How many are the same at the beginning, and at the end."""
    most = min(len(one), len(two))
    start = next((n for n in range(most) if one[n] != two[n]), most)
    end = next((n for n in range(most - start) if one[-1 - n] != two[-1 - n]), most - start)
    return start, end


def patched(document: ParsedDocument, change: Patch) -> ParsedDocument:
    """The document after a change.

    Raises:
        Conflict: What it changes is not as it was then.
    """
    tables = list(document.tables)
    gone = {p.before.id: p for p in change.tables if p.before is not None and p.after is None}
    for part in gone.values():
        assert part.before is not None
        _require(part.before in tables, part.before.id)
    tables = [t for t in tables if t.id not in gone]
    for part in (p for p in change.tables if p.before is not None and p.after is not None):
        at = next((n for n, t in enumerate(tables) if part.before is not None and t.id == part.before.id), None)
        assert part.before is not None
        _require(at is not None, part.before.id)
        assert at is not None
        tables[at] = _changed(tables[at], part)
    for part in sorted((p for p in change.tables if p.before is None), key=lambda p: p.place):
        assert part.after is not None
        tables.insert(part.place, part.after)
    return document.model_copy(update={"tables": tuple(tables), "chunks": _chunks(document, change.chunks)})


def _changed(table: Table, part: TablePart) -> Table:
    assert part.before is not None
    assert part.after is not None
    end = part.start + len(part.before.rows)
    _require(table.model_copy(update={"rows": table.rows[part.start : end]}) == part.before, table.id)
    rows = (*table.rows[: part.start], *part.after.rows, *table.rows[end:])
    return part.after.model_copy(update={"rows": rows})


def _chunks(document: ParsedDocument, parts: Sequence[ChunkPart]) -> tuple[Chunk, ...]:
    had = {c.id: c for c in document.chunks}
    for part in parts:
        if part.before is not None:
            _require(had.get(part.before.id) == part.before, part.before.id)
    known = {p.before.id: p.after for p in parts if p.before is not None}
    chunks = [known.get(c.id, c) for c in document.chunks]
    kept = [c for c in chunks if c is not None]
    for part in sorted((p for p in parts if p.before is None), key=lambda p: p.place):
        assert part.after is not None
        kept.insert(part.place, part.after)
    return tuple(kept)


def _require(is_so: bool, name: str) -> None:
    if not is_so:
        raise Conflict(f"{name} was changed again since then", "take that back first, or repair it anew")
