"""The command line. Each command's module is loaded only when the command is called."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup, TyperOption

from companion import __version__
from companion.cli import COMMANDS, EXAMPLES, FIRST, GROUPS
from companion.problems import UserError
from companion.words import did_you_mean, nearest, one_of, quoted

Json = Annotated[bool, typer.Option("--json", help="Print JSON (for scripts).")]
Game = Annotated[str | None, typer.Option(help="The game, such as b29, when no campaign is in use.")]
Given = Annotated[list[str] | None, typer.Option("--with", help="FIELD=VALUE to assume for this table.")]


def _assumed(assume: str | None) -> str | None:
    if assume not in (None, "even"):
        raise UserError(f"--assume must be even, not {assume}.")
    return assume


Assume = Annotated[
    str | None,
    typer.Option(callback=_assumed, help="even: treat results printed only in your rulebook as equally likely."),
]

HELP = {"help_option_names": ["-h", "--help"]}
PLAIN: dict[str, Any] = {"add_completion": False, "pretty_exceptions_enable": False, "rich_markup_mode": None}
SCRIPTS = {"bash": "companion.bash", "zsh": "_companion", "fish": "companion.fish", "powershell": "companion.ps1"}


def print_json(shown: object, indent: int | None = None) -> None:
    import json

    print(json.dumps(shown, indent=indent))


class Commands(TyperGroup):
    """The commands by name; a module is imported when its command is called."""

    def list_commands(self, ctx: object) -> list[str]:
        """Return all command names, in the order of `COMMANDS`."""
        return list(COMMANDS)

    def get_command(self, ctx: object, name: str) -> Any:
        """Load the module with the command. Raise a UserError with similar names if there is none."""
        if name not in COMMANDS:
            near = nearest(name.casefold(), COMMANDS)
            how = "companion --help" + ("" if near else f", or companion help {quoted(name)}")
            raise UserError(f"No such command {name!r}. {f'{did_you_mean(near)} ' if near else ''}See: {how}")
        return command(name, getattr(import_module(f"companion.cli.{COMMANDS[name]}"), f"{name}_command"))

    def about(self, name: str) -> str:
        return str(self.get_command(None, name).help).partition(".")[0]

    def format_help(self, ctx: object, formatter: Any) -> None:
        """Write the commands in groups, on one screen."""
        formatter.write(f"{self.help}\n\nAt the table\n")
        for name in FIRST:
            shown = f"companion {EXAMPLES[name][0]}" if EXAMPLES[name][0] != name else ""
            formatter.write(f"  {name:10} {self.about(name):37} {shown}".rstrip() + "\n")
        for title, names in GROUPS.items():
            formatter.write(f"{title:12} {names}\n")
        formatter.write(
            "\nNew here? companion guide · companion COMMAND --help · companion help engine\n"
            "Tab: companion --install-completion         Version: companion --version\n"
        )


def command(name: str, function: typer.Typer | Callable[..., None]) -> Any:
    """Return the command for a function or a group of functions."""
    if not isinstance(function, typer.Typer):
        holder = typer.Typer(**PLAIN)
        holder.command(name, context_settings=HELP)(function)
        function = holder
    made = typer.main.get_command(function)
    made.name = name
    parts = getattr(made, "commands", {})
    for part, each in {"": made, **parts}.items():
        whole = [EXAMPLES[f"{name} {one}"][0] for one in parts][:2] if not part else []
        examples = whole or EXAMPLES[f"{name} {part}".strip()]
        head = "Example:" if len(examples) == 1 else "Examples:"
        each.epilog = "\n".join(["\b", head, *(f"  companion {one}" for one in examples)])
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
    options = [
        TyperOption(param_decls=[name], help=about, is_flag=True, is_eager=True, expose_value=False, callback=callback)
        for name, about, callback in (
            ("--version", "Show the version and exit.", _version),
            ("--install-completion", "Let Tab complete commands in your shell.", _completion),
        )
    ]
    return Commands(
        name="companion",
        help="A companion for bomber board games: you roll the dice, it does the bookkeeping.",
        no_args_is_help=True,
        rich_markup_mode=None,
        context_settings=HELP,
        params=list(options),
    )


def _version(ctx: typer.Context, _option: object, wanted: bool) -> None:
    if wanted:
        print(f"companion {__version__}")
        ctx.exit()


def _completion(ctx: typer.Context, _option: object, wanted: bool) -> None:
    """Install the completion script for the current shell, as Typer does."""
    if not wanted:
        return
    from typer import _completion_shared as typers

    shell = typers._get_shell_name() or ""
    typers._completion_scripts[shell] = completion_script(shell).replace("%", "%%")
    _, path = typers.install(shell, "companion")
    print(f"Saved {path}\nTab completes commands in {shell} when you open a new terminal.")
    ctx.exit()


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit status."""
    if any("\ud800" <= letter <= "\udfff" for each in arguments for letter in each):
        raise UserError("that input isn't valid UTF-8")
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
        path = getattr(getattr(error, "ctx", None), "command_path", "companion")
        examples = EXAMPLES.get(path.removeprefix("companion "), ()) if "Missing argument" in usage() else ()
        if examples and "5-9" in examples[0]:
            from companion.packs import Pack
            from companion.store.campaigns import campaign_in_use

            campaign = campaign_in_use()  # perhaps of a game without that table
            examples = examples if campaign is None or "5-9" in Pack(campaign.game).layers else ("tables list",)
        example = "".join(f" Example: companion {each}." for each in examples[:1])
        raise UserError(f"{' '.join(usage().split()).rstrip('.')}.{example} See: {path} --help") from None
    if code == 130:  # Ctrl-C, as Typer reports it
        raise KeyboardInterrupt
    return code if isinstance(code, int) else 0


def completions_command(shell: Annotated[str, typer.Argument(help="bash, zsh, fish or powershell.")]) -> None:
    """Print the completion script for a shell."""
    print(completion_script(shell), end="")


def completion_script(shell: str) -> str:
    """Return the completion script for a shell. Raise a UserError for an unsupported one."""
    name = SCRIPTS.get({"pwsh": "powershell"}.get(shell, shell.casefold()))
    if name is None:
        known = one_of(tuple(SCRIPTS))
        raise UserError(f"There is no script for {shell or 'this shell'}. Use {known}, e.g. companion completions bash")
    package = Path(__file__).resolve().parent.parent  # in a wheel, or in a checkout with the scripts next to it
    folder = next(each for each in (package / "completions", package.parent / "completions") if each.is_dir())
    return (folder / name).read_text(encoding="utf-8")
