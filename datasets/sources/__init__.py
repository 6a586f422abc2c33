"""The texts of the sample documents, written for this project, one module or text file each."""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).parent


def text(name: str) -> str:
    """One marked-up text file of this folder."""
    return (HERE / name).read_text(encoding="utf-8")
