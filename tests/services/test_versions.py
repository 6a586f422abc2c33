"""What comes after a first release: why the next is called so, what is held, yanked, fetched, compared, verified."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from curator.domain.case import Case
from curator.errors import CheckFailed, Conflict, CuratorError, InputError, UsageError
from curator.services import cases, editorial, fetching, ledger, reconfirm, retiring, review, suite_diff, yanking
from curator.services.earlier import Rule
from curator.services.erasing import erase
from curator.services.ingest import Facts, ingest
from curator.services.obstacles import Refused
from curator.services.partitions import move
from curator.services.release import Released, release, suites
from curator.services.released_folder import yanked
from curator.services.released_version import recorded
from curator.services.reproduce import reproduce
from curator.services.targets import export, released
from curator.services.verifying import verified, verify
from tests.services.desk import ARTICLE, ARTICLES, MEASLES, SETTINGS, SIBLING, Desk, desks, write_pdf

AMENDED = tuple((title, text.replace("up to 10 million", "up to 12 million")) for title, text in ARTICLES)


@pytest.fixture(scope="session")
def first(approved: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The approved cases, released as rules 1.0.0."""
    folder = tmp_path_factory.mktemp("first")
    opens = desks(approved, folder)
    assert release(next(opens)().carla, "rules").version == "1.0.0"
    next(opens, None)
    return folder / "desk"


@pytest.fixture
def desk(first: Path, tmp_path: Path) -> Iterator[Desk]:
    opens = desks(first, tmp_path)
    yield next(opens)()
    next(opens, None)


def on(desk: Desk, side: str, source: str = "") -> str:
    """A case of this side, on this source."""
    for line in cases.page_of(desk.ada):
        record = cases.get(desk.ada, line.id)
        if record.side == side and source in ("", *record.case.expected_source_ids):
            return line.id
    raise AssertionError(f"no case in {side} on {source}")


def change(desk: Desk, name: str, *, again: bool = True, **changed: Any) -> None:
    record = cases.get(desk.ada, name)
    saved = cases.save(
        desk.ada, Case.model_validate({**record.case.model_dump(by_alias=True), **changed}), record.version
    )
    if again and saved.status == "draft":
        cases.submit(desk.ada, [name])
        review.approve(desk.ben, name)


def revise(desk: Desk, tmp_path: Path) -> None:
    folder = tmp_path / "revised"
    folder.mkdir()
    path = write_pdf(folder / "regulation.pdf", articles=AMENDED)
    (result,) = ingest(desk.ada, [path], Facts(revision_of="regulation"))
    assert result.outcome == "changed"


def told(made: Released) -> list[tuple[str, str, str]]:
    return [(c.id, c.what, c.level) for c in made.changes]


def manifest(made: Released) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((Path(made.folder) / "manifest.json").read_text())
    return loaded


def changes_page(made: Released) -> str:
    return (Path(made.folder) / "CHANGES.md").read_text()


# --- what a version is called


def test_a_change_is_told_with_both_texts_and_a_holdout_case_by_its_fields(desk: Desk) -> None:
    shown, hidden = on(desk, "dev", ARTICLE), on(desk, "holdout")
    change(desk, shown, referenceAnswer="Up to 12 million euro.")
    change(desk, hidden, notes="SECRET NOTE")
    trial = release(desk.ada, "rules", dry_run=True)
    assert (trial.version, trial.level, len(trial.changes)) == ("2.0.0", "major", 2)
    made = release(desk.carla, "rules")
    page = changes_page(made)
    assert "~~Up to 10 million euro.~~ → **Up to 12 million euro.**" in page
    assert f"- {hidden} changed (holdout): notes" in page
    for path in Path(made.folder).iterdir():
        assert b"SECRET" not in path.read_bytes(), path.name
    (Path(made.folder) / "CHANGES.md").rename(desk.root / "kept.md")
    shutil.rmtree(made.folder)
    source = desk.root / "manifest.json"
    with desk.carla.db.read() as tx:
        from curator.exporting.schema import pretty
        from curator.store import releases

        source.write_bytes(pretty(releases.versions(tx, "rules")[-1].manifest))
    assert reproduce(desk.carla, source).different == ()
    assert changes_page(made) == (desk.root / "kept.md").read_text()


def test_retired_and_restored_are_major_and_the_tombstone_goes_with_the_case(desk: Desk) -> None:
    name = on(desk, "dev", ARTICLE)
    retiring.retire(desk.ada, [name], "the rule was repealed")
    second = release(desk.carla, "rules")
    assert (second.version, told(second)) == ("2.0.0", [(name, "retired", "major")])
    assert [(t["id"], t["reason"]) for t in manifest(second)["tombstones"]] == [(name, "the rule was repealed")]
    change(desk, on(desk, "dev", MEASLES), tags=["x"])
    third = release(desk.carla, "rules")
    assert (third.version, [t["id"] for t in manifest(third)["tombstones"]]) == ("2.0.1", [name])
    retiring.restore(desk.ada, [name], "it is in force again")
    fourth = release(desk.carla, "rules")
    assert (fourth.version, told(fourth)) == ("3.0.0", [(name, "restored", "major")])
    assert manifest(fourth)["tombstones"] == []
    assert "it is in force again" in changes_page(fourth)


def test_a_holdout_tombstone_says_holdout_and_nothing_else(desk: Desk) -> None:
    name = on(desk, "holdout")
    retiring.retire(desk.ada, [name], "SECRET")
    made = release(desk.carla, "rules")
    assert [t["reason"] for t in manifest(made)["tombstones"]] == ["holdout"]
    for path in Path(made.folder).iterdir():
        assert b"SECRET" not in path.read_bytes(), path.name


def test_a_case_that_left_before_it_was_retired_has_a_tombstone_too(desk: Desk) -> None:
    name = on(desk, "dev", ARTICLE)
    change(desk, name, again=False, referenceAnswer="Being thought about.")
    left = release(desk.carla, "rules")
    assert told(left) == [(name, "removed", "major")]
    assert "it is a draft again" in changes_page(left)
    retiring.retire(desk.ada, [name], "given up")
    made = release(desk.carla, "rules")
    assert (told(made), [t["id"] for t in manifest(made)["tombstones"]]) == ([(name, "retired", "major")], [name])


def test_another_schema_makes_a_version_though_no_case_changed(desk: Desk) -> None:
    with desk.carla.db.write("carla", "2026-03-02T00:00:00Z") as tx:
        old = "replace(manifest, 'urn:curator:case:1.0.0', 'urn:curator:case:0.9.0')"
        tx.session.connection().exec_driver_sql(f"update release set manifest = {old}")
    made = release(desk.carla, "rules")
    assert (made.version, made.schema_before, made.changes) == ("2.0.0", "urn:curator:case:0.9.0", ())
    assert "it was urn:curator:case:0.9.0 (major)" in changes_page(made)
    assert reproduce(desk.carla, Path(made.folder) / "manifest.json").different == ()


def test_a_move_carries_its_reason_and_is_major(desk: Desk) -> None:
    name = on(desk, "holdout")
    move(desk.carla, name, "dev", "it was published in a talk")
    made = release(desk.carla, "rules")
    assert made.version == "2.0.0"
    assert "it was published in a talk" in changes_page(made)


# --- editorial marks


def test_a_second_person_makes_a_wording_a_patch_over_several_versions_too(desk: Desk) -> None:
    name = on(desk, "dev", ARTICLE)
    change(desk, name, referenceAnswer="It is up to 10 million euro.")
    assert release(desk.ada, "rules", dry_run=True).version == "2.0.0"
    with pytest.raises(UsageError, match="ada changed"):
        editorial.mark(desk.ada, [name], "clearer")
    with pytest.raises(UsageError, match="may not"):
        editorial.mark(desk.by("dan"), [name], "clearer")
    with pytest.raises(UsageError, match="reason"):
        editorial.mark(desk.ben, [name], " ")
    editorial.mark(desk.ben, [name], "clearer")
    trial = release(desk.ada, "rules", dry_run=True)
    assert (trial.version, trial.changes[0].editorial) == ("1.0.1", "ben")
    assert editorial.withdraw(desk.carla, name, "it is more than that") == 1
    assert release(desk.ada, "rules", dry_run=True).version == "2.0.0"
    editorial.mark(desk.carla, [name], "clearer, I looked twice")
    made = release(desk.carla, "rules")
    assert made.version == "1.0.1"
    assert "carla says): clearer, I looked twice" in changes_page(made)
    found = suite_diff.diff(*(desk.root / "exports" / "rules" / v for v in ("1.0.0", "1.0.1")))
    assert (found.level, found.changes[0].editorial) == ("patch", "carla")
    with pytest.raises(Conflict, match="needs no mark"):
        editorial.mark(desk.ben, [name], "again")
    change(desk, name, referenceAnswer="It goes up to 10 million euro.")
    editorial.mark(desk.ben, [name], "plainer")
    assert release(desk.carla, "rules").version == "1.0.2"
    yanking.yank(desk.carla, "rules", "1.0.1", "a typo")
    far = suite_diff.diff(*(desk.root / "exports" / "rules" / v for v in ("1.0.0", "1.0.2")))
    assert (far.level, far.changes[0].editorial) == ("patch", "carla, ben")
    assert "clearer, I looked twice; plainer" in far.changes[0].reason
    assert [n for n in far.notes if "1.0.1, between them, is yanked by carla" in n]
    shutil.rmtree(desk.root / "exports" / "rules" / "1.0.1")
    apart = suite_diff.diff(*(desk.root / "exports" / "rules" / v for v in ("1.0.0", "1.0.2")))
    assert (apart.level, apart.changes[0].editorial) == ("major", "")
    assert "1.0.1, between them, cannot be read" in apart.notes[-1]


def test_a_mark_is_bound_to_the_content_and_never_covers_a_number(desk: Desk) -> None:
    name = on(desk, "dev", ARTICLE)
    change(desk, name, referenceAnswer="It is up to 10 million euro.")
    editorial.mark(desk.ben, [name], "clearer")
    change(desk, name, referenceAnswer="It is up to 12 million euro.")
    assert release(desk.ada, "rules", dry_run=True).version == "2.0.0"
    with pytest.raises(CheckFailed, match="referenceAnswer is more than wording"):
        editorial.mark(desk.ben, [name], "clearer")
    change(desk, name, again=False, referenceAnswer="It is up to 10 million euro, all told.")
    with pytest.raises(Conflict, match="submit it first"):
        editorial.mark(desk.ben, [name], "clearer")
    with pytest.raises(Conflict, match="never released"):
        editorial.mark(desk.ben, [desk.approved("Who reports, and how?", ARTICLE).case.id], "x")


# --- stale cases and revisions


def test_a_stale_case_is_held_in_its_released_form(desk: Desk, tmp_path: Path) -> None:
    name = on(desk, "dev", ARTICLE)
    before = released(desk.root / "exports", "rules")
    kept = next(line for line in (before / "dev.jsonl").read_text().splitlines() if name in line)
    revise(desk, tmp_path)
    assert cases.get(desk.ada, name).flags == ("stale",)
    left = release(desk.ada, "rules", dry_run=True)
    assert (name, "removed", "minor") in told(left)
    made = release(desk.carla, "rules", rule=Rule(hold_stale=True))
    assert name not in {c.id for c in made.changes}
    assert made.level == "patch"  # the others have new places
    assert kept in (Path(made.folder) / "dev.jsonl").read_text()
    assert manifest(made)["stale"] == [{"id": name, "documentId": "regulation", "held": True}]
    assert f"- {name} (regulation changed)" in changes_page(made)
    assert verify(Path(made.folder)) == ()
    assert reproduce(desk.carla, Path(made.folder) / "manifest.json").different == ()


def test_what_was_never_released_cannot_be_held(desk: Desk, tmp_path: Path) -> None:
    fresh = desk.approved("And what does a report cost that is late?", ARTICLE).case.id
    revise(desk, tmp_path)
    made = release(desk.ada, "rules", dry_run=True, rule=Rule(hold_stale=True))
    assert {s.id: s.held for s in made.stale} == {fresh: False, on(desk, "dev", ARTICLE): True}


def test_a_release_for_a_chosen_revision(desk: Desk, tmp_path: Path) -> None:
    """The corpus in production still has the old file: the cases say its places, and nothing is stale for it."""
    name = on(desk, "dev", ARTICLE)
    revise(desk, tmp_path)
    old = Rule(revisions={"regulation": "1"})
    trial = release(desk.ada, "rules", dry_run=True, rule=old)
    assert (trial.stale, trial.changes, trial.cases) == ((), (), 5)
    reconfirm.accept(desk.ben, [ARTICLE])
    assert cases.get(desk.ada, name).flags == ()
    trial = release(desk.ada, "rules", dry_run=True, rule=old)
    assert [(s.id, s.held) for s in trial.stale] == [(name, False)]
    change(desk, on(desk, "dev", MEASLES), tags=["x"])
    made = release(desk.carla, "rules", rule=Rule(revisions={"regulation": "1"}, hold_stale=True, sources="all"))
    assert [(s.id, s.held) for s in made.stale] == [(name, True)]
    assert {d["version"] for d in manifest(made)["documents"]} == {"1"}
    assert manifest(made)["revisions"] == [{"documentId": "regulation", "version": "1"}]
    read = (Path(made.folder) / "sources.jsonl").read_text()
    assert "12 million" not in read
    assert (SIBLING in read, manifest(made)["sources"]) == (True, "all")
    assert verify(Path(made.folder)) == ()
    assert reproduce(desk.carla, Path(made.folder) / "manifest.json").different == ()
    with pytest.raises(InputError, match="has no revision '7'"):
        release(desk.ada, "rules", dry_run=True, rule=Rule(revisions={"regulation": "7"}))
    with pytest.raises(InputError):
        release(desk.ada, "rules", dry_run=True, rule=Rule(revisions={"nowhere": "1"}))


# --- yanking


def test_a_yanked_version_is_said_everywhere_and_has_a_successor(desk: Desk) -> None:
    folder = desk.root / "exports" / "rules" / "1.0.0"
    for who in ("ada", "ben", "dan"):
        with pytest.raises(UsageError, match="may not"):
            yanking.yank(desk.by(who), "rules", "1.0.0", "wrong")
    with pytest.raises(UsageError, match="reason"):
        yanking.yank(desk.carla, "rules", "1.0.0", " \n")
    for version in ("9.0.0", "../x", ""):
        with pytest.raises(InputError, match="no version"):
            yanking.yank(desk.carla, "rules", version, "wrong")
    yanking.yank(desk.carla, "rules", "1.0.0", "a wrong\ndose")
    (line,) = (folder.parent / "yanked.jsonl").read_text().splitlines()
    entry = json.loads(line)
    assert (list(entry), entry["by"], entry["reason"]) == (["version", "at", "by", "reason"], "carla", "a wrong dose")
    with pytest.raises(Conflict, match="a wrong dose"):
        yanking.yank(desk.carla, "rules", "1.0.0", "again")
    (state,) = [s for s in suites(desk.ada) if s.name == "rules"]
    assert (state.versions, state.yanked, state.latest) == (("1.0.0",), ("1.0.0",), "")
    with pytest.raises(CheckFailed, match="yanked by carla"):
        export(folder, ["ragas"])
    with pytest.raises(InputError, match="every version of it is yanked"):
        released(desk.root / "exports", "rules")
    (found,) = verified(folder)
    assert found.problems == ()
    assert "a wrong dose" in found.yanked
    made = release(desk.carla, "rules")
    assert (made.outcome, made.version, made.changes, made.follows_yanked) == ("new", "1.0.1", (), True)
    assert release(desk.carla, "rules").outcome == "same"
    assert released(desk.root / "exports", "rules").name == "1.0.1"
    assert "a wrong dose" in suite_diff.diff(folder, Path(made.folder)).one.yanked


def test_a_list_of_yanked_versions_that_cannot_be_read_is_never_written_over(desk: Desk) -> None:
    path = desk.root / "exports" / "rules" / "yanked.jsonl"
    path.write_text('{"version": "1.0.0"\n')
    with pytest.raises(InputError, match=r"yanked\.jsonl"):
        yanking.yank(desk.carla, "rules", "1.0.0", "wrong")
    assert path.read_text() == '{"version": "1.0.0"\n'
    (found,) = verified(path.parent / "1.0.0")
    assert any("unknown" in p for p in found.problems)


# --- the holdout


def looks(desk: Desk) -> list[tuple[str, str, str]]:
    return [(e.how, e.reason, e.withdrawn) for e in ledger.entries(desk.carla)]


def test_the_holdout_is_fetched_whole_and_entered(desk: Desk, tmp_path: Path) -> None:
    to = tmp_path / "there" / "holdout"
    with pytest.raises(UsageError, match="reason"):
        fetching.fetch_holdout(desk.carla, "rules", "1.0.0", to, "")
    for who in ("ada", "ben", "dan"):
        with pytest.raises(UsageError, match="may not"):
            fetching.fetch_holdout(desk.by(who), "rules", "1.0.0", to, "the yearly test")
    made = fetching.fetch_holdout(desk.carla, "rules", "1.0.0", to, "the yearly test")
    assert (to.stat().st_mode & 0o777, made.files) == (0o700, ("holdout.jsonl",))
    assert verify(desk.root / "exports" / "rules" / "1.0.0", to) == ()
    assert looks(desk) == [("fetch-holdout", "the yearly test", "")]
    with pytest.raises(Conflict, match="not empty"):
        fetching.fetch_holdout(desk.carla, "rules", "1.0.0", to, "again")
    assert len(looks(desk)) == 1


def test_the_holdout_never_goes_where_it_would_spread(desk: Desk, tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    subprocess.run(["git", "init", "-q", str(tree)], check=True)
    (tree / ".gitignore").write_text("secret/\n")
    (tmp_path / "link").symlink_to(desk.root / "exports")
    refused = {
        desk.root / "exports" / "out": "published",
        desk.root / "exports" / "rules" / "1.0.0" / "x": "published",
        tmp_path / "link" / "out": "published",
        desk.root / ".curator" / "out": "curator's own",
        tree / "out": "could be committed",
        tree: "could be committed",
    }
    for place, why in refused.items():
        with pytest.raises(UsageError, match=why):
            fetching.fetch_holdout(desk.carla, "rules", "1.0.0", place, "a test")
    assert looks(desk) == []
    made = fetching.fetch_holdout(desk.carla, "rules", "1.0.0", tree / "secret" / "x", "a test")
    assert made.cases == 1


def test_a_holdout_that_was_changed_or_yanked_or_is_not_here_stays(desk: Desk, tmp_path: Path) -> None:
    file = desk.root / ".curator" / "holdout" / "rules" / "1.0.0" / "holdout.jsonl"
    kept = file.read_bytes()
    to = tmp_path / "out"

    def refused(error: type[CuratorError], said: str) -> None:
        with pytest.raises(error, match=said):
            fetching.fetch_holdout(desk.carla, "rules", "1.0.0", to, "a test")
        assert not to.exists()

    file.write_bytes(kept + b" ")
    refused(CheckFailed, "not the bytes")
    file.unlink()
    refused(InputError, "not in this workspace")
    file.write_bytes(kept)
    to.write_text("a file")
    with pytest.raises(Conflict):
        fetching.fetch_holdout(desk.carla, "rules", "1.0.0", to, "a test")
    to.unlink()
    dev = desk.root / "exports" / "rules" / "1.0.0" / "dev.jsonl"
    shown = dev.read_bytes()
    dev.write_bytes(shown + b" ")
    refused(CheckFailed, "not the bytes")
    dev.write_bytes(shown)
    yanking.yank(desk.carla, "rules", "1.0.0", "wrong")
    refused(CheckFailed, "yanked")
    assert looks(desk) == []


def test_a_fetch_that_the_disk_refuses_withdraws_its_entry(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CuratorError):
        fetching.fetch_holdout(desk.carla, "rules", "1.0.0", tmp_path / "file" / "out", "a test")
    ((how, reason, withdrawn),) = looks(desk)
    assert (how, reason) == ("fetch-holdout", "a test")
    assert "nothing was written" in withdrawn


# --- comparing


def test_two_versions_are_compared_without_a_workspace_and_tell_nothing_hidden(desk: Desk, tmp_path: Path) -> None:
    hidden, shown = on(desk, "holdout"), on(desk, "dev", ARTICLE)
    change(desk, hidden, referenceAnswer="SECRET answer.")
    change(desk, shown, tags=["new"])
    fresh = desk.approved("And what does a false report cost, then?", ARTICLE).case.id
    release(desk.carla, "rules")
    exports = desk.root / "exports"
    one, two = suite_diff.resolved(exports, "1.0.0", "rules@2.0.0")
    found = suite_diff.diff(one, two)
    assert found.holdout == "compared"
    told_ = {c.id: (c.what, c.level, c.fields) for c in found.changes}
    assert told_ == {
        hidden: ("changed", "major", ("referenceAnswer",)),
        shown: ("changed", "patch", ("tags",)),
        fresh: ("added", "minor", ()),
    }
    assert "SECRET" not in found.model_dump_json()
    shutil.copytree(exports / "rules", tmp_path / "elsewhere")
    apart = suite_diff.diff(
        *suite_diff.resolved(None, str(tmp_path / "elsewhere/1.0.0"), str(tmp_path / "elsewhere/2.0.0"))
    )
    assert apart.holdout == "as the manifest says"
    assert {c.id: (c.what, c.level, c.fields) for c in apart.changes} == told_
    back = suite_diff.diff(tmp_path / "elsewhere" / "2.0.0", tmp_path / "elsewhere" / "1.0.0")
    assert (back.holdout, back.counts) == ("not compared", {"removed": 1, "changed": 1})
    assert suite_diff.diff(one, one).changes == ()
    for a, b, error in (
        ("1.0.0", "3.0.0", InputError),
        ("x@y", "1.0.0", UsageError),
        ("no/where", "1.0.0", InputError),
    ):
        with pytest.raises(error):
            suite_diff.resolved(exports, a, b)
    (tmp_path / "elsewhere" / "2.0.0" / "dev.jsonl").write_bytes(b"{}\n")
    with pytest.raises(CheckFailed, match="not the bytes"):
        suite_diff.diff(tmp_path / "elsewhere" / "1.0.0", tmp_path / "elsewhere" / "2.0.0")


# --- verifying


def test_what_differs_is_named_down_to_the_line(desk: Desk) -> None:
    folder = desk.root / "exports" / "rules" / "1.0.0"
    dev = folder / "dev.jsonl"
    name = on(desk, "dev", ARTICLE)
    lines = dev.read_text().splitlines(keepends=True)
    number = next(n for n, line in enumerate(lines, 1) if name in line)
    edited = [line.replace('"page":1', '"page":2') if name in line else line for line in lines]
    dev.write_text("".join(edited))
    (found,) = verified(folder, recorded=recorded(desk.ada))
    assert (found.recorded, found.holdout) == (True, True)
    assert f"dev.jsonl line {number} {name}: not the line that was released: evidence" in found.problems
    dev.write_text("".join(lines[1:]))
    (found,) = verified(folder, recorded=recorded(desk.ada))
    assert any("was released and is missing" in p for p in found.problems)
    dev.write_text("".join(lines))
    sums = folder / "SHA256SUMS"
    kept = sums.read_text()
    sums.write_text(kept.replace(kept[:64], "0" * 64, 1))
    (found,) = verified(folder)
    assert any("SHA256SUMS line 1: was changed: CHANGES.md is as manifest.json says" in p for p in found.problems)
    sums.write_text(kept)
    manifest_ = folder / "manifest.json"
    manifest_.write_text(manifest_.read_text().replace("What the regulation asks for.", "Something else."))
    assert any(
        "not the one that was released here" in p for p in verified(folder, recorded=recorded(desk.ada))[0].problems
    )


def test_a_hostile_folder_is_told_and_holds_nobody_up(desk: Desk, tmp_path: Path) -> None:
    folder = tmp_path / "foreign"
    shutil.copytree(desk.root / "exports" / "rules" / "1.0.0", folder)
    (folder / "README.md").unlink()
    (folder / "README.md").symlink_to("/etc/passwd")
    os.mkfifo(folder / "pipe")
    (folder / "sub").mkdir()
    (folder / "CHANGES.md").unlink()
    with (folder / "CHANGES.md").open("wb") as stream:
        stream.truncate(600_000_000)  # sparse
    with (folder / "dev.jsonl").open("ab") as stream:
        stream.write(b'{"id":"a","id":"b"}\n{"id":"\x00"}\n\xff\xfe\n' + b"[" * 100_000 + b"\n")
    (found,) = verified(folder)
    said = "\n".join(found.problems)
    for wanted in ("README.md: a link", "pipe: no regular file", "sub: a folder", "CHANGES.md: larger than 500 MB",
                   "the key id stands twice", "not UTF-8", "nested too deep", "dev.jsonl: changed"):  # fmt: skip
        assert wanted in said, wanted
    assert "CHANGES.md: missing" not in said
    assert len(found.problems) == len(set(found.problems))
    with pytest.raises(CuratorError):
        suite_diff.diff(folder, folder)


# --- what else happens to a suite


def test_a_suite_that_was_renamed_keeps_its_releases_and_begins_anew(desk: Desk) -> None:
    desk.write_settings(SETTINGS.replace("[suites.rules]", "[suites.regulation]"))
    found = {s.name: (s.is_configured, s.versions) for s in suites(desk.ada, former=True)}
    assert found == {"full": (True, ()), "regulation": (True, ()), "rules": (False, ("1.0.0",))}
    assert [s.name for s in suites(desk.ada)] == ["full", "regulation"]
    made = release(desk.carla, "regulation")
    assert (made.version, made.cases) == ("1.0.0", 5)
    found_diff = suite_diff.diff(desk.root / "exports" / "rules" / "1.0.0", Path(made.folder))
    assert (found_diff.changes, found_diff.notes) == ((), ("two suites: rules and regulation",))
    with pytest.raises(UsageError, match="no suite 'rules'"):
        release(desk.carla, "rules")


def test_two_suites_with_the_same_cases_have_versions_of_their_own(desk: Desk) -> None:
    made = release(desk.carla, "full", waive="a first draft")
    assert (made.version, verify(Path(made.folder))) == ("1.0.0", ())
    name = on(desk, "dev", ARTICLE)
    change(desk, name, referenceAnswer="It is up to 10 million euro.")
    editorial.mark(desk.ben, [name], "clearer")
    for suite in ("rules", "full"):
        assert release(desk.carla, suite).version == "1.0.1"


def test_a_version_of_another_clone_is_taken_over_or_stands_in_the_way(desk: Desk, first: Path, tmp_path: Path) -> None:
    opens = desks(first, tmp_path / "clone")
    clone = next(opens)()
    name = on(desk, "dev", ARTICLE)
    for one in (desk, clone):
        change(one, name, tags=["new"])
    made = release(clone.carla, "rules")
    shutil.copytree(made.folder, desk.root / "exports" / "rules" / made.version)
    assert [s.latest for s in suites(desk.ada) if s.name == "rules"] == ["1.0.1"]
    change(desk, name, notes="more")
    with pytest.raises(Conflict, match="another content"):
        release(desk.carla, "rules")  # would be 1.0.1 as well
    change(desk, name, referenceAnswer="Up to 12 million euro.")
    with pytest.raises(Refused) as caught:
        release(desk.carla, "rules")
    assert [o.name for o in caught.value.obstacles] == ["unknown version: 1.0.1"]
    assert "--reproduce" in caught.value.obstacles[0].step
    shutil.rmtree(desk.root / "exports" / "rules" / "1.0.1")
    assert release(desk.carla, "rules").version == "2.0.0"
    next(opens, None)


def test_what_is_typed_and_not_saved_is_not_released(desk: Desk) -> None:
    from curator.services import drafts

    name = on(desk, "dev", ARTICLE)
    record = cases.get(desk.ada, name)
    typed = record.case.model_copy(update={"reference_answer": "Half a sen"})
    drafts.keep(desk.ada, typed, record.version, key=name)
    assert release(desk.carla, "rules").outcome == "same"


def test_a_released_file_that_was_edited_stops_exports_and_no_later_release(desk: Desk) -> None:
    folder = desk.root / "exports" / "rules" / "1.0.0"
    (folder / "README.md").write_text("by hand")
    with pytest.raises(CheckFailed):
        export(folder, ["ragas"])
    change(desk, on(desk, "dev", ARTICLE), tags=["x"])
    assert release(desk.carla, "rules").version == "1.0.1"
    assert verify(folder) == verify(folder.parent / "1.0.0")
    assert any("README.md" in p for p in verify(folder))


def test_erasing_yanks_every_version_that_tells_the_value_also_as_what_changed(desk: Desk) -> None:
    name = on(desk, "dev", ARTICLE)
    change(desk, name, notes="ask Mrs. Quellwasser")
    change(desk, on(desk, "dev", MEASLES), tags=["x"])
    release(desk.carla, "rules")  # 1.0.1 has it
    change(desk, name, notes="ask the office")
    release(desk.carla, "rules")  # 1.0.2 says that it was there
    change(desk, name, tags=["y"])
    release(desk.carla, "rules")  # 1.0.3 does not
    done = erase(desk.carla, ["Quellwasser"], reason="request of the person")
    assert [y.version for y in done.yanked] == ["1.0.1", "1.0.2"]
    assert set(yanked(desk.root / "exports" / "rules")) == {"1.0.1", "1.0.2"}
    assert released(desk.root / "exports", "rules").name == "1.0.3"
    assert "exports/rules/1.0.2/CHANGES.md" in done.yanked[1].files
