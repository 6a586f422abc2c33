"""A PDF file as a `ParsedDocument`: the file is opened, read page by page in a child process, and put together."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from curator.domain.document import ParsedDocument
from curator.errors import InputError
from curator.parsing.assemble import FileFacts, assemble
from curator.parsing.child import Child, Died, Late
from curator.parsing.extras import OCR, installed, need, pip_line, version
from curator.parsing.files import OpenFile, document_slug, opened, shown_name
from curator.parsing.raw import RawPage, from_wire
from curator.progress import Progress, Silent
from curator.text import visible

PARSER = "curator-pdf 2"


@dataclass(frozen=True)
class Limits:
    """What one file may cost. Times are in seconds, memory in bytes of address space of the child process.

    The `engine` limits hold for the optional engines: seconds for one page, and after how many failures in a row the
    rest of the file is left alone.
    """

    pages: int = 5000
    page_seconds: float = 5.0
    probe_seconds: float = 8.0
    open_seconds: float = 6.0
    failing_seconds: float = 10.0
    failing_pages: int = 25
    memory: int = 1 << 30
    cpu_seconds: int = 900
    engine_seconds: float = 120.0
    engine_memory: int = 4 << 30
    engine_failures: int = 3


def parse_pdf(
    path: Path, *, name: str = "", limits: Limits | None = None, progress: Progress | None = None,
    ocr: bool | None = None,
) -> ParsedDocument:  # fmt: skip
    """Everything that a PDF file gives.

    A page that cannot be read is marked and never costs the document; a file without any text gives a document whose
    `has_text` is false.

    Args:
        path: A regular file.
        name: The name under which the file is known, when its copy has another one.
        limits: What the file may cost; the defaults are meant for files from anywhere.
        progress: A stage for the file with one step a page; its checkpoint is called every 100 ms.
        ocr: Whether text is recognized on pages that are images: None where the extra is installed, True always, False
            never.

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
    with opened(path) as file, Child(file.descriptor, limits.memory, limits.cpu_seconds, progress) as child:
        facts = FileFacts(known.name, document_slug(known.name), file.sha256, PARSER)
        _probe(child, facts, limits)
        pages = _Reading(child, facts, limits, progress, name).run()
        child.stop()
        if ocr is not False:
            recognize(pages, file, facts, limits, progress, name)
    if file.junk > 0:
        facts.warn("junk-before-header", f"{file.junk} bytes stand before the PDF header")
    return assemble(facts, pages, progress)


def parse_json(document: ParsedDocument) -> str:
    """What `curator parse --json` prints: one line of UTF-8 JSON and a line feed, keys of the wire form."""
    values = document.model_dump(by_alias=True, mode="json")
    first = ("file", "sha256", "pageCount", "pages", "sections", "chunks", "tables", "warnings")
    ordered = {key: values[key] for key in first} | values
    return json.dumps(ordered, ensure_ascii=False, separators=(",", ":"), allow_nan=False) + "\n"


def _probe(child: Child, facts: FileFacts, limits: Limits) -> None:
    """Fills in what the file says of itself; a probe that is late or dies costs only itself."""
    end = time.monotonic() + limits.probe_seconds
    try:
        child.ask({"do": "probe", "most_pages": limits.pages})
        while (message := child.answer(max(0.1, end - time.monotonic())))["kind"] != "done":
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
    pages: list[RawPage], file: OpenFile, facts: FileFacts, limits: Limits, progress: Progress, name: str
) -> None:
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
            page = page_by(child, number, "ocr", limits) if failures < limits.engine_failures else None
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


@dataclass
class _Reading:
    """Reads all pages; after a page that is late or kills the child it goes on behind it with a new one."""

    child: Child
    facts: FileFacts
    limits: Limits
    progress: Progress
    name: str
    pages: dict[int, RawPage] = field(default_factory=dict)
    lost_seconds: float = 0.0
    in_a_row: int = 0

    def run(self) -> list[RawPage]:
        count = self._open()
        self.progress.stage(f"Reading {self.name}", count)
        if self.facts.declared and self.facts.declared != count:
            self.facts.warn("page-count", f"the file says it has {self.facts.declared} pages, {count} can be reached")
        for number, reason in self.facts.large.items():
            if number <= count:
                note = f"page {number} skipped: its content is too large once decoded ({visible(reason)})"
                self._mark(number, "decoded-too-large", note)
        first = 1
        while first <= count:
            first = self._stretch(first, count)
            if first <= count and self._hopeless():
                note = "not read: too many pages before it failed"
                for number in range(first, count + 1):
                    self._mark(number, "", f"page {number} {note}")
                self.facts.warn("pages-not-read", f"pages {first} to {count} {note}")
                break
        return [self.pages[number] for number in range(1, count + 1)]

    def _open(self) -> int:
        try:
            self.child.ask({"do": "open"})
            answer = self.child.answer(self.limits.open_seconds)
        except (Late, Died) as error:
            raise InputError(
                f"{self.name}: cannot be read: opening it breaks the reader", "repair or print it anew"
            ) from error
        problem = answer.get("error")
        if problem == "password":
            raise InputError(f"{self.name}: needs a password", "save a copy without one")
        if problem:
            if self.facts.declared == 0 and "Success" in str(answer.get("reason", "")):
                raise InputError(f"{self.name}: no pages", "export it again")
            raise InputError(f"{self.name}: damaged PDF: cannot be opened", "repair it or export it again")
        count = int(answer["pages"])
        if count <= 0:
            raise InputError(f"{self.name}: no pages", "export it again")
        if count > self.limits.pages:
            raise InputError(
                f"{self.name}: {count:,} pages, over the limit of {self.limits.pages:,}", "split it into parts"
            )
        return count

    def _stretch(self, first: int, count: int) -> int:
        """Reads on from `first` until the end or a failure; gives the page to go on with."""
        start = time.monotonic()
        number = first
        try:
            if not self.child.running:
                self._open()
            self.child.ask({"do": "pages", "first": first, "last": count, "skip": sorted(self.pages)})
            for number in range(first, count + 1):
                if number in self.pages:
                    self.progress.advance()
                    continue
                start = time.monotonic()
                page = from_wire(self.child.answer(self.limits.page_seconds)["page"])
                self.pages[number] = page
                self.in_a_row = self.in_a_row + 1 if page.kind == "damaged" else 0
                self.progress.advance()
                if self._hopeless():
                    self.child.stop()
                    return number + 1
            self.child.answer(self.limits.page_seconds)
        except Late:
            seconds = self.limits.page_seconds
            self._fail(number, start, f"page {number} skipped: reading it takes longer than {seconds:g} s", "page-late")
        except (Died, InputError, KeyError, TypeError, ValueError):
            self._fail(number, start, f"page {number} skipped: it breaks the reader (memory or time)", "page-damaged")
        else:
            return count + 1
        return number + 1

    def _fail(self, number: int, start: float, note: str, code: str) -> None:
        self.child.stop()
        self.lost_seconds += time.monotonic() - start
        self.in_a_row += 1
        if number not in self.pages:
            self._mark(number, code, note)
            self.progress.advance()

    def _mark(self, number: int, code: str, note: str) -> None:
        self.pages[number] = RawPage(number, kind="damaged", note=note, flags=[(code, note)] if code else [])

    def _hopeless(self) -> bool:
        return self.lost_seconds >= self.limits.failing_seconds or self.in_a_row >= self.limits.failing_pages
