"""Quotas of a suite: what "*" stands for today, a preview of what they would ask for, and writing them down."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import AoT, Array, Comment, InlineTable, Table

from curator.domain.coverage import FIXED
from curator.domain.filling import Shelved, touches
from curator.domain.model import Model
from curator.domain.quotas import ANY, PRESETS, Asked, asked, expanded, least_new
from curator.domain.suite import DIMENSIONS, Quota, SuitePolicy, dimension
from curator.environment import FILE_NAME
from curator.errors import Conflict, InputError, StorageError, UsageError
from curator.services.context import Context
from curator.services.profiles import replace
from curator.services.reference import reference
from curator.services.selection import placed, policy
from curator.services.todays_names import todays_names
from curator.settings import load, parse
from curator.store import filling
from curator.store.database import Transaction


class Preview(Model):
    """What quotas would ask of a suite now.

    Attributes:
        quotas: Each with "*" put out, what there is, and how many cases are missing.
        cases: Cases that the suite takes now.
        least_new: At least so many new cases meet them all.
    """

    suite: str
    quotas: tuple[Asked, ...]
    cases: int
    least_new: int


def put_out(ctx: Context, tx: Transaction, suite: SuitePolicy, lines: Sequence[Mapping[str, Any]]) -> SuitePolicy:
    """The suite with every "*" of its quotas replaced by the values that there are: of its cases and its documents.

    Beside a fixed risk, "*" stands for the values that cases of that risk have, and for those whose floor it is.
    """
    if not any(ANY in q.where.values() for q in suite.quotas):
        return suite
    return with_values(ctx, suite, lines, filling.shelved(tx))


def with_values(
    ctx: Context, suite: SuitePolicy, lines: Sequence[Mapping[str, Any]], documents: Sequence[Shelved]
) -> SuitePolicy:  # fmt: skip
    """As `put_out`, on documents that were read already."""

    def known(name: str, fixed: Mapping[str, str]) -> list[str]:
        if name in FIXED:
            return list(FIXED[name])
        risk = fixed.get("risk", "")
        found = {dimension(line, name) for line in lines if not risk or line["risk"] == risk}
        if risk:
            floors = [f for f in ctx.settings.risk.floor if f.risk == risk]
            found |= {
                {"route": f.route, "domain": f.domain}.get(name, "") for f in floors if _takes_floor(suite, f.domain)
            }
        else:
            found |= {of_document(d, name) for d in documents if _takes_document(suite, d)}
            found |= set(suite.include.domain) if name == "domain" else set()
        return sorted(found - {"", "none"})

    return suite.model_copy(update={"quotas": expanded(suite.quotas, known)})


def _takes_floor(suite: SuitePolicy, domain: str) -> bool:
    return not domain or not suite.include.domain or domain in suite.include.domain


def _takes_document(suite: SuitePolicy, document: Shelved) -> bool:
    return touches(document, suite.include) is not False and touches(document, suite.exclude) is not True


def of_document(document: Shelved, name: str) -> str:
    """What a document says in a dimension; "" = nothing."""
    return {"domain": document.domain, "documentType": document.document_type, "language": document.language}.get(
        name, ""
    )


def minimum_of(text: str) -> tuple[float, Literal["cases", "share"]]:
    """A minimum as it is typed: "3" cases, or a share, "15%".

    Raises:
        UsageError: It is no number.
    """
    number = text.strip()
    share = number.endswith("%")
    try:
        value = float(number.removesuffix("%").strip()) / (100 if share else 1)
    except ValueError:
        raise UsageError(f"{text!a} is no minimum", "such as 3, or 15%") from None
    if not math.isfinite(value):
        raise UsageError(f"{text!a} is no minimum", "such as 3, or 15%")
    return value, "share" if share else "cases"


def preset(name: str) -> tuple[Quota, ...]:
    """The quotas of a preset, with "*" as they would be written.

    Raises:
        UsageError: There is none.
    """
    if name not in PRESETS:
        raise UsageError(f"there is no preset {name!a}", f"use one of {', '.join(PRESETS)}")
    return PRESETS[name]


def preview(ctx: Context, name: str, quotas: Sequence[Quota] | None = None) -> Preview:
    """What these quotas would ask of a suite as it is now; None = its own.

    Raises:
        UsageError: No such suite, or a quota that makes no sense.
    """
    suite = policy(ctx, name)
    if quotas is not None:
        require_sense(quotas)
        suite = suite.model_copy(update={"quotas": tuple(quotas)})
    with ctx.db.read() as tx:
        taking = todays_names(tx).suite(suite)
        lines = [line for line in placed(tx, reference(ctx)) if taking.takes(line)]
        suite = put_out(ctx, tx, suite, lines)
    found = asked(suite.quotas, lines)
    return Preview(suite=name, quotas=found, cases=len(lines), least_new=least_new(found))


def require_sense(quotas: Sequence[Quota]) -> None:
    """Raise for the first quota that can never be met as it is meant.

    Raises:
        UsageError: An unknown dimension, a value that it never has, or a minimum that is none.
    """
    for quota in quotas:
        for name, value in quota.where.items():
            if name not in DIMENSIONS:
                raise UsageError(f"{name!a} is no dimension", f"use {', '.join(DIMENSIONS)}")
            if name in FIXED and value not in (*FIXED[name], "none", ANY):
                raise UsageError(f"{name} is never {value!a}", f"use {', '.join(FIXED[name])} or *")
        if quota.minimum < 0 or (quota.unit == "share" and quota.minimum > 1):
            raise UsageError(f"{quota.name}: a minimum of {quota.minimum:g}", "cases from 0 on, a share from 0 to 1")
        if quota.unit == "cases" and not float(quota.minimum).is_integer():
            raise UsageError(f"{quota.name}: {quota.minimum:g} cases", "a whole number, or unit = share")


def write(ctx: Context, name: str, quotas: Sequence[Quota]) -> None:
    """Make these the quotas of a suite in `curator.toml`; those that stay keep their comments and their place.

    Raises:
        UsageError: No such suite, a quota that makes no sense, or who acts is no lead: a lower quota is a waiver.
        Conflict: The file was changed since it was read; nothing was written.
        InputError: The suite is written in a way that this cannot change; nothing was written.
        StorageError: It cannot be written.
    """
    ctx.actor("quota")
    policy(ctx, name)
    require_sense(quotas)
    path = ctx.root / FILE_NAME
    if load(path) != ctx.settings:
        raise Conflict(f"{FILE_NAME} was changed since it was read", "run the command again")
    try:
        text = path.read_text("utf-8")
        document = tomlkit.parse(text)
        _put(document["suites"][name], quotas)
        made = tomlkit.dumps(document)
        if not _says(made, name, quotas):
            raise InputError(f"{FILE_NAME}: suites.{name} is written in a way that cannot be changed here", "edit it")
        replace(path, made, text)
    except (OSError, TOMLKitError, TypeError, KeyError) as error:
        raise StorageError(
            f"{path}: {getattr(error, 'strerror', None) or 'cannot be changed'}", "check its permissions"
        ) from None


def _says(text: str, name: str, quotas: Sequence[Quota]) -> bool:
    """Whether a file as it would be written is read as it was meant."""
    try:
        table = parse(tomllib.loads(text)).suites[name]
    except (tomllib.TOMLDecodeError, InputError, KeyError):
        return False
    found = [Quota.model_validate(q.model_dump()) for q in table.quotas]
    return sorted(q.model_dump_json() for q in found) == sorted(q.model_dump_json() for q in quotas)


def _put(suite: Any, quotas: Sequence[Quota]) -> None:
    """Take away the quotas that are not wanted and add the others, in the form that the file has."""
    listed = suite.get("quotas")
    waiting = list(quotas)
    if not isinstance(listed, AoT | Array):
        if waiting:
            suite.append("quotas", _list(waiting) if isinstance(suite, InlineTable) else _tables(waiting))
        return
    orphans: list[str] = []
    for place in reversed(range(len(listed))):
        if (own := _quota(listed[place])) in waiting:
            waiting.remove(own)
        else:
            orphans = [*_comments_after(listed[place]), *orphans]
            del listed[place]
    for quota in waiting:
        listed.append(_table(quota) if isinstance(listed, AoT) else _filled(tomlkit.inline_table(), quota))
    home = listed[-1] if listed else suite
    if not listed:
        del suite["quotas"]
    for comment in orphans if isinstance(home, Table) else ():
        home.add(tomlkit.comment(comment))


def _comments_after(item: Any) -> list[str]:
    """Lines of comment that stand behind the last key of a table: they speak of what comes next, and stay."""
    if not isinstance(item, Table):
        return []
    found: list[str] = []
    for key, value in reversed(item.value.body):
        if key is not None:
            break
        if isinstance(value, Comment):
            found.insert(0, value.as_string().strip().lstrip("#").strip())
    return found


def _quota(item: Mapping[str, Any]) -> Quota:
    where = {str(k): str(v) for k, v in item.get("where", {}).items()}
    return Quota(where=where, minimum=float(item["minimum"]), unit=str(item.get("unit", "cases")))


def _tables(quotas: Sequence[Quota]) -> AoT:
    tables = tomlkit.aot()
    for quota in quotas:
        tables.append(_table(quota))
    return tables


def _table(quota: Quota) -> Table:
    table = _filled(tomlkit.table(), quota)
    table.add(tomlkit.nl())
    return table  # type: ignore[no-any-return]


def _list(quotas: Sequence[Quota]) -> Array:
    listed = tomlkit.array()
    for quota in quotas:
        listed.append(_filled(tomlkit.inline_table(), quota))
    return listed


def _filled(table: Any, quota: Quota) -> Any:
    if quota.where:
        where = tomlkit.inline_table()
        for key, value in quota.where.items():
            where.append(key, value)
        table.append("where", where)
    whole = float(quota.minimum).is_integer() and quota.unit == "cases"
    table.append("minimum", int(quota.minimum) if whole else float(quota.minimum))
    if quota.unit == "share":
        table.append("unit", "share")
    return table
