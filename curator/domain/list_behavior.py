"""How a system must behave by a row: a flag, then an action, a category, the name of the list, a code word.

What only the wording of an answer or a remark says is a guess: `suggested`, for a person to confirm, never the label.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, Protocol

from curator.domain.case import RefusalReason
from curator.domain.list_fields import key_of, last_key
from curator.domain.list_values import listed, text_of, truth
from curator.domain.list_words import (
    Kind,
    behavior_of,
    is_sentinel,
    reads_like,
    reason_of,
    remark_suggests,
    rubric_says,
)


class Judged(NamedTuple):
    """What a row says of how to behave.

    Attributes:
        kind: What it says, "" = nothing: then it is an answer.
        by: What says so: "flag", "action", "category", "name of the list", "code word", "rubric".
        suggested: What the wording of something suggests, "" = nothing; `because`: of what.
        words: Names of actions that are none of the three, kept as required behaviors.
        sentinel: The answer is a code word for "no answer".
    """

    kind: Kind = ""
    by: str = ""
    reason: RefusalReason = ""
    suggested: Kind = ""
    because: str = ""
    words: tuple[str, ...] = ()
    sentinel: bool = False


class Reading(Protocol):
    """What is asked of a row."""

    made: Any
    doubts: list[str]

    def values(self, name: str) -> Iterator[tuple[str, Any]]:
        """Columns of a field that say something."""
        ...

    def text(self, name: str) -> str:
        """The first text of a field."""
        ...


def judge(row: Reading, group: str = "") -> Judged:
    """How a system must behave by a row; doubts are added to the row's."""
    kinds: list[tuple[Kind, str, str]] = [*_flags(row)]
    words: list[str] = []
    actions = list(_actions(row, words))
    kinds += actions
    for category in row.made.categories:
        found = behavior_of(category)
        if found.kind:
            kinds.append((found.kind, "category", category))
            if not found.sure:
                row.doubts.append(f"the category {category[:40]} is read as: must refuse; confirm it")
    if group and (found := behavior_of(group)).kind in ("refuse", "escalate"):
        kinds.append((found.kind, "name of the list", group))
    sentinel = is_sentinel(row.made.answer)
    if sentinel:
        kinds.append(("refuse", "code word", row.made.answer))
    for _, value in row.values("rubric"):
        if said := rubric_says(text_of(value)):
            kinds.append((said, "rubric", ""))
    return _decided(row, kinds, tuple(dict.fromkeys(words)), sentinel=sentinel)


def _decided(row: Reading, kinds: list[tuple[Kind, str, str]], words: tuple[str, ...], *, sentinel: bool) -> Judged:
    told = reason_of(row.text("refusalReason"))
    if kinds:
        kind, by, said = kinds[0]
        other = next((k for k, b, _ in kinds if b != by and k not in (kind, "answer") and kind != "clarify"), "")
        if kind == "answer" and by != "flag" and other in ("refuse", "escalate"):
            kind, by, said = next(k for k in kinds if k[0] == other)
        elif other:
            row.doubts.append(
                f"{by} says {kind}, {next(b for k, b, _ in kinds if k == other)} says {other}: confirm it"
            )
        if kind == "clarify":
            row.doubts.append("it must ask back: kept as a required behavior of an answer")
            words = (*words, said)
        if by == "rubric":
            row.doubts.append(f"{kind} is read from the wording of a rubric: confirm it")
        reasons = [s for k, _, s in kinds if k == "refuse"]
        return Judged(
            kind,
            by,
            (told or reason_of(*reasons, *row.made.categories)) if kind == "refuse" else "",
            words=words,
            sentinel=sentinel,
        )
    for because, text, read in (
        ("the answer", row.made.answer, reads_like), ("a remark", "", remark_suggests)
    ):  # fmt: skip
        texts = [text] if text else [text_of(v) for _, v in row.values("notes")] if because == "a remark" else []
        guess: Kind = next((g for t in texts if (g := read(t))), "")
        if guess:
            said = f"{because} reads like a refusal" if guess == "refuse" else f"{because} reads like handing over"
            row.doubts.append(f"{said}: {guess} is a guess, confirm it")
            return Judged(suggested=guess, because=said, words=words)
    return Judged(words=words)


def _flags(row: Reading) -> Iterator[tuple[Kind, str, str]]:
    """Truths: should refuse, answerable, should escalate. A missing flag says nothing."""
    for name, yes, no in (
        ("escalated", "escalate", ""),
        ("refused", "refuse", "answer"),
        ("answered", "answer", "refuse"),
    ):
        for path, value in row.values(name):
            last = last_key(path)
            said = truth(value)
            kind: Kind = ""
            if said is None:
                kind = behavior_of(text_of(value)).kind
                if not kind:
                    row.doubts.append(f"{last} is {text_of(value)[:20]!r}: neither yes nor no; left open")
            else:
                kind = yes if said else no  # type: ignore[assignment]
                if isinstance(value, str) and value.strip().casefold() in ("true", "false") and type(value) is str:
                    row.doubts.append(f"{last} is a text: read as yes or no")
            if kind:
                yield kind, "flag", key_of(last)
                break


def _actions(row: Reading, words: list[str]) -> Iterator[tuple[Kind, str, str]]:
    for path, value in row.values("expectedBehavior"):
        found: list[tuple[Kind, str]] = []
        for item in listed(value, split=",;|/").items:
            text = text_of(item)
            if kind := behavior_of(text).kind:
                found.append((kind, text))
            elif text:
                words.append(text[:120])
        kinds = list(dict.fromkeys(k for k, _ in found))
        if len(kinds) > 1:
            row.doubts.append(f"{path.rpartition('.')[2]} allows {' and '.join(kinds)}: the first is taken, confirm it")
        for kind, text in found[:1]:
            yield kind, "action", text
