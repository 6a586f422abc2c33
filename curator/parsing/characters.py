"""The characters of a page: pdfium's own list of them, with box, baseline and style, as glyphs of the reading frame."""

from __future__ import annotations

import ctypes
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import Any

from curator.parsing.content import Glyph, PageContent, Style, Transform, Turned
from curator.parsing.rules import otherwise

MOST_GLYPHS = 200_000
FAR = 50_000.0
TOUCHING = 0.06
SAME_PLACE = 0.06  # of the font size: a glyph drawn twice for false bold
HYPHEN = "\u00ad"

LOOKED_AT, ENOUGH = 400, 3
TALL, LOW, WHOLE = 0.72, 0.53, 1.17  # heights of letters, and of the box of a whole font, in shares of the font size
_HEIGHTS = dict.fromkeys("ABDEFHIKLMNPRTXZ0123456789bdfhkl", TALL) | dict.fromkeys("acemnorsuvwxz", LOW)
_SPACES = frozenset((32, 13, 10, 9, 0xA0, 0x3000, *range(0x2000, 0x200B), 0x202F, 0x205F))
_BOLD = re.compile(r"bold|black|heavy|semi-?b|demi|[-,]bd\b|견고|굵은", re.IGNORECASE)
_ITALIC = re.compile(r"italic|oblique|[-,]it\b", re.IGNORECASE)
_ALEFS = frozenset("اأإآٱ")
_RENDER_INVISIBLE = 3
NUMBER, ADDRESS = ctypes.c_int, ctypes.c_void_p


@dataclass(slots=True)
class Mark:
    """A character in user space: its box, its origin, its style, the text object that draws it.

    `gap` = white space stands before it.
    """

    ch: str
    left: float
    bottom: float
    right: float
    top: float
    x: float
    y: float
    style: Style
    gap: bool
    piece: int


@dataclass(slots=True)
class _Piece:
    """A text object: its style, the address of its font, and whether it runs straight to the right in user space."""

    style: Style
    font: int
    straight: bool


def called(function: Any, result: Any, *arguments: Any) -> Callable[..., Any]:
    """A function of pdfium that takes plain addresses: asked ten thousand times a page, its types are what costs.

    Args:
        function: As pypdfium2 gives it.
        result: Its ctypes result.
        arguments: Its ctypes arguments; pointers are ADDRESS.
    """
    address = ctypes.cast(function, ctypes.c_void_p).value
    made: Callable[..., Any] = ctypes.PYFUNCTYPE(result, *arguments)(address)  # type: ignore[arg-type]
    return made


class Characters:
    """Reads the characters of one loaded text page.

    Args:
        text: A text page of pypdfium2.
        display: From user space to the page as it is shown.
    """

    def __init__(self, text: Any, display: Transform) -> None:
        import pypdfium2.raw as raw

        self._raw, self._handle, self._display = raw, text.raw, display
        self._page = ctypes.cast(text.raw, ADDRESS).value
        self._count = text.count_chars()
        self._fonts: dict[int, tuple[bool, bool]] = {}
        self._scales: dict[int, float] = {}
        self._styles: dict[tuple[float, bool, bool, int, bool, bool], Style] = {}
        self._pieces: dict[int, _Piece] = {}
        self._matrix = raw.FS_MATRIX()
        self._channels = (ctypes.c_uint * 4)()
        at = ctypes.addressof(self._channels)
        self._channels_at = at, at + 4, at + 8, at + 12
        self._matrix_of = called(raw.FPDFText_GetMatrix, NUMBER, ADDRESS, NUMBER, ADDRESS)
        self._size_of = called(raw.FPDFText_GetFontSize, ctypes.c_double, ADDRESS, NUMBER)
        self._color_of = called(raw.FPDFText_GetFillColor, NUMBER, ADDRESS, NUMBER, *[ADDRESS] * 4)
        self._font_of = called(raw.FPDFTextObj_GetFont, ADDRESS, ADDRESS)
        self._mode_of = called(raw.FPDFTextObj_GetTextRenderMode, NUMBER, ADDRESS)
        self.cut = self._count > MOST_GLYPHS
        self.unmapped = 0

    def read(self) -> list[Mark]:
        """Every character in the order of the content stream, white space left out."""
        raw, handle, page = self._raw, self._handle, self._page
        unicode_of = called(raw.FPDFText_GetUnicode, ctypes.c_uint, ADDRESS, NUMBER)
        object_of = called(raw.FPDFText_GetTextObject, ADDRESS, ADDRESS, NUMBER)
        box_of = called(raw.FPDFText_GetLooseCharBox, NUMBER, ADDRESS, NUMBER, ADDRESS)
        origin_of = called(raw.FPDFText_GetCharOrigin, NUMBER, ADDRESS, NUMBER, ADDRESS, ADDRESS)
        generated = called(raw.FPDFText_IsGenerated, NUMBER, ADDRESS, NUMBER)
        box, origin = (ctypes.c_float * 4)(), (ctypes.c_double * 2)()
        box_at, x_at = ctypes.addressof(box), ctypes.addressof(origin)
        y_at = x_at + ctypes.sizeof(ctypes.c_double)
        marks: list[Mark] = []
        mapped: dict[tuple[int, int], bool] = {}
        letters: list[Mark] = []
        box_before = 0.0, 0.0, 0.0, 0.0
        piece: _Piece | None = None
        gap, made, current, known, base, high = False, False, None, 0, 0.0, 0
        for i in range(min(self._count, MOST_GLYPHS)):
            code = unicode_of(page, i)
            if code in _SPACES:
                gap = True
                made = code == 32 and generated(page, i) == 1
                continue
            if 0xD800 <= code < 0xDC00 and 0xDC00 <= unicode_of(page, i + 1) < 0xE000:
                high = code
                continue
            if 0xDC00 <= code < 0xE000 and high:
                code = 0x10000 + ((high - 0xD800) << 10) + code - 0xDC00
            high, ch = 0, chr(code)
            if code in (2, 0xAD):  # at the end of a line a hyphen, anywhere else an invisible hint
                ch = HYPHEN if raw.FPDFText_IsHyphen(handle, i) == 1 else "" if code == 0xAD else ch
            drawn = object_of(page, i)
            if drawn and drawn != current:
                current, known = drawn, 0
                piece = self._pieces.get(drawn) or self._piece(i, drawn)
            if piece is None or not ch or not box_of(page, i, box_at):
                continue
            left, top, right, bottom = box
            x = left
            if known < 2 or not piece.straight or not drawn:
                if not origin_of(page, i, x_at, y_at):
                    continue
                # all characters of one straight piece of text stand on one baseline: the first two say where
                x, y = origin
                known = known + 1 if drawn and (not known or y == base) else 0
                base = y
            if gap and made and marks and _touches(marks[-1], left, base, piece.style.size):
                gap = False  # pdfium puts a space where the baseline changes, seen or not
            made = False
            marks.append(Mark(ch, left, bottom, right, top, x, base, piece.style, gap, current or 0))
            if piece.straight and drawn and current == drawn and box_before == (left, top, right, bottom):
                letters.append(marks[-1])
            else:
                if len(letters) > 1:
                    _share(letters)
                letters = [marks[-1]]
            box_before = left, top, right, bottom
            key = (piece.font, code)
            if key not in mapped:
                mapped[key] = raw.FPDFText_HasUnicodeMapError(handle, i) == 1
            self.unmapped += mapped[key]
            gap = False
        if len(letters) > 1:
            _share(letters)
        return marks

    def _piece(self, i: int, drawn: int) -> _Piece:
        """What is known of the piece of text that the character with this index belongs to."""
        m, page = self._matrix, self._page
        self._matrix_of(page, i, ctypes.addressof(m))
        font = self._font_of(drawn) or 0
        bold, italic = self._fonts.get(font) or self._font(i, font)
        size = self._size_of(page, i) * math.hypot(m.c, m.d) * self._scales.get(font, 1.0)
        d = self._display
        dx, dy = m.a * d[0] + m.b * d[2], m.a * d[1] + m.b * d[3]
        turn = round(math.degrees(math.atan2(dy, dx)) / 90) % 4 * 90 if math.isfinite(dx + dy) else 0
        white = unseen = False
        if self._color_of(page, i, *self._channels_at):
            red, green, blue, alpha = self._channels
            white, unseen = min(red, green, blue) >= 245, alpha <= 8
        unseen = unseen or self._mode_of(drawn) == _RENDER_INVISIBLE or abs(size) < 1.6
        size = min(max(abs(size), 0.1), 2000.0) if math.isfinite(size) else 1.0
        key = (size, bold, italic, turn, unseen, white)
        style = self._styles.get(key)
        if style is None:
            style = self._styles[key] = Style(*key)
        piece = self._pieces[drawn] = _Piece(style, font, m.b == 0)
        return piece

    def _font(self, i: int, font: int) -> tuple[bool, bool]:
        """Whether the font of a character is bold and whether it is slanted."""
        name, flags = ctypes.create_string_buffer(128), ctypes.c_int()
        self._raw.FPDFText_GetFontInfo(self._handle, i, name, 128, flags)
        called = name.value.decode("utf-8", "replace")
        heavy = self._raw.FPDFText_GetFontWeight(self._handle, i) >= 600 or bool(flags.value & 0x40000)
        found = bool(_BOLD.search(called)) or heavy, bool(_ITALIC.search(called))
        if font and not called:
            self._scales[font] = self._scale(i, font)
        if font:
            self._fonts[font] = found
        return found

    def _scale(self, first: int, font: int) -> float:
        """By how much the glyphs of a font without a name are larger than its size says; 1 where they fit.

        Those of Type 3 fonts are drawn in units of their own, so that "size 1" may be ten points: the height of
        capitals and digits tells.
        """
        raw, handle = self._raw, self._handle
        object_of = called(raw.FPDFText_GetTextObject, ADDRESS, ADDRESS, NUMBER)
        left, right, bottom, top = (ctypes.c_double() for _ in range(4))
        matrix = raw.FS_MATRIX()
        heights: dict[float, list[float]] = {TALL: [], LOW: []}
        for i in range(first, min(first + LOOKED_AT, self._count)):
            share = _HEIGHTS.get(chr(raw.FPDFText_GetUnicode(handle, i)))
            drawn = object_of(self._page, i) if share else None
            if not share or not drawn or self._font_of(drawn) != font:
                continue
            raw.FPDFText_GetMatrix(handle, i, matrix)
            size = raw.FPDFText_GetFontSize(handle, i) * math.hypot(matrix.c, matrix.d)
            if size and raw.FPDFText_GetCharBox(handle, i, left, right, bottom, top):
                sideways = abs(matrix.b) > abs(matrix.a)
                height = right.value - left.value if sideways else top.value - bottom.value
                heights[share].append(height / size)
        tall, low = heights[TALL], heights[LOW]
        if tall and low and median(low) > 0.95 * median(tall):
            found = [height / WHOLE for height in tall + low]  # every glyph has the box of the font
        else:
            found = [height / share for share, some in heights.items() for height in some]
        ratio = median(found) if len(found) >= ENOUGH else 1.0
        if 0.7 < ratio < 1.4 or not 0.001 < ratio < 100_000:
            return 1.0
        otherwise()
        return ratio


def _touches(before: Mark, left: float, base: float, size: float) -> bool:
    """Whether a character begins where the one before it ends, on another baseline of the same line."""
    near = abs(left - before.right) < TOUCHING * size
    return near and 0.02 * size < abs(base - before.y) < 0.5 * max(size, before.style.size)


def _share(letters: list[Mark]) -> None:
    """Letters of one glyph, a ligature, get a part of its box each; of lam-alef pdfium gives the letters swapped."""
    left, right = letters[0].left, letters[0].right
    if len(letters) == 2 and letters[0].ch in _ALEFS and letters[1].ch == "ل":
        letters[0].ch, letters[1].ch = letters[1].ch, letters[0].ch
    ordered = letters[::-1] if "\u0590" <= letters[0].ch <= "\ufefc" and letters[0].ch < "\u0900" else letters
    step = (right - left) / len(letters)
    for n, letter in enumerate(ordered):
        letter.left, letter.right = left + n * step, left + (n + 1) * step


def place(marks: list[Mark], display: Transform, main: int, content: PageContent) -> None:
    """Adds the marks to the content as glyphs; one drawn twice at one place (false bold) counts once.

    Args:
        marks: As they were read.
        display: From user space to the reading frame.
        main: Direction of most of the text, clockwise in degrees.
        content: A page of which the width and the height are known.
    """
    a, b, c, d, e, f = display
    glyphs, width, height = content.glyphs, content.width + 2, content.height + 2
    seen: dict[tuple[str, int, int], tuple[float, float, int]] = {}
    for mark in marks:
        style = mark.style
        x0, x1 = mark.left * a + mark.bottom * c + e, mark.right * a + mark.top * c + e
        y = mark.x * b + mark.y * d + f
        if not -FAR < x0 < FAR or not -FAR < x1 < FAR or not -FAR < y < FAR:
            continue
        size = style.size
        if not (-2 < (x0 + x1) / 2 < width and -2 < y - 0.3 * size < height):
            content.outside += 1
        if style.turn != main:
            ends = mark.left * b + mark.bottom * d + f, mark.right * b + mark.top * d + f
            base = mark.x * a + mark.y * c + e, y
            content.turned.append(_turned(mark, ((x0, ends[0]), (x1, ends[1])), base, (style.turn - main) % 360))
            continue
        if x0 > x1:
            x0, x1 = x1, x0
        cell = (mark.ch, int(x0 / 4), int(y / 4))
        near = seen.get(cell)
        here = near and abs(near[0] - x0) < SAME_PLACE * size and abs(near[1] - y) < SAME_PLACE * size
        if near and here and near[2] != mark.piece:  # of one text object they would be letters of a ligature
            continue
        seen[cell] = (x0, y, mark.piece)
        glyphs.append(Glyph(mark.ch, x0, x1, y, style, mark.gap))


def _turned(mark: Mark, corners: Any, origin: tuple[float, float], turn: int) -> Turned:
    """A glyph that reads downward (90), upside down (180) or upward (270)."""
    (xa, ya), (xb, yb) = corners
    low, high, base = {
        90: (min(ya, yb), max(ya, yb), -origin[0]),
        180: (-max(xa, xb), -min(xa, xb), -origin[1]),
    }.get(turn, (-max(ya, yb), -min(ya, yb), origin[0]))
    return Turned(Glyph(mark.ch, low, high, base, mark.style, mark.gap), (xa + xb) / 2, (ya + yb) / 2)
