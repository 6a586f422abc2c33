"""The files that targets write, line by line: JSON Lines, a JSON list, and CSV that no spreadsheet obeys."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

from curator.domain.canonical import dumps
from curator.exporting.targets.protocol import Folder, Stream

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", "|")
"""A spreadsheet takes a cell that begins with one of these for a formula, or for a command (DDE) the last."""


class JsonLines:
    """A JSON Lines file that exists once it has a line."""

    def __init__(self, folder: Folder, name: str) -> None:
        self._folder = folder
        self._stream: Stream | None = None
        self.name = name
        self.count = 0

    def write(self, value: Any) -> None:
        """Append a value in compact JSON; U+0085, U+2028 and U+2029 escaped, NaN refused."""
        self.write_raw((dumps(value) + "\n").encode())

    def write_raw(self, line: bytes) -> None:
        """Append a line as it is, line feed included."""
        if self._stream is None:
            self._stream = self._folder.open(self.name)
        self._stream.write(line)
        self.count += 1


class JsonList:
    """A file of one JSON list, one value a line, that exists once it has a value."""

    def __init__(self, folder: Folder, name: str) -> None:
        self._lines = JsonLines(folder, name)

    def write(self, value: Any) -> None:
        """Append a value."""
        before = "," if self._lines.count else "["
        self._lines.write_raw(f"{before}\n{dumps(value)}".encode())

    def finish(self) -> None:
        """End the list."""
        if self._lines.count:
            self._lines.write_raw(b"\n]\n")


class Table:
    """A CSV or TSV file with a header, UTF-8, line feeds; cells that a spreadsheet would obey get a leading "'".

    `of_ids`: its cells are ids and numbers, which hold no formula and are looked up elsewhere: they stay exact.
    """

    def __init__(
        self, folder: Folder, name: str, header: Sequence[str], delimiter: str = ",", *, of_ids: bool = False
    ) -> None:
        self._stream = folder.open(name)
        self._delimiter = delimiter
        self._of_ids = of_ids
        self.count = -1
        self.write(header)

    def write(self, cells: Iterable[object]) -> None:
        """Append a row."""
        text = io.StringIO(newline="")
        writer = csv.writer(text, delimiter=self._delimiter, lineterminator="\n")
        writer.writerow([str(cell) if self._of_ids else defused(str(cell)) for cell in cells])
        self._stream.write(text.getvalue().encode())
        self.count += 1


def defused(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula; numbers stay as they are."""
    if not cell.lstrip(" ").startswith(_FORMULA) or _is_number(cell):
        return cell
    return "'" + cell


def _is_number(cell: str) -> bool:
    return cell.removeprefix("-").replace(".", "", 1).isdecimal() and cell.isascii()
