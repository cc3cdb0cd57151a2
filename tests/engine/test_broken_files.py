"""Files of a pack that make no sense: a sentence with their name, whatever was asked of them."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest

from companion.engine.dice import Hand
from companion.engine.play import Play
from companion.engine.questions import settle
from companion.packs import Pack
from companion.packs.check import check
from companion.packs.pack import blaming
from companion.problems import Problem, Trouble
from tests.support import Lay, Run, pack, sheet_of, slow_but


def test_a_file_that_makes_no_sense_is_named_with_what_was_asked_of_it(tmp_path: Path) -> None:
    bad = 'then = [{roll = "t", rows = "few..many"}]\n'
    game = pack(
        tmp_path,
        t=f'rows = {{"1.." = "a"}}\n[outcome.a]\n{bad}',
        choices=f'[choice.who]\ntitle = "Who?"\n[[choice.who.option]]\nname = "me"\n{bad}',
        rules=f'[[rule]]\non = "zone"\n{bad}',
        sequence=f'[[step]]\nid = "one"\n{bad}',
    )
    who, zone = {"choose": "who", "bind": {}}, {"ask": "zone", "bind": {}}
    for line, action in (
        ("t.toml, line 5: outcome.a.then 1, rows", lambda: settle(Play(game).roll("t", Hand([[1]])))),
        (
            "choices.toml, line 5: choice.who.option 1, then 1, rows",
            lambda: settle(Play(game, {}, [who]).choose(who, "me")),
        ),
        ("rules.toml, line 3: rule 1, then 1, rows", lambda: settle(Play(game, {}, [zone]).answer(zone, "1"))),
        ("sequence.toml, line 3: step 1, then 1, rows", lambda: Play(game).advance()),
        ("rules.toml, line 3: rule 1, then 1, rows", lambda: Play(game).write({"zone": 1}, "set")),
    ):
        with pytest.raises(Trouble) as problem, blaming(game):
            action()
        assert f'{line} is "few..many"; it takes a range of rows such as 2..12' in str(problem.value)


def test_a_mistake_of_ours_is_not_said_to_be_the_packs() -> None:
    with pytest.raises(KeyError, match="ours"), blaming(Pack("bombs-away")):
        raise KeyError("ours")


def chain(length: int) -> list[str]:
    """Facts of which each is worked out from the next, and the last from a field."""
    return [*(f'f{number} = "f{number + 1} + 1"' for number in range(length)), f'f{length} = "{"mission.number"}"']


COLUMN = '[[column]]\ntitle = "c"\n{}\nrows = {{"1.." = "a"}}\n'
MODIFIER = 'rows = {{"1.." = "a"}}\n[[modifier]]\nid = "m"\nwhy = "m"\n{}\n'


@pytest.mark.parametrize(
    ("facts", "table", "sentence"),
    slow_but(
        [
            (chain(90), MODIFIER.format('add = "f0"'), r"the fact f\d+: it is worked out from over 60 others"),
            (chain(90)[::-1], MODIFIER.format('add = "f0"'), r"the fact f\d+: it is worked out from over 60 others"),
            (
                ['a = "b"', 'b = "a"'],
                MODIFIER.format('add = "a"'),
                "the fact a: it is worked out from itself: a from b from a",
            ),
            (
                [],
                MODIFIER.format("add = 1\nwhen = \"row('t') = a\""),
                "t.toml, line 9: modifier m, when: the table t looks itself up",
            ),
            (
                [],
                COLUMN.format("when = \"column('t')\""),
                "t.toml, line 6: column c, when: the table t looks itself up",
            ),
            (["a = \"row('t')\""], MODIFIER.format('add = "a"'), "the fact a: it is worked out from itself"),
            (
                [],
                COLUMN.format('modifier = ["m"]'),
                "t.toml, line 4: column c: it names a modifier m, which there is not",
            ),
            ([], "[[natural]]\nroll = 1\n", "t.toml, line 4: natural 1 lacks outcome"),
            (
                [],
                '[sub.x.cases]\n"#when" = 1\n',
                "t.toml, line 5: sub.x.cases has '#when'; a name does not begin with #",
            ),
        ],
        3,
    ),
)
def test_what_goes_round_or_too_deep_is_a_sentence(tmp_path: Path, facts: list[str], table: str, sentence: str) -> None:
    sheet = f"{sheet_of('spar')}[facts]\n" + "\n".join(facts)
    text = f'id = "t"\ntitle = "T"\ndice = "1D"\n{table}[outcome.a]\n'
    game = pack(tmp_path, "spar", sheet=sheet, t=text)
    assert any(re.search(sentence, each) for each in check(game)), check(game)
    with pytest.raises(Problem), blaming(game):
        settle(Play(game).roll("t", Hand([[1]])))


@pytest.mark.parametrize(
    ("field", "sentence"),
    [
        ('wide = {label = "Wide {"}', "its label has a brace without its partner"),
        ('wide = {boxes = "gun.bursts"}', "its boxes are gun.bursts, which the sheet says of nobody"),
        ('"wide[gun]" = {boxes = "gun.bursts"}', "its boxes are gun.bursts, which is no number for every gun"),
        ('wide = {kind = "count", limit = []}', "limit has 0 of them; a list of the lowest number and the highest"),
    ],
)
def test_a_field_that_cannot_be_drawn_is_said_with_its_line(tmp_path: Path, field: str, sentence: str) -> None:
    sheet = f'{sheet_of("spar")}{field}\n[index.gun]\ntail = {{bursts = "many"}}\n'
    game = pack(tmp_path, "spar", sheet=sheet)
    assert any("sheet.toml, line 5: " in each and sentence in each for each in check(game)), check(game)


def test_names_of_sub_rolls_without_end_are_no_table(tmp_path: Path) -> None:
    with pytest.raises(Problem, match="has no table"):
        pack(tmp_path, "spar").table("t" + ".a" * 5000)


def test_tables_in_tables_without_end_are_refused_with_their_file(tmp_path: Path) -> None:
    game = pack(tmp_path, "spar", t='id = "t"\n[sub.a' + ".sub.a" * 90 + "]\n")
    assert check(game) == [f"{tmp_path / 't.toml'}: it is nested too deeply"]


@pytest.mark.slow
def test_what_breaks_where_a_table_is_shown_is_told_of_the_file_at_fault(companion: Run, lay: Lay) -> None:
    path = lay("5-1.toml", '[[patch]]\nreason = "mine"\nmodifier = [{id = "hi", add = 1.5}]\n')
    ran = companion("show", "5-1", "--game", "b29", "--with", "altitude=med")
    assert ran.code == 1 and ran.err.startswith(f"{path}, line 3: ") and "add is 1.5" in ran.err


def test_the_game_that_a_pack_extends_is_a_name(companion: Run, lay: Lay) -> None:
    path = lay("pack.toml", 'extends = ["b29"]\n')
    ran = companion("show", "5-1", "--game", "b29")
    assert (ran.code, ran.err) == (1, f"{path}: extends takes the name of a game\n")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="pipes of Unix")
@pytest.mark.parametrize("command", ["doctor", "tables check b29", "roll 5-1 --game b29 --dice 3,4"])
def test_a_pipe_among_the_tables_is_not_waited_for(companion: Run, lay: Lay, command: str) -> None:
    path = lay("5-1.toml", "")
    path.unlink()
    os.mkfifo(path)
    ran = companion(*command.split())
    assert ran.code in (1, 2) and "it is no file" in ran.out + ran.err
