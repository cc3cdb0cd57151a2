"""Over the target: bombed-out cities, weather, altitude, and the way home."""

from random import Random

import pytest

from companion.engine.questions import Pending
from companion.packs import Pack
from companion.play.conversation import Chance
from tests.games.b29.table import DAY, NIGHT, OVER, RUN, THIN
from tests.support import check, fly, moments, set_up

CITIES = (
    "mission.number=12 target.type={} town.1.name=tokyo town.1.crossed=5 town.1.boxes=5 "
    "town.2.name=osaka town.2.crossed=2 town.2.boxes=4 "
)
HIT_CITIES = CITIES.format("urban-area")
OVER_TOKYO = NIGHT + "turn=12 zone=12 altitude=lo formation=none visibility=slightly "
RUN_BY_HAND = "roll 6-2: 4; roll 6-6: 6; roll 6-7: 3,3; roll 6-2: 5"
OUTWARD = "zone=0 leg=outbound"


@pytest.mark.section("b29 4-2", "b29 4.4", "b29 4-3", "b29 2.3 Truk", "b29 4.5 C1", "b29 9.2", "b29 5.7 B", "b29 6-6")
@pytest.mark.section("b29 6.4", "b29 6-6 note", "b29 6-7 d")
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
    ("evading the lights spoils the aim of that turn", OVER_TOKYO + "choose=evade-lights",
     "evade-lights: yes; roll 5-14: 3,3; roll 6-6: 4", "6-6:night=-1 6-6:evasive=-1 6-6:lo=1"),
    ("not of the next", OVER_TOKYO + "choose=evade-lights",
     "evade-lights: yes; roll 5-14: 3,3; set turn=13; roll 6-6: 4", "6-6:night=-1 6-6:evasive=0 6-6:lo=1"),
    ("flak by hand after the run is the additional flak", OVER, RUN_BY_HAND, "6-2:hi=-1 6-2:additional=-1"),
    ("not in the next turn", OVER, RUN_BY_HAND.replace("; roll 6-2: 5", "; set turn=13; roll 6-2: 5"),
     "6-2:hi=-1 6-2:additional=0"),
    ("no weather goes before that of Zone 1", OUTWARD, "set zone=1; end", "weather.previous=none"),
    ("each goes before the next", OUTWARD, "set zone=1; set weather=poor; set zone=2; end", "weather.previous=poor"),
    ("homeward too", OUTWARD, "set zone=2; set weather=bad leg=inbound; set zone=1; end", "weather.previous=bad"),
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
