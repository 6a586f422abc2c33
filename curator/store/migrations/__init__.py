"""Numbered SQL scripts, forward only; each runs whole in one transaction."""
