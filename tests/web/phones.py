"""Phones around one table: a server as a player starts it, and many pages that listen, look and answer at once."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from companion.play.mission import Mission
from companion.store import campaigns
from companion.web import memory as memories
from tests.support import ROOT

if TYPE_CHECKING:
    import httpx

by_signals = pytest.mark.skipif(os.name == "nt", reason="Ctrl-C for one process alone")
STOPPED = "Stopped. What was answered is recorded"


class Server:
    """`companion serve` in a process of its own."""

    def __init__(self, home: Path, port: int | None = None, *more: str) -> None:
        from tests.web.browser import free_port

        self.port = port or free_port()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "companion", "serve", "--port", str(self.port), *more],
            cwd=ROOT,
            env={**os.environ, "COMPANION_HOME": str(home)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        self.out, self.address, self.key = "", "", ""
        for line in self.process.stdout:
            self.out += line
            if match := re.search(r"(http://\S+)/\?k=(\w+)", line):
                self.address, self.key = match[1], match[2]
                break
        assert self.key, (self.out, self.process.communicate())

    def kill(self) -> None:
        """Gone in the middle of whatever it does."""
        self.process.kill()
        self.process.communicate()

    def stop(self) -> tuple[int, str, str, float]:
        """Ctrl-C: the exit code, what it printed, what it complained of, and the seconds it took."""
        begun = time.monotonic()
        self.process.send_signal(signal.SIGINT)
        try:
            out, err = self.process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            self.kill()
            raise
        return self.process.returncode, self.out + out, err, time.monotonic() - begun


@contextlib.contextmanager
def serving(home: Path, *more: str) -> Iterator[Server]:
    """A server that is gone at the end."""
    server = Server(home, None, *more)
    try:
        yield server
    finally:
        if server.process.returncode is None:
            server.kill()


def hand(html: str, rng: random.Random) -> Mapping[str, Any]:
    """What a hand taps at the question on the page."""
    if "data-die" in html:
        first = html.split('class="throw')[1]
        count = 2 if "slot loose" in first else first.count('class="slot"')
        return {"value": ",".join(str(rng.randint(1, 6)) for _ in range(count))}
    if "data-plan" in html:
        return {"wishes": {}}
    if buttons := re.findall(r'data-value="([^"]*)"(?! class="final")', html.partition('class="asks"')[2]):
        usual = re.findall(r'data-value="([^"]*)" class="usual"', html)  # who only guesses soon flies home
        return {"value": rng.choice(usual if usual and rng.random() < 0.8 else buttons), "insist": True}
    if 'inputmode="numeric"' in html:
        return {"value": str(rng.randint(0, 1)), "insist": True}
    return {"value": "nothing that the book has", "insist": True}


@dataclass
class Answer:
    """What was sent for the question `seen`, and what came: the question after it, 0 as the code where nothing came."""

    seen: str
    sent: Mapping[str, Any]
    code: int = 0
    after: str = ""
    text: str = ""
    at: float = 0.0

    @property
    def dice(self) -> list[int]:
        """The dice that were sent."""
        value = str(self.sent.get("value", ""))
        return [int(die) for die in value.split(",")] if value and "insist" not in self.sent else []


@dataclass
class Phone:
    """A page on a phone: it listens, and what it shows is `view`."""

    client: httpx.AsyncClient
    rng: random.Random
    view: str = ""
    html: str = ""
    shown: list[tuple[float, str]] = field(default_factory=list)  # when which question came onto the page
    heard: list[float] = field(default_factory=list)  # when it was told that something has changed
    answers: list[Answer] = field(default_factory=list)
    refused: int = 0  # that it asked too often

    async def look(self) -> None:
        """Fetch the board."""
        while True:
            reply = await self.client.get("/board")
            if reply.status_code != 429:
                break
            self.refused += 1
            await asyncio.sleep(0.1)
        assert reply.status_code == 200, reply.text
        self._show(reply.headers["x-view"], reply.text)

    def _show(self, view: str, html: str) -> None:
        if view != self.view:
            self.view, self.html = view, html
            self.shown.append((time.monotonic(), view))

    async def listen(self) -> None:
        """Fetch the board whenever it has changed, until the server is gone."""
        import httpx

        with contextlib.suppress(httpx.TransportError):
            async with self.client.stream("GET", "/live", timeout=None) as stream:
                async for line in stream.aiter_lines():
                    if line == "event: changed":
                        self.heard.append(time.monotonic())
                        await self.look()

    async def post(self, path: str, sent: Mapping[str, Any]) -> Answer:
        """Send something for the question that is shown."""
        import httpx

        answer = Answer(self.view, sent)
        self.answers.append(answer)
        headers = {"origin": str(self.client.base_url).rstrip("/"), "x-companion": "1"}
        try:
            reply = await self.client.post(path, json={"seen": self.view, **sent}, headers=headers, timeout=30)
        except httpx.TransportError:
            return answer
        answer.code, answer.text, answer.at = reply.status_code, reply.text, time.monotonic()
        answer.after = reply.headers.get("x-view", "")
        if answer.after:
            self._show(answer.after, reply.text)
        return answer

    async def tap(self) -> Answer:
        """Answer what is shown."""
        return await self.post("/answer", hand(self.html, self.rng))


@contextlib.asynccontextmanager
async def phones(server: Server, count: int, seed: int = 1, *, listening: bool = True) -> AsyncIterator[list[Phone]]:
    """So many phones that have come in and show the board."""
    import ssl

    import httpx

    nothing = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # it is not needed, and takes long to set up for each
    async with contextlib.AsyncExitStack() as stack:
        all_of_them = [
            Phone(
                await stack.enter_async_context(httpx.AsyncClient(base_url=server.address, timeout=30, verify=nothing)),
                random.Random(seed * 1000 + at),
            )
            for at in range(count)
        ]
        for phone in all_of_them:
            assert (await phone.client.get("/", params={"k": server.key})).status_code == 303
            await phone.look()
        tasks = [asyncio.create_task(phone.listen()) for phone in all_of_them if listening]
        while listening and not all(phone.heard for phone in all_of_them):
            await asyncio.sleep(0.02)
        try:
            yield all_of_them
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


@contextlib.asynccontextmanager
async def evening(home: Path, count: int) -> AsyncIterator[tuple[Server, list[Phone]]]:
    """A server, and so many phones at it."""
    with serving(home) as server:
        async with phones(server, count) as table:
            yield server, table


async def answering(phones: Sequence[Phone], seconds: float, pause: tuple[float, float]) -> None:
    """Everybody answers what he sees, now and then, for so long."""

    async def one(phone: Phone) -> None:
        over = time.monotonic() + seconds
        while time.monotonic() < over:
            await asyncio.sleep(phone.rng.uniform(*pause))
            if not (await phone.tap()).code:
                return

    await asyncio.gather(*(one(phone) for phone in phones))


# -- what is on the disk -----------------------------------------------------------------------------------------------


def on_disk() -> tuple[Mission, memories.Memory]:
    """The mission as it stands, and what is half answered."""
    campaign = campaigns.current()
    assert campaign is not None
    mission = campaign.load()
    assert mission is not None and mission.number is not None
    return mission, memories.load(campaign.folder, mission, campaign.stamp(mission.number))


def dice_on_disk() -> list[int]:
    """Every die that was thrown, in order: those of the journal, those of half a move, those that lie ready."""
    mission, memory = on_disk()
    dice = [die for entry in mission.journal.entries[: mission.journal.stand] for die in entry.get("d", ())]
    for each in memory.answers:
        dice += each.answer if isinstance(each.answer, list) else []
    for lying in memory.tray.lying:
        dice += lying.dice
    return dice


def in_order(begun: str, answers: Sequence[Answer]) -> list[Answer]:
    """The answers that were acknowledged, each behind the one that led to its question."""
    good = {each.seen: each for each in answers if each.code == 200}
    assert len(good) == sum(each.code == 200 for each in answers), "two answers to one question were acknowledged"
    chain, at = list[Answer](), begun
    while at in good and len(chain) < len(good):
        chain.append(good[at])
        at = good[at].after
    assert len(chain) == len(good), "an answer was acknowledged to a question that nobody was led to"
    return chain


def staleness(phones: Sequence[Phone], until: float) -> float:
    """The longest that any phone showed a question after somebody else's answer to it was acknowledged."""
    answered = {each.seen: each.at for phone in phones for each in phone.answers if each.code == 200}
    worst = 0.0
    for phone in phones:
        ends = [at for at, _ in phone.shown[1:]] + [until]
        for (_, view), end in zip(phone.shown, ends, strict=True):
            if view in answered:
                worst = max(worst, end - answered[view])
    return worst


async def lag(over: asyncio.Event) -> float:
    """How late this process itself is at worst, until it is over."""
    worst = 0.0
    while not over.is_set():
        begun = time.monotonic()
        await asyncio.sleep(0.02)
        worst = max(worst, time.monotonic() - begun - 0.02)
    return worst
