"""Names given to sources and documents after they were minted; the old ones stay as aliases."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import update

from curator.store.bulk import table_of
from curator.store.database import Transaction
from curator.store.tables import DocumentAliasRow, DocumentRow, RevisionRow, SourceAliasRow, SourceRow


def rename_source(tx: Transaction, key: int, old: str, new: str) -> None:
    """Give a source another id; `old` becomes an alias, and `new` is none any more if it was one."""
    alias = tx.session.get(SourceAliasRow, new)
    if alias is not None:
        tx.session.delete(alias)
        tx.session.flush()
    row = tx.session.get(SourceRow, key)
    assert row is not None
    row.name = new
    tx.session.add(row)
    tx.session.add(SourceAliasRow(name=old, source_id=key))
    tx.session.flush()


def also_name(tx: Transaction, document_id: str, name: str, source_names: Mapping[str, int]) -> None:
    """Give a document ("" = it has it), and sources by our own numbers, names beside their ids that nothing has yet."""
    connection = tx.session.connection()
    if document_id:
        connection.execute(table_of(DocumentAliasRow).insert().values(name=name, document_id=document_id))
    if source_names:
        rows = [{"name": source, "source_id": key} for source, key in source_names.items()]
        connection.execute(table_of(SourceAliasRow).insert(), rows)
    tx.session.expire_all()


def rename_document(tx: Transaction, old: str, new: str) -> None:
    """Give a document another id, everywhere; `old` becomes an alias, and `new` is none any more if it was one."""
    connection = tx.session.connection()
    alias, document = table_of(DocumentAliasRow), table_of(DocumentRow)
    connection.execute(alias.delete().where(alias.c.name == new))
    connection.execute(update(document).where(document.c.id == old).values(id=new))
    for table in (table_of(RevisionRow), table_of(SourceRow), alias):
        connection.execute(update(table).where(table.c.document_id == old).values(document_id=new))
    connection.execute(alias.insert().values(name=old, document_id=new))
    tx.session.expire_all()
