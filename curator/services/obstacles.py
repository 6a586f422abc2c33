"""What stands against a release: unmet quotas, leaks from dev to holdout, open personal data; with the next step."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Literal, get_args

from curator.domain.model import Model
from curator.domain.partition import Tie
from curator.domain.suite import Gap
from curator.errors import CheckFailed
from curator.services.context import Context
from curator.services.coverage_board import Board
from curator.services.selection import Selection

Kind = Literal["gap", "leak", "personal data", "unknown version"]
TIES = {
    "source": "a required source",
    "conversation": "a conversation",
    "near-duplicate": "nearly the same wording",
}


class Obstacle(Model):
    """One thing that stands against a release.

    Attributes:
        name: As a waiver names it.
        words: What is wrong, in one line; of a holdout case only its id.
        step: What to do now.
        waivable: Whether a lead may let it pass; open personal data may never leave.
    """

    kind: Kind
    name: str
    words: str
    step: str = ""
    waivable: bool = True

    @property
    def line(self) -> str:
        """The whole of it in one line."""
        return f"{self.words} → {self.step}" if self.step else self.words


class Refused(CheckFailed):
    """A release that may not be, with everything that stands against it."""

    def __init__(self, obstacles: Sequence[Obstacle]) -> None:
        counts = {kind: sum(o.kind == kind for o in obstacles) for kind in get_args(Kind)}
        told = [f"{n} {kind}{'s' * (n != 1 and kind != 'personal data')}" for kind, n in counts.items() if n]
        more = f" and {len(obstacles) - 1} more" if len(obstacles) > 1 else ""
        waivable = any(o.waivable for o in obstacles)
        hint = (
            f"{'fill' if counts['gap'] else 'mend'} it, or let it pass with --waive REASON: it stands in the manifest"
            if waivable
            else obstacles[0].step
        )
        super().__init__(f"{', '.join(told)}: {obstacles[0].words}{more}", hint)
        self.obstacles = tuple(obstacles)


def _leak(tie: Tie) -> Obstacle:
    """A leak in words, with what to do about it."""
    kind = tie.key.partition(":")[0]
    return Obstacle(
        kind="leak",
        name=f"leak: {tie.case_id} and {tie.other_id} by {kind}",
        words=f"{tie.case_id} ({tie.side}) and {tie.other_id} ({tie.other_side}) share {TIES.get(kind, kind)}",
        step=f"reword or retire one of them, or move its group: curator partition assign {tie.case_id} --to "
        f"{tie.other_side} --reason TEXT",
    )


def leak_obstacles(ties: Iterable[Tie]) -> tuple[Obstacle, ...]:
    """The leaks in words; two cases that share several sources are told once."""
    return tuple({o.name: o for o in map(_leak, ties)}.values())


def of_selection(chosen: Selection, found: Sequence[Gap]) -> tuple[Obstacle, ...]:
    """Everything that stands against releasing these cases; steps of gaps are added by `with_steps`."""
    quotas = (Obstacle(kind="gap", name=g.name, words=g.words) for g in found)
    privacy = (
        Obstacle(
            kind="personal data",
            name=f"personal data: {name}",
            words=f"{name} has open personal data",
            step=f"look and confirm: curator privacy show {name}; or retire it",
            waivable=False,
        )
        for name in chosen.privacy_open
    )
    return (*quotas, *leak_obstacles(chosen.leaks), *privacy)


def elsewhere(suite: str, versions: Iterable[str]) -> tuple[Obstacle, ...]:
    """Versions of a suite that lie in exports/ and are not recorded: another clone released them."""
    return tuple(
        Obstacle(
            kind="unknown version",
            name=f"unknown version: {version}",
            words=f"exports/{suite}/{version} was not released in this workspace",
            step=f"take it over: curator suite release --reproduce exports/{suite}/{version}/manifest.json; or move it "
            "away",
            waivable=False,
        )
        for version in versions
    )


def unmet(obstacles: Sequence[Obstacle], waived: Collection[str]) -> tuple[Obstacle, ...]:
    """Those that nobody let pass."""
    return tuple(o for o in obstacles if not (o.waivable and o.name in waived))


def with_steps(ctx: Context, suite: str, obstacles: Sequence[Obstacle]) -> tuple[Obstacle, ...]:
    """The obstacles with the next step of each gap: which pages, which failures."""
    if not any(o.kind == "gap" for o in obstacles):
        return tuple(obstacles)
    board = Board(ctx)
    board.refresh()
    steps = {w.name: w.step for w in board.work(suite)}
    return tuple(
        o.model_copy(update={"step": steps.get(o.name, f"see `curator gaps --suite {suite}`")})
        if o.kind == "gap"
        else o
        for o in obstacles
    )
