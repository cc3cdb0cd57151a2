"""In a flight: several dice on one line, one question for all guns of a wave, and extra dice kept for later."""

import pytest

from companion.cli import terminal
from companion.cli.flyer import Narrator, TypedCommand
from companion.engine.dice import parse
from companion.engine.questions import DiceQuestion, Pending
from companion.engine.resolution import Result
from companion.packs import Pack
from companion.packs.folders import REASON
from companion.play.dice_stats import luck_of
from companion.play.dice_tray import pips
from companion.play.mission import Mission
from companion.problems import UserError
from companion.render.history import entry_line
from tests.support import Prompts, begun, fact, prompted

NINE, HALF_PAST_ONE = ("9", "level"), ("1:30", "high")


def wave(b17: Pack, *fighters: tuple[str, str], step: str = "dodge") -> Mission:
    """Return a B-17 in Zone 5 with Me 109s from these positions."""
    mission = Mission(b17, number=1)
    facts: dict[str, str | int] = {"zone": 5, "target.zone": 6, "leg": "outbound", "wave": 1, "step": step}
    for number, (clock, angle) in enumerate(fighters, 1):
        facts |= {f"fighter.{number}.type": "me109", f"fighter.{number}.clock": clock, f"fighter.{number}.angle": angle}
    mission.write({**facts, "slots.fighter": len(fighters)})
    return mission


def test_a_wave_is_one_question_and_its_dice_one_line(b17: Pack) -> None:
    player = Prompts(wave(b17, HALF_PAST_ONE, NINE))
    shown = player.type()
    assert "1  Me 109 from 1:30 high" in shown
    assert "2  Me 109 from 9 level" in shown
    assert player.question.startswith("Enter fires as shown")
    shown = player.type("")
    assert shown.count("M-1 Defensive fire") == 1
    assert "hit on 6: starboard cheek 1; top 2 and ball 2 on 5+; port waist 2, starboard waist 1\n" in shown
    assert player.question.startswith("Roll 5 x 1D")
    shown = player.type("34645")
    assert shown.count("M-1 miss") == 1  # four of them in one line
    assert "Ball turret, fighter 2: 6, Fighter hit" in shown
    assert "M-2 Damage to a German fighter – Ball turret, fighter 2" in shown
    assert [entry["d"] for entry in player.mission.journal.entries if entry["t"] == "M-1"] == [[3], [4], [6], [4], [5]]


def test_dice_at_the_plan_carry_it_out(b17: Pack) -> None:
    player = prompted(wave(b17, HALF_PAST_ONE, NINE))
    assert "Roll 5 x 1D (starboard cheek, top, ball, port waist, starboard waist), then M-3" in player.question
    player.type("starboard cheek -", "3464")
    fired = [entry for entry in player.mission.journal.entries if entry["t"] == "M-1"]
    assert [entry["b"]["gun"] for entry in fired] == ["top", "ball", "port-waist", "starboard-waist"]
    assert [entry["d"] for entry in fired] == [[3], [4], [6], [4]]
    player.mission.undo()
    player.flyer.discard_typed()
    player.type()
    assert player.question.startswith("Enter fires as shown")  # plan and dice were one line


def test_auto_rolls_what_is_asked_and_is_told_so(b17: Pack) -> None:
    player = prompted(wave(b17, HALF_PAST_ONE, NINE), "")
    assert "Rolled for you: " in player.type("5", ".")
    mission = player.mission
    shots = [entry for entry in mission.journal.entries if entry["t"] == "M-1"]
    assert (shots[0]["d"], "r" in shots[0]) == ([5], False)
    assert all(entry["r"] for entry in shots[1:])
    assert "auto " in entry_line(shots[-1], b17) and "auto " not in entry_line(shots[0], b17)
    luck = luck_of([mission])
    assert (luck.faces.count, luck.by_companion) == (1, len(shots) - 1)


def test_a_line_is_taken_back_whole_and_then_the_plan_before_it(b17: Pack) -> None:
    player = prompted(wave(b17, HALF_PAST_ONE, NINE))
    plan, stood = player.question, player.mission.journal.position
    player.type("")
    dice, planned = player.question, player.mission.journal.position
    player.type("34645")
    assert len([entry for entry in player.mission.undo() if entry["t"] == "M-1"]) == 5
    assert player.mission.journal.position <= planned
    player.flyer.discard_typed()
    player.type()
    assert player.question == dice  # all five are asked again
    assert [entry["t"] for entry in player.mission.undo()].count("aim") > 4
    assert player.mission.journal.position == stood
    player.type()
    assert player.question == plan


def test_a_plan_is_not_that_of_the_next_wave(b17: Pack) -> None:
    """The same gun is asked again; its earlier target is not reused silently."""
    player = prompted(wave(b17, HALF_PAST_ONE, NINE))
    guns = [Pending("choose", "aim", {"gun": gun}, 1) for gun in ("nose", "top", "ball", "port-waist")]
    player.flyer.draft.plan = {each.key: "hold" for each in guns}
    assert "Enter fires as shown" in player.question
    player.type("", "34645")
    assert len([entry for entry in player.mission.journal.entries if entry["t"] == "M-1"]) == 5


def test_another_way_to_fire_is_named_and_typed_in_words(b17: Pack) -> None:
    mission = wave(b17, NINE, ("9", "low"))
    mission.write({"spray-fire": "on"})
    player = Prompts(mission)
    assert "port waist (or spray) on 6" in player.type()  # 9.5
    assert "port waist (spray);" in player.type("port waist 1 spray")


def test_an_order_for_each_of_several_men_is_one_line(b29: Pack) -> None:
    # 7.4 A: five men without oxygen at height, and what each of them may do about it
    mission = begun(b29, {"zone": 5, "altitude": "hi"})
    mission.pending = [Pending.of({"roll": "5-1", "bind": {}, "born": 1})]
    player = prompted(mission)
    men = list(b29.sheet.index["position"])[:5]
    shown = player.type("= " + ", ".join(f"oxygen {b29.sheet.label('position', man)} 2" for man in men))
    assert "Nothing" not in shown
    orders = [line for line in shown.splitlines() if line.startswith("! ")]
    assert [line for line in orders if "oxygen" in line] == orders[:1]
    assert all(b29.sheet.label("position", man) in " ".join(shown.split()) for man in men)
    assert len([item for item in mission.pending if item.kind == "order"]) >= len(men)


def test_the_mens_fates_are_shown_on_any_screen(b17: Pack) -> None:
    mission = wave(b17, HALF_PAST_ONE)
    men = list(b17.sheet.index["position"])
    mission.write({f"name.{man}": f"Man {at}" for at, man in enumerate(men)})
    mission.pending = [Pending.of({"roll": "G-7", "bind": {"position": man}, "born": 1}) for man in men]
    player = prompted(mission)
    shown = player.type("1" * len(men))
    assert all(mission.state[f"fate.{man}"] != "none" for man in men)
    told = " ".join(shown.split())
    assert all(f"Man {at}" in told for at in range(len(men))), shown


def test_the_plan_says_which_guns_bear_and_what_each_needs(b17: Pack) -> None:
    """M-1: five fighters for four guns, three of which have a choice; the status of the zone is above them."""
    mission = wave(b17, ("10:30", "high"), ("3", "level"), ("12", "high"), ("6", "low"))
    mission.write({"zone": 3, "cover": "fair", "waves.left": 2, "gun.ball": "jammed", "crew.tail-gunner": "kia"})
    shown = Prompts(mission).type().splitlines()
    assert shown == [
        "══ Zone 3 out · 2 waves left · fair cover · guns out: Ball turret · 1 dead", "── Gun allocation  6.3 a, 9.0",
        "  1  Me 109 from 10:30 high  port cheek on 6, port waist on 6; or top on 6",
        "  2  Me 109 from 3 level     top on 5+, starboard waist on 6",
        "  3  Me 109 from 12 high     nose on 6; or top on 6", "  4  Me 109 from 6 low       no gun bears",
        "No target: starboard cheek, radio", "Nobody at the gun: tail",
    ]  # fmt: skip


def test_a_gun_is_sent_elsewhere_or_holds(b17: Pack) -> None:
    player = prompted(wave(b17, HALF_PAST_ONE, NINE))
    shown = player.type("top 2", "ball -, starboard w -", "")
    assert "2  Me 109 from 9 level    top on 5+" in shown
    asked = shown[shown.index("M-1 Defensive fire") :]
    assert "Ball" not in asked and "Starboard waist" not in asked
    aims = {name: value for name, value in player.mission.state.items() if name.startswith("aim.") and "as" not in name}
    assert aims["aim.top"] == "2"
    assert "aim.ball" not in {name for name, value in aims.items() if value}


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("bow 2", "'bow 2' doesn't start with starboard cheek, top"),
        ("port 2", "port"),  # the port cheek gun does not bear, the port waist gun does
        ("ball 7", "'ball 7' isn't possible. Type ball 2 (fighter 2, Me 109 from 9 level) or ball - (hold fire)."),
        ("radio 1", "Radio has no choice: no target."),
    ],
)
def test_an_invalid_gun_offers_the_valid_ones(b17: Pack, typed: str, answer: str) -> None:
    player = prompted(wave(b17, HALF_PAST_ONE, NINE))
    assert answer in " ".join(player.type(typed).split())
    assert player.question.startswith("Enter fires as shown")


def test_fewer_dice_than_asked_are_taken_and_the_rest_is_asked_for(b17: Pack) -> None:
    player = prompted(wave(b17, HALF_PAST_ONE, NINE), "")
    shown = player.type("12")
    assert player.question.startswith("Roll 3 x 1D")
    assert "starboard cheek 1: 1" in " ".join(shown.split())
    player.type("1 1 1")
    assert [entry["d"] for entry in player.mission.journal.entries if entry["t"] == "M-1"] == [[1], [2], [1], [1], [1]]


def test_more_dice_than_are_asked_for_record_nothing(b17: Pack) -> None:
    player = prompted(wave(b17, NINE), "")
    asked, stand = player.question, player.mission.journal.position
    assert "is 20 dice, but" in player.type(20 * "1")
    assert (player.question, player.mission.journal.position) == (asked, stand)
    assert not player.flyer.tray


def test_a_die_rolled_for_one_table_is_never_used_for_another(b17: Pack) -> None:
    # the 5 was thrown for a passing shot; then the bomb bay is hit, and a 5 on P-3 would be the end of the bomber
    mission = wave(b17, NINE)
    mission.write({"bombs": "aboard"})
    passing = {"gun": "top", "fighter": "1"}
    mission.pending = [
        Pending.of({"roll": "P-3.bombs", "bind": {}, "born": 1}),
        Pending.of({"roll": "M-1", "bind": passing, "born": 1}),
    ]
    player = Prompts(mission)
    player.flyer.tray.lay([5], [DiceQuestion(b17.table("M-1"), parse("1D"), [], passing)])
    shown = player.type("", "")
    assert "Do the bombs go off?" in shown and player.question.startswith("Roll 1D")
    assert not [entry for entry in mission.journal.entries if entry["v"] == "roll"]
    player.type("1")
    assert [entry["d"] for entry in mission.journal.entries if entry["v"] == "roll" and "d" in entry] == [[1], [5]]


def test_a_die_for_the_fire_of_a_fighter_is_not_that_of_another(b17: Pack) -> None:
    # 3 x 1D for M-3 are those of fighters 1 to 3 in order; 1 is shot down, and his die goes with him
    player = prompted(wave(b17, ("12", "high"), ("12", "low"), HALF_PAST_ONE), "")
    assert "then M-3 3 x 1D" in player.question
    guns = int(player.question.split()[1])
    player.type(f"6{'1' * (guns - 1)} 1 2 3")
    assert player.question.startswith("Roll 1D") and "M-2" in player.shown.getvalue()
    assert "Discarded: 1 for M-3 German offensive fire" in player.type("66")  # destroyed
    fired = {entry["b"]["fighter"]: entry["d"] for entry in player.mission.journal.entries if entry["t"] == "M-3"}
    assert fired == {"2": [2], "3": [3]}


def test_kept_dice_for_a_foreseen_roll_are_not_asked_for_again(b17: Pack) -> None:
    player = prompted(wave(b17, NINE), "")
    assert "then M-3 1D" in player.question
    player.flyer.tray.lay([2], [], [DiceQuestion(b17.table("M-3"), parse("1D"), [], {"fighter": "1"})])
    player.type()
    assert player.question.startswith("Roll 3 x 1D") and "M-3" not in player.question


@pytest.mark.parametrize(
    ("typed", "dice", "read"),
    [
        ("1233", "1D D66 1D", [1, 2, 3, 3]), ("1 23 3", "1D D66 1D", [1, 2, 3, 3]),
        ("1 2 3 3", "1D D66 1D", [1, 2, 3, 3]), ("1,23,3", "1D D66 1D", [1, 2, 3, 3]),
        ("123 3", "1D D66 1D", [1, 2, 3, 3]), ("3 4 55", "2D 2D", [3, 4, 5, 5]), ("345 5", "1D 1D 1D 1D", [3, 4, 5, 5]),
        ("3,4 5,5", "2D 2D", [3, 4, 5, 5]), ("12 33", "1D D66 1D", "type 1 23 3"), ("64 2", "1D D66", "type 6 42"),
        ("2 6 12", "1D D66 1D", "type 2 61 2"), ("123 456", "2D 2D 2D", "type 12 34 56"),
        ("345", "2D", "2D needs 2 dice"), ("34 9", "2D 1D", "Type each die, not the total"),
    ],
)  # fmt: skip
def test_spaces_between_dice_are_meant(typed: str, dice: str, read: list[int] | str) -> None:
    asked = [parse(each) for each in dice.split()]
    if isinstance(read, list):
        assert pips(typed, asked) == read
    else:
        with pytest.raises(UserError, match=read):
            pips(typed, asked)


def test_what_may_be_a_total_is_asked_back_until_dice_have_been_typed(b17: Pack) -> None:
    mission = wave(b17)
    mission.pending = [Pending.of({"roll": "O-1", "bind": {}, "born": 1}) for _ in range(3)]
    player = Prompts(mission)

    def rolled() -> list[list[int]]:
        return [entry["d"] for entry in mission.journal.entries if entry["t"] == "O-1"]

    player.type("12")
    assert player.question.startswith("Enter accepts") and "12 is a 1 and a 2, not a total" in player.shown.getvalue()
    player.type("12", "66")
    assert rolled() == [[6, 6]]
    player.type("11")
    assert rolled() == [[6, 6], [1, 1]]  # by now it is known how dice are typed


def test_the_fighters_driven_off_are_named_in_one_line(b17: Pack) -> None:
    mission = wave(b17, NINE, HALF_PAST_ONE, ("12", "high"))
    mission.pending = [Pending.of({"choose": "driven-off", "bind": {}, "born": 1}) for _ in range(2)]
    player = prompted(mission)
    assert player.question.startswith("2 numbers (1 2), or Enter")
    player.type("1 3")
    assert [fact(mission, "fighter.type", fighter=each) for each in "123"] == ["none", "me109", "none"]
    mission.undo()  # the line
    assert [fact(mission, "fighter.type", fighter=each) for each in "123"] == ["me109"] * 3


def test_a_rulebook_table_is_announced_once() -> None:
    teller = Narrator()
    results = [Result("5-9") for _ in range(3)]
    for result in results:
        result.patched = [{"table": "5-9", "reason": REASON}, {"table": "5-9", "reason": "club rule 1"}]
        teller.add([result])
    reasons = [[each["reason"] for each in result.patched] for result in results]
    assert reasons == [[REASON, "club rule 1"], ["club rule 1"], ["club rule 1"]]


def test_what_the_book_says_for_every_man_is_said_once(b29: Pack) -> None:
    # one of the eleven is killed; `all` answers for the ten after him, and ends with them
    mission = begun(b29, {"zone": 12, "altitude": "med", "below": "sea"})
    men = list(b29.sheet.index["position"])
    mission.pending = [Pending.of({"roll": "8-4", "bind": {"position": man}, "born": 1}) for man in men]
    player = Prompts(mission)
    player.type("1", "3")  # comes down, and is lost at sea on 8-6
    assert f'in this order; "all 1" is for all {len(men) - 1} (safe, safe, …; with dice' in player.question
    player.type("all 9")  # a row that the rules do not name is the book's words, and never for all
    assert player.question == "Enter keeps the note, or type another answer: "
    shown = player.type("2", "all 2")
    assert ": 0 " not in shown  # dice that were read in the book are not in the digest
    assert [mission.state[f"crew.{man}"] for man in men[1:]] == ["kia"] * (len(men) - 1)
    assert mission.state[f"fate.{men[0]}"] != "none"
    assert not [item for item in mission.pending if item.is_for("roll", "8-4")]
    assert not player.flyer.tray
    # two are both, and a line typed after a refused one is read on its own
    wings = [{"roll": "7-5.a", "bind": {"area": f"{side}-wing"}, "born": 1} for side in ("port", "starboard")]
    mission.pending = [*map(Pending.of, wings), Pending.of({"roll": "2-2B", "born": 1})]
    prompted(mission, "all 1", "34 Nagoya", "45 high")
    rolled = [(each["o"], each.get("d")) for each in mission.journal.entries if each["t"] in ("7-5.a", "2-2B")]
    assert rolled == [("none", None), ("none", None), ("hi", [4, 5])]


def test_all_answers_only_for_men_with_the_same_modifiers(b29: Pack) -> None:
    # 8-6 after a ditching with one raft hit: +1 for those in the other raft alone
    mission = Mission(b29, number=1)
    men = list(b29.sheet.index["position"])[:3]
    rafts = {f"rafts.{next(iter(b29.sheet.index['bay']))}": "hit", f"raft.{men[0]}": "yes", f"raft.{men[2]}": "yes"}
    mission.write({"zone": 3, "ditching": "successful", **rafts})
    mission.pending = [Pending.of({"roll": "8-6", "bind": {"position": man}, "born": 1}) for man in men]
    player = prompted(mission, "all rescued")
    assert [fact(mission, f"fate.{man}") for man in men] == ["duty", "none", "none"]
    player.type("lost")
    assert [fact(mission, f"fate.{man}") for man in men] == ["duty", "las", "duty"]


def test_a_look_at_the_sheet_leaves_the_roll_waiting(b17: Pack, monkeypatch: pytest.MonkeyPatch) -> None:
    mission = Mission(b17, {"zone": 3}, [Pending.of({"roll": "P-1", "born": 1})], number=1)
    player = Prompts(mission)
    player.flyer.moves(mission)
    waiting = player.flyer.question
    monkeypatch.setattr(terminal, "ask", lambda question: "s")
    with pytest.raises(TypedCommand):
        player.flyer.put()
    assert player.flyer.moves(mission) == [] and player.flyer.question is waiting is not None
    monkeypatch.setattr(terminal, "ask", lambda question: "66")
    player.flyer.put()
    assert player.flyer.moves(mission)[0][0].dice == [6, 6]
