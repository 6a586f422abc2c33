"""Hyphens at the end of a line: taken out, unless the document writes that compound with a hyphen elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise

from curator.parsing.words import LINE_HYPHEN, SOFT_HYPHEN

_BROKEN = re.compile(r"(\w*)\u00ad(\w*)")
_COMPOUND = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)+")
_WORD = re.compile(r"\w+")


class Hyphens:
    """What one document's own words say about its broken ones.

    Args:
        texts: All texts of the document, broken words marked by a soft hyphen.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._compounds: set[str] = set()
        self._words: set[str] = set()
        broken: list[tuple[str, str]] = []
        self._told_apart = False
        for text in texts:
            low = text.casefold()
            self._told_apart = self._told_apart or f"{LINE_HYPHEN}\n" in text
            for compound in _COMPOUND.findall(low):
                parts = compound.split("-")
                self._compounds.update(f"{a}-{b}" for a, b in pairwise(parts))
            if SOFT_HYPHEN in low:
                broken.extend(_BROKEN.findall(low))
            self._words.update(_WORD.findall(_BROKEN.sub(" ", low)))
        kept = sum(1 for a, b in broken if f"{a}-{b}" in self._compounds)
        joined = sum(1 for a, b in broken if a + b in self._words)
        self._keep_unknown = kept > joined

    def keep(self, left: str, right: str) -> bool:
        """Whether "left-right" is a compound with a hyphen rather than one broken word."""
        if self._told_apart and left and right:
            return True  # words are broken by another sign: this hyphen is the author's
        a, b = left.casefold(), right.casefold()
        if a + b in self._words and f"{a}-{b}" not in self._compounds:
            return False
        if f"{a}-{b}" in self._compounds or not left or not right or right[0].isupper() or right[0].isdigit():
            return True
        return self._keep_unknown and a in self._words and b in self._words

    def mend(self, text: str) -> str:
        """The text without soft hyphens."""
        if SOFT_HYPHEN not in text:
            return text
        return _BROKEN.sub(lambda m: f"{m[1]}-{m[2]}" if self.keep(m[1], m[2]) else m[1] + m[2], text)

    def join(self, lines: list[str]) -> str:
        """Lines of a paragraph as one line."""
        text = ""
        for line in lines:
            if text.endswith(SOFT_HYPHEN):
                text += line
            elif text.endswith(LINE_HYPHEN) and line[:1].islower():
                text = text[:-1] + line
            elif re.search(r"[^\W\d_]-$", text) and line[:1].islower():
                text = text[:-1] + SOFT_HYPHEN + line
            elif not text or re.search(r"\w[-/–]$", text) or _tight(text[-1], line[:1]):
                text += line
            else:
                text += " " + line
        return self.mend(text)

    def page(self, lines: list[str]) -> str:
        """Lines of a page, one a line; a word broken at the end of a line stands whole on the first."""
        done: list[str] = []
        for line in lines:
            if done and done[-1].endswith((SOFT_HYPHEN, LINE_HYPHEN)):
                first, _, rest = line.partition(" ")
                before = done[-1].removesuffix(LINE_HYPHEN) if first[:1].islower() else done[-1]
                done[-1] = self.mend(before + first)
                line = rest
            if line:
                done.append(line)
        return "\n".join(self.mend(line) for line in done)


def _tight(a: str, b: str) -> bool:
    """Han and kana, which put no space between words."""
    return _east(a) and _east(b)


def _east(ch: str) -> bool:
    return "\u3001" <= ch <= "\u30ff" or "\u3400" <= ch <= "\u9fff" or "\uff01" <= ch <= "\uff60"
