"""Damage to the bomber and its men: wings, tanks, engines, bursts inside, wounds, and who can jump (19.0, P, BL, G)."""

from __future__ import annotations

import pytest

from companion.packs import Pack
from companion.problems import UserError
from tests.book import b17 as book
from tests.games.b17.table import BREMEN, HOMEWARD, MEN
from tests.support import Moment, after_step, asked, set_up

OUT = (
    "mission.number=11 target.city=Bremen target.zone=7 squadron=high turn=5 zone=5 zone.turns=1 step=lost-2 "
    "fought=yes "
)
HOME = OUT + "leg=inbound bombs=dropped "
OVER_GERMANY = HOME.replace("zone=5 ", "zone=7 ")
OVER_FRANCE = HOME.replace("Bremen target.zone=7", "Paris target.zone=5").replace(" zone=5 ", " zone=4 ")


def hit(pack: Pack, facts: str, roll: str, script: str, **bind: str) -> Moment:
    """What one roll of damage does."""
    moment = set_up(pack, facts, roll, **bind)
    moment.fly(script)
    return moment


def text_of(moment: Moment, table: str) -> str:
    """The text of a table's last result."""
    return [each.text for each in moment.results if each.table == table][-1]


# -- a burst inside (19.2) ---------------------------------------------------------------------------------------------


@pytest.mark.section("b17 19.2 d", "b17 O-5")
def test_a_burst_is_written_under_the_hits_of_its_section(pack: Pack) -> None:
    moment = hit(pack, HOME, "O-5", "O-5: 4,5", burst="yes")  # the waist
    assert (moment["hits.waist"], moment["flak.hits.waist"]) == (1, 1)


@pytest.mark.section("b17 19.2 a", "b17 19.2 b")
@pytest.mark.parametrize(
    ("area", "dead"),
    [("tail", {"tail-gunner"}), ("port-wing", set()), ("pilot-compartment", {"pilot", "copilot", "engineer"})],
)
def test_a_burst_that_brings_the_bomber_down(pack: Pack, area: str, dead: set[str]) -> None:
    moment = hit(pack, HOME, "O-4.bip", "", area=area)
    assert {man for man in MEN if moment[f"crew.{man}"] == "kia"} == dead
    assert asked(moment.mission) == ["G-7"] * (10 - len(dead))


@pytest.mark.section("b17 19.2 a", "b17 P-5")
def test_a_burst_hits_no_man_that_it_has_killed(pack: Pack) -> None:
    """19.2 a, d: all in the section are dead already when its rows are taken; elsewhere and before, a man is hit."""
    dice = "P-5.oxygen: 1\nP-5.armament: 1\nP-5.ball-turret: 1\nP-5.heat: 1\n"
    burst = hit(pack, HOME, "O-4.bip", dice, area="waist")
    killed = {man for man in MEN if burst[f"crew.{man}"] == "kia"}
    assert killed == {"port-waist", "starboard-waist", "ball-gunner"}
    texts = [each.text for each in burst.results]
    assert not [each for each in texts if " is hit" in each or " are hit" in each]
    assert "The port waist gunner: nobody living in his place" in texts
    assert "Both waist gunners: nobody living in their places" in texts
    assert text_of(hit(pack, f"{HOME} crew.starboard-waist=kia", "P-5", "P-5: 5,5\n"), "P-5") == (
        "The port waist gunner is hit: nobody living in the other place"
    )
    assert text_of(hit(pack, HOME, "P-5", "P-5: 3,3\n"), "P-5") == "The port waist gunner is hit"


@pytest.mark.section("b17 19.2 c")
def test_a_burst_among_the_bombs(pack: Pack) -> None:
    moment = hit(pack, OUT, "O-4.bip", "", area="bomb-bay")
    assert (moment["bomber.fate"], moment["crew.lost"]) == ("destroyed", 10)


@pytest.mark.section("b17 19.2 a", "b17 19.2 d", "b17 15.2 f", "b17 errata 23")
def test_a_burst_in_the_radio_room(pack: Pack) -> None:
    moment = hit(pack, HOME, "O-4.bip", "P-4.oxygen: 1\n", area="radio-room")
    assert moment["crew.radio-operator"] == "kia"
    assert (moment["formation"], moment["bip"], moment["may-evade"]) == ("out", "yes", "no")
    state = [
        moment[name] for name in ("heat.radio-operator", "intercom", "radio", "oxygen.radio-operator", "cables.hits")
    ]
    assert state == ["out", "out", "out", 1, 1]
    landed = after_step(
        pack, "home", {**HOMEWARD, "zone": 1, "bip": "yes", "formation": "out"}, "O-1: 3,4\nlanding: land\nG-9: 6,5\n"
    )
    assert (landed["bomber.fate"], landed["mission.result"]) == ("irreparable", "defeat")


@pytest.mark.section("b17 errata 23")
def test_damage_alone_never_writes_a_bomber_off(pack: Pack) -> None:
    torn = {
        "engine.1": "out", "engine.2": "out", "engine.3": "out", "loose-gear": "yes", "cables.hits": 2,
        "window.hits": 2,
    }  # fmt: skip
    moment = after_step(pack, "home", {**HOMEWARD, "zone": 1, **torn}, "O-1: 3,4\nlanding: land\nG-9: 6,5\n")
    assert moment["bomber.fate"] == "returned"


# -- wings, tanks, engines (BL-1) --------------------------------------------------------------------------------------


@pytest.mark.section("b17 BL-1 a", "b17 P-2", "b17 P-6", "b17 P-6 c", "b17 12.1")
@pytest.mark.parametrize(
    ("thing", "table", "die", "count", "broken"),
    [
        ("wing-root", "BL-1", "BL-1: 5,6\n", "wing-root.port", ("bomber.fate", "destroyed")),
        ("tailplane", "P-6", "P-6: 4,5\nP-6.tailplane: 5\n", "tailplane.port", ("tailplane-off", "yes")),
        ("rudder", "P-6", "P-6: 3,4\n", "rudder.hits", ("rudder", "out")),
        ("cables", "P-5", "P-5: 6,6\n", "cables.hits", ("may-evade", "no")),
        ("oxygen", "P-4", "P-4: 5,6\nP-4.oxygen: 1\n", "oxygen.radio-operator", ("airless.radio-operator", "yes")),
    ],
)
def test_what_breaks_after_some_hits(
    pack: Pack, thing: str, table: str, die: str, count: str, broken: tuple[str, str]
) -> None:
    """BL-1 a, P-6, P-2, 12.1: the last of its hits breaks it, the one before does not yet."""
    last = book.BREAKS_AT[thing] - 1
    for hits in (last - 1, last):
        moment = hit(pack, HOME + f"formation=out {count}={hits}", table, die, area="port-wing")
        assert (moment[broken[0]] == broken[1]) == (hits == last), hits


@pytest.mark.section("b17 P-6 c")
def test_a_tailplane_is_gone_only_once(pack: Pack) -> None:
    for hits, text in ((1, "Port tailplane root hit; it tears off at the third"),
                       (2, "Third hit: the port tailplane tears off, -1 on landing"),
                       (3, "The port tailplane is gone already: no effect")):  # fmt: skip
        moment = hit(pack, HOME + f"tailplane.port={hits}", "P-6", "P-6: 4,5\nP-6.tailplane: 5\n", area="tail")
        assert (text_of(moment, "P-6.tailplane"), moment["tailplane.port"]) == (text, min(hits + 1, 3))


@pytest.mark.section("b17 BL-1 a")
@pytest.mark.parametrize(("before", "torn"), [(3, False), (4, True)])
def test_the_fifth_hit_tears_the_wing_off(pack: Pack, before: int, torn: bool) -> None:
    moment = hit(pack, HOME + f"wing-root.port={before} wing-root.starboard=4", "BL-1", "BL-1: 1,1\n", area="port-wing")
    assert ("G-7" in asked(moment.mission)) == torn


@pytest.mark.section("b17 P-6 c")
@pytest.mark.parametrize(("other", "jump"), [(0, False), (3, True)])
def test_tailplanes_tear_off(pack: Pack, other: int, jump: bool) -> None:
    facts = HOME + f"tailplane.port=2 tailplane.starboard={other}"
    moment = hit(pack, facts, "P-6", "P-6: 4,5\nP-6.tailplane: 5\n", area="tail")
    assert ("G-7" in asked(moment.mission)) == jump


@pytest.mark.section("b17 BL-1 d")
@pytest.mark.parametrize(("facts", "script", "table"), [("", "BL-1.d: 5\n", "none"), ("", "BL-1.d: 6\n", "G-6"),
                                                        ("feathering=out", "", "G-6")])  # fmt: skip
def test_a_runaway_engine(pack: Pack, facts: str, script: str, table: str) -> None:
    """BL-1 d, BL-2, 10: feathered on 1 to 5 and then out; else, and with feathering lost, all jump."""
    moment = hit(pack, HOME + facts, "BL-1.engine", f"BL-1.engine: 5\n{script}", engine="2", area="port-wing")
    assert ("G-6" in asked(moment.mission)) == (table == "G-6")
    assert table == "G-6" or moment["engine.2"] == "out"


@pytest.mark.section("b17 BL-1 e", "b17 errata 20")
@pytest.mark.parametrize(
    ("dice", "engine", "jump"), [("1\nBL-1.fire: 4", "out", False), ("2\nBL-1.fire: 5\nBL-1.fire: 1", "out", False),
                                 ("1\nBL-1.fire: 5\nBL-1.fire: 6", "ok", True), ("5", "ok", False)]
)  # fmt: skip
def test_an_oil_fire_has_two_charges(pack: Pack, dice: str, engine: str, jump: bool) -> None:
    """BL-1 e, errata 20: each puts it out on 1 to 4, and the engine is out and feathered; after the second all jump."""
    moment = hit(pack, HOME, "BL-1.e", f"BL-1.e: {dice}\n", engine="3", area="starboard-wing")
    assert ("G-6" in asked(moment.mission)) == jump
    assert jump or moment["engine.3"] == engine
    assert "BL-1.c" not in asked(moment.mission)


@pytest.mark.section("b17 BL-1 e")
@pytest.mark.parametrize(("die", "zones"), [(2, 1), (3, 2), (6, 3)])
def test_an_oil_leak_lasts_some_zones(pack: Pack, die: int, zones: int) -> None:
    here = HOME.replace("fought=yes", "fought=no gun.top=broken")
    moment = hit(pack, here, "BL-1.e", f"BL-1.e: 3\nBL-1.oil: {die}\n", engine="3", area="starboard-wing")
    assert (moment["oil.3"], moment["engine.3"]) == (zones, "ok")


@pytest.mark.section("b17 BL-1 e", "b17 BL-1 g")
def test_a_later_leak_makes_nothing_last_longer(pack: Pack) -> None:
    here = HOME.replace("fought=yes", "fought=no gun.top=broken") + "fuel.turns=1 oil.3=1 tank.outboard.port=leaking"
    moment = hit(pack, here, "BL-1.oil", "BL-1.oil: 6\n", engine="3", area="starboard-wing")
    assert (moment["oil.3"], text_of(moment, "BL-1.oil")) == (1, "The first leak stops it sooner")
    moment = hit(pack, here, "BL-1.tank", "BL-1.tank: 3\n", area="port-wing", place="inboard")
    assert (moment["fuel.turns"], text_of(moment, "BL-1.g")) == (1, "The fuel runs out sooner already: no effect")


@pytest.mark.section("b17 BL-1 e")
@pytest.mark.parametrize(("used", "left"), [(0, 2), (1, 1), (2, 0)])
def test_a_fire_meets_the_charges_that_are_left(pack: Pack, used: int, left: int) -> None:
    assert book.FIRE_TRIES["engine"] == used + left
    script = "BL-1.e: 1\n" + "BL-1.fire: 6\n" * left
    moment = hit(pack, HOME + f"charges.3={used}", "BL-1.e", script, engine="3", area="starboard-wing")
    assert ("G-6" in asked(moment.mission), moment["charges.3"]) == (True, 2)


@pytest.mark.section("b17 BL-1 e", "b17 BL-1 g")
def test_what_is_left_may_be_written_by_hand(pack: Pack) -> None:
    moment = set_up(pack, HOME + "fuel.turns=1 oil.2=1")
    assert (moment["fuel.short"], moment["oil.leak.2"]) == ("yes", "yes")
    sheet = {**HOMEWARD, "fuel.turns": 1, "oil.2": 1}
    moment = after_step(pack, "turn", sheet)
    assert (moment["fuel.turns"], moment["forced-landing"], moment["engine.2"]) == (0, "yes", "ok")


@pytest.mark.section("b17 BL-1 f")
@pytest.mark.parametrize(("die", "table"), [(5, "G-6"), (6, "G-7")])
def test_a_burning_tank(pack: Pack, die: int, table: str) -> None:
    moment = hit(pack, HOME, "BL-1.f", f"BL-1.f: {die}\n", area="port-wing")
    assert set(asked(moment.mission)) == {table}


@pytest.mark.section("b17 errata 19")
@pytest.mark.parametrize(("die", "waits"), [(1, "BL-1.f"), (3, "BL-1.g"), (5, "none")])
def test_a_leaking_tank_is_hit_again(pack: Pack, die: int, waits: str) -> None:
    facts = HOME + "tank.inboard.port=leaking fuel.short=yes fuel.turns=6"
    moment = hit(pack, facts, "BL-1.tank", f"BL-1.tank: {die}\n", area="port-wing", place="inboard")
    assert ("BL-1.f" in asked(moment.mission), "BL-1.g" in asked(moment.mission)) == (
        waits == "BL-1.f",
        waits == "BL-1.g",
    )


@pytest.mark.section("b17 errata 16")
@pytest.mark.parametrize(("turns", "counts"), [(6, "yes"), (20, "no")])
def test_an_abort_for_want_of_fuel_counts(pack: Pack, turns: int, counts: str) -> None:
    sheet = {**BREMEN, "turn": 5, "zone": 5, "zone.turns": 1, "fought": "yes", "fuel.short": "yes", "fuel.turns": turns,
             "tank.inboard.port": "leaking"}  # fmt: skip
    assert after_step(pack, "jettison", sheet, "abort: abort\n")["credit"] == counts


# -- instruments, oxygen, the nose (BL-2, P) ---------------------------------------------------------------------------


@pytest.mark.section("b17 BL-2 c", "b17 errata 28")
def test_without_oxygen_down_in_the_next_turn(pack: Pack) -> None:
    moment = hit(pack, HOME.replace("zone=5 ", "zone=4 "), "BL-2", "BL-2: 2,3\n", area="pilot-compartment")
    entries = [(entry["t"], entry.get("c", {})) for entry in moment.mission.journal.entries]
    came_down = [at for at, (_, changed) in enumerate(entries) if "altitude" in changed]
    turned = [at for at, (_, changed) in enumerate(entries) if "turn" in changed and at > 0]
    assert came_down and turned and turned[-1] <= came_down[0]
    assert (moment["altitude"], moment["formation"], moment["zone"]) == ("low", "out", 3)


@pytest.mark.section("b17 BL-2 b")
@pytest.mark.parametrize(("gun", "die", "outcome"), [("tail", 4, "miss"), ("tail", 5, "hit"), ("top", 5, "miss"),
                                                     ("top", 6, "hit")])  # fmt: skip
def test_guns_without_intercom(pack: Pack, gun: str, die: int, outcome: str) -> None:
    facts = HOME + "intercom=out fighter.1.type=me109 fighter.1.clock=6 fighter.1.angle=high"
    moment = hit(pack, facts, "M-1", f"M-1: {die}\n", gun=gun, fighter="1")
    assert moment.results[0].outcome == outcome


@pytest.mark.section("b17 errata 21")
@pytest.mark.parametrize(("before", "heat"), [(0, "ok"), (1, "out")])
def test_a_lost_windshield_takes_the_heat(pack: Pack, before: int, heat: str) -> None:
    moment = hit(pack, HOME + f"window.hits={before}", "P-2", "P-2: 5,6\n", area="pilot-compartment")
    assert (moment["heat.pilot"], moment["heat.copilot"]) == (heat, heat)


@pytest.mark.section("b17 errata 13")
@pytest.mark.parametrize(("flak", "total"), [("no", -3), ("yes", -4)])
def test_bomb_controls_shot_away(pack: Pack, flak: str, total: int) -> None:
    over_bremen = OUT.replace(" zone=5 ", " zone=7 ")
    moment = hit(pack, over_bremen + f"bomb-controls=out flak.hit={flak}", "O-6", "O-6: 6\n")
    assert sum(add for _, add in moment.modifiers("O-6")) == total


@pytest.mark.section("b17 errata 2", "b17 12.2")
def test_five_bottles(pack: Pack) -> None:
    bottles, tries_at_one = book.EXTINGUISHERS, book.FIRE_TRIES["oxygen"]
    assert pack.sheet.fields["extinguishers.used"].accept("extinguishers.used", bottles) == bottles
    with pytest.raises(UserError):
        pack.sheet.fields["extinguishers.used"].accept("extinguishers.used", bottles + 1)
    for used, tries in ((0, tries_at_one), (bottles - 2, 2), (bottles - tries_at_one, tries_at_one)):
        burning = "P-6: 6,5\nP-6.oxygen: 6\n" + "BL-3: 6\n" * tries
        moment = hit(pack, HOME + f"extinguishers.used={used}", "P-6", burning, area="tail")
        assert "G-6" in asked(moment.mission), used


# -- wounds (BL-4, BL-5) -----------------------------------------------------------------------------------------------


@pytest.mark.section("b17 BL-4 a")
@pytest.mark.parametrize(
    ("state", "wounds", "die", "after"),
    [("ok", 0, 3, ("light", 1)), ("ok", 0, 4, ("serious", 0)), ("ok", 0, 6, ("kia", 0)),
     ("light", 1, 1, ("light", 2)), ("light", 2, 1, ("serious", 3)), ("light", 1, 5, ("kia", 1)),
     ("serious", 0, 1, ("kia", 0))],
)  # fmt: skip
def test_wounds_add_up(pack: Pack, state: str, wounds: int, die: int, after: tuple[str, int]) -> None:
    """BL-4 a: three light wounds are a serious one; light and serious together kill."""
    facts = HOME + f"crew.tail-gunner={state} wounds.tail-gunner={wounds}"
    moment = hit(pack, facts, "BL-4", f"BL-4: {die}\n", position="tail-gunner")
    assert moment["crew.tail-gunner"] == after[0]
    assert after[0] != "light" or moment["wounds.tail-gunner"] == after[1]


@pytest.mark.section("b17 BL-4 a")
def test_a_fourth_light_wound_kills(pack: Pack) -> None:
    moment = hit(
        pack, HOME + "crew.tail-gunner=serious wounds.tail-gunner=3", "BL-4", "BL-4: 2\n", position="tail-gunner"
    )
    assert moment["crew.tail-gunner"] == "kia"


@pytest.mark.section("b17 BL-4 b", "b17 BL-5 b", "b17 errata 5", "b17 17.0", "b17 5.2 g", "b17 11.0")
@pytest.mark.parametrize(("die", "fate"), [(1, "duty"), (2, "ih"), (5, "ih"), (6, "dow")])
def test_after_landing_the_hurt_are_rolled_for(pack: Pack, die: int, fate: str) -> None:
    """BL-4 b: 1 flies on, 6 dies. BL-5 b, errata 5: frostbite grounds on 1 to 3."""
    sheet = {**HOMEWARD, "zone": 1, "crew.navigator": "serious", "frostbite.pilot": "yes", "frostbite.copilot": "yes"}
    rolls = f"BL-4.b navigator: {die}\nBL-5.b pilot: 3\nBL-5.b copilot: 4\n"
    moment = after_step(pack, "home", sheet, f"O-1: 3,4\nlanding: land\nG-9: 3,4\n{rolls}")
    assert [moment[f"fate.{man}"] for man in ("navigator", "pilot", "copilot")] == [fate, "ih", "duty"]


@pytest.mark.section("b17 11.0", "b17 BL-4 b")
def test_a_frostbitten_man_recovers_worse(pack: Pack) -> None:
    sheet = {**HOMEWARD, "zone": 1, "crew.navigator": "serious", "frostbite.navigator": "yes"}
    moment = after_step(pack, "home", sheet, "O-1: 3,4\nlanding: land\nG-9: 3,4\nBL-4.b navigator: 5\n")
    assert moment["fate.navigator"] == "dow"


# -- jumping (G-6 to G-8) ----------------------------------------------------------------------------------------------


@pytest.mark.section("b17 G-7 a", "b17 G-7 b", "b17 errata 8", "b17 P-5 c")
@pytest.mark.parametrize("table", ["G-6", "G-7"])
def test_each_man_jumps_for_himself(pack: Pack, table: str) -> None:
    facts = OVER_GERMANY + "crew.navigator=serious crew.bombardier=kia ball.trapped=yes gun.ball=broken"
    moment = hit(pack, facts, f"{table}.crew", "")
    assert asked(moment.mission) == [table] * 7
    assert (moment["fate.navigator"], moment["fate.ball-gunner"]) == ("kia", "kia")


@pytest.mark.section("b17 G-7 c", "b17 G-7 d", "b17 errata 8")
@pytest.mark.parametrize("table", ["G-6", "G-7"])
def test_who_comes_down_where(pack: Pack, table: str) -> None:
    """G-7 c, d: over Germany captured; over France a 6 brings a man home."""
    assert hit(pack, OVER_GERMANY, table, f"{table}: 6\n", position="pilot")["fate.pilot"] == "bo-c"
    for die, fate in ((5, "bo-c"), (6, "returned")):
        script = f"{table}: 6\nG-6.underground: {die}\n"
        assert hit(pack, OVER_FRANCE, table, script, position="pilot")["fate.pilot"] == fate


@pytest.mark.section("b17 G-7 6", "b17 errata 37", "b17 G-7")
@pytest.mark.parametrize(("die", "state", "fate"), [(6, "light", "bo-c"), (5, "ok", "kia"), (6, "ok", "bo-c")])
def test_a_six_always_gets_out(pack: Pack, die: int, state: str, fate: str) -> None:
    facts = OVER_GERMANY + f"crew.pilot={state}" + (" wounds.pilot=1" if state == "light" else "")
    moment = hit(pack, facts, "G-7", f"G-7: {die}\n", position="pilot")
    assert moment["fate.pilot"] == fate
    assert sum(add for _, add in moment.modifiers("G-7")) == (-1 if state == "light" else 0)


@pytest.mark.section("b17 errata 37", "b17 G-8")
@pytest.mark.parametrize(("die", "state", "fate"), [(5, "ok", "duty"), (5, "light", "las"), (4, "ok", "las")])
def test_the_lightly_wounded_in_the_sea(pack: Pack, die: int, state: str, fate: str) -> None:
    facts = HOME.replace("zone=5 ", "zone=4 ") + f"crew.pilot={state}" + (" wounds.pilot=1" if state == "light" else "")
    assert hit(pack, facts, "G-8", f"G-8: {die}\n", position="pilot")["fate.pilot"] == fate


@pytest.mark.section("b17 G-11 c", "b17 16.4", "b17 G-8")
@pytest.mark.parametrize(("zone", "fate"), book.SEA_RESCUE.items())
def test_picked_up_far_from_home(pack: Pack, zone: int, fate: str) -> None:
    facts = HOME.replace("zone=5 ", f"zone={zone} ")
    fates = {"returned": "duty", "captured": "bo-c"}
    assert hit(pack, facts, "G-8", "G-8: 6\n", position="pilot")["fate.pilot"] == fates[fate]
