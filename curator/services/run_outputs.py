"""The outputs of a run for people to read: by case, out of a run.jsonl or of results that an evaluator wrote."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from curator.domain.answers import Answer, question_key
from curator.errors import InputError
from curator.exporting.runs.reading import RunFile, files_of
from curator.progress import Progress
from curator.services.run_answers import RunAnswers
from curator.text import clean


class Output(NamedTuple):
    """What a system said to a case: its answer, what it says that it did ("" = not said), its earlier answers."""

    text: str
    behavior: str
    earlier: tuple[str, ...]


class RunOutputs:
    """The outputs of a run over a released version. The file is read once for who is in it, once for what is wanted.

    Attributes:
        run: Name of the run.
        system: What answered.
        sha256: Of its files, one after the other.
        cases: Ids of the cases that have an answer.
    """

    def __init__(
        self, path: Path, suite: str, version: str, lines: Mapping[str, Mapping[str, Any]], progress: Progress
    ) -> None:
        """Find out what it is, and whom it answers.

        Args:
            path: A file, or the folder of a run.
            suite: It must be of this suite, where it says so.
            version: And of this version.
            lines: The cases of the version, by id; a row without an id is known by its question.
            progress: Asked whether to stop.

        Raises:
            InputError: It is no run of a known form, or of another version.
            StorageError: It cannot be read.
        """
        if not path.exists():
            raise InputError(f"{path}: there is no such file", "name the run.jsonl of a run")
        self._files = [RunFile(one, progress) for one in files_of(path)]
        self._by_question: dict[str, list[str]] = defaultdict(list)
        for name, line in lines.items():
            self._by_question[question_key(tuple(line["turns"]))].append(name)
        self._lines = lines
        if self._files[0].format == "run":  # strict: a line that is none, or stands twice, is an error
            answers = RunAnswers(self._files[0].path, suite, version, progress)
            self.system = answers.system
        first = self._files[0].path
        self.run = _name(first)
        if self._files[0].format != "run":
            self.system = self.run
        self.sha256 = _hash([f.path for f in self._files])
        self.cases = frozenset(name for name, _ in self._answers())

    def of(self, wanted: Collection[str]) -> dict[str, Output]:
        """The outputs of these cases; of a case that stands there several times, the first."""
        found: dict[str, Output] = {}
        for name, answer in self._answers():
            if name in wanted and name not in found:
                found[name] = _output(answer)
        return found

    def _answers(self) -> Iterator[tuple[str, Answer]]:
        """Its answers in their order, each with the case that it is of; of cases asked alike, one after the other."""
        taken: set[str] = set()
        for file in self._files:
            for _, answer in file.answers():
                if isinstance(answer, str):
                    continue
                name = answer.case_id if answer.case_id in self._lines else ""
                if not name and answer.turns_asked:
                    alike = self._by_question.get(question_key(answer.turns_asked), [])
                    name = next((n for n in alike if n not in taken), "")
                if name:
                    taken.add(name)
                    yield name, answer


def _output(answer: Answer) -> Output:
    failed = f"{answer.stage}: {answer.error}".rstrip(": ") if answer.stage != "none" else ""
    said = answer.answer or (f"(no answer: {failed})" if failed else "")
    earlier = tuple(clean(t.answer)[0] for t in sorted(answer.turns, key=lambda t: t.turn))
    return Output(clean(said)[0], str(answer.behavior), earlier)


def _hash(paths: list[Path]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        try:
            with path.open("rb") as stream:
                while part := stream.read(1 << 20):
                    digest.update(part)
        except OSError as error:
            raise InputError(f"{path}: {error.strerror}", "name the file of a run") from None
    return digest.hexdigest()


def _name(path: Path) -> str:
    """Name of a run: as run.json beside it says, else the name of its folder or file."""
    try:
        said = json.loads(path.with_suffix(".json").read_bytes())["run"]
    except (OSError, ValueError, KeyError, TypeError):
        said = ""
    text = said if isinstance(said, str) and said.strip() else path.stem if path.stem != "run" else path.parent.name
    return clean(text)[0][:200] or "run"
