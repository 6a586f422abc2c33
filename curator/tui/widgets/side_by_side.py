"""Two texts beside one another, one under the other where there is no room, with the words that differ marked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from textual.app import ComposeResult
from textual.containers import Container, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from curator.tui.widgets.safe import flat, plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from curator.domain.revision import Piece

AROUND = 160
"""Characters of a text that both sides share which are shown on either end of it; the rest is folded."""
STYLES = {"gone": "underline $text-warning", "new": "bold underline $text-primary"}
FOLD = " … "


class SideBySide(VerticalScroll):
    """Old and new. What is only on one side stands in [-…-] or {+…+} and is underlined; color only repeats it."""

    DEFAULT_CSS = """
    SideBySide {
        height: 1fr;
        & > #sides { layout: vertical; height: auto; }
        & .side { width: 1fr; height: auto; padding: 0 1; border-left: outer $border-blurred; margin-bottom: 1; }
        & .side > .about { height: auto; color: $text-muted; text-style: bold; }
        & .side > .words { height: auto; }
        &.-beside > #sides { layout: horizontal; }
    }
    """

    def __init__(self, *, dom_id: str | None = None) -> None:
        super().__init__(id=dom_id)
        self._pieces: Sequence[Piece] = ()
        self._instead: tuple[str, str] | None = None
        self._lines = False
        self.whole = False

    def compose(self) -> ComposeResult:
        """Each side under a line that says what it is."""
        with Container(id="sides"):
            for side in ("old", "new"):
                with Vertical(classes="side"):
                    yield Static("", id=f"{side}-about", classes="about")
                    yield Static("", id=f"{side}-words", classes="words")

    def on_resize(self) -> None:
        """Beside one another where each has 45 cells and more."""
        self.set_class(self.size.width >= 96, "-beside")

    def show(
        self, abouts: tuple[str, str], pieces: Sequence[Piece], *, instead: tuple[str, str] | None = None,
        lines: bool = False,
    ) -> None:  # fmt: skip
        """Show a difference from its beginning.

        Args:
            abouts: What the old and the new side are.
            pieces: The difference.
            instead: The texts of both sides, where nothing is compared.
            lines: Keep line breaks: rows of tables have them between their parts.
        """
        self._pieces, self._instead, self._lines = pieces, instead, lines
        for side, about in zip(("old", "new"), abouts, strict=True):
            self.query_one(f"#{side}-about", Static).update(plain(flat(about)))
        self.scroll_home(animate=False)
        self._paint()

    def turn_whole(self) -> None:
        """Show all that both sides share, or fold it again."""
        self.whole = not self.whole
        self._paint()

    def _paint(self) -> None:
        sides: tuple[tuple[str, Literal["gone", "new"]], ...] = (("old", "gone"), ("new", "new"))
        for n, (side, own) in enumerate(sides):
            if self._instead is not None:
                said = self._said(self._instead[n])
            else:
                said = marked(self._pieces, own, whole=self.whole, lines=self._lines)
            self.query_one(f"#{side}-words", Static).update(said)

    def _said(self, text: str) -> Content:
        return plain(text if self._lines else " ".join(text.split()))


def marked(pieces: Sequence[Piece], own: Literal["gone", "new"], *, whole: bool = True, lines: bool = False) -> Content:
    """One side of a difference.

    Args:
        pieces: The difference.
        own: "gone" for the old side, "new" for the new one.
        whole: Show all of what both share; else its middle is folded.
        lines: Keep line breaks.
    """
    from curator.domain.revision import SIGNS

    parts: list[Content] = []
    kept = [p for p in pieces if p.kind in ("both", own)]
    for n, piece in enumerate(kept):
        text = piece.text if lines else _flowing(piece.text)
        if piece.kind == "both":
            text = text if whole else _folded(text, first=n == 0, last=n == len(kept) - 1)
            parts.append(plain(text))
            continue
        before, after = SIGNS[own]
        words = text.rstrip()
        parts += [plain(f"{before}{words}{after}", STYLES[own]), plain(text[len(words) :])]
    return Content("").join(parts)


def _flowing(text: str) -> str:
    """White space single, and kept at the ends."""
    words = " ".join(text.split())
    return (" " if text[:1].isspace() else "") + words + (" " if words and text[-1:].isspace() else "")


def _folded(text: str, *, first: bool, last: bool) -> str:
    """The ends of a long text that touch a difference."""
    if len(text) <= 2 * AROUND + len(FOLD):
        return text
    head = "" if first else text[:AROUND].rsplit(" ", 1)[0]
    tail = "" if last else text[-AROUND:].split(" ", 1)[-1]
    return head + FOLD + tail if head or tail else text[: 2 * AROUND].rsplit(" ", 1)[0] + FOLD
