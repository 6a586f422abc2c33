"""`doctor` finds what changed, wherever it lies, and mends a copy only."""

from __future__ import annotations

import resource
import signal
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from curator.errors import StorageError
from curator.services import backup, cases, erasing, renaming, search
from curator.services.doctor import examine, examine_closed
from curator.services.mending import mend
from curator.services.release import release
from curator.workspace import Workspace
from tests.services.desk import Desk


def database(desk: Desk) -> Path:
    return desk.root / ".curator" / "curator.db"


def changed(desk: Desk, *statements: str) -> None:
    """Change rows behind the back of the app, as a disk would."""
    with closing(sqlite3.connect(database(desk), isolation_level=None)) as connection:
        for statement in statements:
            assert connection.execute(statement).rowcount > 0, statement


def codes(desk: Desk, *, full: bool = True) -> set[str]:
    return {p.code for p in examine(desk.ada, full=full).problems}


def filled(desk: Desk) -> str:
    """A case with a history, a release, an index; gives the id of the case."""
    record = desk.approved()
    name = desk.case("Draft?").case.id
    draft = cases.get(desk.ada, name)
    cases.save(desk.ada, draft.case.model_copy(update={"notes": "edited"}), draft.version)
    release(desk.carla, "rules", waive="one case")
    search.search(desk.ada, "penalties", semantic=False)
    assert record.case.id != name
    return name


def test_a_sound_workspace_is_sound_and_each_row_that_changes_is_found(desk: Desk) -> None:
    name = filled(desk)
    backup.daily(desk.ada, force=True)
    found = examine(desk.ada, full=True)
    assert (found.problems, found.documents, found.cases) == ((), 1, 2)
    assert found.files > 10
    expected: dict[tuple[str, ...], set[str]] = {
        (f"update golden_case set content = replace(content, 'edited', 'edixed') where id = '{name}'",): {"history"},
        (f"update golden_case set question = 'x' where id = '{name}'", "update page set text = text || ' '"):
            {"case-columns", "reading"},
        ("update golden_case set content_hash = 'sha256:0'", "update anchor set block = 77 where block > 0"):
            {"case-hash", "case-columns", "reading", "orphan", "index"},
        ("update event set actor = 'eve' where seq = 2", "update document set revision_id = 99"):
            {"event", "orphan", "counts"},
        ("update release_case set line = replace(line, 'million', 'billion')", "update review set risk = 'high'"):
            {"release-line", "release-file"},
        ("delete from event where seq = 3",): {"history", "reference", "event"},
    }  # fmt: skip
    desk.workspace.close()
    before = database(desk).read_bytes()
    for statements, wanted in expected.items():
        changed(desk, *statements)
        seen = codes(desk)
        assert "copy-differs" in seen
        assert wanted - {"index", "reference", "event"} <= seen <= wanted | {"copy-differs", "index"}, statements
        desk.workspace.close()
        database(desk).write_bytes(before)
    assert codes(desk) == set()


def flipped(path: Path, place: int = -1) -> None:
    data = bytearray(path.read_bytes())
    data[place] ^= 1
    path.write_bytes(data)


def test_files_that_changed_are_found(desk: Desk) -> None:
    filled(desk)
    made = backup.daily(desk.ada, force=True)
    assert made is not None
    (kept,) = (desk.root / ".curator" / "files").glob("*.pdf")
    (version,) = (desk.root / "exports" / "rules").glob("*.*.*")
    index = desk.root / ".curator" / "index.db"
    places: list[tuple[Path, int, str]] = [
        (kept, 500, "source-file"),
        (version / "sources.jsonl", 40, "release-file"),
        (version / "build.json", 8, "release-file"),
        (index, index.read_bytes().rindex(b"false report"), "index"),
        (made, 3, "copy"),
    ]
    for path, place, code in places:
        before = path.read_bytes()
        flipped(path, place)
        assert codes(desk) == {code}, path
        path.write_bytes(before)
    kept.unlink()
    assert "no copy of regulation.pdf" in " ".join(examine(desk.ada, full=True).advice)


def test_what_was_erased_repaired_and_undone_is_no_damage(desk: Desk) -> None:
    filled(desk)
    backup.daily(desk.ada, force=True)
    renaming.rename(desk.ada, "regulation", "order")
    copies = sorted((desk.root / ".curator" / "backups").iterdir())
    with a_disk_of(0), pytest.raises(StorageError):
        erasing.erase(desk.carla, ["million"], reason="a request")
    assert examine(desk.ada, full=True).problems == ()  # all of it, or nothing
    assert sorted((desk.root / ".curator" / "backups").iterdir()) == copies
    erasing.erase(desk.carla, ["million"], reason="a request")
    found = examine(desk.ada, full=True)
    assert found.problems == ()


@contextmanager
def a_disk_of(room: int) -> Iterator[None]:
    """No file can be larger than so many bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handled = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handled)


def wrecked(path: Path, table: str, pages: Callable[[int], range]) -> None:
    """Overwrite pages of a table in a closed database."""
    with closing(sqlite3.connect(path)) as connection:
        query = "select pageno from dbstat where name = ? and pagetype = 'leaf' order by pageno"
        try:
            leaves = [n for (n,) in connection.execute(query, (table,))]
        except sqlite3.OperationalError:
            pytest.skip("this SQLite has no dbstat")
    data = bytearray(path.read_bytes())
    for n in pages(len(leaves)):
        start = (leaves[n] - 1) * 4096
        data[start : start + 4096] = b"\x55" * 4096
    path.write_bytes(data)


def test_a_mended_copy_has_all_that_can_be_read_and_the_rest_from_a_copy(desk: Desk) -> None:
    names = [desk.case(f"Question {n}? " + "long " * 300).case.id for n in range(12)]
    backup.daily(desk.ada, force=True)
    later = desk.case("After the copy?").case.id
    desk.workspace.close()
    path = database(desk)
    changed(desk, f"update golden_case set content = '{{}}' where id = '{later}'")
    wrecked(path, "golden_case", lambda count: range(count // 2, count // 2 + 1))
    before = path.read_bytes()
    done = mend(desk.root)
    assert path.read_bytes() == before  # the damaged one is not touched
    said = "\n".join(done.told)
    assert "golden_case: " in said
    assert "could not be read" in said
    assert "taken from daily-" in said
    backup.put_back(desk.root)
    with Workspace(desk.root, "ada") as space:
        assert {c.id for c in cases.page_of(space.context, limit=0)} == {*names, later}
        assert cases.get(space.context, later).case.question == "After the copy?"
        assert examine(space.context, full=True).problems == ()


def test_what_cannot_be_opened_is_looked_at_and_taken_from_a_copy(desk: Desk) -> None:
    name, *_ = [desk.case(f"Question {n}? " + "long " * 300).case.id for n in range(12)]
    backup.daily(desk.ada, force=True)
    desk.workspace.close()
    path = database(desk)
    path.write_bytes(b"not a database" * 1000)
    with pytest.raises(StorageError):
        _ = Workspace(desk.root, "ada").context
    (problem,) = examine_closed(desk.root).problems
    assert problem.code == "structure"
    assert "restore --here" in problem.hint
    copies = sorted(p.name for p in (path.parent / "backups").iterdir())
    for room in (300_000, 480_000, 540_000):  # it ends while the schema, rows or the end are written
        with a_disk_of(room), pytest.raises(StorageError, match=r"the disk refused|no space left"):
            mend(desk.root)
        assert sorted(p.name for p in (path.parent / "backups").iterdir()) == copies
    done = mend(desk.root)
    assert sum(t.from_copy for t in done.tables) > 10
    backup.put_back(desk.root)
    with Workspace(desk.root, "ada") as space:
        assert cases.get(space.context, name).case.id == name
