"""The command line. Each command's module is loaded only when the command is called."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup, TyperOption

from companion import __version__
from companion.cli import COMMANDS
from companion.problems import UserError
from companion.words import one_of

Json = Annotated[bool, typer.Option("--json", help="Print JSON (for scripts).")]
Game = Annotated[str | None, typer.Option(help="The game, when no campaign is in use.")]

HELP = {"help_option_names": ["-h", "--help"]}
PLAIN: dict[str, Any] = {"add_completion": False, "pretty_exceptions_enable": False, "rich_markup_mode": None}
SCRIPTS = {"bash": "companion.bash", "zsh": "_companion", "fish": "companion.fish", "powershell": "companion.ps1"}


def print_json(shown: object, indent: int | None = None) -> None:
    """Print what a script reads."""
    import json

    print(json.dumps(shown, indent=indent))


class Commands(TyperGroup):
    """The commands by name; a module is imported when its command is called."""

    def list_commands(self, ctx: object) -> list[str]:
        """Return all command names, in the order of the README."""
        return list(COMMANDS)

    def get_command(self, ctx: object, name: str) -> Any:
        """Load the module that holds the command."""
        module = COMMANDS.get(name)
        if module is None:
            return None
        return command(name, getattr(import_module(f"companion.cli.{module}"), f"{name}_command"))


def command(name: str, function: typer.Typer | Callable[..., None]) -> Any:
    """Return the command made of a function, or of a group of them."""
    if not isinstance(function, typer.Typer):
        holder = typer.Typer(**PLAIN)
        holder.command(name, context_settings=HELP)(function)
        function = holder
    made = typer.main.get_command(function)
    made.name = name
    return made


def group(about: str, **commands: Callable[..., None]) -> typer.Typer:
    """Return a group of commands such as `companion tables …`; `about` is its help."""
    prepared = typer.Typer(help=about, no_args_is_help=True, **PLAIN)
    for name, function in commands.items():
        prepared.command(name)(function)
    prepared.callback()(lambda: None)
    return prepared


def program() -> Commands:
    """Return the whole command line, with the options that come before a command."""
    version = TyperOption(
        param_decls=["--version"], help="Show the version and exit.", is_flag=True, is_eager=True, expose_value=False,
        callback=_version,
    )  # fmt: skip
    return Commands(
        name="companion",
        help="A companion beside a cardboard bomber game: you roll, it finds the table, adds up every modifier "
        "and keeps the log sheet.",
        no_args_is_help=True,
        rich_markup_mode=None,
        context_settings=HELP,
        params=[version],
    )


def _version(ctx: typer.Context, _option: object, wanted: bool) -> None:
    if wanted:
        print(f"companion {__version__}")
        ctx.exit()


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit status."""
    if any("\ud800" <= letter <= "\udfff" for each in arguments for letter in each):
        raise UserError("what was typed is not text that can be written down; use UTF-8")
    try:
        code = program().main(list(arguments), prog_name="companion", standalone_mode=False)
    except typer.Abort:
        raise KeyboardInterrupt from None
    except Exception as error:
        usage = getattr(error, "format_message", None)
        if usage is None:
            raise
        if type(error).__name__ == "NoArgsIsHelpError":
            print(usage())
            return 2
        raise UserError(" ".join(usage().split()) + " See: companion --help") from None
    if code == 130:  # Ctrl-C, as Typer reports it
        raise KeyboardInterrupt
    return code if isinstance(code, int) else 0


def completions_command(shell: Annotated[str, typer.Argument(help="bash, zsh, fish or powershell.")]) -> None:
    """The completion script for a shell, on standard output."""
    name = SCRIPTS.get(shell.casefold())
    if name is None:
        raise UserError(f"there is no script for {shell}; it is {one_of(tuple(SCRIPTS))}")
    package = Path(__file__).resolve().parent.parent  # of a wheel, or of a checkout with the scripts next to it
    folder = next(each for each in (package / "completions", package.parent / "completions") if each.is_dir())
    print((folder / name).read_text(encoding="utf-8"), end="")
