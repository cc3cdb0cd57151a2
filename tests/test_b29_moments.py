"""Moments of a B-29 mission that recorded missions do not reach; what each expects is worked out from the rules.

A moment is a sheet and what is pending on it, flown with a script as in `tests/missions`; `left` is what waits after
the last line.
"""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine.play import Play
from companion.engine.sheet import Facts
from companion.packs import Pack
from companion.play.chance import Chance
from companion.play.conversation import take, walk
from companion.play.mission import Mission
from companion.play.script import OutOfLines, Script

DAY = "mission.number=12 mission.time=day mission.altitude=hi target.city=kobe target.type=airfield target.zone=12 "
NIGHT = (
    "mission.number=14 mission.time=night mission.altitude=lo target.city=tokyo target.type=airfield target.zone=12 "
)
HIGH = DAY + "turn=9 zone=8 altitude=hi pressurized=yes formation=out weather=good below=sea book.7-12.depressurized=2 "
ALL = (
    "pilot copilot bombardier navigator engineer radio-operator cfc left-gunner right-gunner radar-operator tail-gunner"
).split()


class Moment:
    """A mission flown from a sheet and one pending roll."""

    def __init__(self, pack: Pack, sheet: str, roll: str = "", **bind: str) -> None:
        self.mission = Mission(pack, number=1)
        self.mission.write(pack.sheet.given(sheet.split()))
        self.mission.pending = [{"roll": roll, "bind": bind, "born": 1}] if roll else []

    def fly(self, script: str) -> None:
        """To the end of the lines."""
        by = Script(script)
        try:
            while True:
                by.writes(self.mission)
                item = self.mission.waiting()
                if item is not None:
                    take(self.mission, item, by)
                elif not self.mission.advance():
                    break
        except OutOfLines:
            pass
        assert by.at == len(by.lines), f"not reached: {by.lines[by.at]}"

    def __getitem__(self, name: str) -> Any:
        return Facts(self.mission.game.sheet, self.mission.state)[name]

    @property
    def left(self) -> str:
        item = self.mission.waiting() or {}
        return str(item.get("roll") or item.get("choose") or item.get("ask"))

    def legal(self, choice: str) -> list[str]:
        """The options of a choice as things stand."""
        item = {"choose": choice, "bind": {}}
        return [each.name for each in Play(self.mission.game, self.mission.state).options_of(item)]

    @property
    def options(self) -> list[str]:
        item = self.mission.waiting()
        assert item is not None
        return [each.name for each in Play(self.mission.game, self.mission.state, [item]).options_of(item)]

    def modifiers(self, table: str) -> list[tuple[str, int]]:
        """What counted when that table was last rolled, by the journal."""
        made = [entry for entry in self.mission.journal.entries if entry["t"] == table]
        return [(str(why), int(add)) for why, add in made[-1].get("m", [])]


# -- fire, with the bomber closed (4.2 B, 7.5) -----------------------------------------------------------------------


def test_opened_up_before_the_fire_is_fought(b29: Pack) -> None:
    moment = Moment(b29, HIGH, "7-1", area="nose", compartment="nose")
    moment.fly("7-1: 2,3\n7-1.hydraulics: 2\nopen-for-fire: yes")  # row 5, and 1-3 is a fire
    assert (moment["pressurized"], moment["cold.since"]) == ("no", 9)
    assert moment.options == ["bombardier", "copilot", "nobody"]  # the Nose has men of its own
    moment.fly("fire-man: bombardier\n7-12: 3,4 = out")
    assert sum(add for _, add in moment.modifiers("7-12")) == 2  # our book's figure, at HI and open
    assert (moment["duty.bombardier"], moment["extinguisher.nav-radio"]) == ("fire", "used")
    moment.fly("7-1.b: 3")  # the pressure check of the row is still due, then all go on oxygen (4.2 D)
    assert moment.left == "4.2D"


def test_a_fire_fought_behind_closed_doors_has_no_modifier(b29: Pack) -> None:
    moment = Moment(b29, HIGH, "7-12.fire", compartment="nav-radio")
    moment.fly("open-for-fire: no\nfire-man: radio-operator")
    assert (moment["pressurized"], len(moment.mission.pending)) == ("yes", 1)  # nobody goes on oxygen
    moment.fly("7-12: 3,4 = out")
    assert moment.modifiers("7-12") == []


def test_at_lo_nothing_is_to_be_opened(b29: Pack) -> None:
    moment = Moment(b29, NIGHT + "turn=9 zone=8 altitude=lo below=sea", "7-12.fire", compartment="waist")
    moment.fly("fire-man: radar-operator\n7-12: 3,4 = out")
    assert moment.modifiers("7-12") == []


def test_nobody_can_open_up(b29: Pack) -> None:
    """4.2 B: a fit man in the engineer's seat, the pilot's, or the Waist."""
    hurt = "crew.engineer=serious crew.pilot=kia crew.cfc=kia crew.left-gunner=kia crew.right-gunner=kia "
    moment = Moment(b29, HIGH + hurt + "crew.radar-operator=serious", "7-12.fire", compartment="nav-radio")
    moment.fly("fire-man: navigator")
    assert moment["pressurized"] == "yes"


@pytest.mark.parametrize(
    ("hurt", "compartment", "who"),
    [
        ("", "nose", ["bombardier", "copilot"]),
        ("crew.pilot=serious", "nose", ["bombardier"]),  # 7.6 E: the copilot stays where he is
        ("crew.pilot=serious crew.bombardier=kia", "nose", ["radio-operator", "navigator", "engineer"]),
        ("", "nav-radio", ["radio-operator", "navigator", "engineer"]),
        ("", "tail", ["tail-gunner"]),
        ("crew.tail-gunner=kia", "tail", []),  # closed up, nobody gets through Utility
        ("", "utility", []),
        ("crew.tail-gunner=kia pressurized=no", "tail", ["radar-operator", "cfc", "left-gunner", "right-gunner"]),
        ("pressurized=no", "utility", ["radar-operator", "tail-gunner", "cfc", "left-gunner", "right-gunner"]),
    ],
)
def test_who_may_fight_the_fire(b29: Pack, hurt: str, compartment: str, who: list[str]) -> None:
    moment = Moment(b29, HIGH + hurt, "7-12.fire", compartment=compartment)
    moment.fly("" if "pressurized" in hurt else "open-for-fire: no")
    if who:
        assert moment.options == [*who, "nobody"]
    else:  # nobody there: the try has failed, one zone more
        take(moment.mission, moment.mission.waiting() or {}, Chance(None))  # type: ignore[arg-type]
        assert moment.mission.state["fire.utility" if compartment == "utility" else "fire.tail"] == 1


def test_without_a_bottle_the_try_has_failed(b29: Pack) -> None:
    moment = Moment(b29, HIGH + "extinguisher.nav-radio=destroyed pressurized=no", "7-12.fire", compartment="nose")
    moment.fly("8-2: 3,3 = calm")  # Nose: all bail out now (7.5)
    assert (moment["bomber.fate"], moment.left) == ("abandoned", "8-4")


def test_a_second_try_in_the_waist_may_open_up_first(b29: Pack) -> None:
    moment = Moment(b29, HIGH, "7-12.fire", compartment="waist")
    moment.fly(
        "open-for-fire: no\nfire-man: cfc\n7-12: 3,3 = burns\nopen-for-fire: yes\nfire-man: cfc\n7-12: 3,3 = burns"
    )
    assert (moment["extinguisher.waist"], moment["extinguisher.utility"]) == ("used", "used")
    assert sum(add for _, add in moment.modifiers("7-12")) == 2
    assert moment["fire-zone"] == "yes"  # one zone more


# -- leaving the bomber (8.2) ----------------------------------------------------------------------------------------


def test_opened_up_before_the_jump(b29: Pack) -> None:
    moment = Moment(b29, HIGH, "8-4.crew")
    moment.fly("open-to-jump: yes\n8-2: 3,3 = calm\n8-4 pilot: 4,4 = safe")
    assert moment["pressurized"] == "no"
    assert "4.2D" not in [item.get("roll") for item in moment.mission.pending]  # 4.2 D: not for a bail out
    assert not any(entry["t"] == "7-11" for entry in moment.mission.journal.entries)


def test_jumping_from_a_closed_bomber(b29: Pack) -> None:
    """7-11 for each closed room with men in it: not for the holed Waist, not for the empty Tail."""
    moment = Moment(b29, HIGH + "pressure.waist=compromised crew.tail-gunner=kia", "8-4.crew")
    moment.fly("open-to-jump: no\n7-11: 3,3 = none\n8-2: 3,3 = calm\n8-4 pilot: 4,4 = safe")


def test_nobody_left_to_open_up_before_the_jump(b29: Pack) -> None:
    dead = " ".join(f"crew.{man}=kia" for man in ALL if man not in ("bombardier", "tail-gunner"))
    moment = Moment(b29, HIGH + dead, "8-4.crew")
    moment.fly("7-11: 3,3 = none\n7-11: 3,3 = none\n8-2: 3,3 = calm\n8-4 bombardier: 4,4 = safe")


# -- a man in the bomb bay (7-3 e, f; 4.2 B) -------------------------------------------------------------------------

HANGING = DAY + (
    "turn=13 zone=12 leg=inbound altitude=hi pressurized=yes formation=out weather=good fuel.wing=20 bomb-run=on "
    "step=repair log.gazetteer.12=0 log.below.12=land "
)


def test_a_man_trips_the_shackles(b29: Pack) -> None:
    """-1 on the die of 7-3 (f); he must get in, so the bomber is opened up and all go on oxygen."""
    moment = Moment(b29, HANGING + "release.fwd=out load.aft=gone bombs=aboard")
    moment.fly("bay-man: open\nbay-man: radio-operator\n4.2D: 3,4\n4.6: 3,4\n5-1: 1,1\njettison: yes\n7-3.f: 3")
    assert (moment["bombs"], moment["load.fwd"]) == ("jettisoned", "gone")


def test_the_motor_needs_a_man_in_an_open_bay(b29: Pack) -> None:
    moment = Moment(b29, HANGING + "bombs=dropped doors.fwd=jammed-open doors.aft=jammed-open")
    moment.fly("")
    assert (moment.left, moment.options) == ("motor", ["no", "open"])
    moment.fly("motor: open\nmotor-man: engineer\n7-3.motor: 4")  # burnt out: no motor for the other bay
    assert (moment["pressurized"], moment["duty.engineer"], moment["doors.fwd"]) == ("no", "repair", "jammed-open")
    moment.fly("")
    assert moment.left == "4.2D"


# -- a place with oxygen (7.4 A) -------------------------------------------------------------------------------------

THIN = DAY + (
    "turn=9 zone=8 altitude=hi pressurized=no pressurization=lost cold.since=9 formation=out weather=good fuel.wing=18 "
    "oxygen.navigator=2 name.navigator=Gus name.bombardier=Miles step=take-off "
)


def test_a_dead_mans_oxygen_keeps_the_bomber_up(b29: Pack) -> None:
    moment = Moment(b29, THIN + "crew.bombardier=kia fate.bombardier=kia")
    moment.fly("oxygen-place: bombardier\naltitude: stay")
    assert (moment["altitude"], moment["oxygen.short"], moment["must-descend"]) == ("hi", "no", "no")
    assert (moment["name.bombardier"], moment["crew.bombardier"], moment["fate.bombardier"]) == ("Gus", "ok", "none")
    assert (moment["name.navigator"], moment["crew.navigator"], moment["fate.navigator"]) == ("Miles", "kia", "kia")
    assert (moment["crew.lost"], moment["duty.bombardier"]) == (1, "moved")  # another compartment: he fires nothing


def test_without_it_the_bomber_comes_down(b29: Pack) -> None:
    moment = Moment(b29, THIN + "crew.bombardier=kia")
    moment.fly("oxygen-place: none")
    assert moment["altitude"] == "lo"  # the only way


@pytest.mark.parametrize(
    ("more", "offered"),
    [
        ("crew.bombardier=kia oxygen.bombardier=2", []),  # his is shot up as well
        ("crew.bombardier=serious", []),  # he needs it himself
        ("crew.bombardier=kia oxygen.tanks=2", []),  # no supply at all
        ("crew.cfc=kia", ["cfc"]),  # through the tunnel, or anywhere in an open bomber
        ("crew.cfc=kia crew.tail-gunner=kia", ["cfc", "tail-gunner"]),
        ("crew.navigator=serious crew.cfc=kia", []),  # never carried between Waist and Nav/Radio (7.6 C)
        ("crew.navigator=serious crew.bombardier=kia", ["bombardier"]),
        ("crew.left-gunner=absent", ["left-gunner"]),
    ],
)
def test_whose_place_is_free(b29: Pack, more: str, offered: list[str]) -> None:
    moment = Moment(b29, THIN + more)
    moment.fly("")
    assert (moment.left == "oxygen-place") == bool(offered)
    if offered:
        assert moment.options == [*offered, "none"]


def test_a_wounded_man_is_moved_by_another(b29: Pack) -> None:
    moment = Moment(b29, THIN + "crew.bombardier=kia crew.navigator=serious")
    moment.fly("oxygen-place: bombardier\nwho-helps: engineer")
    assert (moment["crew.bombardier"], moment["duty.engineer"]) == ("serious", "moved")


def test_a_pilot_stays_at_his_post(b29: Pack) -> None:
    moment = Moment(b29, THIN + "oxygen.navigator=0 oxygen.copilot=2 crew.bombardier=kia")
    moment.fly("")
    assert (moment.left == "oxygen-place", moment["altitude"]) == (False, "lo")  # 7.6 E


def test_down_for_want_of_oxygen_and_up_again(b29: Pack) -> None:
    low = THIN.replace("altitude=hi pressurized", "altitude=lo pressurized") + "leg=outbound "
    short = Moment(b29, low)
    assert short.legal("altitude") == ["stay"]  # 7.4 A: no climb while a man lacks oxygen
    served = Moment(b29, low + "crew.bombardier=kia")
    served.fly("oxygen-place: bombardier")
    assert served.left == "altitude"
    assert (served.options, served["formation.barred"]) == (["med", "stay"], "yes")  # but never back into formation


# -- one raft for eleven men (7-3, 7-4 row 4) ------------------------------------------------------------------------

SEA = DAY + "turn=20 zone=4 leg=inbound altitude=lo bombs=dropped bomb-run=on formation=out below=sea sea=calm "


def test_six_men_in_the_one_raft(b29: Pack) -> None:
    moment = Moment(b29, SEA + "rafts.fwd=hit book.8-3.sea-state=0", "8-3")
    six = ["pilot", "bombardier", "engineer", "cfc", "left-gunner", "tail-gunner"]
    moment.fly("8-3: 4,4 = successful\n" + "\n".join(f"raft-man: {man}" for man in six))
    assert moment["raft-places"] == 6
    for man in ALL:
        moment.fly(f"8-6 {man}: 3,3 = rescued")
        assert sum(add for _, add in moment.modifiers("8-6")) == (1 if man in six else 0)


@pytest.mark.parametrize(("rafts", "add"), [("", 1), ("rafts.fwd=hit rafts.aft=hit", 0)])
def test_both_rafts_or_none(b29: Pack, rafts: str, add: int) -> None:
    moment = Moment(b29, SEA + rafts + " book.8-3.sea-state=0", "8-3")
    moment.fly("8-3: 4,4 = successful\n8-6 pilot: 3,3 = rescued")
    assert sum(each for _, each in moment.modifiers("8-6")) == add


def test_six_survivors_need_no_choice(b29: Pack) -> None:
    dead = " ".join(f"crew.{man}=kia" for man in ALL[:5])
    moment = Moment(b29, SEA + "rafts.aft=hit book.8-3.sea-state=0 " + dead, "8-3")
    moment.fly("8-3: 4,4 = successful\n8-6 radio-operator: 3,3 = rescued")
    assert sum(add for _, add in moment.modifiers("8-6")) == 1


def test_the_sea_is_known_before_ditching_or_jumping(b29: Pack) -> None:
    moment = Moment(b29, SEA)
    moment.mission.pending = [{"choose": "forced-down", "bind": {}, "born": 1}]
    moment.mission.write({"sea": ""})
    moment.fly("forced-down: ditch\n8-2: 1,1 = heavy-swell")  # 8.6
    assert moment.options == ["ditch", "jump"]
    moment.fly("ditch-or-jump: jump\n8-4 pilot: 4,4 = safe\n8-6 pilot: 4,4 = captured")
    assert moment["fate.pilot"] == "duty"  # captivity threatens in Zones 10-14 only


# -- forward to Iwo Jima, and past it (4.7 B) ------------------------------------------------------------------------


def quiet(course: str = "on") -> str:
    """A zone by night in which nothing happens."""
    tables = "4-2: 3,4\n4-4: 3,4 = none\n4-5: 3,4 = none\n4-6: 3,4 = none\n4-7: 3,4 = none\n"
    return f"{tables}4-8: 4,4 = {course}\n4.6: 3,4\n"


FORWARD = NIGHT + "fuel.wing=10 zone=5 turn=5 altitude=lo weather=good aborted=yes bombs=jettisoned step=take-off"


def test_flying_past_iwo_jima_is_turning_round(b29: Pack) -> None:
    moment = Moment(b29, FORWARD)
    moment.fly("altitude: stay\n" + quiet() + "iwo-jima: fly-on\naltitude: stay\n4.6: 3,4")
    # 10, one box for Zone 6, and one for the turn that turns her round there
    assert (moment["zone"], moment["turn"], moment["zone.turns"], moment["fuel.wing"]) == (6, 7, 1, 12)
    moment.fly("iwo-jima: fly-on\naltitude: stay\n4-2: 3,4")
    assert (moment["zone"], moment["turn"], moment["fuel.wing"]) == (5, 8, 13)


def test_turning_round_takes_one_box_in_the_streamliner() -> None:
    """Its table of fuel gives the abort turn one box, with bombs or without."""
    for game, boxes in (("b29", 2), ("b29-streamliner", 1)):
        moment = Moment(Pack(game), FORWARD.replace("jettisoned", "aboard") + " leg=inbound turning=abort zone.turns=0")
        moment.fly("altitude: stay")
        assert (moment["turn"], moment["zone"], moment["fuel.wing"]) == (6, 5, 10 + boxes)


def test_landing_there_costs_no_such_turn(b29: Pack) -> None:
    moment = Moment(b29, FORWARD)
    moment.fly("altitude: stay\n" + quiet() + "iwo-jima: land\n8.4: 3\n8-1: 4,4 = safe")
    assert (moment["turn"], moment["fuel.wing"], moment["bomber.fate"], moment["step"]) == (6, 11, "returned", "end")


def test_past_iwo_jima_homeward_costs_nothing_more(b29: Pack) -> None:
    """A bomber on its way home from Japan turns round nowhere."""
    moment = Moment(b29, FORWARD.replace("zone=5", "zone=7") + " leg=inbound")
    moment.fly("altitude: stay\n" + quiet() + "iwo-jima: fly-on\naltitude: stay\n4-2: 3,4")
    assert (moment["zone"], moment["turn"], moment["fuel.wing"]) == (5, 7, 12)


# -- lost, and how (4.7 D, 9.3) --------------------------------------------------------------------------------------


def ended(pack: Pack, sheet: str, script: str) -> Moment:
    """A lost bomber's debriefing."""
    moment = Moment(pack, sheet + " step=gear")
    moment.mission.write({"step": "landing-base"})
    moment.fly(script)
    assert moment["step"] == "end"
    return moment


LOST = NIGHT + "turn=4 zone=4 altitude=lo below=sea bomber.fate=destroyed setting.losses=draw"


def test_lost_to_a_storm_on_the_way_out(b29: Pack) -> None:
    """9.3 B speaks of combat and 4.7 D of aborts: a draw by the campaign's setting, and whether it counts is asked."""
    assert ended(b29, LOST, "loss.to: other\ncredit: no")["mission.result"] == "draw"
    assert ended(b29, LOST, "loss.to: other\ncredit: yes")["credit"] == "yes"


def test_lost_to_the_enemy_on_the_way_out(b29: Pack) -> None:
    moment = ended(b29, LOST + " enemy.hits=yes", "loss.to: enemy")
    assert (moment["mission.result"], moment["credit"]) == ("defeat", "yes")


def test_lost_after_the_target_it_counts_either_way(b29: Pack) -> None:
    moment = ended(b29, LOST + " leg=inbound bombs=dropped bomb-run=on", "loss.to: other")
    assert (moment["mission.result"], moment["credit"]) == ("draw", "yes")


def test_lost_at_take_off(b29: Pack) -> None:
    sheet = LOST.replace("turn=4 zone=4", "turn=0 zone=0")
    moment = ended(b29, sheet, "credit: no")
    assert (moment["mission.result"], moment["credit"]) == ("draw", "no")


def test_a_storm_after_an_abort_leaves_the_abort_to_say(b29: Pack) -> None:
    moment = ended(b29, LOST + " leg=inbound aborted=yes bombs=jettisoned ground.fighters=yes", "loss.to: other")
    assert moment["credit"] == "yes"


def test_what_usually_cost_us_the_bomber(b29: Pack) -> None:
    moment = Moment(b29, LOST)
    assert moment["loss.likely"] == "other"
    hit = Moment(b29, LOST + " flak=heavy zone=12 altitude=lo", "6-5")
    hit.fly("6-5: 2,5")
    assert hit["loss.likely"] == "enemy"


# -- bombed out (9.2) ------------------------------------------------------------------------------------------------

HIT_CITIES = "mission.number=12 target.type=urban-area town.1.name=tokyo town.1.crossed=5 town.1.boxes=5 "
HIT_CITIES += "town.2.name=osaka town.2.crossed=2 town.2.boxes=4 "


def test_a_bombed_out_city_sends_us_to_the_next_list(b29: Pack) -> None:
    moment = Moment(b29, HIT_CITIES, "2-2C")
    moment.fly("2-2C: = tokyo\n2-3: = tokyo\n2-3: = yokohama")  # barred on 2-3 as well
    assert (moment["target.city"], moment["target.table"]) == ("yokohama", "2-3")


def test_a_city_hit_before_remembers_its_boxes(b29: Pack) -> None:
    moment = Moment(b29, HIT_CITIES, "2-2C")
    moment.fly("2-2C: = osaka")
    assert (moment["target.city"], moment["target.crossed"], moment["target.boxes"]) == ("osaka", 2, 4)
    moment.mission.pending = [{"roll": "9-1", "bind": {}, "born": 1}]
    moment.fly("9-1: = box")
    assert (moment["target.gone"], moment["target.bombed-out"]) == (3, "no")
    assert moment.left != "target.boxes"  # not asked again


def test_other_missions_against_it_go_on(b29: Pack) -> None:
    moment = Moment(b29, HIT_CITIES.replace("urban-area", "airfield"), "2-3")
    moment.fly("2-3: = tokyo")
    assert moment["target.city"] == "tokyo"
    barred = Moment(b29, HIT_CITIES)
    barred.mission.write({"target.city": "tokyo"})
    assert any("bombed out" in item.get("order", "") for item in barred.mission.pending)


def test_the_automatic_player_takes_a_place_and_goes_on(b29: Pack) -> None:
    import random

    moment = Moment(b29, THIN + "crew.bombardier=kia fate.bombardier=kia")
    for moves, _ in enumerate(walk(moment.mission, Chance(random.Random(5)))):
        assert moves < 3000
    assert moment["step"] == "end"


def test_opened_up_to_reach_utility_or_the_tail(b29: Pack) -> None:
    """4.2 B: nobody goes from a closed room into an open one."""
    jammed = Moment(b29, HANGING.replace("step=repair", "step=move") + "bombs=dropped gun.aft-lower=jammed")
    jammed.fly("")
    assert (jammed.left, jammed.options) == ("repair", ["nobody", "open"])
    jammed.fly("repair: open\nrepair: radar-operator\n5-7.a: 1\n4.2D: 3,4")
    assert jammed["duty.radar-operator"] == "repair"
    empty = Moment(b29, HANGING.replace("step=repair", "step=pressurize") + "bombs=dropped crew.tail-gunner=kia")
    empty.fly("move: open\nmove: tail-gunner\nwho-moves: right-gunner")
    assert (empty["pressurized"], empty["crew.tail-gunner"], empty["crew.right-gunner"]) == ("no", "ok", "kia")


def test_no_weather_goes_before_that_of_zone_1(b29: Pack) -> None:
    """4-2 adds for the weather of the zone before; the base has none, and on the way home Zone 2's counts in Zone 1."""
    mission = Mission(b29, number=1)
    mission.write({"zone": 0, "leg": "outbound"})
    mission.write({"zone": 1})
    assert mission.state.get("weather.previous", "none") == "none"
    mission.write({"weather": "poor"})
    mission.write({"zone": 2})
    assert mission.state["weather.previous"] == "poor"
    mission.write({"weather": "bad", "leg": "inbound"})
    mission.write({"zone": 1})
    assert mission.state["weather.previous"] == "bad"
