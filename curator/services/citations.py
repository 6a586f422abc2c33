"""Which cases cite what a person reads, as far as that person may know."""

from __future__ import annotations

from curator.domain.model import Model
from curator.services.context import Context
from curator.store import citations, documents, sources


class CitingCase(Model):
    """A case that cites a source; of one that the person could still label, or in the holdout, only the id is told.

    Attributes:
        hidden: Whether the rest is kept back.
    """

    id: str
    status: str = ""
    question: str = ""
    hidden: bool = False


def citing(ctx: Context, document_id: str) -> dict[str, tuple[CitingCase, ...]]:
    """Cases by the source of the document that they cite, in order of creation; retired ones are left out.

    A case in review by someone else may be labeled by this person: what it cites is a label, so nothing but its id
    is given. So it is of a case in the holdout: who opens it has looked at it, who reads a page has not.
    """
    with ctx.db.read() as tx:
        now, names = sources.names_now(tx), documents.names_now(tx)
        today = names.get(document_id, document_id)
        known = (today, *(old for old, new in names.items() if new == today))
        rows = [r._replace(source_id=now.get(r.source_id, r.source_id)) for n in known
                for r in citations.of_document(tx, n)]  # fmt: skip
    found: dict[str, list[CitingCase]] = {}
    for row in rows:
        hidden = (row.status == "in_review" or row.side == "holdout") and row.author != ctx.actor_id
        case = (
            CitingCase(id=row.case_id, hidden=True)
            if hidden
            else CitingCase(id=row.case_id, status=row.status, question=row.question)
        )
        found.setdefault(row.source_id, []).append(case)
    return {name: tuple(cases) for name, cases in found.items()}
