"""Pack sentences cannot call, import or open anything, or run forever."""

from __future__ import annotations

import ast
import time
from pathlib import Path
from unittest import mock

import pytest

from companion.engine.dice import Hand
from companion.engine.facts import Facts
from companion.packs import Pack, language
from companion.packs.check import check
from companion.packs.language import GIVEN, definition
from companion.play.mission import Mission
from companion.problems import SystemFault, UserError
from tests.support import PACKS, pack, sheet_of

NODES = set(
    "Add And Assign Attribute BinOp BoolOp Call Compare Constant Dict Eq Expr FloorDiv For FunctionDef GeneratorExp "
    "Gt GtE If IfExp In Lambda List Load Lt LtE Mod Module Mult Name Not NotEq Or Return Store Sub Subscript Try Tuple "
    "USub UnaryOp arg arguments comprehension".split()
)
METHODS = set(
    "sheet facts has_column look_up hold get append add ask_for change clear count uncount drop "
    "exchange fill order".split()
)


@pytest.mark.parametrize("game", ["bombs-away", "b17", "b29"])
def test_what_a_pack_becomes_only_goes_through_members_and_calls_our_own(game: str) -> None:
    made: list[ast.stmt] = []
    with mock.patch.object(language, "definition", lambda *parts: made.append(definition(*parts)) or made[-1]):
        pack = Pack(game)
        assert [fault for name in pack.layers for fault in pack.faults_of(name)] == []
    assert len(made) > 300
    for node in (node for each in made for node in ast.walk(each)):
        assert type(node).__name__ in NODES, node
        if isinstance(node, ast.Attribute):
            assert node.attr in METHODS, node.attr
        elif isinstance(node, ast.For | ast.comprehension):
            assert isinstance(node.iter, ast.Constant) and type(node.iter.value) is tuple, node.iter
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id in ("dice", "said") or node.func.id in GIVEN, node.func.id


def test_compiled_sentences_have_no_builtins_and_no_modules(b29: Pack) -> None:
    unit = b29.unit("5-9")
    test = next(each["#when"] for each in unit["modifier"] if "#when" in each)
    assert test.__globals__["__builtins__"] == {}
    assert not [name for name, thing in test.__globals__.items() if hasattr(thing, "__file__")]


@pytest.mark.parametrize("facts", ["f40 = \"row('t') = 'a'\"\n", "f40 = \"column('t')\"\n"])
def test_facts_without_end(tmp_path: Path, facts: str) -> None:
    game = pack(
        tmp_path, "bare", sheet=sheet_of("raid"), facts=facts, look=(PACKS / "raid" / "look.toml").read_text(),
        t='dice = "-"\ncolumn = [{title = "x", when = "f40 = 2", rows = {"0.." = "a"}}]\n[outcome.a]\ntext = "x"\n',
    )  # fmt: skip
    with pytest.raises(SystemFault, match="depends on itself"):
        _ = Facts(game.sheet)["f40"]
    assert all(isinstance(each, str) for each in check(game))


AGAIN = 'rows = {"1.." = "a"}\n[outcome.a]\n'


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"t": AGAIN + "do = [\"city = '{city}{city}x'\"]\nthen = ['t']\n"}, "up to 500 printable characters"),
        ({"t": AGAIN + "then = [{roll = 't', times = '1000000 * zone'}]\n"}, "rolls"),
    ],
    ids=["a text in a field", "rolls"],
)
def test_rolls_without_end(tmp_path: Path, files: dict[str, str], message: str) -> None:
    game = pack(tmp_path, **files)
    begun = time.process_time()
    mission = Mission(game, {"city": "abcdefgh", "zone": 1}, number=1)
    with pytest.raises(UserError, match=message):
        mission.roll("t", Hand([[3]]), {"word": "abcdefgh"})
        for _ in range(40):
            mission.roll(None, Hand([[3]]))
    assert time.process_time() - begun < 3
    assert all(isinstance(each, str) for each in check(game))
