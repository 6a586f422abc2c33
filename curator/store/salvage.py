"""What can still be read of a damaged database, written into a new one. The damaged file is never opened itself."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from curator.domain.canonical import case_hash, written
from curator.domain.case import Case
from curator.errors import StorageError
from curator.progress import Progress
from curator.store.cases import list_columns
from curator.store.database import Database, driver, migrations

HISTORY = "cases from their history"
GAP = 200_000
"""Most numbers that are tried one by one where a page cannot be read."""


class Saved(NamedTuple):
    """What became of the rows of a table: read, unreadable stretches, taken from a copy, left out."""

    table: str
    read: int
    gaps: int = 0
    from_copy: int = 0
    left_out: int = 0


def salvage(damaged: Path, target: Path, copy: Path | None, progress: Progress) -> list[Saved]:
    """Write a new database with all that can be read of a damaged one; gives what was saved, table by table.

    Args:
        damaged: The database; its log beside it is read too.
        target: Must not exist.
        copy: A sound copy of an earlier time, for rows that cannot be read; None = there is none.
        progress: One step a table.

    Raises:
        OSError: The disk refused.
        StorageError: The new database cannot be written.
    """
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".salvage-") as scratch:
        work = Path(scratch) / "damaged.db"
        for suffix in ("", "-wal"):
            beside = damaged.with_name(damaged.name + suffix)
            if beside.exists():
                shutil.copyfile(beside, work.with_name(work.name + suffix))
        with _opened(work) as source, _written(target):
            version = _number(source) or (_version_of(copy) if copy else 0)
            scripts = [m for m in migrations() if not version or m.number <= version]
            Database(target, scripts=scripts).close()
            with closing(driver().connect(str(target), isolation_level=None)) as made:
                made.execute("pragma foreign_keys=off")
                made.execute("begin immediate")
                saved = _all_tables(source, made, copy, version, progress)
                mended = _mend_cases(made) + _rebuilt_cases(made)
                saved = _without_orphans(made, saved)
                made.execute("commit")
                made.execute("pragma wal_checkpoint(truncate)")
    return [*saved, Saved(HISTORY, mended)]


@contextmanager
def _written(target: Path) -> Iterator[None]:
    """Errors of the new database as ours; those of the damaged one are dealt with where it is read."""
    try:
        yield
    except driver().Error as error:
        why = "no space left" if "full" in str(error) else f"the disk refused it ({error})"
        raise StorageError(f"{target.name}: {why}", "free some space and try again; nothing was changed") from None


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    with closing(driver().connect(str(path), isolation_level=None)) as connection:
        yield connection


def _number(connection: Any) -> int:
    try:
        return int(connection.execute("pragma user_version").fetchone()[0])
    except driver().Error:
        return 0


def _version_of(copy: Path) -> int:
    with closing(driver().connect(_unchanging(copy), uri=True)) as connection:
        return _number(connection)


def _unchanging(path: Path) -> str:
    return f"file:{quote(str(path))}?mode=ro&immutable=1"


def _all_tables(source: Any, made: Any, copy: Path | None, version: int, progress: Progress) -> list[Saved]:
    found = made.execute(
        "select name, lower(sql) like '%without rowid%' from sqlite_master"
        " where type = 'table' and name not like 'sqlite_%' order by name"
    ).fetchall()
    progress.stage("reading what can be read", len(found))
    saved = []
    with closing(driver().connect(_unchanging(copy) if copy else ":memory:", uri=True)) as kept:
        usable = copy is not None and _number(kept) == version
        for table, keyless in found:
            columns = [r[1] for r in made.execute(f'pragma table_info("{table}")')]
            reader = _Reader(source, table, columns, keyless=bool(keyless))
            read = _insert(made, table, columns, reader.rows(progress))
            from_copy = 0
            if usable and (reader.gaps or reader.lost):
                from_copy = _insert(made, table, columns, _kept_rows(kept, made, table, columns, reader))
            saved.append(Saved(table, read, len(reader.gaps) + reader.lost, from_copy))
            progress.advance()
    return saved


class _Reader:
    """Reads a table by its row numbers, around what cannot be read.

    Attributes:
        gaps: Stretches of row numbers where something could not be read.
        lost: Whether all of the table, or its end, could not be read.
    """

    def __init__(self, source: Any, table: str, columns: list[str], *, keyless: bool) -> None:
        self._source = source
        self._names = ", ".join(f'"{c}"' for c in columns)
        self._table = table
        self._keyless = keyless
        self.gaps: list[tuple[int, int]] = []
        self.lost = 0

    def rows(self, progress: Progress) -> Iterator[tuple[Any, ...]]:
        """The rows that can be read, each once."""
        error = driver().Error
        if self._keyless:
            try:
                yield from self._source.execute(f'select {self._names} from "{self._table}"')  # noqa: S608  names of our schema
            except error:
                self.lost = 1
            return
        last = None
        try:
            for key, *row in self._ordered("asc"):
                progress.checkpoint()
                last = key
                yield tuple(row)
            return
        except error:
            pass
        high, back = None, []
        try:
            for key, *row in self._ordered("desc"):
                progress.checkpoint()
                if last is not None and key <= last:
                    break
                high = key
                back.append(tuple(row))
        except error:
            pass
        yield from back
        yield from self._between(last or 0, high, progress)

    def _ordered(self, direction: str) -> Any:
        query = f'select rowid, {self._names} from "{self._table}" not indexed order by rowid {direction}'  # noqa: S608
        return self._source.execute(query)

    def _between(self, low: int, high: int | None, progress: Progress) -> Iterator[tuple[Any, ...]]:
        if high is None:
            self.lost = 1
            high = low + GAP // 10 if low else 0  # where nothing could be read at all, nothing is looked for
        missing: list[int] = []
        for key in range(low + 1, min(high, low + GAP)):
            progress.checkpoint()
            try:
                query = f'select {self._names} from "{self._table}" not indexed where rowid = ?'  # noqa: S608
                row = self._source.execute(query, (key,)).fetchone()
            except driver().Error:
                missing.append(key)
                continue
            if row is not None:
                yield row
        if missing:
            self.gaps.append((missing[0], missing[-1]))


def _refused() -> tuple[type[Exception], ...]:
    """What a value is refused with that a column does not take; a full disk says otherwise, and leaves no row out."""
    module = driver()
    return module.IntegrityError, module.DataError, module.InterfaceError


def _insert(made: Any, table: str, columns: list[str], rows: Iterator[tuple[Any, ...]]) -> int:
    marks = ", ".join("?" * len(columns))
    names = ", ".join(f'"{c}"' for c in columns)
    statement = f'insert or ignore into "{table}" ({names}) values ({marks})'  # noqa: S608  names of our schema
    count = 0
    for row in rows:
        try:
            count += made.execute(statement, row).rowcount
        except _refused():
            continue
    return count


def _kept_rows(kept: Any, made: Any, table: str, columns: list[str], reader: _Reader) -> Iterator[tuple[Any, ...]]:
    """Rows of a copy that stand where the damaged file could not be read; the rest of it may be gone for a reason."""
    names = ", ".join(f'"{c}"' for c in columns)
    keys = [r for r in made.execute(f'pragma table_info("{table}")') if r[5]]
    numbered = len(keys) == 1 and str(keys[0][2]).upper() == "INTEGER"
    if numbered and not reader.lost:
        for low, high in reader.gaps:
            query = f'select {names} from "{table}" where rowid between ? and ?'  # noqa: S608  names of our schema
            yield from kept.execute(query, (low, high))
        return
    yield from kept.execute(f'select {names} from "{table}"')  # noqa: S608  as above


def _without_orphans(made: Any, saved: list[Saved]) -> list[Saved]:
    """Leave out rows that point to what could not be saved; the database would be refused with them."""
    left: dict[str, int] = {}
    while found := made.execute("pragma foreign_key_check").fetchall():
        gone = {(table, key) for table, key, *_ in found if key is not None}
        if not gone:
            break
        for table, key in gone:
            made.execute(f'delete from "{table}" where rowid = ?', (key,))  # noqa: S608  names of our schema
            left[table] = left.get(table, 0) + 1
    return [s._replace(left_out=left.get(s.table, 0)) for s in saved]


def _mend_cases(made: Any) -> int:
    """Take the content of a case that does not fit its hash from its history; gives how many."""
    count = 0
    for name, content, digest in made.execute("select id, content, content_hash from golden_case").fetchall():
        try:
            if case_hash(Case.model_validate_json(content)) == digest:
                continue
        except ValueError:
            pass
        case = _last_content(made, name)
        if case is None:
            continue
        values = list_columns(written(case))
        assigned = ", ".join(f'"{c}" = ?' for c in values)
        made.execute(f"update golden_case set {assigned} where id = ?", (*values.values(), name))  # noqa: S608
        count += 1
    return count


def _rebuilt_cases(made: Any) -> int:
    """Write anew, from their history, cases that are gone: what was typed is all there, and waits as a draft.

    A case that its history left in another status than draft was reviewed; the reviews stand, and are given again.
    """
    query = (
        "select entity_id, min(seq), max(version) from event e where entity = 'case'"
        " and not exists (select 1 from golden_case c where c.id = e.entity_id) group by entity_id"
    )
    count = 0
    for name, first, version in made.execute(query).fetchall():
        case = _last_content(made, name)
        if case is None:
            continue
        author, at = made.execute("select actor, at from event where seq = ?", (first,)).fetchone()
        values = {
            "id": name, "seq": first, "status": "draft", "author": author, "version": max(version, 1),
            "side": _last_side(made, name), "created_at": at, "updated_at": at, **list_columns(written(case)),
        }  # fmt: skip
        marks = ", ".join("?" * len(values))
        names = ", ".join(f'"{c}"' for c in values)
        statement = f"insert or ignore into golden_case ({names}) values ({marks})"  # noqa: S608  names of our schema
        count += made.execute(statement, tuple(values.values())).rowcount
    return count


def _last_side(made: Any, name: str) -> str:
    """The side of the partition that a case had: a case of the holdout must not come back as one of dev."""
    query = "select data from event where entity = 'case' and entity_id = ? order by seq desc"
    for (data,) in made.execute(query, (name,)):
        try:
            after = json.loads(data).get("after")
        except (ValueError, AttributeError):
            continue
        if isinstance(after, dict) and isinstance(after.get("side"), str):
            return str(after["side"])
    return ""


def _last_content(made: Any, name: str) -> Case | None:
    query = "select data from event where entity = 'case' and entity_id = ? order by seq desc"
    for (data,) in made.execute(query, (name,)):
        try:
            after = json.loads(data).get("after")
            if isinstance(after, dict) and "turns" in after:
                return Case.model_validate(after)
        except (ValueError, AttributeError):
            continue
    return None
