"""Settings of all tests."""

from __future__ import annotations

from hypothesis import settings

# a loaded machine is slow, not wrong; each run tries other examples
settings.register_profile("curator", deadline=None, max_examples=50)
settings.load_profile("curator")
