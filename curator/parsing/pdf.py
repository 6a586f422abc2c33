"""A PDF file as a `ParsedDocument`: the file is opened, read page by page in a child process, and put together."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path

from curator.domain.document import ParsedDocument
from curator.parsing.assemble import FileFacts, assemble
from curator.parsing.child import Child, Died, Late, Watch
from curator.parsing.extras import OCR, installed, need, pip_line, version
from curator.parsing.files import OpenFile, document_slug, opened, shown_name
from curator.parsing.kept_pages import KeptPages
from curator.parsing.limits import Limits, jobs_for
from curator.parsing.raw import RawPage, from_wire, plain_text, to_wire
from curator.parsing.reading import Reading
from curator.parsing.rules import PARSER
from curator.progress import Progress, Silent
from curator.text import counted

Seen = Callable[[int, str], None]


def parse_pdf(
    path: Path, *, name: str = "", limits: Limits | None = None, progress: Progress | None = None,
    ocr: bool | None = None, jobs: int = 0, keep: Path | None = None, seen: Seen | None = None,
) -> ParsedDocument:  # fmt: skip
    """Everything that a PDF file gives.

    A page that cannot be read is marked and never costs the document; a file without any text gives a document whose
    `has_text` is false. How many processes read it makes no difference to the result.

    Args:
        path: A regular file.
        name: The name under which the file is known, when its copy has another one.
        limits: What the file may cost; the defaults are meant for files from anywhere.
        progress: A stage for the file with one step a page; its checkpoint is called every 100 ms.
        ocr: Whether text is recognized on pages that are images: None where the extra is installed, True always, False
            never.
        jobs: How many processes read pages; 0 = one a processor, at most four.
        keep: Folder where pages are kept until `kept_pages.forget`: those that are there are not read again.
        seen: Told the number and the text of each page that was read, as soon as it is there; not in order.

    Raises:
        InputError: Nothing can be read: no such or no regular file, empty, not a PDF, needs a password, no pages, too
            many pages.
        MissingExtra: `ocr` is True and the extra is not installed.
        Cancelled: The person stopped it.
    """
    limits, progress = limits or Limits(), progress or Silent()
    known = Path(name or path.name)
    name = shown_name(known)
    if ocr:
        need(OCR, f"{name}: no text can be recognized")
    with opened(path) as file:
        facts = FileFacts(known.name, document_slug(known.name), file.sha256, PARSER)

        def child() -> Child:
            return Child(file.descriptor, limits.memory, limits.cpu_seconds, progress)

        def told(page: RawPage) -> None:
            if seen is not None:
                seen(page.index, plain_text(page))

        with child() as first, KeptPages(keep, file.sha256, PARSER) as kept:
            _probe(first, facts, limits)
            count = jobs_for(jobs, os.fstat(file.descriptor).st_size)
            pages = Reading(first, child, count, facts, limits, progress, name, kept, told if seen else None).run()
            if ocr is not False:
                recognize(pages, file, facts, limits, progress, name, kept)
    if file.junk > 0:
        facts.warn("junk-before-header", f"{counted(file.junk, 'byte stands', 'bytes stand')} before the PDF header")
    return assemble(facts, pages, progress)


def parse_json(document: ParsedDocument) -> str:
    """What `curator parse --json` prints: one line of UTF-8 JSON and a line feed, keys of the wire form."""
    values = document.model_dump(by_alias=True, mode="json")
    first = ("file", "sha256", "pageCount", "pages", "sections", "chunks", "tables", "warnings")
    ordered = {key: values[key] for key in first} | values
    return json.dumps(ordered, ensure_ascii=False, separators=(",", ":"), allow_nan=False) + "\n"


def _probe(child: Child, facts: FileFacts, limits: Limits) -> None:
    """Fills in what the file says of itself; a probe that is late or dies costs only itself."""
    try:
        child.ask({"do": "probe", "most_pages": limits.pages})
        watch = Watch(child)
        while (message := child.answer(limits.probe_seconds))["kind"] != "done":
            if watch.over(limits.probe_seconds):
                raise Late
            if message["kind"] == "meta":
                facts.declared = int(message.get("declared", 0))
                facts.title = str(message.get("title", ""))
                facts.active = [str(kind) for kind in message.get("active", [])]
                facts.attachments = [str(name) for name in message.get("attachments", [])]
            elif message["kind"] == "labels":
                facts.labels = [str(label) for label in message["labels"]]
            elif message["kind"] == "outline":
                facts.outline = [(int(e[0]), str(e[1]), int(e[2])) for e in message["entries"]]
                if message["fault"]:
                    facts.warn("outline-ignored", str(message["fault"]))
            elif message["kind"] == "large":
                facts.large[int(message["page"])] = str(message["reason"])
    except (Late, Died, KeyError, TypeError, ValueError):
        child.stop()


def recognize(
    pages: list[RawPage], file: OpenFile, facts: FileFacts, limits: Limits, progress: Progress, name: str,
    kept: KeptPages,
) -> None:  # fmt: skip
    """Replaces pages that are images by what is recognized on them, or says how that is to be had."""
    images = [page.index for page in pages if page.kind == "scanned"]
    if not images:
        return
    if not installed(OCR):
        for number in images:
            note = f"no text on page {number}: it is an image ({pip_line(OCR)} lets it be recognized)"
            pages[number - 1].flags = [("no-text", note)]
        return
    progress.stage(f"Recognizing {name}", len(images))
    failures = 0
    with Child(file.descriptor, limits.engine_memory, limits.cpu_seconds, progress) as child:
        for number in images:
            page = kept.recognized.get(number)
            if page is None and failures < limits.engine_failures:
                page = page_by(child, number, "ocr", limits)
                if page is not None:
                    kept.add(json.dumps({"engine": "ocr", "page": to_wire(page)}).encode())
            failures = failures + 1 if page is None else 0
            if page is None:
                note = f"page {number} is an image: recognizing its text failed"
                pages[number - 1].note = note
                pages[number - 1].flags.append(("ocr-failed", note))
            else:
                pages[number - 1] = page
            progress.advance()
    if any(page.recognized for page in pages):
        facts.parser = f"{facts.parser} + {version(OCR)}"


def page_by(
    child: Child, number: int, engine: str, limits: Limits, box: Sequence[float] = ()
) -> RawPage | None:  # fmt: skip
    """One page by an optional engine; None when that is late, dies or finds the page unreadable. `box`: see worker."""
    try:
        if not child.running:
            child.ask({"do": "open"})
            if "pages" not in child.answer(limits.open_seconds):
                return None
        child.ask({"do": "page", "page": number, "engine": engine, "box": list(box)})
        page = from_wire(child.answer(limits.engine_seconds)["page"])
    except (Late, Died, KeyError, TypeError, ValueError):
        child.stop()
        return None
    return None if page.kind == "damaged" else page
