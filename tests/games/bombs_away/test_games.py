"""Whole games of Bombs Away!, by command and automatic, against a second count, and their stories."""

import random
from collections import Counter
from pathlib import Path

import pytest

from companion.engine.fields import Value
from companion.engine.questions import ChoiceQuestion, FieldQuestion
from companion.engine.resolution import Result
from companion.packs import Pack
from companion.play.conversation import Chance
from companion.play.journal import Entry
from companion.play.mission import Mission
from companion.play.script import Script
from companion.render.story import Story
from tests.games.bombs_away.table import BOX, COSTS, after_combat, laid_out, over_berlin, play
from tests.support import Run, Terminal, fact, fly, slow_but
from tests.watch import flown


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
    assert companion("next").out.count("Flak cards of each strength in the box") == 1
    assert "Flak cards of each strength in the box" in companion("status").out


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
    assert "37 figures from your cards and charts" in shown
    assert shown.count("known.") == 0


BEFORE = ("commitment-axis", "commitment-allied", "deploy", "cities")
FIGHT = ("target", "reveal", "allied-dogfights", "flak", "axis-dogfights", "bombing", "flak-reduced", "read-cards")


class Ledger:
    """A game counted by the rules from what was drawn, turned up, bought and played."""

    def __init__(self, pack: Pack, figures: dict[str, Value]) -> None:
        planes = pack.sheet.index["plane"]
        self.figures, self.side = figures, {each: str(has["side"]) for each, has in planes.items()}
        self.pile = {each: str(has["pile"]) for each, has in planes.items()}
        self.hand, self.deck, self.discard = Counter({"allied": 2, "axis": 2}), 46, 0
        box = {size: self.n(f"cards.{size}") for size in range(1, 7)}
        self.free = Counter({1: min(4, box[1])})
        self.rest, self.out = Counter(box) - self.free, Counter[int]()
        self.turn = self.points = self.lost = self.flak = 0
        self.bp, self.more, self.builder, self.phase = Counter[str](), Counter[str](), "", "before"
        self.here, self.cut, self.owed, self.on_points = "", False, False, False
        self.at: dict[str, str] = {}
        self.bounced: set[str] = set()
        self.hit: list[str] = []
        self.saved: list[tuple[str, int]] = []
        self.new_turn()

    def n(self, name: str) -> int:
        return int(self.figures.get(name, 0))

    def on(self, option: str) -> bool:
        return self.figures.get(f"option.{option}") == "yes"

    def new_turn(self) -> None:
        self.turn, self.phase, self.lost, self.hit, self.owed = self.turn + 1, "before", 0, [], False
        self.more.clear()
        self.bp.clear()
        for plane, pile in self.pile.items():
            if pile == "unresearched" and self.n(f"designed.{plane}") == self.turn:
                self.pile[plane] = "researched"

    def leave_square(self) -> None:
        if self.cut and self.flak:
            self.rest[self.flak] += 1
            self.flak = max((size for size in range(1, self.flak) if self.rest[size]), default=0)
            self.rest[self.flak] -= bool(self.flak)
        self.out[self.flak] += bool(self.flak)
        self.flak, self.cut, self.here = 0, False, ""

    def end_combat(self) -> None:
        self.leave_square()
        self.free += self.out
        self.out.clear()
        self.at.clear()
        self.bounced.clear()
        self.points += sum(self.n(f"points.{each}") for each in self.hit)
        self.lost = sum(self.n(f"loses.{each}") for each in self.hit)

    def hear(self, entry: Entry) -> None:
        verb, name, said, bind = entry["v"], entry["t"], str(entry.get("o", "")), entry.get("b", {})
        self.on_points = name == "cards" or name == "cards.effect" and self.on_points
        if verb == "step":
            self.step(name)
        elif verb == "choose":
            self.choose(name, said, bind)
        elif verb == "ask" and name == "cards.effect":
            self.effect(int(said))
        elif verb == "roll":
            self.roll(name, said, bind)
        if self.deck == 0 and self.discard:
            self.deck, self.discard = self.discard, 0

    def step(self, name: str) -> None:
        if self.phase == "fight" and name not in FIGHT or self.phase == "before" and name not in (*FIGHT, *BEFORE):
            self.end_combat()
            self.phase = "after"
        if name in BEFORE and self.phase != "before":
            self.new_turn()
        if name == "target":
            self.leave_square()
        self.phase = "fight" if name in FIGHT else self.phase
        if name == "commitment-axis":
            self.owed = self.figures["option.commitment"] in ("both", "allied")
            self.builder = "axis"
        elif name == "commitment-allied":
            self.builder, self.owed = "allied", False
        elif name == "build-axis":
            self.builder = "axis"
            self.bp["axis"] = max(0, 4 - self.lost)
        elif name == "build-allied":
            self.builder = "allied"
            self.bp["axis"], self.bp["allied"] = 0, 4

    def effect(self, points: int) -> None:
        """II A, VI A 1: the victory points, or one total of four points, losses and cards; spent points stay spent."""
        if self.on_points:
            self.points = max(0, self.points + points)
            return
        four = 4 - (self.lost if self.builder == "axis" else 0) + self.more[self.builder]
        self.more[self.builder] += points
        self.bp[self.builder] = max(0, self.bp[self.builder] + max(0, four + points) - max(0, four))

    def take(self, side: str, many: int = 1) -> None:
        self.hand[side] -= many
        self.discard += many

    def give(self, side: str) -> None:
        self.hand[side] += 1
        self.deck -= 1

    def choose(self, name: str, said: str, bind: dict[str, Value]) -> None:
        if name == "heats-up" and said == "no":
            self.give(self.builder)
        elif name == "free-cards" and said != "axis":
            for side in ("axis", "allied") if said == "no" else ("axis",):
                self.give(side)
        elif name == "target" and said != "none":
            self.here = said
        elif name == "cards-here" and said.startswith("flak-"):
            self.flak = int(said[5:])
            self.free[self.flak] -= 1
        elif name == "cards-here" and said in self.side:
            self.at[said] = self.here
        elif name in ("cards", "played") and said in self.hand:
            self.take(said)
        elif name == "pay" and said == "discard":
            self.take("axis")
            self.lost -= 1
        elif name in ("free-aircraft", "free-fighter", "by-card") and said in self.side:
            self.take(self.builder, int(name == "by-card"))
            self.pile[said] = "available"
        elif name == "build" and said.startswith("card-"):
            self.take(said.removeprefix("card-"))
        elif name == "build":
            self.build(said)

    def build(self, said: str) -> None:
        side = self.builder
        if said in self.side:
            self.bp[side] -= self.n(f"cost.aircraft.{side}")
            self.pile[said] = "available"
        elif said.startswith("flak-"):
            size = int(said[5:])
            self.bp[side] -= self.n(f"cost.new.{size}")
            self.rest[size], self.free[size] = self.rest[size] - 1, self.free[size] + 1
        elif "@" in said:
            low, high = map(int, said.split("@"))
            self.bp[side] -= self.n(f"cost.raise.{high - low}")
            for size, more in ((low, 1), (high, -1)):
                self.rest[size], self.free[size] = self.rest[size] + more, self.free[size] - more
        elif said in ("event-card", "heats-up"):
            self.bp[side] -= self.n(f"cost.card.{side}")
            if said == "event-card":
                self.give(side)
        elif said == "two-fighters":
            self.bp[side] -= 3
        elif said == "crash":
            self.take(side, 2)
            self.bp[side] += 1

    def roll(self, name: str, said: str, bind: dict[str, Value]) -> None:
        if name == "heats-up":
            self.discard += self.hand.total() + 1
            self.hand.update({side: -many for side, many in self.hand.items()})
            self.deck -= 1
        elif name == "special-axis":
            self.saved.append((self.builder, self.bp[self.builder]))
            self.builder, self.bp["axis"] = "axis", 2
        elif name == "special-allied":
            self.builder, self.bp["axis"], self.bp["allied"] = "allied", 0, 2
        elif name == "special-end":
            self.deck, self.discard = 49 - self.hand.total(), 1
            self.bp.clear()
            self.builder, points = self.saved.pop()
            self.bp[self.builder] = points
        elif name == "draw":
            self.card = int(said)
        elif name == "drawn" and (self.deck or self.discard):
            self.deck, self.discard = self.deck - 1, self.discard + 1
        elif name == "shot" and bind.get("fire", "surrender") != "surrender":
            self.shot({key: str(value) for key, value in bind.items()})

    def shot(self, bind: dict[str, str]) -> None:
        fire, firer, foe = bind["fire"], bind.get("firer", ""), bind.get("foe", "")
        dark = self.on("night") and self.figures.get(f"night.{foe}") == "yes"
        if fire == "bombs":
            needed = self.n(f"payload.{firer}")
        elif fire == "flak":
            needed = self.n(f"symbols.{self.here}") + self.flak - dark
        else:
            seen = self.figures.get(f"night.{firer}") == "yes"
            needed = self.n(f"dogfight.{firer}") - (2 if fire == "axis" and dark and not seen else 0)
        exact = self.on("bouncing") and self.card == needed
        if self.card > needed or (fire != "bombs" and foe not in self.at):
            return
        if fire == "bombs":
            self.hit += [self.here] * (self.here not in self.hit)
            self.cut = self.cut or not exact
        elif exact:
            self.bounced.add(foe)
        else:
            self.pile[foe] = "researched"
            self.bounced.discard(foe)
            del self.at[foe]


@pytest.mark.section("bombs-away V B", "bombs-away VI A 1", "bombs-away VI A 2", "bombs-away I B 2", "bombs-away VII F")
@pytest.mark.parametrize("seed", slow_but(range(16), 5))
def test_a_second_count_agrees(pack: Pack, seed: int) -> None:
    rng = random.Random(seed)
    game, figures = Mission(pack), made_up(pack, rng)
    figures |= {"dogfight.b17f": 3, "payload.b17f": 4, "symbols.ploesti": 2}
    game.write(figures)
    ledger, heard = Ledger(pack, figures), 1

    def compare(_: list[Result]) -> None:
        nonlocal heard
        for entry in game.journal.entries[heard:]:
            ledger.hear(entry)
        heard = len(game.journal.entries)
        state = game.state
        count = (ledger.hand["allied"], ledger.hand["axis"], ledger.deck, ledger.discard, ledger.points)
        assert (
            tuple(state.get(each, 0) for each in ("hand.allied", "hand.axis", "deck", "discard", "victory.points"))
            == count
        )
        assert {plane: fact(game, f"pile.{plane}") for plane in ledger.pile} == ledger.pile
        assert {size: fact(game, f"flak.available.{size}") for size in range(1, 7)} == {
            size: ledger.free[size] for size in range(1, 7)
        }
        assert {plane for plane in ledger.pile if fact(game, f"bounced.{plane}") == "yes"} == ledger.bounced
        item = game.waiting()
        if item is not None and item.name == "build":
            assert fact(game, f"bp.{ledger.builder}") == ledger.bp[ledger.builder]

    assert fly(game, VaryingChance(rng), each=compare)
    assert heard > 3 * ledger.turn


def told(pack: Pack, game: Mission) -> str:
    return " ".join(Story(game).sentences())


@pytest.mark.section("bombs-away V D")
def test_the_story_says_the_level_that_the_victory_point_table_gives(pack: Pack) -> None:
    game = laid_out(pack)
    game.write({"lines": 1, "word.1": "a bitter end", "who.1": "axis"})
    after_combat(game, turn=9, **{"hand.axis": 0, "hand.allied": 0})
    assert fly(game, Script("build: done\nbuild: done"))
    assert "The Axis won: a bitter end." in told(pack, game)


@pytest.mark.section("bombs-away III A 1", "bombs-away VI A 2")
def test_the_story_has_the_names_of_the_cards_and_builds_what_was_built(pack: Pack) -> None:
    game = Mission(pack)
    game.write({**BOX, **COSTS})
    play(
        game,
        "research: allied-6; research: no-more; name.allied-6: Lightning; dogfight.allied-6: 3; payload.allied-6: 1",
    )
    play(game, "placed: nowhere; cards: no-more")
    play(game, "build: done; build: allied-6")
    story = told(pack, game)
    assert "Lightning" in story and "Allied aircraft 6" not in story
    assert "Wellington III" not in story


@pytest.mark.section("bombs-away V C")
def test_the_story_has_what_bombing_cost_in_each_of_two_turns(pack: Pack) -> None:
    game = laid_out(pack)
    for turn in (1, 2):
        after_combat(game, **{"devastated.schweinfurt": "yes", "hand.axis": 0, "hand.allied": 0})
        play(game, "")
        assert (game.state["turn"], game.state["bp.axis"], game.state["bp.lost"]) == (turn, 3, 1)
        play(game, "build: done; build: done")
        assert game.state["bp.lost"] == 0
        play(game, "research: no-more")
    assert told(pack, game).startswith(
        "In each of turns 1 and 2, Schweinfurt was devastated. Each raid gave the Allies 1 victory point, "
        "2 in all. The Axis lost one build point for the bombing."
    )


def test_the_story_says_what_ended_the_game(pack: Pack) -> None:
    game = laid_out(pack)
    game.write({"surrender": "yes", "step": "end"})
    assert "Surrender ended the game" in told(pack, game)
    assert Story(game).headline.startswith("The Axis surrendered in turn")


@pytest.mark.section("bombs-away VI D")
def test_the_story_has_world_war_heats_up_and_no_cause_of_what_is_written_by_hand(pack: Pack) -> None:
    game = over_berlin(pack, "fire: no-more")  # the flak is about to fire
    assert "no bombs" not in told(pack, game)
    game.write({"pile.b24d": "researched", "at.wellington-iii": "ploesti"})
    assert "B24D was lost" in told(pack, game) and "flak" not in told(pack, game)
    after_combat(game)
    play(game, "cards: no-more; build: heats-up; free-aircraft: none; build: done")
    assert "World War Heats Up came up once: both sides discarded their hands" in told(pack, game)


@pytest.mark.section("bombs-away V B", "bombs-away VI B")
def test_the_story_goes_from_the_loss_to_the_replacement_and_from_each_score_to_the_last(pack: Pack) -> None:
    """Flak shoots down two Spitfires in a row, the seventh raid devastates Bremerhaven, a remaining aircraft scores."""
    story = told(pack, flown(pack, 9002))
    assert (
        "In each of turns 4 and 5, Spitfire I went to Bremerhaven and was brought down by flak. "
        "In turn 6, Spitfire I went to Bremerhaven and bombed without effect. "
        "In turn 7, Spitfire I went to Bremerhaven and devastated the target. "
        "The raid gave the Allies their first 3 victory points."
    ) in story
    assert "Spitfire I (twice). The Allies replaced Spitfire I (twice). The last turn card ended the game" in story
    assert story.endswith("and the surviving aircraft gave the Allies 1 point: 4 victory points.")
