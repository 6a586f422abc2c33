"""The document put together from its pages: pure, in the parent process, the same input always gives the same."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from curator.domain.canonical import row_text
from curator.domain.document import Page, ParsedDocument, ParseWarning, Row, Section, Table
from curator.domain.identity import mint, slug
from curator.parsing.chunks import make_chunks
from curator.parsing.flow import Flow, make_flow
from curator.parsing.hyphens import Hyphens
from curator.parsing.language import guess_language
from curator.parsing.numbering import DECIMAL, caption_number, is_contents, read_label
from curator.parsing.raw import RawPage
from curator.parsing.rules import PARSER, noted, parser_by
from curator.parsing.running import find_running, printed_labels
from curator.parsing.sections import Tree, build_tree
from curator.parsing.tables import Body, Draft, make_tables
from curator.progress import Progress
from curator.text import clean, counted, nfc, one_line

_MARK = re.compile(r"\s?\[\^[^\]]*\]")
_PAGE = re.compile(r"\bpage\b|\bseite\b|\d+ / \d+", re.IGNORECASE)
LONGEST_NAME = 120
_SENTENCE = re.compile(
    r"\b(?:shall|must|should|is|are|was|were|has|have|may|can|will|ist|sind|wird|werden|muss|müssen|est|sont|ont|peut"
    r"|doit|doivent|son|es|está|debe|deben)\b|[.!]\s+(?-i:[A-Z])|다$|다\.|。",
    re.IGNORECASE,
)
_NO_TITLE = re.compile(
    r"(?:untitled|microsoft (?:word|powerpoint|excel)|powerpoint presentation|document\d*|book\d+|presentation\d*"
    r"|.*\.(?:docx?|pdf|indd|qxd|rtf|xlsx?|pptx?|odt|tex|dvi|txt|html?|jpe?g|png|tiff?|exe|p65|fm|ps|eps)"
    r"|slide \d+|page \d+)\b.*|[\W\d_]*",
    re.IGNORECASE,
)
_CODE = re.compile(r"(?=\S*\d)\S+|\S*[_/\\]\S*")  # one word with a digit, an underline or a slash in it


@dataclass
class FileFacts:
    """What is known of a file beside its pages."""

    file: str
    document: str
    sha256: str
    parser: str
    title: str = ""
    declared: int = 0
    labels: list[str] = field(default_factory=list)
    outline: list[tuple[int, str, int]] = field(default_factory=list)
    active: list[str] = field(default_factory=list)
    attachments: list[str] = field(default_factory=list)
    large: dict[int, str] = field(default_factory=dict)
    warnings: list[ParseWarning] = field(default_factory=list)

    def warn(self, code: str, message: str, page: int = 0) -> None:
        """Adds a warning; page 0 speaks of the whole file."""
        self.warnings.append(ParseWarning(page=page, code=code, message=message))


def assemble(facts: FileFacts, pages: list[RawPage], progress: Progress) -> ParsedDocument:
    """A valid document, even when no page gave text."""
    with noted() as versions:
        made = _assemble(facts, pages, progress)
    versions |= {page.rules for page in pages if page.rules}
    return made.model_copy(update={"parser": made.parser.replace(PARSER, parser_by(versions), 1)})


def _assemble(facts: FileFacts, pages: list[RawPage], progress: Progress) -> ParsedDocument:
    _storable(pages, facts)
    progress.checkpoint()
    running = find_running(pages)
    labels = _labels(facts, pages, running)
    hyphens = Hyphens(_texts(pages))
    flow = make_flow(pages, running, facts.outline)
    for para in flow.paragraphs:
        para.text = hyphens.join([line.text for _, line in para.lines])
    _mend_cells(pages, hyphens)
    progress.checkpoint()
    tree = build_tree(flow, facts.outline)
    taken: set[str] = set()
    chunks = make_chunks(tree, facts.document, pages, taken)
    drafts = make_tables(tree.placed)
    title = _title(facts, tree, flow, _running_title(pages, running))
    named = title != _stem(facts)
    for draft in drafts:
        if not draft.title and named and len(pages) >= 2 and 2 * len(draft.pages) >= len(pages):
            draft.title = title  # the document is this table
    tables = _Tables(facts.document, pages, taken).make(drafts)
    progress.checkpoint()
    made = [_page(page, out, label, hyphens) for page, out, label in zip(pages, running, labels, strict=True)]
    _file_warnings(facts)
    warnings = [*facts.warnings, *(ParseWarning(page=p.index, code=c, message=m) for p in pages for c, m in p.flags)]
    text = "\n".join(page.text for page in made[:40])
    return ParsedDocument(
        file=_plain_name(facts.file),
        sha256=facts.sha256,
        page_count=len(pages),
        title=title,
        language=guess_language(text),
        parser=facts.parser,
        pages=tuple(made),
        sections=tuple(
            Section(path=n.path, title=n.title, label=n.label, page=n.page, level=len(n.path)) for n in tree.nodes
        ),
        chunks=tuple(chunks),
        tables=tuple(tables),
        warnings=tuple(sorted(warnings, key=lambda w: w.page)),
    )


def _plain_name(name: str) -> str:
    """The file's name as text that can be stored: bytes that are no UTF-8 become U+FFFD."""
    return clean(name)[0]


def _storable(pages: list[RawPage], facts: FileFacts) -> None:
    """Every text NFC and free of what no database takes; replaced characters are counted page by page."""
    for page in pages:
        count = 0
        for line in page.lines:
            text, bad = clean(line.text)
            line.text, count = nfc(text), count + bad
        for table in page.tables:
            for cell in table.cells:
                text, bad = clean(cell.text)
                cell.text, count = nfc(text), count + bad
        page.lines = [line for line in page.lines if line.text.strip()] if not page.tables else page.lines
        if count:
            page.flags.append(
                ("characters-replaced", f"page {page.index}: {counted(count, 'character')} replaced by U+FFFD")
            )
    facts.labels = [clean(label)[0] for label in facts.labels]
    facts.outline = [(level, clean(title)[0], page) for level, title, page in facts.outline]
    facts.title = nfc(clean(facts.title)[0])


def _texts(pages: list[RawPage]) -> list[str]:
    texts = []
    for page in pages:
        run = ""
        for line in page.lines:
            run += line.text if not run or run.endswith("\u00ad") else "\n" + line.text
        texts.append(run)
        texts.extend(cell.text for table in page.tables for cell in table.cells)
    return texts


def _mend_cells(pages: list[RawPage], hyphens: Hyphens) -> None:
    for page in pages:
        for table in page.tables:
            for cell in table.cells:
                cell.text = hyphens.mend(cell.text)


def _labels(facts: FileFacts, pages: list[RawPage], running: list[set[int]]) -> list[str]:
    """Labels that the file declares, else those printed on the pages."""
    if len(facts.labels) == len(pages) and facts.labels != [str(n) for n in range(1, len(pages) + 1)]:
        return facts.labels
    return printed_labels(pages, running)


def _page(page: RawPage, out: set[int], label: str, hyphens: Hyphens) -> Page:
    """The page's text with table rows in their place, one a line, cells apart by " | "."""
    lines: list[str] = []
    tables = sorted(page.tables, key=lambda t: t.place)
    for i in range(len(page.lines) + 1):
        while tables and tables[0].place <= i:
            table = tables.pop(0)
            for r in sorted({cell.row for cell in table.cells}):
                row = sorted((c for c in table.cells if c.row == r and c.text), key=lambda c: c.column)
                if row:
                    lines.append(" | ".join(cell.text for cell in row))
        if i < len(page.lines) and i not in out:
            lines.append(page.lines[i].text)
    text = hyphens.page(lines)
    return Page(
        index=page.index,
        label=label,
        chars=len(text),
        kind=page.kind,
        note=page.note,
        recognized=page.recognized,
        text=text,
        running=tuple(hyphens.mend(page.lines[i].text) for i in sorted(out)),
    )


class _Tables:
    """Drafts as tables with minted ids."""

    def __init__(self, document: str, pages: list[RawPage], taken: set[str]) -> None:
        self.document = document
        self.pages = pages
        self.taken = taken
        self.slugs: set[str] = set()

    def make(self, drafts: list[Draft]) -> list[Table]:
        return [self._table(draft) for draft in drafts]

    def _table(self, draft: Draft) -> Table:
        container = f"{self.document}.{self._slug(draft)}"
        path = draft.node.path if draft.node is not None else ()
        rows = []
        for body in draft.rows:
            key_cell = next((_MARK.sub("", cell) for cell in body.cells if cell), "row")
            key = slug(key_cell, fallback="row")
            if f"{container}:{key}" in self.taken and body.section:
                key = f"{slug(body.section, limit=32)}.{key}"
            row_id = mint(container, key, self.taken)
            self.taken.add(row_id)
            where = (*path, body.section) if body.section else path
            rows.append(
                Row(
                    id=row_id,
                    page=body.page,
                    cells=tuple(body.cells),
                    section=body.section,
                    text=row_text(draft.title, where, draft.header, body.cells),
                    box=self.pages[body.page - 1].display(body.box),
                    question=self._asked(body, row_id),
                )
            )
        raw = draft.pieces[0].table
        return Table(
            id=container,
            title=draft.title,
            pages=draft.pages,
            header=tuple(draft.header),
            rows=tuple(rows),
            section_path=path,
            footnotes=tuple(draft.footnotes),
            origin=raw.origin,
            confidence=round(raw.confidence * (1.0 if any(draft.header) else 0.8), 2),
        )

    def _asked(self, body: Body, row_id: str) -> str:
        """The row's question, said as a warning of its page as well."""
        if body.question:
            self.pages[body.page - 1].flags.append(("split-row", f"page {body.page}: {row_id}: {body.question}"))
        return body.question

    def _slug(self, draft: Draft) -> str:
        number = caption_number(draft.title)
        if number:
            name = slug(f"table {number}", dots=True)
        elif draft.title and _names(draft.title):
            name = slug(_MARK.sub("", draft.title), limit=40, fallback="table")
        elif draft.node is not None:
            name = f"{slug(draft.node.full_key, limit=40, dots=True)}-table"
        else:
            name = "table"
        base, count = name, 1
        while name in self.slugs:
            count += 1
            name = f"{base}-{count}"
        self.slugs.add(name)
        return name


def _names(title: str) -> bool:
    """Whether a title names the table; a sentence that leads to it or a numbered provision says something else."""
    label = read_label(title)
    if title.endswith((":", "：", "?", "？")) or (label is not None and label.kind == DECIMAL):
        return False
    return len(title) <= LONGEST_NAME and _SENTENCE.search(title) is None


def _running_title(pages: list[RawPage], running: list[set[int]]) -> str:
    """What stands over every page from the first one on, but for page numbers."""
    if len(pages) < 2:
        return ""
    page = pages[0]
    lines = [page.lines[i] for i in sorted(running[0]) if page.lines[i].bottom < 0.15 * page.height]
    text = " ".join(line.text for line in lines)
    return text if len(re.findall(r"[^\W\d_]{2,}", text)) >= 2 and not _PAGE.search(text) else ""


def _is_title(declared: str, stem: str) -> bool:
    """Whether the metadata give a title: not what a program writes there, a file's name, or a code of one word.

    The name of this very file is one only where it is written as words: "Exclusion rules" for `exclusion-rules.pdf`.
    """
    if len(declared) < 4 or _NO_TITLE.fullmatch(declared) or _CODE.fullmatch(declared):
        return False
    return " " in declared if slug(declared) == slug(stem) else True


def _title(facts: FileFacts, tree: Tree, flow: Flow, over_pages: str) -> str:
    """From the metadata when that is a title, else the large heading of page 1, the running head, the file's name."""
    declared = " ".join(facts.title.split())
    stem = _stem(facts)
    if _is_title(declared, stem):
        return declared[:300]
    if tree.title:
        return tree.title[:300]
    large = (n for n in tree.nodes if n.page == 1 and not n.label and n.weight > flow.body_size + 1)
    first = next((n for n in large if not is_contents(n.title)), None)
    return (first.title if first is not None else over_pages or stem)[:300]


def _stem(facts: FileFacts) -> str:
    return re.sub(r"\.pdf$", "", _plain_name(facts.file), flags=re.IGNORECASE)


def _file_warnings(facts: FileFacts) -> None:
    if facts.active:
        kinds = ", ".join(facts.active)
        facts.warn("active-content-ignored", f"the file wants to start something ({kinds}): nothing was run")
    if facts.attachments:
        names = ", ".join(one_line(name, 60) for name in facts.attachments[:5])
        facts.warn("attachments-ignored", f"{len(facts.attachments)} attached files were not extracted: {names}")
