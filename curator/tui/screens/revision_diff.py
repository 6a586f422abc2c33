"""What differs between two revisions of a document, or two readings of one, source by source."""

from __future__ import annotations

import threading
from functools import partial
from typing import TYPE_CHECKING, ClassVar, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Static

from curator.tui.progress import AppProgress
from curator.tui.screens.dialog import Dialog
from curator.tui.verdicts import DIFFERENCES, OUTCOMES
from curator.tui.widgets.footline import Footline
from curator.tui.widgets.row_list import Column, ListedRows, Row, RowList
from curator.tui.widgets.safe import plain, titled
from curator.tui.widgets.side_by_side import SideBySide
from curator.tui.workers import serve

if TYPE_CHECKING:
    from collections.abc import Sequence

    from curator.services.comparing import Compared, Entry, Side
    from curator.tui.app import CuratorApp


class RevisionDiff(Dialog[str]):
    """Answers with the source to read; None when it was closed.

    Args:
        document_id: Its current revision is compared with what stood before it, until another side is chosen.
    """

    CSS_PATH = ["dialog.tcss", "revision_diff.tcss"]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "turn", "list or texts"),
        Binding("w", "whole", "whole text"),
        Binding("s", "kind", "one kind"),
        Binding("c", "sides", "compare others"),
    ]

    def __init__(self, document_id: str) -> None:
        super().__init__()
        self._document_id = document_id
        self._entries: tuple[Entry, ...] = ()
        self._kind = ""
        self._found: Compared | None = None
        self._stop = threading.Event()

    def compose(self) -> ComposeResult:
        """How many differ in which way, the list of them, both texts of one."""
        with Vertical(classes="box") as box:
            titled(box, f"{self._document_id}: what changed", "enter: read it · esc: close")
            yield Static("comparing …", id="counts")
            columns = [Column("", 1), Column("", 9), Column("source", middle=True), Column("differs in", 20, least=90),
                       Column("page", 11, right=True)]  # fmt: skip
            yield RowList(columns, head=False, empty="comparing …", dom_id="differing")
            yield SideBySide(dom_id="texts")
        yield Footline()

    def on_mount(self) -> None:
        """Compare."""
        self.set_focus(self.query_one(RowList))
        self._compare(self._document_id)

    def _compare(self, one: str, two: str = "") -> None:
        ctx = cast("CuratorApp", self.app).ctx
        if ctx is None:
            return
        progress = AppProgress(lambda _snapshot: None, self._stop)

        def work() -> Compared:
            from curator.services.comparing import compare

            return compare(ctx, one, two, progress=progress)

        serve(self, work, self._show, doing="compare the revisions", failed=self._failed, reads=True)

    def _failed(self, _error: Exception) -> bool:
        self.dismiss(None)
        return False

    def _show(self, found: Compared) -> None:
        self._found, self._kind = found, ""
        self._list()

    def _list(self) -> None:
        """The differences of the kind that was chosen."""
        found = self._found
        assert found is not None
        self._entries = tuple(e for e in found.entries if self._kind in ("", e.outcome))
        said = ", ".join(f"{n} {OUTCOMES[outcome][1]}" for outcome, n in found.counts.items())
        only = f" · shown: {OUTCOMES[self._kind][1]}" if self._kind else ""
        last = found.two.reading if found.one.revision == found.two.revision else found.two.revision
        sides = f"{_told(found.one, found.two)} → {last}"
        self.query_one("#counts", Static).update(plain(f"{sides}: {said or 'nothing on either side'}{only}"))
        listed = self.query_one(RowList)
        listed.empty = "not one source differs"
        listed.show_rows(ListedRows([_row(n, e) for n, e in enumerate(self._entries)]))
        if not self._entries:
            self.query_one(SideBySide).show(("", ""), (), instead=("", ""))

    @on(RowList.Highlighted)
    def _seen(self, event: RowList.Highlighted) -> None:
        event.stop()
        entry, found = self._entries[int(event.row.id)], self._found
        assert found is not None
        one, two = _told(found.one, found.two), _told(found.two, found.one)
        abouts = (
            one + (f" · p. {entry.page}" if entry.page else ": not there"),
            two + (f" · p. {entry.other_page}" if entry.other_page else ": not there"),
        )
        self.query_one(SideBySide).show(abouts, entry.pieces, lines=entry.kind == "row")

    @on(RowList.Chosen)
    def _chosen(self, event: RowList.Chosen) -> None:
        event.stop()
        entry = self._entries[int(event.row.id)]
        if entry.other_id and self._found is not None and self._found.two.current:
            self.dismiss(entry.other_id)
        else:
            self.notify("it is not in the current text: only what is there can be read", markup=False, timeout=3)

    def action_turn(self) -> None:
        """Move in the list, or scroll the texts."""
        listed, texts = self.query_one(RowList), self.query_one(SideBySide)
        self.set_focus(texts if listed.has_focus else listed)

    def action_whole(self) -> None:
        """Show all that both texts share, or its ends again."""
        self.query_one(SideBySide).turn_whole()

    def action_kind(self) -> None:
        """Show one kind of difference after the other, then all again."""
        found = self._found
        if found is not None:
            kinds = ["", *(o for o in found.counts if o != "same")]
            self._kind = kinds[(kinds.index(self._kind) + 1) % len(kinds)]
            self._list()

    def action_sides(self) -> None:
        """Choose which two are compared: first the older, then the newer."""
        ctx = cast("CuratorApp", self.app).ctx
        if ctx is None:
            return

        def work() -> Sequence[Side]:
            from curator.services.comparing import versions

            return versions(ctx, self._document_id)

        serve(self, work, partial(self._choose, ""), doing="look for revisions", reads=True)

    def _choose(self, one: str, sides: Sequence[Side]) -> None:
        from curator.tui.screens.choose import Choose

        options = [(s.name, _line(s)) for s in sides if s.name != one]
        title = f"what is {one} compared with?" if one else "what is compared? first the older side"

        def chosen(found: tuple[str, ...] | None) -> None:
            if found and one:
                self._compare(one, found[0])
            elif found:
                self._choose(found[0], sides)

        self.app.push_screen(Choose(title, options), chosen)

    def on_unmount(self) -> None:
        """Nobody waits for it any more."""
        self._stop.set()


def _told(side: Side, other: Side) -> str:
    """A side as it differs from the other one: by its reading where both are of one revision."""
    alike = side.revision == other.revision and side.document_id == other.document_id
    return f"revision {side.revision}" + (f", reading {side.reading}" if alike else "")


def _line(side: Side) -> str:
    which = f", reading {side.reading} of {side.readings}" if side.readings > 1 else ""
    return f"revision {side.revision}{which} · {side.at[:10]} · {side.parser}" + (" · current" if side.current else "")


def _row(place: int, entry: Entry) -> Row:
    glyph, word = OUTCOMES[entry.outcome]
    pages = f"p. {entry.page or '–'} → {entry.other_page or '–'}"
    name = entry.other_id or entry.source_id
    return Row(place, str(place), (glyph, word, name, DIFFERENCES[entry.difference], pages))
