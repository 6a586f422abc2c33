"""The one error tree. Every message is one line: what happened, where; the hint is the next step.

    CuratorError            exit 1
    ├── CheckFailed         1   a check ran and said no: a gap, a changed byte
    ├── UsageError          2   the words of the command are off
    ├── InputError          3   a file or a line cannot be taken
    ├── Conflict            4   somebody or something else was first
    ├── MissingExtra        5   an optional package is not installed
    ├── StorageError       74   disk, permission, locked or damaged database
    └── Cancelled         130   the person stopped it

Messages are plain text, never markup. A traceback that a user sees is a bug.
"""

from __future__ import annotations


class CuratorError(Exception):
    """What went wrong, in one line, with the next step.

    Args:
        message: What happened and where: file, page, row or id.
        hint: What to do now; may be empty.
    """

    exit_code: int = 1

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} ({self.hint})" if self.hint else self.message


class CheckFailed(CuratorError):
    """A check ran to its end and its answer is no."""

    exit_code = 1


class UsageError(CuratorError):
    """The words of the command do not fit together."""

    exit_code = 2


class InputError(CuratorError):
    """A file or a line of it cannot be taken."""

    exit_code = 3


class Conflict(CuratorError):
    """Somebody else's change, or an immutable thing, stands in the way. Nothing was written."""

    exit_code = 4


class MissingExtra(CuratorError):
    """An optional package is not installed; the hint is the exact pip line."""

    exit_code = 5


class StorageError(CuratorError):
    """The disk or the database refused. What was typed is kept by the caller."""

    exit_code = 74


class Cancelled(CuratorError):
    """The person stopped it between two whole steps."""

    exit_code = 130

    def __init__(self, message: str = "stopped", hint: str = "") -> None:
        super().__init__(message, hint)
