"""`curator` from a process that has loaded everything: a page of commands runs in seconds, not a second each.

python warm.py SOCKET              listens; forks a child for every command
python warm.py SOCKET WORDS...     stands in for `curator WORDS...`: same folder, environment, streams and exit code
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import sys
from pathlib import Path
from typing import Any

_LENGTH = 8


def serve(path: str) -> None:
    """Take commands until killed; every child is on its own, as a process of `curator` is."""
    import signal

    from curator.__main__ import open_app
    from curator.cli.main import run
    from curator.errors import MissingExtra
    from curator.privacy import ner
    from curator.services import failure_import, ingest, lint, release, search  # noqa: F401 - loaded once, for all

    with contextlib.suppress(MissingExtra):
        ner.load()

    with socket.socket(socket.AF_UNIX) as door:
        door.bind(path)
        door.listen(8)
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        while True:
            caller, _ = door.accept()
            if child := os.fork():
                caller.close()
                os.waitpid(child, 0)
                continue
            door.close()
            if os.fork():  # the one in between ends at once: the command's own process is nobody's to wait for
                os._exit(0)
            signal.signal(signal.SIGINT, signal.default_int_handler)
            asked = _taken(caller)
            code = run(asked["words"], open_app)
            sys.stdout.flush()
            sys.stderr.flush()
            caller.sendall(str(code).encode())
            os._exit(0)


def _taken(caller: socket.socket) -> dict[str, Any]:
    """What is asked, with its streams, folder and environment taken over."""
    head, streams, _, _ = socket.recv_fds(caller, _LENGTH, 3)
    body = b""
    while len(body) < int(head):
        body += caller.recv(int(head) - len(body))
    asked: dict[str, Any] = json.loads(body)
    for place, stream in enumerate(streams):
        os.dup2(stream, place)
    # made anew: those of the server know whether *its* streams could seek
    sys.stdin, sys.stdout, sys.stderr = (open(n, mode, closefd=False) for n, mode in enumerate("rww"))  # noqa: SIM115
    os.chdir(asked["folder"])
    os.environ.clear()
    os.environ.update(asked["environment"])
    return asked


def command(path: str, words: list[str]) -> int:
    """As `ask`; the sample workspace is made once, and every further page begins with a copy of it."""
    made = Path(path).with_name("made")
    if words[:1] != ["demo"]:
        return ask(path, words)
    folder = Path(next((w for w in words[1:] if not w.startswith("-")), "demo"))
    if made.exists() and not folder.exists():
        shutil.copytree(made, folder, symlinks=True)
        return 0
    code = ask(path, words)
    if code == 0:
        shutil.copytree(folder, made, symlinks=True)
    return code


def ask(path: str, words: list[str]) -> int:
    """Run a command there and give its exit code."""
    body = json.dumps({"words": words, "folder": str(Path.cwd()), "environment": dict(os.environ)}).encode()
    with socket.socket(socket.AF_UNIX) as server:
        server.connect(path)
        socket.send_fds(server, [str(len(body)).zfill(_LENGTH).encode()], [0, 1, 2])
        server.sendall(body)
        said = server.recv(16)
    return int(said) if said else 70


if __name__ == "__main__":
    if len(sys.argv) == 2:
        serve(sys.argv[1])
    sys.exit(command(sys.argv[1], sys.argv[2:]))
