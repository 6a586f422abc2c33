"""Make a dump of a small workspace of every schema that ever landed, with the program of its own time.

    python tests/store/schemas/make.py [NUMBER ...]

For schema N the last commit before a later migration is taken from the history of the repository, and its commands
are run on a small PDF. A schema that has a dump here is left alone: what landed does not change. The newest schema has
none, since it is still the one in use.
"""

from __future__ import annotations

import io
import os
import re
import sqlite3
import subprocess
import sys
import tarfile
import tempfile
from contextlib import closing
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
MIGRATIONS = "curator/store/migrations"
SETTINGS = """\
[people.ada]
role = "lead"
[people.ben]
role = "reviewer"
[review]
double_share = 0
[lengths]
median = 1
[suites.rules]
description = "Rules."
"""
NEEDED = (
    ("ingest", "datasets/regulation.pdf", "--domain", "rules"),
    ("case", "new", "--set", 'turns=["What does a late report cost?"]', "--set", "referenceAnswer=10 million euro.",
     "--set", "risk=low", "--set", "domain=rules", "--evidence", "regulation:article-7"),
    ("case", "new", "--set", 'turns=["A draft, typed in 한국어?"]'),
)  # fmt: skip
TRIED = (
    ("case", "edit", "{first}", "--set", "notes=edited"),
    ("case", "submit", "{first}"),
    ("review", "approve", "{first}", "--risk", "low"),
    ("suite", "release", "rules", "--waive", "small"),
    ("failures", "import", "datasets/log.csv", "--accept-residual-names"),
)


def git(*words: str) -> bytes:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, check=True).stdout


def landed() -> dict[int, str]:
    """The commit with which each migration came."""
    found = {}
    for line in (
        git("log", "--reverse", "--format=@%H", "--name-only", "--diff-filter=A", "--", MIGRATIONS)
        .decode()
        .splitlines()
    ):
        if line.startswith("@"):
            commit = line[1:]
        elif match := re.search(r"/(\d{4})_\w+\.sql$", line):
            found.setdefault(int(match[1]), commit)
    return found


def dump(number: int, commit: str) -> str:
    """The dump of a workspace that the program of a commit has made."""
    with tempfile.TemporaryDirectory() as scratch:
        tree, space = Path(scratch) / "tree", Path(scratch) / "space"
        with tarfile.open(fileobj=io.BytesIO(git("archive", commit, "curator"))) as archive:
            archive.extractall(tree, filter="data")
        for name in ("datasets", "exports", ".curator"):
            (space / name).mkdir(parents=True)
        (space / "curator.toml").write_text(SETTINGS)
        sys.path.insert(0, str(ROOT))
        from tests.services.desk import write_pdf

        write_pdf(space / "datasets" / "regulation.pdf")
        (space / "datasets" / "log.csv").write_text("question,answer\nHow long is a report kept?,Ten years.\n")
        _fill(tree, space)
        database = space / ".curator" / "curator.db"
        with closing(sqlite3.connect(database)) as connection:
            version = connection.execute("pragma user_version").fetchone()[0]
            assert version == number, (version, number)
            return "\n".join([*connection.iterdump(), f"PRAGMA user_version={number};", ""])


def _fill(tree: Path, space: Path) -> None:
    first = ""
    for words in (*NEEDED, *TRIED):
        told = [w.format(first=first) if w == "{first}" else w for w in words]
        by = "ben" if words[0] == "review" else "ada"
        done = subprocess.run(
            [sys.executable, "-m", "curator", "-w", str(space), "--as", by, *told],
            cwd=space, env=os.environ | {"PYTHONPATH": str(tree)}, capture_output=True, text=True,
        )  # fmt: skip
        if done.returncode and words in NEEDED:
            raise SystemExit(f"{' '.join(told)}: {done.stderr}")
        if done.returncode:
            sys.stdout.write(f"  without {' '.join(words[:2])}: {done.stderr.strip().splitlines()[-1][:120]}\n")
        elif words[:2] == ("case", "new"):
            first = first or done.stdout.split()[0]


def before_the_next(number: int, commits: dict[int, str]) -> str:
    """The last commit at which a schema was the newest one; "" = a later one had landed before it."""
    order = git("rev-list", "--reverse", "--topo-order", "HEAD").decode().split()
    place = {commit: n for n, commit in enumerate(order)}
    later = min(place[c] for n, c in commits.items() if n > number)
    return order[later - 1] if later > place[commits[number]] else ""


def main() -> None:
    commits = landed()
    for number in sorted(commits)[:-1]:
        path = HERE / f"{number:04d}.sql"
        if path.exists() or (sys.argv[1:] and str(number) not in sys.argv[1:]):
            continue
        before = before_the_next(number, commits)
        sys.stdout.write(f"schema {number}: {before[:8] or 'was never the newest'}\n")
        if before:
            path.write_text(dump(number, before), "utf-8")


if __name__ == "__main__":
    main()
