"""Labels that look like others: a second spelling of a domain or a tag splits a stratum, and nobody sees why."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache

_RIGHT_TO_LEFT = "\u202e"


@lru_cache(4096)
def looks(label: str) -> str:
    """What a label looks like: the same for two that a reader would take for one.

    Compatibility forms, case, white space and characters that are not seen are put aside (Unicode TR15), a letter of
    another script that looks like a Latin one becomes it (Unicode TR39), and what is turned around is turned back.
    """
    shown = unicodedata.normalize("NFKC", label)
    if _RIGHT_TO_LEFT in shown:
        head, _, turned = shown.partition(_RIGHT_TO_LEFT)
        shown = head + turned[::-1]
    seen = "".join(c for c in shown if unicodedata.category(c) not in ("Cf", "Cc") and not "\u0300" <= c <= "\u036f")
    if not seen.isascii():
        seen = "".join(_latin(c) for c in seen)
    return " ".join(seen.casefold().replace("_", " ").replace("-", " ").split())


def _latin(character: str) -> str:
    if character.isascii():
        return character
    from confusable_homoglyphs.confusables import confusables_data  # 900 kB of a table, for the few that need it

    found = (entry["c"] for entry in confusables_data.get(character, ()))
    return next((c for c in found if c.isascii() and c.isalnum()), character)


def alike(counts: Mapping[str, int]) -> dict[str, str]:
    """Each label that looks like a commoner one -> that one.

    Args:
        counts: Labels in use and how often each is; of equally common ones the first by code point stands.
    """
    groups: dict[str, list[str]] = defaultdict(list)
    for label in counts:
        groups[looks(label)].append(label)
    found: dict[str, str] = {}
    for labels in groups.values():
        first, *others = sorted(labels, key=lambda label: (-counts[label], label.isascii() is False, label))
        found |= dict.fromkeys(others, first)
    return found
