"""Name and version of the parsing rules.

A change of the rules that gives another parse of any file raises the number: documents that were read by a lower one
are then offered to be read again.
"""

from __future__ import annotations

PARSER = "curator-pdf 3"
