"""Commands typed at a question of a flight instead of an answer; the question is repeated."""

from pathlib import Path
from typing import Any

import pytest

from companion.cli.flyer import read
from companion.engine.questions import Pending
from companion.packs import Pack
from companion.play.mission import Mission, replay_entry
from companion.play.phrases import written
from companion.problems import UserError
from companion.store.session import open_mission
from tests.cli.test_dice_and_plans import HALF_PAST_ONE, NINE, wave
from tests.support import END, Prompts, Run, Terminal, begin, begun, fact, prompted, set_up


def quiet(pack: Pack, **facts: Any) -> Mission:
    """Return a mission in Zone 3 with only these facts."""
    return begun(pack, {"zone": 3, **facts})


SAID = {  # what players say at the board, and the fields that it writes
    "b29": """
        Tail Guns Jammed: gun.tail=jammed
        gun.tail=jammed: gun.tail=jammed
        wing tanks +2: fuel.wing=2
        left gunner light: crew.left-gunner=light
        nose gear will not extend: gear.nose=will-not-extend
        evasive action: evasive=yes
        not evasive action: evasive=no
        tail guns jammed, engine 3 out: gun.tail=jammed engine.3=out
        zone 5 outbound, HI, engine 2 out, inboard port tank leaking, fuel left 26: zone=5 leg=outbound altitude=hi \
            engine.2=out tank.inboard.port=leaking fuel.wing=12
        homeward bound: leg=inbound
        back in formation: formation=in
        back in: formation=in
        co-pilot dead: crew.copilot=kia
        Tokyo, aircraft factory, zone 8: target.city=Tokyo target.type=aircraft-factory zone=8
        engines 2 and 3 out: engine.2=out engine.3=out
        pilot and copilot dead: crew.pilot=kia crew.copilot=kia
        engine two out: engine.2=out
        engine 2 back: engine.2=ok
        26 fuel left: fuel.wing=12
        12 boxes crossed off: fuel.wing=12
        wing tanks 12 crossed off, 26 left: fuel.wing=12
        Wing tanks: 1 erased, 26 left: fuel.wing=12
        left inboard tank leaking: tank.inboard.port=leaking
        tail gunner oxygen out: oxygen.tail-gunner=2
        tail gunner frostbitten: frostbite.tail-gunner=yes
        depressurized: pressurized=no
        bombs away: bombs=dropped
        on target: bomb-run=on
        Engine 2 is out. Altitude HI.: engine.2=out altitude=hi""",
    "b17": """
        bursts fired, tail guns 2: ammo.tail=2
        bomber Lucky, engine 3 out: aircraft.name=Lucky engine.3=out
        out of formation: formation=out
        no cover: cover=none
        W: land.below=w
        where we come down W: land.below=w
        land.below=water: land.below=w
        10,000 feet: altitude=low
        loose gear out: loose-gear=yes
        oil leak engine 2: oil.leak.2=yes
        tail gunner no heat: heat.tail-gunner=out
        Bremen, submarine pens, zone 5: target.city=Bremen target.type=u-boats zone=5
        high squadron: squadron=high
        rudder 2 hits: rudder.hits=2
        Norden sight out: bombsight=out
        Fighter 1 Me 109 12 high: fighter.1.type=me109 fighter.1.clock=12 fighter.1.angle=high
        Fighter 1: Me 109 from 12 high: fighter.1.type=me109 fighter.1.clock=12 fighter.1.angle=high
        fuel 5: fuel.turns=5
        me109 12 high, fw190 3 level ace: fighter.1.type=me109 fighter.1.clock=12 fighter.1.angle=high \
            slots.fighter=1 fighter.2.type=fw190 fighter.2.clock=3 fighter.2.angle=level fighter.2.pilot=ace \
            slots.fighter=2
        10 percent: bomb-run.percent=10
        mission 12: mission.number=12""",
}


@pytest.mark.parametrize(
    ("game", "typed", "fields"),
    [
        (game, *line.strip().rsplit(": ", 1))
        for game, lines in SAID.items()
        for line in lines.replace("\\\n", "").strip().splitlines()
    ],
)
def test_phrases_typed_at_the_board_are_understood(game: str, typed: str, fields: str) -> None:
    meant = written(Pack(game), [typed], quiet(Pack(game)).state)
    assert {name: str(value) for name, value in meant.items()} == dict(each.split("=") for each in fields.split())


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("tail guns rusty", "Tail guns must be ok, jammed, broken or unarmed, not rusty."),
        ("wing tanks 99", "Wing tanks must be 0 to 38, not 99"),
        ("tail guns", "Tail guns needs a value: ok, jammed, broken or unarmed."),
        ("tail gunz jammed", "There is no field 'tail gunz'. Did you mean Tail guns"),
        ("aileron out", "'aileron out' could be port aileron out or starboard aileron out"),
        ("xyzzy 3", "I don't know 'xyzzy 3'.*e.g. engine 2 out"),
        ("left gunner asleep", "Left gunner must be ok, light, serious, KIA"),
        ("left gunner wounded", "'left gunner wounded' could be left gunner light or left gunner serious"),
        ("wounded", "'wounded' could be pilot light, pilot serious, copilot light, copilot serious or another"),
        ("flaps inoperable", "'flaps inoperable' could be port flap out, starboard flap out or flap motor out"),
        ("fighter 1 Me 109 12 high", "I don't understand 'Me'. "),
        ("target Tokio", "Tokio isn't a known name. Did you mean Tokyo"),
        (",", "Type a field and its value"),
    ],
)
def test_an_unknown_edit_offers_valid_ones(b29: Pack, typed: str, answer: str) -> None:
    mission = quiet(b29)
    before = dict(mission.state)
    with pytest.raises(UserError, match=answer):
        written(b29, [typed], mission.state)
    assert mission.state == before


def test_a_mark_while_dice_are_asked_counts_for_the_dice(b17: Pack) -> None:
    player = prompted(wave(b17, NINE), "")
    asked, count = player.question, int(player.question.split()[1])
    assert "Ball turret is jammed." in player.type("= ball turret jammed")
    assert player.question == asked  # targets stay allotted until the next pass
    player.type("1" * count)
    assert [entry["d"] for entry in player.mission.journal.entries if entry["t"] == "M-1"] == [[1]] * count
    assert fact(player.mission, "gun.ball") == "jammed"


def test_a_changed_plan_is_kept_where_it_still_fits(b17: Pack) -> None:
    player = prompted(wave(b17, HALF_PAST_ONE, NINE))
    shown = player.type("top 1", "= tail guns jammed")
    first = next(line for line in shown[shown.index("Tail guns are jammed") :].splitlines() if line.startswith("  1 "))
    assert "top" in first and "tail" not in first
    shown = player.type("= top turret jammed")
    assert "fighter 1" not in shown[shown.index("Top turret is jammed") :]
    first = next(line for line in shown[shown.index("Top turret is jammed") :].splitlines() if line.startswith("  1 "))
    assert "top" not in first


def test_earlier_answers_are_kept(b29: Pack) -> None:
    mission = set_up(b29, "zone=3 mission.number=12", "2-2C").mission
    player = prompted(mission, "34")
    assert "words" in player.question or "Number" in player.question  # the dice are known, the row is asked for
    shown = player.type("= engine 2 out", "show 5-8")
    assert "Engine 2 is out." in shown and "5-8" in shown
    assert "Roll" not in player.question and "Dice" not in player.question
    player.type("Kobe; urban area; med; day", "")
    rolled = next(entry for entry in mission.journal.entries if entry["t"] == "2-2C")
    assert rolled["d"] == [3, 4]


def test_a_name_that_is_insisted_on_is_no_mark(b29: Pack) -> None:
    mission = quiet(b29)
    assert read("= Kofu", mission, free=True) is None
    assert read("= New Kofu", mission, free=True) is None
    assert read("= tail guns jammed", mission, free=True) == ("mark", "tail guns jammed")
    assert read("= New Kofu", mission, free=False) == ("mark", "New Kofu")
    assert read("roll twice", mission, free=True) is None
    assert read("move the bombs to port", mission, free=True) is None
    assert read("move cfc to left gunner", mission, free=True) == ("move", "cfc>left gunner")
    assert read("roll 5-9", mission, free=True) == ("roll", "5-9")
    assert read("why", mission, free=False) == ("why", "")
    assert read("34", mission, free=False) is None
    assert read("rabbit's foot", mission, free=False) is None  # none in this game
    assert read("u 3", mission, free=False) == ("undo", "3")
    assert read("R 2", mission, free=False) == ("redo", "2")


def test_a_table_is_rolled_with_its_own_dice_and_the_question_comes_back(b17: Pack) -> None:
    player = prompted(wave(b17, NINE), "")
    asked = player.question
    assert "O-1 Weather" in player.type("roll O-1", "34")
    assert player.question == asked
    assert [entry["d"] for entry in player.mission.journal.entries if entry["t"] == "O-1"] == [[3, 4]]
    player.type("roll O-1 6,6")
    assert [entry["d"] for entry in player.mission.journal.entries if entry["t"] == "O-1"] == [[3, 4], [6, 6]]
    stand = player.mission.journal.position
    assert [player.type("roll O-1", word).count("Cancelled. Nothing was saved") for word in ("q", "u")] == [1, 1]
    assert "no table X-9" in player.type("roll X-9 3")
    assert player.mission.journal.position == stand
    assert player.question == asked


def test_a_look_aside_changes_nothing(b17: Pack) -> None:
    player = prompted(wave(b17, NINE), "")
    asked, stand = player.question, player.mission.journal.position
    assert "Defensive fire" in player.type("show m-1")
    assert "Entry" in player.type("why")
    assert "M-1 hasn't been rolled" in player.type("why m-1")
    assert (player.question, player.mission.journal.position) == (asked, stand)


# -- men who change places ---------------------------------------------------------------------------------------------


@pytest.mark.section("b17 14.1", "b17 14.0")
def test_men_change_places_in_a_quiet_turn(b17: Pack) -> None:
    mission = quiet(b17, **{"target.zone": 6, "crew.bombardier": "serious", "step": "lend", "formation": "in"})
    mission.pending = [Pending.of({"roll": "O-1", "bind": {}, "born": 1})]
    player = prompted(mission)
    asked = player.question
    player.type("move radio operator to nose gun")
    assert mission.state.get("seat.bombardier") is None  # the gun is no place; the man's place is
    player.type("move radio operator to bombardier")
    assert (fact(mission, "seat.bombardier"), fact(mission, "seat.radio-operator")) == ("radio-operator", "bombardier")
    player.type("")  # the place that he has left need not be filled
    assert player.question == asked


@pytest.mark.section("b17 14.1")
def test_a_man_who_moves_under_attack_does_not_fire_until_the_wave_is_over(b17: Pack) -> None:
    player = prompted(wave(b17, NINE))
    stand = player.mission.journal.position
    assert "'cook' isn't a crew position. Use Pilot, Copilot" in player.type("move cook to tail gunner")
    assert player.mission.journal.position == stand
    player.type("move engineer to ball gunner")  # from one compartment to another
    assert (fact(player.mission, "seat.ball-gunner"), fact(player.mission, "seat.engineer")) == (
        "engineer",
        "ball-gunner",
    )
    assert fact(player.mission, "duty.engineer") == fact(player.mission, "duty.ball-gunner") == "moved"
    player.type("move port waist gunner to starboard waist gunner")  # within one: no penalty
    assert fact(player.mission, "seat.starboard-waist") == "port-waist"
    assert fact(player.mission, "duty.port-waist") == "none"
    player.type("")
    fired = {name for name, value in player.mission.state.items() if name.startswith("aim.") and value == "1"}
    assert fired and not fired & {"aim.top", "aim.ball"}
    stand = player.mission.journal.position
    assert "The shots of this pass come first" in player.type("move navigator to tail gunner")
    assert player.mission.journal.position == stand


# a day in Zone 3, and the bombardier is dead
NO_BOMBARDIER: dict[str, str | int] = {
    "zone": 3, "target.zone": 9, "turn": 3, "crew.bombardier": "kia", "mission.time": "day",
}  # fmt: skip


@pytest.mark.section("b29 7.6 A")
def test_the_seat_of_a_lost_man_is_filled_before_the_weather(b29: Pack) -> None:
    mission = quiet(b29, **NO_BOMBARDIER, **{"seat.left.bombardier": "yes", "step": "fuel-wing"})
    mission.pending = [Pending.of({"roll": "4-1", "bind": {}, "born": 1})]
    player = prompted(mission)
    refused = player.type("move pilot to bombardier")
    assert "These can move there: " in refused and "Navigator" in refused
    player.type("move radio operator to bombardier")
    assert fact(mission, "seat.bombardier") == "radio-operator"
    mission.write({"step": "weather"})
    assert "before the weather" in " ".join(player.type("move left gunner to navigator").split())


@pytest.mark.section("b29 7.6 A")
def test_a_seat_that_is_asked_about_is_answered_by_the_move(b29: Pack) -> None:
    mission = quiet(b29, **NO_BOMBARDIER, step="move")
    mission.pending = [
        Pending.of({"choose": "move", "bind": {}, "born": 1}),
        Pending.of({"roll": "4-1", "bind": {}, "born": 1}),
    ]
    player = Prompts(mission)
    assert "A position has no fit crewman" in player.type()
    player.type("move radio operator to bombardier")
    assert fact(mission, "seat.bombardier") == "radio-operator"
    assert [item.kind for item in mission.pending] == ["roll"]


@pytest.mark.section("b29 7.6 B")
def test_within_a_compartment_a_seat_is_taken_at_any_time(b29: Pack) -> None:
    facts: dict[str, str | int] = {"zone": 3, "turn": 3, "crew.cfc": "serious", "mission.time": "day", "step": "round"}
    mission = quiet(b29, **facts)
    mission.pending = [Pending.of({"roll": "5-9", "bind": {}, "born": 1})]
    player = prompted(mission)
    assert "The pilots stay where they are (7.6 E)" in player.type("move bombardier to pilot")
    assert "Nose could be Pilot, Copilot or Bombardier" in player.type("move cfc to nose")
    player.type("move left gunner to central fire controller")
    assert fact(mission, "seat.cfc") == "left-gunner"
    entry, result, _ = replay_entry(mission, mission.journal.position)
    assert (entry["v"], entry["t"]) == ("choose", "shift") and result is not None


# -- a rabbit's foot ---------------------------------------------------------------------------------------------------


@pytest.mark.section("b17 18.0 c")
def test_a_rabbits_foot_throws_the_last_dice_again_once(b17: Pack) -> None:
    mission = set_up(b17, "rabbits-feet=1 zone=3", "O-1").mission
    player = prompted(mission, "34")
    assert [entry["d"] for entry in mission.journal.entries if entry["t"] == "O-1"] == [[3, 4]]
    shown = player.type("rabbit's foot")
    assert "Rerolled: O-1" in shown and "Rabbit's feet left: 0" in shown
    assert player.question.startswith("Roll 2D")
    player.type("66")
    assert [entry["d"] for entry in mission.journal.entries if entry["t"] == "O-1"] == [[6, 6]]
    assert "no rabbit's foot left" in player.type("rabbits foot")
    assert fact(mission, "rabbits-feet") == 0


def two_rolls(b17: Pack, feet: int) -> Mission:
    """Return a mission with that many rabbit's feet and two pending rolls: weather, then flak."""
    mission = set_up(b17, f"rabbits-feet={feet} zone=3").mission
    mission.pending = [Pending.of({"roll": table, "bind": {}, "born": 1}) for table in ("O-1", "O-2")]
    return mission


@pytest.mark.section("b17 18.0 c")
def test_each_reroll_costs_its_own_rabbits_foot(b17: Pack) -> None:
    """18.0 c: one reroll per foot. Rerolling an earlier roll does not give the first foot back, whether or not its dice
    have been rerolled since.
    """
    mission = two_rolls(b17, 4)
    player = prompted(mission, "34")
    player.type("2")
    assert "Rerolled: O-2" in player.type("rabbit's foot") and fact(mission, "rabbits-feet") == 3
    shown = player.type("rabbit's foot")
    assert "Rerolled: O-1" in shown and "Rabbit's feet left: 2" in shown
    player.type("34")
    player.type("2")
    player.type("rabbit's foot")
    player.type("5")
    assert "Rerolled: O-1" in player.type("rabbit's foot 2")
    assert fact(mission, "rabbits-feet") == 0


@pytest.mark.section("b17 18.0 c")
def test_a_spent_rabbits_foot_cannot_reroll_an_earlier_roll(b17: Pack) -> None:
    """18.0 c: the earlier foot is spent, and the current one came only after that roll."""
    mission = two_rolls(b17, 1)
    player = prompted(mission, "34")
    player.type("2")
    player.type("rabbit's foot")
    player.type("5")
    mission.cross("rabbits-feet", 1)
    assert "came only after that roll" in player.type("rabbit's foot 2")
    assert fact(mission, "rabbits-feet") == 1


@pytest.mark.section("b17 18.0 c")
def test_dice_rolled_along_with_it_are_kept(b17: Pack) -> None:
    mission = wave(b17, HALF_PAST_ONE, NINE)
    mission.write({"rabbits-feet": 1})
    player = prompted(mission, "")
    count = int(player.question.split()[1])
    player.type("".join("123"[at % 3] for at in range(count)))
    before = [entry["d"] for entry in mission.journal.entries if entry["t"] == "M-1"]
    player.type(f"rabbit's foot {count}")  # the first of them
    player.type("2")
    assert [entry["d"] for entry in mission.journal.entries if entry["t"] == "M-1"] == [[2], *before[1:]]


@pytest.mark.section("b17 18.0 c")
def test_rerolled_dice_with_follow_ups_are_saved_too(companion: Run) -> None:
    """18.0 c: taking a roll back and crossing off the foot leaves the same number of entries; they must still be
    saved.
    """
    companion("new", "Day Birds", "--game", "b17", "--yes")
    companion("mission", "start", "--yes", "--with", "rabbits-feet=2")
    with open_mission() as session:
        session.mission.write({"turn": 1})
        stood = session.mission.journal.position
    with open_mission() as session:
        session.mission.go_to_entry(stood - 1)
        session.mission.cross("rabbits-feet", 1, "erase")
    assert companion("status", "--json").json["facts"]["rabbits-feet"] == 1
    assert companion("status", "--json").json["facts"]["turn"] == 0


@pytest.mark.section("b17 18.0 c")
def test_the_last_dice_of_a_mission_are_rerolled(companion: Run) -> None:
    """18.0 c: any later roll can be rerolled, even the one that ended the mission."""
    companion("new", "Day Birds", "--game", "b17", "--yes")
    companion("mission", "start", "--yes", "--with", "rabbits-feet=1")
    companion("fly", "--auto", "--seed", "1")
    terminal = Terminal("fly").expect("Enter ends the mission; rabbit's foot rerolls the last dice: ")
    terminal.say("?", "rabbit's foot +reroll the last dice", "Enter ends the mission; ")
    terminal.say("rabbit's foot", "Rerolled: ", "Rabbit's feet left: 0", "Roll ")
    terminal.say("q", END)
    assert companion("status", "--json").json["facts"]["rabbits-feet"] == 0


# -- several steps back ------------------------------------------------------------------------------------------------


def test_undo_takes_back_several_and_names_them(companion: Run, tmp_path: Path) -> None:
    begin(companion, "b29", "mission.number=12")
    for field in ("squadron=low", "bomber.position=tail"):
        companion("set", field)
    terminal = Terminal("fly").expect("Roll 2D: ")
    terminal.say("66", "2-2A", "result alone: ")
    terminal.say("34", "or words: ")
    terminal.say("u 3")  # the answer that is not recorded yet, the roll, the mark before it
    terminal.expect("Undone: 3 4 .*?2-2A", "Undone.*?2.2B", "Place in squadron: tail", "Roll 2D: ")
    terminal.say("= squadron high", "Squadron high.", "Roll 2D: ")
    terminal.say("u 99", "can be undone", "Roll 2D: ")
    terminal.say("q", "Continue later with: companion fly")
    facts = companion("status", "--json").json["facts"]
    assert (facts["squadron"], facts["bomber.position"]) == ("high", "middle")


def test_n_is_no_where_yes_or_no_is_asked(b17: Pack) -> None:
    mission = quiet(b17, formation="out")
    mission.pending = [Pending("choose", "jettison")]
    player = prompted(mission)
    player.type("n")
    assert [entry["o"] for entry in mission.journal.entries if entry["t"] == "jettison"] == ["no"]


def test_a_pending_roll_can_be_skipped_and_is_named(b17: Pack) -> None:
    player = prompted(wave(b17, HALF_PAST_ONE, NINE), "")
    assert player.question.startswith("Roll 5 x 1D")
    assert "Skipped: M-1 Defensive fire – Starboard cheek gun, fighter 1" in player.type("skip")
    assert "Skipped: M-1 Defensive fire – Ball turret, fighter 2" in player.type("skip 2")
    assert player.question.startswith("Roll 3 x 1D")
