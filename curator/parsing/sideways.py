"""Tables set sideways on an upright page: turned until they read from left to right, read like any other, turned back.

What lies in a frame of drawn lines with hardly a glyph that stands upright is taken, with all text of the same
direction on the page, where a caption and notes may be. Without lines it takes a table of three columns and rows.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace

from curator.parsing.content import Glyph, PageContent, Rule, Turned
from curator.parsing.grid import Grid, find_grids
from curator.parsing.numbering import caption_number
from curator.parsing.raw import SIDEWAYS, Box, RawLine, RawPage, RawTable, turned_back
from curator.parsing.rules import otherwise
from curator.parsing.surroundings import is_note

LEAST, FREE = 12, 80
UPRIGHT = 0.1  # of the glyphs of a sideways table
SLACK = 3.0
NEAR = 5.0  # font sizes between a caption and its table

LayOut = Callable[[PageContent, int], RawPage]


def read_sideways(content: PageContent, number: int, lay_out: LayOut) -> tuple[PageContent, RawPage]:
    """The page without its sideways tables and what was read in their direction, and a page of nothing but that.

    Args:
        content: What the page shows, upright text first.
        number: Its number, from 1.
        lay_out: Reads a page; see `page`.
    """
    found = RawPage(number)
    if len(content.turned) < LEAST or content.downward or content.mirrored:
        return content, found
    turns = Counter(_turn(content, item) for item in content.turned)
    grids = find_grids(content.rules)
    for turn in sorted(turns):
        mine = [item for item in content.turned if _turn(content, item) == turn]
        framed = [grid.box for grid in grids if _lies_sideways(grid, content, mine)]
        if turns[turn] < (LEAST if framed else FREE):
            continue
        part = _part(content, mine, framed, turn)
        page = lay_out(part, number)
        tables = [t for t in page.tables if framed or _is_large(t)]
        if not tables:
            continue
        otherwise()
        page.tables = tables
        _take(page, part, found)
        rules = [rule for rule in content.rules if not any(_within(rule, box) for box in framed)]
        rest = [item for item in content.turned if _turn(content, item) != turn]
        content = replace(content, turned=rest, rules=rules)
    return content, found


def _turn(content: PageContent, item: Turned) -> int:
    """By how much a glyph runs otherwise than the page, clockwise in degrees."""
    return (item.glyph.style.turn + content.turn) % 360


def _lies_sideways(grid: Grid, content: PageContent, mine: Sequence[Turned]) -> bool:
    left, top, right, bottom = grid.box
    inside = sum(left <= t.x <= right and top <= t.y <= bottom for t in mine)
    upright = sum(
        left <= (g.x0 + g.x1) / 2 <= right and top <= g.y - 0.3 * g.style.size <= bottom for g in content.glyphs
    )
    return inside >= LEAST and upright <= UPRIGHT * inside


def _is_large(table: RawTable) -> bool:
    filled = [cell for cell in table.cells if cell.text]
    return len({cell.row for cell in filled}) >= 3 and len({cell.column for cell in filled}) >= 3


def _within(rule: Rule, box: Box) -> bool:
    left, top, right, bottom = box[0] - SLACK, box[1] - SLACK, box[2] + SLACK, box[3] + SLACK
    if rule.horizontal:
        return top <= rule.at <= bottom and left <= rule.start and rule.end <= right
    return left <= rule.at <= right and top <= rule.start and rule.end <= bottom


def _part(content: PageContent, mine: Sequence[Turned], framed: Sequence[Box], turn: int) -> PageContent:
    """What runs in one direction as a page of its own, which reads from left to right."""
    across = turn in (90, 270)
    width, height = (content.height, content.width) if across else (content.width, content.height)
    # glyphs that run another way are given with the coordinates of that way, from an origin of its own
    right, down = {90: (0.0, height), 180: (width, height)}.get(turn, (width, 0.0))
    glyphs = [Glyph(g.ch, g.x0 + right, g.x1 + right, g.y + down, g.style, g.gap) for g in (t.glyph for t in mine)]
    rules = [_turned_rule(rule, turn, width, height) for rule in content.rules if any(_within(rule, b) for b in framed)]
    back = (360 - turn) % 360  # the frame is turned against its text
    fills = [turned_back(box, turn, content.width, content.height) for box in content.fills]
    return PageContent(width, height, back, glyphs, rules=rules, fills=fills)


def _turned_rule(rule: Rule, turn: int, width: float, height: float) -> Rule:
    if turn == 90:
        if rule.horizontal:
            return Rule(False, rule.at, height - rule.end, height - rule.start)
        return Rule(True, height - rule.at, rule.start, rule.end)
    if turn == 270:
        if rule.horizontal:
            return Rule(False, width - rule.at, rule.start, rule.end)
        return Rule(True, rule.at, width - rule.end, width - rule.start)
    far = height if rule.horizontal else width
    end = width if rule.horizontal else height
    return Rule(rule.horizontal, far - rule.at, end - rule.end, end - rule.start)


def _take(page: RawPage, part: PageContent, found: RawPage) -> None:
    """Tables with their caption and notes, and all lines, each where it lies on the upright page."""
    around: dict[int, list[RawTable]] = defaultdict(list)
    for table in page.tables:
        around[table.place].append(table)
        table.title, table.notes = _caption(page, table), _notes(page, table)
        table.turn, table.frame = part.turn, (part.width, part.height)
        found.tables.append(table)
    for line in page.lines:
        box = turned_back((line.x0, line.top, line.x1, line.bottom), part.turn, part.width, part.height)
        x0, top, x1, bottom = (round(value, 2) for value in box)
        found.lines.append(RawLine(line.text, x0, top, x1, bottom, line.size, line.bold, line.italic, SIDEWAYS))


def _caption(page: RawPage, table: RawTable) -> str:
    """The numbered caption over the table, or under it; of at most three lines."""
    top, bottom = table.ys[0], table.ys[-1]
    for first in range(table.place - 1, max(-1, table.place - 4), -1):
        lines = page.lines[first : table.place]
        if top - lines[-1].bottom > NEAR * table.size or any(abs(x.size - lines[0].size) > 0.6 for x in lines):
            break
        if caption_number(lines[0].text) is not None:
            return " ".join(line.text for line in lines)
    below = page.lines[table.place] if table.place < len(page.lines) else None
    if below is not None and 0 <= below.top - bottom <= 3 * table.size and caption_number(below.text) is not None:
        return below.text
    return ""


def _notes(page: RawPage, table: RawTable) -> list[str]:
    """Lines directly under the table that read like its notes."""
    notes: list[str] = []
    bottom = table.ys[-1]
    for line in page.lines[table.place :]:
        if not 0 <= line.top - bottom <= 3 * line.size or not is_note(line.text):
            break
        notes.append(line.text)
        bottom = line.bottom
    return notes
