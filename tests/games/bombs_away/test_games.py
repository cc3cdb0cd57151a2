"""Whole games of Bombs Away!, automatic and by command."""

import random
from pathlib import Path

import pytest

from companion.engine.fields import Value
from companion.engine.questions import ChoiceQuestion, FieldQuestion
from companion.engine.resolution import Result
from companion.packs import Pack
from companion.play.conversation import Chance
from companion.play.mission import Mission
from tests.games.bombs_away.table import BOX, COSTS
from tests.support import Run, Terminal, fact, fly, slow_but


def made_up(pack: Pack, rng: random.Random) -> dict[str, Value]:
    """Return figures for everything that is only on the cards, and some of the optional rules."""
    figures: dict[str, Value] = {**BOX, **COSTS, "lines": 2, "from.1": -99, "who.1": "axis", "from.2": 12}
    figures["who.2"] = "allied"
    for plane, has in pack.sheet.index["plane"].items():
        figures |= {f"known.{plane}": "yes", f"dogfight.{plane}": rng.randint(1, 5), f"slow.{plane}": "yes"}
        figures |= {f"payload.{plane}": rng.randint(0, 5) if has["side"] == "allied" else 0, f"night.{plane}": "yes"}
        figures |= {f"designed.{plane}": rng.randint(1, 9), f"flies.{plane}": rng.choice(["normal", "low", "high"])}
    for target in pack.sheet.index["target"]:
        figures |= {f"known.{target}": "yes", f"symbols.{target}": rng.randint(1, 2), f"points.{target}": 1}
        figures |= {f"loses.{target}": rng.randint(0, 2), f"draw.{target}": rng.choice(["yes", "no"])}
    for size in range(1, 7):
        figures |= {f"cost.new.{size}": size, f"cost.raise.{size}": size}
    for option in ("slow", "altitude", "night", "crash", "being", "fighters", "bouncing"):
        figures[f"option.{option}"] = rng.choice(["yes", "no"])
    figures["option.commitment"] = rng.choice(["no", "both", "allied", "axis"])
    return figures


class VaryingChance(Chance):
    """An automatic player that does not always take the usual option."""

    def choice(self, need: ChoiceQuestion) -> str:
        return super().choice(need) if self.rng.random() < 0.6 else self.rng.choice(need.options).name

    def field(self, question: FieldQuestion) -> str:
        return str(self.rng.randint(-3, 3)) if question.name == "cards.effect" else super().field(question)


@pytest.mark.section("bombs-away V D")
@pytest.mark.parametrize("seed", slow_but(range(8), 2))
def test_automatic_games_end_and_no_card_is_lost(pack: Pack, seed: int) -> None:
    rng = random.Random(seed)
    game = Mission(pack)
    if seed % 5:
        game.write(made_up(pack, rng))
    flak = 20 if seed % 5 else 4

    def look(_: list[Result]) -> None:
        state = {name: value for name, value in game.state.items() if isinstance(value, int)}
        assert all(state[name] >= 0 for name in state if pack.sheet.fields[name].kind in ("count", "boxes"))
        if "flak.here" in state:
            assert state["deck"] + state["discard"] + state["hand.allied"] + state["hand.axis"] == 50
            lying = bool(state["flak.here"]) + sum(n for name, n in state.items() if name.startswith("flak.out."))
            assert fact(game, "flak.available") + fact(game, "flak.researched") + lying == flak

    assert fly(game, Chance(rng) if seed % 2 else VaryingChance(rng), each=look)
    assert game.state["step"] == "end"
    assert game.state["turn"] == 9 or game.state["surrender"] == "yes"
    assert fact(game, "flak.available") + fact(game, "flak.researched") == flak


def test_the_commands_work_on_it_and_figures_are_kept_for_the_next_game(companion: Run) -> None:
    assert companion("new", "Reich", "--game", "bombs-away", "--yes").code == 0
    assert companion("mission", "start", "--yes").code == 0
    assert companion("set", "dogfight.me110g=4", "cards.1=8", "cost.aircraft.axis=2").code == 0
    assert companion("status").code == companion("next").code == 0
    assert companion("fly", "--auto", "--seed", "1").code == 0
    assert "Turn cards played" in companion("sheet", "mission").out
    assert companion("status", "--json").json["facts"]["step"] == "end"
    assert companion("mission", "start", "--yes").code == 0
    facts = companion("status", "--json").json["facts"]
    assert (facts["mission.number"], facts["dogfight.me110g"], facts["cards.1"], facts["turn"]) == (2, 4, 8, 0)


def test_a_waiting_question_can_be_looked_at(companion: Run, tmp_path: Path) -> None:
    companion("new", "Reich", "--game", "bombs-away", "--yes")
    companion("mission", "start", "--yes")
    script = tmp_path / "answers.txt"
    script.write_text("cards.1: 8\n")
    assert companion("fly", "--dice-from", script).code == 0
    assert companion("status", "--json").json["pending"][0]["ask"] == "cards.2"
    assert "Flak 2, cards in the box?" in companion("next").out
    assert "Flak 2, cards in the box?" in companion("status").out


def test_a_game_without_aircraft_or_crew_asks_for_neither(companion: Run) -> None:
    terminal = Terminal("new", "Generals", "--game", "bombs-away").expect("Start with")
    assert "Aircraft" not in terminal.before


@pytest.mark.slow
def test_the_figures_of_the_box_do_not_bury_the_settings(companion: Run) -> None:
    companion("new", "Generals", "--game", "bombs-away")
    companion("mission", "start", "--yes")
    companion("fly", "--auto", "--seed", "12")
    shown = companion("campaign").out
    kept = companion("campaign", "--json").json["settings"]
    figures = [name for name in kept if not name.startswith("setting.") and kept[name] is not None]
    assert len(figures) > 20
    assert "37 figures from your rulebook" in shown
    assert shown.count("known.") == 0
