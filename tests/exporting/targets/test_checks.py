"""The acceptance checks beside the repository, and the loaders of the benchmark, on our export of the samples.

Each needs its evaluator: an environment NAME below the folder that CURATOR_EVALUATORS names (`python -m
benchmarks.evaluators --keep DIR` makes them), or this interpreter where the package is installed.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from benchmarks.evaluators import PACKAGES, RELEASE, surroundings
from curator.services.targets import export
from tests.exporting.targets.readers import READERS

ROOT = Path(__file__).parents[3]
CHECKS = ROOT.parent / "shared" / "evaluators"
LOADERS = ROOT / "benchmarks" / "loaders"


def installed(target: str) -> bool:
    """Whether this interpreter has all that an evaluator is checked with."""
    for package in PACKAGES[target]:
        try:
            metadata.version(re.split(r"[<=>\[]", package)[0])
        except metadata.PackageNotFoundError:
            return False
    return target != "promptfoo" and target not in SHADOWED


SHADOWED = ("hf",)
"""Here `datasets` is the folder of the samples, not the package."""
FOLDER = Path(os.environ.get("CURATOR_EVALUATORS", os.devnull))
PYTHONS = {
    target: python if (python := FOLDER / target / "bin" / "python").exists() else Path(sys.executable)
    for target in sorted(READERS)
    if (FOLDER / target / "bin" / "python").exists() or installed(target)
}
"""The interpreter of each evaluator that is at hand."""
NOBODY = "no evaluator is installed: python -m benchmarks.evaluators --keep DIR, then CURATOR_EVALUATORS=DIR"
at_hand = pytest.mark.parametrize(
    "target", sorted(PYTHONS) or [pytest.param("none", marks=pytest.mark.skip(reason=NOBODY))]
)


def said(target: str, command: list[Path]) -> str:
    """The last line of a script."""
    done = subprocess.run(
        list(map(str, command)), env=surroundings(FOLDER, target), capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-2000:]
    return done.stdout.strip().splitlines()[-1]


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The targets of the samples' release."""
    folder = tmp_path_factory.mktemp("samples") / "school-health" / "1.0.0"
    folder.mkdir(parents=True)
    for path in RELEASE.iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    export(folder, ["all"])
    return folder


@at_hand
def test_the_evaluators_own_loader_takes_it(exported: Path, target: str) -> None:
    place = exported.parent / "1.0.0.targets" / target
    assert said(target, [PYTHONS[target], LOADERS / f"load_{target}.py", place, exported]).startswith("OK ")


@at_hand
def test_the_acceptance_check_passes(exported: Path, target: str) -> None:
    place = exported.parent / "1.0.0.targets" / target
    script = CHECKS / target / "check.py"
    if target == "lm_eval":
        script, place = CHECKS / "canonical_direct" / "check_lm_eval.py", place / "golden.jsonl"
    if not script.is_file():
        pytest.skip(f"{script.relative_to(ROOT.parent)} is not beside the repository")
    assert said(target, [PYTHONS[target], script, place]).startswith("PASS ")


def test_every_target_has_an_environment_and_a_loader() -> None:
    assert sorted(PACKAGES) == sorted(READERS)
    assert {p.stem.removeprefix("load_") for p in LOADERS.glob("load_*.py")} == set(READERS)
