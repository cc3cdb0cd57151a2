"""Random events (18.0, B-7) and the German player (21.0): the effects of each event and of its repetition."""

from typing import Any

import pytest

from companion.packs import Pack
from tests.book import b17 as book
from tests.games.b17.table import BREMEN, HOMEWARD, OVER_LILLE, at
from tests.support import Moment, after_step, asked, check, moments, set_up

FLYING = (
    "mission.number=11 target.city=Bremen target.zone=7 squadron=high turn=5 zone=5 zone.turns=1 random-events=on "
    "step=lost-2 fought=yes "
)


def event(pack: Pack, facts: str, dice: str) -> Moment:
    """Return the state after an event rolled in Zone 5."""
    return set_up(pack, FLYING + facts, "B-7").fly(f"B-7: {dice}\n")


EVENT = FLYING + "{} roll=B-7"
WAVE = at(BREMEN, "step=cover turn=5 zone=5 zone.turns=1")
FAILS = "B-7: 1,1; B-7.a: 3,4; BL-1.c: 3; roll B-7: 1,1"
SHALLOW = "B-7: 6,6; B-7.g: 4,5"
LOOSE = FLYING + "{} roll=B-1"
DIVED = at(BREMEN, "step=aborted turn=4 zone=4 zone.turns=2 engine.1=out formation=out formation.return=1 "
           "abort.answered=1")  # fmt: skip
PARIS = {**DIVED, "target.city": "Paris", "target.zone": 5}
FRIENDS = FLYING.replace("zone=5", "zone=4") + (
    "cover=good event.friends=yes slots.fighter=1 fighter.1.type=me109 fighter.1.clock=6 fighter.1.angle=high roll=M-4"
)
ACE = FLYING + (
    "fighter.1.type=me109 fighter.1.clock=6 fighter.1.angle=high ace-for-a-day.engineer=yes kills.engineer=7 roll=M-1 "
    "gun=top fighter=1"
)


@pytest.mark.section("b17 18.0 d", "b17 18.0", "b17 18.0 a", "b17 18.0 b", "b17 18.0 g", "b17 18.0 h", "b17 18.0 i")
@pytest.mark.section("b17 18.0 j", "b17 B-7", "b17 M-4", "b17 5.1 a", "b17 5.1 c", "b17 10.1", "b17 12.1")
@moments(
    ("a 66 is an event where they are played", at(WAVE, "random-events=on"), "B-1: 5; B-3: 6,6",
     "fighters=0 asked=B-7"),
    ("else no attackers", at(WAVE, "random-events=off"), "B-1: 5; B-3: 6,6", "fighters=0 asked!=B-7"),
    ("a second failure starts the engine again", EVENT.format("bombs=jettisoned"), FAILS, "engine.1=ok engines.out=0"),
    ("one that ran again may be lost for another reason", EVENT.format("bombs=jettisoned"),
     FAILS + "; set engine.1=out; roll B-7: 1,1", "engine.1=out waits=B-7.a"),
    ("casualties come once", EVENT.format("event.casualties=yes"), "B-7: 1,2", "asked=B-7"),
    ("a loose formation", EVENT.format("event.loose=yes"), "B-7: 1,3", "asked=B-7"),
    ("friends", EVENT.format("event.friends=yes"), "B-7: 1,4", "asked=B-7"),
    ("a tight one", EVENT.format("event.tight=yes"), "B-7: 1,5", "asked=B-7"),
    ("on either row", EVENT.format("event.tight=yes"), "B-7: 4,4", "asked=B-7"),
    ("who leads has no casualties before them", EVENT.format("bomber.position=lead"), "B-7: 1,2", "asked=B-7"),
    ("nor the tail", EVENT.format("bomber.position=tail"), "B-7: 1,2", "asked=B-7"),
    ("nor who is alone", EVENT.format("formation=out"), "B-7: 1,2", "asked=B-7"),
    ("they put us in the lead on 3", EVENT.format("bomber.position=middle"), "B-7: 1,2; B-7.formation-casualties: 3",
     "bomber.position=lead"),
    ("at the tail on 4", EVENT.format("bomber.position=middle"), "B-7: 1,2; B-7.formation-casualties: 4",
     "bomber.position=tail"),
    ("a near accident is nothing", EVENT.format(""), "B-7: 6,6; B-7.g: 4,4", "formation=in"),
    ("a shallow dive costs the formation", EVENT.format(""), SHALLOW, "formation=out bombs=aboard"),
    ("for the rest of the zone", EVENT.format(""), SHALLOW + "; set zone=6", "formation=out"),
    ("and one whole zone", EVENT.format(""), SHALLOW + "; set zone=6; set zone=7", "formation=in"),
    ("who has come down for oxygen does not rejoin after it", EVENT.format(""),
     SHALLOW + "; set zone=6; set altitude=low; set altitude=high; set zone=7", "formation=out"),
    ("a steep one the bombs, and on a 6 a wing", EVENT.format(""), "B-7: 6,6; B-7.g: 5,6; B-7.wing: 5; B-7.wing: 6",
     "formation=out bombs=jettisoned asked=G-7"),
    ("with a dead engine she is back where the bombs are asked about", PARIS, "",
     "zone=5 formation=in asked=one-engine"),
    ("without them she stays", PARIS, "one-engine: jettison", "bombs=jettisoned formation=in"),
    ("with them not", PARIS, "one-engine: keep", "bombs=aboard formation=out"),
    ("also short of the target", {**DIVED, "target.city": "Brest", "target.zone": 6}, "one-engine: keep",
     "bombs=aboard formation=out"),
    ("a flight begins at the base", "mission.number=7 target.city=Rouen", "", "asked=G-4.formation"),
    ("or where the chart says", "mission.number=7 zone=3", "", "asked=target.city zone=3"),
    ("or asks", "mission.number=7 altitude=low", "", "asked=zone altitude=low"),
    ("loose formation adds 1 on B-1 for a bomber alone too", LOOSE.format("event.loose=yes formation=out"), "B-1: 3",
     "B-1:loose=1"),
    ("tight formation takes 1 from it", LOOSE.format("event.tight=yes formation=out"), "B-1: 3", "B-1:tight=-1"),
    ("little friends come", EVENT.format(""), "B-7: 1,4", "event.friends=yes"),
    ("and drive off one more", FRIENDS, "M-4: 2", "M-4:friends=1"),
    ("bad communications", EVENT.format(""), "B-7: 4,5", "event.radio=yes"),
    ("end with the next", EVENT.format("event.radio=yes"), "B-7: 4,5", "event.radio=no"),
    ("they keep one fighter of each wave away", at(WAVE, "random-events=on event.radio=yes"),
     "B-1: 5; B-3: 3,3; stays-away: 2", "fighters=2"),
    ("the only one too", at(WAVE, "random-events=on event.radio=yes"), "B-1: 5; B-3: 4,1", "fighters=0"),
    ("an ace for a day adds 1, whatever his record", ACE, "M-1: 3", "waits=M-2"),
)  # fmt: skip
def test_random_events(pack: Pack, sheet: str | dict[str, Any], flown: str, then: str) -> None:
    check(pack, sheet, flown, then)


@pytest.mark.section("b17 18.0 a", "b17 errata 29")
@pytest.mark.parametrize(("dice", "engine"), [("1,1", 1), ("1,2", 1), ("1,3", 2), ("2,3", 3), ("3,3", 3), ("3,4", 1),
                                              ("4,4", 4), ("4,5", 4), ("4,6", 2), ("5,6", 2), ("6,6", 2)])  # fmt: skip
def test_which_engine_fails(pack: Pack, dice: str, engine: int) -> None:
    """18.0 a, errata 29: 2, 3, 7 the first, 4 and 10 to 12 the second, 5 and 6 the third, 8 and 9 the fourth; then note
    c.
    """
    moment = event(pack, "bombs=jettisoned", f"1,1\nB-7.a: {dice}")
    assert (moment[f"engine.{engine}"], moment["engines.out"], moment.asked) == ("out", 1, "BL-1.c")


@pytest.mark.section("b17 18.0 e", "b17 18.0 g", "b17 18.0 h")
@pytest.mark.parametrize(("name", "facts", "nets"), [each for each in book.AFTER_NOTES if each[0] == "B-7"])
def test_events_out_of_formation(pack: Pack, name: str, facts: dict[str, str], nets: dict[int, str]) -> None:
    asks = {"roll-again": name, "extreme-cold": "B-7.cold", "engine-failure": "B-7.a"}
    out = " ".join(f"{fact}={value}" for fact, value in facts.items())
    for total, outcome in nets.items():
        first = max(1, total - 6)
        assert event(pack, out, f"{first},{total - first}").asked == asks[outcome], total


@pytest.mark.section("b17 18.0 c")
def test_rabbits_feet_add_up(pack: Pack) -> None:
    moment = event(pack, "rabbits-feet=1", "3,4")
    assert moment["rabbits-feet"] == 2
    assert pack.sheet.fields["rabbits-feet"].section == "settings"  # the fields carried over to the next sheet


@pytest.mark.section("b17 18.0 e", "b17 errata 30")
def test_extreme_cold_jams_guns_until_10_000_feet(pack: Pack) -> None:
    """18.0 e, errata 30: a die for each gun, 6 jams; at 10,000 feet the cold is over and its jams are cleared."""
    moment = event(pack, "", "4,6")
    assert asked(moment.mission) == ["B-7.cold"] * 9
    guns = "nose port-cheek starboard-cheek top radio ball port-waist starboard-waist tail".split()
    moment.fly("".join(f"B-7.cold {gun}: {6 if gun == 'top' else 5}\n" for gun in guns))
    assert [moment[f"gun.{gun}"] for gun in guns].count("jammed") == 1
    moment.mission.write({"altitude": "low", "formation": "out"})
    assert moment["gun.top"] == "ok"
    assert event(pack, "altitude=low formation=out", "4,6").asked == "B-7"


@pytest.mark.section("b17 18.0 f")
def test_an_ace_for_a_day(pack: Pack) -> None:
    moment = event(pack, "", "5,6")
    moment.fly(f"{moment.asked}: 2\n")
    assert moment["ace-for-a-day.engineer"] == "yes"
    again = event(pack, "ace-for-a-day.engineer=yes", "5,6")
    again.fly(f"{again.asked}: 1\n")
    assert "B-7" not in again.asked


@pytest.mark.section("b17 21.0")
def test_the_german_player_chooses_where_they_come_again(pack: Pack) -> None:
    pair: dict[str, Any] = {**HOMEWARD, "two-player": "on", "pass": 1, "wave.formation": "in", "slots.fighter": 2}
    for each, clock in ((1, "12"), (2, "3")):
        pair |= {f"fighter.{each}.type": "me109", f"fighter.{each}.clock": clock, f"fighter.{each}.angle": "high",
                 f"fighter.{each}.hit": "yes"}  # fmt: skip
    moment = after_step(pack, "leave", pair)
    assert moment.asked == "place"
    assert len(moment.options) == 18 + 1
    assert not [each for each in moment.options if each.startswith(("dive", "climb"))]
    first = moment.options[1]
    moment.fly(f"place 1: {first}\n")
    assert (moment.asked, len(moment.options), first in moment.options) == ("place", 18, False)


@pytest.mark.section("b17 M-5 a", "b17 9.5")
@pytest.mark.parametrize(("clock", "spray"), [("12", False), ("1:30", False), ("10:30", False), ("3", True),
                                              ("6", True), ("9", True)])  # fmt: skip
def test_what_may_be_sprayed(pack: Pack, clock: str, spray: bool) -> None:
    there = {**OVER_LILLE, "pass": 1, "spray-fire": "on", "slots.fighter": 1, "fighter.1.type": "me109",
             "fighter.1.clock": clock, "fighter.1.angle": "high",
             **{f"gun.{gun}": "broken" for gun in ("nose", "port-cheek", "starboard-cheek")}}  # fmt: skip
    for spent, may in ((0, spray), (14, False)):
        moment = after_step(pack, "attack", {**there, "ammo.top": spent})
        while moment.asked == "aim" and moment.mission.pending[0].bind["gun"] != "top":
            moment.fly("aim: hold\n")
        assert moment.asked == "aim"
        assert any("spray" in each for each in moment.options) == may
