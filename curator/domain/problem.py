"""One thing that a check found."""

from __future__ import annotations

from typing import Literal

from curator.domain.model import Model

Severity = Literal["error", "warning"]


class Problem(Model):
    """One thing that is wrong or missing; `field` is the camelCase name of the line."""

    code: str
    severity: Severity = "error"
    field: str
    message: str
    hint: str = ""


def advice(code: str, field: str, message: str, hint: str) -> Problem:
    """A warning."""
    return Problem(code=code, severity="warning", field=field, message=message, hint=hint)
