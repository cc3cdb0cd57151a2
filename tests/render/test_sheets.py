"""Printed sheets: of a mission, of a campaign, of a crew, and the outline of the bomber."""

import itertools
import random
import re
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from companion.engine.about import About
from companion.engine.fields import LONGEST_NAME, Value
from companion.engine.sheet import Sheet
from companion.packs import Pack
from companion.packs.check import check
from companion.packs.folders import tables_folder
from companion.play.conversation import Chance
from companion.play.journal import Entry
from companion.play.mission import Mission
from companion.render import bomber_svg, sheet_text, sheets
from companion.render.history import History, by_zone, together
from companion.render.sheet_model import SheetModel, landings, placed
from companion.render.sheets import pictures, printed, typeset
from companion.store import snapshot
from companion.store.campaigns import find
from companion.store.log import CampaignLog
from tests.render import boxes
from tests.support import Run, begin, fly, pack, slow_but

LONG = "Bartholomew Wolfeschlegelsteinhausen-Featherstonehaugh"


@pytest.fixture
def owls(companion: Run) -> Run:
    companion("new", "Night Owls", "--game", "b29", "--yes")
    companion("mission", "start", "--yes", "--with", "target.city=Nagoya", "--with", f"name.pilot={LONG}")
    companion("set", "fuel.wing=11", "weather=poor", "engine.2=out")
    companion("roll", "6-1", "--dice", "3")
    return companion


@pytest.mark.parametrize(
    ("kind", "form"), [("mission", "svg"), ("campaign", "pdf"), ("crew", "png"), ("damage", "pdf")]
)
def test_every_sheet_is_written_in_the_form_of_its_name(owls: Run, tmp_path: Path, kind: str, form: str) -> None:
    starts = {"pdf": b"%PDF", "png": b"\x89PNG", "svg": b"<svg", "txt": b""}
    owls("sheet", kind, "-o", tmp_path / f"sheet.{form}", *(("--blank",) if kind == "damage" else ()))
    assert owls("sheet", kind, "-o", tmp_path / "sheet.txt").code == 0
    assert "-o sheet.pdf" in owls("sheet", kind, "--blank").err
    assert len(list(tmp_path.glob(f"*.{form}"))) == (2 if kind == "mission" else 1)
    assert all(file.read_bytes().startswith(starts[file.suffix[1:]]) for file in tmp_path.iterdir())


def pages_of(kind: str, pack: Pack, data: sheets.Data, campaign: str = "Owls", paper: str = "a4") -> bytes:
    """Return a sheet with this data as a PDF."""
    return typeset(kind, {**sheets.head(kind, pack, campaign, paper), "codes": [], **data}, "pdf")[0]


def read(pdf: bytes) -> tuple[int, str]:
    """Return the number of pages, and all words with single spaces."""
    pages = boxes.texts(boxes.opened(pdf))
    return len(pages), " ".join(pages)


@pytest.mark.slow
def test_the_mission_sheet_says_what_the_sheet_says(owls: Run, tmp_path: Path) -> None:
    owls("sheet", "mission", "--rolls", "-o", tmp_path / "m.pdf", "--paper", "letter")
    _, text = read((tmp_path / "m.pdf").read_bytes())
    for message in (
        "Nagoya", "Night Owls", "B-29 Superfortress", "Landing on land", "Target visibility: 3", "one engine out",
    ):  # fmt: skip
        assert message in text
    assert "Bartholomew" in text
    assert "6-1 target visibility: 3" in text.casefold().partition("every roll")[2]
    owls("sheet", "mission", "-o", tmp_path / "m.pdf")
    assert "every roll" not in read((tmp_path / "m.pdf").read_bytes())[1].casefold()


def test_a_new_field_needs_no_drawing_code() -> None:
    sheet = Sheet.read(
        "test",
        {
            "sections": {"header": "Mission", "air": "In the air", "hold": "Hold"},
            "index": {"crate": {"left": {"label": "Left crate"}, "right": {}}},
            "fields": {
                "header": {
                    "ballast": {"label": "Ballast drums", "boxes": 7},
                    "crate[crate]": {"label": "{crate}", "values": "ok lost"},
                },
                "air": {"squalls": {"label": "Squalls met", "kind": "list"}, "gust[crate]": {"label": "Gust, {crate}"}},
                "hold": {"cargo": {"label": "Cargo", "kind": "list"}, "door": {"label": "Door", "values": "ok open"}},
                "working": {"secret": {"label": "Secret"}},
            },
        },
    )
    state = {"ballast": 3, "crate.left": "lost", "secret": "x", "squalls": "hail; sleet", "cargo": "mail"}
    model = SheetModel(cast(Pack, SimpleNamespace(name="test", title="Test", sheet=sheet, about=About())), state)
    drums = {"name": "ballast", "label": "Ballast drums", "k": "boxes", "limit": 7, "crossed": 3}
    assert model.sections()[0]["fields"] == [drums]
    _, text = read(pages_of("mission", model.pack, sheets.mission(model)))
    assert "XXXoo oo" in sheet_text.mission_sheet("T", model)
    for message in ("Ballast drums", "Left crate", "Squalls met", "hail · sleet", "Gust", "Cargo", "mail", "Door"):
        assert message in text
    assert "Secret" not in text


@pytest.mark.slow
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_a_long_pack_goes_on_on_the_next_page(b29: Pack, paper: str) -> None:
    data = cast(dict[str, Any], sheets.crew(SheetModel(b29, {})))
    for section in data["systems"]:
        section["fields"] *= 8
    pages = boxes.pages(boxes.opened(pages_of("crew", b29, data, "Night Owls", paper)))
    assert len(pages) > 1 and not any(map(boxes.colliding, pages))


def test_a_word_fits_its_column_and_a_label_keeps_its_hyphen(b29: Pack) -> None:
    data = cast(dict[str, Any], sheets.mission(SheetModel(b29, {})))
    for _, rows in data["zones"]["ways"]:
        for _, cells in rows:
            cells[:-1] = ["moderate", "overcast"] * (len(cells) // 2) + ["moderate"] * ((len(cells) - 1) % 2)
    pages = boxes.pages(boxes.opened(pages_of("mission", b29, data)))
    assert not any(map(boxes.colliding, pages))
    labels = {"a": {"label": "mid-upper"}, "b-c": {}}
    model = SheetModel(b29, {})
    model.sheet = cast(Sheet, SimpleNamespace(label=lambda _, name: labels[name].get("label", name)))
    assert [model.member("gun", each) for each in labels] == ["Mid-upper", "B c"]


@pytest.mark.slow
def test_forty_notes_and_long_names_flow_on(b29: Pack) -> None:
    notes = "; ".join(f"Note {at} of the crew chief about the {at}th thing that broke over the sea" for at in range(40))
    names = {f"name.{position}": f"{LONG} {at}" for at, position in enumerate(b29.sheet.index["position"])}
    hits = {f"hit.{area}": "; ".join(f"{area}-hit-{at}" for at in range(12)) for area in b29.sheet.index["area"]}
    rolls = [("Zone 11", [(at, f"Fighter {at} hits, 3 + 4 + 1 = 8") for at in range(700)])]
    data = sheets.mission(SheetModel(b29, {"notes": notes, **names, **hits}), rolls=rolls)
    _, text = read(pages_of("mission", b29, data, "A " * 40))
    assert "Note 0 " in text and "Note 39 " in text
    assert "tail hit 11" in text
    assert "Fighter 699 hits" in text
    assert all(f"Featherstonehaugh {at}" in text for at in range(11))


def test_a_moved_man_is_shown_in_his_new_seat(b17: Pack) -> None:
    state = {"name.navigator": "Gus", "name.bombardier": "Miles", "seat.bombardier": "navigator"}
    seats = SheetModel(b17, state).seats()
    assert (seats["bombardier"]["name"], seats["bombardier"]["post"]) == ("Gus", "Navigator")
    assert seats["navigator"]["name"] == ""


@pytest.mark.section("b29 7.6 A")
def test_a_name_moves_along_to_the_new_seat(b29: Pack) -> None:
    """On the B-29 a man takes his name and wounds along to the seat, which shows whose man he is."""
    state = {
        "name.bombardier": "Gus", "seat.bombardier": "navigator", "crew.bombardier": "light",
        "name.navigator": "Miles", "seat.navigator": "bombardier", "crew.navigator": "kia",
    }  # fmt: skip
    seats = SheetModel(b29, state).seats()
    named = {each: (seats[each]["name"], seats[each]["post"]) for each in ("bombardier", "navigator")}
    assert named == {"bombardier": ("Gus", "Navigator"), "navigator": ("Miles", "Bombardier")}
    assert [seats[each]["down"] for each in named] == [False, True]
    assert "Navigator                 Miles (Bombardier), KIA" in sheet_text.crew_sheet("Crew", SheetModel(b29, state))


def test_a_fighter_that_is_not_there_has_no_line(b29: Pack) -> None:
    state: dict[str, Value] = {"fighter.1.type": "zeke", "fighter.1.clock": "6", "fighter.2.clock": "12"}
    combat = next(each for each in SheetModel(b29, state).sections() if each["id"] == "combat")
    assert [[cell["value"] for cell in row["cells"][:2]] for row in combat["tables"][0]["rows"]] == [["Zeke", "6"]]


@pytest.mark.slow
def test_values_are_printed_as_people_write_them(b29: Pack) -> None:
    state: dict[str, Value] = {
        "fate.pilot": "bo-c", "altitude": "hi", "gear.nose": "will-not-hold", "bomber.fate": "down-in-japan",
        "seat.pilot": "radio-operator", "hit.nose": "bombsight, air-duct",
    }  # fmt: skip
    assert set(state) <= set(b29.sheet.fields)
    _, text = read(pages_of("mission", b29, sheets.mission(SheetModel(b29, state))))
    for message in (
        "jumped, taken prisoner", "KIA", "HI", "Iwo Jima", "will not hold", "down in Japan", "Radio operator",
    ):  # fmt: skip
        assert message in text
    assert "bombsight · air duct" in text
    for slug in ("bo-c", "kia", "iwo-jima", "will-not-hold", "down-in-japan", "radio-operator"):
        assert slug not in text
    page = SheetModel(Pack("b17"), {})
    assert page.word("land.below", "b") == "Belgium"
    assert page.word("name.pilot", "Jean-Luc b-17") == "Jean-Luc b-17"


def test_a_section_may_be_printed_with_another_or_only_once_it_is_used(b29: Pack) -> None:
    def printed(state: dict[str, Value], blank: bool = False) -> dict[str, Any]:
        return {each["id"]: each for each in SheetModel(b29, state, blank=blank).sections()}

    book = next(name for name, field in b29.sheet.fields.items() if field.section == "book")
    assert "book" in printed({book: b29.sheet.fields[book].low or 1})
    assert not {"book", "oxygen"} & set(printed({}) | printed({}, blank=True))
    assert "Oxygen" in [each["label"] for each in printed({})["crew"]["tables"][0]["head"]]


WILD = '#link("https://a.example")[x] *b* <l> @l "]) ; #import "x": * </svg><script>'


@pytest.mark.slow
@pytest.mark.parametrize("text", [WILD, "W" * LONGEST_NAME])
def test_a_name_is_printed_as_it_was_typed_and_stays_on_the_page(b29: Pack, text: str) -> None:
    """Markup has no effect, and a long name without a space is broken."""
    fields = [name for name, field in b29.sheet.fields.items() if field.kind in ("text", "list")]
    state: dict[str, Value] = {**dict.fromkeys(fields, text), "target.box": 1}
    log = CampaignLog(b29, {"roster": {"pilot": text}, "aircraft": text}, [(1, state)])
    pages = {
        "mission": sheets.mission(SheetModel(b29, state), rolls=[(text, [(7, text)])]),
        "crew": sheets.crew(SheetModel(b29, state)),
        "damage": sheets.damage(log, "a4", blank=False),
        "campaign": sheets.campaign(log, blank=False),
    }
    for kind, data in pages.items():
        reader = boxes.opened(pages_of(kind, b29, data, text))
        letters = "".join(boxes.texts(reader)).replace(" ", "").replace("\u200b", "").casefold()
        assert text.replace(" ", "").casefold() in letters, kind
        assert all(box.left > 20 and box.right < 575 for page in boxes.pages(reader) for box in page), kind


@pytest.mark.slow
def test_each_game_has_its_own_titles_and_only_the_sheets_it_needs(companion: Run, tmp_path: Path) -> None:
    for kind, title in (("mission", "Mission Chart"), ("campaign", "Composite Mission Record")):
        assert sheets.title(Pack("b17"), kind) == title
    for kind, game in (("damage", "b17"), ("damage", "bombs-away"), ("crew", "bombs-away")):
        ran = companion("sheet", kind, "--blank", "--game", game, "-o", tmp_path / "no.pdf")
        assert (ran.code, ran.err.count("\n")) == (2, 1)
        assert " has no " in ran.err
    assert not (tmp_path / "no.pdf").exists()


@pytest.mark.slow
def test_a_sheet_is_that_of_the_game_its_mission_was_flown_with(companion: Run) -> None:
    companion("new", "Night Owls", "--game", "b29", "--yes")
    companion("mission", "start", "--yes", "--with", "target.city=Nagoya")
    companion("set", "engine.1=out")
    companion("mission", "start", "--yes", "--game", "b29-streamliner", "--with", "front=storm")
    companion("set", "engine.2=out")
    companion("mission", "start", "--yes", "--game", "b29")
    for number, streamlined in ((1, False), (2, True), (3, False)):
        for kind in ("mission", "crew"):
            shown = companion("sheet", kind, "--mission", number).out
            assert ("B-29 Superfortress, Streamliner" in shown) == streamlined, (kind, number)
        assert ("storm" in companion("sheet", "mission", "--mission", number).out.casefold()) == streamlined
    companion("mission", "start", "--yes", "--game", "b29-streamliner")
    page = companion("sheet", "mission", "--mission", "1").out
    assert "Nagoya" in page and "Lasting events" not in page


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["mission", "-o", "sheet.docx"], "should end in .pdf, .png, .svg or .txt"),
        (["mission", "--mission", "9"], "There is no mission 9"),
        (["crew", "-o", "/nowhere/at/all.pdf"], "there is no folder /nowhere/at"),
        (["crew", "-o", "/proc/crew.pdf"], "Can't write /proc/crew.pdf"),
    ],
)
def test_what_cannot_be_printed_is_said_in_a_sentence(owls: Run, arguments: list[str], message: str) -> None:
    ran = owls("sheet", *arguments)
    assert ran.code in (1, 2)
    assert message in ran.err
    assert ran.err.count("\n") == 1


def test_a_mission_on_a_card_to_share(companion: Run, tmp_path: Path) -> None:
    begin(companion, "b17", "target.city=Amiens", "kills.tail-gunner=2")
    companion("set", "kills.tail-gunner=4", "crew.pilot=kia", "engine.2=out", f"name.tail-gunner={LONG}")
    companion("set", "bomb-run.percent=30", "bomb-run=on", "crew.navigator=light", "bombs=dropped")
    assert companion("story", "--card", tmp_path / "card.png").code == 0
    assert (tmp_path / "card.png").read_bytes()[16:24] == (1200).to_bytes(4, "big") + (630).to_bytes(4, "big")
    assert companion("story", "--card", tmp_path / "card.svg").code == 0
    assert 'viewBox="0 0 1200 630" width="1200" height="630"' in (tmp_path / "card.svg").read_text()[:200]
    assert ".png or .svg" in companion("story", "--card", tmp_path / "card.gif").err
    assert "one mission" in companion("story", "--card", tmp_path / "card.png", "--campaign").err
    used = find("Owls")
    told = sheets.card(used.flown(1), used.name)
    assert told["claims"] == [(LONG, 2)] and told["lost"] == [("Warren Tuttle", "pilot", "killed")]
    assert told["hurt"] == [("Simon Ostrow", "light")] and told["percent"] == "30"
    assert str(told["svg"]).count('class="o x"') == 1 and str(told["svg"]).count('class="o k"') == 1


def test_a_game_without_a_bomber_has_a_card_too(companion: Run) -> None:
    companion("new", "Bombs", "--game", "bombs-away", "--yes")
    companion("mission", "start", "--yes")
    assert not sheets.card(find("Bombs").flown(1))["svg"]


def test_a_card_has_no_percentage_where_the_bombs_were_jettisoned(b29: Pack) -> None:
    gone = Mission(b29, {"bombs": "jettisoned", "target.city": "tokyo"}, number=1)
    assert sheets.card(gone)["percent"] == ""
    missed = Mission(b29, {"bombs": "dropped", "bomb-run": "off", "bomb-run.percent": 0}, number=1)
    assert sheets.card(missed)["percent"] == "0"


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
    data = sheets.campaign(log, blank=False)
    data["codes"] = pictures([f"BC1:{at}/6:0:{'A' * 600}" for at in range(1, 7)])
    pdf = pages_of("campaign", b29, data, "Owls", paper)
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
    flown: dict[str, Value] = {"bombs": "dropped", "bomb-run": "on", "bomb-run.percent": 40, "credit": "yes"}
    log = CampaignLog(b17, {"roster": dict(b17.about.names)}, [(1, {**facts, **flown, "bomber.fate": "returned"})])
    pdf = pages_of("campaign", b17, sheets.campaign(log, blank=False), "Owls", "letter")
    assert not any(map(boxes.colliding, boxes.pages(boxes.opened(pdf))))


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
    data: Any = sheets.poster(log)
    pages = boxes.pages(boxes.opened(pages_of("poster", b29, data, "Owls of the far north " * 4, paper)))
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
    rows = sheets.mission_rows(log_of(b29), blank=False)
    percent = [label for _, label in log_of(b29).columns].index("%") + 1
    assert [row[percent] for row in rows[:8]] == ["5", "20", "30", "60", "97", "0", "", "20"]


@pytest.mark.slow
def test_a_blank_sheet_has_a_line_for_every_mission(b29: Pack) -> None:
    data = sheets.campaign(CampaignLog(b29, {}, ()), blank=True)
    pages = boxes.pages(boxes.opened(pages_of("campaign", b29, data, "", "letter")))
    assert len(pages) == 2  # the second for those who come and go
    assert not [pair for page in pages for pair in boxes.colliding(page)]
    assert [row[0] for row in sheets.mission_rows(CampaignLog(b29, {}, ()), blank=True)] == [
        str(at) for at in range(1, MISSIONS + 1)
    ]


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
def journaled(request: pytest.FixtureRequest) -> Mission:
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
def data(journaled: Mission) -> dict[str, Any]:
    """Return its sheet as data, with the codes that restore it."""
    pack = journaled.game
    model = SheetModel(pack, journaled.state, journaled)
    sheet = {"number": 1, "facts": journaled.state, "pending": journaled.pending}
    kept = {"companion": 1, "kind": "mission", "game": pack.name, "name": "Owls", "roster": {}, "missions": [sheet]}
    page = sheets.mission(model, landings(journaled))
    return {**page, "codes": pictures(snapshot.codes(kept))}


@pytest.mark.slow
def test_two_pages_hold_the_mission_and_its_bomber(journaled: Mission, data: dict[str, Any]) -> None:
    paper = "letter" if journaled.game.name == "b17" else "a4"
    wide, tall = SIZES[paper]
    pdf = pages_of("mission", journaled.game, data, "Owls", paper)
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
    for position in journaled.game.sheet.index["position"]:
        assert "".join(str(journaled.state[f"name.{position}"]).split()) in text
    assert "homeatdusk" in text
    for at in range(len(data["codes"])):
        assert f"{at + 1}of{len(data['codes'])}" in text


def test_every_hit_of_the_journal_is_listed_by_area(journaled: Mission, data: dict[str, Any]) -> None:
    areas = journaled.game.sheet.index["area"]
    struck = [each["b"]["area"] for each in damage(journaled)]
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


def test_every_fighter_of_the_journal_is_in_its_zone(journaled: Mission, data: dict[str, Any]) -> None:
    column = data["zones"]["columns"].index("Fighters met")
    cells = [cells[column] for _, rows in data["zones"]["ways"] for _, cells in rows]
    assert sum(len(cell.split(", ")) for cell in cells if cell) == len(came(journaled)) > 0


def test_every_wound_and_every_box_is_crossed(journaled: Mission, data: dict[str, Any]) -> None:
    sheet, state = journaled.game.sheet, journaled.state
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


def test_every_roll_is_told_without_a_key(journaled: Mission) -> None:
    stretches = by_zone(journaled, History(journaled.game, journaled))
    numbers = [number for _, lines in stretches for number, _ in lines]
    assert numbers == sorted(set(numbers))
    asked = [at for at, each in enumerate(journaled.journal.entries, 1) if each["v"] == "roll" and "a" not in each]
    assert set(asked) <= set(numbers)
    slugs = [name for name in journaled.game.sheet.fields if "." in name]
    lines = " ".join(line for _, told in stretches for _, line in told)
    assert not [slug for slug in slugs if f" {slug}" in lines]
    assert all(re.fullmatch(r"Zone \d+(, (out|in)bound)?", where) for where, _ in stretches)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "paper"), [("b29", "letter"), ("b17", "a4")])
def test_a_blank_form_is_two_full_pages(game: str, paper: str) -> None:
    pdf = printed("mission", Pack(game), None, "pdf", paper=paper)[0]
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


BOMBERS = ["b29", "b17"]
# the numbers of engines run from the port wing tip; who has a side in his name sits there (b29 5-6, b17 M-1)
LEFT = {"left-gunner", "port-waist", "pilot"}
RIGHT = {"right-gunner", "starboard-waist", "copilot"}


@pytest.mark.parametrize("game", BOMBERS)
def test_everybody_and_everything_has_a_place_on_its_side(game: str) -> None:
    pack = Pack(game)
    outline = pack.about.print.outline
    index = pack.sheet.index
    assert set(outline.seats) == set(outline.cards) == set(index["position"])
    assert set(outline.hits) == set(outline.areas) == set(index["area"])
    assert set(outline.turrets) == {f"gun.{each}" for each in index["gun"]}
    for position, (across, _) in outline.seats.items():
        assert position not in LEFT or across < 0
        assert position not in RIGHT or across > 0
    across = [outline.engines[f"engine.{each}"][0] for each in (1, 2, 3, 4)]
    assert across == sorted(across) and across == [-each for each in across[::-1]]
    for name, (across, _, wide, _) in outline.parts.items():
        assert "port" not in name.split(".") or across + wide <= 0
        assert "starboard" not in name.split(".") or across >= 0
    boxes = [*outline.hits.values(), *([*each, bomber_svg.WIDE, bomber_svg.TALL] for each in outline.cards.values())]
    for at, (left, top, wide, tall) in enumerate(boxes):
        assert left + wide <= outline.size[0] and top + tall <= outline.size[1]
        for x, y, *size in boxes[:at]:
            assert x + size[0] <= left or left + wide <= x or y + size[1] <= top or top + tall <= y, (at, left, top)


def test_the_outline_of_the_reference_is_sound_and_drawn_and_nobody_is_left_out(tmp_path: Path) -> None:
    """A boat has no nacelles, and nobody need draw it from the side."""
    example = (tables_folder() / "PACK.md").read_text().partition("[print.outline]")[2].partition("```")[0]
    text = f'title = "A"\nstatus.people = {{states = ["crew[position]"]}}\n[print.outline]{example}'
    text += 'engines = {"engine.port" = [-6, 30]}\n'
    boat = pack(tmp_path / "squadron", "squadron", pack=text)
    assert check(boat) == []
    drawn = SheetModel(boat, {}).bomber()
    assert drawn is not None and "<path" in bomber_svg.for_paper(drawn)
    (fault,) = check(pack(tmp_path / "squadron", "squadron", pack=text.replace("gunner = [128, 4], ", "")))
    assert "the position gunner needs a place in cards" in fault


@pytest.mark.parametrize(
    ("game", "span", "length"),
    [("b29", 141.25, 99.0), ("b17", 103.75, 74.33)],  # feet, as published
)
def test_the_bomber_is_drawn_to_scale(game: str, span: float, length: float) -> None:
    outline = Pack(game).about.print.outline
    wing, hull = (
        [(float(x), float(y)) for x, y in bomber_svg.PAIR.findall(each)] for each in (outline.back[0], outline.front[0])
    )
    across = 2 * max(x for x, _ in wing) / 0.3048
    along = max([y for _, y in hull] + [at[1] for at in outline.turrets.values()]) / 0.3048
    assert across == pytest.approx(span, rel=0.01) and along == pytest.approx(length, rel=0.02)


def test_damage_is_shown_at_its_place(b29: Pack) -> None:
    state = {
        "engine.3": "out", "gun.aft-lower": "jammed", "tank.inboard.port": "leaking", "name.cfc": "Roy",
        "crew.cfc": "kia",
    }  # fmt: skip
    drawn = SheetModel(b29, state).bomber()
    assert drawn is not None
    assert [each["word"] for each in drawn["engines"]] == ["", "", "out", ""]
    assert [each["label"] for each in drawn["turrets"] if each["word"] == "jammed"] == ["Aft lower"]
    assert [each["at"] for each in drawn["parts"] if each["word"] == "leaking"] == [
        placed(b29.about.print.outline, b29.about.print.outline.parts["tank.inboard.port"])
    ]
    assert [seat["name"] for _, seat in drawn["cards"] if seat["down"]] == ["Roy"]
    paper, screen = bomber_svg.for_paper(drawn), bomber_svg.for_screen(drawn)
    for crosses in (paper, screen):
        assert (crosses.count('"o x"'), crosses.count('"o x y"'), crosses.count('"o k"')) == (2, 1, 1)
    assert "<text" not in paper + screen
    assert "KIA" in screen.partition('aria-label="')[2].partition('"')[0]
