"""Reads each format back into what it says of cases: the other half of the contract, written from the format alone."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from curator.exporting.targets.lost import FIELDS

Fields = dict[str, Any]
"""Field -> value; "evidence.page" -> the value of each entry."""


def fields_of(case: dict[str, Any]) -> Fields:
    """A case as fields; what it does not have is absent."""
    found: Fields = {}
    for field in FIELDS:
        key, _, inner = field.partition(".")
        if key not in case:
            continue
        if not inner:
            found[field] = case[key]
        elif all(inner in entry for entry in case[key]):
            found[field] = [entry[inner] for entry in case[key]]
    return found


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]


def tsv(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(path.read_text("utf-8")), delimiter="\t"))


def _nested(
    file: str, given: str, wanted: str, rest: str = "metadata", key: str = "caseId"
) -> Callable[[Path], Iterator[dict[str, Any]]]:
    """The experiment platforms: input, expectation, metadata; key: where the id of the case is."""

    def read(folder: Path) -> Iterator[dict[str, Any]]:
        for row in rows(folder / file):
            case_id = row[rest]["caseId"] if key == "metadata" else row[key]
            yield {**row[rest], "id": case_id, "turns": row[given]["turns"], "referenceAnswer": row[wanted]["answer"]}

    return read


def _canonical(*names: str) -> Callable[[Path], Iterator[dict[str, Any]]]:
    def read(folder: Path) -> Iterator[dict[str, Any]]:
        for name in names:
            yield from rows(folder / name)

    return read


def _azure(folder: Path) -> Iterator[dict[str, Any]]:
    for row in rows(folder / "data.jsonl"):
        yield {**row["metadata"], "id": row["caseId"], "referenceAnswer": row["ground_truth"]}


def _trulens(folder: Path) -> Iterator[dict[str, Any]]:
    for row in rows(folder / "ground_truth.jsonl"):
        yield {**row["meta"], "id": row["query_id"], "referenceAnswer": row["expected_response"]}


def _openai(folder: Path) -> Iterator[dict[str, Any]]:
    for row in rows(folder / "items.jsonl"):
        yield {**row["item"], "id": row["item"]["caseId"]}


def _vertex(folder: Path) -> Iterator[dict[str, Any]]:
    for row in rows(folder / "eval_cases.jsonl"):
        said = [*(h["content"] for h in row.get("conversation_history", ())), row["prompt"]]
        answer = row["reference"]["response"]["parts"][0]["text"]
        yield {
            "id": row["eval_case_id"],
            "turns": [c["parts"][0]["text"] for c in said],
            "referenceAnswer": answer,
        }


def _inspect(folder: Path) -> Iterator[dict[str, Any]]:
    for row in rows(folder / "samples.jsonl"):
        given = row["input"]
        turns = [given] if isinstance(given, str) else [m["content"] for m in given]
        yield {**row["metadata"], "id": row["id"], "turns": turns, "referenceAnswer": row["target"]}


def _promptfoo(folder: Path) -> Iterator[dict[str, Any]]:
    for row in rows(folder / "tests.jsonl"):
        yield {**row["metadata"], "id": row["description"]}


def _deepeval(folder: Path) -> Iterator[dict[str, Any]]:
    for row in json.loads((folder / "goldens.json").read_text("utf-8")):
        answer = row["expected_output"]
        yield {**row["additional_metadata"], "id": row["name"], "turns": [row["input"]], "referenceAnswer": answer}
    for row in rows(folder / "conversational.jsonl"):
        turns = [t["content"] for t in row["turns"]]
        answer = row["expected_outcome"]
        yield {**row["additional_metadata"], "id": row["name"], "turns": turns, "referenceAnswer": answer}


def _ragas(folder: Path) -> Iterator[dict[str, Any]]:
    golden, multi = rows(folder / "golden.jsonl"), rows(folder / "multi.jsonl")
    talks = {}
    names = {}
    for entry in rows(folder / "index.jsonl"):
        if entry["file"] == "multi.jsonl":
            talks[entry["id"]] = [m["content"] for m in multi[entry["line"] - 1]["user_input"]]
        else:
            names[entry["line"]] = entry["id"]
    for number, row in enumerate(golden, 1):
        cited = zip(row["reference_context_ids"], row["reference_contexts"], strict=True)
        yield {
            "id": names[number],
            "turns": talks.get(names[number], [row["user_input"]]),
            "referenceAnswer": row["reference"],
            "expectedSourceIds": row["reference_context_ids"],
            "evidence": [{"sourceId": i, "quote": t} for i, t in cited],
        }


def _mlflow(folder: Path) -> Iterator[dict[str, Any]]:
    for row in rows(folder / "records.jsonl"):
        wanted, given = row["expectations"], row["inputs"]
        contexts = wanted["expected_retrieved_context"]
        yield {
            **row["tags"],
            "id": row["tags"]["caseId"],
            "turns": given["turns"],
            "asOf": given["asOf"],
            "asker": given["asker"],
            "referenceAnswer": wanted.get("expected_response", ""),
            "keyProvisions": [{"text": text} for text in wanted.get("expected_facts", ())],
            "expectedSourceIds": [c["doc_uri"] for c in contexts],
            "evidence": [{"sourceId": c["doc_uri"], "quote": c["content"]} for c in contexts],
            "requiredBehaviors": wanted.get("guidelines", []),
        }


def _ir(folder: Path) -> Iterator[dict[str, Any]]:
    roles = {"2": "required", "1": "supporting", "0": "distractor"}
    found: dict[str, dict[str, Any]] = {}
    for line in (folder / "qrels.trec").read_text("utf-8").splitlines():
        name, _, source, grade = line.split(" ")
        case = found.setdefault(name, {"id": name, "evidence": [], "expectedSourceIds": []})
        case["evidence"].append({"sourceId": source, "role": roles[grade]})
        case["expectedSourceIds"] += [source] if grade == "2" else []
    for beir in folder.glob("beir*"):
        for row in rows(beir / "queries.jsonl"):
            found[row["_id"]] |= {"turns": [row["text"]], **row["metadata"]}
        for path in (beir / "qrels").glob("*.tsv"):
            for judged in tsv(path) if path.stem != "test" else ():
                found[judged["query-id"]]["partition"] = path.stem
    yield from found.values()


def _bedrock(folder: Path) -> Iterator[dict[str, Any]]:
    files = {p.name: rows(p) for p in folder.glob("*.jsonl")}
    found: dict[str, dict[str, Any]] = {}
    for entry in tsv(folder / "bedrock-index.tsv"):
        row = files[entry["file"]][int(entry["line"]) - 1]
        case = found.setdefault(entry["id"], {"id": entry["id"], "turns": [], "turnExpectations": []})
        if entry["file"].startswith("model_eval_judge"):
            case |= {"domain": row.get("category", ""), "referenceAnswer": row["referenceResponse"]}
        elif entry["file"].startswith("retrieve_and_generate"):
            for turn in row["conversationTurns"]:
                case["turns"].append(turn["prompt"]["content"][0]["text"])
                if "referenceResponses" in turn:
                    said = turn["referenceResponses"][0]["content"][0]["text"]
                    case["turnExpectations"].append({"turn": len(case["turns"]), "referenceAnswer": said})
    for case in found.values():
        case["turnExpectations"].pop()  # the last turn's is the reference answer
        yield case


READERS: dict[str, Callable[[Path], Iterator[dict[str, Any]]]] = {
    "azure": _azure,
    "bedrock": _bedrock,
    "braintrust": _nested("records.jsonl", "input", "expected", key="id"),
    "croissant": _canonical("dev.jsonl", "followup_dev.jsonl"),
    "deepeval": _deepeval,
    "frictionless": _canonical("dev.jsonl", "followup_dev.jsonl"),
    "hf": _canonical("dev.jsonl", "followup_dev.jsonl"),
    "inspect_ai": _inspect,
    "ir": _ir,
    "langfuse": _nested("items.jsonl", "input", "expected_output", key="metadata"),
    "langsmith": _nested("examples.jsonl", "inputs", "outputs", key="metadata"),
    "lm_eval": _canonical("golden.jsonl"),
    "mlflow": _mlflow,
    "openai_evals": _openai,
    "opik": _nested("items.jsonl", "input", "expected_output"),
    "phoenix": _nested("examples.jsonl", "input", "output", key="metadata"),
    "promptfoo": _promptfoo,
    "ragas": _ragas,
    "trulens": _trulens,
    "vertex": _vertex,
}
