"""Whether a question stands on its own feet: it does not give its answer away, and its turns belong together."""

from __future__ import annotations

import re
from collections.abc import Iterator

from curator.domain.case import Case, Evidence
from curator.domain.leaning import leans, stands_alone
from curator.domain.phrases import holds, share, words
from curator.domain.problem import Problem, advice
from curator.domain.values import normal, same, values

_LEAK_RUN = 4


def problems(case: Case) -> tuple[Problem, ...]:
    """What is odd about the question itself, and about the row that it is answered by."""
    return (*_leak(case), *_turns(case), *_row(case))


def _leak(case: Case) -> Iterator[Problem]:
    if case.expected_behavior != "answer" or not case.reference_answer.strip() or not case.turns:
        return
    asked = "\n".join(case.turns)
    if _gives_away(case, asked):
        yield advice(
            "answer-in-question", "turns", "the question contains its answer", "ask without saying what is right"
        )


def _gives_away(case: Case, asked: str) -> bool:
    answer, question = normal(case.reference_answer, case.language), normal(asked, case.language)
    if len(answer) >= 12 and answer.rstrip(".!。") in question:
        return True
    mandatory = [p for p in case.key_provisions if p.mandatory and p.accept]
    if mandatory and all(
        any(_says(asked, a, case.language) for a in p.accept if a.strip()) for p in mandatory
    ):  # fmt: skip
        return True
    said, there = values(case.reference_answer, case.language), values(asked, case.language)
    if not all(any(same(t, s) for t in there) for s in said):
        return False
    mine, theirs = words(case.reference_answer), words(asked)
    run = _longest_run(mine, theirs)
    return run >= max(_LEAK_RUN + 1, round(0.6 * len(mine)))


def _says(text: str, phrase: str, language: str) -> bool:
    wanted = values(phrase, language)
    if wanted:
        there = values(text, language)
        full = all(w.unit or w.days for w in wanted)
        return all(any(same(t, w) and (full or bool(t.unit) == bool(w.unit)) for t in there) for w in wanted) and (
            share(phrase, text) >= 0.5 or holds(text, phrase, language)
        )
    return len(words(phrase)) > 1 and holds(text, phrase, language)


def _longest_run(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    """Length of the longest run of words that both have."""
    best = 0
    row = [0] * (len(other) + 1)
    for word in one:
        before = 0
        for n, theirs in enumerate(other, 1):
            before, row[n] = row[n], before + 1 if word == theirs else 0
            best = max(best, row[n])
    return best


def _turns(case: Case) -> Iterator[Problem]:
    last = case.question.strip()
    if not last or case.task == "summary":
        return
    if case.refusal_reason != "ambiguous" and _begins_in_the_middle(case):
        yield advice(
            "question-needs-context",
            "turns",
            "the question goes on from something that was not said",
            "add the earlier turn, or name what it is about",
        )
    if len(case.turns) > 1 and stands_alone(last, "\n".join(case.turns[:-1]), _known(case), case.language):
        yield advice(
            "follow-up-stands-alone",
            "turns",
            "the last turn can be understood without the ones before",
            "make it one question, or let it refer back",
        )


def _begins_in_the_middle(case: Case) -> bool:
    return leans(case.turns[0], case.language)


def _proof(case: Case) -> list[Evidence]:
    return [e for e in case.evidence if e.role != "distractor"]


def _spoken_of(entry: Evidence) -> str:
    return "\n".join((entry.quote, entry.table_title, *entry.table_header, *entry.section_path, *entry.footnotes))


def _known(case: Case) -> str:
    """All that an answering case speaks of beside its turns; a refusal may be of anything."""
    if case.expected_behavior == "refuse":
        return ""
    said = (case.reference_answer, *(p.text for p in case.key_provisions))
    return "\n".join((*said, *(_spoken_of(e) for e in _proof(case))))


def _row(case: Case) -> Iterator[Problem]:
    """A row whose key nobody names may be the wrong row of its table."""
    if case.expected_behavior == "refuse" or case.task == "summary":
        return
    said = "\n".join((*case.turns, case.reference_answer, *(p.text for p in case.key_provisions)))
    others = [e for e in case.evidence if e.role == "distractor" and (k := _key(e)) and share(k, said) > 0]
    for entry in case.evidence:
        if entry.role != "required" or not (key := _key(entry)) or share(key, said) > 0:
            continue
        nearer = any(e.table_title == entry.table_title and e.document_id == entry.document_id for e in others)
        if nearer or share(case.reference_answer, entry.quote) < 0.4:
            yield advice(
                "row-not-named",
                "evidence",
                f"{entry.source_id}: neither question nor answer names this row",
                "check that it is the right row of the table",
            )


def _key(entry: Evidence) -> str:
    """The first cell of a row that has words, as long as it may stand for the row."""
    first = next((c for c in entry.table_cells if c.strip()), "")
    return (
        first if any(len(w) >= 4 and w.isalpha() for w in words(first)) or re.search("[가-힣一-龥]{2}", first) else ""
    )
