"""Column types for programs that load the files: datapackage.json (Data Package, JSON lines) and dataset features."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from curator.domain.identity import sha256
from curator.exporting.schema import SourceLine

_DTYPES = {"string": "string", "integer": "int64", "boolean": "bool"}


def features(schema: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Features of Hugging Face datasets, from the schema of an object.

    Without them a partition in which a list is always empty is typed unlike its neighbor, and both fail to load.
    """
    return [{"name": name} | _feature(node) for name, node in schema["properties"].items()]


def _feature(node: Mapping[str, Any]) -> dict[str, Any]:
    if node.get("type") != "array":
        return {"dtype": _DTYPES[node.get("type", "string")]}
    items = node["items"]
    return {"list": features(items) if "properties" in items else _DTYPES[items.get("type", "string")]}


def _fields(schema: Mapping[str, Any]) -> list[dict[str, Any]]:
    found = []
    for name, node in schema["properties"].items():
        column: dict[str, Any] = {"name": name, "type": node.get("type", "string")}
        if name == "id":
            column["constraints"] = {"required": True, "unique": True}
        elif values := [v for v in node.get("enum", ()) if v]:
            column["constraints"] = {"enum": values}  # "" reads as missing there, which is allowed
        found.append(column)
    return found


def datapackage(
    suite: str, version: str, created: str, description: str, schema: Mapping[str, Any], files: Mapping[str, bytes]
) -> dict[str, Any]:
    """The descriptor of the JSONL files of a release, with their hashes.

    Args:
        suite: Name of the suite.
        version: Its version.
        created: Time of the release, as the manifest says it.
        description: What the suite is for, as people wrote it.
        schema: Schema of a case line.
        files: Name -> bytes of every JSONL file, sources.jsonl included.
    """
    sources = SourceLine.model_json_schema(by_alias=True)
    return {
        "name": suite,
        "version": version,
        "created": created,
        "description": description,
        "profile": "data-package",
        "resources": [
            {
                "name": name.removesuffix(".jsonl").replace("_", "-"),
                "path": name,
                "format": "ndjson",
                "scheme": "file",
                "mediatype": "application/x-ndjson",
                "encoding": "utf-8",
                "bytes": len(data),
                "hash": f"sha256:{sha256(data)}",
                "dialect": {"json": {"keyed": True}},
                "schema": {
                    "fields": _fields(sources if name == "sources.jsonl" else schema),
                    "primaryKey": ["id"],
                },
            }
            for name, data in files.items()
        ],
    }
