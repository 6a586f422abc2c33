"""What was typed while the database could not take it: a file beside it, or wherever there is room.

The file is its owner's alone and holds the latest state of one app's forms. The next start makes drafts of it, which
are offered as any other draft.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from pydantic import TypeAdapter

from curator.domain.canonical import case_hash, dumps
from curator.domain.case import Case
from curator.domain.suggestion import Decided
from curator.durable import private, sync_folder
from curator.errors import StorageError
from curator.services import drafts
from curator.services.context import Context, utc_now
from curator.services.drafts import Typed

FOLDER = "rescue"
_DECIDED = TypeAdapter(tuple[Decided, ...])
_NONE: Mapping[str, Sequence[str]] = MappingProxyType({})


class BroughtBack(NamedTuple):
    """What earlier apps left: how many drafts were made of it, what was typed into dialogs, and where that lies yet."""

    drafts: int
    answers: dict[str, tuple[str, ...]]
    files: tuple[Path, ...]


def places(root: Path) -> list[Path]:
    """The folders that are tried: of the workspace, of the person, of the machine."""
    from platformdirs import user_state_path

    name = hashlib.sha256(str(root.resolve()).encode("utf-8", "surrogateescape")).hexdigest()[:16]
    shared = Path(tempfile.gettempdir()) / f"curator-{os.geteuid() if hasattr(os, 'geteuid') else 'rescue'}"
    return [root / ".curator" / FOLDER, user_state_path("curator") / FOLDER / name, shared / FOLDER / name]


def keep(root: Path, actor_id: str, typed: Sequence[Typed], answers: Mapping[str, Sequence[str]] = _NONE) -> Path:
    """Write down what stands on the forms and in the dialogs of this app, over what it wrote before; gives the file.

    The workspace need not be open: it may be what cannot be opened.

    Raises:
        StorageError: No place takes it.
    """
    forms = [
        {
            "key": form.key,
            "baseVersion": form.base_version,
            "case": form.case.model_dump(mode="json", by_alias=True),
            "decided": [d.model_dump(mode="json", by_alias=True) for d in form.decided],
            "over": list(form.over),
        }
        for form in typed
    ]
    said = [{"key": key, "lines": list(lines)} for key, lines in answers.items()]
    text = dumps({"actor": actor_id, "at": utc_now(), "forms": forms, "answers": said}).encode()
    refused = ""
    for number, folder in enumerate(places(root)):
        try:
            path = _written(folder, _name(), text, number)
        except OSError as error:
            refused = refused or f"{folder}: {error.strerror}"
            continue
        drop(root, path)
        return path
    raise StorageError(f"no place takes what was typed: {refused}", "free some space; leave the app open until then")


def path_of(root: Path) -> Path:
    """Where this app's file lies, or would lie first."""
    found = (folder / _name() for folder in places(root))
    return next((path for path in found if path.exists()), places(root)[0] / _name())


def drop(root: Path, but: Path | None = None) -> None:
    """Remove what this app wrote down, but for one file: the database has it."""
    for folder in places(root):
        path = folder / _name()
        if path != but:
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)


def bring_back(ctx: Context) -> BroughtBack:
    """Make drafts of what earlier apps of the acting person wrote down. The files are removed.

    What was typed into dialogs has no place in the database: it is given, and a file with some stays until `remove`.

    Of a new case the later state counts, and of a stored case over a draft that the same app had kept. Another draft
    of a stored case that says something else stays; what was written down then becomes one of its own.

    Raises:
        StorageError: The database still does not take it; the files stay.
    """
    count, answers, kept = 0, dict[str, tuple[str, ...]](), list[Path]()
    for path, at, forms, said in _left(ctx):
        here = {d.case_id: d for d in drafts.waiting(ctx)}
        typed = [f for f in forms if f.key not in here or here[f.key].case != f.case]
        later = {key for key, draft in here.items() if not draft.base_version and draft.updated_at <= at}
        later |= {f.key for f in typed if f.over and f.key in here and case_hash(here[f.key].case) in f.over}
        drafts.keep_all(ctx, [_beside(f) if f.key in here.keys() - later else f for f in typed])
        if said:
            kept.append(path)
            answers.update(said)
        else:
            remove([path])
        count += len(typed)
    return BroughtBack(count, answers, tuple(kept))


def remove(files: Iterable[Path]) -> None:
    """Remove files whose content is somewhere else by now."""
    for path in files:
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)


def _beside(form: Typed) -> Typed:
    return Typed(form.case.model_copy(update={"id": ""}), 0, f"new {secrets.token_hex(6)}", form.decided)


def _name() -> str:
    """Of this app's file: by its process and when that began, since numbers come again; in a container always."""
    began = _began(os.getpid())
    return f"typed-{os.getpid()}-{began}.json" if began else f"typed-{os.getpid()}.json"


def _began(pid: int) -> str:
    """When a process began, as the system counts it; "" = it does not say."""
    try:
        return Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return ""


def _written(folder: Path, name: str, text: bytes, place: int) -> Path:
    """Write a file whole, for its owner alone. A workspace that is gone is not made again: it may come back.

    Raises:
        OSError: It cannot be; or, in a folder that everybody may write to, ours is another person's.
    """
    if place == 2:
        top = folder.parents[1]
        top.mkdir(mode=0o700, exist_ok=True)
        if top.is_symlink() or top.stat().st_uid != os.geteuid():
            raise PermissionError(1, "it is another person's", str(top))
    folder.mkdir(mode=0o700, parents=place > 0, exist_ok=True)
    part, path = folder / f".{name}.part", folder / name
    try:
        with open(part, "wb", opener=private) as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        raise
    with contextlib.suppress(OSError):
        sync_folder(folder)
    return path


def _left(ctx: Context) -> Iterator[tuple[Path, str, list[Typed], dict[str, tuple[str, ...]]]]:
    """The files of apps that are gone, of the acting person: when, and what; one that cannot be read is left."""
    for folder in places(ctx.root):
        for path in sorted(folder.glob("typed-*.json")):
            if not _is_alive(path):
                with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
                    content = json.loads(path.read_bytes())
                    if content["actor"] == ctx.actor_id:
                        path = _claimed(path)
                        said = {str(a["key"]): tuple(map(str, a["lines"])) for a in content.get("answers", ())}
                        yield path, str(content["at"]), [_form(f) for f in content["forms"]], said


def _claimed(path: Path) -> Path:
    """Take a file over, so that of two apps that start at once one alone brings it back.

    Raises:
        OSError: Another one has it.
    """
    own = _name().removesuffix(".json")
    if path.name.startswith(f"{own}-"):
        return path
    return path.rename(path.with_name(f"{own}-{secrets.token_hex(3)}.json"))


def _form(value: Any) -> Typed:
    decided = _DECIDED.validate_python(value["decided"])
    over = tuple(map(str, value.get("over", ())))
    return Typed(Case.model_validate(value["case"]), int(value["baseVersion"]), str(value["key"]), decided, over)


def _is_alive(path: Path) -> bool:
    """Whether the app that wrote a file is still there."""
    number, _, began = path.stem.removeprefix("typed-").partition("-")
    try:
        os.kill(int(number), 0)
    except PermissionError:
        pass
    except (OSError, ValueError, OverflowError):
        return False
    if int(number) == os.getpid():
        return path.name == _name()
    return not began or began.partition("-")[0] == _began(int(number))
