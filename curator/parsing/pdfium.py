"""The one module that knows pypdfium2: a page as glyphs, ruling lines, filled boxes and images.

Everything is given in the *reading frame*: points, origin at the top left, y downward, /Rotate and the crop box
applied, and turned so that most of the text runs from left to right (`turn` says by how much, clockwise).
Nothing is rendered or decoded: no image, no attachment, no script.
"""

from __future__ import annotations

import ctypes
import math
import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

MOST_GLYPHS = 200_000
MOST_OBJECTS = 60_000
MOST_SEGMENTS = 100_000
DEPTH = 8
LEAST_DOWNWARD = 20
THIN = 3.0
FAR = 50_000.0

_BOLD = re.compile(r"bold|black|heavy|semi-?b|demi|[-,]bd\b|견고|굵은", re.IGNORECASE)
_ITALIC = re.compile(r"italic|oblique|[-,]it\b", re.IGNORECASE)
_HYPHEN = "\u00ad"
_RENDER_INVISIBLE = 3
_BOX = tuple[float, float, float, float]
_TRANSFORM = tuple[float, float, float, float, float, float]


class PasswordNeeded(Exception):
    """The file is encrypted and no password of ours opens it."""


class Unreadable(Exception):
    """pdfium does not take the file, or not this page of it."""


@dataclass(slots=True)
class Style:
    """What a run of glyphs shares: effective size in points, weight, slant, direction and whether it can be seen."""

    size: float
    bold: bool
    italic: bool
    turn: int
    unseen: bool
    white: bool


@dataclass(slots=True)
class Glyph:
    """One character: its left and right, its baseline, its style; `gap` = white space stands before it."""

    ch: str
    x0: float
    x1: float
    y: float
    style: Style
    gap: bool


@dataclass(slots=True)
class Turned:
    """A glyph that does not run from left to right: as it reads in its own direction, and where its middle lies."""

    glyph: Glyph
    x: float
    y: float


@dataclass(slots=True)
class Rule:
    """A drawn straight line along an axis: at = its coordinate across, start and end along it."""

    horizontal: bool
    at: float
    start: float
    end: float


@dataclass(slots=True)
class PageContent:
    """A page as pdfium sees it, in the reading frame.

    `unmapped` counts characters for which their font gives no meaning; `downward` says that the page is set in vertical
    lines from right to left: its frame is turned so that they run from left to right.
    """

    width: float
    height: float
    turn: int = 0
    glyphs: list[Glyph] = field(default_factory=list)
    turned: list[Turned] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)
    fills: list[tuple[float, float, float, float]] = field(default_factory=list)
    images: list[tuple[float, float, float, float]] = field(default_factory=list)
    text_objects: int = 0
    outside: int = 0
    unmapped: int = 0
    downward: bool = False
    cut: bool = False


def is_east(ch: str) -> bool:
    """Han, kana and hangul with their punctuation."""
    return (
        "\u3001" <= ch <= "\u9fff"
        or "\uac00" <= ch <= "\ud7a3"
        or "\ufe30" <= ch <= "\ufe4f"
        or "\uff01" <= ch <= "\uff60"
    )


def _times(a: _TRANSFORM, b: _TRANSFORM) -> _TRANSFORM:
    """First a, then b."""
    return (
        a[0] * b[0] + a[1] * b[2],
        a[0] * b[1] + a[1] * b[3],
        a[2] * b[0] + a[3] * b[2],
        a[2] * b[1] + a[3] * b[3],
        a[4] * b[0] + a[5] * b[2] + b[4],
        a[4] * b[1] + a[5] * b[3] + b[5],
    )


def turned_frame(matrix: _TRANSFORM, width: float, height: float, turn: int) -> tuple[_TRANSFORM, float, float]:
    """A display matrix followed by a turn of the page, clockwise in degrees, with the new width and height."""
    turns: dict[int, _TRANSFORM] = {
        90: (0, 1, -1, 0, height, 0),
        180: (-1, 0, 0, -1, width, height),
        270: (0, -1, 1, 0, 0, width),
    }
    if turn not in turns:
        return matrix, width, height
    return _times(matrix, turns[turn]), *((height, width) if turn in (90, 270) else (width, height))


def open_pdf(data: bytes, password: str = "") -> Any:
    """A pdfium document.

    Raises:
        PasswordNeeded: Encrypted, and the password does not fit.
        Unreadable: Not a PDF that pdfium can open.
    """
    import pypdfium2

    try:
        return pypdfium2.PdfDocument(data, password=password or None)
    except pypdfium2.PdfiumError as error:
        if "password" in str(error).lower():
            raise PasswordNeeded(str(error)) from error
        raise Unreadable(str(error)) from error


def read_page(document: Any, index: int) -> PageContent:
    """The page with this index, from 0.

    Raises:
        Unreadable: pdfium cannot load the page.
    """
    import pypdfium2

    try:
        page = document[index]
    except (pypdfium2.PdfiumError, IndexError) as error:
        raise Unreadable(str(error)) from error
    try:
        return _Reader(page).read()
    finally:
        page.close()


def most_pixels(page: Any) -> int:
    """Pixels of the largest image on a loaded page, as the file declares them: nothing is decoded."""
    import pypdfium2.raw as raw

    width, height = ctypes.c_uint(), ctypes.c_uint()
    most, left = 0, MOST_OBJECTS

    def look(count: int, get: Any, depth: int) -> None:
        nonlocal most, left
        for i in range(count):
            left -= 1
            if left < 0:
                return
            item = get(i)
            kind = raw.FPDFPageObj_GetType(item)
            if kind == raw.FPDF_PAGEOBJ_IMAGE and raw.FPDFImageObj_GetImagePixelSize(item, width, height):
                most = max(most, width.value * height.value)
            elif kind == raw.FPDF_PAGEOBJ_FORM and depth < DEPTH:
                look(raw.FPDFFormObj_CountObjects(item), lambda j, f=item: raw.FPDFFormObj_GetObject(f, j), depth + 1)

    look(raw.FPDFPage_CountObjects(page.raw), lambda j: raw.FPDFPage_GetObject(page.raw, j), 0)
    return most


class _Reader:
    """Reads one page; holds the ctypes buffers that the calls fill."""

    def __init__(self, page: Any) -> None:
        import pypdfium2.raw as raw

        self.raw = raw
        self.page = page
        self.matrix = raw.FS_MATRIX()
        self.box = raw.FS_RECTF()
        self.styles: dict[int, Style] = {}
        left, bottom, right, top = self._visible_box()
        width, height = right - left, top - bottom
        turns: dict[int, _TRANSFORM] = {
            0: (1, 0, 0, -1, -left, top),
            90: (0, 1, 1, 0, -bottom, -left),
            180: (-1, 0, 0, 1, right, -bottom),
            270: (0, -1, -1, 0, top, right),
        }
        rotation = page.get_rotation()
        self.display = turns[rotation]
        if rotation in (90, 270):
            width, height = height, width
        self.content = PageContent(width, height)

    def _visible_box(self) -> tuple[float, float, float, float]:
        """Crop box within the media box, inherited ones too (get_cropbox() knows only the page's own)."""
        rect = self.box
        if self.raw.FPDF_GetPageBoundingBox(self.page.raw, rect) and rect.right > rect.left and rect.top > rect.bottom:
            return rect.left, rect.bottom, rect.right, rect.top
        left, bottom, right, top = self.page.get_cropbox()
        return left, bottom, right, top

    def read(self) -> PageContent:
        text = self.page.get_textpage()
        try:
            marks = self._marks(text)
        finally:
            text.close()
        directions = Counter(style.turn for *_, style, _ in marks)
        content = self.content
        main = directions.most_common(1)[0][0] if directions else 0
        if main and directions[main] > 1.5 * directions[0]:
            content.turn = (360 - main) % 360
            self.display, content.width, content.height = turned_frame(
                self.display, content.width, content.height, content.turn
            )
        else:
            main = 0
        self._place(marks, main)
        if main == 0:
            self._stand()
        self._objects()
        return content

    def _stand(self) -> None:
        """Turns the frame of a page in vertical lines, so that each runs from left to right; else does nothing.

        What runs across on such a page, a number or a heading, counts as turned.
        """
        content, glyphs = self.content, self.content.glyphs
        if 3 * sum(is_east(g.ch) for g in glyphs[:300]) < min(len(glyphs), 300):
            return
        down, across = [False] * len(glyphs), [False] * len(glyphs)
        for n, (a, b) in enumerate(pairwise(glyphs)):
            size = a.style.size
            if abs(a.x0 + a.x1 - b.x0 - b.x1) < 0.7 * size and 0.5 * size < b.y - a.y < 2 * size:
                down[n] = down[n + 1] = is_east(a.ch) or down[n]
            elif abs(a.y - b.y) < 0.2 * size and -0.3 * size < b.x0 - a.x1 < size:
                across[n] = across[n + 1] = True
        if len(glyphs) < LEAST_DOWNWARD or 2 * sum(down) < len(glyphs):
            return
        width = content.width
        self.display, content.width, content.height = turned_frame(self.display, width, content.height, 270)
        content.turn, content.downward, content.glyphs = 270, True, []
        content.turned = [Turned(t.glyph, t.y, width - t.x) for t in content.turned]
        heights = [g.y for g, standing in zip(glyphs, down, strict=True) if standing]
        first, last = min(heights), max(heights)
        for n, g in enumerate(glyphs):
            size, middle = g.style.size, width - (g.x0 + g.x1) / 2
            if not down[n] and (across[n] or not first <= g.y <= last):
                content.turned.append(Turned(g, g.y - 0.3 * size, middle))
            else:
                content.glyphs.append(Glyph(g.ch, g.y - size, g.y, middle + 0.3 * size, g.style, g.gap))

    def _marks(self, text: Any) -> list[tuple[str, float, float, float, float, float, float, Style, bool]]:
        """Every character in the order of the content stream: text, box, origin (user space), style, gap before."""
        raw, handle, box = self.raw, text.raw, self.box
        x, y = ctypes.c_double(), ctypes.c_double()
        unicode_of, object_of = raw.FPDFText_GetUnicode, raw.FPDFText_GetTextObject
        box_of, origin_of, address = raw.FPDFText_GetLooseCharBox, raw.FPDFText_GetCharOrigin, ctypes.addressof
        count = text.count_chars()
        self.content.cut = count > MOST_GLYPHS
        marks, gap, last = [], False, None
        unmapped: dict[tuple[int, int], bool] = {}
        for i in range(min(count, MOST_GLYPHS)):
            code = unicode_of(handle, i)
            if code in (32, 13, 10, 9, 0xA0, 0x3000):
                gap = True
                continue
            pointer = object_of(handle, i)
            ch = chr(code)
            if code in (2, 0xAD):  # at the end of a line a hyphen, anywhere else an invisible hint
                ch = _HYPHEN if raw.FPDFText_IsHyphen(handle, i) == 1 else "" if code == 0xAD else ch
            if pointer:
                key = address(pointer.contents)
                last = self.styles.get(key)
                if last is None:
                    last = self.styles[key] = self._style(handle, i, pointer)
            if last is None or not ch:
                continue
            if not box_of(handle, i, box) or not origin_of(handle, i, x, y):
                continue
            known = (id(last), code)
            if known not in unmapped:
                unmapped[known] = raw.FPDFText_HasUnicodeMapError(handle, i) == 1
            self.content.unmapped += unmapped[known]
            marks.append((ch, box.left, box.bottom, box.right, box.top, x.value, y.value, last, gap))
            gap = False
        return marks

    def _style(self, handle: Any, i: int, pointer: Any) -> Style:
        raw, m = self.raw, self.matrix
        raw.FPDFText_GetMatrix(handle, i, m)
        size = raw.FPDFText_GetFontSize(handle, i) * math.hypot(m.c, m.d)
        name = ctypes.create_string_buffer(128)
        flags = ctypes.c_int()
        raw.FPDFText_GetFontInfo(handle, i, name, 128, flags)
        font = name.value.decode("utf-8", "replace")
        d = self.display
        dx, dy = m.a * d[0] + m.b * d[2], m.a * d[1] + m.b * d[3]
        turn = round(math.degrees(math.atan2(dy, dx)) / 90) % 4 * 90 if math.isfinite(dx + dy) else 0
        red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
        white = unseen = False
        if raw.FPDFText_GetFillColor(handle, i, red, green, blue, alpha):
            white = min(red.value, green.value, blue.value) >= 245
            unseen = alpha.value <= 8
        unseen = unseen or raw.FPDFTextObj_GetTextRenderMode(pointer) == _RENDER_INVISIBLE or abs(size) < 1.6
        weight = raw.FPDFText_GetFontWeight(handle, i)
        bold = bool(_BOLD.search(font)) or weight >= 600 or bool(flags.value & 0x40000)
        size = abs(size) if math.isfinite(size) else 1.0
        return Style(min(max(size, 0.1), 2000.0), bold, bool(_ITALIC.search(font)), turn, unseen, white)

    def _place(self, marks: list[Any], main: int) -> None:
        """Marks as glyphs in the reading frame; a glyph drawn twice at one place (false bold) counts once."""
        a, b, c, d, e, f = self.display
        content = self.content
        seen: dict[tuple[str, int, int], tuple[float, float]] = {}
        for ch, left, bottom, right, top, ox, oy, style, gap in marks:
            xa, xb = left * a + bottom * c + e, right * a + top * c + e
            y = ox * b + oy * d + f
            if not -FAR < xa < FAR or not -FAR < xb < FAR or not -FAR < y < FAR:
                continue
            if not (-2 < (xa + xb) / 2 < content.width + 2 and -2 < y - 0.3 * style.size < content.height + 2):
                content.outside += 1
            if style.turn != main:
                corners = ((xa, left * b + bottom * d + f), (xb, right * b + top * d + f))
                self._turn(ch, corners, (ox * a + oy * c + e, y), style, gap, (style.turn - main) % 360)
                continue
            x0, x1 = (xa, xb) if xa <= xb else (xb, xa)
            cell = (ch, round(x0 / 4), round(y / 4))
            near = seen.get(cell)
            if near and abs(near[0] - x0) < 0.06 * style.size and abs(near[1] - y) < 0.06 * style.size:
                continue
            seen[cell] = (x0, y)
            content.glyphs.append(Glyph(ch, x0, x1, y, style, gap))

    def _turn(self, ch: str, corners: Any, origin: tuple[float, float], style: Style, gap: bool, turn: int) -> None:
        """Adds a glyph that reads downward (90), upside down (180) or upward (270)."""
        (xa, ya), (xb, yb) = corners
        x, y = (xa + xb) / 2, (ya + yb) / 2
        low, high, base = {
            90: (min(ya, yb), max(ya, yb), -origin[0]),
            180: (-max(xa, xb), -min(xa, xb), -origin[1]),
        }.get(turn, (-max(ya, yb), -min(ya, yb), origin[0]))
        self.content.turned.append(Turned(Glyph(ch, low, high, base, style, gap), x, y))

    def _objects(self) -> None:
        raw, page = self.raw, self.page.raw
        self.objects, self.segments = MOST_OBJECTS, MOST_SEGMENTS
        self._walk(raw.FPDFPage_CountObjects(page), lambda j: raw.FPDFPage_GetObject(page, j), self.display, 0)

    def _walk(self, count: int, get: Any, outer: _TRANSFORM, depth: int) -> None:
        raw, m = self.raw, self.matrix
        for i in range(count):
            self.objects -= 1
            if self.objects < 0:
                self.content.cut = True
                return
            item = get(i)
            kind = raw.FPDFPageObj_GetType(item)
            if kind == raw.FPDF_PAGEOBJ_TEXT:
                self.content.text_objects += 1
            elif kind in (raw.FPDF_PAGEOBJ_IMAGE, raw.FPDF_PAGEOBJ_SHADING):
                self._image(item, outer)
            elif kind in (raw.FPDF_PAGEOBJ_PATH, raw.FPDF_PAGEOBJ_FORM):
                raw.FPDFPageObj_GetMatrix(item, m)
                inner = _times((m.a, m.b, m.c, m.d, m.e, m.f), outer)
                if kind == raw.FPDF_PAGEOBJ_PATH:
                    self._path(item, inner)
                elif depth < DEPTH:
                    self._walk(
                        raw.FPDFFormObj_CountObjects(item),
                        lambda j, form=item: raw.FPDFFormObj_GetObject(form, j),
                        inner,
                        depth + 1,
                    )

    def _image(self, item: Any, outer: _TRANSFORM) -> None:
        left, bottom, right, top = (ctypes.c_float() for _ in range(4))
        if not self.raw.FPDFPageObj_GetBounds(item, left, bottom, right, top):
            return
        corners = [(left.value, bottom.value), (right.value, top.value)]
        xs = [x * outer[0] + y * outer[2] + outer[4] for x, y in corners]
        ys = [x * outer[1] + y * outer[3] + outer[5] for x, y in corners]
        if all(map(math.isfinite, xs + ys)):
            self.content.images.append((min(xs), min(ys), max(xs), max(ys)))

    def _path(self, item: Any, m: _TRANSFORM) -> None:
        raw = self.raw
        fill, stroke = ctypes.c_int(), ctypes.c_int()
        raw.FPDFPath_GetDrawMode(item, fill, stroke)
        count = raw.FPDFPath_CountSegments(item)
        self.segments -= count
        if self.segments < 0:
            self.content.cut = True
        if self.segments < 0 or count < 2 or not (fill.value or stroke.value):
            return
        paint = self._paint(item) if fill.value else (255, 0)
        pale = fill.value and not stroke.value and paint[0] >= 250
        lines, box, curved = self._lines(item, count, m)
        if not lines and not box:
            return
        if fill.value and box and not curved:
            x0, top, x1, bottom = box
            if bottom - top <= THIN or x1 - x0 <= THIN:
                self._thin(x0, top, x1, bottom)
                return
            if paint[0] < 245 and paint[1] > 8:
                self.content.fills.append(box)
        if not pale and not (curved and not stroke.value):
            for xa, ya, xb, yb in lines:
                self._rule(xa, ya, xb, yb)

    def _paint(self, item: Any) -> tuple[int, int]:
        """The darkest channel of the fill color, and its alpha."""
        red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
        if not self.raw.FPDFPageObj_GetFillColor(item, red, green, blue, alpha):
            return 0, 255
        return min(red.value, green.value, blue.value), alpha.value

    def _lines(self, item: Any, count: int, m: _TRANSFORM) -> tuple[list[_BOX], _BOX | None, bool]:
        """Straight pieces of a path, its bounding box and whether it has curves."""
        raw = self.raw
        sx, sy = ctypes.c_float(), ctypes.c_float()
        here = start = None
        lines: list[tuple[float, float, float, float]] = []
        xs: list[float] = []
        ys: list[float] = []
        curved = False
        for k in range(count):
            segment = raw.FPDFPath_GetPathSegment(item, k)
            kind = raw.FPDFPathSegment_GetType(segment)
            raw.FPDFPathSegment_GetPoint(segment, sx, sy)
            x, y = sx.value * m[0] + sy.value * m[2] + m[4], sx.value * m[1] + sy.value * m[3] + m[5]
            if not (-FAR < x < FAR and -FAR < y < FAR):
                return [], None, True
            if kind == raw.FPDF_SEGMENT_MOVETO:
                start = (x, y)
            elif kind == raw.FPDF_SEGMENT_LINETO and here:
                lines.append((*here, x, y))
            else:
                curved = True
            here = (x, y)
            xs.append(x)
            ys.append(y)
            if raw.FPDFPathSegment_GetClose(segment) and start:
                lines.append((*here, *start))
                here = start
        box = (min(xs), min(ys), max(xs), max(ys)) if xs else None
        return lines, box, curved

    def _thin(self, x0: float, top: float, x1: float, bottom: float) -> None:
        if x1 - x0 >= bottom - top:
            self._rule(x0, (top + bottom) / 2, x1, (top + bottom) / 2)
        else:
            self._rule((x0 + x1) / 2, top, (x0 + x1) / 2, bottom)

    def _rule(self, xa: float, ya: float, xb: float, yb: float) -> None:
        """Kept when it runs along an axis and touches the page."""
        width, height = self.content.width, self.content.height
        if max(xa, xb) < -1 or min(xa, xb) > width + 1 or max(ya, yb) < -1 or min(ya, yb) > height + 1:
            return
        if abs(ya - yb) <= 1 < abs(xa - xb):
            self.content.rules.append(Rule(True, (ya + yb) / 2, min(xa, xb), max(xa, xb)))
        elif abs(xa - xb) <= 1 < abs(ya - yb):
            self.content.rules.append(Rule(False, (xa + xb) / 2, min(ya, yb), max(ya, yb)))
