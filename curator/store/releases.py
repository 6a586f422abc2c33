"""Releases and waivers. A release is never changed once it is recorded."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sqlmodel import col, select

from curator.domain.changes import version_key
from curator.domain.model import Model
from curator.store.bulk import insert_rows, parts
from curator.store.database import Transaction
from curator.store.events import of_kind
from curator.store.tables import ReleaseCaseRow, ReleaseRow, WaiverRow


class Waiver(Model):
    """A gap of a suite that a lead let pass."""

    gap: str
    reason: str
    by: str
    at: str


class Release(Model):
    """One released version; `build`: hash of its build.json, which no sum in its folder covers; "" = not kept."""

    suite: str
    version: str
    parent: str
    created_at: str
    actor: str
    manifest: dict[str, Any]
    build: str = ""


class Form(NamedTuple):
    """A case as a version holds it; `seq`: sequence of that release."""

    suite: str
    version: str
    seq: int
    line: dict[str, Any]


def add_waiver(tx: Transaction, suite: str, gap: str, reason: str) -> None:
    """Record that the acting person lets a gap pass."""
    seq = tx.log.append("suite", suite, "waived", data={"gap": gap, "reason": reason})
    tx.session.add(WaiverRow(seq=seq, suite=suite, gap=gap, reason=reason, actor=tx.log.actor, at=tx.log.at))
    tx.session.flush()


def waivers(tx: Transaction, suite: str) -> dict[str, Waiver]:
    """The latest waiver of each gap of a suite."""
    query = select(WaiverRow).where(WaiverRow.suite == suite).order_by(col(WaiverRow.seq))
    return {w.gap: Waiver(gap=w.gap, reason=w.reason, by=w.actor, at=w.at) for w in tx.session.exec(query)}


def add(tx: Transaction, release: Release, lines: Mapping[str, str]) -> None:
    """Record a release with the canonical lines of all its cases, as they are written, by id; holdout included."""
    key = {"suite": release.suite, "version": release.version}
    data = {"version": release.version, "cases": len(lines), "build": release.build}
    seq = tx.log.append("suite", release.suite, "released", data=data)
    manifest = json.dumps(release.manifest, ensure_ascii=False)
    tx.session.add(
        ReleaseRow(
            **key,
            parent=release.parent,
            created_at=release.created_at,
            actor=release.actor,
            manifest=manifest,
            seq=seq,
        )
    )
    tx.session.flush()
    for part in parts(lines.items()):
        insert_rows(tx.session, ReleaseCaseRow, [{**key, "case_id": name, "line": text} for name, text in part])


def versions(tx: Transaction, suite: str = "") -> list[Release]:
    """Released versions, of one suite or of all, by suite and version."""
    query = select(ReleaseRow)
    if suite:
        query = query.where(ReleaseRow.suite == suite)
    builds = _builds(tx)
    found = [_release(r, builds.get((r.suite, r.version), "")) for r in tx.session.exec(query)]
    return sorted(found, key=lambda r: (r.suite, version_key(r.version)))


def lines(tx: Transaction, suite: str, version: str) -> dict[str, dict[str, Any]]:
    """Canonical lines of a release by case id, holdout included."""
    query = select(ReleaseCaseRow.case_id, ReleaseCaseRow.line).where(
        ReleaseCaseRow.suite == suite, ReleaseCaseRow.version == version
    )
    return {name: json.loads(line) for name, line in tx.session.exec(query.order_by(col(ReleaseCaseRow.case_id)))}


def released_ids(tx: Transaction, suite: str) -> set[str]:
    """Ids of the cases that any version of a suite holds."""
    return set(tx.session.exec(select(ReleaseCaseRow.case_id).where(ReleaseCaseRow.suite == suite).distinct()))


def forms(tx: Transaction, names: Sequence[str], suite: str = "") -> dict[str, list[Form]]:
    """The lines under which cases were released, by id, the newest version first; of one suite or of all."""
    found: dict[str, list[Form]] = {name: [] for name in names}
    seqs = {(s, v): seq for s, v, seq in tx.session.exec(select(ReleaseRow.suite, ReleaseRow.version, ReleaseRow.seq))}
    for part in parts(names):
        query = select(ReleaseCaseRow).where(col(ReleaseCaseRow.case_id).in_(part))
        for row in tx.session.exec(query.where(ReleaseCaseRow.suite == suite) if suite else query):
            seq = seqs.get((row.suite, row.version), 0)
            found[row.case_id].append(Form(row.suite, row.version, seq, json.loads(row.line)))
    for listed in found.values():
        listed.sort(key=lambda f: (f.suite, version_key(f.version)), reverse=True)
    return found


def holds_any(tx: Transaction, suite: str, version: str, names: Sequence[str]) -> str:
    """The first of these cases that a release holds; "" when it holds none."""
    for part in parts(names):
        query = select(ReleaseCaseRow.case_id).where(
            ReleaseCaseRow.suite == suite, ReleaseCaseRow.version == version, col(ReleaseCaseRow.case_id).in_(part)
        )
        if found := tx.session.exec(query.order_by(col(ReleaseCaseRow.case_id)).limit(1)).first():
            return found
    return ""


def add_build(tx: Transaction, suite: str, version: str, build: str) -> None:
    """Record that the files of a version were written anew, with another build.json, of this hash."""
    tx.log.append("suite", suite, "reproduced", data={"version": version, "build": build})


def _builds(tx: Transaction) -> dict[tuple[str, str], str]:
    """Hash of build.json by suite and version, as it was written last; versions of earlier times have none."""
    told = (e for e in of_kind(tx, "suite") if e["verb"] in ("released", "reproduced"))
    return {(e["entityId"], e["data"]["version"]): str(e["data"].get("build", "")) for e in told}


def _release(row: ReleaseRow, build: str) -> Release:
    return Release(
        suite=row.suite,
        version=row.version,
        parent=row.parent,
        created_at=row.created_at,
        actor=row.actor,
        manifest=json.loads(row.manifest),
        build=build,
    )
