"""Rows only in the player's rulebook: questions and accepted answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.engine.dice import Hand
from companion.engine.fields import UnknownName
from companion.engine.play import Play
from companion.engine.questions import RowQuestion, settle
from companion.problems import UserError
from tests.support import asks, pack


def test_a_question_takes_only_what_the_file_knows(tmp_path: Path) -> None:
    words = 'owner = "Which card"\n[outcome.ace]\ntext = "An ace"\n[outcome.joker]\n'
    numbers = words + '[outcome."{result}"]\ndo = ["hour = result"]\n'
    adjusted = 'owner = "How far"\nadjust = [{is = "result * 2"}]\n'
    game = pack(tmp_path, w=words, n=numbers, a=adjusted)
    assert settle(Play(game).roll("w", Hand(), outcome="Ace")).text == "An ace"
    for refused in ("king", "7"):
        with pytest.raises(UserError, match=f"can.t be {refused}"):
            settle(Play(game).roll("w", Hand(), outcome=refused))
    assert settle(Play(game).roll("n", Hand(), outcome="7")).changes["hour"][1] == 7
    with pytest.raises(UserError, match="can't be king"):
        settle(Play(game).roll("n", Hand(), outcome="king"))
    assert settle(Play(game).roll("a", Hand(), outcome="7")).outcome == "14"
    with asks(RowQuestion, match="Which card"):
        settle(Play(game).roll("w", Hand([[1, 2]])))


def test_what_the_players_book_says_of_a_cell_is_asked_once(tmp_path: Path) -> None:
    game = pack(
        tmp_path,
        fields='"book[side]" = {values = "gear flap"}\n',
        t='rows = {1 = {ask-once = "book[side]"}, 2 = "owner", "3.." = {ask-once = "book.port"}}\n'
        '[outcome.gear]\ndo = ["mark zone"]\n[outcome.flap]\ndo = ["mark hour"]\n[outcome.other]\ndo = ["zone = 5"]\n',
    )
    play = Play(game)
    with asks(RowQuestion):
        settle(play.roll("t", Hand([[1]]), {"side": "port"}))
    assert play.state == {}
    assert settle(play.roll("t", Hand([[1]]), {"side": "port"}, outcome="Gear")).outcome == "gear"
    assert play.state == {"zone": 1, "book.port": "gear"}
    for die in (1, 3):
        assert settle(play.roll("t", Hand([[die]]), {"side": "port"})).outcome == "gear"
    assert play.state["zone"] == 3
    with asks(RowQuestion):
        settle(play.roll("t", Hand([[2]]), {"side": "port"}))  # an ordinary cell of the book is asked each time
    with asks(RowQuestion):
        settle(play.roll("t", Hand([[1]]), {"side": "starboard"}))
    settle(
        play.roll("t", Hand([[1]]), {"side": "starboard"}, outcome="other")
    )  # no word of the field: it is asked again
    assert "book.starboard" not in play.state and play.state["zone"] == 5
    with asks(RowQuestion):
        settle(play.roll("t", Hand([[1]])))  # about neither side
    with pytest.raises(UserError, match="give the dice, not --outcome"):
        settle(play.roll("t", Hand([[3]]), outcome="flap"))


def test_the_question_for_a_printed_row_says_where_to_look_and_what_is_known(tmp_path: Path) -> None:
    game = pack(
        tmp_path, k="owner = true\n[outcome.hit]\n[outcome.miss]\n", w="owner = true\n",
        q='title = "Cards"\nowner = "Which card"\n[outcome.ace]\n',
    )  # fmt: skip

    def said(name: str, take: int | None = None) -> str:
        with asks(RowQuestion) as need:
            settle(Play(game).roll(name, Hand([[2, 3]]), take=take))
        return str(need.value)

    assert "net 5" in said("k") and said("k").endswith("--outcome: hit or miss")
    assert (
        "net 5" in said("w")
        and said("w").endswith("--outcome")
        and said("w").startswith("w is printed only in your rulebook")
    )
    assert said("q").startswith("Cards: Which card?") and said("q").endswith("--outcome: ace")
    game = pack(tmp_path, c='title = "Cards"\ndice = "-"\nowner = "Which card in zone {zone + 1}"\n[outcome.ace]\n')
    with asks(RowQuestion, match="Cards: Which card in zone 4") as need:
        settle(Play(game, {"zone": 3}).roll("c", Hand()))
    with pytest.raises(UserError, match="can't be king. Which card in zone 4?"):
        settle(Play(game, {"zone": 3}).roll("c", Hand(), outcome="king"))
    game = pack(tmp_path, n='owner = true\ndice = "-"\n')
    with asks(RowQuestion) as need:
        settle(Play(game).roll("n", Hand()))
    assert need.value.net is None and need.value.dice == []


TOWNS = 'town = {kind = "name", known = "Kobe, Iwo Jima, Iwo = Iwo Jima"}\n'


def test_the_names_in_a_row_are_those_that_the_fields_know_into_which_they_are_written(tmp_path: Path) -> None:
    """A field with known names raises UnknownName for any other name in a rulebook row without a leading `=`."""
    plain = 'owner = true\n[outcome."{where};{number}"]\ndo = ["town = where if hour = 0", "zone = number"]\n'
    cases = 'owner = true\n[outcome."{where}"]\ncases = [{when = "hour = 1", do = ["town = where"]}, {text = "Off"}]\n'
    game = pack(tmp_path, fields=TOWNS, t=plain, c=cases)
    for table, row in (("t", "Koba; 3"), ("c", "Koba")):
        with pytest.raises(UnknownName, match="Did you mean Kobe"):
            settle(Play(game).roll(table, Hand(), outcome=row))
    with pytest.raises(UserError, match="zone must be 0 to 5, not 9"):
        settle(Play(game).roll("t", Hand(), outcome="Kobe; 9"))
    assert settle(Play(game).roll("t", Hand(), outcome="KOBE ; 3")).outcome == "kobe;3"
    play = Play(game)
    assert settle(play.roll("t", Hand(), outcome="=Koba; 3")).outcome == "koba;3"
    assert (play.state["town"], play.state["zone"]) == ("koba", 3)
    settle(play.roll("t", Hand(), outcome="iwo; 4"))
    assert play.state["town"] == "Iwo Jima"


def test_names_from_a_pack_or_a_copied_row_are_not_queried(tmp_path: Path) -> None:
    game = pack(
        tmp_path,
        fields=TOWNS,
        t='rows = {"1..3" = "old-town", "4.." = "kobe"}\n[outcome."{where}"]\ndo = ["town = where"]\n',
        u='rows = {"1.." = "go"}\noutcome.go.do = ["town = \'Old Town\'"]\n',
    )
    play = Play(game)
    assert [settle(play.roll("t", Hand([[die]]))).changes["town"][1] for die in (1, 4)] == ["old-town", "kobe"]
    assert settle(play.roll("u", Hand([[1]]))).changes["town"][1] == "Old Town"


def test_an_answer_about_a_name_is_looked_at_and_the_usual_one_taken(tmp_path: Path) -> None:
    game = pack(
        tmp_path, fields=TOWNS, t='rows = {"1.." = "go"}\noutcome.go.then = [{ask = "town", usual = "\'Old Town\'"}]\n'
    )
    for answer, town in (("KOBE", "Kobe"), ("=Koba", "Koba"), ("Old Town", "Old Town")):
        play = Play(game)
        settle(play.roll("t", Hand([[1]])))
        with pytest.raises(UnknownName):
            settle(play.answer(play.pending[0], "Koba"))
        settle(play.answer(play.pending[0], answer))
        assert play.state["town"] == town


def test_a_bare_number_is_refused_for_a_table_with_unknown_words(tmp_path: Path) -> None:
    game = pack(tmp_path, t="owner = true\n")
    with pytest.raises(UserError, match="t must be words, not 33"):
        settle(Play(game).roll("t", Hand(), outcome="33"))
    assert settle(Play(game).roll("t", Hand(), outcome="3 boxes")).outcome == "3-boxes"
