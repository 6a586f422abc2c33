"""Words of a text and of a query, in the form in which the search index holds them.

Compatibility forms are folded (NFKC), but a raised digit never fuses with the number before it ("500¹" is 500 and 1).
Han, Hangul and kana have no spaces to cut at, or particles that stick to the noun: they are cut into overlapping
pairs of characters ("grams") beside the words, which finds a two-character noun in any inflection.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

_CJK = "\u1100-\u11ff\u3005-\u3007\u3040-\u30fe\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f" \
       "\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff"  # fmt: skip
_RUN = re.compile(f"[{_CJK}]+")
_RAISED = re.compile("(?<=\\d)(?=[¹²³⁰ⁱ⁴-⁹₀-₉¼-¾⅐-⅟↉①-⑳])")
_BORDER = re.compile(f"(?<=[{_CJK}])(?=[^\\W{_CJK}])|(?<=[^\\W{_CJK}])(?=[{_CJK}])")
_CLUSTER = re.compile(
    "(?s:.)[\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u1160-\u11ff\u20d0-\u20f0\u3099\u309a\uff9e\uff9f]*"
)
_TERM = re.compile(r"\d+(?:[.,]\d+)+|[^\W_]+")
_THOUSANDS = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,])")
_WORD = re.compile(r"[^\W\d_]{3,}")
_UNFINISHED = re.compile("[\u3131-\u318e]+$")  # a syllable that an input method has not put together yet

STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        "a about an and any are as at be been being by can could did do does for from had has have how i if "
        "in into is it its me my of on or our shall should so than that the their them then there these they "
        "this those to under was we were what when where which who whom whose why will with would you your "
        "aber als am auf aus bei bis das dem den der des die ein eine einem einen einer eines es für im in "
        "ist mit nach oder sich sie sind und von was welche wer wie wird wo zu zum zur",
    )
)
MOST_TERMS = 128
LONGEST_WORD = 40


def fold(text: str) -> str:
    """Text as the index holds it: NFKC, spaces where a script changes and before a raised digit."""
    if text.isascii():
        return text
    raised = _RAISED.sub(" ", text.replace("ß", "ss").replace("\u00ad", ""))
    return _BORDER.sub(" ", unicodedata.normalize("NFKC", raised))


def aligned(text: str) -> tuple[str, list[int]]:
    """The folded text, and for each of its characters the position in text that it comes from.

    When folding cannot be followed character by character, the positions are empty.
    """
    folded = fold(text)
    if folded == text:
        return text, list(range(len(text)))
    kept = [(n, piece) for n, c in enumerate(text) if (piece := "ss" if c == "ß" else c) != "\u00ad"]
    raw, at = "".join(p for _, p in kept), [n for n, p in kept for _ in p]
    raw, at = _spaced(_RAISED, raw, at)
    pieces: list[str] = []
    origins: list[int] = []
    for cluster in _CLUSTER.finditer(raw):
        piece = unicodedata.normalize("NFKC", cluster[0])
        pieces.append(piece)
        origins += [at[cluster.start()]] * len(piece)
    spaced, origins = _spaced(_BORDER, "".join(pieces), origins)
    return folded, origins if spaced == folded else []


def _spaced(where: re.Pattern[str], text: str, at: list[int]) -> tuple[str, list[int]]:
    """A space at every (empty) match, and the positions with it."""
    cuts = [m.start() for m in where.finditer(text)]
    if not cuts:
        return text, at
    edges = [0, *cuts, len(text)]
    parts = [text[a:b] for a, b in pairwise(edges)]
    positions = at[: cuts[0]]
    for a, b in pairwise(edges[1:]):
        positions += [at[a], *at[a:b]]
    return " ".join(parts), positions


def grams(folded: str) -> str:
    """The shadow of a folded text: pairs of Han, Hangul and kana, and numbers without their thousands separators.

    The last character of a run stands alone once more, so that a query of one character finds it by its beginning.
    """
    found: list[str] = []
    if not folded.isascii():
        for run in _RUN.findall(folded):
            found += [run[i : i + 2] for i in range(len(run))]
    if "," in folded:
        found += [n.replace(",", "") for n in _THOUSANDS.findall(folded)]
    return " ".join(found)


def vocabulary(pieces: Mapping[str, int]) -> dict[str, int]:
    """Lower-case words that a beginning can be completed to, with how often each occurs; no numbers, no grams.

    Args:
        pieces: What stands between white space in folded texts, and how often: far fewer than all words of a document.
    """
    found: dict[str, int] = {}
    for piece, n in pieces.items():
        for word in _WORD.findall(_RUN.sub(" ", piece).lower()):
            if len(word) <= LONGEST_WORD:
                found[word] = found.get(word, 0) + n
    return found


class Query:
    """What a person typed, as terms. Every term is quoted, so nothing they type is syntax.

    Attributes:
        terms: FTS5 strings, each in quotes; none when there is nothing to search for.
        pairs: The Han, Hangul and kana among them, bare, to mark them in a text.
    """

    def __init__(self, text: str, complete: Callable[[str], Sequence[str]] | None = None) -> None:
        """Cut a text into terms.

        Args:
            text: Anything, of any length; folded here. Terms beyond the first 128 are left out.
            complete: Gives words for a beginning: the last word is then taken as one (search as you type).
        """
        folded = _BORDER.sub(" ", fold(text))
        if complete:
            folded = _UNFINISHED.sub("", folded)
        words = list(dict.fromkeys(_TERM.findall(folded)))[:MOST_TERMS]
        telling = [w for w in words if w.lower() not in STOP_WORDS]
        typing = words[-1] if complete and words and folded.endswith(words[-1]) else ""
        if typing and typing not in telling:
            telling.append(typing)
        self.pairs: list[str] = []
        terms: list[str] = []
        for word in telling or words:
            if _RUN.fullmatch(word):
                pairs = [word[i : i + 2] for i in range(max(1, len(word) - 1))]
                self.pairs += pairs
                terms += [f'"{p}"' if len(p) > 1 else f'"{p}"*' for p in pairs]
                continue
            terms.append(f'"{word}"')
            if _THOUSANDS.fullmatch(word):
                terms.append(f'"{word.replace(",", "")}"')
            if complete and word == typing and word[0].isdigit():
                terms.append(f'"{word}"*')
            elif complete and word == typing:
                terms += [f'"{w}"' for w in complete(word.lower())]
        self.terms = list(dict.fromkeys(terms))[:MOST_TERMS]

    @property
    def match(self) -> str:
        """The expression for MATCH, "" when there is nothing to search for."""
        return " OR ".join(self.terms)
