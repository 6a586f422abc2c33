"""A small real retriever over the samples: it passes; broken on purpose, each fault is blocked at its stage."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.end_to_end import RULES, SYSTEMS, gated, wrong

SANE = next(iter(SYSTEMS))


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the rules and the run of the sane system."""
    folder = tmp_path_factory.mktemp("retriever")
    (folder / "rules.toml").write_text(RULES, "utf-8")
    code, report = gated(folder, SANE, folder / "rules.toml", None)
    assert wrong(code, report, SYSTEMS[SANE]) == []
    assert report["ids"] == "map"
    return folder


@pytest.mark.parametrize("name", ["torn", "five", "answering", "harness", "two"])
def test_each_fault_is_blocked_for_its_reason_at_its_stage(place: Path, name: str) -> None:
    system = next(s for s in SYSTEMS if s.name == name)
    code, report = gated(place, system, place / "rules.toml", place / SANE.name / "run.jsonl")
    assert wrong(code, report, SYSTEMS[system]) == []
