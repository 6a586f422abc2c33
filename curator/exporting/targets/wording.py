"""Checks of an answer by its words alone, for evaluators that run without a judge.

Each fails on an empty and on an unrelated answer, and the reference answer passes. They are substrings without case, so
"5 days" is found in "15 days".
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from curator.exporting.targets.protocol import Line

REFUSAL = (
    r"\b(can(?:no|['’])t|can not|won['’]t|unable to|not able to|"
    r"(?:do(?:es)? not|d(?:oes|o)n['’]t) (?:say|cover|contain|mention|know)|not covered|no information|"
    r"out(?:side)? (?:of )?(?:the |my )?scope|please (?:ask|contact|clarify)|"
    r"(?:kann|darf) (?:ich )?(?:das |dazu )?nicht)\b|없습니다|않습니다|어렵습니다"
)
"""How a refusal reads in English, German and Korean: one pattern for Python and JavaScript, case ignored."""


@dataclass(frozen=True)
class Checks:
    """What the words of an answer must and must not hold.

    Attributes:
        must_say: Of each inner tuple at least one phrase.
        must_not_say: None of these.
        refuses: It reads like a refusal.
        untested: Phrases that must not be claimed and stand in the reference answer itself: no substring tells them.
    """

    must_say: tuple[tuple[str, ...], ...]
    must_not_say: tuple[str, ...]
    refuses: bool
    untested: tuple[str, ...]

    def wire(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "mustSay": [list(group) for group in self.must_say],
            "mustNotSay": list(self.must_not_say),
            "refuses": self.refuses,
        }


def checks(case: Line) -> Checks:
    """The checks of a case.

    An answer names an accepted phrase of each mandatory provision, or is an accepted answer word for word where there
    is none; an escalation also names whom to turn to; a refusal reads like one.
    """
    right = [text for text in (case["referenceAnswer"], *case["acceptableAnswers"]) if text]
    claims = tuple(c for c in case["mustNotClaim"] if not any(_holds(text, c) for text in right))
    untested = tuple(c for c in case["mustNotClaim"] if c not in claims)
    if case["expectedBehavior"] == "refuse":
        return Checks((), claims, refuses=True, untested=untested)
    groups = [tuple(p["accept"]) for p in case["keyProvisions"] if p["mandatory"]]
    if case["expectedBehavior"] == "escalate":
        groups.append(_addressees(case["escalateTo"]))
    groups = groups or [tuple(right)]
    return Checks(tuple(_with_reference(g, case["referenceAnswer"]) for g in groups), claims, False, untested)


def _addressees(text: str) -> tuple[str, ...]:
    """Whom to turn to, in full and without what follows in brackets or behind a comma."""
    short = re.split(r"[(,;]", text, maxsplit=1)[0].strip()
    return tuple(dict.fromkeys(name for name in (text, short) if name))


def _with_reference(phrases: tuple[str, ...], reference: str) -> tuple[str, ...]:
    """The phrases, and the reference answer where it holds none of them: it is right by definition."""
    if not reference or any(_holds(reference, phrase) for phrase in phrases):
        return phrases
    return (*phrases, reference)


def _holds(text: str, phrase: str) -> bool:
    return phrase.lower() in text.lower()
