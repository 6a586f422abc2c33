"""Suggested evidence as a list: where each stands, its scores, and what a person said of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Static

from curator.domain.suggestion import BY
from curator.tui.theme import ROLES
from curator.tui.widgets.safe import fit, fit_middle, flat, plain, titled
from curator.tui.widgets.source_hits import SourceHits

if TYPE_CHECKING:
    from curator.services.search import Hit
    from curator.services.suggestions import Suggestion

REJECTED = "✗ no"
STATE = 5
MOST_LINES = 3
SHORT = 10
"""Cells that the title of a document and the name of a section keep where there is no room for all."""


class SuggestionList(SourceHits):
    """Enter reads the source where it stands, `e` accepts it in the next role, `x` rejects it or takes that back."""

    lines = 1
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "choose", "read"),
        Binding("e", "accept", "evidence"),
        Binding("x,d,delete", "reject", "reject", key_display="x"),
        Binding("escape", "leave", "back to the form", show=False),
    ]

    class Decide(Message):
        """A key on a suggestion: "accept" (the next role), "reject" or "read"."""

        def __init__(self, suggestion: Suggestion, what: str) -> None:
            self.suggestion = suggestion
            self.what = what
            super().__init__()

    class Left(Message):
        """Esc."""

    def __init__(self, *, dom_id: str | None = None) -> None:
        super().__init__(dom_id=dom_id)
        self._by_id: dict[str, Suggestion] = {}
        self._roles: Mapping[str, str] = {}
        self._rejected: Collection[str] = ()

    def show_suggestions(self, found: Sequence[Suggestion]) -> None:
        """Take suggestions, best first; the cursor is on the best, or on its source while one goes through them."""
        self._by_id = {s.source_id: s for s in found}
        titles = {s.document_id: s.title for s in found}
        known = list(titles.values())
        told_apart = {name: title if known.count(title) < 2 else name for name, title in titles.items()}
        self.show_hits(found, told_apart, keep=self.has_focus)

    def _see(self) -> None:
        """As many lines of text as there is room for: on a large screen a hit can be judged without opening it."""
        self.lines = max(1, min(MOST_LINES, self.size.height // max(1, len(self.hits)) - 1))
        super()._see()

    def show_decisions(self, roles: Mapping[str, str], rejected: Collection[str]) -> None:
        """Show what is evidence, with its role, and what was rejected just now."""
        if (roles, rejected) != (self._roles, self._rejected):
            self._roles, self._rejected = roles, rejected
            self.refresh()

    @property
    def suggestion(self) -> Suggestion | None:
        """The one under the cursor."""
        return self._by_id.get(self.hit.source_id) if self.hit is not None else None

    def action_choose(self) -> None:
        """Read it where it stands."""
        if self.suggestion is not None:
            self.post_message(self.Decide(self.suggestion, "read"))

    def action_accept(self) -> None:
        """The next role as evidence: required, supporting, distractor, none."""
        if self.suggestion is not None:
            self.post_message(self.Decide(self.suggestion, "accept"))

    def action_reject(self) -> None:
        """Not for this case; again: not decided."""
        if self.suggestion is not None:
            self.post_message(self.Decide(self.suggestion, "reject"))

    def action_leave(self) -> None:
        """Back to the form."""
        self.post_message(self.Left())

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """An empty list has nothing to read or decide about."""
        return bool(self.hits) or action not in ("choose", "accept", "reject")

    def _place(self, hit: Hit, width: int) -> str:
        found = self._by_id[hit.source_id]
        said = REJECTED if hit.source_id in self._rejected else ""
        if role := self._roles.get(hit.source_id, ""):
            said = ROLES[role][0] + role[:3]
        scores = f"{found.score:.1f}" + (f" ·{found.semantic:.2f}".replace("0.", ".") if found.semantic else "")
        right = f"p. {flat(found.page_label) or found.page}  {BY.get(found.proposal.method, scores)}"
        section = flat(found.section_path[-1]) if found.section_path else ""
        kind = "▦ " if found.kind == "row" else ""
        state = STATE + 1 if self._rejected or any(h.source_id in self._roles for h in self.hits) else 0
        room = max(1, width - state - cell_len(right) - 1)
        title = flat(self.titles.get(found.document_id, found.document_id)) if len(self.titles) > 1 else ""
        key = "" if _begins(section, flat(found.key)) else flat(found.key)
        way = _way([part for part in (title, section, key) if part], room - len(kind))
        return f"{fit(f'{said} ', state) if state else ''}{kind}{way} {right}"


def _begins(section: str, key: str) -> bool:
    """Whether a section is called by its key, as "9.5 Return" is by "9.5": it need not be said twice."""
    return section == key or section.startswith(f"{key} ")


def _way(parts: list[str], room: int) -> str:
    """Document, section and key in so many cells: the key is cut last, since it tells rows of one table apart."""
    over = cell_len(" › ".join(parts)) - room
    for n, least in [*((n, SHORT) for n in range(len(parts) - 1)), (len(parts) - 1, 1)]:
        if over > 0 and (size := cell_len(parts[n])) > least:
            parts[n] = fit_middle(parts[n], max(least, size - over)).rstrip()
            over = cell_len(" › ".join(parts)) - room
    return fit(" › ".join(parts), room)


class SuggestionPane(Vertical):
    """The list, and one quiet line on how it was made."""

    def __init__(self, *, dom_id: str | None = None) -> None:
        super().__init__(id=dom_id)
        self.list = SuggestionList(dom_id="suggestions")
        self._state = Static("", id="how")
        self._said = ""

    def compose(self) -> ComposeResult:
        """List above, line below."""
        yield self.list
        yield self._state

    def on_mount(self) -> None:
        """A frame with the keys."""
        titled(self, "suggestions", "enter: read · e: evidence · x: reject")

    def show_suggestions(self, found: Sequence[Suggestion]) -> None:
        """Show them; a document that all of them are from is named once, above."""
        self.list.show_suggestions(found)
        titles = {s.title for s in found if len(self.list.titles) == 1}
        titled(self, f"suggestions from {titles.pop()}" if titles else "suggestions")

    def say(self, text: str) -> None:
        """Put something into the line."""
        if text != self._said:
            self._said = text
            self._state.update(plain(flat(text)), layout=False)
