"""Worked-out facts: what the sentence of one reads and comes to, and Python for it with its members as arguments."""

from __future__ import annotations

from companion.engine.spec import Spec
from companion.packs.language.grammar import tree
from companion.packs.language.module import Code, Module, Scope
from companion.packs.language.names import Argument, Fact, Kind, Named, Names, Read, TooDeep, variable_of
from companion.packs.language.writer import Writer
from companion.problems import Trouble


def worked_out(names: Names, named: Named, spec: Spec) -> Fact:
    """The fact that is declared so; raises Trouble that names it. What its reads come down to is added by `Names`."""
    sentence, arguments = str(spec.get("is", "")), [variable_of(alias) for alias in named.aliases]
    if len(set(arguments)) < len(arguments):
        other = f"[{named.indexes[0]} as other]"
        raise Trouble(f"the fact {named.pattern}: two of its members have one name; call one otherwise: {other}")
    reads: set[Read] = set()
    kind = _written(names, named, sentence, arguments, Module(names), reads).kind
    if "values" in spec:
        values = spec["values"]
        kind = Kind("word", values.split() if isinstance(values, str) else values)
    place = {variable: at for at, variable in enumerate(arguments)}

    def by_place(argument: Argument) -> Argument:
        if argument is None or argument[0] == "=":
            return argument
        return ("$", place[str(argument[1])]) if argument[1] in place else None

    by_places = {(pattern, tuple(map(by_place, members))) for pattern, members in reads}
    return Fact(named, sentence, arguments, kind, by_places)


def code(fact: Fact, module: Module) -> Code:
    """Python for a fact, in that module."""
    return _written(module.names, fact.named, fact.sentence, fact.arguments, module, set())


def _written(names: Names, named: Named, sentence: str, arguments: list[str], module: Module, reads: set[Read]) -> Code:
    fixed = {
        alias: (variable, index) for alias, variable, index in zip(named.aliases, arguments, named.indexes, strict=True)
    }
    try:
        return Writer(module, sentence, reads).expression(tree(sentence), Scope(names, {}, fixed))
    except TooDeep:
        raise
    except Trouble as problem:
        raise Trouble(f"the fact {named.pattern}: {problem}") from None
