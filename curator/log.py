"""The log of a workspace: `.curator/log/curator.log`, for finding out what went wrong. No text of a case, no secret.

One line an event: when, which process, what was run, how it ended. Of an error its type and, for our own, its one-line
message, which names ids, files and keys; of a bug where it happened, by file and line, never its message or values.
What looks like a key, a password or a database URL is masked before it is written.
"""

from __future__ import annotations

import contextlib
import os
import re
import traceback
from datetime import UTC, datetime
from pathlib import Path

from curator.durable import alone, private
from curator.errors import CuratorError

FOLDER = "log"
NAME = "curator.log"
LARGEST = 500_000
KEPT = 4
_LONGEST = 2000
_MASKED = (
    (re.compile(r"(?<![a-z0-9+.-])([a-z][a-z0-9+.-]{0,30}://)[^\s/@:]*:[^\s/@]*@", re.I), r"\1***@"),
    (re.compile(r"(?i)\b(authorization|bearer|password|secret|token|api[_-]?key)\b(\s*[:=]\s*|\s+)\S+"), r"\1=***"),
    (re.compile(r"\b(?:sk|pk|ghp|gho|xox[abp]|AKIA|AIza|hf|glpat)[-_A-Za-z0-9]{12,}"), "***"),
    (re.compile(r"\beyJ[\w-]+\.[\w-]+\.[\w-]*"), "***"),
    (re.compile(r"(?<![\w.+-])[\w.+-]{1,80}@[\w-]+\.[\w.]+"), "***"),
)  # fmt: skip
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+")


def write(root: Path, doing: str, outcome: str = "", *, verbose: bool = False) -> None:
    """Add a line; a folder that takes none is no further trouble.

    Args:
        root: Folder of the workspace; one without our own folder has no log.
        doing: What was run: the words of a command without their values.
        outcome: How it ended.
        verbose: Say it on stderr too.
    """
    at = datetime.now(UTC).isoformat(timespec="milliseconds")
    line = f"{at} {os.getpid()} {doing}{': ' if outcome else ''}{outcome}"
    line = masked(line[: 2 * _LONGEST])[:_LONGEST]  # what is cut in the middle of a secret is cut off again
    if verbose:
        import sys

        sys.stderr.write(f"{line}\n")
    hidden = root / ".curator"
    with contextlib.suppress(OSError):
        if not hidden.is_dir():
            return
        folder = hidden / FOLDER
        folder.mkdir(mode=0o700, exist_ok=True)
        path = folder / NAME
        if path.exists() and path.stat().st_size > LARGEST:
            _rotate(path, folder)
        with open(path, "a", encoding="utf-8", errors="backslashreplace", opener=private) as stream:
            stream.write(f"{line}\n")


def masked(text: str) -> str:
    """A text in one line, without what looks like a secret or an address."""
    text = _CONTROL.sub(" ", text)
    for pattern, instead in _MASKED:
        text = pattern.sub(instead, text)
    return text


def said(error: BaseException) -> str:
    """What the log keeps of an error."""
    if isinstance(error, CuratorError):
        return f"{type(error).__name__} {error.exit_code}: {quoteless(error.message)}"
    return f"{type(error).__module__}.{type(error).__qualname__} at {where(error)}"


def quoteless(message: str) -> str:
    """A message of ours without what it quotes: that may have been typed, or come from a file."""
    return re.sub(r"'[^']*'|\"[^\"]*\"|“[^”]*”", "'…'", message)


def where(error: BaseException) -> str:
    """Where an error came from, the cause first: file, line and function, the last few of ours."""
    cause = error.__cause__ or error.__context__
    frames = traceback.extract_tb(error.__traceback__)[-6:]
    own = " < ".join(f"{Path(f.filename).name}:{f.lineno} {f.name}" for f in reversed(frames))
    return f"{where(cause)} then {type(error).__name__} {own}" if cause else own


def files(root: Path) -> list[Path]:
    """The files of the log, newest first."""
    folder = root / ".curator" / FOLDER
    names = [NAME, *(f"{NAME}.{n}" for n in range(1, KEPT + 1))]
    return [folder / name for name in names if (folder / name).is_file()]


def _rotate(path: Path, folder: Path) -> None:
    """Begin a new file; of several programs that find it full at once, one does."""
    with contextlib.ExitStack() as held:
        with contextlib.suppress(OSError):  # where there is no such lock, the last one wins
            held.enter_context(alone(folder))
        if path.exists() and path.stat().st_size > LARGEST:
            _shift(path)


def _shift(path: Path) -> None:
    for number in range(KEPT, 0, -1):
        older = path.with_name(f"{NAME}.{number}")
        newer = path if number == 1 else path.with_name(f"{NAME}.{number - 1}")
        if newer.exists():
            newer.replace(older)
