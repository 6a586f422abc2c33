"""How far two labelers agree: raw, kappa, alpha, by field and stratum, each with its count or why there is none."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar, cast

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Static

from curator.domain.agreement import FEW, Measured, Statistic
from curator.services.agreement import DIMENSIONS, Agreement, agreement
from curator.text import counted
from curator.tui.screens.choose import Choose
from curator.tui.screens.dialog import Dialog
from curator.tui.widgets.footline import Footline
from curator.tui.widgets.row_list import Column, ListedRows, Row, RowList
from curator.tui.widgets.safe import plain, titled
from curator.tui.workers import serve

if TYPE_CHECKING:
    from curator.tui.app import CuratorApp

FIELDS = {"expectedBehavior": "behavior", "expectedSourceIds": "sources", "risk": "risk"}


class AgreementScreen(Dialog[None]):
    """Read only; another dimension of the strata is a key away."""

    CSS_PATH = ["dialog.tcss", "agreement.tcss"]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "by", "by stratum"),
        Binding("escape,m", "close", "close", key_display="esc"),
    ]

    def __init__(self, found: Agreement, by: Sequence[str]) -> None:
        super().__init__()
        self._found, self._by = found, tuple(by)

    def compose(self) -> ComposeResult:
        """Counts, a line for each field of each stratum, and what is undefined."""
        with Vertical(classes="box") as box:
            titled(box, "agreement of two blind labels, before anybody decided", "1 = always, 0 = no more than chance")
            yield Static("", classes="said")
            columns = [
                Column("stratum"), Column("field", 9), Column("cases", 5, right=True), Column("equal", 5, right=True),
                Column("raw", 6, right=True), Column("kappa", 6, right=True), Column("alpha", 6, right=True),
                Column("MASI", 6, right=True, least=70),
            ]  # fmt: skip
            yield RowList(columns, empty="no case has two labels", opens=False)
            yield Static("", id="why")
        yield Footline()

    def on_mount(self) -> None:
        """Paint."""
        self.set_focus(self.query_one(RowList))
        self._paint()

    def _paint(self) -> None:
        found = self._found
        measures = [*found.overall, *found.strata]
        rows = [Row(n, str(n), _cells(m)) for n, m in enumerate(measures)]
        self.query_one(RowList).show_rows(ListedRows(rows))
        self.query_one(".said", Static).update(plain(_said(found)))
        whys = dict.fromkeys(s.why for m in measures for s in (m.raw, m.kappa, m.alpha, m.masi) if s and s.why)
        self.query_one("#why", Static).update(plain("\n".join(f"– undefined because {why}" for why in whys)))

    def action_by(self) -> None:
        """Choose what the cases are told apart by."""
        options = [(name, name) for name in DIMENSIONS]
        self.app.push_screen(Choose("by stratum", options, instant=True), self._chosen)

    def _chosen(self, answer: tuple[str, ...] | None) -> None:
        ctx = cast("CuratorApp", self.app).ctx
        if answer and ctx is not None:
            serve(self, partial(agreement, ctx, answer), self._measured, doing="measure agreement", reads=True)

    def _measured(self, found: Agreement) -> None:
        self._found = found
        self._paint()


def _said(found: Agreement) -> str:
    cases = found.overall[0].cases
    parts = [
        f"{counted(cases, 'case')} with two labels, {found.drawn} of them drawn from low and medium risk",
        f"{found.adjudicated} decided by a third person",
        f"{counted(found.waiting, 'waits', 'wait')} for a label",
    ]
    little = (
        f"\n! {counted(cases, 'case says', 'cases say')} little: below {FEW}, one more or less moves a coefficient"
        if 0 < cases < FEW
        else ""
    )
    return " · ".join(parts) + little


def _cells(found: Measured) -> tuple[str, ...]:
    stratum = ", ".join(f"{k} {v or 'none'}" for k, v in found.stratum.items()) or "all"
    figures = (_figure(s) for s in (found.raw, found.kappa, found.alpha, found.masi))
    return (stratum, FIELDS.get(found.field, found.field), str(found.cases), str(found.equal), *figures)


def _figure(found: Statistic | None) -> str:
    return "" if found is None else "–" if found.value is None else f"{found.value:.3f}"
