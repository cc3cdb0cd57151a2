"""The start and the turn of Bombs Away!: what the rules leave to the cards is asked."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from companion.engine.dice import Hand
from companion.engine.questions import RowQuestion
from companion.engine.resolution import Result
from companion.packs import Pack
from companion.play.chance import Chance
from companion.play.mission import Mission
from companion.problems import Problem
from tests.games.bombs_away.table import BOX, COSTS, laid_out, over_ploesti, play
from tests.support import Run, asks, fact, fly


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
    results: list[Result] = []
    fly(game, Chance(random.Random(1)), each=results.extend)
    notes = [note for each in results for note, _ in each.notes]
    assert "19 are entered, the box has 20: undo, or set cards.1 to cards.6" in notes


def test_an_event_card_may_change_a_draw(pack: Pack) -> None:
    game = over_ploesti(pack)
    game.write({"hand.allied": 1, "option.bouncing": "no"})
    here = "target: ploesti; allied-here: b17f; allied-here: no-more; axis-here: me110g; flak-here: none; "
    texts = play(game, here + "fire: b17f; draw: 4-1; played: allied")  # 4 - 1 = 3, its Dogfight
    assert "Me110G is destroyed: 3 against 3" in texts
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
    with asks(RowQuestion, match="Chance number"):
        game.roll("draw", Hand())
    with pytest.raises(Problem, match="cannot be high"):
        game.roll("draw", Hand(), outcome="high")


def test_the_event_deck_is_shuffled_when_it_is_out(pack: Pack) -> None:
    game = laid_out(pack)
    game.write({"deck": 1, "discard": 45, "fire": "surrender"})
    game.roll("draw", Hand(), outcome="5")
    assert (game.state["deck"], game.state["discard"]) == (46, 0)
