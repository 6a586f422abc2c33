"""The suites: what they hold, what they lack, their versions; releasing, comparing, exporting, verifying, yanking."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Static

from curator.progress import Progress
from curator.text import counted
from curator.tui.paths import completions
from curator.tui.screens.ask import Ask, Question, needed
from curator.tui.screens.choose import Choose
from curator.tui.screens.listing import Listing
from curator.tui.screens.rating_start import offer_samples
from curator.tui.screens.suite_release import Releasing
from curator.tui.widgets.row_list import Column, ListedRows, Row, RowList
from curator.tui.widgets.safe import flat, plain

if TYPE_CHECKING:
    from curator.domain.suite_diff import SuiteDiff
    from curator.services.context import Context
    from curator.services.fetching import Fetched
    from curator.services.release import SuiteState
    from curator.services.targets import Exported
    from curator.services.verifying import Verified
    from curator.services.yanking import Yanked


class SuitesScreen(Releasing):
    """F8."""

    CSS_PATH = "suites.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r", "release", "release"),
        Binding("d", "diff", "compare"),
        Binding("e", "export", "export"),
        Binding("v", "verify", "verify a version"),
        Binding("V", "revisions", "release for other revisions", key_display="V", show=False),
        Binding("o", "outputs", "rate outputs"),
        Binding("Y", "yank", "yank", key_display="Y"),
        Binding("H", "fetch_holdout", "fetch the holdout", key_display="H", show=False),
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
        yield from self.compose_job()
        with VerticalScroll(id="about", can_focus=False):
            yield Static("", id="details")

    def on_mount(self) -> None:
        """Keys act on the list."""
        super().on_mount()
        self.set_focus(self.query_one("#suites"))

    def refresh_room(self) -> None:
        """Count again."""
        self.ask(_states, self._show, doing="look at the suites", group="suites")

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
    def suite(self) -> SuiteState | None:
        """The suite under the cursor."""
        row = self.query_one("#suites", RowList).row
        return self._suites.get(row.id) if row else None

    @on(RowList.Highlighted, "#suites")
    def _seen(self, event: RowList.Highlighted) -> None:
        event.stop()
        self._paint()

    def _paint(self) -> None:
        suite = self.suite
        if suite is None:
            return
        ctx = self.curator.ctx
        table = ctx.settings.suites.get(suite.name) if ctx else None
        lines = _about(suite, has_quotas=bool(table and table.quotas))
        if suite.name in self._said:
            lines += ["", self._said[suite.name]]
        self.query_one("#details", Static).update(plain("\n".join(lines)))

    def say(self, name: str, said: str) -> None:
        """Say something of a suite, below what is known of it."""
        self._said[name] = said
        self._paint()

    # -- rating -------------------------------------------------------------------------------------------------

    def action_outputs(self) -> None:
        """Choose a sample of outputs of the suite; rate it, or see what it came to."""
        suite = self.suite
        if suite is not None:
            offer_samples(self, suite.name)

    # -- choosing a version -------------------------------------------------------------------------------------

    def _with_version(self, asked: str, then: Callable[[str, str], None], versions: Sequence[str] = ()) -> None:
        """Ask for a version of the suite under the cursor, the newest first, when it has several."""
        suite = self.suite
        if suite is None:
            return
        offered = list(reversed(versions or suite.versions))
        if not offered:
            self.notify(f"{flat(suite.name)} has no version yet", markup=False, severity="warning")
        elif len(offered) == 1:
            then(suite.name, offered[0])
        else:
            options = [(v, f"{v}  yanked" if v in suite.yanked else v) for v in offered]
            name = suite.name

            def answered(answer: tuple[str, ...] | None) -> None:
                if answer:
                    then(name, answer[0])

            self.app.push_screen(Choose(f"{asked} {flat(name)}?", options), answered)

    # -- verifying ----------------------------------------------------------------------------------------------

    def action_verify(self) -> None:
        """Choose a version; its files are read and checked, its holdout and what was recorded of it too."""
        self._with_version("verify which version of", self._verify)

    def _verify(self, name: str, version: str) -> None:
        self.begin(
            f"verify {name} {version}", partial(_verified, name, version), partial(self._checked, name, version),
            said=partial(self.say, name),
        )  # fmt: skip

    def _checked(self, name: str, version: str, found: Verified) -> None:
        gone = f"\n! it is {found.yanked}" if found.yanked else ""
        if not found.problems:
            apart = "" if found.holdout else "; its holdout is not here"
            self.say(name, f"✓ {version}: every file is whole and unchanged{apart}{gone}")
            return
        count = counted(len(found.problems), "problem")
        self.say(name, f"! {version}: {count}\n" + "\n".join(f"  {flat(p)}" for p in found.problems[:20]) + gone)
        rows = [(p,) for p in found.problems]
        self.app.push_screen(Listing(f"{name} {version}: problems", [Column("problem")], rows, empty=""))

    # -- comparing ----------------------------------------------------------------------------------------------

    def action_diff(self) -> None:
        """Choose a version, and the one before it or another to compare it with."""
        suite = self.suite
        if suite is not None and len(suite.versions) < 2:
            self.notify("there are no two versions to compare; r shows what a next one would be", markup=False)
            return
        if suite is not None and len(suite.versions) == 2:
            self._diff(suite.versions[1], suite.name, suite.versions[0])
            return
        self._with_version("compare which version of", self._diff_with)

    def _diff_with(self, name: str, version: str) -> None:
        suite = self._suites[name]
        others = [v for v in suite.versions if v != version]
        earlier = [v for v in others if suite.versions.index(v) < suite.versions.index(version)]
        ordered = [
            v for v in others if v not in earlier
        ] + earlier  # asked for from the end: the one before comes first
        self._with_version(f"what changed up to {version}, since which of", partial(self._diff, version), ordered)

    def _diff(self, version: str, name: str, since: str) -> None:
        self.begin(
            f"compare {name} {since} and {version}", partial(_compared, name, since, version), self._differ,
            said=partial(self.say, name),
        )  # fmt: skip

    def _differ(self, found: SuiteDiff) -> None:
        from curator.tui.screens.change_list import ChangeList

        one, two = found.one, found.two
        said = [f"{found.level}: {found.summary}; {one.cases} → {two.cases} cases; holdout: {found.holdout}"]
        said += [f"! {s.version} is {flat(s.yanked)}" for s in (one, two) if s.yanked]
        said += [flat(note) for note in found.notes[:6]]
        title = f"{two.suite} {one.version} → {two.version}"
        self.app.push_screen(ChangeList(title, said, found.changes, (one.version, two.version)))

    # -- exporting ----------------------------------------------------------------------------------------------

    def action_export(self) -> None:
        """Choose a version and the evaluators to write it for."""
        suite = self.suite
        usable = [v for v in suite.versions if v not in suite.yanked] if suite else []
        if suite is not None and suite.versions and not usable:
            self.notify("every version of it is yanked", markup=False, severity="warning")
            return
        self._with_version("export which version of", self._export_to, usable)

    def _export_to(self, name: str, version: str) -> None:
        from curator.exporting.targets.registry import ALL
        from curator.services.targets import targets

        options = [(ALL, f"{ALL}: every evaluator")]
        options += [(t.name, f"{t.name}: {t.evaluator}, {t.summary}") for t in targets()]

        def answered(answer: tuple[str, ...] | None) -> None:
            if answer:
                self._export(name, version, answer)

        self.app.push_screen(Choose(f"export {flat(name)} {version} to", options, several=True), answered)

    def _export(self, name: str, version: str, to: tuple[str, ...]) -> None:
        self.begin(
            f"export {name} {version}", partial(_exported, name, version, to),
            partial(self._written, name), said=partial(self.say, name), keeps=True,
        )  # fmt: skip

    def _written(self, name: str, made: Exported) -> None:
        left = sum(sum(t.left_out.values()) for t in made.targets)
        place = Path(made.targets[0].folder).parent if made.targets else Path()
        said = f"✓ {made.version} is written for {counted(len(made.targets), 'evaluator')}: {place}"
        self.say(name, said + (f"\n  {left} cases were left out in all; each LOST.md says why" if left else ""))
        columns = [
            Column("target", 14),
            Column("cases", 6, right=True),
            Column("left out", 9, right=True),
            Column("why, or where it lies"),
        ]
        rows = [
            (t.name, str(t.cases), str(sum(t.left_out.values())),
             "; ".join(f"{n}: {why}" for why, n in t.left_out.items()) or t.folder)
            for t in made.targets
        ]  # fmt: skip
        self.app.push_screen(Listing(f"{name} {made.version}: exported", columns, rows, empty=""))

    # -- yanking, and the holdout ---------------------------------------------------------------------------------

    def action_yank(self) -> None:
        """Choose a version that nobody should use any more, and say why."""
        suite = self.suite
        usable = [v for v in suite.versions if v not in suite.yanked] if suite else []
        if suite is not None and suite.versions and not usable:
            self.notify("every version of it is yanked already", markup=False)
            return
        self._with_version("yank which version of", self._ask_why, usable)

    def _ask_why(self, name: str, version: str) -> None:
        said = "Its files stay; export, gate and load_suite refuse it from then on. It cannot be taken back."
        question = Question("why nobody should use it any more", check=needed("a reason"))

        def answered(answer: tuple[str, ...] | None) -> None:
            if answer is not None:
                self.begin(
                    f"yank {name} {version}", partial(_yanked, name, version, answer[0]), self._gone,
                    said=partial(self.say, name), keeps=True,
                )  # fmt: skip

        self.app.push_screen(
            Ask(f"yank {flat(name)} {version}", [question], said, kept=f"yank {name} {version}"), answered
        )

    def _gone(self, made: Yanked) -> None:
        self.say(made.suite, f"✓ {made.version} is yanked: {flat(made.reason)}\n  commit {made.file}: it tells others")
        self.refresh_room()

    def action_fetch_holdout(self) -> None:
        """Choose a version; ask where its holdout goes, and what for."""
        self._with_version("fetch the holdout of which version of", self._ask_where)

    def _ask_where(self, name: str, version: str) -> None:
        questions = [
            Question("a folder that is empty or not there", "", needed("a folder"), completions, "tab completes"),
            Question("what it is wanted for", check=needed("a reason")),
        ]
        said = "Who fetched it, when and why stands in the ledger. It may not go into exports/ or where git sees it."

        def answered(answer: tuple[str, ...] | None) -> None:
            if answer is not None:
                to = Path(answer[0].strip()).expanduser()
                self.begin(
                    f"fetch the holdout of {name} {version}", partial(_fetched, name, version, to, answer[1]),
                    self._there, said=partial(self.say, name), keeps=True,
                )  # fmt: skip

        self.app.push_screen(
            Ask(f"holdout of {flat(name)} {version}", questions, said, kept=f"fetch the holdout of {name} {version}"),
            answered,
        )

    def _there(self, made: Fetched) -> None:
        self.say(made.suite, f"✓ {counted(made.cases, 'case')} of the holdout in {made.folder}; entry {made.entry}")


def _states(ctx: Context) -> tuple[SuiteState, ...]:
    from curator.services import release

    return release.suites(ctx, former=True)


def _verified(name: str, version: str, ctx: Context, progress: Progress) -> Verified:
    """Check a version's folder, and its holdout when that is here; in a worker."""
    from curator.services.released_version import recorded
    from curator.services.verifying import verified

    return verified(ctx.exports / name / version, recorded=recorded(ctx), progress=progress)[0]


def _compared(name: str, since: str, version: str, ctx: Context, progress: Progress) -> SuiteDiff:
    from curator.services import suite_diff

    folder = ctx.exports / name
    return suite_diff.diff(folder / since, folder / version, progress=progress)


def _exported(name: str, version: str, to: tuple[str, ...], ctx: Context, progress: Progress) -> Exported:
    from curator.services import targets

    return targets.export(ctx.exports / name / version, to, progress=progress)


def _yanked(name: str, version: str, reason: str, ctx: Context, _progress: Progress) -> Yanked:
    from curator.services import yanking

    return yanking.yank(ctx, name, version, reason)


def _fetched(name: str, version: str, to: Path, reason: str, ctx: Context, progress: Progress) -> Fetched:
    from curator.services import fetching

    return fetching.fetch_holdout(ctx, name, version, to, reason, progress=progress)


def _about(suite: SuiteState, *, has_quotas: bool) -> list[str]:
    """What is to be known of a suite, in lines."""
    lines = [suite.description] if suite.description else []
    if suite.is_configured:
        lines.append(f"{suite.cases} approved cases are taken")
        met = "✓ every quota is met" if has_quotas else "it has no quotas"
        lines += [f"! gap: {flat(g.words)}" for g in suite.gaps] or [met]
    else:
        lines.append("it does not stand in curator.toml any more; its releases are kept")
    if suite.versions:
        told = (f"{v} (yanked)" if v in suite.yanked else v for v in suite.versions)
        lines.append(f"versions: {', '.join(told)}")
    else:
        lines.append("not released yet: r releases it")
    return lines


def _row(number: int, suite: SuiteState) -> Row:
    gaps = f"! {counted(len(suite.gaps), 'gap')}" if suite.gaps else "✓ none"
    cells = (suite.name, str(suite.cases), gaps, suite.latest or "–", suite.description)
    if not suite.is_configured:
        cells = (suite.name, "–", "–", suite.latest or "–", "not in curator.toml")
    return Row(number, suite.name, cells)
