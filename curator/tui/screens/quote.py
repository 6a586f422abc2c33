"""Cuts the quote of a piece of evidence down to the part of its source that proves the answer."""

from __future__ import annotations

import re
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Footer, Static, TextArea

from curator.domain.document import Source
from curator.text import folded
from curator.tui.screens.dialog import Dialog
from curator.tui.widgets.safe import SafeTextArea, plain, titled

_WORD = re.compile(r"\w")


def wrong_with(quote: str, source: Source) -> str:
    """Why a text is no quote of a source; "" when it is one. White space and line breaks may differ."""
    if not quote.strip():
        return "a quote says something"
    part, whole = folded(quote), folded(source.anchor.text)
    if part not in whole:
        return "the source does not say this: a quote is a part of it, word for word"
    if not _on_words(quote.strip(), source.anchor.text):
        return "it cuts a word or a number in two: “0 million” is inside “10 million”"
    return ""


def _on_words(quote: str, text: str) -> bool:
    """Whether some place of the quote in the text begins and ends between words, numbers taken whole."""
    words = [re.escape(word) for word in quote.split()]
    begin = r"(?<!\w)(?<!\d[.,])" if _WORD.match(quote) else ""
    end = r"(?!\w)(?![.,]\d)" if _WORD.match(quote[-1]) else ""
    return re.search(begin + r"\s+".join(words) + end, text) is not None or not re.search(r"\s+".join(words), text)


class QuoteScreen(Dialog[str]):
    """The text of the source, to be cut. A selection alone is taken when there is one. Answers with the quote."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "keep", "keep", priority=True),
        Binding("ctrl+r", "whole", "the whole source", priority=True),
        Binding("escape", "close", "close"),
    ]

    def __init__(self, source: Source, quote: str) -> None:
        super().__init__()
        self._source, self._quote = source, quote

    def compose(self) -> ComposeResult:
        """What to do, the text, what is wrong."""
        with Vertical(classes="box") as box:
            titled(box, f"quote of {self._source.id}", "ctrl+s: keep · esc: close")
            yield Static("Delete what does not count, or select the part that does (shift+arrows).", classes="said")
            area = SafeTextArea(self._quote, dom_id="quote")
            area.styles.height = "auto"
            area.styles.max_height = 12
            yield area
            yield Static("", classes="error", id="error")
        yield Footer(compact=True, show_command_palette=False)

    @property
    def _area(self) -> SafeTextArea:
        return self.query_one("#quote", SafeTextArea)

    def on_mount(self) -> None:
        """Cut at once."""
        self.set_focus(self._area)

    @on(TextArea.Changed)
    @on(TextArea.SelectionChanged)
    def _look(self, event: TextArea.Changed | TextArea.SelectionChanged) -> None:
        event.stop()
        wrong = wrong_with(self._chosen(), self._source)
        self.query_one("#error", Static).update(plain(f"! {wrong}" if wrong else ""))

    def _chosen(self) -> str:
        return (self._area.selected_text or self._area.text).strip()

    def action_whole(self) -> None:
        """The whole source again."""
        self._area.load_text(self._source.anchor.text)

    def action_keep(self) -> None:
        """Take it, if the source says it."""
        quote = self._chosen()
        if not wrong_with(quote, self._source):
            self.dismiss(quote)
