"""The headings of a document as a tree."""

from __future__ import annotations

from collections.abc import Sequence

from rich.style import Style
from rich.text import Text
from textual import on
from textual.message import Message
from textual.widgets import Tree
from textual.widgets.tree import TreeNode

from curator.domain.document import Section
from curator.tui.widgets.safe import flat

LONGEST = 80


class SectionTree(Tree[int]):
    """Each node carries the place of its heading in the list that was given."""

    DEFAULT_CSS = """
    SectionTree { padding: 0; scrollbar-size-horizontal: 0; }
    """
    auto_expand = False

    class Picked(Message):
        """Enter on a heading: its place."""

        def __init__(self, place: int) -> None:
            self.place = place
            super().__init__()

    def __init__(self, *, dom_id: str | None = None) -> None:
        super().__init__("", id=dom_id)
        self.show_root = False
        self.guide_depth = 2
        self._places: list[TreeNode[int]] = []

    def show_sections(self, sections: Sequence[Section]) -> None:
        """Take the headings, in their order."""
        self.clear()
        self._places = []
        open_nodes: list[tuple[int, TreeNode[int]]] = []
        for place, section in enumerate(sections):
            while open_nodes and open_nodes[-1][0] >= section.level:
                open_nodes.pop()
            parent = open_nodes[-1][1] if open_nodes else self.root
            node = parent.add(Text(flat(section.title)[:LONGEST]), data=place, expand=section.level == 1)
            open_nodes.append((section.level, node))
            self._places.append(node)
        for node in self._places:
            node.allow_expand = bool(node.children)
        self.root.expand()

    def render_label(self, node: TreeNode[int], base_style: Style, style: Style) -> Text:
        """A heading as it fits; an ellipsis says that it was cut."""
        label = super().render_label(node, base_style, style)
        depth, parent = -1, node.parent
        while parent is not None:
            depth, parent = depth + 1, parent.parent
        room = self.scrollable_content_region.width - self.guide_depth * max(0, depth)
        if room > 1:
            label.truncate(room, overflow="ellipsis")
        return label

    def follow(self, place: int) -> None:
        """Put the cursor on a heading, without telling."""
        if not 0 <= place < len(self._places) or self.has_focus:
            return
        node = self._places[place]
        if node is self.cursor_node:
            return
        parent, opened = node.parent, False
        while parent is not None and parent is not self.root:
            opened = opened or not parent.is_expanded
            parent.expand()
            parent = parent.parent
        if opened or node.line < 0:  # its line is known when the tree was built again
            self.call_after_refresh(self.move_cursor, node)
        else:
            self.move_cursor(node)

    @on(Tree.NodeSelected)
    def _selected(self, event: Tree.NodeSelected[int]) -> None:
        event.stop()
        if event.node.data is not None:
            self.post_message(self.Picked(event.node.data))
