"""Dev and holdout on a real workspace: no leak goes unseen, every look is in the ledger, nothing moves by itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from curator.domain.ledger import Look, wear
from curator.errors import Conflict, InputError, UsageError
from curator.services import cases, ledger, partitions, privacy
from curator.services.obstacles import Refused
from curator.services.release import release
from curator.store import cases as stored
from curator.store.cases import Change
from tests.services.desk import ARTICLE, MEASLES, MUMPS, SIBLING, Desk

QUESTIONS = (
    ("What does a late report cost?", ARTICLE),
    ("Within how many days is an appeal lodged?", SIBLING),
    ("How long does a child with measles stay away?", MEASLES),
    ("And for mumps, which number applies?", MUMPS),
)


def set_side(desk: Desk, name: str, side: str) -> None:
    """A side as an older version, or an import, may have left it."""
    with desk.carla.write("release") as tx:
        stored.change_many(tx, [Change(stored.get(tx, name), "assigned", {"side": side})])


def with_case(desk: Desk, side: str, question: str, source: str, **body: Any) -> str:
    name = desk.approved(question, source, **body).case.id
    set_side(desk, name, side)
    return name


def test_shared_rows_reworded_questions_and_follow_ups_are_leaks(desk: Desk) -> None:
    asked = "How long does a child with measles stay away?"
    begun = ["How long does the child with measles stay away?", "And where is that kept?"]
    dev = desk.approved(asked, MEASLES).case.id
    row = desk.approved("Which number of days goes with the rash?", MEASLES).case.id
    reworded = desk.approved(f"{asked}?", SIBLING).case.id
    follow = desk.approved("", ARTICLE, turns=begun).case.id
    assert partitions.check(desk.ada).leaks == (), "as they were assigned"
    for name, side in ((dev, "dev"), (row, "holdout"), (reworded, "dev"), (follow, "dev")):
        set_side(desk, name, side)
    assert [o.words for o in partitions.check(desk.ada).leaks] == [
        f"{dev} (dev) and {row} (holdout) share a required source"
    ]
    for hidden in (reworded, follow):
        for name in (row, reworded, follow):
            set_side(desk, name, "holdout" if name == hidden else "dev")
        (leak,) = partitions.check(desk.ada).leaks
        assert leak.words.endswith(f"{hidden} (holdout) share nearly the same wording")
        assert f"{hidden} (holdout)" in leak.words
        assert "curator partition assign" in leak.step


def test_a_release_refuses_a_leak_until_a_lead_lets_it_pass(desk: Desk) -> None:
    for question, source in QUESTIONS:
        with_case(desk, "dev", question, source)
    hidden = with_case(desk, "holdout", "Which number of days goes with the rash?", MEASLES)
    assert any(o.kind == "leak" for o in release(desk.carla, "rules", dry_run=True).obstacles)
    with pytest.raises(Refused, match=r"1 leak: .* share a required source") as caught:
        release(desk.carla, "rules")
    (leak,) = caught.value.obstacles
    assert caught.value.exit_code == 1
    assert leak.name.startswith("leak: ")
    assert hidden in leak.line
    with pytest.raises(UsageError):
        release(desk.ben, "rules", waive="it is fine")
    made = release(desk.carla, "rules", waive="both rows say the same")
    manifest = json.loads((Path(made.folder) / "manifest.json").read_text())
    assert [(w["gap"], w["reason"], w["by"]) for w in manifest["waivers"]] == [
        (leak.name, "both rows say the same", "carla")
    ]
    sheet = (Path(made.folder) / "README.md").read_text()
    assert "both rows say the same" in sheet
    assert partitions.check(desk.carla).waived == (leak.name,)


def test_a_leak_is_healed_by_moving_the_group(desk: Desk) -> None:
    dev = with_case(desk, "dev", "How long does a child with measles stay away?", MEASLES)
    mate = with_case(desk, "dev", "How long does a child with measles stay away?!", MEASLES)
    hidden = with_case(desk, "holdout", "Which number of days goes with the rash?", MEASLES)
    release_first = with_case(desk, "dev", "What does a late report cost?", ARTICLE)
    release(desk.carla, "rules", waive="for now")
    with pytest.raises(UsageError, match="reason"):
        partitions.move(desk.carla, hidden, "dev", " ")
    with pytest.raises(UsageError, match="may not release"):
        partitions.move(desk.ada, hidden, "dev", "seen")
    assert partitions.move(desk.carla, dev, "holdout", "seen", dry_run=True).cases == tuple(sorted([dev, mate]))
    assert partitions.check(desk.ada).leaks
    moved = partitions.move(desk.carla, hidden, "dev", "it was shown in training")
    assert (moved.cases, moved.suites) == ((hidden,), ("rules",))
    assert partitions.check(desk.ada).leaks == ()
    assert release(desk.carla, "rules").version == "2.0.0"
    with pytest.raises(Conflict, match="already"):
        partitions.move(desk.carla, release_first, "dev", "again")


def test_open_personal_data_is_never_let_pass(desk: Desk) -> None:
    names = [with_case(desk, "dev", question, source) for question, source in QUESTIONS]
    record = cases.get(desk.ada, names[0])
    with desk.carla.write("release") as tx:
        flags = {"flags": ("privacy_open",)}
        stored.change_many(tx, [Change(stored.get(tx, record.case.id), "flagged", flags)])
    for waive in ("", "a lead says so"):
        with pytest.raises(Refused, match=f"1 personal data: {names[0]} has open personal data") as caught:
            release(desk.carla, "rules", waive=waive)
        assert f"curator privacy show {names[0]}" in caught.value.obstacles[0].line
    privacy.scan(desk.ada)
    assert release(desk.carla, "rules").outcome == "new"


def test_approved_cases_without_a_side_get_one_and_keep_it(desk: Desk) -> None:
    names = [with_case(desk, "", question, source) for question, source in QUESTIONS]
    trial = partitions.assign(desk.carla, dry_run=True)
    assert set(trial.sides) == set(names)
    assert partitions.show(desk.ada).unassigned == len(names)
    given = partitions.assign(desk.carla)
    assert given.sides == trial.sides
    assert {n: cases.get(desk.ada, n).side for n in names} == given.sides
    assert partitions.assign(desk.carla).sides == {}
    shown = partitions.show(desk.ada)
    assert (shown.unassigned, sum(shown.counts.values())) == (0, 4)
    assert all(s.near or s.why for s in shown.strata)


def test_every_look_is_entered_and_withdrawn_with_a_reason(desk: Desk) -> None:
    open_, hidden = (with_case(desk, side, q, s) for side, (q, s) in zip(("dev", "holdout"), QUESTIONS, strict=False))
    assert not ledger.look_at_case(desk.ada, open_, "case show")
    assert ledger.look_at_case(desk.ben, hidden, "case show")
    with pytest.raises(UsageError, match="engineer sees nothing"):
        ledger.look_at_case(desk.by("dan"), hidden, "case show")
    with pytest.raises(UsageError, match="may not see the holdout"):
        ledger.look_at_suite(desk.ada, "rules", "1.0.0", "elsewhere", "audit")
    with pytest.raises(UsageError, match="reason"):
        ledger.look_at_suite(desk.carla, "rules", "1.0.0", "elsewhere", " ")
    number = ledger.look_at_suite(desk.carla, "rules", "1.0.0", "elsewhere", "audit")
    assert [(e.actor, e.how, e.case_id, e.reason) for e in ledger.entries(desk.ada)] == [
        ("ben", "case show", hidden, ""),
        ("carla", "elsewhere", "", "audit"),
    ]
    worn = ledger.worn(desk.ada)
    assert (worn.whole, worn.single, worn.looks, worn.people) == (1, 1, 2, ("ada", "ben", "carla"))
    ledger.withdraw(desk.carla, number, "it did not take place")
    assert ledger.worn(desk.ada).whole == 0
    assert ledger.entries(desk.ada)[1].withdrawn == "it did not take place"
    with pytest.raises(InputError, match="no entry 9999"):
        ledger.withdraw(desk.carla, 9999, "x")


def test_a_holdout_that_was_looked_at_too_often_is_worn() -> None:
    looks = [Look(seq=n, actor=f"p{n % 3}", at="", how="gate", suite="s", version="1.0.0") for n in range(3)]
    looks += [Look(seq=n, actor="q", at="", how="case show", case_id="a-000001") for n in range(3, 7)]
    found = wear(looks, {"a-000001", "b-000001"}, {"ada"}, limit=4)
    assert (found.looks, found.worn, found.most_seen) == (5, True, (("a-000001", 4),))
    assert found.people == ("ada", "p0", "p1", "p2", "q")
    assert not wear(looks, {"a-000001", "b-000001"}, (), limit=5).worn
    assert wear(looks, set(), (), limit=2).single == 0
