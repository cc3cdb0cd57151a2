"""The page: one question, the sheet next to it, and what the printer would get, for phones that have the address."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import json
import os
import re
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from typing import TYPE_CHECKING

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from companion.packs import Pack, tables_folder
from companion.problems import UserError
from companion.store.files import home
from companion.store.session import none_begun
from companion.web.answers import Unconfirmed
from companion.web.board import Board, OutdatedQuestion, View, why
from companion.web.guard import CUT, LARGEST, Guard
from companion.web.live import Live
from companion.web.sheet import ALL, sheet_html, sight, viewers

if TYPE_CHECKING:
    from collections.abc import Collection

    from companion.play.mission import Mission
    from companion.store.campaigns import Campaign
    from companion.store.session import Session

Sent = Mapping[str, object]  # what a phone has sent
NOT_HIS = "Only who looks at the whole sheet may see this."
ELSEWHERE = "Another player is asked. Say on the sheet who looks, if that is you."
VIEWER = "viewer"  # the cookie that says whose eyes look, where players hide something from each other
STATIC = {
    "app.js": "text/javascript",
    "style.css": "text/css",
    "sheet.css": "text/css",
    "icon.svg": "image/svg+xml",
    "icon-192.png": "image/png",
    "icon-512.png": "image/png",
    "manifest.webmanifest": "application/manifest+json",
}
SHOWN = 40  # drawings that are kept, the oldest go


class Page:
    """The handlers, over one campaign."""

    def __init__(self, campaign: Campaign) -> None:
        self.board = Board(campaign)
        self.live = Live(self.board.generation)
        self._templates = Environment(
            loader=PackageLoader("companion.web"), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
            lstrip_blocks=True,
        )  # fmt: skip
        self._drawn_once = functools.lru_cache(SHOWN)(self._draw)
        self._printing = asyncio.Semaphore(1)

    def render(self, template: str, **data: object) -> str:
        """Return a template filled in, with all text escaped."""
        return self._templates.get_template(template).render(**data)

    # -- looking -----------------------------------------------------------------------------------------------------

    def whole(self, request: Request) -> Response:
        """Return the page as it opens."""
        own = _viewer(request)
        view, sheet = self._before(own, self._safe()), self._sheet(own)
        shown = {"viewers": self._viewers(), "viewer": own, "message": "", "near": [], "kept": ""}
        return HTMLResponse(self.render("page.html", view=view, sheet=sheet, **shown))

    def look(self, request: Request) -> Response:
        """Return the board: the question and what has just happened."""
        own = _viewer(request)
        try:
            return self._drawn_once("board", own, self.board.generation())
        except UserError:  # it may be over in a moment
            return self._drawn(self._before(own, self._safe()))

    def sheet(self, request: Request) -> Response:
        """Return the log sheet, for the eyes of whoever looks."""
        try:
            return self._drawn_once("sheet", _viewer(request), self.board.generation())
        except UserError:
            return HTMLResponse(self._sheet(_viewer(request)))

    def _draw(self, what: str, eyes: str, generation: object) -> Response:
        """Draw the board or the sheet; it serves everybody with the same eyes until the `generation` is another."""
        if what == "board":
            return self._drawn(self._before(eyes, self.board.view()))
        return HTMLResponse(self.board.reading(lambda session: sheet_html(session.pack, session.mission, eyes)))

    def _viewers(self) -> list[tuple[str, str]]:
        with contextlib.suppress(UserError):  # the board tells it
            return self.board.reading(lambda session: viewers(session.pack, session.mission))
        return []

    def _before(self, eyes: str, view: View) -> View:
        """Return the board as somebody may see it, in a game that keeps something secret: a player whatever tells
        nothing that is not theirs, somebody else only that another is asked."""
        known = [value for value, _ in self._viewers()]
        if view.number is None or eyes == ALL or not known:
            return view
        if eyes and eyes in known:
            own = self.board.reading(lambda session: sight(session.pack, session.mission, eyes))
            return view if all(map(own.sees, view.touched)) else replace(view, told=())
        hidden = replace(view, told=(), line=(), orders=(), prompt=None)
        return replace(hidden, undo=False, redo=False, again="", elsewhere=ELSEWHERE)

    def _sheet(self, eyes: str) -> str:
        return self._read(lambda session: sheet_html(session.pack, session.mission, eyes))

    def _read(self, read: Callable[[Session], str]) -> str:
        try:
            return self.board.reading(read)
        except UserError as problem:
            return self.render("trouble.html", text=without_paths(problem))

    def _safe(self) -> View:
        """Return what is on the page; where the mission cannot be read, the sentence that says why."""
        try:
            return self.board.view()
        except UserError as problem:  # the disk, a damaged file, a pack that is at fault
            return View("trouble", self.board.campaign.name, "", None, trouble=without_paths(problem))

    def _drawn(
        self, view: View, message: str = "", near: Sequence[str] = (), kept: str = "", code: int = 200
    ) -> Response:
        text = self.render("board.html", view=view, message=message, near=near, kept=kept)
        return HTMLResponse(text, code, headers={"X-View": view.id})

    async def events(self, request: Request) -> Response:
        """Stream an event whenever something has changed."""
        return StreamingResponse(self.live.events(), media_type="text/event-stream")

    def reasons(self, request: Request) -> Response:
        """Explain the last thing that was done, or an entry, with all that went into it."""
        if _viewer(request) != ALL and self._viewers():
            return HTMLResponse(self.render("trouble.html", text=NOT_HIS))
        number = request.query_params.get("n", "")[:6]
        return HTMLResponse(self._read(lambda session: self.render("why.html", **why(session, number))))

    # -- doing -------------------------------------------------------------------------------------------------------

    def doing(self) -> Mapping[str, Callable[[str, Sent], View]]:
        """Return what a phone may do with the question that it has seen, by its address."""
        board = self.board
        return {
            "/answer": board.answer,
            "/undo": lambda seen, _: board.undo(seen),
            "/redo": lambda seen, _: board.redo(seen),
            "/again": lambda seen, _: board.again(seen),
            "/done": lambda seen, sent: board.done(seen, _number(sent.get("place"))),
            "/write": lambda seen, sent: board.write(seen, str(sent.get("value", ""))[:500]),
            "/plan": lambda _, sent: board.view(_wishes(sent)),  # as it would be with these changes
        }

    async def do(self, request: Request) -> Response:
        """Do one of them; everybody is told at once if something has changed."""
        sent = await _sent(request)
        response = await run_in_threadpool(self._done, self.doing()[request.scope["path"]], sent, _viewer(request))
        if response.status_code == 200:
            await self.live.look()
        return response

    def _done(self, act: Callable[[str, Sent], View], sent: Sent, eyes: str) -> Response:
        near: Sequence[str] = ()
        kept, code = "", 422
        try:
            return self._drawn(self._before(eyes, act(str(sent.get("seen", "")), sent)))
        except UserError as problem:
            message = without_paths(problem)
            if isinstance(problem, OutdatedQuestion):
                code = 409
            elif isinstance(problem, Unconfirmed):
                message, near, kept = str(problem), problem.near, problem.kept
            message = f"{message[:1].upper()}{message[1:]}"
        return self._drawn(self._before(eyes, self._safe()), message, near, kept, code)

    async def eyes(self, request: Request) -> Response:
        """Remember whose eyes look at the sheet."""
        sent, response = await _sent(request), Response(status_code=204)
        name = "".join(letter for letter in str(sent.get("value", ""))[:40] if letter.isascii() and letter.isalnum())
        response.set_cookie(VIEWER, f"={name}", max_age=86_400, httponly=True, samesite="strict")  # `=`: nobody
        return response

    # -- to take away ------------------------------------------------------------------------------------------------

    async def download(self, request: Request) -> Response:
        """Return the printed sheet or the story."""
        name = request.path_params["name"]
        if name not in TAKEN:
            raise HTTPException(404, "There is no such page.")
        async with self._printing:
            return await run_in_threadpool(self._taken, name, _viewer(request))

    def _taken(self, name: str, eyes: str) -> Response:
        if eyes != ALL and self._viewers():
            return PlainTextResponse(NOT_HIS, 422)
        make, kind = TAKEN[name]
        try:
            number = self.board.newest()
            if number is None:
                raise none_begun(Pack(self.board.campaign.game))
            content = make(self.board.campaign, *self.board.campaign.flown(number))  # read for itself: nobody waits
        except UserError as problem:
            return PlainTextResponse(without_paths(problem), 422)
        return Response(content, media_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})

    def static(self, request: Request) -> Response:
        """Return a file of the page itself."""
        name = request.path_params["name"]
        if name not in STATIC:
            raise HTTPException(404, "There is no such page.")
        return Response(_static(name), media_type=STATIC[name], headers={"Cache-Control": "no-cache"})


def _viewer(request: Request) -> str:
    return request.cookies.get(VIEWER, f"={ALL}")[1:80]


@functools.cache
def _static(name: str) -> bytes:
    return files("companion.web").joinpath("static", name).read_bytes()


async def _sent(request: Request) -> Sent:
    """Return the object that a phone has sent; refuse what is none, or larger than we take."""
    body = bytearray()
    try:
        async for piece in request.stream():
            body += piece
            if len(body) > LARGEST:
                raise HTTPException(413, "Too large.", headers=CUT)
        sent = json.loads(body)
        json.dumps(sent, ensure_ascii=False).encode()  # halves of letters can be written nowhere
    except (ValueError, RecursionError, ClientDisconnect):
        sent = None
    if not isinstance(sent, dict):
        raise HTTPException(400, "That is no answer of this page.")
    return sent


def _wishes(sent: Sent) -> dict[str, str]:
    wishes = sent.get("wishes")
    return {str(key): str(value) for key, value in wishes.items()} if isinstance(wishes, dict) else {}


def _number(value: object) -> int:
    if not isinstance(value, int):
        raise UserError("say which order is done; nothing was recorded")
    return value


def _sheet_pdf(campaign: Campaign, pack: Pack, mission: Mission) -> bytes:
    from companion.render.sheets import of_flight
    from companion.render.typeset import typeset

    return typeset("mission", of_flight(campaign, pack, mission, paper="a4"), "pdf")[0]


def _story(campaign: Campaign, pack: Pack, mission: Mission, form: str) -> bytes:
    from companion.render import report
    from companion.render.story import story_of
    from companion.render.typeset import typeset

    story = story_of(pack, mission)
    if not story.chapters:
        raise UserError(f"nothing has happened in this {pack.sheet.flight} that could be told; its journal is empty")
    told = report.mission(story)
    if form == "txt":
        return report.text(told).encode()
    data = report.data(told, game=pack.title, title=story.title, campaign=campaign.name, paper="a4")
    return typeset("story", data, "pdf")[0]


TAKEN: Mapping[str, tuple[Callable[[Campaign, Pack, Mission], bytes], str]] = {
    "sheet.pdf": (_sheet_pdf, "application/pdf"),
    "story.txt": (functools.partial(_story, form="txt"), "text/plain; charset=utf-8"),
    "story.pdf": (functools.partial(_story, form="pdf"), "application/pdf"),
}


def application(campaign: Campaign, *, key: str, hosts: Collection[str]) -> Starlette:
    """Return the page for a campaign, which opens with that key under those names."""
    page = Page(campaign)

    @contextlib.asynccontextmanager
    async def watching(_: Starlette) -> AsyncIterator[None]:
        task = asyncio.create_task(page.live.watch())
        try:
            yield
        finally:
            task.cancel()

    routes = [
        Route("/", page.whole),
        Route("/board", page.look),
        Route("/sheet", page.sheet),
        Route("/live", page.events),
        Route("/why", page.reasons),
        *(Route(path, page.do, methods=["POST"]) for path in page.doing()),
        Route("/eyes", page.eyes, methods=["POST"]),
        Route("/take/{name}", page.download),
        Route("/static/{name}", page.static),
    ]
    app = Starlette(routes=routes, lifespan=watching, middleware=[Middleware(Guard, key=key, hosts=hosts)])
    app.router.redirect_slashes = False
    app.state.page = page
    return app


def without_paths(problem: UserError) -> str:
    """Return what is wrong as a phone is told it: of a file of this machine only its name.

    >>> without_paths(UserError("cannot write /home/zoe/games/mission-01.json: disk full; nothing was recorded"))
    'cannot write mission-01.json: disk full; nothing was recorded'
    """
    text = str(problem)
    for folder in (home(), tables_folder()):  # such as have blanks in their names
        text = text.replace(f"{folder}{os.sep}", os.sep).replace(str(folder), "the data folder")
    return re.sub(r"(?<![^\s('\"])(?:[A-Za-z]:)?[\\/](?:[^\s:;,'\"()]+[\\/])*(?=[^\s:;,'\"()])", "", text)
