"""From a case to its canonical line, from a source to its line, and what stands against a line."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter, itemgetter
from typing import Any

from pydantic import BaseModel, ValidationError

from curator.domain.canonical import (
    RAW_KEYS,
    RAW_SOURCE_KEYS,
    canary,
    composed,
    content_hash,
    dumps,
    is_composed,
    row_text,
)
from curator.domain.case import Case, CaseRecord
from curator.domain.document import Source
from curator.domain.identity import source_id_error
from curator.domain.strata import length_stratum, section_position
from curator.domain.strata import placing_line as placing_line
from curator.exporting.caseline import CASE_KEYS, NESTED, SOURCE_KEYS, CaseLine, SourceLine
from curator.text import one_line

_UNWRITABLE = re.compile("[\x00\ud800-\udfff]")
_SHOWN = 60


def filled(case: Case) -> Case:
    """The case with what its line fills in: NFC, group of each evidence, ids of provisions, attributes by name.

    The content hash of a filled case (`canonical.case_hash`) is the `contentHash` of its line.
    """
    return Case.model_validate(_filled(case))


def is_filled(case: Case) -> bool:
    """Whether there is nothing to fill in: what `filled` does but for NFC."""
    return (
        all(e.group for e in case.evidence)
        and all(p.id for p in case.key_provisions)
        and list(case.attributes) == sorted(case.attributes, key=attrgetter("name"))
    )


def _filled(case: Case) -> dict[str, Any]:
    values = case.model_dump(mode="json", by_alias=True)
    return fill(values if is_composed(dumps(values)) else composed(values))


def fill(values: dict[str, Any]) -> dict[str, Any]:
    """Fill in the fields of a case, as they stand on a line, in place."""
    for entry in values["evidence"]:
        entry["group"] = entry["group"] or entry["sourceId"]
    _number(values["keyProvisions"])
    values["attributes"].sort(key=itemgetter("name"))
    return values


def _number(provisions: Sequence[dict[str, Any]]) -> None:
    """Provisions without an id get p1, p2 ... by their place, or the next number that is free."""
    taken = {p["id"] for p in provisions}
    for place, provision in enumerate(provisions, 1):
        if not provision["id"]:
            number = place
            while f"p{number}" in taken:
                number += 1
            provision["id"] = f"p{number}"
            taken.add(provision["id"])


def case_line(record: CaseRecord, *, suite: str, reference_median: float, digest: str = "") -> dict[str, Any]:
    """The canonical line of a case with a standing: all 38 keys in their order, nothing null.

    Args:
        record: The case; it must have a partition.
        suite: Name of the suite, for the canary.
        reference_median: Median pages of a document in production; 0 = unknown (then lengthStratum is "none").
        digest: Its content hash, when the case is word for word as it is stored, and so filled in; "" = worked out.

    Raises:
        ValueError: The case is in no partition.
    """
    if not record.partition:
        raise ValueError(f"{record.case.id}: in no partition: it was never approved")
    return _line(record.case, _standing(record), suite, reference_median, digest)


def draft_line(case: Case, *, suite: str = "", reference_median: float = 0) -> dict[str, Any]:
    """The line of a case that has no standing: partition by its turns (dev, followup_dev), never confirmed.

    It may break rules of a finished line: a draft is incomplete. A risk that nobody has stated is no key of it.
    """
    return _line(case, _standing(CaseRecord(case=case)), suite, reference_median)


def stored_line(record: CaseRecord, *, suite: str = "", reference_median: float = 0) -> dict[str, Any]:
    """The line of a case as it stands in the store, finished or not: `read.case_from_line` gives that case again.

    As `draft_line`, but a case that was approved says so, and keeps its partition.
    """
    return _line(record.case, _standing(record), suite, reference_median, record.content_hash)


def _standing(record: CaseRecord) -> dict[str, Any]:
    """What a line says of the standing; a case that was never approved is shown in the open partition of its turns."""
    return {
        "partition": record.partition or ("followup_dev" if len(record.case.turns) > 1 else "dev"),
        "caseVersion": record.case_version,
        "confirmedAt": record.confirmed_at[:10],
        "approvals": record.approvals,
    }


def _line(
    case: Case, standing: Mapping[str, Any], suite: str, reference_median: float, digest: str = ""
) -> dict[str, Any]:  # fmt: skip
    values = case.model_dump(mode="json", by_alias=True) if digest else _filled(case)
    values |= {
        **standing,
        "expectedSourceIds": _required_ids(values),
        "lengthStratum": length_stratum(case, reference_median),
        "sectionPosition": section_position(case),
        "canary": canary(suite),
    }
    line = {key: values.get(key, "") for key in CASE_KEYS}
    line["contentHash"] = digest or content_hash(line)
    if not case.risk:  # a line that says its risk says one of the four
        del line["risk"]
    return line


def _required_ids(line: Mapping[str, Any]) -> list[str]:
    """Distinct ids of the required evidence in order of first appearance."""
    return list(dict.fromkeys(e["sourceId"] for e in line["evidence"] if e["role"] == "required"))


def source_line(source: Source) -> dict[str, Any]:
    """The line of a source in sources.jsonl, as it reads in the current revision of its document.

    The section row of a table row is the last part of `sectionPath`; its text is title, section, "header: cell; ...".
    """
    anchor = source.anchor
    path = list(anchor.section_path)
    text = anchor.text
    if source.kind == "row":
        if anchor.section_row and path[-1:] != [anchor.section_row]:
            path.append(anchor.section_row)
        text = row_text(anchor.table_title, path, anchor.table_header, anchor.cells)
    values = {
        "id": source.id,
        "aliases": sorted(source.aliases),
        "kind": source.kind,
        "text": text,
        "documentId": source.document_id,
        "documentVersion": source.revision,
        "page": anchor.page,
        "sectionPath": path,
        "tableTitle": anchor.table_title,
        "tableHeader": list(anchor.table_header),
        "tableCells": list(anchor.cells),
    }
    line: dict[str, Any] = composed({key: values[key] for key in SOURCE_KEYS}, raw=RAW_SOURCE_KEYS)
    return line


def line_problems(line: Mapping[str, Any], text: str = "") -> list[str]:
    """What stands against a dict as a canonical line: its shape, then what a schema cannot say. Empty = nothing.

    Every problem is one line of visible text: "evidence/0/page: ...".

    Args:
        line: The line.
        text: What `canonical.dumps` makes of it, where that is known.
    """
    if shape := _shape_problems(CaseLine, line):
        return shape
    text = text or dumps(dict(line))
    return [*_unwritable(line, text), *_order_problems(line), *_meaning_problems(line, text)]


def _is_nfc(line: Mapping[str, Any], text: str, raw: Sequence[str]) -> bool:
    return is_composed(text) or dict(line) == composed(dict(line), raw=raw)


def source_problems(line: Mapping[str, Any]) -> list[str]:
    """What stands against a dict as a line of sources.jsonl. Empty = nothing."""
    if shape := _shape_problems(SourceLine, line):
        return shape
    text = dumps(dict(line))
    return [*_unwritable(line, text), *_source_rules(line, text)]


def model_problems(error: ValidationError) -> list[str]:
    """The errors of pydantic, one line each, outside text made visible."""
    found = []
    for item in error.errors(include_url=False, include_context=False):
        where = "/".join(one_line(str(part), _SHOWN) for part in item["loc"])
        said = "unknown key" if item["type"] == "extra_forbidden" else item["msg"].removeprefix("Value error, ")
        said = "missing" if item["type"] == "missing" else said
        found.append(f"{where}: {one_line(said)}" if where else one_line(said))
    return found


def _shape_problems(model: type[BaseModel], line: Mapping[str, Any]) -> list[str]:
    try:
        model.model_validate(line)
    except ValidationError as error:
        return model_problems(error)
    return []


def _unwritable(line: Mapping[str, Any], text: str) -> Iterator[str]:
    """NUL and lone surrogates, wherever they stand; text: the JSON of the line."""
    if "\\u0000" in text or _UNWRITABLE.search(text):  # one look instead of one at each part
        yield from _unwritable_in(line)


def _unwritable_in(value: Any, where: str = "") -> Iterator[str]:
    if isinstance(value, str):
        if _UNWRITABLE.search(value):
            yield f"{where}: NUL or a lone surrogate"
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _unwritable_in(inner, f"{where}/{key}" if where else key)
    elif isinstance(value, list | tuple):
        for number, inner in enumerate(value):
            yield from _unwritable_in(inner, f"{where}/{number}")


def _order_problems(line: Mapping[str, Any]) -> Iterator[str]:
    if tuple(line) != CASE_KEYS:
        yield "the keys are not in their order"
    for name, expected in NESTED.items():
        if any(tuple(entry) != expected for entry in line[name]):
            yield f"{name}: the keys are not in their order"


def _meaning_problems(line: Mapping[str, Any], text: str) -> Iterator[str]:
    yield from _source_id_problems(line)
    provisions = [p["id"] for p in line["keyProvisions"]]
    if len(set(provisions)) < len(provisions):
        yield "keyProvisions: an id repeats"
    turns = [t["turn"] for t in line["turnExpectations"]]
    if len(set(turns)) < len(turns) or not all(0 < t < len(line["turns"]) for t in turns):
        yield "turnExpectations: they speak of earlier turns, each once"
    names = [a["name"] for a in line["attributes"]]
    if names != sorted(names):
        yield "attributes: not sorted by name"
    yield from _date_problems(line)
    if not _is_nfc(line, text, RAW_KEYS):
        yield "not NFC"
    elif line["contentHash"] != (expected := content_hash(dict(line))):
        yield f"contentHash: expected {expected}"


def _source_id_problems(line: Mapping[str, Any]) -> Iterator[str]:
    ids = list(dict.fromkeys(e["sourceId"] for e in line["evidence"]))
    for name in ids:
        if why := source_id_error(name):
            yield f"evidence: {one_line(name, _SHOWN)}: {why}"
    expected = _required_ids(line)
    if line["expectedSourceIds"] != expected:
        yield f"expectedSourceIds: expected {', '.join(one_line(i, _SHOWN) for i in expected) or 'none'}"
    cited = [p["sourceId"] for p in line["keyProvisions"]]
    cited += [i for t in line["turnExpectations"] for i in t["expectedSourceIds"]]
    for name in dict.fromkeys(cited):
        if name and name not in ids:
            yield f"{one_line(name, _SHOWN)} is cited and not in evidence"


def _date_problems(line: Mapping[str, Any]) -> Iterator[str]:
    dates = [("asOf", line["asOf"]), ("confirmedAt", line["confirmedAt"])]
    for number, entry in enumerate(line["evidence"]):
        start, end = entry["effectiveFrom"], entry["effectiveTo"]
        dates += [(f"evidence/{number}/effectiveFrom", start), (f"evidence/{number}/effectiveTo", end)]
        if start and end and start > end:
            yield f"evidence/{number}: in force until before it began"
    for where, text in dates:
        if text and not is_date(text):
            yield f"{where}: {text} is no date"


def is_date(text: str) -> bool:
    """Whether the first ten characters are a day of the calendar."""
    try:
        datetime.date.fromisoformat(text[:10])
    except ValueError:
        return False
    return True


def _source_rules(line: Mapping[str, Any], text: str) -> Iterator[str]:
    if tuple(line) != SOURCE_KEYS:
        yield "the keys are not in their order"
    for name in (line["id"], *line["aliases"]):
        if why := source_id_error(name):
            yield f"{one_line(name, _SHOWN)}: {why}"
    if line["id"] in line["aliases"]:
        yield "aliases: the id is its own alias"
    if not line["text"].strip():
        yield "text: empty"
    if not _is_nfc(line, text, RAW_SOURCE_KEYS):
        yield "not NFC"
    if line["kind"] == "row":
        yield from _row_text_problems(line)


def _row_text_problems(line: Mapping[str, Any]) -> Iterator[str]:
    """The text of a row carries title, section and "header: cell" for every filled cell, in this order."""
    if not line["tableCells"]:
        yield "tableCells: a row without cells"
    text, at = composed(line["text"]), 0
    pairs = [f"{h}: {c}" for h, c in zip(line["tableHeader"], line["tableCells"], strict=False) if h and c]
    for part in (line["tableTitle"], *line["sectionPath"][-1:], *pairs):
        found = text.find(composed(part), at)
        if found < 0:
            yield f"text: {one_line(part, _SHOWN)} is missing or out of order"
            return
        at = found + len(composed(part))
