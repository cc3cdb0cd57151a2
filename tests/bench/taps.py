"""How soon a tap is answered on the page, in a real browser: `python -m tests.bench.taps`.

The sample mission of the B-17 is tapped at 360 pixels, once as it is and once with the browser slowed down four times,
as an old phone is. What is measured is the time from the click on the page to the next question drawn on it. Then the
long mission of the B-29 is tapped, too, whose journal has to be that of the terminal; the tests tap a short one.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.web.browser import Hand, Phone, Served, chromium, on_paper
from tests.web.tapping import board_of

SAMPLE, LONG = "b17/miss-cue.txt", "01-day-uneventful.txt"
AIMS = {1: 150, 4: 300}  # milliseconds, by how many times the browser is slowed down
WATCH = """
() => {
  window.taps = [];
  let tapped = 0;
  document.addEventListener('click', () => { tapped = performance.now(); }, true);
  new MutationObserver(() => {
    const at = tapped;
    tapped = 0;
    if (at) requestAnimationFrame(() => setTimeout(() => window.taps.push(performance.now() - at)));
  }).observe(document.getElementById('board'), {childList: true});
}
"""


def command(*words: str) -> None:
    """A command that has to go well."""
    subprocess.run([sys.executable, "-m", "companion", *words], check=True, stdout=subprocess.DEVNULL)


def begun(folder: str, game: str, facts: Sequence[str]) -> None:
    """A campaign there and a mission with these facts, the first of them when it begins."""
    os.environ["COMPANION_HOME"] = folder
    command("new", "Owls", "--game", game, "--yes")
    command("mission", "start", "--with", facts[0], "--yes")
    if facts[1:]:
        command("set", *facts[1:])


def entries(folder: str) -> list[dict[str, Any]]:
    """The journal of the mission in use."""
    return board_of(Path(folder)).present().mission.journal.entries


def as_typed(game: str, name: str) -> tuple[int, bool]:
    """A recorded mission by taps: how many, and whether its journal is that of the terminal."""
    facts, lines = on_paper(name)
    with tempfile.TemporaryDirectory() as folder:
        here, there, script = f"{folder}/tapped", f"{folder}/typed", f"{folder}/mission.txt"
        begun(here, game, facts)
        with chromium() as browser, Served() as server:
            phone = Phone(browser, server.url)
            hand = Hand(phone, lines)
            hand.fly()
            phone.close()
        by_taps = entries(here)
        Path(script).write_text(lines, encoding="utf-8")
        begun(there, game, facts)
        command("fly", "--dice-from", script)
        return hand.taps, by_taps == entries(there)


def tapped(slower: int) -> list[float]:
    """Milliseconds from tap to the next question, over a whole mission."""
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        facts, lines = on_paper(SAMPLE)
        begun(folder, "b17", facts)
        with Served() as server:
            phone = Phone(browser, server.url)
            phone.context.new_cdp_session(phone.page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
            phone.page.evaluate(WATCH)
            Hand(phone, lines).fly()
            times: list[float] = phone.page.evaluate("window.taps")
            phone.close()
    return times


def main() -> None:
    """Print the table."""
    for slower, aim in AIMS.items():
        times = sorted(tapped(slower))
        most = times[int(len(times) * 0.95)]
        print(
            f"{len(times)} taps, browser {slower} x slower: median {statistics.median(times):.0f} ms, "
            f"95 % within {most:.0f} ms, the slowest {times[-1]:.0f} ms   aim {aim}"
        )
    taps, same = as_typed("b29", LONG)
    print(f"{LONG}: {taps} taps, {'the journal of the terminal' if same else 'NOT the journal of the terminal'}")


if __name__ == "__main__":
    main()
