"""`case new` and `case edit` by $EDITOR: what a person typed is stored, or it is kept in a file."""

from __future__ import annotations

import json
import re
import stat
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given

from curator.cli.form import apply, from_form, to_form
from curator.domain.case import Case, CaseRecord
from curator.errors import InputError, UsageError
from curator.services import cases
from curator.services.cases import at_the_door
from tests.cli.conftest import Cli, Ran
from tests.domain.strategies import valid_cases
from tests.services.desk import ARTICLE, Desk

Editor = Callable[[str], None]


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Editor:
    """Makes $EDITOR a script; "$1" is the form."""

    def writes(script: str) -> None:
        path = tmp_path / "an editor.sh"
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setenv("EDITOR", f"'{path}' --wait")

    return lambda script: writes("shift\n" + script)


def kept(ran: Ran) -> Path:
    """The file that a message names."""
    found = re.search(r"(?:kept|is) in (\S+\.toml)", ran.err)
    assert found, ran.err
    return Path(found[1])


def forms(desk: Desk) -> list[Path]:
    return sorted((desk.root / ".curator" / "forms").glob("*"))


def test_an_edit_is_stored_and_the_form_goes(cli: Cli, desk: Desk, editor: Editor) -> None:
    name = desk.case().case.id
    editor("""sed -i 's/^notes = .*/notes = "from the form"/' "$1" """)
    ran = cli("case", "edit", name)
    assert (ran.code, ran.out.strip()) == (0, f"{name}  · draft  version 2")
    assert cases.get(desk.ada, name).case.notes == "from the form"
    assert forms(desk) == []


def test_a_new_case_by_a_form(cli: Cli, desk: Desk, editor: Editor) -> None:
    editor(
        """sed -i 's/^turns = .*/turns = ["How long?"]/; s/^domain = .*/domain = "rules"/' "$1"
cat >> "$1" <<'END'
[[evidence]]
sourceId = "regulation:article-7"
quote = "A late report"
END"""
    )
    ran = cli("case", "new")
    assert ran.code == 0, ran.err
    record = cases.get(desk.ada, ran.out.split()[0])
    assert (record.case.question, record.case.expected_source_ids) == ("How long?", (ARTICLE,))
    assert record.case.id.startswith("rules-")
    assert forms(desk) == []


@pytest.mark.parametrize("script", ["true", ': > "$1"', "echo '# nothing' > \"$1\""])
def test_a_form_left_alone_or_emptied_changes_nothing(cli: Cli, desk: Desk, editor: Editor, script: str) -> None:
    name = desk.case().case.id
    editor(script)
    ran = cli("case", "edit", name)
    assert ran.code == 0
    assert "nothing was changed" in ran.err
    assert cases.get(desk.ada, name).version == 1
    ran = cli("case", "new")
    assert (ran.code, ran.out) == (2, "")
    assert forms(desk) == []


@pytest.mark.parametrize(
    ("script", "code", "said"),
    [
        ('echo \'notes = "typed" broken\' >> "$1"', 3, "line"),
        ('sed -i \'s/^risk = .*/risk = "extreme" # typed/\' "$1"', 3, "risk"),
        ("echo 'typed = 1' > \"$1\"", 3, "typed: no such field"),
        ('echo \'notes = "typed"\' > "$1"; exit 3', 2, "ended with code 3"),
    ],
)
def test_what_cannot_be_stored_is_kept_in_a_file(
    cli: Cli, desk: Desk, editor: Editor, script: str, code: int, said: str
) -> None:
    name = desk.case().case.id
    editor(script)
    for words in (("case", "edit", name), ("case", "new")):
        ran = cli(*words)
        assert (ran.code, ran.out) == (code, "")
        assert said in ran.err
        assert "typed" in kept(ran).read_text()
    assert cases.get(desk.ada, name).version == 1
    first = {p: p.read_bytes() for p in forms(desk)}
    assert len(first) == 2
    cli("case", "edit", name)
    assert {p: p.read_bytes() for p in first} == first  # another try does not take the place of what was kept


def test_a_save_by_another_person_meanwhile_keeps_both(cli: Cli, desk: Desk, editor: Editor) -> None:
    name = desk.case().case.id
    # while the form is open, another program saves
    python = Path(__import__("sys").executable)
    editor(
        f"""sed -i 's/^notes = .*/notes = "mine"/' "$1"
'{python}' -m curator -w '{desk.root}' --as ben case edit {name} --set notes=theirs >/dev/null 2>&1"""
    )
    ran = cli("case", "edit", name)
    assert (ran.code, ran.out) == (4, "")
    assert cases.get(desk.ada, name).case.notes == "theirs"
    assert 'notes = "mine"' in kept(ran).read_text()


@pytest.mark.parametrize("command", ["false", "/nowhere/editor", "'unbalanced", "   "])
def test_an_editor_that_does_not_start_is_one_line(
    cli: Cli, desk: Desk, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setenv("EDITOR", command)
    ran = cli("case", "edit", desk.case().case.id)
    assert (ran.code, ran.out) == (2, "")
    assert len(ran.err.splitlines()) == 1
    assert forms(desk) == []


def test_an_editor_that_takes_the_form_away_is_one_line(cli: Cli, desk: Desk, editor: Editor) -> None:
    editor('rm "$1"')
    assert cli("case", "edit", desk.case().case.id).code == 74


def test_the_form_of_an_imported_case_stays_in_its_folder(cli: Cli, desk: Desk, editor: Editor) -> None:
    path = desk.root / "x.jsonl"
    path.write_text(json.dumps({"id": "../../../evil-000000", "turns": ["?"]}))
    assert cli("case", "import", path).code == 0  # a list of questions, whose ids are its own
    assert "evil" not in cli("case", "list").out
    editor("true")
    assert cli("case", "edit", "../../../evil-000000").code == 3
    assert not list(desk.root.parent.rglob("evil*"))


@given(valid_cases())
def test_a_form_says_all_of_a_case_whatever_is_in_it(case: Case) -> None:
    case = at_the_door(case)
    form = to_form(CaseRecord(case=case))
    tomllib.loads(form)
    assert from_form(form, case.id) == case


def test_an_empty_form_can_grow_by_tables() -> None:
    form = to_form(CaseRecord(case=Case()))
    grown = from_form(form + '\n[[keyProvisions]]\ntext = "up to"\n\n[[documents]]\ndocumentId = "reg"\n', "")
    assert grown
    assert (grown.key_provisions[0].text, grown.documents[0].document_id) == ("up to", "reg")
    with pytest.raises(InputError, match="nested too deep"):
        from_form("a = " + "[" * 5000, "")


def test_set_takes_text_lists_and_nothing() -> None:
    case = apply(Case(), ["notes=a = b", 'tags=["x", "y"]'])
    assert (case.notes, case.tags) == ("a = b", ("x", "y"))
    assert apply(case, ["tags=", "notes="]).tags == ()
    assert apply(Case(), ["notes=\udcff\x00"]).notes == "\ufffd\ufffd"
    for bad in ("notes+=x", "=x", "id=rules-000000", "expectedSourceIds=a:b"):
        with pytest.raises(UsageError, match="names no field"):
            apply(case, [bad])
