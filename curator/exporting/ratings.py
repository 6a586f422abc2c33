"""human_ratings.jsonl: what people said of the outputs of a run, and what it comes to by length. Out, and back.

Three kinds of lines, told apart by `kind`: `sample` (what was drawn, how, who rated, how far they agree), then its
`summary` lines (mean and interval of a measure over a length), then its `rating` lines (one person, one output).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field, Strict, ValidationError

from curator.domain.canonical import dumps
from curator.domain.case import LengthStratum, Partition
from curator.domain.ratings import Accord, Method, Rating, Sampled, Summary
from curator.errors import InputError
from curator.exporting.caseline import CaseId, Count, Flag, Positive, Text, Words
from curator.exporting.line import model_problems
from curator.exporting.manifest import ActorId, Moment, OpenWire, Sha256
from curator.exporting.read import read_lines
from curator.exporting.schema import DIALECT, plain_schema, pretty

RATINGS_FILE, SCHEMA_FILE = "human_ratings.jsonl", "human_ratings.schema.json"
SCHEMA_ID = "urn:curator:human-ratings:1.0.0"
PLACES = 4
_HINT = "name the human_ratings.jsonl of `curator sample-review export`"

Scored = Annotated[int, Strict(), Field(ge=1, le=5)]
Share = Annotated[float, Field(ge=0, le=1)]
OnScale = Annotated[float, Field(ge=1, le=5)]


class _OfSample(OpenWire):
    """What stands on every line: its kind, the sample, the release, and what answered."""

    kind: str
    sample: Positive
    suite: Words
    version: Words
    run: Words
    system: Words

    def is_of(self, suite: str, version: str) -> bool:
        """Whether it is of a suite and a version; "" = of any."""
        return suite in ("", self.suite) and version in ("", self.version)


class RatingLine(_OfSample):
    """One rating of one output. `outputSha256`: of the UTF-8 text that was rated."""

    kind: Literal["rating"]
    case_id: CaseId
    partition: Partition
    length_stratum: LengthStratum
    output_sha256: Sha256
    rater: ActorId
    completeness: Scored
    accuracy: Scored
    note: Text
    rated_at: Moment


class SummaryLine(_OfSample):
    """Mean of a measure over the rated cases of a length, with its interval. `mean` 0 = nothing was rated."""

    kind: Literal["summary"]
    measure: Literal["completeness", "accuracy"]
    length_stratum: LengthStratum | Literal["all"]
    cases: Count
    ratings: Count
    mean: Annotated[float, Field(ge=0, le=5)]
    low: OnScale
    high: OnScale
    confidence: Share
    method: Method
    thin: Flag


class DrawnLine(OpenWire):
    """A length of the sample: its cases in the release that have an answer, how many were drawn, whether few."""

    length_stratum: LengthStratum
    cases: Count
    drawn: Count
    thin: Flag


class AccordLine(OpenWire):
    """A coefficient of agreement. With a `why` it is not defined, and `value` says nothing."""

    measure: Literal["completeness", "accuracy"]
    coefficient: Literal["alpha", "kappa", "within one"]
    cases: Count
    raters: Count
    value: float
    why: Text


class SampleLine(_OfSample):
    """What was drawn, from which outputs, who rated it and how far they agree."""

    kind: Literal["sample"]
    run_sha256: Sha256
    seed: int
    drawn_at: Moment
    drawn_by: ActorId
    cases: Count
    strata: tuple[DrawnLine, ...]
    raters: tuple[ActorId, ...]
    unfinished: Count
    agreement: tuple[AccordLine, ...]


class Rated(NamedTuple):
    """A sample with everything that a file says of it; `outputs`: case id -> hash of the text that was rated."""

    sampled: Sampled
    summaries: Sequence[Summary]
    ratings: Sequence[Rating]
    agreement: Sequence[Accord]
    outputs: dict[str, str]


class RatingsFile(NamedTuple):
    """What a human_ratings.jsonl holds, in its order."""

    samples: tuple[SampleLine, ...]
    summaries: tuple[SummaryLine, ...]
    ratings: tuple[RatingLine, ...]


def ratings_file(samples: Iterable[Rated]) -> bytes:
    """The file: the same bytes for the same ratings."""
    return "".join(dumps(line.model_dump(mode="json", by_alias=True)) + "\n" for line in _lines(samples)).encode()


def _lines(samples: Iterable[Rated]) -> Iterator[OpenWire]:
    for one in samples:
        said = one.sampled.model_dump(mode="json", by_alias=True)
        common = {key: said[key] for key in ("sample", "suite", "version", "run", "system")}
        agreement = [*_accords(one.agreement)]
        yield SampleLine.model_validate(said | {"kind": "sample", "agreement": agreement})
        for summary in one.summaries:
            facts = summary.model_dump(mode="json", by_alias=True)
            ends = {key: round(facts[key], PLACES) for key in ("mean", "low", "high")}
            yield SummaryLine.model_validate(common | facts | ends | {"kind": "summary"})
        for rating in sorted(one.ratings, key=lambda r: (r.case_id, r.rater)):
            facts = rating.model_dump(mode="json", by_alias=True)
            yield RatingLine.model_validate(
                common | facts | {"kind": "rating", "outputSha256": one.outputs[rating.case_id]}
            )


def _accords(agreement: Iterable[Accord]) -> Iterator[dict[str, Any]]:
    for accord in agreement:
        for name, found in (("alpha", accord.alpha), ("kappa", accord.kappa), ("within one", accord.within_one)):
            yield {
                "measure": accord.measure, "coefficient": name, "cases": accord.cases, "raters": accord.raters,
                "value": round(found.value or 0.0, PLACES), "why": found.why,
            }  # fmt: skip


def read_ratings(data: bytes, name: str) -> RatingsFile:
    """A human_ratings.jsonl, every line checked; kinds of lines that are not known are passed over.

    Raises:
        InputError: A line is none, a rater rated a case of a sample twice, or there is no rating; one line says where.
    """
    kinds: dict[str, type[OpenWire]] = {"sample": SampleLine, "summary": SummaryLine, "rating": RatingLine}
    found: dict[str, list[Any]] = {kind: [] for kind in kinds}
    known: set[tuple[int, str, str]] = set()
    for number, row in read_lines(data, name):
        if isinstance(row, InputError):
            raise row
        kind = str(row.get("kind", ""))
        if not kind:
            raise InputError(f"{name} line {number}: it says no kind", _HINT)
        if kind not in kinds:
            continue
        try:
            line = kinds[kind].model_validate(row)
        except ValidationError as error:
            raise InputError(f"{name} line {number}: {model_problems(error)[0]}", _HINT) from None
        found[kind].append(line)
        if isinstance(line, RatingLine):
            key = (line.sample, line.case_id, line.rater)
            if key in known:
                raise InputError(f"{name} line {number}: {line.rater} rated {line.case_id} twice", _HINT)
            known.add(key)
    if not found["rating"]:
        raise InputError(f"{name}: no rating in it", _HINT)
    return RatingsFile(tuple(found["sample"]), tuple(found["summary"]), tuple(found["rating"]))


def ratings_schema() -> bytes:
    """JSON Schema (draft 2020-12) of a line, as a file."""
    kinds = [plain_schema(model) for model in (SampleLine, SummaryLine, RatingLine)]
    title = "A line of human_ratings.jsonl, version 1"
    return pretty({"$schema": DIALECT, "$id": SCHEMA_ID, "title": title, "oneOf": kinds})
