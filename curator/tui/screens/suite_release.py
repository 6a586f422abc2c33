"""Releasing in the app: a dry run is shown with everything that makes the version, and what stands in its way."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from curator.domain.suite_diff import sources_note
from curator.progress import Progress
from curator.text import counted
from curator.tui.screens.ask import Ask, Question, needed
from curator.tui.screens.change_list import NextRelease
from curator.tui.screens.suite_jobs import SuiteJobs
from curator.tui.widgets.safe import flat

if TYPE_CHECKING:
    from curator.services.context import Context
    from curator.services.release import Released, SuiteState

SHOWN = 6


class Releasing(SuiteJobs):
    """The part of the room of suites that releases."""

    def __init__(self) -> None:
        super().__init__()
        self._holds = False

    @property
    def suite(self) -> SuiteState | None:
        """The suite under the cursor."""
        raise NotImplementedError

    def say(self, name: str, said: str) -> None:
        """Say something of a suite."""
        raise NotImplementedError

    def action_release(self) -> None:
        """A dry run first; then it is asked whether to write."""
        suite = self.suite
        if suite is None:
            return
        if not suite.is_configured:
            self.notify("it does not stand in curator.toml any more", markup=False, severity="warning")
            return
        self._holds = False
        self._try(suite.name)

    def _try(self, name: str) -> None:
        self.begin(
            f"try the release of {name}", partial(_tried, name, self._holds), self._dry_run,
            said=lambda said: self.say(name, f"{said}\n· not released" if said.startswith("!") else said),
        )  # fmt: skip

    def _dry_run(self, tried: Released) -> None:
        if tried.parent and tried.level == "none" and not (tried.stale or tried.obstacles):
            self.say(tried.suite, f"nothing new since {tried.parent}: {counted(tried.cases, 'case')}")
            return
        title = f"{flat(tried.suite)}: the next release would be {tried.version}"
        sides = (tried.parent or "not there", tried.version)
        shown = NextRelease(title, summary(tried, holds=self._holds), tried.changes, sides)
        self.app.push_screen(shown, partial(self._answered, tried))

    def _answered(self, tried: Released, answer: str | None) -> None:
        name = tried.suite
        if answer == "hold":
            self._holds = not self._holds
            self._try(name)
        elif answer == "release":
            self._release(tried)
        elif answer:
            self._ask_editorial(name, answer.removeprefix("mark "))

    def _ask_editorial(self, name: str, case_id: str) -> None:
        said = "A second person says that only the wording changed: then it is a patch. CHANGES.md says who and why."
        question = Question("what was changed", check=needed("a reason"))

        def answered(answer: tuple[str, ...] | None) -> None:
            if answer is None:
                self._try(name)
                return
            self.begin(
                f"mark {case_id}", partial(_marked, case_id, answer[0]), lambda _: self._try(name),
                said=partial(self.say, name), keeps=True,
            )  # fmt: skip

        self.app.push_screen(Ask(f"wording alone: {case_id}", [question], said), answered)

    def _release(self, tried: Released) -> None:
        stuck = [o for o in tried.obstacles if not o.waivable]
        if stuck:
            self.say(tried.suite, "! not released:\n" + "\n".join(f"  {flat(o.line)}" for o in stuck[:SHOWN]))
            return
        if not tried.obstacles:
            self._write(tried.suite, "")
            return
        reason = Question("reason to release in spite of it", check=needed("a reason"))
        said = "\n".join([*(flat(o.words) for o in tried.obstacles[:SHOWN]), "", "The reason goes into the manifest."])

        def answered(answer: tuple[str, ...] | None) -> None:
            if answer is not None:
                self._write(tried.suite, answer[0])

        self.app.push_screen(Ask(f"release {flat(tried.suite)} {tried.version}", [reason], said), answered)

    def _write(self, name: str, waive: str) -> None:
        self.begin(
            f"release {name}", partial(_released, name, waive, self._holds), self._done,
            said=lambda said: self.say(name, f"{said}\n· not released"), keeps=True,
        )  # fmt: skip

    def _done(self, done: Released) -> None:
        if done.outcome == "same":
            lines = [f"nothing new since {done.version}: nothing was written"]
        else:
            counts = ", ".join(f"{name} {count}" for name, count in done.counts.items() if count)
            after = f" after {done.parent}: {done.level}" if done.parent else ", the first"
            lines = [f"✓ released {done.version}{after}", f"{counted(done.cases, 'case')}: {counts}"]
            lines += [f"folder: {done.folder}"]
            lines += [f"holdout: {done.holdout}"] if done.holdout else []
        self.say(done.suite, "\n".join(lines))
        self.notify(lines[0], title=done.suite, markup=False)
        self.refresh_room()


def summary(tried: Released, *, holds: bool = False) -> list[str]:
    """What a release would hold, why it is called so, and what stands in its way with the next step."""
    counts = ", ".join(f"{name} {count}" for name, count in tried.counts.items() if count)
    level = f"{tried.level} after {tried.parent}" if tried.parent else "the first version"
    lines = [f"{level} · {counted(tried.cases, 'case')}: {counts}"]
    if tried.parent and tried.level == "none":
        lines.append(f"nothing new since {tried.parent}")
    if tried.follows_yanked:
        lines.append(f"{tried.parent} is yanked: this one follows it, with the same cases")
    if tried.schema_before:
        lines.append(f"▲ the schema of the lines is another than {tried.schema_before}")
    if tried.sources_before:
        lines.append(f"▲ sources.jsonl: {sources_note(tried.sources_before, tried.source_choice)} (patch)")
    if tried.stale:
        held = sum(s.held for s in tried.stale)
        key = "s leaves them out" if holds else "s holds them in their last released form"
        lines.append(f"{counted(len(tried.stale), 'stale case')}, {held} held · {key}")
    lines += [f"! {flat(o.line)}" for o in tried.obstacles[:SHOWN]]
    lines += [f"! and {len(tried.obstacles) - SHOWN} more" for _ in range(len(tried.obstacles) > SHOWN)]
    waived = [g for g in tried.gaps if g.name not in {o.name for o in tried.obstacles}]
    lines += [f"gap that was let pass: {flat(g.words)}" for g in waived[:SHOWN]]
    return lines


def _tried(name: str, holds: bool, ctx: Context, progress: Progress) -> Released:
    """A dry run; in a worker."""
    from curator.services import release
    from curator.services.earlier import Rule

    return release.release(ctx, name, dry_run=True, rule=Rule(hold_stale=holds), progress=progress)


def _released(name: str, waive: str, holds: bool, ctx: Context, progress: Progress) -> Released:
    from curator.services import release
    from curator.services.earlier import Rule

    return release.release(ctx, name, waive=waive, rule=Rule(hold_stale=holds), progress=progress)


def _marked(case_id: str, reason: str, ctx: Context, _progress: Progress) -> None:
    from curator.services import editorial

    editorial.mark(ctx, [case_id], reason)
