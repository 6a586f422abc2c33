"""The rows, as SQLModel classes. They are not the domain: `table=True` classes do not validate.

The migrations make the tables; a test holds these classes and the migrated database equal.
"""

from __future__ import annotations

from sqlmodel import Field, SQLModel


class EventRow(SQLModel, table=True):
    """One change, with its actor. Appended only."""

    __tablename__ = "event"
    seq: int | None = Field(default=None, primary_key=True)
    at: str
    actor: str
    entity: str
    entity_id: str
    verb: str
    version: int = 0
    data: str = "{}"
    undoes: int = 0
    decision: int = 0
    seal: str = ""


class DocumentRow(SQLModel, table=True):
    """A document under its id for life."""

    __tablename__ = "document"
    id: str = Field(primary_key=True)
    title: str
    domain: str = ""
    document_type: str = ""
    language: str = ""
    effective_from: str = ""
    effective_to: str = ""
    revision_id: int
    version: int = 1
    seq: int
    chunks: int = 0
    rows: int = 0


class RevisionRow(SQLModel, table=True):
    """One imported version of a document; `repaired` > 0: how parts of one read before the repair of this event.

    `reading`: how often the file had been read by then; the last reading of a revision is the one that counts.
    """

    __tablename__ = "revision"
    id: int | None = Field(default=None, primary_key=True)
    document_id: str
    label: str
    reading: int = 1
    sha256: str
    file: str
    bytes: int
    pages: int
    parser: str
    warnings: str = "[]"
    ingested_at: str
    seq: int
    sketch: str = ""
    repaired: int = 0
    seal: str = ""


class PageRow(SQLModel, table=True):
    """A page of a revision."""

    __tablename__ = "page"
    revision_id: int = Field(primary_key=True)
    number: int = Field(primary_key=True)
    label: str = ""
    kind: str
    chars: int
    note: str = ""
    text: str
    running: str = "[]"


class SectionRow(SQLModel, table=True):
    """A heading of a revision."""

    __tablename__ = "section"
    revision_id: int = Field(primary_key=True)
    ordinal: int = Field(primary_key=True)
    path: str
    title: str
    label: str = ""
    page: int
    level: int


class BlockRow(SQLModel, table=True):
    """A table of a revision; its rows are anchors."""

    __tablename__ = "block"
    revision_id: int = Field(primary_key=True)
    ordinal: int = Field(primary_key=True)
    name: str
    title: str = ""
    header: str
    pages: str
    section_path: str = "[]"
    footnotes: str = "[]"
    origin: str = ""
    confidence: float = 1


class SourceRow(SQLModel, table=True):
    """What can be cited, under the name that was minted once."""

    __tablename__ = "source"
    id: int | None = Field(default=None, primary_key=True)
    name: str
    document_id: str
    kind: str
    seq: int


class SourceAliasRow(SQLModel, table=True):
    """A name that a source had before."""

    __tablename__ = "source_alias"
    name: str = Field(primary_key=True)
    source_id: int


class AnchorRow(SQLModel, table=True):
    """How a source is found in one revision. `block` is the table's ordinal, 0 for a chunk."""

    __tablename__ = "anchor"
    id: int | None = Field(default=None, primary_key=True)
    source_id: int
    revision_id: int
    ordinal: int
    page: int
    page_end: int
    page_label: str = ""
    section_path: str = "[]"
    text: str
    quote: str
    text_hash: str
    prefix: str = ""
    suffix: str = ""
    copies: int = 1
    copy_index: int = 1
    box: str = ""
    block: int = 0
    section_row: str = ""
    key_cell: str = ""
    cells: str = "[]"
    question: str = ""


class FindingRow(SQLModel, table=True):
    """What became of a source that was not the same in a revision; `target` and candidates are keys of sources."""

    __tablename__ = "finding"
    revision_id: int = Field(primary_key=True)
    source_id: int = Field(primary_key=True)
    verdict: str
    score: float = 0
    difference: str = "none"
    old_anchor: int
    target: int = 0
    candidates: str = "[]"
    state: str = "waiting"


class DocumentAliasRow(SQLModel, table=True):
    """A name that a document had before."""

    __tablename__ = "document_alias"
    name: str = Field(primary_key=True)
    document_id: str


class RepairRow(SQLModel, table=True):
    """A repair in a revision, by the event that first made it; `findings`: what it wrote there, and what was there."""

    __tablename__ = "repair"
    revision_id: int = Field(primary_key=True)
    seq: int = Field(primary_key=True)
    content: str
    ground: str
    state: str = "done"
    findings: str = "[]"


class RefusalHitRow(SQLModel, table=True):
    """A refusal for silence, and the new text of a revision that may answer it."""

    __tablename__ = "refusal_hit"
    revision_id: int = Field(primary_key=True)
    case_id: str = Field(primary_key=True)
    source_id: int
    share: float
    state: str = "waiting"


class CaseRow(SQLModel, table=True):
    """A case: its content as JSON, and beside it the columns that lists filter and sort by."""

    __tablename__ = "golden_case"
    id: str = Field(primary_key=True)
    seq: int
    status: str
    flags: str = "[]"
    author: str
    imported: int = 0
    version: int = 1
    case_version: int = 1
    approvals: int = 0
    confirmed_at: str = ""
    side: str = ""
    content: str
    content_hash: str
    approved_hash: str = ""
    question: str = ""
    domain: str = ""
    behavior: str
    risk: str
    risk_rank: int = 0
    task: str
    language: str = ""
    route: str = ""
    created_at: str
    updated_at: str
    retired_at: str = ""
    retired_reason: str = ""
    successor: str = ""


class DraftRow(SQLModel, table=True):
    """Typed text that is not saved yet. Overwritten; outside the history."""

    __tablename__ = "draft"
    actor: str = Field(primary_key=True)
    entity: str = Field(primary_key=True)
    entity_id: str = Field(primary_key=True)
    base_version: int
    content: str
    updated_at: str


class ReviewRow(SQLModel, table=True):
    """One judgement. Appended only."""

    __tablename__ = "review"
    seq: int = Field(primary_key=True)
    case_id: str
    slot: str
    actor: str
    at: str
    decision: str
    expected_behavior: str = ""
    expected_source_ids: str = "[]"
    risk: str = ""
    reason: str = ""
    content_hash: str
    question_hash: str
    withdrawn: str = ""
    refusal_reason: str = ""


class LeaseRow(SQLModel, table=True):
    """Who has a case in hand for a review, until when."""

    __tablename__ = "lease"
    case_id: str = Field(primary_key=True)
    slot: str = Field(primary_key=True)
    actor: str
    at: str
    until: str


class WaiverRow(SQLModel, table=True):
    """A gap that a lead lets pass, with the reason. Appended only."""

    __tablename__ = "waiver"
    seq: int = Field(primary_key=True)
    suite: str
    gap: str
    reason: str
    actor: str
    at: str


class HoldoutLookRow(SQLModel, table=True):
    """A look at the holdout: at one case, or ("" = none) at that of a released version. `withdrawn`: why it is none."""

    __tablename__ = "holdout_look"
    seq: int = Field(primary_key=True)
    actor: str
    at: str
    how: str
    suite: str = ""
    version: str = ""
    case_id: str = ""
    reason: str = ""
    withdrawn: str = ""


class ReleaseRow(SQLModel, table=True):
    """One released version of a suite."""

    __tablename__ = "release"
    suite: str = Field(primary_key=True)
    version: str = Field(primary_key=True)
    parent: str = ""
    created_at: str
    actor: str
    manifest: str
    seq: int


class ReleaseCaseRow(SQLModel, table=True):
    """The canonical line of a case in a release, holdout included."""

    __tablename__ = "release_case"
    suite: str = Field(primary_key=True)
    version: str = Field(primary_key=True)
    case_id: str = Field(primary_key=True)
    line: str


class FailureBatchRow(SQLModel, table=True):
    """One import of a log."""

    __tablename__ = "failure_batch"
    id: int | None = Field(default=None, primary_key=True)
    seq: int
    file: str
    format: str
    mapping: str = "{}"
    detector: str
    quarantined: int = 0
    expires_at: str = ""
    state: str = "importing"
    new: int = 0
    same: int = 0
    changed: int = 0
    rejected: int = 0
    skipped: int = 0
    masked: str = "{}"
    actor: str
    at: str


class FailureContextRow(SQLModel, table=True):
    """A retrieved text, once however often it was retrieved."""

    __tablename__ = "failure_context"
    id: int | None = Field(default=None, primary_key=True)
    digest: bytes
    text: str


class WordingRow(SQLModel, table=True):
    """A distinct wording of a question; `fold` is the wording that it folds into, 0 = not placed yet."""

    __tablename__ = "wording"
    id: int | None = Field(default=None, primary_key=True)
    digest: bytes
    text: str
    question: str
    uses: int = 0
    fold: int = 0
    ratio: float = 100
    bands: bytes = b""
    ask: int = 0
    ask_ratio: float = 0
    apart: int = 0


class FailureRow(SQLModel, table=True):
    """A production record after anonymisation."""

    __tablename__ = "failure"
    seq: int | None = Field(default=None, primary_key=True)
    id: str
    batch: int
    key: bytes
    row: int
    state: str = "new"
    quarantined: int = 0
    version: int = 1
    time: str = ""
    week: str = ""
    session: str = ""
    route: str = ""
    language: str = ""
    question: str
    answer: str = ""
    reference: str = ""
    error: str = ""
    score: str = ""
    feedback: str = ""
    turns: str = "{}"
    contexts: str = "[]"
    document: str = ""
    flags: str = "[]"
    masked: int = 0
    wording: int
    stage: str = ""
    reason: str = ""
    duplicate_of: str = ""
    case_id: str = ""
    risk: int = 0
    confirmed_hash: str = ""
    confirmed_with: str = ""
    confirmed_by: str = ""
    confirmed_at: str = ""
    updated_at: str = ""


class FailureSeenRow(SQLModel, table=True):
    """A content that was seen under an id of the log's own."""

    __tablename__ = "failure_seen"
    digest: bytes = Field(primary_key=True)


class FoldVerdictRow(SQLModel, table=True):
    """What a person said of two wordings: same or different."""

    __tablename__ = "fold_verdict"
    one: int = Field(primary_key=True)
    other: int = Field(primary_key=True)
    verdict: str
    seq: int


class PrivacyAllowRow(SQLModel, table=True):
    """A string that a person named as no personal data."""

    __tablename__ = "privacy_allow"
    seq: int = Field(primary_key=True)
    text: str
    kind: str = ""
    case_id: str = ""
    reason: str
    actor: str
    at: str


class PrivacyConfirmationRow(SQLModel, table=True):
    """What a person confirmed: the hash of the texts, and the detector that had looked at them."""

    __tablename__ = "privacy_confirmation"
    entity: str = Field(primary_key=True)
    entity_id: str = Field(primary_key=True)
    text_hash: str
    detector: str
    actor: str
    at: str
    seq: int


class PrivacyTombstoneRow(SQLModel, table=True):
    """That something was erased, without what it was."""

    __tablename__ = "privacy_tombstone"
    seq: int = Field(primary_key=True)
    reason: str
    counts: str
    actor: str
    at: str


class ListRowRow(SQLModel, table=True):
    """A row of an imported list by what it says (see store.list_rows), and the case that it became."""

    __tablename__ = "list_row"
    asked: bytes = Field(primary_key=True)
    named: bytes
    said: bytes
    case_id: str
