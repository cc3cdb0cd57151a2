"""A mission as a script: typed dice and answers, one per line, each naming its question.

`5-7 tail: 4,5` gives dice, `5-7 tail: auto` has them rolled, `8-1: 3,4 = safe` or `8-1: safe` is the row from the
rulebook, `aim fwd-upper: 1-cfc` a decision, `target.zone: 12` an answer. A line that does not match the question is an
error.

Everything else has separate lines: `set weather=poor`, `mark fuel.wing 2`, `erase …`, `done 1`, `roll 5-9: 4,4` for a
table that is not pending (`with fighter.clock=6` before it), `choose crew-move: nose` for a decision that is not
pending, `go on` to the next step, `end` to stop there. A fact has its own line, and its value is everything after `=`,
including spaces. If every word is FIELD=VALUE they are several facts, and everything after ` = ` is the value. `# …` at
the start or end of a line is a comment.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from companion.engine.facts import FactQuestion
from companion.engine.fields import Value
from companion.engine.questions import ChoiceQuestion, DiceQuestion, Pending, RowQuestion
from companion.engine.resolution import Result
from companion.play.conversation import Player, resolve
from companion.play.dice_tray import dice_and_row, said
from companion.play.mission import Answers, Mission, rehearsal
from companion.play.phrases import boxes_said, written
from companion.problems import Question, SystemFault, UserError
from companion.words import figure, one_of

if TYPE_CHECKING:
    from companion.packs import Pack

BY_HAND = ("set", "with", "mark", "erase", "done", "skip", "roll", "roll:", "choose", "go", "end")
SUBJECT = ("fighter", "gun", "position", "area")  # what follows the name of a question: `5-7 tail`
REMARK = re.compile(r"\s#(\s.*)?$")  # after words that may contain `#`
ANY_REMARK = re.compile(r"\s#.*$")


class ScriptEnded(UserError):
    """Raised when the script ends before the mission."""


class LineError(UserError):
    """A mistake in a numbered line of a script."""


class Script(Player):
    """The lines of a script, read in order; `number` is the last line read."""

    def __init__(self, text: str, name: str = "the script") -> None:
        self.name = name
        split = [(number, line.strip()) for number, line in enumerate(text.split("\n"), 1)]
        self.lines = [(number, line) for number, line in split if line and not line.startswith("#")]
        self.at = self.number = 0
        self._row = ""  # from the rulebook, given on the same line as the dice
        self.mission: Mission  # set by `acts`, before the first question
        self.unasked: list[str] = []  # default answers to decisions that were not asked, each with its line

    def wrong(self, problem: UserError) -> UserError:
        """Return a problem with the number of the last line read, unless the pack or the disk is at fault."""
        if isinstance(problem, LineError | SystemFault) or not self.number:
            return problem
        return LineError(f"Nothing was saved. {self.name}, line {self.number}: {problem}")

    def beyond(self) -> UserError:
        self.number, line = self.peek()
        return self.wrong(UserError(f"{line[:40]!r} comes after the end of the mission"))

    def peek(self) -> tuple[int, str]:
        """Return the next line with its number. Raise ScriptEnded if there is none."""
        if self.at >= len(self.lines):
            raise ScriptEnded(f"{self.name} ends here")
        return self.lines[self.at]

    # -- lines that answer no question ---------------------------------------------------------------------------------

    def acts(self, mission: Mission) -> list[Result]:
        """Carry out the next lines that answer no question; return the results of their rolls."""
        results: list[Result] = []
        self.mission = mission
        while self.at < len(self.lines):
            number, line = self.lines[self.at]
            verb, _, rest = line.partition(" ")
            if verb not in BY_HAND or (verb == "end" and results):
                break
            if verb == "end":
                raise ScriptEnded(f"{self.name} ends here")
            self.number, self.at = number, self.at + 1
            try:
                results += self._act(mission, verb, rest)
            except UserError as problem:
                raise self.wrong(problem) from None
        return results

    def _act(self, mission: Mission, verb: str, rest: str) -> list[Result]:
        if verb == "set":
            mission.write(facts(rest, mission.game))
            return []
        given: dict[str, Value] = {}
        if verb == "with":
            given = facts(rest, mission.game)
            verb, _, rest = self.lines[self.at][1].partition(" ") if self.at < len(self.lines) else ("", "", "")
            if verb not in ("roll", "roll:"):
                raise UserError("after with comes a roll, e.g. roll 5-9: 4,4")
            self.number, self.at = self.lines[self.at][0], self.at + 1
        if verb in ("roll", "roll:"):
            name, _, answer = rest.partition(":") if verb == "roll" else ("", "", rest)  # or the first pending thing
            typed, equals, row = f" {answer} ".partition(" = ")
            row = uncommented(row) if name else row.strip()
            dice = said(uncommented(typed))
            answers = Answers([dice] if dice else [], given, row if equals else None)
            return resolve(mission, name.strip() or None, Player(), answers, single=True)
        if verb == "go":
            return mission.advance() if mission.waiting() is None else resolve(mission, None, self, single=True)
        words = uncommented(rest).split()
        if verb == "choose":  # a decision that is not pending: `choose shift position=cfc: left-gunner`
            head, _, answer = uncommented(rest).partition(": ")
            name, *pairs = head.split() or [""]
            if "gone" in mission.game.choice(name):
                raise UserError(f"{mission.game.name}: there is no choice {name}")
            return mission.decide(Pending("choose", name, mission.game.sheet.given(pairs)), answer.strip())
        if verb in ("done", "skip"):
            place = figure(words[0] if words else "1")
            if len(words) > 1 or place is None:
                raise UserError(f"Type it as: {verb} 1")
            mission.done(place) if verb == "done" else mission.skip(place)
        elif words:
            mission.cross(*boxes_said(mission, words), verb)
        else:
            raise UserError(f"Type it as: {verb} fuel.wing 2")
        return []

    # -- answers to questions ------------------------------------------------------------------------------------------

    def next(self, question: Question | Pending) -> str:
        """Return the answer of the next line, which must match the question."""
        (number, line), bind = self.peek(), question.bind
        label, colon, answer = f"{line} ".partition(": ")
        name, *words = label.split() or [""]
        known = {str(value).casefold() for value in bind.values()}
        self.number = number
        if not colon or name.casefold() != question.name.casefold() or not {word.casefold() for word in words} <= known:
            option, options = uncommented(answer), self._options(label) if colon else []
            if option in options[:1]:
                self.at += 1
                self.unasked.append(f"{self.name}, line {number}: {label} isn't asked here. The default is {option}")
                return self.next(question)
            how = f". To decide it anyway write: choose {label}: {option}" if option in options else ""
            asked = " ".join([question.name, *(str(bind[key]) for key in SUBJECT if key in bind)])
            raise self.wrong(UserError(f"{label.strip()!r} doesn't match: the question is {asked}{how}"))
        self.at += 1
        return answer.strip()

    def _options(self, choice: str) -> list[str]:
        """Return the options of a decision without a subject, the default first; empty for other questions."""
        try:
            return [each.name for each in rehearsal(self.mission).options(Pending("choose", choice))]
        except (UserError, ValueError):
            return []

    def dice(self, question: DiceQuestion) -> list[int]:
        """Return the dice of the next line; the row of an owner table may follow after `=`."""
        answer = uncommented(self.next(question))
        table, count, self._row = question.table, question.dice.count, ""
        try:
            if table.unwritten:
                typed, self._row = dice_and_row(answer, table, count)
            else:
                typed = said(answer, question.dice)
            if typed or not table.unwritten:
                question.dice.check(typed)
        except UserError as problem:
            raise self.wrong(problem) from None
        return typed

    def row(self, question: RowQuestion) -> str:
        """Return the printed row, from the same line as the dice or from its own line."""
        row, self._row = self._row, ""
        row = row or re.sub("^= *", "", self.next(question))
        return uncommented(row)

    def choice(self, question: ChoiceQuestion) -> str:
        answer = uncommented(self.next(question))
        options = [option.name for option in question.options]
        answer = self.mission.game.sheet.nicknames.member(answer, options)
        if answer.casefold() not in map(str.casefold, options):
            raise self.wrong(UserError(f"{answer} isn't possible here. Use {one_of(options)}"))
        return answer

    def other(self, question: Question) -> str:
        """Return the value of the next line; after ` = ` it is taken literally."""
        answer = self.next(question)
        return answer[2:] if answer.startswith("= ") else uncommented(answer, REMARK)

    def fact(self, question: FactQuestion) -> Value:
        return question.declared.accept(question.name, uncommented(self.next(question), REMARK))


def uncommented(text: str, remark: re.Pattern[str] = ANY_REMARK) -> str:
    """Return a text without a comment at its end."""
    return remark.sub("", f" {text}").strip()


def facts(text: str, game: Pack) -> dict[str, Value]:
    """Parse one field with all words of its value, several fields if each word is FIELD=VALUE, or a phrase."""
    if not re.match(r"\s*\S+ = ", f"{text} "):
        text = REMARK.sub("", text).strip()
        pairs = text.split() if all("=" in word for word in text.split()) else [text]
    else:
        pairs = [text.strip()]
    if all(game.sheet.exact(pair.partition("=")[0]) is not None and "=" in pair for pair in pairs):
        return game.sheet.given(pairs)
    return written(game, pairs)
