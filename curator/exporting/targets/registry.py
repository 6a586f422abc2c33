"""Finds targets: entry points of the group `curator.targets`, ours and those of other packages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib.metadata import EntryPoint, entry_points

from curator.errors import InputError, MissingExtra, UsageError
from curator.exporting.targets.protocol import Target
from curator.text import one_line

GROUP = "curator.targets"
ALL = "all"
LIST = "list"
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_PARTS = ("name", "evaluator", "tested", "summary", "carries", "partly", "begin")


def names() -> tuple[str, ...]:
    """The names of all targets, sorted.

    Raises:
        MissingExtra: There is none: the package is not installed as its own files say.
    """
    return tuple(sorted(_points()))


def load(wanted: Sequence[str]) -> tuple[Target, ...]:
    """Targets by name, each once, in the order named; "all" stands for all.

    Raises:
        UsageError: A name is unknown.
        InputError: A target cannot be loaded, or is none; the message names it.
    """
    known = _points()
    chosen = dict.fromkeys(n for name in wanted for n in (sorted(known) if name == ALL else [name]))
    for name in chosen:
        if name not in known:
            raise UsageError(f"{one_line(name, 40)!a} is no target", f"known are {', '.join(sorted(known))}, or all")
    return tuple(_loaded(known[name]) for name in chosen)


def _points() -> dict[str, EntryPoint]:
    found: dict[str, EntryPoint] = {}
    for point in entry_points(group=GROUP):
        if not _NAME.fullmatch(point.name) or point.name in (ALL, LIST):
            raise InputError(f"{_origin(point)}: {point.name!a} is no name of a target", "use a-z, 0-9 and _")
        other = found.setdefault(point.name, point)
        if other.value != point.value:
            raise InputError(
                f"{_origin(point)} and {_origin(other)} both name a target {point.name}", "uninstall one of them"
            )
    if not found:
        raise MissingExtra("no target is registered", "pip install --force-reinstall golden-curator")
    return found


def _loaded(point: EntryPoint) -> Target:
    try:
        target: Target = point.load()
    except (ImportError, AttributeError, SyntaxError) as error:
        raise InputError(
            f"target {point.name} of {_origin(point)} cannot be loaded: {one_line(str(error), 120)}", "reinstall it"
        ) from None
    missing = [part for part in _PARTS if not hasattr(target, part)]
    if missing or target.name != point.name:
        why = f"it has no {missing[0]}" if missing else f"it calls itself {one_line(str(target.name), 40)}"
        raise InputError(f"target {point.name} of {_origin(point)} is none: {why}", "see docs/targets.md")
    return target


def _origin(point: EntryPoint) -> str:
    return point.dist.name if point.dist else "a package"
