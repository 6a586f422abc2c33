"""The command palette: every action of the screen, every document, every case."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, cast

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content
from textual.types import IgnoreReturnCallbackType

from curator.errors import CuratorError
from curator.tui.screens.tour import begin_tour
from curator.tui.theme import state
from curator.tui.widgets.masthead import PLACES
from curator.tui.widgets.safe import fit

if TYPE_CHECKING:
    from curator.tui.app import CuratorApp

MOST = 20


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
        yield "Dark or light", "", app.action_theme
        yield "Take the tour", "", partial(begin_tour, app)
        yield "Undo", "Ctrl+Z", app.action_undo
        yield "Do again", "Ctrl+Y", app.action_redo
        yield "Drafts that wait", "", app.action_drafts
        yield "Keys", "F10", app.action_keys
        yield "Errors", "F12", app.action_errors
        yield "Quit", "Ctrl+Q", app.action_leave
        seen = set()
        for active in self.screen.active_bindings.values():
            binding = active.binding
            named = binding.description and binding.action not in seen and not binding.system
            if named and active.node is not app and active.enabled:
                seen.add(binding.action)
                key = app.get_key_display(binding)
                yield binding.description.capitalize(), key, partial(app.run_action, binding.action, active.node)

    async def discover(self) -> Hits:
        """Every action."""
        for name, key, run in self._actions():
            yield DiscoveryHit(Content(f"{name}  {key}"), run, text=name)

    async def search(self, query: str) -> Hits:
        """Actions by likeness; documents and cases by what they contain."""
        matcher = self.matcher(query)
        for name, key, run in self._actions():
            if (score := matcher.match(name)) > 0:
                yield Hit(score, matcher.highlight(name) + Content(f"  {key}"), run, text=name)
        for name, about, run in await self._found(query):
            yield Hit(0.5, Content(name), run, text=name, help=about)

    async def _found(self, query: str) -> list[tuple[str, str, IgnoreReturnCallbackType]]:
        from curator.services import cases, documents

        app = self._curator
        ctx = app.ctx
        if ctx is None or len(query) < 2:
            return []
        try:
            papers = await asyncio.to_thread(documents.page_of, ctx, contains=query, limit=MOST)
            lines = await asyncio.to_thread(cases.page_of, ctx, contains=query, limit=MOST)
        except CuratorError as error:
            app.note_error("search", error)
            return []
        found: list[tuple[str, str, IgnoreReturnCallbackType]] = [
            (
                fit(f"{p.id}  {p.title}", 70).rstrip(),
                f"document, {p.revision.pages} pages",
                partial(app.show_document, p.id),
            )
            for p in papers
        ]
        show = partial(app.action_mode, "case")
        found += [
            (fit(f"{c.id}  {c.question}", 70).rstrip(), f"case, {state(c.status)}", partial(app.open_case, c.id, show))
            for c in lines
        ]
        return found
