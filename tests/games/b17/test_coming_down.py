"""Landing, ditching and bailing out: who survives (G-6 to G-10)."""

from typing import Any

import pytest

from companion.engine.dice import Hand
from companion.engine.facts import Facts
from companion.packs import Pack
from companion.play.mission import Mission
from companion.play.phrases import marks
from tests.book import b17 as book
from tests.games.b17.table import BREMEN, HOMEWARD, MEN, at
from tests.support import after_step, check, moments

NO_ENGINE: dict[str, int | str] = {f"engine.{each}": "out" for each in (1, 2, 3, 4)}
EMPTY = at(HOMEWARD, "step=next-turn bombs=aboard fuel.short=yes fuel.turns=0")
FALLING = at({**HOMEWARD, **NO_ENGINE}, "step=turn formation=out")
BAIL_OUT = "forced-down: bail-out\n" + "".join(f"G-6 {man}: 3\n" for man in MEN)
OVER_ENGLAND = at(HOMEWARD, "step=turn zone=2")
SOME_JUMP = "O-1: 3,4; landing: some-bail-out"
GUNNERS = "options=nobody,bombardier,navigator,radio-operator,ball-gunner,port-waist,starboard-waist,tail-gunner"
NO_PILOTS = at(OVER_ENGLAND, "crew.pilot=serious crew.copilot=kia")
ENGINEER_FLIES = at(NO_PILOTS, "seat.pilot=engineer seat.engineer=pilot")


@pytest.mark.section("b17 13.2 c", "b17 G-8 a", "b17 G-8 b", "b17 G-7 e", "b17 errata 27", "b17 errata 34")
@pytest.mark.section("b17 18.0 g", "b17 6.1 a", "b17 BL-2", "b17 errata 24", "b17 14.2 d", "b17 G-7 b", "b17 P-5 c")
@pytest.mark.section("b17 14.2 c", "b17 12.1", "b17 G-10 a", "b17 G-10 e", "b17 booklet errata 2")
@moments(
    ("a bomber that comes down drops its bombs first", EMPTY, "", "asked=jettison usual=yes"),
    ("out of formation too", {**EMPTY, "formation": "out"}, "", "asked=jettison usual=yes"),
    ("then she ditches or they jump", EMPTY, "jettison: yes",
     "bombs=jettisoned asked=forced-down options=ditch,bail-out"),
    ("alone short of the target they go too", at(BREMEN, "step=no-engine-2 turn=5 zone=5 zone.turns=1 formation=out"),
     "", "asked=jettison usual=yes"),
    ("where an abort would not count they are kept",
     at(BREMEN, "step=no-engine-2 turn=5 zone=5 zone.turns=1 formation=out not-fighters.formation=1"),
     "", "asked=jettison usual=no"),
    ("the radio counts as it was when they jumped", FALLING,
     "forced-down: bail-out\n" + "".join(f"G-6 {man}: 3\nG-8 {man}: {1 if man[0] == 'r' else 6}\n" for man in MEN),
     "fate.radio-operator=las fate.tail-gunner=duty crew.lost=1"),
    ("a silent radio dooms all who jump alone", {**FALLING, "radio": "out"}, BAIL_OUT, "crew.lost=10"),
    ("no wave comes for a bomber that is gone",
     at(HOMEWARD, "step=moves zone=5 random-events=on waves.left=3 fought=yes crew.navigator=kia"),
     "B-3: 6,6\nB-7: 6,6\nB-7.g: 6,6\n" + "".join(f"G-7 {man}: 1\n" for man in MEN if man != "navigator"),
     "step=end mission.result=defeat crew.lost=10"),
    ("nobody attacks a bomber left before the waves",
     at(HOMEWARD, "step=cover zone=5 bomber.fate=abandoned " + " ".join(f"fate.{man}=bo-c" for man in MEN)), "",
     "step=end mission.result=defeat rolled!=B-1"),
    ("the pilots, the badly wounded and the trapped do not jump first",
     at(OVER_ENGLAND, "ball.trapped=yes gun.ball=broken crew.navigator=serious landing.asked=yes"), SOME_JUMP,
     "options=nobody,bombardier,engineer,radio-operator,port-waist,starboard-waist,tail-gunner"),
    ("nor does the engineer who is to fly", NO_PILOTS, SOME_JUMP, GUNNERS),
    ("or flies", ENGINEER_FLIES, SOME_JUMP, GUNNERS),
    ("who only breathes beside them may",
     at(ENGINEER_FLIES, "crew.pilot=kia seat.copilot=navigator seat.navigator=copilot oxygen.navigator=2"), SOME_JUMP,
     GUNNERS),
    ("pilots alone aboard land or jump",
     at(OVER_ENGLAND, "landing.asked=yes " + " ".join(f"crew.{man}=kia" for man in MEN[2:])), "O-1: 3,4",
     "options=land,bail-out"),
    ("a twelve saves the crew whatever bombs are aboard", at(NO_PILOTS, "crew.pilot=kia bombs=aboard"),
     "O-1: 3,4; landing: land; G-9: 6,6", "rolled!=G-9.bombs waits!=G-9.bombs"),
    ("less does not", at(NO_PILOTS, "crew.pilot=kia bombs=aboard"), "O-1: 3,4; landing: land; G-9: 6,5",
     "waits=G-9.bombs"),
    ("nor do they go off under a ditched crew that it saves",
     at(FALLING, "bay-doors=out bombs=aboard rafts=out radio=out"), "forced-down: ditch; G-10: 6,6",
     "bomber.fate=ditched crew.lost=0 step=end"),
)  # fmt: skip
def test_coming_down(pack: Pack, sheet: dict[str, Any], flown: str, then: str) -> None:
    check(pack, sheet, flown, then)


@pytest.mark.section("b17 errata 24", "b17 G-7 b")
def test_some_bail_out_over_england_and_the_rest_land(pack: Pack) -> None:
    sheet = {**HOMEWARD, "zone": 2, "gear.port": "out", "ball.trapped": "no", "crew.navigator": "serious"}
    script = "O-1: 1,1\nlanding: some-bail-out\nwho-jumps: tail-gunner\nG-6 tail-gunner: 4\nwho-jumps: nobody\n"
    moment = after_step(pack, "turn", sheet, script)
    assert (moment["fate.tail-gunner"], moment.asked) == ("duty", "G-9")
    assert moment.mission.pending[0].bind.get("position") in (None, "none")  # no one man lands it
    moment.fly("G-9: 1,3\n")  # 4 - 2 bad weather - 3 gear
    hurt = moment.positions("BL-4")
    assert sorted(hurt) == sorted(set(MEN) - {"tail-gunner"})


@pytest.mark.section("b17 12.1")
def test_no_order_remains_when_the_bomber_is_down(pack: Pack) -> None:
    sheet = {**HOMEWARD, "zone": 2, "heat.pilot": "out", "oxygen.engineer": 2, "crew.tail-gunner": "kia"}
    moment = after_step(pack, "turn", sheet, "outlet: stay\nO-1: 3,4\nlanding: land\nG-9: 3,4\n")
    assert (moment["bomber.fate"], moment.mission.pending) == ("returned", [])


@pytest.mark.section("b17 16.0", "b17 11.0")
@pytest.mark.parametrize(
    ("sheet", "step", "usual"),
    [
        ({"zone": 2, "crew.pilot": "kia", "crew.copilot": "kia"}, "turn", "bail-out"),  # both pilots: -11 on G-9
        ({"zone": 2, "landing.asked": "yes"}, "turn", "land"),
        ({"heat.pilot": "out", "cold.pilot": 2, "zone": 3}, "height", "stay"),
        ({"heat.pilot": "out", "cold.pilot": 2, "zone": 2}, "height", "descend"),
        ({"heat.pilot": "out", "cold.pilot": 2, "formation": "out"}, "height", "descend"),
        ({f"{of}.{man}": on for man in MEN[:3] for of, on in (("heat", "out"), ("cold", 2))}, "height", "descend"),
    ],
)
def test_enter_kills_nobody_who_can_be_saved(pack: Pack, sheet: dict[str, Any], step: str, usual: str) -> None:
    moment = after_step(pack, step, {**HOMEWARD, "moved": "yes", **sheet}, "O-1: 3,4\n" if step == "turn" else "")
    assert moment.options[0] == usual


@pytest.mark.section("b17 errata 24", "b17 16.0")
def test_a_sound_bomber_lands_unasked_and_one_may_still_bail_out(pack: Pack) -> None:
    moment = after_step(pack, "turn", {**HOMEWARD, "zone": 2}, "O-1: 3,4\nlanding: land\n")
    assert moment.asked == "G-9"
    moment.mission.write(dict(marks(moment.mission, "ask again")))
    moment.fly("landing: bail-out\n")
    assert moment.asked == "G-6"
    moment = after_step(
        pack, "turn", {**HOMEWARD, "zone": 2, "brakes.port": "out", "tail-wheel": "out", "brakes.starboard": "out"},
        "O-1: 3,4\n",
    )  # fmt: skip
    assert moment.asked == "landing"


SOUTH = {"mission.number": 11, "target.city": "Bremen", "target.zone": 7, "leg": "inbound", "formation": "in"}
DEAD = {count: {f"engine.{each}": "out" for each in range(1, count + 1)} for count in (1, 2, 3, 4)}
LANDING: list[tuple[dict[str, Any], int, int]] = [  # damage, on land in England, at sea
    (DEAD[1], 0, 0),  # errata 12
    (DEAD[2], 0, 0),
    (DEAD[3], -3, -3),
    (DEAD[4], -7, -4),
    ({"missions.pilot": 10, "missions.copilot": 20}, 1, 1),
    ({"missions.pilot": 24, "missions.copilot": 9}, 1, 1),
    ({"missions.pilot": 25, "missions.copilot": 9}, 0, 0),  # his 26th
    ({"missions.pilot": 9, "missions.copilot": 10, "crew.copilot": "light", "wounds.copilot": 1}, 1, 1),
    ({"missions.copilot": 12, "crew.copilot": "light", "wounds.copilot": 2}, 0, 0),
    ({"missions.copilot": 12, "crew.copilot": "serious"}, 0, 0),
    ({"seat.radio-operator": "navigator", "seat.navigator": "radio-operator", "formation": "out"}, 0, -6),
    ({"radio": "out", "crew.radio-operator": "kia", "formation": "out", "rafts": "out"}, 0, -12),
]


@pytest.mark.section(
    "b17 G-10 b", "b17 G-10 f", "b17 G-10 g", "b17 G-10 h", "b17 G-10 i", "b17 G-10 j", "b17 BL-1 b", "b17 BL-1 h",
    "b17 BL-1 i", "b17 BL-2 d", "b17 P-6 b", "b17 P-6 c", "b17 10.3", "b17 10.4", "b17 16.3", "b17 19.2 d",
    "b17 errata 12", "b17 errata 27", "b17 booklet errata 2", "b17 booklet errata 3",
)  # fmt: skip
@pytest.mark.parametrize(("sheet", "land", "sea"), LANDING)
def test_what_counts_on_landing(pack: Pack, sheet: dict[str, Any], land: int, sea: int) -> None:
    for name, zone, more, expected in (
        ("G-9", 1, {}, land), ("G-9", 1, {"weather.base": "bad"}, land - 2), ("G-9", 7, {}, land - 3),  # G-10 j
        ("G-10", 4, {}, sea),
    ):  # fmt: skip
        table = pack.table(name)
        facts = Facts(pack.sheet, {**SOUTH, **sheet, "zone": zone, **more})
        assert sum(each.add for each in table.applying(facts, table.column(facts))) == expected, (name, zone)


@pytest.mark.section("b17 G-4", "b17 G-5 *", "b17 G-10 e", "b17 BL-2 a", "b17 G-8 b", "b17 P-3", "b17 errata 34")
@pytest.mark.parametrize(("name", "facts", "outcome"), book.AUTOMATIC)
def test_settled_without_a_die(pack: Pack, name: str, facts: dict[str, Any], outcome: str) -> None:
    rolled = Mission(pack).roll({"G-10.e": "G-9.bombs"}.get(name, name), Hand(), facts)
    assert [each.outcome for each in rolled][:1] == [outcome]
