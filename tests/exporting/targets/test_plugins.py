"""A target of another package: found by its entry point, held to the same rules, and no danger to the others."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from curator.errors import InputError
from curator.exporting.targets import registry
from curator.services.targets import export

MODULE = """
from curator.exporting.targets.protocol import Outcome

class Writer:
    def __init__(self, folder):
        self.file, self.outcome = folder.open("cases.txt"), Outcome()

    def add(self, case, raw):
        if case["expectedBehavior"] == "refuse":
            self.outcome.leave_out(case["id"], "a refusal")
            return
        self.file.write((case["id"] + "\\n").encode())
        self.outcome.written += 1

    def add_source(self, source, raw):
        pass

    def finish(self):
        return self.outcome

class Plain:
    name, evaluator, tested, summary = "plain", "Plain text", "1.0", "cases.txt: ids"
    carries, partly = frozenset({"id"}), {"risk": "not at all"}

    def begin(self, release, folder, choices):
        return Writer(folder)

TARGET = Plain()
"""

Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path) -> Iterator[Install]:
    """Puts a package with an entry point on the path."""
    folder = tmp_path / "site"

    def installed(module: str, points: str, name: str = "plainly") -> None:
        about = folder / f"{name}-1.0.dist-info"
        about.mkdir(parents=True)
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (about / "entry_points.txt").write_text(f"[curator.targets]\n{points}\n")
        (folder / f"{name}_target.py").write_text(module)

    sys.path.insert(0, str(folder))
    yield installed
    sys.path.remove(str(folder))
    for name in [n for n in sys.modules if n.endswith("_target")]:
        del sys.modules[name]


def test_a_target_of_another_package_is_exported_like_ours(samples: Path, install: Install) -> None:
    install(MODULE, "plain = plainly_target:TARGET")
    assert "plain" in registry.names()
    made = export(samples, ["plain", "ragas"])
    assert [(t.name, t.cases, t.left_out) for t in made.targets] == [
        ("plain", 19, {"a refusal": 4}),
        ("ragas", 23, {}),
    ]
    folder = samples.parent / "1.0.0.targets" / "plain"
    assert len((folder / "cases.txt").read_text().splitlines()) == 19
    page = (folder / "LOST.md").read_text()
    assert "| `risk` | 23 | not at all |" in page
    assert "| `turns` | 23 | no place for it |" in page
    assert "`id`" not in page.split("## Cases")[0]


def test_a_broken_target_is_named_and_the_others_work(samples: Path, install: Install) -> None:
    install("import no_such_module", "plain = plainly_target:TARGET")
    with pytest.raises(InputError, match=r"target plain of plainly cannot be loaded: No module named 'no_such_module'"):
        export(samples, ["plain"])
    assert export(samples, ["vertex"]).targets[0].cases == 19


def test_an_object_that_is_no_target_is_named(install: Install) -> None:
    install("TARGET = object()", "plain = plainly_target:TARGET")
    with pytest.raises(InputError, match="target plain of plainly is none: it has no name"):
        registry.load(["plain"])


def test_two_packages_with_one_name_are_both_named(install: Install) -> None:
    install(MODULE, "ragas = plainly_target:TARGET")
    with pytest.raises(InputError, match="both name a target ragas"):
        registry.load(["ragas"])


@pytest.mark.parametrize("name", ["all", "list", "../up", "Upper"])
def test_a_name_that_is_none_is_refused(install: Install, name: str) -> None:
    install(MODULE, f"{name} = plainly_target:TARGET")
    with pytest.raises(InputError, match="is no name of a target"):
        registry.names()


def test_a_target_cannot_write_outside_its_folder(samples: Path, install: Install) -> None:
    install(MODULE.replace('"cases.txt")', '"../cases.txt")'), "plain = plainly_target:TARGET")
    with pytest.raises(ValueError, match="is no name of a file"):
        export(samples, ["plain"])
    assert not list(samples.parent.rglob("cases.txt"))
