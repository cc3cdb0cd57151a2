"""The page in a real browser with a real server: whole missions by taps, two phones, a lost server."""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from companion.play.conversation import Chance
from companion.play.mission import rehearsal
from companion.play.script import Script
from tests.support import Run, begin, fly_script, walk
from tests.web.browser import DICE, Phone, Served, asked_for, begun, on_paper, second_phone, serving, tap_through
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
        ("game", "name", "least"), [("b17", "b17/miss-cue.txt", 190), ("b29", "08-abort-that-does-not.txt", 35)]
    )
    def test_a_mission_by_taps_has_the_journal_of_the_terminal(
        companion: Run, tmp_path: Path, phone: Phone, game: str, name: str, least: int
    ) -> None:
        """From takeoff to the debriefing."""
        facts, lines = on_paper(name)
        started(companion, game, facts)
        with Served() as server, phone.showing(server.url):
            tap_through(phone, board_of(), Script(lines))
            phone.page.wait_for_function("() => document.body.innerText.includes('The mission is over')")
        tapped = entries()
        os.environ["COMPANION_HOME"] = str(tmp_path / "terminal")  # put back by the fixture of the data folder
        started(companion, game, facts)
        assert fly_script(companion, lines).code == 0
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
