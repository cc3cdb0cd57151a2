"""The sample mission of the booklet ("Miss Cue", mission 11, Paris), replayed from its printed dice.

All expected values are the booklet's: net rolls, results, and entries on the Mission Chart. The misprints
of steps 4.5, 6.4 and 7.3 and the die that errata 26 adds to step 13.3 are noted in the script.
"""

import pytest

from companion.engine.facts import Facts
from companion.engine.fields import Value
from companion.engine.resolution import Result
from companion.packs import Pack
from companion.play.mission import Mission
from companion.play.script import Script
from tests.support import MISSIONS, fly

# step: table, net roll, result, in the order in which they are rolled
STEPS = [
    ("1.2", "G-3", 25, "Paris"), ("1.3", "G-4.formation", 7, "middle"), ("1.3", "G-4.squadron", 4, "middle"),
    ("3.2", "G-5", 4, "fair"), ("3.3", "B-1", 0, "none"), ("4.2", "G-5", 6, "good"), ("4.3", "B-1", 3, "1"),
    ("4.4", "B-3", 32, "fw190@10:30-high;fw190@3-level"), ("4.6", "M-4", 3, "2(1)"), ("5.2", "G-5", 1, "poor"),
    ("5.3", "B-1", 5, "1"), ("5.4", "B-3", 56, "none"), ("6.2", "O-1", 8, "good"), ("6.4", "B-2", 2, "1"),
    ("6.5", "B-3", 44, "fw190@12-high;fw190@12-low;me109@1:30-level;me110@6-low"), ("6.8 nose", "M-1", 1, "miss"),
    ("6.8 starboard cheek", "M-1", 6, "hit"), ("6.8 top", "M-1", 1, "miss"), ("6.8 ball", "M-1", 5, "miss"),
    ("6.8 tail", "M-1", 4, "hit"), ("6.9 Me 109", "M-2", 1, "fca"), ("6.9 Me 110", "M-2", 5, "destroyed"),
    ("6.10 12 high", "M-3", 5, "hit"), ("6.10 12 low", "M-3", 1, "miss"), ("6.10 1:30", "M-3", 2, "miss"),
    ("6.11", "B-4", 5, "3"), ("6.12", "B-5", 4, "superficial"), ("6.12", "B-5", 7, "pilot-compartment"),
    ("6.12", "B-5", 10, "tail"), ("6.13", "P-2", 5, "copilot"), ("6.13", "BL-4", 2, "light"),
    ("6.14", "P-6", 7, "rudder"), ("6.15", "B-6", 5, "12-level"), ("6.16 nose", "M-1", 2, "miss"),
    ("6.16 top", "M-1", 3, "miss"), ("6.16", "M-3", 4, "miss"), ("6.16 tail", "M-1", 1, "miss"),
    ("7.1", "O-2", 4, "medium"), ("7.2", "O-3", 5, "miss"), ("7.2", "O-3", 7, "hit"), ("7.2", "O-3", 8, "miss"),
    ("7.3", "O-4", 7, "1"), ("7.4", "O-5", 6, "port-wing"), ("7.5", "BL-1", 12, "landing-gear"),
    ("7.5", "BL-1.landing-gear", 4, "inoperable"), ("8.1", "O-6", 4, "on"), ("8.2", "O-7", 9, "20"),
    ("9.2", "B-2", 3, "1"), ("9.3", "B-3", 54, "me109@12-low;me109@12-level;me109@12-high;me109@9-high"),
    ("9.5 nose", "M-1", 4, "miss"), ("9.5 top", "M-1", 1, "miss"), ("9.5 ball", "M-1", 4, "miss"),
    ("9.5 port waist", "M-1", 1, "miss"), ("9.6 12 low", "M-3", 6, "hit"), ("9.6 12 level", "M-3", 1, "miss"),
    ("9.6 12 high", "M-3", 2, "miss"), ("9.6 9 high", "M-3", 5, "hit"), ("9.7 12 low", "B-4", 4, "2"),
    ("9.7 9 high", "B-4", 6, "2"), ("9.8 12 low", "B-5", 6, "nose"), ("9.8 12 low", "B-5", 7, "bomb-bay"),
    ("9.8 9 high", "B-5", 9, "radio-room"), ("9.8 9 high", "B-5", 7, "tail"), ("9.9", "P-1", 6, "bombardier"),
    ("9.9", "BL-4", 5, "serious"), ("9.10", "P-3", 4, "rubber-rafts"), ("9.11", "P-4", 6, "radio-operator"),
    ("9.11", "BL-4", 2, "light"), ("9.12", "P-6", 7, "rudder"), ("9.13", "M-1", 2, "miss"),
    ("9.14", "B-6", 6, "10:30-level"), ("9.14", "B-6", 7, "12-high"), ("9.16 port cheek", "M-1", 1, "miss"),
    ("9.16 top", "M-1", 3, "miss"), ("9.17 10:30", "M-3", 5, "hit"), ("9.17 12 high", "M-3", 3, "miss"),
    ("9.18", "B-4", 7, "1"), ("9.18", "B-5", 10, "superficial"), ("9.19", "M-1", 6, "hit"),
    ("9.19", "M-2", 3, "fboa"), ("10.2", "G-5", 5, "good"), ("10.3", "B-1", 3, "1"),
    ("10.3", "B-3", 52, "me110@6-level;me110@9-low"), ("10.4", "M-4", 4, "2(1)"), ("11.2", "G-5", 6, "good"),
    ("11.3", "B-1", 3, "1"), ("11.3", "B-3", 61, "me109@dive"), ("11.4", "M-1", 4, "miss"),
    ("11.5", "M-3", 4, "miss"), ("12.2", "G-5", 2, "poor"), ("12.3", "B-1", 0, "none"), ("13.2", "O-1", 10, "good"),
    ("13.3", "G-9", 4, "safe"), ("errata 26", "G-9.gear", 1, "reparable"), ("14.1", "BL-4.b", 1, "duty"),
]  # fmt: skip
SCRIPT = MISSIONS / "b17" / "miss-cue.txt"


def flown(pack: Pack) -> tuple[Mission, list[tuple[str, int, str]], dict[int, Facts]]:
    """Return the mission, its rolls, and the facts after each of them."""
    mission, script = Mission(pack), Script(SCRIPT.read_text(encoding="utf-8"), SCRIPT.name)
    mission.write({"mission.number": 11, "aircraft.name": "Miss Cue"})
    rolls: list[tuple[str, int, str]] = []
    charts: dict[int, Facts] = {}

    def look(results: list[Result]) -> None:
        rolls.extend((each.table, int(each.net or 0), each.outcome) for each in results if each.dice)
        charts.setdefault(len(rolls), Facts(pack.sheet, dict(mission.state)))

    assert fly(mission, script, each=look)
    return mission, rolls, charts


@pytest.mark.section(
    "b17 II *", "b17 3.2", "b17 6.3 b", "b17 6.4 a", "b17 6.4 b", "b17 6.4 c", "b17 6.4 d", "b17 6.5 a", "b17 5.2 g",
    "b17 errata 26",
)  # fmt: skip
def test_every_net_and_every_result_is_the_booklets(pack: Pack) -> None:
    _, rolls, _ = flown(pack)
    assert [(step, *roll) for (step, *_), roll in zip(STEPS, rolls, strict=True)] == STEPS


# the Mission Chart after a number of rolls
CHART: list[tuple[str, int, dict[str, Value]]] = [
    ("1.2", 1, {"target.city": "Paris", "target.type": "industry", "target.zone": 5}),
    ("3.2", 4, {"zone": 2, "cover": "fair", "gazetteer": -2, "terrain": "w"}),
    ("6.1", 13, {"zone": 5, "sky": "good", "gazetteer": 0, "terrain": "f"}),
    ("6.8, a burst marked for every gun, the tail guns at 6 low among them", 20, {"ammo.nose": 1,
     "ammo.starboard-cheek": 1, "ammo.top": 1, "ammo.ball": 1, "ammo.tail": 1, "ammo.port-cheek": 0}),
    ("6.9", 22, {"kills.tail-gunner": 1, "fighters": 3}), ("6.13", 31, {"crew.copilot": "light"}),
    ("6.14", 32, {"rudder.hits": 1}),
    ("6.16, before the passing shot", 36, {"ammo.nose": 2, "ammo.top": 2, "ammo.tail": 1, "fighters": 1}),
    ("6.16", 37, {"ammo.tail": 2}), ("7.5", 45, {"gear.port": "out", "flak.hit": "yes", "land.total": -3}),
    ("8.2", 47, {"bomb-run": "on", "bomb-run.percent": 20, "bombs": "dropped"}),
    ("9.4, nothing for the tail guns yet", 53,
     {"ammo.ball": 2, "ammo.nose": 3, "ammo.top": 3, "ammo.port-waist": 1, "ammo.tail": 2}),
    ("9.9", 65, {"crew.bombardier": "serious"}), ("9.10", 66, {"rafts": "out"}),
    ("9.11", 68, {"crew.radio-operator": "light"}), ("9.12", 69, {"rudder.hits": 2, "rudder": "ok"}),
    ("9.13", 70, {"ammo.tail": 3, "fighters": 4}), ("9.15", 74, {"ammo.port-cheek": 1, "ammo.top": 4, "ammo.nose": 3}),
    ("9.19", 80, {"ammo.tail": 4, "kills.tail-gunner": 1}),
    ("11.4", 88,
     {"ammo.top": 5, "ammo.radio": 0, "man.bombardier": "radio-operator", "man.radio-operator": "bombardier"}),
]  # fmt: skip


@pytest.fixture(scope="module")
def charts(pack: Pack) -> dict[int, Facts]:
    """Return the Mission Chart after each roll."""
    return flown(pack)[2]


@pytest.mark.section("b17 II *", "b17 5.1 e", "b17 6.3 a", "b17 9.2", "b17 9.4")
@pytest.mark.parametrize(("step", "after", "chart"), CHART, ids=[each[0].split(",")[0] for each in CHART])
def test_the_chart_at_each_step(charts: dict[int, Facts], step: str, after: int, chart: dict[str, Value]) -> None:
    assert {name: charts[after][name] for name in chart} == chart, step


@pytest.mark.section("b17 II 14.0", "b17 5.2 h", "b17 7.1", "b17 17.0")
def test_what_the_debriefing_records(pack: Pack) -> None:
    mission, _, _ = flown(pack)
    facts = Facts(pack.sheet, mission.state)
    recorded = {
        "bomb-run.percent": 20, "kills.tail-gunner": 1, "mission.result": "victory", "bomber.fate": "returned",
        "fate.bombardier": "duty", "crew.copilot": "light", "crew.radio-operator": "light", "turn": 10, "credit": "yes",
    }  # fmt: skip
    assert {name: facts[name] for name in recorded} == recorded
    assert facts["crew.lost"] == 0


@pytest.mark.section("b17 6.2", "b17 9.2", "b17 B-3 d")
def test_the_tail_guns_bar_a_second_successive_attack_and_cover_lets_the_diver_through(pack: Pack) -> None:
    mission, _, _ = flown(pack)
    tables = [
        (entry["t"], entry.get("b", {}).get("fighter")) for entry in mission.journal.entries if entry["v"] == "roll"
    ]
    assert tables.count(("M-4", None)) == 2  # 4.6 and 10.4; none against the dive of 11.4
    assert [table for table, _ in tables].count("B-6") == 3  # 6.15, 9.14 twice; 9.19 stops the third
