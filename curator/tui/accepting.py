"""Phrases that a key provision may accept, offered from the text of its source."""

from __future__ import annotations

import re

from curator.domain.document import Source

MOST = 3
_FIGURE = re.compile(
    r"(?:[$€£¥₩]\s?)?\d+(?:[.,\s]\d{3})*(?:[.,]\d+)?\s?(?:%|°C|days?|hours?|weeks?|months?|years?|minutes?|mm|cm|km|m|kg|g"
    r"|kN|million|billion|EUR|USD|일|시간|주|개월|년|원)?(?!\w)"
)


def accept_phrases(source: Source) -> list[str]:
    """Figures of a source with their units: of a row from its cells after the first, of a chunk from its text.

    A row without figures offers its last cell. At most three; the person deletes what does not count.
    """
    at = source.anchor
    text = " ; ".join(at.cells[1:] if len(at.cells) > 1 else at.cells) if source.kind == "row" else at.text
    found = [m.group().strip() for m in _FIGURE.finditer(re.sub(r"\[\^\w+\]", "", text))]
    kept = list(dict.fromkeys(f for f in found if len(f) > 1 or source.kind == "row"))
    if not kept and source.kind == "row":
        kept = [c for c in at.cells[1:] if c.strip()][-1:]
    return kept[:MOST]


def phrases(text: str) -> tuple[str, ...]:
    """Phrases typed in one line, separated by semicolons."""
    return tuple(dict.fromkeys(p for part in text.split(";") if (p := part.strip())))
