"""Two builds or two settings of the engine against each other at fixed nodes, until a sequential test decides.

    python bench/tune.py --other CHECKOUT [--this "singular=1"] [--that "singular=0"] [--game chess] [--nodes 5000]
        [--bounds 0 10] [--games 4000] [--note "what was changed"]

`--other` is a folder with another `src`; without it both sides run this checkout. `--this` and `--that` are options of
`Engine`. Games start from the openings in chess_openings.txt (in other games: from random moves), later ones with
random moves added, each opening with colours swapped. A game ends by the rules, if both sides agree for six plies that
it is decided, or as a draw after 300 plies. With `--note`, a row is appended to bench/results/search_tuning.md.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from zermelo import games
from zermelo.arena.elo import elo_of_score
from zermelo.arena.sequential import Sprt
from zermelo.search.engine import Engine

HERE = Path(__file__).parent
NOTES = HERE / "results" / "search_tuning.md"
DECIDED, PLIES_IN_AGREEMENT, MOST_PLIES = 0.6, 6, 300
BALANCED = 0.08
"""The greatest value of an opening, as a share of a win."""


class Side:
    """A process that plays for one of the builds."""

    def __init__(self, root: Path, settings: str, given: argparse.Namespace):
        command = [sys.executable, __file__, "--serve", "--game", given.game, "--nodes", str(given.nodes)]
        paths = {**os.environ, "PYTHONPATH": str(root.resolve() / "src")}
        self.process = subprocess.Popen(
            [*command, "--this", settings], env=paths, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, *words: Any) -> Any:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(words) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


def serve(given: argparse.Namespace) -> None:
    """Answer on standard output: a new game from its moves, the opponent's move, or a move to find."""
    game = games.load(given.game)
    options = {name: int(value) for name, value in (word.split("=") for word in given.this.split())}
    engine = Engine(game, table=16, endgames=False, **options)
    past: list[Any] = []
    for line in sys.stdin:
        what, *rest = json.loads(line)
        if what == "begin":
            engine.clear()
            past = [game.initial()]
            for a in rest:
                past.append(game.result(past[-1], a))
            print("null", flush=True)
        elif what == "reply":
            past.append(game.result(past[-1], rest[0]))
            print("null", flush=True)
        else:
            found = engine.think(past[-1], nodes=given.nodes, history=past[:-1])
            value = found.value if game.to_move(past[-1]) == 0 else -found.value
            past.append(game.result(past[-1], found.action))
            over = game.remembering(past).is_terminal(past[-1])
            print(json.dumps([found.action, value, game.utility(past[-1], 0) if over else None]), flush=True)


def openings(game: Any, is_chess: bool, seed: int) -> Any:
    """Openings without end, as lists of moves, each about balanced."""
    judge = Engine(game, table=4, endgames=False)
    chance = random.Random(seed)
    lines = [[]]
    if is_chess:
        text = (HERE / "chess_openings.txt").read_text().splitlines()
        lines = [line.split() for line in text if line.strip() and not line.startswith("#")]
        chance.shuffle(lines)
    extra = 0 if is_chess else 4
    while True:
        for line in lines:
            s, moves = game.initial(), []
            for name in line:
                moves.append(game.action_named(s, name))
                s = game.result(s, moves[-1])
            for _ in range(extra):
                if not game.is_terminal(s):
                    moves.append(chance.choice(list(game.actions(s))))
                    s = game.result(s, moves[-1])
            if not game.is_terminal(s) and (extra == 0 or abs(judge.think(s, nodes=2000).value) < BALANCED):
                yield moves
        if is_chess:
            extra = 2 + extra % 4


def play(sides: list[Side], moves: list[int]) -> float:
    """One game; returns the points of the first side."""
    for side in sides:
        side.ask("begin", *moves)
    agreed = 0
    for ply in range(len(moves), MOST_PLIES):
        mover = sides[ply % 2]
        a, value, end = mover.ask("go")
        if end is not None:
            return 0.5 + end / 2 if end in (-1, 1) else 0.5
        sign = 1 if value > DECIDED else -1 if value < -DECIDED else 0
        agreed = agreed + sign if sign * agreed >= 0 and sign != 0 else sign
        if abs(agreed) >= PLIES_IN_AGREEMENT:
            return 0.5 + sign / 2
        sides[1 - ply % 2].ask("reply", a)
    return 0.5


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--other", type=Path, default=HERE.parent)
    options.add_argument("--this", default="")
    options.add_argument("--that", default="")
    options.add_argument("--game", default="chess")
    options.add_argument("--nodes", type=int, default=5000)
    options.add_argument("--games", type=int, default=4000)
    options.add_argument("--bounds", type=float, nargs=2, default=(0.0, 10.0))
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--seconds", type=float, default=float("inf"), help="the time after which it stops, undecided")
    options.add_argument("--note")
    options.add_argument("--serve", action="store_true")
    given = options.parse_args()
    if given.serve:
        serve(given)
        return
    this, that = Side(HERE.parent, given.this, given), Side(given.other, given.that, given)
    test, pairs = Sprt(*given.bounds), [0] * 5
    began = time.monotonic()
    for moves in openings(games.load(given.game), given.game == "chess", given.seed):
        points = play([this, that], moves) + 1 - play([that, this], moves)
        pairs[round(2 * points)] += 1
        played, decision = 2 * sum(pairs), test.decision(pairs)
        spent = time.monotonic() - began
        is_over = decision != "go on" or played >= given.games or spent > given.seconds
        if played % 50 == 0 or is_over:
            print(f"{summary(pairs)}, pairs {pairs}, LLR {test.llr(pairs):.2f}, {spent:.0f} s", flush=True)
        if is_over:
            break
    verdict = {"accept": "better", "reject": "not better", "go on": "open"}[test.decision(pairs)]
    if given.note:
        with NOTES.open("a") as file:
            file.write(f"| {given.note} | {given.nodes:,} | {summary(pairs)} | {verdict} |\n")
    for side in (this, that):
        side.process.communicate()


def summary(pairs: list[int]) -> str:
    """The games, and the difference in Elo with its error of two standard deviations."""
    seen = sum(pairs)
    score = sum(i * count for i, count in enumerate(pairs)) / (4 * seen)
    spread = (sum(count * (i / 4 - score) ** 2 for i, count in enumerate(pairs)) / seen**2) ** 0.5
    low, high = (elo_of_score(min(max(score + sign * 2 * spread, 0.001), 0.999)) for sign in (-1, 1))
    elo = elo_of_score(min(max(score, 0.001), 0.999))
    return f"{2 * seen} games, {elo:+.0f} ± {(high - low) / 2:.0f} Elo"


if __name__ == "__main__":
    main()
