"""Keys for two jobs, in tmux at 80x24: a complete case on a known row, and the small job of the peers' count.

    python -m benchmarks.keys

Counted is every key that is pressed beyond the typing of free text, as for the peers: the case is open or the row is
known, defaults count for nothing. Needs tmux. The case that comes of it is read back and must say what was meant. Ends
with 1 when a job takes more keys than its target, or does not come to its end.

Peers (small job: decision, risk, one text, two marks, next; one drag or click = one action), counted once from the
shipped key maps and the pages of the versions named: Potato 2.12.1 takes 6, Label Studio 1.23.2 takes 9.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from curator.domain.case import Case, CaseRecord
from curator.services import cases
from curator.services.ingest import ingest
from curator.workspace import Workspace, create
from tests.tui.first_light import DEFAULT, Failure, Terminal, curator, stand_on_row

COMPLETE, SMALL = 12, 6
PEERS = (("Potato 2.12.1", 6), ("Label Studio 1.23.2", 9))
ROW, ANSWER = "Until all lesions have crusted", "Until all lesions have crusted, at least 5 days."
ASKED, DRAFTED, NEXT = "How long with chickenpox?", "What about rubella and scabies?", "And with ringworm?"


def fill(folder: Path) -> None:
    """One document without a domain, two cases that use a domain, and two drafts that lack all but their question."""
    create(folder, "ana")
    with Workspace(folder, "ana") as space:
        ingest(space.context, [DEFAULT])
        for n, domain in enumerate(("school-health", "school-health", "sports")):
            case = Case(turns=(f"An earlier question, {n}?",), domain=domain, reference_answer="Yes.")
            cases.new(space.context, case)
        for text in (DRAFTED, NEXT):
            cases.new(space.context, Case(turns=(text,)))


def stored(folder: Path, question: str) -> CaseRecord:
    """The case that asks this."""
    with Workspace(folder, "ana") as space:
        (line,) = cases.page_of(space.context, contains=question)
        return cases.get(space.context, line.id)


def to_the_row(term: Terminal, words: str) -> None:
    """Stand on a row of the document; not counted."""
    term.press("F2")
    term.until("School Health Guideline")
    term.press("Enter")
    term.until("page 1")
    stand_on_row(term, words)


def complete(term: Terminal) -> None:
    """Question, behavior, risk, evidence, provision, answer, domain, submit."""
    term.begin("(to the row)")
    to_the_row(term, ROW)
    term.begin("a complete case on a known row")
    term.press("c")
    term.until("What a user would ask")
    term.type(ASKED)
    term.press("Enter")
    term.until("new case ● unsaved")
    term.press("p")  # the provision cites its source: it is required evidence too
    term.until("what a right answer must carry")
    term.press("Enter")
    term.press("Enter")
    term.until("●req¶")
    term.press("f")  # the behavior is "answer" already; into the answer, which is missing
    term.until("2 missing: no reference answer")
    term.type(ANSWER)
    term.until("1 missing: no risk stated")
    term.press("C-l", "C-l")
    term.until("[medium]", "nothing is missing")
    term.press("Escape", "d")
    term.until("  school-health")
    term.type("s")
    term.until("▸ school-health")
    term.press("Enter")
    term.press("F9")
    term.until("→ in review")
    term.show()


def small(term: Terminal) -> None:
    """Behavior, risk, one text, two marks, next; the case is open, and so is the document."""
    term.begin("(open the draft)")
    term.press("Escape", "l")
    term.until(DRAFTED)
    term.press("/")
    term.type("rubella")
    term.press("Enter", "Enter")
    term.until("no required source", "no reference answer")
    term.press("F3")
    term.until("match")
    term.begin("the peers' small job")
    term.press("e")
    term.until("●req")
    term.press("Down")
    term.press("e")
    term.press("f")
    term.until("2 missing: no reference answer")
    term.type(ANSWER)
    term.until("1 missing: no risk stated")
    term.press("C-l")
    term.until("[low]", "nothing is missing")
    term.press("C-t")
    term.until(NEXT)
    term.show()


def main() -> int:
    folder = Path(tempfile.mkdtemp(prefix="keys-"))
    term = Terminal(folder / "tmux")
    try:
        fill(folder / "space")
        term.start(curator("-w", str(folder / "space"), "--as", "ana"))
        term.until("(lead)", absent="opening")
        complete(term)
        small(term)
        term.begin("(quit)")
        term.press("C-q")
        term.ended()
        first, second = stored(folder / "space", ASKED), stored(folder / "space", DRAFTED)
    except Failure as failure:
        print(failure, file=sys.stderr)
        return 1
    finally:
        term.close()
        shutil.rmtree(folder, ignore_errors=True)
    assert first.status == second.status == "in_review", (first, second)
    assert (first.case.risk, first.case.domain) == ("medium", "school-health"), first
    assert [e.role for e in first.case.evidence] == ["required"], first
    assert len(first.case.key_provisions) == 1, first
    assert (second.case.risk, second.case.reference_answer) == ("low", ANSWER), second
    assert len(second.case.evidence) == 2, second
    counted = {step: keys for step, keys in term.keys.items() if not step.startswith("(")}
    print()
    for step, keys in counted.items():
        print(f"{step}: {len(keys)} keys ({' '.join(keys)})")
    print("the same small job, actions: " + ", ".join(f"{name} {count}" for name, count in PEERS))
    over = [s for s, most in zip(counted, (COMPLETE, SMALL), strict=True) if len(counted[s]) > most]
    print(f"targets: {COMPLETE} and {SMALL}: " + ("missed" if over else "reached"))
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
