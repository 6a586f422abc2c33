"""pytest: one test for each case of a suite.

    pytest --curator-suite=exports/school-health/1.0.0 -m "critical and not refuse"

A test that takes the fixture `curator_case` runs once for each case, under the id of the case, and carries marks for
its risk, partition, behavior, task, language and tags. Nothing of weight is loaded before a test asks for a case.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    from curator.exporting.caseline import CaseLine
    from curator.suites import Suite

FIXTURE = "curator_case"
SUITE = "curator_suite"
MARKS = {
    "low": "a case of low risk",
    "medium": "a case of medium risk",
    "high": "a case of high risk",
    "critical": "a case of critical risk",
    "dev": "a case of the partition dev",
    "followup_dev": "a case of the partition followup_dev",
    "holdout": "a case of the partition holdout",
    "followup_holdout": "a case of the partition followup_holdout",
    "answer": "a case that is to be answered",
    "refuse": "a case that is to be refused",
    "escalate": "a case that is to be escalated",
    "question": "a case that asks a question",
    "summary": "a case that asks for a summary of whole documents",
}
_OPTIONS = ("partition", "risk", "behavior", "language", "domain", "route", "tag")
_LOADED = pytest.StashKey["Suite | None"]()
_ADDED = pytest.StashKey[set[str]]()
_NO_MARK = re.compile(r"\W+")


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options, and the same in the settings of a project."""
    group = parser.getgroup("curator", "golden cases")
    group.addoption("--curator-suite", metavar="SUITE", help="exports/SUITE/VERSION, or NAME[@VERSION] of a workspace.")
    group.addoption("--curator-workspace", metavar="DIR", help="Workspace in which NAME is looked for.")
    group.addoption("--curator-holdout", metavar="DIR", help="Holdout that was fetched: its cases are tested too.")
    group.addoption("--curator-allow-yanked", action="store_true", help="Take a version that was yanked.")
    for name in _OPTIONS:
        group.addoption(
            f"--curator-{name}", action="append", default=[], metavar="VALUE", help=f"Only cases of this {name}."
        )
    parser.addini("curator_suite", "The suite, unless --curator-suite names one.", default="")


def pytest_configure(config: pytest.Config) -> None:
    """The marks that are known beforehand; those of languages and tags are added with the suite."""
    for name, words in MARKS.items():
        config.addinivalue_line("markers", f"{name}: {words}")
    config.addinivalue_line("markers", "curator_filter(risk=..., ...): of this test, only the cases that pass")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that takes `curator_case` runs for each case."""
    if FIXTURE not in metafunc.fixturenames:
        return
    suite = _suite(metafunc.config)
    if suite is None:
        metafunc.parametrize(
            FIXTURE,
            [pytest.param(None, marks=pytest.mark.skip(reason="no suite: name one with --curator-suite"))],
            ids=["no-suite"],
        )
        return
    for mark in metafunc.definition.iter_markers("curator_filter"):
        suite = _asked(partial(suite.select, **mark.kwargs))
    cases = [pytest.param(case, id=case.id, marks=list(_marks(metafunc.config, case))) for case in suite]
    metafunc.parametrize(FIXTURE, cases)


@pytest.fixture
def curator_case(request: pytest.FixtureRequest) -> CaseLine:
    """A case of the suite (`curator.CaseLine`)."""
    case: CaseLine = request.param
    return case


@pytest.fixture(scope="session")
def curator_suite(request: pytest.FixtureRequest) -> Suite:
    """The suite (`curator.Suite`); the test is skipped when none is named."""
    suite = _suite(request.config)
    if suite is None:
        pytest.skip("no suite: name one with --curator-suite")
    return suite


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A failure shows what was asked, what was expected, and where it stands."""
    report = yield
    case = getattr(item, "callspec", None) and item.callspec.params.get(FIXTURE)  # type: ignore[attr-defined]
    if report.failed and case is not None:
        report.sections.append((f"golden case {case.id}", described(case)))
    return report


def described(case: CaseLine) -> str:
    """A case in words: question, expectation, evidence; outside text made visible."""
    from curator.text import visible

    lines = [f"turn {n}: {turn}" for n, turn in enumerate(case.turns[:-1], 1)]
    lines += [f"question: {case.turns[-1]}", f"expected: {case.expected_behavior}, risk {case.risk}"]
    lines += [f"  {case.reference_answer}"] if case.reference_answer else []
    lines += [
        f"  must say: {' | '.join(p.accept)} ({p.citation or p.text})" for p in case.key_provisions if p.mandatory
    ]
    lines += [f"  must not say: {claim}" for claim in case.must_not_claim]
    lines += [f"  reason: {case.refusal_reason}"] if case.refusal_reason else []
    lines += [f"  to: {case.escalate_to}, when {case.escalate_when}"] if case.escalate_to else []
    for entry in case.evidence:
        place = f"{entry.document_id} p. {entry.page_label or entry.page}" if entry.page else entry.document_id
        title = f"{entry.table_title}: " if entry.table_title else ""
        lines.append(f"{entry.role}: {entry.source_id} ({place})")
        lines.append(f"  {title}{entry.quote}")
    lines += [f"consequence: {case.consequence}"] if case.consequence else []
    return "\n".join(visible(line, lines=True) for line in lines)


def _suite(config: pytest.Config) -> Suite | None:
    """The suite, loaded once a process; None: none is named."""
    if _LOADED not in config.stash:
        name = config.getoption("--curator-suite") or config.getini("curator_suite")
        config.stash[_LOADED] = _load(config, name) if name else None
    return config.stash[_LOADED]


def _load(config: pytest.Config, name: str) -> Suite:
    from curator.suites import load_suite

    filters: dict[str, Any] = {n: v for n in _OPTIONS if (v := config.getoption(f"--curator-{n}"))}
    suite = _asked(
        lambda: load_suite(
            name,
            workspace=config.getoption("--curator-workspace"),
            holdout=config.getoption("--curator-holdout"),
            allow_yanked=config.getoption("--curator-allow-yanked"),
            **filters,
        )
    )
    if filters and not len(suite):  # a misspelled filter would be a run in which nothing failed
        asked = " ".join(f"--curator-{n}={v}" for n, values in filters.items() for v in values)
        raise pytest.Collector.CollectError(f"curator: {suite.name} {suite.version} has no case with {asked}")
    return suite


def _asked(load: Callable[[], Suite]) -> Suite:
    """What loading gives; an error of ours is an error of collection, in one line."""
    from curator.errors import CuratorError

    try:
        return load()
    except CuratorError as error:
        raise pytest.Collector.CollectError(f"curator: {error}") from None


def _marks(config: pytest.Config, case: CaseLine) -> Iterator[pytest.MarkDecorator]:
    more = [(_name("tag", tag), f"a case with the tag {tag}") for tag in case.tags]
    language, _, region = case.language.partition("-")
    more += [(_name("lang", language), f"a case in {language}")] if language else []
    more += [(_name("lang", case.language), f"a case in {case.language}")] if region else []
    added = config.stash.setdefault(_ADDED, set(MARKS))
    for name, words in more:
        if name not in added:
            added.add(name)
            config.addinivalue_line("markers", f"{name}: {' '.join(words.split())}")
    for name in (case.risk, case.partition, case.expected_behavior, case.task, *dict(more)):
        yield getattr(pytest.mark, name)


def _name(kind: str, value: str) -> str:
    """A word that `-m` understands: lang_de_CH, tag_travel."""
    return f"{kind}_{_NO_MARK.sub('_', value).strip('_') or 'x'}"
