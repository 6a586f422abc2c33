"""Who did it. Actors are self-declared ids with a role; the manifest says that they are."""

from __future__ import annotations

import re
from typing import Literal

from curator.domain.model import Model

ActorRole = Literal["expert", "reviewer", "lead", "engineer"]
ACTOR_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@-]{0,63}")


class Actor(Model):
    """A person or a job, under the id that stands in histories and manifests."""

    id: str
    role: ActorRole = "lead"
    name: str = ""

    def may(self, action: str) -> bool:
        """Whether the role allows an action: edit, review, adjudicate, waive, quota, release, holdout."""
        return action in ALLOWED[self.role]


ALLOWED: dict[ActorRole, frozenset[str]] = {
    "expert": frozenset({"edit", "review"}),
    "reviewer": frozenset({"edit", "review"}),
    "lead": frozenset({"edit", "review", "adjudicate", "waive", "quota", "release", "holdout"}),
    "engineer": frozenset(),
}
