"""Whether a new text seems to answer a question that was refused because the sources were silent.

The words of the question are weighed by how rare they are in the document. A text that has most of that weight is
strong. Words are compared by their first five letters, which stands for an inflection in most European languages.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Sequence

from curator.matching.candidates import CJK, words

STRONG = 0.5
_STEM = 5
_PAIR = re.compile(rf"[{CJK}]+")
_UNSEEN = 0.3  # a word that stands nowhere in the document: most often the question's own way to put it
_STRADDLING = 0.1  # two characters that stand nowhere in the document are mostly the end of a word and the next one's


def terms(text: str, ignored: Collection[str] = ()) -> set[str]:
    """The words of a text that count, cut to their stems."""
    return {word[:_STEM] for word in words(text) if word not in ignored}


class Silence:
    """The words of a document, to weigh those of questions by."""

    def __init__(self, texts: Iterable[str], ignored: Collection[str] = ()) -> None:
        """Read every text of the document once; ignored: words that say nothing, such as "the"."""
        self._ignored = frozenset(ignored)
        self._documents: dict[str, int] = {}
        self._size = 0
        for text in texts:
            self._size += 1
            for term in terms(text):
                self._documents[term] = self._documents.get(term, 0) + 1

    def _weight(self, term: str) -> float:
        known = self._documents.get(term, 0)
        weight = math.log(1 + (self._size + 1) / (known + 0.5))
        if known:
            return weight
        return (_STRADDLING if _PAIR.fullmatch(term) else _UNSEEN) * weight

    def share(self, question: str, text: set[str]) -> float:
        """How much of the question's weight a text (its `terms`) has, 0 to 1."""
        asked = terms(question, self._ignored) or terms(question)
        total = sum(map(self._weight, asked))
        return sum(self._weight(t) for t in asked if t in text) / total if total else 0.0

    def strongest(self, question: str, texts: Sequence[set[str]]) -> tuple[int, float]:
        """Place and share of the text that has most of the question; (-1, 0.0) when there is none."""
        best = max(((self.share(question, text), -n) for n, text in enumerate(texts)), default=(0.0, 1))
        return -best[1], best[0]
