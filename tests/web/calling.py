"""Requests to the page in process, as a phone makes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from httpx import Response
from starlette.applications import Starlette
from starlette.testclient import TestClient

from companion.store import campaigns
from companion.web.app import application

KEY = "0123456789abcdef" * 2


class Caller(TestClient):
    """A visitor of the page, who comes in by its address."""

    def __init__(self, app: Starlette) -> None:
        super().__init__(app, follow_redirects=False)
        self.page = app.state.page

    def come_in(self) -> Response:
        """Open the page by its address."""
        return self.get("/", params={"k": KEY})

    def tap(self, path: str, sent: Mapping[str, object] | None = None) -> Response:
        """Send the same request as the page after a tap."""
        return self.post(path, json=sent or {}, headers={"x-companion": "1"})

    def answer(self, value: object, **more: object) -> Response:
        """Answer the current question."""
        return self.tap("/answer", {"seen": self.seen, "value": value, **more})

    @property
    def seen(self) -> str:
        """Return the current question."""
        return self.get("/board").headers["x-view"]


@contextmanager
def calling() -> Iterator[Caller]:
    """Yield a visitor who has not opened the page of the campaign in use yet."""
    with Caller(application(campaigns.current(), key=KEY)) as caller:
        yield caller
