"""Search: sources by the words of a question, put in a better order by their meaning where the extra is installed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from curator.domain.document import SourceKind
from curator.domain.model import Model
from curator.errors import MissingExtra
from curator.matching import embedding, reranking
from curator.progress import Progress, Silent
from curator.services.context import Context
from curator.store import indexing
from curator.store.index import FILE, DamagedIndex, Index, Match, discard
from curator.store.words import Query
from curator.text import clean

CANDIDATES = 50  # of the lexical order that meaning may put in another one
T = TypeVar("T")


class Hit(Model):
    """A source that was found.

    Attributes:
        score: BM25 of the words; comparable within one answer only.
        lexical_rank: Its place by words alone, from 1.
        semantic: Cosine of its meaning with the question's; 0 = not compared.
        marks: Spans of `text` that match the words.
        snippet: The span of `text` to show where there is no room for all.
    """

    source_id: str
    document_id: str
    kind: SourceKind
    page: int
    page_label: str = ""
    section_path: tuple[str, ...] = ()
    text: str
    score: float
    lexical_rank: int
    semantic: float = 0.0
    marks: tuple[tuple[int, int], ...] = ()
    snippet: tuple[int, int] = (0, 0)


class Found(Model):
    """The answer: hits, best first.

    Attributes:
        semantic: "on", or "off (why; the one line that turns it on)".
        note: Why there is no hit, "" when there is one.
    """

    hits: tuple[Hit, ...] = ()
    semantic: str
    note: str = ""


def search(
    ctx: Context,
    text: str,
    *,
    kind: str = "",
    document: str = "",
    limit: int = 20,
    prefix: bool = False,
    semantic: bool | None = None,
    progress: Progress | None = None,
) -> Found:
    """The sources of current revisions that answer a text best.

    The index is brought up to date first: one look at the last event when nothing changed. The first re-ranking of a
    process loads the model (seven CPU seconds), and each text costs about 40 ms once; call it from a worker.

    Args:
        ctx: Open workspace.
        text: As typed; nothing in it is syntax.
        kind: "chunk" or "row"; "" = both.
        document: Only sources of this document; "" = of all.
        limit: Most hits.
        prefix: The last word may be unfinished: search as you type.
        semantic: Re-rank by meaning: None = where the extra is installed, False = never, True = it must be.
        progress: Stages while the index is built or the model is loaded.

    Raises:
        MissingExtra: semantic is True and the extra is not installed or does not work.
        StorageError: The index cannot be written, or another program blocks it.
        Cancelled: Stopped; what was indexed before stays.
    """
    progress = progress or Silent()
    asked = clean(text)[0]
    reason = _why_off(asked, semantic)
    if not Query(asked).terms:
        return Found(semantic=_said(reason), note="nothing to search for: type a word or a number")
    depth = limit if reason else max(limit, CANDIDATES)

    def find(index: Index) -> list[Match]:
        _refresh(ctx, index, progress)
        return index.query(asked, kind=kind, document=document, limit=depth, prefix=prefix)

    hits = [_hit(match, rank) for rank, match in enumerate(_using(ctx, find), 1)]
    if hits and not reason:
        try:
            hits = _reranked(ctx, asked, hits, progress)
        except MissingExtra as error:
            if semantic:
                raise
            reason = f"{error.message}; {error.hint}"
    return Found(hits=tuple(hits[:limit]), semantic=_said(reason), note="" if hits else "nothing found")


def semantic_state() -> str:
    """What a status line says before anything is searched: "on", or "off (why; ...)"; loads nothing."""
    return _said(embedding.why_off())


def prepare(ctx: Context, progress: Progress | None = None) -> int:
    """Work out the vectors of all sources that have none, so that every re-ranking is quick; gives their number.

    Takes 15 minutes of CPU for 20,000 long chunks. What is done stays when it is stopped.

    Raises:
        MissingExtra: The extra is not installed or does not work.
        Cancelled: Stopped.
    """
    progress = progress or Silent()
    progress.stage("loading the language model")
    model = embedding.packaged()
    _using(ctx, lambda index: _refresh(ctx, index, progress))
    progress.stage("reading for meaning")
    made = after = 0
    while part := _using(ctx, partial(Index.texts, after=after)):
        texts = [text for _, text in part if model.knows(text)]
        made += len(_vectors(ctx, model, texts, progress)[1])
        progress.advance(len(part))
        after = part[-1][0]
    return made


def _why_off(text: str, semantic: bool | None) -> str:
    """The reason why meaning is not asked, or nothing when it is; loads nothing."""
    if semantic is False:
        return "not asked for"
    if missing := embedding.why_off():
        if semantic:
            raise MissingExtra(*missing.split("; ", 1))
        return missing
    return "" if embedding.latin(text) else "the question is not in Latin script, the only one that the model reads"


def _said(reason: str) -> str:
    return f"off ({reason})" if reason else "on"


def _using(ctx: Context, work: Callable[[Index], T]) -> T:
    """One use of the index file; one that is damaged or was deleted under us is made anew, once."""
    path = ctx.hidden / FILE
    try:
        with Index(path) as index:
            return work(index)
    except DamagedIndex:
        discard(path)
    with Index(path) as index:
        return work(index)


def _refresh(ctx: Context, index: Index, progress: Progress) -> None:
    """Bring the index up to the last event: whole documents, each read and put in by itself."""
    with ctx.db.read() as tx:
        head = indexing.head(tx)
        if index.head == head:
            return
        stamps = indexing.stamps(tx)
    if changed := index.outdated(stamps):
        progress.stage("indexing", len(changed))
    for document_id in changed:
        progress.checkpoint()
        with ctx.db.read() as tx:
            stamp = indexing.stamps(tx, document_id).get(document_id, "")
            entries = indexing.entries(tx, document_id)
        index.put(document_id, stamp, entries, progress.checkpoint)
        progress.advance()
    index.settle(head, stamps)


def _hit(match: Match, rank: int) -> Hit:
    return Hit(
        source_id=match.source_id,
        document_id=match.document_id,
        kind=match.kind,
        page=match.page,
        page_label=match.page_label,
        section_path=match.section_path,
        text=match.text,
        score=match.score,
        lexical_rank=rank,
        marks=match.marks,
        snippet=match.snippet,
    )


def _reranked(ctx: Context, asked: str, hits: list[Hit], progress: Progress) -> list[Hit]:
    """The candidates in the order of words and meaning; what lies deeper keeps its place."""
    if not embedding.loaded():
        progress.stage("loading the language model")
    model = embedding.packaged()
    top, rest = hits[:CANDIDATES], hits[CANDIDATES:]
    known = [hit.text for hit in top if model.knows(hit.text)]
    kept, made = _vectors(ctx, model, [asked, *known], progress)
    vectors = kept | made
    question = vectors[asked]
    meaning = [reranking.cosine(question, vectors[h.text]) if h.text in vectors else 0.0 for h in top]
    places = reranking.order(asked, [h.text for h in top], [h.score for h in top], meaning)
    return [top[n].model_copy(update={"semantic": meaning[n]}) for n in places] + rest


def _vectors(
    ctx: Context, model: embedding.Embedder, texts: Sequence[str], progress: Progress
) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """Vectors by text: those that were kept, and those that are made now and kept from now on."""
    hashes = {hashlib.sha256(text.encode()).digest(): text for text in texts}
    kept = _using(ctx, lambda index: index.vectors(model.model_id, list(hashes)))
    missing = [h for h in hashes if h not in kept]
    made = dict(zip(missing, model.encode([hashes[h] for h in missing], progress.checkpoint), strict=True))
    if made:
        _using(ctx, lambda index: index.keep_vectors(model.model_id, made))
    return {hashes[h]: v for h, v in kept.items()}, {hashes[h]: v for h, v in made.items()}
