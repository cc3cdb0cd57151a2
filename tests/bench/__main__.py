"""Machine-independent ratios: our commands compared with an empty Typer program and bare Python in one run."""

import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from companion.engine.dice import Hand
from companion.engine.facts import Facts
from companion.engine.fields import Value
from companion.engine.odds import odds
from companion.engine.questions import Pending
from companion.engine.tables import Table
from companion.packs import Pack
from companion.play.conversation import Chance
from companion.play.lookahead import ForecastRun, cores, mission_with
from companion.play.mission import Mission
from tests.support import walk

EMPTY = "import typer\napp = typer.Typer()\n@app.command()\ndef main(): pass\napp()\n"
FIGHTER = {"fighter.clock": "6", "fighter.angle": "level", "fighter.type": "zeke"}
COMPLETIONS = {  # the words on the line, the last one being typed
    "a table and its title": ["roll", "5-"],
    "a fact": ["set", "al"],
    "a value": ["roll", "5-9", "--with", "fighter.clock=1"],
    "a campaign": ["use", "b"],
    "an option": ["sheet", "mission", "--p"],
}
LOOKUP = ["roll", "5-9", "--game", "b29", "--dice", "4,4", "--with", "fighter.clock=6", "--json"]


def timed(command: Sequence[str], home: Path) -> float:
    """Return the seconds that one whole process takes."""
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env={**os.environ, "COMPANION_HOME": str(home)})
    return time.perf_counter() - start


def paired(ours: Sequence[str], theirs: Sequence[str], home: Path, other: Path | None = None, runs: int = 15) -> float:
    """Return the median of the ratios, pair by pair."""
    timed(ours, home), timed(theirs, other or home)
    return statistics.median(timed(ours, home) / timed(theirs, other or home) for _ in range(runs))


def campaign(home: Path, missions: int, entries: int) -> None:
    """Set up a campaign with a number of missions and of journal entries each."""
    from companion.store import campaigns

    os.environ["COMPANION_HOME"] = str(home)
    pack = Pack("b29")
    begun = campaigns.Campaign.create("Bench", {"game": "b29", "roster": {}, "aircraft": ""})
    for number in range(1, missions + 1):
        mission, rng = Mission(pack, number=number), random.Random(number)
        mission.write(full(pack, number))
        while len(mission.journal.entries) < entries:
            mission.roll(rng.choice(["6-1", "4-2", "6-3", "5-1"]), Hand([], rng), {"flak": "light"})
            mission.pending.clear()
        begun.save(mission)


def full(pack: Pack, number: int) -> dict[str, Value]:
    """Return the facts of a mission that a campaign log reads: an aircraft, a target, a result, and occasional
    losses.
    """
    written: dict[str, Value] = {
        "mission.number": number, "aircraft.name": f"Lucky Thirteen {number // 9}", "target.city": "osaka",
        "bomb-run": "on", "bomb-run.percent": number, "bomber.fate": "returned", "credit": "yes", "target.box": 1,
    }  # fmt: skip
    for at, position in enumerate(pack.sheet.index["position"]):
        lost = (number + at) % 8 == 0
        written[f"name.{position}"] = f"Bartholomew Featherstone {(number + at - 1) // 8} {at}"
        written[f"missions.{position}"] = (number + at - 1) % 8
        written[f"crew.{position}"] = "kia" if lost else "ok"
        written[f"fate.{position}"] = "kia" if lost else "duty"
    return written


def a_second(action: Callable[[], object], count: int = 50_000) -> float:
    """Return how often an action can be repeated in a second."""
    start = time.perf_counter()
    for _ in range(count):
        action()
    return count / (time.perf_counter() - start)


def best(action: Callable[[], object], runs: int = 3) -> float:
    """Return the shortest time of an action, in seconds."""
    seen = []
    for _ in range(runs):
        start = time.perf_counter()
        action()
        seen.append(time.perf_counter() - start)
    return min(seen)


def flown(pack: Pack, missions: int = 50) -> float:
    """Return the mean seconds of an automatic mission with the pack in memory and no output."""
    start = 0.0
    for number in range(-5, missions):
        if number == 0:  # the first few compile code for the others
            start = time.perf_counter()
        mission = Mission(pack, {"mission.number": 1 + abs(number) % 25}, number=1)
        mission.noting = False
        for _ in walk(mission, Chance(random.Random(number))):
            pass
    return (time.perf_counter() - start) / missions


def forecast_1000(*facts: str) -> float:
    """Return the seconds for 1,000 B-17 missions on all cores, from takeoff or from these facts."""
    pack = Pack("b17")
    ahead = ForecastRun(mission_with(Mission(pack), pack.sheet.given(facts)), 1)
    start = time.perf_counter()
    assert sum(ahead.fly(1000, cores())) == 1000
    return time.perf_counter() - start


def looked_up(table: Table, facts: Facts) -> object:
    """Return where a 7 lands on a table."""
    column = table.column(facts)
    return table.landed(facts, 7, column, table.applying(facts, column))


def main() -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as folder:
        bare = [sys.executable, "-c", "pass"]
        (Path(folder) / "empty.py").write_text(EMPTY)
        empty = [sys.executable, str(Path(folder) / "empty.py")]
        ours = [str(Path(sys.executable).with_name("companion"))]  # as installed, byte code and all
        lone, young, old = (Path(folder) / name for name in ("lone", "young", "old"))
        campaign(young, 1, 1)
        campaign(old, 35, 286)
        os.environ["COMPANION_HOME"] = str(lone)
        rows = [
            ("lookup / empty Typer program", paired([*ours, *LOOKUP], empty, lone), 1.3),
            ("lookup / python -c pass", paired([*ours, *LOOKUP], bare, lone), 7.0),
        ]
        for name, words in COMPLETIONS.items():
            command = [*ours, "complete", "--", *words]
            os.environ["COMPANION_HOME"] = str(old)
            assert subprocess.run(command, capture_output=True, check=True).stdout, f"nothing is offered for {words}"
            rows.append((f"Tab for {name} / empty Typer", paired(command, empty, old), 1.3))
        for name, command in (
            ("lookup", ["roll", "6-1", "--dice", "3", "--json"]),
            ("mark", ["mark", "windshield.hits"]),
            ("status", ["status"]),
        ):
            ratio = paired([*ours, *command], [*ours, *command], old, young)
            rows.append((f"{name}, mission 35 / mission 1", ratio, 1.15))
        for name, ratio, aim in rows:
            print(f"{name:46} {ratio:8.2f}   aim {aim}")
        pack = Pack("b29")
        for name, seconds, aim in (
            ("odds 5-9", best(lambda: odds(pack, {}, FIGHTER, Pending.of({"roll": "5-9"}))), 0.05),
            ("odds 6-7, every die", best(lambda: odds(pack, {}, {"bomb-run": "on"}, Pending.of({"roll": "6-7"}))), 1),
        ):
            print(f"{name + ', seconds':46} {seconds:8.3f}   aim {aim}")
        for bomber, name, aim in (("b29", "B-29", "8"), ("b17", "B-17", "6")):
            print(f"{f'automatic {name} mission, milliseconds':46} {flown(Pack(bomber)) * 1000:8.1f}   aim {aim}")
        over = ("zone=4", "target.zone=4", "leg=outbound", "step=not-at-target", "cover=fair", "weather.target=good")
        for name, seconds, aim in (
            ("from take-off", forecast_1000(), 5),
            ("from over the target", forecast_1000(*over), 2.5),
        ):
            print(f"{f'1,000 B-17 missions {name}, seconds':46} {seconds:8.2f}   aim {aim}")
        table = pack.table("5-1")
        facts = {"altitude": "hi", "weather": "bad", "leg": "inbound", "formation": "out", "mission.number": 20}
        rate = a_second(lambda: looked_up(table, Facts(pack.sheet, facts)))
        print(f"{'5-1 lookups a second, in process':46} {rate:8.0f}   aim 100000")
        printed = Path(folder) / "log.pdf"
        for kind, name in (("campaign", "campaign of 35"), ("mission", "a mission")):
            took = statistics.median(timed([*ours, "sheet", kind, "-o", str(printed)], old) for _ in range(5))
            print(f"{f'{name} as a PDF, seconds':46} {took:8.2f}   aim 1")
            print(f"{f'{name} as a PDF, kilobytes':46} {printed.stat().st_size / 1000:8.0f}   aim 1000")


if __name__ == "__main__":
    main()
