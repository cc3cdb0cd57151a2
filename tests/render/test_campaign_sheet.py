"""The sheet of a campaign of thirty-five missions: one page, and a second one for earlier men and bombers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from companion.engine.fields import Value
from companion.packs import Pack
from companion.render import sheet_text, sheets
from companion.render.typeset import pictures, typeset
from companion.store.log import CampaignLog
from tests.render import boxes
from tests.support import Run

MISSIONS = 35
LARGEST = 400_000  # bytes
PERCENT = [0, 5, 20, 30, 60, 97]


def flown(pack: Pack, killed: int = 0) -> list[tuple[int, Mapping[str, Value]]]:
    """Return that many missions; in one of them the pilot is killed and the bomber lost."""
    sheets_flown = []
    for at in range(1, MISSIONS + 1):
        facts: dict[str, Value] = {
            "mission.number": at, "aircraft.name": "Second Wind" if 0 < killed < at else "Lucky Thirteen",
            "target.city": "Yokohama", "credit": "yes", "bomber.fate": "wrecked" if at == killed else "returned",
            "claimed.tail": at % 4, **{f"name.{each}": name for each, name in pack.about.names.items()},
        }  # fmt: skip
        if at % 7:
            facts |= {"bomb-run": "on", "bomb-run.percent": PERCENT[at % len(PERCENT)]}
        if at == killed:
            facts |= {"crew.pilot": "kia", "fate.pilot": "kia"}
        if 0 < killed < at:
            facts["name.pilot"] = "Ray Ness"
        sheets_flown.append((at, facts))
    return sheets_flown


def log_of(pack: Pack, killed: int = 0) -> CampaignLog:
    """Return their log, with the current crew."""
    names = {**pack.about.names, **({"pilot": "Ray Ness"} if killed else {})}
    about = {"roster": names, "aircraft": "Second Wind" if killed else "Lucky Thirteen"}
    return CampaignLog(pack, about, flown(pack, killed))


@pytest.mark.slow
@pytest.mark.parametrize(("paper", "killed", "many"), [("letter", 0, 1), ("a4", 20, 2)])
def test_thirty_five_missions_are_one_page(b29: Pack, paper: str, killed: int, many: int) -> None:
    log = log_of(b29, killed)
    data = sheets.campaign(b29, log, sheet_text.totals(log), name="Owls", paper=paper, blank=False)
    data["codes"] = pictures([f"BC1:{at}/6:0:{'A' * 600}" for at in range(1, 7)])
    pdf = typeset("campaign", data, "pdf")[0]
    assert len(pdf) < LARGEST
    reader = boxes.opened(pdf)
    pages = boxes.pages(reader)
    assert len(pages) == many
    assert not [pair for page in pages for pair in boxes.colliding(page)]
    texts = boxes.texts(reader)
    assert texts[0].count("Yokohama") == MISSIONS
    assert f"The crew, of {MISSIONS} missions".casefold() in texts[0].casefold()
    assert "Ray Ness" in texts[0] or not killed
    assert "6 of 6" in texts[-1]
    if killed:
        assert "Harlan Beck" in texts[1] and "killed, mission 20" in texts[1] and "wrecked" in texts[1]


def test_a_percentage_keeps_its_room_next_to_long_words(b17: Pack) -> None:
    facts = {"aircraft.name": "Prairie Lantern", "target.city": "Wilhelmshaven", "target.type": "ship-yard"}
    facts |= {f"crew.{each}": "kia" for each in b17.sheet.index["position"] if each != "pilot"}
    facts |= {f"name.{each}": name for each, name in b17.about.names.items()}
    tour = [
        (
            1,
            {
                **facts,
                "bombs": "dropped",
                "bomb-run": "on",
                "bomb-run.percent": 40,
                "credit": "yes",
                "bomber.fate": "returned",
            },
        )
    ]
    log = CampaignLog(b17, {"roster": dict(b17.about.names)}, tour)
    data = sheets.campaign(b17, log, [], name="Owls", paper="letter", blank=False)
    assert not any(map(boxes.colliding, boxes.pages(boxes.opened(typeset("campaign", data, "pdf")[0]))))


@pytest.mark.slow
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_worst_tour_is_a_poster_of_one_page(b29: Pack, paper: str) -> None:
    """Of fifty missions fifteen do not count; every fourth bomber is lost with all its men."""
    tour: list[tuple[int, Mapping[str, Value]]] = []
    for at in range(1, 51):
        last, crew = "Wolfeschlegelsteinhausen-Featherstonehaugh" if at > 44 else "Ness", at // 4
        facts: dict[str, Value] = {f"name.{each}": f"{each} {crew} {last}" for each in b29.sheet.index["position"]}
        facts |= {f"kills.{each}": at % 4 for each in b29.sheet.index["position"]}
        if at % 4 == 3:
            facts |= {f"crew.{each}": "kia" for each in b29.sheet.index["position"]} | {"bomber.fate": "destroyed"}
        facts |= {"aircraft.name": f"Bomber {crew}", "target.city": "Wilhelmshaven an der Jade" if at % 5 else "Kobe"}
        tour.append((at, {"mission.number": min(at, 35), "credit": "no" if at % 10 > 6 else "yes", **facts}))
    log = CampaignLog(b29, {"roster": {}, "aircraft": "Bomber 12"}, tour)
    data: Any = sheets.poster(log, sheet_text.totals(log), name="Owls of the far north " * 4, paper=paper)
    pages = boxes.pages(boxes.opened(typeset("poster", data, "pdf")[0]))
    assert len(pages) == 1 and not boxes.colliding(pages[0])
    assert [sum(each["down"] for each in data["bombs"]), len(data["lost"])] == [12, 132]


def test_a_poster_of_a_campaign_in_use(companion: Run, tmp_path: Path) -> None:
    companion("new", "Owls", "--game", "bombs-away", "--yes")
    assert "has been started" in companion("sheet", "poster", "-o", tmp_path / "poster.pdf").err
    companion("mission", "start", "--yes")
    assert "poster.pdf" in companion("sheet", "poster").err
    assert companion("sheet", "poster", "-o", tmp_path / "poster.svg").code == 0 and list(tmp_path.iterdir())


@pytest.mark.section("b29 9.1")
def test_a_man_carried_to_another_seat_is_listed_at_his_own_position(b29: Pack) -> None:
    """The pilot was carried out of his seat and sent home: he is crossed out as pilot, and the bombardier flies on."""
    names = dict(b29.about.names)
    pilot, bombardier = names["pilot"], names["bombardier"]
    facts: dict[str, Value] = {
        "mission.number": 1, "credit": "yes", "bomber.fate": "returned",
        **{f"name.{each}": name for each, name in names.items()},
        "name.pilot": bombardier, "name.bombardier": pilot, "seat.pilot": "bombardier", "seat.bombardier": "pilot",
        "crew.bombardier": "serious", "fate.bombardier": "ih",
    }  # fmt: skip
    log = CampaignLog(b29, {"roster": {**names, "pilot": "Ray Ness"}}, [(1, facts)])
    assert [(man.name, man.position, man.sat) for man in log.lost_men()] == [(pilot, "pilot", "bombardier")]
    lines = {row[1]: (row[0], row[-1]) for row in sheets.men(log, blank=False)}
    assert lines[pilot][0] == "Pilot" and lines[pilot][1].endswith("mission 1")
    assert lines[bombardier][0] == "Bombardier"


@pytest.mark.section("b17 17.0")
def test_a_name_that_stays_with_its_post_is_crossed_out_there(b17: Pack) -> None:
    """On the B-17 a man keeps his position: a ball gunner is crossed out as ball gunner, wherever he sat."""
    names = dict(b17.about.names)
    facts: dict[str, Value] = {
        "mission.number": 1, "credit": "yes", "bomber.fate": "abandoned",
        **{f"name.{each}": name for each, name in names.items()},
        "seat.ball-gunner": "bombardier", "seat.starboard-waist": "ball-gunner", "seat.bombardier": "starboard-waist",
        "fate.ball-gunner": "boc", "fate.bombardier": "boc", "crew.starboard-waist": "kia",
    }  # fmt: skip
    log = CampaignLog(b17, {"roster": {**names, "ball-gunner": "Ray Ness"}}, [(1, facts)])
    lost = ("bombardier", "ball-gunner", "starboard-waist")
    assert {man.name: man.position for man in log.rows[0].lost} == {names[each]: each for each in lost}
    lines = {row[1]: row[0] for row in sheets.men(log, blank=False)}
    assert (lines[names["ball-gunner"]], lines["Ray Ness"]) == ("Ball gunner", "")


def test_what_was_never_bombed_has_no_figure(b29: Pack) -> None:
    rows = sheets.mission_rows(b29, log_of(b29), blank=False)
    percent = [label for _, label in log_of(b29).columns].index("%") + 1
    assert [row[percent] for row in rows[:8]] == ["5", "20", "30", "60", "97", "0", "", "20"]


@pytest.mark.slow
def test_a_blank_sheet_has_a_line_for_every_mission(b29: Pack) -> None:
    data = sheets.campaign(b29, CampaignLog(b29, {}, ()), [], name="", paper="letter", blank=True)
    pages = boxes.pages(boxes.opened(typeset("campaign", data, "pdf")[0]))
    assert len(pages) == 2  # the second for those who come and go
    assert not [pair for page in pages for pair in boxes.colliding(page)]
    assert [row[0] for row in sheets.mission_rows(b29, CampaignLog(b29, {}, ()), blank=True)] == [
        str(at) for at in range(1, MISSIONS + 1)
    ]
