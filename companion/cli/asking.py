"""Asking at the terminal for what only the player knows: dice, facts, printed rows, decisions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from companion.cli import picking
from companion.cli.picking import Ask, Cancelled, chosen, keys, listed, picked, wrapped
from companion.cli.plan_prompt import again
from companion.engine.dice import named
from companion.engine.facts import FactQuestion
from companion.engine.fields import Field, UnknownName, Value
from companion.engine.questions import ChoiceQuestion, DiceQuestion, FieldQuestion, RowQuestion
from companion.play.conversation import Player
from companion.play.dice_tray import Tray
from companion.play.mission import Mission
from companion.problems import UserError
from companion.render.questions import (
    asked_of,
    beside,
    enter_of,
    figures_of,
    figures_only,
    headline,
    like,
    reasons,
    sum_of,
    which,
)
from companion.words import headed, one_of, printed, slug, unhyphened


class Person(Player):
    """The player at the terminal: each question is put until its answer fits; a wrong answer is explained."""

    def __init__(self, mission: Mission, seed: int | None = None) -> None:
        super().__init__(seed)
        self.mission = mission

    def ask(self, text: str) -> str:
        """One answer; `q` leaves."""
        typed = picking.prompt(text)
        if typed.casefold() in ("q", "quit", "exit"):
            raise Cancelled
        return typed

    def dice(self, question: DiceQuestion) -> list[int]:
        """Ask for the dice."""
        return throw([question], [], Tray(), self.mission, self.ask)

    def fact(self, question: FactQuestion) -> Value:
        """Ask for a fact."""
        return ask_fact(question, self.ask)

    def row(self, question: RowQuestion) -> str:
        """Ask what the book says."""
        return ask_row(question, ask=self.ask)

    def choice(self, question: ChoiceQuestion) -> str:
        """Ask for a decision."""
        return ask_choice(question, self.mission, self.ask)

    def field(self, question: FieldQuestion) -> str:
        """Ask about one field."""
        return ask_field(question, self.ask)


def ask_field(question: FieldQuestion, ask: Ask | None = None) -> str:
    """Ask about one field; a choice is listed, Enter takes the usual value."""
    without = question.usual == "none" and question.declared.default != "none"  # nothing is written there
    usual = "" if without else str(question.usual)
    figures = figures_of(question.declared)
    if question.declared.values and not figures:
        options = list(question.declared.values)  # each keeps its number, whatever is usual
        wrapped(f"{question.label}?")
        listed([(option, "") for option in options])
        return picked(options, free=False, ask=ask, enter=usual if usual in options else "")
    span = f"{question.declared.values[0]} to {question.declared.values[-1]}" if figures else question.declared.span
    shown = f" [{unhyphened(usual)}]" if usual else ""
    while True:
        text = (ask or picking.prompt)(f"{question.label} ({span}){shown}: ") or usual
        if figures:
            text = str(printed(text))  # `+1` is the value 1 of the list, not the first of its lines
        try:
            if text == str(question.usual) and question.declared.words:
                return text
            return known_name(question.declared, question.label, text, ask)
        except UserError as problem:
            wrapped(str(problem), "  ")


def ask_fact(question: FactQuestion, ask: Ask | None = None) -> Value:
    """Ask for one fact by its label, with the accepted values; Enter takes the default where there is one."""
    declared = question.declared
    label = declared.heading
    usual = f" [{unhyphened(str(question.usual))}]" if question.usual is not None else ""
    if declared.section == "book" and declared.numeric and declared.low < 0:
        wrapped("A modifier that only your book prints; type 0 if it has none. You are asked once.")
    while True:
        text = (ask or picking.prompt)(f"{label} ({declared.span}){usual}: ")
        if not text and question.usual is not None:
            return question.usual
        try:
            if not text and declared.numeric:
                raise UserError(f"{label} takes a number, {declared.span}; type 0 where your book adds nothing")
            return declared.accept(label, known_name(declared, label, text, ask))
        except UserError as problem:
            wrapped(str(problem), "  ")


def known_name(declared: Field, label: str, text: str, ask: Ask | None = None) -> str:
    """What was typed for a field as it takes it: a name that is not known is asked back until it is, or is insisted on
    and has `=` before it. Raises a UserError for what it does not take at all."""
    while True:
        try:
            value = str(declared.accept(label, text))
        except UnknownName as strange:
            text = doubted(strange, strange.typed, ask)
        else:
            return text if declared.words and text.startswith("=") else value


def doubted(strange: UnknownName, typed: str, ask: Ask | None = None) -> str:
    """Another name for one that is not known, or the same with `=` before it: Enter never makes a slip a fact."""
    likely = strange.near[0] if len(strange.near) == 1 else ""
    wrapped(strange.doubt.replace(strange.typed, typed, 1), "  ")
    enter = f"Enter takes {likely}, = keeps what you typed" if likely else "Type = to keep what you typed"
    while True:
        again = (ask or picking.prompt)(f"{enter}, or type another: ") or likely
        if again:
            return f"={typed}" if again == "=" else again


def ask_row(question: RowQuestion, shown_notes: set[str] | None = None, ask: Ask | None = None) -> str:
    """Ask what the player's own book prints, by number or in words.

    `shown_notes` are the notes that have been shown: the same one four times a zone is a wall of text.
    """
    shown_notes = set() if shown_notes is None else shown_notes
    asked = asked_of(question)
    alone = bool(question.asked) and not question.options  # nothing to choose from: the question is the prompt
    if not alone:
        wrapped(headed(question.table.called, f"{asked}?"))
    note = question.table.doc.get("note")
    if question.table.patterns and note and note not in shown_notes:
        shown_notes.add(note)
        wrapped(f"({note})", "  ")
    texts = [(option, str(question.table.outcomes[option].get("text", ""))) for option in question.options]
    numbers = figures_only(question.table)
    if not numbers:
        listed(texts)
    again, words = "", [text for _, text in texts]
    while True:
        if alone:
            row = again or (ask or picking.prompt)(f"{asked}: ")
        else:
            row = again or (figured(texts[0], ask) if numbers else picked(question.options, words, free=True, ask=ask))
        row = question.table.parted(row)
        if numbers and row not in question.options and not isinstance(printed(row), int):
            wrapped(f"Type a number such as 2 or -1, or {question.options[0]}.", "  ")
            again = ""
        elif not question.table.takes(printed(row)):
            why = "no answer here" if question.table.question else "only a number; type the words of your book"
            wrapped(f"{row or 'Nothing'} is {why}.", "  ")
            again = ""
        elif question.options and not question.table.works(printed(row)):
            near = like(question.options, words, row)
            meaning = f"; did you mean {one_of(near)}?" if near else "."
            wrapped(f"'{row}' is none of these{meaning} It would be noted in your words, and nothing changes.", "  ")
            again = chosen(question.options, (ask or picking.prompt)("Enter to note it so, or another answer: "), words)
            if not again:
                return row
        else:
            try:
                question.table.hear(row)
            except UnknownName as strange:
                again = other(row, strange, ask)
            except UserError as problem:
                wrapped(str(problem), "  ")
                again = ""
            else:
                return row


def other(row: str, strange: UnknownName, ask: Ask | None = None) -> str:
    """A row of an own book with another name for the one in it that is not known."""
    parts = [part.strip() for part in row.split(";")]
    typed = next((part for part in parts if slug(part) == strange.typed), strange.typed)
    name = doubted(strange, typed, ask)
    return name if ";" in name else ";".join(name if part == typed else part for part in parts)


def figured(option: tuple[str, str], ask: Ask | None = None) -> str:
    """A number as the book prints it, where `1` is plus one; Enter takes the one word that may stand there instead."""
    word, text = option
    meaning = f" ({text[:1].lower()}{text[1:]})" if text else ""
    return (ask or picking.prompt)(f"A number (2, -1), or Enter for {word}{meaning}: ") or word


def ask_choice(question: ChoiceQuestion, mission: Mission | None = None, ask: Ask | None = None) -> str:
    """Ask for one legal option by its number, which is its own through the mission; Enter takes the usual one.

    What cannot be taken back in the story Enter takes only where it was the player's last word on the question; one of
    many alike (a card, a square) it never takes.
    """
    wrapped(question.title)
    names, texts = (
        [option.name for option in question.options],
        [beside(option, mission) for option in question.options],
    )
    numbers = [option.number for option in question.options] if all(each.number for each in question.options) else []
    own = [name if name in ("yes", "no") or not text else "" for name, text in zip(names, texts, strict=True)]
    listed(list(zip(own, texts, strict=True)), numbers or keys(names))
    enter, many = enter_of(question, mission), again(question, mission)
    return picked(names, texts, free=False, ask=ask, numbers=numbers, enter=enter, many=many)


MOST_LINES = 5  # of tables in a question; more are joined in one
DOUBTFUL = ("11", "12")  # two dice, or the total of two dice


def throw(
    rolls: Sequence[DiceQuestion], likely: Sequence[DiceQuestion], tray: Tray, mission: Mission, ask: Ask
) -> list[int]:
    """Return the dice of the first of these rolls; those of the others that were typed with them lie on the tray."""
    question, *others = rolls
    if others:
        several(rolls, mission)
    else:
        wrapped(headline(question, mission))
    part = tray.part_of(question)
    prompt = prompt_of(rolls, likely, part)
    while True:
        text = ask(prompt)
        if not part:
            text = sure_of(text, question, mission, ask)
        try:
            dice, taken = tray.typed(text, rolls, likely)
        except UserError as problem:
            wrapped(str(problem), "  ")
            continue
        if not dice and text:  # only a note of the player's book may need no dice
            continue
        if taken:
            wrapped(f"Taken: {taken}.", "  ")
        return dice


def sure_of(text: str, question: DiceQuestion, mission: Mission, ask: Ask) -> str:
    """Ask back where two dice were typed that may be a total, until the mission has two dice that cannot be one."""
    dice, doubtful = question.dice, [token for token in text.split() if token in DOUBTFUL]
    if not doubtful or dice.count != 2 or dice.tens or knows_dice(mission):
        return text
    told = " and ".join(f"{token} is a {token[0]} and a {token[1]}" for token in dict.fromkeys(doubtful))
    return ask(f"{told}, not a total. Enter if so, or type each die: ") or text


def knows_dice(mission: Mission) -> bool:
    """Return whether two dice have been typed in this mission."""
    return any(len(entry.get("d", ())) > 1 for entry in mission.journal.entries[: mission.journal.stand])


def several(rolls: Sequence[DiceQuestion], mission: Mission) -> None:
    """Print the rolls of one line, by table: `M-1 Defensive fire: hit on 6 – nose 1, tail 2; hit on 5 or more – top 1`;
    what neighbours need is said once."""
    from companion.render.situation import whom_each

    lines = []
    for table, group in groupby(rolls, key=lambda each: each.table):
        each = list(group)
        whom = whom_each([roll.bind for roll in each], mission.game, table.title)
        needs = [f"{roll.needed}{reasons(roll.applied)}".strip() for roll in each]
        count = which(each[0], mission) if len(each) == 1 else f" ({len(each)})" if len(set(whom)) == 1 else ""
        runs = [
            (need, [who for _, who in run])
            for need, run in groupby(zip(needs, whom, strict=True), lambda pair: pair[0])
        ]
        parts = [" – ".join(filter(None, [need, alike(names)])) for need, names in runs]
        told = "; ".join(filter(None, dict.fromkeys(parts)))
        head = f"{table.called}{count}"
        lines.append(headed(head, told) if told else head)
    for line in lines if len(lines) <= MOST_LINES else ["; ".join(lines)]:
        wrapped(line)


def alike(names: Sequence[str]) -> str:
    """`nose 1, top 2`; the same one is named once.

    >>> alike(["nose 1", "top 2"]), alike(["Tail, fighter 1", "Tail, fighter 1", "Nose, fighter 2"])
    ('nose 1, top 2', 'Tail, fighter 1; Nose, fighter 2')
    """
    each = list(dict.fromkeys(names))
    return ("; " if any("," in name for name in each) else ", ").join(each)


def prompt_of(rolls: Sequence[DiceQuestion], likely: Sequence[DiceQuestion], part: Sequence[int]) -> str:
    """`Roll 5 x 1D: `, `Roll 2D (+1), then 4-4 2D: `."""
    question = rolls[0]
    if question.dice.count is None:
        return f"Dice, as your book says{sum_of(question.applied)}: "
    asked = f"Roll {named([each.dice for each in rolls])}{sum_of(question.applied) if len(rolls) == 1 else ''}"
    runs = [(table, [each.dice for each in group]) for table, group in groupby(likely, key=lambda each: each.table)]
    then = f", then {', '.join(f'{table.number_printed} {named(dice)}' for table, dice in runs)}" if likely else ""
    lies = f" ({''.join(map(str, part))} lies there)" if part else ""
    return f"{asked}{then}{lies}: "
