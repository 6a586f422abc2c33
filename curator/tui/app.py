"""The app: modes, keys, themes; opens the workspace after the first paint."""

from __future__ import annotations

import asyncio
import gc
import os
import sys
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from rich.text import Text
from textual.app import App
from textual.binding import Binding, BindingType
from textual.reactive import Reactive
from textual.screen import ModalScreen, Screen
from textual.signal import Signal
from textual.theme import Theme

from curator import log
from curator.errors import CuratorError, StorageError
from curator.text import one_line
from curator.tui import rooms
from curator.tui.counting import Counting
from curator.tui.ending import mind_signals, signals_held
from curator.tui.key_order import KeyOrder
from curator.tui.messages import Done, Failed, OpenCase, OpenDocument, ShowCases
from curator.tui.screens.home import HomeScreen
from curator.tui.styling import Styling
from curator.tui.theme import DARK, THEMES
from curator.tui.trail import Place, Trail
from curator.tui.troubles import Troubled
from curator.tui.widgets.footline import Footline
from curator.tui.widgets.masthead import PLACES, Masthead
from curator.tui.workers import Sturdy, left_behind, serve

if TYPE_CHECKING:
    from textual.dom import DOMNode

    from curator.domain.actors import Actor
    from curator.services.context import Context
    from curator.tui.key_groups import Key
    from curator.workspace import Workspace


SOON = 0.05
AGAIN = 3.0
NOT_OPENED = "! not opened"
OURS = {theme.name: theme for theme in THEMES}


class CuratorApp(Sturdy, KeyOrder, Trail, Troubled, Counting, Styling, App[int]):
    """Curator on one workspace.

    Attributes:
        ctx: The open workspace; None until it is open.
        opened: Published once, when the workspace is open.
        case_signal: Published when the current case changed, with where that came from.
        alone: The process does nothing else, so that what is loaded stays until it ends.
    """

    TITLE = "Curator"
    CSS_PATH = ["app.tcss", "screens/home.tcss"]
    ENABLE_COMMAND_PALETTE = True
    COMMANDS = {rooms.commands}
    MODES: ClassVar[dict[str, Any]] = {"home": HomeScreen, **rooms.LATER}
    DEFAULT_MODE = "home"
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(f"f{d}", f"mode('{m}')", n, show=False, priority=True) for m, d, n in PLACES),
        Binding("g", "go", "go to", show=False),
        Binding("question_mark", "mode('search')", "search all documents", show=False, key_display="?"),
        Binding("ctrl+s", "save", "save", priority=True),
        Binding("ctrl+z", "undo", "undo", show=False),
        Binding("ctrl+y", "redo", "do again", show=False),
        Binding("f10", "keys", "keys", priority=True, key_display="F10"),
        Binding("f12", "errors", "errors", show=False, priority=True),
        Binding("ctrl+p", "command_palette", "find an action, a document, a case", show=False, priority=True),
        Binding("ctrl+q", "leave", "quit", show=False, priority=True),
    ]

    theme: Reactive[str] = Reactive(DARK.name)

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self.workspace = workspace
        self.alone = False
        self.review_side = "review"
        self.ctx: Context | None = None
        self.role = "opening"
        self.opening = "opening …"
        self.state_of_work = ""
        self.work = ""
        self.opened: Signal[Context] = Signal(self, "opened")
        self.case_signal: Signal[str] = Signal(self, "case")
        self.begin_errors()
        self.begin_case_work()
        self.begin_key_order()
        self.begin_trail()
        if self.no_color:
            from textual.filter import Monochrome

            from curator.tui.colorless import Colorless

            self._filters = [f for f in self._filters if not isinstance(f, Monochrome)] + [Colorless()]

    @property
    def available_themes(self) -> dict[str, Theme]:
        """Ours alone: every other one has colors that nobody has measured."""
        return OURS

    # -- opening ------------------------------------------------------------------------------------------------

    def on_mount(self) -> None:
        """The shell is painted first; then the workspace is opened in a thread."""
        if self.alone:
            mind_signals(self)
        self.call_after_refresh(self._open)

    def _open(self) -> None:
        workspace = self.workspace

        def work() -> tuple[Context, Actor | CuratorError]:
            ctx = workspace.context
            try:
                return ctx, ctx.actor()
            except CuratorError as error:
                return ctx, error

        serve(self, work, self._opened_workspace, doing="open the workspace", failed=self._not_opened)

    def _opened_workspace(self, answer: tuple[Context, Actor | CuratorError]) -> None:
        self.ctx, actor = answer
        if isinstance(actor, CuratorError):
            self.role = "may not write"
            self.note_error("look who acts", actor)
        else:
            self.role = actor.role
        self.opened.publish(self.ctx)
        self.keep_drafts()  # what was typed while it could not be opened
        self.repaint_top()
        self.offer_drafts()
        serve(self, rooms.load, self._settle, doing="load the other screens")
        serve(self, partial(_look_after, self.ctx), self._looked_after, doing="look after the database", reads=True)

    def _looked_after(self, answer: tuple[StorageError | None, list[str]]) -> None:
        damage, warnings = answer
        for line in warnings:
            self.notify(one_line(line, 400), severity="warning", markup=False, timeout=15)
        if damage is not None:
            self.role = "database damaged: read only"
            self.note_error("look at the database", damage)
            self.repaint_top()

    def _settle(self, _none: None) -> None:
        """What was loaded stays: a full collection that need not look at it takes 40 to 70 ms, not 120 to 190."""
        if self.alone:
            gc.collect()
            gc.freeze()

    def _not_opened(self, error: Exception) -> bool:
        """Said once; a fault that may go away, such as a full disk, is waited for."""
        told = self.opening == NOT_OPENED
        self.opening = NOT_OPENED
        self.repaint_top()
        if isinstance(error, StorageError):
            self.set_timer(AGAIN, self._open)
        return told

    def repaint_top(self) -> None:
        """Paint the top line of the current screen again, and the last one, which says that one can save."""
        for line in self.screen.children:
            if isinstance(line, Masthead | Footline):
                line.freshen()

    @property
    def unsaid(self) -> set[str]:
        """Saving is offered when there is something to save."""
        sheet = self.desk.sheet
        return set() if sheet is not None and sheet.dirty else {"save"}

    # -- messages -----------------------------------------------------------------------------------------------

    def on_done(self, message: Done) -> None:
        """A service came back; when the app is closing by now, nobody is there to be told."""
        message.stop()
        if not self._screen_stack:
            return
        if message.then is not None:
            message.then(message.result)
        self.repaint_top()

    def on_failed(self, message: Failed) -> None:
        """A service raised."""
        message.stop()
        if self._screen_stack and (message.handle is None or not message.handle(message.error)):
            self.note_error(message.doing, message.error)

    def _handle_exception(self, error: Exception) -> None:
        """What no handler could keep: one line on the terminal, the traceback in the log."""
        self._return_code = 1
        if self._exception is None:
            self._exception = error
            self._exception_event.set()
        self._log_bug("the app", error)
        self.panic(Text(f"curator: {one_line(f'{type(error).__name__}: {error}', 300)} (details in .curator/log)"))

    def on_open_document(self, message: OpenDocument) -> None:
        """Show a document in the reader."""
        message.stop()
        self.show_document(message.document_id, message.page, message.source_id)

    def show_document(self, document_id: str, page: int = 0, source_id: str = "") -> None:
        """Switch to the reader, on a document."""
        self.switch_mode("reader")
        self.reopen(Place("reader", document_id, page, source_id))

    def reopen(self, place: Place) -> None:
        """Show a place in the reader, which is in front."""
        from curator.tui.screens.reader import ReaderScreen

        screen = self.screen
        if isinstance(screen, ReaderScreen):
            screen.open_document(place.document_id, place.page, place.source_id)

    def on_open_case(self, message: OpenCase) -> None:
        """Show a case in its form."""
        message.stop()
        self.open_case(message.case_id, lambda: self.action_mode("case"))

    def on_show_cases(self, message: ShowCases) -> None:
        """Show the list of cases."""
        message.stop()
        from curator.tui.screens.case import CaseScreen

        self.action_mode("case")
        screen = self.screen
        if isinstance(screen, CaseScreen):
            screen.show_list(message.status)

    def begin_case(self) -> None:
        """Show the form of the case that has just begun, to type the question."""
        from curator.tui.screens.case import CaseScreen

        self.action_mode("case")
        screen = self.screen
        if isinstance(screen, CaseScreen):
            screen.begin()

    def next_review(self) -> None:
        """Hand out the next case that needs a review of who acts."""
        from curator.tui.screens.case import CaseScreen

        self.action_mode("case")
        screen = self.screen
        if isinstance(screen, CaseScreen):
            screen.action_next_review()

    def take_review(self, name: str) -> None:
        """Take one case in hand for a review, and show it."""
        from curator.tui.screens.case import CaseScreen

        self.action_mode("case")
        screen = self.screen
        if isinstance(screen, CaseScreen):
            screen.take_review(name)

    def show_suite(self, name: str) -> None:
        """Show a suite among the others."""
        from curator.tui.screens.suites import SuitesScreen

        self.action_mode("suites")
        screen = self.screen
        if isinstance(screen, SuitesScreen):
            screen.show_suite(name)

    def work_changed(self, state: str, said: str) -> None:
        """What runs in the background: some words for the top line, lines for Home."""
        self.state_of_work, self.work = state, said
        self.repaint_top()
        for screen in self._all_screens():
            if isinstance(screen, HomeScreen) and screen.is_mounted:
                screen.show_work(said)

    def ask_for_file(self) -> None:
        """Ask what to ingest, when Sources is in front."""
        from curator.tui.screens.sources import SourcesScreen

        if isinstance(self.screen, SourcesScreen):
            self.screen.action_ingest()

    # -- actions ------------------------------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Dialogs are closed before one goes elsewhere."""
        if action in ("mode", "save", "go", "keys", "errors", "submit", "undo", "redo"):
            return not isinstance(self.screen, ModalScreen)
        return True

    def action_mode(self, mode: str) -> None:
        """Go to a place; each keeps its state, and one that has two sides its side."""
        if mode == "review" and self.current_mode != "reconfirm":
            mode = self.review_side
        if mode in ("review", "reconfirm"):
            self.review_side = mode
        if mode != self.current_mode:
            self.switch_mode(mode)

    def action_go(self) -> None:
        """`g`, then the digit of a place."""
        from curator.tui.screens.choose import Choose

        options = [(mode, f"{digit} {name}") for mode, digit, name in PLACES]

        def went(answer: tuple[str, ...] | None) -> None:
            if answer:
                self.action_mode(answer[0])

        self.push_screen(Choose("go to", options, instant=True), went)

    def action_keys(self) -> None:
        """The keys of this place, by what one wants to do; Enter does it."""
        from curator.tui.key_groups import keys_of
        from curator.tui.screens.keys import Keys

        here = "Re-confirm" if self.current_mode == "reconfirm" else self.current_mode.capitalize()
        place = next((name for mode, _, name in PLACES if mode == self.current_mode), here)
        self.push_screen(Keys(place, keys_of(self.screen)), self._do_key)

    async def _do_key(self, key: Key | None) -> None:
        if key is not None:
            await self.try_action(key.said, key.action, key.node)

    def act_in(self, mode: str, said: str, action: str) -> None:
        """Go to a place and do something there, when what it shows has been read."""
        self.action_mode(mode)
        screen = self.screen

        def act() -> None:
            self.call_later(self.try_action, said, action, screen)

        async def wait() -> None:
            idle = 0
            while idle < 2:  # a screen asks when it comes up, and its lists ask when they know what for
                await asyncio.sleep(SOON)
                idle = (
                    0
                    if any(w.is_running and w.node is not self and w.node.screen is screen for w in self.workers)
                    else idle + 1
                )
            screen.call_later(act)  # behind the messages that carry what was read

        self.run_worker(wait(), group="act", exclusive=True)

    async def try_action(self, said: str, action: str, node: DOMNode) -> None:
        """Do something that was chosen by its name; when it cannot be done now, that is said."""
        if not node.is_attached or not await self.run_action(action, node):
            self.notify(f"{said}: not possible here now", severity="warning", markup=False, timeout=4)

    def action_command_palette(self) -> None:
        """Find an action, a document or a case by typing."""
        from textual.command import CommandPalette

        if not any(isinstance(screen, CommandPalette) for screen in self.screen_stack):
            said = "an action, a document, a case …"
            self.push_screen(CommandPalette(placeholder=said, id="--command-palette"))

    def action_theme(self) -> None:
        """Dark or light."""
        names = [theme.name for theme in THEMES]
        self.theme = names[(names.index(self.theme) + 1) % len(names)] if self.theme in names else names[0]

    def action_leave(self) -> None:
        """Quit; unsaved work is named first."""
        self.collect()
        unsaved = self.desk.unsaved
        if not unsaved:
            self.exit(0)
            return
        from curator.tui.screens.confirm import Confirm

        names = "\n".join(f"● {s.case.id or 'new case'}  {s.case.question}" for s in unsaved)
        said = f"not saved yet:\n{names}\n\nWhat was typed is kept as a draft, the next start offers it. Esc stays."
        self.push_screen(
            Confirm("quit without saving?", said, "quit"), lambda answer: self.keep_and(self.exit) if answer else None
        )

    async def action_quit(self) -> None:
        """As leave."""
        self.action_leave()

    def exit(self, *args: Any, **kwargs: Any) -> None:
        """Stop what works in the background first, since a closing app waits for its threads."""
        for screen in self._all_screens():
            stop = getattr(screen, "stop_all", None)
            if stop is not None:
                stop()
        self.workers.cancel_all()
        super().exit(*args, **kwargs)

    def _all_screens(self) -> list[Screen[Any]]:
        return [screen for stack in self._screen_stacks.values() for screen in stack]


def run(workspace: Workspace) -> int:
    """Open the app on a workspace; the exit code for the shell."""
    app = CuratorApp(workspace)
    app.alone = True
    log.write(workspace.root, "app", "begins")
    try:
        with signals_held():
            answer = app.run()
    finally:
        workspace.close()
    code = answer if answer is not None else (app.return_code or 0)
    log.write(workspace.root, "app", f"ends with {code}")
    if left_behind():  # Python would wait for the library that a thread is loading, or crash in it
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    return code


__all__ = ["CuratorApp", "run"]


def _look_after(ctx: Context) -> tuple[StorageError | None, list[str]]:
    """Look whether the database is sound, then make the copy of the day; gives what is wrong, and what is unwise."""
    from curator.services import backup, surroundings

    return backup.look_after(ctx), surroundings.warnings(ctx)
