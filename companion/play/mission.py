"""A mission being flown: the state, what is pending, and the journal, moved on by rolls, decisions and marks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from companion.engine.needs import Hand, Item, NeedAnswer, NeedChoice, NeedOutcome, Option, Result
from companion.engine.play import Play
from companion.engine.sheet import CROSSED, WRITTEN, Facts, Value
from companion.play.journal import Entry, Journal, entry, settled, steps_back
from companion.problems import Problem
from companion.words import printed

if TYPE_CHECKING:
    from companion.engine.game import Game
    from companion.engine.sequence import Step


class Mission:
    """One mission of a campaign, or (without a number) the empty sheet that a bare lookup works on."""

    def __init__(
        self,
        game: Game,
        state: dict[str, Value] | None = None,
        pending: list[Item] | None = None,
        journal: Journal | None = None,
        number: int | None = None,
    ) -> None:
        self.game, self.number = game, number
        self.state: dict[str, Value] = {} if state is None else state
        self.pending: list[Item] = [] if pending is None else pending
        self.journal = Journal() if journal is None else journal
        self.noting = True  # whether results say which facts were assumed
        self._play: Play | None = None

    def _open(self, given: Mapping[str, Value] | None = None, *, asking: bool = False) -> Play:
        """The working copy, which stands on the same state: `_keep` keeps what it does, `take_back` undoes it."""
        play = self._play
        if play is None or play.state is not self.state:
            play = self._play = Play(self.game, self.state)
            self.state = play.state
        play.noting = self.noting
        play.open(self.pending, given or {}, asking=asking, born=self.journal.stand + 1)
        return play

    def before(self, by: object) -> list[Result]:
        """Let a script do what it has to do before the next question; gives what it rolled."""
        writes = getattr(by, "writes", None)
        results: list[Result] = writes(self) if writes is not None else []
        return results

    def options(self, item: Item) -> list[Option]:
        """The legal answers to a pending decision."""
        return self._open().options_of(item)

    def decision(self, item: Item) -> NeedChoice:
        """A pending decision as the question that it is."""
        return self._open().decision(item)

    def question(self, item: Item) -> NeedAnswer:
        """A pending question about one field."""
        return self._open().question(item)

    def take_back(self, count: int = 1) -> list[Entry]:
        """Undo the last `count` things that somebody was asked for or did, each with what settled itself after it."""
        stand = self.journal.stand
        done = [at for at, made in enumerate(self.journal.entries[:stand]) if not settled(made)]
        if not done:
            raise Problem("nothing to undo: this is the start of the mission")
        if not 1 <= count <= len(done):
            raise Problem(f"cannot undo {count}; {steps_back(len(done), 'undone')}")
        return self.undo(stand - done[-count])

    def put_forward(self, count: int = 1) -> list[Entry]:
        """Redo the next `count` things that were taken back, each with what settles itself after it."""
        entries, at, found = self.journal.entries, self.journal.stand, 0
        while at < len(entries) and found < count:
            at += 1
            while at < len(entries) and settled(entries[at]):
                at += 1
            found += 1
        if 0 < found < count:
            raise Problem(f"cannot redo {count}; {steps_back(found, 'redone')}")
        return self.redo(max(1, at - self.journal.stand))

    def waiting(self) -> Item | None:
        """The first pending roll or decision; standing orders are for the player and wait for nobody."""
        for item in self.pending:
            if "order" not in item:
                return item
        return None

    def asked(self, table: str) -> Item | None:
        """The first pending roll of that table, so that naming it resolves it."""
        return next((item for item in self.pending if item.get("roll", "").casefold() == table.casefold()), None)

    def roll(
        self,
        table: str | None,
        hand: Hand,
        given: Mapping[str, Value] | None = None,
        *,
        outcome: str | None = None,
        asking: bool = False,
        answers: Mapping[str, Value] | None = None,
        single: bool = False,
    ) -> list[Result]:
        """Resolve a table (or what is pending first) and the rolls it starts for which there are dice.

        `answers` are facts that the player has just been asked for; they are written on the sheet. Nothing is
        changed when something is missing or wrong. Returns the results in order; the first is the one asked for.
        """
        given = dict(given or {})
        item = self.waiting() if table is None else self.asked(table)
        if item is None and table is None:
            raise Problem("nothing is pending; name a table, one of those in: companion tables list")
        made: list[tuple[Entry, Result]] = []
        play = self._open(given, asking=asking)
        try:
            if answers:
                self._write(play, answers, made)
            first_born = 0 if item is not None else play.born
            self._resolve(play, item, table, hand, outcome, given, made)
            while (following := self._following(play, hand, first_born, made[-1][1])) is not None:
                if single and not self._needs_nobody(following):
                    break
                self._resolve(play, following, None, hand, None, given, made)
            if hand.groups:
                left = "/".join(",".join(map(str, group)) for group in hand.groups)
                raise Problem(f"the dice {left} are left over: {made[-1][1].table} asks for no further roll")
        except BaseException:
            play.take_back()
            raise
        return self._keep(play, made)

    def advance(self) -> list[Result]:
        """Take the next steps of the sequence, and resolve what needs nobody; empty when the mission is over."""
        play = self._open()
        try:
            before = list(play.pending)
            result = play.advance()
            if result is None:
                return []
            made = [(entry("step", result, {}, before, play.pending), result)]
            first_born = play.born
            play.born += 1
            hand = Hand()
            while (following := self._following(play, hand, first_born, result)) is not None:
                self._resolve(play, following, None, hand, None, {}, made)
        except BaseException:
            play.take_back()
            raise
        return self._keep(play, made)

    def coming(self, count: int = 6) -> list[Step]:
        """The next steps as things stand now, without doing them; what they bring may change those after."""
        steps, facts = self.game.sequence, Facts(self.game.sheet, self.state)
        at = steps.after(str(facts["step"]))
        found: list[Step] = []
        for _ in range(len(steps.steps)):
            if at >= len(steps.steps) or len(found) == count:
                break
            step = steps.steps[at]
            due = step.due(facts)
            if due and step.go is None:
                found.append(step)
            at = steps.target(step) if due and step.go is not None else at + 1
        return found

    def _needs_nobody(self, item: Item) -> bool:
        """Whether an item settles itself: a single legal option, a row without dice."""
        return "roll" not in item or "take" in item or self.game.table(item["roll"]).dice.count == 0

    def _following(self, play: Play, hand: Hand, first_born: int, last: Result) -> Item | None:
        """The next pending thing of this command that can be resolved without asking anybody."""
        item = None
        for item in play.pending:
            if "order" not in item:
                break
        else:
            return None
        if item.get("born", 0) < first_born:
            return None
        if "ask" in item:
            return None
        if "choose" in item:
            return item if len(play.options_of(item)) == 1 else None
        table = self.game.table(item["roll"])
        if table.unwritten:
            return None
        needs_none = "take" in item or table.dice.count == 0
        own_die = hand.rng is not None and item["roll"].startswith(last.table.partition(".")[0] + ".")
        return item if needs_none or hand.groups or own_die else None

    def _resolve(
        self,
        play: Play,
        item: Item | None,
        table: str | None,
        hand: Hand,
        outcome: str | None,
        given: Mapping[str, Value],
        made: list[tuple[Entry, Result]],
    ) -> None:
        before = list(play.pending)
        if item is not None and "choose" in item:
            result, verb = play.choose(item, outcome), "choose"
        elif item is not None and "ask" in item:
            result, verb = play.put(item, outcome), "ask"
        else:
            name = item["roll"] if item else str(table)
            bind, take = (item.get("bind", {}), item.get("take")) if item else ({}, None)
            result = play.roll(name, hand, bind, outcome=outcome, take=take, item=item)
            verb = "roll"
            first = made[-1][1] if made else None
            if first is not None and result.table == f"{first.table}.{first.outcome}" and result.formula:
                if "s" in made[-1][0]:
                    made[-1][0]["s"] = first.outcome
                made[-1][0]["o"] = first.outcome = result.outcome
        written = entry(verb, result, given, before, play.pending)
        if not result.dice and outcome is None and table is None:
            written["a"] = 1  # settled itself: nobody asked for it or was asked
        if verb == "roll" and outcome is not None:
            said = str(printed(outcome))  # the row was said, not looked up; a number may have been worked on
            written["s"] = 1 if said == result.outcome else said
        made.append((written, result))
        play.born += 1

    def _write(self, play: Play, values: Mapping[str, Value], made: list[tuple[Entry, Result]]) -> None:
        before, asking = list(play.pending), play.facts.asking
        play.facts.ask(False)  # what follows from an answer asks nothing before the answer stands
        try:
            result = play.write(values, "set")
        finally:
            play.facts.ask(asking)
        made.append((entry("set", result, _untold(values, result), before, play.pending), result))
        play.born += 1

    def _keep(self, play: Play, made: Sequence[tuple[Entry, Result]]) -> list[Result]:
        play.close()
        self.pending = play.pending
        for each, _ in made:
            self.journal.add(each)
        return [result for each, result in made if each["v"] != "set"]

    def write(self, values: Mapping[str, Value], verb: str = "set") -> Result:
        """Write fields by hand; standing rules follow."""
        play = self._open()
        before = list(play.pending)
        try:
            result = play.write(values, verb)
        except BaseException:
            play.take_back()
            raise
        given = _untold(values, result) if verb == "set" else {}
        self._keep(play, [(entry(verb, result, given, before, play.pending), result)])
        return result

    def cross(self, field: str, count: int, verb: str = "mark") -> Result:
        """Cross off boxes or count hits, or `erase` them; a box that is not there is refused."""
        if count < 1:
            raise Problem(f"cannot {verb} {count}; give a number from 1 upward")
        sheet = self.game.sheet
        name = self._open().concrete(sheet.writable(sheet.find(field, WRITTEN, crossed=True))) or field
        declared = sheet.fields.get(name)
        if declared is None or declared.kind not in CROSSED:
            raise Problem(f"{name} has no boxes; use: companion set {name}=VALUE")
        before = int(self.state.get(name, declared.blank))
        after = before + count if verb == "mark" else before - count
        if after < declared.low:
            raise Problem(f"{sheet.text(name)}: only {before - declared.low} can be erased, not {count}")
        if declared.limit is not None and after > declared.limit:
            left = declared.limit - before
            raise Problem(f"{sheet.text(name)}: {left} of {declared.limit} boxes are left, not {count}")
        return self.write({name: after}, verb)

    def done(self, place: int) -> Item:
        """Strike a standing order (counted from 1 among the orders) that the player has carried out."""
        orders = [item for item in self.pending if "order" in item]
        if not 1 <= place <= len(orders):
            raise Problem(f"there is no order {place}; {len(orders)} stand" if orders else "no orders stand")
        before, struck = list(self.pending), orders[place - 1]
        self.pending = [item for item in self.pending if item is not struck]
        result = Result("done", outcome=struck["order"])
        self.journal.add(entry("done", result, {}, before, self.pending))
        return struck

    def undo(self, count: int = 1) -> list[Entry]:
        """Take back the last entries."""
        self._play = None
        return self.journal.undo(count, self.state, self.pending)

    def redo(self, count: int = 1) -> list[Entry]:
        """Put undone entries forward again."""
        self._play = None
        return self.journal.redo(count, self.state, self.pending)

    def again(self, number: int) -> tuple[Entry, Result | None, dict[str, Value]]:
        """The entry of that number worked out once more on the sheet as it stood then, without touching this mission.

        Gives the entry, its result (None for mere writing on the sheet), and the state just before it.
        """
        if not self.journal.stand:
            raise Problem("nothing has been recorded in this mission")
        if not 1 <= number <= self.journal.stand:
            raise Problem(f"there is no entry {number}; the journal has 1 to {self.journal.stand}")
        state, pending = dict(self.state), list(self.pending)
        Journal(self.journal.entries, self.journal.stand).undo(self.journal.stand - number + 1, state, pending)
        made = self.journal.entries[number - 1]
        play = Play(self.game, state, pending, made.get("w", {}), born=number)
        return made, self._once_more(play, made), state

    def _once_more(self, play: Play, made: Entry) -> Result | None:
        said = made.get("o")
        if made["v"] == "step":
            return play.advance()
        if made["v"] not in ("roll", "choose", "ask"):
            return None
        key = made["v"]
        taken = made["p"][1] if "p" in made else []
        fits = [each for each in [*taken, *play.pending] if each.get(key) == made["t"] and each in play.pending]
        item = fits[0] if fits else None
        if key == "roll":
            return self._rolled(play, made, item)
        if item is None:
            raise Problem(f"{made['t']} is no longer to be found in this game")
        return play.choose(item, said) if key == "choose" else play.put(item, said)

    def _rolled(self, play: Play, made: Entry, item: Item | None) -> Result:
        bind, take = (item.get("bind", {}), item.get("take")) if item else (made.get("b", {}), None)
        pending, state = list(play.pending), dict(play.state)

        def roll(outcome: str | None) -> Result:
            play.pending, hand = list(pending), Hand([made["d"]] if made.get("d") else [])
            return play.roll(made["t"], hand, bind, outcome=outcome, take=take, item=item)

        if not self.game.table(made["t"]).unwritten:
            try:
                return roll(None)
            except NeedOutcome:
                play.state = state
        said = made.get("s")
        return roll(said if isinstance(said, str) else str(made.get("o", "none")))


def _untold(values: Mapping[str, Value], result: Result) -> Mapping[str, Value]:
    """The facts that were written, where the changes do not tell them: something followed, or stood so already."""
    told = [(name, after) for name, (_, after) in result.changes.items()]
    return {} if told == list(values.items()) else values
