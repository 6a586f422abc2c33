"""Planted faults: sample cases are mutated in 15 classes; how many `curator lint` finds, and its false alarms.

    python -m benchmarks.planted_faults [--mutants 400] [--show]

A mutant counts as found when it has a problem that the sound case has not. Cases are compared with their evidence as it
stands in them; what only a database shows (a source that is gone) is tested in tests/services. The draw is seeded.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pydantic.alias_generators import to_snake

from benchmarks.mutations import MORE
from curator.domain.case import Case
from curator.domain.rules import problems
from curator.services import checking

SAMPLES = Path(__file__).parents[1] / "datasets" / "cases.jsonl"
TODAY = "2026-11-30"
Body = dict[str, Any]
Mutation = Callable[[Body, random.Random], Body | None]
_NUMBER = re.compile(r"(?<![\w.,])\d[\d.,]*\d|(?<![\w.,])\d(?![\w.,]?\d)")
_WORDS = {"sixty": "ninety", "thirty": "forty", "four": "seven", "six": "nine", "five": "eight", "two": "three"}


def bodies() -> list[Body]:
    names = set(Case.model_fields)
    lines = [json.loads(line) for line in SAMPLES.read_text("utf-8").splitlines()]
    return [{k: v for k, v in line.items() if to_snake(k) in names} for line in lines]


def _changed(text: str, draw: random.Random) -> str:
    found = [
        m for m in _NUMBER.finditer(text) if not re.search(r"(?:Article|Annex|Table|Grade|제) ?$", text[: m.start()])
    ]
    if found:
        m = draw.choice(found)
        digits = re.sub(r"\d", lambda d: str((int(d[0]) + draw.randrange(1, 9)) % 10), m[0], count=1)
        return text[: m.start()] + digits + text[m.end() :]
    for word, other in _WORDS.items():
        if re.search(rf"\b{word}\b", text, re.I):
            return re.sub(rf"\b{word}\b", other, text, count=1, flags=re.I)
    return text


def number_in_answer(b: Body, draw: random.Random) -> Body | None:
    new = _changed(b["referenceAnswer"], draw)
    return {**b, "referenceAnswer": new} if b["task"] == "question" and new != b["referenceAnswer"] else None


def number_in_provision(b: Body, draw: random.Random) -> Body | None:
    some = [
        n
        for n, p in enumerate(b["keyProvisions"])
        if p["mandatory"] and _changed(p["accept"][0], draw) != p["accept"][0]
    ]
    if not some:
        return None
    n = draw.choice(some)
    p = b["keyProvisions"][n]
    accept = [_changed(a, random.Random(draw.random())) for a in p["accept"]]
    return {**b, "keyProvisions": [*b["keyProvisions"][:n], {**p, "accept": accept}, *b["keyProvisions"][n + 1 :]]}


_UNITS = [("working days", "weeks"), ("days", "weeks"), ("hours", "days"), ("minutes", "hours"), ("$", "€"),
          (" km", " m"),          ("mg", "g"), ("시간", "일"), ("일까지", "주까지"), ("일은", "주는"), (" %", " ‰"),
          ("million", "thousand")]  # fmt: skip


def unit(b: Body, draw: random.Random) -> Body | None:
    text = b["referenceAnswer"]
    able = [
        (a, o) for a, o in _UNITS if re.search(rf"\d ?{re.escape(a)}|{re.escape(a)}\d|(?:sixty|four|six) {a}", text)
    ]
    if not able or b["task"] != "question":
        return None
    one, other = draw.choice(able)
    return {**b, "referenceAnswer": text.replace(one, other)}


def article(b: Body, draw: random.Random) -> Body | None:
    able = [
        (n, key)
        for n, p in enumerate(b["keyProvisions"])
        for key in ("text", "citation")
        if re.search(r"(?:Article|Annex|Item|Note|Table|표|제) ?\d|^\d+\.\d", p[key])
    ]
    if not able:
        return None
    n, key = draw.choice(able)
    p = b["keyProvisions"][n]
    swap = re.sub(
        r"((?:Article|Annex|Item|Note|Table|표|제) ?|^)(\d+)",
        lambda m: f"{m[1]}{int(m[2]) + draw.randrange(13, 40)}",
        p[key],
        count=1,
    )
    return {**b, "keyProvisions": [*b["keyProvisions"][:n], {**p, key: swap}, *b["keyProvisions"][n + 1 :]]}


def page(b: Body, draw: random.Random) -> Body | None:
    some = [n for n, p in enumerate(b["keyProvisions"]) if re.search(r"p\. \d+", p["citation"])]
    if not some:
        return None
    n = draw.choice(some)
    p = b["keyProvisions"][n]
    moved = re.sub(r"p\. (\d+)", lambda m: f"p. {int(m[1]) + draw.randrange(3, 30)}", p["citation"])
    return {**b, "keyProvisions": [*b["keyProvisions"][:n], {**p, "citation": moved}, *b["keyProvisions"][n + 1 :]]}


def _proof(b: Body) -> list[int]:
    return [n for n, e in enumerate(b["evidence"]) if e["role"] != "distractor"]


def _with_entry(b: Body, n: int, change: Body) -> Body:
    return {**b, "evidence": [*b["evidence"][:n], {**b["evidence"][n], **change}, *b["evidence"][n + 1 :]]}


def repealed(b: Body, draw: random.Random) -> Body | None:
    return _with_entry(b, draw.choice(_proof(b)), {"effectiveTo": "2026-09-30"}) if _proof(b) else None


def other_day(b: Body, draw: random.Random) -> Body | None:
    some = [n for n in _proof(b) if b["evidence"][n]["effectiveFrom"]]
    return {**b, "asOf": draw.choice(["2019-05-01", "2024-12-31", "2025-06-30"])} if some else None


def contradiction(b: Body, draw: random.Random) -> Body | None:
    if not b["referenceAnswer"] or not b["mustNotClaim"]:
        return None
    return {**b, "referenceAnswer": f"{b['referenceAnswer']} {draw.choice(b['mustNotClaim'])}"}


_TURNS = [("higher", "lower"), ("at least", "at most"), ("before", "after"), ("after", "before"),
          ("prohibited", "allowed"),
          ("until", "after"), ("without", "with"), ("excluded", "included"), ("최소", "최대"),
          ("이내", "이후")]  # fmt: skip


def turned_round(b: Body, draw: random.Random) -> Body | None:
    proof = " ".join(b["evidence"][n]["quote"] for n in _proof(b))
    able = [(a, o) for a, o in _TURNS if re.search(rf"\b{a}", b["referenceAnswer"]) and a in proof and a != "until"]
    if not able or b["task"] != "question":
        return None
    one, other = draw.choice(able)
    return {**b, "referenceAnswer": b["referenceAnswer"].replace(one, other)}


def leaked(b: Body, draw: random.Random) -> Body | None:
    if b["expectedBehavior"] != "answer" or b["task"] != "question":
        return None
    answer = b["referenceAnswer"].rstrip(".")
    form = draw.choice(["{q} Is it right that {a}?", "{q} ({a})", "Is it true that {a}?"])
    return {**b, "turns": [*b["turns"][:-1], form.format(q=b["turns"][-1], a=answer)]}


def wrong_row(b: Body, draw: random.Random) -> Body | None:
    rows = [e for e in b["evidence"] if e["role"] == "distractor" and e["tableCells"]]
    mine = [n for n in _proof(b) if b["evidence"][n]["role"] == "required" and b["evidence"][n]["tableCells"]]
    if not rows or not mine or b["expectedBehavior"] != "answer":
        return None
    other = draw.choice(rows)
    keep = ("role", "group")
    return _with_entry(b, mine[0], {k: v for k, v in other.items() if k not in keep})


def lost_turns(b: Body, _: random.Random) -> Body | None:
    return {**b, "turns": b["turns"][-1:], "turnExpectations": []} if len(b["turns"]) > 1 else None


def bare_row(b: Body, draw: random.Random) -> Body | None:
    rows = [n for n in _proof(b) if b["evidence"][n]["tableCells"]]
    change = draw.choice([{"tableTitle": ""}, {"tableHeader": []}])
    return _with_entry(b, draw.choice(rows), change) if rows else None


def person(b: Body, draw: random.Random) -> Body | None:
    who = draw.choice(
        [" My mail is lena.hart@example.org.", " Call me on +49 30 901820 00.", " IBAN DE89 3704 0044 0532 0130 00."]
    )
    return {**b, "turns": [*b["turns"][:-1], b["turns"][-1] + who]}


def twin(b: Body, draw: random.Random) -> Body | None:
    """The same question, barely reworded, refused; found when the pair of both is an error."""
    if b["expectedBehavior"] != "answer" or b["task"] != "question":
        return None
    turns = [*b["turns"][:-1], b["turns"][-1].rstrip("?.") + draw.choice([" ?", "??", "."])]
    return {**b, "turns": turns, "expectedBehavior": "refuse", "refusalReason": "not_in_sources", "referenceAnswer": "",
            "keyProvisions": [], "evidence": [{**e, "role": "distractor"} for e in b["evidence"]]}  # fmt: skip


CLASSES: tuple[Mutation, ...] = (
    number_in_answer, number_in_provision, unit, article, page, repealed, other_day, contradiction, turned_round,
    leaked, wrong_row, lost_turns, bare_row, person, twin, *MORE,
)  # fmt: skip


def looked_at(body: Body) -> Counter[tuple[str, str]]:
    case = Case.model_validate(body)
    return Counter((p.code, p.message) for p in (*problems(case, TODAY), *checking.personal(case)))


def found(kind: Mutation, sound: Body, mutant: Body, before: Counter[tuple[str, str]]) -> list[str]:
    new = [code for code, _ in looked_at(mutant) - before]
    if kind is twin:
        one, other = Case.model_validate(sound), Case.model_validate(mutant)
        texts = {"a": "\n".join(one.turns), "b": "\n".join(other.turns)}
        if checking.twins(texts) and checking.contradicts(one, other):
            new.append("near-duplicate-conflict")
    return new


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mutants", type=int, default=400)
    parser.add_argument("--show", action="store_true", help="print what is missed, and the false alarms")
    args = parser.parse_args()
    sound = bodies()
    before = {b["id"]: looked_at(b) for b in sound}
    alarms = [(name, code, text) for name, found_there in before.items() for code, text in found_there]
    draw = random.Random(20261130)
    able = {kind: [b for b in sound if kind(b, random.Random(1)) is not None] for kind in CLASSES}
    tried: Counter[str] = Counter()
    caught: Counter[str] = Counter()
    by_code: dict[str, Counter[str]] = defaultdict(Counter)
    started = time.process_time()
    turn = 0
    while tried.total() < args.mutants:
        turn += 1
        kind = CLASSES[turn % len(CLASSES)]
        if not able[kind]:
            continue
        body = draw.choice(able[kind])
        mutant = kind(body, draw)
        if mutant is None or mutant == body:
            continue
        codes = found(kind, body, mutant, before[body["id"]])
        tried[kind.__name__] += 1
        caught[kind.__name__] += bool(codes)
        by_code[kind.__name__].update(set(codes))
        if args.show and not codes:
            changed = {k: mutant[k] for k in mutant if mutant[k] != body[k]}
            print("  missed:", kind.__name__, body["id"], json.dumps(changed, ensure_ascii=False)[:300])
    spent = time.process_time() - started
    print(f"{'class':22} mutants  found  recall  by")
    for kind in CLASSES:
        name = kind.__name__
        most = ", ".join(code for code, _ in by_code[name].most_common(2))
        share = caught[name] / tried[name] if tried[name] else 0.0
        print(f"{name:22} {tried[name]:7} {caught[name]:6} {share:7.2f}  {most}")
    print(f"{'all':22} {tried.total():7} {caught.total():6} {caught.total() / tried.total():7.3f}")
    print(f"false alarms on {len(sound)} sound cases: {len(alarms)}")
    for alarm in alarms if args.show else ():
        print("  ", *alarm)
    print(f"{spent * 1000 / tried.total():.1f} ms CPU a mutant")


if __name__ == "__main__":
    main()
