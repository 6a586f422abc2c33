"""`load_suite`: typed cases whose bytes are what was released."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from curator import CaseLine, CuratorError, load_suite

ROOT = Path(__file__).parents[1]
SAMPLES = ROOT / "exports" / "school-health"
HEAVY = ("textual", "sqlmodel", "sqlalchemy", "rapidfuzz", "rich", "typer", "pypdf", "pypdfium2", "torch")


@pytest.fixture
def space(tmp_path: Path) -> Path:
    shutil.copytree(SAMPLES, tmp_path / "exports" / "school-health")
    (tmp_path / "curator.toml").write_text("")
    return tmp_path


def test_cases_are_typed_and_found_by_id() -> None:
    suite = load_suite(SAMPLES / "1.0.0")
    assert (suite.name, suite.version, len(suite)) == ("school-health", "1.0.0", 23)
    case = suite.case("school-health-7h031h")
    assert isinstance(case, CaseLine)
    assert case.evidence[0].table_cells[0] == "Anaphylaxis"
    assert suite.sources[case.expected_source_ids[0]].page == 19
    assert case in suite
    with pytest.raises(KeyError):
        suite.case("school-health-000000")


def test_filters_are_and_values_are_or() -> None:
    suite = load_suite(SAMPLES / "1.0.0")
    risky = suite.select(risk=("high", "critical"), behavior="escalate")
    assert {(c.risk, c.expected_behavior) for c in risky} <= {("high", "escalate"), ("critical", "escalate")}
    assert 0 < len(risky) < len(suite)
    assert {c.language for c in load_suite(SAMPLES / "1.0.0", language="ko")} == {"ko"}
    assert all(c.partition == "followup_dev" for c in suite.select(partition="followup_dev"))
    assert len(suite.select(tag="no such tag")) == 0


def test_a_name_is_found_in_the_workspace_here_or_in_one_that_is_named(
    space: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert load_suite("school-health@1.0.0", workspace=space).folder.is_relative_to(space)
    (space / "deep").mkdir()
    monkeypatch.chdir(space / "deep")
    assert load_suite("school-health").version == "1.0.0"
    with pytest.raises(CuratorError, match="no version 9\\.0\\.0"):
        load_suite("school-health@9.0.0")


def change_a_byte(release: Path) -> None:
    path = release / "dev.jsonl"
    path.write_bytes(path.read_bytes().replace(b"days", b"daze", 1))


def cut_the_last_line(release: Path) -> None:
    path = release / "dev.jsonl"
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))


def remove_a_file(release: Path) -> None:
    (release / "followup_dev.jsonl").unlink()


def write_another_schema(release: Path) -> None:
    import hashlib

    path = release / "manifest.json"
    manifest = json.loads(path.read_bytes())
    manifest["schema"]["id"] = "urn:curator:case:9.0.0"
    path.write_text(json.dumps(manifest))
    sums = (release / "SHA256SUMS").read_text().splitlines()
    kept = [s for s in sums if not s.endswith("manifest.json")]
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    (release / "SHA256SUMS").write_text("\n".join(sorted([*kept, f"{digest}  manifest.json"])) + "\n")


@pytest.mark.parametrize("harm", [change_a_byte, cut_the_last_line, remove_a_file, write_another_schema])
def test_what_is_not_the_release_is_refused_with_the_next_step(space: Path, harm: Callable[[Path], None]) -> None:
    release = space / "exports" / "school-health" / "1.0.0"
    harm(release)
    with pytest.raises(CuratorError) as refused:
        load_suite(release)
    assert refused.value.hint
    assert "\n" not in str(refused.value)


def test_a_yanked_version_is_refused_unless_it_is_asked_for(space: Path) -> None:
    suite = space / "exports" / "school-health"
    entry = {"version": "1.0.0", "at": "2026-06-01", "by": "lead-carla", "reason": "wrong table"}
    (suite / "yanked.jsonl").write_text(json.dumps(entry) + "\n")
    with pytest.raises(CuratorError, match="wrong table"):
        load_suite(suite / "1.0.0")
    loaded = load_suite(suite / "1.0.0", allow_yanked=True)
    assert "wrong table" in loaded.yanked
    assert loaded.sources


@pytest.mark.parametrize(
    ("filters", "told"),
    [
        ({"risk": "hig"}, "low, medium, high, critical"),
        ({"colour": "red"}, "is no filter"),
        ({"partition": "holdout"}, "fetch-holdout"),
    ],
)
def test_a_filter_that_cannot_be_meant_is_said(filters: dict[str, str], told: str) -> None:
    with pytest.raises(CuratorError, match=told):
        load_suite(SAMPLES / "1.0.0", **filters)  # type: ignore[arg-type]


def test_the_holdout_comes_from_where_it_was_fetched_and_is_checked(tmp_path: Path) -> None:
    manifest = json.loads((SAMPLES / "1.0.0" / "manifest.json").read_bytes())
    for entry in manifest["holdout"]:
        (tmp_path / entry["path"]).write_text("{}\n")
    with pytest.raises(CuratorError, match="not the bytes that were released"):
        load_suite(SAMPLES / "1.0.0", holdout=tmp_path)
    with pytest.raises(CuratorError, match="no such file"):
        load_suite(SAMPLES / "1.0.0", holdout=tmp_path / "nowhere")


def test_nothing_heavy_is_loaded() -> None:
    code = (
        f"import sys, curator\nassert 'pydantic' not in sys.modules\n"
        f"suite = curator.load_suite({str(SAMPLES / '1.0.0')!r})\nassert len(suite) == 23\nsuite.sources\n"
        f"import curator.pytest_plugin\n"
        f"heavy = [m for m in {HEAVY!r} if m in sys.modules]\nassert not heavy, heavy\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
