"""How a case and a failure stand, as a glyph and a word: the same in the app and in every command."""

from __future__ import annotations

STATES = {
    "draft": "· draft",
    "in_review": "→ in review",
    "changes_requested": "↩ changes requested",
    "approved": "✓ approved",
    "retired": "✗ retired",
}
"""Each status of a case, in their order."""
FAILURE_STATES = {
    "new": "· new",
    "promoted": "✓ promoted",
    "dismissed": "✗ dismissed",
    "duplicate": "≡ duplicate",
}
"""Each state of a failure."""
