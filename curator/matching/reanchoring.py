"""Where the sources of one revision of a document are in the next: one verdict for each, by the table of the design.

An exact match is no proof by itself: it counts as SAME only where the text stood once before and stands once now, under
the same section title (its number aside), between neighbors that are alike. A row is the same when its table's title,
its header path with units, its section row, every cell and every footnote are. Everything else is a proposal. Texts
that differ in a number, unit, negation or modal are CHANGED however alike they are (`domain.critical`).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from rapidfuzz import fuzz

from curator.domain.critical import KINDS, differs, kinds
from curator.domain.document import Anchor
from curator.domain.revision import (
    Candidate,
    Difference,
    Finding,
    Verdict,
    form_of,
    graver,
    settled,
    unnumbered,
)
from curator.matching.candidates import Pool, RowPool, TextPool

SIMILAR, LEAST = 85.0, 60.0
NEAR = 6.0
CONTEXT = 40.0
ALIKE = 95.0
MOST = 8
INSIDE = 95.0
_SHORTEST_INSIDE = 40
_FIGURE = re.compile(r"\d[\d.,]*")
_FIGURES = re.compile(r"\d+(?:[.,:/]\d+)*")


class Judged(NamedTuple):
    """How a text of the new revision compares with an old one."""

    verdict: Verdict
    score: float
    difference: Difference


class _Pair(NamedTuple):
    """An old source and one that may be it; `total` orders them: the text, and the place counts too."""

    total: float
    judged: Judged
    old: int
    new: int


def context(old: Anchor, new: Anchor) -> float:
    """How alike the neighbors are, 0 to 100; two that have none on a side are alike there."""
    sides = ((old.prefix, new.prefix), (old.suffix, new.suffix))
    return sum(fuzz.ratio(settled(a).casefold(), settled(b).casefold()) if a or b else 100.0 for a, b in sides) / 2


def same_section(old: Anchor, new: Anchor) -> bool:
    """Whether both lie under a section of the same title, its number aside."""
    one, two = (a.section_path[-1] if a.section_path else "" for a in (old, new))
    return one == two or unnumbered(one) == unnumbered(two)


def judge(old: Anchor, new: Anchor) -> Judged:
    """The verdict on one pair by their texts alone: never SAME, never AMBIGUOUS."""
    return _judge_row(old, new) if old.kind == "row" else _judge_text(old.text, new.text)


def _judge_text(old: str, new: str) -> Judged:
    form = form_of(old, new)
    if form == "none":
        return Judged("MOVED_SIMILAR", 100.0, "place")
    score = fuzz.ratio(settled(old).casefold(), settled(new).casefold())
    if form == "numbering":
        same = not differs(unnumbered(old), unnumbered(new))
        return Judged("MOVED_SIMILAR", score, form) if same else Judged("CHANGED", score, "meaning")
    if differs(old, new):
        inside = score >= LEAST or _inside(old, new)
        return Judged("CHANGED" if inside else "LOST", score, "meaning")
    if form != "wording" or score >= SIMILAR:
        return Judged("MOVED_SIMILAR", score, form)
    return Judged("CHANGED" if score >= LEAST or _inside(old, new) else "LOST", score, "wording")


def _inside(old: str, new: str) -> bool:
    """Whether a text stands whole in the other: a paragraph was joined or split."""
    shorter = min(len(old), len(new))
    return shorter >= _SHORTEST_INSIDE and fuzz.partial_ratio(old, new, score_cutoff=INSIDE) > 0


def _judge_row(old: Anchor, new: Anchor) -> Judged:
    score = fuzz.ratio(settled(old.quote).casefold(), settled(new.quote).casefold())
    found: list[Difference] = [_formed(old.table_title, new.table_title)]
    alike = len(old.cells) == len(new.cells) and len(old.table_header) == len(new.table_header)
    for a, b in ((old.table_header, new.table_header), (old.cells, new.cells), (old.footnotes, new.footnotes)):
        strict = a is not old.cells
        pairs = zip(a, b, strict=True) if len(a) == len(b) else [("\n".join(a), "\n".join(b))]
        found += [_of_part(x, y, strict=strict) for x, y in pairs]
    found.append(_of_part(old.section_row, new.section_row, strict=False))
    difference = graver(*found, "none" if alike else "wording")
    if difference == "none":
        return Judged("MOVED_SIMILAR", 100.0, "place")
    if difference == "meaning":
        known = score >= LEAST or _key(old) == _key(new)
        return Judged("CHANGED" if known else "LOST", score, difference)
    if difference != "wording" or score >= SIMILAR:
        return Judged("MOVED_SIMILAR", score, difference)
    return Judged("CHANGED" if score >= LEAST or _key(old) == _key(new) else "LOST", score, difference)


def _formed(old: str, new: str) -> Difference:
    """The difference of two titles: their numbers alone, or more."""
    form = form_of(old, new)
    plain = (unnumbered(old), unnumbered(new)) if form == "numbering" else (old, new)
    return "meaning" if differs(*plain) else form


def _of_part(old: str, new: str, *, strict: bool) -> Difference:
    """The difference of two cells, headers or notes; a strict one that says something else counts as meaning."""
    form = form_of(old, new)
    if form == "none":
        return "none"
    if differs(old, new) or form == "numbering" or (strict and form == "wording"):
        return "meaning"
    return form


def differs_in(old: Anchor, new: Anchor) -> tuple[str, ...]:
    """What differs where the meaning does: kinds of `critical.kinds`; for a row also "header", "note".

    () = none that is known.
    """
    if old.kind != "row":
        return kinds(unnumbered(old.text), unnumbered(new.text)) or kinds(old.text, new.text)
    sides = [(old.table_title, new.table_title), (old.section_row, new.section_row)]
    named: list[str] = []
    lists = (("header", old.table_header, new.table_header), ("", old.cells, new.cells),
             ("note", old.footnotes, new.footnotes))  # fmt: skip
    for name, a, b in lists:
        pairs = list(zip(a, b, strict=True)) if len(a) == len(b) else [("\n".join(a), "\n".join(b))]
        sides += pairs
        if name and any(form_of(x, y) == "wording" and not differs(x, y) for x, y in pairs):
            named.append(name)
    found = {kind for a, b in sides for kind in kinds(a, b)}
    return (*(k for k in KINDS if k in found), *named)


def _key(anchor: Anchor) -> str:
    return settled(anchor.key_cell).casefold()


def reanchored(
    old: Sequence[Anchor],
    new: Sequence[Anchor],
    *,
    wanted: Iterable[str] | None = None,
    same_bytes: bool = False,
    checkpoint: Callable[[], None] = lambda: None,
) -> dict[str, Finding]:
    """The verdict on each source of a revision.

    Args:
        old: All anchors of the revision before, so that copies are counted; anchors of sources that were lost earlier
            and wait may stand among them.
        new: All anchors of the new revision; `target` and candidates are their ids.
        wanted: Ids of the old ones to look for; None = all.
        same_bytes: The file is the same and was read by other rules: nobody has amended it, so that copies are told
            apart by their order, and what is alike to 95 of 100 and says the same is SAME.
        checkpoint: Called at least every 200 ms; may raise.
    """
    key = _loose_identity if same_bytes else _identity
    found: dict[int, Finding] = {}
    before, now = _by_identity(old, key), _by_identity(new, key)
    open_old: list[int] = []
    claimed: set[int] = set()
    for identity, places in before.items():
        here = now.get(identity, [])
        claimed.update(here)
        if not here:
            open_old += places
        else:
            found.update(_exact(old, new, places, here))
    ids = None if wanted is None else set(wanted)
    open_old = [n for n in open_old if ids is None or old[n].source_id in ids]
    if same_bytes:
        turned = dict(_turned_rows(old, new, open_old, [n for n in range(len(new)) if n not in claimed]))
        found.update({n: finding for n, (_, finding) in turned.items()})
        claimed.update(m for m, _ in turned.values())
        open_old = [n for n in open_old if n not in turned]
    pool = [n for n in range(len(new)) if n not in claimed]
    found.update(_sought(old, new, open_old, pool, checkpoint))
    if same_bytes:
        texts = {a.source_id: a for a in new}
        found = {n: _read_again(f, old[n], texts.get(f.target)) for n, f in found.items()}
    return {old[n].source_id: found[n] for n in sorted(found) if ids is None or old[n].source_id in ids}


def _read_again(finding: Finding, old: Anchor, new: Anchor | None) -> Finding:
    """The verdict where the file itself is the same: differences are those of the reader."""
    alike = finding.verdict == "SAME_KTH" or (finding.verdict == "MOVED_SIMILAR" and finding.score >= ALIKE)
    if not alike and finding.verdict == "CHANGED" and new is not None and old.kind == new.kind == "chunk":
        alike = _same_signs(old.text, new.text)
    return finding.model_copy(update={"verdict": "SAME"}) if alike else finding


def _turned_rows(
    old: Sequence[Anchor], new: Sequence[Anchor], lost: Sequence[int], pool: Sequence[int]
) -> Iterator[tuple[int, tuple[int, Finding]]]:
    """Rows that say the same of the same columns in another order: a table that is read from its other side now."""
    before, now = ([n for n in some if side[n].cells] for side, some in ((old, lost), (new, pool)))
    here = _by_identity([new[m] for m in now], _columns)
    for key, places in _by_identity([old[n] for n in before], _columns).items():
        if len(places) == len(here.get(key, ())) == 1:
            n, m = before[places[0]], now[here[key][0]]
            titles = sorted((settled(old[n].table_title), settled(new[m].table_title)), key=len)
            verdict: Verdict = "SAME" if titles[0] in titles[1] else "MOVED_SIMILAR"
            judged = Judged(verdict, 100.0, "none" if verdict == "SAME" else "wording")
            yield n, (m, _finding(old[n], new, judged, [(m, 100.0)]))


def _columns(anchor: Anchor) -> object:
    """What a row says of each column, whatever their order."""
    pairs = zip(anchor.table_header, anchor.cells, strict=False)
    return settled(anchor.section_row), tuple(sorted((settled(h), settled(c)) for h, c in pairs)), anchor.footnotes


def _same_signs(old: str, new: str) -> bool:
    """Whether two texts are sign for sign the same, white space aside, and no number of one is broken in the other.

    A reader breaks "restraint" into "restr aint" and a reference as "5.1 .1"; "6 0" may be two numbers, "2019. 5" too.
    """
    one, two = "".join(old.split()), "".join(new.split())
    if one != two:
        return False
    apart = _gaps(old) ^ _gaps(new)
    for number in _FIGURES.finditer(one):
        inside = [n for n in apart if number.start() < n < number.end()]
        if any(one[n - 1].isdigit() and one[n].isdigit() for n in inside):
            return False
        if inside and len(re.findall(r"\D", number[0])) < 2:
            return False
    return True


def _gaps(text: str) -> set[int]:
    """Where white space stands in a text, counted in its signs."""
    found, n = set(), 0
    for word in text.split():
        n += len(word)
        found.add(n)
    return found


def _by_identity(anchors: Sequence[Anchor], key: Callable[[Anchor], object]) -> dict[object, list[int]]:
    places: dict[object, list[int]] = defaultdict(list)
    for n, anchor in enumerate(anchors):
        places[key(anchor)].append(n)
    return places


def _identity(anchor: Anchor) -> object:
    """What must be equal for two sources to read the same."""
    if anchor.kind == "chunk":
        return settled(anchor.text)
    parts = (anchor.table_header, anchor.cells, anchor.footnotes)
    return (settled(anchor.table_title), settled(anchor.section_row), *(tuple(map(settled, p)) for p in parts))


def _loose_identity(anchor: Anchor) -> object:
    """What must be equal where the file is the same: white space and hyphens are the reader's, what is said is not.

    Words that another reader breaks ("h ours") are the same; numbers that it breaks or joins, and units in other
    letters ("mW", "MW"), are not.
    """
    letters = "".join(filter(str.isalnum, anchor.text))
    return anchor.kind, anchor.text_hash, letters, tuple(_FIGURE.findall(anchor.text)), len(anchor.cells)


def _exact(
    old: Sequence[Anchor], new: Sequence[Anchor], before: Sequence[int], now: Sequence[int]
) -> Iterator[tuple[int, Finding]]:
    """Verdicts on sources whose very text, or very row, is there again."""
    if len(before) == len(now) == 1:
        a, b = old[before[0]], new[now[0]]
        same = same_section(a, b) and context(a, b) >= CONTEXT if a.kind == "chunk" else _same_table(a, b)
        verdict: Verdict = "SAME" if same else "MOVED_SIMILAR"
        yield before[0], _finding(a, new, Judged(verdict, 100.0, "none" if same else "place"), [(now[0], 100.0)])
        return
    ranked = {n: sorted(now, key=lambda m, a=old[n]: -_place_score(a, new[m])) for n in before}  # type: ignore[misc]
    if len(before) != len(now):
        for n in before:
            yield n, _finding(old[n], new, Judged("AMBIGUOUS", 100.0, "place"), [(m, 100.0) for m in ranked[n][:MOST]])
        return
    for n, m in zip(before, now, strict=True):  # the k-th copy; where sections were swapped, a look shows it
        others = [x for x in ranked[n] if x != m]
        candidates = [(m, 100.0), *((x, 100.0) for x in others[: MOST - 1])]
        yield n, _finding(old[n], new, Judged("SAME_KTH", 100.0, "place"), candidates)


def _same_table(old: Anchor, new: Anchor) -> bool:
    """A table without a title is known by its section."""
    return bool(old.table_title) or same_section(old, new)


def _place_score(old: Anchor, new: Anchor) -> float:
    return context(old, new) + (50.0 if same_section(old, new) else 0.0)


def _sought(
    old: Sequence[Anchor],
    new: Sequence[Anchor],
    lost: Sequence[int],
    pool: Sequence[int],
    checkpoint: Callable[[], None],
) -> Iterator[tuple[int, Finding]]:
    """Verdicts on sources that read otherwise now, if they are there: every new text is given to one old one only."""
    pairs: list[_Pair] = []
    pools: dict[str, Pool] = {
        "chunk": TextPool(new, [n for n in pool if new[n].kind == "chunk"]),
        "row": RowPool(new, [n for n in pool if new[n].kind == "row"]),
    }
    for count, n in enumerate(lost):
        if count % 20 == 0:
            checkpoint()
        near = pools[old[n].kind].near(old[n])
        pairs += [_pair(old, new, n, m) for m in near]
    by_old: dict[int, list[_Pair]] = defaultdict(list)
    ordered = sorted(pairs, key=lambda p: (-p.total, p.old, p.new))
    for pair in ordered:
        by_old[pair.old].append(pair)
    mine: dict[int, int] = {}
    given: set[int] = set()
    for pair in ordered:
        if pair.judged.verdict != "LOST" and pair.old not in mine and pair.new not in given:
            mine[pair.old] = pair.new
            given.add(pair.new)
    for n in lost:
        yield n, _settled_finding(old[n], new, by_old.get(n, []), mine.get(n))


def _pair(old: Sequence[Anchor], new: Sequence[Anchor], n: int, m: int) -> _Pair:
    judged = judge(old[n], new[m])
    place = 0.3 * context(old[n], new[m]) + (10.0 if same_section(old[n], new[m]) else 0.0)
    if old[n].kind == "row":
        place += 30.0 * (_key(old[n]) == _key(new[m])) + 10.0 * (old[n].section_row == new[m].section_row)
        place += 0.2 * table_likeness(old[n], new[m])
    return _Pair(judged.score + place, judged, n, m)


def table_likeness(old: Anchor, new: Anchor) -> float:
    """How alike the tables of two rows are by title (its number aside) and header, 0 to 100."""
    header = fuzz.ratio(" | ".join(old.table_header).casefold(), " | ".join(new.table_header).casefold())
    titles = [unnumbered(a.table_title).casefold() for a in (old, new)]
    return (header + fuzz.ratio(*titles)) / 2 if any(titles) else header


def _settled_finding(old: Anchor, new: Sequence[Anchor], pairs: Sequence[_Pair], mine: int | None) -> Finding:
    ranked = [(p.new, p.judged.score) for p in pairs[:MOST] if p.judged.score >= LEAST / 2 or p.new == mine]
    if mine is None:
        best = max((p.judged.score for p in pairs), default=0.0)
        return _finding(old, new, Judged("LOST", best, "wording"), ranked, proposed=False)
    chosen = next(p for p in pairs if p.new == mine)
    rivals = [p for p in pairs if p.new != mine and p.judged.verdict != "LOST" and p.total > chosen.total - NEAR]
    ranked = [(mine, chosen.judged.score), *((m, s) for m, s in ranked if m != mine)]
    judged = chosen.judged._replace(verdict="AMBIGUOUS") if rivals else chosen.judged
    return _finding(old, new, judged, ranked)


def _finding(
    old: Anchor, new: Sequence[Anchor], judged: Judged, ranked: Sequence[tuple[int, float]], *, proposed: bool = True
) -> Finding:
    candidates = tuple(Candidate(source_id=new[m].source_id, score=round(s, 1)) for m, s in ranked)
    return Finding(
        source_id=old.source_id,
        verdict=judged.verdict,
        score=round(judged.score, 1),
        difference=judged.difference,
        target=candidates[0].source_id if candidates and proposed else "",
        candidates=candidates,
    )


def counts(findings: Iterable[Finding]) -> Counter[str]:
    """How many sources have each verdict."""
    return Counter(f.verdict for f in findings)
