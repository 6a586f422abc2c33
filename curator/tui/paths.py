"""What Tab makes of a path that is being typed."""

from __future__ import annotations

from pathlib import Path


def completions(text: str, suffix: str = "") -> list[str]:
    """Files and folders that a path may go on to; folders end in a slash.

    Args:
        text: What was typed.
        suffix: Only files with this ending, ".pdf"; "" = all.
    """
    head, slash, begun = text.rpartition("/")
    folder = Path((head or "/") if slash else ".").expanduser()
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        return []
    fitting = [e for e in entries if e.name.startswith(begun) and (begun.startswith(".") or not e.name.startswith("."))]
    wanted = [e for e in fitting if e.is_dir() or not suffix or e.suffix.lower() == suffix]
    return [f"{head}{slash}{e.name}{'/' if e.is_dir() else ''}" for e in wanted]


def pdf_completions(text: str) -> list[str]:
    """As `completions`, PDF files only."""
    return completions(text, ".pdf")
