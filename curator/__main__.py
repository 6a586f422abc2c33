"""`curator`, `golden-curator` and `python -m curator`: the one place that knows both front ends."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from curator.workspace import Workspace


def open_app(workspace: Workspace) -> int:
    """Run the app on a workspace; Textual is loaded here, so that no command pays for it."""
    from curator.tui.app import run

    return run(workspace)


def main() -> None:
    """Run the command line and exit with its code."""
    from curator.cli.main import run

    sys.exit(run(sys.argv[1:], open_app))


if __name__ == "__main__":
    main()
