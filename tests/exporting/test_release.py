from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from curator.errors import Cancelled, InputError
from curator.exporting.release import ReleaseInput, Rendered, from_manifest, render
from curator.exporting.verify import verify
from curator.progress import Silent


def write(folder: Path, files: dict[str, bytes]) -> Path:
    folder.mkdir()
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return folder


def test_the_canonical_check_passes_folder_and_holdout(rendered: Rendered, canonical: Path, tmp_path: Path) -> None:
    folder, hidden = write(tmp_path / "e", rendered.files), write(tmp_path / "h", rendered.holdout)
    done = subprocess.run(
        [sys.executable, str(canonical / "check.py"), str(folder), str(hidden), "--cases", "9"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_file_of_a_version_is_there(rendered: Rendered) -> None:
    assert set(rendered.files) == {
        "dev.jsonl", "followup_dev.jsonl", "sources.jsonl", "manifest.json", "SHA256SUMS", "case.schema.json",
        "datapackage.json", "README.md", "CHANGES.md", "build.json",
    }  # fmt: skip
    assert set(rendered.holdout) == {"holdout.jsonl", "followup_holdout.jsonl"}
    assert verify(rendered.files, rendered.holdout) == []


def test_sums_are_right_and_leave_build_out(rendered: Rendered) -> None:
    sums = dict(reversed(line.split("  ")) for line in rendered.files["SHA256SUMS"].decode().splitlines())
    assert set(sums) == set(rendered.files) - {"SHA256SUMS", "build.json"}
    assert all(hashlib.sha256(rendered.files[name]).hexdigest() == digest for name, digest in sums.items())


def test_nothing_of_the_holdout_is_in_the_folder(rendered: Rendered) -> None:
    everything = b"\n".join(rendered.files.values()).decode()
    for secret in ("HIDDEN-", "SECRET-REASON", "guideline.exclusion:varicella"):
        assert secret not in everything
    assert "HIDDEN-ANSWER" in rendered.holdout["holdout.jsonl"].decode()
    graves = {t["id"]: t["reason"] for t in rendered.manifest["tombstones"]}
    assert graves == {"emission-x9d2zc": "repealed", "emission-q1w2e3": "holdout"}


class Stopped(Silent):
    def checkpoint(self) -> None:
        raise Cancelled


def test_rendering_and_verifying_can_be_stopped(make: Callable[..., ReleaseInput], rendered: Rendered) -> None:
    with pytest.raises(Cancelled):
        render(make(), Stopped())
    with pytest.raises(Cancelled):
        verify(rendered.files, progress=Stopped())


def test_the_order_of_the_input_does_not_move_a_byte(make: Callable[..., ReleaseInput], rendered: Rendered) -> None:
    forward = make()
    names = ("lines", "sources", "documents", "waivers", "stale", "tombstones", "reviewers", "changes")
    backward = replace(forward, **{n: list(reversed(getattr(forward, n))) for n in names})
    assert render(backward).files == rendered.files


def test_a_manifest_gives_the_same_bytes_again(make: Callable[..., ReleaseInput], rendered: Rendered) -> None:
    release = make()
    manifest = json.loads(rendered.files["manifest.json"])
    again = render(from_manifest(manifest, lines=release.lines, sources=release.sources, build=release.build))
    assert again.files == rendered.files
    assert again.holdout == rendered.holdout


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"version": "2"}, "manifest.json: version: "),
        ({"changes": [{"id": "x", "what": "eaten", "level": "major"}]}, "manifest.json: what: "),
        ({"partitions": 3}, "manifest.json: a key is of the wrong kind"),
        ({"partitions": {}}, "manifest.json: no level"),
    ],
)
def test_a_manifest_that_lacks_something_is_refused_by_name(
    make: Callable[..., ReleaseInput], rendered: Rendered, change: dict[str, Any], said: str
) -> None:
    release = make()
    with pytest.raises(InputError) as caught:
        from_manifest(rendered.manifest | change, lines=release.lines, sources=release.sources)
    assert caught.value.message.startswith(said)


def test_changes_say_level_fields_and_for_open_cases_the_question(rendered: Rendered) -> None:
    text = rendered.files["CHANGES.md"].decode()
    major, minor = text.split("## Minor")
    assert "- emission-3v8d0n changed: turns, risk. What does \\| a \\*late\\*" in major
    assert "- school-health-p5x1he changed (holdout): referenceAnswer\n" in major
    assert "- emission-q1w2e3 retired (holdout)\n" in major
    assert "- emission-x9d2zc retired: repealed; successor emission-3v8d0n\n" in major
    assert "- emission-4e4rwp removed: stale" in minor
    assert "## Patch" not in text


def test_readme_shows_outside_text_as_text(rendered: Rendered) -> None:
    text = rendered.files["README.md"].decode()
    body = text.split("---\n", 2)[2]
    assert "<script>" not in body
    assert "Rules \\| of \\*schools\\*" in body
    assert "| domain=emission | one \\| so far | `lead-1` |" in body
    assert "Do not train" in body
    assert rendered.manifest["canary"] in body
    assert "| refuse | 2 | 1 |" in body
    assert "| (none) |" in body


def test_manifest_counts_the_holdout_and_keeps_what_a_reproduction_needs(rendered: Rendered) -> None:
    manifest = rendered.manifest
    assert manifest["counts"]["partition"] == {"dev": 6, "holdout": 1, "followup_dev": 1, "followup_holdout": 1}
    assert manifest["counts"]["stratum"]["conversation"] == {"follow-up": 2, "single": 7}
    assert manifest["counts"]["stratum"]["lengthStratum"] == {"base": 4, "5x": 5}
    assert manifest["partitions"] == {"level": "top section", "seed": 7, "holdout": 0.25}
    assert manifest["reference"] == {"median": 8, "origin": "production-lengths.csv", "asOf": "2025-06-30"}
    assert {"id": "case-5tq0rz", "what": "added", "level": "minor", "fields": []} in manifest["changes"]
    assert manifest["reviewers"] == ["expert-1", "expert-2", "lead-1"]
    assert b'"minimum": 5,' in rendered.files["manifest.json"]


def test_a_suite_without_follow_ups_has_no_file_for_them(make: Callable[..., ReleaseInput]) -> None:
    release = make()
    single = render(replace(release, lines=[n for n in release.lines if n["partition"] == "dev"]))
    assert "followup_dev.jsonl" not in single.files
    assert "followup_dev" not in single.files["README.md"].decode().split("---\n")[1]
    assert single.holdout == {}
    assert verify(single.files, single.holdout) == []


def change_line(release: ReleaseInput, name: str, **values: Any) -> ReleaseInput:
    return replace(release, lines=[n | values if n["id"] == name else n for n in release.lines])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda r: change_line(r, "emission-3v8d0n", risk="severe"), "emission-3v8d0n: risk"),
        (lambda r: change_line(r, "emission-3v8d0n", referenceAnswer="No."), "emission-3v8d0n: contentHash"),
        (lambda r: change_line(r, "emission-3v8d0n", refusalReason="unsafe"), "emission-3v8d0n: a refusalReason"),
        (lambda r: replace(r, lines=[*r.lines, r.lines[0]]), "school-health-7k2m9q: the id stands twice"),
        (lambda r: replace(r, sources=r.sources[1:]), "cites guideline.exclusion:measles, which is not in sources"),
        (lambda r: replace(r, sources=[*r.sources, r.sources[0]]), "the id or alias of two sources"),
        (lambda r: replace(r, documents=r.documents[1:]), "document emission is not in the manifest"),
        (lambda r: replace(r, lines=[n for n in r.lines if "holdout" in n["partition"]]), "nothing to release"),
        (lambda r: replace(r, version="2.0"), "manifest: version"),
        (lambda r: replace(r, created_at="2026-01-01T00:00:00+01:00"), "manifest: createdAt"),
        (lambda r: replace(r, policy=r.policy.model_copy(update={"name": "other"})), "canary: expected"),
    ],
)  # fmt: skip
def test_what_is_against_the_rules_is_never_written(
    make: Callable[..., ReleaseInput], change: Callable[[ReleaseInput], ReleaseInput], said: str
) -> None:
    with pytest.raises(ValueError) as caught:
        render(change(make()))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
