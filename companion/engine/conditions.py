"""Structured conditions, compiled once into plain functions of the facts.

`{altitude = "hi", "mission.time" = "day"}` asks for both; a list means any of; `{min = 11}`, `{max = 10}` and
`{not = "ok"}` mean what they say; `any`, `all`, `not` nest; `some`, `none` and `count` look at indexed things:
`{some = {each = "gun", where = {"gun.{gun}" = "jammed"}}}`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from companion.engine.templates import Render, compile_name, render
from companion.problems import Trouble, figure

if TYPE_CHECKING:
    from companion.sheet import Facts, Sheet

Test = Callable[["Facts"], bool]


def compile_condition(condition: Mapping[str, Any], sheet: Sheet) -> Test | None:
    """A function that says whether the condition holds; None for an empty condition, which always does."""
    tests = [test for key, value in condition.items() for test in _clause(key, value, sheet)]
    return _both(tests)


def _both(tests: list[Test]) -> Test | None:
    if not tests:
        return None
    if len(tests) == 1:
        return tests[0]
    if len(tests) == 2:
        first, second = tests
        return lambda facts: first(facts) and second(facts)
    if len(tests) == 3:
        one, two, three = tests
        return lambda facts: one(facts) and two(facts) and three(facts)
    return lambda facts: all(test(facts) for test in tests)


def _clause(key: str, value: Any, sheet: Sheet) -> list[Test]:
    if key == "any":
        found = [compile_condition(each, sheet) for each in value]
        if None in found:
            return []
        options: list[Test] = [each for each in found if each is not None]
        return [lambda facts: any(test(facts) for test in options)]
    if key == "all":
        return [test for each in value if (test := compile_condition(each, sheet)) is not None]
    if key == "not":
        inner = compile_condition(value, sheet)
        return [lambda facts: not inner(facts)] if inner is not None else [lambda facts: False]
    if key == "column":  # whether that table has a column for things as they stand
        return [lambda facts: sheet.has_column(value, facts)]
    if key in ("some", "none") and isinstance(value, Mapping) and "each" in value:
        quantifier = compile_quantifier(value, sheet)
        return [quantifier.some if key == "some" else quantifier.none]
    if key == "count" and isinstance(value, Mapping) and "each" in value:
        counted = compile_quantifier(value, sheet)
        compare = _compare({k: v for k, v in value.items() if k in ("min", "max", "is")}, "count", True)
        return [lambda facts: compare(counted.count(facts))]
    return [_fact(key, value, sheet)]


def _fact(key: str, value: Any, sheet: Sheet) -> Test:
    if key.startswith("="):  # a word that a member put in, compared with something known later
        word = key[1:]
        return lambda facts: matches(word, _fill(value, facts))
    name = compile_name(key)
    if not isinstance(name, str):
        return _compared_late(name, value)
    known = sheet.known.get(name)
    numeric = known is not None and getattr(getattr(known, "declared", known), "numeric", False)
    if _late(value):
        return _compared_late(lambda facts: name, value)
    if getattr(getattr(known, "declared", known), "kind", "") == "text":
        words = _plain_words(value)
        return lambda facts: matches(_plain(str(facts[name])), words)
    if isinstance(value, str | int) and not isinstance(value, bool):
        wanted = _same(value, numeric)
        return lambda facts: facts[name] == wanted
    if isinstance(value, list):
        accepted = frozenset(_same(each, numeric) for each in value)
        return lambda facts: facts[name] in accepted
    compare = _compare(value, name, numeric)
    return lambda facts: compare(facts[name])


def _plain_words(value: Any) -> Any:
    """What a player writes in his own spelling (a city) is compared without regard to case, blanks and hyphens."""
    if isinstance(value, list):
        return [_plain_words(each) for each in value]
    if isinstance(value, Mapping):
        return {key: _plain_words(each) for key, each in value.items()}
    return _plain(value) if isinstance(value, str) else value


def _plain(text: str) -> str:
    return text.casefold().replace(" ", "-")


def _same(value: Any, numeric: bool) -> Any:
    """Words and numbers as the facts hold them: `6` of a clock is a word, `6` of a count is a number."""
    if numeric:  # a member's own number was put in as a word
        number = figure(value) if isinstance(value, str) else None
        return value if number is None else number
    return str(value) if isinstance(value, int) else value


def _late(value: Any) -> bool:
    """Whether the value itself has braces and is only known when the facts are."""
    if isinstance(value, str):
        return "{" in value
    if isinstance(value, list):
        return any(_late(each) for each in value)
    return isinstance(value, Mapping) and any(_late(each) for each in value.values())


def _compared_late(name: Render, value: Any) -> Test:
    late = _late(value)
    if isinstance(value, list) and not late and all(isinstance(each, str) for each in value):
        words = frozenset(each.casefold() for each in value)
        return lambda facts: str(facts[name(facts)]).casefold() in words
    if isinstance(value, str) and not late:
        word = value.casefold()
        return lambda facts: str(facts[name(facts)]).casefold() == word

    def test(facts: Facts) -> bool:
        actual = facts[name(facts)]
        return matches(actual, _fill(value, facts) if late else value)

    return test


def _fill(part: Any, facts: Facts) -> Any:
    if isinstance(part, list):
        return [_fill(each, facts) for each in part]
    if isinstance(part, Mapping):
        return {key: _fill(each, facts) for key, each in part.items()}
    return render(part, facts)


def matches(actual: Any, value: Any) -> bool:
    """Whether one fact's value meets one condition value, worked out on the spot."""
    if isinstance(value, Mapping):
        return _compare(value, "a fact", isinstance(actual, int))(actual)
    if isinstance(value, list):
        return any(matches(actual, each) for each in value)
    return bool(actual == value or str(actual).casefold() == str(value).casefold())


def _compare(value: Mapping[str, Any], name: str, numeric: bool) -> Callable[[Any], bool]:
    wrong = set(value) - {"min", "max", "not", "is"}
    if wrong:
        raise Trouble(f"the condition on {name} has {sorted(wrong)[0]!r}; it takes min, max, not or is")
    low, high = _same(value.get("min"), True), _same(value.get("max"), True)
    if "not" in value:
        refused = value["not"]
        barred = frozenset(_same(each, numeric) for each in (refused if isinstance(refused, list) else [refused]))
        return lambda actual: actual not in barred
    if "is" in value:
        wanted = _same(value["is"], numeric)
        return lambda actual: actual == wanted
    if low is not None and high is not None:
        return lambda actual: low <= int(actual) <= high
    if low is not None:
        return lambda actual: int(actual) >= low
    if high is None:
        raise Trouble(f"the condition on {name} is empty; it takes min, max, not or is")
    return lambda actual: int(actual) <= high


class Quantifier:
    """`each` of an index, `where` something holds: the condition is compiled once for every member."""

    def __init__(self, name: str, members: list[tuple[str, Test | None]]) -> None:
        self.name, self.members = name, members

    def matching(self, facts: Facts) -> list[str]:
        """The members for which the condition holds, in the sheet's order."""
        return [member for member, test in self.members if test is None or test(facts)]

    def count(self, facts: Facts) -> int:
        """How many members meet the condition."""
        return len(self.matching(facts))

    def some(self, facts: Facts) -> bool:
        """Whether at least one does."""
        return any(test is None or test(facts) for _, test in self.members)

    def none(self, facts: Facts) -> bool:
        """Whether none does."""
        return not self.some(facts)


def compile_quantifier(spec: Mapping[str, Any], sheet: Sheet) -> Quantifier:
    """The `each … as … where` of a condition, a count, an option list or an effect."""
    index = spec["each"]
    if index not in sheet.index:
        raise Trouble(f"{sheet.game}: there is no index {index} to go through")
    name = spec.get("as", index)
    members: list[tuple[str, Test | None]] = []
    for member in sheet.index[index]:
        where = for_member(spec.get("where", {}), name, index, member, sheet)
        if where is not NEVER:
            members.append((member, compile_condition(where, sheet)))
    return Quantifier(name, members)


NEVER: dict[str, Any] = {"any": []}


def for_member(condition: Mapping[str, Any], name: str, index: str, member: str, sheet: Sheet) -> dict[str, Any]:
    """The condition with one member put in for `name`; what that settles is dropped, or NEVER comes back."""
    found: dict[str, Any] = {}
    has = sheet.index[index][member]
    for key, value in condition.items():
        if key in ("any", "all"):
            parts = [for_member(each, name, index, member, sheet) for each in value]
            if key == "all" and any(part is NEVER for part in parts):
                return NEVER
            parts = [part for part in parts if part is not NEVER]
            if key == "any" and not parts:
                return NEVER
            found[key] = parts
        elif key == "not":
            inner = for_member(value, name, index, member, sheet)
            if inner == {}:
                return NEVER
            if inner is not NEVER:
                found[key] = inner
        elif key in ("some", "none", "count") and isinstance(value, Mapping) and "each" in value:
            found[key] = value if value.get("as", value["each"]) == name else put_in(value, name, member, has)
        elif key == name:
            if _late(value):
                found["=" + member] = value
            elif not matches(member, value):
                return NEVER
        elif key.startswith(name + ".") and key[len(name) + 1 :] in has:
            said, wanted = has[key[len(name) + 1 :]], put_in(value, name, member, has)
            if _late(wanted):
                found[f"={said}"] = wanted
            elif not matches(said, wanted):
                return NEVER
        elif key.startswith(name + ".") and f"{index}.{{{index}}}.{key[len(name) + 1 :]}" in sheet.families:
            found[f"{index}.{member}.{key[len(name) + 1 :]}"] = put_in(value, name, member, has)
        else:
            found[str(put_in(key, name, member, has))] = put_in(value, name, member, has)
    return found


def put_in(part: Any, name: str, member: str, has: Mapping[str, Any]) -> Any:
    """Replace `{name}` and `{name.attribute}` by the member and by what the pack says of it, at any depth.

    A text that is one attribute and nothing else keeps its type: a number stays a number.
    """
    if isinstance(part, str):
        if "{" + name not in part:
            return part
        alone = part[len(name) + 2 : -1]
        if alone in has and part == "{" + name + "." + alone + "}":
            return has[alone]
        text = part.replace("{" + name + "}", member)
        for key, value in has.items():
            text = text.replace("{" + name + "." + key + "}", str(value))
        return text
    if isinstance(part, list):
        return [put_in(each, name, member, has) for each in part]
    if isinstance(part, Mapping):
        return {str(put_in(key, name, member, has)): put_in(each, name, member, has) for key, each in part.items()}
    return part


class ForMember:
    """One member of an `each`: its condition, and the rest of the declaration with the member put in."""

    def __init__(self, index: str, name: str, test: Test | None, spec: Mapping[str, Any]) -> None:
        self.index, self.name, self.test, self.spec = index, name, test, spec


def test_of(condition: Mapping[str, Any], sheet: Sheet) -> Test | None:
    """Like `compile_condition`, but a condition that stands in a pack is compiled only once."""
    found = sheet.compiled.get(id(condition))
    if found is None:
        found = sheet.compiled[id(condition)] = (condition, compile_condition(condition, sheet))
    test: Test | None = found[1]
    return test


def members_of(spec: Mapping[str, Any], sheet: Sheet) -> list[ForMember]:
    """The `each … as … where` of an effect, an option or a `then`, worked out for every member only once."""
    found = sheet.compiled.get(id(spec))
    if found is None:
        name = spec.get("as", spec["each"])
        rest = {key: value for key, value in spec.items() if key not in ("each", "as", "where")}
        members = [
            ForMember(name, member, test, put_in(rest, name, member, sheet.index[spec["each"]][member]))
            for member, test in compile_quantifier(spec, sheet).members
        ]
        found = sheet.compiled[id(spec)] = (spec, members)
    members_found: list[ForMember] = found[1]
    return members_found
