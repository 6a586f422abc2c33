"""What the command line says, and where: data on stdout, progress and errors on stderr. Outside text made visible."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from curator.errors import CuratorError
from curator.progress import Progress
from curator.states import STATES
from curator.text import visible

if TYPE_CHECKING:
    from pydantic import BaseModel
    from rich.progress import Progress as Bars


# DEL, C1, bidirectional controls and line separators: JSON escapes only what lies below the space
_OBEYED = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")


def out(text: str = "") -> None:
    """One line of data; outside text in it is made visible."""
    sys.stdout.write(visible(text) + "\n")


def out_json(value: BaseModel | Sequence[BaseModel] | dict[str, Any] | list[Any]) -> None:
    """One JSON value on stdout; models under their names of the wire."""

    def plain(item: Any) -> Any:
        if hasattr(item, "model_dump"):
            return item.model_dump(mode="json", by_alias=True)
        return [plain(i) for i in item] if isinstance(item, list | tuple) else item

    out_text(json.dumps(plain(value), ensure_ascii=False, indent=1) + "\n")


def out_text(text: str) -> None:
    """JSON text on stdout as it is, but for characters that a terminal would obey: they are written as escapes."""
    sys.stdout.write(_OBEYED.sub(lambda m: f"\\u{ord(m[0]):04x}", text))


def say(text: str) -> None:
    """One line of narration on stderr."""
    sys.stderr.write(visible(text) + "\n")
    sys.stderr.flush()


def tell(error: CuratorError) -> None:
    """An error: one line with what, where and the next step."""
    say(f"curator: {error.message}" + (f"; {error.hint}" if error.hint else ""))


def status_word(status: str) -> str:
    """Glyph and word of a status."""
    return STATES[status]


def table(header: Sequence[str], rows: Sequence[Sequence[object]], *, empty: str = "nothing yet") -> None:
    """Columns on stdout, as wide as their widest cell counts on a terminal; the last one is not padded."""
    from rich.cells import cell_len

    if not rows:
        say(empty)
        return
    lines = [[visible(str(c)) for c in row] for row in (header, *rows)]
    widths = [max(cell_len(line[n]) for line in lines) for n in range(len(header))]
    for line in lines:
        padded = (c + " " * (w - cell_len(c)) for c, w in zip(line, widths, strict=True))
        sys.stdout.write("  ".join(padded).rstrip() + "\n")


class _Lines:
    """Progress without a terminal: one line a stage, one a note."""

    def stage(self, name: str, total: int | None = None) -> None:
        say(name)

    def advance(self, steps: int = 1) -> None:
        """Nothing: lines are for logs."""

    def note(self, message: str) -> None:
        say(f"  {message}")

    def checkpoint(self) -> None:
        """Nothing: ctrl+c arrives as KeyboardInterrupt."""


class _Bars:
    """Progress on a terminal: a bar a stage."""

    def __init__(self, bars: Bars) -> None:
        self._bars = bars
        self._task: Any = None

    def stage(self, name: str, total: int | None = None) -> None:
        self._end()
        self._task = self._bars.add_task(visible(name), total=total)

    def advance(self, steps: int = 1) -> None:
        if self._task is not None:
            self._bars.advance(self._task, steps)

    def note(self, message: str) -> None:
        from rich.text import Text

        self._bars.console.print(Text(f"  {visible(message)}"))

    def checkpoint(self) -> None:
        """Nothing: ctrl+c arrives as KeyboardInterrupt."""

    def _end(self) -> None:
        if self._task is not None:
            task = next(t for t in self._bars.tasks if t.id == self._task)
            total = task.total if task.total is not None else max(task.completed, 1)
            self._bars.update(self._task, total=total, completed=total)
            self._task = None


@contextmanager
def progress() -> Iterator[Progress]:
    """Bars on stderr, or plain lines when that is no terminal."""
    if not sys.stderr.isatty():
        yield _Lines()
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bars

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Bars(*columns, console=Console(stderr=True)) as bars:
        shown = _Bars(bars)
        yield shown
        shown._end()
