"""`companion fly`: the mission step by step."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from typer import Option

from companion.cli import asking
from companion.cli.asking import Aside
from companion.cli.session import Session, asks, flying
from companion.engine.needs import NeedAnswer, NeedChoice, NeedDice, NeedOutcome, Result
from companion.flying import Answerer, Chance, take
from companion.problems import Problem, Trouble
from companion.sheet import NeedFact, Value

if TYPE_CHECKING:
    from rich.console import Console

    from companion.mission import Mission

T = TypeVar("T")

ASIDES = {
    "u": "undo", "undo": "undo", "r": "redo", "redo": "redo", "s": "status", "status": "status", "n": "next",
    "next": "next", "q": "quit", "quit": "quit", "?": "help", "h": "help", "help": "help",
}  # fmt: skip
LONGEST = 1_000_000  # letters of a script
HELP = (
    "Type the dice as they lie (34), or the number of an option; Enter takes the first.\n"
    "u undo   r redo   s status   n what is pending   q leave; the mission waits for you"
)


class Person:
    """The player at the terminal.

    A move may take several answers (the dice, then what the book says). They are kept until the move is made, so
    that a look at the sheet loses none of them and `u` takes back only the last.
    """

    def __init__(self) -> None:
        self.mission: Mission | None = None
        self.said: list[Any] = []
        self.again: list[Any] = []

    def fresh(self) -> None:
        """The move is made; the next one begins."""
        self.said, self.again = [], []

    def repeat(self, *, less: int = 0) -> Any:
        """The move is asked for again; what was answered stands, but for the last `less`."""
        taken = self.said[len(self.said) - less :]
        self.again, self.said = self.said[: len(self.said) - less], []
        return taken

    def _once(self, ask: Callable[[], T]) -> T:
        self.said.append(self.again.pop(0) if self.again else ask())
        answer: T = self.said[-1]
        return answer

    def rolls(self) -> None:
        """The player rolls."""

    def dice(self, need: NeedDice) -> list[int]:
        """Ask for the dice."""
        return self._once(lambda: asking.ask_dice(need, self.mission))

    def fact(self, need: NeedFact) -> Value:
        """Ask for a fact."""
        return self._once(lambda: asking.ask_fact(need))

    def outcome(self, need: NeedOutcome) -> str:
        """Ask what the book says."""
        return self._once(lambda: asking.ask_outcome(need))

    def choice(self, need: NeedChoice) -> str:
        """Ask for a decision."""
        return self._once(lambda: asking.ask_choice(need))

    def field(self, need: NeedAnswer) -> str:
        """Ask about one field."""
        return self._once(lambda: asking.ask_field(need))


def fly_command(
    dice_from: Annotated[Path | None, Option("--dice-from", help="Typed dice and answers, one a line.")] = None,
    auto: Annotated[bool, Option("--auto", help="Roll, and take the usual answer to every question.")] = False,
    seed: Annotated[int | None, Option(help="Makes --auto repeatable.")] = None,
    json: Annotated[bool, Option("--json", help="Print the state at the end, for programs.")] = False,
) -> None:
    """Fly the mission: it names the step, asks for your dice, works the result in, and goes on."""
    if dice_from is not None:
        from companion.script import Script

        try:
            with open(dice_from, encoding="utf-8") as file:
                text = file.read(LONGEST + 1)
        except (OSError, UnicodeDecodeError) as error:
            raise Trouble(f"cannot read {dice_from}: {error}") from None
        if len(text) > LONGEST:
            raise Problem(f"{dice_from} is too large to be a mission on paper")
        by_itself(Script(text, str(dice_from)), json)
    elif auto or seed is not None:
        by_itself(Chance(random.Random(seed)), json)
    elif asks(json):
        at_the_table()
    else:
        raise Problem("fly asks for dice and nobody is there to type them; use --dice-from FILE or --auto")


def by_itself(by: Answerer, json: bool) -> None:
    """Fly from a file or by chance; what was flown before something went wrong is kept."""
    from companion.cli.present import console
    from companion.script import OutOfLines

    wrong: Problem | None = None
    with flying() as found:
        out = None if json else console()
        try:
            for _ in range(20_000):
                results = move(found, by)
                if not results:
                    break
                if out is not None:
                    tell(results, found, out)
        except OutOfLines:
            pass
        except Problem as problem:
            wrong = problem
        if json:
            import json as form

            from companion.cli.status import as_object

            print(form.dumps(as_object(found), ensure_ascii=False))
    if wrong is not None:
        raise wrong


def move(found: Session, by: Answerer, *, asking: bool = False) -> list[Result]:
    """One move: what is pending first, or the next step; empty when the mission is over."""
    found.mission.before(by)
    item = found.mission.waiting()
    return take(found.mission, item, by, asking=asking) if item is not None else found.mission.advance()


def at_the_table() -> None:
    """Fly with the player; every move is on disk before the next is asked for."""
    from companion.cli.present import console

    out, by = console(), Person()
    asking.ASIDES.update(ASIDES)
    out.print(HELP, style="dim")
    try:
        while True:
            try:
                with flying(hold=False) as found:
                    by.mission = found.mission
                    results = move(found, by, asking=True)
                by.fresh()
                if not results:
                    over(found, out)
                    return
                tell(results, found, out)
            except Aside as aside:
                if aside.word == "undo" and by.said:
                    taken = by.repeat(less=1)[0]
                    out.print(f"Undone: {' '.join(map(str, taken)) or '(Enter)' if isinstance(taken, list) else taken}")
                    continue
                if not beside(aside.word, out):
                    return
                by.fresh() if aside.word in ("undo", "redo") else by.repeat()
    except KeyboardInterrupt:
        out.print("\nLeft. The mission waits: companion fly", style="dim")
    finally:
        asking.ASIDES.clear()


def beside(word: str, out: Console) -> bool:
    """What the player typed beside the question; False to leave."""
    from companion.cli.edit import shown, taken_back
    from companion.cli.present import said
    from companion.cli.screen import show_status

    if word == "quit":
        out.print("The mission waits: companion fly", style="dim")
        return False
    if word == "help":
        out.print(HELP, style="dim")
        return True
    try:
        with flying(record=word in ("undo", "redo")) as found:
            if word == "undo":
                taken = shown(found.mission.take_back())
                out.print("\n".join(f"Undone: {taken_back(each, found.pack.sheet)}" for each in taken))
            elif word == "redo":
                taken = shown(found.mission.put_forward())
                out.print("\n".join(f"Redone: {taken_back(each, found.pack.sheet)}" for each in taken))
            elif word == "status":
                show_status(found)
            else:
                for item in found.mission.pending:
                    out.print(f"{'!' if 'order' in item else '›'} {said(item, found.pack, found.mission.state)}")
    except Problem as problem:
        out.print(str(problem))
    return True


def tell(results: list[Result], found: Session, out: Console) -> None:
    """Print what a move came to; a step is a heading."""
    from rich.text import Text

    from companion.cli.present import consequences, show_result

    for result in results:
        if not result.step:
            show_result(result, found, out)
            continue
        consequences(result, found, out)
        zone = found.mission.state.get("zone")
        place = f"Zone {zone} · " if zone else "Base · " if "zone" in found.pack.sheet.fields else ""
        out.print(
            Text.assemble(
                (f"── {place}{result.title}", "bold cyan"), (f"  {result.cite}" if result.cite else "", "dim")
            )
        )


def over(found: Session, out: Console) -> None:
    """The last line of a mission."""
    from companion.sheet import Facts

    facts = Facts(found.pack.sheet, found.mission.state)
    told = [f"{facts.sheet.text(name)}: {facts[name]}" for name in found.pack.about.get("debrief", ())]
    out.print("The mission is over. " + "; ".join(told))
