"""Headings and the tree of sections: from the outline, from labels and their count, else from size and weight."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from curator.domain.identity import slug
from curator.parsing import numbering as nb
from curator.parsing.flow import Flow, Item, Para, Piece, plain
from curator.parsing.numbering import Label, caption_number, is_contents, is_item, read_label
from curator.parsing.raw import SIDEWAYS

_ENDED = re.compile(r"[.;:,。；：，]$")
_LOWER_REFERENCE = re.compile(r"(?:[,;)]|\((?:\d+|[a-z])\)|to |and |or |of )")
_UNIT_AFTER = re.compile(
    r"(?:mm|cm|m|km|kg|g|t|s|h|min|ms|%|per|times|kW|kPa|bar|N|V|A|°|l|ml|million|billion|years?|days?)\b"
)
_MONTH = re.compile(r"(?:jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)", re.IGNORECASE)
_COUNTED = re.compile(r"(?:[IVX]{1,4}|[A-Z]|\d{1,2})[.)]?\s")
_TERM = re.compile(r"([\"“”'‘«][^\"“”'’»]{1,60}[\"”'’»])\s")
_CAPITALS = re.compile(r"[A-Z][A-Z ,&’'/()-]{2,}[.:]")
_LEAD = re.compile(r"([A-Z][^.:;]{2,70})[.:]\s+\S")
_NOTE_MARK = re.compile(r"\s?\[\^[^\]]*\]")
SHORT = 160
LONGEST_TITLE = 200


@dataclass(slots=True, eq=False)
class Node:
    """A section while the tree is built. `weight` compares headings by eye: size, and a bit more for bold."""

    title: str
    label: str
    kind: str
    numbers: tuple[int, ...]
    key: str
    weight: float
    page: int
    parent: Node | None
    outline: int = 0
    run_in: bool = False
    children: int = 0

    @property
    def path(self) -> tuple[str, ...]:
        """Titles from the top down to its own."""
        return (*(self.parent.path if self.parent else ()), self.title)

    @property
    def full_key(self) -> str:
        """Its part of a source id, with the annexes that it lies in."""
        keys = [self.key]
        node = self.parent
        while node is not None:
            if node.kind in (nb.ANNEX, nb.APPENDIX):
                if keys[0].startswith(f"{node.key[-1:]}.") and node.key[-2:-1] == "-":  # H.1 in Annex H
                    keys[0] = keys[0][2:]
                keys.insert(0, node.key)
            node = node.parent
        return ".".join(keys)


@dataclass(slots=True)
class Placed:
    """An item of the flow, the section that it lies in, and whether it is that section's heading and no more."""

    item: Item
    node: Node | None
    heading: bool = False


@dataclass(slots=True)
class Tree:
    """Sections in the order of the document, every item in its section, and the title on the first page."""

    nodes: list[Node] = field(default_factory=list)
    placed: list[Placed] = field(default_factory=list)
    title: str = ""


def build_tree(flow: Flow, outline: list[tuple[int, str, int]]) -> Tree:
    """Finds the headings and puts every item into its section."""
    return _Builder(flow, outline).run()


class _Builder:
    def __init__(self, flow: Flow, outline: list[tuple[int, str, int]]) -> None:
        self.flow = flow
        self.tree = Tree()
        self.stack: list[Node] = []
        self.counts: dict[tuple[int, str], tuple[int, ...]] = {}
        self.styles: dict[str, tuple[float, bool]] = {}
        self.below_article = False
        self.outline = _Outline(outline, flow)
        self.parents = _parents(flow)
        self.title = _document_title(flow)

    def run(self) -> Tree:
        items = self.flow.items
        i = 0
        while i < len(items):
            item = items[i]
            if isinstance(item, Piece) or item.footnote or item.contents:
                self._put(item)
            elif item is self.title:
                self.tree.title = _unmarked(item.text)
                self._put(item)
            else:
                i += self._paragraph(item, items[i + 1] if i + 1 < len(items) else None)
            i += 1
        return self.tree

    def _put(self, item: Item, heading: bool = False) -> None:
        self.tree.placed.append(Placed(item, self.stack[-1] if self.stack else None, heading))

    def _paragraph(self, para: Para, after: Item | None) -> int:
        """Places a paragraph; gives 1 when the one after it was taken as the rest of its heading."""
        node = self._node(para)
        if node is None:
            self._put(para)
            return 0
        self._push(node)
        self._put(para, heading=not node.run_in)
        if (
            node.label
            and node.title == node.label
            and not node.run_in
            and isinstance(after, Para)
            and self._continues(para, after)
        ):
            node.title = f"{node.label} {_unmarked(after.text)}"[:LONGEST_TITLE]
            self._put(after, heading=True)
            return 1
        if node.label and not node.run_in and isinstance(after, Para) and self._wraps(para, after):
            node.title = f"{node.title} {_unmarked(after.text)}"[:LONGEST_TITLE]
            self._put(after, heading=True)
            return 1
        return 0

    def _node(self, para: Para) -> Node | None:
        """The heading that the paragraph is, or begins with; None when it is plain text."""
        text = para.text
        entry = self.outline.match(para)
        label = read_label(text)
        if label is not None and self._accepted(label, para, entry is not None):
            title, run_in = _title(label, para, self._styled(para))
            title = _unmarked(title)
            node = Node(title, label.text, label.kind, label.numbers, label.key, self._weight(para), para.page, None)
            node.run_in = run_in
            self.counts[self._container(), label.kind] = label.numbers
            self.styles.setdefault(label.kind, (round(para.size, 1), para.bold))
        elif entry is not None or self._looks(para):
            title = _unmarked(text)[:LONGEST_TITLE]
            node = Node(
                title, "", "", (), slug(title, limit=48, fallback="section"), self._weight(para), para.page, None
            )
        else:
            return None
        node.outline = entry or 0
        return node

    def _weight(self, para: Para) -> float:
        return round(para.size * 2) / 2 + (0.3 if para.bold else 0.0) + (0.1 if para.text.isupper() else 0.0)

    def _container(self) -> int:
        """The annex or unnumbered part whose count is running."""
        for node in reversed(self.stack):
            if node.kind in (nb.ANNEX, nb.APPENDIX):
                return id(node)
        return 0

    def _styled(self, para: Para) -> bool:
        """Whether it stands out from the body by size or weight."""
        return para.size > self.flow.body_size + 0.6 or (para.bold and not self.flow.body_bold)

    def _accepted(self, label: Label, para: Para, in_outline: bool) -> bool:
        if in_outline:
            return True
        styled = self._styled(para)
        if label.kind == nb.DECIMAL:
            return self._counts_on(label, para, styled)
        rest = label.rest
        if (
            rest[:1].islower()
            or _LOWER_REFERENCE.match(rest)
            or (para.text.isascii() and para.text[: len(label.text) + 1].endswith(("(", ",")))
        ):
            return False
        alone = not rest and len(para.text) < 40
        last = self.counts.get((self._container(), label.kind))
        style = self.styles.get(label.kind)
        alike = style is None or (abs(style[0] - para.size) < 0.6 and style[1] == para.bold)
        if label.kind == nb.NOTE:
            return styled and alike
        if label.kind in (nb.ANNEX, nb.APPENDIX):
            return (
                styled or alone or (para.apart and len(para.text) < SHORT and not _ENDED.search(para.text))
            ) and alike
        if not label.numbers:
            return styled or alone
        if last is None:
            return styled or alone or label.numbers[0] <= 1 or para.apart
        onward = 0 < label.numbers[0] - last[0] <= 5 or (label.numbers[0] == last[0] and label.numbers > last)
        return alike and (onward or label.numbers[0] == 1 or (styled and para.apart))

    def _counts_on(self, label: Label, para: Para, styled: bool) -> bool:
        """Whether a decimal label goes on with the count of its annex, or may begin one."""
        numbers = label.numbers
        if max(numbers) > 199 or (not label.dotted and _UNIT_AFTER.match(label.rest)):
            return False
        if not label.rest and len(numbers) == 1:
            return False
        last = self.counts.get((self._container(), nb.DECIMAL))
        if len(numbers) == 1 and id(para) not in self.parents:
            onward = last is not None and numbers[0] == last[0] + 1
            onward = onward or (last is None and numbers == (1,) and not _MONTH.match(label.rest))
            if not (styled and (label.dotted or onward)) and not (
                label.dotted and onward and _CAPITALS.match(label.rest)
            ):
                return False
        if last is None:
            return styled or (numbers[-1] in (0, 1) and len(numbers) <= 3)
        if numbers == last or numbers[: len(last)] == last:
            return numbers != last and all(n in (0, 1) for n in numbers[len(last) :])
        for k in range(min(len(numbers), len(last))):
            if numbers[k] != last[k]:
                step = numbers[k] - last[k]
                deeper = numbers[k + 1 :]
                if 0 < step <= (8 if styled else 4) and all(n in (0, 1) for n in deeper):
                    return True
                return styled and para.apart and (step > 0 or numbers[0] in (0, 1))
        return False

    def _looks(self, para: Para) -> bool:
        """A heading by its looks alone."""
        text = para.text
        if self.outline.covers or len(text) > SHORT or len(para.lines) > 3 or not any(ch.isalpha() for ch in text):
            return False
        if (
            para.first.group == SIDEWAYS
            or _ENDED.search(text)
            or caption_number(text) is not None
            or is_item(text)
            or text[:1] in "([*†‡"
        ):
            return False
        if text.isascii() and sum(ch.isalpha() for ch in text) < 3:
            return False
        body = self.flow.body_size
        if para.size >= body * 1.12 or (para.size > body + 0.9):
            return True
        if para.bold and not self.flow.body_bold and para.size >= body * 0.95 and para.apart:
            return True
        letters = [ch for ch in text if ch.isalpha()]
        upper = len(letters) >= 4 and all(ch.isupper() for ch in letters)
        return (
            upper
            and para.apart
            and para.size >= body * 0.95
            and len(text) <= 90
            and not any(ch.isdigit() for ch in text)
        )

    def _continues(self, para: Para, after: Para) -> bool:
        """Whether `after` is the title that belongs to a label standing alone on its line."""
        text = after.text
        if (
            after.page != para.page
            or len(text) > SHORT
            or len(after.lines) > 3
            or _ENDED.search(text)
            or after.footnote
        ):
            return False
        if read_label(text) is not None or is_item(text) or caption_number(text) is not None:
            return False
        if after.first.group == SIDEWAYS:
            return False
        line, head = after.first, para.first
        centered = abs((line.x0 + line.x1) - (head.x0 + head.x1)) < 30
        near = line.top - head.bottom < 3 * head.size
        return near and (after.bold or after.size > self.flow.body_size + 0.6 or centered or line.italic)

    def _wraps(self, para: Para, after: Para) -> bool:
        """Whether `after` is the second line of a numbered heading: larger than the body, set alike, right below."""
        last, line = para.lines[-1][1], after.first
        alike = abs(last.size - line.size) < 0.2 and last.bold == line.bold and last.italic == line.italic
        below = line.group == last.group and -0.3 * line.size < line.top - last.bottom < 0.35 * line.size
        return (
            alike
            and below
            and after.page == para.page_end
            and line.size > self.flow.body_size + 0.6
            and last.x0 - 0.5 <= line.x0 < last.x0 + 4 * line.size
            and len(after.lines) == 1
            and para.text.isupper() == after.text.isupper()
            and read_label(after.text) is None
            and not is_item(after.text)
            and self.outline.match(after) is None
        )

    def _push(self, node: Node) -> None:
        stack = self.stack
        if stack and not stack[-1].outline and is_contents(stack[-1].title):
            stack.pop()  # nothing lies below the heading of the table of contents
        if node.outline:
            while stack and (not stack[-1].outline or stack[-1].outline >= node.outline):
                stack.pop()
        elif node.kind == nb.DECIMAL:
            self._pop_to_prefix(node)
        elif node.kind:
            self._pop_to_kind(node)
        else:
            while stack and not stack[-1].outline and stack[-1].weight <= node.weight + 0.05:
                if (
                    stack[-1].kind in (nb.ANNEX, nb.APPENDIX, nb.PART, nb.CHAPTER)
                    and node.weight < stack[-1].weight + 0.4
                ):
                    break
                stack.pop()
        node.parent = stack[-1] if stack else None
        if node.parent is not None:
            node.parent.children += 1
        stack.append(node)
        self.tree.nodes.append(node)
        if node.kind in (nb.ANNEX, nb.APPENDIX):
            self.counts = {k: v for k, v in self.counts.items() if k[0] == 0 or k[1] in (nb.ANNEX, nb.APPENDIX)}
        elif node.kind and node.kind != nb.DECIMAL:
            container = self._container()
            self.counts.pop((container, nb.DECIMAL), None)
        self.below_article = self.below_article or (
            node.kind == nb.ARTICLE and not any(n.kind == nb.SECTION for n in self.tree.nodes)
        )

    def _pop_to_prefix(self, node: Node) -> None:
        """The parent of 5.3.1 is 5.3, else 5; else what stands there."""
        stack = self.stack
        for i in range(len(stack) - 1, -1, -1):
            top = stack[i]
            if (
                top.kind == nb.DECIMAL
                and len(top.numbers) < len(node.numbers)
                and node.numbers[: len(top.numbers)] == top.numbers
            ):
                del stack[i + 1 :]
                return
            if top.kind in (nb.ANNEX, nb.APPENDIX):
                break
        for i, top in enumerate(stack):
            if top.kind == nb.DECIMAL and not any(n.kind in (nb.ANNEX, nb.APPENDIX) for n in stack[i + 1 :]):
                del stack[i:]
                break
        while (
            stack
            and not stack[-1].kind
            and not stack[-1].outline
            and not node.run_in
            and stack[-1].weight <= node.weight
        ):
            stack.pop()

    def _pop_to_kind(self, node: Node) -> None:
        stack = self.stack
        for i, top in enumerate(stack):
            if top.kind == node.kind:
                del stack[i:]
                return
        if node.kind == nb.ANNEX:
            while stack and not stack[-1].outline:
                stack.pop()
            return
        rank = dict(nb.RANK)
        if self.below_article:
            rank[nb.SECTION] = rank[nb.ARTICLE] + 0.1
        if node.kind == nb.APPENDIX:
            while stack and stack[-1].kind != nb.ANNEX and not stack[-1].outline:
                stack.pop()
            return
        while stack and not stack[-1].outline:
            top = stack[-1]
            if top.kind and rank[top.kind] < rank[node.kind]:
                return
            if not top.kind and top.weight > node.weight + 0.35:
                return
            stack.pop()


def _unmarked(text: str) -> str:
    """A title without its footnote marks."""
    return _NOTE_MARK.sub("", text).strip() or text


def _parents(flow: Flow) -> set[int]:
    """id() of paragraphs labelled 5 that are followed by 5.1 before the next single number."""
    found: set[int] = set()
    last: tuple[int, tuple[int, ...]] | None = None
    for para in flow.paragraphs:
        label = read_label(para.text) if not para.contents else None
        if label is None:
            continue
        if label.kind != nb.DECIMAL:
            last = None
        elif len(label.numbers) == 1:
            last = (id(para), label.numbers)
        elif last is not None and label.numbers[:1] == last[1]:
            found.add(last[0])
    return found


def _title(label: Label, para: Para, styled: bool) -> tuple[str, bool]:
    """Title of a labelled paragraph, and whether text follows it in the same paragraph."""
    text, rest = para.text, label.rest
    head = text[: len(text) - len(rest)].rstrip(" :–—-") if rest else text
    if not rest:
        return label.text if label.kind != nb.DECIMAL else text, False
    if len(text) <= SHORT and not _ENDED.search(text) and len(para.lines) <= 3:
        return text, False
    if korean := re.match(r"\(([^()]{1,40})\)", rest):
        return f"{head}{korean[0]}" if not head.endswith(" ") else head + korean[0], True
    if len(text) <= 90 and (styled or label.kind != nb.DECIMAL) and len(para.lines) <= 2:
        return text.rstrip("."), False
    if len(text) <= 60:
        return text, True
    lead = _TERM.match(rest) or _LEAD.match(rest)
    return (f"{head} {lead[1]}", True) if lead else (head, True)


def _document_title(flow: Flow) -> Para | None:
    """The largest paragraph of the first page, if nothing later is as large."""
    paragraphs = [p for p in flow.paragraphs if not p.footnote and not p.contents]
    first = [p for p in paragraphs if p.page <= 1 and any(ch.isalpha() for ch in p.text)]
    first = [p for p in first if p.first.group != SIDEWAYS and len(p.text) >= 4 and not is_contents(p.text)]
    if not first:
        return None
    best = max(first, key=lambda p: p.size)
    if best.size < flow.body_size * 1.15 or read_label(best.text) is not None or len(best.text) > 250:
        return None
    place = paragraphs.index(best)
    beside = _COUNTED.match(best.text) is not None  # one of several headings on the page, perhaps
    again = [
        p for n, p in enumerate(paragraphs) if p.size >= best.size - 0.2 and (p.page > 1 or (beside and n > place))
    ]
    return None if again else best


class _Outline:
    """The file's own outline, matched to paragraphs by page and text."""

    def __init__(self, entries: list[tuple[int, str, int]], flow: Flow) -> None:
        self._by_page: dict[int, list[tuple[str, int]]] = {}
        for level, title, page in entries:
            key = plain(title)
            if key and page > 0:
                self._by_page.setdefault(page, []).append((key, level))
        self._found: dict[int, int] = {}
        used: set[tuple[int, str]] = set()
        for para in flow.paragraphs:
            level = self._find(para, used)
            if level:
                self._found[id(para)] = level
        self.covers = len(entries) >= 3 and 2 * len(self._found) >= len(entries)
        if not self.covers:
            self._found = {}

    def _find(self, para: Para, used: set[tuple[int, str]]) -> int:
        if len(para.text) > 400 or para.contents:
            return 0
        text = plain(para.text)
        for page in (para.page, para.page - 1, para.page + 1):
            for key, level in self._by_page.get(page, ()):
                if (
                    (page, key) not in used
                    and text
                    and (text == key or (len(key) >= 6 and text.startswith(key) and len(text) <= 1.6 * len(key) + 12))
                ):
                    used.add((page, key))
                    return level
        return 0

    def match(self, para: Para) -> int | None:
        """Level of the outline entry that the paragraph is, or None."""
        return self._found.get(id(para))
