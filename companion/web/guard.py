"""Who may come in: those who have the address with its token, from a page of ours, in measured bites.

Everything else is refused before it comes near the campaign, and is told nothing but the code.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
import sys
import time
from collections import OrderedDict
from collections.abc import Collection, Iterable, Mapping
from urllib.parse import parse_qs

from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from companion.store import files
from companion.store.files import home, make_folder
from companion.store.system import read_bytes
from companion.words import plain

COOKIE = "companion"
LARGEST = 16_384  # bytes of a request
BODY = 10.0  # seconds that a body may take
BURST, A_SECOND = 400.0, 200.0  # requests of one address at once, and how many more a second: twenty pages
REFUSED_BURST = 30.0  # refusals of one address before it is not even answered with a reason
ADDRESSES = 1_000  # that are remembered

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
POLICY = [(name.casefold().encode(), value.encode()) for name, value in HEADERS.items()]
CUT = {"Connection": "close"}  # whatever else was to come is not read
ONCE = ("host", "origin", "content-length", "x-companion")  # what a request that says it twice is not believed
MISTAKE = "The companion made a mistake. What was recorded stands; look again."


def token(*, fresh: bool = False) -> str:
    """The 128 bits that open the page, the same from one evening to the next so that a phone stays at the table;
    `fresh` makes new ones and so shows every phone the door."""
    path = home() / "page" / "token.txt"  # what is half answered in a campaign is a `.json` beside it
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


class Buckets:
    """How many requests each address may still make."""

    def __init__(self, burst: float, a_second: float) -> None:
        self.burst, self.a_second = burst, a_second
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def takes(self, address: str) -> bool:
        """Whether one more request of an address is within bounds."""
        now = time.monotonic()
        left, at = self._left.pop(address, (self.burst, now))
        left = min(self.burst, left + (now - at) * self.a_second)
        self._left[address] = (max(0.0, left - 1), now)
        if len(self._left) > ADDRESSES:
            self._left.popitem(last=False)
        return left >= 1


class Guard:
    """Stands before the page. `hosts` are the names under which it may be asked for, with the port."""

    def __init__(self, app: ASGIApp, *, key: str, hosts: Collection[str]) -> None:
        self.app, self.hosts = app, frozenset(host.casefold() for host in hosts)
        self._key = key
        self._pass = hashlib.sha256(f"cookie {key}".encode()).hexdigest()
        self._known, self._refused = Buckets(BURST, A_SECOND), Buckets(REFUSED_BURST, 1.0)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or refuse it."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        answer = Answer(send)
        try:
            await self._meet(scope, receive, answer)
        except Exception as error:
            print(f"The page made a mistake: {type(error).__name__}: {plain(str(error))}", file=sys.stderr)
            if answer.begun:
                raise  # the connection is cut: half an answer is none
            await PlainTextResponse(MISTAKE, 500)(scope, receive, answer)

    async def _meet(self, scope: Scope, receive: Receive, answer: Send) -> None:
        address = str((scope.get("client") or ("", 0))[0])
        headers = _headers(scope)
        if refusal := self._refusal(scope, headers, address):
            code, why = refusal
            await PlainTextResponse(why, code, headers=CUT)(scope, receive, answer)
            return
        if self._brings_key(scope):
            arrived = RedirectResponse("/", 303)
            arrived.set_cookie(COOKIE, self._pass, max_age=180 * 86_400, httponly=True, samesite="lax")
            await arrived(scope, receive, answer)
            return
        try:
            async with asyncio.timeout(BODY):
                body = await _body(receive, headers)
        except TimeoutError:
            await PlainTextResponse("Too slow.", 408, headers=CUT)(scope, receive, answer)
            return
        if body is None:
            await PlainTextResponse("Too large.", 413, headers=CUT)(scope, receive, answer)
            return
        await self.app(scope, _again(body, receive), answer)

    def _refusal(self, scope: Scope, headers: Mapping[str, str], address: str) -> tuple[int, str] | None:
        """The code for a request that is not let in; None where it is."""
        host, origin = headers.get("host", "").casefold(), headers.get("origin")
        if host not in self.hosts:
            return 403, "Not here."
        if origin is not None and origin.casefold() != f"http://{host}":
            return 403, "Not from there."
        opens = scope["method"] in ("GET", "HEAD")
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin") and not (
            opens and scope["path"] == "/"
        ):
            return 403, "Not from there."
        if not self._brings_key(scope) and not self._has_pass(headers):
            return (
                (403, "The address that companion serve shows opens this page.")
                if self._refused.takes(address)
                else (429, "Too many.")
            )
        if not opens and (scope["method"] != "POST" or headers.get("x-companion") != "1" or origin is None):
            return 403, "Not like that."
        return None if self._known.takes(address) else (429, "Too many at once; wait a moment.")

    def _brings_key(self, scope: Scope) -> bool:
        if scope["path"] != "/" or scope["method"] != "GET" or len(scope["query_string"]) > 200:
            return False
        brought = parse_qs(scope["query_string"].decode("latin-1")).get("k", [""])[0]
        return hmac.compare_digest(brought.encode(), self._key.encode())

    def _has_pass(self, headers: Mapping[str, str]) -> bool:
        for part in headers.get("cookie", "").split(";")[:50]:
            name, _, value = part.strip().partition("=")
            if name == COOKIE and hmac.compare_digest(value.encode(), self._pass.encode()):
                return True
        return False


def _headers(scope: Scope) -> dict[str, str]:
    """The headers of a request; one that has to stand there once and does not counts as another's."""
    headers: dict[str, str] = {}
    for name, value in ((name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in scope["headers"]):
        if name in headers:
            value = "twice" if name in ONCE else f"{headers[name]}; {value}"
        headers[name] = value
    return headers


async def _body(receive: Receive, headers: Mapping[str, str]) -> bytes | None:
    """The whole body; None where it is larger than we take, which is not waited for."""
    length = headers.get("content-length", "0")
    if not length.isdecimal() or int(length[:20]) > LARGEST:
        return None
    body = bytearray()
    if length == "0" and "transfer-encoding" not in headers:
        return b""
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return None
        body += message.get("body", b"")
        if len(body) > LARGEST:
            return None
        if not message.get("more_body"):
            return bytes(body)


def _again(body: bytes, receive: Receive) -> Receive:
    """The body once more for those behind us, then what comes (that the phone has gone)."""
    whole: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again() -> Message:
        return whole.pop() if whole else await receive()

    return receive_again


class Answer:
    """Sends an answer with the policy that all of ours have; `begun` says whether any of it has gone."""

    def __init__(self, send: Send) -> None:
        self._send, self.begun = send, False

    async def __call__(self, message: Message) -> None:
        """Send on."""
        if message["type"] == "http.response.start":
            self.begun = True
            message["headers"] = [*_further(message["headers"]), *POLICY]
        await self._send(message)


def _further(headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """An answer's own headers, which is not stored unless it says otherwise."""
    own = {name for name, _ in POLICY}
    further = [(name.lower(), value) for name, value in headers if name.lower() not in own | {b"server"}]
    says = any(name == b"cache-control" for name, _ in further)
    return further if says else [*further, (b"cache-control", b"no-store")]
