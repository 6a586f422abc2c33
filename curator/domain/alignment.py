"""Where the evidence of a released suite lies in the chunks of an evaluated system, and what of it was retrieved."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Literal

from curator.domain.document import SourceKind
from curator.domain.model import Model

Found = Literal["whole", "split", "torn", "missing"]
FOUND: tuple[Found, ...] = ("whole", "split", "torn", "missing")
How = Literal["exact", "normalized", "aligned", "none"]
HOWS: tuple[How, ...] = ("exact", "normalized", "aligned", "none")
"""From the surest to none: the same characters; the same letters and digits; alike, with equal numbers and words
that decide (`domain.critical`)."""
Part = Literal["title", "header"]


class Alternative(Model):
    """Chunks that hold a passage together: all of them are needed, in reading order.

    Attributes:
        chunks: Ids of the evaluated system. One id: that chunk holds the passage alone.
        how: The least sure way by which a part of it was found.
        score: 0 to 100, how alike its text is.
        lost: For a row: what of its table is in none of the chunks. The cells then stand without what they mean.
        restored_by: Chunks that hold what is lost, the nearest before the row; () = none was found.
    """

    chunks: tuple[str, ...]
    how: How
    score: float
    lost: tuple[Part, ...] = ()
    restored_by: tuple[str, ...] = ()


class Placement(Model):
    """A line of map.jsonl: one quote of one source.

    Attributes:
        found: `whole`: one chunk holds it. `split`: several hold it together. `torn`: a row whose cells are found,
            and no chunk holds them with title and header. `missing`.
        how: How the first alternative was found, and `score`: how alike it is; "none" and 0 when it is missing.
        alternatives: The surest first; any of them suffices. () when it is missing.
        why: Why it is missing, or what one should know.
        near: For a missing one: ids of the chunks that are alike and were refused, the likest first.
        roles: Roles that it has as evidence, and `cases`: the cases that cite it.
    """

    source_id: str
    quote: str
    kind: SourceKind
    document_id: str
    page: int
    found: Found
    how: How = "none"
    score: float = 0.0
    alternatives: tuple[Alternative, ...] = ()
    why: str = ""
    near: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    cases: tuple[str, ...] = ()


class Held(Model):
    """What a list of retrieved chunks holds of a passage, or of a group of them.

    Attributes:
        satisfied: An alternative is there with all of its chunks.
        rank: The place in the list, from 1, at which the first alternative was complete; 0 = none is.
        lost: What is missing beside a row that was retrieved torn from its table; () = it is whole, or not retrieved.
        possible: Whether any chunks could have satisfied it; False: the system's chunks do not hold it.
    """

    satisfied: bool
    rank: int = 0
    lost: tuple[Part, ...] = ()
    possible: bool = True


class Alignment:
    """The map of a suite to the chunks of a system: `services.alignment.load_alignment` reads it from a folder.

    Attributes:
        suite: Name of the suite, and `version`: its version.
        manifest_sha256: Hash of the manifest.json that was aligned.
    """

    def __init__(self, suite: str, version: str, manifest_sha256: str, placements: Iterable[Placement]) -> None:
        self.suite = suite
        self.version = version
        self.manifest_sha256 = manifest_sha256
        self._placements = {(p.source_id, p.quote): p for p in placements}

    def __len__(self) -> int:
        return len(self._placements)

    @property
    def placements(self) -> tuple[Placement, ...]:
        """All of them, in the order of the map."""
        return tuple(self._placements.values())

    @cached_property
    def chunks(self) -> frozenset[str]:
        """Ids of all chunks that it names; a chunk that holds no evidence is not among them."""
        found = (a for p in self._placements.values() for a in p.alternatives)
        near = (name for p in self._placements.values() for name in p.near)
        return frozenset(name for a in found for name in (*a.chunks, *a.restored_by)) | frozenset(near)

    def placement(self, source_id: str, quote: str) -> Placement | None:
        """Where a quote of a source lies; None: it is not of this suite."""
        return self._placements.get((source_id, quote))

    def held(self, source_id: str, quote: str, retrieved: Sequence[str]) -> Held:
        """What retrieved chunks hold of one quote.

        Args:
            source_id: `sourceId` of an evidence of a case.
            quote: Its `quote`.
            retrieved: Ids of chunks, the first ranks first.
        """
        return self.group_held([{"sourceId": source_id, "quote": quote}], retrieved)

    def group_held(self, evidence: Iterable[Mapping[str, Any]], retrieved: Sequence[str]) -> Held:
        """What retrieved chunks hold of a group: it is satisfied when any of its evidence is.

        Args:
            evidence: Entries of one group as they stand on the line of a case: sourceId and quote are used.
            retrieved: Ids of chunks, the first ranks first.
        """
        places: dict[str, int] = {}
        for rank, name in enumerate(retrieved, 1):
            places.setdefault(name, rank)
        found: list[Held] = []
        possible = False
        for entry in evidence:
            placement = self.placement(entry["sourceId"], entry["quote"])
            for alternative in placement.alternatives if placement else ():
                possible = True
                if (rank := _complete_at(alternative.chunks, places)) > 0:
                    found.append(_as_retrieved(alternative, rank, places))
        return min(found, key=lambda h: (len(h.lost), h.rank), default=Held(satisfied=False, possible=possible))


def _complete_at(chunks: Sequence[str], places: Mapping[str, int]) -> int:
    ranks = [places.get(name, 0) for name in chunks]
    return max(ranks) if ranks and all(ranks) else 0


def _as_retrieved(alternative: Alternative, rank: int, places: Mapping[str, int]) -> Held:
    """A row that was retrieved together with the chunk that has its header is whole again."""
    if alternative.lost and alternative.restored_by and (also := _complete_at(alternative.restored_by, places)):
        return Held(satisfied=True, rank=max(rank, also))
    return Held(satisfied=True, rank=rank, lost=alternative.lost)
