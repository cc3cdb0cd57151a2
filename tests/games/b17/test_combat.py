"""German fighters and their cover, our guns, and fire aboard (6.0, 9.0, 12.2, B-tables)."""

from typing import Any

import pytest

from companion.engine.dice import Hand
from companion.engine.facts import Facts
from companion.engine.play import Play
from companion.engine.questions import Pending
from companion.packs import Pack
from companion.play.mission import Mission
from tests.book import b17 as book
from tests.games.b17.table import HOMEWARD, MEN, NO_GUNS, OVER_LILLE, at
from tests.support import Moment, after_step, check, moments


@pytest.mark.section("b17 B-3 b", "b17 B-3 d", "b17 B-3 e", "b17 6.2")
@pytest.mark.parametrize(("row", "fighter", "guns", "cover"), [(row, *each) for row, each in book.VERTICAL.items()])
def test_guns_on_a_vertical_attack(pack: Pack, row: int, fighter: str, guns: tuple[str, ...], cover: bool) -> None:
    mission = Mission(pack)
    mission.write(OVER_LILLE)
    mission.roll("B-3", Hand([[row // 10, row % 10]]))
    kind, clock = fighter.split("@")
    board = Facts(pack.sheet, mission.state)
    (it,) = [str(each) for each in range(1, 13) if board[f"fighter.{each}.clock"] == clock]
    assert board[f"fighter.{it}.type"] == kind
    bears = [
        gun for gun in book.GUNS if Facts(pack.sheet, {**mission.state, "fighter": it, "gun": gun})["bears"] == "yes"
    ]
    assert (sorted(bears), board[f"may-be-driven-off.{it}"]) == (sorted(guns), "yes" if cover else "no")


@pytest.mark.section("b17 6.4 a")
def test_a_fighter_that_leaves_is_cleared_from_the_sheet(pack: Pack) -> None:
    sheet = {**OVER_LILLE, **NO_GUNS, "slots.fighter": 1, "fighter.1.type": "me109", "fighter.1.clock": "12",
             "fighter.1.angle": "high", "fighter.1.pilot": "ace", "fighter.1.fca": 1, "cover.rolled": "yes",
             "fighter.1.fboa": 1}  # fmt: skip
    moment = after_step(pack, "attack", sheet, "M-3: 1\n")
    left = {key: moment[f"fighter.1.{key}"] for key in ("type", "clock", "angle", "pilot", "fca", "fboa")}
    assert left == {"type": "none", "clock": "none", "angle": "none", "pilot": "average", "fca": 0, "fboa": 0}
    moment = after_step(pack, "end", {**{f"fighter.1.{key}": value for key, value in left.items()}, "slots.fighter": 1})
    shown = [name for name, _, _ in moment.mission.write({"wave": 2}).shown]
    assert not [name for name in shown if name.startswith("fighter.")]


@pytest.mark.section("b17 B-4 a")
@pytest.mark.parametrize(("name", "facts", "nets"), [each for each in book.AFTER_NOTES if each[0] == "B-4"])
def test_shells_of_a_fw_190_and_a_me_110(pack: Pack, name: str, facts: dict[str, Any], nets: dict[int, str]) -> None:
    """B-4 a: half as many again, rounded down; or one more."""
    for total, shells in nets.items():
        first = max(1, total - 6)
        assert Mission(pack).roll(name, Hand([[first, total - first]]), facts)[0].outcome == shells, total


@pytest.mark.section("b17 5.1 c", "b17 13.1 a", "b17 13.1 b", "b17 errata 14", "b17 6.1 b")
@pytest.mark.parametrize(("name", "facts", "nets"), [each for each in book.AFTER_NOTES if each[0] == "B-3"])
def test_the_fighter_that_joins(pack: Pack, name: str, facts: dict[str, Any], nets: dict[int, str]) -> None:
    for row, wave in nets.items():
        if wave in ("none", "roll-again", "random-events"):
            continue
        mission = Mission(pack)
        mission.write({**OVER_LILLE, **facts})
        mission.roll(name, Hand([[row // 10, row % 10]]))
        board = Facts(pack.sheet, mission.state)
        there = [
            f"{board[f'fighter.{each}.type']}@{board[f'fighter.{each}.clock']}-{board[f'fighter.{each}.angle']}"
            for each in range(1, 13)
            if board[f"fighter.{each}.type"] != "none"
        ]
        assert sorted(each.removesuffix("-none") for each in there) == sorted(wave.split(";")), row


@pytest.mark.section("b17 errata 3", "b17 M-2")
@pytest.mark.parametrize(("marks", "state"), book.FIGHTER_MARKS.items())
def test_how_fighter_damage_adds_up(pack: Pack, marks: tuple[int, int], state: str) -> None:
    """M-2, errata 3: two FCA or one FBOA: it breaks off after this attack; two FBOA destroy it."""
    fca, fboa = marks
    attacker = {"fighter.1.type": "me109", "fighter.1.clock": "12", "fighter.1.angle": "high", "slots.fighter": 1}
    sheet = {**OVER_LILLE, **attacker, "pass": 1, "wave.formation": "out", "formation": "out", "cover.rolled": "yes"}
    mission = Mission(pack)
    mission.write({**sheet, "step": "passing"})
    for die in [1] * fca + [4] * fboa:  # a single gun
        mission.roll("M-2", Hand([[die]]), {"fighter": "1", "gun": "port-waist"})
    board = Facts(pack.sheet, mission.state)
    if state == "destroyed":
        assert board["fighter.1.type"] == "none"
        return
    assert (board["fighter.1.type"], board["fighter.1.fca"], board["fighter.1.fboa"]) == ("me109", fca, fboa)
    mission.advance()
    still = Facts(pack.sheet, mission.state)["fighter.1.type"] == "me109"
    assert still == (state == "fca")


@pytest.mark.section("b17 B-5 a", "b17 B-5 b", "b17 B-5 c")
@pytest.mark.parametrize(("result", "hits"), book.WALKING_HITS.items())
def test_walking_hits(pack: Pack, result: str, hits: dict[str, int]) -> None:
    """B-5 a, b, c: one shell in each named section, and no other shells of that fighter."""
    column, dice = {
        "walking-hits-a": (("12", "high"), [6, 6]),
        "walking-hits-b": (("9", "high"), [1, 1]),
        "walking-hits-c": (("9", "level"), [6, 6]),
    }[result]
    attacker = {"fighter.1.type": "me109", "fighter.1.clock": column[0], "fighter.1.angle": column[1]}
    mission = Mission(pack)
    mission.write({**OVER_LILLE, **attacker, "slots.fighter": 1, "pass": 1})
    mission.roll("B-4", Hand([[1, 3]]), {"fighter": "1"})
    while (item := mission.waiting()) is not None and item.is_for("roll", "B-5"):
        mission.roll(None, Hand([dice]), single=True)
    asked = [(item.name, item.bind["area"]) for item in mission.pending if item.kind == "roll"]
    areas = {("port-wing" if area == "wing" else area): count for area, count in hits.items()}
    expected = [(book.AREA_TABLES[area], area) for area, count in areas.items() for _ in range(count)]
    assert sorted(asked) == sorted(expected)


TWO_AT_12 = {
    **OVER_LILLE, **NO_GUNS, "pass": 1, "cover.rolled": "yes", "slots.fighter": 2, "wave.formation": "in",
    "fighter.1.type": "me109", "fighter.1.clock": "12", "fighter.1.angle": "high",
    "fighter.2.type": "me109", "fighter.2.clock": "12", "fighter.2.angle": "high",
}  # fmt: skip
SHELLS = "M-3 1: 6\nM-3 2: 6\nB-4 1: 6,6\nB-4 2: 6,6\nB-5 1: 5,4\nB-5 1: 4,4\nB-5.wing: 1\nB-5 1: 1,1\nB-5 1: 5,4\n"


@pytest.mark.section("b17 B-5 a", "b17 6.4 c")
def test_walking_hits_take_back_what_the_other_shells_had_noted(pack: Pack) -> None:
    before = {**TWO_AT_12, "hits.waist": 3, "hits.nose": 1}
    moment = after_step(pack, "fire", before, SHELLS + "B-5 2: 5,4\nB-5 2: 3,3\n")
    assert [moment[f"hits.{area}"] for area in ("waist", "port-wing", "nose")] == [6, 1, 2]
    moment = after_step(pack, "fire", before, SHELLS + "B-5 2: 5,4\nB-5 2: 3,3\nB-5 2: 6,6\n")
    assert [moment[f"hits.{area}"] for area in ("waist", "port-wing", "nose", "tail")] == [6, 1, 2, 1]
    pending = [item.bind["area"] for item in moment.mission.pending if item.name[:2] in ("P-", "BL")]
    assert sorted(pending) == sorted(
        ["waist", "port-wing", "waist", "nose", "pilot-compartment", "bomb-bay", "radio-room", "waist", "tail"]
    )


AT_12 = at({**HOMEWARD, **NO_GUNS}, "pass=1 cover.rolled=yes slots.fighter=1 fighter.1.type=me109 fighter.1.clock=12 "
           "fighter.1.angle=high")  # fmt: skip


@pytest.mark.section("b17 6.5 a", "b17 B-3 d", "b17 6.2", "b17 15.2 c", "b17 B-5 a")
@moments(
    ("cover meets a diver that comes back", at({**HOMEWARD, **NO_GUNS}, "cover=good step=cover"),
     "B-1: 5; B-3: 6,1; M-3: 6; B-4: 3,4; B-5: 1,1; B-6: 1,4; M-4: 4", "cover.first=0 cover.later=1 fighters=0"),
    ("evasive action ends with the damage that forbids it",
     at(AT_12, "formation=out wave.formation=out cables.hits=1 evasive=yes step=fire"),
     "M-3 1: 6; B-4: 3,4; B-5: 5,6; P-3: 6,6; B-6: 3,4", "cables.hits=2 evasive=no asked=M-3"),
    ("walking hits leave the hits of the first attack", at(AT_12, "wave.formation=in step=fire"),
     "M-3 1: 6; B-4 1: 3,4; B-5 1: 5,4; P-5: 2,2; B-6: 3,4; M-3 1: 6; B-4 1: 1,1; B-5 1: 5,4; B-5 1: 6,6",
     "hits.waist=2 hits.nose=1"),
)  # fmt: skip
def test_fighters_and_cover(pack: Pack, sheet: dict[str, Any], flown: str, then: str) -> None:
    check(pack, sheet, flown, then)


PAIR = {
    **OVER_LILLE, "pass": 2, "spray-fire": "on", "slots.fighter": 2, "crew.radio-operator": "kia",
    "fighter.1.type": "me109", "fighter.1.clock": "6", "fighter.1.angle": "high",
    "fighter.2.type": "fw190", "fighter.2.clock": "6", "fighter.2.angle": "high",
}  # fmt: skip


@pytest.mark.section("b17 6.3 a", "b17 9.0", "b17 9.1", "b17 12.2", "b17 14.1")
@pytest.mark.parametrize(
    ("gun", "sheet", "why"),
    [
        ("tail", {"duty.tail-gunner": "moved"}, "the Tail gunner has just changed places (14.1)"),
        ("top", {"duty.engineer": "fire"}, "the Engineer fights a fire (12.2)"),
        ("top", {"crew.engineer": "serious"}, "the Engineer is seriously wounded"),
        ("top", {"seat.engineer": "ball-gunner", "seat.ball-gunner": "engineer", "crew.ball-gunner": "kia"},
         "nobody at the gun"),
        ("tail", {"gun.tail": "jammed"}, "jammed"), ("ball", {}, "no target"),
        ("tail", {"fighter.2.clock": "12", "intercom": "out"}, "no passing shot without the intercom (9.2)"),
        ("port-cheek", {"crew.bombardier": "kia", "crew.navigator": "kia"}, "nobody in the nose is fit"),
        ("nose", {"crew.bombardier": "kia", "duty.navigator": "moved"}, "its man has just changed places (14.1)"),
        ("nose", {"duty.bombardier": "fire", "crew.navigator": "kia"}, "its man fights a fire (12.2)"),
        ("port-cheek", {"crew.bombardier": "kia", "aim.nose": "1"}, "the one man fit here fires another gun"),
        ("starboard-cheek", {"aim.nose": "1", "aim.port-cheek": "3"}, "both men here fire other guns (9.1)"),
        ("starboard-cheek", {"aim.port-cheek": "3"}, "its man fires the other cheek gun (9.1)"), ("tail", {}, ""),
        ("top", {}, ""), ("nose", {}, ""),
    ],
)  # fmt: skip
def test_a_gun_says_why_it_holds_its_fire(pack: Pack, gun: str, sheet: dict[str, Any], why: str) -> None:
    front = {"fighter.1.clock": "12", "fighter.2.clock": "6"}
    more = {"slots.fighter": 4, **{f"fighter.{each}.type": "me109" for each in (3, 4)}}
    sides = {f"fighter.{each}.clock": clock for each, clock in ((3, "10:30"), (4, "1:30"))}
    angles = {f"fighter.{each}.angle": "high" for each in (1, 2, 3, 4)}
    moved = {**PAIR, "crew.radio-operator": "ok", "spray-fire": "off", **front}
    state = {**moved, **(more | sides | angles if "cheek" in gun else {}), **sheet}
    options = Play(pack, state).options_of(Pending.of({"choose": "aim", "bind": {"gun": gun}}))
    assert {each.name: each.text for each in options}["hold"] == (why or "hold fire")
    assert (len(options) == 1) == bool(why)


@pytest.mark.section("b17 M-1", "b17 9.2", "b17 B-3 d", "b17 B-3 e")
def test_fields_of_fire_are_those_of_the_card(pack: Pack) -> None:
    for gun in pack.sheet.index["gun"]:
        for clock in pack.sheet.fields["fighter.1.clock"].values:
            for angle in ("none",) if clock in ("dive", "climb") else ("high", "level", "low"):
                for note in ("b", "d") if clock == "dive" else ("none",):
                    comes = {"clock": clock, "angle": angle, "note": note, "type": "me109"}
                    board = {f"fighter.1.{key}": value for key, value in comes.items()}
                    facts = Facts(pack.sheet, {**board, "fighter": "1", "gun": gun, "slots.fighter": 1})
                    passing = gun == "tail" and clock in ("12", "1:30", "10:30")
                    bears = passing or facts["bears"] == "yes"
                    assert facts["in-field"] == ("yes" if bears else "no"), (gun, comes)


ATTACK = {**PAIR, "step": "attack"}
LOW = at(HOMEWARD, "step=swap slots.fighter=1 fighter.1.type=me109 fighter.1.clock=6 fighter.1.angle=low fought=yes "
         "pass=1")  # fmt: skip


@pytest.mark.section("b17 9.5", "b17 errata 15", "b17 6.3 c", "b17 M-5", "b17 P-5 c", "b17 M-5 b")
@moments(
    ("spray of two guns covers every fighter in the place", ATTACK,
     "aim top: 1-spray; aim tail: 1-spray; M-5 1 top: 2; M-5 2 top: 3; M-5 1 tail: 3; M-5 2 tail: 4",
     "fighters=0 ammo.top=3 ammo.tail=3"),
    ("a hit counts against a fighter that another gun sprays away", ATTACK,
     "aim top: 1; aim tail: 1-spray; M-1 1 top: 6; M-5 1 tail: 2; M-5 2 tail: 3; M-2 1 top: 4; M-3 2: 1",
     "kills.engineer=1"),
    ("the ball turret fires from below", {**LOW, "ball.trapped": "no"}, "", "asked=aim"),
    ("who is caught in it fires nothing", {**LOW, "ball.trapped": "yes"}, "aim tail: 1", "asked!=aim ammo.ball=0"),
    ("a jam is cleared by a man at the gun",
     at(HOMEWARD, "step=turn gun.tail=jammed gun.top=jammed crew.tail-gunner=kia"),
     "M-5.b top: 1", "gun.top=ok gun.tail=jammed asked=G-5"),
    ("a jam by hand may break the gun", at(HOMEWARD, "gun.top=jammed"), "with gun=top; roll M-5.b: 6",
     "gun.top=broken"),
    ("spray by hand costs three bursts", at(HOMEWARD, "spray-fire=on"),
     "with gun=tail fighter.clock=6 fighter.angle=low; roll M-5: 6", "ammo.tail=3"),
)  # fmt: skip
def test_sprays_turrets_and_jams(pack: Pack, sheet: dict[str, Any], flown: str, then: str) -> None:
    check(pack, sheet, flown, then)


FIRE = {"nose": "P-1: 6,6\nP-1.oxygen: 6", "pilot-compartment": "P-2: 6,4\nP-2.oxygen: 6",
        "radio-room": "P-4: 6,5\nP-4.oxygen: 6", "waist": "P-5: 1,1\nP-5.oxygen: 6",
        "tail": "P-6: 6,5\nP-6.oxygen: 6"}  # fmt: skip
SPOT = {"nose": "4,6", "pilot-compartment": "6,6", "radio-room": "2,2", "waist": "3,6", "tail": "3,4"}
IN_THE_PILOTS_SEAT = {"seat.pilot": "navigator", "seat.navigator": "pilot", "oxygen.navigator": 2}
FLAK = "O-2: 2\nO-3: 1,1\nO-3: 3,4\nO-3: 3,4\nO-4: 3,4\n"  # light flak, one hit of one shell


def burning(pack: Pack, where: str, sheet: dict[str, Any], more: str = "") -> Moment:
    return after_step(pack, "homeward", {**OVER_LILLE, **sheet}, f"{FLAK}O-5: {SPOT[where]}\n{FIRE[where]}\n{more}")


@pytest.mark.section("b17 12.2", "b17 14.2 d")
@pytest.mark.parametrize(
    ("where", "sheet", "men"),
    [
        ("waist", {}, {"ball-gunner", "port-waist", "starboard-waist"}),
        ("pilot-compartment", {}, {"copilot", "engineer"}),
        ("nose", {"crew.bombardier": "kia", "crew.navigator": "serious"}, {"copilot", "engineer"}),
        ("tail", {"crew.tail-gunner": "kia"}, {"ball-gunner", "port-waist", "starboard-waist"}),
        ("waist", {"crew.port-waist": "kia", "crew.starboard-waist": "kia", "ball.trapped": "yes"},
         {"radio-operator", "tail-gunner"}),
        # 14.2 d: a pilot never leaves his post for a fire, nor a copilot who is the only one left
        ("pilot-compartment", {"crew.copilot": "kia", "crew.engineer": "kia"},
         {"bombardier", "navigator", "radio-operator"}),
        ("pilot-compartment", {"crew.pilot": "kia", "crew.engineer": "serious"},
         {"bombardier", "navigator", "radio-operator"}),
        # who breathes in the dead pilot's seat is no pilot: he may fight it, the copilot flies alone
        ("pilot-compartment", {"crew.pilot": "kia", **IN_THE_PILOTS_SEAT}, {"pilot", "engineer"}),
        ("radio-room", {"crew.pilot": "kia", "crew.radio-operator": "kia", "crew.engineer": "kia",
         **IN_THE_PILOTS_SEAT}, {"pilot", "ball-gunner", "port-waist", "starboard-waist"}),
    ],
)  # fmt: skip
def test_men_who_may_fight_a_fire(pack: Pack, where: str, sheet: dict[str, Any], men: set[str]) -> None:
    """12.2: a man in the compartment, or in an adjacent one if it is empty; `men` are their positions."""
    moment = burning(pack, where, sheet)
    assert (moment.asked, set(moment.options)) == ("fire-fighter", men)


IN_TAIL = f"{FLAK}O-5: {SPOT['tail']}\n{FIRE['tail']}\n"
ONE_PILOT = " ".join(f"crew.{man}=serious" for man in MEN if man != "pilot")


@pytest.mark.section("b17 12.2", "b17 14.1", "b17 14.2 d")
@moments(
    ("with one pilot fit nobody can be sent: all jump", at(OVER_LILLE, "step=homeward " + ONE_PILOT),
     f"{FLAK}O-5: {SPOT['radio-room']}\n{FIRE['radio-room']}", "asked=G-6 bomber.fate=abandoned extinguishers.used=0"),
    ("the fire fighter misses no later wave", {**OVER_LILLE, "step": "homeward"},
     IN_TAIL + "BL-3: 1; O-6: 3; O-7: 3,4; B-2: 1", "duty.tail-gunner=none free.tail-gunner=yes"),
    ("who had moved before misses it", at(OVER_LILLE, "step=homeward duty.tail-gunner=moved"),
     IN_TAIL + "BL-3: 1; O-6: 3; O-7: 3,4", "asked=B-2 duty.tail-gunner=moved free.tail-gunner=no"),
)  # fmt: skip
def test_the_fire_fighter(pack: Pack, sheet: dict[str, Any], flown: str, then: str) -> None:
    check(pack, sheet, flown, then)
