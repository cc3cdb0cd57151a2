"""The pictures in the README match the current output."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PIL import Image

from tests import pictures
from tests.support import ROOT

AGAIN = "the pictures are not current; draw them again: python -m tests.pictures"


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pictures")
    pictures.draw(folder)
    return folder


@pytest.mark.slow
def test_the_moving_picture_says_what_the_terminal_says_today(drawn: Path) -> None:
    now, kept = ((folder / "fly.svg").read_text(encoding="utf-8") for folder in (drawn, pictures.FOLDER))
    assert pictures.words_of(kept) == pictures.words_of(now), AGAIN
    assert "http" not in kept.replace('xmlns="http://www.w3.org/2000/svg"', "")  # nothing is fetched to look at it


@pytest.mark.slow
def test_the_sheet_is_made_from_what_it_would_be_made_from_today(drawn: Path) -> None:
    kept = pictures.FOLDER / "sheet.png"
    assert pictures.digest_in(kept) == pictures.digest_in(drawn / "sheet.png") != "", AGAIN
    with Image.open(kept) as picture, Image.open(drawn / "sheet.png") as now:
        assert picture.size == now.size


@pytest.mark.slow
def test_the_phone_shows_the_page_of_today(drawn: Path) -> None:
    now = (drawn / "phone.digest").read_text(encoding="utf-8")
    assert pictures.digest_in(pictures.FOLDER / "phone.png") == now != "", AGAIN


README = ROOT / "README.md"


def test_the_readme_shows_them_and_they_are_small() -> None:
    shown = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", README.read_text(encoding="utf-8"))
    kept = sorted(pictures.FOLDER.glob("*.svg")) + sorted(pictures.FOLDER.glob("*.png"))
    assert sorted(shown) == sorted(f"tests/pictures/{each.name}" for each in kept)
    assert all(each.stat().st_size < 200_000 for each in kept)
