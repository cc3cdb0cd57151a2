"""Random events (18.0, B-7) and the German player (21.0): what each event does, and what a second one of it does."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine.pending import Pending
from companion.packs import Pack
from tests.book import b17 as book
from tests.games.b17.table import BREMEN, HOMEWARD, OVER_LILLE
from tests.support import Moment, after_step, again, asked, set_up

FLYING = (
    "mission.number=11 target.city=Bremen target.zone=7 squadron=high turn=5 zone=5 zone.turns=1 random-events=on "
    "step=lost-2 fought=yes "
)


def event(pack: Pack, facts: str, dice: str) -> Moment:
    """An event rolled in Zone 5."""
    moment = set_up(pack, FLYING + facts, "B-7")
    moment.fly(f"B-7: {dice}\n")
    return moment


@pytest.mark.section("b17 18.0")
@pytest.mark.parametrize(("option", "table"), [("on", "B-7"), ("off", "B-1")])
def test_a_66_is_an_event_where_they_are_played(pack: Pack, option: str, table: str) -> None:
    sheet = {**BREMEN, "turn": 5, "zone": 5, "zone.turns": 1, "random-events": option}
    moment = after_step(pack, "cover", sheet, "B-1: 5\nB-3: 6,6\n")
    assert (moment["fighters"], (moment.asked == "B-7")) == (0, table == "B-7")


@pytest.mark.section("b17 18.0 a", "b17 errata 29")
@pytest.mark.parametrize(("dice", "engine"), [("1,1", 1), ("1,2", 1), ("1,3", 2), ("2,3", 3), ("3,3", 3), ("3,4", 1),
                                              ("4,4", 4), ("4,5", 4), ("4,6", 2), ("5,6", 2), ("6,6", 2)])  # fmt: skip
def test_which_engine_fails(pack: Pack, dice: str, engine: int) -> None:
    """18.0 a, errata 29: 2, 3, 7 the first, 4 and 10 to 12 the second, 5, 6 the third, 8, 9 the fourth; then note c."""
    moment = event(pack, "bombs=jettisoned", f"1,1\nB-7.a: {dice}")
    assert (moment[f"engine.{engine}"], moment["engines.out"], moment.asked) == ("out", 1, "BL-1.c")


@pytest.mark.section("b17 18.0 a")
def test_the_same_event_starts_the_engine_again(pack: Pack) -> None:
    moment = event(pack, "bombs=jettisoned", "1,1\nB-7.a: 3,4\nBL-1.c: 3")
    moment.mission.pending = [Pending.of({"roll": "B-7", "bind": {}, "born": 1})]
    moment.fly("B-7: 1,1\n")
    assert (moment["engine.1"], moment["engines.out"]) == ("ok", 0)


@pytest.mark.section("b17 18.0 a")
def test_an_engine_that_ran_again_is_lost_for_another_reason(pack: Pack) -> None:
    moment = event(pack, "bombs=jettisoned", "1,1\nB-7.a: 3,4\nBL-1.c: 3")
    moment = again(moment, "B-7")
    moment.fly("B-7: 1,1\n")
    moment.mission.write({"engine.1": "out"})  # by fire or flak
    moment = again(moment, "B-7")
    moment.fly("B-7: 1,1\n")
    assert (moment["engine.1"], moment.asked) == ("out", "B-7.a")


@pytest.mark.section("b17 18.0 e", "b17 18.0 g", "b17 18.0 h")
@pytest.mark.parametrize(("name", "facts", "nets"), [each for each in book.AFTER_NOTES if each[0] == "B-7"])
def test_events_out_of_formation(pack: Pack, name: str, facts: dict[str, str], nets: dict[int, str]) -> None:
    asks = {"roll-again": name, "extreme-cold": "B-7.cold", "engine-failure": "B-7.a"}
    out = " ".join(f"{fact}={value}" for fact, value in facts.items())
    for total, outcome in nets.items():
        first = max(1, total - 6)
        assert event(pack, out, f"{first},{total - first}").asked == asks[outcome], total


@pytest.mark.section("b17 18.0 b", "b17 18.0 h")
@pytest.mark.parametrize(
    ("facts", "dice"),
    [("event.casualties=yes", "1,2"), ("event.loose=yes", "1,3"), ("event.friends=yes", "1,4"),
     ("event.tight=yes", "1,5"), ("event.tight=yes", "4,4"), ("bomber.position=lead", "1,2"),
     ("bomber.position=tail", "1,2"), ("formation=out", "1,2")],
)  # fmt: skip
def test_some_events_come_only_once(pack: Pack, facts: str, dice: str) -> None:
    assert event(pack, facts, dice).asked == "B-7"


@pytest.mark.section("b17 B-7", "b17 5.1 c")
@pytest.mark.parametrize(("die", "place"), [(3, "lead"), (4, "tail")])
def test_casualties_put_us_at_the_end_of_the_squadron(pack: Pack, die: int, place: str) -> None:
    """B-7, 3: lead on 1 to 3, tail on 4 to 6."""
    moment = event(pack, "bomber.position=middle", "1,2")
    moment.fly(f"{moment.asked}: {die}\n")
    assert moment["bomber.position"] == place


@pytest.mark.section("b17 18.0 c")
def test_rabbits_feet_add_up(pack: Pack) -> None:
    moment = event(pack, "rabbits-feet=1", "3,4")
    assert moment["rabbits-feet"] == 2
    assert pack.sheet.fields["rabbits-feet"].section == "settings"  # what the next sheet takes over


@pytest.mark.section("b17 18.0 d")
def test_bad_communications_keep_one_fighter_of_each_wave_away(pack: Pack) -> None:
    assert event(pack, "", "4,5")["event.radio"] == "yes"
    assert event(pack, "event.radio=yes", "4,5")["event.radio"] == "no"
    sheet = {**BREMEN, "turn": 5, "zone": 5, "zone.turns": 1, "random-events": "on", "event.radio": "yes"}
    moment = after_step(pack, "cover", sheet, "B-1: 5\nB-3: 3,3\n")
    assert moment.asked == "stays-away"
    moment.fly("stays-away: 2\n")
    assert moment["fighters"] == 2
    alone = after_step(pack, "cover", sheet, "B-1: 5\nB-3: 4,1\n")
    assert any("the only fighter stays away" in text for each in alone.results for text, _ in each.notes)


@pytest.mark.section("b17 18.0 e", "b17 errata 30")
def test_extreme_cold_jams_guns_until_10_000_feet(pack: Pack) -> None:
    """18.0 e, errata 30: a die for each gun, 6 jams; below there is no such cold, and what it jammed is free."""
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
    for facts in ({"ace-for-a-day.engineer": moment["ace-for-a-day.engineer"]},
                  {"ace-for-a-day.engineer": "yes", "kills.engineer": 7}):  # fmt: skip
        shot = set_up(
            pack, FLYING + "fighter.1.type=me109 fighter.1.clock=6 fighter.1.angle=high", "M-1", gun="top", fighter="1"
        )
        shot.mission.write(facts)
        shot.fly("M-1: 3\n")
        assert [add for _, add in shot.modifiers("M-1")] == [1]
        assert shot.results[-1].outcome == "hit"
    again = event(pack, "ace-for-a-day.engineer=yes", "5,6")
    again.fly(f"{again.asked}: 1\n")
    assert "B-7" not in again.asked


@pytest.mark.section("b17 18.0 g")
def test_accidents_in_the_air(pack: Pack) -> None:
    """18.0 g: to 8 nothing; 9, 10 a shallow dive, back after a zone; 11 a steep one, a 6 tears a wing off."""
    assert event(pack, "", "6,6\nB-7.g: 4,4")["formation"] == "in"
    shallow = event(pack, "", "6,6\nB-7.g: 4,5")
    assert (shallow["formation"], shallow["bombs"]) == ("out", "aboard")
    steep = event(pack, "", "6,6\nB-7.g: 5,6\nB-7.wing: 5\nB-7.wing: 6")
    assert (steep["formation"], steep["bombs"], steep.asked) == ("out", "jettisoned", "G-7")
    alone = event(pack, "formation=out", "6,6")
    assert alone.asked in ("B-7.event-2", "B-7.a")  # an engine fails instead


@pytest.mark.section("b17 18.0 g")
def test_back_in_formation_after_one_whole_zone(pack: Pack) -> None:
    moment = event(pack, "", "6,6\nB-7.g: 4,5")
    states, told = [], []
    for zone in (6, 7):
        notes = moment.mission.write({"zone": zone}).notes
        states.append(moment["formation"])
        told.append([text for text, _ in notes if "back in formation" in text])
    assert states == ["out", "in"]
    assert [len(each) for each in told] == [0, 1]


@pytest.mark.section("b17 12.1", "b17 18.0 g")
@pytest.mark.parametrize(("down", "formation"), [(True, "out"), (False, "in")])
def test_who_has_come_down_for_oxygen_does_not_rejoin_after_a_shallow_dive(
    pack: Pack, down: bool, formation: str
) -> None:
    moment = event(pack, "", "6,6\nB-7.g: 4,5")
    moment.mission.write({"zone": 6})
    if down:
        moment.mission.write({"altitude": "low"})
        moment.mission.write({"altitude": "high"})
    moment.mission.write({"zone": 7})
    assert moment["formation"] == formation


@pytest.mark.section("b17 10.1", "b17 18.0 g")
@pytest.mark.parametrize(("target", "zone"), [("Paris", 5), ("Brest", 6)])
@pytest.mark.parametrize(("answer", "state"), [("jettison", ("jettisoned", "in")), ("keep", ("aboard", "out"))])
def test_with_a_dead_engine_back_only_without_bombs(
    pack: Pack, target: str, zone: int, answer: str, state: tuple[str, str]
) -> None:
    dive = {**BREMEN, "target.city": target, "target.zone": zone, "turn": 4, "zone": 4, "zone.turns": 2,
            "engine.1": "out", "formation": "out", "formation.return": 1, "abort.answered": 1}  # fmt: skip
    moment = after_step(pack, "aborted", dive)
    assert (moment["zone"], moment["formation"], moment.asked) == (5, "in", "one-engine")
    moment.fly(f"one-engine: {answer}\n")
    assert (moment["bombs"], moment["formation"]) == state


@pytest.mark.section("b17 5.1 a")
@pytest.mark.parametrize(
    ("beforehand", "asked"),
    [("zone=3", "target.city"), ("altitude=low", "zone"), ("target.city=Rouen", "G-4.formation")],
)
def test_a_flight_begins_at_the_base_or_where_the_chart_says(pack: Pack, beforehand: str, asked: str) -> None:
    moment = set_up(pack, f"mission.number=7 {beforehand}")
    written = dict(moment.mission.state)
    moment.mission.advance()
    assert moment.asked == asked
    assert written.items() <= moment.mission.state.items()


@pytest.mark.section("b17 18.0 i", "b17 18.0 j")
@pytest.mark.parametrize(("facts", "add"), [("event.loose=yes", 1), ("event.tight=yes", -1)])
@pytest.mark.parametrize("formation", ["in", "out"])
def test_loose_and_tight_formation(pack: Pack, facts: str, add: int, formation: str) -> None:
    """18.0 i, j: +1 or -1 on B-1, for a bomber out of formation too; Bremen's zone 5 has -1 of its own."""
    moment = set_up(pack, FLYING + f"{facts} formation={formation}", "B-1")
    moment.fly("B-1: 3\n")
    assert sum(each for _, each in moment.modifiers("B-1")) == add - 1


@pytest.mark.section("b17 B-7", "b17 M-4")
def test_little_friends(pack: Pack) -> None:
    assert event(pack, "", "1,4")["event.friends"] == "yes"
    moment = set_up(pack, FLYING.replace("zone=5", "zone=4") + "cover=good event.friends=yes slots.fighter=1 "
                    "fighter.1.type=me109 fighter.1.clock=6 fighter.1.angle=high", "M-4")  # fmt: skip
    moment.fly("M-4: 2\n")
    assert [each.outcome for each in moment.results if each.table == "M-4"] == ["2(1)"]


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
