"""Lists: sorted by any column, filtered as one types, read by key both ways; and what SQLite does for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import select

from curator.domain.case import RISKS, Case
from curator.domain.document import Anchor, Document, ParsedDocument, ParseWarning, Revision
from curator.domain.listing import ListKey, ListQuery
from curator.errors import InputError
from curator.store import cases, documents
from curator.store.cases import CaseLine
from curator.store.database import Database, Transaction
from curator.store.documents import DocumentLine

COUNT = 60


def made_up(n: int) -> Case:
    return Case(
        id=f"{'zyx'[n % 3]}-{(n * 37) % 1000:06d}",
        turns=(f"Question {(n * 7) % 11} über 100% of A_{n}?",),
        risk=RISKS[(n * 3) % 4],
        expected_behavior=("answer", "refuse", "escalate")[n % 3],
        task="summary" if n % 5 == 0 else "question",
        domain=("health", "law", "")[n % 3],
        language=("en", "ko")[n % 2],
    )


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    database = Database(tmp_path_factory.mktemp("lists") / "c.db")
    for n in range(COUNT):
        with database.write(("ada", "ben")[n % 2], f"2026-03-{n % 9 + 1:02}T09:00:00Z") as tx:
            cases.add(tx, made_up(n))
            if n % 4 == 0:
                record = cases.get(tx, made_up(n).id)
                cases.change_many(tx, [cases.Change(record, "submitted", {"status": "in_review"})])
    for n, (name, pages) in enumerate((("b-doc", 12), ("a-doc", 300), ("c-doc", 12))):
        with database.write("ada", "2026-03-01T09:00:00Z") as tx:
            add_document(tx, name, pages, rows=(5, 0, 2)[n])
    yield database
    database.close()


def add_document(tx: Transaction, name: str, pages: int, rows: int) -> None:
    warnings = (ParseWarning(page=1, code="scan", message="no text"),) if rows else ()
    parsed = ParsedDocument(file=f"{name}.pdf", sha256=name.ljust(64, "0"), page_count=pages, warnings=warnings)
    revision = Revision(label="1", sha256=parsed.sha256, file=parsed.file, pages=pages, parser="curator-pdf 1")
    anchors = [
        Anchor(source_id=f"{name}:{kind}-{n}", kind=kind, ordinal=n, page=1, page_end=1,
               text="x", quote="x", text_hash="h")
        for n, kind in enumerate(("chunk", *["row"] * rows), 1)
    ]  # fmt: skip
    document = Document(id=name, title=f"Title of {name}", domain="Law" if rows else "", revision=revision)
    documents.add(tx, document, parsed, anchors, 100)


@pytest.fixture
def tx(db: Database) -> Iterator[Transaction]:
    with db.read() as reading:
        yield reading


def walk(lines: Callable[..., list[Any]], query: ListQuery, size: int = 7) -> list[Any]:
    """Every line, page by page."""
    found: list[Any] = []
    while page := lines(query, after=query.key_of(found[-1]) if found else None, limit=size):
        assert len(page) <= size
        found += page
    return found


def rank(line: Any, column: str) -> tuple[Any, int]:
    value = getattr(line, column)
    return (RISKS.index(value) if column == "risk" else value), line.seq


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("column", CaseLine._fields)
def test_cases_in_order_of_any_column_page_by_page_and_back(tx: Transaction, column: str, descending: bool) -> None:
    def lines(*args: Any, **words: Any) -> list[Any]:
        return cases.lines(tx, *args, **words)

    query = ListQuery(sort=column, descending=descending)
    found = walk(lines, query)
    assert len(found) == COUNT
    assert found == sorted(lines(limit=0), key=lambda line: rank(line, column), reverse=descending)
    assert lines(query, before=query.key_of(found[30]), limit=9) == found[21:30][::-1]
    assert lines(query, before=query.key_of(found[0])) == []


def test_a_page_goes_on_where_it_was_when_lines_came_meanwhile(tmp_path: Path) -> None:
    database = Database(tmp_path / "c.db")
    query = ListQuery(sort="domain")
    with database.write("ada", "2026") as tx:
        for n, domain in enumerate(("a", "c", "c", "d")):
            cases.add(tx, Case(id=f"x-{n:06d}", domain=domain))
    with database.write("ada", "2026") as tx:
        first = cases.lines(tx, query, limit=2)
        cases.add(tx, Case(id="x-000009", domain="b"))
        cases.add(tx, Case(id="x-00000a", domain="c"))
        rest = cases.lines(tx, query, after=query.key_of(first[-1]))
    assert [line.id for line in first + rest] == ["x-000000", "x-000001", "x-000002", "x-00000a", "x-000003"]
    database.close()


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        (ListQuery(contains="QUESTION 3 "), lambda c: "Question 3 " in c.question),
        (ListQuery(contains="100% of a_1"), lambda c: "A_1" in c.question),
        (ListQuery(contains="ÜBER"), lambda c: True),
        (ListQuery(contains="z-0"), lambda c: c.id.startswith("z-0")),
        (ListQuery(contains="_%_"), lambda c: False),
        (ListQuery(like=(("domain", "EAL"), ("risk", "ig"))), lambda c: c.domain == "health" and c.risk == "high"),
        (ListQuery(like=(("author", "b"), ("updated_at", "03-02"))),
         lambda c: c.author == "ben" and "-02T" in c.updated_at),
        (ListQuery(like=(("seq", "11"),)), lambda c: c.seq == 11),
        (ListQuery(like=(("domain", ""),)), lambda c: True),
        (ListQuery(where=(("risk", "critical"),)), lambda c: c.risk == "critical"),
        (ListQuery(where=(("risk", "extreme"),)), lambda c: False),
        (ListQuery(where=(("status", "in_review"), ("domain", ""))),
         lambda c: c.status == "in_review" and not c.domain),
        (ListQuery(contains="über", like=(("task", "sum"),), where=(("language", "ko"),)),
         lambda c: c.task == "summary" and c.language == "ko"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("sort", ["seq", "risk", "question"])
def test_filters_of_any_column_together_and_counted(
    tx: Transaction, query: ListQuery, wanted: Callable[[CaseLine], bool], sort: str
) -> None:
    query = ListQuery(sort, True, query.contains, query.like, query.where)
    expected = [c for c in cases.lines(tx, ListQuery(sort, True), limit=0) if wanted(c)]
    assert walk(lambda *a, **k: cases.lines(tx, *a, **k), query, 5) == expected
    assert cases.count(tx, query) == len(expected)


@pytest.mark.parametrize(
    "query", [ListQuery(sort="content"), ListQuery(like=(("x", "y"),)), ListQuery(where=(("x", ""),))]
)
def test_a_column_that_the_list_does_not_have_is_told(tx: Transaction, query: ListQuery) -> None:
    for lines in (cases.lines, documents.lines):
        with pytest.raises(InputError, match=r"cannot be (sorted|filtered) by"):
            lines(tx, query)


def plan(tx: Transaction, query: ListQuery, after: ListKey | None = None) -> str:
    page = cases.LIST.page(select(*cases.LIST.columns.values()), query, after=after, before=None, limit=200)
    connection = tx.session.connection()
    sql = str(page.compile(connection, compile_kwargs={"literal_binds": True}))
    return " / ".join(row[3] for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {sql}"))


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("column", CaseLine._fields)
def test_a_page_anywhere_is_found_by_an_index(tx: Transaction, column: str, descending: bool) -> None:
    query = ListQuery(sort=column, descending=descending)
    middle = cases.lines(tx, query, limit=30)[-1]
    told = plan(tx, query, query.key_of(middle))
    assert told.startswith("SEARCH golden_case USING"), told
    assert "TEMP B-TREE FOR ORDER BY" not in told
    exact = plan(tx, ListQuery(where=((column, str(getattr(middle, column))),)))
    assert "SCAN" not in exact, exact


@pytest.mark.parametrize(
    "query",
    [
        ListQuery(contains="x"),
        ListQuery(sort="domain", like=(("question", "x"),)),
        ListQuery(sort="updated_at", where=(("status", "draft"),)),
        ListQuery(where=(("status", "draft"), ("risk", "low"))),
    ],
)
def test_what_no_index_answers_reads_the_lines_and_not_the_content(tx: Transaction, query: ListQuery) -> None:
    assert "USING COVERING INDEX case_list" in plan(tx, query)


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("column", ["behavior", "risk"])
def test_an_order_that_hides_reads_no_case_that_it_does_not_show(
    tx: Transaction, column: str, descending: bool
) -> None:  # fmt: skip
    query = ListQuery(column, descending, blind="zoe")
    page = cases.LIST.page(select(cases.LIST.ordering(column), cases.LIST.columns["seq"]), query, veiled=False)
    connection = tx.session.connection()
    sql = str(page.compile(connection, compile_kwargs={"literal_binds": True}))
    told = [row[3] for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {sql}")]
    assert f"USING COVERING INDEX case_by_{column}" in told[0]
    assert not any("CORRELATED" in line for line in told)  # what is asked of reviews is asked once


@pytest.mark.parametrize("blind", [None, "zoe"])
@pytest.mark.parametrize("column", CaseLine._fields)
def test_the_key_of_any_place_leads_on_from_there(tx: Transaction, column: str, blind: str | None) -> None:
    query = ListQuery(column, like=(("domain", "e"),), blind=blind)
    found = cases.lines(tx, query, limit=0)
    for place in (0, 1, len(found) // 2, len(found) - 1):
        key = cases.key_at(tx, query, place)
        assert key == query.key_of(found[place])
        assert key == cases.key_at(tx, query, len(found) - 1 - place, back=True)
        assert cases.lines(tx, query, after=key, limit=5) == found[place + 1 : place + 6]
    assert cases.key_at(tx, query, len(found)) is None


def test_documents_in_order_of_any_column(tx: Transaction) -> None:
    def ids(sort: str, *, descending: bool = False, **filters: Any) -> list[str]:
        query = ListQuery(sort, descending, **filters)
        assert documents.count(tx, query) == len(documents.lines(tx, query))
        return [d.id for d in walk(lambda *a, **k: documents.lines(tx, *a, **k), query, 1)]

    assert ids("seq") == ["b-doc", "a-doc", "c-doc"]
    assert ids("id") == ["a-doc", "b-doc", "c-doc"]
    assert ids("pages") == ["b-doc", "c-doc", "a-doc"]
    assert ids("pages", descending=True) == ["a-doc", "c-doc", "b-doc"]
    assert ids("rows") == ["a-doc", "c-doc", "b-doc"]
    assert ids("title", where=(("domain", "Law"),)) == ["b-doc", "c-doc"]
    assert ids("id", contains="LAW") == ["b-doc", "c-doc"]
    for asked, wanted in (
        ("300", "a"), ("30", ""), ("12", "bc"), ("2", ""), ("=12", "bc"), (">12", "a"), (">=12", "abc"),
        ("<300", "bc"), ("<=11", ""), (">", "abc"), ("> 12", "a"), ("12 pages", ""), ("9" * 400, ""), ("12.5", ""),
    ):  # fmt: skip
        assert ids("id", like=(("pages", asked),)) == [f"{c}-doc" for c in wanted], asked
    assert ids("id", like=(("warnings", "0"),)) == ["a-doc"]
    assert documents.lines(tx, limit=1) == [DocumentLine(
        documents.lines(tx)[0].seq, "a-doc", "Title of a-doc", 300, 1, 0, "", "", "", 0, "")]  # fmt: skip
    assert [d.warnings for d in documents.lines(tx)] == [0, 1, 1]
    assert documents.get(tx, "b-doc").rows == 5
    assert [d.id for d in documents.page_of(tx, after="a-doc")] == ["b-doc", "c-doc"]
    assert [d.id for d in documents.page_of(tx, before="c-doc", limit=1)] == ["b-doc"]
