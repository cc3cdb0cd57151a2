"""`companion status` and what fits on a screen."""

import json
import random
import re
from collections import Counter

import pytest

from companion.cli import terminal
from companion.cli.flyer import briefly
from companion.cli.main import main
from companion.cli.status import ending, status_lines
from companion.cli.terminal import broken, cropped
from companion.engine.questions import Pending
from companion.engine.resolution import Result
from companion.packs import Pack
from companion.play.conversation import Chance
from companion.play.mission import Mission
from companion.render.describe import in_flight
from companion.render.options import numbered
from companion.render.report import debrief
from companion.render.sheet_model import SheetModel
from companion.render.situation import Line
from companion.store.session import Session
from tests.screens import status, statuses
from tests.support import Run, Window, begin, begun, fly, slow_but

ROWS, COLUMNS = 23, 80  # a terminal of 24 rows with the line where the next command is typed
GAMES = ["b17", "b29", "b29-streamliner", "bombs-away"]


@pytest.mark.parametrize("game", ["b17", "b29"])
def test_all_of_the_status_has_every_box(companion: Run, game: str) -> None:
    shown = begin(companion, game)("status", "--all").out
    assert max(map(len, shown.splitlines())) <= COLUMNS
    rows = re.findall(r"[ :]([Xo]+(?: [Xo]+)*)  \d+ left", shown)
    sheet, named = Pack(game).sheet, SheetModel(Pack(game), {}).boxes()
    limits = [limit for _, _, limit in named if limit > 5]
    assert Counter(limits) <= Counter(row.count("o") for row in rows)
    assert all(sheet.under(name) in shown for name, *_ in named[:1])


@pytest.mark.parametrize("game", GAMES)
def test_the_worst_there_can_be_keeps_to_the_width_and_hides_no_damage(game: str) -> None:
    """Every field has its last value, every box is crossed off, and a dozen things are pending."""
    pack = Pack(game)
    mission = Mission(pack, number=1)
    for name, field in pack.sheet.fields.items():
        if field.values:
            mission.state[name] = field.values[-1]
        elif field.numeric:
            mission.state[name] = field.limit if field.limit is not None else 12
        else:
            mission.state[name] = "Bartholomew Featherstonehaugh"
    mission.state["step"] = ""
    mission.pending = [
        Pending.of({"order": "come down to where the air can be breathed, every one of you, before the next turn"})
    ] * 12
    lines = status(mission)
    assert max(map(len, lines)) <= COLUMNS
    words = " ".join(" ".join(lines).split())
    assert all(title in words and told[-1] in words for title, told in SheetModel(pack, mission.state).damage())
    assert sum("›" in line or "!" in line for line in lines) <= 3


@pytest.mark.parametrize("game", slow_but(GAMES, 0))
@pytest.mark.parametrize("seed", [1])
def test_most_states_of_a_mission_fit_into_a_window(game: str, seed: int) -> None:
    """Only damage may make it longer; `python -m tests.bench.names` checks hundreds of missions."""
    lengths = []
    for lines in statuses(Pack(game), seed):
        assert max(map(len, lines)) <= COLUMNS, lines
        lengths.append(len(lines))
    assert sorted(lengths)[len(lengths) // 2] <= ROWS and max(lengths) <= 30


def test_the_status_shows_damage_and_seats(queens: Run) -> None:
    queens("set", "crew.pilot=kia", "crew.tail-gunner=light", "frostbite.ball-gunner=yes", "oxygen.navigator=1")
    queens("set", "engine.2=out", "engine.4=runaway", "gun.top=broken", "ammo.nose=15", "ammo.tail=3", "radio=out")
    queens(
        "set", "heat.engineer=out", "fighter.3.type=me109", "fighter.3.clock=1:30", "fighter.3.angle=high",
        "seat.bombardier=navigator", "ball.trapped=yes", "wounds.tail-gunner=2", "prop.1=drag",
    )  # fmt: skip
    out = queens("status").out
    shown = " ".join(out.split())
    for words in (
        "Engine 2 out", "Engine 4 runaway", "Top turret broken", "Radio out", "Heat: Engineer out", "Propeller 1 drag",
        "Pilot Warren Tuttle KIA", "Copilot", "Mulvaney light, light wounds 2", "Ball gunner Nick Abruzzo frostbite",
        "Bombardier (navigator) Simon Ostrow;", "Navigator (bombardier) Leo Farkas oxygen 1 of 2", "Nose gun 0 of 15",
        "Guns: Ball gunner trapped in the turret", "Tail guns 20 of 23",
    ):  # fmt: skip
        assert words in shown
    assert "Engine 1" not in shown
    lines = out.splitlines()
    assert [line.split(":")[0] for line in lines if "Engine 2" in line or line.startswith("Crew")] == [
        "Engines and guns",
        "Crew",
    ]
    assert [line for line in lines if "Me 109" in line] == [
        "Fighter 3: Me 109 from 1:30 high  starboard cheek on 6, starboard waist on 6,"
    ]


@pytest.mark.section("b29 2.3 G")
def test_an_auxiliary_tank_that_is_not_installed_says_nothing(owls: Run) -> None:
    owls("set", "aux.fwd=none", "aux.aft=installed")
    shown = " ".join(owls("status").out.split())
    assert "forward bay" not in shown and "Auxiliary tank, aft bay ☐☐☐☐ 4 left" in shown
    owls("set", "aux.aft=jettisoned", "fuel.aft=4")
    assert "Auxiliary tank, aft bay ☒☒☒☒ 0 left" in " ".join(owls("status").out.split())


def test_a_mission_that_is_over_says_how_it_ended(b29: Pack) -> None:
    mission = Mission(b29, number=1)
    fly(mission, Chance(random.Random(7)))
    assert status(mission)[1].startswith(f"{str(mission.state['target.city']).capitalize()}, mission 1: ")


def test_the_lost_and_the_hurt_are_named_at_the_end(b17: Pack) -> None:
    mission = begun(b17, {"name.pilot": "Dan Kerr", "crew.pilot": "serious", "fate.pilot": "ih", "crew.copilot": "kia"})
    mission.write({"name.tail-gunner": "Roy Beck", "crew.tail-gunner": "light", "frostbite.tail-gunner": "yes"})
    assert [line.text for line in ending(Session(mission))][1:5] == [
        "Killed: Copilot.", "Invalided home: Dan Kerr (pilot).", "Lightly wounded: Roy Beck (tail gunner).",
        "Frostbitten: Roy Beck (tail gunner).",
    ]  # fmt: skip


@pytest.mark.section("b29 7.6 A")
def test_a_man_who_changed_seats_is_named_with_his_own_post(b29: Pack) -> None:
    mission = begun(b29, {"seat.left-gunner": "radar-operator", "seat.radar-operator": "left-gunner"})
    mission.write({"name.left-gunner": "Abe Feldman", "crew.left-gunner": "serious", "fate.left-gunner": "dow"})
    assert "Died of wounds: Abe Feldman (radar operator)." in debrief(Session(mission))


def test_a_flight_from_a_script_ends_with_the_lost_and_what_to_type(companion: Run) -> None:
    begin(companion, "b17")
    lines = companion("fly", "--auto", "--seed", "7").out.splitlines()
    end = lines[lines.index("Amiens, mission 1: Prairie Lantern landed safely.") :]
    assert end[3] == "Died of wounds: Leo Farkas (bombardier)."
    commands = [line.partition("companion ")[2] for line in end if "companion " in line]
    assert commands[:2] == ['crew bombardier "NAME"', "crew --random"] and commands[-1] == "mission start"
    assert companion("status").out.splitlines()[1:5] == end[:4]
    assert companion("crew", "bombardier", "Bob Hale").code == 0


def test_status_knows_every_fact_and_what_is_pending(owls: Run) -> None:
    owls("roll", "5-1", "--dice", "4,4")
    status = owls("status", "--json").json
    assert (status["campaign"], status["game"], status["mission"]) == ("Night Owls", "b29", 1)
    assert status["facts"]["engines.out"] == 0
    assert status["facts"]["fuel.wing"] == 0
    assert status["pending"][0]["table"] == "5.2A"
    assert owls("next", "--json").json["pending"] == status["pending"]


def test_above_the_plan_of_the_guns_it_says_who_sits_where_and_fits_the_screen(b17: Pack) -> None:
    """Five fighters, damage and wounded men: the question takes nine rows of 24, and the status fits the rest."""
    mission = Mission(b17, number=1)
    mission.write({"zone": 3, "step": "dodge", "gun.ball": "jammed", "engine.2": "out", "crew.tail-gunner": "serious"})
    mission.write({"radio": "out"} | {f"name.{man}": f"Man {at}" for at, man in enumerate(b17.sheet.index["position"])})
    for at, (clock, angle) in enumerate([("10:30", "high"), ("3", "level"), ("12", "high"), ("6", "low")], 1):
        mission.write({f"fighter.{at}.type": "me109", f"fighter.{at}.clock": clock, f"fighter.{at}.angle": angle})
    assert "Fighter 2: Me 109 from 3 level     top on 5+, starboard waist on 6" in status(mission)
    mission.pending = [Pending("choose", "aim", {"gun": gun}) for gun in ("nose", "top", "starboard-waist")]
    lines = [line.margin + line.text for line in status_lines(Session(mission), below=9)]
    assert len(lines) <= ROWS - 9 and not any("Fighter 2" in line for line in lines)
    shown = " ".join(" ".join(lines).split())
    assert "Ball turret jammed" in shown and "Radio out" in shown and "Copilot Man 1;" in shown
    assert "… the rest: companion status" in [line.text for line in status_lines(Session(mission), below=16)]
    assert any("Event deck" in line.text for line in status_lines(Session(Mission(Pack("bombs-away"))), below=22))


def test_fighters_alike_share_a_line(queens: Run) -> None:
    """Two Me 109s from the same place, with the same guns bearing on them, take one line of a full screen."""
    queens("set", "zone=4")
    for fighter in ("me109 12 high", "fw190 6 level", "me109 12 high"):
        queens("set", fighter)
    shown = queens("status").out
    assert "Fighter 1, 3: Me 109 from 12 high" in shown and "Fighter 2:    Fw 190 from 6 level" in shown


def test_a_sentence_is_broken_between_words_on_a_terminal_only(companion: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    typed = "roll", "5-9", "--game", "b29", "--dice", "3,4", "--with", "gun=turret of the tail"
    message = companion(*typed).err
    assert message.count("\n") == 1 and len(message) > 81
    screen = Window()
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setenv("COLUMNS", "60")
    assert main(typed) == 2
    lines = screen.getvalue().splitlines()
    assert len(lines) > 1 and all(len(line) <= 60 for line in lines)
    assert " ".join(lines) == message.strip()


def test_options_and_prompts_are_broken_between_words(monkeypatch: pytest.MonkeyPatch) -> None:
    screen, asked = Window(), list[str]()
    monkeypatch.setattr("sys.stdout", screen)
    monkeypatch.setenv("COLUMNS", "50")
    monkeypatch.setattr("builtins.input", lambda question: asked.append(question) or "")
    texts = ["fighter 1, tony from 9 high, fired by the Central fire controller", ""]
    print("\n".join(terminal.listed(numbered(["1-cfc", "hold"], texts))))
    lines = screen.getvalue().splitlines()
    assert all(len(line) <= 50 for line in lines)
    assert lines[0].startswith("  1  1-cfc: fighter 1") and lines[1].startswith("     ") and lines[1][5] != " "
    assert lines[-1] == "  2  hold"
    terminal.ask("Steps marked with the sign of an optional rule (with or without) [with]: ")
    assert asked[0].endswith("[with]: ") and all(len(line) <= 50 for line in asked[0].splitlines())
    assert len(asked[0].splitlines()) == 2


def test_output_of_a_command_is_wrapped_between_words(owls: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long name, an order on a new sheet, and an edit of many fields that is undone and redone."""
    name = "The Twenty-First of September Evening Campaign of Bartholomew and Philippa"
    screen, wide = Window(), 60
    monkeypatch.setattr("sys.stdout", screen)
    monkeypatch.setenv("COLUMNS", str(wide))
    monkeypatch.setenv("NO_COLOR", "1")
    marked = ["engine.2=out", "tank.inboard.port=leak", "crew.tail-gunner=serious", "gun.fwd-upper=jammed"]
    begun = ["new", name, "--game", "b29", "--yes"], ["mission", "start", "--yes"], ["use", name], ["campaigns"]
    for command in (*begun, ["set", *marked], ["undo"], ["redo"], ["next"], ["done"], ["log"], ["status"]):
        screen.truncate(screen.seek(0))
        assert main(command) == 0, command
        lines = screen.getvalue().splitlines()
        assert all(len(line) <= wide or " " not in line.strip() for line in lines), command


def test_json_is_never_broken(twelfth: Run) -> None:
    out = twelfth("roll", "4-2", "--dice", "1,1", "--json").out
    assert out.count("\n") == 1 and json.loads(out)["table"] == "4-2"


def test_every_screen_keeps_to_80_columns(owls: Run) -> None:
    owls("set", "zone=12", "engine.2=out", "engine.3=out", "altitude=hi", "target.city=Shimonoseki")
    owls("roll", "7-1", "--dice", "1,1")
    for command in (["status"], ["next"], ["sheet", "mission"], ["show", "5-1"], ["show", "5-11"], ["tables", "list"]):
        ran = owls(*command)
        assert ran.code == 0, ran.err
        assert max(map(len, ran.out.splitlines())) <= 80, command
        assert "\x1b" not in ran.out


def test_a_line_goes_on_under_its_first_piece_and_letters_of_two_columns_count_as_two() -> None:
    line = Line("  dice  ", [("東京 seven ", "dim"), ("eight-and-more", "row"), ("", "")])
    told = [each.margin + each.text for each in broken(line, 18)]
    assert told == ["  dice  東京 seven", "        eight-and-", "        more"]
    assert broken(line, 18)[1].pieces == [("eight-and-", "row")]
    assert cropped(line, 15).text == "東京 s…"


def test_long_options_are_listed_below_the_short_ones_in_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout", Window())
    monkeypatch.setenv("COLUMNS", "80")
    names = [*(f"raise-flak-{number}" for number in range(1, 14)), "buy-an-event-card-and-it-is-World-War-Heats-Up"]
    lines = terminal.listed(numbered(names))
    assert len(lines) == 5 and all(len(line) <= 80 for line in lines)
    assert lines[0].split() == "1 raise flak 1 5 raise flak 5 9 raise flak 9 13 raise flak 13".split()
    assert lines[-1].startswith("  14  buy-an-event-card")


TALL = ["4-4", "4-5", "4-6", "4-7", "4-8", "7-9", "7-10"]


def rolled(table: str, text: str) -> Result:
    result = Result(table)
    result.dice, result.rolled, result.net, result.text = [3, 4], 7, 7, text
    return result


def decided(title: str, *, settled: bool, text: str = "yes") -> Result:
    result = Result("comes-back", title)
    result.decision, result.settled, result.text = True, settled, text
    result.then = ["5-8"]
    return result


def told(results: list[Result], b29: Pack, most: int) -> list[str]:
    lines = briefly(results, Session(Mission(b29, number=1)), most)
    return [line.margin + line.text for line in lines]


@pytest.mark.parametrize("most", [5, 6])
def test_the_row_that_led_to_the_question_is_never_folded_away(b29: Pack, most: int) -> None:
    shown = told([rolled(table, f"What {table} says") for table in TALL], b29, most)
    assert len(shown) == most
    assert shown[-1].endswith(" – 7 What 7-10 says")
    assert shown[-2] == f"  … {len(TALL) - most + 1} lines more in the log"
    assert shown[0].endswith("7 What 4-4 says")


@pytest.mark.parametrize(("settled", "words"), [(True, "Fighter 2 (Frank): comes back – yes"), (False, "yes")])
def test_a_decision_that_settled_itself_says_what_about(b29: Pack, settled: bool, words: str) -> None:
    result = decided("Fighter 2 (Frank): comes back?", settled=settled)
    session = Session(Mission(b29, number=1))
    assert [each.text for each in in_flight([result], session, [])] == [words.replace(" (Frank)", "")]


def step(title: str, note: str) -> Result:
    result = Result("", title)
    result.step, result.notes = True, [(note, "III A 2")]
    return result


@pytest.mark.parametrize("most", [5, 6])
def test_the_last_steps_are_always_shown(b29: Pack, most: int) -> None:
    """The order of play comes with the question: it says who places cards first."""
    before = [step("Points", "Two points are scored"), *[rolled(table, f"What {table} says") for table in TALL]]
    shown = told([*before, step("Turn", "Lay your cards"), step("Then", "Then the others")], b29, most)
    assert len(shown) == most
    assert [line.split("  ")[1] for line in shown[-2:]] == ["Lay your cards", "Then the others"]
    assert shown[-3].endswith(" – 7 What 7-10 says")
    assert not any("Two points" in line for line in shown)
