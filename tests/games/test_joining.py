"""A board in mid-mission: `fly` continues from the sheet, asks for anything it cannot know, and undoes nothing.

`python -m tests.by_hand` sets up hundreds of them.
"""

import re
from pathlib import Path
from random import Random

import pytest

from companion.packs import Pack
from companion.play.conversation import Chance, move
from tests.by_hand import GAMES, joined_wrongly
from tests.missions import replay
from tests.support import MISSIONS, Run, begin, set_up, slow_but, there_and_back
from tests.web.tapping import board_of


@pytest.mark.parametrize("game", slow_but(GAMES))
@pytest.mark.parametrize("seed", slow_but(range(3)))
def test_nothing_written_by_hand_is_lost(game: str, seed: int) -> None:
    assert list(joined_wrongly(Pack(game), seed)) == []


B29 = (
    "mission.number=5 target.city=Tokyo target.type=urban-area target.zone=12 mission.altitude=hi "
    "bomber.position=middle squadron=high resistance.expected=heavy escort.available=no landing.time=day "
    "aux.fwd=none formation=out "
)


@pytest.mark.parametrize(
    ("sheet", "options"),
    [
        ("zone=5 altitude=lo fuel.wing=12", "fuel nothing weather course event turn"),
        ("zone=5 altitude=lo fuel.wing=12 weather=poor", "weather course event turn"),
        ("zone=5 altitude=lo fuel.wing=12 course=off", "course event turn"),
        ("zone=12 altitude=lo fuel.wing=30 resistance=heavy log.gazetteer.12=0 log.below.12=land", "resistance flak"),
        ("zone=12 altitude=lo fuel.wing=30 bomb-run=on bombs=dropped log.gazetteer.12=0 log.below.12=land",
         "bomb-run more-flak"),
        ("zone=12 altitude=lo fuel.wing=30 leg=inbound log.gazetteer.12=0 log.below.12=land",
         "fuel nothing event resistance turn"),
        ("zone=11 altitude=lo fuel.wing=30 fighter.1.type=zeke log.gazetteer.11=0 log.below.11=sea",
         "attack our-fire their-fire"),
    ],
)  # fmt: skip
def test_rolls_already_made_by_a_b29_in_a_zone(b29: Pack, sheet: str, options: str) -> None:
    """4.0: fuel, weather, course, event, resistance, target; rolls already on the sheet are not repeated."""
    moment = set_up(b29, B29 + sheet)
    moment.mission.advance()
    while moment.asked == "None":
        moment.mission.advance()
    assert moment.options == options.split()


@pytest.mark.section("bombs-away I B 6")
@pytest.mark.parametrize(("written", "spitfire"), [("me110g", "available"), ("b24d", "unresearched")])
def test_unmentioned_aircraft_start_in_their_piles(written: str, spitfire: str) -> None:
    box = "cards.1=8 cards.2=6 cards.3=4 cards.4=2 flak.available.1=2 flak.available.2=1 victory.points=9"
    moment = set_up(Pack("bombs-away"), f"turn=4 pile.{written}=available {box}")
    while "join" not in moment.tables:
        moment.results += move(moment.mission, Chance(Random(1)))
    assert [moment[f"flak.researched.{size}"] for size in (1, 2, 3, 4)] == [6, 5, 4, 2]
    seen = (moment[f"pile.{written}"], moment["pile.spitfire-i"], moment["points.before"], moment[f"had.{written}"])
    assert seen == ("available", spitfire, 9, "yes")


def test_a_storm_that_was_rolled_for_is_not_rolled_for_again() -> None:
    """Streamliner 17: a storm front has its own steps after the weather."""
    moment = set_up(Pack("b29-streamliner"), f"{B29} zone=5 altitude=lo fuel.wing=12 weather=bad front=storm")
    moment.fly("join: weather\n")
    assert (moment["weather"], moment.asked) == ("bad", "4-8")


@pytest.mark.parametrize(
    ("sheet", "options"),
    [
        ("zone=4", "nothing cover quiet combat turn"), ("zone=4 cover=good", "cover quiet combat turn"),
        ("zone=6", "nothing quiet combat turn"), ("zone=7", "nothing weather quiet combat flak"),
        ("zone=7 flak=heavy", "flak weather quiet combat"), ("zone=7 bomb-run=on", "bomb-run"),
        ("zone=4 fighter.1.type=me109 fighter.1.clock=6 fighter.1.angle=high", "wave driven-off our-fire"),
        ("zone=5 waves.left=2", "moves"), ("zone=1 leg=inbound", "nothing base"),
    ],
)  # fmt: skip
def test_rolls_already_made_by_a_b17_in_a_zone(b17: Pack, sheet: str, options: str) -> None:
    """5.2: weather, cover, waves, flak, bomb run; rolls already on the chart are not repeated."""
    moment = set_up(b17, f"mission.number=12 target.city=Bremen bomber.position=lead squadron=low {sheet}")
    moment.mission.advance()
    assert moment.options == options.split() if " " in options else moment["step"] == options  # with one, none is asked


@pytest.mark.section("b17 5.2 *")
def test_a_b17_joined_in_zone_4_flies_home(b17: Pack) -> None:
    mission, wrong_there, ended = replay(b17, MISSIONS / "b17" / "joined-in-zone-4.txt")
    assert (wrong_there, ended) == ([], True)
    there_and_back(mission)


def test_undo_goes_back_through_the_join_to_the_edits(companion: Run, tmp_path: Path) -> None:
    """The cover, the answer to the single question, then the edits, last first."""
    begin(companion, "b17", "mission.number=12", "target.city=Bremen", "bomber.position=lead", "squadron=low")
    companion("set", "zone=4")
    companion("set", "tail-wheel=out")
    (tmp_path / "zone-4.txt").write_text("join: nothing\nG-5: 6\nend\n")
    assert "Joining in Zone 4, outbound" in companion("fly", "--dice-from", tmp_path / "zone-4.txt").out
    seen = []
    for _ in range(5):
        facts = companion("status", "--json").json["facts"]
        seen.append((facts["zone"], facts["tail-wheel"], facts["cover"]))
        companion("undo")
    assert seen == [(4, "out", "good"), (4, "out", "none"), (4, "out", "none"), (4, "ok", "none"), (0, "ok", "none")]


@pytest.mark.slow
def test_a_forecast_flies_from_where_the_sheet_is(companion: Run) -> None:
    """8.0 h: an engine out since the base was not stopped by a fighter; a bomber on the way home has bombed."""
    begin(companion, "b17", "mission.number=12", "target.city=Bremen", "engine.1=out")
    base = companion("forecast", "--missions", "40", "--seed", "1", "--json").json
    assert base["counts"]["p"] < 0.5
    companion("set", "engine.1=ok", "bombs=dropped", "bomb-run=on", "leg=inbound", "zone=7")
    home = companion("forecast", "--missions", "40", "--seed", "1", "--json").json
    assert home["bombed"]["p"] == 1


@pytest.mark.parametrize("command", [["set", "not-fighters.fuel=3"], ["mission", "start", "-y", "--with", "moved=yes"],
                                     ["mark", "turns.home"], ["mark", "not-fighters.fuel"]])  # fmt: skip
def test_what_the_companion_reckons_with_is_not_written_by_hand(companion: Run, command: list[str]) -> None:
    begin(companion, "b17")
    assert companion(*command).code == 2
    assert companion("log", "--json").json == []


@pytest.mark.section("b17 10.2")
def test_the_next_zone_carries_out_the_order_that_fell_due(companion: Run) -> None:
    begin(companion, "b17", "mission.number=12", "target.city=Bremen")
    companion("set", "zone=3")
    assert "10,000 feet from the next turn on" in companion("set", "engine.1=out", "engine.2=out").out
    assert "Down to 10,000 feet" in companion("set", "zone=4").out
    facts = companion("status", "--json").json["facts"]
    assert (facts["altitude"], facts["formation"]) == ("low", "out")


@pytest.mark.parametrize("order", ["cover=good zone=4 oil.1=2", "oil.1=2 zone=4 cover=good"])
def test_fields_written_with_a_zone_belong_to_it(companion: Run, order: str) -> None:
    begin(companion, "b17", "mission.number=12", "target.city=Bremen")
    companion("set", *order.split())
    facts = companion("status", "--json").json["facts"]
    assert (facts["zone"], facts["cover"], facts["oil.1"]) == (4, "good", 2)


@pytest.mark.parametrize("game", GAMES)
def test_every_answer_goes_on_with_a_step_that_there_is(game: str) -> None:
    pack = Pack(game)
    lines = [line for option in pack.unit("choices")["choice"]["join"]["option"] for line in option.get("do", ())]
    steps = [name for line in lines if line.startswith("step = ") for name in re.findall("'([a-z0-9-]+)'", line)]
    assert len(steps) >= 10
    assert [name for name in steps if name not in pack.sequence.place] == []


def test_on_the_page_a_board_is_joined_too(companion: Run) -> None:
    begin(companion, "b17", "mission.number=12", "target.city=Bremen", "bomber.position=lead", "squadron=low")
    companion("set", "zone=4", "cover=good")
    view = board_of().view()
    assert view.step == ("Joining in Zone 4", "5.2")
    assert [(each.place, each.said) for each in view.events] == [("Zone 4, outbound", "Zone: 4; Fighter cover: good")]
    assert "rolled in this zone" in view.prompt.title


@pytest.mark.parametrize("game", ["b29", "b17"])
def test_no_briefing_is_announced_to_a_board_in_mid_mission(companion: Run, game: str) -> None:
    begin(companion, game)
    companion("set", "zone=5")
    shown = companion("next").out
    assert "Joining in Zone 5" in shown and "Briefing" not in shown


@pytest.mark.slow
def test_a_board_in_mid_mission_is_on_paper_after_six_lines(companion: Run, tmp_path: Path) -> None:
    lines = [
        "new Dixie --game b29 --yes", "mission start --yes",
        "set zone 5 outbound, HI, engine 2 out, inboard port tank leaking, fuel left 26",
        "roll table 5-9 zeke 6 level ace 35", "roll 5-9 with modifiers another nick 12 high 11",
        f"sheet mission -o {tmp_path / 'five.pdf'}",
    ]  # fmt: skip
    ran = [companion(*line.split()) for line in lines]
    assert [each.code for each in ran] == [0] * len(lines)
    assert ran[2].out.splitlines() == [
        "Zone 5. Altitude HI. Engine 2 is out. Port inboard tank is leaking. Wing tanks: 12 crossed off, 26 left.",
        "Order: One engine out: jettison the bombs, or keep them and fly out of formation (no climbing, two turns per "
        "zone) (7.2)",
        "Continue with: companion fly",
    ]
    facts = companion("status", "--json").json["facts"]
    assert {name: facts[name] for name in ("zone", "altitude", "engine.2", "tank.inboard.port", "fuel.wing")} == {
        "zone": 5, "altitude": "hi", "engine.2": "out", "tank.inboard.port": "leaking", "fuel.wing": 12,
    }  # fmt: skip
    assert (facts["fighter.1.type"], facts["fighter.2.type"], facts["fighter.2.clock"]) == ("zeke", "nick", "12")
    assert (tmp_path / "five.pdf").stat().st_size > 1000
