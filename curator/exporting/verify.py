"""Whether the files of a version are whole, unchanged and by the rules. Fails closed: the unknown is a problem."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from curator.domain.canonical import canary, file_bytes, policy_hash
from curator.domain.case import HIDDEN_PARTITIONS, OPEN_PARTITIONS
from curator.domain.identity import sha256
from curator.domain.suite import DIMENSIONS, dimension
from curator.errors import InputError
from curator.exporting.consistency import (
    cited_problems,
    document_problems,
    extra_source_problems,
    source_name_problems,
    suite_problems,
)
from curator.exporting.line import is_date, line_problems, model_problems, source_problems
from curator.exporting.read import read_lines, read_object
from curator.exporting.schema import CASE_SCHEMA_ID, Manifest, case_schema, meaning
from curator.progress import Progress, Silent
from curator.text import one_line

REQUIRED_FILES = (
    "sources.jsonl",
    "manifest.json",
    "SHA256SUMS",
    "case.schema.json",
    "datapackage.json",
    "README.md",
    "CHANGES.md",
)
OPEN_FILES = tuple(f"{p}.jsonl" for p in OPEN_PARTITIONS)
HIDDEN_FILES = tuple(f"{p}.jsonl" for p in HIDDEN_PARTITIONS)
UNSUMMED = ("SHA256SUMS", "build.json")
MOST_PROBLEMS = 50
"""Of one file; how many more there are is said."""

_SUM = re.compile(r"([0-9a-f]{64})  (\S.*)")


def verify(
    files: Mapping[str, bytes], holdout: Mapping[str, bytes] | None = None, progress: Progress | None = None, *,
    unread: Collection[str] = (),
) -> list[str]:  # fmt: skip
    """What stands against the files of a version, one line each; empty = fine.

    Args:
        files: Name -> bytes of every file of the folder.
        holdout: The same of the holdout's folder; None = not looked at (its counts are then taken on trust).
        progress: Its checkpoint is called for every line.
        unread: Names of files that are there, but were not read, as is said elsewhere: they are not called missing.

    Raises:
        Cancelled: The person asked to stop.
    """
    return list(_Check(files, holdout, progress or Silent(), unread).problems())


class _Check:
    """One run over the files. Later steps use what earlier ones could read."""

    def __init__(
        self, files: Mapping[str, bytes], holdout: Mapping[str, bytes] | None, progress: Progress,
        unread: Collection[str],
    ) -> None:  # fmt: skip
        self._unread = frozenset(unread)
        self._files = files
        self._holdout = holdout
        self._progress = progress
        self._manifest: dict[str, Any] = {}
        self._lines: dict[str, list[dict[str, Any]]] = {}

    def problems(self) -> Iterator[str]:
        yield from self._names()
        yield from self._sums()
        yield from self._read_manifest()
        yield from self._schema()
        for name in OPEN_FILES:
            if name in self._files:
                yield from self._cases(name, self._files[name])
        for name, data in sorted((self._holdout or {}).items()):
            if name in HIDDEN_FILES:
                yield from self._cases(name, data)
        if not any(self._lines.values()):
            yield "no cases"
        yield from self._sources()
        if self._manifest:
            yield from _limited("manifest.json", self._against_manifest())
            yield from _limited("cases", self._across())
        yield from self._readme()
        yield from self._datapackage()

    def _names(self) -> Iterator[str]:
        for name in REQUIRED_FILES:
            if name not in self._files and name not in self._unread:
                yield f"{name}: missing"
        known = {*REQUIRED_FILES, *OPEN_FILES, "build.json"}
        for name in sorted(set(self._files) - known):
            hidden = name in HIDDEN_FILES
            yield f"{one_line(name)}: {'the holdout may not lie here' if hidden else 'unknown file'}"
        if not set(OPEN_FILES) & {*self._files, *self._unread}:
            yield "neither dev.jsonl nor followup_dev.jsonl"
        for name in sorted(set(self._holdout or {}) - set(HIDDEN_FILES)):
            yield f"holdout {one_line(name)}: unknown file"

    def _sums(self) -> Iterator[str]:
        if "SHA256SUMS" not in self._files:
            return
        text = self._files["SHA256SUMS"].decode("utf-8", "replace")
        said = self._said_hashes()
        listed = set()
        for number, line in enumerate(text.removesuffix("\n").split("\n"), 1):
            found = _SUM.fullmatch(line)
            if not found:
                yield f"SHA256SUMS line {number}: not a checksum and a name"
            elif found[2] in self._unread:
                pass
            elif found[2] not in self._files:
                yield f"SHA256SUMS line {number}: {one_line(found[2])} is missing"
            elif (digest := sha256(self._files[found[2]])) != found[1]:
                if said.get(found[2]) == digest:
                    yield f"SHA256SUMS line {number}: was changed: {one_line(found[2])} is as manifest.json says"
                else:
                    yield f"{one_line(found[2])}: changed: its SHA-256 is not the one in SHA256SUMS"
            listed |= {found[2]} if found else set()
        if not text.endswith("\n"):
            yield "SHA256SUMS: cut off: no final newline"
        for name in sorted(set(self._files) - set(UNSUMMED) - listed):
            yield f"SHA256SUMS: {one_line(name)} is not listed"

    def _said_hashes(self) -> dict[str, str]:
        """The hash of each file as manifest.json says it, as far as that can be read."""
        manifest, _ = _object(self._files, "manifest.json")
        entries = (manifest or {}).get("files")
        known = [e for e in entries if isinstance(e, dict)] if isinstance(entries, list) else []
        return {e["path"]: e["sha256"] for e in known if isinstance(e.get("path"), str) and "sha256" in e}

    def _read_manifest(self) -> Iterator[str]:
        manifest, why = _object(self._files, "manifest.json")
        yield from why
        if manifest is None:
            return
        try:
            Manifest.model_validate(manifest)
        except ValidationError as error:
            yield from (f"manifest.json: {p}" for p in model_problems(error))
            return
        self._manifest = manifest

    def _schema(self) -> Iterator[str]:
        schema, why = _object(self._files, "case.schema.json")
        yield from why
        if schema is None:
            return
        name = schema.get("$id")
        if name != CASE_SCHEMA_ID:
            yield f"case.schema.json: unknown schema {one_line(str(name), 60)}: expected {CASE_SCHEMA_ID}"
        elif meaning(schema) != meaning(case_schema()):
            yield f"case.schema.json: not what {CASE_SCHEMA_ID} says"
        if self._manifest:
            said = {"id": name, "sha256": sha256(self._files["case.schema.json"])}
            if self._manifest["schema"] != said:
                yield "manifest.json: schema is not case.schema.json"

    def _cases(self, name: str, data: bytes) -> Iterator[str]:
        rows, problems = _rows(name, data, line_problems, self._progress)
        partition = name.removesuffix(".jsonl")
        moved = (f"{name} {r['id']}: lies in partition {r['partition']}" for r in rows if r["partition"] != partition)
        yield from _limited(name, itertools.chain(problems, moved))
        self._lines[partition] = rows

    def _sources(self) -> Iterator[str]:
        if "sources.jsonl" not in self._files:
            return
        data = self._files["sources.jsonl"]
        opened = [line for p in OPEN_PARTITIONS for line in self._lines.get(p, ())]
        cites = any(line["evidence"] for line in opened)
        rows, problems = _rows("sources.jsonl", data, source_problems, self._progress) if data or cites else ([], [])
        choice = self._manifest.get("sources", "cited")
        extra = extra_source_problems(choice, opened, rows) if self._manifest else ()
        more = itertools.chain(source_name_problems(rows), cited_problems(opened, rows), extra)
        yield from _limited("sources.jsonl", itertools.chain(problems, (f"sources.jsonl: {p}" for p in more)))

    def _against_manifest(self) -> Iterator[str]:
        yield from self._file_entries()
        yield from self._own_rules()
        yield from self._counts()

    def _across(self) -> Iterator[str]:
        lines = [line for rows in self._lines.values() for line in rows]
        yield from suite_problems(self._manifest["suite"], lines)
        yield from document_problems(lines, self._manifest["documents"])

    def _file_entries(self) -> Iterator[str]:
        sides = [("files", self._files, set(self._files) - {*UNSUMMED, "manifest.json"})]
        if self._holdout is not None:
            sides.append(("holdout", self._holdout, set(self._holdout)))
        for key, present, expected in sides:
            paths = [entry["path"] for entry in self._manifest[key]]
            if len(set(paths)) < len(paths):
                yield f"{key}: a path repeats"
            for name in sorted(expected - set(paths)):
                yield f"{key}: {one_line(name)} is not listed"
            for entry in self._manifest[key]:
                data = present.get(entry["path"])
                if data is None:
                    if entry["path"] not in self._unread:
                        yield f"{key}: {entry['path']} is missing"
                elif len(data) != entry["bytes"]:
                    yield f"{key}: {entry['path']} has {len(data)} bytes, not {entry['bytes']}"
                elif sha256(data) != entry["sha256"]:
                    yield f"{key}: {entry['path']}: another SHA-256"

    def _own_rules(self) -> Iterator[str]:
        manifest = self._manifest
        if manifest["canary"] != (expected := canary(manifest["suite"])):
            yield f"canary: expected {expected}"
        try:
            if manifest["policy"]["sha256"] != (expected := policy_hash(manifest["policy"])):
                yield f"policy: sha256: expected {expected}"
        except UnicodeEncodeError:
            yield "policy: a lone surrogate"
        moments = [("createdAt", manifest["createdAt"])]
        moments += [(f"waivers/{n}/at", w["at"]) for n, w in enumerate(manifest["waivers"])]
        moments += [(f"tombstones/{n}/retiredAt", t["retiredAt"]) for n, t in enumerate(manifest["tombstones"])]
        for where, moment in moments:
            if not is_date(moment):
                yield f"{where}: {one_line(moment, 40)} is no date"

    def _counts(self) -> Iterator[str]:
        counts = self._manifest["counts"]
        partitions, total = counts["partition"], counts["cases"]
        if sum(partitions.values()) != total:
            yield f"counts: the partitions do not add up to {total}"
        seen = OPEN_PARTITIONS if self._holdout is None else (*OPEN_PARTITIONS, *HIDDEN_PARTITIONS)
        for name in seen:
            if partitions[name] != (found := len(self._lines.get(name, ()))):
                yield f"counts: {partitions[name]} cases in {name}, found {found}"
        listed = {entry["path"] for entry in self._manifest["holdout"]}
        for name in HIDDEN_PARTITIONS:
            if (f"{name}.jsonl" in listed) != (partitions[name] > 0):
                yield f"counts: {partitions[name]} cases in {name} does not fit the files in holdout"
        for name, said in counts["stratum"].items():
            yield from self._stratum(name, said, total)

    def _stratum(self, name: str, said: Mapping[str, int], total: int) -> Iterator[str]:
        where = f"counts: stratum {one_line(name, 40)}"
        if sum(said.values()) != total:
            yield f"{where} does not add up to {total}"
        if name not in DIMENSIONS:
            return
        found: dict[str, int] = {}
        for line in itertools.chain.from_iterable(self._lines.values()):
            value = dimension(line, name)
            found[value] = found.get(value, 0) + 1
        for value in sorted({*found, *said}):
            n, here = said.get(value, 0), found.get(value, 0)
            if here > n or (self._holdout is not None and here != n):
                yield f"{where}: {n} cases of {one_line(value, 40) or '(none)'}, found {here}"

    def _readme(self) -> Iterator[str]:
        if "README.md" not in self._files:
            return
        text = self._files["README.md"].decode("utf-8", "replace")
        front = text.split("---")[1] if text.startswith("---") and text.count("---") > 1 else ""
        if "dataset_info" not in front or "features" not in front:
            yield "README.md: no column types (dataset_info: features) in its front matter"
        named = set(re.findall(r"[\w.-]+\.jsonl", front))
        here = set(OPEN_FILES) & set(self._files)
        if not here <= named <= set(self._files):
            yield f"README.md: data_files are {_listed(named)}, here are {_listed(here)}"

    def _datapackage(self) -> Iterator[str]:
        package, why = _object(self._files, "datapackage.json")
        yield from why
        if package is None:
            return
        resources = package.get("resources")
        if not isinstance(resources, list) or not all(isinstance(r, dict) for r in resources):
            yield "datapackage.json: no resources"
            return
        here = {n for n in self._files if n.endswith(".jsonl")}
        if (paths := {str(r.get("path")) for r in resources}) != here:
            yield f"datapackage.json: resources are {_listed(paths)}, here are {_listed(here)}"
        for resource in resources:
            data = self._files.get(str(resource.get("path")), b"")
            if resource.get("hash") != f"sha256:{sha256(data)}" or resource.get("bytes") != len(data):
                yield f"datapackage.json: {one_line(str(resource.get('path')), 60)}: another hash or size"


def _listed(names: Iterable[str]) -> str:
    return ", ".join(one_line(n, 60) for n in sorted(names)) or "none"


def _object(files: Mapping[str, bytes], name: str) -> tuple[dict[str, Any] | None, list[str]]:
    """A JSON object out of a file, or why there is none; a missing file was said before."""
    if name not in files:
        return None, []
    try:
        return read_object(files[name], name), []
    except InputError as error:
        return None, [error.message]


def _rows(
    name: str, data: bytes, check: Callable[[Mapping[str, Any]], list[str]], progress: Progress
) -> tuple[list[dict[str, Any]], list[str]]:
    """The rows that are by the rules, and what stands against the others and against the bytes."""
    rows, whole, problems = [], [], []
    for number, row in read_lines(data, name):
        progress.checkpoint()
        if isinstance(row, InputError):
            problems.append(row.message)
            continue
        whole.append(row)
        found = check(row)
        shown = one_line(str(row.get("id", "")), 60)
        where = f"{name} line {number} {shown}".rstrip()
        problems += [f"{where}: {problem}" for problem in found]
        if not found:
            rows.append(row)
    if data and not data.endswith(b"\n"):
        problems.append(f"{name}: cut off: no final newline")
    ids = [str(row.get("id", "")) for row in whole]
    if ids != sorted(set(ids)):
        problems.append(f"{name}: the ids are not unique or not sorted")
    elif not problems and file_bytes(whole) != data:
        problems.append(f"{name}: not the canonical bytes: writing its rows again gives others")
    return rows, problems


def _limited(name: str, problems: Iterable[str]) -> Iterator[str]:
    stream = iter(problems)
    yield from (p if p.startswith(name) else f"{name}: {p}" for p in itertools.islice(stream, MOST_PROBLEMS))
    if more := sum(1 for _ in stream):
        yield f"{name}: and {more} more problems"
