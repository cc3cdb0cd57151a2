"""What the names in a sentence stand for, as Python: a field, a worked-out fact, a member of an index, what is bound.

`References` is the part of a `Writer` that knows names; what stands between brackets is an expression again.
"""

from __future__ import annotations

import difflib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Self

from companion.engine.dice import HANDFULS
from companion.packs.language.grammar import Tree, Wrong
from companion.packs.language.module import Code, Module, Scope, flag, read
from companion.packs.language.names import NUMBER, Argument, Kind, Read, named_member, numeric
from companion.problems import Trouble
from companion.words import one_of

OWN = ("roll", "net", "result", "again")  # what a roll binds for its rows
FREE = ("yes", "no", "none")  # words that every text may be compared with
LONGEST = 15  # figures of a number


class References(ABC):
    """Python for the names of one sentence; notes what it reads, and whether dice are thrown in it."""

    def __init__(self, module: Module, sentence: str, reads: set[Read]) -> None:
        self.module, self.names, self.sentence, self.reads = module, module.names, sentence, reads
        self.throws = self.dice = False  # whether dice may stand here, and whether some do

    @abstractmethod
    def expression(self, part: Tree, scope: Scope) -> Code:
        """Python for any expression."""

    def silent(self) -> Self:
        """Another for the same sentence, whose reads count for nothing."""
        return type(self)(self.module, self.sentence, set())

    def wrong(self, place: int, why: str) -> Wrong:
        """The error for a place of this sentence."""
        return Wrong(self.sentence, place, why)

    # -- what is not known -----------------------------------------------------------------------------------------

    def unknown(self, name: str) -> str:
        """The error for a name that is none, with near ones."""
        near, quoted = self.near(name), f"a text stands in quotes: '{name}'"
        return f"there is no fact {name}{near} ({quoted})" if near else f"there is no fact {name}; {quoted}"

    def near(self, word: str, among: Iterable[str] = ()) -> str:
        """`; did you mean …?` where something like it is among these (else among all names); empty where nothing is."""
        near = difflib.get_close_matches(word, list(among) or self.names.known(), 2, 0.7)
        return f"; did you mean {one_of(near)}?" if near else ""

    def means(self, name: str, scope: Scope) -> bool:
        """Whether a name without members says anything here."""
        head = name.partition(".")[0]
        names = self.names
        if name in scope.fixed or name in scope.local or name in names.fields or name in names.facts:
            return True
        if name in names.singles or name in names.index or names.bound(name) is not None:
            return True
        index = (
            scope.fixed[head][1] if head in scope.fixed else scope.local[head].index if head in scope.local else head
        )
        return "." in name and names.says(index, name.partition(".")[2])

    def _ref(self, part: Tree, scope: Scope) -> Code:
        _, place, name, parts = part
        if parts:
            return self._member_of(part, scope)
        if name.isdigit():
            if len(name) > LONGEST:
                raise self.wrong(place, "this number is longer than any that is written down")
            return Code(str(int(name)), NUMBER, fixed=True)
        if name[:-1].isdigit() and name.endswith("D"):
            self.dice = True
            if not self.throws:
                raise self.wrong(place, "no dice are thrown here; the value of a formula has them")
            if name[:-1] not in HANDFULS:
                raise self.wrong(place, f"no hand holds so many dice; {HANDFULS[0]}D to {HANDFULS[-1]}D are thrown")
            return Code(f"dice({name[:-1]})", NUMBER)
        head, _, key = name.partition(".")
        if name in scope.fixed:
            variable, index = scope.fixed[name]
            return Code(variable, Kind("member", self.names.index[index], index))
        if head in scope.fixed and key:
            variable, index = scope.fixed[head]
            return self._of_member(place, index, Code(variable, Kind("member", (), index)), key, ("$", variable))
        if key and head in scope.local and scope.local[head].index and head not in self.names.index:
            return self._of_member(place, scope.local[head].index, Code(f"v[{head!r}]", scope.local[head]), key, None)
        return self._plain(place, name, scope)

    def _plain(self, place: int, name: str, scope: Scope) -> Code:
        names = self.names
        if name in scope.local and (
            name in OWN or name in names.facts
        ):  # what is bound here wins over what is worked out
            return read(repr(name), scope.local[name])
        named = names.declared(name)
        if named is not None:
            kind = names.kind(name)
            if named.indexes:
                raise self.wrong(place, f"{name} stands for several: say whose")
            self.reads.add((name, ()))
            return read(repr(name), kind)
        if name in names.singles:
            code = read(repr(name), names.kind(names.singles[name]))
            self.reads.add((names.singles[name], (("=", name),)))
            return code
        if name in names.index:
            self.reads.add((name, ()))
            return Code(f"v[{name!r}]", Kind("member", names.index[name], name))
        if name in scope.local:
            return read(repr(name), scope.local[name])
        bound = names.bound(name)
        if bound is not None:
            index, pattern = bound
            self.reads |= {(index, ()), (pattern, (None,))}
            return read(repr(name), names.fields[pattern][1])
        index, _, key = name.partition(".")
        if key and names.says(index, key):
            self.reads.add((index, ()))
            return self._attribute(index, f"v[{index!r}]", key)
        if name in FREE:
            return (
                flag("True" if name == "yes" else "False")
                if name != "none"
                else Code("'none'", Kind("word", ("none",)), fixed=True)
            )
        raise self.wrong(place, self.unknown(name))

    def _attribute(self, index: str, member: str, key: str) -> Code:
        values = [each[key] for each in self.names.index[index].values() if key in each]
        if all(isinstance(each, int) for each in values):
            kind = NUMBER
        else:
            kind = Kind("word", dict.fromkeys(map(str, values)))
        missing = "0" if kind is NUMBER else "'none'"
        return Code(f"{self.module.variable(f'attribute({index!r}, {key!r})', 'a')}.get({member}, {missing})", kind)

    def _of_member(self, place: int, index: str, member: Code, key: str, arg: Argument) -> Code:
        """`g.label`, `f.clock`: what the pack says of a member, or that field of it."""
        pattern = f"{index}[{index}].{key}"
        if pattern in self.names.fields:
            self.reads.add((pattern, (arg,)))
            return read(self._name_of(pattern, [member.value]), self.names.fields[pattern][1])
        if self.names.says(index, key):
            return self._attribute(index, member.value, key)
        keys = sorted({key for each in self.names.index[index].values() for key in each})
        raise self.wrong(
            place, f"one {index} has no {key}; it has {one_of(keys)}" if keys else f"one {index} has no {key}"
        )

    def _split(self, part: Tree, scope: Scope) -> tuple[str, list[Tree]]:
        """The pattern of a name with members (its shape where there is none), and the members."""
        shape, inner = part[2], []
        for kind, _, what in part[3]:
            if kind == "[":
                shape += "[]"
                inner.append(what)
            else:
                shape += f".{what}"
        patterns = self.names.shapes.get(shape, [shape])
        if len(patterns) > 1:  # crew[position] and crew[room]: whichever the member belongs to
            silent = self.silent()
            for pattern in patterns:
                named = self.names.declared(pattern)
                try:
                    for each, index in zip(inner, named.indexes if named else (), strict=True):
                        silent.member(each, index, scope)
                    return pattern, inner
                except Trouble:
                    continue
        return patterns[0], inner

    def _name_of(self, pattern: str, members: Sequence[str]) -> str:
        """Python for a single name of a family."""
        map_of = self.module.variable(f"names({pattern!r})", "n")
        return map_of + "".join(f"[{member}]" for member in members)

    def _member_of(self, part: Tree, scope: Scope) -> Code:
        pattern, inner = self._split(part, scope)
        names = self.names
        named = names.declared(pattern)
        if named is not None:
            codes = [self.member(each, index, scope) for each, index in zip(inner, named.indexes, strict=True)]
            kind = names.kind(pattern)
            self.reads.add((pattern, tuple(arg for _, arg in codes)))
            members = [named_member(arg) for _, arg in codes]
            if None not in members:
                return read(repr(named.single([str(each) for each in members])), kind)
            return read(self._name_of(pattern, [code for code, _ in codes]), kind)
        index, bracket, key = pattern.partition("[].")  # nothing of that shape: what the pack says of a member
        if bracket and names.says(index, key):
            code, _ = self.member(inner[0], index, scope)
            return self._attribute(index, code, key)
        near = self.near(pattern.replace("[]", "[…]"))
        raise self.wrong(part[1], f"there is no fact like {pattern.replace('[]', '[…]')}{near}")

    def member(self, part: Tree, index: str, scope: Scope) -> tuple[str, Argument]:
        """Python for a member of an index between brackets, and which it is as far as that is known."""
        members = self.names.index[index]
        if part[0] == "ref" and not part[3]:
            name = part[2]
            if name in scope.fixed:
                variable, other = scope.fixed[name]
                self._same_members(part, other, index)
                return variable, ("$", variable)
            if name in members and not (name in scope.local and name not in self.names.index):
                return repr(name), ("=", name)
        code = self.expression(part, scope)
        if code.kind.name == "number":
            if not any(map(numeric, members)):
                raise self.wrong(part[1], f"a {index} stands here, not a number")
            return f"str({code.value})", None
        if code.kind.name == "member":
            self._same_members(part, code.kind.index, index)
        elif code.kind.values and code.kind.name == "word" and not set(code.kind.values) & set(members):
            raise self.wrong(part[1], f"a {index} stands here: {one_of(list(members)[:12])}")
        elif code.kind.name == "flag":
            raise self.wrong(part[1], f"a {index} stands here, not a flag")
        return code.value, None

    def _same_members(self, part: Tree, one: str, other: str) -> None:
        if one != other and not set(self.names.index[one]) & set(self.names.index[other]):
            raise self.wrong(part[1], f"a {other} stands here, not a {one}")

    def target(self, part: Tree, scope: Scope) -> tuple[str, Kind]:
        """Python for the single name of a field to be written (None where nothing is bound), and what it takes."""
        if part[0] != "ref":
            raise self.wrong(part[1], "the name of a field stands here")
        return self._indexed_target(part, scope) if part[3] else self._bare_target(part, scope)

    def _indexed_target(self, part: Tree, scope: Scope) -> tuple[str, Kind]:
        names = self.names
        pattern, inner = self._split(part, scope)
        if pattern not in names.fields:
            why = "worked out and cannot be written" if pattern in names.facts else "no field of the sheet"
            raise self.wrong(part[1], f"{pattern.replace('[]', '[…]')} is {why}{self.near(pattern)}")
        named, kind = names.fields[pattern]
        codes = [self.member(each, index, scope) for each, index in zip(inner, named.indexes, strict=True)]
        members = [named_member(arg) for _, arg in codes]
        if None not in members:
            return repr(named.single([str(each) for each in members])), kind
        if all(arg is not None for _, arg in codes):
            return self._name_of(pattern, [code for code, _ in codes]), kind
        return (
            f"one({self.module.variable(f'names({pattern!r})', 'n')}, {', '.join(code for code, _ in codes)})",
            kind,
        )

    def _bare_target(self, part: Tree, scope: Scope) -> tuple[str, Kind]:
        names = self.names
        name = part[2]
        head, _, key = name.partition(".")
        own = f"{scope.fixed[head][1]}[{scope.fixed[head][1]}].{key}" if head in scope.fixed else ""
        if own in names.fields:
            return self._name_of(own, [scope.fixed[head][0]]), names.fields[own][1]
        if name in names.fields and not names.fields[name][0].indexes:
            return repr(name), names.fields[name][1]
        if name in names.singles and names.singles[name] in names.fields:
            return repr(name), names.fields[names.singles[name]][1]
        bound = names.bound(name)
        if bound is not None:
            map_of = self.module.variable(f"names({bound[1]!r})", "n")
            return f"one({map_of}, v[{bound[0]!r}])", names.fields[bound[1]][1]
        self.silent().expression(part, scope)
        raise self.wrong(part[1], f"{name} is worked out or belongs to the game and cannot be written")
