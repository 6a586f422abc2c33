"""Two versions of 10,000 cases: releasing, a dry run, comparing, verifying. CPU seconds, all of them.

    python -m benchmarks.versions [--cases 10000] [--changed 1000]

The second version has `--changed` cases with another answer, and all of them another tag.
"""

from __future__ import annotations

import argparse
import resource
from pathlib import Path

from benchmarks.peers import lines_of, taken, timed, told, workspace
from curator.exporting.diff_markdown import diff_markdown
from curator.services import cases, suite_diff
from curator.services.cases import rewrite
from curator.services.changing import change_many
from curator.services.context import Context
from curator.services.release import Released, release
from curator.services.released_version import recorded
from curator.services.review import import_reviews
from curator.services.verifying import verified
from curator.store import cases as stored


def approved(ctx: Context, names: list[str], at: str = "2026-03-01T09:00:00Z") -> None:
    """Submit and approve all of these."""
    cases.submit(ctx, names)
    said = {"slot": "approval", "actor": "ada", "at": at, "decision": "approve", "risk": "low",
            "expectedBehavior": "refuse", "expectedSourceIds": [], "reason": ""}  # fmt: skip
    report = import_reviews(ctx, [(n, {"caseId": name, **said}) for n, name in enumerate(names, 1)])
    assert report.new == len(names), report.rejected[:1]


def answered(ctx: Context, names: list[str]) -> None:
    """Another answer for each of these."""
    with ctx.write() as tx:
        records = stored.get_many(tx, names).values()
        answers = (
            (r, r.case.model_copy(update={"reference_answer": f"{r.case.reference_answer} Soon."})) for r in records
        )
        rewrite(ctx, tx, list(answers))
    approved(ctx, names, "2026-03-02T09:00:00Z")


def released(ctx: Context, what: str, *, dry_run: bool = False) -> Released:
    made: Released
    made, wall, cpu = timed(lambda: release(ctx, "bench", dry_run=dry_run))
    told(what, f"{made.version}, {len(made.changes)} changes, {cpu:.2f} CPU s, {wall:.2f} s", "ours <= 5 CPU s")
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--changed", type=int, default=1_000)
    given = parser.parse_args()
    with workspace() as ctx:
        taken(f"import {given.cases} cases", ctx, lines_of(given.cases), "")
        every = [line.id for line in cases.page_of(ctx, limit=0)]
        approved(ctx, every)
        first = released(ctx, "first release")
        released(ctx, "nothing new", dry_run=True)
        change_many(ctx, every, add_tags=["second"])
        answered(ctx, every[: given.changed])
        released(ctx, "what the second would be", dry_run=True)
        second = released(ctx, "second release")
        folders = Path(first.folder), Path(second.folder)
        found, _, cpu = timed(lambda: suite_diff.diff(*folders))
        told("compare both", f"{found.level}, {found.summary}, {cpu:.2f} CPU s", "ours: a few seconds")
        page, _, cpu = timed(lambda: diff_markdown(found, suite_diff.words))
        told("as Markdown", f"{len(page):,} characters, {cpu:.2f} CPU s")
        again, _, cpu = timed(lambda: suite_diff.diff(folders[1], folders[1]))
        told("compare one with itself", f"{again.summary}, {cpu:.2f} CPU s")
        (sound,), _, cpu = timed(lambda: verified(folders[1], recorded=recorded(ctx)))
        told("verify, line by line", f"{len(sound.problems)} problems, {cpu:.2f} CPU s")
        sizes = ", ".join(
            f"{n} {(folders[1] / n).stat().st_size / 1e6:.1f} MB" for n in ("manifest.json", "CHANGES.md")
        )
        told("files of the second", sizes)
    told("most memory", f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
