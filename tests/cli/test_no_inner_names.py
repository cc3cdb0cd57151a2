"""Player output contains no field keys, slugs, or ids of steps and choices, and fits the screen."""

from functools import cache

import pytest

from companion.engine.questions import RowQuestion
from companion.packs import Pack
from companion.render.dice_prompt import RowPrompt
from tests.inner_names import betrayed, inner, odd
from tests.screens import Typist, flown, reports
from tests.support import Run, slow_but

GAMES = ["b17", "b29", "b29-streamliner", "bombs-away"]
SCREEN = 20  # lines between two questions


@cache
def flight(game: str, seed: int) -> Typist:
    """Fly the mission of this seed at the prompts, after another one so that everything is compiled."""
    if seed:
        flight(game, 0)
    return flown(Pack(game), seed)


@pytest.mark.parametrize("game", slow_but(GAMES, 0))
@pytest.mark.parametrize("seed", [0])
def test_a_flight_at_the_prompts_is_in_words_and_fits_the_screen(game: str, seed: int) -> None:
    by = flight(game, seed)
    assert len(by.screens) > 20
    assert list(betrayed(game, (line for screen in by.screens for line in [*screen.lines, screen.question]))) == []
    assert list(odd(line for screen in by.screens for line in screen.lines)) == []
    assert not [line for screen in by.screens for line in [*screen.lines, screen.question] if "companion " in line]
    longest = max(by.screens, key=lambda screen: len(screen.lines))
    assert len(longest.lines) < SCREEN, "\n".join(longest.lines)
    assert max(len(line) for screen in by.screens for line in screen.lines) <= 80


@pytest.mark.parametrize("game", slow_but(GAMES, 0))
@pytest.mark.parametrize("seed", [1])
def test_all_commands_speak_in_words(game: str, seed: int) -> None:
    """`python -m tests.bench.names` checks the output of hundreds of flights."""
    told = list(reports(game, seed))
    assert len(told) > 30
    for command, lines in told:
        assert list(betrayed(game, lines)) == [], command
        assert [each for each in odd(lines) if not (command.startswith("why") and "arrow" in each)] == [], command


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_table_is_shown_in_words_and_fits_the_terminal(companion: Run, game: str) -> None:
    found: dict[str, list[str]] = {}
    for table in Pack(game).all_tables():
        shown = companion("show", table.id, "--game", game)
        assert shown.code == 0, shown.err
        assert max(map(len, shown.out.splitlines())) <= 80
        if names := list(betrayed(game, shown.out.splitlines())):
            found[table.id] = names
    assert found == {}


def test_an_inner_name_is_found_where_there_is_one() -> None:
    assert {"seat.pilot", "bombardier-and-navigator", "change-places", "port-waist"} <= inner("b17")
    assert "take-off" not in inner("b29")
    assert (
        list(betrayed("b17", ["Port waist gun ok", "A take-off, 9 to 11, at 1:30", "1@2  raise Flak 1 (1@2 …)"])) == []
    )
    for line in ("me109@12-high", "goes {where}", "change-places: stay", "  5-7 [gun tail]: 3"):
        assert list(betrayed("b17", [line])), line
    for line in ("Zone 3 → 4", "Bombs: None", "Target ()", "Time of day day", "none: no fighters", "  6.1 b"):
        assert list(odd([line])), line
    assert list(odd([f"{'without a w':>80}", "ord", "a word"])) == [f"a broken word: {'without a w':>80}/ord"]


@pytest.mark.parametrize("game", GAMES)
def test_results_offered_for_a_table_of_the_player_hold_no_template(game: str) -> None:
    for table in Pack(game).all_tables():
        if table.outcomes:
            offered = RowPrompt(RowQuestion(table, None, [], {})).options
            assert [each.text for each in offered if "{" in each.text] == [], table.id
