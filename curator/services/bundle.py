"""A file to send with a report of a bug: versions, counts, codes. No text of a case, document or log; no name, no path.

What goes in is chosen, not filtered: numbers, our own words, and the places in our own program where something failed.
"""

from __future__ import annotations

import json
import os
import platform
import re
import zipfile
from collections import Counter
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

from curator import __version__, log
from curator.durable import private
from curator.errors import Conflict, StorageError
from curator.services import surroundings
from curator.services.context import Context
from curator.services.doctor import Examination
from curator.store import soundness
from curator.store.database import driver

PACKAGES = (
    "textual", "sqlmodel", "sqlalchemy", "pydantic", "typer", "pypdf", "pypdfium2", "pysqlite3", "rapidfuzz", "rensa",
    "sentence-transformers", "spacy", "pyarrow", "openpyxl", "scikit-learn", "rapidocr", "camelot-py",
)  # fmt: skip
_LINE = re.compile(r"(?P<at>\S+) (?P<pid>\d+) (?P<doing>curator(?: [a-z][a-z-]*)*|app)\b(?P<rest>.*)")
_KIND = re.compile(r"(?:^|: )(?P<kind>[A-Za-z_][\w.]*(?: \d+)?)(?:: | at |$)")
_FRAME = re.compile(r"[\w]+\.py:\d+ [\w<>]+")
_ENDED = re.compile(r": ((?:done in [\d.]+ s)|begins|(?:ends with -?\d+))$")
_LINES = 2000


def bundle(ctx: Context | None, root: Path, found: Examination, target: Path) -> Path:
    """Write the file; gives its path.

    Args:
        ctx: Open workspace; None when it cannot be opened.
        root: Its folder.
        found: What an examination came to.
        target: The zip; must not exist.

    Raises:
        Conflict: It exists.
        StorageError: It cannot be written.
    """
    members = {
        "about.json": _as_json(_about(ctx, root)),
        "doctor.json": _as_json(_doctor(found)),
        "log.txt": "".join(f"{line}\n" for line in _log(root)).encode(),
    }
    try:
        with open(target, "xb", opener=private) as stream:
            with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
                for name, data in members.items():
                    archive.writestr(name, data)
            stream.flush()
            os.fsync(stream.fileno())
    except FileExistsError:
        raise Conflict(f"{target} exists", "name another file") from None
    except OSError as error:
        target.unlink(missing_ok=True)
        raise StorageError(f"{target}: {error.strerror}", "choose another place") from None
    return target


def _as_json(value: Any) -> bytes:
    return json.dumps(value, indent=1, ensure_ascii=True, sort_keys=True).encode() + b"\n"


def _about(ctx: Context | None, root: Path) -> dict[str, Any]:
    about: dict[str, Any] = {
        "curator": __version__,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "sqlite": driver().sqlite_version,
        "packages": {name: found for name in PACKAGES if (found := _version(name))},
        "networkDisk": surroundings.network_kind(root),
        "bytes": {
            name: path.stat().st_size
            for name in ("curator.db", "curator.db-wal", "index.db")
            if (path := root / ".curator" / name).is_file()
        },
    }
    if ctx is not None:
        about["settings"] = _shape(ctx.settings.model_dump(mode="json"))
        try:
            with ctx.db.read() as tx:
                about["rows"] = soundness.row_counts(tx)
        except StorageError:
            about["rows"] = {}
    return about


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def _shape(value: Any) -> Any:
    """Settings by their form: numbers and switches as they are, of texts and lists how many."""
    if isinstance(value, bool | int | float):
        return value
    if isinstance(value, Mapping):
        own = all(isinstance(k, str) and re.fullmatch(r"[a-z_]+", k) for k in value) and not _named(value)
        return {k: _shape(v) for k, v in value.items()} if own else f"{len(value)} entries"
    return f"{len(value)} entries" if isinstance(value, list) else "text" if value else ""


def _named(value: Mapping[str, Any]) -> bool:
    """Whether a table's keys were chosen by people: suites, people, quotas of cells."""
    return (
        bool(value) and all(isinstance(v, Mapping) for v in value.values()) and not {"review", "documents"} & set(value)
    )


def _doctor(found: Examination) -> dict[str, Any]:
    return {
        "full": found.full,
        "schema": found.schema_number,
        "sqlite": found.sqlite,
        "documents": found.documents,
        "cases": found.cases,
        "problems": dict(Counter(p.code for p in found.problems)),
    }


def _log(root: Path) -> list[str]:
    """The lines of the log without their messages: when, what was run, the kind of error, where in our program."""
    lines: list[str] = []
    for path in reversed(log.files(root)):
        try:
            text = path.read_text("utf-8", errors="replace")
        except OSError:
            continue
        lines += [_told(found) for line in text.splitlines() if (found := _LINE.match(line))]
    return lines[-_LINES:]


def _told(found: re.Match[str]) -> str:
    rest = found["rest"]
    begun = f"{found['at']} {found['pid']} {found['doing']}"
    if ended := _ENDED.search(rest):
        return f"{begun}: {ended[1]}"
    kinds = [k["kind"] for k in _KIND.finditer(rest) if k["kind"].split()[0].split(".")[-1].endswith(_KINDS)]
    return ": ".join([begun, *kinds[:1], *_FRAME.findall(rest)[:12]])


_KINDS = ("Error", "Failed", "Conflict", "Extra", "Cancelled", "Interrupt", "Exit", "Exception", "Warning")
