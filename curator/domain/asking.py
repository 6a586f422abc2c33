"""Whether a question stands on its own feet: it does not give its answer away, and its turns belong together."""

from __future__ import annotations

import re
from collections.abc import Iterator

from curator.domain.case import Case, Evidence
from curator.domain.phrases import holds, share, words
from curator.domain.problem import Problem, advice
from curator.domain.values import normal, same, values

_LEAK_RUN = 4
_LEANING = re.compile(
    r"^(?:and|but|or|so|then|also|what about|how about|what if|same for|why|und|aber|oder|dann|et|mais|alors|y|pero|e|"
    r"ma|mas|en|maar)\b"
    r"|\b(?:it|its|they|them|their|those|these|this|that|he|she|him|her|his|hers|there|then|such|same|instead|"
    r"otherwise|the other|one|ones|"
    r"er|sie|es|ihn|ihm|ihr|ihre|diese|dieser|dieses|davon|dafür|dort|il|elle|ils|elles|celui|celle|cela|ça|en|y|"
    r"él|ella|ellos|eso|esto|ese|esa|lui|lei|loro|questo|quello|ele|ela|eles|isso|isto|hij|zij|dit|dat|deze)\b",
    re.IGNORECASE,
)
# "it" only as an object: "is it allowed" stands for nothing
_PRONOUN = re.compile(
    r"\b(?:he|she|they|him|them|his|their|theirs|hers)\b|(?<=\bwith )it\b|(?<=\b(?:of|to|on|in|by) )it\b"
    r"|(?<=\bfor )it\b"
    r"|(?<=\babout )it\b|(?<=\bfrom )it\b|(?<=\bthat )one\b",
    re.IGNORECASE,
)
# what a pronoun may stand for: something with an article, in the plural, or with a capital that begins no sentence
_NAMED = re.compile(
    r"\b(?:an?|the|my|our|your|this|these|every|each|any|some|no|all|which|what|whose|anyone|someone|who|people|"
    r"[a-z]{4,}s)\s+\w|(?<=[a-z,] )[A-Z][a-z]+|\b(?:anyone|someone|people|everyone|parents|children|pupils)\b",
)
_DROPS_PRONOUNS = re.compile("[\u3040-\u9fff\uac00-\ud7ff]")  # what is spoken of need not be named there
_OPENING = re.compile(
    r"^(?:and (?!the\b.{30})|but |so |or |what about|how about|what if\b.{0,25}$|same for|"
    r"und |aber |et |mais |y |pero |e (?:se|per)\b|"
    r"그럼|그러면|그런데|그리고|では|それで|那|那么)",
    re.IGNORECASE,
)


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
    if len(case.turns) == 1:
        if (_OPENING.search(last) or _dangles(last)) and case.refusal_reason != "ambiguous":
            yield advice(
                "question-needs-context",
                "turns",
                "the question goes on from something that was not said",
                "add the earlier turn, or name what it is about",
            )
        return
    earlier = "\n".join(case.turns[:-1])
    if _DROPS_PRONOUNS.search(last):
        return
    if not _LEANING.search(last) and len(words(last)) >= 5 and share(last, earlier) < 0.25:
        yield advice(
            "follow-up-stands-alone",
            "turns",
            "the last turn can be understood without the ones before",
            "make it one question, or let it refer back",
        )


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


def _dangles(text: str) -> bool:
    """Whether a pronoun comes before anything that it could stand for (English; other languages leave theirs out)."""
    for match in _PRONOUN.finditer(text):
        before = text[: match.start()]
        if not _NAMED.search(before):
            return True
    return False


def _key(entry: Evidence) -> str:
    """The first cell of a row that has words, as long as it may stand for the row."""
    first = next((c for c in entry.table_cells if c.strip()), "")
    return (
        first if any(len(w) >= 4 and w.isalpha() for w in words(first)) or re.search("[가-힣一-龥]{2}", first) else ""
    )
