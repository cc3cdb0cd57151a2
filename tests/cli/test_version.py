"""`companion --version`: the number stands in one place, and a checkout that nobody installed knows it."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

from companion import __version__
from tests.support import Run

ROOT = Path(__file__).parents[2]


def test_the_version_is_told_at_once(companion: Run, data_folder: Path) -> None:
    before = sorted(data_folder.iterdir())
    ran = companion("--version")
    assert (ran.code, ran.out, ran.err) == (0, f"companion {__version__}\n", "")
    assert re.fullmatch(r"\d+\.\d+\.\d+", __version__)
    assert sorted(data_folder.iterdir()) == before


def test_it_belongs_to_the_program_and_to_no_command(companion: Run) -> None:
    assert "--version" in companion("--help").out
    assert companion("status", "--version").code == 2
    assert companion("--version", "status").out == f"companion {__version__}\n"


def test_the_package_is_built_with_the_same_number() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert "version" not in project["project"] and project["project"]["dynamic"] == ["version"]
    assert project["tool"]["hatch"]["version"]["path"] == "companion/__init__.py"


def test_a_checkout_that_is_not_installed_knows_its_own(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "companion", tmp_path / "companion", ignore=shutil.ignore_patterns("__pycache__"))
    package = tmp_path / "companion" / "__init__.py"
    package.write_text(package.read_text(encoding="utf-8").replace(__version__, "7.8.9"), encoding="utf-8")
    code = "import sys; from companion.cli.main import main; code = main(); print('importlib.metadata' in sys.modules)"
    ran = subprocess.run(
        [sys.executable, "-c", code, "--version"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert ran.stdout.split() == ["companion", "7.8.9", "False"]
