"""Curator: the workbench where a RAG system's golden set is made and kept.

    from curator import load_suite        a released suite as typed cases
    from curator import load_alignment    where its evidence lies in the chunks of an evaluated system

What is named here is loaded when it is first used: `import curator` costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from curator.domain.alignment import Alignment as Alignment
    from curator.errors import CuratorError as CuratorError
    from curator.exporting.caseline import CaseLine as CaseLine
    from curator.exporting.caseline import EvidenceLine as EvidenceLine
    from curator.exporting.caseline import KeyProvisionLine as KeyProvisionLine
    from curator.exporting.caseline import SourceLine as SourceLine
    from curator.services.alignment import load_alignment as load_alignment
    from curator.suites import Suite as Suite
    from curator.suites import load_suite as load_suite

__version__ = "0.1.0"
_PLACES = {
    "Alignment": "curator.domain.alignment",
    "CaseLine": "curator.exporting.caseline",
    "CuratorError": "curator.errors",
    "EvidenceLine": "curator.exporting.caseline",
    "KeyProvisionLine": "curator.exporting.caseline",
    "SourceLine": "curator.exporting.caseline",
    "Suite": "curator.suites",
    "load_alignment": "curator.services.alignment",
    "load_suite": "curator.suites",
}


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module 'curator' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_PLACES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_PLACES})
