"""`companion why`, `log`, `undo` and `redo`, even after a restart; `rulings`: how ambiguous rules are read."""

import pytest

from companion.engine.dice import Hand
from companion.store import campaigns
from tests.support import Lay, Run, begin, fly_script


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


def test_a_row_without_dice_has_no_net(owls: Run) -> None:
    """At the prompts, Enter means no dice if they are known only from the player's rulebook."""
    owls("set", "navigation.4-4=-1", "zone=3")
    used = campaigns.campaign_in_use()
    assert used is not None
    mission = used.flown(used.missions()[-1])
    assert mission.roll("4-8", Hand([[]]), outcome="off")[0].net is None
    owls("roll", "4-8", "--outcome", "off")
    shown = owls("why").out
    assert "from 4-4, pilotage" in shown and "net" not in shown and "changed since" not in shown
    assert "4-8 On course? Off course" in owls("log").out


def test_a_table_that_has_changed_since_is_named(owls: Run, lay: Lay) -> None:
    owls("roll", "5-1", "--dice", "3,4")
    before = owls("why", "--json").json["net"]
    assert "changed since" not in owls("why").out
    lay("5-1.toml", '[[patch]]\nreason = "club"\nmodifier = [{id = "club", add = 1, why = "the club"}]\n')
    assert f"The table has changed since then; the net roll was {before}." in owls("why").out


def test_why_tells_what_somebody_did_last_and_not_the_step_after_it(twelfth: Run) -> None:
    fly_script(twelfth, "2.2B: 6,6\n2-2A: 3,4 = dock area\nend\n")
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
    assert "An unmodified 12 always means “hit”, whatever the modifiers." in told
    assert "Without" not in told


@pytest.mark.section("b17 15.1 b")
def test_why_only_a_six_hits(queens: Run) -> None:
    queens("set", "zone=4", "target.zone=6", "evasive=yes")
    queens("roll", "M-1", "--fighter", "me109 6 level", "--with", "gun=tail", "--dice", "5")
    told = said_of(queens)
    assert "Evasive action yes" in told
    assert "needs a roll of 6; this one was 1 too low." in told


@pytest.mark.slow
def test_undo_and_redo_reach_the_start_and_back_across_restarts(owls: Run) -> None:
    states = [owls("status", "--json").json]
    for command in (
        ["set", "zone=12", "engine.2=out"], ["roll", "7-1", "--dice", "4,1"], ["roll", "--dice", "2"],
        ["mark", "fuel.wing", "9"], ["roll", "7-2", "--dice", "1,1"], ["erase", "fuel.wing", "2"],
    ):  # fmt: skip
        assert owls(*command).code == 0
        states.append(owls("status", "--json").json)
    for expected in reversed(states[:-1]):
        assert owls("undo").code == 0
        assert owls("status", "--json").json == expected
    assert owls("undo").code == 2
    for expected in states[1:]:
        assert owls("redo").code == 0
        assert owls("status", "--json").json == expected
    assert owls("redo").code == 2
    owls("undo", "3")
    assert owls("status", "--json").json == states[3]
    owls("mark", "fuel.wing")
    assert owls("redo").code == 2


def test_the_journal_speaks_in_the_words_of_the_sheet_and_programs_get_the_names(owls: Run) -> None:
    owls("set", "crew.tail-gunner=light", "step=take-off")
    owls("roll", "4-2", "--dice", "4,5")
    text = owls("log").out
    assert "   1  set by you  Tail gunner: light; Step of the turn: take-off\n" in text
    assert "4-2 Weather in the zone: 4+5, poor weather  Weather: poor" in text
    assert "crew." not in text
    assert "Tail gunner" in owls("why", 1).out
    for command in (["log", "--json"], ["why", 1, "--json"]):
        ran = owls(*command).json
        changes = ran[0]["changes"] if isinstance(ran, list) else ran["changes"]
        assert (changes[0]["field"], changes[0]["after"]) == ("crew.tail-gunner", "light")


def test_the_journal_names_the_order_that_was_carried_out(owls: Run) -> None:
    owls("set", "zone=7", "engine.1=out", "engine.4=out")
    orders = [each["order"] for each in owls("next", "--json").json["pending"] if "order" in each]
    owls("done")
    assert f"done: {orders[0]}" in owls("log").out
    assert owls("undo").out == f"Undone: done: {orders[0]}\n"


def test_roll_log_and_why_tell_the_same_change_in_the_same_way(owls: Run) -> None:
    owls("set", "fighter.1.type=tojo", "fighter.1.clock=6", "fighter.1.pilot=ace")
    rolled = owls("roll", "5-9", "--with", "fighter=1", "--dice", "5,5", "--json").json
    logged, why = owls("log", "--json").json[-1], owls("why", "--json").json
    hit = {"field": "fighter.1.hit", "before": "none", "after": "yes"}
    assert hit in rolled["changes"] and hit in logged["changes"] and hit in why["changes"]
    assert rolled["modifiers"] == why["modifiers"]
    assert [{key: each[key] for key in ("add", "why", "cite")} for each in logged["modifiers"]] == rolled["modifiers"]
    assert all(each["id"] for each in logged["modifiers"])
    owls("mission", "start", "--yes")
    assert fly_script(owls, "2-1: 3,4 = tokyo;aircraft-factory;hi;day\n2-9.zone: 12\ntarget.asterisk: no\n").code == 0
    asked = next(each for each in owls("log", "--json").json if each["verb"] == "ask")
    assert (asked["table"], asked["outcome"]) == ("target.asterisk", "no")


def test_a_setting_is_meant_by_its_label(queens: Run) -> None:
    assert queens("set", "spray fire=on").out == "Spray fire: on.\nContinue with: companion fly\n"
    assert "Spray fire            on" in queens("campaign").out
    assert "spray-fire" not in queens("campaign").out


RULING = """
[[ruling]]
id = "C1"
section = "4.2"
title = "When is the club late?"
reading = "After nine."
otherwise = "At nine."
"""
PATCH = '[[patch]]\nreason = "our club"\n' + RULING.replace("[[ruling]]", "[[patch.ruling]]")


def test_a_ruling_has_its_game_its_section_our_reading_and_what_else(companion: Run) -> None:
    ran = companion("rulings", "--game", "b29", "--json")
    assert (ran.code, ran.err) == (0, "")
    wounds = next(each for each in ran.json if each["setting"] == "setting.wounds")
    assert (wounds["game"], wounds["id"], wounds["section"]) == ("b29", "B58", "7.6")
    assert all(wounds[key] for key in ("title", "reading", "otherwise"))
    shown = companion("rulings", "--game", "b29").out
    assert "B58  What may wounded or moved crew do?  (7.6)" in shown
    choice = "When a wounded man is hit again=worse | as in the B-17 | as your rulebook says"
    assert f'your choice: companion set "{choice}"' in " ".join(shown.split())
    assert "    Other reading: A wounded man can move by himself." in shown


def test_without_a_game_every_game_is_listed_once(companion: Run) -> None:
    listed = companion("rulings", "--json").json
    assert {each["game"] for each in listed} >= {"b17", "b29", "b29-streamliner"}
    assert len({each["id"] for each in listed}) == len(listed)


def test_the_campaign_says_which_game(companion: Run) -> None:
    begin(companion, "b17")
    assert {each["game"] for each in companion("rulings", "--json").json} == {"b17"}
    assert {each["game"] for each in companion("rulings", "--game", "b29", "--json").json} == {"b29"}


def test_a_variant_has_those_of_the_game_that_it_extends(companion: Run) -> None:
    ids = [each["id"] for each in companion("rulings", "--game", "b29-streamliner", "--json").json]
    assert [each["id"] for each in companion("rulings", "--game", "b29", "--json").json] == ids[:-7]
    assert ids[-7:] == ["S1", "S2", "S3", "S4", "S5", "S6", "S7"]


@pytest.mark.slow
def test_a_player_adds_his_own(companion: Run, lay: Lay) -> None:
    lay("rulings.toml", PATCH)
    assert companion("tables", "check", "b29").code == 0
    *_, last, ruling = companion("rulings", "--game", "b29", "--json").json
    assert ruling == {
        "game": "b29", "id": "C1", "section": "4.2", "title": "When is the club late?", "reading": "After nine.",
        "otherwise": "At nine.", "setting": "",
    }  # fmt: skip
    assert last["id"] == "B101"  # the patch is not listed a second time
    assert "C1  When is the club late?  (4.2)" in companion("rulings", "--game", "b29").out
