"""The reading process seen from here: started, watched, stopped, and started again after a page that broke it.

A page has a time limit; a file has a budget for pages that fail. The process is killed when the person stops, when it
is late, and when this process leaves the block.
"""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Any

import curator
from curator.progress import Progress

POLL = 0.1
LONGEST_LINE = 64 * 1024 * 1024


class Late(Exception):
    """No answer within the time limit; the process is gone."""


class Died(Exception):
    """The process ended before it answered: out of memory, out of CPU time, or aborted by the PDF library."""


class Child:
    """One reading process for one open file."""

    def __init__(self, descriptor: int, memory: int, cpu_seconds: int, progress: Progress) -> None:
        self._descriptor = descriptor
        self._memory = memory
        self._cpu = cpu_seconds
        self._progress = progress
        self._process: subprocess.Popen[bytes] | None = None
        self._selector: selectors.BaseSelector | None = None
        self._buffer = bytearray()

    def __enter__(self) -> Child:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def running(self) -> bool:
        """Whether a process is there to answer."""
        return self._process is not None

    def start(self) -> None:
        """A fresh process; the old one is stopped first."""
        self.stop()
        root = str(Path(curator.__file__).resolve().parents[1])
        kept = {k: v for k, v in os.environ.items() if k in ("PATH", "LANG", "LC_ALL", "TMPDIR", "LD_LIBRARY_PATH")}
        path = os.pathsep.join(p for p in (root, os.environ.get("PYTHONPATH", "")) if p)
        self._process = subprocess.Popen(  # noqa: S603  our own module, by this interpreter
            [
                sys.executable, "-P", "-m", "curator.parsing.worker",
                str(self._descriptor), str(self._memory), str(self._cpu),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            pass_fds=(self._descriptor,),
            env={**kept, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"},
            cwd=os.sep,
        )  # fmt: skip
        assert self._process.stdout is not None
        os.set_blocking(self._process.stdout.fileno(), False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._process.stdout, selectors.EVENT_READ)
        self._buffer.clear()

    def stop(self) -> None:
        """Kills the process, if there is one, and waits for it."""
        process, self._process = self._process, None
        if self._selector is not None:
            self._selector.close()
            self._selector = None
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:
                    continue

    def ask(self, request: dict[str, Any]) -> None:
        """Sends a request.

        Raises:
            Died: Nobody is there to read it.
        """
        if self._process is None:
            self.start()
        assert self._process is not None
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
        except OSError as error:
            self.stop()
            raise Died from error

    def answer(self, seconds: float) -> dict[str, Any]:
        """The next message, waited for no longer than `seconds`.

        Raises:
            Late, Died: As their names say; the process is gone then.
            Cancelled: The person stopped it.
        """
        end = time.monotonic() + seconds
        while b"\n" not in self._buffer:
            self._progress.checkpoint()
            if time.monotonic() > end:
                self.stop()
                raise Late
            if self._receive() == b"" or len(self._buffer) > LONGEST_LINE:
                self.stop()
                raise Died
        line, _, rest = self._buffer.partition(b"\n")
        self._buffer = bytearray(rest)
        try:
            message = json.loads(line)
        except ValueError as error:
            self.stop()
            raise Died from error
        if not isinstance(message, dict):
            self.stop()
            raise Died
        return message

    def _receive(self) -> bytes | None:
        """What came within the poll time: None = nothing yet, b"" = the pipe closed."""
        assert self._selector is not None
        assert self._process is not None
        assert self._process.stdout is not None
        if not self._selector.select(POLL):
            return None
        try:
            part = os.read(self._process.stdout.fileno(), 1 << 20)
        except BlockingIOError:
            return None
        self._buffer += part
        return part
