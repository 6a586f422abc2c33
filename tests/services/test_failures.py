"""From a log to a case: imported once, nothing personal anywhere, folded, confirmed, promoted, erased."""

from __future__ import annotations

import json
import sqlite3
import unicodedata
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from curator.domain.canonical import case_hash
from curator.domain.case import Case
from curator.domain.failure import Wanted
from curator.domain.listing import ListQuery
from curator.errors import CheckFailed, Conflict, UsageError
from curator.parsing.logs import Profile
from curator.services import (
    cases,
    drafts,
    erasing,
    failures,
    folds,
    privacy,
    profiles,
    rescue,
    retiring,
    sampling,
    undo,
)
from curator.services.clusters import clusters
from curator.services.coverage import Board
from curator.services.failure_import import LogReport, import_log
from curator.services.wanted import wanted
from tests.services.desk import SETTINGS, Desk

ROWS = [
    "2026-03-01T09:00:00Z,s1,rules,How long must a child with measles stay at home?,Four days.,[]",
    "2026-03-01T09:01:00Z,s1,rules,And if the rash is gone?,Then at once.,[]",
    "2026-03-02T09:00:00Z,s2,rules,how long must a child with measles stay at home??,Two days.,[]",
    "2026-03-02T10:00:00Z,s3,office,Où est la clé du café?,Au bureau.,\"[\"\"Key | office\"\"]\"",
    "2026-03-03T10:00:00Z,s4,office,Call +44 20 7946 0958 or ada@example.org. Who keeps the register?,The office.,[]",
]  # fmt: skip


def log(folder: Path, rows: list[str] | None = None, name: str = "log.csv", newline: str = "\n") -> Path:
    path = folder / name
    path.write_bytes(newline.join([*(rows or ROWS), ""]).encode())
    return path


def taken(desk: Desk, path: Path, **options: object) -> LogReport:
    return import_log(desk.ada, path, names=False, accept_residual_names=True, **options)  # type: ignore[arg-type]


def release_all(desk: Desk) -> None:
    """Confirm every quarantined row, as a person would, one by one."""
    ctx = desk.ada
    for line in failures.page_of(ctx, quarantined=True, limit=0):
        confirmed(desk, line.id)


def confirmed(desk: Desk, name: str) -> None:
    seen = privacy.review(desk.ada, name)
    assert privacy.texts(desk.ada, name) == seen.fields, "the scrub view shows them before the model is loaded"
    privacy.confirm(desk.ada, name, seen.hash, [s.key for s in seen.spots])


def test_the_same_log_again_gives_nothing_new(desk: Desk, tmp_path: Path) -> None:
    assert (taken(desk, log(tmp_path)).new, taken(desk, log(tmp_path)).same) == (5, 5)
    assert taken(desk, log(tmp_path, newline="\r\n")).new == 0
    assert taken(desk, log(tmp_path, ROWS[::-1])).new == 0
    assert taken(desk, log(tmp_path, [unicodedata.normalize("NFD", r) for r in ROWS])).new == 0
    assert taken(desk, log(tmp_path, [*ROWS, ROWS[0].replace("s1", "s9")])).new == 1


def test_a_record_with_an_id_of_its_own_changes_and_comes_back(desk: Desk, tmp_path: Path) -> None:
    lines = [
        '{"id":"r1","question":"q?","answer":"a"}',
        '{"answer":"a","question":"q?","id":"r1"}',
        '{"id":"r1","question":"q?","answer":"b"}',
    ]
    report = taken(desk, log(tmp_path, lines, "log.jsonl"))
    assert (report.new, report.same, report.changed) == (1, 1, 1)
    again = taken(desk, log(tmp_path, lines[::-1], "log.jsonl"))
    assert (again.new, again.same, again.changed) == (0, 3, 0)
    assert failures.get(desk.ada, "f1").answer == "b"


def test_a_dry_run_says_all_and_writes_nothing(desk: Desk, tmp_path: Path) -> None:
    report = taken(desk, log(tmp_path), dry_run=True)
    assert (report.new, len(report.preview), report.masked) == (5, 5, {"email": 1, "phone": 1})
    assert 0 < report.index_bytes <= 2500 * 5
    assert not failures.batches(desk.ada)


def test_nothing_personal_is_left_anywhere(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    marks = {
        "phone": "+44 20 7946 0958", "email": "marker.person@example.org", "card": "4111 1111 1111 1111", "key": "sk-TESTONLYMARKER00000000000000001",
        "iban": "DE89370400440532013000", "ssn": "987-65-4321", "url": "https://ann:MARKERPW@db.example.org/x",
    }  # fmt: skip
    lines = [
        {"id": marks["ssn"], "session": marks["email"], "question": f"Mine is {marks['phone']}?", "answer": marks["card"], "contexts": [f"see {marks['key']}", {"text": "t", "source": marks["url"]}]},
        {"question": f"And {marks['iban']}?", "route": marks["email"], "error": marks["url"], "messages": [{"role": "user", "content": marks["ssn"]}]},
        {"question": {"bad": marks["email"]}},
        {"question": "x", "question ": marks["phone"], "score": marks["card"], "time": marks["phone"]},
    ]  # fmt: skip
    (tmp_path / "temp").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temp"))
    text = [json.dumps(line) for line in lines] + [
        '{"question":"' + marks["email"] + '","question":"' + marks["iban"] + '"}',
        '{"broken ' + marks["ssn"],
    ]
    report = taken(desk, log(tmp_path, text, "log.jsonl"), profile=Profile(columns={"question": "question"}))
    assert report.rejected
    root = desk.ada.root
    written = [p for p in (*root.rglob("*"), *(tmp_path / "temp").rglob("*")) if p.is_file()]
    assert any(p.name.startswith("batch-") for p in written)
    for path in written:
        content = path.read_bytes()
        assert not [k for k, m in marks.items() if m.encode() in content or m.replace(" ", "").encode() in content], (
            path
        )
    assert not [m for m in marks.values() if m in report.model_dump_json()]


def test_without_a_look_for_names_it_must_be_accepted_and_is_quarantined(desk: Desk, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="nobody would look"):
        import_log(desk.ada, log(tmp_path), names=False)
    assert taken(desk, log(tmp_path)).quarantined
    ctx = desk.ada
    assert (failures.count(ctx), failures.count(ctx, quarantined=True)) == (0, 5)
    assert not failures.queue(ctx)
    assert not folds.suggested(ctx, semantic=False)
    assert not clusters(ctx, semantic=False).clusters
    with pytest.raises(CheckFailed, match="quarantine"):
        failures.begin(ctx, "f1", semantic=False)
    confirmed(desk, "f1")
    assert [line.id for line in failures.page_of(ctx)] == ["f1"]


def test_a_quarantine_expires(open_desk: Callable[..., Desk], tmp_path: Path) -> None:
    import dataclasses

    desk = open_desk()
    taken(desk, log(tmp_path))
    confirmed(desk, "f1")
    later = dataclasses.replace(desk.ada, now=lambda: "2099-01-01T00:00:00Z")
    assert privacy.expire(later) == 4
    assert [line.id for line in failures.page_of(later)] == ["f1"]
    assert privacy.expire(later) == 0


def test_promotion_needs_a_confirmed_text_and_makes_a_draft(desk: Desk, tmp_path: Path) -> None:
    taken(desk, log(tmp_path))
    release_all(desk)
    ctx = desk.ada
    failures.set_stage(ctx, ["f1"], "ranking")
    privacy.replace_values(ctx, "f1", {"Four": "person"})
    with pytest.raises(CheckFailed, match="not confirmed"):
        failures.promote(ctx, "f1")
    confirmed(desk, "f1")
    begun = failures.begin(ctx, "f1", semantic=False)
    assert (begun.must_not_claim, begun.same_fold) == ("[PERSON_1] days.", ("f3",))
    case = cases.get(ctx, failures.promote(ctx, "f1", must_not_claim=True)).case
    assert (case.turns, case.route, case.failure_stage, case.origin) == (
        ("How long must a child with measles stay at home?",), "rules", "ranking", "production",
    )  # fmt: skip
    assert case.must_not_claim == ("[PERSON_1] days.",)
    assert failures.get(ctx, "f3").duplicate_of == "f1"
    with pytest.raises(Conflict, match="promoted"):
        failures.promote(ctx, "f1")
    with pytest.raises(Conflict, match="promoted"):
        failures.reopen(ctx, ["f1"])
    retiring.retire(ctx, [case.id], "asked twice")
    failures.reopen(ctx, ["f1"])
    assert (failures.get(ctx, "f1").state, failures.get(ctx, "f1").case_id) == ("new", "")


def test_a_follow_up_brings_the_turns_before_it(desk: Desk, tmp_path: Path) -> None:
    taken(desk, log(tmp_path))
    release_all(desk)
    assert failures.begin(desk.ada, "f2", semantic=False).case.turns == (
        "How long must a child with measles stay at home?", "And if the rash is gone?",
    )  # fmt: skip


def test_a_confirmation_is_bound_to_the_text_and_to_every_spot(desk: Desk, tmp_path: Path) -> None:
    taken(desk, log(tmp_path, ["question,answer", "Where is Quorl Zembla on 2024-05-01?,here"]))
    ctx = desk.ada
    seen = privacy.review(ctx, "f1")
    assert {s.text for s in seen.spots} == {"Quorl Zembla", "2024-05-01"}
    with pytest.raises(CheckFailed, match="not ticked"):
        privacy.confirm(ctx, "f1", seen.hash, [seen.spots[0].key])
    privacy.replace_values(ctx, "f1", {"Quorl Zembla": "person"})
    with pytest.raises(Conflict, match="changed since"):
        privacy.confirm(ctx, "f1", seen.hash, [s.key for s in seen.spots])
    assert failures.get(ctx, "f1").question == "Where is [PERSON_1] on 2024-05-01?"


def test_a_name_that_was_missed_leaves_nothing_behind(desk: Desk, tmp_path: Path) -> None:
    lines = [
        json.dumps(
            {
                "question": "What about zorba quux, please?",
                "answer": "Ask zorba quux.",
                "contexts": ["by zorba quux"],
                "session": "s",
            }
        )
    ]
    taken(desk, log(tmp_path, lines, "log.jsonl"))
    changed = privacy.replace_values(desk.ada, "f1", {"zorba quux": "person"})
    assert (changed.question, changed.answer, changed.contexts[0].text) == (
        "What about [PERSON_1], please?",
        "Ask [PERSON_1].",
        "by [PERSON_1]",
    )
    with desk.ada.db.read() as tx:
        rows = "".join(
            str(tuple(r))
            for t in ("failure", "wording", "failure_context", "event")
            for r in tx.session.connection().exec_driver_sql(f"select * from {t}")
        )
    assert "zorba" not in rows
    assert folds.opened(desk.ada, changed.fold).size == 1


def test_a_hard_finding_blocks_a_case_until_it_is_allowed_with_a_reason(desk: Desk) -> None:
    ctx = desk.ada
    name = cases.new(ctx, Case(turns=("May I write to desk@example.org?",))).case.id
    seen = privacy.review(ctx, name)
    with pytest.raises(CheckFailed, match="email"):
        privacy.confirm(ctx, name, seen.hash)
    assert [(s.id, s.hard) for s in privacy.scan(ctx) if s.hard] == [(name, 1)]
    assert "privacy_open" in cases.get(ctx, name).flags
    with pytest.raises(UsageError, match="reason"):
        privacy.allow(ctx, "desk@example.org", " ")
    privacy.allow(ctx, "desk@example.org", "the public desk", kind="email", case_id=name)
    privacy.confirm(ctx, name, seen.hash)
    assert not [s for s in privacy.scan(ctx) if s.hard]
    assert "privacy_open" not in cases.get(ctx, name).flags


def test_folds_are_opened_undone_and_stay_undone(desk: Desk, tmp_path: Path) -> None:
    rows = [
        f"2026-03-01T09:0{n}:00Z,s{n},r,How long must a child with {w} stay at home,x,[]"
        for n, w in enumerate(("measles", "measles", "measels"))
    ]
    taken(desk, log(tmp_path, rows))
    ctx = desk.ada
    (middle,) = {failures.get(ctx, f"f{n}").fold for n in (1, 2, 3)}
    opened = folds.opened(ctx, middle)
    assert (opened.size, opened.failures, len(opened.members)) == (3, ("f1", "f2", "f3"), 2)
    folds.unfold(ctx, [m.wording for m in opened.members if not m.is_middle])
    assert failures.get(ctx, "f3").fold != middle
    taken(desk, log(tmp_path, [rows[2].replace("s2", "s7")]))
    assert failures.get(ctx, "f4").fold == failures.get(ctx, "f3").fold != middle
    folds.judge(ctx, failures.get(ctx, "f3").fold, middle, "same")
    assert failures.get(ctx, "f4").fold == failures.get(ctx, "f1").fold


def test_dismissal_duplicates_and_back(desk: Desk, tmp_path: Path) -> None:
    taken(desk, log(tmp_path))
    release_all(desk)
    ctx = desk.ada
    with pytest.raises(UsageError, match="reason"):
        failures.dismiss(ctx, ["f1"], " ")
    failures.dismiss(ctx, ["f1"], "the answer was right")
    failures.mark_duplicate(ctx, ["f3"], "f1")
    assert {line.id for line in failures.page_of(ctx)} >= {"f1", "f3"}
    assert {i.failure_id for i in failures.queue(ctx)} == {"f2", "f4", "f5"}
    failures.reopen(ctx, ["f1", "f3"])
    assert len(failures.queue(ctx)) == 4


def test_samples_are_seeded_and_thin_strata_say_so(desk: Desk, tmp_path: Path) -> None:
    rows = [f"2026-03-01T09:00:{n:02}Z,s{n},{'big' if n else 'thin'},Is number {n} allowed?,yes,[]" for n in range(30)]
    taken(desk, log(tmp_path, rows))
    release_all(desk)
    ctx = desk.ada
    drawn = sampling.sample(ctx, per=5, least=5, seed=3)
    assert [(s.value, s.total, len(s.taken), bool(s.note)) for s in drawn.strata] == [
        ("big", 29, 5, False),
        ("thin", 1, 1, True),
    ]
    assert sampling.sample(ctx, per=5, least=5, seed=3) == drawn
    assert sampling.sample(ctx, per=5, least=5, seed=4) != drawn
    told = sampling.stats(ctx)
    assert (told.total, [c.value for c in told.by_week]) == (30, ["2026-W09"])
    assert told.unknown_to_cases["route"] == {"big": 29, "thin": 1}


def test_a_profile_is_kept_with_the_comments_of_the_file(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk()
    ctx = desk.ada
    before = (ctx.root / "curator.toml").read_text("utf-8")
    (ctx.root / "curator.toml").write_text("# mine\n" + before, "utf-8")
    profiles.save(ctx, "chat", Profile(format="table", header=False, columns={"question": "2"}))
    text = (ctx.root / "curator.toml").read_text("utf-8")
    assert text.startswith("# mine\n" + before.rstrip("\n")[:20])
    assert profiles.named(open_desk().ada, "chat").columns == {"question": "2"}
    with pytest.raises(Conflict, match="changed since"):
        profiles.save(ctx, "other", Profile())


def test_erasing_takes_a_name_out_of_everything(desk: Desk, tmp_path: Path) -> None:
    name = "Zorbalina Quxford"
    ctx = desk.ada
    taken(desk, log(tmp_path, ["question,answer", f'"What did {name} say of ""rules""?",nothing']))
    confirmed(desk, "f1")
    case_id = failures.promote(ctx, "f1")
    record = cases.get(ctx, case_id)
    cases.save(ctx, record.case.model_copy(update={"notes": f"asked  by {name.upper()}"}), record.version)
    drafts.keep(ctx, Case(turns=(f"draft of {name}",)), 0, key="new-1")
    backups = ctx.hidden / "backups"
    backups.mkdir(exist_ok=True)
    (backups / "old.db").write_bytes(ctx.db.path.read_bytes())
    (backups / "broken.db").write_bytes(b"SQLite format 3\0" + name.encode())
    (ctx.hidden / "curator.db.20260101T000000Z.aside").write_bytes(ctx.db.path.read_bytes())
    (ctx.root / "datasets" / "log.csv").write_text(f"question\n{name}?\n")
    rescue.keep(ctx.root, "ada", [drafts.Typed(Case(turns=(f"rescued from {name}",)), 0, "new-2")], {"why": [name]})
    for begun in (
        "backup-killed/curator.db",
        "backups/.daily-1.db.7.part",
        "rescue/.typed-7.json.part",
        "rejects/list.csv",
    ):
        (ctx.hidden / begun).parent.mkdir(exist_ok=True)
        (ctx.hidden / begun).write_text(name)  # as a program that was killed leaves it
    with closing(sqlite3.connect(backups / "older.db")) as older:
        older.executescript((Path(__file__).parents[1] / "store" / "schemas" / "0014.sql").read_text("utf-8"))
        was = older.execute("select content, content_hash from golden_case where content like '%한국어%'").fetchone()
        older.execute("update golden_case set content = replace(content, '한국어', ?)", (name,))
        older.commit()
    with pytest.raises(UsageError, match="reason holds"):
        erasing.erase(desk.carla, [name], reason=f"{name} asked")
    done = erasing.erase(desk.carla, [name], reason="request 812")
    assert done.rows["failure"] >= 1
    assert done.rows["golden_case"] == 1
    assert done.remaining == ("datasets/log.csv",)  # what is not ours to change is named
    (ctx.root / "datasets" / "log.csv").unlink()
    with closing(sqlite3.connect(backups / "older.db")) as older:
        (now,) = older.execute("select content, content_hash from golden_case where content like '%ERASED%'").fetchall()
    assert was[1] != now[1] == case_hash(Case.model_validate_json(now[0]))  # a hash tells whoever guesses
    for path in (p for p in ctx.root.rglob("*") if p.is_file()):
        content = path.read_bytes().lower()
        assert b"zorbalina" not in content, path
        assert b"quxford" not in content, path
    assert cases.get(ctx, case_id).case.turns == ('What did [ERASED] say of "rules"?',)
    from curator.services.doctor import examine

    assert not examine(ctx).problems


def test_erasing_a_failure_leaves_a_tombstone_alone(desk: Desk, tmp_path: Path) -> None:
    taken(desk, log(tmp_path))
    ctx = desk.ada
    done = erasing.erase(desk.carla, failure_ids=["f4"], reason="request 813")
    assert (done.failures, done.tombstone > 0) == (1, True)
    assert b"caf\xc3\xa9" not in ctx.db.path.read_bytes()
    assert failures.count(ctx, quarantined=True) == 4


def test_every_decision_can_be_taken_back_and_made_again(desk: Desk, tmp_path: Path) -> None:
    taken(desk, log(tmp_path))
    ctx = desk.ada
    confirmed(desk, "f1")
    assert undo.undo(ctx)
    assert failures.get(ctx, "f1").quarantined
    assert undo.redo(ctx)
    assert not failures.get(ctx, "f1").quarantined
    release_all(desk)

    def standing() -> list[tuple[str, str, str, str]]:
        return [(f.id, f.state, f.stage, f.reason) for f in (failures.get(ctx, f"f{n}") for n in range(1, 6))]

    stood = [standing()]
    for decision in (
        lambda: failures.set_stage(ctx, ["f1", "f2"], "ranking"),
        lambda: failures.dismiss(ctx, ["f2", "f4"], "right as it was"),
        lambda: failures.mark_duplicate(ctx, ["f5"], "f1"),
        lambda: failures.reopen(ctx, ["f2"]),
        lambda: failures.promote(ctx, "f1"),
    ):
        decision()
        stood.append(standing())
    assert stood[-1][2] == ("f3", "duplicate", "", "")
    for before in stood[-2::-1]:
        assert undo.undo(ctx)
        assert standing() == before
    for after in stood[1:]:
        assert undo.redo(ctx)
        assert standing() == after
    case = failures.get(ctx, "f1").case_id
    assert cases.get(ctx, case).status == "draft"


def test_a_promotion_that_is_taken_back_retires_its_case(desk: Desk, tmp_path: Path) -> None:
    taken(desk, log(tmp_path))
    release_all(desk)
    name = failures.promote(desk.ada, "f1")
    assert undo.undo(desk.ada)
    assert (failures.get(desk.ada, "f1").state, failures.get(desk.ada, "f1").case_id) == ("new", "")
    assert cases.get(desk.ada, name).status == "retired"


def test_an_undo_gives_way_to_what_another_person_decided_since(desk: Desk, tmp_path: Path) -> None:
    taken(desk, log(tmp_path))
    release_all(desk)
    failures.set_stage(desk.ada, ["f1"], "ranking")
    failures.dismiss(desk.carla, ["f1"], "known")
    with pytest.raises(Conflict, match="dismissed f1"):
        undo.undo(desk.ada)


def test_folds_are_taken_back_and_joined_again(desk: Desk, tmp_path: Path) -> None:
    taken(desk, log(tmp_path))
    release_all(desk)
    ctx = desk.ada
    one, two = failures.get(ctx, "f1").fold, failures.get(ctx, "f4").fold
    folds.judge(ctx, one, two, "same")
    assert failures.get(ctx, "f4").fold == one
    assert undo.undo(ctx)
    assert failures.get(ctx, "f4").fold == two
    assert undo.redo(ctx)
    folds.unfold(ctx, [two])
    assert failures.get(ctx, "f4").fold == two
    assert undo.undo(ctx)
    assert failures.get(ctx, "f4").fold == one


def test_the_queue_begins_with_what_the_golden_set_lacks(desk: Desk, tmp_path: Path) -> None:
    taken(desk, log(tmp_path))
    release_all(desk)
    ctx = desk.ada
    gaps = [Wanted(words="route office: 0 of 3", routes=("office",))]
    first = failures.queue(ctx, wanted=gaps)[0]
    assert (first.route, first.reasons[0]) == ("office", "fills a gap: route office: 0 of 3")
    assert failures.queue(ctx)[0].route == "rules"
    assert [i.failure_id for i in failures.queue(ctx, start=1, limit=2)] == [
        i.failure_id for i in failures.queue(ctx)[1:3]
    ]
    assert failures.queue_length(ctx, route="office") == len(failures.queue(ctx, route="office")) == 2
    only = ListQuery(contains="register")
    assert [i.failure_id for i in failures.queue(ctx, only)] == ["f5"]


def test_placeholders_of_one_conversation_never_stand_for_two_people(desk: Desk, tmp_path: Path) -> None:
    head = "timestamp,session,question,answer"
    first = log(tmp_path, [head, "2026-03-01,s1,Is ada@example.org right?,Yes.", "2026-03-01,s2,Is b@example.org?,No."])
    later = ["2026-03-02,s1,And cy@example.org?,No.", "2026-03-02,s3,Is d@example.org here?,No."]
    taken(desk, first)
    taken(desk, log(tmp_path, [head, *later], "later.csv"))
    ctx = desk.ada
    asked = {f.session: [] for f in (failures.get(ctx, f"f{n}") for n in range(1, 5))}  # type: ignore[var-annotated]
    for n in range(1, 5):
        asked[failures.get(ctx, f"f{n}").session].append(failures.get(ctx, f"f{n}").question)
    assert asked == {
        "s1": ["Is [EMAIL_1] right?", "And [EMAIL_2]?"],
        "s2": ["Is [EMAIL_1]?"],
        "s3": ["Is [EMAIL_1] here?"],
    }
    assert taken(desk, first).new == 0
    privacy.replace_values(ctx, "f4", {"here": "person"})
    assert failures.get(ctx, "f4").question == "Is [EMAIL_1] [PERSON_1]?"


def test_a_name_replaced_by_hand_is_not_left_in_the_file(desk: Desk, tmp_path: Path) -> None:
    taken(desk, log(tmp_path, ["question,answer", "What did zorbalina say?,Ask zorbalina."]))
    seen = privacy.review(desk.ada, "f1")
    privacy.replace_values(desk.ada, "f1", {"zorbalina": "person"})
    for path in desk.ada.hidden.glob("*.db*"):
        assert b"zorbalina" not in path.read_bytes(), path
    with pytest.raises(Conflict, match="changed since"):
        privacy.scrub_failure(desk.ada, "f1", seen.hash, [])


def test_an_unmet_quota_is_what_the_queue_begins_with(desk: Desk, tmp_path: Path) -> None:
    quotas = '[[suites.s.quotas]]\nwhere = { route = "office" }\nminimum = 3\n[[suites.s.quotas]]\nminimum = 500\n'
    desk.write_settings(f"{SETTINGS}\n[suites.s]\n{quotas}")
    taken(desk, log(tmp_path))
    release_all(desk)
    gaps = wanted(Board(desk.ada))
    assert [(g.routes, g.documents) for g in gaps] == [(("office",), ())]
    first = failures.queue(desk.ada, wanted=gaps)[0]
    assert (first.route, first.reasons[0]) == ("office", f"fills a gap: {gaps[0].words}")
