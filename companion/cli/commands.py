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

Json = Annotated[bool, typer.Option("--json", help="Print JSON (for scripts).")]
Game = Annotated[str | None, typer.Option(help="The game, when no campaign is in use.")]

SCRIPTS = {"bash": "companion.bash", "zsh": "_companion", "fish": "companion.fish", "powershell": "companion.ps1"}


def print_json(shown: object, indent: int | None = None) -> None:
    """Print what a script reads."""
    import json

    print(json.dumps(shown, indent=indent))


class Commands(TyperGroup):
    """The commands by name; their modules are imported on demand."""

    def list_commands(self, ctx: object) -> list[str]:
        """All command names, in the order of the README."""
        return list(COMMANDS)

    def get_command(self, ctx: object, name: str) -> Any:
        """Load the module that holds the command."""
        module = COMMANDS.get(name)
        if module is None:
            return None
        function = getattr(import_module(f"companion.cli.{module}"), f"{name}_command")
        return command(name, function)


def command(name: str, function: typer.Typer | Callable[..., None]) -> Any:
    """A function as a command, or a prepared group of commands as it is."""
    if isinstance(function, typer.Typer):
        prepared = typer.main.get_command(function)
    else:
        holder = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
        holder.command(name, context_settings={"help_option_names": ["-h", "--help"]})(function)
        prepared = typer.main.get_command(holder)
    prepared.name = name
    return prepared


def group(about: str, **commands: Callable[..., None]) -> typer.Typer:
    """A group such as `companion tables …`; `about` is its help."""
    prepared = typer.Typer(
        help=about, add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False, rich_markup_mode=None
    )
    for name, function in commands.items():
        prepared.command(name)(function)
    prepared.callback()(lambda: None)
    return prepared


def program() -> Commands:
    """The whole command line, with what stands before a command."""
    return Commands(
        name="companion",
        help="A companion beside a cardboard bomber game: you roll, it finds the table, adds up every modifier "
        "and keeps the log sheet.",
        no_args_is_help=True,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
        params=[
            TyperOption(
                param_decls=["--version"],
                help="Show the version and exit.",
                is_flag=True,
                is_eager=True,
                expose_value=False,
                callback=_version,
            )
        ],
    )


def _version(ctx: typer.Context, _option: object, wanted: bool) -> None:
    """Print `companion 0.1.0`: the number stands in the package itself, so that a checkout knows it uninstalled."""
    if wanted:
        print(f"companion {__version__}")
        ctx.exit()


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code."""
    if any(letter == "\0" or "\ud800" <= letter <= "\udfff" for each in arguments for letter in each):
        from companion.problems import UserError

        raise UserError("what was typed is not text that can be written down; use UTF-8")
    try:
        code = program().main(list(arguments), prog_name="companion", standalone_mode=False)
        if code == 130:  # Ctrl-C, as Typer reports it
            raise KeyboardInterrupt
        return code if isinstance(code, int) else 0
    except typer.Abort:
        raise KeyboardInterrupt from None
    except Exception as error:
        usage = getattr(error, "format_message", None)
        if usage is None:
            raise
        if type(error).__name__ == "NoArgsIsHelpError":
            print(usage())
            return 2
        from companion.problems import UserError

        raise UserError(" ".join(usage().split()) + " See: companion --help") from None


def completions_command(shell: Annotated[str, typer.Argument(help="bash, zsh, fish or powershell.")]) -> None:
    """The completion script for a shell, on standard output."""
    from companion.problems import UserError
    from companion.words import one_of

    name = SCRIPTS.get(shell.casefold())
    if name is None:
        raise UserError(f"there is no script for {shell}; it is {one_of(tuple(SCRIPTS))}")
    print((scripts_folder() / name).read_text(encoding="utf-8"), end="")


def scripts_folder() -> Path:
    """Where the scripts lie: `completions/`, in the installed program or beside it in a checkout."""
    package = Path(__file__).resolve().parent.parent
    inside = package / "completions"
    return inside if inside.is_dir() else package.parent / "completions"
