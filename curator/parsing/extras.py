"""The optional engines: which are installed, and the line that installs one that is not.

`ocr` recognizes text on pages that are images (rapidocr with its models inside the package, onnxruntime); `tables`
reads one page again with camelot. Neither is ever imported in this process: they run in the reading process.
"""

from __future__ import annotations

from importlib import metadata
from importlib.util import find_spec

from curator.errors import MissingExtra

OCR, TABLES = "ocr", "tables"
_MODULES = {OCR: ("rapidocr", "onnxruntime"), TABLES: ("camelot",)}
_PACKAGES = {OCR: "rapidocr", TABLES: "camelot-py"}


def pip_line(extra: str) -> str:
    """What a person types to get it."""
    return f"pip install 'golden-curator[{extra}]'"


def installed(extra: str) -> bool:
    """Whether its packages can be found; nothing is imported."""
    return all(find_spec(module) is not None for module in _MODULES[extra])


def need(extra: str, purpose: str) -> None:
    """Nothing when the extra is there.

    Args:
        extra: `OCR` or `TABLES`.
        purpose: What it was wanted for, as the beginning of the message.

    Raises:
        MissingExtra: It is not; the hint is the pip line.
    """
    if not installed(extra):
        raise MissingExtra(f"{purpose}: the extra '{extra}' is not installed", pip_line(extra))


def version(extra: str) -> str:
    """The engine's name and version, such as "rapidocr 3.10.0"."""
    return f"{_PACKAGES[extra]} {metadata.version(_PACKAGES[extra])}"
