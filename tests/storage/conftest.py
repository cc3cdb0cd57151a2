"""Campaigns on disk."""

import shlex
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from companion.store.files import home
from tests.support import Run


@pytest.fixture
def owls(companion: Run) -> Run:
    companion("new", "Night Owls", "--game", "b29", "--yes")
    return companion


@pytest.fixture(scope="session")
def prepared_homes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return prepared data folders by fixture name: the commands are run once and their folder copied for each test."""
    return tmp_path_factory.mktemp("laid-up")


def copied(prepared_homes: Path, name: str, companion: Run, commands: Iterable[str]) -> Run:
    """Return the command line with the data folder that these commands leave."""
    if (prepared_homes / name).exists():
        shutil.copytree(prepared_homes / name, home(), dirs_exist_ok=True)
        return companion
    for command in commands:
        assert companion(*shlex.split(command)).code == 0, command
    shutil.copytree(home(), prepared_homes / name, ignore=shutil.ignore_patterns("cache", ".lock"))
    return companion


@pytest.fixture
def struck(companion: Run, prepared_homes: Path) -> Run:
    begin = ["new Owls --game b29 --yes", "mission start --yes"]
    return copied(prepared_homes, "struck", companion, [*begin, "mark fuel.wing 7", "mark fuel.wing"])


@pytest.fixture
def flown(companion: Run, prepared_homes: Path) -> Run:
    """Return a campaign of two missions, the second in progress with rolls and orders pending."""
    first = ["mission start --yes --with target.city=Osaka", "fly --auto --seed 4"]
    second = ["mission start --yes --with target.city=Kobe", "fly --auto --seed 15", "undo 20"]
    return copied(prepared_homes, "flown", companion, ["new 'Night Owls' --game b29 --yes", *first, *second])


@pytest.fixture
def empty_home(companion: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return the command line with an empty data folder."""

    def run(*arguments: object) -> Any:
        monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "elsewhere"))
        return companion(*arguments)

    return run
