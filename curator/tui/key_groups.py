"""The keys of a place, by what one wants to do: for the help dialog and the command palette."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from textual.content import Content
from textual.widgets import Input, TextArea

if TYPE_CHECKING:
    from textual.app import App
    from textual.binding import Binding, BindingsMap
    from textual.dom import DOMNode
    from textual.screen import Screen

GROUPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("write", ("new_case", "add", "edit", "remove", "next(", "fill_in", "app.fill_in", "go_to", "whole", "list", "tick",
               "leave_field", "offer", "step('", "copy_case", "take", "rename", "repair", "note",
               "add_quota", "change_quota", "drop_quota")),
    ("read and cite", ("evidence", "provision", "answer", "select", "alternative", "change(", "take_back", "marks",
                       "let_go", "row", "suggestions")),
    ("decide", ("submit", "approve", "request_changes", "next_review", "retire", "restore", "release", "verify", "bulk",
                "score", "finish", "adjudicate", "accept", "accept_behavior", "other", "drop", "answer_offer(", "stage",
                "dismiss_failure", "duplicate", "reject", "open_again", "fold", "promote", "pick", "scrub", "confirm",
                "replace", "missed", "allow", "answer('import", "answer('map", "quotas", "write_quotas", "preset",
                "as_in_file", "assume", "results", "let_go_reviews", "all(1", "all(2", "third", "release_it",
                "hold", "revisions", "editorial", "yank", "fetch_holdout", "export")),
    ("find", ("find", "filter", "next_status", "next_view", "search", "mode('search')", "match", "kind", "sort",
              "clear", "type", "pane(", "next_pane", "pick_suite", "rows_by", "columns_by", "turn_over")),
    ("open and mark", ("choose", "mark", "mark_all", "done", "keep", "swap", "all(", "select_cursor", "toggle",
                       "outputs", "diff", "cases", "derived", "strata", "sides", "leave_cell", "back_to_map")),
    ("move", ("move", "page", "edge", "cursor_", "scroll", "screenful", "step", "word", "sentence", "section", "table",
              "jump", "sections", "output(", "unrated", "measure", "app.focus", "focus", "next", "previous",
              "differences", "turn")),
    ("save and undo", ("save", "undo", "redo", "drafts", "history")),
    ("long work", ("ingest", "import_log", "import_list", "stop", "pages_so_far", "read_again")),
    ("go to", ("mode", "go", "back", "command_palette", "close", "leave_quotas")),
    ("help and looks", ("keys", "errors", "theme", "tour", "copy", "leave", "help", "screen.copy", "app.help")),
)  # fmt: skip
"""What one wants to do, in the order of the help; an action belongs where its name, or the start of it, is longest."""
HERE, TYPING = "here", "in a text field"
ORDER = (HERE, *(name for name, _ in GROUPS), TYPING)


@dataclass(frozen=True)
class Key:
    """A line of the help.

    Attributes:
        keys: As they are shown: "↑ k".
        said: What they do.
        group: What one wants to do.
        action: Run by the help when the line is chosen.
        node: Whose action it is.
        now: Whether it can be done now, where the focus is.
    """

    keys: str
    said: str
    group: str
    action: str
    node: DOMNode
    now: bool


def group_of(action: str) -> str:
    """The group of an action; the longest beginning that is known decides."""
    best = max(
        ((len(start), name) for name, starts in GROUPS for start in starts if action.startswith(start)), default=None
    )
    return best[1] if best else HERE


def keys_of(screen: Screen[Any]) -> list[Key]:
    """All keys of a screen: where the focus is, and in its other parts; grouped, in the order of the parts."""
    app = screen.app
    active = screen.active_bindings
    found: dict[tuple[str, str], list[tuple[DOMNode, Binding, bool]]] = {}
    for node, bindings in _parts(screen):
        for key, binding in bindings:
            if not binding.description or binding.system:
                continue
            here = active.get(key)
            now = here is not None and here.binding.action == binding.action and here.enabled
            found.setdefault((binding.action, binding.description), []).append((node, binding, now))
    made = [_key(app, entries) for entries in found.values()]
    return sorted(made, key=lambda k: ORDER.index(k.group))


def _parts(screen: Screen[Any]) -> Iterator[tuple[DOMNode, BindingsMap]]:
    """Whose keys act on a screen: from the focus outward, then what else can have the focus."""
    chain = screen._binding_chain
    seen = {id(node) for node, _ in chain}
    yield from chain
    for widget in screen.query("*"):
        inside = widget.can_focus or any(child.can_focus for child in widget.children)
        if id(widget) not in seen and inside and not isinstance(widget, (Input, TextArea)):
            yield widget, widget._bindings


def _shown(key: str) -> str:
    return key.upper() if key[:1] == "f" and key[1:].isdecimal() else key


def _key(app: App[Any], entries: list[tuple[DOMNode, Binding, bool]]) -> Key:
    node, binding, _ = next((e for e in entries if e[2]), entries[0])
    shown = dict.fromkeys(_shown(app.get_key_display(b)) for n, b, _ in entries if n is node)
    typing = isinstance(node, (Input, TextArea))
    said = Content.from_markup(binding.description).plain if typing else binding.description
    return Key(
        keys=" ".join(shown),
        said=said.lower() if binding.action.startswith(("scroll_", "app.focus")) else said[:1].lower() + said[1:],
        group=TYPING if typing else group_of(binding.action),
        action=binding.action,
        node=node,
        now=any(now for _, _, now in entries),
    )
