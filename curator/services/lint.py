"""`curator lint`: every check over all cases that are not retired, as the acting person may know them.

A case whose labels are hidden is checked as they see it: with the hidden fields empty, so that nothing of them shows.
Of a holdout case only code, field and what the check says in general are told.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from curator.domain.case import Case, CaseRecord
from curator.domain.checks import CHECKS, leveled
from curator.domain.finding import Finding
from curator.domain.model import Model
from curator.domain.problem import Problem
from curator.errors import InputError
from curator.progress import Progress, Silent
from curator.services import checking
from curator.services.blind import ANSWERED, hidden_of, masked
from curator.services.context import Context
from curator.services.lint_memory import Memory, recall, remember
from curator.services.shelf import shelf_of
from curator.store import cases, indexing
from curator.store.bulk import parts
from curator.store.database import Transaction


class Linted(Model):
    """What was found.

    Attributes:
        checked: Ids of the cases that were checked, in order of creation.
        hidden: How many of them were checked by their question alone, because their labels are hidden.
        findings: In the order of the cases.
    """

    checked: tuple[str, ...] = ()
    hidden: int = 0
    findings: tuple[Finding, ...] = ()

    @property
    def counts(self) -> dict[str, int]:
        """Findings by severity."""
        found = Counter(f.severity for f in self.findings)
        return {"error": found["error"], "warning": found["warning"]}


@dataclass
class _Run:
    """One run: what is known, and what each case was found to have.

    Attributes:
        seen: Cases as the acting person sees them, by id, with what of each is hidden.
        found: Problems by id.
    """

    tx: Transaction
    checks: checking.Checks
    memory: Memory
    fresh: Memory
    seen: dict[str, tuple[CaseRecord, Case, frozenset[str]]] = field(default_factory=dict)
    found: dict[str, list[Problem]] = field(default_factory=lambda: defaultdict(list))


def lint(
    ctx: Context, names: Sequence[str] = (), *, around: bool = True, progress: Progress | None = None
) -> Linted:  # fmt: skip
    """Check cases.

    Args:
        ctx: Open workspace.
        names: Only these; () = all that are not retired.
        around: Look for near-duplicates, sources that may answer refusals, and identifiers of persons too.
        progress: Told of the stages; asked whether to stop.

    Raises:
        InputError: There is no case of a name, or `[checks]` names a check that there is not.
        Cancelled: Stopped.
    """
    progress = progress or Silent()
    checks = checking.Checks.of(ctx)
    with ctx.db.read() as tx:
        state = _state(ctx, tx, checks.today, around)
        memory = recall(ctx.hidden)
        run = _Run(tx, checks, memory if memory.state == state else Memory(), Memory(state))
        _read(ctx, run, names, progress)
        _each(run, around, progress)
        if around:
            progress.stage("comparing questions")
            _alike(run, memory, only=set(names) or None)
            _labels(run)
        if not names:
            remember(ctx.hidden, run.fresh)
    findings = [f for name in run.seen if not names or name in names for f in _told(run, name)]
    checked = tuple(n for n in run.seen if not names or n in names)
    blind = sum(run.seen[n][2] == ANSWERED for n in checked)
    return Linted(checked=checked, hidden=blind, findings=tuple(findings))


def _state(ctx: Context, tx: Transaction, today: str, around: bool) -> str:
    """All that decides what a case is found to have, but the case itself."""
    parts_of = [sorted(indexing.stamps(tx).items()), sorted(ctx.settings.checks.items()), sorted(CHECKS), today, around]
    return hashlib.sha256(json.dumps(parts_of).encode()).hexdigest()


def _read(ctx: Context, run: _Run, names: Sequence[str], progress: Progress) -> None:
    """All cases, since any may be a near-duplicate of those asked for; each as the acting person sees it."""
    progress.stage("reading cases")
    if names:
        retired = [n for n, r in cases.get_many(run.tx, names).items() if r.status == "retired"]
        if retired:
            raise InputError(f"{retired[0]} is retired", "what is retired is not checked")
    for part in parts(cases.by_status(run.tx, checking.LIVE)):
        progress.checkpoint()
        hiding = hidden_of(ctx, run.tx, part)
        for record in part:
            hidden = hiding.get(record.case.id, frozenset())
            case = masked(record.case, hidden) if hidden else record.case
            run.seen[record.case.id] = record, case, hidden


def _each(run: _Run, around: bool, progress: Progress) -> None:
    """What each case is found to have by itself and by its sources; those known to be clean are passed over."""
    todo = [n for n, (r, _, hidden) in run.seen.items() if hidden or _key(r) not in run.memory.clean]
    progress.stage("checking cases", len(todo))
    silences = checking.Silences(run.tx)
    for part in parts(todo):
        shelf = shelf_of(run.tx, [run.seen[n][1] for n in part])
        for name in part:
            progress.checkpoint()
            record, case, hidden = run.seen[name]
            run.found[name] += run.checks.problems(shelf, case, stale="stale" in record.flags and not hidden)
            if around:
                run.found[name] += [*checking.personal(case), *silences.problems(case)]
            run.found[name] = checking.visible_only(run.found[name], hidden)
            progress.advance()
    again = set(todo)
    run.fresh.clean = {
        _key(r) for n, (r, _, hidden) in run.seen.items() if not hidden and (n not in again or not run.found[n])
    }


def _key(record: CaseRecord) -> str:
    return f"{record.case.id} {record.version} {','.join(record.flags)}"


def _alike(run: _Run, memory: Memory, only: set[str] | None) -> None:
    """Near-duplicates among all; pairs of cases that did not change since they were compared are known."""
    texts = {n: "\n".join(case.turns) for n, (_, case, _) in run.seen.items() if case.question.strip()}
    keys = {n: f"{n} {hashlib.blake2b(t.encode(), digest_size=8).hexdigest()}" for n, t in texts.items()}
    run.fresh.compared = set(keys.values())
    fresh = {n for n in texts if keys[n] not in memory.compared}
    known = [p for p in memory.alike if not {p[0], p[1]} & fresh and p[0] in texts and p[1] in texts]
    some: Collection[str] | None = fresh if memory.compared and len(fresh) <= len(texts) // 20 else None
    if only is not None and some is None:
        some = only & texts.keys()
    found = checking.twins(texts, some)
    run.fresh.alike = sorted({(a, b, r) for a, b, r in [*(known if some is not None else []), *found]})
    for one, other, _ in run.fresh.alike:
        _pair(run, one, other)


def _pair(run: _Run, one: str, other: str) -> None:
    (_, mine, hidden), (_, theirs, theirs_hidden) = run.seen[one], run.seen[other]
    if (mine.as_of, mine.asker) != (theirs.as_of, theirs.asker):
        return  # the same question of another day or person is another question
    blind = ANSWERED in (hidden, theirs_hidden)
    if not blind and (why := checking.contradicts(mine, theirs)):
        for name, twin in ((one, other), (other, one)):
            message = f"nearly the same question as {twin}, with {why}"
            run.found[name].append(checking.problem("near-duplicate-conflict", "turns", message))
        return
    if checking.VARIANT in mine.tags or checking.VARIANT in theirs.tags:
        return
    run.found[other].append(checking.near_duplicate(one))


def _labels(run: _Run) -> None:
    """Domains, routes and tags that look like others: cheap, and any case can change it for any other."""
    in_use = checking.LabelsInUse.among(case for _, case, _ in run.seen.values())
    for name, (_, case, hidden) in run.seen.items():
        run.found[name] += checking.visible_only(in_use.problems(case), hidden)


def _told(run: _Run, name: str) -> list[Finding]:
    """The findings of a case with the severities of the workspace; of a holdout case without any text of it."""
    record = run.seen[name][0]
    told = []
    for p in leveled(run.found.get(name, ()), run.checks.by_code):
        known = CHECKS[p.code]
        message, hint = (known.title, known.step) if record.side == "holdout" else (p.message, p.hint)
        told.append(Finding(case_id=name, **{**p.model_dump(), "message": message, "hint": hint}))
    return told
