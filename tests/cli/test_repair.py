"""Tables are repaired from the command line."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Cli
from tests.services.desk import ARTICLE, ARTICLES, MEASLES, MUMPS, ROWS, Desk, write_pdf

VARICELLA = "regulation.table-2:varicella"


def cells(cli: Cli) -> list[list[str]]:
    return [s["anchor"]["cells"] for s in json.loads(cli("docs", "rows", "regulation", "--json").out)]


def test_cells_rows_and_headers_are_repaired_and_taken_back(cli: Cli) -> None:
    before = cells(cli)
    done = cli("docs", "repair", "cell", MUMPS, "days AWAY", "15")
    assert (done.code, done.out) == (0, f"{MUMPS}  changed\n")
    told = json.loads(cli("docs", "repair", "split", MEASLES, "Measles || Rubella", "4 || 7", "--json").out)
    assert (told["kind"], told["new"], told["changed"]) == ("split", ["regulation.table-2:rubella"], [])
    assert cells(cli) == [["Measles", "4"], ["Rubella", "7"], ["Mumps", "15"], ["Varicella", "6"]]
    joined = cli("docs", "repair", "join", MUMPS, VARICELLA)
    assert joined.out == f"{MUMPS}  changed\n{VARICELLA}  joined into {MUMPS}\n"
    assert cli("docs", "repair", "label", MUMPS, "2", "Days").code == 0
    assert cli("docs", "repair", "title", VARICELLA, "Table 2. Days away").code == 0
    assert cli("docs", "repair", "header", MUMPS, "2").code == 0
    assert cells(cli) == [["Rubella", "7"], ["Mumps Varicella", "15 6"]]
    assert cli("docs", "repair", "drop", MUMPS).out.splitlines()[0] == "regulation:table-2.text  new"
    listed = cli("docs", "repair", "list", "regulation").out.splitlines()
    assert [line.split()[4] for line in listed[1:]] == ["cell", "split", "join", "label", "title", "header", "drop"]
    for _ in range(7):
        assert cli("case", "undo").out == "undone: repaired regulation\n"
    assert cells(cli) == before
    assert cli("docs", "repair", "list", "--json").out.strip() == "[]"


def test_what_cannot_be_repaired_is_said_in_one_line(cli: Cli, tmp_path: Path) -> None:
    for code, *words in (
        (2, "cell", MUMPS, "none", "15"),
        (2, "cell", MUMPS, "3", "15"),
        (2, "cell", ARTICLE, "1", "15"),
        (3, "cell", "regulation.table-2:none", "1", "15"),
        (2, "split", MUMPS, "Mumps", "5"),
        (2, "split", MUMPS, "Mumps || Rubella"),
        (2, "join", MUMPS, MEASLES),
        (2, "apart", MUMPS),
        (2, "header", MUMPS, "9"),
        (2, "region", MUMPS),
        (3, "region", ARTICLE),
        (2, "reread", "regulation", "9", "--engine", "curator"),
        (2, "reread", "regulation", "2", "--engine", "tesseract"),
        (2, "reread", "regulation", "2", "--engine", "curator"),
        (3, "reread", "regulation", "1", "--engine", "curator"),
        (3, "reread", "regulation", "2", "--engine", "curator", "--file", str(tmp_path / "gone.pdf")),
        (3, "dismiss", "7"),
    ):
        done = cli("docs", "repair", *words)
        assert (done.code, done.out) == (code, ""), (words, done)
        assert done.err.strip().splitlines()[-1].startswith("curator: "), words


def test_a_page_read_again_is_shown_first(cli: Cli) -> None:
    cli("docs", "repair", "cell", MUMPS, "2", "15")
    words = ("docs", "repair", "reread", "regulation", "2", "--engine", "curator")
    shown = cli(*words, "--dry-run").out
    assert "Mumps      5" in shown
    assert cells(cli)[1] == ["Mumps", "15"]
    assert cli(*words).out == f"{MUMPS}  changed\n"
    assert cells(cli)[1] == ["Mumps", "5"]


def test_a_case_waits_and_a_new_revision_says_what_was_not_made_again(desk: Desk, cli: Cli, tmp_path: Path) -> None:
    name = desk.approved("How long for mumps?", MUMPS).case.id
    assert cli("docs", "repair", "cell", MUMPS, "2", "15").err == f"stale, until they are re-confirmed: {name}\n"
    shown = cli("docs", "reconfirm", "show", MUMPS).out
    assert "[-5-]{+15+}" in shown
    assert "of revision 1 before repair" in shown
    path = write_pdf(tmp_path / "regulation.pdf", articles=ARTICLES[1:], rows=(*ROWS[:2], ("Mumps", "8"), ROWS[3]))
    done = cli("ingest", path, "--yes")
    assert "0 repairs made again, 1 waits: `curator docs repair list regulation`" in done.err
    number = cli("docs", "repair", "list", "--waiting").out.splitlines()[1].split()[0]
    assert cli("docs", "repair", "dismiss", number).out == f"{number}  dismissed\n"
