"""The screens of a flight: every question with the output before it, answered automatically."""

import contextlib
import io
import itertools
import os
import random
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from unittest import mock

from companion.cli.flyer import Flyer, Narrator
from companion.cli.status import status_lines
from companion.engine.questions import ChoiceQuestion, DiceQuestion, Pending
from companion.packs import Pack
from companion.play.conversation import Chance
from companion.play.mission import Mission
from companion.play.plan import Place, decisions, joint, key_of, likely_after, planned, together
from companion.play.script import Script
from companion.render.dice_prompt import row_of
from companion.render.options import Prompt
from companion.render.plan_prompt import PlanPrompt
from companion.render.prompt import LinePrompt, dice_prompt, field_prompt
from companion.store.session import Session
from tests.support import Window, begun, walk
from tests.watch import VaryingChance, book

WIDE = 80


class Screen:
    """A question with the output before it and the time it took."""

    def __init__(self, printed: str, question: str, seconds: float) -> None:
        self.lines, self.question, self.seconds = printed.splitlines(), question, seconds


PLACES = itertools.count(1)  # no two squares have the same name


class Typist(Flyer):
    """A player who types the answers of an automatic player."""

    def __init__(self, mission: Mission, session: Session, seed: int) -> None:
        self.window = Window()
        super().__init__(session, Narrator())
        self.out = self.teller
        self.rng = random.Random(seed)
        self.chance = (VaryingChance if seed % 2 else Chance)(self.rng)
        self.screens, self.line = list[Screen](), ""
        self.since_answer = time.process_time()

    def ask(self, text: str) -> str:
        self.screens.append(Screen(self.window.getvalue(), text, time.process_time() - self.since_answer))
        assert len(self.screens) < 5 or len({(each.question, *each.lines) for each in self.screens[-5:]}) > 1, text
        self.window.seek(0)
        self.window.truncate()
        line, self.line = self.line, ""
        self.since_answer = time.process_time()
        return line

    def prompt_for(self, question: Any) -> Prompt:
        prompt = super().prompt_for(question)
        getattr(self, question.kind)(question)
        return prompt

    def dice(self, question: Any) -> None:
        if question.table.unwritten and not self.tray.part_of(question):  # its result, and those of the rolls with it
            rolls = [question, *self.tray.unserved(together(self.mission, question)[1:])]
            self.line = ", ".join(self.chance.row(each) for each in rolls)
            return
        rolls = self.tray.unserved(together(self.mission, question))
        rolls = [each for each in rolls if each.dice.count is not None]
        self.line = " ".join("".join(map(str, self.chance.dice(each))) for each in rolls or [question])

    def choice(self, question: ChoiceQuestion) -> None:
        if len(decisions(self.mission)) < 2:
            wanted = self.chance.choice(question)
            self.line = next(each.number or each.name for each in question.options if each.name == wanted)

    def fact(self, question: Any) -> None:
        self.line = str(self.chance.fact(question))

    def row(self, question: Any) -> None:
        self.line = self.chance.row(question)

    def field(self, question: Any) -> None:
        self.line = str(question.usual)
        if question.usual == "":
            self.line = str(question.declared.low) if question.declared.numeric else f"Place {next(PLACES)}"


class Quick(Typist):
    """A player who types as much as fits on a line: all named dice, plan and dice, dice and row."""

    def dice(self, question: Any) -> None:
        part = len(self.tray.part_of(question))
        prompt = dice_prompt(question, self.mission, self.tray, likely_after(self.mission, question) or ())
        if question.table.unwritten:
            said = [f"{self._dice_line([each])} {self.chance.row(row_of(each, self.mission))}" for each in prompt.rolls]
            self.line = "; ".join(said) if len(said) > 1 else said[0]
        else:
            self.line = self._dice_line([*prompt.rolls, *prompt.likely])[part:]

    def choice(self, question: ChoiceQuestion) -> None:
        items = decisions(self.mission)
        if items and joint(self.mission, items):
            self.line = self._dice_line([roll for rolls in PlanPrompt(self.mission, items, {}).rolls for roll in rolls])
        super().choice(question)

    def field(self, question: Any) -> None:
        if not isinstance(field_prompt(question, self.mission), LinePrompt):
            super().field(question)

    def _dice_line(self, rolls: Sequence[DiceQuestion]) -> str:
        return " ".join("".join(map(str, self.chance.dice(each))) for each in rolls)


class Recorded(Quick):
    """A player who types the answers of a recorded mission, as many as fit on a line."""

    def __init__(self, mission: Mission, session: Session, script: str) -> None:
        super().__init__(mission, session, 0)
        self.chance = self.script = Script(script)
        self.script.mission, self.then = mission, ""  # the line after this one

    def ask(self, text: str) -> str:
        if text.startswith("Enter accepts"):
            return ""
        line = super().ask(text)
        self.line, self.then = self.then, ""
        return line

    def choice(self, question: ChoiceQuestion) -> None:
        items = decisions(self.mission)
        if not (items and joint(self.mission, items)):
            super().choice(question)
            return
        wishes = {key_of(item): self._option(item) for item in items if self._is_next(item.name, item.bind)}
        changes, typed = dict[str, str](), list[str]()
        while other := next((each for each in planned(self.mission, items, changes) if differs(each, wishes)), None):
            gun = key_of(other.item)
            changes[gun] = wishes[gun]
            option = next(each for each in other.options if each.name == wishes[gun])
            typed.append(f"{gun.replace('-', ' ')} {option.number if option.bind else '-'}")
        dice = self._dice_line([roll for rolls in PlanPrompt(self.mission, items, changes).rolls for roll in rolls])
        self.line, self.then = (", ".join(typed), dice) if typed else (dice, "")

    def field(self, question: Any) -> None:
        self.line = self.script.field(question)

    def _option(self, item: Pending) -> str:
        return self.script.next(item).partition(" #")[0].strip()

    def _is_next(self, asked: str, bind: Mapping[str, Any]) -> bool:
        """Return whether the next line answers this question."""
        if self.script.at >= len(self.script.lines):
            return False
        name, *words = self.script.peek()[1].partition(":")[0].split()
        return name == asked and {*words} <= {str(value) for value in bind.values()}

    def _dice_line(self, rolls: Sequence[DiceQuestion]) -> str:
        thrown = list[str]()
        for each in rolls:
            if not self._is_next(each.table.id, each.bind):
                break
            thrown.append(super()._dice_line([each]))
        return " ".join(thrown)


def differs(place: Place, wishes: Mapping[str, str]) -> bool:
    """Return whether a gun fires otherwise than planned."""
    return wishes.get(key_of(place.item), place.planned.name) != place.planned.name


def flown(
    pack: Pack, seed: int, begin: Mapping[str, Any] | None = None, moves: int = 3000, by: type[Typist] = Typist
) -> Typist:
    """Fly the mission of this seed at the prompts, to its end."""
    mission = begun(pack, book(pack.name).begin(random.Random(seed)) if begin is None else begin)
    return played(by(mission, Session(mission), seed), moves)


def played(typist: Typist, moves: int = 3000) -> Typist:
    """Fly the mission of this player to its end."""
    mission, session = typist.mission, typist.session
    assert session is not None
    with at_a_terminal(typist.window):
        for _ in range(moves):
            moved = typist.moves(mission)
            for results in moved:
                typist.out.add(results)
            if moved and not moved[-1]:
                break
            typist.put()
        typist.out.tell(session)
    typist.screens.append(Screen(typist.window.getvalue(), "", 0))
    return typist


def status(mission: Mission) -> list[str]:
    """Return the output of `companion status` for a mission."""
    return [line.margin + line.text for line in status_lines(Session(mission))]


def statuses(pack: Pack, seed: int) -> Iterator[list[str]]:
    """Yield the status after each move of the mission of this seed."""
    mission = begun(pack, book(pack.name).begin(random.Random(seed)))
    for _ in walk(mission, VaryingChance(random.Random(seed))):
        yield status(mission)


def commands(game: str, rng: random.Random) -> Iterator[list[str]]:
    """Return every command that shows a mission, finished or earlier."""
    yield from (
        ["status"], ["status", "--all"], ["next"], ["log"], ["log", "--all"], ["campaign"], ["crew"], ["bomber"],
    )  # fmt: skip
    yield from (
        ["story"], ["story", "--short"], ["why"], ["why", "5"], ["why", "20"], ["undo"], ["undo", "8"], ["next"],
    )  # fmt: skip
    yield from (["redo", "4"], ["rulings"], ["sheet", "mission"], ["sheet", "campaign"], ["sheet", "crew"])
    for back in (20, 60):
        yield from (["undo", str(back)], ["status"], ["next"], ["status", "--all"], ["why"])
    fields = Pack(game).sheet.fields
    for name, field in rng.sample([each for each in sorted(fields.items()) if each[1].section != "working"], 6):
        value = rng.choice(field.values) if field.values else "2" if field.numeric else "Somewhere"
        yield ["set", f"{name}={value}"]
    if game != "bombs-away":
        yield from (["odds", table] for table in (("B-3", "P-1", "O-1") if game == "b17" else ("6-1", "4-2", "8-1")))
    if game in ("b17", "bombs-away"):
        yield ["status", "--hide"]
    if game.startswith("b29"):
        yield ["sheet", "damage"]


def reports(game: str, seed: int) -> Iterator[tuple[str, list[str]]]:
    """Fly the mission of this seed automatically; return the output of every command that shows it, in 80 columns."""
    from companion.cli.main import main

    begin = (
        ["new", "Owls", "--game", game, "--yes"], ["mission", "start", "--yes"], ["fly", "--auto", "--seed", str(seed)],
    )  # fmt: skip
    with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, COMPANION_HOME=folder, TERM="dumb"):
        for command in (*begin, *commands(game, random.Random(seed))):
            window = Window()
            with at_a_terminal(window), contextlib.redirect_stderr(window), mock.patch("sys.stdin", io.StringIO()):
                main(command)
            yield " ".join(command), window.getvalue().splitlines()


@contextlib.contextmanager
def at_a_terminal(window: Window) -> Iterator[None]:
    """Print to the window, of 80 columns, while the `with` lasts."""
    environment = mock.patch.dict(os.environ, COLUMNS=str(WIDE), NO_COLOR="1")
    with environment, contextlib.redirect_stdout(window):
        yield
