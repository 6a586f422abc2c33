"""Mapping profiles of logs and lists in `curator.toml`: saved with the comments and the order of the file kept."""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path

import tomlkit
from pydantic import BaseModel
from tomlkit.exceptions import TOMLKitError

from curator.durable import sync_folder
from curator.environment import FILE_NAME
from curator.errors import Conflict, InputError, StorageError, UsageError
from curator.parsing.lists import ListProfile
from curator.parsing.logs import Profile
from curator.services.context import Context
from curator.settings import load

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,40}")


def named(ctx: Context, name: str) -> Profile:
    """The saved profile of a log of this name.

    Raises:
        UsageError: There is none; the message lists those that there are.
        InputError: It is no profile.
    """
    return Profile.model_validate(_saved(ctx.settings.failures.profiles, "failures", name, Profile))


def named_list(ctx: Context, name: str) -> ListProfile:
    """The saved profile of a list of this name; raises as `named` does."""
    return ListProfile.model_validate(_saved(ctx.settings.lists.profiles, "lists", name, ListProfile))


def _saved(saved: Mapping[str, BaseModel], section: str, name: str, kind: type[BaseModel]) -> dict[str, object]:
    if name not in saved:
        raise UsageError(f"there is no profile {name!a}", f"saved: {', '.join(sorted(saved)) or 'none yet'}")
    try:
        return kind.model_validate(saved[name].model_dump()).model_dump()
    except ValueError:
        raise InputError(
            f"{FILE_NAME}: {section}.profiles.{name}: not a format that there is", "correct it in an editor"
        ) from None


def save(ctx: Context, name: str, profile: Profile | ListProfile) -> None:
    """Write a profile of a log or a list to `curator.toml`, over the one of this name.

    Raises:
        UsageError: The name is none.
        Conflict: The file was changed since it was read; nothing was written.
        StorageError: It cannot be written.
    """
    if not _NAME.fullmatch(name):
        raise UsageError(f"{name!a} is no name of a profile", "use a-z, 0-9, - and _")
    path = ctx.root / FILE_NAME
    if load(path) != ctx.settings:
        raise Conflict(f"{FILE_NAME} was changed since it was read", "run the command again")
    table = tomlkit.table()
    for key, value in profile.model_dump().items():
        if value not in ("", None, {}):
            table.add(key, value)
    try:
        text = path.read_text("utf-8")
        document = tomlkit.parse(text)
        section = "lists" if isinstance(profile, ListProfile) else "failures"
        under = document.setdefault(section, tomlkit.table(is_super_table=True))
        profiles = under.setdefault("profiles", tomlkit.table(is_super_table=True))
        profiles[name] = table
        replace(path, tomlkit.dumps(document), text)
    except (OSError, TOMLKitError, TypeError) as error:
        raise StorageError(
            f"{path}: {getattr(error, 'strerror', None) or 'cannot be changed'}", "check its permissions"
        ) from None


def replace(path: Path, text: str, before: str) -> None:
    """Put a whole new text in the place of a file, which still holds what was read.

    Raises:
        Conflict: It does not; nothing was written.
        OSError: The folder cannot be written.
    """
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        Path(temporary).chmod(path.stat().st_mode & 0o777)
        if path.read_text("utf-8") != before:
            raise Conflict(f"{path.name} was changed since it was read", "run the command again")
        Path(temporary).replace(path)
        sync_folder(path.parent)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(temporary).unlink()
        raise
