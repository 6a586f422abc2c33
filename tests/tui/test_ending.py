"""An app that is told to end gives the terminal back, whenever it is told."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path

ON, OFF = b"\x1b[?1049h", b"\x1b[?1049l"


def test_a_signal_between_the_first_paint_and_the_app_gives_the_terminal_back(root: Path) -> None:
    ours, its = pty.openpty()
    before, written = termios.tcgetattr(its), b""
    words = [sys.executable, "-m", "curator", "-w", str(root), "--as", "ada"]
    environment = os.environ | {"TERM": "xterm-256color"}
    app = subprocess.Popen(words, stdin=its, stdout=its, stderr=its, env=environment, start_new_session=True)
    try:
        told, end = False, time.monotonic() + 60
        while time.monotonic() < end and (app.poll() is None or select.select([ours], [], [], 0)[0]):
            if select.select([ours], [], [], 0.02)[0]:
                written += os.read(ours, 65536)
            if not told and ON in written:
                told = True
                app.send_signal(signal.SIGTERM)
        assert app.wait(1) == 128 + signal.SIGTERM
        assert written.rfind(OFF) > written.rfind(ON) >= 0
        assert termios.tcgetattr(its) == before
    finally:
        app.kill()
        app.wait()
        os.close(ours)
        os.close(its)
