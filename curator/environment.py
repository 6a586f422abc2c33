"""What is known before a workspace is opened: the name of its file, and who is at the keyboard.

Light on purpose: the app paints its first screen, and the command line its help, with nothing more than this.
"""

from __future__ import annotations

import os
from pathlib import Path

FILE_NAME = "curator.toml"
ACTOR_VARIABLE = "CURATOR_ACTOR"


def default_actor() -> str:
    """The actor of this person: `CURATOR_ACTOR`, else `actor` in their own config file, else ""."""
    if named := os.environ.get(ACTOR_VARIABLE, "").strip():
        return named
    try:
        text = _own_file().read_text("utf-8")
    except (OSError, ValueError):
        return ""
    import tomllib  # only for those who have such a file

    try:
        value = tomllib.loads(text).get("actor", "")
    except ValueError:
        return ""
    return value if isinstance(value, str) else ""


def _own_file() -> Path:
    from platformdirs import user_config_path  # 10 ms that `--help` need not pay

    return user_config_path("curator") / "config.toml"
