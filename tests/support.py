"""Shared test helpers: small games, moments at the table, and the loop that flies a mission."""

from __future__ import annotations

import io
import json
import os
import random
import re
import shutil
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import pytest

from companion.engine.facts import FactQuestion, Facts
from companion.engine.fields import Value
from companion.engine.play import Play
from companion.engine.questions import Pending
from companion.engine.resolution import Result
from companion.packs import Pack
from companion.play.conversation import Player, move
from companion.play.mission import Mission
from companion.play.script import Script, ScriptEnded
from companion.problems import MissingAnswer, Question, UserError

if TYPE_CHECKING:
    import pexpect

TESTS = Path(__file__).parent
ROOT = TESTS.parent
MISSIONS = TESTS / "missions"
PACKS = TESTS / "packs"
Run = Callable[..., "Ran"]
Lay = Callable[..., Path]


# -- commands ----------------------------------------------------------------------------------------------------------


class Ran:
    """The output and exit status of a command."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def sit_down(*arguments: str) -> pexpect.spawn:
    """Return the command on a real terminal of 40 lines and 80 columns."""
    import pexpect

    return pexpect.spawn(
        sys.executable, ["-m", "companion", *arguments], encoding="utf-8", timeout=60, dimensions=(40, 80),
        env={**os.environ, "NO_COLOR": "1"},
    )  # fmt: skip


def press_ctrl_c(terminal: pexpect.spawn, then: str | type[pexpect.EOF]) -> None:
    """Press Ctrl-C, and again if it fell between the prompt and the reading, which Python does not notice."""
    import pexpect

    for _ in range(4):
        terminal.sendintr()
        if terminal.expect([then, pexpect.TIMEOUT], timeout=5) == 0:
            return
    raise AssertionError(f"Ctrl-C did not lead to {then}: {terminal.before}")


END = "the end of the command"


class Terminal:
    """A command at the prompts, in this process: its output up to a question, and the lines typed.

    It runs in a thread, but never at the same time as the test: each typed line lets it run to the next question.
    `before` is the output before the words that were expected last.
    """

    open: ClassVar[list[Terminal]] = []

    def __init__(self, *arguments: str) -> None:
        self.arguments, self.window, self.before, self.line = arguments, Window(), "", ""
        self.exitstatus: int | None = None
        self._seen, self._typed, self._asks = 0, threading.Semaphore(0), threading.Semaphore(0)
        threading.Thread(target=self._run, daemon=True).start()
        self.open.append(self)
        self._go_on()

    def say(self, line: str, *patterns: str) -> Terminal:
        """Type a line; then expect these words in this order."""
        assert self.exitstatus is None, f"it is over: {self.window.getvalue()[-500:]}"
        self.line = line
        self._go_on()
        return self.expect(*patterns)

    def expect(self, *patterns: str) -> Terminal:
        """Check that the output has these words in this order; END for its end."""
        for pattern in patterns:
            text = self.window.getvalue()[self._seen :]
            if pattern == END:
                assert self.exitstatus is not None, f"it asks: {text[-500:]}"
                self.before, match = text, None
            else:
                match = re.search(pattern, text, re.DOTALL)
                assert match, f"{pattern!r} is not in {text[-2000:]!r}"
                self.before = text[: match.start()]
            self._seen += match.end() if match else len(text)
        return self

    def interrupt(self, *patterns: str) -> None:
        """Press Ctrl-C."""
        self.say(_INTERRUPT, *patterns)

    def _run(self) -> None:
        from companion.cli.main import main

        self._typed.acquire()
        self.exitstatus = main(self.arguments)
        self._asks.release()

    def _go_on(self) -> None:
        with pytest.MonkeyPatch.context() as patch:
            for name in ("stdin", "stdout", "stderr"):
                patch.setattr(sys, name, self.window)
            patch.setattr("builtins.input", self._input)
            patch.setenv("NO_COLOR", "1")
            self._typed.release()
            assert self._asks.acquire(timeout=60), "it neither asks nor ends"

    def _input(self, question: str = "") -> str:
        self.window.write(question)
        self._asks.release()
        self._typed.acquire()
        if self.line == _INTERRUPT:
            raise KeyboardInterrupt
        self.window.write(f"{self.line}\n")
        return self.line


_INTERRUPT = "\x03"


class Window(io.StringIO):
    """Standard output as a terminal."""

    def isatty(self) -> bool:
        return True


def begin(companion: Run, game: str, *facts: str) -> Run:
    """Return a campaign called Owls with its first mission, which starts with these facts."""
    companion("new", "Owls", "--game", game, "--yes")
    companion("mission", "start", "--yes", *[word for each in facts for word in ("--with", each)])
    return companion


def fly_script(companion: Run, text: str, *more: str) -> Ran:
    """Fly the lines of a script, which is written next to the data folder."""
    script = Path(os.environ["COMPANION_HOME"]).with_suffix(".txt")
    script.write_text(text, encoding="utf-8")
    return companion("fly", "--dice-from", script, *more)


def slow_but(values: Iterable[Any], quick: int = 1) -> list[Any]:
    """Mark all parameters of a test except the first few as slow; a tuple is one with several names."""
    each = [value if hasattr(value, "marks") else pytest.param(*_several(value)) for value in values]
    slow = [pytest.param(*value.values, id=value.id, marks=[*value.marks, pytest.mark.slow]) for value in each[quick:]]
    return [*each[:quick], *slow]


def _several(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


ERRATA = """# what our club agreed on

[[patch]]                # errata 4
reason = "errata 4"
modifier = [{id = "bip", add = -3}]    # not -2

# no more so far
"""


def copy_of(data_folder: Path, name: str, game: str = "b29") -> Path:
    """Return the path of a player's own file of a game."""
    return data_folder / "packs" / game / name


# -- small games -------------------------------------------------------------------------------------------------------

# what tests add to a small game: a table whose one row does nothing, a fact, and more facts
ROW = 'rows = {"1.." = "b"}\n'
LATE = 'late = {is = "zone >= 3"}\n'
FACTS = """
late = {is = "zone >= 3"}
"worn[side]" = {is = "hits[side] >= 2"}
"far[fighter]" = {is = "fighter.fca + zone"}
bears = {is = "fighter.fca >= 2 and fighter.type != ''"}
half = {is = "half-up(zone)"}
told = {is = "'at {zone}' if late else none"}
"""
NO_TABLES = ("pack", "sheet", "rules", "choices", "sequence", "story")


def pack(folder: Path, base: str = "raid", *, sheet: str = "", fields: str = "", facts: str = "", **files: str) -> Pack:
    """Build the small game `packs/BASE` with these files added or replaced; a table's `id` and single die are filled
    in.

    `fields` and `facts` are further lines of its sheet. `bare` has only a title.
    """
    shutil.copytree(PACKS / base, folder, dirs_exist_ok=True)
    sheet = sheet or sheet_of(base)
    texts = {"sheet": sheet.replace("[fields.more]\n", f"[fields.more]\n{fields}") + facts}
    for name, text in {**texts, **files}.items():
        (folder / f"{name}.toml").write_text(_head(name, text) + text, encoding="utf-8")
    return Pack(base, [folder])


def sheet_of(base: str) -> str:
    """Return the source of the sheet of the small game `packs/BASE`."""
    return (PACKS / base / "sheet.toml").read_text(encoding="utf-8")


def _head(name: str, text: str) -> str:
    top = f"\n{text}".partition("\n[")[0]
    if name in NO_TABLES or "\nid = " in top or "\n[[patch]]" in f"\n{text}":
        return ""
    without = re.search(r"^(dice|owner|do|then|cases) = ", top, re.MULTILINE)
    return f'id = "{name}"\n' + ("" if without else 'dice = "1D"\n')


def row(text: str) -> str:
    """Return a table with the single row `a`, which does this."""
    return f'rows = {{"1.." = "a"}}\n[outcome.a]\n{text}\n'


def holds(game: Pack, sentence: str, /, **state: Any) -> bool:
    """Return whether a condition holds with these facts; `__` is the dot of a name."""
    test = game.condition(sentence)
    return bool(test(Facts(game.sheet, named(state))))


def named(state: Mapping[str, Any]) -> dict[str, Value]:
    """Return `hits__port` as `hits.port`."""
    return {name.replace("__", "."): value for name, value in state.items()}


def sortie(folder: Path, **files: str) -> Pack:
    """Return the small game `packs/sortie` with these files."""
    return pack(folder, "sortie", **files)


def mission_with_row(folder: Path, do: str, rest: str = "", **files: str) -> Mission:
    """Return a mission with a table `t` whose only row does this."""
    return Mission(sortie(folder, t=row(f"do = [{do}]\n{rest}"), **files), number=1)


# -- missions ----------------------------------------------------------------------------------------------------------


class AnsweringPlayer(Player):
    """A player who gives these facts when asked and rolls sixes; `asked` lists the names in order."""

    rng = property(lambda self: random.Random(1))  # type: ignore[assignment]

    def __init__(self, **facts: Value) -> None:
        self.facts = {name.replace("__", "."): value for name, value in facts.items()}
        self.asked: list[str] = []
        self.usual: dict[str, object] = {}
        self.values: dict[str, tuple[str, ...]] = {}

    def fact(self, question: FactQuestion) -> Value:
        self.asked.append(question.name)
        self.usual[question.name], self.values[question.name] = question.usual, question.declared.values
        return self.facts[question.name]


def begun(game: Pack, facts: Mapping[str, Value]) -> Mission:
    """Return a first mission with these facts."""
    mission = Mission(game, number=1)
    mission.write(facts)
    return mission


def asked(mission: Mission | Play) -> list[Any]:
    """Return the names of everything pending, in order: tables, choices, questions and orders."""
    return [item.name for item in mission.pending]


def fact(mission: Mission, name: str, **bindings: Value) -> Value:
    """Return the current value of a fact."""
    return Facts(mission.game.sheet, mission.state, bindings)[name]


class Asked:
    """The question that was asked; `value` holds it afterward."""

    value: Any


@contextmanager
def asks(kind: type[Question], match: str = "") -> Iterator[Asked]:
    """Check that the code in the `with` asks a question of this kind, whose words are like `match`."""
    asked = Asked()
    with pytest.raises(MissingAnswer, match=match or None) as caught:
        yield asked
    assert isinstance(caught.value.question, kind)
    asked.value = caught.value.question


def walk(mission: Mission, by: Player, *, asking: bool = False) -> Iterator[list[Result]]:
    """Fly on until the mission is over, yielding the results of each move."""
    while results := move(mission, by, asking=asking):
        yield results


def fly(
    mission: Mission,
    by: Player,
    *,
    each: Callable[[list[Result]], object] = lambda results: None,
    asking: bool = False,
    go_on: bool = True,
    moves: int = 20_000,
) -> bool:
    """Fly on until the mission is over (True) or a script has ended (False); every line of a script must be reached.

    `each` is called with the results of every move; `moves` is the most that a mission may take. Without `go_on`, a
    script ends with the move that uses its last line, before any automatic steps.
    """
    over = True
    if isinstance(by, Script):
        by = Script("\n".join(line for _, line in by.lines), by.name)
    try:
        for count, results in enumerate(walk(mission, by, asking=asking), 1):
            assert count <= moves, f"no end after {moves} moves"
            each(results)
            if not go_on and isinstance(by, Script) and by.at == len(by.lines):
                over = False
                break
    except ScriptEnded:
        over = False
    if isinstance(by, Script):
        left = [line for line in by.lines[by.at :] if line[1] != "end"]
        assert not left, f"nobody asks for {left[0]}"
    return over


def there_and_back(mission: Mission) -> None:
    """Undo a whole mission, entry by entry, and redo it: an empty sheet, then the same end."""
    end = (dict(mission.state), list(mission.pending))
    while mission.journal.position:
        mission.go_to_entry(mission.journal.position - 1)
    assert (mission.state, mission.pending) == ({}, [])
    while mission.journal.position < len(mission.journal.entries):
        mission.go_to_entry(mission.journal.position + 1)
    assert (mission.state, mission.pending) == end


class Moment:
    """A mission in progress, and the results of script lines."""

    def __init__(self, mission: Mission) -> None:
        self.mission = mission
        self.results: list[Result] = []

    def fly(self, script: str) -> Moment:
        """Fly to the end of the lines; `asked` is the next question."""
        fly(self.mission, Script(script), each=self.results.extend)
        return self

    def take_up(self, facts: Mapping[str, Value], script: str = "") -> None:
        """Write these facts, including the step, and fly on from there."""
        self.mission.write(facts)
        self.mission.pending = []
        self.fly(script)

    def positions(self, table: str) -> list[str]:
        """Return whose rolls on that table are pending, in order."""
        return [str(item.bind["position"]) for item in self.mission.pending if item.is_for("roll", table)]

    def __getitem__(self, name: str) -> Any:
        return fact(self.mission, name)

    @property
    def tables(self) -> list[str]:
        """Return the tables rolled, the decisions and the steps, in order."""
        return [each.table for each in self.results]

    @property
    def asked(self) -> str:
        """Return the next question."""
        item = self.mission.waiting()
        return item.name if item is not None else "None"

    @property
    def words(self) -> dict[str, str]:
        """Return the options of the next decision in words, the default first."""
        item = self.mission.waiting()
        assert item is not None
        return {each.name: each.text for each in self.mission.options(item)}

    @property
    def options(self) -> list[str]:
        """Return the options of the next decision, the default first."""
        return list(self.words)

    def legal(self, choice: str) -> list[str]:
        """Return the current options of a choice."""
        return [each.name for each in self.mission.options(Pending.of({"choose": choice, "bind": {}}))]

    def modifiers(self, table: str) -> list[tuple[str, int]]:
        """Return the modifiers of the last roll on that table, from the journal."""
        rolled = [entry for entry in self.mission.journal.entries if entry["t"] == table]
        return [(str(why), int(add)) for why, add in rolled[-1].get("m", [])]

    def shows(self, then: str) -> list[str]:
        """Return these words with the actual value in place of each wrong one.

        `formation=out zone!=5` are facts, `asked=4-2` is the next question, `options=no,yes` are its options and
        `option=yes` is one of them, `usual=no` is the default, `rolled=4-2` is a roll, `waits=4-2` is pending, and
        `6-6:radar=-1` is the amount of a modifier.
        """
        words = []
        for word in then.split():
            name, _, value = word.partition("!=" if "!=" in word else "=")
            said = self._said(name, value)
            words.append(word if (said == value) == ("!=" not in word) else f"{name}={said}")
        return words

    def _said(self, name: str, value: str) -> str:
        table, colon, why = name.partition(":")
        if colon:
            return str(sum(add for each, add in self.modifiers(table) if each == why))
        if name == "options":
            return value if sorted(value.split(",")) == sorted(self.options) else ",".join(self.options)
        if name == "usual":
            return self.options[0]
        if name in ("option", "rolled", "waits"):
            there = self.options if name == "option" else self.tables if name == "rolled" else asked(self.mission)
            return value if value in there else f"one of {there}"
        return self.asked if name == "asked" else str(self[name])


def moments(*rows: tuple[str, str | Mapping[str, Value], str, str]) -> pytest.MarkDecorator:
    """Parametrize a test with these moments: description, sheet, lines flown, expected sheet."""
    return pytest.mark.parametrize(("sheet", "flown", "then"), [pytest.param(*rest, id=name) for name, *rest in rows])


def check(pack: Pack, sheet: str | Mapping[str, Value], flown: str, then: str) -> None:
    """Fly the lines (`4-2: 3,4; 4.6: 3,4`) from a sheet and compare the result (see `Moment.shows`)."""
    if isinstance(sheet, str):
        moment = set_up(pack, sheet)
    else:
        moment = Moment(Mission(pack))
        moment.mission.write(pack.sheet.given([f"{name}={value}" for name, value in sheet.items()]))
    moment.fly(flown.replace("; ", "\n"))
    shown = moment.shows(then)
    assert shown == then.split(), " ".join(shown)


def set_up(pack: Pack, sheet: str, roll: str = "", **bind: str) -> Moment:
    """Return a mission with these facts (`zone=3 altitude=hi`) and one pending roll, or nothing pending.

    The sheet may end with a pending thing and its subject: `roll=5-9 fighter=1`, `choose=aim gun=tail`.
    """
    facts, kind, what = (re.split(" (roll|choose)=", sheet, maxsplit=1) + ["", ""])[:3]
    mission = begun(pack, pack.sheet.given(facts.split()))
    mission.pending = []
    moment = Moment(mission)
    if kind:
        name, *words = what.split()
        mission.pending = [Pending.of({kind: name, "bind": dict(each.split("=") for each in words), "born": 1})]
    return again(moment, roll, **bind) if roll else moment


def again(moment: Moment, roll: str, **bind: str) -> Moment:
    """Return the same mission with only one pending roll."""
    moment.mission.pending = [Pending.of({"roll": roll, "bind": bind, "born": 1})]
    return moment


def counted(moment: Moment, table: str) -> list[str]:
    """Return the modifiers that applied when that table was last rolled."""
    return [name for name, _ in moment.modifiers(table)]


def after_step(pack: Pack, step: str, sheet: Mapping[str, Value], script: str = "") -> Moment:
    """Return a mission with these facts after a step, flown through a script."""
    moment = Moment(Mission(pack))
    moment.mission.write({**sheet, "step": step})
    moment.fly(script)
    return moment


# -- at the prompts ----------------------------------------------------------------------------------------------------


class Prompts:
    """A mission flown by typed lines, as at a terminal, with its questions and output."""

    def __init__(self, mission: Mission) -> None:
        from companion.cli.flyer import Flyer, Narrator
        from companion.store.session import Session

        self.mission, self.asked, self.lines = mission, list[str](), list[str]()
        self.shown = io.StringIO()
        self.flyer = Flyer(Session(mission), Narrator())

    def _type(self, question: str) -> str:
        self.asked.append(question)
        if not self.lines:
            raise ScriptEnded("no more lines")
        self.shown.write(f"{question}{self.lines[0]}\n")
        return self.lines.pop(0)

    def type(self, *lines: str) -> str:
        """Type these lines; return the output up to the question after the last one."""
        self.lines = list(lines)
        self.shown.truncate(0)
        self.shown.seek(0)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("companion.cli.terminal.ask", self._type)
            patch.setattr(sys, "stdout", self.shown)
            return self._play()

    def _play(self) -> str:
        from companion.cli.fly import carry_out
        from companion.cli.flyer import TypedCommand
        from companion.cli.terminal import say

        teller = self.flyer.teller
        while True:
            try:
                moved = self.flyer.moves(self.mission)
                for results in moved:
                    teller.add(results)
                if moved and not moved[-1]:
                    teller.tell(self.flyer.session)
                else:
                    self.flyer.put()
                    continue
            except ScriptEnded:
                self.flyer.question = None
            except TypedCommand as aside:
                self.flyer.question = None
                try:
                    carry_out(aside.word, aside.rest, self.flyer.session, self.flyer)
                except UserError as problem:
                    say(str(problem))
                continue
            return self.shown.getvalue()

    @property
    def question(self) -> str:
        """Return the current question."""
        return self.asked[-1]


def prompted(mission: Mission, *lines: str) -> Prompts:
    """Return a mission at the prompts after these lines were typed."""
    player = Prompts(mission)
    player.type(*lines)
    return player
