"""Search: how often the right source is found, and what a search costs beside bare FTS5.

    python -m benchmarks.search [--sources 100000] [--skip-semantic]

hit@10 on public question sets (XQuAD English and Chinese, chunkeval) that lie in `../shared/nlp`, by words and
re-ranked; a set that is not there is left out with a word. Then CPU time of the same queries in so many sources
(made-up words by Zipf's law, seeded): bare FTS5 on an open table, our index on an open file, the whole service with its
look at the store; minimum of the repeats, and ratios. Last, CPU time of a re-ranked search, vectors kept and not.
Targets: hit@10 .99, .99, .93; ratio 1.3; 200 ms re-ranked.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
import re
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from curator.domain.anchoring import anchors
from curator.domain.document import Chunk, Document, Page, ParsedDocument, Revision
from curator.domain.identity import sha256
from curator.matching import embedding
from curator.services.context import Context
from curator.services.search import search
from curator.store import documents
from curator.store.database import driver
from curator.store.index import FILE, Index
from curator.store.words import STOP_WORDS, Query
from curator.workspace import Workspace, create

SETS = Path(__file__).parents[2] / "shared" / "nlp"
CHUNK = 800
REPEATS = 5
QUERIES = 40

Set = tuple[list[str], list[tuple[str, set[int]]]]  # texts; questions with the places of their texts


def xquad(path: Path) -> Set:
    """Paragraphs, and the questions that each answers."""
    texts: list[str] = []
    questions: list[tuple[str, set[int]]] = []
    for article in json.loads(path.read_text("utf-8"))["data"]:
        for paragraph in article["paragraphs"]:
            texts.append(paragraph["context"])
            questions += [(q["question"], {len(texts) - 1}) for q in paragraph["qas"]]
    return texts, questions


def pieces(text: str) -> Iterator[tuple[int, int]]:
    """Spans of whole sentences and paragraphs of up to 800 characters."""
    begin = end = 0
    for part in re.finditer(r".+?(?:\n\s*\n|(?<=[.!?])\s+|\Z)", text, re.S):
        if end > begin and part.end() - begin > CHUNK:
            yield begin, end
            begin = part.start()
        while part.end() - begin > CHUNK:
            yield begin, begin + CHUNK
            begin += CHUNK
        end = part.end()
    if end > begin:
        yield begin, end


def chunkeval(folder: Path) -> Set:
    """Chunks of five long texts; a question's are those with at least half of a passage that answers it."""
    texts: list[str] = []
    places: dict[str, list[tuple[int, int, int]]] = {}
    for path in sorted(folder.glob("*.md")):
        whole = path.read_text("utf-8")
        for begin, end in pieces(whole):
            places.setdefault(path.stem, []).append((begin, end, len(texts)))
            texts.append(whole[begin:end])
    questions = []
    with (folder / "questions_df.csv").open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            right = {
                n
                for ref in json.loads(row["references"])
                for begin, end, n in places[row["corpus_id"]]
                if 2 * (min(end, ref["end_index"]) - max(begin, ref["start_index"]))
                >= ref["end_index"] - ref["start_index"]
            }
            questions.append((row["question"], right))
    return texts, questions


def store(context: Context, texts: Sequence[str], per_document: int = 1000) -> None:
    """Put texts into the store as chunks of documents; chunk n has the key n."""
    for start in range(0, len(texts), per_document):
        name = f"d{start // per_document}"
        chunks = tuple(
            Chunk(id=f"{name}:{n}", page=1, page_end=1, text=text)
            for n, text in enumerate(texts[start : start + per_document], start)
        )
        page, digest = Page(index=1, chars=1, text="-"), sha256(name.encode())
        parsed = ParsedDocument(file=f"{name}.pdf", sha256=digest, page_count=1, pages=(page,), chunks=chunks)
        revision = Revision(label="1", sha256=parsed.sha256, file=parsed.file, pages=1, parser="benchmark")
        with context.write() as tx:
            documents.add(tx, Document(id=name, title=name, revision=revision), parsed, anchors(parsed), 1)


def quality(name: str, found: Set, target: float, semantic: bool) -> None:
    """Print hit@10, hit@1 and MRR by words, and re-ranked where the model knows the script."""
    texts, questions = found
    ways = [("words", False)]
    if semantic and embedding.latin(questions[0][0]):
        ways.append(("re-ranked", True))
    with opened() as workspace:
        store(workspace.context, texts)
        for way, meaning in ways:
            tens = firsts = 0
            reciprocal = 0.0
            for question, right in questions:
                hits = search(workspace.context, question, limit=10, semantic=meaning).hits
                places = [n for n, h in enumerate(hits, 1) if int(h.source_id.split(":")[1]) in right]
                tens += bool(places)
                firsts += places[:1] == [1]
                reciprocal += 1 / places[0] if places else 0
            n = len(questions)
            print(f"{name:10s} {way:10s} {len(texts):5d} texts {n:5d} questions  hit@10 {tens / n:.4f} "
                  f"(target {target})  hit@1 {firsts / n:.3f}  MRR@10 {reciprocal / n:.3f}")  # fmt: skip


class opened:  # noqa: N801  used like a function
    """A new workspace in a folder of its own."""

    def __enter__(self) -> Workspace:
        self._folder = tempfile.TemporaryDirectory()
        self.workspace = Workspace(create(Path(self._folder.name) / "w", "ada"), "ada")
        return self.workspace

    def __exit__(self, *exception: object) -> None:
        self.workspace.close()
        self._folder.cleanup()


def made_up(count: int, seed: int = 1) -> tuple[list[str], list[str]]:
    """Texts of 30 to 60 words, and queries of six words of one text with three stop words."""
    draw = random.Random(seed)
    syllables = [c + v for c in "bcdfghklmnprstvw" for v in "aeiou"]
    words = [*sorted(STOP_WORDS)[:40], *("".join(draw.choices(syllables, k=draw.randint(2, 4))) for _ in range(30_000))]
    weights = [1 / (n + 5) for n in range(len(words))]
    texts = []
    for n in range(count):
        text = draw.choices(words, weights, k=draw.randint(30, 60))
        texts.append(" ".join(text) + f". Value {n % 977} mm.")
    queries = []
    for _ in range(QUERIES):
        telling = [w for w in draw.choice(texts).split() if w.isalpha() and w not in STOP_WORDS and w != "Value"]
        queries.append(" ".join(["what is the", *draw.sample(telling, 6)]))
    return texts, queries


def cpu(work: Callable[[str], Any], queries: Sequence[str]) -> float:
    """CPU milliseconds a query: the least of several passes over all queries."""
    passes = []
    for _ in range(REPEATS):
        began = time.process_time()
        for query in queries:
            work(query)
        passes.append((time.process_time() - began) * 1000 / len(queries))
    return min(passes)


def cost(count: int, semantic: bool) -> None:
    """Print what a search costs in so many sources."""
    texts, queries = made_up(count)
    bare = driver().connect(tempfile.mkstemp(suffix=".db")[1], isolation_level=None)
    file = Path(bare.execute("pragma database_list").fetchone()[2])
    bare.execute("create virtual table bare using fts5(text, tokenize='porter unicode61 remove_diacritics 2')")
    bare.execute("begin")
    began = time.process_time()
    bare.executemany("insert into bare values (?)", ((t,) for t in texts))
    bare.execute("commit")
    built_bare = time.process_time() - began
    statement = "select rowid, rank, text from bare where bare match ? order by rank limit 20"
    with opened() as workspace:
        context = workspace.context
        store(context, texts)
        began = time.process_time()
        search(context, queries[0], semantic=False)
        built = time.process_time() - began
        plain = cpu(lambda q: bare.execute(statement, (Query(q).match,)).fetchall(), queries)
        with Index(context.hidden / FILE) as index:
            inner = cpu(lambda q: index.query(q, limit=20), queries)
            typed = cpu(lambda q: index.query(q[:-2], limit=20, prefix=True), queries)
        whole = cpu(lambda q: search(context, q, limit=20, semantic=False), queries)
        size = (context.hidden / FILE).stat().st_size / 1e6
        print(f"{count} sources: built in {built:.1f} CPU s, {size:.0f} MB (bare {built_bare:.1f} CPU s, "
              f"{file.stat().st_size / 1e6:.0f} MB)")  # fmt: skip
        print(f"  bare FTS5      {plain:6.2f} CPU ms a query")
        print(f"  index          {inner:6.2f} CPU ms a query  ratio {inner / plain:.2f} (target 1.3)")
        print(f"  whole service  {whole:6.2f} CPU ms a query  ratio {whole / plain:.2f} (target 1.3)")
        print(f"  as you type    {typed:6.2f} CPU ms a query  (the last word unfinished: up to 16 completions)")
        if semantic:
            reranked(context, queries)
    bare.close()
    file.unlink()


def reranked(context: Context, queries: Sequence[str]) -> None:
    """Print what a re-ranked search costs: with no vector kept, then with all, the model loaded."""
    embedding.packaged()
    few = queries[:10]
    for name in ("vectors new ", "vectors kept"):
        began = time.process_time()
        for query in few:
            search(context, query, semantic=True)
        each = (time.process_time() - began) * 1000 / len(few)
        print(f"  {name}   {each:6.0f} CPU ms a re-ranked query (target 200 with vectors kept)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sources", type=int, default=100_000)
    parser.add_argument("--skip-semantic", action="store_true", help="do not re-rank: saves five minutes")
    wanted = parser.parse_args()
    semantic = embedding.available() and not wanted.skip_semantic
    if not semantic:
        print("not re-ranked: " + (embedding.why_off() or "--skip-semantic"))
    for name, path, read, target in (
        ("xquad en", SETS / "xquad" / "xquad.en.json", xquad, 0.99),
        ("xquad zh", SETS / "xquad" / "xquad.zh.json", xquad, 0.99),
        ("chunkeval", SETS / "chunkeval", chunkeval, 0.93),
    ):
        if path.exists():
            quality(name, read(path), target, semantic)
        else:
            print(f"{name:10s} left out: the set is not beside the repository")
    cost(wanted.sources, semantic)


if __name__ == "__main__":
    main()
