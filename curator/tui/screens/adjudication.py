"""Two labelings side by side, the fields that differ marked; one is taken for each field, or a third is written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Literal, cast, get_args

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from curator.domain.case import BEHAVIORS, RISKS, RefusalReason
from curator.services.labelings import Cited, Labelings, author_says
from curator.services.review import Statement
from curator.text import counted
from curator.tui.screens.ask import Ask, Question, needed
from curator.tui.screens.choose import Choose
from curator.tui.screens.dialog import Dialog
from curator.tui.screens.source_chooser import SourceChooser, hits
from curator.tui.widgets.footline import Footline
from curator.tui.widgets.safe import flat, plain, titled
from curator.tui.workers import serve

if TYPE_CHECKING:
    from curator.tui.app import CuratorApp

Side = Literal[0, 1, 2, 3]
"""Nothing taken yet, label one, label two, a third that the adjudicator writes."""
NAMES = {
    "expectedBehavior": "behavior", "risk": "risk", "expectedSourceIds": "required sources",
    "refusalReason": "refusal reason", "reason": "said with it",
}  # fmt: skip
REASONS = tuple(r for r in get_args(RefusalReason) if r)
NOTHING = "(nothing stated)"
NO_SOURCES = "no source is required"


class LabeledField(Vertical, can_focus=True):
    """One field of both labels; what is taken has a filled dot.

    Attributes:
        field: Its name in a label.
        values: What either label says.
        taken: Which is taken; 3 = `third`.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "take(1)", "take 1"),
        Binding("right", "take(2)", "take 2"),
        Binding("t", "third", "a third"),
        Binding("up,k", "app.focus_previous", "field before", show=False),
        Binding("down,j", "app.focus_next", "next field", show=False),
    ]

    def __init__(
        self,
        field: str,
        values: tuple[Any, Any],
        shown: Callable[[Any, Any], str],
        *,
        differs: bool,
        decides: bool = True,
    ) -> None:
        super().__init__(classes="field")
        self.field, self.values, self.third = field, values, cast("Any", None)
        self._shown, self._differs, self.decides = shown, differs, decides
        self.taken: Side = 0 if differs else 1
        self.can_focus = decides

    def compose(self) -> ComposeResult:
        """The name of the field, both texts beside each other, a third below."""
        yield Static("", classes="label")
        with Horizontal(classes="both"):
            yield Static(classes="one")
            yield Static(classes="two")
        yield Static("", classes="three")

    def on_mount(self) -> None:
        """Paint."""
        self.paint()

    @property
    def value(self) -> Any:
        """What is taken; None while nothing is."""
        return None if self.taken == 0 else self.third if self.taken == 3 else self.values[self.taken - 1]

    def take(self, side: Side, third: Any = None) -> None:
        """Take what a label says, or a third."""
        self.taken = side
        if side == 3:
            self.third = third
        self.paint()

    def action_take(self, side: Side) -> None:
        """Take what label one or two says."""
        self.take(side)

    def action_third(self) -> None:
        """Write something else."""
        self.screen.write_third(self)  # type: ignore[attr-defined]

    def on_click(self, event: events.Click) -> None:
        """A click takes the text under the pointer."""
        event.stop()
        if self.decides:
            self.focus()
            self.take(1 if event.screen_x < self.region.x + self.region.width // 2 else 2)

    def paint(self) -> None:
        """Both texts; where they say the same, one."""
        one, two = self.values
        mark, how = ("!", "they differ") if self._differs else ("=", "both say the same")
        if not self.decides:
            mark, how = "·", ""
        elif self._differs and self.taken == 0:
            how += ": ← or → takes one, t writes a third"
        self.query_one(".label", Static).update(
            plain(" ".join(p for p in (mark, NAMES[self.field], how and f"· {how}") if p))
        )
        self._box(".one", self._shown(one, two), taken=self.taken == 1)
        self._box(".two", self._shown(two, one), taken=self.taken == 2)
        self.set_class(not self._differs and self.decides, "-same")
        third = self.query_one(".three", Static)
        third.display = self.taken == 3
        if self.taken == 3:
            third.update(plain(f"● {self._shown(self.third, self.third)}"))

    def _box(self, name: str, text: str, *, taken: bool) -> None:
        box = self.query_one(name, Static)
        dot = ("● " if taken else "○ ") if self.decides else ""
        box.update(Content(dot) + plain(text))
        box.set_class(taken, "-taken")


class AdjudicationScreen(Dialog[Statement]):
    """Answers with the decision, its reason too."""

    CSS_PATH = ["dialog.tcss", "adjudication.tcss"]
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-medium")]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("1", "all(1)", "all of 1"),
        Binding("2", "all(2)", "all of 2"),
        Binding("ctrl+s,enter", "done", "decide", key_display="⏎"),
        Binding("space", "scroll(1)", "scroll", show=False),
        Binding("b", "scroll(-1)", "scroll back", show=False),
        Binding("escape", "close", "later", key_display="esc"),
    ]

    def __init__(self, found: Labelings) -> None:
        super().__init__()
        self._found = found
        self._texts = {s.source_id: s for s in found.sources}

    def compose(self) -> ComposeResult:
        """What is asked of which documents; then field by field."""
        found, case = self._found, self._found.record.case
        differ = ", ".join(NAMES[f] for f in found.differing)
        with Vertical(classes="box") as box:
            titled(box, f"decide {case.id}", f"they differ in {differ}")
            yield Static(plain(_asked(found)), classes="said")
            with Horizontal(classes="both"):
                yield Static(plain(flat(f"1 · {found.first.actor}")), classes="title")
                yield Static(plain(flat(f"2 · {found.second.actor}")), classes="title")
            with VerticalScroll(id="fields", can_focus=False):
                yield from self._fields()
                if lines := [f"{name}: {text}" for name, text in author_says(case)]:
                    head = f"the case as {found.record.author} wrote it, besides:"
                    yield Static(plain("\n".join([head, *lines])), classes="besides")
        yield Footline()

    def _fields(self) -> ComposeResult:
        one, two = self._found.first, self._found.second
        differing = self._found.differing

        def word(value: Any, _other: Any) -> str:
            return str(value).replace("_", " ") or NOTHING

        yield LabeledField("expectedBehavior", (one.expected_behavior, two.expected_behavior), word,
                           differs="expectedBehavior" in differing)  # fmt: skip
        yield LabeledField("risk", (one.risk, two.risk), word, differs="risk" in differing)
        if shared := self._shared():
            yield Static(plain(shared), classes="shared")
        yield LabeledField("expectedSourceIds", (one.expected_source_ids, two.expected_source_ids), self._sources,
                           differs="expectedSourceIds" in differing)  # fmt: skip
        if "refuse" in (one.expected_behavior, two.expected_behavior):
            same = one.refusal_reason == two.refusal_reason
            yield LabeledField("refusalReason", (one.refusal_reason, two.refusal_reason), word, differs=not same)
        if one.reason or two.reason:
            yield LabeledField("reason", (one.reason, two.reason), word, differs=False, decides=False)

    def _sources(self, mine: Sequence[str], theirs: Sequence[str]) -> str:
        """How many; then those that the other label does not name, with their texts. All where both say the same."""
        own = [n for n in mine if n not in theirs]
        if not mine:
            return NO_SOURCES
        if not own and set(mine) == set(theirs):
            return "\n".join([counted(len(mine), "source"), *map(self._cited, mine)])
        head = f"{counted(len(mine), 'source')}, {len(own) or 'none'} of them only here"
        return "\n".join([head, *(f"! {self._cited(n)}" for n in own)])

    def _cited(self, name: str) -> str:
        """Id, page and text of a source."""
        cited = self._texts.get(name)
        where = f" · {cited.where}" if cited is not None and cited.where else ""
        return f"{name}{where}" + (f"\n{cited.text}" if cited is not None and cited.text else "")

    def _shared(self) -> str:
        """The sources that both labels name, where they differ in others."""
        one, two = (r.expected_source_ids for r in (self._found.first, self._found.second))
        both = [n for n in one if n in two]
        return "\n".join(f"= both name {self._cited(n)}" for n in both) if set(one) != set(two) else ""

    def on_mount(self) -> None:
        """The first field in which they differ."""
        fields = self._decided_fields
        self.set_focus(next((f for f in fields if f.taken == 0), fields[0]))

    @property
    def _decided_fields(self) -> list[LabeledField]:
        return [f for f in self.query(LabeledField) if f.decides]

    # -- deciding -----------------------------------------------------------------------------------------------

    def action_all(self, side: Side) -> None:
        """All that one of the two labels says."""
        for field in self._decided_fields:
            field.take(side)

    def action_scroll(self, by: int) -> None:
        """Most of a screenful."""
        box = self.query_one(VerticalScroll)
        box.scroll_relative(y=by * max(1, box.size.height - 2), animate=False)

    def write_third(self, field: LabeledField) -> None:
        """Ask for something that neither says."""
        if field.field == "expectedSourceIds":
            app = cast("CuratorApp", self.app)
            ctx = app.ctx
            if ctx is not None:
                question = self._found.record.case.question
                serve(
                    self,
                    lambda: hits(ctx, question),
                    partial(self._choose_sources, field),
                    doing="search the documents",
                )
            return
        options = {"expectedBehavior": BEHAVIORS, "risk": RISKS, "refusalReason": REASONS}[field.field]
        name = NAMES[field.field]

        def chosen(answer: tuple[str, ...] | None) -> None:
            if answer:
                field.take(3, answer[0])

        choices = [(o, o.replace("_", " ")) for o in options]
        self.app.push_screen(Choose(name, choices, instant=True, said=f"The {name} that you state."), chosen)

    def _choose_sources(self, field: LabeledField, found: list[tuple[str, str]]) -> None:
        """The sources of both labels come first; those of the first are marked."""
        marked = [(n, c.text) for n, c in self._texts.items() if n in field.values[0]]
        others = [(n, c.text) for n, c in self._texts.items() if n not in field.values[0]]

        def chosen(answer: tuple[str, ...] | None) -> None:
            if answer is not None:
                for name, text in (*marked, *others, *found):
                    if name in answer and name not in self._texts:
                        self._texts[name] = Cited(source_id=name, text=text)
                field.take(3, answer)

        question = "\n".join(self._found.record.case.turns)
        self.app.push_screen(SourceChooser(question, [*others, *found], marked), chosen)

    def action_done(self) -> None:
        """Ask for the reason, and answer; the first field that is open yet gets the focus."""
        said = {f.field: f.value for f in self._decided_fields}
        for field in self._decided_fields:
            needless = field.field == "refusalReason" and said["expectedBehavior"] not in (None, "refuse")
            needless |= field.field == "expectedSourceIds" and said["expectedBehavior"] in ("refuse", "escalate")
            if field.value is None and not needless:
                self.set_focus(field)
                self.notify(f"{NAMES[field.field]}: take 1 or 2, or write a third", severity="warning", markup=False)
                return
        if (
            said["expectedBehavior"] == "answer"
            and not said["expectedSourceIds"]
            and self._found.record.case.task != "summary"
        ):
            self.notify("an answer needs a required source: t on the sources chooses", severity="warning", markup=False)
            return
        question = Question("reason", check=needed("a reason"), hint="why this, for both who labeled it")
        self.app.push_screen(
            Ask("decide", [question], _in_words(said), kept=f"decide {self._found.record.case.id}"),
            partial(self._reasoned, said),
        )

    def _reasoned(self, said: dict[str, Any], answer: tuple[str, ...] | None) -> None:
        if answer is None:
            return
        behavior = said["expectedBehavior"]
        sources = tuple(said["expectedSourceIds"] or ()) if behavior != "refuse" else ()
        self.dismiss(
            Statement(
                behavior=behavior,
                risk=said["risk"],
                source_ids=sources or ("none",),
                refusal_reason=(said.get("refusalReason") or "") if behavior == "refuse" else "",
                reason=answer[0],
            )
        )


def _asked(found: Labelings) -> str:
    """Question and documents."""
    case = found.record.case
    turns = [f"{n}. {t}" for n, t in enumerate(case.turns, 1)] if len(case.turns) > 1 else list(case.turns)
    papers = ", ".join(d.title or d.document_id for d in case.documents) or "none named"
    more = "".join(f" · {name}: {text}" for name, text in (("as of", case.as_of), ("asked by", case.asker)) if text)
    return "\n".join([*turns, f"documents: {flat(papers)}{flat(more)}"])


def _in_words(said: dict[str, Any]) -> str:
    sources = said["expectedSourceIds"] or ()
    named = f" · {len(sources)} source{'s' * (len(sources) != 1)}: {', '.join(sources)}" if sources else ""
    return f"{said['expectedBehavior']} · risk {said['risk']}{named if said['expectedBehavior'] == 'answer' else ''}"
