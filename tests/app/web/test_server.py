"""The server of the web page: who is let in, what they get, and that nothing is left of them afterwards."""

from __future__ import annotations

import contextlib
import json
import os
import random
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from support.malformed import malformed
from support.serving import (
    BESIDE,
    PATIENCE,
    Served,
    children,
    descriptors,
    eventually,
    hear,
    heard_error,
    is_alive,
    memory,
    say,
    serving,
)
from zermelo.app.web.messages import LONGEST
from zermelo.app.web.restraint import MOST_MEMORY
from zermelo.app.web.server import TABS

LINUX = pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="there is no /proc: processes cannot be counted")
pytestmark = [LINUX, pytest.mark.security]

STUCK = """
import time
import zermelo

class Stuck(zermelo.Game):
    def initial(self): return 0
    def to_move(self, s): return s % 2
    def actions(self, s):
        yield 0
        if s: sum(range(10**13))  # in C, where no other thread gets a turn
    def result(self, s, a): return s + 1
    def is_terminal(self, s): return s > 3
    def utility(self, s, p): return 0.0
"""

FATAL = """
import os
import zermelo

class Fatal(zermelo.Game):
    def initial(self): return 0
    def to_move(self, s): return s % 2
    def actions(self, s): yield from (1, 2)
    def result(self, s, a): return len(bytearray(10 << 30)) if a == 1 else os._exit(3)
    def is_terminal(self, s): return s > 3
    def utility(self, s, p): return 0.0
"""


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serving() as made:
        yield made


@pytest.fixture(scope="module")
def unvisited() -> Iterator[Served]:
    """A server at which no tab was ever opened: its one host waits for the first, and stays the same."""
    with serving() as made:
        eventually(lambda: len(made.hosts()) == 1)
        yield made


# Who is let in.


def test_it_listens_to_this_machine_alone(served: Served) -> None:
    assert served.name == "127.0.0.1"
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.2", served.port), timeout=5)


def test_the_page_comes_with_a_policy_that_allows_no_inline_script(served: Served) -> None:
    said = served.got("/")
    assert said.startswith("HTTP/1.1 200 OK")
    policy = dict(
        part.strip().partition(" ")[::2]
        for part in re.search("content-security-policy: (.*)\r\n", said)[1].split(";")  # type: ignore[index]
    )
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == "'self'"
    assert policy["connect-src"] == "'self'"
    assert "unsafe-inline" not in policy["style-src"]
    assert policy["frame-ancestors"] == "'none'"
    body = said.partition("\r\n\r\n")[2]
    assert re.findall(r"<script[^>]*>", body) == ['<script type="module" src="/static/main.js">']
    assert "onclick" not in body
    assert "server:" not in said.partition("\r\n\r\n")[0]


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example:1", "192.168.0.1:80", "", "[::2]:1"]
)
def test_another_name_is_refused(served: Served, host: str) -> None:
    """By DNS rebinding a page of another site can reach this address, but not under this name."""
    said = served.asked(f"GET /api/games HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")
    assert said.startswith(("HTTP/1.1 403", "HTTP/1.1 400"))
    assert "chess" not in said
    with pytest.raises(InvalidStatus):
        served.tab(additional_headers={"Host": host}, origin=f"http://{host}").close()


def test_a_second_host_header_is_refused(served: Served) -> None:
    said = served.asked(f"GET / HTTP/1.1\r\nHost: {served.place}\r\nHost: evil.example\r\nConnection: close\r\n\r\n")
    assert said.startswith(("HTTP/1.1 403", "HTTP/1.1 400"))


@pytest.mark.parametrize(
    "origin",
    [None, "null", "http://evil.example", "https://{place}", "http://localhost:1", "http://{place}.evil.example"],
)
def test_a_websocket_from_elsewhere_is_refused(unvisited: Served, origin: str | None) -> None:
    before = unvisited.hosts()
    with pytest.raises(InvalidStatus) as caught:
        unvisited.tab(origin=origin and origin.format(place=unvisited.place)).close()
    assert caught.value.response.status_code == 403
    assert unvisited.hosts() == before, "a process was started for it"


def test_a_request_from_another_site_is_refused(served: Served) -> None:
    assert served.got("/api/games", "Origin: http://evil.example").startswith("HTTP/1.1 403")
    assert served.got("/api/games", f"Origin: http://{served.place}").startswith("HTTP/1.1 200")
    assert "cross-origin-resource-policy: same-origin" in served.got("/api/games")


def test_it_answers_to_each_of_its_own_names(served: Served) -> None:
    for name in ("localhost", "LOCALHOST", "[::1]", "127.0.0.1"):
        assert served.got("/", host=f"{name}:{served.port}").startswith("HTTP/1.1 200")


@pytest.mark.parametrize(
    "path",
    [
        "/static/../server.py",
        "/static/..%2fserver.py",
        "/static/%2e%2e/server.py",
        "/static//etc/passwd",
        "/static/..%5cserver.py",
        "/static/main.js%00",
        "/static/",
        "/static/server.py",
        "/../../etc/passwd",
        "//etc/passwd",
    ],
)
def test_no_file_but_those_of_the_page(served: Served, path: str) -> None:
    said = served.got(path)
    assert said.startswith("HTTP/1.1 404")
    assert "import" not in said
    assert "root:" not in said


def test_other_methods_and_broken_requests_do_no_harm(served: Served) -> None:
    assert served.asked(f"POST / HTTP/1.1\r\nHost: {served.place}\r\nConnection: close\r\n\r\n").startswith(
        "HTTP/1.1 405"
    )
    for request in ("\0" * 100, "GET", "GET / HTTP/9.9\r\n\r\n", "GET / HTTP/1.1\r\n" + "X: y\r\n" * 20_000):
        with contextlib.suppress(OSError):
            served.asked(request)
    assert served.got("/").startswith("HTTP/1.1 200")


def test_beyond_this_machine_only_with_a_warning() -> None:
    with serving("--host", "0.0.0.0") as served:
        name = socket.gethostname()
        assert served.name == name
        for host, answer in ((f"{name}:1", "200"), ("192.168.7.7:1", "200"), ("evil.example:1", "403")):
            with socket.create_connection(("127.0.0.1", served.port)) as wire:
                wire.sendall(f"GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
                assert wire.recv(12) == f"HTTP/1.1 {answer}".encode()
        _, _, errors = served.end()
    assert "warning: 0.0.0.0 can be reached from other machines" in errors
    assert "Traceback" not in errors


def test_ipv6() -> None:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("this machine has no IPv6")
    with serving("--host", "::1") as served:
        assert served.address.startswith("http://[::1]:")
        assert served.got("/").startswith("HTTP/1.1 200")
        with served.tab() as tab:
            say(tab, "new", game="nim")
            assert hear(tab, "view")["game"] == "nim"
        assert served.end()[2] == ""


def test_a_port_in_use_is_named() -> None:
    with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as other:
        port = other.getsockname()[1]
        done = subprocess.run(
            [sys.executable, "-m", "zermelo", "serve", "--no-browser", "--port", str(port)],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
    assert done.returncode == 2
    assert done.stderr == (
        f"zermelo: cannot listen at 127.0.0.1, port {port}: Address already in use; without --port, a free port "
        "is used\n"
    )


def test_programs_are_told_the_address_as_json(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(STUCK)
    with serving("mine.py", "--json", cwd=tmp_path) as served:
        told = json.loads(served.said)
        assert told == {"address": served.address, "files": ["mine.py"], "process": served.process.pid}
        assert served.got("/").startswith("HTTP/1.1 200")
        _, more, errors = served.end()
    assert (more, errors) == ("", "")


# What tabs get.


def test_tabs_share_nothing(served: Served) -> None:
    with served.tab() as one, served.tab() as two:
        say(one, "new", game="tic_tac_toe")
        say(two, "new", game="nim")
        first, second = hear(one, "view"), hear(two, "view")
        say(one, "move", name=first["legal"][0]["name"])
        assert len(hear(one, "view")["moves"]) == 1
        say(two, "undo")
        assert heard_error(two)
        say(two, "flip", on=True)
        shown = hear(two, "view")
        assert shown["game"] == "nim" != first["game"]
        assert shown["moves"] == second["moves"] == []


def test_what_is_not_permitted_is_refused_and_the_tab_lives_on(served: Served) -> None:
    with served.tab() as tab:
        for message in (
            {"do": "new", "game": "/etc/passwd"},
            {"do": "new", "game": "chess", "seats": ["program:touch x", "random"]},
            {"do": "new", "game": "nim", "seats": ["engine:table=100000", "random"]},
            {"do": "load", "record": {"zermelo": "game", "game": "mine.py", "moves": []}},
        ):
            tab.send(json.dumps(message))
            assert heard_error(tab)
        say(tab, "new", game="nim")
        assert hear(tab, "view")["game"] == "nim"


def test_a_message_that_is_too_long_is_told_and_one_beyond_all_measure_ends_the_tab(served: Served) -> None:
    with served.tab() as tab:
        tab.send("x" * (LONGEST + 1))
        assert heard_error(tab) == f"a message has at most {LONGEST:,} bytes"
        with pytest.raises(ConnectionClosed):
            answered(tab, "x" * 5 * LONGEST)


def answered(tab: Any, message: str) -> Any:
    """The answer to a message; a tab may be closed before all of that is sent."""
    tab.send(message)
    return tab.recv(timeout=PATIENCE)


def test_the_number_of_tabs_is_limited(served: Served) -> None:
    eventually(lambda: len(served.hosts()) <= 1)
    with contextlib.ExitStack() as stack:
        for _ in range(TABS):
            stack.enter_context(served.tab())
        with served.tab() as one_more:
            assert json.loads(one_more.recv(timeout=PATIENCE)) == {
                "kind": "dead",
                "error": f"{TABS} tabs are already open, each with its own process: close one",
            }
            with pytest.raises(ConnectionClosed):
                one_more.recv(timeout=PATIENCE)
    eventually(lambda: len(served.hosts()) <= 1)


# What is left of them.


def test_malformed_messages_leave_nothing_behind(served: Served) -> None:
    """Several hundred through the wire, binary frames and broken ones among them."""
    eventually(lambda: len(served.hosts()) == 1)
    pid = served.process.pid
    before, files = memory(pid), descriptors(pid)

    def bother(seed: int) -> int:
        chance = random.Random(seed)
        sent = 0
        while sent < 75:
            with contextlib.suppress(ConnectionClosed), served.tab() as tab:
                while sent < 75:
                    sent += 1
                    data = malformed(chance)
                    tab.send(data.encode(errors="surrogatepass") if isinstance(data, str) else data, text=sent % 25 > 0)
                    while True:
                        with contextlib.suppress(TimeoutError):
                            assert json.loads(tab.recv(timeout=0))["kind"]
                            continue
                        break
        return sent

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(bother, range(8))) == 600
    with served.tab() as tab:
        say(tab, "new", game="nim")
        assert hear(tab, "view")["game"] == "nim"
    eventually(lambda: len(served.hosts()) == 1)
    eventually(lambda: descriptors(pid) <= files + 2)
    assert memory(pid) < before + (40 << 20)


def flood(tab: Any) -> None:
    while True:
        say(tab, "flip", on=True)


def test_a_page_that_never_reads_fills_no_memory(served: Served) -> None:
    """Its host is made to wait; and where it only talks, without end, its tab is closed."""
    before = memory(served.process.pid)
    with served.tab(max_queue=1) as tab:
        say(tab, "new", game="othello")
        for _ in range(150):  # each is answered by a picture
            say(tab, "flip", on=True)
            time.sleep(0.02)
        assert memory(served.process.pid) < before + (20 << 20)
    with served.tab(max_queue=None) as tab:
        with pytest.raises(ConnectionClosed):
            flood(tab)
        assert memory(served.process.pid) < before + (20 << 20)
    eventually(lambda: len(served.hosts()) <= 1)


def busy(tab: Any, game: str = "othello") -> None:
    """Something to think about, without end."""
    say(tab, "new", game=game)
    hear(tab, "view")
    say(tab, "analyse", on=True)
    hear(tab, "analysis")


def test_closing_a_tab_ends_its_search(empty_cache: Path) -> None:
    """And whoever compiles for it."""
    with serving() as served:
        for word in ("closed", "gone"):
            eventually(lambda: len(served.hosts()) == 1)
            (mine,) = served.hosts()  # which waits for the tab
            with served.tab() as tab:
                busy(tab)
                at_it = {mine, *children(mine)}
                if word == "gone":
                    tab.socket.close()  # without a word, as a browser that is killed
            eventually(lambda at_it=at_it: not any(map(is_alive, at_it)))
            eventually(lambda mine=mine: mine not in served.hosts())


def test_hosts_die_with_the_server(tmp_path: Path, empty_cache: Path) -> None:
    """Killed, it can say no goodbye; its hosts end all the same, while they compile, or stuck in somebody's method."""
    (tmp_path / "stuck.py").write_text(STUCK)
    with serving("stuck.py", cwd=tmp_path) as served, served.tab() as one, served.tab() as two:
        busy(one)
        say(two, "new", game="stuck.py")
        hear(two, "view")
        say(two, "move", name="0")
        time.sleep(0.3)
        there = served.hosts()
        assert len(there) >= 2
        served.process.kill()
        served.process.wait()
        eventually(lambda: not any(map(is_alive, there)))


@pytest.mark.timing
def test_ctrl_c_ends_everything_within_a_second(tmp_path: Path) -> None:
    (tmp_path / "stuck.py").write_text(STUCK)
    with serving("stuck.py", cwd=tmp_path) as served, served.tab() as one, served.tab() as two:
        busy(one, "chess")
        say(two, "new", game="stuck.py")
        hear(two, "view")
        say(two, "move", name="0")
        there = served.hosts()
        took, out, errors = served.end()
        assert served.process.returncode == 0
        assert (out, errors) == ("", "")
        assert took < 1.5, "a second, and some for a machine that has more to do"
        eventually(lambda: not any(map(is_alive, there)))


# One's own file.


def test_a_file_of_ones_own_is_played_and_never_loaded_by_the_server(tmp_path: Path) -> None:
    note = "import os; open(f'loaded-{os.getpid()}', 'w')\n"
    (tmp_path / "mine.py").write_text(note + STUCK)
    with serving("mine.py", cwd=tmp_path) as served:
        assert json.loads(served.got("/api/games").partition("\r\n\r\n")[2])["games"][0] == {
            "name": "mine.py",
            "title": "mine",
            "own": True,
        }
        with served.tab() as tab:
            say(tab, "new", game="mine.py")
            assert hear(tab, "view")["game"] == "mine.py"
        assert not (tmp_path / f"loaded-{served.process.pid}").exists()
        assert len(list(tmp_path.glob("loaded-*"))) == 2


def test_nothing_is_imported_from_the_folder_that_it_is_started_in(tmp_path: Path) -> None:
    """Somebody's downloads may have a numpy.py among them."""
    for name in ("numpy", "numba"):
        (tmp_path / f"{name}.py").write_text("open('imported', 'w')\nraise SystemExit\n")
    with serving(cwd=tmp_path) as served, served.tab() as tab:
        say(tab, "new", game="othello")
        hear(tab, "view")
        say(tab, "arena_look", game="nim")
        hear(tab, "arena_view")
        say(tab, "arena", players=["random", "level:random"], games=2)
        assert hear(tab, "arena_over")["error"] is None
    assert not (tmp_path / "imported").exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def broken(:", "zermelo: mine.py cannot be loaded: line 1: SyntaxError: invalid syntax (mine.py, line 1)\n"),
        ("x = 1", "zermelo: mine.py has no Game class\n"),
        ("import os\nos._exit(7)", "zermelo: mine.py: loading it ended the process (7)\n"),
        ("print('hello')\n1 / 0", "zermelo: mine.py cannot be loaded: line 2: ZeroDivisionError: division by zero\n"),
        (None, "zermelo: there is no file 'mine.py'\n"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_plainly(tmp_path: Path, text: str | None, said: str) -> None:
    if text is not None:
        (tmp_path / "mine.py").write_text(text)
    done = subprocess.run(
        [sys.executable, "-m", "zermelo", "serve", "--no-browser", "mine.py"],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        cwd=tmp_path,
    )
    assert (done.returncode, done.stdout, done.stderr) == (2, "", said)


# How soon it is there.


def test_nothing_heavy_is_loaded_by_the_server() -> None:
    code = (
        "import sys, zermelo.app.serve, zermelo.app.web.running, zermelo.app.web.server; "
        "print([name for name in ('numpy', 'numba', 'rich') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE, check=True)
    assert done.stdout.strip() == "[]"


def test_a_host_is_ready_before_its_tab_is_opened() -> None:
    with serving() as served:
        eventually(lambda: len(served.hosts()) == 1)
        (spare,) = served.hosts()
        with served.tab() as tab:
            say(tab, "new", game="nim")
            hear(tab, "view")
        eventually(lambda: not is_alive(spare))  # with the tab that has taken it


@pytest.mark.timing
def test_the_page_is_useful_within_a_second() -> None:
    """From the command to the first board; the best of three, on a machine that may have other things to do."""
    took = []
    for _ in range(3):
        began = time.monotonic()
        with serving() as served, served.tab() as tab:
            say(tab, "new", game="tic_tac_toe")
            hear(tab, "view")
            took.append(time.monotonic() - began)
    assert min(took) < max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1)), took


def test_a_game_that_crashes_or_takes_too_much_memory_hurts_its_own_tab_alone(tmp_path: Path) -> None:
    assert MOST_MEMORY < 10 << 30
    (tmp_path / "fatal.py").write_text(FATAL)
    with serving("fatal.py", cwd=tmp_path) as served, served.tab() as one, served.tab() as two:
        for tab in (one, two):
            say(tab, "new", game="fatal.py")
            hear(tab, "view")
        say(one, "move", name="1")
        assert "MemoryError" in heard_error(one)
        say(one, "flip", on=True)
        assert hear(one, "view")["moves"] == []
        say(two, "move", name="2")
        assert next(answer for answer in map(json.loads, two) if answer["kind"] not in BESIDE) == {
            "kind": "dead",
            "error": "The game's process has ended. A new one was started.",
        }
        say(one, "flip", on=False)
        hear(one, "view")
