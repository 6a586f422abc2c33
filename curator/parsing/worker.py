"""The reading process, a fork of `forks`: one JSON object a line in both directions, on its standard pipes.

It takes the file from an open descriptor, sets its own limits before it touches it, and answers the requests `probe`,
`open`, `pages`, and `page`: one page by another engine, "ocr" or "camelot". It may die at any time: its parent marks
the page and starts another one.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Sequence
from typing import Any, TextIO

from curator.parsing.page import page_of
from curator.parsing.pdfium import PasswordNeeded, Unreadable, open_pdf
from curator.parsing.probe import decrypted, probe
from curator.parsing.raw import RawPage, to_wire


def _limit(memory: int, seconds: int) -> None:
    """Address space and CPU time of this process; where the system has no such limits there are none."""
    try:
        import resource
    except ImportError:
        return
    for kind, value in ((resource.RLIMIT_AS, memory), (resource.RLIMIT_CPU, seconds), (resource.RLIMIT_CORE, 0)):
        try:
            resource.setrlimit(kind, (value, value))
        except (ValueError, OSError):
            continue


def _read(descriptor: int) -> bytes:
    size = os.fstat(descriptor).st_size
    parts, offset = [], 0
    while offset < size and (part := os.pread(descriptor, min(1 << 24, size - offset), offset)):
        parts.append(part)
        offset += len(part)
    return b"".join(parts)


def _own_pipe() -> TextIO:
    """The pipe to the parent; what a library prints goes nowhere, so that it cannot be taken for an answer."""
    pipe = os.fdopen(os.dup(1), "w", encoding="ascii")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)
    return pipe


class _Worker:
    def __init__(self, data: bytes, pipe: TextIO) -> None:
        self.data = data
        self.pipe = pipe
        self.document: Any = None
        self.recognizer: Any = None

    def tell(self, message: dict[str, Any]) -> None:
        self.pipe.write(json.dumps(message, ensure_ascii=True, separators=(",", ":")) + "\n")
        self.pipe.flush()

    def open(self) -> dict[str, Any]:
        """Answers with the number of pages or a reason."""
        try:
            self.document = open_pdf(self.data)
        except PasswordNeeded:
            copy = decrypted(self.data)
            if copy is None:
                return {"kind": "open", "error": "password"}
            try:
                self.document = open_pdf(copy)
            except (PasswordNeeded, Unreadable):
                return {"kind": "open", "error": "password"}
        except Unreadable as error:
            return {"kind": "open", "error": "unreadable", "reason": str(error)[:200]}
        return {"kind": "open", "pages": len(self.document)}

    def page(self, index: int, engine: str = "", box: Sequence[float] = ()) -> RawPage:
        """A page, damaged when it cannot be read; index from 0. `box`: the part of it that the engine looks at."""
        number = index + 1
        try:
            return self._by(engine, index, box)
        except Unreadable as error:
            reason = "cannot be opened" if not engine else f"cannot be read by {engine}: {error}"
        except MemoryError:
            reason = "needs more memory than is allowed"
        except Exception as error:  # noqa: BLE001  one bad page never costs the document
            reason = f"cannot be read ({type(error).__name__})"
        note = f"page {number} {reason}"
        return RawPage(number, kind="damaged", note=note, flags=[("page-damaged", note)])

    def _by(self, engine: str, index: int, box: Sequence[float]) -> RawPage:
        if engine == "ocr":
            from curator.parsing.recognition import Recognizer

            self.recognizer = self.recognizer or Recognizer()
            read: RawPage = self.recognizer.page(self.document, index)
            return read
        if engine == "camelot":
            from curator.parsing.camelots import page_by_camelot

            return page_by_camelot(self.document, index)
        if engine == "region":
            from curator.parsing.region import page_by_region

            left, top, right, bottom = box
            return page_by_region(self.document, index, (left, top, right, bottom))
        return page_of(self.document, index)

    def serve(self) -> None:
        """Until the pipe closes."""
        for line in os.fdopen(0, encoding="ascii"):
            request = json.loads(line)
            if request["do"] == "probe":
                for message in probe(self.data, request["most_pages"]):
                    self.tell(message)
                self.tell({"kind": "done"})
            elif request["do"] == "open":
                self.tell(self.open())
            elif request["do"] == "pages":
                skip = set(request["skip"])
                for number in range(request["first"], request["last"] + 1):
                    if number not in skip:
                        self.tell({"kind": "page", "page": to_wire(self.page(number - 1))})
                self.tell({"kind": "done"})
            elif request["do"] == "page":
                page = self.page(request["page"] - 1, request["engine"], request.get("box", ()))
                self.tell({"kind": "page", "page": to_wire(page)})


def run(descriptor: int, memory: int, seconds: int) -> None:
    """Serve until the pipe closes.

    Args:
        descriptor: The file.
        memory: Bytes of address space.
        seconds: CPU time.
    """
    _limit(memory, seconds)
    with contextlib.suppress(BrokenPipeError, KeyboardInterrupt):
        _Worker(_read(descriptor), _own_pipe()).serve()
