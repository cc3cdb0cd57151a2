"""What men can do: cold, strange guns and seats, who flies, evasion, aces, lending; who must abort (8.0 to 15.0)."""

from __future__ import annotations

from typing import Any

import pytest

from companion.packs import Pack
from tests.games.b17.table import BREMEN, HOMEWARD, NO_GUNS
from tests.support import Moment, after_step, asked, set_up

HOME = (
    "mission.number=11 target.city=Bremen target.zone=7 squadron=high turn=11 zone=4 zone.turns=1 leg=inbound "
    "bombs=dropped step=lost-2 fought=yes "
)
AT_6 = "fighter.1.type=me109 fighter.1.clock=6 fighter.1.angle=high slots.fighter=1 "


def shot(pack: Pack, facts: str, gun: str, die: int) -> str:
    """What one gun does to a Me 109 at 6 high."""
    moment = set_up(pack, HOME + AT_6 + facts, "M-1", gun=gun, fighter="1")
    moment.fly(f"M-1: {die}\n")
    return moment.results[0].outcome


@pytest.mark.section("b17 11.0", "b17 BL-5")
@pytest.mark.parametrize(("zones", "asks"), [(0, "G-5"), (1, "altitude")])
def test_one_more_zone_without_heat(pack: Pack, zones: int, asks: str) -> None:
    cold = {**HOMEWARD, "heat.pilot": "out", "heat.tail-gunner": "out", "cold.pilot": zones, "cold.tail-gunner": zones}
    moment = after_step(pack, "aborted", cold)
    assert (moment["zone"], moment.asked) == (3, asks)


@pytest.mark.section("b17 11.0", "b17 14.2 a", "b17 BL-5")
@pytest.mark.parametrize(("zones", "asks"), [(0, "G-5"), (1, "altitude")])
def test_who_sits_down_in_the_cold_later_finds_no_zone_more(pack: Pack, zones: int, asks: str) -> None:
    lost = {**HOMEWARD, "crew.bombardier": "kia", "heat.bombardier": "out", "cold.bombardier": zones}
    moment = after_step(pack, "lost-2", lost, "crew-move: bombardier\nwho-moves: radio-operator\n")
    free = "Heat is out: the zone of its loss and one more are free, then frostbite dice or 10,000 feet"
    assert [each.name for each in moment.mission.pending if each.kind == "order"] == [free]
    moment.fly("crew-move: nobody\n")
    assert (moment["zone"], moment.asked) == (3, asks)


@pytest.mark.section("b17 11.0", "b17 BL-5", "b17 14.0")
def test_frostbite_or_10_000_feet(pack: Pack) -> None:
    """11.0: 1 to 3 is frostbite, once a zone; below there is none, but the bomber is alone."""
    cold = {**HOMEWARD, "heat.pilot": "out", "heat.tail-gunner": "out", "cold.pilot": 1, "cold.tail-gunner": 1}
    stayed = after_step(pack, "aborted", cold, "altitude: stay\nBL-5 pilot: 4\nBL-5 tail-gunner: 3\n")
    assert [stayed[f"frostbite.{man}"] for man in ("pilot", "tail-gunner")] == ["no", "yes"]
    down = after_step(pack, "aborted", cold)
    down.fly(f"altitude: {next(each for each in down.options if each != 'stay')}\n")
    assert (down["altitude"], down["formation"]) == ("low", "out")
    assert "BL-5" not in [*down.tables, *asked(down.mission)]


@pytest.mark.section("b17 11.0", "b17 14.2 b", "b17 15.1 b", "b17 BL-4 a", "b17 9.3", "b17 M-1 b")
@pytest.mark.parametrize(
    ("facts", "gun", "hits"),
    [
        ("", "tail", 4), ("kills.tail-gunner=4 ", "tail", 4), ("kills.tail-gunner=5 ", "tail", 3),
        ("kills.tail-gunner=5 crew.tail-gunner=light wounds.tail-gunner=1 ", "tail", 4),
        ("kills.tail-gunner=5 frostbite.tail-gunner=yes ", "tail", 6), ("frostbite.tail-gunner=yes ", "tail", 6),
        ("crew.tail-gunner=light wounds.tail-gunner=2 ", "tail", 6),
        ("seat.tail-gunner=radio-operator seat.radio-operator=tail-gunner kills.radio-operator=6 ", "tail", 6),
        ("seat.engineer=ball-gunner seat.ball-gunner=engineer ", "top", 4),
        ("seat.engineer=ball-gunner seat.ball-gunner=engineer kills.ball-gunner=5 ", "top", 3),
        ("seat.engineer=port-waist seat.port-waist=engineer ", "top", 6),
        ("formation=out evasive=yes ", "tail", 6), ("formation=out evasive=yes kills.tail-gunner=5 ", "tail", 5),
    ],
)  # fmt: skip
def test_what_a_man_needs_to_hit(pack: Pack, facts: str, gun: str, hits: int) -> None:
    """9.3, 11.0, 14.2 b, 15.1 b, BL-4 a: twins at 6 high hit on 4; who is hampered on 6; an ace adds 1 while unhurt."""
    assert shot(pack, facts, gun, hits) == "hit"
    assert shot(pack, facts, gun, hits - 1) == "miss"


@pytest.mark.section("b17 14.2 a", "b17 14.0")
def test_who_sits_there_is_hit(pack: Pack) -> None:
    facts = HOME + "crew.bombardier=serious seat.bombardier=navigator seat.navigator=bombardier "
    moment = set_up(pack, facts, "P-1", area="nose")
    moment.fly("P-1: 3,3\nBL-4: 5\n")
    assert (moment["crew.bombardier"], moment["crew.navigator"]) == ("serious", "serious")


@pytest.mark.section("b17 14.2 c", "b17 15.2 e")
def test_the_engineer_flies_first(pack: Pack) -> None:
    """14.2 c, 15.2 e: with both pilots lost he takes over before anyone; only when he is lost too, somebody else."""
    lost = {**HOMEWARD, "formation": "out", "crew.pilot": "kia", "crew.copilot": "serious"}
    moment = after_step(pack, "aborted", lost)
    assert "engineer" in (moment["man.pilot"], moment["man.copilot"])  # nothing is asked, nobody else may
    assert "takes-over" in moment.tables
    flown = {**lost, "seat.pilot": "engineer", "seat.engineer": "pilot"}
    assert set_up(pack, HOME)["may-evade"] == "no"
    assert after_step(pack, "no-engine-1", flown)["may-evade"] == "no"
    worse = after_step(pack, "aborted", {**lost, "crew.engineer": "kia"})
    assert worse.asked == "takes-over"
    assert {"navigator", "tail-gunner", "bombardier"} <= set(worse.options)


@pytest.mark.section("b17 15.0", "b17 15.2 a", "b17 15.2 b", "b17 15.2 c", "b17 15.2 d", "b17 15.2 f")
@pytest.mark.parametrize(
    ("facts", "may"),
    [({}, True), ({"formation": "in"}, False), ({"engine.1": "out"}, True),
     ({"engine.1": "out", "engine.2": "out"}, False), ({"cables.hits": 1}, True), ({"cables.hits": 2}, False),
     ({"gear.port": "out"}, False), ({"flap.controls": "out", "aileron.controls": "out"}, True),
     ({"flap.controls": "out", "aileron.controls": "out", "tail-wheel": "out"}, False), ({"bip": "yes"}, False)],
)  # fmt: skip
def test_who_may_evade(pack: Pack, facts: dict[str, Any], may: bool) -> None:
    """15.2: alone, with three engines, cables, better than -3 to land, and no damage that forbids it."""
    sheet = {**HOMEWARD, "formation": "out", "slots.fighter": 1, "fighter.1.type": "me109", "fighter.1.clock": "6",
             "fighter.1.angle": "high", "cover.rolled": "yes", "zone": 5}  # fmt: skip
    moment = after_step(pack, "wave", {**sheet, **facts})
    assert (moment.asked == "evade") == may


@pytest.mark.section("b17 15.1 a")
@pytest.mark.parametrize(("die", "outcome"), [(3, "miss"), (4, "hit"), (6, "hit")])
def test_a_bomber_that_evades_is_harder_to_hit(pack: Pack, die: int, outcome: str) -> None:
    moment = set_up(pack, HOME + AT_6 + "formation=out evasive=yes wave.formation=out ", "M-3", fighter="1")
    moment.fly(f"M-3: {die}\n")
    assert moment.results[0].outcome == outcome


THERE = {**BREMEN, "turn": 5, "zone": 5, "zone.turns": 1, "fought": "yes"}


@pytest.mark.section("b17 8.0 d", "b17 8.0 e", "b17 8.0 h", "b17 10.2")
@pytest.mark.parametrize(
    ("facts", "must"),
    [({"formation": "out", "crew.navigator": "kia"}, True), ({"crew.navigator": "kia"}, False), ({"formation": "out",
     "crew.pilot": "kia", "crew.copilot": "kia", "seat.pilot": "engineer", "seat.engineer": "pilot"}, True),
     ({"crew.pilot": "kia", "crew.copilot": "kia", "seat.pilot": "engineer", "seat.engineer": "pilot"}, False),
     ({"engine.1": "out", "bombs": "jettisoned"}, False), ({"engine.1": "out", "engine.3": "out"}, True)],
)  # fmt: skip
def test_who_must_turn_back(pack: Pack, facts: dict[str, Any], must: bool) -> None:
    moment = after_step(pack, "jettison", {**THERE, **facts})
    if moment.asked == "crew-move":
        moment.fly("crew-move: nobody\n")
    assert (moment["leg"] == "inbound") == must
    if not must:
        assert (moment.asked, set(moment.options)) == ("abort", {"go-on", "abort"})


@pytest.mark.section("b17 8.0 h")
def test_an_abort_for_an_engine_counts(pack: Pack) -> None:
    moment = after_step(pack, "jettison", {**THERE, "engine.1": "out", "bombs": "jettisoned"}, "abort: abort\n")
    assert moment["credit"] == "yes"


@pytest.mark.section("b17 10.1")
def test_one_engine_out_and_the_bombs(pack: Pack) -> None:
    for answer, state in (("jettison", ("jettisoned", "in", "no")), ("keep", ("aboard", "out", "yes"))):
        moment = set_up(pack, HOME.replace("leg=inbound bombs=dropped", "leg=outbound bombs=aboard"))
        moment.mission.write({"engine.1": "out"})
        assert moment.asked == "one-engine"
        assert answer in moment.options
        moment.fly(f"one-engine: {answer}\nend\n")
        assert (moment["bombs"], moment["formation"], moment["turns.double"]) == state


@pytest.mark.section("b17 10.2", "b17 13.1 d")
def test_two_engines_out(pack: Pack) -> None:
    """10.2: bombs away, out of formation, two turns a zone, 10,000 feet, and fighters add 1."""
    moment = after_step(pack, "aborted", {**THERE, "engine.1": "out", "engine.3": "out"})
    assert (moment["bombs"], moment["formation"], moment["altitude"]) == ("jettisoned", "out", "low")
    assert moment["turns.double"] == "yes"
    attack = set_up(pack, HOME + AT_6 + "formation=out engine.1=out engine.2=out altitude=low ", "M-3", fighter="1")
    attack.fly("M-3: 2\n")
    assert attack.results[0].outcome == "hit"  # 6 o'clock hits on 3


@pytest.mark.section("b17 9.4")
def test_bursts_are_lent_by_twos_in_a_quiet_turn(pack: Pack) -> None:
    sheet = {**HOMEWARD, "fought": "no", "ammo.tail": 23, "ammo.top": 1, "ammo.ball": 0}
    moment = after_step(pack, "lost-2", sheet)
    if moment.asked == "change-places":
        moment.fly("change-places: stay\n")
    assert moment.asked == "lend"
    assert "tail" in moment.options
    moment.fly("lend: tail\n")
    assert {"top", "ball"} <= set(moment.options)
    assert not {"nose", "port-waist", "radio"} & set(moment.options)
    moment.fly("lender: ball\n")
    assert (moment["ammo.tail"], moment["ammo.ball"]) == (21, 2)


@pytest.mark.section("b17 9.4")
def test_every_empty_gun_may_borrow_in_the_same_quiet_turn(pack: Pack) -> None:
    sheet = {**HOMEWARD, "fought": "no", "ammo.tail": 23, "ammo.nose": 15}
    moment = after_step(pack, "lost-2", sheet)
    if moment.asked == "change-places":
        moment.fly("change-places: stay\n")
    moment.fly("lend: tail\nlender: ball\nlender: none\n")
    assert (moment.asked, set(moment.options)) == ("lend", {"none", "nose"})
    moment.fly("lend: nose\nlender: radio\nlender: none\n")
    assert moment.asked != "lend"
    assert (moment["ammo.tail"], moment["ammo.nose"], moment["ammo.radio"]) == (21, 13, 2)


@pytest.mark.section("b17 9.1")
def test_two_guns_of_the_nose(pack: Pack) -> None:
    """9.1: nose gun and one cheek gun, never both cheeks."""
    pair = {f"fighter.{each}.{key}": value for each, clock in ((1, "12"), (2, "1:30"), (3, "10:30"))
            for key, value in (("type", "me109"), ("clock", clock), ("angle", "level"))}  # fmt: skip
    rest = {
        gun: state for gun, state in NO_GUNS.items() if gun not in ("gun.nose", "gun.port-cheek", "gun.starboard-cheek")
    }
    sheet = {**HOMEWARD, **rest, **pair, "slots.fighter": 3, "pass": 1}
    moment: Moment = after_step(pack, "attack", sheet, "aim nose: 1\naim port-cheek: 3\n")
    assert (moment["aim.starboard-cheek"], moment.asked) == ("", "M-1")
    assert asked(moment.mission).count("M-1") == 2
