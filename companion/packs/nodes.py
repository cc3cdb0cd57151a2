"""Python's own trees, as far as sentences of packs become them: what is not here no sentence can do."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class At:
    """Where a node is: all are on the first line, and what is wrong is marked long before anything is compiled."""

    lineno = end_lineno = 1
    col_offset = end_col_offset = 0


def _placed(kind: type[T]) -> type[T]:
    """Return a kind of node that has its place already; to say it of each node takes eight times as long."""
    return type(kind.__name__, (At, kind), {})


Constant = _placed(ast.Constant)
Name = _placed(ast.Name)
Tuple = _placed(ast.Tuple)
List = _placed(ast.List)
Dict = _placed(ast.Dict)
Call = _placed(ast.Call)
Attribute = _placed(ast.Attribute)
Subscript = _placed(ast.Subscript)
Compare = _placed(ast.Compare)
BoolOp = _placed(ast.BoolOp)
UnaryOp = _placed(ast.UnaryOp)
BinOp = _placed(ast.BinOp)
IfExp = _placed(ast.IfExp)
Expr = _placed(ast.Expr)
Assign = _placed(ast.Assign)
AugAssign = _placed(ast.AugAssign)
Return = _placed(ast.Return)
If = _placed(ast.If)
For = _placed(ast.For)
Try = _placed(ast.Try)
FunctionDef = _placed(ast.FunctionDef)
arg = _placed(ast.arg)
LOAD, STORE = ast.Load(), ast.Store()
SIGNS = {"=": ast.Eq(), "!=": ast.NotEq(), "<": ast.Lt(), "<=": ast.LtE(), ">": ast.Gt(), ">=": ast.GtE()}
CALCULATIONS = {"+": ast.Add(), "-": ast.Sub(), "*": ast.Mult(), "//": ast.FloorDiv()}


def constant(value: str | int | bool | tuple[str, ...] | frozenset[str] | None) -> ast.expr:
    """Return a constant."""
    return Constant(value)  # type: ignore[arg-type,unused-ignore]


def name(word: str) -> ast.expr:
    """Return a variable that is read."""
    return Name(word, LOAD)


def call(function: str | ast.expr, *arguments: ast.expr) -> ast.expr:
    """Return a call of a function given by its name or as a node."""
    return Call(Name(function, LOAD) if isinstance(function, str) else function, list(arguments), [])


def method(of: str, word: str, *arguments: ast.expr) -> ast.expr:
    """Return a call of a method: `p.fill(…)`."""
    return Call(Attribute(Name(of, LOAD), word, LOAD), list(arguments), [])


def item(of: ast.expr, key: ast.expr) -> ast.expr:
    """Return `of[key]`."""
    return Subscript(of, key, LOAD)


def read(key: str | ast.expr) -> ast.expr:
    """Return what the facts have under a name."""
    return Subscript(Name("v", LOAD), Constant(key) if isinstance(key, str) else key, LOAD)


def compared(left: ast.expr, sign: str, right: ast.expr) -> ast.expr:
    """Return a comparison."""
    return Compare(left, [SIGNS[sign]], [right])


def negated(test: ast.expr) -> ast.expr:
    """Return `not test`."""
    return UnaryOp(ast.Not(), test)


def all_of(tests: Sequence[ast.expr]) -> ast.expr:
    """Return these joined by `and`; True where there are none."""
    if len(tests) > 1:
        return BoolOp(ast.And(), list(tests))
    return tests[0] if tests else Constant(True)


def several(values: Sequence[ast.expr]) -> ast.expr:
    """Return a tuple."""
    return Tuple(list(values), LOAD)


def done(value: ast.expr) -> ast.stmt:
    """Return an expression as a statement."""
    return Expr(value)


def assigned(variable: str, value: ast.expr) -> ast.stmt:
    """Return `variable = value`."""
    return Assign([Name(variable, STORE)], value, None)


def returned(value: ast.expr) -> ast.stmt:
    """Return `return value`."""
    return Return(value)


def when(test: ast.expr, *body: ast.stmt) -> ast.stmt:
    """Return `if test: body`."""
    return If(test, list(body), [])


def each_of(variable: str, members: ast.expr, *body: ast.stmt) -> ast.stmt:
    """Return `for variable in members: body`."""
    return For(Name(variable, STORE), members, list(body), [], None)


def held(alias: str, body: Sequence[ast.stmt]) -> list[ast.stmt]:
    """Return statements after which the name is bound as it was before them."""
    last = done(method("v", "change", constant(alias), name("before")))
    return [assigned("before", method("v", "hold", constant(alias))), Try(list(body), [], [], [last])]


def bound_to(alias: str) -> ast.stmt:
    """Return the binding of a name to the member in its variable."""
    return done(method("v", "change", constant(alias), name(variable_of(alias))))


def listed(value: ast.expr) -> ast.stmt:
    """Return the addition of a value to what is being listed."""
    return done(method("adding", "append", value))


def listing(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    """Return statements that list values, as what a function returns."""
    return [assigned("adding", List([], LOAD)), *body, returned(name("adding"))]


def variable_of(alias: str) -> str:
    """Return the variable of Python for a member with this name."""
    return f"m_{alias}"


def either(test: ast.expr, then: ast.expr, other: ast.expr) -> ast.expr:
    """Return `then if test else other`."""
    return IfExp(test, then, other)


def negative(number: ast.expr) -> ast.expr:
    """Return a number with the other sign."""
    return UnaryOp(ast.USub(), number)


def added(variable: str, number: ast.expr) -> ast.stmt:
    """Return `variable += number`."""
    return AugAssign(Name(variable, STORE), ast.Add(), number)


def attribute(of: ast.expr, word: str) -> ast.expr:
    """Return `of.word`."""
    return Attribute(of, word, LOAD)


def calculated(left: ast.expr, sign: str, right: ast.expr) -> ast.expr:
    """Return a sum, a difference, a product or a whole half."""
    return BinOp(left, CALCULATIONS[sign], right)


def among(value: ast.expr, words: ast.expr) -> ast.expr:
    """Return whether a value is one of several."""
    return Compare(value, [ast.In()], [words])


def joined(word: str, tests: Sequence[ast.expr]) -> ast.expr:
    """Return conditions joined by `and` or `or`."""
    return BoolOp(ast.Or() if word == "or" else ast.And(), list(tests))


def definition(unique: str, arguments: Sequence[str], body: Sequence[ast.stmt]) -> ast.stmt:
    """Return a function of Python."""
    takes = ast.arguments([], [arg(each, None) for each in arguments], None, [], [], None, [])
    function = FunctionDef(unique, takes, list(body), [])
    function.type_params = []  # type: ignore[attr-defined,unused-ignore]
    return function
