"""What the columns of a list are called, in the languages that lists are kept in, and which field of a case each is.

A name decides first, its neighbors and values second. What is not recognized has no field: it becomes an attribute.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from curator.domain.list_names import ASKING, EVIDENCE, EVIDENCE_PARENTS, EXPECTING, JOINED, LISTS, META, NEVER, TABLE
from curator.domain.list_names import FIELDS as FIELDS

_DOT = re.compile(r"\.(?=\S)")
"""Between two keys of a path; "Nr." and "Lfd. Nr." are names."""
_WORDED = ("turns", "referenceAnswer", "evidence.quote")
_TALKS = frozenset(("turns", "messages", "conversation", "conversations", "dialogue", "dialog"))
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_UNIT = re.compile(r"[\s_\-–—./:?!*'\"()\[\]（）・]+")
_QUESTION_END = re.compile(r"[?？؟;]\s*[\"'”’)]*\s*$")


@lru_cache(maxsize=4096)
def key_of(name: str) -> str:
    """A name in the form in which names are compared: small, without accents, words joined by "_"."""
    text = (
        _CAMEL.sub("_", name.strip())
        .casefold()
        .replace("ß", "ss")
        .replace("(s)", "")
        .replace("(n)", "")
        .replace("(en)", "")
    )
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if not ("\u0300" <= c <= "\u036f"))
    return _UNIT.sub("_", unicodedata.normalize("NFC", plain)).strip("_") or name.strip()[:1]


def last_key(path: str) -> str:
    """The key that a path ends in: "question" of `cases[].inputs.question`, "Nr." of "Nr."."""
    return _DOT.split(path)[-1]


def parent_of(path: str) -> str:
    """The path without its last key, "" = it is one key."""
    return path[: -len(last_key(path)) - 1] if len(path) > len(last_key(path)) else ""


def _known(key: str) -> tuple[str, int] | None:
    found = TABLE.get(key)
    if found is None and key.rpartition("_")[2].isdecimal() and key.rpartition("_")[0] in TABLE:
        found = TABLE[key.rpartition("_")[0]]  # question_1, answer 2
    if found is None:  # Frage (Nutzer), Antwort soll, expected answer text
        for end in ("_text", "_string", "_list", "_value", "_en", "_de", "_fr", "_es", "_ko", "_name", "_s"):
            if key.endswith(end) and key.removesuffix(end) in TABLE:
                return TABLE[key.removesuffix(end)]
        if key.endswith("s") and key[:-1] in TABLE:
            return TABLE[key[:-1]]
    return found or JOINED.get(key.replace("_", ""))


@lru_cache(maxsize=8192)
def named(path: str) -> tuple[str, int]:
    """The field that a path names, and how surely, 0 first; ("", 0) = none.

    Args:
        path: Keys joined by dots; "[]" after the name of a list: `cases[].inputs.question`.
    """
    whole, parts = path, [key_of(p.removesuffix("[]")) for p in _DOT.split(path) if p] or [""]
    if "assert[type=" in whole or "assert[]" in whole:
        return _asserted(whole)
    last, above = parts[-1], parts[:-1]
    parent = above[-1] if above else ""
    if "actual" in parts or any((_known(p) or ("", 0))[0] == NEVER for p in parts):
        return NEVER, 0
    if "qas" in parts or "paragraphs" in parts:
        if last == "context":
            return "evidence.context", 0
        if last == "title":
            return "documents", 0
    if parent in EVIDENCE_PARENTS and last in EVIDENCE:
        return EVIDENCE[last], 0
    if last in ("answer_start", "start") and parent in ("answers", "answer", "evidence"):
        return "evidence.start", 0
    found = _known(last)
    if parent in ASKING or (len(above) > 1 and above[-2] in ASKING):
        if found and found[0] in ("turns", "history", "evidence.quote", "system", "documents"):
            return found
        return ("turns", 1) if last in ("text", "content") else ("", 0)
    if parent in EXPECTING or (parent in ("answer", "response") and len(above) > 1):
        if last in ("text", "content", "value", "summary", "message"):
            return "referenceAnswer", 0
        if last in ("sources", "source", "citations", "source_ids", "documents"):
            return "expectedSourceIds", 0
        if last == "contains":
            return "keyProvisions", 1
        if last == "status":
            return "expectedBehavior", 0
        return found if found and found[0] not in ("turns", "caseId") else ("", 0)
    if last in ("text", "content", "value") and (of := TABLE.get(parent, ("",))[0]) in _WORDED:
        return of, 0
    if parent in META and found and found[0] in ("turns", "caseId", "referenceAnswer", "evidence.quote"):
        return "", 0
    return found or ("", 0)


def _asserted(path: str) -> tuple[str, int]:
    """Assertions of promptfoo: what must be equal, what must occur, what must not, and a rubric in words."""
    kind = path.partition("[type=")[2].partition("]")[0]
    if kind in ("is-refusal", "not-is-refusal"):  # written as a truth without a value
        return "refused" if kind == "is-refusal" else "answered", 0
    if not kind or not path.endswith(".value"):
        return "", 0
    if kind.startswith("not-"):
        return ("mustNotClaim", 0) if "contains" in kind or "equals" in kind or "regex" in kind else ("", 0)
    if kind in ("similar", "equals", "factuality", "answer-similarity", "rouge-n", "bleu", "levenshtein"):
        return "referenceAnswer", 0
    if kind in (
        "contains",
        "icontains",
        "contains-any",
        "icontains-any",
        "contains-all",
        "icontains-all",
        "starts-with",
    ):
        return "keyProvisions", 1
    return ("rubric", 0) if kind in ("llm-rubric", "g-eval", "model-graded-closedqa") else ("", 0)


def field_of_name(name: str) -> str:
    """The field that a column's name alone names, "" = none."""
    return (
        named(name)[0] if name and len(name) < 80 and "." not in name.strip(".") else (_known(key_of(name)) or ("",))[0]
    )


def is_list_name(key: str) -> bool:
    """Whether a list of this name is likely to be a list of cases."""
    return key in LISTS or TABLE.get(key, ("",))[0] == "turns"


def is_question_text(text: str) -> bool:
    """Whether a text ends as a question does."""
    return (
        len(text) < 4000
        and bool(_QUESTION_END.search(text))
        and any(c.isalpha() for c in text)
        and not text.rstrip().endswith(";")
    )


def asks(value: Any) -> bool:
    """Whether an object has a question: a key that names one, at most three levels down."""
    return isinstance(value, Mapping) and _asks(value, "", 0)


def _asks(value: Mapping[str, Any], prefix: str, depth: int) -> bool:
    for key, inner in value.items():
        path = f"{prefix}{key}"
        if isinstance(inner, Mapping) and inner:
            if depth < 3 and key_of(str(key)) not in META and _asks(inner, f"{path}.", depth + 1):
                return True
        elif named(path)[0] == "turns" and (isinstance(inner, str | list) or inner is None):
            some = [v for v in inner[:5] if isinstance(v, Mapping)] if isinstance(inner, list) else []
            if (
                key_of(str(key)) in _TALKS
                or any(map(_is_message, some))
                or not any(_asks(v, "", depth + 1) for v in some)
            ):
                return True  # a list of questions is no question
    return False


def _is_message(value: Mapping[str, Any]) -> bool:
    return bool({"role", "type", "from", "speaker", "sender", "author"} & {key_of(str(k)) for k in value})
