"""A release as bytes: every file of the folder and the holdout pair. Same input, same bytes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from curator.domain.canonical import canary, dumps, file_bytes, policy_hash, text_bytes
from curator.domain.case import HIDDEN_PARTITIONS, OPEN_PARTITIONS, PARTITIONS
from curator.domain.changes import CaseChange, narrowed
from curator.domain.identity import sha256
from curator.domain.model import Model
from curator.domain.suite import DIMENSIONS, dimension
from curator.exporting.changelog import changelog
from curator.exporting.consistency import (
    cited_problems,
    document_problems,
    extra_source_problems,
    source_name_problems,
    suite_problems,
)
from curator.exporting.datapackage import datapackage
from curator.exporting.datasheet import datasheet
from curator.exporting.line import line_problems, model_problems, source_problems
from curator.exporting.released import (
    HOLDOUT_REASON,
    PartitionFacts,
    Reference,
    ReleasedDocument,
    ReleaseInput,
    StaleCase,
    Tombstone,
    Waiver,
    documents_of,
    from_manifest,
)
from curator.exporting.schema import CASE_SCHEMA_ID, Manifest, case_schema, pretty, schema_bytes
from curator.progress import Progress, Silent

__all__ = [
    "PartitionFacts",
    "Reference",
    "ReleaseInput",
    "ReleasedDocument",
    "Rendered",
    "StaleCase",
    "Tombstone",
    "Waiver",
    "documents_of",
    "from_manifest",
    "render",
]


@dataclass(frozen=True)
class Rendered:
    """The files of a version: those of the folder, those of the holdout, and the manifest as a value.

    `lines` are the lines of all cases as they are written, by id, holdout included.
    """

    files: dict[str, bytes]
    holdout: dict[str, bytes]
    manifest: dict[str, Any]
    lines: dict[str, str]


def render(release: ReleaseInput, progress: Progress | None = None) -> Rendered:
    """Every file of a version. Cases of the holdout are in `holdout` alone.

    Args:
        release: What the version says.
        progress: Its checkpoint is called for every line; nothing is written here, so stopping leaves nothing behind.

    Raises:
        Cancelled: The person asked to stop.
        ValueError: Something in it may not be written; the message names the case, the source or the key.
    """
    texts = _valid_lines(release, progress or Silent())
    schema = case_schema()
    parts = {p: [line["id"] for line in release.lines if line["partition"] == p] for p in PARTITIONS}
    files = {f"{p}.jsonl": text_bytes((i, texts[i]) for i in parts[p]) for p in OPEN_PARTITIONS if parts[p]}
    holdout = {f"{p}.jsonl": text_bytes((i, texts[i]) for i in parts[p]) for p in HIDDEN_PARTITIONS if parts[p]}
    if not files:
        raise ValueError("no case lies in dev or followup_dev: there is nothing to release")
    named = sorted(files)
    files["sources.jsonl"] = file_bytes(dict(s) for s in release.sources)
    package = datapackage(
        release.policy.name, release.version, release.created_at, release.policy.description, schema, files
    )
    files["case.schema.json"] = schema_bytes(schema)
    files["datapackage.json"] = pretty(package)
    strata = _strata(release.lines, schema)
    files["README.md"] = datasheet(release, schema, named, strata)
    files["CHANGES.md"] = changelog(release)
    manifest = _manifest(release, strata, files, holdout)
    files["manifest.json"] = pretty(manifest)
    files["SHA256SUMS"] = "".join(f"{sha256(files[name])}  {name}\n" for name in sorted(files)).encode()
    files["build.json"] = pretty(dict(release.build))
    return Rendered(files=files, holdout=holdout, manifest=manifest, lines=texts)


def _valid_lines(release: ReleaseInput, progress: Progress) -> dict[str, str]:
    """The lines of the cases as they are written, by id.

    Raises:
        ValueError: Something in the release may not be written.
    """

    def refuse(problems: Iterable[str], where: str = "") -> None:
        for problem in problems:
            raise ValueError(f"{where}: {problem}" if where else problem)

    texts: dict[str, str] = {}
    for line in release.lines:
        progress.checkpoint()
        text = _written(line)
        refuse(line_problems(line, text), str(line.get("id", "a line without an id")))
        texts[line["id"]] = text
    for source in release.sources:
        progress.checkpoint()
        refuse(source_problems(source), str(source.get("id", "a source without an id")))
    refuse(suite_problems(release.policy.name, release.lines))
    refuse(source_name_problems(release.sources))
    opened = [n for n in release.lines if n["partition"] in OPEN_PARTITIONS]
    refuse(cited_problems(opened, release.sources))
    refuse(extra_source_problems(release.source_choice, opened, release.sources) if opened else ())
    refuse(document_problems(release.lines, _documents(release)))
    return texts


def _written(line: Mapping[str, Any]) -> str:
    """The line as it is written; "" = it cannot be, and `line_problems` says why."""
    try:
        return dumps(dict(line))
    except (TypeError, ValueError):
        return ""


def _strata(lines: Sequence[Mapping[str, Any]], schema: Mapping[str, Any]) -> dict[str, dict[str, int]]:
    """Cases by dimension and value; values in the order of the schema, else by name."""
    found: dict[str, dict[str, int]] = {}
    for name in DIMENSIONS:
        counts: dict[str, int] = {}
        for line in lines:
            value = dimension(line, name)
            counts[value] = counts.get(value, 0) + 1
        order = schema["properties"].get(name, {}).get("enum", sorted(counts))
        found[name] = {value: counts[value] for value in order if value in counts}
    return found


def _documents(release: ReleaseInput) -> list[dict[str, Any]]:
    entries = ({"documentId": d.document_id, "version": d.version, "sha256": d.sha256, "pages": d.pages}
               for d in release.documents)  # fmt: skip
    return sorted(entries, key=lambda d: (d["documentId"], d["version"], d["sha256"]))


def _manifest(
    release: ReleaseInput,
    strata: dict[str, dict[str, int]],
    files: Mapping[str, bytes],
    holdout: Mapping[str, bytes],
) -> dict[str, Any]:
    counts = {p: sum(line["partition"] == p for line in release.lines) for p in PARTITIONS}
    manifest: dict[str, Any] = {
        "suite": release.policy.name,
        "version": release.version,
        "parent": release.parent,
        "createdAt": release.created_at,
        "description": release.policy.description,
        "schema": {"id": CASE_SCHEMA_ID, "sha256": sha256(files["case.schema.json"])},
        "canary": canary(release.policy.name),
        "counts": {"cases": len(release.lines), "partition": counts, "stratum": strata},
        "files": _entries(files),
        "holdout": _entries(holdout),
        "documents": _documents(release),
        "parser": {"name": release.parser_name, "version": release.parser_version},
        "selection": {"include": _wire(release.policy.include), "exclude": _wire(release.policy.exclude)},
        "policy": _policy(release),
        **_standing(release),
    }
    try:
        Manifest.model_validate(manifest)
    except ValidationError as error:
        raise ValueError(f"manifest: {model_problems(error)[0]}") from None
    return manifest


def _policy(release: ReleaseInput) -> dict[str, Any]:
    quotas = [_wire(q) | {"minimum": _short(q.minimum)} for q in release.policy.quotas]
    review = _wire(release.review)
    policy: dict[str, Any] = {"quotas": quotas, "review": review | {"doubleShare": _short(review["doubleShare"])}}
    return policy | {"sha256": policy_hash(policy)}


def _standing(release: ReleaseInput) -> dict[str, Any]:
    """What people did about the suite, and the facts that a later reproduction needs."""
    partitions, reference = release.partitions, release.reference
    return {
        "waivers": [
            {"gap": w.gap, "reason": w.reason, "by": w.by, "at": w.at}
            for w in sorted(release.waivers, key=lambda w: (w.gap, w.at, w.by))
        ],
        "stale": [
            {"id": s.id, "documentId": s.document_id, "held": s.held} for s in sorted(release.stale, key=lambda s: s.id)
        ],
        "tombstones": [
            {
                "id": t.id,
                "retiredAt": t.retired_at,
                "reason": HOLDOUT_REASON if t.hidden else t.reason,
                "successor": t.successor,
            }
            for t in sorted(release.tombstones, key=lambda t: t.id)
        ],
        "reviewers": sorted(set(release.reviewers)),
        "agreement": {"doubleLabeled": release.double_labeled, "fields": [_wire(f) for f in release.agreement]},
        "partitions": {
            "level": partitions.level,
            "seed": partitions.seed,
            "holdout": _short(partitions.holdout),
        },
        "reference": {"median": _short(reference.median), "origin": reference.origin, "asOf": reference.as_of},
        "changes": [_change(c) for c in sorted(release.changes, key=lambda c: c.id)],
        "notes": list(release.notes),
        **_chosen(release),
    }


def _change(change: CaseChange) -> dict[str, Any]:
    """A change as the manifest has it: what nobody said has no key, and long texts are cut to where they differ."""
    said = change.model_copy(update={"details": tuple(narrowed(d) for d in change.details)})
    return {k: v for k, v in _wire(said).items() if v or k not in ("reason", "editorial", "details")}


def _chosen(release: ReleaseInput) -> dict[str, Any]:
    """What only some versions say."""
    revisions = [{"documentId": d, "version": v} for d, v in sorted(release.revisions.items())]
    said = {"revisions": revisions, "schemaBefore": release.schema_before}
    said["sources"] = "" if release.source_choice == "cited" else release.source_choice
    said["sourcesBefore"] = release.sources_before
    return {key: value for key, value in said.items() if value}


def _wire(model: Model) -> dict[str, Any]:
    return model.model_dump(mode="json", by_alias=True)


def _entries(files: Mapping[str, bytes]) -> list[dict[str, Any]]:
    return [{"path": name, "bytes": len(data), "sha256": sha256(data)} for name, data in files.items()]


def _short(number: float) -> float | int:
    """30.0 as 30: whole numbers are written without a point."""
    return int(number) if float(number).is_integer() else number
