"""One failure beside what the documents say now: question, answer, what was retrieved; and what search finds."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from curator.states import FAILURE_STATES
from curator.tui.widgets.findings import highlighted
from curator.tui.widgets.safe import fit_middle, flat, plain, titled

if TYPE_CHECKING:
    from curator.domain.failure import Failure, FailureTurn
    from curator.services.context import Context
    from curator.services.coverage import Board
    from curator.services.privacy import Review
    from curator.services.search import Hit

FOUND = 5
"""Sources that are shown of what search finds; each has its digit."""
SIDES = 96
SHARED = 0.8
FRAME = 6
"""Columns of a side that its border, its padding and its scroll bar take."""
_WORD = re.compile(r"\d+(?:[.,]\d+)*|\w+")
LONG = 600
"""Characters of a retrieved text, or of one that was found, which are shown until all of it is asked for."""


@dataclass(frozen=True)
class Looked:
    """What is shown of a failure.

    Attributes:
        why: Why it stands where it does in the queue; () = it is not in it.
        before: The conversation before the question.
        review: What was found in its texts; None = that is being looked for.
        hits: What search finds for its question now; None = that is being searched for.
    """

    failure: Failure
    before: tuple[FailureTurn, ...]
    why: tuple[str, ...] = ()
    review: Review | None = None
    hits: tuple[Hit, ...] | None = None
    picked: tuple[str, ...] = field(default=())


def look(ctx: Context, name: str, board: Board) -> Looked:
    """Read what is shown at once; in a worker."""
    from curator.domain.listing import ListQuery
    from curator.services import failures
    from curator.services.wanted import wanted

    failure = failures.get(ctx, name)
    why: tuple[str, ...] = ()
    if failure.state == "new" and not failure.quarantined:
        found = failures.queue(ctx, ListQuery(), folds=[failure.fold], wanted=wanted(board), limit=1)
        why = found[0].reasons if found else ()
    return Looked(failure, failures.conversation(ctx, name), why)


class Side(VerticalScroll):
    """One side. Keys wait while another failure is about to be shown, so that none acts on the one before."""

    @property
    def awaits_rows(self) -> bool:
        """Whether keys had better wait."""
        return bool(getattr(self.screen, "is_turning", False))


class TriagePane(Container):
    """Both sides, each with a scroll bar of its own; one under the other where there is no room."""

    DEFAULT_CSS = """
    TriagePane {
        height: 1fr;
        & > #sides { layout: vertical; height: 1fr; }
        & .side { width: 1fr; height: 1fr; padding: 0 1; }
        & .side { border: round $border-blurred; border-title-color: $text-muted; }
        & .side:focus { border: round $primary; border-title-color: $text-primary; }
        & .side > Static { height: auto; }
        & #was { height: 3fr; }
        & #now { height: 2fr; }
        &.-beside > #sides { layout: horizontal; }
        &.-beside #was, &.-beside #now { height: 1fr; }
    }
    """

    def __init__(self, *, dom_id: str) -> None:
        super().__init__(id=dom_id)
        self.looked: Looked | None = None
        self.whole = False

    def compose(self) -> ComposeResult:
        """What was, what is found now."""
        with Container(id="sides"):
            with Side(classes="side", id="was") as was:
                titled(was, "in production")
                yield Static("", id="was-text")
            with Side(classes="side", id="now") as now:
                titled(now, f"in the documents now · 1 to {FOUND}: take as evidence")
                yield Static("", id="now-text")

    def on_resize(self) -> None:
        """Beside one another where each has room."""
        self.set_class(self.size.width >= SIDES, "-beside")
        if self.looked is not None:
            self._show_found(self.looked)

    def _show_found(self, looked: Looked) -> None:
        width = self.size.width // (2 if self.size.width >= SIDES else 1) - FRAME
        self.query_one("#now-text", Static).update(now(looked, width, whole=self.whole))

    def show(self, looked: Looked) -> None:
        """Show a failure; another one from its beginning."""
        other = self.looked is None or self.looked.failure.id != looked.failure.id
        self.looked = looked
        self.query_one("#was-text", Static).update(was(looked, whole=self.whole))
        self._show_found(looked)
        if other:
            for side in self.query(".side"):
                side.scroll_home(animate=False)

    def turn_whole(self) -> None:
        """Show long texts in full, or shortened again."""
        self.whole = not self.whole
        if self.looked is not None:
            self.show(self.looked)


def head(looked: Looked) -> str:
    """What it is and how it stands, in one line; why it stands in the queue where it does, in a second."""
    failure = looked.failure
    standing = FAILURE_STATES[failure.state].removeprefix("· ")  # what is open has the glyph that parts the facts
    facts = [failure.id, standing, failure.route, failure.stage or "no stage yet"]
    facts.append(f"{failure.feedback} feedback" if failure.feedback else "")
    facts.append(f"score {failure.score}" if failure.score else "")
    facts += [failure.language, failure.time[:10]]
    if failure.state == "dismissed":
        facts.append(f"because {failure.reason}")
    if failure.duplicate_of:
        facts.append(f"of {failure.duplicate_of}")
    if failure.case_id:
        facts.append(failure.case_id)
    facts.append("" if looked.review is None else "text confirmed" if looked.review.confirmed else "text not confirmed")
    line = flat(" · ".join(f for f in facts if f))
    return f"{line}\nwhy here: {flat(', '.join(looked.why))}" if looked.why else line


def was(looked: Looked, *, whole: bool) -> Content:
    """The side of production."""
    failure = looked.failure
    parts = [plain(f"{t.role}: {_short(t.text, whole)}\n", "$text-muted") for t in looked.before]
    parts += _titled("question", _found(looked, "question", failure.question))
    if failure.answer:
        parts += _titled("answer (P: promote, and this must not be claimed)", _found(looked, "answer", failure.answer))
    else:
        parts += _titled("answer", plain("none is in the log", "$text-muted"))
    if failure.reference:
        parts += _titled("reference answer of the log", _found(looked, "reference", failure.reference))
    if failure.error:
        parts += _titled("error", _found(looked, "error", failure.error))
    parts += [plain(f"then {t.role}: {_short(t.text, whole)}\n", "$text-muted") for t in failure.turns_after]
    for n, context in enumerate(failure.contexts, 1):
        about = " · ".join(p for p in (context.source, f"p. {context.page}" * bool(context.page),
                                       f"score {context.score}" * bool(context.score)) if p)  # fmt: skip
        parts += _titled(f"retrieved {n} · {about}" if about else f"retrieved {n}", plain(_short(context.text, whole)))
    if not failure.contexts:
        parts.append(plain("nothing was retrieved, or the log does not say what\n", "$text-muted"))
    return Content("").join(parts)


def _found(looked: Looked, name: str, text: str) -> Content:
    spots = [s for s in looked.review.spots if s.field == name] if looked.review is not None else []
    return highlighted(text, spots, quiet=True)


def _titled(title: str, said: Content) -> list[Content]:
    return [plain(f"{flat(title)}\n", "bold $text-primary"), said, Content("\n")]


def _short(text: str, whole: bool) -> str:
    return text if whole or len(text) <= LONG else f"{text[:LONG].rsplit(' ', 1)[0]} … (w: all of it)"


def now(looked: Looked, width: int, *, whole: bool) -> Content:
    """The side of the documents: what is found, numbered; those that were taken as evidence carry their mark.

    Where it stands comes first; the id, which may be long, has a line of its own of at most so many columns.
    """
    if looked.hits is None:
        return plain("searching …", "$text-muted")
    if not looked.hits:
        return plain("nothing is found: the documents may be silent, or not be here yet", "$text-muted")
    retrieved = [words for c in looked.failure.contexts if (words := _words(c.text))]
    parts: list[Content] = []
    for n, hit in enumerate(looked.hits, 1):
        mark = "●" if hit.source_id in looked.picked else "○"
        page = f"p. {hit.page_label or hit.page}"
        known = (
            (" · retrieved then" if _is_among(hit.text, retrieved) else " · not retrieved then") if retrieved else ""
        )
        where = " · ".join((hit.document_id, page, *hit.section_path[-1:]))
        style = "bold $text-accent" if hit.source_id in looked.picked else "bold $text-primary"
        parts += [plain(f"{flat(f'{n} {mark} {where}{known}')}\n", style), _marked(hit, whole)]
        parts += [Content("\n"), plain(f"{fit_middle(hit.source_id, width).rstrip()}\n", "$text-muted"), Content("\n")]
    return Content("").join(parts)


def _words(text: str) -> Counter[str]:
    return Counter(_WORD.findall(text.casefold()))


def _is_among(text: str, retrieved: Sequence[Counter[str]]) -> bool:
    """Whether nearly all words of one of two texts stand in the other: a row was retrieved with its cells alone."""
    own = _words(text)
    return any((own & other).total() >= SHARED * min(own.total(), other.total()) for other in retrieved)


def _marked(hit: Hit, whole: bool) -> Content:
    """The text of a hit with the words that it was found by."""
    end = len(hit.text) if whole or len(hit.text) <= LONG else LONG
    parts: list[Content] = []
    at = 0
    for start, stop in _within(hit.marks, end):
        parts += [plain(hit.text[at:start]), plain(hit.text[start:stop], "bold")]
        at = stop
    parts.append(plain(hit.text[at:end] + (" … (w: all of it)" if end < len(hit.text) else "")))
    return Content("").join(parts)


def _within(marks: Sequence[tuple[int, int]], end: int) -> list[tuple[int, int]]:
    return [(a, b) for a, b in marks if b <= end]
