"""Clusters for triage: split by route, stage and document first, then by what is asked."""

from __future__ import annotations

import struct
from collections import defaultdict
from collections.abc import Sequence

from curator.domain.model import Model
from curator.matching import clustering, embedding
from curator.progress import Progress, Silent
from curator.services.context import Context
from curator.store import failures, triage


class Cluster(Model):
    """Folds of one route, stage and document that ask about one thing.

    Attributes:
        size: Failures in it.
        folds: Its folds.
        medoid: The question in its middle, of the fold `medoid_fold`; `farthest` is the one least like it.
    """

    route: str
    stage: str
    document: str
    size: int
    folds: tuple[int, ...]
    medoid: str
    medoid_fold: int
    farthest: str


class Clusters(Model):
    """All clusters, the largest first; `by`: "meaning", "words" or "split only (why)"."""

    by: str
    clusters: tuple[Cluster, ...]


def clusters(ctx: Context, *, semantic: bool | None = None, progress: Progress | None = None) -> Clusters:
    """The open failures in clusters. Without scikit-learn they are only split and folded. Call it from a worker.

    Args:
        ctx: Open workspace.
        semantic: By meaning; None = where the extra is installed.
        progress: One step a group; its checkpoint may stop it.
    """
    progress = progress or Silent()
    with ctx.db.read() as tx:
        facts = triage.facts(tx)
        sizes = failures.fold_sizes(tx, {f[0] for f in facts})
    groups: dict[tuple[str, str, str], list[tuple[int, str]]] = defaultdict(list)
    for fold, route, stage, document, question in facts:
        groups[route, stage, document].append((fold, question))
    by = "split only (pip install 'golden-curator[cluster]')"
    if clustering.available():
        by = "meaning" if (embedding.available() if semantic is None else semantic) else "words"
    progress.stage("clustering", len(groups))
    found: list[Cluster] = []
    for (route, stage, document), folds in groups.items():
        progress.checkpoint()
        for group in _grouped([q for _, q in folds], by, progress):
            numbers = tuple(folds[n][0] for n in group.members)
            found.append(
                Cluster(
                    route=route,
                    stage=stage,
                    document=document,
                    size=sum(sizes.get(n, 1) for n in numbers),
                    folds=numbers,
                    medoid=folds[group.medoid][1],
                    medoid_fold=folds[group.medoid][0],
                    farthest=folds[group.farthest][1],
                )
            )
        progress.advance()
    return Clusters(by=by, clusters=tuple(sorted(found, key=lambda c: (-c.size, c.medoid_fold))))


def _grouped(questions: Sequence[str], by: str, progress: Progress) -> list[clustering.Grouped]:
    if by.startswith("split"):
        return [clustering.Grouped((n,), n, n) for n in range(len(questions))]
    head, rest = questions[: clustering.MOST], range(clustering.MOST, len(questions))
    model = embedding.packaged() if by == "meaning" else None
    if model is not None and not all(model.knows(q) for q in head):
        model = None  # another script than Latin: to the model it is all the same

    def vectors(texts: Sequence[str]) -> list[tuple[float, ...]]:
        assert model is not None
        return [struct.unpack(f"<{len(v) // 4}f", v) for v in model.encode(texts, progress.checkpoint)]

    found = clustering.clusters(head, vectors if model is not None else None)
    return found + [clustering.Grouped((n,), n, n) for n in rest]
