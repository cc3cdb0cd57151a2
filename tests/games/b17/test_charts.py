"""Every figure of the B-17 tables, compared with the transcription in `book/b17.py`."""

from typing import Any

import pytest

from companion.engine.facts import Facts
from companion.engine.tables import reads
from companion.packs import Pack
from tests.book import b17 as book
from tests.support import slow_but

# The transcription had to choose words where the vocabulary is silent; the pack chose these for the same printed row.
WORDS = {
    "B-3": {"random-events": "random-event", "roll-again": "none"},  # "no attackers", rolled again out of formation
    "BL-1.landing-gear": {"brakes": "brake"}, "BL-1.c": {"not-feathered": "drag"},
    "BL-1.d": {"not-feathered": "runaway"},
    "BL-2": {"oxygen": "oxygen-system", "extinguishers": "engine-extinguishers", "electrical": "electrical-system"},
    "BL-3": {"burning": "burns"}, "BL-4.b": {"rapid-recovery": "duty", "recovery": "ih", "fatal": "dow"},
    "BL-5.b": {"grounded": "ih", "well": "duty"}, "G-7": {"goes-down": "no-bailout"}, "P-1": {"norden": "bombsight"},
    "P-2.top-turret": {"guns-out": "guns"}, "P-3": {"rafts": "rubber-rafts"}, "P-4.oxygen": {"hit": "radio-operator"},
    "P-5.armament": {"port-waist": "port-gun", "starboard-waist": "starboard-gun"},
    "P-5.ball-turret": {"guns-out": "guns"}, "P-6": {"tailwheel-or-autopilot": "tail-wheel-or-autopilot"},
    "P-6.oxygen": {"hit": "tail-gunner"}, "P-6.tailwheel-or-autopilot": {"tailwheel": "tail-wheel"},
    "B-7.extreme-cold": {"jammed": "jam"}, "B-7.g.wing": {"holds": "none", "rips": "torn-off"},
    "BL-1.e.fire": {"burning": "burns"}, "G-9.gear-up": {"repairable": "reparable"},
    "G-9": {"crew-safe": "irreparable"},
}  # fmt: skip
# Dice that the pack keeps under another name, or works out in conditions instead of a table of their own.
NAMED = {
    "P-6.tailwheel-or-autopilot": "P-6.tail-wheel-or-autopilot", "B-7.extreme-cold": "B-7.cold",
    "G-7.d": "G-6.underground", "G-10.d": "G-6.underground", "G-10.e": "G-9.bombs", "B-7.g.wing": "B-7.wing",
    "BL-1.e.fire": "BL-1.fire", "BL-1.e.leak": "BL-1.oil", "G-9.gear-up": "G-9.gear",
}  # fmt: skip


def view(pack: Pack, name: str, facts: dict[str, Any]) -> Facts:
    return Facts(pack.sheet, pack.table(name).bind(Facts(pack.sheet, facts)), facts)


def at_table(name: str, facts: dict[str, Any]) -> dict[str, Any]:
    """Return the facts of a shot: the tail guns fire forward only at a fighter that has passed (9.2)."""
    passing = name == "M-1" and facts.get("gun") == "tail" and facts["fighter.clock"] in book.FRONT
    return {**facts, "passing-shot": "yes"} if passing else facts


def shown(result: Any, facts: Facts) -> str:
    if isinstance(result, list):
        return ";".join(shown(each, facts) for each in result)
    return str(reads(result, facts))


BY_TABLE: dict[str, list[Any]] = {}
for cell in book.CELLS:
    BY_TABLE.setdefault(cell[0], []).append(cell)


@pytest.mark.section(
    "b17 O-?", "b17 P-?", "b17 B-?", "b17 BL-?", "b17 G-?", "b17 G-10", "b17 M-?", "b17 errata 1", "b17 errata 5",
    "b17 errata 10", "b17 errata 25", "b17 errata 36",
)  # fmt: skip
@pytest.mark.parametrize("name", BY_TABLE)
def test_every_printed_cell(b17: Pack, name: str) -> None:
    ours = NAMED.get(name, name)
    words = WORDS.get(name, {})
    table = b17.table(ours)
    for _, facts, nets in BY_TABLE[name]:
        known = view(b17, ours, at_table(name, facts))
        rows = table.column(known).rows
        seen = {net: shown(rows.find(net), known) for net in nets}
        assert seen == {net: words.get(outcome, outcome) for net, outcome in nets.items()}, facts


@pytest.mark.section("b17 G-11", "b17 G-11 b", "b17 errata 22")
@pytest.mark.parametrize("city", book.GAZETTEER)
def test_the_gazetteer(b17: Pack, city: str) -> None:
    for zone, (modifier, terrain) in book.GAZETTEER[city].items():
        facts = Facts(b17.sheet, {"target.city": city, "zone": zone})
        row = shown(b17.table("G-11").column(facts).rows.find(zone), facts)
        printed, _, letters = row.partition("/")
        assert (int(printed), sorted(letters.replace("-", ""))) == (
            modifier,
            sorted(terrain.lower().replace("/", "").replace("-", "")),
        ), (city, zone)


@pytest.mark.section("b17 9.4")
@pytest.mark.parametrize(("gun", "bursts"), book.AMMO.items())
def test_ammunition(b17: Pack, gun: str, bursts: int) -> None:
    assert b17.sheet.index["gun"][gun]["bursts"] == bursts


def applied(pack: Pack, name: str, facts: dict[str, Any]) -> dict[str, int]:
    known = view(pack, name, facts)
    table = pack.table(name)
    return {each.modifier.id: each.add for each in table.applying(known, table.column(known))}


@pytest.mark.section(
    "b17 5.1 d", "b17 5.1 e", "b17 10.2", "b17 15.1 a", "b17 20.0", "b17 O-1 a", "b17 O-1 b", "b17 O-1 c",
    "b17 M-1 c", "b17 M-2 a", "b17 M-2 b", "b17 G-3 *", "b17 G-10 b", "b17 G-10 f", "b17 G-10 g", "b17 G-10 h",
    "b17 G-10 i", "b17 G-10 j", "b17 G-11 a", "b17 B-2 a", "b17 BL-4 a", "b17 errata 3", "b17 errata 4",
    "b17 errata 6", "b17 errata 13", "b17 errata 25", "b17 errata 33", "b17 errata 35",
)  # fmt: skip
@pytest.mark.parametrize(
    ("name", "base", "trigger", "amount", "label"),
    slow_but([pytest.param(*each, id=f"{each[0]}-{each[4]}-{at}"[:60]) for at, each in enumerate(book.MODIFIERS)], 20),
)
def test_every_modifier(
    b17: Pack, name: str, base: dict[str, Any], trigger: dict[str, Any], amount: int, label: str
) -> None:
    base = at_table(name, base)
    without, with_it = applied(b17, name, base), applied(b17, name, {**base, **trigger})
    assert sum(with_it.values()) - sum(without.values()) == amount, label


@pytest.mark.section("b17 M-1 b", "b17 M-3", "b17 G-10 a", "b17 errata 4", "b17 15.1 a")
@pytest.mark.parametrize(("name", "facts", "dice", "outcome"), book.NATURAL)
def test_unmodified_rolls_decide(
    b17: Pack, name: str, facts: dict[str, Any], dice: tuple[int, ...], outcome: str
) -> None:
    table, seen = b17.table(name), view(b17, name, facts)
    column = table.column(seen)
    _, natural, result = table.landed(seen, sum(dice), column, table.applying(seen, column))
    assert (natural, shown(result, view(b17, name, facts))) == (True, WORDS.get(name, {}).get(outcome, outcome))


@pytest.mark.section("b17 9.3", "b17 9.5", "b17 13.1 b", "b17 G-10 g", "b17 errata 12", "b17 errata 22", "b17 5.1 d")
@pytest.mark.parametrize(
    ("name", "facts", "label"),
    [pytest.param(*each, id=f"{each[0]}-{each[2]}-{at}"[:60]) for at, each in enumerate(book.NOT_APPLIED)],
)
def test_every_exception_to_a_modifier(b17: Pack, name: str, facts: dict[str, Any], label: str) -> None:
    meant: set[str] = set()
    for table, base, trigger, _, message in book.MODIFIERS:
        if (table, message) == (name, label) and not (table == "M-1" and base.get("gun") == "tail"):
            without, with_it = applied(b17, table, base), applied(b17, table, {**base, **trigger})
            meant |= {each for each, add in with_it.items() if without.get(each) != add}
    assert meant
    assert not meant & set(applied(b17, name, facts))
