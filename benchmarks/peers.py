"""The peers' baseline job: 10,000 cases in, the same file again, saves, lists, export, and the own export back.

    python -m benchmarks.peers [--cases 10000]

Ours is measured here and now; the figures of Label Studio and Potato beside it were measured once on a machine of this
kind (research for the first design), through their HTTP interfaces where they have one. Wall times of ours are single
process; read them as ratios. CPU seconds for the imports.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from curator.domain.canonical import file_bytes
from curator.domain.case import Case, KeyProvision
from curator.exporting.line import draft_line
from curator.exporting.read import read_lines
from curator.services import cases
from curator.services.importing import import_cases
from curator.services.release import release
from curator.services.review import import_reviews
from curator.workspace import Workspace, create


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
        domain=("health", "law", "finance")[number % 3],
        tags=(f"batch-{number % 10}",),
        notes="imported for the benchmark",
    )


def _base32(number: int) -> str:
    digits = "0123456789abcdefghjkmnpqrstvwxyz"
    return "".join(digits[(number >> (5 * k)) & 31] for k in reversed(range(6)))


def timed(job: Callable[[], Any]) -> tuple[Any, float, float]:
    """What a job gave, its wall seconds and its CPU seconds."""
    wall, cpu = time.perf_counter(), time.process_time()
    answer = job()
    return answer, time.perf_counter() - wall, time.process_time() - cpu


def percentile(values: list[float], share: float) -> float:
    return statistics.quantiles(values, n=100)[round(share * 100) - 1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=10_000)
    count = parser.parse_args().cases
    data = file_bytes([draft_line(made_up(n)) for n in range(count)])
    rows: list[tuple[str, str, str]] = []
    with tempfile.TemporaryDirectory() as folder:
        root = create(Path(folder) / "w", "ada")
        with (root / "curator.toml").open("a") as stream:
            stream.write("\n[suites.bench]\n")
        settings = (root / "curator.toml").read_text().replace("solo = false", "solo = true")
        (root / "curator.toml").write_text(settings)
        with Workspace(root, "ada") as workspace:
            ctx = workspace.context
            first, _, cpu = timed(lambda: import_cases(ctx, read_lines(data, "bench.jsonl")))
            rows.append((f"import {count} cases", f"{first.new} new, {cpu:.2f} CPU s", "LS 2.2 s, Potato 4.2 s"))
            again, _, cpu = timed(lambda: import_cases(ctx, read_lines(data, "bench.jsonl")))
            rows.append(("the same file again", f"{again.new} new, {again.same} same, {cpu:.2f} CPU s", "LS doubles"))
            ids = [c.id for c in cases.page_of(ctx, limit=100)]
            saves = []
            for number, name in enumerate(ids):
                record = cases.get(ctx, name)
                changed = record.case.model_copy(update={"reference_answer": f"answer {number}"})
                saves.append(timed(lambda c=changed, r=record: cases.save(ctx, c, r.version))[1] * 1000)
            shown = f"p50 {percentile(saves, 0.5):.1f} ms, p95 {percentile(saves, 0.95):.1f} ms"
            rows.append(("100 saves", shown, "LS p50 61 ms, Potato 13 to 24 ms"))
            lists = []
            after = 0
            for _ in range(50):
                page, wall, _ = timed(lambda a=after: cases.page_of(ctx, after=a, limit=200))
                lists.append(wall * 1000)
                after = page[-1].seq if len(page) == 200 else 0
            rows.append(("list, a page of 200", f"p95 {percentile(lists, 0.95):.1f} ms", "LS 114 ms, Potato 210 ms"))
            every = [c.id for c in cases.page_of(ctx, limit=0)]
            _, _, cpu = timed(lambda: cases.submit(ctx, every))
            rows.append((f"submit {count}", f"{cpu:.2f} CPU s", ""))
            judged = [(n, {"caseId": i, "slot": "approval", "actor": "ada", "at": "2026-03-01T09:00:00Z",
                           "decision": "approve", "expectedBehavior": "refuse", "expectedSourceIds": [],
                           "risk": "low", "reason": ""}) for n, i in enumerate(every, 1)]  # fmt: skip
            done, _, cpu = timed(lambda: import_reviews(ctx, judged))
            rows.append((f"approve {count}", f"{done.new} new, {cpu:.2f} CPU s", ""))
            out, wall, cpu = timed(lambda: release(ctx, "bench"))
            rows.append(("release", f"{out.cases} cases, {cpu:.2f} CPU s, {wall:.2f} s", "target 5 CPU s"))
            exported = (Path(out.folder) / "dev.jsonl").read_bytes()
            back, _, cpu = timed(lambda: import_cases(ctx, read_lines(exported, "dev.jsonl")))
            kept = f"{back.same} same, {back.new} new, {len(back.rejected)} rejected, {cpu:.2f} CPU s"
            rows.append(("own export back", kept, "neither keeps ids"))
    for name, ours, peers in rows:
        print(f"{name:24s} {ours:40s} {peers}")


if __name__ == "__main__":
    main()
