"""Values of lists as they were written, and what they mean: numbers, truths, pages, lists inside text, languages."""

# ruff: noqa: E501, SIM905  tables of words are read more easily in long lines

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Iterable
from typing import Any, NamedTuple

from curator.text import nfc

MOST_PAGES = 2000
_LONGEST_LITERAL = 1_000_000
_NUMBER = re.compile(r"[-+]?(?:\d{1,400}(?:\.\d{1,400})?|\.\d{1,400})(?:[eE][-+]?\d{1,4})?")


class Number(str):
    """A number, as it was written."""

    __slots__ = ()


class Plain(str):
    """Text that was written without quotes in YAML: it may be meant as a truth, a date or a number."""

    __slots__ = ()


class Twice(tuple[Any, ...]):
    """The values of a key that stands several times, in their order."""

    __slots__ = ()

    @classmethod
    def of(cls, known: Any, value: Any) -> Twice:
        """One more value."""
        return cls((*known, value) if isinstance(known, Twice) else (known, value))


def is_number(text: str) -> bool:
    """Whether a text is written as a number."""
    return bool(_NUMBER.fullmatch(text))


def text_of(value: Any) -> str:
    """A value as text: truths as YAML and JSON write them, lists on lines, None as ""."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return nfc(str(value)).strip() if not value.isascii() else str(value).strip()
    if isinstance(value, Twice | list):
        return "\n".join(t for v in value if (t := text_of(v)))
    if isinstance(value, dict):
        return json.dumps(plain(value), ensure_ascii=False)
    return str(value).strip()


def plain(value: Any) -> Any:
    """The value as JSON writes it: numbers and plain text are strings."""
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [plain(v) for v in value]
    return str(value) if isinstance(value, str) else value


EMPTY = frozenset(
    ("", "[]", "{}", "-", "--", "—", "–", "n/a", "na", "n.a.", "none", "null", "nan", "nil", "#n/a", "k.a.", "k. a.", "entfällt", "keine",
     "tbd", "todo", "?", "없음", "해당없음", "无", "なし", "ninguno", "nenhum", "aucun")
)  # fmt: skip
"""Words that stand for nothing in a field that is no question and no answer."""


def is_empty(value: Any) -> bool:
    """Whether nothing is said: None, white space, an empty list, or a word for nothing."""
    if value is None:
        return True
    if isinstance(value, str):
        return value.strip().casefold() in EMPTY
    return isinstance(value, list | dict | tuple) and not value


_TRUE = frozenset("true yes y 1 on x ja j wahr oui vrai sí si sim verdadero verdadeiro vero waar tak da да 是 "
    "예 네 はい ✓ ✔ ☑ "
                  "必須 true() wahr() evet igen".split())  # fmt: skip
_FALSE = frozenset(
    "false no n 0 off nein falsch non faux não nao falso nee nie ne нет 否 아니오 아니요 いいえ ✗ ✘ ☐ hayır nem".split()
)


def truth(value: Any) -> bool | None:
    """A value as a truth, in the languages that lists are written in; None = it is none."""
    if isinstance(value, bool):
        return value
    if not isinstance(value, str):
        return None
    word = value.strip().casefold()
    if word in _TRUE or (is_number(word) and float(word) == 1):
        return True
    return False if word in _FALSE or (is_number(word) and float(word) == 0) else None


class Listed(NamedTuple):
    """What a value holds as a list; `problem` says why it is doubtful, "" = it is clear."""

    items: list[Any]
    problem: str = ""


_BARE_QUOTE = re.compile(r"^\s*\[.*\]\s*$", re.S)
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}.*)?")


def listed(value: Any, *, split: str = "") -> Listed:
    """A value as a list: a list, a list written as text (JSON or Python), or one text.

    Args:
        value: As it was written.
        split: Characters at which a text that is no list is split: "" = it is one entry.
    """
    if isinstance(value, Twice):
        return Listed([i for v in value for i in listed(v, split=split).items], "the key stands twice: both are taken")
    if isinstance(value, list):
        return Listed([v for v in value if v is not None])
    if value is None:
        return Listed([])
    if not isinstance(value, str):
        return Listed([value])
    text = value.strip()
    if text[:1] in "[{(" and text and len(text) <= _LONGEST_LITERAL:
        found = unpacked(text)
        if isinstance(found, list | dict):
            return Listed(found if isinstance(found, list) else [found])
        if text[0] == "[" and re.match(r"\[\s*['\"\[{]", text):
            return Listed([text], "looks like a list but does not parse, kept as one text")
    if split:
        parts = [p.strip() for p in re.split(f"[{re.escape(split)}]", text)]
        if len(kept := [p for p in parts if p]) > 1:
            return Listed(kept, f"is one text, split into {len(kept)}")
    return Listed([text] if text else [])


def unpacked(text: str) -> Any:
    """A list or object that is written as text, read without running anything; None when it is none."""
    try:
        found = json.loads(text, strict=False, parse_int=Number, parse_float=Number)
    except (ValueError, RecursionError):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", SyntaxWarning)  # of "1or 2": it is somebody's text
                found = ast.literal_eval(text)
        except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
            return None
    if isinstance(found, tuple | set):
        found = list(found)
    return found if isinstance(found, list | dict) else None


class Pages(NamedTuple):
    """Pages that a value names, and what is doubtful about them."""

    pages: tuple[int, ...]
    problem: str = ""


_RANGE = re.compile(r"(?<![\d.])(\d{1,6})\s*(?:[-–—−~]|\bbis\b|\bto\b|\ba\b)\s*(\d{1,6})(?![\d.])")
_ONE = re.compile(r"(?<![\d.,])\d{1,6}(?!\d)")


def pages(value: Any) -> Pages:
    """Pages from 1: 6, "13-14", "S. 12–13", "p. 2, pp. 7–9", [2, 3, 5]; a date is none, since sheets make dates of "3-5"."""
    if value is None or isinstance(value, bool) or is_empty(value):
        return Pages(())
    if isinstance(value, Number):
        return _numbers([str(value)], "is a single number: a page or a page count")
    if isinstance(value, list | Twice):
        items = [text_of(v) for v in value]
        if len(items) == 2 and all(i.isdecimal() for i in items) and int(items[1]) - int(items[0]) > 1:
            return Pages(_numbers(items).pages, "two numbers: two pages, or a range")
        return _numbers(items)
    text = text_of(value)
    if text[:1] == "[" and isinstance(found := unpacked(text), list):
        return pages(found)
    if _DATE.fullmatch(text):
        return Pages((), f"is a date ({text[:10]}): a sheet made it of a range such as 3-5; left empty, confirm it")
    return _numbers([text])


def _numbers(texts: Iterable[str], problem: str = "") -> Pages:
    found: list[int] = []
    for text in texts:
        if text.isdecimal() and text.isascii():
            found.append(int(text[:9]))
            continue
        rest = text
        for match in _RANGE.finditer(text):
            first, last = int(match[1]), int(match[2])
            if last < first and len(match[2]) < len(match[1]):  # 118-20
                last = int(match[1][: len(match[1]) - len(match[2])] + match[2])
            if first <= last and last - first <= MOST_PAGES:
                found += range(first, last + 1)
            else:
                problem = f"{match[0]} is no range of pages"
            rest = rest.replace(match[0], " ", 1)
        singles = [int(n) for n in _ONE.findall(rest)]
        found += singles
        if not (singles or rest != text) and text.strip():
            problem = f"{text[:20]!r} is not a number"
    kept = tuple(dict.fromkeys(p for p in found if 0 < p < 100_000))
    return Pages(tuple(sorted(kept)), problem)


LANGUAGES = {
    "english": "en", "englisch": "en", "anglais": "en", "inglés": "en", "inglês": "en", "영어": "en", "german": "de", "deutsch": "de",
    "french": "fr", "français": "fr", "französisch": "fr", "spanish": "es", "español": "es", "portuguese": "pt", "português": "pt",
    "italian": "it", "italiano": "it", "dutch": "nl", "nederlands": "nl", "korean": "ko", "한국어": "ko", "japanese": "ja", "日本語": "ja",
    "chinese": "zh", "中文": "zh", "arabic": "ar", "kannada": "kn", "hindi": "hi", "vietnamese": "vi", "polish": "pl", "russian": "ru",
    "croatian": "hr", "turkish": "tr", "swedish": "sv", "ukrainian": "uk",
}  # fmt: skip
_TAG = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*")


def language(text: str) -> str:
    """A language tag out of "de", "pt_BR" or "German"; "" when it names none."""
    word = text.strip().casefold()
    if word in LANGUAGES:
        return LANGUAGES[word]
    return text.strip().replace("_", "-") if _TAG.fullmatch(text.strip()) else ""
