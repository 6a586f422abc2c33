"""Rates the outputs of a sample: what was asked and what is right beside what the system said; 1 to 5, twice."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Literal, cast

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from curator.domain.ratings import MEASURES, SAYS, Measure, Said
from curator.errors import StorageError
from curator.text import counted
from curator.tui.screens.ask import Ask, Question
from curator.tui.screens.confirm import Confirm
from curator.tui.screens.dialog import Dialog
from curator.tui.widgets.evidence_pane import ORDER, told
from curator.tui.widgets.footline import Footline
from curator.tui.widgets.safe import flat, plain, titled
from curator.tui.workers import serve

if TYPE_CHECKING:
    from curator.services.context import Context
    from curator.services.ratings import Finished, Sheet, Task
    from curator.tui.app import CuratorApp

AGAIN = 3.0
MODES = {"answer": "an answer", "refuse": "a refusal", "escalate": "a handover", "": "not said"}


class RatingScreen(Dialog[bool]):
    """One output after the other; what was said is stored at once. True: finished, or the results are asked for.

    Args:
        task: The sample, and what the person has said of it so far.
    """

    CSS_PATH: ClassVar[list[str]] = ["dialog.tcss", "rating.tcss"]
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (110, "-beside")]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("1", "score(1)", "rate", key_display="1-5"),
        *(Binding(str(n), f"score({n})", f"rate {n}", show=False) for n in range(2, 6)),
        Binding("n,right,enter", "output(1)", "next", key_display="n"),
        Binding("N,left,b", "output(-1)", "back", key_display="b"),
        Binding("c", "measure('completeness')", "complete"),
        Binding("a", "measure('accuracy')", "accurate"),
        Binding("m", "note", "note"),
        Binding("u", "unrated", "unrated"),
        Binding("f", "finish", "finish"),
        Binding("r", "results", "results"),
        Binding("tab", "turn", "other text", show=False),
        Binding("space", "scroll(1)", "scroll", show=False),
    ]

    def __init__(self, task: Task) -> None:
        super().__init__()
        self._work = task
        self._said: dict[str, Said] = dict(task.said)
        self._at = next((n for n, i in enumerate(task.case_ids) if i not in self._said or not self._said[i].whole), 0)
        self._sheet: Sheet | None = None
        self._seen: set[str] = set()
        self._measure: Measure = "completeness"
        self._unsaved: dict[str, dict[str, Any]] = {}
        self._writing = False
        self._after: Callable[[], None] | None = None
        self._state = ""

    def compose(self) -> ComposeResult:
        """What is right, what the system said, and below them what the person says."""
        with Vertical(classes="box"):
            with Container(id="texts"):
                with VerticalScroll(id="right"):
                    yield Static("opening …", id="expected")
                with VerticalScroll(id="said"):
                    yield Static("", id="output")
            yield Static("", id="scores")
        yield Footline()

    def on_mount(self) -> None:
        """Show the first that is not rated."""
        titled(self.query_one("#right"), "what is right")
        titled(self.query_one("#said"), "the output")
        self.set_focus(self.query_one("#said"))
        self._show()

    @property
    def _app(self) -> CuratorApp:
        return cast("CuratorApp", self.app)

    @property
    def _case(self) -> str:
        return self._work.case_ids[self._at]

    @property
    def _mine(self) -> Said:
        return self._said.get(self._case) or Said(case_id=self._case, actor="-")

    def _serve(self, work: Callable[[Context], Any], then: Callable[[Any], None], doing: str, **more: Any) -> None:
        ctx = self._app.ctx
        if ctx is not None:
            serve(self, lambda: work(ctx), then, doing=doing, **more)

    # -- showing ------------------------------------------------------------------------------------------------

    def _show(self) -> None:
        """Read the output at this place; its scores are shown at once."""
        self._measure = "completeness" if not self._mine.completeness or self._mine.whole else "accuracy"
        self._state = ""
        self._paint_scores()
        number, name = self._work.sampled.sample, self._case
        again = name in self._seen

        def work(ctx: Context) -> Sheet:
            from curator.services import ratings

            return ratings.sheet(ctx, number, name, again=again)

        self._serve(work, self._shown, f"show the output of {name}", group="sheet")

    def _shown(self, sheet: Sheet) -> None:
        if sheet.case_id != self._case:
            return
        self._seen.add(sheet.case_id)
        self._sheet = sheet
        self.query_one("#expected", Static).update(_expected(sheet))
        self.query_one("#output", Static).update(_output(sheet))
        titled(self.query_one("#said"), f"the output: {MODES.get(sheet.behavior, sheet.behavior)}")
        for pane in self.query(VerticalScroll):
            pane.scroll_home(animate=False)
        self._paint_scores()

    def _paint_scores(self) -> None:
        said, total, task = self._mine, len(self._work.case_ids), self._work
        done = sum(s.whole for s in self._said.values())
        where = f"! holdout · {self._case}" if self._sheet and self._sheet.holdout else self._case
        box = self.query_one(".box")
        titled(
            box,
            f"sample {task.sampled.sample}: {task.sampled.system} on {task.sampled.suite} {task.sampled.version}",
            f"{self._at + 1} of {total} · {where} · {done} rated" + (f" · {self._state}" if self._state else ""),
        )
        lines = [self._line(measure, getattr(said, measure)) for measure in MEASURES]
        note = flat(said.note) if said.note else "m writes one"
        lines.append(plain(f"  note            {note}", "" if said.note else "$text-muted"))
        self.query_one("#scores", Static).update(Content("\n").join(lines))

    def _line(self, measure: Measure, value: int) -> Content:
        here = measure == self._measure
        parts = [Content(f"{'›' if here else ' '} {measure:<14}").stylize("bold $text-accent" if here else "")]
        for n in range(1, 6):
            mark = f"[{n}]" if n == value else f" {n} "
            parts.append(Content(mark).stylize("bold reverse" if n == value else ""))
        words = SAYS[measure][value - 1] if value else "1 " + SAYS[measure][0] + " … 5 " + SAYS[measure][-1]
        return Content("").join([*parts, Content(f"  {words}").stylize("" if value else "$text-muted")])

    # -- saying -------------------------------------------------------------------------------------------------

    def action_score(self, value: int) -> None:
        """Say it of the measure under the cursor; the other one comes next where it is not said yet."""
        self._say({self._measure: value})
        other: Measure = "accuracy" if self._measure == "completeness" else "completeness"
        if not getattr(self._mine, other):
            self._measure = other
        self._paint_scores()

    def action_measure(self, measure: Literal["completeness", "accuracy"]) -> None:
        """The number keys are about this one."""
        self._measure = measure
        self._paint_scores()

    def action_note(self) -> None:
        """Write why."""
        name = self._case

        def answered(answer: tuple[str, ...] | None) -> None:
            if answer is not None and name == self._case:
                self._say({"note": answer[0]})
                self._paint_scores()

        self.app.push_screen(
            Ask("note", [Question("why, without names of people", self._mine.note)], kept=self._noted(name)), answered
        )

    def _say(self, values: dict[str, Any]) -> None:
        self._said[self._case] = self._mine.model_copy(update=values)
        self._unsaved.setdefault(self._case, {}).update(values)
        self._state = "saving …"
        self._write()

    def _write(self) -> None:
        """Store what was said, one write after the other, in the order in which it was said."""
        if self._writing:
            return
        if not self._unsaved:
            if self._after is not None:
                then, self._after = self._after, None
                then()
            return
        name = next(iter(self._unsaved))
        values, number = self._unsaved.pop(name), self._work.sampled.sample
        self._writing = True

        def work(ctx: Context) -> Said:
            from curator.services import ratings

            return ratings.rate(ctx, number, name, **values)

        self._serve(work, partial(self._written, name), f"rate {name}", failed=partial(self._not_written, name, values))

    def _written(self, name: str, said: Said) -> None:
        self._writing = False
        if name not in self._unsaved:
            self._said[name] = said
            self._state = "saved ✓"
            cast("CuratorApp", self.app).forget_answer(self._noted(name))
        self._paint_scores()
        self._write()

    def _hold_note(self, name: str) -> None:
        """A note that is not stored yet is held over a crash, as what is typed into other dialogs."""
        if note := self._unsaved.get(name, {}).get("note"):
            cast("CuratorApp", self.app).note_answer(self._noted(name), (note,))

    def _noted(self, name: str) -> str:
        return f"note on {name} in sample {self._work.sampled.sample}"

    def _not_written(self, name: str, values: dict[str, Any], error: Exception) -> bool:
        """What the database could not take stays and is tried again; what it refused is not shown as said."""
        self._writing = False
        if isinstance(error, StorageError):
            self._unsaved[name] = {**values, **self._unsaved.get(name, {})}
            said, self._state = self._state, f"! not saved, trying again: {flat(str(error))}"
            self._hold_note(name)
            self.set_timer(AGAIN, self._write)
            self._paint_scores()
            return said.startswith("! not saved, trying")
        self._unsaved.pop(name, None)
        self._state, self._after = f"! not saved: {flat(str(error))}", None
        number = self._work.sampled.sample

        def work(ctx: Context) -> Task:
            from curator.services import ratings

            return ratings.task(ctx, number)

        self._serve(work, self._said_again, "read the ratings", reads=True)
        return False

    def _said_again(self, task: Task) -> None:
        self._said = dict(task.said)
        self._paint_scores()

    def _when_written(self, then: Callable[[], None]) -> None:
        self._after = then
        self._write()

    # -- moving -------------------------------------------------------------------------------------------------

    def action_output(self, by: int) -> None:
        """The next output, or the one before."""
        place = self._at + by
        if 0 <= place < len(self._work.case_ids):
            self._at = place
            self._show()
        elif by > 0:
            left = len(self._work.case_ids) - sum(s.whole for s in self._said.values())
            self.notify(f"this is the last; {left} not rated: u" if left else "all are rated: f finishes", timeout=3)

    def action_unrated(self) -> None:
        """The next that is not rated in both measures, from here on and then from the first."""
        names = self._work.case_ids
        order = [*range(self._at + 1, len(names)), *range(self._at + 1)]
        place = next((n for n in order if names[n] not in self._said or not self._said[names[n]].whole), None)
        if place is None:
            self.notify("all are rated: f finishes", timeout=3)
        elif place != self._at:
            self._at = place
            self._show()

    def action_turn(self) -> None:
        """Scroll the other text."""
        right, said = self.query_one("#right"), self.query_one("#said")
        self.set_focus(right if said.has_focus else said)

    def action_scroll(self, by: int) -> None:
        """A screenful of the text that has the focus; at its end, from its head again."""
        pane = self.focused if isinstance(self.focused, VerticalScroll) else self.query_one("#said", VerticalScroll)
        if pane.scroll_offset.y >= pane.max_scroll_y:
            pane.scroll_home(animate=False)
        else:
            pane.scroll_relative(y=by * max(1, pane.size.height - 1), animate=False)

    # -- the end ------------------------------------------------------------------------------------------------

    def action_finish(self) -> None:
        """Ask, then say that one has finished."""
        done = sum(s.whole for s in self._said.values())
        left = len(self._work.case_ids) - done
        if not done:
            self.notify("nothing is rated yet in both measures", severity="warning", timeout=3)
            return
        said = f"{counted(done, 'output')} rated, {left} left out.\n\n" if left else "All are rated.\n\n"
        said += "Your ratings count from then on and are not changed any more; then you see what others said."
        self.app.push_screen(Confirm("finish this sample?", said, "finish"), self._confirmed)

    def _confirmed(self, answer: bool | None) -> None:
        if not answer:
            return
        number = self._work.sampled.sample

        def work(ctx: Context) -> Finished:
            from curator.services import ratings

            return ratings.finish(ctx, number)

        self._when_written(
            lambda: self._serve(work, lambda _done: self._leave(True), f"finish sample {number}", group="finish")
        )

    def action_results(self) -> None:
        """What others said, for who has not begun: they rate no more of it then."""
        if self._said:
            self.notify("you have begun: f finishes, then you see what others said", timeout=4)
            return
        said = "Who has seen the results of a sample rates no more of it."
        self.app.push_screen(
            Confirm("see the results?", said, "see them"), lambda yes: self._leave(True) if yes else None
        )

    def action_close(self) -> None:
        """Close when everything that was said is stored; it is gone on with another time."""
        if self._state.startswith("! not saved, trying"):
            said = "The database has not taken all of it yet; what it has not is lost, but for notes."
            self.app.push_screen(Confirm("leave all the same?", said, "leave"), self._left_all_the_same)
            return
        self._when_written(lambda: self._leave(None))

    def _left_all_the_same(self, answer: bool | None) -> None:
        if answer:
            self._leave(None)

    def _leave(self, answer: bool | None) -> None:
        self.dismiss(answer)


def _expected(sheet: Sheet) -> Content:
    """Question, what a right answer is, evidence."""
    parts: list[Content] = []
    for n, turn in enumerate(sheet.turns[:-1]):
        answer = sheet.earlier[n] if n < len(sheet.earlier) else "(not in the run)"
        parts += [plain(f"asked before: {turn}", "$text-muted"), plain(f"answered: {answer}", "$text-muted")]
    parts += [plain(sheet.turns[-1], "bold"), Content("")]
    parts.append(plain(f"expected: {sheet.expected_behavior}", "$text-accent"))
    for what, text in sheet.expected:
        parts.append(plain(f"{what}: ", "$text-muted") + plain(text))
    evidence = sorted(sheet.evidence, key=lambda e: ORDER[e.role])
    parts += [Content(""), *(part for entry in evidence for part in told(entry))]
    return Content("\n").join(parts)


def _output(sheet: Sheet) -> Content:
    return plain(sheet.output) if sheet.output.strip() else plain("(the output is empty)", "$text-muted")
