"""The register of rules: every numbered section and note of the rulebooks, its demand, and the tests that prove it.

`sections/GAME.toml` lists them in rulebook order. A section is one of

    "7.6 A" = "nobody in a hurry"            its demand in our words: a test must name it
    "2.1"   = {none = "components"}          the reason why it needs no test

A test names its sections: `@pytest.mark.section("b29 7.6 A", "b29 7-13 a")`. A name may be a pattern, `"b17 O-?"`, for
a test of many sections at once. The marks are read from the files without running anything.
"""

import ast
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import NamedTuple

TESTS = Path(__file__).resolve().parents[1]
SECTIONS = Path(__file__).parent / "sections"
MARK = "section"


class Section(NamedTuple):
    """A numbered section or note with its demand; empty if the rulebook demands nothing of a program."""

    name: str  # with its game: `b29 7.6 A`
    demands: str


class Marked(NamedTuple):
    """A mark on a test: its sections, and the place of the test."""

    name: str
    test: str  # `games/b17/test_crew.py::test_a_move`


@cache
def games() -> list[str]:
    """Return the games with a rulebook here."""
    return sorted(path.stem for path in SECTIONS.glob("*.toml"))


@cache
def sections(game: str) -> list[Section]:
    """Return every section of a rulebook in order; raise ValueError for a misspelled one."""
    text = (SECTIONS / f"{game}.toml").read_text(encoding="utf-8")
    return [_section(f"{game} {number}", said) for number, said in tomllib.loads(text)["sections"].items()]


def _section(name: str, said: object) -> Section:
    if isinstance(said, str) and said:
        return Section(name, said)
    if isinstance(said, dict) and said.keys() == {"none"} and said["none"]:
        return Section(name, "")
    raise ValueError(f"{name} is neither a sentence nor none")


@cache
def marks() -> list[Marked]:
    """Return every mark on a test function."""
    return [each for path in sorted(TESTS.rglob("test_*.py")) for each in _marks_in(path)]


def _marks_in(path: Path) -> Iterator[Marked]:
    text = path.read_text(encoding="utf-8")
    if f"mark.{MARK}(" not in text:
        return
    tree, file = ast.parse(text), path.relative_to(TESTS).as_posix()
    tests = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]
    for test in tests:
        for mark in test.decorator_list:
            yield from (Marked(name, f"{file}::{test.name}") for name in _names(mark))


def _names(mark: ast.expr) -> list[str]:
    if not (isinstance(mark, ast.Call) and isinstance(mark.func, ast.Attribute) and mark.func.attr == MARK):
        return []
    return [str(ast.literal_eval(each)) for each in mark.args]


def means(name: str, section: str) -> bool:
    """Return whether a mark means a section, by name or by pattern."""
    return name == section or ("*" in name or "?" in name) and fnmatchcase(section, name)


@cache
def tests_of(section: str) -> list[str]:
    """Return the tests that name a section."""
    return list(dict.fromkeys(each.test for each in marks() if means(each.name, section)))


def unproved(game: str) -> list[str]:
    """Return the sections that demand something but have no test."""
    return [each.name for each in sections(game) if each.demands and not tests_of(each.name)]


def unknown() -> list[Marked]:
    """Return the marks that match no section of any rulebook."""
    names = [each.name for game in games() for each in sections(game)]
    return [mark for mark in marks() if not any(means(mark.name, name) for name in names)]
