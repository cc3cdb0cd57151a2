"""A thing that comes and goes on the sheet, in words: `tojo 6 level ace` is a fighter, by the fields it has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Protocol

from companion.engine.facts import FactQuestion, Facts
from companion.engine.fields import Field, Value
from companion.engine.sheet import Bound, Member, Sheet
from companion.problems import Question, UserError
from companion.words import bare, figure, nearest, one_of

if TYPE_CHECKING:
    from companion.engine.rules import Game

LONGEST = 3  # words of one value: `Fw 190 A`
ANOTHER = ("another", "second")
IDLE = ("a", "an", "the", "and", "at", "in", "is", "oclock", "o")

Pair = tuple[str, Value]  # a field of the thing, by the last part of its name, and what stands there


class Board(Protocol):
    """A game and what is on its sheet: a mission, or a line that is being read."""

    @property
    def game(self) -> Game:
        """The game."""

    @property
    def state(self) -> Mapping[str, Value]:
        """What is on the sheet."""


class UnknownWord(UserError):
    """A word that says nothing of the thing; `near` are those it may mean."""

    def __init__(self, index: str, typed: str, near: list[str], accepted: str) -> None:
        self.typed, self.near = typed, near
        guess = f"; did you mean {one_of(near)}?" if near else f"; it takes {accepted}"
        super().__init__(f"{typed!r} says nothing of a {index}{guess}")


def index_of(sheet: Sheet) -> str:
    """The index whose members come and go and are told of in words; empty where a game has none."""
    for name, known in sheet.known.items():
        if isinstance(known, Member) and known.present and known.text:
            return name
    return ""


def fields_of(sheet: Sheet, index: str) -> dict[str, Field]:
    """What is said of one of them, by the last part of the field's name."""
    head = f"{index}[{index}]."
    declared = {name.removeprefix(head): field for name, field in sheet.families.items() if name.startswith(head)}
    return {key: field for key, field in declared.items() if field.section != "working"}


def example(sheet: Sheet, index: str) -> str:
    """Words that say all that must be said."""
    fields, values = fields_of(sheet, index), dict[str, Value]()
    while missing := unsaid(sheet, index, values):
        values[missing[0]] = fields[missing[0]].values[0] if fields[missing[0]].values else 1
    return " ".join(_told(sheet, index, key, value) for key, value in values.items())


def _told(sheet: Sheet, index: str, key: str, value: Value) -> str:
    """A value as people say it: `Me 109`."""
    return sheet.say(f"{index}.{next(iter(sheet.index[index]))}.{key}", value)


def wanted(mission: Board, question: Question) -> bool:
    """Whether a question is about a thing that nobody has said anything of yet, and none stands on the sheet."""
    sheet = mission.game.sheet
    index = index_of(sheet)
    if not isinstance(question, FactQuestion) or not index:
        return False
    known = sheet.known.get(question.name)
    return isinstance(known, Bound) and known.index == index and Facts(sheet, mission.state)[index] == "none"


def values_of(sheet: Sheet, index: str, text: str) -> dict[str, Value]:
    """What the words say, by the last part of each field's name. Raises UnknownWord for a word that says nothing, a
    UserError for
    one that may say several things."""
    fields = fields_of(sheet, index)
    words = [word for word in re.split(r"[\s,;]+", text.replace("’", "'").strip()) if word]
    result: dict[str, Value] = {}
    at = 0
    while at < len(words):
        count, pair = _next(sheet, index, fields, words[at:])
        if pair is not None:
            key, value = pair
            if result.get(key, value) != value:
                told = [_told(sheet, index, key, each) for each in (result[key], value)]
                raise UserError(f"{one_of(told)}? One {index} is one of them")
            result[key] = value
        at += count
    return result


def _next(sheet: Sheet, index: str, fields: Mapping[str, Field], words: list[str]) -> tuple[int, Pair | None]:
    """How many of the words belong together, and what they say (None for a word that only makes a sentence)."""
    for count in range(min(LONGEST, len(words)), 0, -1):
        typed = bare("".join(words[:count]))
        exact = [pair for word, pair in _spoken(fields) if bare(word) == typed]
        if exact:
            return count, _one(sheet, index, words[0], exact)
    first, typed = words[0], bare(words[0])
    if first.casefold() == "not" and len(words) > 1:
        key = next((key for key, field in _flags(fields) if bare(words[1]) in (bare(key), bare(field.heading))), None)
        if key is not None:
            return 2, (key, "no")
    for key, field in fields.items():
        if field.numeric and typed in (bare(key), bare(field.heading)):
            number = figure(words[1]) if len(words) > 1 else None
            return (1, (key, 1)) if number is None else (2, (key, field.accept(field.heading, number)))
    begun = [pair for word, pair in _spoken(fields) if pair[1] != "yes" and _begins(bare(word), typed)]
    if begun:
        return 1, _one(sheet, index, first, begun)
    idle = {*IDLE, bare(index), *(bare(word) for field in fields.values() for word in field.heading.split())}
    if not typed or typed in idle:
        return 1, None
    spoken = {bare(word): pair for word, pair in _spoken(fields)}
    meant = [(each, spoken[each]) for each in nearest(typed, spoken)]
    near = [each if value == "yes" else _told(sheet, index, key, value) for each, (key, value) in meant]
    lists = {key: field.values for key, field in fields.items() if len(field.values) > 2}
    accepted = "; ".join(one_of([_told(sheet, index, key, value) for value in lists[key]]) for key in lists)
    raise UnknownWord(index, first, near, accepted)


def _spoken(fields: Mapping[str, Field]) -> Iterator[tuple[str, Pair]]:
    """Every word that says something, with what it says."""
    for key, field in fields.items():
        if set(field.values) == {"yes", "no"}:
            yield key, (key, "yes")
            yield field.heading, (key, "yes")
        else:
            for value in field.values:
                yield value, (key, value)
            for word, value in field.known.items():
                yield word, (key, value)


def _flags(fields: Mapping[str, Field]) -> list[tuple[str, Field]]:
    return [(key, field) for key, field in fields.items() if set(field.values) == {"yes", "no"}]


def _begins(word: str, typed: str) -> bool:
    """Whether typed letters begin a word, or a typed number ends it: `109` of `me109`."""
    if typed.isdigit():
        return len(typed) > 2 and word.endswith(typed)
    return len(typed) > 1 and word.startswith(typed)


def _one(sheet: Sheet, index: str, typed: str, pairs: list[Pair]) -> Pair:
    """The one thing that a word says; a UserError where it may say several."""
    different = list(dict.fromkeys(pairs))
    if len(different) > 1:
        raise UserError(f"{typed} may be {one_of([_told(sheet, index, *each) for each in different])}")
    return different[0]


def unsaid(sheet: Sheet, index: str, values: Mapping[str, Value]) -> list[str]:
    """The fields without which it cannot be told of (what it is, where it comes from), by the last part of the name."""
    return [key for key in fields_of(sheet, index) if key not in values and key in _read(sheet, index, values)]


def _read(sheet: Sheet, index: str, values: Mapping[str, Value]) -> set[str]:
    """The fields that the words for it are made of."""
    member = sheet.known[index]
    assert isinstance(member, Member)
    slot = next(iter(sheet.index[index]))
    start = f"{index}.{slot}."
    facts = Facts(sheet, {f"{start}{key}": value for key, value in values.items()}, {index: slot})
    assumed: dict[str, Value] = {}
    with facts.noting(assumed, {}):
        facts.described(member)
    present = member.present.rpartition(".")[2]
    read = {name.removeprefix(start) for name in assumed if name.startswith(start)}
    return {present, *read}


def on_the_sheet(mission: Board, index: str, slot: str) -> str:
    """The slot of that number; raises a UserError where it is free."""
    there = like(mission, index, {})
    if slot not in there:
        only = f", only {one_of(there)}" if there else ""
        new = example(mission.game.sheet, index)
        raise UserError(f"There is no {index} {slot} on the sheet{only}. Describe a new one in words, such as {new}")
    return slot


def like(mission: Board, index: str, values: Mapping[str, Value]) -> list[str]:
    """Those that stand on the sheet and of whom all of this is true."""
    sheet, facts = mission.game.sheet, Facts(mission.game.sheet, mission.state)
    member = sheet.known[index]
    assert isinstance(member, Member)
    there = [slot for slot in sheet.index[index] if facts[member.present.format(slot)] not in ("", "none")]
    return [slot for slot in there if all(facts[f"{index}.{slot}.{key}"] == value for key, value in values.items())]


def placed(mission: Board, index: str, values: Mapping[str, Value], another: bool) -> tuple[str, dict[str, Value]]:
    """The slot of the sheet where it stands, and what must be written for it: nothing where one like it stands there
    already (unless it is `another`), else what was said, in the next free slot. Raises a UserError where none is
    free."""
    sheet, facts = mission.game.sheet, Facts(mission.game.sheet, mission.state)
    member, slots = sheet.known[index], list(sheet.index[index])
    assert isinstance(member, Member)
    there = [slot for slot in slots if facts[member.present.format(slot)] not in ("", "none")]
    if not another and (fitting := like(mission, index, values)):
        return fitting[0], {}
    counter = f"slots.{index}"
    used = int(facts[counter]) if counter in sheet.fields else 0
    free = [slot for slot in [*slots[used:], *slots[:used]] if slot not in there]
    if not free:
        raise UserError(f"the sheet has room for {len(slots)}, and as many stand there")
    slot = free[0]
    written: dict[str, Value] = {f"{index}.{slot}.{key}": value for key, value in values.items()}
    if counter in sheet.fields and slots.index(slot) + 1 > used:
        written[counter] = slots.index(slot) + 1
    return slot, written
