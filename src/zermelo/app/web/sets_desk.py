"""The desk for information sets: the tree of a small game, and an equilibrium of it."""

from __future__ import annotations

import threading
from typing import Any

from zermelo import games
from zermelo.app.web.desk import Say
from zermelo.blackboard.information_sets import InformationTree
from zermelo.equilibria.linear import by_linear_programming
from zermelo.equilibria.reading import choices
from zermelo.equilibria.solver import Solver, appraise
from zermelo.game.errors import ZermeloError
from zermelo.game.protocol import Game
from zermelo.games.resolve import parse_parameters, played, resolve

ITERATIONS = 300
"""Of CFR+, if linear programming is not possible: small games need no more for a picture."""
EXACT = "exact, by linear programming"
EXAMPLES: tuple[tuple[str, str, list[str]], ...] = (
    ("Kuhn poker", "kuhn_poker", []),
    ("Rock, paper, scissors", "matrix", []),
    ("Liar's dice with two faces", "liars_dice", ["sides=2"]),
    ("Goofspiel with three cards", "goofspiel", ["cards=3"]),
    ("The roads", "roads", []),
    ("Strategy fusion", "strategy_fusion", []),
    ("Non-locality", "non_locality", []),
)
"""Small games to choose from: title, name and settings."""


class SetsDesk:
    """Trees with information sets. Each takes less than a second, because larger games are refused."""

    def __init__(self, say: Say):
        self.say = say
        self.guard = threading.RLock()

    def do_information_sets(self, game: str, settings: list[str], moves: list[str]) -> None:
        chosen = resolve(game, parse_parameters(tuple(settings)))
        state = played(chosen, tuple(moves))[-1]
        tree = InformationTree(chosen, state)
        solver, chance, method = solved(chosen, state)
        values, best = appraise(solver.form, chance, compile=False)
        found = list(choices(chosen, state, solver.book, solver.form, chance))
        numbers = [solver.number_of(tree.points[each.nodes[0]].state) for each in tree.sets]
        policies = [dict(zip(each.moves, each.probabilities, strict=True)) for each in found]

        def policy(s: Any) -> dict[Any, float]:
            chances = policies[solver.number_of(s)]
            return {a: chances[chosen.action_name(s, a)] for a in chosen.actions(s)}

        self.say(
            {
                "kind": "information_sets",
                "title": chosen.title,
                "game": game,
                "svg": tree.svg(policy),
                "nodes": len(tree.points),
                "method": method,
                "guarantee": "" if method == EXACT else solver.guarantee(),
                "players": [chosen.player_name(p) for p in range(chosen.players)],
                "values": values,
                "nash_conv": max(0.0, sum(best) - sum(values)),
                "sets": [
                    {
                        "player": each.player,
                        "name": each.name,
                        "states": [tree.history(node) for node in each.nodes],
                        "moves": found[number].moves,
                        "chances": found[number].probabilities,
                        "values": found[number].values if any(found[number].values) or found[number].reach else None,
                        "reach": found[number].reach,
                    }
                    for each, number in zip(tree.sets, numbers, strict=True)
                ],
                "examples": [{"title": t, "game": g, "settings": s} for t, g, s in examples()],
            }
        )

    def leave(self) -> None:
        """There is no work to stop."""


def examples() -> list[tuple[str, str, list[str]]]:
    """The examples whose games are registered."""
    return [each for each in EXAMPLES if each[1] in games.names()]


def solved(game: Game, state: Any) -> tuple[Solver, Any, str]:
    """An equilibrium, exact if possible: the solver, the probabilities of moves, and how they were found."""
    solver = Solver(game, state=state, compile=False)
    if game.players == 2 and game.zero_sum:
        try:
            return solver, by_linear_programming(game, solver.form)[0], EXACT
        except ZermeloError:
            pass  # SciPy is not installed
    solver.iterate(ITERATIONS)
    return solver, solver.average(), f"{ITERATIONS} iterations of CFR+"
