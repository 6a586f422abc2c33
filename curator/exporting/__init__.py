"""Domain -> bytes: the canonical suite and its manifest. No I/O, no clock, no SQL."""
