"""The story of a game of Bombs Away!"""

import pytest

from companion.packs import Pack
from companion.play.mission import Mission
from companion.play.script import Script
from companion.render.story import story_of
from tests.games.bombs_away.table import BOX, COSTS, after_combat, laid_out, play
from tests.support import fly
from tests.watch import flown


def told(pack: Pack, game: Mission) -> str:
    return " ".join(story_of(pack, game).sentences())


@pytest.mark.section("bombs-away V D")
def test_the_story_says_the_level_that_the_victory_point_table_gives(pack: Pack) -> None:
    game = laid_out(pack)
    game.write({"lines": 1, "word.1": "a bitter end", "who.1": "axis"})
    after_combat(game, turn=9, **{"hand.axis": 0, "hand.allied": 0})
    assert fly(game, Script("build: done\nbuild: done"))
    assert "The chart calls it a bitter end." in told(pack, game)


@pytest.mark.section("bombs-away III A 1", "bombs-away VI A 2")
def test_the_story_has_the_names_of_the_cards_and_builds_what_was_built(pack: Pack) -> None:
    game = Mission(pack)
    game.write({**BOX, **COSTS})
    play(
        game,
        "research: allied-6; research: no-more; name.allied-6: Lightning; dogfight.allied-6: 3; payload.allied-6: 1",
    )
    play(game, "placed: nowhere; cards: no-more")
    play(game, "build: done; build: allied-6")
    story = told(pack, game)
    assert "Lightning" in story and "Allied aircraft 6" not in story
    assert "Wellington III" not in story


@pytest.mark.section("bombs-away V C")
def test_the_story_has_what_bombing_cost_in_each_of_two_turns(pack: Pack) -> None:
    game = laid_out(pack)
    for turn in (1, 2):
        after_combat(game, **{"devastated.schweinfurt": "yes", "hand.axis": 0, "hand.allied": 0})
        play(game, "")
        assert (game.state["turn"], game.state["bp.axis"], game.state["bp.lost"]) == (turn, 3, 1)
        play(game, "build: done; build: done")
        assert game.state["bp.lost"] == 0
        play(game, "research: no-more")
    assert told(pack, game).startswith(
        "In each of turns 1 and 2, Schweinfurt was devastated. The raid gave the Allies 1 victory point each time, "
        "2 in all. The bombing cost the Axis one build point."
    )


def test_the_story_says_what_ended_the_game(pack: Pack) -> None:
    game = laid_out(pack)
    game.write({"surrender": "yes", "step": "end"})
    assert "Surrender ended the game" in told(pack, game)
    assert story_of(pack, game).headline.startswith("The Axis surrendered in turn")


@pytest.mark.section("bombs-away VI D")
def test_the_story_has_world_war_heats_up(pack: Pack) -> None:
    game = laid_out(pack)
    after_combat(game)
    play(game, "cards: no-more; build: heats-up; free-aircraft: none; build: done")
    assert "World War Heats Up: both hands were discarded" in told(pack, game)


@pytest.mark.section("bombs-away V B", "bombs-away VI B")
def test_the_story_goes_from_the_loss_to_the_replacement_and_from_each_score_to_the_last(pack: Pack) -> None:
    """Flak shoots down two Spitfires in a row, the seventh raid devastates Bremerhaven, a remaining aircraft scores."""
    story = told(pack, flown(pack, 9002))
    assert (
        "In each of turns 4 and 5, Spitfire I went to Bremerhaven: flak brought it down. "
        "The Allies replaced Spitfire I. "
        "In turn 6, Spitfire I went to Bremerhaven and bombed without effect. "
        "In turn 7, Spitfire I went to Bremerhaven and devastated the target. "
        "The raid gave the Allies their first 3 victory points."
    ) in story
    assert story.endswith("and the aircraft left gave the Allies 1 point: 4 victory points.")
