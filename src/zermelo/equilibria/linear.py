"""Exact equilibria of two-player zero-sum games by linear programming over sequences.

The first player chooses the probability of each of its sequences so that what the second can hold it to is as large as
possible. What the second can hold it to is itself the solution of a linear program, whose dual has one variable for
each of its information sets (Koller, Megiddo and von Stengel 1996).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.equilibria.form import Form
from zermelo.game.errors import Unsuitable, ZermeloError
from zermelo.game.protocol import Game


def by_linear_programming(game: Game, form: Form) -> tuple[Any, float]:
    """The probability of every sequence's last move in an equilibrium, and the value to the first player."""
    if game.players != 2 or not game.zero_sum:
        raise Unsuitable(f"linear programming needs two players and zero sum, and {game.title} is not like that")
    chance = np.ones(form.sequences)
    value = 0.0
    for p in range(2):
        plan, value = best_plan(form, p)
        chance_of(form, p, plan, chance)
    return chance, -value


def best_plan(form: Form, player: int) -> tuple[Any, float]:
    """The probabilities of a player's sequences that guarantee it the most, by number from its first; and the value."""
    try:
        from scipy.optimize import linprog  # type: ignore[import-untyped,unused-ignore]
    except ImportError:
        raise ZermeloError("linear programming needs SciPy: pip install 'zermelo[equilibria]'") from None
    own, other = numbering(form, player), numbering(form, 1 - player)
    own_sets, other_sets = sets_of(form, player), sets_of(form, 1 - player)
    columns = len(own) + len(other_sets) + 1  # a plan, and a value of each of the other's sets and of its start
    # For each sequence of the other: the value of its set is at most what the sequence leaves to this player.
    entries: list[tuple[int, int, float]] = []
    for q, row in other.items():
        for end in range(form.starts[q], form.starts[q + 1]):
            entries.append((row, own[int(form.others[end])], float(form.worth[end])))
    # `worth` there is the other's, which is what this player loses.
    for number, which in enumerate(other_sets, start=1):
        row = other[int(form.parent[which])]
        entries.append((row, len(own) + number, -1.0))
        for q in range(form.first[which], form.first[which] + form.width[which]):
            entries.append((other[q], len(own) + number, 1.0))
    entries.append((other[1 - player], len(own), 1.0))
    upper = matrix(entries, len(other), columns)
    entries = [(0, own[player], 1.0)]
    for row, which in enumerate(own_sets, start=1):
        entries.append((row, own[int(form.parent[which])], -1.0))
        for q in range(form.first[which], form.first[which] + form.width[which]):
            entries.append((row, own[q], 1.0))
    equal = matrix(entries, len(own_sets) + 1, columns)
    goal = np.zeros(columns)
    goal[len(own)] = -1.0
    right = np.zeros(len(own_sets) + 1)
    right[0] = 1.0
    bounds = [(0.0, None)] * len(own) + [(None, None)] * (columns - len(own))
    found = linprog(goal, upper, np.zeros(len(other)), equal, right, bounds, method="highs")
    if found.status != 0:
        raise ZermeloError(f"the linear program was not solved: {found.message}")
    return np.maximum(found.x[: len(own)], 0.0), -float(found.fun)


def matrix(entries: list[tuple[int, int, float]], rows: int, columns: int) -> Any:
    """A sparse matrix from rows, columns and numbers."""
    from scipy import sparse  # type: ignore[import-untyped,unused-ignore]

    row, column, number = zip(*entries, strict=True)
    return sparse.csr_matrix((number, (row, column)), (rows, columns))


def sets_of(form: Form, player: int) -> range:
    """The information sets of a player."""
    return range(int(form.sets[player]), int(form.sets[player + 1]))


def numbering(form: Form, player: int) -> dict[int, int]:
    """A player's sequences, numbered from 0: the empty one, then those of its information sets."""
    sequences = [player]
    for which in sets_of(form, player):
        sequences += range(int(form.first[which]), int(form.first[which] + form.width[which]))
    return {q: i for i, q in enumerate(sequences)}


def chance_of(form: Form, player: int, plan: Any, chance: Any) -> None:
    """Write the probabilities of moves that follow from those of sequences; equal ones in sets never reached."""
    numbers = numbering(form, player)
    for which in sets_of(form, player):
        first, width = int(form.first[which]), int(form.width[which])
        part = plan[[numbers[q] for q in range(first, first + width)]]
        chance[first : first + width] = part / part.sum() if part.sum() > 1e-12 else 1.0 / width
