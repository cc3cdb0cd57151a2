"""Grounds to give up, Iwo Jima, and a bomber that is lost (4.7, 4.8, 9.3)."""

from __future__ import annotations

import pytest

from companion.packs import Pack
from tests.games.b29.table import DAY, NIGHT, OVER
from tests.support import Moment, set_up


@pytest.mark.section("b29 4.7 A", "b29 4.3 D")
@pytest.mark.parametrize(
    ("state", "asked"),
    [
        ("", False),
        ("crew.pilot=serious", True),
        ("crew.copilot=kia", True),
        ("crew.bombardier=serious", True),
        ("crew.navigator=kia", True),
        ("crew.engineer=kia", False),
        ("crew.navigator=light", False),
        ("electrical=out", True),
        ("doors.aft=jammed-shut", True),
        ("pressurization=lost", True),
        ("pressure.waist=compromised", True),
        ("pressure.waist=compromised mission.altitude=lo", False),  # HI and MED missions only
        ("radar=out", True),
        ("bombsight=out", True),
        ("intercom=out", True),
        ("hunting=yes crew.pilot=serious", False),  # asked already: 4.5 C2
    ],
)
def test_grounds_to_turn_for_home(b29: Pack, state: str, asked: bool) -> None:
    sheet = OVER.replace("zone=12 alt", "zone=10 alt").replace("pressurized=no", "pressurized=yes")
    moment = set_up(b29, sheet + f"zone.turns=1 step=jettison-tanks {state}")
    moment.mission.pending = []
    moment.fly("")
    assert (moment.asked == "abort") == asked


@pytest.mark.section("b29 4.7 A")
def test_a_ground_that_is_known_is_asked_about_once(b29: Pack) -> None:
    """4.7 A: whoever may give up may go on instead; the question comes back with a further ground, or when called."""
    sheet = OVER.replace("zone=12 alt", "zone=9 alt").replace("formation=in", "formation=out") + "radar=out "
    moment = set_up(b29, sheet)

    def asked(**news: str) -> bool:
        moment.mission.write({"step": "jettison-tanks", **news})
        moment.mission.pending = []
        moment.fly("")
        if moment.asked == "abort":
            moment.fly("abort: go-on")
            return True
        return False

    assert asked()
    assert not asked()
    assert asked(intercom="out")
    assert asked(**{"crew.pilot": "serious"})
    assert asked(**{"crew.bombardier": "kia"})
    assert not asked(**{"crew.tail-gunner": "kia"})
    assert asked(**{"abort-asked": "yes"})
    assert not asked()
    assert asked(**{"doors.fwd": "jammed-shut"})
    assert asked(**{"doors.aft": "jammed-shut"})
    assert asked(**{"engine.3": "out", "mission.number": "12"})
    # a ground that has gone and comes again is new
    moment.mission.write({"intercom": "ok"})
    moment.mission.write({"step": "take-off"})
    moment.mission.advance()
    assert asked(intercom="out")


@pytest.mark.section("b29 4.8 C", "b29 4.8 D")
def test_back_in_formation_and_out_again(b29: Pack) -> None:
    """4.8 C, D: out of formation before the run is a ground each time it happens."""
    sheet = OVER.replace("zone=12 alt", "zone=11 alt").replace("formation=in", "formation=out")
    moment = set_up(b29, sheet + "step=jettison-tanks")
    moment.mission.pending = []
    moment.fly("abort: go-on")
    moment.mission.pending = [{"choose": "rejoin", "bind": {}, "born": 1}]
    moment.fly("rejoin: yes")
    moment.mission.write({"radar": "out", "step": "jettison-tanks"})
    moment.mission.pending = []
    moment.fly("abort: go-on")
    moment.mission.write({"formation": "out", "step": "jettison-tanks"})
    moment.mission.pending = []
    moment.fly("abort: go-on")
    moment.mission.write({"step": "jettison-tanks"})
    moment.mission.pending = []
    moment.fly("")
    assert moment.asked != "abort"


def quiet(course: str = "on") -> str:
    """A zone by night in which nothing happens."""
    tables = "4-2: 3,4\n4-4: 3,4 = none\n4-5: 3,4 = none\n4-6: 3,4 = none\n4-7: 3,4 = none\n"
    return f"{tables}4-8: 4,4 = {course}\n4.6: 3,4\n"


FORWARD = NIGHT + "fuel.wing=10 zone=5 turn=5 altitude=lo weather=good aborted=yes bombs=jettisoned step=take-off"


@pytest.mark.section("b29 4.7 B")
def test_flying_past_iwo_jima_is_turning_round(b29: Pack) -> None:
    moment = set_up(b29, FORWARD)
    moment.fly("altitude: stay\n" + quiet() + "iwo-jima: fly-on\naltitude: stay\n4.6: 3,4")
    # 10, one box for Zone 6, and one for the turn that turns her round there
    assert (moment["zone"], moment["turn"], moment["zone.turns"], moment["fuel.wing"]) == (6, 7, 1, 12)
    moment.fly("iwo-jima: fly-on\naltitude: stay\n4-2: 3,4")
    assert (moment["zone"], moment["turn"], moment["fuel.wing"]) == (5, 8, 13)


def test_turning_round_takes_one_box_in_the_streamliner() -> None:
    """Its table of fuel gives the abort turn one box, with bombs or without."""
    for game, boxes in (("b29", 2), ("b29-streamliner", 1)):
        moment = set_up(Pack(game), FORWARD.replace("jettisoned", "aboard") + " leg=inbound turning=abort zone.turns=0")
        moment.fly("altitude: stay")
        assert (moment["turn"], moment["zone"], moment["fuel.wing"]) == (6, 5, 10 + boxes)


@pytest.mark.section("b29 4.7 B")
def test_landing_there_costs_no_such_turn(b29: Pack) -> None:
    moment = set_up(b29, FORWARD)
    moment.fly("altitude: stay\n" + quiet() + "iwo-jima: land\n8.4: 3\n8-1: 4,4 = safe")
    assert (moment["turn"], moment["fuel.wing"], moment["bomber.fate"], moment["step"]) == (6, 11, "returned", "end")


def test_past_iwo_jima_homeward_costs_nothing_more(b29: Pack) -> None:
    """A bomber on its way home from Japan turns round nowhere."""
    moment = set_up(b29, FORWARD.replace("zone=5", "zone=7") + " leg=inbound")
    moment.fly("altitude: stay\n" + quiet() + "iwo-jima: fly-on\naltitude: stay\n4-2: 3,4")
    assert (moment["zone"], moment["turn"], moment["fuel.wing"]) == (5, 7, 12)


def ended(pack: Pack, sheet: str, script: str) -> Moment:
    """A lost bomber's debriefing."""
    moment = set_up(pack, sheet + " step=gear")
    moment.mission.write({"step": "landing-base"})
    moment.fly(script)
    assert moment["step"] == "end"
    return moment


LOST = NIGHT + "turn=4 zone=4 altitude=lo below=sea bomber.fate=destroyed setting.losses=draw"


@pytest.mark.section("b29 9.3 B", "b29 4.7 D")
def test_lost_to_a_storm_on_the_way_out(b29: Pack) -> None:
    """9.3 B speaks of combat and 4.7 D of aborts: a draw by the campaign's setting, and whether it counts is asked."""
    assert ended(b29, LOST, "loss.to: other\ncredit: no")["mission.result"] == "draw"
    assert ended(b29, LOST, "loss.to: other\ncredit: yes")["credit"] == "yes"


@pytest.mark.section("b29 9.3 B")
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
    moment = set_up(b29, LOST)
    assert moment["loss.likely"] == "other"
    hit = set_up(b29, LOST + " flak=heavy zone=12 altitude=lo", "6-5")
    hit.fly("6-5: 2,5")
    assert hit["loss.likely"] == "enemy"


@pytest.mark.parametrize(("number", "offered"), [(5, False), (12, True)])
def test_a_japanese_iwo_jima_is_no_place_to_look_for(b29: Pack, number: int, offered: bool) -> None:
    """8.4, 4.5 C3: a landing there is planned on Missions 11 to 35 alone."""
    sheet = DAY.replace("mission.number=12", f"mission.number={number}").replace("target.zone=12", "target.zone=13")
    moment = set_up(b29, sheet + "zone=6 leg=inbound course=off altitude=lo formation=out zone.turns=1")
    assert ("fly-on" in moment.legal("lost-way")) == offered
    assert moment["may-look"] == ("yes" if offered else "no")
    home = set_up(b29, sheet + "zone=6 leg=inbound iwo-forward=yes altitude=lo formation=out step=iwo-jima turn=9")
    home.fly("")
    assert home["zone"] == (6 if offered else 5)  # another turn in the zone, or on as ever
