"""Pure models and functions: no I/O, no clock, no SQL, no UI."""
