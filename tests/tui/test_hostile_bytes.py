"""What reaches the terminal: the app runs in a pseudo-terminal on a hostile workspace, and its bytes are read."""

from __future__ import annotations

import os
import pty
import re
import select
import struct
import sys
import time
from fcntl import ioctl
from pathlib import Path
from termios import TIOCSWINSZ

from curator import workspace
from curator.domain.case import Case, KeyProvision
from curator.services import cases
from curator.services.ingest import Facts, ingest
from tests.tui.conftest import row_id, table_pdf

ROOT = Path(__file__).parents[2]
EVIL = (
    "[/x] [@click=app.quit]Q[/] \x1b]52;c;aGk=\x07 \x9b31m \x1b[2J \x1bPq\x1b\\ \u202eRLO "
    "Z\u0300\u0301\u0302\u0303\u0304algo \U0001f468\u200d\U0001f469\u200d\U0001f467 수두 مرحبا \u009d52;c;aGk=\u009c"
)
ESCAPES = re.compile(
    rb"\x1b\[[?<=>]?[0-9;:]*\$?[ -/]?[@-~]"  # CSI: modes, moves, colors
    rb"|\x1b\][02];[^\x07\x1b]*(?:\x07|\x1b\\)"  # a window title of Textual's own
    rb"|\x1b\]22;[a-z-]*\x07"  # the shape of the pointer
    rb"|\x1b[78=>]"
)
COLORS = re.compile(rb"\x1b\[[0-9;:]*m|\x1b\[[0-9;]*H")


def workspace_of(root: Path, tmp_path: Path) -> None:
    toml = root / "curator.toml"
    toml.write_text(
        toml.read_text("utf-8").replace("school health", "[/x] [@click=app.quit] \\u001b]52;c;aGk= \\u202e")
    )
    with workspace.Workspace(root, "ana") as space:
        ctx = space.context
        ingest(ctx, [table_pdf(tmp_path / "[x] \u202eevil.pdf", pages=2)], Facts(title=EVIL, domain=EVIL[:40]))
        case = cases.with_evidence(ctx, Case(turns=(EVIL, "A" * 10_000)), row_id(ctx, "[/x]"))
        fields = {"reference_answer": EVIL, "notes": EVIL, "route": EVIL, "must_not_claim": (EVIL,), "tags": (EVIL,),
                  "domain": EVIL, "key_provisions": (KeyProvision(text=EVIL, accept=(EVIL,)),)}  # fmt: skip
        cases.new(ctx, case.model_copy(update=fields))
        cases.new(ctx, Case(turns=(EVIL,)))


def written(root: Path, keys: list[bytes], *, actor: str = "ana", wait: bytes = b"(lead)", **environ: str) -> bytes:
    """All bytes that the app writes while these keys are pressed, from when it shows what is waited for."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(ROOT)
        os.environ |= {"TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24", **environ}
        os.execv(sys.executable, [sys.executable, "-m", "curator", "-w", str(root), "--as", actor])
    ioctl(terminal, TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    found = bytearray()

    def collect(quiet: float, most: float) -> None:
        end = time.monotonic() + most
        while time.monotonic() < end and select.select([terminal], [], [], quiet)[0]:
            try:
                data = os.read(terminal, 65536)
            except OSError:
                return
            if not data:
                return
            found.extend(data)

    end = time.monotonic() + 60
    while wait not in found and time.monotonic() < end:
        collect(0.5, 2)
    for key in keys:
        os.write(terminal, key)
        collect(0.4, 4)
    collect(30, 60)  # the last keys quit: until the terminal is closed
    os.close(terminal)
    os.waitpid(pid, 0)
    return bytes(found)


def test_no_byte_of_outside_text_is_obeyed(root: Path, tmp_path: Path) -> None:
    workspace_of(root, tmp_path)
    f = {1: b"\x1bOP", 2: b"\x1bOQ", 3: b"\x1bOR", 5: b"\x1b[15~", 8: b"\x1b[19~", 12: b"\x1b[24~", 10: b"\x1b[21~"}
    down, enter, escape = b"\x1b[B", b"\r", b"\x1b"
    found = written(root, [f[2], down, enter, f[3], b"t", b"e", b"/", b"[/x]", enter, b"?", b"blisters", escape, f[5],
                           escape, b"l", enter, f[5], b"h", escape, escape, b"l", b" ", b"b", escape, escape, f[8],
                           f[1], f[10], f[10], f[12], escape, b"\x10", b"[/x]", escape, b"\x11", b"y"])  # fmt: skip
    assert b"[/x]" in COLORS.sub(b"", found)
    obeyed_by_nobody(found)


def obeyed_by_nobody(found: bytes) -> None:
    """No byte of outside text acts on the terminal."""
    text = found.decode("utf-8")  # nothing is cut inside a character
    assert "\u202e" not in text
    assert "\x00" not in text
    assert not re.search("[\x80-\x9f]", text)
    assert b"\x1b]52;" not in found
    assert b"\x1b" not in ESCAPES.sub(b"", found)


def test_names_of_people_folders_and_settings_are_shown_too(root: Path, tmp_path: Path) -> None:
    evil = "[/x]\x1b]52;c;aGk=\x07\x9b31m\u202e[@click=app.quit]"
    place = root.rename(tmp_path / evil.replace("/", ""))
    toml = place / "curator.toml"
    text = toml.read_text("utf-8")
    key = evil.replace("\x1b", "\\u001b").replace("\x07", "\\u0007").replace("\x9b", "\\u009b")
    toml.write_text(
        text.replace("[suites.health]", f'[suites."{key}"]').replace("[[suites.health", f'[[suites."{key}"')
    )
    home, escape = b"\x1bOP", b"\x1b"
    keys = [b"\x1b[19~", b"r", b"v", escape, home, b"1", home, b"\x10", b"[/x]", escape, b"\x1b[24~", escape, b"\x11"]
    found = written(place, keys, actor="ana", wait=b"F10")
    assert b"[/x]" in COLORS.sub(b"", found)
    obeyed_by_nobody(found)
    toml.write_text(text + f'["{key}"]\n"{key}" = "{key}"\n')
    found = written(place, [b"\x1b[24~", b"\x1b", b"\x11"], wait=b"not opened")
    assert b"[/x]" in COLORS.sub(b"", found)
    obeyed_by_nobody(found)


def test_without_color_no_color_reaches_the_terminal(root: Path) -> None:
    down, escape = b"\x1b[B", b"\x1b"
    keys = [b"\x1bOQ", down, b"\r", b"\x1b[15~", b"n", b"q", escape, b"\x1b[19~", b"\x1b[21~", escape, b"\x11", b"y"]
    found = written(root, keys, NO_COLOR="1")
    codes = {code for sgr in re.findall(rb"\x1b\[([0-9;:]*)m", found) for code in sgr.split(b";")}
    assert codes <= {b"", b"0", b"1", b"2", b"3", b"4", b"7", b"9"}
    assert b"7" in codes  # the cursor is seen
    shown = COLORS.sub(b"", found).decode("utf-8")
    assert "draft" in shown
