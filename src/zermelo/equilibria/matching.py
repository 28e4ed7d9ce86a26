"""Regret matching in a matrix game, step by step (Hart and Mas-Colell 2000): what CFR does in each information set.

Play; for every row remember how much better it would have done than what was played; next time, play each row in
proportion to its positive regret. In zero-sum games, the average of what both played approaches an equilibrium.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo.game.errors import UnknownName
from zermelo.games.matrix import Matrix

METHODS = {
    "cfr-simultaneous": "regret matching, both at once",
    "cfr": "regret matching, in turn",
    "cfr+": "regret matching+, in turn",
}
"""Names, as of the solver's methods, and what they are called in a matrix game."""
STARTS = {"uniform": "all choices equally often", "first": "the first choice"}
"""What is played first."""


@dataclass(frozen=True)
class Step:
    """One iteration. Each field has an entry for the row player and one for the column player.

    played    what both play
    values    what each choice would have got
    regret    how much better each choice would have done in all iterations so far
    next      what both play next
    average   the average of all that was played
    """

    played: tuple[Any, Any]
    values: tuple[Any, Any]
    regret: tuple[Any, Any]
    next: tuple[Any, Any]
    average: tuple[Any, Any]


class RegretMatching:
    """All steps so far, and where they lead."""

    def __init__(self, game: Matrix, method: str = "cfr-simultaneous", start: str = "uniform"):
        for name, known in ((method, METHODS), (start, STARTS)):
            if name not in known:
                raise UnknownName(f"there is no {name!r} here: choose one of {', '.join(known)}")
        self.game, self.method = game, method
        self.tables = np.asarray(game.first), np.asarray(game.second).T  # own choices in rows, for each player
        self.regret = [np.zeros(len(table)) for table in self.tables]
        self.lead = 1.0 if start == "first" else 0.0
        if start == "first":
            for regret in self.regret:
                regret[0] = 1.0  # as if the first choice had once been better by 1
        self.now = [matched(regret) for regret in self.regret]
        self.total = [np.zeros(len(table)) for table in self.tables]
        self.joint = np.zeros(self.tables[0].shape)
        self.steps: list[Step] = []

    def step(self) -> Step:
        """One iteration."""
        played = self.now[0], self.now[1]
        weight = len(self.steps) + 1.0 if self.method == "cfr+" else 1.0
        values = []
        for p, table in enumerate(self.tables):
            # In turn, the second player already sees what the first will play next.
            other = self.now[1 - p] if self.method != "cfr-simultaneous" else played[1 - p]
            worth = table @ other
            regret = self.regret[p] + worth - played[p] @ worth
            self.regret[p] = np.maximum(regret, 0.0) if self.method == "cfr+" else regret
            self.total[p] = self.total[p] + weight * played[p]
            self.now[p] = matched(self.regret[p])
            values.append(worth)
        self.joint = self.joint + weight * np.outer(*played)
        average = tuple(total / total.sum() for total in self.total)
        regrets, now = (self.regret[0], self.regret[1]), (self.now[0], self.now[1])
        step = Step(played, (values[0], values[1]), regrets, now, (average[0], average[1]))
        self.steps.append(step)
        return step

    def run(self, iterations: int) -> None:
        """Several iterations."""
        for _ in range(iterations):
            self.step()

    def gains(self, strategies: tuple[Any, Any]) -> tuple[float, float]:
        """What each player would gain by a best response to the other's strategy."""
        found = []
        for p, table in enumerate(self.tables):
            worth = table @ strategies[1 - p]
            found.append(float(worth.max() - strategies[p] @ worth))
        return found[0], found[1]

    def exploitability(self, strategies: tuple[Any, Any]) -> float:
        """The mean of both gains: 0 in an equilibrium."""
        return sum(self.gains(strategies)) / 2

    def correlated_gain(self) -> float:
        """What the better of two players would gain by one fixed choice, if both follow the joint play so far.

        It goes to 0 in every game: the joint play approaches a coarse correlated equilibrium.
        """
        joint = self.joint / self.joint.sum()
        gains = []
        for table, play in zip(self.tables, (joint, joint.T), strict=True):
            gains.append(float((table @ play.sum(axis=0)).max() - (table * play).sum()))
        return max(gains)

    def bound(self, iterations: int) -> float:
        """What the exploitability of the average cannot exceed: about the mean of both Δ √(choices / iterations).

        Δ is the range of a player's payoffs. It holds for regret matching, both at once, in zero-sum games, because the
        squared length of the positive regrets grows by at most choices · Δ² per iteration (Blackwell 1956).
        """
        squares = [len(table) * float(table.max() - table.min()) ** 2 for table in self.tables]
        return float(sum(np.sqrt(self.lead + square * iterations) for square in squares) / 2 / iterations)


def matched(regret: Any) -> Any:
    """Each choice in proportion to its positive regret; all equally often if there is none."""
    positive = np.maximum(regret, 0.0)
    total = positive.sum()
    return positive / total if total > 0 else np.full(len(positive), 1.0 / len(positive))


def pure_equilibria(game: Matrix) -> list[tuple[str, str]]:
    """The cells from which no player gains by changing its own choice alone."""
    first, second = np.asarray(game.first), np.asarray(game.second)
    best = (first >= first.max(axis=0) - 1e-12) & (second >= second.max(axis=1, keepdims=True) - 1e-12)
    return [(game.row_names[i], game.column_names[j]) for i, j in np.argwhere(best)]
