"""Baselines: what any real system must beat. Each writes a run over a released suite, by a rule that knows nothing.

lead3 answers with the first three paragraphs of the documents that a case was judged against, whatever is asked (the
baseline of news summarization). fts answers with the best hits of the full-text search over all sources.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal

from curator.domain.case import OPEN_PARTITIONS
from curator.domain.identity import sha256
from curator.domain.model import Model
from curator.errors import Conflict, UsageError
from curator.exporting.run import Cited, Retrieved, RunLine, RunSettings, RunTurn, Setting, run_files
from curator.exporting.schema import pretty
from curator.progress import Progress, Silent
from curator.services.context import Context
from curator.services.ledger import look_at_suite
from curator.services.publishing import publish
from curator.services.released_version import released
from curator.services.search import search
from curator.store import documents, leading, releases

Baseline = Literal["lead3", "fts"]
PARAGRAPHS = 3
HITS = 10
_Retrieve = Callable[[Mapping[str, Any], str], tuple[Retrieved, ...]]


class Run(Model):
    """A run that was written: its folder, how many cases it answers, and how many of them found nothing."""

    name: str
    suite: str
    version: str
    folder: str
    cases: int
    empty: int


def baseline(
    ctx: Context, kind: Baseline, suite: str, version: str = "", *, folder: Path | None = None, hits: int = HITS,
    holdout_reason: str = "", progress: Progress | None = None,
) -> Run:  # fmt: skip
    """Answer every open case of a released suite by a baseline and write the run.

    Args:
        ctx: Open workspace.
        kind: lead3 or fts.
        suite: A suite that was released here.
        version: Which; "" = the latest.
        folder: Must not exist; None = runs/KIND-SUITE-VERSION in the workspace.
        hits: Most sources that fts retrieves.
        holdout_reason: Also answer the holdout, and why: a lead's look that the ledger keeps. "" = not.
        progress: A step a case.

    Raises:
        UsageError: The holdout is asked for by no lead.
        InputError: There is no such release.
        Conflict: The folder exists and is not empty.
    """
    progress = progress or Silent()
    if hits < 1:
        raise UsageError("a baseline retrieves at least one source", "--hits 10")
    release = released(ctx, suite, version)
    name = f"{kind}-{suite}-{release.version}"
    target = folder or ctx.root / "runs" / name
    if target.exists() and (not target.is_dir() or any(target.iterdir())):  # before anything of the holdout is read
        raise Conflict(f"{target} exists", "name another folder with -o DIR")
    with ctx.db.read() as tx:
        lines = releases.lines(tx, suite, release.version)
    if holdout_reason:
        look_at_suite(ctx, suite, release.version, "baseline", holdout_reason)
    else:
        lines = {n: line for n, line in lines.items() if line["partition"] in OPEN_PARTITIONS}
    retrieve = _lead(ctx) if kind == "lead3" else _fts(ctx, hits, progress)
    progress.stage(f"{kind} over {suite} {release.version}", len(lines))
    made = []
    for line in lines.values():
        progress.checkpoint()
        made.append(_answered(line, retrieve))
        progress.advance()
    settings = {"paragraphs": str(PARAGRAPHS)} if kind == "lead3" else {"hits": str(hits), "answer": "the first three"}
    said = RunSettings(
        run=name,
        suite=suite,
        version=release.version,
        manifest_sha256=sha256(pretty(release.manifest)),
        system=f"curator baseline {kind}",
        started_at=ctx.now(),
        settings=tuple(Setting(name=k, value=v) for k, v in settings.items()),
    )
    publish(target, run_files(made, said))
    empty = sum(not line.retrieved for line in made)
    return Run(
        name=name, suite=suite, version=release.version, folder=str(target), cases=len(made), empty=empty
    )  # fmt: skip


def _answered(line: Mapping[str, Any], retrieve: _Retrieve) -> RunLine:
    turns: list[str] = line["turns"]
    found = retrieve(line, "\n".join(turns))
    earlier = [(n, retrieve(line, "\n".join(turns[:n]))) for n in range(1, len(turns))]
    answer = found[:PARAGRAPHS]
    return RunLine(
        case_id=line["id"],
        answer=_text(found),
        behavior=_behavior(found),
        retrieved=found,
        citations=tuple(Cited(source_id=r.id) for r in answer),
        turns=tuple(RunTurn(turn=n, answer=_text(r), behavior=_behavior(r), retrieved=r) for n, r in earlier),
    )


def _text(found: tuple[Retrieved, ...]) -> str:
    return "\n\n".join(r.text for r in found[:PARAGRAPHS])


def _behavior(found: tuple[Retrieved, ...]) -> Literal["answer", "refuse"]:
    return "answer" if found else "refuse"


def _lead(ctx: Context) -> _Retrieve:
    """The first paragraphs of the documents of a case, the first document first."""
    known: dict[str, list[tuple[str, str]]] = {}

    def first(document_id: str) -> list[tuple[str, str]]:
        if document_id not in known:
            with ctx.db.read() as tx:
                now = documents.names_now(tx).get(document_id, document_id)
                known[document_id] = leading.first_chunks(tx, now, PARAGRAPHS)
        return known[document_id]

    def retrieve(line: Mapping[str, Any], _: str) -> tuple[Retrieved, ...]:
        pairs = [pair for d in line["documents"] for pair in first(d["documentId"])]
        return tuple(Retrieved(id=i, text=t, rank=n, score=1 / n) for n, (i, t) in enumerate(pairs, 1))

    return retrieve


def _fts(ctx: Context, hits: int, progress: Progress) -> _Retrieve:
    """The best hits for the whole conversation, by words alone."""

    def retrieve(_: Mapping[str, Any], asked: str) -> tuple[Retrieved, ...]:
        found = search(ctx, asked, limit=hits, semantic=False, progress=progress).hits
        return tuple(Retrieved(id=h.source_id, text=h.text, rank=n, score=h.score) for n, h in enumerate(found, 1))

    return retrieve
