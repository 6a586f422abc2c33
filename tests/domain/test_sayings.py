"""Amounts and periods as people say them: they are the values that they are."""

from __future__ import annotations

import pytest

from curator.domain.values import bears_out, same, values


@pytest.mark.parametrize(
    ("language", "said", "written"),
    [
        ("en", "a fortnight", "14 days"), ("en", "half a year", "6 months"), ("en", "Half an hour", "30 minutes"),
        ("en", "one and a half hours", "90 minutes"), ("de", "anderthalb Jahre", "18 Monate"),
        ("fr", "1,5 million d'euros", "1 500 000 €"), ("es", "2 millones de euros", "2.000.000 €"),
        ("ko", "닷새", "5일"), ("ko", "열흘 이내", "10일"), ("en", "two million of euros", "€2,000,000"),
    ],
)  # fmt: skip
def test_what_is_said_is_what_is_written(language: str, said: str, written: str) -> None:
    (one,), (other,) = values(said, language), values(written, language)
    assert same(one, other)


@pytest.mark.parametrize(
    ("evidence", "claim"),
    [("2 million", "$2 thousand"), ("$2 million", "£2 million"), ("14 days", "half a year"), ("5일", "열흘")],
)
def test_what_only_looks_alike_is_not(evidence: str, claim: str) -> None:
    (one,), (other,) = values(evidence), values(claim)
    assert not bears_out(one, other)
