"""The optional rules of Bombs Away!"""

from __future__ import annotations

import pytest

from companion.engine.dice import Hand
from companion.engine.questions import ChoiceQuestion
from companion.packs import Pack
from tests.games.bombs_away.table import after_combat, at, laid_out, play, strength
from tests.support import Run, asks, begin, fact


@pytest.mark.section("bombs-away IV C")
def test_symbols_alone_are_the_flak_of_a_square_without_a_card(pack: Pack) -> None:
    game = laid_out(pack)
    game.write({"here": "ploesti", "fire": "flak", "foe": "b24d"})
    assert strength(game) == 2
    assert strength(game, **{"flak.here": 3}) == 5


@pytest.mark.section("bombs-away VII B")
def test_night(pack: Pack) -> None:
    game = laid_out(pack, night="yes")
    game.write({"here": "ploesti", "foe": "wellington-iii", "firer": "me109e", "dogfight.me109e": 4, "fire": "axis"})
    assert strength(game) == 4
    game.write({"night.wellington-iii": "yes"})
    assert strength(game) == 2
    assert strength(game, **{"night.me109e": "yes"}) == 4
    assert strength(game, fire="flak") == 1
    game.write({"chance": 3, "shot.due": "yes"})
    assert game.roll("shot", Hand())[0].text == "Miss: 3 against 2 (two less by night)"
    assert game.roll("shot", Hand(), {"fire": "flak"})[0].text == "Miss: 3 against 1 (one less by night)"


@pytest.mark.section("bombs-away VII B", "bombs-away I A")
def test_flak_that_cannot_hit_by_night_may_draw_and_need_not(pack: Pack) -> None:
    """VII B: flak subtracts one, which leaves nothing of a square's single symbol. I A 3: the firing side *may* draw
    without a chance to run through the deck, and a card may still change such a draw.
    """
    game = laid_out(pack, night="yes", slow="yes")
    game.write({"known.b24d": "yes", "payload.b24d": 3, "night.b24d": "yes", "slow.b24d": "yes", "symbols.berlin": 1})
    play(game, at("berlin") + "cards-here: b24d; cards-here: no-more")
    with asks(ChoiceQuestion, match="Flak cannot hit B24D. Draw a card anyway"):
        game.roll(None, Hand())
    texts = play(game, "idle: b24d; draw: 2-2; played: allied")
    assert "B24D is destroyed: 0 against 0 (one less by night)" in texts
    assert game.state["deck"] == 45


@pytest.mark.section("bombs-away VII A 1")
def test_a_slow_aircraft_is_fired_at_twice(pack: Pack) -> None:
    game = laid_out(pack, slow="yes")
    game.write({"known.wellington-iii": "yes", "slow.wellington-iii": "yes"})
    here = at("ploesti") + "cards-here: wellington-iii; "
    play(game, here + "cards-here: no-more")
    assert game.state["step"] == "flak"
    texts = play(game, "draw: 9; draw: 8")
    assert [each for each in texts if each.startswith("Miss")] == ["Miss: 9 against 2", "Miss: 8 against 2"]


@pytest.mark.section("bombs-away VII A 2")
def test_the_status_is_shown_while_no_gun_fires(companion: Run) -> None:
    begin(companion, "bombs-away", "option.altitude=yes")
    shown = companion("status", "--json")
    assert (shown.code, shown.json["facts"]["option.altitude"]) == (0, "yes")


@pytest.mark.section("bombs-away VII D")
def test_the_short_story_ends_with_the_points_that_decide(companion: Run) -> None:
    begin(companion, "bombs-away", "option.being=yes")
    companion("fly", "--auto", "--seed", "5")
    facts = companion("status", "--json").json["facts"]
    added = sum(1 if facts[f"pile.{plane}"] == "available" else 0 for plane in ("spitfire-i", "b24d", "wellington-iii"))
    added -= sum(1 if facts[f"pile.{plane}"] == "available" else 0 for plane in ("fw190a", "me109e"))
    assert added != 0
    ending = f": {facts['victory.points'] + added} victory points."
    assert ending in " ".join(companion("story", "--short").out.split())


@pytest.mark.section("bombs-away VII A 2")
def test_low_cannot_fire_at_high(pack: Pack) -> None:
    game = laid_out(pack, altitude="yes")
    for plane in ("spitfire-i", "fw190a", "me109e"):
        game.write({f"known.{plane}": "yes", f"dogfight.{plane}": 3, f"flies.{plane}": "normal"})
    game.write({"flies.spitfire-i": "low", "flies.fw190a": "high"})
    here = at("ploesti") + "cards-here: spitfire-i; cards-here: fw190a; "
    texts = play(game, here + "cards-here: me109e; cards-here: no-more; fire: spitfire-i@me109e; draw: 3")
    assert "Me109E is destroyed: 3 against 3" in texts


@pytest.mark.section(
    "bombs-away VI A 2", "bombs-away VI A 4", "bombs-away VII C", "bombs-away VII E",
)  # fmt: skip
def test_building(pack: Pack) -> None:
    game = laid_out(pack, crash="yes", fighters="yes")
    after_combat(game, **{"pile.me110g": "researched", "pile.axis-4": "researched"})
    play(game, "cards: no-more; cards: no-more; build: crash; build: two-fighters; free-fighter: axis-4")
    assert (game.state["bp.axis"], game.state["hand.axis"], fact(game, "axis.available")) == (2, 0, 4)
    play(game, "build: 1@2")
    assert (game.state["bp.axis"], game.state["flak.available.1"], game.state["flak.available.2"]) == (1, 3, 1)
    assert (game.state["flak.researched.1"], game.state["flak.researched.2"]) == (5, 5)


@pytest.mark.section("bombs-away VI A 2", "bombs-away VI A 4")
@pytest.mark.parametrize(("points", "raised"), [(1, ["1@2", "2@3"]), (2, ["1@2", "1@3", "2@3"]), (0, [])])
def test_flak_is_raised_where_the_points_are_enough_and_a_better_card_lies_researched(
    pack: Pack, points: int, raised: list[str]
) -> None:
    game = laid_out(pack)
    cards = {"flak.available.2": 1, "flak.available.3": 1, "flak.researched.3": 3, "flak.researched.4": 0}
    after_combat(game, **{"hand.axis": 0, "hand.allied": 0, "bp.cards.axis": points - 4, "cost.card.axis": 0, **cards})
    play(game, "")
    assert (game.state["step"] == "build-axis") == bool(raised)  # without a point nothing is asked
    if raised:
        building = game.waiting()
        assert building is not None
        offered = [option.name for option in game.options(building) if "@" in option.name]
        assert offered == raised


@pytest.mark.section("bombs-away VI A 1", "bombs-away VI B")
def test_event_cards_raise_and_lower_the_points_of_either_side(pack: Pack) -> None:
    game = laid_out(pack)
    after_combat(game)
    texts = play(game, "cards: no-more; cards: axis; cards.effect: 2; cards: allied; cards.effect: -3; cards: no-more")
    assert "2 more: the build points of the Axis" in texts and "3 less: the build points of the Axis" in texts
    assert (game.state["bp.axis"], game.state["hand.axis"], game.state["hand.allied"]) == (3, 1, 1)
    assert game.state["discard"] == 2


@pytest.mark.section("bombs-away II A", "bombs-away VI B")
def test_cards_on_the_allied_points_are_played_when_the_allies_build(pack: Pack) -> None:
    """II A: in the Build period of the side they affect. VI B: the Allies follow the same steps after all Axis
    building, so that a card just bought by the Axis can take one of their four points.
    """
    game = laid_out(pack)
    after_combat(game, **{"hand.axis": 0, "hand.allied": 0})
    play(game, "build: event-card; build: done")
    assert (game.state["step"], game.state["hand.axis"]) == ("build-cards-allied", 1)
    texts = play(game, "cards: axis; cards.effect: -1")
    assert "1 less: the build points of the Allies" in texts
    assert (game.state["bp.axis"], game.state["bp.allied"], game.state["step"]) == (0, 3, "build-allied")


def test_a_card_that_changes_no_points_is_played_all_the_same(pack: Pack) -> None:
    # II A: others touch flak and aircraft; the card goes to the discards, and what it says is left to the players
    game = laid_out(pack)
    after_combat(game)
    texts = play(game, "cards: no-more; cards: allied; cards.effect: 0; cards: no-more")
    assert "No points: carry out the card and enter it on the sheet" in texts
    assert (game.state["bp.axis"], game.state["hand.allied"], game.state["discard"]) == (4, 1, 1)


@pytest.mark.section("bombs-away VI A 1")
def test_points_do_not_fall_below_none(pack: Pack) -> None:
    game = laid_out(pack)
    after_combat(game, **{"victory.points": 1})
    assert "2 less: the victory points" in play(game, "cards: axis; cards.effect: -2; cards: no-more")
    assert game.state["victory.points"] == 0


@pytest.mark.section("bombs-away VI D")
def test_world_war_heats_up(pack: Pack) -> None:
    game = laid_out(pack)
    after_combat(game, **{"pile.me110g": "researched", "pile.b17f": "researched"})
    play(game, "cards: no-more; cards: no-more; build: heats-up; free-aircraft: me110g")
    assert (game.state["hand.axis"], game.state["hand.allied"]) == (0, 0)
    assert (game.state["deck"], game.state["discard"]) == (45, 5)
    assert (game.state["bp.axis"], game.state["builder"], game.state["pile.me110g"]) == (2, "axis", "available")
    play(game, "build: event-card; build: done; free-aircraft: b17f")
    assert (game.state["bp.allied"], game.state["pile.b17f"]) == (2, "available")
    assert (game.state["deck"], game.state["discard"]) == (44, 5)
    # VI D 4: only now is the deck shuffled, all but that card and the one that the Axis has bought meanwhile
    texts = play(game, "build: done")
    assert (
        "Reshuffle all event cards except those in the hands and World War Heats Up, which starts the discard pile"
        in texts
    )
    assert (game.state["deck"], game.state["discard"], game.state["hand.axis"]) == (48, 1, 1)
    assert (game.state["bp.axis"], game.state["builder"], game.state["special"]) == (3, "axis", "no")


@pytest.mark.section("bombs-away VI D")
def test_the_world_war_heats_up_again_during_a_special_build(pack: Pack) -> None:
    """VI D 4: each special build continues where the next one interrupted it, and saved points return once. The Axis
    has 3 of its 4 points left after the first card, 1 of its 2 after the second.
    """
    game = laid_out(pack)
    after_combat(game, **{f"pile.{plane}": "researched" for plane in ("me110g", "axis-4", "b17f", "allied-6")})
    play(game, "cards: no-more; cards: no-more; build: heats-up; free-aircraft: me110g")
    play(game, "build: heats-up; free-aircraft: axis-4")
    assert (game.state["bp.axis"], game.state["builder"]) == (2, "axis")
    play(game, "build: done; free-aircraft: b17f; build: done")
    assert (game.state["bp.axis"], game.state["builder"], game.state["special"]) == (1, "axis", "yes")
    play(game, "build: done; free-aircraft: allied-6")
    assert (game.state["bp.allied"], game.state["builder"]) == (2, "allied")
    play(game, "build: done")
    assert (game.state["bp.axis"], game.state["builder"], game.state["special"]) == (3, "axis", "no")
    play(game, "build: done")
    assert (game.state["bp.axis"], game.state["builder"]) == (0, "allied")


@pytest.mark.section("bombs-away VI D")
def test_the_world_war_heats_up_again_while_the_allies_build(pack: Pack) -> None:
    """VI D 4: a second and a third card come in the Allied half of the first, and each returns the remaining points;
    the Allies have 3 points, one more than VI D 3 gives, so that a decision is left in between.
    """
    game = laid_out(pack)
    after_combat(game)
    play(game, "cards: no-more; cards: no-more; build: heats-up; build: done")
    game.write({"bp.allied": 3})
    for left in (2, 1):
        play(game, "build: heats-up; build: done; build: done")
        assert (game.state["bp.allied"], game.state["builder"], game.state["special"]) == (left, "allied", "yes")
    play(game, "build: done")
    assert (game.state["bp.axis"], game.state["builder"], game.state["special"]) == (3, "axis", "no")


@pytest.mark.section("bombs-away VII C")
def test_two_event_cards_are_a_point_as_often_as_the_hand_has_two(pack: Pack, companion: Run) -> None:
    game = laid_out(pack, crash="yes")
    after_combat(game, **{"hand.axis": 5, "deck": 43})
    play(game, "cards: no-more; cards: no-more; build: crash; build: crash")
    assert (game.state["bp.axis"], game.state["hand.axis"], game.state["discard"]) == (6, 1, 4)
    asked = game.waiting()
    assert asked is not None
    assert "crash" not in [each.name for each in game.options(asked)]
    assert "A12" in [each["id"] for each in companion("rulings", "--game", "bombs-away", "--json").json]


@pytest.mark.section("bombs-away VII G")
def test_increased_commitment_gives_cards_to_the_side_agreed(pack: Pack) -> None:
    game = laid_out(pack, commitment="axis")
    play(game, "heats-up: no")
    assert (game.state["hand.axis"], game.state["hand.allied"], game.state["deck"]) == (3, 2, 45)


@pytest.mark.section("bombs-away VII G", "bombs-away VI D")
def test_a_free_card_that_is_world_war_heats_up_is_played_at_once(pack: Pack, companion: Run) -> None:
    game = laid_out(pack, commitment="axis")
    texts = play(game, "heats-up: yes; build: done; build: done")
    assert "An aircraft and two build points, then the same for the Allies" in texts
    assert (game.state["hand.axis"], game.state["hand.allied"]) == (0, 0)
    assert (game.state["deck"], game.state["discard"], game.state["step"]) == (49, 1, "deploy")
    read = next(each for each in companion("rulings", "--game", "bombs-away", "--json").json if each["id"] == "A8")
    assert (read["section"], read["reading"]) == ("VII G, VI D", "It is played at once, like a bought one.")


@pytest.mark.section("bombs-away VI C", "bombs-away I A")
def test_a_card_turned_over_in_this_turn_is_shuffled_in_when_the_deck_is_out(pack: Pack, companion: Run) -> None:
    game = laid_out(pack)
    game.write({"known.b24d": "yes", "payload.b24d": 3, "symbols.berlin": 1})
    play(game, at("berlin") + "cards-here: b24d; cards-here: no-more")
    game.write({"deck": 1, "discard": 45})
    play(game, "draw: 9")
    assert (game.state["deck"], game.state["discard"]) == (46, 0)
    read = {each["id"]: each for each in companion("rulings", "--game", "bombs-away", "--json").json}
    assert (read["A9"]["section"], read["A9"]["reading"].partition(":")[0]) == ("VI C, I A 3", "At once")
    assert (read["A10"]["section"], read["A10"]["reading"]) == ("V B, II A", "No: the track starts at 0.")
