"""What `curator lint` need not look at again: a disposable file that holds ids and versions, no text of any case.

A case without a problem stays without one while it, the documents, the rules and the day are the same; two cases that
are no near-duplicates stay none. Whatever is wrong with the file, everything is checked anew.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

FILE = "lint.json"
VERSION = 2
"""Rises with every change of what the checks find."""


@dataclass
class Memory:
    """What is known from the last run.

    Attributes:
        state: Rules, settings, documents and day: all else counts only while it is the same.
        clean: Cases without a problem, as "id version".
        compared: All cases among which near-duplicates were looked for, as "id hash of the turns".
        alike: The pairs found among them, with their likeness.
    """

    state: str = ""
    clean: set[str] = field(default_factory=set)
    compared: set[str] = field(default_factory=set)
    alike: list[tuple[str, str, float]] = field(default_factory=list)


def recall(folder: Path) -> Memory:
    """What the last run left; nothing when there is none or it cannot be read."""
    try:
        data = json.loads((folder / FILE).read_text("utf-8"))
        if data["version"] != VERSION:
            return Memory()
        alike = [(str(a), str(b), float(r)) for a, b, r in data["alike"]]
        return Memory(str(data["state"]), _words(data["clean"]), _words(data["compared"]), alike)
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return Memory()


def _words(values: Iterable[object]) -> set[str]:
    return {str(v) for v in values}


def remember(folder: Path, memory: Memory) -> None:
    """Keep it for the next run; a folder that cannot be written to only makes that one slower."""
    data = {
        "version": VERSION,
        "state": memory.state,
        "clean": sorted(memory.clean),
        "compared": sorted(memory.compared),
        "alike": memory.alike,
    }
    with contextlib.suppress(OSError):
        handle, name = tempfile.mkstemp(prefix=".lint-", dir=folder)
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as stream:
                json.dump(data, stream, separators=(",", ":"))
            Path(name).replace(folder / FILE)
        except OSError:
            Path(name).unlink(missing_ok=True)
