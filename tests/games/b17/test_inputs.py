"""At the table: how many lines a player types and reads, in a big wave and in the whole sample mission."""

import random
import textwrap

import pytest

from companion.engine.facts import Facts
from companion.engine.fields import Value
from companion.packs import Pack
from companion.play.conversation import move
from companion.play.mission import Mission
from companion.store.session import Session
from tests.games.b17.table import OVER_BREMEN
from tests.screens import Recorded, played
from tests.support import MISSIONS, Prompts, asked, begun

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
    player = Recorded(mission, Session(pack, mission), script)
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
