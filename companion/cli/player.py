"""The player at the terminal, and rolls by hand: a fighter that is not on the sheet is described once, in words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from companion.cli import terminal
from companion.cli.status import print_next
from companion.cli.terminal import Ask, Cancelled, answered, put, show_result, show_results, wrapped
from companion.engine.facts import FactQuestion, Facts
from companion.engine.fields import Value
from companion.engine.questions import ChoiceQuestion, DiceQuestion, RowQuestion
from companion.engine.resolution import Result
from companion.engine.sheet import Member
from companion.play.conversation import Answers, Player, resolve
from companion.play.dice_tray import Tray
from companion.play.members import (
    ANOTHER,
    example,
    fields_of,
    index_of,
    matching_slots,
    on_the_sheet,
    placed,
    unsaid,
    values_of,
    wanted,
)
from companion.play.mission import Mission
from companion.problems import Question, UserError
from companion.render.dice_prompt import RowPrompt
from companion.render.options import Prompt
from companion.render.prompt import FieldPrompt, choice_prompt, dice_prompt, prompt_of
from companion.store.session import Session
from companion.words import one_of


class Person(Player):
    """The player at the terminal: each question is repeated until its answer is valid."""

    def __init__(self, mission: Mission, seed: int | None = None) -> None:
        super().__init__(seed)
        self.mission = mission
        self.tray = Tray()  # dice typed in advance for the following rolls

    def ask(self, text: str) -> str:
        """Return one line; `q` quits."""
        typed = terminal.ask(text)
        if typed.casefold() in ("q", "quit", "exit"):
            raise Cancelled
        return typed

    def reply(self, prompt: Prompt) -> Any:
        """Ask a question until it is answered."""
        return put(prompt, self.ask)

    def dice(self, question: DiceQuestion) -> list[int]:
        """Take dice typed earlier; else ask for them, along with those of equal pending rolls."""
        lying = self.tray.take(question)
        return list(self.reply(dice_prompt(question, self.mission, self.tray))) if lying is None else lying

    def row(self, question: RowQuestion) -> str:
        """Take the row that was typed with the dice; else ask for it."""
        row = self.tray.take_row()
        return str(self.reply(RowPrompt(question, self.mission))) if row is None else row

    def choice(self, question: ChoiceQuestion) -> str:
        return str(self.reply(choice_prompt(question, self.mission)))

    def other(self, question: Question) -> Value:
        """Ask any other question with its prompt."""
        answer: Value = self.reply(prompt_of(question, self.mission, self.tray, {}))
        return answer

    fact = field = other  # for players that first look for an answer elsewhere


class DescriptionNeeded(Exception):
    """Raised if a roll needs a fighter that is not on the sheet; `text` is its description so far."""

    def __init__(self, text: str = "") -> None:
        super().__init__(text)
        self.text = text


class RollingPerson(Person):
    """The player who rolls by hand and describes a fighter on one line."""

    describes = True

    def __init__(self, mission: Mission, seed: int | None = None) -> None:
        super().__init__(mission, seed)
        self.said: dict[str, Value] = {}  # answers other than the fighter, if there is no sheet to keep them
        self.rolled: Result | None = None  # the roll that the player named
        self.born = 0  # the first entry whose pending things follow from it

    def done(self, mission: Mission) -> bool:
        """Return whether no follow-ups of the roll, or things pending along with it, remain."""
        item = mission.waiting()
        return item is None or item.born < self.born

    def fact(self, question: Question) -> Value:
        """Ask for a fact; for a fighter as a whole."""
        assert isinstance(question, FactQuestion)
        if self.describes and wanted(self.mission, question):
            raise DescriptionNeeded
        index = index_of(self.mission.game.sheet)
        if index and question.name == index:
            if not question.declared.values:
                raise DescriptionNeeded
            return self._which(index, question.declared.values)
        value = super().fact(question)
        if self.mission.number is None and question.name.partition(".")[0] != index:
            self.said[question.name] = value
        return value

    def another(self, session: Session) -> str:
        """Ask for another fighter for the same table, in words; return an empty text when the player is done."""
        sheet = session.pack.sheet
        index = index_of(sheet)
        if not (index and self.describes and self.rolled) or self.rolled.bind.get(index, "none") == "none":
            return ""
        typed = self.ask(f"Another {index}? (e.g. {example(sheet, index)}; Enter to stop): ")
        return typed if not typed or typed in sheet.index[index] else f"another {typed}"

    def _which(self, index: str, there: Sequence[str]) -> Value:
        """Ask which fighter on the sheet is meant: by number, or in words."""
        sheet, state = self.mission.game.sheet, self.mission.state
        member = sheet.known[index]
        assert isinstance(member, Member)
        wrapped(f"Which {index}?")
        for each in there:
            wrapped(Facts(sheet, state, {index: each}).described(member), f"  {each:>2}  ")

        def read(typed: str) -> str:
            if typed in there:
                return typed
            if typed.partition(" ")[0].casefold() in ANOTHER:
                raise DescriptionNeeded(typed)
            said = {} if typed in sheet.index[index] else values_of(sheet, index, typed)
            fitting = matching_slots(self.mission, index, said) if said else []
            if len(fitting) == 1:
                return fitting[0]
            if said and not fitting and not unsaid(sheet, index, said):
                raise DescriptionNeeded(typed)
            told = f"could be {one_of(fitting)}" if fitting else f"isn't {one_of(list(there))}"
            raise UserError(f"'{typed}' {told}." if typed else f"That {told}.")

        return answered(read, f"Number, or describe a new one (e.g. another {example(sheet, index)}): ", self.ask)


def described_roll(session: Session, table: str | None, by: Player, answers: Answers, text: str = "") -> list[Result]:
    """Roll on a table for the fighter described in `text`, asking for a missing description.

    If nobody can be asked, everything must be in the text.
    """
    mission = session.mission
    index, ask = index_of(mission.game.sheet), by.ask if isinstance(by, RollingPerson) else None
    if isinstance(by, RollingPerson):
        by.describes = not any(name.partition(".")[0] == index for name in answers.given)
    if text:
        describe(session, answers, text, ask)
    while True:
        try:
            return resolve(mission, table, by, answers, asking=ask is not None)
        except DescriptionNeeded as wanting:
            assert ask is not None
            asked = f"Which {index}? (e.g. {example(mission.game.sheet, index)}): "
            describe(session, answers, wanting.text or ask(asked), ask)


def roll_on(
    session: Session, table: str | None, seed: int | None, answers: Answers, text: str, *, further: bool
) -> RollingPerson:
    """Roll with the player at the terminal, and print the results.

    Args:
        further: Whether to go on with follow-up rolls: without a mission right here, until none is left or the player
        quits; else with the pending ones once this roll is saved.
    """
    by, mission = RollingPerson(session.mission, seed), session.mission
    before, position = mission.pending, mission.journal.position
    results = described_roll(session, table, by, answers, text)
    by.rolled = results[0]
    by.born = 0 if any(item not in mission.pending for item in before) else position + 1
    index = index_of(session.pack.sheet)
    given = {name: value for name, value in answers.given.items() if name != index}
    while further and not session.recording and not by.done(mission):
        for result in results:
            show_result(result, session)
        results = described_roll(session, None, by, Answers(given=dict(given)))
    if further and not by.done(mission):
        for result in results:
            show_result(result, session)
    else:
        show_results(results, session, recorded=session.recording)
        if by.tray and not session.recording:
            wrapped(f"Unused dice: {by.tray.words()}")
        if session.recording and not further and mission.waiting() is None:
            print_next(session)
    return by


def describe(session: Session, answers: Answers, text: str, ask: Ask | None) -> None:
    """Put the described fighter on the sheet and bind the roll to it.

    Raises:
        UserError: The description is unclear or incomplete, and nobody can be asked.
    """
    sheet = session.pack.sheet
    index = index_of(sheet)
    if not index:
        raise UserError(f"{session.pack.name} has no fighters to describe. Name the table only.")
    if text.strip() in sheet.index[index]:
        answers.given[index] = on_the_sheet(session.mission, index, text.strip())
        return
    first, _, rest = text.strip().partition(" ")
    another = first.casefold() in ANOTHER

    words = rest if another else text
    again = partial(values_of, sheet, index)
    values = again(words) if ask is None else answered(again, "Type it again: ", ask, words)
    while missing := unsaid(sheet, index, values):
        declared = fields_of(sheet, index)[missing[0]]
        if ask is None:
            raise UserError(f"{declared.heading}? Add it to the {index}: {declared.span}.")
        value = put(FieldPrompt(FactQuestion(f"{index}.{missing[0]}", declared)), ask)
        assert isinstance(value, str | int)
        values[missing[0]] = value
    slot, written = placed(session.mission, index, values, another)
    answers.written.update(written)
    answers.given[index] = slot
    if written and ask is not None:
        told = ", ".join(sheet.say(f"{index}.{slot}.{key}", value) for key, value in values.items())
        wrapped(f"{index.capitalize()} {slot}: {told}")
