"""A mission on paper: typed dice and answers, one a line, each saying what it belongs to.

`5-7 tail: 4,5` gives dice, `8-1: 3,4 = safe` dice and what the book's row says, `aim fwd-upper: 1-cfc` a decision,
`target.zone: 12` an answer. A line that does not belong to what is asked stops the replay and says so.

What a player does beside the questions stands in lines of its own: `set weather=poor`, `mark fuel.wing 2`, `erase …`,
`done 1`, `roll 5-9: 4,4` for a table that nobody asks for (`with fighter.clock=6` before it), `go on` to the next
step, `end` to stop there. A fact has a line to itself and its value is all that stands behind `=`, words and blanks
included; `and zone=3` belongs to the `set` before it. Where every word is FACT=VALUE they are several facts, and
behind ` = ` between blanks nothing is anything but the value. `# …` at the start of a line or behind it is a comment.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from companion.engine import dice as throws
from companion.engine.needs import Hand, Item, NeedAnswer, NeedChoice, NeedDice, NeedOutcome, Result
from companion.engine.sheet import NeedFact, Sheet, Value
from companion.play.conversation import take
from companion.play.journal import Journal, settled
from companion.play.mission import Mission
from companion.problems import Problem, Trouble
from companion.words import figure

if TYPE_CHECKING:
    from companion.play.journal import Entry

BY_HAND = ("set", "with", "mark", "erase", "done", "roll", "roll:", "go", "end")
REMARK = re.compile(r"\s#(\s.*)?$")  # behind words that may hold a `#` of their own
ANY_REMARK = re.compile(r"\s#.*$")


class OutOfLines(Problem):
    """The script has ended before the mission."""


class Line(Problem):
    """What is wrong with a line, which it names."""


class Script:
    """The lines of a script, handed out in order; `number` is the line that was handed out last."""

    def __init__(self, text: str, name: str = "the script") -> None:
        self.name = name
        split = [(number, line.strip()) for number, line in enumerate(text.split("\n"), 1)]
        self.lines = [(number, line) for number, line in split if line and not line.startswith("#")]
        self.at = self.number = 0
        self.row = ""

    def rolls(self) -> None:
        """The dice are in the script."""

    def wrong(self, problem: Problem) -> Problem:
        """A problem with the line that was handed out last, named; a broken pack or disk is no line's fault."""
        if isinstance(problem, Line | Trouble) or not self.number:
            return problem
        return Line(f"{self.name}, line {self.number}: {problem}; nothing was recorded")

    def beyond(self) -> Problem:
        """What is wrong when lines are left and the mission asks for nothing more."""
        self.number, line = self.peek()
        return self.wrong(Problem(f"it says {line[:40]!r}, but the mission is over"))

    def peek(self) -> tuple[int, str]:
        """The next line and its number."""
        if self.at >= len(self.lines):
            raise OutOfLines(f"{self.name} ends here")
        return self.lines[self.at]

    # -- what nobody asks for --------------------------------------------------------------------------------------

    def writes(self, mission: Mission) -> list[Result]:
        """Carry out the lines that come next and answer no question; gives what they rolled."""
        results: list[Result] = []
        while self.at < len(self.lines):
            number, line = self.lines[self.at]
            verb, _, rest = line.partition(" ")
            if verb not in BY_HAND or (verb == "end" and results):
                break
            self.number = number
            try:
                results += self._does(mission, verb, rest)
            except OutOfLines:
                raise
            except Problem as problem:
                raise self.wrong(problem) from None
        return results

    def _does(self, mission: Mission, verb: str, rest: str) -> list[Result]:
        self.at += 1
        sheet = mission.game.sheet
        if verb == "set":
            mission.write({**facts(rest, sheet), **self._more("and", sheet)})
        elif verb == "with":
            given = {**facts(rest, sheet), **self._more("with", sheet)}
            verb, _, rest = self.lines[self.at][1].partition(" ") if self.at < len(self.lines) else ("", "", "")
            if verb not in ("roll", "roll:"):
                raise Problem("a roll by hand follows the facts given with it, such as: roll 5-9: 4,4")
            self.number, self.at = self.lines[self.at][0], self.at + 1
            return self._rolls(mission, verb, rest, given)
        elif verb in ("roll", "roll:"):
            return self._rolls(mission, verb, rest, {})
        elif verb == "go":
            item = mission.waiting()
            return mission.advance() if item is None else take(mission, item, self)
        elif verb == "end":
            self.at -= 1
            raise OutOfLines(f"{self.name} ends here")
        else:
            self._strikes(mission, verb, ANY_REMARK.sub("", rest).split())
        return []

    def _more(self, word: str, sheet: Sheet) -> dict[str, Value]:
        """The facts of the lines that belong to the one before."""
        found: dict[str, Value] = {}
        while self.at < len(self.lines) and self.lines[self.at][1].startswith(f"{word} "):
            self.number, line = self.lines[self.at]
            found.update(facts(line[len(word) :], sheet))
            self.at += 1
        return found

    def _strikes(self, mission: Mission, verb: str, words: list[str]) -> None:
        *field, number = words if words and figure(words[-1]) is not None else [*words, "1"]
        count = figure(number) or 0
        if len(field) != (verb != "done"):
            raise Problem("type it as: done 1" if verb == "done" else f"type it as: {verb} fuel.wing 2")
        if verb == "done":
            mission.done(count)
        else:
            mission.cross(field[0], count, verb)

    def _rolls(self, mission: Mission, verb: str, rest: str, given: Mapping[str, Value]) -> list[Result]:
        """A roll by hand: `roll 5-9: …`, or `roll: …` for what is pending first."""
        name, _, answer = rest.partition(":") if verb == "roll" else ("", "", rest)
        typed, equals, row = f" {answer} ".partition(" = ")
        row = ANY_REMARK.sub("", row).strip() if name else row.strip()
        dice = throws.typed(ANY_REMARK.sub("", typed))
        hand, outcome = Hand([dice] if dice else []), row if equals else None
        return mission.roll(name.strip() or None, hand, given, outcome=outcome, single=True)

    # -- what is asked for -----------------------------------------------------------------------------------------

    def next(self, asked: str, bind: Mapping[str, Value]) -> str:
        """The answer of the next line, which must belong to what is asked."""
        number, line = self.peek()
        label, colon, answer = f"{line} ".partition(": ")
        name, *words = label.split() or [""]
        known = {str(value).casefold() for value in bind.values()}
        if not colon or name.casefold() != asked.casefold() or not {word.casefold() for word in words} <= known:
            meant = " ".join(
                [asked, *(str(bind[key]) for key in ("fighter", "gun", "position", "area") if key in bind)]
            )
            self.number = number
            raise self.wrong(Problem(f"it says {label.strip()!r}, but {meant} is asked"))
        self.at, self.number = self.at + 1, number
        return answer.strip()

    def dice(self, need: NeedDice) -> list[int]:
        """Dice, and behind `=` the row of an owner table."""
        answer, equals, row = self.next(need.table.id, need.bind).partition("=")
        self.row = row.strip() if equals else ""
        try:
            typed = throws.typed(ANY_REMARK.sub("", f" {answer}"))
            need.dice.check(typed)
        except Problem as problem:
            raise self.wrong(problem) from None
        return typed

    def outcome(self, need: NeedOutcome) -> str:
        """The printed row, from the same line as the dice or a line of its own."""
        row, self.row = self.row, ""
        return ANY_REMARK.sub("", f" {row or self.next(need.table.id, need.bind).lstrip('= ')}").strip()

    def choice(self, need: NeedChoice) -> str:
        """A decision."""
        answer = ANY_REMARK.sub("", f" {self.next(need.name, need.bind)}").strip()
        if answer.casefold() not in (option.name.casefold() for option in need.options):
            options = ", ".join(option.name for option in need.options)
            raise self.wrong(Problem(f"{answer} is not possible here; possible are {options}"))
        return answer

    def field(self, need: NeedAnswer) -> str:
        """An answer about one field; behind ` = ` it is taken as it stands."""
        answer = self.next(need.name, {})
        return answer[2:] if answer.startswith("= ") else REMARK.sub("", f" {answer}").strip()

    def fact(self, need: NeedFact) -> Value:
        """A fact that a table needs."""
        return need.declared.accept(need.name, REMARK.sub("", f" {self.next(need.name, {})}").strip())


def facts(text: str, sheet: Sheet) -> dict[str, Value]:
    """One fact with all the words of its value, or several where every word is FACT=VALUE."""
    if not re.match(r"\s*\S+ = ", f"{text} "):
        text = REMARK.sub("", text)
        if all("=" in word for word in text.split()):
            return sheet.given(text.split() or [""])
    return sheet.given([text.strip()])


# -- writing one ---------------------------------------------------------------------------------------------------


def lines(mission: Mission) -> list[str]:
    """The script that replays a mission's journal on the sheet it began with.

    Each line is tried out as it is written; a remark stands before one that does not come to what was recorded (a
    table has changed since).
    """
    entries = mission.journal.entries[: mission.journal.stand]
    twin, found, quiet = _stood(mission, 0), list[str](), 0
    while (at := twin.journal.stand) < len(entries):
        alone, said = settled(entries[at]), list[str]()
        try:
            said = ["go on"] if alone else _said(entries[at], twin)
            script = Script("\n".join(said))
            script.writes(twin)
            item = twin.waiting()
            if script.at < len(script.lines) and item is not None:
                take(twin, item, script)
            same = script.at == len(script.lines) and _same(twin.journal.entries[at:], entries[at:])
        except Problem:
            same = False
        if not same:
            found.append(f"# entry {at + 1} comes to something else when it is replayed")
            twin = _stood(mission, at + 1)
        if alone:
            quiet += 1
            continue
        if said and said[0].partition(" ")[0] in BY_HAND:
            found += ["go on"] * quiet
        found += said
        quiet = 0
    return [*found, *["go on"] * quiet, "end"] if _goes_on(twin) else found


def _stood(mission: Mission, at: int) -> Mission:
    """The mission as it was when so many entries stood."""
    state, pending, stand = dict(mission.state), list(mission.pending), mission.journal.stand
    if at < stand:
        Journal(mission.journal.entries, stand).undo(stand - at, state, pending)
    twin = Mission(mission.game, state, pending, Journal(mission.journal.entries[:at]), mission.number)
    twin.noting = False
    return twin


def _same(made: list[Entry], meant: list[Entry]) -> bool:
    """Whether entries are those meant. The number of a formula is noted with its dice, whenever they were thrown."""
    for at, (one, other) in enumerate(zip(made, meant, strict=False)):
        formula = at + 1 < len(meant) and str(meant[at + 1]["t"]).startswith(f"{one['t']}.")
        if one != other and not (formula and {**one, "o": ""} == {**other, "o": ""}):
            return False
    return 0 < len(made) <= len(meant)


def _goes_on(twin: Mission) -> bool:
    """Whether a replay would do more by itself when the lines are used up, or stumble over what waits."""
    item = twin.waiting()
    try:
        return bool(twin.advance() if item is None else take(twin, item, Script("")))
    except OutOfLines:
        return False
    except Problem:
        return True


def _said(made: Entry, twin: Mission) -> list[str]:
    """One entry as lines; `twin` is the mission just before it."""
    verb, changed = made["v"], made.get("c", {})
    if verb == "set":
        written = made.get("w") or {name: after for name, (_, after) in changed.items() if after is not None}
        return [f"{'and' if at else 'set'} {_fact(*pair)}" for at, pair in enumerate(written.items())]
    if verb in ("mark", "erase"):
        name, (before, after) = next(iter(changed.items()))
        before = twin.game.sheet.fields[name].blank if before is None else before
        return [f"{verb} {name} {abs(after - before)}"]
    if verb == "done":
        orders = [item for item in twin.pending[: made["p"][0]] if "order" in item]
        return [f"done {len(orders) + 1}"]
    given = [f"with {_fact(*pair)}" for pair in made.get("w", {}).items()]
    item = twin.waiting() or {}
    if verb != "roll":
        answer = str(made["o"])
        if given or ("choose" in item and len(twin.options(item)) == 1):
            return [*given, f"roll: = {answer}"]
        raw = "= " if verb == "ask" and (REMARK.search(f" {answer}") or answer.startswith("=")) else ""
        return [f"{_label(made)}: {raw}{answer}"]
    return [*given, _roll(made, item, twin)]


def _roll(made: Entry, item: Item, twin: Mission) -> str:
    table, dice = twin.game.table(made["t"]), ",".join(map(str, made.get("d", [])))
    said = made.get("s")
    row = f" = {said if isinstance(said, str) else made['o']}" if said or table.unwritten else ""
    asked = item.get("roll", "").casefold() == str(made["t"]).casefold() and "w" not in made
    untold = table.dice.count != 0 and "net" not in made  # the row was said and no dice
    bare = not dice and (not row or untold)
    return f"{_label(made) if asked and not bare else 'roll ' + str(made['t'])}: {dice}{row}".rstrip()


def _label(made: Entry) -> str:
    words = [str(made["b"][key]) for key in ("fighter", "gun", "position", "area") if key in made.get("b", {})]
    return " ".join([made["t"], *words])


def _fact(name: str, value: Value) -> str:
    """A fact as a line takes it: a value with blanks stands apart, and nothing in it is a remark."""
    return f"{name} = {value}" if re.search(r"\s", str(value)) else f"{name}={value}"
