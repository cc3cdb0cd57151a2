"""The rooms of the program: allowed imports, file sizes, and limits on untyped code; the examples of its docstrings."""

import ast
import doctest
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from tests.support import ROOT

PROGRAM = ROOT / "companion"
ROOMS = "cli web render store play packs engine".split()  # each may import those after it, and itself
FOR_ALL = ("problems", "words")
GROUND = ("companion.store.files",)  # bytes on the disk, for every room; it imports nobody
FILES = sorted(PROGRAM.rglob("*.py"))


def module(path: Path) -> str:
    """Return the name under which a file of the program is imported."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


MODULES = {module(path): path for path in FILES}


def imported(path: Path) -> Iterator[str]:
    """Yield the modules of the program that a file imports: at its head, inside a function or for its types only.

    `from companion.packs import cache` is the module `companion.packs.cache`, if there is one, and not its room.
    """
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names if each.name in MODULES)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}, line {node.lineno}: an import names the whole path"
            inner = {f"{node.module}.{each.name}" for each in node.names}
            yield from inner & MODULES.keys()
            if node.module in MODULES and inner - MODULES.keys():
                yield node.module


@cache
def imports() -> dict[str, list[str]]:
    """Return the modules that each module imports."""
    return {name: sorted(set(imported(path)) - {name}) for name, path in MODULES.items()}


def circle(start: str) -> list[str]:
    """Return the shortest chain of imports from a module back to itself; empty if there is none."""
    ways, seen = [[start]], set[str]()
    for way in ways:
        for other in imports()[way[-1]]:
            if other == start:
                return [*way, other]
            if other not in seen:
                seen.add(other)
                ways.append([*way, other])
    return []


def upwards(name: str, other: str) -> bool:
    """Return whether an import goes upward: from a module to one in a higher room."""
    room, below = (each.split(".")[1] if "." in each else each for each in (name, other))
    if other == "companion" or below in FOR_ALL or other in GROUND:
        return False
    if name in GROUND:
        return True
    if room in ROOMS:
        return below not in ROOMS[ROOMS.index(room) :]
    return room in FOR_ALL  # `__main__` opens the door of the house and may call anybody


def test_imports_run_downwards_only() -> None:
    wrong = {name: [other for other in others if upwards(name, other)] for name, others in imports().items()}
    assert {name: others for name, others in wrong.items() if others} == {}


def test_no_module_comes_back_to_itself() -> None:
    assert [" -> ".join(way) for name in MODULES if (way := circle(name))] == []


def test_no_file_has_more_than_600_lines() -> None:
    lines = {name: len(path.read_text(encoding="utf-8").splitlines()) for name, path in MODULES.items()}
    assert {name: count for name, count in lines.items() if count > 600} == {}


def test_there_are_few_rooms_and_few_modules_outside_them() -> None:
    folders = [path.name for path in PROGRAM.iterdir() if path.is_dir() and path.name != "__pycache__"]
    assert len(folders) <= 9
    assert len(list(PROGRAM.glob("*.py"))) <= 4


def test_every_module_is_in_a_room() -> None:
    hall = {"companion", "companion.__main__", *(f"companion.{name}" for name in FOR_ALL)}
    assert {name.split(".")[1] for name in MODULES.keys() - hall} == set(ROOMS)


def test_a_lookup_loads_few_modules(tmp_path: Path) -> None:
    lookup = "main('roll 5-9 --game b29 --dice 4,4 --with fighter.clock=6 --json'.split())"
    counted = "print(sum(name.partition('.')[0] == 'companion' for name in sys.modules))"
    code = f"import sys; from companion.cli.main import main; {lookup}; {counted}"
    env = {**os.environ, "COMPANION_HOME": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=env, capture_output=True, text=True, check=True)
    assert int(done.stdout.split()[-1]) <= 45  # and four for an empty cache


def test_hardly_anything_is_of_any_type() -> None:
    assert sum(len(re.findall(r"\bAny\b", path.read_text(encoding="utf-8"))) for path in FILES) <= 100


UNNATURAL = (
    r"\bst(?:and|ood)s?\b(?! by|-in)|\banew\b|\bso (?:many|well)\b|\bnobody has said\b|\bas things stand\b|\bof now\b"
    r"|\bthrown\b|\bown book\b|\bbegun\b|\btaken? down\b|\bby chance\b|\bof ours\b"
    r"|\b(?:zone|turn|line|row|man|mission) a (?:zone|turn|line)\b"
)


def docstrings() -> Iterator[tuple[str, str]]:
    """Yield every docstring of the program and its tests, with its file."""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for path in [*FILES, *sorted((ROOT / "tests").rglob("*.py"))]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, kinds) and (text := ast.get_docstring(node)):
                yield path.name, text


def test_docstrings_start_with_a_verb_or_a_noun() -> None:
    openings = {"What", "Whether", "Who", "Whom", "Whose", "How", "Where", "When"}
    assert [(name, text[:60]) for name, text in docstrings() if text.split()[0] in openings] == []


def test_docstrings_are_in_plain_english() -> None:
    assert [(name, found[0]) for name, text in docstrings() if (found := re.search(UNNATURAL, text))] == []


EXAMPLES = [name for name, path in MODULES.items() if ">>> " in path.read_text(encoding="utf-8")]


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_examples_of_a_module_run(name: str) -> None:
    came = doctest.testmod(import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert came.attempted and came.failed == 0


def test_no_test_file_has_more_than_1000_lines() -> None:
    tests = list((ROOT / "tests").rglob("test_*.py"))
    assert {path.name: n for path in tests if (n := len(path.read_text(encoding="utf-8").splitlines())) > 1000} == {}
