"""The game for these tests."""

from __future__ import annotations

import pytest

from companion.packs import Pack


@pytest.fixture(scope="session")
def pack() -> Pack:
    return Pack("b17")
