"""Parts of a row's values: the name that a column ends in, answers and their variants, statements, places."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from curator.domain.list_fields import key_of, last_key
from curator.domain.list_names import EVIDENCE
from curator.domain.list_values import Twice, is_empty, listed, pages, plain, text_of, truth

_LITERAL = (
    "contain", "include", "keyword", "must_have", "conter", "contener", "enthalten", "stichw", "schlag", "phrase",
    "palabras", "palavras", "키워드", "キーワード", "关键词",
)  # fmt: skip
PLACEHOLDERS = ("none", "null", "nan", "n/a", "-", "todo", "tbd", "?", "xxx", "...", "…")
"""What stands where an answer is still to be written."""
MOST = 400
"""Entries of one list in a row: facts, quotes, answers."""


class Provision(NamedTuple):
    """A statement or word that the answer must carry.

    Attributes:
        text: What it says.
        accept: Any of these counts, () = the statement.
        citation: The clause that it stands in.
        mandatory: What the list says of it; None = nothing.
    """

    text: str
    accept: tuple[str, ...] = ()
    citation: str = ""
    mandatory: bool | None = None

    def __repr__(self) -> str:
        """Without what is not said: lists that were imported before there was `mandatory` are known by this text."""
        said = "" if self.mandatory is None else f", mandatory={self.mandatory!r}"
        return f"Provision(text={self.text!r}, accept={self.accept!r}, citation={self.citation!r}{said})"


def plain_json(value: Any) -> Any:
    """A list as text: one entry as it is, several as JSON."""
    if isinstance(value, list) and all(isinstance(v, str) for v in value) and len(value) == 1:
        return value[0]
    return json.dumps(plain(value), ensure_ascii=False)


def last(path: str) -> str:
    """The name that a column ends in."""
    return path if "[type=" in path else last_key(path)


def plural(path: str) -> bool:
    """Whether a column is named as if it held a list."""
    key = key_of(last(path))
    return key.endswith(("s", "ids")) or key in ("expected_source_ids",)


def is_literal(path: str) -> bool:
    """Whether a column holds words that must occur, rather than statements."""
    key = key_of(last(path))
    return "contain" in path or (not key.endswith(("fact", "facts")) and any(word in key for word in _LITERAL))


def is_keywords(path: str) -> bool:
    """Whether a column is named for single words, between which a comma divides."""
    key = key_of(last(path))
    return any(word in key for word in ("keyword", "key_term", "stichwort", "schlagwort", "palabras_clave", "키워드"))


def answers(value: Any) -> list[str]:
    """Texts of an answer: one, a list of variants, objects with a text."""
    found: list[str] = []
    items: Sequence[Any]
    if isinstance(value, str):
        opened = listed(value) if value.strip()[:2] in ("['", '["', "[{") else None
        items = opened.items if opened and not opened.problem else [value]
    else:
        items = value if isinstance(value, list | Twice) else [value]
    for item in items[:MOST]:
        if isinstance(item, dict):
            text = next(
                (text_of(item[k]) for k in item if key_of(k) in ("text", "answer", "content", "value", "output")), ""
            )
        elif isinstance(item, list):
            found += [t for i in item if (t := text_of(i))]
            continue
        else:
            text = text_of(item)
        if text and text.casefold() not in PLACEHOLDERS:
            found.append(text)
    return found


_STATING = frozenset("text statement fact content provision claim value criterion inhalt".split())  # noqa: SIM905
_CITING = frozenset("clause citation article section source reference ref fundstelle".split())  # noqa: SIM905
_WEIGHING = frozenset(
    re.findall(r"\w+", "required mandatory importance priority must optional pflicht obligatoire obligatorio 필수")
)
_MUST = frozenset(
    re.findall(
        r"\w+",
        """
        required mandatory must critical essential vital crucial high key core necessary yes pflicht notwendig wichtig
        hoch zwingend obligatoire essentiel indispensable obligatorio esencial 필수 必須 必须
        """,
    )
)
_MAY = frozenset(
    re.findall(
        r"\w+",
        """
        optional low minor bonus supplementary nice no niedrig gering facultatif optionnel opcional faible baja 선택
        任意 可选
        """,
    )
)


def _weighed(name: str, value: Any) -> bool | None:
    """Whether `required: true` or `importance: high` makes a statement mandatory; None = it says neither."""
    said = truth(value)
    if said is None and isinstance(value, str):
        word = key_of(value).replace("must_have", "must").replace("nice_to_have", "nice")
        said = True if word in _MUST else False if word in _MAY else None
    return (not said) if name == "optional" and said is not None else said


def provision(item: Mapping[str, Any]) -> Provision:
    """A statement that is written as an object, with the clause that it stands in."""
    text, citation = "", ""
    mandatory: bool | None = None
    for key, value in item.items():
        name = key_of(str(key))
        if name in _STATING:
            text = text or text_of(value)
        elif name in _CITING:
            citation = citation or text_of(value)
        elif name in _WEIGHING:
            said = _weighed(name, value)
            mandatory = said if mandatory is None else mandatory
    # what is mandatory without a phrase of its own is its statement
    return Provision(text, (text,) if mandatory and text else (), citation, mandatory)


def says_more(item: Mapping[str, Any]) -> bool:
    """Whether such an object says more than its statement and clause, such as a weight."""
    known = _STATING | _CITING | {"id", "nr", "index"}
    return any(key_of(str(k)) not in known and not is_empty(v) for k, v in item.items())


def place(
    item: Mapping[str, Any], quotes: list[str], documents: list[str], sources: list[str], numbers: list[int]
) -> None:
    """Evidence that is written as an object: file, page, quote."""
    for key, value in item.items():
        kind = EVIDENCE.get(key_of(str(key)), "")
        if isinstance(value, dict):
            place(value, quotes, documents, sources, numbers)
        elif is_empty(value) or not kind:
            continue
        elif kind == "evidence.quote":
            quotes.append(text_of(value))
        elif kind == "documents":
            documents.append(text_of(value))
        elif kind == "pages":
            numbers += pages(value).pages
        else:
            sources.append(text_of(value))


def cite(
    item: Mapping[str, Any], quotes: list[str], documents: list[str], sources: list[str], numbers: list[int]
) -> None:
    """A citation that is written as an object: its parts where it has a page or a quote, else one name of a source."""
    kinds = {EVIDENCE.get(key_of(str(k)), "") for k, v in item.items() if not is_empty(v)}
    if kinds & {"pages", "evidence.quote"} and "" not in kinds:
        place(item, quotes, documents, sources, numbers)
    else:
        sources.append(": ".join(text_of(v) for v in item.values() if not is_empty(v)))
