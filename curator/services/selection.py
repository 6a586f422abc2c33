"""What a suite is at one moment: its policy, and the approved cases that it takes, as canonical lines."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from curator.domain.canonical import question_hash
from curator.domain.case import OPEN_PARTITIONS, UNVERIFIED, CaseRecord
from curator.domain.changes import Mark
from curator.domain.document import Source
from curator.domain.partition import Tie, leaks, level_for
from curator.domain.review import Review, labels
from curator.domain.strata import placing_line
from curator.domain.suite import DIMENSIONS, Quota, Selector, SuitePolicy
from curator.errors import InputError, UsageError
from curator.exporting.line import case_line, source_line
from curator.exporting.released import Reference, ReleasedDocument, SourceLines, StaleCase
from curator.services.context import Context
from curator.services.earlier import DEFAULT, FIRST, Before, Rule, Staleness, why_left, why_moved, why_restored
from curator.services.editorial import marks
from curator.services.settling import Described, described, partition_cases, standing_of
from curator.services.todays_names import todays_names
from curator.store import cases, documents, placing, reviews, sources
from curator.store.bulk import parts
from curator.store.database import Transaction


@dataclass(frozen=True)
class Selection:
    """The cases of a suite, holdout included, and everything said about them.

    Attributes:
        lines: Canonical lines, by id; a stale case that is held is here in its last released form.
        stale: Cases that are left out, or held, because their evidence changed.
        tombstones: Retired cases that some version held.
        left: Why other cases of the version before leave, by id; of the holdout nothing is said.
        restored: Reason by id of the cases that are back from being retired.
        moved: Reason by id of the last move of a case to the other side.
        marks: Editorial marks by case.
        reviewers: Actors whose decisions count.
        pairs: Both labels of each case that was labeled twice.
        level: What joins cases into groups: document or top section.
        leaks: Ties between the sides that one of these cases is part of; retired cases tie nothing.
        privacy_open: Ids of the cases with personal data that nobody has decided on.
        latest: Time of the latest decision included.
    """

    lines: tuple[dict[str, Any], ...]
    stale: tuple[StaleCase, ...]
    tombstones: tuple[CaseRecord, ...]
    left: dict[str, str]
    restored: dict[str, str]
    moved: dict[str, str]
    marks: dict[str, list[Mark]]
    reviewers: tuple[str, ...]
    pairs: tuple[tuple[Review, Review], ...]
    level: str
    leaks: tuple[Tie, ...]
    privacy_open: tuple[str, ...]
    latest: str


def policy(ctx: Context, name: str) -> SuitePolicy:
    """`[suites.NAME]` as the domain takes it.

    Raises:
        UsageError: There is no such suite.
        InputError: A quota names a dimension that we do not know.
    """
    table = ctx.settings.suites.get(name)
    if table is None:
        known = ", ".join(sorted(ctx.settings.suites)) or "none yet"
        raise UsageError(f"no suite {name!a} in curator.toml", f"suites there: {known}")
    for dimension in (d for quota in table.quotas for d in quota.where if d not in DIMENSIONS):
        raise InputError(
            f"curator.toml: suites.{name}.quotas: {dimension!a} is no dimension", f"use {', '.join(DIMENSIONS)}"
        )
    return SuitePolicy(
        name=name,
        description=table.description,
        include=Selector.model_validate(table.include.model_dump()),
        exclude=Selector.model_validate(table.exclude.model_dump()),
        quotas=tuple(Quota.model_validate(q.model_dump()) for q in table.quotas),
    )


def select(
    ctx: Context, tx: Transaction, suite: SuitePolicy, length: Reference, before: Before = FIRST, rule: Rule = DEFAULT
) -> Selection:
    """The approved cases that a suite takes, as canonical lines, with their reviews.

    Args:
        ctx: Open workspace.
        tx: Open transaction.
        suite: Its policy.
        length: The reference median.
        before: What earlier versions held.
        rule: Which revisions it is judged against, and what becomes of stale cases.

    Raises:
        InputError: A document or revision of the rule is not here.
    """
    lines, pairs, people, times = [], [], set(), [""]
    known: list[Described] = []
    gone: set[str] = set()
    private: list[str] = []
    names_now = todays_names(tx)
    taking = names_now.suite(suite)
    stale = Staleness(tx, suite.name, names_now, rule)
    for part in parts(cases.assigned(tx)):
        known += (described(names_now.record(r)) for r in part)
        gone |= {r.case.id for r in part if r.status == "retired"}
        approved = [r for r in part if r.status == "approved"]
        names = [r.case.id for r in approved]
        found, submitted = reviews.of_cases(tx, names), cases.submissions(tx, names)
        renamed = [names_now.record(r) for r in approved]
        for record, named, (fitting, document) in zip(approved, renamed, stale.fitted(renamed), strict=True):
            digest = record.content_hash if named is record else ""  # other names, another hash
            line = case_line(fitting, suite=suite.name, reference_median=length.median, digest=digest)
            if not taking.takes(line):
                continue
            if document:
                held = stale.held(record, document)
                if held is None:
                    continue
                line = held
            own = found.get(record.case.id, [])
            counted = standing_of(ctx, record, own, submitted.get(record.case.id, 0)).counted
            people |= {r.actor for r in own if r.sequence in counted}
            times.append(record.confirmed_at)
            lines.append(line)
            private += [record.case.id] if "privacy_open" in record.flags else []
            if any(r.slot != "approval" for r in own):
                first, second = labels(own, question_hash(record.case))
                pairs += [(first, second)] if first and second else []
    retired = list(cases.by_status(tx, ["retired"], only=before.ever))
    grouped = partition_cases(known)
    inside = {line["id"] for line in lines}
    tied = leaks([c for c in grouped if c.id not in gone], inside)
    absent = set(before.lines) - inside - stale.found.keys() - {r.case.id for r in retired}
    return Selection(
        lines=tuple(lines),
        stale=tuple(stale.found.values()),
        tombstones=tuple(retired),
        left=why_left(tx, absent),
        restored=why_restored(tx, before.buried & inside),
        moved=why_moved(tx),
        marks=marks(tx),
        reviewers=tuple(sorted(people)),
        pairs=tuple(pairs),
        level=level_for(grouped),
        leaks=tied,
        privacy_open=tuple(private),
        latest=max(*times, *(r.retired_at for r in retired), ""),
    )


def placed(tx: Transaction, length: Reference) -> list[dict[str, Any]]:
    """Of the lines of all approved cases that are current and confirmed here, what suites select and count by."""
    names = todays_names(tx)
    found = (c for c in placing.placed(tx) if c.status == "approved" and not {"stale", UNVERIFIED} & {*c.flags})
    return [placing_line(placing.renamed(c, *names) if any(names) else c, length.median) for c in found]


def unconfirmed(tx: Transaction, suite: SuitePolicy, length: Reference) -> int:
    """How many cases a suite would take that came in as approved and that nobody has confirmed here: it leaves them."""
    waiting = set(placing.unverified(tx))
    if not waiting:
        return 0
    names = todays_names(tx)
    found = (placing.renamed(c, *names) if any(names) else c for c in placing.placed(tx) if c.id in waiting)
    taking = names.suite(suite)
    return sum(taking.takes(placing_line(c, length.median)) for c in found)


def sources_of(tx: Transaction, lines: Sequence[Mapping[str, Any]], rule: Rule) -> Sequence[Mapping[str, Any]]:
    """Lines of the sources that are released with these cases, sorted by id.

    They are the cited ones, or all of the documents that these lie in; what the holdout cites says nothing here.
    """
    found = _cited(tx, lines, rule.revisions)
    if rule.sources == "cited":
        return [source_line(s) for s in found]
    documents = sorted({s.document_id for s in found})
    return SourceLines(source_line(s) for s in sources.of_documents(tx, documents, rule.revisions, found))


def _cited(tx: Transaction, lines: Sequence[Mapping[str, Any]], labels: Mapping[str, str]) -> list[Source]:
    """The sources that the open partitions cite; labels: revision by document, of others the current one.

    What that revision lacks (a held case may cite it) reads as in the newest that has it.
    """
    names = {e["sourceId"] for line in lines if line["partition"] in OPEN_PARTITIONS for e in line["evidence"]}
    if labels:
        return sources.as_read(tx, sorted(names), labels)
    found = sources.named(tx, sorted(names))
    missing = names - {s.id for s in found}
    return sorted((*found, *sources.as_read(tx, missing)), key=lambda s: s.id)


def parser_of(tx: Transaction, released: Sequence[ReleasedDocument]) -> tuple[str, str]:
    """Name and version of the oldest parsing rules by which all these documents read as they do."""
    read = (documents.get(tx, d.document_id).revision.parser for d in released)
    rules = {re.sub(r"^(\S+ \d+)-\d+", r"\1", parser) for parser in read}  # "3-4": the same by either
    newest = max(rules, key=lambda r: [int(n) for n in re.findall(r"\d+", r)], default="curator-pdf 0")
    name, _, version = newest.rpartition(" ")
    return name or newest, version or "0"
