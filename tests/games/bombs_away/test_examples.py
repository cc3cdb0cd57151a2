"""Bombs Away!: the worked examples of the rules give their printed results."""

import pytest

from companion.engine.dice import Hand
from companion.engine.questions import FieldQuestion
from companion.packs import Pack
from companion.play.mission import Mission
from companion.play.script import Script
from companion.problems import UserError
from tests.games.bombs_away.table import after_combat, at, laid_out, play, tried
from tests.support import Run, asks, fact, fly, moments, prompted


def the_incredible_turn(pack: Pack, draw: str) -> Mission:
    game = laid_out(pack)
    game.write({f"devastated.{target}": "yes" for target in ("bremerhaven", "berlin", "ploesti", "schweinfurt")})
    after_combat(game, **{"hand.axis": 3})
    play(game, f"cards: no-more; pay: discard; pay: discard; pay: no; draw: {draw}")
    return game


@pytest.mark.section("bombs-away V B", "bombs-away V C", "bombs-away I A")
def test_points_and_penalties(pack: Pack) -> None:
    game = the_incredible_turn(pack, "3")
    assert game.state["victory.points"] == 8
    assert (game.state["bp.lost"], game.state["hand.axis"]) == (2, 1)
    assert fact(game, "surrender") == "no"
    play(game, "cards: no-more")
    assert (game.state["bp.axis"], game.state["step"]) == (2, "build-axis")


@pytest.mark.section("bombs-away V A 1", "bombs-away V A 2")
def test_a_one_would_have_ended_the_game(pack: Pack) -> None:
    game = laid_out(pack)
    after_combat(game, **{"devastated.berlin": "yes", "lines": 1, "from.1": -99, "who.1": "axis"})
    texts = play(game, "cards: no-more; pay: no; draw: 1")
    assert "The Axis surrenders" in texts
    assert (game.state["surrender"], game.state["winner"]) == ("yes", "axis")
    assert game.roll(None, Hand(), outcome="allied")[0].outcome == "allied"
    assert game.state["winner"] == "allied"
    with asks(FieldQuestion, match="Level of victory"):
        game.roll(None, Hand())
    game.roll(None, Hand(), outcome="decisive")
    assert game.state["result"] == "decisive"
    assert [result.table for result in game.advance()] == ["over"]
    assert game.advance() == []


@pytest.mark.section("bombs-away II B", "bombs-away V B", "bombs-away VI D")
def test_the_points_of_the_turn_of_a_surrender_count(pack: Pack, companion: Run) -> None:
    game = the_incredible_turn(pack, "1")
    assert (fact(game, "surrender"), game.state["victory.points"], game.state["bp.lost"]) == ("yes", 8, 2)
    read = next(each for each in companion("rulings", "--game", "bombs-away", "--json").json if each["id"] == "A7")
    assert "II B 4" in read["section"]
    assert read["otherwise"].endswith("none are scored in the turn of a surrender.")


@pytest.mark.section("bombs-away V A 1", "bombs-away II A")
def test_no_game_ends_by_a_card_that_was_not_in_hand(pack: Pack) -> None:
    """II A: a draw is changed by cards in hand. Enter names no side; without cards the number applies."""
    game = laid_out(pack)
    after_combat(game, **{"devastated.berlin": "yes", "lines": 1, "who.1": "axis"})
    player = prompted(game, "", "", "2-1", "")
    assert (player.question[:6], fact(game, "surrender")) == ("Number", "no")
    player.type("axis")
    assert (fact(game, "surrender"), game.state["hand.axis"]) == ("yes", 1)
    bare = laid_out(pack)
    after_combat(bare, **{"devastated.berlin": "yes", "lines": 1, "who.1": "axis", "hand.axis": 0, "hand.allied": 0})
    with pytest.raises(UserError, match="No side has an event card that could change the draw"):
        play(bare, "draw: 2-1")
    play(bare, "draw: 2")
    assert fact(bare, "surrender") == "no"


@pytest.mark.section("bombs-away V D")
@pytest.mark.parametrize(("points", "word"), [(-3, "axis"), (4, "axis"), (5, "draw"), (9, "draw"), (10, "allied")])
def test_the_lowest_line_holds_for_every_total_below_the_next(pack: Pack, points: int, word: str) -> None:
    game = laid_out(pack, being="yes")
    game.write({f"pile.{plane}": "unresearched" for plane in pack.sheet.index["plane"]})
    lost = max(0, -points)
    of_axis = [plane for plane, has in pack.sheet.index["plane"].items() if has["side"] == "axis"]
    game.write({f"pile.{plane}": "available" for plane in of_axis[:lost]})
    game.write({"turn": 9, "step": "go-on", "victory.points": max(0, points), "lines": 3})
    game.pending.clear()
    lines = "who.1: axis; word.1: low; from.2: 5; who.2: draw; word.2: even; from.3: 10; who.3: allied; word.3: high"
    assert fly(game, Script(lines.replace("; ", "\n")))
    assert (fact(game, "points.final"), game.state["winner"], game.state["step"]) == (points, word, "end")


@pytest.mark.section("bombs-away VII D")
def test_air_forces_in_being(pack: Pack) -> None:
    game = laid_out(pack)
    planes = pack.sheet.index["plane"]
    for side, many in (("allied", 4), ("axis", 7)):
        of_side = [plane for plane, has in planes.items() if has["side"] == side]
        game.write({f"pile.{plane}": "available" if at < many else "researched" for at, plane in enumerate(of_side)})
    game.write({"victory.points": 20})
    assert fact(game, "points.final") == 20
    game.write({"option.being": "yes"})
    assert fact(game, "points.final") == 17


PLOESTI = at("ploesti") + (
    "cards-here: spitfire-ix; cards-here: b17f; cards-here: me110g; cards-here: flak-2; cards-here: no-more; "
    "fire: b17f@me110g; draw: 3; "
)
BERLIN = "built devastated.berlin=yes lines=1 who.1=axis"
CUT = "turn flak.here={} flak.researched.1={} flak.researched.2=0 flak.researched.3=1"


@pytest.mark.section("bombs-away IV", "bombs-away IV A", "bombs-away IV B 1", "bombs-away IV B 2", "bombs-away IV C")
@pytest.mark.section("bombs-away IV E 1", "bombs-away IV E 2", "bombs-away IV E 3", "bombs-away VII F")
@pytest.mark.section("bombs-away V A 1", "bombs-away II A")
@moments(
    ("the combat over Ploesti", "ploesti",
     PLOESTI + "fire: spitfire-ix@me110g; draw: 9; draw: 3; draw: 7; bomb: b17f; draw: 4",
     "pile.spitfire-ix=researched pile.b17f=available pile.me110g=available devastated.ploesti=yes "
     "flak.available.2=1 flak.researched.2=5 victory.points=2 "
     "|Me110G is bounced by exactly 3: no fire and no bombs this turn;Spitfire IX misses Me110G, 9 against 4;"
     "Spitfire IX is destroyed, 3 against 4;B17F is missed by flak, 7 against 4;"
     "B17F devastates Ploesti by exactly 4, and the flak keeps its strength"),
    ("without bouncing", "ploesti option.bouncing=no",
     PLOESTI + "fire: no-more; draw: 3; draw: 7; bomb: b17f; draw: 4",
     "pile.me110g=researched flak.available.2=0 flak.available.1=4"),
    ("no more draws once the Axis has surrendered",
     BERLIN + " known.target-9=yes devastated.target-9=yes draw.target-9=yes", "cards: no-more; pay: no; draw: 1",
     "step=surrender-table |The Axis surrenders"),
    ("an event card can make it surrender", BERLIN, "cards: no-more; pay: no; draw: 3-2a", "|The Axis surrenders"),
    ("flak 3 is changed for a 1 without a 2", CUT.format(3, 4), "roll flak-cut:",
     "flak.here=1 flak.researched.1=3 flak.researched.2=0 flak.researched.3=2 "
     "|Flak 3 goes back, Flak 1 takes its place"),
    ("flak 1 is eliminated", CUT.format(1, 5), "roll flak-cut:", "flak.here=0"),
    ("lacking change a card is lost", CUT.format(2, 0), "roll flak-cut:", "flak.here=0"),
    ("with it it is changed", CUT.format(2, 1), "roll flak-cut:", "flak.here=1"),
)  # fmt: skip
def test_printed_examples(pack: Pack, sheet: str, flown: str, then: str) -> None:
    tried(pack, sheet, flown, then)
