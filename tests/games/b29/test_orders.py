"""Standing orders remain correct while they are in force (7.2, 7.3)."""

import pytest

from companion.engine.questions import Pending
from companion.packs import Pack
from tests.games.b29.table import DAY, OVER
from tests.support import Moment, set_up

ALONE = OVER.replace("formation=in", "formation=out") + "bombs=dropped "


def orders(moment: Moment, about: str) -> list[str]:
    """Return the standing orders that start with this text."""
    texts = [item.name for item in moment.mission.pending if item.kind == "order"]
    return [text for text in texts if text.startswith(about)]


def test_the_free_turn_in_a_holed_room_ends(b29: Pack) -> None:
    """7.3: the turn of the hit and one more; after that LO, or 7-14 for each man in the compartment."""
    moment = set_up(b29, OVER)
    moment.mission.write({"pressure.waist": "compromised"})
    free = ["Waist: safe at this altitude until the end of turn 13; then descend to LO or roll for frostbite"]
    dice = ["Waist: descend to LO, or roll frostbite for each man there every turn"]
    for turn, standing in ((12, free), (13, free), (14, dice), (15, dice)):
        moment.mission.write({"turn": turn})
        assert orders(moment, "Waist") == standing
    moment.mission.write({"altitude": "lo"})
    assert orders(moment, "Waist") == []


@pytest.mark.parametrize(("height", "zones"), [("hi", ["two more", "one more", "now"]), ("med", ["one more", "now"])])
def test_the_zones_that_one_engine_allows_are_counted(b29: Pack, height: str, zones: list[str]) -> None:
    """7.2: two zones from HI, one from MED; descending on the way takes none of them away."""
    moment = set_up(b29, ALONE.replace("altitude=hi pressurized", f"altitude={height} pressurized"))
    moment.mission.write({"engine.1": "out", "engine.2": "out", "engine.3": "out"})
    for number, words in enumerate(zones):
        moment.mission.write({"zone": 12 - number})
        standing = orders(moment, "One engine running")
        assert len(standing) == 1
        assert words in standing[0]
        moment.mission.write({"altitude": "med" if number == 0 else "lo"})
        assert orders(moment, "One engine running") == standing


@pytest.mark.section("b29 4.7 A")
@pytest.mark.parametrize(
    ("answer", "stands"), [("go-on", 0), ("wait", 1), ("abort\njettison: no", 0), ("iwo-jima\njettison: no", 0)]
)
def test_an_abort_that_is_settled_is_not_ordered_any_longer(b29: Pack, answer: str, stands: int) -> None:
    moment = set_up(
        b29, DAY + "turn=5 zone=5 zone.turns=1 altitude=lo formation=out weather=good fuel.wing=8 step=found"
    )
    moment.fly("4.6: 6,6\n4-9: 3,3 = abort\n")
    assert len(orders(moment, "Abort as 4-9 says")) == 1
    moment.fly(f"abort: {answer}\n")
    assert len(orders(moment, "Abort as 4-9 says")) == stands


@pytest.mark.section("b29 4.7 A", "b29 4.6")
@pytest.mark.parametrize(("answer", "then"), [("go-on", "6-1"), ("wait", "6-1"), ("abort\njettison: no", "")])
def test_an_abort_that_a_row_orders_over_the_target_is_asked_before_the_run(b29: Pack, answer: str, then: str) -> None:
    moment = set_up(b29, OVER + "zone.turns=1 moved=yes abort-asked=yes step=after-combat").fly("")
    assert moment.asked == "abort"
    moment.fly(f"abort: {answer}\n")
    assert (moment.asked == "6-1") == bool(then)
    assert (moment["leg"], moment["aborted"]) == (("outbound", "no") if then else ("inbound", "yes"))


@pytest.mark.section("b29 4.5 C2")
def test_an_abandoned_run_is_no_longer_ordered(b29: Pack) -> None:
    moment = set_up(b29, OVER.replace("formation=in", "formation=out"), "4-8").fly("4-8: 6,6 = off\n")
    assert len(orders(moment, "IP missed")) == 1
    moment.mission.pending.insert(0, Pending.of({"choose": "lost-way", "bind": {}, "born": 1}))
    moment.fly("lost-way: abort\n")
    assert (moment["leg"], moment["course"], orders(moment, "IP missed")) == ("inbound", "off", [])
