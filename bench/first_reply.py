"""Seconds from choosing a game to the first reply of the strongest opponent, cold and warm, terminal and browser.

    python bench/first_reply.py                  every registered game; writes bench/results/first_reply.md
    python bench/first_reply.py chess go         only these, printed

Cold is an empty cache of compiled programs. Warm is the cache that a cold run has left, once everything is compiled.
In the terminal the clock starts with the command, `zermelo play GAME --side 1`, so that Python's own start counts. In
the browser it starts when a tab that is open chooses the game. Processor time is that of the process that plays, up to
the reply; it does not include the process that compiles in the background.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from about import RESULTS, about, markdown_table
from websockets.sync.client import connect

from zermelo import games
from zermelo.arena.levels import strongest

BAR = 2.0
"""The most seconds for a cold reply."""
COMPILED = 180.0
"""Seconds to wait until everything is compiled."""
TICKS = os.sysconf("SC_CLK_TCK")


def processor_time(process: int) -> float:
    """The processor time of a running process in seconds."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def in_the_terminal(game: str, cache: str) -> tuple[float, float]:
    """Wall and processor time to the first reply."""
    environment = {**os.environ, "ZERMELO_CACHE": cache, "ZERMELO_STATE": cache}
    began = time.monotonic()
    with subprocess.Popen(
        [sys.executable, "-m", "zermelo", "play", game, "--side", "1"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if " plays " in line or " has moved" in line:
                break
        found = time.monotonic() - began, processor_time(process.pid)
        process.kill()
    return found


class Tab:
    """A tab of the app, without a browser around it."""

    def __init__(self, address: str):
        self.socket = connect(
            address.replace("http", "ws") + "ws", origin=address.rstrip("/"), max_size=None
        ).__enter__()

    def choose(self, game: str) -> float:
        """Seconds from choosing a game to the first move of the computer, which begins."""
        made = games.load(game)
        seats = [f"{strongest(made)}:seconds=1", *["person"] * (made.traits.sides - 1)]
        began = time.monotonic()
        self.socket.send(json.dumps({"do": "new", "game": game, "seats": seats}))
        self.until(lambda said: said["kind"] == "played")
        return time.monotonic() - began

    def until_compiled(self) -> None:
        """Wait until the game's programs are in the cache."""
        self.until(lambda said: said["kind"] == "readiness" and said["state"] in ("compiled", "plain"))

    def until(self, such: Any) -> None:
        end = time.monotonic() + COMPILED
        while time.monotonic() < end:
            said = json.loads(self.socket.recv(timeout=COMPILED))
            if such(said):
                return
        raise TimeoutError("no such answer")


def in_the_browser(game: str, cache: str) -> tuple[float, float]:
    """Seconds to the first reply, cold and warm: two tabs, each with a process of its own."""
    found = []
    for way in ("cold", "warm"):
        with subprocess.Popen(
            [sys.executable, "-m", "zermelo", "serve", "--no-browser", "--no-compile", "--json"],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "ZERMELO_CACHE": cache},
        ) as server:
            assert server.stdout is not None
            address = json.loads(server.stdout.readline())["address"]
            time.sleep(2)  # people take longer to choose a game
            tab = Tab(address)
            found.append(tab.choose(game))
            if way == "cold":
                tab.until_compiled()
                time.sleep(1)
            server.terminate()
    return found[0], found[1]


def until_cached(game: str, cache: str) -> None:
    """Compile what the terminal's opponent needs, as playing on would do."""
    code = (
        "import sys; from zermelo.app.prompt import PromptPlayer; from zermelo.games import load; "
        "from zermelo.arena.levels import strongest; game = load(sys.argv[1]); "
        "player = PromptPlayer(f'{strongest(game)}:seconds=1.0', game, sys.argv[1], ()); player.prepare(); "
        "player.preparation.ready.wait(300)"
    )
    subprocess.run([sys.executable, "-c", code, game], env={**os.environ, "ZERMELO_CACHE": cache}, check=True)


def measured(game: str) -> tuple[str, ...]:
    with tempfile.TemporaryDirectory() as cache, tempfile.TemporaryDirectory() as other:
        cold, cold_processor = in_the_terminal(game, cache)
        until_cached(game, cache)
        warm, warm_processor = in_the_terminal(game, cache)
        first, second = in_the_browser(game, other)
    figures = (cold, cold_processor, warm, warm_processor, first, second)
    return game, *(f"{figure:.2f}" for figure in figures)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("games", nargs="*", metavar="GAME")
    chosen = parser.parse_args().games
    rows = []
    for game in chosen or games.names():
        rows.append(measured(game))
        print(*rows[-1], flush=True)
    headings = (
        "game",
        "terminal, cold",
        "processor",
        "terminal, warm",
        "processor",
        "browser, cold",
        "browser, warm",
    )
    table = markdown_table(headings, rows)
    slowest = max(max(float(row[1]), float(row[5])) for row in rows)
    facts = about("python bench/first_reply.py")
    text = (
        f"# Seconds to the first reply\n\n{table}\n\n"
        f"The slowest cold reply took {slowest:.2f} s; the bar is {BAR:g} s. "
        "What is measured: see `bench/first_reply.py`.\n\n"
        f"{facts['date']}, {facts['machine']}, load average {os.getloadavg()[0]:.1f}, "
        f"Python {facts['versions']['Python']}, zermelo {facts['versions']['zermelo']}.\n"
    )
    if not chosen:
        (RESULTS / "first_reply.md").write_text(text)
    print(text)


if __name__ == "__main__":
    main()
