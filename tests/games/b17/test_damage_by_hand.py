"""Damage, flak and the fate of men, rolled by hand: rolls not in the rulebook are refused or have their cost."""

import pytest

from companion.engine.dice import Hand
from companion.packs import Pack
from companion.play.conversation import Answers, resolve
from tests.support import AnsweringPlayer, set_up

FLYING = "mission.number=12 target.city=Paris zone=4 turn=4 zone.turns=1 wave=1 squadron=high cover=poor "


@pytest.mark.section("b17 BL-1 c", "b17 10.1")
@pytest.mark.parametrize("die", [3, 6])
def test_the_engine_of_note_c_is_out(b17: Pack, die: int) -> None:
    moment = set_up(b17, FLYING)
    moment.mission.roll("BL-1.c", Hand([[die]]), {"engine": "2"})
    assert (moment["engine.2"], moment["prop.2"]) == ("out", "drag" if die == 6 else "ok")
    assert (moment["formation"], moment.asked) == (("out", "None") if die == 6 else ("in", "one-engine"))
    assert moment["not-fighters.formation"] == 0


@pytest.mark.section("b17 BL-1 d", "b17 BL-1 e", "b17 BL-2", "b17 BL-3", "b17 errata 2", "b17 12.2")
@pytest.mark.parametrize(
    ("facts", "table"),
    [("feathering=out", "BL-1.d"), ("charges.2=2", "BL-1.fire"), ("engine-extinguishers=out", "BL-1.fire"),
     ("extinguishers.used=5", "BL-3")],
)  # fmt: skip
def test_spent_equipment_saves_nobody(b17: Pack, facts: str, table: str) -> None:
    """BL-2 rows 10 and 11, BL-1 e, 12.2: no feathering, two charges for each engine, five bottles; then everyone
    jumps.
    """
    moment = set_up(b17, FLYING + facts)
    moment.mission.roll(table, Hand(), {} if table == "BL-3" else {"engine": "2"})
    assert (moment["bomber.fate"], moment.asked) == ("abandoned", "G-6")


@pytest.mark.section("b17 18.0 g")
def test_alone_an_accident_is_an_engine(b17: Pack) -> None:
    moment = set_up(b17, FLYING + "formation=out")
    moment.mission.roll("B-7.g", Hand())
    assert (moment.asked, moment["formation.return"]) == ("B-7.a", 0)


@pytest.mark.section("b17 BL-1 g", "b17 O-4 a")
@pytest.mark.parametrize(
    ("table", "facts", "dice", "field"),
    [("BL-1.tank", {"area": "port-wing", "place": "inboard"}, [[3]], ("tank.inboard.port", "leaking")),
     ("O-4.bip", {"area": "tail"}, [], ("crew.tail-gunner", "kia"))],
)  # fmt: skip
def test_two_meanings(
    b17: Pack, table: str, facts: dict[str, str], dice: list[list[int]], field: tuple[str, str]
) -> None:
    moment, by = set_up(b17, FLYING), AnsweringPlayer(**facts)
    resolve(moment.mission, table, by, Answers(dice), asking=True, single=True)
    assert (by.asked, moment[field[0]]) == (list(facts), field[1])


@pytest.mark.section("b17 5.2 d", "b17 O-2", "b17 O-6", "b17 O-7")
@pytest.mark.parametrize(
    ("table", "facts", "text"),
    [("O-2", "", "No flak"), ("O-2", "zone=5 leg=inbound", "No flak"), ("O-6", "", "No bomb run here"),
     ("O-6", "zone=5 leg=inbound", "No bomb run here"),
     ("O-7", "zone=5 bombs=dropped bomb-run=on bomb-run.percent=30", "The bombs are gone")],
)  # fmt: skip
def test_one_run_over_the_target(b17: Pack, table: str, facts: str, text: str) -> None:
    moment = set_up(b17, f"{FLYING} target.zone=5 {facts}")
    before = (moment["bomb-run"], moment["bomb-run.percent"], moment["bombs"], moment["flak"])
    (result,) = moment.mission.roll(table, Hand(), {})
    assert text in result.text and moment.mission.waiting() is None
    assert (moment["bomb-run"], moment["bomb-run.percent"], moment["bombs"], moment["flak"]) == before


@pytest.mark.section("b17 BL-1 a", "b17 P-6 c")
@pytest.mark.parametrize(
    ("before", "box", "asked"),
    [("wing-root.port=4", {"wing-root.port": 5}, "G-7.crew"), ("", {"wing-root.port": 4}, "None"),
     ("tailplane.port=3", {"tailplane.starboard": 3}, "G-7.crew"), ("", {"tailplane.starboard": 3}, "None")],
)  # fmt: skip
def test_the_last_box_crossed_off_brings_her_down(b17: Pack, before: str, box: dict[str, int], asked: str) -> None:
    moment = set_up(b17, FLYING + before)
    moment.mission.write(dict(box))
    assert moment.asked == asked
    if asked != "None":
        moment.mission.roll(None, Hand())
        tables = [item.name for item in moment.mission.pending]
        assert (moment["bomber.fate"], set(tables), len(tables)) == ("destroyed", {"G-7"}, 10)


@pytest.mark.section("b17 BL-1 c", "b17 19.2 d", "b17 13.1 a")
@pytest.mark.parametrize("facts", [{"prop.1": "drag"}, {"bip": "yes"}])
def test_what_throws_her_out_does_so_by_hand(b17: Pack, facts: dict[str, str]) -> None:
    moment = set_up(b17, FLYING)
    moment.mission.write(dict(facts))
    assert (moment["formation"], moment["turns.double"]) == ("out", "yes")
