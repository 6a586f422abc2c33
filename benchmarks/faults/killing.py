"""Commands that are killed at random moments: how they are started, when they are killed, and what is counted."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

LOST = "LOST"
"""Counts of what must not be begin with this word."""


def command(folder: Path, by: str, *words: str) -> list[str]:
    """The command line of a process of its own, on a workspace."""
    return [sys.executable, "-m", "curator", "-w", str(folder), "--as", by, *words]


def run_and_kill(words: list[str], seconds: float) -> tuple[int | None, int]:
    """Start a command and kill it after so long: its exit code (None: it was killed), and its session."""
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        return process.wait(seconds), process.pid
    except subprocess.TimeoutExpired:
        os.kill(process.pid, signal.SIGKILL)  # the command alone: its reader must notice by itself
        process.wait()
        return None, process.pid


def orphans(session: int) -> int:
    """Processes that outlived their command, once they had two seconds to notice."""
    listed = ""
    for _ in range(20):
        listed = subprocess.run(["pgrep", "-c", "-s", str(session)], capture_output=True, text=True).stdout
        if not int(listed or 0):
            return 0
        time.sleep(0.1)
    return int(listed)


class Moments:
    """When a command is killed: anywhere between its start and its end, as long as it took the last time it ended.

    Args:
        words: The command; it is run once.
        earliest: Share of its time before which it only loads its own modules.
    """

    def __init__(self, words: list[str], chance: random.Random, *, earliest: float = 0.1) -> None:
        self.chance, self.earliest = chance, earliest
        began = time.monotonic()
        subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        self.seconds = time.monotonic() - began

    def kill(self, words: list[str]) -> int | None:
        """Start a command and kill it at a moment of its time; gives its exit code, None = it was killed."""
        began = time.monotonic()
        code, _ = run_and_kill(words, self.seconds * self.chance.uniform(self.earliest, 1.0))
        if code is not None:  # the machine is faster by now
            self.seconds = time.monotonic() - began
        return code


def told(counts: Counter[str]) -> int:
    """Print the counts; gives how many losses are among them."""
    for name, count in sorted(counts.items()):
        print(f"{count:6d}  {name}")
    return sum(n for name, n in counts.items() if name.startswith(LOST))
