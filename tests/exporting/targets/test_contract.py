"""Each format is read back to cases: what is lost is what its LOST.md says, field by field and case by case."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from curator.exporting.targets.lost import FIELDS
from curator.services.targets import Exported, export
from tests.exporting.targets.readers import READERS, fields_of, rows

TARGETS = sorted(READERS)


def open_cases(release: Path) -> dict[str, dict[str, Any]]:
    names = [p for p in ("dev.jsonl", "followup_dev.jsonl") if (release / p).exists()]
    return {line["id"]: line for name in names for line in rows(release / name)}


def really_lost(release: Path, folder: Path, target: str) -> tuple[set[str], set[str]]:
    """Fields that do not come back from every case that is there, and ids of the cases that are not."""
    original = open_cases(release)
    back = {case["id"]: fields_of(case) for case in READERS[target](folder)}
    assert back.keys() <= original.keys()
    wanted = {name: fields_of(original[name]) for name in back}
    lost = {f for f in FIELDS if any(f not in back[n] or back[n][f] != wanted[n][f] for n in back)}
    return lost, original.keys() - back.keys()


def said_lost(folder: Path) -> tuple[dict[str, int], set[str]]:
    """Fields with their number of cases, and ids, that LOST.md names."""
    page = (folder / "LOST.md").read_text("utf-8")
    fields, cases = page.split("## Fields")[1].split("## Cases")
    table = re.findall(r"^\| `([\w.]+)` \| (\d+) \| .+ \|$", fields, re.M)
    return {name: int(n) for name, n in table}, set(re.findall(r"`([a-z-]+-[0-9a-z]{6})`", cases))


def test_every_field_of_the_line_says_something_somewhere(rich: Path) -> None:
    lines = open_cases(rich).values()
    filled = {f for line in lines for f, v in fields_of(line).items() if (any(v) if "." in f else v)}
    assert filled == set(FIELDS)


@pytest.mark.parametrize("target", TARGETS)
def test_what_is_lost_is_what_the_page_says(rich: Path, target: str) -> None:
    export(rich, [target])
    folder = rich.parent / "2.0.0.targets" / target
    lost, gone = really_lost(rich, folder, target)
    fields, ids = said_lost(folder)
    assert fields.keys() == lost
    assert ids == gone


@pytest.mark.parametrize("target", ["ir", "bedrock"])
def test_what_is_lost_depends_on_the_release_and_the_choice(samples: Path, rich: Path, target: str) -> None:
    """Without all sources there is no BEIR; with --long-followups split no talk is too long."""
    for release, folder in ((samples, samples.parent / "1.0.0.targets"), (rich, rich.parent / "2.0.0.targets")):
        export(release, [target], long_followups="split")
        lost, gone = really_lost(release, folder / target, target)
        fields, ids = said_lost(folder / target)
        assert lost <= fields.keys()
        assert ids == gone
        assert fields.keys() == lost or release == samples  # where nothing is at stake, nothing can be seen to be lost


def test_the_number_beside_a_field_is_the_cases_that_say_something(rich: Path) -> None:
    export(rich, ["vertex"])
    fields, _ = said_lost(rich.parent / "2.0.0.targets" / "vertex")
    lines = open_cases(rich).values()
    assert fields["asker"] == sum(bool(line["asker"]) for line in lines) > 0
    assert fields["evidence.footnotes"] == sum(any(e["footnotes"] for e in line["evidence"]) for line in lines) > 0


def test_all_that_is_registered_is_held_to_the_contract(everything: tuple[Path, Exported]) -> None:
    folder, made = everything
    assert [t.name for t in made.targets] == TARGETS
    assert {p.name for p in folder.iterdir()} == set(TARGETS)


def test_nothing_of_the_holdout_is_anywhere(everything: tuple[Path, Exported]) -> None:
    folder, _ = everything
    for path in folder.rglob("*"):
        if path.is_file():
            assert b"HIDDEN" not in path.read_bytes(), path
            assert b"school-health-p5x1he" not in path.read_bytes(), path
