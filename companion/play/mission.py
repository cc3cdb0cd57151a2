"""A mission in progress: its state, pending list and journal, changed by rolls, decisions and edits, or replayed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

from companion.engine.dice import Hand
from companion.engine.facts import FactQuestion, Facts
from companion.engine.fields import Value, insisted
from companion.engine.play import Play
from companion.engine.questions import KINDS, DiceQuestion, Option, Pending, RowQuestion, Talk, settle
from companion.engine.resolution import Result
from companion.engine.rules import END, START, Step
from companion.engine.sheet import CROSSED
from companion.engine.tables import Table
from companion.play.journal import Entry, Journal, dice_of, join
from companion.problems import MissingAnswer, Question, SystemFault, UserError
from companion.words import counted, printed

if TYPE_CHECKING:
    import random

    from companion.packs import Pack

MOVES = 10_000  # more steps than any mission has
MOST_RESULTS = 2_000  # more actions between two steps than any turn has


class Answers:
    """The answers known for one move.

    Attributes:
        groups: Dice, one group for each roll. With a `seed` missing dice are rolled, the same ones at every attempt.
        given: Facts for this move only.
        written: Facts that the player was asked for; they are written on the sheet.
        outcome: The row of the player's rulebook, the option or the value.
    """

    def __init__(
        self,
        groups: Sequence[Sequence[int]] = (),
        given: dict[str, Value] | None = None,
        outcome: str | None = None,
        seed: int | None = None,
    ) -> None:
        self.groups, self.given, self.outcome, self.seed = groups, given or {}, outcome, seed
        self.written: dict[str, Value] = {}

    def hand(self, rng: random.Random | None = None) -> Hand:
        """Return the dice for one move; `rng` rolls for an automatic player."""
        if self.seed is not None:
            from random import Random  # takes 2 ms to import

            rng = Random(self.seed)
        return Hand(self.groups, rng)


class Mission:
    """One mission of a campaign, or (without a number) an empty sheet for lookups."""

    def __init__(
        self,
        game: Pack,
        state: dict[str, Value] | None = None,
        pending: list[Pending] | None = None,
        journal: Journal | None = None,
        number: int | None = None,
    ) -> None:
        self.game, self.number = game, number
        self.state: dict[str, Value] = {} if state is None else state
        self.pending: list[Pending] = [] if pending is None else pending
        self.journal = Journal() if journal is None else journal
        self.noting = True  # whether results include texts and list the assumed facts
        self._play: Play | None = None
        self.since_step = 0  # results since the last step

    def facts(self) -> Facts:
        """Return the sheet as a table reads it."""
        return Facts(self.game.sheet, self.state)

    def _open(self, given: Mapping[str, Value] | None = None, *, asking: bool = False) -> Play:
        """Return the working copy of the state: `_work` keeps its changes, `abandon` undoes them."""
        play = self._play
        if play is None or play.state is not self.state:
            play = self._play = Play(self.game, self.state)
            self.state = play.state
        if self.noting:  # a rehearsal keeps the players' names
            self.game.sheet.nicknames.state = self.state
        play.noting, play.bare = self.noting, self.number is None
        play.open(self.pending, given or {}, asking=asking, born=self.journal.position + 1)
        return play

    @contextmanager
    def _work(self, given: Mapping[str, Value] | None = None, *, asking: bool = False) -> Iterator[Command]:
        """Yield a command on the working copy. Without an entry, or after an exception, its changes are discarded."""
        play = self._open(given, asking=asking)
        command = Command(self, play, dict(given or {}))
        try:
            yield command
        except BaseException:
            play.abandon()
            raise
        if not command.record:
            play.abandon()
            return
        play.close()
        self.pending = play.pending
        self.since_step += len(command.record)
        for entry, _ in command.record:
            self.journal.add(entry)

    # -- pending things ------------------------------------------------------------------------------------------------

    def waiting(self) -> Pending | None:
        """Return the first pending roll or decision; orders are for the player to carry out."""
        return next((item for item in self.pending if item.waits), None)

    def asked(self, table: str, given: Mapping[str, Value] | None = None) -> Pending | None:
        """Return the first pending roll of that table, only for the member (fighter, gun) `given`, if any."""
        wanted = table.casefold()
        meant = [(name, value) for name, value in (given or {}).items() if name in self.game.sheet.index]
        for item in self.pending:
            named = item.kind == "roll" and item.name.casefold() == wanted
            if named and all(item.bind.get(name, value) == value for name, value in meant):
                return item
        return None

    def options(self, item: Pending) -> list[Option]:
        """Return the legal answers to a pending decision."""
        return self._open().options_of(item)

    def question(self, item: Pending, *, asking: bool = False) -> Question | None:
        """Return the first question of a pending thing; None if it needs no answer."""
        play = self._open(asking=asking)
        try:
            settle(play.talk(item, Hand()))
        except MissingAnswer as missing:
            return missing.question
        except UserError:
            pass
        finally:
            play.abandon()
        return None

    def dice_question(self, item: Pending) -> DiceQuestion | None:
        """Return the dice that a pending roll will ask for; None if there are none or another question comes first."""
        question = self.question(item, asking=True)
        return question if isinstance(question, DiceQuestion) else None

    def coming(self, count: int = 6) -> list[Step]:
        """Return the next steps on the current sheet, without taking them; their results may change later ones."""
        sequence, facts = self.game.sequence, self.facts()
        at = sequence.after(str(facts["step"]))
        steps: list[Step] = []
        for _ in range(len(sequence.steps)):
            if at >= len(sequence.steps) or len(steps) == count:
                break
            step = sequence.steps[at]
            due = step.due(facts)
            if due and step.go is None:
                if step in steps:  # the steps repeat from here
                    break
                steps.append(step)
                if self._leads_on(step):
                    break
            at = sequence.target(step) if due and step.go is not None else at + 1
        return steps

    @property
    def joining(self) -> int:
        """Return the index of the step at which a flight joins a board in mid-mission; -1 if a game has none.

        It follows the steps that ask what is on the board, and its decision says where to go on.
        """
        sequence = self.game.sequence
        return next((sequence.place[step.id] for step in sequence.steps if self._leads_on(step)), -1)

    def _leads_on(self, step: Step) -> bool:
        """Return whether a step asks for a decision that determines the next step, whatever is chosen."""
        done = [option.get("do", ()) for name in step.asked("choose") for option in self.game.choice(name)["option"]]
        return bool(done) and all(any(str(line).startswith("step =") for line in lines) for lines in done)

    # -- rolls and decisions -------------------------------------------------------------------------------------------

    def talk(
        self,
        table: str | None,
        hand: Hand,
        answers: Answers | None = None,
        *,
        asking: bool = False,
        single: bool = False,
    ) -> Talk[list[Result]]:
        """Resolve a table (or the first pending thing) and its follow-up rolls, as far as there are dice.

        Questions are asked as they come up. Nothing is recorded until all are answered, nor after an error (UserError)
        or if the talk is closed.

        Args:
            hand: The dice of the answers, then those of a player who rolls automatically.
            asking: Ask even for facts that have a default.
            single: Resolve only one roll, even if there are dice for its follow-ups.

        Returns:
            The results in order; the first is the one asked for.
        """
        answers = answers or Answers()
        item = self.waiting() if table is None else self.asked(table, answers.given)
        if item is None and table is None:
            raise UserError(
                "No roll is pending. Name a table, e.g. companion roll TABLE. List them: companion tables list"
            )
        with self._work(answers.given, asking=asking) as command:
            if answers.written:
                command.write(answers.written)
            first_born = 0 if item is not None else command.play.born
            yield from command.resolve(item, hand, table, answers.outcome)
            while (following := command.following(hand, first_born, named=table is not None)) is not None:
                if single and following.kind == "roll" and not command.needs_no_dice(following):
                    break
                yield from command.resolve(following, hand)
                join([entry for entry, _ in command.record[-2:]])
            if hand.groups:
                left = "/".join(",".join(map(str, group)) for group in hand.groups)
                last = command.record[-1][1].table
                raise UserError(f"Too many dice: {left} isn't needed. {last} has no follow-up roll.")
            if item is None:
                command.take_step(self.game.table(str(table)))
        return command.results

    def roll(
        self,
        table: str | None,
        hand: Hand,
        given: Mapping[str, Value] | None = None,
        *,
        outcome: str | None = None,
        single: bool = False,
    ) -> list[Result]:
        """Resolve a table like `talk`, without asking."""
        return settle(self.talk(table, hand, Answers((), dict(given or {}), outcome), single=single))

    def decide(self, item: Pending, option: str) -> list[Result]:
        """Take an option of a decision that is not pending, at the player's request."""
        with self._work() as command:
            command.note("choose", settle(command.play.talk(item, Hand(), option)))
        return command.results

    def advance(self) -> list[Result]:
        """Take the next steps and resolve everything automatic; return nothing when the mission is over."""
        with self._work() as command:
            first_born, self.since_step = command.play.born, 0
            try:
                result = command.play.advance()
            except RecursionError as error:
                raise SystemFault(f"{self.game.name}: {error} never ends.") from None
            if result is not None:
                command.note("step", result)
                hand = Hand()
                while (following := command.following(hand, first_born)) is not None:
                    settle(command.resolve(following, hand))
        return command.results

    # -- edits by the player -------------------------------------------------------------------------------------------

    def write(self, values: Mapping[str, Value], verb: str = "set") -> Result:
        """Write fields for the player; standing rules follow. Record nothing without a change."""
        index = self.game.about.at_table.wave.index
        with self._work() as command:
            play, before, fields = command.play, command.before, self.game.sheet.fields
            nobody = self.joining > 0 and not (index and play.facts.there(index))
            result = play.write(values, verb)
            # the first fighter of a wave, on the sheet between two steps: go on from it as from a board in mid-mission
            if nobody and "step" not in values and index and play.facts.there(index) and command.rests():
                result.changes.update(play.write({"step": self.game.sequence.steps[self.joining - 1].id}, verb).changes)
            said = any(fields[name].ask for name in result.changes)  # a pending question about it is now answered
            if not (result.notes or play.pending != before or result.shown or said):
                return Result(verb, verb)
            given = _beyond_changes(values, result) if verb == "set" else {}
            command.note(verb, result, given)
        return result

    def cross(self, field: str, count: int, verb: str = "mark") -> Result:
        """Cross off boxes or count hits, or `erase` them; refuse boxes that do not exist."""
        if count < 1:
            raise UserError(f"The number of boxes must be 1 or more, not {count}.")
        sheet = self.game.sheet
        name = self._open().concrete(field) or field
        declared = sheet.fields.get(name)
        if declared is None or declared.kind not in CROSSED:
            raise UserError(f"{name} has no boxes. Use: companion set {name}=VALUE")
        before = int(self.state.get(name, declared.blank))
        after = before + count if verb == "mark" else before - count
        if after < declared.low:
            raise UserError(f"{sheet.text(name)}: only {before - declared.low} can be erased, not {count}.")
        if declared.limit is not None and after > declared.limit:
            left = declared.limit - before
            raise UserError(f"{sheet.text(name)}: only {left} of {declared.limit} boxes are left, not {count}.")
        return self.write({name: after}, verb)

    def done(self, place: int) -> Pending:
        """Tick off an order (numbered from 1) that the player has carried out."""
        orders = [item for item in self.pending if not item.waits]
        if not orders:
            skip = " To skip a pending roll or decision: companion skip" if self.waiting() else ""
            raise UserError(f"There are no orders.{skip}")
        return self._strike("done", orders, place, f"There is no order {place}, only {len(orders)}.")

    def skip(self, place: int = 1) -> Pending:
        """Skip a pending roll, decision or question (numbered from 1)."""
        waiting = [item for item in self.pending if item.waits]
        there = (
            f"Only {counted(len(waiting), 'roll or decision', 'rolls or decisions')} can be skipped."
            if waiting
            else "There is nothing to skip."
        )
        return self._strike("skip", waiting, place, f"{there} See: companion next")

    def _strike(self, how: str, items: Sequence[Pending], place: int, refusal: str) -> Pending:
        if not 1 <= place <= len(items):
            raise UserError(refusal)
        before, struck = list(self.pending), items[place - 1]
        self.pending = [item for item in self.pending if item is not struck]
        self.journal.add(self.journal.entry("done", Result(how, outcome=struck.name), {}, before, self.pending))
        return struck

    # -- undo and redo -------------------------------------------------------------------------------------------------

    def undo(self, count: int = 1) -> list[Entry]:
        """Undo the last `count` player actions, each with its automatic entries.

        Returns:
            The entries, the last one first.
        """
        return self.go_to_entry(self.journal.before(count))

    def redo(self, count: int = 1) -> list[Entry]:
        """Redo the next `count` undone actions, each with its automatic entries."""
        return self.go_to_entry(self.journal.position_after(count))

    def go_to_entry(self, position: int) -> list[Entry]:
        """Go back or forward to that many entries (0 is the start of the mission); return the affected ones."""
        self._play = None
        return self.journal.step_to(position, self.state, self.pending)


class Command:
    """One command on the working copy of a mission: its entries, to be recorded together, each with its result."""

    def __init__(self, mission: Mission, play: Play, given: dict[str, Value]) -> None:
        self.mission, self.game, self.play, self.given = mission, mission.game, play, given
        self.record: list[tuple[Entry, Result]] = []
        self.before = list(play.pending)  # the pending list before the next entry

    @property
    def results(self) -> list[Result]:
        """Return the results, without the facts written with them."""
        return [result for entry, result in self.record if entry["v"] != "set"]

    def note(self, verb: str, result: Result, given: Mapping[str, Value] | None = None) -> Entry:
        """Add an entry, and return it."""
        entry = self.mission.journal.entry(verb, result, given or {}, self.before, self.play.pending)
        self.record.append((entry, result))
        self.before = list(self.play.pending)
        self.play.born += 1
        return entry

    def write(self, values: Mapping[str, Value]) -> None:
        """Write answers on the sheet; rules that follow from them ask for nothing."""
        asking = self.play.facts.asking
        self.play.facts.ask(False)
        try:
            result = self.play.write(values, "set")
        finally:
            self.play.facts.ask(asking)
        self.note("set", result, _beyond_changes(values, result))

    def resolve(
        self, item: Pending | None, hand: Hand, table: str | None = None, outcome: str | None = None
    ) -> Talk[None]:
        """Resolve a pending thing, or a table named by the player, and pass on its questions.

        Answers about facts are written on the sheet, or used for this roll only if the sheet has no such field.
        """
        if self.mission.since_step + len(self.record) > MOST_RESULTS:
            name = str(item.name if item and item.kind == "roll" else table or "the sequence")
            raise SystemFault(f"{self.game.name}: the rolls that follow {name} never end.")
        play, verb, answer = self.play, item.kind if item else "roll", None
        talk = play.talk(item, hand, outcome) if item else play.roll(str(table), hand, outcome=outcome)
        prompted = outcome is not None or table is not None  # or by a question other than for a fact
        while True:
            try:
                question = talk.send(answer)
            except StopIteration as done:
                result: Result = done.value
                break
            answer = yield question
            if not isinstance(question, FactQuestion):
                prompted = True
            elif self.mission.number is not None and question.name in self.game.sheet.fields:
                self.write({question.name: answer})
            else:
                self.given[question.name] = play.given[question.name] = answer
                play.facts.bind({question.name: answer})
        last = self.record[-1][1] if self.record else None
        if last and result.formula and result.table == f"{last.table}.{last.outcome}":
            last.outcome = result.outcome  # show the number that the row's dice came to
        entry = self.note(verb, result, self.given)
        if not prompted and not result.dice:
            result.settled = True
            entry["a"] = 1  # automatic: not requested, and without a question
        if verb == "roll" and result.said is not None:
            row = str(printed(result.said))  # the row was given, not looked up; a number may have been adjusted
            entry["s"] = 1 if row == result.outcome else row

    def needs_no_dice(self, item: Pending) -> bool:
        """Return whether a pending roll can be made without dice."""
        return item.take is not None or self.game.table(item.name).dice.count == 0

    def following(self, hand: Hand, first_born: int, *, named: bool = False) -> Pending | None:
        """Return the next pending thing of this command that can be resolved without asking.

        Dice given for a table (`named`) are used for its follow-up rolls, never for older ones.
        """
        item = next((each for each in self.play.pending if each.waits), None)
        if item is None or item.born < first_born:
            return None
        if named and hand.groups and not any(item is each for each in self.play.started):
            return None
        if item.kind == "choose":
            try:
                return item if len(self.play.options_of(item)) == 1 else None
            except MissingAnswer:  # asked for together with the decision
                return None
        if item.kind != "roll" or self.game.table(item.name).unwritten:
            return None
        own_die = hand.rng is not None and item.name.startswith(self.record[-1][1].table.partition(".")[0] + ".")
        return item if self.needs_no_dice(item) or hand.groups or own_die else None

    def take_step(self, table: Table) -> None:
        """Take the step for a table with which the player started a wave or a combat by hand.

        The mission goes on after that step. Nothing older may be pending.
        """
        names = (table.id, str(table.doc.get("until", table.id)))
        if names[1] in self.game.sheet.until and self.rests(self.play.started):
            asking = [step for name in names for step in self.game.sequence.steps if name in step.asked("roll")]
            if asking:
                self.write({"step": asking[0].id})
                join([entry for entry, _ in self.record[-2:]])

    def rests(self, but: Sequence[Pending] = ()) -> bool:
        """Return whether a flight is under way and nothing is pending except `but`."""
        flying = self.mission.number is not None and self.play.state.get("step", START) not in ("", START, END)
        return flying and all(not item.waits or item in but for item in self.play.pending)


def _beyond_changes(values: Mapping[str, Value], result: Result) -> Mapping[str, Value]:
    """Return the written facts that differ from the recorded changes, because of a rule or an earlier value."""
    changed = [(name, after) for name, (_, after) in result.changes.items()]
    return {} if changed == list(values.items()) else values


def rehearsal(mission: Mission, *, noting: bool = False) -> Mission:
    """Return a copy of a mission for trial moves, or for looking at it while a talk is open.

    Args:
        noting: Whether its results include texts.
    """
    journal = Journal(mission.journal.recorded)
    copy = Mission(mission.game, dict(mission.state), list(mission.pending), journal, mission.number)
    copy.noting = noting
    return copy


def turn_is_over(mission: Mission) -> bool:
    """Return whether the next step starts another turn."""
    ahead = rehearsal(mission)
    ahead.advance()
    return ahead.state.get("turn") != mission.state.get("turn")


# -- earlier states ----------------------------------------------------------------------------------------------------


def rewound(mission: Mission, entries: int) -> Mission:
    """Return a copy of a mission as it was after that many journal entries."""
    earlier = rehearsal(mission)
    earlier.go_to_entry(entries)
    return earlier


def replay_entry(mission: Mission, number: int) -> tuple[Entry, Result | None, dict[str, Value]]:
    """Return the journal entry of that number, its replayed result, and the state just before it.

    The result is None for an edit of the sheet. Raise UserError if there is no such entry.
    """
    journal = mission.journal
    if not journal.position:
        raise UserError(f"Nothing has been recorded in this {mission.game.sheet.flight}. Start with: companion fly")
    if not 1 <= number <= journal.position:
        raise UserError(f"There is no entry {number}. The journal has 1 to {journal.position}.")
    earlier, entry = rewound(mission, number - 1), journal.entries[number - 1]
    return entry, replay(earlier, entry), earlier.state


def replay(earlier: Mission, entry: Entry) -> Result | None:
    """Replay an entry on the mission as it was just before; return None for an edit of the sheet."""
    verb = entry["v"]
    if verb not in ("step", *KINDS):
        return None
    play = Play(earlier.game, earlier.state, earlier.pending, entry.get("w", {}), born=earlier.journal.position + 1)
    play.recorded = True
    if verb == "step":
        return play.advance()
    taken = map(Pending.of, entry["p"][1] if "p" in entry else ())
    asked = [each for each in [*taken, *earlier.pending] if each.is_for(verb, entry["t"])]
    item = next((each for each in asked if each in earlier.pending), None)
    if item is None and verb == "ask":
        raise UserError(f"{entry['t']} is no longer in this game.")
    known = item or Pending(verb, entry["t"], entry.get("b", {}))  # what the player named need not be pending
    if verb == "roll":
        hand, row = Hand([dice] if (dice := dice_of(entry)) else []), entry.get("s")
        row = insisted(row if isinstance(row, str) else str(entry.get("o", "none")))
        said = row if earlier.game.table(entry["t"]).unwritten else None
        talk = play.talk(known, hand, said, by_hand=item is None)
        return settle(talk, lambda question: row if isinstance(question, RowQuestion) else None)
    return settle(play.talk(known, Hand(), known.recorded(str(entry.get("o", "")), earlier.game)))


class Scene(NamedTuple):
    """A journal entry: its number, its result (if wanted and unchanged), and the sheet after it.

    The sheet is reused by the next scene.
    """

    number: int
    entry: Entry
    result: Result | None
    state: Mapping[str, Value]


def scenes(
    mission: Mission, wanted: Callable[[Entry], bool] = lambda entry: False, *, after: int = 0
) -> Iterator[Scene]:
    """Yield the journal entries in order, or those `after` a number of them, replaying the wanted ones.

    An entry has no result if its table has changed and no longer gives the recorded one.
    """
    twin = rewound(mission, after)
    for number, entry in enumerate(mission.journal.recorded[after:], after + 1):
        result = None
        if wanted(entry):
            with suppress(UserError):
                result = replay(twin, entry)
        if result is not None and not result.step and result.outcome != entry.get("o", result.outcome):
            result = None
        twin.go_to_entry(number)
        yield Scene(number, entry, result, twin.state)
