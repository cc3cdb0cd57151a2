"""The page on this machine's network: where it listens, under which names, and how it stops."""

from __future__ import annotations

import asyncio
import socket
from types import FrameType
from typing import TYPE_CHECKING

import uvicorn

from companion.problems import SystemFault, UserError
from companion.web.app import application
from companion.web.guard import LARGEST

if TYPE_CHECKING:
    from companion.store.campaigns import Campaign

HERE = "127.0.0.1"
PORT, TRIED = 8029, 20  # the port that is used unless one is named, and how many after it are tried
CONNECTIONS = 160  # at once, those of pages that listen included
IDLE = 30  # seconds after which a connection on which nothing is asked is closed
PATIENCE = 3  # seconds that unfinished answers have when the page is stopped
QUEUED = 0.5  # seconds in which answers that wait for another are still started


class Address:
    """The sockets that the page listens on, and the addresses by which it opens.

    Raises a UserError where the port is taken, SystemFault where there is no network.
    """

    def __init__(self, port: int | None, *, lan: bool) -> None:
        self.outside = _outside() if lan else ""
        self.sockets: list[socket.socket] = []
        for number in [port] if port is not None else range(PORT, PORT + TRIED):
            try:
                for host in filter(None, (HERE, self.outside)):
                    self.sockets.append(socket.create_server((host, number), backlog=128))
            except OSError as error:
                why = (error.strerror or str(error)).partition(" (while")[0]
                self.close()
                continue
            self.port = self.sockets[0].getsockname()[1]
            return
        raise UserError(f"port {port or PORT} cannot be listened on ({why}); name another with --port")

    def close(self) -> None:
        """Stop listening."""
        while self.sockets:
            self.sockets.pop().close()

    @property
    def hosts(self) -> list[str]:
        """The names under which a request may ask for the page."""
        own = socket.gethostname().casefold()
        names = [HERE, "localhost", *([self.outside, own, f"{own}.local"] if self.outside else [])]
        return [f"{name}:{self.port}" for name in names]

    def url(self, key: str) -> str:
        """Return the address to type, or to read from the code."""
        return f"http://{self.outside or HERE}:{self.port}/?k={key}"


def _outside() -> str:
    """Return this machine's address in the local network; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("10.255.255.255", 9))
            address = str(probe.getsockname()[0])
        except OSError:
            address = HERE
    if address.startswith("127."):
        raise SystemFault("this machine is in no network that a phone could be in; leave out --lan")
    return address


class Serving(uvicorn.Server):
    """A server that sends listening pages home before it waits for the others."""

    def __init__(self, campaign: Campaign, address: Address, key: str) -> None:
        app = application(campaign, key=key, hosts=address.hosts)
        self.page = app.state.page
        super().__init__(
            uvicorn.Config(
                app, http="h11", ws="none", loop="asyncio", log_config=None, log_level="critical", access_log=False,
                server_header=False, proxy_headers=False, limit_concurrency=CONNECTIONS, timeout_keep_alive=IDLE,
                timeout_graceful_shutdown=PATIENCE, h11_max_incomplete_event_size=LARGEST,
            )
        )  # fmt: skip

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Ctrl-C: finish the answers at hand, then stop."""
        self.page.live.end()
        super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Give unfinished answers their time, then take no more."""
        asyncio.get_running_loop().call_later(QUEUED, self.page.board.close)
        await super().shutdown(sockets)
