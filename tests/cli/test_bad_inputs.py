"""Files that were made to do harm, of the kinds that no other test takes: YAML as cases, names of suites.

PDF files stand in `tests/parsing/test_foreign_files.py`, logs in `tests/parsing/logs/test_importers.py`, models in
`tests/matching/test_embedding.py`, queries in `tests/store/test_index.py`; `benchmarks/faults/bad_inputs.py` takes all.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Cli
from tests.services.desk import Desk

BAD = Path(__file__).parents[3] / "shared" / "bad_inputs"
NAMES = BAD / "text" / "suite_names.txt"
NAMED = {"duplicate_keys.yaml": "the key threshold stands twice", "merge_and_unknown_keys.yaml": "gate.min_casse"}
OWN_NAMES = (
    "../escape",
    "/abs",
    "a/b",
    "con",
    "-n",
    "v1\u202e0.1",
    ".hidden",
    "x" * 300,
    "$(id)",
    "a\tb",
    "..",
    "[/x]",
)  # fmt: skip

pytestmark = pytest.mark.skipif(not BAD.exists(), reason="../shared is not here")


@pytest.mark.parametrize("path", sorted((BAD / "yaml").glob("*")) if BAD.exists() else [], ids=lambda p: p.name)
def test_yaml_that_does_harm_is_refused_in_one_line(cli: Cli, desk: Desk, path: Path) -> None:
    ran = cli("case", "import", path)
    assert ran.code in (2, 3)
    told = [line for line in ran.err.splitlines() if line.startswith(("curator:", path.name))]
    assert told
    assert NAMED.get(path.name, "") in told[-1]
    assert "PWNED" not in ran.out + ran.err
    assert cli("case", "list").out == ""


def test_a_name_of_a_suite_never_becomes_a_path(cli: Cli, desk: Desk) -> None:
    desk.approved()
    before = {p for p in desk.root.rglob("*") if ".curator" not in p.parts}
    names = [n for n in NAMES.read_text("utf-8").split("\n") if n] if NAMES.exists() else []
    for name in (*names, *OWN_NAMES):
        for words in (("suite", "release"), ("export",)):
            more = ("--to", "ragas") if words == ("export",) else ("--waive", "x")
            ran = cli(*words, *more, "--", name, by="carla")
            assert ran.code in (2, 3), name
            assert len([line for line in ran.err.splitlines() if line.startswith("curator: ")]) == 1, name
    assert {p for p in desk.root.rglob("*") if ".curator" not in p.parts} == before
    assert not list(desk.root.parent.glob("escape*"))
