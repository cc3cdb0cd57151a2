"""Where a player's campaigns live."""

from __future__ import annotations

import os
from pathlib import Path

from companion.problems import Trouble


def home() -> Path:
    """`COMPANION_HOME`, or the platform's folder for a user's data."""
    named = os.environ.get("COMPANION_HOME")
    if named:
        try:
            return Path(named).expanduser()
        except RuntimeError:
            raise Trouble(f"COMPANION_HOME is {named}, but nobody here has that name") from None
    from platformdirs import user_data_dir

    return Path(user_data_dir("bomber-companion", appauthor=False))


def note() -> Path:
    """Where it says which change is still to come into place, `companion.files.change`."""
    return home() / ".change"


recorded: list[str] = []  # the player's files that this command has put in place, or was about to when it was stopped
opened: dict[str, object] = {}  # the games that this command has opened, by name: any of them may be at fault


def unrecorded() -> str:
    """What is said where the disk refuses: whether this command has recorded something earlier."""
    return "this was not recorded, what came before it stands" if recorded else "nothing was recorded"
