"""The command palette: every action of the screen, every document, every case."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, cast

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content
from textual.types import IgnoreReturnCallbackType

from curator.errors import CuratorError
from curator.tui import rooms
from curator.tui.key_groups import TYPING, keys_of
from curator.tui.screens.tour import begin_tour
from curator.tui.theme import state
from curator.tui.widgets.masthead import PLACES
from curator.tui.widgets.safe import fit

if TYPE_CHECKING:
    from curator.services.context import Context
    from curator.store.cases import CaseLine
    from curator.store.documents import DocumentLine
    from curator.tui.app import CuratorApp

MOST = 30
LEAST = 0.01  # of an action that is like what was typed: things come below actions


class CuratorCommands(Provider):
    """Actions first; documents and cases that contain what is typed."""

    @property
    def _curator(self) -> CuratorApp:
        return cast("CuratorApp", self.app)

    def _actions(self) -> Iterator[tuple[str, str, IgnoreReturnCallbackType]]:
        app = self._curator
        for mode, digit, name in PLACES:
            yield f"Go to {name}", f"F{digit}", partial(app.action_mode, mode)
        yield "Search all documents", "?", partial(app.action_mode, "search")
        yield "Theme: dark or light", "", app.action_theme
        yield "Take the tour", "", partial(begin_tour, app)
        yield "Undo", "Ctrl+Z", app.action_undo
        yield "Do again", "Ctrl+Y", app.action_redo
        yield "Drafts that wait", "", app.action_drafts
        yield "Keys", "F10", app.action_keys
        yield "Errors", "F12", app.action_errors
        yield "Quit", "Ctrl+Q", app.action_leave
        yield from self._of_places()

    def _of_places(self) -> Iterator[tuple[str, str, IgnoreReturnCallbackType]]:
        """What can be done here, then what can be done in the other places."""
        app, here = self._curator, self.screen
        for key in keys_of(here):
            if key.node is not app and key.group not in (TYPING, "move"):
                name = key.said[:1].upper() + key.said[1:]
                yield name, key.keys, partial(app.try_action, key.said, key.action, key.node)
        for mode, _, place in PLACES:
            if mode != app.current_mode:
                for binding in rooms.bindings_of(mode):
                    run = partial(app.act_in, mode, binding.description, binding.action)
                    yield f"{place}: {binding.description}", app.get_key_display(binding), run

    async def discover(self) -> Hits:
        """Every action."""
        for name, key, run in self._actions():
            yield DiscoveryHit(Content(name) + _key(key), run, text=name)

    async def search(self, query: str) -> Hits:
        """Actions by likeness; documents and cases by what they contain."""
        matcher = self.matcher(query)
        for name, key, run in self._actions():
            if (score := matcher.match(name)) > 0:
                yield Hit(score, matcher.highlight(name) + _key(key), run, text=name)
        for n, (name, about, run) in enumerate(await self._found(query)):
            yield Hit(LEAST / (n + 1), Content(name), run, text=name, help=about)

    async def _found(self, query: str) -> list[tuple[str, str, IgnoreReturnCallbackType]]:
        """Documents and cases that hold all words; what there is no room for is counted."""
        app = self._curator
        ctx = app.ctx
        if ctx is None or not query.split():
            return []
        try:
            papers, more_papers, lines, more_lines = await asyncio.to_thread(_look, ctx, query.split())
        except CuratorError as error:
            app.note_error("search", error)
            return []
        found: list[tuple[str, str, IgnoreReturnCallbackType]] = [
            (fit(f"{p.id}  {p.title}", 70).rstrip(), "document", partial(app.show_document, p.id)) for p in papers
        ]
        show = partial(app.action_mode, "case")
        found += [
            (fit(f"{c.id}  {c.question}", 70).rstrip(), f"case, {state(c.status)}", partial(app.open_case, c.id, show))
            for c in lines
        ]
        more = [f"{n} more {what}" for n, what in ((more_papers, "documents"), (more_lines, "cases")) if n]
        if more:  # the second line, where it is seen, and Enter means the first
            said = f"… {' and '.join(more)}: type on"
            found.insert(1, (said, "more words narrow it", app.action_command_palette))
        return found


def _key(key: str) -> Content:
    """The key of an action, set apart from its name."""
    return Content(f"  {key}").stylize("bold $text-accent") if key else Content("")


def _look(ctx: Context, words: Sequence[str]) -> tuple[list[DocumentLine], int, list[CaseLine], int]:
    """The newest documents and cases that hold all words, and how many more there are; in a worker."""
    from curator.domain.listing import ListQuery
    from curator.services import cases, documents

    def holding(column: str) -> ListQuery:
        return ListQuery(contains=words[0], like=tuple((column, w) for w in words[1:]), descending=True)

    papers = documents.lines(ctx, holding("title"), limit=MOST)
    lines = cases.page_of(ctx, holding("question"), limit=MOST)
    more_papers = documents.count(ctx, holding("title")) - MOST if len(papers) == MOST else 0
    more_lines = cases.count(ctx, holding("question")) - MOST if len(lines) == MOST else 0
    return papers, more_papers, lines, more_lines
