"""The effect of each row of the damage cards (P-1 to P-6, BL-1, BL-2), and a few landing rolls."""

from typing import Any

import pytest

from companion.packs import Pack
from tests.games.b17.table import HOMEWARD, MEN, NO_GUNS, at
from tests.support import check, moments, set_up

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


HOME = {**HOMEWARD, "step": "home", "zone": 1}
NO_GEAR = {**HOME, "gear.port": "out"}
TRAPPED = at(NO_GEAR, "ball.trapped=yes gun.ball=broken")
LIGHT = {**HOME, "loose-gear": "yes"}
THREE_OUT = at(LIGHT, "engine.1=out engine.2=out engine.3=out")
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
    ("with -3 too", THREE_OUT, LAND + "2,2", "bomber.fate=returned waits!=BL-4"),
    ("0 is beyond repair", THREE_OUT, LAND + "1,2", "bomber.fate=irreparable waits!=BL-4"),
    ("-1 a wreck with a wound die for each", THREE_OUT, LAND + "1,1", "bomber.fate=wrecked waits=BL-4"),
    ("a green pilot is known after the guns are allotted", ATTACKED, "aim tail: 1; M-6: 1,2; M-1 tail: 3", "waits=M-2"),
    ("and hit on 3", ATTACKED, "aim tail: 1; M-6: 1,2; M-1 tail: 2", "fighter.1.pilot=green waits!=M-2"),
    ("an average one on 4", ATTACKED, "aim tail: 1; M-6: 2,2; M-1 tail: 4", "waits=M-2"),
    ("not on 3", ATTACKED, "aim tail: 1; M-6: 2,2; M-1 tail: 3", "fighter.1.pilot=average waits!=M-2"),
    ("an ace on 5", ATTACKED, "aim tail: 1; M-6: 5,6; M-1 tail: 5", "waits=M-2"),
    ("not on 4", ATTACKED, "aim tail: 1; M-6: 5,6; M-1 tail: 4", "fighter.1.pilot=ace waits!=M-2"),
)  # fmt: skip
def test_landings_and_pilots(pack: Pack, sheet: str | dict[str, Any], flown: str, then: str) -> None:
    check(pack, sheet, flown, then)
