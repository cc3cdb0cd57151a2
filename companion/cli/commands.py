"""The command line. Each command's module is loaded only when the command is called."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup

from companion.cli import COMMANDS


class Commands(TyperGroup):
    """The commands by name; their modules are imported on demand."""

    def list_commands(self, ctx: Any) -> list[str]:
        """All command names, in the order of the README."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, name: str) -> Any:
        """Load the module that holds the command."""
        module = COMMANDS.get(name)
        if module is None:
            return None
        found = getattr(import_module(f"companion.cli.{module}"), f"{name}_command")
        return command(name, found)


def command(name: str, found: Any) -> Any:
    """A function as a command, or a prepared group of commands as it is."""
    if isinstance(found, typer.Typer):
        made: Any = typer.main.get_command(found)
    else:
        holder = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
        holder.command(name, context_settings={"help_option_names": ["-h", "--help"]})(found)
        made = typer.main.get_command(holder)
    made.name = name
    return made


def group(about: str, **commands: Any) -> typer.Typer:
    """A group such as `companion tables …`; `about` is its help."""
    made = typer.Typer(
        help=about, add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False, rich_markup_mode=None
    )
    for name, function in commands.items():
        made.command(name)(function)
    made.callback()(lambda: None)
    return made


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code."""
    if any("\ud800" <= letter <= "\udfff" for each in arguments for letter in each):
        from companion.problems import Problem

        raise Problem("what was typed is not text that can be written down; use UTF-8")
    commands = Commands(
        name="companion",
        help="A companion beside a cardboard bomber game: you roll, it finds the table, adds up every modifier "
        "and keeps the log sheet.",
        no_args_is_help=True,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    try:
        code = commands.main(list(arguments), prog_name="companion", standalone_mode=False)
        if code == 130:  # Ctrl-C, as Typer reports it
            raise KeyboardInterrupt
        return code if isinstance(code, int) else 0
    except typer.Abort:
        raise KeyboardInterrupt from None
    except Exception as error:
        said = getattr(error, "format_message", None)
        if said is None:
            raise
        if type(error).__name__ == "NoArgsIsHelpError":
            print(said())
            return 2
        from companion.problems import Problem

        raise Problem(" ".join(said().split()) + " See: companion --help") from None
