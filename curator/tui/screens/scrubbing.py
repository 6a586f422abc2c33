"""The scrub view: every text of a failure or a case, what was found in it, and the confirmation of the whole."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, cast

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from curator.errors import CheckFailed, Conflict
from curator.tui.screens.ask import Ask, Question, needed
from curator.tui.screens.dialog import Dialog
from curator.tui.widgets.findings import highlighted
from curator.tui.widgets.footline import Footline
from curator.tui.widgets.safe import flat, plain, titled
from curator.tui.workers import serve

if TYPE_CHECKING:
    from curator.services.context import Context
    from curator.services.privacy import Review, Spot
    from curator.tui.app import CuratorApp

Place = tuple[str, str, str, int]
Texts = tuple[tuple[str, str], ...]
MISSED = "person"


def places(review: Review) -> dict[str, Place]:
    """Key of each place -> what tells it from others when the text round it changes: field, text, kind, which one."""
    seen: Counter[tuple[str, str, str]] = Counter()
    found = {}
    for spot in review.spots:
        what = (spot.field, spot.text, spot.kind)
        found[spot.key] = (*what, seen[what])
        seen[what] += 1
    return found


class ScrubScreen(Dialog[bool]):
    """One thing to be confirmed: Space ticks a place, Enter confirms the whole. True = it is confirmed now.

    Args:
        name: Id of the failure or the case.
        review: What was found in it; None = it is looked for now.
    """

    CSS_PATH: ClassVar[list[str]] = ["dialog.tcss", "scrubbing.tcss"]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "tick", "it is fine"),
        Binding("enter", "confirm", "confirm all of it"),
        Binding("r", "replace", "replace it"),
        Binding("a", "allow", "allow it, always"),
        Binding("m", "missed", "replace another text"),
        Binding("n,right", "next(1)", "next place", show=False),
        Binding("N,left", "next(-1)", "place before", show=False),
    ]

    def __init__(self, name: str, review: Review | None = None) -> None:
        super().__init__()
        self._thing = name
        self._review = review
        self._ticked: set[Place] = set()
        self._at = 0
        self._busy = False

    def compose(self) -> ComposeResult:
        """The texts, and the place under the cursor below them."""
        with Vertical(classes="box") as box:
            titled(box, f"personal data in {self._thing}", "enter: confirm · esc: not now")
            with VerticalScroll(id="texts"):
                yield Static("", id="found")
            yield Static("", id="spot")
        yield Footline()

    def on_mount(self) -> None:
        """Look for it, when nobody has yet."""
        self.set_focus(self.query_one("#texts"))
        if self._review is None:
            self._look()
        else:
            self._show(self._review)

    @property
    def _app(self) -> CuratorApp:
        return cast("CuratorApp", self.app)

    def _look(self) -> None:
        self.query_one("#spot", Static).update("looking for names …")

        def work(ctx: Context) -> Review:
            from curator.services import privacy

            return privacy.review(ctx, self._thing)

        def begin(texts: Texts) -> None:
            self._paint_texts(texts)
            self._serve(work, self._show, "look for personal data", reads=True)

        def read(ctx: Context) -> Texts:
            from curator.services import privacy

            return privacy.texts(ctx, self._thing)

        self._serve(read, begin, "look for personal data", reads=True)

    def _paint_texts(self, texts: Texts) -> None:
        """The texts as they are; the names in them are still looked for, which may first load a model."""
        parts = [part for field, text in texts for part in _headed(field, plain(text))]
        self.query_one("#found", Static).update(Content("").join(parts))

    def _serve(self, work: Any, then: Any, doing: str, *, reads: bool = False) -> None:
        ctx = self._app.ctx
        if ctx is not None:
            self._busy = True
            serve(self, lambda: work(ctx), then, doing=doing, failed=self._failed, reads=reads)

    def _failed(self, error: Exception) -> bool:
        self._busy = False
        if isinstance(error, Conflict):
            self.notify("it was changed since it was shown: look at it again", severity="warning", markup=False)
            self._look()
            return True
        if isinstance(error, CheckFailed):
            self.notify(f"{error.message}; {error.hint}", severity="warning", markup=False)
            return True
        return False

    def _show(self, review: Review) -> None:
        self._review, self._busy = review, False
        self._at = min(self._at, max(0, len(review.spots) - 1))
        self._paint()

    @property
    def spot(self) -> Spot | None:
        """The place under the cursor."""
        spots = self._review.spots if self._review else ()
        return spots[self._at] if self._at < len(spots) else None

    def _keys(self) -> set[str]:
        """Keys of the places that are ticked."""
        return {k for k, p in places(self._review).items() if p in self._ticked} if self._review else set()

    def _paint(self) -> None:
        review = self._review
        if review is None:
            return
        here = self.spot.key if self.spot else ""
        ticked = self._keys()
        parts: list[Content] = []
        line = 0
        for field, text in review.fields:
            spots = [s for s in review.spots if s.field == field]
            if any(s.key == here for s in spots):
                line = sum(p.plain.count("\n") for p in parts)
            parts += _headed(field, highlighted(text, spots, ticked, here=here))
        self.query_one("#found", Static).update(Content("").join(parts))
        self.query_one("#spot", Static).update(plain(self._said(review, ticked)))
        if here:
            self.query_one("#texts", VerticalScroll).scroll_to(y=max(0, line - 2), animate=False)
        self.refresh_bindings()

    def _said(self, review: Review, ticked: set[str]) -> str:
        left = [s for s in review.spots if not s.hard and s.key not in ticked]
        hard = [s for s in review.spots if s.hard]
        quarantine = "in quarantine: nobody has looked for names in it. " if review.quarantined else ""
        if review.confirmed:
            quarantine += "confirmed. "
        whole = "Read it: some names and full addresses are always missed."
        if not review.spots:
            keys = "enter: I have read it, nothing personal is in it · m: replace what is"
            return f"{quarantine}Nothing was found. {whole}\n{keys}"
        spot = self.spot
        assert spot is not None
        kind = spot.kind.replace("_", " ")
        about = (
            f"place {self._at + 1} of {len(review.spots)}: {kind} “{flat(spot.text)}” "
            + ("blocks: r replaces it, a allows it with a reason" if spot.hard
               else "✓ ticked" if spot.key in ticked else "space: it is fine · r: replace it")
        )  # fmt: skip
        rest = [f"{len(hard)} block"] if hard else []
        rest += [f"{len(left)} to be ticked"] if left else []
        return f"{quarantine}{about}\n{' · '.join(rest) or 'all are ticked: enter confirms the whole text'}"

    # -- keys ---------------------------------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What can be done with the place under the cursor, when nothing is being done."""
        if action == "close":
            return True
        if self._review is None or self._busy:
            return False
        if action == "tick":
            return self.spot is not None and not self.spot.hard
        if action in ("replace", "missed"):
            return self._thing[1:].isdigit() and (action == "missed" or self.spot is not None)
        if action in ("allow", "next"):
            return self.spot is not None
        return True

    def action_next(self, by: int) -> None:
        """The next place, or the one before."""
        count = len(self._review.spots) if self._review else 0
        if count:
            self._at = (self._at + by) % count
            self._paint()

    def action_tick(self) -> None:
        """It was looked at and is no personal data; on to the next that was not."""
        review, spot = self._review, self.spot
        if review is None or spot is None:
            return
        self._ticked ^= {places(review)[spot.key]}
        ticked = self._keys()
        if spot.key in ticked:
            order = [*range(self._at + 1, len(review.spots)), *range(self._at)]
            self._at = next((n for n in order if review.spots[n].key not in ticked), self._at)
        self._paint()

    def action_replace(self) -> None:
        """It is personal data: a placeholder stands there from now on, and everywhere else in this failure."""
        review, spot = self._review, self.spot
        if review is None or spot is None:
            return

        def work(ctx: Context) -> Review:
            from curator.services import privacy

            privacy.scrub_failure(ctx, self._thing, review.hash, [spot.key])
            return privacy.review(ctx, self._thing)

        self._serve(work, self._show, f"replace a {spot.kind.replace('_', ' ')} in {self._thing}")

    def action_missed(self) -> None:
        """Type what was not found: a placeholder stands there from now on."""
        text = self._review.fields if self._review else ()

        def check(typed: str) -> str:
            if not typed.strip():
                return "a text is needed"
            return "" if any(typed.strip() in t for _, t in text) else "it does not stand in the texts exactly so"

        ask = Ask("personal data that was not found", [Question("the text, exactly as it stands there", check=check)])
        self.app.push_screen(ask, self._missed)

    def _missed(self, answer: tuple[str, ...] | None) -> None:
        if answer is None:
            return

        def work(ctx: Context) -> Review:
            from curator.services import privacy

            privacy.replace_values(ctx, self._thing, {answer[0].strip(): MISSED})
            return privacy.review(ctx, self._thing)

        self._serve(work, self._show, f"replace a text in {self._thing}")

    def action_allow(self) -> None:
        """Name exactly this text, of this kind, as no personal data, with a reason."""
        spot = self.spot
        if spot is None:
            return
        title = f"allow “{flat(spot.text)}” as no personal data, everywhere"
        question = Question("why (kept with your name)", check=needed("a reason"))
        where = f"{self._thing}, {spot.field} at {spot.start}"  # never what it says
        ask = Ask(title, [question], kept=f"why a {spot.kind.replace('_', ' ')} in {where} is allowed")
        self.app.push_screen(ask, partial(self._allow, spot))

    def _allow(self, spot: Spot, answer: tuple[str, ...] | None) -> None:
        if answer is None:
            return

        def work(ctx: Context) -> Review:
            from curator.services import privacy

            privacy.allow(ctx, spot.text, answer[0], kind=spot.kind)
            return privacy.review(ctx, self._thing)

        self._serve(work, self._show, "allow a text")

    def action_confirm(self) -> None:
        """The whole text holds no personal data, as it is shown: kept with its hash and the detector's version."""
        review = self._review
        if review is None:
            return
        ticked = self._keys()

        def work(ctx: Context) -> None:
            from curator.services import privacy

            privacy.confirm(ctx, self._thing, review.hash, ticked)

        self._serve(work, lambda _none: self.dismiss(True), f"confirm {self._thing}")


def _headed(field: str, text: Content) -> list[Content]:
    return [plain(f"{field}\n", "bold $text-muted"), text, plain("\n")]
