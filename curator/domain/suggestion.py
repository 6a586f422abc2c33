"""What the machine proposed as evidence, and what a person said of it: two things, kept apart everywhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from curator.domain.case import Case, Role
from curator.domain.model import Model

Method = Literal["words", "words and meaning", "id", "quote", "place", "page"]
"""How a source was found: by a search, or because an imported list names its id, a quote of it, an article, a page."""
Answer = Literal["", "rejected", "required", "supporting", "distractor"]
"""What a person said of a suggestion: nothing yet, no, or the role that it has as evidence."""


class Proposal(Model):
    """A source as it was suggested.

    Attributes:
        source_id: What was suggested.
        method: How it was found.
        rank: Its place in the list that was shown, from 1.
        score: BM25 of its words; comparable within one list only.
        meaning: Cosine of its meaning with the question's; 0 = not compared.
        question_hash: Of what was asked (domain.canonical): the texts themselves stand in the case.
    """

    source_id: str
    method: Method = "words"
    rank: int = 1
    score: float = 0.0
    meaning: float = 0.0
    question_hash: str = ""


class Decided(Model):
    """A suggestion that a person rejected, or took up: then the evidence of the case says what became of it.

    One that was taken up and is no evidence in the end was not decided about.
    """

    proposal: Proposal
    rejected: bool = False


class Decision(Model):
    """What is recorded: the suggestion, then what a person had said of it before and says now."""

    suggestion: Proposal
    before: Answer = ""
    after: Answer = ""


BY: dict[Method, str] = {"id": "by its id", "quote": "by its quote", "place": "by its number", "page": "by its page"}
"""How a source was found that an imported list names."""


def with_decided(known: Sequence[Decided], new: Decided) -> tuple[Decided, ...]:
    """What was decided, with one more; the latest about a source counts."""
    return (*without_decided(known, new.proposal.source_id), new)


def without_decided(known: Sequence[Decided], source_id: str) -> tuple[Decided, ...]:
    """What was decided, but for one source."""
    return tuple(d for d in known if d.proposal.source_id != source_id)


def counted(decided: Iterable[Decided], case: Case) -> tuple[Decided, ...]:
    """Those that say something: rejected, or evidence of the case."""
    cited = {e.source_id for e in case.evidence}
    return tuple(d for d in decided if d.rejected != (d.proposal.source_id in cited))


def role_of(case: Case, source_id: str) -> Role | Literal[""]:
    """The role of a source in a case, that of the entry marked last; "" = it is no evidence."""
    return next((e.role for e in reversed(case.evidence) if e.source_id == source_id), "")


def decisions(decided: Iterable[Decided], before: Case, after: Case, known: dict[str, Answer]) -> list[Decision]:
    """What is to be recorded when a case is saved.

    Args:
        decided: What the person decided since it was saved last.
        before: The case as it was stored then; after: as it is stored now.
        after: See before.
        known: What was recorded of a source before, by its id.
    """
    made = []
    for item in counted(decided, after):
        name = item.proposal.source_id
        had: Answer = role_of(before, name) or ("rejected" if known.get(name) == "rejected" else "")
        has: Answer = "rejected" if item.rejected else role_of(after, name)
        if had != has:
            made.append(Decision(suggestion=item.proposal, before=had, after=has))
    return made
