"""Names that last: slugs, source ids, case ids.

A source id is `container:key` (container: the document, or the document and a table). It is minted once, readable,
NFC and case-folded, of letters (with their marks), digits and `._-` of any script, one colon, at most 120 characters.
A case id is a domain slug, a dash and six Crockford base32 characters; it says nothing about the content.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable, Collection

CROCKFORD = "0123456789abcdefghjkmnpqrstvwxyz"
SOURCE_ID_LENGTH = 120
_COUNT_LENGTH = 8  # the colon, and room for "-2" up to "-999999"
CASE_ID = re.compile(r"[a-z][a-z0-9-]{0,40}-[0-9a-hjkmnp-tv-z]{6}")


def sha256(data: bytes) -> str:
    """Hexadecimal SHA-256."""
    return hashlib.sha256(data).hexdigest()


def _allowed(ch: str) -> bool:
    return ch in "._-" or unicodedata.category(ch)[0] in "LM" or unicodedata.category(ch) == "Nd"


def fold_id(text: str) -> str:
    """NFC and case-folded, the form of every id."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


def slug(text: str, *, limit: int = 48, dots: bool = False, fallback: str = "x") -> str:
    """A readable name of letters, digits and dashes of any script, cut at a word; never empty.

    Args:
        text: Outside text; anything that an id may not hold becomes a dash.
        limit: Most characters.
        dots: Keep single dots ("5.3.1").
        fallback: What an empty result becomes.
    """
    folded = fold_id(unicodedata.normalize("NFKC", text))
    marks = ".-" if dots else "-"
    kept = "".join(ch if _allowed(ch) and (ch not in "._" or (dots and ch == ".")) else "-" for ch in folded)
    name = re.sub(r"-*\.[-.]*", ".", re.sub(r"-{2,}", "-", kept)).strip(marks)
    if len(name) > limit:
        cut = name[:limit]
        name = (cut.rsplit("-", 1)[0] if "-" in cut[limit // 2 :] else cut).strip(marks)
    return fold_id(name).strip(marks) or fallback


def source_id_error(text: str) -> str:
    """Why text is no source id, or ""."""
    if not 3 <= len(text) <= SOURCE_ID_LENGTH:
        return f"a source id has 3 to {SOURCE_ID_LENGTH} characters"
    if text != fold_id(text):
        return "a source id is NFC and lower case"
    container, colon, key = text.partition(":")
    if not colon or not container or not key or ":" in key:
        return "a source id has one colon between container and key"
    if bad := sorted({ch for ch in container + key if not _allowed(ch)}):
        return f"characters not allowed in a source id: {' '.join(map(ascii, bad))}"
    return ""


def mint(container: str, key: str, taken: Collection[str]) -> str:
    """`container:key`, with -2, -3 ... when that is taken; cut to the longest id allowed.

    Args:
        container: Slug of the document, with `.` and the table's slug for rows; cut when it leaves no room for a key.
        key: Slug of the source within it.
        taken: Ids and aliases that exist; minting never gives one of them.
    """
    container = container[: SOURCE_ID_LENGTH - 2 * _COUNT_LENGTH].rstrip(".-")
    room = SOURCE_ID_LENGTH - len(container) - _COUNT_LENGTH
    base = f"{container}:{key[:room].rstrip('.-') or 'x'}"
    name, count = base, 1
    while name in taken:
        count += 1
        name = f"{base}-{count}"
    return name


def case_id(domain: str, pick: Callable[[int], int], taken: Collection[str] = ()) -> str:
    """A new case id: slug of the domain (ASCII letters; else "case"), a dash, six random characters.

    Args:
        domain: Domain of the case; "" gives "case".
        pick: pick(n) gives a random number below n; passed in, so that the domain stays free of chance.
        taken: Ids that exist.
    """
    ascii_only = unicodedata.normalize("NFKD", domain).encode("ascii", "ignore").decode()
    head = re.sub(r"[^a-z0-9]+", "-", ascii_only.lower()).strip("-")[:40].strip("-")
    head = head if head[:1].isalpha() else "case"
    while True:
        name = f"{head}-{''.join(CROCKFORD[pick(32)] for _ in range(6))}"
        if name not in taken:
            return name
