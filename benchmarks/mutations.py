"""More ways in which a case goes wrong, for benchmarks.planted_faults: what a hurried person or a script does to it.

Each takes a sound case, as its line's fields, and a draw; None = it cannot be done to this case.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

Body = dict[str, Any]
Mutation = Callable[[Body, random.Random], Body | None]
_SAMPLES = Path(__file__).parents[1] / "datasets" / "cases.jsonl"
_LINES: list[Body] = [json.loads(line) for line in _SAMPLES.read_text("utf-8").splitlines()]
_SMALL = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine", 10: "ten",
          12: "twelve", 14: "fourteen", 15: "fifteen", 20: "twenty", 21: "twenty-one", 24: "twenty-four",
          30: "thirty", 40: "forty", 48: "forty-eight", 60: "sixty", 72: "seventy-two", 90: "ninety"}  # fmt: skip
_COUNTED = r"(?= (?:working |calendar |school )?(?:days?|hours?|weeks?|months?|years?|minutes?|euro|percent|%))"


def _answered(b: Body, text: str) -> Body | None:
    changed = {**b, "referenceAnswer": text}
    return changed if text != b["referenceAnswer"] and b["task"] == "question" else None


def number_in_words(b: Body, draw: random.Random) -> Body | None:
    """30 days become forty days, spelled out."""
    found = [m for m in re.finditer(rf"(?<![\d.,])(\d{{1,2}}){_COUNTED}", b["referenceAnswer"]) if int(m[1]) in _SMALL]
    if not found:
        return None
    m = draw.choice(found)
    other = draw.choice([word for n, word in _SMALL.items() if n != int(m[1])])
    return _answered(b, b["referenceAnswer"][: m.start()] + other + b["referenceAnswer"][m.end() :])


def share_as_fraction(b: Body, draw: random.Random) -> Body | None:
    """15 % become a fraction that is not 15 %."""
    m = re.search(r"(\d+(?:\.\d+)?) ?(?:%|percent)", b["referenceAnswer"])
    if not m:
        return None
    wrong = draw.choice([f"{float(m[1]) / 1000:.3f}", f"{float(m[1]) + 7:g} per mille", f"{float(m[1]) * 2:g} percent"])
    return _answered(b, b["referenceAnswer"].replace(m[0], wrong, 1))


_MONEY = (("$", "€"), ("€", "$"), ("$", "£"), (" euro", " dollars"), ("EUR", "USD"), ("USD", "EUR"), ("원", "달러"))


def currency(b: Body, draw: random.Random) -> Body | None:
    able = [(one, other) for one, other in _MONEY if one in b["referenceAnswer"]]
    return _answered(b, b["referenceAnswer"].replace(*draw.choice(able))) if able else None


def magnitude(b: Body, draw: random.Random) -> Body | None:
    """A zero more, or million for thousand."""
    pairs = [(" million", " billion"), (" million", " thousand"), (",000,000", ",000"), (",000", ",000,000"),
             ("000", "0000"), ("만", "억"), ("천", "만")]  # fmt: skip
    able = [p for p in pairs if re.search(rf"\d{re.escape(p[0])}", b["referenceAnswer"])]
    return _answered(b, b["referenceAnswer"].replace(*draw.choice(able), 1)) if able else None


def end_of_range(b: Body, draw: random.Random) -> Body | None:
    """A single value becomes a range, or the other end of a range moves."""
    m = re.search(rf"(?<![\d.,])(\d{{1,3}}){_COUNTED}", b["referenceAnswer"])
    if not m:
        return None
    wide = draw.choice([f"{m[1]} to {int(m[1]) + 3}", f"{m[1]}–{int(m[1]) * 3}", f"between {m[1]} and {int(m[1]) + 9}"])
    return _answered(b, b["referenceAnswer"][: m.start()] + wide + b["referenceAnswer"][m.end() :])


def not_yet_in_force(b: Body, draw: random.Random) -> Body | None:
    proof = [n for n, e in enumerate(b["evidence"]) if e["role"] == "required"]
    if not proof:
        return None
    n = draw.choice(proof)
    later = {"effectiveFrom": draw.choice(["2027-01-01", "2030-07-01"]), "effectiveTo": ""}
    return {**b, "evidence": [*b["evidence"][:n], {**b["evidence"][n], **later}, *b["evidence"][n + 1 :]]}


_NEGATED = ((" is not ", " is "), (" are not ", " are "), (" may not ", " may "), (" must not ", " must "),
            (" does not ", " does "), (" do not ", " do "), (" is ", " is not "), (" may ", " may not "),
            (" must ", " need not "), (" are ", " are not "), (" can ", " cannot "), (" no ", " a "),
            ("하지 않", "하"), ("할 수 있", "할 수 없"), ("필요하", "불필요하"))  # fmt: skip


def negation(b: Body, draw: random.Random) -> Body | None:
    """A "not" comes or goes where the evidence has the same verb."""
    able = [p for p in _NEGATED if p[0] in b["referenceAnswer"]]
    proof = " ".join(e["quote"] for e in b["evidence"] if e["role"] != "distractor")
    verbs = []
    for one, other in able:
        after = re.search(rf"{re.escape(one)}(\w+)(?: (\w+))?", b["referenceAnswer"])
        if after and after[1] not in ("no", "not") and after[1][:5] in proof and (after[2] or "")[:5] in proof:
            verbs.append((one, other))
    return _answered(b, b["referenceAnswer"].replace(*draw.choice(verbs), 1)) if verbs else None


def other_words_leaked(b: Body, draw: random.Random) -> Body | None:
    """The question says the values of the answer in another form."""
    if b["expectedBehavior"] != "answer" or b["task"] != "question":
        return None
    phrases = [p["accept"][0] for p in b["keyProvisions"] if p["mandatory"] and p["accept"]]
    if not phrases:
        return None
    head = draw.choice(["I read that it is {a}, right?", "Somebody told me {a}. {q}", "{q} My guess: {a}."])
    return {**b, "turns": [*b["turns"][:-1], head.format(a=" and ".join(phrases), q=b["turns"][-1])]}


def neighbor_row(b: Body, draw: random.Random) -> Body | None:
    """Another row of the same table, cited by another case, in place of the one that proves it."""
    mine = [n for n, e in enumerate(b["evidence"]) if e["role"] == "required" and e["tableCells"]]
    if not mine or b["expectedBehavior"] != "answer" or len(mine) > 1:
        return None
    entry = b["evidence"][mine[0]]
    others = [e for line in _LINES for e in line["evidence"]
              if e["tableTitle"] == entry["tableTitle"] and e["documentId"] == entry["documentId"] and e["tableCells"]
              and e["sourceId"] != entry["sourceId"] and e["tableCells"] != entry["tableCells"]]  # fmt: skip
    if not others:
        return None
    other = {k: v for k, v in draw.choice(others).items() if k not in ("role", "group")}
    n = mine[0]
    provisions = [{**p, "sourceId": other["sourceId"] if p["sourceId"] == entry["sourceId"] else p["sourceId"]}
                  for p in b["keyProvisions"]]  # fmt: skip
    return {**b, "keyProvisions": provisions,
            "evidence": [*b["evidence"][:n], {**entry, **other}, *b["evidence"][n + 1 :]]}  # fmt: skip


def turn_alone(b: Body, draw: random.Random) -> Body | None:
    """A question of another case, which stands alone, behind a first turn."""
    if len(b["turns"]) < 2 or b["task"] != "question":
        return None
    able = [line["turns"][0] for line in _LINES if len(line["turns"]) == 1 and line["language"] == b["language"]
            and line["expectedBehavior"] == "answer" and line["domain"] != b["domain"]]  # fmt: skip
    return {**b, "turns": [*b["turns"][:-1], draw.choice(able)]} if able else None


def first_turn_lost(b: Body, _: random.Random) -> Body | None:
    if len(b["turns"]) < 2:
        return None
    return {**b, "turns": b["turns"][1:], "turnExpectations": [], "keyProvisions": b["keyProvisions"]}


def nobody_named(b: Body, draw: random.Random) -> Body | None:
    if b["expectedBehavior"] != "escalate":
        return None
    return {**b, draw.choice(["escalateTo", "escalateWhen"]): draw.choice(["", " "])}


def no_proof(b: Body, draw: random.Random) -> Body | None:
    """All evidence is a distractor, or gone."""
    if b["expectedBehavior"] != "answer" or b["task"] != "question":
        return None
    kept = [] if draw.random() < 0.5 else [{**e, "role": "distractor"} for e in b["evidence"]]
    return {**b, "evidence": kept}


def refusal_proved(b: Body, draw: random.Random) -> Body | None:
    """A refusal that cites a source as required, or says no reason."""
    if b["expectedBehavior"] != "refuse":
        return None
    if not b["evidence"] or draw.random() < 0.5:
        return {**b, "refusalReason": ""}
    first = {**b["evidence"][0], "role": "required"}
    return {**b, "evidence": [first, *b["evidence"][1:]]}


def swapped_numbers(b: Body, draw: random.Random) -> Body | None:
    """Two numbers of the answer change places, with their units left where they were."""
    found = list(re.finditer(r"(?<![\w.,])\d[\d.,]*(?<=\d)(?![\w])", b["referenceAnswer"]))
    pairs = [(x, y) for x in found for y in found if x.start() < y.start() and x[0] != y[0]]
    if not pairs:
        return None
    x, y = draw.choice(pairs)
    text = b["referenceAnswer"]
    return _answered(b, text[: x.start()] + y[0] + text[x.end() : y.start()] + x[0] + text[y.end() :])


def other_day_named(b: Body, draw: random.Random) -> Body | None:
    """A date of the answer moves by a day, a month or a year."""
    months = "January|February|March|April|May|June|July|August|September|October|November|December"
    m = re.search(rf"(\d{{1,2}}) ({months})(?: (\d{{4}}))?", b["referenceAnswer"])
    if not m:
        return None
    names = months.split("|")
    forms = [f"{int(m[1]) % 27 + 1} {m[2]}", f"{m[1]} {names[(names.index(m[2]) + 1) % 12]}"]
    new = draw.choice(forms) + (f" {m[3]}" if m[3] else "")
    return _answered(b, b["referenceAnswer"].replace(m[0], new, 1))


MORE: tuple[Mutation, ...] = (
    number_in_words, share_as_fraction, currency, magnitude, end_of_range, not_yet_in_force, negation,
    other_words_leaked, neighbor_row, turn_alone, first_turn_lost, nobody_named, no_proof, refusal_proved,
    swapped_numbers, other_day_named,
)  # fmt: skip
