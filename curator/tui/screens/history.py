"""What happened to a case: who, when, and each field's text before and after."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Static

from curator.states import STATES
from curator.tui.screens.dialog import Dialog
from curator.tui.texts import marked, spans
from curator.tui.widgets.footline import Footline
from curator.tui.widgets.row_list import Column, ListedRows, Row, RowList
from curator.tui.widgets.safe import plain, titled

Change = tuple[str, str, str]
NOTHING = "(empty)"
STANDING = ("status", "flags", "approvals", "side", "retired_reason", "successor")
SHOWN_OF_REVIEW = ("slot", "decision", "expectedBehavior", "expectedSourceIds", "risk", "reason", "withdrawn")


def changes(event: dict[str, Any]) -> list[Change]:
    """What an event changed: name of the field, text before and after. Only the two contents are compared."""
    data = event.get("data") or {}
    if event.get("entity") == "review":
        return [(name, "", _text(data[k])) for k, name in ((k, _words(k)) for k in SHOWN_OF_REVIEW) if data.get(k)]
    if event.get("entity") == "suggestion":
        return _suggested(data)
    before, after = data.get("before") or {}, data.get("after") or {}
    if not isinstance(before, dict) or not isinstance(after, dict):
        return []
    found = []
    keys = dict.fromkeys((*before, *after)) if "turns" in after or "turns" in before else STANDING
    for key in keys:
        old, new = _text(before.get(key, "")), _text(after.get(key, ""))
        if old != new and (key in after or "turns" in before):
            found.append((_words(key), old, new))
    status = data.get("status")
    if isinstance(status, str) and status and event.get("verb") in ("undone", "redone"):
        found.append(("status before", "", status.replace("_", " ")))
    return found


def _suggested(data: dict[str, Any]) -> list[Change]:
    """The suggestion, then the decision; of one that is hidden, nothing."""
    if "suggestion" not in data:
        return []
    shown = data["suggestion"]
    scores = f"score {shown['score']:.2f}" + (f", meaning {shown['meaning']:.2f}" if shown["meaning"] else "")
    said = f"{shown['sourceId']}\nby {shown['method']}: rank {shown['rank']}, {scores}"
    undecided = {"": "not decided"}
    before, after = (undecided.get(data[k], data[k]) for k in ("before", "after"))
    return [("suggested", "", said), ("decided", before, after)]


def _words(name: str) -> str:
    return re.sub(r"([A-Z])", lambda m: " " + m[1].lower(), name).replace("_", " ")


def _text(value: Any) -> str:
    """A JSON value as a person reads it; what says nothing is left out."""
    if isinstance(value, dict):
        return " · ".join(f"{_words(k)}: {_text(v)}" for k, v in value.items() if v not in ("", [], 0, False))
    if isinstance(value, list):
        return "\n".join(_text(v) for v in value)
    if isinstance(value, bool):
        return "yes" if value else ""
    return "" if value in (0, None, "[]") else str(value).replace("_", " " if value in STATES else "_")


class FieldChange(Vertical):
    """One field, old beside new, the differences marked."""

    def __init__(self, change: Change) -> None:
        super().__init__(classes="field")
        self._change = change

    def compose(self) -> ComposeResult:
        """Name, old text, new text."""
        name, old, new = self._change
        parts = spans(old, new) if old and new else ([], [])
        yield Static(plain(name), classes="label")
        with Horizontal(classes="both"):
            if old:
                yield Static(marked(old, parts[0], "$text-muted"), classes="old")
            yield Static(marked(new, parts[1], "$text-accent") if new else plain(NOTHING), classes="new")


class HistoryScreen(Dialog[None]):
    """Read only: events above, what the one under the cursor changed below."""

    CSS_PATH = ["dialog.tcss", "history.tcss"]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,h", "close", "close", key_display="esc"),
        Binding("space", "scroll(1)", "scroll the change"),
        Binding("b", "scroll(-1)", "scroll back", show=False),
    ]

    def __init__(self, case_id: str, events: Sequence[dict[str, Any]], *, blind: bool) -> None:
        super().__init__()
        self._case_id, self._events, self._blind = case_id, list(events), blind
        self._shown = -1

    def compose(self) -> ComposeResult:
        """List and detail."""
        with Vertical(classes="box") as box:
            titled(
                box,
                f"history of {self._case_id}, oldest first",
                "labels of others are hidden until both are in" if self._blind else "",
            )
            columns = [Column("when (UTC)", 16), Column("who", 12), Column("what", 18, wide=26), Column("changed")]
            yield RowList(columns, ListedRows(self._rows()), empty="nothing happened yet", opens=False)
            yield VerticalScroll(id="detail", can_focus=True)
        yield Footline()

    def _rows(self) -> list[Row]:
        return [Row(n, str(n), _cells(event)) for n, event in enumerate(self._events)]

    def on_mount(self) -> None:
        """The newest first in sight."""
        listed = self.query_one(RowList)
        self.set_focus(listed)
        self.call_after_refresh(listed.action_edge, 1)

    @on(RowList.Highlighted)
    async def _seen(self, event: RowList.Highlighted) -> None:
        event.stop()
        place = int(event.row.id)
        if place == self._shown:
            return
        self._shown = place
        detail = self.query_one("#detail", VerticalScroll)
        await detail.remove_children()
        found = changes(self._events[place])
        await detail.mount_all([FieldChange(c) for c in found] or [Static("no field changed", classes="label")])
        detail.scroll_home(animate=False)

    def action_scroll(self, by: int) -> None:
        """A screenful of the change."""
        detail = self.query_one("#detail", VerticalScroll)
        detail.scroll_relative(y=by * max(1, detail.size.height - 1), animate=False)


def _cells(event: dict[str, Any]) -> tuple[str, ...]:
    verb, data = str(event["verb"]), event.get("data") or {}
    if event.get("entity") == "review":
        verb = f"{str(data.get('decision', 'reviewed')).replace('_', ' ')} ({data.get('slot', '')})"
        said = str(data.get("reason", ""))
    elif event.get("entity") == "suggestion":
        said = f"{data['suggestion']['sourceId']}: {data['after'] or 'not decided'}" if "suggestion" in data else ""
    else:
        said = ", ".join(name for name, _, _ in changes(event))
    undone = f"#{event['undoes']} " if event.get("undoes") else ""
    return str(event["at"])[:16].replace("T", " "), str(event["actor"]), verb, undone + said
