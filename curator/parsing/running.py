"""Running headers and footers, and the page label printed in them.

A line is running when it stands among the outermost lines of its page and recurs there on enough of the ten pages
before and after, digits aside. A bare number counts only as the outermost line, and only if it keeps step with the
pages.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict

from curator.parsing.numbering import read_label
from curator.parsing.raw import SIDEWAYS, RawLine, RawPage

ZONE = 4
NEAR = 10
_DIGITS = re.compile(r"\d+")
_ROMAN = re.compile(r"\b[ivxlc]{1,7}\b")
_BARE = re.compile(
    r"[\s\-–—|\[\](){}·.]*(?:page|seite|p\.|페이지|쪽|第)?\s*(\d{1,6}|[ivxlc]{1,7})\s*(?:頁|页|쪽)?(?:\s*(?:/|of|von|de)\s*\d{1,4})?[\s\-–—|\[\](){}·.]*",
    re.IGNORECASE,
)


def mask(text: str) -> str:
    """Text with its numbers masked: two running lines are alike when their masks are equal."""
    return _DIGITS.sub("#", " ".join(text.split()).casefold()).strip("# ") or "#"


def find_running(pages: list[RawPage]) -> list[set[int]]:
    """For each page the positions of its running lines in `page.lines`."""
    tops = [_zone(page, top=True) for page in pages]
    feet = [_zone(page, top=False) for page in pages]
    found: list[set[int]] = [set() for _ in pages]
    for zones in (tops, feet):
        _mark(pages, zones, found)
    return found


def _zone(page: RawPage, *, top: bool) -> list[int]:
    """Positions of the outermost lines, from the edge inward; lines on one height count as one step."""
    order = sorted(range(len(page.lines)), key=lambda i: page.lines[i].top, reverse=not top)
    zone: list[int] = []
    steps, last = 0, None
    for i in order:
        line = page.lines[i]
        if line.group == SIDEWAYS:
            continue
        if last is None or abs(line.bottom - last) > 2:
            steps += 1
        if steps > ZONE:
            break
        last = line.bottom
        zone.append(i)
    return zone


def _mark(pages: list[RawPage], zones: list[list[int]], found: list[set[int]]) -> None:
    body = _body_size(pages)
    masks: list[dict[str, list[RawLine]]] = []
    for page, zone in zip(pages, zones, strict=True):
        kinds: dict[str, list[RawLine]] = defaultdict(list)
        for i in zone:
            kinds[mask(page.lines[i].text)].append(page.lines[i])
        masks.append(kinds)
    for n, (page, zone) in enumerate(zip(pages, zones, strict=True)):
        near = [k for k in range(max(0, n - NEAR), min(len(pages), n + NEAR + 1)) if k != n]
        edge: float | None = None
        for i in zone:
            line = page.lines[i]
            outermost = edge is None or abs(line.bottom - edge) <= 2
            if not outermost and i not in found[n] and not _follows(found[n], page, line):
                continue
            if _recurs(line, body, near, masks, pages) or (outermost and _counts(pages, zones, n, line)):
                found[n].add(i)
            edge = line.bottom if edge is None else edge


def _follows(done: set[int], page: RawPage, line: RawLine) -> bool:
    """Whether every line farther out than this one is running: body text is never skipped over."""
    return bool(done) and any(abs(page.lines[i].top - line.top) < 2.8 * line.size for i in done)


def _recurs(
    line: RawLine, body: float, near: list[int], masks: list[dict[str, list[RawLine]]], pages: list[RawPage]
) -> bool:
    key = mask(line.text)
    if not near or key.strip("#-–— .|") == "":
        return False
    alike = 0
    headed = _heads(line, body)
    for k in near:
        for other in masks[k].get(key, ()):
            if headed and other.text != line.text:
                continue
            if abs(other.top - line.top) <= 0.03 * max(1.0, pages[k].height) and abs(other.size - line.size) < 1.5:
                alike += 1
                break
    if len(near) <= 2:
        return alike >= 1 and _marginal(line, pages[near[0]].height)
    return alike >= max(2, 0.22 * len(near))


def _heads(line: RawLine, body: float) -> bool:
    """Whether the line looks like the heading of a numbered section: that such stand at the top of pages is chance."""
    outstanding = line.size > body + 0.4 or (line.bold and line.size > body - 0.4)
    return outstanding and read_label(line.text) is not None


def _body_size(pages: list[RawPage]) -> float:
    """The size that most of the text is set in."""
    sizes: Counter[float] = Counter()
    for page in pages:
        for line in page.lines:
            sizes[round(2 * line.size) / 2] += len(line.text)
    return max(sizes, key=lambda size: (sizes[size], size), default=10.0)


def _marginal(line: RawLine, height: float) -> bool:
    return line.bottom < 0.11 * height or line.top > 0.89 * height


def _counts(pages: list[RawPage], zones: list[list[int]], n: int, line: RawLine) -> bool:
    """A bare page number: two neighbors carry one in step with it at the same height."""
    value = _bare_value(line.text)
    if value is None:
        return False
    in_step = 0
    for k in range(max(0, n - 4), min(len(pages), n + 5)):
        if k == n:
            continue
        for i in zones[k][:3]:
            other = pages[k].lines[i]
            if _bare_value(other.text) == value + (k - n) and abs(other.top - line.top) < 0.03 * pages[k].height:
                in_step += 1
                break
    return in_step >= min(2, len(pages) - 1) > 0


def _bare_value(text: str) -> int | None:
    m = _BARE.fullmatch(text)
    if m is None:
        return None
    return int(m[1]) if m[1].isdigit() else _roman(m[1].lower())


def _roman(text: str) -> int | None:
    values = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
    total = 0
    for a, b in zip(text, [*text[1:], ""], strict=True):
        total += -values[a] if b and values[b] > values[a] else values[a]
    return total


def printed_labels(pages: list[RawPage], running: list[set[int]]) -> list[str]:
    """The label printed on each page, read off its running lines ("" = none).

    In every running line there may be a number that keeps step with the pages; where one stands alone, no number beside
    other words counts. The distance between it and the page's index that holds for most pages is the numbering, and a
    page whose line carries the number that fits gets it.
    """
    steps: Counter[int] = Counter()
    numbers: list[list[int]] = []
    for page, places in zip(pages, running, strict=True):
        lines = [page.lines[i].text for i in places]
        alone = [text for text in lines if _bare_value(text) is not None and _DIGITS.search(text)]
        values = (
            sorted({value for text in alone if (value := _bare_value(text)) is not None})
            if alone
            else sorted({int(d) for text in lines for d in _DIGITS.findall(text) if len(d) <= 6 and d[0] != "0"})
        )
        numbers.append(values)
        steps.update(value - page.index for value in values)
    labels: list[str] = []
    good = {step for step, n in steps.items() if n >= max(2, 0.05 * len(pages))}
    for n, page in enumerate(pages):
        window = range(max(0, n - NEAR), min(len(pages), n + NEAR + 1))
        near: Counter[int] = Counter()
        for k in window:
            near.update(v - pages[k].index for v in numbers[k] if v - pages[k].index in good)
        best = max(((near[v - page.index], -v) for v in numbers[n] if v - page.index in near), default=None)
        held = best is not None and best[0] >= max(2, 0.3 * len(window))
        labels.append(str(-best[1]) if best is not None and held else _roman_label(page, running[n]))
    return labels


def _roman_label(page: RawPage, places: set[int]) -> str:
    for i in sorted(places):
        m = _BARE.fullmatch(page.lines[i].text)
        if m and not m[1].isdigit():
            return m[1].lower()
    return ""
