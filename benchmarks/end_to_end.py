"""A small retriever over the samples, gated, then broken on purpose and blocked.

    python -m benchmarks.end_to_end [--keep DIR] [--texts]

The retriever is real: `curator parse` reads the PDFs, a naive chunker fills windows of 900 characters with lines and
makes every row of a table a chunk with its title and header, SQLite FTS5 ranks them (bm25; words, and pairs of
characters where a script has no spaces). Its ids are its own. `curator align` maps the suite to its chunks, `curator
gate` holds its runs against the release. The model is a stand-in, so that no key is needed and every run gives the
same answers: it knows the right answer and gives it only when the evidence was put before it, else it reads out the
line of the first hit that is most like the question; it refuses and hands over as the suite wants. So what is tested
is retrieval, the gate, and whether the gate names the fault that was built in:

    sane       windows and whole rows                                              pass
    torn       rows without title and header                                       block: mandatory source (chunking)
    five       only the first five pages of each document are indexed              block: mandatory source (parsing)
    answering  never refuses                                                       block: refusals answered
    harness    one answer in ten dies in the harness                               no verdict, exit 3
    two        another model and another k at once, latency doubled                pass, and says that two settings
    changed

Each run is gated with the sane one as its baseline. Exit code 1 when a verdict, a reason or a stage is not as above.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import re
import sqlite3
import sys
import tempfile
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from curator.cli.main import run as curator

ROOT = Path(__file__).parent.parent
RELEASE = ROOT / "exports" / "school-health" / "1.0.0"
DOCUMENTS = ("school-health-guideline", "korean-health-guideline")
WINDOW = 900
EAST = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
RULES = """\
[gate]
k = 30
missed = 2  # two questions share no word with what answers them: words alone do not find it

[[gate.targets]]
where = { risk = "*" }
minimum = 0.75

[[gate.targets]]
measure = "evidence"
minimum = 0.85
"""


class Chunk(NamedTuple):
    """A chunk of the small system."""

    id: str
    text: str
    document: str
    page: int


class System(NamedTuple):
    """How the small system is built; each field is a way to break it."""

    name: str
    tears: bool = False
    first_pages: int = 0
    refuses: bool = True
    dies: int = 0
    k: int = 30
    model: str = "stand-in-1"
    latency: float = 20.0


class Wanted(NamedTuple):
    """What the gate must say of a system: exit code, the rule that blocks, the stage at which cases fail."""

    exit_code: int
    rule: str = ""
    stage: str = ""
    watch: str = ""


SYSTEMS: dict[System, Wanted] = {
    System("sane"): Wanted(0),
    System("torn", tears=True): Wanted(1, "mandatory-source", "chunking"),
    System("five", first_pages=5): Wanted(1, "mandatory-source", "parsing"),
    System("answering", refuses=False): Wanted(1, "refusal-answered", "generation"),
    System("harness", dies=10): Wanted(3, "harness"),
    System("two", k=40, model="stand-in-2", latency=40.0): Wanted(0, watch="settings"),
}


@cache
def parsed(name: str) -> dict[str, Any]:
    """A document as `curator parse` reads it."""
    code, text = told(["parse", str(ROOT / "datasets" / "documents" / f"{name}.pdf"), "--json"])
    if code:
        raise SystemExit(f"curator parse: exit {code}")
    made: dict[str, Any] = json.loads(text)
    return made


def chunks_of(system: System) -> list[Chunk]:
    """The documents as the system cuts them."""
    found = []
    for name in DOCUMENTS:
        cut = [(c["page"], part) for c in parsed(name)["chunks"] for part in windows(c["text"])]
        for table in parsed(name)["tables"]:
            cut += [(r["page"], " ".join(r["cells"]) if system.tears else r["text"]) for r in table["rows"]]
        kept = [(page, text) for page, text in cut if not system.first_pages or page <= system.first_pages]
        found += [Chunk(f"{name}#{n}", text, name, page) for n, (page, text) in enumerate(kept, 1)]
    return found


def windows(text: str) -> Iterator[str]:
    """Lines, as many as fit."""
    window = ""
    for part in text.splitlines():
        if window and len(window) + len(part) > WINDOW:
            yield window
            window = ""
        window = f"{window}\n{part}" if window else part
    yield window


def terms(text: str) -> str:
    """The words of a text for FTS5: those of spaced scripts, and pairs of characters of the others."""
    pairs = [run[i : i + 2] for run in EAST.findall(text) for i in range(max(1, len(run) - 1))]
    return " ".join([*re.findall(r"[^\W_]+", EAST.sub(" ", text)), *pairs])


class Index:
    """Chunks in FTS5."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self._chunks = chunks
        self._db = sqlite3.connect(":memory:")
        self._db.execute("CREATE VIRTUAL TABLE found USING fts5(terms, tokenize = 'porter unicode61')")
        self._db.executemany("INSERT INTO found VALUES (?)", ((terms(c.text),) for c in chunks))

    def close(self) -> None:
        """Let go of it."""
        self._db.close()

    def search(self, question: str, k: int) -> list[Chunk]:
        """The best chunks for a question: any of its words counts."""
        words = dict.fromkeys(terms(question).split())
        asked = " OR ".join('"' + w + '"' for w in words)
        rows = self._db.execute(
            "SELECT rowid FROM found WHERE found MATCH ? ORDER BY bm25(found), rowid LIMIT ?", (asked, k)
        )
        return [self._chunks[n - 1] for (n,) in rows]


def solid(text: str) -> str:
    """A text without white space and case, so that a broken line is none."""
    return re.sub(r"[\s\ufffe\u00ad]+", "", text).casefold()


def answer(case: dict[str, Any], hits: Sequence[Chunk], system: System) -> tuple[str, str]:
    """Answer and behavior of the stand-in for a model."""
    behavior = case["expectedBehavior"]
    if behavior == "refuse":
        if system.refuses:
            return "I cannot answer that: the sources I have do not say anything about it.", "refuse"
        return likest(case["turns"][-1], hits), "answer"
    before = solid(" ".join(hit.text for hit in hits))
    needed = [e for e in case["evidence"] if e["role"] == "required"]
    if all(part in before for e in needed for part in map(solid, e["tableCells"] or [e["quote"]])):
        return case["referenceAnswer"], behavior
    return likest(case["turns"][-1], hits), "answer"


def likest(question: str, hits: Sequence[Chunk]) -> str:
    """The line of the first hit that has most words of the question."""
    asked = set(terms(question).casefold().split())
    lines = hits[0].text.splitlines() if hits else ["Nothing was found."]
    return max(lines, key=lambda line: len(asked & set(terms(line).casefold().split())))


def cases() -> list[dict[str, Any]]:
    """The open cases of the release."""
    texts = ((RELEASE / f"{name}.jsonl").read_text("utf-8") for name in ("dev", "followup_dev"))
    return [json.loads(line) for text in texts for line in text.splitlines()]


def write(folder: Path, system: System) -> Path:
    """Run the system over the suite: chunks.jsonl, run.jsonl and run.json."""
    folder.mkdir(parents=True)
    chunks = chunks_of(system)
    wire = [{"id": c.id, "text": c.text, "documentId": c.document, "page": c.page} for c in chunks]
    jsonl(folder / "chunks.jsonl", wire)
    index = Index(chunks)
    with contextlib.closing(index):
        jsonl(folder / "run.jsonl", (line(case, index, system, number) for number, case in enumerate(cases(), 1)))
    settings = {"chunker": "rows alone" if system.tears else "rows with header", "index": "fts5", "k": str(system.k),
    "model": system.model, "corpus": f"first {system.first_pages} pages" if system.first_pages else "whole",
                "prompt": "answer if found" if system.refuses else "always answer"}  # fmt: skip
    said = {"run": system.name, "suite": "school-health", "version": "1.0.0", "manifestSha256": "", "system":
    "fts5-demo", "startedAt": "2026-11-30T12:00:00Z",
            "settings": [{"name": n, "value": v} for n, v in settings.items()]}  # fmt: skip
    (folder / "run.json").write_text(json.dumps(said), "utf-8")
    return folder / "run.jsonl"


def line(case: dict[str, Any], index: Index, system: System, number: int) -> dict[str, Any]:
    """What the system did with a case."""
    hits = index.search(" ".join(case["turns"]), system.k)
    dead = bool(system.dies) and number % system.dies == 1
    text, behavior = ("", "") if dead else answer(case, hits, system)
    found = [{"id": h.id, "text": h.text, "rank": n, "score": 1 / n} for n, h in enumerate(hits, 1)]
    return {
        "caseId": case["id"], "answer": text, "behavior": behavior, "retrieved": [] if dead else found,
        "citations": [], "route": "", "stageError": "harness: connection reset" if dead else "",
        "latencyMs": system.latency + number, "costUsd": 0.001, "turns": [],
    }  # fmt: skip


def jsonl(path: Path, rows: Sequence[dict[str, Any]] | Iterator[dict[str, Any]]) -> None:
    """Write objects, one a line."""
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")


def told(words: list[str]) -> tuple[int, str]:
    """Exit code and stdout of a command of curator."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        code = curator(words)
    return code, out.getvalue()


def gated(
    folder: Path, system: System, rules: Path, baseline: Path | None, *, align: bool = True
) -> tuple[int, dict[str, Any]]:
    """Exit code and report of the gate over a run of the system; the run is made first."""
    run = write(folder / system.name, system)
    words = ["gate", str(run), "--suite", str(RELEASE), "--config", str(rules), "--json"]
    if align:
        place = run.parent / "align"
        code, _ = told(["align", str(run.parent / "chunks.jsonl"), str(RELEASE), "--to", str(place)])
        if code:
            raise SystemExit(f"curator align: exit {code}")
        words += ["--align", str(place)]
    if baseline:
        words += ["--baseline", str(baseline)]
        words += ["--baseline-align", str(baseline.parent / "align")] if align else []
    code, text = told(words)
    return code, json.loads(text)


def wrong(code: int, report: dict[str, Any], wanted: Wanted) -> list[str]:
    """What the gate said otherwise than it must."""
    found = [] if code == wanted.exit_code else [f"exit {code} instead of {wanted.exit_code}"]
    rules = {b["code"]: b for b in report["blocks"]}
    if wanted.rule and wanted.rule not in rules:
        found.append(f"{wanted.rule} does not block")
    if wanted.stage:
        blocked = set(rules.get(wanted.rule, {}).get("cases", ()))
        stages = {s["stage"]: set(s["cases"]) for s in report["stages"]}
        if len(blocked & stages.get(wanted.stage, set())) * 2 < len(blocked) or not blocked:
            found.append(f"most of its cases did not fail at {wanted.stage}")
    if wanted.watch and wanted.watch not in {w["code"] for w in report["watch"]}:
        found.append(f"{wanted.watch} is not said")
    return found


def main() -> None:
    """Run, gate and print every system."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep chunks, runs, maps and rules in this new folder")
    parser.add_argument("--texts", action="store_true", help="no map: evidence is known by its text")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = chosen.keep or Path(place)
        folder.mkdir(parents=True, exist_ok=True)
        rules = folder / "curator.toml"
        rules.write_text(RULES, "utf-8")
        failed = 0
        baseline: Path | None = None
        for system, wanted in SYSTEMS.items():
            code, report = gated(folder, system, rules, baseline, align=not chosen.texts)
            baseline = baseline or folder / system.name / "run.jsonl"
            if chosen.texts and wanted.stage == "parsing":  # without a map nobody can say that no chunk has it
                wanted = wanted._replace(stage="retrieval")
            problems = wrong(code, report, wanted)
            failed += bool(problems)
            print(f"{system.name:10} exit {code}  {report['verdict']}")
            for entry in report["blocks"]:
                print(f"           ✗ {entry['text']}")
            stages = (f"{s['stage']} {len(s['cases'])}" for s in report["stages"])
            print(f"           stages: {', '.join(stages) or 'none'}")
            print(
                *(f"           PROBLEM: {p}" for p in problems),
                sep="\n" if problems else "",
                end="\n" if problems else "",
            )
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
