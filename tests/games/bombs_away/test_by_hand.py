"""Bombs Away! by hand, card by card, and its screens."""

import re

import pytest

from companion.engine.dice import Hand
from companion.packs import Pack
from companion.play.mission import Mission
from companion.play.script import Script
from tests.games.bombs_away.table import BOX, COSTS, after_combat, at, laid_out, over_berlin, play, tried
from tests.support import Run, asked, begin, fly, moments


@pytest.fixture
def at_berlin(companion: Run) -> Run:
    """Return a B24D over Berlin, whose square has two symbols."""
    begin(companion, "bombs-away")
    companion("set", "at.b24d=berlin", "pile.b24d=available", "symbols.berlin=2")
    return companion


@pytest.mark.section("bombs-away I B 4", "bombs-away I B 5", "bombs-away I B 6")
def test_the_piles_of_each_side_have_their_names_on_the_screen(at_berlin: Run) -> None:
    screen = re.sub(r"\s+", " ", at_berlin("status").out)
    assert "Allied available B24D" in screen
    assert "{" not in screen


@pytest.mark.parametrize("game", ["b29", "b29-streamliner", "b17", "bombs-away"])
def test_no_label_keeps_a_brace(game: str) -> None:
    sheet = Pack(game).sheet
    assert [name for name in sheet.derived if "{" in sheet.text(name)] == []


@pytest.mark.section("bombs-away V A 1")
def test_a_surrender_at_another_time_ends_the_game_at_once(pack: Pack) -> None:
    game = laid_out(pack)
    after_combat(game, **{"lines": 1, "who.1": "axis"})
    play(game, "cards: no-more")
    game.write({"surrender": "yes"})
    assert fly(game, Script("surrender: allied\nresult: decisive"))
    assert (game.state["turn"], game.state["winner"], game.state["step"]) == (1, "allied", "end")
    drawn = over_berlin(pack)
    drawn.roll("surrender-draw", Hand(), {"target": "berlin"})
    play(drawn, "draw: 1")
    assert (asked(drawn), drawn.state["step"]) == (["lines"], "end-of-game")


@pytest.mark.section("bombs-away VI A 2", "bombs-away VI B")
def test_a_cost_that_was_written_before_leaves_the_others_to_be_asked(pack: Pack) -> None:
    game = Mission(pack)
    game.write({**BOX, "cost.aircraft.axis": 2})
    flak = "; ".join(f"cost.new.{size}: {size}" for size in (1, 2, 3, 4))
    play(game, f"cost.card.axis: 0; {flak}; cost.raise.1: 1; cost.raise.2: 2; cost.raise.3: 3")
    play(game, "cost.aircraft.allied: 2; cost.card.allied: 1; research: no-more")


@pytest.mark.section("bombs-away VI A 4")
def test_a_box_with_a_gap_is_asked_for_every_step_up(pack: Pack) -> None:
    game = Mission(pack)
    game.write({"cards.1": 8, "cards.2": 6, "cards.4": 6, **COSTS, "costs.known": "no"})
    new = "; ".join(f"cost.new.{size}: {size}" for size in (1, 2, 4))
    play(game, f"{new}; cost.raise.1: 1; cost.raise.2: 2; cost.raise.3: 3; research: no-more")
    game.write({"flak.available.2": 1, "flak.researched.2": 5, "flak.available.1": 0, "flak.researched.1": 8})
    after_combat(game, **{"hand.axis": 0, "hand.allied": 0})
    play(game, "build: 2@4")
    assert (game.state["flak.available.4"], game.state["bp.axis"]) == (1, 2)


@pytest.mark.section("bombs-away I B 4", "bombs-away I B 5")
def test_a_box_played_with_two_flak_1_has_no_more_of_them(pack: Pack) -> None:
    game = Mission(pack)
    game.write({"cards.1": 2, "cards.2": 18, **COSTS})
    play(game, "flak-count: no; research: no-more")
    assert (game.state["flak.available.1"], game.state["flak.researched.1"]) == (2, 0)


B24D = "turn at.b24d=berlin pile.b24d=available symbols.berlin=2"
AT_PLOESTI = "turn at.b24d=ploesti pile.b24d=available at.fw190a=ploesti pile.fw190a=available"
FIRES = "fire: spitfire-i@me109e; "
NO_CARDS = "cards: no-more"
SPECIAL = "It follows by itself in a special build"


@pytest.mark.section("bombs-away I A", "bombs-away II A", "bombs-away IV A", "bombs-away IV B 1", "bombs-away IV B 2")
@pytest.mark.section("bombs-away IV C", "bombs-away IV E 3", "bombs-away V A 1", "bombs-away V A 2", "bombs-away V B")
@pytest.mark.section("bombs-away V C", "bombs-away VI A 2", "bombs-away VI A 4", "bombs-away VI D")
@moments(
    ("flak by hand misses on more than the symbols", B24D, "with plane=b24d here=berlin; roll flak-fire:; draw: 3",
     "|B24D is missed by flak, 3 against 2"),
    ("and hits on as many", B24D, "with plane=b24d here=berlin; roll flak-fire:; draw: 2",
     "|B24D is destroyed, 2 against 2"),
    ("at one elsewhere it does not fire", B24D, "with plane=b24d here=ploesti; roll flak-fire:",
     "|B24D is not at Ploesti"),
    ("nor at one that is gone", B24D, "set pile.b24d=researched; with plane=b24d here=ploesti; roll flak-fire:",
     "|B24D is gone"),
    ("nor at its own side", AT_PLOESTI, "with plane=fw190a here=ploesti; roll flak-fire:",
     "|FW190A is an Axis aircraft"),
    ("it leaves the dogfights as they are", "berlin",
     FIRES + "with plane=b24d here=berlin; roll flak-fire:; draw: 9; draw: 3",
     "options=b24d@fw190a,no-more |B24D is missed by flak, 9 against 1;Me109E is destroyed, 3 against 3"),
    ("a surrender draw by hand is one when the card is turned", B24D,
     "with target=berlin; roll surrender-draw:; set fire=flak; draw: 1", "|The Axis surrenders"),
    ("on more than 1 the Axis fights on", B24D, "with target=berlin; roll surrender-draw:; draw: 2",
     "|The Axis fights on"),
    ("only a political target calls for one", "turn", "with target=bremerhaven; roll surrender-draw:",
     "asked!=draw |no draw"),
    ("only a surrender for its table", "turn", "roll surrender: = allied", "winner=none waits!=result"),
    ("a draw for a dispute is no second shot", "berlin", FIRES + "draw: 9; roll draw: = 1; roll shot:",
     "asked=fire pile.me109e=available |A 1, and nobody fires"),
    ("nor one of the flak", "berlin", "fire: no-more; draw: 9; draw: 9; roll draw: = 1", "pile.b24d=available"),
    ("nor a surrender draw", "built devastated.berlin=yes",
     "cards: no-more; pay: no; draw: 7; roll draw: = 1", "surrender=no step=build-axis"),
    ("a figure that was set before the card is seen is not asked again",
     "turn dogfight.b24d=2 payload.b24d=3 symbols.berlin=2 dogfight.fw190a=3",
     at("berlin") + "cards-here: b24d; cards-here: fw190a; cards-here: no-more; fire: no-more",
     "step=flak known.b24d=yes known.fw190a=yes"),
    ("nor those of a square", "built devastated.target-5=yes points.target-5=3 loses.target-5=2 draw.target-5=yes",
     "cards: no-more; pay: no; draw: 9", "victory.points=3 bp.lost=2 known.target-5=yes"),
    ("nothing is asked when no point is left to cover", "built devastated.schweinfurt=yes",
     "cards: no-more; pay: discard", "hand.axis=1 bp.lost=0"),
    ("what an event takes away neither fires nor is hit", "berlin",
     "set pile.b24d=researched pile.me109e=researched; fire: spitfire-i@fw190a; draw: 9; draw: 9",
     "step=axis-dogfights options=fw190a@spitfire-i,no-more"),
    ("a square where an aircraft was written is fought over too", "turn",
     "placed: berlin; placed: ploesti; placed: no-more; set at.b24d=schweinfurt at.fw190a=bremerhaven",
     "options=berlin,ploesti,schweinfurt"),
    ("emptied squares leave nothing to fight over", "turn",
     "placed: berlin; placed: ploesti; placed: no-more; set fought.berlin=yes fought.ploesti=yes; cards: no-more",
     "step!=target step!=combat"),
    ("points that are taken away end the build", "built flak.researched.2=5 flak.available.2=1 flak.available.1=1 "
     "flak.researched.3=4 flak.researched.4=2",
     NO_CARDS + "; build: 1@2; set bp.axis=0; build: done", "builder=allied asked=build"),
    ("an event card does not count twice", "built",
     "cards: axis; cards.effect: 3; cards: no-more; build: card-axis; cards.effect: -1; roll card-effect:; "
     "roll card-effect:", "victory.points=3 bp.axis=3 |No points"),
    ("nor before there are points", "turn", "with cards.effect=2; roll card-effect:", "|No points counted yet"),
    ("a special build by hand gives back what it interrupts", "built",
     NO_CARDS + "; roll special-allied:; roll special-end:; roll special-axis:; roll special-end:; build: done; "
     "build: done", "bp.axis=4 builder=axis asked=build |" + SPECIAL),
    ("flak reduced by hand is not reduced again", "ploesti option.bouncing=no flak.available.3=1 flak.researched.3=3",
     at("ploesti") + "cards-here: b17f; cards-here: flak-3; cards-here: no-more; fire: no-more; draw: 9; "
     "set flak.cut=yes; roll flak-cut:", "flak.here=2 flak.cut=no"),
    ("no card is turned over when all are in the hands", "berlin",
     FIRES + "set deck=0 discard=0 hand.axis=25 hand.allied=25; draw: 1",
     "deck=0 discard=0 pile.me109e=available |No card is left to draw: a miss"),
    ("the discards of a deck that is out are shuffled",
     "built option.crash=yes deck=0 discard=0 hand.axis=25 hand.allied=25", NO_CARDS + "; build: crash",
     "deck=2 discard=0"),
    ("and drawn from", "built option.crash=yes deck=0 discard=0 hand.axis=25 hand.allied=25",
     NO_CARDS + "; build: crash; build: event-card; heats-up: no", "deck=1 hand.axis=24"),
)  # fmt: skip
def test_written_and_rolled_by_hand(pack: Pack, sheet: str, flown: str, then: str) -> None:
    tried(pack, sheet, flown, then)
