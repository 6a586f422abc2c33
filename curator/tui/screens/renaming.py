"""Gives a source or a document another id; the old one stays an alias and works everywhere."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from curator.tui.screens.ask import Ask, Question

if TYPE_CHECKING:
    from curator.services.renaming import Renamed
    from curator.tui.screens.room import Room


def ask_new_name(room: Room, name: str, then: Callable[[Renamed], None]) -> None:
    """Ask for another id.

    Args:
        room: Who asks; it is told.
        name: The id now; one with a colon is a source's.
        then: Called when it has another one.
    """
    kind = "source" if ":" in name else "document"
    question = Question("id from now on", name, check=partial(_wrong, kind))
    said = "Cases that cite the old id go on working; Ctrl+Z takes it back."
    room.app.push_screen(
        Ask(f"rename the {kind} {name}", [question], said, kept=f"rename {name}"), partial(_answered, room, name, then)
    )


def _wrong(kind: str, text: str) -> str:
    from curator.domain.identity import fold_id, slug, source_id_error

    wanted = fold_id(text.strip())
    if kind == "source":
        problem = source_id_error(wanted)
        return f"that is no source id: {problem}" if problem else ""
    return "" if wanted and slug(wanted) == wanted else f"that is no document id: try {slug(wanted) or 'a-name'}"


def _answered(room: Room, name: str, then: Callable[[Renamed], None], answer: tuple[str, ...] | None) -> None:
    if answer is None or not answer[0].strip() or answer[0].strip() == name:
        return
    from curator.services import renaming

    def renamed(done: Renamed) -> None:
        room.notify(f"{done.before} is {done.after} now · Ctrl+Z takes it back", markup=False, timeout=4)
        then(done)
        room.curator.case_signal.publish("saved")

    room.ask(lambda ctx: renaming.rename(ctx, name, answer[0]), renamed, doing=f"rename {name}")
