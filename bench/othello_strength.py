"""How strong Othello is: matches at equal time against another version of zermelo, or against a program by GTP.

    python bench/othello_strength.py --version /path/to/other/checkout --games 400
    python bench/othello_strength.py --gtp "gtp-rhino ..." --games 100

Each player is a process of its own and has its own table for a whole game; a pair of games starts from the same opening
of random moves that both players think about equal, with the colours exchanged. The score, with two standard errors,
and all results are printed; with --out they are kept, and games that are there already are not played again.
"""

from __future__ import annotations

import argparse
import json
import math
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

from zermelo import Engine, games

SERVER = """
import sys
from zermelo import Engine, games
game = games.load("othello")
engine = Engine(game, table=64)
engine.think(game.initial(), depth=4)
late = game.from_text("XXXOXXXX OXXXXXXX OOXXXXXX OOOXXXXX OOOXXOO- OOOOO--- OOOOOOO- OOOOOOO- X")
engine.think(late, depth=12)
for line in sys.stdin:
    kind, _, rest = line.strip().partition(" ")
    if kind == "clear":
        engine.clear()
        print("ready", flush=True)
    else:
        limit, _, position = rest.partition(" ")
        state = game.from_text(position)
        found = engine.think(state, **{kind: float(limit) if kind == "seconds" else int(limit)})
        print(game.action_name(state, found.action), found.value, found.depth, found.nodes, flush=True)
"""


class Zermelo:
    """A version of zermelo in a process of its own."""

    def __init__(self, folder: Path, kind: str, limit: float):
        python = folder / ".venv" / "bin" / "python"
        command = [str(python if python.exists() else sys.executable), "-c", SERVER]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=folder)
        self.kind, self.limit = kind, f"{limit:g}" if kind == "seconds" else str(int(limit))
        self.depths: list[int] = []

    def ask(self, line: str) -> str:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()

    def start(self, moves: list[str]) -> None:
        assert self.ask("clear") == "ready"

    def told(self, name: str, mover: int) -> None:
        pass

    def move(self, game: Any, s: Any) -> str:
        name, _, depth, _ = self.ask(f"{self.kind} {self.limit} {game.to_text(s)}").split()
        if game.plies_left(s) > 24:
            self.depths.append(int(depth))
        return name


class Gtp:
    """A program that speaks the Go Text Protocol."""

    def __init__(self, command: str):
        self.process = subprocess.Popen(shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, line: str) -> str:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        answer = ""
        while (part := self.process.stdout.readline()).strip() != "" or not answer:
            if not part:
                raise EOFError(f"the program ended after {line!r}")
            answer += part
        if not answer.startswith("="):
            raise ValueError(f"{line!r} was answered by {answer!r}")
        return answer.removeprefix("=").strip()

    def start(self, moves: list[str]) -> None:
        self.ask("boardsize 8")
        self.ask("clear_board")
        for number, name in enumerate(moves):
            self.told(name, number & 1)

    def told(self, name: str, mover: int) -> None:
        if name != "pass":  # GRhino refuses it as a syntax error: the colour of the next move tells it
            self.ask(f"play {'bw'[mover]} {name}")

    def move(self, game: Any, s: Any) -> str:
        return self.ask(f"genmove {'bw'[s.mover]}").lower()


def opening(game: Any, engine: Engine, random: Any, plies: int) -> list[str]:
    """Random moves after which neither side is far ahead, and no player had to pass."""
    while True:
        s, names = game.initial(), []
        for _ in range(plies):
            a = int(random.choice(list(game.actions(s))))
            names.append(game.action_name(s, a))
            s = game.result(s, a)
        if "pass" not in names and not game.is_terminal(s) and abs(engine.think(s, depth=8).value) < 6:
            return names


def play(game: Any, players: list[Any], moves: list[str]) -> float:
    """The discs by which black wins."""
    for player in players:
        player.start(moves)
    s = game.play(*moves)
    while not game.is_terminal(s):
        name = players[s.mover].move(game, s)
        other = players[1 - s.mover]
        other.told(name, s.mover)
        s = game.play(name, state=s)
    return float(game.utility(s, 0))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    against = options.add_mutually_exclusive_group(required=True)
    against.add_argument("--version", type=Path, help="the folder of another version")
    against.add_argument("--gtp", help="the command of another program")
    options.add_argument("--games", type=int, default=100)
    options.add_argument("--seconds", type=float, default=0.1)
    options.add_argument("--nodes", type=int, help="nodes per move instead of seconds")
    options.add_argument("--plies", type=int, default=8, help="random moves at the start")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--out", type=Path, help="keep the results in this file")
    given = options.parse_args()
    limit = ("seconds", given.seconds) if given.nodes is None else ("nodes", given.nodes)
    game: Any = games.load("othello")
    engine, random = Engine(game, table=8), np.random.default_rng(given.seed)
    ours = Zermelo(Path(__file__).parents[1], *limit)
    theirs: Any = Gtp(given.gtp) if given.gtp else Zermelo(given.version, *limit)
    kept = given.out.read_text().splitlines() if given.out and given.out.exists() else []
    results = [float(json.loads(line)["discs"]) for line in kept]
    moves: list[str] = []
    for number in range(given.games):
        if number % 2 == 0:
            moves = opening(game, engine, random, given.plies)
        if number < len(results):
            continue
        black = number % 2 == 0
        lead = play(game, [ours, theirs] if black else [theirs, ours], moves)
        results.append(lead if black else -lead)
        if given.out:
            with given.out.open("a") as file:
                file.write(json.dumps({"opening": moves, "black": black, "discs": results[-1]}) + "\n")
        if number % 10 == 9 or number == given.games - 1:
            print(summary(results, ours, theirs), flush=True)


def summary(results: list[float], ours: Any, theirs: Any) -> str:
    points = [0.5 + 0.5 * np.sign(discs) for discs in results]
    score = float(np.mean(points))
    error = 2 * math.sqrt(float(np.var(points)) / len(points))
    wins, losses = sum(discs > 0 for discs in results), sum(discs < 0 for discs in results)
    text = f"{len(results)} games: +{wins} ={len(results) - wins - losses} -{losses}, {score:.1%} ± {error:.1%}, "
    text += f"{np.mean(results):+.1f} discs"
    depths = [float(np.mean(player.depths)) for player in (ours, theirs) if getattr(player, "depths", None)]
    return text + (f", mean depths {', '.join(f'{depth:.2f}' for depth in depths)}" if depths else "")


if __name__ == "__main__":
    main()
