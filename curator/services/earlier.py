"""What a release takes over from the versions before it: stale cases that are held, and why cases left or came back."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from curator.domain.case import CaseDocument, CaseRecord
from curator.domain.document import Source
from curator.domain.reciting import carried, cites_as_it_reads, replaced
from curator.domain.suite import SourceChoice
from curator.errors import InputError
from curator.exporting.line import case_line, line_problems
from curator.exporting.read import case_from_line
from curator.exporting.released import StaleCase
from curator.services.retiring import RESTORED
from curator.services.staleness import FLAG
from curator.services.todays_names import TodaysNames
from curator.store import cases, documents, events, releases, revisions, sources
from curator.store.database import Transaction

Lines = dict[str, dict[str, Any]]
UNKNOWN = "?"
STATUSES = {
    "draft": "it is a draft again",
    "in_review": "it is in review",
    "changes_requested": "changes of it are asked for",
    "approved": "the suite does not take it any more",
}


@dataclass(frozen=True)
class Before:
    """What earlier versions of a suite held.

    Attributes:
        lines: Of the version before, by id.
        ever: Ids of the cases that any version held.
        buried: Ids of the tombstones of the version before.
    """

    lines: Lines = field(default_factory=dict)
    ever: Collection[str] = ()
    buried: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Rule:
    """How a release is made.

    Attributes:
        revisions: The revision to be judged against, by document; of others it is the current one.
        hold_stale: Keep a stale case in its last released form; else it is left out.
        sources: Which sources are released: those that open cases cite, or all of the documents that they cite.
    """

    revisions: Mapping[str, str] = field(default_factory=dict)
    hold_stale: bool = False
    sources: SourceChoice = "cited"


FIRST, DEFAULT = Before(), Rule()


class Staleness:
    """Which cases do not fit the documents that a release is judged against; `found`: those, and whether held."""

    def __init__(self, tx: Transaction, suite: str, names_now: TodaysNames, rule: Rule) -> None:
        """Take the rule.

        Raises:
            InputError: A document or revision of it is not here.
        """
        self._tx, self._suite, self._names, self._rule = tx, suite, names_now, rule
        self.found: dict[str, StaleCase] = {}
        self._current: dict[str, str] = {}
        self._wanted: dict[str, revisions.Labeled] = {}
        for name, label in rule.revisions.items():
            document = documents.get(tx, names_now.documents.get(name, name))
            known = {r.label: r for r in revisions.of_document(tx, document.id)}
            if label not in known:
                raise InputError(f"{document.id} has no revision {label!a}", f"it has {', '.join(known)}")
            self._current[document.id] = document.revision.label
            self._wanted[document.id] = known[label]

    def fitted(self, records: Sequence[CaseRecord]) -> Iterator[tuple[CaseRecord, str]]:
        """Each case as it lies in the revisions of the rule, and the document for which it is stale; "" = it fits.

        A case fits an earlier revision when all that it cites reads there as it is quoted; it then says those places.
        """
        wanted = {d: r.label for d, r in self._wanted.items()}
        names = {e.source_id for r in records for e in r.case.evidence if e.document_id in wanted}
        read = sources.as_read(self._tx, names, wanted) if names else []
        there = {s.id: s for s in read if s.revision == wanted[s.document_id]}
        for record in records:
            named = [e.document_id for e in record.case.evidence] + [d.document_id for d in record.case.documents]
            if FLAG in record.flags and not (named and all(map(self._is_earlier, named))):
                yield record, named[0] if named else UNKNOWN
            else:  # fresh, or stale for what came after the revisions of the rule
                yield self._placed(record, there) if wanted else (record, "")

    def _is_earlier(self, document: str) -> bool:
        return document in self._wanted and self._wanted[document].label != self._current[document]

    def _placed(self, record: CaseRecord, there: Mapping[str, Source]) -> tuple[CaseRecord, str]:
        case, pages, moved = record.case, {}, []
        for entry in case.evidence:
            wanted = self._wanted.get(entry.document_id)
            if wanted is None or entry.document_version == wanted.label:
                moved.append(entry)
                continue
            source = there.get(entry.source_id)
            if source is None or not cites_as_it_reads(entry, source):
                return record, entry.document_id
            pages[source.id] = source.anchor.page
            moved.append(carried(entry, source))
        places = iter(moved)
        case = replaced(case, lambda _: next(places), pages)
        judged = tuple(self._judged(d) for d in case.documents)
        return record.model_copy(update={"case": case.model_copy(update={"documents": judged})}), ""

    def _judged(self, entry: CaseDocument) -> CaseDocument:
        wanted = self._wanted.get(entry.document_id)
        if wanted is None:
            return entry
        update = {"document_version": wanted.label, "document_sha256": wanted.sha256, "pages": wanted.pages}
        return entry.model_copy(update=update)

    def held(self, record: CaseRecord, document: str) -> dict[str, Any] | None:
        """Note a stale case; give its last released form when it is held, and None when it is left out.

        It is left out, too, where its released form fits neither, cannot be written any more (what was erased is
        not published again), or cites a source that is in no revision.
        """
        name = record.case.id
        line = self._last(record) if self._rule.hold_stale else None
        document = "" if document == UNKNOWN else document
        self.found[name] = StaleCase(id=name, document_id=document, held=line is not None)
        return line

    def _last(self, record: CaseRecord) -> dict[str, Any] | None:
        for form in releases.forms(self._tx, [record.case.id], self._suite)[record.case.id]:
            line = self._today(form.line, record)
            if line is not None and self._fits(line):
                return line
        return None

    def _fits(self, line: Mapping[str, Any]) -> bool:
        entries = (*line["evidence"], *line["documents"])
        wanted = {d: r.label for d, r in self._wanted.items()}
        return all(wanted.get(e["documentId"], e["documentVersion"]) == e["documentVersion"] for e in entries)

    def _today(self, line: dict[str, Any], record: CaseRecord) -> dict[str, Any] | None:
        """A released line under the ids of today and on the side of today; None = it may not be written."""
        if line_problems(line):
            return None
        side = f"followup_{record.side}" if len(line["turns"]) > 1 else record.side
        line = line | {"partition": side}
        if any(self._names):
            standing = {"case_version": line["caseVersion"], "approvals": line["approvals"]}
            then = record.model_copy(
                update={"case": case_from_line(line), "confirmed_at": line["confirmedAt"]} | standing
            )
            median = 0  # what follows from the median stays as it was released
            named = case_line(self._names.record(then), suite=self._suite, reference_median=median)
            line = named | {k: line[k] for k in ("lengthStratum", "sectionPosition")}
        names = {e["sourceId"] for e in line["evidence"]}
        return line if {s.id for s in sources.as_read(self._tx, names)} == names else None


def why_left(tx: Transaction, names: Collection[str]) -> dict[str, str]:
    """Why cases of the version before are in the next no more, by what they are now; of the holdout nothing is said."""
    found = cases.get_many(tx, sorted(cases.ids(tx, list(names))))
    told = {name: "" if r.side == "holdout" else STATUSES.get(r.status, "") for name, r in found.items()}
    return {name: told.get(name, "it is not in this workspace") for name in names}


def why_restored(tx: Transaction, names: Collection[str]) -> dict[str, str]:
    """The reason of each restoration, "" = none was given (an undo), or the case lies in the holdout."""
    reasons = {}
    found = cases.get_many(tx, sorted(names))
    for name in names:
        said = [e["data"].get("reason", "") for e in events.history(tx, "case", name) if e["verb"] == RESTORED]
        reasons[name] = said[-1] if said and found[name].side != "holdout" else ""
    return reasons


def why_moved(tx: Transaction) -> dict[str, str]:
    """The reason of the last move to the other side, by case."""
    moved = (e["data"] for e in events.of_kind(tx, "partition") if e["verb"] == "moved")
    return {name: str(data["reason"]) for data in moved for name in data.get("cases", ())}
