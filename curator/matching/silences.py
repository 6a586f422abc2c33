"""Which sources may answer questions that were refused because the documents are silent."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Sequence

from curator.matching.answering import STRONG, Silence, terms

NEAREST = 8
_COMMON = 0.3  # of the sources of a document: a word that so many have says nothing of one of them
_EMPTY = frozenset(
    re.findall(
        r"\w+",
        """
        a an the of in on at to for and or is are was were be by with from as it its this that these those no not do
        does did can could may must shall should will would have has had if when who whom whose which what where why
        how long much many i we you he she they my our your his her their me us him them there here than then so
        about into any some all each need
        """,
    )
)


class SilentDocument:
    """The sources of one document, by their words, so that many questions can be asked of them."""

    def __init__(self, names: Sequence[str], texts: Sequence[str]) -> None:
        self._names = list(names)
        self._terms = [terms(text) for text in texts]
        self._silence = Silence(texts, _EMPTY)
        self._where: dict[str, list[int]] = defaultdict(list)
        for n, found in enumerate(self._terms):
            for term in found:
                self._where[term].append(n)

    def strongest(self, question: str, judged: Collection[str] = ()) -> tuple[str, float]:
        """Id of the source that has most of the question, and its share of it, 0 to 1; ("", 0.0) when none may answer.

        One that lacks a number of the question, or the rarest of its words that the document knows, speaks of something
        else, however much it shares.

        Args:
            question: All turns.
            judged: Ids of sources that a person has read for this question and found not to answer it.
        """
        votes: dict[int, float] = defaultdict(float)
        most = max(NEAREST, int(_COMMON * len(self._names)))
        asked = terms(question, _EMPTY)
        for term in asked:
            places = self._where.get(term, ())
            for n in places if len(places) <= most else ():
                votes[n] += 1 / len(places) ** 0.5
        rarest = min((len(self._where[t]) for t in asked if t in self._where), default=0)
        must = {t for t in asked if t[0].isdecimal()}
        key = {t for t in asked if len(self._where.get(t, ())) == rarest}
        order = sorted(votes, key=lambda n: (-votes[n], n))
        able = (n for n in order if must <= self._terms[n] and key & self._terms[n])
        near = [n for n in able if self._names[n] not in judged]
        best = max(((self._silence.share(question, self._terms[n]), -n) for n in near[:NEAREST]), default=(0.0, 1))
        return (self._names[-best[1]], best[0]) if best[0] else ("", 0.0)


__all__ = ["STRONG", "SilentDocument"]
