"""Another name for a source or a document. The old one stays an alias for good, so that nothing that uses it breaks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from curator.domain.identity import fold_id, slug, source_id_error
from curator.domain.model import Model
from curator.errors import Conflict, UsageError
from curator.services.context import Context
from curator.store import documents, events, names, sources
from curator.store.database import Transaction

VERB = "renamed"


class Renamed(Model):
    """What has another name now: its kind, the name it had and the one it has."""

    kind: Literal["source", "document"]
    before: str
    after: str


def rename(ctx: Context, name: str, new: str) -> Renamed:
    """Give a source, or a document, another id. Cases keep the name under which they cite it; releases use the new one.

    The ids of a document's sources stay as they are: they are never worked out again.

    Args:
        ctx: Open workspace.
        name: Id or alias of a source (it has a colon) or of a document.
        new: The id from now on.

    Raises:
        UsageError: The new id is none.
        InputError: There is nothing of the old one.
        Conflict: Something else has, or had, the new id.
    """
    new = fold_id(new.strip())
    return _rename_source(ctx, name, new) if ":" in name else _rename_document(ctx, name, new)


def _rename_source(ctx: Context, name: str, new: str) -> Renamed:
    if problem := source_id_error(new):
        raise UsageError(f"{new!a} is no source id: {problem}", "write container:key")
    with ctx.write() as tx:
        source = sources.source(tx, name)
        if source.id == new:
            return Renamed(kind="source", before=new, after=new)
        key, owner = sources.keys(tx, [source.id])[source.id], sources.keys(tx, [new]).get(new)
        if owner not in (None, key):
            raise Conflict(f"{new} is, or was, the id of another source", "choose another one")
        _set_source(tx, key, source.document_id, source.id, new)
        data = {"document": source.document_id, "source": key, "names": [source.id, new]}
        tx.log.append("source", source.id, VERB, data=data)
    return Renamed(kind="source", before=source.id, after=new)


def _set_source(tx: Transaction, key: int, document_id: str, old: str, new: str) -> None:
    names.rename_source(tx, key, old, new)
    tx.log.append("document", documents.get(tx, document_id).id, "source renamed", data={"before": old, "after": new})


def _rename_document(ctx: Context, name: str, new: str) -> Renamed:
    if slug(new) != new:
        raise UsageError(f"{new!a} is no document id", f"try {slug(new)}")
    with ctx.write() as tx:
        document = documents.get(tx, name)
        if document.id == new:
            return Renamed(kind="document", before=new, after=new)
        if documents.exists(tx, new) and documents.get(tx, new).id != document.id:
            raise Conflict(f"{new} is, or was, the id of another document", "choose another one")
        names.rename_document(tx, document.id, new)
        tx.log.append("document", new, VERB, data={"names": [document.id, new]})
    return Renamed(kind="document", before=document.id, after=new)


def turn(tx: Transaction, event: Mapping[str, Any], verb: Literal["undone", "redone"]) -> None:
    """Take back, or do again, one renaming from its event. The name that is given up becomes an alias in its turn."""
    data = dict(event["data"])
    old, new = data["names"]
    if event["entity"] == "source":
        _set_source(tx, data["source"], data["document"], new, old)
    else:
        names.rename_document(tx, documents.get(tx, new).id, old)
        event = {**event, "entityId": old}
    events.append_undoing(tx, event, verb, {**data, "names": [new, old]})
