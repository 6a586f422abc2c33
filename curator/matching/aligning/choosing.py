"""Which of the chunks that hold a quote are meant: by document and page where they say them, else by what is around.

The same words may stand in two documents, or twice in one. Pieces are put together by place; of the places that hold
the whole quote those are taken that fit the document, the page, the surroundings and the heading, and lie near what was
found for sure of the same document. Where nothing tells two places apart, none is taken.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from curator.domain.alignment import HOWS, Alternative, How, Placement
from curator.matching.aligning.aligner import Aligner, Piece, masked
from curator.matching.aligning.passages import Passage, Quote

MOST_ALTERNATIVES = 8
_NEAR_LINES = 3
_REPEATED = 3
_FITS = 0.8
_TELLS = 24
_UNKNOWN = 0.5
_CLEARLY = 1.6


class Place(NamedTuple):
    """Pieces of one place that hold a quote, and the alternatives that they give."""

    pieces: list[Piece]
    alternatives: list[Alternative]


def choose(aligner: Aligner) -> list[Placement]:
    """A placement for each quote of each passage, in their order."""
    return _Chooser(aligner).placements()


class _Chooser:
    def __init__(self, aligner: Aligner) -> None:
        self._aligner = aligner
        self._titles = {masked(t) for p in aligner.passages for t in (*p.section, p.title, *p.names) if t}
        self._sound = {key: [p for p in found if self._holds(p)] for key, found in aligner.pieces.items()}
        self._documents = self._by_votes()
        self._known = self._sure_lines()

    def placements(self) -> list[Placement]:
        """One for each quote."""
        return [
            self._placement(number, place)
            for number, passage in enumerate(self._aligner.passages)
            for place in range(len(passage.quotes))
        ]

    def _holds(self, piece: Piece) -> bool:
        return not piece.fault and all(self._is_furniture(block) for block in piece.inserted)

    def _is_furniture(self, block: str) -> bool:
        """Whether lines in the middle of a passage are a running header or a page number."""
        for line in block.split("\n"):
            key = masked(line)
            known = len(key) < 5 or self._aligner.lines[key] >= _REPEATED or key in self._titles
            if not known and not any(len(t) > 8 and t in key and len(key) < 2 * len(t) for t in self._titles):
                return False
        return True

    def _by_votes(self) -> dict[str, str]:
        """Our documents -> what the system calls them, where no name fits: most of its passages lie there."""
        votes: dict[str, Counter[str]] = defaultdict(Counter)
        for (number, _), found in self._sound.items():
            passage = self._aligner.passages[number]
            for name in {p.document for p in found if p.document}:
                votes[passage.document_id][name] += 1
        sure = {}
        for document, counts in votes.items():
            (name, most), *others = [*counts.most_common(2), ("", 0)][:2]
            if most >= 2 and most > 1.5 * others[0][1]:
                sure[document] = name
        return sure

    def _sure_lines(self) -> dict[str, list[tuple[int, int]]]:
        """Chunks of quotes that were found in one place only: line and page of the quote, by our document."""
        known: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for number, place in self._sound:
            passage = self._aligner.passages[number]
            places = self._places(passage, passage.quotes[place], self._sound[number, place])
            if places and _is_one(places):
                known[passage.document_id] += [(p.line, passage.page) for place in places for p in place.pieces]
        return known

    def _placement(self, number: int, place: int) -> Placement:
        passage = self._aligner.passages[number]
        quote = passage.quotes[place]
        sound = self._sound.get((number, place), [])
        here, why = self._of_document(passage, sound)
        places = self._places(passage, quote, here)
        if len(places) > 1:
            places, why = self._told_apart(passage, places)
        if not places:
            refused = [p for p in self._aligner.pieces.get((number, place), []) if p not in here]
            return _missing(passage, quote, why, here, refused)
        alternatives = _ordered([a for p in places for a in p.alternatives])
        return _found(passage, quote, alternatives)

    def _of_document(self, passage: Passage, pieces: Sequence[Piece]) -> tuple[list[Piece], str]:
        """The pieces that may be of the document: where a name fits, those alone."""
        name_of = self._aligner.name_of
        if self._aligner.named & passage.names:
            kept = [p for p in pieces if name_of(p.document) in passage.names or not p.document]
        elif known := self._documents.get(passage.document_id):
            kept = [p for p in pieces if p.document in (known, "")]
        else:
            return list(pieces), ""
        return kept, "its words stand in other documents alone" if pieces and not kept else ""

    def _places(self, passage: Passage, quote: Quote, pieces: Sequence[Piece]) -> list[Place]:
        """Where the quote is held, whole or in parts; when no place holds it, all of a document together."""
        span = _span(passage, quote)
        groups = _grouped(pieces)
        found = [place for group in groups for place in _held(group, span)]
        if found or len(groups) < 2:
            return found
        by_document: dict[str, list[Piece]] = defaultdict(list)
        for piece in pieces:
            by_document[piece.document].append(piece)
        return [place for group in by_document.values() for place in _held(group, span)]

    def _told_apart(self, passage: Passage, places: list[Place]) -> tuple[list[Place], str]:
        """Those of several places that are meant."""
        if passage.kind == "row" and (whole := [p for p in places if any(not a.lost for a in p.alternatives)]):
            places = whole
        elif captioned := [p for p in places if any(piece.captioned for piece in p.pieces)]:
            places = captioned
        places = _on_page(passage, places)
        places = _fitting(places)
        if len(places) > 1 and any(_shown(p) for p in places):
            places = [p for p in places if _shown(p)]
        if len(places) > 1 and (lines := self._known.get(passage.document_id)):
            places = _nearest(passage, places, lines)
        if _is_one(places) or _are_one(places):
            return places, ""
        return [], f"{len(places)} places hold the same words, and nothing tells which is meant"


def _span(passage: Passage, quote: Quote) -> tuple[int, int]:
    if passage.kind == "row":
        return 0, len(passage.forms[0].bare) if passage.forms else 0
    return quote.start, quote.end


def _grouped(pieces: Iterable[Piece]) -> list[list[Piece]]:
    """Pieces of one place: chunks that follow one another in the file, of one document."""
    groups: list[list[Piece]] = []
    for piece in sorted(pieces, key=lambda p: p.line):
        last = groups[-1][-1] if groups else None
        if last and last.document == piece.document and piece.line - last.line <= _NEAR_LINES:
            groups[-1].append(piece)
        else:
            groups.append([piece])
    return groups


def _held(pieces: Sequence[Piece], span: tuple[int, int]) -> list[Place]:
    """What holds the span: each chunk that does alone is a place; else those that do together are one."""
    start, end = span
    whole = _with_table([p for p in pieces if p.start <= start and p.end >= end])
    if whole:
        best = {p.chunk: p for p in sorted(whole, key=lambda p: (-len(p.lost), p.score))}
        return [Place([p], [_alternative([p])]) for p in sorted(best.values(), key=lambda p: p.line)]
    covers = _covers(pieces, start, end)
    return [Place(list(pieces), [_alternative(cover) for cover in covers])] if covers else []


def _is_one(places: Sequence[Place]) -> bool:
    """Whether all places lie together in the file, in one document: chunks that overlap, or one place."""
    return len(_grouped(p for place in places for p in place.pieces)) == 1


def _with_table(pieces: list[Piece]) -> list[Piece]:
    """Without rows that may be of another table.

    Beside a row that has its title, one without is the same row only where the chunk with the title comes before it; of
    several without, those under the right caption count.
    """
    intact = {p.chunk for p in pieces if not p.lost}
    if intact:
        return [p for p in pieces if not p.lost or intact.intersection(p.restored_by)]
    captioned = [p for p in pieces if p.captioned]
    return captioned or pieces


def _covers(pieces: Sequence[Piece], start: int, end: int) -> list[list[Piece]]:
    """The smallest chains of pieces from start to end, in reading order; one for each piece that can begin."""
    firsts = [p for p in pieces if p.start <= start]
    found: list[list[Piece]] = []
    for first in sorted(firsts, key=lambda p: -p.end):
        chain = [first]
        while chain[-1].end < end:
            reach = chain[-1].end
            following = [p for p in pieces if p.start <= reach and p.end > reach]
            if not following:
                break
            chain.append(max(following, key=lambda p: (p.end, -abs(p.line - chain[-1].line))))
        if chain[-1].end >= end and (not found or len(chain) <= len(found[0])):
            found.append(chain)
    return found[:MOST_ALTERNATIVES]


def _alternative(pieces: Sequence[Piece]) -> Alternative:
    how = max((p.how for p in pieces), key=HOWS.index)
    length = sum(p.end - p.start for p in pieces) or 1
    score = round(sum(p.score * (p.end - p.start) for p in pieces) / length, 1)
    lost = tuple(part for part in pieces[0].lost if all(part in p.lost for p in pieces))
    restored = next((p.restored_by for p in pieces if p.restored_by), ()) if lost else ()
    return Alternative(
        chunks=tuple(dict.fromkeys(p.chunk for p in pieces)), how=how, score=score, lost=lost, restored_by=restored
    )


def _on_page(passage: Passage, places: list[Place]) -> list[Place]:
    """Those on the page; beside them those that lie next to one and begin a page before, and so may overlap it."""
    if not passage.page or not all(any(p.page for p in place.pieces) for place in places):
        return places
    distance = [min(abs(p.page - passage.page) for p in place.pieces if p.page) for place in places]
    least = min(distance)
    if least > 2:
        return places
    near = [place for place, far in zip(places, distance, strict=True) if far == least]
    lines = [p.line for place in near for p in place.pieces]
    return [
        place
        for place, far in zip(places, distance, strict=True)
        if far == least or (far == least + 1 and any(abs(p.line - n) == 1 for p in place.pieces for n in lines))
    ]


def _fitting(places: list[Place]) -> list[Place]:
    """Without those whose surroundings are others, when one shows that its own are the source's."""
    fits = [_fit(place) for place in places]
    if max(fits) < _FITS:
        return places
    return [p for p, fit in zip(places, fits, strict=True) if fit >= max(fits) - 0.1 or fit == _UNKNOWN]


def _fit(place: Place) -> float:
    """How much of what stands around is the same, 0 to 1; a half where a chunk shows nothing around."""
    agreed, possible = (sum(getattr(p, name) for p in place.pieces) for name in ("agreed", "possible"))
    return agreed / possible if possible >= _TELLS else _UNKNOWN


def _shown(place: Place) -> bool:
    return any(p.shown for p in place.pieces)


def _nearest(passage: Passage, places: list[Place], sure: Sequence[tuple[int, int]]) -> list[Place]:
    """The place that lies where the document lies, as what was surely found of it shows; when it clearly does.

    Chunks of one document follow one another in the file, in the order of its pages. So each sure chunk draws with the
    inverse of its distance, and pushes away what lies before it on a later page, or behind it on an earlier one.
    """
    draws = [max(_drawn(passage.page, p.line, sure) for p in place.pieces) for place in places]
    best = max(draws)
    if best <= 0:
        return places
    return [place for place, draw in zip(places, draws, strict=True) if draw * _CLEARLY > best]


def _drawn(page: int, line: int, sure: Sequence[tuple[int, int]]) -> float:
    drawn = 0.0
    for other, other_page in sure:
        known = page and other_page and page != other_page and line != other
        fits = (line > other) == (page > other_page)
        drawn += (_UNKNOWN if not known else 1.0 if fits else -1.0) / (2 + abs(line - other))
    return drawn


def _are_one(places: Sequence[Place]) -> bool:
    """Whether places are the same text cut twice: of one known document, or with the same surroundings."""
    documents = {p.document for place in places for p in place.pieces}
    if len(documents) == 1 and "" not in documents:
        return all(_fit(place) >= _FITS or _fit(place) == _UNKNOWN for place in places)
    return all(_fit(place) >= _FITS for place in places)


def _ordered(alternatives: Iterable[Alternative]) -> tuple[Alternative, ...]:
    """Each once: whole tables first, then what needs fewer chunks, then what is surer."""
    seen: dict[tuple[str, ...], Alternative] = {}
    for alternative in alternatives:
        seen.setdefault(alternative.chunks, alternative)
    rank = sorted(seen.values(), key=lambda a: (len(a.lost), len(a.chunks), HOWS.index(a.how), -a.score))
    return tuple(rank[:MOST_ALTERNATIVES])


def _found(passage: Passage, quote: Quote, alternatives: tuple[Alternative, ...]) -> Placement:
    best = alternatives[0]
    found = "torn" if best.lost else "whole" if len(best.chunks) == 1 else "split"
    return _base(passage, quote).model_copy(
        update={"found": found, "how": best.how, "score": best.score, "alternatives": alternatives}
    )


def _missing(
    passage: Passage, quote: Quote, why: str, here: Sequence[Piece], refused: Sequence[Piece]
) -> Placement:  # fmt: skip
    start, end = _span(passage, quote)
    if not why and here:
        held = sum(p.end - p.start for p in _best_chain(here))
        why = f"{min(99, round(100 * held / max(1, end - start)))} % of it was found, and the rest was not"
    ordered = sorted(refused, key=lambda p: (-(p.end - p.start), -p.score))
    if not why and ordered:
        why = ordered[0].fault or "lines stand in its middle"
    near = dict.fromkeys(p.chunk for p in itertools.chain(here, ordered))
    return _base(passage, quote).model_copy(
        update={"why": why or "no chunk has anything like it", "near": tuple(near)[:5]}
    )


def _best_chain(pieces: Sequence[Piece]) -> list[Piece]:
    chain: list[Piece] = []
    for piece in sorted(pieces, key=lambda p: (p.start, -p.end)):
        if not chain or piece.start >= chain[-1].end:
            chain.append(piece)
    return chain


def _base(passage: Passage, quote: Quote) -> Placement:
    how: How = "none"
    return Placement(
        source_id=passage.source_id,
        quote=quote.text,
        kind=passage.kind,
        document_id=passage.document_id,
        page=passage.page,
        found="missing",
        how=how,
        roles=tuple(quote.roles),
        cases=tuple(quote.cases),
    )
