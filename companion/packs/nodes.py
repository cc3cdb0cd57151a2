"""The Python syntax nodes that sentences compile to; a sentence can do nothing beyond these."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")
LOAD, STORE = ast.Load(), ast.Store()
SIGNS = {"=": ast.Eq(), "!=": ast.NotEq(), "<": ast.Lt(), "<=": ast.LtE(), ">": ast.Gt(), ">=": ast.GtE()}
CALCULATIONS = {"+": ast.Add(), "-": ast.Sub(), "*": ast.Mult(), "//": ast.FloorDiv(), "%": ast.Mod()}
PLACE = {"lineno": 1, "end_lineno": 1, "col_offset": 0, "end_col_offset": 0}  # errors are marked before compilation
PLACED: dict[type, type] = {}


def node(kind: type[T], *parts: object) -> T:
    """Return a node; its class has the position, since setting it on each node takes eight times as long."""
    if kind not in PLACED:
        PLACED[kind] = type(kind.__name__, (kind,), PLACE)
    made: T = PLACED[kind](*parts)
    return made


def variable_of(alias: str) -> str:
    """Return the Python variable for a member with this name."""
    return f"m_{alias}"


# -- expressions -------------------------------------------------------------------------------------------------------


def constant(value: object) -> ast.expr:
    return node(ast.Constant, value)


def name(word: str) -> ast.expr:
    return node(ast.Name, word, LOAD)


def attribute(of: ast.expr, word: str) -> ast.expr:
    return node(ast.Attribute, of, word, LOAD)


def call(function: str | ast.expr, *arguments: ast.expr) -> ast.expr:
    """Return a call of a function, given by name or as a node."""
    return node(ast.Call, name(function) if isinstance(function, str) else function, list(arguments), [])


def method(of: str, word: str, *arguments: ast.expr) -> ast.expr:
    """Return a call of a method: `v.through(…)`."""
    return call(attribute(name(of), word), *arguments)


def single(pattern: str, members: Sequence[ast.expr]) -> ast.expr:
    """Return the single name of these members of a family: `crew.pilot` of `crew[position]`."""
    template = re.sub(r"\[[^]]*\]", ".{}", pattern).removeprefix(".")
    known = [each.value for each in members if isinstance(each, ast.Constant)]
    if len(known) == len(members):
        return constant(template.format(*known))
    first, *others = template.split("{}")
    parts = [constant(first)] if first else []
    for member, other in zip(members, others, strict=True):
        parts += [node(ast.FormattedValue, member, -1, None), *([constant(other)] if other else [])]
    return node(ast.JoinedStr, parts)


def read(key: ast.expr) -> ast.expr:
    """Return a lookup of a name in the facts."""
    return node(ast.Subscript, name("v"), key, LOAD)


def compared(left: ast.expr, sign: str, right: ast.expr) -> ast.expr:
    return node(ast.Compare, left, [ast.In() if sign == "in" else SIGNS[sign]], [right])


def negated(test: ast.expr) -> ast.expr:
    return node(ast.UnaryOp, ast.Not(), test)


def joined(word: str, tests: Sequence[ast.expr]) -> ast.expr:
    """Return conditions joined by `and` or `or`."""
    return node(ast.BoolOp, ast.Or() if word == "or" else ast.And(), list(tests))


def either(test: ast.expr, then: ast.expr, other: ast.expr) -> ast.expr:
    """Return `then if test else other`."""
    return node(ast.IfExp, test, then, other)


def calculated(left: ast.expr, sign: str, right: ast.expr) -> ast.expr:
    return node(ast.BinOp, left, CALCULATIONS[sign], right)


def several(values: Iterable[ast.expr]) -> ast.expr:
    """Return a tuple."""
    return node(ast.Tuple, list(values), LOAD)


def bound(alias: str, members: ast.expr) -> ast.expr:
    """Return members, each bound to a name while a loop is at it."""
    return method("v", "through", constant(alias), members)


def of_each(variable: str, members: ast.expr, value: ast.expr, *tests: ast.expr) -> ast.expr:
    """Return `(value for variable in members if test)`."""
    each = ast.comprehension(node(ast.Name, variable, STORE), members, list(tests), 0)
    return node(ast.GeneratorExp, value, [each])


# -- statements --------------------------------------------------------------------------------------------------------


def done(word: str, *arguments: ast.expr) -> ast.stmt:
    """Return a call of a method of the resolution as a statement: `p.fill(…)`."""
    return node(ast.Expr, method("p", word, *arguments))


def assigned(variable: str, value: ast.expr) -> ast.stmt:
    return node(ast.Assign, [node(ast.Name, variable, STORE)], value, None)


def returned(value: ast.expr) -> ast.stmt:
    return node(ast.Return, value)


def when(test: ast.expr | None, *body: ast.stmt) -> list[ast.stmt]:
    """Return these statements, under a condition if there is one."""
    return list(body) if test is None else [node(ast.If, test, list(body), [])]


def for_each(variable: str, members: ast.expr, *body: ast.stmt) -> ast.stmt:
    """Return `for variable in members: body`."""
    return node(ast.For, node(ast.Name, variable, STORE), members, list(body), [], None)


def definition(name: str, arguments: Sequence[str], body: Sequence[ast.stmt]) -> ast.stmt:
    """Return a Python function definition."""
    takes = ast.arguments([], [node(ast.arg, each, None) for each in arguments], None, [], [], None, [])
    function = node(ast.FunctionDef, name, takes, list(body), [])
    function.type_params = []  # type: ignore[attr-defined,unused-ignore]
    return function
