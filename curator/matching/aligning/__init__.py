"""Finds the passages of a suite in another system's chunks, and does not take what is only alike."""
