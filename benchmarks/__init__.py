"""Measured figures, one command each. Nothing here is a timed test; machines are shared, so read the ratios."""
