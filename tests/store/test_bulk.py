"""Many at once does what one by one does: the same rows, the same history, and a stale one stops all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from curator.domain.canonical import written
from curator.domain.case import Case
from curator.domain.listing import ListQuery
from curator.errors import Conflict, InputError
from curator.store import cases, documents, events
from curator.store.bulk import PART
from curator.store.cases import Change, NewCase
from curator.store.database import Database, driver, migrations

NOW = "2026-03-01T09:00:00Z"
MANY = PART + 3


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    database = Database(tmp_path / "c.db")
    yield database
    database.close()


def named(n: int) -> str:
    return f"x-{n:06d}"


def add(db: Database, count: int) -> None:
    with db.write("ada", NOW) as tx:
        cases.add_many(tx, [NewCase(written(Case(id=named(n), turns=(f"q {n}",)))) for n in range(count)])


def test_what_is_added_is_stored_with_its_standing(db: Database) -> None:
    with db.write("ada", NOW) as tx:
        cases.add_many(
            tx,
            [NewCase(written(Case(id="x-000001", tags=("é",))), imported=True, case_version=4, side="holdout"),
             NewCase(written(Case(id="x-000002")))],
            verb="imported",
        )  # fmt: skip
    with db.read() as tx:
        one, two = cases.get_many(tx, ["x-000001", "x-000002"]).values()
        assert (one.author, one.case_version, one.side, one.case.tags) == ("ada", 4, "holdout", ("é",))
        assert (two.case_version, two.side, two.status, two.version) == (1, "", "draft", 1)
        assert cases.imported(tx, ["x-000001", "x-000002"]) == {"x-000001"}
        assert events.history(tx, "case", "x-000001")[0]["data"]["after"]["tags"] == ["é"]
        assert cases.damaged(tx) == []


def test_many_are_read_in_the_order_asked_for_and_an_unknown_one_is_named(db: Database) -> None:
    add(db, MANY)
    names = [named(n) for n in reversed(range(MANY))]
    with db.read() as tx:
        assert list(cases.get_many(tx, [*names, names[0]])) == names
        with pytest.raises(InputError, match="no case x-999999"):
            cases.get_many(tx, [*names, "x-999999"])


def test_what_a_change_gives_is_what_is_stored_and_every_case_has_its_event(db: Database) -> None:
    add(db, MANY)
    with db.write("ben", "2026-03-02T09:00:00Z") as tx:
        before = cases.get_many(tx, [named(n) for n in range(MANY)]).values()
        made = cases.change_many(tx, [Change(r, "approved", {"status": "approved", "flags": ("stale",), "approvals": 2,
                                                             "approved_hash": "h"}) for r in before])  # fmt: skip
        made = cases.change_many(tx, [
            Change(r, "edited", {"status": "draft"} if n % 2 else {"status": "approved"},
                   r.case.model_copy(update={"notes": "n"})) for n, r in enumerate(made)])  # fmt: skip
    with db.read() as tx:
        assert list(cases.get_many(tx, [r.case.id for r in made]).values()) == made
        assert [(r.version, r.status, r.approvals, r.flags) for r in made[:2]] == [
            (3, "approved", 2, ("stale",)),
            (3, "draft", 0, ("stale",)),  # nobody stands behind the new content of a draft
        ]
        told = events.history(tx, "case", named(1))
        assert [(e["verb"], e["version"], e["actor"]) for e in told] == [
            ("created", 1, "ada"), ("approved", 2, "ben"), ("edited", 3, "ben")]  # fmt: skip
        assert (told[2]["data"]["before"]["notes"], told[2]["data"]["after"]["notes"]) == ("", "n")


def test_one_that_was_written_in_between_stops_all(db: Database) -> None:
    add(db, 3)
    with db.read() as tx:
        loaded = list(cases.get_many(tx, [named(n) for n in range(3)]).values())
    with db.write("ben", NOW) as tx:
        cases.save(tx, loaded[1].case.model_copy(update={"notes": "his"}), 1, status="draft")
    with pytest.raises(Conflict), db.write("ada", NOW) as tx:
        cases.change_many(tx, [Change(r, "submitted", {"status": "in_review"}) for r in loaded])
    with db.read() as tx:
        assert {r.status for r in cases.get_many(tx, [named(n) for n in range(3)]).values()} == {"draft"}


def test_sequences_go_on_and_all_events_of_a_transaction_are_one_decision(db: Database) -> None:
    add(db, 3)
    with db.write("ada", NOW) as tx:
        tx.log.append("suite", "s", "waived")
        assert tx.log.append_many([events.Event("case", "a", "x"), events.Event("case", "b", "x")]) == range(5, 7)
        assert tx.log.append_many([]) == range(0)
    with db.write("ben", NOW) as tx:
        cases.add_many(tx, [NewCase(written(Case(id="y-000001")))])
    with db.read() as tx:
        rows = tx.session.connection().exec_driver_sql("select seq, decision from event order by seq")
        assert [tuple(r) for r in rows] == [(1, 1), (2, 1), (3, 1), (4, 4), (5, 4), (6, 4), (7, 7)]


def test_a_workspace_of_before_gets_its_ranks_counts_and_decisions(tmp_path: Path) -> None:
    path = tmp_path / "c.db"
    Database(path, scripts=[m for m in migrations() if m.number < 3]).close()
    raw = driver().connect(str(path))
    for seq, risk in enumerate(("critical", "low", "high"), 1):
        raw.execute(
            "insert into event (seq, at, actor, entity, entity_id, verb) values (?, '', 'ada', 'case', ?, 'created')",
            (seq, named(seq)),
        )
        raw.execute(
            "insert into golden_case (id, seq, status, author, content, content_hash, behavior, risk, task, "
            "created_at, updated_at) values (?, ?, 'draft', 'ada', '{}', '', 'answer', ?, 'question', '', '')",
            (named(seq), seq, risk),
        )
    raw.execute("insert into document (id, title, revision_id, seq) values ('d', 'D', 1, 1)")
    raw.execute("insert into revision values (1, 'd', '1', 'x', 'd.pdf', 1, 1, 'p 1', '[]', '', 1)")
    for n, kind in enumerate(("chunk", "row", "row")):
        raw.execute("insert into source (name, document_id, kind, seq) values (?, 'd', ?, 1)", (f"d:{n}", kind))
    raw.commit()
    raw.close()
    database = Database(path)
    with database.read() as tx:
        query = ListQuery(sort="risk", descending=True)
        assert [c.risk for c in cases.lines(tx, query)] == ["critical", "high", "low"]
        (document,) = documents.lines(tx)
        assert (document.chunks, document.rows) == (1, 2)
        assert [e.number for e in events.decisions(tx, "ada", ("created",), limit=9)] == [1, 2, 3]
    database.close()
