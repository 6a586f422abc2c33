"""What a case says against its evidence: every check fires on the fault that it is for, and not without it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from curator.domain import rules
from curator.domain.case import Case
from curator.domain.checks import CHECKS, leveled, levels, page
from curator.errors import InputError

ROOT = Path(__file__).parents[2]
ARTICLE: dict[str, Any] = {
    "sourceId": "reg:article-7.p1",
    "quote": "A late report costs up to $10 million or 4 % of turnover, whichever is higher. "
    "It may be paid within 30 days.",
    "documentId": "reg", "page": 9, "sectionPath": ["Chapter III", "Article 7 Penalties"],
    "effectiveFrom": "2026-03-01",
}  # fmt: skip
ROW: dict[str, Any] = {
    "sourceId": "guide.table-4:measles", "quote": "Measles | 4 | at once", "documentId": "guide", "page": 10,
    "tableTitle": "Table 4. Exclusion", "tableHeader": ["Disease", "Days away", "Notify"],
    "tableCells": ["Measles", "4", "at once"],
}  # fmt: skip
OTHER_ROW = ROW | {
    "sourceId": "guide.table-4:mumps",
    "quote": "Mumps | 5 | later",
    "tableCells": ["Mumps", "5", "later"],
}
TWO = ARTICLE | {
    "quote": "The rest at home base is 12 hours. Away from base the rest is 10 hours. Send 3 samples within 60 hours."
}
LIMITS = ROW | {
    "sourceId": "guide.table-5:debit", "quote": "Debit | 2,000 | 50", "tableTitle": "Table 5. Card limits (EUR)",
    "tableHeader": ["Card", "Daily limit", "Contactless limit"], "tableCells": ["Debit", "2,000", "50"],
}  # fmt: skip
LAW: dict[str, Any] = {
    "turns": ["What does a late report cost?"], "language": "en", "domain": "law", "risk": "medium",
    "referenceAnswer": "Under Article 7 up to ten million dollars or 4 percent of turnover, whichever is higher.",
    "evidence": [ARTICLE], "documents": [{"documentId": "reg", "pages": 12}], "asOf": "2026-06-01",
    "keyProvisions": [{"id": "p1", "text": "Article 7: up to $10M", "citation": "Article 7(1), p. 9", "page": 9,
                       "sourceId": "reg:article-7.p1", "mandatory": True, "accept": ["$10 million"]}],
    "mustNotClaim": ["whichever is lower"],
}  # fmt: skip
SCHOOL: dict[str, Any] = {
    "turns": ["How long does a child with measles stay away?"], "language": "en", "domain": "health", "risk": "low",
    "referenceAnswer": "Four days.", "evidence": [ROW], "documents": [{"documentId": "guide", "pages": 30}],
}  # fmt: skip
FOLLOW_UP = SCHOOL | {"turns": ["How long does a child with mumps stay away?", "And one with measles?"]}


def provision(**change: Any) -> dict[str, Any]:
    return {"keyProvisions": [LAW["keyProvisions"][0] | change]}


def codes(body: dict[str, Any]) -> set[str]:
    return {p.code for p in rules.problems(Case.model_validate(body), "2026-06-01")}


@pytest.mark.parametrize("body", [LAW, SCHOOL, FOLLOW_UP], ids=["law", "row", "follow-up"])
def test_a_sound_case_has_no_problem(body: dict[str, Any]) -> None:
    assert codes(body) == set()


FAULTS: list[tuple[str, dict[str, Any]]] = [
    ("value-unsupported", LAW | {"referenceAnswer": "Up to $12 million."}),
    ("value-unsupported", LAW | provision(accept=["$12 million"])),
    ("value-unsupported", SCHOOL | {"referenceAnswer": "5 days."}),
    ("unit-differs", LAW | {"referenceAnswer": "Up to 10 million euros, within 30 days."}),
    ("unit-differs", SCHOOL | {"referenceAnswer": "4 weeks."}),
    ("unit-differs", LAW | {"referenceAnswer": "$10 million, within 30 working days."}),
    ("citation-unsupported", LAW | {"referenceAnswer": "Under Article 9 up to $10 million."}),
    ("citation-unsupported", LAW | provision(text="Article 17: up to $10M")),
    ("citation-misplaced", LAW | provision(citation="Article 9(1)")),
    ("page-misplaced", LAW | provision(citation="p. 4")),
    ("accept-unsupported", LAW | provision(accept=["imprisonment of the director"])),
    ("answer-misses-provision", LAW | {"referenceAnswer": "It costs a good deal."}),
    ("claim-forbidden", LAW | {"referenceAnswer": "Up to $10 million, whichever is lower."}),
    ("wording-opposed", LAW | {"referenceAnswer": "$10 million or 4 %, whichever is lower."}),
    ("wording-opposed", LAW | {"referenceAnswer": "$10 million. It may not be paid within 30 days."}),
    ("row-without-title", SCHOOL | {"evidence": [ROW | {"tableTitle": ""}]}),
    ("row-without-header", SCHOOL | {"evidence": [ROW | {"tableHeader": []}]}),
    ("row-misfits-header", SCHOOL | {"evidence": [ROW | {"tableHeader": ["Disease", "Days away"]}]}),
    ("row-not-named", SCHOOL | {"evidence": [OTHER_ROW, ROW | {"role": "distractor"}]}),
    ("evidence-not-in-force", LAW | {"asOf": "2026-02-28"}),
    ("evidence-not-in-force", LAW | {"asOf": "", "evidence": [ARTICLE | {"effectiveTo": "2026-05-31"}]}),
    ("answer-in-question", LAW | {"turns": ["Does it cost up to $10 million or 4 % of turnover, whichever is higher?"],
                                  "referenceAnswer": "Up to $10 million or 4 % of turnover, whichever is higher."}),
    ("answer-in-question", SCHOOL | {"turns": ["How long away with measles (four days)?"],
                                     "referenceAnswer": "four days",
                                     "keyProvisions": [
        {"id": "p1", "text": "4 days", "accept": ["4 days"], "mandatory": True}]}),
    ("question-needs-context", SCHOOL | {"turns": ["And with measles?"]}),
    ("question-needs-context", SCHOOL | {"turns": ["Do I have to pay it all at once?"]}),
    ("question-needs-context", SCHOOL | {"turns": ["Until when?", "And with measles?"]}),
    ("question-needs-context", SCHOOL | {"turns": ["Wer muss sie unterschreiben?"], "language": "de"}),
    ("question-needs-context", SCHOOL | {"turns": ["¿Quién lo firma?"], "language": "es"}),
    ("question-needs-context", SCHOOL | {"turns": ["Doivent-ils être tenus en laisse ?"], "language": "fr"}),
    ("question-needs-context", SCHOOL | {"turns": ["부산은요?"], "language": "ko"}),
    ("follow-up-stands-alone", SCHOOL | {"turns": [
        "Who opens the gate?", "How long does a child with measles stay away from school?"]}),
    ("follow-up-stands-alone", FOLLOW_UP | {"turns": [FOLLOW_UP["turns"][0], "How high may the riser of a stair be?"]}),
    ("values-exchanged", LAW | {"evidence": [TWO], "turns": ["What is the interval between two tests?"],
                                "referenceAnswer": "10 hours at home base and 12 hours away from it."}),
    ("values-exchanged", LAW | {"evidence": [TWO], "referenceAnswer": "60 samples within 3 hours."}),
    ("values-exchanged", SCHOOL | {"evidence": [LIMITS], "referenceAnswer": "50 euro a day, 2,000 euro contactless."}),
    ("column-not-asked", SCHOOL | {"evidence": [LIMITS], "turns": ["What is the contactless limit of a debit card?"],
                                   "referenceAnswer": "2,000 euro."}),
    ("value-unsupported", LAW | {"turns": ["What did a late report cost in 2025?"],
                                 "referenceAnswer": "$2025 million."}),
    ("wording-opposed", LAW | {"evidence": [ARTICLE | {"quote": "It is paid no later than 30 days after the order."}],
                               "referenceAnswer": "No earlier than 30 days after the order."}),
]  # fmt: skip


@pytest.mark.parametrize(("code", "body"), FAULTS, ids=[f"{c}-{n}" for n, (c, _) in enumerate(FAULTS)])
def test_a_planted_fault_is_found(code: str, body: dict[str, Any]) -> None:
    assert code in codes(body)


SOUND: list[dict[str, Any]] = [
    SCHOOL | {"turns": [question], "language": language}
    for language, question in (
        ("en", "How long does it take for a child with measles to come back?"),
        ("en", "If a caller says he is from the bank, what do I do?"),
        ("en", "In what year did NASA publish its first table on measles?"),
        ("en", "Late reports: what do they cost a child with measles?"),
        ("zh", "他汀类药物对麻疹患儿是否适用？"),
        ("de", "Ist es mir erlaubt, ein Kind mit Masern zu besuchen?"),
        ("fr", "Faut-il garder un enfant à la maison ?"),
        ("es", "En caso de sarampión, ¿cuánto tiempo falta un niño?"),
        ("ko", "등교 중지 한도 기간은 얼마에요?"),
    )
] + [
    LAW | {"evidence": [TWO], "keyProvisions": [], "referenceAnswer": answer}
    for answer in ("12 hours at home base, 10 hours away from it.", "10 hours away from base; 12 at home base.",
                   "12 and 10 hours.", "Send 3 samples within 60 hours.", "60 hours, for 3 samples.")
] + [
    LAW | {"evidence": [ARTICLE | {"quote": quote}], "keyProvisions": [], "referenceAnswer": answer}
    for quote, answer in (
        ("Basic: 5; gold: 9; platinum: 12.", "Gold 9, platinum 12."),
        ("12 of 150 (8 %) on the drug and 30 of 148 (20 %) on placebo relapsed.",
         "30 of 148 on placebo (20 %) and 12 of 150 on the drug (8 %) relapsed."),
        ("Under 2: 1 adult for 3. Age 2: 1 for 5. Ages 3 to 5: 1 for 8.",
         "1 adult for 3 children under 2, at age 2 it is 1 for 5."),
        ("Front 2.3 bar, rear 2.5 bar; full front 2.5 bar, rear 3.0 bar.",
         "Front 2.3 bar and rear 2.5 bar, or 2.5 bar in front and 3.0 bar in the rear when full."),
    )
] + [
    SCHOOL | {"turns": ["How many work at A besides teachers?"], "referenceAnswer": "12.", "evidence": [ROW | {
        "quote": "A | 30 | 12", "tableHeader": ["School", "Teachers", "Other staff"],
        "tableCells": ["A", "30", "12"]}]},
    LAW | {"evidence": [ARTICLE | {"quote": "연체료는 50%를 넘지 않는다."}], "language": "ko", "keyProvisions": [],
           "turns": ["연체료는 얼마인가요?"], "referenceAnswer": "50%입니다."},
    LAW | {"evidence": [ARTICLE | {"quote": "Travel is refunded at 0.30 euro for each kilometer."}],
           "referenceAnswer": "0.30 euro for each kilometer, that is 30 cents."} | provision(
               text="0.30 euro", accept=["0.30 euro"]),
]  # fmt: skip


@pytest.mark.parametrize("body", SOUND, ids=range(len(SOUND)))
def test_what_only_looks_like_a_fault_is_none(body: dict[str, Any]) -> None:
    assert codes(body) <= {"row-not-named"}


def test_distractors_prove_nothing() -> None:
    far = ARTICLE | {"sourceId": "reg:article-8", "quote": "A false report costs $12 million.", "role": "distractor"}
    assert "value-unsupported" in codes(LAW | {"referenceAnswer": "Up to $12 million.", "evidence": [ARTICLE, far]})


def test_what_the_question_says_may_be_repeated() -> None:
    body = SCHOOL | {
        "turns": ["A boy of 12 in class 4 has measles. How long?"],
        "referenceAnswer": "At 12 too, 4 days.",
    }
    assert codes(body) == set()


def test_no_check_is_without_a_page_and_none_on_it_is_unknown() -> None:
    said: set[str] = set()
    for path in (ROOT / "curator").glob("*/*.py"):
        source = path.read_text("utf-8")
        if path.parent.name in ("domain", "services") and re.search(
            r"domain\.(?:problem|rules) import [^\n]*\b(?:Problem|advice)\b", source
        ):
            said |= set(re.findall(r'(?:_need|advise|advice|problem|_here)\(\s*"([a-z][a-z0-9-]+)"', source))
            said |= set(re.findall(r'Problem\(code="([a-z-]+)"', source))
    said |= {f"escalate-{what}-missing" for what in ("whom", "when")}
    assert said == set(CHECKS)
    assert (ROOT / "docs" / "checks.md").read_text("utf-8") == page()


def test_a_severity_is_that_of_the_catalogue() -> None:
    for code, body in FAULTS:
        found = [p for p in rules.problems(Case.model_validate(body), "2026-06-01") if p.code == code]
        assert {p.severity for p in found} == {CHECKS[code].severity}


def test_severities_can_be_set_but_not_those_that_a_line_needs() -> None:
    problems = rules.problems(Case.model_validate(SCHOOL | {"referenceAnswer": "4 weeks.", "domain": ""}))
    by_code = levels({"unit-differs": "error", "domain-missing": "off"})
    assert [(p.code, p.severity) for p in leveled(problems, by_code)] == [("unit-differs", "error")]
    with pytest.raises(InputError, match="stays an error"):
        levels({"evidence-missing": "off"})
    with pytest.raises(InputError, match="no such check"):
        levels({"no-such": "off"})
