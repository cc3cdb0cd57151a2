"""`companion fly`: the mission step by step."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from typer import Option

from companion.cli import asking
from companion.cli.session import Session, asks, flying
from companion.engine.needs import NeedAnswer, NeedChoice, NeedDice, NeedOutcome, Result
from companion.engine.sheet import NeedFact, Value
from companion.play.chance import Chance
from companion.play.conversation import move
from companion.problems import Problem

if TYPE_CHECKING:
    from rich.console import Console

    from companion.play.mission import Mission
    from companion.play.script import Script

T = TypeVar("T")

ASIDES = {
    "u": "undo", "undo": "undo", "r": "redo", "redo": "redo", "s": "status", "status": "status", "n": "next",
    "next": "next", "q": "quit", "quit": "quit", "?": "help", "h": "help", "help": "help",
}  # fmt: skip
LONGEST = 1_000_000  # bytes of a script
HELP = (
    "Type the dice as they lie (34) or an option's number; Enter takes the usual.\n"
    "u undo   r redo   s status   n what is pending   q leave, the mission waits"
)


class Aside(Exception):
    """The player typed a command (`u`, `s`, `q`) where an answer was asked for."""

    def __init__(self, word: str) -> None:
        super().__init__(word)
        self.word = word


class Person:
    """The player at the terminal.

    A move may take several answers (the dice, then what the book says). They are kept until the move is made, so
    that a look at the sheet loses none of them and `u` takes back only the last.
    """

    def __init__(self) -> None:
        self.mission: Mission | None = None
        self.since: int | None = None  # how many entries stood when this flight began
        self.told_once: set[str] = set()  # notes of tables that have been shown
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

    def ask(self, text: str) -> str:
        """One answer; a command typed in its place interrupts the move."""
        said = asking.prompt(text)
        if said.casefold() in ASIDES:
            raise Aside(ASIDES[said.casefold()])
        return said

    def rolls(self) -> None:
        """The player rolls."""

    def dice(self, need: NeedDice) -> list[int]:
        """Ask for the dice."""
        return self._once(lambda: asking.ask_dice(need, self.mission, self.ask))

    def fact(self, need: NeedFact) -> Value:
        """Ask for a fact."""
        return self._once(lambda: asking.ask_fact(need, self.ask))

    def outcome(self, need: NeedOutcome) -> str:
        """Ask what the book says."""
        return self._once(lambda: asking.ask_outcome(need, self.told_once, self.ask))

    def choice(self, need: NeedChoice) -> str:
        """Ask for a decision."""
        return self._once(lambda: asking.ask_choice(need, self.mission, self.ask))

    def field(self, need: NeedAnswer) -> str:
        """Ask about one field."""
        return self._once(lambda: asking.ask_field(need, self.ask))


def fly_command(
    dice_from: Annotated[Path | None, Option("--dice-from", help="Typed dice and answers, one a line.")] = None,
    auto: Annotated[bool, Option("--auto", help="Roll, and take the usual answer to every question.")] = False,
    seed: Annotated[int | None, Option(help="Makes --auto repeatable.")] = None,
    json: Annotated[bool, Option("--json", help="Print the state at the end, for programs.")] = False,
) -> None:
    """The whole mission, step by step, in the order of the book. It names each step, asks for your dice and goes on."""
    if dice_from is not None:
        by_itself(on_paper(dice_from), json)
    elif auto or seed is not None:
        by_itself(Chance(random.Random(seed)), json)
    elif asks(json):
        at_the_table()
    else:
        raise Problem("fly asks for dice and nobody is there to type them; use --dice-from FILE or --auto")


def on_paper(path: Path) -> Script:
    """The script in a file."""
    from companion.files.reading import bytes_of, text_of
    from companion.play.script import Script

    try:
        return Script(text_of(bytes_of(path, LONGEST, "a mission on paper")), str(path))
    except UnicodeDecodeError as error:
        raise Problem(f"{path} is no text: {error.reason}") from None


def by_itself(by: Script | Chance, json: bool) -> None:
    """Fly from a file or by chance: all of it is recorded and then shown, or nothing when something is wrong."""
    from companion.cli.present import console
    from companion.play.script import OutOfLines

    out = console()
    with out.capture() as told, flying() as found:
        try:
            for _ in range(20_000):
                results = move(found.mission, by)
                if not results:
                    break
                if not json:
                    tell(results, found, out)
            if not isinstance(by, Chance) and by.at < len(by.lines):
                raise by.beyond()
        except OutOfLines:
            pass
        except Problem as problem:
            raise problem if isinstance(by, Chance) else by.wrong(problem) from None
    if json:
        import json as form

        from companion.cli.status import as_object

        print(form.dumps(as_object(found)))
    else:
        print(told.get(), end="")


def at_the_table() -> None:
    """Fly with the player; every move is on disk before the next is asked for."""
    import gc

    from companion.cli.present import console

    gc.enable()  # hours of it: what each move leaves behind adds up to a megabyte
    out, by = console(), Person()
    out.print(HELP, style="dim")
    whereabouts(out)
    try:
        while True:
            try:
                with flying(hold=False) as found:
                    by.mission = found.mission
                    by.since = found.mission.journal.stand if by.since is None else by.since
                    try:
                        results = move(found.mission, by, asking=True)
                    except Problem as problem:
                        if not by.said:
                            raise
                        out.print(f"{problem}; nothing was recorded, say it again")  # an answer that does not fit
                        by.fresh()
                        continue
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
                if not beside(aside.word, out, by):
                    return
                by.fresh() if aside.word in ("undo", "redo") else by.repeat()
    except KeyboardInterrupt:
        out.print("\nLeft. The mission waits: companion fly", style="dim")


def whereabouts(out: Console) -> None:
    """The heading of the step that a mission stopped in, for the player who takes it up again."""
    from companion.engine.sheet import Facts

    with flying(record=False) as found:
        steps, facts = found.pack.sequence, Facts(found.pack.sheet, found.mission.state)
        place = steps.place.get(str(facts["step"])) if found.mission.waiting() is not None else None
        if place is not None:
            step = steps.steps[place]
            heading(step.title(facts), step.cite, found, out)


def heading(title: str, cite: str, found: Session, out: Console) -> None:
    """The line that begins a step: `── Zone 2 · Crew moves  14.1`."""
    from rich.text import Text

    zone = found.mission.state.get("zone")
    place = f"Zone {zone} · " if zone else "Base · " if "zone" in found.pack.sheet.fields else ""
    out.print(Text.assemble((f"── {place}{title}", "bold cyan"), (f"  {cite}" if cite else "", "dim")))


def beside(word: str, out: Console, by: Person) -> bool:
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
                taken, left = shown(found.mission.take_back()), found.mission.journal.stand
                earlier = by.since is not None and left < by.since
                by.since = left if earlier else by.since
                when = " (from before you sat down)" if earlier else ""
                out.print("\n".join(f"Undone{when}: {taken_back(each, found.pack.sheet)}" for each in taken))
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
    from companion.cli.present import consequences, show_result

    journal = found.mission.journal
    begins = sum(made["v"] == "step" for made in journal.entries[: journal.stand]) == 1
    for result in results:
        if not result.step:
            show_result(result, found, out)
            continue
        if begins and result.shown:  # the first step: how every mission begins is no news, and a page of it
            out.print("The sheet is set up as the book says (companion status shows it).", style="dim")
            result.shown = []
        consequences(result, found, out)
        heading(result.title, result.cite, found, out)


def over(found: Session, out: Console) -> None:
    """The last line of a mission."""
    from companion.engine.sheet import Facts

    facts = Facts(found.pack.sheet, found.mission.state)
    told = [f"{facts.sheet.text(name)}: {facts[name]}" for name in found.pack.about.get("debrief", ())]
    out.print("The mission is over. " + "; ".join(told))
