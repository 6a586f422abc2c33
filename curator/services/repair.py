"""Repair: what a person puts right in the tables of a document. One decision, taken back as one (services.undo).

The text of a row is what a person says it is from then on, in search and in what is cited. A case on a row that reads
otherwise now is stale until somebody says that it still holds (services.reconfirm).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from curator.domain.anchoring import anchors
from curator.domain.document import Anchor, ParsedDocument
from curator.domain.model import Model
from curator.domain.patch import Patch, patch, patched
from curator.domain.repair import REPAIR, Repair, Repaired, repaired
from curator.domain.repair_again import Ground, again, ground
from curator.domain.revision import Finding
from curator.errors import Conflict, CuratorError, InputError, UsageError
from curator.matching.reanchoring import judge, reanchored
from curator.services import staleness
from curator.services.context import Context
from curator.store import documents, events, repairs, sources
from curator.store.database import Transaction
from curator.store.repairs import RepairLine
from curator.text import clean, nfc

VERB = "repaired"
DISMISSED = "repair dismissed"
State = Literal["done", "waiting"]


class RepairDone(Model):
    """What a repair did.

    Attributes:
        number: Its number, by which it is listed.
        document_id: The document.
        kind: Which repair it was.
        changed: Sources that read otherwise now; `new`: those that were not there before; `gone`: those that are not
            there any more; `joined`: ids that speak of another row now, with that row's id.
        stale: Cases that wait for a person by it.
    """

    number: int = 0
    document_id: str
    kind: str
    changed: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    joined: tuple[tuple[str, str], ...] = ()
    stale: tuple[str, ...] = ()


class RepairTold(Model):
    """A repair of the current revision: done, or waiting since it could not be made again in this revision."""

    number: int
    document_id: str
    revision: str
    state: State
    repair: Repair


def repair(ctx: Context, document_id: str, wanted: Repair) -> RepairDone:
    """Repair the current revision of a document.

    Args:
        ctx: Open workspace.
        document_id: The document.
        wanted: What is repaired; ids of rows may be earlier names.

    Raises:
        InputError: There is no such document, table or row.
        UsageError: The repair makes no sense there, or changes nothing.
    """
    with ctx.write() as tx:
        document = documents.get(tx, document_id)
        wanted = _with_names_of_today(tx, _at_the_door(wanted))
        before = repairs.read(tx, document.id)
        made = repaired(before, wanted, _taken(tx, document.id, before))
        change = patch(before, made.document, made.aliases)
        if not change.tables and not change.chunks:
            raise UsageError("nothing changes by that", "it reads so already")
        base = {"document": document.id, "revision": documents.revision_id_of(tx, document.id)}
        seq = tx.log.append(
            "document", document.id, VERB,
            data={**base, "kind": wanted.kind, "patch": change.model_dump(mode="json", exclude_defaults=True)},
        )  # fmt: skip
        return _store(tx, document.id, seq, wanted, ground(before, wanted), before, made)


def _at_the_door(wanted: Repair) -> Repair:
    """The repair with its texts as every text from outside is stored."""

    def told(text: str) -> str:
        return " ".join(nfc(clean(text)[0]).split())

    said: dict[str, Any] = {}
    for name in ("text", "first", "second"):
        value = getattr(wanted, name, None)
        if isinstance(value, str):
            said[name] = told(value)
        elif value is not None:
            said[name] = tuple(map(told, value))
    return wanted.model_copy(update=said)


def _with_names_of_today(tx: Transaction, wanted: Repair) -> Repair:
    said = {name: value for name in ("row", "other") if (value := getattr(wanted, name, "")) and ":" in value}
    keys = sources.keys(tx, said.values())
    ids = sources.ids_of(tx, keys.values())
    return wanted.model_copy(update={n: ids[keys[v]] if v in keys else v for n, v in said.items()})


def _taken(tx: Transaction, document_id: str, parsed: ParsedDocument) -> set[str]:
    """Ids that were ever given in the containers of a document."""
    containers = {r.id.partition(":")[0] for t in parsed.tables for r in t.rows} | {t.id for t in parsed.tables}
    return repairs.taken_names(tx, document_id, containers | {c.id.partition(":")[0] for c in parsed.chunks})


def _store(
    tx: Transaction, document_id: str, seq: int, wanted: Repair, made_on: Ground, before: ParsedDocument,
    made: Repaired,
) -> RepairDone:  # fmt: skip
    old = {a.source_id: a for a in anchors(before)}
    revision_id = documents.revision_id_of(tx, document_id)
    new = {a.source_id: a for a in anchors(made.document)}
    joined = dict(made.aliases)
    changed = [n for n in old if n in new and _reads(old[n]) != _reads(new[n])]
    gone = [n for n in old if n not in new and n not in joined]
    findings = _waiting(tx, document_id, old, new, changed, gone, joined, seq)
    repairs.write(tx, document_id, made.document, seq)
    repairs.set_aliases(tx, made.aliases, joined=True)
    repairs.set_findings(tx, revision_id, {f["source"]: f["after"] for f in findings})
    repairs.add(tx, revision_id, [{
        "seq": seq, "content": wanted.model_dump_json(), "ground": made_on.model_dump_json(), "state": "done",
        "findings": json.dumps(findings),
    }])  # fmt: skip
    stale = staleness.refresh(tx, _cases(tx, document_id))
    return RepairDone(
        number=seq,
        document_id=document_id,
        kind=wanted.kind,
        changed=tuple(changed),
        new=tuple(n for n in new if n not in old),
        gone=tuple(gone),
        joined=tuple(made.aliases),
        stale=tuple(stale),
    )


def _reads(anchor: Anchor) -> object:
    """All that a source says, and that a case may rest on."""
    return anchor.text, anchor.cells, anchor.table_title, anchor.table_header, anchor.footnotes, anchor.section_row


def _cases(tx: Transaction, document_id: str) -> list[str]:
    return sorted({case for found in staleness.citing(tx, document_id).values() for case in found})


def _waiting(
    tx: Transaction, document_id: str, old: Mapping[str, Anchor], new: Mapping[str, Anchor],
    changed: Sequence[str], gone: Sequence[str], joined: Mapping[str, str], seq: int,
) -> list[dict[str, Any]]:  # fmt: skip
    """What is to be written about the sources that cases cite and that read otherwise now: source, before, after."""
    named = sources.keys(tx, staleness.citing(tx, document_id))
    cited = set(named.values())
    keys = repairs.own_keys(tx, old)
    into = {kept for other, kept in joined.items() if keys[other] in cited}
    now = [n for n in changed if keys[n] in cited or n in into]
    left = [n for n in gone if keys[n] in cited]
    if not now and not left:
        return []
    kept = repairs.keep_old(tx, document_id, [*now, *left], seq)
    revision_id = documents.revision_id_of(tx, document_id)
    before = repairs.findings_at(tx, revision_id, (keys[n] for n in (*now, *left)))
    found = [_finding(old[n], new[n]) for n in now]
    candidates = [a for n, a in new.items() if n not in old or n in changed]
    lost = reanchored(list(old.values()), candidates, wanted=left) if candidates and left else {}
    found += [lost.get(n) or Finding(source_id=n, verdict="LOST") for n in left]
    told = []
    for finding in found:
        key = keys[finding.source_id]
        was = before.get(key)
        if was is not None and was["state"] == "waiting":  # what cases say is older still
            after = {**was, "target": key if finding.source_id in new else 0}
        else:
            after = _row(finding, revision_id, key, kept[finding.source_id], keys)
        told.append({"source": key, "before": was, "after": after})
    return told


def _finding(old: Anchor, new: Anchor) -> Finding:
    judged = judge(old, new)
    return Finding(source_id=old.source_id, verdict="CHANGED", score=round(judged.score, 1),
                   difference=judged.difference, target=new.source_id)  # fmt: skip


def _row(finding: Finding, revision_id: int, key: int, old_anchor: int, keys: Mapping[str, int]) -> dict[str, Any]:
    candidates = [(keys[c.source_id], c.score) for c in finding.candidates if c.source_id in keys]
    verdict = "MOVED_SIMILAR" if finding.verdict == "SAME" else finding.verdict
    return {
        "revision_id": revision_id, "source_id": key, "verdict": verdict, "score": finding.score,
        "difference": finding.difference, "old_anchor": old_anchor, "target": keys.get(finding.target, 0),
        "candidates": json.dumps(candidates), "state": "waiting",
    }  # fmt: skip


# -- taking it back -------------------------------------------------------------------------------------------------


def turn(tx: Transaction, event: Mapping[str, Any], verb: Literal["undone", "redone"]) -> None:
    """Take back, or do again, one repair from its event.

    Raises:
        Conflict: A newer revision has come since, what it changed was changed again, or somebody re-confirmed by it.
    """
    data = dict(event["data"])
    document_id = documents.get(tx, data["document"]).id
    if documents.revision_id_of(tx, document_id) != data["revision"]:
        raise Conflict(f"{document_id} has a newer revision since then", "repair that one")
    seq, back = data.get("repair", event["seq"]), not data.get("undone", False)
    findings = repairs.findings_of(tx, data["revision"], seq)
    now = repairs.findings_at(tx, data["revision"], (f["source"] for f in findings))
    here, there = ("after", "before") if back else ("before", "after")
    for finding in findings:
        if now.get(finding["source"]) != finding[here]:
            name = sources.ids_of(tx, [finding["source"]])[finding["source"]]
            raise Conflict(f"{name} was re-confirmed since then", "repair it anew")
    change = Patch.model_validate(data["patch"])
    after = patched(repairs.read(tx, document_id), change.backwards if back else change)
    number = events.append_undoing(tx, event, verb, {**data, "repair": seq, "undone": back})
    repairs.set_aliases(tx, change.aliases if back else (), joined=False)
    repairs.write(tx, document_id, after, number)
    repairs.set_aliases(tx, () if back else change.aliases, joined=True)
    repairs.set_findings(tx, data["revision"], {f["source"]: f[there] for f in findings})
    repairs.set_state(tx, data["revision"], seq, "undone" if back else "done")


# -- a next revision ------------------------------------------------------------------------------------------------


class Carried(Model):
    """Repairs made again in the parse of a next revision, and those that could not be: number, repair, ground."""

    document: ParsedDocument
    done: tuple[tuple[int, Repair, Ground], ...] = ()
    waiting: tuple[tuple[int, Repair, Ground], ...] = ()


def carried(tx: Transaction, document_id: str, parsed: ParsedDocument) -> Carried:
    """The repairs of a document made again in another parse of it, as far as what they were made on is the same."""
    done, waiting = [], []
    for line in repairs.of_document(tx, document_id):
        wanted, made_on = REPAIR.validate_json(line.content), Ground.model_validate_json(line.ground)
        there = again(parsed, wanted, made_on)
        if there is not None:
            try:
                on = ground(parsed, there)
                parsed = repaired(parsed, there).document
                done.append((line.seq, there, on))
                continue
            except CuratorError:  # what it was made on is there, but something beside it is not
                pass
        waiting.append((line.seq, wanted, made_on))
    return Carried(document=parsed, done=tuple(done), waiting=tuple(waiting))


def note_carried(tx: Transaction, document_id: str, made: Carried) -> None:
    """Store which repairs a new revision, current by now, has, and which wait."""
    rows = [
        {"seq": seq, "content": wanted.model_dump_json(), "ground": on.model_dump_json(), "state": state}
        for state, some in (("done", made.done), ("waiting", made.waiting))
        for seq, wanted, on in some
    ]
    repairs.add(tx, documents.revision_id_of(tx, document_id), rows)


def listed(
    ctx: Context, document_id: str = "", *, states: Sequence[State] = ("done", "waiting")
) -> tuple[RepairTold, ...]:
    """The repairs of the current revision of a document, or ("") of all documents, in the order of their making.

    Raises:
        InputError: There is no such document.
    """
    with ctx.db.read() as tx:
        lines = repairs.of_document(tx, documents.get(tx, document_id).id if document_id else "", states=states)
    return tuple(_told(line) for line in lines)


def _told(line: RepairLine) -> RepairTold:
    state: State = "waiting" if line.state == "waiting" else "done"
    return RepairTold(
        number=line.seq,
        document_id=line.document_id,
        revision=line.label,
        state=state,
        repair=REPAIR.validate_json(line.content),
    )


def dismiss(ctx: Context, numbers: Iterable[int]) -> tuple[int, ...]:
    """Say of repairs that wait that the new revision does not need them.

    Raises:
        InputError: One of them does not wait.
    """
    wanted = list(dict.fromkeys(numbers))
    with ctx.write() as tx:
        lines = {line.seq: line for line in repairs.of_document(tx, states=("waiting",))}
        for number in wanted:
            if number not in lines:
                raise InputError(f"repair {number} does not wait", "`curator docs repair list` shows what does")
            line = lines[number]
            repairs.set_state(tx, line.revision, number, "dismissed")
            tx.log.append("document", line.document_id, DISMISSED, data={"repair": number})
    return tuple(wanted)
