"""Asking at the terminal for what only the player knows: dice, facts, printed rows, decisions."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from companion.engine import dice as throws
from companion.engine.needs import Hand, NeedAnswer, NeedChoice, NeedDice, NeedOutcome, Option, Result
from companion.engine.sheet import Facts, Member, NeedFact, Value
from companion.play.mission import Mission
from companion.problems import Problem
from companion.words import figure, fitted, one_of, printed

if TYPE_CHECKING:
    import random

    from companion.engine.sheet import Field
    from companion.engine.tables import Table


Ask = Callable[[str], str]  # whoever puts a question in another way than `prompt`


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
        answers.outcome = ask_choice(need, mission)
    elif isinstance(need, NeedAnswer):
        answers.outcome = ask_field(need)


def ask_field(need: NeedAnswer, ask: Ask | None = None) -> str:
    """Ask about one field; a choice is listed, Enter takes the usual value."""
    usual = "" if need.usual in ("", "none") else str(need.usual)
    figures = figures_of(need.declared)
    if need.declared.values and not figures:
        options = sorted(need.declared.values, key=lambda value: value != usual)
        wrapped(f"{need.label}?")
        listed([(option, "") for option in options])
        return picked(options, free=False, ask=ask)
    span = f"{need.declared.values[0]} to {need.declared.values[-1]}" if figures else need.declared.span
    while True:
        text = (ask or prompt)(f"{need.label} ({span}){f' [{usual}]' if usual else ''}: ") or usual
        if figures:
            text = str(printed(text))  # `+1` is the value 1 of the list, not the first of its lines
        try:
            return str(need.declared.accept(need.label, text))
        except Problem as problem:
            wrapped(str(problem), "  ")


def figures_of(declared: Field) -> bool:
    """Whether all values of a choice are numbers: such a one is typed as it is, not picked from a list."""
    return bool(declared.values) and all(figure(each) is not None for each in declared.values)


def ask_dice(need: NeedDice, mission: Mission | None = None, ask: Ask | None = None) -> list[int]:
    """`Roll 2D:` until the right number of dice has been typed; whose roll it is stands in the heading."""
    wrapped(f"{need.table.id} {need.table.title}{whose(need.bind, mission) + which(need, mission) if mission else ''}")
    for each in need.applied:
        wrapped(f"{each.why} ({each.modifier.cite})", f"  {each.add:+d}  ")
    total = sum(each.add for each in need.applied)
    net = f" ({total:+d})" if need.applied else ""
    asked = f"Roll {need.dice.name}{net}: " if need.dice.count is not None else f"Dice, as your book says{net}: "
    while True:
        text = (ask or prompt)(asked)
        try:
            typed = throws.typed(text)
            need.dice.check(typed)
        except Problem as problem:
            wrapped(str(problem), "  ")
            continue
        if typed or need.dice.count is None:  # a note of the player's book may need no dice
            return typed


def ask_fact(need: NeedFact, ask: Ask | None = None) -> Value:
    """Ask for one fact by its label, with the accepted values; Enter takes the default where there is one."""
    declared = need.declared
    label = declared.heading
    usual = f" [{declared.default}]" if declared.default is not None else ""
    if declared.section == "book" and declared.numeric and declared.low < 0:
        wrapped("A modifier that only your book prints; type 0 if it has none. You are asked once.")
    while True:
        text = (ask or prompt)(f"{label} ({declared.span}){usual}: ")
        if not text and declared.default is not None:
            return declared.default
        try:
            if not text and declared.numeric:
                raise Problem(f"{label} takes a number, {declared.span}; type 0 where your book adds nothing")
            return declared.accept(label, text)
        except Problem as problem:
            wrapped(str(problem), "  ")


def whose(bind: Mapping[str, Value], mission: Mission) -> str:
    """Which gun, man or fighter the dice are for: ` – Tail guns, fighter 1 (george from 6 level)`."""
    from companion.cli.present import binding

    sheet = mission.game.sheet
    facts, described = Facts(sheet, mission.state, bind), {}
    for name, value in bind.items():
        member = sheet.known.get(name)
        if isinstance(member, Member) and member.told and facts[member.present.format(value)] != "none":
            described[name] = member.describe(facts)
    return binding(bind, mission.game, described)


def which(need: NeedDice, mission: Mission) -> str:
    """Which of several equal rolls the dice are for: ` (2 of 3)`."""
    item, journal = mission.asked(need.table.id), mission.journal
    if item is None:
        return ""
    done = sum(
        made["t"] == need.table.id and "p" in made and made["p"][1].count(item) > made["p"][2].count(item)
        for made in journal.entries[item.get("born", 0) : journal.stand]
    )
    of = done + mission.pending.count(item)
    return f" ({done + 1} of {of})" if of > 1 else ""


def ask_outcome(need: NeedOutcome, told_once: set[str] | None = None, ask: Ask | None = None) -> str:
    """Ask what the player's own book prints, by number or in words.

    `told_once` are the notes that have been shown: the same one four times a zone is a wall of text.
    """
    told_once = set() if told_once is None else told_once
    at = f" for a net {need.net}" if need.net is not None and need.dice else ""
    asked = need.table.question or f"your own book has the rows. What does it say{at}"
    wrapped(f"{need.table.id} {need.table.title}: {asked}?")
    note = need.table.doc.get("note")
    if need.table.patterns and note and note not in told_once:
        told_once.add(note)
        wrapped(f"({note})", "  ")
    texts = [(option, str(need.table.outcomes[option].get("text", ""))) for option in need.options]
    numbers = figures_only(need.table)
    if not numbers:
        listed(texts)
    again, words = "", [text for _, text in texts]
    while True:
        said = again or (figured(texts[0], ask) if numbers else picked(need.options, words, free=True, ask=ask))
        if not need.table.takes(printed(said)):
            named = not need.table.question
            wrapped(f"{said} is {'only a number; type the words of your book' if named else 'no answer here'}.", "  ")
            again = ""
        elif need.options and not known(need.table, said):
            wrapped(
                f"'{said}' is none of these: it would be noted in your words and change nothing on the sheet.", "  "
            )
            again = chosen(need.options, (ask or prompt)("Enter to note it so, or another answer: "), words)
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


def figured(option: tuple[str, str], ask: Ask | None = None) -> str:
    """A number as the book prints it, where `1` is plus one; Enter takes the one word that may stand there instead."""
    word, text = option
    meaning = f" ({text[:1].lower()}{text[1:]})" if text else ""
    return (ask or prompt)(f"A number such as +1 or -1, or Enter for {word}{meaning}: ") or word


def ask_choice(need: NeedChoice, mission: Mission | None = None, ask: Ask | None = None) -> str:
    """Ask for one legal option; Enter takes the usual one."""
    wrapped(need.title)
    names, texts = [option.name for option in need.options], [told(option, mission) for option in need.options]
    listed(list(zip(names, texts, strict=True)))
    return picked(names, texts, free=False, ask=ask)


def told(option: Option, mission: Mission | None) -> str:
    """What stands beside an option's name: its text, else what the man or gun of that name is called."""
    if option.text != option.name:
        return option.text
    from companion.cli.present import binding

    return (
        binding(option.bind, mission.game).removeprefix(" – ")
        if mission and option.name in option.bind.values()
        else ""
    )


LEAD = re.compile(r"(\d+)(?:-|$)")


def keys(options: Sequence[str]) -> list[str]:
    """What is typed for each option: its own number where its name begins with one, else a place behind those.

    >>> keys(["4", "1", "hold"]), keys(["1-cfc", "1-bombardier", "2", "hold"]), keys(["yes", "no"])
    (['4', '1', '5'], ['1a', '1b', '2', '3'], ['1', '2'])
    """
    leads = [found[1] if (found := LEAD.match(option)) else "" for option in options]
    place, made = max((int(lead) for lead in leads if lead), default=0), list[str]()
    for at, lead in enumerate(leads):
        if not lead:
            place += 1
        many = lead and leads.count(lead) > 1
        made.append(f"{lead}{chr(97 + leads[:at].count(lead))}" if many else lead or str(place))
    return made


def _order(key: str) -> tuple[int, str]:
    """`1a` and `1b` before `2`, and that before `10`."""
    return int(key.rstrip("abcdefghijklmnopqrstuvwxyz")), key


def listed(options: Sequence[tuple[str, str]]) -> None:
    """The options in the order of what is typed for them."""
    typed = keys([name for name, _ in options])
    wide = max(map(len, typed), default=1)
    for key, (name, text) in sorted(zip(typed, options, strict=True), key=lambda each: _order(each[0])):
        told = ": ".join(each for each in (name, text) if each and (each != key or not text))
        wrapped(told, f"  {key:>{wide}}  ")


def at(options: Sequence[str], text: str) -> str | None:
    """The option that has that number."""
    return dict(zip(keys(options), options, strict=True)).get(text.casefold())


def chosen(options: Sequence[str], text: str, texts: Sequence[str] = ()) -> str:
    """The option that a number, a name, its text or the beginning of one means; else the text as it was typed."""
    numbered = at(options, text)
    if numbered is not None:
        return numbered
    same = [option for option in options if option.casefold() == text.casefold()]
    starts = [option for option in options if option.casefold().startswith(text.casefold())] if len(text) > 1 else []
    found = same[:1] or starts or meant(options, texts, text, inside=False)
    return found[0] if len(found) == 1 else text


def meant(options: Sequence[str], texts: Sequence[str], typed: str, *, inside: bool) -> list[str]:
    """The options whose text is the typed one, begins with it or (`inside`) has it in it; whole words come first.

    >>> guns = ["1-aimed", "2-aimed", "2-passing", "12-aimed"]
    >>> fighters = ["fighter 1, from 9 high", "fighter 2, from 6", "fighter 2, from 6, in passing", "fighter 12"]
    >>> meant(guns, fighters, "fighter 1", inside=True), meant(guns, fighters, "9 HIGH", inside=True)
    (['1-aimed'], ['1-aimed'])
    >>> meant(guns, fighters, "fighter 2", inside=True), meant(guns, fighters, "fighter 2, from 6", inside=True)
    (['2-aimed', '2-passing'], ['2-aimed'])
    """
    words = _words(typed)
    if len(words) < 2:
        return []
    told = [
        (option, f" {_words(text)} ")
        for option, text in (*zip(options, texts, strict=False), *zip(options, options, strict=True))
    ]
    fits: list[Callable[[str], bool]] = [lambda text: text == f" {words} ", lambda text: text.startswith(f" {words} ")]
    if inside:
        fits[1:] = [lambda text: f" {words} " in text, lambda text: f" {words}" in text]
    tried = (dict.fromkeys(option for option, text in told if fit(text)) for fit in fits)
    return list(next(filter(None, tried), ()))


def _words(text: str) -> str:
    return " ".join(re.sub(r"[^\w:+/]+", " ", text.casefold()).split())


def picked(options: Sequence[str], texts: Sequence[str] = (), *, free: bool, ask: Ask | None = None) -> str:
    """A number, a name, what stands beside it, or (where the book may say more than we know) other words."""
    while True:
        text = (ask or prompt)(
            "Number, or its words: "
            if free
            else f"Number, or Enter for {keys(options)[0]}: "
            if len(options) > 1
            else "Enter: "
        )
        numbered = at(options, text)
        if numbered is not None:
            return numbered
        if not text and options and not free:
            return options[0]
        if text and (free or figure(text) is None):
            one = chosen(options, text, texts)
            if one in options:
                return one
            if free:
                return text
            several = meant(options, texts, text, inside=True)
            if len(several) == 1:
                return several[0]
            if several:
                may_be = one_of(sorted((keys(options)[options.index(each)] for each in several), key=_order))
                wrapped(f"'{text}' may be {may_be}.", "  ")
                continue
        span = one_of(sorted(keys(options), key=_order))
        words = ", or what the row says" if free else ""
        wrapped(f"Type {span}{words}." if options else "Type what the row says.", "  ")


def wrapped(text: str, indent: str = "") -> None:
    """A long line, broken between words on a terminal; what follows stands under its beginning."""
    print(fitted(text, sys.stdout, indent))


def prompt(text: str) -> str:
    """One line from the player; bytes that are no text are refused before they come near a file."""
    while True:
        try:
            said = input(fitted(text.rstrip(), sys.stdout) + text[len(text.rstrip()) :]).strip()
        except EOFError:  # Ctrl-D means the same as Ctrl-C
            raise KeyboardInterrupt from None
        except UnicodeDecodeError:
            said = "\ud800"
        if any("\ud800" <= letter <= "\udfff" for letter in said):
            print("  That is not text that can be written down; type it again.")
            continue
        return said
