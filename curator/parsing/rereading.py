"""One page read again by another engine: what the reader offers when the tables of a page are wrong.

Nothing is stored here; what comes back is a proposal, and which of its tables take the place of which is a person's
decision.
"""

from __future__ import annotations

from pathlib import Path

from curator.domain.document import Box, ParseWarning, Row, Table
from curator.domain.model import Model
from curator.errors import InputError, UsageError
from curator.parsing.assemble import FileFacts, assemble
from curator.parsing.child import Child, Died, Late
from curator.parsing.extras import OCR, TABLES, need, version
from curator.parsing.files import document_slug, opened, shown_name
from curator.parsing.limits import Limits
from curator.parsing.pdf import page_by
from curator.parsing.raw import RawPage, from_wire
from curator.parsing.rules import PARSER
from curator.progress import Progress, Silent

ENGINES = ("curator", "camelot", "ocr")
REGION = "region"
_EXTRA = {"camelot": TABLES, "ocr": OCR}
_AROUND = 2  # pages before and after are read as well: running lines and joined tables show only beside them


class PageReading(Model):
    """One page as one engine reads it.

    Attributes:
        page: Its number, from 1.
        engine: One of `ENGINES`.
        parser: Name and version of the rules, the engine's included.
        tables: Tables with at least one row on this page, with those rows alone; ids are of this reading only.
        text: The page in reading order.
        recognized: Confidence when its text was recognized in an image, 0 to 1; else 0.
        warnings: What is to be known of this page.
    """

    page: int
    engine: str
    parser: str
    tables: tuple[Table, ...]
    text: str
    recognized: float = 0.0
    warnings: tuple[ParseWarning, ...] = ()


def reread(
    path: Path, page: int, engine: str, *, name: str = "", box: Box | None = None, limits: Limits | None = None,
    progress: Progress | None = None,
) -> PageReading:  # fmt: skip
    """Reads one page again; the file is never changed.

    Args:
        path: The PDF file.
        page: Number of the page, from 1.
        engine: "curator" (our own rules), "camelot" (the extra `tables`: its hybrid reading of where cells lie, filled
            with our text), "ocr" (the extra `ocr`: the page is drawn and recognized, whether it has text or not) or
            "region": what stands in the box is one table, and the only one.
        name: The name under which the file is known, when its copy has another one.
        box: Left, top, right, bottom in points of the display; for "region" alone.
        limits: What it may cost.
        progress: Its checkpoint is called every 100 ms; the reading ends when it raises.

    Raises:
        UsageError: No such engine or page.
        MissingExtra: The engine is not installed; the hint is the pip line.
        InputError: The file cannot be read, or this page of it, or not by this engine.
        Cancelled: The person stopped it.
    """
    limits, progress = limits or Limits(), progress or Silent()
    known = Path(name or path.name)
    name = shown_name(known)
    if engine not in ENGINES and (engine != REGION or box is None):
        raise UsageError(f"no engine '{engine}'", f"one of {', '.join(ENGINES)}")
    if engine in _EXTRA:
        need(_EXTRA[engine], f"{name}: page {page} cannot be read by {engine}")
    facts = FileFacts(known.name, document_slug(known.name), "0" * 64, PARSER)
    with opened(path) as file:
        facts.sha256 = file.sha256
        with Child(file.descriptor, limits.memory, limits.cpu_seconds, progress) as child:
            pages = _around(child, page, limits, name)
        if engine != "curator":
            with Child(file.descriptor, limits.engine_memory, limits.cpu_seconds, progress) as child:
                made = page_by(child, page, engine, limits, box or ())
            if made is None:
                raise InputError(f"{name}: page {page} cannot be read by {engine}", "try another engine")
            pages[page - 1] = made
            facts.parser = f"{PARSER} + {version(_EXTRA[engine])}" if engine in _EXTRA else PARSER
    document = assemble(facts, pages, progress)
    tables = tuple(t for table in document.tables if (t := _on(table, page)) is not None)
    here = document.pages[page - 1]
    warnings = tuple(w for w in document.warnings if w.page == page)
    return PageReading(
        page=page, engine=engine, parser=facts.parser, tables=tables, text=here.text, recognized=here.recognized,
        warnings=warnings,
    )  # fmt: skip


def _around(child: Child, page: int, limits: Limits, name: str) -> list[RawPage]:
    """All pages up to the last one read; those far from this one are empty."""
    try:
        child.ask({"do": "open"})
        count = int(child.answer(limits.open_seconds).get("pages", 0))
        if count <= 0:
            raise InputError(f"{name}: cannot be opened", "repair it or export it again")
        if not 1 <= page <= count:
            raise UsageError(f"{name}: has no page {page}", f"pages are 1 to {count}")
        first, last = max(1, page - _AROUND), min(count, page + _AROUND)
        pages = [RawPage(number) for number in range(1, last + 1)]
        child.ask({"do": "pages", "first": first, "last": last, "skip": []})
        for number in range(first, last + 1):
            pages[number - 1] = from_wire(child.answer(limits.page_seconds)["page"])
    except (Late, Died, KeyError, TypeError, ValueError) as error:
        raise InputError(
            f"{name}: page {page} breaks the reader (memory or time)", "repair or print it anew"
        ) from error
    return pages


def _on(table: Table, page: int) -> Table | None:
    rows: tuple[Row, ...] = tuple(row for row in table.rows if row.page == page)
    return table.model_copy(update={"rows": rows, "pages": (page,)}) if rows else None
