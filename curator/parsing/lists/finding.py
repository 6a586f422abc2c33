"""Where in a decoded document the list is: at the top, in a wrapper, by document, by bucket, by id, or by column."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from curator.domain.list_fields import asks, is_list_name, is_question_text, key_of
from curator.domain.list_names import TABLE
from curator.domain.list_values import Twice, text_of
from curator.parsing.lists.record import DEEPEST, CaseList, ListRow

_KEY = re.compile(r"[^.\n]{1,80}")
"""A key of ours; one with a dot is a file's name, and its object one value."""
_DEEP = 8
"""Levels of wrappers that are looked into."""


def rows_of(found: CaseList, document: Any) -> None:
    """Put the rows of a document into a list, and what stands beside them; the numbers go on through several lists."""
    if isinstance(document, list):
        _take(found, "", "", document, {}, number_from=len(found.rows))
        return
    if not isinstance(document, dict):
        found.rows.append(ListRow(len(found.rows) + 1, {}, problem=f"not an object: {_kind(document)}"))
        return
    document = _by_column(document) or document
    if isinstance(document, list):
        _take(found, "", "", document, {}, number_from=0)
        return
    lists = list(_lists(document, ""))
    if not lists and (by_id := _by_id(document)) is not None:
        _take(found, "", "", by_id, {}, number_from=0)
        return
    if asks(document) and not lists:
        found.rows.append(row_of(len(found.rows) + 1, document))
        return
    if lists:
        inside = {path for path, *_ in lists}
        for path, name, items in lists:
            _take(found, f"{path}[].", name, items, {}, number_from=len(found.rows))
        for path, value in _beside(document, "", inside):
            found.beside[path] = value
        return
    found.rows.append(row_of(1, document))


def row_of(
    number: int, value: Any, *, prefix: str = "", group: str = "", above: Mapping[str, Any] | None = None
) -> ListRow:
    """A row out of a value: an object, or the messages of a conversation."""
    if (
        isinstance(value, list)
        and value
        and all(isinstance(m, dict) and ("role" in m or "type" in m or "from" in m) for m in value)
    ):
        value = {"messages": value}
    if isinstance(value, str) and is_question_text(value) and prefix != "" and is_list_name(key_of(group)):
        value = {"question": value}
    if not isinstance(value, dict):
        return ListRow(number, {}, group, f"not an object: {_kind(value)}")
    fields = dict(above or {})
    if _deeper(value, DEEPEST):
        return ListRow(number, {}, group, "nested too deep")
    flatten(fields, prefix, value)
    return ListRow(number, fields, group)


def flatten(fields: dict[str, Any], prefix: str, value: Mapping[str, Any]) -> None:
    """Paths of an object's leaves; lists stay whole, but for the assertions of promptfoo."""
    for key, inner in value.items():
        path = f"{prefix}{key}"
        if isinstance(inner, dict) and inner and not _is_place(inner) and all(_KEY.fullmatch(str(k)) for k in inner):
            flatten(fields, f"{path}.", inner)
        elif key_of(key) == "assert" and isinstance(inner, list):
            _assertions(fields, path, inner)
        else:
            fields[path] = inner


_PARTS = frozenset(("input", "inputs", "output", "outputs", "vars", "expected", "metadata", "reference_outputs"))
_KIND_KEYS = (
    "tipo_documento",
    "document_type",
    "doc_type",
    "tipo",
    "documento",
    "law_id",
    "law",
    "doc",
    "document",
    "type",
)
_PLACE_KEYS = (
    "contem",
    "contiene",
    "contains",
    "article",
    "articulo",
    "artigo",
    "artikel",
    "section",
    "annex",
    "recital",
)


def _is_place(value: Mapping[str, Any]) -> bool:
    """Whether an object names a place: a kind of document, and what stands there; it is one value."""
    keys = {key_of(k) for k in value}
    return len(keys) == 2 and bool(keys & set(_KIND_KEYS)) and bool(keys & set(_PLACE_KEYS))


def _assertions(fields: dict[str, Any], path: str, items: list[Any]) -> None:
    for item in items:
        if not isinstance(item, dict):
            continue
        kind = text_of(item.get("type"))
        if "value" in item:
            _add(fields, f"{path}[type={kind}].value", item["value"])
        else:
            _add(fields, f"{path}[type={kind}]", True)
        for key, value in item.items():
            if key not in ("type", "value"):
                _add(fields, f"{path}[].{key}", value)


def _add(fields: dict[str, Any], path: str, value: Any) -> None:
    fields[path] = Twice.of(fields[path], value) if path in fields else value


def _lists(document: Mapping[str, Any], prefix: str, depth: int = 0) -> Iterator[tuple[str, str, list[Any]]]:
    """Path, name and items of the lists of entries in an object; a named list without questions when no other is."""
    found = list(_candidates(document, prefix, depth))
    sure = [(p, n, i) for p, n, i, good in found if good]
    yield from sure or [(p, n, i) for p, n, i, _ in found if is_list_name(key_of(n))]


def _candidates(document: Mapping[str, Any], prefix: str, depth: int) -> Iterator[tuple[str, str, list[Any], bool]]:
    for key, value in document.items():
        path = f"{prefix}{key}"
        if isinstance(value, list) and value:
            objects = [v for v in value[:50] if isinstance(v, dict)]
            texts = [v for v in value[:50] if isinstance(v, str)]
            if objects:
                yield (
                    path,
                    str(key),
                    value,
                    any(asks(v) or _nested(v) for v in objects) and not asks_here(document, key),
                )
            elif texts and is_list_name(key_of(str(key))) and sum(map(is_question_text, texts)) * 2 > len(texts):
                yield path, str(key), value, True
        elif isinstance(value, dict) and depth < _DEEP and not asks(document):
            if (inner := _by_id(value)) is not None:
                yield path, str(key), inner, True
            else:
                yield from _candidates(value, f"{path}.", depth + 1)


def asks_here(document: Mapping[str, Any], key: str) -> bool:
    """Whether a list is a part of an entry, as its messages are: then the object itself is the entry."""
    return key_of(key) in ("turns", "messages", "conversation", "answers", "contexts", "assert") and asks(document)


def _nested(value: Mapping[str, Any]) -> bool:
    """Whether an object holds a list of entries of its own: questions by document, paragraphs with questions."""
    return _inner(value) is not None


def _inner(value: Mapping[str, Any]) -> str | None:
    if asks(value):
        return None
    for key, inner in value.items():
        if isinstance(inner, list) and inner:
            some = [v for v in inner[:20] if isinstance(v, dict)]
            if some and any(asks(v) or _nested(v) for v in some):
                return str(key)
            texts = [v for v in inner[:20] if isinstance(v, str)]
            if len(texts) == len(inner[:20]) and is_list_name(key_of(str(key))) and all(map(is_question_text, texts)):
                return str(key)
    return None


def _take(
    found: CaseList, prefix: str, name: str, items: list[Any], above: Mapping[str, Any], *, number_from: int
) -> None:  # fmt: skip
    """Rows of a list; an entry that holds entries of its own gives what it says to each of them."""
    if not prefix and items and all(isinstance(i, list) for i in items[:50]) and (made := _by_rows(items)) is not None:
        items = made
    texts_ask = bool(name) or (bool(items) and all(isinstance(i, str) for i in items))
    for item in items:
        inner = _inner(item) if isinstance(item, dict) else None
        if inner is not None:
            own = {f"{prefix}{k}": v for k, v in item.items() if k != inner and not isinstance(v, dict)}
            flatten(own, prefix, {k: v for k, v in item.items() if isinstance(v, dict)})
            _take(found, f"{prefix}{inner}[]." if prefix else f"{inner}[].", inner, item[inner], {**above, **own},
                  number_from=len(found.rows))  # fmt: skip
            continue
        if isinstance(item, str) and texts_ask and not prefix and is_question_text(item):
            item = {"question": item}
        found.rows.append(row_of(len(found.rows) + 1, item, prefix=prefix, group=name, above=above))


def _beside(document: Mapping[str, Any], prefix: str, inside: set[str]) -> Iterator[tuple[str, Any]]:
    for key, value in document.items():
        path = f"{prefix}{key}"
        if path in inside:
            continue
        if isinstance(value, dict) and any(p.startswith(f"{path}.") for p in inside):
            yield from _beside(value, f"{path}.", inside)
        else:
            yield path, value


def _by_id(document: Mapping[str, Any]) -> list[Any] | None:
    """Entries of an object that is keyed by their ids, or by their questions; None when it is none."""
    if not document:
        return None
    values = list(document.values())
    if (
        all(isinstance(v, dict) and key_of(str(k)) not in TABLE for k, v in document.items())
        and not set(document) & _PARTS
        and sum(asks(v) for v in values[:50]) * 2 > len(values[:50])
    ):
        return [{"id": key, **value} for key, value in document.items()]
    asked = [k for k in document if is_question_text(k)]
    if len(asked) == len(document) and all(isinstance(v, str | dict | list) or v is None for v in values):
        return [
            {"question": key, **value} if isinstance(value, dict) else {"question": key, "answer": value}
            for key, value in document.items()
        ]
    return None


def _by_column(document: Mapping[str, Any]) -> list[Any] | None:
    """Entries of an object of columns, as data frames are written; None when it is none."""
    keys = set(document)
    if {"columns", "data"} <= keys and isinstance(document["columns"], list) and isinstance(document["data"], list):
        rows = [r for r in document["data"] if isinstance(r, list)]
        names = [text_of(c) for c in document["columns"]]
        return [dict(zip(names, row, strict=False)) for row in rows] if rows else None
    asked = next((v for k, v in document.items() if TABLE.get(key_of(str(k)), ("",))[0] == "turns"), None)
    values = [v for v in document.values() if isinstance(v, list | dict)]
    if len(values) != len(document) or not isinstance(asked, list | dict) or not asked:
        return None
    texts = asked if isinstance(asked, list) else list(asked.values())
    if not all(isinstance(v, str) or v is None for v in texts):
        return None
    if all(isinstance(v, list) and len(v) == len(asked) for v in values) and len(asked) > 1:
        return [{k: v[n] for k, v in document.items()} for n in range(len(asked))]
    if (
        all(isinstance(v, dict) for v in values)
        and isinstance(asked, dict)
        and all(set(v) == set(asked) for v in values)
    ):
        return [{k: v[n] for k, v in document.items()} for n in asked]
    return None


def _by_rows(items: list[Any]) -> list[Any] | None:
    """Entries of a list of lists whose first one names the columns; None when it does not."""
    names = [text_of(c) for c in items[0]]
    if not asks(dict.fromkeys(names, "?")):
        return None
    return [dict(zip(names, row, strict=False)) if isinstance(row, list) else row for row in items[1:]]


def _kind(value: Any) -> str:
    return "a plain string" if isinstance(value, str) else "nothing" if value is None else f"a {type(value).__name__}"


def _deeper(value: Any, limit: int) -> bool:
    waiting = [(value, 1)]
    while waiting:
        item, depth = waiting.pop()
        if depth > limit:
            return True
        inner = item.values() if isinstance(item, dict) else item if isinstance(item, list | tuple) else ()
        waiting += [(v, depth + 1) for v in inner if isinstance(v, dict | list | tuple)]
    return False
