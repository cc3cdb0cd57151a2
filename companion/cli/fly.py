"""`companion fly`: the mission step by step."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar, cast

from typer import Option

from companion.cli import asking, picking
from companion.cli.asking import Person
from companion.cli.session import Meanwhile, Place, Session, asks, open_mission
from companion.engine.facts import FactQuestion
from companion.engine.fields import Value
from companion.engine.questions import ChoiceQuestion, DiceQuestion, FieldQuestion, RowQuestion
from companion.engine.resolution import Result
from companion.play.chance import Chance
from companion.play.conversation import move
from companion.problems import Problem

if TYPE_CHECKING:
    from rich.console import Console

    from companion.play.mission import Mission
    from companion.play.script import Script

Answer = str | int | list[int]
T = TypeVar("T", bound=Answer)

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


class Flyer(Person):
    """The player at the table, who may type a command where an answer is asked for.

    A move may take several answers (the dice, then what the book says). They are remembered until the move is made,
    so that a look at the sheet loses none of them and `u` takes back only the last.
    """

    def __init__(self, mission: Mission, place: Place | None = None, stamp: tuple[int, int] = (0, 0)) -> None:
        super().__init__(mission)
        self.place, self.stamp = place, stamp  # where the flight belongs, and the generation of its file last seen
        self.spoken_of = place.campaign.folder if place else None  # the campaign in use that was last spoken of
        self.since = mission.journal.stand  # how many entries stood when this flight began
        self.shown_notes: set[str] = set()  # notes of tables
        self.answers: list[Answer] = []
        self._remembered: list[Answer] = []

    @property
    def remembers(self) -> bool:
        """Whether an answer is still to be given again."""
        return bool(self._remembered)

    def fresh(self) -> None:
        """The move is made; the next one begins."""
        self.answers, self._remembered = [], []

    def repeat(self, *, less: int = 0) -> list[Answer]:
        """The move is asked for again; what was answered stands, but for the last `less`, which are returned."""
        stand = len(self.answers) - less
        struck = self.answers[stand:]
        self._remembered, self.answers = self.answers[:stand], []
        return struck

    def _once(self, ask: Callable[[], T]) -> T:
        answer = cast(T, self._remembered.pop(0)) if self._remembered else ask()
        self.answers.append(answer)
        return answer

    def ask(self, text: str) -> str:
        """One answer; a command typed in its place interrupts the move."""
        typed = picking.prompt(text)
        if typed.casefold() in ASIDES:
            raise Aside(ASIDES[typed.casefold()])
        return typed

    def dice(self, question: DiceQuestion) -> list[int]:
        """Ask for the dice."""
        return self._once(lambda: asking.ask_dice(question, self.mission, self.ask))

    def fact(self, question: FactQuestion) -> Value:
        """Ask for a fact."""
        return self._once(lambda: asking.ask_fact(question, self.ask))

    def row(self, question: RowQuestion) -> str:
        """Ask what the book says."""
        return self._once(lambda: asking.ask_row(question, self.shown_notes, self.ask))

    def choice(self, question: ChoiceQuestion) -> str:
        """Ask for a decision."""
        return self._once(lambda: asking.ask_choice(question, self.mission, self.ask))

    def field(self, question: FieldQuestion) -> str:
        """Ask about one field."""
        return self._once(lambda: asking.ask_field(question, self.ask))


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
    with out.capture() as shown, open_mission() as session:
        try:
            for _ in range(20_000):
                results = move(session.mission, by)
                if not results:
                    break
                if not json:
                    tell(results, session, out)
            if not isinstance(by, Chance) and by.at < len(by.lines):
                raise by.beyond()
        except OutOfLines:
            pass
        except Problem as problem:
            raise problem if isinstance(by, Chance) else by.wrong(problem) from None
    if json:
        import json as form

        from companion.cli.status import as_object

        print(form.dumps(as_object(session)))
    else:
        print(shown.get(), end="")


def at_the_table() -> None:
    """Fly with the player; every move is on disk before the next is asked for."""
    import gc

    from companion.cli.present import console

    gc.enable()  # hours of it: what each move leaves behind adds up to a megabyte
    out = console()
    out.print(HELP, style="dim")
    by = whereabouts(out)
    assert by.place is not None
    campaign, number = by.place
    try:
        while True:
            try:
                with open_mission(hold=False, place=by.place) as session:
                    by.mission = session.mission
                    elsewhere(by, session, out)
                    try:
                        results = move(session.mission, by, asking=True)
                    except Problem as problem:
                        if not by.answers:
                            raise
                        out.print(f"{problem}; nothing was recorded, say it again")  # an answer that does not fit
                        by.fresh()
                        continue
                by.fresh()
                by.stamp = campaign.stamp(number)
                if not results:
                    over(session, out)
                    return
                tell(results, session, out)
            except Meanwhile as problem:
                out.print(str(problem))
                by.stamp = campaign.stamp(number)
                by.fresh()
            except Aside as aside:
                if aside.word == "undo" and by.answers:
                    struck = by.repeat(less=1)[0]
                    typed = " ".join(map(str, struck)) or "(Enter)" if isinstance(struck, list) else struck
                    out.print(f"Undone: {typed}")
                    continue
                if not beside(aside.word, out, by):
                    return
                if aside.word in ("undo", "redo"):
                    by.stamp = campaign.stamp(number)
                by.fresh() if aside.word in ("undo", "redo") else by.repeat()
    except KeyboardInterrupt:
        out.print("\nLeft. The mission waits: companion fly", style="dim")


def whereabouts(out: Console) -> Flyer:
    """The heading of the step that a mission stopped in, for the player who takes it up again."""
    from companion.engine.facts import Facts

    with open_mission(record=False) as session:
        steps, facts = session.pack.sequence, Facts(session.pack.sheet, session.mission.state)
        place = steps.place.get(str(facts["step"])) if session.mission.waiting() is not None else None
        if place is not None:
            step = steps.steps[place]
            heading(step.title(facts), step.cite, session, out)
        assert session.campaign is not None and session.mission.number is not None
        return Flyer(session.mission, Place(session.campaign, session.mission.number), session.stamp)


def elsewhere(by: Flyer, session: Session, out: Console) -> None:
    """Say what another terminal has done: the flight stays with its campaign, an answer with the sheet it is of."""
    from companion.campaign import store

    if session.stamp != by.stamp:
        by.stamp = session.stamp
        again = "; what you had answered is asked again" if by.answers or by.remembers else ""
        out.print(f"Another terminal has written on this mission (companion log){again}.")
        by.fresh()
    try:
        used = store.in_use()
    except Problem:  # it has been damaged meanwhile, and says nothing of this flight
        return
    own = session.campaign
    if used is not None and own is not None and used != by.spoken_of:
        by.spoken_of = used
        if used != own.folder:
            out.print(f"Another terminal works on {used.name} now; this flight stays with {own.name}.")


def heading(title: str, cite: str, session: Session, out: Console) -> None:
    """The line that begins a step: `── Zone 2 · Crew moves  14.1`."""
    from rich.text import Text

    zone = session.mission.state.get("zone")
    place = f"Zone {zone} · " if zone else "Base · " if "zone" in session.pack.sheet.fields else ""
    out.print(Text.assemble((f"── {place}{title}", "bold cyan"), (f"  {cite}" if cite else "", "dim")))


def beside(word: str, out: Console, by: Flyer) -> bool:
    """What the player typed beside the question; False to leave."""
    from companion.cli.edit import shown
    from companion.cli.present import pending_line
    from companion.cli.screen import show_status
    from companion.printing.journal import entry_line

    if word == "quit":
        out.print("The mission waits: companion fly", style="dim")
        return False
    if word == "help":
        out.print(HELP, style="dim")
        return True
    try:
        with open_mission(record=word in ("undo", "redo"), place=by.place) as session:
            if word == "undo":
                entries, left = shown(session.mission.undo()), session.mission.journal.stand
                earlier = left < by.since
                by.since = left if earlier else by.since
                when = " (from before you sat down)" if earlier else ""
                out.print("\n".join(f"Undone{when}: {entry_line(each, session.pack.sheet)}" for each in entries))
            elif word == "redo":
                entries = shown(session.mission.redo())
                out.print("\n".join(f"Redone: {entry_line(each, session.pack.sheet)}" for each in entries))
            elif word == "status":
                show_status(session)
            else:
                for item in session.mission.pending:
                    out.print(
                        f"{'!' if 'order' in item else '›'} {pending_line(item, session.pack, session.mission.state)}"
                    )
    except Problem as problem:
        out.print(str(problem))
    return True


def tell(results: list[Result], session: Session, out: Console) -> None:
    """Print what a move came to; a step is a heading."""
    from companion.cli.present import consequences, show_result

    journal = session.mission.journal
    steps = any(each.step for each in results)
    begins = steps and sum(entry["v"] == "step" for entry in journal.entries[: journal.stand]) == 1
    for result in results:
        if not result.step:
            show_result(result, session, out)
            continue
        if begins and result.shown:  # the first step: how every mission begins is no news, and a page of it
            out.print("The sheet is set up as the book says (companion status shows it).", style="dim")
            result.shown = []
        consequences(result, session, out)
        heading(result.title, result.cite, session, out)


def over(session: Session, out: Console) -> None:
    """The last line of a mission."""
    from companion.engine.facts import Facts

    facts = Facts(session.pack.sheet, session.mission.state)
    debrief = [f"{facts.sheet.text(name)}: {facts[name]}" for name in session.pack.about.get("debrief", ())]
    out.print("The mission is over. " + "; ".join(debrief))
