"""The turn of Bombs Away!, the worked examples of its rules, and the optional rules."""

import pytest

from companion.engine.dice import Hand
from companion.engine.questions import ChoiceQuestion, FieldQuestion
from companion.packs import Pack
from companion.play.mission import Mission
from companion.play.script import Script
from companion.problems import UserError
from tests.games.bombs_away.table import BOX, COSTS, after_combat, at, laid_out, play, strength, tried
from tests.support import Moment, Run, asked, asks, begin, fact, fly, moments, prompted


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
LAID = f"{SCHWEINFURT} symbols.berlin=1 at.fw190a=berlin"
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
    ("entered in advance it fires, typed or not", LAID, at("berlin") + "cards-here: b24d; cards-here: no-more",
     "step=allied-dogfights at.fw190a=berlin option=b24d@fw190a"),
    ("also where the Allies have only the Decoy Raid", LAID,
     "placed: berlin; placed: ploesti; placed: no-more; target: berlin; cards-here: decoy",
     "here=ploesti decoy.met=yes at.fw190a=berlin"),
    ("and no other square tells of it", LAID, "placed: berlin; placed: ploesti; placed: no-more; target: ploesti",
     "option=fw190a"),
    ("nor does one without Allied cards (III B 2)", LAID, at("ploesti"), "at.fw190a=none"),
    ("an event card builds the aircraft that it names", "built pile.me110g=researched",
     "cards: no-more; build: by-card; by-card: me110g",
     "pile.me110g=available bp.axis=4 hand.axis=1 discard=1"),
)  # fmt: skip
def test_who_fires_and_builds(pack: Pack, sheet: str, flown: str, then: str) -> None:
    tried(pack, sheet, flown, then)


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
def test_a_box_without_the_four_flak_1_of_the_start_can_be_counted_again_or_played(pack: Pack) -> None:
    game = Mission(pack)
    game.write({**BOX, **COSTS, "cards.1": 3, "cards.2": 11})
    game.advance()
    with asks(ChoiceQuestion, match="20 flak cards are entered, fewer than four of them Flak 1. Count again?"):
        game.roll(None, Hand())
    play(game, "flak-count: no; research: no-more")
    assert (fact(game, "flak.available"), game.state["turn"]) == (3, 1)


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
     "deck=45 discard=1 step=flak |draws 1, and nobody is in reach"),
    ("which does not hit the target of the shot before",
     "turn" + known(spitfire_i="normal", b24d="low", me109e="high"),
     at("ploesti") + THREE_HERE + "fire: spitfire-i@me109e; draw: 9; fire: b24d; draw: 1",
     "pile.me109e=available |draws 1, and nobody is in reach"),
    ("without an Axis aircraft nobody is asked who fires", "turn known.spitfire-i=yes dogfight.spitfire-i=3",
     at("ploesti") + "cards-here: spitfire-i; cards-here: no-more", "step=flak"),
    ("the event deck is shuffled when it is out", "turn deck=1 discard=45 fire=surrender", "roll draw: = 5",
     "deck=46 discard=0"),
)  # fmt: skip
def test_draws_and_shots(pack: Pack, sheet: str, flown: str, then: str) -> None:
    tried(pack, sheet, flown, then)


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
    assert "The Axis surrenders, 1 against 1" in play(game, "cards: no-more; pay: no; draw: 1")
    assert (game.state["surrender"], game.state.get("winner")) == ("yes", None)  # not before its table is asked
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
     "|Me110G is bounced by exactly 3 and out of action this turn;Spitfire IX misses Me110G, 9 against 4;"
     "Spitfire IX is destroyed, 3 against 4;B17F is missed by flak, 7 against 4;"
     "B17F devastates Ploesti by exactly 4, and the flak keeps its strength"),
    ("a flak card of an open square is in sight", "ploesti", PLOESTI, "flak.met.2=1 flak.available.2=0"),
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
    texts = play(game, "idle: b24d; draw: 9; idle: b24d; draw: 2-2; played: allied")  # twice, as it is slow
    assert "B24D is destroyed, 0 against 0 (one less by night)" in texts
    assert game.state["deck"] == 44


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
     "|+2 on the build points of the Axis;-3 on the build points of the Axis"),
    ("those on the Allied points are played when the Allies build", "built hand.axis=0 hand.allied=0",
     "build: event-card; build: done", "step=build-allied hand.axis=1 option=card-axis option!=card-allied"),
    ("also one that the Axis has just bought", "built hand.axis=0 hand.allied=0",
     "build: event-card; build: done; build: card-axis; cards.effect: -1",
     "bp.axis=0 bp.allied=3 step=build-allied |-1 on the build points of the Allies"),
    ("a card that comes later counts in the one total, of which nothing comes back", "built hand.axis=2",
     NO_CARDS + "set bp.axis=0 bp.cards.axis=-6; build: card-axis; cards.effect: 1; build: card-axis; cards.effect: 4",
     "bp.axis=3"),
    ("and takes away only what is not yet spent", "built hand.axis=1 flak.researched.3=4",
     NO_CARDS + "build: flak-3; build: card-allied; cards.effect: -2", "bp.axis=0 bp.cards.axis=-2"),
    ("a card that changes no points is played all the same", "built",
     NO_CARDS + "build: card-allied; cards.effect: 0",
     "bp.axis=4 hand.allied=1 discard=1 |No points: carry out the card and enter it on the sheet"),
    ("points do not fall below none", "built victory.points=1", "cards: axis; cards.effect: -2; cards: no-more",
     "victory.points=0 |2 victory points fewer"),
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
