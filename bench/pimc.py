"""Averaging over deals, information set MCTS and the equilibrium against each other; deals per second.

    python bench/pimc.py

Kuhn and Leduc poker are exact: each algorithm chooses in every information set, and the expected result of each pairing
and of a best response is computed over the whole game. Liar's dice is a match.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from zermelo import Random, games
from zermelo.arena.tournament import match
from zermelo.equilibria.solver import Solver, appraise
from zermelo.game.protocol import CHANCE, Game
from zermelo.search.by_pimc import ClairvoyantSearcher
from zermelo.search.question import Question
from zermelo.search.registry import find

SIMULATIONS = 2_000
MATCH_GAMES = 400
SECONDS = 2.0


def policy(solver: Solver, choose: Callable[[Any], Any]) -> Any:
    """The probability of each sequence's last move if a player always makes the move it chooses."""
    chance = np.zeros(solver.form.sequences)
    for which, choice in enumerate(solver.choices()):
        first, width = int(solver.form.first[which]), int(solver.form.width[which])
        moves = [int(a) for a in solver.book.move[first : first + width]]
        chance[first + moves.index(choose(choice.example))] = 1.0
    return chance


def exact(name: str) -> None:
    """Print what each algorithm wins against each other one, and loses to a best response."""
    game = games.load(name)
    solver = Solver(game)
    solver.solve(until=1e-4)
    searchers = {name: find(name).make(find(name), game, None, {}) for name in ("pimc", "mcts")}

    def choose(algorithm: str) -> Callable[[Any], Any]:
        nodes = SIMULATIONS if algorithm == "mcts" else None
        return lambda s: searchers[algorithm].analyse(Question(game, s, nodes=nodes, seed=1)).action

    policies = {name: policy(solver, choose(name)) for name in searchers} | {"equilibrium": solver.average()}
    own = [np.zeros(solver.form.sequences, bool) for _ in range(2)]
    for which in range(len(solver.form.first)):
        player = int(np.searchsorted(solver.form.sets, which, side="right")) - 1
        first = int(solver.form.first[which])
        own[player][first : first + int(solver.form.width[which])] = True
    print(f"\n| {game.title} | {' | '.join(f'against {other}' for other in policies)} | exploitability |")
    print("|---|" + "---|" * (len(policies) + 1))
    for row, mine in policies.items():
        wins = []
        for other in policies.values():
            first = appraise(solver.form, np.where(own[0], mine, other))[0][0]
            second = appraise(solver.form, np.where(own[1], mine, other))[0][1]
            wins.append(500 * (first + second))
        values, best = appraise(solver.form, mine)
        lost = 500 * (sum(best) - sum(values))
        print(f"| {row} | {' | '.join(f'{won + 0.0:+.1f}' for won in wins)} | {lost:.1f} |")


def speed(name: str, to_river: bool = False) -> None:
    """Print how many deals are solved per second; each is solved anew."""
    game, random = games.load(name), Random(2)
    s = _position(game, random, to_river)
    searcher = find("pimc").make(find("pimc"), game, None, {"deals": 200, "enumerate": False})
    assert isinstance(searcher, ClairvoyantSearcher)
    searcher.analyse(Question(game, s, seed=1))
    deals, spent, nodes = 0, 0.0, 0
    while spent < SECONDS:
        searcher.solved.clear()
        began = time.perf_counter()
        found = searcher.analyse(Question(game, s, seed=deals))
        spent += time.perf_counter() - began
        deals, nodes = deals + int(found.remarks[0].split(",")[1].split()[0]), nodes + found.nodes
    how = found.remarks[0].partition("(")[2].partition(")")[0]
    where = ", river" if to_river else ""
    print(f"| {game.title}{where} | {how} | {deals / spent:,.0f} | {nodes / spent / 1e6:.2f} |")


def _position(game: Game, random: Random, to_river: bool) -> Any:
    s = game.initial()
    while game.to_move(s) == CHANCE or (to_river and s.street < 3):
        quiet = [a for a in game.legal(s) if game.action_name(s, a) in ("check", "call")]
        s = game.draw(s, random) if game.to_move(s) == CHANCE else game.result(s, quiet[0])
    return s


if __name__ == "__main__":
    print(f"Milli-units per game (utility / 1000), both seats; mcts with {SIMULATIONS:,} simulations, seed 1.")
    exact("kuhn_poker")
    exact("leduc_poker")
    print("\n| deals | solved by | different deals per second | M nodes per second |\n|---|---|---|---|")
    for each in ("leduc_poker", "liars_dice", "phantom_tic_tac_toe", "limit_holdem"):
        speed(each)
    speed("limit_holdem", to_river=True)
    players = "pimc:deals=200,seconds=10", f"mcts:nodes={SIMULATIONS}"  # without a limit it would think for 0.1 s
    found = match("liars_dice", *players, games=MATCH_GAMES, workers=0, seed=1)
    print(f"\nLiar's dice, {players[0]} against {players[1]}: {found.score}")
