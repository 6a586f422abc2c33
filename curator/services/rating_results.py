"""What ratings come to: means and intervals by length, agreement; and their export. Only of who has finished."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from curator.domain.case import HIDDEN_PARTITIONS
from curator.domain.identity import sha256
from curator.domain.model import Model
from curator.domain.ratings import Accord, Rating, Sampled, Summary, accords, summaries
from curator.errors import CheckFailed, Conflict, StorageError
from curator.exporting.ratings import RATINGS_FILE, SCHEMA_FILE, Rated, ratings_file, ratings_schema
from curator.services.context import Context
from curator.services.publishing import whole_file
from curator.services.released_version import released
from curator.store import ratings
from curator.store.database import Transaction


class Results(Model):
    """What the ratings of a sample come to.

    Attributes:
        ratings: Of those who have finished; notes on the holdout are a lead's alone.
        summaries: By measure and length, "all" first.
        agreement: Empty when no output was rated by two.
    """

    sampled: Sampled
    ratings: tuple[Rating, ...]
    summaries: tuple[Summary, ...]
    agreement: tuple[Accord, ...]


class Exported(Model):
    """The file that was written: how many samples and ratings it holds; `without`: samples that nobody has finished."""

    path: str
    samples: int
    ratings: int
    without: tuple[int, ...]


def results(ctx: Context, number: int) -> Results:
    """What the ratings of a sample come to. Who sees it rates no more of it.

    Raises:
        InputError: There is no such sample.
        UsageError: It is not known who acts.
        Conflict: Who acts has begun to rate it and not finished.
    """
    with ctx.db.read() as tx:
        sampled = ratings.sample(tx, number)
        _require_unbiased(ctx, tx, [sampled])
        rated = _rated(ctx, tx, sampled)
    _note_seen(ctx, [sampled])
    return Results(
        sampled=sampled, ratings=tuple(rated.ratings), summaries=tuple(rated.summaries),
        agreement=tuple(rated.agreement),
    )  # fmt: skip


def _require_unbiased(ctx: Context, tx: Transaction, samples: Sequence[Sampled]) -> None:
    actor = ctx.actor().id
    for sampled in samples:
        person = ratings.person(tx, sampled.sample, actor)
        if person.begun_at and not person.finished_at:
            raise Conflict(
                f"{actor} has begun to rate sample {sampled.sample}: what others said is told when all is said",
                f"`curator sample-review finish {sampled.sample}` first",
            )


def _note_seen(ctx: Context, samples: Sequence[Sampled]) -> None:
    """Whoever has seen results, and could still rate, is known from now on to have seen them."""
    actor = ctx.actor()
    if not actor.may("review"):
        return
    with ctx.db.read() as tx:
        fresh = [s for s in samples if s.raters and not _known(tx, s.sample, actor.id)]
    if fresh:
        with ctx.write("review") as tx:
            for sampled in fresh:
                ratings.stand(tx, sampled.sample, actor.id, "results seen", saw_at=tx.log.at)


def _known(tx: Transaction, number: int, actor: str) -> bool:
    person = ratings.person(tx, number, actor)
    return bool(person.finished_at or person.saw_at)


def _rated(ctx: Context, tx: Transaction, sampled: Sampled) -> Rated:
    items = {i.case_id: i for i in ratings.items(tx, sampled.sample)}
    sees = ctx.actor().may("holdout")
    made = []
    for said in ratings.said(tx, sampled.sample):
        item = items[said.case_id]
        if said.actor in sampled.raters and said.whole:
            hidden = item.side in HIDDEN_PARTITIONS and not sees
            made.append(
                Rating.model_validate(
                    said.model_dump(include={"case_id", "completeness", "accuracy"})
                    | {"length_stratum": item.length_stratum, "partition": item.side, "rater": said.actor,
                       "note": "" if hidden else said.note, "rated_at": said.at}
                )
            )  # fmt: skip
    outputs = {name: sha256(item.output.encode()) for name, item in items.items()}
    return Rated(sampled, summaries(made, sampled.strata), made, accords(made), outputs)


def ratings_folder(ctx: Context, suite: str, version: str) -> Path:
    """Where the ratings of a release are written: beside it, and outside of what its checksums cover."""
    return ctx.exports / suite / f"{version}.ratings"


def export(ctx: Context, suite: str, version: str = "", *, number: int = 0, target: Path | None = None) -> Exported:
    """Write human_ratings.jsonl of a release, every sample that somebody has finished, and the schema beside it.

    Args:
        ctx: Open workspace.
        suite: A suite that was released here.
        version: Which; "" = the latest.
        number: Only this sample; 0 = all.
        target: The file; None = human_ratings.jsonl in exports/SUITE/VERSION.ratings.

    Raises:
        InputError: There is no such release, or no such sample of it.
        CheckFailed: Nobody has finished a sample of it.
        Conflict: Who acts has begun to rate one of them and not finished.
        StorageError: It cannot be written.
    """
    made = released(ctx, suite, version)
    with ctx.db.read() as tx:
        found = [s for s in ratings.samples(tx, suite, made.version) if number in (0, s.sample)]
        if number and not found:
            ratings.sample(tx, number)
        done = [s for s in found if s.raters]
        if not done:
            raise CheckFailed(f"nobody has finished a sample of {suite} {made.version}", "`curator sample-review list`")
        _require_unbiased(ctx, tx, done)
        rated = [_rated(ctx, tx, s) for s in done]
    body = ratings_file(rated)
    path = target or ratings_folder(ctx, suite, made.version) / RATINGS_FILE
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(f"{path.parent}: {error.strerror}", "name a file that may be written") from None
    for file, data in ((path, body), (path.with_name(SCHEMA_FILE), ratings_schema())):
        with whole_file(file) as stream:
            stream.write(data)
    _note_seen(ctx, done)
    return Exported(
        path=str(path), samples=len(done), ratings=sum(len(r.ratings) for r in rated),
        without=tuple(s.sample for s in found if not s.raters),
    )  # fmt: skip
