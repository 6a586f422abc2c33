"""`ingest` on the command line: who says what a changed file is, and what became of each."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import typer

from curator.cli.console import out, say
from curator.errors import UsageError
from curator.text import counted, one_line, visible

if TYPE_CHECKING:
    from curator.services.ingest import Confirm, Ingested
    from curator.services.revisions import Answer, Offer

EACH = ("new", "revision")
_QUESTION = "r: its new revision, n: a new document, l: leave it; R, N, L: so for all that follow"


def confirming(each: str, *, yes: bool) -> Confirm:
    """Who says whether a file is a revision.

    `--each` for all; `--yes` for those that are surely one; a person at the terminal, once or for all that follow; else
    nobody, and the file is left.

    Raises:
        UsageError: `--each` has another value, or both options are given.
    """
    from curator.services.revisions import Answer

    if each and each not in EACH:
        raise UsageError(f"--each {visible(each)}: no such answer", "one of new, revision")
    if each and yes:
        raise UsageError("--each and --yes both say what a file is", "give one of them")
    for_all: list[Answer] = [Answer("revision" if each == "revision" else "another")] if each else []

    def confirmed(offered: Offer) -> Answer:
        if for_all:
            return for_all[0]
        if yes:
            return Answer("revision" if offered.is_sure else "leave")
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            return Answer("leave")
        return _asked(offered, for_all)

    return confirmed


def _asked(offered: Offer, for_all: list[Answer]) -> Answer:
    from curator.services.revisions import Answer

    answers = {"r": Answer("revision"), "n": Answer("another"), "l": Answer("leave")}
    how = "has its name" if offered.by_name else "reads much like it"
    say(f"{offered.file} {how}, {offered.likeness:.0%} alike: {offered.document_id}, {one_line(offered.title, 60)}")
    while True:
        key = str(typer.prompt(_QUESTION, default="l", err=True)).strip()
        answer = answers.get(key.lower())
        if answer is not None:
            if key.isupper():
                for_all.append(answer)
            return answer
        say("  one letter, please")


def tell(result: Ingested, *, as_json: bool, again: bool = False) -> None:
    """What became of one file: data on stdout, unless all of it is JSON; the rest as narration."""
    for warning in result.warnings:
        say(f"{result.file}: {warning}")
    if result.outcome == "rejected":
        say(f"{result.file}: not taken: {result.reason.removeprefix(visible(result.file) + ': ')}")
    elif not as_json:
        found = f"{counted(result.pages, 'page')}, {counted(result.chunks, 'chunk')}, {counted(result.rows, 'row')}"
        out(f"{result.document_id}  {result.outcome}  {found}")
    if again and result.outcome != "rejected":
        same = ": it reads as it is stored" if result.outcome == "same" else ""
        say(f"{result.document_id}: read again by {result.parser}{same}")
    if result.outcome == "changed":
        _tell_changed(result)
    elif result.offer is not None and result.outcome == "new":
        name, share = result.offer.document_id, f"{result.offer.likeness:.0%}"
        say(f"{result.file}: {share} alike with {name}, taken as another document, {result.document_id}")


def _tell_changed(result: Ingested) -> None:
    counts = ", ".join(f"{n} {verdict}" for verdict, n in result.verdicts.items())
    say(f"{result.document_id}: revision {result.revision}: {counts}")
    if set(result.verdicts) - {"SAME"}:
        waits = counted(result.stale, "case waits", "cases wait")
        say(f"  {waits}: `curator docs reconfirm list --doc {result.document_id}`")
    if result.repairs or result.repairs_waiting:
        more = f": `curator docs repair list {result.document_id}`" if result.repairs_waiting else ""
        waits = counted(result.repairs_waiting, "waits", "wait")
        say(f"  {counted(result.repairs, 'repair')} made again, {waits}{more}")
