"""The canonical form: one byte string for one value, and the hashes over it.

UTF-8, NFC (quotes, cells and the text of sources keep the form of their document), compact, keys in constant order,
U+0085, U+2028 and U+2029 escaped because some readers split lines there, NaN refused. Standard library only.
"""

from __future__ import annotations

import functools
import itertools
import json
import unicodedata
import uuid
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from curator.domain.case import Case
from curator.domain.identity import sha256

RAW_KEYS = ("quote", "tableCells")
RAW_SOURCE_KEYS = ("text", "tableCells")
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)
CANARY_NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, "urn:curator:canary")

HASHED = (
    "task",
    "turns",
    "expectedBehavior",
    "referenceAnswer",
    "acceptableAnswers",
    "mustNotClaim",
    "asOf",
    "expectedSourceIds",
    "evidence",
    "keyProvisions",
    "requiredBehaviors",
    "refusalReason",
    "escalateTo",
    "escalateWhen",
    "turnExpectations",
    "risk",
)
HASHED_EVIDENCE = ("sourceId", "role", "group", "quote", "tableTitle", "tableHeader")
HASHED_PROVISION = ("id", "text", "citation", "sourceId", "mandatory", "accept")


def composed(value: Any, key: str = "", raw: Sequence[str] = RAW_KEYS) -> Any:
    """The value with every string in NFC, but for those under a key in raw. Dicts keep their order."""
    if isinstance(value, str):
        return value if value.isascii() or key in raw else unicodedata.normalize("NFC", value)
    if isinstance(value, list | tuple):
        return [composed(v, key, raw) for v in value]
    if isinstance(value, dict):
        return {k: composed(v, k, raw) for k, v in value.items()}
    return value


def dumps(value: Any) -> str:
    """Compact JSON: text kept, the three characters that split lines in some readers escaped.

    Raises:
        ValueError: A number is NaN or infinite.
    """
    text = _ENCODER.encode(value)
    if text.isascii():
        return text
    for ch in "\x85\u2028\u2029":
        text = text.replace(ch, f"\\u{ord(ch):04x}")
    return text


def is_composed(text: str) -> bool:
    """Whether every string in a JSON text that `dumps` made is in NFC; may say no where all are.

    NFC is closed under taking parts, and no character that JSON puts around or into a string composes with another.
    """
    return unicodedata.is_normalized("NFC", text)


def composed_dumps(value: Any, raw: Sequence[str] = RAW_KEYS) -> str:
    """`dumps` of the composed value, without walking it where nothing is to be composed."""
    text = dumps(value)
    return text if is_composed(text) else dumps(composed(value, raw=raw))


def file_bytes(rows: Iterable[dict[str, Any]]) -> bytes:
    """A canonical JSONL file: one line a row, sorted by id, LF, final newline, no BOM."""
    return text_bytes((r["id"], dumps(r)) for r in rows)


def text_bytes(lines: Iterable[tuple[str, str]]) -> bytes:
    """A canonical JSONL file of ids and their lines as `dumps` gives them; see `file_bytes`."""
    return "".join(text + "\n" for _, text in sorted(lines, key=lambda line: line[0])).encode()


def content_hash(line: dict[str, Any]) -> str:
    """Hash over what a line expects, as "sha256:..."; never over pages, revisions or hashes of files.

    Args:
        line: A canonical line, or any dict that has the keys of HASHED.
    """
    part = {k: line[k] for k in HASHED}
    part["evidence"] = [{k: e[k] for k in HASHED_EVIDENCE} for e in line["evidence"]]
    part["keyProvisions"] = [{k: p[k] for k in HASHED_PROVISION} for p in line["keyProvisions"]]
    return "sha256:" + sha256(composed_dumps(part).encode())


def case_hash(case: Case) -> str:
    """The content hash of a case, complete or not."""
    return content_hash(_body(case))


def _body(case: Case) -> dict[str, Any]:
    """The fields of a case under the names of the line, with the ids that its hash covers too."""
    return case.model_dump(mode="json", by_alias=True) | {"expectedSourceIds": case.expected_source_ids}


class Written(NamedTuple):
    """A case as it is stored: the JSON of its fields in the order of the line, and its content hash."""

    case: Case
    text: str
    digest: str


def written(case: Case) -> Written:
    """The stored form of a case, complete or not."""
    body = _body(case)
    digest = content_hash(body)
    del body["expectedSourceIds"]
    return Written(case, dumps(body), digest)


def question_hash(case: Case) -> str:
    """Hash over what a labeler is shown: task, turns, asker and date. Labels count while this stays the same."""
    shown = {"task": case.task, "turns": case.turns, "asker": case.asker, "asOf": case.as_of}
    return "sha256:" + sha256(composed_dumps(shown).encode())


def policy_hash(policy: dict[str, Any]) -> str:
    """SHA-256 of the compact JSON, keys sorted, of a policy without its own hash."""
    part = {k: v for k, v in policy.items() if k != "sha256"}
    return sha256(dumps(json.loads(json.dumps(part, sort_keys=True))).encode())


@functools.cache
def canary(suite: str) -> str:
    """The string by which a leaked suite is recognised in training data; it follows from the suite's name."""
    return f"curator-canary:{uuid.uuid5(CANARY_NAMESPACE, suite)}"


def row_text(title: str, section_path: Sequence[str], header: Sequence[str], cells: Sequence[str]) -> str:
    """What an evaluator is sent for a row: title, section, "header: cell; ..."; empty parts are left out."""
    pairs = [f"{h}: {c}" if h else c for h, c in itertools.zip_longest(header, cells, fillvalue="") if c]
    return "\n".join(p for p in (title, " > ".join(section_path), "; ".join(pairs)) if p)


def row_quote(cells: Sequence[str]) -> str:
    """The quote of a row: its cells joined by " | "."""
    return " | ".join(cells)
