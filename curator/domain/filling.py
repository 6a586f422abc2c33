"""From a gap to work: which pages of which documents, and which failures, would fill it, in order of worth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from curator.domain.model import Model
from curator.domain.quotas import Asked
from curator.domain.rules import THIRDS
from curator.domain.strata import BANDS, length_band
from curator.domain.suite import Quota, Selector, SuitePolicy

MOST = 5
"""Documents, and failures, named for one gap."""


class Shelved(NamedTuple):
    """A document that is here; `sources`: what can be cited in it."""

    document_id: str
    title: str
    domain: str
    document_type: str
    language: str
    pages: int
    sources: int


class Candidate(NamedTuple):
    """An open failure that could become a case; `document_id` is "" where its document is not here or not known."""

    failure_id: str
    question: str
    route: str
    language: str
    document_id: str
    follow_up: bool
    risk: bool
    bad: int
    size: int


class Place(Model):
    """Pages of a document where a case would fill a gap.

    Attributes:
        position: early, middle or late: the third that is asked for, else the one with the fewest cases.
        cases: Cases that count whose evidence lies on these pages.
        sections: Titles of sections with most to ask about there. The first of them begins on `page`, with `source`.
    """

    document_id: str
    title: str
    pages: int
    position: str
    first_page: int
    last_page: int
    cases: int
    sections: tuple[str, ...] = ()
    page: int = 0
    source: str = ""


class Filling(Model):
    """An open failure that would fill a gap, and why it stands there."""

    failure_id: str
    question: str
    reasons: tuple[str, ...]


class Work(Model):
    """A gap with what to do about it: `step` is the next step in one line."""

    suite: str
    name: str
    where: dict[str, str]
    words: str
    missing: int
    step: str
    places: tuple[Place, ...] = ()
    failures: tuple[Filling, ...] = ()


def third_pages(pages: int, position: str) -> tuple[int, int]:
    """First and last page of a third of a document, as `rules.third` cuts it; (0, 0) where a third has no page."""
    n = THIRDS.index(position)
    first, last = -(-n * pages // 3) + 1, -(-(n + 1) * pages // 3)
    return (first, last) if first <= last else (0, 0)


def fits(document: Shelved, quota: Quota, suite: SuitePolicy, median: float) -> bool:
    """Whether a case on this document could count for a quota of a suite."""
    wanted = quota.where
    if "domain" in wanted and document.domain != wanted["domain"]:
        return False
    if "documentType" in wanted and document.document_type != wanted["documentType"]:
        return False
    if "lengthStratum" in wanted and length_band(document.pages, median) != wanted["lengthStratum"]:
        return False
    if wanted.get("sectionPosition") in THIRDS and third_pages(document.pages, wanted["sectionPosition"]) == (0, 0):
        return False
    inside, outside = touches(document, suite.include), touches(document, suite.exclude)
    return inside is not False and outside is not True


def touches(document: Shelved, selector: Selector) -> bool | None:
    """Whether a selector takes all cases on a document; None = it does not speak of documents alone, or not at all."""
    said = [document.domain in selector.domain] if selector.domain else []
    said += [document.document_id in selector.document] if selector.document else []
    if not said:
        return None
    if not all(said):
        return False
    return None if selector.tag or selector.risk or selector.task or selector.language else True


FIELDS = {
    "domain": "domain",
    "documentType": "document_type",
    "expectedBehavior": "expected_behavior",
    "task": "task",
    "risk": "risk",
    "difficulty": "difficulty",
    "route": "route",
    "language": "language",
}
"""Dimensions that are stated with a case, and the field that states each."""
UNSTATED = ("", "none", "hidden", "*")


def begun(where: Mapping[str, str], suite: SuitePolicy) -> dict[str, Any]:
    """What a new case says that is to fill a gap: fields of `Case` with their values.

    What is derived is left to the place where the case is made, but for a conversation, which begins with two turns.
    Where the suite takes only cases with one domain, risk, task, language or tag, that is said too.
    """
    found: dict[str, Any] = {f: where[d] for d, f in FIELDS.items() if where.get(d, "") not in UNSTATED}
    for name in ("domain", "risk", "task", "language"):
        allowed = getattr(suite.include, name)
        if len(allowed) == 1:
            found.setdefault(name, allowed[0])
    if suite.include.tag:
        found["tags"] = suite.include.tag[:1]
    if where.get("conversation") == "follow-up":
        found["turns"] = ("", "")
    return found


def places(
    documents: Iterable[Shelved], quota: Quota, suite: SuitePolicy, median: float, on_page: Mapping[str, Counter[str]]
) -> tuple[Place, ...]:  # fmt: skip
    """Where to look first: documents with the fewest cases on the wanted pages, then those with most to cite.

    Args:
        documents: All that are here.
        quota: What is not met.
        suite: Whose.
        median: Reference median.
        on_page: Document -> cases that count by the third in which their evidence lies.
    """
    found = []
    for document in documents:
        if not fits(document, quota, suite, median) or not document.sources:
            continue
        known = on_page.get(document.document_id, Counter())
        wanted = quota.where.get("sectionPosition", "")
        thirds = [t for t in THIRDS if third_pages(document.pages, t) != (0, 0)]
        position = wanted if wanted in THIRDS else min(thirds, key=lambda t: (known[t], THIRDS.index(t)), default="")
        if not position:
            continue
        first, last = third_pages(document.pages, position)
        place = Place(
            document_id=document.document_id, title=document.title, pages=document.pages, position=position,
            first_page=first, last_page=last, cases=known[position],
        )  # fmt: skip
        found.append(((place.cases, sum(known.values()), -document.sources, document.document_id), place))
    return tuple(place for _, place in sorted(found, key=lambda f: f[0])[:MOST])


def failures(
    candidates: Iterable[Candidate], documents: Mapping[str, Shelved], quota: Quota, suite: SuitePolicy, median: float
) -> tuple[Filling, ...]:  # fmt: skip
    """Open failures that could fill a quota: those that fit it in most ways first, else in the order of the queue."""
    found = []
    for place, failure in enumerate(candidates):
        reasons = _reasons(failure, documents.get(failure.document_id), quota, suite, median)
        if reasons is not None:
            found.append((-len(reasons), place, Filling(
                failure_id=failure.failure_id, question=failure.question, reasons=tuple(reasons) + _worth(failure)
            )))  # fmt: skip
    return tuple(f for *_, f in sorted(found, key=lambda f: f[:2])[:MOST])


def _reasons(
    failure: Candidate, document: Shelved | None, quota: Quota, suite: SuitePolicy, median: float
) -> list[str] | None:  # fmt: skip
    """In which ways a failure fits; None = it cannot, or nothing speaks for it."""
    wanted, reasons = quota.where, []
    for name, own in (("route", failure.route), ("language", failure.language)):
        if name in wanted:
            if own != wanted[name]:
                return None
            reasons.append(f"{name} {own}")
    if "conversation" in wanted:
        if failure.follow_up != (wanted["conversation"] == "follow-up"):
            return None
        reasons.append(wanted["conversation"])
    if document is not None:
        if not fits(document, quota, suite, median):
            return None
        reasons.append(f"on {document.document_id}, {document.pages} pages")
    elif {"lengthStratum", "documentType"} & set(wanted):
        return None
    if wanted.get("expectedBehavior") in ("refuse", "escalate") and failure.bad:
        reasons.append("the answer was bad")
    if wanted.get("risk") in ("high", "critical") and failure.risk:
        reasons.append("risk word")
    return reasons or None


def _worth(failure: Candidate) -> tuple[str, ...]:
    said = [f"bad feedback on {failure.bad}"] if failure.bad else []
    return (*said, f"asked {failure.size} times" if failure.size > 1 else "asked once")


def step(asked: Asked, found: Sequence[Place], open_failures: Sequence[Filling], median: float) -> str:
    """The next step for a quota that is not met, in one line."""
    quota, where = asked.quota, asked.quota.where
    number = f"{asked.missing} more case{'s' * (asked.missing != 1)}"
    if not found and (lack := _lacking(where, median)):
        return lack
    kind = {"refuse": "that must be refused", "escalate": "that must be handed over"}.get(
        where.get("expectedBehavior", ""), ""
    )
    words = [f"approve {number}", kind]
    words += ["with an earlier turn"] if where.get("conversation") == "follow-up" else []
    words += [f"on the route {where['route']}"] if "route" in where else []
    words += [f"of risk {where['risk']}"] if "risk" in where else []
    said = " ".join(w for w in words if w)
    if found:
        best = found[0]
        said += f", such as on {best.document_id} pp. {best.first_page}-{best.last_page} ({best.cases} so far)"
    if open_failures:
        said += f"{' or' if found else ', such as'} from failure {open_failures[0].failure_id}"
    return said if quota.unit == "cases" else f"{said}: the share counts approved cases"


def _lacking(where: Mapping[str, str], median: float) -> str:
    """What is to be ingested when no document fits; "" when documents are not what is asked for."""
    band = next((factor for factor, name in BANDS if name == where.get("lengthStratum")), 0)
    kind = [where["documentType"]] if "documentType" in where else ["document"]
    of = [f"of {where['domain']}"] if "domain" in where else []
    if band and median <= 0:
        return "declare the reference median under [lengths] in curator.toml: without it no case has a length"
    pages = [f"of {band * median:g} pages or more"] if band else []
    if "lengthStratum" in where and not band:
        pages = [f"of fewer than {2 * median:g} pages"]
    if not (of or pages or "documentType" in where):
        return ""
    return " ".join(["ingest a", *kind, *of, *pages, "first: none is here that fits"])
