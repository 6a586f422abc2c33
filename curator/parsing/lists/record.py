"""What reading a list gives: rows with their fields by path, and what stands beside them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

DEEPEST = 40
LARGEST = 64 * 1024 * 1024
MOST_ROWS = 200_000


class ListRow(NamedTuple):
    """One entry of a list, as it was written.

    Attributes:
        number: As a person counts: place in the list, line, record, or row of the sheet; from 1.
        fields: Path -> value: text, `Number`, `Plain`, bool, None, `Twice`, or a list of such or of dicts.
        group: The name of the list or sheet in which it stands, "" = the only one.
        problem: Why it is no entry, without its text; "" = it is one.
        notes: What reading it had to change, one line each.
        blank: A row of a table in which nothing stands.
    """

    number: int
    fields: dict[str, Any]
    group: str = ""
    problem: str = ""
    notes: tuple[str, ...] = ()
    blank: bool = False


@dataclass
class CaseList:
    """A list that was read.

    Attributes:
        format: json, jsonl, yaml, table, xlsx or text.
        encoding: How its text is encoded, and how that was found; "" for a workbook.
        rows: In the order of the file.
        beside: Path -> value of what stands in the file and is in no row.
        legends: Texts that explain the list: cells of sheets without questions.
        warnings: What a person should know of the file.
        columns: Names of a table's columns, in their order.
    """

    name: str
    format: str
    encoding: str = ""
    rows: list[ListRow] = field(default_factory=list)
    beside: dict[str, Any] = field(default_factory=dict)
    legends: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    columns: list[str] = field(default_factory=list)
