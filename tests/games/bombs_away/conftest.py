"""The game for these tests."""

import pytest

from companion.packs import Pack


@pytest.fixture(scope="session")
def pack() -> Pack:
    return Pack("bombs-away")
