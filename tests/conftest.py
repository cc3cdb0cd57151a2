"""A separate data folder for every test, and packs compiled once."""

import gc
import io
import itertools
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.packs import Pack
from tests.sharing import made_once
from tests.support import Lay, Ran, Run, Terminal


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Run a single file in this process, and whole folders on every core."""
    if any(".py" in each for each in config.args):
        return 0
    config.option.dist = "worksteal"
    return None


def pytest_collection_finish() -> None:
    """Freeze collected objects, so that the garbage collector need not scan them again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


@pytest.fixture(scope="session", autouse=True)
def shared() -> Iterator[None]:
    with made_once():
        yield


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of compiled packs for all tests; a cached file is used only if it matches its source."""
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "compiled"  # the workers share it
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Yield a new folder for each test; numbered folders are faster than a `tmp_path` for each test."""
    folder = tmp_path_factory.mktemp("homes")
    return (folder / str(number) for number in itertools.count(1))


@pytest.fixture(scope="session")
def clean() -> list[Path]:
    """Keep the folder of the previous test for reuse if it is still empty."""
    return []


@pytest.fixture(autouse=True)
def data_folder(
    homes: Iterator[Path], clean: list[Path], compiled: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Path]:
    if clean:
        home = clean.pop()
    else:
        home = next(homes)
        home.mkdir()
        (home / "cache").symlink_to(compiled, target_is_directory=True)
    monkeypatch.setenv("COMPANION_HOME", str(home))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("COMPANION_DEBUG", raising=False)
    monkeypatch.setattr(os, "fsync", os.fstat)  # there is no power cut here, so there is no need to wait for the disk
    yield home
    while Terminal.open:
        left = Terminal.open.pop()
        for _ in range(3):
            if left.exitstatus is None:
                left.interrupt()
    if (home / "cache").is_symlink() and os.listdir(home) == ["cache"]:
        clean.append(home)


@pytest.fixture(scope="session")
def b29() -> Pack:
    return Pack("b29")


@pytest.fixture(scope="session")
def b17() -> Pack:
    return Pack("b17")


@pytest.fixture
def lay(data_folder: Path) -> Lay:
    """Write an overlay of a game into the player's folder."""

    def write(name: str, text: str, game: str = "b29") -> Path:
        path = data_folder / "packs" / game / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    return write


@pytest.fixture
def companion(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the command line in this process, on a pipe (nobody to ask)."""

    def run(*arguments: object) -> Ran:
        from companion.cli.main import main

        monkeypatch.setattr(sys, "stdin", io.StringIO())
        code = main(list(map(str, arguments)))
        out, err = capsys.readouterr()
        return Ran(code, out, err)

    return run


@pytest.fixture
def process() -> Run:
    """Run the command line as a separate process, as a player's shell does."""

    def run(*arguments: object, **more: Any) -> Ran:
        done = subprocess.run(
            [sys.executable, "-m", "companion", *map(str, arguments)], capture_output=True, text=True,
            stdin=subprocess.DEVNULL, env={**os.environ, **more.get("env", {})},
        )  # fmt: skip
        return Ran(done.returncode, done.stdout, done.stderr)

    return run
