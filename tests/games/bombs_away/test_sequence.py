"""The order of a turn (II B), the fire of the Axis (IV D), what event cards build (VI A 3), a turn's end (VI C)."""

from __future__ import annotations

import pytest

from companion.packs import Pack
from companion.play.mission import Mission
from tests.games.bombs_away.table import after_combat, at, laid_out, play
from tests.support import Moment, asked, fact


def over_schweinfurt(pack: Pack) -> Mission:
    """Return an FW190A and an Me109E against a Spitfire I and a B24D with invented figures, no flak."""
    game = laid_out(pack)
    for plane, dogfight in (("spitfire-i", 3), ("b24d", 2), ("fw190a", 4), ("me109e", 3)):
        game.write({f"known.{plane}": "yes", f"dogfight.{plane}": dogfight})
    game.write({"payload.b24d": 3, "known.schweinfurt": "yes", "symbols.schweinfurt": 1})
    return game


HERE = (
    at("schweinfurt") + "cards-here: spitfire-i; cards-here: b24d; "
    "cards-here: fw190a; cards-here: me109e; cards-here: no-more; "
)


@pytest.mark.section("bombs-away II B", "bombs-away IV B 1", "bombs-away IV D")
def test_each_side_fires_in_its_turn_and_each_aircraft_once(pack: Pack) -> None:
    """II B 3: the Allies dogfight, the flak fires, the remaining Axis aircraft fire, the remaining Allied bombers
    bomb.
    """
    game = over_schweinfurt(pack)
    play(game, HERE + "fire: spitfire-i@me109e; draw: 3; fire: b24d@fw190a; draw: 9")
    assert (game.state["pile.me109e"], game.state["step"]) == ("researched", "flak")  # nobody is left to fire
    play(game, "draw: 9; draw: 9")
    assert game.state["step"] == "axis-dogfights"
    play(game, "fire: fw190a@b24d; draw: 4")
    assert (game.state["pile.b24d"], game.state["pile.spitfire-i"]) == ("researched", "available")
    assert game.state.get("devastated.schweinfurt", "no") == "no"  # the bomber is gone before it bombs


@pytest.mark.section("bombs-away II B")
def test_the_steps_of_a_turn_come_in_the_order_of_the_rules(pack: Pack) -> None:
    steps = [str(step["id"]) for step in pack.read("sequence")["step"]]
    words = (
        "deploy target allied-dogfights flak axis-dogfights bombing penalties surrender-draws build-axis build-allied"
    )
    order = [*words.split(), "clear"]
    assert [each for each in steps if each in order] == order


@pytest.mark.section("bombs-away I B 3", "bombs-away I B 6")
@pytest.mark.parametrize(
    ("field", "value", "asked"),
    [("hand.axis", 3, "flak.available.1"), ("discard", 3, "flak.available.1"), ("flak.available.2", 3, "hand.allied"),
     ("turn", 3, "hand.allied"), ("pile.me110g", "available", "hand.allied"), ("pile.fw190a", "available", "research")],
)  # fmt: skip
def test_a_game_that_is_under_way_is_not_dealt_again(pack: Pack, field: str, value: int | str, asked: str) -> None:
    game = Mission(pack, number=1)
    game.write({f"cards.{size}": 4 for size in range(1, 6)} | {"costs.known": "yes"})
    game.write({field: value})
    game.advance()
    item = game.waiting() or {}
    assert (game.state[field], item.name) == (value, asked)


@pytest.mark.section("bombs-away VI A 3")
def test_an_event_card_builds_the_aircraft_that_it_names(pack: Pack) -> None:
    game = laid_out(pack)
    after_combat(game, **{"pile.me110g": "researched"})
    play(game, "cards: no-more; cards: no-more; build: by-card; by-card: me110g")
    assert game.state["pile.me110g"] == "available"
    assert (game.state["bp.axis"], game.state["hand.axis"], game.state["discard"]) == (4, 1, 1)


@pytest.mark.section("bombs-away III B 2", "bombs-away VI C", "bombs-away VI B", "bombs-away VI A 2")
def test_at_the_end_of_a_turn_all_cards_come_back(pack: Pack) -> None:
    game = laid_out(pack)
    before = {name: fact(game, name) for name in ("axis.available", "allied.available", "flak.available")}
    after_combat(game, **{"hand.axis": 0, "hand.allied": 0, "devastated.bremerhaven": "yes"})
    play(game, "build: done")
    asked = game.waiting()
    assert asked is not None
    assert not {"new-flak", "raise-flak"} & {each.name for each in game.options(asked)}  # VI B: no flak for the Allies
    play(game, "build: done; research: no-more")
    assert game.state["turn"] == 2
    assert {name: fact(game, name) for name in before} == before
    assert (fact(game, "bp.axis"), fact(game, "bp.allied"), fact(game, "devastated.bremerhaven")) == (0, 0, "no")


@pytest.mark.section("bombs-away II B")
def test_what_is_next_is_right_at_every_reveal(pack: Pack) -> None:
    game = laid_out(pack)
    play(game, "placed: ploesti; placed: berlin; placed: no-more; target: ploesti")
    fight = ["allied-dogfights", "flak", "axis-dogfights", "bombing"]
    for square in ("ploesti", "berlin"):
        assert (game.state["here"], asked(game)) == (square, ["cards-here"])
        ahead = [step.id for step in game.coming(9)]
        assert [each for each in ahead if each in fight] == fight
        assert ("target" in ahead) == (square == "ploesti")  # after the last square comes what the bombs did
        plane = {"ploesti": "b24d", "berlin": "spitfire-i"}[square]
        game.write({f"known.{plane}": "yes", f"dogfight.{plane}": 2, f"symbols.{square}": 1})
        play(game, f"cards-here: {plane}; cards-here: no-more; draw: 9")
    assert game.state["step"] == "victory-cards"


@pytest.mark.section("bombs-away III B 1")
def test_squares_are_counted_against_the_aircraft_and_the_one_decoy_raid(pack: Pack) -> None:
    game = laid_out(pack)  # three aircraft and the Decoy Raid
    play(game, "placed: ploesti; placed: berlin; placed: schweinfurt; placed: bremerhaven; target: berlin")
    assert fact(game, "targets.placed") == 4 and asked(game) == ["cards-here"]
    play(game, "cards-here: decoy; target: ploesti")
    game.write({f"known.{plane}": "yes" for plane in ("b24d", "spitfire-i", "wellington-iii")})
    options = Moment(game).options
    assert "decoy" not in options
    play(game, "cards-here: b24d")
    assert not {"spitfire-i", "wellington-iii"} & set(Moment(game).options)  # the two other squares need them
