"""Dev and holdout: how the cases lie, how worn the holdout is, and who looked at it; a holdout case is an id here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, cast

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Static

from curator.text import counted
from curator.tui.screens.dialog import Dialog
from curator.tui.widgets.footline import Footline
from curator.tui.widgets.safe import fit, flat, plain, titled
from curator.tui.workers import serve

if TYPE_CHECKING:
    from collections.abc import Sequence

    from curator.domain.ledger import Look, Wear
    from curator.services.context import Context
    from curator.services.obstacles import Obstacle
    from curator.services.partitions import Standing
    from curator.tui.app import CuratorApp

SHOWN = 200


@dataclass(frozen=True)
class Sides:
    """What is shown; `looks` is None for who may not see the holdout."""

    standing: Standing
    leaks: tuple[Obstacle, ...]
    looks: Sequence[Look] | None


def read(ctx: Context) -> Sides:
    """How the cases lie; in a worker. An engineer sees nothing of the holdout but numbers."""
    from curator.services import ledger, partitions

    person = ctx.settings.people.get(ctx.actor_id)
    sees = bool(ctx.actor_id) and (person is None or person.role != "engineer")
    standing, checked = partitions.show(ctx), partitions.check(ctx)
    return Sides(standing, checked.leaks if sees else (), ledger.entries(ctx) if sees else None)


def told(found: Sides) -> list[str]:
    """All of it in lines."""
    s = found.standing
    lines = [", ".join(f"{n} {p.replace('_', ' ')}" for p, n in s.counts.items()) + f"; target {s.target:.0%} holdout"]
    lines.append(f"{counted(s.groups, 'group')} by {s.level}, the largest of {s.largest}; seed {s.seed}")
    if s.unassigned:
        lines.append(f"! {counted(s.unassigned, 'approved case')} without a side: curator partition assign")
    lines += ["", *_worn(s.wear), "", f"{'stratum':<32}{'cases':>6}{'holdout':>9}{'share':>8}"]
    for line in s.strata:
        share = f"{'✓' if line.near else '!'} {line.share:.0%}"
        lines.append(f"{fit(line.stratum, 32)}{line.cases:>6}{line.holdout:>9}{share:>8}")
        lines += [f"    {line.why}"] if line.why else []
    if found.looks is not None:
        lines += ["", *(f"! {flat(leak.line)}" for leak in found.leaks)] if found.leaks else ["", "✓ no leak"]
    return [*lines, *_looks(found)]


def _worn(wear: Wear) -> list[str]:
    mark = "! worn: " if wear.worn else ""
    known = ", ".join(map(flat, wear.people)) or "nobody"
    return [
        f"{mark}{counted(wear.cases, 'holdout case')}, looked at {wear.looks:.1f} times on average, limit {wear.limit}",
        f"who knows it: {known}",
    ]


def _looks(found: Sides) -> list[str]:
    if found.looks is None:
        return ["", "the ledger is shown to those who may see the holdout"]
    if not found.looks:
        return ["", "ledger: nobody has looked"]
    lines = ["", f"ledger: {counted(len(found.looks), 'look')}, the newest first"]
    for look in list(found.looks)[::-1][:SHOWN]:
        what = look.case_id or f"{look.suite}@{look.version}"
        why = f"withdrawn: {look.withdrawn}" if look.withdrawn else look.reason
        lines.append(f"{look.at[:16]}  {flat(look.actor)}  {look.how}  {flat(what)}  {flat(why)}".rstrip())
    return lines


class SidesScreen(Dialog[None]):
    """Read only."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,d", "close", "close", key_display="esc")]

    def compose(self) -> ComposeResult:
        """One text that scrolls."""
        with VerticalScroll(classes="box") as box:
            titled(box, "dev and holdout", "esc: close")
            yield Static("counting …", id="sides", classes="said")
        yield Footline()

    def on_mount(self) -> None:
        """Read in a worker: groups are worked out over all cases."""
        self.set_focus(self.query_one(VerticalScroll))
        ctx = cast("CuratorApp", self.app).ctx
        if ctx is not None:
            serve(self, lambda: read(ctx), self._show, doing="look at dev and holdout", reads=True,
                  failed=self._failed)  # fmt: skip

    def _show(self, found: Sides) -> None:
        self.query_one("#sides", Static).update(plain("\n".join(told(found))))

    def _failed(self, error: Exception) -> bool:
        self.query_one("#sides", Static).update(plain(f"! {error}"))
        return False
