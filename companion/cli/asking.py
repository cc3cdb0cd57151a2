"""Asking at the terminal for what only the player knows: dice, facts, printed rows, decisions."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from companion.engine import dice as throws
from companion.engine.needs import Hand, NeedAnswer, NeedChoice, NeedDice, NeedOutcome, Result, printed
from companion.mission import Mission
from companion.problems import Problem
from companion.sheet import NeedFact, Value

if TYPE_CHECKING:
    import random


class Answers:
    """What is known for one roll: typed dice, given facts, facts the player was asked for, the printed row."""

    def __init__(
        self,
        groups: list[list[int]],
        given: dict[str, Value],
        outcome: str | None = None,
        auto: bool = False,
        seed: int | None = None,
    ) -> None:
        self.groups, self.given, self.outcome = groups, given, outcome
        self.asked: dict[str, Value] = {}
        self.auto, self.seed = auto, seed


def chance(seed: int | None) -> random.Random:
    """The companion's own dice; loaded only when it rolls."""
    import random

    return random.Random(seed)


def resolve(mission: Mission, table: str | None, answers: Answers, ask: bool) -> list[Result]:
    """Roll, asking for what is missing when a person is there; nothing is recorded until all of it is known."""
    if answers.auto and answers.seed is None:
        answers.seed = int.from_bytes(os.urandom(4))
    while True:
        hand = Hand(answers.groups, chance(answers.seed) if answers.auto else None)
        try:
            return mission.roll(table, hand, answers.given, outcome=answers.outcome, asking=ask, answers=answers.asked)
        except (NeedDice, NeedFact, NeedOutcome, NeedChoice, NeedAnswer) as need:
            if not ask:
                raise
            answer(need, answers, mission)


def answer(need: Problem, answers: Answers, mission: Mission) -> None:
    """Put one question and keep its answer; a wrong answer is explained and asked for again."""
    if isinstance(need, NeedDice):
        answers.groups.append(ask_dice(need))
    elif isinstance(need, NeedFact):
        value = ask_fact(need)
        kept = mission.number is not None and need.name in mission.game.sheet.fields
        (answers.asked if kept else answers.given)[need.name] = value
    elif isinstance(need, NeedOutcome):
        answers.outcome = ask_outcome(need)
    elif isinstance(need, NeedChoice):
        answers.outcome = ask_choice(need)
    elif isinstance(need, NeedAnswer):
        answers.outcome = ask_field(need)


def ask_field(need: NeedAnswer) -> str:
    """Ask about one field; a choice is listed, Enter takes the usual value."""
    usual = "" if need.usual in ("", "none") else str(need.usual)
    if need.declared.values:
        options = sorted(need.declared.values, key=lambda value: value != usual)
        print(f"{need.label}?")
        listed([(option, "") for option in options])
        return picked(options, free=False)
    while True:
        text = prompt(f"{need.label} ({need.declared.span}){f' [{usual}]' if usual else ''}: ") or usual
        try:
            return str(need.declared.accept(need.name, text))
        except Problem as problem:
            print(f"  {problem}")


def ask_dice(need: NeedDice) -> list[int]:
    """`Roll 2D:` until the right number of dice has been typed."""
    print(f"{need.table.id} {need.table.title}")
    for each in need.applied:
        print(f"  {each.add:+d}  {each.why} ({each.modifier.cite})")
    total = sum(each.add for each in need.applied)
    net = f" ({total:+d})" if need.applied else ""
    asked = f"Roll {need.dice.name}{net}: " if need.dice.count is not None else f"Dice, as your book says{net}: "
    while True:
        text = prompt(asked)
        try:
            typed = throws.typed(text)
            need.dice.check(typed)
        except Problem as problem:
            print(f"  {problem}")
            continue
        if typed or need.dice.count is None:  # a note of the player's book may need no dice
            return typed


def ask_fact(need: NeedFact) -> Value:
    """Ask for one fact by its label, with the accepted values; Enter takes the default where there is one."""
    declared = need.declared
    label = declared.heading
    usual = f" [{declared.default}]" if declared.default is not None else ""
    while True:
        text = prompt(f"{label} ({declared.span}){usual}: ")
        if not text and declared.default is not None:
            return declared.default
        try:
            return declared.accept(need.name, text)
        except Problem as problem:
            print(f"  {problem}")


def ask_outcome(need: NeedOutcome) -> str:
    """Ask what the player's own book prints, by number or in words."""
    at = f" for a net {need.net}" if need.net is not None else ""
    asked = need.table.doc.get("question") or f"your own book has the rows. What does it say{at}"
    print(f"{need.table.id} {need.table.title}: {asked}?")
    if need.table.patterns and need.table.doc.get("note"):
        print(f"  ({need.table.doc['note']})")
    listed([(option, str(need.table.outcomes[option].get("text", ""))) for option in need.options])
    while True:
        said = picked(need.options, free=True)
        if need.table.takes(printed(said)):
            return said
        print(f"  {said} is no answer here.")


def ask_choice(need: NeedChoice) -> str:
    """Ask for one legal option; Enter takes the usual one."""
    print(need.title)
    listed([(option.name, option.text if option.text != option.name else "") for option in need.options])
    return picked([option.name for option in need.options], free=False)


def listed(options: Sequence[tuple[str, str]]) -> None:
    """The options, numbered."""
    for number, (name, text) in enumerate(options, 1):
        print(f"  {number}  {name}" + (f": {text}" if text else ""))


def picked(options: Sequence[str], *, free: bool) -> str:
    """A number, a name, or (where the book may say more than we know) other words."""
    while True:
        text = prompt(
            "Number, or its words: " if free else "Number, or Enter for 1: " if len(options) > 1 else "Enter: "
        )
        if text.isdigit() and 1 <= int(text) <= len(options):
            return options[int(text) - 1]
        if not text and options and not free:
            return options[0]
        if text and (free or not text.isdigit()):
            known = [option for option in options if option.casefold() == text.casefold()]
            if known:
                return known[0]
            if free:
                return text
        print(f"  Type 1 to {len(options)}." if options else "  Type what the row says.")


class Aside(Exception):
    """The player typed a command (`u`, `s`, `q`) where an answer was asked for."""

    def __init__(self, word: str) -> None:
        super().__init__(word)
        self.word = word


ASIDES: dict[str, str] = {}  # what may be typed at a prompt beside its answer; `fly` fills it


def prompt(text: str) -> str:
    """One line from the player."""
    try:
        said = input(text).strip()
        if said.casefold() in ASIDES:
            raise Aside(ASIDES[said.casefold()])
        return said
    except EOFError:  # Ctrl-D means the same as Ctrl-C
        raise KeyboardInterrupt from None
