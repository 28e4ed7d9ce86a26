"""Which moves of Go to try first: captures, escapes, patterns, and moves near the last one and away from the edge.

A move's weight is a product of one factor for each of its features, as in a Bradley-Terry model (Coulom 2007). The
factors are rough, and were set by hand: the search corrects them.
"""

from __future__ import annotations

import numpy as np

from zermelo.games.go.groups import BORDER, EMPTY
from zermelo.games.go.playouts import Playouts
from zermelo.games.go.state import GoState

PASS, FINAL_PASS, EYE = 0.05, 100.0, 0.0
"""A pass, a pass that wins the game at once, and filling an own eye."""
SELF_ATARI = 0.05
CAPTURE, CAPTURED_STONE = 8.0, 2.0
ESCAPE, ESCAPED_STONE = 6.0, 2.0
ATARI = 2.0
PATTERN = 2.5
EDGE = (0.2, 0.6, 1.3)
"""On the first, second and third line, if there is no stone nearby."""
NEAR = (0.0, 5.0, 4.0, 2.5, 1.6)
"""By the distance to the last move; further away 1."""


class Priors(Playouts):
    """Weights of moves before any of them was tried."""

    all_moves_as_first = True
    size: int

    def __init__(self, size: int):
        super().__init__(size)
        lines = [min(r, c, size - 1 - r, size - 1 - c) for r, c in (divmod(p, size + 1) for p in range(self.points))]
        self.line = np.array([max(line, 0) for line in lines], np.int64)

    def prior(self, s: GoState, a: int) -> float:
        if a == self.points:
            return FINAL_PASS if s.passes == 1 and self.leads(s) else PASS
        groups = self.groups
        if groups.shown[0] != s.stones or groups.shown[1] == 0:
            self.show(s)
        colour = 1 + int(s.mover)
        if groups.is_eye(a, colour):
            return EYE
        weight = self.tactics(a, colour)
        if groups.is_wanted(a):
            weight *= PATTERN
        if s.last != self.points:
            distance = self.distance(a, s.last)
            if distance < len(NEAR):
                weight *= NEAR[distance]
        if self.line[a] < len(EDGE) and groups.nearby[a] == groups.edge[a]:
            weight *= EDGE[self.line[a]]
        return weight

    def tactics(self, p: int, colour: int) -> float:
        """The factors for what a stone on p captures, saves, attacks or loses."""
        groups = self.groups
        weight = 1.0
        for k in range(4):
            n = groups.near[p, k]
            there = groups.colour[n]
            if there != EMPTY and there != BORDER:
                group = groups.group[n]
                liberties = groups.count_liberties(group)
                if there != colour and liberties == 1:
                    weight = max(weight, CAPTURE + CAPTURED_STONE * groups.size[group])
                elif there != colour and liberties == 2:
                    weight = max(weight, ATARI)
                elif there == colour and liberties == 1 and groups.stones_at_risk(p, colour) == 0:
                    weight = max(weight, ESCAPE + ESCAPED_STONE * groups.size[group])
        if weight < CAPTURE and groups.stones_at_risk(p, colour) != 0:
            weight = SELF_ATARI
        return weight

    def leads(self, s: GoState) -> bool:
        """Does the player to move win if the game ends here?"""
        lead = self.lead(s)
        return lead > 0 if s.mover == 0 else lead < 0

    def lead(self, s: GoState) -> float:
        """By how many points Black leads, as the stones stand."""
        raise NotImplementedError

    def show(self, s: GoState) -> None:
        """Set up the board of groups, which playouts change."""
        self.groups.set_up(s.own if s.mover == 0 else s.other, s.other if s.mover == 0 else s.own)
        self.groups.shown[0], self.groups.shown[1] = s.stones, 1

    def distance(self, p: int, q: int) -> int:
        """By rows and columns, with the greater of both counted twice, as if circles had corners (Coulom 2007)."""
        rows = abs(p // (self.size + 1) - q // (self.size + 1))
        columns = abs(p % (self.size + 1) - q % (self.size + 1))
        return (rows + columns + max(rows, columns)) // 2
