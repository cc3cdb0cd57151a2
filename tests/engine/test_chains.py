"""Chains of rolls: all that can follow from one, and how likely. Expected chances are worked out by hand."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from companion.engine.chain import Chain, Known, Tally, Unending
from companion.engine.dice import Hand
from companion.engine.fields import Value
from companion.engine.play import Play
from companion.packs import Pack
from tests.support import LATE, ROW, asked, chances, pack, slow_but

# -- what follows ------------------------------------------------------------------------------------------------------


def test_what_follows_twice_is_likelier_than_once(tmp_path: Path) -> None:
    game = pack(
        tmp_path,
        t='rows = {1 = "a", "2.." = "c"}\n[outcome.a]\nthen = [{roll = "u", times = 2}, "v"]\n',
        u='rows = {1 = "x", "2.." = "y"}\n[outcome.x]\nthen = ["v"]\n',
        v='rows = {"..3" = 2, "4.." = 5}\n',
    )
    tally = Chain(game, {}).follow({}, {"roll": "t"}).tally
    sixth = Fraction(1, 6)
    assert tally.some["rolls", "t"] == tally.mean["rolls", "t"] == 1
    assert (tally.some["rolls", "u"], tally.mean["rolls", "u"]) == (sixth, sixth * 2)
    assert (tally.some["outcome", "u", "x"], tally.mean["outcome", "u", "x"]) == (sixth * Fraction(11, 36), sixth / 3)
    assert (tally.some["rolls", "v"], tally.mean["rolls", "v"]) == (sixth, sixth * Fraction(4, 3))
    low = 1 - Fraction(1, 2) * Fraction(11, 12) ** 2  # one roll for certain, two that come up once in six
    assert tally.some["outcome", "v", "2"] == sixth * low
    assert tally.mean["outcome", "v", "2"] == sixth * Fraction(4, 3) / 2
    assert tally.mean["sum", "v"] == sixth * Fraction(4, 3) * Fraction(7, 2)


def test_the_die_of_a_row_counts_for_its_table(tmp_path: Path) -> None:
    game = pack(
        tmp_path,
        t='title = "Shells"\nrows = {"..2" = "spar", "3.." = "miss"}\n[outcome.spar]\ndice = "1D"\n'
        'rows = {1 = "bent", "2.." = "cut"}\n[outcome.spar.outcome.bent]\nthen = ["u"]\n',
        u=ROW,
    )
    chain = Chain(game, {}).follow({}, {"roll": "t"})
    assert chain.tally.some == {
        ("rolls", "t"): 1,
        ("outcome", "t", "miss"): Fraction(4, 6),
        ("outcome", "t", "bent"): Fraction(2, 36),
        ("outcome", "t", "cut"): Fraction(10, 36),
        ("rolls", "u"): Fraction(2, 36),
        ("outcome", "u", "b"): Fraction(2, 36),
    }
    assert (chain.titles, chain.ends) == ({"t": "Shells", "u": "u"}, {})


def test_an_order_is_no_decision_even_where_no_dice_are_thrown(tmp_path: Path) -> None:
    game = pack(
        tmp_path,
        t='dice = "-"\nrows = {"0.." = "a"}\n[outcome.a]\nthen = [{order = "Home"}, "u"]\n',
        u='rows = {"1.." = "b"}\n[outcome.b]\nthen = [{order = "Land"}]\n',
    )
    chain = Chain(game, {}).follow({}, {"roll": "t"})
    assert chain.ends == {}
    assert chain.tally.some["outcome", "u", "b"] == 1


def test_rows_taken_without_dice_lead_each_to_its_own(tmp_path: Path) -> None:
    game = pack(
        tmp_path,
        t='rows = {1 = "a", "2.." = "b"}\n[outcome.a]\nthen = [{roll = "d", rows = "1..3"}]\n'
        '[outcome.b]\nthen = ["d"]\n',
        d='rows = {1 = "one", 2 = "two", "3.." = "more"}\n',
    )
    mean = Chain(game, {}).follow({}, {"roll": "t"}).tally.mean
    sixth = Fraction(1, 6)
    assert mean["rolls", "d"] == 3 * sixth + 5 * sixth
    for name, share in (("one", 1), ("two", 1), ("more", 4)):
        assert mean["outcome", "d", name] == sixth + 5 * sixth * share * sixth


def test_rows_that_read_alike_are_counted_by_what_they_ask_for(tmp_path: Path) -> None:
    game = pack(
        tmp_path,
        t='rows = {1 = {as = "a", with = {side = "port"}}, "2.." = {as = "a", with = {side = "starboard"}}}\n'
        '[outcome.a]\nthen = ["u"]\n',
        u=ROW,
    )
    some = chances(game, "t")
    assert some["outcome", "t", "a"] == some["rolls", "u"] == 1
    assert (some["struck", "side", "port"], some["struck", "side", "starboard"]) == (Fraction(1, 6), Fraction(5, 6))


def test_who_is_struck_is_counted_where_a_roll_is_first_about_him(tmp_path: Path) -> None:
    game = pack(
        tmp_path,
        t='rows = {1 = "a", 2 = "b", "3.." = "c"}\n[outcome.a]\nthen = [{roll = "u", times = 2, '
        'with = {side = "port"}}]\n[outcome.b]\nthen = [{roll = "u", with = {side = "starboard", light = "on"}}]\n',
        u='rows = {"1.." = "b"}\n[outcome.b]\nthen = ["v"]\n',
        v=ROW,
    )
    chain = Chain(game, {}).follow({}, {"roll": "t"})
    sixth = Fraction(1, 6)
    assert {key[1:]: much for key, much in chain.tally.some.items() if key[0] == "struck"} == {
        ("side", "port"): sixth,
        ("side", "starboard"): sixth,
    }
    assert chain.tally.mean["struck", "side", "port"] == 2 * sixth
    known = Chain(game, {}).follow({}, {"roll": "u", "bind": {"side": "port"}}).tally
    assert not [key for key in known.some if key[0] == "struck"]


def test_in_a_chain_a_new_fighter_is_the_one_that_later_changes_mean(tmp_path: Path) -> None:
    game = pack(
        tmp_path,
        t="""
rows = {"1.." = "a"}
[[modifier]]
add = 1
when = "fighter.type = 'oscar'"
[outcome.a]
do = ["add fighter (type = 'zeke')", "fighter.2.type = 'tojo'", "mark fighter.fca"]
then = [{when = "fighter.2.fca = 1 and fighter.type = 'tojo'", roll = "u"}]
""",
        u=ROW,
    )
    state: dict[str, Value] = {"fighter.1.type": "oscar", "slots.fighter": 1}
    play = Play(game, state)
    play.roll("t", Hand([[1]]))
    assert asked(play) == ["u"]
    assert Chain(game, {}).follow(state, {"roll": "t"}).tally.some["rolls", "u"] == 1


def test_walking_hits_strike_every_section_at_once(b29: Pack) -> None:
    """5-11, climb: 8 (5 ways) walks over seven sections, 9 (4 ways) gives two on each wing."""
    facts = b29.sheet.given(["fighter.clock=climb", "fighter.type=tojo"])
    tally = Chain(b29, facts).follow({}, {"roll": "5-11"}).tally
    nose = Fraction(5 + 2, 36)  # walking, or a 3
    assert tally.some["struck", "area", "nose"] == tally.mean["struck", "area", "nose"] == nose
    assert tally.mean["struck", "area", "port-wing"] == Fraction(4, 36) * 2 + Fraction(5, 36) / 2
    assert tally.some["struck", "area", "port-wing"] == Fraction(4, 36) + Fraction(5, 36) / 2


def test_a_roll_on_another_sheet_is_another_roll(tmp_path: Path) -> None:
    """c is asked for on three sheets: what it reads differs in one, what it writes over in another."""
    game = pack(
        tmp_path,
        "slots",
        a='dice = "1D"\nrows = {1 = "on", 2 = "far", "3.." = "off"}\n'
        '[outcome.on]\ndo = ["zone = 1"]\nthen = ["c"]\n'
        '[outcome.far]\ndo = ["zone = 5"]\nthen = ["c"]\n[outcome.off]\nthen = ["c"]\n',
        c='dice = "1D"\nrows = {"..3" = "low", "4.." = "high"}\n[[modifier]]\nid = "far"\nadd = 3\nwhen = "zone = 5"\n'
        'why = "far"\n[outcome.low]\ndo = ["zone = 1"]\nthen = ["d"]\n',
        d='dice = "-"\nrows = {"0.." = "{zone}"}\n',
    )
    tally = Chain(game, {}).follow({}, {"roll": "a"}).tally
    assert tally.some["outcome", "c", "low"] == Fraction(5, 6) * Fraction(1, 2)
    assert tally.some["outcome", "d", "1"] == Fraction(5, 12)


X = 'rows = {"0.." = "x"}\n[outcome.x]\n'
LIT = 'rows = {"0.." = {as = "x", with = {light = "off"}}}\n[outcome.x]\nthen = [{when = "light = on", roll = "one"}]\n'


def said(field: str, value: Value) -> str:
    """A line of `do` that writes it."""
    quote = "'" if field in ("city", "fighter.1.type", "fighter.2.type") else ""
    return f'"{field} = {quote}{value}{quote}"'


def on(event: str, when: str = "") -> str:
    """A rule that asks for `one` on an event."""
    return f'[[rule]]\non = "{event}"\nthen = ["one"]\n{when}'


@pytest.mark.parametrize(
    ("field", "values", "read", "rules", "found"),
    slow_but([
        # the field, what stands there at one time and at another, a table `d`, rules, how often that asks for `one`
        ("city", ("one", "two"), X + 'then = ["{city}"]\n', "", (1, 0)),
        ("zone", (1, 2), X + 'cases = [{when = "zone = 1", then = ["one"]}, {then = ["two"]}]\n', "", (1, 0)),
        ("zone", (1, 2), X + 'then = [{when = "zone = 2", roll = "one"}, "two"]\n', "", (0, 1)),
        ("zone", (1, 2), X + 'then = [{roll = "one", times = "zone"}]\n', "", (1, 2)),
        ("zone", (3, 2), X + 'do = ["mark zone"]\nthen = [{when = "zone = 4", roll = "one"}]\n', "", (1, 0)),
        ("zone", (1, 2), '[[modifier]]\nadd = "zone"\n[[column]]\nrows = {"0..1" = "y", "2.." = "x"}\n'
         '[outcome.x]\nthen = ["one"]\n', "", (0, 1)),
        ("zone", (1, 2), '[[modifier]]\nadd = 1\nwhen = "late"\n[[column]]\nrows = {0 = "x", 1 = "y"}\n'
         '[outcome.x]\ndo = ["mark zone"]\nthen = [{when = "late", roll = "one"}]\n', "", (0, 1)),
        ("fighter.1.type", ("a", "b"), X + 'then = [{when = "fighter.type = \'a\'", roll = "one"}]\n', "", (1, 0)),
        ("fighter.2.type", ("zeke", None), X + 'then = [{when = "fighter = 2", roll = "one"}]\n', "", (1, 0)),
        ("zone", (1, 2), X + 'do = ["mark hour"]\n', on("hour", 'when = "zone = 1"\n'), (1, 0)),
        ("zone", (1, 2), X + 'do = ["zone = 2"]\n', on("zone"), (2, 1)),  # t has written it once
        ("zone", (1, 2), X + 'do = ["mark zone"]\n', '[[rule]]\nwhen = "zone = 3"\nthen = ["one"]\n', (0, 1)),
        ("seen", (None, 3), X + 'do = ["mark hour"]\n', on("seen"), (0, 2)),
        ("seen", (None, 3), X + 'do = ["mark hour"]\nthen = [{when = "seen = 0", roll = "one"}]\n', "",
         (1, 1)),
        ("light", ("on", "off"), LIT, on("d", 'when = "light = on"\n'), (1, 0)),
        ("fighter.1.fca", (1, 2), 'with = {fighter = "1"}\n' + X + 'do = ["clear fighter", '
         '"mark fighter.1.fca"]\nthen = [{when = "fighter.1.fca = 1", roll = "one"}]\n', "", (1, 1)),
        ("fighter.1.fca", (1, 2), X + 'then = [{when = "some fighter (fighter.fca = 2)", roll = "one"}]\n', "", (0, 1)),
        ("fighter.1.fca", (1, 2), X + 'then = [{for = "fighter", when = "fighter.fca = 2", roll = "one"}]\n', "",
         (0, 1)),
        ("hits.port", (1, 2), X + 'do = ["exchange hits.port, hits.starboard"]\n'
         'then = [{when = "hits.starboard = 2", roll = "one"}]\n', "", (0, 1)),
        ("hits.port", (1, 2), X + 'do = ["mark hour for side if hits[side] = 2"]\n'
         'then = [{roll = "one", times = "hour"}]\n', "", (0, 1)),
        ("fighter.1.fca", (None, 2), 'with = {fighter = "1"}\n' + X + 'do = ["clear fighter"]\n',
         on("fighter.1.fca"), (0, 2)),
    ], 8),
)  # fmt: skip
def test_a_roll_is_worked_out_anew_where_what_it_reads_stands_otherwise(
    tmp_path: Path, field: str, values: tuple[Value | None, Value | None], read: str, rules: str, found: tuple[int, int]
) -> None:
    """One roll on two sheets that differ in one field: in 2 of 6 on the first, in 4 of 6 on the second."""
    for turn in (1, -1):
        folder = tmp_path / f"turn{turn}"
        folder.mkdir()
        first, second = (
            ("" if value is None else f"do = [{said(field, value)}]\n") + 'then = ["d"]\n' for value in values[::turn]
        )
        game = pack(
            folder,
            facts=LATE,
            rules=rules,
            t=f'rows = {{"..2" = "a", "3.." = "b"}}\n[outcome.a]\n{first}[outcome.b]\n{second}',
            d=f'dice = "-"\n{read}',
            one=ROW,
            two=ROW,
        )
        mean = Chain(game, {}).follow({}, {"roll": "t"}).tally.mean
        once, again = found[::turn]
        assert mean.get(("rolls", "one"), 0) == Fraction(2, 6) * once + Fraction(4, 6) * again


# -- to roll again -----------------------------------------------------------------------------------------------------


def test_a_roll_again_leaves_the_other_rows_more_likely(tmp_path: Path) -> None:
    again = pack(
        tmp_path,
        "slots",
        a='dice = "1D"\nrows = {1 = "again", "2..3" = "hit", "4.." = "miss"}\n[outcome.again]\nthen = ["a"]\n',
    )
    tally = Chain(again, {}).follow({}, {"roll": "a"}).tally
    assert tally.some["outcome", "a", "hit"] == Fraction(2, 5)


def test_several_rows_may_ask_to_roll_again(tmp_path: Path) -> None:
    rows = 'rows = {1 = "again", 2 = "once-more", "3..4" = "miss", "5.." = "hit"}\n'
    game = pack(
        tmp_path,
        t=rows + '[outcome.again]\nthen = ["t"]\n[outcome.once-more]\nthen = ["t"]\n',
        u=rows + '[[modifier]]\nadd = 2\nwhen = "light = on"\n'
        '[outcome.again]\nthen = [{roll = "u", with = {light = "on"}}]\n'
        '[outcome.once-more]\nthen = [{roll = "u", with = {city = "\'Kobe\'"}}]\n',
        v='rows = {"1.." = "again"}\n[outcome.again]\nthen = ["v"]\n',
    )
    assert chances(game, "t")["outcome", "t", "hit"] == Fraction(1, 2)
    # p = 2/6 at once, 1/6 x 4/6 with the light on, 1/6 x p in another city
    assert chances(game, "u")["outcome", "u", "hit"] == Fraction(8, 15)
    assert ("outcome", "v", "again") not in chances(game, "v")


@pytest.mark.parametrize(
    ("bound", "modifier", "chance"),
    [
        ('light = "on"', "light = on", Fraction(5, 9)),  # 2 in 6 at once; after 2 in 6 another, then 4 in 6
        ('light = "on"', "light = off", Fraction(1, 2)),
        ('fighter = "2"', "fighter = 2", Fraction(5, 9)),
        ('fighter = "2"', "light = on", Fraction(1, 2)),
        ('fighter = "2"', "some fighter (fighter.fca = 1)", Fraction(1, 2)),
    ],
)
def test_to_roll_again_under_another_heading(tmp_path: Path, bound: str, modifier: str, chance: Fraction) -> None:
    game = pack(
        tmp_path,
        t='rows = {"..2" = "again", "3..4" = "miss", "5.." = "hit"}\n'
        f'[[modifier]]\nadd = 2\nwhen = "{modifier}"\n'
        f'[outcome.again]\nthen = [{{roll = "t", with = {{{bound}}}}}]\n',
    )
    assert chances(game, "t")["outcome", "t", "hit"] == chance


def test_a_roll_again_that_changes_the_sheet_is_another_roll(tmp_path: Path) -> None:
    """1 or 2 marks a zone and asks again, and with a zone marked they miss: 2 in 6, then 2 in 6 once more."""
    game = pack(
        tmp_path,
        t='[[column]]\nwhen = "zone = 0"\nrows = {"..2" = "again", "3..4" = "miss", "5.." = "hit"}\n'
        '[[column]]\nrows = {"..4" = "miss", "5.." = "hit"}\n'
        '[outcome.again]\ndo = ["mark zone"]\nthen = ["t"]\n',
    )
    assert chances(game, "t")["outcome", "t", "hit"] == Fraction(2, 6) + Fraction(2, 6) * Fraction(2, 6)


def test_a_taken_row_and_a_roll_of_the_same_table_are_two_things(tmp_path: Path) -> None:
    rows = 'rows = {1 = "a", 2 = "b", "3.." = "c"}\n[outcome.a]\n'
    game = pack(tmp_path, t=rows + 'then = [{roll = "t", rows = "2..2"}]\n', u=rows + 'then = ["u"]\n')
    taken = Chain(game, {}).follow({}, {"roll": "t", "take": 1})
    assert (taken.ends, taken.tally.some["outcome", "t", "b"]) == ({}, 1)
    assert chances(game, "t")["outcome", "t", "b"] == Fraction(1, 6) + Fraction(1, 6)
    rolled = Chain(game, {}).follow({}, {"roll": "u", "take": 1})
    assert (rolled.ends, rolled.tally.some["outcome", "u", "b"]) == ({}, Fraction(1, 5))


@pytest.mark.parametrize(
    ("state", "head", "change"),
    [
        ({}, "zone = 0", "mark zone"),
        ({"zone": 2}, "zone = 2", "zone = 1"),
        ({"fighter.1.type": "zeke"}, "fighter.1.type = 'zeke'", "clear fighter"),
        ({"hits.port": 1}, "hits.port = 1", "exchange hits.port, hits.starboard"),
    ],
)
def test_the_same_table_on_another_sheet_does_not_come_round_to_itself(
    tmp_path: Path, state: dict[str, Value], head: str, change: str
) -> None:
    game = pack(
        tmp_path,
        t=f'[[column]]\nwhen = "{head}"\nrows = {{"1.." = "on"}}\n'
        '[[column]]\nrows = {"..2" = "off", "3.." = "out"}\n[outcome.on]\nthen = ["u"]\n',
        u=f'with = {{fighter = "1"}}\nrows = {{"1.." = "b"}}\n[outcome.b]\ndo = ["{change}"]\nthen = ["t"]\n',
    )
    chain = Chain(game, {}).follow(state, {"roll": "t", "bind": {"fighter": "1"}})
    assert chain.ends == {}
    assert chain.tally.mean["rolls", "t"] == 2 and chain.tally.some["outcome", "t", "off"] == Fraction(1, 3)


# -- where a chain ends ------------------------------------------------------------------------------------------------


def test_tables_that_ask_for_each_other_do_not_hang(tmp_path: Path) -> None:
    game = pack(
        tmp_path,
        "slots",
        a='dice = "1D"\nrows = {1 = "on", "2.." = "off"}\n[outcome.on]\nthen = ["b"]\n',
        b='dice = "1D"\nrows = {1 = "on", "2.." = "off"}\n[outcome.on]\nthen = ["a"]\n',
        c='dice = "1D"\nrows = {"1.." = "on"}\n[outcome.on]\ndo = ["mark zone"]\nthen = ["c", "a"]\n',
    )
    chain = Chain(game, {}).follow({}, {"roll": "a"})
    assert chain.ends == {"a": "it comes round to itself"}
    assert Chain(game, {}).follow({}, {"roll": "c"}).ends


def test_rolls_that_lead_to_each_other_are_counted_at_least_until_they_come_round(tmp_path: Path) -> None:
    """Each leads to the next 3 times in 6: itself, 1/2, 1/4, and so on for ever if nobody stopped."""
    game = pack(
        tmp_path,
        t='rows = {"..2" = "a", "3..4" = "b", "5.." = "c"}\n[outcome."{step}"]\nthen = ["{step}"]\n',
        **{
            name: f'rows = {{"..3" = "on", "4.." = "off"}}\n[outcome.on]\nthen = ["{following}"]\n'
            for name, following in ("ab", "bc", "ca")
        },
    )
    chain = Chain(game, {}).follow({}, {"roll": "t"})
    for name in "abc":
        once_round = Fraction(1, 3) * (1 + Fraction(1, 2) + Fraction(1, 4))
        assert once_round <= chain.tally.mean["rolls", name] <= once_round * Fraction(8, 7)
    assert set(chain.ends.values()) == {"it comes round to itself"}


def test_a_chain_ends_where_the_player_decides_where_the_book_is_needed_and_where_a_table_remembers(
    tmp_path: Path,
) -> None:
    game = pack(
        tmp_path,
        t='rows = {1 = "a", "2..3" = "b", "4.." = "c"}\n[outcome.a]\nthen = [{choose = "who"}, {ask = "zone"}]\n'
        '[outcome.b]\nthen = [{roll = "u", with = {side = "port"}}, {order = "Home"}]\n[outcome.c]\nthen = ["v"]\n',
        u='title = "Hits"\nmemory = "struck[side]"\nrows = {"1.." = "b"}\n[outcome.b]\nthen = ["v"]\n',
        v='title = "Landing"\nowner = true\n',
    )
    chain = Chain(game, {}).follow({}, {"roll": "t"})
    assert {where: why.partition(":")[0] for where, why in chain.ends.items()} == {
        "who": "yours to decide",
        "zone": "yours to decide",
        "u": "it remembers what has been struck",
        "v": "the rows of v are in your own book, and so are its odds",
    }
    some = chain.tally.some
    assert (some["rolls", "u"], some["rolls", "v"]) == (Fraction(1, 3), Fraction(1, 2))
    assert some["struck", "side", "port"] == Fraction(1, 3)
    assert ("outcome", "u", "b") not in some and chain.titles == {"t": "t", "u": "Hits", "v": "Landing"}


def test_a_chain_that_begins_at_a_table_that_remembers_goes_one_roll_on(tmp_path: Path) -> None:
    game = pack(
        tmp_path,
        u='memory = "struck[side]"\nwith = {side = "port"}\nrows = {"..2" = "b", "3.." = "c"}\n'
        '[outcome.b]\nthen = ["u"]\n[outcome.c]\ndice = "1D"\nrows = {1 = "x", "2.." = "y"}\n',
    )
    chain = Chain(game, {}).follow({}, {"roll": "u"})
    assert chain.tally.some["outcome", "u", "x"] == Fraction(4, 36)
    assert chain.ends == {"u": "it remembers what has been struck"}
    assert chain.tally.mean["rolls", "u"] == 1 + Fraction(1, 3)


def test_a_chain_without_end_is_cut_off_and_says_so(tmp_path: Path) -> None:
    game = pack(tmp_path, t='rows = {"1.." = "a"}\n[outcome.a]\ndo = ["mark hour"]\nthen = ["t"]\n')
    chain = Chain(game, {}).follow({}, {"roll": "t"})
    assert chain.ends == {"t": "the chain is too long"}
    assert chain.tally.mean["rolls", "t"] > 50


def test_a_chain_tells_how_far_it_is(tmp_path: Path) -> None:
    game = pack(
        tmp_path,
        t='rows = {1 = "a", 2 = "b", "3.." = "c"}\n[outcome.a]\nthen = ["u"]\n[outcome.b]\nthen = ["v"]\n'
        '[outcome.c]\nthen = ["w"]\n',
        u='rows = {"..3" = "a", "4.." = "b"}\n[outcome.b]\nthen = ["x"]\n',
        v=ROW,
        w=ROW,
        x=ROW,
    )
    progress: list[Fraction] = []
    chain = Chain(game, {}, progress.append).follow({}, {"roll": "t"})
    assert progress == sorted(progress) and len(progress) == chain.count
    assert set(progress) == {Fraction(0), Fraction(1, 3), Fraction(2, 3)}


def test_a_chain_too_long_to_count_is_given_up(b29: Pack, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.engine.chain.MOST", 50)
    with pytest.raises(Unending, match="can follow 5-9; ask for a table further on, such as [0-9-]+, or say more"):
        Chain(b29, {"fighter.clock": "6", "fighter.angle": "high", "fighter.type": "zeke"}).follow({}, {"roll": "5-9"})


@pytest.mark.slow
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


@pytest.mark.slow
def test_the_chain_from_the_first_roll_of_combat_is_counted_to_its_end(b29: Pack) -> None:
    chain = Chain(b29, {}).follow({}, {"roll": "5-1"})
    assert chain.tally.some["rolls", "7-1"] > 0
    assert "the chain is too long" not in chain.ends.values()
