"""Damage to the bomber and its men: wings, tanks, engines, bursts inside, wounds, and who can jump (19.0, P, BL, G)."""

from typing import Any

import pytest

from companion.packs import Pack
from companion.problems import UserError
from tests.book import b17 as book
from tests.games.b17.table import BREMEN, HOMEWARD, MEN, at
from tests.support import Moment, after_step, asked, check, moments, set_up

OUT = (
    "mission.number=11 target.city=Bremen target.zone=7 squadron=high turn=5 zone=5 zone.turns=1 step=lost-2 "
    "fought=yes "
)
HOME = OUT + "leg=inbound bombs=dropped "
OVER_GERMANY = HOME.replace("zone=5 ", "zone=7 ")
OVER_FRANCE = HOME.replace("Bremen target.zone=7", "Paris target.zone=5").replace(" zone=5 ", " zone=4 ")


def hit(pack: Pack, facts: str, roll: str, script: str, **bind: str) -> Moment:
    """Return the effects of one roll of damage."""
    return set_up(pack, facts, roll, **bind).fly(script)


def text_of(moment: Moment, table: str) -> str:
    """Return the text of a table's last result."""
    return [each.text for each in moment.results if each.table == table][-1]


# -- a burst inside (19.2) ---------------------------------------------------------------------------------------------


TORN = at(
    HOMEWARD, "step=home zone=1 engine.1=out engine.2=out engine.3=out loose-gear=yes cables.hits=2 window.hits=2"
)
ROOT = HOME + "tailplane.port=2 tailplane.starboard={} roll=P-6 area=tail"
RUNAWAY = HOME + "{}roll=BL-1.engine engine=2 area=port-wing"
OIL = HOME + "roll=BL-1.e engine=3 area=starboard-wing"
OIL_LEAK = OIL.replace("fought=yes", "fought=no gun.top=broken")
BURNS = HOME + "charges.3={} roll=BL-1.e engine=3 area=starboard-wing"
TANK = HOME + "tank.inboard.port=leaking fuel.short=yes fuel.turns=6 roll=BL-1.tank area=port-wing place=inboard"
NO_FUEL = at(BREMEN, "step=jettison turn=5 zone=5 zone.turns=1 fought=yes fuel.short=yes tank.inboard.port=leaking")


@pytest.mark.section("b17 19.2 a", "b17 19.2 b", "b17 19.2 c", "b17 19.2 d", "b17 O-5", "b17 errata 23", "b17 BL-1 a")
@pytest.mark.section("b17 P-6 c", "b17 BL-1 d", "b17 BL-1 e", "b17 BL-1 f", "b17 errata 16", "b17 errata 19")
@pytest.mark.section("b17 errata 20")
@moments(
    ("a burst is written under the hits of its section", HOME + "roll=O-5 burst=yes", "O-5: 4,5",
     "hits.waist=1 flak.hits.waist=1"),
    ("one in the tail kills there, and she falls", HOME + "roll=O-4.bip area=tail", "",
     "crew.tail-gunner=kia crew.lost=1 asked=G-7"),
    ("one in a wing kills nobody", HOME + "roll=O-4.bip area=port-wing", "", "crew.lost=0 asked=G-7"),
    ("one in the cockpit three", HOME + "roll=O-4.bip area=pilot-compartment", "",
     "crew.pilot=kia crew.copilot=kia crew.engineer=kia crew.lost=3 asked=G-7"),
    ("one among the bombs destroys all", OUT + "roll=O-4.bip area=bomb-bay", "", "bomber.fate=destroyed crew.lost=10"),
    ("damage alone never writes a bomber off", TORN, "O-1: 3,4; landing: land; G-9: 6,5", "bomber.fate=returned"),
    ("the fifth hit tears the wing off", HOME + "wing-root.port=4 wing-root.starboard=4 roll=BL-1 area=port-wing",
     "BL-1: 1,1", "waits=G-7"),
    ("the fourth does not; the other root has its own count",
     HOME + "wing-root.port=3 wing-root.starboard=4 roll=BL-1 area=port-wing", "BL-1: 1,1", "waits!=G-7"),
    ("one tailplane may tear off", ROOT.format(0), "P-6: 4,5; P-6.tailplane: 5", "waits!=G-7"),
    ("both mean jumping", ROOT.format(3), "P-6: 4,5; P-6.tailplane: 5", "waits=G-7"),
    ("a runaway engine is feathered on 1 to 5", RUNAWAY.format(""), "BL-1.engine: 5; BL-1.d: 5",
     "waits!=G-6 engine.2=out"),
    ("on a 6 all jump", RUNAWAY.format(""), "BL-1.engine: 5; BL-1.d: 6", "waits=G-6"),
    ("as without feathering", RUNAWAY.format("feathering=out "), "BL-1.engine: 5", "waits=G-6"),
    ("an oil fire is put out on 1 to 4", OIL, "BL-1.e: 1; BL-1.fire: 4", "waits!=G-6 engine.3=out waits!=BL-1.c"),
    ("by the second charge too", OIL, "BL-1.e: 2; BL-1.fire: 5; BL-1.fire: 1", "waits!=G-6 engine.3=out"),
    ("after it all jump", OIL, "BL-1.e: 1; BL-1.fire: 5; BL-1.fire: 6", "waits=G-6"),
    ("the hit may be nothing", OIL, "BL-1.e: 5", "waits!=G-6 engine.3=ok"),
    ("an oil leak lasts one zone", OIL_LEAK, "BL-1.e: 3; BL-1.oil: 2", "oil.3=1 engine.3=ok"),
    ("two", OIL_LEAK, "BL-1.e: 3; BL-1.oil: 3", "oil.3=2 engine.3=ok"),
    ("or three", OIL_LEAK, "BL-1.e: 3; BL-1.oil: 6", "oil.3=3 engine.3=ok"),
    ("a fire meets the charges that are left", BURNS.format(1), "BL-1.e: 1; BL-1.fire: 6", "waits=G-6 charges.3=2"),
    ("or none", BURNS.format(2), "BL-1.e: 1", "waits=G-6 charges.3=2"),
    ("a burning tank is left", HOME + "roll=BL-1.f area=port-wing", "BL-1.f: 5", "asked=G-6"),
    ("out of control when it explodes", HOME + "roll=BL-1.f area=port-wing", "BL-1.f: 6", "asked=G-7"),
    ("a leaking tank is hit as if it were sound: fire", TANK, "BL-1.tank: 1", "waits=BL-1.f"),
    ("leak", TANK, "BL-1.tank: 3", "waits=BL-1.g"), ("or seal", TANK, "BL-1.tank: 5", "waits!=BL-1.f waits!=BL-1.g"),
    ("an abort for want of fuel counts", {**NO_FUEL, "fuel.turns": 6}, "abort: abort", "credit=yes"),
    ("where there is enough it does not", {**NO_FUEL, "fuel.turns": 20}, "abort: abort", "credit=no"),
)  # fmt: skip
def test_bursts_wings_and_engines(pack: Pack, sheet: str | dict[str, Any], flown: str, then: str) -> None:
    check(pack, sheet, flown, then)


@pytest.mark.section("b17 19.2 a", "b17 P-5")
def test_a_burst_hits_no_man_that_it_has_killed(pack: Pack) -> None:
    """19.2 a, d: everyone in the section is dead before its rows are applied; elsewhere and earlier, a man is hit."""
    dice = "P-5.oxygen: 1\nP-5.armament: 1\nP-5.ball-turret: 1\nP-5.heat: 1\n"
    burst = hit(pack, HOME, "O-4.bip", dice, area="waist")
    killed = {man for man in MEN if burst[f"crew.{man}"] == "kia"}
    assert killed == {"port-waist", "starboard-waist", "ball-gunner"}
    texts = [each.text for each in burst.results]
    assert not [each for each in texts if " is hit" in each or " are hit" in each]
    assert "The port waist gunner: no one alive in his position" in texts
    assert "Both waist gunners: no one alive in their positions" in texts
    assert text_of(hit(pack, f"{HOME} crew.starboard-waist=kia", "P-5", "P-5: 5,5\n"), "P-5") == (
        "The port waist gunner is hit: no one alive in the other position"
    )
    assert text_of(hit(pack, HOME, "P-5", "P-5: 3,3\n"), "P-5") == "The port waist gunner is hit"


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
def test_parts_break_after_hits(
    pack: Pack, thing: str, table: str, die: str, count: str, broken: tuple[str, str]
) -> None:
    """BL-1 a, P-6, P-2, 12.1: only the last of its hits breaks it."""
    last = book.BREAKS_AT[thing] - 1
    for hits in (last - 1, last):
        moment = hit(pack, HOME + f"formation=out {count}={hits}", table, die, area="port-wing")
        assert (moment[broken[0]] == broken[1]) == (hits == last), hits


@pytest.mark.section("b17 BL-1 e", "b17 BL-1 g")
def test_a_later_leak_makes_nothing_last_longer(pack: Pack) -> None:
    here = HOME.replace("fought=yes", "fought=no gun.top=broken") + "fuel.turns=1 oil.3=1 tank.outboard.port=leaking"
    moment = hit(pack, here, "BL-1.oil", "BL-1.oil: 6\n", engine="3", area="starboard-wing")
    assert (moment["oil.3"], text_of(moment, "BL-1.oil")) == (1, "The first leak stops it sooner")
    moment = hit(pack, here, "BL-1.tank", "BL-1.tank: 3\n", area="port-wing", place="inboard")
    assert (moment["fuel.turns"], text_of(moment, "BL-1.g")) == (1, "The fuel runs out sooner already: no effect")


@pytest.mark.section("b17 BL-1 e", "b17 BL-1 g")
def test_remaining_boxes_may_be_typed(pack: Pack) -> None:
    moment = set_up(pack, HOME + "fuel.turns=1 oil.2=1")
    assert (moment["fuel.short"], moment["oil.leak.2"]) == ("yes", "yes")
    sheet = {**HOMEWARD, "fuel.turns": 1, "oil.2": 1}
    moment = after_step(pack, "turn", sheet)
    assert (moment["fuel.turns"], moment["forced-landing"], moment["engine.2"]) == (0, "yes", "ok")


# -- instruments, oxygen, the nose (BL-2, P) ---------------------------------------------------------------------------


@pytest.mark.section("b17 BL-2 c", "b17 errata 28")
def test_without_oxygen_down_in_the_next_turn(pack: Pack) -> None:
    moment = hit(pack, HOME.replace("zone=5 ", "zone=4 "), "BL-2", "BL-2: 2,3\n", area="pilot-compartment")
    entries = [(entry["t"], entry.get("c", {})) for entry in moment.mission.journal.entries]
    came_down = [at for at, (_, changed) in enumerate(entries) if "altitude" in changed]
    turned = [at for at, (_, changed) in enumerate(entries) if "turn" in changed and at > 0]
    assert came_down and turned and turned[-1] <= came_down[0]
    assert (moment["altitude"], moment["formation"], moment["zone"]) == ("low", "out", 3)


SHOT = HOME + "intercom=out fighter.1.type=me109 fighter.1.clock=6 fighter.1.angle=high roll=M-1 fighter=1 gun="
WINDOW = HOME + "window.hits={} roll=P-2 area=pilot-compartment"
WOUND = "crew.tail-gunner={} wounds.tail-gunner={} roll=BL-4 position=tail-gunner"
LANDED = at(HOMEWARD, "step=home zone=1 crew.navigator=serious frostbite.pilot=yes frostbite.copilot=yes")
LANDING = "O-1: 3,4; landing: land; G-9: 3,4; BL-4.b navigator: {}; BL-5.b pilot: 3; BL-5.b copilot: 4"
IN_SEA = HOME.replace("zone=5 ", "zone=4 ") + "crew.pilot={} wounds.pilot={} roll=G-8 position=pilot"


@pytest.mark.section("b17 G-7 6", "b17 G-7", "b17 BL-2 b", "b17 errata 21", "b17 BL-4 a", "b17 BL-4 b", "b17 BL-5 b")
@pytest.mark.section("b17 errata 5", "b17 17.0", "b17 5.2 g", "b17 11.0", "b17 G-7 c", "b17 G-7 d", "b17 errata 8")
@pytest.mark.section("b17 errata 37", "b17 G-8")
@moments(
    ("without intercom the tail guns hit on 5", SHOT + "tail", "M-1: 5", "waits=M-2"),
    ("not on 4", SHOT + "tail", "M-1: 4", "waits!=M-2"), ("the others on 6", SHOT + "top", "M-1: 6", "waits=M-2"),
    ("alone", SHOT + "top", "M-1: 5", "waits!=M-2"),
    ("one hit leaves the windshield", WINDOW.format(0), "P-2: 5,6", "heat.pilot=ok heat.copilot=ok"),
    ("the second takes it, and the heat", WINDOW.format(1), "P-2: 5,6", "heat.pilot=out heat.copilot=out"),
    ("a light wound", HOME + WOUND.format("ok", 0), "BL-4: 3", "crew.tail-gunner=light wounds.tail-gunner=1"),
    ("a serious one", HOME + WOUND.format("ok", 0), "BL-4: 4", "crew.tail-gunner=serious"),
    ("death", HOME + WOUND.format("ok", 0), "BL-4: 6", "crew.tail-gunner=kia"),
    ("two light wounds are light", HOME + WOUND.format("light", 1), "BL-4: 1",
     "crew.tail-gunner=light wounds.tail-gunner=2"),
    ("three are serious", HOME + WOUND.format("light", 2), "BL-4: 1", "crew.tail-gunner=serious"),
    ("a fourth kills", HOME + WOUND.format("serious", 3), "BL-4: 2", "crew.tail-gunner=kia"),
    ("light and serious kill", HOME + WOUND.format("light", 1), "BL-4: 5", "crew.tail-gunner=kia"),
    ("in either order", HOME + WOUND.format("serious", 0), "BL-4: 1", "crew.tail-gunner=kia"),
    ("after landing a 1 flies on; frostbite grounds on 1 to 3", LANDED, LANDING.format(1),
     "fate.navigator=duty fate.pilot=ih fate.copilot=duty"),
    ("2 is in hospital", LANDED, LANDING.format(2), "fate.navigator=ih"),
    ("5 too", LANDED, LANDING.format(5), "fate.navigator=ih"),
    ("6 dies", LANDED, LANDING.format(6), "fate.navigator=dow"),
    ("frostbitten as well on a 5", {**LANDED, "frostbite.navigator": "yes"}, LANDING.format(5), "fate.navigator=dow"),
    ("over Germany jumpers are captured, from G-6", OVER_GERMANY + "roll=G-6 position=pilot", "G-6: 6",
     "fate.pilot=bo-c"),
    ("from G-7", OVER_GERMANY + "roll=G-7 position=pilot", "G-7: 6", "fate.pilot=bo-c"),
    ("over France too", OVER_FRANCE + "roll=G-6 position=pilot", "G-6: 6; G-6.underground: 5", "fate.pilot=bo-c"),
    ("but a 6 brings a man home", OVER_FRANCE + "roll=G-7 position=pilot", "G-7: 6; G-6.underground: 6",
     "fate.pilot=returned"),
    ("the sea spares on 5", IN_SEA.format("ok", 0), "G-8: 5", "fate.pilot=duty"),
    ("not on 4", IN_SEA.format("ok", 0), "G-8: 4", "fate.pilot=las"),
    ("nor the lightly wounded on 5", IN_SEA.format("light", 1), "G-8: 5", "fate.pilot=las"),
    ("a six always gets out", OVER_GERMANY + "crew.pilot=light wounds.pilot=1 roll=G-7 position=pilot", "G-7: 6",
     "fate.pilot=bo-c"),
    ("a five does not", OVER_GERMANY + "roll=G-7 position=pilot", "G-7: 5", "fate.pilot=kia"),
)  # fmt: skip
def test_wounds_and_jumps(pack: Pack, sheet: str | dict[str, Any], flown: str, then: str) -> None:
    check(pack, sheet, flown, then)


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


# -- jumping (G-6 to G-8) ----------------------------------------------------------------------------------------------


@pytest.mark.section("b17 G-7 a", "b17 G-7 b", "b17 errata 8", "b17 P-5 c")
@pytest.mark.parametrize("table", ["G-6", "G-7"])
def test_each_man_jumps_for_himself(pack: Pack, table: str) -> None:
    facts = OVER_GERMANY + "crew.navigator=serious crew.bombardier=kia ball.trapped=yes gun.ball=broken"
    moment = hit(pack, facts, f"{table}.crew", "")
    assert asked(moment.mission) == [table] * 7
    assert (moment["fate.navigator"], moment["fate.ball-gunner"]) == ("kia", "kia")


@pytest.mark.section("b17 G-11 c", "b17 16.4", "b17 G-8")
@pytest.mark.parametrize(("zone", "fate"), book.SEA_RESCUE.items())
def test_picked_up_far_from_home(pack: Pack, zone: int, fate: str) -> None:
    facts = HOME.replace("zone=5 ", f"zone={zone} ")
    fates = {"returned": "duty", "captured": "bo-c"}
    assert hit(pack, facts, "G-8", "G-8: 6\n", position="pilot")["fate.pilot"] == fates[fate]
