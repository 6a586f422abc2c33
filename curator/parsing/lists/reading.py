"""A file is opened, and read by the reader that its content and name ask for."""

from __future__ import annotations

import io
import itertools
from pathlib import Path
from typing import Literal

from pydantic import Field

from curator.domain.list_fields import field_of_name, is_question_text
from curator.domain.list_values import text_of
from curator.domain.model import Model
from curator.errors import InputError
from curator.parsing.lists import finding, jsons, sheets, tables, yamls
from curator.parsing.lists.record import LARGEST, MOST_ROWS, CaseList, ListRow
from curator.parsing.logs.csvrows import Dialect, dialect_of, rows
from curator.parsing.logs.encodings import Encoding
from curator.parsing.logs.opening import LogFile, opened
from curator.progress import Progress, Silent
from curator.text import counted

Format = Literal["", "json", "yaml", "table", "xlsx", "text"]
_ENDINGS: dict[str, Format] = {
    **dict.fromkeys((".json", ".jsonl", ".ndjson", ".json5"), "json"),
    **dict.fromkeys((".yaml", ".yml"), "yaml"),
    **dict.fromkeys((".csv", ".tsv", ".tab", ".psv"), "table"),
}
_SAMPLE = 400_000


class ListProfile(Model):
    """How a list is read; "" and {} and None mean: by its content.

    Attributes:
        format: Which reader.
        encoding: Of a text file, as Python names it.
        delimiter: Of a table: one character.
        header: Whether a table's first row names its columns.
        columns: Column -> field, as a person said; field "" = kept as an attribute.
    """

    format: Format = ""
    encoding: str = ""
    delimiter: str = Field(default="", max_length=1)
    header: bool | None = None
    columns: dict[str, str] = Field(default_factory=dict)


def read(path: Path, how: ListProfile | None = None, progress: Progress | None = None) -> CaseList:
    """Read a list whole.

    Args:
        path: The file.
        how: What a person said of it.
        progress: Its checkpoint is called on the way.

    Raises:
        InputError: It cannot be read: no list, empty, damaged, too large.
        Unsure: Its encoding must be named.
        MissingExtra: A workbook needs one.
    """
    how, progress = how or ListProfile(), progress or Silent()
    with opened(path, "list") as file:
        try:
            found = _read(file, path, how, progress)
        except UnicodeDecodeError:
            raise InputError(
                f"{file.name}: its end is in another encoding than its start", "name it with --encoding"
            ) from None
    if not found.rows:
        raise InputError(f"{file.name}: no entries in it", "a list of questions has one entry a question")
    if len(found.rows) > MOST_ROWS:
        raise InputError(f"{file.name}: more than {MOST_ROWS:,} entries", "split it")
    return found


def _read(file: LogFile, path: Path, how: ListProfile, progress: Progress) -> CaseList:
    if file.kind == "zip" or how.format == "xlsx":
        return _workbook(file, how, progress)
    if file.kind == "parquet":
        raise InputError(f"{file.name}: a Parquet file", "export it as JSON lines or CSV")
    encoding, _ = file.encoding(how.encoding, progress)
    with file.text(encoding, newline="") as stream:
        text = stream.read(LARGEST + 1)
    if len(text) > LARGEST:
        raise InputError(f"{file.name}: a list of more than {LARGEST // 1024**2} MB", "split it")
    text = text.lstrip("\ufeff")
    if not text.strip():
        raise InputError(f"{file.name}: nothing but white space", "export it again")
    chosen = how.format or _chosen(path, text)
    made = CaseList(file.name, chosen, f"{encoding.name} ({encoding.by})")
    if chosen == "json":
        _json(made, text, progress)
    elif chosen == "yaml":
        _yaml(made, text, progress)
    elif chosen == "text":
        _plain_text(made, text)
    else:
        _table(made, text, encoding, how, progress)
    return made


def _chosen(path: Path, text: str) -> Format:
    """The reader for a text: what it begins with, then the end of the file's name, then what it looks like."""
    ending = _ENDINGS.get(path.suffix.casefold(), "")
    head = text.lstrip()[:2000]
    if head[0] in "{[" and ending in ("", "json", "table"):
        return "json"
    if ending:
        return ending
    first = head.split("\n", 1)[0]
    lines = [line for line in text[:_SAMPLE].splitlines() if line.strip()]
    if head.startswith(("//", "/*")):
        return "json"
    if head.startswith(("---", "- ")) or (first.rstrip().endswith(":") and len(first) < 80):
        return "yaml" if not all(is_question_text(line) for line in lines[:20]) else "text"
    dialect = dialect_of(text[:20_000])
    cells = [
        c for row in itertools.islice(rows(io.StringIO(text[:20_000], newline=""), dialect), 10) for c in row.cells
    ]
    if any(field_of_name(c) == "turns" for c in cells):
        return "table"
    asked = sum(is_question_text(line) for line in lines)
    return "text" if asked * 2 > len(lines) and not any("\t" in line for line in lines[:20]) else "table"


def _json(made: CaseList, text: str, progress: Progress) -> None:
    document, lines, said = jsons.read(text, made.name, progress)
    made.warnings += said
    if document is not None:
        finding.rows_of(made, document)
        return
    made.format = "jsonl"
    for number, value, problem in lines:
        made.rows.append(ListRow(number, {}, problem=problem) if problem else finding.row_of(number, value))


def _yaml(made: CaseList, text: str, progress: Progress) -> None:
    found = [d for d in yamls.documents(text, made.name, progress) if d is not None]
    if len(found) > 1 and all(isinstance(d, dict) for d in found):
        finding.rows_of(made, found)
        return
    for document in found:
        finding.rows_of(made, document)


def _plain_text(made: CaseList, text: str) -> None:
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            said = line.strip().lstrip("-*•").strip()
            made.rows.append(ListRow(number, {"question": said}))
    made.columns.append("question")


def _table(made: CaseList, text: str, encoding: Encoding, how: ListProfile, progress: Progress) -> None:
    dialect = dialect_of(_cut(text), how.delimiter)
    if not how.delimiter and "\n" in text:
        dialect = _by_header(text, dialect)
    read: list[tables.Row] = []
    broken: dict[int, str] = {}
    for n, row in enumerate(rows(io.StringIO(text, newline=""), dialect)):
        if n % 500 == 0:
            progress.checkpoint()
        if row.problem:
            broken[len(read)] = f"line {row.line}: {row.problem}"
            read.append((row.line, [], ()))
        elif row.cells:
            read.append((row.line, row.cells, ()))
    if not read:
        raise InputError(f"{made.name}: no rows in it", "export it again")
    header = tables.header_of(read, how.header)
    tables.take(made, read, header)
    first = header[1] if header else 0
    width = len(header[0]) if header else 0
    for n, entry in enumerate(made.rows):
        cells = read[n + first][1]
        if why := broken.get(n + first):
            made.rows[n] = entry._replace(problem=why, blank=False)
        elif header and any(str(c).strip() for c in cells[width:]):
            made.rows[n] = entry._replace(problem=f"it has {counted(len(cells), 'cell')}, not {width}", blank=False)
    made.format = "table"
    if header is None:
        made.warnings.append("no row names the columns: they are called by their numbers")


def _cut(text: str) -> str:
    sample = text[:_SAMPLE]
    return sample if len(sample) < _SAMPLE else sample[: sample.rfind("\n") + 1] or sample


def _by_header(text: str, guessed: Dialect) -> Dialect:
    """The delimiter that gives the most names which are known: long answers may hold more commas than semicolons."""

    def known(delimiter: str) -> int:
        head = list(
            itertools.islice(rows(io.StringIO(text[:20_000], newline=""), guessed._replace(delimiter=delimiter)), 10)
        )
        return max((sum(bool(field_of_name(c)) for c in r.cells) for r in head if len(r.cells) > 1), default=0)

    best = max(",;\t|", key=lambda d: (known(d), d == guessed.delimiter))
    return guessed._replace(delimiter=best) if known(best) > known(guessed.delimiter) else guessed


def _workbook(file: LogFile, how: ListProfile, progress: Progress) -> CaseList:
    made = CaseList(file.name, "xlsx")
    taken, skipped = [], []
    for sheet in sheets.sheets(file, progress):
        if not sheet.rows:
            continue
        header = tables.header_of(sheet.rows, how.header)
        asks = header is not None and (
            any(field_of_name(n) == "turns" for n in header[0]) or any(n in how.columns for n in header[0])
        )
        if how.header is False:
            asks = True
        if sheet.hidden and asks:
            made.warnings.append(f"sheet '{sheet.name}' is hidden: skipped; unhide it to import it")
        elif asks:
            taken.append((sheet, header))
        else:
            skipped.append(sheet)
    if not taken and skipped:  # the whole list, whatever it is: documents with their summaries have no question
        best = max(skipped, key=lambda s: sum(bool(field_of_name(n)) for n in (tables.header_of(s.rows) or ([], 0))[0]))
        skipped.remove(best)
        taken.append((best, tables.header_of(best.rows, how.header)))
    for sheet, header in taken:
        tables.take(made, sheet.rows, header, group=sheet.name if len(taken) > 1 else "", records=False)
        for place in sheet.hidden_columns:
            if header and place < len(header[0]) and header[0][place]:
                made.warnings.append(f"column '{header[0][place]}' is hidden on the sheet; it is read all the same")
    for sheet in skipped:
        made.warnings.append(f"sheet '{sheet.name}' has no question column: skipped")
        made.legends += [" ".join(text_of(c) for c in cells if c is not None) for _, cells, _ in sheet.rows[:200]]
    return made
