"""curator.toml: every slip is one line that names the key."""

from __future__ import annotations

from pathlib import Path

import pytest
import tomlkit

from curator.environment import default_actor
from curator.errors import CuratorError, InputError, StorageError
from curator.settings import Settings, load


def write(folder: Path, text: str | bytes) -> Path:
    path = folder / "curator.toml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_an_empty_file_is_a_workspace_of_anyone(tmp_path: Path) -> None:
    assert load(write(tmp_path, "")) == Settings()


def test_everything_that_may_be_said(tmp_path: Path) -> None:
    text = """
[people.ada]
role = "expert"
name = "Ada"
[review]
double_share = 0
[[risk.floor]]
route = "handoff"
risk = "medium"
[partitions]
holdout = 0.5
[lengths]
median = 8
as_of = 2026-09-30
[suites.health]
include.domain = ["school-health"]
exclude.risk = ["low"]
[[suites.health.quotas]]
where = { expectedBehavior = "refuse" }
minimum = 0.15
unit = "share"
"""
    found = load(write(tmp_path, text.encode("utf-8-sig")))
    assert found.people["ada"].role == "expert"
    assert found.risk.floor[0].risk == "medium"
    assert found.lengths.as_of == "2026-09-30"
    assert found.suites["health"].quotas[0].minimum == 0.15


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[riks]", "riks: no such key"),
        ('[people.ada]\nrole = "boss"', "people.ada.role"),
        ("[people.ada]", "people.ada.role"),
        ("[review]\nsolo = 1", "review.solo"),
        ("[partitions]\nholdout = 1.5", "partitions.holdout"),
        ("[lengths]\nmedian = inf", "lengths.median"),
        ("[lengths]\nmedian = nan", "lengths.median"),
        ('[[risk.floor]]\nrisk = "hgih"', "risk.floor.0.risk"),
        ('[suites."A b"]', "'A b'"),
        ('[suites."../up"]', "'../up'"),
        ('[suites.a]\ninclude.risk = ["hgih"]', "suites.a.include.risk"),
        ('[[suites.a.quotas]]\nminimum = 15\nunit = "share"', "a share lies between 0 and 1"),
        ("[[suites.a.quotas]]\nminimum = inf", "suites.a.quotas.0.minimum"),
        ("a = \nb = 1", "line 1"),
        ("a = " + "[" * 5000, "curator.toml"),
        (b"\xff\xfea\x00", "curator.toml"),
    ],
)
def test_a_slip_is_one_line_that_names_the_key(tmp_path: Path, text: str | bytes, named: str) -> None:
    with pytest.raises(InputError) as caught:
        load(write(tmp_path, text))
    assert named in caught.value.message
    assert "\n" not in str(caught.value)
    assert caught.value.hint


def test_a_file_that_is_not_there_says_what_to_run(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="curator init"):
        load(tmp_path / "curator.toml")


def test_a_file_that_cannot_be_read_is_a_matter_of_the_disk(tmp_path: Path) -> None:
    (tmp_path / "curator.toml").mkdir()
    with pytest.raises(StorageError) as caught:
        load(tmp_path / "curator.toml")
    assert isinstance(caught.value, CuratorError)
    assert caught.value.exit_code == 74


def test_who_acts_by_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.delenv("CURATOR_ACTOR", raising=False)
    assert default_actor() == ""
    (tmp_path / "curator").mkdir()
    (tmp_path / "curator" / "config.toml").write_text('actor = "ada"')
    assert default_actor() == "ada"
    monkeypatch.setenv("CURATOR_ACTOR", " ben ")
    assert default_actor() == "ben"
    monkeypatch.setenv("CURATOR_ACTOR", "")
    (tmp_path / "curator" / "config.toml").write_text("actor = [broken")
    assert default_actor() == ""


NAMES = Path(__file__).parents[2] / "shared" / "bad_inputs" / "text" / "suite_names.txt"
BAD_NAMES = (
    "../escape",
    "/abs",
    "a/b",
    "con",
    "nul.v1",
    "-n",
    "v1 .0",
    "v1\u202e0.1",
    "re\u0301sume",
    ".hidden",
    "a" * 300,
    "$(id)",
    "",
)


def test_no_suite_name_becomes_a_path_a_device_or_an_option(tmp_path: Path) -> None:
    foreign = NAMES.read_text("utf-8").splitlines() if NAMES.exists() else []  # more of the kind, where they are here
    for name in (*BAD_NAMES, *foreign):
        document = tomlkit.document()
        document["suites"] = {name: {"include": {"domain": ["a"]}}}
        with pytest.raises(InputError) as caught:
            load(write(tmp_path, tomlkit.dumps(document)))
        assert "\n" not in str(caught.value), name
