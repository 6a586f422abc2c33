"""Text from outside: cleaned once at the door, made visible at the edge.

Everything that comes from a file is data. `clean()` is called before offsets are counted; `visible()` is the only
way by which such text reaches a terminal, and it replaces character by character, so offsets stay valid.
"""

from __future__ import annotations

import re
import unicodedata

REPLACEMENT = "\ufffd"

# NUL, surrogates that pair with nothing, and the 66 noncharacters: PostgreSQL refuses the first, UTF-8 the second.
_UNSTORABLE = re.compile(
    "[\x00\ud800-\udfff\ufdd0-\ufdef" + "".join(chr(p * 0x10000 + c) for p in range(17) for c in (0xFFFE, 0xFFFF)) + "]"
)
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")

_BIDI = {
    "\u061c": "⟦", "\u200e": "›", "\u200f": "‹", "\u202a": "»", "\u202b": "«", "\u202c": "¤", "\u202d": "»",
    "\u202e": "«", "\u2066": "»", "\u2067": "«", "\u2068": "¤", "\u2069": "¤",
}  # fmt: skip


def _glyphs() -> dict[int, str]:
    """One visible glyph for each character that a terminal would obey, or that nobody would see."""
    table = {c: chr(0x2400 + c) for c in range(0x20)}
    table[0x7F] = "␡"
    table.update(dict.fromkeys(range(0x80, 0xA0), "�"))
    table.update({ord(k): v for k, v in _BIDI.items()})
    table.update(dict.fromkeys((0x00AD, 0x180E, 0x200B, *range(0x2060, 0x2066), *range(0x206A, 0x2070), 0xFEFF), "·"))
    table.update(dict.fromkeys((0x2028, 0x2029), "␤"))
    table.update(dict.fromkeys(range(0xD800, 0xE000), "�"))
    table.update(dict.fromkeys((*range(0xFDD0, 0xFDF0), *range(0xFFF9, 0xFFFC), 0xFFFE, 0xFFFF), "�"))
    table.update(dict.fromkeys(range(0xE0000, 0xE0080), "�"))
    return table


_VISIBLE = _glyphs()
_VISIBLE_LINES = {k: v for k, v in _VISIBLE.items() if k != 0x0A}


def visible(text: str, *, lines: bool = False) -> str:
    """Make untrusted text safe to show, one glyph for each character.

    Controls (ESC, C1, NUL, DEL ...), bidirectional and invisible characters become a visible glyph; the result has the
    same length, so spans over the text fit both. Joiners (U+200C, U+200D) stay: scripts and emoji need them.

    Args:
        text: Anything that came from a file, a log or a clipboard.
        lines: Keep line feeds; without it a line feed is shown as a glyph too.
    """
    return text.translate(_VISIBLE_LINES if lines else _VISIBLE)


def one_line(text: str, width: int = 0) -> str:
    """Visible text on one line, white space folded; cut with an ellipsis when longer than width (0: never)."""
    flat = visible(" ".join(text.split()))
    return flat if not width or len(flat) <= width else flat[: max(0, width - 1)] + "…"


def counted(count: int, one: str, many: str = "") -> str:
    """A number with what is counted, in the form that goes with it: "1 case", "2 cases".

    Args:
        count: How many.
        one: What stands behind a one: "case", "case waits".
        many: What stands behind any other number; "" = `one` with an s.
    """
    return f"{count} {one if count == 1 else many or one + 's'}"


def clean(text: str) -> tuple[str, int]:
    """Text that every database and file can hold, and how many characters had to be replaced by U+FFFD.

    Surrogate pairs are joined first; NUL, lone surrogates and noncharacters are replaced. Called before any offset
    into the text is counted.
    """
    if text.isascii():
        return text.replace("\x00", REPLACEMENT), text.count("\x00")
    paired = _PAIR.sub(lambda m: m[0].encode("utf-16", "surrogatepass").decode("utf-16"), text)
    return _UNSTORABLE.subn(REPLACEMENT, paired)


def is_clean(text: str) -> bool:
    """Whether `clean` would leave it as it is."""
    return "\x00" not in text if text.isascii() else not _UNSTORABLE.search(text)


def nfc(text: str) -> str:
    """Canonical composition: the form of everything that is stored, but for quotes and cells."""
    return unicodedata.normalize("NFC", text)


_BETWEEN_LETTERS = re.compile(r"[-\u2010](?<=[^\W\d_].)(?=[^\W\d_])")


def folded(text: str) -> str:
    """The form in which two copies of a text are compared: compatibility forms folded, no white space, no case.

    Hyphens between letters and soft hyphens are dropped, broken line or not, so that a new line break does not make
    another text; a hyphen beside a digit stays ("COVID-19", "-5").
    """
    if text.isascii():  # the same in a fifth of the time
        plain = "".join(text.split()).lower()
        return _BETWEEN_LETTERS.sub("", plain) if "-" in plain else plain
    shown = unicodedata.normalize("NFKC", text.replace("\u00ad", "").replace("\ufffe", ""))
    solid = re.sub(r"\s+", "", shown).casefold()
    return unicodedata.normalize("NFKC", _BETWEEN_LETTERS.sub("", solid))


_DIVIDED = re.compile(r"(?<=[^\W\d_])[-\u2010]\n(?=[^\W\d_A-Z])")


def undivided(text: str) -> str:
    """The text with every word whole that the end of a line divides: "10 mil-" and "lion"."""
    return _DIVIDED.sub("", text)
