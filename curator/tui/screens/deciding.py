"""What a person decides about a source that waits: accept, another place, drop, all that differ in form alone."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from curator.errors import Cancelled
from curator.text import counted
from curator.tui.messages import ProgressChanged
from curator.tui.progress import AppProgress
from curator.tui.screens.ask import Ask, Question
from curator.tui.screens.choose import Choose
from curator.tui.screens.confirm import Confirm
from curator.tui.screens.room import Room
from curator.tui.verdicts import SILENT, VERDICTS, difference_of

if TYPE_CHECKING:
    from curator.domain.case import CaseRecord
    from curator.domain.revision import Hit, Wait
    from curator.services.citations import CitingCase
    from curator.services.context import Context
    from curator.services.reconfirm import Reconfirmed
    from curator.tui.screens.place_chooser import Option

    Decision = Callable[[Context, AppProgress], Reconfirmed]

SHOWN = 8
FORMAL = ("spacing", "hyphenation", "numbering")
PROPOSED = ("SAME_KTH", "MOVED_SIMILAR", "CHANGED")
IN_VIEW = ("accept", "next", "whole")


@dataclass(frozen=True)
class Item:
    """Something that waits: a source, or a refusal for silence that new text may answer."""

    name: str
    wait: Wait | None = None
    hit: Hit | None = None

    @property
    def verdict(self) -> str:
        """The verdict on the source; a word of our own for a refusal."""
        return self.wait.verdict if self.wait else SILENT

    @property
    def is_proposed(self) -> bool:
        """Whether one place is proposed that a key accepts."""
        return self.wait is not None and self.wait.verdict in PROPOSED and bool(self.wait.target)

    @property
    def is_formal(self) -> bool:
        """Whether nothing but white space, hyphenation or numbering differs."""
        return self.is_proposed and self.wait is not None and self.wait.difference in FORMAL

    @property
    def title(self) -> str:
        """The verdict in glyph and word, what differs, which source, how many cases."""
        said = " ".join(VERDICTS[self.verdict])
        if self.hit is not None:
            return f"{said} · {self.hit.case_id}"
        wait = self.wait
        assert wait is not None
        how = difference_of(wait)
        cases = counted(wait.cases, "case") if wait.cases else "no case"
        return f"{said}{f' ({how})' if how else ''} · {cases} · {wait.source_id}"


class Deciding(Room):
    """The part of Re-confirm that decides; one decision at a time, and only on what is shown in full."""

    def __init__(self) -> None:
        super().__init__()
        self.beside = ""
        self.working = ""
        self._stop = threading.Event()

    @property
    def shown(self) -> Item | None:
        """What is shown in full."""
        raise NotImplementedError

    @property
    def formal(self) -> list[Item]:
        """Those that differ in form alone."""
        raise NotImplementedError

    @property
    def is_deciding(self) -> bool:
        """Whether one source is shown with its texts."""
        raise NotImplementedError

    def forget(self) -> None:
        """What is shown is decided."""
        raise NotImplementedError

    def show_beside(self, source_id: str) -> None:
        """Show another source beside the old text."""
        raise NotImplementedError

    def open_case(self, case_id: str) -> None:
        """To a case."""
        raise NotImplementedError

    def _paint_summary(self) -> None:
        raise NotImplementedError

    # -- deciding -----------------------------------------------------------------------------------------------

    def action_accept(self) -> None:
        """What is shown on the right is where the source lies now, and the cases on it hold; a refusal still holds."""
        item, beside = self.shown, self.beside
        if item is None:
            return
        from curator.services import reconfirm

        if item.hit is not None:
            name = item.hit.case_id
            self._decide(lambda ctx, _: reconfirm.keep(ctx, [name]), f"{name} refuses still")
        elif beside:
            self._decide(lambda ctx, _: reconfirm.choose(ctx, item.name, beside), f"{item.name} lies at {beside}")
        elif item.is_proposed:
            self._decide(lambda ctx, p: reconfirm.accept(ctx, [item.name], progress=p), f"accepted {item.name}")
        else:
            self.notify("nothing is proposed for it: o chooses a place, x drops it", markup=False, timeout=4)

    def action_drop(self) -> None:
        """The source is gone: the cases on it go back to their authors."""
        item = self.shown
        if item is None:
            return
        from curator.services import reconfirm

        def dropped(answer: tuple[str, ...] | None) -> None:
            if answer is not None:
                reason = answer[0].strip()
                self._decide(lambda ctx, _: reconfirm.drop(ctx, [item.name], reason), f"dropped {item.name}")

        cases = item.wait.cases if item.wait else 0
        many = f"{cases} cases on it stay stale and go" if cases > 1 else "1 case on it stays stale and goes"
        said = f"{many} back to be edited." if cases else ""
        self.app.push_screen(
            Ask(f"drop {item.name}", [Question("why it is gone (may be empty)")], said, kept=f"drop {item.name}"),
            dropped,
        )

    def action_accept_formal(self) -> None:
        """All that differ in white space, hyphenation or numbering only, as one decision."""
        from curator.services import reconfirm

        found = self.formal
        if not found:
            return
        lines = [f"{i.name}  {difference_of(i.wait)}" for i in found[:SHOWN] if i.wait]
        lines += [f"and {len(found) - SHOWN} more"] if len(found) > SHOWN else []
        said = "\n".join([*lines, "", "Not one word, number or sign differs. Ctrl+Z takes all of them back at once."])

        def confirmed(answer: bool | None) -> None:
            if answer:
                self._decide(lambda ctx, p: reconfirm.accept_all(ctx, progress=p), "accepted what differs in form only")

        self.app.push_screen(Confirm(f"accept {len(found)} that differ in form only?", said, "accept"), confirmed)

    def _decide(self, decision: Decision, told: str) -> None:
        if self.working:
            return
        self._stop.clear()
        self.forget()
        self.working = "deciding …"
        self._paint_summary()
        progress = AppProgress(lambda s: self.post_message(ProgressChanged(0, s)), self._stop)
        self.ask(
            lambda ctx: decision(ctx, progress), partial(self._decided, told), doing="re-confirm", failed=self._failed
        )

    def on_progress_changed(self, message: ProgressChanged) -> None:
        """How far a decision about many is."""
        message.stop()
        if self.working and message.snapshot.total:
            self.working = f"deciding … {message.snapshot.done} of {message.snapshot.total} · esc: stop"
            self._paint_summary()

    def _failed(self, error: Exception) -> bool:
        self.working = ""
        self.refresh_room()
        return isinstance(error, Cancelled)

    def _decided(self, told: str, done: Reconfirmed) -> None:
        self.working = ""
        parts = [told if len(done.sources) < 2 else f"{told}: {counted(len(done.sources), 'source')}"]
        current = len(done.cases) - len(done.stale) - len(done.in_review)
        counts = (
            (current, "current again"),
            (len(done.in_review), "in review again"),
            (len(done.stale), "still stale"),
        )
        parts += [f"{counted(n, 'case')} {word}" for n, word in counts if n > 0]
        self.notify(" · ".join([*parts, "Ctrl+Z takes it back"]), markup=False, timeout=5)
        self._follow(done.cases)

    def _follow(self, changed: Sequence[str]) -> None:
        """The form shows its case as it is now; this room reads again what waits, as does Home."""
        sheet = self.curator.desk.sheet
        name = sheet.record.case.id if sheet is not None and sheet.record is not None else ""
        if name not in changed:
            self.curator.case_signal.publish("saved")
            return
        from curator.services import cases

        def taken(record: CaseRecord) -> None:
            self.curator.take_record(record)

        self.ask(lambda ctx: cases.get(ctx, name), taken, doing=f"open {name}")

    # -- another place, the cases -------------------------------------------------------------------------------

    def action_other(self) -> None:
        """Look at another place of the source: one that comes into question, or found by its words."""
        item = self.shown
        if item is None or item.wait is None:
            return
        from curator.tui.screens.place_chooser import PlaceChooser, candidates

        wait = item.wait

        def chosen(answer: str | None) -> None:
            if answer:
                self.show_beside(answer)

        def show(found: list[Option]) -> None:
            self.app.push_screen(PlaceChooser(wait, found), chosen)

        self.ask(lambda ctx: candidates(ctx, wait), show, doing="look for places", group="places")

    def action_cases(self) -> None:
        """To the case on it; where there are several, it is asked which."""
        item = self.shown
        if item is None:
            return
        if item.hit is not None:
            self.open_case(item.hit.case_id)
            return
        wait = item.wait
        assert wait is not None
        from curator.services import citations

        self.ask(
            lambda ctx: citations.citing(ctx, wait.document_id).get(wait.source_id, ()),
            partial(self._found_cases, wait.source_id),
            doing="look for cases",
            group="cases",
        )

    def _found_cases(self, source_id: str, found: tuple[CitingCase, ...]) -> None:
        if not found:
            self.notify("no case cites it", markup=False, timeout=3)
        elif len(found) == 1:
            self.open_case(found[0].id)
        else:
            options = [(c.id, f"{c.id}  {'(labels hidden)' if c.hidden else c.question}") for c in found]
            self.app.push_screen(Choose(f"cases on {source_id}", options), self._case_chosen)

    def _case_chosen(self, answer: tuple[str, ...] | None) -> None:
        if answer:
            self.open_case(answer[0])

    def stop_all(self) -> None:
        """The app closes, or Esc: a decision about many is not made."""
        self._stop.set()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Decisions are offered while something is shown in full."""
        if action == "back":
            return self.is_deciding or bool(self.working)
        if action == "cases":
            return self.is_deciding and (self.shown is None or self.shown.wait is None or self.shown.wait.cases > 0)
        if action in ("other", "drop"):
            return self.is_deciding and (self.shown is None or self.shown.wait is not None)
        if action in IN_VIEW:
            return self.is_deciding
        if action == "accept_formal":
            return bool(self.formal)
        return True
