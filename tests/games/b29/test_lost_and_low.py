"""The end of a flight, and the altitude and crew for the bomb run (4.1, 6.2, 7.5, 7.6)."""

import pytest

from companion.engine.questions import Pending
from companion.packs import Pack
from tests.games.b29.table import ALL, DAY, HIGH, HOME, NIGHT, OVER
from tests.support import Moment, after_step, check, moments, set_up

LOST = "bomber.fate=destroyed "
CRASHED = DAY + "turn=20 zone=11 altitude=lo formation=out weather=good below=land land.at=japan"
SEA = DAY + "turn=20 zone=5 altitude=lo formation=out weather=good below=sea land.at=sea radio=ok "


def stepped(pack: Pack, step: str, sheet: str, script: str = "") -> Moment:
    return after_step(pack, step, pack.sheet.given(sheet.split()), script)


# -- the end is the end ------------------------------------------------------------------------------------------------


@pytest.mark.section("b29 4-3", "b29 5-3 c")
@pytest.mark.parametrize("step", ["weather", "assembly", "ram"])
def test_a_bomber_that_is_lost_goes_straight_to_the_debriefing(b29: Pack, step: str) -> None:
    jumped = " ".join(f"fate.{man}=duty" for man in ALL)
    tony = "fighter.1.type=tony fighter.1.clock=12 "
    sheet = DAY + f"turn=12 zone=9 moved=yes formation=in escort.available=yes {tony}{LOST}{jumped}"
    moment = stepped(b29, step, sheet)
    assert moment["step"] in ("debrief", "loss")


@pytest.mark.section("b29 8.5", "b29 8.6")
@pytest.mark.parametrize(
    ("sheet", "table", "row", "then"),
    [(SEA + "sea=calm", "8-3", "unsuccessful", "8-6"), (CRASHED, "8-1", "wrecked", "8-7")],
    ids=["no rescue", "no captivity"],
)
def test_a_man_killed_on_landing_needs_no_further_roll(b29: Pack, sheet: str, table: str, row: str, then: str) -> None:
    moment = set_up(b29, sheet, table)
    moment.fly(f"{table}: 1,2 = {row}\ncrew-hurt: cfc\nhow-hurt: killed\ncrew-hurt: nobody")
    assert (moment["crew.cfc"], moment.positions(then)) == ("kia", [man for man in ALL if man != "cfc"])


@pytest.mark.section("b29 8.3", "b29 8.4")
@pytest.mark.parametrize("field", ["zone=0 land.at=base", "zone=6 land.at=iwo-jima below=iwo-jima"])
def test_a_landing_hurts_nobody_who_has_jumped_over_the_field(b29: Pack, field: str) -> None:
    jumped = " ".join(f"fate.{man}=duty" for man in ALL if man not in ("pilot", "cfc"))
    sheet = HOME + f"{field} crew.cfc=kia fate.cfc=kia {jumped}"
    moment = set_up(b29, sheet, "8-1").fly("8-1: 1,2 = destroyed")
    assert (moment.asked, moment.options) == ("crew-hurt", ["nobody", "pilot", "everyone", "all-killed"])
    everyone = set_up(b29, sheet, "8-1").fly("8-1: 1,2 = destroyed\ncrew-hurt: everyone")
    assert everyone.positions("7-13") == ["pilot"]
    moment.fly("crew-hurt: all-killed")
    assert [moment[f"crew.{man}"] for man in ("pilot", "copilot", "tail-gunner")] == ["kia", "ok", "ok"]


@pytest.mark.section("b29 8.2")
def test_a_man_killed_by_lost_pressure_does_not_jump(b29: Pack) -> None:
    holed = "pressure.nose=compromised pressure.waist=compromised"
    moment = set_up(b29, HIGH + holed, "8-5.crew").fly("7-11: 3,3 = wounds\n7-13: 6,6 = kia\n8-2: 3,3 = calm")
    jump = moment.positions("8-5")
    assert (moment["crew.tail-gunner"], jump) == ("kia", [man for man in ALL if man != "tail-gunner"])


# -- nobody flies ------------------------------------------------------------------------------------------------------

GOING = DAY + "turn=20 zone=4 leg=inbound altitude=lo formation=out weather=good fuel.wing=20 "
HURT = " ".join(f"crew.{man}=serious" for man in ALL[:6]) + " " + " ".join(f"frostbite.{man}=yes" for man in ALL[6:])


@pytest.mark.section("b29 7.6 F")
@pytest.mark.parametrize(("answer", "fate"), [("goes-down", "destroyed"), ("flies-on", "none")])
def test_nobody_aboard_is_fit_to_fly(b29: Pack, answer: str, fate: str) -> None:
    moment = stepped(b29, "over", GOING + HURT)
    assert moment.asked == "nobody-flies"
    assert "land" not in moment.legal("landing")
    moment.fly(f"nobody-flies: {answer}")
    assert moment["bomber.fate"] == fate
    assert ("land" in moment.legal("landing")) is (answer == "flies-on")


# -- the height of the run ---------------------------------------------------------------------------------------------


@pytest.mark.section("b29 4.1 note", "b29 2.2 C")
@pytest.mark.parametrize(
    ("sheet", "options"),
    [
        (NIGHT + "altitude=hi zone=12", ["lo"]),  # a night mission bombs at LO
        (NIGHT + "altitude=med zone=12", ["lo"]), (NIGHT + "altitude=lo zone=12", ["stay"]),
        (NIGHT + "altitude=med zone=11", ["stay", "hi", "lo"]),  # on the way she flies as she likes
        (NIGHT + "altitude=med zone=12 leg=inbound", ["stay", "hi", "lo"]),
        (NIGHT + "altitude=med zone=12 aborted=yes", ["stay", "hi", "lo"]),
        (DAY + "formation=out altitude=med zone=12", ["hi", "no-run"]),  # climbs in time, a level a turn
        (DAY + "formation=out altitude=lo zone=11", ["med", "no-run"]),
        (DAY + "formation=out altitude=med zone=12 fire-zone=now", ["stay", "hi", "lo"]),  # she bombs nothing (7.5)
        (DAY + "formation=out altitude=med zone=11", ["hi", "stay"]),
        (DAY + "formation=out altitude=hi zone=12", ["stay"]),
        (DAY + "formation=out altitude=lo zone=12 engine.1=out", ["stay"]),  # cannot climb (7.2)
        (DAY + "formation=out altitude=hi zone=12 engine.1=out engine.2=out", ["down-to-med", "lo"]),
        (DAY + "formation=out altitude=hi zone=12 pressure.waist=compromised", ["stay", "down-to-med", "lo"]),  # cold
        (DAY + "formation=out altitude=lo zone=12 pressurization=lost", ["stay", "med"]),  # down for warmth (7.3)
    ],
)  # fmt: skip
def test_the_target_is_bombed_from_the_briefed_height(b29: Pack, sheet: str, options: list[str]) -> None:
    closed = "no" if " altitude=lo" in sheet else "yes"
    moment = set_up(b29, f"{sheet} turn=12 weather=good pressurized={closed}")
    assert sorted(moment.legal("altitude")) == sorted(options)


@pytest.mark.section("b29 7.5", "b29 4.1 B")
def test_a_bomber_to_be_abandoned_in_this_zone_stays_where_she_is(b29: Pack) -> None:
    sheet = DAY + "turn=11 zone=11 formation=out altitude=lo pressurized=no weather=good fuel.wing=20 fire-zone=yes "
    moment = set_up(b29, sheet + "step=take-off").fly("altitude: stay\nlog.gazetteer.12: 0\nlog.below.12: land")
    assert (moment["zone"], moment["fire-zone"], moment["altitude"], moment["pressurized"]) == (12, "now", "lo", "no")
    moment.take_up({"step": "after-combat", "course": "on"})
    assert moment.asked == "8-4"  # no run is flown before


@pytest.mark.section("b29 4.1 B", "b29 4.1 note")
def test_a_bomber_that_stays_low_skips_the_run_and_turns_for_home(b29: Pack) -> None:
    sheet = DAY + "turn=11 zone=11 formation=out altitude=lo pressurized=no weather=good fuel.wing=20 "
    moment = set_up(b29, sheet + "step=take-off").fly("")
    assert (moment.asked, moment.options[0]) == ("altitude", "med")  # Enter climbs
    moment.fly("altitude: no-run")
    assert (moment["altitude"], moment["fuel.wing"]) == ("lo", 22)  # two for the zone, none for a climb
    moment.take_up({"step": "after-combat", "course": "on"})
    assert (moment["bomb-run"], moment["bomb-run.percent"], moment["bombs"]) == ("off", 0, "dropped")
    assert (moment["leg"], moment["aborted"], moment["zone"]) == ("inbound", "yes", 12)


ON = "4-4: = none\n4-5: = none\n4-6: = none\n4-7: = none\n4-8: = on\n"
STORM = DAY + (
    "turn=10 zone=10 altitude=hi pressurized=yes formation=in weather=bad moved=yes engine.4=out step=escort "
    "log.gazetteer.10=0 log.below.10=sea"
)
HUNG = DAY + (
    "turn=14 zone=11 leg=inbound altitude=hi pressurized=yes formation=in weather=good engine.4=out bomb-run=off "
    "bombs=aboard doors.fwd=jammed-shut doors.aft=jammed-shut log.gazetteer.11=0 log.below.11=sea step=escort"
)
TRUK = "mission.number=20 target.city=truk zone=3 turn=3 altitude=hi formation=out "
BURNS = HIGH + "fuel.wing=18 step=take-off"
RALLY = f"altitude: stay; 4-2: 3,3\n{ON}4.6: 3,4"
DRY = SEA + "aux.aft=installed "
CITY = DAY.replace("target.type=airfield", "target.type=urban-area")


@pytest.mark.section("b29 7.2 one", "b29 6.2 D", "b29 6.2 F", "b29 4.5 C1", "b29 2.3 Truk", "b29 4.8 A", "b29 7.5")
@pytest.mark.section("b29 4.8 C", "b29 4.3 C", "b29 9.2", "b29 7.6 F")
@moments(
    ("an engine lost to a storm is answered before the fighters come", STORM, "jettison: no", "formation=out"),
    ("bombs that hang and an engine out lead out of formation homeward too", HUNG, "", "formation=out"),
    ("a burst is written where it was", OVER + "roll=6-5 burst=yes", "6-5: 5,5", "hit.tail=burst"),
    ("a free mission to Truk has its rally in Zone 3", TRUK + "roll=4-8", "4-8: 5,5 = off", "asked=4.5C1"),
    ("who has given up meets nobody there", TRUK + "aborted=yes roll=4-8", "4-8: 5,5 = off", "asked!=4.5C1"),
    ("in the zone of the assembly she meets the others", BURNS, "set zone.turns=2; " + RALLY, "asked=4-10"),
    ("but not while she burns: all must jump in it", BURNS, "set zone.turns=2 fire-zone=yes; " + RALLY,
     "asked=open-to-jump formation=out"),
    ("by night no roll makes a formation", NIGHT + "zone=9 turn=9 altitude=lo roll=4-10", "4-10: 4,4 = normal",
     "formation=none"),
    ("nor does the pencil", NIGHT + "zone=9 turn=9 altitude=lo", "set formation=in", "formation=none"),
    ("without a box left the tanks run dry", DRY + "fuel.wing=38 fuel.aft=4 roll=4-1", "4-1: = empty", "fuel.dry=yes"),
    ("one in the wings is enough", DRY + "fuel.wing=37 fuel.aft=4 roll=4-1", "4-1: = empty", "fuel.dry=no"),
    ("one in the bay too", DRY + "fuel.wing=38 fuel.aft=3 roll=4-1", "4-1: = empty", "fuel.dry=no"),
    ("an urban area loses a box", HOME.replace("airfield", "urban-area") + "target.boxes=5 roll=9-1", "9-1: = box",
     "target.box=1"),
    ("an airfield near the city takes none of them", HOME + "target.boxes=5 roll=9-1", "9-1: = box", "target.box=0"),
    ("a bomber lost at take-off flew no mission against the city",
     CITY + "turn=0 zone=0 leg=outbound altitude=lo bomber.fate=destroyed step=landing-base", "", "asked=losses"),
    ("one lost on the way did",
     CITY + "turn=1 zone=1 leg=outbound altitude=lo bomber.fate=destroyed step=landing-base", "", "asked=9-1"),
    ("one fit man is enough to fly her", GOING + HURT + " frostbite.cfc=no step=over", "", "asked!=nobody-flies"),
)  # fmt: skip
def test_on_the_way(b29: Pack, sheet: str, flown: str, then: str) -> None:
    check(b29, sheet, flown, then)


# -- damage ------------------------------------------------------------------------------------------------------------


@pytest.mark.section("b29 6.2 D", "b29 5-12")
def test_a_shell_that_does_nothing_has_struck_all_the_same(b29: Pack) -> None:
    moment = set_up(
        b29, OVER + "fighter.1.type=zeke fighter.1.clock=6 hit.tail=rudder", "5-12", fighter="1", area="tail"
    )
    moment.fly("5-12: 1")  # x 0
    assert moment["hit.tail"] == "rudder, superficial"


@pytest.mark.section("b29 7.5")
def test_a_room_that_burns_already_gets_no_new_try(b29: Pack) -> None:
    moment = set_up(b29, NIGHT + "turn=9 zone=8 altitude=lo below=sea", "7-12.fire", compartment="waist")
    moment.fly("fire-man: radar-operator\n7-12: 3,4 = burns\nfire-man: radar-operator\n7-12: 3,4 = burns")
    assert moment["fire.waist"] == 2
    moment.mission.pending = [Pending.of({"roll": "7-12.fire", "bind": {"compartment": "waist"}, "born": 1})]
    moment.fly("")
    assert moment["fire.waist"] == 2


# -- off course where each turn is paid for ----------------------------------------------------------------------------


@pytest.mark.section("b29 4.5 C3", "b29 4.5 C4")
@pytest.mark.parametrize("zone", [1, 6])
def test_no_correction_after_turns_that_were_paid_for(b29: Pack, zone: int) -> None:
    sheet = DAY + f"turn=7 zone={zone} aborted=yes leg=inbound altitude=lo bombs=jettisoned formation=out course=off "
    moment = set_up(
        b29, sheet + f"course.streak=1 weather=good fuel.wing=20 log.outbound.{zone}.course=off step=take-off"
    )
    moment.mission.write({"zone.turns": 0, "turning": "abort"})
    height, look = ("", "") if zone == 1 else ("altitude: stay\n", "lost-way: stay\n")
    moment.fly(f"{height}4.6: 3,4\n{look}{ON}")
    assert (moment["fuel.wing"], "4.5C4" in moment.tables, moment.asked) == (22, False, "4.6")


@pytest.mark.section("b29 8.4", "b29 4.5 C3")
def test_the_search_for_iwo_jima_asks_for_lo_again(b29: Pack) -> None:
    sheet = DAY + "turn=22 zone=7 leg=inbound altitude=hi pressurized=yes formation=out bombs=dropped bomb-run=on "
    moment = set_up(b29, sheet + "weather=good fuel.wing=20 step=take-off")
    moment.mission.write({"zone.turns": 2})
    moment.fly(f"altitude: stay\n4-2: 3,3\n{ON.replace('= on', '= off')}4.6: 3,4\nlost-way: stay\n")
    assert (moment["zone"], moment.asked) == (6, "altitude")
    moment.fly(f"altitude: lo\n{ON}4.6: 3,4\n")
    assert moment.asked == "iwo-jima"


# -- the steep dive ----------------------------------------------------------------------------------------------------


@pytest.mark.section("b29 4-3", "b29 8.2", "b29-streamliner 4")
@pytest.mark.parametrize(
    ("wings", "altitude", "closed", "asked"),
    [("2\n4-3.c: 5", "lo", "no", None), ("6", "hi", "yes", "7-11"), ("1\n4-3.c: 6", "hi", "yes", "7-11")],
)
def test_a_wing_that_rips_off_opens_nothing(
    b29: Pack, wings: str, altitude: str, closed: str, asked: str | None
) -> None:
    moment = set_up(b29, DAY + "turn=5 zone=5 altitude=hi pressurized=yes formation=out weather=bad", "4-3.b")
    moment.fly(f"4-3.b: 5,6\n4-3.c: {wings}")
    assert (moment["altitude"], moment["pressurized"]) == (altitude, closed)
    assert [item.name for item in moment.mission.pending if item.is_for("roll", "7-11")][:1] == (
        [asked] if asked else []
    )


@pytest.mark.section("b29 8.4")
@pytest.mark.parametrize(("controls", "asked"), [("ok", None), ("out", "iwo-jima")])
def test_who_cannot_land_may_bail_out_over_iwo_jima_at_any_altitude(
    b29: Pack, controls: str, asked: str | None
) -> None:
    sheet = (
        f"turn=20 zone=6 leg=inbound course=on altitude=med pressurized=yes bombs=dropped controls.pilots={controls}"
    )
    moment = stepped(b29, "forced-done", f"{DAY} {sheet} mission.number=14 formation=out fuel.wing=20")
    assert (moment.asked if moment.asked == "iwo-jima" else None) == asked
    if asked:
        assert set(moment.options) == {"bail-out", "fly-on"}
