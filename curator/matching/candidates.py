"""Which sources of a new revision come into question for an old one, so that not every pair need be compared."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Protocol

from rapidfuzz import fuzz

from curator.domain.document import Anchor
from curator.domain.revision import settled, unnumbered

NEAREST = 8
RAREST = 32
COMMON = 400
TABLES = 3
CJK = "\u1100-\u11ff\u3040-\u30fe\u3130-\u318f\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7ff\uf900-\ufaff"
_PIECE = re.compile(rf"[{CJK}]+|[^\W{CJK}]+")


def words(text: str) -> list[str]:
    """Words of a text, and pairs of characters where a script has no spaces; folded."""
    found: list[str] = []
    for piece in _PIECE.findall(settled(text).casefold()):
        if re.match(f"[{CJK}]", piece):
            found += [piece[i : i + 2] for i in range(max(1, len(piece) - 1))]
        else:
            found.append(piece)
    return found


class Pool(Protocol):
    """The sources that are not given away yet."""

    def near(self, old: Anchor) -> list[int]:
        """Places of those that may be the old source."""


class TextPool:
    """Sources by their rare words: each votes with the inverse root of how many have it."""

    def __init__(self, anchors: Sequence[Anchor], places: Sequence[int]) -> None:
        self._lists: dict[str, list[int]] = defaultdict(list)
        self._ids = {anchors[n].source_id: n for n in places}
        for n in places:
            for word in set(words(anchors[n].text)):
                self._lists[word].append(n)

    def near(self, old: Anchor) -> list[int]:
        """Up to eight that share its rarest words, and the one that the reader gave its very name."""
        known = [w for w in dict.fromkeys(words(old.text)) if w in self._lists]
        rare = sorted(known, key=lambda w: len(self._lists[w]))[:RAREST]
        votes: dict[int, float] = defaultdict(float)
        for word in rare:
            places = self._lists[word]
            if len(places) <= COMMON or len(votes) < NEAREST:
                for n in places[: 4 * COMMON]:
                    votes[n] += 1 / len(places) ** 0.5
        best = sorted(votes, key=lambda n: (-votes[n], n))[:NEAREST]
        named = self._ids.get(old.source_id)
        return best if named is None or named in best else [*best, named]


class RowPool:
    """Rows by table and key cell: first the rows of that key in the likest tables, else any row alike."""

    def __init__(self, anchors: Sequence[Anchor], places: Sequence[int]) -> None:
        self._anchors = anchors
        self._tables: dict[str, list[int]] = defaultdict(list)
        self._keys: dict[str, list[int]] = defaultdict(list)
        self._likest: dict[tuple[str, str, tuple[str, ...]], list[str]] = {}
        for n in places:
            self._tables[anchors[n].table_id].append(n)
            self._keys[_key(anchors[n])].append(n)
        self._texts: dict[str, TextPool] = {}

    def near(self, old: Anchor) -> list[int]:
        """Rows of its key in the tables most like its own; without one, rows there that share its words."""
        tables = self._tables_like(old)
        keyed = [n for n in self._keys.get(_key(old), ()) if self._anchors[n].table_id in tables]
        if not keyed:
            keyed = [n for table in tables for n in self._text_pool(table).near(old)]
        elsewhere = self._keys.get(_key(old), ())[:NEAREST] if not tables else ()
        near = dict.fromkeys((*keyed, *elsewhere))
        return sorted(near, key=lambda n: -fuzz.ratio(old.quote, self._anchors[n].quote))[: 2 * NEAREST]

    def _text_pool(self, table: str) -> TextPool:
        if table not in self._texts:
            self._texts[table] = TextPool(self._anchors, self._tables[table])
        return self._texts[table]

    def _tables_like(self, old: Anchor) -> list[str]:
        kind = (old.table_id, old.table_title, old.table_header)
        if kind not in self._likest:
            scored = sorted(self._scored(old), reverse=True)
            self._likest[kind] = [table for score, table in scored[:TABLES] if score >= 40]
        return self._likest[kind]

    def _scored(self, old: Anchor) -> Iterator[tuple[float, str]]:
        header, title = " | ".join(old.table_header).casefold(), unnumbered(old.table_title).casefold()
        for table, places in self._tables.items():
            new = self._anchors[places[0]]
            score = fuzz.ratio(header, " | ".join(new.table_header).casefold())
            theirs = unnumbered(new.table_title).casefold()
            yield ((score + fuzz.ratio(title, theirs)) / 2 if title or theirs else score), table


def _key(anchor: Anchor) -> str:
    return settled(anchor.key_cell).casefold()
