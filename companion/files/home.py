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


recorded: list[str] = []  # the player's files that this command has put in place, or was about to when it was stopped
