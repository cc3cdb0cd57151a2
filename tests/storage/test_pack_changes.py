"""Campaigns outlive changes of their pack: renamed fields, and house rules that come and go."""

import re
from pathlib import Path

import pytest

from tests.games.test_tables_readme import laid_down
from tests.support import Lay, Run, fly_script

RENAMED = {
    "sheet": [
        ('ballast = {label = "Water aboard"', 'water = {label = "Water aboard", was = "ballast"'),
        ('wind = {label = "Wind", values = "calm lift squall"',
         'wind = {label = "Wind", values = "still lift gust", was = {still = "calm", gust = "squall"}'),
        ('pilot = {label = "Pilot"}', 'captain = {label = "Pilot", was = "pilot"}'), ("cold.pilot", "cold.captain"),
    ],
    "R-1": [("ballast", "water"), ("calm", "still"), ("squall", "gust")],
    "R-2": [('id = "R-2"', 'id = "R-9"\nwas = "R-2"'), ("ballast", "water")],
    "choices": [("[choice.where]", "[choice.whither]\nwas = \"where\""), ("ballast", "water"), ("pilot", "captain"),
                ('{name = "down"', '{name = "land", was = "down"')],
    "sequence": [('choose = "where"', 'choose = "whither"'), ('{id = "decide"', '{id = "think", was = "decide"')],
    "pack": [("names = {pilot", "names = {captain"), ('"ballast"', '"water"')],
}  # fmt: skip


@pytest.fixture
def flown(companion: Run, data_folder: Path) -> Path:
    """A campaign of the README's game in mid-flight, where the first step asks for a decision."""
    laid_down(data_folder)
    companion("new", "Club", "--game", "ridge", "--yes")
    companion("mission", "start", "--yes", "--with", "wind=squall", "--with", "cold.pilot=yes")
    assert companion("set", "ballast=no").code == 0
    fly_script(companion, "R-1: 6,6\nR-2: 3\n")
    assert companion("status", "--json").json["pending"][0]["choose"] == "where"
    return data_folder / "packs" / "ridge"


def rename(folder: Path, changes: dict[str, list[tuple[str, str]]]) -> None:
    for name, pairs in changes.items():
        file = folder / f"{name}.toml"
        text = file.read_text()
        for old, new in pairs:
            assert old in text, old
            text = text.replace(old, new)
        file.write_text(text)
    for file in folder.glob("*.toml"):
        file.write_text(re.sub(r'(?<!was = )"R-2', '"R-9', file.read_text()))
    (folder / "R-2.toml").rename(folder / "R-9.toml")


def test_everything_renamed_is_read_under_its_new_name(companion: Run, flown: Path) -> None:
    before = companion("status", "--json").json
    companion("tables", "check", "ridge")
    rename(flown, RENAMED)
    assert companion("tables", "check", "ridge").out == "ridge: 3 tables, sound\n"
    after = companion("status", "--json")
    facts = after.json["facts"]
    assert (facts["water"], facts["wind"], facts["cold.captain"]) == ("no", "gust", "yes")
    assert facts["name.captain"] == before["facts"]["name.pilot"] == "Ida Falk"
    assert [each.get("choose") for each in after.json["pending"]] == ["whither"]
    assert companion("log").code == companion("why").code == 0
    for _ in range(3):
        assert companion("undo").code == 0
    facts = companion("status", "--json").json["facts"]
    assert facts["water"] == "yes" and "kept anyway" not in companion("doctor").out
    assert companion("fly", "--auto", "--seed", "2").code == 0


TEA = {
    "H-1": """
id = "H-1"
title = "Biscuits?"
house = true
dice = "1D"
rows."1..6" = "some"
outcome.some.text = "Some"
""",
    "sheet": """
fields.flight.recon = {label = "Recon flown", kind = "flag"}
fields.target."weather.target" = {values = "good poor bad foul"}""",
    "choices": """
[patch.choice.tea]
title = "Tea?"
option = [{name = "yes", text = "A cup of tea", do = ["recon = yes"], usual = true}, {name = "no", text = "None"}]""",
    "sequence": 'step = [{id = "tea", title = "Tea", after = "brief", then = [{choose = "tea"}, "H-1"]}]',
}


def test_a_house_rule_is_taken_out_and_its_campaign_stays_whole(companion: Run, data_folder: Path, lay: Lay) -> None:
    for name, text in TEA.items():
        lay(f"{name}.toml", text if name == "H-1" else f'[[patch]]\nreason = "club: tea"\n{text}\n', "b17")
    companion("new", "Club", "--game", "b17", "--yes")
    companion("mission", "start", "--yes", "--with", "weather.target=foul")
    fly_script(companion, "tea: yes\n")
    assert companion("status", "--json").json["facts"]["recon"] == "yes"
    assert companion("undo").code == 0  # before the cup of tea
    assert "sequence.toml, line 3: step tea" in companion("tables", "reset", "H-1", "--yes").err  # it still calls H-1
    for name in reversed(TEA):
        assert companion("tables", "reset", name, "--yes").code == 0
    assert "recon" not in companion("status", "--json").json["facts"]
    assert "kept anyway: weather.target" in companion("doctor").out.replace("\n", " ")
    waiting = companion("next").out
    assert "tea, no longer in the game" in waiting and "H-1 no longer in the game" in waiting
    assert companion("fly", "--auto", "--seed", "2").code == 0
    assert "no longer in the game" in companion("why", "H-1").out
    assert "No longer tables of b17: H-1" in companion("doctor").out.replace("\n", " ")
    for name in TEA:  # and put in again
        file = data_folder / "packs" / "b17" / f"{name}.toml"
        file.with_suffix(".toml.bak").rename(file)
    assert companion("log", "--all").code == 0
    assert companion("status", "--json").json["facts"]["recon"] == "no"
