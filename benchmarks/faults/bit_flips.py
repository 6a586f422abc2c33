"""One bit is flipped somewhere in a workspace: does `curator doctor --full` find it?

    python -m benchmarks.faults.bit_flips [--flips 150] [--seed 1]

A third of the flips each in the database, in kept source files, and in releases with their holdout. A flip that is not
found is looked into: one in the free space of a page changes no row. Exit code 1 below 90 %.
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import sys
import tempfile
from collections import Counter
from contextlib import closing
from pathlib import Path

from benchmarks.faults.ground import command, copied, demo

GOAL = 0.9


def targets(root: Path) -> dict[str, list[Path]]:
    """The files of each kind."""
    hidden = root / ".curator"
    return {
        "database": [hidden / "curator.db"],
        "sources": sorted((hidden / "files").glob("*.pdf")),
        "releases": sorted(p for top in (root / "exports", hidden / "holdout") for p in top.rglob("*") if p.is_file()),
    }


def flip(path: Path, chance: random.Random) -> str:
    """Change one bit of a file; gives where."""
    place, bit = chance.randrange(path.stat().st_size), chance.randrange(8)
    with path.open("r+b") as stream:
        stream.seek(place)
        (value,) = stream.read(1)
        stream.seek(place)
        stream.write(bytes([value ^ (1 << bit)]))
    return f"byte {place}, bit {bit}"


def rows(path: Path) -> str:
    """All that a database says, as one text."""
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)) as connection:
            return "\n".join(connection.iterdump())
    except sqlite3.DatabaseError as error:
        return f"unreadable: {error}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--flips", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-copies", action="store_true", help="as on the first day: no copy to compare with")
    given = parser.parse_args()
    chance = random.Random(given.seed)
    found: Counter[str] = Counter()
    made: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="flips-") as folder:
        original = demo(Path(folder) / "space")
        if given.no_copies:
            for path in (original / ".curator" / "backups").glob("*.db"):
                path.unlink()
        code, said = command(original, "doctor", "--full")
        if code:
            raise SystemExit(f"it is not sound before any flip:\n{said}")
        before = rows(original / ".curator" / "curator.db")
        for number in range(given.flips):
            kind = ("database", "sources", "releases")[number % 3]
            with copied(original, Path(folder) / "broken") as root:
                path = chance.choice(targets(root)[kind])
                where = flip(path, chance)
                harmless = kind == "database" and rows(path) == before
                code, said = command(root, "doctor", "--full")
                if "Traceback" in said or "a bug:" in said:
                    raise SystemExit(f"{path.name} {where}: {said}")
                made[kind] += 1
                found[kind] += bool(code)
                if not code:
                    print(f"not found: {path.relative_to(root)} {where}" + (": changes no row" if harmless else ""))
                    found["harmless"] += harmless
    for kind, count in made.items():
        print(f"{kind:10} {found[kind]:4d} of {count} found")
    total = sum(found[k] for k in made)
    print(f"{total} of {given.flips} single-bit flips found ({total / given.flips:.1%}); "
          f"{found['harmless']} of the others changed no row")  # fmt: skip
    return 0 if total >= GOAL * given.flips else 1


if __name__ == "__main__":
    sys.exit(main())
