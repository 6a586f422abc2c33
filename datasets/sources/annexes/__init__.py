"""Annexes I to XII of the emission regulation: tables and texts made from data, in the markup of typeset.blocks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def table(
    caption: str,
    header: Sequence[Sequence[str]],
    rows: Iterable[Sequence[object]],
    widths: str,
    align: str,
    notes: str = "",
    size: float = 0,
) -> str:
    """A table in markup; a row of one string is a section row."""
    lines = [f":: {caption} | widths={widths} | align={align}" + (f" | size={size}" if size else "")]
    lines += ["| " + " | ".join(row) for row in header]
    lines.append("| ---")
    for row in rows:
        lines.append(f"| § {row[0]}" if len(row) == 1 else "| " + " | ".join(str(cell) for cell in row))
    lines += notes.strip().splitlines()
    return "\n".join([*lines, "::", ""])


def number(value: float) -> str:
    """A number as the tables print it: thousands separated, no needless zeros."""
    if value == int(value):
        return f"{int(value):,}"
    return f"{value:,.3f}".rstrip("0")
