"""Chunks: a lowest section, or one paragraph of a long one; every line of text lies in exactly one."""

from __future__ import annotations

import re

from curator.domain.document import Box, Chunk
from curator.domain.identity import fold_id, mint, slug
from curator.parsing.flow import Para
from curator.parsing.numbering import caption_number, is_item
from curator.parsing.raw import RawPage
from curator.parsing.sections import Node, Placed, Tree
from curator.parsing.surroundings import is_note

LONG = 1200
_NUMBERED = (re.compile(r"(\d{1,3})\.\s"), re.compile(r"\((\d{1,3})\)\s"), re.compile(r"(\d{1,3})\)\s"))


def make_chunks(tree: Tree, document: str, pages: list[RawPage], taken: set[str]) -> list[Chunk]:
    """Chunks in the order of the document; their ids are added to `taken`."""
    chunks: list[Chunk] = []
    group: list[Placed] = []
    for placed in [*tree.placed, None]:
        if group and (placed is None or placed.node is not group[0].node):
            chunks.extend(_of_section(group, document, pages, taken))
            group = []
        if placed is not None:
            group.append(placed)
    return chunks


def _of_section(group: list[Placed], document: str, pages: list[RawPage], taken: set[str]) -> list[Chunk]:
    """Chunks of one unbroken run of items in a section."""
    node = group[0].node
    heads = [p.item for p in group if p.heading and isinstance(p.item, Para)]
    body = [p.item for p in group if not p.heading and isinstance(p.item, Para)]
    tables = any(not isinstance(p.item, Para) for p in group)
    key = node.full_key if node is not None else ""
    if not body:
        if not heads or tables or (node is not None and node.children):
            return []
        return [_chunk(heads, node, document, key, pages, taken)]
    contents = [para for para in body if para.contents]
    if len(body) == 1 or (sum(len(para.text) for para in body) <= LONG and not contents):
        return [_chunk([*heads, *body], node, document, key or "front", pages, taken)]
    made: list[Chunk] = []
    for part, paras in _parts(group):
        name = ".".join(piece for piece in (key, part) if piece)
        made.append(_chunk([*(heads if not made else []), *paras], node, document, name, pages, taken))
    return made


def _parts(group: list[Placed]) -> list[tuple[str, list[Para]]]:
    """Paragraphs of a long section with their keys: p3, or table-2 for the caption and the notes of a table.

    Where the paragraphs are numbered, their own numbers are used and whatever stands between belongs to the one
    before; else items of a list stay with the sentence that introduces them.
    """
    parts: list[tuple[str, list[Para]]] = []
    body = [p.item for p in group if isinstance(p.item, Para) and not p.heading]
    numbers = _numbers(body)
    count, table = 0, ""
    for placed in group:
        item = placed.item
        if not isinstance(item, Para):
            table = table or "table"
            continue
        if placed.heading:
            continue
        number = caption_number(item.text)
        if number is not None and len(item.text) <= 300:
            table = slug(f"table {number}", dots=True)
            parts.append((table, [item]))
        elif table and (item.footnote or is_note(item.text)):
            home = next((paras for key, paras in reversed(parts) if key == table), None)
            if home is None:
                parts.append((table, [item]))
            else:
                home.append(item)
        elif parts and _goes_on(item, numbers, _last_text(parts)):
            table = ""
            _last_text(parts).append(item)
        else:
            table = ""
            count += 1
            parts.append((f"p{numbers.get(id(item), 0)}" if numbers else f"p{count}", [item]))
    return parts


def _last_text(parts: list[tuple[str, list[Para]]]) -> list[Para]:
    """The part that running text goes on in: the last that is no table's."""
    return next((paras for key, paras in reversed(parts) if key.startswith("p")), parts[-1][1])


def _goes_on(item: Para, numbers: dict[int, int], before: list[Para]) -> bool:
    """Whether a paragraph belongs to the part before it: without a number of its own, or an item introduced there."""
    if numbers:
        return id(item) not in numbers and not item.contents
    if item.contents or item.footnote or not is_item(item.text):
        return False
    together = sum(len(para.text) for para in before) + len(item.text)
    return before[0].text.endswith((":", "：")) and together <= LONG


def _numbers(body: list[Para]) -> dict[int, int]:
    """The numbers that the paragraphs carry themselves, by id(), when they count 1, 2, 3."""
    for pattern in _NUMBERED:
        found = [(id(para), int(m[1])) for para in body if (m := pattern.match(para.text)) and not para.footnote]
        if len(found) >= 2 and [n for _, n in found] == list(range(1, len(found) + 1)):
            return dict(found)
    circled = [(id(para), ord(para.text[0]) - 0x245F) for para in body if "①" <= para.text[:1] <= "⑳"]
    if len(circled) >= 2 and [n for _, n in circled] == list(range(1, len(circled) + 1)):
        return dict(circled)
    return {}


def _chunk(
    paras: list[Para], node: Node | None, document: str, key: str, pages: list[RawPage], taken: set[str]
) -> Chunk:
    source_id = mint(document, fold_id(key), taken)
    taken.add(source_id)
    return Chunk(
        id=source_id,
        page=min(para.page for para in paras),
        page_end=max(para.page_end for para in paras),
        section_path=node.path if node is not None else (),
        text="\n".join(para.text for para in paras),
        box=_box(paras, pages),
        recognized=_recognized(paras, pages),
    )


def _recognized(paras: list[Para], pages: list[RawPage]) -> float:
    """Confidence of the least sure line that was recognized in an image; 0 when none was."""
    return min((line.sure for para in paras for page, line in para.lines if pages[page - 1].recognized), default=0.0)


def _box(paras: list[Para], pages: list[RawPage]) -> Box:
    """The box of the part on the first page."""
    first = min(para.page for para in paras)
    lines = [line for para in paras for page, line in para.lines if page == first]
    box = (
        min(line.x0 for line in lines),
        min(line.top for line in lines),
        max(line.x1 for line in lines),
        max(line.bottom for line in lines),
    )
    return pages[first - 1].display(box)
