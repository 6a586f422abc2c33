"""The case: what a system must do with a question, what proves it, and what happens when it fails.

`Case` holds what people decided, in the order and under the names of the canonical line. What follows from other things
(strata, partition, approvals, hashes) is not in it: a release derives it. A case may be incomplete while it is a draft;
`rules` says what is missing.
"""

from __future__ import annotations

from typing import Literal, get_args

from pydantic import Field, StrictBool, StrictInt, StrictStr

from curator.domain.model import Model

Task = Literal["question", "summary"]
Behavior = Literal["answer", "refuse", "escalate"]
RefusalReason = Literal["", "not_in_sources", "out_of_scope", "unsafe", "ambiguous", "personal_data"]
Risk = Literal["low", "medium", "high", "critical"]
DraftRisk = Literal["", "low", "medium", "high", "critical"]
"""Risk while a case is a draft: "" until a person has stated it. A line has one of the four."""
Difficulty = Literal["easy", "medium", "hard"]
Role = Literal["required", "supporting", "distractor"]
FailureStage = Literal[
    "none",
    "parsing",
    "chunking",
    "retrieval",
    "ranking",
    "routing",
    "conversation",
    "generation",
    "harness",
    "other",
]
Origin = Literal["expert", "production", "import", "synthetic"]
LengthStratum = Literal["base", "2x", "5x", "10x", "none"]
SectionPosition = Literal["early", "middle", "late", "none"]
Partition = Literal["dev", "holdout", "followup_dev", "followup_holdout"]
Status = Literal["draft", "in_review", "changes_requested", "approved", "retired"]

UNVERIFIED = "unverified"
"""Flag of a case that was imported as approved, until somebody confirms it."""
RISKS: tuple[Risk, ...] = get_args(Risk)
BEHAVIORS: tuple[Behavior, ...] = get_args(Behavior)
PARTITIONS: tuple[Partition, ...] = get_args(Partition)
OPEN_PARTITIONS: tuple[Partition, ...] = ("dev", "followup_dev")
HIDDEN_PARTITIONS: tuple[Partition, ...] = ("holdout", "followup_holdout")


class Evidence(Model):
    """One cited source as it read when a person cited it.

    Entries of one `group` are alternatives: any of them suffices; all groups of required evidence are needed.
    The quote of a row is its cells joined by " | ". `page` counts from 1, 0 = unknown.
    """

    source_id: StrictStr
    role: Role = "required"
    group: StrictStr = ""
    quote: StrictStr = ""
    document_id: StrictStr = ""
    document_version: StrictStr = ""
    document_sha256: StrictStr = ""
    page: StrictInt = 0
    page_label: StrictStr = ""
    section_path: tuple[StrictStr, ...] = ()
    table_title: StrictStr = ""
    table_header: tuple[StrictStr, ...] = ()
    table_cells: tuple[StrictStr, ...] = ()
    footnotes: tuple[StrictStr, ...] = ()
    effective_from: StrictStr = ""
    effective_to: StrictStr = ""


class KeyProvision(Model):
    """A statement that a right answer must carry; `accept`: phrases or values, any of which counts."""

    id: StrictStr = ""
    text: StrictStr = ""
    citation: StrictStr = ""
    source_id: StrictStr = ""
    page: StrictInt = 0
    mandatory: StrictBool = False
    accept: tuple[StrictStr, ...] = ()


class CaseDocument(Model):
    """A document that the case was judged against, for every behavior; pages 0 = unknown."""

    document_id: StrictStr
    document_version: StrictStr = ""
    document_sha256: StrictStr = ""
    title: StrictStr = ""
    pages: StrictInt = 0


class TurnExpectation(Model):
    """What was expected of an earlier turn of a follow-up; `turn` counts from 1."""

    turn: StrictInt
    expected_behavior: Behavior = "answer"
    reference_answer: StrictStr = ""
    expected_source_ids: tuple[StrictStr, ...] = ()


class Attribute(Model):
    """The open extension point: a fact that version 1 of the line has no key for."""

    name: StrictStr
    value: StrictStr = ""


class Case(Model):
    """The unit of the golden set, as people decided it. Unknown is "" or () or 0, never None."""

    id: StrictStr = ""
    task: Task = "question"
    turns: tuple[StrictStr, ...] = ()
    language: StrictStr = ""
    expected_behavior: Behavior = "answer"
    reference_answer: StrictStr = ""
    acceptable_answers: tuple[StrictStr, ...] = ()
    must_not_claim: tuple[StrictStr, ...] = ()
    as_of: StrictStr = ""
    asker: StrictStr = ""
    evidence: tuple[Evidence, ...] = ()
    key_provisions: tuple[KeyProvision, ...] = ()
    required_behaviors: tuple[StrictStr, ...] = ()
    refusal_reason: RefusalReason = ""
    escalate_to: StrictStr = ""
    escalate_when: StrictStr = ""
    risk: DraftRisk = ""
    consequence: StrictStr = ""
    domain: StrictStr = ""
    document_type: StrictStr = ""
    difficulty: Difficulty = "easy"
    route: StrictStr = ""
    documents: tuple[CaseDocument, ...] = ()
    failure_stage: FailureStage = "none"
    origin: Origin = "expert"
    turn_expectations: tuple[TurnExpectation, ...] = ()
    tags: tuple[StrictStr, ...] = ()
    notes: StrictStr = ""
    attributes: tuple[Attribute, ...] = ()

    @property
    def question(self) -> str:
        """The last turn: what the system is asked now; "" when there is none yet."""
        return self.turns[-1] if self.turns else ""

    @property
    def expected_source_ids(self) -> tuple[str, ...]:
        """Distinct ids of the required evidence, in order of first appearance."""
        return tuple(dict.fromkeys(e.source_id for e in self.evidence if e.role == "required"))


class CaseRecord(Model):
    """A case with its standing in the workspace.

    Attributes:
        version: Rises by one with every write; a save carries the version that it was loaded with.
        case_version: Counts the different contents that were approved; what the line says.
        flags: Beside the status: stale, disputed, privacy_open, unverified.
        side: "dev" or "holdout" once assigned (at the first approval), else "".
        confirmed_at: Date of the latest decision that approved this content, ISO; "" = never.
    """

    case: Case
    status: Status = "draft"
    flags: tuple[str, ...] = ()
    author: str = ""
    version: int = Field(default=1, ge=1)
    case_version: int = Field(default=1, ge=1)
    approvals: int = 0
    confirmed_at: str = ""
    side: Literal["", "dev", "holdout"] = ""
    content_hash: str = ""
    created_at: str = ""
    updated_at: str = ""
    retired_at: str = ""
    retired_reason: str = ""
    successor: str = ""

    @property
    def is_unverified(self) -> bool:
        """Whether it came in as approved elsewhere, and nobody has confirmed it here: it counts nowhere."""
        return self.status == "approved" and UNVERIFIED in self.flags

    @property
    def partition(self) -> Partition | Literal[""]:
        """The partition on the line: the side, with `followup_` when there is more than one turn; "" = unassigned."""
        if not self.side:
            return ""
        return f"followup_{self.side}" if len(self.case.turns) > 1 else self.side  # type: ignore[return-value]
