"""The desk for matrix games: the exact equilibrium of any table, and regret matching step by step."""

from __future__ import annotations

import threading
from typing import Any

from zermelo.app.web.desk import Say
from zermelo.equilibria.linear import by_linear_programming
from zermelo.equilibria.matching import METHODS, STARTS, RegretMatching, pure_equilibria
from zermelo.equilibria.solver import Solver
from zermelo.game.errors import ZermeloError
from zermelo.games.matrix import ROCK_PAPER_SCISSORS, Matrix

LARGEST = 8
"""Rows or columns that the page can show."""
DRAWN = 150
"""Points of a curve."""
TABLES = {
    "rock_paper_scissors": ("Rock, paper, scissors", ROCK_PAPER_SCISSORS, "rock paper scissors", "rock paper scissors"),
    "double": ("Rock, paper, scissors; rock counts double", "0 -1 2; 1 0 -1; -2 1 0", *["rock paper scissors"] * 2),
    "pennies": ("Matching pennies", "1 -1; -1 1", "heads tails", "heads tails"),
    "penalty": ("Penalty kicks", "0.58 0.95; 0.93 0.70", "left right", "left right"),
    "own": ("A table without a saddle point", "3 -1 0; -2 4 1; 1 0 2", "a b c", "x y z"),
    "dilemma": ("Prisoner's dilemma (general sum)", "2,2 0,3; 3,0 1,1", "keep tell", "keep tell"),
    "chicken": ("Chicken (general sum)", "0,0 7,2; 2,7 6,6", "dare yield", "dare yield"),
    "shapley": ("Shapley's game (general sum)", "1,0 0,1 0,0; 0,0 1,0 0,1; 0,1 0,0 1,0", "a b c", "x y z"),
}
"""Tables to choose from: title, payoffs, names of rows and of columns.

The penalty kicks are what Palacios-Huerta (2003) counted: how often the kicker scores, by the sides that the kicker and
the goalkeeper choose. Shapley's game (1964) is the classic example in which play never settles.
"""


class MatrixDesk:
    """One table, with all steps of regret matching on it."""

    def __init__(self, say: Say):
        self.say = say
        self.guard = threading.RLock()
        self.matching: RegretMatching | None = None

    def do_matrix(self, payoffs: str, rows: str, columns: str, method: str, begin: str, iterations: int) -> None:
        game = Matrix(payoffs, rows, columns)
        if max(game.height, game.width) > LARGEST:
            raise ValueError(f"this page shows at most {LARGEST} rows and columns; `zermelo solve matrix` solves more")
        matching = RegretMatching(game, method, begin)
        matching.run(iterations)
        self.matching = matching
        self.say({"kind": "matrix", **_overview(game, matching, payoffs, method, begin)})

    def do_matrix_step(self, step: int) -> None:
        matching = self.matching
        if matching is None or not 1 <= step <= len(matching.steps):
            raise ValueError(f"there is no step {step}")
        made = matching.steps[step - 1]
        parts = {name: [part.tolist() for part in getattr(made, name)] for name in vars(made)}
        gains = {"now": matching.exploitability(made.played), "far": matching.exploitability(made.average)}
        self.say({"kind": "matrix_step", "number": step, **parts, **gains})

    def leave(self) -> None:
        """There is no work to stop."""


def _overview(game: Matrix, matching: RegretMatching, payoffs: str, method: str, start: str) -> dict[str, Any]:
    """The table, its equilibrium, and the curves."""
    exact, value, missing = None, None, None
    if game.zero_sum:
        try:
            exact, value = _equilibrium(game)
        except ZermeloError as error:
            missing = str(error)
    tables = [(name, *rest) for name, rest in TABLES.items()]
    bounded = game.zero_sum and method == "cfr-simultaneous"
    return {
        "payoffs": payoffs,
        "rows": game.row_names,
        "columns": game.column_names,
        "first": matching.tables[0].tolist(),
        "second": matching.tables[1].T.tolist(),
        "zero_sum": game.zero_sum,
        "method": method,
        "start": start,
        "exact": exact,
        "value": value,
        "missing": missing,
        "pure": pure_equilibria(game),
        "iterations": len(matching.steps),
        "joint": None if game.zero_sum else (matching.joint / matching.joint.sum()).tolist(),
        "correlated": matching.correlated_gain(),
        "curves": _curves(matching, bounded),
        "tables": [dict(zip(("name", "title", "payoffs", "rows", "columns"), each, strict=True)) for each in tables],
        "methods": METHODS,
        "starts": STARTS,
    }


def _equilibrium(game: Matrix) -> tuple[list[list[float]], float]:
    """The strategies of both players in an equilibrium, and the value, by linear programming."""
    form = Solver(game, compile=False).form
    chance, value = by_linear_programming(game, form)
    parts = [chance[form.first[p] : form.first[p] + form.width[p]].tolist() for p in range(2)]
    return parts, value


def _curves(matching: RegretMatching, bounded: bool) -> list[dict[str, Any]]:
    """Numbers of some iterations, evenly spaced on a logarithmic axis."""
    count = len(matching.steps)
    numbers = sorted({min(count, max(1, round(count ** (i / (DRAWN - 1))))) for i in range(DRAWN)})
    found = []
    for number in numbers:
        step = matching.steps[number - 1]
        gains = {"now": matching.exploitability(step.played), "far": matching.exploitability(step.average)}
        parts = {"played": [p.tolist() for p in step.played], "average": [p.tolist() for p in step.average]}
        found.append({"number": number, **gains, **parts, "bound": matching.bound(number) if bounded else None})
    return found
