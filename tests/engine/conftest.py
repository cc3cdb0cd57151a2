"""Small games shared by several tests of the engine."""

from pathlib import Path

import pytest

from companion.packs import Pack
from tests.support import FACTS, pack


@pytest.fixture
def turrets(tmp_path: Path) -> Pack:
    return pack(tmp_path, "turrets")


@pytest.fixture
def kites(tmp_path: Path) -> Pack:
    return pack(tmp_path, "kites")


@pytest.fixture
def raid(tmp_path: Path) -> Pack:
    return pack(
        tmp_path,
        facts=FACTS,
        fields='formation = {values = "in no out"}\n"net.worth" = {kind = "number"}\n"seat[side]" = {}\n',
    )
