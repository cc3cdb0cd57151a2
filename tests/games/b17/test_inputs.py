"""At the table: how many lines a player types and reads, the status line, questions asked once, limits of Enter."""

import random
import textwrap
from typing import Any

import pytest

from companion.engine.facts import Facts
from companion.engine.fields import Value
from companion.engine.questions import Pending
from companion.packs import Pack
from companion.play.conversation import move
from companion.play.mission import Mission
from companion.store.session import Session
from tests.games.b17.table import BREMEN, NO_GUNS, OVER_BREMEN, OVER_LILLE
from tests.screens import Recorded, played
from tests.support import MISSIONS, Moment, Prompts, after_step, asked, begun, prompted, set_up

# B-3, row 25, and the one that joins the lead bomber (Mission Chart)
SIX = [("fw190", "12", "high"), ("fw190", "1:30", "high"), ("fw190", "3", "high"), ("fw190", "6", "high"),
       ("fw190", "9", "high"), ("me109", "12", "high")]  # fmt: skip


def wave(pack: Pack, *fighters: tuple[str, str, str], **facts: Value) -> Mission:
    """Return a bomber over Bremen attacked by these fighters before any shot."""
    mission = Mission(pack, number=1)
    board: dict[str, Value] = {
        f"fighter.{at}.{key}": value
        for at, each in enumerate(fighters, 1)
        for key, value in zip(("type", "clock", "angle"), each, strict=True)
    }
    board |= {name.replace("__", "."): value for name, value in facts.items()}
    mission.write({**OVER_BREMEN, "step": "dodge", "slots.fighter": len(fighters), **board})
    return mission


def rows(shown: str) -> list[str]:
    """Return the number of rows on an 80-column terminal."""
    return [row for line in shown.splitlines() for row in textwrap.wrap(line, 80) or [""]]


def aims(mission: Mission) -> dict[str, str]:
    """Return the target of each gun, with `passing` for a passing shot."""
    state = mission.state
    return {
        gun: str(state[f"aim.{gun}"]) + (" passing" if state[f"aim.{gun}.as"] == "passing" else "")
        for gun in mission.game.sheet.index["gun"]
        if state.get(f"aim.{gun}", "") != ""
    }


@pytest.mark.section("b17 6.3 a")
def test_a_pass_of_six_fighters(pack: Pack) -> None:
    player = Prompts(wave(pack, *SIX))
    typed = ["1111111 111111"]  # as planned, seven guns, six fighters: all miss, and all turn away
    shown, _, _ = player.type(*typed).partition("O-2 Flak")  # they have gone
    done = [entry["t"] for entry in player.mission.journal.entries]
    assert (done.count("M-1"), done.count("M-3")) == (7, 6)
    assert len(rows(shown)) <= 21, shown
    assert player.mission.state["step"] not in ("allocate", "fire", "offense")


@pytest.mark.slow
@pytest.mark.section("b17 II *")
def test_the_sample_mission_is_typed_in_few_lines(pack: Pack) -> None:
    mission = begun(pack, {"mission.number": 11, "aircraft.name": "Miss Cue"})
    script = (MISSIONS / "b17" / "miss-cue.txt").read_text(encoding="utf-8")
    player = Recorded(mission, Session(mission), script)
    *screens, _ = played(player).screens
    assert mission.state["bomber.fate"] == "returned" and player.script.at == len(player.script.lines)
    assert len(screens) <= 60  # 129 where each die and each decision had a line
    assert max(len(rows("\n".join([*each.lines, each.question]))) for each in screens) <= 20  # between two of them


# -- the plan that is proposed (9.0) -----------------------------------------------------------------------------------


@pytest.mark.section("b17 9.0", "b17 9.1", "b17 9.2")
@pytest.mark.parametrize(
    ("fighters", "facts", "plan"),
    [
        # step 6.7 of the booklet's mission: no fighter is left out; two guns hit the Me 110 on a 3
        ([("fw190", "12", "high"), ("fw190", "12", "low"), ("me109", "1:30", "level"), ("me110", "6", "low")], {},
         {"nose": "2", "starboard-cheek": "3", "top": "1", "ball": "4", "tail": "4"}),
        # its step 9.4: what only one gun reaches is left to that one
        ([("me109", "12", "low"), ("me109", "12", "level"), ("me109", "12", "high"), ("me109", "9", "high")], {},
         {"nose": "2", "top": "3", "ball": "1", "port-waist": "4", "tail": "1 passing"}),
        # the only man in the nose takes the gun beside which no other fires
        ([("me109", "10:30", "level"), ("me109", "12", "high")], {"crew__bombardier": "serious"},
         {"port-cheek": "1", "top": "2", "tail": "1 passing"}),
        # the last three bursts are not spent where another gun fires
        ([("me109", "12", "high")], {"ammo__top": 13, "intercom": "out"}, {"nose": "1"}),
        ([("me109", "12", "high")], {"ammo__top": 12, "intercom": "out"}, {"nose": "1", "top": "1"}),
    ],
)  # fmt: skip
def test_what_enter_takes(
    pack: Pack, fighters: list[tuple[str, str, str]], facts: dict[str, Value], plan: dict[str, str]
) -> None:
    mission = wave(pack, *fighters, **facts)
    at_the_first_shot(mission)
    assert aims(mission) == plan


def at_the_first_shot(mission: Mission) -> None:
    """Return the moment after everybody has taken the default target."""
    from companion.play.conversation import Chance

    by = Chance(random.Random(1))
    while "M-1" not in asked(mission):
        move(mission, by)


@pytest.mark.section("b17 M-1")
def test_what_a_gun_reaches_is_what_the_card_says(pack: Pack) -> None:
    clocks = [(clock, angle) for clock in ("12", "1:30", "3", "6", "9", "10:30") for angle in ("high", "level", "low")]
    for clock, angle in [*clocks, ("dive", "none"), ("climb", "none")]:
        board: dict[str, Value] = {
            "slots.fighter": 1, "fighter.1.type": "me109", "fighter.1.clock": clock, "fighter.1.angle": angle,
        }  # fmt: skip
        for gun in pack.sheet.index["gun"]:
            for note in ("none", "b"):
                facts = Facts(pack.sheet, {**board, "fighter.1.note": note}, {"gun": gun, "fighter": "1"})
                assert facts[f"reach.{gun}.1"] == facts["bears"], (gun, clock, angle, note)


AT_12 = {"slots.fighter": 1, "fighter.1.type": "me109", "fighter.1.clock": "12", "fighter.1.angle": "high"}
ONLY_TAIL = {gun: state for gun, state in NO_GUNS.items() if gun != "gun.tail"}


def pending(pack: Pack, sheet: dict[str, Any], *items: Pending) -> Mission:
    """Return a mission with these facts and only these pending things."""
    mission = begun(pack, sheet)
    mission.pending = [item._replace(born=1) for item in items]
    return mission


# -- the line of the state ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sheet", "line"),
    [
        ({}, "Zone 7 out · over Bremen"),
        ({"zone": 5, "leg": "inbound", "bombs": "dropped"}, "Zone 5 home · bombs off target, 0%"),
        ({"zone": 4, "altitude": "low", "formation": "out", "zone.turns": 2},
         "Zone 4 out · turn 2 here · 10,000 ft · out of formation"),
        ({"engine.3": "out", "bombs": "jettisoned", "formation": "in"},
         "Zone 7 out · over Bremen · engine 3 out · bombs jettisoned"),
        ({"crew.copilot": "light", "crew.tail-gunner": "serious", "crew.navigator": "kia"},
         "Zone 7 out · over Bremen · navigation lost · 2 wounded · 1 dead"),
        ({"gun.tail": "jammed", "gun.nose": "broken", "ammo.ball": 20, "ammo.top": 14},
         "Zone 7 out · over Bremen · guns out: Nose gun, Tail guns"
         " · few bursts: Top turret 2 · no bursts: Ball turret"),
        ({"fuel.short": "yes", "fuel.turns": 1, "tank.inboard.port": "leaking"},
         "Zone 7 out · over Bremen · fuel for 1 turn"),
        ({"intercom": "out", "bombsight": "out", "heat.tail-gunner": "out", "oxygen.tail-gunner": 2},
         "Zone 7 out · over Bremen · no oxygen for 1 · no heat for 1 · intercom out · Norden sight out · 2 orders (n)"),
        ({"gear.port": "out"}, "Zone 7 out · over Bremen · landing -3"),
        ({"bomber.fate": "abandoned", "crew.pilot": "kia"}, "Zone 7 out · over Bremen · bomber abandoned"),
    ],
)  # fmt: skip
def test_the_line_of_the_state(pack: Pack, sheet: dict[str, Any], line: str) -> None:
    mission = begun(pack, {**OVER_BREMEN, **sheet})
    mission.pending = [each for each in mission.pending if each.kind == "order"]
    mission.pending.append(Pending.of({"roll": "O-1", "bind": {}, "born": 1}))
    shown = " ".join(Prompts(mission).type().split())
    assert f"══ {line} O-1" in shown or f"══ {line} ── " in shown


# -- declined choices are offered again after a change -----------------------------------------------------------------


@pytest.mark.section("b17 14.1")
@pytest.mark.parametrize(
    ("sheet", "asks"),
    [
        ({"crew.bombardier": "serious"}, True),
        ({"crew.bombardier": "serious", "gun.nose": "broken"}, False),  # no gun is idle without him
        ({"crew.tail-gunner": "kia", "ammo.tail": 23}, False),
        # 14.0: a seriously wounded man is where there is heat
        ({"crew.bombardier": "serious", "gun.nose": "broken", "heat.bombardier": "out"}, True),
        ({"crew.copilot": "kia"}, False),  # 14.2 d: nobody leaves for the cockpit
    ],
)
def test_a_move_is_asked_where_it_helps(pack: Pack, sheet: dict[str, Any], asks: bool) -> None:
    moment = after_step(pack, "no-engine-1", {**OVER_LILLE, "fought": "yes", **sheet})
    assert (moment.asked == "crew-move") == asks


@pytest.mark.section("b17 13.2 c", "b17 11.0", "b17 12.1", "b17 9.4")
@pytest.mark.parametrize(
    ("step", "sheet", "choice", "no", "worse"),
    [("lost-3", {"formation": "out", "bombs": "aboard"}, "jettison", "no", {"engine.1": "out"}), ("height",
     {"heat.tail-gunner": "out", "cold.tail-gunner": 2, "moved": "yes"}, "altitude", "stay",
     {"heat.ball-gunner": "out"}), ("height", {"altitude": "low", "formation": "out"}, "climb", "stay",
     {"crew.pilot": "light"}), ("quiet", {"ammo.top": 16}, "lend", "none", {"ammo.tail": 23})],
)  # fmt: skip
def test_what_was_refused_waits_until_something_changes(
    pack: Pack, step: str, sheet: dict[str, Any], choice: str, no: str, worse: dict[str, Any]
) -> None:
    state = {**BREMEN, "turn": 5, "zone": 5, "zone.turns": 1, "bombs": "dropped", "leg": "inbound", **sheet}
    before = {"lost-3": "low-flak-over", "height": "stay", "quiet": "more-waves"}[step]
    first = after_step(pack, before, {**state, "step": before})
    while first.asked != choice:
        assert first.asked in ("change-places", "crew-move"), first.asked
        first.fly("change-places: stay\n" if first.asked == "change-places" else "crew-move: nobody\n")
    first.fly(f"{choice}: {no}\n")
    refused = {f"{choice}.answered": first[f"{choice}.answered"]}
    assert choice not in choices_after(pack, before, {**state, **refused})
    assert choice in choices_after(pack, before, {**state, **refused, **worse})


@pytest.mark.section("b17 10.1", "b17 13.2 c")
def test_bombs_kept_on_three_engines_are_not_asked_for_at_once(pack: Pack) -> None:
    state = {**BREMEN, "turn": 3, "zone": 3, "zone.turns": 1, "bombs": "aboard", "engine.1": "out"}
    first = after_step(pack, "cover", {**BREMEN, "turn": 3, "zone": 3, "zone.turns": 1})
    first.mission.write({"engine.1": "out"})
    first.fly("B-1: 1\none-engine: keep\n")
    assert first["formation"] == "out"
    kept = {"formation": "out", "jettison.answered": first["jettison.answered"]}
    assert choices_after(pack, "low-flak-over", {**state, **kept}) != ["jettison"]
    assert choices_after(pack, "low-flak-over", {**state, **kept, "crew.tail-gunner": "light"}) == ["jettison"]


def choices_after(pack: Pack, step: str, sheet: dict[str, Any]) -> list[str]:
    """Return the questions after a step, up to the first roll, if everybody stays in place."""
    moment, asked = after_step(pack, step, sheet), []
    while moment.asked in ("change-places", "crew-move"):
        asked.append(moment.asked)
        moment.fly("change-places: stay\n" if moment.asked == "change-places" else "crew-move: nobody\n")
    return [*asked, moment.asked]


# -- questions with one sensible answer --------------------------------------------------------------------------------


@pytest.mark.section("b17 6.2")
def test_fighters_to_drive_off_are_asked_for_only_if_some_stay(pack: Pack) -> None:
    two = {"slots.fighter": 2, "fighter.1.type": "me109", "fighter.1.clock": "12", "fighter.1.angle": "high",
           "fighter.2.type": "fw190", "fighter.2.clock": "6", "fighter.2.angle": "low"}  # fmt: skip
    sheet = " ".join(f"{name}={value}" for name, value in {**OVER_LILLE, **two, "zone": 4, "cover": "good"}.items())
    moment = set_up(pack, sheet, "M-4")
    moment.fly("M-4: 3\n")  # good, 3: two
    assert (moment["fighters"], "driven-off" in moment.tables) == (0, False)
    moment = set_up(pack, sheet, "M-4")
    moment.fly("M-4: 1\n")  # one of them, and Enter takes the one to be feared most
    assert (moment.asked, moment.options) == ("driven-off", ["2", "1"])


# -- what Enter never does ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("choice", "sheet"),
    [("one-engine", {"engine.1": "out", "turn": 0}), ("loose-gear",
     {"engine.1": "out", "engine.2": "out", "engine.3": "out", "turn": 0}), ("jettison", {"formation": "out"}),
     ("jettison", {"formation": "out", "step": "forced-down"}), ("forced-down", {"land.below": "f", "zone": 5}),
     ("nobody-flies", {})],
)  # fmt: skip
def test_enter_takes_nothing_that_cannot_be_taken_back(pack: Pack, choice: str, sheet: dict[str, Any]) -> None:
    mission = pending(pack, {**BREMEN, "zone": 5, "zone.turns": 1, **sheet}, Pending.of({"choose": choice}))
    stand = mission.journal.position
    assert "no default" in prompted(mission, "").question
    assert mission.journal.position == stand


# -- what vanishes says why --------------------------------------------------------------------------------------------


@pytest.mark.section("b17 9.2")
@pytest.mark.parametrize(
    ("sheet", "why"),
    [
        ({"intercom": "out"}, "the intercom is out"),
        ({"gun.tail": "broken"}, "they can no longer fire"),
        ({"fighter.1.type": "none"}, "fighter 1 is gone"),
    ],
)
def test_a_passing_shot_that_falls_away_says_why(pack: Pack, sheet: dict[str, Any], why: str) -> None:
    shot = {"aim.tail": "1", "aim.tail.as": "passing", "pass": 1, "fought": "yes", "cover.rolled": "yes"}
    moment = after_step(pack, "lost-1", {**OVER_LILLE, **AT_12, **ONLY_TAIL, **shot, **sheet})
    notes = [text for each in moment.results for text, _ in each.notes]
    assert f"No passing shot from the tail guns: {why}" in notes
    assert "M-1" not in moment.tables


@pytest.mark.section("b17 10.3", "b17 10.4", "b17 BL-1 g")
@pytest.mark.parametrize(
    ("sheet", "why"),
    [({"engine.1": "out", "engine.2": "out", "engine.3": "out", "engine.4": "out"}, "no engine runs"),
     ({"fuel.short": "yes", "fuel.turns": 0}, "the fuel is used up"), ({"engine.1": "out", "engine.2": "out",
     "engine.3": "out", "glide": 0, "zone.turns": 2}, "one engine carries us no further")],
)  # fmt: skip
def test_down_here_says_why(pack: Pack, sheet: dict[str, Any], why: str) -> None:
    moment = Moment(Mission(pack))
    moment.mission.write(
        {**BREMEN, "turn": 8, "zone": 5, "leg": "inbound", "zone.turns": 1, "bombs": "dropped", **sheet}
    )
    moment.take_up({"step": "turn"})
    assert f"Down in Zone {moment['zone']}: {why}" in [each.title for each in moment.results]


@pytest.mark.section("b17 6.2")
def test_no_cover_written_by_hand_in_zone_3_is_asked_for_before_the_wave(pack: Pack) -> None:
    attacker = {"fighter.1.type": "me109", "fighter.1.clock": "6", "fighter.1.angle": "high"}
    mission = begun(pack, {**OVER_LILLE, **attacker, "slots.fighter": 1, "cover": "none", "step": "dodge"})
    mission.pending = [Pending.of({"roll": "M-4", "bind": {}, "born": 1})]
    assert prompted(mission, "none", "poor", "3").asked[:2] == ["Fighter cover (poor, fair or good): "] * 2
    assert (mission.state["cover"], mission.state["cover.rolled"]) == ("poor", "yes")  # poor, 3: nobody
