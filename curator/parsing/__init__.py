"""Bytes to domain: PDF files as pages, sections, chunks, tables and rows.

    parse_pdf(path, limits=..., progress=...)   one file as a `ParsedDocument`; `InputError` when nothing can be read
    iter_pdf_files(paths)                       the PDF files under files and folders
    document_slug(file_name)                    the document's id
    reread(path, page, engine)                      one page read again by another engine, as a `PageReading`
    ENGINES                                         their names
    parse_json(document)                        what `curator parse --json` prints
    PARSER                                      name and version of the parsing rules

A file is read in a child process with limits on memory and time (`child`, `worker`); this process never touches its
bytes but to hash them. The names above load on first use, so that the child stays small.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from curator.parsing.files import document_slug, iter_pdf_files
    from curator.parsing.limits import Limits
    from curator.parsing.pdf import parse_json, parse_pdf
    from curator.parsing.rereading import ENGINES, PageReading, reread
    from curator.parsing.rules import PARSER

__all__ = [
    "ENGINES", "PARSER", "Limits", "PageReading",
    "document_slug", "iter_pdf_files", "parse_json", "parse_pdf", "reread",
]  # fmt: skip

_HOMES = {
    "document_slug": "curator.parsing.files",
    "iter_pdf_files": "curator.parsing.files",
    "PARSER": "curator.parsing.rules",
    "Limits": "curator.parsing.limits",
    "parse_json": "curator.parsing.pdf",
    "parse_pdf": "curator.parsing.pdf",
    "ENGINES": "curator.parsing.rereading",
    "PageReading": "curator.parsing.rereading",
    "reread": "curator.parsing.rereading",
}


def __getattr__(name: str) -> Any:
    """The public names, loaded when they are asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_HOMES[name]), name)
