"""Bombs Away!: the worked examples of the rules come out as printed; what the rules leave to the cards is asked."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from companion.engine.needs import Hand, NeedAnswer, NeedChoice, NeedOutcome
from companion.engine.sheet import Facts, Value
from companion.packs import Pack
from companion.play.chance import Chance
from companion.play.conversation import walk
from companion.play.mission import Mission
from companion.play.script import OutOfLines, Script
from companion.problems import Problem
from tests.conftest import Run

# Figures that only cards and charts have. These are made up for the tests and stand nowhere in the pack.
COSTS = {"cost.aircraft.axis": 2, "cost.aircraft.allied": 2, "cost.card.axis": 1, "cost.card.allied": 1}
BOX = {"cards.1": 8, "cards.2": 6, "cards.3": 4, "cards.4": 2}


@pytest.fixture(scope="module")
def pack() -> Pack:
    return Pack("bombs-away")


def laid_out(pack: Pack, **options: Value) -> Mission:
    """A game in its first turn, the cards about to be placed."""
    game = Mission(pack)
    flak = {f"cost.{what}.{size}": size for what in ("new", "raise") for size in range(1, 7)}
    game.write({**BOX, **COSTS, **flak, **{f"option.{name}": value for name, value in options.items()}})
    play(game, "research: no-more")
    return game


def play(game: Mission, script: str) -> list[str]:
    """Play these answers to the last; what every result said."""
    told: list[str] = []
    by = Script(script.replace("; ", "\n"))
    with pytest.raises(OutOfLines):
        for results in walk(game, by):
            told += [result.text for result in results if result.text]
    assert by.at == len(by.lines)
    return told


def after_combat(game: Mission, **facts: Value) -> None:
    """Go on where the bombs have fallen."""
    game.pending.clear()
    game.write({"step": "combat-over", **facts})


def strength(game: Mission, **facts: Value) -> Value:
    return Facts(game.game.sheet, game.state, facts)["strength"]


def fact(game: Mission, name: str) -> Value:
    return Facts(game.game.sheet, game.state)[name]


# -- the examples of the rules -------------------------------------------------------------------------------------


def over_ploesti(pack: Pack) -> Mission:
    """A Flak 2 and a Me110G against a Spitfire IX and a B17F; the fighters' figures are ours and decide nothing."""
    game = laid_out(pack, bouncing="yes")
    for plane in ("spitfire-i", "b24d", "wellington-iii", "fw190a", "me109e"):
        game.write({f"pile.{plane}": "unresearched"})
    for plane in ("spitfire-ix", "b17f", "me110g"):
        game.write({f"pile.{plane}": "available", f"known.{plane}": "yes"})
    game.write({"dogfight.spitfire-ix": 4, "dogfight.me110g": 4})
    game.write({"flak.available.2": 1, "flak.researched.2": 5, "flak.available.1": 3, "hand.axis": 0, "hand.allied": 0})
    return game


def test_the_combat_over_ploesti(pack: Pack) -> None:
    # VII F: the B17F draws a 3, exactly its Dogfight: the Me110G is bounced and does not fire. The Spitfire draws a 9
    # and misses. Flak 2 and two symbols need a 4: a 3 destroys the Spitfire, a 7 misses the B17F. Its bombs draw
    # a 4, exactly its Payload: Ploesti is devastated, the flak keeps its strength.
    game = over_ploesti(pack)
    told = play(
        game,
        "target: ploesti; allied-here: spitfire-ix; allied-here: b17f; axis-here: me110g; flak-here: 2; "
        "fire: b17f; draw: 3; fire: spitfire-ix; draw: 9; draw: 3; draw: 7; bomb: b17f; draw: 4",
    )
    assert "Exactly 3: Me110G is bounced, no fire and no bombs this turn" in told
    assert "Miss: 9 against 4" in told
    assert "Spitfire IX is destroyed: 3 against 4" in told
    assert "Miss: 7 against 4" in told
    assert "Exactly 4: devastated, and the flak keeps its strength" in told
    piles = {plane: game.state[f"pile.{plane}"] for plane in ("spitfire-ix", "b17f", "me110g")}
    assert piles == {"spitfire-ix": "researched", "b17f": "available", "me110g": "available"}
    assert game.state["devastated.ploesti"] == "yes"
    assert (game.state["flak.available.2"], game.state["flak.researched.2"]) == (1, 5)
    assert game.state["victory.points"] == 2


def test_the_same_combat_without_bouncing(pack: Pack) -> None:
    # IV B 2, E 3: equal is a hit; the Me110G is destroyed, and the Flak 2 of a devastated target becomes a Flak 1
    game = over_ploesti(pack)
    game.write({"option.bouncing": "no"})
    play(
        game,
        "target: ploesti; allied-here: spitfire-ix; allied-here: b17f; axis-here: me110g; flak-here: 2; "
        "fire: b17f; draw: 3; draw: 3; draw: 7; bomb: b17f; draw: 4",
    )
    assert game.state["pile.me110g"] == "researched"
    assert (game.state["flak.available.2"], game.state["flak.available.1"]) == (0, 4)


def the_incredible_turn(pack: Pack, draw: str) -> Mission:
    game = laid_out(pack)
    game.write({f"devastated.{target}": "yes" for target in ("bremerhaven", "berlin", "ploesti", "schweinfurt")})
    after_combat(game, **{"hand.axis": 3})
    play(game, f"cards: no-more; pay: discard; pay: discard; pay: no; draw: {draw}")
    return game


def test_points_and_penalties(pack: Pack) -> None:
    # VI D, example: 3 + 2 + 2 + 1 = 8 points. Four build points are lost, two of them are saved by two event cards.
    # Berlin calls for a surrender draw, and a 3 is not enough. Of its four build points the Axis has two left.
    game = the_incredible_turn(pack, "3")
    assert game.state["victory.points"] == 8
    assert (game.state["bp.lost"], game.state["hand.axis"]) == (2, 1)
    assert fact(game, "surrender") == "no"
    play(game, "cards: no-more")
    assert (game.state["bp.axis"], game.state["step"]) == (2, "build-axis")


def test_a_one_would_have_ended_the_game(pack: Pack) -> None:
    game = laid_out(pack)
    after_combat(game, **{"devastated.berlin": "yes", "lines": 1, "from.1": -99, "who.1": "axis"})
    told = play(game, "cards: no-more; pay: no; draw: 1")
    assert "The Axis surrenders" in told
    assert (game.state["surrender"], game.state["winner"]) == ("yes", "axis")
    assert game.roll(None, Hand(), outcome="allied")[0].outcome == "allied"
    assert game.state["winner"] == "allied"
    with pytest.raises(NeedAnswer, match="Level of victory"):
        game.roll(None, Hand())
    game.roll(None, Hand(), outcome="decisive")
    assert game.state["result"] == "decisive"
    assert [result.table for result in game.advance()] == ["over"]
    assert game.advance() == []


def test_no_more_draws_once_the_axis_has_surrendered(pack: Pack) -> None:
    # V A 1: each devastated Political target calls for a draw; the game ends with the first that is 1 or less
    game = laid_out(pack)
    both = {f"{what}.target-9": "yes" for what in ("known", "devastated", "draw")}
    after_combat(game, **both, **{"devastated.berlin": "yes", "lines": 1, "who.1": "axis"})
    told = play(game, "cards: no-more; pay: no; draw: 1")
    assert "The Axis surrenders" in told
    assert game.state["step"] == "surrender-table"


def test_an_event_card_can_make_the_axis_surrender(pack: Pack) -> None:
    # V A 1: after all modifications
    game = laid_out(pack)
    after_combat(game, **{"devastated.berlin": "yes", "lines": 1, "who.1": "axis"})
    assert "The Axis surrenders" in play(game, "cards: no-more; pay: no; draw: 3-2; played: allied; played: no-more")


@pytest.mark.parametrize(("points", "word"), [(-3, "axis"), (4, "axis"), (5, "draw"), (9, "draw"), (10, "allied")])
def test_the_lowest_line_holds_for_every_total_below_the_next(pack: Pack, points: int, word: str) -> None:
    # V D, and VII D: a total can fall below nothing
    game = laid_out(pack, being="yes")
    game.write({f"pile.{plane}": "unresearched" for plane in pack.sheet.index["plane"]})
    lost = max(0, -points)
    of_axis = [plane for plane, has in pack.sheet.index["plane"].items() if has["side"] == "axis"]
    game.write({f"pile.{plane}": "available" for plane in of_axis[:lost]})
    game.write({"turn": 9, "step": "go-on", "victory.points": max(0, points), "lines": 3})
    game.pending.clear()
    lines = "from.2: 5; from.3: 10; word.1: low; word.2: even; word.3: high; who.1: axis; who.2: draw; who.3: allied"
    list(walk(game, Script(lines.replace("; ", "\n"))))
    assert (fact(game, "points.final"), game.state["winner"], game.state["step"]) == (points, word, "end")


def test_air_forces_in_being(pack: Pack) -> None:
    # VII D, example: four Allied and seven Axis aircraft are left, 4 - 7 = -3
    game = laid_out(pack)
    planes = pack.sheet.index["plane"]
    for side, many in (("allied", 4), ("axis", 7)):
        of_side = [plane for plane, has in planes.items() if has["side"] == side]
        game.write({f"pile.{plane}": "available" if at < many else "researched" for at, plane in enumerate(of_side)})
    game.write({"victory.points": 20})
    assert fact(game, "points.final") == 20
    game.write({"option.being": "yes"})
    assert fact(game, "points.final") == 17


def test_flak_three_is_changed_for_a_one(pack: Pack) -> None:
    # IV E 3, example: no Flak 2 is in the Researched pile, so the Flak 3 goes there and a Flak 1 comes back
    game = laid_out(pack)
    game.write({"flak.here": 3, "flak.researched.1": 4, "flak.researched.2": 0, "flak.researched.3": 1})
    assert game.roll("flak-cut", Hand())[0].text == "Flak 3 goes back, Flak 1 takes its place"
    assert game.state["flak.here"] == 1
    assert [game.state[f"flak.researched.{size}"] for size in (1, 2, 3)] == [3, 0, 2]


@pytest.mark.parametrize(("card", "ones", "left"), [(1, 5, 0), (2, 0, 0), (2, 1, 1)])
def test_flak_one_is_eliminated_and_lacking_change_is_lost(pack: Pack, card: int, ones: int, left: int) -> None:
    game = laid_out(pack)
    game.write({"flak.here": card, "flak.researched.1": ones, "flak.researched.2": 0})
    game.roll("flak-cut", Hand())
    assert game.state["flak.here"] == left


# -- the start and the turn ----------------------------------------------------------------------------------------


def test_the_start(pack: Pack) -> None:
    # I B 3-6: two event cards each of 50; three Allied and two Axis aircraft begin, with nine decoys and four Flak 1
    game = laid_out(pack)
    assert (game.state["hand.allied"], game.state["hand.axis"], game.state["deck"]) == (2, 2, 46)
    assert [fact(game, f"allied.{pile}") for pile in ("available", "researched", "unresearched")] == [3, 0, 8]
    assert [fact(game, f"axis.{pile}") for pile in ("available", "researched", "unresearched")] == [2, 0, 8]
    assert (fact(game, "flak.available"), fact(game, "flak.researched")) == (4, 16)
    assert (game.state["turn"], game.state["decoys"]) == (1, 8)


def test_an_aircraft_comes_out_on_the_turn_of_its_card_and_the_turn_is_remembered(pack: Pack) -> None:
    # III A 1
    game = Mission(pack)
    game.write({**BOX, **COSTS, "designed.axis-5": 1, "designed.axis-6": 2})
    play(game, "research: spitfire-ix; research: no-more")
    assert (game.state["pile.axis-5"], fact(game, "pile.axis-6")) == ("researched", "unresearched")
    assert (game.state["pile.spitfire-ix"], game.state["designed.spitfire-ix"]) == ("researched", 1)


def test_an_aircraft_that_the_rules_do_not_name_is_named_when_it_comes_out(pack: Pack) -> None:
    # III A 1: its card lies open then, and it can be built under its name in the same turn
    game = Mission(pack)
    game.write({**BOX, **COSTS})
    play(game, "research: allied-6; name.allied-6: Lightning; research: b17f; research: no-more")
    assert fact(game, "called.allied-6") == "Lightning"


def test_who_gives_an_aircraft_no_name_is_not_asked_each_turn(pack: Pack) -> None:
    # IV: its figures are known since it was first turned up; a strange one beside it is asked for alone
    game = laid_out(pack)
    game.write({"pile.allied-6": "available", "known.allied-6": "yes", "dogfight.allied-6": 3})
    here = "target: ploesti; allied-here: allied-6; allied-here: b24d; allied-here: no-more; axis-here: no-more; "
    play(game, here + "flak-here: none; dogfight.b24d: 2; payload.b24d: 3")
    assert game.state["step"] == "flak"


def test_a_count_of_flak_cards_that_is_not_the_box_is_told(pack: Pack) -> None:
    # I B 2
    game = Mission(pack)
    game.write({**BOX, **COSTS, "cards.4": 1})
    notes = [note for results in walk(game, Chance(random.Random(1))) for each in results for note, _ in each.notes]
    assert "19 are entered, the box has 20: undo, or set cards.1 to cards.6" in notes


# -- optional rules ------------------------------------------------------------------------------------------------


def test_symbols_alone_are_the_flak_of_a_square_without_a_card(pack: Pack) -> None:
    # IV C
    game = laid_out(pack)
    game.write({"here": "ploesti", "fire": "flak", "foe": "b24d"})
    assert strength(game) == 2
    assert strength(game, **{"flak.here": 3}) == 5


def test_night(pack: Pack) -> None:
    # VII B: Axis aircraft subtract two against a night aircraft unless they have the symbol, flak always one
    game = laid_out(pack, night="yes")
    game.write({"here": "ploesti", "foe": "wellington-iii", "firer": "me109e", "dogfight.me109e": 4, "fire": "axis"})
    assert strength(game) == 4
    game.write({"night.wellington-iii": "yes"})
    assert strength(game) == 2
    assert strength(game, **{"night.me109e": "yes"}) == 4
    assert strength(game, fire="flak") == 1
    game.write({"chance": 3})
    assert game.roll("shot", Hand())[0].text == "Miss: 3 against 2, two less by night"
    assert game.roll("shot", Hand(), {"fire": "flak"})[0].text == "Miss: 3 against 1, one less by night"


def test_a_slow_aircraft_is_fired_at_twice(pack: Pack) -> None:
    # VII A 1
    game = laid_out(pack, slow="yes")
    game.write({"known.wellington-iii": "yes", "slow.wellington-iii": "yes"})
    here = "target: ploesti; allied-here: wellington-iii; allied-here: no-more; "
    play(game, here + "axis-here: no-more; flak-here: none")
    assert game.state["step"] == "flak"
    told = play(game, "draw: 9; draw: 8")
    assert [each for each in told if each.startswith("Miss")] == ["Miss: 9 against 2", "Miss: 8 against 2"]


def test_low_cannot_fire_at_high(pack: Pack) -> None:
    # VII A 2
    game = laid_out(pack, altitude="yes")
    for plane in ("spitfire-i", "fw190a", "me109e"):
        game.write({f"known.{plane}": "yes", f"dogfight.{plane}": 3, f"flies.{plane}": "normal"})
    game.write({"flies.spitfire-i": "low", "flies.fw190a": "high"})
    here = "target: ploesti; allied-here: spitfire-i; allied-here: no-more; axis-here: fw190a; "
    told = play(game, here + "axis-here: me109e; flak-here: none; fire: spitfire-i; draw: 3")  # one target: no question
    assert "Me109E is destroyed: 3 against 3" in told


def test_building(pack: Pack) -> None:
    # VI A, VII C, E: with the crash program 5 points; two fighters for 3, then a Flak 1 raised by one for the test's 1
    game = laid_out(pack, crash="yes", fighters="yes")
    after_combat(game, **{"pile.me110g": "researched", "pile.axis-4": "researched"})
    play(game, "cards: no-more; cards: no-more; build: crash; build: two-fighters; free-fighter: axis-4")
    assert (game.state["bp.axis"], game.state["hand.axis"], fact(game, "axis.available")) == (2, 0, 4)
    play(game, "build: raise-flak; raise-to: 2")
    assert (game.state["bp.axis"], game.state["flak.available.1"], game.state["flak.available.2"]) == (1, 3, 1)
    assert (game.state["flak.researched.1"], game.state["flak.researched.2"]) == (5, 5)


def test_event_cards_raise_and_lower_the_points_of_either_side(pack: Pack) -> None:
    # VI A 1: four and what the cards say; each card is gone from its hand
    game = laid_out(pack)
    after_combat(game)
    told = play(game, "cards: no-more; cards: axis; cards.effect: 2; cards: allied; cards.effect: -3; cards: no-more")
    assert "2 more: the build points of the Axis" in told and "3 less: the build points of the Axis" in told
    assert (game.state["bp.axis"], game.state["hand.axis"], game.state["hand.allied"]) == (3, 1, 1)
    assert game.state["discard"] == 2


def test_cards_on_the_allied_points_are_played_when_the_allies_build(pack: Pack) -> None:
    """II A: in the Build period of the side they touch, and VI B: the Allies follow the same steps after all Axis
    building, so that a card the Axis has just bought can take one of their four points."""
    game = laid_out(pack)
    after_combat(game, **{"hand.axis": 0, "hand.allied": 0})
    play(game, "build: event-card; heats-up: no; build: done")
    assert (game.state["step"], game.state["hand.axis"]) == ("build-cards-allied", 1)
    told = play(game, "cards: axis; cards.effect: -1")
    assert "1 less: the build points of the Allies" in told
    assert (game.state["bp.axis"], game.state["bp.allied"], game.state["step"]) == (0, 3, "build-allied")


def test_a_card_that_changes_no_points_is_played_all_the_same(pack: Pack) -> None:
    # II A: others touch flak and aircraft; the card goes to the discards, and what it says is left to the players
    game = laid_out(pack)
    after_combat(game)
    told = play(game, "cards: no-more; cards: allied; cards.effect: 0; cards: no-more")
    assert "No points: carry out what the card says, and write it with companion set" in told
    assert (game.state["bp.axis"], game.state["hand.allied"], game.state["discard"]) == (4, 1, 1)


def test_points_do_not_fall_below_none(pack: Pack) -> None:
    game = laid_out(pack)
    after_combat(game, **{"victory.points": 1})
    assert "2 less: the victory points" in play(game, "cards: axis; cards.effect: -2; cards: no-more")
    assert game.state["victory.points"] == 0


def test_world_war_heats_up(pack: Pack) -> None:
    # VI D: hands are discarded, each side takes an aircraft and two points, the card alone begins the discards,
    # and the Axis goes on with the three points that were left to it
    game = laid_out(pack)
    after_combat(game, **{"pile.me110g": "researched", "pile.b17f": "researched"})
    play(game, "cards: no-more; cards: no-more; build: event-card; heats-up: yes; free-aircraft: me110g")
    assert (game.state["hand.axis"], game.state["hand.allied"]) == (0, 0)
    assert (game.state["deck"], game.state["discard"]) == (45, 5)
    assert (game.state["bp.axis"], game.state["builder"], game.state["pile.me110g"]) == (2, "axis", "available")
    play(game, "build: event-card; heats-up: no; build: done; free-aircraft: b17f")
    assert (game.state["bp.allied"], game.state["pile.b17f"]) == (2, "available")
    assert (game.state["deck"], game.state["discard"]) == (44, 5)
    # VI D 4: only now is the deck shuffled, all but that card and the one that the Axis has bought meanwhile
    told = play(game, "build: done")
    assert "Shuffle all event cards anew but World War Heats Up, which begins the discards, and the hands" in told
    assert (game.state["deck"], game.state["discard"], game.state["hand.axis"]) == (48, 1, 1)
    assert (game.state["bp.axis"], game.state["builder"], game.state["special"]) == (3, "axis", "no")


def test_the_world_war_heats_up_again_during_a_special_build(pack: Pack) -> None:
    """VI D 4: each special build goes on where the next one interrupted it, and what was saved comes back once. The
    Axis has 3 of its 4 points left after the first card, 1 of its 2 after the second."""
    game = laid_out(pack)
    after_combat(game, **{f"pile.{plane}": "researched" for plane in ("me110g", "axis-4", "b17f", "allied-6")})
    play(game, "cards: no-more; cards: no-more; build: event-card; heats-up: yes; free-aircraft: me110g")
    play(game, "build: event-card; heats-up: yes; free-aircraft: axis-4")
    assert (game.state["bp.axis"], game.state["builder"]) == (2, "axis")
    play(game, "build: done; free-aircraft: b17f; build: done")
    assert (game.state["bp.axis"], game.state["builder"], game.state["special"]) == (1, "axis", "yes")
    play(game, "build: done; free-aircraft: allied-6")
    assert (game.state["bp.allied"], game.state["builder"]) == (2, "allied")
    play(game, "build: done")
    assert (game.state["bp.axis"], game.state["builder"], game.state["special"]) == (3, "axis", "no")
    play(game, "build: done")
    assert (game.state["bp.axis"], game.state["builder"]) == (0, "allied")


def test_increased_commitment_gives_cards_to_the_side_agreed(pack: Pack) -> None:
    # VII G
    game = laid_out(pack, commitment="axis")
    play(game, "heats-up: no")
    assert (game.state["hand.axis"], game.state["hand.allied"], game.state["deck"]) == (3, 2, 45)


def test_an_event_card_may_change_a_draw(pack: Pack) -> None:
    game = over_ploesti(pack)
    game.write({"hand.allied": 1, "option.bouncing": "no"})
    here = "target: ploesti; allied-here: b17f; allied-here: no-more; axis-here: me110g; flak-here: none; "
    told = play(game, here + "fire: b17f; draw: 4-1; played: allied")  # 4 - 1 = 3, its Dogfight
    assert "Me110G is destroyed: 3 against 3" in told
    assert game.state["hand.allied"] == 0


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


def test_a_square_has_one_or_two_flak_symbols(companion: Run) -> None:
    # IV C
    companion("new", "Reich", "--game", "bombs-away", "--yes")
    companion("mission", "start", "--yes")
    assert [companion("set", f"symbols.berlin={many}").code for many in (0, 1, 2, 3)] == [2, 0, 0, 2]


def test_a_sheet_of_an_older_version_with_an_untouched_field_written_out_still_loads(
    companion: Run, data_folder: Path
) -> None:
    """No flak symbols could be entered as 0 once."""
    companion("new", "Reich", "--game", "bombs-away", "--yes")
    companion("mission", "start", "--yes")
    file = data_folder / "campaigns" / "reich" / "mission-01.json"
    file.write_text(file.read_text().replace('"facts":{', '"facts":{"symbols.berlin":0,', 1))
    assert '"symbols.berlin":0' in file.read_text()
    assert companion("status", "--json").json["facts"]["symbols.berlin"] == 0
    assert companion("doctor").code == 0


def test_a_draw_is_a_number(pack: Pack) -> None:
    game = laid_out(pack)
    with pytest.raises(NeedOutcome, match="Chance number"):
        game.roll("draw", Hand())
    with pytest.raises(Problem, match="cannot be high"):
        game.roll("draw", Hand(), outcome="high")


def test_the_event_deck_is_shuffled_when_it_is_out(pack: Pack) -> None:
    game = laid_out(pack)
    game.write({"deck": 1, "discard": 45, "fire": "surrender"})
    game.roll("draw", Hand(), outcome="5")
    assert (game.state["deck"], game.state["discard"]) == (46, 0)


# -- whole games ---------------------------------------------------------------------------------------------------


def made_up(pack: Pack, rng: random.Random) -> dict[str, Value]:
    """Figures for everything that only the cards have, and some of the optional rules."""
    found: dict[str, Value] = {**BOX, **COSTS, "lines": 2, "from.1": -99, "who.1": "axis", "from.2": 12}
    found["who.2"] = "allied"
    for plane, has in pack.sheet.index["plane"].items():
        found |= {f"known.{plane}": "yes", f"dogfight.{plane}": rng.randint(1, 5), f"slow.{plane}": "yes"}
        found |= {f"payload.{plane}": rng.randint(0, 5) if has["side"] == "allied" else 0, f"night.{plane}": "yes"}
        found |= {f"designed.{plane}": rng.randint(1, 9), f"flies.{plane}": rng.choice(["normal", "low", "high"])}
    for target in pack.sheet.index["target"]:
        found |= {f"known.{target}": "yes", f"symbols.{target}": rng.randint(1, 2), f"points.{target}": 1}
        found |= {f"loses.{target}": rng.randint(0, 2), f"draw.{target}": rng.choice(["yes", "no"])}
    for size in range(1, 7):
        found |= {f"cost.new.{size}": size, f"cost.raise.{size}": size}
    for option in ("slow", "altitude", "night", "crash", "being", "fighters", "bouncing"):
        found[f"option.{option}"] = rng.choice(["yes", "no"])
    found["option.commitment"] = rng.choice(["no", "both", "allied", "axis"])
    return found


class Whim(Chance):
    """An automatic player that does not always take the usual option."""

    def choice(self, need: NeedChoice) -> str:
        return super().choice(need) if self.rng.random() < 0.6 else self.rng.choice(need.options).name


@pytest.mark.parametrize("seed", range(30))
def test_automatic_games_end_and_no_card_is_lost(pack: Pack, seed: int) -> None:
    rng = random.Random(seed)
    game = Mission(pack)
    if seed % 5:
        game.write(made_up(pack, rng))
    flak = 20 if seed % 5 else 4
    for moves, _ in enumerate(walk(game, Chance(rng) if seed % 2 else Whim(rng))):
        assert moves < 20_000
        state = {name: value for name, value in game.state.items() if isinstance(value, int)}
        assert all(state[name] >= 0 for name in state if pack.sheet.fields[name].kind in ("count", "boxes"))
        if "flak.here" in state:
            assert state["deck"] + state["discard"] + state["hand.allied"] + state["hand.axis"] == 50
            lying = bool(state["flak.here"]) + sum(n for name, n in state.items() if name.startswith("flak.out."))
            assert fact(game, "flak.available") + fact(game, "flak.researched") + lying == flak
    assert game.state["step"] == "end"
    assert game.state["turn"] == 9 or game.state["surrender"] == "yes"
    assert fact(game, "flak.available") + fact(game, "flak.researched") == flak


def test_the_commands_work_on_it_and_figures_are_kept_for_the_next_game(companion: Run) -> None:
    assert companion("new", "Reich", "--game", "bombs-away", "--yes").code == 0
    assert companion("mission", "start", "--yes").code == 0
    assert companion("set", "dogfight.me110g=4", "cards.1=8", "cost.aircraft.axis=2").code == 0
    assert companion("status").code == companion("next").code == 0
    assert companion("fly", "--auto", "--seed", "1").code == 0
    assert "Turn cards laid" in companion("sheet", "mission").out
    assert companion("status", "--json").json["facts"]["step"] == "end"
    assert companion("mission", "start", "--yes").code == 0
    facts = companion("status", "--json").json["facts"]
    assert (facts["mission.number"], facts["dogfight.me110g"], facts["cards.1"], facts["turn"]) == (2, 4, 8, 0)


def test_a_waiting_question_can_be_looked_at(companion: Run, tmp_path: Path) -> None:
    companion("new", "Reich", "--game", "bombs-away", "--yes")
    companion("mission", "start", "--yes")
    script = tmp_path / "answers.txt"
    script.write_text("cards.1: 8\n")
    assert companion("fly", "--dice-from", script).code == 0
    assert companion("status", "--json").json["pending"][0]["ask"] == "cards.2"
    assert "Flak 2, cards in the box?" in companion("next").out
    assert "Flak 2, cards in the box?" in companion("status").out


def test_a_game_without_aircraft_or_crew_asks_for_neither(companion: Run) -> None:
    from tests.test_at_the_table import sit_down

    terminal = sit_down("new", "Generals", "--game", "bombs-away")
    terminal.expect("Begin with")
    assert "Aircraft" not in terminal.before
    terminal.close()


def test_the_figures_of_the_box_do_not_bury_the_settings(companion: Run) -> None:
    companion("new", "Generals", "--game", "bombs-away")
    companion("mission", "start", "--yes")
    companion("fly", "--auto", "--seed", "12")
    shown = companion("campaign").out
    kept = companion("campaign", "--json").json["settings"]
    figures = [name for name in kept if not name.startswith("setting.") and kept[name] is not None]
    assert len(figures) > 20
    assert "figures of your own book are kept" in shown
    assert shown.count("known.") == 0
