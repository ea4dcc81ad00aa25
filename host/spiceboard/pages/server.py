"""The web server: pages and their parts, and one socket for each page that is open.

Starlette and uvicorn because they are small, kept, and the usual way to serve sockets from Python.
"""

import asyncio
import json
import mimetypes
from contextlib import suppress
from importlib.resources import files
from typing import Any

from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from spiceboard import words
from spiceboard.archive.store import Archive
from spiceboard.board.lights import LEDS
from spiceboard.bots import targets
from spiceboard.errors import UserError
from spiceboard.pages import guard
from spiceboard.pages.hub import Page
from spiceboard.pages.keys import Keys
from spiceboard.pages.office import Office, Refusal
from spiceboard.pages.requests import answer
from spiceboard.words import N_
from spiceboard.words.refusals import said_by_board

Frame = dict[str, Any]
PAGES = {
    **dict.fromkeys(("/", "/seat", "/tv"), "table.html"),
    "/rules": "rules.html",
    "/replay": "replay.html",
}
KINDS = (".html", ".css", ".js", ".svg", ".webmanifest")
PAGES_MAX = 200  # sockets at once


def shipped() -> dict[str, tuple[str, bytes]]:
    """{path: (media type, content)} of everything that is served: no other file ever is."""
    found: dict[str, tuple[str, bytes]] = {}

    def walk(folder: Any, path: str) -> None:
        for entry in folder.iterdir():
            if entry.is_dir():
                walk(entry, f"{path}{entry.name}/")
            elif entry.name.endswith(KINDS):
                kind = mimetypes.guess_type(entry.name)[0] or "application/octet-stream"
                kind = "text/javascript" if entry.name.endswith(".js") else kind
                found[path + entry.name] = (f"{kind}; charset=utf-8", entry.read_bytes())

    walk(files("spiceboard.pages") / "static", "/static/")
    return found


class Guard:
    """Refuses foreign hosts, and puts the headers on every answer."""

    def __init__(self, app: ASGIApp, hosts: set[str]) -> None:
        self.app, self.hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        headers = {key.decode(): value.decode("latin-1") for key, value in scope["headers"]}
        host = headers.get("host", "")
        if host not in self.hosts:
            await self._refuse(scope, receive, send)
            return
        if scope["type"] == "websocket" and not guard.own_origin(headers.get("origin"), host):
            await self._refuse(scope, receive, send)
            return

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                head = MutableHeaders(scope=message)
                for name, value in guard.HEADERS.items():
                    head[name] = value
            await send(message)

        await self.app(scope, receive, sent)

    async def _refuse(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
            return
        await PlainTextResponse(guard.WRONG_HOST, 421)(scope, receive, send)


class Server(Office):
    """One desk, its hub, and the application that serves both."""

    def __init__(
        self, keys: Keys, address: str, hosts: set[str], archive: Archive | None = None
    ) -> None:
        super().__init__(keys, address, archive)
        self.files = shipped()
        self._tasks: set[asyncio.Task[Any]] = set()
        routes = [
            *(Route(path, self._page) for path in PAGES),
            Route("/static/{path:path}", self._static),
            Route("/words/{language}.json", self._words),
            Route("/plan.json", self._plan),
            Route("/favicon.ico", self._icon),
            WebSocketRoute("/socket", self._socket),
        ]
        self.app: ASGIApp = Guard(Starlette(routes=routes), hosts)

    # -- files

    async def _page(self, request: Request) -> Response:
        kind, content = self.files[f"/static/{PAGES[request.url.path]}"]
        return Response(content, media_type=kind)

    async def _static(self, request: Request) -> Response:
        found = self.files.get(request.url.path)
        if found is None:
            return PlainTextResponse("There is no such file here.", 404)
        return Response(found[1], media_type=found[0])

    async def _icon(self, request: Request) -> Response:
        return Response(self.files["/static/icon.svg"][1], media_type="image/svg+xml")

    async def _words(self, request: Request) -> Response:
        language = request.path_params["language"]
        if language == "any":
            language = words.wanted(request.headers.get("accept-language", ""))
        if language not in words.languages():
            return PlainTextResponse("There is no such language here.", 404)
        names = {code: words.own_name(code) for code in words.languages()}
        texts = words.pages_catalog(language)
        return JSONResponse({"language": language, "languages": names, "texts": texts})

    async def _plan(self, request: Request) -> Response:
        """The board in millimetres, so that pages and board agree on it."""
        return JSONResponse(
            {
                "size": targets.SIZE,
                "zones": targets.ZONES,
                "bowls": targets.BOWLS,
                "centres": targets.CENTRES,
                "radius": {zone: targets.radius(zone) for zone in targets.ZONES},
                "hole": targets.HOLE_RADIUS,
                "leds": LEDS,
            }
        )

    # -- sockets

    async def _socket(self, socket: WebSocket) -> None:
        await socket.accept()
        if len(self.hub.pages) >= PAGES_MAX:
            await socket.close(1013, "too many pages are open")
            return
        page = Page(words.wanted(socket.headers.get("accept-language", "")))
        sender = asyncio.create_task(self._send(socket, page))
        try:
            await self._receive(socket, page)
        except WebSocketDisconnect:
            pass
        finally:
            self.hub.pages.discard(page)
            sender.cancel()
            self.hub.tell_again()

    async def _send(self, socket: WebSocket, page: Page) -> None:
        while not page.closed:
            await page.wake.wait()
            page.wake.clear()
            while page.waiting:
                frame = page.waiting.popleft()
                try:
                    await socket.send_text(frame.text())
                except (RuntimeError, WebSocketDisconnect):
                    return
        with suppress(RuntimeError):
            await socket.close(1013, "this page fell behind; it comes again by itself")

    async def _receive(self, socket: WebSocket, page: Page) -> None:
        bucket = guard.Bucket()
        while True:
            try:
                text = await socket.receive_text()
            except KeyError:  # it came as bytes
                await socket.close(1003, "a message is text")
                return
            if not bucket.take():
                await socket.close(1008, "too many messages")
                return
            task = asyncio.create_task(self._answer(page, text))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
            if not page.table and page.own is None:
                await task  # who a page is comes first

    async def _answer(self, page: Page, text: str) -> None:
        number: Any = None
        try:
            message = json.loads(text)
            if not isinstance(message, dict):
                raise Refusal(N_("a message is an object with `do`"))
            number = message.get("id")
            result = await answer(self, page, message)
        except (ValueError, RecursionError):
            page.put({"is": "refused", "re": number, "text": N_("this is not JSON")})
        except (UserError, KeyError, TypeError) as error:
            said = str(error) if isinstance(error, UserError) else N_("this page is out of date")
            with words.using(page.language):
                page.put({"is": "refused", "re": number, "text": said_by_board(said)})
        else:
            page.put({"is": "done", "re": number, **(result or {})})
