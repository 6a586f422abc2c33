"""The published JSON Schemas, generated from the wire models, and the wire models by one door."""

from __future__ import annotations

import json
from typing import Any

from pydantic import BaseModel

from curator.exporting.caseline import (
    CASE_KEYS,
    NESTED,
    SOURCE_KEYS,
    AttributeLine,
    CaseLine,
    DocumentLine,
    EvidenceLine,
    KeyProvisionLine,
    SourceLine,
    TurnExpectationLine,
    Wire,
)
from curator.exporting.manifest import Manifest

__all__ = [
    "CASE_KEYS",
    "CASE_SCHEMA_ID",
    "MANIFEST_SCHEMA_ID",
    "NESTED",
    "SOURCE_KEYS",
    "AttributeLine",
    "CaseLine",
    "DocumentLine",
    "EvidenceLine",
    "KeyProvisionLine",
    "Manifest",
    "SourceLine",
    "TurnExpectationLine",
    "Wire",
    "case_schema",
    "manifest_schema",
    "meaning",
    "plain_schema",
    "pretty",
    "schema_bytes",
]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
CASE_SCHEMA_ID = "urn:curator:case:1.0.0"
MANIFEST_SCHEMA_ID = "urn:curator:manifest:1.0.0"
# The order of keywords in our files: no version of pydantic may move a byte of a release.
_ORDER = (
    *("$schema", "$id", "title", "description", "type", "additionalProperties", "required", "properties"),
    *("items", "minItems", "maxItems", "uniqueItems", "contains", "enum", "const", "pattern", "minLength", "maxLength"),
    *("minimum", "maximum", "not", "if", "then", "else", "allOf"),
)


def case_schema() -> dict[str, Any]:
    """JSON Schema (draft 2020-12) of a case line; without references, so that any validator takes it."""
    return published(CaseLine, CASE_SCHEMA_ID, "Golden case, one JSONL line, version 1")


def manifest_schema() -> dict[str, Any]:
    """JSON Schema (draft 2020-12) of manifest.json."""
    return published(Manifest, MANIFEST_SCHEMA_ID, "manifest.json of a released suite, version 1")


def schema_bytes(schema: dict[str, Any]) -> bytes:
    """A schema as a file: the same bytes for the same schema."""
    return pretty(schema)


def pretty(value: Any) -> bytes:
    """JSON for people: indented by one, text kept, U+0085/2028/2029 escaped, final newline.

    Raises:
        ValueError: A number is NaN or infinite.
    """
    text = json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False)
    for ch in "\x85\u2028\u2029":
        text = text.replace(ch, f"\\u{ord(ch):04x}")
    return (text + "\n").encode()


def meaning(schema: Any) -> Any:
    """A schema without what does not decide: titles, descriptions, the order of keys, of required names and of enums.

    Two schemas of one meaning accept the same values.
    """
    if isinstance(schema, list):
        return [meaning(v) for v in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {k: meaning(v) for k, v in schema.items() if not (k in ("title", "description") and isinstance(v, str))}
    for name in ("required", "enum"):
        if isinstance(kept.get(name), list):
            kept[name] = sorted(kept[name], key=repr)
    return dict(sorted(kept.items()))


def plain_schema(model: type[BaseModel]) -> dict[str, Any]:
    """The schema of a wire model, without references, dialect, id and title."""
    raw = model.model_json_schema(by_alias=True)
    schema: dict[str, Any] = _tidy(raw, raw.get("$defs", {}))
    return schema


def published(model: type[BaseModel], name: str, title: str) -> dict[str, Any]:
    """The schema of a wire model as it is published, under its name and title."""
    return {"$schema": DIALECT, "$id": name, "title": title} | plain_schema(model)


def _tidy(node: Any, defs: dict[str, Any]) -> Any:
    """One node of what pydantic gives: references inlined, noise gone, keys in order."""
    if isinstance(node, list):
        return [_tidy(v, defs) for v in node]
    if not isinstance(node, dict):
        return node
    if ref := node.get("$ref"):
        # what stands beside a reference (a description) says more than the model's own
        node = defs[ref.rsplit("/", 1)[1]] | {k: v for k, v in node.items() if k != "$ref"}
    kept = {}
    for key, value in node.items():
        noise = key == "$defs" or (key == "title" and isinstance(value, str))
        implied = (key == "additionalProperties" and value is True) or (key == "type" and "enum" in node)
        if not noise and not implied:
            kept[key] = {k: _tidy(v, defs) for k, v in value.items()} if key == "properties" else _tidy(value, defs)
    return dict(sorted(kept.items(), key=lambda item: _place(item[0])))


def _place(keyword: str) -> tuple[int, str]:
    return (_ORDER.index(keyword) if keyword in _ORDER else len(_ORDER), keyword)
