"""Values to offer in a form: what the workspace has said in a field before."""

from __future__ import annotations

from curator.services.context import Context
from curator.store import values as stored


def values(ctx: Context, field: str) -> tuple[str, ...]:
    """What cases, and for some fields documents, say in a field: the commonest first, then by name.

    Args:
        ctx: Open workspace.
        field: domain, route, language, document_type, escalate_to, asker, tags or required_behaviors; others have none.
    """
    with ctx.db.read() as tx:
        counts = dict.fromkeys(stored.of_documents(tx, field), 0) | stored.of_cases(tx, field)
    return tuple(sorted(counts, key=lambda value: (-counts[value], value.casefold(), value)))
