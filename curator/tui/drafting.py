"""Typed text outlives a crash: a moment after a key it is a draft row, and the next start offers it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from textual.timer import Timer

from curator.errors import CuratorError, StorageError, UsageError
from curator.text import counted, one_line
from curator.tui.answering import Answering
from curator.tui.desk import Sheet, new_name
from curator.tui.workers import serve

if TYPE_CHECKING:
    from curator.domain.case import Case, CaseRecord
    from curator.domain.suggestion import Decided
    from curator.services.context import Context
    from curator.services.drafts import Typed as Written
    from curator.services.rescue import BroughtBack
    from curator.store.drafts import Draft

    Typed = tuple[Case, int, str, tuple[Decided, ...]]

WAIT = 0.5
"""Seconds after the first key that is not kept yet; later keys do not put it off, so that steady typing is kept too."""
SLOW = 1.0
"""Seconds after which a write is not waited for: a file holds what was typed, and what is typed on."""
RETRY = 2.0
_ONE_FILE = threading.Lock()


class Drafting(Answering):
    """Mix-in of the app."""

    def begin_drafting(self) -> None:
        """Nothing is kept yet."""
        self.begin_answers()
        self.draft_note = ""
        self._draft_timer: Timer | None = None
        self._kept: dict[str, tuple[Sheet, Case, tuple[Decided, ...]]] = {}
        self._doomed: set[str] = set()
        self._keeping, self._slow = 0, False
        self._keeping_now: list[tuple[str, Case]] = []
        self._draft_number = 0
        self._told_failure = False
        self._told_file = False
        self._rescued = False
        self._rescue_number = 0

    def is_kept(self, sheet: Sheet) -> bool:
        """Whether what stands on a sheet is a draft row."""
        kept = self._kept.get(sheet.key)
        return kept is not None and kept[1] is sheet.case and kept[2] is sheet.decided

    def note_change(self) -> None:
        """Something was typed or marked: write it down soon."""
        if self._draft_timer is None:
            self._draft_timer = self.set_timer(WAIT, self.keep_drafts)

    def keep_drafts(self) -> None:
        """Write down what is not yet, in a worker; drafts of what is no longer unsaved are dropped."""
        ctx = self.ctx
        if self._exit or not self.is_running or not self._screen_stack:
            return  # the form is being taken down
        self.collect()
        if self._draft_timer is not None:
            self._draft_timer.stop()
            self._draft_timer = None
        if ctx is None:
            self._keep_unopened()
            return
        if self._keeping:  # what is under way looks again when it has come back
            if self._slow:
                self._rescue(lambda _path: None, lambda _error: True)
            return
        unsaved = self.desk.unsaved
        wanted = [s for s in unsaved if not self.is_kept(s)]
        idle = [key for key, (sheet, *_) in self._kept.items() if sheet.key != key or not sheet.dirty]
        idle += self._doomed - {s.key for s in unsaved} - set(idle)
        self._doomed.clear()
        if not wanted and not idle:
            return
        taken = [(s, _typed(s)) for s in wanted]
        self._draft_number += 1
        self._keeping, self._slow = self._draft_number, False
        self._keeping_now = [(key, case) for _, (case, _, key, _) in taken]
        self.set_timer(SLOW, partial(self._is_slow, self._draft_number))

        def work() -> None:
            from curator.services import drafts

            if taken:
                drafts.keep_all(ctx, [drafts.Typed(*typed) for _, typed in taken])
            for key in idle:
                drafts.drop(ctx, key)

        serve(
            self,
            work,
            lambda _none: self._have_kept(taken, idle),
            doing="keep what was typed",
            failed=self._not_kept,
        )

    def _keep_unopened(self) -> None:
        """What is typed while the workspace cannot be opened is kept in a file."""
        if self.opening.startswith("!"):
            self._rescue(partial(self._tell_file, "the workspace is not open"), lambda _error: True)

    def _have_kept(self, taken: list[tuple[Sheet, Typed]], idle: list[str]) -> None:
        self._keeping = 0
        for key in idle:
            self._kept.pop(key, None)
        for sheet, (case, _, key, decided) in taken:
            if key not in self._doomed:
                self._kept[key] = (sheet, case, decided)
        self._told_failure = self._told_file = False
        self._note_draft("")
        self._forget_rescue()
        self.keep_drafts()

    def keep_and(self, leave: Callable[[], None]) -> None:
        """Write down all that is unsaved, then leave; when that fails, it is said and one stays."""
        ctx = self.ctx
        self.collect()
        typed = [_typed(s) for s in self.desk.unsaved]
        if ctx is None:
            self._leave_anyway(leave, StorageError("the workspace is not open"))
            return

        def work() -> None:
            from curator.services import drafts

            drafts.keep_all(ctx, [drafts.Typed(*t) for t in typed])

        serve(
            self,
            work,
            lambda _none: leave(),
            doing="keep what was typed",
            failed=partial(self._leave_anyway, leave),
        )

    def _leave_anyway(self, leave: Callable[[], None], error: Exception) -> bool:
        from curator.tui.screens.confirm import Confirm

        why = one_line(str(error))

        def ask(said: str, button: str) -> None:
            def decided(answer: bool | None) -> None:
                if answer:
                    leave()

            title = "it could not be kept as a draft: quit all the same?"
            self.push_screen(Confirm(title, f"{why}\n\n{said}", button), decided)

        def not_rescued(_error: Exception) -> bool:
            ask("What was typed since the last save is lost if you quit now.", "quit and lose it")
            return True

        self._rescue(
            lambda path: ask(f"What was typed is kept in {path}; the next start offers it.", "quit"), not_rescued
        )
        return True

    # -- when the database does not take it ---------------------------------------------------------------------

    def _rescue(self, then: Callable[[Path], None], failed: Callable[[Exception], bool]) -> None:
        """Write all that is unsaved into a file of its own, in a worker; the workspace need not be open."""
        self.collect()
        typed, answers = self._to_rescue(), dict(self.unstored)
        if not typed and not answers:
            return
        self._rescued = True
        number = self._rescue_number = self._rescue_number + 1
        root, actor = self.workspace.root, self.workspace.actor_id

        def work() -> Path:
            from curator.services import rescue

            with _ONE_FILE:  # what was sent later counts, whichever thread comes first
                if number < self._rescue_number:
                    return rescue.path_of(root)
                return rescue.keep(root, actor, typed, answers)

        serve(self, work, then, doing="keep what was typed", failed=failed, reads=True)

    def _to_rescue(self) -> list[Written]:
        """What of each unsaved sheet a file has to hold, and over which drafts of ours it may be put again."""
        from curator.domain.canonical import case_hash
        from curator.services.drafts import Typed as Written

        made = []
        for sheet in self.desk.unsaved:
            ours = [case for key, case in self._keeping_now if key == sheet.key]
            ours += [self._kept[sheet.key][1]] if sheet.key in self._kept else []
            made.append(Written(*_typed(sheet), tuple(case_hash(case) for case in ours)))
        return made

    def _tell_file(self, why: str, path: Path) -> None:
        """Say that what was typed is in a file for now; the list of errors says once where."""
        if not self._told_file:
            self._told_file = True
            self.list_error("keep what was typed", f"it is kept in {one_line(str(path))} until it can be stored")
        self._note_draft(f"! kept in a file (F12 says where), trying again: {one_line(why)}")

    def _forget_rescue(self) -> None:
        """The database has it all, and no dialog something: the file goes."""
        if not self._rescued:
            return
        if self.unstored:
            self._rescue(lambda _path: None, lambda _error: True)
            return
        self._rescued = False
        number = self._rescue_number = self._rescue_number + 1
        root = self.workspace.root

        def work() -> None:
            from curator.services import rescue

            with _ONE_FILE:
                if number == self._rescue_number:
                    rescue.drop(root)

        serve(self, work, doing="remove the rescue file", reads=True)

    def rescue_changed(self) -> None:
        """Write the file again, with what stands in dialogs; or remove it."""
        if self.unstored:
            self._rescue(lambda _path: None, lambda _error: True)
        elif not self._told_failure:
            self._forget_rescue()

    def keep_now(self) -> None:
        """Write down all that is unsaved at once, on this thread: the program is told to end."""
        from curator.services import rescue

        self.collect()
        typed = self._to_rescue()
        if typed or self.unstored:
            rescue.keep(self.workspace.root, self.workspace.actor_id, typed, self.unstored)

    def _is_slow(self, number: int) -> None:
        if self._keeping == number:
            self._slow = True
            self._note_draft("! what you type is not kept yet: the database is busy")
            self._rescue(lambda _path: None, lambda _error: True)

    def _not_kept(self, error: Exception) -> bool:
        """One line says so, the text stays where it is, and it is tried again."""
        self._keeping = 0
        said = error.message if isinstance(error, CuratorError) else str(error)
        if not self._told_failure:
            self._told_failure = True
            self.note_error("keep what was typed", error)
        if isinstance(error, UsageError):  # nobody may write under this name: trying again is of no use
            self._note_draft(f"! not kept: {one_line(said)}")
            return True
        self._note_draft(f"! not kept, trying again: {one_line(said)}")

        def rescued(path: Path) -> None:
            if self._told_failure:  # else it is in the database by now
                self._tell_file(said, path)

        self._rescue(rescued, lambda _error: True)
        self.set_timer(RETRY, self.keep_drafts)
        return True

    def _note_draft(self, note: str) -> None:
        if note != self.draft_note or not note:
            self.draft_note = note
            self.case_signal.publish("checked")

    def forget_draft(self, key: str) -> None:
        """A save forgot the draft of this key; a write of it that is under way is taken back."""
        self._kept.pop(key, None)
        if self._keeping:
            self._doomed.add(key)

    def put_aside(self, case: Case) -> None:
        """Keep a version that was decided against as a draft of its own."""
        ctx = self.ctx
        if ctx is None:
            return
        copy = case.model_copy(update={"id": ""})

        def work() -> None:
            from curator.services import drafts

            drafts.keep(ctx, copy, 0, key=new_name())

        serve(self, work, doing="keep your version")

    # -- drafts of an earlier time ------------------------------------------------------------------------------

    def offer_drafts(self) -> None:
        """At the start: show what waits from an earlier time, if anything does."""
        self._look_for_drafts(asked=False)

    def action_drafts(self) -> None:
        """Show the drafts that wait."""
        self._look_for_drafts(asked=True)

    def _look_for_drafts(self, *, asked: bool) -> None:
        ctx = self.ctx
        if ctx is None or not ctx.actor_id:
            return

        def work() -> tuple[BroughtBack | None, list[tuple[Draft, int]]]:
            return None if asked else bring_back(ctx), waiting(ctx)

        serve(self, work, partial(self._offer, asked), doing="look for drafts", group="drafts")

    def _offer(self, asked: bool, answer: tuple[BroughtBack | None, list[tuple[Draft, int]]]) -> None:
        back, found = answer
        if back is not None and back.answers:
            self.offer_answers(back.answers)
            self._rescue(lambda _path: _remove(back.files), lambda _error: True)
        open_here = {sheet.key for sheet in self.desk.unsaved}
        offered = [pair for pair in found if pair[0].case_id not in open_here]
        if not offered:
            if asked and not self._back_from_the_shelf():
                self.notify("no drafts wait: all that was typed is saved, or open", markup=False, timeout=3)
            return
        if not asked and (self.current_mode != "home" or len(self.screen_stack) > 1):
            # whoever has begun to work already is not interrupted: keys would go into the dialog
            count = counted(len(offered), "draft")
            self.notify(f"typed, but never saved: {count} (ctrl+p, drafts)", markup=False, timeout=8)
            return
        from curator.tui.screens.drafts import DraftsScreen

        self.push_screen(DraftsScreen(offered), self._resume)

    def _back_from_the_shelf(self) -> bool:
        """Show what was typed in this session and waits behind the form: a case without an id is in no list."""
        sheet = next((s for s in self.desk.unsaved if s is not self.desk.sheet), None) or self.desk.sheet
        if sheet is None or not sheet.dirty or self.desk.bring_back(sheet.key) is None:
            return False
        self.announce("loaded")
        self.show_case()
        return True

    def _resume(self, draft: Draft | None) -> None:
        from curator.services import drafts

        ctx = self.ctx
        if draft is None or ctx is None:
            return
        serve(
            self,
            lambda: drafts.opened_with(ctx, draft),
            partial(self._resumed, draft),
            doing="open the draft",
            group="open case",
        )

    def _resumed(self, draft: Draft, record: CaseRecord | None) -> None:
        self.collect()
        sheet = self.desk.resume(draft.case, record, draft.case_id)
        if not sheet.decided:
            sheet.decided = draft.decided
        self._kept[draft.case_id] = (sheet, sheet.case, sheet.decided)
        self.announce("loaded")
        self.show_case()

    def show_case(self) -> None:
        """Go to the form."""
        raise NotImplementedError


def _typed(sheet: Sheet) -> Typed:
    """What of a sheet is kept: case, version that it was opened with, key, what was decided about suggestions."""
    return sheet.case, sheet.record.version if sheet.record else 0, sheet.key, sheet.decided


def bring_back(ctx: Context) -> BroughtBack | None:
    """Make drafts of what an app before could write into a file only; when that fails the file stays. In a worker."""
    from curator.services import rescue

    with suppress(CuratorError):
        return rescue.bring_back(ctx)
    return None


def _remove(files: Sequence[Path]) -> None:
    from curator.services import rescue

    rescue.remove(files)


def waiting(ctx: Context) -> list[tuple[Draft, int]]:
    """The drafts that wait, and for each the version of its case by now (0: it was never stored); in a worker."""
    from curator.errors import InputError
    from curator.services import cases, drafts

    found = []
    for draft in drafts.waiting(ctx):
        try:
            version = cases.get(ctx, draft.case_id).version if draft.base_version else 0
        except InputError:
            version = 0
        found.append((draft, version))
    return found
