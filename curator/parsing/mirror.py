"""Pages in scripts that run from right to left, seen in a mirror: there lines, columns and tables begin at the left.

The glyphs of each phrase are put into the order in which they are read, by their places: files hold them in the order
of the page, of the text, or in both by turns. A number or a Latin word keeps its own direction. Positions are those of
the mirror, `RawPage.display` turns them back.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise

from curator.parsing.content import Glyph, PageContent, Rule, Turned
from curator.parsing.raw import RawTable
from curator.parsing.rules import otherwise

LEAST = 10
APART = 0.9  # of the font size: gaps between phrases
# of the font size: gaps between words where the file has white space, tells nothing, has none
JUST_SEEN, SPACE, WIDE = 0.08, 0.14, 0.35
BEGINS, GOES_ON = 1, 2
_PAIRS = ("()", "[]", "{}")
_BRACKETS = frozenset("".join(_PAIRS))
_HEBREW = re.compile(r"(?:(?<![^\W_])[$€£¥₪#+\-−±])?[^\W_]+(?:[.,:/'’@_٫٬–-]+[^\W_]+)*[%‰°٪]?|.", re.DOTALL)
_ARABIC = re.compile(r"(?:(?<![^\W_])[$€£¥#+\-−±])?[^\W_]+(?:[.,:/'’@_٫٬]+[^\W_]+)*[%‰°٪]?|.", re.DOTALL)
"""What keeps its own direction: in Arabic a hyphen between two numbers does not."""
_UNIT = re.compile(r"[a-zµμΩ°%](?:[a-zA-ZµμΩ]{0,3})(?:/[a-zA-Z]{1,4})?[²³]?")
_STOPS = frozenset(".,;:!?،؛؟")

Box = tuple[float, float, float, float]
_Cluster = list[Glyph]  # a letter, and the marks on it


def is_rtl(ch: str) -> bool:
    """Hebrew, Arabic and their presentation forms."""
    return "\u0590" <= ch <= "\u08ff" or "\ufb1d" <= ch <= "\ufdff" or "\ufe70" <= ch <= "\ufefc"


def runs_leftward(content: PageContent) -> bool:
    """Whether most letters of a page are of a script that runs from right to left."""
    if not any(is_rtl(g.ch) for g in content.glyphs):
        return False
    rtl = sum(is_rtl(g.ch) and g.ch.isalpha() for g in content.glyphs)
    return rtl >= LEAST and 2 * rtl > sum(g.ch.isalpha() for g in content.glyphs)


def mirrored(content: PageContent) -> PageContent:
    """The page in a mirror, its glyphs in the order in which they are read; one that runs rightward as it is."""
    if content.downward or not runs_leftward(content):
        return content
    otherwise()
    width = content.width
    glyphs = [glyph for phrase in _phrases(content.glyphs) for glyph in _read(phrase, width)]
    return PageContent(
        width, content.height, content.turn, glyphs,
        [Turned(t.glyph, width - t.x, t.y) for t in content.turned],
        [_rule(rule, width) for rule in content.rules],
        [_box(box, width) for box in content.fills],
        [_box(box, width) for box in content.images],
        content.text_objects, content.outside, content.unmapped, cut=content.cut, mirrored=True,
    )  # fmt: skip


def _rule(rule: Rule, width: float) -> Rule:
    if rule.horizontal:
        return Rule(True, rule.at, width - rule.end, width - rule.start)
    return Rule(False, width - rule.at, rule.start, rule.end)


def _box(box: Box, width: float) -> Box:
    return width - box[2], box[1], width - box[0], box[3]


def _phrases(glyphs: list[Glyph]) -> list[list[tuple[int, Glyph]]]:
    """Glyphs of one baseline without wide gaps, from left to right, each with its place among the file's letters."""
    levels: dict[int, list[tuple[int, Glyph]]] = defaultdict(list)
    place = 0
    for glyph in glyphs:
        place += not unicodedata.combining(glyph.ch[0])
        levels[round(glyph.y * 2)].append((place, glyph))
    lines: list[list[tuple[int, Glyph]]] = []
    for level in sorted(levels):
        near = lines and abs(levels[level][0][1].y - lines[-1][0][1].y) < 0.12 * lines[-1][0][1].style.size
        if near:
            lines[-1] += levels[level]
        else:
            lines.append(levels[level])
    found = []
    for line in lines:
        line.sort(key=lambda item: (item[1].x0 + item[1].x1, item[0]))
        found.append([line[0]])
        right = line[0][1].x1
        for item in line[1:]:
            glyph = item[1]
            if glyph.x0 - right > APART * glyph.style.size:
                found.append([])
            found[-1].append(item)
            right = max(right, glyph.x1) if len(found[-1]) > 1 else glyph.x1
    return sorted(found, key=lambda phrase: min(n for n, _ in phrase))


def _read(phrase: list[tuple[int, Glyph]], width: float) -> Iterator[Glyph]:
    """The glyphs of a phrase as they are read, in the mirror."""
    words = [_clusters(word) for word in _words(phrase)]
    kinds = [_kind(word) for word in words]
    token = _ARABIC if any("\u0600" <= g.ch <= "\u08ff" and g.ch.isalpha() for _, g in phrase) else _HEBREW
    left, right = phrase[0][1].x0, max(g.x1 for _, g in phrase)
    ordered: list[list[Glyph]] = []
    for first, end in _groups(words, kinds):
        if "L" not in kinds[first:end]:
            ordered += [_flat(_inside(word, token)) for word in words[first:end]]
        else:
            ordered += _rightward([_flat(word) for word in words[first:end]], whole="R" not in kinds)
    made = _turn_brackets(ordered) if "R" in kinds else ordered
    pen = width - right
    for glyphs in made:
        x0, x1 = min(g.x0 for g in glyphs), max(g.x1 for g in glyphs)
        pen = pen if "L" in kinds else width - x1
        yield from _set(glyphs, pen, x1 - x0)
        pen += x1 - x0 + _space(made, right - left)


def _groups(words: list[list[_Cluster]], kinds: list[str]) -> list[tuple[int, int]]:
    """First word and the one after the last of each group, as they are read: from the right.

    A group is Latin words with the numbers behind them ("ISO 9001"), or one word.
    """
    if "R" not in kinds and "L" in kinds:
        return [(0, len(kinds))]
    found = []
    end = len(kinds)
    while end:
        first = end - 1
        if kinds[first] != "R":
            last = next((k for k in range(first, -1, -1) if kinds[k] == "R"), -1)
            latin = [k for k in range(last + 1, end) if kinds[k] == "L"]
            if latin:
                first = latin[0]
        found.append((first, end))
        end = first
    return found


def _rightward(words: list[list[Glyph]], *, whole: bool) -> list[list[Glyph]]:
    """Words that run from left to right: the stop on their left ends them within other text; a number has its unit."""
    if len(words) == 2 and words[1][0].ch.isdigit() and _UNIT.fullmatch("".join(g.ch for g in words[0])):
        return words[::-1]
    if whole:
        return words
    stops = 0
    while stops < len(words[0]) - 1 and words[0][stops].ch in _STOPS:
        stops += 1
    if not stops:
        return words
    head, rest = words[0][:stops], [words[0][stops:], *words[1:]]
    return [*rest[:-1], [*rest[-1], *head[::-1]]]


def _flat(word: list[_Cluster]) -> list[Glyph]:
    return [glyph for cluster in word for glyph in cluster]


def _space(words: list[list[Glyph]], length: float) -> float:
    """The usual gap between the words of a phrase of this length."""
    inked = sum(max(g.x1 for g in w) - min(g.x0 for g in w) for w in words)
    return max(0.0, length - inked) / max(1, len(words) - 1)


def _set(glyphs: list[Glyph], at: float, room: float) -> Iterator[Glyph]:
    """A word as it is read, from `at` to the right."""
    widths = [0.0 if unicodedata.combining(g.ch[0]) else g.x1 - g.x0 for g in glyphs]
    scale = room / total if (total := sum(widths)) else 1.0
    for n, (glyph, wide) in enumerate(zip(glyphs, widths, strict=True)):
        yield Glyph(glyph.ch, at, at + wide * scale, glyph.y, glyph.style, n == 0, GOES_ON if n else BEGINS)
        at += wide * scale


def _words(phrase: list[tuple[int, Glyph]]) -> list[list[Glyph]]:
    """The phrase cut at white space: as the file has it between neighbors of its own, else where a gap is seen."""
    words = [[phrase[0][1]]]
    right = phrase[0][1].x1
    for before, item in pairwise(phrase):
        glyph, gap = item[1], (item[1].x0 - right) / item[1].style.size
        least = SPACE
        if abs(before[0] - item[0]) == 1:
            least = JUST_SEEN if max(before, item, key=lambda one: one[0])[1].gap else WIDE
        if gap > least:
            words.append([])
            right = glyph.x1
        words[-1].append(glyph)
        right = max(right, glyph.x1)
    return words


def _clusters(word: list[Glyph]) -> list[_Cluster]:
    """Letters from left to right, each with the marks that stand on it."""
    letters = [g for g in word if not unicodedata.combining(g.ch[0])]
    marks = [g for g in word if unicodedata.combining(g.ch[0])]
    if not letters:
        return [[g] for g in marks]
    found = [[g] for g in letters]
    for mark in marks:
        middle = (mark.x0 + mark.x1) / 2
        n = min(range(len(letters)), key=lambda k: abs((letters[k].x0 + letters[k].x1) / 2 - middle))
        found[n].append(mark)
    return found


def _kind(word: list[_Cluster]) -> str:
    """R: it has letters that run leftward; L: it has others; N: numbers and signs."""
    if any(is_rtl(cluster[0].ch) and cluster[0].ch.isalpha() for cluster in word):
        return "R"
    return "L" if any(cluster[0].ch.isalpha() for cluster in word) else "N"


def _inside(word: list[_Cluster], token: re.Pattern[str]) -> list[_Cluster]:
    """The letters of a word as they are read."""
    text = "".join(c[0].ch for c in word)
    tokens: list[list[_Cluster]] = []
    n = 0
    while n < len(word):
        size = 1
        if not _leftward(word[n]):
            end = next((k for k in range(n, len(word)) if _leftward(word[k])), len(word))
            match = token.match(text, n, end)
            size = max(1, match.end() - n) if match else 1
        tokens.append(word[n : n + size])
        n += size
    return [cluster for part in reversed(tokens) for cluster in part]


def _leftward(cluster: _Cluster) -> bool:
    return is_rtl(cluster[0].ch) and cluster[0].ch.isalpha()


def _turn_brackets(words: list[list[Glyph]]) -> list[list[Glyph]]:
    """Brackets as they are meant: files hold them as they look, too. One that stands alone joins its word."""
    waiting: list[Glyph] = []
    within = False
    made: list[list[Glyph]] = []
    for word in words:
        alone = len(word) == 1 and word[0].ch in _BRACKETS
        if alone and not within:
            waiting, within = _turned(word, opens=True), True
            continue
        if alone and made:
            made[-1] += _turned(word, opens=False)
            within = False
            continue
        if word[0].ch in _BRACKETS and len(word) > 1:
            word = [*_turned(word[:1], opens=True), *word[1:]]
            within = True
        if word[-1].ch in _BRACKETS and len(word) > 1:
            word = [*word[:-1], *_turned(word[-1:], opens=False)]
            within = False
        made.append([*waiting, *word])
        waiting = []
    return [*made, waiting] if waiting else made


def _turned(glyphs: list[Glyph], *, opens: bool) -> list[Glyph]:
    """A bracket that opens or closes."""
    glyph = glyphs[0]
    pair = next(p for p in _PAIRS if glyph.ch in p)
    return [Glyph(pair[0 if opens else 1], glyph.x0, glyph.x1, glyph.y, glyph.style, glyph.gap)]


def as_it_lies(table: RawTable) -> RawTable:
    """A table of a mirrored page; one without a letter that runs leftward lies as on any other page."""
    texts = "".join(cell.text for cell in table.cells)
    if any(is_rtl(ch) for ch in texts) or sum(ch.isalpha() for ch in texts) < LEAST:
        return table
    count, edges = len(table.xs) - 1, table.xs[0] + table.xs[-1]
    table.xs = [round(edges - x, 2) for x in reversed(table.xs)]
    for cell in table.cells:
        cell.column = count - cell.column - cell.columns
    return table
