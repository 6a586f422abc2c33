"""Hypothesis strategies: text from outside, and cases that have every right to be submitted."""

from __future__ import annotations

import string
from typing import Any, get_args

from hypothesis import strategies as st

from curator.domain.case import (
    RISKS,
    Attribute,
    Case,
    CaseDocument,
    Difficulty,
    Evidence,
    FailureStage,
    KeyProvision,
    Origin,
    RefusalReason,
    TurnExpectation,
)
from curator.domain.identity import CROCKFORD
from curator.text import clean

outside_text = st.text(max_size=40)
"""Any text that UTF-8 can hold; NUL, controls and bidirectional marks included."""

# Texts that a store holds as they are: without surrogates, NUL and noncharacters, which the door replaces.
_plain = st.text(
    st.characters(blacklist_categories=["Cs"]).filter(lambda c: not clean(c)[1])
    | st.sampled_from("é가\u202e\x1b|\"'\\\n"),
    max_size=30,
)
words = _plain.filter(lambda t: bool(t.strip()))
_sha = st.sampled_from(["", "0" * 64, "ab" * 32])
_dates = st.sampled_from(["", "2024-02-29", "2025-01-01"])
source_ids = st.builds(
    "{}:{}".format,
    st.sampled_from(["reg", "guide.table-2", "지침"]),
    st.sampled_from(["article-7", "수두", "p3", "r-1.2"]),
)


def _distinct(values: st.SearchStrategy[str], size: int) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(values, max_size=size, unique=True).map(tuple)


@st.composite
def _evidence(draw: st.DrawFn, roles: list[str]) -> Evidence:
    start, end = sorted((draw(_dates), draw(_dates)))
    return Evidence(
        source_id=draw(source_ids),
        role=draw(st.sampled_from(roles)),
        group=draw(st.sampled_from(["", "g1"])),
        quote=draw(words),
        document_id=draw(_plain),
        document_sha256=draw(_sha),
        page=draw(st.integers(0, 400)),
        page_label=draw(_plain),
        section_path=draw(st.lists(_plain, max_size=2)),
        table_title=draw(_plain),
        table_header=draw(st.lists(_plain, max_size=2)),
        table_cells=draw(st.lists(_plain, max_size=2)),
        effective_from=start,
        effective_to=end,
    )


@st.composite
def valid_cases(draw: st.DrawFn) -> Case:
    """A complete case of any behavior and task: rules.errors finds nothing."""
    task, behavior = draw(
        st.sampled_from([(t, b) for t in ("question", "summary") for b in ("answer", "refuse", "escalate")])
    )
    roles = ["supporting", "distractor"] + ["required"] * (behavior != "refuse")
    evidence = draw(st.lists(_evidence(roles), max_size=3))
    if behavior == "answer" and task == "question":
        evidence.insert(0, draw(_evidence(["required"])))
    cited = sorted({e.source_id for e in evidence})
    turns = (draw(words),) if task == "summary" else tuple(draw(st.lists(words, min_size=1, max_size=3)))
    return Case(
        id=draw(st.from_regex(rf"(case|school-health)-[{CROCKFORD}]{{6}}", fullmatch=True)),
        task=task,
        turns=turns,
        language=draw(st.sampled_from(["", "en", "ko", "pt-BR"])),
        expected_behavior=behavior,
        reference_answer=draw(words) if behavior == "answer" else draw(_plain),
        acceptable_answers=draw(st.lists(words, max_size=2)),
        must_not_claim=draw(st.lists(words, max_size=2)),
        as_of=draw(_dates),
        asker=draw(_plain),
        evidence=evidence,
        key_provisions=_provisions(draw, task, behavior, cited),
        required_behaviors=draw(_distinct(words, 2)),
        refusal_reason=draw(st.sampled_from([r for r in get_args(RefusalReason) if r])) if behavior == "refuse" else "",
        escalate_to=draw(words) if behavior == "escalate" else "",
        escalate_when=draw(words) if behavior == "escalate" else "",
        risk=draw(st.sampled_from(RISKS)),
        consequence=draw(_plain),
        domain=draw(_plain),
        difficulty=draw(st.sampled_from(get_args(Difficulty))),
        documents=_documents(draw, task),
        failure_stage=draw(st.sampled_from(get_args(FailureStage))),
        origin=draw(st.sampled_from(get_args(Origin))),
        turn_expectations=_expectations(draw, len(turns), cited),
        tags=draw(_distinct(st.text(string.ascii_lowercase, min_size=1, max_size=4), 3)),
        notes=draw(_plain),
        attributes=draw(st.lists(st.builds(Attribute, name=words, value=_plain), max_size=3)),
    )


def _provisions(draw: Any, task: str, behavior: str, cited: list[str]) -> list[KeyProvision]:
    summary = task == "summary" and behavior == "answer"
    pages = [2, 6, 11] if summary else draw(st.lists(st.integers(0, 12), max_size=2))
    found = []
    for number, page in enumerate(pages, 1):
        accept = draw(st.lists(words, max_size=2))
        found.append(
            KeyProvision(
                id=draw(st.sampled_from(["", f"p{number}"])),
                text=draw(words),
                citation=draw(_plain),
                source_id=draw(st.sampled_from(["", *cited])),
                page=page,
                mandatory=bool(accept) and draw(st.booleans()),
                accept=accept,
            )
        )
    return found


def _documents(draw: Any, task: str) -> list[CaseDocument]:
    ids = draw(st.lists(words, min_size=task == "summary", max_size=2, unique=True))
    return [CaseDocument(document_id=i, document_sha256=draw(_sha), title=draw(_plain), pages=12) for i in ids]


def _expectations(draw: Any, turns: int, cited: list[str]) -> list[TurnExpectation]:
    about = draw(st.lists(st.integers(1, turns - 1), unique=True, max_size=2)) if turns > 1 else []
    return [
        TurnExpectation(
            turn=t,
            reference_answer=draw(_plain),
            expected_source_ids=draw(_distinct(st.sampled_from(cited), 2)) if cited else (),
        )
        for t in about
    ]
