"""YAML as it was written: a loader of our own over the events of PyYAML, which runs nothing and guesses nothing.

A plain `no`, `0012`, `2025-03-05` or `1e3` stays the text that was typed (`Plain`); what it means is decided by the
field that it stands in. Refused are tags, aliases that unfold into more than a million values, and what is nested too
deep. A key that stands twice in a mapping gives `Twice`, with both values.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import yaml

from curator.domain.list_values import Number, Plain, Twice, is_number
from curator.errors import InputError
from curator.parsing.lists.record import DEEPEST
from curator.progress import Progress

MOST_VALUES = 1_000_000
_KNOWN_TAGS = {f"tag:yaml.org,2002:{t}" for t in ("str", "int", "float", "bool", "null", "seq", "map", "timestamp")}
_NULLS = ("", "~", "null", "Null", "NULL")
_MERGE = "<<"


class _Open:
    """A sequence or mapping that is being read; `size`: values in it, aliases unfolded."""

    __slots__ = ("anchor", "key", "merged", "pairs", "size", "value")

    def __init__(self, value: list[Any] | dict[str, Any], anchor: str | None) -> None:
        self.value = value
        self.anchor = anchor
        self.key: str | None = None
        self.merged: list[dict[str, Any]] = []
        self.size = 1


def documents(text: str, name: str, progress: Progress) -> Iterator[Any]:
    """The documents of a YAML text.

    Args:
        text: All of it.
        name: Of the file, for messages.
        progress: Its checkpoint is called on the way.

    Raises:
        InputError: It is no YAML, or holds what is refused; the message names the line.
    """
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    reader = _Reader(name)
    try:
        for n, event in enumerate(yaml.parse(text, Loader=loader)):
            if n % 2000 == 0:
                progress.checkpoint()
            if isinstance(event, yaml.DocumentStartEvent):
                reader = _Reader(name)
            elif isinstance(event, yaml.DocumentEndEvent):
                yield reader.root
            else:
                reader.take(event)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f" at line {mark.line + 1}" if mark is not None else ""
        raise InputError(f"{name}: no YAML{place}", "correct it in an editor and import it again") from None
    except (RecursionError, ValueError):
        raise InputError(f"{name}: no YAML that can be read", "correct it in an editor") from None


class _Reader:
    """Values out of events, without recursion."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._open: list[_Open] = []
        self._anchors: dict[str, tuple[Any, int]] = {}
        self._values = 0
        self.root: Any = None

    def take(self, event: Any) -> None:
        if isinstance(event, yaml.ScalarEvent):
            self._put(self._scalar(event), 1, event, event.anchor)
        elif isinstance(event, yaml.SequenceStartEvent | yaml.MappingStartEvent):
            self._require_plain(event)
            if len(self._open) >= DEEPEST:
                raise self._refused("nested too deep", event, "flatten it")
            self._open.append(_Open([] if isinstance(event, yaml.SequenceStartEvent) else {}, event.anchor))
        elif isinstance(event, yaml.SequenceEndEvent | yaml.MappingEndEvent):
            done = self._open.pop()
            if isinstance(done.value, dict):
                for merged in done.merged:
                    for key, value in merged.items():
                        done.value.setdefault(key, value)
            self._put(done.value, done.size, event, done.anchor)
        elif isinstance(event, yaml.AliasEvent):
            if event.anchor not in self._anchors:
                raise self._refused(f"the alias *{event.anchor[:40]} points to itself or to nothing", event)
            value, size = self._anchors[event.anchor]
            self._put(value, size, event, None)

    def _scalar(self, event: Any) -> Any:
        self._require_plain(event)
        text: str = event.value
        if event.style in ("'", '"', "|", ">") or event.tag == "tag:yaml.org,2002:str":
            return text
        if text in _NULLS:
            return None
        return Number(text) if is_number(text) else Plain(text)

    def _require_plain(self, event: Any) -> None:
        if event.tag and event.tag != "!" and event.tag not in _KNOWN_TAGS:
            raise self._refused("a tag that makes an object of a value", event, "take the tag off; write plain values")

    def _put(self, value: Any, size: int, event: Any, anchor: str | None) -> None:
        self._values += size
        if self._values > MOST_VALUES:
            raise self._refused(f"more than {MOST_VALUES:,} values, aliases unfolded", event, "split it")
        if anchor:
            self._anchors[anchor] = (value, size)
        if not self._open:
            self.root = value
            return
        top = self._open[-1]
        top.size += size
        if isinstance(top.value, list):
            top.value.append(value)
        elif top.key is None:
            top.key = _key(value)
        else:
            key, top.key = top.key, None
            if key == _MERGE and isinstance(value, dict | list):
                top.merged += [v for v in (value if isinstance(value, list) else [value]) if isinstance(v, dict)]
            else:
                top.value[key] = Twice.of(top.value[key], value) if key in top.value else value

    def _refused(self, why: str, event: Any, hint: str = "correct it in an editor") -> InputError:
        line = event.start_mark.line + 1 if event.start_mark else 0
        return InputError(f"{self._name}: {why}" + (f" (line {line})" if line else ""), hint)


def _key(value: Any) -> str:
    return value if isinstance(value, str) else "" if value is None else str(value)[:200]
