"""The page in a real browser: missions by taps, two phones, a lost server; its look on phone, tablet and desktop."""

from __future__ import annotations

import io
import os
import random
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

from companion.play.conversation import Chance
from companion.play.mission import rehearsal
from companion.play.script import Script
from tests.support import MISSIONS, Run, begin, fly_script, walk
from tests.web.browser import (
    DICE,
    WIDTHS,
    Phone,
    Served,
    asked_for,
    barriers,
    begun,
    on_paper,
    program,
    second_phone,
    serving,
    tap_through,
)
from tests.web.tapping import board_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CLOCK = """
window.clock = 1e6; window.posts = 0;
performance.now = () => clock;
const get = fetch; fetch = (where, how) => { posts += how.method === 'POST'; return get(where, how); };
"""  # a clock that the test sets, and the number of answers sent
SHARING = """
() => { window.shared = []; navigator.canShare = () => true; navigator.share = async what => { shared.push(what); }; }
"""
PATIENCE = 30_000  # milliseconds for what another has done to reach the page; how fast it does is measured on the bench


def entries() -> list[dict[str, Any]]:
    """Return the journal of the mission in use from the disk."""
    return [dict(entry) for entry in board_of().present().mission.journal.entries]


def started(companion: Run, game: str, facts: Sequence[str]) -> None:
    """Start a mission with the first fact; a script writes the others, which may be internal fields."""
    begin(companion, game, facts[0])
    if facts[1:]:
        written = fly_script(companion, f"set {' '.join(facts[1:])}\nend\n")
        assert written.code == 0, written.err


def shows(phone: Phone, words: str) -> None:
    """Wait until these words appear on the board."""
    phone.page.wait_for_function(
        "w => document.querySelector('#board').innerText.includes(w)", arg=words, timeout=PATIENCE
    )


def unlike(phone: Phone, view: str) -> None:
    """Wait until another question appears."""
    phone.page.wait_for_function("v => document.querySelector('.asks').dataset.view !== v", arg=view, timeout=PATIENCE)


if asked_for():
    # -- missions --------------------------------------------------------------------------------------------------

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("game", "name", "start", "least"),
        [("b17", "b17/miss-cue.txt", "# Turn 6", 190), ("b29", "08-abort-that-does-not.txt", "", 35)],
    )
    def test_a_mission_by_taps_has_the_journal_of_the_terminal(
        companion: Run, tmp_path: Path, phone: Phone, game: str, name: str, start: str, least: int
    ) -> None:
        """From takeoff, or from a line of the mission, to the debriefing."""
        facts, lines = on_paper(name)
        started(companion, game, facts)
        head, lines = lines[: lines.index(start)], lines[lines.index(start) :]
        assert fly_script(companion, f"{head}end\n").code == 0
        with Served() as server, phone.showing(server.url):
            tap_through(phone, board_of(), Script(lines))
            phone.page.wait_for_function("() => document.body.innerText.includes('The mission is over')")
        tapped = entries()
        os.environ["COMPANION_HOME"] = str(tmp_path / "terminal")  # put back by the fixture of the data folder
        started(companion, game, facts)
        assert fly_script(companion, f"{head}{lines}").code == 0
        typed = entries()
        for one, other in zip(tapped, typed, strict=True):  # which lines were typed together is the terminal's own
            assert {**one, "j": 0, "r": 0} == {**other, "j": 0, "r": 0}
        assert len(tapped) > least

    @pytest.mark.slow
    def test_a_game_is_played_wholly_by_taps_from_a_new_campaign_to_the_story(companion: Run, phone: Phone) -> None:
        """Bombs Away!, with the answers of the automatic player; the journal is that of the terminal."""
        with serving() as url, phone.showing(url):
            taps, board = begun(phone, "bombs-away"), board_of()
            trial = rehearsal(board.present().mission)
            for _ in walk(trial, Chance(random.Random(2)), asking=True):
                pass
            taps += tap_through(phone, board, Chance(random.Random(2)))
            phone.page.click("[data-story]")
            phone.page.wait_for_selector("#reasons h2")
            phone.page.evaluate(SHARING)
            phone.page.click("[data-share]")
            assert "\n\n" in phone.page.evaluate("shared[0].text")
            escape(phone)
            phone.page.click("[data-picture]")
            phone.page.click(".go[data-share]")
            phone.page.wait_for_function("() => shared.length > 1")
            assert phone.page.evaluate("shared[1].files.map(each => each.type)") == ["image/png"]
            assert 40 < taps < 900
        either = {"j": 0, "r": 0}
        played = entries()
        assert [{**each, **either} for each in played] == [{**each, **either} for each in trial.journal.entries]

    @pytest.mark.slow
    def test_ten_answers_by_keyboard_alone(companion: Run, phone: Phone) -> None:
        """A man is badly wounded, so moving the crew and turning back are asked (14.1, 8.0)."""
        begin(companion, "b17", "mission.number=11", "crew.port-waist=serious")
        with second_phone(phone):
            page, answers = phone.page, ["25", "344", "4", "3", "\n", "\n", "6", "4", "32", "3"]
            for answer in answers:
                before = phone.view
                if answer == "\n":
                    enter(phone)
                else:
                    page.keyboard.type(answer)
                phone.wait(before)
                assert phone.message == ""
                heard = page.text_content("#spoken") or ""
                asked = page.locator(".asks h2").first.text_content() or ""
                assert " ".join(asked.split())[:20] in heard  # the new question is read out
            assert "zone 4" in page.inner_text(".title").casefold()
            before = phone.view
            for _ in range(30):
                page.keyboard.press("Tab")
                if page.evaluate("document.activeElement.dataset.do") == "undo":
                    break
            page.keyboard.press("Enter")
            phone.wait(before)
            assert page.evaluate("document.activeElement.dataset.do") == "undo"  # and once more, if one likes
            assert "Undone" in (page.text_content("#spoken") or "")
            assert page.locator("#board [aria-live], #board [role=log], #board [role=alert]").count() == 0  # said once

    @pytest.mark.slow
    def test_a_double_tap_does_not_answer_the_next_question(companion: Run, browser: Browser) -> None:
        """The second tap falls on the board of the next question, which ignores it for 400 ms, as it does Enter."""
        begin(companion, "b17", "mission.number=11")
        with serving() as url:
            phone = Phone(browser, "about:blank", quick=False)
            phone.context.add_init_script(CLOCK)
            page = phone.page
            page.goto(url)
            for number in range(1, 5):
                page.evaluate("clock += 401")
                before, slots, places = page.evaluate(DICE)
                for at in range(slots):
                    page.mouse.click(*places[(number + at) % 6])
                phone.wait(before)
                for pause in (80, 70, 100, 100, 49):  # in all up to 399 ms
                    page.evaluate(f"clock += {pause}")
                    page.mouse.click(*places[(number + slots - 1) % 6])
                    page.keyboard.press("Enter")
                    assert page.evaluate("[posts, document.querySelectorAll('.slot.full').length]") == [number, 0]
            phone.close()

    # -- together --------------------------------------------------------------------------------------------------

    @pytest.mark.slow
    def test_two_phones_and_a_terminal(companion: Run, browser: Browser, phone: Phone) -> None:
        begin(companion, "b17", "mission.number=11")
        with Served() as server, phone.showing(server.url):
            one, two = phone, Phone(browser, server.url, "desktop", "dark")
            before = two.view
            one.throw(2, 5)
            unlike(two, before)
            shows(two, "Paris")
            before = one.view
            assert companion("roll", "--dice", "3,4").code == 0
            unlike(one, before)
            unlike(two, before)
            before = one.view
            companion("undo")
            unlike(one, before)
            companion("set", "name.pilot=Dan Kerr")
            two.page.wait_for_function(
                "() => document.querySelector('#sheet').innerText.includes('Dan Kerr')", timeout=PATIENCE
            )
            two.page.wait_for_timeout(300)
            two.page.route("**/board?*", lambda route: route.abort())  # it does not hear of it
            before = two.view
            one.throw(3, 4)
            for _ in range(2):
                two.page.click('[data-die="6"]')
            two.page.click("[data-send]")
            two.page.wait_for_function("() => document.querySelector('.message').textContent")
            assert "already answered" in two.message
            assert two.view == one.view != before
            two.context.close()  # which has seen a refusal and a request that was cut off

    @pytest.mark.slow
    def test_dice_that_are_not_sent_and_a_plan_survive_a_reload(companion: Run, phone: Phone) -> None:
        fly_to(companion, "aim nose")
        with second_phone(phone):
            phone.page.click('[data-whom="nose"][data-option="1"]')
            phone.page.wait_for_selector('[data-whom="nose"][data-option="1"][aria-pressed="true"]')
            phone.page.reload()
            phone.page.wait_for_selector('[data-whom="nose"][data-option="1"][aria-pressed="true"]')
            phone.tap("[data-plan]")
            shows(phone, "Nose gun, fighter 1")
            phone.page.click('[data-die="3"]')
            phone.page.click('[data-die="4"]')
            phone.page.reload()
            assert phone.page.locator(".slot.full").count() == 2
            phone.page.evaluate("() => { window.felt = []; navigator.vibrate = long => { felt.push(long); }; }")
            before = phone.view
            for _ in range(3):
                phone.page.click('[data-die="6"]')
            phone.wait(before)
            assert phone.page.evaluate("felt") == [[40]]  # a fighter is hit: short

    @pytest.mark.slow
    def test_the_server_away_and_back(companion: Run, phone: Phone) -> None:
        begin(companion, "b17", "mission.number=11")
        with Served() as server, phone.showing(server.url):
            phone.throw(2, 5)
            assert "Stopped." in server.stop()
            phone.page.wait_for_selector("#lost:not([hidden])")
            phone.page.click('[data-die="3"]')
            phone.page.click('[data-die="4"]')  # nobody hears it
            phone.page.wait_for_selector("#lost:not([hidden])")
            before = phone.view
            assert companion("set", "name.pilot=Dan Kerr").code == 0
            with Served(server.port):
                phone.page.wait_for_selector("#lost[hidden]", state="attached")
                phone.page.wait_for_function("v => document.querySelector('.asks').dataset.view !== v", arg=before)
                phone.throw(3, 4)
                assert "middle" in phone.told
            with Served(server.port, "--fresh"):
                shown = "() => document.querySelector('#lost').innerText.includes('no longer works')"
                phone.page.wait_for_function(shown, timeout=PATIENCE)
                phone.page.goto("about:blank")
                phone.faults.clear()  # it has noted that nobody was there

    @pytest.mark.slow
    def test_another_campaign_in_use_is_followed_with_one_tap(companion: Run, phone: Phone) -> None:
        begin(companion, "b17")
        with second_phone(phone):
            companion("new", "Second String", "--game", "b29", "--yes")
            phone.page.click("[data-use]")
            shows(phone, "No mission yet")
            assert "Second String" in phone.page.inner_text(".title").title()

    @pytest.mark.slow
    def test_a_gun_and_its_target_are_tapped_in_the_picture(companion: Run, phone: Phone) -> None:
        fly_to(companion, "aim nose")
        with second_phone(phone, "tablet"):
            assert phone.page.locator('[data-whom="nose"][data-option="1"]').inner_text().split() == ["1", "6"]
            phone.page.click('.part[data-gun="nose"]')
            phone.page.click('[data-foe="1"] path')
            phone.page.wait_for_selector('[data-whom="nose"][data-option="1"][aria-pressed="true"]')

    def escape(phone: Phone) -> None:
        """Close the dialog; the keys of the board work again once it is closed."""
        phone.page.keyboard.press("Escape")
        phone.page.wait_for_selector("#why:not([open])", state="attached")

    @pytest.mark.slow
    def test_the_sheet_is_changed_by_tapping(companion: Run, phone: Phone) -> None:
        begin(companion, "b17", "mission.number=11")
        with second_phone(phone):
            phone.page.keyboard.press("s")
            phone.page.click('#log [data-f="engine.2"]')
            phone.page.click('[data-write="engine.2=out"]')
            phone.page.wait_for_function("() => document.querySelector('#log').innerText.includes('out')")
            assert board_of().present().mission.state["engine.2"] == "out"
            phone.page.go_back()
            phone.page.wait_for_selector(".asks")
            phone.page.wait_for_selector('.told:has-text("Engine 2")')
            phone.page.click('.part[data-f="engine.3"]')  # in the picture
            phone.page.wait_for_selector('[data-write="engine.3=out"]')
            escape(phone)
            phone.page.keyboard.press("w")
            phone.page.wait_for_selector("#why[open] .line")
            escape(phone)
            before = phone.view
            phone.page.keyboard.press("u")
            unlike(phone, before)
            assert board_of().present().mission.state.get("engine.2", "ok") == "ok"

    @pytest.mark.slow
    def test_dice_that_did_not_arrive_are_sent_with_one_tap(companion: Run, phone: Phone) -> None:
        begin(companion, "b17", "mission.number=11")
        with second_phone(phone):
            before = phone.view
            phone.context.set_offline(True)
            phone.page.wait_for_selector("#lost:not([hidden])")
            phone.page.click('[data-die="2"]')
            phone.page.click('[data-die="5"]')
            phone.page.wait_for_selector("#again:not([hidden])")
            assert "Not sent" in phone.page.inner_text("#lost")
            phone.context.set_offline(False)
            phone.page.wait_for_function("() => document.querySelector('#lost').innerText.includes('is back')")
            phone.tap("#again")
            assert phone.view != before and "Paris" in phone.told
            phone.faults.clear()  # the browser has noted that nobody was there


def fly_to(companion: Run, line: str) -> None:
    """Fly the sample mission of the B-17 up to the first question of that kind."""
    begin(companion, "b17", "mission.number=11")
    lines = on_paper("b17/miss-cue.txt")[1].splitlines()
    at = next(number for number, each in enumerate(lines) if each.startswith(line))
    assert fly_script(companion, "\n".join(lines[:at])).code == 0


def enter(phone: Phone) -> None:
    """Press Enter where one option is suggested, and no button has the focus."""
    assert phone.page.locator(".usual").count() == 1
    assert phone.page.evaluate("document.activeElement.tagName") != "BUTTON"
    phone.page.keyboard.press("Enter")


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
            if name in list(MOMENTS)[::3]:  # by night only the colors are other
                phone.light("dark")
                well_laid(phone)
                painted(phone)
                accessible(phone, only=COLOURS)

    @pytest.mark.slow
    @pytest.mark.parametrize("width", ["phone", "tablet", "desktop"])
    def test_the_sheet_and_why(moment: Callable[[str], None], phone: Phone, width: str) -> None:
        moment("many options")
        with serving() as url, phone.showing(url, width):
            for scheme in ("light", "dark") if width == "phone" else ("light",):
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
    assert {what: where for what, where in phone.page.evaluate(SHOWN).items() if where} == {}
    assert phone.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def painted(phone: Phone) -> None:
    """Check that something is visible."""
    with Image.open(io.BytesIO(phone.page.screenshot())) as shot:
        colours = shot.convert("RGB").resize((180, 180)).getcolors(180 * 180)
    assert colours is not None and len(colours) > 40


def accessible(phone: Phone, **part: str) -> None:
    """Check for faults that would stop a screen reader or weak eyes, including moderate ones; see `barriers`."""
    assert barriers(phone.page, ("moderate", "serious", "critical"), **part) == []
