"""Releases: whole or nothing, once, and the same bytes again anywhere."""

from __future__ import annotations

import json
import multiprocessing
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from curator.domain.case import Case
from curator.errors import CheckFailed, Conflict, CuratorError, InputError, StorageError, UsageError
from curator.exporting.read import read_lines
from curator.services import cases
from curator.services.importing import import_cases
from curator.services.publishing import exclusive, publish
from curator.services.release import Released, release, suites
from curator.services.released_version import recorded
from curator.services.reproduce import reproduce
from curator.services.review import import_reviews
from curator.services.verifying import verified, verify
from tests.services.desk import ARTICLE, SETTINGS, Desk, desks


@pytest.fixture
def desk(approved: Path, tmp_path: Path) -> Any:
    opens = desks(approved, tmp_path)
    yield next(opens)()
    next(opens, None)


def tree(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def change(desk: Desk, index: int, **changed: Any) -> None:
    """An edit of a case that is approved again."""
    name = cases.page_of(desk.ada)[index].id
    record = cases.get(desk.ada, name)
    saved = cases.save(
        desk.ada, Case.model_validate({**record.case.model_dump(by_alias=True), **changed}), record.version
    )
    if saved.status == "draft":
        cases.submit(desk.ada, [name])
        from curator.services import review

        review.approve(desk.ben, name)


def index_on(desk: Desk, side: str) -> int:
    return next(n for n, c in enumerate(cases.page_of(desk.ada)) if cases.get(desk.ada, c.id).side == side)


def test_a_release_is_whole_verified_and_the_holdout_lies_apart(desk: Desk) -> None:
    made = release(desk.carla, "rules")
    assert (made.outcome, made.version, made.cases) == ("new", "1.0.0", 5)
    folder, holdout = Path(made.folder), Path(made.holdout)
    assert folder == desk.root / "exports" / "rules" / "1.0.0"
    assert {
        "dev.jsonl",
        "manifest.json",
        "SHA256SUMS",
        "sources.jsonl",
        "README.md",
        "CHANGES.md",
        "build.json",
    } <= set(tree(folder))
    assert "holdout.jsonl" not in tree(folder)
    assert holdout.stat().st_mode & 0o777 == 0o700
    assert verify(folder, holdout) == ()
    assert verify(folder.parent) == verify(folder.parent, holdout.parent) == ()
    done = subprocess.run(["sha256sum", "-c", "SHA256SUMS"], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    hidden = next(c for c in cases.page_of(desk.ada) if cases.get(desk.ada, c.id).side == "holdout")
    for name, data in tree(folder).items():
        assert hidden.question.encode() not in data, name
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["reviewers"] == ["ben"]
    assert manifest["counts"]["cases"] == 5


def test_the_holdout_is_out_of_reach_of_git(desk: Desk) -> None:
    """Even where the person's own .gitignore says nothing of us."""
    (desk.root / ".gitignore").write_text("*.log\n")
    release(desk.carla, "rules")
    git = ["git", "-c", "safe.directory=*"]
    subprocess.run([*git, "init", "-q"], cwd=desk.root, check=True)
    listed = subprocess.run([*git, "add", "-A", "-n"], cwd=desk.root, capture_output=True, text=True, check=True).stdout
    assert "exports/rules/1.0.0/dev.jsonl" in listed
    assert ".curator" not in listed


def test_nothing_changed_nothing_written(desk: Desk) -> None:
    first = release(desk.carla, "rules")
    before = tree(desk.root / "exports")
    again = release(desk.carla, "rules")
    assert (again.outcome, again.version) == ("same", "1.0.0")
    assert again.folder == first.folder
    assert tree(desk.root / "exports") == before


@pytest.mark.parametrize(
    ("changed", "version"),
    [
        ({"referenceAnswer": "Up to 25 million euro."}, "2.0.0"),
        ({"acceptableAnswers": ["10 million"]}, "1.1.0"),
        ({"tags": ["fines"]}, "1.0.1"),
    ],
)
def test_the_version_follows_the_largest_change(desk: Desk, changed: dict[str, Any], version: str) -> None:
    first = release(desk.carla, "rules")
    kept = tree(Path(first.folder))
    change(desk, 0, **changed)
    trial = release(desk.ada, "rules", dry_run=True)
    assert (trial.outcome, trial.version, [c.fields for c in trial.changes]) == ("dry run", version, [tuple(changed)])
    assert not Path(trial.folder).exists()
    made = release(desk.carla, "rules")
    assert (made.version, made.parent) == (version, "1.0.0")
    assert tree(Path(first.folder)) == kept
    assert verify(Path(made.folder).parent) == ()
    assert [s.latest for s in suites(desk.ada) if s.name == "rules"] == [version]


def test_an_added_case_is_minor_and_one_that_leaves_is_major(desk: Desk) -> None:
    release(desk.carla, "rules")
    desk.approved("And what does a false report cost, then?", ARTICLE)
    assert release(desk.carla, "rules").version == "1.1.0"
    desk.write_settings(SETTINGS + '\n[suites.rules.exclude]\ntag = ["old"]\n')
    change(desk, 0, tags=["old"])
    assert release(desk.carla, "rules").version == "2.0.0"


def test_a_gap_stops_a_release_and_a_waiver_stands_in_the_manifest(desk: Desk) -> None:
    with pytest.raises(CheckFailed, match="1 gap: all cases: has 5, needs 30") as caught:
        release(desk.carla, "full")
    assert "--waive" in caught.value.hint
    assert not (desk.root / "exports" / "full").exists()
    with pytest.raises(UsageError, match="reason"):
        release(desk.carla, "full", waive="  ")
    with pytest.raises(UsageError, match="may not"):
        release(desk.ben, "full", waive="because")
    made = release(desk.carla, "full", waive="a first draft")
    manifest = json.loads((Path(made.folder) / "manifest.json").read_text())
    assert [(w["gap"], w["reason"], w["by"]) for w in manifest["waivers"]] == [("all cases", "a first draft", "carla")]
    assert verify(Path(made.folder)) == ()
    change(desk, 0, tags=["x"])
    again = release(desk.carla, "full", waive="still small")
    manifest = json.loads((Path(again.folder) / "manifest.json").read_text())
    assert [w["reason"] for w in manifest["waivers"]] == ["still small"]


def test_who_may_release_and_what(desk: Desk) -> None:
    for who in ("ada", "ben", "dan", ""):
        with pytest.raises(UsageError):
            release(desk.by(who), "rules")
    with pytest.raises(UsageError, match="suites there: full, rules"):
        release(desk.carla, "nothing")
    desk.write_settings(SETTINGS + '\n[suites.none]\ninclude.domain = ["x"]\n')
    with pytest.raises(CheckFailed, match="no case in dev"):
        release(desk.carla, "none")
    assert list((desk.root / "exports").iterdir()) == []


def test_a_quota_on_a_dimension_that_we_do_not_know_is_named(desk: Desk) -> None:
    desk.write_settings(SETTINGS + '\n[[suites.rules.quotas]]\nwhere = { lenght = "10x" }\nminimum = 1\n')
    for call in (lambda: suites(desk.ada), lambda: release(desk.carla, "rules")):
        with pytest.raises(InputError, match=r"suites\.rules\.quotas: 'lenght'"):
            call()


# --- when the disk or another process stands in the way


def test_a_disk_that_refuses_leaves_nothing(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    before = tree(desk.root / "exports")
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(StorageError, match="No space left"):
            release(desk.carla, "rules")
    assert tree(desk.root / "exports") == before
    assert [s.versions for s in suites(desk.ada)] == [(), ()]
    assert release(desk.carla, "rules").version == "1.0.0"


def test_a_file_where_the_folder_belongs_is_one_line(desk: Desk) -> None:
    (desk.root / "exports" / "rules").write_text("in the way")
    with pytest.raises(StorageError) as caught:
        release(desk.carla, "rules")
    assert "\n" not in str(caught.value)
    assert [s.versions for s in suites(desk.ada)] == [(), ()]


def test_what_a_crash_left_is_taken_over(desk: Desk) -> None:
    """Killed between the holdout and the folder; and between the folder and the database."""
    hidden = desk.root / ".curator" / "holdout" / "rules" / "1.0.0"
    hidden.mkdir(parents=True)
    (hidden / "holdout.jsonl").write_text("half a li")
    made = release(desk.carla, "rules")
    assert verify(Path(made.folder), hidden) == ()
    with desk.carla.db.write("carla", "2026-03-02T00:00:00Z") as tx:
        for table in ("release_case", "release"):
            tx.session.connection().exec_driver_sql(f"delete from {table}")
    before = tree(desk.root / "exports")
    assert release(desk.carla, "rules").version == "1.0.0"
    assert tree(desk.root / "exports") == before
    assert [s.latest for s in suites(desk.ada) if s.name == "rules"] == ["1.0.0"]


def test_a_folder_of_that_version_with_other_content_is_never_written_over(desk: Desk) -> None:
    folder = desk.root / "exports" / "rules" / "1.0.0"
    folder.mkdir(parents=True)
    (folder / "manifest.json").write_text("{}")
    with pytest.raises(Conflict, match="another content"):
        release(desk.carla, "rules")
    assert tree(folder) == {"manifest.json": b"{}"}


def releasing(root: str, start: Any, answers: Any) -> None:
    desk = Desk(Path(root))
    context = desk.carla
    start.wait(20)
    try:
        answers.put(release(context, "rules").outcome)
    except CuratorError as error:
        answers.put(type(error).__name__)
    desk.workspace.close()


def test_of_two_that_release_at_once_one_wins(desk: Desk) -> None:
    desk.workspace.close()
    spawn = multiprocessing.get_context("spawn")
    start, answers = spawn.Barrier(2), spawn.Queue()
    both = [spawn.Process(target=releasing, args=(str(desk.root), start, answers)) for _ in range(2)]
    for process in both:
        process.start()
    found = sorted(answers.get(timeout=60) for _ in both)
    for process in both:
        process.join(30)
    assert found in (["Conflict", "new"], ["new", "same"])
    assert [p.name for p in (desk.root / "exports" / "rules").iterdir()] == ["1.0.0"]
    assert verify(desk.root / "exports" / "rules") == ()


def test_the_lock_is_held_by_one_and_free_again(tmp_path: Path) -> None:
    held = exclusive(tmp_path / "x.lock", "a release")
    held.__enter__()
    with pytest.raises(Conflict, match="another process"), exclusive(tmp_path / "x.lock", "a release"):
        pass
    held.__exit__(None, None, None)
    with exclusive(tmp_path / "x.lock", "a release"):
        pass


def test_a_folder_is_published_once(tmp_path: Path) -> None:
    publish(tmp_path / "a", {"x": b"1"})
    with pytest.raises(Conflict, match="never written again"):
        publish(tmp_path / "a", {"x": b"2"})
    assert tree(tmp_path) == {"a/x": b"1"}
    old = tmp_path / ".tmp-crash"
    old.mkdir()
    os.utime(old, (0, 0))
    publish(tmp_path / "b", {"x": b"1"})
    assert not old.exists()


# --- verification and reproduction


def test_every_flipped_byte_is_noticed(desk: Desk) -> None:
    made = release(desk.carla, "rules")
    for place, pair in ((Path(made.folder), None), (Path(made.holdout), Path(made.holdout))):
        for path in sorted(place.iterdir()):
            data = path.read_bytes()
            if path.name == "build.json" or not data:
                continue  # what may differ between machines
            at = len(data) // 2
            path.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
            assert verify(Path(made.folder), pair), path.name
            path.write_bytes(data)
    assert verify(Path(made.folder), Path(made.holdout)) == ()
    build = Path(made.folder) / "build.json"
    build.write_bytes(build.read_bytes().replace(b"pypdf", b"pypdg"))  # no sum covers it: its workspace knows
    (found,) = verified(Path(made.folder), recorded=recorded(desk.ada))
    assert found.problems == ("build.json: not the one that was released here",)
    (Path(made.folder) / "dev.jsonl").unlink()
    assert verify(Path(made.folder))


def test_what_is_no_release_is_told(tmp_path: Path, desk: Desk) -> None:
    with pytest.raises(InputError, match="no folder"):
        verify(tmp_path / "nowhere")
    assert verify(tmp_path)
    made = release(desk.carla, "rules")
    with pytest.raises(InputError, match="no folder"):
        verify(Path(made.folder), tmp_path / "nowhere")


@pytest.fixture
def moved(desk: Desk, original: Path, tmp_path: Path) -> Any:
    """The released cases in a second, fresh workspace: lines and reviews went over as files."""
    made = release(desk.carla, "rules")
    opens = desks(original, tmp_path / "elsewhere")
    other = next(opens)()
    for folder in (Path(made.folder), Path(made.holdout)):
        for path in sorted(folder.glob("*dev.jsonl")) + sorted(folder.glob("*holdout.jsonl")):
            assert import_cases(other.ada, read_lines(path.read_bytes(), path.name)).rejected == ()
    cases.submit(other.ada, [c.id for c in cases.page_of(other.ada)])
    rows = []
    for name in (c.id for c in cases.page_of(desk.ada)):
        for given in cases.standing(desk.ada, name)[1]:
            if given.slot == "approval":
                keys = {"sequence", "content_hash", "question_hash", "withdrawn"}
                rows.append(given.model_dump(mode="json", by_alias=True, exclude=keys))
    assert import_reviews(other.carla, list(enumerate(rows, 1))).rejected == ()
    yield made, other
    next(opens, None)


def test_a_fresh_workspace_makes_the_same_bytes(moved: tuple[Released, Desk]) -> None:
    made, other = moved
    manifest = Path(made.folder) / "manifest.json"
    found = reproduce(other.by("dan"), manifest)
    assert (found.different, found.folder) == ((), "")
    found = reproduce(other.carla, manifest)
    assert (found.different, found.version) == ((), "1.0.0")
    assert {"dev.jsonl", "holdout.jsonl", "manifest.json", "sources.jsonl", "README.md"} <= set(found.same)
    assert tree(Path(found.folder)) == tree(Path(made.folder))
    assert verify(Path(found.folder), other.root / ".curator" / "holdout" / "rules" / "1.0.0") == ()
    assert release(other.carla, "rules").outcome == "same"


def test_a_folder_that_was_lost_is_made_again(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    made = release(desk.carla, "rules")
    kept = tree(Path(made.folder))
    manifest = desk.root / "manifest.json"
    manifest.write_bytes(kept["manifest.json"])
    for path in Path(made.folder).iterdir():
        path.unlink()
    Path(made.folder).rmdir()
    change(desk, 0, referenceAnswer="Something else.")
    monkeypatch.setattr("importlib.metadata.version", lambda _: "99.0")  # other libraries by now
    assert reproduce(desk.carla, manifest).different == ()
    assert {n for n, data in tree(Path(made.folder)).items() if data != kept[n]} == {"build.json"}
    assert verified(Path(made.folder), recorded=recorded(desk.carla))[0].problems == ()


def test_content_that_differs_is_named_and_not_written(moved: tuple[Released, Desk]) -> None:
    made, other = moved
    change(other, index_on(other, "dev"), referenceAnswer="Something else.")
    found = reproduce(other.carla, Path(made.folder) / "manifest.json")
    assert {"dev.jsonl", "manifest.json"} <= set(found.different)
    assert "holdout.jsonl" in found.same
    assert list((other.root / "exports").iterdir()) == []


@pytest.mark.parametrize("data", [b"", b"[]", b"{", b'{"suite": "x"}', b"\xff\xfe", b"[" * 100_000, b'{"a": NaN}'])
def test_what_is_no_manifest_is_one_line(desk: Desk, data: bytes) -> None:
    path = desk.root / "manifest.json"
    path.write_bytes(data)
    with pytest.raises(InputError) as caught:
        reproduce(desk.carla, path)
    assert "\n" not in str(caught.value)
    with pytest.raises(InputError):
        reproduce(desk.carla, desk.root / "nowhere.json")


def test_a_manifest_that_was_tampered_with_makes_no_paths(desk: Desk) -> None:
    made = release(desk.carla, "rules")
    manifest = json.loads((Path(made.folder) / "manifest.json").read_text())
    for key, value in (("suite", "../../evil"), ("version", "../1.0.0"), ("suite", ["x"])):
        path = desk.root / "manifest.json"
        path.write_text(json.dumps(manifest | {key: value}))
        with pytest.raises(InputError):
            reproduce(desk.carla, path)


def test_waivers_and_quotas_go_over_with_the_manifest(desk: Desk) -> None:
    made = release(desk.carla, "full", waive="a first draft")
    assert reproduce(desk.carla, Path(made.folder) / "manifest.json").different == ()


def test_suites_say_where_they_stand(desk: Desk) -> None:
    found = {s.name: s for s in suites(desk.ada)}
    assert (found["rules"].cases, found["rules"].gaps, found["rules"].latest) == (5, (), "")
    assert [g.words for g in found["full"].gaps] == ["all cases: has 5, needs 30"]
