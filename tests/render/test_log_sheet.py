"""The printed sheet of a mission: each hit, wound, fighter, box and code of the journal, on two pages."""

import itertools
import random
import re
from typing import Any

import pytest

from companion.packs import Pack
from companion.play.conversation import Chance
from companion.play.journal import Entry
from companion.play.mission import Mission
from companion.render import sheets
from companion.render.history import History, by_zone, together
from companion.render.sheet_model import SheetModel, landings
from companion.render.sheets import pictures, typeset
from companion.store import snapshot
from tests.render import boxes
from tests.support import fly, slow_but

LARGEST = 400_000  # bytes
EDGE = 33  # the margin without letters, in points; a space at the end of a line may reach into it
SIZES = {"a4": (595, 842), "letter": (612, 792)}
GAMES = ["b29", "b17", "b29-streamliner"]
FIGHTERS = re.compile(r"fighter\.\d+\.type")


def damage(mission: Mission) -> list[dict[str, Any]]:
    """Return the rolls of the journal on the tables of the areas."""
    tables = {area["table"] for area in mission.game.sheet.index["area"].values()}
    return [each for each in mission.journal.entries if each["v"] == "roll" and each["t"] in tables]


def came(mission: Mission) -> list[Any]:
    """Return the fighters in the journal."""
    changes = [pair for entry in mission.journal.entries for pair in entry.get("c", {}).items()]
    return [
        after for name, (before, after) in changes if FIGHTERS.fullmatch(name) and after not in (None, "none", before)
    ]


@pytest.fixture(scope="module", params=slow_but(GAMES, 2))
def flown(request: pytest.FixtureRequest) -> Mission:
    """Return an automatic mission with many hits."""
    pack = Pack(request.param)
    for seed in itertools.count(1):
        mission = Mission(pack, number=1)
        names = {f"name.{position}": name for position, name in pack.about.names.items()}
        mission.write({"mission.number": 12, "aircraft.name": "Lucky Thirteen", "notes": "home at dusk", **names})
        fly(mission, Chance(random.Random(seed)))
        if len(damage(mission)) >= 8 and came(mission):
            return mission
    raise AssertionError


@pytest.fixture(scope="module")
def data(flown: Mission) -> dict[str, Any]:
    """Return its sheet as data, with the codes that restore it."""
    assert isinstance(flown.game, Pack)
    pack = flown.game
    model = SheetModel(pack, flown.state, history=History(pack, flown))
    sheet = {"number": 1, "facts": flown.state, "pending": flown.pending}
    kept = {"companion": 1, "kind": "mission", "game": pack.name, "name": "Owls", "roster": {}, "missions": [sheet]}
    page = sheets.mission(model, campaign="Owls", landing=landings(pack, flown))
    return {**page, "codes": pictures(snapshot.codes(kept))}


@pytest.mark.slow
def test_two_pages_hold_the_mission_and_its_bomber(flown: Mission, data: dict[str, Any]) -> None:
    paper = "letter" if flown.game.name == "b17" else "a4"
    wide, tall = SIZES[paper]
    pdf = typeset("mission", {**data, "paper": paper}, "pdf")[0]
    assert len(pdf) < LARGEST
    reader = boxes.opened(pdf)
    pages = boxes.pages(reader)
    assert len(pages) == 2
    for page in pages:
        assert not boxes.colliding(page)
        assert all(each.left > EDGE and each.right < wide - EDGE for each in page)
        assert all(each.bottom > 15 and each.top < tall - 15 for each in page)
    text = "".join("".join(boxes.texts(reader)).split())
    for hit in (hit for _, items in data["hits"] for hit in items):
        assert "".join(hit["words"].split()) in text
    for cell in (cell for _, rows in data["zones"]["ways"] for _, cells in rows for cell in cells):
        assert "".join(cell.split()) in text
    for position in flown.game.sheet.index["position"]:
        assert "".join(str(flown.state[f"name.{position}"]).split()) in text
    assert "homeatdusk" in text
    for at in range(len(data["codes"])):
        assert f"{at + 1}of{len(data['codes'])}" in text


def test_every_hit_of_the_journal_is_listed_by_area(flown: Mission, data: dict[str, Any]) -> None:
    areas = flown.game.sheet.index["area"]
    struck = [each["b"]["area"] for each in damage(flown)]
    for (_, items), area in zip(data["hits"], areas, strict=True):
        assert sum(hit["times"] for hit in items) >= struck.count(area)
    assert {hit["label"]: hit["items"] for hit in data["bomber"]["hits"]} == dict(data["hits"])


def test_only_hits_are_listed_and_the_harmless_ones_together(b29: Pack) -> None:
    history = History(b29)
    bound = {"area": "fwd-bomb-bay", "bay": "fwd"}
    move: Entry = {"v": "roll", "t": "7-3.motor", "b": bound, "c": {"doors.fwd": ["jammed-shut", "ok"]}}  # 7-3 note e
    history._note_hit(("outbound", 8), move, "The doors move")
    assert history.hits == {}
    for words in ("No effect", "Times 0: superficial damage"):
        history._note_hit(("outbound", 8), {"v": "roll", "t": "7-3", "b": bound}, words)
    assert together(history.hits["fwd-bomb-bay"]) == [{"where": "", "words": "harmless", "times": 2, "mild": True}]


def test_every_fighter_of_the_journal_is_in_its_zone(flown: Mission, data: dict[str, Any]) -> None:
    column = data["zones"]["columns"].index("Fighters met")
    cells = [cells[column] for _, rows in data["zones"]["ways"] for _, cells in rows]
    assert sum(len(cell.split(", ")) for cell in cells if cell) == len(came(flown)) > 0


def test_every_wound_and_every_box_is_crossed(flown: Mission, data: dict[str, Any]) -> None:
    sheet, state = flown.game.sheet, flown.state
    parts = [data["top"], *data["wide"], *data["narrow"], *data["systems"]]
    cells = [each for part in parts for each in part["fields"]]
    cells += [cell for part in parts for each in part["tables"] for row in each["rows"] for cell in row["cells"]]
    crossed = [each["crossed"] for each in cells if each["k"] == "boxes"]
    boxed = [name for name, field in sheet.fields.items() if field.kind == "boxes" and field.limit]
    printed = [name for name in boxed if sheet.fields[name].section != "working"]
    assert sum(crossed) == sum(int(state.get(name, sheet.fields[name].blank)) for name in printed)
    hurt = [
        position for position in sheet.index["position"] if state.get(f"crew.{position}") in ("light", "serious", "kia")
    ]
    down = {seat["position"] for _, seat in data["bomber"]["cards"] if seat["cells"][0]["value"]}
    assert down == {sheet.index["position"][each]["label"] for each in hurt}


def test_every_roll_is_told_without_a_key(flown: Mission) -> None:
    assert isinstance(flown.game, Pack)
    stretches = by_zone(flown.game, flown, History(flown.game, flown))
    numbers = [number for each in stretches for number, _ in each.lines]
    assert numbers == sorted(set(numbers))
    asked = [at for at, each in enumerate(flown.journal.entries, 1) if each["v"] == "roll" and "a" not in each]
    assert set(asked) <= set(numbers)
    slugs = [name for name in flown.game.sheet.fields if "." in name]
    lines = " ".join(line for each in stretches for _, line in each.lines)
    assert not [slug for slug in slugs if f" {slug}" in lines]
    assert all(re.fullmatch(r"Zone \d+(, (out|in)bound)?", each.where) for each in stretches)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "paper"), [("b29", "letter"), ("b17", "a4")])
def test_a_blank_form_is_two_full_pages(game: str, paper: str) -> None:
    data = sheets.mission(SheetModel(Pack(game), {}, blank=True), paper=paper)
    pdf = typeset("mission", data, "pdf")[0]
    reader = boxes.opened(pdf)
    pages = boxes.pages(reader)
    assert len(pages) == 2
    assert not [pair for page in pages for pair in boxes.colliding(page)]
    assert all("Radio operator" in text and "Tail gunner" in text for text in map(capitals, boxes.texts(reader)))
    foot, notes = sorted(each.bottom for each in pages[0])[2:4]  # three runs of the foot, then the head of the notes
    assert foot < 30 and 40 < notes < SIZES[paper][1] * 0.2


def capitals(text: str) -> str:
    """Return the words of a page, reading small capitals as capitals."""
    return text.replace("RADIO OPERATOR", "Radio operator").replace("TAIL GUNNER", "Tail gunner")
