"""Every test has a data folder of its own; the packs are compiled once."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.packs import Pack
from companion.play.mission import Mission


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the packs are kept compiled, for all tests: a kept file is believed only when it agrees with its source."""
    return tmp_path_factory.mktemp("compiled")


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, compiled: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    home = tmp_path.with_name(f"{tmp_path.name}-home")
    home.mkdir()
    (home / "cache").symlink_to(compiled, target_is_directory=True)
    monkeypatch.setenv("COMPANION_HOME", str(home))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("COMPANION_DEBUG", raising=False)
    yield home


@pytest.fixture(scope="session")
def b29() -> Pack:
    return Pack("b29")


Lay = Callable[..., Path]


@pytest.fixture
def lay(data_folder: Path) -> Lay:
    """Put a file into the player's folder that lies over a game."""

    def write(name: str, text: str, game: str = "b29") -> Path:
        path = data_folder / "packs" / game / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    return write


class Ran:
    """What a command printed and how it ended."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Ran]


@pytest.fixture
def companion(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the command line in this process, on a pipe (nobody to ask)."""

    def run(*arguments: object) -> Ran:
        from companion.__main__ import main

        monkeypatch.setattr(sys, "argv", ["companion", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", io.StringIO())
        code = main()
        out, err = capsys.readouterr()
        return Ran(code, out, err)

    return run


@pytest.fixture
def process() -> Run:
    """Run the command line as a process of its own, as a player's shell does."""

    def run(*arguments: object, **more: Any) -> Ran:
        done = subprocess.run(
            [sys.executable, "-m", "companion", *map(str, arguments)],
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            env={**os.environ, **more.get("env", {})},
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    return run


def there_and_back(mission: Mission) -> None:
    """Undo a whole mission, entry by entry, and do it again: the empty sheet, and the same end."""
    end = (dict(mission.state), list(mission.pending))
    while mission.journal.stand:
        mission.undo()
    assert (mission.state, mission.pending) == ({}, [])
    while mission.journal.stand < len(mission.journal.entries):
        mission.redo()
    assert (mission.state, mission.pending) == end
