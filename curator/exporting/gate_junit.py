"""A gate as JUnit XML: a test for each case and one for each rule, so that CI lists what failed."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from curator.domain.gate_report import GateReport
from curator.text import visible


def gate_junit(report: GateReport) -> bytes:
    """Two test suites: the rules (what blocks), and the cases. A harness error is an error, a missing case is skipped.

    Outside text is escaped, and its control characters are shown as glyphs: XML 1.0 cannot hold them.
    """
    root = ET.Element("testsuites", {"name": visible(f"curator gate {report.suite} {report.version}")})
    _rules(root, report)
    _cases(root, report)
    ET.indent(root, " ")
    body: bytes = ET.tostring(root, encoding="utf-8")
    return b'<?xml version="1.0" encoding="utf-8"?>\n' + body + b"\n"


def _rules(root: ET.Element, report: GateReport) -> None:
    suite = ET.SubElement(
        root, "testsuite", {"name": "rules", **_totals(max(1, len(report.blocks)), len(report.blocks))}
    )
    for line in report.blocks:
        test = ET.SubElement(suite, "testcase", {"classname": "curator.gate.rules", "name": line.code, "time": "0"})
        failure = ET.SubElement(test, "failure", {"type": line.code, "message": visible(line.text)})
        failure.text = visible(f"{line.text}; {line.step}\n{', '.join(line.cases)}", lines=True)
    if not report.blocks:
        ET.SubElement(suite, "testcase", {"classname": "curator.gate.rules", "name": "every rule", "time": "0"})


def _cases(root: ET.Element, report: GateReport) -> None:
    failed = {f.case_id: f for f in report.failed}
    totals = _totals(len(report.cases), len(failed), len(report.harness), len(report.missing))
    suite = ET.SubElement(root, "testsuite", {"name": visible(f"{report.suite} {report.version}"), **totals})
    harness, missing = frozenset(report.harness), frozenset(report.missing)
    for name in report.cases:
        about = {"classname": visible(f"curator.gate.{report.suite}"), "name": visible(name), "time": "0"}
        test = ET.SubElement(suite, "testcase", about)
        if name in harness:
            ET.SubElement(test, "error", {"type": "harness", "message": "the harness failed"})
        elif name in missing:
            ET.SubElement(test, "skipped", {"message": "the run has no line for it"})
        elif name in failed:
            found = failed[name]
            why = visible("; ".join(found.why))
            ET.SubElement(test, "failure", {"type": found.stage, "message": why}).text = f"{found.risk} risk: {why}"


def _totals(tests: int, failures: int, errors: int = 0, skipped: int = 0) -> dict[str, str]:
    counts = {"tests": tests, "failures": failures, "errors": errors, "skipped": skipped}
    return {name: str(n) for name, n in counts.items()} | {"time": "0"}
