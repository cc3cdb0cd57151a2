"""Three turns with all eight options, line by line, ended by a surrender: with a new box, and with a known one."""

import pytest

from companion.engine.fields import Value
from companion.packs import Pack
from companion.play.mission import Mission
from tests.support import Run, begin, fact, prompted

OPTIONS = {f"option.{name}": "yes" for name in "slow altitude night crash being fighters bouncing".split()}

# `*` marks the lines about the box; a known one needs none of them. The figures are made up.
TURNS = """
* 8 6 4 2
* 2 1 1 2 3 4 1 2 3
* 2 1
* 4 5 14
* 4 0; slow; 3
-
2 5 6
* Hamburg; Essen
5
1 2 12 22
* 2; 3 0; 1 3 slow; 4 night
1@12 9 2@12 2
9 8 9
12@1 4
2 3
2
3 13
* 1; 3 2 night; 3
3@13 9
-
13@3 3-1x
3 1
* 2 1
-
-
7
14 0
4 5 0
* 6 7 15
* Mosquito 1 3 night; P38 3 0; Ju88C 3 night
-
2 3 5
5
2 12 22
2@12 9
9 9
12@2 9
2 3
2
1 13
1@13 2
9
3 14 22
3@14 9
9
14@3 9
3 5
-
-
15 0
6 7 0
* -
-
2 4
2
2 12
2@12 9
9 9
12@2 9
2 2
1 22
* 1
9
1 +1 0
-
3-2a
* 4
* axis Decisive; 5 axis Narrow; 10 draw Stalemate; 15 allied Victory
1
"""


def played(pack: Pack, lines: list[str], box: dict[str, Value]) -> Mission:
    """A game played by these lines, none of them refused."""
    game = Mission(pack, number=1)
    game.write({**OPTIONS, "option.commitment": "both", **box})
    player = prompted(game)
    for line in lines:
        at = game.journal.position
        shown = player.type("" if line == "-" else line)
        assert game.journal.position > at and "Not used" not in shown, f"{line}: {shown}"
    return game


@pytest.mark.section("bombs-away II B", "bombs-away V D")
def test_three_turns_with_all_options_need_few_lines(pack: Pack) -> None:
    lines = TURNS.strip().split("\n")
    game = played(pack, [line.removeprefix("* ") for line in lines], {})
    assert (game.state["step"], game.state["turn"], fact(game, "surrender")) == ("end", 3, "yes")
    assert len(lines) <= 110
    known = [line for line in lines if not line.startswith("*")]
    assert len(known) <= 70
    box = {name: value for name, value in game.state.items() if pack.sheet.fields[name].section == "book"}
    box |= {f"designed.{plane}": 9 for plane in pack.sheet.index["plane"] if not box.get(f"designed.{plane}")}
    again = played(pack, known, box)
    same = [name for name in game.state if pack.sheet.fields[name].section != "book" and not name.startswith("mission")]
    assert {name: again.state.get(name) for name in same} == {name: game.state[name] for name in same}


@pytest.mark.section("bombs-away I A", "bombs-away I B 2")
def test_a_new_box_is_described_one_line_a_card(pack: Pack) -> None:
    """The box has 21 aircraft: here each has its own line, and no card is asked about twice."""
    of_turn = [*range(4, 12), *range(14, 22)]
    allied, axis = [f"N{number} 3 2" for number in range(6, 12)], [f"P{number} 3 night" for number in range(15, 22)]
    new = ["3 2 high", "-", *allied, "3", *axis]  # in the order of the list; the rules give the B17F's figures (VII F)
    lines = ["8 6 4 2", "2 1 1 2 3 4 1 2 3", "2 1", " ".join(map(str, of_turn)), *new]
    first = ["2", "1 2 3 12 13", "1", "2 0", "1 3 slow", "2 2 night", "3", "3 night"]
    game = Mission(pack, number=1)
    game.write(OPTIONS)
    player = prompted(game)
    for line in [*lines, *first]:
        shown = player.type(line)
        assert "I don't know" not in shown and "Your line" not in shown, f"{line}: {shown}"
    assert all(game.state[f"known.{plane}"] == "yes" for plane in pack.sheet.index["plane"])
    assert len([*lines, *first]) <= 40
    assert (game.state["name.axis-10"], game.state["slow.b17f"]) == ("P21", "no")


@pytest.mark.section("bombs-away I A")
def test_new_cards_are_asked_for_in_the_order_of_the_list_in_one_line_or_several(pack: Pack) -> None:
    for typed in (
        ["- ; Mosquito 1 3 night; 3"],
        ["slow", "Mosquito 1 3 night", "3"],
        ["slow; Mosquito 1 3 night", "3"],
    ):
        game = Mission(pack, number=1)
        game.write({**OPTIONS, "night.b17f": "no"})
        player = prompted(game, "8 6 4 2", "2 1 1 2 3 4 1 2 3", "2 1")
        shown = player.type("14 6 5")
        assert "B17F (Dogfight 3, Payload 4): slow, low or high where printed" in shown
        assert [shown.index(name) for name in ("B17F (", "aircraft 6: ", "Me110G: ")] == sorted(
            shown.index(name) for name in ("B17F (", "aircraft 6: ", "Me110G: ")
        )
        assert "I don't know 'nihgt'." in player.type("slow; Mosquito 1 3 nihgt slow; 3")
        for line in typed:
            player.type(line)
        got = [game.state[each] for each in ("name.allied-6", "dogfight.allied-6", "night.allied-6", "dogfight.me110g")]
        assert got == ["Mosquito", 1, "yes", 3]


@pytest.mark.section("bombs-away I A")
def test_a_box_that_was_described_once_is_known_to_the_next_campaign(companion: Run) -> None:
    begin(companion, "bombs-away", "cards.1=8", "name.allied-6=P47D", "option.night=yes")
    companion("new", "Second", "--game", "bombs-away", "--yes")
    companion("mission", "start", "--yes")
    facts = companion("status", "--json").json["facts"]
    assert (facts["cards.1"], facts["name.allied-6"], facts["option.night"]) == (8, "P47D", "no")
    assert "first: " in companion("games", "box").out
    assert companion("games", "box", "1995").code == 0
    companion("new", "Third", "--game", "bombs-away", "--yes")
    companion("mission", "start", "--yes", "--with", "option.night=yes")
    assert companion("status", "--json").json["facts"]["cards.1"] == 0
    companion("set", "cards.1=4")
    assert "Options: Night flying" in companion("mission", "start", "--yes").out
    facts = companion("status", "--json").json["facts"]
    assert (facts["cards.1"], facts["option.night"]) == (4, "yes")  # the options of the last game hold too
    kept = companion("games", "box", "--json").json
    assert (kept["current"], kept["boxes"]["first"]["cards.1"], kept["boxes"]["1995"]["cards.1"]) == ("1995", 8, 4)
    assert companion("games", "box", "--game", "b17").code == 2
