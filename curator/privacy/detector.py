"""The detector: all recognisers over one text, each only where the text can hold what it looks for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from curator.privacy.companions import companions
from curator.privacy.finding import Finding, placeholders, resolved, touches, words_of
from curator.privacy.given import find_given
from curator.privacy.labeled import find_labeled
from curator.privacy.letters import find_signed
from curator.privacy.numbers import find_numbers
from curator.privacy.people import find_people
from curator.privacy.places import find_places
from curator.privacy.secrets import find_net, find_secrets

RULES = "rules-3"
DETECTOR = f"curator-{RULES}"
"""Name and version of the rules. A change of what they find changes the number: then everything is scanned again."""

_DIGIT = re.compile(r"\d")
_DIGITS = re.compile(r"\d\D{0,3}\d\D{0,3}\d\D{0,3}\d")

_STEP = 30_000
"""Characters between two looks at whether to stop."""

NameFinder = Callable[[Sequence[str]], list[list[Finding]]]


@dataclass(frozen=True)
class Allowed:
    """A string that a person named as no personal data, with the reason: exactly this text, in this kind; "" = any."""

    text: str
    kind: str = ""


class Detector:
    """Finds personal data by rules and, where a model was given, names by it.

    A `checkpoint` is called at least every 200 ms of work and may raise.

    Attributes:
        version: What a confirmation is bound to: the rules, and the model where there is one.
    """

    def __init__(
        self, *, names: NameFinder | None = None, names_version: str = "", allowed: Iterable[Allowed] = (),
        checkpoint: Callable[[], None] = lambda: None,
    ) -> None:  # fmt: skip
        self._checkpoint = checkpoint
        self._names = names
        self._allowed = {(a.text, a.kind) for a in allowed}
        self.version = f"{DETECTOR}+{names_version}" if names else DETECTOR

    @property
    def finds_names(self) -> bool:
        """Whether a model looks for names, beside the rules."""
        return self._names is not None

    def find(self, text: str) -> list[Finding]:
        """Findings in a text, in order, not overlapping; spans in code points."""
        return self.find_many([text])[0]

    def find_many(self, texts: Sequence[str]) -> list[list[Finding]]:
        """The findings of each text; one pass of the model over all of them."""
        by_rules = []
        since = 0
        for text in texts:
            since += len(text)
            if since > _STEP:
                since = 0
                self._checkpoint()
            by_rules.append(find_by_rules(text))
        if self._names is not None:
            for found, more in zip(by_rules, self._names(texts), strict=True):
                found.extend(more)
        return [self._settled(text, found) for text, found in zip(texts, by_rules, strict=True)]

    def _settled(self, text: str, found: list[Finding]) -> list[Finding]:
        if not found:
            return found
        found += list(companions(text, found))
        taken = placeholders(text)
        kept = [f for f in found if not touches(taken, f)] if taken else found
        if self._allowed:
            kept = [f for f in kept if not {(text[f.start : f.end], k) for k in (f.kind, "")} & self._allowed]
        return resolved(kept)


def find_by_rules(text: str) -> list[Finding]:
    """What the rules find, overlaps and all."""
    words = words_of(text)
    found = [
        *find_secrets(text), *find_net(text), *find_people(text, words), *find_signed(text, words), *find_given(text, words),
    ]  # fmt: skip
    if _DIGIT.search(text):
        if _DIGITS.search(text):
            found += find_numbers(text)
        found += find_labeled(text, words)
        found += find_places(text, words)
    return found
