"""The quotas of a suite: what they ask for now, changed here, tried against the cases, then written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Static

from curator.domain.quotas import ANY, PRESET_WORDS, PRESETS
from curator.domain.suite import DIMENSIONS, TITLES, Quota
from curator.errors import Conflict, CuratorError
from curator.text import counted
from curator.tui.screens.ask import Ask, Question
from curator.tui.screens.choose import Choose
from curator.tui.screens.confirm import Confirm
from curator.tui.screens.dialog import Dialog
from curator.tui.widgets.footline import Footline
from curator.tui.widgets.row_list import Column, ListedRows, Row, RowList
from curator.tui.widgets.safe import flat, plain, titled
from curator.tui.workers import serve

if TYPE_CHECKING:
    from curator.domain.quotas import Asked
    from curator.services.context import Context
    from curator.services.quotas import Preview
    from curator.tui.app import CuratorApp

MINIMUM = "minimum: cases, such as 3, or a share, such as 15%"
COLUMNS = (Column("", 1), Column("quota"), Column("asks for", 8, right=True), Column("as it is now", 24, least=60))
EACH_SHOWN = 5


@dataclass(frozen=True)
class Line:
    """A quota in the list: "+" new here, "−" taken out here, " " as in the file."""

    mark: str
    quota: Quota


def amount(quota: Quota, value: float | None = None) -> str:
    """A minimum, or what there is, in the unit of a quota."""
    value = quota.minimum if value is None else value
    return f"{value:.4g}" if quota.unit == "cases" else f"{100 * value:.3g}%"


def covers(quota: Quota, asked: Asked) -> bool:
    """Whether a quota as it is written, "*" and all, stands behind one that is put out."""
    where, own = quota.where, asked.quota.where
    same = where.keys() == own.keys() and all(v in (ANY, own[k]) for k, v in where.items())
    return same and quota.unit == asked.quota.unit


def lines_of(base: Sequence[Quota], mine: Sequence[Quota]) -> list[Line]:
    """The quotas as they would be written, then those that would be taken out."""
    kept = [Line(" " if q in base else "+", q) for q in mine]
    return [*kept, *(Line("−", q) for q in base if q not in mine)]


class QuotaScreen(Dialog[bool]):
    """Nothing is written before `w` and a yes; True when it was. A file that was changed meanwhile refuses."""

    CSS_PATH = ["dialog.tcss", "coverage_quotas.tcss"]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "add_quota", "add"),
        Binding("e,enter", "change_quota", "change", key_display="e"),
        Binding("x,delete", "drop_quota", "take out, back", key_display="x"),
        Binding("p", "preset", "preset"),
        Binding("u", "as_in_file", "as in the file", show=False),
        Binding("r", "read_again", "read the file again", show=False),
        Binding("w", "write_quotas", "write"),
        Binding("escape", "leave_quotas", "close"),
    ]

    def __init__(self, suite: str) -> None:
        super().__init__()
        self._suite = suite
        self._ctx: Context | None = None
        self._base: tuple[Quota, ...] = ()
        self._mine: list[Quota] = []
        self._preview: Preview | None = None

    def compose(self) -> ComposeResult:
        """The quotas, what the one under the cursor asks for, and the sum."""
        with Vertical(classes="box") as box:
            titled(box, f"quotas of {self._suite}", "nothing is written before w")
            yield RowList(COLUMNS, empty="no quotas: a adds one, p takes a preset", opens=False, dom_id="quotas")
            yield Static("", id="each")
            yield Static("", id="sum")
            yield Static("", id="error", classes="error")
        yield Footline()

    def on_mount(self) -> None:
        """As the settings are that the app goes by now."""
        ctx = self._curator.ctx
        assert ctx is not None
        self._take(ctx)
        self._mine = list(self._base)
        self.set_focus(self._list)
        self._changed()

    @property
    def _curator(self) -> CuratorApp:
        return cast("CuratorApp", self.app)

    @property
    def _list(self) -> RowList:
        return self.query_one("#quotas", RowList)

    def _take(self, ctx: Context) -> None:
        from curator.services.selection import policy

        self._ctx, self._base = ctx, policy(ctx, self._suite).quotas

    # -- what it would ask for ----------------------------------------------------------------------------------

    def _changed(self) -> None:
        """Try the quotas as they are here against the cases."""
        ctx, mine, name = self._ctx, tuple(self._mine), self._suite
        assert ctx is not None
        self._say("")
        self._preview = None
        self._paint()

        def work() -> Preview:
            from curator.services.quotas import preview

            return preview(ctx, name, mine)

        serve(self, work, self._tried, doing="try the quotas", group="preview", failed=self._wrong, reads=True)

    def _tried(self, found: Preview) -> None:
        self._preview = found
        self._paint()

    def _wrong(self, error: Exception) -> bool:
        hint = getattr(error, "hint", "")
        self._say(f"{error}" + (f" → {hint}" if hint else ""))
        return isinstance(error, CuratorError)

    def _say(self, wrong: str) -> None:
        self.query_one("#error", Static).update(plain(f"! {wrong}" if wrong else ""))

    def _paint(self) -> None:
        rows = [Row(n, str(n), self._cells(line)) for n, line in enumerate(lines_of(self._base, self._mine))]
        self._list.show_rows(ListedRows(rows), keep=True)
        found = self._preview
        changes = sum(line.mark != " " for line in lines_of(self._base, self._mine))
        said = [f"{counted(found.cases, 'case')} now; at least {found.least_new} more meet them all"] if found else []
        said.append(f"{counted(changes, 'change')} not written yet: w" if changes else "as in curator.toml")
        self.query_one("#sum", Static).update(plain(" · ".join(said)))
        self._paint_each()

    def _cells(self, line: Line) -> tuple[str, ...]:
        if line.mark == "−":
            return (line.mark, f"{line.quota.words} (taken out)", amount(line.quota), "")
        return (line.mark, line.quota.words, amount(line.quota), self._stands(line.quota))

    def _of(self, quota: Quota) -> list[Asked]:
        return [a for a in self._preview.quotas if covers(quota, a)] if self._preview else []

    def _stands(self, quota: Quota) -> str:
        found = self._of(quota)
        if self._preview is None:
            return "…"
        if not found:
            return "no such cell yet"
        unmet = [a for a in found if not a.met]
        if len(found) == 1 and ANY not in quota.where.values():
            has = f"has {amount(quota, found[0].have)}"
            return f"! {has}, {found[0].missing} missing" if unmet else f"✓ {has}"
        missing = sum(a.missing for a in unmet)
        return (
            f"! {missing} missing in {counted(len(unmet), 'cell')}"
            if unmet
            else f"✓ met in {counted(len(found), 'cell')}"
        )

    @on(RowList.Highlighted)
    def _seen(self, event: RowList.Highlighted) -> None:
        event.stop()
        self._paint_each()

    def _paint_each(self) -> None:
        line = self._line
        found = self._of(line.quota) if line is not None else []
        shown = [
            f"{'✓' if a.met else '!'} {a.quota.words}: has {amount(a.quota, a.have)}, needs {amount(a.quota)}"
            + ("" if a.met else f", {a.missing} missing")
            for a in sorted(found, key=lambda a: a.met)
        ]
        more = [f"and {len(shown) - EACH_SHOWN} more cells"] if len(shown) > EACH_SHOWN else []
        self.query_one("#each", Static).update(plain("\n".join([*shown[:EACH_SHOWN], *more])))

    @property
    def _line(self) -> Line | None:
        listed, row = lines_of(self._base, self._mine), self._list.row
        return listed[int(row.id)] if row is not None and int(row.id) < len(listed) else None

    # -- changing -----------------------------------------------------------------------------------------------

    def action_drop_quota(self) -> None:
        """Take the quota out; one that was taken out comes back."""
        line = self._line
        if line is None:
            return
        if line.mark == "−":
            self._mine.append(line.quota)
        else:
            self._mine.remove(line.quota)
        self._changed()

    def action_change_quota(self) -> None:
        """Another minimum."""
        line = self._line
        if line is None or line.mark == "−":
            return
        question = Question(MINIMUM, amount(line.quota), partial(_wrong_minimum, line.quota.where))
        self.app.push_screen(Ask(line.quota.words, [question]), partial(self._put, line.quota))

    def action_add_quota(self, where: tuple[tuple[str, str], ...] = ()) -> None:
        """A cell, dimension by dimension, then its minimum."""
        chosen = dict(where)
        name = Quota(where=chosen, minimum=0).words
        done = ("", f"that is all: {name}" if chosen else "all cases: no cell")
        options = [done, *((d, TITLES[d]) for d in DIMENSIONS if d not in chosen)]
        title = f"{name} × …" if chosen else "a quota on …"
        self.app.push_screen(Choose(title, options), partial(self._dimension_chosen, where))

    def _dimension_chosen(self, where: tuple[tuple[str, str], ...], answer: tuple[str, ...] | None) -> None:
        if answer is None:
            return
        if not answer[0]:
            question = Question(MINIMUM, "", partial(_wrong_minimum, dict(where)))
            title = Quota(where=dict(where), minimum=0).words
            self.app.push_screen(Ask(title, [question]), partial(self._put, Quota(where=dict(where), minimum=0)))
            return
        values = [(v, v) for v in self._curator.board.values(answer[0]) if v not in ("", "none", "hidden")]
        options = [(ANY, f"* each {TITLES[answer[0]].lower()} that there is"), *values]
        self.app.push_screen(
            Choose(TITLES[answer[0]], options), partial(self._value_chosen, where, answer[0])
        )  # fmt: skip

    def _value_chosen(
        self, where: tuple[tuple[str, str], ...], name: str, answer: tuple[str, ...] | None
    ) -> None:  # fmt: skip
        self.action_add_quota((*where, (name, answer[0])) if answer is not None else where)

    def _put(self, old: Quota, answer: tuple[str, ...] | None) -> None:
        """The quota with the minimum that was typed, in the place of the old one, or of one on the same cell."""
        if answer is None:
            return
        from curator.services.quotas import minimum_of

        minimum, unit = minimum_of(answer[0])
        new = Quota(where=old.where, minimum=minimum, unit=unit)
        self._replace(new, beside=old)
        self._changed()

    def _replace(self, new: Quota, beside: Quota | None = None) -> None:
        same = [q for q in self._mine if q == beside or (q.where == new.where and q.unit == new.unit)]
        place = self._mine.index(same[0]) if same else len(self._mine)
        self._mine = [q for q in self._mine if q not in same]
        self._mine.insert(place, new)

    def action_preset(self) -> None:
        """The quotas of a preset, in the place of all or beside them."""
        options = [(name, f"{name}: {PRESET_WORDS[name]}") for name in PRESETS]
        self.app.push_screen(Choose("which preset?", options), self._preset_chosen)

    def _preset_chosen(self, answer: tuple[str, ...] | None) -> None:
        if answer is None:
            return
        name = answer[0]
        if not self._mine:
            self._preset_put(name, ("instead",))
            return
        options = [("instead", "instead of the quotas here"), ("beside", "beside them; on the same cell, the preset's")]
        self.app.push_screen(Choose(f"{name}:", options), partial(self._preset_put, name))

    def _preset_put(self, name: str, answer: tuple[str, ...] | None) -> None:
        if answer is None:
            return
        if answer[0] == "instead":
            self._mine = list(PRESETS[name])
        else:
            for quota in PRESETS[name]:
                self._replace(quota)
        self._changed()

    def action_as_in_file(self) -> None:
        """Take back all changes that are not written."""
        self._mine = list(self._base)
        self._changed()

    # -- the file -----------------------------------------------------------------------------------------------

    def action_write_quotas(self) -> None:
        """Say what would change, then write it."""
        changes = [line for line in lines_of(self._base, self._mine) if line.mark != " "]
        if not changes:
            self.notify("nothing has changed", markup=False, timeout=3)
            return
        said = [f"{line.mark} {flat(line.quota.words)}: {amount(line.quota)}" for line in changes]
        if self._preview is not None:
            found = self._preview
            said += ["", f"{counted(found.cases, 'case')} now; at least {found.least_new} more meet them all."]
        said += ["", "Comments of the file, and what is not named here, stay as they are."]
        title = f"write the quotas of {self._suite} into curator.toml?"
        self.app.push_screen(Confirm(title, "\n".join(said), "write"), self._confirmed)

    def _confirmed(self, answer: bool | None) -> None:
        if not answer:
            return
        ctx, mine, name, space = self._ctx, tuple(self._mine), self._suite, self._curator.workspace
        assert ctx is not None

        def work() -> Context:
            from curator.services.quotas import write

            write(ctx, name, mine)
            return space.read_settings()

        serve(self, work, self._written, doing="write the quotas", group="write", failed=self._not_written)

    def _written(self, ctx: Context) -> None:
        self._curator.take_settings(ctx)
        self._curator.notify(f"curator.toml: {flat(self._suite)} has {counted(len(self._mine), 'quota')}", markup=False)
        self.dismiss(True)

    def _not_written(self, error: Exception) -> bool:
        if isinstance(error, Conflict):
            self._say(f"{error}; nothing was written. r reads it again, and what you changed here stays")
            return True
        return self._wrong(error)

    def action_read_again(self) -> None:
        """The file as it is now, with what was changed here put on it."""
        space = self._curator.workspace
        serve(self, space.read_settings, self._was_read, doing="read curator.toml", group="write", failed=self._wrong)

    def _was_read(self, ctx: Context) -> None:
        out = [q for q in self._base if q not in self._mine]
        new = [q for q in self._mine if q not in self._base]
        self._curator.take_settings(ctx)
        if self._suite not in ctx.settings.suites:
            self._say(f"curator.toml has no suite {self._suite} any more")
            return
        self._take(ctx)
        self._mine = [q for q in self._base if q not in out]
        for quota in new:
            self._replace(quota)
        self._changed()

    def action_leave_quotas(self) -> None:
        """Close; what is not written is named first."""
        changes = [line for line in lines_of(self._base, self._mine) if line.mark != " "]
        if not changes:
            self.dismiss(None)
            return
        said = "\n".join(f"{line.mark} {flat(line.quota.words)}: {amount(line.quota)}" for line in changes)
        self.app.push_screen(Confirm("leave without writing?", said, "leave"), self._left)

    def _left(self, answer: bool | None) -> None:
        if answer:
            self.dismiss(None)


def _wrong_minimum(where: dict[str, str], text: str) -> str:
    """What is wrong with a minimum; "" = nothing."""
    from curator.services.quotas import minimum_of, require_sense

    try:
        minimum, unit = minimum_of(text)
        require_sense([Quota(where=where, minimum=minimum, unit=unit)])
    except CuratorError as error:
        return f"{error}: {error.hint}" if error.hint else str(error)
    return ""
