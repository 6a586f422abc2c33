"""The same file read again, by newer rules or another engine's presence: what reads as before keeps its id.

Nobody has amended the file, so white space, hyphens and the order of copies are the reader's; what says something else
waits for a person, and makes the cases on it stale, just as in a changed file. Repairs are made again. A reading that
gives what is stored already is not stored.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from curator.domain.anchoring import renamed
from curator.domain.document import Anchor, Document, ParsedDocument
from curator.domain.model import Model
from curator.errors import Conflict, InputError
from curator.progress import Progress, Silent
from curator.services import reading, repair, revisions
from curator.services.context import Context
from curator.services.file_hash import file_sha256
from curator.services.ingest import Facts, Ingested, amended, kept_file, outcome_of, revised_outcome
from curator.services.outdated import outdated_ids
from curator.services.revisions import text_sketch
from curator.services.source_files import SourceFile, file_of, kept_path
from curator.store import documents, sources
from curator.store import revisions as revision_rows
from curator.store.database import Transaction
from curator.text import visible


class RevisionTold(Model):
    """A revision of a document: what people call it, its file, how often it was read, and by what rules last."""

    label: str
    file: str
    sha256: str
    pages: int
    ingested_at: str
    reading: int
    parser: str
    current: bool
    kept: bool


def read_again_all(
    ctx: Context, named: Sequence[str], *, dry_run: bool = False, progress: Progress | None = None, jobs: int = 0
) -> tuple[Ingested, ...]:
    """Read documents again; one that cannot be read never costs the others.

    Args:
        ctx: Open workspace.
        named: Files, folders and ids of documents; none = every document that was read by older rules.
        dry_run: Read and report, store nothing.
        progress: A stage for each file.
        jobs: See read_again.

    Raises:
        UsageError: No actor.
        Cancelled: Stopped; what was stored before is kept.
    """
    from curator.parsing import iter_pdf_files

    progress = progress or Silent()
    wanted: list[tuple[str, Path | None]] = [(name, None) for name in outdated_ids(ctx)] if not named else []
    for name in named:
        if Path(name).exists():
            wanted += [("", path) for path in iter_pdf_files([Path(name)])]
        else:
            wanted.append((name, None))
    found = []
    for name, path in wanted:
        progress.checkpoint()
        try:
            document = name or _document_of(ctx, path, progress)
            found.append(read_again(ctx, document, path, dry_run=dry_run, progress=progress, jobs=jobs))
        except (InputError, Conflict) as error:
            file = path.name if path is not None else name
            found.append(Ingested(file=file, document_id=name, outcome="rejected", reason=str(error)))
    return tuple(found)


def _document_of(ctx: Context, path: Path | None, progress: Progress) -> str:
    """The document whose current revision has the bytes of a file."""
    assert path is not None
    try:
        sha256 = file_sha256(path, progress)
    except OSError as error:
        raise InputError(f"{visible(path.name)}: {error.strerror}", "check the path") from None
    with ctx.db.read() as tx:
        known = documents.by_hash(tx, sha256)
        if not known:
            raise InputError(f"{visible(path.name)} is the file of no document", "ingest it without --again")
        document = documents.get(tx, known)
        if document.revision.sha256 == sha256:
            return known
        label = next(r.label for r in revision_rows.of_document(tx, known) if r.sha256 == sha256)
    raise InputError(
        f"{visible(path.name)} is revision {label} of {known}, not the current one, {document.revision.label}",
        "only the current revision is read again",
    )


def read_again(
    ctx: Context, document_id: str, path: Path | None = None, *, dry_run: bool = False,
    progress: Progress | None = None, jobs: int = 0,
) -> Ingested:  # fmt: skip
    """Read the file of a document's current revision again, by the rules of today.

    Args:
        ctx: Open workspace.
        document_id: The document.
        path: Its file; None = the kept copy, or the file in the folder of the workspace.
        dry_run: Read and report, store nothing.
        progress: A stage for the file.
        jobs: How many processes read it; 0 = as `curator.toml` says, else one a processor.

    Returns:
        "same" when it reads as it is stored (then nothing is written but, where they are newer, the name of the rules);
        "changed" with the verdicts; "rejected" when it gives no text any more: what is stored stays.

    Raises:
        InputError: There is no such document, its file is not there or cannot be read.
        Conflict: The document changed meanwhile.
        Cancelled: Stopped; nothing was stored.
    """
    progress = progress or Silent()
    if not dry_run:
        ctx.actor("edit")
    file = file_of(ctx, document_id, path, progress=progress)
    parsed = reading.read(ctx, file.path, name=file.name, progress=progress, jobs=jobs, keep=not dry_run)
    if parsed.sha256 != file.sha256:
        raise InputError(f"{visible(file.name)} was changed while it was read", "try again")
    if not parsed.has_text:
        return Ingested(file=parsed.file, outcome="rejected", pages=parsed.page_count, reason="no page gives text now")
    result = _compared(ctx, document_id, parsed, file, dry_run, progress)
    if not dry_run:
        reading.forget(ctx, file.sha256)
    return result


def _compared(
    ctx: Context, document_id: str, parsed: ParsedDocument, file: SourceFile, dry_run: bool, progress: Progress
) -> Ingested:
    from curator.parsing import document_slug

    with ctx.db.read() as tx:
        before = documents.get(tx, document_id)
        local = document_slug(parsed.file)
        parsed = parsed if local == before.id else renamed(parsed, local, before.id)
        mended = repair.carried(tx, before.id, parsed)
        parsed = mended.document
        planned = revisions.plan(tx, before.id, parsed, progress, again=True)
        same = _reads_the_same(tx, before, parsed, planned.anchors)
    document = amended(before, parsed, Facts(revision=before.revision.label))
    if same:
        return _noted(ctx, before, parsed, dry_run)
    outcome = revised_outcome(parsed, document, planned, mended)
    if dry_run:
        return outcome
    size, made = file.path.stat().st_size, text_sketch(parsed)
    with kept_file(ctx, file.path, file.sha256, progress), ctx.write() as tx:
        stale = revisions.store(tx, planned, document, parsed, size, made, again=True)
        repair.note_carried(tx, document.id, mended)
    return outcome.model_copy(update={"stale": stale})


def _noted(ctx: Context, before: Document, parsed: ParsedDocument, dry_run: bool) -> Ingested:
    if parsed.parser != before.revision.parser and not dry_run:
        with ctx.write() as tx:
            documents.note_parser(tx, before.id, parsed.parser)
    return outcome_of(parsed.file, before, "same", parsed)


def _reads_the_same(tx: Transaction, before: Document, parsed: ParsedDocument, anchors: Sequence[Anchor]) -> bool:
    """Whether all that is shown, searched and cited is what is stored."""
    stored = [s.anchor.model_copy(update={"source_id": s.id}) for *_, s in
              sources.of_revision(tx, documents.revision_id_of(tx, before.id))]  # fmt: skip
    if list(map(_told, stored)) != list(map(_told, anchors)) or parsed.page_count != before.revision.pages:
        return False
    pages = [(p.label, p.kind, p.note, p.text, p.running) for p in documents.pages(tx, before.id)]
    return (
        pages == [(p.label, p.kind, p.note, p.text, p.running) for p in parsed.pages]
        and documents.sections(tx, before.id) == list(parsed.sections)
        and before.revision.warnings == parsed.warnings
    )


def _told(anchor: Anchor) -> object:
    """All that an anchor says; the name of its table is that of the reader."""
    return anchor.model_copy(update={"table_id": ""})


def revisions_of(ctx: Context, document_id: str) -> tuple[RevisionTold, ...]:
    """All revisions of a document, the oldest first.

    Raises:
        InputError: There is none of this id.
    """
    with ctx.db.read() as tx:
        document = documents.get(tx, document_id)
        found = revision_rows.of_document(tx, document.id)
    return tuple(
        RevisionTold(
            label=r.label, file=r.file, sha256=r.sha256, pages=r.pages, ingested_at=r.ingested_at, reading=r.reading,
            parser=r.parser, current=r.label == document.revision.label, kept=kept_path(ctx, r.sha256).is_file(),
        )
        for r in found
    )  # fmt: skip
