"""LOST.md: what a format cannot carry, field by field, and which cases are left out and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from curator.exporting.caseline import CASE_KEYS, NESTED
from curator.exporting.markdown import code, plain, table
from curator.exporting.targets.protocol import Choices, Outcome, Release, Target

FIELDS: tuple[str, ...] = tuple(
    field for key in CASE_KEYS for field in ([f"{key}.{inner}" for inner in NESTED[key]] if key in NESTED else [key])
)
"""Every field of the case line in its order; a field of a list of objects as "evidence.page"."""
EVERY_FIELD = frozenset(FIELDS)
MOST_IDS = 20
"""Ids that are named for a reason; of more the number is said."""
NO_PLACE = "no place for it"


class Presence:
    """Counts, over the cases of a release, how many say something in each field."""

    def __init__(self) -> None:
        self.cases = 0
        self.filled: dict[str, int] = dict.fromkeys(FIELDS, 0)

    def add(self, case: Mapping[str, Any]) -> None:
        """Count one case: "" and [] and 0 and false say nothing."""
        self.cases += 1
        for key in CASE_KEYS:
            value = case[key]
            if not value:
                continue
            if key not in NESTED:
                self.filled[key] += 1
                continue
            for inner in NESTED[key]:
                if any(entry[inner] for entry in value):
                    self.filled[f"{key}.{inner}"] += 1


def lost_fields(target: Target, outcome: Outcome) -> tuple[tuple[str, str], ...]:
    """The fields that do not come back from every case of an export, in the order of the line, each with how."""
    carried = target.carries | outcome.carries
    return tuple((f, target.partly.get(f, NO_PLACE)) for f in FIELDS if f not in carried)


def lost_page(target: Target, release: Release, choices: Choices, presence: Presence, outcome: Outcome) -> bytes:
    """The page of one export."""
    parts = (
        _title(target, release, presence, outcome),
        _fields(target, presence, outcome),
        _cases(outcome),
        _notes(release, choices, outcome),
    )
    return ("\n".join("\n".join(part) + "\n" for part in parts)).encode()


def _title(target: Target, release: Release, presence: Presence, outcome: Outcome) -> Iterator[str]:
    yield f"# {release.suite} {release.version} for {plain(target.evaluator)}: what is lost"
    yield ""
    yield (
        "Made from the open partitions. The canonical files of the release hold everything; this folder may be deleted "
        f"and made again. Tested with: {plain(target.tested)}."
    )
    yield ""
    left = sum(len(ids) for ids in outcome.left_out.values())
    yield from table(
        ("Cases", "Number"),
        [("in the open partitions", presence.cases), ("written", outcome.written), ("left out", left)],
    )


def _fields(target: Target, presence: Presence, outcome: Outcome) -> Iterator[str]:
    yield from ("## Fields", "")
    lost = lost_fields(target, outcome)
    if not lost:
        yield "None: every field of every case that is written comes back from these files."
        return
    yield (
        "These fields of the case line do not come back from every case. The number says how many cases of this "
        "release say something there."
    )
    yield ""
    yield from table(
        ("Field", "Cases", "How it is lost"), [(code(name), presence.filled[name], plain(how)) for name, how in lost]
    )


def _cases(outcome: Outcome) -> Iterator[str]:
    yield from ("## Cases", "")
    if not outcome.left_out and not outcome.missing_from:
        yield "None is left out."
        return
    if outcome.left_out:
        rows = [(plain(reason), len(ids), _named(ids)) for reason, ids in sorted(outcome.left_out.items())]
        yield from table(("Left out everywhere, because", "Cases", "Which"), rows)
    if outcome.missing_from:
        missing = [
            (code(file), plain(reason), number)
            for file, reasons in sorted(outcome.missing_from.items())
            for reason, number in sorted(reasons.items())
        ]
        yield from ([""] if outcome.left_out else [])
        yield from table(("File", "Cases that it lacks, because", "Cases"), missing)


def _named(ids: list[str]) -> str:
    more = f" and {len(ids) - MOST_IDS} more" if len(ids) > MOST_IDS else ""
    return ", ".join(code(i) for i in ids[:MOST_IDS]) + more


def _notes(release: Release, choices: Choices, outcome: Outcome) -> Iterator[str]:
    yield from ("## Notes", "")
    counts = release.manifest["counts"]["partition"]
    hidden = counts["holdout"] + counts["followup_holdout"]
    yield f"- {hidden} cases of the holdout are not here: no target is made of them."
    if choices.answers is not None:
        yield f"- The answers are those of {plain(choices.answers.system)}."
    for note in outcome.notes:
        yield f"- {plain(note)}"
