"""The page: one question, the sheet beside it, and what the printer would get, for phones that have the address."""

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

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from companion.packs import tables_folder
from companion.problems import Problem
from companion.store.files import home
from companion.web import downloads
from companion.web.answering import Doubtful
from companion.web.board import Board, Stale, View
from companion.web.guard import Guard
from companion.web.live import Live
from companion.web.recent_events import why
from companion.web.sheet import sheet_html
from companion.web.sight import ALL, sight, viewers

if TYPE_CHECKING:
    from collections.abc import Collection

    from companion.store.campaigns import Campaign
    from companion.store.session import Session

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
NO_STORE = {"Cache-Control": "no-store"}
SHOWN = 40  # drawings that are kept, the oldest go


class Page:
    """The handlers, over one campaign."""

    def __init__(self, campaign: Campaign) -> None:
        self.board = Board(campaign)
        self.live = Live(self.board.generation)
        loader = PackageLoader("companion.web")
        self._templates = Environment(
            loader=loader, autoescape=select_autoescape(default=True), undefined=StrictUndefined, trim_blocks=True,
            lstrip_blocks=True,
        )  # fmt: skip
        self._shown: dict[str, tuple[object, Response]] = {}  # what was drawn last, by whose eyes and what
        self._printing = asyncio.Semaphore(1)

    def render(self, template: str, **data: object) -> str:
        """A template filled in; all text is escaped."""
        return self._templates.get_template(template).render(**data)

    # -- looking -----------------------------------------------------------------------------------------------------

    async def whole(self, request: Request) -> Response:
        """The page as it opens."""
        return await run_in_threadpool(self._whole, request)

    def _whole(self, request: Request) -> Response:
        own = self._viewer(request)
        view = self._before(own, self._safe())
        page = self.render(
            "page.html",
            view=view,
            sheet=self._sheet(own),
            viewers=self._viewers(),
            viewer=own,
            message="",
            near=[],
            kept="",
        )
        return HTMLResponse(page, headers=NO_STORE)

    def _viewers(self) -> list[tuple[str, str]]:
        with contextlib.suppress(Problem):  # which stands on the board
            return self.board.reading(lambda session: viewers(session.pack, session.mission))
        return []

    async def look(self, request: Request) -> Response:
        """The board: the question and what has just happened."""
        own = self._viewer(request)
        return await run_in_threadpool(
            self._once,
            "board",
            own,
            lambda: self._drawn(self._before(own, self.board.view())),
            lambda: self._drawn(self._safe()),
        )

    async def sheet(self, request: Request) -> Response:
        """The log sheet as it stands, for the eyes of whoever looks."""
        own = self._viewer(request)
        return await run_in_threadpool(
            self._once,
            "sheet",
            own,
            lambda: HTMLResponse(self.board.reading(lambda session: _sheet(session, own)), headers=NO_STORE),
            lambda: HTMLResponse(self._sheet(own), headers=NO_STORE),
        )

    def _once(self, what: str, eyes: str, draw: Callable[[], Response], otherwise: Callable[[], Response]) -> Response:
        """What was drawn already where nothing has changed since; where it cannot be drawn, `otherwise` says why."""
        now, key = self.board.generation(), f"{what} {eyes}"
        drawn = self._shown.get(key)
        if drawn is None or drawn[0] != now:
            if len(self._shown) >= SHOWN:
                self._shown.clear()
            try:
                drawn = now, draw()
            except Problem:  # it may be over in a moment
                return otherwise()
            self._shown[key] = drawn  # of then: what is recorded while it is drawn counts as newer
        return drawn[1]

    def _viewer(self, request: Request) -> str:
        return request.cookies.get(VIEWER, f"={ALL}")[1:80]

    def _before(self, eyes: str, view: View) -> View:
        """The board as somebody may see it, in a game that keeps something secret: a player whatever tells nothing that
        is not his, somebody else only that another is asked."""
        known = [value for value, _ in self._viewers()]
        if view.number is None or eyes == ALL or not known:
            return view
        if eyes and eyes in known:
            hidden = self.board.reading(lambda session: _unseen(session, eyes, view.touched))
            return replace(view, told=()) if hidden else view
        return replace(
            view, told=(), line=(), orders=(), prompt=None, undo="", redo=False, again="", elsewhere=ELSEWHERE
        )

    def _all(self, request: Request) -> bool:
        """Whether whoever asks may see everything."""
        return self._viewer(request) == ALL or not self._viewers()

    def _sheet(self, eyes: str) -> str:
        return self._read(lambda session: _sheet(session, eyes))

    def _read(self, read: Callable[[Session], str]) -> str:
        try:
            return self.board.reading(read)
        except Problem as problem:
            return self.render("trouble.html", text=without_paths(problem))

    def _safe(self, wishes: Mapping[str, str] | None = None) -> View:
        """What stands on the page; where the mission cannot be read, the sentence that says why."""
        try:
            return self.board.view(wishes)
        except Problem as problem:  # the disk, a damaged file, a pack that is at fault
            return View("trouble", self.board.campaign.name, "", None, trouble=without_paths(problem))

    def _drawn(
        self, view: View, message: str = "", near: Sequence[str] = (), kept: str = "", code: int = 200
    ) -> Response:
        text = self.render("board.html", view=view, message=message, near=near, kept=kept)
        return HTMLResponse(text, code, headers={**NO_STORE, "X-View": view.id})

    async def events(self, request: Request) -> Response:
        """Server-sent events: a line whenever something has changed."""
        if self.live.full:
            return PlainTextResponse("Too many pages listen.", 503)
        return StreamingResponse(self.live.events(), media_type="text/event-stream", headers=NO_STORE)

    async def reasons(self, request: Request) -> Response:
        """Why: the last thing that was done, or an entry, with all that went into it."""
        if not await run_in_threadpool(self._all, request):
            return HTMLResponse(self.render("trouble.html", text=NOT_HIS), headers=NO_STORE)
        number = request.query_params.get("n", "")[:6]
        text = await run_in_threadpool(self._read, lambda session: self.render("why.html", **why(session, number)))
        return HTMLResponse(text, headers=NO_STORE)

    # -- doing -------------------------------------------------------------------------------------------------------

    async def answer(self, request: Request) -> Response:
        """An answer to the question that the phone has seen."""
        return await self._do(request, self.board.answer)

    async def undo(self, request: Request) -> Response:
        """Take the last thing back."""
        return await self._do(request, lambda seen, _: self.board.undo(seen))

    async def redo(self, request: Request) -> Response:
        """Put it forward again."""
        return await self._do(request, lambda seen, _: self.board.redo(seen))

    async def again(self, request: Request) -> Response:
        """Throw the last dice again."""
        return await self._do(request, lambda seen, _: self.board.again(seen))

    async def done(self, request: Request) -> Response:
        """Strike an order."""
        return await self._do(request, lambda seen, sent: self.board.done(seen, _number(sent.get("place"))))

    async def write(self, request: Request) -> Response:
        """Write on the sheet."""
        return await self._do(request, lambda seen, sent: self.board.write(seen, str(sent.get("value", ""))[:500]))

    async def plan(self, request: Request) -> Response:
        """A plan as it would be with these changes; nothing is recorded."""
        return await self._do(request, lambda _, sent: self.board.view(_wishes(sent)))

    async def eyes(self, request: Request) -> Response:
        """Whose eyes look at the sheet."""
        sent = await _sent(request)
        if sent is None:
            return PlainTextResponse("That is no answer of this page.", 400)
        response = Response(status_code=204)
        name = "".join(letter for letter in str(sent.get("value", ""))[:40] if letter.isascii() and letter.isalnum())
        response.set_cookie(VIEWER, f"={name}", max_age=86_400, httponly=True, samesite="strict")  # `=`: nobody
        return response

    async def _do(self, request: Request, act: Callable[[str, Mapping[str, object]], View]) -> Response:
        sent = await _sent(request)
        if sent is None:
            return PlainTextResponse("That is no answer of this page.", 400)
        response, changed = await run_in_threadpool(self._done, act, sent, self._viewer(request))
        if changed:
            await self.live.look()
        return response

    def _done(
        self, act: Callable[[str, Mapping[str, object]], View], sent: Mapping[str, object], eyes: str
    ) -> tuple[Response, bool]:
        def drawn(view: View, message: str = "", near: Sequence[str] = (), kept: str = "", code: int = 200) -> Response:
            return self._drawn(self._before(eyes, view), message, near, kept, code)

        try:
            return drawn(act(str(sent.get("seen", "")), sent)), True
        except Stale as stale:
            return drawn(self._safe(), str(stale), code=409), False
        except Doubtful as doubt:
            return drawn(self._safe(), str(doubt), doubt.near, doubt.kept, code=422), False
        except Problem as problem:
            said = without_paths(problem)
            return drawn(self._safe(), f"{said[:1].upper()}{said[1:]}", code=422), False

    # -- to take away ------------------------------------------------------------------------------------------------

    async def download(self, request: Request) -> Response:
        """The printed sheet or the story."""
        name = request.path_params["name"]
        make = downloads.FORMS.get(name)
        if make is None:
            return PlainTextResponse("There is no such page.", 404)
        if not await run_in_threadpool(self._all, request):
            return PlainTextResponse(NOT_HIS, 422)
        async with self._printing:
            try:
                content, kind = await run_in_threadpool(make, self.board)
            except Problem as problem:
                return PlainTextResponse(without_paths(problem), 422)
        headers = {**NO_STORE, "Content-Disposition": f'attachment; filename="{name}"'}
        return Response(content, media_type=kind, headers=headers)

    async def static(self, request: Request) -> Response:
        """A file of the page itself."""
        name = request.path_params["name"]
        if name not in STATIC:
            return PlainTextResponse("There is no such page.", 404)
        return Response(_static(name), media_type=STATIC[name], headers={"Cache-Control": "no-cache"})


def _unseen(session: Session, eyes: str, names: Collection[str]) -> list[str]:
    """The fields that somebody may not see."""
    own = sight(session.pack, session.mission, eyes)
    return [name for name in names if not own.sees(name)]


def _sheet(session: Session, eyes: str) -> str:
    return sheet_html(session.pack, session.mission, eyes)


@functools.cache
def _static(name: str) -> bytes:
    return files("companion.web").joinpath("static", name).read_bytes()


async def _sent(request: Request) -> Mapping[str, object] | None:
    """The object that a phone has sent; None where it is none."""
    try:
        sent = json.loads(await request.body())
        json.dumps(sent, ensure_ascii=False).encode()  # halves of letters can be written nowhere
    except (ValueError, RecursionError):
        return None
    return sent if isinstance(sent, dict) else None


def _wishes(sent: Mapping[str, object]) -> dict[str, str]:
    wishes = sent.get("wishes")
    return {str(key): str(value) for key, value in wishes.items()} if isinstance(wishes, dict) else {}


def _number(value: object) -> int:
    if not isinstance(value, int):
        raise Problem("say which order is done; nothing was recorded")
    return value


def application(campaign: Campaign, *, key: str, hosts: Collection[str]) -> Starlette:
    """The page for a campaign, which opens with that key under those names."""
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
        Route("/answer", page.answer, methods=["POST"]),
        Route("/plan", page.plan, methods=["POST"]),
        Route("/undo", page.undo, methods=["POST"]),
        Route("/redo", page.redo, methods=["POST"]),
        Route("/again", page.again, methods=["POST"]),
        Route("/done", page.done, methods=["POST"]),
        Route("/write", page.write, methods=["POST"]),
        Route("/eyes", page.eyes, methods=["POST"]),
        Route("/take/{name}", page.download),
        Route("/static/{name}", page.static),
    ]
    app = Starlette(routes=routes, lifespan=watching, middleware=[Middleware(Guard, key=key, hosts=hosts)])
    app.router.redirect_slashes = False
    app.state.page = page
    return app


def without_paths(problem: Problem) -> str:
    """Return what is wrong as a phone is told it: of a file of this machine only its name.

    >>> without_paths(Problem("cannot write /home/zoe/games/mission-01.json: disk full; nothing was recorded"))
    'cannot write mission-01.json: disk full; nothing was recorded'
    """
    text = str(problem)
    for folder in (home(), tables_folder()):  # such as have blanks in their names
        text = text.replace(f"{folder}{os.sep}", os.sep).replace(str(folder), "the data folder")
    return re.sub(r"(?<![^\s('\"])(?:[A-Za-z]:)?[\\/](?:[^\s:;,'\"()]+[\\/])*(?=[^\s:;,'\"()])", "", text)
