"""What an imported list says of evidence, kept with the case until a person marks it: quotes, pages, documents, places.

Hints are attributes of the case. They are what somebody wrote, never evidence: where they lie in the documents that are
here is worked out when it is asked for, and is a suggestion.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from curator.domain.case import Attribute, Case
from curator.domain.model import Model

QUOTE, PAGES, DOCUMENT, SOURCE, PASSAGE = (
    "cited quote",
    "cited pages",
    "cited document",
    "cited source",
    "cited passage",
)
NAMES = (QUOTE, PAGES, DOCUMENT, SOURCE, PASSAGE)
BEHAVIOR = "suggested behavior"
"""What the wording of the list suggests: a guess that a person confirms by setting the behavior, or dismisses."""
PROPOSED = "question-proposed"
"""Tag of a case whose question was made from the name of its document."""
_COUNT = re.compile(r" \d+$")
_MOST_PAGES = 60


class Hints(Model):
    """What a list says of the evidence of a case.

    Attributes:
        quotes: Texts that should stand in a source.
        pages: From 1.
        documents: Names of files or documents.
        sources: Ids, articles, sections, as the list names them.
    """

    quotes: tuple[str, ...] = ()
    pages: tuple[int, ...] = ()
    documents: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    passages: tuple[str, ...] = ()

    @property
    def any(self) -> bool:
        """Whether there is anything to look for."""
        return bool(self.quotes or self.sources or self.passages or (self.pages and self.documents))


def attributes_of(hints: Hints) -> tuple[Attribute, ...]:
    """The hints as attributes; several of a kind are numbered."""
    texts = (
        (QUOTE, hints.quotes), (PAGES, (ranges(hints.pages),) if hints.pages else ()), (DOCUMENT, hints.documents),
        (SOURCE, hints.sources), (PASSAGE, hints.passages),
    )  # fmt: skip
    return tuple(
        Attribute(name=f"{name} {n}" if n > 1 else name, value=text)
        for name, values in texts
        for n, text in enumerate(values, 1)
    )


def hints_of(case: Case) -> Hints:
    """The hints that a case keeps."""
    found: dict[str, list[tuple[int, str]]] = {name: [] for name in NAMES}
    for attribute in case.attributes:
        name = _COUNT.sub("", attribute.name)
        if name in found and attribute.value.strip():
            number = attribute.name[len(name) :].strip()
            found[name].append((int(number) if number else 1, attribute.value))
    texts = {name: tuple(text for _, text in sorted(values)) for name, values in found.items()}
    judged = tuple(d.document_id for d in case.documents if d.document_id)
    return Hints(
        quotes=texts[QUOTE],
        pages=_pages(texts[PAGES]),
        documents=tuple(dict.fromkeys((*texts[DOCUMENT], *judged))),
        sources=texts[SOURCE],
        passages=texts[PASSAGE],
    )


def suggested_behavior(case: Case) -> str:
    """What the wording of the list suggests ("refuse: the answer reads like a refusal"), "" = nothing."""
    return next((a.value for a in case.attributes if a.name == BEHAVIOR), "")


def without_behavior(case: Case) -> Case:
    """The case without a suggested behavior: a person has stated one."""
    kept = tuple(a for a in case.attributes if a.name != BEHAVIOR)
    return case if kept == case.attributes else case.model_copy(update={"attributes": kept})


def ranges(pages: Sequence[int]) -> str:
    """Pages as text: "2, 7-9"."""
    parts: list[list[int]] = []
    for page in sorted(set(pages)):
        if parts and page == parts[-1][-1] + 1:
            parts[-1].append(page)
        else:
            parts.append([page])
    return ", ".join(f"{p[0]}-{p[-1]}" if len(p) > 1 else str(p[0]) for p in parts)


def _pages(texts: Iterable[str]) -> tuple[int, ...]:
    found: list[int] = []
    for text in texts:
        for part in text.split(","):
            first, dash, last = part.strip().partition("-")
            if first.isdecimal() and (not dash or last.isdecimal()):
                found += range(int(first), int(last or first) + 1)
    return tuple(dict.fromkeys(found))[:_MOST_PAGES]
