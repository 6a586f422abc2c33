"""What is typed into a dialog is kept until it is stored: the dialog opens with it again, a file holds it over a crash.

A dialog that names what it asks for (`Ask(kept=…)`) is minded from its first key. What its answer leads to, over other
dialogs and services, is watched: the answer is forgotten when that has come to its end, not when the dialog closes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from textual.timer import Timer

from curator.errors import CuratorError, StorageError
from curator.text import counted, one_line
from curator.tui.announcing import Announcing

SOON = 1.0
"""Seconds after a key in a dialog until a file holds what was typed."""


class Answering(Announcing):
    """Mix-in of the app."""

    def begin_answers(self) -> None:
        """Nothing was typed yet."""
        self._answers: dict[str, tuple[str, ...]] = {}
        self._acting: tuple[str, ...] = ()
        self._handed_on = False
        self._answer_timer: Timer | None = None

    @property
    def unstored(self) -> Mapping[str, tuple[str, ...]]:
        """What was typed into dialogs and is not stored, by what it was asked for."""
        return self._answers

    def note_answer(self, key: str, lines: tuple[str, ...]) -> None:
        """Something was typed into a dialog: a file holds it soon."""
        self._answers[key] = lines
        if self._answer_timer is None:
            self._answer_timer = self.set_timer(SOON, self._hold_answers)

    def forget_answer(self, *keys: str) -> None:
        """It is stored, or was decided against."""
        gone = [key for key in keys if self._answers.pop(key, None) is not None]
        if gone and self._answer_timer is None:
            self.rescue_changed()

    def keep_answer(self) -> None:
        """What is being done with an answer did not come to its end, though nothing failed: it is kept."""
        self._handed_on = True

    def offer_answers(self, found: Mapping[str, tuple[str, ...]]) -> None:
        """What an app before could not store: its dialogs open with it."""
        self._answers = {**found, **self._answers}
        if found:
            named = ", ".join(one_line(key, 120) for key in list(found)[:3])
            many = f"{counted(len(found), 'line')} of an earlier time, not stored: {named}"
            self.list_error("store what was typed", f"{many}; the dialog opens with it")
            self.notify(one_line(f"{many} (F12)", 300), severity="warning", markup=False, timeout=10)
            self.rescue_changed()

    def rescue_changed(self) -> None:
        """What the rescue file has to hold is another thing now."""
        raise NotImplementedError

    def _hold_answers(self) -> None:
        self._answer_timer = None
        self.rescue_changed()

    # -- what comes of an answer --------------------------------------------------------------------------------

    def push_screen(self, screen: Any, callback: Any = None, *args: Any, **more: Any) -> Any:
        """Show a dialog; what its answer leads to is watched."""
        if callback is not None:
            callback = self._watched(screen, self._hand_on(), callback)
        return super().push_screen(screen, callback, *args, **more)

    def _watched(
        self, screen: Any, keys: tuple[str, ...], callback: Callable[[Any], object]
    ) -> Callable[[Any], object]:
        own = str(getattr(screen, "kept", ""))

        def answered(answer: Any) -> object:
            mine = (*keys, *getattr(screen, "carried", ()), *([own] if own else []))
            if not mine:
                return callback(answer)
            if answer is None:
                self.forget_answer(*mine)
                return callback(answer)
            with self._doing(mine):
                return callback(answer)

        return answered

    def bound(
        self, then: Callable[[Any], None] | None, failed: Callable[[Exception], bool] | None
    ) -> tuple[Callable[[Any], None] | None, Callable[[Exception], bool] | None]:
        """What a service's end leads to, when the service was called because of an answer: forgotten or kept."""
        keys = self._hand_on()
        if not keys:
            return then, failed

        def done(result: Any) -> None:
            with self._doing(keys):
                if then is not None:
                    then(result)
                if not self._handed_on:
                    self.forget_answer(*keys)

        def not_done(error: Exception) -> bool:
            if isinstance(error, CuratorError) and not isinstance(error, StorageError):
                self.forget_answer(*keys)  # it was refused for what it says: another answer is asked for
            else:
                self.rescue_changed()
            return failed is not None and failed(error)

        return done, not_done

    def carry(self, screen: Any) -> None:
        """A dialog closes because of an answer given in another one: what comes of it is watched too."""
        if keys := self._hand_on():
            screen.carried = keys

    def _hand_on(self) -> tuple[str, ...]:
        self._handed_on |= bool(self._acting)
        return self._acting

    @contextmanager
    def _doing(self, keys: tuple[str, ...]) -> Iterator[None]:
        before = self._acting, self._handed_on
        self._acting, self._handed_on = keys, False
        try:
            yield
        finally:
            self._acting, self._handed_on = before
