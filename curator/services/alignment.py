"""Align: where the evidence of a released suite lies in the chunks of the system that is evaluated."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from pydantic import ValidationError

from curator.domain.alignment import Alignment, Placement
from curator.domain.canonical import dumps
from curator.domain.case import OPEN_PARTITIONS
from curator.domain.identity import sha256
from curator.errors import CheckFailed, InputError, StorageError, UsageError
from curator.exporting.aligned import (
    ALIGNMENT_FORMAT,
    AlignmentReport,
    ChunksRead,
    KindCounts,
    LeftOut,
    RejectedChunk,
    aligned_case,
    aligned_case_schema,
    counts_of,
    qrels_of,
    report_page,
    worst_of,
)
from curator.exporting.chunks import Rejected, Taken, read_chunks
from curator.exporting.line import model_problems
from curator.exporting.read import read_object
from curator.exporting.schema import pretty
from curator.matching.aligning.aligner import Aligner, Chunk
from curator.matching.aligning.choosing import choose
from curator.matching.aligning.passages import passages_of
from curator.progress import Progress, Silent
from curator.services.publishing import publish
from curator.services.released_folder import ReleasedFolder
from curator.services.target_folder import drafts
from curator.text import counted, one_line

MAP_FILE, HEAD_FILE, REPORT_FILE, SCHEMA_FILE = "map.jsonl", "alignment.json", "REPORT.md", "case.schema.json"
QRELS_FILE = "qrels.trec"
FOLDER = "align"
MOST_REJECTED = 100
"""Rejected lines that are listed; how many there are is counted."""
_AGAIN = "run `curator align` again"
_ROWS_A_STEP = 64


class _Counting:
    """A file that hashes what is read."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.digest = hashlib.sha256()
        self.size = 0

    def readline(self, limit: int = -1, /) -> bytes:
        raw = self._stream.readline(limit)
        self.digest.update(raw)
        self.size += len(raw)
        return raw


class _Read:
    """What the file of chunks said besides its chunks."""

    def __init__(self) -> None:
        self.count = self.rejected_count = self.replaced = self.assumed = 0
        self.rejected: list[RejectedChunk] = []

    def reject(self, line: Rejected) -> None:
        self.rejected_count += 1
        if len(self.rejected) < MOST_REJECTED:
            self.rejected.append(RejectedChunk(row=line.row, column=line.column, reason=line.reason))

    def warnings(self) -> Iterator[str]:
        if self.assumed:
            yield f"{counted(self.assumed, 'chunk')} without documentId or page: taken as unknown"
        if self.replaced:
            yield f"{counted(self.replaced, 'character')} that cannot be stored, replaced by U+FFFD"


def align(
    chunks: Path, release: Path, *, to: Path | None = None, progress: Progress | None = None
) -> tuple[AlignmentReport, Path]:
    """Find each quote of a released suite in a system's chunks and write the folder of the map.

    The chunks are read once, as a stream; memory holds the suite and what was found.

    Args:
        chunks: JSONL: id, text, documentId, page; in the order in which they were cut.
        release: exports/SUITE/VERSION.
        to: Folder to write, which must not exist or be empty; None = VERSION.targets/align, replaced.
        progress: Its checkpoint is called for every few chunks.

    Returns:
        What alignment.json says, and the folder.

    Raises:
        InputError: The chunks cannot be read, none was taken, or the folder is no release.
        CheckFailed: The version is yanked, or its files are not what was released.
        Conflict: `to` holds something, or another process writes there.
        StorageError: The disk refused.
    """
    progress = progress or Silent()
    progress.stage("checking the release")
    source = ReleasedFolder(release, progress)
    cases = [case for case, _ in source.cases()]
    cited = {e["sourceId"] for case in cases for e in case["evidence"]}
    sources = {line["id"]: line for line, _ in source.sources() if line["id"] in cited}
    aligner = Aligner(passages_of(cases, sources))
    read, head = _feed(aligner, chunks, progress)
    if not read.count:
        why = f": {read.rejected[0].reason} (line {read.rejected[0].row})" if read.rejected else ""
        raise InputError(f"{chunks}: no line is a chunk{why}", "one JSON object a line: id, text, documentId, page")
    progress.stage("choosing")
    placements = choose(aligner)
    files, report = _rendered(source, cases, placements, head, tuple(read.warnings()))
    if to is not None:
        publish(to, files)
        return report, to
    parent = release.parent / f"{release.name}.targets"
    with drafts(parent, (FOLDER,)) as places:
        place = places[FOLDER]
        for name, data in files.items():
            place.open(name).write(data)
        place.sync()
        place.publish()
    return report, parent / FOLDER


def _feed(aligner: Aligner, path: Path, progress: Progress) -> tuple[_Read, ChunksRead]:
    progress.stage(f"reading {one_line(path.name)}")
    read = _Read()
    try:
        with path.open("rb") as stream:
            counting = _Counting(stream)
            for line in read_chunks(counting, path.name):
                if line.row % _ROWS_A_STEP == 0:
                    progress.checkpoint()
                    progress.advance(_ROWS_A_STEP)
                if isinstance(line, Taken):
                    read.count += 1
                    read.replaced += line.replaced
                    read.assumed += line.assumed
                    aligner.feed(Chunk(line.row, line.id, line.text, line.document_id, line.page))
                else:
                    read.reject(line)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}", "name a .jsonl file of chunks") from None
    head = ChunksRead(
        file=path.name,
        sha256=counting.digest.hexdigest(),
        bytes=counting.size,
        count=read.count,
        rejected=tuple(read.rejected),
        rejected_count=read.rejected_count,
    )
    return read, head


def _rendered(
    source: ReleasedFolder, cases: list[dict[str, Any]], placements: list[Placement], head: ChunksRead,
    warnings: tuple[str, ...],
) -> tuple[dict[str, bytes], AlignmentReport]:  # fmt: skip
    """The files of the folder, and what alignment.json says."""
    by_key = {(p.source_id, p.quote): p for p in placements}
    lines: dict[str, list[str]] = {}
    judged: list[str] = []
    left_out = []
    for case in cases:
        line, why = aligned_case(case, lambda name, quote: by_key.get((name, quote)))
        if line is None:
            left_out.append(LeftOut(id=case["id"], reason=why))
        else:
            lines.setdefault(f"{case['partition']}.jsonl", []).append(dumps(line) + "\n")
            judged.append(qrels_of(line))
    body = "".join(dumps(p.model_dump(mode="json", by_alias=True)) + "\n" for p in placements).encode()
    required = counts_of(p.model_copy(update={"kind": "chunk"}) for p in placements if "required" in p.roles)
    report = AlignmentReport(
        suite=source.suite,
        version=source.version,
        manifest_sha256=sha256(source.small("manifest.json")),
        map_sha256=sha256(body),
        chunks=head,
        counts=counts_of(placements),
        required=(required[0] if required else KindCounts(kind="")).model_copy(update={"kind": "required"}),
        cases=len(cases) - len(left_out),
        left_out=tuple(left_out),
        worst=worst_of(placements),
        warnings=warnings,
    )
    files = {f"{p}.jsonl": "".join(lines[f"{p}.jsonl"]).encode() for p in OPEN_PARTITIONS if f"{p}.jsonl" in lines}
    files |= {
        MAP_FILE: body,
        HEAD_FILE: pretty(report.model_dump(mode="json", by_alias=True)),
        SCHEMA_FILE: pretty(aligned_case_schema()),
        REPORT_FILE: report_page(report).encode(),
        QRELS_FILE: "".join(judged).encode(),
    }
    return files, report


def load_alignment(folder: str | Path, *, suite: str = "", version: str = "") -> Alignment:
    """The map that `curator align` wrote.

    Args:
        folder: Its folder.
        suite: Name of the suite that it must be of; "" = any.
        version: The version that it must be of; "" = any.

    Raises:
        InputError: It is no such folder, or is of another suite or version.
        CheckFailed: The map is not the one that was written.
        StorageError: It cannot be read.
    """
    folder = Path(folder)
    head = read_object(_bytes(folder / HEAD_FILE), str(folder / HEAD_FILE))
    if head.get("format") != ALIGNMENT_FORMAT:
        known = f"this version reads {ALIGNMENT_FORMAT}"
        raise InputError(f"{folder / HEAD_FILE}: {one_line(str(head.get('format', '')), 60)!a}; {known}", _AGAIN)
    try:
        report = AlignmentReport.model_validate(head)
    except ValidationError as error:
        raise InputError(f"{folder / HEAD_FILE}: {model_problems(error)[0]}", _AGAIN) from None
    if (suite and report.suite != suite) or (version and report.version != version):
        wanted = (suite or report.suite, version or report.version)
        raise InputError(
            f"{folder}: the map is of {report.suite} {report.version}, not of {' '.join(wanted)}",
            f"`curator align CHUNKS.jsonl {'@'.join(wanted)}`",
        )
    body = _bytes(folder / MAP_FILE)
    if sha256(body) != report.map_sha256:
        raise CheckFailed(f"{folder / MAP_FILE}: not the map that was written", _AGAIN)
    return Alignment(report.suite, report.version, report.manifest_sha256, _placements(body, folder / MAP_FILE))


def _placements(body: bytes, path: Path) -> Iterator[Placement]:
    for number, raw in enumerate(body.split(b"\n"), 1):
        if raw:
            try:
                yield Placement.model_validate(read_object(raw, f"{path} line {number}"))
            except ValidationError as error:
                raise InputError(f"{path} line {number}: {model_problems(error)[0]}", _AGAIN) from None


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        why = f"{path.parent} is no alignment: it has no {path.name}"
        raise InputError(why, "`curator align CHUNKS.jsonl NAME` writes one") from None
    except NotADirectoryError:
        raise UsageError(f"{path.parent} is no folder", "name the folder that `curator align` wrote") from None
    except OSError as error:
        raise StorageError(f"{path}: {error.strerror}", "check that it may be read") from None
