"""A list, understood: its columns mapped, each row a case in the making or a rejection, and all doubts in words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from curator.domain.case import DraftRisk
from curator.domain.list_fields import FIELDS, is_list_name, key_of, parent_of
from curator.domain.list_mapping import Columns, guess_without_names, is_field, is_file
from curator.domain.list_row import ListCase, NoCaseError, read_row
from curator.domain.list_values import Twice
from curator.domain.list_words import scale_of
from curator.errors import InputError, UsageError
from curator.parsing.lists import CaseList, ListProfile, ListRow
from curator.progress import Progress
from curator.services.list_cases import cleaned
from curator.services.report import Rejected
from curator.text import counted, one_line

SHOWN_ROWS = 8
"""Rows that a warning names one by one."""
_READ_AS = {
    **dict.fromkeys(("refused", "answered", "escalated", "rubric"), "expectedBehavior"),
    "history": "turns",
}


@dataclass
class Understood:
    """What a list says.

    Attributes:
        total: Entries of the list; blank lines are none.
        cases: Rows that become a case, in their order.
        mapping: Column -> field of a case; the name of a list that says how to behave is one of them.
        unknown: Columns, and keys beside the list, that have no field.
        doubts: What a person should look at -> the rows that it is about.
        warnings: What is so of the whole list.
        no_question: Rows whose document is the case: a question is proposed.
        replaced: Characters that no file can hold and that became U+FFFD.
    """

    total: int = 0
    cases: list[ListCase] = field(default_factory=list)
    rejected: list[Rejected] = field(default_factory=list)
    mapping: dict[str, str] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)
    doubts: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    warnings: list[str] = field(default_factory=list)
    no_question: list[int] = field(default_factory=list)
    replaced: int = 0

    def told(self) -> tuple[str, ...]:
        """All warnings, one line each; rows of which the same is to be said stand in one line."""
        lines = list(self.warnings)
        for words, rows in sorted(self.doubts.items(), key=lambda d: d[1][0]):
            lines.append(f"{_rows(rows)}: {words}")
        return tuple(lines)


def _rows(numbers: Sequence[int]) -> str:
    if len(numbers) == 1:
        return f"row {numbers[0]}"
    shown = ", ".join(map(str, numbers[:SHOWN_ROWS]))
    return f"rows {shown}" + (f" and {len(numbers) - SHOWN_ROWS} more" if len(numbers) > SHOWN_ROWS else "")


def understand(found: CaseList, how: ListProfile, progress: Progress) -> Understood:
    """What a list says, every column mapped as a person said, else by its name and values.

    Raises:
        UsageError: No column holds the question, a column that is mapped is not there, or there is no such field.
    """
    said = dict(how.columns)
    made = Understood(total=len(found.rows), warnings=list(found.warnings))
    good = [row for row in found.rows if not row.problem]
    _require_known(found, good, said)
    if found.format == "table" and found.columns and found.columns[0] == "1" and "turns" not in said.values():
        said |= (guessed := guess_without_names([r.fields for r in good]))
        if guessed:
            made.warnings.append("the columns were told by what stands in them: check the mapping")
    columns = Columns([r.fields for r in good], {k: "" if v == "attribute" else v for k, v in said.items()})
    _require_question(found, good, columns)
    scale: dict[str, DraftRisk] = {k: v for text in found.legends for k, v in scale_of(text).items()}
    for n, row in enumerate(found.rows):
        if n % 100 == 0:
            progress.checkpoint()
        _take(made, row, columns, scale)
    _duplicates(made)
    _mapped(made, found, columns)
    _of_all(made, columns)
    return made


def _take(made: Understood, row: ListRow, columns: Columns, scale: dict[str, DraftRisk]) -> None:
    if row.problem or row.blank:
        made.rejected.append(Rejected(row=row.number, reason=row.problem or "the row is empty"))
        return
    try:
        case = read_row(row.number, row.fields, columns, group=row.group, scale=scale)
    except NoCaseError as error:
        column = error.column if error.column in row.fields or error.column in columns.fields else ""
        made.rejected.append(Rejected(row=row.number, column=column, reason=str(error)))
        return
    made.replaced += cleaned(case)
    case.doubts += row.notes
    _by_group(case, row.group)
    if row.group and case.judged.by == "name of the list":
        made.mapping[row.group] = "expectedBehavior"
    made.cases.append(case)


def _by_group(case: ListCase, group: str) -> None:
    """What the name of a list or sheet says, where it is one of several: the document, or a category."""
    if is_file(group) and not case.documents:
        case.documents = (group,)
    elif group and not case.categories and not is_list_name(key_of(group)) and case.judged.by != "name of the list":
        case.categories = (group,)


def _require_known(found: CaseList, rows: Iterable[ListRow], said: dict[str, str]) -> None:
    there: dict[str, None] = dict.fromkeys(found.columns)
    for row in rows:
        there |= dict.fromkeys(row.fields)
    for column, name in said.items():
        if column not in there:
            raise UsageError(f"there is no column {column!a}", f"there are: {', '.join(list(there)[:40])}")
        if not is_field(name):
            raise UsageError(f"there is no field {name!a}", f"use one of {', '.join(FIELDS)}, or attribute")


def _require_question(found: CaseList, rows: Sequence[ListRow], columns: Columns) -> None:
    """Raise when nothing in the list can be what is asked, or what is summarized."""
    if not rows or columns.paths("turns") or columns.paths("history"):
        return
    if columns.paths("documents") and (columns.paths("referenceAnswer") or columns.paths("keyProvisions")):
        return
    if twice := [path for row in rows for path, value in row.fields.items() if isinstance(value, Twice)]:
        raise InputError(
            f"{found.name}: the key {one_line(twice[0], 60)} stands twice, and no key holds a question",
            "keep one of the two, and name the question: --map turns=COLUMN",
        )
    listed = ", ".join(list(columns.fields)[:20]) or "none"
    raise UsageError(f"{found.name}: no column holds the question; there are: {listed}", "name it: --map turns=COLUMN")


def _key(case: ListCase) -> tuple[str, ...]:
    asked = tuple(" ".join(t.split()).casefold() for t in case.turns or case.documents)
    return (*asked, f"\0{case.as_of}\0{case.asker}")


def _duplicates(made: Understood) -> None:
    """Reject what stands in the list before; tell rows that ask the same and answer otherwise, and ids used twice."""
    seen: dict[tuple[str, ...], dict[tuple[str, str], int]] = {}
    ids: dict[str, int] = {}
    kept: list[ListCase] = []
    for case in made.cases:
        answers = seen.setdefault(_key(case), {})
        answer = (" ".join(case.answer.split()).casefold(), case.judged.kind if case.judged.kind != "answer" else "")
        if answer in answers:
            reason = f"duplicate: same question and answer as row {answers[answer]}"
            made.rejected.append(Rejected(row=case.number, reason=reason))
            continue
        if answers:
            other = next(iter(answers.values()))
            case.doubts.append(f"same question as row {other} with another answer: both stay, one may be wrong")
        answers[answer] = case.number
        if case.own_id and case.own_id in ids:
            case.doubts.append(f"the id {case.own_id[:40]} was used in row {ids[case.own_id]}: it gets one of its own")
        ids.setdefault(case.own_id, case.number)
        kept.append(case)
    made.cases = kept
    made.rejected.sort(key=lambda r: r.row)
    for case in kept:
        for doubt in dict.fromkeys(case.doubts):
            made.doubts[doubt].append(case.number)
        for path in case.withheld:
            made.doubts[f"{path} looks like personal data by its name: its values are not taken"].append(case.number)
        if not case.turns:
            made.no_question.append(case.number)


def _mapped(made: Understood, found: CaseList, columns: Columns) -> None:
    parents = {parent_of(p) for p in columns.fields} - {""}
    parents -= {p for p in parents if columns.is_said(p)}
    for path, name in columns.fields.items():
        if path in parents:
            continue
        if name:
            made.mapping[path] = _READ_AS.get(name, name)
        else:
            made.unknown.append(path)
    made.unknown += [c for c in found.columns if c not in columns.fields]
    made.unknown += [path for path in found.beside if path not in made.unknown]
    for path, why in columns.why.items():
        made.warnings.append(f"{path}: {why}; kept as an attribute")
    if found.beside:
        made.warnings.append(f"beside the list, and not imported: {', '.join(list(found.beside)[:12])}")
        twice = [path for path, value in found.beside.items() if isinstance(value, Twice)]
        made.warnings += [f"the key {path} stands twice, with two values" for path in twice[:SHOWN_ROWS]]


def _of_all(made: Understood, columns: Columns) -> None:
    """What is so of every row."""
    if not made.cases:
        return
    if not columns.paths("caseId"):
        made.warnings.append("no id column: rows are known by what they say")
    if columns.paths("evidence.quote") and not (columns.paths("documents") or columns.paths("expectedSourceIds")):
        made.warnings.append("no document is named: quotes only")
    if made.no_question:
        made.warnings.append(
            f"{counted(len(made.no_question), 'case')} without a question: one is proposed from a document's name"
        )
    if not any(c.answer for c in made.cases) and any(c.provisions for c in made.cases):
        made.warnings.append("no case has a full reference answer, only points that it must carry")
