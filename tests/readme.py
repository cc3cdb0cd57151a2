"""The reference at the end of the README, written from the help of the commands: `python -m tests.readme`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from companion.cli.commands import program

README = Path(__file__).parents[1] / "README.md"
FIRST, LAST = "<!-- written by python -m tests.readme -->", "<!-- end of the reference -->"
WIDE = 22


def commands() -> dict[str, Any]:
    """Every command by the words that call it (`tables edit`), groups and hidden commands left out."""
    top = program()
    leaves: dict[str, Any] = {}
    for name in top.list_commands(None):
        command = top.get_command(None, name)
        for part, child in getattr(command, "commands", {"": command}).items():
            leaves[f"{name} {part}".strip()] = child
    return {words: command for words, command in leaves.items() if not command.hidden}


def options(command: Any) -> list[str]:
    """Every spelling of every option of a command, without the help that all have."""
    return [name for each in command.params if each.param_type_name == "option" for name in each.opts]


def reference() -> str:
    """Every command with what it takes, as a block between the two marks."""
    head = "The commands in groups; after a command, what it takes."
    parts = [_line("companion [-h, --help]", head), *_options(program())]
    for words, command in commands().items():
        parts += ["", f"companion {words}{_arguments(command)}", f"    {command.help}"]
        parts += [_line(f"    {_named(each)}", each.help) for each in _of(command, "argument")]
        parts += _options(command)
    return "\n".join((FIRST, "```text", *parts, "```", LAST))


def renewed(text: str) -> str:
    """The README with the reference of today; a README without the marks raises a ValueError."""
    before, first, rest = text.partition(FIRST)
    _, last, after = rest.partition(LAST)
    if not (first and last):
        raise ValueError(f"the README lacks {FIRST} or {LAST}")
    return before + reference() + after


def _of(command: Any, kind: str) -> list[Any]:
    return [each for each in command.params if each.param_type_name == kind]


def _options(command: Any) -> list[str]:
    return [
        _line(f"    {', '.join(each.opts)}{_value(each)}", each.help + " May be given again." * each.multiple)
        for each in _of(command, "option")
    ]


def _value(option: Any) -> str:
    """What follows an option: nothing, a file, a number, or whatever its help says."""
    if option.is_flag:
        return ""
    kind = str(option.type.name)
    return " FILE" if kind == "path" else " N" if kind.startswith("int") else " …"


def _named(argument: Any) -> str:
    """FILE, or FACTS… where several may follow."""
    return str(argument.name).upper() + ("…" if argument.nargs == -1 else "")


def _arguments(command: Any) -> str:
    names = [(_named(each), each.required) for each in _of(command, "argument")]
    return "".join(f" {name}" if required else f" [{name}]" for name, required in names)


def _line(name: str, about: str) -> str:
    return f"{name:{WIDE}}  {' '.join(about.split())}"


if __name__ == "__main__":
    README.write_text(renewed(README.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")
    print(f"Written: the reference in {README}")
