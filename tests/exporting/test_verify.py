from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from curator.domain.canonical import content_hash, file_bytes
from curator.domain.identity import sha256
from curator.exporting.release import Rendered
from curator.exporting.schema import case_schema, pretty
from curator.exporting.verify import MOST_PROBLEMS, verify

Files = dict[str, bytes]


def loaded(data: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in data.decode().split("\n") if line]


def resum(files: Files) -> None:
    """Makes the hashes of the manifest and SHA256SUMS right again, so that only the rule itself is broken."""
    manifest = json.loads(files["manifest.json"])
    for entry in manifest["files"]:
        data = files[entry["path"]]
        entry |= {"bytes": len(data), "sha256": sha256(data)}
    manifest["schema"]["sha256"] = sha256(files["case.schema.json"])
    files["manifest.json"] = pretty(manifest)
    names = sorted(set(files) - {"SHA256SUMS", "build.json"})
    files["SHA256SUMS"] = "".join(f"{sha256(files[n])}  {n}\n" for n in names).encode()


def edit(name: str, change: Callable[[bytes], bytes]) -> Callable[[Files, Files], None]:
    def do(files: Files, hidden: Files) -> None:
        files[name] = change(files[name])
        resum(files)

    return do


def man(**values: Any) -> Callable[[Files, Files], None]:
    return edit("manifest.json", lambda b: pretty(json.loads(b) | values))


def lines(change: Callable[[list[dict[str, Any]]], Any]) -> Callable[[bytes], bytes]:
    def do(data: bytes) -> bytes:
        rows = loaded(data)
        change(rows)
        for row in rows:
            if "evidence" in row:
                row["contentHash"] = content_hash(row)
        return file_bytes(rows)

    return do


def bare_rows(rows: list[dict[str, Any]]) -> None:
    for row in rows:
        row["text"] = " | ".join(row["tableCells"]) or row["text"]


def uncited(rows: list[dict[str, Any]]) -> None:
    other = next(row for row in rows if row["id"].startswith("emission:"))
    rows.append(other | {"id": "emission:zz", "aliases": [], "documentId": "foreign"})


def foreign_source(files: Files, hidden: Files) -> None:
    man(sources="all")(files, hidden)
    edit("sources.jsonl", lines(uncited))(files, hidden)


BROKEN: dict[str, tuple[Callable[[Files, Files], Any], str]] = {
    "a changed byte": (lambda f, h: f.update({"README.md": f["README.md"] + b"x"}), "README.md: changed"),
    "a short file": (lambda f, h: f.update({"dev.jsonl": f["dev.jsonl"][:-9]}), "dev.jsonl: cut off"),
    "a short list of sums": (lambda f, h: f.update(SHA256SUMS=f["SHA256SUMS"][:-30]), "SHA256SUMS: cut off"),
    "a missing file": (lambda f, h: f.pop("CHANGES.md"), "CHANGES.md: missing"),
    "no manifest": (lambda f, h: f.pop("manifest.json"), "manifest.json: missing"),
    "no cases": (lambda f, h: [f.pop(n) for n in ("dev.jsonl", "followup_dev.jsonl")], "neither dev.jsonl nor"),
    "an unknown file": (lambda f, h: f.update({"x\n.txt": b"x"}), "x .txt: unknown file"),
    "holdout inside": (lambda f, h: f.update(h), "holdout.jsonl: the holdout may not lie here"),
    "holdout changed": (lambda f, h: h.update({"holdout.jsonl": h["holdout.jsonl"] + b" "}), "holdout.jsonl has"),
    "holdout missing": (lambda f, h: h.pop("holdout.jsonl"), "holdout.jsonl is missing"),
    "an unknown schema": (
        edit("case.schema.json", lambda b: pretty(json.loads(b) | {"$id": "urn:curator:case:9.0.0"})),
        "unknown schema urn:curator:case:9.0.0",
    ),
    "a loosened schema": (
        edit("case.schema.json", lambda b: pretty({k: v for k, v in case_schema().items() if k != "allOf"})),
        "not what urn:curator:case:1.0.0 says",
    ),
    "empty partition": (edit("followup_dev.jsonl", lambda b: b""), "followup_dev.jsonl: no rows"),
    "CRLF": (edit("dev.jsonl", lambda b: b.replace(b"\n", b"\r\n")), "not the canonical bytes"),
    "a mark": (edit("dev.jsonl", lambda b: b"\xef\xbb\xbf" + b), "not the canonical bytes"),
    "a blank line": (edit("dev.jsonl", lambda b: b + b"\n"), "not the canonical bytes"),
    "spaces": (edit("dev.jsonl", lambda b: b.replace(b'","', b'", "')), "not the canonical bytes"),
    "unsorted": (edit("dev.jsonl", lambda b: b"\n".join(b.split(b"\n")[-2::-1]) + b"\n"), "not sorted"),
    "a case twice": (edit("dev.jsonl", lambda b: b + b.split(b"\n")[0] + b"\n"), "ids are not unique"),
    "no JSON": (edit("dev.jsonl", lambda b: b + b"{\n"), "dev.jsonl line 7: not JSON"),
    "a rule of a line": (
        edit("dev.jsonl", lines(lambda rows: rows[0].update(referenceAnswer=""))),
        "dev.jsonl line 1 case-5tq0rz: an answer needs a referenceAnswer",
    ),
    "another content": (
        edit("dev.jsonl", lambda b: b.replace(b'"risk":"critical"', b'"risk":"high"')),
        "school-health-y3p9qh: contentHash",
    ),
    "another partition": (
        edit("dev.jsonl", lines(lambda rows: rows[0].update(partition="holdout"))),
        "dev.jsonl case-5tq0rz: lies in partition holdout",
    ),
    "another canary": (
        edit("dev.jsonl", lines(lambda r: r[0].update(canary="curator-canary:00000000-0000-5000-8000-000000000000"))),
        "case-5tq0rz: canary",
    ),
    "a source is missing": (edit("sources.jsonl", lambda b: b.split(b"\n", 1)[1]), "cites emission:article-7"),
    "a bare row": (edit("sources.jsonl", lines(bare_rows)), "missing or out of order"),
    "an alias of two": (
        edit("sources.jsonl", lines(lambda rows: rows[0].update(aliases=["emission:article-8"]))),
        "emission:article-8: the id or alias of two sources",
    ),
    "no column types": (edit("README.md", lambda b: b.replace(b"dataset_info", b"info")), "no column types"),
    "data_files elsewhere": (
        edit("README.md", lambda b: b.replace(b"followup_dev.jsonl", b"holdout.jsonl", 1)),
        "README.md: data_files",
    ),
    "data package": (
        edit("datapackage.json", lambda b: b.replace(b'"path": "dev.jsonl"', b'"path": "../dev.jsonl"')),
        "datapackage.json: resources",
    ),
    "manifest: canary": (man(canary="curator-canary:00000000-0000-5000-8000-000000000000"), "manifest.json: canary"),
    "manifest: version": (man(version="1.0"), "manifest.json: version"),
    "manifest: null": (man(parent=None), "manifest.json: parent"),
    "manifest: policy": (man(policy={"quotas": [], "review": {"solo": True}, "sha256": "0" * 64}), "policy: sha256"),
    "manifest: a surrogate": (
        lambda f, h: f.update({"manifest.json": f["manifest.json"].replace(b'"solo"', b'"x": "\\ud800", "solo"')}),
        "a lone surrogate",
    ),
    "sources: one that nothing cites": (edit("sources.jsonl", lines(uncited)), "emission:zz: no case here cites it"),
    "sources: of a strange document": (foreign_source, "emission:zz: no case here cites its document foreign"),
    "manifest: sources": (man(sources=["all"]), "is neither cited nor all"),
    "manifest: documents": (man(documents=[]), "document guideline is not in the manifest"),
    "manifest: counts": (
        man(counts={
            "cases": 1, "partition": {"dev": 1, "holdout": 0, "followup_dev": 0, "followup_holdout": 0}, "stratum": {},
        }),
        "counts: 1 cases in dev, found 6",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_each_break_is_found(rendered: Rendered, name: str) -> None:
    change, said = BROKEN[name]
    files, hidden = dict(rendered.files), dict(rendered.holdout)
    change(files, hidden)
    found = verify(files, hidden)
    assert any(said in problem for problem in found), found
    assert not any("\n" in problem for problem in found)


def test_strata_are_counted_again(rendered: Rendered) -> None:
    manifest = json.loads(rendered.files["manifest.json"])
    manifest["counts"]["stratum"]["risk"] = {"low": 6, "high": 2, "critical": 1}
    files = rendered.files | {"manifest.json": pretty(manifest)}
    resum(files)
    assert verify(files) == []  # a hidden case may be of high risk: only the holdout tells
    found = verify(files, rendered.holdout)
    assert "manifest.json: counts: stratum risk: 2 cases of high, found 1" in found
    manifest["counts"]["stratum"]["risk"] = {"low": 9}
    files["manifest.json"] = pretty(manifest)
    resum(files)
    assert "manifest.json: counts: stratum risk: 0 cases of critical, found 1" in verify(files)


def test_without_the_holdout_the_folder_stands_alone(rendered: Rendered) -> None:
    assert verify(rendered.files) == []


def test_nothing_is_not_fine() -> None:
    found = verify({})
    assert "no cases" in found
    assert len(found) >= 8


@pytest.mark.parametrize(
    "junk",
    [b"", b"\x00\xff", b"[]", b"null", b"{}", b"\xef\xbb\xbf{}", b"[" * 200_000],
    ids=["empty", "binary", "list", "null", "object", "mark", "deep"],
)
def test_junk_in_any_file_is_a_problem_and_never_a_traceback(rendered: Rendered, junk: bytes) -> None:
    for name in set(rendered.files) - {"build.json"}:
        assert verify(rendered.files | {name: junk}, rendered.holdout)
        files = rendered.files | {name: junk}
        if name not in ("manifest.json", "SHA256SUMS", "CHANGES.md"):
            resum(files)
            assert verify(files, rendered.holdout), name


def test_a_flood_of_problems_is_cut(rendered: Rendered) -> None:
    found = verify(rendered.files | {"dev.jsonl": b"x\n" * 1000})
    assert sum("not JSON" in p for p in found) == MOST_PROBLEMS
    assert any("and 950 more problems" in p for p in found)


def test_the_canonical_sample_is_fine(canonical: Path) -> None:
    folder = canonical / "example-export" / "kindergarten-health" / "1.0.0"
    hidden = canonical / "example-holdout" / "kindergarten-health" / "1.0.0"
    files, holdout = ({p.name: p.read_bytes() for p in f.iterdir()} for f in (folder, hidden))
    assert verify(files, holdout) == []
