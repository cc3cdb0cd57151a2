"""Moments of the B-17 where play seldom goes. The rule section that says what must happen stands in each docstring."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine.needs import Hand, Result
from companion.engine.play import Play
from companion.engine.sheet import Facts
from companion.packs import Pack
from companion.play.conversation import take
from companion.play.mission import Mission
from companion.play.script import OutOfLines, Script
from tests.book import b17 as book

# Mission 11, homeward bound or over the target, all well aboard
LILLE = {"mission.number": 11, "target.city": "Lille", "target.type": "industry", "target.zone": 3, "squadron": "high"}
BREMEN = {**LILLE, "target.city": "Bremen", "target.type": "aircraft", "target.zone": 7}
OVER_LILLE = {**LILLE, "turn": 3, "zone": 3, "zone.turns": 1, "wave": 1, "cover": "poor"}
OVER_BREMEN = {**BREMEN, "turn": 7, "zone": 7, "zone.turns": 1, "wave": 1}
HOMEWARD = {**BREMEN, "turn": 11, "zone": 4, "zone.turns": 1, "wave": 1, "leg": "inbound", "bombs": "dropped"}
NO_GUNS = {f"gun.{gun}": "broken" for gun in "nose port-cheek starboard-cheek top radio ball tail".split()} | {
    "gun.port-waist": "broken",
    "gun.starboard-waist": "broken",
}


@pytest.fixture(scope="module")
def pack() -> Pack:
    return Pack("b17")


class Moment:
    """A sheet as it stands after a step, and what the lines of a script make of it until they end."""

    def __init__(self, pack: Pack, after: str, sheet: dict[str, Any], script: str = "") -> None:
        self.pack, self.mission = pack, Mission(pack)
        self.mission.write({**sheet, "step": after})
        self.tables: list[str] = []
        self.results: list[Result] = []
        lines = Script(script)
        while True:
            item = self.mission.waiting()
            try:
                results = take(self.mission, item, lines) if item else self.mission.advance()
            except OutOfLines:
                break
            if not results:
                break
            self.tables += [each.table for each in results]
            self.results += results
        assert lines.at == len(lines.lines), f"nobody asked for {lines.lines[lines.at]}"

    def __getitem__(self, fact: str) -> Any:
        return Facts(self.pack.sheet, self.mission.state)[fact]

    @property
    def asked(self) -> str:
        """What is asked next."""
        item = self.mission.waiting() or {}
        return str(item.get("roll") or item.get("choose") or item.get("ask"))

    @property
    def offered(self) -> list[str]:
        """What may be chosen, the usual first."""
        item = self.mission.waiting()
        assert item is not None
        return [each.name for each in Play(self.pack, self.mission.state, self.mission.pending).options_of(item)]

    @property
    def told(self) -> dict[str, str]:
        """The words of each option."""
        item = self.mission.waiting()
        assert item is not None
        return {
            each.name: each.text for each in Play(self.pack, self.mission.state, self.mission.pending).options_of(item)
        }

    @property
    def options(self) -> set[str]:
        """What may be chosen."""
        return set(self.offered)

    @property
    def first(self) -> str:
        """What Enter takes."""
        return self.offered[0]


# -- fire aboard (12.2) -------------------------------------------------------------------------------------------


FIRE = {"nose": "P-1: 6,6\nP-1.oxygen: 6", "pilot-compartment": "P-2: 6,4\nP-2.oxygen: 6",
        "radio-room": "P-4: 6,5\nP-4.oxygen: 6", "waist": "P-5: 1,1\nP-5.oxygen: 6",
        "tail": "P-6: 6,5\nP-6.oxygen: 6"}  # fmt: skip
SPOT = {"nose": "4,6", "pilot-compartment": "6,6", "radio-room": "2,2", "waist": "3,6", "tail": "3,4"}
FLAK = "O-2: 2\nO-3: 1,1\nO-3: 3,4\nO-3: 3,4\nO-4: 3,4\n"  # light flak, one hit of one shell


def burning(pack: Pack, where: str, sheet: dict[str, Any], more: str = "") -> Moment:
    return Moment(pack, "homeward", {**OVER_LILLE, **sheet}, f"{FLAK}O-5: {SPOT[where]}\n{FIRE[where]}\n{more}")


@pytest.mark.parametrize(
    ("where", "sheet", "men"),
    [
        ("waist", {}, {"ball-gunner", "port-waist", "starboard-waist"}),
        ("pilot-compartment", {}, {"copilot", "engineer"}),
        ("nose", {"crew.bombardier": "kia", "crew.navigator": "serious"}, {"copilot", "engineer"}),
        ("tail", {"crew.tail-gunner": "kia"}, {"ball-gunner", "port-waist", "starboard-waist"}),
        ("waist", {"crew.port-waist": "kia", "crew.starboard-waist": "kia", "ball.trapped": "yes"},
         {"radio-operator", "tail-gunner"}),
        # 14.2 d: a pilot never leaves his post for a fire, nor a copilot who is the only one left
        ("pilot-compartment", {"crew.copilot": "kia", "crew.engineer": "kia"},
         {"bombardier", "navigator", "radio-operator"}),
        ("pilot-compartment", {"crew.pilot": "kia", "crew.engineer": "serious"},
         {"bombardier", "navigator", "radio-operator"}),
    ],
)  # fmt: skip
def test_who_may_fight_a_fire(pack: Pack, where: str, sheet: dict[str, Any], men: set[str]) -> None:
    """12.2: a man of the compartment, or of an adjacent one where nobody is left in it."""
    moment = burning(pack, where, sheet)
    assert (moment.asked, moment.options) == ("fire-fighter", men)


def test_nobody_to_fight_the_fire_means_bail_out(pack: Pack) -> None:
    """12.2, 14.2 d: with only one pilot fit nobody can be sent, the fire is not put out, the crew must jump."""
    lost = {f"crew.{man}": "serious" for man in pack.sheet.index["position"] if man != "pilot"}
    moment = burning(pack, "radio-room", lost)
    assert (moment.asked, moment["bomber.fate"], moment["extinguishers.used"]) == ("G-6", "abandoned", 0)


def test_the_fire_fighter_misses_no_later_wave(pack: Pack) -> None:
    """12.2: he fires no gun for the rest of the wave in which he fights; flak over the target is no wave."""
    moment = burning(pack, "tail", {}, "BL-3: 1\nO-6: 3\nO-7: 3,4\nB-2: 1\n")
    assert (moment["duty.tail-gunner"], moment["free.tail-gunner"]) == ("none", "yes")


# -- crew moves (14.1) --------------------------------------------------------------------------------------------


def test_a_move_within_a_compartment_costs_nothing(pack: Pack) -> None:
    """14.1: movements within the same compartment carry no penalty, even under attack."""
    hurt = {**OVER_LILLE, "fought": "yes", "crew.bombardier": "serious"}
    moment = Moment(pack, "no-engine-1", hurt, "crew-move: bombardier\nwho-moves: navigator\ncrew-move: nobody\n")
    assert (moment["man.bombardier"], moment["duty.navigator"]) == ("navigator", "none")


def test_both_men_of_an_exchange_fire_nothing_in_the_next_wave(pack: Pack) -> None:
    """14.1: the moving crew members fire from neither old nor new place until one wave is resolved."""
    hurt = {**OVER_LILLE, "fought": "yes", "crew.bombardier": "serious"}
    moves = "crew-move: tail-gunner\nwho-moves: radio-operator\ncrew-move: nobody\n"
    moment = Moment(pack, "no-engine-1", hurt, moves)
    assert (moment["man.tail-gunner"], moment["man.radio-operator"]) == ("radio-operator", "tail-gunner")
    assert (moment["duty.radio-operator"], moment["duty.tail-gunner"]) == ("moved", "moved")


def test_a_move_says_whom_it_finds_and_what_it_costs(pack: Pack) -> None:
    """14.1: who comes from another compartment, and whom he relieves, fires nothing in the next wave under attack."""
    hurt = {**OVER_LILLE, "fought": "yes", "crew.bombardier": "serious", "crew.engineer": "light",
            "crew.starboard-waist": "kia", "oxygen.tail-gunner": 2,
            "seat.port-waist": "ball-gunner", "seat.ball-gunner": "port-waist"}  # fmt: skip
    asked = Moment(pack, "no-engine-1", hurt)
    assert asked.first == "nobody"
    assert asked.told["bombardier"] == "Bombardier's place: seriously wounded"
    assert asked.told["starboard-waist"] == "Starboard waist gunner's place: dead"
    assert asked.told["tail-gunner"] == "Tail gunner's place: unhurt, no oxygen there"
    assert asked.told["port-waist"] == "Port waist gunner's place: Ball gunner there, unhurt"
    who = Moment(pack, "no-engine-1", hurt, "crew-move: bombardier\n")
    assert (who.first, who.told["nobody"]) == ("nobody", "nobody after all: leave it")
    cost = "from another compartment: neither man fires in the next wave"
    assert who.told["navigator"] == "Navigator, unhurt"
    assert who.told["engineer"] == f"Engineer, lightly wounded, {cost}"
    left = Moment(pack, "no-engine-1", hurt, "crew-move: bombardier\nwho-moves: nobody\n")
    assert (left["man.bombardier"], left["duty.bombardier"]) == ("bombardier", "none")
    quiet = Moment(pack, "lost-2", {**hurt, "fought": "no"}, "crew-move: bombardier\n")
    assert quiet.told["engineer"] == "Engineer, lightly wounded"
    waist = Moment(pack, "no-engine-1", hurt, "crew-move: starboard-waist\n").told
    assert waist["port-waist"] == "Port waist gunner, unhurt"
    assert waist["radio-operator"] == f"Radio operator, unhurt, {cost}"


# -- guns that hold their fire (6.3, 9.1, 14.1) ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("gun", "sheet", "why"),
    [
        ("tail", {"duty.tail-gunner": "moved"}, "the Tail gunner has just changed places (14.1)"),
        ("top", {"duty.engineer": "fire"}, "the Engineer fights a fire (12.2)"),
        ("top", {"crew.engineer": "serious"}, "nobody fit at the gun, the Engineer is seriously wounded"),
        ("top", {"seat.engineer": "ball-gunner", "seat.ball-gunner": "engineer", "crew.ball-gunner": "kia"},
         "nobody fit at the gun, the Ball gunner is dead"),
        ("ball", {}, "nothing in its field"),
        ("tail", {"fighter.2.clock": "12", "intercom": "out"}, "nothing in its field"),
        ("port-cheek", {"crew.bombardier": "kia", "crew.navigator": "kia"}, "nobody in the nose is fit"),
        ("nose", {"crew.bombardier": "kia", "duty.navigator": "moved"}, "its man has just changed places (14.1)"),
        ("nose", {"duty.bombardier": "fire", "crew.navigator": "kia"}, "its man fights a fire (12.2)"),
        ("port-cheek", {"crew.bombardier": "kia", "aim.nose": "1"}, "the one man fit here fires another gun"),
        ("starboard-cheek", {"aim.nose": "1", "aim.port-cheek": "3"}, "both men here fire other guns (9.1)"),
        ("starboard-cheek", {"aim.port-cheek": "3"}, "its man fires the other cheek gun (9.1)"),
        ("tail", {}, ""),
        ("top", {}, ""),
        ("nose", {}, ""),
    ],
)  # fmt: skip
def test_a_gun_says_why_it_holds_its_fire(pack: Pack, gun: str, sheet: dict[str, Any], why: str) -> None:
    """6.3 a, 9.0, 9.1, 12.2, 14.1: the one option that is left names its reason; otherwise it is a choice."""
    front = {"fighter.1.clock": "12", "fighter.2.clock": "6"}
    more = {"slots.fighter": 4, **{f"fighter.{each}.type": "me109" for each in (3, 4)}}
    sides = {f"fighter.{each}.clock": clock for each, clock in ((3, "10:30"), (4, "1:30"))}
    angles = {f"fighter.{each}.angle": "high" for each in (1, 2, 3, 4)}
    moved = {**PAIR, "crew.radio-operator": "ok", "spray-fire": "off", **front}
    state = {**moved, **(more | sides | angles if "cheek" in gun else {}), **sheet}
    options = Play(pack, state).options_of({"choose": "aim", "bind": {"gun": gun}})
    assert {each.name: each.text for each in options}["hold"] == (f"hold fire: {why}" if why else "hold fire")
    assert (len(options) == 1) == bool(why)


def test_fields_of_fire_are_those_of_the_card(pack: Pack) -> None:
    """M-1, 9.2: what the guns say of their field is what the columns of the card say."""
    for gun in pack.sheet.index["gun"]:
        for clock in pack.sheet.fields["fighter.1.clock"].values:
            for angle in ("none",) if clock in ("dive", "climb") else ("high", "level", "low"):
                for note in ("b", "d") if clock == "dive" else ("none",):
                    comes = {"clock": clock, "angle": angle, "note": note, "type": "me109"}
                    board = {f"fighter.1.{key}": value for key, value in comes.items()}
                    facts = Facts(pack.sheet, {**board, "fighter": "1", "gun": gun, "slots.fighter": 1})
                    passing = gun == "tail" and clock in ("12", "1:30", "10:30")
                    bears = passing or facts["bears"] == "yes"
                    assert facts["in-field"] == ("yes" if bears else "no"), (gun, comes)


# -- oxygen (12.1) ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sheet", "down"),
    [
        ({"oxygen.engineer": 2}, "yes"),
        ({"oxygen.engineer": 1}, "no"),
        ({"oxygen.engineer": 2, "crew.tail-gunner": "kia"}, "no"),
        ({"oxygen.engineer": 2, "crew.copilot": "kia"}, "no"),
        ({"oxygen.engineer": 2, "oxygen.radio-operator": 2, "crew.tail-gunner": "kia"}, "yes"),
        # 14.2 d: a pilot cannot leave for the tail; the seat beside him will do
        ({"oxygen.pilot": 2, "crew.tail-gunner": "kia"}, "yes"),
        ({"oxygen.pilot": 2, "crew.pilot": "serious", "crew.tail-gunner": "kia"}, "no"),
        ({"oxygen.pilot": 2, "crew.copilot": "kia"}, "no"),
        ({"oxygen.pilot": 2, "oxygen.engineer": 2, "crew.copilot": "kia"}, "yes"),
    ],
)
def test_a_dead_mans_outlet_serves_a_man_without_oxygen(pack: Pack, sheet: dict[str, Any], down: str) -> None:
    """12.1: down to 10,000 feet, unless a dead man's place serves him."""
    assert Moment(pack, "end", {**HOMEWARD, **sheet})["must-descend"] == down


@pytest.mark.parametrize(
    ("sheet", "place", "who"),
    [
        ({"oxygen.engineer": 2, "crew.copilot": "kia"}, "copilot", {"engineer"}),
        ({"oxygen.pilot": 2, "crew.copilot": "kia"}, "copilot", {"pilot"}),
        ({"oxygen.port-waist": 2, "crew.port-waist": "serious", "crew.navigator": "kia"}, "navigator",
         {"bombardier", "engineer", "radio-operator", "ball-gunner", "port-waist", "starboard-waist", "tail-gunner"}),
    ],
)  # fmt: skip
def test_who_may_take_a_dead_mans_place(pack: Pack, sheet: dict[str, Any], place: str, who: set[str]) -> None:
    """12.1, 14.1: whoever has no oxygen, the wounded carried there too; the cockpit is for the pilots otherwise."""
    moment = Moment(pack, "lost-2", {**HOMEWARD, **sheet}, f"crew-move: {place}\n")
    assert moment.options == {*who, "nobody"}


def test_a_dead_mans_outlet_that_is_out_serves_nobody(pack: Pack) -> None:
    """12.1: the place must have oxygen; neither the wounded nor a pilot goes to one that has none."""
    gone = {"oxygen.tail-gunner": 2, "crew.tail-gunner": "kia", "oxygen.copilot": 2, "crew.copilot": "kia"}
    short = {"oxygen.engineer": 2, "crew.engineer": "serious", "oxygen.pilot": 2}
    moment = Moment(pack, "lost-2", {**HOMEWARD, **gone, **short})
    assert "copilot" not in moment.options
    moment = Moment(pack, "lost-2", {**HOMEWARD, **gone, **short}, "crew-move: tail-gunner\n")
    assert "engineer" not in moment.options


@pytest.mark.parametrize(
    ("sheet", "asked"),
    [
        ({"crew.copilot": "kia"}, "crew-move"),
        ({}, "G-5"),
        ({"fought": "no"}, "G-5"),
        ({"crew.copilot": "kia", "altitude": "low"}, "O-3"),
    ],
)
def test_want_of_oxygen_asks_for_a_move_that_helps(pack: Pack, sheet: dict[str, Any], asked: str) -> None:
    """12.1: a dead man's outlet keeps the bomber high; without one, or once below, no move is called for."""
    short = {**HOMEWARD, "target.city": "Paris", "formation": "out", "fought": "yes", "oxygen.engineer": 2}
    assert Moment(pack, "no-engine-1", {**short, **sheet}).asked == asked


# -- spray fire (9.5, errata 15) ----------------------------------------------------------------------------------

PAIR = {
    **OVER_LILLE, "pass": 2, "spray-fire": "on", "slots.fighter": 2, "crew.radio-operator": "kia",
    "fighter.1.type": "me109", "fighter.1.clock": "6", "fighter.1.angle": "high",
    "fighter.2.type": "fw190", "fighter.2.clock": "6", "fighter.2.angle": "high",
}  # fmt: skip


def test_spray_of_two_guns_covers_every_fighter_in_the_place(pack: Pack) -> None:
    """Errata 15: spray is directed at a position, a die for each fighter in it; both guns spray at both."""
    script = "aim top: 1-spray\naim tail: 1-spray\nM-5 1 top: 2\nM-5 2 top: 3\nM-5 1 tail: 3\nM-5 2 tail: 4\n"
    moment = Moment(pack, "attack", PAIR, script)
    assert (moment["fighters"], moment["ammo.top"], moment["ammo.tail"]) == (0, 3, 3)


def test_a_hit_counts_against_a_fighter_that_another_gun_sprays_away(pack: Pack) -> None:
    """6.3 c: each hit is rolled on M-2; M-5 rows 2 and 4 only keep the fighter from firing."""
    script = "aim top: 1\naim tail: 1-spray\nM-1 1 top: 6\nM-5 1 tail: 2\nM-5 2 tail: 3\nM-2 1 top: 4\nM-3 2: 1\n"
    moment = Moment(pack, "attack", PAIR, script)
    assert moment["kills.engineer"] == 1


def test_a_jam_is_cleared_by_a_man_at_the_gun(pack: Pack) -> None:
    """M-5 b: a gunner may try; nobody tries at a gun whose man is dead."""
    jams = {**HOMEWARD, "gun.tail": "jammed", "gun.top": "jammed", "crew.tail-gunner": "kia"}
    moment = Moment(pack, "turn", jams, "M-5.b top: 1\n")
    assert (moment["gun.top"], moment["gun.tail"], moment.asked) == ("ok", "jammed", "G-5")


# -- fighter cover (6.2, 6.5) -------------------------------------------------------------------------------------


def test_cover_meets_a_diver_that_comes_back(pack: Pack) -> None:
    """6.5 a, B-3 d: no cover against the dive, the number in brackets against the later attack."""
    sheet = {**HOMEWARD, **NO_GUNS, "cover": "good"}
    moment = Moment(pack, "cover", sheet, "B-1: 5\nB-3: 6,1\nM-3: 6\nB-4: 3,4\nB-5: 1,1\nB-6: 1,4\nM-4: 4\n")
    assert (moment["cover.first"], moment["cover.later"], moment["fighters"]) == (0, 1, 0)


DIVER = {"fighter.1.type": "fw190", "fighter.1.clock": "dive", "fighter.1.note": "d", "slots.fighter": 1}


@pytest.mark.parametrize(
    ("sheet", "why"),
    [
        (DIVER, "nobody: cover cannot drive off a vertical dive (B-3 b, d)"),
        ({}, "nobody is left to drive off"),
    ],
)
def test_cover_that_finds_nobody_says_why(pack: Pack, sheet: dict[str, Any], why: str) -> None:
    """B-3 b, d: a vertical dive is never driven off; otherwise they are all gone."""
    options = Play(pack, {**OVER_LILLE, **sheet}).options_of({"choose": "driven-off", "bind": {}})
    assert [(each.name, each.text) for each in options] == [("none", why)]


def test_a_passing_shot_that_misses_lets_nobody_come_on(pack: Pack) -> None:
    """9.2: it is resolved after the German fire, when the fighter has gone by."""
    gunless = {gun: state for gun, state in NO_GUNS.items() if gun != "gun.tail"}
    sheet = {**OVER_LILLE, **gunless, "slots.fighter": 1, "fighter.1.type": "me109", "fighter.1.clock": "12",
             "fighter.1.angle": "high", "cover.rolled": "yes"}  # fmt: skip
    moment = Moment(pack, "attack", sheet, "aim tail: 1-passing\nM-3: 1\nM-1 tail: 2\n")
    assert [each.text for each in moment.results if each.table == "M-1"] == ["A miss, the fighter has passed"]
    moment = Moment(pack, "attack", {**sheet, "fighter.1.clock": "6"}, "aim tail: 1\nM-1 tail: 2\nM-3: 1\n")
    assert [each.text for each in moment.results if each.table == "M-1"] == ["The fighter comes on"]


@pytest.mark.parametrize(
    ("number", "text"), [(5, "good cover, no die: always so in missions 1 to 5"), (6, "good cover")]
)
def test_cover_without_a_die_says_why(pack: Pack, number: int, text: str) -> None:
    """G-5: good in the first five missions, a die from the sixth."""
    made = Mission(pack).roll("G-5", Hand([] if number < 6 else [[6]]), {"mission.number": number})
    assert [each.text for each in made] == [text]


@pytest.mark.parametrize("number", [5, 6])
def test_the_squadron_comes_with_the_sixth_mission(pack: Pack, number: int) -> None:
    """5.1 d: it is not forgotten in the first five."""
    lines = "G-4.formation: 3,4\n" + ("G-4.squadron: 1\n" if number > 5 else "")
    moment = Moment(pack, "target-zone", {**LILLE, "mission.number": number}, lines)
    said = [text for each in moment.results for text, _ in each.notes]
    assert ("No squadron yet: it is rolled from mission 6 on" in said) == (number < 6)


def test_a_fighter_that_goes_takes_all_that_is_said_of_it(pack: Pack) -> None:
    """6.4 a: it leaves the board with its clock, its height and its damage, and the next wave has nothing to clear."""
    sheet = {**OVER_LILLE, **NO_GUNS, "slots.fighter": 1, "fighter.1.type": "me109", "fighter.1.clock": "12",
             "fighter.1.angle": "high", "fighter.1.pilot": "ace", "fighter.1.fca": 1, "cover.rolled": "yes",
             "fighter.1.fboa": 1}  # fmt: skip
    moment = Moment(pack, "attack", sheet, "M-3: 1\n")
    left = {key: moment[f"fighter.1.{key}"] for key in ("type", "clock", "angle", "pilot", "fca", "fboa")}
    assert left == {"type": "none", "clock": "none", "angle": "none", "pilot": "average", "fca": 0, "fboa": 0}
    moment = Moment(pack, "end", {**{f"fighter.1.{key}": value for key, value in left.items()}, "slots.fighter": 1})
    shown = [name for name, _, _ in moment.mission.write({"wave": 2}).shown]
    assert not [name for name in shown if name.startswith("fighter.")]


# -- evasive action (15.2) ----------------------------------------------------------------------------------------


def test_evasive_action_ends_with_the_damage_that_forbids_it(pack: Pack) -> None:
    """15.2 b, c: none with two engines or the cables out; the fighter that comes back attacks without the -1."""
    sheet = {**HOMEWARD, **NO_GUNS, "formation": "out", "cables.hits": 1, "pass": 1, "slots.fighter": 1,
             "evasive": "yes", "wave.formation": "out", "cover.rolled": "yes",
             "fighter.1.type": "me109", "fighter.1.clock": "12", "fighter.1.angle": "high"}  # fmt: skip
    moment = Moment(pack, "fire", sheet, "M-3 1: 6\nB-4: 3,4\nB-5: 5,6\nP-3: 6,6\nB-6: 3,4\n")
    assert (moment["cables.hits"], moment["evasive"], moment.asked) == (2, "no", "M-3")


# -- engines (10.0) -----------------------------------------------------------------------------------------------


def test_no_choice_of_the_bombs_once_out_of_formation(pack: Pack) -> None:
    """BL-1 c, 10.1: an unfeathered propeller drops the bomber out; there is no staying in by jettisoning."""
    sheet = {**BREMEN, "turn": 4, "zone": 4, "zone.turns": 1, "random-events": "on", "cover": "poor"}
    moment = Moment(pack, "cover", sheet, "B-1: 4\nB-3: 6,6\nB-7: 1,1\nB-7.a: 1,1\nBL-1.c: 6\n")
    assert (moment["formation"], moment["bombs"], moment.asked) == ("out", "aboard", "jettison")


def test_the_last_engine_out_means_down_at_once(pack: Pack) -> None:
    """10.4: crash land or bail out in this zone, at once; two more waves of the turn are not awaited."""
    sheet = {**OVER_BREMEN, **NO_GUNS, "formation": "out", "altitude": "low", "bombs": "jettisoned", "waves.left": 3,
             "engine.1": "out", "engine.2": "out", "engine.3": "out", "pass": 3, "wave.formation": "out",
             "slots.fighter": 1,
             "fighter.1.type": "me109", "fighter.1.clock": "6", "fighter.1.angle": "high"}  # fmt: skip
    hit = "loose-gear: no\nM-3: 6\nB-4: 3,4\nB-5: 4,4\nB-5: 1,1\nBL-1: 4,5\nBL-1.engines: 4\nBL-1.engine: 3\nBL-1.c: 1"
    moment = Moment(pack, "fire", sheet, hit)
    assert (moment["engines.out"], moment.asked, moment.options) == (4, "forced-down", {"land", "bail-out"})


def test_bombs_that_cannot_fall_cost_the_second_zone(pack: Pack) -> None:
    """10.3: two zones only if all bombs, guns, ammunition and extinguishers go; with jammed doors the bombs stay."""
    stuck = {"bay-doors": "out", **OVER_BREMEN, "zone": 5, **{f"engine.{each}": "out" for each in (1, 2, 3)}}
    moment = Moment(pack, "end", stuck)
    assert moment.mission.waiting() is None
    assert (moment["bombs"], moment["loose-gear"], moment["glide"]) == ("aboard", "no", 1)


# -- aborting (8.0) -----------------------------------------------------------------------------------------------

HURT = (
    "B-1: 5\nB-3: 1,1\nM-3: 6\nB-4: 4,3\nB-5: 5,4\nB-5: 1,1\nP-5: 3,3\nBL-4: 6\nB-6: 1,1\nM-3: 1\ncrew-move: nobody\n"
)


def test_a_bomber_may_abort_over_the_target(pack: Pack) -> None:
    """8.0: after all combat in any zone, so before the flak too; bombsight out makes it count. 5.2 e: combat again."""
    moment = Moment(pack, "cover", {**OVER_BREMEN, "bombsight": "out"}, "B-2: 1\nB-3: 1,6\nabort: abort\n")
    assert "O-2" not in moment.tables
    assert (moment["credit"], moment["leg"], moment["zone"], moment.asked) == ("yes", "inbound", 7, "B-2")


def test_a_bomber_that_must_abort_flies_into_no_flak(pack: Pack) -> None:
    """8.0 d: navigator lost and out of formation, it must turn for home without bombing."""
    lost = {**OVER_BREMEN, "zone.turns": 2, "formation": "out", "crew.navigator": "serious", "fought": "yes"}
    moment = Moment(pack, "lost-2", lost, "jettison: no\n")
    assert (moment["aborted"], moment["leg"], moment["flak"], moment.asked) == ("yes", "inbound", "none", "B-2")


@pytest.mark.parametrize(
    ("sheet", "counts"),
    [({"crew.tail-gunner": "kia"}, "no"), ({"ammo.top": 16}, "no"), ({"intercom": "out"}, "yes"),
     ({"crew.bombardier": "serious"}, "yes"), ({"heat.ball-gunner": "out"}, "yes"), ({"oxygen.navigator": 2}, "yes")],
)  # fmt: skip
def test_one_may_abort_for_any_reason_but_few_count(pack: Pack, sheet: dict[str, Any], counts: str) -> None:
    """8.0: aborting is the player's choice after combat; it counts only for the circumstances listed there."""
    there = {**BREMEN, "turn": 5, "zone": 5, "zone.turns": 1, "fought": "yes"}
    moment = Moment(pack, "jettison", {**there, **sheet}, "abort: abort\n")
    assert (moment["leg"], moment["credit"]) == ("inbound", counts)


@pytest.mark.parametrize(("waves", "asked"), [("B-1: 1\n", "B-1"), (HURT, "abort")])
def test_a_gun_lost_before_is_no_new_reason_to_abort(pack: Pack, waves: str, asked: str) -> None:
    """8.0: one may abort after any combat; it is asked after the one that cost something, not in every zone."""
    sheet = {**BREMEN, **NO_GUNS, "turn": 5, "zone": 5, "zone.turns": 1}
    moment = Moment(pack, "cover", sheet, waves)
    assert (moment.asked, moment["trouble.all"]) == (asked, 9 if asked == "B-1" else 10)


def test_who_goes_on_may_still_turn_back_in_a_quiet_zone(pack: Pack) -> None:
    """8.0: after all combat in any zone, as `companion set aborted=yes`."""
    sheet = {**BREMEN, "turn": 5, "zone": 5, "zone.turns": 1, "aborted": "yes"}
    moment = Moment(pack, "cover", sheet, "B-1: 1\n")
    assert (moment["leg"], moment["credit"], moment["zone"]) == ("inbound", "no", 4)


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_an_accident_alone_gives_no_credit(pack: Pack, answer: str) -> None:
    """18.0 g with 8.0: the steep dive aborts, but an abort counts only for what fighters did; ask when in doubt."""
    sheet = {**BREMEN, "turn": 5, "zone": 5, "zone.turns": 1, "random-events": "on"}
    dive = f"B-1: 5\nB-3: 6,6\nB-7: 6,6\nB-7.g: 5,6\nB-7.wing: 5\nB-7.wing: 1\nabort-counts: {answer}\n"
    moment = Moment(pack, "cover", sheet, dive)
    assert (moment["bombs"], moment["leg"], moment["credit"]) == ("jettisoned", "inbound", answer)


def test_the_bombs_may_go_before_a_forced_landing(pack: Pack) -> None:
    """13.2 c: out of formation, as a bomber without fuel soon is, they may be jettisoned at any time."""
    dry = {**HOMEWARD, "bombs": "aboard", "fuel.short": "yes", "fuel.turns": 0}
    moment = Moment(pack, "next-turn", dry, "jettison: yes\n")
    assert (moment["bombs"], moment.asked, moment.options) == ("jettisoned", "forced-down", {"ditch", "bail-out"})


@pytest.mark.parametrize("formation", ["in", "out"])
def test_a_bomber_that_comes_down_drops_its_bombs_first(pack: Pack, formation: str) -> None:
    """13.2 c: at any time; who kept them for the target has no more use for them now, so that Enter drops them."""
    dry = {**HOMEWARD, "formation": formation, "bombs": "aboard", "fuel.short": "yes", "fuel.turns": 0}
    moment = Moment(pack, "next-turn", dry)
    assert (moment.asked, moment.first) == ("jettison", "yes")
    flying = {**BREMEN, "turn": 5, "zone": 5, "zone.turns": 1, "formation": "out"}
    moment = Moment(pack, "no-engine-2", flying)
    assert (moment.asked, moment.first) == ("jettison", "no")


# -- the end ------------------------------------------------------------------------------------------------------


def test_the_radio_counts_as_it_was_when_they_jumped(pack: Pack) -> None:
    """G-8 b, errata 27, 34: the radio worked; its man's drowning does not doom those who jump after him."""
    down = {**HOMEWARD, "formation": "out", **{f"engine.{each}": "out" for each in (1, 2, 3, 4)}}
    jumps = "".join(f"G-6 {man}: 3\nG-8 {man}: {1 if man == 'radio-operator' else 6}\n" for man in MEN)
    moment = Moment(pack, "turn", down, f"forced-down: bail-out\n{jumps}")
    assert (moment["fate.radio-operator"], moment["fate.tail-gunner"], moment["crew.lost"]) == ("las", "duty", 1)


MEN = ("pilot copilot bombardier navigator engineer radio-operator ball-gunner port-waist starboard-waist "
       "tail-gunner").split()  # fmt: skip


def test_a_silent_radio_dooms_all_who_jump_alone(pack: Pack) -> None:
    """G-8 b, errata 34: out of formation with a dead radio everyone who comes down in the sea dies."""
    down = {**HOMEWARD, "formation": "out", "radio": "out", **{f"engine.{each}": "out" for each in (1, 2, 3, 4)}}
    moment = Moment(pack, "turn", down, "forced-down: bail-out\n" + "".join(f"G-6 {man}: 3\n" for man in MEN))
    assert moment["crew.lost"] == 10


def test_no_wave_comes_for_a_bomber_that_is_gone(pack: Pack) -> None:
    """18.0 g: a collision destroys the bomber; nothing is left to roll on B-3 and nobody moves."""
    sheet = {**HOMEWARD, "zone": 5, "random-events": "on", "waves.left": 3, "fought": "yes", "crew.navigator": "kia"}
    jumps = "".join(f"G-7 {man}: 1\n" for man in MEN if man != "navigator")
    moment = Moment(pack, "moves", sheet, f"B-3: 6,6\nB-7: 6,6\nB-7.g: 6,6\n{jumps}")
    assert (moment["step"], moment["mission.result"], moment["crew.lost"]) == ("end", "defeat", 10)


def test_some_bail_out_over_england_and_the_rest_land(pack: Pack) -> None:
    """Errata 24: crew members may jump before a dangerous landing; those who did are in no crash."""
    sheet = {**HOMEWARD, "zone": 2, "gear.port": "out", "ball.trapped": "no", "crew.navigator": "serious"}
    script = "O-1: 1,1\nlanding: some-bail-out\nwho-jumps: tail-gunner\nG-6 tail-gunner: 4\nwho-jumps: nobody\n"
    moment = Moment(pack, "turn", sheet, script)
    assert (moment["fate.tail-gunner"], moment.asked) == ("duty", "G-9")
    take(moment.mission, moment.mission.waiting(), Script("G-9: 1,3\n"))  # 4 - 2 bad weather - 3 gear
    hurt = [item["bind"]["position"] for item in moment.mission.pending if item.get("roll") == "BL-4"]
    assert sorted(hurt) == sorted(set(MEN) - {"tail-gunner"})


def test_no_order_stands_when_the_bomber_is_down(pack: Pack) -> None:
    """11.0, 12.1: cold and want of oxygen ask nothing more of a bomber that has landed."""
    sheet = {**HOMEWARD, "zone": 2, "heat.pilot": "out", "oxygen.engineer": 2, "crew.tail-gunner": "kia"}
    moment = Moment(pack, "turn", sheet, "O-1: 3,4\nlanding: land\nG-9: 3,4\n")
    assert (moment["bomber.fate"], moment.mission.pending) == ("returned", [])


def test_those_who_fly_the_bomber_do_not_jump_first(pack: Pack) -> None:
    """Errata 24, 14.2 d: the pilots stay to land it; G-7 b and P-5 c keep others aboard."""
    sheet = {**HOMEWARD, "zone": 2, "ball.trapped": "yes", "gun.ball": "broken", "crew.navigator": "serious"}
    moment = Moment(pack, "turn", sheet, "O-1: 3,4\nlanding: some-bail-out\n")
    stay = {"pilot", "copilot", "navigator", "ball-gunner"}
    assert moment.options == {"nobody", *MEN} - stay


@pytest.mark.parametrize("seats", [{}, {"seat.pilot": "engineer", "seat.engineer": "pilot"}])
def test_the_engineer_who_flies_does_not_jump_first(pack: Pack, seats: dict[str, Any]) -> None:
    """Errata 24, 14.2 c: with both pilots lost it is he who lands it."""
    sheet = {**HOMEWARD, "zone": 2, "crew.pilot": "serious", "crew.copilot": "kia", **seats}
    moment = Moment(pack, "turn", sheet, "O-1: 3,4\nlanding: some-bail-out\n")
    assert moment.options == {"nobody", *MEN} - {"pilot", "copilot", "engineer"}


def test_pilots_alone_aboard_land_or_jump(pack: Pack) -> None:
    """Errata 24, 14.2 d: nobody but the pilots is left to jump first."""
    lost = {f"crew.{man}": "kia" for man in MEN if man not in ("pilot", "copilot")}
    moment = Moment(pack, "turn", {**HOMEWARD, "zone": 2, **lost}, "O-1: 3,4\n")
    assert moment.options == {"land", "bail-out"}


@pytest.mark.parametrize(("dice", "bombs"), [("6,6", "none"), ("6,5", "asked")])
def test_a_twelve_saves_the_crew_whatever_bombs_are_aboard(pack: Pack, dice: str, bombs: str) -> None:
    """G-10 a, e (G-9 too): 0 or less with bombs aboard asks for the die, but a roll of 12 is always crew safe."""
    sheet = {**HOMEWARD, "bombs": "aboard", "crew.pilot": "kia", "crew.copilot": "kia", "zone": 2}
    moment = Moment(pack, "turn", sheet, f"O-1: 3,4\nlanding: land\nG-9: {dice}\n")
    asked = {item.get("roll") for item in moment.mission.pending}
    assert ("G-9.bombs" in {*asked, *moment.tables}) == (bombs == "asked")


def test_no_explosion_after_the_twelve_that_saves_a_ditched_crew(pack: Pack) -> None:
    """G-10 a, e: net 0 and bombs aboard, but the 12 saves them all."""
    sheet = {**HOMEWARD, "bombs": "aboard", "formation": "out", "rafts": "out", "radio": "out"}
    dead = {f"engine.{each}": "out" for each in (1, 2, 3, 4)}
    moment = Moment(pack, "turn", {"bay-doors": "out", **sheet, **dead}, "forced-down: ditch\nG-10: 6,6\n")
    assert (moment["bomber.fate"], moment["crew.lost"], moment["step"]) == ("ditched", 0, "end")


def test_a_burst_slows_the_bomber_in_its_zone_on_the_way_back(pack: Pack) -> None:
    """19.2 d: two turns in each following zone, the one where it burst on the way out among them."""
    torn = {**BREMEN, "turn": 9, "zone": 5, "zone.turns": 1, "formation": "out", "bip": "yes", "bip.zone": 5,
            "bip.low": "yes", "bombs": "jettisoned", "altitude": "low"}  # fmt: skip
    there = Moment(pack, "turn", torn)
    assert (there["zone"], there["turns.double"]) == (6, "yes")
    back = {**torn, "leg": "inbound", "zone": 6, "zone.turns": 2, "bip.zone": there["bip.zone"]}
    assert Moment(pack, "turn", back)["turns.double"] == "yes"


@pytest.mark.parametrize(("low", "turns"), [("no", "yes"), ("yes", "no")])
def test_a_burst_holds_the_bomber_over_the_target(pack: Pack, low: str, turns: str) -> None:
    """19.2 d: two turns there after turning round only if the target's own flak burst inside."""
    turned = {**OVER_BREMEN, "leg": "inbound", "turning": "yes", "bip": "yes", "bip.zone": 7, "bip.low": low}
    assert Moment(pack, "waves", {**turned, "formation": "out"})["turns.double"] == turns


TORN = {**OVER_BREMEN, "formation": "out", "bip": "yes", "bombs": "jettisoned", "altitude": "low"}


@pytest.mark.parametrize(
    ("sheet", "low"),
    [
        ({"zone": 6, "bip.zone": 0, "bip.low": "yes"}, "yes"),  # torn in an earlier zone, and again on the way home
        ({"zone": 7, "bip.zone": 7, "bip.low": "yes", "turning": "yes"}, "no"),  # low flak first, then the target's
    ],
)
def test_a_second_burst_makes_no_zone_faster(pack: Pack, sheet: dict[str, Any], low: str) -> None:
    """19.2 d: two turns in each zone after the first burst, and where the target's own flak burst inside."""
    mission = Mission(pack)
    mission.write({**TORN, "leg": "inbound", **sheet})
    mission.roll("O-4.bip", Hand(), {"area": "nose", "flak.low": low})
    assert Facts(pack.sheet, mission.state)["turns.double"] == "yes"


# -- landing modifiers (notes of G-9 and G-10, BL-1, BL-2, P-2, P-6, 10.3, 10.4, 19.2) ------------------------------

SOUTH = {"mission.number": 11, "target.city": "Bremen", "target.zone": 7, "leg": "inbound", "formation": "in"}
DEAD = {count: {f"engine.{each}": "out" for each in range(1, count + 1)} for count in (1, 2, 3, 4)}
LANDING: list[tuple[dict[str, Any], int, int]] = [  # what is wrong, on land in England, in the water
    ({}, 0, 0),
    ({"flap.port": "out"}, 0, 0),
    ({"flap.port": "out", "flap.starboard": "out"}, -1, -1),
    ({"flap.controls": "out"}, -1, -1),
    ({"flap.controls": "out", "flap.port": "out", "flap.starboard": "out"}, -1, -1),  # BL-2 d
    ({"aileron.controls": "out", "aileron.port": "out", "aileron.starboard": "out"}, -1, -1),
    ({"aileron.starboard": "out"}, 0, 0),
    ({"elevator.port": "out", "elevator.starboard": "out"}, -1, -1),
    ({"elevator.port": "out", "aileron.starboard": "out"}, 0, 0),
    ({"rudder.hits": 2}, 0, 0),
    ({"rudder.hits": 3}, -1, -1),
    ({"rudder.hits": 3, "rudder.controls": "out"}, -1, -1),
    ({"tailplane.port": 3, "tailplane.starboard": 2}, -1, -1),
    ({"window.hits": 1, "cables.hits": 1}, 0, 0),
    ({"window.hits": 3, "cables.hits": 4}, -2, -2),
    ({"gear.port": "out", "gear.starboard": "out", "gear.controls": "out"}, -3, 0),
    ({"brakes.port": "out", "brakes.starboard": "out", "tail-wheel": "out"}, -3, 0),
    ({"bip": "yes"}, -4, -4),
    (DEAD[1], 0, 0),  # errata 12
    (DEAD[2], 0, 0),
    (DEAD[3], -3, -3),
    (DEAD[4], -7, -4),
    ({"crew.pilot": "kia"}, 0, 0),
    ({"crew.pilot": "kia", "crew.copilot": "serious"}, -11, -11),
    ({"missions.pilot": 10, "missions.copilot": 20}, 1, 1),
    ({"missions.pilot": 9, "missions.copilot": 10, "crew.copilot": "light", "wounds.copilot": 1}, 1, 1),
    ({"missions.copilot": 12, "crew.copilot": "light", "wounds.copilot": 2}, 0, 0),
    ({"missions.copilot": 12, "crew.copilot": "serious"}, 0, 0),
    ({"rafts": "out"}, 0, -6),
    ({"radio": "out"}, 0, 0),
    ({"radio": "out", "formation": "out"}, 0, -6),
    ({"crew.radio-operator": "serious", "formation": "out"}, 0, -6),  # errata 27
    ({"seat.radio-operator": "navigator", "seat.navigator": "radio-operator", "formation": "out"}, 0, -6),
    ({"radio": "out", "crew.radio-operator": "kia", "formation": "out", "rafts": "out"}, 0, -12),
]


@pytest.mark.parametrize(("sheet", "land", "sea"), LANDING)
def test_what_counts_on_landing(pack: Pack, sheet: dict[str, Any], land: int, sea: int) -> None:
    """G-9, G-10 and their notes: every modifier once, a surface and its controls not twice."""
    for name, zone, more, expected in (
        ("G-9", 1, {}, land),
        ("G-9", 1, {"weather.base": "bad"}, land - 2),
        ("G-9", 7, {}, land - 3),  # G-10 j
        ("G-10", 4, {}, sea),
    ):
        table = pack.table(name)
        facts = Facts(pack.sheet, {**SOUTH, **sheet, "zone": zone, **more})
        assert sum(each.add for each in table.applying(facts, table.column(facts))) == expected, (name, zone)


# -- figures that only a note or a rule brings about (keyed in tests/book/b17.py) -----------------------------------


@pytest.mark.parametrize(("name", "facts", "nets"), [each for each in book.AFTER_NOTES if each[0] == "B-4"])
def test_shells_of_a_fw_190_and_a_me_110(pack: Pack, name: str, facts: dict[str, Any], nets: dict[int, str]) -> None:
    """B-4 a: half as many again rounded down, one more."""
    for total, shells in nets.items():
        first = max(1, total - 6)
        made = Mission(pack).roll(name, Hand([[first, total - first]]), facts)
        assert made[0].outcome == shells, total


@pytest.mark.parametrize(("name", "facts", "nets"), [each for each in book.AFTER_NOTES if each[0] == "B-3"])
def test_the_fighter_that_joins(pack: Pack, name: str, facts: dict[str, Any], nets: dict[int, str]) -> None:
    """Mission Chart, 13.1 a, b, errata 14: lead, tail and stragglers meet a Me 109 more."""
    for row, wave in nets.items():
        if wave in ("none", "roll-again", "random-events"):
            continue
        mission = Mission(pack)
        mission.write({**OVER_LILLE, **facts})
        mission.roll(name, Hand([[row // 10, row % 10]]))
        board = Facts(pack.sheet, mission.state)
        there = [
            f"{board[f'fighter.{each}.type']}@{board[f'fighter.{each}.clock']}-{board[f'fighter.{each}.angle']}"
            for each in range(1, 13)
            if board[f"fighter.{each}.type"] != "none"
        ]
        assert sorted(each.removesuffix("-none") for each in there) == sorted(wave.split(";")), row


@pytest.mark.parametrize(("name", "facts", "outcome"), book.AUTOMATIC)
def test_settled_without_a_die(pack: Pack, name: str, facts: dict[str, Any], outcome: str) -> None:
    """P-1, P-2, BL-2 a, G-5, G-8 b: no dice at all."""
    assert [each.outcome for each in Mission(pack).roll(name, Hand(), facts)][:1] == [outcome]


@pytest.mark.parametrize(("marks", "state"), book.FIGHTER_MARKS.items())
def test_how_fighter_damage_adds_up(pack: Pack, marks: tuple[int, int], state: str) -> None:
    """M-2, errata 3: two FCA or one FBOA and it breaks off after this attack, two FBOA destroy."""
    fca, fboa = marks
    attacker = {"fighter.1.type": "me109", "fighter.1.clock": "12", "fighter.1.angle": "high", "slots.fighter": 1}
    sheet = {**OVER_LILLE, **attacker, "pass": 1, "wave.formation": "out", "formation": "out", "cover.rolled": "yes"}
    mission = Mission(pack)
    mission.write({**sheet, "step": "passing"})
    for die in [1] * fca + [4] * fboa:  # a single gun
        mission.roll("M-2", Hand([[die]]), {"fighter": "1", "gun": "port-waist"})
    board = Facts(pack.sheet, mission.state)
    if state == "destroyed":
        assert board["fighter.1.type"] == "none"
        return
    assert (board["fighter.1.type"], board["fighter.1.fca"], board["fighter.1.fboa"]) == ("me109", fca, fboa)
    mission.advance()
    still = Facts(pack.sheet, mission.state)["fighter.1.type"] == "me109"
    assert still == (state == "fca")


@pytest.mark.parametrize(("tanks", "turns"), [(1, None), *book.LEAK_TURNS.items()])
def test_each_leaking_tank_leaves_less(pack: Pack, tanks: int, turns: int | None) -> None:
    """BL-1 g, errata 18: 4, 5 or 6 turns; the second tank leaves two, the third one."""
    places = ["tank.outboard.port", "tank.inboard.port", "tank.outboard.starboard"][: tanks - 1]
    mission = Mission(pack)
    mission.write({**OVER_LILLE, **dict.fromkeys(places, "leaking")})
    if places:
        mission.write({"fuel.short": "yes", "fuel.turns": 6})
    bind = {"area": "starboard-wing", "place": "inboard"}
    mission.roll("BL-1.tank", Hand([[3]]), bind)
    mission.roll(None, Hand([] if turns else [[4]]))
    assert Facts(pack.sheet, mission.state)["fuel.turns"] == (turns or 5)


@pytest.mark.parametrize(("result", "hits"), book.WALKING_HITS.items())
def test_walking_hits(pack: Pack, result: str, hits: dict[str, int]) -> None:
    """B-5 a, b, c: one shell in each section named, and none of that fighter's others."""
    column, dice = {
        "walking-hits-a": (("12", "high"), [6, 6]),
        "walking-hits-b": (("9", "high"), [1, 1]),
        "walking-hits-c": (("9", "level"), [6, 6]),
    }[result]
    attacker = {"fighter.1.type": "me109", "fighter.1.clock": column[0], "fighter.1.angle": column[1]}
    mission = Mission(pack)
    mission.write({**OVER_LILLE, **attacker, "slots.fighter": 1, "pass": 1})
    mission.roll("B-4", Hand([[1, 3]]), {"fighter": "1"})
    while (item := mission.waiting()) is not None and item.get("roll") == "B-5":
        mission.roll(None, Hand([dice]), single=True)
    asked = [(item["roll"], item["bind"]["area"]) for item in mission.pending if "roll" in item]
    areas = {("port-wing" if area == "wing" else area): count for area, count in hits.items()}
    expected = [(book.AREA_TABLES[area], area) for area, count in areas.items() for _ in range(count)]
    assert sorted(asked) == sorted(expected)


TWO_AT_12 = {
    **OVER_LILLE, **NO_GUNS, "pass": 1, "cover.rolled": "yes", "slots.fighter": 2, "wave.formation": "in",
    "fighter.1.type": "me109", "fighter.1.clock": "12", "fighter.1.angle": "high",
    "fighter.2.type": "me109", "fighter.2.clock": "12", "fighter.2.angle": "high",
}  # fmt: skip
SHELLS = "M-3 1: 6\nM-3 2: 6\nB-4 1: 6,6\nB-4 2: 6,6\nB-5 1: 5,4\nB-5 1: 4,4\nB-5.wing: 1\nB-5 1: 1,1\nB-5 1: 5,4\n"


def test_walking_hits_take_back_what_the_other_shells_had_noted(pack: Pack) -> None:
    """B-5: they negate this fighter's other hits of this attack, not those of another fighter or of before."""
    before = {**TWO_AT_12, "hits.waist": 3, "hits.nose": 1}
    moment = Moment(pack, "fire", before, SHELLS + "B-5 2: 5,4\nB-5 2: 3,3\n")
    assert [moment[f"hits.{area}"] for area in ("waist", "port-wing", "nose")] == [6, 1, 2]
    moment = Moment(pack, "fire", before, SHELLS + "B-5 2: 5,4\nB-5 2: 3,3\nB-5 2: 6,6\n")
    assert [moment[f"hits.{area}"] for area in ("waist", "port-wing", "nose", "tail")] == [6, 1, 2, 1]
    pending = [item["bind"]["area"] for item in moment.mission.pending if item.get("roll", "")[:2] in ("P-", "BL")]
    assert sorted(pending) == sorted(
        ["waist", "port-wing", "waist", "nose", "pilot-compartment", "bomb-bay", "radio-room", "waist", "tail"]
    )


def test_walking_hits_leave_the_hits_of_the_first_attack(pack: Pack) -> None:
    """B-5: only the other shells of this attack; the same fighter's earlier hits stand."""
    sheet = {**TWO_AT_12, "slots.fighter": 1, "fighter.2.type": "none"}
    first = "M-3 1: 6\nB-4 1: 3,4\nB-5 1: 5,4\nP-5: 2,2\nB-6: 3,4\n"
    again = "M-3 1: 6\nB-4 1: 1,1\nB-5 1: 5,4\nB-5 1: 6,6\n"
    moment = Moment(pack, "fire", sheet, first + again)
    assert (moment["hits.waist"], moment["hits.nose"]) == (2, 1)
