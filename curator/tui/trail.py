"""The way back: places that a person came from, newest last."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from textual.app import App

if TYPE_CHECKING:
    from textual.widget import AwaitMount

    _App = App[int]
else:
    _App = object

LONGEST = 20
GUESTS = ("reader", "search")


class Place(NamedTuple):
    """A mode; in the reader also where in which document."""

    mode: str
    document_id: str = ""
    page: int = 0
    source_id: str = ""


class Trail(_App):
    """Mix-in of the app: going to the reader or to the search is remembered, `go_back` returns."""

    def begin_trail(self) -> None:
        """Nobody came from anywhere."""
        self.trail: list[Place] = []

    def show_document(self, document_id: str, page: int = 0, source_id: str = "") -> None:
        """Switch to the reader, on a document."""
        raise NotImplementedError

    def here(self) -> Place:
        """Where the person is now."""
        place = getattr(self.screen, "place", None)
        return place if isinstance(place, Place) else Place(self.current_mode)

    def switch_mode(self, mode: str) -> AwaitMount:
        """Go to a mode; where one came from is kept when it is one that one returns from."""
        if mode in GUESTS and mode != self.current_mode and self.screen_stack:
            self.remember()
        return super().switch_mode(mode)

    def remember(self) -> None:
        """Keep the place where the person is now."""
        now = self.here()
        self.trail = [*(p for p in self.trail if p != now and (p.mode in GUESTS or p.mode != now.mode)), now][-LONGEST:]

    def go_back(self) -> bool:
        """To the place before; False when there is none."""
        while self.trail:
            place = self.trail.pop()
            if place == self.here():
                continue
            if place.mode != self.current_mode:
                super().switch_mode(place.mode)
            if place.document_id:
                self.reopen(place)
            return True
        return False

    def reopen(self, place: Place) -> None:
        """Show a place in the reader again."""
        raise NotImplementedError
