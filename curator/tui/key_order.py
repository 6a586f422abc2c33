"""Keys are handled one after the other.

Textual sends each key on to the widget that has the focus at that moment, and acts on letters only when the key has
come back up. Two keys that arrive together (fast typing, a slow machine) are sent to the same widget, so that the
text after an Enter may act as commands. Here a key waits until the one before it, and what that one set off at once,
is over. Keys for a list that is about to have its rows wait for them, so that Enter right after one went to a place
opens what stands there. Characters that wait for a text box are typed into it at once, so that it never falls behind a
fast hand or a slow machine. Once the app is going to end, keys that still wait are dropped: there is no screen left to
take them.
"""

from __future__ import annotations

from collections import deque
from time import monotonic
from typing import TYPE_CHECKING

from textual import events
from textual.app import App
from textual.message import Message

from curator.tui.messages import KeysWelcome
from curator.tui.rest_of_word import RestOfWord

if TYPE_CHECKING:
    from textual.message_pump import MessagePump

    _App = App[int]
else:
    _App = object

ROUNDS = 2
TICK = 0.1
SOON = 0.01
LONGEST = 5.0
"""Seconds after which a key that is still being handled no longer holds up the next one."""


class KeyDone(Message):
    """Follows a key up to the app: what was before it has been handled."""

    def __init__(self, number: int, target: MessagePump, left: int) -> None:
        self.number = number
        self.target = target
        self.left = left
        super().__init__()


def _parted(event: events.Key) -> list[events.Key]:
    """A letter that follows Esc so fast that the terminal takes both for Alt and the letter: two keys again."""
    if event.character is None or not event.key.startswith("alt+") or not event.is_printable:
        return [event]
    return [events.Key("escape", "\x1b"), events.Key(event.key.removeprefix("alt+"), event.character)]


class KeyOrder(_App):
    """Mix-in of the app."""

    _waiting: deque[events.Key]
    _number = 0
    _busy = False
    _watching = False
    _target: MessagePump | None = None
    _since = 0.0

    def begin_key_order(self) -> None:
        """No key is waiting."""
        self._waiting = deque()
        self._word = RestOfWord()

    def expect_rest(self, label: str, typed: str) -> None:
        """A menu acted on the beginning of a label: who types the rest of it does not mean what comes next."""
        self._word.begin(label, typed, monotonic())

    async def on_event(self, event: events.Event) -> None:
        """Let a new key wait while one is being handled."""
        if not isinstance(event, events.Key) or event.is_forwarded:
            await super().on_event(event)
        elif not self._takes_keys:
            self._waiting.clear()
        else:
            self._waiting.extend(_parted(event))
            if not self._busy:
                await self._next()

    @property
    def _takes_keys(self) -> bool:
        """Whether a screen is there, and nobody has asked to quit."""
        return self.is_running and not self._exit and bool(self._screen_stack)

    async def _next(self) -> None:
        """Handle the key that waits longest, unless who it is for is not ready yet."""
        self._sift()
        if not self._waiting:
            return
        key = self._waiting[0].key
        anywhere = len(self._waiting) == 1 and (key.startswith("ctrl+") or (key[:1] == "f" and key[1:].isdecimal()))
        if not anywhere and self._is_awaited:
            self._look_again()
        else:
            await self._handle(self._waiting.popleft())

    def _sift(self) -> None:
        """Hold back what goes on with a word that was chosen by its beginning."""
        before = self._word.until
        while self._waiting and self._word.until:
            key = self._waiting.popleft()
            back = self._word.take(key, key.time)  # when it came: it may have waited for the next dialog to come up
            self._waiting.extendleft(reversed(back or ()))
        if self._word.until > before:
            self.set_timer(max(SOON, self._word.until - monotonic()), self._word_over)

    async def _word_over(self) -> None:
        """No more of the word has come."""
        if self._waiting or not 0 < self._word.until <= monotonic():
            return
        self._waiting.extendleft(reversed(self._word.over()))
        if not self._busy and self._takes_keys:
            await self._next()

    @property
    def _is_awaited(self) -> bool:
        """Whether the list that has the keys is about to have rows, or the screen about to give them to a field."""
        return getattr(self.focused, "awaits_rows", False) or getattr(self.screen, "awaits_focus", False)

    async def on_keys_welcome(self, message: KeysWelcome) -> None:
        """The rows are there."""
        message.stop()
        if not self._busy and self._takes_keys:
            await self._next()

    async def _handle(self, event: events.Key) -> None:
        number, target = self._begin()
        try:
            if not self._type_at_once(event):
                await super().on_event(event)
        finally:
            if not target.post_message(KeyDone(number, target, ROUNDS)):
                await self._release(number)

    def _begin(self) -> tuple[int, MessagePump]:
        self._busy = True
        self._number += 1
        target = self._target = self.focused or self.screen
        self._since = monotonic()
        self._look_again()
        return self._number, target

    def _type_at_once(self, event: events.Key) -> bool:
        """Type a character and those that wait behind it into the text box that has the focus, as one change."""
        if not self._waiting or not event.is_printable or not self._waiting[0].is_printable:
            return False
        from textual.widgets import TextArea  # the first paint does without it

        box = self.focused
        if not isinstance(box, TextArea) or box.read_only:
            return False
        typed = event.character or ""
        while self._waiting and self._waiting[0].is_printable:
            typed += self._waiting.popleft().character or ""
        box.replace(typed, *box.selection, maintain_selection_offset=False)
        return True

    async def on_key_done(self, message: KeyDone) -> None:
        """Once more round, for the messages that the key set off; then the next key."""
        message.stop()
        if message.number != self._number:
            return
        again = KeyDone(message.number, message.target, message.left - 1)
        if message.left <= 1 or not message.target.post_message(again):
            # what the key put off until the screen is painted, such as moving the focus, comes first too
            self.call_after_refresh(self._release, message.number)

    async def _watch(self) -> None:
        """The next key waits no longer when who handled the last one is gone, a closed dialog's line for example."""
        self._watching = False
        target = self._target
        if self._busy and (target is None or not target.is_running or monotonic() - self._since > LONGEST):
            await self._release(self._number)
        elif not self._busy and self._waiting and self._takes_keys:
            await self._next()
        if self._busy:
            self._look_again()

    def _look_again(self) -> None:
        if not self._watching:
            self._watching = True
            self.set_timer(TICK, self._watch)

    async def _release(self, number: int) -> None:
        if number != self._number or not self._busy:
            return
        self._busy = False
        if not self._takes_keys:
            self._waiting.clear()
        else:
            await self._next()
