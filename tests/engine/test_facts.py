"""Facts: worked out, assumed, asked for in order; values and members in words, and the names that players give them."""

from pathlib import Path

import pytest

from companion.engine.dice import Hand
from companion.engine.facts import FactQuestion, Facts
from companion.engine.fields import Value
from companion.engine.play import Play
from companion.engine.questions import Pending, settle
from companion.packs import Pack
from companion.play.mission import Mission
from companion.problems import MissingAnswer, UserError
from tests.support import asks, holds, pack, sheet_of


def test_assumed_lists_facts_that_were_not_given(turrets: Pack) -> None:
    facts = Facts(turrets.sheet, {"gun.top": "jammed"}, noting=True)
    assert (facts["height"], facts["jammed"], facts["city"]) == ("low", 1, "")
    assert facts.assumed == {"height": "low", "gun.tail": "ok", "city": ""}
    untouched = Facts(turrets.sheet, noting=True)
    assert untouched["jammed"] == 0
    assert untouched.assumed == {"jammed": 0}


def test_a_change_forgets_what_was_worked_out(turrets: Pack) -> None:
    facts = Facts(turrets.sheet)
    assert facts["jammed"] == 0
    facts.change("gun.tail", "jammed")
    assert facts["jammed"] == 1


def test_a_worked_out_fact_applies_to_every_member(kites: Pack) -> None:
    facts = Facts(kites.sheet, {"out.left": 3})
    assert (facts["line.left.left"], facts["line.left.right"]) == (5, 5)
    facts.change("out.right", 4)
    assert facts["line.left.right"] == 1


def test_a_fact_is_looked_up_in_a_table_and_may_be_given_instead(kites: Pack) -> None:
    north: dict[str, str | int] = {"beach": "north", "hour": 1}
    facts = Facts(kites.sheet, north)
    assert (facts["wind"], facts["sand"]) == (2, "dunes")
    facts.change("hour", 2)
    assert (facts["wind"], facts["sand"]) == (-1, "flats")
    assert Facts(kites.sheet, north, {"wind": 4})["wind"] == 4


@pytest.mark.parametrize("known", [{}, {"beach": "south", "hour": 1}, {"beach": "north", "hour": 3}])
def test_without_a_row_it_has_its_default(kites: Pack, known: dict[str, str | int]) -> None:
    facts = Facts(kites.sheet, known)
    assert (facts["wind"], facts["sand"]) == (0, "stones")


def test_an_empty_slot_is_never_asked_for(tmp_path: Path) -> None:
    asked = sheet_of("sortie").replace("[fields.more]", "[fields.more]\n" + '"fighter[fighter].clock" = {ask = true}')
    game = pack(tmp_path, "sortie", sheet=asked)
    same = game.condition("some fighter (fighter[fighter].clock = '12')")
    facts = Facts(game.sheet, {"fighter.1.type": "zeke", "fighter.1.clock": "6"}, asking=True)
    assert not same(facts)  # the second slot is empty: nobody has to say from where nothing attacks
    facts.change("fighter.2.type", "zeke")
    with asks(FactQuestion):
        same(facts)
    meant = Facts(game.sheet, {"fighter": "2"}, asking=True)
    with asks(FactQuestion):
        assert meant["fighter.clock"]


def test_a_worked_out_fact_speaks_of_the_member_that_is_gone_through(raid: Pack) -> None:
    state = {"fighter.1.fca": 1, "fighter.1.type": "zeke", "fighter.2.fca": 3, "fighter.2.type": "tojo"}
    facts = Facts(raid.sheet, state)
    for sentence, count in (("count fighter (bears)", 1), ("count fighter as f (bears)", 0)):
        assert raid.condition(f"{sentence} = {count}")(facts)
    assert (facts["fighter"], facts["bears"]) == ("none", "no")  # nobody is bound any more
    facts.change("fighter", "2")
    for sentence, count in (("count fighter (bears)", 1), ("count fighter as f (bears)", 2), ("count side (bears)", 2)):
        assert raid.condition(f"{sentence} = {count}")(facts)
    assert (facts["fighter"], facts["bears"]) == ("2", "yes")
    assert raid.condition("bears and no fighter (bears and fighter = 1) and bears")(facts)


DUEL = """
[[column]]
when = "fighter.type = 'zeke'"
rows = {"..9" = "a"}
[[column]]
when = "fighter.type = 'tojo'"
rows = {"..9" = "b"}
[[modifier]]
id = "seen"
add = "seen"
[[modifier]]
id = "fca"
add = "-fighter.fca"
[[modifier]]
id = "hits"
add = "hits.both"
"""
BOTH = """
"hits.both" = {is = "sum side (hits[side])"}
"type.known" = {is = "fighter.type = 'zeke'"}
"""


@pytest.fixture
def duel(tmp_path: Path) -> Pack:
    sheet = '"fighter[fighter].pilot" = {values = "green ace", default = "green", ask = false}\n'
    return pack(tmp_path, fields=sheet, facts=BOTH, t=DUEL)


def order(game: Pack, table: str, **answers: Value) -> list[str]:
    """Return the facts asked for, in order, until the table can be rolled."""
    said: dict[str, Value] = {}
    while True:
        play = Play(game, {}, (), said)
        play.facts.ask(True)
        try:
            settle(play.roll(table, Hand([[1]])))
            return list(said)
        except MissingAnswer as missing:
            question = missing.question
        assert isinstance(question, FactQuestion)
        said[question.name] = answers[question.name.replace(".", "_")]


def test_the_column_asks_first_and_the_modifiers_in_the_order_of_the_sheet(duel: Pack) -> None:
    assert order(duel, "t", fighter_type="zeke", fighter_fca=1) == ["fighter.type", "fighter.fca"]


def test_a_given_or_recorded_fact_is_neither_asked_nor_assumed(duel: Pack) -> None:
    game: dict[str, Value] = {"fighter.1.type": "zeke", "fighter.1.fca": 1, "seen": 2, "hits.port": 1}
    play = Play(duel, game)
    play.facts.ask(True)
    with asks(FactQuestion, r'A roll needs "Fighter" \(1'):
        settle(play.roll("t", Hand([[1]])))  # for one that is present it may differ
    result = settle(play.roll("t", Hand([[1]]), {"fighter": "1"}))
    assert (result.net, result.assumed) == (3, {"hits.starboard": 0})


def test_a_worked_out_fact_is_explained_by_its_inputs(duel: Pack) -> None:
    facts = Facts(duel.sheet, noting=True)
    assert facts["type.known"] == "no"
    assert facts.assumed == {"fighter.type": ""}
    assert list(facts.unsaid) == ["fighter.type"]


def test_a_fact_that_is_never_asked_is_still_listed(duel: Pack) -> None:
    facts = Facts(duel.sheet, asking=True, noting=True)
    assert facts["fighter.pilot"] == "green"
    assert facts.assumed == {"fighter.pilot": "green"}


def test_a_slot_that_is_meant_and_empty_says_nothing(duel: Pack) -> None:
    facts = Facts(duel.sheet, {"fighter": "2"}, noting=True)
    assert facts["fighter.fca"] == 0
    assert (facts.assumed, list(facts.unsaid)) == ({"fighter.2.fca": 0}, ["fighter.2.fca"])


def test_facts_about_a_described_fighter_apply_to_follow_ups(tmp_path: Path) -> None:
    game = pack(tmp_path, t='rows = {"..6" = "a"}\n[outcome.a]\nthen = [{roll = "u", times = 2}]\n', u=DUEL, facts=BOTH)
    play = Play(game, {}, (), {"fighter.type": "zeke"})
    settle(play.roll("t", Hand([[1]])))
    assert [item.bind for item in play.pending] == [{"fighter.type": "zeke"}] * 2
    play = Play(game, {}, play.pending, {"fighter.fca": 2})
    assert settle(play.talk(play.pending[0], Hand([[5]]))).net == 3
    assert [item.bind for item in play.pending] == [{"fighter.type": "zeke", "fighter.fca": 2}]


SENSE = 'ask = "side"\nwhen = "hits[side] < 2"\nwhy = "{side.near} has had enough"\nrows = {"..9" = "a"}\n[outcome.a]\n'


@pytest.fixture
def wall(tmp_path: Path) -> Pack:
    die = '[outcome.b]\ndice = "1D"\nrows = {"..9" = "c"}\n[outcome.b.outcome.c]\ntext = "{side}"\n'
    note = '[sub.n]\ndice = "1D"\nrows = {"..9" = "c"}\n[sub.n.outcome.c]\ntext = "a note"\n'
    return pack(tmp_path, t=SENSE.replace('"..9" = "a"', '"..5" = "a", "6.." = "b"') + 'text = "a"\n' + die + note)


def test_by_hand_it_is_only_for_those_for_whom_it_makes_sense(wall: Pack) -> None:
    play = Play(wall, {"hits.port": 2}, (), {"side": "port"})
    with pytest.raises(UserError, match="^t: left has had enough. Choose starboard$"):
        settle(play.roll("t", Hand([[1]])))
    assert play.facts["hits.port"] == 2
    assert settle(Play(wall, {"hits.port": 2}, (), {"side": "starboard"}).roll("t", Hand([[1]]))).outcome == "a"


def test_it_asks_for_one_of_them(wall: Pack) -> None:
    play = Play(wall, {"hits.port": 2})
    play.facts.ask(True)
    with asks(FactQuestion) as asked:
        settle(play.roll("t", Hand([[1]])))
    assert (asked.value.name, asked.value.declared.values) == ("side", ("starboard",))
    with asks(FactQuestion, r'A roll needs "Side" \(starboard'):
        settle(play.roll("t.b", Hand([[1]])))
    assert settle(play.roll("t.n", Hand([[1]]))).outcome == "c"  # a note of the table is a table of its own


def test_a_roll_without_a_valid_subject_is_refused(wall: Pack) -> None:
    play = Play(wall, {"hits.port": 2, "hits.starboard": 3})
    play.facts.ask(True)
    with pytest.raises(UserError, match="^t: No side fits$"):
        settle(play.roll("t", Hand([[1]])))


def test_a_pending_roll_does_not_count_against_the_bomber(wall: Pack) -> None:
    item = Pending.of({"roll": "t", "bind": {"side": "port"}, "born": 1})
    assert settle(Play(wall, {"hits.port": 2}, [item]).talk(item, Hand([[1]]))).outcome == "a"


TOWNS = """[index.town]
text = "{alias[town]}"
first = {label = "First town"}
second = {label = "Second town"}
"""
FIELDS = """"alias[town]" = {label = "{town}, as you call it", kind = "name"}
"ruins[town]" = {label = "{town}, ruins", kind = "count"}
over = {label = "Over", values = "first second sea"}
"""
CHOICE = """[choice.where]
title = "Where to?"
option = [{for = "town", name = "{town}", text = "{alias[town]}", do = ["over = town"]}]
"""


@pytest.fixture
def towns(tmp_path: Path) -> Pack:
    sheet = sheet_of("raid").replace("[index.side]", f"{TOWNS}[index.side]")
    return pack(tmp_path, sheet=sheet, fields=FIELDS, choices=CHOICE)


def test_a_member_is_called_as_the_players_call_it(towns: Pack) -> None:
    mission, sheet = Mission(towns, number=1), towns.sheet
    assert sheet.text("ruins.second") == "Second town, ruins"
    mission.write({"alias.second": "Kiel"})
    assert (sheet.text("ruins.second"), sheet.text("ruins.first")) == ("Kiel, ruins", "First town, ruins")
    assert sheet.text("alias.second") == "Second town, as you call it"  # where the name is asked for it is no label
    assert (sheet.say("over", "second"), sheet.say("over", "first")) == ("Kiel", "First town")


def test_the_name_of_the_players_is_understood(towns: Pack) -> None:
    mission, sheet = Mission(towns, number=1), towns.sheet
    mission.write({"alias.second": "Bad Kreuz"})
    assert sheet.given(["over=bad kreuz"]) == {"over": "second"}
    assert sheet.given(["town=Bad-Kreuz", "ruins.bad-kreuz=2"]) == {"town": "second", "ruins.second": 2}
    mission.pending = [Pending.of({"choose": "where", "bind": {}, "born": 1})]
    mission.roll(None, Hand(), outcome="bad kreuz")
    assert mission.state["over"] == "second"


def test_a_printed_name_has_priority_and_a_double_one_matches_nobody(towns: Pack) -> None:
    mission, sheet = Mission(towns, number=1), towns.sheet
    mission.write({"alias.second": "First"})
    assert sheet.given(["over=first"]) == {"over": "first"}
    mission.write({"alias.second": "Kiel", "alias.first": "Kiel"})
    with pytest.raises(UserError, match="over must be .*, not kiel"):
        sheet.given(["over=kiel"])


def test_each_mission_has_its_own_names(towns: Pack) -> None:
    one, other = Mission(towns, number=1), Mission(towns, number=2)
    one.write({"alias.first": "Kiel"})
    other.write({"alias.first": "Emden"})
    assert towns.sheet.text("ruins.first") == "Emden, ruins"
    one.write({"zone": 1})
    assert towns.sheet.text("ruins.first") == "Kiel, ruins"


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("target.city", "iwo-jima", "Iwo Jima"),  # as a roll wrote it
        ("target.type", "aircraft-factory", "aircraft factory"), ("mission.altitude", "hi", "HI"),
        ("crew.pilot", "kia", "KIA"), ("fate.pilot", "bo-c", "jumped, taken prisoner"),
        ("fighter.1.type", "tojo", "Tojo"), ("name.pilot", "jean-luc", "jean-luc"),  # as its player wrote it
        ("notes", "two-day-old wind", "two-day-old wind"), ("fuel.wing", 12, "12"),
    ],
)  # fmt: skip
def test_a_value_is_said_in_words(b29: Pack, name: str, value: str | int, said: str) -> None:
    assert b29.sheet.say(name, value) == said


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("me109@12-high;me109@3-level;fw190@dive", "Me 109 from 12 high, 3 level; Fw 190 from dive"),
        ("random-event", "random event"), ("3-1", "3-1"), ("-2", "-2"), ("{attacking}-wing", "attacking wing"),
    ],
)  # fmt: skip
def test_a_row_is_read_out(b17: Pack, row: str, said: str) -> None:
    assert b17.sheet.read_out(row) == said


def test_braces_in_what_a_player_reads_are_filled_in_words_and_nowhere_else(tmp_path: Path) -> None:
    small = pack(
        tmp_path, fields='wind = {values = "strong-gust none"}\n', facts="told = {is = \"'{wind}'\"}\n",
        t='rows = {"1.." = "a"}\n[outcome.a]\ntext = "A {wind} comes"\n',
    )  # fmt: skip
    row = small.table("t").outcomes["a"]
    assert row["#text"](Facts(small.sheet, {"wind": "strong-gust"})) == "A strong gust comes"
    assert holds(small, "told = 'strong-gust'", wind="strong-gust")  # a fact stays the word that it is
