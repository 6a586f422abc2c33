"""Revisions: whether sources are found again, and whether what changed is ever taken for the same.

    python -m benchmarks.revisions [--seed 1] [--sources 500] [PDF ...]

Amended copies of real documents are made by our own generator: the samples, and public ones that lie in
`../shared/corpus`; one that is not there is left out with a word. Of each document one source in five is touched, in
one way: a number, unit, negation or modal in the text or a cell; a header or footnote of its table; its section
renumbered; words put in; white space or hyphens; moved to another place; deleted; a twin put beside it. New paragraphs
are put in at random. Printed by kind: how many, and their verdicts. Then the figures:

- meaning: changed numbers, units, negations, modals, headers and footnotes with the verdict SAME (wanted: 0);
- untouched: share of the untouched sources, that stand once, with the verdict SAME at the right place (wanted: .95);
- wrong place: SAME (wanted: 0), and proposals by verdict, which a person sees before they count;
- CPU: milliseconds a source, best of three.

Last, the same file read by other rules: (a) with the windows of search cut otherwise, (b) the text of pypdf, (c) tables
snapped otherwise: share of so many random sources whose id is on a text at least 95 alike.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import tempfile
import time
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rapidfuzz import fuzz

from curator.domain.anchoring import anchors
from curator.domain.document import Anchor, Chunk, ParsedDocument, Row, Table
from curator.domain.revision import settled, unnumbered
from curator.matching.reanchoring import reanchored
from curator.parsing import parse_pdf

ROOT = Path(__file__).parents[1]
CORPUS = ROOT.parent / "shared" / "corpus"
SAMPLES = ("emission-regulation.pdf", "school-health-guideline.pdf", "annual-filing.pdf", "korean-health-guideline.pdf")
PUBLIC = (
    "gdpr.pdf", "un-r016.pdf", "un-r039.pdf", "un-r107.pdf", "dmca.pdf", "sample_contract.pdf", "medicine.pdf",
    "korean-tables.pdf", "health-stream.pdf", "schools.pdf", "warn-report.pdf", "icdar-eu-001.pdf",
)  # fmt: skip
MEANING = ("number", "unit", "negation", "modal", "header", "footnote")
KINDS = (*MEANING, "renumber", "words", "form", "move", "delete", "twin")
REPEATS = 3
_NEW = ("The Agency publishes a notice on its site before the {} campaign begins.",
        "Paragraph {} of the guidance is reviewed by the board of the institute.",
        "Operators named in list {} keep a register of visitors at the gate.")  # fmt: skip

Change = Callable[[str, random.Random], str]


def _one(pattern: str, swap: Callable[[re.Match[str]], str], flags: int = re.IGNORECASE) -> Change:
    """A change of one random match of a pattern; the text itself when there is none."""

    def changed(text: str, draw: random.Random) -> str:
        found = list(re.finditer(pattern, text, flags))
        if not found:
            return text
        match = draw.choice(found)
        return text[: match.start()] + swap(match) + text[match.end() :]

    return changed


_UNITS = {
    "mm": "cm", "cm": "mm", "kg": "g", "km": "m", "days": "weeks", "day": "week", "months": "years", "years": "months",
    "hours": "minutes", "minutes": "hours", "%": "‰", "일": "주", "개월": "년", "시간": "분", "euro": "dollars",
    "m": "km",
    "working": "calendar", "million": "billion", "g": "mg", "mg": "µg", "V": "kV",
}  # fmt: skip
_NEGATED = {
    " shall ": " shall not ", " may ": " may not ", " is ": " is not ", " are ": " are not ", " must ": " must not ",
    " not ": " ", " without ": " with ", " no ": " a ", "있다": "없다", "한다": "하지 않는다",
    "하여야": "하지 않아야",
    " should ": " should not ",
}  # fmt: skip
_MODALS = {
    "shall": "may", "must": "should", "may": "shall", "should": "must", "하여야 한다": "할 수 있다",
    "수 있다": "수 없다",
    "can": "must", "will": "may",
}  # fmt: skip


def _swapped(table: dict[str, str], before: str = "", after: str = "") -> Change:
    names = "|".join(re.escape(k) for k in sorted(table, key=len, reverse=True))
    return _one(f"{before}({names}){after}", lambda m: m[0].replace(m[1], table[m[1]]), 0)


TEXT_CHANGES: dict[str, Change] = {
    "number": _one(r"\d+", lambda m: str(int(m[0]) + 1).zfill(len(m[0]))),
    "unit": _swapped(_UNITS, r"(?<=\d)\s?", r"(?![^\W\d_])"),
    "negation": _swapped(_NEGATED),
    "modal": _swapped(_MODALS, r"(?<![^\W\d_])", r"(?![^\W\d_])"),
    "words": _one(r"(?<=[^\W\d_]) (?=[^\W\d_])", lambda m: " relevant "),
    "form": _one(r"(?<=[a-z]{3})(?=[a-z]{3})", lambda m: "- "),
}


@dataclass
class Amended:
    """An amended copy: its anchors; and of the old ones how each was touched and where it stands, by id.

    Attributes:
        kinds: id -> kind; what is not there was not touched.
        places: id -> id of the new anchor; none for what was deleted.
    """

    anchors: tuple[Anchor, ...] = ()
    kinds: dict[str, str] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)


def amended(parsed: ParsedDocument, draw: random.Random) -> Amended:
    """A copy with one source in five touched."""
    made = Amended()
    chunks = _amend_chunks(parsed, made, draw)
    tables = _amend_tables(parsed, made, draw)
    copy = parsed.model_copy(update={"chunks": tuple(chunks), "tables": tuple(tables)})
    made.anchors = anchors(copy)
    return made


def _amend_chunks(parsed: ParsedDocument, made: Amended, draw: random.Random) -> list[Chunk]:
    done: list[Chunk] = []
    moved: list[Chunk] = []
    for n, chunk in enumerate(parsed.chunks):
        new_id = f"new:c{n}"
        fresh = chunk.model_copy(update={"id": new_id, "box": None})
        kind = draw.choice(KINDS) if draw.random() < 0.2 else ""
        made.places[chunk.id] = new_id
        if kind in TEXT_CHANGES:
            text = TEXT_CHANGES[kind](chunk.text, draw)
            kind = kind if settled(text) != settled(chunk.text) else ""
            kind = "renumber" if kind and unnumbered(text) == unnumbered(chunk.text) else kind
            fresh = fresh.model_copy(update={"text": text})
        elif kind == "renumber" and re.match(r"\d+(?:\.\d+)+\.?\s|Article \d+", chunk.text):
            text = re.sub(r"\d+(?=\.?\s)", lambda m: str(int(m[0]) + 1), chunk.text, count=1)
            path = (
                *chunk.section_path[:-1],
                re.sub(r"\d+", "77", chunk.section_path[-1] if chunk.section_path else ""),
            )
            fresh = fresh.model_copy(update={"text": text, "section_path": path})
        elif kind == "delete":
            made.kinds[chunk.id] = kind
            del made.places[chunk.id]
            continue
        elif kind == "move":
            made.kinds[chunk.id] = kind
            moved.append(fresh)
            continue
        elif kind == "twin":
            done.append(fresh.model_copy(update={"id": f"new:t{n}"}))
        else:
            kind = ""
        if kind:
            made.kinds[chunk.id] = kind
        done.append(fresh)
        if draw.random() < 0.05:
            text = draw.choice(_NEW).format(draw.randrange(10**6))
            done.append(fresh.model_copy(update={"id": f"new:i{n}", "text": text}))
    for chunk in moved:
        done.insert(draw.randrange(len(done) + 1), chunk)
    return [c.model_copy(update={"page": n + 1, "page_end": n + 1}) for n, c in enumerate(done)]


def _amend_tables(parsed: ParsedDocument, made: Amended, draw: random.Random) -> list[Table]:
    done = []
    for n, table in enumerate(parsed.tables):
        header, footnotes, whole = table.header, table.footnotes, ""
        if draw.random() < 0.1 and any(header):
            place = draw.choice([i for i, h in enumerate(header) if h])
            header = (*header[:place], f"{header[place]} (other)", *header[place + 1 :])
            whole = "header"
        elif draw.random() < 0.2 and footnotes:
            footnotes = (*footnotes[:-1], footnotes[-1] + " Except on Sundays.")
            whole = "footnote"
        rows = []
        for m, row in enumerate(table.rows):
            rows += _amend_row(row, f"new.t{n}:r{m}", whole, made, draw)
        if draw.random() < 0.2 and rows:
            rows.insert(draw.randrange(len(rows)), rows[0].model_copy(
                update={"id": f"new.t{n}:x", "cells": tuple(f"Added {c}" for c in rows[0].cells)}))  # fmt: skip
        title, header = table.title, tuple(header)
        texts = [r.model_copy(update={"text": _row_text(title, header, r)}) for r in rows]
        update = {"id": f"new.t{n}", "rows": tuple(texts), "header": header, "footnotes": footnotes}
        done.append(table.model_copy(update=update))
    return done


def _amend_row(row: Row, new_id: str, whole: str, made: Amended, draw: random.Random) -> list[Row]:
    fresh = row.model_copy(update={"id": new_id, "box": None})
    kind = draw.choice(("number", "unit", "negation", "words", "delete")) if draw.random() < 0.1 else ""
    if kind == "delete":
        made.kinds[row.id] = kind
        return []
    if kind:
        filled = [i for i, c in enumerate(row.cells) if TEXT_CHANGES[kind](c, random.Random(1)) != c]
        if filled:
            place = draw.choice(filled)
            changed = TEXT_CHANGES[kind](row.cells[place], draw)
            fresh = fresh.model_copy(update={"cells": (*row.cells[:place], changed, *row.cells[place + 1 :])})
        else:
            kind = ""
    made.places[row.id] = new_id
    if whole or kind:
        made.kinds[row.id] = kind if kind in MEANING else whole or kind
    return [fresh]


def _row_text(title: str, header: Sequence[str], row: Row) -> str:
    pairs = "; ".join(f"{h}: {c}" for h, c in zip(header, row.cells, strict=False) if c)
    return "\n".join(p for p in (title, row.section, pairs) if p)


@dataclass
class Score:
    """What was counted over all documents."""

    verdicts: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    same_meaning: list[str] = field(default_factory=list)
    same_wrong: int = 0
    proposed: int = 0
    wrong: Counter[str] = field(default_factory=Counter)
    unique: int = 0
    unique_same: int = 0
    sources: int = 0
    seconds: float = 0.0


def score(parsed: ParsedDocument, draw: random.Random, into: Score) -> None:
    """Amend a document and count the verdicts."""
    old, made = anchors(parsed), amended(parsed, draw)
    times = []
    for _ in range(REPEATS):
        begun = time.process_time()
        found = reanchored(old, made.anchors)
        times.append(time.process_time() - begun)
    into.seconds += min(times)
    into.sources += len(old)
    texts = {a.source_id: a for a in (*old, *made.anchors)}
    copies = Counter(_reading(a) for a in old)
    for anchor in old:
        name = anchor.source_id
        finding, kind = found[name], made.kinds.get(name, "")
        into.verdicts[kind or "untouched"][finding.verdict] += 1
        right = made.places.get(name, "")
        if finding.verdict == "SAME":
            into.same_wrong += finding.target != right
            if kind in MEANING:
                into.same_meaning.append(f"{kind}: {anchor.text[:60]!r} | {texts[finding.target].text[:60]!r}")
        elif finding.target:
            into.proposed += 1
            into.wrong[finding.verdict] += finding.target != right
        if not kind and copies[_reading(anchor)] == 1:
            into.unique += 1
            into.unique_same += finding.verdict == "SAME" and finding.target == right


def _reading(anchor: Anchor) -> tuple[str, ...]:
    return (settled(anchor.text), *anchor.footnotes)


def report(total: Score) -> None:
    """Print the table and the figures."""
    names = ("SAME", "SAME_KTH", "MOVED_SIMILAR", "CHANGED", "AMBIGUOUS", "LOST")
    print("touched".ljust(12) + "n".rjust(7) + "".join(v.rjust(15) for v in names))
    for kind in ("untouched", *KINDS):
        row = total.verdicts.get(kind, Counter())
        print(kind.ljust(12) + str(row.total()).rjust(7) + "".join(str(row[v]).rjust(15) for v in names))
    for told in total.same_meaning[:10]:
        print("  SAME though changed:", told)
    changed = sum(total.verdicts[k].total() for k in MEANING)
    print(f"\nmeaning: {len(total.same_meaning)} of {changed} changed numbers, units, negations ... SAME (wanted 0)")
    print(f"untouched: {total.unique_same / max(1, total.unique):.4f} of {total.unique} unique SAME (wanted .95)")
    wrong = ", ".join(f"{n} {verdict}" for verdict, n in total.wrong.items() if n) or "none"
    print(f"wrong place: {total.same_wrong} SAME; of {total.proposed} proposals {wrong}")
    print(f"CPU: {1000 * total.seconds / max(1, total.sources):.2f} ms a source of {total.sources}")


def read_again(documents: Sequence[tuple[Path, ParsedDocument]], sources: int, draw: random.Random) -> None:
    """Print how many ids stay on their text when the same file is read by other rules."""
    ways: dict[str, Callable[[Path, ParsedDocument], tuple[tuple[Anchor, ...], tuple[Anchor, ...]]]] = {
        "(a) read again": lambda path, parsed: (anchors(parsed), anchors(parse_pdf(path))),
        "(b) text of pypdf": _by_pypdf,
        "(c) tables snapped otherwise": _snapped_otherwise,
    }
    for name, read in ways.items():
        kept = proposed = tried = 0
        for path, parsed in documents:
            old, new = read(path, parsed)
            texts = {a.source_id: a.text for a in new}
            found = reanchored(old, new, same_bytes=True)
            share = draw.sample(list(old), min(len(old), max(1, sources // len(documents))))
            for anchor in share:
                finding = found[anchor.source_id]
                alike = bool(finding.target) and fuzz.ratio(_flat(anchor.text), _flat(texts[finding.target])) >= 95
                tried += 1
                proposed += alike
                kept += alike and finding.verdict == "SAME"
        print(
            f"{name}: {kept / tried:.3f} of {tried} kept at once, {proposed / tried:.3f} with proposals one key accepts"
        )


def _flat(text: str) -> str:
    return settled(text).casefold()


def _by_pypdf(path: Path, parsed: ParsedDocument) -> tuple[tuple[Anchor, ...], tuple[Anchor, ...]]:
    """The sources with their texts as pypdf reads them: each is cut out of its pages where it is found.

    pypdf cannot tell that a small raised number is a mark or an exponent; on both sides they are written as it writes
    them ("5001", "m2"). Lines that run over the pages are taken out of its text too, as any reading does that makes
    sources of it: a source that goes on over a page break would else have them in its middle.
    """
    from pypdf import PdfReader

    pages = [
        _plain(_without(page.extract_text(), known.running))
        for page, known in zip(PdfReader(path).pages, parsed.pages, strict=False)
    ]
    glued = [
        c.model_copy(update={"text": unicodedata.normalize("NFKC", _MARK.sub(r"\1", c.text))}) for c in parsed.chunks
    ]
    chunks = []
    for chunk in glued:
        cut = _cut_out(" ".join(pages[chunk.page - 1 : chunk.page_end]), chunk.text) or chunk.text
        chunks.append(chunk.model_copy(update={"text": cut}))
    old, new = (parsed.model_copy(update={"chunks": tuple(made)}) for made in (glued, chunks))
    return anchors(old), anchors(new)


def _without(text: str, running: Sequence[str]) -> str:
    """A page's text without its running lines, however they are spaced."""
    out = {"".join(line.split()) for line in running}
    return "\n".join(line for line in text.split("\n") if "".join(line.split()) not in out)


def _cut_out(page: str, text: str) -> str:
    """The part of a page that is most like a text, white space aside; "" = none."""
    places = [n for n, ch in enumerate(page) if not ch.isspace()]
    found = fuzz.partial_ratio_alignment("".join(text.split()), "".join(page.split()))
    if not found or found.score < 80 or found.dest_end <= found.dest_start:
        return ""
    return page[places[found.dest_start] : places[found.dest_end - 1] + 1]


_MARK = re.compile(r"\[\^([^\]]*)\]")
_SNAP = "import curator.parsing.grid as grid\ngrid.SNAP_X, grid.SNAP_Y = 4.0, 2.0\n"


def _snapped_otherwise(path: Path, parsed: ParsedDocument) -> tuple[tuple[Anchor, ...], tuple[Anchor, ...]]:
    """The file read by a child process whose rules of tables are snapped by two thirds of the usual distance."""
    before = os.environ.get("PYTHONPATH", "")
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "sitecustomize.py").write_text(_SNAP)
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (folder, str(ROOT), before)))
        try:
            return anchors(parsed), anchors(parse_pdf(path))
        finally:
            os.environ["PYTHONPATH"] = before


def _plain(text: str) -> str:
    return settled(unicodedata.normalize("NFKC", re.sub(r"(?<=\w)-\n(?=[a-z])", "", text)))


def main() -> None:
    """Run it."""
    options = argparse.ArgumentParser(description="Verdicts on simulated amendments.")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--sources", type=int, default=500)
    options.add_argument("files", nargs="*", type=Path)
    given = options.parse_args()
    files = given.files or [ROOT / "datasets/documents" / n for n in SAMPLES] + [CORPUS / n for n in PUBLIC]
    draw, total, documents = random.Random(given.seed), Score(), []
    for path in files:
        if not path.exists():
            print(f"{path.name}: not here, left out")
            continue
        parsed = parse_pdf(path)
        documents.append((path, parsed))
        score(parsed, draw, total)
    report(total)
    read_again(documents, given.sources, draw)


if __name__ == "__main__":
    main()
