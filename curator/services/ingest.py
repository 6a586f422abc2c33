"""Ingest: PDFs become documents with sources that can be cited. One document, one transaction."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from curator.domain.anchoring import anchors, renamed
from curator.domain.document import Anchor, Document, ParsedDocument, Revision
from curator.domain.identity import slug
from curator.domain.model import Model
from curator.domain.rules import is_date, is_language
from curator.errors import InputError, UsageError
from curator.progress import Progress, Silent
from curator.services.context import Context
from curator.services.report import ImportReport, Rejected
from curator.store import documents, sources
from curator.store.database import Transaction
from curator.text import clean, nfc, visible


class Ingested(Model):
    """What one file became. `document_id` is "" when it was not taken."""

    file: str
    document_id: str = ""
    outcome: Literal["new", "same", "rejected"]
    pages: int = 0
    chunks: int = 0
    tables: int = 0
    rows: int = 0
    reason: str = ""
    warnings: tuple[str, ...] = ()


class Facts(Model):
    """What a person says about a document when it is ingested; "" = to be found out, or unknown."""

    document_id: str = ""
    title: str = ""
    domain: str = ""
    document_type: str = ""
    language: str = ""
    revision: str = ""
    effective_from: str = ""
    effective_to: str = ""


def ingest(
    ctx: Context, paths: Sequence[Path], facts: Facts | None = None, *, dry_run: bool = False,
    progress: Progress | None = None,
) -> tuple[Ingested, ...]:  # fmt: skip
    """Read files, or all PDFs of folders, into the workspace; each whole or not at all.

    A file that cannot be read never costs the others. The same bytes again change nothing.

    Args:
        ctx: Open workspace.
        paths: PDF files and folders.
        facts: For all of them; an id only for a single file.
        dry_run: Read and report, store nothing.
        progress: A stage for each file.

    Raises:
        UsageError: No actor, an id for several files, or a fact that is none: an id, a date, a language.
        Cancelled: Stopped; the documents before are kept whole.
    """
    from curator.parsing import iter_pdf_files  # the reader is loaded only when something is read

    facts, progress = facts or Facts(), progress or Silent()
    if not dry_run:
        ctx.actor("edit")
    files = list(iter_pdf_files(paths))
    _check(facts, len(files))
    return tuple(_one(ctx, path, facts, dry_run, progress) for path in files)


def _check(facts: Facts, files: int) -> None:
    if facts.document_id and files != 1:
        raise UsageError("an id can be given to one file only", "ingest the files one by one")
    if facts.document_id and slug(facts.document_id) != facts.document_id:
        raise UsageError(f"{facts.document_id!a} is no document id", f"try {slug(facts.document_id)}")
    for value in (facts.effective_from, facts.effective_to):
        if not is_date(value):
            raise UsageError(f"{value!a} is no date", "write YYYY-MM-DD")
    if not is_language(facts.language):
        raise UsageError(f"{facts.language!a} is no language tag", "write en, ko, pt-BR ...")


def _one(ctx: Context, path: Path, facts: Facts, dry_run: bool, progress: Progress) -> Ingested:
    from curator.parsing import parse_pdf

    name = path.name
    try:
        known, size = _known(ctx, path, progress)
        if known:
            with ctx.db.read() as tx:
                document = documents.get(tx, known)
            return _outcome(name, document, "same")
        parsed = parse_pdf(path, progress=progress)
        if not parsed.has_text:
            said = "; ".join(dict.fromkeys(w.message for w in parsed.warnings)) or "no page gave text"
            return Ingested(file=name, outcome="rejected", pages=parsed.page_count, reason=said)
        progress.checkpoint()
        return _store(ctx, parsed, facts, size, dry_run)
    except InputError as error:
        return Ingested(file=name, outcome="rejected", reason=str(error))
    except OSError as error:
        return Ingested(file=name, outcome="rejected", reason=f"{visible(name)}: {error.strerror}")


def _known(ctx: Context, path: Path, progress: Progress) -> tuple[str, int]:
    """Document that has these very bytes, and their number; a special file is left to the parser to refuse."""
    if not path.is_file():
        return "", 0
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while block := stream.read(1 << 20):
            progress.checkpoint()
            digest.update(block)
    with ctx.db.read() as tx:
        return documents.by_hash(tx, digest.hexdigest()), path.stat().st_size


def _store(ctx: Context, parsed: ParsedDocument, facts: Facts, size: int, dry_run: bool) -> Ingested:
    from curator.parsing import document_slug

    local = document_slug(parsed.file)
    document_id = facts.document_id or local
    if document_id != local:
        parsed = renamed(parsed, local, document_id)
    found = anchors(parsed)
    document = _document(parsed, facts, document_id)
    outcome = _outcome(parsed.file, document, "new", parsed)
    if dry_run:
        with ctx.db.read() as tx:
            _require_free(tx, parsed, document_id, found)
        return outcome
    with ctx.write() as tx:
        if documents.by_hash(tx, parsed.sha256):  # another process was faster
            return outcome.model_copy(update={"outcome": "same"})
        _require_free(tx, parsed, document_id, found)
        documents.add(tx, document, parsed, found, size)
    return outcome


def _require_free(tx: Transaction, parsed: ParsedDocument, document_id: str, found: Sequence[Anchor]) -> None:
    """Raise when the document's id, or one of a source, is taken."""
    if documents.exists(tx, document_id):
        raise InputError(
            f"{visible(parsed.file)} has other bytes than the document {document_id}",
            "give it an id of its own with --id",
        )
    containers = {a.source_id.split(":")[0] for a in found}
    if taken := sources.taken_names(tx, sorted(containers)) & {a.source_id for a in found}:
        raise InputError(f"the source id {min(taken)} exists", "give the document another id with --id")


def _document(parsed: ParsedDocument, facts: Facts, document_id: str) -> Document:
    def said(value: str, default: str = "") -> str:
        return nfc(clean(value or default)[0]).strip()

    return Document(
        id=document_id,
        title=said(facts.title, parsed.title) or document_id,
        domain=said(facts.domain),
        document_type=said(facts.document_type),
        language=said(facts.language, parsed.language),
        effective_from=said(facts.effective_from),
        effective_to=said(facts.effective_to),
        revision=Revision(
            label=said(facts.revision, "1"),
            sha256=parsed.sha256,
            file=parsed.file,
            pages=parsed.page_count,
            parser=parsed.parser,
            warnings=parsed.warnings,
        ),
        chunks=len(parsed.chunks),
        rows=sum(len(t.rows) for t in parsed.tables),
    )


def _outcome(
    file: str, document: Document, outcome: Literal["new", "same"], parsed: ParsedDocument | None = None
) -> Ingested:
    warnings = document.revision.warnings if outcome == "new" else ()
    return Ingested(
        file=file,
        document_id=document.id,
        outcome=outcome,
        pages=document.revision.pages,
        chunks=document.chunks,
        tables=len(parsed.tables) if parsed else 0,
        rows=document.rows,
        warnings=tuple(w.told for w in warnings),
    )


def report(results: Sequence[Ingested]) -> ImportReport:
    """The outcome in the shape that every import prints; a rejected file is a row, by its place in the list."""
    return ImportReport(
        new=sum(r.outcome == "new" for r in results),
        same=sum(r.outcome == "same" for r in results),
        rejected=tuple(
            Rejected(row=n, column=r.file, reason=r.reason) for n, r in enumerate(results, 1) if r.outcome == "rejected"
        ),
        warnings=tuple(f"{r.file}: {w}" for r in results for w in r.warnings),
    )


def exit_code(results: Sequence[Ingested], *, strict: bool) -> int:
    """0 when every file gave text, 3 when at least one gave none; strict: any page warning is a 3."""
    if not results:
        return InputError.exit_code
    bad = any(r.outcome == "rejected" or (strict and r.warnings) for r in results)
    return InputError.exit_code if bad else 0
