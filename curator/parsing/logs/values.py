"""Single values of a log: times, feedback, contexts in a cell, and what is no question or no answer."""

from __future__ import annotations

import ast
import datetime
import html
import json
import re
from typing import Any

from curator.parsing.logs.record import LogContext

UNREADABLE = object()
"""Stands for a value that cannot be read: bytes that are no text."""
_EPOCH = re.compile(r"\d{9,10}(?:\.\d+)?|\d{13}|\d{16}|\d{19}")
_DAY_FIRST = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})(?:,?[ T]+(\d{1,2}:\d{2}(?::\d{2})?))?")
_SLASHED = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})(?:,?[ T]+(\d{1,2}:\d{2}(?::\d{2})?))?(?:\s?([AaPp][Mm]))?")
_ISO = re.compile(
    r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[ T](\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?)\s?(Z|UTC|GMT|[+-]\d{2}:?\d{2})?)?"
)


def told_time(value: object) -> tuple[str, bool]:
    """A time as ISO text, and whether it was understood; what is ambiguous or odd stays as it is.

    With a zone it is given in UTC with Z; without one, as the clock showed it. Epochs in s, ms, us and ns are read.
    """
    text = str(value).strip() if value is not None and not isinstance(value, bool) else ""
    if not text:
        return "", True
    if _EPOCH.fullmatch(text):
        return _epoch(text)
    if m := _ISO.fullmatch(text):
        return _built(text, m[1], m[2], m[3], m[4], m[5])
    if m := _DAY_FIRST.fullmatch(text):
        return _built(text, m[3], m[2], m[1], m[4], None)
    if m := _SLASHED.fullmatch(text):
        first, second = int(m[1]), int(m[2])
        if m[5] or (first <= 12 and second <= 12 and first != second):
            return text, False  # day and month cannot be told apart
        day, month = (first, second) if first > 12 else (second, first)
        return _built(text, m[3], str(month), str(day), m[4], None)
    return text, False


def _epoch(text: str) -> tuple[str, bool]:
    number = float(text)
    for power in (0, 3, 6, 9):
        seconds = number / 10**power
        if 3e8 < seconds < 4.2e9:
            moment = datetime.datetime.fromtimestamp(int(seconds), datetime.UTC)
            return moment.strftime("%Y-%m-%dT%H:%M:%SZ"), True
    return text, False


def _built(text: str, year: str, month: str, day: str, clock: str | None, zone: str | None) -> tuple[str, bool]:
    try:
        date = datetime.date(int(year), int(month), int(day))
        if not 1980 <= date.year <= 2100:
            return text, False
        if clock is None:
            return date.isoformat(), True
        hours, minutes, *rest = clock.split(":")
        seconds = int(re.split("[.,]", rest[0])[0]) if rest else 0
        moment = datetime.datetime(date.year, date.month, date.day, int(hours), int(minutes), min(seconds, 59))  # noqa: DTZ001
        if not zone:
            return moment.isoformat(timespec="seconds" if rest else "minutes"), True
        if zone[0] in "+-":
            sign, digits = (1 if zone[0] == "+" else -1), zone[1:].replace(":", "")
            moment -= sign * datetime.timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
        return moment.isoformat(timespec="seconds") + "Z", True
    except (ValueError, OverflowError):
        return text, False


_GOOD = frozenset(
    "good positive up like liked thumbs_up thumbsup 👍 yes helpful satisfied correct true ok gut bueno bien 좋아요 긍정 好".split()
)
_BAD = frozenset(
    "bad negative down dislike disliked thumbs_down thumbsdown 👎 no unhelpful dissatisfied incorrect wrong false schlecht malo mauvais 싫어요 부정 差".split()
)


def told_feedback(value: object, *, most: float = 0) -> int | None:
    """Feedback as -1, 0, 1; None when nobody said anything.

    Args:
        value: A word, a thumb, a truth, or a number with a point or a comma.
        most: The most that the scale gives; above 1 it is 1 to 5 (or 1 to 10), else 0 to 1 or -1 to 1.
    """
    if value is None or value == "":
        return None
    if isinstance(value, bool):
        return 1 if value else -1
    if isinstance(value, str):
        word = value.strip().casefold().replace(" ", "_").replace("\ufe0f", "")
        if word in _GOOD:
            return 1
        if word in _BAD:
            return -1
        if word in ("neutral", "neutral.", "mixed", "😐"):
            return 0
        try:
            value = float(word.replace(",", "."))
        except ValueError:
            return None
    if not isinstance(value, int | float):
        return None
    if most > 5:
        value = float(value) / 2
    if most > 1 or value > 1:
        return 1 if value > 3 else 0 if value == 3 else -1
    return 1 if value > 0.5 else 0 if value == 0.5 else -1


_TITLE_LINK = re.compile(r"-?\s*(.{1,200}?)\s*\((https?://[^\s)]+)\)\s*$", re.S)
_TEXT_KEYS = (
    "text",
    "content",
    "page_content",
    "passage",
    "chunk",
    "chunk_text",
    "document_content",
    "body",
    "snippet",
    "value",
)
_SOURCE_KEYS = (
    "source",
    "document",
    "doc",
    "document_id",
    "doc_id",
    "file",
    "filename",
    "file_name",
    "url",
    "id",
    "chunk_id",
    "title",
    "name",
)
_PAGE_KEYS = ("page", "page_number", "pageNumber", "page_label")
_SCORE_KEYS = ("score", "similarity", "relevance_score", "distance", "rerank_score")


def context_of(value: Any) -> LogContext | None:
    """One retrieved text out of a string or an object; None when it holds none."""
    if isinstance(value, str):
        if not value.strip():
            return None
        if m := _TITLE_LINK.fullmatch(value.strip()):
            return LogContext(value.strip(), m[1].strip())
        return LogContext(value)
    if isinstance(value, dict):
        inner = value.get("document")
        if isinstance(inner, dict):
            value = {**value, **inner}
        meta = value.get("metadata") or value.get("meta") or {}
        meta = meta if isinstance(meta, dict) else {}
        text = _first(value, _TEXT_KEYS)
        source = _first({**meta, **{k: v for k, v in value.items() if k not in _TEXT_KEYS}}, _SOURCE_KEYS)
        if not text and not source:
            return None
        return LogContext(text, source, _first({**meta, **value}, _PAGE_KEYS), _first({**meta, **value}, _SCORE_KEYS))
    return None


def _first(value: dict[str, Any], keys: tuple[str, ...]) -> str:
    for key in keys:
        found = value.get(key)
        if isinstance(found, str) and found.strip():
            return found
        if isinstance(found, int | float) and not isinstance(found, bool):
            return str(found)
    return ""


class BadCell(ValueError):
    """A cell that cannot be read; the message says why, without its text."""


def contexts_of_list(values: Any) -> list[LogContext]:
    """Retrieved texts of a decoded list, object or string."""
    items = values if isinstance(values, list | tuple) else [values]
    return [c for v in items if (c := context_of(v)) is not None]


def contexts_of_cell(cell: str) -> list[LogContext]:
    """Retrieved texts of a cell: a JSON list, a Python list, or one text.

    Raises:
        BadCell: It begins like a list and cannot be read as one.
    """
    text = cell.strip()
    if not text or text in ("[]", "{}"):
        return []
    if text[0] not in "[{":
        return contexts_of_list(text)
    try:
        return contexts_of_list(json.loads(text, strict=False))
    except RecursionError:
        raise BadCell("nested too deep") from None
    except ValueError:
        pass
    decoded = literal(text)
    if decoded is None:
        if len(cell) >= 32_000:
            raise BadCell("the list is cut off: spreadsheets cut a cell at 32,767 characters")
        if re.match(r"\[\s*(?:[\"'{\[-]|\d|None|nan|True|False).*\]$|\[\s*[\"'{]|\{\s*[\"']", text, re.S):
            raise BadCell("the list cannot be read as JSON or Python")
        return contexts_of_list(text)
    return contexts_of_list(decoded)


def literal(text: str) -> Any:
    """A Python literal, read without running anything; None when it is none or too large."""
    if len(text) > 4_000_000:
        return None
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return None


_SMALL_TALK = re.compile(
    r"(?:ok(?:ay)?|thanks?(?: you)?(?: (?:so|very) much| a lot)?|thx|hi|hello|hey|good (?:morning|day|evening)|bye|goodbye|great|cool|perfect"
    r"|yes|no|got it|danke(?: schön)?|hallo|merci|bonjour|gracias|hola|감사합니다|안녕하세요|네|谢谢|你好|ありがとう|test)"
    r"(?:[ ,]+(?:ok|thanks?|you|thank you|danke|bye))*[\s.!,😊👍]*",
    re.I,
)
_ERROR_ANSWER = re.compile(
    r"(?:(?:error|exception|traceback|http (?:4|5)\d\d|timeout(?:error)?|internal server error|service unavailable|rate limit)\b.*"
    r"|(?:sorry|i'?m sorry|oops|lo siento|désolé|leider|죄송).{0,60}(?:error|went wrong|try again|fehler|erreur|오류|timed? ?out).*)",
    re.I | re.S,
)


def flags_of(question: str, answer: str) -> list[str]:
    """What a person should know of a record: no question in it, or an error text for an answer."""
    found = []
    if len(question) < 60 and _SMALL_TALK.fullmatch(question.strip()):
        found.append("small-talk")
    if answer and len(answer) < 400 and _ERROR_ANSWER.fullmatch(answer.strip()):
        found.append("error-answer")
    return found


_BLOCK = re.compile(r"(?i)<\s*(?:br|/p|/div|/li|/tr|/h[1-6]|/ul|/ol)\b[^>]*>")
_ITEM = re.compile(r"(?i)<\s*li\b[^>]*>")
_DROPPED = re.compile(r"(?is)<(script|style)\b[^>]*>.*?</\1\s*>")
_TAG = re.compile(r"<[/!]?[A-Za-z][^>]*>|<!--.*?-->", re.S)


def html_text(text: str) -> str:
    """The text of a piece of HTML: blocks on lines of their own, entities read, tags gone."""
    if "<" not in text and "&" not in text:
        return text.strip()
    text = _DROPPED.sub("", text)
    text = _ITEM.sub("- ", _BLOCK.sub("\n", text))
    plain = html.unescape(_TAG.sub("", text)).replace("\xa0", " ")
    return re.sub(r"[ \t]*\n\s*", "\n", plain).strip()
