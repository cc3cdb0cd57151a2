"""Python being written for one file of a pack: its functions, the maps of names that they use, and pieces of them.

`Scope` says what a sentence may speak of where it stands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.packs.language.names import FLAG, Kind, Names


class Code:
    """Python for an expression: its value, and for a flag also the bare condition."""

    __slots__ = ("condition", "fixed", "kind", "value")

    def __init__(self, value: str, kind: Kind, condition: str = "", fixed: bool = False) -> None:
        self.value, self.kind, self.fixed = value, kind, fixed  # a fixed value stands in the sentence itself
        self.condition = condition


class Scope:
    """What a sentence may speak of besides the sheet: names bound where it stands.

    `local` are read from the facts like others; `fixed` are members that the code itself goes through.
    """

    def __init__(
        self, names: Names, local: Mapping[str, Kind] | None = None, fixed: Mapping[str, tuple[str, str]] | None = None
    ) -> None:
        self.names, self.local, self.fixed = names, dict(local or {}), dict(fixed or {})

    def binding(self, alias: str, index: str) -> Scope:
        """With a name for a member that is bound when the code runs."""
        scope = Scope(self.names, self.local, self.fixed)
        scope.fixed.pop(alias, None)
        scope.local[alias] = Kind("member", self.names.index[index], index)
        return scope

    def through(self, alias: str, index: str, variable: str) -> Scope:
        """With a name for a member that the code goes through."""
        scope = Scope(self.names, self.local, self.fixed)
        scope.fixed[alias] = variable, index
        return scope


class Function(int):
    """The number of a function; written out it is its name, so that a file can be written with its functions in it."""

    def __repr__(self) -> str:
        return f"f{int(self)}"


class Module:
    """Python being written for one file of a pack: functions, and the maps of names that they use."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.head: dict[str, str] = {}  # what stands before the functions, by its variable
        self.body: list[str] = []
        self.functions = 0

    def variable(self, expression: str, letter: str) -> str:
        """A variable of the module for an expression, the same for the same expression."""
        for name, written in self.head.items():
            if written == expression:
                return name
        name = f"{letter}{len(self.head)}"
        self.head[name] = expression
        return name

    def function(self, arguments: str, lines: Sequence[str]) -> Function:
        """A function with that body."""
        function = Function(self.functions)
        self.functions += 1
        self.body.append(f"def {function!r}({arguments}):\n" + "".join(f"    {line}\n" for line in lines))
        return function

    def source(self) -> str:
        """The whole module without what it holds: `link` fills in the maps of names."""
        lines = [f"global {', '.join(self.head)}", *(f"{name} = {written}" for name, written in self.head.items())]
        head = "".join(f"    {line}\n" for line in (lines if self.head else ["pass"]))
        return f"def link(names, members, attribute):\n{head}LINKED = {bool(self.head)}\n{''.join(self.body)}"


def flag(condition: str) -> Code:
    """Python for yes or no, from a bare condition."""
    return Code(f"('yes' if {condition} else 'no')", FLAG, condition)


def read(name: str, kind: Kind) -> Code:
    """Python for what the facts have under a name, which is itself a piece of Python."""
    value = f"v[{name}]"
    return Code(value, kind, f"({value} == 'yes')" if kind.name in ("flag", "any") else "")


def indented(lines: Sequence[str]) -> list[str]:
    """Lines of Python inside another."""
    return [f"    {line}" for line in lines]
