"""`curator export`: words in; a table or JSON out; one line for what goes wrong."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import Cli

SAMPLES = Path(__file__).parents[2] / "exports" / "school-health"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A workspace with the release of the samples; it has no database, and none is needed."""
    folder = tmp_path / "space"
    shutil.copytree(SAMPLES, folder / "exports" / "school-health")
    (folder / "curator.toml").write_text("")
    return folder


def test_a_suite_is_exported_by_name(bare: Cli, workspace: Path) -> None:
    ran = bare("-w", str(workspace), "export", "school-health@1.0.0", "--to", "ragas, vertex")
    assert ran.code == 0, ran.err
    folder = workspace / "exports" / "school-health" / "1.0.0.targets"
    assert ran.out.splitlines() == [
        "TARGET  CASES  LEFT OUT  FOLDER",
        f"ragas   23     0         {folder / 'ragas'}",
        f"vertex  19     4         {folder / 'vertex'}",
        "school-health 1.0.0: 23 cases, 2 targets",
    ]
    assert sorted(p.name for p in folder.iterdir()) == ["ragas", "vertex"]
    assert not (workspace / ".curator").exists()


def test_a_path_needs_no_workspace_and_json_says_all(bare: Cli, workspace: Path) -> None:
    release = workspace / "exports" / "school-health" / "1.0.0"
    (workspace / "curator.toml").unlink()
    ran = bare("export", str(release), "--to", "ir", "--json")
    assert ran.code == 0, ran.err
    said = json.loads(ran.out)
    assert (said["suite"], said["version"], said["cases"]) == ("school-health", "1.0.0", 23)
    (target,) = said["targets"]
    assert {"LOST.md", "qrels.trec", "beir.cited/corpus.jsonl", "beir.cited/qrels/test.tsv"} <= set(target["files"])
    assert not [f for f in target["files"] if f.startswith("beir/")], "a corpus of cited sources has another name"
    assert target["leftOut"] == {"it has no required source": 4}


def test_the_list_describes_the_targets(bare: Cli) -> None:
    ran = bare("export", "--to", "list", "--json")
    assert ran.code == 0
    names = {t["name"] for t in json.loads(ran.out)}
    assert {"ragas", "bedrock", "deepeval", "promptfoo", "inspect_ai", "ir", "hf", "croissant"} <= names
    assert "golden.jsonl" in bare("export", "--to", "list").out


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        ((), 2, "name a suite"),
        (("school-health",), 2, "name a suite"),
        (("school-health", "--to", "excel"), 2, "no target"),
        (("school-health", "--to", "ir", "--long-followups", "cut"), 2, "refuse or split"),
        (("school-health@2.0.0", "--to", "ir"), 3, "no version 2.0.0"),
        (("nothing", "--to", "ir"), 3, "nothing is released"),
        (("No Name", "--to", "ir"), 2, "no NAME"),
        (("./nowhere", "--to", "ir"), 3, "no released version"),
        (("school-health", "--to", "ragas", "--run", "missing.jsonl"), 3, "missing.jsonl: No such file"),
    ],
)
def test_what_goes_wrong_is_one_line(bare: Cli, workspace: Path, words: tuple[str, ...], code: int, told: str) -> None:
    ran = bare("-w", str(workspace), "export", *words)
    assert ran.code == code
    assert ran.out == ""
    (line,) = [said for said in ran.err.splitlines() if said.startswith("curator: ")]
    assert told in line


def test_a_changed_release_is_a_failed_check(bare: Cli, workspace: Path) -> None:
    path = workspace / "exports" / "school-health" / "1.0.0" / "dev.jsonl"
    path.write_bytes(path.read_bytes().replace(b"dose", b"Dose", 1))
    ran = bare("-w", str(workspace), "export", "school-health", "--to", "all")
    assert ran.code == 1
    assert "dev.jsonl: not the bytes that were released" in ran.err
