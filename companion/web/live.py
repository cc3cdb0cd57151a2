"""What is done at the terminal or on another phone, told to every page at once by server-sent events."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

from anyio import CapacityLimiter, to_thread

EVERY = 0.2  # seconds between two looks at the mission's file
BEAT = 15.0  # seconds after which a silent page is told that we are still here
MOST = 64  # pages that listen


class Live:
    """Watches what `generation` says, and wakes those who listen when it is another."""

    def __init__(self, generation: Callable[[], object]) -> None:
        self._generation, self._last = generation, generation()
        self._looking = CapacityLimiter(1)  # a thread of its own, however many answers wait for the disk
        self._serial, self._listening = 0, 0
        self._changed = asyncio.Event()
        self._ended = False

    async def watch(self) -> None:
        """Look again and again until it is cancelled."""
        while True:
            await asyncio.sleep(EVERY)
            await self.look()

    async def look(self) -> None:
        """Tell everybody where something has changed."""
        now = await to_thread.run_sync(self._generation, limiter=self._looking)
        if now != self._last:
            self._last = now
            self._wake()

    def _wake(self) -> None:
        self._serial += 1
        self._changed.set()
        self._changed = asyncio.Event()

    def end(self) -> None:
        """Send everybody home."""
        self._ended = True
        self._wake()

    @property
    def full(self) -> bool:
        """Whether no more can listen."""
        return self._listening >= MOST

    async def events(self) -> AsyncIterator[str]:
        """One line for each change, and a beat where nothing happens."""
        if self.full:  # many came at the same moment
            yield "retry: 5000\n\n"
            return
        self._listening += 1
        try:
            yield f"retry: 1000\nevent: changed\ndata: {self._serial}\n\n"
            seen = self._serial
            while not self._ended:
                if seen == self._serial:
                    try:
                        await asyncio.wait_for(self._changed.wait(), BEAT)
                    except TimeoutError:
                        yield ": here\n\n"
                        continue
                if self._ended:
                    return
                seen = self._serial
                yield f"event: changed\ndata: {seen}\n\n"
        finally:
            self._listening -= 1
