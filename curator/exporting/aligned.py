"""A case in the ids of the evaluated system's own chunks, and the report on how a suite lies in them."""

from __future__ import annotations

import copy
import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from curator.domain.alignment import FOUND, Alternative, Placement
from curator.domain.model import Model
from curator.exporting.markdown import code, plain, table
from curator.exporting.schema import case_schema
from curator.exporting.targets.texts import grades, is_retrieval
from curator.text import counted, one_line

ALIGNMENT_FORMAT = "urn:curator:alignment:1.0.0"
ALIGNED_CASE_ID = "urn:curator:aligned-case:1.0.0"
ATTRIBUTE = "alignment"
MOST_CLAUSES = 12
WORST = 50
_LEFT_OUT = "The chunks do not hold what these need: no retrieval could pass them. A score over the others is too good."

Find = Callable[[str, str], Placement | None]


class KindCounts(Model):
    """How many quotes of one kind (chunk, row) are where."""

    kind: str
    whole: int = 0
    split: int = 0
    torn: int = 0
    missing: int = 0


class LeftOut(Model):
    """A case that cannot be said in the system's ids, and why."""

    id: str
    reason: str


class RejectedChunk(Model):
    """A line of the chunks that was not taken."""

    row: int
    column: str
    reason: str


class ChunksRead(Model):
    """The file of chunks."""

    file: str
    sha256: str
    bytes: int
    count: int
    rejected: tuple[RejectedChunk, ...] = ()
    rejected_count: int = 0


class AlignmentReport(Model):
    """alignment.json: what was aligned to what, and how it went."""

    format: str = ALIGNMENT_FORMAT
    suite: str
    version: str
    manifest_sha256: str
    map_sha256: str
    chunks: ChunksRead
    counts: tuple[KindCounts, ...]
    required: KindCounts
    cases: int
    left_out: tuple[LeftOut, ...] = ()
    worst: tuple[Placement, ...] = ()
    warnings: tuple[str, ...] = ()


def aligned_case_schema() -> dict[str, Any]:
    """Schema of an aligned line: that of a released line, where a source id may be any text that is not empty."""
    schema = copy.deepcopy(case_schema())
    schema["$id"] = ALIGNED_CASE_ID
    schema["title"] = "Golden case in the chunk ids of an evaluated system, one JSONL line, version 1"
    fields = schema["properties"]
    turn = fields["turnExpectations"]["items"]["properties"]
    for ids in (fields["expectedSourceIds"], turn["expectedSourceIds"]):
        ids["items"] = {"type": "string", "minLength": 1}
    fields["evidence"]["items"]["properties"]["sourceId"] = {"type": "string", "minLength": 1}
    fields["keyProvisions"]["items"]["properties"]["sourceId"] = {"type": "string"}
    return schema


def aligned_case(case: Mapping[str, Any], find: Find) -> tuple[dict[str, Any] | None, str]:
    """The line of a case with chunk ids in place of source ids; None and why, when a group of it has no chunks.

    Alternatives stay members of one group. A split passage needs all of its chunks, so that its group becomes several,
    "GROUP#1", "GROUP#2" ...: each is satisfied by any of its members, and all are needed. The content hash stays that
    of the released case. The attribute `alignment` says how far its required passages are whole.
    """
    required: list[dict[str, Any]] = []
    states: list[str] = []
    for group, entries in _groups(case, "required").items():
        options = [(a, e, p) for e in entries if (p := find(e["sourceId"], e["quote"])) for a in p.alternatives]
        if not options:
            return None, f"no chunk holds {', '.join(one_line(e['sourceId'], 80) for e in entries)}"
        options.sort(key=lambda o: (len(o[0].lost), len(o[0].chunks)))
        states.append("torn" if options[0][0].lost else "split" if len(options[0][0].chunks) > 1 else "whole")
        required += _entries(group, [(a, e) for a, e, _ in options])
    taken = {e["sourceId"] for e in required}
    others = [e for e in _others(case, find) if e["role"] != "distractor" or e["sourceId"] not in taken]
    line = dict(case)
    line["evidence"] = required + others
    line["expectedSourceIds"] = list(dict.fromkeys(e["sourceId"] for e in required))
    line["keyProvisions"] = [p | {"sourceId": _first(case, p["sourceId"], find)} for p in case["keyProvisions"]]
    line["turnExpectations"] = [
        t | {"expectedSourceIds": _all(case, t["expectedSourceIds"], find)} for t in case["turnExpectations"]
    ]
    if states:
        state = max(states, key=FOUND.index)
        kept = [a for a in case["attributes"] if a["name"] != ATTRIBUTE]
        line["attributes"] = sorted([*kept, {"name": ATTRIBUTE, "value": state}], key=lambda a: a["name"])
    return line, ""


def _groups(case: Mapping[str, Any], role: str) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for entry in case["evidence"]:
        if entry["role"] == role:
            found.setdefault(entry["group"], []).append(entry)
    return found


def _entries(group: str, options: Sequence[tuple[Alternative, dict[str, Any]]]) -> list[dict[str, Any]]:
    """The evidence of a group: one group where each alternative is one chunk, else one for each choice of parts."""
    kept = list(options)
    while len(kept) > 1 and _product(kept) > MOST_CLAUSES:
        kept.pop()
    owner = {chunk: entry for alternative, entry in reversed(kept) for chunk in alternative.chunks}
    clauses = list(dict.fromkeys(tuple(dict.fromkeys(c)) for c in itertools.product(*(a.chunks for a, _ in kept))))
    needed = [c for c in clauses if not any(set(other) < set(c) for other in clauses)]
    names = [group] if len(needed) == 1 else [f"{group}#{n}" for n in range(1, len(needed) + 1)]
    return [
        owner[chunk] | {"sourceId": chunk, "group": name}
        for name, clause in zip(names, needed, strict=True)
        for chunk in clause
    ]


def _product(options: Sequence[tuple[Alternative, Any]]) -> int:
    size = 1
    for alternative, _ in options:
        size *= len(alternative.chunks)
    return size


def _others(case: Mapping[str, Any], find: Find) -> list[dict[str, Any]]:
    """Supporting evidence and distractors by their surest chunks; what has none is dropped."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for entry in case["evidence"]:
        if entry["role"] != "required" and (placement := find(entry["sourceId"], entry["quote"])):
            for chunk in placement.alternatives[0].chunks if placement.alternatives else ():
                found.setdefault((entry["role"], chunk), entry | {"sourceId": chunk})
    return list(found.values())


def _all(case: Mapping[str, Any], names: Iterable[str], find: Find) -> list[str]:
    """The chunks of sources that a case cites, each once; those of the surest alternatives."""
    wanted = set(names)
    placements = [find(e["sourceId"], e["quote"]) for e in case["evidence"] if e["sourceId"] in wanted]
    return list(dict.fromkeys(c for p in placements if p and p.alternatives for c in p.alternatives[0].chunks))


def _first(case: Mapping[str, Any], name: str, find: Find) -> str:
    return next(iter(_all(case, [name], find)), "") if name else ""


def qrels_of(line: Mapping[str, Any]) -> str:
    """Judgements of an aligned case in the form of TREC: required 2, supporting 1, distractor 0. "" = it has none.

    A white space in an id would break the format: it is left out, as it is in a run that is exported.
    """
    if not is_retrieval(line):
        return ""
    return "".join(f"{line['id']} 0 {''.join(name.split())} {grade}\n" for name, grade in grades(line))


def counts_of(placements: Iterable[Placement]) -> tuple[KindCounts, ...]:
    """Counts by kind, chunks first."""
    counts: dict[str, Counter[str]] = {}
    for placement in placements:
        counts.setdefault(placement.kind, Counter())[placement.found] += 1
    return tuple(KindCounts(kind=kind, **counts[kind]) for kind in sorted(counts))


def worst_of(placements: Iterable[Placement]) -> tuple[Placement, ...]:
    """What the system's chunks lose, gravest first: missing, torn, split, then what is only alike."""
    order = {"missing": 0, "torn": 1, "split": 2, "whole": 3}
    listed = [p for p in placements if p.found != "whole" or p.how == "aligned"]
    return tuple(sorted(listed, key=lambda p: ("required" not in p.roles, order[p.found], p.score))[:WORST])


def report_page(report: AlignmentReport) -> str:
    """REPORT.md."""
    chunks = report.chunks
    rows = [(c.kind, *(getattr(c, name) for name in FOUND)) for c in (*report.counts, report.required)]
    lines = [
        f"# {report.suite} {report.version} in the chunks of {plain(chunks.file)}",
        "",
        f"{counted(chunks.count, 'chunk')}, {chunks.rejected_count} rejected; "
        f"{counted(report.cases, 'case')} in their ids, {len(report.left_out)} left out.",
        "",
        *table(("passages", *FOUND), rows),
    ]
    if report.worst:
        worst = [
            (code(p.source_id), p.found, plain("; ".join(_what(p)), 400), ", ".join(p.cases)) for p in report.worst
        ]
        lines += ["", "## The worst", "", *table(("source", "found", "what", "cases"), worst)]
    if report.left_out:
        out = [(code(c.id), plain(c.reason, 300)) for c in report.left_out]
        lines += ["", "## Cases left out", "", _LEFT_OUT, "", *table(("case", "why"), out)]
    lines += ["", *(f"- {plain(w)}" for w in report.warnings)] if report.warnings else []
    return "\n".join(lines) + "\n"


def _what(placement: Placement) -> Iterable[str]:
    if placement.found == "torn":
        yield f"title, header and row do not survive together: no {' and '.join(placement.alternatives[0].lost)}"
    if placement.alternatives:
        yield f"in {', '.join(placement.alternatives[0].chunks)}"
    if placement.found == "whole":
        yield f"{placement.score:g} of 100 alike"
    if placement.why:
        yield placement.why
    if placement.near:
        yield f"near: {', '.join(placement.near)}"
