"""The bare form of a text: its letters and digits alone, case folded; and the way back to the text.

What chunkers and extraction do to white space, line ends, hyphens, quotes, ligatures and the rules of a table makes no
difference in it.
"""

from __future__ import annotations

import html
import re
import unicodedata
from itertools import compress
from typing import NamedTuple

_RAISED_TAG = re.compile(r"(?<![mM])<sup>\s*[\d*†‡a-z,\[\]]{1,6}\s*</sup>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-zA-Z!][^<>]{0,300}>")
_CUT_TAG = re.compile(r"^/?(?:t[adhr]?|table|body|head|foot|[adhry]|able|ody|ead|oot|[bel]e|le|dy)?>|</?[a-zA-Z]{0,6}$")
"""The rest of a tag of a table at an edge at which a chunker cut it."""
MARK = re.compile(r"\[\^[^\]\s]{1,12}\]")
_RAISED = re.compile("(?<![mM])[²³]|[¹⁰⁴-⁹₀-₉]")
_NO_LETTER = re.compile(r"[\W_]+")
_DELETED = bytes(c for c in range(128) if not chr(c).isalnum())
_VULGAR = re.compile("(?<=[0-9])(?=[¼-¾⅐-⅞])")


def cleaned(text: str) -> str:
    """The text as it is compared: tags a space, entities resolved, NFKC; footnote marks and raised digits gone.

    Raised 2 and 3 stay behind an m, where they are part of a unit.
    """
    if "<" in text:
        if "<t" in text or "</t" in text:
            text = _CUT_TAG.sub(" ", text)
        text = _TAG.sub(" ", _RAISED_TAG.sub("", text))
    if "&" in text:
        text = html.unescape(text)
    if "[^" in text:
        text = MARK.sub("", text)
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", _RAISED.sub("", _VULGAR.sub(" ", text)))


def bare(text: str) -> str:
    """Letters and digits of a text, case folded: `mapped(text).bare` without the way back."""
    return bare_of_cleaned(cleaned(text))


def bare_of_cleaned(text: str) -> str:
    """The same for what `cleaned` gave."""
    if text.isascii():
        return text.encode().lower().translate(None, _DELETED).decode()
    return _NO_LETTER.sub("", text.casefold())


class Mapped(NamedTuple):
    """A text, its bare form, and for each of its characters the place in the text that it comes from."""

    text: str
    bare: str
    places: list[int]

    def slice(self, start: int, end: int) -> str:
        """The text from one bare character to before another."""
        return self.text[self.places[start] : self.places[end - 1] + 1] if end > start else ""

    def gap(self, place: int) -> str:
        """What stands between a bare character and the one before it."""
        return self.text[self.places[place - 1] + 1 : self.places[place]]


def mapped(text: str) -> Mapped:
    """A text with its bare form and the way back."""
    return mapped_cleaned(cleaned(text))


def mapped_cleaned(text: str) -> Mapped:
    """The same for what `cleaned` gave."""
    small = text.casefold()
    if len(small) == len(text):  # folding never shortens: each character is one still
        kept = list(map(str.isalnum, small))
        return Mapped(text, "".join(compress(small, kept)), list(compress(range(len(text)), kept)))
    letters, places = [], []
    for number, ch in enumerate(text):
        for letter in ch.casefold():
            if letter.isalnum():
                letters.append(letter)
                places.append(number)
    return Mapped(text, "".join(letters), places)
