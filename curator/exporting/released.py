"""What one version of a suite says, as values: the input of `release.render`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, overload

from pydantic import ValidationError

from curator.domain.canonical import dumps
from curator.domain.changes import CaseChange
from curator.domain.review import FieldAgreement, ReviewPolicy
from curator.domain.suite import SOURCE_CHOICES, Quota, Selector, SourceChoice, SuitePolicy
from curator.errors import InputError
from curator.exporting.line import model_problems
from curator.exporting.manifest import Manifest

HOLDOUT_REASON = "holdout"
_HINT = "give the manifest.json of a version that `curator suite release` wrote"


@dataclass(frozen=True, kw_only=True)
class ReleasedDocument:
    """A revision that cases were judged against; pages 0 = unknown."""

    document_id: str
    version: str = ""
    sha256: str = ""
    pages: int = 0


@dataclass(frozen=True, kw_only=True)
class Waiver:
    """A gap (`Gap.name`) that `by` let pass; `at` is a date, or a time in UTC ("...Z")."""

    gap: str
    reason: str
    by: str
    at: str


@dataclass(frozen=True, kw_only=True)
class StaleCase:
    """A case whose evidence changed; held: kept in its last released form, else left out."""

    id: str
    document_id: str = ""
    held: bool = False


@dataclass(frozen=True, kw_only=True)
class Tombstone:
    """A retired case. `hidden`: it lay in the holdout, so its reason is not said."""

    id: str
    retired_at: str
    reason: str
    successor: str = ""
    hidden: bool = False


@dataclass(frozen=True, kw_only=True)
class PartitionFacts:
    """How dev and holdout were drawn: the level that joined cases, the seed, the holdout's share."""

    level: str = ""
    seed: int = 0
    holdout: float = 0


@dataclass(frozen=True, kw_only=True)
class Reference:
    """The reference median in pages (0 = unknown), where it comes from, and the date it speaks of."""

    median: float = 0
    origin: str = ""
    as_of: str = ""


@dataclass(frozen=True, kw_only=True)
class ReleaseInput:
    """Everything that a version says.

    Attributes:
        lines: Canonical lines of all partitions (`line.case_line`).
        sources: Lines of the sources that the open partitions cite (`line.source_line`), or of all of their documents.
        source_choice: Which of the two `sources` are; sources_before: which they were in the version before, where it
            was the other.
        documents: Revisions of all that lines name; `documents_of(lines)` finds them.
        created_at: Latest time of a decision included, UTC, "YYYY-MM-DDTHH:MM:SSZ".
        double_labeled: Cases labeled twice; `agreement` says how often both were equal, by field.
        revisions: The revisions that it was to be judged against, by document, where they were chosen.
        schema_before: Schema of the lines of the version before, where it was another.
        notes: Further lines for the datasheet, each one paragraph.
        build: Library versions and what else may differ between machines; outside SHA256SUMS.
    """

    policy: SuitePolicy
    version: str
    created_at: str
    lines: Sequence[Mapping[str, Any]]
    sources: Sequence[Mapping[str, Any]]
    documents: Sequence[ReleasedDocument]
    parser_name: str
    parser_version: str
    parent: str = ""
    review: ReviewPolicy = field(default_factory=ReviewPolicy)
    waivers: Sequence[Waiver] = ()
    stale: Sequence[StaleCase] = ()
    tombstones: Sequence[Tombstone] = ()
    reviewers: Sequence[str] = ()
    double_labeled: int = 0
    agreement: Sequence[FieldAgreement] = ()
    changes: Sequence[CaseChange] = ()
    partitions: PartitionFacts = field(default_factory=PartitionFacts)
    reference: Reference = field(default_factory=Reference)
    revisions: Mapping[str, str] = field(default_factory=dict)
    schema_before: str = ""
    source_choice: SourceChoice = "cited"
    sources_before: SourceChoice | Literal[""] = ""
    notes: Sequence[str] = ()
    build: Mapping[str, Any] = field(default_factory=dict)


class SourceLines(Sequence[Mapping[str, Any]]):
    """Source lines kept as their bytes, and read one at a time: all sources of a document of 500 pages take 10 MB."""

    def __init__(self, lines: Iterable[Mapping[str, Any]]) -> None:
        self._texts = [dumps(dict(line)).encode("utf-8", "surrogatepass") for line in lines]

    def __len__(self) -> int:
        return len(self._texts)

    @overload
    def __getitem__(self, index: int) -> Mapping[str, Any]: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Mapping[str, Any]]: ...

    def __getitem__(self, index: int | slice) -> Mapping[str, Any] | Sequence[Mapping[str, Any]]:
        if isinstance(index, slice):
            return [_row(text) for text in self._texts[index]]
        return _row(self._texts[index])

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        return map(_row, self._texts)


def _row(text: bytes) -> dict[str, Any]:
    row: dict[str, Any] = json.loads(text.decode("utf-8", "surrogatepass"))
    return row


def documents_of(lines: Iterable[Mapping[str, Any]]) -> tuple[ReleasedDocument, ...]:
    """The revisions that lines were judged against or cite, each once, by id and version."""
    found: dict[tuple[str, str, str], int] = {}
    for line in lines:
        for entry in (*line["documents"], *line["evidence"]):
            if entry["documentId"]:
                key = (entry["documentId"], entry["documentVersion"], entry["documentSha256"])
                found[key] = max(found.get(key, 0), entry.get("pages", 0))
    return tuple(
        ReleasedDocument(document_id=name, version=version, sha256=digest, pages=pages)
        for (name, version, digest), pages in sorted(found.items())
    )


def from_manifest(
    manifest: Mapping[str, Any],
    *,
    lines: Sequence[Mapping[str, Any]],
    sources: Sequence[Mapping[str, Any]],
    build: Mapping[str, Any] | None = None,
) -> ReleaseInput:
    """The input that makes the version of a manifest again, from its cases and sources; no file of a parent is needed.

    Raises:
        InputError: It is no manifest, or lacks what only our own carry (changes, partitions, reference ...).
    """
    try:
        Manifest.model_validate(manifest)
        return _from_manifest(manifest, lines, sources, build or {})
    except ValidationError as error:
        raise InputError(f"manifest.json: {model_problems(error)[0]}", _HINT) from None
    except KeyError as error:
        raise InputError(f"manifest.json: no {error.args[0]}", _HINT) from None
    except TypeError:
        raise InputError("manifest.json: a key is of the wrong kind", _HINT) from None


def source_choice(manifest: Mapping[str, Any]) -> SourceChoice:
    """What sources.jsonl of a version holds; only a manifest that says so holds all.

    Raises:
        InputError: The manifest says something else.
    """
    return _choice(manifest.get("sources", "cited"))


def _choice(said: object) -> SourceChoice:
    found = next((c for c in SOURCE_CHOICES if c == said), None)
    if found is None:
        raise InputError("manifest.json: sources is neither cited nor all", _HINT)
    return found


def _from_manifest(
    manifest: Mapping[str, Any],
    lines: Sequence[Mapping[str, Any]],
    sources: Sequence[Mapping[str, Any]],
    build: Mapping[str, Any],
) -> ReleaseInput:
    policy, partitions, reference = manifest["policy"], manifest["partitions"], manifest["reference"]
    return ReleaseInput(
        policy=SuitePolicy(
            name=manifest["suite"],
            description=manifest["description"],
            include=Selector.model_validate(manifest["selection"]["include"]),
            exclude=Selector.model_validate(manifest["selection"]["exclude"]),
            quotas=tuple(Quota.model_validate(q) for q in policy["quotas"]),
        ),
        version=manifest["version"],
        parent=manifest["parent"],
        created_at=manifest["createdAt"],
        lines=lines,
        sources=sources,
        documents=tuple(
            ReleasedDocument(document_id=d["documentId"], version=d["version"], sha256=d["sha256"], pages=d["pages"])
            for d in manifest["documents"]
        ),
        parser_name=manifest["parser"]["name"],
        parser_version=manifest["parser"]["version"],
        review=ReviewPolicy.model_validate(policy["review"]),
        waivers=tuple(Waiver(gap=w["gap"], reason=w["reason"], by=w["by"], at=w["at"]) for w in manifest["waivers"]),
        stale=tuple(StaleCase(id=s["id"], document_id=s["documentId"], held=s["held"]) for s in manifest["stale"]),
        tombstones=tuple(
            Tombstone(
                id=t["id"],
                retired_at=t["retiredAt"],
                reason=t["reason"],
                successor=t["successor"],
                hidden=t["reason"] == HOLDOUT_REASON,
            )
            for t in manifest["tombstones"]
        ),
        reviewers=tuple(manifest["reviewers"]),
        double_labeled=manifest["agreement"]["doubleLabeled"],
        agreement=tuple(FieldAgreement.model_validate(f) for f in manifest["agreement"]["fields"]),
        changes=tuple(CaseChange.model_validate(c) for c in manifest["changes"]),
        partitions=PartitionFacts(level=partitions["level"], seed=partitions["seed"], holdout=partitions["holdout"]),
        reference=Reference(median=reference["median"], origin=reference["origin"], as_of=reference["asOf"]),
        revisions={r["documentId"]: r["version"] for r in manifest.get("revisions", ())},
        schema_before=manifest.get("schemaBefore", ""),
        source_choice=source_choice(manifest),
        sources_before=_choice(manifest["sourcesBefore"]) if "sourcesBefore" in manifest else "",
        notes=tuple(manifest["notes"]),
        build=build,
    )
