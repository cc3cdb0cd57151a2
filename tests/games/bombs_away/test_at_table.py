"""Bombs Away! at the table: the players' own names, several cards on one line, and the limits of Enter."""

from pathlib import Path

import pytest

from companion.cli.campaigns import _briefing
from companion.engine.fields import Value
from companion.engine.questions import Pending
from companion.packs import Pack
from companion.play.mission import Mission, rehearsal
from tests.games.bombs_away.table import BOX, COSTS, laid_out
from tests.support import Prompts, Run, begin, fact, prompted
from tests.web.tapping import board_of, mission_of


def with_names(game: Mission) -> None:
    """Return two cards and a square with names from the players, and invented figures."""
    game.write({"name.allied-6": "P47D", "name.axis-5": "Ju 88C", "square.target-5": "Hamburg"})
    game.write({"pile.allied-6": "available", "pile.axis-5": "available", "symbols.target-5": 2})
    for plane in ("allied-6", "axis-5", "b24d"):
        game.write({f"known.{plane}": "yes", f"dogfight.{plane}": 3, f"payload.{plane}": 4})


# -- names of the players ----------------------------------------------------------------------------------------------


def test_a_plane_renamed_in_a_rehearsal_keeps_its_name_at_the_table() -> None:
    pack = Pack("bombs-away")
    game = Mission(pack, number=1)
    game.write({"name.allied-6": "P47D"})
    rehearsal(game).write({"name.allied-6": "P47N"})
    assert pack.sheet.label("plane", "allied-6") == "P47D"


def test_what_the_players_have_named_is_written_under_that_name(companion: Run) -> None:
    begin(companion, "bombs-away")
    assert companion("set", "square.target-5=Hamburg", "name.allied-6=P47D", "pile.allied-6=available").code == 0
    shown = companion("set", "at.b24d=hamburg", "at.P47D=HAMBURG", "dogfight.p47d=4")
    assert shown.code == 0
    assert shown.out.splitlines() == ["B24D, target: Hamburg, pile: available. P47D, target: Hamburg, Dogfight: 4."]
    assert companion("status", "--json").json["facts"]["at.b24d"] == "target-5"
    assert "P47D, target: ?, Dogfight: 4" in companion("log").out  # a face-down card is told nobody
    assert not [line for line in companion("fields", "target").out.splitlines() if "P47D" in line and "Hamburg" in line]
    assert companion("set", "pile.b24d=unresearched").out.splitlines()[0] == "B24D, pile: unresearched, target: none."
    told = companion("status", "--hide", "allied").out
    assert "Hamburg" in told and "B24D" not in told and "0 0 0" not in told
    assert "Allied aircraft 6" not in companion("sheet", "mission").out.replace("Allied aircraft 6, name", "")


def test_a_name_counts_in_the_command_that_gives_it(companion: Run, pack: Pack) -> None:
    begin(companion, "bombs-away")
    facts = ("square.target-5=Hamburg", "name.allied-6=P47D", "at.p47d=hamburg", "dogfight.P47D=4")
    assert companion("set", *facts).code == 0
    sheet = companion("status", "--json").json["facts"]
    assert (sheet["at.allied-6"], sheet["dogfight.allied-6"]) == ("target-5", 4)
    refused = companion("set", "at.p51d=hamburg", "name.allied-7=P51D")  # spoken of before it has its name
    assert (refused.code, companion("set", "at.allied-7=p51d").code) == (2, 2)
    assert "Give names of your own first: companion fields name" in companion("set", "B26 available").err
    assert companion("set", "allied aircraft 8 name B26, target 6 city York, B26 at York").code == 0
    player = prompted(laid_out(pack), "= name.allied-6=P47D, dogfight.p47d=3")
    assert player.mission.state["dogfight.allied-6"] == 3


def test_a_roll_is_for_an_aircraft_under_its_name(companion: Run, tmp_path: Path) -> None:
    begin(companion, "bombs-away", "name.allied-6=P47D", "square.target-5=Hamburg")
    (tmp_path / "here.txt").write_text("set at.p47d=hamburg here=hamburg symbols.hamburg=2 flak.here=1\nend\n")
    companion("fly", "--dice-from", tmp_path / "here.txt")
    shown = companion("roll", "flak-fire", "--with", "plane=P47D").out
    assert "Flak fire – P47D" in shown
    assert "Flak at P47D, hits on 3 or less" in " ".join(shown.split())  # IV C: card 1, two symbols
    assert companion("roll", "draw", "--outcome", "2").code == 0 and "P47D is destroyed" in companion("why").out


# -- at the prompts ----------------------------------------------------------------------------------------------------


def deployed(pack: Pack) -> Prompts:
    """Return a game whose cards are about to be placed."""
    game = laid_out(pack)
    with_names(game)
    return Prompts(game)


def building(pack: Pack, **facts: Value) -> Prompts:
    """Return a game in which a side, the Axis by default, is about to build."""
    game = Mission(pack)
    game.write({**BOX, **COSTS, "turn": 2, "builder": "axis", "step": "build-axis", **facts})
    game.pending = [Pending.of({"choose": "build", "bind": {}, "born": 1})]
    return Prompts(game)


@pytest.mark.section("bombs-away II B")
def test_several_cards_are_picked_in_one_line(pack: Pack) -> None:
    player = deployed(pack)
    assert "Which squares (at most 5) have Allied cards?" in player.type()
    assert "'6' doesn't fit at the end of that line. Nothing was saved." in player.type("1 2 3 4 5 6")
    assert fact(player.mission, "targets.placed") == 0
    player.type("2 5", "5")
    assert (player.mission.state["placed.berlin"], player.mission.state["here"]) == ("yes", "target-5")
    player.type("2, 6")
    assert [name for name, value in player.mission.state.items() if name.startswith("at.") and value == "target-5"] == [
        "at.b24d",
        "at.allied-6",
    ]
    assert "Flak at B24D" in player.question  # the line was complete, and there are no dogfights
    assert "'7' doesn't fit at the end" in player.type("9 8 7")  # one draw too many
    player.mission.write({"hand.allied": 1})
    assert "type the number as it is. Nothing was saved." in player.type("9-1a 8-1a")  # a card that nobody holds
    assert player.type("9-1a 8").count("missed by flak") == 2
    assert "'-1' doesn't fit" in player.type("2 -1", "2")  # an event card alone is no draw
    assert "another hit changes nothing" in player.type("2")


def test_a_card_named_twice_in_a_line_is_refused(pack: Pack) -> None:
    player = deployed(pack)
    player.type("5", "5")
    assert "2 is in the line twice." in (shown := player.type("2 2 6", "u")) and "Another u undoes the line" in shown
    assert "8 isn't possible here" in player.type("2 8")
    assert fact(player.mission, "allied.here") == 0
    player.type("2 6")
    assert fact(player.mission, "allied.here") == 2


def test_enter_opens_no_square_and_turns_up_no_card(pack: Pack) -> None:
    player = deployed(pack)
    player.type()
    for lines in (["2 5"], ["5"], ["2"]):
        stand = player.mission.journal.position
        player.type("")
        assert player.mission.journal.position == stand
        player.type(*lines)
    assert (fact(player.mission, "axis.here"), player.mission.state["step"]) == (0, "flak")


@pytest.mark.section("bombs-away VI A 2")
def test_enter_builds_nothing(pack: Pack) -> None:
    player = building(pack, **{"pile.me110g": "researched", "bp.axis": 4, "hand.axis": 1, "hand.allied": 1})
    player.type("")
    state = player.mission.state
    assert (state["pile.me110g"], state["bp.axis"], state["hand.axis"], state["hand.allied"]) == ("researched", 4, 1, 1)


@pytest.mark.section("bombs-away VI D", "bombs-away VI A 2")
@pytest.mark.parametrize(("typed", "left"), [("32 14 22 22 0", ""), ("32 14 22 22 5", "'5' doesn't fit")])
def test_what_one_side_types_never_counts_for_the_other(pack: Pack, typed: str, left: str) -> None:
    player = building(pack, **{"bp.axis": 1, "cost.new.1": 1, "flak.researched.1": 4, "deck": 46, "hand.allied": 2})
    player.mission.write({f"pile.{plane}": "researched" for plane in ("me110g", "me109e", "spitfire-ix", "b17f")})
    shown = player.type(typed)
    assert ("The Allies: which aircraft" in shown) is not (left in shown and left != "")
    piles = (player.mission.state["pile.me110g"], player.mission.state["pile.b17f"])
    assert piles == ("researched" if left else "available", "researched")


@pytest.mark.section("bombs-away V D")
@pytest.mark.parametrize(
    ("figure", "said"),
    [
        *[(figure, 0) for figure in ("cost.new.1", "cost.card.axis", "cost.aircraft.allied", "dogfight.allied-6",
                                     "payload.b24d", "points.target-5")],
        ("symbols.berlin", 1),
        ("who.1", "axis"),
    ],
)  # fmt: skip
def test_a_figure_of_the_cards_has_no_default(pack: Pack, figure: str, said: int | str) -> None:
    game = Mission(pack)
    game.pending = [Pending.of({"ask": figure, "bind": {}, "born": 1})]
    player = prompted(game)
    assert "[0]" not in player.question
    assert said != 0 or "must be 0 or more" in player.type("")
    player.type("")
    assert game.pending
    player.type(str(said))
    assert game.state[figure] == said


def test_enter_takes_no_flak_card_though_the_last_square_had_one(pack: Pack) -> None:
    player = deployed(pack)
    player.type("2 5", "5", "6 22", "9", "0")  # a flak draw, nobody bombs
    assert player.mission.state["here"] == "berlin"  # the one that is left opens by itself
    assert fact(player.mission, "flak.here") == 0
    assert "no default" in player.question


@pytest.mark.section("bombs-away IV C", "bombs-away VII B")
def test_a_draw_says_what_hits_after_all_that_counts(pack: Pack) -> None:
    player = deployed(pack)
    player.mission.write({"option.night": "yes", "night.allied-6": "yes", "night.b24d": "no"})
    player.type("5", "6 22")
    assert player.question.startswith("Flak at P47D, hits on 2 or less (one less by night). Chance number")
    shown = player.type("3")
    assert "Result: P47D is missed by flak, 3 against 2 (one less by night)" in shown
    assert "The card" not in shown  # the typed text and the card's destination are not repeated


@pytest.mark.section("bombs-away VII F")
def test_bouncing_is_said_beside_what_hits(pack: Pack) -> None:
    player = deployed(pack)
    player.mission.write({"option.bouncing": "yes"})
    player.type("5", "p47d flak 1")
    assert player.question.startswith("Flak at P47D, hits on 2 or less, bounces on 3.")
    assert "P47D, devastates on 3 or less, on 4 without harm to the flak" in player.type("9")
    assert "Result: P47D devastates Hamburg by exactly 4" in player.type("4")  # the number is for the only bomber


def test_a_game_is_called_a_game_and_has_no_crew(companion: Run) -> None:
    begin(companion, "bombs-away")
    for command in (["undo"], ["log"], ["story"], ["why", "draw"], ["why"], ["forecast", "--missions", "10"]):
        ran = companion(*command)
        assert "mission" not in ran.out + ran.err, command
    assert "game 1" in companion("status").out and "of your cards" in companion("forecast", "--missions", "10").err
    assert "Games counted: 0" in companion("campaign").out
    assert (companion("crew").err, companion("bomber").err) == (
        "Bombs Away! has no crew.\n",
        "Bombs Away! has no named bomber.\n",
    )


@pytest.mark.section("bombs-away VII E")
def test_two_fighters_are_two_questions_whatever_was_built_before(pack: Pack) -> None:
    fighters = {f"pile.{plane}": "researched" for plane in ("me110g", "axis-4", "axis-5", "axis-6")}
    player = building(pack, **{"bp.axis": 5, "option.fighters": "yes", "hand.axis": 0, **fighters})
    game = player.mission
    player.type("14", "two fighters")
    assert game.state["pile.me110g"] == "available"
    player.type("15")
    assert (game.state["pile.axis-4"], game.state["pile.axis-5"]) == ("available", "researched")
    player.type("16")
    assert (game.state["pile.axis-5"], game.state["pile.axis-6"]) == ("available", "researched")
    for typed, built in (("30 11 1 31 0", 1), ("30 11 31 0", 1), ("30 11 10", 0), ("30 11 31 31 0", 0)):
        piles = {f"pile.{plane}": "researched" for plane in ("spitfire-i", "b17f", "allied-11")}
        known = {"known.b17f": "yes", "payload.b17f": 4, "cost.card.allied": 1, "deck": 46, "hand.axis": 1}
        player = building(pack, **{"builder": "allied", "bp.allied": 4, "option.fighters": "yes", **piles, **known})
        shown, game = player.type(typed), player.mission
        assert ("Nothing was saved" in shown, fact(game, "hand.allied")) == (not built, built), typed
        assert game.state["pile.spitfire-i"] == game.state["pile.allied-11"] != ("researched" if built else "available")
    bombers = {"pile.b17f": "researched", "payload.b17f": 4, "known.b17f": "yes", "pile.spitfire-ix": "researched"}
    player = building(pack, **{"builder": "allied", "bp.allied": 3, "option.fighters": "yes", **bombers})
    assert "two fighters" not in player.type()  # a bomber is none


@pytest.mark.section("bombs-away VI A 2", "bombs-away VII E")
@pytest.mark.parametrize(("points", "words"), [(4, "no more: the rest is lost"), (0, "no more")])
def test_nought_ends_a_build_as_everywhere_else(pack: Pack, points: int, words: str) -> None:
    fighters = {"pile.me110g": "researched", "pile.axis-4": "researched"}
    player = building(pack, **{"bp.axis": points, "option.fighters": "yes", "hand.axis": 1, **fighters})
    assert f"  {words}\n" in player.type("0")
    state = player.mission.state
    assert (state["pile.me110g"], state["pile.axis-4"], state["hand.axis"]) == ("researched", "researched", 1)


def test_a_question_of_yes_or_no_takes_the_letter(companion: Run) -> None:
    companion("new", "Owls", "--game", "bombs-away", "--yes")
    assert companion("mission", "start", "--yes", "--with", "option.slow=y", "--with", "option.night=N").code == 0
    facts = companion("status", "--json").json["facts"]
    assert (facts["option.slow"], facts["option.night"]) == ("yes", "no")
    assert companion("set", "option.slow=x").code == 2


def test_the_help_of_a_game_of_cards_speaks_of_no_dice_and_no_bomber(pack: Pack, b17: Pack) -> None:
    from companion.cli.flyer import all_help_of

    cards, bomber = (all_help_of(Mission(each)) for each in (pack, b17))
    assert "your dice" in bomber and "tail guns" in bomber
    assert "dice" not in cards and "guns" not in cards and "roll" not in cards
    assert "u undo" in cards and "= FIELD VALUE" in cards


# -- one line, one command ---------------------------------------------------------------------------------------------


def test_a_single_command_takes_the_same_line(companion: Run, tmp_path: Path) -> None:
    begin(companion, "bombs-away")
    (tmp_path / "none.txt").write_text("")
    companion("fly", "--dice-from", tmp_path / "none.txt")
    assert "must be 0 to 20, not 21" in companion("roll", "--outcome", "21").err
    assert companion("roll", "--outcome", "8 6 4 2").code == 0
    facts = companion("status", "--json").json["facts"]
    assert [facts[f"cards.{size}"] for size in range(1, 7)] == [8, 6, 4, 2, 0, 0]


@pytest.mark.section("bombs-away II A")
def test_a_card_of_any_kind_leaves_a_hand_as_one_input(pack: Pack, companion: Run) -> None:
    begin(companion, "bombs-away", "hand.allied=1")
    assert companion("set", "Allies play a card").code == 0
    refused = companion("set", "Allies play a card")
    assert (refused.code, refused.err.strip()) == (2, "The Allies have no event card.")
    player = deployed(pack)
    player.type()
    assert "has no table" not in player.type("Allies play a card")
    assert (player.mission.state["hand.allied"], player.mission.state["discard"]) == (1, 1)
    player.type("5", "6 22")  # also where a card is turned over
    player.type("axis plays a card", "axis plays a card")
    assert player.mission.state["hand.axis"] == 0
    assert "The Axis has no event card." in player.type("axis plays a card")


@pytest.mark.section("bombs-away I A")
def test_two_cards_and_two_squares_never_have_one_name(companion: Run) -> None:
    begin(companion, "bombs-away")
    assert "Another card has the name B24D already" in companion("set", "name.allied-6=B24D").err
    assert "Another square has the name Berlin already" in companion("set", "square.target-5=Berlin").err
    assert companion("set", "name.allied-6=B24J").code == 0


def test_a_name_is_neither_empty_nor_rolled_by_chance(pack: Pack) -> None:
    game = Mission(pack)
    game.pending = [Pending.of({"ask": "square.target-5", "born": 1})]
    player = prompted(game)
    assert "Type the name that is printed on it." in player.type("")
    assert "No dice are rolled for Target 5, city." in player.type("auto")
    assert game.pending


@pytest.mark.section("bombs-away IV B 2")
@pytest.mark.parametrize("pile", ["researched", "unresearched"])
def test_a_card_set_to_another_pile_leaves_its_square(companion: Run, pile: str) -> None:
    begin(companion, "bombs-away", "turn=1", "step=turn", "pile.b24d=available", "at.b24d=berlin", "bounced.b24d=yes")
    assert companion("set", f"pile.b24d={pile}").code == 0
    facts = companion("status", "--json").json["facts"]
    assert (facts["at.b24d"], facts["bounced.b24d"], facts["decoys"]) == ("none", "no", 8)  # a decoy is the turn card


@pytest.mark.section("bombs-away I B 2", "bombs-away I B 3")
def test_a_sum_is_checked_when_the_command_is_over(companion: Run) -> None:
    begin(companion, "bombs-away", "turn=1", "deck=46", "hand.allied=2", "hand.axis=2")
    assert "add up" not in companion("set", "deck=20", "discard=26").out
    assert "add up" in companion("set", "deck=20", "discard=25").out
    companion("set", "cards.1=8", "flak.available.1=4", "flak.researched.1=4")
    assert "Flak 1: 20 available and 4 researched, but the box has 8." in companion("set", "flak.available.1=20").out
    assert "box has" not in companion("set", "flak.available.1=3", "flak.researched.1=5").out


@pytest.mark.section("bombs-away II B")
def test_a_tap_is_one_card_and_leaves_the_question_open(companion: Run, data_folder: Path) -> None:
    begin(companion, "bombs-away", "name.allied-6=P47D")
    companion("set", "cards.1=20", "costs.known=yes", "known.b24d=yes", "payload.b24d=3", "symbols.berlin=1")
    (data_folder / "here.txt").write_text("research: no-more\n")
    companion("fly", "--dice-from", data_folder / "here.txt")
    board = board_of()
    for tapped in ("berlin", "ploesti"):
        view = board.answer(board.view().id, {"value": tapped})
        assert "Which squares" in view.prompt.title
    board.answer(board.view().id, {"value": "no-more"})
    assert fact(mission_of(board), "targets.placed") == 2
    for tapped in ("berlin", "b24d", "no-more", "9"):
        view = board.answer(board.view().id, {"value": tapped})
    assert [event.text for event in view.events[-2:]] == [
        "Flak 1 (no card, 1 symbol) fires at B24D", "B24D is missed by flak, 9 against 1"
    ]  # fmt: skip


@pytest.mark.section("bombs-away I B 2")
def test_enter_is_no_count_of_the_flak_cards(pack: Pack) -> None:
    player = Prompts(Mission(pack))
    player.type()
    assert "Your line lacks Cards in the box." in player.type("")
    assert "18 flak cards are entered, the box has 20" in player.type("8 6 4")
    assert "21 flak cards are entered" in player.type("2 8 6 4 1")  # five strengths, and not the second option
    assert "Your line lacks" in player.type("", "")  # Enter counts again, and is no count
    player.type("8 6 4 2")
    assert fact(player.mission, "flak.box") == 20


@pytest.mark.section("bombs-away V D")
def test_a_line_of_the_victory_table_is_corrected_without_a_word_of_modifiers(pack: Pack) -> None:
    game = Mission(pack)
    game.pending = [Pending.of({"ask": f"{name}.1", "born": 1, "line": "Line 1"}) for name in ("who", "word")]
    assert "9 doesn't fit: no number" in prompted(game, "9 allies Victory").shown.getvalue()
    assert "who.1" not in game.state and prompted(game, "Allies Victory").mission.state["who.1"] == "allied"
    asks = [{"ask": "loses.target-5"}, {"ask": "draw.target-5", "usual": "no"}]
    for typed, said in (("1 draw", "yes"), ("surrender DRAW 1", "yes"), ("1 Y", "yes"), ("1 n", "no"), ("1 -", "no")):
        game.pending = [Pending.of({**each, "born": 1, "line": "L"}) for each in asks]
        assert prompted(game, typed).mission.state["draw.target-5"] == said, typed
    game.write({"lines": 3, "from.2": 5, "from.3": 5})
    game.pending = [Pending.of({"ask": "from.3", "bind": {}, "born": 1, "usual": "6"})]
    player = prompted(game)
    assert player.question.startswith("Line 3, fewest points (a number) [6]")
    assert player.flyer.prompt is not None and "modifier" not in player.flyer.prompt.note


@pytest.mark.section("bombs-away VII A 1")
def test_the_optional_rules_are_agreed_on_by_name(pack: Pack, monkeypatch: pytest.MonkeyPatch) -> None:
    typed = iter(["yikes", "s", "?", "slwo, night", "slow, Night, in being; commitment both"])
    monkeypatch.setattr("companion.cli.terminal.ask", lambda line: next(typed))
    agreed = _briefing(pack, pack.about.briefing)
    assert {name.removeprefix("option."): value for name, value in agreed.items()} == {
        "slow": "yes", "night": "yes", "being": "yes", "commitment": "both"
    }  # fmt: skip
    monkeypatch.setattr("companion.cli.terminal.ask", lambda line: "all")
    every = _briefing(pack, pack.about.briefing)
    assert len(every) == 8 and every["option.commitment"] == "both"
