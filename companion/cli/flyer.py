"""The two sides of a flight at the terminal: the flyer answers, or types a command first; the narrator tells."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import accumulate, groupby, takewhile
from typing import TYPE_CHECKING, cast

from companion.cli import terminal
from companion.cli.terminal import broken, put, say, screen_width, show, wrapped
from companion.engine.fields import FREE, Value
from companion.engine.questions import DiceQuestion, Pending
from companion.engine.sheet import cut, of_member
from companion.play.dice_tray import AUTO, KeptDice, reroll_command
from companion.play.members import move_said, ways_of
from companion.play.mission import Mission, turn_is_over
from companion.play.phrases import Phrases
from companion.play.plan import decisions
from companion.problems import Question, UserError
from companion.render.describe import (
    Changes,
    answered,
    changes_of,
    describe,
    in_flight,
    names_itself,
    noted,
    of_what,
    untold,
)
from companion.render.dice_prompt import DicePrompt
from companion.render.draft import Draft
from companion.render.options import NOTHING, Prompt
from companion.render.plan_prompt import PlanPrompt
from companion.render.prompt import prompt_of
from companion.render.situation import Line, binding, joined, pending_line, standing
from companion.store.session import Session
from companion.words import bare, counted, figure, grouped, sentence

if TYPE_CHECKING:
    from companion.engine.resolution import Result
    from companion.packs import Pack
    from companion.store.session import Session


Typed = tuple[str, str]  # the command, and the rest of the line

SHORT = {
    "u": "undo", "r": "redo", "s": "status", "n": "next", "f": "forecast", "q": "quit", "exit": "quit", "?": "help",
    "h": "help", "=": "mark", "set": "mark",
}  # fmt: skip
TAKES = {  # the commands of a flight, and the words that may follow each
    "undo": r"\d*", "redo": r"\d*", "skip": r"\d*", "status": "(--)?(all)?", "forecast": "(even)?", "why": ".*",
    "roll": ".+", "show": ".+", "mark": ".+", **dict.fromkeys(("next", "quit", "help"), ""),
}  # fmt: skip
HELP = "u undo   r redo   s status   n next   f forecast   ? help   q quit"
BOMBER = (
    "= tail guns jammed   change the sheet        move navigator to bombardier\n"
    "roll {0}, show {0}   roll or show a table    why, why {0}   explain a result\n"
)
CARDS = "= FIELD VALUE        change the sheet        why            explain a result\n"
TIMES = (
    "u 3                  undo three steps        r 3            redo three steps\n"
    "skip                 skip this question      skip 2         skip the second"
)


class TypedCommand(Exception):
    """A command that the player typed instead of an answer (`u`, `s`, `q`); `rest` is the rest of the line."""

    def __init__(self, word: str, rest: str = "") -> None:
        super().__init__(word)
        self.word, self.rest = word, rest


def help_of(pack: Pack) -> str:
    """Return the help on answers and one-letter commands."""
    dice = "your dice (3 and 4: 34), auto to let the companion roll, or an option's number"
    cards = "an option's number or words"
    at_table = pack.about.at_table
    unasked = ", ".join([*["move navigator to bombardier"][: len(at_table.move)], *at_table.tips, *at_table.any_time])
    while_well = f"\nType at any time: {unasked}" if unasked else ""
    return f"Type {dice if pack.uses_dice else cards}. Enter takes the default.\n{HELP}{while_well}"


def all_help_of(mission: Mission) -> str:
    """Return the complete help, with the tips of the pack; a game without dice has no bomber either."""
    pack = mission.game
    tips = [f"\n{typed:<20} {what}" for typed, what in pack.about.at_table.tips.items()]
    again = f"\n{luck:<20} reroll the last dice" if (luck := reroll_command(mission)) else ""
    rolled = [each["t"] for each in reversed(mission.journal.recorded) if each["v"] == "roll"]
    tables = [*rolled, *sorted(number for number, _ in pack.headings.values())]
    table = next((each for each in tables if len(each) == 3 and "-" in each), "")
    return f"{help_of(pack)}\n{BOMBER.format(table) if pack.uses_dice else CARDS}{TIMES}{''.join(tips)}{again}"


def read(typed: str, mission: Mission, *, free: bool) -> Typed | None:
    """Return the command in a line; None if it is an answer.

    Args:
        free: Whether the answer may be any text.
    """
    at_table = mission.game.about.at_table
    if bare(typed) in map(bare, [*at_table.any_time, *(() if free else at_table.tips)]):
        return "mark", typed.lstrip("= ")
    first, _, rest = typed.partition(" ")
    head, rest = SHORT.get(first.casefold(), first.casefold()), rest.strip()
    if re.fullmatch(TAKES.get(head, "(?!)"), rest, re.IGNORECASE):
        return (head, rest) if not free or _sensible(head, rest, mission) else None
    move = move_said(typed) if head == "move" else None
    if move and (not free or _works(lambda: ways_of(mission, *move))):
        return "move", ">".join(move)
    if (spent := at_table.again) and bare(typed).startswith(bare(spent.words)):
        behind = bare(typed).removeprefix(bare(spent.words))
        return ("again", behind) if not behind or figure(behind) is not None else None
    return None


def _sensible(head: str, rest: str, mission: Mission) -> bool:
    """Return whether a line that may be any text is a command: its field or its table exists."""
    if head == "mark":
        return _works(lambda: Phrases(mission.game, mission.state, alone=False).read([rest]))
    named = rest if head == "why" else rest.split()[0] if head in ("roll", "show") else ""
    return not named or figure(named) is not None or _works(lambda: mission.game.table(named))


def _works(look: Callable[[], object]) -> bool:
    try:
        return bool(look())
    except UserError:
        return False


class Flyer:
    """The player at the table, who may type a command where an answer is asked for.

    A move is made again with the answers given so far (`draft`) until it asks nothing more. A command that only reads
    leaves its question on the screen; after one that changes the sheet the move is made again, and may ask another.
    """

    def __init__(self, session: Session, teller: Narrator) -> None:
        self.session, self.mission, self.teller = session, session.mission, teller
        self.stamp = session.stamp  # of the file last seen
        self.since = self.mission.journal.position  # journal entries at the start of this flight
        self.shown_notes: set[str] = set()
        self.draft = Draft()
        self.tray = self.draft.tray
        self.wishes: dict[str, str] = {}  # changes of a plan before a command was typed
        self.question: Question | None = None  # the question of the move, until it is answered
        self.prompt: Prompt | None = None  # the lines on the screen
        self.refused = False  # whether the last line was
        self.until: Callable[[Mission], bool] | None = None  # where to stop; by default nowhere

    @property
    def command(self) -> str:
        return "roll" if self.until else "fly"

    def ends_turn(self, mission: Mission) -> bool:
        """Return whether something was done, nothing is pending, and the next step starts another turn."""
        return mission.journal.position > self.since and mission.waiting() is None and turn_is_over(mission)

    def fresh(self) -> None:
        """Start the next move without answers."""
        self.question, self.draft.answers = None, []

    def moves(self, mission: Mission) -> list[list[Result]]:
        """Make the answered move and all later ones whose answers are known.

        The dice of a line are recorded together, and `u` undoes the line.

        Returns:
            The results of each move; the last is empty when the mission or the flight is over. There are none if an
            answer does not fit, which is told.
        """
        self.mission = mission
        if self.question is not None:  # the player has typed a command first
            return []
        moved, stop = self.draft.moves(mission, self.until)
        if isinstance(stop, UserError):
            if not moved:
                if not self.draft.answers:
                    raise stop
                kept = "" if "Nothing was saved" in str(stop) else "Nothing was saved. "
                say(f"{sentence(str(stop))} {kept}Answer again.")
            self.fresh()  # it comes up again once these moves are saved
        elif stop is not None:
            self.question = stop
        return moved

    def put(self) -> None:
        """Ask the player the move's question."""
        question = self.question
        if question is None:
            return
        prompt = self.prompt = self.prompt_for(question)
        self.teller.tell(self.session, lambda: terminal.rows_of(prompt))
        for each in self.draft.unused:
            wrapped(each, "  ")
        self.draft.unused, self.refused = [], False
        if isinstance(prompt, PlanPrompt):
            prompt = self._planned(prompt)
            answer = prompt.read("")
        else:
            prompt.note = "" if prompt.note in self.shown_notes else prompt.note  # shown only once
            self.shown_notes.add(prompt.note)
            answer = put(prompt, self.ask)
        self.draft.keep(question, answer, prompt, self.mission)
        if isinstance(prompt, DicePrompt):
            self.teller.questions = list(prompt.explained)
        self.question = self.prompt = None

    def prompt_for(self, question: Question) -> Prompt:
        """Return the prompt for a question."""
        try:
            return prompt_of(question, self.mission, self.tray, self.wishes)
        except UserError:  # the earlier changes of a plan no longer fit
            return prompt_of(question, self.mission, self.tray, {})

    def ask(self, text: str) -> str:
        """Return one line; a command typed in its place interrupts the move."""
        typed = terminal.ask(text)
        if self.refused and typed.casefold() in ("u", "undo"):
            wrapped("Nothing of that line was saved. Another u undoes the line before it.", "  ")
            typed = terminal.ask(text)
        self.refused = True  # unless it is accepted
        offers = self.prompt.options if self.prompt is not None else ()
        word = {"y": "yes", "n": "no"}.get(typed.casefold(), "")
        if word and word in [said for each in offers for said in (each.value, each.text.partition(",")[0])]:
            return word
        if command := read(typed, self.mission, free=self.prompt is not None and self.prompt.free):
            raise TypedCommand(*command)
        return typed

    def _planned(self, prompt: PlanPrompt) -> PlanPrompt:
        """Show the plan, and again after each change, until it is accepted."""
        name = prompt.items[0].name
        while True:
            prompt.settled = [each for each in self.teller.settled if each.table == name]
            print("\n".join(terminal.lines_of(prompt)))
            changed = terminal.answered(partial(self._changed, prompt), prompt.line, self.ask)
            if changed is prompt:
                break
            self.prompt, self.refused, self.wishes, prompt = changed, False, dict(changed.wishes), changed
        self.wishes, self.teller.plan = {}, name
        return prompt

    def _changed(self, prompt: PlanPrompt, typed: str) -> PlanPrompt:
        """Return the plan with the typed changes; dice for its follow-up rolls accept it."""
        rolls, likely = prompt.rolls
        if not rolls or typed[:1] not in "123456" and typed.casefold() not in AUTO or not typed:
            return prompt.change(typed)
        thrown = DicePrompt(rolls, self.mission, self.tray, likely)
        dice = cast("list[int]", thrown.read(typed))
        self.tray.lying.insert(0, KeptDice.of(rolls[0], dice, foreseen=False))
        if thrown.told:
            wrapped(thrown.told, "  ")
        return prompt

    def discard_typed(self) -> str:
        """Forget everything typed in advance; return the dice in words."""
        self.forget()
        return self.tray.clear()

    def forget(self) -> None:
        """Forget decisions made in advance; dice stay on the tray."""
        self.wishes, self.draft.plan, self.draft.ahead = {}, {}, []


SCREEN = 20  # the most lines between two questions
LEAST = 5  # the fewest lines for a move
FEW, MANY = 2, 6  # the most results and changes that fit on any screen


class Narrator:
    """Collects the results of moves and prints them together before the next question."""

    def __init__(self, out: Callable[[Iterable[Line]], None] = show, *, asked: bool = True) -> None:
        self.show, self.asked = out, asked  # whether the questions are also on the screen
        self.untold: list[Result] = []
        self.settled: list[Result] = []  # decisions without a choice, to be shown with the question of the others
        self.questions: list[DiceQuestion] = []  # the rolls whose modifiers a question has shown
        self.plan = ""  # the decision made for all together
        self.standing = ""  # the last status line shown
        self.orders: list[str] = []  # the orders at that time
        self.own: set[str] = set()  # tables of the player's rulebook that have been named
        self.begun = True  # whether the mission has been set up
        self.step = ("", "")  # the asking step with its section, unless a move has named it

    def add(self, results: Sequence[Result]) -> None:
        """Keep the results of a move until the next question; a rulebook table is named only once."""
        for result in [each for each in results if each.patched]:
            from companion.packs.folders import REASON

            result.patched = [
                each for each in result.patched if each["reason"] != REASON or each["table"] not in self.own
            ]
            self.own |= {each["table"] for each in result.patched if each["reason"] == REASON}
        self.untold += results

    def tell(self, session: Session, asks: Callable[[], int] = lambda: 4) -> None:
        """Print all pending results, then the status line and the step that asks.

        Args:
            asks: The number of lines that the next question takes.
        """
        results, self.untold = self.untold, []
        self.settled = [] if results else self.settled
        heading: Result | None = None
        rest: list[Result] = []
        for result in results:
            if result.decision and result.settled and not (result.shown or result.then):
                if result.table != self.plan:
                    self.settled.append(result)
                continue
            if result.decision and result.table in session.pack.sheet.fields and not result.then:
                result.text = ""
                if len(result.shown) <= 1:  # what was typed is on the screen
                    result.shown, result.settled = [], True  # which leaves the notes
                    if not result.notes:
                        continue
            ends = result.outcome in NOTHING and rest and (rest[-1].decision, rest[-1].table) == (True, result.table)
            if ends and not (changes_of(result.shown, session.pack).events() or result.notes or result.then):
                continue  # only a line of decisions
            if self.asked and result.decision and untold(describe(result, session), session.pack, result):
                continue  # its question and its result say what was chosen
            if result.step:
                self.plan = ""
                heading = result
                if (
                    not (self.begun or result.notes) and changes_of(result.shown, session.pack).fields
                ):  # the usual start of a mission fills a page and is not worth showing
                    self.show([Line("", [("The sheet is set up by the rulebook (see companion status).", "dim")])])
                    result.shown = []
            if not (result.decision and result.table == self.plan and not (result.then or result.notes)):
                rest.append(result)
        self.begun, waiting, asking = True, session.mission.waiting(), list[tuple[str, str]]()
        if heading is not None and waiting:  # what the asking step says goes under its heading
            asking = [note for note in heading.notes if note[1] == heading.cite]
            heading.notes = [note for note in heading.notes if note not in asking]
        self._results(rest, session, asks)
        if self.settled and not (waiting and waiting.is_for("choose", self.settled[-1].table)):
            self._settled(session)
            self.settled = []
        if results and waiting and waiting.is_for("choose", session.pack.about.at_table.wave.aim):
            self.standing = ""  # the whole zone is shown with the guns
        self.position_status(session)
        question = pending_line(waiting, session.pack, session.mission.state) if waiting else ""
        name, cite = (heading.title, heading.cite) if heading is not None else self.step
        self.step = ("", "")
        if waiting and name and (bare(name) not in bare(question) or len(decisions(session.mission)) > 1):
            self.show([Line("", [(f"── {name}", "step"), (f"  {cite}", "dim")])])
            asking = [(text, "") for text, _ in asking]
        self.show([noted("  ", *note) for note in asking])

    def _results(self, results: Sequence[Result], session: Session, asks: Callable[[], int]) -> None:
        """Print rolls and decisions, in short form if they would fill more than a screen with the question."""
        if len(results) > FEW or sum(len(each.shown) for each in results) > MANY:
            below = len(broken(standing(session), screen_width())) + 2
            most = max(LEAST, SCREEN - below - asks())
            questions = list(self.questions)
            long = in_flight(results, session, questions, asked=self.asked)
            if sum(len(broken(line, screen_width())) for line in long) > most:
                self.questions.clear()
                self.show(briefly(results, session, most))
                return
        self.show(in_flight(results, session, self.questions, asked=self.asked))

    def position_status(self, session: Session) -> None:
        """Print new orders, then the status line if it has changed."""
        orders = [pending_line(item, session.pack) for item in session.mission.pending if not item.waits]
        for each in joined([each for each in orders if each not in self.orders]):
            self.show([Line("", [(f"! {each}", "bad")])])
        self.orders = orders
        line = standing(session)
        if line.text and line.text != self.standing:
            self.standing = line.text
            self.show([line])

    def _settled(self, session: Session) -> None:
        told = []
        for result in self.settled:
            about = Pending("choose", result.table, result.bind).subject(session.pack)
            whom = binding(about, session.pack).removeprefix(" – ")
            if not whom and result.outcome in NOTHING:
                continue
            told.append((whom, result.text or session.pack.sheet.read_out(result.outcome)))
        if told:
            self.show([Line("  ", [(f"- {'; '.join(grouped(told))}", "dim")])])


def briefly(results: Sequence[Result], session: Session, most: int) -> list[Line]:
    """Return the results in paragraphs, within a number of lines; the rest is counted and left to the log.

    The fate of a man is always shown, and so are the last row and steps, which led to the question.
    """

    def lines_of(lines: Sequence[Line]) -> list[Line]:
        return [part for line in lines for part in broken(line, screen_width())]

    rolled, events = rows_in_short(results, session), "; ".join(changes_in_all(results, session.pack).events())
    changed = [Line("    ", [(events, "change")])] if events else []
    whole = [*rolled, *changed, *notes_once(results)]
    lines = lines_of(whole)
    if len(lines) <= most or not session.pack.uses_dice:  # each card that was turned over is told
        return lines
    men, last_steps = lines_of(fates(results, session)), list(takewhile(lambda each: each.step, reversed(results)))
    says = lines_of(notes_once(last_steps[::-1]))
    room = max(0, most - 1 - len(men) - len(says))
    if room < len(lines_of(rolled)):
        says[:0] = lines_of(rows_in_short([each for each in results if not each.step][-1:], session))
        room = max(0, most - 1 - len(men) - len(says))
    cut_off = room not in accumulate(len(lines_of([each])) for each in whole)
    if room and cut_off and (end := (last := lines[room - 1]).text.rfind("; ")) >= 0:  # not in the middle of a name
        lines[room - 1] = Line(last.margin, last.part(0, end + 1))
    more = Line("", [(f"  … {counted(len(lines) - room - len(says), 'line')} more in the log", "dim")])
    return [*lines[:room], *men, more, *says]


# -- a long move in few lines ------------------------------------------------------------------------------------------


def rows_in_short(results: Sequence[Result], session: Session) -> list[Line]:
    """Return a paragraph for each run of a table: `B-5 Where the shells strike – fighter 1: Tail; Waist; fighter 4:
    Nose`.
    """
    lines = []
    told = [(each, describe(each, session, in_flight=True)) for each in results if not each.step]
    told = [(each, of) for each, of in told if each.decision or not untold(of, session.pack, each)]
    for head, run in groupby(told, key=lambda each: "" if each[0].decision else each[1].called):
        rows, whom = list[str](), ""
        for result, each in run:
            what = of_what(result) if result.decision and result.settled else ""
            row = f"{each.net} " * bool(each.dice) + (answered(what, each.result) if what else each.result)
            rows.append(row if each.whom == whom or names_itself(each) else f"{each.whom}: {row}")
            whom = each.whom
        lines.append(Line("  ", [(f"{head} – " if head else "", "dim"), ("; ".join(rows), "row")]))
    return lines


def fates(results: Sequence[Result], session: Session) -> list[Line]:
    """Return the men's fates, using the last change of each: `serious: Copilot Orrin Tate; KIA: Pilot`."""
    sheet, men, about = session.pack.sheet, dict[str, str](), session.pack.about
    lost, called = about.log.lost, about.status.people.name
    for result in results:
        for name, _, after in result.shown:
            index = cut(sheet.fields[name].name)[1]
            if index and sheet.fields[name].name in lost and after not in FREE:
                member = name.rpartition(".")[2]
                man = session.mission.state.get(of_member(called, index, member), "") if called else ""
                men[f"{sheet.label(index, member)} {man}".strip()] = sheet.say(name, after)
    by_fate: dict[str, list[str]] = {}
    for man, fate in men.items():
        by_fate.setdefault(fate, []).append(man)
    told = "; ".join(f"{fate}: {', '.join(names)}" for fate, names in by_fate.items())
    return [Line("  ", [(told, "strong")])] if told else []


def notes_once(results: Sequence[Result]) -> list[Line]:
    """Return the notes of rules, each once."""
    return [noted("  ", *note) for note in dict.fromkeys(note for result in results for note in result.notes)]


def changes_in_all(results: Sequence[Result], pack: Pack) -> Changes:
    """Return the combined changes of several moves, as shown in flight."""
    whole: dict[str, tuple[Value, Value]] = {}
    for result in results:
        for name, before, after in result.shown:
            if not (result.decision and name == result.table):
                whole[name] = (whole.get(name, (before, after))[0], after)
    return changes_of([(name, *pair) for name, pair in whole.items()], pack, in_flight=True)
