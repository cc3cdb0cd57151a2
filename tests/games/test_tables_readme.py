"""`tables/README.md`: its example game can be copied, checked and flown, and every keyword is explained."""

import re
from pathlib import Path
from typing import Any

import pytest

from companion.packs import tables_folder
from companion.packs.form_check import schema_of
from companion.packs.forms import FILES, Patch, Piece
from companion.play.mission import Mission
from companion.store import campaigns
from tests.support import Run, slow_but

README = (tables_folder() / "README.md").read_text(encoding="utf-8")
PACK_PAGE = (tables_folder() / "PACK.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```toml\n(# (?:([a-z-]+)/)?([A-Za-z0-9-]+\.toml)\n.*?)^```$", re.MULTILINE | re.DOTALL)


def laid_down(data_folder: Path) -> dict[str, list[str]]:
    """Write every block of the README to a file of its name; return the names by game."""
    names: dict[str, list[str]] = {}
    for text, game, name in BLOCK.findall(README):
        path = data_folder / "packs" / (game or "ridge") / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        names.setdefault(game or "ridge", []).append(name)
    return names


def test_every_block_is_a_file_of_a_game(data_folder: Path) -> None:
    assert README.count("```toml") == len(BLOCK.findall(README))
    tables = ["R-1.toml", "R-2.toml", "R-3.toml"]
    parts = ["pack.toml", "sheet.toml", *tables, "choices.toml", "rules.toml", "sequence.toml"]
    assert laid_down(data_folder) == {"ridge": parts, "ridge-club": ["pack.toml", "R-1.toml"]}


@pytest.fixture
def ridge(data_folder: Path) -> Path:
    """Return the folder with a copy of the game."""
    laid_down(data_folder)
    return data_folder / "packs" / "ridge"


def test_the_games_are_sound(ridge: Path, companion: Run) -> None:
    for game in ("ridge", "ridge-club"):
        ran = companion("tables", "check", game)
        assert (ran.code, ran.out) == (0, f"{game}: 3 tables, sound\n")
    assert "wrong" not in companion("doctor").out


@pytest.fixture
def started(ridge: Path, companion: Run) -> Path:
    """Start a campaign of it with its first mission."""
    assert companion("new", "Club", "--game", "ridge", "--yes").code == 0
    assert companion("mission", "start", "--yes", "--with", "hour=evening").code == 0
    return ridge


def there_and_back(mission: Mission) -> None:
    """Undo the whole mission to its starting sheet, then redo it to the same end."""
    end = (dict(mission.state), list(mission.pending))
    while mission.journal.position:
        mission.go_to_entry(mission.journal.position - 1)
    assert mission.state["hour"] == "evening"
    assert mission.state.get("step", "") == ""
    assert {"turn", "place", "points"} & mission.state.keys() == set()
    assert mission.pending == []
    while mission.journal.position < len(mission.journal.entries):
        mission.go_to_entry(mission.journal.position + 1)
    assert (mission.state, mission.pending) == end


@pytest.mark.parametrize("seed", slow_but(range(3)))
def test_the_game_can_be_flown_by_itself(started: Path, companion: Run, seed: int) -> None:
    flown = companion("fly", "--auto", "--seed", seed, "--json")
    assert (flown.code, flown.err) == (0, "")
    facts = flown.json["facts"]
    assert (facts["place"], facts["step"], flown.json["pending"]) == ("ground", "land", [])
    assert facts["turn"] in range(1, 7)
    assert facts["points"] in (facts["turn"], facts["turn"] + 1, facts["turn"] + 2, facts["turn"] + 3)
    mission = campaigns.find("Club").flown(1)
    assert mission is not None
    there_and_back(mission)


EVENING = """\
R-1: 3,3
R-1.lift: 5
where: lighten
R-1: 4,5
R-1.lift: 6
where: 1
R-1: 5,5
R-2: 6
R-2.wet pilot: 5
R-2.wet observer: 2
where: change
R-1: 6,6
R-2: 2
where: stay
R-1: 1,1
where: down
field: top farm
R-3: 5
"""
# table, dice, modifiers, net, outcome: 3 + 3 after sunset is 5; with a stork 9 - 1 + 1; of two the first was followed
# and is gone, 10 - 1 + 1; the squall sends the other off; light, a 6 is rain and a 2 the wing; two ones are calm
ROLLED = [
    ("R-1", [3, 3], {"dusk": -1}, 5, "lift"), ("R-1.lift", [5], {}, 5, "birds"),
    ("R-1", [4, 5], {"dusk": -1, "birds": 1}, 9, "lift"), ("R-1.lift", [6], {}, 6, "birds"),
    ("R-1", [5, 5], {"dusk": -1, "birds": 1}, 10, "squall"), ("R-2", [6], {}, 6, "rain"),
    ("R-2.wet", [5], {}, 5, "cold"), ("R-2.wet", [2], {}, 2, "dry"), ("R-1", [6, 6], {"dusk": -1}, 11, "squall"),
    ("R-2", [2], {}, 2, "wing"), ("R-1", [1, 1], {"dusk": -1}, 1, "calm"),
    ("R-3", [5], {}, 5, "7"),  # 3, half of it rounded up in a field, and five turns
]  # fmt: skip
# three boxes of height are lost at the start: 1 less with water, 2 less without, 1 more the wing, 2 more the calm
LANDED = {
    "height": 3, "points": 7, "turn": 5, "place": "ground", "ballast": "no", "struck": "rain, wing",
    "field": "Top Farm", "hits.wing": 1, "hits.tail": 0, "bird.1.kind": "none", "bird.2.kind": "none", "birds": 0,
    "verdict": "won", "name.pilot": "Jon Reed", "name.observer": "Ida Falk", "cold.pilot": "no", "cold.observer": "yes",
}  # fmt: skip


def test_typed_dice_come_to_what_the_page_says(started: Path, companion: Run, tmp_path: Path) -> None:
    paper = tmp_path / "evening.txt"
    paper.write_text(EVENING)
    flown = companion("fly", "--dice-from", paper, "--json")
    assert (flown.code, flown.err) == (0, "")
    assert {name: flown.json["facts"][name] for name in LANDED} == LANDED
    rolls = [each for each in companion("log", "--json").json if each["verb"] == "roll"]
    added = [{one["id"]: one["add"] for one in each["modifiers"]} for each in rolls]
    assert [
        (each["table"], each["dice"], adds, each["net"], each["outcome"])
        for each, adds in zip(rolls, added, strict=True)
    ] == ROLLED
    assert [each["before"] for each in rolls[-1]["changes"] if each["field"] == "place"] == ["valley"]
    while companion("undo").code == 0:
        pass
    assert [each["verb"] for each in companion("log", "--json").json] == ["step"]  # the start of the mission
    state = companion("status", "--json").json
    assert {name: state["facts"][name] for name in ("height", "turn", "birds", "points")} == {
        "height": 3, "turn": 1, "birds": 0, "points": 0,
    }  # fmt: skip
    assert [each["table"] for each in state["pending"]] == ["R-1"]


def test_the_standing_rules_of_the_page_act(started: Path, companion: Run) -> None:
    assert companion("set", "place=ridge", "hits.wing=2").code == 0
    assert companion("mark", "hits.wing").code == 0
    assert "1  Fly straight" in companion("next").out
    assert "Too low" in companion("mark", "height", "6").out
    facts = companion("status", "--json").json["facts"]
    assert (facts["place"], facts["height.left"]) == ("valley", 0)
    assert companion("set", "place=ground").code == 0
    assert "Fly straight" not in companion("next").out


def test_the_clubs_patches_take_part(ridge: Path, companion: Run) -> None:
    roll = ("roll", "R-1", "--game", "ridge-club", "--json", "--dice")
    noon = companion(*roll, "2,2", "--with", "hour=noon").json
    assert [(each["add"], each["why"]) for each in noon["modifiers"]] == [(1, "a hot slope")]
    assert (noon["net"], noon["outcome"], noon["text"]) == (5, "calm", "Dead calm")
    assert [each["reason"] for each in noon["patched"]] == ["club rule 2", "club rule 3"]
    evening = companion(*roll, "4,5", "--with", "hour=evening").json
    assert (evening["net"], evening["outcome"]) == (7, "lift")
    assert [each["reason"] for each in evening["patched"]] == ["club rule 1"]
    assert companion("roll", "R-1", "--game", "ridge", "--json", "--dice", "2,3").json["outcome"] == "lift"
    assert companion("tables", "diff", "ridge-club").out.count("club rule") == 3
    assert companion("tables", "reset", "R-1", "--game", "ridge-club", "--yes").code == 0
    assert companion(*roll, "2,3").json["outcome"] == "lift"


def test_the_errors_look_as_the_page_shows_them(ridge: Path, companion: Run) -> None:
    path = ridge / "R-1.toml"
    path.write_text(path.read_text().replace('"wind = calm"', '"wind = clam"'))
    ran = companion("tables", "check", "ridge")
    told, sentence, mark = ran.out.splitlines()
    shown = README.partition("marks the place:\n\n")[2].splitlines()[:3]
    assert told.startswith(f"ridge, {ridge}/{shown[0].strip().removesuffix(' …')}")
    assert [sentence, mark] == [line.removeprefix("    ") for line in shown[1:]]


def keywords(*kinds: str) -> list[str]:
    """Return every key that a pack file may use (of these kinds, if any are given), including those of patches."""
    defs: dict[str, dict[str, Any]] = {}
    for form in (*(FILES[kind] for kind in kinds or FILES), Patch, Piece):
        schema_of(form, defs)
    return sorted({"patch", *(key for form in defs.values() for key in form["properties"])})


def test_every_word_is_on_the_page() -> None:
    code = " ".join(re.findall(r"```.*?```|`[^`\n]+`|`[^`]+`", README + PACK_PAGE, re.DOTALL))
    assert [word for word in keywords() if not re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", code)] == []


MOST = 74


def test_the_language_has_few_words() -> None:
    """The keys of `pack.toml`, which only lay out the screen and the campaign log, are not counted."""
    assert len(keywords("table", "sheet", "rules", "sequence", "choices")) <= MOST
