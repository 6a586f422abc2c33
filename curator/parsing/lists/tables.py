"""Tables as lists: which row names the columns, and the rows below it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from curator.domain.list_fields import field_of_name, is_question_text
from curator.domain.list_values import text_of
from curator.parsing.lists.record import CaseList, ListRow

_LOOKED = 15
"""First rows among which the names of the columns are looked for."""

Row = tuple[int, Sequence[Any], tuple[str, ...]]


def header_of(rows: Sequence[Row], given: bool | None = None) -> tuple[list[str], int] | None:
    """The names of the columns, and how many rows they and what stands above them take; None = there is none.

    A name may be written over two rows ("Answer" over "text | source"). A second row that only repeats the names, in
    another language, belongs to the header too.

    Args:
        rows: The first rows.
        given: What a person said: True = the first row is it, False = there is none.
    """
    if given is False:
        return None
    if given:
        return [text_of(c) for c in rows[0][1]], 1
    best, place = 0, -1
    for n, (_, cells, _) in enumerate(rows[:_LOOKED]):
        known = [field_of_name(text_of(c)) for c in cells]
        score = sum(bool(k) for k in known) + 3 * ("turns" in known)
        if (
            score > best
            and ("turns" in known or score >= 2)
            and not any(is_question_text(text_of(c)) for c in cells if len(text_of(c)) > 30)
        ):
            best, place = score, n
    if place < 0:
        return None
    names = [text_of(c) for c in rows[place][1]]
    taken = place + 1
    if taken < len(rows):
        below = [text_of(c) for c in rows[taken][1]]
        said = [b for b in below if b]
        fills = any(b and (n >= len(names) or not names[n]) for n, b in enumerate(below))
        named = [bool(field_of_name(b)) for b in said]
        if (
            len(said) >= 2
            and not any(map(is_question_text, said))
            and all(len(b) < 40 for b in said)
            and (all(named) or (fills and sum(named) * 2 > len(named)))
        ):
            width = max(len(names), len(below))
            names += [""] * (width - len(names))
            below += [""] * (width - len(below))
            group = ""
            for n in range(width):
                group = names[n] or group
                if not names[n]:
                    names[n] = below[n]
                elif not all(named) and below[n]:
                    names[n] = below[n] if field_of_name(below[n]) else names[n]
            taken += 1
    return names, taken


def unique(names: Sequence[str], width: int) -> list[str]:
    """Names that are all different: an unnamed column is called by its place, a repeated name is counted."""
    made: list[str] = []
    for n in range(max(width, len(names))):
        name = " ".join(names[n].split()) if n < len(names) else ""
        name = name or f"(unnamed column {n + 1})"
        count = sum(m == name or m.startswith(f"{name} (") for m in made)
        made.append(f"{name} ({count + 1})" if name in made and count else name)
    return made


def take(
    found: CaseList, rows: Sequence[Row], header: tuple[list[str], int] | None, *, group: str = "", records: bool = True
) -> None:
    """Put the rows of a table into a list.

    Args:
        found: The list.
        rows: All rows: number, cells, notes.
        header: From `header_of`.
        group: Name of the sheet.
        records: Rows are numbered from 1 below the header; else by their own number.
    """
    names, taken = header if header else ([], 0)
    body = rows[taken:]
    width = max((len(r[1]) for r in rows), default=0)
    while width > len(names) and all(len(r[1]) < width or r[1][width - 1] is None for r in body):
        width -= 1
    columns = unique(names, width) if header else [str(n + 1) for n in range(width)]
    found.columns += [c for c in columns if c not in found.columns]
    for n, (number, cells, notes) in enumerate(body, 1):
        fields = {columns[c]: value for c, value in enumerate(cells[:width]) if value is not None and value != ""}
        named = tuple(_named(note, columns) for note in notes)
        found.rows.append(ListRow(n if records else number, fields, group, notes=named, blank=not fields))


def _named(note: str, columns: Sequence[str]) -> str:
    """A note on a column by its number, with its name instead."""
    head, _, rest = note.partition(" ")
    number, _, tail = rest.partition(" ")
    if head == "column" and number.isdecimal() and int(number) <= len(columns):
        return f"{columns[int(number) - 1]} {tail}"
    return note
