"""What a case must and must not have before it may be submitted, by behavior and task.

Each problem has a stable code (all of them: `checks`), the field it is about, and the next step. Errors stop a
submission, warnings do not; a workspace may say which are which (`checks.levels`). What a case says against its
evidence is in `content`, its question in `asking`.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator

from curator.domain import asking, content
from curator.domain.case import Case, SectionPosition
from curator.domain.identity import CASE_ID, source_id_error
from curator.domain.problem import Problem as Problem

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_LANGUAGE = re.compile(r"([A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*)?")
_SHA256 = re.compile(r"([0-9a-f]{64})?")
_PROVISION_ID = re.compile(r"p[1-9][0-9]*")
THIRDS: tuple[SectionPosition, ...] = ("early", "middle", "late")


def third(page: int, pages: int) -> SectionPosition:
    """Which third of a document a page lies in: "early", "middle" or "late"; "none" when either is unknown."""
    if page < 1 or pages < 1:
        return "none"
    return THIRDS[min(2, (min(page, pages) - 1) * 3 // pages)]


def problems(case: Case, today: str = "") -> tuple[Problem, ...]:
    """Everything that stands against the case or asks for a look, in the order of the form.

    Args:
        case: As it is written, whole or not.
        today: The day on which its evidence must be in force when it names none (ISO date); "" = not asked.
    """
    return (*structure(case), *content.problems(case, today), *asking.problems(case))


def structure(case: Case) -> tuple[Problem, ...]:
    """What is missing or malformed; what the case says is not compared with its evidence."""
    checks = (_turns, _behavior, _risk, _evidence, _provisions, _turn_expectations, _documents, _shape, _advice)
    return tuple(p for check in checks for p in check(case))


def _need(code: str, field: str, message: str, hint: str) -> Problem:
    return Problem(code=code, field=field, message=message, hint=hint)


def _turns(case: Case) -> Iterator[Problem]:
    if not case.turns or not all(t.strip() for t in case.turns):
        said = "a turn is empty" if len(case.turns) > 1 else "no question"
        yield _need("question-missing", "turns", said, "write the question as a user would ask it")
    if case.task == "summary" and len(case.turns) > 1:
        yield _need("summary-with-follow-up", "turns", "a summary has one turn", "remove the earlier turns")


def _behavior(case: Case) -> Iterator[Problem]:
    behavior = case.expected_behavior
    required = any(e.role == "required" for e in case.evidence)
    if behavior == "answer":
        if not case.reference_answer.strip():
            yield _need("reference-missing", "referenceAnswer", "no reference answer", "write the answer that is right")
        if case.task == "question" and not required:
            yield _need(
                "evidence-missing", "evidence", "no required source", "mark the row or chunk that proves the answer"
            )
    if behavior == "refuse":
        if not case.refusal_reason:
            yield _need("refusal-reason-missing", "refusalReason", "no reason to refuse", "choose one of the reasons")
        if required:
            yield _need(
                "refusal-with-evidence",
                "evidence",
                "a refusal has no required source",
                "make near misses distractors",
            )
    elif case.refusal_reason:
        yield _need("refusal-reason-idle", "refusalReason", f"a reason to refuse on an {behavior} case", "remove it")
    if behavior == "escalate":
        for field, value, what in (
            ("escalateTo", case.escalate_to, "whom"),
            ("escalateWhen", case.escalate_when, "when"),
        ):
            if not value.strip():
                yield _need(f"escalate-{what}-missing", field, f"it does not say {what} to escalate", f"say {what}")
    elif case.escalate_to or case.escalate_when:
        yield _need("escalation-idle", "escalateTo", f"an escalation on a case to {behavior}", "remove it")


def _risk(case: Case) -> Iterator[Problem]:
    if not case.risk:
        yield _need("risk-missing", "risk", "no risk stated", "say how bad a wrong answer is")


def _evidence(case: Case) -> Iterator[Problem]:
    for entry in case.evidence:
        name = entry.source_id
        if why := source_id_error(name):
            yield _need("source-id-bad", "evidence", f"{name}: {why}", "mark the source again in the reader")
        if not entry.quote.strip():
            yield _need("quote-missing", "evidence", f"{name}: no quote", "mark the source again in the reader")
        if not _SHA256.fullmatch(entry.document_sha256):
            yield _need("sha256-bad", "evidence", f"{name}: documentSha256 is no SHA-256", 'write 64 hex digits or ""')
        for value in (entry.effective_from, entry.effective_to):
            if not is_date(value):
                yield _need("date-bad", "evidence", f"{name}: {value!r} is no date", "write YYYY-MM-DD")
        if entry.effective_from and entry.effective_to and entry.effective_from > entry.effective_to:
            yield _need("dates-crossed", "evidence", f"{name}: ends before it begins", "correct the dates")
        if entry.page < 0:
            yield _need("page-bad", "evidence", f"{name}: page {entry.page}", "count pages from 1; 0 = unknown")


def _provisions(case: Case) -> Iterator[Problem]:
    cited = {e.source_id for e in case.evidence}
    seen: set[str] = set()
    for p in case.key_provisions:
        if not _PROVISION_ID.fullmatch(p.id) or p.id in seen:
            yield _need("provision-id-bad", "keyProvisions", f"provision id {p.id!r}", "use p1, p2 ... each once")
        seen.add(p.id)
        if not p.text.strip():
            yield _need("provision-empty", "keyProvisions", f"{p.id} says nothing", "write what the answer must carry")
        if p.mandatory and not any(a.strip() for a in p.accept):
            yield _need(
                "accept-missing", "keyProvisions", f"{p.id} is mandatory and accepts nothing", "add a phrase or value"
            )
        if not all(p.accept):
            yield _need("empty-entry", "keyProvisions", f"{p.id}: an accepted phrase is empty", "remove it")
        if p.source_id and p.source_id not in cited:
            yield _need(
                "provision-uncited",
                "keyProvisions",
                f"{p.id} cites {p.source_id}, which is not evidence",
                "mark that source as evidence",
            )
        if p.page < 0:
            yield _need("page-bad", "keyProvisions", f"{p.id}: page {p.page}", "count pages from 1; 0 = unknown")
    if case.task == "summary" and case.expected_behavior == "answer":
        yield from _summary(case)


def _summary(case: Case) -> Iterator[Problem]:
    if len(case.key_provisions) < 3:
        yield _need("summary-provisions", "keyProvisions", "a summary needs 3 key provisions", "mark more of them")
    if not case.documents:
        yield _need("summary-document", "documents", "a summary is of a whole document", "choose the document")
    pages = max((d.pages for d in case.documents), default=0)
    places = {third(p.page, pages) for p in case.key_provisions}
    if pages >= 3 and len(case.key_provisions) >= 3 and "none" not in places:
        for missing in (t for t in THIRDS if t not in places):
            yield _need(
                "summary-one-sided",
                "keyProvisions",
                f"no key provision lies in the {missing} third",
                f"mark one in the {missing} part of the document",
            )


def _turn_expectations(case: Case) -> Iterator[Problem]:
    seen: set[int] = set()
    cited = {e.source_id for e in case.evidence}
    for t in case.turn_expectations:
        if not 0 < t.turn < len(case.turns) or t.turn in seen:
            yield _need(
                "turn-bad", "turnExpectations", f"turn {t.turn} is no earlier turn", "speak of each earlier turn once"
            )
        seen.add(t.turn)
        if missing := [s for s in t.expected_source_ids if s not in cited]:
            yield _need(
                "turn-uncited", "turnExpectations", f"turn {t.turn} cites {missing[0]}", "mark that source as evidence"
            )
        if len(set(t.expected_source_ids)) < len(t.expected_source_ids):
            yield _need("repeated-entry", "turnExpectations", f"turn {t.turn} cites a source twice", "remove one")


def _documents(case: Case) -> Iterator[Problem]:
    for d in case.documents:
        if not d.document_id:
            yield _need("empty-entry", "documents", "a document has no id", "choose the document again")
        if not _SHA256.fullmatch(d.document_sha256):
            yield _need(
                "sha256-bad", "documents", f"{d.document_id}: documentSha256 is no SHA-256", "choose the document again"
            )
        if d.pages < 0:
            yield _need("page-bad", "documents", f"{d.document_id}: {d.pages} pages", "0 = unknown")


def _shape(case: Case) -> Iterator[Problem]:
    if case.id and not CASE_ID.fullmatch(case.id):
        yield _need("case-id-bad", "id", f"{case.id!r} is no case id", "a slug, a dash, six base32 characters")
    if not is_language(case.language):
        yield _need("language-bad", "language", f"{case.language!r} is no language tag", "write en, ko, pt-BR ...")
    if not is_date(case.as_of):
        yield _need("date-bad", "asOf", f"{case.as_of!r} is no date", "write YYYY-MM-DD")
    lists = {
        "acceptableAnswers": case.acceptable_answers,
        "mustNotClaim": case.must_not_claim,
        "requiredBehaviors": case.required_behaviors,
        "tags": case.tags,
    }
    for field, values in lists.items():
        if not all(values):
            yield _need("empty-entry", field, "an entry is empty", "remove it")
        if field in ("requiredBehaviors", "tags") and len(set(values)) < len(values):
            yield _need("repeated-entry", field, "an entry stands twice", "remove one")
    names = [a.name for a in case.attributes]
    if not all(names):
        yield _need("empty-entry", "attributes", "an attribute has no name", "name it or remove it")


def _advice(case: Case) -> Iterator[Problem]:
    def advise(code: str, field: str, message: str, hint: str) -> Problem:
        return Problem(code=code, severity="warning", field=field, message=message, hint=hint)

    if case.risk in ("high", "critical") and not case.consequence.strip():
        yield advise(
            "consequence-missing", "consequence", f"risk {case.risk} without a consequence", "say what happens"
        )
    if not case.documents:
        yield advise("documents-missing", "documents", "judged against no document", "choose the documents")
    if not case.domain:
        yield advise("domain-missing", "domain", "no domain: it counts in no stratum", "choose one")


def is_date(text: str) -> bool:
    """Whether it is a day of the calendar, or empty."""
    if not text:
        return True
    try:
        return bool(_DATE.fullmatch(text) and datetime.date.fromisoformat(text))
    except ValueError:
        return False


def is_language(text: str) -> bool:
    """Whether it is a language tag, or empty."""
    return bool(_LANGUAGE.fullmatch(text))
