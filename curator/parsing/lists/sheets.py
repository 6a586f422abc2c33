"""Workbooks as tables: one a sheet, formulas as the values that they had, merged cells filled, nothing ever run.

A workbook is a zip: what it unpacks to is known before anything is unpacked, and is limited.
"""

from __future__ import annotations

import importlib.util
import re
import zipfile
import zlib
from collections.abc import Iterator
from typing import Any, NamedTuple

from curator.domain.list_values import Number
from curator.errors import InputError, MissingExtra
from curator.parsing.logs.opening import LogFile
from curator.progress import Progress

MOST_BYTES = 96 * 1024 * 1024
_MOST_PARTS = 5000
_MOST_COLUMNS = 200
_MOST_ROWS = 200_000
_MOST_BLANK = 2000
_MOST_MERGED = 200_000
_ZEROS = re.compile(r"0{2,20}")


class Sheet(NamedTuple):
    """A sheet: its rows (number from 1, cells, notes); what is hidden in it."""

    name: str
    hidden: bool
    rows: list[tuple[int, list[Any], tuple[str, ...]]]
    hidden_columns: tuple[int, ...]


def sheets(file: LogFile, progress: Progress) -> Iterator[Sheet]:
    """The sheets of a workbook.

    Raises:
        MissingExtra: `xlsx` is not installed.
        InputError: It is no workbook, too large, or damaged.
    """
    if importlib.util.find_spec("openpyxl") is None:
        raise MissingExtra(f"{file.name}: a workbook needs the extra `xlsx`", "pip install 'golden-curator[xlsx]'")
    with_formulas = _require_harmless(file)
    try:
        book = _loaded(file, values=True)
        formulas = _loaded(file, values=False) if with_formulas else None
        for place, sheet in enumerate(book.worksheets):
            yield _sheet(sheet, formulas.worksheets[place] if formulas else None, progress)
    except InputError:
        raise
    except Exception as error:  # openpyxl raises KeyError, ParseError, ValueError ...: none may show text of the file
        if type(error).__module__.startswith("curator"):
            raise
        raise InputError(f"{file.name}: no workbook, or a damaged one", "save it as CSV") from None


def _require_harmless(file: LogFile) -> bool:
    """Raise for what unpacks to too much, or is no workbook; gives whether there are formulas in it."""
    try:
        with file.binary() as stream, zipfile.ZipFile(stream) as archive:
            parts = archive.infolist()
            if not any(p.filename == "xl/workbook.xml" for p in parts):
                raise InputError(
                    f"{file.name}: a zip file, and no workbook in it", "unpack it, and import what is inside"
                )
            if len(parts) > _MOST_PARTS or sum(p.file_size for p in parts) > MOST_BYTES:
                raise InputError(
                    f"{file.name}: it unpacks to more than {MOST_BYTES // 1024**2} MB", "save the sheet as CSV"
                )
            found = False
            for part in parts:
                if part.filename.startswith("xl/worksheets/") and part.filename.endswith(".xml"):
                    found = found or b"<f" in archive.read(part)
            return found
    except InputError:
        raise
    except (zipfile.BadZipFile, OSError, ValueError, RuntimeError, NotImplementedError, EOFError, zlib.error):
        raise InputError(f"{file.name}: no workbook, or a damaged one", "save it as CSV") from None


def _loaded(file: LogFile, *, values: bool) -> Any:
    import warnings

    import openpyxl

    with file.binary() as stream, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of parts that openpyxl does not know
        return openpyxl.load_workbook(stream, data_only=values, keep_links=False)


def _sheet(sheet: Any, formulas: Any, progress: Progress) -> Sheet:
    merged: dict[tuple[int, int], tuple[int, int]] = {}
    for area in sheet.merged_cells.ranges:
        if len(merged) > _MOST_MERGED:
            break
        for row in range(area.min_row, min(area.max_row, area.min_row + 1000) + 1):
            for column in range(area.min_col, min(area.max_col, _MOST_COLUMNS) + 1):
                if (row, column) != (area.min_row, area.min_col):
                    merged[row, column] = (area.min_row, area.min_col)
    rows: list[tuple[int, list[Any], tuple[str, ...]]] = []
    blank = 0
    for number, cells in enumerate(sheet.iter_rows(max_col=min(sheet.max_column, _MOST_COLUMNS)), 1):
        if number % 200 == 0:
            progress.checkpoint()
        values, notes = _row(sheet, formulas, number, cells, merged)
        blank = 0 if any(v is not None for v in values) else blank + 1
        if number > _MOST_ROWS or blank > _MOST_BLANK:
            break  # one far cell makes a million rows
        rows.append((number, values, notes))
    while rows and not any(c is not None for c in rows[-1][1]):
        rows.pop()
    hidden = tuple(
        c for letter, d in sheet.column_dimensions.items() if d.hidden
        for c in range((d.min or 1) - 1, min(d.max or d.min or 1, _MOST_COLUMNS))
    )  # fmt: skip
    return Sheet(str(sheet.title), sheet.sheet_state != "visible", rows, hidden)


def _row(
    sheet: Any, formulas: Any, number: int, cells: Any, merged: dict[Any, Any]
) -> tuple[list[Any], tuple[str, ...]]:
    values: list[Any] = []
    notes = []
    for column, cell in enumerate(cells, 1):
        value = _value(cell)
        if value is None and (head := merged.get((number, column))) is not None and head[1] == column:
            value = _value(sheet.cell(*head))
            if value is not None:
                notes.append(f"column {column} filled down from the merged cell above")
        if formulas is not None and formulas.cell(number, column).data_type == "f":
            if value is None:
                notes.append(f"column {column} is a formula without a stored value: left empty")
            elif isinstance(value, Number):
                notes.append(f"column {column} is a number from a formula: {value}")
        values.append(value)
    if (dimension := sheet.row_dimensions.get(number)) is not None and dimension.hidden:
        notes.append("the row is hidden on the sheet; it is taken all the same")
    return values, tuple(notes)


def _value(cell: Any) -> Any:
    """What a cell says: numbers as they are shown where zeros lead, days without a time."""
    value = cell.value
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
            value = int(value)
        shown = str(cell.number_format or "")
        if _ZEROS.fullmatch(shown) and isinstance(value, int):
            return str(value).zfill(len(shown))
        if shown.endswith("%") and isinstance(value, float | int):
            return f"{round(value * 100, 6):g}%"
        return Number(repr(value))
    if hasattr(value, "isoformat"):
        text = value.isoformat()
        return text.removesuffix("T00:00:00")
    text = str(value)
    return None if cell.data_type == "e" or not text.strip() else text
