"""Guns: who clears which, reasons for holding fire, passing shots, and the effect of a hit (5-7, 5-8)."""

import pytest

from companion.engine.dice import Hand
from companion.engine.facts import FactQuestion
from companion.engine.questions import Pending
from companion.packs import Pack
from companion.play.plan import decisions, planned
from companion.problems import UserError
from tests.games.b29.table import DAY, OVER, WAIST
from tests.support import check, moments, set_up

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
@pytest.mark.section("b29 5.1 A", "b29 5-14 b", "b29 5.8 D", "b29 5-3 g")
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
