"""The start and the turn of Bombs Away!: anything left to the cards is asked for."""

from __future__ import annotations

import pytest

from companion.engine.dice import Hand
from companion.engine.questions import ChoiceQuestion, FieldQuestion
from companion.packs import Pack
from companion.play.mission import Mission
from companion.play.script import Script
from companion.problems import UserError
from tests.games.bombs_away.table import BOX, COSTS, at, laid_out, over_berlin, over_ploesti, play
from tests.support import Run, asks, fact, fly


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
        "research: spitfire-ix; research: no-more; name.axis-5: Ju 88C; dogfight.spitfire-ix: 3; dogfight.axis-5: 2; "
        "payload.spitfire-ix: 0",
    )
    assert (game.state["pile.axis-5"], fact(game, "pile.axis-6")) == ("researched", "unresearched")
    assert (game.state["pile.spitfire-ix"], game.state["designed.spitfire-ix"]) == ("researched", 1)


def test_an_aircraft_that_the_rules_do_not_name_is_named_when_it_comes_out(pack: Pack) -> None:
    # III A 1: its card is then face up, and it can be built by name in the same turn
    game = Mission(pack)
    game.write({**BOX, **COSTS})
    play(game, "research: allied-6; research: b17f; research: no-more; name.allied-6: Lightning; dogfight.allied-6: 3")
    assert fact(game, "called.allied-6") == "Lightning"


def test_an_unnamed_aircraft_is_not_asked_about_each_turn(pack: Pack) -> None:
    # IV: its figures are known since it was first turned up; a strange one beside it is asked for alone
    game = laid_out(pack)
    game.write({"pile.allied-6": "available", "known.allied-6": "yes", "dogfight.allied-6": 3})
    here = at("ploesti") + "cards-here: allied-6; cards-here: b24d; "
    play(game, here + "cards-here: no-more; dogfight.b24d: 2; payload.b24d: 3; fire: no-more")
    assert game.state["step"] == "flak"


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


@pytest.mark.section("bombs-away IV", "bombs-away II A")
def test_an_event_card_may_change_a_draw(pack: Pack) -> None:
    game = over_ploesti(pack)
    game.write({"hand.allied": 1, "option.bouncing": "no"})
    here = at("ploesti") + "cards-here: b17f; cards-here: me110g; cards-here: no-more; "
    texts = play(game, here + "fire: b17f@me110g; draw: 4-1")  # 4 - 1 = 3, its Dogfight
    assert "Me110G is destroyed: 3 against 3" in texts
    assert game.state["hand.allied"] == 0


@pytest.mark.section("bombs-away II A")
def test_event_cards_that_cancel_out_leave_the_hands_all_the_same(pack: Pack) -> None:
    game = over_berlin(pack, "fire: spitfire-i@me109e")
    texts = play(game, "draw: 9; fire: b24d@me109e; draw: 3-2a+1x")
    assert "Miss: 9 against 3" in texts
    assert "Me109E is destroyed: 2 against 2" in texts
    assert (game.state["hand.axis"], game.state["hand.allied"], game.state["discard"]) == (1, 1, 4)


def test_a_draw_that_settles_a_dispute_hits_nobody(pack: Pack) -> None:
    # I A 3
    game = laid_out(pack)
    assert [result.text for result in game.roll("draw", Hand(), outcome="1")][-1] == "A 1, and nobody fires"
    assert (game.state["deck"], game.state["discard"]) == (45, 1)


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
    assert game.roll(None, Hand(), outcome="9")[-1].text == "Miss: 9 against 2"
    assert game.state["deck"] == 45
    game.roll("draw", Hand(), outcome=str(odd))
    game.roll(None, Hand(), outcome="yes")
    assert game.state["deck"] == 44
    assert game.roll("draw", Hand(), outcome=str(odd))[-1].table == "shot"
    assert game.state["deck"] == 43


@pytest.mark.section("bombs-away IV B 1", "bombs-away I A")
def test_an_aircraft_with_nobody_in_reach_may_draw_all_the_same(pack: Pack) -> None:
    game = laid_out(pack, altitude="yes")
    for plane in ("spitfire-i", "b24d", "me109e"):
        low = "high" if plane == "me109e" else "low"
        game.write({f"known.{plane}": "yes", f"dogfight.{plane}": 3, f"flies.{plane}": low})
    here = at("ploesti") + "cards-here: spitfire-i; cards-here: b24d; cards-here: me109e; "
    texts = play(game, here + "cards-here: no-more; fire: spitfire-i; draw: 1; fire: no-more")
    assert "A 1, and nobody was in reach" in texts
    assert (game.state["deck"], game.state["discard"], game.state["step"]) == (45, 1, "flak")


@pytest.mark.section("bombs-away IV B 1", "bombs-away I A")
def test_a_draw_with_nobody_in_reach_does_not_hit_the_target_of_the_shot_before(pack: Pack) -> None:
    game = laid_out(pack, altitude="yes")
    for plane, height in (("spitfire-i", "normal"), ("b24d", "low"), ("me109e", "high")):
        game.write({f"known.{plane}": "yes", f"dogfight.{plane}": 3, f"flies.{plane}": height})
    here = at("ploesti") + "cards-here: spitfire-i; cards-here: b24d; cards-here: me109e; cards-here: no-more; "
    texts = play(game, here + "fire: spitfire-i@me109e; draw: 9; fire: b24d; draw: 1")
    assert "A 1, and nobody was in reach" in texts
    assert game.state["pile.me109e"] == "available"


def test_without_an_axis_aircraft_nobody_is_asked_who_fires(pack: Pack) -> None:
    game = laid_out(pack)
    game.write({"known.spitfire-i": "yes", "dogfight.spitfire-i": 3})
    play(game, at("ploesti") + "cards-here: spitfire-i; cards-here: no-more")
    assert game.state["step"] == "flak"


@pytest.mark.section("bombs-away V D")
def test_a_line_of_the_victory_table_below_the_one_before_is_asked_again(pack: Pack) -> None:
    game = laid_out(pack)
    game.write({"turn": 9, "step": "go-on", "victory.points": 7, "lines": 3})
    game.pending.clear()
    lines = "who.1: axis; word.1: low; from.2: 10; from.3: 5; who.2: draw; who.3: allied; word.2: even; word.3: high"
    play(game, lines)
    with asks(FieldQuestion, match="Line 3, fewest points"):
        game.roll(None, Hand())
    assert fly(game, Script("from.3: 10\nfrom.3: 15"))
    assert (game.state["winner"], game.state["result"]) == ("axis", "low")


@pytest.mark.section("bombs-away I A")
def test_the_event_deck_is_shuffled_when_it_is_out(pack: Pack) -> None:
    game = laid_out(pack)
    game.write({"deck": 1, "discard": 45, "fire": "surrender"})
    game.roll("draw", Hand(), outcome="5")
    assert (game.state["deck"], game.state["discard"]) == (46, 0)
