"""Zones over water: for the course (5), for searchlights and night fighters (12); and the text of the notes."""

import pytest

from companion.packs import Pack
from tests.games.streamliner.table import total
from tests.support import after_step, prompted

NIGHT = {
    "mission.number": 14, "mission.time": "night", "mission.altitude": "lo", "altitude": "lo", "formation": "none",
    "target.city": "kobe", "target.zone": 12, "leg": "outbound", "turn": 12, "weather": "good",
    "missions.navigator": 10,
}  # fmt: skip


@pytest.mark.section("b29-streamliner 5 A", "b29-streamliner 5 B")
@pytest.mark.parametrize(("zone", "add"), [(1, 1), (5, 1), (6, 0), (7, 1), (9, 1), (10, 0), (12, 0)])
@pytest.mark.parametrize("formation", ["in", "out"])
def test_the_course_list_names_its_zones(pack: Pack, zone: int, add: int, formation: str) -> None:
    facts = {"zone": zone, "below": "sea", "formation": formation, "bomber.position": "middle"}
    assert total(pack, "4-8", {**facts, "missions.navigator": 10}) == add


@pytest.mark.section("b29-streamliner 12")
@pytest.mark.parametrize(
    ("zone", "below", "lights"),
    [(11, "sea", False), (11, "sea-or-land", True), (12, "sea", False), (12, "sea-or-land", True)],
)
def test_a_light_is_looked_for_wherever_there_is_land(pack: Pack, zone: int, below: str, lights: bool) -> None:
    known = {**NIGHT, "zone": zone, "below": below, f"log.gazetteer.{zone}": "0", f"log.below.{zone}": below}
    moment = after_step(pack, "event", known, "5-1: 4,4\nevade-lights: no\n" if lights else "5-1: 4,4\n")
    assert (moment.asked == "5-14") == lights


def test_the_target_zone_is_not_sea_unless_the_player_says_so(pack: Pack, b29: Pack) -> None:
    """2-9: a city's zone has land below it; in the zones next to it, sea is an equally good guess."""
    for game in (pack, b29):
        for zone, usual in ((11, "sea"), (12, "sea-or-land")):
            moment = after_step(game, "lost-1", {**NIGHT, "zone": zone, "moved": "yes"}, f"log.gazetteer.{zone}: 0\n")
            question = moment.mission.waiting()
            assert question is not None
            assert (question.name, question.usual) == (f"log.below.{zone}", usual)


def test_land_has_one_number_in_every_zone(pack: Pack, b29: Pack) -> None:
    """2-9: over the target Enter takes a different answer than in Zone 11, but `2` is land in both."""
    for game in (pack, b29):
        for zone in (11, 12):
            mission = after_step(game, "lost-1", {**NIGHT, "zone": zone, "moved": "yes"}).mission
            prompted(mission, *(["0 2"] if game is pack else ["0", "2"]))
            assert mission.state[f"log.below.{zone}"] == "land"


@pytest.mark.parametrize("table", ["5-14", "5-15", "4-4", "4-5", "4-6", "4-7", "4.3A", "4.5C4"])
def test_no_note_of_the_base_game_is_left_where_it_is_false(pack: Pack, b29: Pack, table: str) -> None:
    """2, 5 and 12: searchlights in every combat zone, fighters only with a searchlight, no dice for weight or for the
    way back.
    """
    assert pack.table(table).doc["note"] != b29.table(table).doc.get("note")
