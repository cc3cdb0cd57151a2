"""The page for phones: the bomber, one question, the sheet next to it, campaigns, the printed sheet and the story."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import hmac
import mimetypes
import secrets
import socket
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from companion.packs import Pack
from companion.play.mission import Mission
from companion.problems import SystemFault, Unconfirmed, UserError
from companion.render import report
from companion.render.explanation import explain
from companion.render.situation import ALL, sight, viewers
from companion.store import campaigns
from companion.store.campaigns import Campaign
from companion.store.files import home, make_folder, read_bytes, save, stamp_of
from companion.store.session import Session, no_mission_error
from companion.web import sheet as beside
from companion.web.board import Board, OutdatedQuestion, View, wishes_of
from companion.web.feed import by_place, cards
from companion.web.picture import picture
from companion.web.sheet import render, sheet_html
from companion.words import figure, plain, sentence

Sent = Mapping[str, object]  # an object sent by a phone
NOT_HIS = "Only a viewer of the whole sheet may see this."
ELSEWHERE = "Another player is being asked. If that is you, choose your name under Viewer on the sheet."
VIEWER = "viewer"  # the cookie with the viewer's side, in games with secrets between players
MANY = 4  # boards kept for the next who asks
EVERY = 0.2  # seconds between two checks of the mission's file
BEAT = 5.0  # seconds between signs of life; a page that misses two says so
NO_CAMPAIGN = "There is no campaign yet. Start one in the menu."


class Page:
    """The handlers, over one campaign; None before the first one."""

    def __init__(self, campaign: Campaign | None) -> None:
        self._board = Board(campaign) if campaign else None
        self._drawing, self._last = threading.Lock(), dict[tuple[object, ...], Response]()
        self.ended: Callable[[], bool] = lambda: False

    @property
    def board(self) -> Board:
        """Return the board of the campaign; raise UserError if there is none yet."""
        if self._board is None:
            raise UserError(NO_CAMPAIGN)
        return self._board

    # -- reading -------------------------------------------------------------------------------------------------------

    def whole(self, request: Request) -> Response:
        """Return the whole page."""
        eyes = _viewer(request)
        data = self._data(self._view(eyes), eyes)
        return HTMLResponse(render("page.html", viewers=self._viewers(), viewer=eyes, sheet=self._sheet(eyes), **data))

    def look(self, request: Request) -> Response:
        """Return the board: the question and the latest events; nothing if the viewer has seen it.

        What many phones ask for after a change is drawn once.
        """
        eyes, seen = _viewer(request), request.query_params.get("seen")
        with self._drawing:
            now = (eyes, seen, *self._generation())
            if now not in self._last:
                view = self._view(eyes)
                drawn = Response() if view.shown == seen else self._drawn(view, eyes)
                if view.trouble or now[2:] != self._generation():
                    return drawn
                self._last = {**dict(list(self._last.items())[-MANY:]), now: drawn}
            return self._last[now]

    def sheet(self, request: Request) -> Response:
        """Return the log sheet, as far as the viewer may see it."""
        return HTMLResponse(self._sheet(_viewer(request)))

    def _sheet(self, eyes: str) -> str:
        return self._read(lambda session: sheet_html(session.mission, eyes))

    def _read(self, read: Callable[[Session], str]) -> str:
        return _fragment(lambda: self.board.reading(read))

    def _view(self, eyes: str) -> View:
        """Return the board for a viewer; if the mission cannot be read, the reason."""
        if self._board is None:
            return View("empty", "", None)
        try:
            view = self.board.view()
        except UserError as problem:  # a disk error, a damaged file or a faulty pack
            view = View("trouble", self.board.campaign.name, None, trouble=sentence(str(problem)))
        return self._for(eyes, view)

    def _viewers(self) -> list[tuple[str, str]]:
        with contextlib.suppress(UserError):  # the board shows it
            return self.board.reading(lambda session: viewers(session.mission))
        return []

    def _for(self, eyes: str, view: View) -> View:
        """Return the board for a viewer, with the name of another campaign that is in use.

        In a game with secrets a player sees everything except the other side's; a spectator sees only that somebody
        else is asked.
        """
        with contextlib.suppress(UserError):  # a damaged setting
            used = campaigns.in_use()
            if used is not None and used != self.board.campaign.folder:
                view = replace(view, follow=Campaign(used).name)
        known = [value for value, _ in self._viewers()]
        if view.number is None or eyes == ALL or not known:
            return view
        if eyes and eyes in known:
            own = self.board.reading(lambda session: sight(session.mission, eyes))
            if own is None:
                return view
            told = view.told if view.touched <= own else ()
            events = [each for each in view.events if each.touched <= own]
            return replace(view, told=told, events=events, undo=view.undo and "the last step")
        hidden = replace(view, told=(), events=(), line=(), orders=(), prompt=None)
        return replace(hidden, undo="", redo=False, again="", elsewhere=ELSEWHERE)

    def _data(self, view: View, eyes: str) -> dict[str, Any]:
        """Return the data of the board's template."""
        data: dict[str, Any] = {"sky": {"bomber": "", "track": {}, "squares": []}, "fates": []}

        def draw(session: Session) -> None:
            seen = sight(session.mission, eyes)
            data["fates"] = beside.fates(session) if view.over and seen is None else []
            data["sky"] = picture(session, view.prompt, view.touched, seen)
            data["flight"] = session.pack.sheet.flight

        if view.number is not None and not view.trouble:
            with contextlib.suppress(UserError):
                self.board.reading(draw)
        return {"view": view, "feed": by_place(view.events), "cards": cards(view.events, view.since), **data}

    def _drawn(self, view: View, eyes: str, code: int = 200) -> Response:
        return HTMLResponse(render("board.html", **self._data(view, eyes)), code, headers={"X-View": view.shown})

    async def events(self, request: Request) -> Response:
        """Stream an event after every change at the terminal or on another phone."""

        async def changes() -> AsyncIterator[str]:
            last, told = tuple[object, ...](), 0.0
            while not self.ended():
                now = await asyncio.to_thread(self._generation)
                if now != last or time.monotonic() > told + BEAT:
                    name = "changed" if now != last else "beat"
                    last, told = now, time.monotonic()
                    yield f"retry: 1000\nevent: {name}\ndata: now\n\n"
                await asyncio.sleep(EVERY)

        return StreamingResponse(changes(), media_type="text/event-stream")

    def _generation(self) -> tuple[object, ...]:
        """Return a stamp of everything that this page shows: the mission, and which campaign is in use."""
        return stamp_of(home() / "settings.json"), *(self._board.generation() if self._board else ())

    def part(self, request: Request) -> Response:
        """Return what opens over the board; only for a viewer who may see the whole sheet."""
        name = request.query_params.get("n", "")
        if request.url.path == "/menu":
            folder = self._board.campaign.folder if self._board else None
            return HTMLResponse(_fragment(lambda: render("menu.html", **beside.menu(folder, name))))
        if _viewer(request) != ALL and self._viewers():
            return HTMLResponse(render("trouble.html", text=NOT_HIS))
        template, data = PARTS[request.url.path]
        return HTMLResponse(self._read(lambda session: render(template, part=data(session, name))))

    # -- acting --------------------------------------------------------------------------------------------------------

    def doing(self) -> Mapping[str, Callable[[str, Sent], View]]:
        """Return the actions that a phone may take on the question it has seen, by address."""
        return {
            "/answer": lambda seen, sent: self.board.answer(seen, sent),
            "/undo": lambda seen, _: self.board.undo(seen),
            "/redo": lambda seen, _: self.board.redo(seen),
            "/again": lambda seen, _: self.board.again(seen),
            "/done": lambda seen, sent: self.board.done(seen, figure(str(sent.get("place"))) or 0),
            "/write": lambda seen, sent: self.board.write(seen, str(sent.get("value", ""))),
            "/plan": lambda _, sent: self.board.view(wishes_of(sent)),  # the plan with these changes
            "/new": lambda _, sent: self._turn_to(beside.new(sent)),
            "/use": lambda _, sent: self._turn_to(campaigns.find(str(sent.get("value", "")))),
            "/begin": lambda _, sent: self._turn_to(beside.begin(Campaign(self.board.campaign.folder), sent)),
        }

    def _turn_to(self, campaign: Campaign) -> View:
        """Use another campaign, here and at the terminal."""
        campaigns.use(campaign)
        self._board = Board(campaign)
        return self._board.view()

    async def do(self, request: Request) -> Response:
        """Carry out one of these actions."""
        act, sent = self.doing()[request.url.path], await _sent(request)
        return await run_in_threadpool(self._done, act, sent, _viewer(request))

    def _done(self, act: Callable[[str, Sent], View], sent: Sent, eyes: str) -> Response:
        try:
            return self._drawn(self._for(eyes, act(str(sent.get("seen", "")), sent)), eyes)
        except UserError as problem:
            doubt = problem if isinstance(problem, Unconfirmed) else Unconfirmed(str(problem), "")
            message, code = sentence(str(problem)), 409 if isinstance(problem, OutdatedQuestion) else 422
        view = replace(self._view(eyes), message=message, near=doubt.near, kept=doubt.kept)
        return self._drawn(view, eyes, code)

    async def eyes(self, request: Request) -> Response:
        """Remember the viewer's side in a cookie."""
        sent, response = await _sent(request), Response(status_code=204)
        name = "".join(filter(str.isalnum, str(sent.get("value", ""))))
        response.set_cookie(VIEWER, f"={name}", max_age=86_400, httponly=True, samesite="strict")  # `=`: no side
        return response

    # -- downloads -----------------------------------------------------------------------------------------------------

    def download(self, request: Request) -> Response:
        """Return the printed sheet, the story or the picture of the mission."""
        name = request.path_params["name"]
        if name not in ("sheet.pdf", "story.pdf", "card.png"):
            raise HTTPException(404, "There is no such page.")
        if _viewer(request) != ALL and self._viewers():
            return PlainTextResponse(NOT_HIS, 422)
        try:
            board = self.board
            number = board.newest()
            if number is None:
                raise no_mission_error(Pack(board.campaign.game))
            content = _taken(name, board.campaign, board.campaign.flown(number))  # its own reading
        except UserError as problem:
            return PlainTextResponse(sentence(str(problem)), 422)
        saved = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(content, media_type=mimetypes.guess_type(name)[0], headers=saved)


def _viewer(request: Request) -> str:
    return request.cookies.get(VIEWER, f"={ALL}")[1:]


async def _sent(request: Request) -> Sent:
    """Return the object sent by a phone."""
    with contextlib.suppress(ValueError, ClientDisconnect):
        sent = await request.json()
        if isinstance(sent, dict):
            return sent
    raise HTTPException(400, "That answer isn't from this page.")


def _story(mission: Mission) -> report.Report:
    from companion.render.story import Story

    story = Story(mission)
    if not story.stages:
        raise UserError(f"The journal of this {mission.game.sheet.flight} is empty, so there is no story yet")
    return report.mission(story)


PARTS: Mapping[str, tuple[str, Callable[[Session, str], object]]] = {  # the templates, and their data
    "/why": ("why.html", lambda session, number: explain(session, number or None)),
    "/story": ("story.html", lambda session, _: _story(session.mission)),
    "/picture": ("picture.html", lambda session, _: session.pack.sheet.flight.capitalize()),
    "/field": ("field.html", beside.entries),
}


def _taken(name: str, campaign: Campaign, mission: Mission) -> bytes:
    """Return a file to take away."""
    from companion.render import sheets

    if name == "card.png":
        return sheets.card_picture(mission, "png", campaign.name)
    if name == "sheet.pdf":
        return sheets.printed("mission", mission.game, campaign, "pdf", mission)[0]
    told = _story(mission)
    data = report.data(told, game=mission.game.title, title=told[0].text, campaign=campaign.name)
    return sheets.typeset("story", data, "pdf")[0]


def _fragment(read: Callable[[], str]) -> str:
    """Return a part of the page, or the reason why it cannot be read."""
    try:
        return read()
    except UserError as problem:
        return render("trouble.html", text=sentence(str(problem)))


# -- access control: only those who have the address with its key are admitted -----------------------------------------

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
    save(path, new.encode(), private=True)
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

        def same(brought: str, known: str) -> bool:
            return hmac.compare_digest(brought.encode(), known.encode())

        if request.url.path == "/" and same(request.query_params.get("k", ""), self._key):
            arrived = RedirectResponse("/", 303)
            arrived.set_cookie(COOKIE, self._pass, max_age=180 * 86_400, httponly=True, samesite="lax")
            return arrived
        if not same(request.cookies.get(COOKIE, ""), self._pass):
            return HTMLResponse(CLOSED, 403)
        if request.method not in ("GET", "HEAD") and "x-companion" not in request.headers:
            return PlainTextResponse("That request isn't allowed.", 403)
        return None


def application(campaign: Campaign | None, *, key: str) -> Starlette:
    """Return the web application for a campaign, protected by that key."""
    page = Page(campaign)
    mimetypes.add_type("text/javascript", ".js")  # the Windows registry may differ
    routes = [
        Route("/", page.whole),
        Route("/board", page.look),
        Route("/sheet", page.sheet),
        Route("/live", page.events),
        *(Route(path, page.part) for path in ("/menu", *PARTS)),
        *(Route(path, page.do, methods=["POST"]) for path in page.doing()),
        Route("/eyes", page.eyes, methods=["POST"]),
        Route("/take/{name}", page.download),
        Mount("/static", StaticFiles(packages=[("companion.web", "static")])),
    ]
    app = Starlette(routes=routes, middleware=[Middleware(Guard, key=key)])
    app.state.page = page
    return app


# -- on this machine's network -----------------------------------------------------------------------------------------

HERE = "127.0.0.1"
PORT, TRIED = 8029, 20  # the default port, and the number of further ports to try
PATIENCE = 3  # seconds for unfinished responses when the page is stopped


def listen(port: int | None, *, lan: bool = False, host: str = "") -> socket.socket:
    """Return the socket for the page, on this machine only, on its local network or on the address `host`.

    Raise UserError if the port or the address is taken, SystemFault if there is no network.
    """
    host, why = host or (_outside() if lan else HERE), ""
    for number in [port] if port is not None else range(PORT, PORT + TRIED):
        try:
            return socket.create_server((host, number), backlog=128)
        except OSError as error:
            why = (error.strerror or str(error)).partition(" (while")[0]
    if host not in (HERE, "") and "assign" in why:
        raise UserError(f"{host} isn't an address of this computer. Leave out --host, or use --lan")
    raise UserError(f"can't use port {port or PORT} ({why}). Choose another, e.g. --port 8080")


def address(listening: socket.socket, key: str) -> str:
    """Return the address to type, or to read from the code."""
    host, port = listening.getsockname()
    return f"http://{host}:{port}/?k={key}"


def _outside() -> str:
    """Return this machine's address in the local network, without sending anything."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("10.255.255.255", 9))
            found = str(probe.getsockname()[0])
        except OSError:
            found = HERE
    if found.startswith("127."):
        raise SystemFault("this computer isn't on a local network. Leave out --lan")
    return found


def server(campaign: Campaign | None, key: str) -> uvicorn.Server:
    """Return a server that runs until Ctrl-C and then closes the event streams first."""
    app = application(campaign, key=key)
    config = uvicorn.Config(
        app, http="h11", ws="none", loop="asyncio", log_config=None, log_level="critical", access_log=False,
        server_header=False, proxy_headers=False, timeout_graceful_shutdown=PATIENCE,
    )  # fmt: skip
    serving = uvicorn.Server(config)
    app.state.page.ended = lambda: serving.should_exit
    return serving
