"""Requests to the page in process, byte by byte as a hostile one would make them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeVar

from starlette.applications import Starlette

from companion.store import campaigns
from companion.web.app import application
from companion.web.guard import HEADERS

KEY = "0123456789abcdef" * 2
HOST = "127.0.0.1:8029"
T = TypeVar("T")
Pairs = Iterable[tuple[str, str]]


class Reply(NamedTuple):
    """An answer: its code, its headers in order, its body, and how many pieces of the request were taken."""

    code: int
    headers: list[tuple[str, str]]
    body: bytes
    taken: int

    @property
    def text(self) -> str:
        """The body in letters, with its headers before it: all that anybody can read."""
        lines = [f"{name}: {value}" for name, value in self.headers]
        return "\n".join([*lines, self.body.decode("utf-8", "replace")])

    def header(self, name: str) -> list[str]:
        """A header, as often as it stands there."""
        return [value for each, value in self.headers if each == name]

    @property
    def guarded(self) -> bool:
        """Whether every header of our policy stands there once and as it has to be."""
        return all(self.header(name.casefold()) == [value] for name, value in HEADERS.items())


class Caller:
    """Somebody who calls the page in use; `cookie` is what he has been handed, if he has come in."""

    def __init__(self, app: Starlette) -> None:
        self.app, self.page, self.cookie = app, app.state.page, ""
        self._runner = asyncio.Runner()

    def close(self) -> None:
        """He goes."""
        self._runner.close()

    def run(self, what: Coroutine[Any, Any, T]) -> T:
        """Several requests at once."""
        return self._runner.run(what)

    def come_in(self) -> Reply:
        """Open the page by its address."""
        reply = self.call("GET", "/", query=f"k={KEY}", cookie="")
        self.cookie = reply.header("set-cookie")[0].partition(";")[0]
        return reply

    def call(self, method: str, path: str, **more: Any) -> Reply:
        """One request; see `request`."""
        return self._runner.run(self.request(method, path, **more))

    async def request(
        self,
        method: str,
        path: str,
        *,
        query: str = "",
        host: str | None = HOST,
        cookie: str | None = None,
        headers: Pairs = (),
        pieces: Iterable[bytes] = (),
        client: str = "127.0.0.1",
    ) -> Reply:
        """One request with these headers behind Host and Cookie, and a body in these pieces."""
        own = [("host", host)] if host is not None else []
        cookie = self.cookie if cookie is None else cookie
        own += [("cookie", cookie)] if cookie else []
        scope = {
            "type": "http",
            "method": method,
            "path": path,
            "raw_path": path.encode("utf-8", "replace"),
            "root_path": "",
            "scheme": "http",
            "http_version": "1.1",
            "query_string": query.encode(),
            "headers": [(name.encode("latin-1"), value.encode("latin-1")) for name, value in [*own, *headers]],
            "client": (client, 50_000),
            "server": ("127.0.0.1", 8029),
        }
        coming, taken, begun, body = iter(pieces), 0, list[dict[str, Any]](), bytearray()

        async def receive() -> dict[str, Any]:
            nonlocal taken
            piece = next(coming, None)
            taken += piece is not None
            return {"type": "http.request", "body": piece or b"", "more_body": piece is not None}

        async def send(message: Mapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                begun.append(dict(message))
            else:
                body.extend(message.get("body", b""))

        await self.app(scope, receive, send)
        assert len(begun) == 1
        answered = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in begun[0]["headers"]]
        return Reply(begun[0]["status"], answered, bytes(body), taken)

    def post(self, path: str, sent: object, *, raw: bytes | None = None, **more: Any) -> Reply:
        """What our own page sends when something is tapped; `raw` is a body as it is."""
        body = json.dumps(sent).encode() if raw is None else raw
        headers = [("origin", f"http://{HOST}"), ("x-companion", "1"), ("content-length", str(len(body)))]
        return self.call("POST", path, headers=[*headers, *more.pop("headers", ())], pieces=[body], **more)

    @property
    def seen(self) -> str:
        """The question that stands there now."""
        (view,) = self.call("GET", "/board").header("x-view")
        return view


@contextmanager
def calling() -> Iterator[Caller]:
    """Somebody before the door of the campaign in use."""
    campaign = campaigns.current()
    assert campaign is not None
    caller = Caller(application(campaign, key=KEY, hosts=[HOST, "localhost:8029"]))
    try:
        yield caller
    finally:
        caller.close()
