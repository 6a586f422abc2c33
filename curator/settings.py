"""`curator.toml`: read with tomllib, checked by pydantic, so that a misspelt key is an error that names it."""

from __future__ import annotations

import datetime
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from curator.environment import FILE_NAME
from curator.errors import InputError, StorageError

_SUITE_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
_DEVICE = re.compile(r"con|prn|aux|nul|com[0-9]|lpt[0-9]")


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Person(_Table):
    """`[people.ID]`: a role, and a name that never leaves the workspace unasked."""

    role: Literal["expert", "reviewer", "lead", "engineer"]
    name: str = ""


class Floor(_Table):
    """`[[risk.floor]]`: the least risk of a domain, a route, or both."""

    domain: str = ""
    route: str = ""
    risk: Literal["low", "medium", "high", "critical"]


class RiskTable(_Table):
    """`[risk]`."""

    floor: list[Floor] = []


class ReviewTable(_Table):
    """`[review]`: one-person teams set solo; double_share of low and medium cases is labeled twice.

    `lease_minutes`: how long a case that was handed to a reviewer is kept from others. `reverify_days`: after how many
    days an approved case is looked at again, 0 = never; `waiver_days`: the same of a waiver.
    """

    solo: bool = False
    lease_minutes: int = Field(default=60, ge=1, le=10_080)
    reverify_days: int = Field(default=365, ge=0)
    waiver_days: int = Field(default=90, ge=1)
    double_share: float = Field(default=0.1, ge=0, le=1, strict=False)
    seed: int = 1


class PartitionsTable(_Table):
    """`[partitions]`: share of groups for the holdout, the seed of the draw, and after how many looks it is worn."""

    holdout: float = Field(default=0.25, ge=0, le=0.9, strict=False)
    seed: int = 1
    worn_after: int = Field(default=10, ge=1)


class LengthsTable(_Table):
    """`[lengths]`: the reference median, from a CSV (document, pages) in the workspace or as a number; its date."""

    profile: str = ""
    median: float = Field(default=0, ge=0, strict=False, allow_inf_nan=False)
    as_of: str = ""
    max_age_days: int = Field(default=365, ge=1)

    @field_validator("as_of", mode="before")
    @classmethod
    def _as_text(cls, value: object) -> object:
        return value.isoformat() if isinstance(value, datetime.date) else value  # TOML has dates of its own


class Filter(_Table):
    """`include` or `exclude` of a suite."""

    domain: list[str] = []
    document: list[str] = []
    tag: list[str] = []
    risk: list[Literal["low", "medium", "high", "critical"]] = []
    task: list[Literal["question", "summary"]] = []
    language: list[str] = []


class QuotaTable(_Table):
    """`[[suites.NAME.quotas]]`: a minimum for the cell `where` ("*" = each value); unit "cases" or "share"."""

    where: dict[str, str] = {}
    minimum: float = Field(ge=0, strict=False, allow_inf_nan=False)
    unit: Literal["cases", "share"] = "cases"

    @model_validator(mode="after")
    def _share(self) -> Self:
        if self.unit == "share" and self.minimum > 1:
            raise ValueError(f"a share lies between 0 and 1, not at {self.minimum:g}")
        return self


class SuiteTable(_Table):
    """`[suites.NAME]`."""

    description: str = ""
    include: Filter = Filter()
    exclude: Filter = Filter()
    quotas: list[QuotaTable] = []


class ProfileTable(_Table):
    """`[failures.profiles.NAME]`: how a log is read; `columns`: field -> column, number or path."""

    format: str = ""
    encoding: str = ""
    delimiter: str = ""
    header: bool | None = None
    columns: dict[str, str] = {}


class FailuresTable(_Table):
    """`[failures]`: saved mapping profiles, how long a quarantine lasts, words that bring a failure forward."""

    profiles: dict[str, ProfileTable] = {}
    quarantine_days: int = Field(default=30, ge=1, le=3650)
    risk_words: list[str] = []


class ListProfileTable(_Table):
    """`[lists.profiles.NAME]`: how a list is read; `columns`: column -> field, "attribute" = kept aside."""

    format: str = ""
    encoding: str = ""
    delimiter: str = ""
    header: bool | None = None
    columns: dict[str, str] = {}


class ListsTable(_Table):
    """`[lists]`: saved mapping profiles of lists."""

    profiles: dict[str, ListProfileTable] = {}


class DocumentsTable(_Table):
    """`[documents]`: whether a copy of every file that is ingested is kept, and how many processes read one."""

    keep_files: bool = True
    jobs: int = Field(default=0, ge=0, le=64)


class TargetTable(_Table):
    """`[[gate.targets]]`: the least share of a measure in a cell ("*": in each value), with so many results.

    `since`: the day on which it was set, ISO; `curator review due` asks for a look when it is old, or missing.
    """

    suite: str = ""
    where: dict[str, str] = {}
    measure: str = "passed"
    minimum: float = Field(ge=0, le=1, strict=False)
    cases: int = Field(default=1, ge=1)
    since: str = ""

    @field_validator("since", mode="before")
    @classmethod
    def _day(cls, value: object) -> object:
        text = value.isoformat() if isinstance(value, datetime.date) else value
        if isinstance(text, str) and text:
            datetime.date.fromisoformat(text)
        return text


class GateTable(_Table):
    """`[gate]`: when `curator gate` blocks.

    `k`: so many of what was retrieved count. `missed`, `refusals_answered`, `high_risk_lost`: so many such cases are
    let pass. `results`: the least share of the cases with a result; `near`: within so much above a target it says
    WATCH.
    """

    k: int = Field(default=10, ge=1, le=1000)
    missed: int = Field(default=0, ge=0)
    refusals_answered: int = Field(default=0, ge=0)
    high_risk_lost: int = Field(default=0, ge=0)
    results: float = Field(default=0.95, ge=0, le=1, strict=False)
    near: float = Field(default=0.05, ge=0, le=1, strict=False)
    targets: list[TargetTable] = []


class Settings(_Table):
    """Everything that `curator.toml` may say.

    `[checks]` sets how severe a check of `curator lint` is, by its code; which may be set is up to domain.checks.
    """

    people: dict[str, Person] = {}
    risk: RiskTable = RiskTable()
    review: ReviewTable = ReviewTable()
    partitions: PartitionsTable = PartitionsTable()
    lengths: LengthsTable = LengthsTable()
    suites: dict[str, SuiteTable] = {}
    checks: dict[str, Literal["error", "warning", "off"]] = {}
    failures: FailuresTable = FailuresTable()
    documents: DocumentsTable = DocumentsTable()
    lists: ListsTable = ListsTable()
    gate: GateTable = GateTable()

    @field_validator("suites")
    @classmethod
    def _suite_names(cls, value: dict[str, SuiteTable]) -> dict[str, SuiteTable]:
        for name in value:
            if not _SUITE_NAME.fullmatch(name):
                raise ValueError(f"{name!r}: a suite name is of a-z, 0-9 and . _ -, at most 64 characters")
            if _DEVICE.fullmatch(name.partition(".")[0]):
                raise ValueError(f"{name!r} names a device on Windows, where nobody could open its folder")
        return value


def load(path: Path) -> Settings:
    """The settings of a workspace.

    Raises:
        InputError: The file is missing, is not TOML, or has a key that we do not know.
        StorageError: It may not be read.
    """
    try:
        data = tomllib.loads(path.read_text("utf-8-sig"))
    except FileNotFoundError:
        raise InputError(f"{path.name} is not here", "run `curator init` in the folder of the workspace") from None
    except OSError as error:
        raise StorageError(f"{path}: {error.strerror}", "check that it may be read") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path.name}: {error}", "correct it in an editor") from None
    except RecursionError:
        raise InputError(f"{path.name}: nested too deep", "correct it in an editor") from None
    return parse(data, path.name)


def parse(data: Mapping[str, Any], name: str = FILE_NAME) -> Settings:
    """Settings from a parsed TOML document; the error names the key.

    Raises:
        InputError: A key is unknown or a value is of the wrong kind.
    """
    try:
        return Settings.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(p) for p in first["loc"])
        reason = "no such key" if first["type"] == "extra_forbidden" else first["msg"].removeprefix("Value error, ")
        raise InputError(f"{name}: {where}: {reason}", "correct it in an editor") from None
