"""`companion luck`, the dice that were rolled, and `companion forecast`, what is ahead."""

import itertools
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path

import pytest

from companion.cli import forecast
from companion.cli.odds import comparison, verdict
from companion.engine.dice import Hand
from companion.engine.fields import Value
from companion.engine.questions import Pending
from companion.packs import Pack
from companion.play.dice_stats import SIX, TWO, DiceCounts, Luck, accounts_of, beyond, luck_of
from companion.play.lookahead import ForecastRun
from companion.play.mission import Mission
from tests.support import END, Run, Terminal, begin, fly_script
from tests.watch import flown


# quantiles of the chi-squared distribution as statistical tables print them
@pytest.mark.parametrize(
    ("squares", "freedom", "share"),
    [
        (3.841, 1, 0.05), (11.070, 5, 0.05), (15.086, 5, 0.01), (18.307, 10, 0.05), (4.351, 5, 0.5), (49.802, 35, 0.05),
        (0.554, 5, 0.99),
    ],
)  # fmt: skip
def test_the_share_beyond_is_that_of_the_printed_tables(squares: float, freedom: int, share: float) -> None:
    assert beyond(squares, freedom) == pytest.approx(share, abs=0.0005)


def rolls_of(rng: random.Random, weights: list[int], count: int) -> DiceCounts:
    fall = DiceCounts(SIX)
    fall.counts.update(rng.choices(range(1, 7), weights, k=count))
    return fall


def test_a_six_twice_as_often_is_found_out_after_600_throws() -> None:
    rng = random.Random(21)
    assert "too few" in verdict(rolls_of(rng, [0, 0, 0, 0, 0, 1], 20))
    assert "dice look fair" in verdict(rolls_of(rng, [1] * 6, 600))
    sentences = [verdict(rolls_of(rng, [1, 1, 1, 1, 1, 2], 600)) for _ in range(300)]
    assert all("rarely" in each and "too many 6s" in each for each in sentences)


def test_cells_that_expect_too_little_are_tested_together() -> None:
    """36 rolls of two dice: 2 and 12 are each expected once, and are merged with their neighbors."""
    two = DiceCounts(TWO)
    two.counts.update(TWO)
    assert two.count == 36
    assert two.fairness() == 1
    assert DiceCounts(TWO).fairness() is None


def shots(*dice: int) -> Luck:
    """Return the tail guns' shots at an Me 109 from 6 high (M-1: hit on 4 or more), one for each die."""
    mission = Mission(Pack("b17"), number=3)
    state: dict[str, Value] = {"zone": 4, "fighter.1.type": "me109", "fighter.1.clock": "6", "fighter.1.angle": "high"}
    mission.state.update({**state, "slots.fighter": 1})
    for die in dice:
        mission.pending.append(Pending.of({"roll": "M-1", "bind": {"gun": "tail", "fighter": "1"}}))
        mission.roll("M-1", Hand([[die]]))
        mission.pending.clear()
    return luck_of([mission])


@pytest.mark.section("b17 6.3 b")
def test_hits_given_are_weighed_by_the_odds_that_they_had() -> None:
    luck = shots(1, 2, 3, 4)
    (account,) = accounts_of(luck.rolls)
    assert (account.rolls, account.came, float(account.expected)) == (4, 1, 2.0)
    assert {each.chance for each in luck.rolls} == {Fraction(1, 2)}
    assert comparison(account) == "Our guns: 1 of 4 rolls, 2.0 expected (bad luck)"
    assert [each.entry["d"] for each in luck.best(5)] == [[4]]
    assert [each.entry["d"] for each in luck.best(5, lucky=False)] == [[1], [2], [3]]


def test_every_die_of_a_journal_is_counted(b29: Pack) -> None:
    mission = flown(b29, 2)
    luck = luck_of([mission])
    dice = [die for entry in mission.journal.entries for die in entry.get("d", []) if entry["v"] == "roll"]
    assert {face: luck.faces.counts[face] for face in SIX} == {face: dice.count(face) for face in SIX}
    for account in accounts_of(luck.rolls):
        assert 0 <= account.came <= account.rolls
        assert 0 < account.expected < account.rolls


@pytest.fixture
def flew(companion: Run) -> Run:
    begin(companion, "b17")("fly", "--auto", "--seed", 7)
    return companion


def test_it_is_shown_in_bars_and_sentences(flew: Run) -> None:
    shown = flew("luck").out
    assert "Each face" in shown
    assert "█" in shown
    assert "Compared with the odds" in shown
    assert "Luckiest rolls" in shown
    assert max(map(len, shown.splitlines())) <= 120


ACE = ("--with", "fighter.clock=6", "--with", "fighter.pilot=ace")


def test_an_ace_at_6_hits_with_6_or_more_on_two_dice(companion: Run) -> None:
    report = companion("odds", "5-9", "--game", "b29", *ACE, "--json").json
    assert (report["game"], report["table"]) == ("b29", "5-9")
    assert report["outcomes"] == {
        "miss": {"ways": 10, "of": 36, "p": 0.2778},
        "hit": {"ways": 26, "of": 36, "p": 0.7222},
    }
    assert report["modifiers"] == [{"add": 1, "why": "ace fighter pilot", "cite": "5-5"}]


def test_an_unmodified_12_always_hits(companion: Run) -> None:
    """From 12 o'clock, 9 or more hits; evasive action, a green pilot, a Tojo and three FCA subtract 6."""
    facts = ("fighter.clock=12", "evasive=yes", "fighter.pilot=green", "fighter.type=tojo", "fighter.fca=3")
    given = [word for fact in facts for word in ("--with", fact)]
    report = companion("odds", "5-9", "--game", "b29", *given, "--json").json
    assert report["outcomes"]["hit"] == {"ways": 1, "of": 36, "p": 0.0278}


def test_two_cases_side_by_side(companion: Run) -> None:
    """7 or more hits from 6 o'clock: 21 ways; with evasive action 8 or more: 15."""
    case = ("odds", "5-9", "--game", "b29", "--with", "fighter.clock=6", "--compare", "evasive=yes")
    report = companion(*case, "--json").json
    assert report["outcomes"]["hit"]["ways"] == 21
    assert report["compared"]["with"] == {"evasive": "yes"}
    assert report["compared"]["outcomes"]["hit"]["ways"] == 15
    shown = companion(*case).out
    assert "58.33%" in shown and "41.67%" in shown and "evasive=yes  (-1)" in shown


@pytest.mark.slow
def test_bars_are_plain_on_a_pipe_and_keep_to_80_columns(companion: Run) -> None:
    for arguments in (["5-9", *ACE], ["6-7", "--with", "bomb-run=on"]):
        ran = companion("odds", *arguments, "--game", "b29")
        assert ran.code == 0, ran.err
        assert "\x1b" not in ran.out and "█" in ran.out
        assert max(map(len, ran.out.splitlines())) <= 80


@pytest.mark.slow
def test_a_formula_is_worked_out_with_every_die(companion: Run) -> None:
    """6-7 on target: 60 is printed at 3 (2 ways of 36), and it is also 3D x 1D with a product of 60."""
    report = companion("odds", "6-7", "--game", "b29", "--with", "bomb-run=on", "--json").json["outcomes"]
    assert sum(each["ways"] for each in report.values()) == 36 * 6**4
    products = [(a + b + c) * d for a, b, c, d in itertools.product(range(1, 7), repeat=4)]
    expected = Fraction(2, 36) + Fraction(3, 36) * Fraction(products.count(60), 6**4)
    assert Fraction(report["60"]["ways"], report["60"]["of"]) == expected
    assert Fraction(report["95"]["ways"], report["95"]["of"]) == Fraction(1, 36) * Fraction(6, 36)  # 88 and a 7
    assert list(report) == sorted(report, key=int)


def test_the_odds_of_an_owner_table_are_in_the_book(companion: Run) -> None:
    ran = companion("odds", "8-1", "--game", "b29")
    message = (
        "8-1 is printed only in your rulebook, so its odds are unknown. Copy its rows with: companion tables change 8-1"
    )
    assert (ran.code, ran.err) == (2, f"{message}\n")


def test_a_fact_that_changes_nothing_for_a_table_is_said_to(companion: Run) -> None:
    ran = companion("odds", "4-2", "--game", "b29", "--compare", "evasive=yes")
    assert "evasive=yes makes no difference to this table right now." in ran.out
    assert ran.out.count("good") == 1 and "right now  (" not in ran.out  # once, not twice the same
    ran = companion("odds", "5-1", "--game", "b29", "--compare", "altitude=hi")
    assert "makes no difference" not in ran.out and "right now  (" in ran.out
    same = companion("odds", "4-2", "--game", "b29", "--compare", "evasive=yes", "--json").json
    assert same["compared"]["outcomes"] == same["outcomes"]


OVER_ENGLAND = (
    "step=landing", "zone=1", "leg=inbound", "target.zone=5", "weather.base=good", "bombs=dropped", "ask-again=yes",
)  # fmt: skip


def chances(shown: dict[str, dict[str, float]], *names: str) -> list[float]:
    """Return the chances by name."""
    return [shown[name]["p"] for name in names]


def over_england(companion: Run, *facts: str) -> None:
    """Bring a B-17 with these facts to the question how to land."""
    begin(companion, "b17", *OVER_ENGLAND, *facts)
    assert fly_script(companion, "").code == 0


def landing(companion: Run, missions: int) -> dict[str, dict[str, dict[str, float]]]:
    """Return the forecast for each way to land."""
    ran = companion("forecast", "--missions", missions, "--seed", "4", "--json")
    assert (ran.code, ran.err) == (0, "")
    return ran.json["options"]  # type: ignore[no-any-return]


@pytest.mark.slow
@pytest.mark.section("b17 16.2")
def test_a_sound_bomber_lands_and_one_that_all_leave_does_not(companion: Run) -> None:
    """G-9 has no modifiers: 2 or more on two dice is safe. If everyone bails out, the bomber crashes."""
    over_england(companion)
    options = landing(companion, 100)
    assert chances(options["land"], "home", "counts") == [1.0, 1.0]
    assert chances(options["bail-out"], "home", "counts") == [0.0, 1.0]
    assert options["land"]["lost"]["mean"] == 0.0
    assert options["land"]["home"]["low"] == pytest.approx(100 / (100 + 3.8415), abs=1e-4)  # Wilson's, all of 100


@pytest.mark.slow
@pytest.mark.section("b17 16.2")
def test_a_bad_landing_is_as_likely_as_its_odds_say(companion: Run) -> None:
    """Gear and brakes out, one engine running: -8. With 8 or more on two dice everyone comes home: 15 ways of 36."""
    engines = ("engine.1=out", "engine.2=out", "engine.3=out")
    over_england(companion, *engines, "gear.controls=out", "brakes.port=out", "brakes.starboard=out")
    options = landing(companion, 300)
    outcomes = companion("odds", "G-9", "--json").json["outcomes"]
    down = sum(outcomes[name]["p"] for name in ("safe", "repairable", "irreparable") if name in outcomes)
    assert down == pytest.approx(15 / 36, abs=1e-3)
    home = options["land"]["home"]
    assert home["low"] < down < home["high"] and home["high"] - home["low"] < 0.12


@pytest.mark.slow
def test_from_take_off_it_is_one_object(companion: Run, queens: Run) -> None:
    ran = companion("forecast", "--missions", "20", "--seed", "3", "--json")
    assert (ran.code, ran.err) == (0, "")
    shown = ran.json
    assert (shown["game"], shown["seed"], shown["missions"], shown["options"]) == ("b17", 3, 20, {})
    for name in ("home", "bombed", "counts"):
        assert 0 <= shown[name]["low"] <= shown[name]["p"] <= shown[name]["high"] <= 1
        assert shown[name]["p"] * 20 == pytest.approx(round(shown[name]["p"] * 20), abs=0.01)
    for name in ("lost", "engines", "percent"):
        assert 0 <= shown[name]["low"] <= shown[name]["mean"] <= shown[name]["high"]
    assert companion("forecast", "--missions", "20", "--seed", "3", "--json").json == shown
    assert companion("forecast", "--missions", "20", "--seed", "4", "--json").json != shown


@pytest.mark.slow
def test_nothing_is_recorded(companion: Run, queens: Run, data_folder: Path) -> None:
    def files() -> dict[Path, bytes]:
        return {path: path.read_bytes() for path in (data_folder / "campaigns").rglob("*") if path.is_file()}

    before = files()
    assert len(before) >= 2
    assert "Nothing was saved." in companion("forecast", "--missions", "10", "--with", "target.zone=3").out
    assert files() == before


@pytest.mark.slow
def test_a_forecast_for_people_fits_into_80_columns(companion: Run) -> None:
    over_england(companion)
    for arguments in (["--missions", "40"], ["--missions", "40", "--with", "engine.1=out", "--seed", "1"]):
        ran = companion("forecast", *arguments)
        assert ran.code == 0
        lines = ran.out.splitlines()
        assert max(map(len, lines)) <= 80 and "\x1b" not in ran.out
        assert lines[0].startswith("Land, or bail out over England?")
        assert (lines[1].split(), lines[2].split()) == ("some bail out, the rest".split(), ["land", "*", "land"])
        assert lines[3].startswith("The bomber gets home ")
        assert lines[3].split()[4:] == ["100%", "(91-100)", "100%", "(91-100)"]
        below = lines.index(f"{'all bail out':>50}")
        assert lines[below + 1].split()[4:] == ["0%", "(0-9)"]
        assert "40 missions for each option" in ran.out.replace("\n", " ")


@pytest.mark.slow
def test_rulebook_tables_are_named_and_never_guessed_unasked(companion: Run) -> None:
    asked = ("forecast", "--game", "b29", "--missions", "10", "--seed", "2")
    ran = companion(*asked)
    assert (ran.code, ran.out) == (3, "")
    assert ran.err.startswith("The forecast needs ") and "companion forecast --assume even" in ran.err
    assert len(ran.err.splitlines()) <= 3
    assert companion(*asked, "--json").code == 3
    even = companion(*asked, "--assume", "even")
    assert even.code == 0
    assert even.out.startswith("The bomber gets home ")
    assert len(even.out.splitlines()) <= 12 and "of your rulebook: all results treated as equally likely." in even.out
    assumed = companion(*asked, "--assume", "even", "--json").json["assumed"]
    assert {"table": "2-4", "title": "Place in the squadron", "met": 1.0} in assumed


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--missions", "0"], "--missions must be a number from 1 to 1,000,000, not 0."),
        (["--assume", "worst"], "--assume must be even, not worst."),
        (["--with", "crew.lost=1"], "crew.lost isn't on the log sheet."),
        (["--with", "step=end"], "The mission is over, so there is nothing left to forecast."),
    ],
)
def test_what_it_does_not_take_is_said(companion: Run, arguments: list[str], sentence: str) -> None:
    ran = companion("forecast", "--game", "b17", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(sentence)


def test_many_options_take_one_line_each(capsys: pytest.CaptureFixture[str]) -> None:
    """Ten B-17 men may change places: one column each would take five screens."""
    mission = Mission(Pack("b17"))
    mission.write({"zone": "3", "leg": "outbound", "crew.ball-gunner": "kia"})
    mission.pending[:] = [Pending("choose", "other-move", {"more-moves": "yes"})]
    ahead = ForecastRun(mission, 1)
    assert sum(ahead.fly(1, 1)) == len(ahead.options) > 6
    forecast.show_forecast(ahead)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) < 20 and max(map(len, lines)) <= 80
    assert len([line for line in lines if line.count("%") == 3]) == len(ahead.options)


@pytest.mark.slow
def test_ctrl_c_shows_the_results_so_far(companion: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def impatient(missions: int) -> Iterator[Callable[[int], None]]:
        flown = list[int]()

        def tick(stretch: int) -> None:
            flown.append(stretch)
            if sum(flown) >= 40:
                raise KeyboardInterrupt

        yield tick

    monkeypatch.setattr(forecast, "progress", impatient)
    monkeypatch.setattr(forecast, "cores", lambda: 1)
    ran = companion("forecast", "--game", "b17", "--missions", "50000")
    assert ran.code == 0
    assert "Stopped after 40 missions" in ran.out


@pytest.mark.slow
def test_the_key_f_looks_ahead_and_the_question_is_asked_again(companion: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forecast, "USUAL", 50)
    over_england(companion)
    terminal = Terminal("fly").expect("Enter for 1: ")
    terminal.say("f", "The bomber gets home +100% .*Nothing was saved", "Enter for 1: ")
    terminal.say("q", END)


@pytest.mark.slow
def test_in_a_flight_rulebook_results_are_guessed_only_at_the_players_request(
    companion: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forecast, "USUAL", 50)
    begin(companion, "b29", "setting.steps=all")
    terminal = Terminal("fly").expect(": ")
    terminal.say("f", "printed only in your rulebook", "f even")
    terminal.say("f even", "%", "all results treated as equally likely", "Nothing was saved")
    terminal.say("q", END)
