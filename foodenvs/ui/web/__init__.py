"""Play in the browser: a server for this machine and a page without a build step (the extra `web`).

The browser gets what one seat sees and nothing else; see `sessions` for the limits and `app` for who may ask.
"""

import errno
import socket
import sys
import webbrowser
from collections.abc import Sequence
from typing import Any

from foodenvs.core.errors import extra
from foodenvs.ui.web.sessions import Sessions


def serve(
    host: str = "127.0.0.1",
    port: int = 8080,
    *,
    names: Sequence[str] = (),
    agents: Sequence[str] = (),
    open_browser: bool = False,
) -> None:
    """Serve until interrupted. port 0: any free one; names: further names by which browsers reach it.

    Raises ImportError without the extra `web`, OSError where the address cannot be had.
    """
    with extra("web", "foodenvs serve"):
        import uvicorn  # noqa: F401

        from foodenvs.ui.web.app import build
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host, port))
        except OSError as error:
            other = "; another --port may be free (0: any)" if error.errno == errno.EADDRINUSE else ""
            raise OSError(error.errno, f"{error.strerror}{other}", f"{host}, port {port}") from error
        listening.listen()  # who reads the address below may call at once
        port = listening.getsockname()[1]
        address = f"http://{f'[{host}]' if ':' in host else host}:{port}/"
        print(f"foodenvs is at {address} (Ctrl-C ends it)", flush=True)
        if open_browser:
            webbrowser.open(address)
        app = build(Sessions(agents), [host, "localhost", "127.0.0.1", "[::1]", *names], port)
        try:
            server(app).run(sockets=[listening])
        except KeyboardInterrupt:
            print("", file=sys.stderr)


def server(app: Any) -> Any:
    """A uvicorn server that believes no proxy and tells nothing of itself.

    Without a lifespan, of which it would print a traceback when it is interrupted twice or hung up on.
    """
    import uvicorn

    config = uvicorn.Config(
        app, log_level="warning", access_log=False, server_header=False, proxy_headers=False, lifespan="off"
    )
    return uvicorn.Server(config)
