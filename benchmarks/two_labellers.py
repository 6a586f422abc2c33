"""Two labelers and an adjudicator, 60 cases: leases never double, labels never early, agreement as worked out by hand.

    python -m benchmarks.two_labellers [--cases 60] [--seed 1]

Half of the cases are written by one of the labelers, half come from a file. Both labelers work at once, each in a
process of its own, and take what the queue hands them; every lease is written down with its moments. Each label carries
a word that no other has. Before a labeler labels, everything that they can ask is searched for the words of others: the
case, its history, the lists and their filters, the queue, lint, exports, coverage, home, search, both labels side by
side, and the real command line. A third person then decides what differs. Exit code 1 when a lease was double, a word
was seen early, or a coefficient is not the one that is computed here, from the labels as they were drawn.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import itertools
import json
import multiprocessing
import random
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

from curator.cli.main import run
from curator.domain.case import Case
from curator.domain.listing import ListQuery
from curator.domain.model import Model
from curator.errors import Conflict, CuratorError
from curator.exporting.line import draft_line
from curator.services import blind, cases, documents, home, labelings, queueing, review
from curator.services.agreement import agreement
from curator.services.case_export import export_cases
from curator.services.context import Context
from curator.services.coverage_board import Board
from curator.services.importing import import_cases
from curator.services.ingest import Facts, ingest
from curator.services.lint import lint
from curator.services.search import search
from curator.services.waiting import waiting
from curator.workspace import Workspace, create

DOCUMENT = Path(__file__).parents[1] / "datasets" / "documents" / "school-health-guideline.pdf"
PEOPLE = """
[people.ada]
role = "expert"
[people.ben]
role = "reviewer"
[people.carla]
role = "lead"
[people.erin]
role = "expert"
"""
LABELERS = ("ada", "ben")
BEHAVIORS = ("answer", "refuse", "escalate")
RISKS = ("high", "critical")
Label = tuple[str, tuple[str, ...], str]
EVERY = 6
"""The command line is asked about every sixth case: each command takes a moment."""


def word(name: str, actor: str) -> str:
    """What only this label, or this author's case, says."""
    return f"secret{actor}{name.replace('-', '')}"


def drawn(name: str, actor: str, pool: list[str], seed: int) -> Label:
    """What a labeler says of a case: mostly what everybody would say, sometimes their own view."""
    common, own = random.Random(f"{seed} {name}"), random.Random(f"{seed} {name} {actor}")
    behavior = common.choice(BEHAVIORS)
    sources = tuple(sorted(common.sample(pool, 2)))
    risk = common.choice(RISKS)
    if own.random() < 0.15:
        behavior = own.choice(BEHAVIORS)
    if own.random() < 0.25:
        sources = tuple(sorted(own.sample(pool, own.choice((1, 2, 3)))))
    if own.random() < 0.2:
        risk = own.choice(RISKS)
    return behavior, sources if behavior == "answer" else (), risk


def written(ctx: Context, name: str, author: str, label: Label) -> Case:
    """The case as its author has it: complete, and with a word of their own."""
    behavior, sources, risk = label
    body: dict[str, Any] = {"id": name, "turns": (f"Question number {name} of the bench?",), "risk": risk,
                            "expected_behavior": behavior, "domain": "bench", "language": "en",
                            "consequence": word(name, author)}  # fmt: skip
    if behavior == "answer":
        body["reference_answer"] = f"It is {word(name, author)}."
    elif behavior == "refuse":
        body["refusal_reason"] = "out_of_scope"
    else:
        body |= {"escalate_to": word(name, author), "escalate_when": "at once"}
    case = cases.with_document(ctx, Case.model_validate(body), "guideline")
    for source in sources:
        case = cases.with_evidence(ctx, case, source)
    return case


def set_up(folder: Path, count: int, seed: int) -> tuple[list[str], list[str]]:
    """The workspace with its cases in review; their ids, and the sources that are cited."""
    create(folder)
    settings = folder / "curator.toml"
    settings.write_text(settings.read_text("utf-8") + PEOPLE, "utf-8")
    with Workspace(folder, "erin") as workspace:
        ingest(workspace.context, [DOCUMENT], Facts(domain="bench", document_id="guideline"))
        pool = [s.id for s in documents.sources_on(workspace.context, "guideline")[40:52]]
    names = [f"bench-{n:06}" for n in range(count)]
    with Workspace(folder, "erin") as workspace:
        ctx = workspace.context
        made = [written(ctx, n, "erin", drawn(n, "ada", pool, seed)) for n in names[::2]]
        lines = [(k, draft_line(c)) for k, c in enumerate(made, 1)]
        assert import_cases(ctx, lines).new == len(made)
        cases.require_submitted(cases.submit(ctx, names[::2]))
    with Workspace(folder, "ada") as workspace:
        ctx = workspace.context
        for name in names[1::2]:
            cases.new(ctx, written(ctx, name, "ada", drawn(name, "ada", pool, seed)))
        cases.require_submitted(cases.submit(ctx, names[1::2]))
    return names, pool


# -- what a labeler can see ---------------------------------------------------------------------------------


def asked(ctx: Context, name: str) -> Iterator[tuple[str, str]]:
    """Everything that a person can ask of a case, by where they ask, as text."""

    def text(value: object) -> str:
        if isinstance(value, Model):
            return value.model_dump_json()
        return json.dumps(
            value, ensure_ascii=False, default=lambda o: o.model_dump() if isinstance(o, Model) else str(o)
        )

    def compare() -> object:
        try:
            return labelings.labelings(ctx, name)
        except Conflict:
            return ""

    lines: list[str] = []
    board = Board(ctx)
    board.refresh()
    ways: dict[str, Callable[[], object]] = {
        "the case": lambda: blind.look(ctx, name)._asdict(),
        "its history": lambda: blind.history(ctx, name),
        "the list": lambda: [line._asdict() for line in cases.page_of(ctx, limit=0)],
        "the queue": lambda: list(waiting(ctx)),
        "lint": lambda: list(lint(ctx, [name], around=False).findings),
        "an export": lambda: (export_cases(ctx, lines.append, ListQuery(contains=name)), lines),
        "home": lambda: home.overview(ctx),
        "coverage": lambda: [c for c in board.cases if c.id == name],
        "search": lambda: search(ctx, word(name, "ada")).model_copy(update={"note": ""}),
        "both labels": compare,
    }
    for where, way in ways.items():
        yield where, text(way())


def typed(folder: Path, actor: str, name: str) -> Iterator[tuple[str, str]]:
    """The same from the real command line: what comes out of each command."""
    for words in (["case", "show", name], ["case", "show", name, "--json"], ["case", "history", name, "--json"],
                  ["case", "list", "--json"], ["case", "export", name], ["review", "queue", "--all"],
                  ["lint", name, "--alone", "--json"], ["review", "compare", name]):  # fmt: skip
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            run(["-w", str(folder), "--as", actor, *words])
        yield f"curator {' '.join(words)}", out.getvalue() + err.getvalue()


def seen_early(ctx: Context, folder: Path, name: str, number: int) -> Iterator[str]:
    """What of others' labels shows to somebody who has not labeled the case yet."""
    hidden = [word(name, other) for other in ("ada", "ben", "erin") if other != ctx.actor_id]
    ways = asked(ctx, name)
    if number % EVERY == 0:
        ways = itertools.chain(ways, typed(folder, ctx.actor_id, name))
    for where, said in ways:
        yield from (f"{ctx.actor_id} saw {w} in {where}" for w in hidden if w in said)
    line = next(c for c in cases.page_of(ctx, limit=0) if c.id == name)
    if line.behavior or line.risk:
        yield f"{ctx.actor_id} saw behavior or risk of {name} in the list"
    for key, values in (("behavior", BEHAVIORS), ("risk", RISKS)):
        for value in values:
            if any(c.id == name for c in cases.page_of(ctx, limit=0, where={key: value})):
                yield f"{ctx.actor_id} found {name} by {key}:{value}"


# -- the work -----------------------------------------------------------------------------------------------


def label_all(folder: Path, actor: str, pool: list[str], seed: int, start: Any, told: Any) -> None:
    """One labeler, until nothing waits for them."""
    with Workspace(folder, actor) as workspace:
        ctx = workspace.context
        start.wait()
        idle, number = 0, 0
        while idle < 5:
            before = time.monotonic()
            got = queueing.take_next(ctx)
            if got is None:
                idle += 1
                time.sleep(0.2)
                continue
            idle, held = 0, time.monotonic()
            for said in seen_early(ctx, folder, got.case_id, number):
                told.put(("early", said))
            number += 1
            behavior, sources, risk = drawn(got.case_id, actor, pool, seed)
            reason = word(got.case_id, actor)
            statement = review.Statement(behavior=behavior, source_ids=sources or ("none",), risk=risk, reason=reason)
            try:
                review.approve(ctx, got.case_id, statement)
            except CuratorError as error:
                told.put(("error", f"{actor}: {error}"))
                queueing.take_next(ctx, skip=[got.case_id])
                continue
            told.put(("lease", (got.case_id, got.slot, actor, before, held, time.monotonic())))


def decide_all(ctx: Context) -> tuple[int, list[str]]:
    """The adjudicator, until nothing waits; how many, and what was wrong on the way."""
    count, wrong = 0, []
    while (got := queueing.take_next(ctx)) is not None:
        if got.slot != "adjudication":
            wrong.append(f"carla was handed {got.slot} of {got.case_id}")
            queueing.let_go(ctx, got.case_id)
            break
        both = labelings.labelings(ctx, got.case_id)
        shown = " ".join(said for _, said in asked(ctx, got.case_id))  # the search does find what is shown
        wrong += (
            [f"ben's label of {got.case_id} is not found even now"] if word(got.case_id, "ben") not in shown else []
        )
        review.adjudicate(ctx, got.case_id, labelings.taken(both, 1 + count % 2, review.Statement(reason="decided")))
        count += 1
    return count, wrong


def doubled(leases: list[tuple[str, str, str, float, float, float]]) -> list[str]:
    """Slots that two people had in hand at one time. From a take that came back to the label is held for certain."""
    found = []
    slots: dict[tuple[str, str], list[tuple[float, float, str]]] = {}
    for name, slot, actor, _, held, done in leases:
        slots.setdefault((name, slot), []).append((held, done, actor))
    for key, spans in slots.items():
        for (_, end, one), (begin, _, other) in itertools.pairwise(sorted(spans)):
            if begin < end and one != other:
                found.append(f"{key[1]} of {key[0]} was with {one} and {other}")
        if len(spans) > 1:
            found.append(f"{key[1]} of {key[0]} was given {len(spans)} times")
    return found


# -- agreement by hand --------------------------------------------------------------------------------------


def by_hand(pairs: list[tuple[Any, Any]], distance: Callable[[Any, Any], Fraction]) -> dict[str, float]:
    """Raw agreement, Cohen's kappa and Krippendorff's alpha by their definitions, in fractions."""
    size = len(pairs)
    raw = Fraction(sum(a == b for a, b in pairs), size)
    values = [v for pair in pairs for v in pair]
    first, second = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    chance = sum((Fraction(first[v] * second[v], size * size) for v in set(values)), Fraction(0))
    observed = sum((distance(a, b) for a, b in pairs), Fraction(0)) / size
    apart = sum((distance(a, b) for a, b in itertools.combinations(values, 2)), Fraction(0))
    expected = apart / Fraction(len(values) * (len(values) - 1), 2)
    return {"raw": float(raw), "kappa": float((raw - chance) / (1 - chance)), "alpha": float(1 - observed / expected)}


def nominal(one: Any, other: Any) -> Fraction:
    return Fraction(int(one != other))


def jaccard(one: frozenset[str], other: frozenset[str]) -> Fraction:
    return 1 - Fraction(len(one & other), len(one | other)) if one | other else Fraction(0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "w"
        names, pool = set_up(folder, args.cases, args.seed)
        context = multiprocessing.get_context("spawn")
        told, start = context.Queue(), context.Barrier(len(LABELERS))
        at_work = [context.Process(target=label_all, args=(folder, a, pool, args.seed, start, told)) for a in LABELERS]
        for process in at_work:
            process.start()
        found: dict[str, list[Any]] = {"early": [], "error": [], "lease": []}
        while any(p.is_alive() for p in at_work) or not told.empty():
            while not told.empty():
                kind, said = told.get()
                found[kind].append(said)
            time.sleep(0.05)
        wrong += found["error"] + [f"a labeler ended with code {p.exitcode}" for p in at_work if p.exitcode]
        double = doubled(found["lease"])
        with Workspace(folder, "carla") as workspace:
            ctx = workspace.context
            labels = {n: (drawn(n, "ada", pool, args.seed), drawn(n, "ben", pool, args.seed)) for n in names}
            differ = sum(a != b for a, b in labels.values())
            decided, more = decide_all(ctx)
            wrong += more
            measured = {m.field: m for m in agreement(ctx).overall}
        fields = {"expectedBehavior": 0, "expectedSourceIds": 1, "risk": 2}
        figures = []
        for field, place_of in fields.items():
            sets = field == "expectedSourceIds"
            told_by = [[frozenset(x[1]) if sets else x[place_of] for x in both] for both in labels.values()]
            pairs: list[tuple[Any, Any]] = [(one, other) for one, other in told_by]
            hand, ours = by_hand(pairs, jaccard if sets else nominal), measured[field]
            got = {"raw": ours.raw.value, "kappa": ours.kappa.value, "alpha": ours.alpha.value}
            figures.append((field, ours.cases, hand, got))
            wrong += [f"{field}: {k} is {got[k]}, by hand {hand[k]}" for k in hand
                      if got[k] is None or abs(got[k] - hand[k]) > 1e-12]  # type: ignore[operator]  # fmt: skip
            wrong += [f"{field}: {ours.cases} cases"] if ours.cases != len(names) else []
    wrong += [] if decided == differ else [f"{decided} decided, but {differ} differ"]
    print(f"{len(names)} cases, half written by a labeler, half from a file; two labelers at once, then an adjudicator")
    print(f"labels given          {len(found['lease'])} (and {len(names) // 2} by the author's submission)")
    print(f"leases double         {len(double)}")
    print(f"labels seen early     {len(found['early'])}")
    print(f"decided               {decided} of {differ} that differ")
    for field, count, hand, got in figures:
        said = ", ".join(f"{k} {got[k]:.4f} (by hand {hand[k]:.4f})" for k in hand)
        print(f"  {field:18} {count} cases: {said}")
    for problem in [*double[:5], *found["early"][:10], *wrong[:10]]:
        print("  !", problem)
    if double or found["early"] or wrong:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
