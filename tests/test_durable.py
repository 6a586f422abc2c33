"""Files and names that outlast a power cut, and disks that refuse at the worst moment."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from curator.durable import make_folder, put_new, write_new
from curator.errors import StorageError
from curator.services.publishing import publish, write_report
from curator.workspace import create


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The paths that were synced, as they were called then."""
    paths: set[str] = set()
    true = os.fsync

    def watched(handle: int) -> None:
        paths.add(str(Path(f"/proc/self/fd/{handle}").readlink()))
        true(handle)

    monkeypatch.setattr(os, "fsync", watched)
    return paths


def refusing(number: int, *, folders: bool = False) -> Callable[..., None]:
    """A call that the system refuses; for folders alone, if it is a sync."""

    def call(*given: object, **_: object) -> None:
        if not folders or Path(f"/proc/self/fd/{given[0]}").is_dir():
            raise OSError(number, os.strerror(number))

    return call


def test_each_folder_that_is_made_is_named_on_the_disk(tmp_path: Path, synced: set[str]) -> None:
    make_folder(tmp_path / "one" / "two", 0o700)
    assert {str(tmp_path), str(tmp_path / "one")} <= synced
    assert (tmp_path / "one").stat().st_mode & 0o777 == 0o700
    make_folder(tmp_path / "one")


def test_the_first_version_of_a_suite_is_on_the_disk_with_all_its_folders(tmp_path: Path, synced: set[str]) -> None:
    publish(tmp_path / "exports" / "rules" / "1.0.0", {"manifest.json": b"{}"})
    assert {str(tmp_path), str(tmp_path / "exports"), str(tmp_path / "exports" / "rules")} <= synced


@pytest.mark.parametrize("links", [True, False])
def test_a_new_file_is_whole_and_never_over_another(
    tmp_path: Path, links: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not links:  # a memory stick
        monkeypatch.setattr(os, "link", refusing(errno.EPERM))
    target = tmp_path / "archive.zip"
    write_new(target, b"first")
    with pytest.raises(FileExistsError):
        write_new(target, b"second")
    assert target.read_bytes() == b"first"
    assert [p.name for p in tmp_path.iterdir()] == ["archive.zip"]


@pytest.mark.parametrize("links", [True, False])
def test_a_name_that_the_disk_did_not_take_is_not_there(
    tmp_path: Path, links: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    part, target = tmp_path / "part", tmp_path / "archive.zip"
    part.write_bytes(b"whole")
    if not links:
        monkeypatch.setattr(os, "link", refusing(errno.EPERM))
    monkeypatch.setattr(os, "fsync", refusing(errno.EIO, folders=True))
    with pytest.raises(OSError, match="Input/output"):
        put_new(part, target)
    assert not target.exists()
    monkeypatch.setattr(os, "fsync", refusing(errno.EINVAL, folders=True))  # it has no such thing for folders
    put_new(part, target)
    assert target.read_bytes() == b"whole"


def test_a_workspace_that_found_no_room_is_made_the_next_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as full:
        full.setattr(os, "fsync", refusing(errno.ENOSPC))
        with pytest.raises(StorageError, match="No space left"):
            create(tmp_path / "new", "ada")
    create(tmp_path / "new", "ada")
    assert (tmp_path / "new" / ".curator" / ".gitignore").read_text() == "*\n"
    assert "ada" in (tmp_path / "new" / "curator.toml").read_text()


def test_a_report_that_finds_no_room_leaves_the_one_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    report = tmp_path / "gate.xml"
    write_report(report, b"first")
    with monkeypatch.context() as full:
        full.setattr(os, "fsync", refusing(errno.ENOSPC))
        with pytest.raises(StorageError, match="No space left"):
            write_report(report, b"second, longer")
    assert report.read_bytes() == b"first"
    assert [p.name for p in tmp_path.iterdir()] == ["gate.xml"]
    write_report(Path(os.devnull), b"no file")
    assert not Path(os.devnull).is_file()
    with pytest.raises(StorageError, match="directory"):
        write_report(tmp_path, b"a folder")
