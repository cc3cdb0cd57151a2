"""Where a player's campaigns live."""

from __future__ import annotations

import os
from pathlib import Path


def home() -> Path:
    """`COMPANION_HOME`, or the platform's folder for a user's data."""
    named = os.environ.get("COMPANION_HOME")
    if named:
        return Path(named).expanduser()
    from platformdirs import user_data_dir

    return Path(user_data_dir("bomber-companion", appauthor=False))


recorded: list[str] = []  # the player's files that this command has put in place, or was about to when it was stopped
