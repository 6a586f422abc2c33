"""A released suite in a program: typed cases whose bytes are what was released.

    from curator import load_suite

    for case in load_suite("exports/school-health/1.0.0", risk=("high", "critical")):
        ...

Neither the app nor the database is loaded: a machine that only reads suites needs pydantic and nothing else of weight.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, get_args, overload

from curator.domain.case import (
    HIDDEN_PARTITIONS,
    OPEN_PARTITIONS,
    Behavior,
    Difficulty,
    LengthStratum,
    Partition,
    Risk,
    Task,
)
from curator.domain.identity import sha256
from curator.errors import CheckFailed, InputError, StorageError, UsageError
from curator.exporting.caseline import CaseLine, SourceLine
from curator.exporting.line import line_problems
from curator.exporting.read import read_object
from curator.progress import Silent
from curator.services.released_folder import ReleasedFolder
from curator.services.targets import released

Wanted = str | Iterable[str] | None
_KNOWN: dict[str, tuple[str, ...]] = {
    "partition": get_args(Partition),
    "risk": get_args(Risk),
    "behavior": get_args(Behavior),
    "task": get_args(Task),
    "difficulty": get_args(Difficulty),
    "length": get_args(LengthStratum),
}
_FIELDS = {
    "partition": "partition",
    "risk": "risk",
    "behavior": "expected_behavior",
    "task": "task",
    "difficulty": "difficulty",
    "length": "length_stratum",
    "domain": "domain",
    "route": "route",
    "document_type": "document_type",
    "id": "id",
}
FILTERS = (*_FIELDS, "language", "tag", "document")


class Suite(Sequence[CaseLine]):
    """The cases of one version, in the order of partitions and ids.

    Attributes:
        name: Name of the suite, and `version`: its version.
        folder: Where it was read.
        manifest: What manifest.json says.
        manifest_sha256: Hash of that file: what a run names in `manifestSha256`.
        yanked: Who yanked it, when and why; "" = nobody did.
        cases: The cases.
    """

    def __init__(
        self, name: str, version: str, folder: Path, manifest: Mapping[str, Any], manifest_sha256: str, yanked: str,
        cases: tuple[CaseLine, ...],
    ) -> None:  # fmt: skip
        self.name = name
        self.version = version
        self.folder = folder
        self.manifest = manifest
        self.manifest_sha256 = manifest_sha256
        self.yanked = yanked
        self.cases = cases
        self._by_id = {case.id: case for case in cases}

    def __len__(self) -> int:
        return len(self.cases)

    def __iter__(self) -> Iterator[CaseLine]:
        return iter(self.cases)

    @overload
    def __getitem__(self, index: int) -> CaseLine: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[CaseLine]: ...
    def __getitem__(self, index: int | slice) -> CaseLine | Sequence[CaseLine]:
        return self.cases[index]

    def __repr__(self) -> str:
        return f"<Suite {self.name} {self.version}: {len(self.cases)} cases>"

    def case(self, case_id: str) -> CaseLine:
        """The case of an id.

        Raises:
            KeyError: It is not among the cases that were loaded.
        """
        return self._by_id[case_id]

    @cached_property
    def sources(self) -> Mapping[str, SourceLine]:
        """The sources of the version by id and by each of their earlier names; read and checked when first asked for.

        Raises:
            CheckFailed: The file is not what was released.
        """
        found: dict[str, SourceLine] = {}
        for line, _ in ReleasedFolder(self.folder, Silent(), allows_yanked=bool(self.yanked)).sources():
            source = SourceLine.model_validate(line)
            found.update(dict.fromkeys((source.id, *source.aliases), source))
        return found

    def select(self, **filters: Wanted) -> Suite:
        """Fewer cases; the filters are those of `load_suite`."""
        kept = tuple(c for c in self.cases if _passes(c, _checked(filters)))
        return Suite(
            self.name, self.version, self.folder, self.manifest, self.manifest_sha256, self.yanked, kept
        )  # fmt: skip


def load_suite(
    where: str | Path,
    *,
    workspace: str | Path | None = None,
    holdout: str | Path | None = None,
    allow_yanked: bool = False,
    **filters: Wanted,
) -> Suite:
    """The cases of a released version; every byte is checked against the hashes of the release.

    Args:
        where: A folder exports/SUITE/VERSION, or NAME[@VERSION] of a workspace; without a version the latest one that
            is not yanked. Text with a "/" is a folder.
        workspace: Where NAME is looked for; None = the workspace at or above the current folder.
        holdout: Folder that `curator suite fetch-holdout` wrote: its cases come too, checked like the others.
        allow_yanked: Whether a version may be loaded that was yanked.
        filters: partition, risk, behavior, language, domain, route, task, difficulty, length (the length stratum),
            document_type, document, tag, id. Each is one value or several, any of which counts; a case passes all
            filters. "de" as a language takes "de-CH" too.

    Raises:
        UsageError: A filter or its value is unknown, or the name is none.
        InputError: There is no such release, or it is of another schema.
        CheckFailed: A file is missing, short, or not what was released; or the version is yanked.
        StorageError: It cannot be read.
    """
    wanted = _checked(filters)
    if "partition" in wanted and not holdout and (hidden := wanted["partition"] & set(HIDDEN_PARTITIONS)):
        raise UsageError(
            f"{sorted(hidden)[0]} is not in a released folder",
            "`curator suite fetch-holdout NAME@VERSION --to DIR --reason TEXT`, then load_suite(..., holdout=DIR)",
        )
    folder = _folder(where, workspace)
    release = ReleasedFolder(folder, Silent(), allows_yanked=allow_yanked)
    lines = [line for line, _ in release.cases()]
    if holdout is not None:
        lines += _held_out(Path(holdout), release)
    cases = (CaseLine.model_validate(line) for line in lines)
    return Suite(
        release.suite,
        release.version,
        folder,
        release.manifest,
        sha256(release.small("manifest.json")),
        release.yanked,
        tuple(c for c in cases if _passes(c, wanted)),
    )


def _folder(where: str | Path, workspace: str | Path | None) -> Path:
    if isinstance(where, Path) or "/" in where or (workspace is None and Path(where, "manifest.json").is_file()):
        return Path(where)
    from curator.workspace import find, named

    root = named(Path(workspace)) if workspace is not None else find(Path.cwd())
    return released(root / "exports", where)


def _checked(filters: Mapping[str, Wanted]) -> dict[str, frozenset[str]]:
    """The filters as sets; None = not asked.

    Raises:
        UsageError: One is unknown, or has an unknown value.
    """
    found = {}
    for name, value in filters.items():
        if name not in FILTERS:
            raise UsageError(f"{name!a} is no filter", f"known are {', '.join(FILTERS)}")
        if value is None:
            continue
        values = frozenset([value] if isinstance(value, str) else value)
        if strange := [v for v in sorted(values) if name in _KNOWN and v not in _KNOWN[name]]:
            raise UsageError(f"{name}: {strange[0]!a} is unknown", f"known are {', '.join(_KNOWN[name])}")
        found[name] = values
    return found


def _passes(case: CaseLine, wanted: Mapping[str, frozenset[str]]) -> bool:
    return all(_has(case, name, values) for name, values in wanted.items())


def _has(case: CaseLine, name: str, values: frozenset[str]) -> bool:
    if name == "language":
        said = case.language.lower()
        return any(said == v.lower() or said.startswith(f"{v.lower()}-") for v in values)
    if name == "tag":
        return not values.isdisjoint(case.tags)
    if name == "document":
        return any(d.document_id in values for d in case.documents)
    return getattr(case, _FIELDS[name]) in values


def _held_out(folder: Path, release: ReleasedFolder) -> list[dict[str, Any]]:
    """The lines of a holdout that was fetched, held against the manifest of its release."""
    entries = {e["path"]: e["sha256"] for e in release.manifest["holdout"]}
    if not entries:
        raise InputError(f"{release.suite} {release.version} has no case in the holdout", "leave holdout= out")
    lines = []
    for name, digest in entries.items():
        path = folder / name
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            raise InputError(
                f"{path}: no such file", "name the folder that `curator suite fetch-holdout` wrote"
            ) from None
        except OSError as error:
            raise StorageError(f"{path}: {error.strerror}", "check that it may be read") from None
        if sha256(data) != digest:
            raise CheckFailed(f"{path}: not the bytes that were released", "fetch the holdout of this version again")
        for number, raw in enumerate(data.split(b"\n"), 1):
            if raw:
                line = read_object(raw, f"{path} line {number}")
                if problems := line_problems(line):
                    raise CheckFailed(f"{path} line {number}: {problems[0]}", "fetch the holdout again")
                lines.append(line)
    return lines


__all__ = ["FILTERS", "OPEN_PARTITIONS", "Suite", "load_suite"]
