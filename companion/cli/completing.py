"""`companion completions`: what a shell needs to complete commands, tables and facts."""

from __future__ import annotations

from typing import Annotated

from typer import Argument

from companion.completing import SCRIPTS
from companion.problems import Problem, one_of


def completions_command(shell: Annotated[str, Argument(help="bash, zsh, fish or powershell.")]) -> None:
    """The completion script for a shell, on standard output."""
    found = SCRIPTS.get(shell.casefold())
    if found is None:
        raise Problem(f"there is no script for {shell}; it is {one_of(tuple(SCRIPTS))}")
    print(found, end="")
