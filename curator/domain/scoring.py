"""What became of one case: evidence retrieved, behavior shown, provisions carried, claims avoided, and where it failed.

docs/gate.md has every measure with its formula.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal, NamedTuple

from curator.domain.alignment import Alignment
from curator.domain.answers import Answer, Reported, Retrieved
from curator.domain.behaving import Shown, hands_over, hedges, shown
from curator.domain.case import FailureStage
from curator.domain.expecting import Entry, Expectation, Group
from curator.domain.phrases import share
from curator.domain.stating import Said
from curator.text import folded, one_line

REFERENCE_SHARE = 0.5
"""Without provisions: so many of the words of a reference answer an answer must have, beside all of its values."""
_ORDER: tuple[Shown, ...] = ("escalate", "refuse", "hedged")
Judged = Literal["provisions", "reference", "behavior", "none"]
"""By what an answer was judged: what it must carry, a reference answer, its behavior alone, or by nothing."""


class GroupRank(NamedTuple):
    """A group of evidence in what was retrieved.

    Attributes:
        rank: Where it was first complete; 0 = it was not retrieved.
        torn: A row was retrieved without its title or header.
        possible: Whether any chunk of the system holds it (by the map of `curator align`; True without one).
        whole: Whether a chunk holds it whole (as `possible`).
    """

    name: str
    rank: int
    torn: bool = False
    possible: bool = True
    whole: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """What became of one case.

    Attributes:
        groups: Each required group; () where nothing is required.
        retrieved: Whether all of them were retrieved whole among the first k; None = not told, or nothing is required.
        shown: What the answer does.
        right: Whether that is what is expected.
        carried: Ids of the provisions that it carries; `missing`: of the mandatory ones it does not; `short`: of
        others. claimed: Places (from 0) of what it claims and must not.
        content: Whether what it says is right; None = nothing could tell.
        judged: By what.
        passed: Right behavior, right content, nothing claimed that must not be.
        cited: Shares of its citations that are right, and of the groups that it cites; None = not told, or none needed.
        stage: Where it failed; "none" = nowhere.
        why: What it lacks, one phrase each, ids alone: fit to be shown of a holdout case.
        route: Whether it went where it should; None = not told.
    """

    case_id: str
    groups: tuple[GroupRank, ...] = ()
    retrieved: bool | None = None
    shown: Shown = "unknown"
    right: bool = False
    carried: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    short: tuple[str, ...] = ()
    claimed: tuple[int, ...] = ()
    content: bool | None = None
    judged: Judged = "none"
    passed: bool = False
    cited: tuple[float, float] | None = None
    named: bool | None = None
    stage: FailureStage = "none"
    why: tuple[str, ...] = ()
    route: bool | None = None
    latency_ms: float = 0.0
    cost_usd: float = 0.0
    scores: tuple[tuple[str, float], ...] = field(default=())

    @property
    def failed(self) -> bool:
        """Whether there is a fault: a wrong answer, or evidence that was not retrieved."""
        return not self.passed or self.retrieved is False


class Rules(NamedTuple):
    """How cases are scored.

    Attributes:
        k: So many of what was retrieved count.
        alignment: The map of `curator align`, when the system has ids of its own.
        routes: Routes that the suite and the run both know; a route is judged only among them.
        containers: Containers of the suite's source ids: what was retrieved from them is known by its id, not its text.
    """

    k: int = 10
    alignment: Alignment | None = None
    routes: Collection[str] = ()
    containers: Collection[str] = ()


def score(case: Expectation, answer: Answer, rules: Rules) -> Score:
    """Score the answer to a case. A harness error is scored as nothing: its stage alone is set."""
    if answer.stage == "harness":
        return Score(
            case_id=case.id, stage="harness", why=("harness error",), latency_ms=answer.latency_ms,
            cost_usd=answer.cost_usd, scores=tuple(answer.scores.items()),
        )  # fmt: skip
    groups = tuple(_rank(g, answer.retrieved, rules) for g in case.groups) if answer.retrieved is not None else ()
    retrieved = all(0 < g.rank <= rules.k and not g.torn for g in groups) if groups else None
    said = Said(answer.answer, case.language)
    carried = tuple(p.id for p in case.provisions if any(said.states(a) for a in p.accept))
    missing = tuple(p.id for p in case.provisions if p.mandatory and p.id not in carried)
    claimed = tuple(n for n, c in enumerate(case.must_not_claim) if said.claims(c, asked=case.asks_warnings))
    content, judged = _content(case, answer.answer, said, missing)
    named = _named(case, said)
    seen = _shown(case, answer, content=bool(content) and judged != "behavior", claims=bool(claimed), named=bool(named))
    right = _is_right(case, seen)
    passed = right and content is not False and not claimed and (content is not None or case.behavior != "answer")
    route = answer.route == case.route if answer.route in rules.routes and case.route in rules.routes else None
    made = Score(
        case_id=case.id,
        groups=groups,
        retrieved=retrieved,
        shown=seen,
        right=right,
        carried=carried,
        missing=missing,
        short=tuple(p.id for p in case.provisions if not p.mandatory and p.id not in carried),
        claimed=claimed,
        content=content,
        judged=judged,
        passed=passed and answer.stage == "none",
        cited=_cited(case, answer, rules),
        named=named,
        route=route,
        latency_ms=answer.latency_ms,
        cost_usd=answer.cost_usd,
        scores=tuple(answer.scores.items()),
    )
    return _explained(case, answer, made, rules)


def _explained(case: Expectation, answer: Answer, made: Score, rules: Rules) -> Score:
    why = tuple(_reasons(case, answer, made, rules))
    stage = _stage(case, answer, made, rules) if made.failed else "none"
    return dataclasses.replace(made, why=why if made.failed else (), stage=stage)


def _rank(group: Group, retrieved: Sequence[Retrieved], rules: Rules) -> GroupRank:
    """Where a group was complete: by the map of `align`, else by source id, else by the text."""
    if rules.alignment is not None:
        places = [rules.alignment.placement(e.source_id, e.quote) for e in group.entries]
        if any(places):  # of the holdout a map says nothing: there ids and texts tell
            held = rules.alignment.group_held(
                [{"sourceId": e.source_id, "quote": e.quote} for e in group.entries], [r.id for r in retrieved]
            )
            whole = any(p is not None and p.found == "whole" for p in places)
            return GroupRank(group.name, held.rank if held.satisfied else 0, bool(held.lost), held.possible, whole)
    ids = {e.source_id for e in group.entries}
    best = min((r.rank for r in retrieved if r.id in ids), default=0)
    torn = 0
    for item in retrieved:
        if (best and item.rank >= best) or not item.text or item.id.partition(":")[0] in rules.containers:
            continue
        for entry in group.entries:
            if (found := _in_text(entry, item.text)) == "whole":
                best = item.rank
            elif found == "torn":
                torn = min(torn or item.rank, item.rank)
    return GroupRank(group.name, best or torn, torn=not best and bool(torn))


def _in_text(entry: Entry, text: str) -> Literal["", "torn", "whole"]:
    """Whether a retrieved text holds evidence: a quote word for word; a row with all its cells, and its header."""
    solid = _solid(text)
    if not entry.cells:
        return "whole" if entry.quote and _solid(entry.quote) in solid else ""
    heads = [(_solid(h), _solid(c)) for h, c in zip(entry.header, entry.cells, strict=False) if c.strip()]
    at = 0
    for cell in (_solid(c) for c in entry.cells):
        at = solid.find(cell, at)
        if at < 0:  # "header: cell" in another order of columns is as good
            return "whole" if heads and all(f"{h}:{c}" in solid for h, c in heads) else ""
        at += len(cell)
    return "whole" if all(h in solid for h, _ in heads) else "torn"


@lru_cache(maxsize=32768)
def _solid(text: str) -> str:
    return folded(text)


def _content(
    case: Expectation, answer: str, said: Said, missing: Sequence[str]
) -> tuple[bool | None, Judged]:  # fmt: skip
    """Whether what is said is right, and by what that was told."""
    if any(p.mandatory for p in case.provisions):
        return not missing, "provisions"
    if case.behavior != "answer":
        return None, "behavior"
    if not case.references:
        return None, "none"
    return any(_like(answer, said, reference) for reference in case.references), "reference"


def _like(answer: str, said: Said, reference: str) -> bool:
    return said.mentions(reference) or (said.has_values(reference) and share(reference, answer) >= REFERENCE_SHARE)


def _shown(case: Expectation, answer: Answer, *, content: bool, claims: bool, named: bool) -> Shown:
    """What the answer does: reported behavior wins, then patterns, then what it states."""
    if answer.behavior:
        return answer.behavior
    if not answer.answer.strip():
        return "unknown"
    if content and case.behavior == "answer":  # it carries what it must; whom to ask besides is a courtesy
        return "hedged" if hedges(answer.answer, case.language) else "answer"
    seen = shown(answer.answer, case.language)
    if case.behavior in seen or (named and hands_over(answer.answer)):
        return case.behavior
    return next((s for s in _ORDER if s in seen), "answer" if content or claims else "unknown")


def _is_right(case: Expectation, seen: Shown) -> bool:
    """`unknown` and `hedged` pass as answers, whose content is judged; never as a refusal or an escalation."""
    return seen == case.behavior or (case.behavior == "answer" and seen in ("hedged", "unknown"))


_BETWEEN = re.compile(r"[(),;/、]|\s(?:and|or|und|oder|et|ou|y|o|및)\s|(?<=[\uac00-\ud7a3\d])[와과]\s", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:the|a|an|your|der|die|das|den|dem|le|la|les|el|los|las) ", re.IGNORECASE)


def _named(case: Expectation, said: Said) -> bool | None:
    """Whether an escalation names one of those to turn to."""
    if case.behavior != "escalate" or not case.escalate_to:
        return None
    parts = (case.escalate_to, *_BETWEEN.split(case.escalate_to))
    names = {_ARTICLE.sub("", part.strip()) for part in parts}
    return any(said.mentions(name) for name in names if len(name) > 1)


def _cited(case: Expectation, answer: Answer, rules: Rules) -> tuple[float, float] | None:
    """Precision and recall of citations; None where they are not told or nothing is required."""
    if answer.citations is None or not case.groups:
        return None
    cited = [Retrieved(name, "", n) for n, name in enumerate(dict.fromkeys(answer.citations), 1)]
    if not cited:
        return 0.0, 0.0
    found = sum(_rank(g, cited, rules).rank > 0 for g in case.groups)
    return sum(_is_evidence(case, c.id, rules) for c in cited) / len(cited), found / len(case.groups)


def _is_evidence(case: Expectation, name: str, rules: Rules) -> bool:
    if rules.alignment is None:
        return name in case.supporting or any(e.source_id == name for g in case.groups for e in g.entries)
    places = [rules.alignment.placement(e.source_id, e.quote) for g in case.groups for e in g.entries]
    return any(name in a.chunks for p in places if p for a in p.alternatives)


def _reasons(case: Expectation, answer: Answer, made: Score, rules: Rules) -> list[str]:
    found = []
    if answer.stage != "none":
        found.append(f"{answer.stage} failed")
    if not made.right:
        found.append(f"{made.shown} instead of {case.behavior}")
    for g in made.groups:
        name = "evidence" if case.hidden else one_line(g.name, 80)
        if not g.possible:
            found.append(f"no chunk of the system holds {name}")
        elif g.torn:
            found.append(f"{name} came without its title or header")
        elif not g.rank:
            found.append(f"{name} was not retrieved")
        elif g.rank > rules.k:
            found.append(f"{name} came at rank {g.rank}, beyond {rules.k}")
    if made.missing:
        found.append(f"lacks {', '.join(made.missing)}")
    if made.content is False and made.judged == "reference":
        found.append("is not like the reference answer")
    if made.judged == "none" and case.behavior == "answer":
        found.append("nothing tells whether it is right: the case has no mandatory provision and no reference answer")
    if made.claimed:
        found.append(f"claims mustNotClaim {', '.join(str(n + 1) for n in made.claimed)}")
    if made.named is False:
        found.append("names nobody to turn to")
    if made.route is False:
        found.append("went another route")
    return found


def _stage(case: Expectation, answer: Answer, made: Score, rules: Rules) -> FailureStage:
    """Where it failed: as reported, else by the first step that went wrong."""
    if answer.stage != "none":
        return answer.stage
    missed = [g for g in made.groups if not 0 < g.rank <= rules.k or g.torn]
    if made.route is False:
        return "routing"
    if any(not g.possible for g in missed):
        return "parsing"
    if any(g.torn or not g.whole for g in missed):
        return "chunking"
    if any(not g.rank for g in missed):
        return "conversation" if _forgot(case, answer, rules) else "retrieval"
    if missed:
        return "ranking"
    return "generation" if answer.answer.strip() or made.retrieved else "other"


def _forgot(case: Expectation, answer: Answer, rules: Rules) -> bool:
    """Whether the earlier turns of a follow-up found what they needed, so that the last one lost the thread."""
    expected = {t.turn: t.source_ids for t in case.turns if t.source_ids}
    told = {t.turn: t.retrieved for t in answer.turns if t.retrieved is not None}
    both = [(expected[n], told[n]) for n in expected if n in told]
    return bool(both) and all(set(ids) & {r.id for r in found[: rules.k]} for ids, found in both)


def reported(text: object) -> Reported:
    """A behavior as a system reports it; "" when it is none of the three."""
    for known in ("answer", "refuse", "escalate"):
        if text == known:
            return known
    return ""
