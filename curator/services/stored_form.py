"""The form in which a case is stored, whoever wrote it."""

from __future__ import annotations

from curator.domain.case import Case
from curator.exporting.line import fill
from curator.exporting.read import storable


def at_the_door(case: Case) -> Case:
    """The case in the form in which it is stored: clean text, NFC, and filled in as its line is."""
    return Case.model_validate(fill(storable(case.model_dump(mode="json", by_alias=True))))
