"""Nothing that a pack says can call, import or open anything, or go on without end."""

from __future__ import annotations

import ast
import contextlib
import re
import time
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.engine.dice import Hand
from companion.engine.facts import Facts
from companion.packs import Pack
from companion.packs.check import check
from companion.packs.language import GIVEN, Draft
from companion.play.mission import Mission
from companion.problems import Problem, Trouble
from tests.support import HOSTILE, PACKS, Run, pack, sheet_of, slow_but

NODES = set(
    "Add And Assign Attribute AugAssign BinOp BoolOp Call Compare Constant Dict Eq Expr FloorDiv For FunctionDef "
    "Gt GtE If IfExp In List Load Lt LtE Module Mult Name Not NotEq Or Return Store Sub Subscript Try Tuple USub "
    "UnaryOp arg arguments".split()
)
NAMES = re.compile(r"[a-z]|f\d+|m_[A-Za-z0-9_.:-]+|bind|before|outer|adding|dice|.+ of .+")
METHODS = set(
    "sheet facts has_column look_up hold release bind_one get append add ask_for change clear count uncount drop "
    "exchange fill order".split()
)


def trees(game: Pack, name: str) -> list[ast.Module]:
    """All that the sentences of a file become, whether the file is sound or not."""
    made: list[ast.Module] = []
    tree = Draft.tree

    def kept(draft: Draft, *parts: Any) -> ast.Module:
        made.append(tree(draft, *parts))
        return made[-1]

    with mock.patch.object(Draft, "tree", kept):
        game.faults_of(name)
    return made


def audited(trees: list[ast.Module]) -> None:
    """Trees that a pack has become: they may go through the members of an index, and nothing else in them can take
    long or reach further than the sheet and what a result may do."""
    for node in (node for tree in trees for node in ast.walk(tree)):
        assert type(node).__name__ in NODES, node
        if isinstance(node, ast.Name):
            assert NAMES.fullmatch(node.id) or node.id in GIVEN or node.id == "said", node.id
        elif isinstance(node, ast.Attribute):
            assert node.attr in METHODS, node.attr
        elif isinstance(node, ast.For):
            assert isinstance(node.iter, ast.Constant) and type(node.iter.value) is tuple, node.iter
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert re.fullmatch(r"f\d+|dice|said", node.func.id) or node.func.id in GIVEN, node.func.id


@pytest.mark.parametrize("game", slow_but(["bombs-away", "b17", "b29", "b29-streamliner"]))
def test_our_own_packs_become_such_python(game: str) -> None:
    pack = Pack(game)
    for name in pack.layers:
        made = trees(pack, name)
        assert made or name == "rulings" or not re.search("when|do|then|{", repr(pack.read(name))), name
        audited(made)


OUTWARD = [
    "__import__('os').system('true')", "().__class__", "zone.__class__", "zone.__class__.__mro__ = 1", "open('x') = 1",
    "eval('1')", "exec('1') = 1", "lambda: 1", "v['zone']", "[x for x in zone]", "zone; import os", "zone\nimport os",
    "zone = 1 if yes else __builtins__", "city = '{__import__(1)}'", "city = '{zone.__class__}'", "f'{zone}' = 'a'",
    "city = '%s'", "city = '%(zone)s'", "city = '%'", "city = 'a\\' or yes or \\''", "city = '\\'", "city = '''",
    "city = '\"\"\"'", "city = 'a' 'b'", "city = '\n'", "city = '{'", "city = '}'", "city = '{{zone}}'", "city = '{}'",
    "zone := 2", "zone ** 9", "9 ** 9 ** 9 = 1", "globals()", "getattr(zone, 'x')", "zone = 1 # note", "zone = 1)",
    "(zone = 1", "\uff5aone = 1", "zone = \u00b2", "zone = 1\\", "zone = 0x10", "zone = 1e9", "zone = 1_0", "zone == 1",
    "\0", "", " ", "no", "yes", "none", "zone", "1", "'a'", "max(", "max()", "min(1)", "row('t')", "row('../../x')",
    "column('t')", "row('')", "some", "some side", "some side ()", "some side as zone (yes)", "zone[side]", "[zone]",
    "hits[hits[hits[side]]]", "hits['port']", "hits[zone]", "side.near.far", "side.__class__", "fighter[1].type = ''",
    "dice(9)", "2D", "p.change('zone', 1)", "p", "v", "m_side", "f0", "n0", "link", "DOC", "GIVEN", "same(zone, zone)",
    "zone = -", "t", "..", "/dev/zero", "zone = 999999999999999 * 999999999999999",
]  # fmt: skip
PLACES = {
    "when": 'rows = {{"1.." = "a"}}\nmodifier = [{{id = "m", add = 1, why = "m", when = {0}}}]\n[outcome.a]\n',
    "add": 'rows = {{"1.." = "a"}}\nmodifier = [{{id = "m", why = "m", add = {0}}}]\n[outcome.a]\n',
    "column": 'column = [{{title = "x", when = {0}, rows = {{"1.." = "a"}}}}]\n[outcome.a]\n',
    "do": 'rows = {{"1.." = "a"}}\n[outcome.a]\ndo = [{0}]\n',
    "text": 'rows = {{"1.." = "a"}}\n[outcome.a]\ntext = {1}\n',
    "as": 'rows = {{"1.." = {{as = {1}}}}}\n[outcome."{{x}}"]\n',
    "with": 'rows = {{"1.." = {{as = "a", with = {{x = {0}}}}}}}\n[outcome.a]\ntext = "{{x}}"\n',
    "name": 'rows = {{"1.." = {{as = "a", with = {{{0} = "zone"}}}}}}\n[outcome.a]\n',
    "result": 'rows = {{"1.." = {0}}}\n[outcome.{0}]\ntext = {0}\n',
    "once": 'rows = {{"1.." = {{ask-once = {0}}}}}\n[outcome.a]\n',
    "memory": 'memory = {0}\nrows = {{"1.." = "a"}}\n[outcome.a]\n',
    "adjust": 'rows = {{"1.." = 3}}\nadjust = [{{is = {0}, why = "x"}}]\n[outcome."{{result}}"]\n',
    "is": 'rows = {{"1.." = "a"}}\n[outcome.a]\nis = {0}\n',
    "then": 'rows = {{"1.." = "a"}}\n[outcome.a]\nthen = [{{roll = {1}, for = "side", when = {0}}}]\n',
    "times": 'rows = {{"1.." = "a"}}\n[outcome.a]\nthen = [{{roll = "t", times = {0}}}]\n',
    "for": 'rows = {{"1.." = "a"}}\n[outcome.a]\nthen = [{{roll = "t", for = {0}}}]\n',
    "ask": 'rows = {{"1.." = "a"}}\n[outcome.a]\nthen = [{{ask = {0}, usual = {0}}}]\n',
    "order": 'rows = {{"1.." = "a"}}\n[outcome.a]\nthen = [{{order = {1}, until = {0}}}]\n',
}


def tomli(text: str) -> str:
    """A text as TOML, whatever is in it."""
    return '"' + "".join(each if each.isascii() and each.isalnum() else f"\\U{ord(each):08x}" for each in text) + '"'


def used(folder: Path, place: str, sentence: str) -> None:
    """A table with a sentence in a place of it: refused, or used without harm. The other files are there once."""
    if not folder.exists():
        pack(folder)
    texts = tomli(sentence), tomli("{" + sentence + "}")
    (folder / "t.toml").write_text(f'id = "t"\ndice = "1D"\n{PLACES[place].format(*texts)}', encoding="utf-8")
    game = Pack("raid", [folder])
    begun = time.process_time()
    with contextlib.suppress(Problem):
        audited(trees(game, "t"))
    with contextlib.suppress(Problem):
        mission = Mission(game, {"zone": 2, "city": "Truk"}, number=1)
        mission.roll("t", Hand([[3], [3]]), {"side": "port"})
        mission.roll(None, Hand([[3], [3]]))
    assert all(isinstance(each, str) for each in check(game))
    assert time.process_time() - begun < 2


@pytest.mark.slow
@pytest.mark.parametrize("place", PLACES)
def test_no_sentence_reaches_further_than_the_sheet(tmp_path: Path, place: str) -> None:
    for sentence in OUTWARD:
        used(tmp_path / "pack", place, sentence)


WORDS = st.sampled_from(
    "zone city crossed light on off = != >= in not and or if else some every no count sum side fighter as for ( ) [ ] "
    ", ' { } . 1 9 -1 + * - hits[side] mark erase add clear drop exchange everything max( half-up( row('t') 'a' yes "
    "none 1D".split()
)


@pytest.mark.slow
@settings(HOSTILE, max_examples=300)
@given(st.one_of(st.text(max_size=30), st.lists(WORDS, max_size=14).map(" ".join)), st.sampled_from(sorted(PLACES)))
def test_any_sentence(tmp_path: Path, sentence: str, place: str) -> None:
    if not any("\ud800" <= letter <= "\udfff" for letter in sentence):
        used(tmp_path / "pack", place, sentence)


def test_what_is_compiled_has_no_builtins_and_no_modules(b29: Pack) -> None:
    unit = b29.unit("5-9")
    test = next(each["#when"] for each in unit["modifier"] if "#when" in each)
    assert test.__globals__["__builtins__"] == {}
    assert not [name for name, thing in test.__globals__.items() if hasattr(thing, "__file__")]


NAMED_ODDLY = [
    "a'b", 'a"b', "a\\b", "a\nb", "a]b", "a[b", "a b", "__class__", "%s", "{zone}", "\u00e9", "\u202e", "v['x']", "f0",
    "#do", "#when", "#facts", "",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMED_ODDLY, ids=ascii)
def test_names_are_only_names(tmp_path: Path, name: str) -> None:
    written = tomli(name)
    game = pack(
        tmp_path,
        "bare",
        sheet="[sections]\nall = 'All'\n[index.side]\nport = {}\n"
        f"{written} = {{near = {written}, {written} = 1}}\n[fields.all]\nstep = {{}}\nzone = {{kind = 'count'}}\n"
        f"{written} = {{kind = 'count'}}\nlight = {{values = 'on off', label = {written}}}\n"
        "'hits[side]' = {kind = 'count'}\n[facts]\nwhere = 'sum side (hits[side])'\n",
        t=f'dice = "1D"\nrows = {{"1.." = {written}}}\n[outcome.{written}]\ndo = ["mark hits[side] for side"]\n',
    )
    with contextlib.suppress(Problem):
        audited(trees(game, "sheet"))
        audited(trees(game, "t"))
        mission = Mission(game, {}, number=1)
        mission.roll("t", Hand([[3]]))
        if name in game.sheet.known:
            mission.write({name: 2})
    assert all(isinstance(each, str) for each in check(game))


def doubling(line: str) -> str:
    """Forty facts, each made of the one before."""
    return "".join(f"f{at} = {line.replace('#', f'f{at - 1}')}\n" for at in range(1, 41))


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ('f40 = "f2"\nf2 = "f40 + 1"\n', "worked out from itself"),
        ('f40 = "sum side (a[side])"\n"a[side]" = "b[side]"\n"b[side]" = "f40 + a[side]"\n', "worked out from itself"),
        ("f40 = \"row('t') = 'a'\"\n", "worked out from itself"),
        ("f40 = \"column('t')\"\n", "worked out from itself"),
        ('f0 = "999999999999999"\n' + doubling('"# * #"'), "beyond all figures"),
        ("f0 = \"'0123456789'\"\n" + doubling("\"'{#}{#}'\""), "longer than any page"),
        ('f40 = "count x (count x as b (count x as c (zone = 0) >= 0) >= 0)"\n', "one within the other"),
        (f'f40 = "{"(" * 250}zone{")" * 250}"\n', "nested too deeply"),
        (f'f40 = "{"1 if crossed else " * 100}2"\n', "nested too deeply"),
        (f'f40 = "{"9" * 5000}"\n', "longer than any"),
    ],
)
def test_facts_without_end(tmp_path: Path, facts: str, message: str) -> None:
    begun = time.process_time()
    game = pack(
        tmp_path,
        "bare",
        sheet=sheet_of("raid").replace("[index.fighter]", "[index]\nx = 1000\n[index.fighter]"),
        facts=facts,
        look=(PACKS / "raid" / "look.toml").read_text(),
        t='dice = "-"\ncolumn = [{title = "x", when = "f40 = 2", rows = {"0.." = "a"}}]\n[outcome.a]\ntext = "x"\n',
    )
    with pytest.raises(Trouble) as refused:
        _ = Facts(game.sheet)["f40"]
    assert message in str(refused.value)
    assert all(isinstance(each, str) for each in check(game))
    assert time.process_time() - begun < 3


AGAIN = 'rows = {"1.." = "a"}\n[outcome.a]\n'
ROUND = '[[step]]\nid = "a"\ntitle = "A"\ngo = "b"\n[[step]]\nid = "b"\ntitle = "B"\ngo = "a"\n'
EACH_OTHER = '[[rule]]\non = "zone"\ndo = ["hour = zone"]\n[[rule]]\non = "hour"\ndo = ["zone = 1 - zone"]\n'


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"sequence": ROUND}, "never ends"),
        ({"rules": EACH_OTHER}, "set each other off"),
        ({"t": AGAIN + "do = [\"city = '{city}{city}x'\"]\nthen = ['t']\n"}, "up to 500 characters"),
        ({"t": AGAIN + "then = [{roll = 't', with = {word = \"'{word}{word}x'\"}}]\n"}, "longer than any page"),
        ({"t": AGAIN + "then = [{roll = 't', times = '1000000 * zone'}]\n"}, "rolls"),
    ],
    ids=["steps", "rules", "a text in a field", "a text that is bound", "rolls"],
)
def test_steps_rules_and_rolls_without_end(tmp_path: Path, files: dict[str, str], message: str) -> None:
    game = pack(tmp_path, **files)
    begun = time.process_time()
    mission = Mission(game, {"city": "abcdefgh", "zone": 1}, number=1)
    with pytest.raises(Problem, match=message):
        if "sequence" in files:
            mission.advance()
        elif "rules" in files:
            mission.write({"zone": 0})
        else:
            mission.roll("t", Hand([[3]]), {"word": "abcdefgh"})
            for _ in range(40):
                mission.roll(None, Hand([[3]]))
    assert time.process_time() - begun < 3
    assert all(isinstance(each, str) for each in check(game))


@pytest.mark.slow
def test_a_table_that_asks_for_itself_ends_with_the_flight(companion: Run, data_folder: Path) -> None:
    folder = data_folder / "packs" / "raid"
    folder.parent.mkdir(parents=True)
    numbered = '"mission.number" = {kind = "count", limit = [1], default = 1}\n'
    step = '[[step]]\nid = "a"\ntitle = "A"\nthen = ["t"]\n'
    pack(folder, fields=numbered, t=AGAIN + 'then = ["t"]\n', sequence=step)
    companion("new", "Owls", "--game", "raid", "--yes")
    companion("mission", "start", "--yes")
    ran = companion("fly", "--auto", "--seed", "1", "--json")
    assert (ran.code, ran.err) == (1, f"{folder / 't.toml'}: what follows from t goes on and on, and never ends\n")
