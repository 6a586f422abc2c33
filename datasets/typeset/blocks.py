"""What a sample document is made of, and the plain markup that its text files are written in.

The markup, line by line: `#`, `##`, `###` headings (`# ~` keeps one out of the contents page, `# ~~` is the title on the cover); `!page` a page break; `!contents` the contents page; `!space N`
room of N points; `:: Caption | widths=..` opens a table that `::` closes; everything else is a paragraph, ended by an
empty line. A paragraph may start with a marker (`1.`, `(a)`, `-`), one `>` for each level of indentation before it.
Inside text `^1^` is a superscript and `**word**` is bold.

Inside a table: `| a | b |` is a row, `| ---` ends the header, `| § title` is a section row, `^1 text` a note. A cell `<`
belongs to the cell on its left, `^` to the one above it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

MARKER = re.compile(r"^(\d+(?:\.\d+)*\.|\([a-z0-9]+\)|[-–•]|[①-⑳]|\d+[)])\s+")


@dataclass(frozen=True)
class Heading:
    """A heading: level 1 is the largest, 0 the title on the cover. Not listed: left out of the contents page."""

    level: int
    text: str
    listed: bool = True


@dataclass(frozen=True)
class Para:
    """A paragraph, with the marker that hangs before it ("" = none) and the depth of its indentation."""

    text: str
    marker: str = ""
    depth: int = 0
    size: float = 0
    center: bool = False


@dataclass(frozen=True)
class Table:
    """A ruled table: header and rows as written, widths as shares of the page, align one letter a column (l, c, r)."""

    caption: str
    header: Sequence[Sequence[str]]
    rows: Sequence[Sequence[str]]
    widths: Sequence[float] = ()
    align: str = ""
    notes: Sequence[str] = ()
    size: float = 0


@dataclass(frozen=True)
class PageBreak:
    """The next block starts a page."""


@dataclass(frozen=True)
class Space:
    """Room between two blocks, in points."""

    height: float


@dataclass(frozen=True)
class Contents:
    """The list of headings with their pages: filled when all the pages are known."""

    depth: int = 2


Block = Heading | Para | Table | PageBreak | Space | Contents


@dataclass
class Sample:
    """One document: what is printed around the pages, and its blocks."""

    file: str
    title: str
    header: str
    footer: str = "Page {page} of {pages}"
    family: str = "sans"
    paper: str = "A4"
    size: float = 10
    leading: float = 1.42
    gap: float = 5.5
    language: str = "en-US"
    subject: str = ""
    shaded: bool = True
    blocks: list[Block] = field(default_factory=list)


def read(text: str) -> list[Block]:
    """Turn marked-up text into blocks."""
    blocks: list[Block] = []
    para: list[str] = []
    lines = iter(text.splitlines())

    def flush() -> None:
        if para:
            blocks.append(paragraph(" ".join(para)))
            para.clear()

    for line in lines:
        bare = line.strip()
        if bare.startswith(":: "):
            flush()
            blocks.append(_table(bare, lines))
        elif bare.startswith("#"):
            flush()
            marks, _, title = bare.partition(" ")
            unlisted = title.startswith("~")
            blocks.append(Heading(0 if title.startswith("~~") else len(marks), title.lstrip("~ "), not unlisted))
        elif bare.startswith("!"):
            flush()
            blocks.append(_command(bare))
        elif not bare:
            flush()
        else:
            if para and (bare.startswith(">") or MARKER.match(bare)):
                flush()
            para.append(bare)
    flush()
    return blocks


def paragraph(text: str) -> Para:
    """A paragraph from its marked-up line: depth from `>`, then the marker, then the text."""
    bare = text.lstrip(">")
    depth = len(text) - len(bare)
    bare = bare.strip()
    found = MARKER.match(bare)
    if not found:
        return Para(bare, depth=depth)
    return Para(bare[found.end() :], marker="•" if found[1] == "-" else found[1], depth=depth)


def _command(bare: str) -> Block:
    word, _, rest = bare[1:].partition(" ")
    if word == "page":
        return PageBreak()
    if word == "contents":
        return Contents(int(rest or 2))
    if word == "space":
        return Space(float(rest))
    raise ValueError(f"no such command: {bare}")


def _table(opening: str, lines: Iterable[str]) -> Table:
    caption, *options = [part.strip() for part in opening[3:].split(" | ")]
    settings = dict(option.split("=", 1) for option in options)
    header: list[list[str]] = []
    rows: list[list[str]] = []
    notes: list[str] = []
    into = header
    for line in lines:
        bare = line.strip()
        if bare == "::":
            break
        if bare.startswith("| ---"):
            into = rows
        elif bare.startswith("| §"):
            into.append([bare[2:].strip(" |")])
        elif bare.startswith("|"):
            into.append([cell.strip() for cell in bare[1:].split("|")])
        elif bare.startswith("^"):
            mark, _, note = bare[1:].partition(" ")
            notes.append(f"^{mark}^ {note}")
        elif bare:
            notes.append(bare)
    width = len(header[0])
    for row in [*header, *rows]:
        if len(row) != width and not (len(row) == 1 and row[0].startswith("§")):
            raise ValueError(f"{caption}: a row of {len(row)} cells, the header has {width}: {row}")
    return Table(
        caption,
        header,
        rows,
        tuple(float(w) for w in settings.get("widths", "").split(",") if w),
        settings.get("align", ""),
        notes,
        float(settings.get("size", 0)),
    )
