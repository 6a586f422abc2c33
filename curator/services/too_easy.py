"""Cases that both trivial baselines pass: they tell a system that reads from one that does not in no way."""

from __future__ import annotations

import re
from pathlib import Path

from curator.domain.changes import version_key
from curator.errors import CheckFailed, InputError
from curator.progress import Progress, Silent
from curator.services.gate import too_easy, trivial_runs
from curator.services.gated_suite import open_suite

K = 10
_VERSION = re.compile(r"\d{1,9}\.\d{1,9}\.\d{1,9}")


def too_easy_of(root: Path, suite: str, progress: Progress | None = None) -> tuple[str, ...]:
    """Ids of the too easy cases of the newest version over which both `curator baseline` runs were made here.

    () when there is none, or when a run or the release cannot be taken: `curator gate` then says why.

    Args:
        root: Folder of the workspace.
        suite: Its name; "" = of every suite.
        progress: A stage for each run.
    """
    progress = progress or Silent()
    exports = root / "exports"
    suites = [suite] if suite else sorted(p.name for p in exports.iterdir()) if exports.is_dir() else []
    return tuple(sorted({name for one in suites for name in _of(root, one, progress)}))


def _of(root: Path, suite: str, progress: Progress) -> tuple[str, ...]:
    runs = (root / "runs").glob(f"lead3-{suite}-*") if suite else ()
    versions = [p.name.removeprefix(f"lead3-{suite}-") for p in runs]
    versions = [v for v in versions if _VERSION.fullmatch(v)]
    there = [v for v in versions if trivial_runs(root, suite, v) and (root / "exports" / suite / v).is_dir()]
    if not there:
        return ()
    newest = max(there, key=version_key)
    try:
        released = open_suite(root / "exports" / suite / newest, progress)
        return too_easy(released, trivial_runs(root, suite, newest), K, progress)
    except (InputError, CheckFailed):
        return ()
