"""A server and a real browser for the tests of the extras web and window."""

import contextlib
import http.client
import itertools
import json
import secrets
import shutil
import socket
import threading
import time
import types

import pytest
from helpers import BROWSERS

PATIENCE = 180_000  # milliseconds: a game may have to be compiled first, on a busy machine


class Served:
    """A server in this process: its address, its sessions, and a way to ask it anything."""

    def __init__(self, sessions, port):
        self.sessions, self.port = sessions, port
        self.host = f"127.0.0.1:{port}"
        self.url = f"http://{self.host}"

    def ask(self, method, path, body=None, **headers):
        """Status, headers and text of the answer. Headers of the page itself unless others are given."""
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        given = {"Host": self.host, "Origin": self.url, "Content-Type": "application/json"} | headers
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE / 1000)
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        data = body if isinstance(body, (bytes, type(None))) else json.dumps(body).encode()
        for name, value in given.items():
            if value is not None:
                connection.putheader(name, value)
        if data is not None:
            connection.putheader("Content-Length", str(len(data)))
        connection.endheaders(data)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, dict(answer.getheaders()), text

    def get(self, path):
        status, _, text = self.ask("GET", path)
        assert status == 200, text
        return json.loads(text)

    def post(self, path, body):
        status, _, text = self.ask("POST", path, body)
        assert status == 200, text
        return json.loads(text)

    def deal(self, game, seats, options=None, **more):
        return self.post("/api/sessions", {"game": game, "options": options or {}, "seats": seats} | more)[
            "id"
        ]


@pytest.fixture(autouse=True)
def dealt(monkeypatch):
    """The server deals the same games in every run."""
    from foodenvs.ui.web import sessions

    numbers = itertools.count(1)
    chance = types.SimpleNamespace(randbits=lambda _: next(numbers), token_urlsafe=secrets.token_urlsafe)
    monkeypatch.setattr(sessions, "secrets", chance)


@pytest.fixture(scope="session")
def served():
    from foodenvs.ui.web import server
    from foodenvs.ui.web.app import build
    from foodenvs.ui.web.sessions import Sessions

    sessions = Sessions()
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port = listening.getsockname()[1]
        running = server(build(sessions, ["127.0.0.1", "localhost"], port))
        thread = threading.Thread(target=running.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        while not running.started:
            time.sleep(0.02)
        yield Served(sessions, port)
        running.should_exit = True
        thread.join(10)


@pytest.fixture(scope="session")
def browser():
    from playwright.sync_api import sync_playwright

    quiet = (
        "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
        "--disable-background-networking", "--disable-component-update",
    )  # fmt: skip
    path = next(filter(None, map(shutil.which, BROWSERS)))
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, headless=True, args=list(quiet))
        yield chromium
        chromium.close()


@pytest.fixture
def open_page(browser, served):
    """Opens the served page (or another address) at a width; fails on any error that the page reports."""
    problems, contexts, ours = [], [], (served.url, "data:", "file:", "blob:")

    def hear(problem):
        if "Failed to load resource" not in problem:  # what the server refuses is told on the page
            problems.append(problem)

    def open_page(width=1300, height=900, url=None, **more):
        context = browser.new_context(viewport={"width": width, "height": height}, **more)
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: hear(str(error)))
        page.on("console", lambda line: hear(line.text) if line.type == "error" else None)
        page.on(
            "request", lambda asked: None if asked.url.startswith(ours) else hear(f"asks for {asked.url}")
        )
        page.goto(url or served.url)
        return page

    yield open_page
    for context in contexts:
        with contextlib.suppress(Exception):
            context.close()
    served.sessions.all.clear()
    assert not problems
