"""Production logs of any shape as records: tables, JSON lines, span trees, ticket threads, Parquet, spreadsheets.

    read(path, profile)      a log as a stream of `LogRecord`, `Rejection` and `Skipped`, chosen by its content
    Profile                  how a log is read; saved in curator.toml and used again

Nothing here writes: a record holds raw text, and must be scrubbed before the first byte of it is stored. No message
holds text of a log: a rejection names a row, a column and a reason of ours.
"""

from __future__ import annotations

from curator.parsing.logs.choosing import LogStream, read
from curator.parsing.logs.encodings import Unsure
from curator.parsing.logs.joining import Joined
from curator.parsing.logs.record import FIELDS, LogContext, LogRecord, Profile, Rejection, Skipped, Turn

__all__ = [
    "FIELDS",
    "Joined",
    "LogContext",
    "LogRecord",
    "LogStream",
    "Profile",
    "Rejection",
    "Skipped",
    "Turn",
    "Unsure",
    "read",
]
