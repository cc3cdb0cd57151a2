"""Every figure of the B-29 charts, compared with `book/b29.py`, and the effects of their rows."""

from typing import Any

import pytest

from companion.engine.dice import Hand
from companion.engine.play import Play
from companion.engine.questions import settle
from companion.engine.resolution import Result
from companion.engine.tables import Table
from companion.packs import Pack
from tests.book import b29 as book
from tests.book.reading import facts_for, printed
from tests.games.b29.table import ALL, DAY, NIGHT
from tests.support import after_step, asked, check, moments, set_up, slow_but

# 4-2: the transcription marks the rows with wind; the printed result is the weather alone
WEATHER = {"good-wind": "good", "poor-wind": "poor", "bad-wind": "bad"}


def cells(listed: list[Any]) -> list[Any]:
    return [pytest.param(*each, id=f"{each[0]}-{'-'.join(map(str, each[1].values()))}"[:60]) for each in listed]


def hands(table: Table) -> list[list[int]]:
    seen: list[list[int]] = [[]]
    for _ in range(table.dice.count or 0):
        seen = [[*each, pip] for each in seen for pip in range(1, 7)]
    return seen


def resolve(pack: Pack, name: str, facts: dict[str, Any], dice: list[int]) -> Result:
    return settle(Play(pack, given=facts).roll(name, Hand([dice])))


def rolled(pack: Pack, name: str, facts: dict[str, Any], total: int) -> str:
    """Return the outcome with its notes applied, from dice that make the total."""
    table = pack.table(name)
    dice = next(each for each in hands(table) if sum(each) == total)
    return resolve(pack, name, facts, dice).outcome


@pytest.mark.section(
    "b29 4-2", "b29 4-3", "b29 5-?", "b29 5-??", "b29 6-?", "b29 7-?", "b29 4.2 D", "b29 4.3 A", "b29 4.5 C1",
    "b29 4.5 C4", "b29 5.2 A", "b29 5.8 D", "b29 5-2 *", "b29 5-3 e", "b29 5-3 d", "b29 5-3 f", "b29 5-3 h",
    "b29 5-3 c", "b29 5-3 b", "b29 5-7 a", "b29 5-11 a", "b29 5-11 b", "b29 5-11 c", "b29 5-11 g", "b29 5-12 b",
    "b29 5-14 b", "b29 5-15 a", "b29 5-15 b", "b29 5-15 d", "b29 7-1 a", "b29 7-1 b", "b29 7-1 c", "b29 7-1 d",
    "b29 7-2 note", "b29 7-3 a", "b29 7-3 c", "b29 7-3 d", "b29 7-3 e", "b29 7-3 f", "b29 7-4 g", "b29 8.4", "b29 8.5",
)  # fmt: skip
@pytest.mark.parametrize(("name", "facts", "nets"), slow_but(cells(book.CELLS), 50))
def test_every_printed_cell(b29: Pack, name: str, facts: dict[str, Any], nets: dict[int, str]) -> None:
    table = b29.table(name)
    seen = {net: printed(table, facts_for(b29, table, facts), net) for net in nets}
    expected = {net: WEATHER.get(outcome, outcome) if name == "4-2" else outcome for net, outcome in nets.items()}
    if name == "5-15.d" or name == "5-3.coordinated":
        seen = {net: rolled(b29, name, facts, net) for net in nets}
    assert seen == expected


@pytest.mark.section("b29 5-10 a", "b29 5-10 b", "b29 6-7 b", "b29 6-7 d", "b29 5-15 b")
@pytest.mark.parametrize(("name", "facts", "nets"), cells(book.AFTER_NOTES))
def test_cells_with_their_notes(b29: Pack, name: str, facts: dict[str, Any], nets: dict[int, str]) -> None:
    if name in ("5-10", "6-7"):
        assert {net: rolled(b29, name, facts, net) for net in nets} == nets
    else:
        table = b29.table(name)
        assert {net: printed(table, facts_for(b29, table, facts), net) for net in nets} == nets


# dice that the transcription had to name itself, and what the pack calls them
NAMED = {
    "5-3.b.fire": ("5-7", {"fighter.type": "baka", "fighter.clock": "6"}),
    "5-3.b.destroyed": ("5-8", {"fighter.type": "baka"}),
    "5-15.c.fire": ("5-7", {"fighter.type": "baka", "fighter.clock": "6"}),
    "5-15.c.destroyed": ("5-8", {"fighter.type": "baka"}), "5-15.c.blast": ("5-3.b.blast", {}),
    "5-15.c.collision": ("5-3.b.collision", {}), "5-15.a.shells": ("5-3.f.shells", {}),
    "5-15.a.area": ("5-3.f.area", {}), "7-1.b.decompression": ("7-1.b.compromised", {}),
    "7-2.a.decompression": ("7-2.a.compromised", {}),
}  # fmt: skip


@pytest.mark.section("b29 5-3 b", "b29 5-15 c", "b29 5-15 a", "b29 5-3 f", "b29 7-1 b", "b29 7-2 note", "b29 7-3 b")
@pytest.mark.parametrize(("name", "facts", "nets"), cells(book.UNNAMED))
def test_dice_inside_rows_and_notes(b29: Pack, name: str, facts: dict[str, Any], nets: dict[int, str]) -> None:
    ours, more = NAMED.get(name, (name, {}))
    table = b29.table(ours)
    if name == "7-3.b":  # halved upward before the pumps say anything
        facts = {"pumps.failed": 1}
        assert {net: rolled(b29, ours, facts, net) for net in nets} == nets
        return
    seen = {net: printed(table, facts_for(b29, table, {**facts, **more}), net) for net in nets}
    assert seen == nets


def applied(pack: Pack, name: str, facts: dict[str, Any]) -> dict[str, int]:
    table = pack.table(name)
    view = facts_for(pack, table, facts)
    column = table.column(view)
    return {modifier.id: amount for modifier in column.modifiers if (amount := modifier.amount(view))}


@pytest.mark.section(
    "b29 4.2 D", "b29 4-2", "b29 4-3", "b29 5-1", "b29 2.3 F", "b29 2.3 C", "b29 4.8 C", "b29 5-2", "b29 5-3 b",
    "b29 5-3 c", "b29 5-4", "b29 5-5", "b29 5-7", "b29 5-8", "b29 5.7 B", "b29 5.8 D", "b29 5-9", "b29 7.2 two",
    "b29 5-11 a", "b29 5-14", "b29 5-14 c", "b29 5-15", "b29 6-1", "b29 6-2", "b29 6-6", "b29 6-8", "b29 6-9",
    "b29 6.4", "b29 2.3 A",
)  # fmt: skip
@pytest.mark.parametrize(
    ("name", "base", "trigger", "amount", "label"),
    slow_but([pytest.param(*each, id=f"{each[0]}-{each[4]}"[:60]) for each in book.MODIFIERS], 20),
)
def test_every_modifier(
    b29: Pack, name: str, base: dict[str, Any], trigger: dict[str, Any], amount: int, label: str
) -> None:
    without, with_it = applied(b29, name, base), applied(b29, name, {**base, **trigger})
    fresh = {each: add for each, add in with_it.items() if without.get(each) != add}
    gone = {each: add for each, add in without.items() if each not in with_it}
    assert sum(with_it.values()) - sum(without.values()) == amount
    assert len(fresh) == 1, label
    assert not gone or len(gone) == len(fresh)


@pytest.mark.section("b29 5-1", "b29 6-6", "b29 5-9")
@pytest.mark.parametrize(
    ("name", "facts", "label"), [pytest.param(*each, id=f"{each[0]}-{each[2]}"[:60]) for each in book.NOT_APPLIED]
)
def test_every_exception_to_a_modifier(b29: Pack, name: str, facts: dict[str, Any], label: str) -> None:
    _, base, trigger, _, _ = next(each for each in book.MODIFIERS if each[0] == name and each[4] == label)
    without, with_it = applied(b29, name, base), applied(b29, name, {**base, **trigger})
    meant = next(each for each, add in with_it.items() if without.get(each) != add)
    assert meant not in applied(b29, name, facts)


@pytest.mark.section("b29 5-7 a", "b29 5-7 b", "b29 5-9", "b29 5-14 b")
@pytest.mark.parametrize(("name", "facts", "dice", "outcome"), book.NATURAL)
def test_unmodified_rolls_decide(
    b29: Pack, name: str, facts: dict[str, Any], dice: tuple[int, ...], outcome: str
) -> None:
    result = resolve(b29, name, facts, list(dice))
    assert (result.outcome, result.natural) == (outcome, True)


@pytest.mark.section("b29 6-6 note")
@pytest.mark.parametrize(("name", "facts", "outcome"), book.AUTOMATIC)
def test_what_needs_no_die(b29: Pack, name: str, facts: dict[str, Any], outcome: str) -> None:
    assert settle(Play(b29, given=facts).roll(name, Hand())).outcome == outcome


HERE = DAY + (
    "turn=11 zone=11 zone.turns=1 altitude=hi pressurized=no cold.since=11 formation=in weather=good fuel.wing=20 "
    "log.gazetteer.11=0 log.below.11=sea aux.fwd=installed aux.aft=installed step=offense "
)
AREAS = {"7-1": "nose", "7-2": "nav-radio", "7-3": "fwd-bomb-bay", "7-4": "aft-bomb-bay", "7-5": "port-wing"}
ROWS: list[tuple[str, str, str, dict[str, Any]]] = [
    ("7-1", "1,1", "7-1.oxygen: 1\n7-1.b: 1", {"oxygen.pilot": 1, "oxygen.copilot": 1, "oxygen.bombardier": 0}),
    ("7-1", "1,1", "7-1.oxygen: 5\n7-1.b: 1", {"oxygen.bombardier": 1}),
    ("7-1", "6,6", "7-1.b: 1", {"radio-compass": "out"}), ("7-2", "1,4", "", {"radio": "out"}),
    ("7-2", "4,4", "7-2.armament: 3", {"gun.fwd-upper": "broken", "gun.fwd-lower": "ok"}),
    ("7-2", "4,4", "7-2.armament: 4", {"gun.fwd-lower": "broken"}), ("7-2", "4,5", "7-2.a: 1", {"intercom": "out"}),
    ("7-3", "4,5", "7-3.tunnel: 5", {"tunnel": "ok"}), ("7-3", "4,6", "", {"release.fwd": "out", "release.aft": "ok"}),
    ("7-4", "4,6", "", {"release.aft": "out", "release.fwd": "ok"}), ("7-5", "2,3", "7-5.flap: 4", {"flap.port": "ok"}),
    ("7-5", "3,3", "7-5.aileron: 4", {"aileron.port": "ok"}),
]  # fmt: skip


@pytest.mark.section("b29 7-1", "b29 7-2", "b29 7-3", "b29 7-4", "b29 7-5")
@pytest.mark.parametrize(
    ("table", "dice", "more", "after"), ROWS, ids=[f"{each[0]} {each[1]} {each[2][:20]}" for each in ROWS]
)
def test_effects_of_a_row(b29: Pack, table: str, dice: str, more: str, after: dict[str, Any]) -> None:
    moment = set_up(b29, HERE, table, area=AREAS[table]).fly(f"{table}: {dice}\n{more}\n")
    assert {name: moment[name] for name in after} == after


COURSE = HERE + "formation=out step=event course.streak={} roll=4.5C4"
GATHERS = DAY + "turn=9 zone.turns=1 moved=yes pressurized=yes formation=out weather=good course=on step=lost-2 "
DRY = DAY + (
    "turn=20 zone.turns=1 leg=inbound bombs=dropped altitude=lo formation=out weather=good step=past-iwo fuel.wing="
)
BURNING = NIGHT + (
    "turn=12 zone=12 zone.turns=1 formation=none weather=good visibility=slightly step=no-bombs altitude=lo "
)
LOST = DAY + (
    "turn=24 zone=1 zone.turns=1 leg=inbound bombs=dropped altitude=lo formation=out weather=good fuel.wing=20 "
    "moved=yes course.streak=0 step=course {}roll=4-8"
)
STRAY = NIGHT + (
    "turn=12 zone=12 zone.turns=1 altitude=lo formation=none weather=good armament={} step=resistance "
    "resistance=moderate log.gazetteer.12=0 roll=5-15"
)
LOOKS = "4-8: 6,6 = off; 4.6: 3,4; lost-way: stay"
NOSE_GEAR = DAY + "turn=8 zone=8 altitude=hi formation=in gear.nose={} roll=7-1"
HANGS = DAY + "turn=8 zone=8 zone.turns=1 altitude=lo formation=out weather=good fuel.wing=10 gear.nose=hanging "


@pytest.mark.section("b29 7-1 d", "b29 7-1", "b29 7-1 a", "b29 7-3 a", "b29 4.6", "b29 4.5 C3", "b29 4.5 C4")
@pytest.mark.section("b29 4.8 A", "b29 4.3 C", "b29 6.2 F", "b29 6.3 B", "b29 7.2 two", "b29 5-15 a")
@moments(
    ("over the target a hit on the sight may find the bombardier", HERE + "zone=12 roll=7-1 area=nose", "7-1: 4,6",
     "bombsight=out waits=7-1.a"),
    ("before it, not", HERE + "zone=11 roll=7-1 area=nose", "7-1: 4,6", "bombsight=out waits!=7-1.a"),
    ("from a burning tank all jump", HERE + "roll=7-3.a area=fwd-bomb-bay", "7-3.a: 4", "waits=8-4"),
    ("among bombs it destroys her", HERE + "roll=7-3.a area=fwd-bomb-bay", "7-3.a: 5", "bomber.fate=destroyed"),
    ("without them they jump out of control",
     HERE + "bombs=dropped load.fwd=gone load.aft=gone roll=7-3.a area=fwd-bomb-bay", "7-3.a: 5", "waits=8-5"),
    ("a twelve is an event", HERE + "step=found roll=4.6", "4.6: 6,6", "asked=4-9"),
    ("an eleven is none", HERE + "step=found roll=4.6", "4.6: 5,6", "asked!=4-9"),
    ("back on course: 5 costs a box", COURSE.format(1), "4.5C4: 5; end", "fuel.wing=21"),
    ("4 none", COURSE.format(1), "4.5C4: 4; end", "fuel.wing=20"),
    ("a second zone adds 1", COURSE.format(2), "4.5C4: 4; end", "fuel.wing=21"),
    ("a third 2", COURSE.format(3), "4.5C4: 3; end", "fuel.wing=21"),
    ("which is enough on 3 alone", COURSE.format(3), "4.5C4: 2; end", "fuel.wing=20"),
    ("the formation gathers in Zone 9 at the briefed height", GATHERS + "zone=9 altitude=hi", "", "asked=4-10"),
    ("not below it", GATHERS + "zone=9 altitude=med", "", "asked!=4-10"),
    ("nor before", GATHERS + "zone=8 altitude=hi", "", "asked!=4-10"),
    ("on early missions in Zone 3", GATHERS + "zone=3 altitude=hi mission.number=5", "", "asked=4-10"),
    ("and not in 9", GATHERS + "zone=9 altitude=hi mission.number=5", "", "asked!=4-10"),
    ("dry tanks are rolled for before each zone", DRY + "38 zone=4", "", "asked=4-1"),
    ("and before the base", DRY + "38 zone=1", "", "asked=4-1"),
    ("not with a box left", DRY + "37 zone=4", "", "asked!=4-1"),
    ("there neither", DRY + "37 zone=1", "", "asked!=4-1"),
    ("a burning city shakes her", BURNING + "target.type=urban-area target.table=2-2C roll=6-6", "6-6: 6; 6-7: 3,4",
     "asked=6-8"),
    ("not one of 2-3", BURNING + "target.type=urban-area target.table=2-3 roll=6-6", "6-6: 6; 6-7: 3,4", "rolled!=6-8"),
    ("nor an airfield", BURNING + "target.type=airfield roll=6-6", "6-6: 6; 6-7: 3,4", "rolled!=6-8"),
    ("who looks for the base pays a box, without new weather", LOST.format(""), LOOKS,
     "zone=1 fuel.wing=21 asked=4-4 rolled!=4-2"),
    ("it is the second turn of a slowed bomber", LOST.format("engine.1=out engine.4=out "), LOOKS,
     "turn=25 zone=1 hunting=yes asked=4-4"),
    ("who need not stay for another",
     DAY + "turn=25 zone=1 zone.turns=2 leg=inbound altitude=lo engine.1=out engine.4=out", "",
     "turns.double=yes must-stay=no"),
    ("a burst slows her not in its zone", DAY + "turn=11 zone=11 altitude=hi formation=out pressurized=yes",
     "set bip=yes", "turns.double=no"),
    ("but in the next", DAY + "turn=11 zone=11 altitude=hi formation=out pressurized=yes", "set bip=yes; set zone=12",
     "turns.double=yes"),
    ("a destroyed nose gear drags if it hung down", NOSE_GEAR.format("hanging"), "7-1: 1,3",
     "gear.nose=destroyed turns.double=yes formation=out"),
    ("not one that will not hold", NOSE_GEAR.format("will-not-hold"), "7-1: 1,3",
     "gear.nose=destroyed turns.double=no formation=in"),
    ("or is damaged", NOSE_GEAR.format("damaged"), "7-1: 1,3", "gear.nose=destroyed turns.double=no formation=in"),
    ("or up", NOSE_GEAR.format("will-not-extend"), "7-1: 1,3", "gear.nose=destroyed turns.double=no formation=in"),
    ("a hanging gear, however written, takes two turns for a zone", HANGS + "step=past-iwo", "",
     "zone=8 turns.double=yes"),
    ("the crank raises it on 2", HANGS + "moved=yes step=crank roll=7-1.d", "7-1.d: 2; end",
     "gear.nose!=hanging turns.double=no"),
    ("not on 3", HANGS + "moved=yes step=crank roll=7-1.d", "7-1.d: 3; end", "gear.nose=hanging turns.double=yes"),
    ("unarmed bombers around fire at nothing", STRAY.format("all-unarmed"), "5-15: 4,5", "asked!=5-15.a"),
    ("some hit on 6", STRAY.format("some"), "5-15: 4,5; 5-15.a: 6", "asked=5-3.f.shells"),
    ("not on 5", STRAY.format("some"), "5-15: 4,5; 5-15.a: 5", "asked!=5-3.f.shells"),
    ("all armed on 5", STRAY.format("all-armed"), "5-15: 4,5; 5-15.a: 5", "asked=5-3.f.shells"),
    ("not on 4", STRAY.format("all-armed"), "5-15: 4,5; 5-15.a: 4", "asked!=5-3.f.shells"),
)  # fmt: skip
def test_rows_and_steps(b29: Pack, sheet: str, flown: str, then: str) -> None:
    check(b29, sheet, flown, then)


@pytest.mark.section("b29 5-3 d", "b29 5-3 e")
@pytest.mark.parametrize(
    ("table", "die", "flak"), [("5-3.rockets", 1, "medium"), ("5-3.rockets", 2, "light"), ("5-3.bombs", 2, "medium"),
                               ("5-3.bombs", 3, "light")]
)  # fmt: skip
def test_rockets_and_bombs_are_flak_twice(b29: Pack, table: str, die: int, flak: str) -> None:
    moment = set_up(b29, HERE, table).fly(f"{table}: {die}\n")
    assert asked(moment.mission).count("6-3") == 2
    medium_hits = "6-3: 3,4\n6-3: 1,3\n"  # 7 hits in medium flak alone
    moment.fly(medium_hits)
    assert ("6-4" in [*moment.tables, *asked(moment.mission)]) == (flak == "medium")


@pytest.mark.section("b29 8.4")
@pytest.mark.parametrize(
    ("weather", "die", "after"), [("good", 4, "good"), ("good", 5, "poor"), ("poor", 4, "poor"), ("poor", 6, "bad")]
)
def test_the_weather_of_iwo_jima(b29: Pack, weather: str, die: int, after: str) -> None:
    home = DAY + "turn=20 zone=6 zone.turns=1 leg=inbound bombs=dropped altitude=lo formation=out step=forced "
    moment = set_up(b29, f"{home}weather={weather}", "8.4").fly(f"8.4: {die}\n")
    assert (moment.results[0].outcome, moment.results[0].table) == (after, "8.4")


@pytest.mark.section("b29 8.3")
@pytest.mark.parametrize(("weather", "jump"), [("good", False), ("bad", True)])
def test_home(b29: Pack, weather: str, jump: bool) -> None:
    there = (
        DAY + "turn=24 zone=1 zone.turns=1 leg=inbound bombs=dropped altitude=lo formation=out course=on fuel.wing=20 "
    )
    moment = after_step(b29, "past-iwo", b29.sheet.given(f"{there}weather={weather}".split()))
    assert (moment["zone"], moment.asked) == (
        0,
        "landing" if jump else "8-1",
    )  # 8-1: nothing counts against a sound one
    assert not {"4-2", "4-4", "4-8", "4.6"} & set(moment.tables)
    if jump:
        moment.fly("landing: bail-out\n")
        moment.fly("".join("8-4: 3,4 = safe\n" for _ in range(asked(moment.mission).count("8-4"))))
        assert {moment[f"fate.{man}"] for man in ALL} == {"duty"}


@pytest.mark.section("b29 4.6", "b29 4.3 A")
@pytest.mark.parametrize("said", ["34", "-3", "29", "some", "34-boxes"])
@pytest.mark.parametrize("table", ["4-9.lost", "4-9.gained", "7-5.e"])
def test_a_number_of_boxes_that_is_no_row_is_asked_again(b29: Pack, table: str, said: str) -> None:
    moment = set_up(b29, "zone=4 fuel.wing=10", table, area="port-wing")
    moment.mission.roll(None, Hand(), outcome=said)
    assert (moment["fuel.wing"], moment.asked) == (10, table)
    moment.mission.roll(None, Hand(), outcome="2")
    assert (moment["fuel.wing"], moment.asked) == (8 if table == "4-9.gained" else 12, "None")
