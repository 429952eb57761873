"""The server's routes, and who may ask: browsers that call it by its own name, from its own pages."""

import json
from collections.abc import Callable, Iterable
from importlib.resources import files
from typing import Any
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from foodenvs.core.documents import from_json, printable
from foodenvs.envs.registry import named_game
from foodenvs.replay.export import html
from foodenvs.ui.web.sessions import LARGEST_BODY, Refused, Session, Sessions, tell

STATIC = {
    "/": ("index.html", "text/html"),
    "/style.css": ("style.css", "text/css"),
    "/page.css": ("page.css", "text/css"),
    "/table.js": ("table.js", "text/javascript"),
    "/app.js": ("app.js", "text/javascript"),
}
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


def build(sessions: Sessions, hosts: Iterable[str], port: int) -> Starlette:
    """The application. hosts: the names by which it may be called, at `port`."""
    names = {f"{host}:{port}" for host in hosts} | ({*hosts} if port == 80 else set())

    def route(path: str, method: str, work: Callable[..., Any], reads: bool = False) -> Route:
        async def endpoint(request: Request) -> Response:
            try:
                check_caller(request, names)
                asked = [await body(request)] if reads else []
                answer = await run_in_threadpool(answered, work, request, *asked)
            except Refused as error:
                answer = JSONResponse({"error": printable(error)}, error.status)
            answer.headers.update(HEADERS)
            return answer

        return Route(path, endpoint, methods=[method])

    def answered(work: Callable[..., Any], request: Request, *asked: Any) -> Response:
        try:
            answer = work(request, *asked)
        except (ValueError, TypeError) as error:
            raise Refused(400, str(error)) from error
        return answer if isinstance(answer, Response) else JSONResponse(answer)

    def session_of(request: Request) -> Session:
        return sessions.get(request.path_params["key"])

    def changed(do: Callable[..., None]) -> Callable[..., Any]:
        """Change a session, one request at a time, and tell its state."""

        def work(request: Request, *asked: Any) -> Any:
            session = session_of(request)
            with session.lock:
                do(session, *asked)
                return tell(session, None, None, narrow(request))

        return work

    def state(request: Request) -> Any:
        session, query = session_of(request), request.query_params
        step = int(query["step"]) if "step" in query else None
        with session.lock:
            return tell(session, query.get("viewer"), step, narrow(request))

    def hint(request: Request, _: Any) -> Any:
        session = session_of(request)
        with session.lock:
            return {"action": sessions.hint(session)}

    def save(request: Request) -> Response:
        replay = open_replay(session_of(request))
        return attachment(json.dumps(replay.as_dict()), "application/json", f"{replay.game}.json")

    def page(request: Request) -> Response:
        replay = open_replay(session_of(request))
        return attachment(html(replay), "text/html", f"{replay.game}.html")

    routes = [route(path, "GET", static(*where)) for path, where in STATIC.items()]
    one = "/api/sessions/{key}"
    routes += [
        route("/api/games", "GET", lambda request: sessions.games()),
        route("/api/games/{game}/rules", "GET", rules),
        route("/api/sessions", "POST", lambda request, asked: {"id": sessions.deal(parsed(asked))}, True),
        route("/api/replays", "POST", lambda request, asked: {"id": sessions.look(decoded(asked))}, True),
        route(one, "GET", state),
        route(one, "DELETE", lambda request: closed(sessions, request)),
        route(f"{one}/act", "POST", changed(lambda s, asked: sessions.act(s, parsed(asked))), True),
        route(f"{one}/advance", "POST", changed(lambda s, asked: sessions.advance(s, parsed(asked))), True),
        route(f"{one}/undo", "POST", changed(lambda s, _: sessions.undo(s)), True),
        route(f"{one}/hint", "POST", hint, True),
        route(f"{one}/replay.json", "GET", save),
        route(f"{one}/replay.html", "GET", page),
    ]
    return Starlette(routes=routes)


def check_caller(request: Request, names: set[str]) -> None:
    """Refuse a request under another name (a foreign site that points here) or from another site's page."""
    if request.headers.get("host", "") not in names:
        raise Refused(403, "this server is not called by that name; see foodenvs serve --name")
    origin = request.headers.get("origin")
    same = (
        origin is not None
        and urlsplit(origin).scheme in ("http", "https")
        and urlsplit(origin).netloc in names
    )
    if origin is not None and not same:
        raise Refused(403, "a page from another site may not act here")
    site = request.headers.get("sec-fetch-site", "none")
    if request.url.path.startswith("/api/") and site not in ("none", "same-origin"):
        raise Refused(403, "a page from another site may not act here")
    if request.method != "GET" and not same:
        raise Refused(403, "this is for the server's own pages")


async def body(request: Request) -> bytes:
    """What was sent, if it is JSON and not too large."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip()
    if kind != "application/json":
        raise Refused(415, "send JSON, as application/json")
    data = bytearray()
    async for chunk in request.stream():
        data += chunk
        if len(data) > LARGEST_BODY:
            raise Refused(413, f"at most {LARGEST_BODY} bytes may be sent")
    return bytes(data)


def decoded(data: bytes) -> str:
    """What was sent as text; Refused unless it is UTF-8."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise Refused(400, "the text must be UTF-8") from None


def parsed(data: bytes) -> Any:
    """What was sent as a JSON value; Refused unless it is UTF-8, ValueError unless it is JSON."""
    return from_json(decoded(data), "the body")


def narrow(request: Request) -> bool:
    """Whether the page asks for tables that fit on a phone."""
    return request.query_params.get("narrow") == "1"


def static(name: str, kind: str) -> Callable[[Request], Response]:
    """What answers with a file of the folder `static`, read once. kind: its media type."""
    content = (files("foodenvs.ui.web") / "static" / name).read_bytes()
    return lambda request: Response(content, media_type=kind)


def rules(request: Request) -> Any:
    """A game's page as HTML, made from its Markdown; HTML in it would be shown as text."""
    game = named_game(request.path_params["game"], "this address")
    return {"html": MarkdownIt("commonmark", {"html": False}).enable("table").render(game.page)}


def open_replay(session: Session) -> Any:
    """The replay of a session; Refused while somebody plays, who would see all secrets in it."""
    with session.lock:
        if not session.secrets_are_out:
            raise Refused(
                403, "a game that you play can be saved when it is over: a replay tells all secrets"
            )
        return session.replay


def attachment(text: str, kind: str, name: str) -> Response:
    """A text that the browser saves as a file of this name. kind: its media type."""
    return Response(text, media_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})


def closed(sessions: Sessions, request: Request) -> Any:
    """Close the session of the address; an empty answer."""
    sessions.close(request.path_params["key"])
    return {}
