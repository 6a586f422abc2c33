"""Clusters of failures for triage: average-link on vectors, cut at a cosine distance of .75. Topics, not causes."""

from __future__ import annotations

import importlib.util
import warnings
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

CUT = 0.75
MOST = 5000
_TERMS = 100

Embed = Callable[[Sequence[str]], Sequence[Sequence[float]]]


class Grouped(NamedTuple):
    """A cluster: places of its texts, of its medoid and of the member farthest from that."""

    members: tuple[int, ...]
    medoid: int
    farthest: int


def available() -> bool:
    """Whether scikit-learn is there: the extra `cluster`, or `semantic`, which brings it."""
    return importlib.util.find_spec("sklearn") is not None


def clusters(texts: Sequence[str], embed: Embed | None = None) -> list[Grouped]:
    """Texts in clusters, the largest first.

    Args:
        texts: At most 5,000; the work grows with the square.
        embed: Texts -> unit vectors; None = by their words (TF-IDF, SVD).
    """
    if len(texts) < 2:
        return [Grouped((n,), n, n) for n in range(len(texts))]
    import numpy
    from sklearn.cluster import AgglomerativeClustering

    vectors = numpy.asarray(embed(texts), dtype="float32") if embed else _by_words(texts)
    alone = numpy.flatnonzero(~vectors.any(axis=1))
    vectors[alone, alone % vectors.shape[1]] = 1.0  # a text without a known word is like none
    model = AgglomerativeClustering(n_clusters=None, distance_threshold=CUT, metric="cosine", linkage="average")
    groups: dict[int, list[int]] = defaultdict(list)
    for place, label in enumerate(model.fit_predict(vectors)):
        groups[int(label)].append(place)
    found = [_told(members, vectors) for members in groups.values()]
    return sorted(found, key=lambda g: (-len(g.members), g.medoid))


def _by_words(texts: Sequence[str]) -> Any:
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.preprocessing import normalize

    try:
        matrix = TfidfVectorizer(sublinear_tf=True, analyzer="char_wb", ngram_range=(3, 5)).fit_transform(texts)
    except ValueError:  # nothing but signs in all of them
        import numpy

        return numpy.eye(len(texts), dtype="float32")
    size = min(_TERMS, min(matrix.shape) - 1)
    if size < 2:
        return normalize(matrix).toarray()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return normalize(TruncatedSVD(size, random_state=1).fit_transform(matrix))


def _told(members: list[int], vectors: Any) -> Grouped:
    likeness = vectors[members] @ vectors[members].T
    medoid = int(likeness.sum(axis=1).argmax())
    return Grouped(tuple(members), members[medoid], members[int(likeness[medoid].argmin())])
