"""What single formats ask for: shards, pieces, own answers, cells that no spreadsheet obeys, checks by words."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from curator.domain.canonical import content_hash
from curator.errors import InputError
from curator.exporting.line import source_line
from curator.exporting.release import ReleaseInput, documents_of, render
from curator.exporting.targets.files import defused
from curator.exporting.targets.inspect_task import TASK_FILE
from curator.exporting.targets.promptfoo import inert
from curator.exporting.targets.wording import REFUSAL, checks
from curator.services.targets import export
from tests.exporting.conftest import SOURCES
from tests.exporting.targets.conftest import chunk_nobody_cites, write_release
from tests.exporting.targets.readers import rows, tsv

ROW = "Table 2. Exclusion\nAnnex A > Rash\nDisease: Measles; Exclusion > Period (days): 4"


def numbered(line: dict[str, Any], number: int) -> dict[str, Any]:
    """The same case under another id, asking something else."""
    signs = "0123456789abcdefghjkmnpqrstvwxyz"
    name = "".join(signs[number // 32**k % 32] for k in (2, 1, 0))
    made = line | {"id": f"many-zzz{name}", "turns": [f"{line['turns'][0]} ({number})"]}
    return made | {"contentHash": content_hash(made)}


@pytest.fixture
def many(make: Callable[..., ReleaseInput], lines: list[dict[str, Any]], tmp_path: Path) -> Path:
    """A release of more cases than a job of Bedrock takes."""
    line = next(n for n in lines if n["id"] == "emission-3v8d0n")
    more = [numbered(line, n) for n in range(1001)]
    data = make(lines=[*lines, *more], documents=documents_of(lines))
    return write_release(tmp_path / "many" / "2.0.0", render(data))


def test_bedrock_shards_at_a_thousand_and_the_index_finds_every_line(many: Path) -> None:
    export(many, ["bedrock"])
    folder = many.parent / "2.0.0.targets" / "bedrock"
    sizes = {p.name: len(rows(p)) for p in folder.glob("*.jsonl")}
    assert sizes["retrieve_only.jsonl"] == sizes["retrieve_and_generate.jsonl"] == 1000
    assert sizes["retrieve_only-2.jsonl"] > 0
    asked = {line["id"]: line["turns"] for name in ("dev", "followup_dev") for line in rows(many / f"{name}.jsonl")}
    index = tsv(folder / "bedrock-index.tsv")
    assert len(index) == sum(sizes.values())
    files = {name: rows(folder / name) for name in sizes}
    for entry in index:
        row = files[entry["file"]][int(entry["line"]) - 1]
        first = row["conversationTurns"][0]["prompt"]["content"][0]["text"] if "prompt" not in row else row["prompt"]
        assert asked[entry["id"]][0] in first


def test_a_long_talk_is_left_out_or_cut_from_its_end(rich: Path) -> None:
    folder = rich.parent / "2.0.0.targets" / "bedrock"
    refused = export(rich, ["bedrock"]).targets[0]
    assert refused.left_out["it has more than 5 turns (--long-followups split cuts it into pieces)"] == 1
    export(rich, ["bedrock"], long_followups="split")
    index = [e for e in tsv(folder / "bedrock-index.tsv") if e["id"] == "case-0d0d0d"]
    pieces = [e for e in index if e["file"] == "retrieve_and_generate.jsonl"]
    assert [e["part"] for e in pieces] == ["1/2", "2/2"]
    lines = rows(folder / "retrieve_and_generate.jsonl")
    turns = [lines[int(e["line"]) - 1]["conversationTurns"] for e in pieces]
    assert [len(t) for t in turns] == [2, 5]  # the turn that is judged keeps as much before it as it may
    assert turns[0][0]["referenceResponses"] == [{"content": [{"text": "First."}]}]
    assert "referenceResponses" not in turns[0][1]
    assert turns[1][-1]["referenceResponses"] == [{"content": [{"text": "Seven turns."}]}]


def said(case_id: str, **changed: Any) -> dict[str, Any]:
    found = {"id": "my:1", "text": "Penalties up to 10 million.", "rank": 1, "score": 0.5}
    return {
        "caseId": case_id, "answer": "Up to 10 million.", "behavior": "answer", "retrieved": [found],
        "citations": [{"sourceId": "my:1", "claim": "10 million"}, {"sourceId": "my:2", "claim": "Up"}], "route": "",
        "stageError": "", "latencyMs": 1, "costUsd": 0, "turns": [],
    } | changed  # fmt: skip


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Answers of a system to some cases of the rich release."""
    earlier = {"turn": 1, "answer": "It caps.", "behavior": "answer", "retrieved": []}
    answers = [
        said("emission-3v8d0n"), said("school-health-7k2m9q", answer="", stageError="generation: timeout"),
        said("emission-w4c6tz", turns=[earlier]), said("emission-0e0e0e"),
    ]  # fmt: skip
    path = tmp_path / "run.jsonl"
    path.write_text("".join(json.dumps(a) + "\n" for a in answers), "utf-8")
    (tmp_path / "run.json").write_text(
        json.dumps({"system": "My RAG/2", "suite": "regulated", "version": "2.0.0"}), "utf-8"
    )
    return path


def test_bedrock_takes_a_systems_own_answers(rich: Path, run: Path) -> None:
    export(rich, ["bedrock"], run=run)
    folder = rich.parent / "2.0.0.targets" / "bedrock"
    retrieved, generated = rows(folder / "byoi_retrieve.jsonl"), rows(folder / "byoi_retrieve_and_generate.jsonl")
    outputs = [t["output"] for row in generated for t in row["conversationTurns"]]
    assert {o["knowledgeBaseIdentifier"] for o in outputs} == {"My-RAG-2"}
    assert [len(row["conversationTurns"]) for row in generated] == [1, 2]
    result = retrieved[0]["conversationTurns"][0]["output"]["retrievedResults"]["retrievalResults"][0]
    assert result == {
        "name": "my:1",
        "content": {"text": "Penalties up to 10 million."},
        "metadata": {"sourceId": "my:1"},
    }
    (cited,) = outputs[0]["citations"]  # a citation of something that was not retrieved is none
    assert cited["generatedResponsePart"]["textResponsePart"] == {"span": {"start": 6, "end": 15}, "text": "10 million"}
    judged = rows(folder / "model_eval_judge_byoi.jsonl")
    assert judged[0]["modelResponses"] == [{"response": "Up to 10 million.", "modelIdentifier": "My-RAG-2"}]
    page = (folder / "LOST.md").read_text("utf-8")
    assert "| `byoi_retrieve_and_generate.jsonl` | the run has no answer for it | 1 |" in page
    assert "| `byoi_retrieve_and_generate.jsonl` | the run has no answer of an earlier turn | 1 |" in page


def test_answers_stand_beside_the_truth_where_a_format_has_both(rich: Path, run: Path) -> None:
    export(rich, ["ragas", "ir"], run=run)
    folder = rich.parent / "2.0.0.targets"
    ids = {e["line"]: e["id"] for e in rows(folder / "ragas" / "index.jsonl") if e["file"] == "golden.jsonl"}
    golden = {ids[n]: row for n, row in enumerate(rows(folder / "ragas" / "golden.jsonl"), 1)}
    assert golden["emission-3v8d0n"]["response"] == "Up to 10 million."
    assert golden["emission-3v8d0n"]["retrieved_context_ids"] == ["my:1"]
    assert "response" not in golden["case-b8z4rj"]
    trec = (folder / "ir" / "run.trec").read_text("utf-8").splitlines()
    assert "emission-3v8d0n Q0 my:1 1 0.500000 My-RAG-2" in trec


def test_a_run_of_another_release_or_with_a_broken_line_is_refused(rich: Path, run: Path) -> None:
    settings = run.with_suffix(".json")
    settings.write_text(json.dumps({"system": "x", "suite": "regulated", "version": "1.0.0"}), "utf-8")
    with pytest.raises(InputError, match=r"regulated 1\.0\.0, not of regulated 2\.0\.0"):
        export(rich, ["ragas"], run=run)
    settings.unlink()
    run.write_text(json.dumps(said("a-000000")) + "\n" + '{"caseId": "b-000000"}\n', "utf-8")
    with pytest.raises(InputError, match=r"run.jsonl line 2: answer: missing"):
        export(rich, ["ragas"], run=run)
    run.write_text((json.dumps(said("a-000000")) + "\n") * 2, "utf-8")
    with pytest.raises(InputError, match="a-000000 stands twice"):
        export(rich, ["ragas"], run=run)


def test_rows_go_out_with_title_section_and_header(rich: Path) -> None:
    export(rich, ["all"])
    folder = rich.parent / "2.0.0.targets"
    seen = {
        "ragas": [t for r in rows(folder / "ragas" / "golden.jsonl") for t in r["reference_contexts"]],
        "deepeval": [t for r in rows(folder / "deepeval" / "goldens.jsonl") for t in r["context"]],
        "langfuse": [t for r in rows(folder / "langfuse" / "items.jsonl") for t in r["expected_output"]["contexts"]],
        "mlflow": [
            c["content"]
            for r in rows(folder / "mlflow" / "records.jsonl")
            for c in r["expectations"]["expected_retrieved_context"]
        ],
        "trulens": [c["text"] for r in rows(folder / "trulens" / "ground_truth.jsonl") for c in r["expected_chunks"]],
        "openai_evals": [t for r in rows(folder / "openai_evals" / "items.jsonl") for t in r["item"]["contexts"]],
    }
    for name, texts in seen.items():
        assert ROW in texts, name
        assert "Measles | 4" not in texts, name
    assert any(ROW in r["context"] for r in rows(folder / "azure" / "data.jsonl"))


def test_the_beir_corpus_has_the_same_text_of_a_row(rich: Path) -> None:
    export(rich, ["ir"])
    corpus = {r["_id"]: r for r in rows(rich.parent / "2.0.0.targets" / "ir" / "beir" / "corpus.jsonl")}
    assert corpus["guideline.exclusion:measles"]["text"] == ROW
    assert "emission:article-9" in corpus


def test_an_id_that_begins_with_a_dash_is_the_same_in_every_file(
    make: Callable[..., ReleaseInput], every_line: list[dict[str, Any]], tmp_path: Path
) -> None:
    def renamed(value: Any) -> Any:
        return json.loads(json.dumps(value, ensure_ascii=False).replace('"emission:article-8"', '"-art:8"'))

    lines = [renamed(line) for line in every_line]
    lines = [line | {"contentHash": content_hash(line)} for line in lines]
    sources = [*(renamed(source_line(s)) for s in SOURCES), chunk_nobody_cites()]
    release = tmp_path / "dash" / "2.0.0"
    sources.sort(key=lambda s: str(s["id"]))
    data = make(lines=lines, sources=sources, source_choice="all", documents=documents_of(lines))
    write_release(release, render(data))
    export(release, ["ir"])
    beir = release.parent / "2.0.0.targets" / "ir" / "beir"
    judged = {row["corpus-id"] for row in tsv(beir / "qrels" / "test.tsv")}
    assert "-art:8" in judged <= {row["_id"] for row in rows(beir / "corpus.jsonl")}


@pytest.mark.parametrize(
    ("cell", "safe"),
    [
        ("=1+1", "'=1+1"), ("+x", "'+x"), ("-x", "'-x"), ("@SUM", "'@SUM"), ("  =1", "'  =1"), ("|cmd", "'|cmd"),
        ("\t=1", "'\t=1"), ("＝1", "'＝1"), ("-5", "-5"), ("-5.5", "-5.5"), ("5 days", "5 days"), ("", ""),
        ("a=b", "a=b"), ("-5=1", "'-5=1"),
    ],
)  # fmt: skip
def test_a_cell_is_no_formula(cell: str, safe: str) -> None:
    assert defused(cell) == safe


def test_no_cell_of_a_csv_is_a_formula_and_every_context_stays_one(rich: Path) -> None:
    export(rich, ["deepeval"])
    folder = rich.parent / "2.0.0.targets" / "deepeval"
    with (folder / "goldens.csv").open(encoding="utf-8", newline="") as stream:
        table = list(csv.DictReader(stream))
    exact = {g["name"]: g for g in json.loads((folder / "goldens.json").read_text("utf-8"))}
    assert len(table) == len(exact)
    trap = next(row for row in table if row["name"] == "school-health-0a0a0a")
    assert trap["input"] == "'" + exact[trap["name"]]["input"]
    assert trap["expected_output"] == "'+4 days, never five."
    for row in table:
        assert not any(cell.startswith(("=", "+", "-", "@")) for cell in row.values()), row
        assert len(row["context"].split("|||")) == max(1, len(exact[row["name"]]["context"]))
        assert json.loads(row["additional_metadata"]) == exact[row["name"]]["additional_metadata"]


@pytest.mark.parametrize(
    ("text", "out"),
    [
        ("{{ env.KEY }}", "{{ '{{' }} env.KEY }}"),
        ("{% x %} {# y #}", "{{ '{%' }} x %} {{ '{#' }} y #}"),
        ("file:///etc/passwd", " file:///etc/passwd"),
        ("{plain}", "{plain}"),
    ],
)
def test_a_question_is_no_template_and_no_file_for_promptfoo(text: str, out: str) -> None:
    assert inert(text) == out


def right_and_wrong(case: dict[str, Any]) -> tuple[list[str], list[str]]:
    refusal = "I can't help with that: the sources do not cover it."
    wrong = ["", " ", "Bananas are yellow and the answer is seven."]
    right = (
        [refusal] if case["expectedBehavior"] == "refuse" else [case["referenceAnswer"]] * bool(case["referenceAnswer"])
    )
    wrong += [] if case["expectedBehavior"] == "refuse" else [refusal]
    held = checks(case)
    return right, wrong + [f"{r} {c}" for r in right for c in held.must_not_say]


def test_the_scorer_for_inspect_ai_passes_right_answers_and_no_wrong_one(samples: Path, rich: Path) -> None:
    """The task file imports inspect_ai; its judge stands alone."""
    judge: dict[str, Any] = {"re": re}
    pattern = TASK_FILE[TASK_FILE.index("REFUSAL = ") : TASK_FILE.index("\n\n\ndef judge")]
    body = TASK_FILE[TASK_FILE.index("def judge") : TASK_FILE.index("\n\n\n@scorer")]
    exec(f"{pattern}\n{body}", judge)
    compile(TASK_FILE, "task.py", "exec")
    for release in (samples, rich):
        export(release, ["inspect_ai"])
        for row in rows(release.parent / f"{release.name}.targets" / "inspect_ai" / "samples.jsonl"):
            case = row["metadata"] | {"referenceAnswer": row["target"]}
            right, wrong = right_and_wrong(case)
            for answer in right:
                assert not judge["judge"](answer, row["metadata"]["checks"]), (row["id"], answer)
            for answer in wrong:
                assert judge["judge"](answer, row["metadata"]["checks"]), (row["id"], answer)


def test_the_assertions_for_promptfoo_say_the_same(samples: Path) -> None:
    """icontains-any, not-icontains-any and the refusal pattern, worked out here as promptfoo does."""
    export(samples, ["promptfoo"])

    def passes(answer: str, test: dict[str, Any]) -> bool:
        low = answer.lower()
        found = {
            "icontains-any": lambda v: any(x.lower() in low for x in v),
            "not-icontains-any": lambda v: not any(x.lower() in low for x in v),
            "javascript": lambda v: v == f"/{REFUSAL}/i.test(output)" and bool(re.search(REFUSAL, answer, re.I)),
        }
        return all(found[a["type"]](a["value"]) for a in test["assert"])

    tests = rows(samples.parent / "1.0.0.targets" / "promptfoo" / "tests.jsonl")
    assert len(tests) == 23
    for test in tests:
        assert not [k for k, v in test["vars"].items() if not isinstance(v, str)]
        right, wrong = right_and_wrong(test["metadata"])
        assert all(passes(a, test) for a in right), test["description"]
        assert not any(passes(a, test) for a in wrong), test["description"]


def test_a_claim_that_the_reference_holds_is_not_asserted_and_said(rich: Path) -> None:
    export(rich, ["promptfoo"])
    folder = rich.parent / "2.0.0.targets" / "promptfoo"
    trap = next(t for t in rows(folder / "tests.jsonl") if t["description"] == "school-health-0a0a0a")
    assert trap["assert"][0] == {"type": "not-icontains-any", "value": ["ten days"]}
    assert "1 phrases that must not be claimed have no assertion" in (folder / "LOST.md").read_text("utf-8")


def test_configurations_are_what_their_tools_read(rich: Path) -> None:
    export(rich, ["promptfoo", "lm_eval", "openai_evals", "hf", "croissant"])
    folder = rich.parent / "2.0.0.targets"
    config = yaml.safe_load((folder / "promptfoo" / "promptfooconfig.yaml").read_text("utf-8"))
    assert config["prompts"] == ["{{query}}"]
    assert config["tests"] == "file://tests.jsonl"
    task = yaml.safe_load((folder / "lm_eval" / "golden.yaml").read_text("utf-8"))
    assert task["task"] == "golden_regulated"
    assert task["doc_to_text"] == "{% for turn in turns %}User: {{turn}}\n{% endfor %}Assistant:"
    schema = json.loads((folder / "openai_evals" / "item_schema.json").read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    for row in rows(folder / "openai_evals" / "items.jsonl"):
        assert not list(Draft202012Validator(schema).iter_errors(row["item"]))
    front = yaml.safe_load((folder / "hf" / "README.md").read_text("utf-8").split("---")[1])
    assert [f["path"] for f in front["configs"][0]["data_files"]] == ["dev.jsonl", "followup_dev.jsonl"]
    croissant = json.loads((folder / "croissant" / "croissant.json").read_text("utf-8"))
    assert [d["contentUrl"] for d in croissant["distribution"]] == ["dev.jsonl", "followup_dev.jsonl"]


def test_every_json_line_is_one_line_for_every_reader(rich: Path) -> None:
    export(rich, ["all"])
    for path in (rich.parent / "2.0.0.targets").rglob("*.jsonl"):
        text = path.read_bytes().decode("utf-8")
        assert text.endswith("\n"), path
        assert "\r" not in text, path
        assert len(text.splitlines()) == text.count("\n"), path


def test_mlflow_keeps_one_of_two_cases_that_ask_the_same(rich: Path) -> None:
    made = export(rich, ["mlflow"]).targets[0]
    assert made.left_out == {"another case asks the same: records are keyed by their inputs": 1}
    inputs = [json.dumps(r["inputs"]) for r in rows(Path(made.folder) / "records.jsonl")]
    assert len(set(inputs)) == len(inputs)
