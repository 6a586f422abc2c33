"""`case list`: what is hidden from a person is no help in finding out."""

from __future__ import annotations

import json

from tests.cli.conftest import Cli
from tests.services.desk import Desk


def test_a_filter_does_not_tell_a_label(desk: Desk, cli: Cli) -> None:
    sent = desk.submitted(risk="high", consequence="a fine").case.id
    draft = desk.case("What does a false report cost?", risk="high", consequence="a fine").case.id
    for column, value in (("--risk", "high"), ("--risk", "low"), ("--behavior", "answer")):
        found = cli("case", "list", column, value, by="ben")
        assert sent not in found.out
        assert "1 in review not asked" in found.err
    assert draft in cli("case", "list", "--risk", "high", by="ben").out
    found = cli("case", "list", "--risk", "high")
    assert sent in found.out
    assert found.err == ""
    line = next(entry for entry in cli("case", "list", by="ben").out.splitlines() if sent in entry)
    assert "…" in line
    assert "high" not in line
    assert [x["risk"] for x in json.loads(cli("case", "list", "--json", by="ben").out)] == ["", "high"]
