# ruff: noqa: T201
"""Drives the whole way from a PDF to a released suite by keys alone, in tmux at 80x24, and counts the keys.

    python tests/tui/first_light.py [FILE.pdf] [--find WORDS] [--question TEXT] [--answer TEXT] [--double] [--keep]

Prints the screen at the end of each step and, last, how many keys each step took, beyond typing. Ends with 1 when a
step does not come to its end. Needs tmux and an installed `curator`.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DEFAULT = ROOT / "datasets" / "documents" / "school-health-guideline.pdf"
KNOWN = {
    "school-health-guideline.pdf": (
        "Until all lesions have crusted",
        "How long does a child with chickenpox stay away from school?",
        "Until all lesions have crusted, at least 5 days after the onset of the rash.",
    ),
    "un-r107.pdf": (
        "71 - 100",
        "How many service doors does a Class II vehicle for 80 passengers need?",
        "At least 2 service doors.",
    ),
}
PEOPLE = '\n[people.ben]\nrole = "lead"\n\n[suites.first]\ndescription = "the first light"\n'
WAIT = 60.0


class Failure(Exception):
    """A step did not come to its end."""


class Terminal:
    """One tmux session of 80x24 on a server of its own; counts what is sent to it."""

    def __init__(self, socket: Path) -> None:
        self._socket = socket
        self._started = 0
        self._tmux: list[str] = []
        self.keys: dict[str, list[str]] = {}
        self.typed: dict[str, int] = {}
        self.step = ""

    def _run(self, *words: str) -> str:
        return subprocess.run([*self._tmux, *words], check=True, capture_output=True, text=True).stdout

    def start(self, command: list[str]) -> None:
        """A server of its own for each start: the one before may still be ending."""
        self._started += 1
        self._tmux = ["tmux", "-S", f"{self._socket}-{self._started}"]
        self._run("new-session", "-d", "-x", "80", "-y", "24", "-s", "light", "--", *command)
        self._run("set-option", "-g", "escape-time", "0")
        self._run("set-option", "-g", "remain-on-exit", "on")

    def close(self) -> None:
        if self._tmux:
            subprocess.run([*self._tmux, "kill-server"], check=False, capture_output=True)

    def screen(self) -> str:
        return self._run("capture-pane", "-p", "-t", "light")

    def ask(self, wanted: str) -> str:
        """What tmux knows of the terminal, in its own words for it: "#{pane_pid}"."""
        return self._run("display-message", "-p", "-t", "light", wanted).strip()

    def press(self, *keys: str) -> None:
        """Send keys, counted."""
        for key in keys:
            self.keys.setdefault(self.step, []).append(key)
            self._run("send-keys", "-t", "light", key)
            time.sleep(0.08)

    def type(self, text: str) -> None:
        """Type a text; its characters are counted apart."""
        self.typed[self.step] = self.typed.get(self.step, 0) + len(text)
        self._run("send-keys", "-t", "light", "-l", "--", text)
        time.sleep(0.2)

    def until(self, *wanted: str, absent: str = "") -> str:
        """Wait until the screen shows all of this."""
        end = time.monotonic() + WAIT
        while time.monotonic() < end:
            shown = self.screen()
            if all(w in shown for w in wanted) and (not absent or absent not in shown):
                return shown
            time.sleep(0.1)
        raise Failure(f"{self.step}: waited {WAIT:.0f} s for {wanted!r}\n{self.screen()}")

    def ended(self) -> None:
        """Wait until the program has ended."""
        end = time.monotonic() + WAIT
        while time.monotonic() < end:
            if self._run("list-panes", "-t", "light", "-F", "#{pane_dead}").strip() == "1":
                return
            time.sleep(0.1)
        raise Failure(f"{self.step}: the app did not end\n{self.screen()}")

    def begin(self, step: str) -> None:
        self.step = step
        self.keys[step] = []

    def show(self) -> None:
        """Print the screen at the end of a step."""
        time.sleep(0.3)
        keys, typed = self.keys[self.step], self.typed.get(self.step, 0)
        print(f"\n=== {self.step}: {len(keys)} keys ({' '.join(keys)}), {typed} characters typed")
        print(self.screen().rstrip("\n"))


def curator(*words: str) -> list[str]:
    return [sys.executable, "-m", "curator", *words]


def stand_on_row(term: Terminal, words: str) -> str:
    """Find words, and go from match to match until the cursor stands on a table row; its id."""
    term.press("/")
    term.type(words)
    term.until("match 1/")
    term.press("Enter")
    for _ in range(20):
        time.sleep(0.4)
        line = term.screen().splitlines()[-2]
        source = line.rpartition(" · ")[2].strip()
        if "." in source.partition(":")[0]:
            return source
        term.press("n")
    raise Failure(f"no table row contains {words!r}")


def write(term: Terminal, pdf: Path, find: str, question: str, answer: str) -> str:
    """The author's part: ingest, read, mark, fill in, save, submit; the id of the row."""
    term.until("(lead)", absent="opening")
    term.begin("ingest")
    term.press("F2", "i")
    term.until("PDF file")
    term.type(str(pdf))
    term.press("Enter")
    term.type("first-light")
    term.press("Enter", "Enter")
    term.until("✓", "rows")
    term.show()

    term.begin("find the row")
    term.press("Enter")
    term.until("page 1")
    source = stand_on_row(term, find)
    term.show()

    term.begin("begin a case, mark the row")
    term.press("c")
    term.until("question")
    term.type(question)
    term.press("Enter", "e")
    term.until("●req", "● required")
    term.show()

    term.begin("key provision")
    term.press("p")
    term.until("key provision")
    term.press("Enter", "Enter")
    term.until("●req¶")
    term.show()

    term.begin("fill in and save")
    term.press("F5")
    term.until("2 missing: no reference answer")
    term.press("k", "Enter")
    term.type(answer)
    term.until("nothing is missing")
    term.press("C-s")
    term.until("saved ✓")
    term.show()

    term.begin("submit")
    term.press("F9")
    term.until("→ in review")
    term.show()
    term.press("C-q")
    term.ended()
    return source


def label(term: Terminal, find: str, source: str) -> None:
    """Behavior and sources of a case that takes two labels: the row is searched for, as by one who has not seen it."""
    term.until("What should the system")
    term.press("a")
    term.until("Which sources")
    term.press("/")
    term.type(find)
    time.sleep(2.0)  # what is found replaces what the question had found
    term.press("Enter")
    for _ in range(40):
        time.sleep(0.4)
        if any(source in line.split() for line in term.screen().splitlines()):
            term.press("Space", "Enter")
            return
        term.press("Down")
    raise Failure(f"{source} was not found\n{term.screen()}")


def review_and_release(term: Terminal, find: str, source: str, *, double: bool) -> None:
    """The second person's part."""
    term.until("ben (lead)", "a review that I can give")
    term.begin("approve")
    term.press("Enter")
    term.until("→ in review", "by ana")
    term.press("a")
    term.until("How bad")
    term.press("m")
    if double:
        label(term, find, source)
    term.until("✓ approved")
    term.show()

    term.begin("release")
    term.press("F8")
    term.until("first", "approved cases are taken")
    term.press("r")
    term.until("the next release would be 1.0.0")
    term.press("y")
    term.until("✓ released 1.0.0", "folder:")
    term.show()

    term.begin("verify")
    term.press("v")
    term.until("every file is whole")
    term.show()
    term.press("C-q")
    term.ended()


def released_case(folder: Path) -> dict[str, object]:
    """The one case that was released, dev or holdout."""
    for place in (folder / "exports" / "first" / "1.0.0", folder / ".curator" / "holdout" / "first" / "1.0.0"):
        for name in ("dev.jsonl", "holdout.jsonl"):
            if (path := place / name).is_file() and (text := path.read_text("utf-8").strip()):
                found: dict[str, object] = json.loads(text.splitlines()[0])
                return found
    raise Failure("no case was released")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pdf", nargs="?", type=Path, default=DEFAULT)
    parser.add_argument("--find", default="", help="words of the table row")
    parser.add_argument("--question", default="")
    parser.add_argument("--answer", default="")
    parser.add_argument("--double", action="store_true", help="the case is drawn for double labeling")
    parser.add_argument("--keep", action="store_true", help="leave the workspace, and print where it is")
    args = parser.parse_args()
    known = KNOWN.get(args.pdf.name, ("", "What does this row say?", "What the row says."))
    words = (args.find or known[0], args.question or known[1], args.answer or known[2])
    folder = Path(tempfile.mkdtemp(prefix="first-light-"))
    space = folder / "workspace"
    subprocess.run(curator("--as", "ana", "init", str(space)), check=True, stdout=sys.stderr)
    toml = space / "curator.toml"  # with one case only, a holdout would leave nothing in dev
    text = toml.read_text("utf-8").replace("holdout = 0.25", "holdout = 0.0")
    text = text.replace("solo = false", f"solo = false\ndouble_share = {float(args.double)}")
    toml.write_text(text + PEOPLE, "utf-8")
    term = Terminal(folder / "tmux")
    try:
        term.start(curator("-w", str(space), "--as", "ana"))
        source = write(term, args.pdf.resolve(), *words)
        term.close()
        term.start(curator("-w", str(space), "--as", "ben"))
        review_and_release(term, words[0], source, double=args.double)
        case = released_case(space)
        print(f"\nreleased: {case['id']}, expected source {case['expectedSourceIds']}")
    except Failure as failure:
        print(failure, file=sys.stderr)
        return 1
    finally:
        term.close()
        if args.keep:
            print(f"workspace: {space}")
        else:
            shutil.rmtree(folder, ignore_errors=True)
    total = sum(map(len, term.keys.values()))
    print(f"\n{total} keys in all, beyond {sum(term.typed.values())} characters typed:")
    for step, keys in term.keys.items():
        print(f"  {len(keys):3}  {step}: {' '.join(keys)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
