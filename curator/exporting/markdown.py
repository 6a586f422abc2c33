"""Markdown out of outside text: what a file says is shown as it is and never becomes markup."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from curator.text import one_line

_SPECIAL = re.compile(r"([\\`*_\[\]<>|~&#$])|(?<=\w)(:)(?=//)|(?<=[wW]{3})(\.)|(?<=\w)(@)(?=\w)")
_LEADING = re.compile(r"^([-+=]|\d+(?=[.)]))")


def plain(text: str, width: int = 0) -> str:
    """Outside text on one line, visible, with everything escaped that Markdown (GFM) would obey; links stay text."""
    flat = _SPECIAL.sub(lambda m: "\\" + m[0], one_line(text, width))
    return _LEADING.sub(lambda m: "\\" + m[0] if not m[0].isdigit() else m[0] + "\\", flat)


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    """A table, text to the left and numbers to the right; the caller escapes outside text in cells."""
    body = [tuple(row) for row in rows]
    numeric = [bool(body) and all(isinstance(row[i], int) for row in body) for i in range(len(header))]
    lines = [header, ["---:" if right else "---" for right in numeric], *body]
    return [f"| {' | '.join(map(str, line))} |" for line in lines]


def code(text: str) -> str:
    """An id as code; ids hold no backtick, and one that does is shown as plain text."""
    return plain(text) if "`" in text or "|" in text or not text else f"`{one_line(text)}`"
