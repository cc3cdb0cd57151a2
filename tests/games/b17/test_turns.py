"""The order of a mission and of a turn: zones, cover, waves, the target, the way home (5.1, 5.2, 6.1, 13.0, 16.0)."""

from __future__ import annotations

from typing import Any

import pytest

from companion.packs import Pack
from companion.play.mission import Mission
from tests.games.b17.table import BREMEN, HOMEWARD, LILLE, MEN, NO_GUNS, OVER_LILLE
from tests.support import Moment, after_step, asked

PARIS = {**LILLE, "target.city": "Paris", "target.zone": 5}
ONE_AT_12 = {"slots.fighter": 1, "fighter.1.type": "me109", "fighter.1.clock": "12", "fighter.1.angle": "high"}


@pytest.mark.section("b17 5.1 b", "b17 5.1 f")
@pytest.mark.parametrize(
    ("number", "table"), [(1, "G-1"), (5, "G-1"), (6, "G-2"), (10, "G-2"), (11, "G-3"), (25, "G-3")]
)
def test_the_target_comes_from_the_list_of_the_mission(pack: Pack, number: int, table: str) -> None:
    moment = Moment(Mission(pack))
    moment.mission.write({"mission.number": number})
    moment.fly("")
    assert (moment.asked, moment["zone"], moment["leg"]) == (table, 0, "outbound")


@pytest.mark.section("b17 5.2 a", "b17 5.2 f")
@pytest.mark.parametrize(("leg", "zone"), [("outbound", 6), ("inbound", 4)])
def test_a_turn_is_a_zone(pack: Pack, leg: str, zone: int) -> None:
    moment = after_step(pack, "aborted", {**BREMEN, "turn": 5, "zone": 5, "zone.turns": 1, "leg": leg})
    assert (moment["zone"], moment["turn"]) == (zone, 6)


@pytest.mark.section("b17 5.2 b", "b17 5.2 c", "b17 6.1 a", "b17 6.2")
@pytest.mark.parametrize("leg", ["outbound", "inbound"])
@pytest.mark.parametrize(("zone", "table"), [(2, "G-5"), (3, "G-5"), (4, "G-5"), (5, "B-1"), (6, "B-1")])
def test_cover_reaches_zones_2_to_4_and_fighters_all(pack: Pack, leg: str, zone: int, table: str) -> None:
    before = zone - 1 if leg == "outbound" else zone + 1
    bombs = "aboard" if leg == "outbound" else "dropped"
    sheet = {**BREMEN, "turn": 5, "zone": before, "zone.turns": 1, "leg": leg, "bombs": bombs}
    moment = after_step(pack, "aborted", sheet)
    assert (moment["zone"], moment.asked) == (zone, table)
    if table == "G-5":
        moment.fly("G-5: 1\n")
        assert moment.asked == "B-1"


@pytest.mark.section("b17 5.2 c", "b17 16.2", "b17 5.2 g")
def test_no_fighter_comes_to_zone_1(pack: Pack) -> None:
    """5.2 g, 16.2, sample 2.0: nothing on the way out; homeward weather over the base, then the landing on G-9."""
    out = after_step(pack, "place", {**LILLE, "zone": 0, "turn": 0})
    assert [table for table in out.tables if table[:2] in ("B-", "G-")] == []
    assert (out["zone"], out.asked) == (2, "G-5")
    home = after_step(pack, "aborted", {**HOMEWARD, "zone": 2})
    assert (home["zone"], home.asked) == (1, "O-1")
    home.fly("O-1: 3,4\nlanding: land\n")
    assert home.asked == "G-9"
    home.fly("G-9: 3,4\n")
    assert home.modifiers("G-9") == []


@pytest.mark.section("b17 5.2 d", "b17 5.2 e", "b17 6.1 a", "b17 errata 32")
def test_over_the_target_everything_has_its_place(pack: Pack) -> None:
    """5.2 d, e, errata 32: weather, cover, waves on B-2, flak, the run; then B-2 once more, in the same weather."""
    there = {**LILLE, "turn": 2, "zone": 2, "zone.turns": 1}
    moment = after_step(pack, "aborted", there, "O-1: 5,6\nG-5: 1\nB-2: 1\nB-3: 1,6\n")
    for question, answer in (("change-places", "stay"), ("abort", "go-on")):
        if moment.asked == question:
            moment.fly(f"{question}: {answer}\n")
    moment.fly("O-2: 2\nO-6: 6\nO-7: 3,4\n")
    rolled = [
        table for table in moment.tables if table in ("O-1", "G-5", "B-1", "B-2", "B-3", "O-2", "O-3", "O-6", "O-7")
    ]
    assert rolled == ["O-1", "G-5", "B-2", "B-3", "O-2", "O-6", "O-7"]
    assert moment.modifiers("O-6") == [("poor", -1)]
    assert (moment["leg"], moment["zone"], moment.asked) == ("inbound", 3, "B-2")
    moment.fly("B-2: 1\n")
    assert moment.modifiers("B-2") == [("weather", -1)]


@pytest.mark.section("b17 6.5 a", "b17 6.5 b", "b17 13.1 c")
@pytest.mark.parametrize(
    ("formation", "attack", "die", "back"),
    [("in", 1, 6, True), ("in", 1, 1, False), ("in", 2, 6, True), ("in", 2, 1, False), ("in", 3, 6, False),
     ("out", 1, 1, True), ("out", 2, 1, True), ("out", 3, 1, False), ("out", 3, 6, False)],
)  # fmt: skip
def test_who_comes_again(pack: Pack, formation: str, attack: int, die: int, back: bool) -> None:
    """6.5, 13.1 c: in formation who hit, even a superficial hit; out of it everyone; the third attack is the last."""
    sheet = {**HOMEWARD, **NO_GUNS, **ONE_AT_12, "formation": formation, "wave.formation": formation, "pass": attack,
             "cover.rolled": "yes"}  # fmt: skip
    hit = "B-4: 3,4\nB-5: 1,1\n" if die == 6 else ""
    moment = after_step(pack, "fire", sheet, f"M-3: {die}\n{hit}")
    assert ((moment.asked, moment["fighters"]) == ("B-6", 1)) == back
    assert back or moment["fighters"] == 0


@pytest.mark.section("b17 13.0")
def test_being_out_counts_from_the_next_wave(pack: Pack) -> None:
    sheet = {**HOMEWARD, **NO_GUNS, **ONE_AT_12, "formation": "out", "wave.formation": "in", "pass": 1,
             "cover.rolled": "yes"}  # fmt: skip
    assert after_step(pack, "fire", sheet, "M-3: 1\n")["fighters"] == 0


@pytest.mark.section("b17 6.6", "b17 6.2", "b17 6.1 b")
def test_each_wave_has_its_own_cover(pack: Pack) -> None:
    """6.6: one wave after the other, each with a roll on B-3 and on M-4."""
    sheet = {**PARIS, "turn": 4, "zone": 4, "zone.turns": 1, "cover": "good"}
    moment = after_step(pack, "cover", sheet, "B-1: 6\nB-3: 4,1\nM-4: 6\nB-3: 5,1\nM-4: 6\n")
    assert [each for each in moment.tables if each in ("B-1", "B-3", "M-4")] == ["B-1", "B-3", "M-4", "B-3", "M-4"]
    assert moment["fighters"] == 0


@pytest.mark.section("b17 B-3 c")
@pytest.mark.parametrize("formation", ["in", "out"])
def test_no_attackers_is_rolled_again_outside_formation(pack: Pack, formation: str) -> None:
    sheet = {**PARIS, "turn": 4, "zone": 4, "zone.turns": 1, "cover": "poor", "formation": formation}
    moment = after_step(pack, "cover", sheet, "B-1: 4\nB-3: 1,6\n")
    assert (moment.asked == "B-3") == (formation == "out")
    assert moment["fighters"] == 0


@pytest.mark.section("b17 13.2 a")
def test_cover_helps_a_bomber_alone(pack: Pack) -> None:
    sheet = {**PARIS, "turn": 4, "zone": 4, "zone.turns": 1, "cover": "good", "formation": "out"}
    moment = after_step(pack, "cover", sheet, "B-1: 4\nB-3: 4,1\nM-4: 3\n")  # 41: one, and the one that joins; both go
    assert moment["fighters"] == 0
    assert after_step(pack, "aborted", {**sheet, "zone": 3}).asked == "G-5"


@pytest.mark.section("b17 13.2 b", "b17 8.0 f")
def test_a_bomber_alone_may_turn_back(pack: Pack) -> None:
    sheet = {**BREMEN, "turn": 5, "zone": 5, "zone.turns": 1, "formation": "out", "fought": "yes"}
    moment = after_step(pack, "jettison", sheet)
    assert (moment.asked, set(moment.options)) == ("abort", {"go-on", "abort"})
    moment.fly("abort: abort\n")
    assert (moment["credit"], moment["leg"]) == ("yes", "inbound")


@pytest.mark.section("b17 13.1 d")
@pytest.mark.parametrize(
    ("city", "zone", "rolls"), [("Paris", 4, 2), ("Rotterdam", 4, 2), ("Bremen", 4, 0), ("Paris", 2, 0)]
)
def test_light_flak_over_foreign_land(pack: Pack, city: str, zone: int, rolls: int) -> None:
    low = {**HOMEWARD, "target.city": city, "zone": zone, "formation": "out", "altitude": "low", "fought": "yes"}
    moment = after_step(pack, "lost-2", low)
    assert asked(moment.mission).count("O-3") == rolls
    assert after_step(pack, "lost-2", {**low, "altitude": "high"}).asked != "O-3"


@pytest.mark.section("b17 O-4 a", "b17 O-4 b", "b17 O-3")
@pytest.mark.parametrize(("dice", "places"), [("3,4", 1), ("1,5", 2), ("1,4", 3), ("1,3", 4), ("1,1", 1)])
def test_each_shell_of_flak_has_its_place(pack: Pack, dice: str, places: int) -> None:
    moment = after_step(pack, "homeward", OVER_LILLE, f"O-2: 2\nO-3: 1,1\nO-3: 3,4\nO-3: 3,4\nO-4: {dice}\n")
    assert (moment.tables.count("O-3"), asked(moment.mission).count("O-5")) == (3, places)


@pytest.mark.section("b17 2.2", "b17 errata 17", "b17 10.2")
def test_never_more_than_two_turns_a_zone(pack: Pack) -> None:
    slow = {**HOMEWARD, "formation": "out", "altitude": "low", "engine.1": "out", "engine.2": "out", "prop.2": "drag",
            "navigator-equipment": "out", "bip": "yes", "bip.zone": 6}  # fmt: skip
    second = after_step(pack, "aborted", slow)
    assert (second["zone"], second["zone.turns"], second.asked) == (4, 2, "B-1")
    assert after_step(pack, "aborted", {**slow, "zone.turns": 2})["zone"] == 3


@pytest.mark.section("b17 errata 9", "b17 P-1 b")
@pytest.mark.parametrize(
    ("formation", "zone", "turns"), [("out", 5, "yes"), ("out", 4, "no"), ("in", 5, "no"), ("out", 3, "yes")]
)
def test_a_lost_navigator_slows_a_bomber_alone(pack: Pack, formation: str, zone: int, turns: str) -> None:
    sheet = {**HOMEWARD, "zone": zone + 1, "formation": formation, "crew.navigator": "kia", "bombs": "dropped"}
    assert after_step(pack, "aborted", sheet)["turns.double"] == turns


@pytest.mark.section("b17 errata 31", "b17 10.3")
def test_fighters_come_before_a_landing_that_is_due(pack: Pack) -> None:
    dying = {**HOMEWARD, "zone": 5, "formation": "out", "altitude": "low", "loose-gear": "no", "glide": 1,
             "zone.turns": 2, **{f"engine.{each}": "out" for each in (1, 2, 3)}}  # fmt: skip
    moment = after_step(pack, "aborted", dying, "loose-gear: no\n")
    assert (moment["zone"], moment.asked) == (4, "G-5")


@pytest.mark.section("b17 16.1", "b17 G-11 b")
@pytest.mark.parametrize(
    ("city", "zone", "choice"),
    [("Rotterdam", 4, "where-below"), ("Cherbourg", 3, "where-below"), ("Bremen", 3, "forced-down"),
     ("Paris", 4, "forced-down")],
)  # fmt: skip
def test_where_two_letters_stand_the_player_chooses(pack: Pack, city: str, zone: int, choice: str) -> None:
    sheet = {**HOMEWARD, "target.city": city, "zone": zone, "formation": "out", "altitude": "low",
             **{f"engine.{each}": "out" for each in (1, 2, 3, 4)}}  # fmt: skip
    assert after_step(pack, "turn", sheet).asked == choice


NO_ENGINE: dict[str, Any] = {f"engine.{each}": "out" for each in (1, 2, 3, 4)}


@pytest.mark.section("b17 16.4", "b17 G-11 c", "b17 G-10")
@pytest.mark.parametrize(("zone", "fate"), [(3, {"none", "duty"}), (5, {"none", "duty"}), (6, {"bo-c"})])
def test_who_is_saved_from_the_sea(pack: Pack, zone: int, fate: set[str]) -> None:
    sheet = {**HOMEWARD, "zone": zone, "formation": "in", "altitude": "low", **NO_ENGINE}
    moment = after_step(pack, "turn", sheet, "forced-down: ditch\nG-10: 6,6\n")
    assert moment["bomber.fate"] == "ditched"
    assert {moment[f"fate.{man}"] for man in MEN} <= fate
    assert moment["mission.result"] == "defeat"


@pytest.mark.section("b17 16.3", "b17 G-10 c", "b17 G-10 d")
@pytest.mark.parametrize(("city", "zone", "table"), [("Paris", 4, "G-6.underground"), ("Hamm", 6, None)])
def test_who_lands_in_europe(pack: Pack, city: str, zone: int, table: str | None) -> None:
    """16.3, G-10 c, d: captured in Germany and the Netherlands; in France a die, none for the badly wounded."""
    sheet = {**HOMEWARD, "target.city": city, "zone": zone, "formation": "out", "altitude": "low", **NO_ENGINE,
             "crew.navigator": "serious", "bombs": "dropped", "missions.pilot": 10}  # fmt: skip
    moment = after_step(pack, "turn", sheet, "forced-down: land\nG-9: 6,6\n")
    assert moment["bomber.fate"] == "down-in-europe"
    assert asked(moment.mission).count("G-6.underground") == (9 if table else 0)
    assert moment["fate.navigator"] == "bo-c"
    if table is None:
        assert {moment[f"fate.{man}"] for man in MEN} == {"bo-c"}
        return
    moment.fly("".join(f"G-6.underground {man}: {6 if man == 'pilot' else 5}\n" for man in MEN if man != "navigator"))
    assert (moment["fate.pilot"], moment["fate.copilot"]) == ("returned", "bo-c")
