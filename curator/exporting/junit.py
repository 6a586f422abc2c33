"""What `curator lint` found as JUnit XML: a test for each case, so that CI lists the ones that fail."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterable, Sequence

from curator.domain.finding import Finding
from curator.domain.problem import Severity
from curator.text import visible


def junit(case_ids: Sequence[str], findings: Iterable[Finding], fail_on: Severity = "error") -> bytes:
    """A test suite with one test a case, in the order given; what counts fails it, the rest is its output.

    Args:
        case_ids: The cases that were checked.
        findings: What was found in them.
        fail_on: "error": warnings do not fail a test.
    """
    by_case: dict[str, list[Finding]] = {name: [] for name in case_ids}
    for finding in findings:
        by_case.setdefault(finding.case_id, []).append(finding)
    failing = {name for name, found in by_case.items() if any(counts(f, fail_on) for f in found)}
    totals = {"tests": str(len(by_case)), "failures": str(len(failing)), "errors": "0", "skipped": "0"}
    root = ET.Element("testsuites", {"name": "curator lint", **totals})
    suite = ET.SubElement(root, "testsuite", {"name": "curator lint", **totals, "time": "0"})
    for name, found in by_case.items():
        test = ET.SubElement(suite, "testcase", {"classname": "curator.lint", "name": name, "time": "0"})
        _filled(test, [f for f in found if counts(f, fail_on)], [f for f in found if not counts(f, fail_on)])
    ET.indent(root, " ")
    body: bytes = ET.tostring(root, encoding="utf-8")
    return b'<?xml version="1.0" encoding="utf-8"?>\n' + body + b"\n"


def counts(finding: Finding, fail_on: Severity) -> bool:
    """Whether a finding makes a check fail."""
    return fail_on == "warning" or finding.severity == "error"


def _filled(test: ET.Element, failing: Sequence[Finding], others: Sequence[Finding]) -> None:
    if failing:  # one test has one failure: some readers count every element
        first = failing[0]
        more = f" (and {len(failing) - 1} more)" if len(failing) > 1 else ""
        failure = ET.SubElement(test, "failure", {"type": first.code, "message": visible(first.message) + more})
        failure.text = "\n".join(map(_line, failing))
    if others:
        ET.SubElement(test, "system-out").text = "\n".join(map(_line, others))


def _line(finding: Finding) -> str:
    step = f"; {finding.hint}" if finding.hint else ""
    return visible(f"{finding.severity} {finding.code} [{finding.field}] {finding.message}{step}")
