"""A "not" that came or went between the evidence and a case, in several languages; and what is no such thing."""

from __future__ import annotations

import pytest

from curator.domain.opposites import opposed

TURNED = [
    ("Contacts are not excluded until 21 days after contact.", "Without proof: excluded until 21 days after contact"),
    ("Where custody is not in dispute the pupil stays.", "Where custody is in dispute, the pupil stays at school."),
    ("Orders by telephone are accepted.", "Orders by telephone are not accepted, except from physicians."),
    ("Der Zutritt ist Kindern unter 12 nicht gestattet.", "Der Zutritt ist Kindern unter 12 gestattet."),
    ("Die Meldung ist binnen einer Woche erforderlich.", "Die Meldung ist binnen einer Woche nicht erforderlich."),
    ("Les élèves participent aux sorties de classe.", "Les élèves ne participent pas aux sorties de classe."),
    ("학생은 완치 후에도 확인서를 제출하지 않는다.", "학생은 완치 후에도 확인서를 제출한다."),
    ("The permit may not be transferred to another operator.", "The permit may be transferred to another operator."),
]  # fmt: skip
SOUND = [
    ("No certificate is required.", "Pupils return without a certificate; none is required."),
    ("The pupil may return without a certificate.", "A certificate is not asked for when the pupil returns."),
    ("Only orders in writing are accepted.", "Orders by telephone are not accepted; orders must be in writing."),
    ("Contacts are excluded until 21 days after contact.", "Without proof: excluded until 21 days after contact"),
    ("The nurse is not called.", "Where nobody is hurt the nurse need not be called. The nurse is called otherwise."),
    ("Der Zutritt ist nicht gestattet.", "Kindern ist der Zutritt nicht gestattet, Erwachsenen ist er gestattet."),
    ("증명서는 필요하지 않다.", "증명서를 요구하지 않는다."),
]  # fmt: skip


@pytest.mark.parametrize(("claim", "evidence"), TURNED)
def test_a_denial_that_came_or_went_is_found(claim: str, evidence: str) -> None:
    assert list(opposed(claim, evidence))


@pytest.mark.parametrize(("claim", "evidence"), SOUND)
def test_what_says_the_same_in_other_words_is_no_denial(claim: str, evidence: str) -> None:
    assert not list(opposed(claim, evidence))


def test_what_the_question_denies_may_be_denied_in_the_answer() -> None:
    claim, evidence = "A pupil who is not vaccinated stays away.", "Vaccinated pupils may attend school."
    assert list(opposed(claim, evidence))
    assert not list(opposed(claim, evidence, "What of a pupil who is not vaccinated?"))
