"""What the first paint loads: Textual, our lists, nothing else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

LOOK = """
import sys
from pathlib import Path
from curator.tui.app import CuratorApp
from curator.workspace import Workspace

def look(self):
    strips = self.screen._compositor.render_strips()
    painted = "what needs me" in "".join(s.text for strip in strips for s in strip)
    Path(sys.argv[2]).write_text(" ".join(["painted" if painted else "blank", *sys.modules]))
    self.exit(0)

CuratorApp._open = look
CuratorApp(Workspace(Path(sys.argv[1]), "ana")).run(headless=True, size=(80, 24))
"""
SHELL = {"curator.tui.screens", "curator.tui.screens.home", "curator.tui.screens.room"}
LATER = ("pydantic", "sqlmodel", "sqlalchemy", "pypdf", "pypdfium2", "rapidfuzz", "torch", "tomlkit", "tomllib",
         "typer", "curator.domain", "curator.services", "curator.store", "curator.settings",
         "curator.parsing", "curator.matching", "curator.exporting")  # fmt: skip


def test_the_first_paint_loads_only_the_shell(root: Path, tmp_path: Path) -> None:
    told = tmp_path / "modules.txt"
    subprocess.run([sys.executable, "-c", LOOK, str(root), str(told)], stdout=subprocess.DEVNULL, check=True)
    painted, *modules = told.read_text().split()
    assert painted == "painted"
    assert not [m for m in modules if m.startswith(LATER)]
    assert {m for m in modules if m.startswith("curator.tui.screens")} <= SHELL
    assert not [m for m in modules if m.startswith(("curator.tui.widgets.source", "curator.tui.widgets.case"))]
