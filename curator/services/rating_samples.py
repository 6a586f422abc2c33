"""Samples of outputs that people rate: drawn by length out of a run over a released version, and listed."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from curator.domain.case import OPEN_PARTITIONS, LengthStratum
from curator.domain.model import Model
from curator.domain.ratings import FEWEST, LENGTHS, MOST, THIN, Drawn, Item, Sampled, allotted
from curator.errors import CheckFailed, UsageError
from curator.progress import Progress, Silent
from curator.services.context import Context
from curator.services.released_version import released
from curator.services.run_outputs import Output, RunOutputs
from curator.store import ratings, releases
from curator.text import counted


class Sample(Model):
    """A sample that was drawn.

    Attributes:
        outcome: `same`: this very sample had been drawn before, and is given back.
        notes: What is to be known of it: thin lengths, cases without an answer, a holdout that was left out.
    """

    sampled: Sampled
    outcome: Literal["new", "same"]
    holdout: int
    notes: tuple[str, ...]


def draw(
    ctx: Context, suite: str, version: str = "", *, run: Path, n: int = FEWEST, seed: int = 1,
    holdout_reason: str = "", progress: Progress | None = None,
) -> Sample:  # fmt: skip
    """Draw outputs of a run for people to rate: as many of each length as there are, by the seed.

    Args:
        ctx: Open workspace; the acting person may review.
        suite: A suite that was released here.
        version: Which; "" = the latest.
        run: The run.jsonl (run.json beside it says what answered), or results that an evaluator wrote.
        n: How many, 20 to 30; all there are, where they are fewer.
        seed: Of the draw.
        holdout_reason: Also from the holdout, and why: a lead's right. "" = not.
        progress: Asked whether to stop.

    Raises:
        UsageError: Another number, or who acts may not.
        InputError: There is no such release, or the run is none of it.
        CheckFailed: The run answers no case that may be drawn.
    """
    progress = progress or Silent()
    if not FEWEST <= n <= MOST:
        raise UsageError(f"a sample has {FEWEST} to {MOST} outputs, not {n}", f"say --n {FEWEST}")
    ctx.actor("holdout" if holdout_reason.strip() else "review")
    progress.stage("reading the run")
    release = released(ctx, suite, version)
    with ctx.db.read() as tx:
        lines = releases.lines(tx, suite, release.version)
    outputs = RunOutputs(run, suite, release.version, lines, progress)
    wanted = {i: line for i, line in lines.items() if holdout_reason or line["partition"] in OPEN_PARTITIONS}
    answered = [i for i in wanted if i in outputs.cases]
    if not answered:
        raise CheckFailed(
            f"{run.name} answers no case of {suite} {release.version} that may be drawn", "take a run over it"
        )
    sizes = Counter[LengthStratum](wanted[i]["lengthStratum"] for i in answered)
    chosen, strata = _chosen(wanted, answered, allotted(dict(sizes), n), seed)
    said = outputs.of(chosen)
    made = [_item(place, wanted[i], said[i]) for place, i in enumerate(chosen, 1)]
    facts: dict[str, Any] = {"suite": suite, "version": release.version, "seed": seed, "run_sha256": outputs.sha256}
    notes = (*_notes(strata, len(answered), n), *_left_out(lines, wanted, outputs.cases))
    holdout = sum(item.side not in OPEN_PARTITIONS for item in made)
    with ctx.write("review") as tx:
        for known in ratings.samples(tx, suite, release.version):
            same = known.model_dump(include=set(facts)) == facts and known.strata == strata
            if same and [i.case_id for i in ratings.items(tx, known.sample)] == chosen:
                return Sample(sampled=known, outcome="same", holdout=holdout, notes=notes)
        number = ratings.add(
            tx, suite=suite, version=release.version, run=outputs.run, system=outputs.system, seed=seed,
            run_sha256=facts["run_sha256"], strata=strata, items=made,
        )  # fmt: skip
        return Sample(sampled=ratings.sample(tx, number), outcome="new", holdout=holdout, notes=notes)


def _chosen(
    lines: Mapping[str, Any], answered: Sequence[str], numbers: Mapping[LengthStratum, int], seed: int
) -> tuple[list[str], tuple[Drawn, ...]]:
    """Ids of the drawn cases, mixed, and what was drawn of each length."""

    def lot(name: str, what: str) -> bytes:
        return hashlib.sha256(f"{seed}\x1f{what}\x1f{name}".encode()).digest()

    by_length: dict[LengthStratum, list[str]] = defaultdict(list)
    for name in sorted(answered, key=lambda i: lot(i, "draw")):
        by_length[lines[name]["lengthStratum"]].append(name)
    strata = tuple(
        Drawn(length_stratum=s, cases=len(by_length[s]), drawn=numbers[s], thin=numbers[s] < THIN)
        for s in LENGTHS
        if s in by_length
    )
    drawn = [i for s in by_length for i in by_length[s][: numbers[s]]]
    return sorted(drawn, key=lambda i: lot(i, "order")), strata


def _item(place: int, line: Mapping[str, Any], said: Output) -> Item:
    return Item(
        place=place, case_id=line["id"], side=line["partition"], length_stratum=line["lengthStratum"],
        behavior=said.behavior, output=said.text, earlier=said.earlier,
    )  # fmt: skip


def _notes(strata: Sequence[Drawn], answered: int, n: int) -> list[str]:
    notes = [
        f"{s.length_stratum}: only {counted(s.cases, 'case')} there: {THIN} are the least that say anything"
        for s in strata
        if s.thin
    ]
    if missing := [s for s in ("base", "2x", "5x", "10x") if s not in {d.length_stratum for d in strata}]:
        notes.append(f"no case of {', '.join(missing)}: of these lengths nothing can be said")
    if answered < n:
        notes.append(f"only {counted(answered, 'case')} of the {n} asked for: all of them are drawn")
    return notes


def _left_out(lines: Mapping[str, Any], wanted: Mapping[str, Any], answered: Collection[str]) -> list[str]:
    notes = []
    hidden = sum(i not in wanted and i in answered for i in lines)
    if hidden:
        notes.append(f"{counted(hidden, 'answer')} to the holdout left out; --holdout REASON draws from it")
    if silent := sum(i not in answered for i in wanted):
        notes.append(f"{counted(silent, 'case')} without an answer in the run")
    return notes


def samples(ctx: Context, suite: str = "", version: str = "") -> tuple[Sampled, ...]:
    """The samples of a release, of a suite or all, in order."""
    with ctx.db.read() as tx:
        return tuple(ratings.samples(tx, suite, version))
