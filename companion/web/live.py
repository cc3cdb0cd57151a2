"""Tell every page by server-sent events when something was done at the terminal or on another phone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

EVERY = 0.2  # seconds between two looks at the mission's file
BEAT = 15.0  # seconds after which a silent page is told that we are still here


class Live:
    """Watches `generation`, and wakes the pages that listen when it is another."""

    def __init__(self, generation: Callable[[], object]) -> None:
        self._generation, self._last = generation, generation()
        self.changed, self._ended = asyncio.Event(), False

    async def watch(self) -> None:
        """Look again and again until it is cancelled."""
        while True:
            await asyncio.sleep(EVERY)
            await self.look()

    async def look(self) -> None:
        """Wake everybody if something has changed."""
        now = await asyncio.to_thread(self._generation)  # not in the threads where answers wait for the disk
        if now != self._last:
            self._last = now
            self._wake()

    def _wake(self) -> None:
        self.changed.set()
        self.changed = asyncio.Event()

    def end(self) -> None:
        """Send everybody home."""
        self._ended = True
        self._wake()

    async def events(self) -> AsyncIterator[str]:
        """Yield an event now and for each change, and a beat where nothing happens."""
        yield "retry: 1000\n\n"
        while not self._ended:
            changed = self.changed
            yield "event: changed\ndata: now\n\n"
            while not changed.is_set():
                try:
                    await asyncio.wait_for(changed.wait(), BEAT)
                except TimeoutError:
                    yield ": here\n\n"
