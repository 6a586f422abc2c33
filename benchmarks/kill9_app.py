"""kill -9 of the app at random moments, while a script types into the case form and saves now and then.

    python -m benchmarks.kill9_app [--kills 20] [--seed 1]

The app runs in a pseudo-terminal of 80x24. Words with a running number are typed; what was on the form when "saved"
came back on the screen is acknowledged. After each kill: every acknowledged word must be in the stored case; of the
other words, those that are neither stored nor in a draft are lost, and the oldest of them tells how many seconds were
lost; the database must pass its checks; the next start must offer the draft. Once in ten kills the app runs in a shell
in tmux (if there is one): after the kill, `reset` must give back a terminal that echoes what is typed, shows its cursor
and reports no mouse. Exit code 1 on any loss beyond 2 s, or a terminal that is of no use.
"""

from __future__ import annotations

import argparse
import os
import pty
import random
import select
import shutil
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path

from curator.services import cases, drafts
from curator.services.doctor import examine
from curator.workspace import Workspace, create
from tests.tui import first_light

ROOT = Path(__file__).parents[1]
ACTOR = "ada"
ALLOWED = 2.0
WAIT = 30.0
F5 = b"\x1b[15~"
CTRL_S = b"\x13"


class Terminal:
    """The app in a pseudo-terminal; what it writes is kept to be looked into."""

    def __init__(self, folder: Path) -> None:
        self.pid, self.handle = pty.fork()
        if self.pid == 0:
            os.environ |= {"TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"}
            os.chdir(ROOT)
            words = [sys.executable, "-m", "curator", "-w", str(folder), "--as", ACTOR]
            os.execv(words[0], words)
        self.written = bytearray()
        self.alive = True
        threading.Thread(target=self._drain, daemon=True).start()

    def _drain(self) -> None:
        while self.alive:
            ready, _, _ = select.select([self.handle], [], [], 0.1)
            if ready:
                try:
                    self.written += os.read(self.handle, 65536)
                except OSError:
                    return

    def send(self, data: bytes) -> None:
        """Type."""
        os.write(self.handle, data)

    def until(self, wanted: str, since: int = 0, wait: float = WAIT) -> bool:
        """Wait until the app has written this since a place in its output."""
        end = time.monotonic() + wait
        while time.monotonic() < end:
            if wanted.encode() in self.written[since:]:
                return True
            time.sleep(0.01)
        return False

    def kill(self) -> None:
        """End it with SIGKILL."""
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        self.alive = False
        time.sleep(0.15)
        os.close(self.handle)


class Trial:
    """One start, some typing, one kill."""

    def __init__(self, folder: Path, number: int, chance: random.Random) -> None:
        self.folder, self.number, self.chance = folder, number, chance
        self.words: list[tuple[str, float]] = []
        self.acknowledged = 0
        self.saves = 0

    def run(self) -> float:
        """Type until the moment of the kill; gives that moment."""
        term = Terminal(self.folder)
        try:
            if not term.until("(lead)"):
                raise SystemExit(f"the app did not come up:\n{term.written[-2000:]!r}")
            self._to_the_form(term)
            return self._type(term, time.monotonic() + self.chance.uniform(0.2, 9))
        finally:
            term.kill()

    def _to_the_form(self, term: Terminal) -> None:
        """As a person who looks: a dialog with drafts is closed, and nothing is typed before the form is there."""
        for _ in range(10):
            term.send(F5)
            if term.until("all cases", wait=3.0):
                break
            term.send(b"\x1b")
            time.sleep(0.6)
        since = len(term.written)
        term.send(b"n")
        if not term.until("as a user would", since):
            raise SystemExit(f"no form came up:\n{term.written[-2000:]!r}")
        time.sleep(0.2)

    def _type(self, term: Terminal, moment: float) -> float:
        saving_since, sent, count = -1, 0, 0
        while (now := time.monotonic()) < moment:
            word = f"t{self.number}w{count} "
            term.send(word.encode())
            self.words.append((word.strip(), now))
            count += 1
            if saving_since >= 0 and "saved ✓".encode() in term.written[saving_since:]:
                self.acknowledged, saving_since = sent, -1
                self.saves += 1
            elif saving_since < 0 and self.chance.random() < 0.04:
                saving_since, sent = len(term.written), count
                term.send(CTRL_S)
                while time.monotonic() < moment and "saved ✓".encode() not in term.written[saving_since:]:
                    time.sleep(0.01)  # who has saved looks whether it is said
                continue
            time.sleep(self.chance.uniform(0.03, 0.12))
        return time.monotonic()

    def check(self, killed: float) -> tuple[int, float, bool]:
        """Acknowledged words that are lost, seconds of typed text that are lost, whether the database is sound."""
        with Workspace(self.folder, ACTOR) as space:
            ctx = space.context
            mark = f"t{self.number}w"
            stored = " ".join(c.question for c in cases.page_of(ctx, limit=0, contains=mark))
            waiting = " ".join(d.case.question for d in drafts.waiting(ctx) if mark in d.case.question)
            sound = not examine(ctx).problems
        saved, both = set(stored.split()), {*stored.split(), *waiting.split()}
        lost = sum(1 for word, _ in self.words[: self.acknowledged] if word not in saved)
        missing = [when for word, when in self.words if word not in both]
        return lost, (killed - min(missing) if missing else 0.0), sound


def is_usable_after_reset(folder: Path, chance: random.Random) -> bool:
    """Start the app from a shell, kill it while it is typed into, type `reset`, and look at the terminal."""
    term = first_light.Terminal(folder / "tmux")
    try:
        term.start(["bash", "--norc", "--noprofile"])
        term.type(" ".join(first_light.curator("-w", str(folder / "space"), "--as", ACTOR)))
        term.press("Enter")
        term.until("(lead)", absent="opening")
        term.press("F5", "Escape", "F5", "n")
        time.sleep(chance.uniform(0.2, 2))
        term.type("typed just before ")
        os.kill(_child(int(term.ask("#{pane_pid}"))), signal.SIGKILL)
        term.until("Killed")
        term.type("reset; printf 'reset is %s\\n' over")
        term.press("C-j")
        term.until("reset is over")  # what is typed before is thrown away, and a slow machine takes its time
        term.type("clear; stty | grep -c '[-]icanon\\|[-]echo '; printf 'to be %s\\n' seen")
        term.press("C-j")
        shown = term.until("to be seen")
        return "\n0\nto be seen" in f"\n{shown}" and term.ask("#{cursor_flag} #{mouse_any_flag}") == "1 0"
    finally:
        term.close()


def _child(pid: int) -> int:
    """The one process that a shell has started."""
    (found,) = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return int(found)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    chance = random.Random(given.seed)
    folder = Path(tempfile.mkdtemp(prefix="kill9-app-"))
    lost = saves = typed = damaged = unusable = resets = 0
    seconds: list[float] = []
    try:
        space = folder / "space"
        create(space, ACTOR)
        for number in range(given.kills):
            trial = Trial(space, number, chance)
            killed = trial.run()
            gone, late, sound = trial.check(killed)
            lost, saves, typed = lost + gone, saves + trial.saves, typed + len(trial.words)
            damaged += not sound
            seconds.append(late)
            print(
                f"kill {number + 1:3}: {len(trial.words):3} words, {trial.saves} saves, {late:.2f} s lost", flush=True
            )
            if number % 10 == 0 and shutil.which("tmux"):
                resets += 1
                unusable += not is_usable_after_reset(folder, chance)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    over = sum(1 for s in seconds if s > ALLOWED)
    print(f"{given.kills} kills, {typed} words typed, {saves} saves acknowledged: {lost} acknowledged words lost, "
          f"typed text lost at most {max(seconds, default=0):.2f} s (over {ALLOWED:.0f} s: {over}), "
          f"{damaged} damaged databases, {unusable} of {resets} terminals of no use after `reset`")  # fmt: skip
    return 1 if lost or over or damaged or unusable else 0


if __name__ == "__main__":
    sys.exit(main())
