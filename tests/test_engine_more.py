"""Parts of the engine that the B-17 asked for first, tried on a toy pack."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.engine.needs import Hand
from companion.engine.play import Play
from companion.engine.sheet import Facts
from companion.packs import Pack
from companion.packs.proof import check
from companion.play.mission import Mission
from tests import support

SHEET = """
[sections]
toy = "Toy"
[index]
kite = {count = 3, present = "color"}
[index.reel]
left = {line = 8}
right = {line = 5}
[fields.toy]
"kite[kite].color" = {values = "red blue"}
"out[reel]" = {boxes = 8}
beach = {}
hour = {kind = "count"}
[fields.working]
"slots.kite" = {kind = "count"}
"mission.number" = {kind = "count", limit = [1], default = 1}
step = {}
[facts]
"line.left[reel]" = {is = "reel.line - out[reel]"}
wind = {is = "row('W-1', 'wind') if row('W-1') != none else 0"}
sand = {is = "row('W-1', 'ground') if row('W-1') != none else 'stones'"}
"""

WIND = """
id = "W-1"
title = "Wind on the beaches"
dice = "-"
cite = "1.0"
[[modifier]]
id = "hour"
add = "hour"
why = "the hour"
[[column]]
when = "beach = 'north'"
rows = {1 = "+2/dunes", 2 = "-1/flats"}
[outcome."{wind}/{ground}"]
text = "{wind}, {ground}"
"""

GUST = """
id = "G-1"
title = "Gust"
dice = "1D"
cite = "1.1"
rows = {"..3" = "calm", 4 = "tangle", 5 = "storm", 6 = "calm"}
[outcome.calm]
text = "Calm"
[outcome.tangle]
text = "This kite's other gusts do nothing"
do = ["drop kite"]
[outcome.storm]
text = "Everyone reels in"
do = ["drop everything"]
then = ["L-1"]
"""

LAND = """
id = "L-1"
title = "Landing"
dice = "2D"
cite = "1.2"
rows = {"..0" = "torn", "1.." = "safe"}
natural = [{roll = 12, when = "net <= 0", outcome = "bent"}]
modifier = [{id = "late", add = "-2 * hour", why = "late"}]
[outcome.torn]
text = "Torn"
[outcome.bent]
text = "Bent, but whole"
[outcome.safe]
text = "Safe"
"""


@pytest.fixture
def pack(tmp_path: Path) -> Pack:
    return support.pack(tmp_path, sheet=SHEET, **{"W-1": WIND, "G-1": GUST, "L-1": LAND})


def test_the_toy_pack_is_sound(pack: Pack) -> None:
    assert check(pack) == []


def test_a_worked_out_fact_stands_for_every_member(pack: Pack) -> None:
    facts = Facts(pack.sheet, {"out.left": 3})
    assert (facts["line.left.left"], facts["line.left.right"]) == (5, 5)
    facts.change("out.right", 4)
    assert facts["line.left.right"] == 1


def test_a_fact_is_looked_up_in_a_table_and_may_be_given_instead(pack: Pack) -> None:
    north: dict[str, str | int] = {"beach": "north", "hour": 1}
    facts = Facts(pack.sheet, north)
    assert (facts["wind"], facts["sand"]) == (2, "dunes")
    facts.change("hour", 2)
    assert (facts["wind"], facts["sand"]) == (-1, "flats")
    assert Facts(pack.sheet, north, {"wind": 4})["wind"] == 4


@pytest.mark.parametrize("known", [{}, {"beach": "south", "hour": 1}, {"beach": "north", "hour": 3}])
def test_without_a_row_it_has_its_default(pack: Pack, known: dict[str, str | int]) -> None:
    facts = Facts(pack.sheet, known)
    assert (facts["wind"], facts["sand"]) == (0, "stones")


def gusts(pack: Pack) -> Mission:
    """Two gusts wait for kite 1, one for kite 2, and an order stands."""
    waiting = [{"roll": "G-1", "bind": {"kite": kite}} for kite in ("1", "1", "2")]
    state: dict[str, str | int] = {"kite.1.color": "red", "kite.2.color": "blue", "slots.kite": 2}
    return Mission(pack, state, [*waiting, {"order": "Keep the lines apart", "cite": "1.0"}])


def test_dropping_what_waits_for_one_leaves_it_on_the_sheet_and_the_others_waiting(pack: Pack) -> None:
    mission = gusts(pack)
    mission.roll(None, Hand([[4]]))
    assert mission.state["kite.1.color"] == "red"
    assert [item.get("bind") for item in mission.pending] == [{"kite": "2"}, None]
    mission.undo()
    assert len(mission.pending) == 4


def test_dropping_everything_keeps_orders_and_what_the_row_itself_asks(pack: Pack) -> None:
    mission = gusts(pack)
    mission.roll(None, Hand([[5]]))
    assert [item.get("roll", "order") for item in mission.pending] == ["L-1", "order"]


@pytest.mark.parametrize(("hour", "outcome", "natural"), [(0, "safe", False), (5, "safe", False), (6, "bent", True)])
def test_a_natural_roll_may_decide_only_a_low_net(pack: Pack, hour: int, outcome: str, natural: bool) -> None:
    result = Play(pack, given={"hour": hour}).roll("L-1", Hand([[6, 6]]))
    assert (result.net, result.outcome, result.natural) == (12 - 2 * hour, outcome, natural)
