"""A mission on paper: typed dice and answers, one a line, each saying what it belongs to.

`5-7 tail: 4,5` gives dice, `8-1: 3,4 = safe` dice and what the book's row says, `aim fwd-upper: 1-cfc` a decision,
`target.zone: 12` an answer, `set weather=poor` writes on the sheet, and `# …` is a comment. A line that does not
belong to what is asked stops the replay and says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from companion.engine import dice as throws
from companion.engine.needs import NeedAnswer, NeedChoice, NeedDice, NeedOutcome
from companion.journal import settled
from companion.problems import Problem
from companion.sheet import NeedFact, Value

if TYPE_CHECKING:
    from companion.journal import Entry
    from companion.mission import Mission
    from companion.packs import Pack


class OutOfLines(Problem):
    """The script has ended before the mission."""


class Script:
    """The lines of a script, handed out in order."""

    def __init__(self, text: str, name: str = "the script") -> None:
        self.name = name
        self.lines: list[tuple[int, str]] = []
        for number, line in enumerate(text.splitlines(), 1):
            plain = line.partition("#")[0].strip()
            if plain:
                self.lines.append((number, plain))
        self.at = 0
        self.row = ""

    def rolls(self) -> None:
        """The dice are in the script."""

    def peek(self) -> tuple[int, str]:
        """The next line and its number."""
        if self.at >= len(self.lines):
            raise OutOfLines(f"{self.name} ends here")
        return self.lines[self.at]

    def writes(self, mission: Mission) -> None:
        """Carry out `set` lines that come next."""
        while self.at < len(self.lines) and self.lines[self.at][1].startswith("set "):
            _, line = self.lines[self.at]
            mission.write(mission.game.sheet.given(line[4:].split()))
            self.at += 1

    def next(self, asked: str, bind: Mapping[str, Value]) -> str:
        """The answer of the next line, which must belong to what is asked."""
        number, line = self.peek()
        label, colon, answer = line.partition(": ")
        name, *words = label.split() or [""]
        known = {str(value).casefold() for value in bind.values()}
        if not colon or name.casefold() != asked.casefold() or not {word.casefold() for word in words} <= known:
            meant = " ".join(
                [asked, *(str(bind[key]) for key in ("fighter", "gun", "position", "area") if key in bind)]
            )
            raise Problem(f"{self.name}, line {number}: it says {label!r}, but {meant} is asked")
        self.at += 1
        return answer.strip()

    def dice(self, need: NeedDice) -> list[int]:
        """Dice, and behind `=` the row of an owner table."""
        number, _ = self.peek()
        answer, equals, row = self.next(need.table.id, need.bind).partition("=")
        self.row = row.strip() if equals else ""
        try:
            typed = throws.typed(answer)
            need.dice.check(typed)
        except Problem as problem:
            raise Problem(f"{self.name}, line {number}: {problem}") from None
        return typed

    def outcome(self, need: NeedOutcome) -> str:
        """The printed row, from the same line as the dice or a line of its own."""
        if self.row:
            row, self.row = self.row, ""
            return row
        return self.next(need.table.id, need.bind).lstrip("= ")

    def choice(self, need: NeedChoice) -> str:
        """A decision."""
        number, _ = self.peek()
        answer = self.next(need.name, need.bind)
        if answer.casefold() not in (option.name.casefold() for option in need.options):
            options = ", ".join(option.name for option in need.options)
            raise Problem(f"{self.name}, line {number}: {answer} is not possible here; possible are {options}")
        return answer

    def field(self, need: NeedAnswer) -> str:
        """An answer about one field."""
        return self.next(need.name, {})

    def fact(self, need: NeedFact) -> Value:
        """A fact that a table needs."""
        return need.declared.accept(need.name, self.next(need.name, {}))


def lines(entries: list[Entry], pack: Pack) -> list[str]:
    """The script that replays these entries."""
    found = []
    for made in entries:
        if made["v"] in ("set", "mark", "erase"):
            found += [f"set {name}={after}" for name, (_, after) in made.get("c", {}).items() if after is not None]
        elif settled(made) or made["v"] not in ("roll", "choose", "ask"):
            continue
        elif made["v"] == "roll" and "d" not in made and "s" not in made:
            continue  # a table without dice that somebody looked at
        else:
            words = [str(made["b"][key]) for key in ("fighter", "gun", "position", "area") if key in made.get("b", {})]
            label = " ".join([made["t"], *words])
            dice = ",".join(map(str, made.get("d", [])))
            owner = made["v"] == "roll" and ("s" in made or pack.table(made["t"]).unwritten or not dice)
            answer = f"{dice} = {made['o']}".strip() if owner else dice if made["v"] == "roll" else str(made["o"])
            found.append(f"{label}: {answer}")
    return found
