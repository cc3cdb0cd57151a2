"""A phone: a real browser, a real server, and simulated taps."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from companion.play.conversation import Player
from companion.store import campaigns
from companion.web.board import Board
from tests.support import MISSIONS
from tests.web.tapping import tapped

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MISSING = (
    "no Chromium is here, so the page is not tried in a browser: apt-get install chromium, or set COMPANION_CHROMIUM"
)
WIDTHS = {"phone": (360, 740), "small": (320, 640), "aside": (740, 360), "tablet": (768, 1024), "desktop": (1280, 800)}
DICE = """
() => [
  document.querySelector('.asks').dataset.view, document.querySelectorAll('.throw:not([hidden]) .slot').length,
  [...document.querySelectorAll('[data-die]')].map(die => die.getBoundingClientRect()).map(
    box => [box.x + box.width / 2, box.y + box.height / 2])
]
"""  # the question, how many dice it takes, and where a finger throws each
SEND = """
view => document.querySelector('.asks').dataset.view === view && !document.querySelector('.busy')
  && document.querySelector('[data-send]:not([disabled])')?.click()
"""  # tap Send if the answer is not on its way already, in one step because the button may vanish
QUICK = "const now = performance.now.bind(performance); performance.now = () => now() * 100;"  # no pause after a redraw
PATIENCE = 20_000  # milliseconds for what ought to come at once, even on a busy machine


# -- the browser -------------------------------------------------------------------------------------------------------


def program() -> str:
    """Return the path of Chromium on this machine; empty if there is none."""
    named = os.environ.get("COMPANION_CHROMIUM", "")
    return named or next(filter(None, map(shutil.which, PROGRAMS)), "")


def asked_for() -> bool:
    """Return whether browser tests run here: if there is a browser, or if `COMPANION_BROWSER=needed` demands one."""
    return bool(program()) or os.environ.get("COMPANION_BROWSER") == "needed"


@contextlib.contextmanager
def chromium() -> Iterator[Browser]:
    """Return the browser, without a window."""
    from playwright.sync_api import sync_playwright

    assert program(), MISSING
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program(), args=["--no-sandbox", "--disable-gpu"])
        try:
            yield browser
        finally:
            browser.close()


# -- the server --------------------------------------------------------------------------------------------------------


class Served:
    """`companion serve` as a separate process."""

    def __init__(self, port: int | None = None, *more: str) -> None:
        self.port = port or free_port()
        command = [sys.executable, "-m", "companion", "serve", "--port", str(self.port), *more]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, encoding="utf-8")
        assert self.process.stdout is not None
        self.out = next(self.process.stdout)
        self.url = next(line.strip() for line in self.process.stdout if line.startswith("http"))
        self.page = self.url.partition("?")[0]
        self.out += "".join(islice(self.process.stdout, 2))  # the code, or how to reach the page

    def stop(self) -> str:
        """Press Ctrl-C; return the rest of the output."""
        self.process.send_signal(signal.SIGINT)
        self.out += self.process.communicate(timeout=20)[0]
        return self.out.strip().splitlines()[-1]

    def __enter__(self) -> Served:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.stop()


@contextlib.contextmanager
def serving() -> Iterator[str]:
    """Serve the page of the campaign in use from this process, which is faster; yield its address."""
    from companion.web.app import address, listen, server, token

    listening, key = listen(free_port(), lan=False), token()
    serving = server(campaigns.campaign_in_use(), key)
    thread = threading.Thread(target=serving.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield address(listening, key)
    finally:
        serving.should_exit = True
        thread.join()


def free_port() -> int:
    """Return an unused port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


# -- the phone ---------------------------------------------------------------------------------------------------------


class Phone:
    """One browser window with the page in it."""

    def __init__(
        self,
        browser: Browser,
        url: str,
        width: str = "phone",
        scheme: str = "light",
        *,
        quick: bool = True,
        **more: Any,
    ) -> None:
        wide, high = WIDTHS[width]
        self.context = browser.new_context(
            viewport={"width": wide, "height": high},
            color_scheme=scheme,  # type: ignore[arg-type]
            **more,
        )
        self.context.set_default_timeout(PATIENCE)
        if quick:
            self.context.add_init_script(QUICK)
        self.page: Page = self.context.new_page()
        self.faults: list[str] = []  # the browser's error messages
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", lambda line: self.faults.append(line.text) if line.type == "error" else None)
        self.page.goto(url)

    def close(self) -> None:
        """Close the window; the browser must have reported no errors."""
        self.context.close()
        assert self.faults == [], self.faults

    @contextlib.contextmanager
    def showing(self, url: str, width: str = "phone", scheme: str = "light") -> Iterator[None]:
        """Show another page in the same window, which is faster than a new one; the browser must report no errors at
        the end.
        """
        self.context.clear_cookies()
        if self.page.url != "about:blank":  # where a test has failed
            self.page.goto("about:blank")
        self.faults.clear()
        self.resize(width)
        self.light(scheme)
        self.page.goto(url)
        yield
        self.page.goto("about:blank")
        assert self.faults == [], self.faults

    def resize(self, width: str) -> None:
        """Show the same page on a screen of another size."""
        wide, high = WIDTHS[width]
        self.page.set_viewport_size({"width": wide, "height": high})

    def light(self, scheme: str) -> None:
        """Switch between `light` and `dark` mode."""
        self.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]

    @property
    def view(self) -> str:
        """Return the id of the question on the page."""
        return str(self.page.evaluate("document.querySelector('.asks').dataset.view"))

    @property
    def told(self) -> str:
        """Return the latest events."""
        return self.page.inner_text(".told")

    @property
    def message(self) -> str:
        """Return the error about an invalid answer."""
        return str(self.page.evaluate("document.querySelector('.message').innerText"))

    def wait(self, before: str) -> None:
        """Wait for another question on the page, or an error message."""
        self.page.wait_for_function(
            "v => document.querySelector('.asks').dataset.view !== v || "
            "(document.querySelector('.message').textContent && !document.querySelector('.busy'))",
            arg=before,
        )

    def tap(self, selector: str) -> None:
        """Tap something that leads to another question."""
        before = self.view
        self.page.click(selector)
        self.wait(before)

    def throw(self, *dice: int) -> None:
        """Tap dice; those for several rolls are sent automatically."""
        before, slots, places = self.page.evaluate(DICE)
        for each in dice:
            self.page.mouse.click(*places[each - 1])
        if len(dice) < slots:
            self.page.click("[data-send]")
        self.wait(before)

    def spell(self, words: str) -> None:
        """Type words, where they are behind a line as well, and send them or take them as a row."""
        self.page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
        self.page.fill("#value", words)
        self.page.click("form.words button")

    def write(self, words: str) -> None:
        """Type an edit of the sheet."""
        before = self.view
        if self.page.is_visible('[data-view="sheet"]'):
            self.page.click('[data-view="sheet"]')
        self.page.fill("#written", words)
        self.page.click("#write button")
        self.wait(before)


JUDGED = """
([where, only, without]) => axe.run(where || document, {
  resultTypes: ['violations'],
  ...(only && {runOnly: [only]}),
  ...(without && {rules: {[without]: {enabled: false}}}),
}).then(results => results.violations.map(
  each => [each.id, each.impact, each.nodes.map(node => node.html.slice(0, 120))]))
"""


def barriers(
    page: Page, impacts: Sequence[str], where: str = "", only: str = "", without: str = ""
) -> list[tuple[str, str, list[str]]]:
    """Return the barriers for screen readers or weak eyes: rule, severity and tags.

    Check a part of the page if one is named, by one rule alone or by all but that one.
    """
    from axe_playwright_python.sync_playwright import Axe

    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    return [
        (rule, impact, tags)
        for rule, impact, tags in page.evaluate(JUDGED, [where, only, without])
        if impact in impacts
    ]


# -- a whole game ------------------------------------------------------------------------------------------------------


def begun(phone: Phone, game: str) -> int:
    """Start a campaign and its first mission from the empty page, with all that is suggested; return the taps."""
    page = phone.page
    page.click("[data-menu]:not(footer *)")
    page.fill("#new-name", "Owls")
    page.select_option("#new-game", game)
    page.click('form[data-post="/new"] .go')
    page.wait_for_function("() => document.querySelector('#board').innerText.includes('No mission yet')")
    page.click('[data-menu="mission"]')
    page.click('form[data-post="/begin"] .go')
    page.wait_for_selector("#why:not([open])", state="attached")
    page.wait_for_selector("[data-do=undo]")
    return 6


def tap_through(phone: Phone, board: Board, by: Player, most: int = 2_000) -> int:
    """Tap the answers of a player to the end of the mission; return the taps, a typed answer counted as two."""
    page, taps = phone.page, 0
    for _ in range(most):
        view = board.view()
        if view.prompt is None:
            break
        if phone.view != view.id:
            page.wait_for_function("v => document.querySelector('.asks').dataset.view === v", arg=view.id)
        taps += _tapped(phone, tapped(board, by), view.id)
        assert phone.message == ""
    return taps


def _tapped(phone: Phone, sent: Mapping[str, object], before: str) -> int:
    """Tap one answer; return the taps."""
    page, wishes, value = phone.page, sent.get("wishes"), str(sent.get("value", ""))
    if isinstance(wishes, dict):
        changed = [f'[data-whom="{whom}"][data-option="{name}"]' for whom, name in wishes.items()]
        other = [each for each in changed if page.locator(f'{each}[aria-pressed="false"]').count()]
        for each in other:
            page.click(each)
            page.wait_for_selector(f'{each}[aria-pressed="true"]')
        phone.tap("[data-plan]")
        return len(other) + 1
    dice = [int(each) for each in value.split(",") if each.isdigit()]
    if page.locator(".faces").count() and dice and not page.locator(".throw.own").count():
        phone.throw(*dice)
        return len(dice)
    for each in ("data-row", "data-value"):
        if page.locator(f'.asks [{each}="{value}"]').count():
            page.click(f'.asks [{each}="{value}"] >> nth=0')
            break
    else:
        phone.spell(value)
    page.evaluate(SEND, before)
    phone.wait(before)
    if phone.view == before and page.locator(".near button:last-child").count():
        phone.tap(".near button:last-child")
    return 2


# -- on paper ----------------------------------------------------------------------------------------------------------


USUAL = ["book.4-8.novice=0", "book.8-1.auxiliary-fuel=0"]  # the page asks for it, the scripts leave it as is usual


def on_paper(name: str) -> tuple[list[str], str]:
    """Return a recorded mission: its starting facts, its number first, and the lines after them."""
    text = (MISSIONS / name).read_text(encoding="utf-8")
    head = re.match(r"(?:\s*(?:#.*|set .*)?\n)*", text)
    assert head is not None
    facts = re.findall(r"\S+=\S+", " ".join(re.findall(r"^set (.*)", head[0], re.M)))
    return [*(facts or ["mission.number=11"]), *([] if name.startswith("b17") else USUAL)], text[head.end() :]


@contextlib.contextmanager
def second_phone(phone: Phone, width: str = "phone") -> Iterator[Phone]:
    """Open a phone at the page of the campaign in use; the browser must report no errors at the end."""
    with serving() as url, phone.showing(url, width):
        yield phone
