"""Campaigns outlive their pack, and a campaign of another game needs only its data."""

import re
from pathlib import Path

import pytest

from companion import packs
from tests.games.test_tables_readme import laid_down
from tests.storage.evenings import facts, fly, man
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


QUEEN = """
title = "Queen of the Skies"
missions = 25
aircraft = "Miss Cue"
[names]
ball-gunner = "Sid Crane"
tail-gunner = "Guy Marlow"
[log]
columns = [["mission.number", "No"], ["score", "Result"], ["percent", "%"]]
counts = "credit = yes"
result = "score"
sides = {won = "8th Air Force", beaten = "German air defense"}
average = "percent"
lost = "crew[position] = kia"
aircraft-lost = "aircraft = lost"
aircraft-end = "aircraft"
[log.standing]
ace = "kills[position] >= 5"
"""
NAMES = packs.tables_folder() / "names.toml"
QUEEN_SHEET = """
[sections]
all = "All"
[index.position]
ball-gunner = {label = "Ball gunner"}
tail-gunner = {label = "Tail gunner"}
[fields.all]
step = {label = "Step"}
"""
QUEEN_FIELDS = {
    "mission.number": '{kind = "count", limit = [1, 25], default = 1}', "aircraft.name": "{}",
    "aircraft": '{values = "home lost"}', "score": '{values = "won beaten even"}', "percent": '{kind = "count"}',
    "credit": '{values = "yes no"}', "name[position]": "{}", "kills[position]": '{kind = "count"}',
    "crew[position]": '{values = "ok kia", default = "ok"}',
}  # fmt: skip


def lay_out(pack: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tables" / "queen").mkdir(parents=True, exist_ok=True)
    (tmp_path / "tables" / "names.toml").write_text(NAMES.read_text())
    declared = [f'"{name}" = {spec}' for name, spec in QUEEN_FIELDS.items()]
    (tmp_path / "tables" / "queen" / "pack.toml").write_text(pack)
    (tmp_path / "tables" / "queen" / "sheet.toml").write_text("\n".join([QUEEN_SHEET, *declared]))
    monkeypatch.setattr("companion.packs.layers.tables_folder", lambda: tmp_path / "tables")


@pytest.fixture
def queen(companion: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a game whose pack defines its own mission record, without a field for missions flown."""
    lay_out(QUEEN, tmp_path, monkeypatch)
    companion("new", "Miss Cue's War", "--game", "queen", "--yes")
    return companion


def test_another_game_needs_only_its_data(queen: Run) -> None:
    fly(queen, "score=won", "percent=20", "credit=yes", "kills.tail-gunner=4")
    fly(queen, "score=even", "credit=no", "kills.tail-gunner=5")
    totals = queen("campaign", "--json").json["totals"]
    assert (totals["of"], totals["counting"], totals["average"], totals["ahead"]) == (25, 1, 20, "won")
    assert man(queen, "tail-gunner")["standing"] == ["ace"]  # five fighters, whether the mission counts or not
    assert man(queen, "ball-gunner")["standing"] == []
    assert "8th Air Force 1, German air defense 0, draws 1." in queen("campaign").out
    fly(queen, "score=beaten", "credit=yes", "aircraft=lost", "crew.tail-gunner=kia")
    assert facts(queen)["mission.number"] == 2
    assert queen("mission", "start").code == 2
    assert queen("mission", "start", "--yes").code == 0
    sheet = facts(queen)
    assert (sheet["kills.tail-gunner"], sheet["aircraft.name"]) == (0, "Miss Cue II")


def test_without_a_log_every_mission_counts(companion: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay_out(QUEEN.partition("[log]")[0], tmp_path, monkeypatch)
    companion("new", "Miss Cue's War", "--game", "queen", "--yes")
    fly(companion, "crew.tail-gunner=kia")
    fly(companion, "crew.tail-gunner=ok")
    assert facts(companion)["mission.number"] == 2
    assert "Missions counted: 2 of 25." in companion("campaign").out
    assert companion("export", "--csv").out == "mission,lost\n1,\n2,\n"
