"""Rolls by hand at the terminal: a fighter that is not on the sheet is described once, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from companion.cli import terminal
from companion.cli.status import print_next
from companion.cli.terminal import Ask, Cancelled, answered, put, show_result, show_results, wrapped
from companion.engine.facts import FactQuestion, Facts
from companion.engine.fields import Value
from companion.engine.questions import ChoiceQuestion, DiceQuestion
from companion.engine.resolution import Result
from companion.play.members import ANOTHER, Fighters
from companion.play.mission import Answers, Mission, rehearsal
from companion.problems import Question, UserError
from companion.render.draft import Draft
from companion.render.options import Prompt
from companion.render.prompt import FieldPrompt, choice_prompt, dice_prompt, prompt_of
from companion.store.session import Session
from companion.words import one_of


def ask(text: str) -> str:
    """Return one line; `q` quits, and so does `u`, as nothing is saved yet."""
    typed = terminal.ask(text)
    if typed.casefold() in ("q", "quit", "exit", "u", "undo"):
        raise Cancelled
    return typed


class HandRoller:
    """The player who rolls by hand and describes a fighter on one line."""

    def __init__(self, session: Session) -> None:
        self.session, self.mission = session, session.mission
        self.fighters = Fighters(session.mission)
        self.draft = Draft()
        self.tray = self.draft.tray  # dice typed in advance for the following rolls
        self.describes = True  # whether a fighter may be described
        self.said: dict[str, Value] = {}  # answers other than the fighter, if there is no sheet to keep them
        self.rolled: Result | None = None  # the roll that the player named
        self.born = 0  # the first entry whose pending things follow from it

    def done(self, mission: Mission) -> bool:
        """Return whether no follow-ups of the roll, or things pending along with it, remain."""
        item = mission.waiting()
        return item is None or item.born < self.born

    def roll(self, table: str | None, answers: Answers, text: str = "") -> list[Result]:
        """Roll on a table, or resolve the first pending thing, for the fighter described in `text`."""
        self.describes = not any(name.partition(".")[0] == self.fighters.index for name in answers.given)
        while True:
            if text:
                describe(self.session, answers, text, ask)
            made = self.draft.move(self.mission, table, answers, single=False)
            if isinstance(made, list):
                return made
            text = self._fighter(made)
            if not text:
                seen = rehearsal(self.mission, noting=True)
                seen.state.update(answers.written)  # the fighter just described
                prompt = self._prompt(made, seen)
                answer = put(prompt, ask)
                self.draft.keep(made, answer, prompt, self.mission)
                own = made.name.partition(".")[0] == self.fighters.index
                if isinstance(made, FactQuestion) and self.mission.number is None and not own:
                    self.said[made.name] = cast(Value, answer)

    def _prompt(self, question: Question, seen: Mission) -> Prompt:
        if isinstance(question, DiceQuestion):
            return dice_prompt(question, seen, self.tray)
        if isinstance(question, ChoiceQuestion):
            return choice_prompt(question, seen)
        return prompt_of(question, seen, self.tray, {})

    def _fighter(self, question: Question) -> str:
        """Ask for the fighter that a question is about: by number, or in words; empty for other questions."""
        index = self.fighters.index
        if not isinstance(question, FactQuestion) or not index:
            return ""
        named = question.name == index
        if named and question.declared.values:
            return self._which(question.declared.values)
        wants = named or self.describes and self.fighters.wanted(question)
        return ask(f"Which {index}? (e.g. {self.fighters.example()}): ") if wants else ""

    def another(self) -> str:
        """Ask for another fighter for the same table, in words; return an empty text when the player is done."""
        index = self.fighters.index
        if not (index and self.describes and self.rolled) or self.rolled.bind.get(index, "none") == "none":
            return ""
        typed = ask(f"Another {index}? (e.g. {self.fighters.example()}; Enter to stop): ")
        return typed if not typed or typed in self.fighters.slots else f"another {typed}"

    def _which(self, there: Sequence[str]) -> str:
        """Ask which fighter on the sheet is meant; return its number, or the words for a new one."""
        fighters, sheet, state = self.fighters, self.session.pack.sheet, self.mission.state
        wrapped(f"Which {fighters.index}?")
        for each in there:
            wrapped(Facts(sheet, state, {fighters.index: each}).described(fighters.member), f"  {each:>2}  ")

        def read(typed: str) -> str:
            if typed in there or typed.partition(" ")[0].casefold() in ANOTHER:
                return typed
            said = {} if typed in fighters.slots else fighters.values_of(typed)
            fitting = fighters.matching(said) if said else []
            if len(fitting) == 1:
                return fitting[0]
            if said and not fitting and not fighters.unsaid(said):
                return typed
            told = f"could be {one_of(fitting)}" if fitting else f"isn't {one_of(list(there))}"
            raise UserError(f"'{typed}' {told}." if typed else f"That {told}.")

        return answered(read, f"Number, or describe a new one (e.g. another {fighters.example()}): ", ask)


def roll_on(session: Session, table: str | None, answers: Answers, text: str, *, further: bool) -> HandRoller:
    """Roll with the player at the terminal, and print the results.

    Args:
        further: Whether to go on with follow-up rolls: without a mission right here, until none is left or the player
        quits; else with the pending ones once this roll is saved.
    """
    by, mission = HandRoller(session), session.mission
    before, position = mission.pending, mission.journal.position
    results = by.roll(table, answers, text)
    by.rolled = results[0]
    by.born = 0 if any(item not in mission.pending for item in before) else position + 1
    given = {name: value for name, value in answers.given.items() if name != by.fighters.index}
    while further and not session.recording and not by.done(mission):
        for result in results:
            show_result(result, session)
        results = by.roll(None, Answers(given=dict(given)))
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


def describe(session: Session, answers: Answers, text: str, ask: Ask | None = None) -> None:
    """Put the described fighter on the sheet and bind the roll to it.

    Raises:
        UserError: The description is unclear or incomplete, and nobody can be asked.
    """
    fighters = Fighters(session.mission)
    index, (first, _, rest) = fighters.index, text.strip().partition(" ")
    if not index:
        raise UserError(f"{session.pack.name} has no fighters to describe. Name the table only.")
    if text.strip() in fighters.slots:
        answers.given[index] = fighters.on_the_sheet(text.strip())
        return
    another = first.casefold() in ANOTHER
    read, words = fighters.values_of, rest if another else text
    values = read(words) if ask is None else answered(read, "Type it again: ", ask, words)
    while missing := fighters.unsaid(values):
        declared = fighters.fields[missing[0]]
        if ask is None:
            raise UserError(f"{declared.heading}? Add it to the {index}: {declared.span}.")
        values[missing[0]] = cast(Value, put(FieldPrompt(FactQuestion(f"{index}.{missing[0]}", declared)), ask))
    slot, written = fighters.placed(values, another=another)
    answers.written.update(written)
    answers.given[index] = slot
    if written and ask is not None:
        told = ", ".join(session.pack.sheet.say(f"{index}.{slot}.{key}", value) for key, value in values.items())
        wrapped(f"{index.capitalize()} {slot}: {told}")
