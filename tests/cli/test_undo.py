"""`companion undo`, `redo` and `log`: back to the start and forward again, even after a restart."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import Run


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


def test_roll_log_and_why_tell_the_same_change_in_the_same_way(owls: Run, tmp_path: Path) -> None:
    owls("set", "fighter.1.type=tojo", "fighter.1.clock=6", "fighter.1.pilot=ace")
    rolled = owls("roll", "5-9", "--with", "fighter=1", "--dice", "5,5", "--json").json
    logged, why = owls("log", "--json").json[-1], owls("why", "--json").json
    hit = {"field": "fighter.1.hit", "before": "none", "after": "yes"}
    assert hit in rolled["changes"] and hit in logged["changes"] and hit in why["changes"]
    assert rolled["modifiers"] == why["modifiers"]
    assert [{key: each[key] for key in ("add", "why", "cite")} for each in logged["modifiers"]] == rolled["modifiers"]
    assert all(each["id"] for each in logged["modifiers"])
    script = tmp_path / "mission.txt"
    script.write_text("2-1: 3,4 = tokyo;aircraft-factory;hi;day\n2-9.zone: 12\ntarget.asterisk: no\n")
    owls("mission", "start", "--yes")
    assert owls("fly", "--dice-from", script).code == 0
    asked = next(each for each in owls("log", "--json").json if each["verb"] == "ask")
    assert (asked["table"], asked["outcome"]) == ("target.asterisk", "no")


def test_a_setting_is_meant_by_its_label(queens: Run) -> None:
    assert queens("set", "spray fire=on").out == "Spray fire: on.\nContinue with: companion fly\n"
    assert "Spray fire            on" in queens("campaign").out
    assert "spray-fire" not in queens("campaign").out
