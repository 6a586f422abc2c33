"""What is drawn on a page beside its text: straight lines along an axis, filled boxes, the places of images."""

from __future__ import annotations

import ctypes
import math
from collections import defaultdict
from collections.abc import Callable
from typing import Any

from curator.parsing.characters import ADDRESS, FAR, NUMBER, called
from curator.parsing.content import PageContent, Rule, Transform, times
from curator.parsing.raw import Box

MOST_OBJECTS = 60_000
MOST_SEGMENTS = 100_000
DEPTH = 8
THIN = 3.0
MOST_SHADES = 1000
PALE, SHADED, FAINT = 250, 245, 8
_Color = tuple[int, int, int, int]
WHITE: _Color = (255, 255, 255, 255)


class Drawing:
    """Adds to the content of a page what its objects draw; nothing is rendered or decoded."""

    def __init__(self, content: PageContent) -> None:
        import pypdfium2.raw as raw

        self._raw = raw
        self._content = content
        self._matrix = raw.FS_MATRIX()
        self._shades: dict[_Color, list[tuple[Box, list[Box]]]] = defaultdict(list)
        self._objects, self._segments = MOST_OBJECTS, MOST_SEGMENTS
        self._kind_of = called(raw.FPDFPageObj_GetType, NUMBER, ADDRESS)
        self._matrix_of = called(raw.FPDFPageObj_GetMatrix, NUMBER, ADDRESS, ADDRESS)
        self._mode_of = called(raw.FPDFPath_GetDrawMode, NUMBER, ADDRESS, ADDRESS, ADDRESS)
        self._color_of = called(raw.FPDFPageObj_GetFillColor, NUMBER, *[ADDRESS] * 5)
        self._count_of = called(raw.FPDFPath_CountSegments, NUMBER, ADDRESS)
        self._segment_of = called(raw.FPDFPath_GetPathSegment, ADDRESS, ADDRESS, NUMBER)
        self._segment_kind = called(raw.FPDFPathSegment_GetType, NUMBER, ADDRESS)
        self._point_of = called(raw.FPDFPathSegment_GetPoint, NUMBER, ADDRESS, ADDRESS, ADDRESS)
        self._closes = called(raw.FPDFPathSegment_GetClose, NUMBER, ADDRESS)
        self._part_of = called(raw.FPDFFormObj_GetObject, ADDRESS, ADDRESS, ctypes.c_ulong)

    def read(self, page: Any, display: Transform) -> None:
        """All objects of a loaded page. `display`: from user space to the reading frame."""
        raw = self._raw
        get = called(raw.FPDFPage_GetObject, ADDRESS, ADDRESS, NUMBER)
        self._walk(raw.FPDFPage_CountObjects(page), get, ctypes.cast(page, ADDRESS).value or 0, display, 0)
        for color, shades in self._shades.items():
            for box, lines in shades:
                # the shade of a line of text in a cell that is shaded alike is not seen
                if len(shades) > MOST_SHADES or not any(_within(box, other) for other, _ in shades):
                    self._edges(box, lines if min(color[:3]) < PALE else [], color)

    def _walk(self, count: int, get: Callable[..., Any], home: int, outer: Transform, depth: int) -> None:
        """The objects of the page or of a form at the address `home`."""
        raw, m = self._raw, self._matrix
        for i in range(count):
            self._objects -= 1
            if self._objects < 0:
                self._content.cut = True
                return
            item = get(home, i)
            kind = self._kind_of(item)
            if kind == raw.FPDF_PAGEOBJ_TEXT:
                self._content.text_objects += 1
            elif kind in (raw.FPDF_PAGEOBJ_IMAGE, raw.FPDF_PAGEOBJ_SHADING):
                self._image(item, outer)
            elif kind in (raw.FPDF_PAGEOBJ_PATH, raw.FPDF_PAGEOBJ_FORM):
                self._matrix_of(item, ctypes.addressof(m))
                inner = times((m.a, m.b, m.c, m.d, m.e, m.f), outer)
                if kind == raw.FPDF_PAGEOBJ_PATH:
                    self._path(item, inner)
                elif depth < DEPTH:
                    count_inside = raw.FPDFFormObj_CountObjects(ctypes.cast(item, raw.FPDF_PAGEOBJECT))
                    self._walk(count_inside, self._part_of, item, inner, depth + 1)

    def _image(self, item: int, outer: Transform) -> None:
        left, bottom, right, top = (ctypes.c_float() for _ in range(4))
        if not self._raw.FPDFPageObj_GetBounds(ctypes.cast(item, self._raw.FPDF_PAGEOBJECT), left, bottom, right, top):
            return
        corners = [(left.value, bottom.value), (right.value, top.value)]
        xs = [x * outer[0] + y * outer[2] + outer[4] for x, y in corners]
        ys = [x * outer[1] + y * outer[3] + outer[5] for x, y in corners]
        if all(map(math.isfinite, xs + ys)):
            self._content.images.append((min(xs), min(ys), max(xs), max(ys)))

    def _path(self, item: int, m: Transform) -> None:
        mode = (ctypes.c_int * 2)()
        at = ctypes.addressof(mode)
        self._mode_of(item, at, at + ctypes.sizeof(ctypes.c_int))
        fill, stroke = mode
        count = self._count_of(item)
        self._segments -= count
        if self._segments < 0:
            self._content.cut = True
        if self._segments < 0 or count < 2 or not (fill or stroke):
            return
        lines, box, curved = self._lines(item, count, m, drawn=bool(stroke))
        if not lines and not box:
            return
        if fill and box and not curved:
            x0, top, x1, bottom = box
            if bottom - top <= THIN or x1 - x0 <= THIN:
                self._thin(x0, top, x1, bottom)
            elif stroke:
                self._edges(box, lines, self._color(item))
            else:
                self._shades[self._color(item)].append((box, lines))
        elif not curved or stroke:
            self._edges(None, lines, WHITE)

    def _edges(self, box: Box | None, lines: list[Box], color: _Color) -> None:
        """The lines of a shape, and the shape itself where it is filled with more than white."""
        if box and min(color[:3]) < SHADED and color[3] > FAINT:
            self._content.fills.append(box)
        for xa, ya, xb, yb in lines:
            self._rule(xa, ya, xb, yb)

    def _color(self, item: int) -> _Color:
        """Red, green, blue and alpha of the fill."""
        channels = (ctypes.c_uint * 4)()
        at = ctypes.addressof(channels)
        if not self._color_of(item, at, at + 4, at + 8, at + 12):
            return 0, 0, 0, 255
        return channels[0], channels[1], channels[2], channels[3]

    def _lines(self, item: int, count: int, m: Transform, *, drawn: bool) -> tuple[list[Box], Box | None, bool]:
        """Straight pieces of a path, its bounding box and whether it has curves.

        A curved shape that is filled alone draws no line, so nothing more of it is read.
        """
        point = (ctypes.c_float * 2)()
        x_at = ctypes.addressof(point)
        y_at = x_at + ctypes.sizeof(ctypes.c_float)
        move, straight = self._raw.FPDF_SEGMENT_MOVETO, self._raw.FPDF_SEGMENT_LINETO
        a, b, c, d, e, f = m
        here = start = None
        lines: list[Box] = []
        xs: list[float] = []
        ys: list[float] = []
        curved = False
        for k in range(count):
            segment = self._segment_of(item, k)
            kind = self._segment_kind(segment)
            self._point_of(segment, x_at, y_at)
            px, py = point
            x, y = px * a + py * c + e, px * b + py * d + f
            if not (-FAR < x < FAR and -FAR < y < FAR):
                return [], None, True
            if kind == move:
                start = (x, y)
            elif kind == straight and here:
                lines.append((*here, x, y))
            elif not drawn:
                return [], None, True
            else:
                curved = True
            here = (x, y)
            xs.append(x)
            ys.append(y)
            if start and self._closes(segment):
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
        width, height = self._content.width, self._content.height
        if max(xa, xb) < -1 or min(xa, xb) > width + 1 or max(ya, yb) < -1 or min(ya, yb) > height + 1:
            return
        if abs(ya - yb) <= 1 < abs(xa - xb):
            self._content.rules.append(Rule(True, (ya + yb) / 2, min(xa, xb), max(xa, xb)))
        elif abs(xa - xb) <= 1 < abs(ya - yb):
            self._content.rules.append(Rule(False, (xa + xb) / 2, min(ya, yb), max(ya, yb)))


def _within(box: Box, other: Box) -> bool:
    """Whether a box lies in a larger one."""
    inside = (
        other[0] - 0.5 <= box[0] and other[1] - 0.5 <= box[1] and box[2] <= other[2] + 0.5 and box[3] <= other[3] + 0.5
    )
    return inside and (other[2] - other[0] > box[2] - box[0] + 2 or other[3] - other[1] > box[3] - box[1] + 2)
