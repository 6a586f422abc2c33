"""The search index: `.curator/index.db`, a disposable file that is built from the store and never the other way round.

SQLite FTS5: a porter-stemmed column of the text, one of the headings above it, and a shadow of character pairs for
Han, Hangul and kana (see store.words). One row a source of a current revision. Beside it lie the words that a
beginning is completed to, and the vectors of the `semantic` extra.

Whole documents are put in and taken out, each in one transaction of this file, compared by a stamp; so two processes
may keep it fresh at once, and a kill leaves it whole. A connection lives as long as one use: the file may be deleted at
any time. The journal is a rollback journal: readers are many, writers rare, and SQLite below 3.51.3 can damage a
WAL file with two of them.
"""

from __future__ import annotations

import contextlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from curator.domain.document import SourceKind
from curator.durable import alone, identity
from curator.errors import StorageError
from curator.store.database import BUSY_SECONDS, driver
from curator.store.marking import MARK, UNMARK, marks_of, snippet
from curator.store.words import Query, fold, grams, vocabulary

VERSION = 1  # of what is indexed and how; another one makes the file anew
FILE = "index.db"
COMPLETIONS = 16
_TABLES = ("meta", "document", "entry", "word", "vector")
_SCHEMA = """
create table meta (name text primary key, value text not null) without rowid;
create table document (id text primary key, stamp text not null) without rowid;
create table entry (
    id integer primary key,
    document text not null,
    source text not null,
    kind text not null,
    page integer not null,
    page_label text not null,
    section_path text not null,
    text text not null,
    folded text not null,
    head text not null,
    grams text not null
);
create index entry_by_document on entry (document);
create view content as select id, case when folded = '' then text else folded end as text, head, grams from entry;
create virtual table words using fts5(
    text, head, grams, content='content', content_rowid='id', tokenize='porter unicode61 remove_diacritics 2'
);
insert into words(words, rank) values ('rank', 'bm25(1.0, 0.3, 1.0)');
create table word (word text primary key, n integer not null) without rowid;
create table vector (model text not null, hash blob not null, value blob not null, primary key (model, hash));
"""
_FOUND = """
select e.source, e.document, e.kind, e.page, e.page_label, e.section_path, e.text, w.score, w.marked
from (
    select rowid as id, rank as score, highlight(words, 0, :mark, :unmark) as marked
    from words where words match :match /*chosen*/ order by rank limit :limit
) as w join entry as e on e.id = w.id
order by w.score, w.id
"""
# "+" keeps the filter behind the match: as a look-up by row id it would run the match once for each candidate
_CHOSEN = """and +rowid in (
    select id from entry where (document = :document or :document = '') and (kind = :kind or :kind = '')
)"""


@dataclass(frozen=True, slots=True)
class Entry:
    """A source as the index takes it."""

    source_id: str
    kind: SourceKind
    page: int
    page_label: str
    section_path: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Match:
    """A source that was found.

    Attributes:
        score: BM25, higher is better; comparable within one answer only.
        marks: Spans of `text` that match, in order, not overlapping.
        snippet: The span of `text` to show when there is no room for all of it.
    """

    source_id: str
    document_id: str
    kind: SourceKind
    page: int
    page_label: str
    section_path: tuple[str, ...]
    text: str
    score: float
    marks: tuple[tuple[int, int], ...]
    snippet: tuple[int, int]


class DamagedIndex(StorageError):
    """The file cannot be used any more, or was moved away under us: `discard` it and build it again."""


class Index:
    """One use of the index file; a context manager. Not to be shared between threads.

    Args:
        path: Made when it is not there; made anew when it is of another version.

    Raises:
        DamagedIndex: The file is not a sound index.
        StorageError: It cannot be opened or written, or this SQLite has no FTS5.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._module: Any = driver()
        self._db: Any = None
        with self._translated():
            self._db = self._module.connect(str(path), timeout=BUSY_SECONDS, isolation_level=None)
        try:
            self._prepare()
            self._file = identity(path)
        except BaseException:
            self.close()
            raise

    def _prepare(self) -> None:
        with self._translated():
            self._db.execute("pragma synchronous=normal")  # it can be made again; the store itself is on FULL
            if self._db.execute("pragma user_version").fetchone()[0] == VERSION:
                return
            with self._writing():
                if self._db.execute("pragma user_version").fetchone()[0] == VERSION:
                    return  # another process was faster
                self._db.execute("drop view if exists content")
                for table in ("words", *_TABLES):
                    self._db.execute(f"drop table if exists {table}")
                for statement in filter(str.strip, _SCHEMA.split(";\n")):
                    self._db.execute(statement)
                self._db.execute(f"pragma user_version={VERSION}")

    @contextlib.contextmanager
    def _translated(self) -> Iterator[None]:
        error_type: type[Exception] = self._module.Error
        try:
            yield
        except error_type as error:
            raise self._told(error) from error

    def _told(self, error: Exception) -> StorageError:
        said = str(error)
        name = self.path.name
        if "no such module" in said:
            return StorageError("this SQLite has no full-text search (FTS5)", "pip install pysqlite3")
        if "locked" in said or "busy" in said:
            return StorageError(f"another program has been writing to {name} for {BUSY_SECONDS} s", "try again")
        moved = self._db is not None and identity(self.path) != getattr(self, "_file", identity(self.path))
        damaged = type(error) is self._module.DatabaseError  # its subclasses are other troubles
        if moved or damaged or "no such" in said or "malformed" in said:
            return DamagedIndex(f"{name} is damaged", f"delete {self.path}: it is made again")
        if "full" in said:
            return StorageError(f"no space left for {name}", "free some space and try again")
        if "readonly" in said or "unable to open" in said:
            return StorageError(f"{self.path} cannot be written", "change its permissions")
        return StorageError(f"{name}: {said}", f"delete {self.path}: it is made again")

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        self._db.execute("begin immediate")
        try:
            yield
        except BaseException:
            with contextlib.suppress(self._module.Error):
                self._db.execute("rollback")
            raise
        self._db.execute("commit")

    def close(self) -> None:
        """End this use of the file."""
        if self._db is not None:
            self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    # --- keeping it fresh

    @property
    def head(self) -> str:
        """State of the store that all of the index is known to agree with; "" = not known."""
        with self._translated():
            row = self._db.execute("select value from meta where name = 'head'").fetchone()
        return row[0] if row else ""

    def outdated(self, stamps: Mapping[str, str]) -> list[str]:
        """Documents whose stamp here is missing, another one, or no longer among these; sorted."""
        with self._translated():
            have = dict(self._db.execute("select id, stamp from document"))
        return sorted(d for d in have.keys() | stamps.keys() if have.get(d) != stamps.get(d))

    def put(
        self, document_id: str, stamp: str, entries: Iterable[Entry], checkpoint: Callable[[], None] = lambda: None
    ) -> None:
        """Replace all that is known of a document, unless it is known in this state already.

        Args:
            document_id: The document.
            stamp: Its state; "" = it is gone, and is forgotten.
            entries: Its sources, in reading order.
            checkpoint: Called at least every 200 ms; may raise, and then nothing has changed.
        """
        with self._translated(), self._writing():
            have = self._db.execute("select stamp from document where id = ?", (document_id,)).fetchone()
            if have and have[0] == stamp:
                return  # another process was faster
            self._db.execute(
                "insert into words(words, rowid, text, head, grams) "
                "select 'delete', id, text, head, grams from content "
                "where id in (select id from entry where document = ?)",
                (document_id,),
            )
            self._db.execute("delete from entry where document = ?", (document_id,))
            self._db.execute("delete from document where id = ?", (document_id,))
            self._db.execute("delete from meta where name = 'head'")
            if not stamp:
                return
            self._db.execute("insert into document values (?, ?)", (document_id, stamp))
            pieces: Counter[str] = Counter()
            for number, entry in enumerate(entries):
                if number % 200 == 0:
                    checkpoint()
                pieces.update(self._add(document_id, entry).split())
            self._db.executemany(
                "insert into word values (?, ?) on conflict (word) do update set n = n + excluded.n",
                vocabulary(pieces).items(),
            )

    def _add(self, document_id: str, entry: Entry) -> str:
        """Put one source in; gives its folded text with its headings."""
        folded = fold(entry.text)
        head = fold(" ".join(entry.section_path))
        shadow = " ".join(filter(None, (grams(folded), grams(head))))
        path = json.dumps(entry.section_path, ensure_ascii=False)
        row = (document_id, entry.source_id, entry.kind, entry.page, entry.page_label, path, entry.text)
        added = self._db.execute(
            "insert into entry (document, source, kind, page, page_label, section_path, text, folded, head, grams) "
            "values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (*row, "" if folded == entry.text else folded, head, shadow),
        )
        self._db.execute(
            "insert into words(rowid, text, head, grams) values (?, ?, ?, ?)", (added.lastrowid, folded, head, shadow)
        )
        return f"{folded} {head}"

    def settle(self, head: str, stamps: Mapping[str, str]) -> None:
        """Note that the index agrees with this state of the store, if it does: another process may have been at it."""
        with self._translated(), self._writing():
            if dict(self._db.execute("select id, stamp from document")) == dict(stamps):
                self._db.execute("insert or replace into meta values ('head', ?)", (head,))

    def entries_of(self, document_id: str) -> list[Entry]:
        """What is known of a document."""
        query = "select source, kind, page, page_label, section_path, text from entry where document = ? order by id"
        with self._translated():
            rows = self._db.execute(query, (document_id,)).fetchall()
        return [
            Entry(name, kind, page, label, tuple(json.loads(path)), text)
            for name, kind, page, label, path, text in rows
        ]

    # --- searching

    def query(
        self, text: str, *, kind: str = "", document: str = "", limit: int = 20, prefix: bool = False
    ) -> list[Match]:
        """The sources that have any word of the text, best first; none when it has no word to search for.

        Args:
            text: As typed: quotes, operators and wildcards are characters like others.
            kind: "chunk" or "row"; "" = both.
            document: Only sources of this document; "" = of all.
            limit: Most sources.
            prefix: The last word may be unfinished: search as you type.
        """
        query = Query(text, self._completions if prefix else None)
        if not query.terms:
            return []
        values = {"match": query.match, "limit": limit, "mark": MARK, "unmark": UNMARK}
        statement = _FOUND if not (kind or document) else _FOUND.replace("/*chosen*/", _CHOSEN)
        values |= {"kind": kind, "document": document}
        with self._translated():
            rows = self._db.execute(statement, values).fetchall()
        return [_match(row, query.pairs) for row in rows]

    def _completions(self, beginning: str) -> list[str]:
        """The most frequent words with this beginning; the word itself is not among them."""
        with self._translated():
            rows = self._db.execute(
                "select word from word where word > ? and word < ? order by n desc limit ?",
                (beginning, f"{beginning}\U0010ffff", COMPLETIONS),
            )
            return [word for (word,) in rows]

    # --- vectors

    def texts(self, after: int = 0, limit: int = 200) -> list[tuple[int, str]]:
        """A stretch of all texts, each with the number to go on after; none at the end."""
        with self._translated():
            found = self._db.execute("select id, text from entry where id > ? order by id limit ?", (after, limit))
            return [(number, text) for number, text in found]

    def vectors(self, model: str, hashes: Sequence[bytes]) -> dict[bytes, bytes]:
        """Vectors of a model that are kept, by the hash of their text."""
        found: dict[bytes, bytes] = {}
        with self._translated():
            for wanted in hashes:
                row = self._db.execute("select value from vector where model = ? and hash = ?", (model, wanted))
                found.update((wanted, value) for (value,) in row)
        return found

    def keep_vectors(self, model: str, vectors: Mapping[bytes, bytes]) -> None:
        """Keep the vectors of a model; one that is there stays."""
        with self._translated(), self._writing():
            self._db.executemany(
                "insert or ignore into vector values (?, ?, ?)", [(model, h, v) for h, v in vectors.items()]
            )


def discard(path: Path) -> None:
    """Delete a damaged index; one that is sound is left, since another process may have made it anew meanwhile.

    Raises:
        StorageError: It cannot be deleted.
    """
    try:
        with alone(path.with_suffix(".lock")):
            if is_sound(path):
                return
            for suffix in ("", "-journal", "-wal", "-shm"):
                path.with_name(path.name + suffix).unlink(missing_ok=True)
    except OSError as error:
        raise StorageError(f"{path}: {error.strerror}", "delete it by hand: it is made again") from None


def is_sound(path: Path) -> bool:
    """Whether the file is one that SQLite and its full-text search find nothing wrong with."""
    module: Any = driver()
    try:
        with contextlib.closing(module.connect(str(path), timeout=BUSY_SECONDS, isolation_level=None)) as db:
            checked = db.execute("pragma quick_check(1)").fetchone()[0] == "ok"
            if checked and db.execute("pragma user_version").fetchone()[0] == VERSION:
                db.execute("insert into words(words) values ('integrity-check')")
            return bool(checked)
    except module.Error:
        return False


def _match(row: Sequence[Any], pairs: Sequence[str]) -> Match:
    source, document, kind, page, label, path, text, score, marked = row
    marks = marks_of(text, marked, pairs)
    return Match(
        source_id=source,
        document_id=document,
        kind=kind,
        page=page,
        page_label=label,
        section_path=tuple(json.loads(path)),
        text=text,
        score=-score,
        marks=marks,
        snippet=snippet(text, marks),
    )
