"""Re-confirm: what waits for a person since a new revision, by source; old and new side by side; one key decides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Static

from curator.tui.messages import OpenCase
from curator.tui.screens.deciding import Deciding, Item
from curator.tui.verdicts import SILENT, VERDICTS, difference_of
from curator.tui.widgets.row_list import Column, ListedRows, Row, RowList
from curator.tui.widgets.safe import flat, plain
from curator.tui.widgets.side_by_side import SideBySide

if TYPE_CHECKING:
    from curator.domain.revision import Comparison
    from curator.services.context import Context


@dataclass(frozen=True)
class Looked:
    """What is shown of an item: the comparison of a source, or the text that may answer a refusal."""

    item: Item
    compared: Comparison | None


def items(ctx: Context) -> list[Item]:
    """All that waits: sources that cases cite, refusals, then sources that none cites; in a worker."""
    from curator.services import reconfirm

    sources = [Item(w.source_id, wait=w) for w in reconfirm.waiting(ctx)]
    hits = [Item(f"{SILENT} {h.case_id}", hit=h) for h in reconfirm.refusals(ctx)]
    cited = sum(bool(i.wait and i.wait.cases) for i in sources)
    return [*sources[:cited], *hits, *sources[cited:]]


def look(item: Item, beside: str, ctx: Context) -> Looked:
    """Read what is shown of an item; in a worker."""
    from curator.services import reconfirm

    return Looked(item, reconfirm.look(ctx, item.name, beside) if item.wait else None)


class ReconfirmScreen(Deciding):
    """F6, then r."""

    CSS_PATH = "reconfirm.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "accept", "accept"),
        Binding("o", "other", "another place"),
        Binding("c,enter", "cases", "it changed: to the case", key_display="c"),
        Binding("x", "drop", "drop"),
        Binding("A", "accept_formal", "accept all in form", key_display="A"),
        Binding("n", "next(1)", "next", show=False),
        Binding("N", "next(-1)", "one before", show=False),
        Binding("w", "whole", "all of the text", show=False),
        Binding("r", "app.mode('review')", "reviews", show=False),
        Binding("escape", "back", "list"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._items: list[Item] = []
        self._read = False
        self._looked: Looked | None = None
        self._wanted = ("", "")
        self._jump = False

    def compose_room(self) -> ComposeResult:
        """How much waits; the list, or one source with both its texts."""
        yield Static("", id="summary")
        columns = [
            Column("", 1),
            Column("verdict", 16, least=60),
            Column("source", middle=True),
            Column("differs in", 22, least=90),
            Column("cases", 5, right=True),
            Column("document", 24, least=130, middle=True),
        ]
        yield RowList(columns, empty="opening …", dom_id="waiting")
        with Vertical(id="deciding"):
            yield Static("", id="head")
            yield SideBySide(dom_id="texts")
            yield Static("", id="next")

    def on_mount(self) -> None:
        """Keys act on the list."""
        super().on_mount()
        self.set_focus(self._list)

    @property
    def _list(self) -> RowList:
        return self.query_one("#waiting", RowList)

    @property
    def _item(self) -> Item | None:
        row = self._list.row
        return next((i for i in self._items if row and i.name == row.id), None)

    # -- what waits ---------------------------------------------------------------------------------------------

    def refresh_room(self) -> None:
        """Read again what waits."""
        self.ask(items, self._show, doing="look what waits", group="reconfirm")

    def case_changed(self, origin: str) -> None:
        """A decision was made or taken back: what waits again by it is gone to."""
        if origin == "saved" and self.is_current:
            self._jump = True
            self.refresh_room()

    def _show(self, found: list[Item]) -> None:
        before, now = {i.name for i in self._items}, [i.name for i in found]
        back = [n for n in now if n not in before] if self._jump and self._read else []
        here = self._wanted[0]
        self._items, self._read, self._jump = found, True, False
        listed = self._list
        listed.empty = "nothing waits: every source is confirmed"
        listed.show_rows(ListedRows([_row(n, i) for n, i in enumerate(found)]), keep=True)
        if back or here in now:
            listed.cursor = now.index(back[0] if back else here)
        self._paint_summary()
        if self.is_deciding:
            self._look()

    def _paint_summary(self) -> None:
        counts = Counter(i.verdict for i in self._items)
        said = ", ".join(f"{counts[v]} {VERDICTS[v][1]}" for v in VERDICTS if counts[v])
        count = len(self._items)
        line = f"{count} {'waits' if count == 1 else 'wait'} since a new revision: {said}" if said else "nothing waits"
        formal = self.formal
        if formal:
            line += f"\n{len(formal)} differ in white space, hyphenation or numbering only: A accepts them all"
        self.query_one("#summary", Static).update(plain(self.working or line))
        self.refresh_bindings()

    @property
    def formal(self) -> list[Item]:
        """Those that differ in form alone and have one proposal."""
        return [i for i in self._items if i.is_formal]

    # -- one of them --------------------------------------------------------------------------------------------

    @on(RowList.Chosen, "#waiting")
    def _chosen(self, event: RowList.Chosen) -> None:
        event.stop()
        self.add_class("-deciding")
        self.set_focus(self.query_one(SideBySide))
        self._look()

    @on(RowList.Highlighted, "#waiting")
    def _highlighted(self, event: RowList.Highlighted) -> None:
        event.stop()
        if self.is_deciding and (self._looked is None or self._looked.item.name != event.row.id):
            self._look()

    @property
    def is_deciding(self) -> bool:
        """Whether one source is shown with its texts."""
        return self.has_class("-deciding")

    def _look(self, beside: str = "") -> None:
        """Show the item under the cursor; until it is there, no key decides."""
        item = self._item
        if item is None:
            self.action_back()
            return
        if not beside and self._wanted[0] == item.name:
            beside = self._wanted[1]  # what was chosen to be looked at stays while one was elsewhere
        self._looked, self._wanted = None, (item.name, beside)
        self.ask(partial(look, item, beside), partial(self._looked_at, beside), doing=f"look at {item.name}",
                 group="look", failed=self._gone)  # fmt: skip

    def _gone(self, _error: Exception) -> bool:
        self.action_back()
        self.refresh_room()
        return False

    def _looked_at(self, beside: str, looked: Looked) -> None:
        if self._item is None or self._item.name != looked.item.name:
            return
        self._looked, self.beside = looked, beside
        texts = self.query_one(SideBySide)
        if looked.compared is not None:
            abouts, instead = _abouts(looked.compared), _instead(looked.compared)
            lines = looked.item.wait is not None and looked.item.wait.kind == "row"
            texts.show(abouts, looked.compared.pieces, instead=instead, lines=lines)
        elif looked.item.hit is not None:
            hit = looked.item.hit
            new = f"new in revision {hit.revision} of {hit.document_id} · {hit.source_id}"
            texts.show(("the case refuses: the sources are silent", new), (), instead=(hit.question, hit.text))
        self._paint_head()

    def _paint_head(self) -> None:
        item, place = self._item, self._list.cursor + 1
        if item is None:
            return
        self.query_one("#head", Static).update(plain(flat(f"{place} of {len(self._items)} · {item.title}")))
        self.query_one("#next", Static).update(plain(self._keys_said(item)))
        self.refresh_bindings()

    def _keys_said(self, item: Item) -> str:
        if item.hit is not None:
            return "a: the sources are still silent · c: it is answered now, open the case"
        wait = item.wait
        assert wait is not None
        cases = f"c: it changed, to the case{'s' if wait.cases > 1 else ''}" if wait.cases else "no case cites it"
        if self.beside:
            return f"a: yes, it lies at {flat(self.beside)} now · o: look at another · {cases}"
        if not item.is_proposed:
            return f"o: choose where it lies now · x: it is gone · {cases}"
        return f"a: still holds · o: lies elsewhere · x: is gone · {cases}"

    def forget(self) -> None:
        """What is shown is decided: the next one is looked at when the list is read again."""
        self._looked, self._wanted, self.beside = None, ("", ""), ""

    @property
    def shown(self) -> Item | None:
        """What is shown in full; None while it is being read."""
        return self._looked.item if self.is_deciding and self._looked is not None else None

    def show_beside(self, source_id: str) -> None:
        """Show another source beside the old text."""
        self._look(source_id)

    def open_case(self, case_id: str) -> None:
        """To a case; F6 comes back to where one is."""
        self.post_message(OpenCase(case_id))

    # -- moving -------------------------------------------------------------------------------------------------

    def action_next(self, by: int) -> None:
        """The next one, or the one before, undecided."""
        self.forget()
        self._list.cursor += by
        self._look()

    def action_whole(self) -> None:
        """Show all that both texts share, or its ends again."""
        self.query_one(SideBySide).turn_whole()

    def action_back(self) -> None:
        """To the list; what works is stopped first."""
        if self.working:
            self.stop_all()
            return
        self.forget()
        self.remove_class("-deciding")
        self.set_focus(self._list)
        self.refresh_bindings()


def _row(place: int, item: Item) -> Row:
    glyph, word = VERDICTS[item.verdict]
    if item.wait is not None:
        wait = item.wait
        cells = (glyph, word, wait.source_id, difference_of(wait), str(wait.cases or "·"), wait.document_id)
        return Row(place, item.name, cells, "" if wait.cases else "muted")
    hit = item.hit
    assert hit is not None
    return Row(place, item.name, (glyph, word, hit.question or hit.case_id, f"{hit.share:.0%} of the question", "1",
                                  hit.document_id))  # fmt: skip


def _abouts(seen: Comparison) -> tuple[str, str]:
    wait, old, new = seen.wait, seen.old, seen.new
    was = f"revision {seen.old_revision} · p. {old.page_label or old.page}{_under(old.section_path)}"
    if new is None:
        return was, f"revision {wait.revision}"
    name = "" if wait.target in ("", wait.source_id) else f" · {wait.target}"
    return was, f"revision {wait.revision} · p. {new.page_label or new.page}{_under(new.section_path)}{name}"


def _under(path: Sequence[str]) -> str:
    return f" · {path[-1]}" if path else ""


def _instead(seen: Comparison) -> tuple[str, str] | None:
    """Both texts, where there is nothing to compare with."""
    if seen.new is not None:
        return None
    said = "\n".join((seen.old.text, *seen.old.footnotes))
    if not seen.wait.candidates:
        return said, "nothing here is like it: o finds it by its words, x says that it is gone"
    said_first = "several places come into question" if seen.wait.verdict == "AMBIGUOUS" else "nothing is much like it"
    listed = "; ".join(f"{c.source_id} ({c.score:.0f} %)" for c in seen.wait.candidates)
    return said, f"{said_first}; o looks at one: {listed}"
