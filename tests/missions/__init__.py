"""Recorded missions, as `companion fly --dice-from` takes them, with checkpoints.

A line `#= fuel.wing=13 formation=in` is a checkpoint. It is compared when the flight next asks something, so all
automatic steps before that (entering a zone, boxes that are crossed off) have been made. The comments next to it show
how its values were worked out by hand. A script that ends without a checkpoint must end the mission.
"""

from pathlib import Path

from companion.engine.facts import Facts
from companion.packs import Pack
from companion.play.mission import Mission
from companion.play.script import Script
from tests.support import fly

MARK = "#="


def parts(text: str) -> list[tuple[str, int, str]]:
    """Split a script at its checkpoints: the lines so far (earlier ones blank), the line number, expected values."""
    seen: list[tuple[str, int, str]] = []
    lines: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith(MARK):
            seen.append(("\n".join(lines), number, line.removeprefix(MARK)))
            lines = [""] * number
        else:
            lines.append(line)
    return [*seen, ("\n".join(lines), 0, "")]


def replay(pack: Pack, path: Path) -> tuple[Mission, list[str], bool]:
    """Return the mission after the last line, what differed or was not asked on the way, and whether it is over."""
    mission, wrong, over, held = Mission(pack, number=1), [], False, False
    for lines, number, expected in parts(path.read_text(encoding="utf-8")):
        script = Script(lines, path.name)
        if script.lines or expected and not over:
            over = fly(mission, script)
            held = False
            wrong += script.unasked
        facts = Facts(pack.sheet, mission.state)
        for pair in expected.split():
            name, _, value = pair.partition("=")
            if str(facts[name]) != value:
                wrong.append(f"{path.name}, line {number}: {name} is {facts[name]}, by the rules {value}")
        held = held or bool(expected)
    return mission, wrong, over or held
