"""`companion odds` and `companion why`. Expected chances are counted by hand from the printed rows."""

from __future__ import annotations

import itertools
import json
from fractions import Fraction
from pathlib import Path

import pytest

from companion.engine.odds import Chain, Known, Tally, Unending, branches, odds
from companion.engine.sheet import Value
from companion.packs import Pack
from companion.play.chance import Chance
from companion.play.conversation import walk
from companion.play.mission import Mission
from companion.problems import OwnerTable
from tests import support
from tests.conftest import Run
from tests.test_command_line import owls  # noqa: F401

ACE = ("--with", "fighter.clock=6", "--with", "fighter.pilot=ace")


def test_an_ace_at_6_hits_with_6_or_more_on_two_dice(companion: Run) -> None:
    told = companion("odds", "5-9", "--game", "b29", *ACE, "--json").json
    assert (told["game"], told["table"]) == ("b29", "5-9")
    assert told["outcomes"] == {
        "miss": {"ways": 10, "of": 36, "p": 0.2778},
        "hit": {"ways": 26, "of": 36, "p": 0.7222},
    }
    assert told["modifiers"] == [{"add": 1, "why": "ace fighter pilot", "cite": "5-5"}]


def test_an_unmodified_12_always_hits(companion: Run) -> None:
    """At 12 o'clock 9 or more hits; evasive action, a green pilot, a Tojo and three hits on him take 6 away."""
    facts = ("fighter.clock=12", "evasive=yes", "fighter.pilot=green", "fighter.type=tojo", "fighter.fca=3")
    given = [word for fact in facts for word in ("--with", fact)]
    told = companion("odds", "5-9", "--game", "b29", *given, "--json").json
    assert told["outcomes"]["hit"] == {"ways": 1, "of": 36, "p": 0.0278}


def test_two_cases_side_by_side(companion: Run) -> None:
    """7 or more hits from 6 o'clock: 21 ways; with evasive action 8 or more: 15."""
    case = ("odds", "5-9", "--game", "b29", "--with", "fighter.clock=6", "--compare", "evasive=yes")
    told = companion(*case, "--json").json
    assert told["outcomes"]["hit"]["ways"] == 21
    assert told["compared"]["with"] == {"evasive": "yes"}
    assert told["compared"]["outcomes"]["hit"]["ways"] == 15
    shown = companion(*case).out
    assert "58.33%" in shown and "41.67%" in shown and "evasive=yes  (-1)" in shown


def test_bars_are_plain_on_a_pipe_and_keep_to_80_columns(companion: Run) -> None:
    for arguments in (["5-9", *ACE], ["6-7", "--with", "bomb-run=on"], ["5-9", "--chain", *ACE]):
        ran = companion("odds", *arguments, "--game", "b29")
        assert ran.code == 0, ran.err
        assert "\x1b" not in ran.out and "█" in ran.out
        assert max(map(len, ran.out.splitlines())) <= 80


def test_a_formula_is_worked_out_with_every_die(companion: Run) -> None:
    """6-7 on target: 60 is printed at 3 (2 ways of 36) and is 3D x 1D where the product is 60."""
    told = companion("odds", "6-7", "--game", "b29", "--with", "bomb-run=on", "--json").json["outcomes"]
    assert sum(each["ways"] for each in told.values()) == 36 * 6**4
    products = [(a + b + c) * d for a, b, c, d in itertools.product(range(1, 7), repeat=4)]
    expected = Fraction(2, 36) + Fraction(3, 36) * Fraction(products.count(60), 6**4)
    assert Fraction(told["60"]["ways"], told["60"]["of"]) == expected
    assert Fraction(told["95"]["ways"], told["95"]["of"]) == Fraction(1, 36) * Fraction(6, 36)  # 88 and a 7
    assert list(told) == sorted(told, key=int)


def test_d66_counts_each_pair_once(tmp_path: Path) -> None:
    pack = small(tmp_path, a='dice = "D66"\nrows = {"..16" = "low", "21.." = "high"}\n')
    assert odds(pack, {}, {}, {"roll": "a"}).ways == {"low": 6, "high": 30}


def test_the_odds_of_an_owner_table_are_in_the_book(companion: Run) -> None:
    ran = companion("odds", "8-1", "--game", "b29")
    said = "the rows of 8-1 are in your own book, and so are its odds; to take it down: companion tables transcribe 8-1"
    assert (ran.code, ran.err) == (2, f"{said}\n")


def test_one_unreadable_row_is_told_as_such(companion: Run) -> None:
    """5-11, 12 o'clock level: the row for 4 (3 ways) is not in our text."""
    given = ("--with", "fighter.clock=12", "--with", "fighter.angle=level")
    told = companion("odds", "5-11", "--game", "b29", *given, "--json").json
    assert told["outcomes"]["in-your-book"]["ways"] == 3


def test_a_table_that_lacks_a_fact_says_which(companion: Run) -> None:
    ran = companion("odds", "5-9", "--game", "b29")
    assert ran.code == 2 and "5-9 needs fighter.clock" in ran.err


def test_the_chain_of_a_zeke_at_6_level(companion: Run) -> None:
    """Worked by hand: 5-9 hits 21 in 36; 5-10 gives 125/36 shells on average; 5-11 strikes the tail with a 4 or 7."""
    given = ("--with", "fighter.clock=6", "--with", "fighter.angle=level", "--with", "fighter.type=zeke")
    told = companion("odds", "5-9", "--game", "b29", *given, "--chain", "--json").json["chain"]
    hit = Fraction(21, 36)
    ways = {2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 7: 6, 8: 5, 9: 4, 10: 3, 11: 2, 12: 1}
    shells = {2: 6, 3: 5, 4: 6, 5: 3, 6: 2, 7: 2, 8: 2, 9: 3, 10: 6, 11: 5, 12: 7}
    mean = sum(Fraction(ways[roll] * shells[roll], 36) for roll in ways)
    tail, utility, wing = Fraction(9, 36), Fraction(3, 36), Fraction(1 + 4 + 4 + 1, 36)  # 4, 7 | 10 | 2, 5, 9, 12
    assert told["tables"]["5-9"]["outcomes"]["hit"]["p"] == round(float(hit), 4)
    assert told["tables"]["5-10"]["expected"] == round(float(hit * mean), 4)
    assert told["tables"]["5-11"]["rolls"] == round(float(hit * mean), 4)
    struck = told["struck"]["area"]
    for area, share in (("tail", tail), ("utility", utility), ("port-wing", wing / 2), ("starboard-wing", wing / 2)):
        some = hit * sum(Fraction(ways[roll], 36) * (1 - (1 - share) ** shells[roll]) for roll in ways)
        assert struck[area] == {"p": round(float(some), 4), "expected": round(float(hit * mean * share), 4)}
    # further dice inside a row are folded into its table
    assert "wing-a" not in told["tables"]["5-11"]["outcomes"]
    assert told["tables"]["5-11"]["outcomes"]["port-wing"]["expected"] == struck["port-wing"]["expected"]
    # a Zeke's shell counts 0, (1: 0 or 1), 1 or 2 times: 0 1/6, half of 1/6, 1/6, 3/6 twice
    factor = Fraction(1, 12) + Fraction(1, 6) + 2 * Fraction(3, 6)
    assert told["tables"]["7-8"]["rolls"] == round(float(hit * mean * tail * factor), 4)
    assert told["ends"]["7-8"] == "it remembers what has been struck"


def test_walking_hits_strike_every_section_at_once(b29: Pack) -> None:
    """5-11, climb: 8 (5 ways) walks over seven sections, 9 (4 ways) gives two on each wing."""
    facts = b29.sheet.given(["fighter.clock=climb", "fighter.type=tojo"])
    tally = Chain(b29, facts).follow({}, {"roll": "5-11"}).tally
    nose = Fraction(5 + 2, 36)  # walking, or a 3
    assert tally.some["struck", "area", "nose"] == tally.mean["struck", "area", "nose"] == nose
    assert tally.mean["struck", "area", "port-wing"] == Fraction(4, 36) * 2 + Fraction(5, 36) / 2
    assert tally.some["struck", "area", "port-wing"] == Fraction(4, 36) + Fraction(5, 36) / 2


def test_a_chain_stops_where_something_is_missing_and_says_so(companion: Run) -> None:
    told = companion("odds", "5-9", "--game", "b29", *ACE, "--chain", "--json").json["chain"]
    assert "5-11 needs fighter.angle" in told["ends"]["5-11"]
    compared = companion(
        "odds", "5-9", "--game", "b29", *ACE, "--chain", "--compare", "fighter.angle=low", "--json"
    ).json["compared"]["chain"]
    assert compared["struck"]["area"]["tail"]["p"] > 0


def test_a_chain_too_long_to_count_is_given_up(b29: Pack, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.engine.odds.MOST", 50)
    with pytest.raises(Unending, match="can follow 5-9; ask for a table further on, such as [0-9-]+, or say more"):
        Chain(b29, {"fighter.clock": "6", "fighter.angle": "high", "fighter.type": "zeke"}).follow({}, {"roll": "5-9"})


@pytest.mark.parametrize(
    ("game", "table", "facts"),
    [
        ("b29", "5-3", ["attack.type=zeke", "formation=out", "altitude=med"]),
        ("b29", "5-9", ["fighter.clock=6", "fighter.angle=high", "fighter.type=frank"]),
        ("b29", "6-3", ["flak=heavy"]),
        ("b17", "P-1", ["area=nose"]),
        ("b17", "BL-1", ["area=port-wing"]),
    ],
)
def test_what_is_worked_out_once_is_what_working_it_out_each_time_gives(
    monkeypatch: pytest.MonkeyPatch, game: str, table: str, facts: list[str]
) -> None:
    """Equal in every key, against a chain that takes a roll as known only on the very same sheet."""
    pack = Pack(game)
    given = pack.sheet.given(facts)

    def plain() -> Chain:
        return Chain(pack, given).follow({}, {"roll": table})

    def same(self: Known, state: dict[str, Value], bind: dict[str, Value]) -> tuple[Tally, tuple[str, ...]] | None:
        found = self.by_names.get((), {}).get((frozenset(state.items()), tuple(sorted(bind.items()))))
        return (found, ()) if found is not None else None

    def keep(self: Known, seen: object, state: dict[str, Value], bind: dict[str, Value], tally: Tally) -> None:
        self.by_names.setdefault((), {})[frozenset(state.items()), tuple(sorted(bind.items()))] = tally

    quick = plain()
    monkeypatch.setattr(Known, "find", same)
    monkeypatch.setattr(Known, "keep", keep)
    slow = plain()
    assert quick.count <= slow.count
    assert (quick.tally.some, quick.tally.mean, quick.ends) == (slow.tally.some, slow.tally.mean, slow.ends)


def test_a_roll_on_another_sheet_is_another_roll(tmp_path: Path) -> None:
    """c is asked for on three sheets: what it reads differs in one, what it writes over in another."""
    pack = small(
        tmp_path,
        a='dice = "1D"\nrows = {1 = "on", 2 = "far", "3.." = "off"}\n'
        '[outcome.on]\ndo = ["zone = 1"]\nthen = ["c"]\n'
        '[outcome.far]\ndo = ["zone = 5"]\nthen = ["c"]\n[outcome.off]\nthen = ["c"]\n',
        c='dice = "1D"\nrows = {"..3" = "low", "4.." = "high"}\n[[modifier]]\nid = "far"\nadd = 3\nwhen = "zone = 5"\n'
        'why = "far"\n[outcome.low]\ndo = ["zone = 1"]\nthen = ["d"]\n',
        d='dice = "-"\nrows = {"0.." = "{zone}"}\n',
    )
    tally = Chain(pack, {}).follow({}, {"roll": "a"}).tally
    assert tally.some["outcome", "c", "low"] == Fraction(5, 6) * Fraction(1, 2)
    assert tally.some["outcome", "d", "1"] == Fraction(5, 12)


def test_the_chain_from_the_first_roll_of_combat_is_counted_to_its_end(b29: Pack) -> None:
    chain = Chain(b29, {}).follow({}, {"roll": "5-1"})
    assert chain.tally.some["rolls", "7-1"] > 0
    assert "the chain is too long" not in chain.ends.values()


def small(tmp_path: Path, **tables: str) -> Pack:
    sheet = '[sections]\nall = "All"\n[index]\nfighter = 2\n[fields.all]\nzone = {kind = "count"}\n'
    return support.pack(tmp_path, sheet=sheet, **tables)


def test_a_roll_again_leaves_the_other_rows_more_likely(tmp_path: Path) -> None:
    again = small(
        tmp_path, a='dice = "1D"\nrows = {1 = "again", "2..3" = "hit", "4.." = "miss"}\n[outcome.again]\nthen = ["a"]\n'
    )
    tally = Chain(again, {}).follow({}, {"roll": "a"}).tally
    assert tally.some["outcome", "a", "hit"] == Fraction(2, 5)


def test_tables_that_ask_for_each_other_do_not_hang(tmp_path: Path) -> None:
    pack = small(
        tmp_path,
        a='dice = "1D"\nrows = {1 = "on", "2.." = "off"}\n[outcome.on]\nthen = ["b"]\n',
        b='dice = "1D"\nrows = {1 = "on", "2.." = "off"}\n[outcome.on]\nthen = ["a"]\n',
        c='dice = "1D"\nrows = {"1.." = "on"}\n[outcome.on]\ndo = ["mark zone"]\nthen = ["c", "a"]\n',
    )
    chain = Chain(pack, {}).follow({}, {"roll": "a"})
    assert chain.ends == {"a": "it comes round to itself"}
    assert Chain(pack, {}).follow({}, {"roll": "c"}).ends


def test_every_table_with_rows_has_odds_that_add_up_to_one(b29: Pack) -> None:
    counted = 0
    facts = b29.sheet.given(["fighter.clock=6", "fighter.angle=high", "fighter.type=frank", "bomb-run=on"])
    for table in b29.all_tables():
        try:
            found = branches(b29, {}, facts, {"roll": table.id}, lambda: None)
        except OwnerTable:
            assert table.unwritten or table.dice.count is None
            continue
        except Exception as problem:
            assert "needs" in str(problem) or "has no column" in str(problem), (table.id, problem)
            continue
        assert sum(branch.chance for branch in found) == 1, table.id
        counted += 1
    assert counted > 35


def test_long_work_shows_a_bar_at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    import io
    import sys

    from companion.cli.odds import Waiting

    class Screen(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stderr", Screen())
    with Waiting() as waiting:
        waiting.tick(Fraction(0))
        assert waiting.bar is None
        waiting.begun -= 2
        waiting.tick(Fraction(1, 2))
        assert waiting.bar is not None and waiting.bar.tasks[0].completed == 0.5


# -- why ---------------------------------------------------------------------------------------------------------------


def test_why_tells_an_entry_again_with_everything_that_went_into_it(owls: Run) -> None:  # noqa: F811
    owls("set", "evasive=yes", "fighter.1.type=tojo", "fighter.1.clock=6", "fighter.1.pilot=ace", "engine.2=out")
    owls("roll", "5-9", "--with", "fighter=1", "--dice", "5,5")
    owls("set", "evasive=no", "fighter.1.pilot=green")
    told = owls("why", 2, "--json").json
    assert (told["table"], told["dice"], told["net"], told["outcome"]) == ("5-9", [5, 5], 9, "hit")
    assert [(each["add"], each["cite"]) for each in told["modifiers"]] == [(-1, "5.7"), (-1, "5-9"), (1, "5-5")]
    assert told["row"] == "6, climb: 7.."
    assert told["given"] == {"fighter": "1"}
    assert {"field": "fighter.1.hit", "before": "none", "after": "yes"} in told["changes"]
    shown = owls("why", 2).out
    assert "evasive action  5.7" in shown and "given with it: fighter=1" in shown
    assert "row: 6, climb: 7 or more" in shown
    assert owls("why", "--json").json["verb"] == "set"
    assert "Evasive" in owls("why").out
    assert owls("why", 9).code == 2
    assert owls("status", "--json").json["facts"]["evasive"] == "no"


def test_why_of_nothing(owls: Run) -> None:  # noqa: F811
    ran = owls("why")
    assert (ran.code, ran.err) == (2, "nothing has been recorded in this mission\n")


@pytest.mark.parametrize("seed", [3, 11])
def test_every_entry_of_a_mission_works_out_again_to_the_same(b29: Pack, seed: int) -> None:
    import random

    mission = Mission(b29, {"mission.number": seed}, number=1)
    for _ in walk(mission, Chance(random.Random(seed))):
        pass
    before = json.dumps([mission.state, mission.pending])
    for number, made in enumerate(mission.journal.entries, 1):
        again, result, _ = mission.again(number)
        assert again is made
        assert result is not None
        assert {name: list(pair) for name, pair in result.changes.items()} == made.get("c", {}), made
        assert result.net == made.get("net")
        assert [[each.modifier.id, each.add] for each in result.applied] == made.get("m", [])
    assert json.dumps([mission.state, mission.pending]) == before


def test_why_shows_steps_decisions_and_owner_tables(owls: Run) -> None:  # noqa: F811
    owls("fly", "--auto", "--seed", "3")
    verbs = {each["verb"]: each["number"] for each in owls("log", "--json").json}
    for number in verbs.values():
        assert owls("why", number).code == 0
        assert owls("why", number, "--json").json["number"] == number
