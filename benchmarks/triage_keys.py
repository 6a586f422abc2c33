"""Keys from a production log to promoted cases, in tmux at 80x24 and at 120x40, on the sample workspace.

    python -m benchmarks.triage_keys

Counted is every key that is pressed beyond the typing of free text: stage, one source as evidence, promotion with the
production answer as what must not be claimed, confirmation of the text, save; the next failure is then shown. The cases
are read back and must say what was meant. Also: how long an import takes to stop after the key, best of three. Needs
tmux. Ends with 1 when a case takes more keys than the target, or something does not come to its end.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from pathlib import Path

from curator.cli.demonstration import EXPERT, import_all, ingest_documents, prepare
from curator.domain.case import Case
from curator.progress import Silent
from curator.services import cases, failures
from curator.workspace import Workspace
from tests.tui.first_light import Failure, Terminal, curator

SIZES = ((80, 24), (120, 40))
TARGET, STOPS, ROWS = 6, 0.3, 2000
ANSWERS = (
    "Up to $10 million or 4 % of annual turnover, whichever is higher.",
    "0.15 mg.",
    "0.3 mg.",
)


class Sized(Terminal):
    """A terminal of another size."""

    def __init__(self, socket: Path, size: tuple[int, int]) -> None:
        super().__init__(socket)
        self._size = size

    def start(self, command: list[str]) -> None:
        """As the other one, then made larger."""
        super().start(command)
        self._run("resize-window", "-t", "light", "-x", str(self._size[0]), "-y", str(self._size[1]))


def import_log(term: Terminal, path: Path) -> None:
    """The log, with a look at its dry run; not counted among the keys of a case."""
    term.begin("import the log")
    term.press("F4")
    term.until("nothing is open")
    term.press("i")
    term.until("log file")
    term.type(str(path))
    term.press("Enter", "Enter")
    term.until("dry run", "150 new")
    term.press("y")
    term.until("150 new", "folded", absent="dry run")
    term.show()


def promote(term: Terminal, answer: str) -> None:
    """One failure after another."""
    term.until("text not confirmed", "1 ○", absent="searching")
    term.press("s")
    term.until("failed at")
    term.press("7")
    term.until("generation", absent="1 parsing")
    term.press("1")
    term.until("1 ●")
    term.press("P")
    term.until("Nothing was found")
    term.press("Enter")
    term.until("never claim", "no reference answer")
    term.type(answer)
    term.until("1 missing: no risk stated")
    term.press("C-s")
    term.until("is promoted to", "why here")


def run(size: tuple[int, int], original: Path, folder: Path) -> dict[str, list[str]]:
    """All of it in a terminal of one size; gives the keys of each step."""
    space = shutil.copytree(original, folder / "space")
    term = Sized(folder / "tmux", size)
    try:
        term.start(curator("-w", str(space), "--as", EXPERT))
        term.until("(expert)", absent="opening")
        import_log(term, space / "datasets" / "failures.csv")
        term.begin("(into the queue)")
        term.press("Enter")
        for n, answer in enumerate(ANSWERS, 1):
            term.begin(f"promoted case {n}")
            promote(term, answer)
            term.show()
        term.begin("(quit)")
        term.press("C-q")
        term.ended()
    finally:
        term.close()
    with Workspace(space, EXPERT) as opened:
        made = [cases.get(opened.context, name).case for name in promoted(opened)]
    assert [c.reference_answer for c in made] == list(ANSWERS), made
    assert all(is_meant(c) for c in made), made
    return term.keys


def promoted(space: Workspace) -> list[str]:
    """Ids of the cases that failures became, in the order of their promotion."""
    lines = [line for line in failures.page_of(space.context, limit=0) if line.state == "promoted"]
    found = [cases.get(space.context, failures.get(space.context, line.id).case_id) for line in lines]
    return [r.case.id for r in sorted(found, key=lambda r: ANSWERS.index(r.case.reference_answer))]


def is_meant(case: Case) -> bool:
    """Whether it says what the keys said."""
    said = (case.origin, case.failure_stage, len(case.must_not_claim), len(case.evidence))
    return said == ("production", "generation", 1, 1)


def stopping(original: Path, folder: Path) -> dict[str, float]:
    """Seconds from the key to the word that it is stopped, best of three: of a dry run, and of an import.

    Names are looked for where `ner` is installed.
    """
    space = shutil.copytree(original, folder / "space")
    path = folder / "long.csv"
    line = "2026-03-01T09:00:00Z,s{0},r,May Anna Karlsson of class {0} see rule {1}?,Anna may see rule {1} at noon.,[]"
    path.write_text("\n".join(line.format(n, n % 911) for n in range(ROWS)) + "\n", "utf-8")
    term = Terminal(folder / "tmux")
    best = dict.fromkeys(("looking through", "importing"), 60.0)
    try:
        term.start(curator("-w", str(space), "--as", EXPERT))
        term.until("(expert)", absent="opening")
        term.begin("(stop)")
        term.press("F4")
        for phase in [*best] * 3:
            term.until("import a log")
            term.press("i")
            term.until("log file")
            term.type(str(path))
            term.press("Enter", "Enter")
            if phase == "importing":
                term.until("dry run: long.csv")
                term.press("y")
            term.until(phase, "00 records")
            began = time.monotonic()
            term._run("send-keys", "-t", "light", "x")
            while "stopped" not in term.screen():
                if time.monotonic() - began > 60:
                    raise Failure(f"it did not stop\n{term.screen()}")
            best[phase] = min(best[phase], time.monotonic() - began)
        term.press("C-q")
        term.ended()
    finally:
        term.close()
    return best


def main() -> int:
    folder = Path(tempfile.mkdtemp(prefix="triage-keys-"))
    counted: dict[tuple[int, int], list[int]] = {}
    try:
        original = prepare(folder / "original")
        ingest_documents(original, Silent())
        import_all(original, Silent())
        for size in SIZES:
            place = folder / f"{size[0]}x{size[1]}"
            place.mkdir()
            keys = run(size, original, place)
            counted[size] = [len(k) for step, k in keys.items() if step.startswith("promoted")]
            steps = [f"{s}: {len(k)} keys ({' '.join(k)})" for s, k in keys.items() if not s.startswith("(")]
            print(f"\n{size[0]}x{size[1]}: {'; '.join(steps)}")
        (folder / "stop").mkdir()
        stopped = stopping(original, folder / "stop")
    except Failure as failure:
        print(failure, file=sys.stderr)
        return 1
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    most = max(max(found) for found in counted.values())
    print(f"keys a promoted case, at most: {most}; target {TARGET}")
    told = ", ".join(f"{phase} {seconds:.2f} s" for phase, seconds in stopped.items())
    print(f"stopped after x: {told} (best of three, the look at the terminal among them); target {STOPS} s")
    return 1 if most > TARGET else 0


if __name__ == "__main__":
    sys.exit(main())
