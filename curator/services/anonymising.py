"""The door of a log: a raw record becomes one without personal data, before anything is written.

Strings are cleaned, composed (NFC) and given one kind of line end, so that the same record in another file is the same
record. Each distinct retrieved text is scrubbed once.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from curator.domain.failure import iso_week
from curator.matching.folding import digest as wording_digest
from curator.matching.wording import is_follow_up, wording
from curator.parsing.logs import LogContext, LogRecord
from curator.privacy import Detector, Finding, Scrubber, reduced
from curator.privacy.finding import REPLACED
from curator.text import clean, nfc

Earlier = Mapping[str, Sequence[str]]
"""Session -> texts of it that are stored already, as far as they have placeholders."""
_FEEDBACK = {None: "", -1: "bad", 0: "neutral", 1: "good"}


@dataclass(slots=True, repr=False)
class Anonymous:
    """A record without personal data, ready to be stored.

    Attributes:
        key: What makes it the same record in another file: its own id, else its text, placeholders reduced to kinds.
        content: A digest of all that it says.
        has_id: The log gave it an id.
        contexts: Digest, text, source, page and score of each retrieved text; the digest is b"" where there is no text.
        wording: Digest, normalised text and question.
    """

    row: int
    key: bytes
    content: bytes
    has_id: bool
    columns: dict[str, Any]
    contexts: list[tuple[bytes, str, str, str, str]]
    wording: tuple[bytes, str, str]
    masked: Counter[str] = field(default_factory=Counter)


class _Asked(NamedTuple):
    """What follows from a question alone: its words of risk, its wording, whether it leans on the one before."""

    risk: int
    plain: str
    leans: bool


_ASKED = 2000
"""Questions that are remembered: in a log the same one is asked again and again."""
_LONGEST_ASKED = 4000
"""Characters of one that is."""


class Anonymiser:
    """Takes records in order and gives them back without personal data.

    Attributes:
        replaced: Characters that no file or database can hold and that became U+FFFD.
    """

    def __init__(
        self, detector: Detector, risk_words: Sequence[str], earlier: Callable[[Sequence[str]], Earlier] | None = None
    ) -> None:
        self._earlier = earlier or (lambda _sessions: {})
        self._sessions = set[bytes]()
        self._detector = detector
        self._rules = Detector()
        self._scrubber = Scrubber(detector)
        self._risk_words = tuple(w.casefold() for w in risk_words)
        self._contexts: dict[bytes, tuple[Finding, ...]] = {}
        self._clean = set[bytes]()
        self.replaced = 0
        self._label = lru_cache(20_000)(self._labelled)
        self._asked = lru_cache(_ASKED)(self._read_question)

    def take(self, records: Sequence[LogRecord]) -> list[Anonymous]:
        """Records without personal data; one pass of the model over all their texts."""
        for record in records:
            self._tidy(record)
        texts = list(dict.fromkeys(text for record in records for text in _texts(record)))
        found = dict(zip(texts, self._detector.find_many(texts), strict=True))
        self._look_at_contexts(records)
        self._reserve(records)
        return [self._anonymous(record, found) for record in records]

    def _reserve(self, records: Sequence[LogRecord]) -> None:
        """Placeholders that a conversation has already, from an earlier import or from the log itself, stay its own."""
        new = {digest(r.session): r.session for r in records if r.session}
        new = {key: session for key, session in new.items() if key not in self._sessions}
        self._sessions |= set(new)
        for session, texts in self._earlier(list(new.values())).items():
            self._scrubber.reserve(session, texts)
        for record in records:
            written = [t for t in _texts(record) if "[" in t]
            if written:
                self._scrubber.reserve(_conversation(record), written)

    def _tidy(self, record: LogRecord) -> None:
        for name in ("question", "answer", "reference", "error"):
            setattr(record, name, self._tidied(getattr(record, name)))
        for name in ("id", "session", "time", "route", "score", "language"):
            value = getattr(record, name)
            setattr(record, name, self._tidied(value) if value else "")
        record.before = [t._replace(text=self._tidied(t.text)) for t in record.before]
        record.after = [t._replace(text=self._tidied(t.text)) for t in record.after]
        record.contexts = [LogContext(*(self._tidied(part) for part in c)) for c in record.contexts]

    def _tidied(self, text: str) -> str:
        cleaned, count = clean(text)
        self.replaced += count
        if "\r" in cleaned:
            cleaned = cleaned.replace("\r\n", "\n").replace("\r", "\n")
        return (cleaned if cleaned.isascii() else nfc(cleaned)).strip()

    def _look_at_contexts(self, records: Sequence[LogRecord]) -> None:
        """Find what is in retrieved texts that were not seen before; a clean one is remembered by its digest alone."""
        new = {}
        for record in records:
            for context in record.contexts:
                key = digest(context.text)
                if context.text and key not in self._clean and key not in self._contexts:
                    new[key] = context.text
        for key, found in zip(new, self._detector.find_many(list(new.values())), strict=True):
            wanted = tuple(f for f in found if f.kind in REPLACED)
            if wanted:
                self._contexts[key] = wanted
            else:
                self._clean.add(key)

    def _anonymous(self, record: LogRecord, found: dict[str, list[Finding]]) -> Anonymous:
        masked: Counter[str] = Counter()
        conversation = _conversation(record)

        def scrubbed(text: str) -> str:
            made, kinds = self._scrubber.replaced(text, found[text], conversation)
            masked.update(kinds)
            return made

        before = [[t.role, scrubbed(t.text)] for t in record.before]
        question = scrubbed(record.question)
        asked = (self._asked if len(question) <= _LONGEST_ASKED else self._read_question)(question)
        columns: dict[str, Any] = {
            "row": record.row,
            "question": question,
            "answer": scrubbed(record.answer) if record.answer else "",
            "reference": scrubbed(record.reference) if record.reference else "",
            "error": scrubbed(record.error) if record.error else "",
        }
        after = [[t.role, scrubbed(t.text)] for t in record.after]
        contexts = [self._context(c, conversation, masked) for c in record.contexts]
        for name in ("time", "route", "language", "score"):
            columns[name] = self._label(getattr(record, name))
        session, own_id = self._whole(record.session), self._whole(record.id)
        columns |= {
            "session": session,
            "week": iso_week(columns["time"]),
            "feedback": _FEEDBACK[record.feedback],
            "turns": json.dumps({"before": before, "after": after}, ensure_ascii=False) if before or after else "{}",
            "document": next((c[2] for c in contexts if c[2]), ""),
            "flags": json.dumps(record.flags) if record.flags else "[]",
            "masked": sum(masked.values()),
            "risk": asked.risk,
        }
        if not record.session:
            self._scrubber.forget(conversation)
        content = _content(columns, contexts, own_id)
        key = digest(f"id\0{own_id}") if own_id else content
        leaning = (before[-1][1] if before else session or content.hex()) if asked.leans else ""
        said = (wording_digest(asked.plain, leaning), asked.plain, question)
        return Anonymous(record.row, key, content, bool(own_id), columns, contexts, said, masked)

    def _context(
        self, context: LogContext, conversation: str, masked: Counter[str]
    ) -> tuple[bytes, str, str, str, str]:
        text, key = context.text, b""
        if text:
            key = digest(text)
            if found := self._contexts.get(key):
                text, kinds = self._scrubber.replaced(text, found, conversation)
                masked.update(kinds)
                key = digest(text)
        return key, text, self._label(context.source), self._label(context.page), self._label(context.score)

    def _labelled(self, text: str) -> str:
        """A short fact of the log, scrubbed by the rules."""
        return Scrubber(self._rules).scrub(text)[0] if text else ""

    def _whole(self, text: str) -> str:
        """A name of the log for a record or a session: dropped when there is a person in it."""
        return text if text and self._label(text) == text else ""

    def _read_question(self, question: str) -> _Asked:
        return _Asked(self._risk(question), wording(question), is_follow_up(question))

    def _risk(self, question: str) -> int:
        words = set(question.casefold().replace("?", " ").replace(",", " ").replace(".", " ").split())
        return sum(1 for w in self._risk_words if (w in words if w.isascii() else w in question.casefold()))


def _conversation(record: LogRecord) -> str:
    return record.session or f"\0{record.row}"


def _texts(record: LogRecord) -> list[str]:
    named = [t.text for t in record.before] + [record.question, record.answer, record.reference, record.error]
    return list(dict.fromkeys(t for t in (*named, *(t.text for t in record.after)) if t))


def _content(columns: dict[str, Any], contexts: list[tuple[bytes, str, str, str, str]], own_id: str) -> bytes:
    """A digest of all that a record says, placeholders reduced to their kinds."""
    said = [own_id]
    for name in (
        "time",
        "session",
        "route",
        "language",
        "question",
        "answer",
        "reference",
        "error",
        "score",
        "feedback",
        "turns",
    ):
        value = columns[name]
        said.append(reduced(value) if "[" in value else value)
    for key, text, *origin in contexts:
        said.append(reduced(text) if "[" in text and reduced(text) != text else key.hex())
        said += origin
    return digest("\x1f".join(said))


def digest(text: str) -> bytes:
    """What a retrieved text, and the content of a record, are known by."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
