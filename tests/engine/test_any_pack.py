"""Whatever is written in the files of a pack: a sentence or a result, soon, and never a traceback."""

from __future__ import annotations

import contextlib
import os
import random
import time
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.engine.chain import Chain
from companion.engine.dice import Hand
from companion.engine.odds import odds
from companion.engine.sheet import Sheet
from companion.packs import Pack, tables_folder
from companion.packs.pack import blaming
from companion.packs.proof import check
from companion.packs.running import run
from companion.play.mission import Mission
from companion.problems import Problem, Trouble
from tests.support import HOSTILE

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
    document = dict(part) if isinstance(part, Mapping) else list(part)
    if rest:
        document[head] = mutated(part[head], tuple(rest), how, junk)
    elif how == "drop":
        del document[head]
    elif how == "rename" and isinstance(document, dict):
        document[str(junk)[:40]] = document.pop(head)
    else:
        document[head] = junk
    return document


class Broken(Pack):
    """Our pack with one document exchanged, as if it stood in its file, and what is compiled with it."""

    def __init__(self, name: str, document: Mapping[str, Any]) -> None:
        super().__init__("b29")
        self._parsed[self.files[name]] = document
        self.broken = name

    def unit(self, name: str) -> Mapping[str, Any]:
        if name not in self._units and self.broken in (name, "sheet"):
            with blaming(self):
                source, faults, _ = self.compiled(name)
                if faults:
                    raise Trouble(faults[0])
                code = compile(source, self.label(name), "exec")
                self._units[name] = run(code, None if name == "sheet" else lambda: self.sheet)
        return super().unit(name)


@contextlib.contextmanager
def using(pack: Pack) -> Iterator[None]:
    """What a command does with a pack: whatever is wrong with the pack is a Problem, soon."""
    begun = time.process_time()
    with contextlib.suppress(Problem), blaming(pack):
        yield
    assert time.process_time() - begun < 3  # most of it compiles the sheet


def shake(pack: Pack, name: str, rng: random.Random) -> None:
    """Use a pack in every way: whatever is wrong with it is a Problem, soon."""
    facts = {"fighter.clock": "6", "fighter.angle": "high", "fighter.type": "zeke", "area": "nose", "bomb-run": "on"}
    with using(pack):
        Mission(pack, {"zone": 3}, number=1).write({"zone": 4, "engine.2": "out", "altitude": "hi"})
    with using(pack):
        mission = Mission(pack, {}, number=1)
        for _ in range(4):
            mission.advance()
            mission.pending.clear()
    if name not in ("sheet", "rules", "sequence", "choices", "pack"):
        for _ in range(3):
            with using(pack):
                mission = Mission(pack, dict(facts) if rng.random() < 0.5 else {}, number=1)
                mission.roll(name, Hand([], rng), {} if rng.random() < 0.5 else facts)
                mission.roll(None, Hand([], rng), facts)
        with using(pack):
            odds(pack, {}, facts, {"roll": name})
        with using(pack), mock.patch("companion.engine.chain.MOST", 60):
            Chain(pack, facts).follow({}, {"roll": name})
    if name == "choices":
        for choice in list(DOCUMENTS["choices"]["choice"]):
            with using(pack):
                mission = Mission(pack, {}, [{"choose": choice, "bind": {}}], number=1)
                mission.roll(None, Hand([], rng))


@pytest.mark.slow
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


@pytest.mark.slow
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
    ("rows", "message"),
    [
        ('rows = {"1..999999999" = "a"}', "spans more than any dice"),
        ("rows = 5", "t.toml, line 3: rows is 5; it takes a table"),
        ('dice = "99999D"\nrows = {1 = "a"}', "no dice are called"),
        ('rows = {"1.." = "a"}\n[outcome.a]\nthen = [{roll = "t", times = 1000000000}]', "asks for 1000000000 rolls"),
        ('rows = {"1.." = "a"}\n[outcome.a]\nthen = [{roll = "t", rows = "1..999999999"}]', "asks for the rows"),
        ('rows = {"1.." = "a"}\n[outcome.a]\ndo = [5]', "a sentence stands in quotes"),
        ('rows = {"1.." = "a"}\n[outcome.a]\ndo = 5', "t.toml, line 5: outcome.a.do is 5; it takes"),
        ('rows = {"1.." = "a"}\n[outcome.a]\nis = "99D"', "so many dice"),
        (f'rows = {{"1.." = "a"}}\n[outcome.a]\ndo = ["zone = {"9" * 400}"]', "longer than any"),
        (f'rows = {{"1.." = "a"}}\n[outcome.a]\ndo = ["zone = 1 if {"(" * 300}"]', "nested too deeply"),
        (f'rows = {{"1.." = "a"}}\n[outcome.a]\ntext = "{{{"not " * 300}}}"', "nested too deeply"),
    ],
)
def test_what_no_table_can_mean_is_said_with_its_name(tmp_path: Path, rows: str, message: str) -> None:
    dice = "" if rows.startswith("dice") else 'dice = "1D"\n'
    (tmp_path / "pack.toml").write_text('title = "Small"\n')
    (tmp_path / "sheet.toml").write_text(SMALL)
    (tmp_path / "t.toml").write_text(f'id = "t"\n{dice}{rows}\n')
    pack = Pack("small", [tmp_path])
    with pytest.raises(Problem) as refused:
        Mission(pack).roll("t", Hand([[3]]))
    assert message in str(refused.value)


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
