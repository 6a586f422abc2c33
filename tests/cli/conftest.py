"""The command line as a person uses it: words in; an exit code, stdout and stderr out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from curator.cli.main import run
from tests.services.desk import Desk, build_desk, desks

OBEYED = {*map(chr, (*range(0x20), *range(0x7F, 0xA0)))} - {"\n"} | set(
    "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)


@dataclass(frozen=True)
class Ran:
    """What one command did."""

    code: int
    out: str
    err: str


Cli = Callable[..., Ran]


@pytest.fixture(scope="session")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_desk(tmp_path_factory.mktemp("cli") / "desk")


@pytest.fixture
def desk(original: Path, tmp_path: Path) -> Iterator[Desk]:
    opens = desks(original, tmp_path)
    yield next(opens)()
    next(opens, None)


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No settings of the person who runs the tests."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    for name in ("CURATOR_ACTOR", "CURATOR_DEBUG", "VISUAL", "EDITOR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def bare(capsys: pytest.CaptureFixture[str]) -> Cli:
    """Runs a command; nothing that a terminal obeys and no traceback may come out of any."""

    def ran(*words: object) -> Ran:
        capsys.readouterr()
        code = run([str(w) for w in words])
        said = capsys.readouterr()
        assert "Traceback" not in said.err
        assert "a bug" not in said.err, said.err
        assert not OBEYED & set(said.out + said.err)
        return Ran(code, said.out, said.err)

    return ran


@pytest.fixture
def cli(desk: Desk, bare: Cli) -> Cli:
    """The same on the workspace, as ada unless another person is named."""

    def ran(*words: object, by: str = "ada") -> Ran:
        return bare("-w", desk.root, "--as", by, *words)

    return ran
