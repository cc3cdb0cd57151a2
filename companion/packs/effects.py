"""Compilation of effects and requests (`do`, `order`, `then`) to Python statements."""

from __future__ import annotations

import ast

from companion.engine.fields import Spec
from companion.engine.sheet import Read
from companion.packs.expressions import Parser, expression
from companion.packs.language import ANY, NUMBER, Kind, Language, Scope, SentenceError, field_kind
from companion.packs.nodes import (
    Dict,
    assigned,
    call,
    constant,
    done,
    either,
    for_each,
    function_of,
    in_turn,
    method,
    name,
    of_each,
    returned,
    variable_of,
    when,
)  # fmt: skip


def do_line(language: Language, line: str, scope: Scope, reads: set[Read]) -> list[ast.stmt]:
    """Compile a line of `do`."""
    return Parser(language, line, scope, reads).line()


def bindings(language: Language, named: Spec, scope: Scope, reads: set[Read], before: str = "") -> ast.expr:
    """Compile bindings, which override earlier ones."""
    sheet = language.sheet
    keys: list[ast.expr | None] = [None] if before else []
    values: list[ast.expr] = [name(before)] if before else []
    for each, sentence in named.items():
        kind, field = ANY, sheet.fields.get(each)
        if each in sheet.index:
            kind = Kind("member", sheet.index[each], each)
        elif field is not None:
            kind = field_kind(field)
        keys.append(constant(each))
        if not isinstance(sentence, str):
            if language.strict and each in sheet.index and str(sentence) not in sheet.index[each]:
                raise SentenceError(str(sentence), 0, f"with.{each}: there is no {each} {sentence}")
            values.append(constant(str(sentence)))
            continue
        try:
            parser = Parser(language, sentence, scope, reads)
            piece = parser.end(parser.case(kind))
            values.append(call("str", parser.number(piece) if kind is NUMBER else parser.value(piece)))
        except SentenceError as wrong:
            raise SentenceError(wrong.sentence, wrong.place, f"with.{each}: {wrong.why}") from None
    return Dict(keys, values)


def asked(language: Language, by: str, spec: Spec, scope: Scope, reads: set[Read]) -> list[ast.stmt]:
    """Compile one request, with its members, its condition and its count."""
    write = order if "order" in spec else _item
    if "for" not in spec:
        test = expression("condition", language, spec["when"], scope, reads) if "when" in spec else None
        return when(test, *write(language, by, spec, scope, reads))
    index, alias, *_ = Parser(language, spec["for"], scope, reads).members_of()
    test, tested = None, set[Read]()
    if "when" in spec:
        test = expression("condition", language, spec["when"], scope.through(alias, index), tested)
        reads |= tested
    bound = Dict([None, constant(alias)], [name("outer"), name(variable_of(alias))])
    body = [assigned("bind", bound), *write(language, by, spec, _of_member(language, spec, scope), reads)]
    body = in_turn(alias, test, alias == index and index in language.touched(tested), body)
    loop = for_each(alias, language.members(index), *body, binds=True)
    return [assigned("outer", name("bind")), *loop, assigned("bind", name("outer"))]


def _of_member(language: Language, spec: Spec, scope: Scope) -> Scope:
    """Return the scope for the member of a loop; the same scope without a loop."""
    if "for" not in spec:
        return scope
    index, alias, *_ = Parser(language, spec["for"], scope, set()).members_of()
    return scope.binding(alias, index, language.sheet.index[index])


def _item(language: Language, by: str, spec: Spec, scope: Scope, reads: set[Read]) -> list[ast.stmt]:
    bind = bindings(language, spec["with"], scope, reads, "bind") if spec.get("with") else name("bind")
    place = "last" if spec.get("later") == "all" else "later" if spec.get("later") else "front"
    usual: ast.expr = constant(None)
    kind = next((each for each in ("ask", "choose", "roll") if each in spec), "")
    if not kind:
        raise SentenceError(", ".join(spec), 0, "it needs a roll, choose, ask or order")
    if kind == "ask":
        parser = Parser(language, spec["ask"], scope, reads)
        what, takes = parser.end(parser.target())
        if "usual" in spec:
            parser = Parser(language, str(spec["usual"]), scope, reads)
            usual = parser.accepted(takes, parser.end(parser.case(takes)))
    else:
        what = expression("label", language, spec[kind], scope, reads)
    often = constant(spec.get("times", 1))
    if isinstance(spec.get("times"), str):
        often = expression("number", language, spec["times"], scope, reads)
    rows = constant(spec.get("rows"))
    line = expression("text", language, spec["line"], scope, reads) if "line" in spec else constant("")
    return [done(method("p", "ask_for", constant(kind), what, usual, bind, constant(place), often, rows, line))]


def order(language: Language, by: str, spec: Spec, scope: Scope, reads: set[Read]) -> list[ast.stmt]:
    """Compile an order to the player, with the bindings for the condition that ends it."""
    ending, about = set[Read](), list[str]()
    if isinstance(spec.get("until"), str):
        expression("condition", language, spec["until"], scope, ending)
        touched = language.touched(ending)
        about = [each for each in (*language.sheet.index, *scope.local) if each in touched]
    text = expression("text", language, spec["order"], scope, reads)
    cite, until = constant(spec.get("cite", "")), constant(spec.get("until"))
    bound = constant(tuple(dict.fromkeys(about)))
    return [done(method("p", "order", text, cite, until, constant(by), bound, name("bind")))]


def until(language: Language, spec: Spec, scope: Scope, reads: set[Read]) -> list[ast.stmt]:
    """Compile the condition that ends an order."""
    return [returned(expression("condition", language, spec["until"], _of_member(language, spec, scope), reads))]


def members_for_whom(
    language: Language, index: str, alias: str, test: str, scope: Scope, reads: set[Read]
) -> list[ast.stmt]:
    """Compile a list of the members for which a condition holds."""
    variable, members = variable_of(alias), language.members(index)
    parser = Parser(language, test, scope.through(alias, index), reads)
    holds = parser.end(parser.condition(parser.case()))
    if not (alias == index and index in language.touched(reads)):
        return [returned(call("list", of_each(variable, members, name(variable), holds)))]
    chosen = function_of(variable, either(parser.bound(0, index, holds), name(variable), constant(None)))
    chosen_of_each = call("each", name("v"), constant(alias), members, chosen)
    return [returned(call("list", call("filter", constant(None), chosen_of_each)))]
