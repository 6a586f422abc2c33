"""What the suites lack, in the words of a log: so that the queue of failures begins with what would fill a gap."""

from __future__ import annotations

from curator.domain.failure import Wanted
from curator.domain.filling import fits
from curator.domain.quotas import Asked
from curator.errors import InputError
from curator.progress import Progress
from curator.services.coverage import Board, told
from curator.store import triage

OF_DOCUMENTS = frozenset({"domain", "documentType", "lengthStratum"})
OF_FAILURES = frozenset({"route", "language"})


def wanted(board: Board, progress: Progress | None = None) -> tuple[Wanted, ...]:
    """Unmet quotas that a failure can be seen to fill, in the order of curator.toml, suite by suite.

    Seen are its route, its language and its document. A quota that speaks of none of them (a share of refusals, a
    number of cases in all) is filled by any failure or by none that can be told, and is left out. None are given when
    the lengths in production cannot be read: the coverage says why.

    Args:
        board: Brought up to date here, which takes a moment the first time.
        progress: Its checkpoint may stop it.
    """
    try:
        board.refresh(progress)
    except InputError:
        return ()
    with board.ctx.db.read() as tx:
        names = triage.document_ids(tx)
    found = []
    for suite in sorted(board.ctx.settings.suites):
        chosen = board.suite(suite)
        for gap in chosen.asked:
            if gap.met:
                continue
            ids = {
                d.document_id
                for d in board.documents.values()
                if fits(d, gap.quota, chosen.policy, board.length.median)
            }
            if one := _wanted(gap, tuple(sorted(name for name, document in names.items() if document in ids))):
                found.append(one)
    return tuple(found)


def _wanted(gap: Asked, documents: tuple[str, ...]) -> Wanted | None:
    where = gap.quota.where
    by_document = bool(where.keys() & OF_DOCUMENTS)
    if not (by_document or where.keys() & OF_FAILURES) or (by_document and not documents):
        return None
    return Wanted(
        words=told(gap),
        routes=(where["route"],) if "route" in where else (),
        languages=(where["language"],) if "language" in where else (),
        documents=documents if by_document else (),
    )
