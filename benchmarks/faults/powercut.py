"""A power cut at every acknowledgement, replayed: what was not synced is gone, and every acknowledged edit is there.

    python -m benchmarks.faults.powercut [--edits 210] [--seed 1]

A process saves edits under strace (needed) and tells each one that came back. The database file and its log are then
built again as a disk would have them if the power went at that very moment: only writes that a sync followed, and once
more with a random part of the later writes, some of them torn in the middle. Each must be sound and hold all edits that
were acknowledged by then. Exit code 1 on any loss.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from benchmarks.faults.ground import PYTHON
from curator.services import cases
from curator.workspace import Workspace
from tests.services.desk import Desk, build_desk

CALLS = "pwrite64,write,fdatasync,fsync,ftruncate"
_LINE = re.compile(r"^(?P<call>\w+)\((?P<fd>\d+)<(?P<path>[^>]*)>(?P<rest>.*)$")
_DATA = re.compile(r'^, "(?P<data>(?:\\x[0-9a-f]{2})*)", (?P<size>\d+)(?:, (?P<place>\d+))?\) += (?P<done>-?\d+)')
_CUT = re.compile(r"^, (?P<size>\d+)\) += 0")
SECTOR = 512


class Step(NamedTuple):
    """Something that a process did to a file: "write", "sync", "cut" or "told"."""

    what: str
    name: str = ""
    place: int = 0
    data: bytes = b""


def steps(log: Path) -> Iterator[Step]:
    """What the process did to the database and its log, and what it told, in order."""
    with log.open(encoding="ascii", errors="replace") as stream:
        for line in stream:
            if not (found := _LINE.match(line)):
                continue
            name, rest = Path(bytes(found["path"], "ascii").decode("unicode_escape")).name, found["rest"]
            data = _DATA.match(rest)
            if found["call"] == "write" and found["fd"] == "1" and data:
                yield Step("told", data=bytes.fromhex(data["data"].replace("\\x", "")))
            elif not name.startswith("curator.db") or name.endswith("-shm"):
                continue
            elif found["call"] == "pwrite64" and data and int(data["done"]) > 0:
                yield Step("write", name, int(data["place"]), bytes.fromhex(data["data"].replace("\\x", "")))
            elif found["call"] in ("fdatasync", "fsync"):
                yield Step("sync", name)
            elif found["call"] == "ftruncate" and (cut := _CUT.match(rest)):
                yield Step("cut", name, int(cut["size"]))


class Disk:
    """What lies safely on a disk, and what only the system's memory holds."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.safe = {name: bytearray(data) for name, data in files.items()}
        self.waiting: dict[str, list[Step]] = {}

    def take(self, step: Step) -> None:
        if step.what == "sync":
            for waiting in self.waiting.pop(step.name, []):
                _apply(self.safe.setdefault(step.name, bytearray()), waiting)
        else:
            self.waiting.setdefault(step.name, []).append(step)

    def after_the_cut(self, chance: random.Random | None) -> dict[str, bytes]:
        """The files when the power comes back; with chance, a part of what waited is there, some of it torn."""
        files = {name: bytearray(data) for name, data in self.safe.items()}
        for name, waiting in self.waiting.items() if chance else ():
            assert chance is not None
            for step in waiting:
                if chance.random() < 0.5:
                    sectors = chance.randrange(len(step.data) // SECTOR + 1) if chance.random() < 0.3 else 0
                    data = step.data[: sectors * SECTOR] if sectors else step.data
                    _apply(files.setdefault(name, bytearray()), step._replace(data=data))
        return {name: bytes(data) for name, data in files.items()}


def _apply(content: bytearray, step: Step) -> None:
    if step.what == "cut":
        del content[step.place :]
        return
    end = step.place + len(step.data)
    if len(content) < end:
        content.extend(bytes(end - len(content)))
    content[step.place : end] = step.data


def save_and_tell(root: Path, name: str, edits: int) -> None:
    """In the process that is watched: save, then tell."""
    with Workspace(root, "ada") as space:
        record = cases.get(space.context, name)
        for number in range(1, edits + 1):
            changed = record.case.model_copy(update={"notes": str(number)})
            record = cases.save(space.context, changed, record.version)
            os.write(1, f"told {number}\n".encode())


def lost(files: dict[str, bytes], folder: Path, name: str, told: int) -> str:
    """What is wrong with a database as the disk has it after the cut; "" = nothing."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for file, data in files.items():
        (folder / file).write_bytes(data)
    try:
        with closing(sqlite3.connect(folder / "curator.db")) as connection:
            if (checked := connection.execute("pragma integrity_check").fetchone()[0]) != "ok":
                return f"damaged: {checked}"
            query = "select content, version from golden_case where id = ?"
            content, version = connection.execute(query, (name,)).fetchone()
            events = "select max(version) from event where entity_id = ?"
            (said,) = connection.execute(events, (name,)).fetchone()
    except sqlite3.DatabaseError as error:
        return f"damaged: {error}"
    found = re.search(r'"notes":"(\d*)"', content)
    there = int(found[1] or 0) if found else 0
    if there < told:
        return f"{told} edits were acknowledged, {there} are there"
    return "" if said == version else "half a decision"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edits", type=int, default=210)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    chance = random.Random(given.seed)
    folder = Path(tempfile.mkdtemp(prefix="powercut-"))
    try:
        root = build_desk(folder / "space")
        desk = Desk(root)
        name = desk.case().case.id
        desk.workspace.close()
        database = root / ".curator" / "curator.db"
        disk = Disk({p.name: p.read_bytes() for p in database.parent.glob("curator.db*") if "-shm" not in p.name})
        call = f"from benchmarks.faults.powercut import *; save_and_tell(Path({str(root)!r}), {name!r}, {given.edits})"
        log = folder / "strace.log"
        only = ["-e", f"trace={CALLS}", "-e", "signal=none"]
        watch = ["strace", "-qq", "-y", "-xx", "-s", "2000000", *only, "-o", str(log)]
        subprocess.run([*watch, PYTHON, "-c", call], check=True, stdout=subprocess.DEVNULL)
        told = cuts = bad = syncs = 0
        for step in steps(log):
            if step.what != "told":
                disk.take(step)
                syncs += step.what == "sync"
                continue
            told = int(step.data.split()[1])
            for dice in (None, chance):
                cuts += 1
                if wrong := lost(disk.after_the_cut(dice), folder / "after", name, told):
                    bad += 1
                    print(f"! cut after edit {told}: {wrong}", flush=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{cuts} power cuts at {told} acknowledgements, {syncs} syncs: {bad} lost or damaged")
    return 1 if bad or told != given.edits else 0


if __name__ == "__main__":
    sys.exit(main())
