"""The checks of one case: those that are quick enough while a person types, and those that look at all else.

`Checks` is the one door: the form, a submission, `case show` and lint find the same by it, each problem as severe as
`[checks]` of curator.toml says.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pydantic.alias_generators import to_camel

from curator.domain.case import Case
from curator.domain.checks import CHECKS, Level, leveled, levels
from curator.domain.problem import Problem
from curator.domain.rules import problems, structure
from curator.domain.values import same, values
from curator.matching.labels import alike
from curator.matching.near_duplicates import pairs, same_subject
from curator.matching.silences import STRONG, SilentDocument
from curator.privacy.detector import Detector
from curator.privacy.finding import is_hard
from curator.progress import Progress, Silent
from curator.services.blind import masked
from curator.services.context import Context
from curator.services.shelf import Shelf, shelf_of, source_problems
from curator.services.staleness import is_silence
from curator.services.stored_form import at_the_door
from curator.store import cases, indexing
from curator.store import values as stored_values
from curator.store.bulk import parts
from curator.store.database import Transaction
from curator.text import one_line

NEARLY = 88.0
"""Likeness from which on two questions are nearly the same, when they are about the same."""
VARIANT = "variant"
"""The tag by which a person says that a near-duplicate is wanted."""
CONTENT = ("evidence", "content", "question")
"""Groups of checks that compare a case with its evidence and read its question; they cost most."""
LIVE = ("draft", "in_review", "changes_requested", "approved")


@dataclass(frozen=True)
class Checks:
    """The checks of a case by itself and by its sources.

    Attributes:
        by_code: How severe each is here.
        today: The day on which evidence must be in force when a case names none (ISO date).
    """

    by_code: Mapping[str, Level]
    today: str

    @classmethod
    def of(cls, ctx: Context) -> Checks:
        """Those of a workspace, as of now.

        Raises:
            InputError: `[checks]` of curator.toml names a check that there is not.
        """
        return cls(levels(ctx.settings.checks), ctx.now()[:10])

    def problems(self, shelf: Shelf, case: Case, *, stale: bool = False) -> tuple[Problem, ...]:
        """Everything that stands against a case or asks for a look; what is off is left out.

        Args:
            shelf: What the case cites, as far as it is here.
            case: In its stored form.
            stale: It is flagged: what it rests on has changed.
        """
        return self._leveled((*problems(case, self.today), *self._by_sources(shelf, case, stale=stale)))

    def stopping(self, shelf: Shelf, case: Case, *, stale: bool = False) -> tuple[Problem, ...]:
        """The errors among them, which stop a submission; what says no error here is not even looked for."""
        own = problems(case, self.today) if self._content_stops else structure(case)
        found = self._leveled((*own, *self._by_sources(shelf, case, stale=stale)))
        return tuple(p for p in found if p.severity == "error")

    @property
    def _content_stops(self) -> bool:
        return any(self.by_code[c.code] == "error" for c in CHECKS.values() if c.group in CONTENT and not c.fixed)

    def _by_sources(self, shelf: Shelf, case: Case, *, stale: bool) -> tuple[Problem, ...]:
        found = source_problems(shelf, case)
        if not stale or any(p.code == "source-stale" for p in found):
            return found
        return (*found, problem("case-stale", "evidence", "what it rests on has changed and waits for a look"))

    def _leveled(self, found: Iterable[Problem]) -> tuple[Problem, ...]:
        return leveled(found, self.by_code)


def check(
    ctx: Context, case: Case, hidden: frozenset[str] = frozenset(), *, stale: bool = False
) -> tuple[Problem, ...]:  # fmt: skip
    """What stands against one case by itself and by its sources here, with the severity that the workspace gives it.

    About two milliseconds of CPU; see `look_around` for what takes longer.

    Args:
        ctx: Open workspace.
        case: As it is written, stored or not.
        hidden: Fields that the acting person may not see (services.blind): nothing found tells what stands in them.
        stale: It is flagged: what it rests on has changed.

    Raises:
        InputError: `[checks]` of curator.toml names a check that there is not.
    """
    checks = Checks.of(ctx)
    case = at_the_door(masked(case, hidden))
    with ctx.db.read() as tx:
        shelf = shelf_of(tx, [case])
    return tuple(visible_only(checks.problems(shelf, case, stale=stale and not hidden), hidden))


def look_around(ctx: Context, case: Case, progress: Progress | None = None) -> tuple[Problem, ...]:
    """What only a look at other cases, all sources or every word of the case shows: for a worker, not for every key.

    Near-duplicates, a source that may answer a refusal, identifiers of persons. A second for 5,000 cases. Labels of
    other cases do not show in it: only that the questions are alike.
    """
    progress = progress or Silent()
    case = at_the_door(case)
    found = [*personal(case)]
    with ctx.db.read() as tx:
        names = [line.id for line in cases.lines(tx, limit=0) if line.status != "retired" and line.id != case.id]
        texts = {case.id: "\n".join(case.turns)}
        for part in parts(names):
            progress.checkpoint()
            texts |= {n: "\n".join(r.case.turns) for n, r in cases.get_many(tx, part).items()}
        progress.checkpoint()
        near = twins(texts, [case.id]) if case.question.strip() else []
        found += [
            near_duplicate(other if one == case.id else one) for one, other, _ in near if VARIANT not in case.tags
        ]
        found += Silences(tx).problems(case)
        found += LabelsInUse.of(tx).problems(case)
    return leveled(found, levels(ctx.settings.checks))


def twins(texts: Mapping[str, str], only: Collection[str] | None = None) -> list[tuple[str, str, float]]:
    """Pairs of questions that are nearly the same and about the same; see near_duplicates.pairs."""
    found = pairs(texts, alike=NEARLY, only=only)
    return [(a, b, ratio) for a, b, ratio in found if same_subject(texts[a], texts[b])]


def problem(code: str, field: str, message: str) -> Problem:
    """A problem with the severity and next step of its check."""
    known = CHECKS[code]
    return Problem(code=code, severity=known.severity, field=field, message=message, hint=known.step)


def near_duplicate(other: str) -> Problem:
    """Nearly the same question as another case; nothing of what either expects."""
    return problem("near-duplicate", "turns", f"nearly the same question as {other}")


def contradicts(one: Case, other: Case) -> str:
    """What two cases with nearly the same question expect differently; "" = nothing that excludes the other.

    They may, when they ask of another day, for another asker or against other documents.
    """
    if (one.as_of, one.asker) != (other.as_of, other.asker):
        return ""
    documents = [{d.document_id for d in c.documents} for c in (one, other)]
    if documents[0] != documents[1]:
        return ""
    if one.expected_behavior != other.expected_behavior:
        return "another behavior"
    if one.expected_behavior == "answer":
        mine, theirs = (values(c.reference_answer, c.language) for c in (one, other))
        if mine and theirs and not any(same(a, b) for a in mine for b in theirs):
            return "other numbers in the answer"
    return ""


_DETECTOR = Detector()
_CALLED = {
    "email": "an e-mail address",
    "phone": "a telephone number",
    "iban": "a bank account",
    "credit_card": "a card",
}


def personal(case: Case) -> Iterator[Problem]:
    """Identifiers of persons in what was typed, by kind; never the value itself."""
    texts = _typed(case)
    if not any(is_hard(f.kind) for f in _DETECTOR.find("\n".join(t for _, t in texts))):
        return
    seen = set()
    for field, text in texts:
        for found in _DETECTOR.find(text):
            if is_hard(found.kind) and (field, found.kind) not in seen:
                seen.add((field, found.kind))
                what = _CALLED.get(found.kind, found.kind.replace("_", " "))
                yield problem("personal-data", field, f"{what} of a person, or what looks like one")


def _typed(case: Case) -> list[tuple[str, str]]:
    one = ("reference_answer", "asker", "escalate_to", "escalate_when", "consequence", "notes")
    many = ("turns", "acceptable_answers", "must_not_claim", "required_behaviors")
    found = [(to_camel(n), t) for n in many for t in getattr(case, n)] + [(to_camel(n), getattr(case, n)) for n in one]
    found += [("keyProvisions", t) for p in case.key_provisions for t in (p.text, *p.accept)]
    found += [("turnExpectations", t.reference_answer) for t in case.turn_expectations]
    found += [("attributes", a.value) for a in case.attributes]
    return [(field, text) for field, text in found if text]


class Silences:
    """The documents that refusals speak of, each read once."""

    def __init__(self, tx: Transaction) -> None:
        self._tx = tx
        self._read: dict[str, SilentDocument] = {}

    def problems(self, case: Case) -> list[Problem]:
        """A source that may answer a case which refuses because the sources say nothing."""
        if not is_silence(case) or not case.question.strip():
            return []
        judged = {e.source_id for e in case.evidence}
        asked = "\n".join(case.turns)
        found = [self._document(d.document_id).strongest(asked, judged) for d in case.documents if d.document_id]
        name, share = max(found, key=lambda f: f[1], default=("", 0.0))
        if share < STRONG:
            return []
        return [problem("refusal-answerable", "refusalReason", f"{name} may answer it ({share:.0%} of its words)")]

    def _document(self, name: str) -> SilentDocument:
        if name not in self._read:
            entries = indexing.entries(self._tx, name)
            self._read[name] = SilentDocument([e.source_id for e in entries], [e.text for e in entries])
        return self._read[name]


LABELS = ("domain", "document_type", "route", "tags")
"""Fields whose values name strata, and that a person types."""


class LabelsInUse:
    """The values of those fields in all cases, and which of them look like a commoner one."""

    def __init__(self, counts: Mapping[str, Mapping[str, int]]) -> None:
        self._counts = counts
        self._alike = {field: alike(found) for field, found in counts.items()}

    @classmethod
    def of(cls, tx: Transaction) -> LabelsInUse:
        """Those of the workspace, the documents' among them."""
        return cls(
            {f: dict.fromkeys(stored_values.of_documents(tx, f), 1) | stored_values.of_cases(tx, f) for f in LABELS}
        )

    @classmethod
    def among(cls, some: Iterable[Case]) -> LabelsInUse:
        """Those of some cases."""
        counts: dict[str, Counter[str]] = {field: Counter() for field in LABELS}
        for case in some:
            for field in LABELS:
                counts[field].update(_labels(case, field))
        return cls(counts)

    def problems(self, case: Case) -> list[Problem]:
        """What of a case looks like something else that is in use; the case need not be stored."""
        found = []
        for field in LABELS:
            known = self._alike[field]
            if new := [label for label in _labels(case, field) if label not in self._counts[field]]:
                known = known | alike({**dict.fromkeys(new, 0), **self._counts[field]})
            found += [
                problem(
                    "label-alike", to_camel(field), f"{one_line(label, 40)!r} looks like {one_line(known[label], 40)!r}"
                )
                for label in _labels(case, field)
                if label in known
            ]
        return found


def _labels(case: Case, field: str) -> tuple[str, ...]:
    value = getattr(case, field)
    return tuple(dict.fromkeys(v for v in (value if isinstance(value, tuple | list) else (value,)) if v))


def visible_only(found: Sequence[Problem], hidden: frozenset[str]) -> list[Problem]:
    """Problems of a masked case, without those that only the mask makes."""
    fields, unsaid = {to_camel(name) for name in hidden}, "expected_behavior" in hidden
    return [p for p in found if p.field not in fields and not (unsaid and p.code == "summary-document")]
