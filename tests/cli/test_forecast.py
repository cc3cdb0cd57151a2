"""`companion forecast`: its output and errors, and that nothing is saved."""

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from rich.console import Console

from companion.cli import forecast
from companion.engine.questions import Pending
from companion.packs import Pack
from companion.play.lookahead import ForecastRun
from companion.play.mission import Mission
from tests.support import END, Run, Terminal, begin, fly_script

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
    again = companion("forecast", "--missions", "20", "--seed", "3", "--json").json
    assert again == shown
    assert companion("forecast", "--missions", "20", "--seed", "4", "--json").json != shown


@pytest.mark.slow
def test_nothing_is_recorded(companion: Run, queens: Run, data_folder: Path) -> None:
    def files() -> dict[Path, bytes]:
        return {path: path.read_bytes() for path in (data_folder / "campaigns").rglob("*") if path.is_file()}

    before = files()
    assert len(before) >= 2
    shown = companion("forecast", "--missions", "10", "--with", "target.zone=3").out
    assert "Nothing was saved." in shown
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


def test_many_options_take_one_line_each() -> None:
    """Ten B-17 men may change places: one column each would take five screens."""
    mission = Mission(Pack("b17"))
    mission.write({"zone": "3", "leg": "outbound", "crew.ball-gunner": "kia"})
    mission.pending[:] = [Pending("choose", "other-move", {"more-moves": "yes"})]
    ahead = ForecastRun(mission, 1)
    assert sum(ahead.fly(1, 1)) == len(ahead.options) > 6
    out = Console(file=io.StringIO(), width=80, color_system=None)
    forecast.show(ahead, out)
    lines = out.file.getvalue().splitlines()  # type: ignore[attr-defined]
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
