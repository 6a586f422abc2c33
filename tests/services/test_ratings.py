"""People rate outputs of a run: drawn by length, blind, changed until finished, exported, erased."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest

from curator.domain.case import HIDDEN_PARTITIONS
from curator.errors import CheckFailed, Conflict, InputError, UsageError
from curator.exporting.ratings import ratings_schema
from curator.services import ledger, ratings
from curator.services.baselines import baseline
from curator.services.erasing import erase
from curator.services.home import overview
from curator.services.rating_files import load_ratings
from curator.services.rating_import import import_ratings
from curator.services.rating_results import export, results
from curator.services.rating_samples import Sample, draw
from curator.services.release import release
from curator.store import cases as stored
from curator.store.cases import Change
from tests.services.desk import ARTICLE, MEASLES, MUMPS, SIBLING, Desk

RUN = Path("runs") / "lead3-rules-1.0.0" / "run.jsonl"


@pytest.fixture(scope="module")
def made(original: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with a release of four cases, one of them in the holdout, and a run over all of it."""
    root = shutil.copytree(original, tmp_path_factory.mktemp("rated") / "desk")
    desk = Desk(root)
    desk.approved("What does a late report cost?", ARTICLE)
    desk.approved("", SIBLING, turns=["Who hears an appeal?", "Within how many days is it lodged at the office?"])
    desk.approved("How long does a child with measles stay away?", MEASLES)
    hidden = desk.approved("Which number stands beside mumps?", MUMPS).case.id
    with desk.carla.write("release") as tx:
        every = list(stored.by_status(tx, ("approved",)))
        stored.change_many(
            tx, [Change(r, "assigned", {"side": "holdout" if r.case.id == hidden else "dev"}) for r in every]
        )
    release(desk.carla, "rules")
    baseline(desk.carla, "lead3", "rules", holdout_reason="the run that is rated")
    desk.workspace.close()
    return root


@pytest.fixture
def desk(made: Path, tmp_path: Path) -> Iterator[Desk]:
    """A copy of it of this test's own."""
    opened = Desk(shutil.copytree(made, tmp_path / "desk"))
    yield opened
    opened.workspace.close()


def drawn(desk: Desk, reason: str = "") -> Sample:
    who = desk.carla if reason else desk.ada
    return draw(who, "rules", run=desk.root / RUN, holdout_reason=reason)


def rate_all(desk: Desk, actor: str, completeness: int, accuracy: int) -> None:
    for name in ratings.task(desk.by(actor), 1).case_ids:
        ratings.rate(desk.by(actor), 1, name, completeness=completeness, accuracy=accuracy)


def test_a_draw_is_the_same_by_its_seed_and_says_what_is_thin(desk: Desk) -> None:
    first, again = drawn(desk), drawn(desk)
    assert (first.sampled.cases, first.outcome, again.outcome, again.sampled.sample) == (3, "new", "same", 1)
    assert [(s.length_stratum, s.cases, s.thin) for s in first.sampled.strata] == [("2x", 3, True)]
    assert "only 3 cases there" in first.notes[0]
    assert any("1 answer to the holdout left out" in n for n in first.notes)
    assert any("of the 20 asked for" in n for n in first.notes)
    for number in (19, 31):
        with pytest.raises(UsageError, match="20 to 30"):
            draw(desk.ada, "rules", run=desk.root / RUN, n=number)
    with pytest.raises(UsageError, match="engineer"):
        draw(desk.by("dan"), "rules", run=desk.root / RUN)


def test_outputs_come_out_of_an_evaluators_results_too_by_their_questions(desk: Desk) -> None:
    rows = [{"user_input": "How long does a child with MEASLES  stay away?", "response": "Four days.\x1b[2J\ud800",
             "retrieved_contexts": []}, {"user_input": "What is the weather?", "response": "Fine."}]  # fmt: skip
    path = desk.root / "ragas.jsonl"
    path.write_text("".join(json.dumps(r) + "\n" for r in rows))
    made = draw(desk.ada, "rules", run=path)
    assert (made.sampled.cases, made.sampled.system) == (1, "ragas")
    (name,) = ratings.task(desk.ada, 1).case_ids
    shown = ratings.sheet(desk.ada, 1, name)
    assert shown.output == "Four days.\x1b[2J\ufffd", "stored as it is but for what no text is; shown one glyph each"
    assert "2 cases without an answer in the run" in made.notes
    for content in (b"", b"{}\n", b"\x00\xff", b'{"caseId": 1}\n'):
        path.write_bytes(content)
        with pytest.raises((InputError, CheckFailed)):
            draw(desk.ada, "rules", run=path)


def test_a_rater_sees_what_is_right_and_not_what_others_said(desk: Desk) -> None:
    drawn(desk)
    names = ratings.task(desk.ada, 1).case_ids
    sheets = [ratings.sheet(desk.ada, 1, n) for n in names]
    row = next(s for s in sheets if "measles" in s.turns[0])
    assert row.evidence[0].table_title == "Table 2. Exclusion from school"
    assert list(zip(row.evidence[0].table_header, row.evidence[0].table_cells, strict=True))[1] == ("Days away", "4")
    assert ("reference answer", "Up to 10 million euro.") in row.expected
    assert row.output.startswith("Article 6. Reports\nA report is due")
    follow = next(s for s in sheets if len(s.turns) == 2)
    assert len(follow.earlier) == 1
    ratings.rate(desk.ben, 1, row.case_id, completeness=1, accuracy=1, note="nothing of it")
    assert ratings.sheet(desk.ada, 1, row.case_id).said.completeness == 0
    assert ratings.sheet(desk.ben, 1, row.case_id).said.note == "nothing of it"
    with pytest.raises(Conflict, match="begun to rate"):
        results(desk.ben, 1)


def test_one_may_change_ones_mind_until_one_has_finished(desk: Desk) -> None:
    drawn(desk)
    first = ratings.task(desk.ada, 1).case_ids[0]
    ratings.rate(desk.ada, 1, first, completeness=2)
    with pytest.raises(Conflict, match="rated nothing"):
        ratings.finish(desk.ada, 1)
    ratings.rate(desk.ada, 1, first, completeness=4, accuracy=5)
    done = ratings.finish(desk.ada, 1)
    assert (done.rated, done.unrated) == (1, 2)
    with pytest.raises(Conflict, match="has finished"):
        ratings.rate(desk.ada, 1, first, completeness=1)
    (kept,) = results(desk.ada, 1).ratings
    assert (kept.completeness, kept.accuracy) == (4, 5)


def test_what_may_not_be_said_is_refused(desk: Desk) -> None:
    drawn(desk)
    first = ratings.task(desk.ada, 1).case_ids[0]
    with pytest.raises(UsageError, match="1 to 5"):
        ratings.rate(desk.ada, 1, first, completeness=6)
    with pytest.raises(CheckFailed, match="email"):
        ratings.rate(desk.ada, 1, first, completeness=3, note="ask anna.berg@example.org")
    with pytest.raises(InputError, match="no case rules-zzzzzz"):
        ratings.rate(desk.ada, 1, "rules-zzzzzz", completeness=3)
    with pytest.raises(InputError, match="no sample 7"):
        ratings.rate(desk.ada, 7, first, completeness=3)
    with pytest.raises(UsageError, match="may not review"):
        ratings.rate(desk.by("dan"), 1, first, completeness=3)


def test_results_tell_means_intervals_and_agreement_of_who_has_finished(desk: Desk) -> None:
    drawn(desk)
    rate_all(desk, "ada", 4, 5)
    rate_all(desk, "ben", 2, 5)
    ratings.finish(desk.ada, 1)
    found = results(desk.ada, 1)
    assert (found.sampled.raters, found.sampled.unfinished, len(found.ratings), found.agreement) == (("ada",), 1, 3, ())
    ratings.finish(desk.ben, 1)
    found = results(desk.carla, 1)
    every = next(s for s in found.summaries if (s.measure, s.length_stratum) == ("completeness", "all"))
    assert (every.mean, every.cases, every.ratings, every.thin) == (3, 3, 6, True)
    assert every.low < 3 < every.high
    assert found.agreement[0].within_one.value == 0
    with pytest.raises(Conflict, match="has seen the results"):
        ratings.rate(desk.carla, 1, found.ratings[0].case_id, completeness=3)


def test_the_holdout_is_rated_by_a_lead_and_each_look_is_in_the_ledger(desk: Desk) -> None:
    with pytest.raises(UsageError, match="expert"):
        draw(desk.ada, "rules", run=desk.root / RUN, holdout_reason="curious")
    sample = drawn(desk, "quarterly review")
    assert (sample.sampled.cases, sample.holdout) == (4, 1)
    task = ratings.task(desk.carla, 1)
    (hidden,) = set(task.case_ids) - set(ratings.task(desk.ada, 1).case_ids)
    assert ratings.task(desk.ada, 1).kept_back == 1
    with pytest.raises(UsageError, match="lies in the holdout"):
        ratings.sheet(desk.ada, 1, hidden)
    with pytest.raises(UsageError, match="lies in the holdout"):
        ratings.rate(desk.ada, 1, hidden, completeness=3)
    before = len(ledger.entries(desk.carla))
    for name in task.case_ids:
        ratings.sheet(desk.carla, 1, name)
    ratings.sheet(desk.carla, 1, hidden, again=True)
    (look,) = ledger.entries(desk.carla)[before:]
    assert (look.actor, look.how, look.case_id, look.version, look.reason) == (
        "carla", "ratings", hidden, "1.0.0", "sample 1"
    )  # fmt: skip
    rate_all(desk, "carla", 3, 3)
    ratings.rate(desk.carla, 1, hidden, note="it quotes mumps")
    ratings.finish(desk.carla, 1)
    notes = {r.case_id: r.note for r in results(desk.ada, 1).ratings}
    assert notes[hidden] == "", "what a note says of the holdout is a lead's"
    assert {r.partition for r in results(desk.carla, 1).ratings} & set(HIDDEN_PARTITIONS)


def test_the_export_is_by_its_schema_comes_back_and_is_the_same_bytes(desk: Desk) -> None:
    drawn(desk)
    with pytest.raises(CheckFailed, match="nobody has finished"):
        export(desk.ada, "rules")
    rate_all(desk, "ada", 4, 5)
    ratings.finish(desk.ada, 1)
    made = export(desk.carla, "rules")
    path = Path(made.path)
    assert path == desk.root / "exports" / "rules" / "1.0.0.ratings" / "human_ratings.jsonl"
    data = path.read_bytes()
    schema = json.loads(ratings_schema())
    assert (path.parent / "human_ratings.schema.json").read_bytes() == ratings_schema()
    rows = [json.loads(line) for line in data.splitlines()]
    for row in rows:
        jsonschema.validate(row, schema, cls=jsonschema.Draft202012Validator)
        assert None not in row.values()
    assert [r["kind"] for r in rows] == ["sample"] + ["summary"] * 4 + ["rating"] * 3
    assert {r["lengthStratum"] for r in rows if r["kind"] == "summary"} == {"all", "2x"}
    loaded = load_ratings(path, "rules", "1.0.0")
    assert {r.completeness for r in loaded.ratings} == {4}
    assert loaded.summaries[0].low < loaded.summaries[0].mean < loaded.summaries[0].high
    with pytest.raises(InputError, match=r"no rating of rules 9\.9\.9"):
        load_ratings(path, "rules", "9.9.9")
    assert Path(export(desk.carla, "rules").path).read_bytes() == data
    path.write_text(data.decode().replace('"completeness":4', '"completeness":9'))
    with pytest.raises(InputError, match="line 6: completeness"):
        load_ratings(path)


def test_a_table_of_a_spreadsheet_is_read_by_its_headings(desk: Desk) -> None:
    drawn(desk)
    one, two, *_ = ratings.task(desk.ada, 1).case_ids
    table = desk.root / "sheet.csv"
    table.write_text(f'\ufeffCase ID;Completeness (1-5);Accuracy (1-5);Notes\r\n{one};4;5;"short; good"\r\n;4;4;\r\n')
    report = import_ratings(desk.ada, 1, table)
    assert (report.new, [(r.row, r.reason) for r in report.rejected]) == (1, [(3, "it names no case")])
    assert report.mapping["case_id"] == "Case ID"
    (said,) = dict(ratings.task(desk.ada, 1).said).values()
    assert (said.case_id, said.completeness, said.accuracy, said.note) == (one, 4, 5, "short; good")
    table.write_text(f"caseId,completeness,accuracy\n{two},3,3,one too many\n")
    assert import_ratings(desk.ada, 1, table).new == 1


def test_ratings_from_a_table_are_entered_row_by_row(desk: Desk) -> None:
    drawn(desk)
    one, two, three = ratings.task(desk.ada, 1).case_ids
    table = desk.root / "paper.csv"
    rows = [f"{one},ada,4,5,", f"{two},ben,2,3,short", f"{one},ada,1,1,", f"{three},zoe,3,3,", f"{three},dan,3,3,",
            f"{three},ben,6,3,", f"{three},ben,3,3,ring 010-1234-5678", "rules-zzzzzz,ben,3,3,"]  # fmt: skip
    table.write_text("\n".join(["Case,rater,completeness,accuracy,note", *rows]).replace("Case", "caseId") + "\n")
    report = import_ratings(desk.ada, 1, table)
    assert (report.new, {r.row for r in report.rejected}) == (1, {3, 4, 5, 6, 7, 8, 9}), "others are entered by a lead"
    report = import_ratings(desk.carla, 1, table, dry_run=True)
    assert (report.new, report.same, len(ratings.task(desk.ben, 1).said)) == (1, 1, 0)
    report = import_ratings(desk.carla, 1, table, finish=True)
    told = {r.row: r.reason for r in report.rejected}
    assert told[4] == "duplicate"
    assert "nobody who may rate" in told[5]
    assert "nobody who may rate" in told[6], "an engineer does not rate"
    assert "6 is no number from 1 to 5" in told[7]
    assert "phone" in told[8]
    assert results(desk.carla, 1).sampled.raters == ("ada", "ben")


def test_home_tells_what_waits_and_an_erasure_reaches_every_copy(desk: Desk) -> None:
    drawn(desk)
    assert [(n.count, n.first) for n in overview(desk.ada).needs if n.kind == "ratings"] == [(3, "1")]
    first, *_ = ratings.task(desk.ada, 1).case_ids
    ratings.rate(desk.ada, 1, first, completeness=3, accuracy=3, note="as Zebulon Quist says")
    ratings.finish(desk.ada, 1)
    assert not [n for n in overview(desk.ada).needs if n.kind == "ratings"]
    path = Path(export(desk.carla, "rules").path)
    assert b"Zebulon" in path.read_bytes()
    done = erase(desk.carla, ["zebulon quist"], reason="asked for")
    assert done.ratings == ("exports/rules/1.0.0.ratings/human_ratings.jsonl",)
    assert not path.exists()
    assert "[ERASED]" in results(desk.carla, 1).ratings[0].note
    assert b"Zebulon" not in (desk.root / ".curator" / "curator.db").read_bytes()
