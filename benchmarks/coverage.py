"""Coverage of 10,000 cases by every dimension, and after an edit.

    python -m benchmarks.coverage WORKSPACE [--cases 10000]

WORKSPACE is one that `curator demo` made; it is copied. Its own cases are copied under other ids, so that evidence
and documents are of the usual size. CPU seconds, best of several.
"""

from __future__ import annotations

import argparse
import random
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from curator.domain.case import Case
from curator.services import cases
from curator.services.context import Context
from curator.services.coverage import Board, coverage
from curator.store import cases as stored
from curator.store.cases import Change, NewCase
from curator.workspace import Workspace

SIGNS = "0123456789abcdefghjkmnpqrstvwxyz"
DOMAINS = ("emission", "filing", "pensions", "school-health", "housing")


def fill(ctx: Context, wanted: int) -> None:
    """Approved cases: those of the workspace again and again, each with another question and domain."""
    from curator.domain.canonical import written

    draw = random.Random(5)
    with ctx.db.read() as tx:
        own = [r.case for r in stored.by_status(tx, ["approved"])]
    made = []
    for n in range(wanted - len(own)):
        case = own[n % len(own)]
        name = "bench-" + "".join(SIGNS[n // 32**k % 32] for k in range(5, -1, -1))
        turns = (*case.turns[:-1], f"{case.question} ({n})")
        made.append(case.model_copy(update={"id": name, "turns": turns, "domain": draw.choice(DOMAINS)}))
    with ctx.write() as tx:
        for at in range(0, len(made), 500):
            part = [cases.at_the_door(Case.model_validate(c)) for c in made[at : at + 500]]
            stored.add_many(tx, [NewCase(written(c)) for c in part])
            records = stored.get_many(tx, [c.id for c in part]).values()
            stored.change_many(tx, [Change(r, "approved", {"status": "approved", "side": "dev"}) for r in records])


def cpu(work: Callable[[], object]) -> float:
    before = time.process_time()
    work()
    return time.process_time() - before


def read_whole(ctx: Context) -> int:
    with ctx.db.read() as tx:
        return sum(1 for _ in stored.by_status(tx, ["approved"]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("workspace", type=Path)
    parser.add_argument("--cases", type=int, default=10_000)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "w"
        shutil.copytree(args.workspace, root)
        with Workspace(root, "lead-carla") as workspace:
            ctx = workspace.context
            fill(ctx, args.cases)
            cold = min(cpu(lambda: coverage(ctx)) for _ in range(5))
            whole = min(cpu(lambda: read_whole(ctx)) for _ in range(3))
            by_suite = min(cpu(lambda: coverage(ctx, "regulated")) for _ in range(3))
            board = Board(ctx)
            board.refresh()
            edits = []
            for number in range(5):
                record = cases.get(ctx, board.cases[number * 7].id)
                tags = (*record.case.tags, f"edit-{number}")
                cases.save(ctx, record.case.model_copy(update={"tags": tags}), record.version)

                def right_again() -> None:
                    assert board.refresh()
                    board.grid("", "domain", "lengthStratum")

                edits.append(cpu(right_again))
            counted = len(board.cases)
    print(f"{counted} cases, 12 dimensions")
    print(f"coverage, all of it        {cold * 1000:6.0f} CPU ms")
    print(f"  reading those cases whole {whole * 1000:5.0f} CPU ms, before anything is counted")
    print(f"coverage of a suite        {by_suite * 1000:6.0f} CPU ms")
    print(f"heat map after an edit     {min(edits) * 1000:6.0f} CPU ms (worst {max(edits) * 1000:.0f})")


if __name__ == "__main__":
    main()
