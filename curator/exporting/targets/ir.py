"""Information retrieval: TREC qrels for ir_measures, pytrec_eval, ranx; the BEIR layout where all sources are there."""

from __future__ import annotations

from curator.exporting.targets.files import JsonLines, Table
from curator.exporting.targets.protocol import Choices, Folder, Line, Outcome, Release, Stream
from curator.exporting.targets.streamed import Streamed
from curator.exporting.targets.texts import grades, is_retrieval, transcript

_QRELS_HEADER = ("query-id", "corpus-id", "score")  # without it the BEIR loader loses the first judgement
_OF_QUERY = "only with beir/, as metadata of the query"
_GRADED = "as a grade, the best one of a source: required 2, supporting 1, distractor 0"


class _Writer:
    def __init__(self, release: Release, folder: Folder, choices: Choices) -> None:
        self._folder = folder
        self._answers = choices.answers
        self._qrels: Stream | None = None
        self._run: Stream | None = None
        self._splits: dict[str, Table] = {}
        self._queries = JsonLines(folder, "beir/queries.jsonl")
        self._corpus = JsonLines(folder, "beir/corpus.jsonl")
        self._cited: set[str] = set()
        self._uncited = False
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
                table = Table(self._folder, f"beir/qrels/{split}.tsv", _QRELS_HEADER, "\t", of_ids=True)
                self._splits[split] = table
            for name, grade in judged:
                table.write((case["id"], name, grade))
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
        self._uncited = self._uncited or source["id"] not in self._cited
        self._corpus.write(
            {
                "_id": source["id"],
                "title": source["tableTitle"] or " > ".join(source["sectionPath"]),
                "text": source["text"],
                "metadata": {"documentId": source["documentId"], "page": source["page"]},
            }
        )

    def finish(self) -> Outcome:
        notes = self._outcome.notes
        self._outcome.carries = frozenset({"risk", "language", "domain", "partition"}) if self._uncited else frozenset()
        if not self._uncited:
            self._folder.discard("beir")
            notes.append(
                "beir/ is not written: this release holds the cited sources alone, and among them finding is too easy."
            )
        notes.append("Ask for relevance from 2 (R(rel=2)) to count required sources alone.")
        notes.append("Alternatives of one evidence group all count as needed: the format has no word for them.")
        return self._outcome


TARGET = Streamed(
    name="ir",
    evaluator="TREC and BEIR tools",
    tested="ir_measures 0.4.3, pytrec_eval 0.5.11",
    summary="qrels.trec (grades 2, 1, 0), run.trec with a run, beir/ from a release with all sources",
    carries=frozenset({"id", "expectedSourceIds"}),
    partly={
        "turns": "only with beir/, as one text",
        "risk": _OF_QUERY,
        "language": _OF_QUERY,
        "domain": _OF_QUERY,
        "partition": "only with beir/, by file",
        "evidence.sourceId": "each source once, in the order of its grade",
        "evidence.role": _GRADED,
    },
    writer=_Writer,
)
