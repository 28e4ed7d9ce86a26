"""What another site can do to the app through the same browser: nothing."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from support.browsing import opened
from support.serving import Served, eventually, serving

pytestmark = pytest.mark.security

EVIL = """<!doctype html><body><ul></ul><script>
const note = (name) => document.querySelector("ul").insertAdjacentHTML("beforeend", `<li>${name}</li>`);
const socket = new WebSocket("ws://PLACE/ws");
socket.onopen = () => note("socket: open");
socket.onerror = () => note("socket: refused");
fetch("http://PLACE/api/games").then(() => note("fetch: read"), () => note("fetch: refused"));
const script = document.createElement("script");
script.src = "http://PLACE/static/connection.js";
script.onload = () => note("script: loaded");
script.onerror = () => note("script: refused");
document.body.append(script);
const frame = document.createElement("iframe");
frame.src = "http://PLACE/";
frame.onload = () => {
  let found = null;
  try { found = frame.contentDocument; } catch {}
  note(found && found.querySelector("#app") ? "frame: read" : "frame: refused");
};
document.body.append(frame);
</script>"""

SMUGGLED = """() => {
  document.body.insertAdjacentHTML("beforeend", `<img src="/none" onerror="document.title='broken'">`);
  const script = document.createElement("script");
  script.textContent = "document.title='broken'";
  document.body.append(script);
  const style = document.createElement("style");
  style.textContent = "h1{display:none}";
  document.head.append(style);
}"""


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serving() as made:
        yield made


@pytest.fixture
def unvisited() -> Iterator[Served]:
    """A server at which no tab was ever opened: its one host waits for the first, and stays the same."""
    with serving() as made:
        eventually(lambda: len(made.hosts()) == 1)
        yield made


@pytest.fixture
def other_site(unvisited: Served) -> Iterator[str]:
    """A site at another port, which is another site to a browser."""

    class Evil(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(EVIL.replace("PLACE", unvisited.place).encode())

        def log_message(self, *_: Any) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Evil)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost"])
def test_another_site_gets_nothing(browser: Any, unvisited: Served, other_site: str, name: str) -> None:
    before = unvisited.hosts()
    page = browser.new_page()
    page.goto(other_site.replace("127.0.0.1", name))
    page.locator("li").nth(3).wait_for()
    assert sorted(page.locator("li").all_text_contents()) == [
        "fetch: refused",
        "frame: refused",
        "script: refused",
        "socket: refused",
    ]
    page.close()
    assert unvisited.hosts() == before, "a process was started for it"


def test_what_is_smuggled_into_the_page_does_not_run(browser: Any, served: Served) -> None:
    page = browser.new_page()
    page.goto(f"{served.address}#/play?game=chess")
    page.locator(".board svg").wait_for()
    page.evaluate(SMUGGLED)
    page.wait_for_timeout(300)
    assert "broken" not in page.title()
    assert page.get_by_role("heading", name="zermelo").is_visible()
    page.close()


def test_pictures_keep_their_colours_and_nobody_complains(browser: Any, served: Served) -> None:
    with opened(browser, f"{served.address}#/play?game=chess") as page:
        squares = page.locator(".zermelo-board .zb-square > rect")
        squares.nth(63).wait_for(state="attached")
        fills = {squares.nth(i).evaluate("square => getComputedStyle(square).fill") for i in (0, 1)}
        assert len(fills) == 2, "light squares and dark ones"
