"""`curator demo`: the whole main job on the samples, by three invented people, in a new folder."""

from __future__ import annotations

import importlib.resources
import shutil
import time
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curator.cli.console import out, progress, say
from curator.cli.importing import read_rows
from curator.environment import FILE_NAME
from curator.errors import CheckFailed, Conflict, StorageError
from curator.progress import Progress
from curator.text import counted
from curator.workspace import Workspace, lay_out

if TYPE_CHECKING:
    from curator.services.context import Context
    from curator.services.failure_import import LogReport

EXPERT, LEAD = "nurse-ada", "lead-carla"
SUITE, SHORT_SUITE = "school-health", "regulated"
QUESTION = "How long is a pupil with chickenpox excluded?"
INPUTS = ("documents", "cases.jsonl", "reviews.jsonl", "production-lengths.csv", "failures.csv", "README.md")


def samples() -> Path:
    """Folder of the samples: inside an installed package, or beside it in a checkout.

    Raises:
        StorageError: They are not installed.
    """
    installed = Path(str(importlib.resources.files("curator"))) / "samples"
    beside = Path(__file__).parents[2] / "datasets"
    for folder in (installed, beside):
        if (folder / FILE_NAME).is_file():
            return folder
    raise StorageError("the samples are not installed", "install golden-curator again")


def prepare(folder: Path) -> Path:
    """Lay the sample workspace into a folder; one that holds it already is taken as it is.

    Raises:
        Conflict: The folder holds something else.
    """
    source = samples()
    settings = folder / FILE_NAME
    if settings.exists():
        if settings.read_bytes() != (source / FILE_NAME).read_bytes():
            raise Conflict(f"{folder} is another workspace", "name a new folder")
        return folder
    if folder.exists() and any(folder.iterdir()):
        raise Conflict(f"{folder} is not empty", "name a new folder")
    try:
        lay_out(folder)
        for name in INPUTS:
            origin = source / name
            if origin.is_dir():
                shutil.copytree(origin, folder / "datasets" / name)
            else:
                shutil.copyfile(origin, folder / "datasets" / name)
        shutil.copyfile(source / FILE_NAME, settings)
    except OSError as error:
        raise StorageError(f"{folder}: {error.strerror}", "choose a folder that may be written to") from None
    return folder


@contextmanager
def acting(folder: Path, actor: str) -> Iterator[Context]:
    """The workspace opened by one person."""
    with Workspace(folder, actor) as workspace:
        yield workspace.context


def ingest_documents(folder: Path, shown: Progress) -> int:
    """Ingest the sample documents with what `documents.toml` says of each; gives how many pages they have."""
    from curator.services.ingest import Facts, ingest

    listed: dict[str, Any] = tomllib.loads((folder / "datasets" / "documents" / "documents.toml").read_text("utf-8"))
    pages = 0
    with acting(folder, EXPERT) as context:
        for name, facts in listed.items():
            path = folder / "datasets" / "documents" / f"{name}.pdf"
            (result,) = ingest(context, [path], Facts.model_validate({"document_id": name, **facts}), progress=shown)
            if result.outcome == "rejected":
                raise CheckFailed(result.reason)
            pages += result.pages
    return pages


def import_all(folder: Path, shown: Progress) -> tuple[int, int]:
    """Import and submit the sample cases, then import the reviews; gives the numbers of cases and reviews."""
    from curator.services import cases
    from curator.services.importing import import_cases
    from curator.services.review import import_reviews

    given = folder / "datasets"
    with acting(folder, EXPERT) as context:
        rows = read_rows(given / "cases.jsonl")
        shown.stage("cases", len(rows))
        report = import_cases(context, rows, progress=shown)
        ours = {row["id"] for _, row in rows if isinstance(row, dict)}  # a person may have begun drafts of their own
        drafts = [c.id for c in cases.page_of(context, limit=0, where={"status": "draft"}) if c.id in ours]
        cases.require_submitted(cases.submit(context, drafts))
    with acting(folder, LEAD) as context:
        judged = read_rows(given / "reviews.jsonl")
        shown.stage("reviews", len(judged))
        reviewed = import_reviews(context, judged, progress=shown)
    for rejected in (*report.rejected, *reviewed.rejected):
        raise CheckFailed(f"line {rejected.row}: {rejected.reason}")
    return report.new + report.same, reviewed.new + reviewed.same


def import_failures(folder: Path, shown: Progress) -> LogReport:
    """Import the sample log; where nobody can look for names, its rows wait in quarantine, as those of any log."""
    from curator.services.failure_import import import_log

    with acting(folder, EXPERT) as context:
        return import_log(context, folder / "datasets" / "failures.csv", accept_residual_names=True, progress=shown)


def make(folder: Path, shown: Progress, tell: Callable[[str], None]) -> Path:
    """The main job: ingest, cases, reviews, release, verify; and a log. Gives the folder of the released version."""
    from curator.services.release import release, suites
    from curator.services.search import search
    from curator.services.verifying import verify

    prepare(folder)
    pages = ingest_documents(folder, shown)
    count, reviews = import_all(folder, shown)
    with acting(folder, LEAD) as context:
        made = release(context, SUITE, progress=shown)
        shown.stage("verifying")
        problems = verify(Path(made.folder), Path(made.holdout) if made.holdout else None)
        state = next(s for s in suites(context) if s.name == SHORT_SUITE)
        shown.stage("searching")
        found = search(context, QUESTION, kind="row", limit=1, progress=shown)
    if problems:
        raise CheckFailed(problems[0])
    log = import_failures(folder, shown)
    tell(f"{pages} pages of documents, {count} cases, {reviews} reviews")
    tell(f"suite {SUITE} {made.version}: {counted(made.cases, 'case')}, every byte verified")
    tell(f"  {made.folder}")
    tell(f"search: {QUESTION} -> {', '.join(h.source_id for h in found.hits)} (semantic: {found.semantic})")
    waits = "in quarantine, since `ner` is not installed" if log.quarantined else f"{log.folded} folded into others"
    tell(f"log: {counted(log.records, 'failure')}, {waits}; F4 sorts them")
    for gap in state.gaps:
        tell(f"suite {SHORT_SUITE}: {counted(state.cases, 'case')}, not released: {gap.words}")
    return Path(made.folder)


def show(folder: Path) -> None:
    """Run it with progress on stderr, and print what was made and where."""
    began = time.monotonic()
    lines: list[str] = []
    with progress() as shown:
        make(folder, shown, lines.append)
    for line in lines:
        out(line)
    out(f"workspace: {folder.resolve()}")
    say(f"ready in {time.monotonic() - began:.0f} s; next: curator -w {folder} --as {LEAD}")
