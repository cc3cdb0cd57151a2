"""Japanese fighters: which attack, which are outrun, and where their shells hit (5.0)."""

import pytest

from companion.engine.dice import Hand
from companion.engine.questions import Pending
from companion.packs import Pack
from tests.games.b29.table import DAY, NIGHT, OVER, flying, pending, roll
from tests.support import Run, after_step, set_up


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
