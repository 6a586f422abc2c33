"""The peers' baseline job: 10,000 cases in and out again, saves, lists, reviews, a release, and it back again.

    python -m benchmarks.peers [--cases 10000] [--listed 100000]

Ours is measured here and now; the figures of Label Studio (LS) and Potato beside it were measured once on a machine of
this kind, through their HTTP interfaces where they have one. Work on all cases is in CPU seconds; a save is in wall
milliseconds, the disk's flush included; a page of a list is in CPU milliseconds, the 95th of 100, and so is a count.
The lists of `--listed` cases are a workspace of their own; 0 leaves them out.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from curator.domain.canonical import dumps
from curator.domain.case import RISKS, Case, KeyProvision
from curator.domain.listing import ListQuery
from curator.exporting.line import draft_line
from curator.exporting.read import read_lines
from curator.services import cases, home
from curator.services.case_export import Exported, export_cases
from curator.services.changing import change_many
from curator.services.context import Context
from curator.services.importing import import_cases
from curator.services.publishing import whole_file
from curator.services.release import Released, release
from curator.services.review import import_reviews
from curator.services.undo import undo
from curator.workspace import Workspace, create

COLUMNS = ("seq", "id", "status", "behavior", "risk", "domain", "author", "question", "updated_at")


def made_up(number: int) -> Case:
    """A refusal with texts of everyday length; no document is needed for it."""
    words = [f"w{(number * 7919 + k * 104729) % 4001:04d}" for k in range(12)]
    return Case(
        id=f"bench-{_base32(number)}",
        turns=(f"What about {' '.join(words)}?",),
        language="en",
        expected_behavior="refuse",
        refusal_reason="out_of_scope",
        reference_answer="I cannot help with that here; please ask the office that is responsible.",
        must_not_claim=("it is always allowed",),
        key_provisions=(
            KeyProvision(id="p1", text="says that it is out of scope", accept=("cannot help",), mandatory=True),
        ),
        risk=RISKS[number % 4],
        consequence="somebody acts on it" if number % 4 > 1 else "",
        domain=("health", "law", "finance")[number % 3],
        tags=(f"batch-{number % 10}",),
        notes="imported for the benchmark",
    )


def _base32(number: int) -> str:
    digits = "0123456789abcdefghjkmnpqrstvwxyz"
    return "".join(digits[(number >> (5 * k)) & 31] for k in reversed(range(6)))


def lines_of(count: int) -> bytes:
    """The file of so many cases."""
    return "".join(dumps(draft_line(made_up(n))) + "\n" for n in range(count)).encode()


@contextmanager
def workspace() -> Iterator[Context]:
    """A workspace of one person, who is both author and reviewer."""
    with tempfile.TemporaryDirectory() as folder:
        root = create(Path(folder) / "w", "ada")
        settings = (root / "curator.toml").read_text().replace("solo = false", "solo = true")
        (root / "curator.toml").write_text(f"{settings}\n[suites.bench]\n")
        with Workspace(root, "ada") as opened:
            yield opened.context


def timed(job: Callable[[], Any]) -> tuple[Any, float, float]:
    """What a job gave, its wall seconds and its CPU seconds."""
    wall, cpu = time.perf_counter(), time.process_time()
    answer = job()
    return answer, time.perf_counter() - wall, time.process_time() - cpu


def percentile(values: list[float], share: float) -> float:
    return statistics.quantiles(values, n=100)[round(share * 100) - 1]


def told(name: str, ours: str, peers: str = "") -> None:
    print(f"{name:36s} {ours:52s} {peers}", flush=True)


def taken(name: str, ctx: Context, data: bytes, peers: str) -> None:
    """Import a file and tell of it."""
    report, _, cpu = timed(lambda: import_cases(ctx, read_lines(data, "bench.jsonl")))
    told(name, f"{report.new} new, {report.same} same, {len(report.rejected)} rejected, {cpu:.2f} CPU s", peers)


def exported(ctx: Context, data: bytes) -> None:
    """Export all cases to a file, and import it: nothing is new, and every id is the one that came in."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cases.jsonl"

        def job() -> Exported:
            with whole_file(path) as stream:
                return export_cases(ctx, lambda line: stream.write(line.encode()))

        done, _, cpu = timed(job)
        back = path.read_bytes()
    came, left = (sorted(json.loads(line)["id"] for line in lines.splitlines()) for lines in (data, back))
    assert came == left, "an export keeps the ids"
    peers = "wall: LS 18.5 s, Potato 0.39 s without the texts; ours <= 1 CPU s"
    told("own export", f"{done.written} cases, ids equal, {cpu:.2f} CPU s", peers)
    taken("own export back", ctx, back, "LS doubles them, Potato cannot read it; ours 0 new, 0 rejected")


def saves(ctx: Context) -> None:
    found = []
    for number, line in enumerate(cases.page_of(ctx, limit=100)):
        record = cases.get(ctx, line.id)
        changed = record.case.model_copy(update={"reference_answer": f"answer {number}"})
        found.append(timed(lambda c=changed, r=record: cases.save(ctx, c, r.version))[1:])
    wall, cpu = ([pair[n] * 1000 for pair in found] for n in (0, 1))
    shown = (
        f"p50 {percentile(wall, 0.5):.1f} ms, p95 {percentile(wall, 0.95):.1f} ms (CPU p50 {percentile(cpu, 0.5):.1f})"
    )
    told("100 saves", shown, "p50: LS 61 ms, Potato 13 to 24 ms; ours <= 10")


def all_at_once(ctx: Context, count: int) -> None:
    """What is done to all cases, each one transaction."""
    every = [line.id for line in cases.page_of(ctx, limit=0)]
    _, _, cpu = timed(lambda: change_many(ctx, every, add_tags=["all"]))
    told(f"tag {count}", f"{cpu:.2f} CPU s")
    back, _, cpu = timed(lambda: undo(ctx))
    told(f"undo that of {len(back.case_ids)}", f"{cpu:.2f} CPU s")
    sent, _, cpu = timed(lambda: cases.submit(ctx, every))
    told(f"submit {count}", f"{sum(s.status == 'in_review' for s in sent)} in review, {cpu:.2f} CPU s", "ours <= 6")
    judged = [(n, {"caseId": i, "slot": "approval", "actor": "ada", "at": "2026-03-01T09:00:00Z", "decision": "approve",
                   "expectedBehavior": "refuse", "expectedSourceIds": [], "risk": "low", "reason": ""})
              for n, i in enumerate(every, 1)]  # fmt: skip
    took = [timed(lambda: home.overview(ctx))[2] * 1000 for _ in range(20)]
    told("home, all in review", f"first {took[0]:.1f} CPU ms, p50 {statistics.median(took):.1f}", "ours <= 20")
    done, _, cpu = timed(lambda: import_reviews(ctx, judged))
    told(f"approve {count}", f"{done.new} new, {cpu:.2f} CPU s", "ours <= 6")
    _, _, cpu = timed(lambda: home.suite_gaps(ctx))
    told("gaps of the suites", f"{cpu:.2f} CPU s")


def released(ctx: Context) -> Released:
    made, wall, cpu = timed(lambda: release(ctx, "bench"))
    told("release", f"{made.cases} cases, {cpu:.2f} CPU s, {wall:.2f} s", "ours <= 5 CPU s")
    return made


def pages(ctx: Context, query: ListQuery) -> list[float]:
    """CPU milliseconds of 100 pages of 200, from the first one on, over and over, each from the key of the last."""
    found, after = [], None
    for _ in range(100):
        page, _, cpu = timed(lambda a=after: cases.page_of(ctx, query, after=a, limit=200))
        found.append(cpu * 1000)
        after = query.key_of(page[-1]) if len(page) == 200 else None
    return found


def lists(ctx: Context, count: int) -> None:
    """Pages of a long list: by every column, in the middle, filtered, and the count beside them."""
    found = [ms for name in COLUMNS for down in (False, True) for ms in pages(ctx, ListQuery(name, down))]
    told(f"{count}: a page of 200, any order", f"p95 {percentile(found, 0.95):.2f} CPU ms, most {max(found):.2f}",
         "LS 114 ms, Potato 210 ms; ours <= 10")  # fmt: skip
    every = cases.page_of(ctx, limit=0)
    query = ListQuery("question")
    middle = query.key_of(sorted(every, key=lambda line: (line.question, line.seq))[count // 2])
    rare = every[count // 2].question[12:30]
    asked = {
        "first page": lambda: cases.page_of(ctx),
        "page in the middle, by question": lambda: cases.page_of(ctx, query, after=middle),
        "status = draft": lambda: cases.page_of(ctx, ListQuery(where=(("status", "draft"),))),
        "risk = high, domain ~ la": lambda: cases.page_of(
            ctx, ListQuery(where=(("risk", "high"),), like=(("domain", "la"),))
        ),
        f"contains {rare!r}": lambda: cases.page_of(ctx, ListQuery(contains=rare)),
        f"contains {rare!r}, by domain": lambda: cases.page_of(ctx, ListQuery("domain", contains=rare)),
        "contains 'w1', by domain": lambda: cases.page_of(ctx, ListQuery("domain", contains="w1")),
        "count": lambda: cases.count(ctx),
        f"count of contains {rare!r}": lambda: cases.count(ctx, contains=rare),
    }
    for name, job in asked.items():
        took = [timed(job)[2] * 1000 for _ in range(20)]
        answer = job()
        shown = f"{answer if isinstance(answer, int) else len(answer)} found, p95 {percentile(took, 0.95):.2f} CPU ms"
        told(f"{count}: {name}", shown)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--listed", type=int, default=100_000)
    given = parser.parse_args()
    data = lines_of(given.cases)
    with workspace() as ctx:
        taken(f"import {given.cases} cases", ctx, data, "LS 2.2 CPU s, Potato 4.2; ours <= 2")
        taken("the same file again", ctx, data, "LS doubles them; ours 0 new, <= 2 CPU s")
        exported(ctx, data)
        saves(ctx)
        found = pages(ctx, ListQuery())
        told("list, a page of 200", f"p95 {percentile(found, 0.95):.2f} CPU ms", "LS 114 ms, Potato 210 ms; ours <= 20")
        all_at_once(ctx, given.cases)
        made = released(ctx)
        for folder, name in ((made.folder, "dev"), (made.holdout, "holdout")):
            lines = (Path(folder) / f"{name}.jsonl").read_bytes()
            taken(f"own release back: {name}.jsonl", ctx, lines, "neither keeps its ids; ours <= 2 CPU s")
    told("most memory so far", f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    if given.listed:
        data = lines_of(given.listed)
        with workspace() as ctx:
            taken(f"import {given.listed} cases", ctx, data, "linear: ten times the first line")
            lists(ctx, given.listed)


if __name__ == "__main__":
    main()
