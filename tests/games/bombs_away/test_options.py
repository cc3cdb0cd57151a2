"""The optional rules of Bombs Away!"""

import pytest

from companion.engine.dice import Hand
from companion.engine.questions import ChoiceQuestion
from companion.packs import Pack
from tests.games.bombs_away.table import after_combat, at, laid_out, play, strength, tried
from tests.support import Run, asks, begin, moments


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
    assert game.roll("shot", Hand())[0].text == "Me109E misses Wellington III, 3 against 2 (two less by night)"
    assert (
        game.roll("shot", Hand(), {"fire": "flak"})[0].text
        == "Wellington III is missed by flak, 3 against 1 (one less by night)"
    )


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
    assert "B24D is destroyed, 0 against 0 (one less by night)" in texts
    assert game.state["deck"] == 45


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


NO_CARDS = "cards: no-more; "
HEATS_UP = "built pile.me110g=researched pile.b17f=researched"
TWICE = HEATS_UP + " pile.axis-4=researched pile.allied-6=researched"
TWO_AXIS = NO_CARDS + "build: heats-up; free-aircraft: me110g; build: heats-up; free-aircraft: axis-4"
ALLIED_HALF = NO_CARDS + "build: heats-up; build: done; set bp.allied=3"
INTERRUPTED = "; build: heats-up; build: done; build: done"


@pytest.mark.section(
    "bombs-away IV C", "bombs-away II A", "bombs-away VI A 1", "bombs-away VI A 2", "bombs-away VI A 4"
)
@pytest.mark.section("bombs-away VI B", "bombs-away VI D", "bombs-away VII A 1", "bombs-away VII A 2")
@pytest.mark.section("bombs-away VII C", "bombs-away VII E")
@moments(
    ("symbols alone are the flak of a square", "turn here=ploesti fire=flak foe=b24d", "", "strength=2"),
    ("a card adds its own", "turn here=ploesti fire=flak foe=b24d flak.here=3", "", "strength=5"),
    ("a slow aircraft is fired at twice",
     "turn option.slow=yes known.wellington-iii=yes slow.wellington-iii=yes",
     at("ploesti") + "cards-here: wellington-iii; cards-here: no-more; draw: 9; draw: 8",
     "|III is missed by flak, 9 against 2;III is missed by flak, 8 against 2"),
    ("low cannot fire at high", "turn option.altitude=yes " + " ".join(
        f"known.{plane}=yes dogfight.{plane}=3 flies.{plane}={height}"
        for plane, height in (("spitfire-i", "low"), ("fw190a", "high"), ("me109e", "normal"))),
     at("ploesti") + "cards-here: spitfire-i; cards-here: fw190a; cards-here: me109e; cards-here: no-more; "
     "fire: spitfire-i@me109e; draw: 3", "|Me109E is destroyed, 3 against 3"),
    ("two fighters cost as much as one aircraft; two event cards are a point",
     "built option.crash=yes option.fighters=yes pile.me110g=researched pile.axis-4=researched",
     NO_CARDS + "build: crash; build: two-fighters; free-fighter: axis-4", "bp.axis=2 hand.axis=0 axis.available=4"),
    ("flak is raised by the difference",
     "built option.crash=yes option.fighters=yes pile.me110g=researched pile.axis-4=researched",
     NO_CARDS + "build: crash; build: two-fighters; free-fighter: axis-4; build: 1@2",
     "bp.axis=1 flak.available.1=3 flak.available.2=1 flak.researched.1=5 flak.researched.2=5"),
    ("two event cards are a point as often as the hand has two", "built option.crash=yes hand.axis=5 deck=43",
     NO_CARDS + "build: crash; build: crash", "bp.axis=6 hand.axis=1 discard=4 option!=crash"),
    ("event cards raise and lower the points of either side", "built",
     NO_CARDS + "build: card-axis; cards.effect: 2; build: card-allied; cards.effect: -3",
     "bp.axis=3 hand.axis=1 hand.allied=1 discard=2 "
     "|2 more: the build points of the Axis;3 less: the build points of the Axis"),
    ("those on the Allied points are played when the Allies build", "built hand.axis=0 hand.allied=0",
     "build: event-card; build: done", "step=build-allied hand.axis=1 option=card-axis option!=card-allied"),
    ("also one that the Axis has just bought", "built hand.axis=0 hand.allied=0",
     "build: event-card; build: done; build: card-axis; cards.effect: -1",
     "bp.axis=0 bp.allied=3 step=build-allied |1 less: the build points of the Allies"),
    ("a card that comes later counts in the one total, of which nothing comes back", "built hand.axis=2",
     NO_CARDS + "set bp.axis=0 bp.cards.axis=-6; build: card-axis; cards.effect: 1; build: card-axis; cards.effect: 4",
     "bp.axis=3"),
    ("and takes away only what is not yet spent", "built hand.axis=1 flak.researched.3=4",
     NO_CARDS + "build: flak-3; build: card-allied; cards.effect: -2", "bp.axis=0 bp.cards.axis=-2"),
    ("a card that changes no points is played all the same", "built",
     NO_CARDS + "build: card-allied; cards.effect: 0",
     "bp.axis=4 hand.allied=1 discard=1 |No points: carry out the card and enter it on the sheet"),
    ("points do not fall below none", "built victory.points=1", "cards: axis; cards.effect: -2; cards: no-more",
     "victory.points=0 |2 less: the victory points"),
    ("World War Heats Up: all hands are discarded, an aircraft and two points for the Axis", HEATS_UP,
     NO_CARDS + "build: heats-up; free-aircraft: me110g",
     "hand.axis=0 hand.allied=0 deck=45 discard=5 bp.axis=2 builder=axis pile.me110g=available"),
    ("then for the Allies", HEATS_UP, NO_CARDS + "build: heats-up; free-aircraft: me110g; build: event-card; "
     "build: done; free-aircraft: b17f", "bp.allied=2 pile.b17f=available deck=44 discard=5"),
    ("only then is the deck shuffled, and the Axis builds on", HEATS_UP,
     NO_CARDS + "build: heats-up; free-aircraft: me110g; build: event-card; build: done; free-aircraft: b17f; "
     "build: done", "deck=48 discard=1 hand.axis=1 bp.axis=3 builder=axis special=no "
     "|except those in the hands and World War Heats Up, which starts the discard pile"),
    ("a second card interrupts the special build", TWICE, TWO_AXIS, "bp.axis=2 builder=axis"),
    ("which goes on after it", TWICE, TWO_AXIS + "; build: done; free-aircraft: b17f; build: done",
     "bp.axis=1 builder=axis special=yes"),
    ("the Allies build in it too", TWICE,
     TWO_AXIS + "; build: done; free-aircraft: b17f; build: done; build: done; free-aircraft: allied-6",
     "bp.allied=2 builder=allied"),
    ("and saved points return once", TWICE, TWO_AXIS + "; build: done; free-aircraft: b17f; build: done; build: done; "
     "free-aircraft: allied-6; build: done", "bp.axis=3 builder=axis special=no"),
    ("while the Allies build each returns what was left", "built", ALLIED_HALF + INTERRUPTED,
     "bp.allied=2 builder=allied special=yes"),
    ("twice", "built", ALLIED_HALF + INTERRUPTED * 2, "bp.allied=1 builder=allied special=yes"),
    ("then the Axis builds on", "built", ALLIED_HALF + INTERRUPTED * 2 + "; build: done",
     "bp.axis=3 builder=axis special=no"),
)  # fmt: skip
def test_options_and_builds(pack: Pack, sheet: str, flown: str, then: str) -> None:
    tried(pack, sheet, flown, then)
