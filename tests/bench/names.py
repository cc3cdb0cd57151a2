"""Reads all output of flights and their commands, and reports internal names.

`python -m tests.bench.names b29 0 200` prints each internal name and each malformed line with its seed, every screen
longer than 20 lines, every status that does not fit a window, and the time from an answer to the next question. The
exit code is 1 if it finds an internal name or a long screen.
"""

import re
import sys
from textwrap import fill

from companion.packs import Pack
from tests.inner_names import betrayed, odd
from tests.screens import flown, reports, statuses

SCREEN = 20
ROWS, COLUMNS = 30, 80  # of the status


def main() -> None:
    """Fly the missions of these seeds: GAME FIRST LAST, where LAST is excluded."""
    game, first, last = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    pack, names, long, times = Pack(game), set[str](), 0, list[float]()

    def report(seed: int, lines: list[str], command: str = "") -> None:
        shapes = [each for each in odd(lines) if not (command.startswith("why") and each.startswith("an arrow"))]
        for line in [*betrayed(game, lines), *shapes]:
            if re.sub(r"\d+", "#", line) not in names:
                print(f"{game} {seed}: {line}    <{command}>", flush=True)
            names.add(re.sub(r"\d+", "#", line))

    for seed in range(first, last):
        for screen in flown(pack, seed).screens:
            times.append(screen.seconds)
            report(seed, [*screen.lines, *fill(screen.question, COLUMNS, break_on_hyphens=False).splitlines()])
            if len(screen.lines) >= SCREEN:
                long += 1
                print(f"{game} {seed}: {len(screen.lines)} lines before {screen.question!r}", flush=True)
        for command, lines in reports(game, seed):
            report(seed, lines, command)
        for lines in statuses(pack, seed):
            report(seed, lines)
            if len(lines) > ROWS or max(map(len, lines)) > COLUMNS:
                long += 1
                print(f"{game} {seed}: a status of {len(lines)} lines, {lines}", flush=True)
    times.sort()
    quick = [f"{times[len(times) * part // 1000 - 1] * 1000:.0f}" for part in (500, 990, 1000)]
    print(f"{last - first} missions of {game}, {len(times)} screens: {len(names)} inner names, {long} long screens")
    half, most, all_of_them = quick
    print(f"milliseconds to the next question: {half} for half of them, {most} for 99 in 100, {all_of_them} at most")
    sys.exit(1 if names or long else 0)


if __name__ == "__main__":
    main()
