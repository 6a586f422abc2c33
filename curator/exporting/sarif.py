"""What `curator lint` found as SARIF 2.1.0, for code scanning.

Cases live in a database, not in files: a finding has the case as its logical location, and `curator.toml`, which every
workspace has, as its physical one, because readers of SARIF ask for one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from curator import __version__
from curator.domain.checks import CHECKS, Check
from curator.domain.finding import Finding
from curator.environment import FILE_NAME
from curator.text import visible

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif(findings: Iterable[Finding]) -> bytes:
    """A SARIF log with one run; every check is a rule of it, also those that found nothing."""
    rules = list(CHECKS.values())
    places = {check.code: n for n, check in enumerate(rules)}
    driver = {
        "name": "curator lint",
        "version": __version__,
        "informationUri": "https://pypi.org/project/golden-curator/",
        "rules": [_rule(check) for check in rules],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(f, places[f.code]) for f in findings],
    }
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return (json.dumps(log, ensure_ascii=False, indent=1) + "\n").encode()


def _rule(check: Check) -> dict[str, Any]:
    return {
        "id": check.code,
        "shortDescription": {"text": _sentence(check.title)},
        "fullDescription": {"text": _sentence(f"{check.title}: {check.why}")},
        "help": {"text": _sentence(check.step)},
        "defaultConfiguration": {"level": check.severity},
        "properties": {"tags": [check.group]},
    }


def _result(finding: Finding, place: int) -> dict[str, Any]:
    said = _sentence(f"{finding.case_id}: {finding.message}") + (f" {_sentence(finding.hint)}" if finding.hint else "")
    print_of = hashlib.sha256(f"{finding.case_id}\n{finding.code}\n{finding.field}\n{finding.message}".encode())
    return {
        "ruleId": finding.code,
        "ruleIndex": place,
        "level": finding.severity,
        "message": {"text": visible(said)},
        "locations": [
            {
                "physicalLocation": {"artifactLocation": {"uri": FILE_NAME}, "region": {"startLine": 1}},
                "logicalLocations": [
                    {
                        "name": finding.case_id,
                        "fullyQualifiedName": f"{finding.case_id}.{finding.field}",
                        "kind": "member",
                    }
                ],
            }
        ],
        "partialFingerprints": {"curatorFinding/v1": print_of.hexdigest()[:32]},
    }  # fmt: skip


def _sentence(text: str) -> str:
    said = text.strip()
    return said[:1].upper() + said[1:] + ("" if said.endswith((".", "!", "?")) else ".")
