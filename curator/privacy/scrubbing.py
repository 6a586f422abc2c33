"""Replacing findings by placeholders: the same one for one value within a conversation, counted anew in each.

Values are remembered as keyed hashes, under a key that lives as long as the scrubber: nothing that is kept can be turned
back into a value.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Iterable

from curator.privacy.detector import Detector
from curator.privacy.finding import REPLACED, Finding, placeholder, placeholders

_Numbers = dict[str, dict[bytes, int]]


class Scrubber:
    """Replaces personal data, conversation by conversation."""

    def __init__(self, detector: Detector) -> None:
        self.detector = detector
        self._key = secrets.token_bytes(32)
        self._conversations: dict[bytes, _Numbers] = {}

    def scrub(self, text: str, conversation: str = "") -> tuple[str, list[str]]:
        """A text with placeholders, and the kinds of what was replaced.

        Args:
            text: Anything; placeholders that are in it already keep their place and their number.
            conversation: Texts of one conversation share their placeholders; "" = this text stands alone.
        """
        found = self.detector.find(text) if text else []
        return self.replaced(text, found, conversation)

    def replaced(self, text: str, found: Iterable[Finding], conversation: str = "") -> tuple[str, list[str]]:
        """A text whose findings are known; as `scrub`."""
        wanted = [f for f in found if f.kind in REPLACED]
        if not wanted:
            return text, []
        numbers = self._numbers(conversation)
        for start, end, kind in placeholders(text):  # one that was there before keeps its number
            numbers.setdefault(kind, {}).setdefault(
                text[start:end].encode(), int(text[start:end].rstrip("]").rsplit("_", 1)[1])
            )
        parts: list[str] = []
        end = 0
        for one in wanted:
            parts += [
                text[end : one.start],
                placeholder(one.kind, self._number(numbers, one.kind, text[one.start : one.end])),
            ]
            end = one.end
        parts.append(text[end:])
        return "".join(parts), [f.kind for f in wanted]

    def reserve(self, conversation: str, texts: Iterable[str]) -> None:
        """Number on behind the placeholders that stand in these texts of a conversation, whoever put them there.

        What they stand for is not known any more: a value that is met again gets a new number, never one of theirs.
        """
        for text in texts:
            for start, end, kind in placeholders(text):
                written = text[start:end]
                known = self._numbers(conversation).setdefault(kind, {})
                known.setdefault(written.encode(), int(written.rstrip("]").rsplit("_", 1)[1]))

    def forget(self, conversation: str) -> None:
        """A conversation is over: its numbers are forgotten."""
        self._conversations.pop(self._digest(conversation), None)

    def _numbers(self, conversation: str) -> _Numbers:
        if not conversation:
            return {}
        return self._conversations.setdefault(self._digest(conversation), {})

    def _number(self, numbers: _Numbers, kind: str, value: str) -> int:
        known = numbers.setdefault(kind, {})
        plain = re.sub(r"[\W_]+", "", value).casefold()
        return known.setdefault(self._digest(plain), max(known.values(), default=0) + 1)

    def _digest(self, value: str) -> bytes:
        return hashlib.blake2b(value.encode("utf-8", "surrogatepass"), digest_size=10, key=self._key).digest()
