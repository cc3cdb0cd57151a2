"""The page on this machine's network: where it listens, under which names, and how it stops."""

from __future__ import annotations

import asyncio
import os
import socket
from types import FrameType
from typing import TYPE_CHECKING, cast

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from companion.problems import Problem, Trouble
from companion.store.system import WINDOWS
from companion.web.app import application
from companion.web.guard import LARGEST, POLICY

if TYPE_CHECKING:
    from companion.store.campaigns import Campaign

HERE = "127.0.0.1"
PORT, TRIED = 8029, 20  # the port that is taken unless one is named, and how many behind it are tried
CONNECTIONS = 160  # at once, those of pages that listen included
OF_ONE = 40  # of them from one machine but this
IDLE = 30  # seconds after which a connection on which nothing is asked is closed
PATIENCE = 3  # seconds that answers in hand have when the page is stopped
QUEUED = 0.5  # seconds in which those are still begun that wait for another


class Address:
    """The sockets that the page listens on, and the addresses by which it opens."""

    def __init__(self, port: int | None, *, lan: bool) -> None:
        """Raises a Problem where the port is taken, Trouble where there is no network."""
        self.outside = _outside() if lan else ""
        self.sockets: list[socket.socket] = []
        for number in [port] if port is not None else range(PORT, PORT + TRIED):
            try:
                for host in filter(None, (HERE, self.outside)):
                    self.sockets.append(_bound(host, number))
            except OSError as error:
                why = error.strerror or str(error)
                self.close()
                continue
            self.port = self.sockets[0].getsockname()[1]
            return
        raise Problem(f"port {port or PORT} cannot be listened on ({why}); name another with --port")

    def close(self) -> None:
        """Listen no more."""
        while self.sockets:
            self.sockets.pop().close()

    @property
    def hosts(self) -> list[str]:
        """The names under which a request may ask for the page."""
        names = [HERE, "localhost"]
        if self.outside:
            own = socket.gethostname().casefold()
            names += [self.outside, own, f"{own}.local"]
        return [f"{name}:{self.port}" for name in names]

    def url(self, key: str) -> str:
        """What is typed, or read from the code, to open the page."""
        return f"http://{self.outside or HERE}:{self.port}/?k={key}"


def _bound(host: str, port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, _alone(), 1)
        listening.bind((host, port))
        listening.listen(128)
    except OSError:
        listening.close()
        raise
    return listening


def _alone() -> int:
    """What keeps a port for one server that listens there, also at once after another: on Windows SO_REUSEADDR would
    let two listen at once."""
    return int(getattr(socket, "SO_EXCLUSIVEADDRUSE" if os.name == WINDOWS else "SO_REUSEADDR"))


def _outside() -> str:
    """This machine's address in the local network; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("10.255.255.255", 9))
            address = str(probe.getsockname()[0])
        except OSError:
            address = HERE
    if address.startswith("127."):
        raise Trouble("this machine is in no network that a phone could be in; leave out --lan")
    return address


class Connection(H11Protocol):
    """What comes over one connection. It is cut where it only takes up room; what is no HTTP gets our policy too."""

    idle = 0  # seconds

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody is there; one too many is not let in."""
        super().connection_made(transport)
        near = [each for each in self.connections if self._host(each) == self._host(self)]
        if len(self.connections) > CONNECTIONS or (len(near) > OF_ONE and self._host(self) != HERE):
            transport.abort()

    @staticmethod
    def _host(connection: object) -> str:
        client = cast(Connection, connection).client
        return client[0] if client else ""

    def on_response_complete(self) -> None:
        """An answer has gone out."""
        self.idle = 0
        super().on_response_complete()

    def second(self) -> None:
        """One more second in which nothing may have been asked."""
        asked = self.cycle is not None and not self.cycle.response_complete
        self.idle = 0 if asked else self.idle + 1
        if self.idle > IDLE:
            self.transport.close()

    def send_400_response(self, msg: str) -> None:
        """What is no HTTP."""
        lines = ["HTTP/1.1 400 Bad Request", "content-type: text/plain", "connection: close"]
        lines += [f"{name.decode()}: {value.decode()}" for name, value in POLICY]
        self.transport.write(("\r\n".join([*lines, f"content-length: {len(msg)}", "", msg])).encode())
        self.transport.close()


class Serving(uvicorn.Server):
    """A server that sends listening pages home before it waits for the others."""

    def __init__(self, campaign: Campaign, address: Address, key: str) -> None:
        app = application(campaign, key=key, hosts=address.hosts)
        self.page = app.state.page
        self.live = self.page.live
        super().__init__(
            uvicorn.Config(
                app,
                http=Connection,
                ws="none",
                loop="asyncio",
                log_config=None,
                log_level="critical",
                access_log=False,
                server_header=False,
                proxy_headers=False,
                timeout_keep_alive=IDLE,
                timeout_graceful_shutdown=PATIENCE,
                h11_max_incomplete_event_size=LARGEST,
            )
        )

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Ctrl-C: what is in hand is answered, then it stops."""
        self.live.end()
        super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Give the answers in hand their time, then take no more."""
        asyncio.get_running_loop().call_later(QUEUED, self.page.board.close)
        await super().shutdown(sockets)

    async def on_tick(self, counter: int) -> bool:
        """Ten times a second."""
        if counter % 10 == 0:
            for connection in list(self.server_state.connections):
                cast(Connection, connection).second()
        return await super().on_tick(counter)
