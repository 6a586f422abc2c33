"""Quitting: at once, whatever is being read; and never before a write is over."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
LEAVE = """
import sys, time
from pathlib import Path
from curator.tui import app
from curator.tui.workers import serve
from curator.workspace import Workspace

def leave(self):
    def long():
        print("begun", file=sys.stderr, flush=True)
        for _ in range(4):
            time.sleep({seconds} / 4)
        Path(sys.argv[2]).write_text("written")
    serve(self, long, doing="read", reads={reads})
    self.set_timer(0.3, lambda: self.exit(7))

app.CuratorApp._opened_workspace = lambda self, answer: leave(self)
sys.exit(app.run(Workspace(Path(sys.argv[1]), "ana")))
"""


def left(root: Path, told: Path, *, reads: bool, seconds: float) -> tuple[int, float]:
    """Exit code of the app that leaves while a call of so many seconds is under way, and how long it took."""
    code = LEAVE.format(reads=reads, seconds=seconds)
    begun = time.monotonic()
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(ROOT)
        os.environ |= {"TERM": "xterm-256color"}
        os.execv(sys.executable, [sys.executable, "-c", code, str(root), str(told)])
    try:
        while os.read(terminal, 65536):
            pass
    except OSError:
        pass
    os.close(terminal)
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status), time.monotonic() - begun


def test_nobody_waits_for_what_only_reads(root: Path, tmp_path: Path) -> None:
    told = tmp_path / "told"
    code, took = left(root, told, reads=True, seconds=120)
    assert code == 7
    assert took < 60  # the call takes 120
    assert not told.exists()


def test_a_write_is_waited_for(root: Path, tmp_path: Path) -> None:
    told = tmp_path / "told"
    code, _ = left(root, told, reads=False, seconds=1.5)
    assert code == 7
    assert told.read_text() == "written"


def test_python_ends_in_order_where_the_app_was_only_driven(root: Path, tmp_path: Path) -> None:
    """Without a terminal nobody calls `run`: a thread that is left must not break the end of Python."""
    code = """
import asyncio, sys, time
from pathlib import Path
from curator.tui.app import CuratorApp
from curator.tui.workers import serve
from curator.workspace import Workspace

async def drive():
    app = CuratorApp(Workspace(Path(sys.argv[1]), "ana"))
    async with app.run_test() as pilot:
        serve(app, lambda: time.sleep(1), doing="read", reads=True)
        await pilot.pause(0.1)

asyncio.run(drive())
"""
    done = subprocess.run(
        [sys.executable, "-c", code, str(root)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
