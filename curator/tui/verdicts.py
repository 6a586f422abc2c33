"""What became of a source, as glyph and word."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from curator.domain.revision import Wait

SILENT = "SILENT"
"""No verdict of a source: a refusal for silence of the sources that new text may answer."""
VERDICTS = {
    "SAME_KTH": ("≡", "same, of several"),
    "MOVED_SIMILAR": ("≈", "much alike"),
    "CHANGED": ("≠", "changed"),
    "AMBIGUOUS": ("?", "several places"),
    "LOST": ("✗", "lost"),
    SILENT: ("¿", "answered now?"),
}
OUTCOMES = {
    "same": ("=", "same"),
    "form": ("≡", "form only"),
    "moved": ("≈", "moved"),
    "changed": ("≠", "changed"),
    "gone": ("−", "gone"),
    "new": ("+", "new"),
}
DIFFERENCES = {
    "none": "",
    "spacing": "white space",
    "hyphenation": "hyphenation",
    "numbering": "numbering",
    "place": "place",
    "wording": "wording",
    "meaning": "what it says",
}
KINDS = {
    "negation": "“not”",
    "modal": "“must, may”",
    "comparison": "“more, less, before”",
}


def difference_of(wait: Wait) -> str:
    """The gravest difference in words, and where the meaning differs in what; of what has no proposal, none."""
    if wait.target and wait.difference == "meaning" and wait.differs:
        return ", ".join(KINDS.get(kind, kind) for kind in wait.differs)
    return DIFFERENCES[wait.difference] if wait.target else ""
