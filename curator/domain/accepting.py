"""Phrases that a key provision may accept, offered from the text of its source."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from curator.domain.document import Source
from curator.domain.references import references
from curator.domain.units import MONEY, NONE, unit_at
from curator.domain.values import Value, values

MOST = 3
OFFERED = 16
LONGEST = 80
_NOTE = re.compile(r"\[\^\w+\]")
_NOTE_NUMBER = re.compile(r"(?<=[^\W\d_][.,;!?”’»])\d{1,3}(?=\s|$)|(?<=[”’»])\d{1,3}(?=\s|$)")
_NUMBERED = re.compile(r"^\s*(?:\(?\d{1,4}[.)]|\d{1,3}(?:\.\d{1,3})+\.?)(?=\s)", re.MULTILINE)
_DEEP = re.compile(r"(?<![\w.])(?!\d{1,2}\.\d{1,2}\.\d{2,4}\b)(?!\d{1,3}(?:\.\d{3})+\b)\d+(?:\.\d+){2,}(?!\w)")
_PLACE = re.compile(
    r"\b(?:(?:sub)?paragraphs?|paras?|points?|footnotes?|absatz|abs|nummer|nr|alinéa|párrafo|apartado|comma|lid)\b"
    r"\.?\s?\d{1,4}(?:\s?\([0-9a-z]{1,3}\))*", re.IGNORECASE,
)  # fmt: skip
_GROUPED = re.compile(r"\d[.,' \u00a0]\d{3}(?!\d)")
_PURE = re.compile(r"[-+]?\d[\d.,' \u00a0]*")
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?"
_DATE = re.compile(
    rf"\d{{4}}-\d{{2}}-\d{{2}}|\d{{1,2}}[./]\d{{1,2}}[./]\d{{2,4}}|\d{{1,2}}\.? {_MONTH} \d{{4}}"
    rf"|{_MONTH} \d{{1,2}}, \d{{4}}|\d{{4}}년\s?\d{{1,2}}월(?:\s?\d{{1,2}}일)?|\d{{4}}年\d{{1,2}}月(?:\d{{1,2}}日)?"
)
_NAME = re.compile(
    r"\b[A-ZÀ-Þ][\w’'-]+(?:(?: of| and| the| for)? [A-ZÀ-Þ][\w’'-]+)*|\b[A-Z]{2,6}\b",
)
# such a number tells things apart, it says nothing of them
_NAMES_ONLY = re.compile(
    r"\b(?:zip|postal|post ?code|phone|tel|fax|id|isbn|reference)\b|\b(?:no|nr|ref)\.|№|번호|编号|番号", re.IGNORECASE
)
_ARTICLE = re.compile(r"^(?:The|A|An|Each|Every|This|These|Those|All|No|Der|Die|Das|Le|La|Les) (?=[A-ZÀ-Þ])")


@dataclass(frozen=True)
class Candidate:
    """A phrase that is offered: what it is, and whether it is ticked at first."""

    phrase: str
    kind: str
    ticked: bool = False


def accept_phrases(source: Source) -> list[str]:
    """Values of a source: of a row from its cells after the first, of a chunk from its text.

    A row without values gives its last cell. At most three; the person takes away what does not count.
    """
    at = source.anchor
    if source.kind != "row":
        return [c.phrase for c in _figures(at.text, at.section_path) if c.ticked][:MOST]
    cells = at.cells[1:] if len(at.cells) > 1 else at.cells
    heads = at.table_header[-len(cells) :] if len(at.table_header) == len(at.cells) else ("",) * len(cells)
    kept: list[str] = []
    for head, cell in zip(heads, cells, strict=True):
        if _NAMES_ONLY.search(head):
            continue
        alone = _is_number(cell)
        kept += [_NOTE.sub("", cell).strip()] if alone else [f.phrase for f in _figures(cell) if f.ticked]
    if not kept:
        kept = [c for c in at.cells[1:] if _says(c)][-1:]
    return list(dict.fromkeys(kept))[:MOST]


def _says(cell: str) -> bool:
    """Whether a cell says anything: a dash, which stands in nearly every answer, would accept them all."""
    return any(ch.isalnum() for ch in cell)


def _is_number(cell: str) -> bool:
    """Whether a cell is a number and nothing else: the header says of what."""
    return _PURE.fullmatch(_NOTE.sub("", cell).strip()) is not None


def _blanked(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _numbered(match: re.Match[str]) -> str:
    """The number of a paragraph or a section is blanked; a value at the beginning, "1.5 days", is not."""
    return match[0] if unit_at(match.string, match.end())[0] != NONE else _blanked(match)


def _said(text: str) -> str:
    """The text with the numbers that order it blanked (footnote marks, paragraphs, sections); same length."""
    for pattern in (_NOTE, _NOTE_NUMBER, _DEEP):
        text = pattern.sub(_blanked, text)
    return _NUMBERED.sub(_numbered, text)


def _places(text: str) -> list[tuple[int, int]]:
    """Where a text cites a place by its number: "Article 20(1)", "paragraph 3"."""
    found = [(r.start, r.end) for r in references(text)]
    found += [m.span() for m in _PLACE.finditer(text) if not any(a <= m.start() < b for a, b in found)]
    return sorted(found)


def _without(text: str, spans: list[tuple[int, int]]) -> str:
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def _figures(text: str, section_path: tuple[str, ...] = ()) -> list[Candidate]:
    """Values with units and days, ticked; bare numbers of two digits or more, not ticked."""
    text = _said(text)
    text = _without(text, _places(text))
    heads = {title.split()[0].strip(".()") for title in section_path if title.split()}
    found = []
    for value in values(text):
        kind = _kind(value)
        if "×" in value.said or (not kind and (len(value.said) < 2 or value.said.strip("()") in heads)):
            continue
        found.append(Candidate(value.said, kind or "number", ticked=bool(kind)))
    return found


def _kind(value: Value) -> str:
    """What is counted; "" = a bare number, which may be anything."""
    if value.days:
        return "date" if not value.said.isdecimal() else ""
    if _PURE.fullmatch(value.said):
        return "amount" if _GROUPED.search(value.said) else ""
    if value.unit in MONEY:
        return "money"
    return {"%": "percentage", "s": "duration", "month": "duration", "clock": "time", "": ""}.get(value.unit, "amount")


def candidates(source: Source, quote: str = "") -> list[Candidate]:
    """Phrases to tick: values, dates, the key cell of a row, cited places, names; those ticked come first.

    Args:
        source: The source.
        quote: What is selected in it: phrases are taken from that alone, and its values are ticked.
    """
    at = source.anchor
    text = quote or (" ; ".join(at.cells) if source.kind == "row" and at.cells else at.text)
    figures = [f for t in ([quote] if quote or source.kind != "row" else at.cells) for f in _figures(t or text,
               at.section_path)]  # fmt: skip
    kinds = {f.phrase: f.kind for f in figures}
    ticked = [f.phrase for f in figures if f.ticked][:MOST] if quote else accept_phrases(source)
    found = [Candidate(p, kinds.get(p, "number" if _is_number(p) else "cell"), ticked=True) for p in ticked]
    found += [Candidate(f.phrase, f.kind) for f in figures if f.ticked]
    found += [Candidate(m.group(), "date") for m in _DATE.finditer(text)]
    if source.kind == "row" and at.key_cell:
        found.append(Candidate(at.key_cell, "key of the row"))
    found += _cited(text)
    found += [Candidate(f.phrase, f.kind) for f in figures if not f.ticked]
    if source.kind == "row":
        found += [Candidate(c.strip(), "cell") for c in at.cells[1:] if _says(c)]
    first: dict[str, Candidate] = {}
    for candidate in found:
        if len(candidate.phrase) <= LONGEST:
            first.setdefault(candidate.phrase.casefold(), candidate)
    return list(first.values())[:OFFERED]


def _cited(text: str) -> Iterator[Candidate]:
    """Places that are cited, whole; names."""
    said = _said(text)
    places = _places(said)
    yield from (Candidate(" ".join(said[a:b].split()), "citation") for a, b in places)
    dated = [m.span() for m in _DATE.finditer(said)]
    rest = _without(said, places + dated)
    yield from (Candidate(_ARTICLE.sub("", m.group()), "name") for m in _NAME.finditer(rest) if not _begins(rest, m))


def _begins(text: str, name: re.Match[str]) -> bool:
    """Whether it is one word at the beginning of a sentence or a cell: there a capital says nothing."""
    before = text[: name.start()].rpartition("\n")[2].rstrip()
    begins = not before or before.strip().isdecimal() or before[-1] in ".!?;|:•–"
    return begins and " " not in name.group() and not name.group().isupper()


def phrases(text: str) -> tuple[str, ...]:
    """Phrases typed in one line, separated by semicolons."""
    return tuple(dict.fromkeys(p for part in text.split(";") if (p := part.strip())))
