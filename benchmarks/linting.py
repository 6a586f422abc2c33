"""`curator lint` over 5,000 cases: CPU cold, again, and after one edit; and the checks of one case while it is typed.

    python -m benchmarks.linting WORKSPACE [--cases 5000]

WORKSPACE is one that `curator demo` made; it is copied. Every case cites a source of its own choice and says what that
source says, so that little is found: a workspace is mostly sound.
"""

from __future__ import annotations

import argparse
import random
import re
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from curator.domain.canonical import written
from curator.domain.case import Case
from curator.domain.citing import cite, judged_against
from curator.services import cases, checking
from curator.services.context import Context
from curator.services.lint import lint
from curator.store import cases as stored
from curator.store import documents, indexing, sources
from curator.store.cases import NewCase
from curator.workspace import Workspace

WORDS = re.findall(
    r"\w+",
    """
    inspector parent teacher manufacturer driver owner deadline notice record limit payment certificate report
    form visit winter spring autumn harbor village station office kitchen battery engine bicycle museum library
    garden market
    """,
)


def fill(ctx: Context, wanted: int) -> list[str]:
    draw = random.Random(3)
    with ctx.db.read() as tx:
        names = sorted(documents.ids(tx, indexing.stamps(tx)))
        papers = {n: documents.get(tx, n) for n in names}
        pool = [s for n in names for s in sources.sources(tx, n)]
    made = []
    for n in range(wanted):
        source = pool[n % len(pool)]
        asked = " ".join(draw.sample(WORDS, 7))
        made.append(
            Case.model_validate(
                {
                    "id": f"bench-{_six(n)}",
                    "turns": [f"What does the text say of {asked} and {source.anchor.key_cell}?"],
                    "referenceAnswer": source.anchor.quote[:300], "language": papers[source.document_id].language,
                    "evidence": [cite(source).model_dump(mode="json", by_alias=True)], "risk": "low", "domain": "bench",
                    "documents": [judged_against(papers[source.document_id]).model_dump(mode="json", by_alias=True)],
                }
            )
        )  # fmt: skip
    with ctx.write() as tx:
        for at in range(0, wanted, 500):
            stored.add_many(tx, [NewCase(written(cases.at_the_door(c))) for c in made[at : at + 500]])
    return [c.id for c in made]


def _six(number: int) -> str:
    signs = "0123456789abcdefghjkmnpqrstvwxyz"
    return "".join(signs[number // 32**k % 32] for k in range(5, -1, -1))


def cpu(work: Callable[[], object]) -> float:
    before = time.process_time()
    work()
    return time.process_time() - before


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("workspace", type=Path)
    parser.add_argument("--cases", type=int, default=5000)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "w"
        shutil.copytree(args.workspace, root)
        (root / ".curator" / "lint.json").unlink(missing_ok=True)
        with Workspace(root, "lead-carla") as workspace:
            ctx = workspace.context
            names = fill(ctx, args.cases)
            cold = cpu(lambda: lint(ctx))
            again = min(cpu(lambda: lint(ctx)) for _ in range(3))
            edits = []
            for name in names[:3]:
                record = cases.get(ctx, name)
                turns = (record.case.question + " Now?",)
                cases.save(ctx, record.case.model_copy(update={"turns": turns}), record.version)
                edits.append(cpu(lambda: lint(ctx)))
            found = lint(ctx)
            one = cases.get(ctx, names[7]).case
            keys = [one.model_copy(update={"reference_answer": one.reference_answer + str(n)}) for n in range(60)]
            typed = [cpu(lambda c=c: checking.check(ctx, c)) * 1000 for c in keys]
            around = min(cpu(lambda: checking.look_around(ctx, one)) for _ in range(2))
    where = len({f.case_id for f in found.findings})
    print(f"{len(found.checked)} cases, {len(found.findings)} findings in {where} cases")
    print(f"lint cold                  {cold:6.2f} CPU s")
    print(f"lint again                 {again:6.2f} CPU s")
    print(f"lint after one edit        {min(edits):6.2f} CPU s")
    median = statistics.median(typed)
    print(f"check of one case, typing  {median:6.2f} CPU ms median, {max(typed):.2f} worst of {len(typed)}")
    print(f"look around of one case    {around:6.2f} CPU s (in a worker, not for every key)")


if __name__ == "__main__":
    main()
