"""The whole main job on the samples, and the suite that this repository releases from them."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from curator.cli import demonstration
from curator.domain.changes import version_key
from curator.domain.review import risk_level
from curator.errors import CheckFailed
from curator.progress import Silent
from curator.services import cases, documents
from curator.services.context import Context
from curator.services.release import release
from curator.services.reproduce import reproduce
from curator.services.verifying import verify
from curator.workspace import Workspace

ROOT = Path(__file__).parents[2]
EXPORTS = ROOT / "exports" / "school-health"
CHECK = ROOT.parent / "shared" / "evaluators" / "_canonical" / "check.py"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, list[str]]:
    """The demonstration in a new folder: workspace, released folder, what it told."""
    folder = tmp_path_factory.mktemp("demo") / "demo"
    told: list[str] = []
    return folder, demonstration.make(folder, Silent(), told.append), told


@pytest.fixture(scope="module")
def context(made: tuple[Path, Path, list[str]]) -> Iterator[Context]:
    with Workspace(made[0], demonstration.LEAD) as workspace:
        yield workspace.context


def versions() -> list[Path]:
    return sorted((p for p in EXPORTS.iterdir() if p.is_dir()), key=lambda p: version_key(p.name))


def test_the_newest_version_of_the_repository_is_reproduced_byte_for_byte(context: Context, tmp_path: Path) -> None:
    newest = versions()[-1]
    found = reproduce(context, newest / "manifest.json")
    assert found.different == ()
    assert set(found.same) == {p.name for p in newest.iterdir()} - {"SHA256SUMS", "build.json"} | {
        e["path"] for e in json.loads((newest / "manifest.json").read_bytes())["holdout"]
    }


def test_every_version_of_the_repository_is_sound() -> None:
    assert versions()
    assert verify(EXPORTS) == ()


def test_what_the_demonstration_released_is_the_first_version_again(made: tuple[Path, Path, list[str]]) -> None:
    if len(versions()) > 1:
        pytest.skip("a fresh workspace starts at 1.0.0; the newest version is reproduced by its manifest")
    for path in versions()[0].iterdir():
        if path.name != "build.json":
            assert (made[1] / path.name).read_bytes() == path.read_bytes(), path.name


def test_the_holdout_lies_apart_and_closed(made: tuple[Path, Path, list[str]]) -> None:
    assert not list(made[1].glob("*holdout*"))
    hidden = made[0] / ".curator" / "holdout" / "school-health" / "1.0.0"
    assert list(hidden.glob("*.jsonl"))
    assert hidden.stat().st_mode & 0o077 == 0


def test_what_it_told(made: tuple[Path, Path, list[str]]) -> None:
    text = "\n".join(made[2])
    assert "every byte verified" in text
    assert "regulated" in text
    assert "log: 150 failures" in text
    assert "domain emission × length 10x: has 2, needs 3" in text


def test_running_it_again_changes_nothing(made: tuple[Path, Path, list[str]]) -> None:
    before = {p: hashlib.sha256(p.read_bytes()).hexdigest() for p in sorted(made[1].iterdir())}
    assert demonstration.make(made[0], Silent(), lambda _: None) == made[1]
    assert {p: hashlib.sha256(p.read_bytes()).hexdigest() for p in sorted(made[1].iterdir())} == before


def test_the_suite_with_a_gap_is_not_released(context: Context) -> None:
    with pytest.raises(CheckFailed, match="1 gap: domain emission × length 10x: has 2, needs 3"):
        release(context, "regulated")


def test_lengths_are_bands_of_the_declared_median(context: Context) -> None:
    lines = {c.id: c for c in cases.page_of(context, limit=0)}
    assert len(lines) >= 40
    assert {d.revision.pages for d in documents.page_of(context)} == {6, 12, 25, 40, 160}


def test_every_approved_case_was_judged_as_its_risk_asks(context: Context) -> None:
    for line in cases.page_of(context, limit=0, where={"status": "approved"}):
        record = cases.get(context, line.id)
        _, reviews = cases.standing(context, line.id)
        if risk_level(record.case.risk) >= risk_level("high"):
            assert len({r.actor for r in reviews if r.slot.startswith("label")}) == 2, line.id
        assert {r.actor for r in reviews} - {record.author}, line.id


@pytest.mark.skipif(not CHECK.exists(), reason="the shared checks are not beside this checkout")
def test_the_shared_check_accepts_the_release_with_its_holdout(made: tuple[Path, Path, list[str]]) -> None:
    hidden = made[0] / ".curator" / "holdout" / "school-health" / "1.0.0"
    done = subprocess.run([sys.executable, CHECK, made[1], hidden], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
