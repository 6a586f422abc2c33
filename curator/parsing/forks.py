"""The process that reading processes are forked from: `python -m curator.parsing.forks DESCRIPTOR`.

It has loaded all that reading needs (a fifth of a second) and never touches a file itself. On a socket it is handed the
descriptors of a file and of two pipes, and forks: the fork sets its own limits and is the reading process of that file
alone (see `worker`), so that nothing of one file reaches another. It ends reading processes, since it alone may wait
for them, and ends with all of them when its parent is gone, or has wanted nothing for a while.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import signal
import socket
import sys
from typing import Any

IDLE_SECONDS = 60.0
LONGEST = 4096


def receive(connection: socket.socket) -> tuple[dict[str, Any], list[int]]:
    """The next request and the descriptors that came with it; {} when nobody is there any more.

    Raises:
        TimeoutError: Nothing came within the socket's time.
    """
    data, descriptors, _, _ = socket.recv_fds(connection, LONGEST, 3)
    return (json.loads(data) if data else {}), list(descriptors)


def main() -> None:
    """Argument: descriptor of the socket to the parent."""
    import pypdf  # noqa: F401  loaded once for all forks

    from curator.parsing import worker

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides who stops
    connection = socket.socket(fileno=int(sys.argv[1]))
    connection.settimeout(IDLE_SECONDS)
    children: set[int] = set()
    longest = 0.0
    gc.freeze()
    while True:
        try:
            request, descriptors = receive(connection)
        except TimeoutError:
            if children:
                continue
            return
        except OSError:
            request, descriptors = {}, []
        if not request:
            break
        if "used" in request:
            connection.sendall(json.dumps(_used(longest)).encode() + b"\n")
            continue
        if "end" in request:
            longest = max(longest, _end(request["end"], children))
            connection.sendall(b"{}\n")
            continue
        pid = os.fork()
        if pid == 0:
            connection.close()
            _read(worker, request, descriptors)
        for descriptor in descriptors:
            os.close(descriptor)
        children.add(pid)
        connection.sendall(json.dumps({"pid": pid}).encode() + b"\n")
    for pid in list(children):
        _end(pid, children)


def _used(longest: float) -> dict[str, float]:
    """CPU seconds of this process and the forks that ended, those of the busiest fork, the most memory of one in MB."""
    import resource

    own, forks = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = own.ru_utime + own.ru_stime + forks.ru_utime + forks.ru_stime
    return {"seconds": seconds, "longest": longest, "memory": max(own.ru_maxrss, forks.ru_maxrss) / 1024}


def _end(pid: int, children: set[int]) -> float:
    """Kill one of ours and wait for it, so that nobody else gets its number before; gives its CPU seconds."""
    if pid in children:
        children.discard(pid)
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL)
            _, _, used = os.wait4(pid, 0)
            return used.ru_utime + used.ru_stime
    return 0.0


def _read(worker: Any, request: dict[str, Any], descriptors: list[int]) -> None:
    """In the fork: be the reading process of one file; never comes back."""
    code = 1
    try:
        file, inward, outward = descriptors
        os.dup2(inward, 0)
        os.dup2(outward, 1)
        os.close(inward)
        os.close(outward)
        worker.run(file, int(request["memory"]), int(request["seconds"]))
        code = 0
    except BaseException:  # noqa: BLE001  whatever it was, the parent sees the pipe close
        code = 1
    finally:
        os._exit(code)


if __name__ == "__main__":
    main()
