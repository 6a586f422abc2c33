"""What is looked for: the quotes of one source, in the text around them that tells copies apart."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from curator.domain.document import SourceKind
from curator.domain.revision import unnumbered
from curator.matching.aligning.bare import MARK, Mapped, bare, mapped

_LEAF = " > "


@dataclass
class Quote:
    """A quote and its place in the bare form of its passage; roles and cases that cite it."""

    text: str
    start: int
    end: int
    roles: dict[str, None] = field(default_factory=dict)
    cases: dict[str, None] = field(default_factory=dict)


@dataclass
class Passage:
    """A source as it is looked for.

    Attributes:
        forms: The text of a chunk; of a row its cells, plain and behind their headers.
        marks: Places in the bare form of the first where a footnote mark stands, and its label.
        free: For each form the places where a cell or header begins: what stands before is the table's own.
        inner: Where the cells lie in the form with headers.
        names: Bare names under which the system may know the document.
    """

    source_id: str
    kind: SourceKind
    document_id: str
    page: int
    section: tuple[str, ...]
    title: str = ""
    header: tuple[str, ...] = ()
    cells: tuple[str, ...] = ()
    forms: tuple[Mapped, ...] = ()
    free: tuple[frozenset[int], ...] = ()
    marks: Mapping[int, str] = field(default_factory=dict)
    names: frozenset[str] = frozenset()
    quotes: list[Quote] = field(default_factory=list)
    bare_titles: tuple[str, ...] = ()
    leaves: tuple[str, ...] = ()
    bare_cells: tuple[str, ...] = ()
    inner: tuple[tuple[int, int], ...] = ()

    def in_cells(self, start: int, end: int) -> tuple[int, int]:
        """A span of the form with headers, in the form of cells alone: letters of headers count for nothing."""
        before = [sum(max(0, min(place, b) - a) for a, b in self.inner) for place in (start, end)]
        return before[0], before[1]

    @property
    def table(self) -> tuple[str, str, tuple[str, ...]]:
        """What its table is known by."""
        return self.document_id, self.title, self.header


def passages_of(cases: Iterable[Mapping[str, Any]], sources: Mapping[str, Mapping[str, Any]]) -> list[Passage]:
    """The passages that cases cite, each once, with their quotes.

    Args:
        cases: Canonical lines.
        sources: Lines of sources.jsonl by id; a quote that its source does not hold is a passage by itself.
    """
    found: dict[tuple[str, str], Passage] = {}
    for case in cases:
        titles = {d["documentId"]: d["title"] for d in case["documents"]}
        for entry in case["evidence"]:
            text = _around(entry, sources.get(entry["sourceId"]))
            key = (entry["sourceId"], text)
            if key not in found:
                found[key] = _passage(entry, text, titles.get(entry["documentId"], ""))
            _cite(found[key], entry, case["id"])
    return list(found.values())


def _around(entry: Mapping[str, Any], source: Mapping[str, Any] | None) -> str:
    if entry["tableCells"]:
        return str(entry["quote"])
    text = source["text"] if source else ""
    return text if entry["quote"] in text else str(entry["quote"])


def _passage(entry: Mapping[str, Any], text: str, title: str) -> Passage:
    cells = tuple(entry["tableCells"])
    names = {entry["documentId"], title, f"{entry['documentId']}{entry['documentVersion']}"}
    made = Passage(
        source_id=entry["sourceId"],
        kind="row" if cells else "chunk",
        document_id=entry["documentId"],
        page=entry["page"],
        section=tuple(entry["sectionPath"]),
        title=entry["tableTitle"],
        header=tuple(entry["tableHeader"]),
        cells=cells,
        marks=marks_of(text),
        names=frozenset(b for n in names if (b := bare(n))),
    )
    if cells:
        _as_row(made)
    else:
        made.forms, made.free = (mapped(text),), (frozenset(),)
    return made


def _as_row(made: Passage) -> None:
    """The two forms of a row, and what its table must show."""
    pairs = [(h, c) for h, c in itertools.zip_longest(made.header, made.cells, fillvalue="") if bare(c)]
    plain, named = [c for _, c in pairs], [part for h, c in pairs for part in (leaf(h), c) if bare(part)]
    forms = [(mapped(" | ".join(parts)), _starts(parts)) for parts in (plain, named) if parts]
    made.forms = tuple(f for f, _ in forms[: 1 if plain == named else 2])
    made.free = tuple(s for _, s in forms[: len(made.forms)])
    made.inner = tuple(_cells_in(pairs))
    made.bare_cells = tuple(bare(c) for c in plain)
    made.leaves = tuple(dict.fromkeys(b for h, _ in pairs if (b := bare(leaf(h)))))
    made.bare_titles = tuple(dict.fromkeys(b for t in (made.title, unnumbered(made.title)) if (b := bare(t))))


def _cells_in(pairs: Iterable[tuple[str, str]]) -> Iterator[tuple[int, int]]:
    at = 0
    for head, cell in pairs:
        at += len(bare(leaf(head)))
        yield at, at + len(bare(cell))
        at += len(bare(cell))


def leaf(header: str) -> str:
    """The lowest part of a header path: "Period > Exclusion" gives "Exclusion"."""
    return header.rsplit(_LEAF, 1)[-1]


def _starts(parts: Iterable[str]) -> frozenset[int]:
    lengths = [len(bare(p)) for p in parts]
    return frozenset(itertools.accumulate(lengths, initial=0))


def marks_of(text: str) -> dict[int, str]:
    """Where footnote marks stand in the bare form of a text, and their labels."""
    return dict(_marks(text)) if "[^" in text else {}


def _marks(text: str) -> Iterator[tuple[int, str]]:
    for match in MARK.finditer(text):
        yield len(bare(text[: match.start()])), bare(match[0])


def _cite(passage: Passage, entry: Mapping[str, Any], case_id: str) -> None:
    quote = next((q for q in passage.quotes if q.text == entry["quote"]), None)
    if quote is None:
        start, end = 0, len(passage.forms[0].bare) if passage.forms else 0
        if passage.kind == "chunk":
            whole, wanted = passage.forms[0].bare, bare(entry["quote"])
            start = max(0, whole.find(wanted))
            end = start + len(wanted)
        quote = Quote(entry["quote"], start, end)
        passage.quotes.append(quote)
    quote.roles[entry["role"]] = None
    quote.cases[case_id] = None
