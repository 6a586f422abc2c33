"""Places that people cite by number: "Article 7(1)", "§ 5", "Annex IV", "Table X.1", "제7조", "第3章", "p. 10"."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

_KINDS = {
    "article": "article articles art arts artikel articolo articoli artículo artículos artigo artigos",
    "section": "section sections sec clause clauses abschnitt sektion sezione sección seção",
    "§": "§ §§",
    "annex": "annex annexes annexe anhang allegato anexo bijlage appendix appendices schedule schedules",
    "chapter": "chapter chapters kapitel chapitre capítulo capitolo hoofdstuk",
    "part": "part parts teil partie parte",
    "table": "table tables tabelle tableau tabla tabela tabella 표 表",
    "figure": "figure figures abbildung",
    "item": "item items",
    "note": "note notes",
    "recital": "recital recitals erwägungsgrund considérant",
    "page": "p pp page pages seite pág",
}
_KIND = {word: kind for kind, words in _KINDS.items() for word in words.split()}
_NUMBER = r"(?:[0-9]{1,4}[A-Za-z]?(?:[.\-][0-9]{1,3})*|[IVXLC]{1,7}|[A-Z])(?:\.[0-9]{1,3})*"
_LATIN = re.compile(
    rf"(?<!\w)(?P<kind>[^\W\d_]{{1,15}}|§§?)\.?\s{{0,2}}(?P<number>{_NUMBER})(?![^\W_]|\.\d)"
    r"(?P<deep>(?:\s?\([0-9a-z]{1,3}\))*)"
)
_HEAD = re.compile(r"[0-9IVXLCA-Z]")
_EAST_KIND = {"조": "article", "条": "article", "條": "article", "장": "chapter", "章": "chapter", "절": "section",
              "节": "section", "節": "section", "항": "paragraph", "项": "paragraph", "項": "paragraph",
              "款": "paragraph",
              "편": "part", "编": "part", "号": "item", "호": "item"}  # fmt: skip
_HAN = {c: n for n, c in enumerate("零一二三四五六七八九")} | {"〇": 0}
_EAST = re.compile(
    rf"[제第]\s?(?P<number>[0-9]{{1,4}}|[零〇一二三四五六七八九十百]{{1,6}})\s?(?P<kind>[{''.join(_EAST_KIND)}])"
)


class Reference(NamedTuple):
    """A cited place: its kind ("article"), its number ("7", "IV", "X.1"), as it was said, and where."""

    kind: str
    number: str
    said: str
    start: int
    end: int


@lru_cache(maxsize=8192)
def references(text: str) -> tuple[Reference, ...]:
    """The places that a text cites by number, in order."""
    found = []
    for match in _LATIN.finditer(text):
        number = match["number"]
        # a lone capital after "part" or "table" is a number, a word in lower case is none
        if not _HEAD.match(number) or (number.isalpha() and number != number.upper()):
            continue
        kind = _KIND.get(match["kind"].casefold(), "")
        if not kind:
            continue
        if number.isalpha() and kind in ("page", "note", "item", "figure") and len(match["kind"]) < 4:
            continue
        found.append(Reference(kind, number.casefold(), match[0].strip(), match.start(), match.end()))
    found += [
        Reference(_EAST_KIND[m["kind"]], _east_number(m["number"]), m[0], *m.span()) for m in _EAST.finditer(text)
    ]
    return tuple(sorted(found, key=lambda r: r.start))


def _east_number(said: str) -> str:
    if said.isdecimal():
        return str(int(said))
    total, digit = 0, 0
    for char in said:
        if char in _HAN:
            digit = _HAN[char]
        else:
            total += (digit or 1) * (10 if char == "十" else 100)
            digit = 0
    return str(total + digit)


def masked(text: str) -> str:
    """The text with every cited place blanked out, so that its number is not taken for a value; same length."""
    for ref in references(text):
        text = text[: ref.start] + " " * (ref.end - ref.start) + text[ref.end :]
    return text
