"""`companion why`, and what `undo` announces."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.engine.dice import Hand
from companion.store import campaigns
from tests.support import Run


@pytest.mark.slow
def test_why_tells_an_entry_again_with_everything_that_went_into_it(owls: Run) -> None:
    owls("set", "formation=out", "evasive=yes", "engine.2=out")
    owls("set", "fighter.1.type=tojo", "fighter.1.clock=6", "fighter.1.pilot=ace")
    owls("roll", "5-9", "--with", "fighter=1", "--dice", "5,5")
    owls("set", "evasive=no", "fighter.1.pilot=green")
    report = owls("why", 3, "--json").json
    assert (report["table"], report["dice"], report["net"], report["outcome"]) == ("5-9", [5, 5], 9, "hit")
    assert [(each["add"], each["cite"]) for each in report["modifiers"]] == [(-1, "5.7"), (-1, "5-9"), (1, "5-5")]
    assert report["row"] == "6, climb: 7.."
    assert report["given"] == {"fighter": "1"}
    assert {"field": "fighter.1.hit", "before": "none", "after": "yes"} in report["changes"]
    shown = owls("why", 3).out
    assert "evasive action  5.7" in shown and "with: fighter 1" in shown
    assert "result: 6, climb: 7 or more" in shown
    assert owls("why", "--json").json["verb"] == "set"
    assert "Evasive" in owls("why").out
    assert owls("why", 9).code == 2
    assert owls("status", "--json").json["facts"]["evasive"] == "no"


def test_why_of_nothing(owls: Run) -> None:
    ran = owls("why")
    assert (ran.code, ran.err) == (2, "Nothing has been recorded in this mission. Start with: companion fly\n")


@pytest.mark.slow
def test_why_shows_steps_decisions_and_owner_tables(owls: Run) -> None:
    owls("fly", "--auto", "--seed", "3")
    verbs = {each["verb"]: each["number"] for each in owls("log", "--json").json}
    for number in verbs.values():
        assert owls("why", number).code == 0
        assert owls("why", number, "--json").json["number"] == number


def test_why_of_a_row_that_was_said_without_dice(owls: Run, tmp_path: Path) -> None:
    file = tmp_path / "mission.txt"
    file.write_text("zone: 0\n2-1:  = Tokyo; urban-area; hi; day\nend\n")
    owls("fly", "--dice-from", file)
    shown = owls("why", "2-1")
    assert "HI, day" in shown.out and "changed since" not in shown.out


def test_a_row_without_dice_has_no_net(owls: Run) -> None:
    """At the prompts, Enter means no dice if they are known only from the player's rulebook."""
    owls("set", "navigation.4-4=-1", "zone=3")
    used = campaigns.current()
    assert used is not None
    _, mission = used.flown(used.missions()[-1])
    assert mission.roll("4-8", Hand([[]]), outcome="off")[0].net is None
    owls("roll", "4-8", "--outcome", "off")
    shown = owls("why").out
    assert "from 4-4, pilotage" in shown and "net" not in shown and "changed since" not in shown
    assert "4-8 On course? Off course" in owls("log").out


def test_a_table_that_has_changed_since_is_named(owls: Run, data_folder: Path) -> None:
    owls("roll", "5-1", "--dice", "3,4")
    before = owls("why", "--json").json["net"]
    assert "changed since" not in owls("why").out
    own = data_folder / "packs" / "b29" / "5-1.toml"
    own.parent.mkdir(parents=True)
    own.write_text('[[patch]]\nreason = "club"\nmodifier = [{id = "club", add = 1, why = "the club"}]\n')
    assert f"The table has changed since then; the net roll was {before}." in owls("why").out


def test_why_tells_what_somebody_did_last_and_not_the_step_after_it(twelfth: Run, tmp_path: Path) -> None:
    file = tmp_path / "mission.txt"
    file.write_text("2.2B: 6,6\n2-2A: 3,4 = dock area\nend\n")
    twelfth("fly", "--dice-from", file)
    entries = twelfth("log", "--json").json
    last = max(each["number"] for each in entries if each["dice"])
    assert entries[0]["verb"] == "step"
    assert twelfth("why", "--json").json["number"] == last
    assert twelfth("why", "2.2b", "--json").json["dice"] == [6, 6]
    twelfth("roll", "4-2", "--dice", "1,1")
    twelfth("roll", "4-2", "--dice", "6,6")
    assert twelfth("why", "4-2", "--json").json["dice"] == [6, 6]
    for typed, message in (("M-2", "b29 has no table M-2"), ("5-9", "5-9 hasn't been rolled in this mission")):
        ran = twelfth("why", typed)
        assert (ran.code, ran.err.count("\n")) == (2, 1)
        assert message in ran.err


def test_a_row_is_shown_in_words(twelfth: Run) -> None:
    for dice, words in (("1,1", " or less"), ("6,6", " or more")):
        twelfth("roll", "4-2", "--dice", dice)
        text = twelfth("why").out
        assert words in text and ".." not in text
    assert ".." in twelfth("why", "--json").json["row"]  # as the pack writes it


def test_what_can_be_undone_is_named(twelfth: Run) -> None:
    twelfth("set", "zone=3")
    assert twelfth("undo", 100).err == "Only 1 step can be undone.\n"
    twelfth("set", "zone=4")
    assert twelfth("undo", 100).err == "Only 2 steps can be undone.\n"


# -- what decided it, in sentences -------------------------------------------------------------------------------------


def said_of(owls: Run, *number: object) -> str:
    """Return the output of `why` on one line."""
    return " ".join(owls("why", *number).out.split())


@pytest.mark.section("b29 5-9", "b29 5.7 B")
def test_a_miss_says_what_was_needed_and_what_spoiled_it(owls: Run) -> None:
    owls("set", "formation=out", "evasive=yes")
    owls("roll", "5-9", "--fighter", "zeke 6 level", "--dice", "3,4")
    told = said_of(owls)
    assert "Rolled: 3 + 4 = 7; with -1 (evasive action): 6." in told
    assert "attacks from 6." in told  # the column is that of 6
    assert "needs a roll of 8 or more; this one was 1 too low." in told  # 7 with the modifier
    assert "Without -1 (evasive action) the result would have been hit." in told


@pytest.mark.section("b29 5-9")
def test_a_hit_says_what_made_it_one(owls: Run) -> None:
    owls("roll", "5-9", "--fighter", "zeke 6 level ace", "--dice", "3,3")
    told = said_of(owls)
    assert "Rolled: 3 + 3 = 6; with +1 (ace fighter pilot): 7." in told
    assert "Without +1 (ace fighter pilot) the result would have been miss." in told
    assert "too low" not in told


@pytest.mark.section("b29 5-9")
def test_an_unmodified_roll_that_decides_is_named(owls: Run) -> None:
    owls("set", "formation=out", "evasive=yes")
    owls("roll", "5-9", "--fighter", "tojo 12 level green", "--dice", "6,6")
    told = said_of(owls)
    assert "An unmodified 12 is always hit, whatever the modifiers." in told
    assert "Without" not in told


@pytest.mark.section("b17 15.1 b")
def test_why_only_a_six_hits(queens: Run) -> None:
    queens("set", "zone=4", "target.zone=6", "evasive=yes")
    queens("roll", "M-1", "--fighter", "me109 6 level", "--with", "gun=tail", "--dice", "5")
    told = said_of(queens)
    assert "Evasive action yes" in told
    assert "needs a roll of 6; this one was 1 too low." in told


def test_where_nothing_is_added_and_nothing_is_needed_little_is_said(owls: Run) -> None:
    owls("set", "altitude=lo")
    owls("roll", "4-2", "--dice", "3,4")
    assert "Rolled: 3 + 4 = 7, no modifiers." in said_of(owls)
