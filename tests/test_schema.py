"""The published schema takes every table of ours and refuses the usual slips."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from companion.packs import NOT_TABLES, Pack, games, read_file
from companion.schema import SCHEMA
from tests.conftest import Run

VALIDATOR = Draft202012Validator(SCHEMA)


def test_it_is_a_schema_and_the_command_prints_it(companion: Run) -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert json.loads(companion("tables", "schema").out) == SCHEMA


@pytest.mark.parametrize("game", games())
def test_every_table_of_ours_is_valid(game: str) -> None:
    pack = Pack(game)
    docs = {path: read_file(path) for name, paths in pack.layers.items() if name not in NOT_TABLES for path in paths}
    wrong = {
        path.name: best_match([error]).message[-300:]
        for path, doc in docs.items()
        for error in VALIDATOR.iter_errors(doc)
    }
    assert wrong == {}


@pytest.mark.parametrize(
    "slip",
    [
        {"rows": {"1-3": "calm"}},
        {"dice": "two"},
        {"modifier": [{"id": "dusk", "add": "-1", "why": "dusk"}]},
        {"modifier": [{"id": "dusk", "add": -1}]},
        {"outcomes": {}},
        {"outcome": {"calm": {"effects": [{"sett": "weather", "to": "bad"}]}}},
        {"column": [{"title": "Day"}]},
    ],
)
def test_slips_are_refused(slip: dict[str, Any]) -> None:
    assert not VALIDATOR.is_valid({"id": "R-1", "title": "Wind", "dice": "2D", "cite": "4.2", **slip})
