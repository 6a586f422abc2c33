"""Start-up: `curator --help` beside a bare Typer program, and the app's first paint beside a bare Textual app.

    python -m benchmarks.startup [--runs 9]

CPU seconds of a whole process, minimum and median, and their ratio. The bare Textual app has the kinds of widgets
that our first screen paints, as many of each: a header, a footer, four lists (of Textual: OptionList) under titles in
two columns, two lines of text. Both end at their first paint. Targets: 1.5x and 1.3x. As after an installation, all
modules, of both, are compiled before the first run that counts.
"""

from __future__ import annotations

import argparse
import os
import pty
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from curator.workspace import create

ROOT = Path(__file__).parents[1]
BARE_TYPER = """
import typer
app = typer.Typer(add_completion=False)
for name in ("init", "demo", "parse", "ingest", "doctor", "docs", "case", "review", "suite"):
    def command(path: str, json: bool = False) -> None:
        "Do it."
    app.command(name)(command)
app(["--help"])
"""
BARE_TEXTUAL = """
from textual.app import App
from textual.containers import Horizontal, Vertical
from textual.widgets import Footer, Header, OptionList, Static
class Bare(App):
    BINDINGS = [("n", "new", "new"), ("i", "ingest", "ingest"), ("f10", "keys", "keys")]
    CSS = "OptionList { border: round blue; } Static { height: 3; }"
    def compose(self):
        yield Header()
        with Horizontal():
            with Vertical():
                yield OptionList("opening ...")
                yield OptionList("opening ...")
                yield Static("text")
            with Vertical():
                yield OptionList("opening ...")
                yield OptionList("opening ...")
        yield Static("text")
        yield Footer()
    def on_mount(self):
        self.call_after_refresh(self.exit)
Bare().run()
"""
OURS = """
import sys
from pathlib import Path
from curator.tui.app import CuratorApp
from curator.workspace import Workspace
CuratorApp.on_mount = lambda self: self.call_after_refresh(self.exit)
CuratorApp(Workspace(Path(sys.argv[1]), "ada")).run()
"""


COMPILED = "PYTHONPYCACHEPREFIX"


def cpu_seconds(words: Sequence[str], *, terminal: bool = False) -> float:
    """User and system time of one run; in a pseudo-terminal of 80x24 when asked."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    if terminal:
        _in_terminal(words)
    else:
        subprocess.run(words, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _in_terminal(words: Sequence[str]) -> None:
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ |= {"TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"}
        os.chdir(ROOT)
        os.execv(words[0], list(words))
    try:
        while os.read(terminal, 65536):
            pass
    except OSError:
        pass  # the other end is closed: the program has ended
    os.close(terminal)
    _, status = os.waitpid(pid, 0)
    if status:
        raise SystemExit(f"{words[1:3]} ended with {status}")


def compare(name: str, ours: Sequence[str], bare: Sequence[str], target: float, runs: int, *, terminal: bool) -> None:
    """Print both and their ratio; the runs alternate, so that load falls on both alike."""
    times: tuple[list[float], list[float]] = ([], [])
    for words in (ours, bare):
        cpu_seconds(words, terminal=terminal)
    for _ in range(runs):
        for words, found in zip((ours, bare), times, strict=True):
            found.append(cpu_seconds(words, terminal=terminal))
    for who, found in zip(("curator", "bare"), times, strict=True):
        print(f"{name:12s} {who:8s} min {min(found):.3f}  median {statistics.median(found):.3f} CPU s")
    print(f"{name:12s} ratio    {min(times[0]) / min(times[1]):.2f}x of minima (target {target}x)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=9)
    runs = parser.parse_args().runs
    python = sys.executable
    with tempfile.TemporaryDirectory() as folder:
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ[COMPILED] = f"{folder}/compiled"
        compare("--help", [python, "-m", "curator", "--help"], [python, "-c", BARE_TYPER], 1.5, runs, terminal=False)
        create(Path(folder) / "w", "ada")
        ours = [python, "-c", OURS, f"{folder}/w"]
        compare("first paint", ours, [python, "-c", BARE_TEXTUAL], 1.3, runs, terminal=True)


if __name__ == "__main__":
    main()
