"""Glyphs become words, words become lines; superscript footnote marks are kept off the number before them.

A raised small "1" after "500" is written `500[^1]`, at the start of a line `[^1] `; after a unit or a power of ten it
is an exponent and stays one ("mm²", "10⁻³").
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from curator.parsing.content import Glyph
from curator.parsing.mirror import GOES_ON, is_rtl

SMALL = 0.84
SOFT_HYPHEN = "\u00ad"
LINE_HYPHEN = "\u2010"
_LIGATURES = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"})
_SUPERSCRIPTS = str.maketrans("0123456789+-−–()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁽⁾ⁿ")
_PLAIN = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_MARK = re.compile(r"[(\[]?(?:\d{1,3}(?:\s?[,;/–-]\s?\d{1,3}){0,5}|[*†‡§¶#]{1,3}|[a-z](?:\s?,\s?[a-z])*)[)\].]?")
_UNIT = re.compile(r"(?:^|[^A-Za-z])(?:[kcdmµμn]?m|in|ft|yd|mi|inch(?:es)?|feet|s|sec|h|kg|g|kPa|Pa)$")
_CLOSING = re.compile(r"[,;:)\]]|\.(?!\.)")
_SHORT_UNITS = frozenset("gshltVAWNJKC")
_ORDINAL = {"st", "nd", "rd", "th", "er", "re", "ème", "nde", "tm", "sm", "®", "™", "℠"}
_ELEMENTS = frozenset("BCFHIKNOPS")
_GROUP = re.compile(r"\((?:[BCFHIKNOPS][a-z]?\d?)+\)$")  # of a formula: "(OH)"
_RAISED_CHARS = re.compile(r"(?<=[\w.,)%])([¹²³⁰⁴-⁹]+(?:[,;][¹²³⁰⁴-⁹]+)*)(?![\w⁺⁻])")


@dataclass(slots=True)
class Word:
    """A run of glyphs without white space, marks already written out.

    `placed`: its place tells when it is read, in whichever script it is.
    """

    text: str
    x0: float
    x1: float
    y: float
    size: float
    bold: bool
    italic: bool
    unseen: int
    glyphs: int
    placed: bool = False


@dataclass(slots=True)
class Line:
    """Words on one baseline, left to right (in the order of the file where the script runs from right to left)."""

    words: list[Word]
    text: str
    x0: float
    x1: float
    y: float
    size: float
    bold: bool
    italic: bool

    @property
    def top(self) -> float:
        """Upper edge, from the baseline and the size."""
        return self.y - 0.8 * self.size

    @property
    def bottom(self) -> float:
        """Lower edge, from the baseline and the size."""
        return self.y + 0.22 * self.size

    @property
    def unseen(self) -> int:
        """Glyphs that no reader of the page sees."""
        return sum(word.unseen for word in self.words)


@dataclass(slots=True)
class _Run:
    text: str
    x0: float
    x1: float
    y: float
    size: float
    bold: int
    italic: int
    unseen: int
    count: int
    placed: bool = False


def make_words(glyphs: Iterable[Glyph], unseen: Sequence[int] | frozenset[int] = frozenset()) -> list[Word]:
    """Words in the order of the glyphs. `unseen` holds the id() of glyphs that cannot be seen on the page."""
    words: list[Word] = []
    chain: list[_Run] = []
    for glyph in glyphs:
        style = glyph.style
        size = style.size
        hidden = 1 if style.unseen or (style.white and id(glyph) in unseen) else 0
        if chain:
            run = chain[-1]
            big = size if size > run.size else run.size
            step = run.x0 - glyph.x1 if is_rtl(glyph.ch) else glyph.x0 - run.x1
            close = not glyph.gap and (glyph.bound == GOES_ON or -0.7 * big < step < 0.3 * big)
            drop = glyph.y - run.y
            alike = 0.97 <= size / run.size <= 1.03
            if close and alike and abs(drop) < 0.12 * big:
                run.text += glyph.ch
                run.x0 = glyph.x0 if glyph.x0 < run.x0 else run.x0
                run.x1 = glyph.x1 if glyph.x1 > run.x1 else run.x1
                run.bold += style.bold
                run.italic += style.italic
                run.unseen += hidden
                run.count += 1
                continue
            if not (close and abs(drop) < 0.7 * big):
                words.append(_close(chain))
                chain = []
        heavy, slanted = int(style.bold), int(style.italic)
        chain.append(_Run(glyph.ch, glyph.x0, glyph.x1, glyph.y, size, heavy, slanted, hidden, 1, glyph.bound > 0))
    if chain:
        words.append(_close(chain))
    return words


def _close(chain: list[_Run]) -> Word:
    """One word of runs that touch: raised small runs after the first become marks or exponents."""
    main = max(chain, key=lambda run: (run.size, run.count))
    text = ""
    for i, run in enumerate(chain):
        after = chain[i + 1].text if i + 1 < len(chain) else ""
        raised = run.size <= SMALL * main.size and (
            main.y - run.y > 0.14 * main.size or _shrunk(text, run, main, after)
        )
        raised = raised or (
            main.y - run.y > 0.25 * main.size and len(run.text) <= 3 and 0 < i == len(chain) - 1 and main.count > 1
        )
        text = (
            with_mark(text, run.text)
            if raised and text
            else text
            + (
                f"[^{run.text}] "
                if raised and _MARK.fullmatch(run.text) and run.text[0] in "0123456789*†‡§¶#"
                else run.text
            )
        )
    text = _RAISED_CHARS.sub(lambda m: _raised_char(text[: m.start()], m[1]), text) if not text.isascii() else text
    return Word(
        text.translate(_LIGATURES),
        min(run.x0 for run in chain),
        max(run.x1 for run in chain),
        main.y,
        main.size,
        2 * sum(run.bold for run in chain) > sum(run.count for run in chain),
        2 * sum(run.italic for run in chain) > sum(run.count for run in chain),
        sum(run.unseen for run in chain),
        sum(run.count for run in chain),
        chain[0].placed,
    )


def _shrunk(before: str, run: _Run, main: _Run, after: str) -> bool:
    """A mark that a converter made small but did not raise: digits behind a word, a number or the end of a sentence.

    Digits behind an element or a short symbol are part of it ("CO2"), and a small number in a fraction or a price is
    no mark.
    """
    if run.size > 0.75 * main.size or abs(main.y - run.y) >= 0.03 * main.size:
        return False
    if not re.fullmatch(r"[1-9]\d{0,2}", run.text) or after[:1] in tuple("/⁄.%") or not before:
        return False
    if before[-1].isdigit():
        return re.search(r"[$€£¥]|[.,/⁄]\d*$|^\d$", before) is None
    if _GROUP.search(before):
        return False
    capitals = re.search(r"(?<![A-Za-z])[A-Z]{3,}$", before)
    return re.search(r"[a-z]{3}$|[a-zA-Z)\]”’»][.,;:?!]?[)\]”’»\"']?(?<![a-zA-Z])$", before) is not None or (
        capitals is not None and not set(capitals[0]) <= _ELEMENTS
    )


def _raised_char(before: str, raised: str) -> str:
    """Superscript characters of the font itself, read like small raised digits."""
    return with_mark(before, raised.translate(_PLAIN))[len(before) :]


def with_mark(base: str, raised: str) -> str:
    """A word and the raised small text behind it: footnote mark, exponent, or ordinal ending."""
    raised = raised.strip()
    if raised.lower() in _ORDINAL and base[-1:].isalnum():
        return base + raised
    digits = raised.lstrip("+-−–").isdigit()
    power = re.search(r"(?:^|[×x·*]\s?)10$", base) is not None
    power = power or (base[-1:].isalpha() and len(base) == 1 and _exponent(base, raised))
    if digits and (not raised.isdigit() or power or (_UNIT.search(base) and raised in ("2", "3"))):
        return base + raised.translate(_SUPERSCRIPTS)
    if re.fullmatch(r"\d?[+−–-]", raised):
        return base + raised.translate(_SUPERSCRIPTS)
    if _MARK.fullmatch(raised) and not (raised[0].isalpha() and base[-1:].isalpha() and len(base) == 1):
        return f"{base}[^{raised.strip('()[].')}]"
    return base + raised


def _exponent(letter: str, raised: str) -> bool:
    """Whether a raised number behind a single letter may be its exponent: none is 1, and units have 2 and 3 alone."""
    return raised != "1" and (raised in ("2", "3") or letter not in _SHORT_UNITS)


def make_lines(words: list[Word]) -> list[Line]:
    """Words of one column or cell as lines, from the top down."""
    rows: list[list[Word]] = []
    for word in sorted(words, key=lambda w: (w.y, w.x0)):
        last = rows[-1][-1] if rows else None
        if last and word.y - last.y <= 0.35 * min(last.size, word.size):
            rows[-1].append(word)
        else:
            rows.append([word])
    order = {id(word): i for i, word in enumerate(words)}
    return [_line(row, order) for row in _with_raised(rows)]


def _with_raised(rows: list[list[Word]]) -> list[list[Word]]:
    """Rows of nothing but raised marks join the row just below, whose baseline they belong to."""
    kept: list[list[Word]] = []
    for i, row in enumerate(rows):
        after = rows[i + 1] if i + 1 < len(rows) else None
        if after and all(_MARK.fullmatch(word.text) for word in row):
            size = max(word.size for word in after)
            y = max(word.y for word in after)
            near = min(word.x0 for word in after) - 2 * size, max(word.x1 for word in after) + 2 * size
            if (
                row[0].size <= SMALL * size
                and y - row[0].y < 0.65 * size
                and all(near[0] <= word.x0 <= near[1] for word in row)
            ):
                after.extend(row)
                continue
        kept.append(row)
    return kept


def _line(row: list[Word], order: dict[int, int]) -> Line:
    sizes: Counter[float] = Counter()
    rtl = ltr = 0
    for word in row:
        sizes[round(word.size, 1)] += word.glyphs
        if is_rtl(word.text[-1:] or " ") or is_rtl(word.text[:1] or " "):
            rtl += word.glyphs
        elif any(ch.isalpha() for ch in word.text):
            ltr += word.glyphs
    size = max(sizes, key=lambda s: (sizes[s], s))
    base = [word for word in row if abs(word.size - size) < 0.11] or row
    y = max(base, key=lambda w: w.glyphs).y
    by_file = rtl > ltr and not row[0].placed
    row = sorted(row, key=(lambda w: order[id(w)]) if by_file else (lambda w: w.x0))
    text = ""
    previous: Word | None = None
    for word in row:
        raised = word.size <= SMALL * size and y - word.y > 0.14 * size
        touching = previous is not None and -0.5 * size < word.x0 - previous.x1 < 0.12 * size
        if raised and _MARK.fullmatch(word.text):
            text = (
                with_mark(text, word.text)
                if text and word.x0 - (previous.x1 if previous else 0) < 0.35 * size
                else (f"{text} [^{word.text}]".lstrip())
            )
        elif previous is not None and (
            (touching and (previous.size <= SMALL * size or _CLOSING.match(word.text)))
            or (word.x0 - previous.x1 < 0.9 * size and _spaceless(text[-1:]) and _spaceless(word.text[:1]))
        ):
            text += word.text
        else:
            text += (" " if text else "") + word.text
        previous = word
    bold = sum(word.glyphs for word in row if word.bold)
    italic = sum(word.glyphs for word in row if word.italic)
    total = sum(word.glyphs for word in row)
    x0, x1 = min(word.x0 for word in row), max(word.x1 for word in row)
    return Line(row, " ".join(text.split()), x0, x1, y, size, 10 * bold >= 8 * total, 10 * italic >= 8 * total)


def join_lines(lines: Sequence[str]) -> str:
    """Lines of one cell or paragraph as one text, no space between Han or kana; soft hyphens stay for `hyphens`."""
    text = ""
    for line in lines:
        if text.endswith(LINE_HYPHEN) and line[:1].islower():
            text = text[:-1] + line
            continue
        touching = text.endswith(SOFT_HYPHEN) or (_spaceless(text[-1:]) and _spaceless(line[:1]))
        text += line if not text or touching else " " + line
    return text


def _spaceless(ch: str) -> bool:
    """Han, kana and their punctuation: scripts that put no space between words."""
    return "\u3001" <= ch <= "\u30ff" or "\u3400" <= ch <= "\u9fff" or "\uff01" <= ch <= "\uff60"
