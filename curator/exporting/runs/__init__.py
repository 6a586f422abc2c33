"""Runs in: what a system answered, out of our own run.jsonl or the result files of evaluators, one module each."""
