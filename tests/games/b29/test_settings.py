"""Choices that the rulebooks leave open: asked once, kept for later missions, and applied."""

import random

import pytest

from companion.engine.dice import Hand
from companion.engine.facts import Facts
from companion.engine.fields import Value
from companion.engine.questions import Pending, RowQuestion
from companion.engine.resolution import Result
from companion.packs import Pack
from companion.play.conversation import Chance
from companion.play.mission import Mission
from companion.play.script import Script
from tests.games.b29.table import DAY
from tests.support import Moment, Run, Terminal, asks, begin, begun, check, fact, fly, moments, set_up, slow_but

REPLIES = {
    "setting.steps": "without", "setting.ammunition": "counted", "setting.boxes.tail": 12,
    "setting.passing-shots": "with-others", "setting.comes-back": "hits", "setting.attacks": 2,
    "setting.collision": "all-lost", "setting.escort-out": "leaves", "setting.wounds": "as-b17",
    "setting.losses": "defeat", "book.5-11.level": "wing-a", "book.7-1.gear.3": "damaged",
}  # fmt: skip


@pytest.mark.parametrize("variant", ["b29", "b29-streamliner"])
def test_every_reply_is_on_the_next_sheet_and_in_the_list(companion: Run, variant: str) -> None:
    begin(companion, "b29")
    assert companion("campaign", "--json").json["settings"]["setting.wounds"] is None
    assert "not asked yet" in companion("campaign").out
    assert companion("set", *[f"{name}={value}" for name, value in REPLIES.items()]).code == 0
    for _ in range(2):
        assert companion("mission", "start", "--yes", "--game", variant).code == 0
        facts = companion("status", "--json").json["facts"]
        assert {name: facts[name] for name in REPLIES} == REPLIES
    report = companion("campaign", "--json").json["settings"]
    assert {name: report[name] for name in REPLIES} == REPLIES
    assert "not asked yet" not in companion("campaign").out
    assert companion("set", "setting.wounds=worse").code == 0
    assert companion("campaign", "--json").json["settings"]["setting.wounds"] == "worse"


OVER_JAPAN = (
    "mission.number=12 mission.time=day mission.altitude=med target.city=kobe target.type=industrial target.zone=12 "
    "zone=11 turn=11 altitude=med pressurized=yes formation=in weather=good fuel.wing=20 zone.turns=1 moved=yes"
)


def write(mission: Mission, *more: str) -> None:
    for line in more:
        mission.write(mission.game.sheet.given(line.split()))


def flying(pack: Pack, *more: str) -> Mission:
    """Return a day mission over Japan, in formation."""
    mission = Mission(pack, number=1)
    write(mission, OVER_JAPAN, *more)
    return mission


FIGHTER = "slots.fighter=1 fighter.1.type=zeke fighter.1.angle=level fighter.1.hit=no"


def script(mission: Mission, *lines: str) -> None:
    """Fly through these answers: each must be asked for, in this order."""
    fly(mission, Script("\n".join(lines)), go_on=False)


def combat(mission: Mission, clock: str, *lines: str, step: str = "evasion") -> None:
    """Return a new combat with one Zeke from that direction, starting after that step."""
    mission.pending.clear()
    write(mission, f"{FIGHTER} fighter.1.clock={clock} round=0 came.1=0 step={step}")
    script(mission, *lines)


def next_asked(mission: Mission) -> str:
    """Return the next question, or nothing."""
    return "" if mission.waiting() is None else Moment(mission).asked


MARKED = {  # the tables of 2.2 B-D, 2.3 D, 3.1, 3.2, 4.3, 4.5, 4.6, 5.8, 6.3 B, 9.2
    *("2.2B", "2-2A", "2-2B", "2-2C", "2-2D", "2-2E", "2-7", "3-1", "3-2", "4.3A", "4.3A.guns", "4.3A.gunners", "4-1"),
    *("4-4", "4-5", "4-6", "4-7", "4-8", "4.6", "4-9", "5-14", "5-15", "6-8", "6-9", "9-1"),
    *("fuel-box", "evade", "evade-flak", "evade-lights", "lost-way"),  # 4.3, 5.7, 4.5 C
}


@pytest.mark.slow
@pytest.mark.parametrize("game", slow_but(["b29", "b29-streamliner"], 1))
def test_without_the_marked_steps_none_of_them_is_taken(game: str) -> None:
    pack, flak = Pack(game), []
    for seed in range(12):
        mission = begun(pack, {"mission.number": 1 + seed, "setting.steps": "without"})

        def look(_: list[Result], mission: Mission = mission) -> None:
            assert fact(mission, "fuel.wing") == 0
            assert fact(mission, "course") == "on"

        fly(mission, Chance(random.Random(seed)), each=look)
        taken = [each.get("t") for each in mission.journal.entries]
        assert not MARKED & set(taken), f"seed {seed}"
        assert fact(mission, "takeoff.time") == fact(mission, "landing.time") == fact(mission, "mission.time") == "day"
        flak.append(taken.count("6-2"))
    assert max(flak) == 1  # nothing more after bombs away (6.4)


ANSWERED = f"{OVER_JAPAN} {FIGHTER} fighter.1.clock=6 round=1 step=answer-fire "
MOST = ANSWERED + "fighter.1.hit=yes setting.comes-back=all setting.attacks={} came.1={}"
STORM = OVER_JAPAN + " zone=4 formation=out setting.steps={} roll=4-2"
NIGHT_ROW = OVER_JAPAN + (
    " mission.number=4 mission.time=night mission.altitude=lo altitude=lo pressurized=no zone=12 step=event "
    "formation=none setting.steps={}"
)


@pytest.mark.section("b29 4-2", "b29 5.8 B", "b29 4.3 A", "b29 4-3")
@moments(
    ("a box steers round a storm", STORM.format("all"), "4-2: 6,6", "asked=detour"),
    ("without fuel none does", STORM.format("without"), "4-2: 6,6", "asked=4-3"),
    ("of three attacks the second has a third after it", MOST.format(3, 1), "", "asked=5-13"),
    ("the third is the last", MOST.format(3, 2), "", "asked!=5-13"),
    ("of two the second", MOST.format(2, 1), "", "asked!=5-13"),
    ("of one the first", MOST.format(1, 0), "", "asked!=5-13"),
    ("a player may want to be asked about each", ANSWERED + "setting.comes-back=ask", "", "asked=come-back"),
    ("and send it away", ANSWERED + "setting.comes-back=ask", "come-back: no", "fighters=0"),
    ("by night fighters come", NIGHT_ROW.format("all"), "", "asked=5-1"),
    ("a night row of 2-1 without the marked steps brings none", NIGHT_ROW.format("without"), "", "asked=6-1"),
    ("by day they come without them too", OVER_JAPAN + " step=event setting.steps=without", "open-up: no", "asked=5-1"),
    ("a tail wind homeward saves a box", DAY + "zone=5 turn=6 altitude=hi leg=inbound fuel.wing=5 roll=4-2", "4-2: 1,1",
     "fuel.wing=4 weather=good"),
)  # fmt: skip
def test_storms_and_further_attacks(b29: Pack, sheet: str, flown: str, then: str) -> None:
    check(b29, sheet, flown, then)


@pytest.mark.section("b29 4.3 A", "b29 4.3 A climb")
@pytest.mark.parametrize(("steps", "box"), [("all", True), ("without", False)])
def test_without_the_marked_steps_wind_and_climb_cost_no_box(b29: Pack, steps: str, box: bool) -> None:
    windy = set_up(b29, DAY + f"zone=5 turn=6 altitude=hi setting.steps={steps}", "4-2").fly("4-2: 1,1")
    assert (windy["fuel.wing"], "box" in windy.results[0].text) == (int(box), box)
    low = set_up(b29, DAY + f"zone=5 turn=6 leg=outbound formation=out altitude=lo setting.steps={steps}")
    climb = {each.name: each.text for each in low.mission.options(Pending.of({"choose": "altitude", "bind": {}}))}[
        "med"
    ]
    assert ("two boxes" in climb) == box


@pytest.mark.slow
def test_with_them_they_are_all_met(b29: Pack) -> None:
    met: set[str] = set()
    for seed in range(60):
        mission = begun(b29, {"mission.number": 1 + seed % 35})
        fly(mission, Chance(random.Random(seed)))
        met |= {str(each.get("t")) for each in mission.journal.entries}
    assert not MARKED - {"4-1", "6-9", "2-2D", "2-2E"} - met  # two are rare, two lists the automatic player never draws


def test_the_first_mission_asks_which_steps_and_the_second_does_not(companion: Run) -> None:
    companion("new", "Owls", "--game", "b29", "--yes")
    terminal = Terminal("mission", "start").expect("Steps marked Ω")
    terminal.say("without", "the sheet is ready")
    assert "Options: Steps marked Ω (beginners may skip them): without\n" in companion("mission", "start").out
    assert companion("status", "--json").json["facts"]["setting.steps"] == "without"


def test_ammunition_that_counts_runs_out(b29: Pack) -> None:
    mission = flying(b29)
    many = {"tail": 1, "aft-lower": 0}
    boxes = [f"setting.boxes.{gun}: {many.get(gun, 9)}" for gun in b29.sheet.index["gun"] if gun != "cannon"]
    # A fighter from 6 level: aft lower and tail bear (5-6). No cannon after Mission 10, so no boxes are asked for it.
    first = ["ammunition: counted", *boxes, "aim aft-lower: 1-cfc", "aim tail: 1-tail-gunner", "5-5: 4,4"]
    combat(mission, "6", *first, "5-7 aft-lower: 3,3", "5-7 tail: 1,2", "5-9: 1,1", "comes-back: nobody")
    assert (fact(mission, "ammo.aft-lower"), fact(mission, "ammo.tail")) == (1, 1)
    combat(mission, "6", "aim aft-lower: 1-cfc", "5-5: 4,4", "5-7 aft-lower: 3,3", "5-9: 1,1")
    assert (fact(mission, "ammo.aft-lower"), fact(mission, "ammo.tail")) == (2, 1)  # 0 boxes: no limit


def rolled(mission: Mission, table: str, *dice: int, outcome: str | None = None, **given: Value) -> str:
    """Roll a table and return its result in words."""
    facts = {name.replace("__", "."): value for name, value in given.items()}
    return mission.roll(table, Hand([list(dice)] if dice else []), facts, outcome=outcome)[0].outcome


@pytest.mark.section("b29 5-14 b")
@pytest.mark.parametrize(("boxes", "offered"), [(1, ""), (2, "searchlight-shot")])
def test_the_shot_at_a_light_needs_a_box_in_both_lower_turrets(b29: Pack, boxes: int, offered: str) -> None:
    mission = Mission(b29, number=1)
    write(mission, "mission.time=night squadron=low setting.ammunition=counted ammo.aft-lower=1 ammo.fwd-lower=1")
    write(mission, f"setting.boxes.aft-lower={boxes} setting.boxes.fwd-lower=9")
    assert rolled(mission, "5-14", 6, 6) == "fixed"
    assert next_asked(mission) == offered


@pytest.mark.section("b29 5.3 D")
@pytest.mark.parametrize(
    ("reply", "lines"),
    [
        ("after", ["aim tail: 1-passing", "5-5: 4,4", "5-9: 1,1", "5-7 tail: 5,5"]),
        ("with-others", ["aim tail: 1-passing", "5-5: 4,4", "5-7 tail: 5,5", "5-9: 1,1"]),
        ("no", ["5-5: 4,4", "5-9: 1,1"]),
    ],
)
def test_passing_shots_are_played_as_said_and_asked_about_once(b29: Pack, reply: str, lines: list[str]) -> None:
    mission = flying(b29, "setting.ammunition=uncounted setting.comes-back=nobody")
    held = ["aim fwd-upper: hold", "aim fwd-lower: hold"]  # 12 level: the forward turrets bear (5-6)
    combat(mission, "12", f"passing-shots: {reply}", *held, *lines)
    assert fact(mission, "setting.passing-shots") == reply
    combat(mission, "12", *held, *lines)
    fired = [each for each in mission.journal.entries if each.get("t") == "5-7"]
    assert [each["o"] for each in fired] == ["miss"] * len(fired)  # 10 - 1 in passing is no hit (5-7)


@pytest.mark.parametrize(
    ("reply", "formation", "hit", "back"),
    [
        ("as-b17", "in", "no", False),  # B-17 6.5 a
        ("as-b17", "in", "yes", True), ("as-b17", "out", "no", True),  # B-17 13.1 c
        ("hits", "out", "no", False), ("hits", "out", "yes", True), ("all", "in", "no", True),
        ("nobody", "out", "yes", False),
    ],
)  # fmt: skip
def test_fighters_come_back_as_was_said_once(b29: Pack, reply: str, formation: str, hit: str, back: bool) -> None:
    mission = flying(b29, f"formation={formation}", f"{FIGHTER} fighter.1.clock=6 fighter.1.hit={hit}")
    write(mission, "round=1 step=answer-fire")
    mission.advance()
    script(mission, f"comes-back: {reply}", *(["setting.attacks: 3"] if reply != "nobody" else []))
    assert (next_asked(mission) == "5-13") is back
    write(mission, f"{FIGHTER} fighter.1.clock=6 fighter.1.hit={hit} came.1=0 round=1")
    mission.pending.clear()
    write(mission, "step=answer-fire")
    mission.advance()
    assert (next_asked(mission) == "5-13") is back


def orders(mission: Mission) -> list[str]:
    return [item.name for item in mission.pending if item.kind == "order"]


def rammed(pack: Pack, *more: str) -> Mission:
    """Return the fate of a rammer: one that survives continues; 12 strikes (5-3 c)."""
    mission = flying(pack, f"{FIGHTER} fighter.1.clock=12 fighter.1.ramming=yes round=1 step=night-dodge", *more)
    script(mission, "5-3.c: 6,6")
    return mission


@pytest.mark.section("b29 5-3 c")
def test_a_rammer_that_strikes_does_what_was_said(b29: Pack) -> None:
    mission = rammed(b29)
    script(mission, "collision: bail-out")
    assert next_asked(mission).startswith(("8-5", "8-2", "8.5", "7-11"))
    assert fact(mission, "bomber.fate") == "destroyed"
    mission = rammed(b29, "setting.collision=all-lost")
    assert (fact(mission, "crew.alive"), fact(mission, "bomber.fate")) == (0, "destroyed")
    mission = rammed(b29, "setting.collision=own-book")
    assert orders(mission) == ["Apply the mid-air collision in 5.5 of your rulebook"]
    assert (fact(mission, "fighters"), fact(mission, "bomber.fate")) == (0, "none")


@pytest.mark.section("b29 5.3 D", "b29 5-3 c")
@pytest.mark.parametrize("aim", ["aim.tail=1 aim.tail.by=passing", ""])
def test_a_rammer_that_misses_goes_by_the_tail_guns(b29: Pack, aim: str) -> None:
    rammer = f"{FIGHTER} fighter.1.clock=12 fighter.1.ramming=yes round=1 step=night-dodge"
    mission = flying(b29, rammer, f"setting.passing-shots=after {aim}")
    script(mission, "5-3.c: 2,2")
    mission.advance()
    assert (next_asked(mission) == "5-7") == bool(aim)
    if aim:
        script(mission, "5-7: 1,2")
        mission.advance()
    assert fact(mission, "fighters") == 0
    assert next_asked(mission) != "come-back"


def counting(pack: Pack, mission: Mission, table: str) -> list[str]:
    return [each.modifier.id for each in pack.table(table).applying(Facts(pack.sheet, mission.state))]


@pytest.mark.parametrize("game", ["b29", "b29-streamliner"])
@pytest.mark.parametrize(("reply", "helps"), [("stays", True), ("leaves", False)])
def test_the_escort_of_a_bomber_out_of_formation(game: str, reply: str, helps: bool) -> None:
    pack = Pack(game)
    mission = flying(pack, "escort=p51")
    assert "p51" in counting(pack, mission, "5-1")
    write(mission, "formation=out")
    assert next_asked(mission) == "escort-out"
    script(mission, f"escort-out: {reply}")
    assert ("p51" in counting(pack, mission, "5-1")) is helps
    write(mission, "formation=in")
    assert "p51" in counting(pack, mission, "5-1")
    write(mission, "formation=out")
    assert next_asked(mission) == ""
    assert ("p51" in counting(pack, mission, "5-1")) is helps


def wounded(mission: Mission, *wounds: str, reply: str = "") -> str:
    """Return a man's state after these wounds; the question comes with the second."""
    for number, wound in enumerate(wounds):
        rolled(mission, "7-13", 3, 4, outcome=wound, position="cfc")
        if number == 1 and reply:
            script(mission, f"wounds: {reply}")
        assert mission.waiting() is None
    return str(fact(mission, "crew.cfc"))


@pytest.mark.parametrize(
    ("wounds", "worse", "as_b17"),  # B-17, note a of the wounds table
    [(["light", "light"], "light", "light"), (["light"] * 3, "light", "serious"), (["light"] * 4, "light", "kia"),
     (["light", "serious"], "serious", "kia"), (["serious", "light"], "serious", "kia"),
     (["serious", "serious"], "serious", "kia")],
)  # fmt: skip
def test_a_further_wound_is_worked_as_was_said_once(b29: Pack, wounds: list[str], worse: str, as_b17: str) -> None:
    assert wounded(flying(b29), *wounds, reply="worse") == worse
    assert wounded(flying(b29), *wounds, reply="as-b17") == as_b17
    mission = flying(b29, "setting.wounds=own-book")
    wounded(mission, *wounds)
    assert "Central fire controller: apply the note on further wounds on your 7-13" in orders(mission)


@pytest.mark.parametrize(
    ("lost", "open_case"),
    [
        ("zone=0 leg=outbound bomber.fate=destroyed", True),  # at take-off
        ("zone=0 leg=inbound bomber.fate=abandoned", True),  # over the base
        ("zone=6 leg=inbound below=iwo-jima bomber.fate=abandoned", True),  # over Iwo Jima
        ("zone=12 leg=outbound bomber.fate=destroyed", False),  # 9.3 B from here on
        ("zone=5 leg=inbound bomber.fate=ditched", False),
        ("zone=12 leg=inbound below=land bomber.fate=abandoned", False),
        ("zone=0 leg=inbound bomber.fate=wrecked", False),
    ],
)
def test_a_loss_that_the_list_does_not_name_counts_as_was_said_once(b29: Pack, lost: str, open_case: bool) -> None:
    for reply, result in (("draw", "draw"), ("defeat", "defeat")):
        mission = flying(b29, lost, "step=landing-base")
        mission.advance()
        assert (next_asked(mission) == "losses") is open_case
        if open_case:
            script(mission, f"losses: {reply}")
        assert fact(mission, "mission.result") == (result if open_case else "defeat")
    mission = flying(b29, lost, "setting.losses=defeat", "step=landing-base")
    mission.advance()
    assert next_asked(mission) != "losses"
    assert fact(mission, "mission.result") == "defeat"


@pytest.mark.section("b29 5-11")
def test_the_lost_row_of_5_11_is_asked_for_once(b29: Pack) -> None:
    mission = flying(b29, f"{FIGHTER} fighter.1.clock=12")
    with asks(RowQuestion):
        rolled(mission, "5-11", 2, 2, fighter="1")
    assert rolled(mission, "5-11", 2, 2, outcome="tail", fighter="1") == "tail"
    assert fact(mission, "book.5-11.level") == "tail"
    mission.pending.clear()
    assert rolled(mission, "5-11", 1, 3, fighter="1") == "tail"
    assert next_asked(mission) == "5-12"
    assert rolled(mission, "5-11", 1, 4, fighter="1") == "fwd-bomb-bay"  # the other rows stay
    assert rolled(mission, "5-11", 2, 2, fighter__clock="12", fighter__angle="low") == "superficial"


@pytest.mark.section("b29 7-1")
def test_each_roll_for_the_nose_gear_is_asked_for_once(b29: Pack) -> None:
    mission = flying(b29)
    with asks(RowQuestion):
        rolled(mission, "7-1.gear", 3)
    rolled(mission, "7-1.gear", 3, outcome="damaged")
    assert (fact(mission, "gear.nose"), fact(mission, "book.7-1.gear.3")) == ("damaged", "damaged")
    write(mission, "gear.nose=ok")
    assert rolled(mission, "7-1.gear", 3) == "damaged"
    with asks(RowQuestion):
        rolled(mission, "7-1.gear", 4)
    rolled(mission, "7-1.gear", 4, outcome="drops")
    write(mission, "gear.nose=ok gear.drag=no")
    assert rolled(mission, "7-1.gear", 4) == "drops"
    assert (fact(mission, "gear.nose"), fact(mission, "gear.drag")) == ("hanging", "yes")
