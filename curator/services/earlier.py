"""What a release takes over from the versions before it: stale cases that are held, and why cases left or came back."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from curator.domain.case import CaseRecord
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
    """

    revisions: Mapping[str, str] = field(default_factory=dict)
    hold_stale: bool = False


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
        for name, label in rule.revisions.items():
            document = documents.get(tx, name)
            labels = [r.label for r in revisions.of_document(tx, document.id)]
            if label not in labels:
                raise InputError(f"{document.id} has no revision {label!a}", f"it has {', '.join(labels)}")
            self._current[document.id] = document.revision.label
        self._wanted = {names_now.documents.get(d, d): label for d, label in rule.revisions.items()}

    def because_of(self, record: CaseRecord, line: Mapping[str, Any]) -> str:
        """The document for which a case is stale; "" = it fits."""
        stale = FLAG in record.flags
        entries = [e for e in (*line["evidence"], *line["documents"]) if e["documentId"]]
        for entry in entries:
            name, label = entry["documentId"], self._wanted.get(entry["documentId"])
            if label not in (None, entry["documentVersion"]) and (stale or label != self._current[name]):
                return str(name)
        if stale and not (entries and all(self._is_earlier(e["documentId"]) for e in entries)):
            return str(entries[0]["documentId"]) if entries else "?"
        return ""  # it is stale for what came later alone

    def _is_earlier(self, document: str) -> bool:
        return document in self._wanted and self._wanted[document] != self._current[document]

    def held(self, record: CaseRecord, document: str) -> dict[str, Any] | None:
        """Note a stale case; give its last released form when it is held, and None when it is left out.

        It is left out, too, where its released form fits neither, cannot be written any more (what was erased is
        not published again), or cites a source that is in no revision.
        """
        name = record.case.id
        line = self._last(record) if self._rule.hold_stale else None
        document = "" if document == "?" else document
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
        return all(self._wanted.get(e["documentId"], e["documentVersion"]) == e["documentVersion"] for e in entries)

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
