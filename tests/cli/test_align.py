"""`curator align`: chunks in; a map, a suite in their ids and a report out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from curator import CuratorError, load_alignment
from curator.exporting.chunks import chunks_schema
from curator.exporting.schema import meaning
from tests.cli.conftest import Cli

ROOT = Path(__file__).parents[2]
RELEASE = ROOT / "exports" / "school-health" / "1.0.0"
CANONICAL = ROOT.parent / "shared" / "evaluators" / "_canonical"


def sources() -> list[dict[str, Any]]:
    return rows(RELEASE / "sources.jsonl")


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def write(path: Path, chunks: list[Any]) -> Path:
    path.write_text("".join((c if isinstance(c, str) else json.dumps(c)) + "\n" for c in chunks), "utf-8")
    return path


def chunk(source: dict[str, Any], text: str, part: str = "") -> dict[str, Any]:
    return {"id": f"my {source['id']}{part}", "text": text, "documentId": source["documentId"], "page": source["page"]}


def cut() -> list[dict[str, Any]]:
    """Every source as the system has it: rows without their tables, one text in two parts, one not at all."""
    made = []
    for source in sources():
        if source["kind"] == "row":
            made.append(chunk(source, "  ".join(source["tableCells"])))
        elif source["id"].endswith(":10.2"):
            at = source["text"].index("promise secrecy")
            made += [chunk(source, source["text"][:at], "/1"), chunk(source, source["text"][at:], "/2")]
        elif not source["id"].endswith(":7.4"):
            made.append(chunk(source, source["text"]))
    return made


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from curator.services.alignment import align

    folder = tmp_path_factory.mktemp("align")
    align(write(folder / "chunks.jsonl", cut()), RELEASE, to=folder / "out")
    return folder / "out"


def test_the_map_says_whole_split_torn_and_missing(made: Path) -> None:
    found = {line["sourceId"].split(":")[-1]: line for line in rows(made / "map.jsonl")}
    assert found["7.1"]["found"] == "whole"
    split = found["10.2"]
    assert split["found"] == "split"
    assert [a["chunks"] for a in split["alternatives"]] == [
        ["my school-health-guideline:10.2/1", "my school-health-guideline:10.2/2"]
    ]
    assert (found["measles"]["found"], found["measles"]["alternatives"][0]["lost"]) == ("torn", ["title", "header"])
    assert (found["7.4"]["found"], found["7.4"]["alternatives"]) == ("missing", [])


def test_the_suite_is_in_the_systems_ids_and_by_its_schema(made: Path) -> None:
    schema = json.loads((made / "case.schema.json").read_text("utf-8"))
    lines = rows(made / "dev.jsonl")
    for line in lines:
        jsonschema.Draft202012Validator(schema).validate(line)
    by_id = {line["id"]: line for line in lines}
    released = {c["id"]: c for c in rows(RELEASE / "dev.jsonl")}
    assert "school-health-2j0ytw" not in by_id, "its source is in no chunk"
    split = by_id["school-health-hpjy60"]
    parts = [(e["sourceId"], e["group"]) for e in split["evidence"] if e["role"] == "required"]
    group = released["school-health-hpjy60"]["evidence"][0]["group"]
    assert parts == [(f"my {group}/1", f"{group}#1"), (f"my {group}/2", f"{group}#2")], "both are needed"
    assert split["expectedSourceIds"] == [name for name, _ in parts]
    assert {"name": "alignment", "value": "split"} in split["attributes"]
    assert split["contentHash"] == released["school-health-hpjy60"]["contentHash"]
    report = json.loads((made / "alignment.json").read_text("utf-8"))
    assert [c["id"] for c in report["leftOut"]] == ["school-health-2j0ytw"]
    assert "title, header and row do not survive together" in (made / "REPORT.md").read_text("utf-8")
    judged = [line.split(" ") for line in (made / "qrels.trec").read_text("utf-8").splitlines()]
    assert all(len(fields) == 4 for fields in judged)


def test_what_was_retrieved_is_held_against_the_map(made: Path) -> None:
    alignment = load_alignment(made, suite="school-health", version="1.0.0")
    by_source = {p.source_id.split(":")[-1]: p for p in alignment.placements}

    def held(name: str, *retrieved: str) -> tuple[bool, int, tuple[str, ...], bool]:
        one = by_source[name]
        found = alignment.held(one.source_id, one.quote, [f"my school-health-guideline{r}" for r in retrieved])
        return found.satisfied, found.rank, found.lost, found.possible

    assert held("10.2", ":10.2/1", ":7.1") == (False, 0, (), True)
    assert held("10.2", ":10.2/2", ":7.1", ":10.2/1") == (True, 3, (), True)
    assert held("measles", ".table-4:measles") == (True, 1, ("title", "header"), True)
    assert held("7.4", ":7.1") == (False, 0, (), False)


def test_a_map_of_another_suite_or_one_that_was_changed_is_refused(made: Path, tmp_path: Path) -> None:
    with pytest.raises(CuratorError, match=r"is of school-health 1\.0\.0, not of school-health 2\.0\.0"):
        load_alignment(made, suite="school-health", version="2.0.0")
    for name in ("alignment.json", "map.jsonl"):
        (tmp_path / name).write_bytes((made / name).read_bytes().replace(b'"exact"', b'"aligned"'))
    with pytest.raises(CuratorError):
        load_alignment(tmp_path)
    with pytest.raises(CuratorError, match="is no alignment"):
        load_alignment(tmp_path / "nowhere")


HOSTILE = [
    ('{"id": "a", "text": null}', "text"),
    ('{"id": "", "text": "b"}', "id"),
    ('{"id": "a\\u0000", "text": "b"}', "NUL"),
    ('{"id": "a", "text": "b", "page": -1}', "page"),
    ('{"id": "a", "text": "b", "page": "3"}', "page"),
    ('{"id": "a", "text": "b", "page": true}', "page"),
    ('{"id": "a", "text": "b", "documentId": 7}', "documentId"),
    ('{"id": 7, "text": "b"}', "id"),
    ('{"text": "b"}', "id: missing"),
    ('["a", "b"]', "not an object"),
    ('{"id": "a", "id": "b", "text": "c"}', "twice"),
    ('{"id": "a", "text": "b", "score": NaN}', "NaN"),
    ("not json \x1b[31m", "not JSON"),
    ('{"id": "my school-health-guideline:7.1", "text": "again"}', "stands twice"),
    ("[" * 5000, "nested too deep"),
]


def test_hostile_lines_are_rejected_with_row_and_reason_and_the_others_are_taken(bare: Cli, tmp_path: Path) -> None:
    chunks = write(tmp_path / "chunks.jsonl", [*cut(), "", *(line for line, _ in HOSTILE)])
    ran = bare("align", chunks, RELEASE, "--to", tmp_path / "out", "--json")
    assert ran.code == 3
    said = json.loads(ran.out)["chunks"]
    assert said["count"] == len(cut())
    first = len(cut()) + 2
    assert [r["row"] for r in said["rejected"]] == list(range(first, first + len(HOSTILE)))
    for row, (_, told) in zip(said["rejected"], HOSTILE, strict=True):
        assert told in f"{row['column']}: {row['reason']}", row
    assert (tmp_path / "out" / "map.jsonl").is_file()


def test_it_says_what_is_lost_and_a_check_fails(bare: Cli, tmp_path: Path) -> None:
    chunks = write(tmp_path / "chunks.jsonl", cut())
    ran = bare("align", chunks, RELEASE, "--to", tmp_path / "out", "--check")
    assert ran.code == 1
    assert "missing  school-health-guideline:7.4  no chunk has anything like it" in ran.out
    assert "do not survive together" in ran.out
    again = bare("align", chunks, RELEASE, "--to", tmp_path / "out")
    assert again.code == 4, "what is there is not overwritten"


@pytest.mark.parametrize(
    ("data", "told"),
    [(b"", "no chunks"), (b"\xff\xfei\x00", "UTF-16"), (b"{}\n", "no line is a chunk"), (None, "No such file")],
)
def test_a_file_that_is_none(bare: Cli, tmp_path: Path, data: bytes | None, told: str) -> None:
    path = tmp_path / "chunks.jsonl"
    if data is not None:
        path.write_bytes(data)
    ran = bare("align", path, RELEASE, "--to", tmp_path / "out")
    assert ran.code == 3
    assert told in ran.err
    assert not (tmp_path / "out").exists()


def test_the_schema_of_chunks_is_the_published_one() -> None:
    schema = CANONICAL / "chunks.schema.json"
    if not schema.exists():
        pytest.skip("the canonical schemas are not beside the repository")
    assert meaning(chunks_schema()) == meaning(json.loads(schema.read_text("utf-8")))
    for line in (CANONICAL / "example-chunks.jsonl").read_text("utf-8").splitlines():
        jsonschema.validate(json.loads(line), chunks_schema())


def test_a_map_that_does_not_go_with_the_run_is_said(made: Path, bare: Cli, tmp_path: Path) -> None:
    cases = [*rows(RELEASE / "dev.jsonl"), *rows(RELEASE / "followup_dev.jsonl")]
    for name, ids, said in (
        ("suite", "{}", "the ids of the suite already: judged by id, not by the map"),
        ("other", "index-7/{}", "nothing that was retrieved has an id of the map"),
    ):
        run = write(tmp_path / f"{name}.jsonl", [
            {"caseId": c["id"], "answer": "Somebody will see to it.", "behavior": c["expectedBehavior"],
             "citations": [],
             "retrieved": [{"id": ids.format(s), "text": "", "rank": 1, "score": 1} for s in c["expectedSourceIds"]]}
            for c in cases
        ])  # fmt: skip
        told = json.loads(bare("gate", run, "--suite", RELEASE, "--align", made, "--json").out)
        watched = {line["code"]: line["text"] for line in told["watch"]}
        assert said in watched["map-unused"]
        assert ("mandatory-source" in [b["code"] for b in told["blocks"]]) is (name == "other")
        assert "not name whom to turn to" in watched["escalation-unnamed"]
