"""A case as a TOML form that a person edits, and `--set field=value`."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable
from typing import Any, get_args

from pydantic import ValidationError
from pydantic.alias_generators import to_camel

from curator.domain.case import Case, CaseRecord
from curator.domain.model import Model
from curator.errors import InputError, UsageError
from curator.text import clean

HEAD = """\
# {id}  {status}  version {version}
# Save and close to store it; empty the file to leave it as it is. Values in quotes, texts may use \"\"\" ... \"\"\".
# A list of tables grows by an entry such as [[evidence]], sourceId = "...", role = "required"; all at the end.
# They are evidence, keyProvisions, documents, turnExpectations and attributes.
# expectedBehavior: answer, refuse, escalate.  task: question, summary.  risk: low, medium, high, critical.
# refusalReason: not_in_sources, out_of_scope, unsafe, ambiguous, personal_data.
"""


def to_form(record: CaseRecord) -> str:
    """The form of a case: every field that a person may change; lists of tables last, where they are not empty."""
    import tomlkit

    body = record.case.model_dump(mode="json", by_alias=True, exclude={"id"})
    document = tomlkit.document()
    nested = {to_camel(k) for k, f in Case.model_fields.items() if _holds_models(f.annotation)}
    for key, value in body.items():
        if key not in nested:
            document.add(key, _text(value))
    for key, values in ((k, v) for k, v in body.items() if k in nested and v):
        tables = tomlkit.aot()
        for value in values:
            tables.append(tomlkit.item({k: _text(v) for k, v in value.items()}))
        document.add(key, tables)
    head = HEAD.format(id=record.case.id, status=record.status, version=record.version)
    return f"{head}\n{tomlkit.dumps(document)}"


def _holds_models(annotation: Any) -> bool:
    return any(isinstance(a, type) and issubclass(a, Model) for a in get_args(annotation))


def _text(value: Any) -> Any:
    """Strings of several lines in the form that keeps them readable."""
    import tomlkit

    if isinstance(value, str) and "\n" in value and "\r" not in value:
        return tomlkit.string(value, multiline=True)
    return value


def from_form(text: str, case_id: str) -> Case | None:
    """The case that a form describes; None when it was emptied.

    Raises:
        InputError: It is no TOML, or a field is of the wrong kind; the message names the line or the field.
    """
    try:
        data = tomllib.loads(clean(text)[0])
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"the form: {error}", "correct it and save again") from None
    except RecursionError:
        raise InputError("the form: nested too deep", "correct it and save again") from None
    return _case({**data, "id": case_id}, "the form") if data else None


def apply(case: Case, settings: Iterable[str]) -> Case:
    """The case with `field=value` applied, in order.

    A value for a list is JSON (`turns=["a", "b"]`) or, plain, its one entry; numbers and nested entries are JSON.

    Raises:
        UsageError: No "=", or no such field.
        InputError: The value is of the wrong kind.
    """
    body = case.model_dump(mode="json", by_alias=True)
    for setting in settings:
        name, equals, value = clean(setting)[0].partition("=")
        if not equals or name not in body or name == "id":
            fields = ", ".join(k for k in body if k != "id")
            raise UsageError(f"--set {setting!a} names no field", f"write field=value; fields: {fields}")
        body[name] = _value(value, list if isinstance(body[name], list) else str)
    return _case(body, "--set")


def _value(text: str, kind: type) -> Any:
    if kind is not list:
        return text
    if text.lstrip()[:1] == "[":
        try:
            return json.loads(text)
        except (ValueError, RecursionError) as error:
            raise InputError(f"--set: {error}", 'write a JSON list such as ["a", "b"]') from None
    return [text] if text else []


def _case(data: dict[str, Any], where: str) -> Case:
    try:
        return Case.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(p) for p in first["loc"])
        reason = "no such field" if first["type"] == "extra_forbidden" else first["msg"]
        raise InputError(f"{where}: {field}: {reason}", "correct it and save again") from None
