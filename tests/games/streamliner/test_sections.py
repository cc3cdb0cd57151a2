"""Take-off, the rally and the searchlights of the Streamliner (1, 5 A 1, 12)."""

from __future__ import annotations

import pytest

from companion.packs import Pack
from tests.games.b29.table import DAY, NIGHT
from tests.support import after_step, asked, set_up

TOKYO = "mission.number=12 mission.altitude=lo target.city=tokyo target.type=industrial target.zone=12 "
LIT = NIGHT + "turn=12 zone=12 zone.turns=1 altitude=lo formation=none weather=good searchlight=yes "


@pytest.mark.section("b29-streamliner 1")
def test_take_off(pack: Pack) -> None:
    moment = after_step(pack, "escort-available", pack.sheet.given((TOKYO + "mission.time=night").split()))
    assert asked(moment.mission) == ["3-1", "3-2"]


@pytest.mark.section("b29-streamliner 5 A 1")
@pytest.mark.parametrize(("die", "assembles"), [(2, True), (3, False)])
def test_off_course_at_the_rally(pack: Pack, die: int, assembles: bool) -> None:
    rally = (
        DAY + "turn=9 zone=9 zone.turns=1 moved=yes altitude=hi pressurized=yes formation=out weather=good step=course "
    )
    moment = set_up(pack, rally, "4-8")
    moment.fly(f"4-8: 6,6\n4.5C1: {die}\n4.6: 3,4\n")
    assert (moment.asked == "4-10") == assembles
    assert assembles or moment["formation"] == "out"


@pytest.mark.section("b29-streamliner 12 b", "b29-streamliner 12 d")
@pytest.mark.parametrize(
    ("facts", "may"),
    [("squadron=low", True), ("squadron=middle", False), ("squadron=low gun.fwd-lower=unarmed", False),
     ("squadron=low gun.aft-lower=jammed", False)],
)  # fmt: skip
def test_who_may_shoot_at_a_light(pack: Pack, facts: str, may: bool) -> None:
    dark = LIT.replace("searchlight=yes", "step=night-evasion armament=all-armed resistance=moderate")
    moment = set_up(pack, f"{dark}setting.ammunition=uncounted {facts}", "5-14")
    moment.fly("5-14: 6,6\n")
    offered = moment.asked if moment.asked != "5-15" else ""
    assert bool(offered) == may
    if may:
        moment.fly(f"{offered}: {next(each for each in moment.options if each != 'no')}\n5-14.b: 6,6\n")
        assert moment["searchlight"] == "no"


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
