"""The start and the turn of Bombs Away!: anything left to the cards is asked for."""

import pytest

from companion.engine.dice import Hand
from companion.engine.questions import ChoiceQuestion, FieldQuestion
from companion.packs import Pack
from companion.play.mission import Mission
from companion.play.script import Script
from companion.problems import UserError
from tests.games.bombs_away.table import BOX, COSTS, at, laid_out, play, tried
from tests.support import Run, asks, fact, fly, moments


@pytest.mark.section(
    "bombs-away I B 2", "bombs-away I B 3", "bombs-away I B 4", "bombs-away I B 5", "bombs-away I B 6",
    "bombs-away I B 7",
)  # fmt: skip
def test_the_start(pack: Pack) -> None:
    game = laid_out(pack)
    assert (game.state["hand.allied"], game.state["hand.axis"], game.state["deck"]) == (2, 2, 46)
    assert [fact(game, f"allied.{pile}") for pile in ("available", "researched", "unresearched")] == [3, 0, 8]
    assert [fact(game, f"axis.{pile}") for pile in ("available", "researched", "unresearched")] == [2, 0, 8]
    assert (fact(game, "flak.available"), fact(game, "flak.researched")) == (4, 16)
    assert (game.state["turn"], game.state["decoys"]) == (1, 8)


@pytest.mark.section("bombs-away III A 1")
def test_an_aircraft_comes_out_on_the_turn_of_its_card_and_the_turn_is_remembered(pack: Pack) -> None:
    game = Mission(pack)
    game.write({**BOX, **COSTS, "designed.axis-5": 1, "designed.axis-6": 2})
    play(
        game,
        "research: spitfire-ix; research: no-more; dogfight.spitfire-ix: 3; payload.spitfire-ix: 0; "
        "name.axis-5: Ju 88C; dogfight.axis-5: 2",
    )
    assert (game.state["pile.axis-5"], fact(game, "pile.axis-6")) == ("researched", "unresearched")
    assert (game.state["pile.spitfire-ix"], game.state["designed.spitfire-ix"]) == ("researched", 1)


def test_an_aircraft_that_the_rules_do_not_name_is_named_when_it_comes_out(pack: Pack) -> None:
    # III A 1: its card is then face up, and it can be built by name in the same turn
    game = Mission(pack)
    game.write({**BOX, **COSTS})
    play(game, "research: allied-6; research: b17f; research: no-more; name.allied-6: Lightning; dogfight.allied-6: 3")
    assert fact(game, "called.allied-6") == "Lightning"


@pytest.mark.section("bombs-away I B 2")
@pytest.mark.parametrize("many", [1, 7])  # of Flak 4, with the 18 others
def test_a_count_of_flak_cards_that_is_not_the_box_can_be_counted_again(pack: Pack, many: int) -> None:
    game = Mission(pack)
    flak = {f"cost.{what}.{size}": size for what in ("new", "raise") for size in range(1, 5)}
    game.write({**BOX, **COSTS, **flak, "cards.4": many})
    game.advance()
    with asks(ChoiceQuestion, match=f"{18 + many} flak cards are entered, the box has 20. Count again?"):
        game.roll(None, Hand())
    counted = "; ".join(f"cards.{size}: {BOX.get(f'cards.{size}', 0)}" for size in range(1, 7))
    play(game, f"flak-count: again; {counted}; research: no-more")
    assert (fact(game, "flak.box"), fact(game, "flak.available"), game.state["turn"]) == (20, 4, 1)


@pytest.mark.section("bombs-away I B 4")
def test_a_box_without_the_four_flak_1_of_the_start_can_be_counted_again(pack: Pack) -> None:
    game = Mission(pack)
    game.write({**BOX, **COSTS, "cards.1": 3, "cards.2": 11})
    game.advance()
    with asks(ChoiceQuestion, match="20 flak cards are entered, fewer than four of them Flak 1. Count again?"):
        game.roll(None, Hand())


def test_missing_cards_of_the_box_are_asked_about_once(pack: Pack) -> None:
    game = Mission(pack)
    game.write({**BOX, **COSTS, "cards.4": 1})
    play(game, "flak-count: no; research: no-more")
    assert (fact(game, "flak.box"), game.state["turn"]) == (19, 1)


@pytest.mark.parametrize("table", ["flak-fire", "flak-cut", "surrender-draw", "shot", "card-effect"])
def test_a_table_rolled_out_of_its_place_does_no_harm(companion: Run, table: str) -> None:
    companion("new", "Reich", "--game", "bombs-away", "--yes")
    companion("mission", "start", "--yes")
    assert companion("roll", table).code == 0
    assert companion("status", "--json").json["facts"]["points.final"] == 0


@pytest.mark.section("bombs-away IV")
@pytest.mark.parametrize("two", ["6 5", "6,5", "6/5", "6_5", "6:5", "6;5", "6.5"])
def test_two_numbers_are_no_draw_that_a_card_has_changed(pack: Pack, two: str) -> None:
    game = laid_out(pack)
    game.write({"fire": "surrender", "shot.due": "yes"})
    with pytest.raises(UserError, match="can.t be"):
        game.roll("draw", Hand(), outcome=two)
    assert (game.state["deck"], fact(game, "surrender")) == (46, "no")
    game.roll("draw", Hand(), outcome="6 - 5")
    assert fact(game, "surrender") == "no"
    game.roll(None, Hand(), outcome="allied")
    assert fact(game, "surrender") == "yes"


@pytest.mark.section("bombs-away I A")
@pytest.mark.parametrize("odd", [99, 10, 0])
def test_a_number_that_no_card_has_shown_is_asked_about_once(pack: Pack, odd: int) -> None:
    game = laid_out(pack)
    game.write({"fire": "flak", "here": "ploesti", "foe": "b24d", "shot.due": "yes"})
    game.roll("draw", Hand(), outcome=str(odd))
    with asks(ChoiceQuestion, match=f"{odd} is outside the numbers seen so far"):
        game.roll(None, Hand())
    assert game.state["deck"] == 46
    game.roll(None, Hand(), outcome="no")
    assert game.roll(None, Hand(), outcome="9")[-1].text == "B24D is missed by flak, 9 against 2"
    assert game.state["deck"] == 45
    game.roll("draw", Hand(), outcome=str(odd))
    game.roll(None, Hand(), outcome="yes")
    assert game.state["deck"] == 44
    assert game.roll("draw", Hand(), outcome=str(odd))[-1].table == "shot"
    assert game.state["deck"] == 43


@pytest.mark.section("bombs-away V D")
def test_a_line_of_the_victory_table_below_the_one_before_is_asked_again(pack: Pack) -> None:
    game = laid_out(pack)
    game.write({"turn": 9, "step": "go-on", "victory.points": 7, "lines": 3})
    game.pending.clear()
    lines = "who.1: axis; word.1: low; from.2: 10; who.2: draw; word.2: even; from.3: 5; who.3: allied; word.3: high"
    play(game, lines)
    with asks(FieldQuestion, match="Line 3, fewest points"):
        game.roll(None, Hand())
    assert fly(game, Script("from.3: 10\nfrom.3: 15"))
    assert (game.state["winner"], game.state["result"]) == ("axis", "low")


def known(**heights: str) -> str:
    """Return aircraft with a Dogfight of 3, each at a height."""
    planes = {plane.replace("_", "-"): height for plane, height in heights.items()}
    return " option.altitude=yes " + " ".join(
        f"known.{plane}=yes dogfight.{plane}=3 flies.{plane}={height}" for plane, height in planes.items()
    )


THREE_HERE = "cards-here: spitfire-i; cards-here: b24d; cards-here: me109e; cards-here: no-more; "


@pytest.mark.section("bombs-away IV", "bombs-away II A", "bombs-away I A", "bombs-away IV B 1")
@moments(
    ("an event card may change a draw", "ploesti hand.allied=1 option.bouncing=no",
     at("ploesti") + "cards-here: b17f; cards-here: me110g; cards-here: no-more; fire: b17f@me110g; draw: 4-1",
     "hand.allied=0 |Me110G is destroyed, 3 against 3"),
    ("cards that cancel out leave the hands all the same", "berlin",
     "fire: spitfire-i@me109e; draw: 9; fire: b24d@me109e; draw: 3-2a+1x",
     "hand.axis=1 hand.allied=1 discard=4 |Spitfire I misses Me109E, 9 against 3;Me109E is destroyed, 2 against 2"),
    ("a draw that settles a dispute hits nobody", "turn", "roll draw: = 1",
     "deck=45 discard=1 |A 1, and nobody fires"),
    ("what is known is not asked about each turn",
     "turn pile.allied-6=available known.allied-6=yes dogfight.allied-6=3",
     at("ploesti") + "cards-here: allied-6; cards-here: b24d; cards-here: no-more; dogfight.b24d: 2; payload.b24d: 3; "
     "fire: no-more", "step=flak"),
    ("an aircraft with nobody in reach may draw all the same",
     "turn" + known(spitfire_i="low", b24d="low", me109e="high"),
     at("ploesti") + THREE_HERE + "fire: spitfire-i; draw: 1; fire: no-more",
     "deck=45 discard=1 step=flak |A 1, and nobody was in reach"),
    ("which does not hit the target of the shot before",
     "turn" + known(spitfire_i="normal", b24d="low", me109e="high"),
     at("ploesti") + THREE_HERE + "fire: spitfire-i@me109e; draw: 9; fire: b24d; draw: 1",
     "pile.me109e=available |A 1, and nobody was in reach"),
    ("without an Axis aircraft nobody is asked who fires", "turn known.spitfire-i=yes dogfight.spitfire-i=3",
     at("ploesti") + "cards-here: spitfire-i; cards-here: no-more", "step=flak"),
    ("the event deck is shuffled when it is out", "turn deck=1 discard=45 fire=surrender", "roll draw: = 5",
     "deck=46 discard=0"),
)  # fmt: skip
def test_draws_and_shots(pack: Pack, sheet: str, flown: str, then: str) -> None:
    tried(pack, sheet, flown, then)
