"""The one module that opens a file with pypdfium2 and reads a page of it (`content` says how that looks).

Nothing is rendered or decoded: no image, no attachment, no script.
"""

from __future__ import annotations

import ctypes
from collections import Counter
from itertools import pairwise
from typing import Any

from curator.parsing.characters import Characters, place
from curator.parsing.content import Glyph, PageContent, Transform, Turned, is_east, turned_frame
from curator.parsing.drawn import DEPTH, MOST_OBJECTS, Drawing
from curator.parsing.rules import otherwise

LEAST_DOWNWARD = 20


class PasswordNeeded(Exception):
    """The file is encrypted and no password of ours opens it."""


class Unreadable(Exception):
    """pdfium does not take the file, or not this page of it."""


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
    """Reads one page: finds its frame, and puts what it holds into it."""

    def __init__(self, page: Any) -> None:
        self.page = page
        left, bottom, right, top = self._visible_box()
        width, height = right - left, top - bottom
        turns: dict[int, Transform] = {
            0: (1, 0, 0, -1, -left, top),
            90: (0, 1, 1, 0, -bottom, -left),
            180: (-1, 0, 0, 1, right, -bottom),
            270: (0, -1, -1, 0, top, right),
        }
        rotation = self.rotation = page.get_rotation()
        if rotation == 180:
            page.set_rotation(0)  # pdfium puts the text of a page that is shown upside down into another order
            otherwise()
        self.display = turns[rotation]
        if rotation in (90, 270):
            width, height = height, width
        self.content = PageContent(width, height)

    def _visible_box(self) -> tuple[float, float, float, float]:
        """Crop box within the media box, inherited ones too (get_cropbox() knows only the page's own)."""
        import pypdfium2.raw as raw

        rect = raw.FS_RECTF()
        if raw.FPDF_GetPageBoundingBox(self.page.raw, rect) and rect.right > rect.left and rect.top > rect.bottom:
            return rect.left, rect.bottom, rect.right, rect.top
        left, bottom, right, top = self.page.get_cropbox()
        return left, bottom, right, top

    def read(self) -> PageContent:
        content = self.content
        text = self.page.get_textpage()
        try:
            characters = Characters(text, self.display)
            marks = characters.read()
        finally:
            text.close()
            if self.rotation == 180:
                self.page.set_rotation(180)
        content.cut, content.unmapped = characters.cut, characters.unmapped
        directions = Counter([mark.style.turn for mark in marks])
        main = directions.most_common(1)[0][0] if directions else 0
        if main and directions[main] > 1.5 * directions[0]:
            content.turn = (360 - main) % 360
            self.display, content.width, content.height = turned_frame(
                self.display, content.width, content.height, content.turn
            )
        else:
            main = 0
        place(marks, self.display, main, content)
        if main == 0:
            self._stand()
        Drawing(content).read(self.page.raw, self.display)
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
