"""The rest of a word whose first letter was enough.

A menu acts on a letter that only one of its lines begins with. Whoever types the whole word all the same, and perhaps
Enter behind it, must not act in what comes next: letters that go on with the word are held back for a moment. They
are dropped when they prove to be the word, and handled after all when they do not.
"""

from __future__ import annotations

from textual import events

HOLD = 0.4
"""Seconds after a letter within which the next one of a word that is typed comes."""
ENTER = 1.0
"""Seconds after a whole word within which an Enter still belongs to it."""
SURE = 2
"""So many letters that go on with the word are no chance."""


class RestOfWord:
    """Keys go through `take` while it is open.

    Attributes:
        until: When what is held is decided about; 0 = nothing is expected.
    """

    def __init__(self) -> None:
        self._rest = ""
        self._held: list[events.Key] = []
        self.until = 0.0

    def begin(self, label: str, typed: str, now: float) -> None:
        """A menu has acted on what was typed, the beginning of a label."""
        rest = label.partition(":")[0][len(typed) :].casefold()
        if typed.isalpha() and rest:
            self._rest, self._held, self.until = rest, [], now + HOLD

    def take(self, key: events.Key, now: float) -> list[events.Key] | None:
        """What is to be handled now, in order; None = the key is held."""
        if now >= self.until:
            return [*self.over(), key]
        place = len(self._held)
        if key.is_printable and place < len(self._rest) and (key.character or "").casefold() == self._rest[place]:
            self._held.append(key)
            self.until = now + (ENTER if self._is_whole else HOLD)
            return None
        ends = key.key == "enter" and bool(self._held)
        return self.over() if ends and (self._is_whole or len(self._held) >= SURE) else [*self.over(whole=True), key]

    def over(self, *, whole: bool = False) -> list[events.Key]:
        """Nothing more is expected. Gives what was held and is not the word, to be handled.

        Args:
            whole: Another key follows at once: letters count as the word only when it has come to its end.
        """
        held, sure = self._held, self._is_whole or (len(self._held) >= SURE and not whole)
        self._rest, self._held, self.until = "", [], 0.0
        return [] if sure else held

    @property
    def _is_whole(self) -> bool:
        """Whether a word of the label has come to its end."""
        place = len(self._held)
        return place > 0 and not self._rest[place : place + 1].isalnum()
