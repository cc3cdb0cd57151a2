"""Damage to the bomber and its men, row by row and by hand: wings, tanks, engines, wounds, jumps (10.0, P, BL)."""

from typing import Any

import pytest

from companion.engine.dice import Hand
from companion.engine.facts import Facts
from companion.packs import Pack
from companion.play.conversation import resolve
from companion.play.mission import Answers, Mission
from companion.problems import UserError
from tests.book import b17 as book
from tests.games.b17.table import BREMEN, HOMEWARD, MEN, NO_GUNS, OVER_BREMEN, OVER_LILLE, at
from tests.support import AnsweringPlayer, Moment, after_step, asked, check, moments, set_up

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


FLYING = "mission.number=12 target.city=Paris zone=4 turn=4 zone.turns=1 wave=1 squadron=high cover=poor "


@pytest.mark.section("b17 BL-1 c", "b17 10.1")
@pytest.mark.parametrize("die", [3, 6])
def test_the_engine_of_note_c_is_out(b17: Pack, die: int) -> None:
    moment = set_up(b17, FLYING)
    moment.mission.roll("BL-1.c", Hand([[die]]), {"engine": "2"})
    assert (moment["engine.2"], moment["prop.2"]) == ("out", "drag" if die == 6 else "ok")
    assert (moment["formation"], moment.asked) == (("out", "None") if die == 6 else ("in", "one-engine"))
    assert moment["not-fighters.formation"] == 0


@pytest.mark.section("b17 BL-1 d", "b17 BL-1 e", "b17 BL-2", "b17 BL-3", "b17 errata 2", "b17 12.2")
@pytest.mark.parametrize(
    ("facts", "table"),
    [("feathering=out", "BL-1.d"), ("charges.2=2", "BL-1.fire"), ("engine-extinguishers=out", "BL-1.fire"),
     ("extinguishers.used=5", "BL-3")],
)  # fmt: skip
def test_spent_equipment_saves_nobody(b17: Pack, facts: str, table: str) -> None:
    """BL-2 rows 10 and 11, BL-1 e, 12.2: no feathering, two charges for each engine, five bottles; then everyone
    jumps.
    """
    moment = set_up(b17, FLYING + facts)
    moment.mission.roll(table, Hand(), {} if table == "BL-3" else {"engine": "2"})
    assert (moment["bomber.fate"], moment.asked) == ("abandoned", "G-6")


@pytest.mark.section("b17 18.0 g")
def test_alone_an_accident_is_an_engine(b17: Pack) -> None:
    moment = set_up(b17, FLYING + "formation=out")
    moment.mission.roll("B-7.g", Hand())
    assert (moment.asked, moment["formation.return"]) == ("B-7.a", 0)


@pytest.mark.section("b17 BL-1 g", "b17 O-4 a")
@pytest.mark.parametrize(
    ("table", "facts", "dice", "field"),
    [("BL-1.tank", {"area": "port-wing", "place": "inboard"}, [[3]], ("tank.inboard.port", "leaking")),
     ("O-4.bip", {"area": "tail"}, [], ("crew.tail-gunner", "kia"))],
)  # fmt: skip
def test_two_meanings(
    b17: Pack, table: str, facts: dict[str, str], dice: list[list[int]], field: tuple[str, str]
) -> None:
    moment, by = set_up(b17, FLYING), AnsweringPlayer(**facts)
    resolve(moment.mission, table, by, Answers(dice), asking=True, single=True)
    assert (by.asked, moment[field[0]]) == (list(facts), field[1])


@pytest.mark.section("b17 5.2 d", "b17 O-2", "b17 O-6", "b17 O-7")
@pytest.mark.parametrize(
    ("table", "facts", "text"),
    [("O-2", "", "No flak"), ("O-2", "zone=5 leg=inbound", "No flak"), ("O-6", "", "No bomb run here"),
     ("O-6", "zone=5 leg=inbound", "No bomb run here"),
     ("O-7", "zone=5 bombs=dropped bomb-run=on bomb-run.percent=30", "The bombs are gone")],
)  # fmt: skip
def test_one_run_over_the_target(b17: Pack, table: str, facts: str, text: str) -> None:
    moment = set_up(b17, f"{FLYING} target.zone=5 {facts}")
    before = (moment["bomb-run"], moment["bomb-run.percent"], moment["bombs"], moment["flak"])
    (result,) = moment.mission.roll(table, Hand(), {})
    assert text in result.text and moment.mission.waiting() is None
    assert (moment["bomb-run"], moment["bomb-run.percent"], moment["bombs"], moment["flak"]) == before


@pytest.mark.section("b17 BL-1 a", "b17 P-6 c")
@pytest.mark.parametrize(
    ("before", "box", "asked"),
    [("wing-root.port=4", {"wing-root.port": 5}, "G-7.crew"), ("", {"wing-root.port": 4}, "None"),
     ("tailplane.port=3", {"tailplane.starboard": 3}, "G-7.crew"), ("", {"tailplane.starboard": 3}, "None")],
)  # fmt: skip
def test_the_last_box_crossed_off_brings_her_down(b17: Pack, before: str, box: dict[str, int], asked: str) -> None:
    moment = set_up(b17, FLYING + before)
    moment.mission.write(dict(box))
    assert moment.asked == asked
    if asked != "None":
        moment.mission.roll(None, Hand())
        tables = [item.name for item in moment.mission.pending]
        assert (moment["bomber.fate"], set(tables), len(tables)) == ("destroyed", {"G-7"}, 10)


@pytest.mark.section("b17 BL-1 c", "b17 19.2 d", "b17 13.1 a")
@pytest.mark.parametrize("facts", [{"prop.1": "drag"}, {"bip": "yes"}])
def test_what_throws_her_out_does_so_by_hand(b17: Pack, facts: dict[str, str]) -> None:
    moment = set_up(b17, FLYING)
    moment.mission.write(dict(facts))
    assert (moment["formation"], moment["turns.double"]) == ("out", "yes")


THREE_OUT = "engine.1=out engine.2=out engine.3=out formation=out altitude=low "
HIT = "loose-gear: no; M-3: 6; B-4: 3,4; B-5: 4,4; B-5: 1,1; BL-1: 4,5; BL-1.engines: 4; BL-1.engine: 3; BL-1.c: 1"
DRY = at(OVER_BREMEN, THREE_OUT + "step=turn leg=inbound zone.turns=2 bombs=dropped oil.leak.4=yes oil.4=0")
IN_5 = at(BREMEN, "turn=5 zone=5 zone.turns=1")
GIVES_UP = at(IN_5, "step=jettison fought=yes")
TURNED = at(OVER_BREMEN, "step=waves leg=inbound turning=yes bip=yes bip.zone=7 formation=out")


@pytest.mark.section("b17 BL-1 c", "b17 BL-1 e", "b17 10.1", "b17 10.3", "b17 10.4", "b17 errata 29", "b17 8.0")
@pytest.mark.section("b17 8.0 a", "b17 8.0 b", "b17 8.0 c", "b17 8.0 d", "b17 8.0 g", "b17 5.2 e", "b17 18.0 g")
@pytest.mark.section("b17 19.2 d")
@moments(
    ("an unfeathered propeller drops her out: no choice of the bombs",
     at(BREMEN, "step=cover turn=4 zone=4 zone.turns=1 random-events=on cover=poor"),
     "B-1: 4; B-3: 6,6; B-7: 1,1; B-7.a: 1,1; BL-1.c: 6; change-places: stay",
     "formation=out bombs=aboard asked=jettison"),
    ("the last engine out means down at once",
     at({**OVER_BREMEN, **NO_GUNS}, THREE_OUT + "step=fire bombs=jettisoned waves.left=3 pass=3 wave.formation=out "
        "slots.fighter=1 fighter.1.type=me109 fighter.1.clock=6 fighter.1.angle=high"), HIT,
     "engines.out=4 asked=forced-down options=land,bail-out"),
    ("run dry it lands her before the fighters", {**DRY, "zone": 4}, "loose-gear: yes",
     "engines.out=4 zone=3 asked=forced-down"),
    ("in Zone 1 she is home", {**DRY, "zone": 2}, "loose-gear: yes", "engines.out=4 zone=1 asked=O-1"),
    ("bombs that cannot fall cost the second zone",
     at(OVER_BREMEN, "step=end bay-doors=out zone=5 engine.1=out engine.2=out engine.3=out"), "",
     "asked=None bombs=aboard loose-gear=no glide=1"),
    ("a bomber may abort over the target, without its sight for credit", at(OVER_BREMEN, "step=cover bombsight=out"),
     "B-2: 1; B-3: 1,6; change-places: stay; abort: abort", "rolled!=O-2 credit=yes leg=inbound zone=7 asked=B-2"),
    ("who must abort flies into no flak",
     at(OVER_BREMEN, "step=lost-2 zone.turns=2 formation=out crew.navigator=serious fought=yes"), "jettison: no",
     "aborted=yes leg=inbound flak=none asked=B-2"),
    ("a dead tail gunner gives no credit", {**GIVES_UP, "crew.tail-gunner": "kia"}, "abort: abort",
     "leg=inbound credit=no"),
    ("nor does a leak that leaves enough", at(GIVES_UP, "fuel.short=yes fuel.turns=20"), "abort: abort",
     "leg=inbound credit=no"),
    ("the intercom does", {**GIVES_UP, "intercom": "out"}, "abort: abort", "leg=inbound credit=yes"),
    ("the bombardier", {**GIVES_UP, "crew.bombardier": "serious"}, "abort: abort", "leg=inbound credit=yes"),
    ("heat", {**GIVES_UP, "heat.ball-gunner": "out"}, "abort: abort", "leg=inbound credit=yes"),
    ("and oxygen", {**GIVES_UP, "oxygen.navigator": 2}, "abort: abort", "leg=inbound credit=yes"),
    ("one may turn back in a quiet zone", at(IN_5, "step=cover aborted=yes"), "B-1: 1; change-places: stay",
     "leg=inbound credit=no zone=4"),
    ("an accident alone gives no credit", at(IN_5, "step=cover random-events=on"),
     "B-1: 5; B-3: 6,6; B-7: 6,6; B-7.g: 5,6; B-7.wing: 5; B-7.wing: 1; change-places: stay",
     "bombs=jettisoned leg=inbound credit=no"),
    ("the target's own flak holds a burst bomber there", {**TURNED, "bip.low": "no"}, "", "turns.double=yes"),
    ("low flak before it does not", {**TURNED, "bip.low": "yes"}, "", "turns.double=no"),
)  # fmt: skip
def test_engines_and_aborts(pack: Pack, sheet: dict[str, Any], flown: str, then: str) -> None:
    check(pack, sheet, flown, then)


@pytest.mark.section("b17 10.3")
@pytest.mark.parametrize("by_hand", [False, True])
@pytest.mark.parametrize(("doors", "zones", "bombs"), [("ok", 2, "jettisoned"), ("out", 1, "aboard")])
def test_loose_gear_overboard(pack: Pack, by_hand: bool, doors: str, zones: int, bombs: str) -> None:
    """10.3: without bombs, guns and bottles it flies two zones instead of one, whether chosen or set on the sheet
    later.
    """
    three = {**OVER_BREMEN, "zone": 5, "formation": "out", "bay-doors": doors, "gun.nose": "broken",
             **{f"engine.{each}": "out" for each in (1, 2, 3)}}  # fmt: skip
    moment = after_step(pack, "end", three, "" if doors == "out" else f"loose-gear: {'no' if by_hand else 'yes'}\n")
    if by_hand or doors == "out":
        moment.mission.write({"loose-gear": "yes"})
    assert (moment["glide"], moment["bombs"], moment["extinguishers.used"]) == (zones, bombs, 5)
    assert {moment[f"gun.{gun}"] for gun in pack.sheet.index["gun"]} == {"unarmed"}


@pytest.mark.section("b17 8.0")
def test_after_every_combat_one_may_turn_for_home(pack: Pack) -> None:
    """8.0: without losses nothing is asked; with losses one question for each trouble."""
    sheet = {**BREMEN, "turn": 5, "zone": 5, "zone.turns": 1}
    assert after_step(pack, "cover", {**sheet, "radio": "out"}, "B-1: 1\nchange-places: stay\n").asked == "B-1"
    lost = {**sheet, "crew.tail-gunner": "kia", "gun.tail": "broken"}
    moment = after_step(pack, "cover", lost, "B-1: 1\nchange-places: stay\n")
    assert (moment.asked, moment.words) == ("abort", {"go-on": "go on", "abort": "turn for home"})
    moment.fly("abort: go-on\nB-1: 1\n")
    assert "abort" not in moment.tables[moment.tables.index("B-1", 2) :]
    worse = {**lost, "abort.answered": moment["abort.answered"], "crew.ball-gunner": "serious", "gun.ball": "broken"}
    moment = after_step(pack, "cover", worse, "B-1: 1\nchange-places: stay\nabort: abort\n")
    assert (moment["leg"], moment["credit"], moment["zone"]) == ("inbound", "no", 4)


@pytest.mark.section("b17 BL-1 g", "b17 errata 18")
@pytest.mark.parametrize(("tanks", "turns"), [(1, None), *book.LEAK_TURNS.items()])
def test_each_leaking_tank_leaves_less(pack: Pack, tanks: int, turns: int | None) -> None:
    """BL-1 g, errata 18: 4, 5 or 6 turns; the second leaking tank leaves two, the third one."""
    places = ["tank.outboard.port", "tank.inboard.port", "tank.outboard.starboard"][: tanks - 1]
    mission = Mission(pack)
    mission.write({**OVER_LILLE, **dict.fromkeys(places, "leaking")})
    if places:
        mission.write({"fuel.short": "yes", "fuel.turns": 6})
    bind = {"area": "starboard-wing", "place": "inboard"}
    mission.roll("BL-1.tank", Hand([[3]] if turns else [[3], [4]]), bind)
    assert mission.waiting() is None
    assert Facts(pack.sheet, mission.state)["fuel.turns"] == (turns or 5)


@pytest.mark.section("b17 19.2 d")
def test_a_burst_slows_the_bomber_in_its_zone_on_the_way_back(pack: Pack) -> None:
    torn = {**BREMEN, "turn": 9, "zone": 5, "zone.turns": 1, "formation": "out", "bip": "yes", "bip.zone": 5,
            "bip.low": "yes", "bombs": "jettisoned", "altitude": "low"}  # fmt: skip
    there = after_step(pack, "turn", torn)
    assert (there["zone"], there["turns.double"]) == (6, "yes")
    back = {**torn, "leg": "inbound", "zone": 6, "zone.turns": 2, "bip.zone": there["bip.zone"]}
    assert after_step(pack, "turn", back)["turns.double"] == "yes"


TORN_OVER = {**OVER_BREMEN, "formation": "out", "bip": "yes", "bombs": "jettisoned", "altitude": "low"}


@pytest.mark.section("b17 19.2 d")
@pytest.mark.parametrize(
    ("sheet", "low"),
    [
        ({"zone": 6, "bip.zone": 0, "bip.low": "yes"}, "yes"),  # torn in an earlier zone, and again on the way home
        ({"zone": 7, "bip.zone": 7, "bip.low": "yes", "turning": "yes"}, "no"),  # low flak first, then the target's
    ],
)
def test_a_second_burst_makes_no_zone_faster(pack: Pack, sheet: dict[str, Any], low: str) -> None:
    mission = Mission(pack)
    mission.write({**TORN_OVER, "leg": "inbound", **sheet})
    mission.roll("O-4.bip", Hand(), {"area": "nose", "flak.low": low})
    assert Facts(pack.sheet, mission.state)["turns.double"] == "yes"


HERE = "mission.number=11 target.city=Bremen target.zone=7 squadron=high turn=5 zone=5 zone.turns=1 step=lost-2 "
AREAS = {"P-1": "nose", "P-2": "pilot-compartment", "P-3": "bomb-bay", "P-4": "radio-room", "P-5": "waist",
         "P-6": "tail", "BL-1": "port-wing", "BL-2": "pilot-compartment"}  # fmt: skip
# the card's row, the dice in it, what the sheet then says
ROWS: list[tuple[str, str, str, dict[str, Any]]] = [
    ("P-1", "1,1", "", {"bombsight": "out"}),
    ("P-1", "1,2", "P-1.armament: 2", {"gun.nose": "broken", "gun.port-cheek": "ok"}),
    ("P-1", "1,2", "P-1.armament: 4", {"gun.port-cheek": "broken"}),
    ("P-1", "1,2", "P-1.armament: 5", {"gun.starboard-cheek": "broken"}),
    ("P-1", "1,3", "BL-4 bombardier: 1\nBL-4 navigator: 4", {"crew.bombardier": "light", "crew.navigator": "serious"}),
    ("P-1", "1,4", "BL-4 navigator: 6", {"crew.navigator": "kia"}),
    ("P-1", "3,3", "BL-4 bombardier: 6", {"crew.bombardier": "kia"}),
    ("P-1", "4,6", "P-1.equipment: 3", {"navigator-equipment": "out", "bomb-controls": "ok"}),
    ("P-1", "4,6", "P-1.equipment: 4", {"navigator-equipment": "ok", "bomb-controls": "out"}),
    ("P-1", "5,6", "P-1.heat: 2", {"heat.bombardier": "out", "heat.navigator": "ok"}),
    ("P-1", "5,6", "P-1.heat: 6", {"heat.bombardier": "out", "heat.navigator": "out"}),
    ("P-1", "6,6", "P-1.oxygen: 5", {"oxygen.bombardier": 1, "oxygen.navigator": 1}),
    ("P-2", "1,1", "", {"heat.pilot": "out", "heat.copilot": "out", "heat.engineer": "ok"}),
    ("P-2", "1,2", "BL-4 pilot: 1\nBL-4 copilot: 1", {"crew.pilot": "light", "crew.copilot": "light"}),
    ("P-2", "1,3", "BL-4 pilot: 1", {"crew.pilot": "light", "crew.copilot": "ok"}),
    ("P-2", "4,4", "P-2.top-turret: 2", {"gun.top": "broken", "crew.engineer": "ok"}),
    ("P-2", "4,4", "P-2.top-turret: 6\nBL-4 engineer: 1", {"gun.top": "broken", "crew.engineer": "light"}),
    ("P-2", "4,6", "P-2.oxygen: 1", {"oxygen.pilot": 1, "oxygen.copilot": 1, "oxygen.engineer": 0}),
    ("P-2", "4,6", "P-2.oxygen: 5", {"oxygen.engineer": 1}), ("P-2", "5,6", "", {"window.hits": 1}),
    ("P-2", "6,6", "", {"cables.hits": 1}), ("P-3", "1,1", "", {"bomb-release": "out"}),
    ("P-3", "1,2", "P-3.bombs: 4", {"bomber.fate": "none"}),
    ("P-3", "4,5", "P-3.bombs: 5", {"bomber.fate": "destroyed", "crew.lost": 10}), ("P-3", "1,3", "", {"rafts": "out"}),
    ("P-3", "1,4", "P-3.doors: 2", {"bay-doors": "out"}), ("P-3", "4,6", "P-3.doors: 3", {"bay-doors": "ok"}),
    ("P-3", "6,6", "", {"cables.hits": 1}), ("P-4", "1,1", "", {"heat.radio-operator": "out"}),
    ("P-4", "1,2", "", {"intercom": "out"}), ("P-4", "1,3", "", {"radio": "out"}), ("P-4", "1,4", "", {"radio": "out"}),
    ("P-4", "3,3", "BL-4 radio-operator: 6", {"crew.radio-operator": "kia"}),
    ("P-4", "5,6", "P-4.oxygen: 5", {"oxygen.radio-operator": 1}),
    ("P-5", "1,1", "P-5.oxygen: 2", {"oxygen.port-waist": 1}),
    ("P-5", "1,1", "P-5.oxygen: 4", {"oxygen.starboard-waist": 1}),
    ("P-5", "1,1", "P-5.oxygen: 5", {"oxygen.ball-gunner": 1}),
    ("P-5", "1,2", "P-5.armament: 3", {"gun.port-waist": "broken", "gun.starboard-waist": "ok"}),
    ("P-5", "1,2", "P-5.armament: 4", {"gun.starboard-waist": "broken"}),
    ("P-5", "3,3", "BL-4 port-waist: 1", {"crew.port-waist": "light"}),
    ("P-5", "4,4", "BL-4 starboard-waist: 1", {"crew.starboard-waist": "light"}),
    ("P-5", "4,5", "P-5.ball-turret: 2\nBL-4 ball-gunner: 1", {"crew.ball-gunner": "light"}),
    ("P-5", "4,5", "P-5.ball-turret: 3", {"heat.ball-gunner": "out"}),
    ("P-5", "4,5", "P-5.ball-turret: 5", {"gun.ball": "broken", "ball.trapped": "no"}),
    ("P-5", "4,5", "P-5.ball-turret: 6", {"ball.trapped": "yes"}),
    ("P-5", "4,6", "BL-4 port-waist: 1\nBL-4 starboard-waist: 1",
     {"crew.port-waist": "light", "crew.starboard-waist": "light"}),
    ("P-5", "5,6", "P-5.heat: 3", {"heat.port-waist": "out"}),
    ("P-5", "5,6", "P-5.heat: 4", {"heat.starboard-waist": "out"}), ("P-5", "6,6", "", {"cables.hits": 1}),
    ("P-6", "1,1", "", {"heat.tail-gunner": "out"}),
    ("P-6", "1,2", "P-6.tail-wheel-or-autopilot: 3", {"tail-wheel": "out", "autopilot": "ok"}),
    ("P-6", "1,2", "P-6.tail-wheel-or-autopilot: 4", {"tail-wheel": "ok", "autopilot": "out"}),
    ("P-6", "1,3", "", {"gun.tail": "broken"}), ("P-6", "1,4", "BL-4 tail-gunner: 1", {"crew.tail-gunner": "light"}),
    ("P-6", "3,4", "", {"rudder.hits": 1}), ("P-6", "4,5", "P-6.tailplane: 3", {"elevator.port": "out"}),
    ("P-6", "4,6", "P-6.tailplane: 4", {"elevator.starboard": "out"}),
    ("P-6", "4,6", "P-6.tailplane: 6", {"tailplane.starboard": 1}),
    ("P-6", "5,6", "P-6.oxygen: 5", {"oxygen.tail-gunner": 1}),
    ("BL-1", "1,2", "", {"wing-root.port": 1, "wing-root.starboard": 0}),
    ("BL-1", "1,3", "BL-1.flap: 3", {"flap.port": "out"}), ("BL-1", "1,4", "BL-1.aileron: 2", {"aileron.port": "out"}),
    ("BL-1", "4,5", "BL-1.engines: 3\nBL-1.engine: 2", {"engine.1": "ok"}),
    ("BL-1", "4,6", "BL-1.fuel-tank: 3\nBL-1.tank: 4\nBL-1.g: 1", {"tank.outboard.port": "leaking", "fuel.turns": 4}),
    ("BL-1", "4,6", "BL-1.fuel-tank: 4\nBL-1.tank: 5", {"tank.inboard.port": "ok"}),
    ("BL-1", "6,6", "BL-1.landing-gear: 3", {"brakes.port": "out"}),
    ("BL-1", "6,6", "BL-1.landing-gear: 4", {"gear.port": "out"}), ("BL-2", "1,1", "", {"autopilot": "out"}),
    ("BL-2", "1,2", "", {"gear.controls": "out"}), ("BL-2", "1,3", "", {"intercom": "out"}),
    ("BL-2", "1,4", "", {"oxygen.system": "out"}), ("BL-2", "3,3", "", {"flap.controls": "out"}),
    ("BL-2", "3,4", "", {"aileron.controls": "out"}), ("BL-2", "4,4", "", {"elevator.controls": "out"}),
    ("BL-2", "4,5", "", {"rudder.controls": "out"}), ("BL-2", "4,6", "", {"feathering": "out"}),
    ("BL-2", "5,6", "", {"engine-extinguishers": "out"}),
]  # fmt: skip


@pytest.mark.section(
    "b17 P-1", "b17 P-2", "b17 P-3", "b17 P-4", "b17 P-5", "b17 P-6", "b17 BL-1", "b17 BL-2", "b17 6.4 d"
)
@pytest.mark.parametrize(
    ("table", "dice", "more", "after"), ROWS, ids=[f"{each[0]} {each[1]} {each[2][:24]}" for each in ROWS]
)
def test_effects_of_a_row(pack: Pack, table: str, dice: str, more: str, after: dict[str, Any]) -> None:
    """Each row of the card, with its die, on an undamaged bomber."""
    moment = set_up(pack, HERE, table, area=AREAS[table]).fly(f"{table}: {dice}\n{more}\n")
    assert {name: moment[name] for name in after} == after


LAST_ZONE = {**HOMEWARD, "step": "home", "zone": 1}
NO_GEAR = {**LAST_ZONE, "gear.port": "out"}
TRAPPED = at(NO_GEAR, "ball.trapped=yes gun.ball=broken")
LIGHT = {**LAST_ZONE, "loose-gear": "yes"}
LIGHT_ON_ONE = at(LIGHT, "engine.1=out engine.2=out engine.3=out")
LAND = "O-1: 3,4; landing: land; G-9: "
ONLY_TAIL = {name: state for name, state in NO_GUNS.items() if name != "gun.tail"}
ATTACKED = at({**HOMEWARD, **ONLY_TAIL}, "step=attack pilot-status=on pass=1 slots.fighter=1 fighter.1.type=me109 "
              "fighter.1.clock=6 fighter.1.angle=high")  # fmt: skip


@pytest.mark.section("b17 BL-2", "b17 BL-3", "b17 errata 23", "b17 errata 26", "b17 P-5 c", "b17 G-9", "b17 20.0")
@pytest.mark.section("b17 M-6")
@moments(
    ("without electricity all jump", HERE + "roll=BL-2 area=pilot-compartment", "BL-2: 6,6", "asked=G-6"),
    ("a belly landing may spare the bomber, not the trapped gunner", TRAPPED, LAND + "5,6; G-9.gear: 3",
     "bomber.fate=returned crew.ball-gunner=kia"),
    ("or neither", TRAPPED, LAND + "5,6; G-9.gear: 4", "bomber.fate=irreparable crew.ball-gunner=kia"),
    ("a crash without gear kills him whatever his wound die spares", at(TRAPPED, "flap.port=out flap.starboard=out"),
     LAND + "1,2\n" + "BL-4: 1\n" * len(MEN), "crew.ball-gunner=kia crew.lost=1"),
    ("with nobody trapped nobody dies", NO_GEAR, LAND + "5,6; G-9.gear: 3", "crew.lost=0"),
    ("a landing from 1 on is safe", LIGHT, LAND + "1,1", "bomber.fate=returned waits!=BL-4"),
    ("with -3 too", LIGHT_ON_ONE, LAND + "2,2", "bomber.fate=returned waits!=BL-4"),
    ("0 is beyond repair", LIGHT_ON_ONE, LAND + "1,2", "bomber.fate=irreparable waits!=BL-4"),
    ("-1 a wreck with a wound die for each", LIGHT_ON_ONE, LAND + "1,1", "bomber.fate=wrecked waits=BL-4"),
    ("a green pilot is known after the guns are allotted", ATTACKED, "aim tail: 1; M-6: 1,2; M-1 tail: 3", "waits=M-2"),
    ("and hit on 3", ATTACKED, "aim tail: 1; M-6: 1,2; M-1 tail: 2", "fighter.1.pilot=green waits!=M-2"),
    ("an average one on 4", ATTACKED, "aim tail: 1; M-6: 2,2; M-1 tail: 4", "waits=M-2"),
    ("not on 3", ATTACKED, "aim tail: 1; M-6: 2,2; M-1 tail: 3", "fighter.1.pilot=average waits!=M-2"),
    ("an ace on 5", ATTACKED, "aim tail: 1; M-6: 5,6; M-1 tail: 5", "waits=M-2"),
    ("not on 4", ATTACKED, "aim tail: 1; M-6: 5,6; M-1 tail: 4", "fighter.1.pilot=ace waits!=M-2"),
)  # fmt: skip
def test_landings_and_pilots(pack: Pack, sheet: str | dict[str, Any], flown: str, then: str) -> None:
    check(pack, sheet, flown, then)
