"""Which revisions of its documents a suite may be judged against."""

from __future__ import annotations

from curator.domain.model import Model
from curator.domain.strata import placing_line
from curator.services.context import Context
from curator.services.reference import reference
from curator.services.selection import policy
from curator.services.todays_names import todays_names
from curator.store import documents, placing, revisions


class Offered(Model):
    """A document of a suite that has several revisions.

    Attributes:
        revisions: Their labels, the oldest first; `current`: the one that a release is judged against by itself.
    """

    document_id: str
    title: str
    revisions: tuple[str, ...]
    current: str


def offered(ctx: Context, name: str) -> tuple[Offered, ...]:
    """The documents with several revisions that approved cases of a suite are judged against, stale ones too, by id.

    Raises:
        UsageError: There is no such suite.
    """
    suite = policy(ctx, name)
    with ctx.db.read() as tx:
        names_now = todays_names(tx)
        taking, length = names_now.suite(suite), reference(ctx)
        cases = (placing.renamed(c, *names_now) for c in placing.placed(tx) if c.status == "approved")
        lines = (placing_line(c, length.median) for c in cases)
        cited = {d["documentId"] for line in lines if taking.takes(line) for d in line["documents"]}
        found = []
        for document_id in sorted(cited):
            labels = tuple(r.label for r in revisions.of_document(tx, document_id))
            if len(labels) > 1:
                document = documents.get(tx, document_id)
                found.append(
                    Offered(
                        document_id=document_id, title=document.title, revisions=labels,
                        current=document.revision.label,
                    )
                )  # fmt: skip
    return tuple(found)
