"""The board on phones: the same missions as at the terminal, partial answers kept, no question answered twice."""

import random
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest

from companion.play.conversation import Chance
from companion.play.journal import Entry
from companion.play.mission import rehearsal
from companion.problems import Unconfirmed, UserError
from companion.render.dice_prompt import OwnPrompt
from companion.web.board import Board, OutdatedQuestion, View, load_answers
from companion.web.feed import by_place, cards
from tests.support import MISSIONS, Run, begin, fly_script, slow_but, walk
from tests.web.tapping import board_of, fly, mission_of, send, tapped


class Flight(NamedTuple):
    """The page at each question, the recorded journal, and the terminal's journal for the same answers."""

    views: list[View]
    entries: list[Entry]
    typed: list[Entry]


@pytest.fixture(scope="module")
def flown() -> dict[tuple[str, int], Flight]:
    """Return the flights of this module, each flown only once."""
    return {}


@pytest.fixture
def flight(companion: Run, flown: dict[tuple[str, int], Flight]) -> Callable[[str, int], Flight]:
    """Fly a mission of a game with automatic answers to its end."""

    def tapped_through(game: str, seed: int) -> Flight:
        if (game, seed) not in flown:
            begin(companion, game)
            board = board_of()
            trial = rehearsal(mission_of(board))
            for _ in walk(trial, Chance(random.Random(seed)), asking=True):
                pass
            views = list(pages(board, seed))
            flown[game, seed] = Flight(views, mission_of(board).journal.entries, trial.journal.entries)
        return flown[game, seed]

    return tapped_through


@pytest.mark.parametrize(
    ("game", "seed"), slow_but([("bombs-away", 2), ("b29", 4), ("b17", 4), ("b29-streamliner", 18)])
)
def test_a_mission_by_taps_is_the_mission_of_the_terminal(
    flight: Callable[[str, int], Flight], game: str, seed: int
) -> None:
    views, entries, typed = flight(game, seed)
    assert views[-1].over
    either = {"j": 0, "r": 0}  # sent at once, and who rolled
    assert [{**entry, **either} for entry in entries] == [{**entry, **either} for entry in typed]
    assert [entry["v"] for entry in typed].count("roll") > 3 or game == "bombs-away"


def throw(board: Board, *dice: int) -> View:
    """Tap dice for any roll."""
    return board.answer(board.view().id, {"value": ",".join(map(str, dice))})


def words_of(view: View) -> str:
    """Return the page's feed and messages as one text."""
    lines = [line.text for _, lines in by_place(view.events) for line in lines]
    return "\n".join([*lines, *(line.text for line in view.told)])


def asked(view: View) -> str:
    """Return the title of the question."""
    assert view.prompt is not None
    return view.prompt.title


def test_what_the_terminal_does_is_on_the_page_at_once_and_voids_what_was_seen(companion: Run) -> None:
    begin(companion, "b17")
    board = board_of()
    seen = board.view().id
    companion("set", "engine.2=out")
    view = board.view()
    assert view.id != seen and "Engine 2" in words_of(view)
    with pytest.raises(OutdatedQuestion):
        board.answer(seen, {"value": "1"})
    assert companion("log").out.count("Engine 2") == 1


def test_kept_dice_survive_the_server_but_not_a_move_at_the_terminal(companion: Run) -> None:
    begin(companion, "b29")
    board = board_of()
    view, rng = board.view(), random.Random(4)
    while view.prompt is not None and not load_answers(board.campaign.folder, mission_of(board)).answers:
        view = send(board, view, tapped(board, Chance(rng)))
    half = load_answers(board.campaign.folder, mission_of(board))
    assert half.answers, "a row of the player's own book is asked for after its dice"
    again = board_of().view()
    assert (again.id, asked(again)) == (view.id, asked(view))
    companion("set", "evasive=yes")
    assert not load_answers(board.campaign.folder, board.present().mission)
    assert board.view().id != view.id


def test_a_partial_answer_is_undone_before_saved_moves(companion: Run) -> None:
    begin(companion, "b29")
    board = board_of()
    view, rng = board.view(), random.Random(4)
    earlier = view
    while view.prompt is not None and not load_answers(board.campaign.folder, mission_of(board)).answers:
        earlier, view = view, send(board, view, tapped(board, Chance(rng)))
    stood = mission_of(board).journal.position
    back = board.undo(view.id)
    assert mission_of(board).journal.position == stood and asked(back) == asked(earlier)
    assert "Undone" in words_of(back)
    if stood and back.undo:
        further = board.undo(back.id)
        assert mission_of(board).journal.position < stood and further.redo
        assert board.redo(further.id).redo is False
    assert mission_of(board).journal.position == stood


def test_a_plan_is_taken_back_whole(companion: Run) -> None:
    begin(companion, "b17")
    board, rng = board_of(), random.Random(3)
    view = board.view()
    while view.prompt is not None and view.prompt.kind != "plan":
        view = send(board, view, tapped(board, Chance(rng)))
    stood = mission_of(board).journal.position
    made = board.answer(view.id, {"wishes": {}})
    assert mission_of(board).journal.position > stood + 1
    back = board_of().undo(made.id)
    assert (mission_of(board).journal.position, asked(back)) == (stood, asked(view))
    assert words_of(back).count("Undone") == 1 and "choices)" in words_of(back)


def test_what_does_not_fit_is_refused_in_a_sentence_and_nothing_is_recorded(companion: Run) -> None:
    begin(companion, "b17")
    board = board_of()
    view, before = board.view(), mission_of(board).journal.entries[:]
    for value in ("7", "", "x"):
        with pytest.raises(UserError) as problem:
            board.answer(view.id, {"value": value})
        assert str(problem.value) and board.view().id == view.id
    assert board_of().present().mission.journal.entries == before


def test_an_unknown_name_is_queried_and_kept_when_insisted_on(companion: Run) -> None:
    begin(companion, "b29")
    board = board_of()
    view = throw(board, 3, 4)
    while view.prompt is not None and not view.prompt.suggestions:
        view = send(board, view, tapped(board, Chance(random.Random(4))))
    with pytest.raises(Unconfirmed) as doubt:
        board.answer(view.id, {"value": "Nagoyo"})
    assert any("nagoya" in near.casefold() for near in doubt.value.near)
    board.answer(view.id, {"value": doubt.value.kept})
    assert "nagoyo" in [str(value).casefold() for value in mission_of(board).state.values()]


def test_an_edit_a_move_and_a_roll_that_are_not_pending(companion: Run) -> None:
    begin(companion, "b17")
    board = board_of()
    question = asked(board.view())
    assert board.view().tips == ["go home", "ask again"]
    board.write(board.view().id, "go home")
    assert mission_of(board).state["aborted"] == "yes"
    view = board.write(board.view().id, "engine 2 out")
    assert mission_of(board).state["engine.2"] == "out" and asked(view) == question
    with pytest.raises(UserError):
        board.write(view.id, "engine 9 out")
    view = board.write(view.id, "roll BL-4")
    assert asked(view) == "Position?"
    view = board.answer(view.id, {"value": "tail-gunner"})
    assert asked(view).startswith("BL-4")
    view = board.undo(board.undo(view.id).id)
    assert asked(view) == question and "Not rolled" in words_of(view)
    with pytest.raises(UserError):
        board.write(view.id, "roll X-99")


def test_an_order_is_struck_when_it_is_done(companion: Run) -> None:
    begin(companion, "b29")
    board = board_of()
    board.view()
    companion("set", "engine.2=out")
    view = board.view()
    while view.prompt is not None and not view.orders and mission_of(board).journal.position < 250:
        view = send(board, view, tapped(board, Chance(random.Random(mission_of(board).journal.position))))
    assert view.orders
    after = board.done(view.id, 1)
    assert len(after.orders) == len(view.orders) - 1
    with pytest.raises(UserError):
        board.done(after.id, 99)


def test_when_it_is_over_the_page_says_how_and_the_next_mission_follows(companion: Run) -> None:
    begin(companion, "b17")
    board = board_of()
    view = fly(board, Chance(random.Random(2)))
    assert view.over and view.debrief[-1].startswith("Missions counted: ")
    with pytest.raises(OutdatedQuestion):
        board.answer(view.id, {"value": "1"})
    companion("mission", "start", "--yes")
    following = board.view()
    assert following.number == 2 and following.prompt is not None


@pytest.mark.section("b17 18.0 c")
def test_a_rabbits_foot_throws_the_last_dice_again(companion: Run) -> None:
    begin(companion, "b17")
    board = board_of()
    assert board.view().again == ""
    companion("set", "rabbits-feet=2")
    question = asked(board.view())
    view = throw(board, 5)
    assert asked(view) != question and view.again == "rabbit's foot"
    view = board.again(view.id)
    assert asked(view) == question and mission_of(board).state["rabbits-feet"] == 1
    assert board_of().present().mission.state["rabbits-feet"] == 1, "on disk"
    with pytest.raises(UserError):
        throw(board, 9)


def test_before_the_first_mission(companion: Run) -> None:
    companion("new", "Owls", "--game", "b17", "--yes")
    board = board_of()
    assert board.view().number is None
    with pytest.raises(UserError):
        board.answer("none", {"value": "1"})


def pages(board: Board, seed: int, most: int = 5_000) -> Iterator[View]:
    """Yield the page at each question, answered automatically."""
    by, view = Chance(random.Random(seed)), board.view()
    for _ in range(most):
        yield view
        if view.prompt is None:
            return
        view = send(board, view, tapped(board, by))


@pytest.mark.parametrize(("game", "seed"), slow_but([("b29", 4), ("b17", 4)], 0))
def test_a_decision_is_shown_with_its_subject(flight: Callable[[str, int], Flight], game: str, seed: int) -> None:
    told = [line for view in flight(game, seed).views for line in words_of(view).splitlines()]
    fired = [line for line in told if ": fire at " in line]
    assert fired
    assert all(re.match(r"[A-Z][\w ]+: fire at ", line) for line in fired)
    assert [line for line in told if "→" in line] == []
    assert [line for line in told if re.search(r"\b([A-Z][\w ]+): [\d+= -]+, \1: ", line)] == []  # nobody twice


@pytest.mark.parametrize("seed", slow_but([4], 0))
def test_a_plan_names_guns_and_men_like_the_sheet_in_a_grid(flight: Callable[[str, int], Flight], seed: int) -> None:
    prompts = [view.prompt for view in flight("b29", seed).views if view.prompt is not None]
    plans = [prompt for prompt in prompts if prompt.kind == "plan"]
    buttons = {button.number for prompt in plans for part in prompt.parts for button in part.options}
    idle = " ".join(line for prompt in plans for line in prompt.idle)
    assert "1 CFC" in buttons and not any("cfc" in each for each in buttons)
    assert "lower" in idle and "fwd" not in idle
    modifiers = [prompt for prompt in prompts if prompt.title.startswith("2-9 modifier")]
    assert modifiers and all(prompt.small for prompt in modifiers)


def test_a_rulebook_row_is_marked_as_such(companion: Run) -> None:
    begin(companion, "b29")
    board = board_of()
    companion("set", "zone=5", "altitude=hi")
    view = board.write(board.view().id, "roll 7-13")
    while view.prompt is not None and view.prompt.kind == "options":
        view = board.answer(view.id, {"value": "copilot"})
    view = throw(board, 3, 4)
    assert view.prompt is not None
    assert asked(view) == "7-13 Wounds – Copilot: What does your rulebook say for a 7?"
    assert [each.label for each in view.prompt.options] == ["light", "serious", "KIA"]


def test_the_page_reads_the_words_of_the_terminal(companion: Run) -> None:
    begin(companion, "b17")
    first = ["fighter.1.type=me109", "fighter.1.clock=1:30", "fighter.1.angle=high"]
    second = ["fighter.2.type=me109", "fighter.2.clock=9", "fighter.2.angle=level"]
    companion("set", "zone=5", "target.zone=6", "leg=outbound", "wave=1", *first, *second, "step=dodge")
    board = board_of()
    view = board.view()
    while view.prompt is not None and view.prompt.kind != "plan":
        view = send(board, view, tapped(board, Chance(random.Random(1))))
    with pytest.raises(UserError, match="'ball 7' isn't possible"):
        board.answer(view.id, {"value": "ball 7"})
    board.answer(view.id, {"value": "top 2, ball -"})
    state = mission_of(board).state
    assert (state["aim.top"], state.get("aim.ball", "")) == ("2", "")


# -- what happened, and whom it hurt -----------------------------------------------------------------------------------

WAVE = ["zone=5", "leg=outbound", "wave=1", "fighter.1.type=me109", "fighter.1.clock=12", "fighter.1.angle=level"]
HURT = [  # the table, its dice, and whom the result hurts, how badly
    ("M-1", "--dice 6 --with gun=nose --with fighter=1", ("them", 1)),
    ("M-1", "--dice 2 --with gun=nose --with fighter=1", ("", 0)),
    ("M-3", "--dice 6 --with fighter=1", ("us", 2)),
    ("BL-4", "--dice 6 --with position=navigator", ("us", 3)),
    ("BL-4", "--dice 1 --with position=navigator", ("us", 2)),
    ("O-6", "--dice 1", ("", 0)),
]


@pytest.mark.parametrize("table, typed, expected", HURT)
def test_a_result_says_whom_it_hurts(companion: Run, table: str, typed: str, expected: tuple[str, int]) -> None:
    begin(companion, "b17")
    companion("set", *WAVE)
    assert companion("roll", table, *typed.split()).code == 0
    view = board_of().view()
    card = cards(view.events, view.since)[0]
    assert (card.kind, card.severity) == expected


def test_an_undo_is_named_and_the_mission_told_by_zone(companion: Run) -> None:
    begin(companion, "b17")
    board = board_of()
    assert board.view().undo == ""
    companion("set", *WAVE)
    companion("roll", "M-3", "--dice", "6", "--with", "fighter=1")
    view = board.view()
    assert view.undo == "German offensive fire"
    place, lines = by_place(view.events)[-1]
    assert place == "Zone 5, outbound" and lines[-1].text.startswith("Fighter 1: The B-17 is hit")
    assert (lines[-1].table, lines[-1].number) == ("M-3", len(mission_of(board).journal.recorded))
    assert board.undo(view.id).undo == "the last step"


def test_the_navigation_of_a_zone_is_one_card(companion: Run) -> None:
    """4-4 to 4-7 in one answer: dice for the first, a figure for the second, rows alone for the others."""
    begin(companion, "b29", "mission.number=3")
    lines = (MISSIONS / "01-day-uneventful.txt").read_text(encoding="utf-8").splitlines()
    at = [number for number, each in enumerate(lines) if each.startswith("4-4")][1]
    assert fly_script(companion, "\n".join(lines[:at])).code == 0
    board = board_of()
    view = board.view()
    assert isinstance(view.prompt, OwnPrompt)
    assert [each.table.id for each in view.prompt.rolls] == ["4-4", "4-5", "4-6", "4-7"]
    before = len(mission_of(board).journal.recorded)
    board.answer(view.id, {"value": "34 none\n-1\nnone\nnone"})
    rolled = [each for each in mission_of(board).journal.recorded[before:] if each["v"] == "roll"]
    assert [(each["t"], each.get("d", [])) for each in rolled][:2] == [("4-4", [3, 4]), ("4-5", [])]
    assert [str(each["o"]) for each in rolled[1:]] == ["-1", "none", "none"]
