from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator, ValidationError, validators
from pydantic import BaseModel
from pydantic import ValidationError as ModelError

from curator.exporting.release import Rendered
from curator.exporting.schema import CASE_KEYS, CaseLine, Manifest, case_schema, manifest_schema, meaning, schema_bytes


def validator(schema: dict[str, Any]) -> Draft202012Validator:
    """Where $ means the very end, as ECMA-262 has it."""

    def pattern(_: Any, p: str, value: Any, __: Any) -> Iterator[ValidationError]:
        if isinstance(value, str) and not re.search(p[:-1] + r"\Z" if p.endswith("$") else p, value):
            yield ValidationError(f"{value!r} does not match")

    Draft202012Validator.check_schema(schema)
    return validators.extend(Draft202012Validator, {"pattern": pattern})(schema)


def taken(model: type[BaseModel], value: dict[str, Any]) -> bool:
    try:
        model.model_validate(value)
    except ModelError:
        return False
    return True


REPLACEMENTS: tuple[Any, ...] = (
    None, "", "x", "0", "answer", "question", "a:b", "case-5tq0rz\n", "2025-02-30", [], {}, [""], ["a:b", "a:b"], [{}],
    0, -1, 1, 1.5, True, False, "required", "refuse", "escalate", "summary", "followup_dev",
)  # fmt: skip


def mutations(value: Any) -> Iterator[tuple[str, Any]]:
    """Every place of a value in turn dropped, replaced by something else, or given a key or an entry too many."""

    def places(node: Any, path: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
        for key, inner in node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ():
            yield (*path, key)
            yield from places(inner, (*path, key))

    for path in places(value, ()):
        for new in ("DROP", "EXTRA", "TWICE", *REPLACEMENTS):
            changed = copy.deepcopy(value)
            at = changed
            for key in path[:-1]:
                at = at[key]
            if new == "DROP":
                del at[path[-1]]
            elif new == "EXTRA" and isinstance(at[path[-1]], dict):
                at[path[-1]]["extra"] = 1
            elif new == "TWICE" and isinstance(at[path[-1]], list):
                at[path[-1]] += at[path[-1]]
            elif new in ("EXTRA", "TWICE"):
                continue
            else:
                at[path[-1]] = copy.deepcopy(new)
            yield f"{'/'.join(map(str, path))} {new!r}", changed
    yield "extra key", {**value, "extra": 1}


def disagreements(model: type[BaseModel], judge: Draft202012Validator, value: dict[str, Any]) -> tuple[list[str], int]:
    wrong, refused = [], 0
    for name, changed in mutations(value):
        ours, theirs = taken(model, changed), judge.is_valid(changed)
        refused += not theirs
        if ours != theirs:
            wrong.append(f"{name}: model {ours}, schema {theirs}")
    return wrong, refused


@pytest.mark.parametrize("name", ["case", "manifest"])
def test_published_schema_equals_the_canonical_one_in_meaning(name: str, canonical: Path) -> None:
    ours = {"case": case_schema, "manifest": manifest_schema}[name]()
    theirs = json.loads((canonical / f"{name}.schema.json").read_text("utf-8"))
    assert meaning(ours) == meaning(theirs)
    assert ours["$id"] == theirs["$id"]
    assert list(ours["properties"]) == list(theirs["properties"])


def test_the_model_and_the_schema_take_and_refuse_the_same_lines(lines: list[dict[str, Any]]) -> None:
    judge = validator(case_schema())
    for line in lines:
        assert taken(CaseLine, line)
        assert judge.is_valid(line)
    refusals = 0
    for line in (lines[0], lines[2], lines[3], lines[4], lines[6]):
        wrong, refused = disagreements(CaseLine, judge, line)
        assert wrong == []
        refusals += refused
    assert refusals > 3000


def test_the_canonical_schema_refuses_the_same_lines(lines: list[dict[str, Any]], canonical: Path) -> None:
    judge = validator(json.loads((canonical / "case.schema.json").read_text("utf-8")))
    assert disagreements(CaseLine, judge, lines[2])[0] == []


def test_the_model_and_the_schema_take_and_refuse_the_same_manifests(rendered: Rendered) -> None:
    manifest = rendered.manifest | {"changes": [], "files": rendered.manifest["files"][:1]}
    manifest["counts"] = manifest["counts"] | {"stratum": {"risk": {"low": 9}}}
    wrong, refused = disagreements(Manifest, validator(manifest_schema()), manifest)
    assert wrong == []
    assert refused > 500


def test_a_later_key_is_allowed_in_a_manifest_and_not_on_a_line(
    rendered: Rendered, lines: list[dict[str, Any]]
) -> None:
    assert taken(Manifest, rendered.manifest | {"later": {"a": 1}})
    assert not taken(CaseLine, lines[0] | {"later": ""})


def test_schema_bytes_are_stable_free_of_references_and_in_line_order() -> None:
    data = schema_bytes(case_schema())
    assert data == schema_bytes(case_schema())
    assert b"$ref" not in data
    assert b"$defs" not in data
    assert data.endswith(b"}\n")
    schema = json.loads(data)
    assert len(CASE_KEYS) == 38
    assert tuple(schema["required"]) == CASE_KEYS == tuple(schema["properties"])


def test_meaning_ignores_words_and_sees_rules() -> None:
    schema = case_schema()
    worded = copy.deepcopy(schema) | {"title": "other", "description": "other"}
    assert meaning(worded) == meaning(schema)
    loose = copy.deepcopy(schema)
    loose["properties"]["risk"]["enum"].append("unknown")
    assert meaning(loose) != meaning(schema)
    untitled = copy.deepcopy(schema)
    del untitled["properties"]["documents"]["items"]["properties"]["title"]
    assert meaning(untitled) != meaning(schema)
