"""Chunks: a lowest section, or one paragraph of a long one; every line of text lies in exactly one."""

from __future__ import annotations

from curator.domain.document import Box, Chunk
from curator.domain.identity import fold_id, mint
from curator.parsing.flow import Para
from curator.parsing.raw import RawPage
from curator.parsing.sections import Node, Placed, Tree

LONG = 1200


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
    if not body:
        if not heads or tables or (node is not None and node.children):
            return []
        return [_chunk(heads, node, f"{document}:{_key(node)}", pages, taken)]
    length = sum(len(para.text) for para in body)
    if len(body) == 1 or (length <= LONG and node is not None):
        return [_chunk([*heads, *body], node, f"{document}:{_key(node)}", pages, taken)]
    made = []
    for n, para in enumerate(body, 1):
        name = f"{document}:{_key(node)}.p{n}" if node is not None else f"{document}:p{n}"
        made.append(_chunk([*heads, para] if n == 1 else [para], node, name, pages, taken))
    return made


def _key(node: Node | None) -> str:
    return node.full_key if node is not None else "p1"


def _chunk(paras: list[Para], node: Node | None, name: str, pages: list[RawPage], taken: set[str]) -> Chunk:
    container, _, key = name.partition(":")
    source_id = mint(container, fold_id(key), taken)
    taken.add(source_id)
    return Chunk(
        id=source_id,
        page=min(para.page for para in paras),
        page_end=max(para.page_end for para in paras),
        section_path=node.path if node is not None else (),
        text="\n".join(para.text for para in paras),
        box=_box(paras, pages),
    )


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
