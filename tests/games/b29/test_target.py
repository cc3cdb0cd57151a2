"""Over the target: bombed-out cities, weather, altitude, and the way home."""

from __future__ import annotations

from random import Random

import pytest

from companion.engine.dice import Hand
from companion.engine.pending import Pending
from companion.packs import Pack
from companion.play.conversation import Chance
from tests.games.b29.table import DAY, NIGHT, OVER, RUN, THIN
from tests.support import again, begun, check, fly, moments, set_up

CITIES = (
    "mission.number=12 target.type={} town.1.name=tokyo town.1.crossed=5 town.1.boxes=5 "
    "town.2.name=osaka town.2.crossed=2 town.2.boxes=4 "
)
HIT_CITIES = CITIES.format("urban-area")
OVER_TOKYO = NIGHT + "turn=12 zone=12 altitude=lo formation=none visibility=slightly "


@pytest.mark.section("b29 4-3", "b29 2.3 Truk", "b29 4.5 C1", "b29 9.2", "b29 5.7 B", "b29 6-6", "b29 6.4")
@pytest.mark.section("b29 6-6 note", "b29 6-7 d")
@moments(
    ("a frostbitten radar man sees no storm (B53)", NIGHT + "zone=4 altitude=lo frostbite.radar-operator=yes roll=4-3",
     "4-3: 2", "4-3:radar=1"),
    ("Truk has its own assembly zone",
     "mission.number=20 target.city=truk zone=3 turn=3 altitude=hi formation=out roll=4-8", "4-8: 5,5 = off",
     "asked=4.5C1"),
    ("a bombed-out city sends us to the next list, and is barred there too", HIT_CITIES + "roll=2-2C",
     "2-2C: = tokyo; 2-3: = tokyo; 2-3: = yokohama", "target.city=yokohama target.table=2-3"),
    ("other missions against it go on", CITIES.format("airfield") + "roll=2-3", "2-3: = tokyo", "target.city=tokyo"),
    ("flak on the run is remembered", OVER_TOKYO + "roll=6-2", "6-2: 3", "flak.run=yes"),
    ("and forgotten when the turn is over", OVER_TOKYO + "roll=6-2", "6-2: 3; set turn=13; set crew.bombardier=serious",
     "flak.run=no bombardier.lost-to-flak=no"),
    ("evasion ends with the engine that forbids it",
     DAY + "turn=12 zone=12 altitude=hi formation=out engine.1=out evasive=yes", "set engine.2=out", "evasive=no"),
    ("evasion of the lights by hand spoils the aim", OVER_TOKYO + "evasive=yes roll=5-14", "5-14: 3,3; roll 6-6: 4",
     "6-6:night=-1 6-6:evasive=-1 6-6:lo=1"),
    ("of the flak too", OVER_TOKYO + "evasive=yes roll=6-2", "6-2: 3; roll 6-6: 4", "6-6:evasive=-1"),
    ("flak after a run written by hand is the additional flak", OVER, "set bomb-run=on; roll 6-2: 5",
     "6-2:additional=-1"),
    ("not where the run was given up homeward", OVER, "set leg=inbound bomb-run=off; roll 6-2: 5", "6-2:additional=0"),
    ("a lead bomber whose sight this flak cost is off target", OVER
     + "bomber.position=lead bombsight=out bombsight.lost-to-flak=yes roll=6-6", "", "bomb-run=off"),
    ("as one alone without a sight", OVER + "formation=out bombsight=out roll=6-6", "", "bomb-run=off"),
    ("two bays that cannot drop are off target too",
     OVER + "bomb-run=on doors.fwd=jammed-shut release.aft=out roll=6-7", "", "bomb-run=off bomb-run.percent=0"),
)  # fmt: skip
def test_cities_and_evasion(b29: Pack, sheet: str, flown: str, then: str) -> None:
    check(b29, sheet, flown, then)


@pytest.mark.section("b29 4.1 note")
def test_the_briefed_altitude_is_shown_before_the_run(b29: Pack) -> None:
    moment = set_up(b29, RUN.replace("altitude=hi pressurized", "altitude=med pressurized"))
    texts = [text for result in moment.mission.advance() for text, _ in result.notes]
    assert any("briefed altitude, HI" in text for text in texts)
    right = set_up(b29, RUN)
    assert not [text for result in right.mission.advance() for text, _ in result.notes if "briefed" in text]


HIT_CITIES += "town.2.name=osaka town.2.crossed=2 town.2.boxes=4 "


@pytest.mark.section("b29 9.2")
def test_a_city_hit_before_remembers_its_boxes(b29: Pack) -> None:
    moment = set_up(b29, HIT_CITIES, "2-2C").fly("2-2C: = osaka")
    assert (moment["target.city"], moment["target.crossed"], moment["target.boxes"]) == ("osaka", 2, 4)
    moment.mission.pending = [Pending.of({"roll": "9-1", "bind": {}, "born": 1})]
    moment.fly("9-1: = box")
    assert (moment["target.gone"], moment["target.bombed-out"]) == (3, "no")
    assert moment.asked != "target.boxes"  # not asked again


def test_the_automatic_player_takes_a_place_and_goes_on(b29: Pack) -> None:
    moment = set_up(b29, THIN + "crew.bombardier=kia fate.bombardier=kia")
    assert fly(moment.mission, Chance(Random(5)), moves=3000)
    assert moment["step"] == "end"


@pytest.mark.section("b29 4-2", "b29 4.4")
def test_no_weather_goes_before_that_of_zone_1(b29: Pack) -> None:
    mission = begun(b29, {"zone": 0, "leg": "outbound"})
    mission.write({"zone": 1})
    assert mission.state.get("weather.previous", "none") == "none"
    mission.write({"weather": "poor"})
    mission.write({"zone": 2})
    assert mission.state["weather.previous"] == "poor"
    mission.write({"weather": "bad", "leg": "inbound"})
    mission.write({"zone": 1})
    assert mission.state["weather.previous"] == "bad"


@pytest.mark.section("b29 5.7 B", "b29 6-6")
def test_evasion_ends_with_its_turn(b29: Pack) -> None:
    moment = set_up(b29, NIGHT + "turn=12 zone=12 altitude=lo formation=none visibility=slightly")
    for turn, add in ((12, [("night", -1), ("evasive", -1), ("lo", 1)]), (13, [("night", -1), ("lo", 1)])):
        if turn == 12:
            moment.mission.pending = [Pending.of({"choose": "evade-lights", "bind": {}, "born": 1})]
            moment.fly("evade-lights: yes")
            again(moment, "5-14").fly("5-14: 3,3")
        moment.mission.write({"turn": turn})
        again(moment, "6-6").fly("6-6: 4")
        assert moment.modifiers("6-6") == add


@pytest.mark.section("b29 5.7 A", "b29 5.7 B", "b29 7.2 two")
@pytest.mark.parametrize(
    ("facts", "barred"),
    [("formation=in", "in formation"), ("formation=out engine.1=out engine.4=out", "two or more engines"),
     ("formation=out electrical=out", "electrical"), ("formation=out bip=yes", "burst inside"),
     ("formation=out crew.pilot=kia crew.copilot=serious", "neither pilot")],
)  # fmt: skip
def test_evasion_that_is_barred_is_struck_with_the_reason(b29: Pack, facts: str, barred: str) -> None:
    moment = set_up(b29, DAY + f"turn=12 zone=12 altitude=hi weather=good {facts}")
    told = moment.mission.write({"evasive": "yes"}).notes
    assert [text for text, _ in told if barred in text]
    assert moment["evasive"] == "no"


@pytest.mark.section("b29 6.4")
def test_flak_rolled_by_hand_after_the_run_is_the_additional_flak(b29: Pack) -> None:
    moment = set_up(b29, OVER)
    for turn, table, dice, counts in (
        (12, "6-2", [4], [("hi", -1)]), (12, "6-6", [6], [("hi", -2)]), (12, "6-7", [3, 3], []),
        (12, "6-2", [5], [("hi", -1), ("additional", -1)]), (13, "6-2", [5], [("hi", -1)]),
    ):  # fmt: skip
        moment.mission.write({"turn": turn})
        moment.mission.roll(table, Hand([dice]))
        assert moment.modifiers(table) == counts
