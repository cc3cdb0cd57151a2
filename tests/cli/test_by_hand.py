"""Fights rolled by hand: the fighter is described once, in words, and is then on the sheet."""

import re

import pytest

from companion.engine.fields import Value
from companion.packs import Pack
from companion.play.members import Fighters
from companion.play.mission import Mission
from companion.problems import UserError
from tests.support import END, Run, Terminal, begin, slow_but


@pytest.mark.parametrize(
    ("words", "values"),
    [
        ("tojo 6 level ace", {"type": "tojo", "clock": "6", "angle": "level", "pilot": "ace"}),
        ("Tojo, from 6 o'clock level", {"type": "tojo", "clock": "6", "angle": "level"}),
        ("ge 10.30 hi green", {"type": "george", "clock": "10:30", "angle": "high", "pilot": "green"}),
        ("a zeke in a dive", {"type": "zeke", "clock": "dive"}),
        ("baka 12 low ramming", {"type": "baka", "clock": "12", "angle": "low", "ramming": "yes"}),
        ("oscar 3 low fca 2 not spotted", {"type": "oscar", "clock": "3", "angle": "low", "fca": 2, "spotted": "no"}),
    ],
)
def test_each_word_says_what_it_can(b29: Pack, words: str, values: dict[str, Value]) -> None:
    assert Fighters(Mission(b29)).values_of(words) == values
    assert Fighters(Mission(b29)).unsaid(values) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "values"),
    [
        ("Me 109 12 high", {"type": "me109", "clock": "12", "angle": "high"}),
        ("109 dive green", {"type": "me109", "clock": "dive", "pilot": "green"}),
        ("fw 9 level fboa", {"type": "fw190", "clock": "9", "angle": "level", "fboa": 1}),
    ],
)
def test_the_fighters_of_the_b17(b17: Pack, words: str, values: dict[str, Value]) -> None:
    assert Fighters(Mission(b17)).values_of(words) == values


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("tojp 6 level", "I don't understand 'tojp'. Did you mean Tojo"), ("to 6 level", "to could be Tony or Tojo"),
        ("tojo 7 level", "I don't understand '7'. Describe the fighter with Nick, Tony"),
        ("tojo oscar 6", "both Tojo and Oscar"), ("tojo 6 fca 9", "must be 0 to 4, not 9"),
    ],
)  # fmt: skip
def test_a_word_that_says_nothing_is_asked_back(b29: Pack, words: str, answer: str) -> None:
    with pytest.raises(UserError, match=answer):
        Fighters(Mission(b29)).values_of(words)


def test_a_fighter_on_the_sheet_is_reused_and_another_gets_the_next_slot(b29: Pack) -> None:
    mission, tojo = Mission(b29, number=1), {"type": "tojo", "clock": "6", "angle": "level"}
    fighters = Fighters(mission)
    slot, written = fighters.placed(tojo, another=False)
    assert (slot, written["slots.fighter"], written["fighter.1.type"]) == ("1", 1, "tojo")
    mission.write(written)
    assert fighters.placed(tojo, another=False) == ("1", {})
    assert fighters.placed(tojo, another=True)[0] == "2"
    assert fighters.placed({**tojo, "pilot": "ace"}, another=False)[0] == "2"
    mission.write({"slots.fighter": 12, **{f"fighter.{at}.type": "zeke" for at in range(1, 13)}})
    with pytest.raises(UserError, match="room for only 12"):
        fighters.placed(tojo, another=False)


@pytest.mark.slow
@pytest.mark.section("b29 5-9", "b29 5-10")
def test_one_command_describes_the_fighter_and_what_follows_asks_nothing(owls: Run) -> None:
    first = owls("roll", "5-9", "--fighter", "tojo 6 level ace", "--dice", "5,4", "--json").json
    assert [(each["add"], each["cite"]) for each in first["modifiers"]] == [(-1, "5-9"), (1, "5-5")]
    assert first["outcome"] == "hit"
    shells = owls("roll", "--dice", "3,3", "--json").json  # 5-10 from 6: a 6 is two shells
    assert (shells["table"], shells["outcome"]) == ("5-10", "2")
    section = owls("roll", "--dice", "3,4", "--json").json  # 5-11 from 6 level: a 7 is the tail
    assert (section["table"], section["outcome"]) == ("5-11", "tail")
    owls("roll", "--dice", "5,5")  # the second shell, a 10: utility
    times = owls("roll", "5-12", "--dice", "4", "--json").json  # of a Tojo: once
    assert (times["table"], times["outcome"]) == ("5-12", "1")
    facts = owls("status", "--json").json["facts"]
    assert (facts["fighter.1.type"], facts["fighter.1.pilot"], facts["slots.fighter"]) == ("tojo", "ace", 1)


@pytest.mark.slow
def test_a_roll_for_another_fighter_leaves_what_waits_for_the_first(owls: Run) -> None:
    owls("roll", "5-9", "--fighter", "tojo 6 level", "--dice", "6,6")
    other = owls("roll", "5-10", "--fighter", "george 12 high", "--dice", "1,1", "--json").json
    assert other["outcome"] == "4"  # 3 of the column for 12, half as many again for a George
    assert owls("next").out.count("fighter 1") == 1
    assert fact_of(owls, "fighter.2.type") == "george"


def test_a_fighter_on_the_sheet_is_named_by_its_number(queens: Run) -> None:
    queens("set", "zone=4")
    queens("roll", "M-3", "--fighter", "me109 12 high", "--dice", "1")
    queens("roll", "M-3", "--fighter", "fw190 6 level", "--dice", "1")
    asked = queens("roll", "M-3", "--dice", "1")
    assert (asked.code, '"Fighter" (1 or 2). Add e.g. --with fighter=1' in asked.err) == (2, True)
    assert queens("roll", "M-3", "--fighter", "2", "--dice", "1").code == 0
    assert queens("log", "--json").json[-1]["bind"]["fighter"] == "2"
    free = queens("roll", "M-3", "--fighter", "3", "--dice", "1")
    assert (free.code, "There is no fighter 3 on the sheet, only 1 or 2" in free.err) == (2, True)


def test_dice_for_one_table_never_feed_an_older_pending_roll(queens: Run) -> None:
    """The oxygen roll of P-2 keeps waiting for its die; a 12 on P-5 needs none."""
    queens("set", "zone=5", "turn=5")
    queens("roll", "P-2", "--dice", "5,5")
    waiting = queens("status", "--json").json["pending"]
    assert len(waiting) == 1
    ran = queens("roll", "P-5", "--dice", "6,6/6")
    assert (ran.code, "Too many dice: 6 isn't needed" in ran.err) == (2, True)
    assert queens("status", "--json").json["pending"] == waiting


def fact_of(run: Run, name: str) -> Value:
    """Return a field on the sheet of the campaign in use."""
    value: Value = run("status", "--json").json["facts"][name]
    return value


@pytest.mark.parametrize(
    ("words", "answer"),
    [("tojp 6 level", "Did you mean Tojo"), ("tojo 6", "Angle? Add it to the fighter: high, level or low.")],
)
def test_on_a_pipe_missing_facts_are_named_and_nothing_is_saved(owls: Run, words: str, answer: str) -> None:
    ran = owls("roll", "5-9", "--fighter", words, "--dice", "5,5")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert answer in ran.err
    assert "fighter.1.type" not in owls("status", "--json").json["facts"] or not fact_of(owls, "slots.fighter")


def test_a_game_without_fighters_says_so(companion: Run) -> None:
    ran = companion("roll", "shot", "--game", "bombs-away", "--fighter", "tojo", "--dice", "1")
    assert ran.code == 2
    assert "no fighters to describe" in ran.err


def test_without_a_campaign_it_holds_for_the_command(companion: Run) -> None:
    ran = companion("roll", "5-9", "--game", "b29", "--fighter", "tojo 6 level ace", "--dice", "5,4/3,3/3,4", "--json")
    assert [each["table"] for each in ran.json["chain"]] == ["5-10", "5-11"]
    assert ran.json["net"] == 9


def test_of_several_the_one_meant_is_named_by_number_or_in_words(owls: Run) -> None:
    owls("roll", "5-9", "--fighter", "tojo 6 level", "--dice", "1,1")
    terminal = Terminal("roll", "5-9")  # of one on the sheet it may be another too
    terminal.expect("1 .*ojo from 6 level", "Number, or describe a new one.*: ")
    terminal.say("zeke 12 high", "Fighter 2: ", "Roll 2D.*: ")
    terminal.say("1 1", "No hits", "Another fighter.*: ")
    terminal.say("", END)
    terminal = Terminal("roll", "5-9")
    terminal.expect("1 .*ojo from 6 level", "2 .*eke from 12 high", "Number, or describe a new one.*: ")
    terminal.say("george", "'george' isn't 1 or 2")
    terminal.say("zeke", "fighter 2", "Roll 2D.*: ")
    terminal.say("1 1", "No hits", "Another fighter.*: ")
    terminal.say("zeke 12 high", "Fighter 3: ")  # the same once more
    terminal.say("1 1", "No hits", "Another fighter.*: ")
    terminal.say("2", "fighter 2", "Roll 2D.*: ")
    terminal.say("1 1", "No hits", "Another fighter.*: ")
    terminal.say("", END)
    assert [each["bind"]["fighter"] for each in owls("log", "--json").json if each["table"] == "5-9"][-3:] == [
        "2", "3", "2",
    ]  # fmt: skip


def test_by_hand_all_shells_of_a_fighter_are_one_line(companion: Run) -> None:
    # 5-10 from 6, a 12: seven shells; six inputs up to the damage
    typed = ["frank 6 level", "", "66", "66", "34 34 34 34 34 34 34", "1111111"]
    terminal = Terminal("roll", "5-9", "--game", "b29")
    for line in typed:
        terminal.expect(": $")
        terminal.say(line)
    terminal.expect(r"7-8 Tail damage \(7\)", '"all 1" is for all 7', ": $")
    terminal.say("q", "Cancelled. Nothing was saved", END)


B17 = "mission.number=12 target.city=Bremen bomber.position=middle squadron=high formation=in zone=4 leg=outbound"
B29 = (
    "mission.number=12 mission.time=day target.city=Tokyo target.type=urban-area target.zone=12 mission.altitude=med "
    "altitude=med bomber.position=middle squadron=middle resistance.expected=moderate escort.available=no formation=in "
    "fuel.wing=20 landing.time=day aux.fwd=none aux.aft=none pressurized=yes setting.ammunition=uncounted "
    "setting.passing-shots=no setting.comes-back=as-b17 setting.attacks=3 zone=11 leg=outbound"
)
# five Fw 190, whose hits damage nose, wing and tail; the last of them comes back twice
FIVE = "3|5|25|1|5 3 6 3 6 6 6|5 1 4 2|6 1 2 1|34|24|51|5|21|6|2|4|32|42 12 55 42|21 12 22|2|3|32|5 6|6"
# four Franks in a coordinated attack
FOUR = (
    "53|46|66|1|43|32|44|33 34 35 36|3 3 3 5|53 63 66 65|14 26 12|13 42 45 15|21|62 43|2 4|2 12 55|4 22|1|12|22 23|32"
)


@pytest.mark.parametrize(
    ("game", "board", "dice", "zone"), slow_but([("b17", B17, FIVE, "Zone 5 out"), ("b29", B29, FOUR, "Zone 12 out")])
)
def test_a_zone_by_roll_takes_no_more_lines_than_a_flight(
    companion: Run, game: str, board: str, dice: str, zone: str
) -> None:
    lines, logs = [], []
    for command in ("fly", "roll"):
        companion("new", command, "--game", game, "--yes")
        companion("mission", "start", "--yes")
        companion("set", *board.split())
        terminal = Terminal(command)
        lines.append(1 + typed(terminal, dice.split("|"), zone))
        logs.append(companion("log", "--json").json)
    assert "Next turn  " in terminal.window.getvalue()
    assert logs[1] == logs[0][: len(logs[1])]
    assert len([each for each in logs[1] if each["table"] in ("M-3", "5-9")]) >= 4
    assert lines[1] <= lines[0]


def typed(terminal: Terminal, dice: list[str], end: str) -> int:
    """Type the dice asked for, and Enter for anything else, up to the next zone; return the number of lines."""
    count = seen = 0
    while terminal.exitstatus is None:
        asked, seen = terminal.window.getvalue()[seen:], len(terminal.window.getvalue())
        if f"══ {end}" in asked:
            terminal.interrupt()
            break
        terminal.say(dice.pop(0) if re.search(r"(Roll [^?:]*|or words): $", asked) else "")
        count += 1
    assert not dice
    return count


@pytest.mark.section("b17 6.1 b")
def test_a_wave_rolled_by_hand_clears_the_old_and_is_fought_next(companion: Run) -> None:
    begin(companion, "b17", "mission.number=5", "target.city=Bremen", "bomber.position=middle")
    companion("set", "formation=in", "zone=3")
    assert "Joining in Zone 3" in companion("next").out
    terminal = Terminal("roll").say("", "B-1 German fighter waves.*Roll 1D.*: ")
    terminal.say("1", "No fighters this turn", "Next turn  B-1", END)
    companion("roll", "B-3", "--dice", "2,5")
    companion("roll", "B-3", "--dice", "2,2")  # the five of the wave before are gone
    shown = companion("next").out
    assert "M-4 Fighter cover" in shown and "Gun allocation" in shown and "Briefing" not in shown
    terminal = Terminal("roll").expect("M-4 Fighter cover.*: ")
    terminal.say("1", "Me 110 from 12 low", "Me 110 from 10:30 low", ": $")
    terminal.say("q", "Continue later with: companion roll", END)
    facts = companion("status", "--json").json["facts"]
    assert [facts[f"fighter.{at}.type"] for at in (1, 2, 3)] == ["me110", "me110", "none"]
    terminal = Terminal("roll", "O-1")  # another table meanwhile leaves the fight for later
    terminal.expect("Roll 2D: ")
    terminal.say("66", "Next  Which fighter is driven off", END)


def test_fighters_written_on_the_sheet_are_fought_next(companion: Run) -> None:
    begin(companion, "b17", "mission.number=5", "target.city=Bremen", "bomber.position=middle")
    companion("set", "formation=in", "zone=3")
    terminal = Terminal("roll").say("")
    terminal.say("1", "Next turn  ", END)
    companion("set", "fighter 1 Me 109 12 high")
    terminal = Terminal("roll").expect("a wave: its fighters are on the chart", "Enter for 4: ")
    terminal.say("", "M-4 Fighter cover")
    companion("undo", "2")
    assert "B-1" in companion("next").out  # of the zone ahead


@pytest.mark.section("b17 6.5 a")
def test_a_successive_attack_by_hand_asks_for_its_fighter_before_the_dice(companion: Run) -> None:
    begin(companion, "b17", "mission.number=5")
    companion("set", "zone=3", "formation=in")
    Terminal("roll", "B-3", "22").expect("Me 110 from 12 low", "Next  Joining in Zone 3", END)
    terminal = Terminal("roll", "B-6")
    terminal.expect("1  Me 110 from 12 low", "2  Me 110 from 10:30 low", "Number, or describe a new one")
    terminal.say("2", "Roll 2D: ")
    terminal.say("34", "Comes back from 12 high", "Next  Joining in Zone 3", "Another fighter.*: ")
    terminal.say("", END)
    assert fact_of(companion, "fighter.2.clock") == "12"
