"""From a row of a list to a case: what it says becomes the case, what it hints at becomes attributes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from curator.domain import hints
from curator.domain.case import Attribute, Case, CaseDocument, Evidence, KeyProvision
from curator.domain.citing import cite, judged_against
from curator.domain.document import Document, Source
from curator.domain.list_row import ListCase
from curator.domain.list_words import as_behavior
from curator.domain.rules import is_date
from curator.matching.locating import name_key
from curator.store import documents, sources
from curator.store.database import Transaction
from curator.text import clean, one_line

PROPOSED = "Summarize {name}."
"""The question that is proposed where a list has documents and their summaries, and no questions."""
_DIGEST = 16
_NOT_SAID = ("number", "doubts", "withheld", "messages")


@dataclass(frozen=True)
class Here:
    """What of a list's names is in the workspace.

    Attributes:
        documents: Names as lists write them (ids, titles, files), folded -> the document; ambiguous ones lack.
        sources: Ids and aliases -> the source.
    """

    documents: dict[str, Document] = field(default_factory=dict)
    sources: dict[str, Source] = field(default_factory=dict)


def here(tx: Transaction, wanted: Iterable[ListCase]) -> Here:
    """The documents of the workspace, and the sources that rows name by their ids."""
    found: dict[str, Document | None] = {}
    for document in documents.page_of(tx, limit=0):
        for name in {name_key(n) for n in (document.id, document.title, document.revision.file) if n}:
            found[name] = document if found.get(name, document) == document else None
    names = {s.strip() for case in wanted for s in case.sources if ":" in s and len(s) <= 120}
    known = {name: s for s in sources.named(tx, names) for name in (s.id, *s.aliases)}
    return Here({name: d for name, d in found.items() if name and d is not None}, known)


def case_of(row: ListCase, place: Here) -> Case:
    """The case that a row makes, without an id.

    Ids of sources that are here are cited: the list says so itself. What needs looking for (quotes, pages, articles)
    is kept as attributes, see `domain.hints`; so is a behavior that only the wording suggests.
    """
    behavior = as_behavior(row.judged.kind)
    judged, unknown_documents = _documents(row, place)
    evidence, unknown_sources = _evidence(row, place, refuses=behavior == "refuse")
    kept = hints.Hints(
        quotes=row.quotes, pages=row.pages, documents=unknown_documents, sources=unknown_sources, passages=row.passages
    )
    tags = [*row.tags, *row.categories, *row.behaviors]
    turns = row.turns
    if not turns:
        turns = (PROPOSED.format(name=", ".join(row.documents)),)
        tags.append(hints.PROPOSED)
    values: dict[str, Any] = {
        "task": "question" if row.turns else "summary",
        "turns": turns,
        "language": row.language,
        "expected_behavior": behavior,
        "reference_answer": row.answer,
        "acceptable_answers": row.accepted,
        "must_not_claim": tuple(dict.fromkeys(row.must_not)),
        "as_of": row.as_of if is_date(row.as_of) else "",
        "asker": row.asker,
        "evidence": evidence,
        "key_provisions": tuple(
            KeyProvision(
                id=f"p{n}",
                text=p.text,
                citation=p.citation,
                accept=p.accept,
                mandatory=bool(p.accept) if p.mandatory is None else p.mandatory,
            )
            for n, p in enumerate(row.provisions, 1)
        ),
        "required_behaviors": tuple(dict.fromkeys(row.behaviors)),
        "refusal_reason": row.judged.reason if behavior == "refuse" else "",
        "escalate_to": row.escalate_to if behavior == "escalate" else "",
        "escalate_when": row.escalate_when if behavior == "escalate" else "",
        "risk": row.risk,
        "consequence": row.consequence,
        "domain": row.domain,
        "document_type": row.document_type,
        "difficulty": row.difficulty or "easy",
        "route": row.route,
        "documents": judged,
        "origin": "import",
        "turn_expectations": row.earlier,
        "tags": tuple(dict.fromkeys(t for tag in tags if (t := one_line(tag, 120)))),
        "notes": row.notes,
        "attributes": _attributes(row, kept, behavior),
    }
    return Case.model_validate(values)


def _attributes(row: ListCase, kept: hints.Hints, behavior: str) -> tuple[Attribute, ...]:
    pairs = [("list id", row.own_id)] if row.own_id else []
    pairs += [(a.name, a.value) for a in hints.attributes_of(kept)]
    if row.judged.suggested:
        pairs.append((hints.BEHAVIOR, f"{row.judged.suggested}: {row.judged.because}"))
    if row.as_of and not is_date(row.as_of):
        pairs.append(("as of", row.as_of))
    if row.escalate_to and behavior != "escalate":
        pairs.append(("escalate to", row.escalate_to))
    pairs += list(row.attributes)
    made: dict[str, str] = {}
    for name, value in pairs:
        unique, count = name, 1
        while unique in made and made[unique] != value:
            count += 1
            unique = f"{name} {count}"
        made[unique] = value
    return tuple(Attribute(name=name, value=value) for name, value in made.items())


def _documents(row: ListCase, place: Here) -> tuple[tuple[CaseDocument, ...], tuple[str, ...]]:
    """The documents of a row that are here, and the names of the others."""
    found: dict[str, Document] = {}
    unknown = []
    for name in row.documents:
        if (document := place.documents.get(name_key(name))) is not None:
            found[document.id] = document
        else:
            unknown.append(name)
    return tuple(judged_against(found[k]) for k in sorted(found)), tuple(unknown)


def _evidence(row: ListCase, place: Here, *, refuses: bool) -> tuple[tuple[Evidence, ...], tuple[str, ...]]:
    """Evidence on the ids that are here (what a refusal names is a near miss), and the names of the others."""
    cited, unknown = [], []
    for name in row.sources:
        source = place.sources.get(name.strip())
        if source is None:
            unknown.append(name)
        else:
            cited.append(cite(source, "distractor" if refuses else "required"))
    return tuple({e.source_id: e for e in cited}.values()), tuple(unknown)


def cleaned(row: ListCase) -> int:
    """Make every text of a row storable, in place; gives how many characters became U+FFFD."""
    count = 0

    def tidy(value: Any) -> Any:
        nonlocal count
        if isinstance(value, str):
            text, n = clean(value)
            count += n
            return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return type(value)(*map(tidy, value))
        if isinstance(value, tuple | list):
            return type(value)(map(tidy, value))
        if hasattr(value, "model_copy"):
            return value.model_copy(update={"reference_answer": tidy(value.reference_answer)})
        return value

    for name, value in vars(row).items():
        if value and not isinstance(value, int):
            setattr(row, name, tidy(value))
    return count


def digests(row: ListCase) -> tuple[bytes, bytes, bytes]:
    """What a row is known by when its list is read again: see `store.list_rows.Known`."""
    asked = [_plain(t) for t in (*(row.turns or row.documents), row.as_of, row.asker)]
    answered = [_plain(row.answer), row.judged.kind if row.judged.kind != "answer" else ""]
    named = [row.own_id, *asked] if row.own_id else [*asked, *answered]
    everything = [f"{k}={v!r}" for k, v in vars(row).items() if k not in _NOT_SAID]
    return _digest(["asked", *asked, *answered]), _digest(["named", *named]), _digest(everything)


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def _digest(parts: Sequence[str]) -> bytes:
    return hashlib.blake2b("\x1f".join(parts).encode("utf-8", "surrogatepass"), digest_size=_DIGEST).digest()
