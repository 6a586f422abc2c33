"""Frictionless: the package is valid with hashes, types and enums, its rows are the cases, a changed byte is seen."""

import shutil
import tempfile
from pathlib import Path

from reading import run, same


def load(folder, cases):
    from frictionless import Package

    package = Package(str(folder / "datapackage.json"))
    report = package.validate()
    assert report.valid, report.flatten(["type", "note"])[:3]
    got = {}
    for resource in package.resources:
        if resource.path != "sources.jsonl":
            got |= {row["id"]: row for row in resource.read_rows()}
    same(set(got), set(cases), "ids")
    for name, row in got.items():
        case = cases[name]
        same(row["turns"], case["turns"], name)
        same((row["risk"], row["evidence"]), (case["risk"], case["evidence"]), name)
        same(row["referenceAnswer"] or "", case["referenceAnswer"], name)
    copy = Path(tempfile.mkdtemp()) / "copy"
    shutil.copytree(folder, copy)
    path = copy / "dev.jsonl"
    path.write_bytes(path.read_bytes().replace(b"e", b"E", 1))
    assert not Package(str(copy / "datapackage.json")).validate().valid, "a changed byte is not seen"
    return f"{len(got)} cases valid, a changed byte is seen"


run(load)
