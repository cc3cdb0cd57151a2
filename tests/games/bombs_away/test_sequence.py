"""The order of a turn (II B), the fire of the Axis (IV D), what event cards build (VI A 3), a turn's end (VI C)."""

import pytest

from companion.packs import Pack
from companion.play.mission import Mission
from tests.games.bombs_away.table import after_combat, at, laid_out, play, tried
from tests.support import Moment, asked, fact, moments


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


SCHWEINFURT = "turn payload.b24d=3 known.schweinfurt=yes symbols.schweinfurt=1 " + " ".join(
    f"known.{plane}=yes dogfight.{plane}={dogfight}"
    for plane, dogfight in (("spitfire-i", 3), ("b24d", 2), ("fw190a", 4), ("me109e", 3))
)
ALLIES_FIRE = at("schweinfurt") + (
    "cards-here: spitfire-i; cards-here: b24d; cards-here: fw190a; cards-here: me109e; cards-here: no-more; "
    "fire: spitfire-i@me109e; draw: 3; fire: b24d@fw190a; draw: 9"
)


@pytest.mark.section("bombs-away II B", "bombs-away IV B 1", "bombs-away IV D", "bombs-away VI A 3")
@moments(
    ("after the Allies, each once, the flak fires", SCHWEINFURT, ALLIES_FIRE, "pile.me109e=researched step=flak"),
    ("then the Axis", SCHWEINFURT, ALLIES_FIRE + "; draw: 9; draw: 9", "step=axis-dogfights"),
    ("and no bomber bombs that is gone", SCHWEINFURT,
     ALLIES_FIRE + "; draw: 9; draw: 9; fire: fw190a@b24d; draw: 4",
     "pile.b24d=researched pile.spitfire-i=available devastated.schweinfurt!=yes"),
    ("an event card builds the aircraft that it names", "built pile.me110g=researched",
     "cards: no-more; build: by-card; by-card: me110g",
     "pile.me110g=available bp.axis=4 hand.axis=1 discard=1"),
)  # fmt: skip
def test_who_fires_and_builds(pack: Pack, sheet: str, flown: str, then: str) -> None:
    tried(pack, sheet, flown, then)
