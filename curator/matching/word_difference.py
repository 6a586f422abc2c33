"""The words in which two texts differ, and a part of one found in the other."""

from __future__ import annotations

import itertools

from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

from curator.domain.quoting import snapped, tokens
from curator.domain.revision import Piece

MOST_WORDS = 6_000
FOUND = 60.0


def difference(old: str, new: str) -> tuple[Piece, ...]:
    """The words of two texts in order: in both (as the new one has them), gone, or new. White space goes with words.

    Texts of more than 6,000 differing words are shown as all gone and all new.
    """
    one, two = _words(old), _words(new)
    plain = [[w.strip() for w in words] for words in (one, two)]
    first = 0
    while first < min(len(one), len(two)) and plain[0][first] == plain[1][first]:
        first += 1
    last = 0
    while last < min(len(one), len(two)) - first and plain[0][-1 - last] == plain[1][-1 - last]:
        last += 1
    ends = (len(one) - last, len(two) - last)
    pieces = [("both", "".join(two[:first]))]
    if max(ends) - first > MOST_WORDS:
        pieces += [("gone", "".join(one[first : ends[0]])), ("new", "".join(two[first : ends[1]]))]
    else:
        for op in Levenshtein.opcodes(plain[0][first : ends[0]], plain[1][first : ends[1]]):
            if op.tag == "equal":
                pieces.append(("both", "".join(two[first + op.dest_start : first + op.dest_end])))
                continue
            pieces.append(("gone", "".join(one[first + op.src_start : first + op.src_end])))
            pieces.append(("new", "".join(two[first + op.dest_start : first + op.dest_end])))
    pieces.append(("both", "".join(two[ends[1] :])))
    return tuple(Piece.model_validate({"kind": kind, "text": text}) for kind, text in _joined(pieces))


def _words(text: str) -> list[str]:
    """The tokens of a text, each with the white space after it."""
    starts = [a for a, _ in tokens(text)]
    if not starts:
        return [text] if text else []
    edges = [0, *starts[1:], len(text)]
    return [text[a:b] for a, b in itertools.pairwise(edges)]


def _joined(pieces: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Neighbors of one kind as one; within a run of changes, first all that is gone, then all that is new."""
    done: list[tuple[str, str]] = []
    for is_both, run in itertools.groupby((p for p in pieces if p[1]), key=lambda p: p[0] == "both"):
        parts = list(run)
        kinds = ("both",) if is_both else ("gone", "new")
        texts = ((kind, "".join(t for k, t in parts if k == kind)) for kind in kinds)
        done += [(kind, text) for kind, text in texts if text]
    return done


def requoted(quote: str, text: str) -> str:
    """The part of a text that a quote has become, whole tokens; "" when nothing there is like it."""
    found = fuzz.partial_ratio_alignment(quote, text, score_cutoff=FOUND)
    if found is None or len(quote) > len(text):
        return ""
    start, end = snapped(text, found.dest_start, found.dest_end)
    return text[start:end] if fuzz.ratio(quote, text[start:end]) >= FOUND else ""
