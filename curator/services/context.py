"""What every service works on: the folder, its settings, the database, who acts, and the clock."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from curator.domain.actors import ACTOR_ID, Actor
from curator.domain.review import ReviewPolicy, RiskFloor
from curator.errors import UsageError
from curator.settings import Settings
from curator.store.database import Database, Transaction

SAID = {"holdout": "see the holdout", "quota": "set quotas"}
"""What an action is called where its name is no verb."""


def utc_now() -> str:
    """The time in UTC, ISO with seconds and Z."""
    return datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


@dataclass(frozen=True)
class Context:
    """One open workspace.

    Attributes:
        root: The folder of the workspace.
        actor_id: Who acts, "" = nobody was named: then nothing can be written.
        now: The clock; only tells, never orders.
    """

    root: Path
    settings: Settings
    db: Database
    actor_id: str = ""
    now: Callable[[], str] = utc_now

    @property
    def exports(self) -> Path:
        """Where released suites lie."""
        return self.root / "exports"

    @property
    def hidden(self) -> Path:
        """Our own folder: database, holdout, backups."""
        return self.root / ".curator"

    def actor(self, action: str = "") -> Actor:
        """Who acts, checked against `[people]` and, when an action is named, against their role.

        Raises:
            UsageError: Nobody is named, they are not listed, or their role does not allow it.
        """
        if not self.actor_id:
            raise UsageError("it is not known who acts", "add --as ID, or set CURATOR_ACTOR")
        if not ACTOR_ID.fullmatch(self.actor_id):
            raise UsageError(f"{self.actor_id!a} is no actor id", "use letters, digits and . _ - @")
        people = self.settings.people
        if people and self.actor_id not in people:
            raise UsageError(f"{self.actor_id} is not listed under [people]", "add them to curator.toml with a role")
        person = people.get(self.actor_id)
        actor = Actor(id=self.actor_id, role=person.role, name=person.name) if person else Actor(id=self.actor_id)
        if action and not actor.may(action):
            raise UsageError(
                f"{actor.id} is {actor.role}: that role may not {SAID.get(action, action)}",
                "ask a lead, or change the role",
            )
        return actor

    def write(self, action: str = "edit", *, keep: bool = True) -> AbstractContextManager[Transaction]:
        """Open the one write transaction of a decision, in the name of the actor; a dry run keeps nothing.

        Raises:
            UsageError: As `actor`.
        """
        return self.db.write(self.actor(action).id, self.now(), keep=keep)

    @property
    def review_policy(self) -> ReviewPolicy:
        """`[review]` and `[risk.floor]` as the domain takes them."""
        table = self.settings.review
        floors = tuple(RiskFloor(**f.model_dump()) for f in self.settings.risk.floor)
        return ReviewPolicy(solo=table.solo, double_share=table.double_share, seed=table.seed, floors=floors)
