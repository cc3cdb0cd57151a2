"""The Python syntax nodes that sentences compile to; a sentence can do nothing beyond these."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class At:
    """The position of a node: always the first line, as errors are marked before compilation."""

    lineno = end_lineno = 1
    col_offset = end_col_offset = 0


def _placed(kind: type[T]) -> type[T]:
    """Return a node class with a fixed position; setting it on each node takes eight times as long."""
    return type(kind.__name__, (At, kind), {})


Constant = _placed(ast.Constant)
Name = _placed(ast.Name)
Tuple = _placed(ast.Tuple)
Dict = _placed(ast.Dict)
Call = _placed(ast.Call)
Attribute = _placed(ast.Attribute)
Subscript = _placed(ast.Subscript)
Compare = _placed(ast.Compare)
BoolOp = _placed(ast.BoolOp)
UnaryOp = _placed(ast.UnaryOp)
BinOp = _placed(ast.BinOp)
IfExp = _placed(ast.IfExp)
Lambda = _placed(ast.Lambda)
GeneratorExp = _placed(ast.GeneratorExp)
Expr = _placed(ast.Expr)
Assign = _placed(ast.Assign)
Return = _placed(ast.Return)
If = _placed(ast.If)
For = _placed(ast.For)
Try = _placed(ast.Try)
FunctionDef = _placed(ast.FunctionDef)
arg = _placed(ast.arg)
LOAD, STORE = ast.Load(), ast.Store()
SIGNS = {"=": ast.Eq(), "!=": ast.NotEq(), "<": ast.Lt(), "<=": ast.LtE(), ">": ast.Gt(), ">=": ast.GtE()}
CALCULATIONS = {"+": ast.Add(), "-": ast.Sub(), "*": ast.Mult(), "//": ast.FloorDiv()}


def variable_of(alias: str) -> str:
    """Return the Python variable for a member with this name."""
    return f"m_{alias}"


# -- expressions -------------------------------------------------------------------------------------------------------


def constant(value: str | int | bool | tuple[str, ...] | frozenset[str] | None) -> ast.expr:
    return Constant(value)  # type: ignore[arg-type,unused-ignore]


def name(word: str) -> ast.expr:
    return Name(word, LOAD)


def call(function: str | ast.expr, *arguments: ast.expr) -> ast.expr:
    """Return a call of a function, given by name or as a node."""
    return Call(Name(function, LOAD) if isinstance(function, str) else function, list(arguments), [])


def attribute(of: ast.expr, word: str) -> ast.expr:
    return Attribute(of, word, LOAD)


def method(of: str, word: str, *arguments: ast.expr) -> ast.expr:
    """Return a call of a method: `p.fill(…)`."""
    return call(attribute(name(of), word), *arguments)


def item(of: ast.expr, key: ast.expr) -> ast.expr:
    return Subscript(of, key, LOAD)


def read(key: str | ast.expr) -> ast.expr:
    """Return a lookup of a name in the facts."""
    return item(name("v"), constant(key) if isinstance(key, str) else key)


def compared(left: ast.expr, sign: str, right: ast.expr) -> ast.expr:
    return Compare(left, [SIGNS[sign]], [right])


def among(value: ast.expr, words: ast.expr) -> ast.expr:
    return Compare(value, [ast.In()], [words])


def negated(test: ast.expr) -> ast.expr:
    return UnaryOp(ast.Not(), test)


def negative(number: ast.expr) -> ast.expr:
    return UnaryOp(ast.USub(), number)


def joined(word: str, tests: Sequence[ast.expr]) -> ast.expr:
    """Return conditions joined by `and` or `or`."""
    return BoolOp(ast.Or() if word == "or" else ast.And(), list(tests))


def either(test: ast.expr, then: ast.expr, other: ast.expr) -> ast.expr:
    """Return `then if test else other`."""
    return IfExp(test, then, other)


def calculated(left: ast.expr, sign: str, right: ast.expr) -> ast.expr:
    return BinOp(left, CALCULATIONS[sign], right)


def several(values: Sequence[ast.expr]) -> ast.expr:
    """Return a tuple."""
    return Tuple(list(values), LOAD)


def filled(text: str, holes: Sequence[ast.expr]) -> ast.expr:
    """Return a text with a value for each `%s`."""
    return BinOp(constant(text), ast.Mod(), several(holes))


def of_each(variable: str, members: ast.expr, value: ast.expr, *tests: ast.expr) -> ast.expr:
    """Return `(value for variable in members if test)`."""
    return GeneratorExp(value, [ast.comprehension(Name(variable, STORE), members, list(tests), 0)])


def function_of(variable: str, value: ast.expr) -> ast.expr:
    """Return `lambda variable: value`."""
    return Lambda(_arguments([variable]), value)


def _arguments(names: Sequence[str]) -> ast.arguments:
    return ast.arguments([], [arg(each, None) for each in names], None, [], [], None, [])


# -- statements --------------------------------------------------------------------------------------------------------


def done(value: ast.expr) -> ast.stmt:
    """Return an expression as a statement."""
    return Expr(value)


def assigned(variable: str, value: ast.expr) -> ast.stmt:
    return Assign([Name(variable, STORE)], value, None)


def returned(value: ast.expr) -> ast.stmt:
    return Return(value)


def when(test: ast.expr | None, *body: ast.stmt) -> list[ast.stmt]:
    """Return these statements, under a condition if there is one."""
    return list(body) if test is None else [If(test, list(body), [])]


def binding(alias: str) -> ast.expr:
    """Return the binding of a name to the member in its variable; its value is None."""
    return method("v", "change", constant(alias), name(variable_of(alias)))


def for_each(alias: str, members: ast.expr, *body: ast.stmt, binds: bool = False) -> list[ast.stmt]:
    """Return a loop over members; one that `binds` the name to each of them restores its earlier binding."""
    first = [done(binding(alias))] if binds else []
    loop = For(Name(variable_of(alias), STORE), members, [*first, *body], [], None)
    if not binds:
        return [loop]
    last = done(method("v", "change", constant(alias), name("before")))
    return [assigned("before", method("v", "hold", constant(alias))), Try([loop], [], [], [last])]


def definition(unique: str, arguments: Sequence[str], body: Sequence[ast.stmt]) -> ast.stmt:
    """Return a Python function definition."""
    function = FunctionDef(unique, _arguments(arguments), list(body), [])
    function.type_params = []  # type: ignore[attr-defined,unused-ignore]
    return function
