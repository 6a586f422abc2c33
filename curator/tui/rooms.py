"""The screens that are loaded when they are shown first, or in an idle worker after the first paint.

Home is painted with nothing but Textual and its own lists; pydantic, the domain and the other screens come later.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from textual.screen import Screen
from textual.worker import get_current_worker

if TYPE_CHECKING:
    from textual.binding import Binding
    from textual.command import Provider

_SCREENS = {
    "sources": ("curator.tui.screens.sources", "SourcesScreen"),
    "reader": ("curator.tui.screens.reader", "ReaderScreen"),
    "failures": ("curator.tui.screens.failures", "FailuresScreen"),
    "case": ("curator.tui.screens.case", "CaseScreen"),
    "review": ("curator.tui.screens.review_queue", "ReviewScreen"),
    "reconfirm": ("curator.tui.screens.reconfirm", "ReconfirmScreen"),
    "search": ("curator.tui.screens.search", "SearchScreen"),
    "coverage": ("curator.tui.screens.coverage", "CoverageScreen"),
    "suites": ("curator.tui.screens.suites", "SuitesScreen"),
}
_ALSO = (
    "curator.services.cases",
    "curator.services.documents",
    "curator.tui.screens.confirm",
    "curator.tui.screens.listing",
)
PAUSE = 0.02


def _made(mode: str) -> Screen[Any]:
    module, name = _SCREENS[mode]
    screen: Screen[Any] = getattr(importlib.import_module(module), name)()
    return screen


def bindings_of(mode: str) -> list[Binding]:
    """The keys of the screen of a mode, whether it was shown yet or not; not those of what is in it."""
    module, name = ("curator.tui.screens.home", "HomeScreen") if mode == "home" else _SCREENS[mode]
    merged = getattr(importlib.import_module(module), name)._merge_bindings()
    common = Screen._merge_bindings().key_to_bindings
    return [b for key, found in merged.key_to_bindings.items() if key not in common for b in found if b.description]


LATER: dict[str, Callable[[], Screen[Any]]] = {mode: partial(_made, mode) for mode in _SCREENS}


def commands() -> type[Provider]:
    """What the command palette offers."""
    from curator.tui.commands import CuratorCommands

    return CuratorCommands


def load() -> None:
    """Load what was left out, one module at a time, so that keys are answered in between; in a worker."""
    worker = get_current_worker()
    for module in (*_ALSO, *(module for module, _ in _SCREENS.values())):
        if worker.is_cancelled:
            return
        importlib.import_module(module)
        time.sleep(PAUSE)
