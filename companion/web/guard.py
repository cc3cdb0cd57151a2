"""Access control of the page: only those who have the address with its key are admitted."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import sys
from pathlib import Path

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from companion.store import files
from companion.store.files import home, make_folder, read_bytes
from companion.words import plain

COOKIE = "companion"
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "manifest-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
}
CLOSED = (Path(__file__).parent / "templates" / "closed.html").read_text(encoding="utf-8")
MISTAKE = "Internal error. Everything is saved. Reload the page."


def token(*, fresh: bool = False) -> str:
    """Return the 128-bit key of the page, the same from one evening to the next.

    Args:
        fresh: Make a new key, which disconnects every phone.
    """
    path = home() / "page" / "token.txt"  # the draft answers of a campaign are a `.json` next to it
    if not fresh:
        try:
            known = read_bytes(path).decode()
            if len(known) == 32 and len(bytes.fromhex(known)) == 16:
                return known
        except (OSError, ValueError):
            pass  # missing or damaged: a new one does no harm
    new = secrets.token_hex(16)
    make_folder(path.parent)
    files.save(path, new.encode(), private=True)
    return new


class Guard:
    """Middleware that protects the page with `key`.

    The key in the address is exchanged for a cookie. Other sites cannot use that cookie: it is not sent from there, and
    the header required for a POST needs a permission that this page never grants.
    """

    def __init__(self, app: ASGIApp, *, key: str) -> None:
        self.app = app
        self._key = key
        self._pass = hashlib.sha256(f"cookie {key}".encode()).hexdigest()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Admit or refuse a request; every response gets the security headers."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begun = False

        async def answer(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        try:
            await (self._answer(Request(scope)) or self.app)(scope, receive, answer)
        except Exception as error:
            print(f"Internal error of the page: {type(error).__name__}: {plain(str(error))}", file=sys.stderr)
            if begun:
                raise  # the connection was closed before the end
            await PlainTextResponse(MISTAKE, 500)(scope, receive, answer)

    def _answer(self, request: Request) -> Response | None:
        """Return the response to a refused or redirected request; None for an admitted one."""
        if request.url.path == "/" and _same(request.query_params.get("k", ""), self._key):
            arrived = RedirectResponse("/", 303)
            arrived.set_cookie(COOKIE, self._pass, max_age=180 * 86_400, httponly=True, samesite="lax")
            return arrived
        if not _same(request.cookies.get(COOKIE, ""), self._pass):
            return HTMLResponse(CLOSED, 403)
        if request.method not in ("GET", "HEAD") and "x-companion" not in request.headers:
            return PlainTextResponse("That request isn't allowed.", 403)
        return None


def _same(brought: str, known: str) -> bool:
    return hmac.compare_digest(brought.encode(), known.encode())
