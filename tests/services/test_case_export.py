"""Export of cases: it comes back the same here and elsewhere, and tells nobody what they may not know."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from curator.domain.canonical import written
from curator.domain.case import Case, CaseRecord
from curator.domain.listing import ListQuery
from curator.errors import Cancelled, InputError, StorageError, UsageError
from curator.exporting.line import stored_line
from curator.exporting.read import case_from_line, read_lines
from curator.progress import Silent
from curator.services import cases, review
from curator.services.case_export import STEP, Exported, export_cases
from curator.services.changing import change_many
from curator.services.context import Context
from curator.services.importing import import_cases
from curator.services.publishing import whole_file
from tests.domain.strategies import valid_cases
from tests.services.desk import SETTINGS, SIBLING, Desk

DRAFTS = (
    Case(),
    Case(turns=("And?", "Who?\u2028\x85\x7f\u202e says so"), risk="high", notes="e\u0301 \ud800 \x00"),
    Case.model_validate({"turns": ["Q"], "attributes": [{"name": "b"}, {"name": "a", "value": "\ufffe"}]}),
    Case.model_validate(
        {
            "turns": ["Q"],
            "evidence": [{"sourceId": "doc:a", "quote": "e\u0301"}, {"sourceId": "doc:b", "role": "distractor"}],
            "keyProvisions": [{"text": "one"}, {"id": "p1", "text": "two", "sourceId": "doc:a", "page": 3}],
            "documents": [{"documentId": "doc", "pages": 9}],
        }
    ),
)


def exported(ctx: Context, query: ListQuery | None = None, **asked: object) -> tuple[bytes, Exported]:
    lines: list[str] = []
    done = export_cases(ctx, lines.append, query, **asked)  # type: ignore[arg-type]
    return "".join(lines).encode(), done


def ids(data: bytes) -> list[str]:
    return [json.loads(line)["id"] for line in data.splitlines()]


def test_what_is_exported_is_the_same_here_and_becomes_the_same_elsewhere(
    open_desk: Callable[[str], Desk],
) -> None:
    one, other = open_desk("one"), open_desk("other")
    made = [cases.new(one.ada, draft).case for draft in DRAFTS]
    made += [one.case().case, one.submitted("What does it cost?", SIBLING).case, one.case(risk="").case]
    data, done = exported(one.ada)
    assert done == Exported(written=len(made))
    assert ids(data) == sorted(c.id for c in made)
    here, there = (import_cases(desk.ada, read_lines(data, "cases.jsonl")) for desk in (one, other))
    assert (here.new, here.same, here.rejected) == (0, len(made), ())
    assert (there.new, there.same, there.rejected) == (len(made), 0, ())
    for case in made:
        assert cases.get(other.ada, case.id).case == cases.get(one.ada, case.id).case
    assert exported(other.ada)[0] == data


@given(valid_cases())
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_the_line_of_a_stored_case_gives_that_case(case: Case) -> None:
    stored = cases.at_the_door(case.model_copy(update={"risk": ""}))
    line = stored_line(CaseRecord(case=stored, content_hash=written(stored).digest))
    assert case_from_line(line) == stored
    assert line["contentHash"] == stored_line(CaseRecord(case=stored))["contentHash"]


def test_an_approved_case_keeps_its_side(open_desk: Callable[[str], Desk]) -> None:
    one, other = open_desk("one"), open_desk("other")
    record = one.approved()
    side = "dev" if record.side == "dev" else "holdout"
    line = stored_line(record)
    assert (line["partition"], line["approvals"]) == (side, 1)
    import_cases(other.ada, [(1, line)])
    assert cases.get(other.ada, record.case.id).side == side


def test_a_document_that_is_here_under_another_id_is_known_by_its_bytes(desk: Desk) -> None:
    text = json.dumps(stored_line(desk.case())).replace('"regulation', '"statute')
    line = json.loads(text) | {"id": "rules-zzzzzz", "contentHash": "", "approvals": 0}
    other = json.loads(text.replace('"statute', '"bylaw')) | {"id": "rules-yyyyyy", "contentHash": ""}
    for entry in (*other["evidence"], *other["documents"]):
        entry["documentSha256"] = "0" * 64
    report = import_cases(desk.ada, [(1, line), (2, other)])
    assert (report.new, len(report.warnings)) == (2, 1)
    assert "statute" in report.warnings[0]
    found = cases.submit(desk.ada, ["rules-zzzzzz", "rules-yyyyyy"])
    codes = [{p.code for p in result.problems} for result in found]
    assert "source-unknown" not in codes[0]
    assert "source-unknown" in codes[1]  # the same name is not the same file
    assert cases.get(desk.ada, "rules-zzzzzz").case.evidence[0].source_id.startswith("statute")
    assert import_cases(desk.ada, [(1, line)]).same == 1


def test_no_case_of_the_holdout_is_written_for_anybody(desk: Desk) -> None:
    record = desk.case()
    for n, side in enumerate(("dev", "holdout", "holdout")):
        line = stored_line(record.model_copy(update={"case": record.case.model_copy(update={"id": f"rules-00000{n}"})}))
        import_cases(desk.ada, [(1, line | {"partition": side, "approvals": 1})])
    hidden = ["rules-000001", "rules-000002"]
    for who in (desk.ada, desk.carla, desk.by("dan"), desk.by("")):
        data, done = exported(who)
        assert ids(data) == sorted([record.case.id, "rules-000000"])
        assert done == Exported(written=2, holdout=2)
        assert exported(who, names=hidden) == (b"", Exported(holdout=2))


def test_hidden_labels_are_left_out_until_they_are_known(desk: Desk) -> None:
    waiting = desk.submitted(risk="high", consequence="a fine").case.id
    single = desk.submitted("Until when are appeals lodged?", SIBLING).case.id
    draft = desk.case("Who?").case.id
    for who in (desk.ben, desk.carla, desk.by("")):
        data, done = exported(who)
        assert ids(data) == [draft]
        assert done == Exported(written=1, hidden=2)
    assert sorted(ids(exported(desk.ada)[0])) == sorted([waiting, single, draft])
    asked = exported(desk.ben, ListQuery(where=(("risk", "high"),)))[1]
    assert (asked.written, asked.unasked) == (0, 2)
    review.approve(desk.ben, waiting, desk.label())  # the second label, after the author's own
    for who in (desk.ben, desk.carla):
        data, done = exported(who)
        assert (done.hidden, done.written + done.holdout) == (1, 2)
        assert single not in ids(data)


def test_the_count_of_hidden_cases_does_not_tell_what_a_suite_selects_by(desk: Desk) -> None:
    desk.write_settings(SETTINGS + '\n[suites.grave.include]\nrisk = ["critical"]\n')
    for risk in ("low", "critical"):
        desk.submitted(f"A question of {risk}?", risk=risk, consequence="a fine")
    desk.case("Which?", risk="critical", consequence="a fine")
    assert exported(desk.ben, suite="grave")[1] == Exported(written=1, hidden=2)
    assert exported(desk.ada, suite="grave")[1] == Exported(written=2)


def test_filters_names_and_suites(desk: Desk) -> None:
    a = desk.case("First?", domain="law").case.id
    b = desk.case("Second?").case.id
    assert ids(exported(desk.ada, ListQuery(where=(("domain", "law"),)))[0]) == [a]
    assert ids(exported(desk.ada, ListQuery(contains="second"))[0]) == [b]
    assert ids(exported(desk.ada, names=[b, a, b])[0]) == sorted([a, b])
    data = exported(desk.ada, suite="rules")[0]
    assert json.loads(data.splitlines()[0])["canary"] != json.loads(exported(desk.ada)[0].splitlines()[0])["canary"]
    with pytest.raises(InputError, match="no case rules-zzzzzz"):
        exported(desk.ada, names=["rules-zzzzzz"])
    with pytest.raises(UsageError, match="no suite"):
        exported(desk.ada, suite="nowhere")
    with pytest.raises(UsageError, match="named or filtered"):
        exported(desk.ada, ListQuery(contains="x"), names=[a])


def test_more_than_one_part_is_written_once_each_and_can_be_stopped(desk: Desk) -> None:
    rows = [(n, stored_line(CaseRecord(case=Case(id=f"many-{n:06d}", turns=(f"Q {n}",))))) for n in range(2 * STEP + 1)]
    assert import_cases(desk.ada, rows).new == len(rows)
    data, done = exported(desk.ada)
    assert done.written == len(rows) == len(set(ids(data)))

    class Stopping(Silent):
        def checkpoint(self) -> None:
            if lines:
                raise Cancelled("stopped")

    lines: list[str] = []
    with pytest.raises(Cancelled):
        export_cases(desk.ada, lines.append, progress=Stopping())
    assert 0 < len(lines) <= STEP
    assert change_many(desk.ada, [f"many-{n:06d}" for n in range(3)], add_tags=["x"])[0].outcome == "done"


def test_a_file_is_whole_or_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text("before")

    def half() -> None:
        with whole_file(path) as stream:
            stream.write(b"half")
            raise Cancelled("stopped")

    with pytest.raises(Cancelled):
        half()
    assert (path.read_text(), [p.name for p in tmp_path.iterdir()]) == ("before", ["cases.jsonl"])
    link = tmp_path / "link.jsonl"
    link.symlink_to(path)
    with whole_file(link) as stream:
        stream.write(b"after")
        assert path.read_text() == "before"
    assert (path.read_text(), link.is_symlink(), len(list(tmp_path.iterdir()))) == ("after", True, 2)
    with pytest.raises(UsageError, match="is no file"), whole_file(tmp_path):
        pass
    with pytest.raises(StorageError, match="No such file"), whole_file(tmp_path / "nowhere" / "x"):
        pass
