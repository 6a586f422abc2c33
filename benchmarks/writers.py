"""8 processes save 100 edits each on one workspace while another reads: acknowledged, lost, errors shown.

    python -m benchmarks.writers [--writers 8] [--edits 100]

Every writer is a process of its own with an actor of its own. It edits its own case, and every fifth time one that all
share, over the version that it has just read; a save over another's save must be refused and is made again, which is
no error and no loss. Acknowledged is what the service gave back. Afterwards each edit must stand in the history once,
by its actor, and no content may lack what its last edit wrote. Exit code 1 on any loss or error.
"""

from __future__ import annotations

import argparse
import collections
import multiprocessing
import tempfile
import time
from pathlib import Path
from typing import Any

from curator.domain.case import Case
from curator.errors import Conflict, CuratorError
from curator.services import cases
from curator.workspace import Workspace, create

SHARED = "shared-000000"


def save(workspace: Workspace, name: str, mark: str) -> int:
    """Put a mark on a case over its newest version; how often another person was faster."""
    faster = 0
    while True:
        record = cases.get(workspace.context, name)
        tags = (*record.case.tags, mark) if name == SHARED else (mark,)
        try:
            saved = cases.save(workspace.context, record.case.model_copy(update={"tags": tags}), record.version)
        except Conflict:
            faster += 1
            continue
        assert mark in saved.case.tags
        return faster


def write(folder: Path, number: int, edits: int, start: Any, told: Any) -> None:
    """One writer; tells every edit that was acknowledged, and every error that a person would have seen."""
    actor, own = f"writer-{number}", f"own-{number:06}"
    with Workspace(folder, actor) as workspace:
        start.wait()
        for edit in range(edits):
            mark = f"{number}-{edit}"
            before = time.monotonic()
            try:
                faster = save(workspace, SHARED if edit % 5 == 4 else own, mark)
            except CuratorError as error:
                told.put(("error", f"{actor}: {error}", 0.0))
            else:
                told.put(("saved", mark, time.monotonic() - before))
                for _ in range(faster):
                    told.put(("refused", mark, 0.0))


def read(folder: Path, start: Any, stop: Any, told: Any) -> None:
    """One reader: the list and a history, over and over."""
    with Workspace(folder, "reader") as workspace:
        start.wait()
        while not stop.is_set():
            before = time.monotonic()
            try:
                lines = cases.page_of(workspace.context, limit=0)
                cases.history(workspace.context, SHARED)
            except CuratorError as error:
                told.put(("error", f"reader: {error}", 0.0))
            else:
                assert lines
                told.put(("read", "", time.monotonic() - before))


def run(folder: Path, writers: int, edits: int) -> dict[str, list[tuple[str, float]]]:
    context = multiprocessing.get_context("spawn")
    told, start, stop = context.Queue(), context.Barrier(writers + 2), context.Event()
    at_work = [context.Process(target=write, args=(folder, n, edits, start, told)) for n in range(writers)]
    reader = context.Process(target=read, args=(folder, start, stop, told))
    for process in (*at_work, reader):
        process.start()
    start.wait()
    found: dict[str, list[tuple[str, float]]] = collections.defaultdict(list)
    while any(p.is_alive() for p in at_work) or not told.empty():
        while not told.empty():
            kind, said, seconds = told.get()
            found[kind].append((said, seconds))
        time.sleep(0.05)
    stop.set()
    reader.join(10)
    found["error"] += [(f"a writer ended with code {p.exitcode}", 0.0) for p in at_work if p.exitcode]
    return found


def lost(folder: Path, saved: set[str], writers: int) -> list[str]:
    """What was acknowledged and does not stand in the history once, by its actor, or is not in the content."""
    missing = []
    with Workspace(folder, "reader") as workspace:
        names = [SHARED, *(f"own-{n:06}" for n in range(writers))]
        seen: collections.Counter[tuple[str, str]] = collections.Counter()
        for name in names:
            events = [e for e in cases.history(workspace.context, name) if e["verb"] == "edited"]
            for event in events:
                new = set(event["data"]["after"]["tags"]) - set(event["data"]["before"]["tags"])
                seen.update((mark, event["actor"]) for mark in new)
            record = cases.get(workspace.context, name)
            last = events[-1]["data"]["after"]["tags"]
            missing += [f"{name} is not what its last edit wrote"] if list(record.case.tags) != last else []
        shared = set(cases.get(workspace.context, SHARED).case.tags)
        missing += [
            f"{m} is not in the shared case" for m in saved if int(m.split("-")[1]) % 5 == 4 and m not in shared
        ]
    return missing + [m for m in saved if seen[m, f"writer-{m.split('-')[0]}"] != 1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--writers", type=int, default=8)
    parser.add_argument("--edits", type=int, default=100)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = create(Path(place) / "w")
        with Workspace(folder, "reader") as workspace:
            for name in (SHARED, *(f"own-{n:06}" for n in range(args.writers))):
                cases.new(workspace.context, Case(id=name, turns=("How long?",), domain="bench"))
        began = time.monotonic()
        found = run(folder, args.writers, args.edits)
        took = time.monotonic() - began
        saved = {mark for mark, _ in found["saved"]}
        for said, _ in found["error"][:5]:
            print("  !", said)
        gone = lost(folder, saved, args.writers)
    slowest = sorted(seconds for _, seconds in found["saved"])
    print(f"{args.writers} processes, {args.edits} edits each, one in five on a case that all share")
    print(f"acknowledged   {len(saved)} of {args.writers * args.edits} in {took:.1f} s")
    print(f"lost           {len(gone)}")
    print(f"errors shown   {len(found['error'])}")
    print(f"refused, since another was faster, and made again   {len(found['refused'])}")
    print(f"a save         {slowest[len(slowest) // 2] * 1000:.0f} ms median, {slowest[-1] * 1000:.0f} ms worst")
    worst = max((s for _, s in found["read"]), default=0.0)
    print(f"reads meanwhile {len(found['read'])}, worst {worst * 1000:.0f} ms")
    for said in [*gone[:5], *(e for e, _ in found["error"][:5])]:
        print("  !", said)
    if gone or found["error"] or len(saved) != args.writers * args.edits:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
