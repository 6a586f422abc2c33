"""One page from glyphs to lines and tables: runs in the reading process, knows nothing of other pages."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import pairwise
from typing import Any

from curator.parsing.accents import composed
from curator.parsing.aligned import find_aligned_tables
from curator.parsing.columns import Block, in_columns
from curator.parsing.content import Glyph, PageContent, Turned
from curator.parsing.gaps import find_gap_tables
from curator.parsing.grid import Grid, find_grids, without_edges
from curator.parsing.mirror import as_it_lies, mirrored
from curator.parsing.pdfium import read_page
from curator.parsing.raw import SIDEWAYS, RawCell, RawLine, RawPage, RawTable
from curator.parsing.records import split_columns, split_gaps, split_rows
from curator.parsing.rules import noted
from curator.parsing.sideways import read_sideways
from curator.parsing.stacks import find_stack_tables
from curator.parsing.words import Line, Word, join_lines, make_lines, make_words
from curator.text import counted

SCAN_SHARE = 0.5
FEW = 20
UNMAPPED = 0.02


def page_of(document: Any, index: int) -> RawPage:
    """Page `index` (from 0) of a pdfium document.

    Raises:
        Unreadable: pdfium cannot load the page.
    """
    with noted() as versions:
        page = lay_out(mirrored(read_page(document, index)), index + 1)
    page.rules = max(versions, default=0)
    if page.mirrored:
        page.tables = [as_it_lies(table) for table in page.tables]
    return page


def lay_out(content: PageContent, number: int, grids: list[Grid] | None = None) -> RawPage:
    """Lines in reading order and tables of a page.

    Args:
        content: What the page shows.
        number: Its number, from 1.
        grids: Tables that another engine found on it; else those that the drawn lines make.
    """
    page = RawPage(number, round(content.width, 2), round(content.height, 2), content.turn, mirrored=content.mirrored)
    content.glyphs = composed(content.glyphs)
    hidden = _hidden(content)
    upright, sideways = read_sideways(content, number, lay_out) if grids is None else (content, RawPage(number))
    tables, free, free_turned = _ruled(upright, hidden, grids)
    words = make_words(free, hidden)
    if grids is None:
        stacked, words = find_stack_tables(words, upright, [table.box for table in tables])
        tables += stacked
    _order(page, words, tables + sideways.tables)
    page.lines += sideways.lines
    _add_turned(page, free_turned, hidden)
    _judge(page, content, hidden)
    return page


def _hidden(content: PageContent) -> frozenset[int]:
    """id() of white glyphs that no fill or image lies under."""
    white = [(g, (g.x0 + g.x1) / 2, g.y - 0.3 * g.style.size) for g in content.glyphs if g.style.white]
    white += [(t.glyph, t.x, t.y) for t in content.turned if t.glyph.style.white]
    covers = content.fills + content.images
    return frozenset(
        id(g) for g, x, y in white if not any(b[0] - 1 <= x <= b[2] + 1 and b[1] - 1 <= y <= b[3] + 1 for b in covers)
    )


def _ruled(
    content: PageContent, hidden: frozenset[int], given: list[Grid] | None
) -> tuple[list[RawTable], list[Glyph], list[Turned]]:
    """Tables by drawn lines or by the given grids, and the glyphs that lie in none."""
    grids = find_grids(content.rules) if given is None else given
    if not grids:
        return [], content.glyphs, content.turned
    grids.sort(key=lambda g: (g.box[2] - g.box[0]) * (g.box[3] - g.box[1]))
    straight = _placed(grids, content.glyphs)
    cut = _cut_words(content.glyphs, grids, straight)
    if cut and given is None:
        grids = _healed(grids, cut)
        straight = _placed(grids, content.glyphs)
        cut = _cut_words(content.glyphs, grids, straight)
    turned: dict[tuple[int, int], list[Turned]] = defaultdict(list)
    for item in content.turned:
        place = _cell_at(grids, item.x, item.y)
        if place is not None:
            turned[place].append(item)
    tables: list[RawTable] = []
    taken: set[int] = set()
    for number, grid in enumerate(grids):
        inside = [straight.get((number, c), []) for c in range(len(grid.cells))]
        others = [turned.get((number, c), []) for c in range(len(grid.cells))]
        if given is None and sum(cut[number].values()) > max(2, 0.02 * sum(map(len, inside))):
            continue  # lines that run through words: a chart
        table = _table(grid, inside, [[t.glyph for t in items] for items in others], hidden)
        if table is not None:
            tables.append(table)
            taken.update(id(glyph) for glyphs in inside for glyph in glyphs)
            taken.update(id(item.glyph) for items in others for item in items)
    free = [glyph for glyph in content.glyphs if id(glyph) not in taken]
    return tables, free, [item for item in content.turned if id(item.glyph) not in taken]


def _placed(grids: list[Grid], glyphs: list[Glyph]) -> dict[tuple[int, int], list[Glyph]]:
    """Glyphs by grid and cell."""
    found: dict[tuple[int, int], list[Glyph]] = defaultdict(list)
    for glyph in glyphs:
        place = _cell_at(grids, (glyph.x0 + glyph.x1) / 2, glyph.y - 0.3 * glyph.style.size)
        if place is not None:
            found[place].append(glyph)
    return found


def _cell_at(grids: list[Grid], x: float, y: float) -> tuple[int, int] | None:
    """The smallest grid that has a cell there, and the cell."""
    for number, grid in enumerate(grids):
        box = grid.box
        if box[0] <= x < box[2] and box[1] <= y < box[3]:
            cell = grid.at(x, y)
            if cell is not None:
                return number, cell
    return None


def _cut_words(
    glyphs: list[Glyph], grids: list[Grid], straight: dict[tuple[int, int], list[Glyph]]
) -> dict[int, Counter[int]]:
    """For each grid, how many words run across which of its inner edges."""
    home = {id(glyph): place for place, inside in straight.items() for glyph in inside}
    cut: dict[int, Counter[int]] = defaultdict(Counter)
    for a, b in pairwise(glyphs):
        if b.gap or abs(b.y - a.y) > 0.5 or not -0.3 < (b.x0 - a.x1) / a.style.size < 0.1:
            continue
        first, second = home.get(id(a)), home.get(id(b))
        if first != second and first is not None and second is not None and first[0] == second[0]:
            cut[first[0]][grids[first[0]].cells[second[1]].column] += 1
    return cut


def _healed(grids: list[Grid], cut: dict[int, Counter[int]]) -> list[Grid]:
    """Grids without the few stray lines that cut words in most rows; where many do, the grid is left as it is."""
    healed = []
    for number, grid in enumerate(grids):
        rows = len(grid.ys) - 1
        edges = {edge for edge, times in cut[number].items() if 0 < edge < len(grid.xs) - 1 and 2 * times > rows}
        better = without_edges(grid, edges) if edges and 4 * len(edges) <= len(grid.xs) else None
        healed.append(better or grid)
    return healed


def _turned_lines(glyphs: list[Glyph], hidden: frozenset[int]) -> list[Line]:
    """Lines of text that runs in another direction, direction by direction."""
    by_turn: dict[int, list[Glyph]] = defaultdict(list)
    for glyph in glyphs:
        by_turn[glyph.style.turn].append(glyph)
    return [line for turn in sorted(by_turn) for line in make_lines(make_words(by_turn[turn], hidden))]


def _add_turned(page: RawPage, turned: list[Turned], hidden: frozenset[int]) -> None:
    """Text at the side of the page, after all else; its boxes are those of its glyphs' middles."""
    if not turned:
        return
    xs, ys = [t.x for t in turned], [t.y for t in turned]
    for line in _turned_lines([t.glyph for t in turned], hidden):
        page.lines.append(
            RawLine(line.text, min(xs), min(ys), max(xs), max(ys), line.size, line.bold, line.italic, SIDEWAYS)
        )


def _table(
    grid: Grid, straight: list[list[Glyph]], turned: list[list[Glyph]], hidden: frozenset[int]
) -> RawTable | None:
    """The grid with its texts, or None when it is no table but a frame, a box, a form or a drawing."""
    cells = []
    sizes: Counter[float] = Counter()
    written: list[list[Line]] = []
    for cell, glyphs, others in zip(grid.cells, straight, turned, strict=True):
        words = make_words(glyphs, hidden)
        edges = grid.xs[cell.column : cell.column + cell.columns + 1]
        parts = split_columns(words, edges) if cell.columns > 1 and not others else [(0, cell.columns, words)]
        for start, width, part in parts:
            lines = make_lines(part) + _turned_lines(others, hidden)
            written.append(lines if not others else [])
            for line in lines:
                sizes[line.size] += len(line.text)
            text = join_lines([line.text for line in lines])
            bold = bool(lines) and all(line.bold for line in lines)
            cells.append(RawCell(cell.row, cell.column + start, cell.rows, width, text, bold, len(lines)))
    if not _tabular(grid, cells):
        return None
    size = max(sizes, key=lambda s: (sizes[s], s)) if sizes else 10.0
    xs, ys = [round(x, 2) for x in grid.xs], [round(y, 2) for y in grid.ys]
    return split_rows(*split_gaps(RawTable(xs, ys, cells, 0, size), written))


def _tabular(grid: Grid, cells: list[RawCell]) -> bool:
    """Two columns and two rows of text at least, no box of prose, no drawing."""
    filled = [cell for cell in cells if cell.text]
    if not filled or min(c.column + c.columns for c in filled) > max(c.column for c in filled):
        return False
    if min(c.row + c.rows for c in filled) > max(c.row for c in filled):
        return False  # no cell stands wholly below another
    total = sum(len(cell.text) for cell in filled)
    largest = max(len(cell.text) for cell in filled)
    if largest > 600 and largest > 0.6 * total and len(filled) <= 6:
        return False
    left, top, right, bottom = grid.box
    covered = sum(
        (grid.xs[c.column + c.columns] - grid.xs[c.column]) * (grid.ys[c.row + c.rows] - grid.ys[c.row]) for c in filled
    )
    irregular = len(cells) < 0.6 * (len(grid.xs) - 1) * (len(grid.ys) - 1)
    if irregular and covered < 0.45 * (right - left) * (bottom - top):
        return False
    tokens = [token for cell in filled for token in cell.text.split()]
    return not (irregular and 2 * sum(len(t) == 1 and t.isalpha() for t in tokens) > len(tokens))


def _phrases(words: list[Word]) -> list[Block]:
    """Words that follow one another in the file on one baseline with small gaps."""
    blocks: list[Block] = []
    for word in words:
        last = blocks[-1] if blocks else None
        if last is not None:
            tail: Word = last.item[-1]
            if abs(word.y - tail.y) < 0.4 * max(word.size, tail.size) and -0.4 < (word.x0 - tail.x1) / tail.size < 1.3:
                last.item.append(word)
                last.x1 = max(last.x1, word.x1)
                last.top = min(last.top, word.y - 0.8 * word.size)
                last.bottom = max(last.bottom, word.y + 0.2 * word.size)
                continue
        blocks.append(Block(word.x0, word.y - 0.8 * word.size, word.x1, word.y + 0.2 * word.size, [word]))
    return blocks


def _order(page: RawPage, words: list[Word], tables: list[RawTable]) -> None:
    blocks = _phrases(words)
    blocks += [Block(t.box[0], t.box[1], t.box[2], t.box[3], t, True) for t in tables]
    for number, group in enumerate(in_columns(blocks)):
        lines = make_lines([word for block in group if not block.table for word in block.item])
        queue = sorted((b for b in group if b.table), key=lambda b: (b.top, b.x0))
        for find in (find_gap_tables, find_aligned_tables):
            for table, first, end in reversed(find(lines)):
                box = table.box
                queue.append(Block(box[0], box[1], box[2], box[3], table, True))
                del lines[first:end]
        queue.sort(key=lambda b: (b.top, b.x0))
        for line in lines:
            while queue and (queue[0].top + queue[0].bottom) / 2 < (line.top + line.bottom) / 2:
                _put(page, queue.pop(0).item)
            page.lines.append(_raw_line(line, number))
        for block in queue:
            _put(page, block.item)


def _put(page: RawPage, table: RawTable) -> None:
    table.place = len(page.lines)
    page.tables.append(table)


def _raw_line(line: Line, group: int) -> RawLine:
    hang = line.words[1].x0 if len(line.words) > 1 else 0.0
    return RawLine(
        line.text, round(line.x0, 2), round(line.top, 2), round(line.x1, 2), round(line.bottom, 2), line.size,
        line.bold, line.italic, group, round(hang, 2),
    )  # fmt: skip


def _judge(page: RawPage, content: PageContent, hidden: frozenset[int]) -> None:
    """Kind, note and flags of a page."""
    glyphs = [*content.glyphs, *(t.glyph for t in content.turned)]
    area = max(1.0, content.width * content.height)
    cover = 0.0
    for x0, top, x1, bottom in content.images:
        width = min(x1, content.width) - max(x0, 0)
        height = min(bottom, content.height) - max(top, 0)
        cover += max(0.0, width) * max(0.0, height) / area
    unseen = sum(1 for g in glyphs if g.style.unseen or id(g) in hidden)
    number = page.index
    if len(glyphs) < FEW and cover > SCAN_SHARE:
        page.kind, page.note = "scanned", f"page {number} is an image: no text"
        page.flags.append(("no-text", f"no text on page {number}: it is an image"))
    elif not glyphs:
        page.kind, page.note = "empty", f"page {number} has no text"
        page.flags.append(("no-text", f"no text on page {number}"))
    elif cover > SCAN_SHARE and 2 * unseen > len(glyphs):
        page.note = f"page {number} is an image with a text layer: its text was recognized by a machine"
        page.flags.append(("ocr-layer", page.note))
    elif unseen:
        page.flags.append(
            ("invisible-text", f"{counted(unseen, 'character')} on page {number} cannot be seen on the page")
        )
    if content.outside:
        lies = counted(content.outside, "character lies", "characters lie")
        page.flags.append(("text-outside", f"{lies} outside the visible part of page {number}"))
    if content.text_objects >= 20 and 2 * len(glyphs) < content.text_objects:
        page.flags.append(("text-missing", f"page {number} draws more text than could be read"))
    odd = sum(1 for g in glyphs if g.ch in "\x00\ufffd" or "\ue000" <= g.ch <= "\uf8ff")
    odd = max(odd, min(content.unmapped, len(glyphs)))
    if odd >= FEW and odd > UNMAPPED * len(glyphs):
        said = "its text is not what it shows" if odd > 0.2 * len(glyphs) else "check them against the page"
        count = f"page {number}: the fonts give no meaning to {odd} of {len(glyphs)} characters"
        page.flags.append(("text-unreliable", f"{count}: {said}"))
    if content.downward:
        page.flags.append(("vertical-text", f"page {number} is set in vertical lines: check the order of its text"))
    if content.cut:
        page.flags.append(("page-cut", f"page {number} holds more than is read of one page: the rest is left out"))
