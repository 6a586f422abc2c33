"""Copies of the day, archives of a workspace, and what is done when the database is damaged."""

from __future__ import annotations

import errno
import json
import os
import shutil
import sqlite3
import time
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from curator.domain.case import Case
from curator.errors import Conflict, InputError, StorageError
from curator.services import backup, cases
from curator.services.context import Context
from curator.store.database import examined
from curator.workspace import Workspace
from tests.services.desk import Desk

DAY = 24 * 60 * 60


def aged(path: Path, days: float) -> None:
    at = time.time() - days * DAY
    os.utime(path, (at, at))


def old(ctx: Context) -> Context:
    """The workspace as if it had been made some days ago."""
    aged(ctx.hidden / ".gitignore", 3)
    return ctx


def test_a_copy_is_made_once_a_day_and_ten_are_kept(desk: Desk) -> None:
    assert backup.daily(desk.ada) is None  # the workspace was made just now
    name = desk.case().case.id
    made = backup.daily(old(desk.ada))
    assert made is not None
    assert examined(made) == []
    assert backup.daily(desk.ada) is None
    with Workspace(restored(desk, made), "ada") as space:
        assert cases.get(space.context, name).case.id == name
    for n in range(12):
        copy = made.with_name(f"daily-2026010{n}.db")
        copy.write_bytes(made.read_bytes())
        aged(copy, 20 - n)
    aged(made, 2)
    begun = [made.with_name(f".{n}.7.part") for n in (made.name, "daily-new.db")]
    for part in begun:
        part.write_bytes(b"what a kill left, or another program is writing just now")
    aged(begun[0], 1)
    newest = backup.daily(desk.ada)
    assert [p.exists() for p in begun] == [False, True]
    left = sorted(p.name for p in made.parent.glob("daily-*.db"))
    assert len(left) == backup.KEPT
    assert newest is not None
    assert newest.name in left
    assert "daily-20260100.db" not in left


def restored(desk: Desk, copy: Path) -> Path:
    folder = desk.root.parent / "from copy"
    (folder / ".curator").mkdir(parents=True)
    (folder / ".curator" / "curator.db").write_bytes(copy.read_bytes())
    (folder / "curator.toml").write_bytes((desk.root / "curator.toml").read_bytes())
    return folder


def test_a_clock_that_was_set_back_brings_a_copy_not_none(desk: Desk) -> None:
    made = backup.daily(old(desk.ada))
    assert made is not None
    aged(made, -400)  # made in the future
    assert backup.due(desk.ada)


def test_an_archive_brings_the_whole_workspace_back(desk: Desk, tmp_path: Path) -> None:
    name = desk.approved().case.id
    (desk.root / ".curator" / "holdout" / "s" / "1.0.0").mkdir(parents=True)
    (desk.root / ".curator" / "holdout" / "s" / "1.0.0" / "cases.jsonl").write_text("secret\n")
    (desk.root / "outside").symlink_to("/etc/hostname")
    target = tmp_path / "all.zip"
    made = backup.back_up(desk.ada, target)
    assert made.files == len(zipfile.ZipFile(target).namelist()) - 1
    assert target.stat().st_mode & 0o077 == 0  # the holdout is in it
    with pytest.raises(Conflict, match="exists"):
        backup.back_up(desk.ada, target)
    folder = tmp_path / "again"
    backup.restore(target, folder)
    with Workspace(folder, "ada") as space:
        assert cases.get(space.context, name) == cases.get(desk.ada, name)
        assert space.context.db.check() == []
    assert (folder / ".curator" / "holdout" / "s" / "1.0.0" / "cases.jsonl").read_text() == "secret\n"
    pdf = Path("datasets", "regulation.pdf")
    assert (folder / pdf).read_bytes() == (desk.root / pdf).read_bytes()
    with pytest.raises(Conflict, match="not empty"):
        backup.restore(target, folder)


def changed(source: Path, target: Path, *, drop: str = "", rename: tuple[str, str] = ("", ""), flip: str = "") -> Path:
    """The archive with a member left out, under another name, or with another byte."""
    with zipfile.ZipFile(source) as before, zipfile.ZipFile(target, "w") as after:
        for name in before.namelist():
            data = before.read(name)
            if name == drop:
                continue
            if name == flip:
                data = bytes([data[0] ^ 1]) + data[1:]
            if name == "archive.json" and rename[0]:
                data = data.replace(json.dumps(rename[0]).encode(), json.dumps(rename[1]).encode())
            after.writestr(rename[1] if name == rename[0] else name, data)
    return target


def test_an_archive_that_was_changed_is_refused_and_leaves_nothing(desk: Desk, tmp_path: Path) -> None:
    target = tmp_path / "all.zip"
    backup.back_up(desk.ada, target)
    pdf = "datasets/regulation.pdf"
    bad = [
        changed(target, tmp_path / "1.zip", drop=pdf),
        changed(target, tmp_path / "2.zip", flip=pdf),
        changed(target, tmp_path / "3.zip", rename=(pdf, "datasets/../../evil.pdf")),
        changed(target, tmp_path / "4.zip", rename=(pdf, "/tmp/evil.pdf")),
        changed(target, tmp_path / "5.zip", drop="archive.json"),
        changed(target, tmp_path / "6.zip", flip=".curator/curator.db"),
    ]
    bad += [
        changed(target, tmp_path / "8.zip", rename=(pdf, "datasets/" + "a/" * 2000 + "b")),
        changed(target, tmp_path / "9.zip", drop="curator.toml"),
    ]
    for number, index in enumerate(("[" * 200_000, '{"files": [{"path": "a", "sha256": "", "bytes": 1e400}]}', "0")):
        with zipfile.ZipFile(tmp_path / f"1{number}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("archive.json", index if number < 2 else " " * (backup.LARGEST_INDEX + 1))
        bad.append(tmp_path / f"1{number}.zip")
    short = tmp_path / "7.zip"
    short.write_bytes(target.read_bytes()[:-200])
    for path in (*bad, short):
        with pytest.raises(InputError):
            backup.restore(path, tmp_path / "out")
        assert not (tmp_path / "out").exists()
    assert not list(tmp_path.glob(".*"))
    assert not list(tmp_path.rglob("evil.pdf"))


def refuse(*_: object) -> None:
    raise OSError(errno.EIO, os.strerror(errno.EIO))


def test_a_damaged_database_is_read_only_and_the_newest_sound_copy_is_put_back(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = desk.case().case.id
    made = backup.daily(old(desk.ada))
    assert made is not None
    broken = made.with_name("daily-29990101T000000Z.db")
    broken.write_bytes(made.read_bytes()[:5000])  # newer, and no good
    for number, spoil in enumerate(
        ("pragma user_version = 9999", "create trigger t after insert on event begin delete from golden_case; end")
    ):  # of a newer program; and one that would do what Curator never does
        copy = made.with_name(f"daily-2998010{number + 1}T000000Z.db")
        shutil.copyfile(made, copy)
        with closing(sqlite3.connect(copy)) as connection:
            connection.execute(spoil)
    assert backup.look_after(desk.ada) is None
    desk.workspace.close()
    path = desk.root / ".curator" / "curator.db"
    with closing(sqlite3.connect(path)) as connection:
        (page,) = connection.execute("select rootpage from sqlite_master where name = 'case_by_status'").fetchone()
    data = bytearray(path.read_bytes())
    data[(page - 1) * 4096 : page * 4096] = b"\xff" * 4096  # the schema stays: it opens
    path.write_bytes(data)
    damaged = Workspace(desk.root, "ada")
    wrong = backup.look_after(damaged.context)
    assert wrong is not None
    assert made.name in wrong.hint
    with pytest.raises(StorageError, match="damaged"):
        cases.new(damaged.context, Case(turns=("New?",)))
    damaged.close()
    log = path.with_name("curator.db-wal")
    log.write_bytes(b"belongs to it")
    before = sorted(p.name for p in path.parent.iterdir())
    with monkeypatch.context() as refused:
        refused.setattr(os, "replace", refuse)
        with pytest.raises(StorageError, match="the database is as it was"):
            backup.put_back(desk.root)
    assert sorted(p.name for p in path.parent.iterdir()) == before
    assert path.read_bytes() == bytes(data)
    done = backup.put_back(desk.root)
    assert done.copy == made
    assert done.aside.read_bytes() == bytes(data)  # nothing is deleted
    assert done.aside.with_name(f"{done.aside.name}-wal").read_bytes() == b"belongs to it"
    assert not log.exists()
    with Workspace(desk.root, "ada") as space:
        assert cases.get(space.context, name).case.id == name
        assert space.context.db.check() == []
