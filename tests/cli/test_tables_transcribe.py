"""`tables transcribe`: rows of the player's rulebook are copied once and used from then on."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.packs import Pack, own_tables
from companion.packs.check import check
from companion.problems import UserError
from tests.support import END, Run, Terminal, begin


def test_ctrl_c_while_copying_a_table_keeps_the_rows_and_says_so() -> None:
    t = Terminal("tables", "transcribe", "8-1", "--game", "b29")
    for asked, typed in (
        ("Row for 2 .*: ", "2-5"), ("What does it say.*\\? ", "Nose over"), ("What happens(.|\\s)*: ", "1"),
    ):  # fmt: skip
        t.expect(asked)
        t.say(typed)
    t.expect("Row for 6 .*: ")
    t.interrupt("Saved. Continue with: companion tables transcribe 8-1", END)
    t = Terminal("tables", "transcribe", "8-1", "--game", "b29").expect("Row for 6 .*: ")
    t.say("q", END)


@pytest.mark.slow
def test_a_table_is_copied_with_a_pause_and_used_from_then_on(companion: Run, data_folder: Path) -> None:
    # the rows below are made up; nobody's book reads so
    t = Terminal("tables", "transcribe", "8-1", "--game", "b29").expect("Row for 2 .*: ")
    t.say("2-5", "What does it say.*\\? ")
    t.say("Nose over", "What happens", ": ")
    t.say("wrecked", "Row for 6 .*: ")
    t.say("5-7", "overlaps row")
    t.say("x", "isn't a range")
    t.say("q", "Saved. Continue with", END)
    assert companion("roll", "8-1", "--game", "b29", "--dice", "3,3").code == 3
    t = Terminal("tables", "transcribe", "8-1", "--game", "b29")
    t.expect("Continuing: 1 row entered so far", "Row for 6 .*: ")
    t.say("6+", "What does it say.*\\? ")
    t.say("Nothing to tell", "Number, or Enter for 1: ")
    t.say("other", "Another modifier.*: ")
    t.say("-1", "Why: ")
    t.say("crosswind, by my book", "When .*: ")
    t.say("weather=stormy", "stormy is neither a field nor good")
    t.say("weather=poor", "Another modifier.*: ")
    t.say("", "Nose over  .wrecked.", "Does this match your rulebook")
    t.say("y", "works like any other", END)
    bad = companion(
        "roll", "8-1", "--game", "b29", "--dice", "3,3", "--with", "weather=poor", "--with", "bip=yes", "--json"
    ).json
    # 6, burst -2 of ours, crosswind -1 of the player's: 3
    assert (bad["net"], bad["outcome"]) == (3, "wrecked")
    assert bad["text"].startswith("Nose over")
    assert bad["patched"] == [{"table": "8-1", "reason": "from your rulebook"}]
    assert companion("roll", "8-1", "--game", "b29", "--dice", "6,6", "--json").json["outcome"] == "nothing-to-tell"
    assert check(Pack("b29")) == []
    assert not (data_folder / "drafts" / "b29" / "8-1.json").exists()
    assert "is built in" in companion("tables", "transcribe", "8-1", "--game", "b29").err
    assert "from your rulebook" in companion("tables", "diff", "b29").out


def test_unknown_dice_and_a_sub_roll_whose_last_row_is_taken_back(companion: Run) -> None:
    t = Terminal("tables", "transcribe", "4-9.doors", "--game", "b29").expect("Dice .*: ")
    t.say("7X9", "Dice .*: ")
    t.say("1D")
    for row, option in (("1-2", "fwd"), ("3-4", "aft"), ("5-6", "both")):
        t.expect("Row for .*: ")
        t.say(row, "What does it say.*\\? ")
        t.say("These doors", "for 1: ")
        t.say(option)
    t.expect("Another modifier.*: ")
    t.say("", "Does this match")
    t.say("n", "Taken back: 5..6", "Row for 5 .*: ")
    t.say("5-6", "What does it say.*\\? ")
    t.say("Those doors", "for 1: ")
    t.say("both", "Another modifier.*: ")
    t.say("", "Those doors", "Does this match")
    t.say("", "works like any other", END)
    rolled = companion("roll", "4-9.doors", "--game", "b29", "--dice", "5", "--json").json
    assert rolled["outcome"] == "both"
    assert [each["after"] for each in rolled["changes"] if each["field"].startswith("doors")] == ["jammed-shut"] * 2


@pytest.mark.slow
def test_a_single_cell_of_a_known_table(companion: Run) -> None:
    pack = Pack("b29")
    table = pack.table("5-11")
    gaps = [
        (c.title, row) for c in table.columns for row, result in c.rows.written.items() if own_tables.unknown(result)
    ]
    assert gaps
    draft = own_tables.Notes(gaps=[(*gap, "Superficial", "superficial") for gap in gaps])
    own_tables.add_patch(pack, "5-11", own_tables.patch_of(table, draft))
    again = Pack("b29")
    assert not [row for c in again.table("5-11").columns for row in c.rows.results() if own_tables.unknown(row)]
    assert check(again) == []


@pytest.mark.parametrize(
    ("typed", "row"),
    [
        ("7", "7"), ("3-5", "3..5"), ("3 – 5", "3..5"), ("12+", "12.."), ("4-", "..4"), ("≤4", "..4"), ("..4", "..4"),
        ("4 or less", "..4"), ("12 or more", "12.."),
    ],
)  # fmt: skip
def test_ranges_as_books_print_them(typed: str, row: str) -> None:
    assert own_tables.row_of(typed) == row


@pytest.mark.parametrize("typed", ["3 5", "3,5", "3/5", "5-3"])
def test_two_figures_are_no_range(typed: str) -> None:
    with pytest.raises(UserError, match="isn't a range"):
        own_tables.row_of(typed)


FROM_12 = ["--with", "fighter.clock=12", "--with", "fighter.angle=level"]


@pytest.mark.slow
def test_a_given_row_is_not_an_unmodified_roll_and_a_copied_row_overrides_it(companion: Run) -> None:
    begin(companion, "b29")
    companion("set", "book.5-11.level=tail")
    said = companion("roll", "5-11", "--dice", "2,2", *FROM_12, "--dry-run")
    assert "Tail" in said.out
    assert "unmodified" not in said.out
    assert companion("roll", "5-11", "--dice", "2,2", *FROM_12, "--dry-run", "--json").json["natural"] is False
    assert "A 4 is tail, as you entered." in companion("show", "5-11", *FROM_12).out
    pack = Pack("b29")
    draft = own_tables.Notes(gaps=[("12, 1:30, 10:30 level", "4", "Up front", "nose")])
    own_tables.add_patch(pack, "5-11", own_tables.patch_of(pack.table("5-11"), draft))
    taken_down = companion("roll", "5-11", "--dice", "2,2", *FROM_12, "--json").json
    assert (taken_down["outcome"], taken_down["text"]) == ("nose", "Up front; Nose")
    assert "12, 1:30, 10:30 level: 4" in companion("why").out
    assert "as you said" not in companion("show", "5-11", *FROM_12).out


def test_an_unknown_table_is_copied_row_by_row(companion: Run) -> None:
    begin(companion, "b29")
    companion("set", "book.7-1.gear.3=damaged")
    t = Terminal("tables", "transcribe", "7-1.gear").expect("Dice .*: ")
    t.say("1D")
    for row, option in (("1-4", "drops"), ("5-6", "damaged")):  # made up
        t.expect("Row for .*: ")
        t.say(row, "What does it say.*\\? ")
        t.say("The nose gear", "for 1: ")
        t.say(option)
    t.expect("Another modifier.*: ")
    t.say("", "Does this match")
    t.say("", "works like any other", END)
    outcomes = [companion("roll", "7-1.gear", "--dice", dice, "--dry-run", "--json").json["outcome"] for dice in "346"]
    assert outcomes == ["drops", "drops", "damaged"]
    assert check(Pack("b29")) == []


def test_a_copied_city_is_queried_once_and_not_at_the_roll(companion: Run) -> None:
    # 2.2 D; the rows are made up
    t = Terminal("tables", "transcribe", "2-2D", "--game", "b29").expect("Dice .*: ")
    t.say("1D")
    for row, typed, back in (("1-2", "Nagoia", ""), ("3-4", "Old Town", "="), ("5+", "kobe", None)):
        t.expect("Row for . .*: ")
        t.say(row, "What does it say.*\\? ")
        t.say(typed)
        if back is not None:
            t.expect("isn't a known name", "type another: ")
            t.say(back)
    t.expect("Another modifier.*: ")
    t.say("", "Does this match your rulebook")
    t.say("y", END)
    rolled = [companion("roll", "2-2D", "--game", "b29", "--dice", dice, "--json").json["outcome"] for dice in "135"]
    assert rolled == ["nagoya", "old-town", "kobe"]
