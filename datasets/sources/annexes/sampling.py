"""Decision numbers of the sampling plan of Annex IX."""

from __future__ import annotations

from . import table


def plan() -> str:
    """Pass and fail numbers for cumulative samples of 3 to 32 vehicles."""
    rows = []
    for n in range(3, 33):
        passed = "–" if n < 5 else str(max(0, round(0.31 * n - 1.4)))
        failed = "–" if n < 4 else str(min(12, round(0.31 * n + 2.4))) if n < 32 else str(round(0.31 * 32 - 1.4) + 1)
        rows.append([str(n), passed, failed, "Continue" if n < 32 else "Decide"])
    return table(
        "Table IX.2. Sampling plan for vehicles in use",
        [
            ["Vehicles tested", "Failures", "<", "Between the numbers"],
            ["^", "Pass at or below", "Fail at or above", "^"],
        ],
        rows,
        "36,38,38,40",
        "crrl",
    )
