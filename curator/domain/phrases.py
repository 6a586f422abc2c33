"""Words of a text, and how much of one phrase another text has."""

from __future__ import annotations

import re
from functools import lru_cache

from curator.domain.values import normal

_CJK = "\u1100-\u11ff\u3040-\u30fe\u3130-\u318f\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7ff\uf900-\ufaff"
_PIECE = re.compile(rf"[{_CJK}]+|[^\W_{_CJK}]+")
_EAST = re.compile(f"[{_CJK}]")
_STEM = 5
_EMPTY = frozenset(
    re.findall(
        r"\w+",
        """
        a an the of in on at to for and or is are be was were by with from as it its this that these those not no
        yes do does did may must can shall will should would has have had if when after before than which who what
        how der die das ein eine und oder im von zu mit für ist sind wird auf den dem des nicht le la les un une du
        de et ou à au aux en pour par est sont ne pas que qui el los las una y o del al por para con es son se il lo
        gli e di da per è sono non os um uma dos ao com não het een van te met voor zijn niet
        """,
    )
)


@lru_cache(maxsize=16384)
def words(text: str) -> tuple[str, ...]:
    """The words of a text in order, folded, cut to five letters; pairs of characters where a script has no spaces.

    A stem of five letters stands for an inflection in most European languages. Words that say nothing are left out.
    """
    found: list[str] = []
    for piece in _PIECE.findall(text.casefold()):
        if not piece.isascii() and _EAST.match(piece):
            found += [piece[i : i + 2] for i in range(max(1, len(piece) - 1))]
        elif piece not in _EMPTY:
            found.append(piece[:_STEM])
    return tuple(found)


def share(phrase: str, text: str) -> float:
    """The share of the words of a phrase that a text has, 0 to 1; 0 for a phrase without words."""
    wanted, there = words(phrase), frozenset(words(text))
    return sum(w in there for w in wanted) / len(wanted) if wanted else 0.0


def holds(text: str, phrase: str, language: str = "") -> bool:
    """Whether a text has a phrase, number words and digits taken as one."""
    return bool(phrase.strip()) and normal(phrase, language) in normal(text, language)
