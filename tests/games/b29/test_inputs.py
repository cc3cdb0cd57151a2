"""At the table: how many lines a player types, what is shown, and questions that are not repeated."""

import pytest

from companion.engine.dice import Hand
from companion.engine.questions import Pending
from companion.packs import Pack
from tests.games.b29.table import DAY, HANGING, OVER
from tests.screens import Quick, flown
from tests.support import Lay, Moment, Prompts, after_step, begun, check, moments, set_up

OVER_JAPAN = DAY + (
    "turn=11 zone=11 zone.turns=1 moved=yes altitude=hi pressurized=yes weather=good fuel.wing=18 course=on "
    "setting.ammunition=uncounted setting.passing-shots=after setting.comes-back=as-b17 setting.attacks=3 "
    "log.gazetteer.11=0 log.below.11=sea "
)
OCEAN = DAY + (
    "turn=4 zone=4 zone.turns=1 altitude=lo formation=out weather=good fuel.wing=10 course=on missions.navigator=9 "
    "log.gazetteer.12=0 log.below.12=land "
)
TOJO = "fighter.1.type=tojo fighter.1.clock=6 fighter.1.angle=low fighter.1.pilot=average slots.fighter=1"
OWN = """2-4 2-5 2-6 2-8 3-1 3-2 4-4 4-5 4-6 4-7 4-8 4-10 4-11 7-7 7-8 7-10 7-11 7-12 7-13 7-14 8-1 8-3 8-4 8-5 8-6
8-7""".split()
HARD = (0, 10)  # missions with most of zones flown alone, and most of fighters
BOOK = '[[patch]]\nreason = "from your rulebook"\ndice = "2D"\n'


def seated(pack: Pack, sheet: str, roll: str = "") -> Prompts:
    """Return a player before a mission with these facts, and one pending roll for fighter 1 if any."""
    mission = begun(pack, pack.sheet.given(sheet.split()))
    mission.pending = [Pending.of({"roll": roll, "bind": {"fighter": "1"}, "born": 1})] if roll else []
    return Prompts(mission)


def test_one_fighter_from_6_that_misses_is_five_lines(b29: Pack) -> None:
    """5-1 and 5.2A; 5-2 to 5-4; the plan for the guns; 5-5; the fire of three guns and the fighter."""
    player = seated(b29, OVER_JAPAN + "formation=in step=open-up")
    player.type()
    lines = ["66 1", "34 54 1", "", "44", "33 33 33 22"]
    shown = [player.type(line) for line in lines]
    assert len(lines) <= 5
    assert "1  Tojo from 6 low  fwd lower (CFC) on 8+" in shown[1]
    assert player.mission.state["zone"] == 12  # the fight is over, and so is the turn
    fired = [entry["d"] for entry in player.mission.journal.entries if entry["t"] in ("5-7", "5-9")]
    assert fired == [[3, 3], [3, 3], [3, 3], [2, 2]]


def test_seven_shells_are_seven_lines(b29: Pack) -> None:
    """5-10 to 7-5: all shells on one line, then the dice of their notes, the factors and the damage, one line each; a
    hit that asks for more has its own line.
    """
    player = seated(b29, OVER_JAPAN + f"formation=in {TOJO} fighter.1.hit=yes step=offense", "5-10")
    player.type()
    lines = ["66", "34 44 56 66 12 43 53", "2 2 5 1 4 5 3", "3 3 33 34 35 3 3", "3", "2", "34 34 34 34"]
    shown = [player.type(line) for line in lines]
    assert len(lines) <= 12
    assert "7 shell hits" in shown[0]
    assert "Forward upper turret out" in shown[5]
    assert "5-13 Successive attacks" in shown[6]
    rolled = [entry["t"] for entry in player.mission.journal.entries if entry["v"] == "roll"]
    assert (rolled.count("5-11"), rolled.count("5-12")) == (7, 7)
    assert sum(rolled.count(table) for table in ("7-1", "7-2", "7-3", "7-4", "7-5")) == 7


def test_the_navigation_of_a_zone_is_one_line(b29: Pack) -> None:
    """4-4 to 4-8, with or without dice; a result that only 4-8 has is not given to the tables before it."""
    for typed in ("none, 34 -1, none, none, on", "-1, on", "34 none / 25 -1 / 33 none / 44 none / 56 on"):
        player = seated(b29, OCEAN + "moved=yes step=weather")
        assert "4-8 On course? 1 On course; 2 Off course" in player.type()
        assert "none, -1, …; with dice 34 none" in player.question
        player.type(typed)
        rows = {entry["t"]: entry["o"] for entry in player.mission.journal.entries if entry["t"].startswith("4-")}
        assert sorted(rows.values()) == ["-1", "none", "none", "none", "on"]
        assert rows["4-8"] == "on" and list(rows)[:5] == ["4-4", "4-5", "4-6", "4-7", "4-8"]
    course = next(entry for entry in player.mission.journal.entries if entry["t"] == "4-8")
    assert (course["d"], course["j"]) == ([5, 6], 1)  # entries typed on one line are undone together


def test_a_rulebook_table_takes_one_line(b29: Pack) -> None:
    for typed, dice, row in (
        ("middle", None, "middle"), ("26 middle", [2, 6], "middle"), ("2 6 = middle", [2, 6], "middle"),
        ("3", None, "tail"), ("26 3", [2, 6], "tail"),
    ):  # fmt: skip
        player = seated(b29, DAY)
        player.mission.pending = [Pending.of({"roll": "2-4", "bind": {}, "born": 1}) for _ in range(2)]
        player.type(typed)
        rolled = [entry for entry in player.mission.journal.entries if entry["t"] == "2-4"]
        assert [(each.get("d"), each["o"]) for each in rolled] == [(dice, row)]
        assert ("Roll 2D" in player.question) is (dice is not None)  # the number of dice is remembered
    asked = player.question
    assert "7 isn't a result" in player.type("7") and player.question == asked
    assert "for a 4" in player.type("3 1")  # what was thrown twice before is dice
    assert "Lead bomber" in player.type("lead")
    player.mission.pending = [Pending.of({"roll": "7-1.gear", "bind": {"area": "nose"}, "born": 1})]
    player.type("3", "c")  # a die of which the rules don't say how it is rolled
    assert player.mission.state["book.7-1.gear.3"] == "damaged"


@pytest.mark.section("b29 5.1 B")
def test_opening_up_is_decided_every_turn(b29: Pack) -> None:
    for turn in (11, 12, 13):
        moment = set_up(b29, OVER_JAPAN + f"formation=in turn={turn}")
        assert (asked_after(moment, "escort"), moment.options) == ("open-up", ["stay-closed", "yes", "no"])
        moment.fly("open-up: no\n")
        assert moment.asked == "5-1"
        assert asked_after(moment, "escort", turn=str(turn + 1)) == "open-up"
    assert asked_after(moment, "escort", **{"closed.turn": "15", "turn": "15"}) == "5-1"


@pytest.mark.section("b29 5.1 B")
@pytest.mark.parametrize("answer", ["no", "yes"])
def test_not_this_turn_ends_a_longer_refusal(b29: Pack, answer: str) -> None:
    moment = set_up(b29, OVER_JAPAN + "formation=in")
    assert asked_after(moment, "escort") == "open-up"
    moment.fly("open-up: stay-closed\n")
    assert asked_after(moment, "escort") == "5-1"
    target = moment["target.zone"]
    assert asked_after(moment, "escort", zone=str(target)) == "open-up"
    moment.fly(f"open-up: {answer}\n")
    assert asked_after(moment, "escort", leg="inbound", pressurized="yes") == "open-up"


def test_an_ocean_zone_out_of_formation_is_one_line(lay: Lay) -> None:
    """With the tables of navigation copied: weather, course, the fix and the event."""
    for table in ("4-4", "4-5", "4-6", "4-7"):
        lay(f"{table}.toml", BOOK + 'rows = {"..4" = -1, "5..9" = "none", "10.." = 1}\n')
    lay("4-8.toml", BOOK + 'rows = {"..5" = "off", "6.." = "on"}\n')
    player = seated(Pack("b29"), OCEAN + "aux.fwd=installed step=past-iwo")
    player.type()
    player.type("", "")  # stay at LO, and a box from the bay in every zone: neither is asked again
    assert player.mission.state["zone"] == 5
    for zone in (6, 7):
        player.type("34 33 33 33 33 34 33")
        assert player.mission.state["zone"] == zone
    assert player.mission.state["fuel.fwd"] == 3


@pytest.mark.slow
@pytest.mark.parametrize(("taken_down", "most"), [(False, 250), (True, 150)])
def test_a_hard_mission_is_typed_in_few_lines(lay: Lay, taken_down: bool, most: int) -> None:
    """It once took 513 lines; with a copied rulebook (invented here) only the dice are left."""
    pack = Pack("b29")
    for table in OWN if taken_down else ():
        rows = pack.table(table).likely * 2
        lay(f"{table}.toml", BOOK + f'rows = {{"..8" = "{rows[0]}", "9.." = "{rows[1]}"}}\n')
    inputs = [len(flown(Pack("b29"), seed, by=Quick).screens) - 1 for seed in HARD]
    assert max(inputs) <= most, inputs


# -- the situation -----------------------------------------------------------------------------------------------------


def test_enter_does_nothing_irreversible(b29: Pack) -> None:
    """Bombs stay aboard until the player drops them; after that, Enter does it again."""
    sheet = OVER.replace("zone=12 alt", "zone=9 alt") + "engine.3=out bombs=aboard step=lost-way"
    player = seated(b29, sheet)
    player.type()
    assert "Jettison" in player.shown.getvalue()
    player.type("")
    assert player.mission.state.get("bombs", "aboard") == "aboard"
    assert player.mission.state["jettison.answered"]


@pytest.mark.section("b29 7-3 f")
def test_bombs_that_hang_after_the_run_are_tried_by_enter(b29: Pack) -> None:
    hung = "leg=inbound bomb-run=on bombs=aboard release.fwd=out load.aft=gone formation=out step=lost-way"
    player = seated(b29, OVER.replace("zone=12 alt", "zone=9 alt") + hung)
    player.type("", "2")
    assert player.mission.state["load.fwd"] == "gone"


# -- declined choices --------------------------------------------------------------------------------------------------


def asked_after(moment: Moment, step: str, **facts: str) -> str:
    """Return the first question after this step on a sheet with these facts."""
    moment.take_up({"step": step, **{name.replace("__", "."): value for name, value in facts.items()}})
    return moment.asked


@pytest.mark.section("b29 5-7 a", "b29 7-3 e", "b29 7-3 f")
@pytest.mark.parametrize(
    ("sheet", "before", "choice", "answer", "change"),
    [
        (OCEAN + "zone=10 altitude=hi", "altitude", "rejoin", "no", {"crew__pilot": "light"}),
        (OCEAN + "zone=10 altitude=hi cold.since=4", "open-for-wounded", "close-up", "no", {"gun__tail": "jammed"}),
        (OVER_JAPAN + "formation=in", "escort", "open-up", "stay-closed", {"intercom": "out"}),
        (OCEAN + "engine.1=out", "lost-way", "jettison", "no", {"release__aft": "out"}),
        (OCEAN + "pumps.failed=2 aux.fwd=installed", "jettison-tanks", "useless-tanks", "no", {"intercom": "out"}),
        (OCEAN + "radar=out", "jettison-tanks", "abort", "go-on", {"bombsight": "out"}),
        (OCEAN + "gun.fwd-upper=jammed", "move", "repair", "nobody", {"crew__pilot": "light"}),
        (HANGING + "release.aft=out bombs=aboard load.fwd=gone", "motor", "bay-man", "no", {"gun__tail": "jammed"}),
        (HANGING + "doors.aft=jammed-open", "repair", "motor", "no", {"gun__tail": "jammed"}),
        # at LO a task needs nobody to open the bomber
        (OCEAN + "altitude=hi pressurized=yes gun.aft-lower=jammed", "move", "repair", "nobody", {"altitude": "lo"}),
        (HANGING + "doors.aft=jammed-open", "repair", "motor", "no", {"altitude": "lo"}),
        (HANGING + "release.aft=out bombs=aboard load.fwd=gone", "motor", "bay-man", "no", {"altitude": "lo"}),
    ],
)  # fmt: skip
def test_what_was_refused_is_asked_again_once_something_changes(
    b29: Pack, sheet: str, before: str, choice: str, answer: str, change: dict[str, str]
) -> None:
    moment = set_up(b29, sheet)
    assert asked_after(moment, before) == choice
    moment.fly(f"{choice}: {answer}\n")
    assert asked_after(moment, before) != choice
    assert asked_after(moment, before, **change) == choice
    moment.fly(f"{choice}: {answer}\n")
    assert asked_after(moment, before) != choice
    assert asked_after(moment, before, **{"ask-again": "yes"}) == choice
    assert moment["ask-again"] == "no"


@pytest.mark.section("b29 7.3")
def test_whoever_stayed_while_it_was_free_is_asked_when_the_cold_sets_in(b29: Pack) -> None:
    sheet = OCEAN.replace("altitude=lo", "altitude=hi").replace("turn=4 ", "turn=20 ") + "pressurized=yes cold.since=2 "
    moment = set_up(b29, sheet + "zone=8 pressure.nose=compromised cold.nose=20")
    assert asked_after(moment, "disperse", turn="21") != "altitude"
    assert asked_after(moment, "disperse", turn="22") == "altitude"
    moment.fly("altitude: stay\n")
    assert asked_after(moment, "disperse", pressure__waist="compromised", cold__waist="22") == "4.2D"
    moment.fly("4.2D: 3,4\n")
    assert asked_after(moment, "disperse", turn="23") == "altitude"
    moment.fly("altitude: stay\n")
    assert asked_after(moment, "disperse", turn="23") != "altitude"
    assert asked_after(moment, "disperse", turn="24") == "altitude"


@pytest.mark.section("b29 4.1 B", "b29 4.2 B")
@pytest.mark.parametrize(
    ("sheet", "before", "choice", "answer", "there", "back"),
    [
        ("cold.since=9", "open-for-wounded", "close-up", "no", {"pressurized": "yes"}, {"pressurized": "no"}),
        ("pressurized=yes", "altitude", "rejoin", "no", {"altitude": "lo"}, {"altitude": "hi", "pressurized": "yes"}),
    ],
)  # fmt: skip
def test_an_answer_holds_no_longer_once_things_were_otherwise(
    b29: Pack, sheet: str, before: str, choice: str, answer: str, there: dict[str, str], back: dict[str, str]
) -> None:
    moment = set_up(b29, f"{OCEAN} zone=10 turn=10 altitude=hi {sheet}")
    assert asked_after(moment, before) == choice
    moment.fly(f"{choice}: {answer}\n")
    assert asked_after(moment, before) != choice
    moment.mission.write(there)
    moment.mission.write(back)
    assert asked_after(moment, before) == choice


@pytest.mark.section("b29 7.3")
@pytest.mark.parametrize(("frozen", "asked"), [("", True), ("radio-operator", False)])
def test_every_turn_with_a_risk_of_frostbite_is_decided_again(b29: Pack, frozen: str, asked: bool) -> None:
    lost = ("bombardier", "pilot", "copilot", "navigator", "engineer")
    men = " ".join([*(f"crew.{man}=kia" for man in lost), *(f"frostbite.{man}=yes" for man in frozen.split())])
    sheet = OCEAN.replace("altitude=lo", "altitude=hi").replace("turn=4 ", "turn=23 ") + "pressurized=yes cold.since=2 "
    moment = set_up(b29, f"{sheet} zone=8 pressure.nose=compromised cold.nose=20 {men}")
    assert asked_after(moment, "disperse") == "altitude"
    moment.fly("altitude: stay\n")
    assert asked_after(moment, "disperse") != "altitude"
    assert (asked_after(moment, "disperse", turn="24") == "altitude") == asked


@pytest.mark.parametrize(
    ("sheet", "before", "choice"),
    [
        (OCEAN + "altitude=hi pressurized=yes gun.aft-lower=jammed", "move", "repair"),
        (HANGING + "doors.aft=jammed-open", "repair", "motor"),
        (HANGING + "release.aft=out bombs=aboard load.fwd=gone", "motor", "bay-man"),
    ],
)
@pytest.mark.section("b29 5.1 B", "b29 5-7 a", "b29 7-3 e", "b29 7-3 f")
def test_who_could_not_move_is_asked_for_next_turn(b29: Pack, sheet: str, before: str, choice: str) -> None:
    moment = set_up(b29, sheet + " turn=20 closed.turn=20")
    assert asked_after(moment, before) != choice
    assert asked_after(moment, before, turn="21") == choice
    assert "open" in moment.options


def test_coming_down_for_iwo_jima_is_asked_again(b29: Pack) -> None:
    """8.4: landings are made from LO; a player who stayed high over the sea is asked again above the island."""
    sheet = OCEAN.replace("altitude=lo", "altitude=hi") + "leg=inbound bombs=dropped pressurized=yes fuel.wing=20 "
    moment = after_step(b29, "disperse", b29.sheet.given((sheet + "zone=8").split()), "altitude: stay\n")
    assert asked_after(moment, "disperse", zone="7") != "altitude"
    assert asked_after(moment, "disperse", zone="6") == "altitude"


def test_four_that_attack_together_are_two_lines(b29: Pack) -> None:
    """5-3 row 5: the areas of all on one line, their angles on another; then one plan for the guns."""
    player = seated(b29, OVER_JAPAN + "formation=in attack.type=zeke step=resistance")
    player.mission.pending = [Pending.of({"roll": "5-3", "bind": {}, "born": 1})]
    player.type()
    shown = player.type("14", "44", "33 34 35 45", "3 3 3 3")
    for line in ("1  Zeke from 12 level", "2  Zeke from 1:30 level", "3  Zeke from 10:30 level", "4  Zeke from 6 low"):
        assert line in shown
    assert player.question.startswith("Enter fires as shown")


def test_all_jams_are_one_question_and_one_line_of_dice(b29: Pack) -> None:
    """5-7 a: each jammed gun once per turn."""
    sheet = OVER_JAPAN + "formation=in gun.tail=jammed gun.fwd-upper=jammed step=move"
    player = seated(b29, sheet)
    player.type()
    player.type("", "1 6")
    assert (player.mission.state["gun.fwd-upper"], player.mission.state["gun.tail"]) == ("ok", "broken")


@pytest.mark.section("b29 5.8 I")
def test_which_of_several_irvings_comes_back_is_said_in_words(b29: Pack) -> None:
    sheet = (
        "mission.number=20 mission.time=night mission.altitude=lo target.city=tokyo target.zone=12 turn=11 zone=11 "
        "altitude=lo formation=none engine.1=out bombs=dropped leg=inbound slots.fighter=3 step=answer-fire "
    )
    places = (("1", "low"), ("2", "level"), ("3", "high"))
    three = " ".join(f"fighter.{n}.type=irving fighter.{n}.clock=6 fighter.{n}.angle={angle}" for n, angle in places)
    player = seated(b29, sheet + three)
    shown = " ".join(player.type().split())
    assert "Fighter 1 (Irving): does it attack again? it comes back in a vertical climb [or 3 no]" in shown
    assert "- 2, 3: no" in shown
    assert player.question.startswith('Enter accepts; "1 3" changes it')
    player.type("1 3", "")
    clocks = [str(player.mission.state.get(f"fighter.{n}.clock")) for n, _ in places]
    assert clocks[1] == "climb" and "climb" not in (clocks[0], clocks[2])


@pytest.mark.section("b29 5.8 D", "b29 5.8 I")
def test_evasion_by_night_is_asked_again_after_a_change(b29: Pack) -> None:
    night = (
        "mission.number=14 mission.time=night mission.altitude=lo target.city=tokyo target.zone=12 turn=11 zone=11 "
        "altitude=lo formation=none fighter.1.type=nick fighter.1.clock=6 fighter.1.angle=low fighter.1.spotted=yes "
        "slots.fighter=1 "
    )
    moment = set_up(b29, night)
    assert asked_after(moment, "fire") == "evade"
    moment.fly("evade: no\n")
    assert asked_after(moment, "fire") != "evade"
    assert asked_after(moment, "fire", gun__tail="jammed") == "evade"
    moment.fly("evade: no\n")
    assert asked_after(moment, "fire") != "evade"
    assert asked_after(moment, "fire", round="2", fighter__1__clock="climb") == "evade"


# -- dice that decide nothing ------------------------------------------------------------------------------------------


@pytest.mark.section("b29 4.3 A guns", "b29 4.3 A gunners")
@pytest.mark.parametrize(
    ("armed", "gunners", "asked"),
    [(6, 4, ["4.3A.guns", "4.3A.gunners"]), (1, 4, ["4.3A.gunners"]), (0, 1, ["4.3A.gunners"]), (2, 0, ["4.3A.guns"]),
     (0, 0, [])],
)  # fmt: skip
def test_no_die_is_rolled_for_missing_guns_or_gunners(b29: Pack, armed: int, gunners: int, asked: list[str]) -> None:
    """4.3 A: a box if the die is less than the armed guns, or no more than the gunners: never with one or none."""
    guns = ["fwd-upper", "fwd-lower", "aft-upper", "aft-lower", "tail", "cannon"]
    men = ["cfc", "left-gunner", "right-gunner", "tail-gunner"]
    unarmed = [f"gun.{gun}=unarmed" for gun in guns[armed:]]
    absent = [f"crew.{man}=absent" for man in men[gunners:]]
    moment = set_up(b29, " ".join(["mission.number=3 zone=1 turn=1", *unarmed, *absent]), "4.3A")
    assert (moment["guns.armed"], moment["gunners.aboard"]) == (armed, gunners)
    moment.mission.roll(None, Hand())
    assert [item.name for item in moment.mission.pending] == asked


OUT = OVER + "{}.port=out roll=7-5 area={}-wing"


@pytest.mark.section("b29 7-1 a", "b29 7.1")
@moments(
    ("a hit on the sight may find the bombardier", OVER + "roll=7-1 area=nose", "7-1: 4,6", "waits=7-1.a"),
    ("also a wounded one", OVER + "crew.bombardier=serious roll=7-1 area=nose", "7-1: 4,6", "waits=7-1.a"),
    ("not a dead one", OVER + "crew.bombardier=kia roll=7-1 area=nose", "7-1: 4,6", "waits!=7-1.a"),
    ("a flap that is out takes no die", OUT.format("flap", "port"), "7-5: 1,4", "rolled!=7-5.flap asked!=7-5.flap"),
    ("the other wing has its own", OUT.format("flap", "starboard"), "7-5: 1,4; 7-5.flap: 2", "flap.starboard=out"),
    ("an aileron neither", OUT.format("aileron", "port"), "7-5: 2,4", "rolled!=7-5.aileron asked!=7-5.aileron"),
    ("and has another", OUT.format("aileron", "starboard"), "7-5: 2,4; 7-5.aileron: 2", "aileron.starboard=out"),
)  # fmt: skip
def test_dice_that_decide_nothing(b29: Pack, sheet: str, flown: str, then: str) -> None:
    check(b29, sheet, flown, then)


# -- nothing after the end ---------------------------------------------------------------------------------------------


@pytest.mark.section("b29 6-6", "b29 5.7 B")
def test_of_the_run_and_the_evasion_nothing_is_said_once_all_are_dead(b29: Pack) -> None:
    sheet = OVER.replace("formation=in", "formation=out") + "evasive=yes flak.run=yes "
    alive, dead = set_up(b29, sheet), set_up(b29, sheet)
    lost = [text for text, _ in alive.mission.write({"crew.bombardier": "kia"}).notes]
    assert lost == ["The bombardier is out of action from this flak: the bomb run is off target"]
    killed = dead.mission.roll("6.2F.lost", Hand())[0]
    assert [text for text, _ in killed.notes] == ["Nobody is left alive aboard"]
    assert (dead["evasive"], dead["bomber.fate"]) == ("no", "destroyed")


@pytest.mark.section("b29 4.7 A")
@pytest.mark.parametrize(
    ("table", "script", "order"),
    [
        ("7-9", "7-9: 5,4 = flaps", "The portable motor may move the flaps"),
        ("4-9", "4-9: 5,5 = abort", "Abort as 4-9 says"),
    ],
)
def test_no_order_outlives_the_bomber(b29: Pack, table: str, script: str, order: str) -> None:
    moment = set_up(b29, OVER, table).fly(script)
    orders = [str(item.name) for item in moment.mission.pending if item.kind == "order"]
    assert any(each.startswith(order) for each in orders)
    moment.mission.write({"bomber.fate": "destroyed"})
    assert not [item for item in moment.mission.pending if item.name.startswith(order)]


# -- which die is for what ---------------------------------------------------------------------------------------------


@pytest.mark.section("b29 5.3 A")
def test_the_question_says_of_the_cannon_too_what_it_needs(b29: Pack) -> None:
    """5-7: the cannon has -2; one line of dice, tail guns first."""
    nick = (
        "slots.fighter=1 fighter.1.type=nick fighter.1.clock=6 fighter.1.angle=level fighter.1.pilot=average round=1 "
    )
    sheet = OVER.replace("formation=in", "formation=out") + nick + "setting.ammunition=uncounted step=pilots "
    mission = set_up(b29, sheet + "mission.number=5").mission
    mission.write({"aim.tail": "1", "aim.tail.by": "tail-gunner", "aim.cannon": "1", "aim.cannon.by": "tail-gunner"})
    shown = " ".join(Prompts(mission).type().split())
    assert "tail 1 on 7+ (+1 Nick or Irving, +2 from 6);" in shown
    assert "cannon 1 on 9+ (-2 tail cannon, +1 Nick or Irving, +2 from 6)" in shown


@pytest.mark.section("b29 8.6")
def test_the_row_of_captivity_says_where_it_holds(b29: Pack) -> None:
    sea = "mission.number=12 zone=5 turn=18 leg=inbound altitude=lo bomber.fate=ditched"
    moment = set_up(b29, sea, "8-6", position="pilot")
    player = Prompts(moment.mission)
    assert "captured: a prisoner in Zones 10 to 14, rescued in those before" in player.type("33")
    player.type("2")
    assert moment["fate.pilot"] == "duty"


# -- altitude ----------------------------------------------------------------------------------------------------------


def test_a_declined_choice_can_be_requested_again(b29: Pack) -> None:
    """4.1 B: nothing is asked at the right altitude; a player who wants another types so, and is asked at the start of
    the next turn.
    """
    facts = "mission.number=14 zone=8 turn=20 altitude=hi leg=inbound formation=out bombs=dropped pressurized=yes"
    moment = set_up(b29, f"{facts} mission.time=day")
    moment.mission.write({"step": "disperse"})
    prompts = Prompts(moment.mission)
    assert "Change altitude?" not in prompts.type()
    said = prompts.type("= ask again")
    assert "You will be asked again about choices you declined" in said and "No ask again" not in said
    moment.mission.write({"step": "disperse"})
    moment.mission.pending = []
    assert "1  stay at HI (ask again only if something changes)" in prompts.type()
    prompts.type("1")
    assert moment["altitude.asked"] == "no"
