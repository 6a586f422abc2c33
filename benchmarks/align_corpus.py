"""A made corpus for `benchmarks.align`: documents, what extraction does to them, three chunkers, and what holds what.

Documents come in families: an edition whose passages are expected, an older one that differs in numbers and words that
decide, and boilerplate that all have. Every passage keeps its place in the text through noise and cutting, so that the
truth follows from places and never from comparing texts.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

ACTORS = [
    "operator",
    "inspector",
    "head teacher",
    "public health office",
    "laboratory",
    "manufacturer",
    "data protection officer",
    "landlord",
    "carrier",
    "ship owner",
    "competent authority",
    "pharmacist",
    "site manager",
    "notary",
    "school nurse",
    "auditor",
    "controller",
    "employer",
    "harbor master",
    "insurer",
    "licensee",
    "appeals board",
    "fire warden",
    "caretaker",
    "registrar",
    "importer",
    "veterinarian",
]
ACTS = [
    "keep the register of",
    "inspect",
    "report",
    "withdraw",
    "replace",
    "approve",
    "publish the list of",
    "store",
    "label",
    "hand over",
    "suspend",
    "calibrate",
    "recall",
    "translate",
    "countersign",
    "archive",
    "measure",
    "notify the owner of",
    "clean",
    "seal",
    "document",
    "renew",
]
THINGS = [
    "accident records",
    "drinking water samples",
    "pressure vessels",
    "vaccination certificates",
    "emission data",
    "fire extinguishers",
    "training certificates",
    "cold chains",
    "loading ramps",
    "tenancy deposits",
    "ballast water logs",
    "hearing protectors",
    "contact lists",
    "refrigerants",
    "elevator ropes",
    "complaint files",
    "waste containers",
    "access rights",
    "blood products",
    "playground surfaces",
    "gas detectors",
    "insulin pens",
    "smoke hatches",
    "consent forms",
    "ventilation filters",
    "scaffold ties",
]
WHEN = [
    "within {n} days of the notice",
    "at least {n} times a year",
    "no later than {n} hours after the event",
    "for {n} years",
    "before {n} weeks have passed",
    "when the value exceeds {n} mg per liter",
    "at temperatures below {n} °C",
    "if more than {n} persons are present",
    "unless {n} percent or more are affected",
    "every {n} months",
]
WHY = [
    "as the annex provides",
    "and informs the persons concerned",
    "without undue delay",
    "unless an exemption was granted",
    "at the expense of the holder",
    "and keeps a copy at the place of use",
    "even where the contract says otherwise",
    "so that the cause can be found",
    "and enters the result in the register",
    "as far as the official guidance allows",
]
MODALS = ("shall", "may", "must", "shall not", "must not", "may not")
BOILERPLATE = (
    "This provision applies without prejudice to further obligations under other laws and regulations of the Union.",
    "The definitions of the general part apply. Further details are published on the website of the ministry.",
    "Records are kept in the language of the place of use and are made available to the inspector on request.",
)
STATES = [
    "Alpha",
    "Bravo",
    "Cedar",
    "Delta",
    "Ember",
    "Falcon",
    "Garnet",
    "Harbor",
    "Indigo",
    "Juniper",
    "Kestrel",
    "Lagoon",
    "Maple",
    "Nectar",
    "Onyx",
    "Pearl",
]


@dataclass
class Block:
    """A paragraph or a table, and the passages within: name -> text of a chunk, or index of a row."""

    kind: str
    lines: list[str]
    title: str = ""
    header: tuple[str, ...] = ()
    rows: list[tuple[str, ...]] = field(default_factory=list)
    heading: str = ""


@dataclass
class Document:
    """Blocks in reading order; `name` as the system calls it."""

    name: str
    title: str
    blocks: list[Block]


class Wanted(NamedTuple):
    """An expected passage: where it stands, and what evidence says of it."""

    id: str
    document: str
    block: int
    row: int
    quote: str
    source: str


class Cut(NamedTuple):
    """A chunk: places of its text in the text of its document."""

    start: int
    end: int
    page: int
    text: str


class Rendered(NamedTuple):
    """A document as extraction gives it: the text, and where blocks, rows, titles, headers and sentences stand."""

    text: str
    spans: dict[tuple[int, Any], tuple[int, int]]
    pages: list[int]
    headings: list[int]


def sentence(rng: random.Random) -> str:
    when = rng.choice(WHEN).format(n=rng.randint(2, 95))
    what = f"{rng.choice(MODALS)} {rng.choice(ACTS)} {rng.choice(THINGS)}"
    return f"The {rng.choice(ACTORS)} {what} {when} {rng.choice(WHY)}."


def paragraph(rng: random.Random) -> Block:
    lines = [sentence(rng) for _ in range(rng.randint(2, 6))]
    if rng.random() < 0.25:
        lines.append(rng.choice(BOILERPLATE))
    return Block("text", lines, heading=f"{rng.choice(THINGS)} and {rng.choice(THINGS)}".capitalize())


def table(rng: random.Random, number: int) -> Block:
    columns = rng.sample(
        ("Period of exclusion", "Report to", "Limit (mg/l)", "Written form", "Responsible", "Interval", "Fee (EUR)"),
        rng.randint(2, 4),
    )
    keys = rng.sample(STATES, rng.randint(5, 14))
    rows = []
    for key in keys:
        after = rng.choice(("onset", "treatment", "the last test"))
        values = {
            "Period of exclusion": f"{rng.randint(2, 30)} days after {after}",
            "Report to": rng.choice(ACTORS).capitalize(),
            "Limit (mg/l)": f"{rng.randint(1, 9)}.{rng.randint(1, 9)}",
            "Written form": rng.choice(("yes", "no", "on request")),
            "Responsible": rng.choice(ACTORS).capitalize(),
            "Interval": f"every {rng.randint(2, 36)} months",
            "Fee (EUR)": f"{rng.randint(1, 99) * 25}",
        }
        rows.append((f"{key} {rng.choice(('A', 'B', 'C'))}", *(values[c] for c in columns)))
    return Block("table", [], f"Table {number}. {rng.choice(THINGS).capitalize()}", ("Class", *columns), rows)


def document(rng: random.Random, name: str, size: int) -> Document:
    blocks: list[Block] = []
    tables = 0
    for _ in range(size):
        if rng.random() < 0.2:
            tables += 1
            blocks.append(table(rng, tables))
        else:
            blocks.append(paragraph(rng))
    return Document(name, f"Ordinance on {rng.choice(THINGS)} {rng.randint(1990, 2026)}", blocks)


def edition(rng: random.Random, known: Document, name: str) -> Document:
    """The same document with other numbers and words that decide; a few passages stay word for word."""
    blocks = []
    for block in known.blocks:
        if block.kind == "table":
            rows = [tuple(_other(rng, c) for c in r) if rng.random() < 0.6 else r for r in block.rows]
            blocks.append(Block("table", [], block.title, block.header, rows))
        else:
            lines = [_other(rng, s) if rng.random() < 0.8 else s for s in block.lines]
            blocks.append(Block("text", lines, heading=block.heading))
    return Document(name, f"{known.title} (earlier)", blocks)


def _other(rng: random.Random, text: str) -> str:
    words = text.split(" ")
    places = [n for n, w in enumerate(words) if w.strip(".,").isdigit()]
    if places and rng.random() < 0.6:
        words[rng.choice(places)] = str(rng.randint(2, 95))
        return " ".join(words)
    for one, other in (
        (" shall not ", " shall "),
        (" may not ", " may "),
        (" must ", " may "),
        (" shall ", " shall not "),
    ):
        if one in text:
            return text.replace(one, other)
    return text


def sibling(rng: random.Random, known: Block, number: int) -> Block:
    """Another table with the same header, and some rows that are the same."""
    rows = [r if rng.random() < 0.5 else (r[0], *(_other(rng, c) for c in r[1:])) for r in known.rows]
    return Block("table", [], f"Table {number}. {rng.choice(THINGS).capitalize()} in transit", known.header, rows)


def noised(rng: random.Random, text: str, level: float) -> str:
    """What extraction does to running text: hyphens at line ends, lost spaces, ligatures, footnote marks."""
    if not level:
        return text
    out = []
    for word in text.split(" "):
        said = word.replace("fi", "ﬁ").replace("fl", "ﬂ") if rng.random() < level * 6 else word
        if len(word) > 7 and word.isalpha() and rng.random() < level * 2:
            cut = rng.randint(3, len(word) - 3)
            said = f"{word[:cut]}-\n{word[cut:]}"
        elif word.isalpha() and len(word) > 3 and rng.random() < level:
            said += rng.choice(("¹", "²", "[1]", "1", "*"))
        out.append(said)
        draw = rng.random()
        out.append("" if draw < level else "\n" if draw < 0.1 else "  " if draw < 0.12 else " ")
    return "".join(out[:-1]).replace("'", "’")


def render(rng: random.Random, made: Document, style: str, level: float, page_size: int = 2400) -> Rendered:
    """The text of a document: running headers between pages, tables as plain lines or Markdown."""
    parts: list[str] = []
    spans: dict[tuple[int, Any], tuple[int, int]] = {}
    at, page, page_start = 0, 1, 0
    pages: list[int] = []
    headings: list[int] = []

    def put(text: str) -> tuple[int, int]:
        nonlocal at
        parts.append(text)
        at += len(text)
        return at - len(text), at

    for number, block in enumerate(made.blocks):
        if at - page_start > page_size:
            page, page_start = page + 1, at
            put(f"{made.title}\nPage {page}\n\n" if style != "page" else "")
        while len(pages) <= number:
            pages.append(page)
        headings.append(at)
        if block.kind == "text":
            put(f"{'## ' if style == 'page' else ''}{block.heading}\n")
            begin = at
            for n, line in enumerate(block.lines):
                spans[number, n] = put(noised(rng, line, level))
                put(" " if n + 1 < len(block.lines) else "")
            spans[number, "all"] = (begin, at)
            put("\n\n")
        else:
            _render_table(rng, number, block, style, spans, put)
    return Rendered("".join(parts), spans, pages, headings)


def _render_table(rng: random.Random, number: int, block: Block, style: str, spans: Any, put: Any) -> None:
    spans[number, "title"] = put(block.title)
    put("\n\n" if style == "page" else "\n")
    if style == "page":
        spans[number, "header"] = put("| " + " | ".join(block.header) + " |")
        put("\n|" + "---|" * len(block.header) + "\n")
    else:
        spans[number, "header"] = put("  ".join(block.header))
        put("\n")
    for n, row in enumerate(block.rows):
        if style == "page":
            spans[number, ("row", n)] = put("| " + " | ".join(row) + " |")
        elif style == "named":
            spans[number, ("row", n)] = put("; ".join(f"{h}: {c}" for h, c in zip(block.header, row, strict=True)))
        else:
            spans[number, ("row", n)] = put("  ".join(row))
        put("\n")
    put("\n")


def fixed(text: str, size: int = 900, overlap: int = 150) -> Iterator[tuple[int, int]]:
    """Windows of one length that overlap, cut anywhere."""
    at = 0
    while at < len(text):
        yield at, min(len(text), at + size)
        if at + size >= len(text):
            return
        at += size - overlap


def recursive(text: str, size: int = 800) -> Iterator[tuple[int, int]]:
    """Cut at paragraphs, else at lines, else at sentences, else at spaces; as large as fits."""
    at = 0
    while at < len(text):
        end = min(len(text), at + size)
        if end < len(text):
            for separator in ("\n\n", "\n", ". ", " "):
                found = text.rfind(separator, at + 1, end)
                if found > at:
                    end = found + len(separator)
                    break
        yield at, end
        at = end


def by_heading(made: Rendered) -> Iterator[tuple[int, int]]:
    """One chunk a heading: a section, or a table with its title."""
    edges = [*made.headings, len(made.text)]
    yield from itertools.pairwise(edges)


def cuts(made: Rendered, chunker: str) -> list[Cut]:
    spans = {"fixed": lambda: fixed(made.text), "recursive": lambda: recursive(made.text)}.get(
        chunker, lambda: by_heading(made)
    )()
    found = []
    for start, end in spans:
        block = max((n for n, at in enumerate(made.headings) if at <= start), default=0)
        if made.text[start:end].strip():
            found.append(Cut(start, end, made.pages[block], made.text[start:end]))
    return found
