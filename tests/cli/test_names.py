"""Names as shown on the screen and names of cities: any of them can be typed, unknown ones are queried."""

import re
from collections.abc import Iterator

import pytest

from companion.cli import terminal
from companion.engine.dice import Hand
from companion.engine.fields import Field, UnknownName, Value
from companion.engine.play import Play
from companion.engine.questions import ChoiceQuestion, FieldQuestion, Option, Pending, RowQuestion
from companion.packs import Pack
from companion.play.mission import Mission
from companion.play.phrases import table_named, written
from companion.problems import UserError
from companion.render.dice_prompt import RowPrompt
from companion.render.options import meant, numbered
from companion.render.prompt import FieldPrompt, choice_prompt, option_note
from tests.echo import misread
from tests.support import Run, begun, prompted, slow_but


def test_a_man_is_meant_by_what_the_crew_screen_calls_him(queens: Run) -> None:
    assert "Tail gunner: Joe Doe" in queens("crew", "--set", "Tail gunner=Joe Doe").out
    assert "Clem Yardley can still fly" in queens("crew", "--replace", "Port waist gunner", "Joe").err
    assert "Port waist gunner: Joe" in queens("crew", "--set", "port gunner=Joe").out
    assert "There is no position cook" in queens("crew", "--set", "cook=Joe").err
    assert queens("set", "crew.port waist gunner=light").code == 0
    facts = queens("status", "--json").json["facts"]
    assert (facts["name.tail-gunner"], facts["crew.port-waist"]) == ("Red Mulvaney", "light")  # names: from the next


def test_a_gun_is_meant_by_what_the_status_screen_calls_it(queens: Run) -> None:
    facts = ["--with", "fighter.clock=12", "--with", "fighter.angle=high", "--dice", "6"]
    named = queens("roll", "M-1", "--with", "gun=TOP turret", *facts, "--dry-run", "--json").json
    assert named == queens("roll", "M-1", "--with", "gun=top", *facts, "--dry-run", "--json").json
    queens("roll", "M-1", "--with", "gun=Top turret", *facts)
    assert queens("log", "--json").json[-1]["given"]["gun"] == "top"  # recorded by its own name
    assert "Gun must be nose, " in queens("roll", "M-1", "--with", "gun=turret", *facts).err


FIGHTERS = {
    "1-tail-gunner": "fighter 1, tony from 9 high", "2-tail-gunner": "fighter 2, zeke from 6 level",
    "2-tail-gunner-passing": "fighter 2, zeke from 6 level, a passing shot", "12-cfc": "fighter 12, zeke from 3 high",
    "hold": "hold fire",
}  # fmt: skip


@pytest.mark.parametrize(
    ("typed", "taken"),
    [
        (["fighter 1"], "1-tail-gunner"),  # not fighter 12
        (["9 high"], "1-tail-gunner"), (["Passing shot"], "2-tail-gunner-passing"), (["hold FIRE"], "hold"),
        (["fighter 2, zeke from 6 level"], "2-tail-gunner"),  # the whole text of one, the beginning of another
        (["fighter 2", "zeke", "george", "3 high"], "12-cfc"),  # two of them, three of them, none
    ],
)  # fmt: skip
def test_an_option_is_taken_by_a_part_of_its_text(
    typed: list[str], taken: str, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = iter(typed)
    options = [Option(name, text, {}, {}, False) for name, text in FIGHTERS.items()]
    assert terminal.put(choice_prompt(ChoiceQuestion("aim", "Fire at?", options, {})), lambda _: next(answers)) == taken
    assert next(answers, None) is None
    message = capsys.readouterr().out
    assert ("'fighter 2' could be 2a or 2b." in message) == (len(typed) > 1)
    assert ("'zeke' could be 2a, 2b or 12." in message) == (len(typed) > 1)


def test_words_of_a_book_are_not_taken_for_a_row_that_has_them_somewhere() -> None:
    rows, texts = ["fire", "leak"], ["Fire in the bomb bay", "A fuel leak, no fire"]
    offers = numbered(rows, texts)
    assert meant(offers, "fire in the bomb bay") == "fire"
    assert meant(offers, "a fuel leak") == "leak"
    assert meant(offers, "bomb bay") == meant(offers, "no fire") == meant(offers, "-") == ""
    assert meant(numbered(["yes", "no"]), "-") == "no"


# what a player types for a line of the sheet, in issue 32 and at a board
PHRASES_29 = [
    ("engine 2 out", {"engine.2": "out"}), ("engine 2=out", {"engine.2": "out"}),
    ("Engine 2 is out", {"engine.2": "out"}), ("tail guns=jammed", {"gun.tail": "jammed"}), ("zone 5", {"zone": 5}),
    ("pilot lightly wounded", {"crew.pilot": "light"}), ("navigator killed", {"crew.navigator": "kia"}),
    ("tail gunner seriously wounded", {"crew.tail-gunner": "serious"}), ("the pilot is dead", {"crew.pilot": "kia"}),
    ("navigator=light", {"crew.navigator": "light"}), ("10,000 feet", {"altitude": "lo"}),
    ("altitude high", {"altitude": "hi"}), ("altitude 18,000 feet", {"altitude": "med"}),
    ("out of formation", {"formation": "out"}), ("formation back in", {"formation": "in"}),
    ("bombs dropped", {"bombs": "dropped"}), ("port flap inoperable", {"flap.port": "out"}),
    ("fighter 1 Zeke 12 high", {"fighter.1.type": "zeke", "fighter.1.clock": "12", "fighter.1.angle": "high"}),
    ("escort=P-51s", {"escort": "p51"}), ("escort mustangs", {"escort": "p51"}), ("fuel left 18", {"fuel.wing": 20}),
    ("wing tanks 18 left", {"fuel.wing": 20}), ("fuel=20", {"fuel.wing": 20}), ("Kobe", {"target.city": "Kobe"}),
    ("target Kobe, urban areas, target zone 9", {"target.city": "Kobe", "target.type": "urban-area", "target.zone": 9}),
    ("engine 1 out, engine 2 out, zone 6", {"engine.1": "out", "engine.2": "out", "zone": 6}),
    ("engine 1 out zone 6", {"engine.1": "out", "zone": 6}), ("no evasive action", {"evasive": "no"}),
    ("course off", {"course": "off"}), ("radio gone", {"radio": "out"}), ("left aileron out", {"aileron.port": "out"}),
    ("fwd upper gun jammed", {"gun.fwd-upper": "jammed"}), ("doors fwd bay jammed open", {"doors.fwd": "jammed-open"}),
    ("leg home and weather bad", {"leg": "inbound", "weather": "bad"}),
]  # fmt: skip


@pytest.mark.parametrize(("typed", "fields"), PHRASES_29)
def test_a_line_of_the_sheet_is_said_as_players_say_it(b29: Pack, typed: str, fields: dict[str, Value]) -> None:
    mission = Mission(b29, number=1)
    assert written(b29, [typed], mission.state) == written(b29, typed.split(), mission.state) == fields


def test_words_of_one_line_need_no_quotes_at_the_shell(twelfth: Run) -> None:
    for typed in ("engine 2 out", "zone 5", "tail guns=jammed", "target.city=Kobe zone=6"):
        assert twelfth("set", *typed.split()).code == 0
    assert twelfth("set", "fighter", "1", "Tojo", "6", "level", "ace").code == 0
    assert twelfth("mark", "wing", "tanks", "2").code == 0
    facts = twelfth("status", "--json").json["facts"]
    assert (facts["engine.2"], facts["gun.tail"], facts["zone"], facts["target.city"]) == ("out", "jammed", 6, "Kobe")
    assert (facts["fighter.1.type"], facts["fighter.1.pilot"], facts["fuel.wing"]) == ("tojo", "ace", 2)
    assert twelfth("set", "fighter", "1", "gone").code == 0
    assert twelfth("status", "--json").json["facts"]["fighter.1.type"] == "none"


@pytest.mark.parametrize(
    ("typed", "table"),
    [
        ("5.9", "5-9"), ("59", "5-9"), ("table 5-9 with modifiers", "5-9"), ("Japanese offensive fire", "5-9"),
        ("5.2a", "5.2A"), ("4.6", "4.6"),
    ],
)  # fmt: skip
def test_a_table_is_called_by_its_number_or_its_title(b29: Pack, typed: str, table: str) -> None:
    assert table_named(b29, typed).id == table


def test_a_table_is_rolled_as_it_is_said(queens: Run, companion: Run) -> None:
    for typed in ("P4", "p-4", "table P-4"):
        assert queens("show", *typed.split()).out.startswith("P-4")
    assert queens("show", "m1").out.startswith("M-1")
    assert companion("show", "7-1.gear", "--game", "b29").code == 0  # each of its results is asked for once
    assert "--with position=" in companion("roll", "6-9.crew", "--game", "b29", "--dice", "4").err  # who is unhurt
    several = queens("roll", "flak")
    assert several.code == 2 and "Flak could be O-2 " in several.err and "O-3 " in several.err
    said = ["roll", "table", "5-9", "44", "with", "modifiers", "--game", "B-29", "--fighter", "Tojo 6 level", "--json"]
    assert companion(*said).json["dice"] == [4, 4]
    assert "46 could be 4-6 Navigation by the stars or 4.6" in companion("show", "46", "--game", "b29").err


def test_only_what_can_be_marked_is_offered_for_marking(queens: Run) -> None:
    assert "Bursts fired, Top turret: 1 crossed off" in queens("mark", "top").out
    assert "Did you mean Bursts fired, Top turret" in queens("mark", "bursts", "fired", "top", "turet").err
    assert "Engine 2 has no boxes" in " ".join(queens("mark", "engine.2").err.split())


def test_no_inner_name_is_offered(twelfth: Run) -> None:
    assert twelfth("mark", "fighter.clok").code == twelfth("set", "engines.outt=2").code == 2
    assert "engines.out" not in twelfth("set", "engines.outt=2").err.partition("Did you mean")[2]
    sheet = Pack("b29").sheet
    inner = [name for name, field in sheet.fields.items() if field.section == "working"]
    for name in inner[:: max(1, len(inner) // 20)]:
        with pytest.raises(UserError) as refused:
            written(Pack("b29"), [f"{name}x=1"])
        offered = str(refused.value).partition("Did you mean ")[2].rstrip("?").replace(" or ", ", ").split(", ")
        assert not set(offered) & set(inner)


def options(pack: Pack, choice: str, bind: dict[str, Value], **facts: Value) -> tuple[Mission, list[Option]]:
    item = Pending.of({"choose": choice, "bind": bind})
    state = {name.replace("__", "."): value for name, value in facts.items()}
    mission = Mission(pack, state, [item], number=1)
    return mission, Play(pack, state, [item]).options_of(item)


def test_men_and_guns_are_offered_by_what_they_are_called(b29: Pack) -> None:
    fighter: dict[str, Value] = {"fighter__1__type": "george", "fighter__1__clock": "6", "fighter__1__angle": "level"}
    _, offered = options(b29, "aim", {"gun": "tail"}, **fighter)
    texts = {each.name: each.text for each in offered}
    assert texts["1-tail-gunner"] == "fighter 1, George from 6 level, fired by the Tail gunner"
    mission, offered = options(b29, "repair", {"gun": "aft-upper"})
    assert {each.name: option_note(each, mission) for each in offered} == {
        "cfc": "the Central fire controller", "left-gunner": "the Left gunner", "right-gunner": "the Right gunner",
        "radar-operator": "the Radar operator", "nobody": "nobody (ask again only if something changes)",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("names", "typed", "option"),
    [
        (["4", "1", "2", "3"], "4", "4"),  # the usual one first, as the rules have it
        (["4", "1", "2", "3"], "", "4"), (["4", "1", "2", "3"], "3", "3"),
        (["2", "2-passing", "hold"], "2b", "2-passing"), (["2", "2-passing", "hold"], "2", "2"),  # the first of its two
        (["1-cfc", "2-cfc", "2-left-gunner", "hold"], "1", "1-cfc"),
        (["1-cfc", "2-cfc", "2-left-gunner", "hold"], "3", "hold"), (["no", "yes"], "2", "yes"),
    ],
)  # fmt: skip
def test_the_number_of_a_fighter_is_its_own(names: list[str], typed: str, option: str) -> None:
    options = [Option(name, name, {}, {}, False) for name in names]
    assert choice_prompt(ChoiceQuestion("who", "Which?", options, {})).read(typed) == option


@pytest.mark.slow
def test_a_name_is_no_number_and_is_spelled_as_the_game_spells_it(owls: Run) -> None:
    owls("set", "target.city=OSAKA", "target.type=U/A")
    for typed in ("target.type=7", "target.city=7-3", "sea=4"):
        refused = owls("set", typed)
        assert (refused.code, refused.err.count("\n")) == (2, 1)
        assert " words" in refused.err
    assert "must be words, e.g. urban area" in owls("set", "target.type=7").err
    facts = owls("status", "--json").json["facts"]
    assert (facts["target.city"], facts["target.type"], facts["sea"]) == ("Osaka", "urban-area", "")
    owls("set", "target.city=Iwo Jima")
    assert owls("status", "--json").json["facts"]["target.city"] == "Iwo Jima"
    assert owls("roll", "2-1", "--dice", "3,4", "--outcome", "nagoya;u-a;hi;day").code == 0
    facts = owls("status", "--json").json["facts"]
    assert (facts["target.city"], facts["target.type"]) == ("nagoya", "urban-area")


def test_the_number_of_an_option_that_is_not_there_is_no_row(owls: Run, b29: Pack) -> None:
    """7-12 has options 1 and 2; a 5 is not an answer."""
    refused = owls("roll", "7-12", "--dice", "3,4", "--outcome", "5", "--with", "compartment=nose")
    assert refused.code == 2 and "must be words, e.g. out or burns, not 5" in refused.err
    assert owls("log", "--json").json == []
    mission = begun(b29, {"zone": 5, "altitude": "lo"})
    mission.pending = [Pending.of({"roll": "7-12", "bind": {"compartment": "nose"}, "born": 1})]
    player = prompted(mission, "34")
    assert "5 isn't a result" in player.type("5", "")
    assert not [entry for entry in mission.journal.entries if entry["v"] == "roll"]
    player.type("it smoulders", "")  # words from the player's rulebook are accepted
    assert [entry["o"] for entry in mission.journal.entries if entry["v"] == "roll"] == ["it-smoulders"]


def test_the_sea_is_given_in_words_or_as_a_modifier(owls: Run) -> None:
    """8.6: the table may give a modifier, which a bare number means."""
    assert owls("roll", "8-2", "--outcome", "-2").code == 0
    assert owls("status", "--json").json["facts"]["book.8-3.sea-state"] == -2
    roll = owls("roll", "8-3", "--dice", "4,4", "--outcome", "safe", "--json").json
    assert {"add": -2, "why": "sea state"} in [{"add": each["add"], "why": each["why"]} for each in roll["modifiers"]]
    assert owls("roll", "8-2", "--outcome", "rough").code == 0
    assert owls("status", "--json").json["facts"]["sea"] == "rough"


@pytest.mark.parametrize(("game", "moves"), slow_but([("b29", 40), ("b29", 150), ("b17", 40), ("bombs-away", 40)]))
def test_flight_output_may_be_typed_as_input(game: str, moves: int) -> None:
    assert list(misread(Pack(game), range(1), moves)) == []


CITY = Field(
    "city", label="City", words=True, spellings={"bremen": "Bremen", "st-omer": "St. Omer", "saint-omer": "St. Omer"}
)


def saying(*answers: str) -> terminal.Ask:
    """Return a player at the terminal who types these lines in order."""
    left: Iterator[str] = iter(answers)
    return lambda _: next(left)


# -- what a field takes ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("typed", ["St. Omer", "st omer", "ST-OMER", "st.omer", "stomer", "Saint Omer", " St.  Omer "])
def test_a_known_name_is_meant_in_any_case_with_any_hyphen(typed: str) -> None:
    assert CITY.accept("city", typed) == "St. Omer"


@pytest.mark.parametrize(("typed", "near"), [("Bremem", ["Bremen"]), ("Bre", ["Bremen"]), ("Xyz", [])])
def test_an_unknown_name_comes_back_with_the_nearest(typed: str, near: list[str]) -> None:
    with pytest.raises(UnknownName) as strange:
        CITY.accept("city", typed)
    assert (strange.value.typed, strange.value.near) == (typed, near)
    assert f"type ={typed}" in str(strange.value)


def test_an_insisted_name_is_kept_and_so_is_one_on_the_sheet() -> None:
    assert CITY.accept("city", "=Bremem") == CITY.accept("city", "= Bremem") == "Bremem"
    assert CITY.accept("city", "Bremem", stored=True) == CITY.accept("city", "Bremem", sure=True) == "Bremem"
    assert Field("note", words=True).accept("note", "rough") == "rough"  # a field that knows no names takes any


# -- on a pipe ---------------------------------------------------------------------------------------------------------


def test_a_slip_in_a_city_is_refused_with_the_nearest_and_nothing_is_recorded(owls: Run) -> None:
    # 5.8 A, 6-2: Tokyo counts on both; a Tokio that was taken would lose that without a word
    refused = owls("set", "target.city=Tokio", "target.type=airfield")
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert "Did you mean Tokyo?" in refused.err and "=Tokio" in refused.err
    assert owls("status", "--json").json["facts"]["target.type"] == ""
    assert owls("set", "target.city==Tokio").code == 0
    assert owls("status", "--json").json["facts"]["target.city"] == "Tokio"


def test_a_row_of_several_parts_is_typed_with_commas_too(owls: Run) -> None:
    rolled = owls("roll", "2-1", "--dice", "3,4", "--outcome", "Tokyo, aircraft factory, HI, day", "--json")
    assert rolled.json["outcome"] == "tokyo;aircraft-factory;hi;day"
    assert owls("status", "--json").json["facts"]["target.city"] == "tokyo"


# -- at the terminal ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answers", "value"),
    [
        (("Tokyo",), "Tokyo"), (("Tokio", "="), "=Tokio"), (("Tokio", ""), "Tokyo"), (("Xyzzy", "", "", "="), "=Xyzzy"),
        (("Tokio", "nagoia", "Nagoya"), "Nagoya"), (("7", "Kobe"), "Kobe"),
    ],
)  # fmt: skip
def test_a_question_for_a_city_queries_and_accepts_an_insisted_name(
    b29: Pack, answers: tuple[str, ...], value: str, capsys: pytest.CaptureFixture[str]
) -> None:
    question = FieldQuestion("target.city", b29.sheet.fields["target.city"], "Target", "")
    assert terminal.put(FieldPrompt(question), saying(*answers)) == value
    if "Tokio" in answers:
        assert "Tokio isn't a known name. Did you mean Tokyo?" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("answers", "row"),
    [
        (("Tokyo; airfield; hi; day",), "Tokyo; airfield; hi; day"),
        (("Tokio; airfield; hi; day", "="), "=Tokio;airfield;hi;day"),
        (("Tokio; airfeld; hi; day", "", ""), "Tokyo;airfield;hi;day"),
        (("clear", "Nagoya"), "Nagoya"),
        (("Tokyo; airfield; high; day", "Tokyo; airfield; hi; day"), "Tokyo; airfield; hi; day"),
    ],
)
def test_a_row_with_a_name_that_is_not_known_is_asked_back(b29: Pack, answers: tuple[str, ...], row: str) -> None:
    assert terminal.put(RowPrompt(RowQuestion(b29.table("2-1"), None, [], {})), saying(*answers)) == row


@pytest.mark.parametrize("table", ["7-5.a", "7-5.b", "7-5.c", "7-5.d", "7-5.f", "7-5.o"])
def test_a_note_of_the_book_is_answered_by_number(b29: Pack, table: str, capsys: pytest.CaptureFixture[str]) -> None:
    question = RowQuestion(b29.table(table), None, [], {"area": "port-wing"})
    assert terminal.put(RowPrompt(question), saying("", "1")) == "none"
    assert re.search("^  1  [A-Z]", capsys.readouterr().out, re.MULTILINE)


@pytest.mark.parametrize(("typed", "boxes"), [("3", 3), ("3 boxes", 3), ("1 box", 1), ("none", 0)])
def test_the_boxes_of_a_leak_are_a_number(b29: Pack, typed: str, boxes: int) -> None:
    # 7-5 e
    mission = Mission(b29)
    mission.roll("7-5.e", Hand(), {"area": "port-wing"}, outcome=typed)
    assert mission.state.get("fuel.wing", 0) == boxes
