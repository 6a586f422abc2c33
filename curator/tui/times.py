"""How long ago something was, in a few cells."""

from __future__ import annotations

from datetime import UTC, datetime

MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
MINUTE, HOUR, DAY = 60, 3600, 86400


def ago(at: str, now: datetime | None = None) -> str:
    """A time in ISO as a person says it: "now", "5 min", "3 h", "2 d", "Mar 4", "2025-03"; at most 7 cells.

    Args:
        at: ISO; without a zone it is UTC. "" or no time at all gives "".
        now: What it is compared with; None = the clock.
    """
    try:
        then = datetime.fromisoformat(at)
    except ValueError:
        return ""
    then = then if then.tzinfo else then.replace(tzinfo=UTC)
    seconds = ((now or datetime.now(UTC)) - then).total_seconds()
    if seconds < MINUTE:  # clocks of two machines differ: the future is now
        return "now"
    if seconds < HOUR:
        return f"{seconds // MINUTE:.0f} min"
    if seconds < DAY:
        return f"{seconds // HOUR:.0f} h"
    if seconds < 30 * DAY:
        return f"{seconds // DAY:.0f} d"
    return f"{MONTHS[then.month - 1]} {then.day}" if seconds < 330 * DAY else f"{then:%Y-%m}"
