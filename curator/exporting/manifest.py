"""manifest.json as wire models. Further keys may follow; readers ignore those that they do not know."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field, Strict

from curator.exporting.caseline import (
    DATE,
    Canary,
    CaseId,
    CaseIdOrNone,
    Count,
    Flag,
    Positive,
    Sha256OrNone,
    Text,
    Unique,
    Wire,
    Words,
)

_TIME = r"T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,6})?Z"
_VERSION = r"(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)"

Sha256 = Annotated[str, Strict(), Field(pattern="^[0-9a-f]{64}$")]
ActorId = Annotated[str, Strict(), Field(pattern=r"^\S+$")]
Moment = Annotated[str, Strict(), Field(pattern=f"^{DATE}({_TIME})?$", description="date, or date and time in UTC")]


class OpenWire(Wire):
    """Wire model to which later versions may add keys."""

    model_config = ConfigDict(extra="allow")


class SchemaEntry(Wire):
    """The schema of the lines: case.schema.json."""

    id: Words
    sha256: Sha256


class PartitionCounts(Wire):
    """Cases by partition."""

    model_config = ConfigDict(alias_generator=None)

    dev: Count
    holdout: Count
    followup_dev: Count
    followup_holdout: Count


class Counts(Wire):
    """Cases in all, by partition and by stratum; the holdout is included."""

    cases: Positive
    partition: PartitionCounts
    stratum: Annotated[dict[str, dict[str, Count]], Field(description="key of the case line -> value -> cases")]


class FileEntry(Wire):
    """A file of the folder."""

    path: Annotated[str, Strict(), Field(pattern="^[A-Za-z0-9_][A-Za-z0-9._-]*$")]
    bytes: Count
    sha256: Sha256


class HoldoutEntry(Wire):
    """A file that lies elsewhere."""

    path: Literal["holdout.jsonl", "followup_holdout.jsonl"]
    bytes: Positive
    sha256: Sha256


class DocumentEntry(Wire):
    """A revision of a document that cases were judged against."""

    document_id: Words
    version: Text
    sha256: Sha256OrNone
    pages: Count


class ParserEntry(OpenWire):
    """The rules by which documents were read."""

    name: Words
    version: Words


class QuotaEntry(OpenWire):
    """A minimum for a cell."""

    minimum: Annotated[float, Strict(), Field(ge=0)]


class ReviewEntry(OpenWire):
    """How much review a case got."""

    solo: Flag


class PolicyEntry(Wire):
    """What the suite had to meet."""

    quotas: tuple[QuotaEntry, ...]
    review: ReviewEntry
    sha256: Annotated[Sha256, Field(description="of the compact JSON, keys sorted, of quotas and review")]


class WaiverEntry(OpenWire):
    """A gap that somebody let pass, with the reason."""

    gap: Words
    reason: Words
    by: ActorId
    at: Moment


class StaleEntry(OpenWire):
    """A case whose evidence changed."""

    id: CaseId
    document_id: Text
    held: Annotated[Flag, Field(description="true: kept in its last released form; false: left out")]


class TombstoneEntry(Wire):
    """A case that was retired, for good in every later manifest."""

    id: CaseId
    retired_at: Moment
    reason: Words
    successor: CaseIdOrNone


class AgreementField(OpenWire):
    """Raw agreement of two labels in one field."""

    field: Words
    cases: Count
    equal: Count


class AgreementEntry(OpenWire):
    """Cases labeled twice, and how often both labels were equal."""

    double_labeled: Count
    fields: tuple[AgreementField, ...]


class Manifest(OpenWire):
    """No nulls. Further keys may follow; readers ignore those they do not know."""

    suite: Annotated[str, Strict(), Field(pattern="^[a-z0-9][a-z0-9._-]{0,63}$")]
    version: Annotated[str, Strict(), Field(pattern=f"^{_VERSION}$")]
    parent: Annotated[
        str, Strict(), Field(pattern=f"^({_VERSION})?$", description="the version before; '' = the first")
    ]
    created_at: Annotated[
        str, Strict(), Field(pattern=f"^{DATE}{_TIME}$", description="time of the last event included")
    ]
    schema_: Annotated[SchemaEntry, Field(alias="schema")]
    canary: Canary
    counts: Counts
    files: Annotated[
        tuple[FileEntry, ...],
        Field(min_length=1, description="every file of the folder but manifest.json, SHA256SUMS and build.json"),
    ]
    holdout: Annotated[tuple[HoldoutEntry, ...], Field(max_length=2, description="files that lie elsewhere")]
    documents: tuple[DocumentEntry, ...]
    parser: ParserEntry
    policy: PolicyEntry
    waivers: tuple[WaiverEntry, ...]
    stale: tuple[StaleEntry, ...]
    tombstones: tuple[TombstoneEntry, ...]
    reviewers: Annotated[tuple[ActorId, ...], *Unique, Field(description="actor ids, self-declared")]
    agreement: AgreementEntry
