"""The language of a document by its script and its commonest small words."""

from __future__ import annotations

import re
from collections import Counter

from curator.parsing.rules import otherwise

_STOP = {
    "en": {"the", "of", "and", "to", "in", "for", "is", "shall", "be", "with", "by", "or", "that", "on", "not"},
    "de": {"der", "die", "und", "das", "den", "von", "ist", "mit", "nicht", "des", "zu", "für", "im", "auf", "werden"},
    "fr": {"le", "la", "les", "des", "et", "est", "une", "du", "dans", "pour", "que", "qui", "sur", "par", "au"},
    "es": {"el", "los", "las", "y", "en", "que", "una", "por", "con", "para", "del", "se", "al", "su", "como"},
    "it": {"il", "di", "che", "per", "una", "con", "del", "della", "non", "sono", "alla", "nel", "gli", "dei", "anche"},
}  # fmt: skip
_ALPHABETS = (
    ("hebrew", "\u0590", "\u05ff"), ("arabic", "\u0600", "\u08ff"), ("greek", "\u0370", "\u03ff"),
    ("cyrillic", "\u0400", "\u04ff"),
)  # fmt: skip
ENOUGH = 40


def guess_language(text: str) -> str:
    """ISO 639-1 code: ko, ja, zh, he, ar, fa, el, ru, en, de, fr, es, it; "" when too little or nothing fits.

    Args:
        text: Some pages of the document; a few thousand characters are enough.
    """
    kinds: Counter[str] = Counter()
    for ch in text[:20_000]:
        if "\uac00" <= ch <= "\ud7a3":
            kinds["hangul"] += 1
        elif "\u3041" <= ch <= "\u30ff":
            kinds["kana"] += 1
        elif "\u3400" <= ch <= "\u9fff":
            kinds["han"] += 1
        elif ch.isalpha():
            kinds[_alphabet(ch) if ch > "\u024f" else "latin"] += 1
    letters = sum(kinds.values())
    if letters < ENOUGH:
        return ""
    east = kinds["hangul"] + kinds["kana"] + kinds["han"]
    if 3 * east > letters:
        if kinds["hangul"] >= kinds["kana"] + kinds["han"]:
            return "ko"
        return "ja" if 10 * kinds["kana"] > kinds["han"] else "zh"
    if 2 * kinds["latin"] < letters:
        return _by_alphabet(text, kinds, letters)
    words = Counter(re.findall(r"[^\W\d_]+", text[:20_000].lower()))
    total = max(1, sum(words.values()))
    scores = {code: sum(words[w] for w in stop) / total for code, stop in _STOP.items()}
    best = max(scores, key=lambda code: scores[code])
    return best if scores[best] >= 0.08 else ""


def _alphabet(ch: str) -> str:
    return next((name for name, first, last in _ALPHABETS if first <= ch <= last), "other")


def _by_alphabet(text: str, kinds: Counter[str], letters: int) -> str:
    """The language that an alphabet is mostly used for, where its own letters say so."""
    found, most = kinds.most_common(1)[0]
    if 2 * most < letters or found == "other":
        return ""
    code = {"hebrew": "he", "greek": "el"}.get(found, "")
    if found == "arabic":
        code = "fa" if 100 * sum(ch in "پچژگی" for ch in text) > letters else "ar"
    elif found == "cyrillic" and 200 * sum(ch in "ыэё" for ch in text.lower()) > letters:
        code = "ru"
    if code:
        otherwise()
    return code
