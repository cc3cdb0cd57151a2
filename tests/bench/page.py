"""The page under load, killed, and measured: `python -m tests.bench.page [KILLS]`.

- Times: whole automatic missions of each game by taps, in process; what a tap takes until its answer is there, what
  drawing the board and the sheet takes, the longest with what it was.
- A minute with twenty phones and a terminal: nothing lost, nobody shown an old question for more than a second.
- The server killed at random moments, 200 times: every acknowledged answer is there, once.
"""

from __future__ import annotations

import asyncio
import io
import os
import random
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import NamedTuple

from companion.play.chance import Chance
from tests.web.calling import calling
from tests.web.phones import Answer, Server, answering, dice_on_disk, lag, phones, serving, staleness
from tests.web.tapping import tapped

OVER = "It is over."
GAMES = ("b29", "b29-streamliner", "b17", "bombs-away")


def command(*words: str) -> None:
    """A command in this process, which has to go well."""
    from companion.cli.main import main

    sys.argv = ["companion", *words]
    with redirect_stdout(io.StringIO()):
        assert main() == 0, words


def begun(home: Path, game: str) -> None:
    """A campaign and its first mission."""
    os.environ["COMPANION_HOME"] = str(home)
    command("new", "Owls", "--game", game, "--yes")
    command("mission", "start", "--yes")


# -- times -------------------------------------------------------------------------------------------------------------


class Took(NamedTuple):
    """Milliseconds by the clock, those of them that were work (not the disk, not others), and what it was."""

    time: float
    work: float
    what: str


class Watch:
    """Measures from one moment to another."""

    def __init__(self) -> None:
        self.clock, self.work = time.perf_counter(), time.process_time()

    def stop(self, what: str) -> Took:
        """So long it took."""
        return Took((time.perf_counter() - self.clock) * 1000, (time.process_time() - self.work) * 1000, what)


def flown(game: str, seed: int) -> tuple[list[Took], list[Took], list[Took]]:
    """A whole mission by taps, the pack in memory: each tap, each board and each sheet drawn."""
    taps, boards, sheets = list[Took](), list[Took](), list[Took]()
    with calling() as caller:
        caller.come_in()
        by, board = Chance(random.Random(seed)), caller.page.board
        view = board.view()
        while view.prompt is not None:
            what = f"{game}: {view.prompt.title or view.prompt.kind}"
            sent = {"seen": view.id, **tapped(board, by)}
            watch = Watch()
            reply = caller.post("/answer", sent)
            taps.append(watch.stop(what))
            assert reply.code == 200, reply.text
            for path, into in (("/board", boards), ("/sheet", sheets)):
                watch = Watch()
                caller.call("GET", path)
                into.append(watch.stop(what))
            view = board.view()
    return taps, boards, sheets


def line(name: str, took: Sequence[Took], aim: float | None = None) -> None:
    """Print the median, how long 99 of 100 take, and the longest."""
    by_clock, worst = sorted(each.time for each in took), max(took)
    work = statistics.median(each.work for each in took)
    aimed = "" if aim is None else f"   aim {aim:.0f} ms"
    print(
        f"{name:24} {len(took):5} times, median {statistics.median(by_clock):5.1f} ms ({work:.1f} of work), 99% "
        f"{by_clock[int(len(by_clock) * 0.99)]:5.1f}, longest {worst.time:5.1f} ({worst.work:.1f}: {worst.what}){aimed}"
    )


def times(folder: Path, missions: int = 3) -> None:
    """Every game, some missions of it, and the disk taken as it is."""
    for game in GAMES:
        taps, boards, sheets = list[Took](), list[Took](), list[Took]()
        begun(folder / game, game)
        for seed in range(missions + 1):
            if seed:
                command("mission", "start", "--yes")
            came = flown(game, seed)
            for into, each in zip((taps, boards, sheets), came if seed else ((), (), ()), strict=True):
                into.extend(each)  # the first mission loads the tables
        line(f"{game}, a tap", taps, 50)
        line(f"{game}, the board", boards)
        line(f"{game}, the sheet", sheets)


# -- many at once ------------------------------------------------------------------------------------------------------


async def crowd(home: Path, seconds: float, count: int = 20) -> None:
    """So many phones that answer, and a terminal that writes now and then."""
    over = asyncio.Event()
    late, missions = asyncio.create_task(lag(over)), 1
    with serving(home) as server:
        async with phones(server, count) as table:
            flying = asyncio.create_task(answering(table, seconds, (1, 6)))
            typed = 0
            while not flying.done():
                await asyncio.wait([flying], timeout=2)
                typed += 1
                await asyncio.to_thread(command, "set", f"name.pilot=T{typed}")
                if OVER in table[0].html:
                    await asyncio.to_thread(command, "mission", "start", "--yes")
                    missions += 1
            await asyncio.sleep(1)
            until = time.monotonic()
            over.set()
        stopped = server.stop()
    answers = [each for phone in table for each in phone.answers]
    good = [each.seen for each in answers if each.code == 200]
    assert len(good) == len(set(good)), "two answers to one question"
    assert stopped[0] == 0 and not stopped[2]
    codes = Counter(each.code for each in answers)
    print(
        f"{count} phones for {seconds:.0f} s: {dict(codes)}, {missions} missions, {typed} times the terminal, "
        f"an old question for {staleness(table, until):.2f} s at most (we were {await late:.2f} s late ourselves)"
    )


# -- killed ------------------------------------------------------------------------------------------------------------


class Storm:
    """A campaign whose server is killed again and again while one phone answers as fast as it can and two look on."""

    def __init__(self, home: Path, seed: int) -> None:
        self.home, self.rng = home, random.Random(seed)
        self.killed = self.acknowledged = self.open = 0
        self.before: list[int] = []

    async def evening(self, least: float, most: float) -> list[Answer]:
        """A server's life: answers until it is killed."""
        server = Server(self.home)
        async with phones(server, 3, self.rng.randrange(10**6)) as (phone, *others):
            life = asyncio.create_task(self._kill(server, self.rng.uniform(least, most)))
            while OVER not in phone.html and (not phone.answers or phone.answers[-1].code):
                await phone.tap()
            await life
            assert all(each.code in (200, 422) for each in phone.answers[:-1]), phone.answers[-2].text
            return phone.answers

    async def _kill(self, server: Server, seconds: float) -> None:
        await asyncio.sleep(seconds)
        await asyncio.to_thread(server.kill)

    def strike(self, least: float = 0.05, most: float = 0.6) -> None:
        """One life, and what is there after it."""
        self.before = dice_on_disk()
        answers = asyncio.run(self.evening(least, most))
        command("campaigns")  # any command completes what was recorded
        good = [each for each in answers if each.code == 200]
        dice, last, now = [die for each in good for die in each.dice], answers[-1], dice_on_disk()
        allowed = [self.before + dice, self.before + dice + ([] if last.code else last.dice)]
        assert now in allowed, f"{now} is neither of {allowed}"
        with calling() as caller:  # the phone sends it once more, as nobody has answered
            caller.come_in()
            code = caller.post("/answer", {"seen": last.seen, **last.sent}).code
            over = OVER.encode() in caller.call("GET", "/board").body
        now = dice_on_disk()
        assert now == allowed[code != 422], f"{now}, sent again, is not {allowed[code != 422]}"
        if over:
            command("mission", "start", "--yes")
        self.killed += 1
        self.acknowledged += len(good)
        self.open += code == 409 and not last.code


def storm(home: Path, kills: int, seed: int) -> Storm:
    """So many kills of the server of the campaign in use; then the doctor looks at every file."""
    campaign = Storm(home, seed)
    for _ in range(kills):
        campaign.strike()
    command("doctor")
    return campaign


def main(kills: int, seconds: float) -> None:
    """All of it."""
    with tempfile.TemporaryDirectory() as folder:
        times(Path(folder))
        home = Path(folder) / "crowd"
        begun(home, "b17")
        asyncio.run(crowd(home, seconds))
        home = Path(folder) / "storm"
        begun(home, "b17")
        start = time.perf_counter()
        came = storm(home, kills, int(time.time()))
        print(
            f"{came.killed} times killed, {came.acknowledged} answers acknowledged, none lost, none twice; of those in "
            f"hand {came.open} had been recorded; {time.perf_counter() - start:.0f} s"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200, float(sys.argv[2]) if len(sys.argv) > 2 else 60)
