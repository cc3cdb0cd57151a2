"""Asking at the terminal for what only the player knows: dice, facts, printed rows, decisions."""

from __future__ import annotations

import os
import shutil
import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from companion.engine import dice as throws
from companion.engine.needs import Hand, NeedAnswer, NeedChoice, NeedDice, NeedOutcome, Result, printed
from companion.mission import Mission
from companion.problems import Problem
from companion.sheet import NeedFact, Value

if TYPE_CHECKING:
    import random

    from companion.engine.tables import Table
    from companion.sheet import Field


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
        answers.groups.append(ask_dice(need, mission))
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
    figures = figures_of(need.declared)
    if need.declared.values and not figures:
        options = sorted(need.declared.values, key=lambda value: value != usual)
        print(f"{need.label}?")
        listed([(option, "") for option in options])
        return picked(options, free=False)
    span = f"{need.declared.values[0]} to {need.declared.values[-1]}" if figures else need.declared.span
    while True:
        text = prompt(f"{need.label} ({span}){f' [{usual}]' if usual else ''}: ") or usual
        if figures:
            text = str(printed(text))  # `+1` is the value 1 of the list, not the first of its lines
        try:
            return str(need.declared.accept(need.label, text))
        except Problem as problem:
            print(f"  {problem}")


def figures_of(declared: Field) -> bool:
    """Whether all values of a choice are numbers: such a one is typed as it is, not picked from a list."""
    return bool(declared.values) and all(each.lstrip("-").isdigit() for each in declared.values)


def ask_dice(need: NeedDice, mission: Mission | None = None) -> list[int]:
    """`Roll 2D:` until the right number of dice has been typed; whose roll it is stands in the heading."""
    print(f"{need.table.id} {need.table.title}{whose(need.bind, mission) if mission else ''}")
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
    if declared.section == "book" and declared.numeric and declared.low < 0:
        print("A modifier that only your book prints; type 0 if it has none. You are asked once.")
    while True:
        text = prompt(f"{label} ({declared.span}){usual}: ")
        if not text and declared.default is not None:
            return declared.default
        try:
            if not text and declared.numeric:
                raise Problem(f"{label} takes a number, {declared.span}; type 0 where your book adds nothing")
            return declared.accept(label, text)
        except Problem as problem:
            print(f"  {problem}")


def whose(bind: Mapping[str, Value], mission: Mission) -> str:
    """Which gun, man or fighter the dice are for: ` – Tail guns, fighter 1 (george from 6 level)`."""
    from companion.cli.present import binding

    told = binding(bind, mission.game)
    slot = bind.get("fighter")
    if told and slot not in (None, "none"):
        kind, clock, angle = (
            mission.state.get(f"fighter.{slot}.{part}", "none") for part in ("type", "clock", "angle")
        )
        if kind != "none":
            place = " ".join(str(each) for each in (clock, angle) if each != "none")
            told = told.replace(f"fighter {slot}", f"fighter {slot} ({kind}{f' from {place}' if place else ''})", 1)
    return told


told_once: set[str] = set()  # notes that have been shown: the same one four times a zone is a wall of text


def ask_outcome(need: NeedOutcome) -> str:
    """Ask what the player's own book prints, by number or in words."""
    at = f" for a net {need.net}" if need.net is not None and need.dice else ""
    asked = need.table.doc.get("question") or f"your own book has the rows. What does it say{at}"
    wrapped(f"{need.table.id} {need.table.title}: {asked}?")
    note = need.table.doc.get("note")
    if need.table.patterns and note and note not in told_once:
        told_once.add(note)
        wrapped(f"({note})", "  ")
    texts = [(option, str(need.table.outcomes[option].get("text", ""))) for option in need.options]
    figure = figures_only(need.table)
    if not figure:
        listed(texts)
    again = ""
    while True:
        said = again or (figured(texts[0]) if figure else picked(need.options, free=True))
        if not need.table.takes(printed(said)):
            print(f"  {said} is no answer here.")
            again = ""
        elif need.options and not known(need.table, said):
            print(f"  '{said}' is none of these: it would be noted in your words and change nothing on the sheet.")
            again = chosen(need.options, prompt("Enter to note it so, or another answer: "))
            if not again:
                return said
        else:
            return said


def known(table: Table, said: str) -> bool:
    """Whether an answer is a row, a pattern or a number that the table works into the sheet."""
    raw, reads = printed(said), table.numbers()[0]
    if isinstance(raw, int) and (reads.number is not None or reads.adjust is not None):
        return True
    return str(raw) in table.outcomes or bool(table.outcome(str(raw))[0])


def figures_only(table: Table) -> bool:
    """Whether the rows are numbers, but for one word: there a typed number is the row, never a place in a list."""
    reads = table.numbers()[0]
    return len(table.outcomes) == 1 and (reads.number is not None or reads.adjust is not None)


def figured(option: tuple[str, str]) -> str:
    """A number as the book prints it, where `1` is plus one; Enter takes the one word that may stand there instead."""
    word, text = option
    return (
        prompt(f"A number such as +1 or -1, or Enter for {word}{f' ({text[:1].lower()}{text[1:]})' if text else ''}: ")
        or word
    )


def ask_choice(need: NeedChoice) -> str:
    """Ask for one legal option; Enter takes the usual one."""
    print(need.title)
    listed([(option.name, option.text if option.text != option.name else "") for option in need.options])
    return picked([option.name for option in need.options], free=False)


def listed(options: Sequence[tuple[str, str]]) -> None:
    """The options, numbered."""
    for number, (name, text) in enumerate(options, 1):
        print(f"  {number}  {name}" + (f": {text}" if text else ""))


def chosen(options: Sequence[str], text: str) -> str:
    """The option that a number, a name or the beginning of one means; else the text as it was typed."""
    if text.isdigit() and 1 <= int(text) <= len(options):
        return options[int(text) - 1]
    same = [option for option in options if option.casefold() == text.casefold()]
    starts = [option for option in options if option.casefold().startswith(text.casefold())] if len(text) > 1 else []
    return same[0] if same else starts[0] if len(starts) == 1 else text


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
            one = chosen(options, text)
            if one in options:
                return one
            if free:
                return text
        span = "1" if len(options) == 1 else f"1 to {len(options)}"
        words = ", or what the row says" if free else ""
        print(f"  Type {span}{words}." if options else "  Type what the row says.")


def wrapped(text: str, indent: str = "") -> None:
    """A long line, broken between words."""
    wide = max(40, shutil.get_terminal_size().columns)
    print(textwrap.fill(text, wide, initial_indent=indent, subsequent_indent=indent))


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
