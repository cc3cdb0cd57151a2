"""Flights: the variant's additions to the status line, to fuel ahead and to the plan for the guns."""

import random
import re
from collections.abc import Iterator, Mapping

import pytest

from companion.engine.dice import Hand
from companion.engine.questions import FieldQuestion
from companion.packs import Pack
from companion.play.plan import decisions, planned
from companion.render.story import Story
from tests.games.b29.table import DAY
from tests.games.b29.test_inputs import BOOK, OWN
from tests.screens import Quick, book, flown
from tests.support import Lay, Prompts, Run, again, begin, begun, check, moments, set_up

NIGHT = (
    "mission.number=14 mission.time=night mission.altitude=lo target.city=tokyo target.type=airfield target.zone=13 "
    "formation=none turn=11 zone=11 zone.turns=1 altitude=lo log.gazetteer.11=0 log.below.11=sea weather=good "
)


@pytest.mark.section("b29-streamliner 17", "b29-streamliner 12")
@pytest.mark.parametrize(
    ("facts", "said"),
    [("food.cfc=mild food.pilot=severe crew.cfc=light crew.pilot=serious", "2 poisoned"),
     ("front=storm", "a storm front"), ("front=storm food.cfc=mild crew.cfc=light", "1 poisoned, a storm front"),
     ("icing=yes", "ice, no evasion"), ("searchlight=yes", "held by a searchlight")],
)  # fmt: skip
def test_the_line_says_what_lasts(pack: Pack, facts: str, said: str) -> None:
    mission = begun(pack, pack.sheet.given((NIGHT + facts + " step=escort").split()))
    assert f"Zone 11 out · LO · {said}" in " ".join(Prompts(mission).type().split())


MILD = "zone=5 crew.cfc=light food.cfc=mild food.before.cfc=ok "


@pytest.mark.section("b29-streamliner 17", "b29-streamliner 17 2", "b29-streamliner 2")
@moments(
    ("a wounded man is counted", "zone=5 crew.cfc=light", "", "wounded=1"),
    ("the poisoned are not", MILD + "crew.pilot=serious food.pilot=severe food.before.pilot=ok", "", "wounded=0"),
    ("unless hurt before the meal", "zone=5 crew.cfc=serious food.cfc=severe food.before.cfc=light", "", "wounded=1"),
    ("or frostbitten", MILD + "frostbite.cfc=yes frostbite.pilot=yes", "", "wounded=2"),
    ("they are told apart", NIGHT + "food.cfc=severe", "", "poisoned=1"),
    ("the dead are none of them", NIGHT + "food.cfc=severe crew.cfc=kia", "", "poisoned=0"),
    ("nor are those at home", NIGHT + "food.cfc=severe bomber.fate=returned zone=0", "", "poisoned=0"),
    ("fuel ahead has a box more for Zone 1", DAY + "zone=0 turn=0 altitude=lo", "",
     f"fuel.home={1 + 24 + 4 + 1 + 11 + 1}"),
    ("and one for the turn of an abort with bombs aboard",
     DAY + "zone=9 turn=9 zone.turns=1 altitude=hi release.aft=out", "", f"fuel.turn={1 + 8 * 2 + 1}"),
)  # fmt: skip
def test_counted_missions(pack: Pack, sheet: str, flown: str, then: str) -> None:
    check(pack, sheet, flown, then)


@pytest.mark.section("b29-streamliner 17")
@pytest.mark.parametrize(("sharp", "man"), [("none", "right-gunner"), ("cfc", "cfc")])
def test_the_sharpshooter_is_proposed(pack: Pack, sharp: str, man: str) -> None:
    facts = DAY + (
        f"turn=11 zone=11 altitude=hi formation=in setting.ammunition=uncounted sharpshooter={sharp} step=evasion "
        "fighter.1.type=oscar fighter.1.clock=3 fighter.1.angle=high slots.fighter=1"
    )
    moment = set_up(pack, facts).fly("")
    places = planned(moment.mission, decisions(moment.mission), {})
    assert {place.planned.name for place in places if place.planned.bind} == {f"1-{man}"}


@pytest.mark.section("b29-streamliner 17 2")
@pytest.mark.parametrize(("meal", "told"), [("none", False), ("mild", True)])
def test_only_a_poisoned_man_recovers(pack: Pack, meal: str, told: bool) -> None:
    moment = set_up(pack, NIGHT + "name.pilot=Pip", "4.6").fly("4.6: 1,1\n")
    moment.mission.write({"food.pilot": meal, "crew.pilot": "light"})
    moment.mission.write({"crew.pilot": "ok"})
    again(moment, "4.6").fly("4.6: 1,1\n")
    sentences = " ".join(Story(moment.mission).sentences())
    assert ("over the illness" in sentences) == told


# -- its own numbers ---------------------------------------------------------------------------------------------------

REPLACED = r"(?<![\d.-])(4\.[3456]|5\.1|5\.2 ?A|5\.8 ?A)(?![\d.])"  # sections that the Streamliner has a step for


def texts_of(part: object, at: str = "") -> Iterator[tuple[str, str]]:
    """Yield every text of a file that a player may see, with its place."""
    if isinstance(part, Mapping):
        for key, each in part.items():
            if key in ("cite", "note", "text", "title", "why", "order", "owner") and isinstance(each, str):
                yield f"{at}, {key}", each
            elif not str(key).startswith(("#", "do", "when", "patched")):
                yield from texts_of(each, f"{at}, {key}")
    elif isinstance(part, list):
        for number, each in enumerate(part, 1):
            yield from texts_of(each, f"{at} {number}")


@pytest.mark.section("b29-streamliner 1", "b29-streamliner 17")
def test_no_text_cites_the_base_game_where_the_variant_has_a_step(pack: Pack) -> None:
    texts = [each for name in pack.layers if name != "rulings" for each in texts_of(pack.read(name), name)]
    read = [(at, re.sub("by = '.*?'", "", text)) for at, text in texts]  # without the tables of conditions
    wrong = [(at, text) for at, text in read if re.search(REPLACED, text) and not text.startswith("Streamliner")]
    assert [each for each in wrong if "Streamliner" not in each[1]] == []
    shown = {table.number_printed for table in pack.all_tables()}
    assert not [each for each in shown if re.search(r"^(4\.6|4\.5C1|5\.2A)$", each)]
    assert pack.table("4.6").called == "Streamliner 6 Random event?"


@pytest.mark.section("b29-streamliner 17")
def test_the_table_of_special_events_has_boxes_and_conditions(companion: Run) -> None:
    begin(companion, "b29-streamliner")
    shown = " ".join(companion("show", "17").out.split())
    assert "Fuel saved: two boxes back, if the engineer is fit" in shown
    assert "Pathfinder: -1 on 4-8 while the navigator is fit" in shown
    assert "2-9 modifier in this zone" in companion("show", "5-1").out
    assert "+2-9" not in companion("show", "5-1").out
    assert companion("roll", "Streamliner 6", "--dice", "2,2").code == 0


@pytest.mark.section("b29-streamliner 12", "b29-streamliner 5 B")
def test_why_nobody_attacks_at_night_over_water_and_which_list_counts(pack: Pack) -> None:
    at_sea = set_up(pack, NIGHT + "below=sea step=night-evasion", "5-1").mission
    assert at_sea.roll("5-1", Hand([[4, 4]]))[0].text.endswith("resistance (12: nobody attacks by night over water)")
    alone = set_up(pack, NIGHT + "step=weather", "4-8").mission
    assert alone.roll("4-8", Hand([[3, 3]]))[0].text == "On course, by list A"


@pytest.mark.section("b29-streamliner 10")
@pytest.mark.parametrize("typed", ["-1 2; 1 1; 1 3", ""])
def test_the_row_of_the_target_on_2_9_is_one_line(pack: Pack, typed: str) -> None:
    moment = set_up(pack, NIGHT + "turn=10 zone=10 step=lost-1").mission  # Zone 11 is known
    player = Prompts(moment)
    player.type()
    player.type(typed)
    known = [moment.state.get(f"log.{each}") for each in ("gazetteer.10", "below.10", "gazetteer.12", "below.13")]
    assert known == (["-1", "land", "1", "sea-or-land"] if typed else ["0", "sea", "0", "sea-or-land"])
    assert not isinstance(moment.question(moment.waiting()), FieldQuestion)


@pytest.mark.slow
def test_a_night_mission_is_typed_in_few_lines(lay: Lay) -> None:
    pack = Pack("b29-streamliner")
    for table in OWN:
        if table not in ("4-4", "4-5", "4-6", "4-7", "4-8"):
            rows = pack.table(table).likely * 2
            lay(f"{table}.toml", BOOK + f'rows = {{"..8" = "{rows[0]}", "9.." = "{rows[1]}"}}\n', "b29-streamliner")
    for seed in (0, 3, 7, 11):  # 3 is a wreck
        sheet = book("b29-streamliner").begin(random.Random(seed))
        night = {**sheet, "mission.time": "night", "mission.number": 15, "mission.altitude": "lo"}
        assert len(flown(Pack("b29-streamliner"), seed, night, by=Quick).screens) - 1 <= 70
