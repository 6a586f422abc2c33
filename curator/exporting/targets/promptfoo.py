"""promptfoo: tests with assertions by words, and a configuration that runs as it is."""

from __future__ import annotations

import re
from typing import Any

from curator.exporting.targets.files import JsonLines
from curator.exporting.targets.lost import EVERY_FIELD
from curator.exporting.targets.protocol import Choices, Folder, Line, Outcome, Release
from curator.exporting.targets.streamed import Streamed
from curator.exporting.targets.texts import transcript, without
from curator.exporting.targets.wording import REFUSAL, checks

_TEMPLATE = re.compile(r"\{[{%#]")
_CONFIG = """\
# Run in this folder: promptfoo eval
# The provider only echoes the question. Put the system under test in its place:
# https://www.promptfoo.dev/docs/providers/
description: {name}
prompts:
  - "{{{{query}}}}"
providers:
  - echo
tests: file://tests.jsonl
"""


class _Writer:
    def __init__(self, release: Release, folder: Folder, choices: Choices) -> None:
        config = _CONFIG.format(name=f"{release.suite} {release.version}")
        folder.open("promptfooconfig.yaml").write(config.encode())
        self._tests = JsonLines(folder, "tests.jsonl")
        self._untested = 0
        self._outcome = Outcome()

    def add(self, case: Line, raw: bytes) -> None:
        made = checks(case)
        self._untested += len(made.untested)
        asserts: list[dict[str, Any]] = []
        if made.must_not_say:
            asserts.append({"type": "not-icontains-any", "value": [inert(v) for v in made.must_not_say]})
        if made.refuses:
            asserts.append({"type": "javascript", "value": f"/{REFUSAL}/i.test(output)"})
        asserts += [{"type": "icontains-any", "value": [inert(v) for v in group]} for group in made.must_say]
        # a list among the variables would multiply the test
        variables = {
            "caseId": case["id"],
            "query": transcript(case),
            "referenceAnswer": case["referenceAnswer"],
            "expectedSourceIds": ",".join(case["expectedSourceIds"]),
        }
        self._tests.write(
            {
                "description": case["id"],
                "vars": {name: inert(text) for name, text in variables.items()},
                "assert": asserts,
                "metadata": {"caseId": case["id"], **without(case, "id")},
            }
        )
        self._outcome.written += 1

    def add_source(self, source: Line, raw: bytes) -> None:
        """Sources are named by their ids."""

    def finish(self) -> Outcome:
        notes = self._outcome.notes
        notes.append("The assertions compare words and find 5 days in 15 days.")
        if self._untested:
            notes.append(
                f"{self._untested} phrases that must not be claimed have no assertion, because the reference answer "
                "holds them too."
            )
        notes.append("Result files of promptfoo show long hexadecimal strings, such as hashes, as [REDACTED].")
        return self._outcome


def inert(text: str) -> str:
    """A text that promptfoo neither renders as a template nor opens as a file."""
    if text.startswith("file://"):
        return " " + text
    if not _TEMPLATE.search(text):
        return text
    return _TEMPLATE.sub(lambda m: "{{ '" + m[0] + "' }}", text)


TARGET = Streamed(
    name="promptfoo",
    evaluator="promptfoo",
    tested="0.123.1",
    summary="tests.jsonl and promptfooconfig.yaml: `promptfoo eval` in the folder",
    carries=EVERY_FIELD,
    writer=_Writer,
)
