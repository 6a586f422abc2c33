"""The canonical line, version 1, as wire models: what stands on a line of a released file, and nothing else.

Every key stands on every line in the order of the fields here, and none is null: a string without a value is "", a list
[], a page 0. The published JSON Schema is generated from these models (`schema.case_schema`), conditions included.
"""

from __future__ import annotations

from typing import Annotated, Any, Self, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, Strict, model_validator
from pydantic.alias_generators import to_camel

from curator.domain.case import (
    Behavior,
    Difficulty,
    FailureStage,
    LengthStratum,
    Origin,
    Partition,
    RefusalReason,
    Risk,
    Role,
    SectionPosition,
    Task,
)
from curator.domain.document import SourceKind

_T = TypeVar("_T")


def _distinct(values: tuple[_T, ...]) -> tuple[_T, ...]:
    if len(set(values)) < len(values):
        raise ValueError("an entry stands twice")
    return values


DATE = "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
_CASE = "[a-z][a-z0-9-]{0,40}-[0-9a-hjkmnp-tv-z]{6}"
_UUID5 = "[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"

Text = Annotated[str, Strict()]
Words = Annotated[str, Strict(), Field(min_length=1)]
Count = Annotated[int, Strict(), Field(ge=0)]
Positive = Annotated[int, Strict(), Field(ge=1)]
PageNumber = Annotated[int, Strict(), Field(ge=0, description="1-based; 0 = unknown")]
Flag = Annotated[bool, Strict()]
CaseId = Annotated[str, Strict(), Field(pattern=f"^{_CASE}$")]
CaseIdOrNone = Annotated[str, Strict(), Field(pattern=f"^({_CASE})?$")]
SourceId = Annotated[str, Strict(), Field(max_length=120, pattern=r"^[^\s:]+:[^\s:]+$")]
SourceIdOrNone = Annotated[str, Strict(), Field(max_length=120, pattern=r"^([^\s:]+:[^\s:]+)?$")]
Sha256OrNone = Annotated[str, Strict(), Field(pattern="^([0-9a-f]{64})?$")]
DateOrNone = Annotated[str, Strict(), Field(pattern=f"^({DATE})?$")]
Canary = Annotated[str, Strict(), Field(pattern=f"^curator-canary:{_UUID5}$")]
Unique = (AfterValidator(_distinct), Field(json_schema_extra={"uniqueItems": True}))
SourceIds = Annotated[tuple[SourceId, ...], *Unique]
WordSet = Annotated[tuple[Words, ...], *Unique]


class Wire(BaseModel):
    """Base of what is written: frozen, names as on the wire, unknown ones refused, no value converted."""

    model_config = ConfigDict(frozen=True, extra="forbid", alias_generator=to_camel)


class EvidenceLine(Wire):
    """One cited source."""

    source_id: SourceId
    role: Role
    group: Annotated[
        Words,
        Field(
            description="alternatives share a group: any member suffices; all groups of required evidence are needed; "
            "default: the sourceId"
        ),
    ]
    quote: Words
    document_id: Text
    document_version: Text
    document_sha256: Sha256OrNone = Field(alias="documentSha256")
    page: PageNumber
    page_label: Text
    section_path: tuple[Text, ...]
    table_title: Text
    table_header: tuple[Text, ...]
    table_cells: tuple[Text, ...]
    footnotes: tuple[Text, ...]
    effective_from: DateOrNone
    effective_to: DateOrNone


class KeyProvisionLine(Wire):
    """A statement that a right answer must carry."""

    model_config = ConfigDict(
        json_schema_extra={
            "if": {"properties": {"mandatory": {"const": True}}},
            "then": {"properties": {"accept": {"minItems": 1}}},
        }
    )

    id: Annotated[str, Strict(), Field(pattern="^p[1-9][0-9]*$")]
    text: Words
    citation: Text
    source_id: SourceIdOrNone
    page: PageNumber
    mandatory: Flag
    accept: Annotated[tuple[Words, ...], Field(description="phrases or values, any of which in an answer counts")]

    @model_validator(mode="after")
    def _accepts_something(self) -> Self:
        if self.mandatory and not self.accept:
            raise ValueError("mandatory, and nothing in accept")
        return self


class DocumentLine(Wire):
    """A document that the case was judged against."""

    document_id: Words
    document_version: Text
    document_sha256: Sha256OrNone = Field(alias="documentSha256")
    title: Text
    pages: Annotated[Count, Field(description="0 = unknown")]


class TurnExpectationLine(Wire):
    """What was expected of an earlier turn."""

    turn: Positive
    expected_behavior: Behavior
    reference_answer: Text
    expected_source_ids: SourceIds


class AttributeLine(Wire):
    """A fact that version 1 has no key for."""

    name: Words
    value: Text


def _when(condition: dict[str, Any], then: dict[str, Any], otherwise: dict[str, Any] | None = None) -> dict[str, Any]:
    rule = {"if": {"properties": condition}, "then": {"properties": then}}
    return rule | ({"else": {"properties": otherwise}} if otherwise else {})


_EMPTY: dict[str, Any] = {"const": ""}
_REQUIRED: dict[str, Any] = {"contains": {"properties": {"role": {"const": "required"}}}}
_ANSWER: dict[str, Any] = {"expectedBehavior": {"const": "answer"}}
CONDITIONS: list[dict[str, Any]] = [
    _when(
        {"task": {"const": "question"}, **_ANSWER},
        {"referenceAnswer": {"minLength": 1}, "evidence": _REQUIRED, "expectedSourceIds": {"minItems": 1}},
    ),
    _when(
        {"task": {"const": "summary"}, **_ANSWER},
        {
            "keyProvisions": {"minItems": 3},
            "documents": {"minItems": 1},
            "turns": {"maxItems": 1},
            "referenceAnswer": {"minLength": 1},
        },
    ),
    _when(_ANSWER, {"refusalReason": _EMPTY, "escalateTo": _EMPTY, "escalateWhen": _EMPTY}),
    _when(
        {"expectedBehavior": {"const": "refuse"}},
        {
            "refusalReason": {"minLength": 1},
            "escalateTo": _EMPTY,
            "evidence": {"not": _REQUIRED},
            "expectedSourceIds": {"maxItems": 0},
            "escalateWhen": _EMPTY,
        },
    ),
    _when(
        {"expectedBehavior": {"const": "escalate"}},
        {"escalateTo": {"minLength": 1}, "escalateWhen": {"minLength": 1}, "refusalReason": _EMPTY},
    ),
    _when(
        {"turns": {"minItems": 2}},
        {"partition": {"enum": ["followup_dev", "followup_holdout"]}},
        {"partition": {"enum": ["dev", "holdout"]}, "turnExpectations": {"maxItems": 0}},
    ),
]


class CaseLine(Wire):
    """No nulls: a string without a value is "", a list without a value is [], page 0 means unknown."""

    model_config = ConfigDict(json_schema_extra={"allOf": CONDITIONS})  # type: ignore[dict-item]

    id: Annotated[
        CaseId,
        Field(description="domain slug or 'case', dash, 6 Crockford base32 characters; says nothing about the content"),
    ]
    task: Task
    turns: Annotated[tuple[Words, ...], Field(min_length=1)]
    language: Annotated[
        str,
        Strict(),
        Field(pattern="^([A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*)?$", description="BCP-47 of the last turn; '' = unknown"),
    ]
    expected_behavior: Behavior
    reference_answer: Text
    acceptable_answers: tuple[Words, ...]
    must_not_claim: tuple[Words, ...]
    as_of: Annotated[DateOrNone, Field(description="the date the question is about; '' = none")]
    asker: Annotated[Text, Field(description="role or access of the person asking")]
    expected_source_ids: Annotated[
        SourceIds, Field(description="distinct ids of the required evidence in order of first appearance")
    ]
    evidence: tuple[EvidenceLine, ...]
    key_provisions: tuple[KeyProvisionLine, ...]
    required_behaviors: WordSet
    refusal_reason: RefusalReason
    escalate_to: Text
    escalate_when: Text
    risk: Risk
    consequence: Text
    domain: Text
    document_type: Text
    difficulty: Difficulty
    route: Text
    documents: Annotated[
        tuple[DocumentLine, ...], Field(description="what the case was judged against, for every behavior")
    ]
    length_stratum: LengthStratum
    section_position: SectionPosition
    partition: Partition
    failure_stage: FailureStage
    origin: Origin
    turn_expectations: tuple[TurnExpectationLine, ...]
    tags: WordSet
    notes: Text
    case_version: Positive
    confirmed_at: DateOrNone
    approvals: Count
    attributes: Annotated[
        tuple[AttributeLine, ...],
        Field(description="sorted by name; the open extension point: consumers ignore names they do not know"),
    ]
    canary: Canary
    content_hash: Annotated[str, Strict(), Field(pattern="^sha256:[0-9a-f]{64}$")]

    @model_validator(mode="after")
    def _conditions(self) -> Self:
        """The same as CONDITIONS, in words that a person can act on."""
        broken = [*self._behavior_conditions(), *self._turn_conditions()]
        if broken:
            raise ValueError("; ".join(broken))
        return self

    def _behavior_conditions(self) -> list[str]:
        behavior = self.expected_behavior
        required = any(e.role == "required" for e in self.evidence)
        summary = self.task == "summary"
        answer, refuse, escalate = (behavior == b for b in ("answer", "refuse", "escalate"))
        rules = (
            (answer and not self.reference_answer, "an answer needs a referenceAnswer"),
            (answer and not summary and not required, "an answer needs required evidence"),
            (answer and not summary and not self.expected_source_ids, "an answer needs expectedSourceIds"),
            (answer and summary and len(self.key_provisions) < 3, "a summary needs 3 keyProvisions"),
            (answer and summary and not self.documents, "a summary needs a document"),
            (answer and summary and len(self.turns) > 1, "a summary has one turn"),
            (refuse and not self.refusal_reason, "a refusal needs a refusalReason"),
            (not refuse and self.refusal_reason, f"a refusalReason on a case to {behavior}"),
            (refuse and required, "a refusal has no required evidence"),
            (refuse and self.expected_source_ids, "a refusal has no expectedSourceIds"),
            (escalate and not self.escalate_to, "an escalation needs escalateTo"),
            (escalate and not self.escalate_when, "an escalation needs escalateWhen"),
            (not escalate and self.escalate_to, f"escalateTo on a case to {behavior}"),
            (not escalate and self.escalate_when, f"escalateWhen on a case to {behavior}"),
        )
        return [message for broken, message in rules if broken]

    def _turn_conditions(self) -> list[str]:
        follow_up = self.partition.startswith("followup_")
        rules = (
            (len(self.turns) > 1 and not follow_up, "more than one turn belongs in a followup_ partition"),
            (len(self.turns) == 1 and follow_up, "a followup_ partition needs more than one turn"),
            (len(self.turns) == 1 and self.turn_expectations, "turnExpectations without an earlier turn"),
        )
        return [message for broken, message in rules if broken]


class SourceLine(Wire):
    """A line of sources.jsonl: what can be cited, in full; the text of a row is title, section, "header: cell; ..."."""

    id: SourceId
    aliases: SourceIds
    kind: SourceKind
    text: Words
    document_id: Text
    document_version: Text
    page: PageNumber
    section_path: tuple[Text, ...]
    table_title: Text
    table_header: tuple[Text, ...]
    table_cells: tuple[Text, ...]


def keys(model: type[BaseModel]) -> tuple[str, ...]:
    """Names on the wire, in their constant order."""
    return tuple(field.alias or name for name, field in model.model_fields.items())


CASE_KEYS = keys(CaseLine)
SOURCE_KEYS = keys(SourceLine)
NESTED: dict[str, tuple[str, ...]] = {
    "evidence": keys(EvidenceLine),
    "keyProvisions": keys(KeyProvisionLine),
    "documents": keys(DocumentLine),
    "turnExpectations": keys(TurnExpectationLine),
    "attributes": keys(AttributeLine),
}
