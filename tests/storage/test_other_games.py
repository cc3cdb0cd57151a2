"""A campaign of another game needs only its data: the log of a pack that is not built in."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion import packs
from companion.packs import Pack
from companion.packs.check import check
from companion.problems import UserError
from companion.store.crew import check_ready
from companion.store.log import CampaignLog
from tests.storage.evenings import facts, fly, man
from tests.support import Run

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
    assert companion("campaign", "--csv").out == "mission,lost\n1,\n2,\n"


def test_the_checker_reads_the_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay_out(QUEEN, tmp_path, monkeypatch)
    assert check(Pack("queen")) == []
    lay_out(
        QUEEN.replace('"percent"', '"per-cent"')
        .replace('lost = "crew[position] = kia"', 'lost = "score"')
        .replace("won =", "win ="),
        tmp_path,
        monkeypatch,
    )
    texts = [each.partition("pack.toml, ")[2] for each in check(Pack("queen"))]
    assert {each.partition(":")[0] for each in texts} == {"line 9", "line 12", "line 13", "line 14"}


def test_a_refusal_says_how_to_name_the_new_man(b29: Pack) -> None:
    log = CampaignLog(b29, {"roster": {"pilot": "Dan Kerr"}}, [(1, {"name.pilot": "Dan Kerr", "crew.pilot": "kia"})])
    with pytest.raises(UserError, match=r"^Dan Kerr \(Pilot\) is lost\. Name a replacement: companion crew pilot "):
        check_ready(log)
