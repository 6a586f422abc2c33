"""Likeness: near-duplicates, and later search ranking and re-anchoring."""
