"""A random walk of rolls by hand: any table on any sheet, and the facts that are not on it.

`python -m tests.by_hand 10000` prints facts that changed a roll unseen or stopped it halfway, results that claim a
change without one, pending things without an answer, sheets from which no flight ends, and for boards in mid-mission
lost edits, flights that do not join or end, and states that undo did not reach.
"""

import random
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from companion.engine.facts import FactQuestion, Facts
from companion.engine.fields import Field, Spec, Value
from companion.engine.questions import RowQuestion
from companion.engine.resolution import Resolution, Result
from companion.engine.sheet import Bound, Derived
from companion.engine.tables import Table, sub
from companion.packs import Pack
from companion.play.conversation import Chance, move, resolve
from companion.play.members import Fighters
from companion.play.mission import Answers, Mission
from companion.problems import UserError

Sheet = dict[str, Value]
GAMES = ("b29", "b29-streamliner", "b17", "bombs-away")


def every_table(pack: Pack) -> list[Table]:
    """Return every table, with its notes and sub-rolls."""

    def below(table: Table) -> Iterator[Table]:
        yield table
        for name in [*table.doc.get("sub", {}), *table.doc.get("outcome", {})]:
            inner = sub(table, name) if "{" not in name else None
            if inner is not None:
                yield from below(inner)

    return [each for table in pack.all_tables() for each in below(table)]


def value(declared: Field, rng: random.Random) -> Value | None:
    """Return a possible value of a field; None for free text."""
    if declared.values:
        return rng.choice(declared.values)
    if not declared.numeric:
        return None
    low = max(declared.low, 0)
    return rng.randint(low, min(low + 20, low + 3 if declared.limit is None else declared.limit))


def some_sheet(pack: Pack, rng: random.Random) -> Sheet:
    """Return a sheet on which a few, many or no fields are filled in."""
    names = [name for name in pack.sheet.fields if name != "step" and not pack.sheet.slot(name)]
    drawn = [(name, value(pack.sheet.fields[name], rng)) for name in rng.sample(names, rng.choice([0, 0, 3, 20, 60]))]
    return {name: each for name, each in drawn if each is not None and not name.startswith("slots.")}


class DescriptionNeeded(UserError):
    """Raised when the player must describe a fighter."""


class RandomPlayer(Chance):
    """A player who gives a random valid answer to every question."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng)
        self.asked: list[str] = []
        self.said: Sheet = {}

    def fact(self, question: FactQuestion) -> Value:
        if question.declared.kind == "choice" and not question.declared.values:
            raise DescriptionNeeded
        before = self.said.get(question.name)
        if before is None or not question.declared.values or before in question.declared.values:
            self.asked.append(question.name)  # not if no column has the given value
        answer = value(question.declared, self.rng)
        if answer == "none":  # they ask what flak it is because there is some
            answer = question.declared.values[-1]
        self.said[question.name] = "Kure" if answer is None else answer
        return self.said[question.name]

    def row(self, question: RowQuestion) -> str:
        return next(iter(question.table.likely), "as-printed")


@contextmanager
def reading() -> Iterator[set[str]]:
    """Collect the untouched fields that any part of the program reads while the `with` lasts."""
    read, untouched = set[str](), Facts._untouched

    def noted(facts: Facts, name: str, *rest: object) -> Value:
        read.add(name)
        return untouched(facts, name, *rest)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Facts, "_untouched", noted)
        yield read


def rolled(pack: Pack, table: Table, sheet: Sheet, given: Sheet, seed: int, said: Sheet | None = None) -> Result:
    """Roll the table by hand with nobody to ask; raise a UserError if something is missing."""
    mission, by = Mission(pack, dict(sheet), number=1), RandomPlayer(random.Random(seed))
    by.said = {} if said is None else said
    return resolve(mission, table.id, by, Answers(given=dict(given)), single=True)[0]


def summed(result: Result) -> object:
    """Return the parts of a result that a missing fact could change: dice, modifiers, row, steps of a number."""
    applied = [(each.modifier.id, each.add) for each in result.applied]
    return (result.dice, applied, result.net, result.outcome, [(step.before, step.after) for step in result.steps])


def unnamed(pack: Pack, read: set[str], result: Result, rng: random.Random, known: Sheet) -> list[str]:
    """Return some facts that are neither on the sheet nor given nor assumed: those read, and any two others."""
    sheet = pack.sheet
    behind = sheet.touched(sheet.pattern(name) for name in result.assumed if isinstance(sheet.known[name], Derived))
    folded = {*result.assumed, *(name for each in behind if each in sheet.families for name in sheet.expand(each))}
    # a fighter that is put on the sheet is another one than the one that is spoken of
    spoken_of = {each.partition(".")[0] for each in (*result.assumed, *known)} & sheet.index.keys()
    free = [
        name
        for name, each in sheet.known.items()
        if isinstance(each, Field | Bound) and name not in folded and name not in known and name != "step"
        and sheet.slot(name) not in spoken_of and not by_row(each) and value(sheet.declared(name), rng) is not None
    ]  # fmt: skip
    likely = [name for name in free if name in read]
    return [*rng.sample(likely, min(8, len(likely))), *rng.sample(free, min(2, len(free)))]


def by_row(field: Field | Bound) -> bool:
    """Return whether a field keeps a rulebook row, which is asked for as the row."""
    return isinstance(field, Field) and field.section == "book" and not field.ask


def refuses(problem: UserError) -> bool:
    """Return whether a roll is refused for the named gun or man, or needs a fighter described in words."""
    return isinstance(problem, DescriptionNeeded) or re.search(r"[:.] (?:Choose |No \w+ fits)", str(problem))


def silent(pack: Pack, table: Table, rng: random.Random) -> list[str]:
    """Return the facts that change a roll by hand although it does not mention them."""
    sheet, given, seed = some_sheet(pack, rng), Sheet(), rng.random().__hash__()
    for name, each in pack.sheet.known.items():  # a fighter that is not on the sheet, or part of it
        if isinstance(each, Bound) and rng.random() < 0.5 and (said := value(each.declared, rng)) is not None:
            given[name] = said
    said = Sheet()
    try:
        with reading() as read:
            plain = rolled(pack, table, sheet, given, seed, said)
    except UserError:
        return []
    wrong = []
    for name in unnamed(pack, read, plain, rng, {**sheet, **given, **said}):
        other = {name: value(pack.sheet.declared(name), rng) or 0}
        bound = isinstance(pack.sheet.known[name], Bound)
        try:
            changed = rolled(
                pack, table, sheet if bound else {**sheet, **other}, {**given, **other} if bound else given, seed
            )
            same = summed(changed) == summed(plain)
        except UserError as problem:
            same = refuses(problem)
        if not same:
            wrong.append(
                f"{table.id}: {other} changes it; assumed were {plain.assumed}, the sheet {sheet}, given {given}"
            )
    return wrong


def by_hand(mission: Mission, table: str | None, rng: random.Random) -> None:
    """Roll on a table, or resolve the first pending thing, like a player who describes a fighter if needed."""
    given, asking = Sheet(), table is None or rng.random() < 0.7
    try:
        resolve(mission, table, RandomPlayer(rng), asking=asking, single=True)
    except DescriptionNeeded:
        fighters = Fighters(mission)
        drawn = {key: value(each, rng) for key, each in fighters.fields.items()}
        said = {key: each for key, each in drawn.items() if each is not None}
        given[fighters.index], written = fighters.placed(said, another=False)
        mission.write(written)
        resolve(mission, table, RandomPlayer(rng), Answers(given=given), asking=asking, single=True)


def act(mission: Mission, tables: list[Table], rng: random.Random) -> str:
    """Do something by hand: a roll, an edit, an answer, a skip or an undo; return a description of it."""
    pick, fields, waiting = rng.random(), mission.game.sheet.fields, mission.waiting()
    if pick < 0.45 or waiting is None and pick > 0.65:
        table = rng.choice(tables).id
        by_hand(mission, table, rng)
        return f"roll {table}"
    if pick < 0.65:
        name = rng.choice([name for name, each in fields.items() if each.section not in ("working", "book")])
        said = value(fields[name], rng)
        mission.write({} if said is None else {name: said})
        return f"set {name}={said}"
    if pick < 0.85:
        by_hand(mission, None, rng)
        return "answer"
    if pick < 0.92:
        mission.skip()
        return "skip"
    mission.undo()
    return "undo"


@contextmanager
def claims() -> Iterator[list[str]]:
    """Return results that mention an unknown fighter, gun or man without asking for it."""
    silent, asks = list[str](), Resolution.ask_for_unbound

    def noted(resolution: Resolution, spec: Spec) -> None:
        before = len(resolution.result.notes)
        asks(resolution, spec)
        told = len(resolution.result.notes) > before or "the man who fired" in resolution.result.text
        if not told:
            silent.append(f"{resolution.result.table} changes nothing: {resolution.result.bind}")

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Resolution, "ask_for_unbound", noted)
        yield silent


def walked(pack: Pack, tables: list[Table], rng: random.Random, count: int) -> list[str]:
    """Return the errors in a number of moves by hand and in the automatic flight after them.

    These are results that claim a change without one, pending things that cannot be answered, and endless flights.
    """
    mission, done, wrong = Mission(pack, number=1), list[str](), list[str]()
    fields = {"zone": 8, "turn": 9, "mission.number": 25}
    mission.write({name: rng.randint(1, most) for name, most in fields.items() if name in pack.sheet.fields})
    with claims() as silent:
        for _ in range(count):
            try:
                done.append(act(mission, tables, rng))
            except UserError as problem:
                if not refuses(problem) and " has no column for " not in str(problem):
                    wrong.append(f"after {done}: {problem}")
        wrong += [f"after {done}: {each}" for each in silent]
    try:
        for _ in range(5000):
            if not move(mission, Chance(rng)):
                return wrong
        wrong.append(f"after {done}: the flight has no end")
    except UserError as problem:
        wrong.append(f"after {done}, in the flight: {problem}")
    return wrong


def stopped(pack: Pack, table: Table, rng: random.Random) -> str:
    """Return how a roll by hand stops halfway although the player answers every question; empty if it does not."""
    by = RandomPlayer(rng)
    try:
        resolve(Mission(pack, some_sheet(pack, rng), number=1), table.id, by, asking=True, single=True)
    except UserError as problem:
        if not refuses(problem) and " has no column for " not in str(problem):  # no flak
            return f"{table.id}: {problem}"
    return "" if len(by.asked) == len(set(by.asked)) else f"{table.id} asks twice: {by.asked}"


# -- boards in mid-mission, which `fly` joins -------------------------------------------------------------------------

NOT_YET = ("bomber.fate", "credit", "winner", "surrender", "loss.to", "ditching", "ask-again", "land.at")
WITHOUT = ("working", "settings", "options", "book", "notes", "hits", "zones")
COUNTED = ("pass", "round")  # the step that comes next counts the attack that is on the sheet


def board(pack: Pack, rng: random.Random) -> dict[str, Value]:
    """Return the edits of a player: the place of the bomber, and some ten events of the flight so far."""
    fields = {
        name: declared
        for name, declared in pack.sheet.fields.items()
        if declared.section not in WITHOUT and name not in NOT_YET and not pack.sheet.slot(name) and not declared.naming
    }
    where: dict[str, Value] = {}
    if "zone" in fields:
        target = rng.randint(2, 8) if pack.name == "b17" else rng.randint(10, 14)
        leg = rng.choice(("outbound", "inbound"))
        where = {
            "mission.number": rng.randint(1, 25), "target.zone": target, "leg": leg, "zone": rng.randint(1, target),
        }  # fmt: skip
        if leg == "inbound":
            where |= {"bombs": "dropped", "bomb-run": rng.choice(("on", "off"))}
        if rng.random() < 0.2 and where["zone"] >= 2:  # type: ignore[operator]
            where |= {"fighter.1.type": rng.choice(pack.sheet.fields["fighter.1.type"].values), "fighter.1.clock": "6"}
            where |= {"fighter.1.angle": "level"}
        fields = {name: each for name, each in fields.items() if name not in where}
    else:
        where = {"turn": rng.randint(1, 9)}
    more = rng.sample(sorted(fields), 10)
    return {**{name: likely(fields[name], rng) for name in more}, **where}


def likely(declared: Field, rng: random.Random) -> Value:
    """Return a plausible value for that field."""
    if declared.numeric:
        return rng.randint(declared.low, min(9, declared.limit if declared.limit is not None else 3))
    if declared.values:
        return rng.choice(declared.values)
    return rng.choice(sorted(set(declared.known.values())) or ["as said"])


def joined_wrongly(pack: Pack, seed: int) -> Iterator[str]:
    """Return the errors with one board: a lost edit, no end, a state that undo does not reach."""
    rng = random.Random(f"{pack.name}/{seed}")
    mission = Mission(pack, number=1)
    states, typed = [dict(mission.state)], board(pack, rng)
    for name, value in typed.items():
        try:
            mission.write({name: value})
        except UserError:
            continue  # refused, and nothing was written
        states.append(dict(mission.state))
    by_hand = {name: value for name, value in typed.items() if value != 0 and mission.state.get(name) == value}
    chance = Chance(rng)
    mission.pending = [
        each for each in mission.pending if each.kind == "order"
    ]  # what follows from a loss is decided first
    joined = False
    for _ in range(20_000):
        try:
            if not move(mission, chance):
                break
        except UserError as problem:
            yield f"stopped: {problem}"
            return
        if not joined and any(each["t"] == "join" and each["v"] == "choose" for each in mission.journal.entries):
            joined = True
            facts = Facts(pack.sheet, mission.state)
            entries = mission.journal.entries
            rolled = [each["t"] for each in entries[: mission.journal.position] if each["v"] == "roll"]
            yield from (f"rolled {each} before it joined" for each in rolled[:1] if entries[-1]["v"] != "roll")
            at = next(at for at, each in enumerate(entries) if each["t"] == "join" and each["v"] == "choose")
            for each in entries[at + 1 :]:
                for name in each.get("c", {}):
                    by_hand.pop(name, None)
            lost = [name for name, value in by_hand.items() if facts[name] != value and name not in COUNTED]
            yield from (f"{name}: {by_hand[name]} → {facts[name]}" for name in lost)
    else:
        yield "no end"
    if not joined:
        yield "did not join"
    while mission.journal.position:
        try:
            mission.undo()
        except UserError:
            break
        while states and states[-1].items() <= mission.state.items():
            states.pop()
    if states:
        yield f"undo passed by {len(states)} of the states that were written"


ACTS = 8  # by hand, before the flight goes on
BOARDS = 20  # rolls by hand for each board in mid-mission


def main() -> None:
    """Run the random walk; return exit code 1 if anything was silently ignored."""
    count, seed = (int(each) for each in [*sys.argv[1:], "10000", "1"][:2])
    rng, wrong = random.Random(seed), 0
    tables = [(pack, table) for pack in map(Pack, GAMES) for table in every_table(pack)]
    for at in range(count):
        pack, table = tables[at % len(tables)]
        for line in [*silent(pack, table, rng), *filter(None, [stopped(pack, table, rng)])]:
            wrong += 1
            print(f"{pack.name}: {line}")
    by_game = {pack.name: (pack, [table for other, table in tables if other is pack]) for pack, _ in tables}
    for at in range(0, count, ACTS):
        pack, own = list(by_game.values())[at // ACTS % len(by_game)]
        for line in walked(pack, own, rng, ACTS):
            wrong += 1
            print(f"{pack.name}: {line}")
    for at in range(count // BOARDS):
        pack, _ = list(by_game.values())[at % len(by_game)]
        for line in joined_wrongly(pack, seed + at):
            wrong += 1
            print(f"{pack.name}, board {seed + at}: {line}")
    print(f"{count} rolls by hand on {len(tables)} tables, {count // BOARDS} boards joined, {wrong} things passed over")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
