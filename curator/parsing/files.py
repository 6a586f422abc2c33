"""Files before they are read: what is a PDF file to us, how it is opened safely, and what it is called."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from curator.domain.identity import slug
from curator.errors import InputError
from curator.text import visible

DEEPEST = 64
LARGEST = 512 * 1024 * 1024
_HEAD = 1024


def shown_name(path: Path) -> str:
    """The file's name, safe to print: undecodable bytes and controls as visible glyphs."""
    return visible(os.fsencode(path.name).decode("utf-8", "replace") or ".")


def document_slug(file_name: str) -> str:
    """The document's id from its file name: "UN R107 - 10 series.pdf" gives "un-r107-10-series"."""
    name = os.fsencode(file_name).decode("utf-8", "replace") if file_name else ""
    stem = name[:-4] if name.lower().endswith(".pdf") else name
    return slug(stem.replace("\ufffd", " "), fallback="document")


def iter_pdf_files(paths: Iterable[Path]) -> Iterator[Path]:
    """PDF files: a path to anything but a folder as it is, a folder as the `.pdf` files under it, sorted by name.

    In folders, links are not followed, pipes and devices are not opened, hidden folders and "._" companions are left
    out, and the walk ends 64 folders down. A folder called `folder.pdf` is walked like any other.
    """
    for path in paths:
        if path.is_dir():
            yield from _walk(path, 0)
        else:
            yield path


def _walk(folder: Path, depth: int) -> Iterator[Path]:
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: os.fsencode(entry.name))
    except OSError:
        return
    for entry in entries:
        if entry.name.startswith("._"):
            continue
        try:
            if entry.is_dir(follow_symlinks=False):
                if depth < DEEPEST and not entry.name.startswith("."):
                    yield from _walk(folder / entry.name, depth + 1)
            elif entry.is_file(follow_symlinks=False) and entry.name.lower().endswith(".pdf"):
                yield folder / entry.name
        except OSError:
            continue


def open_descriptor(path: Path) -> int:
    """A descriptor to read a path by; a pipe does not block. What it is of is not looked at yet.

    Raises:
        InputError: It cannot be opened, in one line with the next step.
    """
    name = shown_name(path)
    try:
        return os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0))
    except FileNotFoundError:
        raise InputError(f"{name}: no such file", "check the path") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not a usable path"
        raise InputError(f"{name}: cannot be opened: {reason}", "check the path and its permissions") from None


@dataclass(frozen=True)
class OpenFile:
    """An open PDF file: its descriptor, the SHA-256 of its bytes, and how many bytes stand before its header."""

    descriptor: int
    sha256: str
    junk: int


@contextmanager
def opened(path: Path) -> Iterator[OpenFile]:
    """A regular, non-empty file that looks like a PDF.

    Raises:
        InputError: Anything else, in one line with the next step.
    """
    name, descriptor = shown_name(path), open_descriptor(path)
    try:
        status = os.fstat(descriptor)
        if stat.S_ISDIR(status.st_mode):
            raise InputError(f"{name}: is a folder, not a file", "give a PDF file")
        if not stat.S_ISREG(status.st_mode):
            raise InputError(f"{name}: is not a regular file", "save it as a PDF file first")
        if status.st_size == 0:
            raise InputError(f"{name}: empty file", "fetch or export it again")
        if status.st_size > LARGEST:
            raise InputError(f"{name}: larger than {LARGEST // 1024**2} MB", "split it into parts")
        digest, head = _digest(descriptor)
        _check_head(name, head)
        yield OpenFile(descriptor, digest, head.find(b"%PDF"))
    finally:
        os.close(descriptor)


def _digest(descriptor: int) -> tuple[str, bytes]:
    digest, head = hashlib.sha256(), b""
    while part := os.read(descriptor, 1 << 20):
        head = head or part[: 16 * _HEAD]
        digest.update(part)
    return digest.hexdigest(), head


def _check_head(name: str, head: bytes) -> None:
    if b"%PDF" in head:
        return
    start = head[:_HEAD].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    looks = ""
    if start.startswith((b"<!doctype html", b"<html", b"<head", b"<body", b"<?xml")) or b"<html" in start:
        looks = "HTML"
    elif start.startswith(b"pk\x03\x04"):
        looks = "a ZIP or Office file"
    elif start.startswith((b"\x89png", b"\xff\xd8\xff", b"gif8", b"ii*\x00", b"mm\x00*")):
        looks = "an image"
    elif start.startswith(b"\xd0\xcf\x11\xe0"):
        looks = "an old Office file"
    raise InputError(
        f"{name}: not a PDF" + (f" (looks like {looks})" if looks else ""), "export it as PDF, or download it again"
    )
