"""The suites: what they hold, what they lack, their versions; releasing and verifying."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Static

from curator.text import counted
from curator.tui.screens.ask import Ask, Question, needed
from curator.tui.screens.choose import Choose
from curator.tui.screens.confirm import Confirm
from curator.tui.screens.listing import Listing
from curator.tui.screens.rating_start import offer_samples
from curator.tui.screens.room import Room
from curator.tui.widgets.row_list import Column, ListedRows, Row, RowList
from curator.tui.widgets.safe import flat, plain

if TYPE_CHECKING:
    from curator.services.context import Context
    from curator.services.release import Released, SuiteState

SHOWN_CHANGES = 8


class SuitesScreen(Room):
    """F8."""

    CSS_PATH = "suites.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r", "release", "release"),
        Binding("v", "verify", "verify a version"),
        Binding("o", "outputs", "rate outputs"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._suites: dict[str, SuiteState] = {}
        self._said: dict[str, str] = {}
        self._wanted = ""

    def compose_room(self) -> ComposeResult:
        """The list, and what is to be known of the suite under the cursor."""
        columns = [
            Column("suite", 22),
            Column("cases", 6, right=True),
            Column("gaps", 10),
            Column("latest", 8),
            Column("", 0),
        ]
        yield RowList(columns, empty="opening …", opens=False, dom_id="suites")
        with VerticalScroll(id="about", can_focus=False):
            yield Static("", id="details")

    def on_mount(self) -> None:
        """Keys act on the list."""
        super().on_mount()
        self.set_focus(self.query_one("#suites"))

    def refresh_room(self) -> None:
        """Count again."""
        from curator.services import release

        self.ask(release.suites, self._show, doing="look at the suites", group="suites")

    def _show(self, found: tuple[SuiteState, ...]) -> None:
        self._suites = {s.name: s for s in found}
        listed = self.query_one("#suites", RowList)
        listed.empty = "no suite: write a [suites.NAME] table into curator.toml"
        listed.show_rows(ListedRows([_row(n, s) for n, s in enumerate(found)]), keep=True)
        if self._wanted in self._suites:
            listed.cursor = list(self._suites).index(self._wanted)
            self._wanted = ""

    def show_suite(self, name: str) -> None:
        """Put the cursor on a suite, now or when they have been read."""
        self._wanted = name
        if name in self._suites:
            self._show(tuple(self._suites.values()))

    @property
    def _suite(self) -> SuiteState | None:
        row = self.query_one("#suites", RowList).row
        return self._suites.get(row.id) if row else None

    @on(RowList.Highlighted, "#suites")
    def _seen(self, event: RowList.Highlighted) -> None:
        event.stop()
        self._paint()

    def _paint(self) -> None:
        suite = self._suite
        if suite is None:
            return
        lines = [suite.description] if suite.description else []
        lines.append(f"{suite.cases} approved cases are taken")
        ctx = self.curator.ctx
        table = ctx.settings.suites.get(suite.name) if ctx else None
        met = "✓ every quota is met" if table and table.quotas else "it has no quotas"
        lines += [f"! gap: {g.name}: has {g.have:g}, needs {g.need:g}" for g in suite.gaps] or [met]
        lines.append(f"versions: {', '.join(suite.versions)}" if suite.versions else "not released yet: r releases it")
        if suite.name in self._said:
            lines += ["", self._said[suite.name]]
        self.query_one("#details", Static).update(plain("\n".join(lines)))

    # -- releasing ----------------------------------------------------------------------------------------------

    def action_release(self) -> None:
        """A dry run first; then it is asked whether to write."""
        suite = self._suite
        if suite is None:
            return
        from curator.services import release

        name = suite.name
        self.ask(
            lambda ctx: release.release(ctx, name, dry_run=True),
            self._dry_run,
            doing=f"try the release of {name}",
            group="release",
            failed=partial(self._not_released, name),
        )

    def _dry_run(self, tried: Released) -> None:
        lines = _summary(tried)
        if tried.gaps:
            reason = Question("reason to release in spite of the gaps", check=needed("a reason"))
            said = "\n".join([*lines, "", "A gap stops a release. A waiver with a reason goes into the manifest."])
            self.app.push_screen(Ask(f"release {tried.suite}", [reason], said), partial(self._waived, tried))
            return
        said = "\n".join([*lines, "", "A released version is never written again."])
        self.app.push_screen(
            Confirm(f"release {tried.suite} {tried.version}?", said, "release"), partial(self._confirmed, tried, "")
        )

    def _waived(self, tried: Released, answer: tuple[str, ...] | None) -> None:
        if answer is not None:
            self._confirmed(tried, answer[0], True)

    def _confirmed(self, tried: Released, waive: str, answer: bool | None) -> None:
        if not answer:
            return
        from curator.services import release

        name = tried.suite
        self._say(name, "releasing …")
        self.ask(
            lambda ctx: release.release(ctx, name, waive=waive),
            self._released,
            doing=f"release {name}",
            group="release",
            failed=partial(self._not_released, name),
        )

    def _released(self, done: Released) -> None:
        lines = _summary(done)
        if done.outcome == "same":
            lines = [f"nothing changed since {done.version}: nothing was written"]
        else:
            lines = [f"✓ released {done.version}", *lines, f"folder: {done.folder}"]
            lines += [f"holdout: {done.holdout}"] if done.holdout else []
        self._say(done.suite, "\n".join(lines))
        self.notify(lines[0], title=done.suite, markup=False)
        self.refresh_room()

    def _not_released(self, name: str, error: Exception) -> bool:
        self._say(name, f"! not released: {error}")
        return False

    def _say(self, name: str, said: str) -> None:
        self._said[name] = said
        self._paint()

    # -- rating -------------------------------------------------------------------------------------------------

    def action_outputs(self) -> None:
        """Choose a sample of outputs of the suite; rate it, or see what it came to."""
        suite = self._suite
        if suite is not None:
            offer_samples(self, suite.name)

    # -- verifying ----------------------------------------------------------------------------------------------

    def action_verify(self) -> None:
        """Choose a version; its files are read and checked."""
        suite = self._suite
        if suite is None:
            return
        if not suite.versions:
            self.notify(f"{flat(suite.name)} has no version yet", markup=False, severity="warning")
        elif len(suite.versions) == 1:
            self._verify(suite.name, (suite.versions[0],))
        else:
            options = [(v, v) for v in reversed(suite.versions)]
            self.app.push_screen(
                Choose(f"verify which version of {suite.name}?", options), partial(self._verify, suite.name)
            )

    def _verify(self, name: str, answer: tuple[str, ...] | None) -> None:
        if answer is None:
            return
        version = answer[0]
        self._say(name, f"verifying {version} …")
        self.ask(
            partial(_verified, name, version), partial(self._checked, name, version), doing=f"verify {name} {version}"
        )

    def _checked(self, name: str, version: str, problems: tuple[str, ...]) -> None:
        if not problems:
            self._say(name, f"✓ {version}: every file is whole and unchanged")
            return
        self._say(
            name,
            f"! {version}: {counted(len(problems), 'problem')}\n" + "\n".join(f"  {flat(p)}" for p in problems[:20]),
        )
        rows = [(p,) for p in problems]
        self.app.push_screen(Listing(f"{name} {version}: problems", [Column("problem")], rows, empty=""))


def _verified(name: str, version: str, ctx: Context) -> tuple[str, ...]:
    """Check a version's folder and its holdout, when that is here; in a worker."""
    from curator.services import verifying

    hidden = ctx.hidden / "holdout" / name / version
    return verifying.verify(ctx.exports / name / version, hidden if hidden.is_dir() else None)


def _row(number: int, suite: SuiteState) -> Row:
    gaps = f"! {counted(len(suite.gaps), 'gap')}" if suite.gaps else "✓ none"
    return Row(number, suite.name, (suite.name, str(suite.cases), gaps, suite.latest or "–", suite.description))


def _summary(released: Released) -> list[str]:
    """What a release holds and changes, in lines."""
    counts = ", ".join(f"{name} {count}" for name, count in released.counts.items() if count)
    lines = [f"version {released.version}" + (f" after {released.parent}" if released.parent else ", the first")]
    lines.append(counted(released.cases, "case") + (f": {counts}" if counts else ""))
    lines += [f"! gap: {g.name}: has {g.have:g}, needs {g.need:g}" for g in released.gaps]
    for change in released.changes[:SHOWN_CHANGES]:
        fields = f" ({', '.join(change.fields)})" if change.fields else ""
        lines.append(f"{change.what} {change.id}: {change.level}{fields}")
    more = len(released.changes) - SHOWN_CHANGES
    return [*lines, f"and {more} more changes"] if more > 0 else lines
