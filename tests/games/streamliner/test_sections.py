"""Take-off, the rally and the searchlights of the Streamliner (1, 5 A 1, 12)."""

import pytest

from companion.packs import Pack
from tests.games.b29.table import DAY, NIGHT
from tests.support import check, moments, set_up

TOKYO = "mission.number=12 mission.altitude=lo target.city=tokyo target.type=industrial target.zone=12 "
LIT = NIGHT + "turn=12 zone=12 zone.turns=1 altitude=lo formation=none weather=good searchlight=yes "
RALLY = DAY + (
    "turn=9 zone=9 zone.turns=1 moved=yes altitude=hi pressurized=yes formation=out weather=good step=course roll=4-8"
)
DARK = LIT.replace("searchlight=yes", "step=night-evasion armament=all-armed resistance=moderate") + (
    "setting.ammunition=uncounted {} roll=5-14"
)


@pytest.mark.section("b29-streamliner 1", "b29-streamliner 5 A 1", "b29-streamliner 12 b", "b29-streamliner 12 d")
@moments(
    ("take-off is rolled twice", TOKYO + "mission.time=night step=escort-available", "", "waits=3-1 waits=3-2"),
    ("off course she may be on time for the rally", RALLY, "4-8: 6,6; 4.5C1: 2; 4.6: 3,4", "asked=4-10"),
    ("or late", RALLY, "4-8: 6,6; 4.5C1: 3; 4.6: 3,4", "asked!=4-10 formation=out"),
    ("a Low bomber may shoot at a light, and a 12 puts it out", DARK.format("squadron=low"),
     "5-14: 6,6; searchlight-shot: fire; 5-14.b: 6,6", "searchlight=no"),
    ("not one of the Middle squadron", DARK.format("squadron=middle"), "5-14: 6,6", "asked!=searchlight-shot"),
    ("nor one without a lower turret", DARK.format("squadron=low gun.fwd-lower=unarmed"), "5-14: 6,6",
     "asked!=searchlight-shot"),
    ("nor with a jammed one", DARK.format("squadron=low gun.aft-lower=jammed"), "5-14: 6,6", "asked!=searchlight-shot"),
)  # fmt: skip
def test_take_off_rally_and_lights(pack: Pack, sheet: str, flown: str, then: str) -> None:
    check(pack, sheet, flown, then)


@pytest.mark.section("b29-streamliner 12 c")
@pytest.mark.parametrize(("table", "add", "more"), [
    ("5-7", -1, "fighter.1.type=nick fighter.1.clock=6 fighter.1.angle=level "), ("5-15", 1, "resistance=moderate "),
    ("6-2", 1, "visibility=slightly "), ("6-6", -1, "visibility=slightly "),
])  # fmt: skip
def test_what_a_light_counts_for(pack: Pack, table: str, add: int, more: str) -> None:
    sums = []
    for light in ("no", "yes"):
        bind = {"fighter": "1", "gun": "tail"} if table == "5-7" else {}
        moment = set_up(
            pack, LIT.replace("searchlight=yes", f"searchlight={light}") + more + "step=resistance ", table, **bind
        )
        moment.fly(f"{table}: " + ("4,4\n" if table in ("5-7", "5-15") else "4\n"))
        sums.append(sum(each for _, each in moment.modifiers(table)))
    assert sums[1] - sums[0] == add
