"""The answers of a run, found by case without holding them: the file is read once for where each line lies."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, Strict, ValidationError
from pydantic.alias_generators import to_camel

from curator.errors import InputError, StorageError
from curator.exporting.line import model_problems
from curator.exporting.read import LINE_LIMIT, read_object
from curator.progress import Progress
from curator.text import one_line

_HINT = "a run has one line a case: caseId, answer, retrieved, turns"
_Text = Annotated[str, Strict()]


class _Said(BaseModel):
    """The keys of a run that targets use; further ones may stand beside them."""

    model_config = ConfigDict(frozen=True, extra="allow", alias_generator=to_camel)


class _Found(_Said):
    id: Annotated[str, Strict(), Field(min_length=1)]
    text: _Text
    rank: Annotated[int, Strict(), Field(ge=1)]
    score: float


class _Cited(_Said):
    source_id: _Text
    claim: _Text


class _Turn(_Said):
    turn: Annotated[int, Strict(), Field(ge=1)]
    answer: _Text
    retrieved: tuple[_Found, ...]


class _RunLine(_Said):
    case_id: _Text
    answer: _Text
    retrieved: tuple[_Found, ...]
    citations: tuple[_Cited, ...] = ()
    turns: tuple[_Turn, ...]


class RunAnswers:
    """A run by case; `exporting.targets.protocol.Answers`. Memory: the place of each line, not the lines.

    Attributes:
        system: Name of the system from run.json beside the file, else the name of the file.
    """

    def __init__(self, path: Path, suite: str, version: str, progress: Progress) -> None:
        """Read where each line lies.

        Raises:
            InputError: It cannot be read, a line is no answer, a case stands twice, or it is of another version.
        """
        self._path = path
        self._places: dict[str, int] = {}
        self.system = path.stem
        self._read_settings(suite, version)
        try:
            with path.open("rb") as stream:
                number = at = 0
                while raw := stream.readline(LINE_LIMIT + 1):
                    progress.checkpoint()
                    number += 1
                    if raw.strip():
                        self._note(raw, f"{path} line {number}", at)
                    at += len(raw)
        except OSError as error:
            raise InputError(f"{path}: {error.strerror}", "name the run.jsonl of a run") from None

    def get(self, case_id: str) -> dict[str, Any] | None:
        """The line of a case, or None.

        Raises:
            InputError: The file changed since its lines were found.
            StorageError: It cannot be read any more.
        """
        if case_id not in self._places:
            return None
        try:
            with self._path.open("rb") as stream:
                stream.seek(self._places[case_id])
                raw = stream.readline(LINE_LIMIT + 1)
        except OSError as error:
            raise StorageError(f"{self._path}: {error.strerror}", "export again") from None
        row = _checked(raw, f"{self._path} {case_id}")
        if row["caseId"] != case_id:
            raise InputError(f"{self._path}: it changed while it was read", "export again")
        return row

    def _note(self, raw: bytes, where: str, at: int) -> None:
        case_id: str = _checked(raw, where)["caseId"]
        if case_id in self._places:
            raise InputError(f"{where}: {one_line(case_id, 60)} stands twice", _HINT)
        self._places[case_id] = at

    def _read_settings(self, suite: str, version: str) -> None:
        path = self._path.with_suffix(".json")
        try:
            settings = read_object(path.read_bytes(), str(path))
        except FileNotFoundError:
            return
        except OSError as error:
            raise StorageError(f"{path}: {error.strerror}", "check that it may be read") from None
        said = (settings.get("suite", suite), settings.get("version", version))
        if said != (suite, version):
            other = one_line(" ".join(map(str, said)), 100)
            raise InputError(f"{path}: the run is of {other}, not of {suite} {version}", "take the run of this version")
        if isinstance(name := settings.get("system"), str) and name.strip():
            self.system = name


def _checked(raw: bytes, where: str) -> dict[str, Any]:
    """A line with the keys of an answer."""
    row = read_object(raw, where)
    try:
        _RunLine.model_validate(row)
    except ValidationError as error:
        raise InputError(f"{where}: {model_problems(error)[0]}", _HINT) from None
    return row
