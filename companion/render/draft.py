"""The draft: answers that are not recorded yet, and the moves made from them, for terminal and page."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

from companion.engine.facts import FactQuestion
from companion.engine.questions import ChoiceQuestion, DiceQuestion, RowQuestion, settle
from companion.engine.resolution import Result
from companion.play import phrases
from companion.play.dice_tray import KeptDice, Tray
from companion.play.journal import join
from companion.play.mission import Answers, Mission, rehearsal, rewound
from companion.play.plan import likely_after, where
from companion.problems import MissingAnswer, Question, UserError
from companion.render.options import Answer, Prompt, meant
from companion.render.prompt import choice_prompt, prompt_of


class Answered(NamedTuple):
    """An answer with the key of its question, and the question's subject in words."""

    key: str
    what: str
    answer: Answer

    def words(self) -> str:
        """Return `34 (5-9 Japanese offensive fire)`."""
        typed = " ".join(map(str, self.answer)) if isinstance(self.answer, list) else str(self.answer)
        return f"{typed or '(Enter)'} ({self.what})"


class Draft:
    """Answers not yet recorded: those of the current move, and those given early for the next ones."""

    def __init__(self) -> None:
        self.answers: list[Answered] = []  # given in this move
        self.tray = Tray()
        self.plan: dict[str, str] = {}  # the answers to pending decisions and fields that were typed with another's
        self.ahead: list[str] = []  # words typed for the questions that follow in this step
        self.left = ""  # those that no longer fit
        self.unused: list[str] = []  # what has been typed and is not used after all, in words
        self.beside = ""  # a table that is rolled at the player's request, with the fact that it is for
        self.ahead_for = ("", 0)  # the only decision that they may answer, if any, and the steps taken so far

    def clear(self) -> None:
        """Forget all of it."""
        self.answers, self.plan, self.ahead, self.beside = [], {}, [], ""
        self.tray.clear()

    def keep(self, question: Question, answer: Answer, prompt: Prompt, mission: Mission) -> None:
        """Keep an answer, and the answers to other questions that were typed with it, in a plan or in a line.

        A row typed for all also goes on the tray for the others who wait for the same table with the same modifiers.
        """
        self.answers.append(Answered(question.key, question.subject, answer))
        self.plan.update(prompt.rest)
        if prompt.further:
            self.ahead, self.ahead_for = list(prompt.further), (prompt.only, steps_taken(mission))
        if prompt.for_all and isinstance(question, DiceQuestion | RowQuestion):
            waiting = [item for item in mission.pending if item.is_for("roll", question.name)]
            asked = [each for each in map(mission.dice_question, waiting) if each and each.key != question.key]
            modifiers = [(each.modifier.id, each.add) for each in question.applied]
            alike = [each for each in asked if [(one.modifier.id, one.add) for one in each.applied] == modifiers]
            for each in self.tray.unserved(alike):
                self.tray.lying.append(KeptDice.of(each, [], foreseen=False, row=prompt.for_all))

    # -- moves ---------------------------------------------------------------------------------------------------------

    def move(
        self, mission: Mission, table: str | None = None, answers: Answers | None = None, *, single: bool = True
    ) -> list[Result] | Question:
        """Make the next move from the answers, or roll on a table with those given for it.

        Args:
            answers: Dice, facts and the row for this roll; without them the next step is taken if nothing is pending.
            single: Resolve only one roll, even if there are dice for its follow-ups.

        Returns:
            The results (empty when the mission is over), or the first unanswered question; in that case nothing has
            been done and the answers are kept.
        """
        if self.beside:
            table, *facts = self.beside.split()
            answers = Answers(given=phrases.given(mission.game, facts))
        pending = {item.key for item in mission.pending}  # a gun without a choice was never asked
        self.plan = {key: answer for key, answer in self.plan.items() if key in pending}
        if answers is None and mission.waiting() is None:
            results = mission.advance()
            self.answers = []
            return results
        given, self.answers = self.answers, []

        def answer(question: Question) -> Answer | None:
            found = self._answer(question, given, mission)
            if found is not None:
                self.answers.append(Answered(question.key, question.subject, found))
            return found

        try:
            talk = mission.talk(table, (answers or Answers()).hand(), answers, asking=True, single=single)
            results = settle(talk, answer)
        except MissingAnswer as missing:
            return missing.question
        finally:
            self.answers += given
        self.answers, self.beside = [], ""
        return results

    def _answer(self, question: Question, given: list[Answered], mission: Mission) -> Answer | None:
        """Take the answer given before the move was restarted, or early; None if the player has to be asked."""
        self.left = ""
        for at, each in enumerate(given):
            if each.key == question.key:
                del given[: at + 1]
                return each.answer
        if isinstance(question, DiceQuestion):
            return self.tray.take(question)
        if isinstance(question, FactQuestion):
            return None
        item, early = mission.waiting(), None
        if isinstance(question, RowQuestion):
            early, self.tray.row = self.tray.row, None
        elif item is not None and item.name == question.name:
            early = self.plan.pop(item.key, None)
        return early if early is not None or not self.ahead else self._typed_ahead(question, mission)

    def _typed_ahead(self, question: Question, mission: Mission) -> Answer | None:
        """Return the answer among the words typed ahead, if they are for this question; those that no longer fit are
        `left`.
        """
        only, steps = self.ahead_for
        here = steps == steps_taken(mission)
        if here and only and question.name != only:
            return None
        words, self.ahead = self.ahead, []
        if here:
            prompt = prompt_of(question, rehearsal(mission, noting=True), self.tray, {})
            named, self.ahead = prompt.leading(words)
            if not named and len(further := without_settled(words, mission)) < len(words):
                words, (named, self.ahead) = further, prompt.leading(further) if further else ("", [])
            with suppress(UserError):
                if named:
                    answer = prompt.read(named)
                    self.plan.update(prompt.rest)
                    return answer
        unused = [each for each in words if each != "-"]
        self.left, self.ahead = "" if unused == ["0"] else " ".join(unused), []  # a 0 that only ends the line is done
        return None

    def moves(
        self, mission: Mission, over: Callable[[Mission], bool] | None = None
    ) -> tuple[list[list[Result]], Question | UserError | None]:
        """Make all moves whose answers are known, until the flight is `over`.

        What one line answers is recorded together, to be undone together. A line without dice is refused whole if a
        part of it does not fit or is left over.

        Returns:
            The results of each move, empty for the last one when the mission or the flight is over; else the question
            that comes next, or the reason why an answer does not fit.
        """
        moved, start, given = list[list[Result]](), mission.journal.position, list(self.answers)
        line, several = start, bool(self.ahead)  # where the first move ends; whether the line goes on after it
        stop: Question | UserError | None = None
        while stop is None and (not moved or moved[-1]):
            try:
                at_end = not self.answers and over is not None and over(mission)
                made: list[Result] | Question | UserError = [] if at_end else self.move(mission)
            except UserError as problem:
                made = problem
            if isinstance(made, list):
                moved.append(made)
                line = mission.journal.position if len(moved) == 1 else line
            else:
                stop = made
        join(mission.journal.entries[max(line - 1, 0) : mission.journal.position] if moved else ())
        left = isinstance(stop, Question) and self.left
        refused = UserError(f"'{left}' doesn't fit at the end of that line.") if left else stop
        dice = any("d" in entry for entry in mission.journal.recorded[start:])
        if several and not dice and isinstance(refused, UserError):
            mission.go_to_entry(start)
            del mission.journal.entries[start:]
            self.answers, self.ahead = given, []
            return [], refused
        self.unused = [f"Not used: {left}. Type it again if it still counts."] if left else []
        if isinstance(stop, DiceQuestion | ChoiceQuestion):
            likely = likely_after(mission, stop) if self.tray and isinstance(stop, DiceQuestion) else ()
            if stale := self.tray.settle(where(mission), mission.pending, likely):
                self.unused.append(f"Discarded: {stale} (no longer needed).")
        return moved, stop


def answer_line(mission: Mission, text: str) -> list[Result]:
    """Answer the pending question, and those that the line also answers."""
    draft = Draft()
    moved, stop = draft.moves(mission, over=lambda each: each.waiting() is None)
    if isinstance(stop, Question):
        prompt = prompt_of(stop, mission, draft.tray, {})
        draft.keep(stop, prompt.read(text), prompt, mission)
        further, stop = draft.moves(mission, over=lambda each: each.waiting() is None)
        moved += further
    if isinstance(stop, UserError):
        raise stop
    return [result for results in moved for result in results]


def without_settled(words: list[str], mission: Mission) -> list[str]:
    """Return words without a first one that names what was settled by itself just now, having no alternative."""
    recorded = mission.journal.recorded
    if not recorded or recorded[-1]["v"] != "choose" or "a" not in recorded[-1]:
        return words
    earlier = rewound(mission, len(recorded) - 1)
    item = next(item for item in earlier.pending if item.is_for("choose", recorded[-1]["t"]))
    prompt = choice_prompt(ChoiceQuestion(item.name, "", earlier.options(item), item.bind), earlier)
    named, further = prompt.leading(words)
    return further if meant(prompt.options, named) else words


def steps_taken(mission: Mission) -> int:
    """Return the number of steps in the journal, and of changes of the side that decides (`[at-table] whose`)."""
    whose = mission.game.about.at_table.whose
    return sum(entry["v"] == "step" or whose in entry.get("c", ()) for entry in mission.journal.recorded)
