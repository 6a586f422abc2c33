"""Asks for one or a few lines of text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from textual import events, on
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Input, Static

from curator.tui.answering import Answering
from curator.tui.screens.dialog import Dialog
from curator.tui.widgets.safe import SafeInput, plain, titled

Check = Callable[[str], str]
Complete = Callable[[str], list[str]]


@dataclass(frozen=True)
class Question:
    """One line to be asked for.

    Attributes:
        label: What it is.
        value: What stands there at first.
        check: Gives what is wrong with an answer, or "".
        complete: What Tab makes of what was typed: the ways in which it may go on.
        hint: Shown while the line is empty.
    """

    label: str
    value: str = ""
    check: Check | None = None
    complete: Complete | None = None
    hint: str = ""


def needed(what: str) -> Check:
    """A check that something was typed."""
    return lambda text: "" if text.strip() else f"{what} is needed"


class Ask(Dialog[tuple[str, ...]]):
    """Enter goes to the next line, and from the last line it answers with all of them.

    Args:
        title: Of the dialog.
        questions: The lines.
        said: What is said above them.
        kept: What is asked for, in words that nothing else is asked for in: what was typed is kept until it is stored,
            and stands there when it is asked for again. "" = it is not kept.
    """

    def __init__(self, title: str, questions: Sequence[Question], said: str = "", *, kept: str = "") -> None:
        super().__init__()
        self.kept = kept
        self._title = title
        self._questions = tuple(questions)
        self._said = said

    def compose(self) -> ComposeResult:
        """The lines, each under its label."""
        with VerticalScroll(classes="box", can_focus=False) as box:
            completes = any(q.complete for q in self._questions)
            titled(box, self._title, "enter: go on · esc: close" + (" · tab: complete" if completes else ""))
            if self._said:
                yield Static(plain(self._said), classes="said")
            values = self._typed_before()
            if values:
                yield Static("! as you typed it before: it could not be stored", classes="said")
            for n, question in enumerate(self._questions):
                yield Static(plain(question.label), classes="label")
                yield SafeInput(values[n] if values else question.value, placeholder=question.hint, dom_id=f"line-{n}")
            yield Static("", classes="error", id="error")

    def on_mount(self) -> None:
        """Type at once."""
        self.set_focus(self.query_one("#line-0", SafeInput))

    def _typed_before(self) -> tuple[str, ...]:
        app = self.app
        values = app.unstored.get(self.kept, ()) if self.kept and isinstance(app, Answering) else ()
        return values if len(values) == len(self._questions) else ()

    @on(Input.Changed)
    def _typed(self) -> None:
        values = tuple(line.value for line in self._lines())
        if not self.kept or not isinstance(self.app, Answering) or values == self._typed_before():
            return
        if [v.strip() for v in values] == [q.value.strip() for q in self._questions]:
            self.app.forget_answer(self.kept)
        else:
            self.app.note_answer(self.kept, values)

    def _lines(self) -> list[SafeInput]:
        return list(self.query(SafeInput))

    @on(Input.Submitted)
    def _entered(self, event: Input.Submitted) -> None:
        event.stop()
        lines = self._lines()
        place = next((n for n, line in enumerate(lines) if line.has_focus), 0)
        if not self._is_right(place):
            return
        if place + 1 < len(lines):
            self.set_focus(lines[place + 1])
        elif all(self._is_right(n) for n in range(len(lines))):
            self.dismiss(tuple(line.value for line in lines))

    def _is_right(self, place: int) -> bool:
        check = self._questions[place].check
        line = self._lines()[place]
        wrong = check(line.value) if check else ""
        self.query_one("#error", Static).update(plain(f"! {wrong}" if wrong else ""))
        if wrong:
            self.set_focus(line)
        return not wrong

    def on_key(self, event: events.Key) -> None:
        """Tab completes where a line can be completed; elsewhere it goes on."""
        if event.key != "tab":
            return
        for line, question in zip(self._lines(), self._questions, strict=True):
            if line.has_focus and question.complete:
                event.prevent_default()
                event.stop()
                ways = question.complete(line.value)
                if common := _common(ways):
                    line.value = common
                    line.cursor_position = len(common)
                shown = "  ".join(
                    w.rstrip("/").rpartition("/")[2] + ("/" if w.endswith("/") else "") for w in ways[:12]
                )
                self.query_one("#error", Static).update(plain(shown if len(ways) > 1 else ""))


def _common(ways: Sequence[str]) -> str:
    """The longest beginning that all ways share."""
    if not ways:
        return ""
    first, last = min(ways), max(ways)
    return first[: next((n for n, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))]
