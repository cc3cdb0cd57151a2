"""The guide's page of commands, written from their help: `python -m tests.readme`."""

from pathlib import Path
from typing import Any

from companion.cli.commands import program

PAGE = Path(__file__).parents[1] / "companion" / "guide" / "commands.md"
HEAD = "# Commands\n\nEvery command and option, written from the program's own help.\n\n```text\n"
WIDE = 22


def commands() -> dict[str, Any]:
    """Return every command by its words (`tables edit`), without groups and hidden commands."""
    top = program()
    leaves: dict[str, Any] = {}
    for name in top.list_commands(None):
        command = top.get_command(None, name)
        for part, child in getattr(command, "commands", {"": command}).items():
            leaves[f"{name} {part}".strip()] = child
    return {words: command for words, command in leaves.items() if not command.hidden}


def options(command: Any) -> list[str]:
    """Return every spelling of every option of a command, without the help option."""
    return [name for each in command.params if each.param_type_name == "option" for name in each.opts]


def reference() -> str:
    """Return the page: every command with its arguments and options."""
    parts = [_line("companion [-h, --help]", "Show help, also after a command."), *_options(program())]
    for words, command in commands().items():
        parts += ["", f"companion {words}{_arguments(command)}", f"    {command.help}"]
        parts += [_line(f"    {_named(each)}", each.help) for each in _of(command, "argument")]
        parts += _options(command)
    return HEAD + "\n".join([*parts, "```", ""])


def _of(command: Any, kind: str) -> list[Any]:
    return [each for each in command.params if each.param_type_name == kind]


def _options(command: Any) -> list[str]:
    return [
        _line(f"    {', '.join(each.opts)}{_value(each)}", each.help + " May be given again." * each.multiple)
        for each in _of(command, "option")
    ]


def _value(option: Any) -> str:
    """Return the placeholder after an option: nothing, a file, a number, or the one in its help."""
    if option.is_flag:
        return ""
    kind = str(option.type.name)
    return " FILE" if kind == "path" else " N" if kind.startswith("int") else " …"


def _named(argument: Any) -> str:
    """Return FILE, or FACTS… if several are allowed."""
    return str(argument.name).upper() + ("…" if argument.nargs == -1 else "")


def _arguments(command: Any) -> str:
    names = [(_named(each), each.required) for each in _of(command, "argument")]
    return "".join(f" {name}" if required else f" [{name}]" for name, required in names)


def _line(name: str, about: str) -> str:
    return f"{name:{WIDE}}  {' '.join(about.split())}"


if __name__ == "__main__":
    PAGE.write_text(reference(), encoding="utf-8", newline="\n")
    print(f"Saved {PAGE}")
