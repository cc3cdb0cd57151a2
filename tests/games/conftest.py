"""The game of each folder of tests."""

from functools import cache
from pathlib import Path

import pytest

from companion.packs import Pack

NAMES = {"b17": "b17", "bombs_away": "bombs-away", "streamliner": "b29-streamliner"}


@cache
def game_of(folder: str) -> Pack:
    return Pack(NAMES[folder])


@pytest.fixture(scope="module")
def pack(request: pytest.FixtureRequest) -> Pack:
    return game_of(Path(request.path).parent.name)
