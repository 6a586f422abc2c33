"""Information retrieval: TREC qrels for ir_measures, pytrec_eval, ranx; and the layout of BEIR.

A corpus of the cited sources alone makes finding too easy: its folder has another name, so that nobody takes a score
over it for a result.
"""

from __future__ import annotations

from curator.exporting.targets.files import JsonLines, Table
from curator.exporting.targets.protocol import Choices, Folder, Line, Outcome, Release, Stream
from curator.exporting.targets.streamed import Streamed
from curator.exporting.targets.texts import grades, is_retrieval, transcript

_QRELS_HEADER = ("query-id", "corpus-id", "score")  # without it the BEIR loader loses the first judgement
_WHOLE, _CITED = "beir", "beir.cited"
_OF_QUERY = "only in the layout of BEIR, as metadata of the query"
_GRADED = "as a grade, the best one of a source: required 2, supporting 1, distractor 0"


class _Beir:
    """A folder in the layout of BEIR."""

    def __init__(self, folder: Folder, name: str) -> None:
        self._folder = folder
        self._name = name
        self._queries = JsonLines(folder, f"{name}/queries.jsonl")
        self._corpus = JsonLines(folder, f"{name}/corpus.jsonl")
        self._splits: dict[str, Table] = {}

    def ask(self, case: Line, judged: list[tuple[str, int]]) -> None:
        self._queries.write(
            {
                "_id": case["id"],
                "text": transcript(case),
                "metadata": {"risk": case["risk"], "language": case["language"], "domain": case["domain"]},
            }
        )
        for split in (case["partition"], "test"):
            table = self._splits.get(split)
            if table is None:
                table = Table(self._folder, f"{self._name}/qrels/{split}.tsv", _QRELS_HEADER, "\t", of_ids=True)
                self._splits[split] = table
            for name, grade in judged:
                table.write((case["id"], name, grade))

    def add(self, line: Line) -> None:
        self._corpus.write(line)


class _Writer:
    def __init__(self, release: Release, folder: Folder, choices: Choices) -> None:
        self._folder = folder
        self._answers = choices.answers
        self._qrels: Stream | None = None
        self._run: Stream | None = None
        self._layouts = [_Beir(folder, name) for name in (_WHOLE, _CITED)]
        self._cited: set[str] = set()
        self._is_whole = release.manifest.get("sources") == "all"
        self._sources = 0
        self._outcome = Outcome()

    def add(self, case: Line, raw: bytes) -> None:
        self._cited.update(e["sourceId"] for e in case["evidence"])
        if not is_retrieval(case):
            why = "a summary is of whole documents" if case["task"] == "summary" else "it has no required source"
            self._outcome.leave_out(case["id"], why)
            return
        judged = grades(case)
        self._qrels = self._qrels or self._folder.open("qrels.trec")
        self._qrels.write("".join(f"{case['id']} 0 {name} {grade}\n" for name, grade in judged).encode())
        for layout in self._layouts:
            layout.ask(case, judged)
        self._rank(case)
        self._outcome.written += 1

    def _rank(self, case: Line) -> None:
        """What the system found, in the order of its ranks; a white space in an id would break the format."""
        said = self._answers.get(case["id"]) if self._answers else None
        if said is None:
            if self._answers:
                self._outcome.miss("run.trec", "the run has no line for it")
            return
        self._run = self._run or self._folder.open("run.trec")
        system = "".join(ch if ch.isalnum() else "-" for ch in self._answers.system) if self._answers else ""
        for found in said["retrieved"]:
            name = "".join(found["id"].split())
            self._run.write(f"{case['id']} Q0 {name} {found['rank']} {found['score']:.6f} {system}\n".encode())

    def add_source(self, source: Line, raw: bytes) -> None:
        self._is_whole = self._is_whole or source["id"] not in self._cited
        self._sources += 1
        line = {
            "_id": source["id"],
            "title": source["tableTitle"] or " > ".join(source["sectionPath"]),
            "text": source["text"],
            "metadata": {"documentId": source["documentId"], "page": source["page"]},
        }
        for layout in self._layouts:
            layout.add(line)

    def finish(self) -> Outcome:
        notes = self._outcome.notes
        self._folder.discard(_CITED if self._is_whole else _WHOLE)
        if self._is_whole:
            notes.append(
                f"beir/ holds all {self._sources} sources of the documents that cases cite. To find among them is "
                "still easier than among all that a system indexes."
            )
        else:
            notes += [
                f"beir/ is not written: this release holds the {self._sources} cited sources alone, and among them "
                "finding is too easy for a score to mean anything. beir.cited/ holds them, to try a loader with. "
                "`curator suite release NAME --sources all` makes a version with all sources of the cited documents.",
                "For scores, take your own index as the corpus: `curator align CHUNKS.jsonl NAME` writes qrels.trec in "
                'the ids of your chunks; the corpus is a line {"_id": id, "title": "", "text": text} for each chunk.',
            ]
        notes.append("Ask for relevance from 2 (R(rel=2)) to count required sources alone.")
        notes.append("Alternatives of one evidence group all count as needed: the format has no word for them.")
        return self._outcome


TARGET = Streamed(
    name="ir",
    evaluator="TREC and BEIR tools",
    tested="ir_measures 0.4.3, pytrec_eval 0.5.11",
    summary="qrels.trec (grades 2, 1, 0), run.trec with a run, the layout of BEIR",
    carries=frozenset({"id", "expectedSourceIds", "risk", "language", "domain", "partition"}),
    partly={
        "turns": "only in the layout of BEIR, as one text",
        "risk": _OF_QUERY,
        "language": _OF_QUERY,
        "domain": _OF_QUERY,
        "partition": "only in the layout of BEIR, by file",
        "evidence.sourceId": "each source once, in the order of its grade",
        "evidence.role": _GRADED,
    },
    writer=_Writer,
)
