"""Result files of evaluators become answers: whose, what was said, retrieved, cited, measured, and what failed."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from curator.domain.answers import Answer, Retrieved
from curator.errors import InputError
from curator.exporting.runs.reading import RunFile, files_of
from curator.progress import Silent

ID = "school-health-7k2m9q"


def read(path: Path) -> tuple[str, list[Answer | str]]:
    file = RunFile(path, Silent())
    return file.format, [told.answer for told in file.answers()]


def one(path: Path, text: str) -> Answer:
    path.write_text(text, "utf-8")
    _, (found,) = read(path)
    assert isinstance(found, Answer)
    return found


RAGAS = {
    "user_input": "How long?", "retrieved_contexts": ["a", "b"], "retrieved_context_ids": ["g:1", "g:2"],
    "response": "4 days", "reference": "4 days", "faithfulness": 0.5, "context_recall": float("nan"),
}  # fmt: skip


@pytest.mark.parametrize("form", ["lines", "list", "csv"])
def test_ragas(tmp_path: Path, form: str) -> None:
    text = json.dumps([RAGAS] if form == "list" else RAGAS)
    if form == "csv":
        stream = io.StringIO()
        writer = csv.DictWriter(stream, list(RAGAS))
        writer.writeheader()
        writer.writerow(RAGAS | {"context_recall": ""})
        text = stream.getvalue()
    found = one(tmp_path / "r", text)
    assert (found.turns_asked, found.answer) == (("How long?",), "4 days")
    assert found.retrieved == (Retrieved("g:1", "a", 1), Retrieved("g:2", "b", 2))
    assert found.scores == {"faithfulness": 0.5}


@pytest.mark.parametrize("orient", ["columns", "split", "table"])
def test_ragas_as_pandas_writes_it(tmp_path: Path, orient: str) -> None:
    row = RAGAS | {"context_recall": None}
    tables = {
        "columns": {k: {"0": v} for k, v in row.items()},
        "split": {"columns": list(row), "index": [0], "data": [list(row.values())]},
        "table": {"schema": {"fields": []}, "data": [{"index": 0, **row}]},
    }
    found = one(tmp_path / "r", json.dumps(tables[orient]))
    assert (found.answer, found.retrieved) == ("4 days", (Retrieved("g:1", "a", 1), Retrieved("g:2", "b", 2)))
    assert found.scores["faithfulness"] == 0.5


TRACE = {
    "input": {"question": "How long?"}, "output": {"answer": "4 days", "retrieved": [{"id": "g:1", "text": "a"}]},
    "expectedOutput": {"answer": "5 days", "behavior": "refuse"}, "metadata": {"caseId": ID, "route": "lookup"},
    "scores": [{"name": "right", "value": 1}, {"name": "comment", "value": "fine"}], "latency": 1.5, "totalCost": 0.25,
}  # fmt: skip
FLAT = {
    "inputs.question": "How long?", "inputs.turns": ["How long?"], "outputs.answer": "4 days", "error": None,
    "outputs.retrieved": [{"id": "g:1", "text": "a"}], "reference.answer": "5 days", "reference.behavior": "refuse",
    "feedback.right": 1.0, "execution_time": 1.5, "example_id": "e", "id": "r",
}  # fmt: skip


@pytest.mark.parametrize("form", ["trace", "chat", "flat", "csv"])
def test_rows_of_input_and_output(tmp_path: Path, form: str) -> None:
    chat = TRACE | {"input": {"messages": [{"role": "system", "content": "Be brief."},
                                           {"role": "user", "content": "How long?"}]}}  # fmt: skip
    text = json.dumps({"trace": [TRACE], "chat": chat, "flat": [FLAT], "csv": []}[form])
    if form == "csv":
        stream = io.StringIO()
        writer = csv.DictWriter(stream, list(FLAT))
        writer.writeheader()
        writer.writerow(FLAT)
        text = stream.getvalue()
    found = one(tmp_path / "r", text)
    assert (found.turns_asked, found.answer, found.behavior) == (("How long?",), "4 days", "")
    assert found.retrieved == (Retrieved("g:1", "a", 1),)
    assert (found.scores, found.latency_ms, found.stage) == ({"right": 1.0}, 1500.0, "none")
    assert found.route == ""


def test_a_row_with_an_error_failed_in_the_harness(tmp_path: Path) -> None:
    found = one(tmp_path / "r", json.dumps({"inputs": {"question": "Q"}, "outputs": None, "error": "TimeoutError()"}))
    assert (found.stage, found.error) == ("harness", "TimeoutError()")


def test_ragas_without_ids_and_with_a_conversation(tmp_path: Path) -> None:
    talk = [{"type": "human", "content": "One?"}, {"type": "ai", "content": "1"}, {"type": "human", "content": "Two?"},
            {"type": "ai", "content": "2"}]  # fmt: skip
    found = one(tmp_path / "r", json.dumps({"user_input": talk, "reference": ""}))
    assert (found.turns_asked, found.answer, found.retrieved) == (("One?", "Two?"), "2", None)


def test_deepeval(tmp_path: Path) -> None:
    single = {
        "name": ID, "input": "How long?", "actualOutput": "4 days", "retrievalContext": ["a"], "success": False,
        "completionTime": 1.5, "tokenCost": 0.01, "metadata": {"behavior": "answer", "route": "expected"},
        "metricsData": [{"name": "Faithfulness", "score": 0.25, "success": False}, {"name": "Odd", "score": None}],
    }  # fmt: skip
    talk = {
        "name": "conversational_test_case_0", "success": True, "metricsData": [],
        "turns": [{"role": "user", "content": "One?", "order": 0}, {"role": "assistant", "content": "1", "order": 1},
                  {"role": "user", "content": "Two?", "order": 2},
                  {"role": "assistant", "content": "2", "order": 3, "retrievalContext": ["b"]}],
    }  # fmt: skip
    dead = {"name": "x", "input": "Dead?", "actualOutput": None, "success": False}
    path = tmp_path / "d.json"
    path.write_text(json.dumps({"testCases": [single, dead], "conversationalTestCases": [talk]}, indent=1))
    form, (first, second, third) = read(path)
    assert form == "deepeval"
    assert isinstance(first, Answer)
    assert isinstance(second, Answer)
    assert isinstance(third, Answer)
    assert (first.case_id, first.behavior, first.route, first.retrieved) == (
        ID, "answer", "", (Retrieved("", "a", 1),)
    )  # fmt: skip
    assert (first.latency_ms, first.cost_usd, first.scores, first.verdict) == (
        1500,
        0.01,
        {"Faithfulness": 0.25},
        False,
    )
    assert second.stage == "harness"
    assert (third.turns_asked, third.answer, third.retrieved) == (("One?", "Two?"), "2", (Retrieved("", "b", 1),))
    assert [(t.turn, t.answer, t.retrieved) for t in third.turns] == [(1, "1", None)]


PROMPTFOO: dict[str, Any] = {
    "vars": {"caseId": ID, "query": "How long?"}, "latencyMs": 12, "cost": 0.02, "score": 0.5, "success": True,
    "namedScores": {"tone": 1},
    "response": {"output": {"answer": "4 days", "retrieved": ["g:1"], "behavior": "answer"}},
    "testCase": {"description": ID, "vars": {}, "metadata": {"route": "expected"}}, "failureReason": 0,
}  # fmt: skip


@pytest.mark.parametrize("form", ["json", "jsonl"])
def test_promptfoo(tmp_path: Path, form: str) -> None:
    document = {"evalId": "e", "results": {"version": 3, "results": [PROMPTFOO], "stats": {}}, "config": {}}
    found = one(tmp_path / "p", json.dumps(document, indent=2) if form == "json" else json.dumps(PROMPTFOO))
    assert (found.case_id, found.answer, found.behavior, found.route) == (ID, "4 days", "answer", "")
    assert (found.retrieved, found.latency_ms, found.cost_usd) == ((Retrieved("g:1", "", 1),), 12, 0.02)
    assert (found.scores, found.verdict) == ({"tone": 1, "score": 0.5}, True)
    broken = PROMPTFOO | {"response": {"error": "x"}, "error": "timeout", "failureReason": 2}
    assert one(tmp_path / "p", json.dumps(broken)).stage == "harness"
    failed = PROMPTFOO | {"response": {"output": "no"}, "error": "Expected ...", "failureReason": 1}
    assert one(tmp_path / "p", json.dumps(failed)).stage == "none"


SAMPLE: dict[str, Any] = {
    "id": ID, "epoch": 1, "input": [{"role": "user", "content": "How long?"}], "target": "4 days", "total_time": 2.0,
    "output": {"choices": [{"message": {"role": "assistant", "content": [{"type": "text", "text": "4 days"}]}}]},
    "scores": {"words": {"value": "C"}, "parts": {"value": {"a": 1, "b": "I"}}}, "metadata": {"route": "expected"},
    "store": {"retrieved": [{"id": "g:1", "text": "a", "rank": 1}], "citations": ["g:1"]},
}  # fmt: skip


@pytest.mark.parametrize("form", ["json", "eval"])
def test_inspect_ai(tmp_path: Path, form: str) -> None:
    path = tmp_path / f"log.{form}"
    if form == "eval":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("header.json", "{}")
            archive.writestr(f"samples/{ID}_epoch_1.json", json.dumps(SAMPLE))
    else:
        path.write_text(json.dumps({"version": 2, "status": "success", "eval": {}, "samples": [SAMPLE]}, indent=2))
    form, (found,) = read(path)
    assert form == "inspect_ai"
    assert isinstance(found, Answer)
    assert (found.case_id, found.answer, found.turns_asked, found.route) == (ID, "4 days", ("How long?",), "")
    assert (found.retrieved, found.citations) == ((Retrieved("g:1", "a", 1),), ("g:1",))
    assert (found.latency_ms, found.scores) == (2000, {"words": 1.0, "parts.a": 1.0, "parts.b": 0.0})
    dead = one(tmp_path / "d", json.dumps({"eval": {}, "samples": [SAMPLE | {"error": {"message": "boom"}}]}))
    assert (dead.stage, dead.error) == ("harness", "boom")


def turn(asked: str, said: str, *names: str, **results: float) -> dict[str, Any]:
    passages = [{"content": {"text": n}, "metadata": {"sourceId": n}} for n in names]
    return {
        "inputRecord": {"prompt": {"content": [{"text": asked}]}, "referenceResponses": []},
        "output": {
            "text": said, "knowledgeBaseIdentifier": "kb", "retrievedPassages": {"retrievalResults": passages},
            "citations": [{"generatedResponsePart": {}, "retrievedReferences": passages[:1]}],
        },
        "results": [{"metricName": k, "result": v, "evaluatorDetails": []} for k, v in results.items()],
    }  # fmt: skip


def test_bedrock(tmp_path: Path) -> None:
    found = one(tmp_path / "b", json.dumps({"conversationTurns": [turn("One?", "1", "g:1"),
                                            turn("Two?", "2", "g:2", "g:3", Correctness=0.75)]}))  # fmt: skip
    assert (found.turns_asked, found.answer) == (("One?", "Two?"), "2")
    assert [r.id for r in found.retrieved or ()] == ["g:2", "g:3"]
    assert (found.citations, found.scores) == (("g:2",), {"Correctness": 0.75})
    assert [(t.turn, t.answer) for t in found.turns] == [(1, "1")]
    judged = {
        "automatedEvaluationResult": {"scores": [{"metricName": "Builtin.Correctness", "result": 1.0}]},
        "inputRecord": {"prompt": "How long?", "referenceResponse": "4 days"},
        "modelResponses": [{"response": "4 days", "modelIdentifier": "m"}],
    }
    found = one(tmp_path / "b", json.dumps(judged))
    assert (found.turns_asked, found.answer, found.retrieved) == (("How long?",), "4 days", None)


def test_a_folder_holds_one_run_or_several_results(tmp_path: Path) -> None:
    for name in ("b.json", "a.jsonl", "notes.txt"):
        (tmp_path / name).write_text("{}")
    assert [p.name for p in files_of(tmp_path)] == ["a.jsonl", "b.json"]
    (tmp_path / "run.jsonl").write_text("{}")
    assert [p.name for p in files_of(tmp_path)] == ["run.jsonl"]


@pytest.mark.parametrize(
    "data",
    [b"PK\x03\x04 broken", b"[1, 2", b'{"testCases": "none"}', b'{"results": {"results": [3]}}', b"\x00\x01", b"[[[[",
     b'{"a": 1}', b"user_input\n"],
)  # fmt: skip
def test_a_broken_file_is_one_line(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "odd"
    path.write_bytes(data)
    try:
        _, found = read(path)
    except InputError as error:
        found = [error.message]
    assert all(isinstance(row, str) and "\n" not in row for row in found)


@pytest.mark.parametrize(
    "row",
    [
        {"inputs": {"question": "Q"}, "outputs": {"answer": "4 days", "mustNotClaim": []}, "metadata": {"caseId": "a"}},
        {"input": "Q", "output": {"answer": "4 days", "expectedBehavior": "answer"}},
        {"id": "1", "dataset_id": "2", "inputs": {"question": "Q"}, "outputs": {"answer": "4 days"}},
        {"inputs.question": "Q", "outputs.answer": "4 days", "outputs.acceptableAnswers": "[]"},
    ],
)
def test_what_is_expected_is_no_run(tmp_path: Path, row: dict[str, object]) -> None:
    (tmp_path / "r.jsonl").write_text(json.dumps(row) + "\n", "utf-8")
    with pytest.raises(InputError, match="no run of a form"):
        read(tmp_path / "r.jsonl")


@pytest.mark.parametrize("asked", ["Q", [{"type": "ai", "content": "4 days"}, {"type": "human", "content": "Q"}]])
def test_questions_without_answers_are_no_run_of_ragas(tmp_path: Path, asked: object) -> None:
    (tmp_path / "r.jsonl").write_text(json.dumps({"user_input": asked, "reference": "4 days"}) + "\n", "utf-8")
    _, (told,) = read(tmp_path / "r.jsonl")
    assert told == "no response and nothing retrieved: a row of a data set"
