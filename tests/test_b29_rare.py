"""Where play of the B-29 seldom goes; each expectation is worked out from the section that the test names."""

from __future__ import annotations

import random
from typing import Any

import pytest

from companion.engine.needs import Hand
from companion.engine.play import Play
from companion.packs import Pack
from tests.conftest import Run
from tests.test_b29_moments import ALL, DAY, HANGING, NIGHT, THIN, Moment

OVER = DAY + (
    "turn=12 zone=12 altitude=hi pressurized=no formation=in weather=good fuel.wing=20 visibility=slightly "
    "log.gazetteer.12=0 log.below.12=land target.asterisk=no "
)
# combat is over, the bomb run comes next
RUN = OVER + "zone.turns=1 moved=yes step=after-combat "
HOME = DAY + "turn=25 zone=0 leg=inbound altitude=lo formation=out weather=good "
NO_ENGINE = "engine.1=out engine.2=out engine.3=out engine.4=out"


def again(moment: Moment, roll: str, **bind: str) -> Moment:
    moment.mission.pending = [{"roll": roll, "bind": bind, "born": 1}]
    return moment


def told(moment: Moment) -> dict[str, str]:
    """The words of each option of what is asked."""
    item = moment.mission.waiting()
    assert item is not None
    return {each.name: each.text for each in moment.mission.options(item)}


def counted(moment: Moment, table: str) -> list[str]:
    return [name for name, _ in moment.modifiers(table)]


# -- men lost before the flak, or before the target zone (6-6) -------------------------------------------------------


@pytest.mark.parametrize(("state", "lost"), [("crew.bombardier=kia", "no"), ("", "yes")])
def test_only_a_bombardier_lost_to_this_flak_throws_the_run(b29: Pack, state: str, lost: str) -> None:
    """6-6 and RULINGS B49: lost earlier he costs 1; off target at once is for his wound or death on the run."""
    moment = Moment(b29, OVER + state, "6-2")
    moment.fly("6-2: 5\n6-3: 4,4\n6-3: 4,4\n6-3: 4,4")
    moment.mission.write({"crew.bombardier": "kia"})
    assert moment["bombardier.lost-to-flak"] == lost
    if lost == "no":
        again(moment, "6-6").fly("6-6: 6")
        assert "bombardier" in counted(moment, "6-6")


def test_a_substitute_lost_to_the_flak_throws_it_too(b29: Pack) -> None:
    moment = Moment(b29, OVER + "crew.bombardier=kia")
    moment.mission.write({"crew.bombardier": "ok", "seat.bombardier": "navigator"})
    moment.mission.write({"flak.run": "yes"})
    moment.mission.write({"crew.bombardier": "serious"})
    assert moment["bombardier.lost-to-flak"] == "yes"


@pytest.mark.parametrize(("zone", "costs"), [(11, True), (12, False)])
def test_where_the_navigator_was_lost(b29: Pack, zone: int, costs: bool) -> None:
    """6-6: -1 out of formation, but not for one lost in the target zone itself."""
    moment = Moment(b29, OVER.replace("zone=12 alt", f"zone={zone} alt").replace("formation=in", "formation=out"))
    moment.mission.write({"crew.navigator": "kia"})
    moment.mission.write({"zone": 12})
    again(moment, "6-6").fly("6-6: 6")
    assert ("navigator" in counted(moment, "6-6")) == costs


def test_a_navigator_who_moved_for_the_oxygen_is_not_lost(b29: Pack) -> None:
    """6-6 asks whether he is dead or seriously wounded; in a dead man's place he is neither (7.4 A)."""
    moment = Moment(b29, THIN + "crew.radio-operator=kia")
    moment.fly("oxygen-place: radio-operator")
    assert (moment["navigator.lost"], moment["duty.radio-operator"]) == ("no", "none")
    moment.mission.write({"zone": 12})
    again(moment, "6-6").fly("6-6: 6")
    assert "navigator" not in counted(moment, "6-6")
    moment.mission.write({"crew.radio-operator": "serious"})
    assert (moment["navigator.lost"], moment["navigator.lost-in-target-zone"]) == ("yes", "yes")


# -- men who move (7.6) ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seat", "who", "duty"),
    [
        ("cfc", "left-gunner", "none"),  # within the Waist
        ("navigator", "radio-operator", "none"),
        ("cfc", "navigator", "moved"),  # through the tunnel
        ("bombardier", "navigator", "moved"),  # the Nose is a compartment of its own
    ],
)
def test_who_changes_seats_in_one_compartment_may_fire(b29: Pack, seat: str, who: str, duty: str) -> None:
    """7.6 B: no penalty within a compartment; whoever leaves one fires nothing in that turn."""
    moment = Moment(b29, HANGING.replace("step=repair", "step=pressurize") + f"bombs=dropped crew.{seat}=kia")
    moment.fly(f"move: {seat}\nwho-moves: {who}")
    assert moment[f"duty.{seat}"] == duty


def test_men_who_change_seats_twice_are_still_known(b29: Pack) -> None:
    moment = Moment(b29, HANGING.replace("step=repair", "step=pressurize") + "bombs=dropped crew.navigator=kia")
    moment.fly("move: navigator\nwho-moves: radio-operator")
    moment.mission.write({"crew.bombardier": "kia"})
    moment.mission.pending = [{"choose": "move", "bind": {}, "born": 1}]
    moment.fly("move: bombardier\nwho-moves: navigator")
    assert [moment[f"seat.{at}"] for at in ("bombardier", "navigator", "radio-operator")] == [
        "radio-operator",
        "bombardier",
        "navigator",
    ]


@pytest.mark.parametrize("state", ["gunsight=out", "duty.bombardier=repair", "frostbite.bombardier=yes"])
def test_the_die_names_a_man_who_cannot_fire(b29: Pack, state: str) -> None:
    """5.3 C with 7-1 row 3, 5-7 a and 7.3: with the intercom out such a turret stays silent."""
    fighter = "fighter.1.type=zeke fighter.1.clock=12 fighter.1.angle=high slots.fighter=1 "
    moment = Moment(b29, OVER + fighter + f"intercom=out {state}")
    moment.mission.pending = [{"choose": "aim", "bind": {"gun": "fwd-upper"}, "born": 1}]
    moment.fly("aim fwd-upper: 1-die\n5-6 fwd-upper: 2")  # 1-2 is the bombardier
    assert moment["aim.fwd-upper"] == ""


def test_a_move_says_whom_it_finds_and_what_it_costs(b29: Pack) -> None:
    """7.6 B: no penalty within a compartment; whoever leaves one fires nothing in that turn."""
    hurt = "bombs=dropped crew.navigator=serious crew.engineer=light frostbite.tail-gunner=yes "
    moment = Moment(b29, HANGING.replace("step=repair", "step=pressurize") + hurt)
    moment.fly("")
    assert told(moment)["navigator"] == "the seat of the Navigator: seriously wounded"
    assert told(moment)["tail-gunner"] == "the seat of the Tail gunner: frostbitten"
    moment.fly("move: navigator")
    assert moment.options[0] == "nobody"
    assert told(moment)["nobody"] == "nobody after all: leave it so, and do not ask again"
    assert told(moment)["engineer"] == "the Flight engineer, lightly wounded"
    assert told(moment)["bombardier"] == "the Bombardier, unhurt, who then fires nothing this turn"


GUN_MEN = ("cfc", "bombardier", "left-gunner", "right-gunner", "tail-gunner")
CLOCKS = ("12", "1:30", "3", "6", "9", "10:30", "dive", "climb")


def chance_of_battle(rng: random.Random) -> dict[str, Any]:
    """A gun to be allocated, some fighters, men who are hurt or busy, and guns that fire already."""
    day = rng.random() < 0.7
    state: dict[str, Any] = {
        "mission.number": rng.choice([5, 12]), "mission.time": "day" if day else "night", "slots.fighter": 3,
        "intercom": rng.choice(["ok", "ok", "out"]), "gunsight": rng.choice(["ok", "out"]),
        "setting.passing-shots": rng.choice(["after", "no"]),
        "gun": rng.choice(["fwd-upper", "aft-lower", "tail", "cannon"]),
    }  # fmt: skip
    for fighter in range(1, rng.randint(2, 4)):
        clock = rng.choice(CLOCKS)
        state |= {f"fighter.{fighter}.type": "tony", f"fighter.{fighter}.clock": clock}
        if clock not in ("dive", "climb"):
            state[f"fighter.{fighter}.angle"] = rng.choice(["high", "level", "low"])
        if not day and rng.random() < 0.3:
            state[f"fighter.{fighter}.spotted"] = "no"
    for man in GUN_MEN:
        state[f"crew.{man}"] = rng.choice(["ok", "ok", "light", "serious"])
        state |= {f"duty.{man}": "moved"} if rng.random() < 0.2 else {}
        state |= {f"frostbite.{man}": "yes"} if rng.random() < 0.1 else {}
    for gun, man in (("fwd-lower", "bombardier"), ("aft-upper", rng.choice(["cfc", "left-gunner", "right-gunner"]))):
        if rng.random() < 0.4:
            state |= {f"aim.{gun}": str(rng.randint(1, 3)), f"aim.{gun}.by": man}
    return state


def test_a_gun_with_no_choice_says_why_it_holds_its_fire(b29: Pack) -> None:
    """5.3 A, 5-6: whoever can fire is asked; where nobody can, or at nothing, the one option left says so."""
    rng, reasons = random.Random(7), set()
    for _ in range(600):
        state = chance_of_battle(rng)
        gun = state.pop("gun")
        options = Play(b29, state).options_of({"choose": "aim", "bind": {"gun": gun}})
        hold = {each.name: each.text for each in options}["hold"]
        assert (len(options) == 1) == (hold != "hold fire"), (gun, state, hold)
        reasons.add(hold)
    assert reasons == {
        "hold fire",
        "hold fire: nothing in its field",
        "hold fire: each man for it is hit, on other duty or fires at another fighter (5-6)",
    }


@pytest.mark.parametrize(
    ("setting", "dice", "text"),
    [
        ("after", [4, 4], "A miss, the fighter has passed"),
        ("after", [1, 1], "The guns jam, the fighter has passed"),
        ("with-others", [4, 4], "The fighter attacks normally"),
    ],
)
def test_a_passing_shot_that_misses_lets_nobody_come_on(b29: Pack, setting: str, dice: list[int], text: str) -> None:
    """5.3 D, RULINGS B41: resolved after the Japanese fire, the fighter has gone by."""
    fighter = "fighter.1.type=zeke fighter.1.clock=12 fighter.1.angle=high slots.fighter=1 "
    moment = Moment(b29, OVER + fighter + f"setting.passing-shots={setting}")
    bind = {"gun": "tail", "fighter": "1", "passing-shot": "yes"}
    moment.mission.pending = [{"roll": "5-7", "bind": bind, "born": 1}]
    assert [each.text for each in moment.mission.roll(None, Hand([dice]))] == [text]


# -- opened and closed (4.2, 5.1 B, RULINGS B55) ---------------------------------------------------------------------


def test_a_holed_room_sends_its_own_men_on_oxygen(b29: Pack) -> None:
    """4.2 C, D: the room is open though the bomber is closed; a seat in a closed room is passed over."""
    moment = Moment(b29, OVER.replace("pressurized=no", "pressurized=yes") + "windshield.hits=1", "7-1")
    moment.fly("7-1: 4,4\n7-11: 3,3 = none\n4.2D: 6,6\n4.2D.who: 5")  # the tail gunner sits closed in
    assert (moment["pressure.nose"], moment["crew.tail-gunner"]) == ("compromised", "ok")
    assert moment.left != "4.2D.fate"
    again(moment, "4.2D").fly("4.2D: 6,6\n4.2D.who: 1\n4.2D.nose: 4\n4.2D.fate pilot: 6")
    assert moment["crew.pilot"] == "kia"


def test_and_again_each_turn_up_there(b29: Pack) -> None:
    sheet = DAY + "turn=9 zone=8 altitude=hi pressurized=yes formation=out weather=good fuel.wing=18 step=take-off "
    holed = Moment(b29, sheet)
    holed.mission.write({"pressure.tail": "compromised"})
    holed.fly("4.2D: 3,4\naltitude: stay\n4.2D: 3,4\n4-2: 3,4")
    assert holed["zone"] == 9
    empty = Moment(b29, sheet + "crew.tail-gunner=kia seat.left.tail-gunner=yes")
    empty.mission.write({"pressure.tail": "compromised"})
    empty.fly("altitude: stay\n4-2: 3,4")  # nobody breathes there


def test_closed_this_turn_it_is_not_opened_again(b29: Pack) -> None:
    """5.1 B: whoever has just closed up may not open up by choice in the same turn."""
    sheet = HANGING + "bombs=dropped gun.aft-lower=jammed doors.fwd=jammed-open closed.turn=13"
    moment = Moment(b29, sheet + " crew.tail-gunner=kia load.aft=aboard")
    for choice in ("motor", "bay-man", "move"):
        assert "open" not in moment.legal(choice)
    moment.mission.write({"closed.turn": 12})
    for choice in ("motor", "bay-man", "move"):
        assert "open" in moment.legal(choice)


DEAD = "crew.navigator=kia crew.engineer=kia crew.radio-operator=serious "
WAIST = ["radar-operator", "cfc", "left-gunner", "right-gunner"]


@pytest.mark.parametrize(
    ("state", "who"),
    [
        ("", ["bombardier", *WAIST, "copilot", "nobody"]),
        ("tunnel=compromised", ["bombardier", "copilot", "nobody"]),
        ("tunnel=compromised pressurized=no", ["bombardier", *WAIST, "copilot", "nobody"]),
    ],
)
def test_next_to_nav_radio_lie_the_nose_and_the_waist(b29: Pack, state: str, who: list[str]) -> None:
    """7.5 and 4.2 B: a man of an adjacent compartment, if nobody in it can; the tunnel leads to the Waist."""
    moment = Moment(b29, OVER.replace("pressurized=no", "pressurized=yes") + DEAD + state)
    moment.mission.pending = [{"choose": "fire-man", "bind": {"compartment": "nav-radio"}, "born": 1}]
    assert sorted(moment.options) == sorted(who)


# -- bomb bays (7-3, 7-4) --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tank", "die"), [("none", ""), ("installed fuel.fwd=0", "7-3.bombs-or-tank: 2\n")], ids=["bare", "tank"]
)
def test_bombs_that_did_not_go_off_are_not_asked_again(b29: Pack, tank: str, die: str) -> None:
    """7.1: a result that comes again has no further effect."""
    moment = Moment(b29, OVER + f"aux.fwd={tank}", "7-3")
    moment.fly(f"7-3: 2,3\n{die}7-3.c: 4")
    again(moment, "7-3").fly(f"7-3: 3,3\n{die}")
    assert moment.left != "7-3.c"


def test_doors_that_do_not_work_are_not_mended_by_a_hit(b29: Pack) -> None:
    """6-7 d: the malfunction of 4-9 halves the percentage whatever hits the doors later."""
    moment = Moment(b29, OVER + "doors.fwd=jammed-shut", "7-3")
    moment.fly("7-3: 4,4")
    assert moment["doors.fwd"] == "jammed-shut"


@pytest.mark.parametrize(
    ("script", "load", "percent"),
    [
        ("7-3.doors: 1\n7-3.e: 5\n", "aboard", 15),  # shut for good: nothing can fall out by hand
        ("7-3.doors: 1\n7-3.e: 1\n7-3.f: 2\n", "gone", 15),  # the pilot opens them
        ("7-3.doors: 3\n7-3.f: 3\n", "aboard", 15),
        ("7-3.doors: 6\n7-3.f: 1\n", "gone", 15),
    ],
)
def test_doors_and_release_of_one_bay(b29: Pack, script: str, load: str, percent: int) -> None:
    """7-3 e, f: the door die comes after 6-6, and then, if they open, the try by hand; 6-7 d halves 30."""
    moment = Moment(b29, OVER + "release.fwd=out doors.fwd=hit", "6-6")
    moment.fly(f"6-6: 6\n{script}6-7: 3,3")
    assert (moment["load.fwd"], moment["load.aft"]) == (load, "gone")
    assert moment["bomb-run.percent"] == percent


@pytest.mark.parametrize("doors", ["ok", "hit"])
def test_a_bay_that_is_empty_already_is_not_tried(b29: Pack, doors: str) -> None:
    """7-3 f: what fell by hand before the run needs no further try, and nothing of it can hang."""
    state = f"release.fwd=out release.aft=out load.fwd=gone doors.fwd={doors}"
    moment = Moment(b29, OVER + state, "6-6")
    moment.fly(f"6-6: 6\n{'7-3.doors: 6' if doors == 'hit' else ''}\n7-3.f: 1\n")
    assert (moment["load.aft"], moment["formation"], moment.left) == ("gone", "in", "6-7")


def test_bombs_behind_doors_that_the_motor_opened_can_go(b29: Pack) -> None:
    """7-3 e: two boxes a zone as long as they hang, so they go as soon as they can."""
    hanging = "bombs=aboard load.aft=gone doors.fwd=jammed-shut pressurized=no cold.since=13"
    moment = Moment(b29, HANGING + hanging)
    moment.fly("motor: yes\nmotor-man: engineer\n7-3.motor: 3\n4.6: 3,4\n5-1: 1,1\njettison: yes")
    assert (moment["bombs"], moment["load.fwd"]) == ("jettisoned", "gone")


def test_a_tank_that_hangs_is_tried_by_hand(b29: Pack) -> None:
    """7.2 and 7-3 f: two engines out, the tanks must go; for the tank a try of its own, 1-2 frees it."""
    sheet = (
        OVER.replace("zone=12 alt", "zone=10 alt").replace("altitude=hi", "altitude=lo") + "leg=inbound bombs=dropped "
    )
    sheet += "aux.fwd=installed aux.aft=installed release.fwd=out engine.1=out engine.4=out step=abort"
    moment = Moment(b29, sheet.replace("step=abort", "step=lost-way") + " formation=out")
    moment.fly("7-3.f.tank: 3")
    assert (moment["aux.fwd"], moment["aux.aft"]) == ("installed", "jettisoned")
    again(moment, "7-3.f.tank", bay="fwd").fly("7-3.f.tank: 2")
    assert moment["aux.fwd"] == "jettisoned"


def test_an_empty_tank_that_hangs_is_no_trouble(b29: Pack) -> None:
    """2.3 G, note: once empty the tanks have no effect; so no die each turn, and no order."""
    sheet = OVER.replace("zone=12 alt", "zone=10 alt").replace("altitude=hi", "altitude=lo") + "leg=inbound "
    sheet += "bombs=dropped aux.fwd=installed fuel.fwd=4 release.fwd=out step=lost-way formation=out "
    moment = Moment(b29, sheet)
    moment.mission.write({"engine.1": "out", "engine.4": "out"})
    assert not [item for item in moment.mission.pending if "tanks" in str(item.get("order"))]
    moment.fly("")
    assert (moment["turn"], moment["aux.fwd"], moment.left) == (13, "installed", "4-2")


@pytest.mark.parametrize(("state", "bombs", "load"), [("", "dropped", "gone"), ("release.fwd=out", "aboard", "aboard")])
def test_giving_up_over_the_target(b29: Pack, state: str, bombs: str, load: str) -> None:
    """4.5 C2: bombs go elsewhere, 0 percent; what a bay holds back stays aboard, two boxes a zone (7-3 f)."""
    moment = Moment(b29, OVER + f"course=off {state}")
    moment.mission.pending = [{"choose": "lost-way", "bind": {}, "born": 1}]
    moment.fly("lost-way: abort")
    assert (moment["bombs"], moment["load.fwd"], moment["load.aft"]) == (bombs, load, "gone")
    assert (moment["bomb-run"], moment["bomb-run.percent"], moment["aborted"]) == ("off", 0, "yes")


def test_an_empty_tank_leaks_no_more(b29: Pack) -> None:
    """7-3 d"""
    moment = Moment(b29, OVER + "aux.fwd=installed fuel.fwd=3 bay-leak.fwd=yes")
    for turn, boxes in ((13, 4), (14, 4)):
        moment.mission.write({"turn": turn})
        assert moment["fuel.fwd"] == boxes
    assert "fuel.fwd" not in moment.mission.journal.entries[-1]["c"]


# -- wings and gear (7-5, 6-9, 7-1 c, 7.2) ---------------------------------------------------------------------------


def test_a_gear_that_is_out_is_not_asked_about_again(b29: Pack) -> None:
    """7.1"""
    moment = Moment(b29, OVER, "7-5", area="port-wing")
    moment.fly("7-5: 6,6\n7-5.landing-gear: 3\n7-5.n: = not-lowered")
    again(moment, "7-5", area="port-wing").fly("7-5: 6,6\n7-5.landing-gear: 4")
    assert moment.left != "7-5.n"
    again(moment, "7-5", area="starboard-wing").fly("7-5: 6,6\n7-5.landing-gear: 4\n7-5.n: = not-lowered")


@pytest.mark.parametrize(("dice", "roots", "more"), [("4,4", 1, ""), ("5,4", 1, "6-9.crew"), ("6,6", 2, "6-9.crew")])
def test_turbulence_on_the_wing_roots_asks_what_they_do(b29: Pack, dice: str, roots: int, more: str) -> None:
    """6-9 rows 8, 9 and 12 count on note a of 7-5, which the book of the player has."""
    moment = Moment(b29, OVER, "6-9")
    righted = "6-9.flipped: 5\n" if dice == "6,6" else ""
    moment.fly(f"6-9: {dice}\n{righted}7-5.a port-wing: = as-printed\n7-5.a starboard-wing: = as-printed")
    assert (moment["wing-root.port"], moment["wing-root.starboard"]) == (roots, roots)
    if more:
        assert moment.left == more


@pytest.mark.parametrize(("engines", "tried"), [("", True), (NO_ENGINE, False)])
def test_without_engines_the_gear_stays_as_it_is(b29: Pack, engines: str, tried: bool) -> None:
    """7.2: with no engine it may not be lowered; otherwise two tries before any landing (7-1 c), in Japan too."""
    moment = Moment(b29, OVER + f"gear.nose=will-not-extend below=land {engines}")
    moment.mission.pending = [{"choose": "forced-down", "bind": {}, "born": 1}]
    moment.fly("forced-down: land")
    assert (moment.left == "7-1.c") == tried
    base = Moment(b29, HOME + f"gear.nose=will-not-extend step=enter-back {engines}")
    base.mission.pending = []
    base.fly("")
    assert (base.left == "7-1.c") == tried


# -- nothing left to fly on (7.2) ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("engines", "altitude", "run"),
    [
        (NO_ENGINE, "hi", False),
        ("engine.1=out engine.2=out engine.3=out", "lo", False),  # one engine, at LO: down now
        ("engine.1=out", "hi", True),
    ],
)
def test_no_bomb_run_without_engines(b29: Pack, engines: str, altitude: str, run: bool) -> None:
    """7.2: with the last engine the choice is to land or to jump, at once."""
    sheet = (
        RUN.replace("altitude=hi pressurized", f"altitude={altitude} pressurized")
        + f"formation=out below=land {engines}"
    )
    moment = Moment(b29, sheet)
    moment.fly("")
    assert moment.left == ("6-1" if run else "forced-down")  # the bombs go by themselves, nobody may keep them


@pytest.mark.parametrize(
    ("state", "die", "formation"),
    [("", 0, "in"), ("release.aft=out", 1, "in"), ("release.aft=out", 5, "out"), ("doors.aft=jammed-shut", 0, "out")],
)
def test_one_engine_out_stays_in_formation_only_without_bombs(b29: Pack, state: str, die: int, formation: str) -> None:
    """7.2: whoever cannot get rid of them at once falls behind."""
    moment = Moment(b29, OVER.replace("zone=12 alt", "zone=10 alt") + f"engine.1=out zone.turns=1 {state}")
    moment.mission.pending = [{"choose": "jettison", "bind": {}, "born": 1}]
    moment.mission.roll(None, Hand(), outcome="yes")
    if die:
        moment.mission.roll(None, Hand([[die]]))
    assert moment["formation"] == formation


def test_engines_lost_to_flak_end_the_run(b29: Pack) -> None:
    moment = Moment(b29, RUN.replace("step=after-combat", "step=flak") + "formation=out below=land")
    for engine in (1, 2, 3, 4):
        moment.mission.write({f"engine.{engine}": "out"})
    moment.mission.pending = []
    moment.fly("")
    assert moment.left == "forced-down"


def test_dry_tanks_do_not_climb(b29: Pack) -> None:
    """4.3 A: two boxes for each level; there are none."""
    sheet = DAY + "turn=20 zone=5 leg=inbound formation=out altitude=med pressurized=no fuel.fwd=4 fuel.aft=4 "
    assert "hi" in Moment(b29, sheet + "fuel.wing=37").legal("altitude")
    assert "hi" not in Moment(b29, sheet + "fuel.wing=38").legal("altitude")


# -- grounds to give up (4.7 A, D) -----------------------------------------------------------------------------------


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
    moment = Moment(b29, sheet + f"zone.turns=1 step=jettison-tanks {state}")
    moment.mission.pending = []
    moment.fly("")
    assert (moment.left == "abort") == asked


def test_a_ground_that_is_known_is_asked_about_once(b29: Pack) -> None:
    """4.7 A: whoever may give up may go on instead; the question comes back with a further ground, or when called."""
    sheet = OVER.replace("zone=12 alt", "zone=9 alt").replace("formation=in", "formation=out") + "radar=out "
    moment = Moment(b29, sheet)

    def asked(**news: str) -> bool:
        moment.mission.write({"step": "jettison-tanks", **news})
        moment.mission.pending = []
        moment.fly("")
        if moment.left == "abort":
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


def test_back_in_formation_and_out_again(b29: Pack) -> None:
    """4.8 C, D: out of formation before the run is a ground each time it happens."""
    sheet = OVER.replace("zone=12 alt", "zone=11 alt").replace("formation=in", "formation=out")
    moment = Moment(b29, sheet + "step=jettison-tanks")
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
    assert moment.left != "abort"


# -- over the target and home ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "combat"),
    [
        ("", False),
        ("frostbite.tail-gunner=yes", False),
        ("frostbite.tail-gunner=yes frostbite.cfc=yes", True),  # nobody watches: treated as serious (RULINGS B53)
        ("engine.2=out", True),
        ("intercom=out", True),
        ("formation=in", True),
    ],
)
def test_who_outruns_a_slow_fighter(b29: Pack, state: str, combat: bool) -> None:
    """5-3 g, for a rammer too: row 9 sends every fighter there."""
    for ram in ("no", "yes"):
        moment = Moment(b29, OVER + f"bombs=dropped formation=out attack.type=zeke {state}", "5-3", ram=ram)
        moment.fly("5-3: 4,5")
        assert (moment["fighters"] == 1) == combat


def test_a_frostbitten_radar_man_sees_no_storm(b29: Pack) -> None:
    """4-3, B53"""
    moment = Moment(b29, NIGHT + "zone=4 altitude=lo frostbite.radar-operator=yes", "4-3")
    moment.fly("4-3: 2")
    assert moment.modifiers("4-3") == [("radar", 1)]


def test_the_briefed_altitude_is_told_before_the_run(b29: Pack) -> None:
    """Note to 4.1: the target is bombed from there."""
    moment = Moment(b29, RUN.replace("altitude=hi pressurized", "altitude=med pressurized"))
    told = [text for result in moment.mission.advance() for text, _ in result.notes]
    assert any("briefed altitude, hi" in text for text in told)
    right = Moment(b29, RUN)
    assert not [text for result in right.mission.advance() for text, _ in result.notes if "briefed" in text]


def test_truk_has_its_own_assembly_zone(b29: Pack) -> None:
    """2.3 note, 4.5 C1: flown as against Iwo Jima, the formation gathers in Zone 3."""
    moment = Moment(b29, "mission.number=20 target.city=truk zone=3 turn=3 altitude=hi formation=out", "4-8")
    moment.fly("4-8: 5,5 = off")
    assert moment.left == "4.5C1"


@pytest.mark.parametrize(
    ("state", "options"),
    [
        ("bombs=dropped", ["land", "pilot-lands", "bail-out"]),
        ("bombs=aboard", ["land", "pilot-lands"]),
        ("bombs=aboard controls.pilots=out", ["bail-out"]),
        ("bombs=aboard crew.pilot=kia crew.copilot=serious", ["land", "pilot-lands"]),  # the engineer flies (7.6 F)
        ("bombs=aboard crew.pilot=kia crew.copilot=serious crew.engineer=kia", ["land"]),
    ],
)
def test_with_bombs_aboard_the_pilot_lands_her(b29: Pack, state: str, options: list[str]) -> None:
    """7-3 f, 8-1 c: the rest may jump; 8.1: without controls everybody must. On Iwo Jima it is no other (B61)."""
    assert Moment(b29, HOME + state).legal("landing") == options
    assert sorted(Moment(b29, HOME.replace("zone=0", "zone=6") + state).legal("iwo-jima")) == sorted(
        [*options, "fly-on"]
    )


@pytest.mark.parametrize(
    ("lost", "stays"),
    [("", "pilot"), ("crew.pilot=serious", "copilot"), ("crew.pilot=kia frostbite.copilot=yes", "engineer")],
)
def test_whoever_flies_her_stays_aboard(b29: Pack, lost: str, stays: str) -> None:
    """8-1 c, 7.6 F"""
    moment = Moment(b29, HOME + f"bombs=aboard {lost}")
    moment.mission.pending = [{"choose": "landing", "bind": {}, "born": 1}]
    moment.fly("landing: pilot-lands")
    jump = [item["bind"]["position"] for item in moment.mission.pending if item.get("roll") == "8-4"]
    assert set(jump) == {man for man in ALL if man != stays and f"crew.{man}=kia" not in lost}
    assert moment.mission.pending[-1]["roll"] == "8-1"


# -- auxiliary boxes without asking (4.3 B) --------------------------------------------------------------------------

AUX = DAY + "turn=3 zone=3 altitude=hi pressurized=yes formation=out weather=good aux.fwd=installed aux.aft=installed "


def test_one_auxiliary_box_in_every_zone_without_asking(b29: Pack) -> None:
    moment = Moment(b29, AUX + "fuel.wing=8 fuel.fwd=3 step=take-off")
    moment.fly("altitude: stay\nfuel-box: always")
    moment.fly("4-2: 4,4")  # Zone 4: two due, one from the last box of the forward bay
    assert (moment["setting.auxiliary"], moment["fuel.fwd"], moment["fuel.aft"], moment["fuel.wing"]) == (
        "first",
        4,
        0,
        9,
    )
    moment.fly("4-4: 3,4 = none\n4-5: 3,4 = none\n4-6: 3,4 = none\n4-7: 3,4 = none\n4-8: 4,4 = on\n4.6: 3,4")
    moment.fly("abort: go-on\naltitude: stay\n4-2: 4,4" if moment.left == "abort" else "altitude: stay\n4-2: 4,4")
    assert (moment["zone"], moment["fuel.fwd"], moment["fuel.aft"], moment["fuel.wing"]) == (5, 4, 1, 10)


def test_a_bad_pump_still_wants_its_die(b29: Pack) -> None:
    """7-4 g: 5-6, no auxiliary box this turn."""
    moment = Moment(b29, AUX + "fuel.wing=8 pumps.failed=1 setting.auxiliary=first step=take-off")
    moment.fly("altitude: stay\n7-4.g: 5\n4-2: 4,4")
    assert (moment["fuel.fwd"], moment["fuel.wing"]) == (0, 10)


@pytest.mark.parametrize(
    ("gun", "men"),
    [
        ("fwd-lower", ["engineer", "navigator", "radio-operator"]),
        ("aft-upper", WAIST),
        ("aft-lower", [*WAIST, "tail-gunner"]),  # Utility lies between the Waist and the Tail (7.5)
        ("tail", ["tail-gunner"]),
    ],
)
def test_who_clears_which_gun(b29: Pack, gun: str, men: list[str]) -> None:
    """5-7 a"""
    moment = Moment(b29, OVER + f"gun.{gun}=jammed")
    moment.mission.pending = [{"choose": "repair", "bind": {"gun": gun}, "born": 1}]
    assert sorted(moment.options) == sorted([*men, "nobody"])


@pytest.mark.parametrize(
    ("state", "asked"),
    [
        ("doors.aft=jammed-open load.aft=gone", True),
        ("doors.aft=jammed-shut load.aft=aboard bombs=aboard", True),
        ("doors.aft=jammed-shut load.aft=gone", False),  # nothing is left to fall
        ("doors.aft=jammed-shut", False),  # bombs written off by hand, all at once
        ("doors.aft=jammed-shut load.aft=gone aux.aft=installed fuel.aft=2", True),
        ("doors.aft=jammed-shut load.aft=gone aux.aft=installed fuel.aft=4", False),
    ],
)
def test_when_the_motor_is_worth_a_man(b29: Pack, state: str, asked: bool) -> None:
    """7-3 e: to close what stands open, or to open what holds something back."""
    moment = Moment(b29, HANGING + f"bombs=dropped load.fwd=gone {state}")
    moment.fly("")
    assert (moment.left == "motor") == asked


def test_a_burning_bomber_fights_outside_the_formation(b29: Pack) -> None:
    """8.5 and RULINGS B62: the combat of its last zone comes first, and there it counts as out."""
    moment = Moment(b29, OVER.replace("zone=12 alt", "zone=11 alt") + "leg=inbound fire-zone=yes")
    moment.mission.write({"zone": 10})
    assert (moment["fire-zone"], moment["formation"]) == ("now", "out")
    sheet = OVER.replace("zone=12 alt", "zone=11 alt").replace("pressurized=no", "pressurized=yes")
    doomed = Moment(b29, sheet + "leg=inbound fire-zone=yes step=take-off zone.turns=1")
    doomed.fly("altitude: stay\nlog.gazetteer.10: 0\nlog.below.10: sea\n4-2: 3,4")  # and nobody asks about rejoining
    assert (doomed["zone"], doomed["formation"]) == (10, "out")


def test_a_sheet_from_before_still_reads(b29: Pack) -> None:
    """A mission in which a seat was left empty goes on: the name of that field stays."""
    assert b29.sheet.given(["seat.left.cfc=yes"]) == {"seat.left.cfc": "yes"}


def test_whoever_changed_seats_is_settled_where_he_sat(companion: Run) -> None:
    """9.1: the wounded are settled before the next mission; the CFC lay in the radar operator's place (7.6)."""
    companion("new", "Owls", "--game", "b29", "--yes")
    companion("mission", "start", "--yes")
    companion("set", "crew.radar-operator=serious", "name.radar-operator=Roy Castellano", "name.cfc=Abe Feldman")
    companion("set", "bomber.fate=returned", "target.city=kobe")
    refused = companion("mission", "start", "--yes")
    assert refused.code == 2
    assert "companion roll 7-13.fate --with position=radar-operator" in refused.err
    companion("roll", "7-13.fate", "--with", "position=radar-operator", "--outcome", "duty")
    assert companion("mission", "start", "--yes").code == 0
