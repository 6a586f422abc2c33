"""The conversation of a case as a chat; under each earlier turn stands what the system should have said to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Static

from curator.domain.case import BEHAVIORS, TurnExpectation
from curator.tui.widgets.choice import Choice
from curator.tui.widgets.offers import OfferInput
from curator.tui.widgets.safe import SafeTextArea


class TurnBox(SafeTextArea):
    """What a user says in one turn."""


class Exchange(Vertical):
    """One turn, and what was expected of the system if another turn follows."""

    def __init__(self, text: str, hint: str, sources: Callable[[], Sequence[str]]) -> None:
        super().__init__()
        self.gone = False
        self.box = TurnBox(text, placeholder=hint)
        self.behavior = Choice(("", *BEHAVIORS))
        self.answer = SafeTextArea(placeholder="what it should have said")
        self.sources = OfferInput(sources, several=True, placeholder="ids of its sources, of those that are evidence")
        self.last: bool | None = None

    def compose(self) -> ComposeResult:
        """The user above, the system below."""
        with Horizontal(classes="said"):
            yield Static("user", classes="speaker")
            yield self.box
        with Vertical(classes="expected"):
            with Horizontal(classes="said"):
                yield Static("system", classes="speaker")
                yield self.behavior
            with Horizontal(classes="said"):
                yield Static("", classes="speaker")
                yield self.answer
            with Horizontal(classes="said"):
                yield Static("", classes="speaker")
                with Vertical(classes="offering"):
                    yield self.sources
                    yield self.sources.offers

    def place(self, *, last: bool, alone: bool) -> None:
        """Nothing is expected of the last turn here: the case itself says it."""
        self.set_class(last, "-last")
        self.set_class(alone, "-alone")

    def expectation(self, turn: int) -> TurnExpectation | None:
        """What is said of this turn; None = nothing."""
        ids = tuple(dict.fromkeys(p.strip() for p in self.sources.value.split(",") if p.strip()))
        behavior, answer = self.behavior.value, self.answer.text
        if not (behavior or answer.strip() or ids):
            return None
        fields = {"turn": turn, "reference_answer": answer, "expected_source_ids": ids}
        return TurnExpectation.model_validate(fields | {"expected_behavior": behavior or "answer"})

    def show(self, text: str, said: TurnExpectation | None) -> None:
        """Show a turn; what says so already is left alone."""
        if self.box.text != text:
            self.box.load_text(text)
        now = self.expectation(said.turn if said else 1)
        if now == said:
            return
        self.behavior.show(said.expected_behavior if said else "")
        answer = said.reference_answer if said else ""
        if self.answer.text != answer:
            self.answer.load_text(answer)
        self.sources.value = ", ".join(said.expected_source_ids) if said else ""


class TurnsEditor(Vertical):
    """The turns, one after the other; the last is what the system is asked now."""

    def __init__(self, hint: str, sources: Callable[[], Sequence[str]], *, dom_id: str | None = None) -> None:
        self._hint, self._sources = hint, sources
        super().__init__(self._exchange("", hint), id=dom_id)

    def _exchange(self, text: str, hint: str) -> Exchange:
        return Exchange(text, hint, self._sources)

    def on_mount(self) -> None:
        """One turn."""
        self._place()

    @property
    def exchanges(self) -> list[Exchange]:
        """Those that are not being taken away."""
        return [e for e in self.children if isinstance(e, Exchange) and not e.gone]

    @property
    def boxes(self) -> list[TurnBox]:
        """The boxes of the turns."""
        return [e.box for e in self.exchanges]

    def _place(self) -> None:
        found = self.exchanges
        for n, exchange in enumerate(found, 1):
            exchange.place(last=n == len(found), alone=len(found) == 1)

    def show(self, turns: Sequence[str], expectations: Sequence[TurnExpectation]) -> None:
        """Show turns and what was expected of the earlier ones; what says so already is left alone."""
        wanted = list(turns) or [""]
        said = {e.turn: e for e in expectations}
        for exchange in self.exchanges[len(wanted) :]:
            self._drop(exchange)
        for n, (exchange, text) in enumerate(zip(self.exchanges, wanted, strict=False), 1):
            exchange.show(text, said.get(n))
        for n in range(len(self.exchanges), len(wanted)):
            exchange = self._exchange(wanted[n], self._hint)
            self.mount(exchange)
            exchange.show(wanted[n], said.get(n + 1))
        self._place()

    def add(self) -> TurnBox:
        """One more turn under the last."""
        exchange = self._exchange("", "what is asked next")
        self.mount(exchange)
        self._place()
        return exchange.box

    def remove_last(self) -> TurnBox | None:
        """Take the last turn away; the first one stays. Gives the box that is last now."""
        found = self.exchanges
        if len(found) < 2:
            return None
        self._drop(found[-1])
        self._place()
        return found[-2].box

    def _drop(self, exchange: Exchange) -> None:
        exchange.gone = True
        exchange.remove()

    @property
    def turns(self) -> tuple[str, ...]:
        """What the boxes say; () when all are empty."""
        texts = tuple(b.text for b in self.boxes)
        return texts if any(t.strip() for t in texts) else ()

    @property
    def expectations(self) -> tuple[TurnExpectation, ...]:
        """What is said of the earlier turns."""
        found = (e.expectation(n) for n, e in enumerate(self.exchanges[:-1], 1))
        return tuple(e for e in found if e is not None)
