"""Name and version of the parsing rules, and which of them a reading needs.

A change of the rules that gives another parse of any file raises the number. A file on which none of the changed rules
had a say reads as it did before, and says so: "curator-pdf 3-4" was read by rules 4 and would be the same by rules 3.
So its text, its ids and a release made of it do not change with the number. Documents that were read by lower rules
are offered to be read again.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

NAME, NEWEST, SINCE = "curator-pdf", 4, 3
PARSER = f"{NAME} {NEWEST}"

_said: ContextVar[set[int] | None] = ContextVar("rules", default=None)


@contextmanager
def noted() -> Iterator[set[int]]:
    """Collects the versions of rules that read something otherwise than those before them."""
    versions: set[int] = set()
    token = _said.set(versions)
    try:
        yield versions
    finally:
        _said.reset(token)


def otherwise(version: int = NEWEST) -> None:
    """Notes that a rule of this version read something otherwise than those before."""
    versions = _said.get()
    if versions is not None:
        versions.add(version)


def parser_by(versions: set[int]) -> str:
    """Name of the rules that give a reading on which those of these versions had a say."""
    since = max(versions, default=SINCE)
    return PARSER if since == NEWEST else f"{NAME} {since}-{NEWEST}"
