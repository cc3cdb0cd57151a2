"""Whatever is typed, or written in a pack or a script: a sentence or a result, at once, and never a traceback."""

from __future__ import annotations

import contextlib
import io
import os
import random
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

from companion.checking import check
from companion.engine.needs import Hand
from companion.engine.odds import Chain, odds
from companion.mission import Mission
from companion.packs import Pack, tables_folder
from companion.problems import Problem, Trouble
from companion.script import Script
from companion.sheet import Sheet
from tests.conftest import Ran, Run

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
    from companion.flying import take

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
    "..999999999", "1..999999999", "owner", [], {}, [[]], [{}], {"when": 5}, {"rows": 5}, {"any": 3}, {"min": "x"},
    {"each": "nothing"}, {"each": "fighter"}, {"roll": "5-9", "times": 10**9}, {"roll": "5-9", "take": "1..999999999"},
    ["5-9"],
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
    """Our pack with one document exchanged."""

    def __init__(self, name: str, document: Mapping[str, Any]) -> None:
        super().__init__("b29")
        self._docs[name] = document


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
    assert time.process_time() - begun < 1, name


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


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ('rows = {"1..999999999" = "a"}', "spans more than any dice"),
        ("rows = 5", "cannot be understood"),
        ('dice = "99999D"\nrows = {1 = "a"}', "no dice are called"),
        ('rows = {"1.." = "a"}\n[outcome.a]\nthen = [{roll = "t", times = 1000000000}]', "asks for 1000000000 rolls"),
        ('rows = {"1.." = "a"}\n[outcome.a]\nthen = [{roll = "t", take = "1..999999999"}]', "asks for the rows"),
        ('rows = {"1.." = "a"}\n[outcome.a]\neffects = [5]', "cannot be understood"),
    ],
)
def test_what_no_table_can_mean_is_said_with_its_name(tmp_path: Path, rows: str, said: str) -> None:
    dice = "" if rows.startswith("dice") else 'dice = "1D"\n'
    (tmp_path / "pack.toml").write_text('title = "Small"\n')
    (tmp_path / "sheet.toml").write_text("[field.zone]\nkind = 'count'\n")
    (tmp_path / "t.toml").write_text(f'id = "t"\n{dice}{rows}\n')
    pack = Pack("small", [tmp_path])
    with pytest.raises(Problem) as found:
        Mission(pack).roll("t", Hand([[3]]))
    assert said in str(found.value)


def test_a_sheet_without_sense_is_named(tmp_path: Path) -> None:
    for text in ("field = 5", "[index]\nfighter = 1000000000", "[index]\na = 'b'\n[field.'x.{a}']\nkind='count'"):
        (tmp_path / "pack.toml").write_text('title = "Small"\n')
        (tmp_path / "sheet.toml").write_text(text)
        with pytest.raises(Trouble):
            _ = Pack("small", [tmp_path]).sheet
    (tmp_path / "sheet.toml").write_text("a = " + "[" * 5000)
    with pytest.raises(Trouble):
        _ = Pack("small", [tmp_path]).sheet


def test_the_checker_survives_what_it_checks(tmp_path: Path) -> None:
    (tmp_path / "pack.toml").write_text('title = "Small"\n')
    (tmp_path / "sheet.toml").write_text("[field.zone]\nkind = 'count'\n")
    (tmp_path / "t.toml").write_text('id = "t"\ndice = "1D"\nrows = {1 = "a", 2 = 5}\n[outcome.a]\nthen = [5]\n')
    with contextlib.suppress(Problem):
        assert check(Pack("small", [tmp_path]))
    assert Sheet.read("empty", {}).fields == {}


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="a device of Unix")
@pytest.mark.parametrize("command", [["import"], ["restore"], ["fly", "--dice-from"], ["tables", "import"]])
def test_a_file_without_end_is_not_read_to_it(companion: Run, command: list[str]) -> None:
    companion("new", "Owls", "--game", "b29", "--yes")
    companion("mission", "start", "--yes")
    ran = companion(*command, "/dev/zero")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "too large" in ran.err or "larger than" in ran.err
