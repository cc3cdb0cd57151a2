"""Boards set up by hand in mid-mission, as on a player's table; `fly` joins each.

`python -m tests.by_hand` sets up hundreds of them, and prints every edit that was lost, every flight that did not join
or end, and every state that undo did not reach.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from companion.engine.facts import Facts
from companion.engine.fields import Field, Value
from companion.packs import Pack
from companion.play.conversation import Chance, move
from companion.play.mission import Mission
from companion.problems import UserError

GAMES = ("b29", "b29-streamliner", "b17", "bombs-away")
NOT_YET = ("bomber.fate", "credit", "winner", "surrender", "loss.to", "ditching", "ask-again", "land.at")
WITHOUT = ("working", "settings", "options", "book", "notes", "hits", "zones")
COUNTED = ("pass", "round")  # the step that comes next counts the attack that is on the sheet


def board(pack: Pack, rng: Random) -> dict[str, Value]:
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
            where |= {"fighter.1.type": rng.choice(fields_of(pack, "fighter.1.type").values), "fighter.1.clock": "6"}
            where |= {"fighter.1.angle": "level"}
        fields = {name: each for name, each in fields.items() if name not in where}
    else:
        where = {"turn": rng.randint(1, 9)}
    more = rng.sample(sorted(fields), 10)
    return {**{name: likely(fields[name], rng) for name in more}, **where}


def fields_of(pack: Pack, name: str) -> Field:
    """Return the field of that name."""
    return pack.sheet.fields[name]


def likely(declared: Field, rng: Random) -> Value:
    """Return a plausible value for that field."""
    if declared.numeric:
        return rng.randint(declared.low, min(9, declared.limit if declared.limit is not None else 3))
    if declared.values:
        return rng.choice(declared.values)
    return rng.choice(sorted(set(declared.known.values())) or ["as said"])


def wrong(pack: Pack, seed: int) -> Iterator[str]:
    """Return the errors with one board: a lost edit, no end, a state that undo does not reach."""
    rng = Random(f"{pack.name}/{seed}")
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
