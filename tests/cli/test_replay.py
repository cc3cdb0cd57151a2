"""`log --replay`: the script of any journal produces the same journal again."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from companion.engine.dice import Hand
from companion.engine.pending import Pending
from companion.packs import Pack
from companion.play.conversation import Chance, move
from companion.play.dice_tray import Tray
from companion.play.mission import Mission
from companion.play.moving import moved
from companion.play.phrases import marks
from companion.play.replay import reroll_last
from companion.play.script import Script, lines
from companion.problems import UserError
from tests.support import Run, begin, fly, slow_but

BY_HAND: dict[str, dict[str, Any]] = {
    "b29": {
        "names": ["name.pilot", "aircraft.name"],
        "facts": ["weather=poor", "altitude=hi", "engine.2=out", "engine.3=out", "zone=4", "fighter.1.type=frank"],
        "boxes": ["fuel.wing", "oxygen.pilot", "wounds.cfc"],
        "marks": ["tail guns jammed", "wing tanks +1", "CFC lightly wounded", "fighter.1.type=none", "bombs=dropped"],
        "rolls": [
            ("5-1", [3, 4]), ("7-1", [2, 3]), ("5-9", [4, 4]), ("7-12", [3, 4]), ("4-2", [6, 6]), ("6-7", [3, 4]),
        ],
        "given": ["fighter.clock=6 fighter.pilot=ace", "weather=bad", "zone=9", "position=pilot"],
    },
    "b17": {
        "names": ["name.pilot", "aircraft.name"], "facts": ["weather=poor", "engine.1=out", "zone=3", "altitude=low"],
        "boxes": ["oxygen.pilot", "wounds.navigator"],
        "marks": ["tail gun jammed", "intercom out", "crew.pilot=kia", "rabbits-feet=2", "fighter.1.type=none"],
        "rolls": [("B-1", [3]), ("P-1", [2, 3]), ("O-1", [5, 5]), ("BL-4", [3]), ("G-9", [1, 3])],
        "given": ["zone=2", "weather=bad", "gun=tail"],
    },
    "bombs-away": {"names": [], "facts": [], "boxes": [], "rolls": [], "given": [""]},
}  # fmt: skip
NAMES = ["Dan Kerr", "R#2", "R # 2", "a=b", "Łódź", "x zone=3", "=", "# none", "Ann  # two"]


def anything(mission: Mission, by: Chance, rng: random.Random, game: str) -> None:
    """Make one random move: mostly fly on, sometimes something by hand."""
    hand, sheet = BY_HAND[game], mission.game.sheet
    what = rng.random()
    if what < 0.6 or not hand["rolls"]:
        move(mission, by)
    elif what < 0.66:
        moved(mission, *rng.sample(list(sheet.index["position"]), 2))
    elif what < 0.69:
        mission.write(dict(marks(mission, rng.choice(hand["marks"]))))
    elif what < 0.7:
        reroll_last(mission, rng.choice((1, 2)), Tray())
    elif (
        what < 0.71 and (item := mission.waiting()) is not None and item.kind == "choose"
    ):  # of his own accord, and asked for still
        mission.decide(Pending.of({"choose": item.name, "bind": item.bind}), rng.choice(mission.options(item)).name)
    elif what < 0.74:
        mission.write(sheet.given([f"{rng.choice(hand['names'])}={rng.choice(NAMES)}"]))
    elif what < 0.79:
        mission.write(sheet.given(rng.sample(hand["facts"], rng.choice((1, 2, 3)))))
    elif what < 0.84:
        mission.cross(rng.choice(hand["boxes"]), 1, rng.choice(("mark", "erase")))
    elif what < 0.87:
        mission.done(rng.choice((1, 2)))
    elif what < 0.90:
        mission.undo(rng.choice((1, 2)))
    else:
        table, dice = rng.choice(hand["rolls"])
        named = rng.choice((table, table, None))
        given = sheet.given(rng.choice(["", rng.choice(hand["given"])]).split())
        outcome = rng.choice((None, None, "safe", "none"))
        dice = rng.choice(([dice], [dice, [3], [4]], []))
        mission.roll(named, Hand(dice), given, outcome=outcome)


def replayed(mission: Mission) -> Mission:
    """Replay the script of a journal on its starting sheet."""
    began = Mission(mission.game, dict(mission.state), list(mission.pending), number=1)
    began.journal.entries, began.journal.position = list(mission.journal.entries), mission.journal.position
    if began.journal.position:
        began.go_to_entry(0)
    made = Mission(mission.game, began.state, began.pending, number=1)
    fly(made, Script("\n".join(lines(mission))))
    return made


def test_a_script_says_dice_and_row_in_one_line_and_has_dice_rolled(b29: Pack) -> None:
    mission = Mission(b29, {"zone": 3, "missions.navigator": 9}, number=1)
    mission.pending = [Pending.of({"roll": name, "bind": {}, "born": 1}) for name in ("2-4", "2-5", "7-6", "4-2")]
    began = Mission(b29, dict(mission.state), list(mission.pending), number=1)
    fly(mission, Script("2-4: 26 middle\n2-5: low\n7-6: superficial\n4-2: auto\nend"))
    assert [(each.get("d"), each["o"]) for each in mission.journal.entries[:3]] == [
        ([2, 6], "middle"), (None, "low"), (None, "superficial")
    ]  # fmt: skip
    weather = mission.journal.entries[3]
    assert f"4-2: auto {weather['d'][0]},{weather['d'][1]}" in lines(mission)
    fly(began, Script("\n".join(lines(mission))))
    assert told(began) == told(mission)


def told(mission: Mission) -> list[dict[str, Any]]:
    """Return the journal without marks for entries typed on one line, which are undone together."""
    return [{**entry, "j": 0} for entry in mission.journal.entries[: mission.journal.position]]


@pytest.mark.parametrize("game", BY_HAND)
@pytest.mark.parametrize("seed", slow_but(range(5)))
def test_replaying_any_journal_gives_the_same_journal(game: str, seed: int) -> None:
    pack, rng = Pack(game), random.Random(f"{game} {seed}")
    mission = Mission(pack, number=1)
    by, many = Chance(random.Random(seed)), rng.choice((3, 10, 40, 120))
    for _ in range(many):
        try:
            anything(mission, by, rng, game)
        except UserError:
            continue  # what cannot be done now is not done
    script = lines(mission)
    assert [line for line in script if line.startswith("#")] == []
    again = replayed(mission)
    assert told(again) == told(mission), "\n".join(script)
    assert (again.state, again.pending) == (mission.state, mission.pending)


def test_a_man_who_moves_while_guns_are_allotted_moves_in_the_replay(b17: Pack) -> None:
    mission, by = Mission(b17, number=1), Chance(random.Random(5))
    while (item := mission.waiting()) is None or not item.is_for("choose", "aim"):
        assert move(mission, by)
    moved(mission, "radio operator", "tail")  # 14.1: two decisions of his own accord, in one line
    assert mission.waiting().is_for("choose", "aim")
    for _ in range(30):
        move(mission, by)
    assert [line for line in lines(mission) if line.startswith("#")] == []
    assert told(replayed(mission)) == told(mission)


@pytest.mark.parametrize(
    ("text", "message"),
    slow_but(
        [
            ("set pilott lost\n", "line 1: There is no field 'pilott'"),
            ("# a remark\n\nset zone=far\n", "line 3: zone must be 0 to 14, not far"),
            ("with fighter.clock=6\n2.2B: 6,6\n", "line 1: after with comes a roll"),
            ("roll 5-9: 4,4\n", 'line 1: 5-9 needs "Attacks from"'),
            ("mark fuel.wing 99\n", "line 1: Wing tanks: only 38 of 38 boxes are left"),
            ("mark\n", "line 1: Type it as: mark fuel.wing 2"),
            ("2.2B: 6,6\ntarget-list: 2-2Z\n", "line 2: 'target-list' doesn't match"),
        ],
        4,
    ),
)
def test_a_wrong_line_is_reported_with_its_number(companion: Run, tmp_path: Path, text: str, message: str) -> None:
    begin(companion, "b29", "mission.number=12")
    script = tmp_path / "mission.txt"
    script.write_text(text)
    ran = companion("fly", "--dice-from", script)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert message in ran.err and ran.err.startswith("Nothing was saved. ")
    assert companion("log", "--json").json == []


def test_lines_that_are_left_when_the_mission_is_over_are_not_passed_over(companion: Run, tmp_path: Path) -> None:
    begin(companion, "b29")
    companion("set", "step=debrief")
    script = tmp_path / "mission.txt"
    script.write_text("5-9: 3,4\n")
    ran = companion("fly", "--dice-from", script)
    assert (ran.code, ran.out) == (2, "")
    assert "line 1: '5-9: 3,4' comes after the end of the mission" in ran.err


def test_the_ways_to_write_facts_and_remarks(companion: Run, tmp_path: Path) -> None:
    begin(companion, "b29")
    script = tmp_path / "mission.txt"
    script.write_text(
        "# zone 4\nset zone=4 weather=poor   # as on the board\nset name.pilot=Dan Kerr # the second\n"
        "set name.copilot=R#2\nset notes = a # b=c\nmark fuel.wing 2  # two boxes\nend\n5-1: 3,4\n"
    )
    assert companion("fly", "--dice-from", script).code == 0
    facts = companion("status", "--json").json["facts"]
    assert (facts["zone"], facts["weather"], facts["fuel.wing"]) == (4, "poor", 2)
    assert (facts["name.pilot"], facts["name.copilot"], facts["notes"]) == ("Dan Kerr", "R#2", "a # b=c")
    assert [each["verb"] for each in companion("log", "--json").json] == ["set", "set", "set", "set", "mark"]


def test_where_a_replay_would_differ_is_said(companion: Run, data_folder: Path) -> None:
    begin(companion, "b29")
    companion("roll", "4-2", "--dice", "6,6")
    own = data_folder / "packs" / "b29" / "4-2.toml"
    own.parent.mkdir(parents=True)
    own.write_text('[[patch]]\nreason = "drier"\nrows = {"..12" = "good", "13.." = "poor"}\n')
    ran = companion("log", "--replay")
    assert "# entry 1 gives another result when it is replayed\nroll 4-2: 6,6\n" in ran.out
    assert "The replay differs in 1 of 1 entries (marked #)." in ran.err
