"""The look of the page on a phone, a tablet and a desktop, in light and dark mode, with any fonts."""

from __future__ import annotations

import io
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

from tests.support import MISSIONS, Run, begin, fly_script
from tests.web.browser import WIDTHS, Phone, asked_for, barriers, program, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PARIS, TOKYO = "b17/miss-cue.txt", "01-day-uneventful.txt"
MOMENTS = {  # the mission, the line (by its beginning) that is asked for next, and the how many-th of those
    "several rolls": (PARIS, "M-1 nose", 1),
    "a plan": (PARIS, "aim nose", 1),
    "one roll with modifiers": (PARIS, "B-1", 1),
    "rolls of two dice": (PARIS, "O-3", 1),
    "options": (PARIS, "crew-move", 1),
    "many options": (PARIS, "who-moves", 1),
    "an own roll": (TOKYO, "2-1", 1),
    "orders": (TOKYO, "2-9.zone", 1),
    "rows of an own book": (TOKYO, "4-8", 1),
    "it is over": (PARIS, "", 0),
    "cards": ("bombs-away", "", 0),
}
NUMBER = {PARIS: "mission.number=11", TOKYO: "mission.number=3"}
LARGEST = 120_000  # bytes of the page with all that it brings
FINGER = 44  # pixels
MEN = ("pilot", "copilot", "bombardier", "navigator", "radio-operator", "tail-gunner")
WAVES = {
    "b17": (["me109", "fw190", "me110"], "12 high, 12 low, 12 level, 12 level, dive, 1:30 low"),
    "b29": (["zeke", "tojo", "nick"], "12 high, 3 low, 3 level, 9 level, 10:30 high, 6 low"),
}  # by game: types, and where they come from
COLOURS = "color-contrast"  # the rule that takes most of the time
SHOWN = """
() => {
  const seen = e => e.getClientRects().length > 0 && e.checkVisibility();
  const clipped = e => getComputedStyle(e).clipPath !== 'none';
  const box = e => e.getBoundingClientRect();
  const name = e => e.tagName + '.' + e.className + ' ' + e.textContent.trim().slice(0, 30);
  const all = [...document.body.querySelectorAll('*')].filter(e => seen(e) && !clipped(e) && !e.closest('svg'));
  const wide = all.filter(e => box(e).right > innerWidth + 1 || box(e).left < -1).map(name);
  const targets = all.filter(e => e.matches('button, input, select, summary, a') && !e.closest('.told p'));
  const small = targets.filter(e => box(e).width < FINGER || box(e).height < FINGER).map(name);
  const squeezed = targets.filter(e => e.matches('button') && !/\\s/.test(e.textContent.trim())
    && e.textContent.length < 9 && box(e).height > 1.8 * FINGER).map(name);
  const panels = ['#board header', '.told', '.asks', '#board footer', 'nav', '#sheet']
    .map(each => document.querySelector(each)).filter(e => e && seen(e));
  const over = panels.flatMap((a, at) => panels.slice(at + 1).filter(b => {
    const p = box(a), q = box(b);
    return Math.min(p.right, q.right) - Math.max(p.left, q.left) > 1
      && Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top) > 1;
  }).map(b => name(a) + ' / ' + name(b)));
  const answers = all.filter(e => e.matches('.pad button, .pad input, footer button'));
  const away = answers.filter(e => box(e).bottom > innerHeight + 1 || box(e).top < 0).map(name);
  const cut = [...document.querySelectorAll('.sheet .cols > section')].filter(seen).flatMap(section =>
    [...section.querySelectorAll('*')].filter(e => seen(e) && !clipped(e) && !e.closest('svg *') && (
      box(e).right > box(section).right + 1 || box(e).left < box(section).left - 1)).map(name));
  const inner = e => { const b = box(e), trim = b.height / 6; return {left: b.left, right: b.right, top: b.top + trim,
    bottom: b.bottom - trim, name: name(e), owner: e.closest('text') || e}; };
  const words = [...document.querySelectorAll('.bomber tspan')].filter(seen).map(inner);
  const marks = [...document.querySelectorAll('.foe path, .bomber .part[data-f^=engine]')].map(inner);
  const sky = document.querySelector('.bomber')?.parentElement;
  const printed = words.filter(a => box(sky).left > a.left || box(sky).right < a.right || box(sky).top > a.top
    || box(sky).bottom < a.bottom || [...words, ...marks].some(b => b.owner !== a.owner && !a.owner.matches('.number')
    && Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1)).map(a => a.name);
  const title = document.querySelector('#sheet-title');
  if (title && seen(title) && title.scrollWidth > title.clientWidth) cut.push(name(title));
  return {wide, small, squeezed, over, away, cut, printed};
}
""".replace("FINGER", str(FINGER))

if asked_for():

    @pytest.mark.slow
    @pytest.mark.parametrize("name", MOMENTS)
    def test_everything_has_its_place_and_can_be_tapped_and_read(
        moment: Callable[[str], None], phone: Phone, name: str
    ) -> None:
        moment(name)
        with serving() as url, phone.showing(url):
            for width in WIDTHS:
                resize(phone, width)
                well_laid(phone)
            painted(phone)
            accessible(phone, without=COLOURS)  # those of the sheet next to it are checked below
            resize(phone, "phone")
            accessible(phone, only=COLOURS)
            phone.light("dark")
            well_laid(phone)
            painted(phone)
            accessible(phone, only=COLOURS)

    @pytest.mark.slow
    @pytest.mark.parametrize("width", ["phone", "tablet", "desktop"])
    def test_the_sheet_and_why(moment: Callable[[str], None], phone: Phone, width: str) -> None:
        moment("many options")
        with serving() as url, phone.showing(url, width):
            for scheme in ("light", "dark"):
                judged = (width, scheme) != ("phone", "light")
                phone.light(scheme)
                if width != "desktop":
                    phone.page.click('footer [data-view="sheet"]')
                phone.page.wait_for_selector("#sheet-title")
                well_laid(phone)
                painted(phone)
                accessible(phone, without=COLOURS if width == "tablet" else "")  # it has those of the desktop
                if width != "desktop":
                    phone.page.click('#sheet [data-view="board"]')
                phone.page.click("footer [data-why]")
                phone.page.wait_for_selector("#why[open]")
                assert "crew" in phone.page.inner_text("#reasons").casefold()
                well_laid(phone)
                accessible(phone, where="#why" if judged else "")  # the layer below has just been checked
                phone.page.click("#why form[method] button")
                phone.page.wait_for_selector("#why", state="hidden")

    @pytest.mark.slow
    @pytest.mark.parametrize("name", ["a plan", "several rolls", "rows of an own book", "it is over"])
    def test_text_of_double_size(moment: Callable[[str], None], browser: Browser, name: str) -> None:
        """The question comes first, nothing sticks out, and every answer is reached by scrolling."""
        moment(name)
        large = ["--no-sandbox", "--disable-gpu", "--blink-settings=defaultFontSize=32"]
        with serving() as url, browser.browser_type.launch(executable_path=program(), args=large) as other:
            phone = Phone(other, url)
            for width in ("phone", "aside", "desktop"):
                resize(phone, width)
                asks = phone.page.locator(".asks h2").first.bounding_box()
                assert asks is not None and asks["y"] < 740
                phone.page.evaluate("document.querySelector('#table').scrollTop = 9_999")
                faults = phone.page.evaluate(SHOWN)
                assert (faults["wide"], faults["small"], faults["over"]) == ([], [], [])
            phone.close()

    @pytest.mark.slow
    @pytest.mark.parametrize("game", WAVES)
    def test_the_worst_moment_by_red_light(companion: Run, phone: Phone, game: str) -> None:
        """Six fighters, some from one place, six men hurt, long names, and the red light for a dark table."""
        companion("new", "The very long campaign of " + "W" * 54, "--game", game, "--yes")
        companion("mission", "start", "--yes")
        types, wave = WAVES[game]
        fighters = [
            f"fighter.{number}.{what}"
            for number, place in enumerate(wave.split(", "), 1)
            for what in (
                f"type={types[number % 3]}",
                *map("=".join, zip(("clock", "angle"), place.split(), strict=False)),
            )
        ]
        men = [f"crew.{man}={how}" for man, how in zip(MEN, ("kia", "light", "serious") * 2, strict=True)]
        men += [f"name.{man}=Ann {'of Featherstonehaugh ' * 3}Cholmondeley" for man in MEN]
        for facts in (["zone=5", "leg=outbound", "target.zone=6", "engine.2=out"], men, fighters):
            assert companion("set", *facts).code == 0
        with serving() as url, phone.showing(url):
            assert phone.page.locator("[data-foe]").count() == 6 and phone.page.locator(".man.hurt").count() == 6
            phone.page.evaluate("document.documentElement.classList.add('night')")
            for width in WIDTHS:
                resize(phone, width)
                well_laid(phone)
            accessible(phone)

    @pytest.mark.slow
    def test_nothing_moves_while_dice_are_tapped(moment: Callable[[str], None], phone: Phone) -> None:
        moment("several rolls")
        with serving() as url, phone.showing(url):
            phone.page.evaluate(
                "() => { window.shifted = 0; new PerformanceObserver(list => list.getEntries().forEach(e => "
                "{ window.shifted += e.value; })).observe({type: 'layout-shift', buffered: false}); }"
            )
            place = phone.page.locator("[data-die='1']").bounding_box()
            for die in (1, 2, 3, 4):
                phone.page.click(f"[data-die='{die}']")
                assert phone.page.locator("[data-die='1']").bounding_box() == place
            phone.page.click(".slot.full >> nth=3")  # a full slot is emptied by a tap
            phone.page.wait_for_timeout(100)
            assert phone.page.evaluate("window.shifted") == 0
            assert phone.page.locator(".slot.full").count() == 3
            before = phone.view
            for die in (1, 5):  # which turns the ball turret's target away, and two more shots at once
                phone.page.click(f"[data-die='{die}']")
            phone.wait(before)
            assert phone.page.locator("[data-die='1']").bounding_box() == place

    @pytest.mark.slow
    def test_the_whole_page_is_small(moment: Callable[[str], None], browser: Browser) -> None:
        moment("it is over")
        with serving() as url:
            phone = Phone(browser, "about:blank", "desktop")
            sizes: dict[str, int] = {}
            elsewhere: list[str] = []
            home = url.partition("?")[0]

            def came(response: Any) -> None:
                if not response.url.startswith(home):
                    elsewhere.append(response.url)
                elif response.status == 200 and not response.url.endswith("/live"):
                    sizes[response.url] = len(response.body())

            phone.page.on("response", came)
            phone.page.goto(url)
            phone.page.wait_for_timeout(500)
            assert elsewhere == []
            for name in ("style.css", "sheet.css", "app.js"):
                assert sizes.get(f"{home}static/{name}"), f"{name} was not asked for: {sizes}"
            assert sum(sizes.values()) < LARGEST, sizes
            phone.close()


# -- moments -----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder with the data of moments already flown to."""
    return tmp_path_factory.mktemp("moments")


@pytest.fixture
def moment(companion: Run, data_folder: Path, kept: Path) -> Callable[[str], None]:
    """Set the campaign in use to a moment; each is flown to once."""

    def at(name: str) -> None:
        folder, own = kept / name, shutil.ignore_patterns("cache")
        if folder.exists():
            shutil.copytree(folder, data_folder, dirs_exist_ok=True)
        else:
            flown_to(companion, name)
            shutil.copytree(data_folder, folder, ignore=own)

    return at


def flown_to(companion: Run, name: str) -> None:
    """Start a campaign and fly to that moment."""
    mission, line, place = MOMENTS[name]
    if mission not in NUMBER:
        begin(companion, mission)
        return
    begin(companion, "b17" if "b17" in mission else "b29", NUMBER[mission])
    lines = (MISSIONS / mission).read_text(encoding="utf-8").splitlines()
    at = [number for number, each in enumerate(lines) if each.startswith(line)][place - 1] if line else len(lines)
    flown = fly_script(companion, "\n".join(lines[:at]))
    assert flown.code == 0, flown.err


def resize(phone: Phone, width: str) -> None:
    """Redraw the same page on another screen."""
    phone.resize(width)
    phone.page.wait_for_timeout(60)


# -- what holds everywhere ---------------------------------------------------------------------------------------------


def well_laid(phone: Phone) -> None:
    """Check that nothing sticks out, overlaps or is too small for a finger."""
    faults = phone.page.evaluate(SHOWN)
    assert {what: where for what, where in faults.items() if where} == {}
    assert phone.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def painted(phone: Phone) -> None:
    """Check that something is visible."""
    with Image.open(io.BytesIO(phone.page.screenshot())) as shot:
        colours = shot.convert("RGB").resize((180, 180)).getcolors(180 * 180)
    assert colours is not None and len(colours) > 40


def accessible(phone: Phone, **part: str) -> None:
    """Check for faults that would stop a screen reader or weak eyes, including moderate ones; see `barriers`."""
    assert barriers(phone.page, ("moderate", "serious", "critical"), **part) == []
