"""Bombs Away! by hand, card for card, and what its screens say."""

from __future__ import annotations

import re

import pytest

from companion.packs import Pack
from companion.play.mission import Mission
from tests.games.bombs_away.table import after_combat, at, laid_out, play
from tests.support import Run, begin, fact


@pytest.fixture
def at_berlin(companion: Run) -> Run:
    """A B24D over Berlin, whose square has two symbols."""
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


def test_a_table_of_the_companions_own_is_not_said_to_be_in_the_book(at_berlin: Run) -> None:
    assert "in your own book" not in at_berlin("show", "shot").out
    assert "You are asked each time: " in at_berlin("show", "draw").out
    assert "in your own book" not in at_berlin("tables", "list").out
    refused = at_berlin("tables", "transcribe", "draw")
    assert (refused.code, "no rows to take down" in refused.err) == (2, True)
    at_berlin("roll", "flak-fire", "--with", "plane=b24d", "--with", "here=berlin")
    assert "in your own book" not in at_berlin("why", "flak-fire").out


@pytest.mark.section("bombs-away I B 4", "bombs-away I B 5", "bombs-away I B 6")
def test_the_piles_of_each_side_have_their_names_on_the_screen(at_berlin: Run) -> None:
    screen = re.sub(r"\s+", " ", at_berlin("status").out)
    assert "Allied available 1" in screen
    assert "Axis unresearched 10" in screen
    assert "{" not in screen


@pytest.mark.parametrize("game", ["b29", "b29-streamliner", "b17", "bombs-away"])
def test_no_label_keeps_a_brace(game: str) -> None:
    sheet = Pack(game).sheet
    assert [name for name in sheet.derived if "{" in sheet.derived[name].label and "[" not in name] == []


@pytest.mark.section("bombs-away I A")
def test_a_figure_that_was_set_before_the_card_is_seen_is_not_asked_again(pack: Pack) -> None:
    game = laid_out(pack)
    game.write({"dogfight.b24d": 2, "payload.b24d": 3, "symbols.berlin": 2, "dogfight.fw190a": 3})
    here = at("berlin") + "allied-here: b24d; allied-here: no-more; axis-here: fw190a; axis-here: no-more; "
    play(game, here + "flak-here: none; fire: no-more")
    assert (game.state["step"], fact(game, "known.b24d"), fact(game, "known.fw190a")) == ("flak", "yes", "yes")


@pytest.mark.section("bombs-away V C")
def test_nothing_is_asked_when_no_point_is_left_to_cover(pack: Pack) -> None:
    game: Mission = laid_out(pack)
    after_combat(game, **{"devastated.schweinfurt": "yes"})
    texts = play(game, "cards: no-more; pay: discard; cards: no-more")
    assert (game.state["hand.axis"], game.state["bp.lost"]) == (1, 0)
    assert not [text for text in texts if text.startswith("0 build points")]
