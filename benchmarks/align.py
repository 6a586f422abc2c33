"""Aligning a suite to other systems' chunks: how much is right, CPU time and peak memory.

    python -m benchmarks.align                     500 sources, 100,000 chunks, three chunkers, with and without noise
    python -m benchmarks.align --only heading      some of these
    python -m benchmarks.align --million           a file of 1,000,000 chunks read as `curator align` does
    python -m benchmarks.align --show              what went wrong, passage by passage

Right means: the same answer to whole, split, torn or missing as the places of the text give, and every alternative
holds the passage. Half of the runs say document and page of each chunk; the others say neither.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import resource
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.align_corpus import (
    Cut,
    Document,
    Rendered,
    Wanted,
    cuts,
    document,
    edition,
    render,
    sibling,
)  # fmt: skip
from curator.domain.alignment import Placement
from curator.exporting.chunks import Taken, read_chunks
from curator.matching.aligning.aligner import Aligner, Chunk
from curator.matching.aligning.choosing import choose
from curator.matching.aligning.passages import passages_of

CHUNKERS = {"fixed": "plain", "recursive": "named", "heading": "page"}


@dataclass
class Truth:
    """What holds each wanted passage: sets of chunk ids; torn: none of them has title and header."""

    found: str = "missing"
    holders: list[tuple[str, ...]] = field(default_factory=list)


def corpus(rng: random.Random, families: int, size: int) -> tuple[list[Document], list[Wanted]]:
    """Families of two editions; passages of the newer ones are wanted, and a few of documents that are not indexed."""
    documents: list[Document] = []
    wanted: list[Wanted] = []
    for number in range(families):
        newer = document(rng, f"ordinance-{number}-2026", size)
        tables = [b for b in newer.blocks if b.kind == "table"]
        if tables:
            newer.blocks.append(sibling(rng, rng.choice(tables), len(tables) + 1))
        older = edition(rng, newer, f"ordinance-{number}-2019")
        absent = number % 20 == 19
        documents += [older] if absent else [older, newer]
        wanted += wishes(rng, newer, number)
    return documents, wanted


def wishes(rng: random.Random, made: Document, number: int) -> Iterator[Wanted]:
    texts = [n for n, b in enumerate(made.blocks) if b.kind == "text"]
    rows = [(n, r) for n, b in enumerate(made.blocks) if b.kind == "table" for r in range(len(b.rows))]
    for block in rng.sample(texts, min(3, len(texts))):
        lines = made.blocks[block].lines
        quoted = rng.random() < 0.5
        quote = lines[0] if quoted else " ".join(lines)
        yield Wanted(f"{made.name}:c{block}", made.name, block, -1 if quoted else -2, quote, " ".join(lines))
    for block, row in rng.sample(rows, min(2, len(rows))):
        yield Wanted(f"{made.name}:t{block}-{row}", made.name, block, row, " | ".join(made.blocks[block].rows[row]), "")


def lines_of(wanted: list[Wanted], documents: dict[str, Document], pages: dict[tuple[str, int], int]) -> Any:
    """Cases and sources as a release has them."""
    cases, sources = [], {}
    for number, wish in enumerate(wanted):
        made = documents.get(wish.document)
        block = made.blocks[wish.block] if made else None
        row = wish.row >= 0
        evidence = {
            "sourceId": wish.id, "role": "required", "group": wish.id, "quote": wish.quote, "documentId": wish.document,
            "documentVersion": "2026", "page": pages.get((wish.document, wish.block), 0),
            "sectionPath": [block.heading] if block and block.heading else [],
            "tableTitle": block.title if block and row else "",
            "tableHeader": list(block.header) if block and row else [],
            "tableCells": list(block.rows[wish.row]) if block and row else [],
        }  # fmt: skip
        title = made.title if made else ""
        cases.append(
            {
                "id": f"case-{number}",
                "documents": [{"documentId": wish.document, "title": title}],
                "evidence": [evidence],
            }
        )
        sources[wish.id] = {"text": wish.source or wish.quote}
    return cases, sources


def holders(wish: Wanted, made: Rendered, chunks: list[tuple[str, Cut]]) -> Truth:
    """The truth for one passage: chunks that hold its place, or that hold it together."""
    key: Any = ("row", wish.row) if wish.row >= 0 else 0 if wish.row == -1 else "all"
    start, end = made.spans[wish.block, key]
    here = [(n, c) for n, c in chunks if c.start < end and c.end > start]
    alone = [(n, c) for n, c in here if c.start <= start and c.end >= end]
    if alone:
        truth = Truth("whole", [(n,) for n, _ in alone])
        if wish.row >= 0:
            (t0, t1), (h0, h1) = made.spans[wish.block, "title"], made.spans[wish.block, "header"]
            t0 = made.text.index(". ", t0) + 2  # the name of the table; its number may be cut
            named = made.text[start:end].count(": ") >= 2
            kept = [c for _, c in alone if c.start <= t0 and c.end >= t1 and (named or (c.start <= h0 and c.end >= h1))]
            truth.found = "whole" if kept else "torn"
        return truth
    return Truth("split", [tuple(n for n, _ in here)])


def is_right(placement: Placement, truth: Truth) -> bool:
    said = [a.chunks for a in placement.alternatives]
    if placement.found != truth.found:
        return False
    if truth.found in ("whole", "torn"):
        return bool(said) and all(s in truth.holders for s in said)
    if truth.found == "split":
        return bool(said) and all(set(s) <= set(truth.holders[0]) and len(s) > 1 for s in said)
    return not said


def filler(rng: random.Random, count: int) -> Iterator[Cut]:
    """Chunks of other documents, of the same words."""
    made: list[Cut] = []
    number = 0
    while count > 0:
        number += 1
        made = cuts(render(rng, document(rng, f"other-{number}", 30), "plain", 0.0), "recursive")
        for cut in made[:count]:
            yield cut._replace(page=0)
        count -= len(made)


def measure(chunker: str, level: float, told: bool, total: int, families: int, show: bool) -> dict[str, Any]:
    rng = random.Random(f"{chunker} {level}")
    documents, wanted = corpus(rng, families, 24)
    known = {d.name: d for d in documents}
    texts = {d.name: render(rng, d, CHUNKERS[chunker], level) for d in documents}
    by_document: dict[str, list[tuple[str, Cut]]] = {
        name: [(f"{name}#{n}", c) for n, c in enumerate(cuts(made, chunker))] for name, made in texts.items()
    }
    truths = {
        w: holders(w, texts[w.document], by_document[w.document]) if w.document in known else Truth() for w in wanted
    }
    pages = {(name, n): page for name, made in texts.items() for n, page in enumerate(made.pages)}
    absent = [w for w in wanted if w.document not in known]
    wanted = [w for w in wanted if w.document in known] + [w for w in absent if w.row < 0]
    cases, sources = lines_of(wanted, known, pages)
    passages = passages_of(cases, sources)
    stream = [
        Chunk(0, n, c.text, name if told else "", c.page if told else 0)
        for name, cs in by_document.items()
        for n, c in cs
    ]
    rest = list(filler(rng, max(0, total - len(stream))))
    before = time.process_time()
    aligner = Aligner(passages)
    line = 0
    for chunk in stream[: len(stream) // 2]:
        aligner.feed(chunk._replace(line=(line := line + 1)))
    for number, cut in enumerate(rest):
        aligner.feed(Chunk(line := line + 1, f"other#{number}", cut.text, f"other-{number // 20}" if told else "", 0))
    for chunk in stream[len(stream) // 2 :]:
        aligner.feed(chunk._replace(line=(line := line + 1)))
    placements = choose(aligner)
    spent = time.process_time() - before
    by_key = {(p.source_id, p.quote): p for p in placements}
    wrong = [(w, by_key[w.id, w.quote], truths[w]) for w in wanted if not is_right(by_key[w.id, w.quote], truths[w])]
    if show:
        for wish, placement, truth in wrong:
            print("WRONG", wish.id, "row" if wish.row >= 0 else "text", repr(wish.quote[:150]))
            print("   truth", truth.found, truth.holders[:4])
            print(
                "   said ",
                placement.found,
                [(a.chunks, a.how, a.lost) for a in placement.alternatives][:4],
                placement.why,
                placement.near,
            )
    return {
        "sources": len(wanted), "chunks": line, "right": 1 - len(wrong) / len(wanted), "cpu": spent,
        "truth": dict(Counter(t.found for w, t in truths.items() if w in wanted)),
        "wrong": Counter(f"{t.found}->{p.found}" for _, p, t in wrong),
    }  # fmt: skip


def million(count: int, families: int) -> None:
    """Reads so many chunks from a file and finds the passages of a suite in them."""
    rng = random.Random("million")
    documents, wanted = corpus(rng, families, 24)
    known = {d.name: d for d in documents}
    cases, sources = lines_of([w for w in wanted if w.document in known], known, {})
    texts = [(d.name, c.text) for d in documents for c in cuts(render(rng, d, "named", 0.0), "recursive")]
    texts += [("", c.text) for c in filler(rng, 20_000)]
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".jsonl") as file:
        for number in range(count):
            name, text = texts[number] if number < len(texts) else ("", f"{texts[-1 - number % 20_000][1]} ({number})")
            line = {"id": f"chunk-{number}", "text": text, "documentId": name, "page": 0}
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
        file.flush()
        texts.clear()
        context = multiprocessing.get_context("spawn")
        with context.Pool(1) as pool:
            spent, peak, found = pool.apply(read_million, (file.name, cases, sources))
    print(f"{count} chunks, {len(cases)} sources: {spent:.0f} CPU s, peak {peak:.0f} MB, {found} found")


def read_million(path: str, cases: Any, sources: Any) -> tuple[float, float, int]:
    before = time.process_time()
    aligner = Aligner(passages_of(cases, sources))
    with Path(path).open("rb") as stream:
        for line in read_chunks(stream, path):
            assert isinstance(line, Taken)
            aligner.feed(Chunk(line.row, line.id, line.text, line.document_id, line.page))
    found = sum(p.found != "missing" for p in choose(aligner))
    return time.process_time() - before, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, found


def apart(words: tuple[Any, ...]) -> tuple[dict[str, Any], float]:
    return measure(*words), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--families", type=int, default=105)
    parser.add_argument("--only", default="")
    parser.add_argument("--million", nargs="?", type=int, const=1_000_000, default=0)
    parser.add_argument("--show", action="store_true")
    wanted = parser.parse_args()
    if wanted.million:
        million(wanted.million, wanted.families)
        return
    for chunker in CHUNKERS:
        for level in (0.0, 0.02):
            for told in (True, False):
                name = f"{chunker:10}{'noise' if level else 'clean':6} {'document, page' if told else 'neither':15}"
                if wanted.only and wanted.only not in name:
                    continue
                words = (chunker, level, told, wanted.chunks, wanted.families, wanted.show)
                if wanted.show:
                    result, peak = apart(words)
                else:
                    with multiprocessing.get_context("spawn").Pool(1) as pool:
                        result, peak = pool.apply(apart, (words,))
                print(
                    f"{name} {result['sources']} sources, {result['chunks']} chunks: {result['right']:.3f} right, "
                    f"{result['cpu']:.1f} CPU s, peak {peak:.0f} MB  {result['truth']} {dict(result['wrong'])}"
                )


if __name__ == "__main__":
    main()
