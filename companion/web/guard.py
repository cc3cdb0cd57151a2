"""The door of the page: let in who has the address with its key, from our own page, in requests of bounded size.

Everything else is refused before it comes near the campaign, and is told nothing but the code.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import sys
from collections.abc import Collection

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from companion.store import files
from companion.store.files import home, make_folder
from companion.store.system import read_bytes
from companion.words import plain

COOKIE = "companion"
LARGEST = 16_384  # bytes of a request
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "manifest-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",  # with `no-referrer` some browsers hide the origin of our own page too
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
CUT = {"Connection": "close"}  # the rest of a request that is refused is not read
MISTAKE = "The companion made a mistake. What was recorded is safe; look again."


def token(*, fresh: bool = False) -> str:
    """Return the 128 bits that open the page, the same from one evening to the next.

    Args:
        fresh: Make new ones, which disconnects every phone.
    """
    path = home() / "page" / "token.txt"  # the draft answers of a campaign are a `.json` next to it
    if not fresh:
        try:
            known = read_bytes(path).decode()
            if len(known) == 32 and len(bytes.fromhex(known)) == 16:
                return known
        except (OSError, ValueError):
            pass  # there is none yet, or it is damaged: a new one does no harm
    new = secrets.token_hex(16)
    make_folder(path.parent)
    files.save(path, new.encode(), private=True)
    return new


class Guard:
    """Middleware before the page. `hosts` are the names under which it may be asked for, with the port."""

    def __init__(self, app: ASGIApp, *, key: str, hosts: Collection[str]) -> None:
        self.app, self.hosts = app, frozenset(host.casefold() for host in hosts)
        self._key = key
        self._pass = hashlib.sha256(f"cookie {key}".encode()).hexdigest()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or refuse it; every answer carries our policy."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begun = False

        async def answer(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun, headers = True, MutableHeaders(scope=message)
                headers.update(HEADERS)
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        try:
            await (self._met(Request(scope)) or self.app)(scope, receive, answer)
        except Exception as error:
            print(f"The page made a mistake: {type(error).__name__}: {plain(str(error))}", file=sys.stderr)
            if begun:
                raise  # the connection is cut: half an answer is none
            await PlainTextResponse(MISTAKE, 500)(scope, receive, answer)

    def _met(self, request: Request) -> Response | None:
        """Return the answer to a request that goes no further; None for one that is let in."""
        brought = request.scope["path"] == "/" and request.method == "GET" and self._key_of(request)
        if refusal := self._refusal(request, bool(brought)):
            return PlainTextResponse(refusal, 413 if refusal == "Too large." else 403, headers=CUT)
        if not brought:
            return None
        arrived = RedirectResponse("/", 303)
        arrived.set_cookie(COOKIE, self._pass, max_age=180 * 86_400, httponly=True, samesite="lax")
        return arrived

    def _refusal(self, request: Request, brought: bool) -> str:
        """Return why a request is not let in; a header that comes twice is not believed."""
        headers, looks = request.headers, request.method in ("GET", "HEAD")
        hosts, origins = headers.getlist("host"), [each.casefold() for each in headers.getlist("origin")]
        if len(hosts) != 1 or hosts[0].casefold() not in self.hosts:
            return "Not here."
        own = origins == [f"http://{hosts[0].casefold()}"]
        fetched = headers.get("sec-fetch-site", "none") in ("none", "same-origin")
        if (origins and not own) or not (fetched or (looks and request.scope["path"] == "/")):
            return "Not from there."
        if not brought and not self._passes(request):
            return "The address that companion serve shows opens this page."
        if not looks and (request.method != "POST" or headers.getlist("x-companion") != ["1"] or not own):
            return "Not like that."
        lengths = headers.getlist("content-length")
        announced = all(each.isdecimal() and int(each[:20]) <= LARGEST for each in lengths)
        return "" if len(lengths) < 2 and announced else "Too large."

    def _key_of(self, request: Request) -> bool:
        """Tell if the address of a request has the key."""
        brought = request.query_params.getlist("k")[:1] or [""]
        return hmac.compare_digest(brought[0].encode(), self._key.encode())

    def _passes(self, request: Request) -> bool:
        return hmac.compare_digest(request.cookies.get(COOKIE, "").encode(), self._pass.encode())
