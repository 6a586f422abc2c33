"""Widgets that more than one screen uses, or that are too large to stand in one."""
