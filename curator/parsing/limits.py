"""What one file may cost."""

from __future__ import annotations

import os
from dataclasses import dataclass

MOST_JOBS = 4
MOST_COPIES = 256 * 1024 * 1024


@dataclass(frozen=True)
class Limits:
    """What one file may cost. Times are in seconds, memory in bytes of address space of one reading process.

    The `engine` limits hold for the optional engines: seconds for one page, and after how many failures in a row the
    rest of the file is left alone. `block`: pages that a process is asked for at once.
    """

    pages: int = 5000
    page_seconds: float = 5.0
    probe_seconds: float = 8.0
    open_seconds: float = 6.0
    failing_seconds: float = 10.0
    failing_pages: int = 25
    memory: int = 1 << 30
    cpu_seconds: int = 900
    engine_seconds: float = 120.0
    engine_memory: int = 4 << 30
    engine_failures: int = 3
    block: int = 8


def jobs_for(wanted: int, size: int) -> int:
    """How many processes read a file: those wanted (0 = one a processor, at most four), fewer for a very large file.

    Every process holds the whole file, so that all of them together hold no more than 256 MB of copies, or one.
    """
    if wanted <= 0:
        try:
            wanted = len(os.sched_getaffinity(0))
        except AttributeError:
            wanted = os.cpu_count() or 1
        wanted = min(wanted, MOST_JOBS)
    return max(1, min(wanted, MOST_COPIES // max(size, 1)))
