"""Which column of a list is which field of a case: by name, by neighbors, by values, and as a person says."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from curator.domain.list_fields import is_question_text, key_of, last_key, named
from curator.domain.list_names import FIELDS, NEVER
from curator.domain.list_values import is_empty, is_number, text_of, truth
from curator.domain.list_words import behavior_of, difficulty_of
from curator.domain.references import references

OURS = ("history", "refused", "answered", "escalated", "rubric")
"""Fields of the mapping that are read into another one."""
ATTRIBUTE = ""
_FILE = re.compile(r"\.(?:pdf|docx?|odt|rtf|md|markdown|html?|txt|xlsx?|csv|pptx?|json|epub|png|jpe?g)$", re.I)
_ID = re.compile(r"[#:]|_chunk_|chunk\d|^[A-Z]{2,10}-?\d+$")
_VERDICTS = frozenset("label gold_label expected_label decision disposition handling verdict entscheidung".split())  # noqa: SIM905
"""Names that hold a behavior where all of their values are one, and anything else otherwise."""
_SEEN = 200
"""Values of a column that are looked at."""


class Columns:
    """The fields of the columns of one list.

    Attributes:
        fields: Path -> field, "" = it becomes an attribute; in the order of the file.
        why: Path -> why it has no field, where a person should know.
    """

    def __init__(self, rows: Sequence[Mapping[str, Any]], said: Mapping[str, str] | None = None) -> None:
        self._values: dict[str, list[Any]] = defaultdict(list)
        self._rows = rows
        order: dict[str, None] = {}
        for row in rows:
            for path, value in row.items():
                order[path] = None
                if len(self._values[path]) < _SEEN and not is_empty(value):
                    self._values[path].append(value)
        found = {path: named(path) for path in order}
        self.fields = {path: field for path, (field, _) in found.items()}
        self.why: dict[str, str] = {}
        self._ranks = {path: rank for path, (_, rank) in found.items()}
        self._said = {k: v for k, v in (said or {}).items() if k in order}
        self.fields |= {path: self._as_read(path, field, found[path][0]) for path, field in self._said.items()}
        for path in order:
            if path not in self._said:
                self._by_value(path)
        self._settle(order)
        self.best = _best(self.fields, self._ranks)

    def _as_read(self, path: str, field: str, known: str) -> str:
        """How a mapped column is read: a behavior may be written as yes or no to refusing or answering."""
        if field == "turns" and known == "history":
            return known
        if field != "expectedBehavior":
            return field
        if known in ("refused", "answered", "escalated", "rubric"):
            return known
        values = self._values[path]
        return "refused" if values and sum(truth(v) is not None for v in values) * 2 > len(values) else field

    def is_said(self, path: str) -> bool:
        """Whether a column says something anywhere."""
        return bool(self._values.get(path))

    def paths(self, field: str) -> list[str]:
        """Columns of a field, the surest first."""
        return self.best.get(field, [])

    def _without(self, path: str, why: str = "") -> None:
        self.fields[path] = ATTRIBUTE
        if why:
            self.why[path] = why

    def _by_value(self, path: str) -> None:
        """What a name alone does not tell."""
        field, values = self.fields[path], self._values[path]
        last = key_of(last_key(path))
        if field == NEVER:
            said = "what a model said is never the reference answer"
            self._without(path, said if values else "")
        if not values and (field == "history" or (field == "referenceAnswer" and self._ranks[path] >= 3)):
            self._without(path)
        texts = [text_of(v) for v in values if isinstance(v, str)]
        if field == "documents" and self._ranks[path] and not _is_parent(path, self.fields):
            if texts and sum(bool(_FILE.search(t)) for t in texts) * 2 >= len(texts):
                return
            if (
                texts
                and sum(bool(_ID.search(t)) for t in texts) * 2 >= len(texts)
                and last not in ("title", "titel", "titulo")
            ):
                self.fields[path] = "expectedSourceIds"
            elif last not in ("quelle", "quellen", "fuente", "fonte", "출처", "出典", "来源", "bron"):
                self._without(path, "its values name no files" if texts else "")
        if not field and last in ("level", "niveau", "stufe") and texts and all(map(difficulty_of, texts)):
            self.fields[path] = "difficulty"
        weak = field == "referenceAnswer" and self._ranks[path] >= 3
        if (weak or (not field and last in _VERDICTS)) and len(texts) == len(values) and _all_behaviors(texts):
            self.fields[path] = "expectedBehavior"
        cited = sum(bool(references(t)) and len(t) < 40 for t in texts)
        if field == "referenceAnswer" and last == "reference" and cited * 2 > len(texts):
            self.fields[path] = "expectedSourceIds"
        if field == "expectedSourceIds" and texts and sum(is_question_text(t) for t in texts) * 2 > len(texts):
            self._without(path)
        if field == "evidence.quote" and texts and all(t.startswith("file://") or _FILE.search(t) for t in texts):
            self.fields[path] = "documents"
        if (
            field == "turns"
            and last in ("message", "user", "request", "input", "prompt")
            and not texts
            and not any(isinstance(v, list) for v in values)
        ):
            self._without(path)

    def _settle(self, order: Mapping[str, None]) -> None:
        """Of several columns of a field in one row, one is right; the others are not thrown away."""
        has_question = any(f == "turns" and self._values[p] for p, f in self.fields.items())
        ids = [p for p, f in self.fields.items() if f == "caseId" and self._ranks[p] == 0 and self._values[p]]
        langsmith = any(p.startswith("inputs") for p in order) and any(p.startswith("outputs") for p in order)
        for path in order:
            if path in self._said:
                continue
            field, last = self.fields[path], key_of(last_key(path))
            if field == "caseId" and ids and path not in ids:
                others = [p for p in ids if _prefix(p) == _prefix(path)]
                if others and last == "name":
                    self.fields[path] = "notes"
                elif others or last == "doc_id":
                    self.fields[path] = "expectedSourceIds" if last == "doc_id" else ATTRIBUTE
            elif field == "caseId" and last == "doc_id" and has_question:
                self.fields[path] = "expectedSourceIds"
            if (
                field == "notes"
                and langsmith
                and (last in ("created_at", "modified_at", "updated_at") or last.startswith("date"))
            ):
                self._without(path)
        for field in ("turns", "referenceAnswer", "caseId", "domain", "risk", "difficulty"):
            self._one_of(field)

    def _one_of(self, field: str) -> None:
        """Demote columns that say something else in the same row as a surer one does."""
        paths = sorted(
            (p for p, f in self.fields.items() if f == field), key=lambda p: (p not in self._said, self._ranks[p])
        )
        for n, path in enumerate(paths):
            for weaker in paths[n + 1 :]:
                if self.fields[weaker] != field or self.fields[path] != field or weaker in self._said:
                    continue
                both = [r for r in self._rows if not is_empty(r.get(path)) and not is_empty(r.get(weaker))]
                if not both or (
                    field == "turns" and any(isinstance(r[p], list) for r in both[:50] for p in (path, weaker))
                ):
                    continue
                if field == "caseId" or all(text_of(r[path]) == text_of(r[weaker]) for r in both[:50]):
                    self._without(weaker)
                else:
                    model = field == "referenceAnswer" and self._ranks[weaker] > 0
                    self._without(
                        weaker,
                        f"{path} is the {_WORDS.get(field, field)}"
                        + (": this may be what a model said" if model else ""),
                    )


_WORDS = {"turns": "question", "referenceAnswer": "reference answer", "caseId": "id"}


def _all_behaviors(texts: Sequence[str]) -> bool:
    """Whether all texts are behaviors, and some say what is no answer: a column of "answer" alone says nothing."""
    kinds = {behavior_of(t).kind if len(t) < 40 else "" for t in texts}
    return "" not in kinds and bool(kinds & {"refuse", "escalate"})


def _prefix(path: str) -> str:
    return path.rpartition("[].")[0]


def _is_parent(path: str, fields: Mapping[str, str]) -> bool:
    """Whether a column belongs to what holds the entries: questions by document."""
    return (any("[]." in p and p.count("[].") > path.count("[].") for p in fields) and "[]." in path) or any(
        p.count("[].") > path.count("[].") + ("[]." not in path) for p in fields
    )


def _best(fields: Mapping[str, str], ranks: Mapping[str, int]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted(fields, key=lambda p: ranks[p]):
        if fields[path]:
            found[fields[path]].append(path)
    return dict(found)


def guess_without_names(rows: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Columns of a table without names: texts of the question end as questions do; one other text is the answer."""
    values: dict[str, list[str]] = defaultdict(list)
    for row in rows[:_SEEN]:
        for path, value in row.items():
            values[path].append(text_of(value))
    shares = {p: sum(map(is_question_text, v)) / len(v) for p, v in values.items() if v}
    best = max(shares, key=lambda p: shares[p], default="")
    if not best or shares[best] < 0.5:
        return {}
    texts = [p for p, v in values.items() if p != best and not all(is_number(t) or not t for t in v)]
    return {best: "turns"} | ({texts[0]: "referenceAnswer"} if len(texts) == 1 else {})


def is_file(name: str) -> bool:
    """Whether a name ends as names of files do."""
    return bool(_FILE.search(name))


def is_field(name: str) -> bool:
    """Whether a column can be mapped to this."""
    return name in FIELDS or name in OURS or name in ("", "attribute")
