"""Marks of a case as the reader shows and changes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from curator.errors import UsageError
from curator.tui.theme import PROVISION, ROLES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from curator.domain.case import Case, Evidence, Role
    from curator.domain.document import Source
    from curator.services.context import Context

ANSWER = ("”", "answer")
MARGIN = 5
NEXT_ROLE: dict[str, str] = {"": "required", "required": "supporting", "supporting": "distractor", "distractor": ""}


@dataclass(frozen=True)
class Mark:
    """Something of a case that stands on a source.

    Attributes:
        kind: "evidence", "provision" or "answer".
        place: In the evidence, the provisions, or the words that were put into the answer.
        source_id: "" = a provision whose source is not cited any more.
        page: From 1; 0 = unknown.
        word: Glyph and role.
        text: What is quoted or required.
        place_said: Its page as it is printed: "p. 7"; "" = unknown.
    """

    kind: str
    place: int
    source_id: str
    page: int
    word: str
    text: str
    place_said: str = ""

    @property
    def name(self) -> str:
        """Tells marks apart: "evidence 0"."""
        return f"{self.kind} {self.place}"


@dataclass(frozen=True)
class Answered:
    """Words of a source that were put into the reference answer."""

    document_id: str
    source_id: str
    page: int
    words: str


def marks_in(case: Case, document_id: str, answered: Sequence[Answered] = ()) -> list[Mark]:
    """The marks of a case in a document: evidence, provisions, words in the answer.

    A provision whose source is not cited any more is listed too: it still counts.
    """
    found = [
        Mark("evidence", n, e.source_id, e.page, word_of(case, e), e.quote, f"p. {e.page_label or e.page}")
        for n, e in enumerate(case.evidence)
        if e.document_id == document_id
    ]
    elsewhere = {e.source_id for e in case.evidence} - {m.source_id for m in found}
    labels = {e.source_id: e.page_label for e in case.evidence}

    def printed(source_id: str, page: int) -> str:
        label = labels.get(source_id, "") or str(page or "")
        return f"p. {label}" if label else ""

    found += [
        Mark("provision", n, p.source_id, p.page, " ".join(PROVISION), p.text, printed(p.source_id, p.page))
        for n, p in enumerate(case.key_provisions)
        if p.source_id not in elsewhere
    ]
    found += [
        Mark("answer", n, a.source_id, a.page, " ".join(ANSWER), a.words, printed(a.source_id, a.page))
        for n, a in enumerate(answered)
        if a.document_id == document_id
    ]
    return found


def with_words(answer: str, words: str) -> str:
    """A reference answer with words at its end."""
    return f"{answer.rstrip()} {words}".strip()


def without_words(answer: str, words: str) -> str | None:
    """A reference answer without some of its words, the last place where they stand; None = it does not have them."""
    at = answer.rfind(words)
    while at >= 0:
        before, after = answer[:at], answer[at + len(words) :]
        if (not before or before[-1].isspace()) and (not after or after[0].isspace()):
            gap = "\n" if "\n" in before[len(before.rstrip()) :] + after[: len(after) - len(after.lstrip())] else " "
            return f"{before.rstrip()}{gap}{after.lstrip()}".strip()
        at = answer.rfind(words, 0, at + len(words) - 1)
    return None


def _marked(case: Case, source_id: str, quote: str) -> Evidence | None:
    """The entry that a mark is about: that of the quote, or the one of the source that was marked last."""
    entries = [e for e in case.evidence if e.source_id == source_id and (not quote or e.quote == quote)]
    return entries[-1] if entries else None


def next_role(source_id: str, quote: str, ctx: Context, case: Case) -> Case:
    """The case with the next role of a source, or of a quote from it; in a worker.

    Args:
        source_id: The source under the cursor.
        quote: What is selected in it; "" = the mark that was made on it last, or all of it.
        ctx: Open workspace.
        case: As it is now.
    """
    from curator.services import cases

    case = with_todays_name(ctx, case, source_id)
    entry = _marked(case, source_id, quote)
    role = NEXT_ROLE[entry.role if entry else ""]
    if not role:
        assert entry is not None
        return cases.without_evidence(case, entry)
    if entry is None and case.expected_behavior == "refuse":
        role = "distractor"
    group = entry.group if entry else ""
    return cases.with_evidence(ctx, case, source_id, _role(role), quote=entry.quote if entry else quote, group=group)


def alternative(source_id: str, quote: str, ctx: Context, case: Case) -> Case:
    """The case with a source as an alternative of the required evidence marked last; again: on its own; in a worker.

    Raises:
        UsageError: Nothing else is required yet.
    """
    from curator.services import cases

    case = with_todays_name(ctx, case, source_id)
    entry = _marked(case, source_id, quote)
    others = [e for e in case.evidence if e.role == "required" and e != entry]
    if entry is not None and any(e.group == entry.group for e in others):
        return cases.with_evidence(ctx, case, source_id, entry.role, quote=entry.quote, group=_own_group(case, entry))
    if not others:
        raise UsageError("an alternative needs required evidence before it", "mark that first: e")
    return cases.with_evidence(
        ctx, case, source_id, "required", quote=entry.quote if entry else quote, group=others[-1].group
    )


def provided(source_id: str, text: str, accept: tuple[str, ...], ctx: Context, case: Case) -> Case:
    """The case with a key provision on a source; in a worker."""
    from curator.services import cases

    return cases.with_provision(ctx, with_todays_name(ctx, case, source_id), source_id, text=text, accept=accept)


def with_todays_name(ctx: Context, case: Case, source_id: str) -> Case:
    """The case with one source under its id of today, so that a mark on it is found; in a worker."""
    from curator.services import rereading

    return rereading.with_todays_name(ctx, case, source_id)


def _own_group(case: Case, entry: Evidence) -> str:
    """A group that nothing else is in."""
    taken = {e.group for e in case.evidence if e != entry}
    names = (entry.source_id, *(f"{entry.source_id} {n}" for n in range(2, len(taken) + 3)))
    return next(n for n in names if n not in taken)


def _role(name: str) -> Role:
    roles: dict[str, Role] = {"required": "required", "supporting": "supporting", "distractor": "distractor"}
    return roles[name]


def is_alternative(case: Case, entry: Evidence) -> bool:
    """Whether another required entry before it would do as well."""
    before = case.evidence[: case.evidence.index(entry)]
    return entry.role == "required" and any(
        e.role == "required" and e.group == entry.group and e.source_id != entry.source_id for e in before
    )


def word_of(case: Case, entry: Evidence) -> str:
    """Glyph and role of an entry: "● required", "● or" for an alternative."""
    return "● or" if is_alternative(case, entry) else " ".join(ROLES[entry.role])


def margin(case: Case, answered: Sequence[Answered] = ()) -> dict[str, str]:
    """What stands in the margin, by source id: glyph and short word, ¶ for a provision, ” for words in the answer."""
    roles = {e.source_id: word_of(case, e) for e in case.evidence}
    provided = {p.source_id for p in case.key_provisions if p.source_id}
    words = {a.source_id for a in answered}
    found = {}
    for name in {*roles, *provided, *words}:
        more = (PROVISION[0] if name in provided else "") + (ANSWER[0] if name in words else "")
        glyph, _, role = roles.get(name, "").partition(" ")
        found[name] = glyph + role[: min(3, MARGIN - 1 - len(more))] + more
    return found


def quoted(case: Case, answered: Sequence[Answered] = ()) -> dict[str, list[str]]:
    """The quotes of each source: its evidence, the provisions taken from it word for word, words in the answer."""
    found: dict[str, list[str]] = {}
    for entry in case.evidence:
        found.setdefault(entry.source_id, []).append(entry.quote)
    for provision in case.key_provisions:
        found.setdefault(provision.source_id, []).append(provision.text)
    for words in answered:
        found.setdefault(words.source_id, []).append(words.words)
    return found


def mark_words(case: Case, source: Source, answered: Sequence[Answered] = ()) -> list[str]:
    """The marks of a source in words, and the key that takes them back."""
    found = [word_of(case, e) for e in case.evidence if e.source_id == source.id]
    found += [f"{PROVISION[0]} {p.id}" for p in case.key_provisions if p.source_id == source.id]
    found += [" ".join(ANSWER)] if any(a.source_id == source.id for a in answered) else []
    return [" ".join(found), "x takes back"] if found else ["not marked: e"]
