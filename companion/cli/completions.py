"""`companion completions`: what a shell needs to complete commands, tables and facts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument

from companion.problems import Problem
from companion.words import one_of

SCRIPTS = {"bash": "companion.bash", "zsh": "_companion", "fish": "companion.fish", "powershell": "companion.ps1"}


def completions_command(shell: Annotated[str, Argument(help="bash, zsh, fish or powershell.")]) -> None:
    """The completion script for a shell, on standard output."""
    name = SCRIPTS.get(shell.casefold())
    if name is None:
        raise Problem(f"there is no script for {shell}; it is {one_of(tuple(SCRIPTS))}")
    print((scripts_folder() / name).read_text(encoding="utf-8"), end="")


def scripts_folder() -> Path:
    """Where the scripts lie: `completions/`, in the installed program or beside it in a checkout."""
    package = Path(__file__).resolve().parent.parent
    inside = package / "completions"
    return inside if inside.is_dir() else package.parent / "completions"
