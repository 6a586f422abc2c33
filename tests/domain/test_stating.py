"""Whether an answer states a phrase: what it denies, corrects or bounds, in ten languages."""

from __future__ import annotations

import pytest

from benchmarks.claims import labeled
from curator.domain.stating import Said

STATED = [
    ("No, the penalty is $10M.", "$10M"),
    ("The penalty is 10 million dollars.", "$10M"),
    ("It is not 48 hours but 24 hours.", "24 hours"),
    ("Pupils may return no earlier than 48 hours after the fever.", "48 hours"),
    ("The period must not exceed 48 hours.", "48 hours"),
    ("The pupil may not return until 48 hours have passed.", "48 hours"),
    ("Wait two days.", "48 hours"),
    ("Give 20 mg/kg.", "20 mg for each kg"),
    ("Not only a warning, but also a penalty of $10M.", "penalty of $10M"),
    ("The fee is $10M for companies that do not report.", "$10M"),
    ("A written order is needed.", "written order"),
    ("Written orders are needed.", "written order"),
    ("Do not wait; return after 48 hours.", "48 hours"),
    ("Wait six hours.", "6 hours"),
    ("Return after five (5) days.", "5 days"),
    ("Return after 5 (five) days.", "5 days"),
    ("Do not give it more often than every 6 hours.", "6 hours"),
    ("The fine may reach 1,500 euros.", "1500 EUR"),
    ("Die Strafe beträgt 10 Millionen Euro.", "10 Mio. Euro"),
    ("Nicht 48 Stunden, sondern 24 Stunden.", "24 Stunden"),
    ("L'amende est de 10 millions d'euros.", "10 millions d'euros"),
    ("La multa no supera los 10 millones de euros.", "10 millones de euros"),
    ("48시간이 아니라 24시간입니다.", "24시간"),
    ("48시간이 지날 때까지 등교할 수 없습니다.", "48시간"),
    ("需要等待48小时。", "48小时"),
    ("不得超过48小时。", "48小时"),
    ("不能在48小时内返校。", "48小时"),
    ("발진 시작 후 최소 5일은 등교하지 않습니다.", "최소 5일"),
    ("48時間は登校できません。", "48時間"),
    ("A pupil who does not have a fever may return after 24 hours.", "24 hours"),
    ("Pupils without symptoms wait 24 hours.", "24 hours"),
    ("After 48 hours pupils do not need a certificate.", "48 hours"),
    ("Nach 48 Stunden ist kein Attest nötig.", "48 Stunden"),
    ("Après 48 heures l'élève n'a pas besoin de certificat.", "48 heures"),
]
NOT_STATED = [
    ("There is no penalty of $10M.", "$10M"),
    ("No penalty, fine or charge of $10M applies.", "$10M"),
    ("A fine of $10M does not apply.", "$10M"),
    ("$10M is not the penalty.", "$10M"),
    ("The penalty isn't $10M.", "$10M"),
    ("The penalty is $10.5M.", "$10M"),
    ("The penalty is €10M.", "$10M"),
    ("24 hours, not 48 hours.", "48 hours"),
    ("The rule is 24 hours rather than 48 hours.", "48 hours"),
    ("Formerly 48 hours; now 24 hours.", "48 hours"),
    ("The claim that it is 48 hours is wrong.", "48 hours"),
    ("Never give 20 mg for each kg.", "20 mg for each kg"),
    ("Wait 15 days.", "5 days"),
    ("Wait 5 weeks.", "5 days"),
    ("No written order is needed.", "written order"),
    ("48시간이 아닙니다.", "48시간"),
    ("4시간 이내가 아니라 2시간 이내입니다.", "4시간 이내"),
    ("4시간 이내는 틀립니다.", "4시간 이내"),
    ("5日以内ではありません。", "5日以内"),
    ("Es gibt keine Strafe von 10 Mio. Euro.", "10 Mio. Euro"),
    ("Die Strafe beträgt nicht 10 Millionen Euro.", "10 Mio. Euro"),
    ("Il n'y a pas d'amende de 10 millions d'euros.", "10 millions d'euros"),
    ("No hay multa de 10 millones de euros.", "10 millones de euros"),
    ("48시간이 아니라 24시간입니다.", "48시간"),
    ("不是48小时，而是24小时。", "48小时"),
    ("벌금 1000만 원은 부과되지 않습니다.", "1000만 원"),
    ("不会罚款1000万元。", "1000万元"),
    ("48時間ではなく24時間です。", "48時間"),
    ("It isn't true that the penalty is $10M.", "$10M"),
    ("The school acts without a written order.", "written order"),
    ("", "48 hours"),
    ("24 hours.", ""),
]


@pytest.mark.parametrize(("answer", "phrase"), STATED)
def test_what_an_answer_states(answer: str, phrase: str) -> None:
    assert Said(answer).states(phrase)
    assert Said(answer).states(phrase, strict=True)


@pytest.mark.parametrize(("answer", "phrase"), NOT_STATED)
def test_what_it_denies_or_does_not_say(answer: str, phrase: str) -> None:
    assert not Said(answer).states(phrase)
    assert not Said(answer).states(phrase, strict=True)


def test_a_bare_number_counts_where_it_is_the_only_one() -> None:
    assert Said("5.").states("5 days")
    assert not Said("5 pupils of 20, for 3 weeks.").states("5 days")


def test_what_was_denied_once_and_stated_later_is_stated() -> None:
    assert Said("It is not 48 hours for staff. For pupils it is 48 hours.").states("48 hours", strict=True)


def test_a_warning_is_no_claim_and_a_claim_is_seen() -> None:
    rows = labeled()
    wrong = [r.answer for r in rows if not r.seen]
    assert len(wrong) <= 2, wrong


@pytest.mark.parametrize(
    ("answer", "claimed"),
    [
        ("Avoid 0.3 mg.", False),
        ("0.3 mg is too much.", False),
        ("Not 0.3 mg but 0.2 mg.", False),
        ("0.3 mg is not too much.", True),
        ("Avoid more than 0.3 mg.", True),
        ("To avoid harm, give 0.3 mg.", True),
        ("Avoid 0.3 mg at night. At noon give 0.3 mg.", True),
    ],
)
def test_what_is_warned_of_is_stated_all_the_same_where_it_is_what_is_wanted(answer: str, claimed: bool) -> None:
    assert Said(answer).claims("0.3 mg") is claimed
    assert Said(answer).claims("0.3 mg", asked=True) is ("not" not in answer.casefold())


def test_what_may_not_be_without_is_asked_for() -> None:
    assert Said("Nothing is given without a written order.").states("written order")
    assert not Said("The school acts without a written order.").states("written order")


@pytest.mark.parametrize(
    ("answer", "claimed"),
    [
        ("Do not hesitate to give 0.3 mg.", True),
        ("There is no need to avoid 0.3 mg.", True),
        ("There is no reason not to give 0.3 mg.", True),
        ("It would be dangerous not to give 0.3 mg.", True),
        ("It is a myth that 0.3 mg is too much.", True),
        ("Some say 0.3 mg is too much, but that is wrong.", True),
        ("Many parents say that 0.3 mg is too much.", False),
        ("Avoid 0.3 mg unless a second pen is missing.", True),
        ("Do not give 0.3 mg before or after meals.", False),
        ("0.3 mg is too much for a baby. For this pupil it is correct.", True),
        ("0.3 mg is too much. It is right to give 0.15 mg.", False),
        ("Isn't 0.3 mg the dose? Yes.", True),
        ("N'évitez pas 0,3 mg.", True),
        ("Es ist falsch, dass 0,3 mg zu viel ist.", True),
        ("No olvide dar 0,3 mg.", True),
        ("Don't forget that 0.3 mg is too much.", False),
        ("No, 0.3 mg is too much.", False),
        ("It was 0.3 mg until 2020 and still is.", True),
    ],
)
def test_a_denial_that_is_taken_back_claims(answer: str, claimed: bool) -> None:
    assert Said(answer).claims("0.3 mg") is claimed
