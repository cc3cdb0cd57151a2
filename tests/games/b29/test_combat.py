"""Guns and fighters: who fires at what, who attacks and from where, and the effect of a hit (5.0)."""

import pytest

from companion.engine.dice import Hand
from companion.engine.facts import FactQuestion
from companion.engine.questions import Pending
from companion.packs import Pack
from companion.play.plan import decisions, planned
from companion.problems import UserError
from tests.games.b29.table import DAY, NIGHT, OVER, WAIST, flying, pending, roll
from tests.support import Run, after_step, check, moments, set_up

AIM = OVER + "fighter.1.type=tony fighter.1.clock={} fighter.1.angle=high slots.fighter=1 choose=aim gun={}"


@pytest.mark.section("b29 5.3 A", "b29 5.3 B", "b29 5-6")
@pytest.mark.parametrize(
    ("clock", "gun", "more", "said"),
    [
        ("12", "fwd-upper", "", "hold fire"), ("12", "fwd-upper", "gun.fwd-upper=jammed", "jammed"),
        ("6", "fwd-lower", "", "no target"),
        ("12", "fwd-upper", "crew.bombardier=serious crew.cfc=kia", "no man free to fire it (5-6)"),
        ("12", "fwd-upper", "frostbite.bombardier=yes duty.cfc=moved", "no man free to fire it (5-6)"),
    ],
)  # fmt: skip
def test_a_gun_with_no_choice_says_why_it_holds_its_fire(b29: Pack, clock: str, gun: str, more: str, said: str) -> None:
    moment = set_up(b29, AIM.format(clock, gun).replace("slots", f"{more} slots"))
    options = moment.mission.options(moment.mission.pending[0])
    assert (options[-1].text, len(options) == 1) == (said, said != "hold fire")


@pytest.mark.section("b29 5.3 A")
def test_a_player_is_not_asked_where_a_fighter_attacks_from_that_is_not_there(b29: Pack) -> None:
    moment = set_up(
        b29,
        OVER
        + "fighter.1.type=george fighter.1.clock=6 fighter.1.angle=low slots.fighter=1"
        + " choose=aim gun=aft-upper",
    )
    assert not isinstance(next(moment.mission.talk(None, Hand(), asking=True), None), FactQuestion)


@pytest.mark.section("b29 5.3 D")
@pytest.mark.parametrize(
    ("setting", "dice", "text"),
    [
        ("after", [4, 4], "A miss, the fighter has passed"),
        ("after", [1, 1], "The guns jam, the fighter has passed"),
        ("with-others", [4, 4], "The fighter attacks normally"),
    ],
)
def test_a_passing_shot_that_misses_lets_nobody_come_on(b29: Pack, setting: str, dice: list[int], text: str) -> None:
    fighter = "fighter.1.type=zeke fighter.1.clock=12 fighter.1.angle=high slots.fighter=1 "
    moment = set_up(b29, OVER + fighter + f"setting.passing-shots={setting}")
    bind = {"gun": "tail", "fighter": "1", "passing-shot": "yes"}
    moment.mission.pending = [Pending.of({"roll": "5-7", "bind": bind, "born": 1})]
    assert [each.text for each in moment.mission.roll(None, Hand([dice]))] == [text]


@pytest.mark.section("b29 5.3 B", "b29 5.3 D")
def test_a_passing_shot_at_one_is_no_cannon_shot_at_another(b29: Pack) -> None:
    fighters = "slots.fighter=2 fighter.1.type=zeke fighter.1.clock=12 fighter.1.angle=high " + (
        "fighter.2.type=zeke fighter.2.clock=6 fighter.2.angle=level setting.passing-shots=after "
    )
    for gun, aims, left in (
        ("cannon", "", ["2-tail-gunner", "hold"]),
        ("cannon", "aim.tail=1 aim.tail.by=passing", ["hold"]),
        ("tail", "", ["1-passing", "2-cfc", "2-tail-gunner", "hold"]),
        ("tail", "aim.cannon=2 aim.cannon.by=tail-gunner", ["2-cfc", "2-tail-gunner", "hold"]),
    ):
        moment = set_up(b29, OVER.replace("=12 ", "=5 ", 1) + fighters + aims + f" choose=aim gun={gun}")
        assert sorted(moment.options) == left


LIT = "mission.number=14 mission.time=night turn=12 zone=12 altitude=lo squadron=low searchlight=yes "
DIE = "slots.fighter=1 fighter.1.type=zeke fighter.1.angle=high intercom=out {} choose=aim gun=aft-upper"
JAMMED = DAY + "turn=15 altitude=lo formation=out weather=good fuel.wing=9 gun.tail=jammed step=move "
BROKEN = LIT + "gun.aft-lower=broken fighter.1.type=nick fighter.1.clock=6 fighter.1.angle=low slots.fighter=1 "
LOOKOUT = LIT + "crew.cfc=absent crew.right-gunner=absent fighter.1.type=nick fighter.1.clock=6 "
WARNED = OVER.replace("formation=in", "formation=out bombs=dropped crew.tail-gunner=kia attack.type=zeke") + "duty.cfc="
CANNON = OVER.replace("=12 ", "=5 ", 1) + (
    "fighter.1.type=zeke fighter.1.clock=6 fighter.1.angle=level slots.fighter=1 "
)
MARKED = OVER + (
    "slots.fighter=1 fighter.1.type=tony fighter.1.clock=3 fighter.1.angle=level fighter.1.fca={} roll=5-8 gun=tail "
    "fighter=1"
)
DARK = "zone=12 turn=6 mission.time=night squadron=low roll=5-14"


@pytest.mark.section("b29 5.8 A", "b29 5-14 a", "b29 7.6 B", "b29 5-8", "b29 5-7 a", "b29 5.3 C", "b29 7.3")
@pytest.mark.section("b29 5.1 A", "b29 5-14 b", "b29 5.8 D", "b29 5-3 g", "b29 5.2 B")
@moments(
    ("a forward turret is cleared in Nav/Radio", OVER + "gun.fwd-lower=jammed choose=repair gun=fwd-lower", "",
     "options=engineer,navigator,radio-operator,nobody"),
    ("the aft upper one in the Waist", OVER + "gun.aft-upper=jammed choose=repair gun=aft-upper", "",
     "options=nobody," + ",".join(WAIST)),
    ("the aft lower one in Utility, between Waist and Tail", OVER + "gun.aft-lower=jammed choose=repair gun=aft-lower",
     "", "options=nobody,tail-gunner," + ",".join(WAIST)),
    ("the tail guns in the Tail", OVER + "gun.tail=jammed choose=repair gun=tail", "", "options=nobody,tail-gunner"),
    ("a die names the CFC for a turret of a frostbitten bombardier",
     OVER + DIE.format("fighter.1.clock=12 frostbite.bombardier=yes"), "", "option=1-die"),
    ("but nobody where both are",
     OVER + DIE.format("fighter.1.clock=12 frostbite.bombardier=yes frostbite.cfc=yes"), "", "asked!=aim"),
    ("or the sight and the CFC are lost", OVER + DIE.format("fighter.1.clock=12 gunsight=out crew.cfc=serious"), "",
     "asked!=aim"),
    ("from 6 the CFC alone fires it", OVER + DIE.format("fighter.1.clock=6 frostbite.cfc=yes"), "", "asked!=aim"),
    ("whatever the bombardier", OVER + DIE.format("fighter.1.clock=6 frostbite.bombardier=yes"), "", "option=1-die"),
    ("outbound a jam is cleared", JAMMED + "zone=8 leg=outbound", "", "asked=repair"),
    ("homeward while fighters may come", JAMMED + "zone=11 leg=inbound", "", "asked=repair"),
    ("not where they can come no more", JAMMED + "zone=9 leg=inbound", "", "asked!=repair"),
    ("near a Japanese Iwo Jima they can", JAMMED + "zone=7 leg=inbound mission.number=5", "", "asked=repair"),
    ("not beyond it", JAMMED + "zone=5 leg=inbound mission.number=5", "", "asked!=repair"),
    ("a jam makes no broken gun one that can be cleared", BROKEN + "roll=5-7 gun=aft-lower fighter=1", "5-7: 1,1",
     "gun.aft-lower=broken"),
    ("nor does the shot at a light", BROKEN + "roll=5-14.jam gun=aft-lower fighter=1", "5-14.jam: 5",
     "gun.aft-lower=broken"),
    ("a gunner looks out from another seat too",
     LOOKOUT + "seat.radar-operator=left-gunner seat.left-gunner=radar-operator crew.left-gunner=kia "
     "roll=5.8D fighter=1",
     "5.8D: 3", "fighter.1.spotted=yes"),
    ("not from home", LOOKOUT + "crew.left-gunner=absent roll=5.8D fighter=1", "5.8D: 3", "fighter.1.spotted!=yes"),
    ("the CFC warns, and the fighter is outrun", WARNED + "none roll=5-3", "5-3: 4,5", "fighters=0"),
    ("also from a new seat", WARNED + "moved roll=5-3", "5-3: 4,5", "fighters=0"),
    ("not while clearing a gun", WARNED + "repair roll=5-3", "5-3: 4,5", "fighters!=0"),
    ("or fighting a fire", WARNED + "fire roll=5-3", "5-3: 4,5", "fighters!=0"),
    ("without the intercom nobody warns", WARNED + "none intercom=out roll=5-3", "5-3: 4,5", "fighters!=0"),
    ("a tail gunner clears both his guns and fires them", CANNON + "gun.tail=jammed gun.cannon=jammed step=move",
     "repair tail: tail-gunner; repair cannon: tail-gunner; 5-7.a: 2; 5-7.a: 1; choose aim gun=tail: 1-tail-gunner; "
     "choose aim gun=cannon: 1-tail-gunner",
     "gun.tail=ok gun.cannon=ok duty.tail-gunner=none aim.tail.by=tail-gunner aim.cannon.by=tail-gunner"),
    ("whoever goes to Utility fires nothing", OVER + "gun.aft-lower=jammed choose=repair gun=aft-lower",
     "repair aft-lower: left-gunner; 5-7.a: 4", "ready.left-gunner=no at-hand.left-gunner=no"),
    ("the forward upper turret adds 1 against a Nick, and the kill is its own",
     OVER + "slots.fighter=1 fighter.1.type=nick fighter.1.clock=12 roll=5-7 gun=fwd-upper fighter=1",
     "5-7: 5,6; 5-8: 4,4", "fighters=0 claimed.fwd-upper=1"),
    ("a hit that damages is a mark", MARKED.format(2), "5-8: 1,2", "fighter.1.fca=3"),
    ("the fourth mark destroys, and the kill is the gunner's", MARKED.format(3), "5-8: 1,2",
     "fighters=0 kills.tail-gunner=1 claimed.tail=1"),
    ("the shot at a light may jam both lower turrets", DARK,
     "5-14: 6,6; searchlight-shot: fire; 5-14.b: 1,1; 5-14.jam: 5; end",
     "ammo.fwd-lower=1 ammo.aft-lower=1 gun.aft-lower=jammed searchlight=yes"),
    ("the light ends with the turn", DARK, "5-14: 6,6; set turn=7", "searchlight=no"),
    ("a new combat by hand clears the old fighters",
     "zone=12 turn=9 altitude=hi fighter.1.type=zeke fighter.1.fca=2 slots.fighter=1", "roll 5-2: 3,4",
     "fighter.1.type=none fighter.1.fca=0 attack.type=tojo"),
)  # fmt: skip
def test_guns_and_gunners(b29: Pack, sheet: str, flown: str, then: str) -> None:
    check(b29, sheet, flown, then)


@pytest.mark.section("b29 7.6 B", "b29 7.6 C")
def test_a_man_in_another_seat_may_still_clear_a_gun_or_fight_a_fire(b29: Pack) -> None:
    empty = "crew.navigator=kia crew.engineer=kia crew.radio-operator=kia gun.fwd-upper=jammed "
    for duty, may in (("moved", True), ("help", False), ("fire", False)):
        moment = set_up(b29, OVER + empty + f"crew.navigator=ok duty.navigator={duty} choose=repair gun=fwd-upper")
        assert ("navigator" in moment.options) == may
        moment.mission.pending = [Pending.of({"choose": "fire-man", "bind": {"compartment": "nav-radio"}, "born": 1})]
        assert ("navigator" in moment.options) == (duty != "help")
        assert moment["ready.navigator"] == "no"


# -- several by night --------------------------------------------------------------------------------------------------

IRVINGS = (
    "mission.number=16 mission.time=night mission.altitude=lo target.city=tokyo target.type=airfield target.zone=12 "
    "turn=11 zone=11 zone.turns=1 altitude=lo formation=none weather=good resistance=moderate log.gazetteer.11=0 "
    "setting.ammunition=uncounted setting.passing-shots=no round=1 slots.fighter=3 "
    "fighter.1.type=irving fighter.1.clock=6 fighter.1.angle=low fighter.1.spotted=yes "
    "fighter.2.type=irving fighter.2.clock=6 fighter.2.angle=high fighter.2.spotted=no "
)


@pytest.mark.section("b29 5.8 D", "b29 5.8 E")
@pytest.mark.parametrize(("lights", "spoiled"), [("", False), ("evasive.bomb-run=yes", True)])
def test_evading_a_spotted_fighter_does_not_affect_fire_at_the_other(b29: Pack, lights: str, spoiled: bool) -> None:
    moment = set_up(b29, IRVINGS + lights + " step=fire")
    moment.fly("evade: yes\n5-9: 1,1\n5-9: 1,1\naim fwd-upper: 2-cfc\naim aft-upper: hold\naim tail: hold\n5-7: 3,3")
    modifiers = [("night", -1), ("big", 1), ("six", 2)]
    assert moment.modifiers("5-9") == [("evasive", -1), ("night", -1)]
    assert moment.modifiers("5-7") == ([("evasive", -1)] if spoiled else []) + modifiers


@pytest.mark.section("b29 5.8 F", "b29 5.3 C")
@pytest.mark.parametrize(
    ("plan", "shots", "answers"),
    [
        ("aim aft-lower: 1-die\naim tail: 1-die\n5-6: 2\n", 1, []),
        ("aim aft-lower: hold\naim tail: hold\n", 0, ["fwd-upper", "aft-upper", "tail"]),
    ],
    ids=["the tail gunner", "nobody yet"],
)
def test_a_tail_gunner_does_not_answer_for_the_crew(b29: Pack, plan: str, shots: int, answers: list[str]) -> None:
    moment = set_up(b29, IRVINGS + "intercom=out step=shift")
    moment.fly(f"aim fwd-lower: hold\n{plan}" + "5-7: 2,2\n" * shots + "5-9: 1,1\n5-9: 1,1")
    waiting = [each.bind["gun"] for each in moment.mission.pending if each.is_for("choose", "aim")]
    assert [gun for gun in waiting if "lower" not in gun] == answers


@pytest.mark.section("b29 5.3 C")
@pytest.mark.parametrize(("tail", "answers"), [("1-die\n5-6: 5", []), ("hold", ["tail"])])
def test_a_gun_whose_man_fires_elsewhere_is_silent_for_the_turn(b29: Pack, tail: str, answers: list[str]) -> None:
    third = "fighter.3.type=irving fighter.3.clock=6 fighter.3.angle=level fighter.3.spotted=no "
    moment = set_up(b29, IRVINGS.replace("spotted=no", "spotted=yes") + third + "intercom=out step=shift")
    moment.fly(f"aim fwd-upper: 2-die\naim aft-upper: 2-die\naim tail: {tail}")
    moment.fly("5-7: 2,2\n5-7: 2,2\n5-9: 1,1\n5-9: 1,1\n5-9: 1,1")
    assert [each.bind["gun"] for each in moment.mission.pending if each.is_for("choose", "aim")] == answers


# -- the plan that is proposed -----------------------------------------------------------------------------------------

PLAN = DAY + (
    "turn=11 zone=11 zone.turns=1 altitude=hi formation=in weather=good setting.ammunition=uncounted "
    "setting.passing-shots=after step=evasion "
)


def proposed(pack: Pack, *fighters: str) -> dict[str, str]:
    """Return the proposed fighter and man for each gun, as `2-cfc`; fighters as `tojo 6 low`, `zeke dive`."""
    sheet = f"{PLAN}slots.fighter={len(fighters)}"
    for number, words in enumerate(fighters, 1):
        names = ("type", "clock", "angle", "ramming")
        sheet += "".join(f" fighter.{number}.{name}={word}" for name, word in zip(names, words.split(), strict=False))
    moment = set_up(pack, sheet).fly("")
    assert moment.asked == "aim"
    places = planned(moment.mission, decisions(moment.mission), {})
    return {str(place.item.bind["gun"]): place.planned.name for place in places}


@pytest.mark.parametrize(
    ("fighters", "plan"),
    [
        # 5-6, 12 high: both upper turrets; passing shots of the tail after mission 10 (5.3 D)
        (["tojo 12 high"], {"fwd-upper": "1-bombardier", "aft-upper": "1-bombardier", "tail": "1-passing"}),
        # 5-3 b, c: what strikes the bomber itself; 5-6: 3 high has the upper turrets, 6 level the tail guns
        (["tojo 12 high", "zeke 3 high yes", "frank 12 level", "baka 6 level"],
         {"fwd-upper": "2-right-gunner", "tail": "4-tail-gunner", "aft-upper": "1-cfc", "fwd-lower": "3-bombardier"}),
        # 5-7: +1 from 9, nothing from 10:30; 5-6 has the forward upper turret for both
        (["oscar 10:30 high", "oscar 9 high"],
         {"fwd-upper": "2-left-gunner", "aft-upper": "1-bombardier", "tail": "1-passing"}),
        (["oscar 9 high", "oscar 10:30 high"],
         {"fwd-upper": "1-left-gunner", "aft-upper": "2-bombardier", "tail": "2-passing"}),
    ],
    ids=["all guns at the only fighter", "a rammer and a Baka first", "the easier one", "the easier one again"],
)  # fmt: skip
def test_the_plan_that_is_proposed(b29: Pack, fighters: list[str], plan: dict[str, str]) -> None:
    assert {gun: aim for gun, aim in proposed(b29, *fighters).items() if aim != "hold"} == plan


# -- tables rolled by hand, and men who are elsewhere ------------------------------------------------------------------


@pytest.mark.section("b29 5-7 a")
def test_a_jam_is_tried_once_a_turn_and_from_the_next_turn_on(b29: Pack) -> None:
    moment = set_up(b29, OVER + "fighter.1.type=zeke fighter.1.clock=6 fighter.1.angle=level slots.fighter=1")
    moment.mission.roll("5-7", Hand([[1, 1]]), {"gun": "tail"})
    with pytest.raises(UserError, match="once a turn, from the turn after the jam"):
        moment.mission.roll("5-7.a", Hand([[1]]), {"gun": "tail"})
    moment.mission.write({"turn": 13})
    moment.mission.roll("5-7.a", Hand([[4]]), {"gun": "tail"})
    with pytest.raises(UserError, match="once a turn"):
        moment.mission.roll("5-7.a", Hand([[1]]), {"gun": "tail"})
    moment.mission.write({"turn": 14})
    moment.mission.roll("5-7.a", Hand([[1]]), {"gun": "tail"})
    assert moment["gun.tail"] == "ok"


@pytest.mark.section("b29 5-14 b")
@pytest.mark.parametrize(
    ("state", "jams"),
    [("", True), ("gun.fwd-lower=broken", False), ("gun.aft-lower=unarmed", False),
     ("crew.cfc=kia crew.left-gunner=serious duty.right-gunner=moved", False)],
)  # fmt: skip
def test_the_shot_at_the_light_needs_both_lower_turrets_and_a_man(b29: Pack, state: str, jams: bool) -> None:
    mission = set_up(b29, LIT + state).mission
    shot = mission.roll("5-14.b", Hand([[1, 1]]))[0]
    assert (shot.outcome, "ammo.aft-lower" in mission.state) == ("jam" if jams else "no-shot", jams)


@pytest.mark.section("b29 5-9")
def test_the_sentence_it_is_made_for(companion: Run) -> None:
    ran = companion(
        "roll", "5-9", "--game", "b29", "--dice", "4,4", "--with", "fighter.clock=6", "--with", "fighter.pilot=ace",
        "--json",
    )  # fmt: skip
    assert ran.json == {
        "game": "b29", "table": "5-9", "title": "Japanese offensive fire", "dice": [4, 4], "rolled": 8,
        "modifiers": [{"add": 1, "why": "ace fighter pilot", "cite": "5-5"}], "net": 9, "natural": False,
        "outcome": "hit", "text": "The B-29 is hit", "then": ["5-10"], "changes": [],
        "assumed": {"mission.time": "day", "evasive": "no", "fighter.type": "none", "fighter.fca": 0, "engines.out": 0},
        "chain": [],
    }  # fmt: skip


@pytest.mark.section("b29 5-12", "b29 7-1 b")
def test_sub_rolls_and_notes_are_finished_before_the_next_damage_roll(b29: Pack) -> None:
    mission = flying(b29, zone=12, pressurized="yes")
    mission.roll("6-5", Hand([[1, 1]]))  # nose
    mission.pending.append(Pending.of({"roll": "7-2", "bind": {"area": "nav-radio"}, "born": 1}))
    assert roll(mission, None, 3, 2).outcome == "hydraulics"
    assert pending(mission) == ["7-1.hydraulics", "7-1.b", "7-2"]
    assert roll(mission, None, 6).outcome == "none"
    assert roll(mission, None, 6).then[0] == "7-1.b.compromised"
    assert mission.state["pressure.nose"] == "compromised"
    assert roll(mission, None, 6).then == ["7-11"]


@pytest.mark.section("b29 5-11 d", "b29 5-11 e", "b29 5-11 f")
def test_walking_hits_strike_every_section(b29: Pack) -> None:
    mission = flying(b29, zone=12)
    walking = roll(mission, "5-11", 6, 6, fighter__clock="3", fighter__angle="level")
    assert walking.outcome == "walking-hits-f"
    areas = [item.bind["area"] for item in mission.pending]
    assert areas == ["nose", "nav-radio", "starboard-wing", "waist", "utility", "tail"]
    mission.pending.clear()
    roll(mission, "5-11", 2, 1, fighter__clock="9", fighter__angle="low")
    assert [item.bind["area"] for item in mission.pending] == ["port-wing"] * 2 + ["starboard-wing"] * 2


@pytest.mark.section("b29 5-3", "b29 5-3 f", "b29 5.2 C")
def test_coordinated_attack_rolls_each_plane_and_a_further_five_drives_one_off(b29: Pack) -> None:
    mission = flying(b29, zone=12)
    mission.write({"attack.type": "zeke", "formation": "in"})
    roll(mission, "5-3", 2, 3)
    assert roll(mission, None, 3, 4).outcome == "3"  # half of 7, rounded down
    assert pending(mission) == ["5-3"] * 3
    assert roll(mission, None, 4, 1).then == ["5-3.f"]
    assert roll(mission, None, 6).then == ["5-3.f.shells"]
    assert roll(mission, None, 2).then == ["5-3.f.area"] * 2


@pytest.mark.section("b29 5-3 a")
def test_note_a_of_5_3_brings_a_frank_once(b29: Pack) -> None:
    mission = flying(b29, zone=12)
    mission.write({"attack.type": "zeke", "formation": "in", "squadron": "low"})
    roll(mission, "5-3", 1, 1)
    assert (mission.state["fighter.1.type"], mission.state["fighter.1.clock"]) == ("frank", "climb")
    assert roll(mission, None, 1, 1).then == ["5-3"]
    assert "fighter.2.type" not in mission.state


@pytest.mark.section("b29 5-3 h")
def test_note_h_of_5_3_outside_formation_brings_both(b29: Pack) -> None:
    mission = flying(b29, zone=12)
    mission.write({"attack.type": "zeke", "formation": "out"})
    roll(mission, "5-3", 6, 6)
    assert pending(mission) == ["5-3", "5-3.lead", "5-3.tail"]
    mission.roll(None, Hand([[3, 3], [2], [6], [6]]))  # its place and angle, then those of Tony and Frank
    types = [mission.state.get(f"fighter.{slot}.type") for slot in (1, 2, 3)]
    assert types == ["zeke", "tony", "frank"]


@pytest.mark.section("b29 5-4", "b29 5.2 D")
def test_two_fighters_never_share_a_place(b29: Pack) -> None:
    mission = flying(b29, zone=12)
    mission.write({"slots.fighter": 1, "fighter.1.type": "zeke", "fighter.1.clock": "12", "fighter.1.angle": "high"})
    mission.write({"attack.type": "zeke"})
    roll(mission, "5-3", 3, 3)
    assert roll(mission, None, 6).then == ["5-4"]
    assert roll(mission, None, 2).outcome == "level"
    assert mission.state["fighter.2.angle"] == "level"


@pytest.mark.section("b29 5-3 b", "b29 5-15 b")
def test_bakas_fly_only_late_in_the_war(b29: Pack) -> None:
    early = flying(b29, zone=12)
    assert roll(early, "5-3.special", 1).outcome == "none"
    late = flying(b29, zone=12)
    late.write({"mission.number": 15})
    assert roll(late, "5-3.special", 1).outcome == "baka"
    hit = roll(late, "5-7", 6, 5, gun="tail")  # 6 o'clock counts nothing against a Baka
    assert (hit.net, hit.applied, hit.outcome) == (11, [], "hit")
    down = roll(late, None, 3, 4)
    assert (down.outcome, down.then) == ("destroyed", ["5-3.b.blast"])
    roll(late, None, 2)
    assert pending(late) == ["7-5", "7-5", "7-5", "7-5", "7-8", "7-8", "7-8"]


@pytest.mark.section("b29 5-3 g")
@pytest.mark.parametrize(
    ("state", "combat"),
    [
        ("", False), ("frostbite.tail-gunner=yes", False),
        ("frostbite.tail-gunner=yes frostbite.cfc=yes", True),  # nobody watches: treated as serious (RULINGS B53)
        ("engine.2=out", True), ("intercom=out", True), ("formation=in", True),
    ],
)  # fmt: skip
def test_bombers_that_outrun_a_slow_fighter(b29: Pack, state: str, combat: bool) -> None:
    for ram in ("no", "yes"):
        moment = set_up(b29, OVER + f"bombs=dropped formation=out attack.type=zeke {state}", "5-3", ram=ram)
        moment.fly("5-3: 4,5")
        assert (moment["fighters"] == 1) == combat


@pytest.mark.section("b29 5-3 a")
@pytest.mark.parametrize(
    ("place", "comes"),
    [("formation=in squadron=low altitude=hi", "climb"), ("formation=in squadron=high altitude=med", "dive"),
     ("formation=out squadron=middle altitude=lo", "dive"), ("formation=in squadron=high altitude=hi", ""),
     ("formation=in squadron=middle altitude=med", "")],
)  # fmt: skip
def test_the_roll_again_of_note_a_is_not_for_the_frank(b29: Pack, place: str, comes: str) -> None:
    moment = set_up(b29, DAY + f"turn=12 zone=12 attack.type=oscar {place}", "5-3")
    moment.mission.roll(None, Hand([[1, 1]]))
    waiting = moment.mission.waiting()
    assert waiting is not None and (waiting.name, waiting.bind.get("fighter")) == ("5-3", None)
    moment.mission.roll(None, Hand([[2, 2]]))
    fighters = [(moment[f"fighter.{n}.type"], moment[f"fighter.{n}.clock"]) for n in (1, 2)]
    assert sorted(fighters) == sorted([("frank", comes) if comes else ("none", "none"), ("oscar", "3")])


@pytest.mark.section("b29 5.8 D")
@pytest.mark.parametrize(("men", "net"), [("", 2), ("kia", 3), ("absent", 3), ("serious", 3), ("light", 2)])
def test_only_gunners_who_can_look_help_to_spot(b29: Pack, men: str, net: int) -> None:
    crew = " ".join(f"crew.{man}={men}" for man in ("cfc", "left-gunner", "right-gunner") if men)
    moment = set_up(b29, NIGHT + f"fighter.1.type=nick fighter.1.clock=6 slots.fighter=1 {crew}", "5.8D", fighter="1")
    [result] = moment.mission.roll(None, Hand([[3]]))
    assert (result.net, moment["fighter.1.spotted"]) == (net, "yes" if net == 2 else "no")


@pytest.mark.parametrize("dice", ["1,1", "4,4"])
def test_the_lights_are_evaded_when_5_1_is_known(b29: Pack, dice: str) -> None:
    """5.8: first 5.1, then A: 5-14, which is rolled in the target zone whatever 5-1 said."""
    known = {"log.gazetteer.12": "0", "log.below.12": "land", "target.asterisk": "no", "zone.turns": 1}
    moment = after_step(
        b29, "event", {**b29.sheet.given((NIGHT + "turn=12 zone=12 weather=good").split()), **known}, f"5-1: {dice}\n"
    )
    assert moment.asked == "evade-lights"
    moment.fly("evade-lights: yes\n5-14: 5,5")
    assert ("evasive", -1) in moment.modifiers("5-14")


@pytest.mark.section("b29 5-3 c", "b29 5-3")
def test_of_a_group_that_comes_with_a_rammer_one_rams(b29: Pack) -> None:
    mission = flying(b29, zone=12)
    mission.write({"attack.type": "tojo"})
    roll(mission, "5-3.special", 2)
    roll(mission, None, 2, 3)  # coordinated
    roll(mission, None, 3, 3)  # three planes
    for dice in ((3, 3), (3, 4), (4, 4)):
        roll(mission, None, *dice)
    assert [mission.state.get(f"fighter.{number}.ramming", "no") for number in (1, 2, 3)] == ["yes", "no", "no"]
