"""Make cases.jsonl and reviews.jsonl: `python -m datasets.build_cases [--to FOLDER]`.

The cases are written by hand in `cases_source/`. Here their evidence is looked up in the parsed documents: a row by its
table and first cell, a chunk by a quote. What is not found, or found twice, ends the run. Run it again when a document
or the parser has changed.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
import tomllib
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curator.domain.canonical import dumps
from curator.domain.case import Case, Evidence, KeyProvision, TurnExpectation
from curator.domain.citing import citation, cite, judged_against
from curator.domain.review import ReviewPolicy, needs_two
from curator.domain.rules import problems
from curator.exporting.line import draft_line, line_problems
from curator.services import documents, review
from curator.services.cases import page_of, require_submitted, submit
from curator.services.importing import import_cases
from curator.services.ingest import Facts, ingest
from curator.services.reference import reference
from curator.workspace import Workspace, lay_out

if TYPE_CHECKING:
    from curator.domain.document import Document, Source
    from curator.services.context import Context

HERE = Path(__file__).parent
SOURCE = HERE / "cases_source"
AUTHOR, REVIEWER, LEAD = "nurse-ada", "counsel-ben", "lead-carla"
PAIRS = ((AUTHOR, REVIEWER), (REVIEWER, LEAD), (AUTHOR, LEAD))
FIRST_REVIEW = datetime(2026, 4, 7, 8, 5, tzinfo=UTC)


class Library:
    """The sample documents as they were ingested, and what can be cited in them."""

    def __init__(self, context: Context) -> None:
        self.documents: dict[str, Document] = {d.id: d for d in documents.page_of(context)}
        self._sources = {d: documents.sources_on(context, d) for d in self.documents}

    def find(self, where: dict[str, Any], document: str) -> Source:
        """The one source that a piece of evidence describes."""
        found = [s for s in self._sources[document] if (_is_row if "row" in where else _has_text)(s, where)]
        if len(found) != 1:
            names = ", ".join(s.id for s in found) or "nothing"
            raise SystemExit(f"{document}: {where} describes {names}")
        return found[0]


def _is_row(source: Source, where: dict[str, Any]) -> bool:
    at = source.anchor
    return (
        source.kind == "row"
        and at.key_cell == where["row"]
        and at.table_title.startswith(where["table"])
        and at.section_row == where.get("section", at.section_row)
        and all(cell in at.cells for cell in where.get("cells", ()))
    )


def _has_text(source: Source, where: dict[str, Any]) -> bool:
    return source.kind == "chunk" and where["text"] in source.anchor.text


def entries() -> Iterator[dict[str, Any]]:
    """Every case as it is written, with the defaults of its file."""
    for path in sorted(SOURCE.glob("*.toml")):
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        for case in data.get("case", []):
            yield {**data["defaults"], **case}


def case_of(entry: dict[str, Any], library: Library) -> Case:
    """A case with its evidence looked up."""
    given = entry.get("evidence", [])
    found = [library.find(where, where.get("doc", entry["documents"][0])) for where in given]
    evidence = [
        cite(source, where.get("role", "required"), quote=where.get("text", ""), group=where.get("group", ""))
        for source, where in zip(found, given, strict=True)
    ]
    return Case(
        id=entry["id"],
        task=entry.get("task", "question"),
        turns=tuple(entry["turns"]),
        language=entry.get("language", "en"),
        expected_behavior=entry.get("behavior", "answer"),
        reference_answer=entry.get("answer", ""),
        acceptable_answers=tuple(entry.get("acceptable_answers", ())),
        must_not_claim=tuple(entry.get("must_not_claim", ())),
        as_of=entry.get("as_of", ""),
        evidence=tuple(evidence),
        key_provisions=tuple(_provisions(entry, found)),
        required_behaviors=tuple(entry.get("required_behaviors", ())),
        refusal_reason=entry.get("refusal_reason", ""),
        escalate_to=entry.get("escalate_to", ""),
        escalate_when=entry.get("escalate_when", ""),
        risk=entry["risk"],
        consequence=entry.get("consequence", ""),
        domain=entry["domain"],
        document_type=entry["document_type"],
        difficulty=entry.get("difficulty", "medium"),
        route=entry["route"],
        documents=tuple(judged_against(library.documents[d]) for d in entry["documents"]),
        failure_stage=entry.get("failure_stage", "none"),
        origin=entry.get("origin", "expert"),
        turn_expectations=tuple(_expectations(entry, evidence)),
        tags=tuple(entry.get("tags", ())),
        notes=entry.get("notes", ""),
    )


def _provisions(entry: dict[str, Any], found: list[Source]) -> Iterator[KeyProvision]:
    for number, given in enumerate(entry.get("provisions", ()), 1):
        source = found[given.get("on", 0)]
        yield KeyProvision(
            id=f"p{number}",
            text=given["text"],
            citation=given.get("cite", "") or citation(source),
            source_id=source.id,
            page=source.anchor.page,
            mandatory=given.get("mandatory", True),
            accept=tuple(given["accept"]),
        )


def _expectations(entry: dict[str, Any], evidence: list[Evidence]) -> Iterator[TurnExpectation]:
    for given in entry.get("turn_expectations", ()):
        yield TurnExpectation(
            turn=given["turn"],
            expected_behavior=given.get("behavior", "answer"),
            reference_answer=given["answer"],
            expected_source_ids=tuple(evidence[n].source_id for n in given.get("on", ())),
        )


def doubts(case: Case) -> list[str]:
    """What would make a sample a bad example: claims that the answer makes itself, phrases found nowhere."""
    answer = _folded(case.reference_answer)
    said = {e.source_id: _folded(" ".join((*e.table_header, e.quote, *e.footnotes))) for e in case.evidence}
    found = [f"{p.code}: {p.message}" for p in problems(case)]
    found += [f"the answer claims {claim!r}" for claim in case.must_not_claim if _folded(claim) in answer]
    for provision in case.key_provisions:
        phrases = [_folded(a) for a in provision.accept]
        if not any(phrase in answer for phrase in phrases):
            found.append(f"{provision.id}: no accepted phrase is in the answer")
        if not any(phrase in said[provision.source_id] for phrase in phrases):
            found.append(f"{provision.id}: no accepted phrase is in its evidence")
    return found


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


class Clock:
    """Times of the reviews: rising, on working days between eight and half past four."""

    def __init__(self) -> None:
        self._now = FIRST_REVIEW

    def next(self) -> str:
        """The next time, in UTC."""
        now = self._now
        self._now += timedelta(minutes=11 + (now.minute * 7) % 29)
        if (self._now.hour, self._now.minute) > (16, 30):
            self._now = self._now.replace(hour=8, minute=5 + self._now.day % 20) + timedelta(days=1)
        while self._now.weekday() > 4:
            self._now += timedelta(days=1)
        return now.strftime("%Y-%m-%dT%H:%M:%SZ")


def reviews_of(cases: Iterable[Case], policy: ReviewPolicy) -> Iterator[dict[str, Any]]:
    """What each case needs by the rule of review, and the few where people did not agree."""
    written = tomllib.loads((SOURCE / "reviews.toml").read_text(encoding="utf-8"))
    disputes = {d["case"]: d for d in written["dispute"]}
    changes = {c["case"]: c for c in written["changes"]}
    clock = Clock()
    for number, case in enumerate(cases):
        dispute = disputes.get(case.id)
        if dispute:
            yield _review(case, "label-1", AUTHOR, clock.next())
            yield _review(case, "label-2", REVIEWER, clock.next(), **_differing(case, dispute))
            yield _review(case, "adjudication", LEAD, clock.next(), reason=dispute["decided"])
        elif needs_two(case, (), policy):
            for slot, actor in zip(("label-1", "label-2"), PAIRS[number % 3], strict=True):
                yield _review(case, slot, actor, clock.next())
        else:
            if case.id in changes:
                said = {"decision": "request_changes", "reason": changes[case.id]["reason"]}
                yield _review(case, "approval", REVIEWER, clock.next(), **said)
            yield _review(case, "approval", REVIEWER if case.id in changes or number % 2 else LEAD, clock.next())


def _differing(case: Case, dispute: dict[str, Any]) -> dict[str, Any]:
    """The label of the one who disagrees: another behavior or risk, or one of the other sources as well."""
    other = [e.source_id for e in case.evidence if e.role != "required"][: dispute.get("adds", 0)]
    return {
        "expectedBehavior": dispute.get("behavior", case.expected_behavior),
        "expectedSourceIds": [*case.expected_source_ids, *other],
        "risk": dispute.get("risk", case.risk),
        "reason": dispute["reason"],
    }


def _review(case: Case, slot: str, actor: str, at: str, **said: Any) -> dict[str, Any]:
    line = {
        "caseId": case.id,
        "slot": slot,
        "actor": actor,
        "at": at,
        "decision": "approve",
        "expectedBehavior": case.expected_behavior,
        "expectedSourceIds": list(case.expected_source_ids),
        "risk": case.risk,
        "reason": "",
    }
    return line | said


def _ingest(context: Context) -> None:
    listed = tomllib.loads((HERE / "documents" / "documents.toml").read_text(encoding="utf-8"))
    for name, facts in listed.items():
        given = Facts.model_validate({"document_id": name, **facts})
        (result,) = ingest(context, [HERE / "documents" / f"{name}.pdf"], given)
        if result.outcome != "new":
            raise SystemExit(f"{name}: {result.outcome} {result.reason}")


def _approved(folder: Path, lines: list[dict[str, Any]], judged: list[dict[str, Any]]) -> None:
    """Import both files as the demo does; every case must end approved."""
    with Workspace(folder, AUTHOR) as workspace:
        report = import_cases(workspace.context, list(enumerate(lines, 1)))
        require_submitted(submit(workspace.context, [line["id"] for line in lines]))
    with Workspace(folder, LEAD) as workspace:
        reviewed = review.import_reviews(workspace.context, list(enumerate(judged, 1)))
        for rejected in (*report.rejected, *reviewed.rejected):
            raise SystemExit(f"line {rejected.row}: {rejected.reason}")
        for record in page_of(workspace.context, limit=0):
            if record.status != "approved":
                raise SystemExit(f"{record.id} is {record.status}")


def main() -> None:
    """Look everything up, check it, and write both files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--to", type=Path, default=HERE)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        lay_out(folder)
        shutil.copyfile(HERE / "curator.toml", folder / "curator.toml")
        shutil.copyfile(HERE / "production-lengths.csv", folder / "datasets" / "production-lengths.csv")
        with Workspace(folder, AUTHOR) as workspace:
            _ingest(workspace.context)
            library = Library(workspace.context)
            cases = sorted((case_of(entry, library) for entry in entries()), key=lambda case: case.id)
            median = reference(workspace.context).median
            policy = workspace.context.review_policy
        lines = [draft_line(case, reference_median=median) for case in cases]
        bad = [f"{c.id}: {d}" for c, line in zip(cases, lines, strict=True) for d in (*doubts(c), *line_problems(line))]
        if bad:
            raise SystemExit("\n".join(bad))
        judged = list(reviews_of(cases, policy))
        _approved(folder, lines, judged)
    options.to.mkdir(parents=True, exist_ok=True)
    (options.to / "cases.jsonl").write_text(
        "".join(dumps(line) + "\n" for line in lines), encoding="utf-8", newline="\n"
    )
    told = "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in judged)
    (options.to / "reviews.jsonl").write_text(told, encoding="utf-8", newline="\n")
    print(f"{len(lines)} cases, {len(judged)} reviews")


if __name__ == "__main__":
    main()
