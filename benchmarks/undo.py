"""500 mixed decisions of one person, the workspace closed, all taken back: is every field as it was at the start?

    python -m benchmarks.undo [WORKSPACE] [--actions 500] [--seed 1]

WORKSPACE is one that `curator demo` made; it is copied; without it one is made. Drawn by seed: cases written, edited,
submitted, tagged and moved many at once, retired, restored, suggestions accepted with a save, sources and documents
renamed, cells and titles of tables repaired, failures sorted. Afterwards all is done again, and taken back once more.
Compared are all rows of the database, but: the history, its counters and times; cases written here (which are retired:
nothing is deleted); the list of repairs with how a row read before each, which keeps those taken back as such; and
names that were given up, which are never given to anything else. Exit code 1 when a field differs.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sqlite3
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from curator.cli import demonstration
from curator.domain import repair as repairs
from curator.domain.listing import ListQuery
from curator.errors import Conflict, CuratorError
from curator.progress import Silent
from curator.services import cases, changing, documents, failures, renaming, repair, retiring, undo
from curator.services.context import Context
from curator.workspace import Workspace

ACTOR = "lead-carla"
Row = tuple[Any, ...]
REVISED = ("revision", "anchor", "block")
LEFT_OUT = {
    "event": None, "draft": None, "lease": None, "sqlite_sequence": None, "repair": None,
    "source_alias": None, "document_alias": None,
    "*": {"version", "updated_at", "seal", "written", "seq_now"},
}  # fmt: skip
"""Tables, and columns of all tables, that say when and how often something was written, not what stands."""


def state(root: Path, but: set[str]) -> dict[str, dict[str, Row]]:
    """Rows of the database by table and key; cases of these ids are left out."""
    connection = sqlite3.connect(f"file:{root / '.curator' / 'curator.db'}?mode=ro", uri=True)
    tables = [n for (n,) in connection.execute("select name from sqlite_master where type = 'table' order by name")]
    beside = {n for (n,) in connection.execute("select id from revision where label like '% before repair %'")}
    found: dict[str, dict[str, Row]] = {}
    for table in tables:
        if table in LEFT_OUT:
            continue
        rows = connection.execute(f'select * from "{table}"')  # names of our own tables
        names = [d[0] for d in rows.description]
        kept = [n for n, name in enumerate(names) if name not in LEFT_OUT["*"]]  # type: ignore[operator]
        own = {"id", "case_id", "entity_id"}.intersection(names)
        place = [names.index(n) for n in own]
        of = names.index("id" if table == "revision" else "revision_id") if table in REVISED else None
        values = [
            tuple(row[n] for n in kept)
            for row in rows
            if not but.intersection(str(row[n]) for n in place) and (of is None or row[of] not in beside)
        ]
        found[table] = {str(n): v for n, v in enumerate(sorted(values, key=repr))}
    connection.close()
    return found


def differences(before: dict[str, dict[str, Row]], after: dict[str, dict[str, Row]]) -> list[str]:
    said = []
    for table in sorted({*before, *after}):
        one, other = Counter(before.get(table, {}).values()), Counter(after.get(table, {}).values())
        said += [f"{table}: {str(row)[:200]} is gone" for row in (one - other).elements()]
        said += [f"{table}: {str(row)[:200]} is new" for row in (other - one).elements()]
    return said


class Person:
    """Who makes decisions by lot; each method is one kind, and gives whether a decision was made."""

    def __init__(self, ctx: Context, draw: random.Random) -> None:
        self.ctx, self.draw = ctx, draw
        self.names = [c.id for c in cases.page_of(ctx, limit=0)]
        self.written: set[str] = set()
        self.papers = [d.id for d in documents.page_of(ctx, limit=0)]
        self.failures = [f.id for f in failures.page_of(ctx, ListQuery(), limit=60)]
        self.tables = [(d, r.id, len(r.anchor.cells)) for d in self.papers[:2] for r in documents.rows(ctx, d)[:20]]

    def _any(self, status: tuple[str, ...] = ()) -> Any:
        some = self.draw.sample(self.names, min(12, len(self.names)))
        records = (cases.get(self.ctx, n) for n in some)
        return next((r for r in records if not status or r.status in status), None)

    def write(self) -> bool:
        base = self._any(("approved", "draft", "in_review")) or self._any()
        made = base.case.model_copy(update={"id": "", "notes": f"copy {self.draw.random()}"})
        name = cases.new(self.ctx, made).case.id
        self.names.append(name)
        self.written.add(name)
        return True

    def edit(self) -> bool:
        record = self._any(("draft", "in_review", "approved", "changes_requested"))
        changes: dict[str, Any] = self.draw.choice([
            {"notes": str(self.draw.random())}, {"turns": (*record.case.turns[:-1], record.case.question + " Now?")},
            {"risk": self.draw.choice(["low", "medium", "high"])},
            {"reference_answer": f"{self.draw.random():.3f} days."},
            {"evidence": record.case.evidence[:1]},
        ])  # fmt: skip
        changed = record.case.model_copy(update=changes)
        cases.save(self.ctx, changed, record.version)
        return bool(changed != record.case)

    def submit(self) -> bool:
        record = self._any(("draft", "changes_requested"))
        return bool(record and not cases.submit(self.ctx, [record.case.id])[0].problems)

    def tag(self) -> bool:
        some = self.draw.sample(self.names, 5)
        done = changing.change_many(self.ctx, some, add_tags=[f"t{self.draw.randrange(9)}"])
        return any(c.outcome == "done" for c in done)

    def move(self) -> bool:
        some = self.draw.sample(self.names, 3)
        done = changing.change_many(self.ctx, some, domain=self.draw.choice(["emission", "school-health", "other"]))
        return any(c.outcome == "done" for c in done)

    def retire(self) -> bool:
        some = self.draw.sample(self.names, self.draw.randrange(1, 4))
        successor = self._any(("draft", "approved"))
        instead = successor.case.id if successor and successor.case.id not in some else ""
        return any(c.outcome == "done" for c in retiring.retire(self.ctx, some, "by lot", successor=instead))

    def restore(self) -> bool:
        record = self._any(("retired",))
        return bool(record and retiring.restore(self.ctx, [record.case.id], "by lot")[0].outcome == "done")

    def rename_source(self) -> bool:
        paper = self.draw.choice(self.papers)
        source = self.draw.choice(documents.sources_on(self.ctx, paper)[:50])
        container = source.id.partition(":")[0]
        return renaming.rename(self.ctx, source.id, f"{container}:lot-{self.draw.randrange(10**6)}").before != ""

    def repair_cell(self) -> bool:
        paper, row, cells = self.draw.choice(self.tables)
        wanted = repairs.CellFix(row=row, column=self.draw.randrange(cells), text=f"{self.draw.randrange(99)} days")
        return bool(repair.repair(self.ctx, paper, wanted))

    def stage(self) -> bool:
        failures.set_stage(self.ctx, self.draw.sample(self.failures, 2), self.draw.choice(["parsing", "retrieval"]))
        return True

    def dismiss(self) -> bool:
        failures.dismiss(self.ctx, [self.draw.choice(self.failures)], "by lot")
        return True

    def duplicate(self) -> bool:
        one, other = self.draw.sample(self.failures, 2)
        failures.mark_duplicate(self.ctx, [one], other)
        return True

    def reopen(self) -> bool:
        failures.reopen(self.ctx, [self.draw.choice(self.failures)])
        return True


KINDS = {
    "edit": 30, "write": 12, "submit": 12, "tag": 8, "move": 4, "retire": 10, "restore": 8, "rename_source": 3,
    "repair_cell": 3, "stage": 3, "dismiss": 3, "duplicate": 2, "reopen": 2,
}  # fmt: skip


def act(root: Path, actions: int, seed: int) -> tuple[Counter[str], set[str]]:
    """Make so many decisions; how many of each kind, and the cases that were written."""
    done: Counter[str] = Counter()
    with Workspace(root, ACTOR) as workspace:
        draw = random.Random(seed)
        person = Person(workspace.context, draw)
        while done.total() < actions:
            kind = draw.choices(list(KINDS), list(KINDS.values()))[0]
            try:
                done[kind] += bool(getattr(person, kind)())
            except CuratorError:
                continue  # drawn for what it does not suit
        return done, person.written


def turn(root: Path, service: Callable[[Context], object | None]) -> tuple[int, str]:
    """Undo, or redo, until nothing is left: how often, and what stopped it."""
    count, last = 0, ""
    with Workspace(root, ACTOR) as workspace:
        try:
            while service(workspace.context) is not None:
                count += 1
        except Conflict as error:
            last = str(error)
    return count, last


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("workspace", type=Path, nargs="?")
    parser.add_argument("--actions", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    wrong = 0
    with tempfile.TemporaryDirectory() as place:
        root = Path(place) / "w"
        if args.workspace:
            shutil.copytree(args.workspace, root)
        else:
            demonstration.make(root, Silent(), lambda _: None)
        turn(root, undo.undo)  # what was done before is not ours
        start = state(root, set())
        done, written = act(root, args.actions, args.seed)
        print(f"{done.total()} decisions: {', '.join(f'{n} {k}' for k, n in done.most_common())}")
        middle = state(root, set())
        before = time.process_time()
        count, stopped = turn(root, undo.undo)
        print(f"undone after a restart: {count}{'; stopped: ' + stopped if stopped else ''}; "
              f"{(time.process_time() - before) * 1000 / max(1, count):.0f} CPU ms each")  # fmt: skip
        found = differences(start, state(root, written))
        wrong += len(found) + (count != done.total())
        fields = sum(len(row) for rows in start.values() for row in rows.values())
        print(f"compared: {fields} fields of {sum(map(len, start.values()))} rows; {len(found)} rows differ")
        again, _ = turn(root, undo.redo)
        other = differences(middle, state(root, set()))
        print(f"done again: {again}; {len(other)} rows differ from after the last decision")
        for said in [*found[:8], *other[:8]]:
            print("  !", said)
        back, _ = turn(root, undo.undo)
        third = differences(start, state(root, written))
        print(f"undone once more: {back}; {len(third)} rows differ")
        wrong += len(third) + (again != count) + (back != count)
    if wrong:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
