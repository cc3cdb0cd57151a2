"""A roll that needs a fighter which stands on no sheet: he is asked for in words, once, and stands there then."""

from __future__ import annotations

from collections.abc import Sequence

from companion.cli import asking
from companion.cli.asking import Person, ask_fact
from companion.cli.picking import Ask, wrapped
from companion.engine.facts import FactQuestion, Facts
from companion.engine.fields import Value
from companion.engine.questions import DiceQuestion
from companion.engine.resolution import Result
from companion.engine.sheet import Member
from companion.play.conversation import Answers, Player, resolve
from companion.play.dice_tray import Tray, together
from companion.play.fighter_phrase import (
    ANOTHER,
    UnknownWord,
    example,
    fields_of,
    index_of,
    like,
    on_the_sheet,
    placed,
    unsaid,
    values_of,
    wanted,
)
from companion.play.mission import Mission
from companion.problems import UserError
from companion.store.session import Session
from companion.words import one_of


class Undescribed(Exception):
    """A roll needs to know of a fighter who stands on no sheet; `text` is what has been said of him."""

    def __init__(self, text: str = "") -> None:
        super().__init__(text)
        self.text = text


class Hand(Person):
    """The player who rolls by hand: what a table must know of a fighter he says in one breath."""

    describes = True

    def __init__(self, mission: Mission, seed: int | None = None) -> None:
        super().__init__(mission, seed)
        self.tray = Tray()  # dice thrown along with those of the first roll: all shells of a fighter, all their areas

    def dice(self, question: DiceQuestion) -> list[int]:
        """The dice that lie there already; else ask for them, and for those of the equal rolls that wait behind."""
        lying = self.tray.take(question)
        if lying is not None:
            return lying
        rolls = [question, *self.tray.unserved(together(self.mission, question)[1:])]
        return asking.throw(rolls, [], self.tray, self.mission, self.ask)

    def fact(self, question: FactQuestion) -> Value:
        """Ask for a fact; for a fighter as a whole."""
        if self.describes and wanted(self.mission, question):
            raise Undescribed
        index = index_of(self.mission.game.sheet)
        if index and question.name == index:
            if not question.declared.values:
                raise Undescribed
            return self._which(index, question.declared.values)
        return super().fact(question)

    def _which(self, index: str, there: Sequence[str]) -> Value:
        """Which of those on the sheet is meant: by its number, or in words."""
        sheet, state = self.mission.game.sheet, self.mission.state
        member = sheet.known[index]
        assert isinstance(member, Member)
        wrapped(f"Which {index}?")
        for each in there:
            wrapped(Facts(sheet, state, {index: each}).described(member), f"  {each:>2}  ")
        while True:
            typed = self.ask(f"Number, or in words (another {example(sheet, index)}): ")
            if typed in there:
                return typed
            if typed.partition(" ")[0].casefold() in ANOTHER:
                raise Undescribed(typed)
            try:
                said = {} if typed in sheet.index[index] else values_of(sheet, index, typed)
            except UserError as problem:
                wrapped(f"{problem}.", "  ")
                continue
            fitting = like(self.mission, index, said) if said else []
            if len(fitting) == 1:
                return fitting[0]
            if said and not fitting and not unsaid(sheet, index, said):
                raise Undescribed(typed)
            told = f"may be {one_of(fitting)}" if fitting else f"is none of {one_of(list(there))}"
            wrapped(f"{typed or 'That'} {told}.", "  ")


def described_roll(
    session: Session,
    table: str | None,
    by: Player,
    answers: Answers,
    text: str = "",
    *,
    asking: bool = False,
    single: bool = False,
) -> list[Result]:
    """Roll a table for the fighter that `text` describes; one that is needed and was not described is asked for.

    Without a person everything must stand in the text.
    """
    mission = session.mission
    ask = by.ask if isinstance(by, Hand) else None
    if isinstance(by, Hand):
        by.describes = not any(name.partition(".")[0] == index_of(mission.game.sheet) for name in answers.given)
    if text:
        describe(session, answers, text, ask)
    while True:
        try:
            return resolve(mission, table, by, answers, asking=asking, single=single)
        except Undescribed as wanting:
            index = index_of(mission.game.sheet)
            assert ask is not None
            asked = f"Which {index}? In words, such as {example(mission.game.sheet, index)}: "
            describe(session, answers, wanting.text or ask(asked), ask)


def roll_on(
    session: Session, table: str | None, seed: int | None, answers: Answers, text: str, *, further: bool
) -> None:
    """A roll by hand with the player at the terminal, and what came of it. Where no campaign keeps what it leads to,
    the rolls that follow are asked for at once (`further`), until nothing is left or the player leaves; where one does,
    those whose dice were typed in the same line."""
    from companion.cli.terminal import show_result, show_results

    by = Hand(session.mission, seed)
    results = described_roll(session, table, by, answers, text, asking=True)
    index = index_of(session.pack.sheet)
    given = {name: value for name, value in answers.given.items() if name != index}
    while session.mission.waiting() is not None and (by.tray or (further and session.campaign is None)):
        for result in results:
            show_result(result, session)
        results = described_roll(session, None, by, Answers(given=dict(given)), asking=True)
    show_results(results, session, recorded=session.recording)
    if by.tray:
        wrapped(f"Over: {by.tray.words()}")


def describe(session: Session, answers: Answers, text: str, ask: Ask | None) -> None:
    """Let the roll be for the fighter that is described, who stands on the sheet then. What is not understood or is
    missing is asked for, or (without `ask`) a UserError."""
    sheet = session.pack.sheet
    index = index_of(sheet)
    if not index:
        raise UserError(f"{session.pack.name} has nothing that is described so")
    if text.strip() in sheet.index[index]:
        answers.given[index] = on_the_sheet(session.mission, index, text.strip())
        return
    first, _, rest = text.strip().partition(" ")
    another = first.casefold() in ANOTHER
    values = understood(session, index, rest if another else text, ask)
    while missing := unsaid(sheet, index, values):
        declared = fields_of(sheet, index)[missing[0]]
        if ask is None:
            raise UserError(f"say of the {index} also {declared.heading.lower()}: {declared.span}")
        value = ask_fact(FactQuestion(f"{index}.{missing[0]}", declared), ask)
        values[missing[0]] = value
    slot, written = placed(session.mission, index, values, another)
    answers.written.update(written)
    answers.given[index] = slot
    if written and ask is not None:
        told = ", ".join(sheet.say(f"{index}.{slot}.{key}", value) for key, value in values.items())
        wrapped(f"{index.capitalize()} {slot}: {told}")


def understood(session: Session, index: str, text: str, ask: Ask | None) -> dict[str, Value]:
    """What the words say; each that says nothing is asked back with what it may mean."""
    while True:
        try:
            return values_of(session.pack.sheet, index, text)
        except UnknownWord as odd:
            if ask is None:
                raise
            wrapped(str(odd), "  ")
            likely = odd.near[0] if len(odd.near) == 1 else ""
            enter = f"Enter takes {likely}, or type" if likely else "Type"
            other = ask(f"{enter} it another way (- leaves it out): ") or likely
            if other:
                words = [other if word == odd.typed else word for word in text.split()]
                text = " ".join(word for word in words if word != "-")
        except UserError as problem:
            if ask is None:
                raise
            wrapped(f"{problem}.", "  ")
            text = ask("Say it again: ")
