"""A reading process seen from here: started, watched, stopped, and started again after a page that broke it.

A page has a time limit; a file has a budget for pages that fail. Time is what the process itself has used, where the
system tells it, so that a busy machine costs no page; the clock alone counts far beyond the limit. The process is
killed when the person stops, when it is late, and when this process leaves the block. Reading processes are forks of
one that has loaded everything (`forks`): 0.15 s of start-up are paid once, not for every file and every process that
reads a part of it.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import select
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

import curator
from curator.progress import Progress

POLL = 0.05
PATIENCE = 8  # times the limit that a process may take by the clock while others have the processor
TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
LONGEST_LINE = 64 * 1024 * 1024
START_SECONDS = 60.0


class Late(Exception):
    """No answer within the time limit; the process is gone."""


class Died(Exception):
    """The process ended before it answered: out of memory, out of CPU time, or aborted by the PDF library."""


class Used(NamedTuple):
    """CPU seconds of all processes that read and have ended, those of the busiest one, the most memory of one in MB."""

    seconds: float
    longest: float
    memory: float


class _Forks:
    """The process that the reading processes are forked from; started when it is needed, and again when it is gone."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._socket: socket.socket | None = None

    def fork(self, memory: int, seconds: int, descriptors: Sequence[int]) -> int:
        """A reading process for these descriptors (the file, its end of both pipes); gives its number.

        Raises:
            Died: None can be started.
        """
        with self._lock:
            for last in (False, True):
                try:
                    return int(self._ask({"memory": memory, "seconds": seconds}, descriptors)["pid"])
                except (OSError, ValueError, KeyError) as error:  # it was idle for long, or somebody ended it
                    self._stop()
                    if last:
                        raise Died from error
        raise AssertionError

    def end(self, pid: int) -> None:
        """Kill a reading process and wait until it is gone; when the one that forked it is gone, it is too."""
        with self._lock:
            if self._socket is not None:
                try:
                    self._ask({"end": pid}, ())
                except (OSError, ValueError):
                    self._stop()

    def used(self) -> Used:
        """What reading has cost since it was started."""
        with self._lock:
            if self._socket is None:
                return Used(0.0, 0.0, 0.0)
            return Used(**self._ask({"used": True}, ()))

    def stop(self) -> None:
        """End all of it."""
        with self._lock:
            self._stop()

    def _ask(self, request: dict[str, Any], descriptors: Sequence[int]) -> dict[str, Any]:
        connection = self._socket or self._start()
        socket.send_fds(connection, [json.dumps(request).encode()], list(descriptors))
        answer = b""
        while not answer.endswith(b"\n"):
            part = connection.recv(4096)
            if not part:
                raise OSError("the process is gone")
            answer += part
        found = json.loads(answer)
        assert isinstance(found, dict)
        return found

    def _start(self) -> socket.socket:
        here, there = socket.socketpair()
        root = str(Path(curator.__file__).resolve().parents[1])
        kept = {k: v for k, v in os.environ.items() if k in ("PATH", "LANG", "LC_ALL", "TMPDIR", "LD_LIBRARY_PATH")}
        path = os.pathsep.join(p for p in (root, os.environ.get("PYTHONPATH", "")) if p)
        with there:
            self._process = subprocess.Popen(  # noqa: S603  our own module, by this interpreter
                [sys.executable, "-P", "-m", "curator.parsing.forks", str(there.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(there.fileno(),),
                env={**kept, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"},
                cwd=os.sep,
            )
        here.settimeout(START_SECONDS)
        self._socket = here
        return here

    def _stop(self) -> None:
        connection, self._socket = self._socket, None
        process, self._process = self._process, None
        if connection is not None:
            connection.close()  # it ends its forks, and itself
        if process is not None:
            try:
                process.wait(timeout=5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


class Watch:
    """How long a process has been at something: in CPU seconds of its own and by the clock."""

    def __init__(self, child: Child) -> None:
        self._child = child
        self._begun, self._used = time.monotonic(), _cpu_of(child.pid)
        self._pid = child.pid

    @property
    def seconds(self) -> float:
        """By the clock."""
        return time.monotonic() - self._begun

    def over(self, limit: float) -> bool:
        """Whether it has taken longer than so many seconds."""
        past = self.seconds
        if past <= limit or past > PATIENCE * limit:
            return past > limit
        used = _cpu_of(self._pid) if self._pid == self._child.pid else None
        return used is None or self._used is None or used - self._used > limit - 2 / TICKS


def _cpu_of(pid: int) -> float | None:
    """CPU seconds that a process has used; None where the system does not tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS
    except (OSError, IndexError, ValueError):
        return None


_forks = _Forks()
atexit.register(_forks.stop)
used = _forks.used
stop_all = _forks.stop


class Child:
    """One reading process for one open file."""

    def __init__(self, descriptor: int, memory: int, cpu_seconds: int, progress: Progress) -> None:
        self._descriptor = descriptor
        self._memory = memory
        self._cpu = cpu_seconds
        self._progress = progress
        self._pid = 0
        self._requests = -1
        self._answers = -1
        self._buffer = bytearray()
        self._lines: list[bytes] = []

    def __enter__(self) -> Child:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def running(self) -> bool:
        """Whether a process is there to answer."""
        return self._pid != 0

    @property
    def pid(self) -> int:
        """Number of the process; 0 = there is none."""
        return self._pid

    def fileno(self) -> int:
        """The descriptor that becomes readable when the process says something."""
        return self._answers

    def start(self) -> None:
        """A fresh process; the old one is stopped first.

        Raises:
            Died: None can be started.
        """
        self.stop()
        inward, self._requests = os.pipe()
        self._answers, outward = os.pipe()
        try:
            self._pid = _forks.fork(self._memory, self._cpu, (self._descriptor, inward, outward))
        except BaseException:
            self.stop()
            raise
        finally:
            os.close(inward)
            os.close(outward)
        os.set_blocking(self._answers, False)

    def stop(self) -> None:
        """Kills the process, if there is one, and waits for it."""
        pid, self._pid = self._pid, 0
        pipes = (self._requests, self._answers)
        self._requests = self._answers = -1
        self._buffer.clear()
        self._lines.clear()
        for pipe in pipes:
            if pipe >= 0:
                with contextlib.suppress(OSError):
                    os.close(pipe)
        if pid:
            _forks.end(pid)

    def ask(self, request: dict[str, Any]) -> None:
        """Sends a request.

        Raises:
            Died: Nobody is there to read it.
        """
        if not self.running:
            self.start()
        data = json.dumps(request).encode() + b"\n"
        try:
            while data:
                data = data[os.write(self._requests, data) :]
        except OSError as error:
            self.stop()
            raise Died from error

    def answer(self, seconds: float) -> dict[str, Any]:
        """The next message, waited for no longer than `seconds`.

        Raises:
            Late, Died: As their names say; the process is gone then.
            Cancelled: The person stopped it.
        """
        watch = Watch(self)
        while not self._lines:
            self._progress.checkpoint()
            if watch.over(seconds):
                self.stop()
                raise Late
            if self.running and select_readable([self]):
                self.receive()
        return self.message(self.line() or b"")

    def receive(self) -> None:
        """Take in what is there; to be called when the descriptor is readable.

        Raises:
            Died: The pipe closed, or a line is too long; the process is gone then.
        """
        try:
            part = os.read(self._answers, 1 << 20)
        except BlockingIOError:
            return
        except OSError:
            part = b""
        *whole, rest = part.split(b"\n")
        if whole:
            self._lines += [bytes(self._buffer) + whole[0], *whole[1:]]
            self._buffer = bytearray(rest)
        else:
            self._buffer += rest
        if not part or len(self._buffer) > LONGEST_LINE:
            self.stop()
            raise Died

    def line(self) -> bytes | None:
        """The next whole line that came, as it came; None = there is none yet."""
        return self._lines.pop(0) if self._lines else None

    def message(self, line: bytes) -> dict[str, Any]:
        """A line as a message.

        Raises:
            Died: It is none; the process is gone then.
        """
        try:
            message = json.loads(line)
        except ValueError as error:
            self.stop()
            raise Died from error
        if not isinstance(message, dict):
            self.stop()
            raise Died
        return message


def select_readable(children: Sequence[Child]) -> list[Child]:
    """Those that said something, or ended, within the poll time."""
    poll = select.poll()
    by_number = {child.fileno(): child for child in children}
    for number in by_number:
        poll.register(number, select.POLLIN | select.POLLHUP)
    return [by_number[number] for number, _ in poll.poll(POLL * 1000)]
