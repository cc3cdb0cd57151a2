"""`companion new` and `mission start`: questions for names, and mistyped answers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from companion.cli import asking, campaigns
from companion.packs import Pack, games
from companion.store import crew
from companion.store.campaigns import find
from companion.words import one_of
from tests.support import END, Run, Terminal, begin


def test_a_single_letter_is_refused_as_a_name(companion: Run) -> None:
    terminal = Terminal("new", "Owls", "--game", "b29").expect(r"Aircraft \[.*\]: ")
    for slip in "u?qsn":
        terminal.say(
            slip,
            "A name needs at least two letters. Enter keeps Lucky Thirteen. To change",
            r"companion bomber NAME\s+Aircraft \[.*\]: ",
        )
    terminal.say("Al", r"Pilot \[.*\]: ")
    terminal.say("u", r"Enter keeps Harlan Beck.\s.*\scompanion\s+crew\s+--set\s+Pilot=NAME")
    for _ in range(11):
        terminal.expect(r"\[.*\]: ")
        terminal.say("")
    terminal.expect("Start with", END)
    crew = companion("crew", "--json").json["crew"]
    assert all(len(man["name"]) > 1 for man in crew) and crew[0]["name"] == "Harlan Beck"


def test_the_games_that_are_there_are_named(companion: Run) -> None:
    there = one_of(games())
    assert "b17" in there and "bombs-away" in there
    for command in (["new", "Owls"], ["undo"], ["roll"], ["crew"], ["sheet", "mission"], ["use", "Nobody"]):
        ran = companion(*command)
        assert (ran.code, ran.err.count("\n")) == (2, 1)
        assert there in ran.err
    assert there in companion("campaigns").out


def test_the_start_of_a_mission_names_what_is_wrong_by_its_label_and_says_how_to_go_on(companion: Run) -> None:
    companion("new", "Owls", "--game", "b29", "--yes")
    terminal = Terminal("mission", "start").expect("Steps marked .* all", "Enter accepts these")
    terminal.say("steps banana", "banana")
    terminal.say("", "Continue with: companion fly", END)


def test_a_mission_starts_without_questions_that_rolls_answer(companion: Run) -> None:
    """The target comes from companion fly; house rules are asked on one line, once per campaign."""
    companion("new", "Owls", "--game", "b17", "--yes")
    campaign = find("Owls")
    options = crew.to_ask(Pack("b17"), campaign, {})
    assert options == ["random-events", "spray-fire", "pilot-status", "two-player"]
    terminal = Terminal("mission", "start").expect("Enter accepts these")
    terminal.say("spray fire on, two players on", "Continue with: companion fly", END)
    facts = companion("status", "--json").json["facts"]
    assert (facts["spray-fire"], facts["two-player"], facts["random-events"]) == ("on", "on", "off")
    assert crew.to_ask(Pack("b17"), campaign, {}) == []


@pytest.fixture
def at_home(companion: Run, tmp_path: Path) -> Callable[[str], Run]:
    """Fly a mission with its typed dice as far as they go."""

    def flown(dice: str) -> Run:
        begin(companion, "b29", "mission.number=12")
        if dice:
            (tmp_path / "dice.txt").write_text(dice)
            assert companion("fly", "--dice-from", tmp_path / "dice.txt").code == 0
        return companion

    return flown


def test_a_mission_that_is_still_flown_is_not_left_without_a_word(at_home: Callable[[str], Run]) -> None:
    begun = at_home("2.2B: 6,6\n")("mission", "start", "--yes")
    assert begun.out.splitlines()[0] == "Mission 12 is not over: Base. It is kept as it is."
    assert "the sheet is ready" in begun.out


def test_a_flight_with_wounded_aboard_is_named_before_they_are(at_home: Callable[[str], Run]) -> None:
    companion = at_home("2.2B: 6,6\n")
    assert companion("set", "crew.navigator=serious").code == 0
    refused = companion("mission", "start", "--yes")
    assert refused.code == 2
    assert "Mission 12 is not over: Base. Continue it with: companion fly. To abandon it anyway:" in refused.err
    assert "(Navigator) came back" in refused.err


@pytest.mark.parametrize(("typed", "missions"), [("", 1), ("n", 1), ("q", 1), ("y", 2), ("Yes", 2)])
def test_at_a_terminal_the_next_mission_is_asked_about(
    at_home: Callable[[str], Run], monkeypatch: pytest.MonkeyPatch, typed: str, missions: int
) -> None:
    companion = at_home("2.2B: 6,6\n")
    asked: list[str] = []

    def answered(question: str) -> str:
        asked.append(question)
        return typed if len(asked) == 1 else ""

    monkeypatch.setattr(campaigns, "asks", lambda: True)
    monkeypatch.setattr(asking, "ask", answered)
    out = companion("mission", "start").out
    assert asked[0] == "Mission 12 is not over: Base. Start the next one anyway? [y/N] "
    assert len(find("Owls").missions()) == missions
    assert ("Nothing was started. Continue with: companion fly" in out) == (missions == 1)
    assert "it stays as it is" not in out
