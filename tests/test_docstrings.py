"""The examples in the program's docstrings, run as doctests."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import pytest

from tests.support import ROOT


def module(path: Path) -> str:
    """Return the name under which a file of the program is imported."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


EXAMPLES = [
    module(path) for path in sorted((ROOT / "companion").rglob("*.py")) if ">>> " in path.read_text(encoding="utf-8")
]


def test_there_are_examples() -> None:
    assert EXAMPLES


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_examples_of_a_module_run(name: str) -> None:
    came = doctest.testmod(import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert came.attempted
    assert came.failed == 0
