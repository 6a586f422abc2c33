"""The one module that knows rapidocr: a page that is an image as glyphs and lines, in the reading process.

The page is drawn at a fixed size, its text recognized word by word, and its drawn lines found, so that the same rules
as for any other page give its order and its tables. Its models lie inside the package: nothing is downloaded.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import Any

from curator.parsing.content import Glyph, PageContent, Rule, Style
from curator.parsing.page import lay_out
from curator.parsing.pdfium import Unreadable, most_pixels
from curator.parsing.raw import Box, RawPage

LONG_SIDE = 2000  # pixels; the engine itself scales down what is larger
MOST_PIXELS = 120_000_000
LEAST_SURE = 0.5
DOUBTFUL = 0.8
SHORTEST_RULE = 0.04  # of the long side
_HEIGHT = 0.72  # font size for the height of a box around a line


@dataclass(slots=True)
class Recognized:
    """One line as the engine gives it: words with their left and right, the line's box in points, how sure it is."""

    text: str
    words: list[tuple[str, float, float]]
    box: Box
    sure: float


class Recognizer:
    """Holds the loaded models; one for a reading process."""

    def __init__(self) -> None:
        import cv2
        from rapidocr import RapidOCR

        cv2.setNumThreads(1)
        self._cv2 = cv2
        self._engine = RapidOCR(
            params={
                "Global.log_level": "critical",
                "Global.text_score": LEAST_SURE,
                "Global.max_side_len": LONG_SIDE,
                "Rec.rec_batch_num": 2,
            }
        )

    def page(self, document: Any, index: int) -> RawPage:
        """The page with this index, from 0, read from its image.

        Raises:
            Unreadable: It cannot be loaded, or an image on it is too large to be decoded.
        """
        import pypdfium2

        number = index + 1
        try:
            page = document[index]
        except (pypdfium2.PdfiumError, IndexError) as error:
            raise Unreadable(str(error)) from error
        try:
            if most_pixels(page) > MOST_PIXELS:
                raise Unreadable("its image is too large")
            width, height = page.get_size()
            scale = LONG_SIDE / max(width, height, 1.0)
            image = page.render(scale=scale).to_numpy()
        finally:
            page.close()
        lines = self._lines(image, scale)
        content = PageContent(width, height)
        content.rules = self._rules(image, scale)
        content.glyphs = _glyphs(lines)
        return _marked(lay_out(content, number), lines)

    def _lines(self, image: Any, scale: float) -> list[Recognized]:
        found = self._engine(image, return_word_box=True)
        if found.boxes is None or found.txts is None:
            return []
        lines = []
        for corners, text, score, words in zip(found.boxes, found.txts, found.scores, found.word_results, strict=True):
            xs, ys = [float(x) / scale for x, _ in corners], [float(y) / scale for _, y in corners]
            box = (min(xs), (ys[0] + ys[1]) / 2, max(xs), (ys[2] + ys[3]) / 2)
            places = [
                (str(word), min(p[0] for p in around) / scale, max(p[0] for p in around) / scale)
                for word, _, around in words
                if word and around is not None
            ]
            lines.append(Recognized(str(text), places or [(str(text), box[0], box[2])], box, float(score)))
        return lines

    def _rules(self, image: Any, scale: float) -> list[Rule]:
        """Long straight dark lines: what stays of the page when everything shorter is taken away."""
        cv2 = self._cv2
        gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY) if image.ndim == 3 and image.shape[2] >= 3 else image
        dark = cv2.adaptiveThreshold(gray, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, 25, 12)
        length = max(20, int(SHORTEST_RULE * max(image.shape[:2])))
        rules = []
        for horizontal in (True, False):
            kernel = cv2.getStructuringElement(cv2.MORPH_RECT, (length, 1) if horizontal else (1, length))
            kept = cv2.dilate(cv2.morphologyEx(dark, cv2.MORPH_OPEN, kernel), None, iterations=1)
            count, _, stats, _ = cv2.connectedComponentsWithStats(kept, connectivity=8)
            for x, y, w, h, _ in stats[1 : min(count, 4000)]:
                if (h if horizontal else w) > 12:
                    continue  # a bar or a photograph
                if horizontal:
                    rules.append(Rule(True, (y + h / 2) / scale, x / scale, (x + w) / scale))
                else:
                    rules.append(Rule(False, (x + w / 2) / scale, y / scale, (y + h) / scale))
        return rules


def _glyphs(lines: list[Recognized]) -> list[Glyph]:
    """Characters spread evenly over their words; lines of nearly the usual height have the usual size."""
    if not lines:
        return []
    usual = median(line.box[3] - line.box[1] for line in lines)
    glyphs: list[Glyph] = []
    for line in lines:
        height = line.box[3] - line.box[1]
        height = usual if 0.72 * usual <= height <= 1.3 * usual else height
        style = Style(max(1.0, round(2 * _HEIGHT * height) / 2), False, False, 0, False, False)
        baseline = (line.box[1] + line.box[3]) / 2 + 0.3 * style.size
        at = 0
        for word, x0, x1 in line.words:
            start = line.text.find(word, at)
            gap = start < 0 or start == 0 or line.text[at:start].isspace() or at == 0
            at = start + len(word) if start >= 0 else at
            step = (x1 - x0) / len(word)
            for n, ch in enumerate(word):
                if not ch.isspace():
                    glyphs.append(Glyph(ch, x0 + n * step, x0 + (n + 1) * step, baseline, style, gap and n == 0))
    return glyphs


def _marked(page: RawPage, lines: list[Recognized]) -> RawPage:
    """The page with its confidence, and that of every line and table on it."""
    page.kind, page.flags = "scanned", []
    if not lines:
        page.note = f"page {page.index} is an image: no text was recognized"
        page.flags.append(("no-text", f"no text on page {page.index}: it is an image, and none was recognized"))
        return page
    page.recognized = _sure(lines)
    for line in page.lines:
        near = [one for one in lines if _within(one.box, (line.x0, line.top, line.x1, line.bottom))]
        line.sure = _sure(near) if near else page.recognized
    for table in page.tables:
        near = [one for one in lines if _within(one.box, table.box)]
        table.origin = "ocr"
        table.confidence = round(0.9 * (_sure(near) if near else page.recognized), 2)
    doubt = ": little of it may be right" if page.recognized < DOUBTFUL else ""
    page.note = f"page {page.index} is an image: its text was recognized by a machine"
    page.flags.append(("ocr", f"{page.note}, confidence {page.recognized:.2f}{doubt}"))
    return page


def _sure(lines: list[Recognized]) -> float:
    """Mean confidence of a character."""
    total = sum(len(line.text) for line in lines)
    return round(sum(line.sure * len(line.text) for line in lines) / max(1, total), 2)


def _within(inner: Box, outer: Box) -> bool:
    x, y = (inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2
    return outer[0] - 2 <= x <= outer[2] + 2 and outer[1] - 2 <= y <= outer[3] + 2
