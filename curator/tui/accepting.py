"""Phrases that a key provision may accept, offered from the text of its source."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from curator.domain.document import Source

MOST = 3
OFFERED = 16
LONGEST = 80
_FIGURE = re.compile(
    r"(?:[$€£¥₩]\s?)?\d+(?:[.,\s]\d{3})*(?:[.,]\d+)?\s?(?:%|°C|days?|hours?|weeks?|months?|years?|minutes?|mm|cm|km|m|kg|g"
    r"|kN|million|billion|EUR|USD|일|시간|주|개월|년|원)?(?!\w)"
)
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?"
_DATE = re.compile(
    rf"\d{{4}}-\d{{2}}-\d{{2}}|\d{{1,2}}[./]\d{{1,2}}[./]\d{{2,4}}|\d{{1,2}}\.? {_MONTH} \d{{4}}"
    rf"|{_MONTH} \d{{1,2}}, \d{{4}}|\d{{4}}년\s?\d{{1,2}}월(?:\s?\d{{1,2}}일)?|\d{{4}}年\d{{1,2}}月(?:\d{{1,2}}日)?"
)
# a capital at the beginning of a sentence or a cell says nothing
_NAME = re.compile(
    r"(?<![.!?;|]\s)(?<!^)\b[A-ZÀ-Þ][\w’'-]+(?:(?: of| and| the| for)? [A-ZÀ-Þ][\w’'-]+)*|\b[A-Z]{2,6}\b",
)
_NOTE = re.compile(r"\[\^\w+\]")


@dataclass(frozen=True)
class Candidate:
    """A phrase that is offered: what it is, and whether it is ticked at first."""

    phrase: str
    kind: str
    ticked: bool = False


def accept_phrases(source: Source) -> list[str]:
    """Figures of a source with their units: of a row from its cells after the first, of a chunk from its text.

    A row without figures offers its last cell. At most three; the person deletes what does not count.
    """
    at = source.anchor
    text = " ; ".join(at.cells[1:] if len(at.cells) > 1 else at.cells) if source.kind == "row" else at.text
    kept = [f for f in _figures(text) if len(f) > 1 or source.kind == "row"]
    if not kept and source.kind == "row":
        kept = [c for c in at.cells[1:] if c.strip()][-1:]
    return kept[:MOST]


def _figures(text: str) -> list[str]:
    return list(dict.fromkeys(m.group().strip() for m in _FIGURE.finditer(_NOTE.sub("", text))))


def candidates(source: Source, quote: str = "") -> list[Candidate]:
    """Phrases to tick: figures with units, dates, the key cell of a row, names; those ticked come first.

    Args:
        source: The source.
        quote: What is selected in it: phrases are taken from that alone, and its figures are ticked.
    """
    at = source.anchor
    text = _NOTE.sub("", quote or (" ; ".join(at.cells) if source.kind == "row" and at.cells else at.text))
    ticked = [f for f in _figures(quote) if len(f) > 1][:MOST] if quote else accept_phrases(source)
    found = [Candidate(p, "figure" if any(c.isdigit() for c in p) else "cell", ticked=True) for p in ticked]
    found += [Candidate(m.group(), "date") for m in _DATE.finditer(text)]
    found += [Candidate(f, "figure") for f in _figures(text) if len(f) > 1]
    if source.kind == "row" and at.key_cell:
        found.append(Candidate(at.key_cell, "key of the row"))
    found += [Candidate(m.group(), "name") for m in _NAME.finditer(text)]
    if source.kind == "row":
        found += [Candidate(c.strip(), "cell") for c in at.cells[1:] if c.strip()]
    first: dict[str, Candidate] = {}
    for candidate in found:
        if len(candidate.phrase) <= LONGEST:
            first.setdefault(candidate.phrase.casefold(), candidate)
    return list(first.values())[:OFFERED]


def phrases(text: str) -> tuple[str, ...]:
    """Phrases typed in one line, separated by semicolons."""
    return tuple(dict.fromkeys(p for part in text.split(";") if (p := part.strip())))
