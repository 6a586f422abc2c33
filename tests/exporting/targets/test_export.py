"""An export as a whole: what it reads is checked, what it writes appears whole, and nothing else is touched."""

from __future__ import annotations

import fcntl
import json
import multiprocessing
import os
import signal
import threading
from pathlib import Path

import pytest

from curator.domain.identity import sha256
from curator.errors import Cancelled, CheckFailed, Conflict, InputError, StorageError, UsageError
from curator.exporting.targets import registry
from curator.progress import Silent
from curator.services.targets import Exported, export, released, targets


def tree(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def rehash(folder: Path, name: str, data: bytes) -> None:
    """Change a file of a release together with its hash: as somebody would who wants it to pass."""
    before = (folder / name).read_bytes()
    (folder / name).write_bytes(data)
    manifest = (folder / "manifest.json").read_text("utf-8").replace(sha256(before), sha256(data))
    old = sha256((folder / "manifest.json").read_bytes())
    (folder / "manifest.json").write_text(manifest, "utf-8")
    sums = (folder / "SHA256SUMS").read_text("utf-8").replace(sha256(before), sha256(data))
    (folder / "SHA256SUMS").write_text(sums.replace(old, sha256(manifest.encode())), "utf-8")


def test_the_same_release_gives_the_same_bytes(rich: Path) -> None:
    export(rich, ["all"])
    folder = rich.parent / "2.0.0.targets"
    first = tree(folder)
    export(rich, ["all"])
    assert tree(folder) == first


def test_a_release_is_left_as_it_is(samples: Path) -> None:
    before = tree(samples)
    export(samples, ["all"])
    assert tree(samples) == before


@pytest.mark.parametrize("name", ["dev.jsonl", "sources.jsonl", "manifest.json", "README.md"])
def test_a_changed_byte_stops_it(samples: Path, name: str) -> None:
    path = samples / name
    path.write_bytes(path.read_bytes().replace(b"e", b"E", 1))
    with pytest.raises(CheckFailed, match="not the bytes that were released"):
        export(samples, ["ragas"])
    assert not (samples.parent / "1.0.0.targets").exists()


def test_a_short_file_stops_it_even_with_hashes_that_fit(samples: Path) -> None:
    lines = (samples / "dev.jsonl").read_bytes().splitlines(keepends=True)
    rehash(samples, "dev.jsonl", b"".join(lines[:-1]))
    with pytest.raises(CheckFailed, match="18 cases, the manifest says 19"):
        export(samples, ["ragas"])
    assert list((samples.parent / "1.0.0.targets").iterdir()) == []


def test_a_line_that_breaks_a_rule_stops_it_even_with_hashes_that_fit(samples: Path) -> None:
    rehash(samples, "dev.jsonl", (samples / "dev.jsonl").read_bytes().replace(b'"risk":"low"', b'"risk":"none"', 1))
    with pytest.raises(CheckFailed, match=r"dev.jsonl line \d+: risk"):
        export(samples, ["ragas"])


def test_a_file_that_changes_while_it_is_read_stops_it(samples: Path) -> None:
    class Meddler(Silent):
        def stage(self, name: str, total: int | None = None) -> None:
            if name == "writing cases":
                path = samples / "followup_dev.jsonl"
                path.write_bytes(path.read_bytes().replace(b'"notes":""', b'"notes":"!"', 1))

    with pytest.raises(CheckFailed, match="not the bytes that were released"):
        export(samples, ["ragas"], progress=Meddler())
    assert list((samples.parent / "1.0.0.targets").iterdir()) == []


def test_a_missing_file_and_a_strange_one_stop_it(samples: Path) -> None:
    (samples / "holdout.jsonl").write_bytes(b"{}\n")
    with pytest.raises(CheckFailed, match="the holdout may not lie here"):
        export(samples, ["ragas"])
    (samples / "holdout.jsonl").unlink()
    (samples / "CHANGES.md").unlink()
    with pytest.raises(CheckFailed, match=r"CHANGES.md: missing"):
        export(samples, ["ragas"])


def test_an_unknown_schema_is_refused(samples: Path) -> None:
    text = (samples / "manifest.json").read_text("utf-8")
    rehash(samples, "manifest.json", text.replace("urn:curator:case:1.0.0", "urn:curator:case:2.0.0").encode())
    with pytest.raises(InputError, match=r"urn:curator:case:2\.0\.0"):
        export(samples, ["ragas"])


def test_a_yanked_version_is_refused_and_passed_over(samples: Path) -> None:
    suite = samples.parent
    entry = {"version": "1.0.0", "at": "2026-05-01T00:00:00Z", "by": "lead", "reason": "a name in a question"}
    (suite / "yanked.jsonl").write_text(json.dumps(entry) + "\n", "utf-8")
    with pytest.raises(CheckFailed, match=r"yanked by lead on 2026-05-01T00:00:00Z: a name in a question"):
        export(samples, ["ragas"])
    with pytest.raises(InputError, match="every version of it is yanked"):
        released(suite.parent, "school-health")
    (suite / "yanked.jsonl").write_text("{broken\n", "utf-8")
    with pytest.raises(InputError, match=r"yanked.jsonl line 1"):
        export(samples, ["ragas"])


def test_the_latest_version_is_meant_where_none_is_named(tmp_path: Path) -> None:
    for version in ("1.9.0", "1.10.0", "1.10.0.targets", "notes"):
        (tmp_path / "suite" / version).mkdir(parents=True)
    assert released(tmp_path, "suite").name == "1.10.0"
    assert released(tmp_path, "suite@1.9.0").name == "1.9.0"
    with pytest.raises(InputError, match=r"no version 2.0.0"):
        released(tmp_path, "suite@2.0.0")
    with pytest.raises(UsageError):
        released(tmp_path, "../suite")


def test_a_folder_of_an_earlier_export_is_replaced_and_others_stay(samples: Path) -> None:
    export(samples, ["ragas", "vertex"])
    folder = samples.parent / "1.0.0.targets"
    (folder / "ragas" / "left-over.jsonl").write_text("{}\n")
    (folder / "mine.txt").write_text("stays")
    export(samples, ["ragas"])
    assert not (folder / "ragas" / "left-over.jsonl").exists()
    assert sorted(p.name for p in folder.iterdir()) == ["mine.txt", "ragas", "vertex"]


def test_somebody_elses_file_in_the_place_is_left_alone(samples: Path, tmp_path: Path) -> None:
    folder = samples.parent / "1.0.0.targets"
    folder.mkdir()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "keep.txt").write_text("kept")
    (folder / "ragas").symlink_to(elsewhere)
    with pytest.raises(StorageError, match="no folder"):
        export(samples, ["ragas"])
    assert (elsewhere / "keep.txt").read_text() == "kept"
    assert [p.name for p in folder.iterdir()] == ["ragas"]


def test_of_two_exporters_one_works(samples: Path) -> None:
    folder = samples.parent / "1.0.0.targets"
    folder.mkdir()
    other = os.open(folder, os.O_RDONLY)
    fcntl.flock(other, fcntl.LOCK_EX)
    with pytest.raises(Conflict, match="another export"):
        export(samples, ["ragas"])
    os.close(other)
    export(samples, ["ragas"])
    assert (folder / "ragas" / "golden.jsonl").exists()


def test_stopping_leaves_what_was_there(samples: Path) -> None:
    export(samples, ["ragas", "hf"])
    folder = samples.parent / "1.0.0.targets"
    before = tree(folder)

    class Stopper(Silent):
        def advance(self, steps: int = 1) -> None:
            raise Cancelled

    with pytest.raises(Cancelled):
        export(samples, ["all"], progress=Stopper())
    assert tree(folder) == before


def _export_and_die(folder: Path, steps: int) -> None:
    class Killer(Silent):
        left = steps

        def checkpoint(self) -> None:
            self.left -= 1
            if self.left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    export(folder, ["all"], progress=Killer())


@pytest.mark.parametrize("steps", [3, 14, 30, 60])
def test_a_kill_leaves_no_half_of_a_folder(samples: Path, steps: int) -> None:
    export(samples, ["ragas"])
    folder = samples.parent / "1.0.0.targets"
    before = tree(folder / "ragas")
    process = multiprocessing.get_context("spawn").Process(target=_export_and_die, args=(samples, steps))
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL
    assert tree(folder / "ragas") == before
    assert {p.name for p in folder.iterdir() if not p.name.startswith(".tmp-")} == {"ragas"}
    export(samples, ["ragas"])
    assert {p.name for p in folder.iterdir()} == {"ragas"}  # what the crash left is swept


def test_a_full_disk_is_one_line_and_leaves_what_was_there(samples: Path) -> None:
    """A limit on the size of files stands in for the full disk."""
    import resource

    export(samples, ["vertex"])
    folder = samples.parent / "1.0.0.targets"
    before = tree(folder)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, hard))
    try:
        with pytest.raises(StorageError, match="File too large"):
            export(samples, ["all"])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, ignored)
    assert tree(folder) == before


def test_every_target_says_what_it_is(everything: tuple[Path, Exported]) -> None:
    for state in targets():
        assert state.evaluator
        assert state.tested
        assert state.summary


def test_an_unknown_target_is_named() -> None:
    with pytest.raises(UsageError, match="'excel' is no target"):
        registry.load(["ragas", "excel"])


def test_each_target_is_made_once_in_the_order_named() -> None:
    assert [t.name for t in registry.load(["vertex", "azure", "vertex"])] == ["vertex", "azure"]


def test_two_threads_that_export_different_versions_do_not_disturb_each_other(samples: Path, rich: Path) -> None:
    done: list[str] = []
    threads = [threading.Thread(target=lambda f=f: done.append(export(f, ["all"]).version)) for f in (samples, rich)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(done) == ["1.0.0", "2.0.0"]
