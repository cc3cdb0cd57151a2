"""Whatever is typed, or written in a pack or a script: a sentence or a result, at once, and never a traceback."""

from __future__ import annotations

import ast
import contextlib
import io
import os
import random
import re
import resource
import sys
import time
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from companion.engine.needs import Hand
from companion.engine.odds import Chain, odds
from companion.engine.sheet import Facts, Sheet
from companion.packs import Pack, cache, tables_folder
from companion.packs.proof import check
from companion.play.mission import Mission
from companion.play.script import Script
from companion.problems import Problem, Trouble
from tests.conftest import Ran, Run
from tests.support import LOOK, SHEET
from tests.support import pack as small

HOSTILE = settings(suppress_health_check=list(HealthCheck), deadline=None, max_examples=40)
TYPED = st.one_of(
    st.text(max_size=40),
    st.text("0123456789,/; +-eE.²٣", max_size=60),
    st.sampled_from(["6" * 5000, "1," * 3000, "/" * 500, "\0", "\ud800", "1e9", "-1", "٣,٤", "³", "{area}", "{"]),
)
NUMBERS = st.one_of(
    TYPED, st.sampled_from(["5-9", "5-9.hit", "6-7.3dx1d", "7-3.fuel-tank.leak", ".", "..", "5-11.", "5-9..x"])
)
FACTS = st.one_of(
    TYPED,
    st.tuples(st.sampled_from(["zone", "fuel.wing", "altitude", "fighter", "area", "gun", "engines.out", "area.table",
                               "position", "slots.fighter", "target.city", "step", "roll", "hit.nose", "seat.pilot"]),
              TYPED).map("=".join),
)  # fmt: skip


def typed(*arguments: str) -> Ran:
    """The command line in this process, with nobody to ask."""
    from companion.__main__ import main

    out, err = io.StringIO(), io.StringIO()
    begun = time.process_time()
    with (
        mock.patch.object(sys, "argv", ["companion", *arguments]),
        mock.patch.object(sys, "stdin", io.StringIO()),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        code = main()
    assert time.process_time() - begun < 1, arguments
    said = err.getvalue()
    assert code in (0, 1, 2, 3), arguments
    assert "Traceback" not in said and "made a mistake" not in said, (arguments, said)
    assert said.count("\n") == (code != 0), (arguments, said)
    return Ran(code, out.getvalue(), said)


@pytest.fixture(autouse=True)
def small_memory() -> Iterator[None]:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    yield
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 400_000  # kilobytes


@HOSTILE
@given(TYPED)
@example("9" * 5000)
def test_any_dice(text: str) -> None:
    typed("roll", "5-9", "--game", "b29", "--with", "fighter.clock=6", f"--dice={text}", "--json")


@HOSTILE
@given(st.lists(FACTS, max_size=4), st.sampled_from(["5-1", "5-9", "6-7", "7-5", "5-12"]))
@example(["fuel.wing=" + "9" * 5000], "5-1")
@example(["slots.fighter=12", "fighter.clock=6"], "5-3")
def test_any_facts(facts: list[str], table: str) -> None:
    given_ = [f"--with={fact}" for fact in facts]
    typed("roll", table, "--game", "b29", "--seed", "1", *given_)
    typed("odds", table, "--game", "b29", *given_)


@HOSTILE
@given(NUMBERS)
@example("pack")
@example("sheet")
@example("../b29/5-9")
def test_any_table_number(name: str) -> None:
    for command in ("roll", "show", "odds"):
        typed(command, "--game", "b29", "--", name)
    typed("roll", "--game", name, "--", "5-9")


@HOSTILE
@given(TYPED, st.sampled_from(["8-1", "4-8", "7-10", "8.4", "4-4", "5-11"]))
@example("9" * 5000, "4-4")
@example("²", "4-4")
@example("-²", "4-4")
def test_any_outcome(text: str, table: str) -> None:
    facts = ("--with", "fighter.clock=12", "--with", "fighter.angle=level")
    typed("roll", table, "--game", "b29", "--dice", "2,2", f"--outcome={text}", *facts)


@HOSTILE
@given(TYPED, FACTS, NUMBERS, st.integers(-(10**30), 10**30))
def test_anything_written_on_a_sheet(text: str, fact: str, name: str, number: int) -> None:
    if not (Path(os.environ["COMPANION_HOME"]) / "settings.json").exists():
        typed("new", "Owls", "--game", "b29", "--yes")
        typed("mission", "start", "--yes")
    typed("set", "--", fact)
    typed("mark", "--", name, str(number))
    typed("mark", "--", "windshield.hits", str(number))
    typed("roll", "8-1", "--dice", "2,2", f"--outcome={text}")
    typed("new", "--game", "b29", "--yes", "--", text) if len(text) < 30 and text.strip() == "" else None
    typed("use", "--", text)
    typed("why", "--", str(number))
    typed("undo", "--", str(number))
    assert typed("status", "--json").code == 0


def scripts(text: str) -> None:
    from companion.play.conversation import take

    mission, script = Mission(PACK, {}, number=1), Script(text)
    begun = time.process_time()
    with contextlib.suppress(Problem):
        for _ in range(60):
            mission.before(script)
            item = mission.waiting()
            if item is None:
                if not mission.advance():
                    break
            else:
                take(mission, item, script)
    assert time.process_time() - begun < 1


PACK = Pack("b29")
LINES = (Path(__file__).parent / "missions" / "01-day-uneventful.txt").read_text(encoding="utf-8").splitlines()
LINE = st.one_of(
    TYPED,
    st.sampled_from(LINES),
    st.builds(lambda fact: f"set {fact}", FACTS),
    st.builds(lambda name, answer: f"{name}: {answer}", NUMBERS, TYPED),
    st.builds(lambda line, row: f"{line} = {row}", st.sampled_from(LINES), TYPED),
)


@HOSTILE
@given(st.integers(0, 40), st.lists(LINE, max_size=6))
def test_any_script(start: int, lines: list[str]) -> None:
    scripts("\n".join([*LINES[:start], *lines]))


# -- the files of a pack -----------------------------------------------------------------------------------------------

FILES = sorted((tables_folder() / "b29").glob("*.toml"))
DOCUMENTS = {path.stem.casefold(): tomllib.loads(path.read_text(encoding="utf-8")) for path in FILES}
JUNK: list[Any] = [
    True, 0, -1, 10**9, 10**400, 1.5, float("nan"), "", "none", "{", "{area}", "{roll}", "{{", "1D", "99999D",
    "2..1",
    "..999999999", "1..999999999", "owner", [], {}, [[]], [{}], {"when": 5}, {"rows": 5}, {"when": "zone >= x"},
    {"for": "nothing"}, {"for": "fighter"}, {"roll": "5-9", "times": 10**9}, {"roll": "5-9", "rows": "1..999999999"},
    ["5-9"], "zone = 2", "evasive", "not", "some fighter (yes)", "mark zone 99999", "altitude = lo for gun if evasive",
    "no", "zone * zone * zone", "crew[position]", "__import__('os')", "'", "(((", ["mark zone"], ["zone = 1 - zone"],
    {"where": {"zone": 2}}, {"effects": []}, {"ask-once": "zone"}, {"as": "{zone"}, {"do": ["drop everything"]},
]  # fmt: skip


def places(part: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if at:
        yield at
    if isinstance(part, Mapping):
        for key in part:
            yield from places(part[key], (*at, key))
    elif isinstance(part, list):
        for number, each in enumerate(part):
            yield from places(each, (*at, number))


def mutated(part: Any, at: tuple[Any, ...], how: str, junk: Any) -> Any:
    """A copy with one place changed: dropped, replaced, doubled, or under another name."""
    head, *rest = at
    made = dict(part) if isinstance(part, Mapping) else list(part)
    if rest:
        made[head] = mutated(part[head], tuple(rest), how, junk)
    elif how == "drop":
        del made[head]
    elif how == "rename" and isinstance(made, dict):
        made[str(junk)[:40]] = made.pop(head)
    else:
        made[head] = junk
    return made


class Broken(Pack):
    """Our pack with one document exchanged, and what is compiled with it."""

    def __init__(self, name: str, document: Mapping[str, Any]) -> None:
        super().__init__("b29")
        self._docs[name] = document
        self.broken = name

    def unit(self, name: str) -> Mapping[str, Any]:
        if name not in self._units and self.broken in (name, "sheet"):
            source, found, _ = self.compiled(name)
            if found:
                raise Trouble(found[0])
            self._units[name] = cache.run(compile(source, name, "exec"), self, name)
        return super().unit(name)


def shake(pack: Pack, name: str, rng: random.Random) -> None:
    """Use a pack in every way: whatever is wrong with it is a Problem, soon."""
    facts = {"fighter.clock": "6", "fighter.angle": "high", "fighter.type": "zeke", "area": "nose", "bomb-run": "on"}
    begun = time.process_time()
    with contextlib.suppress(Problem):
        Mission(pack, {"zone": 3}, number=1).write({"zone": 4, "engine.2": "out", "altitude": "hi"})
    with contextlib.suppress(Problem):
        mission = Mission(pack, {}, number=1)
        for _ in range(4):
            mission.advance()
            mission.pending.clear()
    if name not in ("sheet", "rules", "sequence", "choices", "pack"):
        for _ in range(3):
            with contextlib.suppress(Problem):
                mission = Mission(pack, dict(facts) if rng.random() < 0.5 else {}, number=1)
                mission.roll(name, Hand([], rng), {} if rng.random() < 0.5 else facts)
                mission.roll(None, Hand([], rng), facts)
        with contextlib.suppress(Problem):
            odds(pack, {}, facts, {"roll": name})
        with contextlib.suppress(Problem), mock.patch("companion.engine.odds.MOST", 60):
            Chain(pack, facts).follow({}, {"roll": name})
    if name == "choices":
        for choice in list(DOCUMENTS["choices"]["choice"]):
            with contextlib.suppress(Problem):
                mission = Mission(pack, {}, [{"choose": choice, "bind": {}}], number=1)
                mission.roll(None, Hand([], rng))
    assert time.process_time() - begun < 3, name  # most of it compiles the sheet


@settings(HOSTILE, max_examples=120)
@given(
    st.sampled_from(sorted(DOCUMENTS)),
    st.randoms(use_true_random=False),
    st.sampled_from(["drop", "rename", "put"]),
    st.sampled_from(JUNK),
)
def test_a_pack_with_one_thing_wrong(name: str, rng: random.Random, how: str, junk: Any) -> None:
    at = rng.choice(list(places(DOCUMENTS[name])))
    shake(Broken(name, mutated(DOCUMENTS[name], at, how, junk)), name, rng)


@settings(HOSTILE, max_examples=12)
@given(st.sampled_from([path for path in FILES if path.stem != "pack"]), st.integers(0, 4000), st.binary(max_size=6))
def test_a_file_with_other_bytes(tmp_path_factory: pytest.TempPathFactory, path: Path, at: int, put: bytes) -> None:
    folder = tmp_path_factory.mktemp("pack")
    for each in FILES:
        os.symlink(each, folder / each.name)
    content = path.read_bytes()
    (folder / path.name).unlink()
    (folder / path.name).write_bytes(content[: at % len(content)] + put + content[(at + 3) % len(content) :])
    shake(Pack("b29", [folder]), path.stem.casefold(), random.Random(at))


SMALL = "[fields.all]\nzone = {kind = 'count'}\nstep = {}\n"


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ('rows = {"1..999999999" = "a"}', "spans more than any dice"),
        ("rows = 5", "cannot be understood"),
        ('dice = "99999D"\nrows = {1 = "a"}', "no dice are called"),
        ('rows = {"1.." = "a"}\n[outcome.a]\nthen = [{roll = "t", times = 1000000000}]', "asks for 1000000000 rolls"),
        ('rows = {"1.." = "a"}\n[outcome.a]\nthen = [{roll = "t", rows = "1..999999999"}]', "asks for the rows"),
        ('rows = {"1.." = "a"}\n[outcome.a]\ndo = [5]', "a sentence stands in quotes"),
        ('rows = {"1.." = "a"}\n[outcome.a]\ndo = 5', "cannot be understood"),
        ('rows = {"1.." = "a"}\n[outcome.a]\nis = "99D"', "so many dice"),
        (f'rows = {{"1.." = "a"}}\n[outcome.a]\ndo = ["zone = {"9" * 400}"]', "longer than any"),
        (f'rows = {{"1.." = "a"}}\n[outcome.a]\ndo = ["zone = 1 if {"(" * 300}"]', "nested too deeply"),
        (f'rows = {{"1.." = "a"}}\n[outcome.a]\ntext = "{{{"not " * 300}}}"', "nested too deeply"),
    ],
)
def test_what_no_table_can_mean_is_said_with_its_name(tmp_path: Path, rows: str, said: str) -> None:
    dice = "" if rows.startswith("dice") else 'dice = "1D"\n'
    (tmp_path / "pack.toml").write_text('title = "Small"\n')
    (tmp_path / "sheet.toml").write_text(SMALL)
    (tmp_path / "t.toml").write_text(f'id = "t"\n{dice}{rows}\n')
    pack = Pack("small", [tmp_path])
    with pytest.raises(Problem) as found:
        Mission(pack).roll("t", Hand([[3]]))
    assert said in str(found.value)


def test_a_sheet_without_sense_is_named(tmp_path: Path) -> None:
    for text in (
        "fields = 5",
        "[index]\nfighter = 1000000000",
        "[index]\na = 'b'\n[fields.all]\n'x[a]' = {kind='count'}",
        "[fields.all]\n'x[' = {}",
        "[fields.all]\n'x[nobody]' = {}",
        "[index]\na = 1000\n[fields.all]\n'x[a][a as b][a as c]' = {}",
        "facts = {a = 'b', b = 'a'}",
    ):
        (tmp_path / "pack.toml").write_text('title = "Small"\n')
        (tmp_path / "sheet.toml").write_text(text)
        with pytest.raises(Trouble):
            _ = Pack("small", [tmp_path]).sheet
    (tmp_path / "sheet.toml").write_text("a = " + "[" * 5000)
    with pytest.raises(Trouble):
        _ = Pack("small", [tmp_path]).sheet


def test_the_checker_survives_what_it_checks(tmp_path: Path) -> None:
    (tmp_path / "pack.toml").write_text('title = "Small"\n')
    (tmp_path / "sheet.toml").write_text(SMALL)
    (tmp_path / "t.toml").write_text('id = "t"\ndice = "1D"\nrows = {1 = "a", 2 = 5}\n[outcome.a]\nthen = [5]\n')
    with contextlib.suppress(Problem):
        assert check(Pack("small", [tmp_path]))
    assert Sheet.read("empty", {}).fields == {}


# -- nothing that a pack says can call, import, open or go on without end ----------------------------------------------

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
NODES = set(
    "Add And Assign Attribute AugAssign BinOp BoolOp Call Compare Constant Dict Eq Expr FloorDiv For FunctionDef "
    "GeneratorExp Global Gt GtE If IfExp In List Load Lt LtE Module Mult Name Not NotEq NotIn Or Pass Return Set Store "
    "Sub Subscript Try Tuple USub UnaryOp arg arguments comprehension".split()
)
NAMES = re.compile(
    r"[a-z]\d*|m_[A-Za-z0-9_]+|bind|before|outer|adding|member|members|names|attribute|link|dice|DOC|LINKED"
)
METHODS = set(
    "sheet facts has_column look_up hold release bind_one get append add ask_for change clear count uncount drop "
    "exchange fill order".split()
)


def audited(source: str) -> None:
    """Python that a pack has become: it may go through the members of an index, and nothing else in it can take long
    or reach further than the sheet and what a result may do."""
    for node in ast.walk(ast.parse(source)):
        assert type(node).__name__ in NODES, ast.unparse(node)
        if isinstance(node, ast.Name):
            assert NAMES.fullmatch(node.id) or node.id in cache.GIVEN, node.id
        elif isinstance(node, ast.Attribute):
            assert node.attr in METHODS, node.attr
        elif isinstance(node, ast.For | ast.comprehension):
            assert isinstance(node.iter, ast.Name) and re.fullmatch(r"m\d+", node.iter.id), ast.unparse(node.iter)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            own = re.fullmatch(r"f\d+|members|names|attribute|dice", node.func.id)
            assert own or node.func.id in cache.GIVEN, node.func.id


@pytest.mark.parametrize("game", ["b17", "b29", "b29-streamliner", "bombs-away"])
def test_our_own_packs_become_such_python(game: str) -> None:
    pack = Pack(game)
    for name in pack.layers:
        audited(pack.compiled(name)[0])


def used(folder: Path, place: str, sentence: str) -> None:
    """A table with a sentence in a place of it: refused, or used without harm."""
    texts = tomli(sentence), tomli("{" + sentence + "}")
    pack = small(folder, t=f'dice = "1D"\n{PLACES[place].format(*texts)}')
    begun = time.process_time()
    with contextlib.suppress(Problem):
        audited(pack.compiled("t")[0])
    with contextlib.suppress(Problem):
        mission = Mission(pack, {"zone": 2, "city": "Truk"}, number=1)
        mission.roll("t", Hand([[3], [3]]), {"side": "port"})
        mission.roll(None, Hand([[3], [3]]))
    assert all(isinstance(each, str) for each in check(pack))
    assert time.process_time() - begun < 2


def tomli(text: str) -> str:
    """A text as TOML, whatever is in it."""
    return '"' + "".join(each if each.isascii() and each.isalnum() else f"\\U{ord(each):08x}" for each in text) + '"'


@pytest.mark.parametrize("place", PLACES)
def test_no_sentence_reaches_further_than_the_sheet(tmp_path: Path, place: str) -> None:
    for number, sentence in enumerate(OUTWARD):
        used(tmp_path / str(number), place, sentence)


WORDS = st.sampled_from(
    "zone city crossed light on off = != >= in not and or if else some every no count sum side fighter as for ( ) [ ] "
    ", ' { } . 1 9 -1 + * - hits[side] mark erase add clear drop exchange everything max( half-up( row('t') 'a' yes "
    "none 1D".split()
)


@settings(HOSTILE, max_examples=300)
@given(st.one_of(st.text(max_size=30), st.lists(WORDS, max_size=14).map(" ".join)), st.sampled_from(sorted(PLACES)))
def test_any_sentence(tmp_path_factory: pytest.TempPathFactory, sentence: str, place: str) -> None:
    if not any("\ud800" <= letter <= "\udfff" for letter in sentence):
        used(tmp_path_factory.mktemp("any"), place, sentence)


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
    pack = small(
        tmp_path,
        sheet="[sections]\nall = 'All'\n[index.side]\nport = {}\n"
        f"{written} = {{near = {written}, {written} = 1}}\n[fields.all]\nstep = {{}}\nzone = {{kind = 'count'}}\n"
        f"{written} = {{kind = 'count'}}\nlight = {{values = 'on off', label = {written}}}\n"
        "'hits[side]' = {kind = 'count'}\n[facts]\nwhere = 'sum side (hits[side])'\n",
        t=f'dice = "1D"\nrows = {{"1.." = {written}}}\n[outcome.{written}]\ndo = ["mark hits[side] for side"]\n',
    )
    with contextlib.suppress(Problem):
        audited(pack.compiled("sheet")[0])
        audited(pack.compiled("t")[0])
        mission = Mission(pack, {}, number=1)
        mission.roll("t", Hand([[3]]))
        mission.write({name: 2})
    assert all(isinstance(each, str) for each in check(pack))


def doubling(line: str) -> str:
    """Forty facts, each made of the one before."""
    return "".join(f"f{at} = {line.replace('#', f'f{at - 1}')}\n" for at in range(1, 41))


@pytest.mark.parametrize(
    ("facts", "said"),
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
def test_facts_without_end(tmp_path: Path, facts: str, said: str) -> None:
    begun = time.process_time()
    pack = small(
        tmp_path,
        sheet=SHEET.replace("[index.fighter]", "[index]\nx = 1000\n[index.fighter]"),
        facts=facts,
        look=LOOK,
        t='dice = "-"\ncolumn = [{title = "x", when = "f40 = 2", rows = {"0.." = "a"}}]\n[outcome.a]\ntext = "x"\n',
    )
    with pytest.raises(Trouble) as found:
        _ = Facts(pack.sheet)["f40"]
    assert said in str(found.value)
    assert all(isinstance(each, str) for each in check(pack))
    assert time.process_time() - begun < 3


AGAIN = 'rows = {"1.." = "a"}\n[outcome.a]\n'
ROUND = '[[step]]\nid = "a"\ntitle = "A"\ngo = "b"\n[[step]]\nid = "b"\ntitle = "B"\ngo = "a"\n'
EACH_OTHER = '[[rule]]\non = "zone"\ndo = ["hour = zone"]\n[[rule]]\non = "hour"\ndo = ["zone = 1 - zone"]\n'


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"sequence": ROUND}, "circle"),
        ({"rules": EACH_OTHER}, "set each other off"),
        ({"t": AGAIN + "do = [\"city = '{city}{city}x'\"]\nthen = ['t']\n"}, "up to 500 characters"),
        ({"t": AGAIN + "then = [{roll = 't', with = {word = \"'{word}{word}x'\"}}]\n"}, "longer than any page"),
        ({"t": AGAIN + "then = [{roll = 't', times = '1000000 * zone'}]\n"}, "rolls"),
    ],
    ids=["steps", "rules", "a text in a field", "a text that is bound", "rolls"],
)
def test_steps_rules_and_rolls_without_end(tmp_path: Path, files: dict[str, str], said: str) -> None:
    pack = small(tmp_path, **files)
    begun = time.process_time()
    mission = Mission(pack, {"city": "abcdefgh", "zone": 1}, number=1)
    with pytest.raises(Problem, match=said):
        if "sequence" in files:
            mission.advance()
        elif "rules" in files:
            mission.write({"zone": 0})
        else:
            mission.roll("t", Hand([[3]]), {"word": "abcdefgh"})
            for _ in range(40):
                mission.roll(None, Hand([[3]]))
    assert time.process_time() - begun < 3
    assert all(isinstance(each, str) for each in check(pack))


def test_a_table_that_asks_for_itself_ends_with_the_flight(companion: Run, data_folder: Path) -> None:
    folder = data_folder / "packs" / "holes"
    folder.parent.mkdir(parents=True)
    numbered = '"mission.number" = {kind = "count", limit = [1], default = 1}\n'
    step = '[[step]]\nid = "a"\ntitle = "A"\nthen = ["t"]\n'
    small(folder, fields=numbered, t=AGAIN + 'then = ["t"]\n', sequence=step)
    companion("new", "Owls", "--game", "holes", "--yes")
    companion("mission", "start", "--yes")
    ran = companion("fly", "--auto", "--seed", "1", "--json")
    assert ran.code in (0, 1)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="a device of Unix")
@pytest.mark.parametrize("command", [["import"], ["restore"], ["fly", "--dice-from"], ["tables", "import"]])
def test_a_file_without_end_is_not_read_to_it(companion: Run, command: list[str]) -> None:
    companion("new", "Owls", "--game", "b29", "--yes")
    companion("mission", "start", "--yes")
    ran = companion(*command, "/dev/zero")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "too large" in ran.err or "larger than" in ran.err
