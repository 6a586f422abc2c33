"""What was found in a text, and which kinds there are."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import NamedTuple

HARD = frozenset(
    {
        "email", "phone", "credit_card", "iban", "ssn", "kr_rrn", "uk_nino", "national_id", "tax_id", "passport",
        "driver_license", "licence_plate", "medical_record", "ip_address", "credential_url", "api_key", "account",
    }
)  # fmt: skip
"""Validated or labeled identifiers: they block a promotion until they are gone or on the list of the allowed."""

SOFT = frozenset({"person", "address", "date_of_birth"})
"""Found by their context or by a model: replaced too, and ticked one by one when a person meets them again."""

SHOWN = frozenset({"url", "name", "date", "number", "place"})
"""Only shown to the person who confirms a text; a link or a date is mostly what the question is about."""

REPLACED = HARD | SOFT
BLOCKING = HARD

PLACEHOLDER = re.compile(r"\[([A-Z][A-Z_]{1,30})_\d{1,6}\]")
_OURS = frozenset(kind.upper() for kind in REPLACED)


_WORD = re.compile(r"[^\W\d_]+")


def words_of(text: str) -> frozenset[str]:
    """The words of a text in small letters: what must be among them before a pattern is tried."""
    return frozenset(_WORD.findall(text.lower()))


class Finding(NamedTuple):
    """A span of a text, in code points, and its kind."""

    start: int
    end: int
    kind: str


def is_hard(kind: str) -> bool:
    """Whether findings of a kind block."""
    return kind in HARD


def placeholder(kind: str, number: int) -> str:
    """What stands for a value: `[PERSON_1]`."""
    return f"[{kind.upper()}_{number}]"


def placeholders(text: str) -> list[tuple[int, int, str]]:
    """Spans of our placeholders in a text, with their kinds."""
    if "[" not in text:
        return []
    return [(*m.span(), m[1].lower()) for m in PLACEHOLDER.finditer(text) if m[1] in _OURS]


def reduced(text: str) -> str:
    """The text with every placeholder reduced to its kind: the same whoever was numbered first."""
    if "[" not in text:
        return text
    return PLACEHOLDER.sub(lambda m: f"[{m[1]}]" if m[1] in _OURS else m[0], text)


def resolved(found: Iterable[Finding]) -> list[Finding]:
    """Findings that do not overlap, in order: the stronger kind wins, then the longer span, then the first."""
    kept: list[Finding] = []
    order = sorted(
        found, key=lambda f: (f.kind in SHOWN, f.kind not in HARD, f.start - f.end, f.kind == "phone", f.start)
    )
    for one in order:
        place = bisect_left(kept, one)
        before, after = kept[place - 1 : place] if place else [], kept[place : place + 1]
        if one.end > one.start and all(b.end <= one.start for b in before) and all(a.start >= one.end for a in after):
            kept.insert(place, one)
    return kept


def touches(spans: Sequence[tuple[int, int, str]], one: Finding) -> bool:
    """Whether a finding touches one of these spans, which are in order."""
    place = bisect_left(spans, one.end, key=lambda span: span[0])
    return place > 0 and spans[place - 1][1] > one.start
