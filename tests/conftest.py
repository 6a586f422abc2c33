"""Settings of all tests."""

from __future__ import annotations

import gc
import signal

from hypothesis import settings

# a loaded machine is slow, not wrong; each run tries other examples
settings.register_profile("curator", deadline=None, max_examples=50)
settings.load_profile("curator")

# a run in the background inherits an ignored ctrl+c, and so would every program that a test starts and interrupts
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_finish() -> None:
    """What was imported stays: the collector looks at it no more, and at what tests make less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 10, 10)
