"""`curator case import` of lists, as a person uses it."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

from tests.services.desk import ARTICLE

LIST = (
    "Nr.;Frage;Antwort;Risiko;Soll verweigern?;Quelle;Beleg;Team\n"
    f"1;Was kostet ein verspäteter Bericht?;Bis 10 Millionen.;niedrig;nein;regulation.pdf;{ARTICLE};desk\n"
    "2;Wer gewann?;;gering;ja;;;desk\n"
    "3;;leer;;;;;\n"
)


@pytest.fixture
def listed(tmp_path: Path) -> Path:
    path = tmp_path / "liste.csv"
    path.write_text(LIST, "cp1252")
    return path


def test_a_list_is_looked_at_then_imported(cli, listed: Path) -> None:
    dry = cli("case", "import", listed, "--dry-run", "--map", "expectedSourceIds=Beleg")
    assert (dry.code, cli("case", "list").out) == (3, "")
    for line in ("2 new, 0 same, 0 changed, 1 rejected", "turns = Frage", "kept as attributes: Team", "refuse: 1 row",
                 "row 2", "dry run: nothing was stored"):  # fmt: skip
        assert line in dry.out
    assert "liste.csv, row 3, Frage: no question: Frage is blank" in dry.err
    done = cli("case", "import", listed, "--map", "expectedSourceIds=Beleg", "--json", "--save-profile", "team")
    report = json.loads(done.out)
    assert {k: report[k] for k in ("new", "same", "changed", "rejected")} == {
        "new": 2, "same": 0, "changed": 0,
        "rejected": [{"row": 3, "column": "Frage", "reason": "no question: Frage is blank"}],
    }  # fmt: skip
    assert report["mapping"]["Beleg"] == "expectedSourceIds"
    assert (report["rowsTotal"], report["cases"], report["refusals"], report["unknownColumns"]) == (3, 2, [2], ["Team"])
    again = json.loads(cli("case", "import", listed, "--profile", "team", "--json").out)
    assert (again["new"], again["same"]) == (0, 2)
    cases = {c["question"]: c for c in json.loads(cli("case", "list", "--json").out)}
    name = cases["Was kostet ein verspäteter Bericht?"]["id"]
    assert json.loads(cli("case", "show", name, "--json").out)["expectedSourceIds"] == [ARTICLE]


def test_approved_elsewhere(cli, listed: Path) -> None:
    assert cli("case", "import", listed, "--status", "approved").code == 2
    words = ("--status", "approved", "--approved-by", "carla", "--reason", "signed off")
    assert "approved, unverified: 2" in cli("case", "import", listed, *words).out
    assert cli("case", "list").out.count("approved  ! unverified") == 2
    name = next(c["id"] for c in json.loads(cli("case", "list", "--json").out) if "kostet" in c["question"])
    assert "! unverified" in cli("case", "show", name).out
    due = cli("review", "due")
    assert f"curator review approve {name}" in due.out


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--map", "turns"), 2, "is no FIELD=COLUMN"),
        (("--map", "turns=Nirgends"), 2, "there is no column 'Nirgends'"),
        (("--map", "farbe=Team"), 2, "there is no field 'farbe'"),
        (("--profile", "none"), 2, "there is no profile 'none'"),
        (("--format", "parquet"), 2, "no such format"),
        (("--status", "done"), 2, "use draft or approved"),
        (("--approved-by", "carla"), 2, "add --status approved"),
    ],
)
def test_what_is_wrong_is_one_line(cli, listed: Path, words: tuple[str, ...], code: int, said: str) -> None:
    done = cli("case", "import", listed, *words)
    assert done.code == code
    assert said in done.err


def test_a_workbook_without_its_extra(cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.xlsx"
    path.write_bytes(b"PK\x03\x04" + b"\0" * 100)
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *a: None if name == "openpyxl" else found(name, *a))
    done = cli("case", "import", path)
    assert done.code == 5
    assert "pip install 'golden-curator[xlsx]'" in done.err


def test_canonical_lines_stay_canonical(cli, desk, tmp_path: Path) -> None:
    record = desk.case()
    line = cli("case", "show", record.case.id, "--json").out
    path = tmp_path / "cases.jsonl"
    path.write_text(line.replace(record.case.id, "rules-0a0a0a"), "utf-8")
    assert cli("case", "import", path).out == "cases.jsonl: 1 new, 0 same, 0 rejected\n"
    assert cli("case", "show", "rules-0a0a0a").code == 0
    assert "canonical lines come in as drafts" in cli("case", "import", path, "--status", "approved").err
