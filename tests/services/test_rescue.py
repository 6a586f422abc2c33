"""What was typed while the database could not take it is a file, and a draft at the next start."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from curator.domain.canonical import case_hash
from curator.domain.case import Case
from curator.errors import StorageError
from curator.services import backup, cases, drafts, rescue, surroundings
from curator.services.drafts import Typed
from curator.workspace import Workspace
from tests.services.desk import Desk


@pytest.fixture(autouse=True)
def own_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def typed(question: str = "Typed while it was full?", key: str = "new abc") -> Typed:
    return Typed(Case(turns=(question,)), 0, key)


def as_of_an_app_that_is_gone(path: Path) -> Path:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    return path.rename(path.with_name(f"typed-{gone.pid}.json"))


def test_it_comes_back_once_as_a_draft_of_its_owner(desk: Desk) -> None:
    path = rescue.keep(desk.root, "ada", [typed("first")])
    assert rescue.keep(desk.root, "ada", [typed()]) == path
    assert path.stat().st_mode & 0o077 == 0
    assert path.is_relative_to(desk.root / ".curator")
    assert rescue.bring_back(desk.ada).drafts == 0  # the app that wrote it is here still
    as_of_an_app_that_is_gone(path)
    assert rescue.bring_back(desk.ben).drafts == 0
    assert rescue.bring_back(desk.ada).drafts == 1
    assert rescue.bring_back(desk.ada).drafts == 0
    (draft,) = drafts.waiting(desk.ada)
    assert draft.case.question == "Typed while it was full?"


def test_a_draft_that_says_something_else_stays_beside_it(desk: Desk) -> None:
    name = desk.case().case.id
    record = cases.get(desk.ada, name)
    mine = record.case.model_copy(update={"notes": "in the database"})
    drafts.keep(desk.ada, mine, record.version)
    other = Typed(record.case.model_copy(update={"notes": "in the file"}), record.version, name)
    as_of_an_app_that_is_gone(rescue.keep(desk.root, "ada", [other]))
    rescue.bring_back(desk.ada)
    assert {d.case.notes for d in drafts.waiting(desk.ada)} == {"in the database", "in the file"}
    later = Typed(record.case.model_copy(update={"notes": "typed on"}), record.version, name, (), (case_hash(mine),))
    as_of_an_app_that_is_gone(rescue.keep(desk.root, "ada", [later]))
    rescue.bring_back(desk.ada)  # over what the same app had kept of it
    assert {(d.case_id == name, d.case.notes) for d in drafts.waiting(desk.ada)} == {
        (True, "typed on"),
        (False, "in the file"),
    }


def test_an_app_whose_number_came_again_is_gone(desk: Desk) -> None:
    path = rescue.keep(desk.root, "ada", [typed()])
    here = os.getpid()
    for name in (f"typed-{here}.json", f"typed-{here}-1.json", "typed-1-1.json"):  # in a container it is 1 each time
        path = path.rename(path.with_name(name))
        assert rescue.bring_back(desk.ada).drafts == 1
        for draft in drafts.waiting(desk.ada):
            drafts.drop(desk.ada, draft.case_id)
        rescue.keep(desk.root, "ada", [typed()])
        path = rescue.path_of(desk.root)


def test_of_two_apps_that_start_at_once_one_brings_it_back(desk: Desk) -> None:
    as_of_an_app_that_is_gone(rescue.keep(desk.root, "ada", [], {"retire x": ["repealed"]}))
    first = rescue.bring_back(desk.ada)
    assert first.answers == {"retire x": ("repealed",)}
    code = "import sys; from curator.services import rescue; from curator.workspace import *; " \
           "print(rescue.bring_back(Workspace(Path(sys.argv[1]), 'ada').context).answers)"  # fmt: skip
    other = subprocess.run([sys.executable, "-c", code, str(desk.root)], capture_output=True, text=True, check=True)
    assert other.stdout.strip() == "{}"
    rescue.remove(first.files)
    assert not list((desk.root / ".curator" / rescue.FOLDER).iterdir())


def test_where_the_folder_takes_nothing_another_place_does(desk: Desk) -> None:
    (desk.root / ".curator" / rescue.FOLDER).write_text("a file in the way")
    path = rescue.keep(desk.root, "ada", [typed()])
    assert not path.is_relative_to(desk.root)
    as_of_an_app_that_is_gone(path)
    path.with_name("typed-1-no.json").write_text("{")  # one that cannot be read is left
    assert rescue.bring_back(desk.ada).drafts == 1
    gone = desk.root.parent / "nowhere"
    rescue.keep(gone, "ada", [typed()])
    assert not gone.exists()  # it may come back under its name
    rescue.drop(gone)
    rescue.keep(desk.root, "ada", [typed()])
    rescue.drop(desk.root)
    assert [p.name for p in path.parent.iterdir()] == ["typed-1-no.json"]


def test_a_database_that_was_deleted_or_replaced_under_the_app_is_noticed(desk: Desk) -> None:
    name = desk.case("Before?").case.id
    made = backup.daily(desk.ada, force=True)
    assert made is not None
    database = desk.root / ".curator" / "curator.db"
    database.rename(database.with_name("moved"))
    with pytest.raises(StorageError, match="not there any more"):
        desk.case("Into a deleted file?", source="")
    with pytest.raises(StorageError, match="not there any more"):
        cases.get(desk.ada, name)
    database.with_name("moved").rename(database)
    later = desk.case("After it came back?").case.id
    backup.put_back(desk.root)  # another program puts a copy in its place
    assert [c.id for c in cases.page_of(desk.ada)] == [name]
    newest = desk.case("Into the copy?").case.id
    with closing(sqlite3.connect(database)) as connection:
        found = {i for (i,) in connection.execute("select id from golden_case")}
    assert found == {name, newest}
    assert later not in found


@pytest.mark.parametrize("empty", [True, False])
def test_an_empty_database_is_not_begun_where_there_was_one(desk: Desk, *, empty: bool) -> None:
    name = desk.case().case.id
    backup.daily(desk.ada, force=True)
    desk.workspace.close()
    database = desk.root / ".curator" / "curator.db"
    database.unlink()
    if empty:
        database.touch()
    with pytest.raises(StorageError, match="this workspace had one") as refused:
        _ = Workspace(desk.root, "ada").context
    assert "restore --here" in refused.value.hint
    backup.put_back(desk.root)
    with Workspace(desk.root, "ada") as space:
        assert cases.get(space.context, name).case.id == name


def test_a_network_disk_and_a_clock_that_was_set_back_are_told(desk: Desk, tmp_path: Path) -> None:
    assert surroundings.warnings(desk.ada) == []
    mounts = tmp_path / "mountinfo"
    point = str(tmp_path / "team share").replace(" ", "\\040")
    (tmp_path / "team share" / "sub").mkdir(parents=True)
    lines = ["1 0 0:1 / / rw - ext4 /dev/x rw", f"2 1 0:2 / {point} rw shared:1 - nfs4 host:/x rw",
             f"3 2 0:3 / {point}/sub rw - ext4 y rw", "bad line"]  # fmt: skip
    mounts.write_text("\n".join(lines))
    for folder, kind in (("team share", "nfs4"), ("team share/sub", ""), ("team sharelike", ""), ("", "")):
        assert surroundings.network_kind(tmp_path / folder, mounts) == kind
    assert surroundings.network_kind(tmp_path, tmp_path / "none") == ""
    first = desk.case("Now?").case
    desk.workspace.close()
    with Workspace(desk.root, "ada") as space:
        back = desk.by("ada").__class__(
            space.root, space.settings, space.context.db, "ada", lambda: "1970-01-01T00:00:00Z"
        )
        second = cases.new(back, Case(turns=("In 1970?",)))
        cases.save(back, second.case.model_copy(update={"notes": "x"}), second.version)
        assert [c.id for c in cases.page_of(back)] == [first.id, second.case.id]  # by number, not by clock
        assert surroundings.warnings(back) == []
        (told,) = surroundings.warnings(
            back.__class__(space.root, space.settings, space.context.db, "ada", lambda: "1960-01-01T00:00:00Z")
        )
        assert "set the clock" in told
