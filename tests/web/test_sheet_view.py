"""The sheet on a web page: every box, wound and hit of a flown mission, and nothing that a viewer may not see."""

import random
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Literal

import pytest

from companion.packs import Pack
from companion.play.conversation import Chance
from companion.play.mission import Mission
from companion.render.situation import ALL, viewers
from companion.web import sheet
from companion.web.sheet import sheet_html
from tests.support import PACKS, fly
from tests.web.browser import asked_for, barriers

GAMES = ["b29", "b29-streamliner", "b17", "bombs-away"]
CSS = Path(sheet.__file__).parent / "static" / "sheet.css"
TAGS = set("section header h2 h3 h4 p div dl dt dd ul li table tr th td span small em strong i b u s".split())
TAGS |= set("svg g path rect circle text".split())
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
SERIOUS = ("serious", "critical")  # what an accessibility checker calls a fault that keeps somebody out
NAMES = set(
    "class id role scope aria-label aria-labelledby aria-hidden data-f viewbox d x y transform width height "
    "cx cy r".split()
)


class Reading(HTMLParser):
    """The page as parsed by a browser: the tags with their contents, and the visible words."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.shown: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        self.shown.append(data)

    @property
    def labels(self) -> list[str]:
        return [attributes["aria-label"] for _, attributes in self.tags if "aria-label" in attributes]


def section(text: str, label: str) -> str:
    """Return the contents under one heading."""
    match = re.search(rf"<section><h3>{re.escape(label)}</h3>(.*?)</section>", text, re.DOTALL)
    return match[1] if match else ""


def flown(game: str, seed: int) -> Mission:
    """Fly an automatic mission with a full crew to its end."""
    pack = Pack(game)
    mission = Mission(pack, number=1)
    names = {f"name.{position}": name for position, name in pack.about.names.items()}
    mission.write({"mission.number": 12, **names})
    fly(mission, Chance(random.Random(seed)))
    return mission


FLIGHTS = [pytest.param((game, 7), id=game) for game in GAMES]
FLIGHTS += [pytest.param((game, 39), id=f"{game} again", marks=pytest.mark.slow) for game in GAMES]


@pytest.fixture(scope="module", params=FLIGHTS)
def mission(request: pytest.FixtureRequest) -> Mission:
    return flown(*request.param)


@pytest.fixture
def shown(mission: Mission) -> str:
    return sheet_html(mission, ALL)


# -- a mission that has been flown -------------------------------------------------------------------------------------


def test_every_box_that_is_crossed_off_is_crossed_off_here(mission: Mission, shown: str) -> None:
    fields = mission.game.sheet.fields
    boxed = [
        name for name, field in fields.items() if field.kind == "boxes" and field.limit and field.section != "working"
    ]
    rows = re.findall(r'aria-label="(\d+) of (\d+) crossed(?:, (\d+) left)?">(.*?)</span>', shown)
    assert sum(int(crossed) for crossed, *_ in rows) == sum(
        int(mission.state.get(each, fields[each].blank)) for each in boxed
    )
    assert len(rows) == len(boxed)
    for crossed, limit, left, drawn in rows:
        assert (drawn.count("<b>"), drawn.count("<i>")) == (int(crossed), int(limit) - int(crossed))
        assert left in ("", str(int(limit) - int(crossed)))


def test_every_man_is_there_with_his_wounds(mission: Mission, shown: str) -> None:
    men = mission.game.sheet.index.get("position", {})
    crew = section(shown, "Crew")
    assert crew.count("<h4>") == len(men)
    for man in men:
        assert str(mission.state[f"name.{man}"]) in crew
    for state, word in (("light", "light"), ("serious", "serious"), ("kia", "KIA")):
        assert crew.count(f"<s>{word}</s>") == sum(mission.state.get(f"crew.{man}") == state for man in men)


def test_the_drawing_describes_damage_in_words(mission: Mission, shown: str) -> None:
    if not mission.game.about.print.outline:
        assert "<svg" not in shown
        return
    drawn = next(each for each in Reading(shown).labels if each.startswith("The bomber"))
    for engine in mission.game.sheet.index["engine"]:
        state = mission.state.get(f"engine.{engine}", "ok")
        assert (f"Engine {engine} {state}" in drawn) == (state != "ok")
    for gun, has in mission.game.sheet.index["gun"].items():
        state = str(mission.state.get(f"gun.{gun}", "ok"))
        assert (f"{has['label']} {state}" in drawn) == (state != "ok")


# -- a moment ----------------------------------------------------------------------------------------------------------


def test_the_printed_sheet_shows_the_fields(b29: Pack) -> None:
    mission = Mission(b29, number=1)
    facts = ["engine.3=out", "gun.aft-lower=jammed", "fuel.wing=9", "name.cfc=Roy", "crew.cfc=kia"]
    mission.write(b29.sheet.given(facts))
    read = sheet_html(mission, ALL)
    assert 'aria-label="9 of 38 crossed, 29 left"' in read
    assert "Out of order or hurt: Engine 3 out, Aft lower jammed and Central fire controller KIA. No hits." in read
    assert (
        '<th scope=row>3<td><span data-f="engine.3"><span class=c role=img aria-label="out"><s>out</s><u>runaway</u>'
        in read
    )
    assert "Central fire controller <span class=t>Roy</span>" in read


@pytest.mark.parametrize("game", sorted(path.name for path in PACKS.iterdir() if path.is_dir()))
def test_a_game_of_ones_own_needs_no_code(game: str, data_folder: Path) -> None:
    shutil.copytree(PACKS / game, data_folder / "packs" / game)
    pack = Pack(game)
    mission = Mission(pack, number=1)
    read = Reading(sheet_html(mission))
    assert pack.title in read.shown
    assert viewers(mission) == []
    assert {tag for tag, _ in read.tags} <= TAGS


# -- what somebody may see ---------------------------------------------------------------------------------------------


@pytest.mark.section("b17 21.1", "b17 21.2")
def test_the_german_player_sees_only_what_shows_from_outside(b17: Pack) -> None:
    mission = Mission(b17, number=1)
    secret = ["crew.pilot=kia", "name.pilot=Harlan Beck", "intercom=out", "gun.top=broken"]
    seen = ["zone=4", "engine.2=out", "aileron.port=out", "wing-root.starboard=2"]
    mission.write(b17.sheet.given([*secret, *seen]))
    assert viewers(mission) == [] and sheet_html(mission, "") == sheet_html(mission, ALL), "alone"
    mission.write({"two-player": "on"})
    whole, outside = sheet_html(mission, ALL), sheet_html(mission, "")
    for word in ("Harlan Beck", "KIA", "Intercom", "broken", "Top turret"):
        assert word in whole and word not in outside
    for word in ("Engine 2 out", "Aileron", 'aria-label="2 of 5 crossed"', "What the German player may know"):
        assert word in outside
    assert sheet_html(mission, "the neighbour") == outside
    assert [value for value, _ in viewers(mission)] == [ALL, ""]


@pytest.mark.section("bombs-away II B")
def test_a_card_that_is_not_turned_up_is_its_owners_secret() -> None:
    pack = Pack("bombs-away")
    mission = Mission(pack, number=1)
    cards = ["at.axis-4=berlin", "name.axis-4=Ju 88", "at.b24d=ploesti", "placed.ploesti=yes", "hand.axis=3"]
    mission.write(pack.sheet.given(cards))
    assert dict(viewers(mission)) == {
        ALL: "The whole sheet",
        "allied": "Allies",
        "axis": "Axis",
        "": "What both sides may know",
    }
    # of the Axis card, and of the Allied one
    assert [target_of(pack, mission, "Ju 88", who) for who in (ALL, "axis", "allied", "")] == ["Berlin"] * 2 + ["?", ""]
    assert [target_of(pack, mission, "B24D", who) for who in (ALL, "allied", "axis", "")] == ["Ploesti"] * 2 + ["?", ""]
    assert "berlin" not in sheet_html(mission, "allied") + sheet_html(mission, "")
    mission.write({"fought.ploesti": "yes"})  # opened: what lies there is turned up
    for who in ("axis", ""):
        assert "<dt>B24D, turned up at</dt><dd class=t>Ploesti" in sheet_html(mission, who)
        assert "turned up at</dt><dd class=t>Berlin" not in sheet_html(mission, who)


def target_of(pack: Pack, mission: Mission, card: str, viewer: str) -> str:
    """Return the square in which a viewer sees a card of the aircraft."""
    entry = re.search(rf"<h4>{card}(.*?)(?=<li>|</ul>)", section(sheet_html(mission, viewer), "Aircraft"), re.DOTALL)
    place = re.search(r"<dt>Target<dd[^>]*>(?:<span[^>]*>)?([^<]*)", entry[1] if entry else "")
    return place[1] if place else ""


# -- its looks ---------------------------------------------------------------------------------------------------------


if asked_for():

    @pytest.mark.slow
    def test_nothing_is_wider_than_the_screen_whatever_the_names_are(browser: Any) -> None:
        """Screen readers and high contrast work in light and dark mode."""
        style = CSS.with_name("style.css").read_text(encoding="utf-8") + CSS.read_text(encoding="utf-8")
        head = "<!doctype html><html lang=en><title>Owls</title><meta name=viewport content=width=device-width>"
        with browser.new_page() as view:
            for game in GAMES:
                mission = flown(game, 39)
                fields = mission.game.sheet.fields
                named = [each for each, field in fields.items() if field.naming or field.name == "name[plane]"]
                mission.write({each: f"{'W' * 77}{at:03}" for at, each in enumerate(named)} | {"notes": "M" * 80})
                page = f"{head}<style>{style}</style><main><h1>Owls</h1>{sheet_html(mission, ALL)}</main>"
                view.set_content(page)
                for width in (360, 412, 700, 768, 1024, 1280):
                    view.set_viewport_size({"width": width, "height": 800})
                    assert view.evaluate("document.documentElement.scrollWidth") <= width
                for scheme in SCHEMES:
                    view.emulate_media(color_scheme=scheme)
                    if game == GAMES[0] or scheme == SCHEMES[0]:  # the colors of all games are the same
                        only = "" if scheme == SCHEMES[0] else "color-contrast"  # nothing else is other by night
                        assert barriers(view, SERIOUS, only=only) == []
