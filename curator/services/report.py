"""What every import prints, as text and with --json."""

from __future__ import annotations

from pydantic import Field

from curator.domain.model import Model


class Rejected(Model):
    """A row that was not taken: its number from 1, the column or file that it is about, and why."""

    row: int
    column: str = ""
    reason: str


class ImportReport(Model):
    """The outcome of an import. `mapping`: field -> column, for lists and logs."""

    new: int = 0
    same: int = 0
    changed: int = 0
    rejected: tuple[Rejected, ...] = ()
    mapping: dict[str, str] = Field(default_factory=dict)
    warnings: tuple[str, ...] = ()
