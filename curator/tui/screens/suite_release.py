"""Releasing in the app: a dry run is shown with everything that makes the version, and what stands in its way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from curator.domain.suite_diff import sources_note
from curator.progress import Progress
from curator.text import counted
from curator.tui.screens.ask import Ask, Question, needed
from curator.tui.screens.change_list import NextRelease
from curator.tui.screens.listing import Listing
from curator.tui.screens.suite_jobs import SuiteJobs
from curator.tui.widgets.row_list import Column
from curator.tui.widgets.safe import flat

if TYPE_CHECKING:
    from curator.services.context import Context
    from curator.services.earlier import Rule
    from curator.services.release import Released, SuiteState
    from curator.services.release_revisions import Offered

SHOWN = 6


@dataclass(frozen=True)
class Choice:
    """How it is released: stale cases held or left out, and revisions by document, where not the current ones."""

    holds: bool = False
    revisions: Mapping[str, str] = field(default_factory=dict)

    def rule(self) -> Rule:
        """As the release takes it."""
        from curator.services.earlier import Rule

        return Rule(revisions=self.revisions, hold_stale=self.holds)


BY_ITSELF = Choice()


class Releasing(SuiteJobs):
    """The part of the room of suites that releases."""

    def __init__(self) -> None:
        super().__init__()
        self._choice = BY_ITSELF

    @property
    def suite(self) -> SuiteState | None:
        """The suite under the cursor."""
        raise NotImplementedError

    def say(self, name: str, said: str) -> None:
        """Say something of a suite."""
        raise NotImplementedError

    def action_release(self) -> None:
        """A dry run first; then it is asked whether to write."""
        if name := self._releasable():
            self._choice = BY_ITSELF
            self._try(name)

    def action_revisions(self) -> None:
        """Choose first what it is judged against: a suite whose cases are all stale has no dry run to look at."""
        if name := self._releasable():
            self._choice = BY_ITSELF
            self._ask_revisions(name, first=True)

    def _releasable(self) -> str:
        """The name of the suite under the cursor; "" when it cannot be released, which is said."""
        suite = self.suite
        if suite is not None and not suite.is_configured:
            self.notify("it does not stand in curator.toml any more", markup=False, severity="warning")
            return ""
        return suite.name if suite is not None else ""

    def _try(self, name: str) -> None:
        self.begin(
            f"try the release of {name}", partial(_tried, name, self._choice), self._dry_run,
            said=lambda said: self.say(name, f"{said}\n· not released" if said.startswith("!") else said),
        )  # fmt: skip

    def _dry_run(self, tried: Released) -> None:
        if tried.parent and tried.level == "none" and not (tried.stale or tried.obstacles):
            self.say(tried.suite, f"nothing new since {tried.parent}: {counted(tried.cases, 'case')}")
            return
        title = f"{flat(tried.suite)}: the next release would be {tried.version}"
        sides = (tried.parent or "not there", tried.version)
        shown = NextRelease(title, summary(tried, self._choice), tried.changes, sides)
        self.app.push_screen(shown, partial(self._answered, tried))

    def _answered(self, tried: Released, answer: str | None) -> None:
        name = tried.suite
        if answer == "hold":
            self._choice = replace(self._choice, holds=not self._choice.holds)
            self._try(name)
        elif answer == "revisions":
            self._ask_revisions(name)
        elif answer == "release":
            self._release(tried)
        elif answer:
            self._ask_editorial(name, answer.removeprefix("mark "))

    def _ask_revisions(self, name: str, *, first: bool = False) -> None:
        self.begin(
            f"read the revisions of {name}", partial(_offered, name), partial(self._choose_revision, name, first),
            said=partial(self.say, name),
        )  # fmt: skip

    def _choose_revision(self, name: str, first: bool, found: Sequence[Offered]) -> None:
        """One document at a time: what is chosen is tried at once, and chosen again it is current again.

        Args:
            name: The suite.
            first: Whether no dry run was looked at before: then who leaves is back in the list.
            found: Documents with more than one revision.
        """
        places = [(entry, label) for entry in found for label in reversed(entry.revisions)]
        rows = [_revision_row(entry, label, self._choice) for entry, label in places]

        def answered(answer: str | None) -> None:
            if answer is not None:
                entry, label = places[int(answer)]
                others = {d: r for d, r in self._choice.revisions.items() if d != entry.document_id}
                chosen = others if label == entry.current else others | {entry.document_id: label}
                self._choice = replace(self._choice, revisions=chosen)
            if answer is not None or not first:
                self._try(name)

        columns = [Column("", 1), Column("document", 0, middle=True), Column("revision", 12), Column("", 16)]
        empty = "no document of the suite has more than one revision"
        listing = Listing(f"{flat(name)}: judged against", columns, rows, empty=empty, enter="judge against it")
        self.app.push_screen(listing, answered)

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

        title = f"wording alone: {case_id}"
        self.app.push_screen(Ask(title, [question], said, kept=title), answered)

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

        title = f"release {flat(tried.suite)} {tried.version}"
        self.app.push_screen(Ask(title, [reason], said, kept=title), answered)

    def _write(self, name: str, waive: str) -> None:
        self.begin(
            f"release {name}", partial(_released, name, waive, self._choice), self._done,
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


def _revision_row(entry: Offered, label: str, choice: Choice) -> tuple[str, ...]:
    is_chosen = label == choice.revisions.get(entry.document_id, entry.current)
    said = "current" if label == entry.current else "earlier"
    return ("●" if is_chosen else "", entry.document_id, label, f"{said}, taken" if is_chosen else said)


def summary(tried: Released, choice: Choice = BY_ITSELF) -> list[str]:
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
    if choice.revisions:
        told = ", ".join(f"{flat(d)} {flat(label)}" for d, label in sorted(choice.revisions.items()))
        lines.append(f"judged against {told} · v chooses")
    if tried.stale:
        held = sum(s.held for s in tried.stale)
        key = "s leaves them out" if choice.holds else "s holds them in their last released form"
        lines.append(f"{counted(len(tried.stale), 'stale case')}, {held} held · {key}")
    if tried.unverified:
        lines.append(f"{counted(tried.unverified, 'case')} left out: imported as approved, confirmed by nobody")
    lines += [f"! {flat(o.line)}" for o in tried.obstacles[:SHOWN]]
    lines += [f"! and {len(tried.obstacles) - SHOWN} more" for _ in range(len(tried.obstacles) > SHOWN)]
    waived = [g for g in tried.gaps if g.name not in {o.name for o in tried.obstacles}]
    lines += [f"gap that was let pass: {flat(g.words)}" for g in waived[:SHOWN]]
    return lines


def _tried(name: str, choice: Choice, ctx: Context, progress: Progress) -> Released:
    """A dry run; in a worker."""
    from curator.services import release

    return release.release(ctx, name, dry_run=True, rule=choice.rule(), progress=progress)


def _released(name: str, waive: str, choice: Choice, ctx: Context, progress: Progress) -> Released:
    from curator.services import release

    return release.release(ctx, name, waive=waive, rule=choice.rule(), progress=progress)


def _offered(name: str, ctx: Context, _progress: Progress) -> tuple[Offered, ...]:
    from curator.services import release_revisions

    return release_revisions.offered(ctx, name)


def _marked(case_id: str, reason: str, ctx: Context, _progress: Progress) -> None:
    from curator.services import editorial

    editorial.mark(ctx, [case_id], reason)
