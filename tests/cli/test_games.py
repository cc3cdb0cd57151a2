"""`companion games` and `demo`: a game is started, shared, installed on another computer, removed."""

import os
import zipfile
from pathlib import Path
from typing import Any

import pytest

from companion.cli.serve import SEED
from companion.packs import layers, tables_folder
from companion.store.campaigns import Campaign
from tests.support import Lay, Run


def fly(companion: Run, game: str) -> None:
    """A campaign of the game, its first mission flown by the computer."""
    assert companion("new", "Club", "--game", game, "--yes").code == 0
    assert companion("mission", "start", "--yes").code == 0
    assert companion("fly", "--auto", "--seed", "1").code == 0


def test_a_new_game_is_shared_installed_elsewhere_and_flown(
    companion: Run, data_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "raid.zip"
    assert companion("games", "new", "night-raid").code == 0
    assert "There is a game night-raid already" in companion("games", "new", "night-raid").err
    assert companion("games", "check", "night-raid").out == "night-raid: 3 tables, sound\n"
    about = data_folder / "packs" / "night-raid" / "pack.toml"
    about.write_text(about.read_text().replace('author = ""', 'author = "Ida Falk"'))
    assert companion("games", "export", "night-raid", file).code == 0
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "other"))
    installed = companion("games", "install", file)
    assert installed.code == 0 and "Night Raid by Ida Falk is installed in" in installed.out
    assert "Add --replace" in companion("games", "install", file).err
    assert "night-raid       Night Raid (version 0.1, Ida Falk, yours)" in companion("games", "list").out
    fly(companion, "night-raid")
    removed = companion("games", "remove", "night-raid", "--yes")
    assert "Club uses night-raid: 1 mission." in removed.out
    assert "Bring it back with: companion games install" in companion("status").err
    assert "There is no game night-raid" in companion("status").err
    assert companion("games", "install", tmp_path / "other" / "removed" / "night-raid").code == 0
    assert companion("status").code == 0


def test_house_rules_are_shared_too(companion: Run, lay: Lay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay("5-9.toml", '[[patch]]\nreason = "club 1"\nmodifier = [{id = "ace", add = 2}]\n')
    assert companion("games", "export", "b29", tmp_path / "b29.zip").code == 0
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "other"))
    assert companion("games", "install", tmp_path / "b29.zip").code == 0
    assert "B-29 Superfortress (version" not in companion("games", "list").out
    assert "with house rules of yours" in companion("games", "list").out
    assert companion("tables", "diff", "b29").out.splitlines()[1] == "  club 1"
    assert "isn't a game of yours" in companion("games", "remove", "b17", "--yes").err


@pytest.mark.parametrize(
    ("name", "files", "message"),
    [
        ("raid", {"pack.toml": 'title = "x"\n'}, "has no sheet.toml"),
        ("raid", {"pack.toml": 'title = "x"\nrequires = "99"\n'}, "needs version 99 of the companion"),
        ("Bad Name", {"pack.toml": "x = 1\n"}, "can't be a game's name"),
    ],
)
def test_what_is_no_sound_game_is_not_installed(
    companion: Run, data_folder: Path, tmp_path: Path, name: str, files: dict[str, str], message: str
) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        for file, text in files.items():
            archive.writestr(f"{name}/{file}", text)
        archive.writestr("../../evil.toml", "x = 1\n") if not files else None
    ran = companion("games", "install", tmp_path / "x.zip")
    assert ran.code in (1, 2) and message in ran.err.replace("\n", " ")
    assert not (data_folder / "packs" / name).exists()
    assert companion("games", "install", tables_folder() / "README.md").code == 2


def test_a_game_of_a_python_package_is_found(companion: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    companion("games", "new", "night-raid")
    folder = tmp_path / "package"
    (layers.players_folder() / "night-raid").rename(folder)
    monkeypatch.setattr(layers, "packaged", lambda: {"night-raid": folder})
    fly(companion, "night-raid")


def test_the_names_of_a_game_are_listed_with_who_writes_and_reads_them(companion: Run) -> None:
    told = companion("tables", "facts", "frostbite", "--game", "b17").out
    assert "frostbite[position] (Frostbite)" in told and "set by " in told and "read by " in told


def test_the_demo_ends_with_story_sheet_and_card(companion: Run, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("time.sleep", lambda seconds: pytest.fail("a pipe is told everything at once"))
    home = os.environ["COMPANION_HOME"]
    ran = companion("demo")
    assert (ran.code, ran.err) == (0, "")
    assert "at your table you roll them yourself" in ran.out.splitlines()[0]
    assert "Crew: " in ran.out
    assert "The target was" in ran.out.partition("mission 21\n---")[2]
    folder = tmp_path / f"companion-demo-{SEED}"
    assert folder.name in ran.out
    assert {each.name for each in folder.iterdir()} == {"card.png", "sheet.pdf", "story.md"}
    assert (folder / "sheet.pdf").read_bytes().startswith(b"%PDF")
    assert os.environ["COMPANION_HOME"] == home
    assert "No campaigns yet" in companion("campaigns").out


def test_the_page_shows_the_demo_without_a_campaign_of_ones_own(companion: Run, monkeypatch: Any) -> None:
    served = []

    def serve(campaign: Campaign, *, browser: bool) -> None:
        served.append((campaign.name, campaign.missions(), browser))

    monkeypatch.setattr("companion.cli.serve.serve", serve)
    assert companion("demo", "--page").code == 0
    assert served == [("Demo", [1], True)]
    assert "No campaigns yet" in companion("campaigns").out


@pytest.mark.slow
def test_a_seed_is_the_same_mission_every_time(companion: Run, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    first = companion("demo", "--seed", 3, "--fast").out
    assert companion("demo", "--seed", 3, "--fast").out == first
    assert companion("demo", "--seed", 4, "--fast").out != first
