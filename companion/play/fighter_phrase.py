"""Parsing of words for a member that comes and goes: `tojo 6 level ace` is a fighter with its fields."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from companion.engine.facts import FactQuestion, Facts
from companion.engine.fields import FREE, Field, Value
from companion.engine.sheet import Bound, Member, Sheet
from companion.problems import Question, UserError
from companion.words import bare, figure, nearest, one_of

if TYPE_CHECKING:
    from companion.play.mission import Mission

LONGEST = 3  # words of one value: `Fw 190 A`
ANOTHER = ("another", "second")
IDLE = ("a", "an", "the", "and", "at", "in", "is", "oclock", "o")

Pair = tuple[str, Value]  # a field and its value


class UnknownWord(UserError):
    """An unknown word in the description of a fighter, with similar known words."""

    def __init__(self, index: str, typed: str, near: list[str], accepted: str) -> None:
        guess = f"Did you mean {one_of(near)}?" if near else f"Describe the {index} with {accepted}."
        super().__init__(f"I don't understand {typed!r}. {guess}")


def index_of(sheet: Sheet) -> str:
    """Return the index whose members come and go and are described in words; empty if a game has none."""
    for name, known in sheet.known.items():
        if isinstance(known, Member) and known.present and known.text:
            return name
    return ""


def fields_of(sheet: Sheet, index: str) -> dict[str, Field]:
    """Return the fields that describe a member, by the last part of their names."""
    head = f"{index}[{index}]."
    declared = {name.removeprefix(head): field for name, field in sheet.families.items() if name.startswith(head)}
    return {key: field for key, field in declared.items() if field.section != "working"}


def example(sheet: Sheet, index: str) -> str:
    """Return the words of a complete description."""
    fields, values = fields_of(sheet, index), dict[str, Value]()
    while missing := unsaid(sheet, index, values):
        values[missing[0]] = fields[missing[0]].values[0] if fields[missing[0]].values else 1
    return " ".join(_told(sheet, index, key, value) for key, value in values.items())


def _told(sheet: Sheet, index: str, key: str, value: Value) -> str:
    """Return a value in everyday words: `Me 109`."""
    return sheet.say(f"{index}.{next(iter(sheet.index[index]))}.{key}", value)


def wanted(mission: Mission, question: Question) -> bool:
    """Return whether a question is about a member that is not yet described, with none on the sheet."""
    sheet = mission.game.sheet
    index = index_of(sheet)
    if not isinstance(question, FactQuestion) or not index:
        return False
    known = sheet.known.get(question.name)
    return isinstance(known, Bound) and known.index == index and Facts(sheet, mission.state)[index] == "none"


def values_of(sheet: Sheet, index: str, text: str) -> dict[str, Value]:
    """Return the described values by the last part of each field's name.

    Raise UnknownWord for an unknown word, UserError for an ambiguous one.
    """
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
                raise UserError(f"The {index} can't be both {told[0]} and {told[1]}.")
            result[key] = value
        at += count
    return result


def _next(sheet: Sheet, index: str, fields: Mapping[str, Field], words: list[str]) -> tuple[int, Pair | None]:
    """Return how many of the words belong together, with their field and value; None for a filler word."""
    for count in range(min(LONGEST, len(words)), 0, -1):
        typed = bare("".join(words[:count]))
        exact = [pair for word, pair in _spoken(fields) if bare(word) == typed]
        if exact:
            return count, _one(sheet, index, words[0], exact)
    first, typed = words[0], bare(words[0])
    spoken = {bare(word): pair for word, pair in _spoken(fields)}
    if first.casefold() == "not" and len(words) > 1 and (pair := spoken.get(bare(words[1]), ("", "")))[1] == "yes":
        return 2, (pair[0], "no")
    for key, field in fields.items():
        if field.numeric and typed in (bare(key), bare(field.heading)):
            number = figure(words[1]) if len(words) > 1 else None
            return (1, (key, 1)) if number is None else (2, (key, field.accept(field.heading, number)))
    begun = [pair for word, pair in _spoken(fields) if pair[1] != "yes" and _begins(bare(word), typed)]
    if begun:
        return 1, _one(sheet, index, first, begun)
    if not typed or typed in {*IDLE, bare(index), *(bare(word) for f in fields.values() for word in f.heading.split())}:
        return 1, None
    meant = [(each, spoken[each]) for each in nearest(typed, spoken)]
    near = [each if value == "yes" else _told(sheet, index, key, value) for each, (key, value) in meant]
    lists = [(key, field.values) for key, field in fields.items() if len(field.values) > 2]
    accepted = "; ".join(one_of([_told(sheet, index, key, value) for value in values]) for key, values in lists)
    raise UnknownWord(index, first, near, accepted)


def _spoken(fields: Mapping[str, Field]) -> Iterator[tuple[str, Pair]]:
    """Yield every word for a value, with its field and value."""
    for key, field in fields.items():
        if set(field.values) == {"yes", "no"}:
            yield key, (key, "yes")
            yield field.heading, (key, "yes")
        else:
            for value in field.values:
                yield value, (key, value)
            for word, value in field.known.items():
                yield word, (key, value)


def _begins(word: str, typed: str) -> bool:
    """Return whether typed letters begin a word, or a typed number ends it: `109` of `me109`."""
    if typed.isdigit():
        return len(typed) > 2 and word.endswith(typed)
    return len(typed) > 1 and word.startswith(typed)


def _one(sheet: Sheet, index: str, typed: str, pairs: list[Pair]) -> Pair:
    """Return the one field and value of a word; raise UserError if it is ambiguous."""
    different = list(dict.fromkeys(pairs))
    if len(different) > 1:
        raise UserError(f"{typed} could be {one_of([_told(sheet, index, *each) for each in different])}.")
    return different[0]


def unsaid(sheet: Sheet, index: str, values: Mapping[str, Value]) -> list[str]:
    """Return the fields missing from a description (its type, where it comes from), by the last part of their names."""
    return [key for key in fields_of(sheet, index) if key not in values and key in _read(sheet, index, values)]


def _read(sheet: Sheet, index: str, values: Mapping[str, Value]) -> set[str]:
    """Return the fields used in the description of a member."""
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


def on_the_sheet(mission: Mission, index: str, slot: str) -> str:
    """Return the slot of that number; raise UserError if it is empty."""
    there = matching_slots(mission, index, {})
    if slot not in there:
        only = f", only {one_of(there)}" if there else ""
        new = example(mission.game.sheet, index)
        raise UserError(f"There is no {index} {slot} on the sheet{only}. Describe a new one, e.g. {new}.")
    return slot


def matching_slots(mission: Mission, index: str, values: Mapping[str, Value]) -> list[str]:
    """Return the slots on the sheet that have all of these values."""
    sheet, facts = mission.game.sheet, Facts(mission.game.sheet, mission.state)
    member = sheet.known[index]
    assert isinstance(member, Member)
    there = [slot for slot in sheet.index[index] if facts[member.present.format(slot)] not in FREE]
    return [slot for slot in there if all(facts[f"{index}.{slot}.{key}"] == value for key, value in values.items())]


def placed(mission: Mission, index: str, values: Mapping[str, Value], another: bool) -> tuple[str, dict[str, Value]]:
    """Return the slot of a member with these values, and the fields to write for it.

    There are no fields if one like it is on the sheet already (unless it is `another`); else they are those of the next
    free slot. Raise UserError if no slot is free.
    """
    if not another and (fitting := matching_slots(mission, index, values)):
        return fitting[0], {}
    sheet = mission.game.sheet
    slots, there, counter = list(sheet.index[index]), matching_slots(mission, index, {}), f"slots.{index}"
    used = int(Facts(sheet, mission.state)[counter]) if counter in sheet.fields else 0
    slot = next((slot for slot in [*slots[used:], *slots[:used]] if slot not in there), "")
    if not slot:
        raise UserError(f"The sheet has room for only {len(slots)} {index}s, and all are in use.")
    written: dict[str, Value] = {f"{index}.{slot}.{key}": value for key, value in values.items()}
    if counter in sheet.fields and slots.index(slot) + 1 > used:
        written[counter] = slots.index(slot) + 1
    return slot, written
