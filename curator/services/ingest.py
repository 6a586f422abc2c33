"""Ingest: PDFs become documents with sources that can be cited, or new revisions of them. One file, one transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import Field

from curator.domain.anchoring import anchors, renamed
from curator.domain.document import Anchor, Document, ParsedDocument, Revision
from curator.domain.identity import slug
from curator.domain.model import Model
from curator.domain.rules import is_date, is_language
from curator.errors import Conflict, InputError, UsageError
from curator.progress import Progress, Silent
from curator.services import reading, repair, revisions, source_files
from curator.services.context import Context
from curator.services.file_hash import file_sha256
from curator.services.reading import Seen
from curator.services.report import ImportReport, Rejected
from curator.services.revisions import Answer, Offer, offer, text_sketch
from curator.store import documents, sources
from curator.store import revisions as revision_rows
from curator.store.database import Transaction
from curator.text import clean, nfc, visible

Confirm = Callable[[Offer], Answer]

Outcome = Literal["new", "same", "changed", "rejected"]


class Ingested(Model):
    """What one file became. `document_id` is "" when it was not taken.

    Attributes:
        outcome: A new document, the same bytes, a new revision of a document (changed), or not taken. Of a file that
            was read again: whether it reads the same or not.
        verdicts: Of a new revision: how many of the sources before have which verdict.
        stale: Of a new revision: how many cases wait for a person by it.
        repairs: Of a new revision: how many repairs of the one before were made again, and `repairs_waiting`: how many
            could not be.
        offer: The document that a file taken as a new one, or left by who was asked, may be a revision of; else None.
        parser: The rules by which it was read; "" when it was not.
    """

    file: str
    document_id: str = ""
    outcome: Outcome
    pages: int = 0
    chunks: int = 0
    tables: int = 0
    rows: int = 0
    reason: str = ""
    warnings: tuple[str, ...] = ()
    revision: str = ""
    verdicts: dict[str, int] = Field(default_factory=dict)
    stale: int = 0
    repairs: int = 0
    repairs_waiting: int = 0
    offer: Offer | None = None
    parser: str = ""


class Facts(Model):
    """What a person says about a document when it is ingested; "" = to be found out, or unknown.

    `revision_of`: the document that the file is a new revision of; `revision`: what people call this revision.
    """

    document_id: str = ""
    revision_of: str = ""
    title: str = ""
    domain: str = ""
    document_type: str = ""
    language: str = ""
    revision: str = ""
    effective_from: str = ""
    effective_to: str = ""


def ingest(
    ctx: Context, paths: Sequence[Path], facts: Facts | None = None, *, dry_run: bool = False,
    confirm: Confirm | None = None, progress: Progress | None = None, jobs: int = 0, seen: Seen | None = None,
) -> tuple[Ingested, ...]:  # fmt: skip
    """Read files, or all PDFs of folders, into the workspace; each whole or not at all.

    A file that cannot be read never costs the others. The same bytes again change nothing. A changed file under the
    name of a document that is here, or one very like it, is offered as its new revision: `confirm` decides. Where
    nobody does, a file under a known name is not taken, and one that is only alike becomes a document of its own.

    Args:
        ctx: Open workspace.
        paths: PDF files and folders.
        facts: For all of them; an id only for a single file.
        dry_run: Read and report, store nothing.
        confirm: Says whether a file is a revision of the document offered; None = nobody does.
        progress: A stage for each file.
        jobs: How many processes read the pages of a file; 0 = as `curator.toml` says, else one a processor.
        seen: Told the number and the text of each page as soon as it was read; nothing of it is stored yet.

    Raises:
        UsageError: No actor, an id for several files, or a fact that is none: an id, a date, a language.
        InputError: There is no document that the file shall be a revision of.
        Cancelled: Stopped; the documents before are kept whole.
    """
    from curator.parsing import iter_pdf_files  # the reader is loaded only when something is read

    facts, progress = facts or Facts(), progress or Silent()
    if not dry_run:
        ctx.actor("edit")
    files = list(iter_pdf_files(paths))
    _check(facts, len(files))
    if facts.revision_of:
        with ctx.db.read() as tx:
            facts = facts.model_copy(update={"revision_of": documents.get(tx, facts.revision_of).id})
    job = _Job(ctx, facts, dry_run, confirm, progress, jobs, seen)
    reading.sweep(ctx)
    return tuple(_one(job, path) for path in files)


@dataclass(frozen=True)
class _Job:
    """What is asked of every file."""

    ctx: Context
    facts: Facts
    dry_run: bool
    confirm: Confirm | None
    progress: Progress
    jobs: int
    seen: Seen | None


@dataclass(frozen=True)
class _Read:
    """A file that was read: its path, the bytes of it, and what its text is like."""

    path: Path
    size: int
    made: str


def _check(facts: Facts, files: int) -> None:
    if (facts.document_id or facts.revision_of) and files != 1:
        raise UsageError("an id can be given to one file only", "ingest the files one by one")
    if facts.document_id and facts.revision_of:
        raise UsageError("a file is a new document or a revision of one", "give --id or --revision-of")
    if facts.document_id and slug(facts.document_id) != facts.document_id:
        raise UsageError(f"{facts.document_id!a} is no document id", f"try {slug(facts.document_id)}")
    for value in (facts.effective_from, facts.effective_to):
        if not is_date(value):
            raise UsageError(f"{value!a} is no date", "write YYYY-MM-DD")
    if not is_language(facts.language):
        raise UsageError(f"{facts.language!a} is no language tag", "write en, ko, pt-BR ...")


def _one(job: _Job, path: Path) -> Ingested:
    name = path.name
    try:
        known, digest, size = _known(job.ctx, path, job.progress)
        if known:
            return _same(job, path, known, digest)
        parsed = reading.read(job.ctx, path, progress=job.progress, jobs=job.jobs, seen=job.seen, keep=not job.dry_run)
        if not parsed.has_text:
            reading.forget(job.ctx, parsed.sha256)
            said = "; ".join(dict.fromkeys(w.message for w in parsed.warnings)) or "no page gave text"
            return Ingested(file=name, outcome="rejected", pages=parsed.page_count, reason=said)
        job.progress.checkpoint()
        result = _taken(job, parsed, _Read(path, size, text_sketch(parsed)))
        if result.outcome != "rejected" and not job.dry_run:
            reading.forget(job.ctx, parsed.sha256)
        return result
    except (InputError, Conflict) as error:
        return Ingested(file=name, outcome="rejected", reason=str(error))
    except OSError as error:
        return Ingested(file=name, outcome="rejected", reason=f"{visible(name)}: {error.strerror}")


def _same(job: _Job, path: Path, known: str, digest: str) -> Ingested:
    with job.ctx.db.read() as tx:
        document = documents.get(tx, known)
    if job.facts.revision_of not in ("", document.id):
        raise InputError(f"{visible(path.name)} is the document {document.id}", "these very bytes are here already")
    if not job.dry_run:
        source_files.keep(job.ctx, path, digest, job.progress)
        reading.forget(job.ctx, digest)  # a kill after the commit
    return outcome_of(path.name, document, "same")


def _known(ctx: Context, path: Path, progress: Progress) -> tuple[str, str, int]:
    """Document that has these very bytes, their hash and number; a special file is left to the parser to refuse."""
    if not path.is_file():
        return "", "", 0
    digest = file_sha256(path, progress)
    with ctx.db.read() as tx:
        return documents.by_hash(tx, digest), digest, path.stat().st_size


def _taken(job: _Job, parsed: ParsedDocument, read: _Read) -> Ingested:
    """Store what was read: as the revision that a person confirms, else as a document of its own."""
    from curator.parsing import document_slug

    facts, local = job.facts, document_slug(parsed.file)
    target, name, offered = facts.revision_of, facts.document_id or local, None
    if not target and not facts.document_id:
        with job.ctx.db.read() as tx:
            offered = offer(tx, parsed, read.made, local)
        if offered is not None and job.confirm is not None:
            answer = job.confirm(offered)
            if answer.what == "leave":
                return _left(parsed, offered)
            if answer.what == "revision":
                target = offered.document_id
            elif answer.document_id or offered.by_name:
                name = answer.document_id or free_id(job.ctx, local)
    if target:
        return _revised(job, parsed if target == local else renamed(parsed, local, target), target, read)
    return _stored(job, parsed, name, read).model_copy(update={"offer": offered})


def _left(parsed: ParsedDocument, offered: Offer) -> Ingested:
    name = offered.document_id
    why = "has the name of" if offered.by_name else "reads much like"
    said = (
        f"{visible(parsed.file)} {why} the document {name}, {offered.likeness:.0%} alike: `--revision-of {name}` takes "
        "it as a new revision, `--each new` or `--id` as another document"
    )
    return Ingested(file=parsed.file, outcome="rejected", pages=parsed.page_count, reason=said, offer=offered)


def free_id(ctx: Context, document_id: str) -> str:
    """An id like this one that no document has."""
    number = 2
    with ctx.db.read() as tx:
        while documents.exists(tx, f"{document_id}-{number}"):
            number += 1
    return f"{document_id}-{number}"


@contextmanager
def kept_file(ctx: Context, path: Path, sha256: str, progress: Progress) -> Iterator[None]:
    """A copy of the file is kept before what the block stores is committed, and removed when it is not stored."""
    made = source_files.keep(ctx, path, sha256, progress)
    try:
        yield
    except BaseException:
        if made:
            source_files.discard(ctx, sha256)
        raise


def _stored(job: _Job, parsed: ParsedDocument, document_id: str, read: _Read) -> Ingested:
    from curator.parsing import document_slug

    local = document_slug(parsed.file)
    if document_id != local:
        parsed = renamed(parsed, local, document_id)
    found = anchors(parsed)
    document = _document(parsed, job.facts, document_id)
    outcome = outcome_of(parsed.file, document, "new", parsed)
    with job.ctx.db.read() as tx:
        _require_free(tx, parsed, document_id, found)
    if job.dry_run:
        return outcome
    with kept_file(job.ctx, read.path, parsed.sha256, job.progress), job.ctx.write() as tx:
        if documents.by_hash(tx, parsed.sha256):  # another process was faster
            return outcome.model_copy(update={"outcome": "same"})
        _require_free(tx, parsed, document_id, found)
        documents.add(tx, document, parsed, found, read.size, read.made)
    return outcome


def _revised(job: _Job, parsed: ParsedDocument, document_id: str, read: _Read) -> Ingested:
    with job.ctx.db.read() as tx:
        mended = repair.carried(tx, document_id, parsed)
        parsed = mended.document
        planned = revisions.plan(tx, document_id, parsed, job.progress)
        labels = {r.label for r in revision_rows.of_document(tx, document_id)}
    document = _amended(planned.document, parsed, job.facts, labels)
    outcome = revised_outcome(parsed, document, planned, mended)
    if job.dry_run:
        return outcome
    with kept_file(job.ctx, read.path, parsed.sha256, job.progress), job.ctx.write() as tx:
        if documents.by_hash(tx, parsed.sha256):
            return outcome.model_copy(update={"outcome": "same"})
        stale = revisions.store(tx, planned, document, parsed, read.size, read.made)
        repair.note_carried(tx, document.id, mended)
    return outcome.model_copy(update={"stale": stale})


def revised_outcome(
    parsed: ParsedDocument, document: Document, planned: revisions.Plan, mended: repair.Carried
) -> Ingested:
    """What a document became by another revision, or another reading of it, before it is stored."""
    return outcome_of(parsed.file, document, "changed", parsed).model_copy(
        update={
            "verdicts": dict(planned.verdicts),
            "revision": document.revision.label,
            "repairs": len(mended.done),
            "repairs_waiting": len(mended.waiting),
        }
    )


def _amended(before: Document, parsed: ParsedDocument, facts: Facts, labels: set[str]) -> Document:
    """The document with its new revision; what nobody says anew stays as it was."""
    number = len(labels) + 1
    while str(number) in labels:
        number += 1
    said = facts if facts.revision else facts.model_copy(update={"revision": str(number)})
    return amended(before, parsed, said)


def amended(before: Document, parsed: ParsedDocument, facts: Facts) -> Document:
    """The document with what was read now as its revision; what nobody says anew stays as it was."""
    made = _document(parsed, facts, before.id)
    said = ("title", "domain", "document_type", "language", "effective_from", "effective_to")
    return made.model_copy(update={name: getattr(before, name) for name in said if not getattr(facts, name)})


def _require_free(tx: Transaction, parsed: ParsedDocument, document_id: str, found: Sequence[Anchor]) -> None:
    """Raise when the document's id, or one of a source, is taken."""
    if documents.exists(tx, document_id):
        raise InputError(
            f"{visible(parsed.file)} has other bytes than the document {document_id}",
            f"`--revision-of {document_id}` takes it as a new revision, `--id` as another document",
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


def outcome_of(file: str, document: Document, outcome: Outcome, parsed: ParsedDocument | None = None) -> Ingested:
    """What a file became."""
    warnings = document.revision.warnings if outcome in ("new", "changed") else ()
    return Ingested(
        file=file,
        document_id=document.id,
        outcome=outcome,
        pages=document.revision.pages,
        chunks=document.chunks,
        tables=len(parsed.tables) if parsed else 0,
        rows=document.rows,
        warnings=tuple(w.told for w in warnings),
        parser=parsed.parser if parsed else "",
    )


def report(results: Sequence[Ingested]) -> ImportReport:
    """The outcome in the shape that every import prints; a rejected file is a row, by its place in the list."""
    return ImportReport(
        new=sum(r.outcome == "new" for r in results),
        same=sum(r.outcome == "same" for r in results),
        changed=sum(r.outcome == "changed" for r in results),
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
