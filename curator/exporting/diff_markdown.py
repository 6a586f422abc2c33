"""The difference of two versions as Markdown, for a pull request."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from curator.domain.changes import ChangeLevel, FieldChange
from curator.domain.revision import Piece
from curator.domain.suite_diff import DiffEntry, SuiteDiff
from curator.exporting.markdown import code, plain, table

LEVELS: tuple[ChangeLevel, ...] = ("major", "minor", "patch")
MOST = 200
"""Cases that are told in full: a comment on a pull request has 65,536 characters at most."""
_QUESTION = 160

Words = Callable[[FieldChange], Sequence[Piece]]


def diff_markdown(diff: SuiteDiff, words: Words) -> str:
    """The page.

    Args:
        diff: What differs.
        words: Gives the words in which both texts of a change differ.
    """
    one, two = diff.one, diff.two
    lines = [f"### {plain(two.suite)} {one.version} → {two.version}: {diff.level}", ""]
    lines += [f"**{plain(s.version)} is {plain(s.yanked)}**" for s in (one, two) if s.yanked]
    lines += [f"{diff.summary}; {one.cases} → {two.cases} cases. The holdout: {diff.holdout}.", ""]
    lines += [f"- {plain(note)}" for note in diff.notes]
    if diff.changes:
        rows = [[level, sum(c.level == level for c in diff.changes)] for level in LEVELS]
        lines += ["", *table(("level", "cases"), rows), ""]
    ordered = sorted(diff.changes, key=lambda c: (LEVELS.index(c.level) if c.level in LEVELS else 9, c.id))
    lines += [line for change in ordered[:MOST] for line in _case(change, words)]
    if len(ordered) > MOST:
        lines.append(f"- and {len(ordered) - MOST} more: `curator suite diff` lists them")
    return "\n".join(lines).rstrip() + "\n"


def _case(change: DiffEntry, words: Words) -> Iterator[str]:
    fields = f": {', '.join(map(code, change.fields))}" if change.fields else ""
    hidden = " (holdout)" if change.is_hidden else ""
    question = f" · {plain(change.question, _QUESTION)}" if change.question else ""
    yield f"- **{change.level}** {code(change.id)} {change.what}{hidden}{fields}{question}"
    if change.reason:
        by = f" ({plain(change.editorial)}: wording alone)" if change.editorial else ""
        yield f"  - reason{by}: {plain(change.reason)}"
    for field in change.details:
        yield f"  - {field.level} {code(field.path)}, {plain(field.why)}: {_words(words(field))}"


def _words(pieces: Sequence[Piece]) -> str:
    signs = {"gone": "~~", "new": "**", "both": ""}
    told = []
    for piece in pieces:
        text, sign = plain(piece.text.strip()), signs[piece.kind]
        told.append(f"{sign}{text}{sign}" if text else "")
    return " ".join(filter(None, told))
