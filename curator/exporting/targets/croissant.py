"""Croissant (ML Commons): JSON-LD over the canonical files, with their hashes and a record set for each partition."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from curator.exporting.schema import pretty
from curator.exporting.targets.canonical_files import CanonicalFiles
from curator.exporting.targets.lost import EVERY_FIELD
from curator.exporting.targets.protocol import Choices, Folder, Release
from curator.exporting.targets.streamed import Streamed

CONFORMS_TO = "http://mlcommons.org/croissant/1.0"
_TERMS = (
    *("citeAs", "column", "extract", "field", "fileProperty", "fileObject", "fileSet", "format", "includes"),
    *("isLiveDataset", "jsonPath", "key", "md5", "parentField", "path", "recordSet", "references", "regex", "repeated"),
    *("replace", "separator", "source", "subField", "transform"),
)
CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "sc": "https://schema.org/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    **{term: f"cr:{term}" for term in _TERMS},
}
_TYPES = {"string": "sc:Text", "integer": "sc:Integer", "boolean": "sc:Boolean"}


_NOTES = (
    "The record sets describe the fields that are a text, a number or a list of texts; evidence and other lists of "
    "objects stand in the files, and mlcroissant does not read them.",
    "No license, address or citation is stated: a release does not say them. Add them before you publish it.",
)


def _files(release: Release, folder: Folder, choices: Choices) -> CanonicalFiles:
    def described(partitions: tuple[str, ...]) -> tuple[str, ...]:
        folder.open("croissant.json").write(pretty(_metadata(release, partitions)))
        return _NOTES

    return CanonicalFiles(folder, described, sources=False)


def _metadata(release: Release, partitions: tuple[str, ...]) -> dict[str, Any]:
    entries = {entry["path"]: entry for entry in release.manifest["files"]}
    schema = json.loads(release.small("case.schema.json"))
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": CONFORMS_TO,
        "name": release.suite,
        "description": release.manifest["description"] or f"Golden cases of {release.suite}",
        "version": release.version,
        "datePublished": release.manifest["createdAt"][:10],
        "distribution": [_file(entries[f"{name}.jsonl"]) for name in partitions],
        "recordSet": [_records(name, schema) for name in partitions],
    }


def _file(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": entry["path"],
        "name": entry["path"],
        "contentUrl": entry["path"],
        "contentSize": f"{entry['bytes']} B",
        "encodingFormat": "application/jsonlines",
        "sha256": entry["sha256"],
    }


def _records(partition: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    fields = (_field(partition, name, node) for name, node in schema["properties"].items())
    return {
        "@type": "cr:RecordSet",
        "@id": partition,
        "name": partition,
        "key": {"@id": f"{partition}/id"},
        "field": [field for field in fields if field],
    }


def _field(partition: str, name: str, node: Mapping[str, Any]) -> dict[str, Any] | None:
    many = node.get("type") == "array"
    inner = node["items"] if many else node
    if "properties" in inner:
        return None
    return {
        "@type": "cr:Field",
        "@id": f"{partition}/{name}",
        "name": f"{partition}/{name}",
        "dataType": _TYPES[inner.get("type", "string")],
        **({"repeated": True} if many else {}),
        "source": {"fileObject": {"@id": f"{partition}.jsonl"}, "extract": {"column": name}},
    }


TARGET = Streamed(
    name="croissant",
    evaluator="Croissant (mlcroissant)",
    tested="1.1.1",
    summary="croissant.json with the canonical files: mlcroissant.Dataset(jsonld=...)",
    carries=EVERY_FIELD,
    writer=_files,
)
