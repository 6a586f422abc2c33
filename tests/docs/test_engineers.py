"""The page for engineers: its tests are run, its workflows are read, and what it says is light is light."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import yaml

from curator import load_suite

pytest_plugins = ["pytester"]
ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "engineers.md").read_text("utf-8")
RELEASE = ROOT / "exports" / "school-health" / "1.0.0"
OPTIONS = ("-p", "no:cacheprovider", "-p", "curator.pytest_plugin", "--strict-markers")
SYSTEM = """
class Said:
    text = "I do not know."
    refused = True

def ask(turns):
    return Said()
"""


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.M | re.S)


@pytest.fixture
def sample(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """The page's sample in a folder; a process of its own that loads the plugin and no other."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    pytester.makepyfile(my_system=SYSTEM, test_golden=blocks("python")[1])
    return pytester


def test_the_sample_runs_once_for_each_case(sample: pytest.Pytester) -> None:
    ran = sample.runpytest_subprocess(
        *OPTIONS,
        f"--curator-suite={RELEASE}",
        "-m",
        "critical and not refuse",
        "-v",
    )
    names = re.findall(r"::(test_\w+)\[([\w-]+)\] (PASSED|FAILED)", ran.stdout.str())
    critical = {"school-health-7h031h", "school-health-hzch18"}
    assert critical <= {case for name, case, _ in names if name == "test_the_answer_says_what_it_must"}
    assert not any(name == "test_it_refuses" for name, _, _ in names)
    said = ran.stdout.str()
    assert "golden case school-health-7h031h" in said
    assert "required: school-health-guideline.table-10:anaphylaxis (school-health-guideline p. 19)" in said
    assert "must say:" in said


def test_filters_and_a_suite_in_the_settings_on_two_processes(sample: pytest.Pytester) -> None:
    sample.makeini(f"[pytest]\ncurator_suite = {RELEASE}\n")
    ran = sample.runpytest_subprocess(*OPTIONS, "-p", "xdist", "-n", "2", "--curator-language", "ko", "-k", "says")
    korean = load_suite(RELEASE, language="ko")
    assert sum(ran.parseoutcomes().values()) == len(korean) > 1


def test_a_wrong_suite_is_one_line(sample: pytest.Pytester) -> None:
    ran = sample.runpytest_subprocess(*OPTIONS, "--curator-suite=exports/none/1.0.0")
    assert ran.parseoutcomes() == {"errors": 1}
    assert "is no released version" in ran.stdout.str()
    ran = sample.runpytest_subprocess(*OPTIONS, f"--curator-suite={RELEASE}", "--curator-domain=shcool-health")
    assert ran.ret != 0
    assert "has no case with --curator-domain=shcool-health" in ran.stdout.str()
    assert "Traceback" not in ran.stdout.str()


def commands(workflow: str) -> list[list[str]]:
    made = yaml.safe_load(workflow)
    jobs = made.get("jobs", made)
    steps = [s for job in jobs.values() if isinstance(job, dict) for s in job.get("steps", job.get("script", []))]
    lines = [s["run"] if isinstance(s, dict) and "run" in s else s for s in steps]
    return [shlex.split(line) for line in lines if isinstance(line, str)]


@pytest.mark.parametrize("workflow", blocks("yaml"), ids=["github", "gitlab"])
def test_the_workflows_are_yaml_and_their_commands_exist(workflow: str) -> None:
    import typer.main

    from curator.cli.main import app

    ran = commands(workflow)
    assert len(ran) >= 3
    for words in ran:
        if words[0] == "curator":
            command = typer.main.get_command(app)
            while hasattr(command, "commands"):
                command = command.commands[words.pop(1)]
            known = {o for p in command.params for o in p.opts}
            assert {w for w in words if w.startswith("--")} <= known, words
    assert yaml.safe_load(workflow).keys() & {"jobs", "golden set"}


def test_github_knows_its_trigger() -> None:
    made = yaml.safe_load(blocks("yaml")[0])
    assert made[True] == ["pull_request"], "YAML 1.1 reads the key `on` as true; GitHub does not"
    assert set(made["jobs"]["gate"]) == {"runs-on", "steps"}
