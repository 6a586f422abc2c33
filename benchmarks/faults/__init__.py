"""Faults on purpose: kills, full disks, flipped bits. Each module prints its count; exit code 1 when one is over."""
