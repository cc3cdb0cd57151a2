"""Bombs Away! by hand, card by card, and its screens."""

from __future__ import annotations

import re

import pytest

from companion.engine.dice import Hand
from companion.packs import Pack
from companion.play.mission import Mission
from companion.play.script import Script
from tests.games.bombs_away.table import BOX, COSTS, after_combat, at, laid_out, over_berlin, over_ploesti, play
from tests.support import Moment, Run, asked, begin, fact, fly


@pytest.fixture
def at_berlin(companion: Run) -> Run:
    """Return a B24D over Berlin, whose square has two symbols."""
    begin(companion, "bombs-away")
    companion("set", "at.b24d=berlin", "pile.b24d=available", "symbols.berlin=2")
    return companion


@pytest.mark.section("bombs-away IV C")
@pytest.mark.parametrize(("card", "end"), [("3", "Miss: 3 against 2"), ("2", "B24D is destroyed: 2 against 2")])
def test_flak_by_hand_knows_its_aircraft_when_the_card_is_turned(at_berlin: Run, card: str, end: str) -> None:
    at_berlin("roll", "flak-fire", "--with", "plane=b24d", "--with", "here=berlin")
    assert end in at_berlin("roll", "--outcome", card).out


@pytest.mark.section("bombs-away V A 1")
@pytest.mark.parametrize(("card", "end"), [("1", "The Axis surrenders"), ("2", "The Axis fights on")])
def test_a_surrender_draw_by_hand_is_one_when_the_card_is_turned(at_berlin: Run, card: str, end: str) -> None:
    at_berlin("roll", "surrender-draw", "--with", "target=berlin")
    at_berlin("set", "fire=flak")  # whatever was set between
    assert end in at_berlin("roll", "--outcome", card).out


@pytest.mark.section("bombs-away IV C")
def test_flak_does_not_fire_at_an_aircraft_elsewhere(at_berlin: Run) -> None:
    elsewhere = at_berlin("roll", "flak-fire", "--with", "plane=b24d", "--with", "here=ploesti").out
    assert "B24D is not at Ploesti" in elsewhere
    at_berlin("set", "pile.b24d=researched")
    assert "B24D is gone" in at_berlin("roll", "flak-fire", "--with", "plane=b24d", "--with", "here=ploesti").out


@pytest.mark.section("bombs-away I B 4", "bombs-away I B 5", "bombs-away I B 6")
def test_the_piles_of_each_side_have_their_names_on_the_screen(at_berlin: Run) -> None:
    screen = re.sub(r"\s+", " ", at_berlin("status").out)
    assert "Allied available B24D" in screen
    assert "{" not in screen


@pytest.mark.parametrize("game", ["b29", "b29-streamliner", "b17", "bombs-away"])
def test_no_label_keeps_a_brace(game: str) -> None:
    sheet = Pack(game).sheet
    assert [name for name in sheet.derived if "{" in sheet.derived[name].label and "[" not in name] == []


@pytest.mark.section("bombs-away I A")
def test_a_figure_that_was_set_before_the_card_is_seen_is_not_asked_again(pack: Pack) -> None:
    game = laid_out(pack)
    game.write({"dogfight.b24d": 2, "payload.b24d": 3, "symbols.berlin": 2, "dogfight.fw190a": 3})
    here = at("berlin") + "cards-here: b24d; cards-here: fw190a; "
    play(game, here + "cards-here: no-more; fire: no-more")
    assert (game.state["step"], fact(game, "known.b24d"), fact(game, "known.fw190a")) == ("flak", "yes", "yes")


@pytest.mark.section("bombs-away V C")
def test_nothing_is_asked_when_no_point_is_left_to_cover(pack: Pack) -> None:
    game: Mission = laid_out(pack)
    after_combat(game, **{"devastated.schweinfurt": "yes"})
    texts = play(game, "cards: no-more; pay: discard; cards: no-more")
    assert (game.state["hand.axis"], game.state["bp.lost"]) == (1, 0)
    assert not [text for text in texts if text.startswith("0 build points")]


# -- a draw that nobody owes -------------------------------------------------------------------------------------------


@pytest.mark.section("bombs-away I A", "bombs-away IV B 1")
@pytest.mark.parametrize(
    ("script", "card"), [("fire: spitfire-i@me109e; draw: 9", "me109e"), ("fire: no-more; draw: 9; draw: 9", "b24d")]
)
def test_a_dispute_is_no_second_shot(pack: Pack, script: str, card: str) -> None:
    game = over_berlin(pack, script)
    assert asked(game) == ["fire"]
    assert [result.text for result in game.roll("draw", Hand(), outcome="1")][-1] == "A 1, and nobody fires"
    assert game.roll("shot", Hand())[0].text == "A 1, and nobody fires"
    assert game.state[f"pile.{card}"] == "available"


@pytest.mark.section("bombs-away I A", "bombs-away V A 1")
def test_a_dispute_while_the_axis_builds_is_no_surrender_draw(pack: Pack) -> None:
    game = laid_out(pack)
    after_combat(game, **{"devastated.berlin": "yes"})
    play(game, "cards: no-more; pay: no; draw: 7; cards: no-more")
    game.roll("draw", Hand(), outcome="1")
    assert (fact(game, "surrender"), game.state["step"]) == ("no", "build-axis")


@pytest.mark.section("bombs-away IV C", "bombs-away IV B 1")
def test_flak_by_hand_leaves_the_dogfights_as_they_are(pack: Pack) -> None:
    game = over_berlin(pack, "fire: spitfire-i@me109e")
    game.roll("flak-fire", Hand(), {"plane": "b24d", "here": "berlin"})
    texts = play(game, "draw: 9; draw: 3")  # the flak's symbol, then the Spitfire's Dogfight
    assert [text for text in texts if ": " in text] == ["Miss: 9 against 1", "Me109E is destroyed: 3 against 3"]
    assert Moment(game).options == ["b24d@fw190a", "no-more"]


# -- written by hand ---------------------------------------------------------------------------------------------------


@pytest.mark.section("bombs-away II A", "bombs-away IV B 2")
def test_a_card_that_an_event_takes_away_neither_fires_nor_is_hit(pack: Pack) -> None:
    game = over_berlin(pack)
    game.write({"pile.b24d": "researched", "pile.me109e": "researched"})
    assert Moment(game).options == ["spitfire-i@fw190a", "no-more"]  # the only one that is left
    play(game, "fire: spitfire-i@fw190a")
    play(game, "draw: 9; draw: 9")  # flak at the Spitfire alone
    assert (game.state["step"], Moment(game).options) == ("axis-dogfights", ["fw190a@spitfire-i", "no-more"])


@pytest.mark.section("bombs-away IV A")
def test_a_square_where_an_aircraft_was_written_is_fought_over_too(pack: Pack) -> None:
    game = laid_out(pack)
    play(game, "placed: berlin; placed: ploesti; placed: no-more")
    game.write({"at.b24d": "schweinfurt", "at.fw190a": "bremerhaven"})
    assert Moment(game).options == ["berlin", "ploesti", "schweinfurt"]


@pytest.mark.section("bombs-away V A 1")
def test_a_surrender_at_another_time_ends_the_game_at_once(pack: Pack) -> None:
    game = laid_out(pack)
    after_combat(game, **{"lines": 1, "who.1": "axis"})
    play(game, "cards: no-more; cards: no-more")
    game.write({"surrender": "yes"})
    assert fly(game, Script("surrender: allied\nresult: decisive"))
    assert (game.state["turn"], game.state["winner"], game.state["step"]) == (1, "allied", "end")
    drawn = over_berlin(pack)
    drawn.roll("surrender-draw", Hand(), {"target": "berlin"})
    play(drawn, "draw: 1")
    assert (asked(drawn), drawn.state["step"]) == (["lines"], "end-of-game")


@pytest.mark.section("bombs-away V B", "bombs-away V C")
def test_figures_of_a_square_that_were_written_before_are_not_asked_again(pack: Pack) -> None:
    game = laid_out(pack)
    game.write({"points.target-5": 3, "loses.target-5": 2, "draw.target-5": "yes"})
    after_combat(game, **{"devastated.target-5": "yes"})
    play(game, "cards: no-more; pay: no; draw: 9")
    assert (game.state["victory.points"], game.state["bp.lost"], fact(game, "known.target-5")) == (3, 2, "yes")


@pytest.mark.section("bombs-away VI A 2", "bombs-away VI B")
def test_a_cost_that_was_written_before_leaves_the_others_to_be_asked(pack: Pack) -> None:
    game = Mission(pack)
    game.write({**BOX, "cost.aircraft.axis": 2})
    flak = "; ".join(f"cost.new.{size}: {size}" for size in (1, 2, 3, 4))
    play(game, f"cost.card.axis: 0; {flak}; cost.raise.1: 1; cost.raise.2: 2; cost.raise.3: 3")
    play(game, "cost.aircraft.allied: 2; cost.card.allied: 1; research: no-more")
    again = Mission(pack)
    again.write({name: value for name, value in game.state.items() if name.startswith(("cost", "cards."))})
    play(again, "research: no-more")
    assert again.state["turn"] == 1


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


@pytest.mark.section("bombs-away VI A 4")
def test_points_that_are_taken_away_end_the_build(pack: Pack) -> None:
    game = laid_out(pack)
    game.write({"flak.researched.2": 5, "flak.available.2": 1, "flak.available.1": 1})
    game.write({"flak.researched.3": 4, "flak.researched.4": 2})
    after_combat(game)
    play(game, "cards: no-more; cards: no-more; build: 1@2")
    assert "2@4" in Moment(game).options
    game.write({"bp.axis": 0})
    play(game, "cards: no-more")
    assert (game.state["builder"], asked(game)) == ("allied", ["build"])


@pytest.mark.section("bombs-away IV A")
def test_squares_that_are_emptied_leave_nothing_to_fight_over(pack: Pack) -> None:
    game = laid_out(pack)
    play(game, "placed: berlin; placed: ploesti; placed: no-more")
    assert asked(game)[0] == "target"
    game.write({"fought.berlin": "yes", "fought.ploesti": "yes"})
    play(game, "cards: no-more")
    assert game.state["step"] not in ("target", "combat")


# -- tables of the companion's own, rolled by hand ---------------------------------------------------------------------


@pytest.mark.section("bombs-away II A")
def test_the_same_event_card_does_not_count_twice(pack: Pack) -> None:
    game = laid_out(pack)
    after_combat(game)
    play(game, "cards: axis; cards.effect: 3; cards: no-more; cards: axis; cards.effect: -1; cards: no-more")
    for _ in range(2):
        assert game.roll("card-effect", Hand())[0].text.startswith("No points")
    assert (game.state["victory.points"], game.state["bp.axis"]) == (3, 3)


@pytest.mark.section("bombs-away VI D")
def test_a_special_build_by_hand_gives_back_what_it_interrupts(pack: Pack) -> None:
    game = laid_out(pack)
    after_combat(game)
    play(game, "cards: no-more; cards: no-more")
    for table in ("special-allied", "special-end", "special-axis", "special-end"):
        alone = game.roll(table, Hand())[0].text.startswith("It follows by itself in a special build")
        assert alone == (table != "special-axis")
    play(game, "build: done; build: done")
    assert (game.state["bp.axis"], game.state["builder"], asked(game)) == (4, "axis", ["build"])


@pytest.mark.section("bombs-away IV C")
def test_flak_by_hand_needs_an_allied_aircraft_and_the_symbols(at_berlin: Run) -> None:
    at_berlin("set", "at.fw190a=ploesti", "pile.fw190a=available", "at.b24d=ploesti")
    over_ploesti = ("--with", "here=ploesti")
    assert "FW190A is an Axis aircraft" in at_berlin("roll", "flak-fire", "--with", "plane=fw190a", *over_ploesti).out
    at_berlin("roll", "flak-fire", "--with", "plane=b24d", *over_ploesti)
    at_berlin("roll", "--outcome", "2")
    assert "B24D is destroyed: 2 against 2" in at_berlin("roll", "--outcome", "2").out


@pytest.mark.section("bombs-away V C", "bombs-away V A 2")
def test_only_a_political_target_and_a_surrender_call_for_their_tables(pack: Pack) -> None:
    game = laid_out(pack)
    assert game.roll("surrender-draw", Hand(), {"target": "bremerhaven"})[0].text.endswith("no draw")
    assert "draw" not in asked(game)
    game.roll("surrender", Hand(), outcome="allied")
    assert (fact(game, "winner"), "result" in asked(game)) == ("none", False)


@pytest.mark.section("bombs-away II A")
def test_points_of_a_card_before_there_are_any_are_not_said_to_count(companion: Run) -> None:
    begin(companion, "bombs-away")
    assert "No points counted yet" in companion("roll", "card-effect", "--with", "cards.effect=2").out


@pytest.mark.section("bombs-away IV E 3")
def test_flak_reduced_by_hand_is_not_reduced_again(pack: Pack) -> None:
    game = over_ploesti(pack)
    game.write({"option.bouncing": "no", "flak.available.3": 1, "flak.researched.3": 3})
    here = at("ploesti") + "cards-here: b17f; cards-here: flak-3; cards-here: no-more; "
    play(game, here + "fire: no-more; draw: 9")
    game.write({"flak.cut": "yes"})
    game.roll("flak-cut", Hand())
    assert (game.state["flak.here"], game.state["flak.cut"]) == (2, "no")


# -- the last event cards ----------------------------------------------------------------------------------------------


@pytest.mark.section("bombs-away I A")
def test_discards_of_a_deck_that_has_been_out_are_shuffled(pack: Pack) -> None:
    game = laid_out(pack, crash="yes")
    after_combat(game, **{"deck": 0, "discard": 0, "hand.axis": 25, "hand.allied": 25})
    play(game, "cards: no-more; cards: no-more; build: crash")
    assert (game.state["deck"], game.state["discard"]) == (2, 0)
    play(game, "build: event-card; heats-up: no")
    assert (game.state["deck"], game.state["hand.axis"]) == (1, 24)


@pytest.mark.section("bombs-away I A")
def test_no_card_is_turned_over_when_all_are_in_the_hands(pack: Pack) -> None:
    game = over_berlin(pack, "fire: spitfire-i@me109e")
    game.write({"deck": 0, "discard": 0, "hand.axis": 25, "hand.allied": 25})
    assert "No card is left to draw: a miss" in play(game, "draw: 1")
    assert (game.state["deck"], game.state["discard"], game.state["pile.me109e"]) == (0, 0, "available")
