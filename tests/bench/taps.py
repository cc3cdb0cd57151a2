"""How soon a tap is answered on the page, in a real browser: `python -m tests.bench.taps`.

The sample mission of the B-17 is tapped at 360 pixels, once as it is and once with the browser slowed down four times,
as an old phone is. What is measured is the time from the click on the page to the next question drawn on it.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile

from tests.page.browser import Hand, Phone, Served, chromium
from tests.support import MISSIONS

SCRIPT = MISSIONS / "b17" / "miss-cue.txt"
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


def tapped(slower: int) -> list[float]:
    """Milliseconds from tap to the next question, over a whole mission."""
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        os.environ["COMPANION_HOME"] = folder
        for words in (["new", "Owls", "--game", "b17"], ["mission", "start", "--with", "mission.number=11"]):
            command = [sys.executable, "-m", "companion", *words, "--yes"]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        with Served() as server:
            phone = Phone(browser, server.url)
            phone.context.new_cdp_session(phone.page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
            phone.page.evaluate(WATCH)
            Hand(phone, SCRIPT.read_text(encoding="utf-8")).fly()
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


if __name__ == "__main__":
    main()
