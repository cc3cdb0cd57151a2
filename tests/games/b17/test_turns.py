"""The order of a mission and of a turn: zones, cover, waves, the target, the way home (5.1, 5.2, 6.1, 13.0, 16.0)."""

from typing import Any

import pytest

from companion.packs import Pack
from companion.play.mission import Mission
from tests.games.b17.table import BREMEN, HOMEWARD, LILLE, MEN, NO_GUNS, OVER_LILLE, at
from tests.support import Moment, after_step, asked, check, moments

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


NO_ENGINE: dict[str, Any] = {f"engine.{each}": "out" for each in (1, 2, 3, 4)}
IN_5 = at(BREMEN, "turn=5 zone=5 zone.turns=1")
MISSED = at({**HOMEWARD, **NO_GUNS, **ONE_AT_12}, "step=fire formation=out wave.formation=in pass=1 cover.rolled=yes")
OVER_PARIS = at(PARIS, "step=cover turn=4 zone=4 zone.turns=1 cover=poor")
LOW = at(HOMEWARD, "step=lost-2 formation=out altitude=low fought=yes target.city=Paris")
SLOW = at(HOMEWARD, "step=aborted formation=out altitude=low engine.1=out engine.2=out prop.2=drag "
          "navigator-equipment=out bip=yes bip.zone=6")  # fmt: skip
LOST = at(HOMEWARD, "step=aborted crew.navigator=kia bombs=dropped formation=out")
DOWN = at({**HOMEWARD, **NO_ENGINE}, "step=turn formation=out altitude=low")


@pytest.mark.section("b17 5.2 c", "b17 16.2", "b17 5.2 g", "b17 5.2 d", "b17 5.2 e", "b17 6.1 a", "b17 errata 32")
@pytest.mark.section("b17 5.2 a", "b17 5.2 f", "b17 13.0", "b17 B-3 c", "b17 13.2 a", "b17 13.2 b", "b17 8.0 f")
@pytest.mark.section("b17 13.1 d", "b17 2.2", "b17 errata 17", "b17 10.2", "b17 errata 9", "b17 P-1 b", "b17 errata 31")
@pytest.mark.section("b17 10.3", "b17 16.1", "b17 G-11 b")
@moments(
    ("a turn is a zone outward", {**IN_5, "step": "aborted"}, "", "zone=6 turn=6"),
    ("or homeward", at(IN_5, "step=aborted leg=inbound"), "", "zone=4 turn=6"),
    ("thrown out in a wave she meets its fighters as they began", MISSED, "M-3: 1", "fighters=0"),
    ("no attackers are rolled again outside formation", {**OVER_PARIS, "formation": "out"}, "B-1: 4; B-3: 1,6",
     "asked=B-3 fighters=0"),
    ("in formation they are none", OVER_PARIS, "B-1: 4; B-3: 1,6", "asked!=B-3 fighters=0"),
    ("cover helps a bomber alone, also against the one that joins", at(OVER_PARIS, "cover=good formation=out"),
     "B-1: 4; B-3: 4,1; M-4: 3", "fighters=0"),
    ("it is rolled for her", at(OVER_PARIS, "step=aborted zone=3 formation=out"), "", "asked=G-5"),
    ("alone she may turn back", at(IN_5, "step=jettison formation=out fought=yes"), "",
     "asked=abort options=go-on,abort usual=abort"),
    ("where it does not count she goes on", at(IN_5, "step=jettison formation=out not-fighters.formation=1 fought=yes"),
     "", "asked=abort usual=go-on"),
    ("for credit", at(IN_5, "step=jettison formation=out fought=yes"), "abort: abort", "credit=yes leg=inbound"),
    ("light flak finds her low over France", {**LOW, "zone": 4}, "", "asked=O-3"),
    ("over a coast too", at(LOW, "target.city=Rotterdam zone=4"), "", "asked=O-3"),
    ("not over the sea", at(LOW, "target.city=Bremen zone=4"), "", "asked!=O-3"),
    ("nor high up", at(LOW, "zone=4 altitude=high"), "", "asked!=O-3"),
    ("whatever slows her, she takes a second turn", SLOW, "", "zone=4 zone.turns=2 asked=B-1"),
    ("and no third", {**SLOW, "zone.turns": 2}, "", "zone=3"),
    ("without a navigator alone she is slow in odd zones", {**LOST, "zone": 6}, "", "turns.double=yes"),
    ("each of them", {**LOST, "zone": 4}, "", "turns.double=yes"),
    ("not in even ones", {**LOST, "zone": 5}, "", "turns.double=no"),
    ("nor in formation", at(LOST, "zone=6 formation=in"), "", "turns.double=no"),
    ("fighters come before a landing that is due",
     at(HOMEWARD, "step=aborted zone=5 formation=out altitude=low loose-gear=no glide=1 zone.turns=2 "
        "engine.1=out engine.2=out engine.3=out"), "loose-gear: no", "zone=4 asked=G-5"),
    ("where two letters are printed the player chooses", at(DOWN, "target.city=Rotterdam zone=4"), "",
     "asked=where-below"),
    ("off Cherbourg too", at(DOWN, "target.city=Cherbourg zone=3"), "", "asked=where-below"),
    ("over the sea alone there is no choice", at(DOWN, "target.city=Bremen zone=3"), "", "asked=forced-down"),
    ("nor over land", at(DOWN, "target.city=Paris zone=4"), "", "asked=forced-down"),
    ("flak and run come after the waves, and B-2 again in the same weather",
     at(LILLE, "step=aborted turn=2 zone=2 zone.turns=1"),
     "O-1: 5,6; G-5: 1; B-2: 1; B-3: 1,6; O-2: 2; O-6: 6; O-7: 3,4; B-2: 1",
     "O-6:poor=-1 B-2:weather=-1 leg=inbound zone=3"),
    ("weather over the base comes before the landing", at(HOMEWARD, "step=aborted zone=2"), "", "zone=1 asked=O-1"),
    ("nothing is rolled on the way out in Zone 1", at(LILLE, "step=place zone=0 turn=0"), "", "zone=2 asked=G-5"),
)  # fmt: skip
def test_turns_and_zones(pack: Pack, sheet: dict[str, Any], flown: str, then: str) -> None:
    check(pack, sheet, flown, then)


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


@pytest.mark.section("b17 6.5 a", "b17 6.5 b", "b17 13.1 c")
@pytest.mark.parametrize(
    ("formation", "attack", "die", "back"),
    [("in", 1, 6, True), ("in", 1, 1, False), ("in", 2, 6, True), ("in", 2, 1, False), ("in", 3, 6, False),
     ("out", 1, 1, True), ("out", 2, 1, True), ("out", 3, 1, False), ("out", 3, 6, False)],
)  # fmt: skip
def test_successive_attacks(pack: Pack, formation: str, attack: int, die: int, back: bool) -> None:
    """6.5, 13.1 c: in formation every fighter that hit, even superficially; out of formation all; the third attack is
    the last.
    """
    sheet = {**HOMEWARD, **NO_GUNS, **ONE_AT_12, "formation": formation, "wave.formation": formation, "pass": attack,
             "cover.rolled": "yes"}  # fmt: skip
    hit = "B-4: 3,4\nB-5: 1,1\n" if die == 6 else ""
    moment = after_step(pack, "fire", sheet, f"M-3: {die}\n{hit}")
    assert ((moment.asked, moment["fighters"]) == ("B-6", 1)) == back
    assert back or moment["fighters"] == 0


@pytest.mark.section("b17 O-4 a", "b17 O-4 b", "b17 O-3")
@pytest.mark.parametrize(("dice", "places"), [("3,4", 1), ("1,5", 2), ("1,4", 3), ("1,3", 4), ("1,1", 1)])
def test_each_shell_of_flak_has_its_place(pack: Pack, dice: str, places: int) -> None:
    moment = after_step(pack, "homeward", OVER_LILLE, f"O-2: 2\nO-3: 1,1\nO-3: 3,4\nO-3: 3,4\nO-4: {dice}\n")
    assert (moment.tables.count("O-3"), asked(moment.mission).count("O-5")) == (3, places)


NO_ENGINE: dict[str, Any] = {f"engine.{each}": "out" for each in (1, 2, 3, 4)}


@pytest.mark.section("b17 16.4", "b17 G-11 c", "b17 G-10")
@pytest.mark.parametrize(("zone", "fate"), [(3, {"none", "duty"}), (5, {"none", "duty"}), (6, {"bo-c"})])
def test_survivors_of_a_ditching(pack: Pack, zone: int, fate: set[str]) -> None:
    sheet = {**HOMEWARD, "zone": zone, "formation": "in", "altitude": "low", **NO_ENGINE}
    moment = after_step(pack, "turn", sheet, "forced-down: ditch\nG-10: 6,6\n")
    assert moment["bomber.fate"] == "ditched"
    assert {moment[f"fate.{man}"] for man in MEN} <= fate
    assert moment["mission.result"] == "defeat"


@pytest.mark.section("b17 16.3", "b17 G-10 c", "b17 G-10 d")
@pytest.mark.parametrize(("city", "zone", "table"), [("Paris", 4, "G-6.underground"), ("Hamm", 6, None)])
def test_survivors_of_a_landing_in_europe(pack: Pack, city: str, zone: int, table: str | None) -> None:
    """16.3, G-10 c, d: captured in Germany and the Netherlands; in France a die, but none for the badly wounded."""
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
