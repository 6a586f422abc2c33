"""Shared by the loaders: cases of a release, lines of a file, how a result is said. Standard library only."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

Cases = dict[str, dict[str, Any]]


def rows(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSON Lines file."""
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]


def cases(release: Path) -> Cases:
    """The open cases of a release, by id."""
    names = [n for n in ("dev.jsonl", "followup_dev.jsonl") if (release / n).exists()]
    return {line["id"]: line for name in names for line in rows(release / name)}


def rest(case: dict[str, Any], *without: str) -> dict[str, Any]:
    """A case without some keys."""
    return {key: value for key, value in case.items() if key not in without}


def transcript(case: dict[str, Any]) -> str:
    """The question, or all turns as one text."""
    turns = case["turns"]
    return turns[0] if len(turns) == 1 else "\n".join(f"Turn {n}: {t}" for n, t in enumerate(turns, 1))


def same(got: Any, wanted: Any, what: str) -> None:
    """Stop with both values where they differ."""
    assert got == wanted, f"{what}: {str(got)[:300]!r} is not {str(wanted)[:300]!r}"


def run(load: Callable[[Path, Cases], str]) -> None:
    """Call a loader with the folder of the export and the cases of the release: FOLDER RELEASE."""
    folder, release = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    print("OK", load(folder, cases(release)), flush=True)
