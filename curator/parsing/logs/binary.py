"""Parquet files and spreadsheets, as rows of a table. Both need an extra; nothing in them is ever run."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator, Sequence
from typing import Any

from curator.errors import InputError, MissingExtra
from curator.parsing.logs.opening import LogFile
from curator.parsing.logs.values import UNREADABLE

_BATCH_BYTES = 32 * 1024 * 1024
_MOST_ROWS = 2_000_000
_MOST_COLUMNS = 200
_MOST_BLANK = 2000
_MOST_XLSX = 64 * 1024 * 1024


class ParquetRows:
    """The rows of a Parquet file, read in batches under a byte budget; the first is the header."""

    def __init__(self, file: LogFile) -> None:
        if importlib.util.find_spec("pyarrow") is None:
            raise MissingExtra(
                f"{file.name}: a Parquet file needs the extra `parquet`", "pip install 'golden-curator[parquet]'"
            )
        import pyarrow.parquet as parquet

        self._name = file.name
        try:
            self._file = parquet.ParquetFile(file.path, memory_map=False, pre_buffer=False)
            self.header = [str(n) for n in self._file.schema_arrow.names][:_MOST_COLUMNS]
        except Exception:  # noqa: BLE001  pyarrow raises its own, OSError, and more: none may show text of the file
            raise InputError(f"{file.name}: damaged Parquet file", "export it again") from None

    def rows(self) -> Iterator[tuple[int, Sequence[Any], str]]:
        """Rows as tuples of Python values, without a line number; UNREADABLE for a text that is not UTF-8."""
        for batch in self._batches():
            columns = [self._values(batch.column(n)) for n in range(len(self.header))]
            yield from ((0, cells, "") for cells in zip(*columns, strict=True))

    def _batches(self) -> Iterator[Any]:
        """Batches of rows, small ones when rows are large: what a column unpacks to is not in the footer."""
        try:
            rows = max(1, self._file.metadata.num_rows)
            packed = sum(
                self._file.metadata.row_group(g).total_byte_size for g in range(self._file.metadata.num_row_groups)
            )
            size = 64 if packed / rows < 4096 else 8
            yield from self._file.iter_batches(batch_size=size)
        except Exception:  # noqa: BLE001  as above
            raise InputError(f"{self._name}: damaged Parquet file", "export it again") from None

    def _values(self, column: Any) -> Iterator[Any]:
        for item in column:
            try:
                yield _plain(item.as_py())
            except (UnicodeDecodeError, OverflowError, TypeError):
                yield UNREADABLE
            except ValueError:  # a time finer than Python's: its epoch is a number
                yield getattr(item, "value", None) or UNREADABLE


def _plain(value: Any) -> Any:
    """Bytes are text only when they are UTF-8; a time is its ISO text."""
    if isinstance(value, bytes):
        return value.decode("utf-8")
    return value.isoformat() if hasattr(value, "isoformat") else value


def sheet_rows(file: LogFile) -> Iterator[tuple[int, Sequence[Any], str]]:
    """The rows of the first sheet, the header among them; formulas as the text that they are.

    Raises:
        MissingExtra: `xlsx` is not installed.
        InputError: It is no spreadsheet, or damaged.
    """
    if importlib.util.find_spec("openpyxl") is None:
        raise MissingExtra(f"{file.name}: a spreadsheet needs the extra `xlsx`", "pip install 'golden-curator[xlsx]'")
    if file.size > _MOST_XLSX:
        raise InputError(f"{file.name}: a spreadsheet of more than {_MOST_XLSX // 1024**2} MB", "save it as CSV")
    import openpyxl

    try:
        with file.binary() as stream:
            book = openpyxl.load_workbook(stream, read_only=True, data_only=False, keep_links=False)
            blank = 0
            for number, row in enumerate(book.worksheets[0].iter_rows(max_col=_MOST_COLUMNS, values_only=True), 1):
                cells = list(row)
                while cells and cells[-1] is None:
                    cells.pop()
                if not cells:
                    blank += 1
                    if blank > _MOST_BLANK:
                        return  # one far cell makes a million rows
                    continue
                blank = 0
                yield number, [_shown(c) for c in cells], ""
    except InputError:
        raise
    except Exception:  # noqa: BLE001  openpyxl raises KeyError, BadZipFile, ParseError ...: none may show text of the file
        raise InputError(f"{file.name}: no spreadsheet, or a damaged one", "save it as CSV") from None


def _shown(cell: Any) -> Any:
    if hasattr(cell, "isoformat"):
        return cell.isoformat()
    return cell if cell is None or isinstance(cell, str | int | float | bool) else str(cell)
