"""`curator lint` and `curator review agreement` as CI and people use them."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

from tests.cli.conftest import Cli
from tests.services.desk import SETTINGS, Desk

ODD = "77 million \x1b[31m euro < & ]]> \u202e"


def test_exit_codes_by_severity(cli: Cli, desk: Desk) -> None:
    assert cli("lint").code == 0
    record = desk.case(referenceAnswer="Up to 77 million euro.", risk="low")
    told = cli("lint")
    assert told.code == 0
    assert record.case.id in told.out
    assert "value-unsupported" in told.out
    assert "→" in told.out
    failed = cli("lint", "--fail-on", "warning")
    assert failed.code == 1
    assert "0 errors, 1 warning in 1 case" in failed.err
    desk.case(source="", risk="low")
    assert cli("lint").code == 1
    assert cli("lint", "--fail-on", "never").code == 2
    assert cli("lint", "rules-zzzzzz").code == 3
    assert cli("lint", "--json", "--sarif", "-").code == 2
    (desk.root / "curator.toml").write_text(SETTINGS + '[checks]\nevidence-missing = "off"\n')
    assert cli("lint").code == 3


def test_json_sarif_and_junit_say_the_same(cli: Cli, desk: Desk, tmp_path: Path) -> None:
    good = desk.case(risk="low")
    odd = desk.case("How much is a false report?", referenceAnswer=ODD, risk="low", tags=["a"])
    empty = desk.case("Who pays?", source="", risk="low")
    done = cli("lint", "--json", "--sarif", tmp_path / "l.sarif", "--junit", tmp_path / "l.xml")
    said = json.loads(done.out)
    assert (done.code, said["checked"], said["error"]) == (1, 3, 1)
    found = {(f["caseId"], f["code"]) for f in said["findings"]}
    assert {(odd.case.id, "value-unsupported"), (empty.case.id, "evidence-missing")} <= found
    log = json.loads((tmp_path / "l.sarif").read_text())
    (run,) = log["runs"]
    assert log["version"] == "2.1.0"
    rules = run["tool"]["driver"]["rules"]
    assert len(run["results"]) == len(said["findings"])
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in ("error", "warning")
        (place,) = result["locations"]
        assert (desk.root / place["physicalLocation"]["artifactLocation"]["uri"]).exists()
        assert (place["logicalLocations"][0]["fullyQualifiedName"].split(".")[0], result["ruleId"]) in found
    assert len({json.dumps(r["partialFingerprints"]) for r in run["results"]}) == len(run["results"])
    suite = ET.parse(tmp_path / "l.xml").getroot()[0]
    tests = {t.get("name"): [child.tag for child in t] for t in suite}
    assert tests == {good.case.id: [], odd.case.id: ["system-out"], empty.case.id: ["failure"]}
    assert (suite.get("tests"), suite.get("failures")) == ("3", "1")
    cli("lint", "--junit", tmp_path / "l.xml", "--fail-on", "warning")
    assert ET.parse(tmp_path / "l.xml").getroot()[0].get("failures") == "2"


def test_one_format_alone_goes_to_stdout(cli: Cli, desk: Desk) -> None:
    desk.case(risk="low")
    assert json.loads(cli("lint", "--sarif", "-").out)["version"] == "2.1.0"
    assert ET.fromstring(cli("lint", "--junit", "-").out).tag == "testsuites"
    assert cli("lint", "--sarif", desk.root / "none" / "l.sarif").code == 74


def test_the_checks_are_listed_with_their_severity_here(cli: Cli, desk: Desk) -> None:
    (desk.root / "curator.toml").write_text(SETTINGS + '[checks]\nunit-differs = "error"\n')
    rows = {r["code"]: r["severity"] for r in json.loads(cli("lint", "--list", "--json").out)}
    assert (rows["unit-differs"], rows["value-unsupported"], rows["evidence-missing"]) == ("error", "warning", "error")
    assert "near-duplicate-conflict" in cli("lint", "--list").out


def test_agreement_on_the_command_line(cli: Cli) -> None:
    told = cli("review", "agreement", "--by", "domain")
    assert told.code == 0
    assert "undefined because no case has two labels" in told.err
    assert json.loads(cli("review", "agreement", "--json").out)["overall"][0]["kappa"]["value"] is None
    assert cli("review", "agreement", "--by", "shoe size").code == 2
