"""Lists of questions that people keep: JSON, JSON lines, YAML, tables, workbooks, as rows with fields by path.

    read(path, how, progress)      a `CaseList`, chosen by content and the end of the file's name
    ListProfile                    how a list is read; saved in curator.toml and used again

Nothing in a file is run, no name in it becomes a path, and what it unfolds to is limited.
"""

from __future__ import annotations

from curator.parsing.lists.reading import ListProfile, read
from curator.parsing.lists.record import CaseList, ListRow

__all__ = ["CaseList", "ListProfile", "ListRow", "read"]
