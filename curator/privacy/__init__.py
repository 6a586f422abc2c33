"""Finding and replacing personal data. Pure functions: no files, no database, no screen.

    Detector(...)            finds: `detector.find(text)` gives what is replaced before anything is stored
    candidates(text)         what a person should look at once more before a text leaves the workspace
    Scrubber(detector)       replaces by placeholders, the same one for one value within a conversation
    DETECTOR                 name and version of the rules; a confirmation is bound to it

What it promises and what not: structured identifiers, addresses, and names that a list of given names or a clear context
gives away, are found by rules, other names in Latin script by the `ner` extra. One name in ten slips through where it was
measured, more in texts of another kind, which is why a person confirms each text that becomes a case.
"""

from __future__ import annotations

from curator.privacy.candidates import candidates
from curator.privacy.detector import DETECTOR, Allowed, Detector
from curator.privacy.finding import BLOCKING, Finding, is_hard, reduced
from curator.privacy.scrubbing import Scrubber

__all__ = ["BLOCKING", "DETECTOR", "Allowed", "Detector", "Finding", "Scrubber", "candidates", "is_hard", "reduced"]
