"""A problem of one case, as `curator lint` tells it."""

from __future__ import annotations

from curator.domain.problem import Problem, Severity


class Finding(Problem):
    """A problem with the case it is in. Of a holdout case, `message` holds no text of the case."""

    case_id: str
    severity: Severity = "error"
